//! The preview of an import: the members that an import would assign to the columns of a file, some of its values, and
//! the problems for which it would be rejected. Nothing is stored. The file is read after the transaction, and only its
//! beginning is held in memory.

use super::columns::{Assigned, Members, targets};
use super::encoding::{Utf8Reader, detect, whole_characters};
use super::{Options, below, options};
use crate::api::call::{Call, Reply};
use crate::api::effects::{Format, Raw};
use crate::api::operation::Deferred;
use crate::tenant::stored_files::sent;
use crate::transfer::tabular::{self, HEAD, Layout, Taken, Targets};
use resource::{Error, Problem};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use store::Tx;

/// Most bytes of a file, as UTF-8, that are searched for its first rows.
const MOST: usize = 2 * 1024 * 1024;
/// Most rows that are searched for samples, and from which the total of longer files is estimated.
const SEARCHED: usize = 1000;
/// Most rows that are shown.
const SHOWN: usize = 5;
/// Most values that are shown of a column.
const SAMPLES: usize = 3;
/// Most characters of a value; a longer one is cut and ends with `…`.
const CELL: usize = 200;

#[derive(Debug, Serialize)]
pub struct Preview {
    pub format: &'static str,
    pub encoding: String,
    pub separator: Option<char>,
    pub columns: Vec<Column>,
    pub ignored_columns: Vec<String>,
    pub members: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
    pub total: Option<u64>,
    pub total_is_estimate: bool,
    #[serde(skip)]
    pub problems: Vec<Problem>,
}

#[derive(Debug, Serialize)]
pub struct Column {
    pub name: String,
    pub member: Option<String>,
    pub samples: Vec<String>,
}

pub fn schema() -> Json {
    let strings = json!({ "type": "array", "items": { "type": "string" } });
    json!({
        "type": "object",
        "description": "What an import of a file would make of it. Values of more than 200 characters are cut and end with `…`.",
        "required": [
            "format", "encoding", "separator", "columns", "ignored_columns", "members", "rows", "total", "total_is_estimate", "problems",
        ],
        "properties": {
            "format": { "type": "string", "enum": Format::WORDS },
            "encoding": { "type": "string", "enum": ["utf-8", "utf-16le", "utf-16be", "windows-1252"] },
            "separator": { "type": ["string", "null"], "enum": [",", ";", "\t", null], "description": "null in NDJSON." },
            "columns": {
                "type": "array",
                "description": "In the order of the file; in NDJSON the members of its first rows.",
                "items": {
                    "type": "object",
                    "required": ["name", "member", "samples"],
                    "properties": {
                        "name": { "type": "string", "description": "What `mapping` calls it." },
                        "member": {
                            "type": ["string", "null"],
                            "description": "What it stands for: by `mapping` if that names it, else as proposed by its name; null: nothing.",
                        },
                        "samples": {
                            "type": "array",
                            "maxItems": SAMPLES,
                            "description": "The first different values that are not empty.",
                            "items": { "type": "string" },
                        },
                    },
                },
            },
            "ignored_columns": { "type": "array", "items": { "type": "string" }, "description": "Columns that are not recognised." },
            "members": {
                "type": "array",
                "description": "All that a column may stand for and that an import stores. Other read-only members are ignored.",
                "items": { "type": "string" },
            },
            "rows": {
                "type": "array",
                "maxItems": SHOWN,
                "description": "The first rows, each with its values in the order of `columns`.",
                "items": strings,
            },
            "total": { "type": ["integer", "null"], "description": "Rows of the file; null where its first row is too long to tell." },
            "total_is_estimate": { "type": "boolean", "description": "`total` is estimated by the first rows." },
            "problems": {
                "type": "array",
                "description": "What `POST /imports` would refuse of the same form; empty if it would be accepted.",
                "items": {
                    "type": "object",
                    "required": ["field", "reason"],
                    "properties": { "field": { "type": "string" }, "reason": { "type": "string" } },
                },
            },
        },
    })
}

pub fn preview(call: &Call, tx: &mut dyn Tx) -> Result<Deferred, Error> {
    let options = options(call)?;
    call.key.scopes.require(options.collection.write())?;
    let members = Members::of(&call.ctx, tx, options.collection)?;
    let file = sent(call)?.content.try_clone().map_err(|error| unread(&error))?;
    Ok(Box::new(move || {
        let mut preview = Preview::of(file, &options, &members)?;
        let problems = below("options", Error::Invalid(std::mem::take(&mut preview.problems)));
        let mut answer = json!(preview);
        answer["problems"] = json!(problems.details());
        Ok(Reply::json(&answer))
    }))
}

fn unread(error: &io::Error) -> Error {
    Error::Unavailable(format!("an uploaded file can't be read: {error}"))
}

impl Preview {
    pub fn of(file: File, options: &Options, members: &Members) -> Result<Preview, Error> {
        let mut head = Head::of(file).map_err(|error| unread(&error))?;
        let beginning = &head.text[..head.text.len().min(HEAD)];
        let layout = Layout::of(options.format, whole_characters(beginning), head.is_whole)?;
        let taken = head.rows(&layout)?;
        let Assigned { targets, ignored, problems } = targets(members, options, &layout);
        let table = match layout.format {
            Format::Csv => Table::of_csv(&layout, &targets, &taken.rows),
            Format::Ndjson => Table::of_ndjson(members, &targets, &taken.rows),
        };
        let (total, total_is_estimate) = head.total(&layout, &taken);
        Ok(Preview {
            format: layout.format.word(),
            encoding: head.reader.encoding(),
            separator: (layout.format == Format::Csv).then_some(char::from(layout.delimiter)),
            columns: table.columns,
            ignored_columns: ignored,
            members: members.stored().collect(),
            rows: table.rows,
            total,
            total_is_estimate,
            problems: problems.into_iter().chain(table.problem).collect(),
        })
    }
}

