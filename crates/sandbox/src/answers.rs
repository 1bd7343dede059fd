//! Mails that the sandbox sends back: replies, out-of-office notices, bounces and complaints, according to the script.

use std::sync::Arc;

use bytes::Bytes;
use jiff::ToSpan;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use mail_parser::MessageParser;

use crate::clock;
use crate::script::{Action, Channel, Target, Until};
use crate::state::{Shared, later};
use connect::mail::{Address, Attachment, Draft, compose};

/// A picture of 3 × 2 pixels.
const PICTURE: &[u8] = include_bytes!("picture.png");

/// The headers of a mail that an answer needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct MailInfo {
    pub message_id: Option<String>,
    pub subject: String,
    /// The address for answers: Reply-To, or From.
    reply_to: Option<String>,
    references: Vec<String>,
}

impl MailInfo {
    pub(crate) fn of(content: &[u8]) -> MailInfo {
        let Some(message) = MessageParser::default().parse_headers(content) else { return MailInfo::default() };
        let first = |address: Option<&mail_parser::Address<'_>>| Some(address?.first()?.address()?.to_owned());
        let references = message.references().as_text_list().unwrap_or_default();
        MailInfo {
            message_id: message.message_id().map(str::to_owned),
            subject: message.subject().unwrap_or_default().to_owned(),
            reply_to: first(message.reply_to()).or_else(|| first(message.from())),
            references: references.iter().map(|id| id.to_string()).collect(),
        }
    }
}

/// Applies the script's rule for a mail to this address, after its delay.
pub(crate) fn to_mail(shared: &Arc<Shared>, from: &str, to: &str, info: &MailInfo) {
    let target = Target { channel: Channel::Email, names: &[to], subject: Some(&info.subject) };
    let mailed = |action: &Action| {
        matches!(action, Action::Reply { .. } | Action::OutOfOffice { .. } | Action::Bounce { .. } | Action::Complaint)
    };
    let Some(rule) = shared.rule(None, target, mailed) else { return };
    let (from, to, info) = (from.to_owned(), to.to_owned(), info.clone());
    later(shared, rule.after, move |shared| {
        let back = info.reply_to.clone().unwrap_or_else(|| from.clone());
        match &rule.action {
            Action::Reply { copies, .. } => {
                let Some(mail) = reply(shared, &rule.action, &to, &back, &info) else { return };
                for _ in 0..*copies {
                    shared.deliver(&back, mail.clone());
                }
            }
            Action::OutOfOffice { text, until } => {
                if let Some(mail) = absence(shared, text, *until, &to, &back, &info) {
                    shared.deliver(&back, mail);
                }
            }
            Action::Bounce { hard, status, text } => {
                shared.deliver(&from, report(shared, *hard, status, text, &from, &to, &info));
            }
            _ => shared.deliver(&from, complaint(shared, &from, &to, &info)),
        }
    });
}

/// The text of an out-of-office notice, with its end.
pub(crate) fn away(text: &str, until: Option<Until>) -> String {
    match until.and_then(end) {
        Some(date) => format!("{text} I will be back on {}.", date.strftime("%-d %B %Y")),
        None => text.to_owned(),
    }
}

fn end(until: Until) -> Option<Date> {
    match until {
        Until::Date(date) => Some(date),
        Until::Days(days) => clock::now().to_zoned(TimeZone::UTC).date().checked_add(i64::from(days).days()).ok(),
    }
}

fn answer<'a>(id: &'a str, subject: &'a str, text: &'a str, to: &str, back: &str, info: &'a MailInfo) -> Draft<'a> {
    let mut references: Vec<&str> = info.references.iter().map(String::as_str).collect();
    references.extend(info.message_id.as_deref());
    Draft {
        message_id: id,
        date: clock::now().as_millisecond(),
        from: Address::new(to),
        to: vec![Address::new(back)],
        subject,
        text,
        in_reply_to: info.message_id.as_deref(),
        references,
        ..Draft::default()
    }
}

fn reply(shared: &Shared, action: &Action, to: &str, back: &str, info: &MailInfo) -> Option<Bytes> {
    let Action::Reply { text, html, broken, attachment, picture, .. } = action else { return None };
    let id = format!("{}@sandbox.example.com", shared.name());
    let subject = match info.subject.get(..3) {
        Some(start) if start.eq_ignore_ascii_case("re:") => info.subject.clone(),
        _ => format!("Re: {}", info.subject),
    };
    let mut draft = answer(&id, &subject, text, to, back, info);
    draft.html = html.as_deref();
    let file = (*attachment > 0).then(|| Attachment {
        filename: "attachment.bin".to_owned(),
        content_type: "application/octet-stream".to_owned(),
        content_id: None,
        content: vec![b'x'; *attachment],
    });
    let picture = picture.as_ref().map(|id| Attachment {
        filename: "picture.png".to_owned(),
        content_type: "image/png".to_owned(),
        content_id: Some(id.clone()),
        content: PICTURE.to_vec(),
    });
    let attached: Vec<Attachment> = file.into_iter().chain(picture).collect();
    draft.attachments = &attached;
    let mail = compose(&draft).ok()?;
    Some(if *broken { garbled(&mail) } else { mail.into() })
}

