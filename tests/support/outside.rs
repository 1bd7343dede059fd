//! External services: mail servers, mailboxes, a network and a chat whose behaviour a script defines.

use std::net::{IpAddr, Ipv4Addr};

use sandbox::{Received, Sandbox, Script};
use tokio::runtime::Runtime;

use super::{World, text};

pub(crate) struct Outside {
    pub sandbox: Sandbox,
    _runtime: Runtime,
}

impl Outside {
    /// Starts a sandbox with this script (TOML).
    pub(crate) fn new(script: &str) -> Outside {
        let script = Script::parse(script).unwrap_or_else(|error| panic!("{error}"));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.unwrap_or_else(|error| panic!("no runtime: {error}"));
        let sandbox = runtime.block_on(sandbox::start(IpAddr::V4(Ipv4Addr::LOCALHOST), script));
        Outside { sandbox: sandbox.unwrap_or_else(|error| panic!("no sandbox: {error}")), _runtime: runtime }
    }

    /// Replaces the script.
    pub(crate) fn play(&self, script: &str) {
        self.sandbox.play(Script::parse(script).unwrap_or_else(|error| panic!("{error}")));
    }

    pub(crate) fn smtp(&self, address: &str) -> String {
        self.sandbox.login(&self.sandbox.smtp, address)
    }

    pub(crate) fn imap(&self, address: &str) -> String {
        self.sandbox.login(&self.sandbox.imap, address)
    }

    /// Connects an email account that sends and receives; returns its id.
    #[track_caller]
    pub(crate) fn mailbox(&self, world: &World, address: &str, more: &[&str]) -> String {
        let (smtp, imap) = (self.smtp(address), self.imap(address));
        let add = ["accounts", "add", "--provider", "email", "--name", "Ann Sender", "--address", address];
        let reach = ["--smtp", &smtp, "--imap", &imap];
        world.run(&[&add[..], &reach, more].concat()).ok().to_owned()
    }

    /// Connects an account of the professional network or the chat.
    #[track_caller]
    pub(crate) fn provider(&self, world: &World, provider: &str) -> String {
        let url = if provider == "chat" { &self.sandbox.chat } else { &self.sandbox.network };
        let add = ["accounts", "add", "--provider", provider, "--name", "Ann", "--url", url, "--token"];
        world.run(&[&add[..], &[&self.sandbox.token]].concat()).ok().to_owned()
    }

    /// Adds a `json` email finder with this name, on both sides; returns its id.
    #[track_caller]
    pub(crate) fn finder(&self, world: &World, name: &str, more: &[&str]) -> String {
        let url = format!(
            "{}/{name}/find?first_name={{first_name}}&last_name={{last_name}}&company={{company}}",
            self.sandbox.enrichment
        );
        let key = format!("X-API-Key: {}", self.sandbox.token);
        let add = ["enrichment", "add", "--name", name, "--kind", "json", "--url", &url, "--header", &key];
        let paths = ["--email-path", "emails.*.address", "--phone-path", "phones", "--name-path", "name"];
        let sure = ["--confidence-path", "emails.*.score", "--verified-path", "emails.*.status"];
        world.run(&[&add[..], &paths, &sure, more].concat()).ok().to_owned()
    }

    /// How many requests a finder received.
    pub(crate) fn asked(&self, finder: &str) -> usize {
        self.sandbox.asked().iter().filter(|asked| asked.finder == finder).count()
    }

    /// The mails to this address.
    pub(crate) fn to(&self, address: &str) -> Vec<Received> {
        let mut received = self.sandbox.received();
        received.retain(|mail| mail.to.iter().any(|to| to == address));
        received
    }

    /// Puts a mail into the inbox of an address.
    pub(crate) fn deliver(&self, address: &str, mail: &str) -> u32 {
        let mail = mail.replace('\n', "\r\n");
        let uid = self.sandbox.put(address, "INBOX", mail.as_bytes());
        uid.unwrap_or_else(|| panic!("{address} has no inbox"))
    }
}

/// A received mail as lines.
pub(crate) fn lines(mail: &Received) -> String {
    String::from_utf8_lossy(&mail.content).replace("\r\n", "\n")
}

/// Creates a contact with this address.
#[track_caller]
pub(crate) fn contact(key: &super::Client, name: &str, email: &str) -> String {
    text(&key.post("/contacts", serde_json::json!({ "first_name": name, "email": email })).created()["id"])
}
