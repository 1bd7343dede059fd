//! Records as CSV and NDJSON. Everything that is written can be read back without loss: a list is one cell with `; `
//! between items and `\` before a `;` or `\` inside one, addresses have their type in front (`work:ann@example.com`),
//! custom fields have columns of their own, and a cell that a spreadsheet would run as a formula starts with an
//! apostrophe.

use crate::api::effects::{Format, Raw};
use resource::{Error, Field, Kind, invalid, plain};
use serde_json::{Map, Number, Value as Json};
use std::borrow::Cow;

/// The columns of a collection: its shown fields, with one column for each custom field instead of `custom_data`.
pub fn columns(fields: &'static [Field], custom: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    for field in fields.iter().filter(|field| !field.hidden) {
        match field.kind {
            Kind::Object => names.extend(custom.iter().map(|key| format!("{}.{key}", field.name))),
            _ => names.push(field.name.to_owned()),
        }
    }
    names
}

/// Lines of CSV, with the line endings of spreadsheets.
pub struct Lines(csv::Writer<Vec<u8>>);

impl Default for Lines {
    fn default() -> Lines {
        Lines(csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new()))
    }
}

impl Lines {
    pub fn push<'a>(&mut self, cells: impl Iterator<Item = Cow<'a, str>>) {
        // Writing to memory can't fail.
        let _ = self.0.write_record(cells.map(|cell| cell.into_owned().into_bytes()));
    }
    pub fn bytes(self) -> Vec<u8> {
        self.0.into_inner().unwrap_or_default()
    }
}

/// The cells of a record in the form of the API.
pub fn cells<'a>(fields: &'static [Field], custom: &'a [String], record: &'a Map<String, Json>) -> Vec<Cow<'a, str>> {
    let mut cells = Vec::new();
    for field in fields.iter().filter(|field| !field.hidden) {
        let value = record.get(field.name).unwrap_or(&Json::Null);
        match field.kind {
            Kind::Object => cells.extend(custom.iter().map(|key| cell(value.get(key).unwrap_or(&Json::Null)))),
            _ => cells.push(cell(value)),
        }
    }
    cells
}

fn cell(value: &Json) -> Cow<'_, str> {
    match value {
        Json::Null => "".into(),
        Json::String(text) => guarded(text),
        Json::Bool(_) | Json::Number(_) => value.to_string().into(),
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| escaped(&item_text(item))).collect();
            guarded(&items.join("; ")).into_owned().into()
        }
        Json::Object(_) => guarded(&value.to_string()).into_owned().into(),
    }
}

/// An address has its type in front.
fn item_text(item: &Json) -> Cow<'_, str> {
    match item {
        Json::String(text) => text.into(),
        Json::Object(members) => {
            let (mut kind, mut text) = ("", "");
            for (name, value) in members {
                let value = value.as_str().unwrap_or_default();
                if name == "type" { kind = value } else { text = value }
            }
            format!("{kind}:{text}").into()
        }
        other => other.to_string().into(),
    }
}

fn escaped(item: &str) -> String {
    item.replace('\\', "\\\\").replace(';', "\\;")
}

/// Whether a spreadsheet treats the character as the beginning of a formula.
fn runs(c: char) -> bool {
    matches!(c, '=' | '+' | '-' | '@' | '\t' | '\r' | '\n')
}

/// A text that no spreadsheet runs. A text that already looks guarded gets one more apostrophe, so that none is lost
/// when it is read.
pub fn guarded(text: &str) -> Cow<'_, str> {
    let rest = text.trim_start_matches('\'');
    let odd = rest.starts_with(runs) || text.len() - rest.len() > 1;
    if odd { format!("'{text}").into() } else { text.into() }
}

/// The text before `guarded`; a plain apostrophe that other programs wrote stays.
fn unguarded(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(rest) if rest.starts_with(|c| runs(c) || c == '\'') => rest,
        _ => cell,
    }
}

