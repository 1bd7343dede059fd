//! Reads the text of parts and headers.

use mail_parser::{HeaderValue, MessagePart, MimeHeaders, PartType};

pub(super) fn media_type(part: &MessagePart<'_>) -> String {
    let of = part.content_type();
    of.map_or(String::new(), |of| format!("{}/{}", of.ctype(), of.subtype().unwrap_or_default()).to_ascii_lowercase())
}

pub(super) fn contents(part: &MessagePart<'_>) -> String {
    match &part.body {
        PartType::Message(inner) => String::from_utf8_lossy(inner.raw_message()).into_owned(),
        _ => String::from_utf8_lossy(part.contents()).into_owned(),
    }
}

/// The message ids in a header.
pub(super) fn ids(value: &HeaderValue<'_>) -> Vec<String> {
    value.as_text_list().unwrap_or_default().iter().map(|id| id.to_string()).collect()
}
