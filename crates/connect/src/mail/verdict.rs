//! Decides whose fault a refusal is: by its codes (RFC 3463, RFC 5321) and, if these are not conclusive, by its text.

/// Whose fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A later attempt may succeed.
    Temporary,
    /// The address does not exist or accepts no mail.
    Recipient,
    /// The sender was refused: the account, its limits, its domain or its server. Other mails would be refused, too.
    Sender,
    /// The account may send nothing now: a quota, a rate, too many connections. Other mails would be refused, too.
    Limit,
    /// This mail was refused: its content, its size, or a policy about it. Address and account may be fine.
    Message,
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
    let status = text.split_whitespace().nth(1).and_then(Status::parse);
    if code < 500 {
        let is_limit = said == Said::OfSender || code == 421 || is_limit(status, &words(text));
        return if is_limit { Verdict::Limit } else { Verdict::Temporary };
    }
    of(Some(code), status.filter(|status| status.0 == 5), text, said)
}

/// The verdict on a refusal. An unclear one counts as temporary: a retry costs less than giving up a valid address.
pub fn of(code: Option<u16>, status: Option<Status>, text: &str, said: Said) -> Verdict {
    let text = words(text);
    let holds = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if matches!(status, Some(Status(5, 4, 5))) || status.is_none_or(|status| status.0 == 5) && is_limit(status, &text) {
        return Verdict::Limit;
    }
    // No recipient has been named yet, the server asks for a sign-in, or it says what it refuses.
    let is_permanent = status.is_none_or(|status| status.0 == 5);
    if said == Said::OfSender || matches!(code, Some(530..=538)) || is_permanent && holds(REFUSED_SENDER) {
        return Verdict::Sender;
    }
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
        // Credentials, missing authentication of the domain, a blocked tenant or address of the sender.
        Some(Status(5, 7, 8 | 9 | 14 | 20..=30 | 57 | 60 | 139 | 500..=799)) => return Verdict::Sender,
        // The mail is too large, or of a type that the server does not accept.
        Some(Status(5, 2 | 3, 3 | 4)) | Some(Status(5, 6, _)) => return Verdict::Message,
        // A policy: about the account, or else about this mail.
        Some(Status(5, 7, _)) if holds(ABOUT_SENDER) || holds(&["account"]) => return Verdict::Sender,
        Some(Status(5, 7, _)) if !holds(UNKNOWN) && !holds(FULL) && !holds(PASSING) => return Verdict::Message,
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
    if holds(ABOUT_SENDER) {
        return Verdict::Sender;
    }
    if holds(UNWANTED) {
        return Verdict::Message;
    }
    match (code, said) {
        (_, Said::OfSender) => Verdict::Sender,
        (_, Said::OfMessage) => Verdict::Message,
        (Some(550 | 551 | 553), Said::OfRecipient) => Verdict::Recipient,
        (Some(500..=504), _) => Verdict::Sender,
        (_, Said::OfRecipient) => Verdict::Temporary,
    }
}

/// The text in lower case without the addresses that it quotes in angle brackets: their words are not the server's.
fn words(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        let quoted = after.split_once('>').filter(|(quoted, _)| quoted.contains('@') && !quoted.contains(['<', ' ']));
        words.push_str(before);
        words.push('<');
        rest = quoted.map_or(after, |(quoted, _)| &after[quoted.len()..]);
    }
    words.push_str(rest);
    words.to_lowercase()
}

/// What Postfix refuses besides recipients. It says so when the recipient is named, and the reason that follows may be
/// that of an unknown recipient.
const REFUSED_SENDER: &[&str] = &["sender address rejected", "client host rejected", "helo command rejected"];

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
    "recipient address rejected: need fully-qualified address",
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

/// Whether the text is about a limit on what the account may send, not about the recipient's mailbox.
fn is_limit(status: Option<Status>, text: &str) -> bool {
    let holds = |words: &[&str]| words.iter().any(|word| text.contains(word));
    // 4.2.2 and 5.2.2: the recipient's mailbox is full.
    let is_full = matches!(status, Some(Status(_, 2, 2)));
    holds(LIMIT)
        && !is_full
        && !holds(FULL)
        && !holds(&["receiving mail at a rate", "recipient has", "recipient's", "user you are"])
}