/// A cell as a member of a body, by the kind of its field; `None` if it is empty. A value that does not fit stays text,
/// and the check of the body reports it.
fn value_of(field: &Field, column: &str, cell: &str) -> Option<Json> {
    let cell = unguarded(cell).trim();
    if cell.is_empty() {
        return None;
    }
    let text = || Json::from(cell);
    Some(match field.kind {
        Kind::Int | Kind::Amount | Kind::Number => {
            serde_json::from_str::<Number>(cell).map_or_else(|_| text(), Json::Number)
        }
        Kind::Bool => match cell.to_lowercase().as_str() {
            "true" | "yes" | "y" | "1" | "ja" | "wahr" | "oui" | "vrai" | "sí" | "si" | "sì" | "vero" | "sim" => {
                true.into()
            }
            "false" | "no" | "n" | "0" | "nein" | "falsch" | "non" | "faux" | "falso" | "nee" | "não" | "nao" => {
                false.into()
            }
            _ => text(),
        },
        Kind::Texts | Kind::Labels | Kind::Ids => items(cell).into_iter().map(Json::from).collect(),
        Kind::Items(members) => items(cell).iter().map(|item| address(members, item, column)).collect(),
        Kind::Object => serde_json::from_str(cell).unwrap_or_else(|_| text()),
        _ => text(),
    })
}

fn items(cell: &str) -> Vec<String> {
    let (mut items, mut item, mut letters) = (Vec::new(), String::new(), cell.chars().peekable());
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if matches!(letters.peek(), Some('\\' | ';')) => item.extend(letters.next()),
            ';' => items.push(std::mem::take(&mut item)),
            _ => item.push(letter),
        }
    }
    items.push(item);
    items.iter().map(|item| item.trim().to_owned()).filter(|item| !item.is_empty()).collect()
}

/// The type of the addresses in a column, by its name.
fn type_of(column: &str) -> Option<&'static str> {
    const PRIVATE: &[&str] = &[
        "home",
        "personal",
        "private",
        "privat",
        "mobile",
        "mobil",
        "cell",
        "handy",
        "portable",
        "movil",
        "cellulare",
    ];
    const WORK: &[&str] =
        &["work", "business", "office", "geschaft", "dienst", "travail", "bureau", "trabajo", "lavoro", "zakelijk"];
    let name = plain(column);
    let says = |words: &[&str]| words.iter().any(|word| name.contains(word));
    match (says(WORK), says(PRIVATE)) {
        (true, _) => Some("work"),
        (false, true) => Some("personal"),
        (false, false) => None,
    }
}

/// `work:ann@example.com`; without a type, the name of the column may say it.
fn address(members: &[Field], item: &str, column: &str) -> Json {
    let (first, kinds) = (members.first().map_or("", |field| field.name), members.iter().find(|f| f.name == "type"));
    let words = match kinds.map(|field| field.kind) {
        Some(Kind::Choice(words)) => words,
        _ => &[],
    };
    let typed = item.split_once(':').map(|(kind, rest)| (kind.trim().to_lowercase(), rest.trim()));
    let mut object = Map::new();
    match typed.filter(|(kind, _)| words.contains(&kind.as_str())) {
        Some((kind, rest)) => {
            object.insert(first.into(), rest.into());
            object.insert("type".into(), kind.into());
        }
        None => {
            object.insert(first.into(), item.into());
            let kind = type_of(column).filter(|kind| words.contains(kind));
            object.extend(kind.map(|kind| ("type".to_owned(), kind.into())));
        }
    }
    object.into()
}

// ---- reading ----

/// How to read the rows of a file: detected from its beginning, stored with the import.
pub struct Layout {
    pub format: Format,
    pub delimiter: u8,
    /// The column names of a CSV file.
    pub header: Vec<String>,
    /// The start of the rows, in bytes.
    pub start: usize,
}

