//! DOCX and ODT: XML in a zip archive.

use crate::LIMIT;
use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, Event};
use std::io::{BufReader, Cursor, Read};
use zip::ZipArchive;

/// Maximum bytes that an archive is unpacked to.
const UNPACKED: u64 = 64 * 1024 * 1024;

type Archive<'a> = ZipArchive<Cursor<&'a [u8]>>;

/// Headers come first: a CV has its address there.
pub(crate) fn docx(bytes: &[u8]) -> Option<String> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
    let is = |name: &str, kind: &str| {
        name.strip_prefix("word/").and_then(|rest| rest.strip_prefix(kind)).is_some_and(|rest| {
            rest.strip_suffix(".xml").is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
        })
    };
    let mut parts = Vec::new();
    for kind in ["header", "document", "footnotes", "endnotes", "footer"] {
        let names = archive.file_names().flatten().map(|name| name.to_string());
        parts.extend(names.filter(|name| is(name, kind)));
    }
    let mut text = Gathered::default();
    for part in parts {
        walk(&mut archive, &part, &mut text, &DOCX);
    }
    Some(text.text)
}

/// ODT stores headers and footers with the styles.
pub(crate) fn odt(bytes: &[u8]) -> Option<String> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
    let mut text = Gathered::default();
    walk(&mut archive, "styles.xml", &mut text, &ODT);
    walk(&mut archive, "content.xml", &mut text, &ODT);
    Some(text.text)
}

/// The elements of a format that contain text, end a line, mean a space, or contain nothing to read.
struct Words {
    text: &'static [&'static str],
    lines: &'static [&'static str],
    spaces: &'static [&'static str],
    skipped: &'static [&'static str],
}

const DOCX: Words = Words {
    text: &["w:t"],
    lines: &["w:p", "w:br", "w:cr"],
    spaces: &["w:tab", "w:noBreakHyphen"],
    // A repetition of the content for older programs.
    skipped: &["mc:Fallback"],
};
const ODT: Words = Words {
    text: &["text:p", "text:h"],
    lines: &["text:p", "text:h", "text:line-break"],
    spaces: &["text:s", "text:tab"],
    skipped: &["text:tracked-changes", "office:annotation", "text:note-citation", "office:scripts"],
};

#[derive(Default)]
struct Gathered {
    text: String,
    /// Bytes unpacked so far.
    unpacked: u64,
}

impl Gathered {
    fn add(&mut self, text: &str) {
        let room = LIMIT.saturating_sub(self.text.len()).min(text.len());
        self.text.push_str(&text[..text.floor_char_boundary(room)]);
    }
}

/// Collects the text of one part; broken XML ends it, and the text before stays.
fn walk(archive: &mut Archive<'_>, part: &str, out: &mut Gathered, words: &Words) {
    let Ok(file) = archive.by_name(part) else { return };
    let left = UNPACKED.saturating_sub(out.unpacked);
    let mut reader = Reader::from_reader(BufReader::new(file.take(left)));
    reader.config_mut().check_end_names = false;
    let (mut buffer, mut inside, mut skipped) = (Vec::new(), 0_usize, 0_usize);
    while out.text.len() < LIMIT {
        let Ok(event) = reader.read_event_into(&mut buffer) else { break };
        match event {
            Event::Eof => break,
            Event::Start(tag) => {
                skipped += usize::from(skipped > 0 || words.skipped.contains(&tag.name().0));
                inside += usize::from(words.text.contains(&tag.name().0));
            }
            Event::End(tag) => {
                skipped = skipped.saturating_sub(1);
                inside = inside.saturating_sub(usize::from(words.text.contains(&tag.name().0)));
                if words.lines.contains(&tag.name().0) {
                    out.add("\n");
                }
            }
            Event::Empty(tag) => {
                if words.lines.contains(&tag.name().0) {
                    out.add("\n");
                } else if words.spaces.contains(&tag.name().0) {
                    out.add(" ");
                }
            }
            Event::Text(text) if inside > 0 && skipped == 0 => out.add(&text),
            Event::CData(text) if inside > 0 && skipped == 0 => out.add(&text),
            Event::GeneralRef(entity) if inside > 0 && skipped == 0 => add_entity(out, &entity),
            _ => {}
        }
        buffer.clear();
    }
    out.unpacked += left - reader.into_inner().into_inner().limit();
}

/// `&amp;`, `&#233;`; entities that the document itself defines are left out, so that none can expand.
fn add_entity(out: &mut Gathered, entity: &BytesRef<'_>) {
    match entity.resolve_char_ref() {
        Ok(Some(letter)) => out.add(letter.encode_utf8(&mut [0; 4])),
        _ => out.add(resolve_predefined_entity(entity).unwrap_or_default()),
    }
}
