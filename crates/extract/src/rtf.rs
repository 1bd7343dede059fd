//! RTF: groups, control words and characters in the encoding of the current font.

use crate::LIMIT;
use encoding_rs::{
    BIG5, EUC_KR, Encoding, GBK, MACINTOSH, SHIFT_JIS, WINDOWS_874, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252,
    WINDOWS_1253, WINDOWS_1254, WINDOWS_1255, WINDOWS_1256, WINDOWS_1257, WINDOWS_1258,
};
use std::collections::HashMap;

/// Deeper than in any real document.
const DEEPEST: usize = 1000;

/// Groups without text of the document.
const SILENT: &[&str] = &[
    "colortbl",
    "stylesheet",
    "info",
    "pict",
    "object",
    "fldinst",
    "themedata",
    "colorschememapping",
    "datastore",
    "latentstyles",
    "generator",
    "listtable",
    "listoverridetable",
    "rsidtbl",
    "xmlnstbl",
    "filetbl",
    "revtbl",
    "bkmkstart",
    "bkmkend",
    "nonshppict",
    "atnid",
    "atnauthor",
    "annotation",
    "panose",
    "falt",
    "pgptbl",
];

#[derive(Clone, Copy)]
struct Group {
    silent: bool,
    /// The font table, which gives the encoding of each font.
    fonts: bool,
    font: i64,
    /// How many characters follow a `\u` for programs that do not know it.
    fallback: i64,
}

struct Reader<'a> {
    rest: &'a [u8],
    text: String,
    /// Text bytes, decoded when the encoding is known.
    bytes: Vec<u8>,
    /// The first half of a surrogate pair.
    high: Option<u16>,
    groups: Vec<Group>,
    now: Group,
    encoding: &'static Encoding,
    fonts: HashMap<i64, &'static Encoding>,
    skip: i64,
}

pub(crate) fn text(bytes: &[u8]) -> String {
    let now = Group { silent: false, fonts: false, font: -1, fallback: 1 };
    let mut reader = Reader {
        rest: bytes,
        text: String::new(),
        bytes: Vec::new(),
        high: None,
        groups: Vec::new(),
        now,
        encoding: WINDOWS_1252,
        fonts: HashMap::new(),
        skip: 0,
    };
    while reader.text.len() < LIMIT && reader.groups.len() < DEEPEST && reader.step() {}
    reader.flush();
    reader.text
}