/// Most bytes that are read to detect the layout.
pub const HEAD: usize = 256 * 1024;
/// Most bytes of a row.
pub const LONGEST: usize = 8 * 1024 * 1024;
/// Most columns.
pub const COLUMNS: usize = 1000;

impl Layout {
    /// `whole`: `head` is the whole file.
    pub fn of(format: Format, head: &str, whole: bool) -> Result<Layout, Error> {
        if is_binary(head) {
            return Err(invalid("file", "is not a text file; save it as CSV or NDJSON, then send that"));
        }
        let mark = head.len() - head.trim_start_matches('\u{feff}').len();
        if format == Format::Ndjson {
            return Ok(Layout { format, delimiter: b'\n', header: Vec::new(), start: mark });
        }
        let delimiter = delimiter(&head[mark..]);
        let taken = take(format, delimiter, &head.as_bytes()[mark..], whole, 1 + PREAMBLE)?;
        let at = preamble(&taken.rows);
        let Some(first) = taken.rows.into_iter().nth(at) else {
            let why = if whole { "has no header row" } else { "has a header row that is too long" };
            return Err(invalid("file", why));
        };
        let Raw::Cells(cells) = first else { return Err(invalid("file", "has no header row")) };
        let end = taken.ends.get(at).copied().unwrap_or_default();
        let header: Vec<String> = cells.iter().map(|cell| unguarded(cell).trim().to_owned()).collect();
        if header.len() > COLUMNS {
            return Err(invalid("file", format!("has more than {COLUMNS} columns")));
        }
        Ok(Layout { format, delimiter, header, start: mark + end })
    }
}

/// Most rows of notes before the header.
const PREAMBLE: usize = 5;

/// How many rows are before the header. Some exports begin with `Notes:` and a text.
fn preamble(rows: &[Raw]) -> usize {
    let filled = |row: &Raw| match row {
        Raw::Cells(cells) => cells.iter().filter(|cell| !cell.trim().is_empty()).count(),
        Raw::Line(_) => 0,
    };
    let is_note =
        |row: &Raw| matches!(row, Raw::Cells(cells) if filled(row) == 1 && cells[0].trim_end().ends_with(':'));
    match rows.first().is_some_and(is_note) {
        true => rows.iter().position(|row| filled(row) > 1).unwrap_or(0),
        false => 0,
    }
}

/// Whether more than one in fifty characters does not occur in text, as in a picture, an archive or a spreadsheet file.
fn is_binary(head: &str) -> bool {
    let unfit = |c: &char| *c == char::REPLACEMENT_CHARACTER || c.is_control() && !matches!(c, '\t' | '\r' | '\n');
    head.chars().filter(unfit).count() * 50 > head.chars().count()
}

/// The most frequent separator of the first line, outside quotes.
fn delimiter(head: &str) -> u8 {
    let (mut counts, mut quoted) = ([(b',', 0), (b';', 0), (b'\t', 0)], false);
    for byte in head.bytes() {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' | b'\r' if !quoted => break,
            _ if !quoted => counts.iter_mut().filter(|(sign, _)| *sign == byte).for_each(|(_, n)| *n += 1),
            _ => {}
        }
    }
    counts.iter().rev().max_by_key(|(_, n)| *n).map_or(b',', |(sign, _)| *sign)
}

pub struct Taken {
    pub rows: Vec<Raw>,
    /// The end of each row, in bytes.
    pub ends: Vec<usize>,
    /// The number of bytes of these rows.
    pub used: usize,
}

