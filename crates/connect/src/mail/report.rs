//! Delivery reports: structured ones (RFC 3464) and plain-text ones.

use mail_parser::{Message, MessageParser, PartType};

use super::part::{contents, ids, media_type};
use super::verdict::{self, Said, Status, Verdict};
use super::{Bounce, Kind};

/// The original mail of a report.
#[derive(Clone, Debug, Default)]
pub(super) struct Original {
    pub message_id: Option<String>,
    pub to: Vec<String>,
}

impl Original {
    /// Finds the original: from the copy in the report, else from the text, else from `In-Reply-To`.
    pub(super) fn of(message: &Message<'_>, text: &str) -> Original {
        for part in &message.parts {
            let found = match (&part.body, media_type(part).as_str()) {
                (PartType::Message(inner), _) => Some(Original::copied(inner)),
                (_, "text/rfc822-headers" | "message/rfc822-headers" | "message/global-headers" | "message/rfc822") => {
                    let headers = contents(part);
                    MessageParser::default()
                        .parse_headers(headers.trim_start().as_bytes())
                        .map(|inner| Original::copied(&inner))
                }
                _ => None,
            };
            if let Some(original) = found.filter(|original| original.message_id.is_some()) {
                return original;
            }
        }
        let mut message_id = None;
        for line in text.lines() {
            let line = line.trim_start_matches(['>', ' ', '|', '\t']);
            let Some((name, value)) = line.split_once(':') else { continue };
            if name.trim().eq_ignore_ascii_case("message-id") && value.contains('@') {
                message_id = Some(value.trim().trim_matches(['<', '>']).to_owned());
            }
        }
        let answered = || ids(message.in_reply_to()).into_iter().chain(ids(message.references())).next();
        Original { message_id: message_id.or_else(answered), to: Vec::new() }
    }

    fn copied(inner: &Message<'_>) -> Original {
        let to = inner.to().into_iter().flat_map(|to| to.iter()).filter_map(|to| Some(to.address()?.to_owned()));
        Original { message_id: inner.message_id().map(str::to_owned), to: to.collect() }
    }
}

/// The fields of a status part: names in lower case, continued lines joined. An empty line is an empty name.
pub(super) fn fields(text: &str) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        if line.trim().is_empty() {
            fields.push(Default::default());
        } else if line.starts_with([' ', '\t'])
            && let Some((_, value)) = fields.last_mut()
        {
            value.push(' ');
            value.push_str(line.trim());
        } else if let Some((name, value)) = line.split_once(':') {
            fields.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
        }
    }
    fields
}

/// Extracts the address from `rfc822; <bob@example.com>`.
pub(super) fn address(value: &str) -> String {
    let value = value.rsplit_once(';').map_or(value, |(_, address)| address).trim();
    let value = value.split_once('<').map_or(value, |(_, rest)| rest.split('>').next().unwrap_or(rest));
    value.trim_matches(['<', '>', '"', '\'', ' ']).to_owned()
}

/// The delivery status of one recipient.
#[derive(Default)]
struct Fate {
    addresses: Vec<String>,
    action: String,
    status: Option<Status>,
    diagnostic: Option<String>,
}

/// Reads a delivery status; `None` if it contains nothing usable.
pub(super) fn of_status(status: &str, text: &str, original: &Original) -> Option<Kind> {
    let mut fates: Vec<Fate> = vec![Fate::default()];
    for (name, value) in fields(status) {
        let Some(fate) = fates.last_mut() else { continue };
        match name.as_str() {
            "" if !fate.addresses.is_empty() => fates.push(Fate::default()),
            "original-recipient" | "final-recipient" => {
                let address = address(&value);
                if address.contains('@') && !fate.addresses.iter().any(|own| own.eq_ignore_ascii_case(&address)) {
                    fate.addresses.push(address);
                }
            }
            "action" => fate.action = value.split([' ', '(']).next().unwrap_or_default().to_ascii_lowercase(),
            "status" => fate.status = value.split([' ', '(']).next().and_then(Status::parse),
            "diagnostic-code" => {
                fate.diagnostic = Some(value.split_once(';').map_or(value.as_str(), |(_, said)| said).trim().to_owned())
            }
            _ => {}
        }
    }
    fates.retain(|fate| !fate.addresses.is_empty() || fate.status.is_some() || !fate.action.is_empty());
    let failed: Vec<&Fate> = fates.iter().filter(|fate| fate.failed()).collect();
    let addresses = |fates: &[&Fate]| {
        let mut all: Vec<String> = Vec::new();
        for address in fates.iter().flat_map(|fate| &fate.addresses) {
            if !all.contains(address) {
                all.push(address.clone());
            }
        }
        if all.is_empty() { original.to.clone() } else { all }
    };
    if let Some(first) = failed.first() {
        let status = first.telling_status();
        // Some servers give the reason only in the part for people.
        let said = first.diagnostic.clone().filter(|said| !said.is_empty());
        let words = said.clone().unwrap_or_else(|| text.to_owned());
        let verdict = verdict::of(code(&words), status, &words, Said::OfRecipient);
        return Some(bounce(
            verdict,
            Bounce {
                recipients: addresses(&failed),
                original_message_id: original.message_id.clone(),
                status: status.map(|status| status.to_string()),
                diagnostic: said,
                ..Bounce::default()
            },
        ));
    }
    let all: Vec<&Fate> = fates.iter().collect();
    let delayed = fates.first()?.action == "delayed" || fates.first()?.status.is_some_and(|status| status.0 == 4);
    Some(Kind::Notice { delayed, recipients: addresses(&all), original_message_id: original.message_id.clone() })
}

