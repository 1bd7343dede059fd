//! The text of documents that strangers wrote: bytes in, text out. What can't be read has no text; nothing here is an
//! error. Every reader bounds what it keeps by what it was given and by `LIMIT`; time and memory as a whole are bounded
//! by whoever runs it (`relata extract`).

mod doc;
mod packed;
mod pdf;
mod plain;
mod rtf;

/// Most bytes of text that a reader gathers.
const LIMIT: usize = 1024 * 1024;

/// The text of a document of this media type.
pub fn text(content_type: &str, bytes: &[u8]) -> String {
    let read = match content_type {
        "application/pdf" => pdf::text(bytes),
        "application/msword" => doc::text(bytes),
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document" => packed::docx(bytes),
        "application/vnd.oasis.opendocument.text" => packed::odt(bytes),
        "application/rtf" => Some(rtf::text(bytes)),
        "text/plain" => Some(plain::text(bytes)),
        _ => None,
    };
    read.unwrap_or_default()
}