/// The first complete rows of `text`, at most `most`; `last` means that the file ends with it.
pub fn take(format: Format, delimiter: u8, text: &[u8], last: bool, most: usize) -> Result<Taken, Error> {
    let mut taken = Taken { rows: Vec::new(), ends: Vec::new(), used: 0 };
    match format {
        Format::Ndjson => {
            while taken.rows.len() < most && taken.used < text.len() {
                let rest = &text[taken.used..];
                let (line, used) = match memchr::memchr(b'\n', rest) {
                    Some(end) => (&rest[..end], end + 1),
                    None if last => (rest, rest.len()),
                    None => break,
                };
                taken.used += used;
                if !line.iter().all(u8::is_ascii_whitespace) {
                    taken.rows.push(Raw::Line(String::from_utf8_lossy(line).into_owned()));
                    taken.ends.push(taken.used);
                }
            }
        }
        Format::Csv => {
            let mut reader =
                csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text);
            let mut record = csv::ByteRecord::new();
            while taken.rows.len() < most {
                let more = reader.read_byte_record(&mut record);
                let at = reader.position().byte() as usize;
                // A row that ends with the text may continue after it.
                if !more.map_err(|error| invalid("file", error.to_string()))? || (at >= text.len() && !last) {
                    if last {
                        taken.used = text.len();
                    }
                    break;
                }
                taken.used = at;
                if record.iter().any(|cell| !cell.is_empty()) {
                    let text = |cell: &[u8]| String::from_utf8_lossy(cell).into_owned();
                    taken.rows.push(Raw::Cells(record.iter().map(text).collect()));
                    taken.ends.push(at);
                }
            }
        }
    }
    Ok(taken)
}

/// The members of the columns of a file; `None` if a column is ignored.
pub type Targets = Vec<Option<Target>>;

#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The name of the column in the file.
    pub column: String,
    /// The member; `custom_data.<key>` for a custom field.
    pub member: String,
}