/// A malformed mail: an unterminated boundary, an unknown transfer encoding, bytes that are not UTF-8, and no end.
fn garbled(mail: &[u8]) -> Bytes {
    let text = String::from_utf8_lossy(mail);
    let (headers, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let kept: Vec<&str> = headers
        .lines()
        .filter(|line| !line.to_ascii_lowercase().starts_with("content-") && !line.starts_with([' ', '\t']))
        .collect();
    let mut out = kept.join("\n").into_bytes();
    out.extend(
        b"\nContent-Type: multipart/mixed; boundary=\"never\nContent-Transfer-Encoding: base65\nnot a header\n\n",
    );
    out.extend(body.bytes());
    out.extend([0xff, 0xfe, 0x00, 0x80]);
    out.into()
}

fn absence(shared: &Shared, text: &str, until: Option<Until>, to: &str, back: &str, info: &MailInfo) -> Option<Bytes> {
    let id = format!("{}@sandbox.example.com", shared.name());
    let (subject, text) = (format!("Automatic reply: {}", info.subject), away(text, until));
    let mut draft = answer(&id, &subject, &text, to, back, info);
    draft.headers = vec![("Auto-Submitted", "auto-replied"), ("X-Auto-Response-Suppress", "All")];
    compose(&draft).ok().map(Bytes::from)
}

/// A non-delivery report (RFC 3464).
fn report(shared: &Shared, hard: bool, status: &str, text: &str, from: &str, to: &str, info: &MailInfo) -> Bytes {
    let (id, date) = (shared.name(), clock::now().strftime("%a, %d %b %Y %H:%M:%S +0000"));
    let action = if hard { "failed" } else { "delayed" };
    let code = if hard { 550 } else { 450 };
    let original = info.message_id.as_deref().unwrap_or_default();
    let subject = &info.subject.replace(|letter: char| letter.is_control(), " ");
    format!(
        "From: Mail Delivery System <MAILER-DAEMON@sandbox.example.com>\r\nTo: {from}\r\nDate: {date}\r\n\
         Message-ID: <{id}@sandbox.example.com>\r\nSubject: Undelivered Mail Returned to Sender\r\nAuto-Submitted: auto-replied\r\n\
         MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=\"{id}\"\r\n\r\n\
         --{id}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nYour message could not be delivered.\r\n\r\n<{to}>: {code} {status} {text}\r\n\r\n\
         --{id}\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; sandbox.example.com\r\n\r\n\
         Final-Recipient: rfc822; {to}\r\nAction: {action}\r\nStatus: {status}\r\nDiagnostic-Code: smtp; {code} {status} {text}\r\n\r\n\
         --{id}\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <{original}>\r\nFrom: {from}\r\nTo: {to}\r\nSubject: {subject}\r\n\r\n--{id}--\r\n"
    )
    .into()
}

/// An abuse report (RFC 5965).
fn complaint(shared: &Shared, from: &str, to: &str, info: &MailInfo) -> Bytes {
    let (id, date) = (shared.name(), clock::now().strftime("%a, %d %b %Y %H:%M:%S +0000"));
    let original = info.message_id.as_deref().unwrap_or_default();
    format!(
        "From: Feedback Loop <fbl@sandbox.example.com>\r\nTo: {from}\r\nDate: {date}\r\nMessage-ID: <{id}@sandbox.example.com>\r\n\
         Subject: FW: complaint\r\nMIME-Version: 1.0\r\n\
         Content-Type: multipart/report; report-type=feedback-report; boundary=\"{id}\"\r\n\r\n\
         --{id}\r\nContent-Type: text/plain\r\n\r\nThis is an email abuse report.\r\n\r\n\
         --{id}\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\nUser-Agent: Sandbox/1.0\r\nVersion: 1\r\n\
         Original-Rcpt-To: <{to}>\r\nOriginal-Mail-From: <{from}>\r\n\r\n\
         --{id}\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: <{original}>\r\nFrom: {from}\r\nTo: {to}\r\n\r\n--{id}--\r\n"
    )
    .into()
}
