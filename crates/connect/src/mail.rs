//! Mails as bytes: made (`compose`) and read (`read`), with what each is (`Kind`), and HTML made safe to show.

mod absence;
mod compose;
mod kind;
mod read;
mod report;
pub mod verdict;
pub mod wire;

pub use compose::{Draft, Problem, compose};
pub use read::{read, read_headers};

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    pub name: Option<String>,
    pub address: String,
}

impl Address {
    pub fn new(address: impl Into<String>) -> Address {
        Address { name: None, address: address.into() }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    pub filename: String,
    pub content_type: String,
    /// Sent beside the rest: see [`wire`].
    #[serde(skip)]
    pub content: Vec<u8>,
}

/// A mail that was read. Nothing in it is believed: it came from a stranger.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mail {
    /// Without angle brackets, as all ids here.
    pub message_id: Option<String>,
    pub in_reply_to: Vec<String>,
    pub references: Vec<String>,
    pub from: Option<Address>,
    pub reply_to: Option<Address>,
    pub to: Vec<Address>,
    pub cc: Vec<Address>,
    pub subject: String,
    /// Milliseconds since 1970, as the sender wrote it.
    pub date: Option<i64>,
    /// The text part, or the HTML one as text.
    pub text: String,
    /// Safe to show.
    pub html: Option<String>,
    pub attachments: Vec<Attachment>,
    pub kind: Kind,
    /// Why parts of it are missing here, if any are.
    pub omitted: Option<String>,
}

/// What a mail is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Kind {
    /// Somebody wrote it, or nothing says otherwise.
    #[default]
    Human,
    /// A machine answered: a ticket system, a confirmation.
    AutoReply { until: Option<Date> },
    /// A machine answered that somebody is away.
    OutOfOffice { until: Option<Date> },
    /// A mail came back.
    Bounce(Bounce),
    /// Somebody called a mail spam (RFC 5965).
    Complaint(Complaint),
    /// A mail was delivered, relayed, read, or waits: nothing to do.
    Notice { delayed: bool, recipients: Vec<String>, original_message_id: Option<String> },
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounce {
    /// The address is no good. Otherwise it may work later, or it is the sender's fault.
    pub hard: bool,
    /// The sender, its server or the mail was not wanted; the address may well be good.
    pub sender_fault: bool,
    pub recipients: Vec<String>,
    pub original_message_id: Option<String>,
    /// Such as 5.1.1.
    pub status: Option<String>,
    pub diagnostic: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Complaint {
    pub recipients: Vec<String>,
    pub original_message_id: Option<String>,
    /// Such as abuse, fraud, not-spam.
    pub feedback: Option<String>,
}
