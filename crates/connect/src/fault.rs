//! What can go wrong with the outside, told apart by whose fault it is: that decides whether to try again, to tell the
//! owner of the account, or to give up on the address.

use std::fmt;
use std::time::Duration;

/// Why something was not done. Nothing has happened at the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Whoever asked said no at the last moment; nothing was handed over.
    Refused,
    /// The other side asks to come back later.
    Temporary { text: String, retry_after: Option<Duration> },
    /// The address, profile or number does not exist or takes nothing.
    Recipient(String),
    /// The account may not: wrong password, quota, policy, sender refused, or the message itself is not taken.
    Sender(String),
    /// Nobody answered, or not in a way that can be understood.
    Unreached(String),
}

impl Fault {
    pub fn temporary(text: impl Into<String>) -> Fault {
        Fault::Temporary { text: text.into(), retry_after: None }
    }

    /// Trying the same again may work.
    pub fn may_pass(&self) -> bool {
        matches!(self, Fault::Temporary { .. } | Fault::Unreached(_))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Refused => f.write_str("it was called back before it was handed over"),
            Fault::Temporary { text, .. } | Fault::Recipient(text) | Fault::Sender(text) | Fault::Unreached(text) => {
                f.write_str(text)
            }
        }
    }
}

impl std::error::Error for Fault {}

/// Why a message is not known to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendError {
    /// It was not sent, for certain.
    NotSent(Fault),
    /// The connection was lost, or nobody answered, after the command that sends it: it may have been sent.
    Unknown(String),
}

impl From<Fault> for SendError {
    fn from(fault: Fault) -> SendError {
        SendError::NotSent(fault)
    }
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SendError::NotSent(fault) => fault.fmt(f),
            SendError::Unknown(text) => write!(f, "it may or may not have been sent: {text}"),
        }
    }
}

impl std::error::Error for SendError {}
