//! Text extraction from untrusted documents: bytes in, text out. An unreadable document has no text; nothing here is an
//! error. Every reader limits what it keeps by the size of its input and by `LIMIT`; the caller (`relata extract`)
//! limits time and memory as a whole.

mod doc;
mod packed;
mod pdf;
mod plain;
mod rtf;

/// Maximum bytes of text that a reader collects.
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
