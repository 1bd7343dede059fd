//! Merging records that are one. The survivor takes what the others have, every link moves, the others' ids go on
//! working as the survivor's, and all of it can be undone for 30 days.

use crate::collection::Collected;
use crate::company::Company;
use crate::contact::Contact;
use crate::deal::{self, Deal, contacts};
use crate::operation::{Call, Content, Operation, Reply, post, show};
use crate::project::Project;
use crate::scope::{COMPANIES_DELETE, COMPANIES_WRITE, CONTACTS_DELETE, CONTACTS_WRITE};
use crate::{cv, enrollment, entry, job};
use resource::{
    Changes, Ctx, Error, Field, Problem, Resource, Saved, Time, carry_out, find, invalid, not_found, unmerge, update,
};
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;
use store::{Tally, Tx, Uuid, Value};

/// Which records become one.
#[derive(Resource)]
pub struct MergeInput {
    /// The record that stays.
    #[field(required)]
    pub into: Uuid,
    /// Ids of the records that go into it.
    #[field(required, max = 20, item_max = 36)]
    pub from: Vec<String>,
    /// Whose value a member shall have: `{"title": "<id>"}`. Otherwise the survivor's, or the first that there is.
    pub fields: Map<String, Json>,
    /// Only show what would come of it.
    pub dry_run: bool,
}

const INPUT: &[Field] = MergeInput::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    post("/contacts/merge", "merge_contacts", "Merge contacts into one")
        .scope(CONTACTS_WRITE)
        .also(CONTACTS_DELETE)
        .members("MergeInput", INPUT)
        .write(merge::<Contact>)
        .gives_object("Merge", schema),
    post("/contacts/merge/{id}/undo", "undo_contact_merge", "Undo a merge of contacts")
        .scope(CONTACTS_WRITE)
        .also(CONTACTS_DELETE)
        .write(undo::<Contact>)
        .gives::<Contact>(&[200]),
    post("/companies/merge", "merge_companies", "Merge companies into one")
        .scope(COMPANIES_WRITE)
        .also(COMPANIES_DELETE)
        .members("MergeInput", INPUT)
        .write(merge::<Company>)
        .gives_object("Merge", schema),
    post("/companies/merge/{id}/undo", "undo_company_merge", "Undo a merge of companies")
        .scope(COMPANIES_WRITE)
        .also(COMPANIES_DELETE)
        .write(undo::<Company>)
        .gives::<Company>(&[200]),
];

/// How long a merge can be undone.
const UNDO: i64 = 30 * 24 * 60 * 60 * 1000;
/// As many records of a kind move in the merge's own transaction; the others follow as a job.
const AT_ONCE: usize = 200;

/// Moves the rest of them; the payload is the merge's id, `do` or `undo`, how many are moved, and their table.
pub const MOVE: &str = "merge.move";

/// Tables of records that tell of the move themselves, one by one. The others only hang on a record.
const RECORDS: &[&str] = &["contacts", "deals", "deal_contacts", "projects"];

fn schema() -> Json {
    let id = json!({ "type": "string", "format": "uuid" });
    json!({
        "type": "object",
        "required": ["id", "into", "from", "record", "moved", "left_out", "dry_run"],
        "properties": {
            "id": { "type": ["string", "null"], "format": "uuid", "description": "What an undo names; null of a dry run." },
            "into": id,
            "from": { "type": "array", "items": id },
            "record": { "type": "object", "description": "The survivor as it is now, or would be." },
            "moved": { "type": "object", "additionalProperties": { "type": "integer" }, "description": "How many of each kind hang on the survivor now." },
            "left_out": { "type": "object", "description": "Items of lists that the survivor has no room for." },
            "dry_run": { "type": "boolean" },
        },
    })
}