/// A row as a body.
pub fn body(fields: &[&'static Field], targets: &Targets, raw: &Raw) -> Result<Map<String, Json>, Error> {
    let mut body = match raw {
        Raw::Cells(cells) => from_cells(fields, targets, cells)?,
        Raw::Line(line) => {
            let object = match serde_json::from_str(line) {
                Ok(Json::Object(object)) => object,
                Ok(_) => return Err(invalid("row", "must be a JSON object")),
                Err(error) => return Err(invalid("row", format!("is not valid JSON: {error}"))),
            };
            renamed(targets, object)
        }
    };
    divide_name(&mut body);
    Ok(body)
}

/// Words that a last name may begin with.
const PARTICLES: &[&str] = &[
    "von", "van", "de", "der", "den", "zu", "zur", "da", "di", "del", "della", "dos", "das", "du", "des", "la", "le",
    "ter", "ten", "bin", "ibn", "al", "el", "st.",
];

/// Replaces `full_name` by `first_name` and `last_name`, unless the row has them.
fn divide_name(body: &mut Map<String, Json>) {
    let Some(Json::String(whole)) = body.remove("full_name") else { return };
    let (first, last) = match whole.split_once(',') {
        Some((last, first)) if !first.trim().is_empty() => (first.trim().to_owned(), last.trim().to_owned()),
        _ => {
            let words: Vec<&str> = whole.split_whitespace().collect();
            let is_particle = |word: &&str| PARTICLES.contains(&word.to_lowercase().as_str());
            let from = words.iter().skip(1).position(is_particle).map_or(words.len().saturating_sub(1), |at| at + 1);
            (words[..from.max(1).min(words.len())].join(" "), words.get(from.max(1)..).unwrap_or_default().join(" "))
        }
    };
    for (member, part) in [("first_name", first), ("last_name", last)] {
        if !part.is_empty() && !body.contains_key(member) {
            body.insert(member.to_owned(), part.into());
        }
    }
}

fn from_cells(fields: &[&'static Field], targets: &Targets, cells: &[String]) -> Result<Map<String, Json>, Error> {
    if cells.len() > targets.len() && cells[targets.len()..].iter().any(|cell| !cell.trim().is_empty()) {
        return Err(invalid("row", format!("has {} cells where the header has {}", cells.len(), targets.len())));
    }
    let (mut body, mut custom) = (Map::new(), Map::new());
    for (target, cell) in targets.iter().zip(cells) {
        let Some(target) = target else { continue };
        let Some(field) = fields.iter().find(|field| field.name == target.member) else { continue };
        let Some(value) = value_of(field, &target.column, cell) else { continue };
        let (place, name) = match field.custom {
            Some(key) => (&mut custom, key),
            None => (&mut body, field.name),
        };
        match (place.get_mut(name), value) {
            // Several columns of one list are joined.
            (Some(Json::Array(items)), Json::Array(more)) => items.extend(more),
            (_, value) => drop(place.insert(name.to_owned(), value)),
        }
    }
    if let Some(Json::Object(whole)) = body.get_mut("custom_data") {
        whole.extend(custom);
    } else if !custom.is_empty() {
        body.insert("custom_data".into(), custom.into());
    }
    Ok(body)
}

/// Renames the members of a JSON line by the mapping.
fn renamed(targets: &Targets, object: Map<String, Json>) -> Map<String, Json> {
    let (mut body, mut custom) = (Map::new(), Map::new());
    for (name, value) in object {
        let target = targets.iter().flatten().find(|target| target.column == name);
        match target.map_or(name.as_str(), |target| target.member.as_str()) {
            "" => {}
            member => match member.strip_prefix("custom_data.") {
                Some(key) => drop(custom.insert(key.to_owned(), value)),
                None => drop(body.insert(member.to_owned(), value)),
            },
        }
    }
    match body.get_mut("custom_data") {
        Some(Json::Object(whole)) => whole.extend(custom),
        _ if !custom.is_empty() => drop(body.insert("custom_data".into(), custom.into())),
        _ => {}
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn formulas_are_guarded_and_read_back() {
        for text in ["=1+1", "+33", "-5", "@x", "\tx", "\rx", "'=x", "''", "'''a", "'t Hooft", "'", "", "plain", "''=x"]
        {
            let cell = guarded(text);
            assert!(!cell.starts_with(runs), "{cell:?}");
            assert_eq!(unguarded(&cell), text, "{cell:?}");
        }
        assert_eq!((&*guarded("=1+1"), &*guarded("'t Hooft")), ("'=1+1", "'t Hooft"));
    }

    #[test]
    fn lists_are_read_back() {
        for list in [json!(["a"]), json!(["a;b", "c\\", "\\;", "d e"]), json!(["=x", "y"]), json!(["'=x"])] {
            let cell = cell(&list).into_owned();
            let read: Json = items(unguarded(&cell)).into_iter().map(Json::from).collect();
            assert_eq!(read, list, "{cell}");
        }
        assert_eq!(items("a; b ;; C:\\x"), ["a", "b", "C:\\x"]);
    }

    #[test]
    fn only_complete_rows_are_read() {
        let text = "a,b\r\n\"x\ny\",\"q\"\"\"\r\n\r\nlast,\n";
        let whole = take(Format::Csv, b',', text.as_bytes(), true, 100).unwrap();
        assert_eq!((whole.rows.len(), whole.used), (3, text.len()));
        for cut in 0..text.len() {
            let first = take(Format::Csv, b',', &text.as_bytes()[..cut], false, 100).unwrap();
            let rest = take(Format::Csv, b',', &text.as_bytes()[first.used..], true, 100).unwrap();
            let rows: Vec<Raw> = first.rows.into_iter().chain(rest.rows).collect();
            assert_eq!(rows, whole.rows, "cut at {cut}");
        }
    }

    #[test]
    fn the_most_frequent_delimiter_wins() {
        assert_eq!(delimiter("a,b;c,d\n;;;;"), b',');
        assert_eq!(delimiter("\"a,b,c\";d;e"), b';');
        assert_eq!(delimiter("a\tb"), b'\t');
        assert_eq!(delimiter("a"), b',');
    }
}