impl Fate {
    fn failed(&self) -> bool {
        match self.action.as_str() {
            "failed" | "expired" => true,
            "delayed" | "delivered" | "relayed" | "expanded" => false,
            _ => self.status.is_some_and(|status| status.0 == 5),
        }
    }

    /// The status field, or a status in the server's text where the field is missing or generic.
    fn telling_status(&self) -> Option<Status> {
        let said = self.diagnostic.as_deref().and_then(Status::find);
        match self.status {
            Some(Status(_, 0, 0)) | None => said.or(self.status),
            some => some,
        }
    }
}

/// The first SMTP code in a text.
fn code(text: &str) -> Option<u16> {
    let words = text.split(|letter: char| letter.is_whitespace() || "-#;:,()[]\"<>".contains(letter));
    words.filter(|word| word.len() == 3).filter_map(|word| word.parse().ok()).find(|code| (400..600).contains(code))
}

/// Reads a report without a status part: Exim, qmail, old Exchange, Yahoo and many more.
pub(super) fn of_words(message: &Message<'_>, subject: &str, text: &str) -> Option<Kind> {
    let from = message.from().and_then(|from| from.first());
    let address = from.and_then(|from| from.address()).unwrap_or_default().to_lowercase();
    let name = from.and_then(|from| from.name()).unwrap_or_default().to_lowercase();
    let local = address.split('@').next().unwrap_or_default();
    let daemon = DAEMONS.contains(&local) || NAMES.iter().any(|known| name.contains(known));
    let listed = message.header_raw("X-Failed-Recipients").map(str::trim).filter(|listed| !listed.is_empty());
    let begins = text.trim_start().to_lowercase();
    let shaped = SHAPES.iter().any(|shape| begins.contains(shape));
    let about = FAILED.iter().chain(DELAYED).any(|words| subject.contains(words));
    let automatic = message.header_raw("Auto-Submitted").is_some_and(|value| !value.trim().eq_ignore_ascii_case("no"));
    let nobody = message.header_raw("Return-Path").is_some_and(|path| path.trim() == "<>");
    if !(listed.is_some() || (daemon && (shaped || about)) || (about && (automatic || nobody))) {
        return None;
    }
    let original = Original::of(message, text);
    // Everything below is the quoted original; ignore it when classifying.
    let own = own_words(text);
    let lower = own.to_lowercase();
    let delayed = DELAYED.iter().any(|words| subject.contains(words))
        || WAITING.iter().any(|words| lower.contains(words)) && !FAILED.iter().any(|words| subject.contains(words));
    let to: Vec<String> =
        message.to().into_iter().flat_map(|to| to.iter()).filter_map(|to| Some(to.address()?.to_lowercase())).collect();
    let mut recipients: Vec<String> = match listed {
        Some(listed) => listed.split(',').map(self::address).filter(|address| address.contains('@')).collect(),
        None => addresses_in(&own)
            .into_iter()
            .filter(|found| !to.contains(&found.to_lowercase()) && *found != address)
            .filter(|found| original.message_id.as_ref() != Some(found))
            .take(1)
            .collect(),
    };
    if recipients.is_empty() {
        recipients = original.to.clone();
    }
    if delayed {
        return Some(Kind::Notice { delayed: true, recipients, original_message_id: original.message_id });
    }
    let status = Status::find(&own);
    let verdict = match (status, code(&own)) {
        (None, Some(400..500)) => Verdict::Temporary,
        (status, code) => verdict::of(code, status, &own, Said::OfRecipient),
    };
    let diagnostic = own.lines().map(str::trim).find(|line| code(line).is_some() || Status::find(line).is_some());
    Some(bounce(
        verdict,
        Bounce {
            recipients,
            original_message_id: original.message_id,
            status: status.map(|status| status.to_string()),
            diagnostic: diagnostic.map(str::to_owned),
            ..Bounce::default()
        },
    ))
}