fn merge<R: Collected>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let asked = call.members(INPUT)?;
    let (into, from) = records::<R>(call, tx, &asked)?;
    let chosen = chosen::<R>(&asked, &into, &from)?;
    let merged = resource::merge(&into, &from, &chosen);
    let dry_run = asked.get("dry_run") == Some(&Value::Bool(true));
    let moved = links::<R>(&call.ctx, tx, &from)?;
    let counts: Map<String, Json> =
        moved.iter().map(|(table, links)| ((*table).to_owned(), links.len().into())).collect();
    let (id, record) = if dry_run {
        (None, preview(&into, &merged.changes, &call.ctx, tx)?)
    } else {
        // What hangs on a record goes before it does.
        let id = tx.id();
        let shared = shared(&call.ctx, tx, &moved, into.id)?;
        move_links::<R>(&call.ctx, tx, id, &moved, into.id, &shared, false)?;
        let ids: Vec<Uuid> = from.iter().map(|saved| saved.id).collect();
        let cvs = cv::move_all(&call.ctx, tx, into.id, &ids)?;
        let entries = entry::move_all(&call.ctx, tx, into.id, &ids)?;
        let enrollments = enrollment::move_all(&call.ctx, tx, into.id, &ids)?;
        let mut kept = carry_out(&call.ctx, tx, &into, &from, &merged.changes)?;
        R::changed(&call.ctx, tx, into.id, &merged.changes)?;
        if *into.value("archived_at") != Value::Null || *into.value("do_not_contact") == Value::Bool(true) {
            enrollment::stop::contact_changed(&call.ctx, tx, into.id)?;
        }
        kept["links"] = json!(moved.iter().map(|(table, links)| (*table, links)).collect::<HashMap<_, _>>());
        kept["cvs"] = json!(cvs);
        kept["entries"] = json!(entries);
        kept["enrollments"] = json!(enrollments);
        kept["shared"] = json!(shared);
        const MERGE: &str = "INSERT INTO merges (workspace_id, id, collection, into_id, kept, created_at) VALUES ($1, $2, $3, $4, $5, $6)";
        let now = tx.stamp();
        let params = [
            call.ctx.workspace.into(),
            id.into(),
            R::ABOUT.table.into(),
            into.id.into(),
            kept.to_string().into(),
            now.into(),
        ];
        tx.execute(MERGE, &params)?;
        (Some(id), shown::<R>(&call.ctx, tx, into.id)?)
    };
    let from: Vec<Uuid> = from.iter().map(|saved| saved.id).collect();
    Ok(Reply::json(&json!({
        "id": id, "into": into.id, "from": from, "record": record, "moved": counts, "left_out": merged.left_out,
        "dry_run": dry_run,
    })))
}

/// The records that the body names, each once.
fn records<R: Resource>(call: &Call, tx: &mut dyn Tx, asked: &Changes) -> Result<(Saved<R>, Vec<Saved<R>>), Error> {
    let mut problems = Vec::new();
    let mut look = |tx: &mut dyn Tx, path: String, id: Option<Uuid>| match id.map(|id| find::<R>(&call.ctx, tx, id)) {
        Some(Ok(saved)) => Ok(Some(saved)),
        Some(Err(Error::NotFound(_))) | None => {
            problems.push(Problem { field: path, reason: format!("no {} has this id", R::ABOUT.one) });
            Ok(None)
        }
        Some(Err(other)) => Err(other),
    };
    let into = match asked.get("into") {
        Some(Value::Id(id)) => look(tx, "into".into(), Some(*id))?,
        _ => None,
    };
    let ids: Vec<String> =
        asked.text("from").map(|ids| serde_json::from_str(ids).unwrap_or_default()).unwrap_or_default();
    let mut from: Vec<Saved<R>> = Vec::new();
    for (at, id) in ids.iter().enumerate() {
        if let Some(saved) = look(tx, format!("from.{at}"), Uuid::try_parse(id).ok())? {
            from.push(saved);
        }
    }
    if ids.is_empty() {
        problems.push(Problem { field: "from".into(), reason: "must name at least one record".into() });
    }
    let mut seen: Vec<Uuid> = into.iter().map(|saved| saved.id).collect();
    for (at, saved) in from.iter().enumerate() {
        if seen.contains(&saved.id) {
            problems.push(Problem { field: format!("from.{at}"), reason: "is the same record as another here".into() });
        }
        seen.push(saved.id);
    }
    match into {
        Some(into) if problems.is_empty() => Ok((into, from)),
        _ => Err(Error::Invalid(problems)),
    }
}

