//! Decides whose fault a refusal is: by its codes (RFC 3463, RFC 5321) and, if these are not conclusive, by its text.

/// Whose fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A later attempt may succeed.
    Temporary,
    /// The address does not exist or accepts no mail.
    Recipient,
    /// The sender, its server or the mail itself was refused: the address may be valid.
    Sender,
}

/// The command that was refused, which decides if codes and text do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    OfSender,
    OfRecipient,
    OfMessage,
}

/// An enhanced status code, such as 5.1.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(pub u8, pub u16, pub u16);

impl Status {
    pub fn parse(text: &str) -> Option<Status> {
        let mut numbers = text.split('.');
        let mut next = || {
            let number = numbers.next()?;
            (!number.is_empty() && number.len() <= 3 && number.bytes().all(|byte| byte.is_ascii_digit()))
                .then(|| number.parse::<u16>().ok())?
        };
        let (class, subject, detail) = (next()?, next()?, next()?);
        (numbers.next().is_none() && matches!(class, 2 | 4 | 5)).then_some(Status(class as u8, subject, detail))
    }

    /// The first status code that is a separate word of a text.
    pub fn find(text: &str) -> Option<Status> {
        text.split(|letter: char| letter.is_whitespace() || "()[]{}<>,;:=#-\"".contains(letter))
            .find_map(|word| Status::parse(word.trim_end_matches('.')))
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// The verdict on an SMTP reply.
pub fn of_reply(code: u16, text: &str, said: Said) -> Verdict {
    if code < 500 {
        return Verdict::Temporary;
    }
    let status = text.split_whitespace().nth(1).and_then(Status::parse).filter(|status| status.0 == 5);
    of(Some(code), status, text, said)
}

/// The verdict on a refusal. An unclear one counts as temporary: a retry costs less than giving up a valid address.
pub fn of(code: Option<u16>, status: Option<Status>, text: &str, said: Said) -> Verdict {
    let text = text.to_lowercase();
    let holds = |words: &[&str]| words.iter().any(|word| text.contains(word));
    match status {
        // Some servers report a missing domain as temporary.
        Some(Status(4, ..)) if holds(&["nxdomain", "domain name not found"]) => return Verdict::Recipient,
        Some(Status(4, ..)) => return Verdict::Temporary,
        // A full mailbox is temporary: the owner can empty it.
        Some(Status(5, 2, 2)) => return Verdict::Temporary,
        // Sender's address, sender's system, sender's domain.
        Some(Status(5, 1, 7..=9)) => return Verdict::Sender,
        Some(Status(5, 1, 1..=6 | 10)) | Some(Status(5, 4, 1 | 4)) | Some(Status(5, 7, 13)) => {
            return Verdict::Recipient;
        }
        Some(Status(5, 2, 1)) if !holds(PASSING) => return Verdict::Recipient,
        // The mail is too large, or of a type that the server does not accept.
        Some(Status(5, 2 | 3, 3 | 4)) | Some(Status(5, 6, _)) => return Verdict::Sender,
        _ => {}
    }
    if holds(FULL) {
        return Verdict::Temporary;
    }
    if holds(UNKNOWN) {
        return Verdict::Recipient;
    }
    if holds(PASSING) {
        return Verdict::Temporary;
    }
    if matches!(status, Some(Status(5, 7, _))) || holds(UNWANTED) {
        return Verdict::Sender;
    }
    match (code, said) {
        (_, Said::OfSender) | (_, Said::OfMessage) => Verdict::Sender,
        (Some(550 | 551 | 553), Said::OfRecipient) => Verdict::Recipient,
        (Some(500..=504 | 530..=538), _) => Verdict::Sender,
        (_, Said::OfRecipient) => Verdict::Temporary,
    }
}

/// Phrases of temporary errors.
const PASSING: &[&str] = &[
    "temporar",
    "try again",
    "try later",
    "timed out",
    "time-out",
    "expired",
    "deferred",
    "connection refused",
    "currently unavailable",
    "not reachable",
    "lock failure",
    "internal error",
    "internal system error",
    "receiving mail at a rate",
    "hop count",
    "too many hops",
    "routing loop",
];

const FULL: &[&str] = &[
    "mailbox full",
    "mailbox is full",
    "inbox is full",
    "over quota",
    "overquota",
    "out of storage space",
    "quota exceeded (mailbox",
    "exceeded storage",
    "insufficient system storage",
    "disk quota",
    "mailfolder is full",
    "exceeds allowed size",
    "mailbox quota",
    "メールボックスが一杯",
];

const UNKNOWN: &[&str] = &[
    "user unknown",
    "unknown user",
    "unknown recipient",
    "recipient unknown",
    "no such user",
    "no such recipient",
    "no such mailbox",
    "no mailbox here",
    "unknown address",
    "unknown mailbox",
    "unknown local part",
    "user not found",
    "recipient not found",
    "recipientnotfound",
    "mailbox not found",
    "address not found",
    "does not exist",
    "doesn't exist",
    "doesn't have a",
    "not a valid recipient",
    "invalid recipient",
    "invalid mailbox",
    "account is disabled",
    "account has been disabled",
    "account disabled",
    "account is inactive",
    "mailbox disabled",
    "mailbox unavailable",
    "no longer available",
    "no longer works",
    "no longer with",
    "recipient address rejected: undeliverable",
    "not our customer",
    "host not found",
    "host or domain name not found",
    "domain not found",
    "domain name not found",
    "nxdomain",
    "no such domain",
    "host unknown",
    "unrouteable address",
    "unroutable address",
    "null mx",
    "does not accept mail",
    "user not exist",
    "not our user",
    "not listed in",
    "mailbox is frozen",
    "no longer on server",
    "disabled recipient",
    "recipient account is blocked",
    "adresse destinataire invalide",
    "invalid domain",
    "mail exchanger",
    "couldn't find any host",
    "wasn't found",
    "couldn't be found",
    "name is not recognized",
    "no mx record",
    "no smtp service",
    "was not found",
    "could not be found",
    "can't be found",
    "cannot be found",
    "unbekannt",
    "不存在",
    "見つかりません",
];

const UNWANTED: &[&str] = &[
    "spam",
    "blocked",
    "blacklist",
    "blocklist",
    "black list",
    "block list",
    "is listed",
    "listed at",
    "listed in",
    "listed on",
    "banned",
    "reverse dns",
    "rdns",
    "ptr record",
    "mismatches client ip",
    "reputation",
    "policy",
    "spf",
    "dkim",
    "dmarc",
    "relay",
    "authentication",
    "not authenticated",
    "authorized",
    "authorised",
    "access denied",
    "permission",
    "too many",
    "rate limit",
    "sending limit",
    "quota",
    "virus",
    "content rejected",
    "message rejected",
    "unsolicited",
    "sender",
    "too large",
    "message size",
];