impl Reader<'_> {
    /// Reads one token; false at the end.
    fn step(&mut self) -> bool {
        let Some((first, rest)) = self.rest.split_first() else { return false };
        self.rest = rest;
        match first {
            b'{' => {
                self.flush();
                self.groups.push(self.now);
            }
            b'}' => {
                self.flush();
                match self.groups.pop() {
                    Some(group) => self.now = group,
                    None => return false,
                }
            }
            b'\\' => self.control(),
            b'\r' | b'\n' => {}
            byte => self.byte(*byte),
        }
        true
    }

    fn control(&mut self) {
        let Some((first, rest)) = self.rest.split_first() else { return };
        if first.is_ascii_alphabetic() {
            let (word, number) = self.word();
            return self.obey(&word, number);
        }
        self.rest = rest;
        match first {
            b'\'' => {
                let hex = rest.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
                if let Some(byte) = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
                    self.rest = &rest[2..];
                    self.byte(byte);
                }
            }
            // A destination that programs may ignore if they do not know it.
            b'*' => self.now.silent = true,
            b'~' => self.letter(' '),
            b'_' => self.letter('-'),
            b'\r' | b'\n' => self.letter('\n'),
            b'\\' | b'{' | b'}' => self.byte(*first),
            _ => {}
        }
    }

    fn word(&mut self) -> (String, Option<i64>) {
        let letters = self.rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (word, rest) = self.rest.split_at(letters);
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits = rest[sign..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = if digits > 0 { rest.split_at(sign + digits) } else { (&b""[..], rest) };
        self.rest = rest.strip_prefix(b" ").unwrap_or(rest);
        let number = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
        (String::from_utf8_lossy(word).into_owned(), number)
    }

    fn obey(&mut self, word: &str, number: Option<i64>) {
        let value = number.unwrap_or(0);
        match word {
            "par" | "line" | "row" | "page" | "sect" | "column" => self.letter('\n'),
            "tab" | "cell" | "nestcell" => self.letter('\t'),
            "emdash" => self.letter('—'),
            "endash" => self.letter('–'),
            "lquote" => self.letter('‘'),
            "rquote" => self.letter('’'),
            "ldblquote" => self.letter('“'),
            "rdblquote" => self.letter('”'),
            "bullet" => self.letter('•'),
            "emspace" | "enspace" | "qmspace" => self.letter(' '),
            "uc" => self.now.fallback = value.clamp(0, 100),
            "u" => self.unit(value),
            "bin" => self.rest = self.rest.get(usize::try_from(value).unwrap_or(0)..).unwrap_or_default(),
            "ansicpg" => self.encoding = page(value).unwrap_or(self.encoding),
            "mac" => self.encoding = MACINTOSH,
            "fonttbl" => {
                self.flush();
                self.now.fonts = true;
            }
            "f" => {
                self.flush();
                self.now.font = value;
            }
            "plain" => {
                self.flush();
                self.now.font = -1;
            }
            "fcharset" if self.now.fonts => {
                if let Some(encoding) = charset(value) {
                    self.fonts.insert(self.now.font, encoding);
                }
            }
            // The text in a drawing, which is ignored otherwise.
            "shptxt" => self.now.silent = false,
            _ if SILENT.contains(&word) => self.now.silent = true,
            _ => {}
        }
    }

    /// A UTF-16 unit, written as a signed 16-bit number.
    fn unit(&mut self, value: i64) {
        self.flush();
        let unit = value.rem_euclid(0x1_0000) as u16;
        let (high, silent) = (self.high.take(), self.now.silent || self.now.fonts);
        if (0xD800..0xDC00).contains(&unit) {
            self.high = Some(unit);
        } else if !silent {
            let units = [high.unwrap_or(unit), unit];
            let units = if high.is_some() { &units[..] } else { &units[1..] };
            self.text.extend(char::decode_utf16(units.iter().copied()).flatten());
        }
        self.skip = self.now.fallback;
    }

    fn byte(&mut self, byte: u8) {
        if self.skip > 0 {
            self.skip -= 1;
        } else if !self.now.silent && !self.now.fonts {
            self.bytes.push(byte);
        }
    }

    fn letter(&mut self, letter: char) {
        self.flush();
        if self.skip > 0 {
            self.skip -= 1;
        } else if !self.now.silent && !self.now.fonts {
            self.text.push(letter);
        }
    }

    /// Decodes the bytes so far.
    fn flush(&mut self) {
        let encoding = self.fonts.get(&self.now.font).copied().unwrap_or(self.encoding);
        self.text.push_str(&encoding.decode_without_bom_handling(&self.bytes).0);
        self.bytes.clear();
    }
}

/// The encoding of a code page.
fn page(number: i64) -> Option<&'static Encoding> {
    Some(match number {
        874 => WINDOWS_874,
        932 => SHIFT_JIS,
        936 => GBK,
        949 => EUC_KR,
        950 => BIG5,
        1250 => WINDOWS_1250,
        1251 => WINDOWS_1251,
        1252 => WINDOWS_1252,
        1253 => WINDOWS_1253,
        1254 => WINDOWS_1254,
        1255 => WINDOWS_1255,
        1256 => WINDOWS_1256,
        1257 => WINDOWS_1257,
        1258 => WINDOWS_1258,
        10000 => MACINTOSH,
        65001 => encoding_rs::UTF_8,
        _ => return None,
    })
}

/// The encoding of a font's character set; the default one is the document's.
fn charset(number: i64) -> Option<&'static Encoding> {
    page(match number {
        0 => 1252,
        77 => 10000,
        128 => 932,
        129 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    })
}