/// Whose value each member shall have.
fn chosen<R: Resource>(
    asked: &Changes,
    into: &Saved<R>,
    from: &[Saved<R>],
) -> Result<HashMap<&'static str, Uuid>, Error> {
    let fields: Map<String, Json> =
        asked.text("fields").map(|fields| serde_json::from_str(fields).unwrap_or_default()).unwrap_or_default();
    let (mut chosen, mut problems) = (HashMap::new(), Vec::new());
    let archived = |id: Uuid| {
        let saved = from.iter().find(|saved| saved.id == id).unwrap_or(into);
        *saved.value("archived_at") != Value::Null
    };
    for (name, id) in &fields {
        let path = format!("fields.{name}");
        let field =
            R::FIELDS.iter().find(|field| field.name == name && !field.read_only && field.name != "archived_at");
        let id = id.as_str().and_then(|id| Uuid::try_parse(id).ok());
        let id = id.filter(|id| *id == into.id || from.iter().any(|saved| saved.id == *id));
        match (field, id) {
            (None, _) => problems.push(Problem { field: path, reason: "is not a member that can be chosen".into() }),
            (_, None) => {
                problems.push(Problem { field: path, reason: "must be the id of one of the merged records".into() });
            }
            // Archived or not is the survivor's own, and its status goes with it.
            (Some(field), Some(id)) if field.name == "global_status" && archived(id) != archived(into.id) => {
                let reason =
                    "can't be that of a record that is archived where the survivor is not, or the other way round";
                problems.push(Problem { field: path, reason: reason.into() });
            }
            (Some(field), Some(id)) => drop(chosen.insert(field.name, id)),
        }
    }
    if problems.is_empty() { Ok(chosen) } else { Err(Error::Invalid(problems)) }
}

/// The survivor as it would be.
fn preview<R: Resource>(into: &Saved<R>, changes: &Changes, ctx: &Ctx, tx: &mut dyn Tx) -> Result<Json, Error> {
    let mut record = shown::<R>(ctx, tx, into.id)?;
    for (field, value) in changes.iter() {
        record[field.name] = resource::told(ctx, tx, field, value)?;
    }
    Ok(record)
}

fn shown<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Json, Error> {
    match show::<R>(ctx, tx, id)?.data {
        Content::Json(json) => Ok(serde_json::from_slice(&json).unwrap_or(Json::Null)),
        _ => Ok(Json::Null),
    }
}

/// A row that hangs on a merged record: its id (the deal's, of who takes part in one), and the record it hung on.
type Link = (Uuid, Uuid);

/// What hangs on these records, by table.
fn links<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, from: &[Saved<R>]) -> Result<Vec<(&'static str, Vec<Link>)>, Error> {
    let mut found = Vec::new();
    for table in R::LINKS {
        let column = column::<R>(table);
        let id = if *table == "deal_contacts" { "deal_id" } else { "id" };
        let sql = format!("SELECT {id} FROM {table} WHERE workspace_id = $1 AND {column} = $2");
        let mut links = Vec::new();
        for saved in from {
            let ids = tx.rows(&sql, &[ctx.workspace.into(), saved.id.into()], |row| row.id(0))?;
            links.extend(ids.into_iter().map(|id| (id, saved.id)));
        }
        found.push((*table, links));
    }
    Ok(found)
}

/// What names such a record in a table.
fn column<R: Resource>(table: &str) -> String {
    if table == Project::ABOUT.table { "client_company_id".into() } else { format!("{}_id", R::ABOUT.one) }
}