/// The beginning of a file, as UTF-8.
struct Head {
    reader: Utf8Reader,
    size: u64,
    text: Vec<u8>,
    /// The text is the whole file.
    is_whole: bool,
}

impl Head {
    /// Reads as much as an import does for the header.
    fn of(mut file: File) -> io::Result<Head> {
        let (encoding, size) = (detect(&mut file)?, file.metadata()?.len());
        let mut head =
            Head { reader: Utf8Reader::new(file, encoding)?, size, text: Vec::with_capacity(HEAD), is_whole: false };
        head.read_to(HEAD)?;
        Ok(head)
    }

    /// Reads until the text has this length, and one byte more to detect the end of the file.
    fn read_to(&mut self, length: usize) -> io::Result<()> {
        let missing = (length + 1).saturating_sub(self.text.len());
        self.is_whole = (&mut self.reader).take(missing as u64).read_to_end(&mut self.text)? < missing;
        Ok(())
    }

    /// The rows after the header: at least as many as are shown, and more if they are short.
    fn rows(&mut self, layout: &Layout) -> Result<Taken, Error> {
        loop {
            let text = &self.text[layout.start..];
            let taken = tabular::take(layout.format, layout.delimiter, text, self.is_whole, SEARCHED)?;
            if taken.rows.len() >= SHOWN || self.is_whole || self.text.len() >= MOST {
                return Ok(taken);
            }
            self.read_to(self.text.len() * 2).map_err(|error| unread(&error))?;
        }
    }

    /// The number of rows in the file, and whether it is an estimate.
    fn total(&self, layout: &Layout, taken: &Taken) -> (Option<u64>, bool) {
        let searched = layout.start + taken.used;
        if self.is_whole && searched >= self.text.len() {
            return (Some(taken.rows.len() as u64), false);
        }
        if taken.rows.is_empty() {
            return (None, true);
        }
        // The header is part of the estimate, which hardly matters in large files.
        let share = searched as f64 / self.text.len() as f64 * self.reader.consumed() as f64 / self.size as f64;
        (Some((taken.rows.len() as f64 / share).round() as u64), true)
    }
}

/// The part of the rows that is shown.
#[derive(Default)]
struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
    problem: Option<Problem>,
}

impl Table {
    fn of_csv(layout: &Layout, targets: &Targets, raw: &[Raw]) -> Table {
        let column = |(name, target): (&String, &Option<tabular::Target>)| Column {
            name: name.clone(),
            member: target.as_ref().map(|target| target.member.clone()),
            samples: Vec::new(),
        };
        let mut table = Table { columns: layout.header.iter().zip(targets).map(column).collect(), ..Table::default() };
        for raw in raw {
            if let Raw::Cells(cells) = raw {
                table.add(cells.iter().take(layout.header.len()).map(String::as_str));
            }
        }
        table
    }

    fn of_ndjson(members: &Members, targets: &Targets, raw: &[Raw]) -> Table {
        let object = |raw: &Raw| match raw {
            Raw::Line(line) => serde_json::from_str::<Map<String, Json>>(line).ok(),
            Raw::Cells(_) => None,
        };
        let objects: Vec<Map<String, Json>> = raw.iter().filter_map(object).collect();
        let names = names(&objects);
        let known: HashSet<&str> = members.fields.iter().map(|field| field.name).collect();
        let mut taken: HashSet<&str> = names.iter().copied().filter(|name| known.contains(name)).collect();
        let mut member = |name: &str| match targets.iter().flatten().find(|target| target.column == name) {
            Some(target) => Some(target.member.clone()).filter(|member| !member.is_empty()),
            None if known.contains(name) => Some(name.to_owned()),
            // Two columns with the same member would overwrite each other.
            None => members.by_name(name).filter(|member| taken.insert(*member)).map(str::to_owned),
        };
        let column = |name: &&str| Column { name: (*name).into(), member: member(name), samples: Vec::new() };
        let mut table = Table { columns: names.iter().map(column).collect(), ..Table::default() };
        for object in &objects {
            let cells: Vec<String> = names.iter().map(|name| text(object.get(*name))).collect();
            table.add(cells.iter().map(String::as_str));
        }
        if objects.is_empty() && !raw.is_empty() {
            let reason = "none of the first rows is a JSON object; NDJSON has one object in each line";
            table.problem = Some(Problem { field: "file".into(), reason: reason.into() });
        }
        table
    }

    fn add<'a>(&mut self, cells: impl Iterator<Item = &'a str> + Clone) {
        for (column, cell) in self.columns.iter_mut().zip(cells.clone()) {
            let sample = || cut(cell.trim());
            if column.samples.len() < SAMPLES && !cell.trim().is_empty() && !column.samples.contains(&sample()) {
                column.samples.push(sample());
            }
        }
        if self.rows.len() < SHOWN {
            self.rows.push(cells.map(cut).collect());
        }
    }
}

/// The names of the objects' members without duplicates, up to the limits of a CSV header.
fn names(objects: &[Map<String, Json>]) -> Vec<&str> {
    let (mut names, mut seen, mut length) = (Vec::new(), HashSet::new(), 0);
    for name in objects.iter().flat_map(Map::keys) {
        if names.len() < tabular::COLUMNS && length + name.len() <= HEAD && seen.insert(name.as_str()) {
            length += name.len();
            names.push(name.as_str());
        }
    }
    names
}

fn text(value: Option<&Json>) -> String {
    match value {
        None | Some(Json::Null) => String::new(),
        Some(Json::String(text)) => cut(text),
        Some(other) => cut(&other.to_string()),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(CELL) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
