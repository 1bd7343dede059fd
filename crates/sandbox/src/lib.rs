//! Stand-ins for the services that Relata talks to, for tests and trials: a mail server with a mailbox for every address,
//! a professional network, a chat, address finders and an authorization server. All speak the real protocols over real sockets. A script says who
//! replies, bounces or accepts. Nothing leaves the machine.

mod accept;
mod answers;
mod clock;
mod control;
mod finders;
mod grants;
mod http;
mod imap;
mod mailbox;
mod network;
mod oauth;
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
pub use state::{Asked, ProviderSend, Received};

/// A running sandbox. Dropping it stops its services.
pub struct Sandbox {
    /// Addresses with a login. Any other login works, too; its user is the owner of the mailbox.
    pub smtp: String,
    pub imap: String,
    /// The same with implicit TLS and `certificate`.
    pub smtp_tls: String,
    pub imap_tls: String,
    pub network: String,
    pub chat: String,
    /// Address finders: `{enrichment}/any-name` is one.
    pub enrichment: String,
    /// The authorization server: `{oauth}/authorize`, `{oauth}/token` and `{oauth}/userinfo`.
    pub oauth: String,
    /// The token for network, chat and finders.
    pub token: String,
    pub control: String,
    /// The certificate of the TLS ports, as PEM.
    pub certificate: String,
    shared: Arc<Shared>,
    _tasks: JoinSet<()>,
}

/// Starts a sandbox on free ports of this address.
pub async fn start(listen: IpAddr, script: Script) -> io::Result<Sandbox> {
    let (acceptor, certificate) = tls::acceptor(listen)?;
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
                // A client may disconnect at any time, so the error is ignored.
                let _ = match protocol {
                    "smtp" => smtp::serve_client(shared, stream, acceptor).await,
                    _ => imap::serve_client(shared, stream, acceptor).await,
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
    let (listener, address) = bound().await?;
    let oauth = format!("http://{address}");
    tasks.spawn(http::serve(listener, oauth::router(shared.clone())));
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
        oauth,
        token,
        control,
        certificate,
        shared,
        _tasks: tasks,
    })
}

impl Sandbox {
    /// The address of a service with another user: `sandbox.login(&sandbox.imap, "ann@example.com")`.
    pub fn login(&self, url: &str, user: &str) -> String {
        let user = percent_encoding::utf8_percent_encode(user, percent_encoding::NON_ALPHANUMERIC).to_string();
        url.replacen("sandbox:sandbox@", &format!("{user}:sandbox@"), 1)
    }

    /// Every accepted mail, in order.
    pub fn received(&self) -> Vec<Received> {
        self.shared.state().received.clone()
    }

    /// The number of accepted mails.
    pub fn accepted(&self) -> usize {
        self.shared.state().received.len()
    }

    /// How often a mail with this Message-ID was accepted.
    pub fn count(&self, message_id: &str) -> u32 {
        self.shared.state().counts.get(message_id).copied().unwrap_or(0)
    }

    /// Message-IDs that were accepted more than once.
    pub fn duplicates(&self) -> Vec<String> {
        self.shared.state().counts.iter().filter(|(_, count)| **count > 1).map(|(id, _)| id.clone()).collect()
    }

    /// Visits, invitations and messages that the network and the chat accepted, in order.
    pub fn sends(&self) -> Vec<ProviderSend> {
        self.shared.state().sends.clone()
    }

    /// The questions to the address finders, in order.
    pub fn asked(&self) -> Vec<Asked> {
        self.shared.state().asked.clone()
    }

    /// Puts a mail into a folder as if it had arrived. Returns its UID.
    pub fn put(&self, address: &str, folder: &str, mail: &[u8]) -> Option<u32> {
        self.shared.put(address, folder, mail.to_vec().into())
    }

    /// The mails in a folder, with their flags.
    pub fn folder(&self, address: &str, folder: &str) -> Vec<(Vec<u8>, Vec<String>)> {
        let mut state = self.shared.state();
        let mails = state.mailboxes.folder(address, folder).map(|folder| &folder.mails[..]).unwrap_or_default();
        mails.iter().map(|mail| (mail.content.to_vec(), mail.flags.clone())).collect()
    }

    /// Removes a mail from a folder.
    pub fn remove(&self, address: &str, folder: &str, uid: u32) -> bool {
        self.shared.remove(address, folder, uid)
    }

    /// Gives a folder a new UIDVALIDITY and its mails new UIDs.
    pub fn renumber(&self, address: &str, folder: &str) -> bool {
        self.shared.renumber(address, folder)
    }

    /// Revokes the permission of a user, with all tokens.
    pub fn revoke(&self, user: &str) {
        self.shared.state().oauth.revoke(user);
    }

    /// Refuses to renew the tokens of a user. Access tokens stay valid.
    pub fn refuse_renewals(&self, user: &str) {
        self.shared.state().oauth.refuse_renewals(user);
    }

    /// Makes the access tokens of a user void. They can be renewed.
    pub fn expire_tokens(&self, user: &str) {
        self.shared.state().oauth.expire(user);
    }

    /// A refresh token for a user, as if the user had given the permission.
    pub fn permit(&self, user: &str) -> String {
        let token = format!("refresh-{}", self.shared.name());
        self.shared.state().oauth.permit(user, token.clone());
        token
    }

    /// How often tokens were renewed, or were to be.
    pub fn renewals(&self) -> u32 {
        self.shared.state().oauth.renewals
    }

    /// Replaces the script.
    pub fn play(&self, script: Script) {
        self.shared.play(script);
    }

    /// Clears mailboxes, sends, questions and events.
    pub fn reset(&self) {
        self.shared.reset();
    }
}
