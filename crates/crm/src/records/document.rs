//! Detects the type of a CV from its bytes, because the type that a client declares can't be trusted.

use memchr::memmem;

pub const PDF: &str = "application/pdf";
pub const DOC: &str = "application/msword";
pub const DOCX: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
pub const ODT: &str = "application/vnd.oasis.opendocument.text";
pub const RTF: &str = "application/rtf";
pub const TXT: &str = "text/plain";

/// The type of a document, if it is a supported one.
pub fn sniff(bytes: &[u8]) -> Option<&'static str> {
    let head = &bytes[..bytes.len().min(1024)];
    let has = |what: &[u8]| memmem::find(bytes, what).is_some();
    if memmem::find(head, b"%PDF-").is_some() {
        return Some(PDF);
    }
    if bytes.starts_with(b"{\\rtf") || bytes.starts_with(b"\xEF\xBB\xBF{\\rtf") {
        return Some(RTF);
    }
    if bytes.starts_with(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1") {
        // The name of its stream in UTF-16, because spreadsheets and mails have the same container format.
        return has(b"W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0").then_some(DOC);
    }
    if bytes.starts_with(b"PK\x03\x04") {
        if memmem::find(head, b"mimetypeapplication/vnd.oasis.opendocument.text").is_some() {
            return Some(ODT);
        }
        return has(b"word/document").then_some(DOCX);
    }
    is_text(bytes).then_some(TXT)
}

/// UTF-16 with a byte order mark, UTF-8, or a single-byte encoding, without control characters that only occur in other
/// files.
fn is_text(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        let little = bytes[0] == 0xFF;
        let units = bytes[2..].chunks_exact(2);
        let unit = |pair: &[u8]| u16::from_le_bytes(if little { [pair[0], pair[1]] } else { [pair[1], pair[0]] });
        return bytes.len().is_multiple_of(2)
            && char::decode_utf16(units.map(unit)).all(|letter| letter.is_ok_and(|letter| !is_odd(letter)));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => !text.contains(is_odd),
        Err(_) => !bytes.iter().any(|byte| is_odd(char::from(*byte)) && *byte < 0x80),
    }
}

fn is_odd(letter: char) -> bool {
    letter.is_ascii_control() && !matches!(letter, '\t' | '\n' | '\r' | '\x0B' | '\x0C' | '\x1A' | '\x1B')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_is_found_in_the_bytes() {
        assert_eq!(sniff(b"%PDF-1.7\n..."), Some(PDF));
        assert_eq!(sniff(b"\n\n%PDF-1.4"), Some(PDF));
        assert_eq!(sniff(b"{\\rtf1\\ansi hello}"), Some(RTF));
        assert_eq!(sniff("Résumé\r\n\tАнна".as_bytes()), Some(TXT));
        assert_eq!(sniff(b"R\xe9sum\xe9 in Latin-1"), Some(TXT));
        assert_eq!(sniff(b"\xFF\xFEA\0n\0n\0a\0"), Some(TXT));
        assert_eq!(sniff(b"\xFE\xFF\0A\0n\0n\0a"), Some(TXT));
        for other in [
            &b"\xFF\xD8\xFF\xE0\0\x10JFIF\0"[..],
            b"\x89PNG\r\n\x1a\n\0\0\0\x0d",
            b"PK\x03\x04 just an archive",
            b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 a spreadsheet",
            b"\x7fELF\x02\x01\x01\0",
            b"MZ\x90\0\x03",
            b"GIF89a\x01\0",
            b"\xFF\xFEA\0\0",
            b"\xFF\xFE\0\xD8A\0",
        ] {
            assert_eq!(sniff(other), None, "{other:?}");
        }
    }
}