/// The deals among them that the survivor takes part in, too.
fn shared(ctx: &Ctx, tx: &mut dyn Tx, moved: &[(&'static str, Vec<Link>)], into: Uuid) -> Result<Vec<Uuid>, Error> {
    let Some((_, links)) = moved.iter().find(|(table, links)| *table == "deal_contacts" && !links.is_empty()) else {
        return Ok(Vec::new());
    };
    let own = contacts::deals_of(ctx, tx, into)?;
    Ok(own.into_iter().filter(|deal| links.iter().any(|(id, _)| id == deal)).collect())
}

/// Hangs rows on another record: the survivor, or, undoing, the ones they came from.
fn move_links<R: Collected>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    merge: Uuid,
    moved: &[(&'static str, Vec<Link>)],
    into: Uuid,
    shared: &[Uuid],
    undo: bool,
) -> Result<(), Error> {
    for (table, links) in moved {
        // Two of them may be in one project or sequence: `entry` and `enrollment` see to that.
        if matches!(*table, "pipeline_entries" | "enrollments") {
            continue;
        }
        if RECORDS.contains(table) {
            let moving = Moving { table, links, into, shared, undo };
            let done = moving.some(ctx, tx, 0, AT_ONCE)?;
            if done < links.len() {
                job::enqueue(ctx, tx, MOVE, &progress(merge, undo, done, table))?;
            }
            continue;
        }
        let (now, column) = (tx.stamp(), column::<R>(table));
        // Files do not change.
        let stamp =
            if *table == "files" { String::new() } else { format!(", updated_at = {now}, version = version + 1") };
        let sql =
            format!("UPDATE {table} SET {column} = $1{stamp} WHERE workspace_id = $2 AND id = $3 AND {column} = $4");
        for (id, from) in links {
            let (old, new) = if undo { (into, *from) } else { (*from, into) };
            tx.execute(&sql, &[new.into(), ctx.workspace.into(), (*id).into(), old.into()])?;
        }
        // The collection has changed, though not how many it has.
        tx.tally(Tally { collection: table, field: "", value: String::new(), archived: false }, 0);
    }
    Ok(())
}

/// Records of one kind on their way.
struct Moving<'a> {
    table: &'a str,
    links: &'a [Link],
    into: Uuid,
    shared: &'a [Uuid],
    undo: bool,
}

impl Moving<'_> {
    /// Moves the next `most`; gives how many are moved.
    fn some(&self, ctx: &Ctx, tx: &mut dyn Tx, from: usize, most: usize) -> Result<usize, Error> {
        let until = (from + most).min(self.links.len());
        let mut done = from;
        for (at, (id, record)) in self.links.iter().enumerate().take(until).skip(from) {
            let (old, new) = if self.undo { (self.into, *record) } else { (*record, self.into) };
            let moved = match self.table {
                "contacts" => move_named::<Contact>(ctx, tx, *id, old, new),
                "projects" => move_named::<Project>(ctx, tx, *id, old, new),
                "deals" => move_deal(ctx, tx, *id, old, new),
                _ if !self.undo => contacts::join(ctx, tx, *id, &[*record], self.into),
                // All that took part in the deal come back together.
                _ if self.links.iter().position(|(deal, _)| deal == id) == Some(at) => {
                    let back: Vec<Uuid> =
                        self.links.iter().filter(|(deal, _)| deal == id).map(|(_, from)| *from).collect();
                    contacts::part(ctx, tx, *id, &back, self.into, self.shared.contains(id))
                }
                _ => Ok(()),
            };
            match moved {
                // One that was removed since has nothing to move.
                Err(Error::NotFound(_)) => {}
                other => other?,
            }
            done = at + 1;
            // What moves in the merge's own transaction moves whole.
            if from > 0 && !tx.has_time() {
                break;
            }
        }
        Ok(done)
    }
}

fn move_named<T: Resource>(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, old: Uuid, new: Uuid) -> Result<(), Error> {
    let (saved, column) = (find::<T>(ctx, tx, id)?, column::<Company>(T::ABOUT.table));
    if *saved.value(&column) == Value::Id(old) {
        let mut changes = Changes::default();
        changes.set(T::FIELDS, &column, new);
        update(ctx, tx, &saved, &changes)?;
    }
    Ok(())
}

fn move_deal(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, old: Uuid, new: Uuid) -> Result<(), Error> {
    let deal = find::<Deal>(ctx, tx, id)?;
    if deal.record.company_id == Some(old) {
        let mut changes = Changes::default();
        changes.set(Deal::FIELDS, "company_id", new);
        deal::save(ctx, tx, &deal, changes, "updated", Map::new())?;
    }
    Ok(())
}

/// Moves the next part of what hangs on a merged record; true if there is more to do.
pub fn go_on(ctx: &Ctx, tx: &mut dyn Tx, job: Uuid, most: i64) -> Result<bool, Error> {
    let payload = job::payload(ctx, tx, job)?;
    let mut words = payload.split(' ');
    let merge = words.next().and_then(|id| Uuid::try_parse(id).ok());
    let (undo, from) = (words.next() == Some("undo"), words.next().and_then(|n| n.parse().ok()).unwrap_or(0));
    let (Some(merge), Some(table)) = (merge, words.next()) else { return Ok(false) };
    // One that was undone meanwhile has nothing to go on with.
    let Some(kept) = kept(ctx, tx, merge)?.filter(|kept| kept.undone == undo) else { return Ok(false) };
    let (links, shared) = (kept.links(table), kept.shared());
    let moving = Moving { table, links: &links, into: kept.into, shared: &shared, undo };
    let done = moving.some(ctx, tx, from, most as usize)?;
    job::note(ctx, tx, job, &progress(merge, undo, done, table))?;
    Ok(done < links.len())
}

fn progress(merge: Uuid, undo: bool, done: usize, table: &str) -> String {
    format!("{merge} {} {done} {table}", if undo { "undo" } else { "do" })
}

struct Kept {
    collection: String,
    into: Uuid,
    kept: Json,
    at: i64,
    undone: bool,
}

impl Kept {
    fn links(&self, table: &str) -> Vec<Link> {
        serde_json::from_value(self.kept["links"][table].clone()).unwrap_or_default()
    }
    fn shared(&self) -> Vec<Uuid> {
        serde_json::from_value(self.kept["shared"].clone()).unwrap_or_default()
    }
}

fn kept(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Option<Kept>, Error> {
    const KEPT: &str = "SELECT into_id, kept, created_at, undone_at, collection FROM merges \
         WHERE workspace_id = $1 AND id = $2";
    let found = tx.one(KEPT, &[ctx.workspace.into(), id.into()], |row| {
        let undone = row.maybe_int(3)?.is_some();
        Ok((
            row.text(1)?,
            Kept { collection: row.text(4)?, into: row.id(0)?, kept: Json::Null, at: row.int(2)?, undone },
        ))
    })?;
    Ok(found.map(|(text, kept)| Kept { kept: serde_json::from_str(&text).unwrap_or(Json::Null), ..kept }))
}

fn undo<R: Collected>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let id = call.id(0, "merge")?;
    let merge = kept(&call.ctx, tx, id)?.filter(|merge| merge.collection == R::ABOUT.table);
    let merge = merge.ok_or_else(|| not_found("the merge"))?;
    let now = tx.stamp();
    if merge.undone {
        return Err(invalid("id", "the merge is undone already"));
    }
    if now - merge.at > UNDO {
        return Err(invalid("id", format!("a merge can be undone for 30 days; this one was on {}", Time(merge.at))));
    }
    if let Some(later) = later(&call.ctx, tx, merge.into, id)? {
        return Err(invalid("id", format!("the record was merged again since; undo {later} first")));
    }
    let into = find::<R>(&call.ctx, tx, merge.into)?;
    unmerge::<R>(&call.ctx, tx, &into, &merge.kept)?;
    let cvs: Vec<cv::Moved> = serde_json::from_value(merge.kept["cvs"].clone()).unwrap_or_default();
    cv::move_back(&call.ctx, tx, merge.into, &cvs)?;
    let entries: Vec<entry::Moved> = serde_json::from_value(merge.kept["entries"].clone()).unwrap_or_default();
    entry::move_back(&call.ctx, tx, merge.into, &entries)?;
    let enrollments: Vec<enrollment::Moved> =
        serde_json::from_value(merge.kept["enrollments"].clone()).unwrap_or_default();
    enrollment::move_back(&call.ctx, tx, merge.into, &enrollments)?;
    let links: Vec<_> = R::LINKS.iter().map(|table| (*table, merge.links(table))).collect();
    move_links::<R>(&call.ctx, tx, id, &links, merge.into, &merge.shared(), true)?;
    const UNDONE: &str = "UPDATE merges SET undone_at = $1 WHERE workspace_id = $2 AND id = $3";
    tx.execute(UNDONE, &[now.into(), call.ctx.workspace.into(), id.into()])?;
    show::<R>(&call.ctx, tx, into.id)
}

/// A merge after this one that the survivor had a part in, and that stands.
fn later(ctx: &Ctx, tx: &mut dyn Tx, record: Uuid, merge: Uuid) -> Result<Option<Uuid>, Error> {
    const INTO: &str = "SELECT id FROM merges WHERE workspace_id = $1 AND into_id = $2 AND id > $3 AND undone_at IS NULL \
         ORDER BY id DESC LIMIT 1";
    let newest = resource::survivor(ctx, tx, record)?.unwrap_or(record);
    Ok(tx.one(INTO, &[ctx.workspace.into(), newest.into(), merge.into()], |row| row.id(0))?)
}
