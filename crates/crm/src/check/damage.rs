//! Finds stored data that can't be read: decodes every row of every resource, and parses every column with a structured
//! value as the rules do.

use crate::api::scope::{Role, Scopes};
use crate::erasure::list::Entry;
use crate::jobs;
use crate::outreach::enrollment::{StoredState, counts};
use crate::outreach::message::MessageKind;
use crate::outreach::outbox::Content;
use crate::outreach::sequence::{plan, window::Schedule};
use crate::resources::RESOURCES;
use crate::sourcing::enrichment::EnrichmentType;
use resource::{Ctx, Error, Place, place};
use serde_json::{Map, Value as Json};
use store::{Row, Tx, Uuid, Value};

/// Most errors that are reported of one table.
const MOST: usize = 1000;
/// Rows per page.
const PAGE: usize = 1000;

/// A column with a structured value, and how to parse it.
struct Column {
    table: &'static str,
    /// The columns that identify a row within the workspace; reports contain the first one.
    keys: &'static [&'static str],
    column: &'static str,
    read: fn(&Place, &str) -> Result<(), Error>,
}

const fn column(
    table: &'static str,
    keys: &'static [&'static str],
    column: &'static str,
    read: fn(&Place, &str) -> Result<(), Error>,
) -> Column {
    Column { table, keys, column, read }
}

const COLUMNS: &[Column] = &[
    column("enrollments", &["id"], "state", |place, text| place.json::<StoredState>(text).map(drop)),
    column("sequences", &["id"], "enrollments", |place, text| counts::read_counts(place, text).map(drop)),
    column("sequences", &["id"], "schedule_config", |place, text| {
        Schedule::of(&place.json(text)?).map(drop).map_err(|error| place.complete(error))
    }),
    column("sequence_versions", &["sequence_id", "version"], "steps", |place, text| {
        plan::read(&place.json::<Vec<Map<String, Json>>>(text)?).map(drop).map_err(|error| place.complete(error))
    }),
    column("merges", &["id"], "kept", |place, text| {
        let kept: Map<String, Json> = place.json(text)?;
        // A merge that is still being written has no rows yet.
        let rows: Option<Vec<Map<String, Json>>> = place.part(kept.get("rows").unwrap_or(&Json::Null))?;
        let ids = rows.iter().flatten().map(|row| place.part::<Uuid>(row.get("id").unwrap_or(&Json::Null)));
        ids.collect::<Result<Vec<_>, _>>().map(drop)
    }),
    column("merge_links", &["record", "merge_id", "collection", "from_id"], "kept", |place, text| {
        place.json::<Json>(text).map(drop)
    }),
    column("imports", &["id"], "layout", |place, text| {
        place.json::<(u8, Vec<Option<(String, String)>>)>(text).map(drop)
    }),
    column("imports", &["id"], "actor", |place, text| place.json::<Map<String, Json>>(text).map(drop)),
    column("import_made", &["import_id", "place"], "records", |place, text| {
        place.json::<Vec<(i64, Uuid)>>(text).map(drop)
    }),
    column("import_changed", &["record", "import_id", "place"], "changes", |place, text| {
        place.json::<Vec<(String, Json, Json)>>(text).map(drop)
    }),
    column("sends", &["message_id"], "letter", |place, text| place.json::<Content>(text).map(drop)),
    column("sends", &["message_id"], "kind", |place, text| place.word(text, MessageKind::from_word).map(drop)),
    column("enrichment_requests", &["id"], "types", |place, text| {
        let words: Vec<String> = place.json(text)?;
        words.iter().try_for_each(|word| place.word(word, EnrichmentType::from_word).map(drop))
    }),
    column("enrichment_providers", &["id"], "finds", |place, text| {
        text.split_whitespace().try_for_each(|word| place.word(word, EnrichmentType::from_word).map(drop))
    }),
    column("members", &["user_id"], "role", |place, text| place.word(text, Role::from_word).map(drop)),
    column("invitations", &["id"], "role", |place, text| place.word(text, Role::from_word).map(drop)),
    column("api_keys", &["id"], "scopes", |place, text| {
        place.word(text, |scopes| Scopes::parse(scopes).ok()).map(drop)
    }),
    column("message_drafts", &["id"], "members", |place, text| place.json::<Map<String, Json>>(text).map(drop)),
    column("erasures", &["id"], "entry", |place, text| place.json::<Entry>(text).map(drop)),
    column("events", &["place"], "changes", |place, text| place.json::<Map<String, Json>>(text).map(drop)),
];

/// The errors of all data that can't be read.
pub(super) fn find_all(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<Error>, Error> {
    let mut found = Vec::new();
    for resource in RESOURCES {
        found.extend((resource.damaged)(ctx, tx, MOST)?);
    }
    for column in COLUMNS {
        for error in column.find(ctx, tx)? {
            let is_known = |known: &Error| match (known.corrupt(), error.corrupt()) {
                (Some(known), Some(new)) => {
                    (&known.table, &known.column, &known.id) == (&new.table, &new.column, &new.id)
                }
                _ => false,
            };
            if !found.iter().any(is_known) {
                found.push(error);
            }
        }
    }
    found.extend(jobs(ctx, tx)?);
    Ok(found)
}

impl Column {
    fn find(&self, ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<Error>, Error> {
        let (keys, width) = (self.keys.join(", "), self.keys.len());
        let places: Vec<String> = (2..2 + width).map(|n| format!("${n}")).collect();
        let (mut found, mut last): (Vec<Error>, Option<Vec<Value>>) = (Vec::new(), None);
        loop {
            let after = last.as_ref().map_or(String::new(), |_| format!(" AND ({keys}) > ({})", places.join(", ")));
            let sql = format!(
                "SELECT {keys}, {} FROM {} WHERE workspace_id = $1{after} ORDER BY {keys} LIMIT {PAGE}",
                self.column, self.table
            );
            let mut params: Vec<Value> = vec![ctx.workspace.into()];
            params.extend(last.take().into_iter().flatten());
            let rows = tx.rows(&sql, &params, |row| {
                let keys =
                    (0..width).map(|at| Ok(row.get(at)?.to_value())).collect::<Result<Vec<_>, store::Error>>()?;
                Ok((keys, self.read(row, width)))
            })?;
            let is_full = rows.len() == PAGE;
            for (keys, read) in rows {
                last = Some(keys);
                found.extend(read.err());
            }
            if !is_full || found.len() >= MOST {
                return Ok(found);
            }
        }
    }

    fn read(&self, row: &dyn Row, column: usize) -> Result<(), Error> {
        let id = identity(row);
        let place = place(self.table, self.column, &id);
        match row.maybe_text(column).map_err(|error| place.complete(error.into()))? {
            Some(text) => (self.read)(&place, &text),
            None => Ok(()),
        }
    }
}

/// The first key, for reports.
fn identity(row: &dyn Row) -> String {
    let id = row.id(0).map(|id| id.to_string());
    id.or_else(|_| row.int(0).map(|number| number.to_string())).unwrap_or_default()
}

/// Jobs whose payload can't be read.
fn jobs(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<Error>, Error> {
    const JOBS: &str = "SELECT id, kind, payload FROM jobs WHERE workspace_id = $1";
    let read = |row: &dyn Row| -> Result<(), Error> {
        let (id, kind) = (row.id(0)?, row.text(1)?);
        let payload = row.text(2).map_err(|error| error.in_row("jobs", id))?;
        jobs::check(id, &kind, &payload)
    };
    let found = tx.rows(JOBS, &[ctx.workspace.into()], |row| Ok(read(row).err()))?;
    Ok(found.into_iter().flatten().take(MOST).collect())
}
