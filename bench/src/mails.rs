//! The limit of the sandbox's mail server: a client that does nothing but send.

use crate::Fault;
use crate::clock;
use base64::Engine as _;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::time::Duration;

/// As many connections as the product opens to a server.
const CONNECTIONS: usize = 8;
const SILENCE: Duration = Duration::from_secs(60);

/// Mails per second to `smtp`, an address with user and password.
pub(crate) fn limit(smtp: &str, count: usize) -> Result<f64, Fault> {
    let begun = clock::now();
    std::thread::scope(|scope| {
        let senders: Vec<_> = (0..CONNECTIONS).map(|_| scope.spawn(|| send(smtp, count / CONNECTIONS))).collect();
        senders.into_iter().try_for_each(|sender| sender.join().map_err(|_| "a sender failed")?)
    })?;
    Ok((count / CONNECTIONS * CONNECTIONS) as f64 / (clock::now() - begun).as_secs_f64())
}

fn send(smtp: &str, count: usize) -> Result<(), Fault> {
    let rest = smtp.split_once("://").map_or(smtp, |(_, rest)| rest);
    let (login, place) = rest.split_once('@').ok_or("an address without a user")?;
    let (user, password) = login.split_once(':').ok_or("an address without a password")?;
    let user = user.replace("%40", "@");
    let stream = TcpStream::connect(place.split(['?', '/']).next().unwrap_or_default())?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(SILENCE))?;
    let mut talk = Talk { lines: BufReader::new(stream.try_clone()?), stream };
    talk.replies(1)?;
    talk.say("EHLO bench.example.com\r\n", 1)?;
    let plain = base64::engine::general_purpose::STANDARD.encode(format!("\0{user}\0{password}"));
    talk.say(&format!("AUTH PLAIN {plain}\r\n"), 1)?;
    // About the size of a mail of the measured sequence.
    let text = "Hello, do you have a moment on Tuesday?\r\n".repeat(40);
    for n in 0..count {
        talk.say(&format!("MAIL FROM:<{user}>\r\nRCPT TO:<ada{n}@example.com>\r\nDATA\r\n"), 3)?;
        let head = format!("From: {user}\r\nTo: ada{n}@example.com\r\nMessage-ID: <{n}.{place}@bench.example.com>\r\n");
        talk.say(&format!("{head}Subject: Hello\r\n\r\n{text}.\r\n"), 1)?;
    }
    talk.say("QUIT\r\n", 1)
}

struct Talk {
    lines: BufReader<TcpStream>,
    stream: TcpStream,
}

impl Talk {
    fn say(&mut self, words: &str, replies: usize) -> Result<(), Fault> {
        self.stream.write_all(words.as_bytes())?;
        self.replies(replies)
    }

    fn replies(&mut self, mut count: usize) -> Result<(), Fault> {
        let mut line = String::new();
        while count > 0 {
            line.clear();
            if self.lines.read_line(&mut line)? == 0 || !line.starts_with(['2', '3']) {
                return Err(format!("the mail server says {line:?}").into());
            }
            // A hyphen announces further lines of the same reply.
            count -= usize::from(line.as_bytes().get(3) != Some(&b'-'));
        }
        Ok(())
    }
}
