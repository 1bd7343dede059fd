//! DOC, the format of Word 6.0 to 2003: an OLE compound file whose stream `WordDocument` contains the characters, and
//! whose table stream lists the pieces of text ([MS-DOC] 2.4.1). Older files have one piece.

use crate::LIMIT;
use cfb::CompoundFile;
use encoding_rs::{Encoding, UTF_16LE, WINDOWS_1252};
use std::io::{Cursor, Read};

/// Word 97, the first version with pieces in two encodings.
const WORD_97: u16 = 0xC1;
const ENCRYPTED: u16 = 0x0100;
const SECOND_TABLE: u16 = 0x0200;
/// The position of the piece list in the head of `WordDocument`.
const CLX: usize = 0x1A2;

pub(crate) fn text(bytes: &[u8]) -> Option<String> {
    let mut file = CompoundFile::open(Cursor::new(bytes)).ok()?;
    let document = stream(&mut file, "/WordDocument")?;
    let flags = u16_at(&document, 0x0A)?;
    if flags & ENCRYPTED != 0 {
        return None;
    }
    if u16_at(&document, 2)? < WORD_97 {
        let (from, to) = (u32_at(&document, 0x18)?, u32_at(&document, 0x1C)?);
        return Some(readable(&WINDOWS_1252.decode_without_bom_handling(document.get(from..to)?).0));
    }
    let table = stream(&mut file, if flags & SECOND_TABLE == 0 { "/0Table" } else { "/1Table" })?;
    let (from, length) = (u32_at(&document, CLX)?, u32_at(&document, CLX + 4)?);
    let pieces = pieces(table.get(from..from.checked_add(length)?)?)?;
    Some(readable(&characters(&document, pieces)?))
}

fn stream(file: &mut CompoundFile<Cursor<&[u8]>>, name: &str) -> Option<Vec<u8>> {
    let most = file.entry(name).ok()?.len();
    let mut content = Vec::new();
    file.open_stream(name).ok()?.take(most).read_to_end(&mut content).ok()?;
    Some(content)
}

/// The piece table, which follows formatting data.
fn pieces(mut clx: &[u8]) -> Option<&[u8]> {
    while *clx.first()? == 1 {
        let length = u16_at(clx, 1)?;
        clx = clx.get(3 + usize::from(length)..)?;
    }
    if *clx.first()? != 2 {
        return None;
    }
    clx.get(5..)?.get(..u32_at(clx, 1)?)
}

/// The table has `n + 1` positions in the text, then `n` descriptors of eight bytes: position and encoding of each
/// piece.
fn characters(document: &[u8], pieces: &[u8]) -> Option<String> {
    let count = pieces.len().checked_sub(4)? / 12;
    let mut text = String::new();
    for piece in 0..count {
        let (from, to) = (u32_at(pieces, piece * 4)?, u32_at(pieces, piece * 4 + 4)?);
        let place = u32_at(pieces, (count + 1) * 4 + piece * 8 + 2)?;
        let length = to.checked_sub(from)?;
        let (at, bytes, encoding): (usize, usize, &Encoding) = match place & 0x4000_0000 {
            0 => (place, length.checked_mul(2)?, UTF_16LE),
            _ => ((place & 0x3FFF_FFFF) / 2, length, WINDOWS_1252),
        };
        // In a broken file a piece may reach beyond the end.
        let end = at.saturating_add(bytes).min(document.len());
        let Some(content) = document.get(at..end) else { continue };
        text.push_str(&encoding.decode_without_bom_handling(content).0);
        if text.len() > 4 * LIMIT {
            break;
        }
    }
    Some(text)
}

/// The text without the codes of fields, pictures and notes.
fn readable(characters: &str) -> String {
    let (mut text, mut codes) = (String::new(), Vec::new());
    for letter in characters.chars() {
        match letter {
            // A field: its code, then its visible text.
            '\x13' => codes.push(true),
            '\x14' => {
                if let Some(code) = codes.last_mut() {
                    *code = false;
                }
            }
            '\x15' => drop(codes.pop()),
            _ if codes.contains(&true) => {}
            '\r' | '\x0B' | '\x0C' | '\x0E' => text.push('\n'),
            '\x07' | '\t' => text.push('\t'),
            '\x1E' => text.push('-'),
            letter if letter.is_control() => {}
            letter => text.push(letter),
        }
        if text.len() > LIMIT || codes.len() > 100 {
            break;
        }
    }
    text
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?) as usize)
}