/// The server's own text, without the returned mail below it.
fn own_words(text: &str) -> String {
    let ends = |line: &str| {
        let line = line.trim().to_lowercase();
        COPIES.iter().any(|start| line.starts_with(start))
    };
    text.lines().take_while(|line| !ends(line)).collect::<Vec<_>>().join("\n")
}

fn addresses_in(text: &str) -> Vec<String> {
    text.split(|letter: char| !(letter.is_ascii_alphanumeric() || "@._+-=/'!#$%&*^`{|}~?".contains(letter)))
        .map(|word| word.trim_matches(['.', '\'']))
        .filter(|word| word.split_once('@').is_some_and(|(local, host)| !local.is_empty() && host.contains('.')))
        .map(str::to_owned)
        .collect()
}

const DAEMONS: &[&str] =
    &["mailer-daemon", "mailer_daemon", "postmaster", "mail-daemon", "maildaemon", "mdaemon", "bounce", "mailerdaemon"];
const NAMES: &[&str] =
    &["mail delivery", "mail system", "mailer-daemon", "postmaster", "delivery subsystem", "mail administrator"];

/// Phrases at the beginning of plain-text reports.
const SHAPES: &[&str] = &[
    "this is the qmail-send program",
    "this message was created automatically by mail delivery software",
    "this is the mail system at host",
    "this is an automatically generated delivery status notification",
    "your message did not reach some or all of the intended recipients",
    "delivery to the following recipient",
    "the following message to",
    "the following address",
    "could not be delivered",
    "couldn't be delivered",
    "wasn't delivered to",
    "was not delivered",
    "undeliverable",
    "delivery has failed",
    "delivery failed",
    "unable to deliver",
    "transcript of session follows",
    "the original message was received at",
    "had permanent fatal errors",
    "sorry, we were unable",
    "i'm afraid i wasn't able to deliver",
    "returned to sender",
    "konnte nicht zugestellt werden",
    "n'a pas pu être remis",
    "no se pudo entregar",
    "impossibile recapitare",
    "konnte ihre nachricht nicht",
    "did not reach the following recipient",
    "trouble delivering your message",
    "while attempting to deliver a message",
    "message log follows",
    "送信できませんでした",
    "will be retried",
    "has not yet been delivered",
    "has been delayed",
];
const FAILED: &[&str] = &[
    "undeliver",
    "undelivered mail",
    "delivery status notification (failure)",
    "delivery status notification: error",
    "delivery failure",
    "mail failure",
    "mail failed",
    "error sending your mail",
    "メールエラー",
    "returned mail",
    "failure notice",
    "delivery failed",
    "delivery has failed",
    "mail system error",
    "message not delivered",
    "non-delivery",
    "nondeliverable",
    "could not be delivered",
    "unzustellbar",
    "nicht zugestellt",
    "non remis",
    "échec de la remise",
    "no se puede entregar",
    "no entregado",
    "non recapitabile",
    "mancato recapito",
    "não entregue",
    "onbestelbaar",
    "kan inte levereras",
    "не доставлено",
    "配信不能",
    "配信できません",
    "退信",
    "系统退信",
    "rejected: ",
];
const DELAYED: &[&str] = &[
    "delayed",
    "(delay)",
    "notification: warning",
    "delivery delay",
    "could not send message for past",
    "verzögert",
    "retardé",
    "warning: message",
];
const WAITING: &[&str] = &[
    "will be retried",
    "will keep trying",
    "will continue to try",
    "you do not need to resend",
    "no action is required on your part",
    "has not yet been delivered",
];
const COPIES: &[&str] = &[
    "--- below this line is a copy",
    "------ this is a copy of",
    "--- original message",
    "----- original message",
    "-----original message",
    "------ forwarded message",
    "----- unsent message follows",
    "----- message header follows",
    "--- the headers of the original",
    "original message headers:",
    "original message follows",
    "--- returned message",
    "return-path:",
    "received: from",
    "received: by",
];

/// A bounce with a verdict.
fn bounce(verdict: Verdict, rest: Bounce) -> Kind {
    Kind::Bounce(Bounce {
        hard: verdict == Verdict::Recipient,
        sender_fault: matches!(verdict, Verdict::Sender | Verdict::Limit | Verdict::Message),
        ..rest
    })
}
