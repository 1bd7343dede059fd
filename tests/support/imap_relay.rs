//! A relay before a real IMAP server: a test sees each command before the server does, and can act at that moment.

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;

pub(crate) struct ImapRelay {
    url: String,
    port: u16,
    server: String,
}

impl ImapRelay {
    /// A relay to the server of this URL, which must have tls=none. `before` gets each command without its tag, and says
    /// whether to pass it on; if not, the connection is closed.
    pub(crate) fn new(url: &str, before: impl Fn(&str) -> bool + Send + Sync + 'static) -> ImapRelay {
        let server = url.rsplit_once('@').and_then(|(_, rest)| rest.split('?').next()).expect("a host").to_owned();
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let relay = ImapRelay { url: url.to_owned(), port, server: server.clone() };
        let before: Arc<dyn Fn(&str) -> bool + Send + Sync> = Arc::new(before);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (before, server) = (before.clone(), server.clone());
                std::thread::spawn(move || drop(pass(client, &server, &*before)));
            }
        });
        relay
    }

    /// The URL of the server through this relay.
    pub(crate) fn url(&self) -> String {
        self.url.replacen(&self.server, &format!("127.0.0.1:{}", self.port), 1)
    }
}

fn pass(client: TcpStream, server: &str, before: &(dyn Fn(&str) -> bool + Send + Sync)) -> std::io::Result<()> {
    let server = TcpStream::connect(server)?;
    let (mut from_server, mut to_client) = (server.try_clone()?, client.try_clone()?);
    let back = std::thread::spawn(move || {
        let done = std::io::copy(&mut from_server, &mut to_client);
        // The client learns that the server has closed the connection.
        drop(to_client.shutdown(Shutdown::Both));
        done
    });
    let mut lines = BufReader::new(client.try_clone()?);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        let command = text.trim_end().split_once(' ').map_or("", |(_, command)| command);
        if !before(command) {
            break;
        }
        (&server).write_all(&line)?;
        line.clear();
    }
    drop(server.shutdown(Shutdown::Both));
    drop(client.shutdown(Shutdown::Both));
    drop(back.join());
    Ok(())
}
