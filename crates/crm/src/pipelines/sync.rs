//! Pipeline entries of the whole workspace, for clients that keep a copy: everything that changed after a time, up to a
//! checkpoint. A commit locks the head row of its workspace, which gives it its stamp, until it is complete. So a
//! snapshot whose head has the stamp `c` contains everything with a stamp up to `c`, and later commits get later
//! stamps.

use crate::api::call::{Call, Content, Reply, limit};
use crate::api::operation::{Operation, get};
use crate::api::scope::{CONTACTS_READ, PIPELINE_READ, PROJECTS_READ};
use crate::pipelines::entry::{Entry, PROJECT, STAGE};
use crate::records::contact::Contact;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use resource::{
    Changes, Ctx, Error, Field, Link, Page, Position, Rendered, Resource, Time, columns, invalid, record_schema,
};
use serde_json::{Value as Json, json};
use store::{Tx, Uuid, Value};

/// The parameters of a synchronization.
#[derive(Resource)]
pub struct SyncQuery {
    /// Exclusive: an RFC 3339 time, the checkpoint of the last run. Without it, all entries are returned.
    pub updated_after: Option<Time>,
    /// Related records to include, separated by commas: contact, project, stage.
    pub include: Option<String>,
    /// The size of a page; 50 if not given.
    #[field(least = 1, most = 100)]
    pub limit: Option<i64>,
    /// Empty for the first page, then meta.next_cursor.
    pub cursor: Option<String>,
}

const QUERY: &[Field] = SyncQuery::FIELDS;

pub const OPERATIONS: &[Operation] =
    &[get("/pipeline-entries", "sync_entries", "List changed pipeline entries, up to a checkpoint")
        .scope(PIPELINE_READ)
        .query(QUERY)
        .gives_synced("SyncedEntry", schema)
        .read(follow)];

const CONTACT: Link = Link::to::<Contact>("contact", "contact_id");

fn schema() -> Json {
    let mut schema = record_schema(Entry::FIELDS, &[]);
    schema["description"] = "An entry, with the related records that were included.".into();
    let whole = record_schema(Entry::FIELDS, &[STAGE, CONTACT, PROJECT]);
    for link in [STAGE, CONTACT, PROJECT] {
        schema["properties"][link.name] = whole["properties"][link.name].clone();
    }
    schema
}

fn follow(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let asked = call.asked(QUERY)?;
    let links = included(call, &asked)?;
    let after = strict(call)?;
    let head = head(&call.ctx, tx)?;
    let run = match asked.named_text("cursor") {
        None => Run { after: after.unwrap_or(i64::MIN), checkpoint: head, last: None },
        Some(text) => {
            let run = Run::read(&call.ctx, text, head)?;
            if after.is_some_and(|after| after != run.after) {
                return Err(invalid(
                    "updated_after",
                    "is not that of the run that the cursor belongs to; leave it out",
                ));
            }
            run
        }
    };
    let page = run.page(&call.ctx, tx, limit(&asked), links)?;
    Ok(Reply::of(Content::Page(page)))
}

/// The lower bound, which must be a time, not a date.
fn strict(call: &Call) -> Result<Option<i64>, Error> {
    let Some((name, text)) = call.query.iter().find(|(name, _)| name == "updated_after") else { return Ok(None) };
    let time = Time::parse_strict(text).ok_or_else(|| invalid(name.as_str(), "must be an RFC 3339 time"))?;
    Ok(Some(time.0))
}

