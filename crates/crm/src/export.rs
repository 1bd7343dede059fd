//! Exports: a whole collection, or what a filter leaves of it, as CSV or NDJSON, without a cap. A thousand records are
//! read by key, sent, and let go: memory stays flat, and no reading outlives a page. Not one snapshot: a record that is
//! there throughout is in it once.

use crate::collection::{Collected, Collection};
use crate::company::Company;
use crate::contact::Contact;
use crate::operation::{Call, Content, Operation, Piece, Reply, Stream, get};
use crate::scope::{COMPANIES_READ, CONTACTS_READ};
use crate::sheet::{self, Format, Lines};
use resource::{Ctx, Error, Position, Query, custom, invalid, list};
use serde_json::value::RawValue;
use serde_json::{Map, Value as Json, json};
use store::{Lane, Tx};

pub const OPERATIONS: &[Operation] = &[
    get("/exports/contacts", "export_contacts", "Export contacts")
        .scope(CONTACTS_READ)
        .exports::<Contact>()
        .read(contacts),
    get("/exports/companies", "export_companies", "Export companies")
        .scope(COMPANIES_READ)
        .exports::<Company>()
        .read(companies),
];

/// How many records are read at a time.
const PAGE: i64 = 1000;

fn contacts(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    begin(call, tx, Collection::Contacts, more_contacts)
}

fn companies(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    begin(call, tx, Collection::Companies, more_companies)
}

fn more_contacts(call: &Call, tx: &mut dyn Tx, after: &str) -> Result<Piece, Error> {
    Export::asked(Collection::Contacts, &call.query)?.piece(&call.ctx, tx, after)
}

fn more_companies(call: &Call, tx: &mut dyn Tx, after: &str) -> Result<Piece, Error> {
    Export::asked(Collection::Companies, &call.query)?.piece(&call.ctx, tx, after)
}

type More = fn(&Call, &mut dyn Tx, &str) -> Result<Piece, Error>;

fn begin(call: &Call, tx: &mut dyn Tx, collection: Collection, more: More) -> Result<Reply, Error> {
    let export = Export::asked(collection, &call.query)?;
    let first = export.piece(&call.ctx, tx, "")?;
    let stream = Stream {
        filename: format!("{}.{}", collection.word(), export.format.word()),
        content_type: match export.format {
            Format::Csv => "text/csv; charset=utf-8; header=present",
            Format::Ndjson => "application/x-ndjson",
        },
        first,
        more,
    };
    Ok(Reply::of(Content::Stream(stream)))
}

/// What is exported: a collection in a format, and the parameters of its list.
pub struct Export {
    pub collection: Collection,
    pub format: Format,
    query: Vec<(String, String)>,
}

impl Export {
    pub fn asked(collection: Collection, pairs: &[(String, String)]) -> Result<Export, Error> {
        let mut format = None;
        let mut query = Vec::new();
        for (name, text) in pairs {
            match name.as_str() {
                "format" if format.is_some() => return Err(invalid("format", "is given twice")),
                "format" => {
                    let known = Format::from_word(text);
                    let unknown = || invalid("format", format!("must be one of {}", Format::WORDS.join(", ")));
                    format = Some(known.ok_or_else(unknown)?);
                }
                "limit" | "offset" | "cursor" | "count" => {
                    return Err(invalid(
                        name.as_str(),
                        "is not a parameter of an export; it gives all that its filter leaves",
                    ));
                }
                _ => query.push((name.clone(), text.clone())),
            }
        }
        Ok(Export { collection, format: format.unwrap_or(Format::Csv), query })
    }

    /// The records after those that `after` stands for, which is empty at the beginning.
    pub fn piece(&self, ctx: &Ctx, tx: &mut dyn Tx, after: &str) -> Result<Piece, Error> {
        match self.collection {
            Collection::Contacts => self.piece_of::<Contact>(ctx, tx, after),
            Collection::Companies => self.piece_of::<Company>(ctx, tx, after),
        }
    }

    fn piece_of<R: Collected>(&self, ctx: &Ctx, tx: &mut dyn Tx, after: &str) -> Result<Piece, Error> {
        let custom = custom::fields::<R>(ctx, tx)?;
        // The columns stay those of the header, whatever is defined meanwhile.
        let (cursor, keys) = match serde_json::from_str::<(String, Vec<String>)>(after) {
            Ok(parts) => parts,
            Err(_) => (String::new(), custom.iter().filter_map(|field| field.custom.map(str::to_owned)).collect()),
        };
        let mut pairs = self.query.clone();
        pairs.push(("cursor".into(), cursor));
        let mut query = Query::parse(&R::ABOUT, R::FIELDS, &custom, &pairs)?;
        query.limit = PAGE;
        let page = list::<R>(ctx, tx, &query, &[])?;
        let whole = [b"[", &page.json[..], b"]"].concat();
        let corrupt = |error: serde_json::Error| store::Error::Corrupt(format!("a record is not JSON: {error}"));
        let bytes = match self.format {
            Format::Ndjson => {
                let records: Vec<&RawValue> = serde_json::from_slice(&whole).map_err(corrupt)?;
                let mut lines = Vec::with_capacity(whole.len() + records.len());
                for record in records {
                    lines.extend_from_slice(record.get().as_bytes());
                    lines.push(b'\n');
                }
                lines
            }
            Format::Csv => {
                let records: Vec<Map<String, Json>> = serde_json::from_slice(&whole).map_err(corrupt)?;
                let mut lines = Lines::default();
                if after.is_empty() {
                    lines.push(sheet::columns(R::FIELDS, &keys).into_iter().map(Into::into));
                }
                for record in &records {
                    lines.push(sheet::cells(R::FIELDS, &keys, record).into_iter());
                }
                lines.bytes()
            }
        };
        let next = match page.position {
            Position::Cursor { next } => next.map(|cursor| json!([cursor, keys]).to_string()),
            Position::Offset { .. } | Position::Feed { .. } | Position::Synced { .. } => None,
        };
        Ok(Piece { bytes, next })
    }

    /// Where its pages are read: a page is a thousand records long.
    pub const LANE: Lane = Lane::Slow;
}
