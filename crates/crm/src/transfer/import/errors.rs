//! The errors of the rows of an import: written with the rows, listed by page, or downloaded as a file.

use super::readable;
use crate::api::call::{Call, Content, Piece, Reply, Stream, limit};
use crate::api::effects::Raw;
use crate::transfer::tabular::{self, Lines, Target, Targets};
use resource::{Ctx, Error, Field, Page, Position, Resource, invalid};
use serde_json::{Value as Json, json};
use store::{Tx, Uuid};

/// The parameters of a list of errors.
#[derive(Resource)]
pub struct ErrorQuery {
    /// `json`, by page, or `csv`, all of them as a file.
    pub format: Option<ErrorFormat>,
    /// The size of a page; 50 if not given.
    #[field(least = 1, most = 100)]
    pub limit: Option<i64>,
    /// Empty for the first page, then meta.next_cursor.
    pub cursor: Option<String>,
}
resource::choices! {
    ErrorFormat { Json = "json", Csv = "csv" }
}

pub const QUERY: &[Field] = ErrorQuery::FIELDS;
/// Most characters of a value that are shown.
const SHOWN: usize = 200;
/// The position before the first error.
const START: (i64, i64) = (-1, 0);

pub fn schema() -> Json {
    json!({
        "type": "object",
        "description": "What is wrong with a row of an import.",
        "required": ["row", "column", "reason", "value"],
        "properties": {
            "row": { "type": "integer", "description": "The first after the header is 1." },
            "column": { "type": ["string", "null"], "description": "Its name in the file, or the member." },
            "reason": { "type": "string" },
            "value": { "type": ["string", "null"], "description": "The value in the file, shortened." },
        },
    })
}

/// The column of a problem's field, and its value.
pub fn column_of(targets: &Targets, raw: &Raw, field: &str) -> (Option<String>, Option<String>) {
    let top = field.split('.').next().unwrap_or(field);
    let column =
        |target: &Target| target.member == field || target.member == top || target.member == top.trim_end_matches('s');
    let at = targets.iter().position(|target| target.as_ref().is_some_and(column));
    let value = match raw {
        Raw::Cells(cells) => at.and_then(|at| cells.get(at)).cloned(),
        Raw::Line(line) => {
            let object = serde_json::from_str::<Json>(line).ok();
            let name = at.and_then(|at| targets[at].as_ref()).map_or(top, |target| target.column.as_str());
            match object.as_ref().and_then(|object| object.get(name)) {
                Some(Json::String(text)) => Some(text.clone()),
                Some(other) => Some(other.to_string()),
                None if object.is_none() => Some(line.clone()),
                None => None,
            }
        }
    };
    let name = at.and_then(|at| targets[at].as_ref()).map(|target| target.column.clone());
    (name.or_else(|| (field != "row").then(|| field.to_owned())), value)
}

pub fn note(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    import: Uuid,
    (row, number): (i64, i64),
    column: Option<&str>,
    reason: &str,
    value: Option<&str>,
) -> Result<(), Error> {
    const NOTE: &str = "INSERT INTO import_errors (workspace_id, import_id, place, number, column_name, reason, value) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)";
    // A NUL character may be the reason for the error, and databases can't store it.
    let short = |text: &str| text.chars().filter(|c| *c != '\0').take(SHOWN).collect::<String>();
    let params = [
        ctx.workspace.into(),
        import.into(),
        row.into(),
        number.into(),
        column.map(short).into(),
        reason.replace('\0', "").into(),
        value.map(short).into(),
    ];
    Ok(tx.execute(NOTE, &params)?)
}

struct RowError {
    place: (i64, i64),
    column: Option<String>,
    reason: String,
    value: Option<String>,
}