fn included(call: &Call, asked: &Changes) -> Result<&'static [Link], Error> {
    let (mut stage, mut contact, mut project) = (false, false, false);
    for word in asked.named_text("include").into_iter().flat_map(|words| words.split(',')) {
        match word.trim() {
            "stage" => stage = true,
            "contact" => contact = true,
            "project" => project = true,
            _ => return Err(invalid("include", "takes contact, project and stage, separated by commas")),
        }
    }
    if contact {
        call.key.scopes.require(CONTACTS_READ)?;
    }
    if project {
        call.key.scopes.require(PROJECTS_READ)?;
    }
    Ok(match (stage, contact, project) {
        (false, false, false) => &[],
        (true, false, false) => const { &[STAGE] },
        (false, true, false) => const { &[CONTACT] },
        (false, false, true) => const { &[PROJECT] },
        (true, true, false) => const { &[STAGE, CONTACT] },
        (true, false, true) => const { &[STAGE, PROJECT] },
        (false, true, true) => const { &[CONTACT, PROJECT] },
        (true, true, true) => const { &[STAGE, CONTACT, PROJECT] },
    })
}

/// The stamp of the last commit in this snapshot.
fn head(ctx: &Ctx, tx: &mut dyn Tx) -> Result<i64, Error> {
    const HEAD: &str = "SELECT stamp FROM heads WHERE workspace_id = $1";
    let head = tx.one(HEAD, &[ctx.workspace.into()], |row| row.int(0))?;
    Ok(head.ok_or_else(|| store::corrupt("heads", "stamp", ctx.workspace, "the workspace has no head"))?)
}

/// A synchronization from a time to the checkpoint that its first page set, and its current position.
#[derive(Debug, PartialEq)]
struct Run {
    after: i64,
    checkpoint: i64,
    /// The stamp and id of the last row.
    last: Option<(i64, Uuid)>,
}

impl Run {
    fn page(&self, ctx: &Ctx, tx: &mut dyn Tx, limit: i64, links: &'static [Link]) -> Result<Page, Error> {
        let (stamp, id) = self.last.unwrap_or((self.after, Uuid::max()));
        let sql = format!(
            "SELECT {}, t.updated_at FROM pipeline_entries t WHERE t.workspace_id = $1 AND (t.updated_at, t.id) > ($2, $3) \
             AND t.updated_at <= $4 ORDER BY t.updated_at, t.id LIMIT $5",
            columns(Entry::FIELDS)
        );
        let params: [Value; 5] =
            [ctx.workspace.into(), stamp.into(), id.into(), self.checkpoint.into(), (limit + 1).into()];
        let width = Entry::FIELDS.iter().filter(|field| !field.hidden).count();
        let (mut rendered, mut last, mut rows) = (Rendered::default(), None, 0);
        tx.each(&sql, &params, &mut |row| {
            rows += 1;
            if rows <= limit {
                rendered.json.extend_from_slice(if rows == 1 { b"" } else { b"," });
                rendered.row(Entry::FIELDS, links, row, None)?;
                last = Some((row.int(width)?, row.id(0)?));
            }
            Ok(())
        })?;
        rendered.fill(ctx, tx)?;
        let has_more = rows > limit;
        let next = has_more.then(|| Run { last, ..*self }.write(ctx));
        let position = Position::Synced { next, checkpoint: self.checkpoint };
        Ok(Page { json: rendered.json, limit, has_more, position })
    }

    fn write(&self, ctx: &Ctx) -> String {
        let parts = json!([ctx.workspace, self.after, self.checkpoint, self.last]);
        BASE64_URL_SAFE_NO_PAD.encode(parts.to_string())
    }

    /// Reads a cursor of this workspace; rejects values that no page can have returned.
    fn read(ctx: &Ctx, text: &str, head: i64) -> Result<Run, Error> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok();
        let parts = bytes.and_then(|bytes| serde_json::from_slice::<(Uuid, i64, i64, (i64, Uuid))>(&bytes).ok());
        let fits = |(workspace, after, checkpoint, last): &(Uuid, i64, i64, (i64, Uuid))| {
            *workspace == ctx.workspace && *after < last.0 && last.0 <= *checkpoint && *checkpoint <= head
        };
        let (_, after, checkpoint, last) = parts
            .filter(fits)
            .ok_or_else(|| invalid("cursor", "is not a cursor of this list; begin again without it"))?;
        Ok(Run { after, checkpoint, last: Some(last) })
    }
}
