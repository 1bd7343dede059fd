//! Composing mails.

use mail_builder::MessageBuilder;
use mail_builder::headers::date::Date;
use mail_builder::headers::message_id::MessageId;
use mail_builder::headers::raw::Raw;

use super::address::{encoded_header, header};
use super::{Address, Attachment};

/// The content of a mail. Only the text is required.
#[derive(Clone, Debug, Default)]
pub struct Draft<'a> {
    /// Without angle brackets: `name@host`.
    pub message_id: &'a str,
    /// Milliseconds since 1970.
    pub date: i64,
    pub from: Address,
    pub to: Vec<Address>,
    pub cc: Vec<Address>,
    pub reply_to: Option<Address>,
    pub subject: &'a str,
    pub text: &'a str,
    pub html: Option<&'a str>,
    pub attachments: &'a [Attachment],
    pub in_reply_to: Option<&'a str>,
    pub references: Vec<&'a str>,
    /// The URL for one-click unsubscribing (RFC 8058).
    pub unsubscribe: Option<&'a str>,
    /// Additional headers, such as `Auto-Submitted`.
    pub headers: Vec<(&'a str, &'a str)>,
}

/// An error in a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub field: String,
    pub reason: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.field, self.reason)
    }
}

impl std::error::Error for Problem {}

fn problem<T>(field: &str, reason: &str) -> Result<T, Problem> {
    Err(Problem { field: field.to_owned(), reason: reason.to_owned() })
}

/// The longest value of a header; servers would cut or refuse a longer one.
const LONGEST_HEADER: usize = 10_000;

/// Composes a mail as bytes. Values that would start another header are refused, not repaired.
pub fn compose(draft: &Draft<'_>) -> Result<Vec<u8>, Problem> {
    id("message_id", draft.message_id)?;
    address("from", &draft.from)?;
    if draft.to.is_empty() {
        return problem("to", "there is no recipient");
    }
    for to in &draft.to {
        address("to", to)?;
    }
    for cc in &draft.cc {
        address("cc", cc)?;
    }
    line("subject", draft.subject)?;
    let mut mail = MessageBuilder::new()
        .message_id(draft.message_id)
        .date(Date::new(draft.date.div_euclid(1000)))
        .text_body(draft.text);
    // The builder would put quotes around encoded words.
    let mut headers = header("From", &[&draft.from]) + &header("To", &draft.to.iter().collect::<Vec<_>>());
    if !draft.cc.is_empty() {
        headers += &header("Cc", &draft.cc.iter().collect::<Vec<_>>());
    }
    // The builder would write encoded words as they are.
    match draft.subject.contains("=?") {
        true => headers += &encoded_header("Subject", draft.subject),
        false => mail = mail.subject(draft.subject),
    }
    if let Some(reply_to) = &draft.reply_to {
        address("reply_to", reply_to)?;
        headers += &header("Reply-To", &[reply_to]);
    }
    if let Some(of) = draft.in_reply_to {
        id("in_reply_to", of)?;
        mail = mail.in_reply_to(of);
    }
    if !draft.references.is_empty() {
        for of in &draft.references {
            id("references", of)?;
        }
        mail = mail.references(MessageId::new_list(draft.references.iter().copied()));
    }
    if let Some(url) = draft.unsubscribe {
        let plain = url.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>,".contains(&byte));
        if !plain || !(url.starts_with("https://") || url.starts_with("http://")) {
            return problem("unsubscribe", "is not an http(s) URL");
        }
        mail = mail
            .header("List-Unsubscribe", Raw::new(format!("<{url}>")))
            .header("List-Unsubscribe-Post", Raw::new("List-Unsubscribe=One-Click"));
    }
    for (name, value) in &draft.headers {
        let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') && !name.is_empty();
        if !plain {
            return problem("headers", "a header's name is letters, digits and hyphens");
        }
        line(name, value)?;
        mail = mail.header(*name, mail_builder::headers::text::Text::new(*value));
    }
    if let Some(html) = draft.html {
        mail = mail.html_body(html);
    }
    for attachment in draft.attachments {
        line("attachments.filename", &attachment.filename)?;
        let plain = |part: &str| {
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-+._".contains(&byte))
        };
        let typed = attachment.content_type.split_once('/').is_some_and(|(kind, of)| plain(kind) && plain(of));
        if !typed {
            return problem("attachments.content_type", "is not a media type such as application/pdf");
        }
        let content = attachment.content.as_slice();
        mail = match &attachment.content_id {
            Some(of) => {
                id("attachments.content_id", of)?;
                mail.inline(&attachment.content_type, of.as_str(), content)
            }
            None => mail.attachment(&attachment.content_type, &attachment.filename, content),
        };
    }
    let mut written = headers.into_bytes();
    mail.write_to(&mut written).or_else(|error| problem("mail", &error.to_string()))?;
    Ok(written)
}

/// Accepts one line of text: a line break or another control character could start another header.
fn line(field: &str, value: &str) -> Result<(), Problem> {
    if value.chars().any(char::is_control) {
        return problem(field, "holds a line break or another control character");
    }
    if value.len() > LONGEST_HEADER {
        return problem(field, "is too long for a header");
    }
    Ok(())
}

fn address(field: &str, value: &Address) -> Result<(), Problem> {
    line(field, value.name.as_deref().unwrap_or_default())?;
    let text = &value.address;
    let plain = text.len() <= 320
        && text.split_once('@').is_some_and(|(local, host)| !local.is_empty() && !host.is_empty())
        && !text
            .chars()
            .any(|letter| letter.is_control() || letter.is_whitespace() || "<>,;:\"()[]\\".contains(letter));
    if plain { Ok(()) } else { problem(field, "is not an email address") }
}

fn id(field: &str, value: &str) -> Result<(), Problem> {
    let plain = !value.is_empty()
        && value.len() <= 900
        && value.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>".contains(&byte));
    if plain { Ok(()) } else { problem(field, "is not a message id such as name@host") }
}
