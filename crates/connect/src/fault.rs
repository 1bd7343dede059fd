//! Errors of remote services, grouped by cause: the cause decides whether to retry, to notify the owner of the account,
//! or to give up on the address.

use std::fmt;
use std::time::Duration;

use crate::guard::{Denied, Forbidden};

/// Why a call failed. It had no effect at the remote side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The caller's `may_commit` refused at the last moment; nothing was sent.
    Refused,
    /// The remote side asks to try again later.
    Temporary { text: String, retry_after: Option<Duration> },
    /// The address, profile or number does not exist or accepts no messages.
    Recipient(String),
    /// The account is not permitted: wrong password, quota, policy, refused sender.
    Sender(String),
    /// There is no OAuth token for the account. The reason is for everybody, the text quotes the token server.
    Token { reason: &'static str, text: String },
    /// The account is asked to send later or less. Other messages would get the same answer.
    Throttled(String),
    /// This message is refused, by its content, its size or a policy about it. Others may pass.
    Message(String),
    /// The server did not answer, or its answer was not understood.
    Unreached(String),
    /// No connection was made: the target is not allowed, or (`may_pass`) its name does not resolve now.
    Forbidden { what: Forbidden, may_pass: bool },
}

impl From<&Denied> for Fault {
    fn from(denied: &Denied) -> Fault {
        match denied {
            Denied::Forbidden(what) => Fault::Forbidden { what: *what, may_pass: false },
            Denied::Unresolved(what, _) => Fault::Forbidden { what: *what, may_pass: true },
        }
    }
}

impl From<Forbidden> for Fault {
    fn from(what: Forbidden) -> Fault {
        Fault::Forbidden { what, may_pass: false }
    }
}

impl Fault {
    pub fn temporary(text: impl Into<String>) -> Fault {
        Fault::Temporary { text: text.into(), retry_after: None }
    }

    /// Whether a retry may succeed.
    pub fn may_pass(&self) -> bool {
        match self {
            Fault::Temporary { .. } | Fault::Throttled(_) | Fault::Unreached(_) => true,
            Fault::Forbidden { may_pass, .. } => *may_pass,
            Fault::Refused | Fault::Recipient(_) | Fault::Sender(_) | Fault::Token { .. } | Fault::Message(_) => false,
        }
    }

    /// The kind of error without any text of the remote side, for people who may not read its answers. The status code
    /// of the answer is included.
    pub fn general(&self) -> String {
        let kind = match self {
            Fault::Refused | Fault::Forbidden { .. } => return self.to_string(),
            Fault::Token { reason, .. } => return (*reason).to_owned(),
            Fault::Temporary { .. } => "the server asks to try again later",
            Fault::Throttled(_) => "the server limits what the account may send: a quota or a rate",
            Fault::Message(_) => "the server refused the message",
            Fault::Recipient(_) => "the server refused the recipient or the request",
            Fault::Sender(_) => {
                "the server refused the sign-in or the account; check the user, the password or token, tls=, and what it may send"
            }
            Fault::Unreached(_) => "could not connect, or the server did not answer as expected",
        };
        match self.code() {
            Some(code @ 300..400) => format!("the server redirects to another address, which is not followed ({code})"),
            Some(code) => format!("{kind} ({code})"),
            None => kind.to_owned(),
        }
    }

    /// The status code of the answer.
    pub fn code(&self) -> Option<u16> {
        match self {
            Fault::Temporary { text, .. }
            | Fault::Recipient(text)
            | Fault::Sender(text)
            | Fault::Throttled(text)
            | Fault::Message(text)
            | Fault::Unreached(text) => {
                let code = text.split([':', ' ']).next().filter(|code| code.len() == 3);
                code.and_then(|code| code.parse().ok())
            }
            Fault::Refused | Fault::Token { .. } | Fault::Forbidden { .. } => None,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Refused => f.write_str("it was called back before it was handed over"),
            Fault::Forbidden { what, .. } => what.fmt(f),
            Fault::Token { reason, text } => write!(f, "{reason} ({text})"),
            Fault::Temporary { text, .. }
            | Fault::Recipient(text)
            | Fault::Sender(text)
            | Fault::Throttled(text)
            | Fault::Message(text)
            | Fault::Unreached(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Fault {}

/// Why a message is not known to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SendError {
    /// It was certainly not sent.
    NotSent(Fault),
    /// The connection was lost, or the answer timed out, after the command that sends the message: it may have been
    /// sent.
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
