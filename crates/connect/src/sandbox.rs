//! A small outside world to work and test in: a mail server that takes everything and remembers it, a mailbox for every
//! address, a professional network and a chat with people in them, and finders of addresses, all over real sockets and
//! the real protocols, and a script that says who answers, bounces and accepts. Nothing in it leaves the machine.

mod answers;
mod clock;
mod control;
mod door;
mod finders;
mod http;
mod imap;
mod mailbox;
mod network;
mod people;
mod script;
mod smtp;
mod state;
mod tls;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::task::JoinSet;

use script::Channel;
pub use script::{Invalid, Script};
use state::Shared;
pub use state::{Asked, Handed, Received};

/// A world that runs until it is dropped.
pub struct Sandbox {
    /// With a login that works; any other does, too. The user is whose mailbox it is.
    pub smtp: String,
    pub imap: String,
    /// The same under TLS from the first byte on, with `certificate`.
    pub smtp_tls: String,
    pub imap_tls: String,
    pub network: String,
    pub chat: String,
    /// Finders of addresses: `{enrichment}/any-name` is one.
    pub enrichment: String,
    /// Opens network, chat and finders.
    pub token: String,
    pub control: String,
    /// What TLS is trusted by, as PEM.
    pub certificate: String,
    shared: Arc<Shared>,
    _tasks: JoinSet<()>,
}

/// Starts a world on free ports of this address.
pub async fn start(listen: IpAddr, script: Script) -> io::Result<Sandbox> {
    let (acceptor, certificate) = tls::made(listen)?;
    let shared = Arc::new(Shared::new(script, certificate.clone()));
    let mut tasks = JoinSet::new();
    let bound = async || -> io::Result<(TcpListener, SocketAddr)> {
        let listener = TcpListener::bind((listen, 0)).await?;
        let address = listener.local_addr()?;
        Ok((listener, address))
    };
    let mut mail = Vec::new();
    for (protocol, secured) in [("smtp", false), ("imap", false), ("smtp", true), ("imap", true)] {
        let (listener, address) = bound().await?;
        let tls = if secured { "tls" } else { "none" };
        mail.push(format!("{protocol}://sandbox:sandbox@{address}?tls={tls}"));
        let (shared, acceptor) = (shared.clone(), acceptor.clone());
        tasks.spawn(tls::serve(listener, acceptor, secured, move |stream, acceptor| {
            let shared = shared.clone();
            async move {
                // A client that goes away in the middle is nothing to speak of.
                let _ = match protocol {
                    "smtp" => smtp::converse(shared, stream, acceptor).await,
                    _ => imap::converse(shared, stream, acceptor).await,
                };
            }
        }));
    }
    let mut urls = Vec::new();
    for channel in [Some(Channel::Network), Some(Channel::Chat), Some(Channel::Enrichment), None] {
        let (listener, address) = bound().await?;
        urls.push(format!("http://{address}"));
        let router = match channel {
            Some(Channel::Enrichment) => finders::router(shared.clone()),
            Some(channel) => network::router(shared.clone(), channel),
            None => control::router(shared.clone()),
        };
        tasks.spawn(http::serve(listener, router));
    }
    let token = shared.script().token.clone();
    let [smtp, imap, smtp_tls, imap_tls] =
        <[String; 4]>::try_from(mail).map_err(|_| io::Error::other("four servers"))?;
    let [network, chat, enrichment, control] =
        <[String; 4]>::try_from(urls).map_err(|_| io::Error::other("four services"))?;
    Ok(Sandbox {
        smtp,
        imap,
        smtp_tls,
        imap_tls,
        network,
        chat,
        enrichment,
        token,
        control,
        certificate,
        shared,
        _tasks: tasks,
    })
}

impl Sandbox {
    /// The address of a service with another login: `sandbox.login(&sandbox.imap, "ann@example.com")`.
    pub fn login(&self, url: &str, user: &str) -> String {
        let user = percent_encoding::utf8_percent_encode(user, percent_encoding::NON_ALPHANUMERIC).to_string();
        url.replacen("sandbox:sandbox@", &format!("{user}:sandbox@"), 1)
    }

    /// Every mail that was taken, in order.
    pub fn received(&self) -> Vec<Received> {
        self.shared.state().received.clone()
    }

    /// How many mails were taken.
    pub fn accepted(&self) -> usize {
        self.shared.state().received.len()
    }

    /// How often a mail of this Message-ID was taken.
    pub fn count(&self, message_id: &str) -> u32 {
        self.shared.state().counts.get(message_id).copied().unwrap_or(0)
    }

    /// Message-IDs that were taken more than once.
    pub fn duplicates(&self) -> Vec<String> {
        self.shared.state().counts.iter().filter(|(_, count)| **count > 1).map(|(id, _)| id.clone()).collect()
    }

    /// Visits, invitations and messages that the network and the chat took, in order.
    pub fn handed(&self) -> Vec<Handed> {
        self.shared.state().handed.clone()
    }

    /// What the finders of addresses were asked, in order.
    pub fn asked(&self) -> Vec<Asked> {
        self.shared.state().asked.clone()
    }

    /// Puts a mail into a folder, as if it had come; gives its UID.
    pub fn put(&self, address: &str, folder: &str, mail: &[u8]) -> Option<u32> {
        self.shared.put(address, folder, mail.to_vec().into())
    }

    /// Takes a mail out of a folder.
    pub fn remove(&self, address: &str, folder: &str, uid: u32) -> bool {
        self.shared.remove(address, folder, uid)
    }

    /// Makes all UIDs of a folder mean something else.
    pub fn renumber(&self, address: &str, folder: &str) -> bool {
        self.shared.renumber(address, folder)
    }

    /// Other rules from now on.
    pub fn play(&self, script: Script) {
        self.shared.play(script);
    }

    /// Forgets all that has happened.
    pub fn reset(&self) {
        self.shared.reset();
    }
}
