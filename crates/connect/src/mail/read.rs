//! Parsing mails, including malformed ones.

use mail_parser::{Message, MessageParser, MimeHeaders, PartType};

use super::part::ids;
use super::{Address, Attachment, Mail, kind};

/// How many bytes of the text are used to classify a mail.
const TELLING: usize = 64 * 1024;

/// MIME parts may be nested this deep, counting multiparts and nested messages alike.
const DEPTH: usize = 100;
/// A mail may have this many MIME parts, those of nested messages included.
const PARTS: usize = 1000;

/// Parses a mail. Missing or malformed parts are empty; bytes that are not a mail become its text. Of a mail that
/// exceeds the limits on parts only the text of the first parts is read, without attachments, and `omitted` says so.
///
/// Nested messages are nested values, which are dropped recursively: the caller needs a large stack, or a process that
/// it can afford to lose. A mail that exceeds the limits is therefore leaked on purpose.
pub fn read(bytes: &[u8]) -> Mail {
    let Some(message) = parsed(bytes).filter(|message| !message.headers().is_empty()) else {
        return Mail { text: clean(&String::from_utf8_lossy(bytes)), ..Mail::default() };
    };
    let Some(omitted) = exceeded(&message) else {
        let text = text(&message, usize::MAX);
        return Mail {
            html: markup(&message).map(|markup| untrusted_html::safe_mail(&markup)),
            attachments: attachments(&message),
            ..headed(&message, text)
        };
    };
    let mail = Mail { omitted: Some(omitted), ..headed(&message, text(&message, PARTS)) };
    std::mem::forget(message);
    mail
}

/// Parses only the headers of a mail.
pub fn read_headers(bytes: &[u8]) -> Mail {
    let message = std::panic::catch_unwind(|| MessageParser::default().parse_headers(bytes)).unwrap_or(None);
    message.map_or_else(Mail::default, |message| headed(&message, String::new()))
}

/// The values of the headers, and the kind of the mail by headers and text.
fn headed(message: &Message<'_>, text: String) -> Mail {
    Mail {
        message_id: message.message_id().map(str::to_owned),
        in_reply_to: ids(message.in_reply_to()),
        references: ids(message.references()),
        from: addresses(message.from()).into_iter().next(),
        reply_to: addresses(message.reply_to()).into_iter().next(),
        to: addresses(message.to()),
        cc: addresses(message.cc()),
        subject: line(message.subject().unwrap_or_default()),
        date: message.date().map(|date| date.to_timestamp() * 1000),
        from_list: kind::is_from_list(message),
        kind: kind::of(message, &text[..text.floor_char_boundary(TELLING)]),
        text,
        ..Mail::default()
    }
}

/// The limit that a mail exceeds, if any. Walks the parts without recursion.
fn exceeded(message: &Message<'_>) -> Option<String> {
    let mut messages = vec![(message, 0)];
    let mut count = 0;
    while let Some((message, base)) = messages.pop() {
        count += message.parts.len();
        if count > PARTS {
            return Some(format!("it has more than {PARTS} parts; only its text is stored"));
        }
        // A part comes before its children.
        let mut depths = vec![base + 1; message.parts.len()];
        for (at, part) in message.parts.iter().enumerate() {
            let depth = depths[at];
            if depth > DEPTH {
                return Some(format!("its parts are nested more than {DEPTH} deep; only its text is stored"));
            }
            match &part.body {
                PartType::Message(inner) => messages.push((inner, depth)),
                PartType::Multipart(ids) => {
                    for id in ids {
                        if let Some(inner) = depths.get_mut(*id as usize) {
                            *inner = depth + 1;
                        }
                    }
                }
                _ => {}
            }
        }
    }
    None
}

/// Text without characters that a database or page can't contain, with lines that end in LF.
pub(super) fn clean(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "").trim().to_owned()
}

/// The text of a header as one line, even if its encoding contains line breaks.
fn line(text: &str) -> String {
    text.split(char::is_control).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// Of a mail that makes the parser panic only the headers are read, so that it does not block the mails behind it.
fn parsed(bytes: &[u8]) -> Option<Message<'_>> {
    let whole = std::panic::catch_unwind(|| MessageParser::default().parse(bytes));
    whole.or_else(|_| std::panic::catch_unwind(|| MessageParser::default().parse_headers(bytes))).unwrap_or(None)
}

fn addresses(value: Option<&mail_parser::Address<'_>>) -> Vec<Address> {
    let Some(value) = value else { return Vec::new() };
    value
        .iter()
        .filter_map(|found| {
            let address = line(found.address()?);
            let name = found.name().map(line).filter(|name| !name.is_empty());
            (!address.is_empty()).then_some(Address { name, address })
        })
        .collect()
}

fn text(message: &Message<'_>, parts: usize) -> String {
    let written: Vec<String> = message
        .text_bodies()
        .take(parts)
        .filter_map(|part| match &part.body {
            PartType::Text(text) => Some(clean(text)),
            PartType::Html(markup) => Some(untrusted_html::plain_text(markup)),
            _ => None,
        })
        .filter(|text| !text.is_empty())
        .collect();
    clean(&written.join("\n\n"))
}

/// The HTML part of the mail itself, not HTML that the parser generated from text.
fn markup(message: &Message<'_>) -> Option<String> {
    let written: Vec<&str> = message
        .html_bodies()
        .filter_map(|part| match &part.body {
            PartType::Html(markup) => Some(markup.as_ref()),
            _ => None,
        })
        .collect();
    (!written.is_empty()).then(|| written.join("\n"))
}

fn attachments(message: &Message<'_>) -> Vec<Attachment> {
    message
        .attachments()
        .enumerate()
        .map(|(at, part)| {
            let content_type = match part.content_type() {
                Some(of) => format!("{}/{}", of.ctype(), of.subtype().unwrap_or("octet-stream")).to_ascii_lowercase(),
                None => "application/octet-stream".to_owned(),
            };
            let content = match &part.body {
                PartType::Message(inner) => inner.raw_message().to_vec(),
                _ => part.contents().to_vec(),
            };
            let filename = part.attachment_name().map(line).filter(|name| !name.is_empty());
            let filename = filename.unwrap_or_else(|| match content_type.as_str() {
                "message/rfc822" => format!("mail-{}.eml", at + 1),
                _ => format!("attachment-{}", at + 1),
            });
            let content_id = part.content_id().map(line).filter(|id| !id.is_empty());
            Attachment { filename, content_type, content_id, content }
        })
        .collect()
}
