//! Exports: a whole collection, or the records that match a filter, as CSV or NDJSON, without a limit. Pages of a
//! thousand records are read by cursor and sent one after another, so that memory use stays flat and each transaction
//! is short. The export is not a snapshot, but a record that exists throughout is contained once.

use crate::api::call::{Call, Content, Piece, Reply, Stream};
use crate::api::effects::Format;
use crate::api::operation::{Operation, get};
use crate::api::scope::{COMPANIES_READ, CONTACTS_READ};
use crate::records::collection::{Collected, Collection};
use crate::records::company::Company;
use crate::records::contact::Contact;
use crate::transfer::tabular::{self, Lines};
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

/// Records per page.
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

/// An export: a collection in a format, and the parameters of its list.
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
                "fields" => return Err(invalid("fields", "is not a parameter of an export; it gives all members")),
                _ => query.push((name.clone(), text.clone())),
            }
        }
        Ok(Export { collection, format: format.unwrap_or(Format::Csv), query })
    }

    /// The records after the position `after`, which is empty at the beginning.
    pub fn piece(&self, ctx: &Ctx, tx: &mut dyn Tx, after: &str) -> Result<Piece, Error> {
        match self.collection {
            Collection::Contacts => self.piece_of::<Contact>(ctx, tx, after),
            Collection::Companies => self.piece_of::<Company>(ctx, tx, after),
        }
    }

    fn piece_of<R: Collected>(&self, ctx: &Ctx, tx: &mut dyn Tx, after: &str) -> Result<Piece, Error> {
        let custom = custom::fields::<R>(ctx, tx)?;
        // The columns stay those of the header, even if custom fields change during the export.
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
        let corrupt = |_| store::corrupt(R::ABOUT.table, "", "one of a page", "is not shown as JSON");
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
                    lines.push(tabular::columns(R::FIELDS, &keys).into_iter().map(Into::into));
                }
                for record in &records {
                    lines.push(tabular::cells(R::FIELDS, &keys, record).into_iter());
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

    /// The lane of its pages, which have a thousand records.
    pub const LANE: Lane = Lane::Slow;
}
