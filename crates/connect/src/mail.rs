//! Composing mails (`compose`), reading them (`read`), classifying them (`Kind`), and making their HTML safe to show.

mod absence;
pub(crate) mod address;
mod compose;
mod kind;
mod part;
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
    /// By which the HTML of the mail shows an image, without angle brackets.
    pub content_id: Option<String>,
    /// Transferred separately: see [`wire`].
    #[serde(skip)]
    pub content: Vec<u8>,
}

/// A parsed mail. All of its content is untrusted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Mail {
    /// Without angle brackets, like all ids here.
    pub message_id: Option<String>,
    pub in_reply_to: Vec<String>,
    pub references: Vec<String>,
    pub from: Option<Address>,
    pub reply_to: Option<Address>,
    pub to: Vec<Address>,
    pub cc: Vec<Address>,
    pub subject: String,
    /// Milliseconds since 1970, by the sender's clock.
    pub date: Option<i64>,
    /// The text part, or the HTML one as text.
    pub text: String,
    /// Sanitized: safe to show.
    pub html: Option<String>,
    pub attachments: Vec<Attachment>,
    pub kind: Kind,
    /// It came through a mailing list.
    pub from_list: bool,
    /// Why parts of the mail are missing here, if any are.
    pub omitted: Option<String>,
}

/// The classification of a mail.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Kind {
    /// Written by a person, or nothing says otherwise.
    #[default]
    Human,
    /// An automatic answer: a ticket system, a confirmation.
    AutoReply { until: Option<Date> },
    /// An automatic answer that a person is away.
    OutOfOffice { until: Option<Date> },
    /// A mail was returned.
    Bounce(Bounce),
    /// A recipient reported a mail as spam (RFC 5965).
    Complaint(Complaint),
    /// A mail was delivered, relayed, read, or is delayed: nothing to do.
    Notice { delayed: bool, recipients: Vec<String>, original_message_id: Option<String> },
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounce {
    /// The address is invalid. Otherwise a later attempt may succeed, or the fault is the sender's.
    pub hard: bool,
    /// The sender, its server or the mail was refused; the address may be valid.
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