fn after(ctx: &Ctx, tx: &mut dyn Tx, import: Uuid, last: (i64, i64), most: i64) -> Result<Vec<RowError>, Error> {
    const ERRORS: &str = "SELECT place, number, column_name, reason, value FROM import_errors WHERE workspace_id = $1 \
         AND import_id = $2 AND (place, number) > ($3, $4) ORDER BY place, number LIMIT $5";
    let params = [ctx.workspace.into(), import.into(), last.0.into(), last.1.into(), most.into()];
    let optional =
        |value: store::Ref<'_>| if value.is_null() { Ok(None) } else { value.text().map(|t| Some(t.to_owned())) };
    Ok(tx.rows(ERRORS, &params, |row| {
        Ok(RowError {
            place: (row.int(0)?, row.int(1)?),
            column: optional(row.get(2)?)?,
            reason: row.text(3)?,
            value: optional(row.get(4)?)?,
        })
    })?)
}

/// The first errors as lines: row, column, reason, value.
pub fn first(ctx: &Ctx, tx: &mut dyn Tx, import: Uuid, most: i64) -> Result<Vec<String>, Error> {
    let line = |error: RowError| {
        let text = |text: Option<String>| text.unwrap_or_default();
        format!("{}\t{}\t{}\t{}", error.place.0, text(error.column), error.reason, text(error.value))
    };
    Ok(after(ctx, tx, import, START, most)?.into_iter().map(line).collect())
}

/// `<row>.<number>` of the last error of a page.
fn position(text: &str) -> Option<(i64, i64)> {
    let (row, number) = text.split_once('.')?;
    Some((row.parse().ok()?, number.parse().ok()?))
}

pub fn list(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let import = readable(call, tx)?;
    let asked = call.asked(QUERY)?;
    if asked.named_text("format") == Some(ErrorFormat::Csv.word()) {
        if let Some(name) = ["limit", "cursor"].into_iter().find(|name| asked.named(name).is_some()) {
            return Err(invalid(name, "can't be combined with format=csv, which returns all of them"));
        }
        let stream = Stream {
            filename: format!("import-{}-errors.csv", import.id),
            content_type: "text/csv; charset=utf-8; header=present",
            first: more(call, tx, "")?,
            more,
        };
        return Ok(Reply::of(Content::Stream(stream)));
    }
    let limit = limit(&asked);
    let last = match asked.named_text("cursor") {
        None => START,
        Some(text) => position(text).ok_or_else(|| invalid("cursor", "is not a cursor of this list"))?,
    };
    let mut found = after(&call.ctx, tx, import.id, last, limit + 1)?;
    let has_more = found.len() as i64 > limit;
    found.truncate(limit as usize);
    let next = found.last().filter(|_| has_more).map(|error| format!("{}.{}", error.place.0, error.place.1));
    let shown = |error: &RowError| {
        json!({ "row": error.place.0, "column": error.column, "reason": error.reason, "value": error.value })
            .to_string()
    };
    let json = found.iter().map(shown).collect::<Vec<_>>().join(",").into_bytes();
    let page = Page { json, limit, has_more, position: Position::Cursor { next } };
    Ok(Reply::of(Content::Page(page)))
}

fn more(call: &Call, tx: &mut dyn Tx, last: &str) -> Result<Piece, Error> {
    const PAGE: i64 = 1000;
    let import = readable(call, tx)?;
    let found = after(&call.ctx, tx, import.id, position(last).unwrap_or(START), PAGE)?;
    let mut lines = Lines::default();
    if last.is_empty() {
        lines.push(["row", "column", "reason", "value"].into_iter().map(Into::into));
    }
    for error in &found {
        let text = |text: &'_ Option<String>| tabular::guarded(text.as_deref().unwrap_or_default()).into_owned();
        let cells = [error.place.0.to_string(), text(&error.column), error.reason.clone(), text(&error.value)];
        lines.push(cells.into_iter().map(Into::into));
    }
    let end = found.last().filter(|_| found.len() as i64 == PAGE);
    Ok(Piece { bytes: lines.bytes(), next: end.map(|error| format!("{}.{}", error.place.0, error.place.1)) })
}