const LIMIT: &[&str] = &[
    "limit exceeded",
    "exceeded the limit",
    "exceeded your",
    "sending limit",
    "sending quota",
    "sending rate",
    "rate limit",
    "ratelimit",
    "daily limit",
    "hourly limit",
    "reached your",
    "unusual rate",
    "quotaexceeded",
    "message limit",
    "messages per",
    "mails per",
    "quota exceeded",
    "exceeded quota",
    "too many messages",
    "too many mails",
    "too much mail",
    "too many recipients from",
    "too many connections",
    "too many concurrent",
    "too many login",
    "throttl",
];

/// Phrases about the account, its domain or its server.
const ABOUT_SENDER: &[&str] = &[
    "authentication",
    "not authenticated",
    "log in",
    "login",
    "sign in",
    "authorized",
    "authorised",
    "permission",
    "relay",
    "send as",
    "sendas",
    "sender",
    "tenant",
    "your account",
    "your ip",
    "this ip",
    "client host",
    "blocked using",
    "dnsbl",
    "blacklist",
    "blocklist",
    "black list",
    "block list",
    "is listed",
    "listed at",
    "listed in",
    "listed on",
    "reverse dns",
    "rdns",
    "ptr record",
    "mismatches client ip",
    "reputation",
    "spf",
    "dkim",
    "dmarc",
];

/// Phrases about the mail itself.
const UNWANTED: &[&str] = &[
    "spam",
    "blocked",
    "banned",
    "policy",
    "access denied",
    "too many",
    "quota",
    "virus",
    "content rejected",
    "message rejected",
    "unsolicited",
    "too large",
    "message size",
];

#[cfg(test)]
mod tests {
    use super::*;
    use Said::{OfMessage, OfRecipient, OfSender};
    use Verdict::{Limit, Message, Recipient, Sender, Temporary};

    #[test]
    fn addresses_are_left_out() {
        for (text, left) in [
            ("550 <A@b>: No", "550 <>: no"),
            ("<a@b> and <c@d>", "<> and <>"),
            ("<a b@c> <[192.0.2.1]> 1 < 2", "<a b@c> <[192.0.2.1]> 1 < 2"),
            ("<<a@b>> <a@b", "<<>> <a@b"),
        ] {
            assert_eq!(words(text), left);
        }
    }

    #[test]
    fn answers_of_servers_say_whose_fault_it_is() {
        let answers: &[(u16, &str, Said, Verdict)] = &[
            (550, "550 5.4.5 Daily user sending limit exceeded", OfRecipient, Limit),
            (550, "550 5.4.5 Daily SMTP relay limit exceeded for user", OfMessage, Limit),
            (454, "454 4.7.0 Too many login attempts, please try again later", OfSender, Limit),
            (421, "421 4.7.0 Try again later, closing connection", OfRecipient, Limit),
            (421, "421 4.7.28 Our system has detected an unusual rate", OfMessage, Limit),
            (452, "452 4.3.1 Insufficient system resources", OfSender, Limit),
            (451, "451 4.7.500 Rate limit exceeded for the account", OfMessage, Limit),
            (550, "550 5.7.708 Access denied, traffic not accepted from your tenant", OfMessage, Sender),
            (550, "550 5.7.60 Client does not have permissions to send as this sender", OfMessage, Sender),
            (530, "530 5.7.57 Client not authenticated to send mail", OfSender, Sender),
            (554, "554 5.7.1 Relay access denied", OfRecipient, Sender),
            (553, "553 5.7.1 Sender address rejected: not owned by user", OfRecipient, Sender),
            (550, "550 5.7.26 Unauthenticated email is not accepted due to DMARC policy", OfMessage, Sender),
            (554, "554 Service unavailable; client host is listed at zen.example.org", OfRecipient, Sender),
            (550, "550 5.7.1 account disabled", OfSender, Sender),
            (550, "550 5.2.1 mailbox disabled", OfSender, Sender),
            (550, "550 5.1.1 user unknown", OfSender, Sender),
            (550, "550 mailbox unavailable", OfSender, Sender),
            (550, "550 5.7.1 Your account has been disabled", OfRecipient, Sender),
            (550, "550 5.7.1 account disabled", OfMessage, Sender),
            (550, "550 5.1.90 You have reached your daily limit for message recipients", OfRecipient, Limit),
            (554, "554 5.2.0 STOREDRV SubmissionQuotaExceededException", OfMessage, Limit),
            (550, "550 5.7.708 Access denied, traffic not accepted from this IP", OfRecipient, Sender),
            (550, "550 5.7.501 Access denied, spam abuse detected", OfMessage, Sender),
            (
                554,
                "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.example.org",
                OfRecipient,
                Sender,
            ),
            (550, "550 5.7.1 Unusual rate of unsolicited mail originating from your IP", OfMessage, Limit),
            (535, "535 5.7.139 Authentication unsuccessful", OfRecipient, Sender),
            (550, "550 5.7.26 This mail is unauthenticated", OfRecipient, Sender),
            (554, "554 5.7.1 Message rejected as spam by content filtering", OfMessage, Message),
            (550, "550 5.7.1 Recipient address rejected: Blocked by policy", OfRecipient, Message),
            (552, "552 5.3.4 Message size exceeds fixed limit", OfMessage, Message),
            (552, "552 5.2.3 Message too large", OfMessage, Message),
            (550, "550 5.6.0 Unacceptable content", OfMessage, Message),
            (554, "554 Transaction failed", OfMessage, Message),
            (550, "550 5.1.1 User unknown", OfRecipient, Recipient),
            (550, "550 no such user here", OfRecipient, Recipient),
            (553, "553 sorry", OfRecipient, Recipient),
            (550, "550 5.2.1 The account is disabled", OfRecipient, Recipient),
            (450, "450 4.2.0 Greylisted, please retry", OfRecipient, Temporary),
            // Postfix names what it refuses, and quotes the address.
            (554, "554 5.7.1 <relay@example.com>: Recipient address rejected: Access denied", OfRecipient, Message),
            (
                554,
                "554 5.7.1 <Login.Sender@example.com>: Recipient address rejected: Access denied",
                OfRecipient,
                Message,
            ),
            (550, "550 5.7.1 <no-such-user@spf.example>: Recipient address rejected: sorry", OfRecipient, Message),
            (
                550,
                "550 5.1.0 <ann@example.com>: Sender address rejected: User unknown in virtual mailbox table",
                OfRecipient,
                Sender,
            ),
            (550, "550 5.1.0 <ann@example.com>: Sender address rejected: Domain not found", OfRecipient, Sender),
            (554, "554 5.7.1 <unknown[192.0.2.1]>: Client host rejected: Access denied", OfRecipient, Sender),
            (550, "550 5.7.1 <host.example.com>: Helo command rejected: Host not found", OfRecipient, Sender),
            (504, "504 5.5.2 <host>: Helo command rejected: need fully-qualified hostname", OfRecipient, Sender),
            (
                504,
                "504 5.5.2 <bob@there>: Recipient address rejected: need fully-qualified address",
                OfRecipient,
                Recipient,
            ),
            (550, "550 5.1.1 <bob@example.com>: Recipient address rejected: User unknown", OfRecipient, Recipient),
            (450, "450 4.7.1 Error: too much mail from 192.0.2.1", OfSender, Limit),
            (450, "450 4.7.1 Error: too many recipients from 192.0.2.1", OfRecipient, Limit),
            (452, "452 4.5.3 Error: too many recipients", OfRecipient, Temporary),
            (450, "450 4.2.0 <rate.limit@example.com>: Recipient address rejected: Greylisted", OfRecipient, Temporary),
            (451, "451 4.7.1 Please try again later", OfRecipient, Temporary),
            (452, "452 4.2.2 The mailbox is over quota", OfRecipient, Temporary),
            (552, "552 5.2.2 Mailbox full", OfRecipient, Temporary),
            (552, "552 5.2.2 Quota exceeded", OfRecipient, Temporary),
            (452, "452 4.2.2 Quota exceeded", OfRecipient, Temporary),
            (552, "552 Sending quota exceeded", OfMessage, Limit),
            (450, "450 4.2.1 The user is receiving mail at a rate that limits delivery", OfRecipient, Temporary),
            (451, "451 4.3.0 Internal error", OfMessage, Temporary),
        ];
        for (code, text, said, verdict) in answers {
            assert_eq!(of_reply(*code, text, *said), *verdict, "{text}");
        }
    }
}
