//! Merging records that are one. The survivor takes what the others have, every link moves, the others' ids go on
//! working as the survivor's, and all of it can be undone for 30 days.

pub mod history;
mod links;
pub mod mend;

use crate::collection::Collected;
use crate::company::Company;
use crate::contact::Contact;
use crate::enrollment::{Decision, EnrollmentStatus};
use crate::operation::{Call, Content, Operation, Reply, post, show};
use crate::scope::{COMPANIES_DELETE, COMPANIES_WRITE, CONTACTS_DELETE, CONTACTS_WRITE};
use crate::{cv, enrollment, entry, job};
pub use links::{MOVE, Undone, go_on, note, take_notes, taken, unfinished};
use mend::Then;
use resource::{
    Changes, Ctx, Error, Field, Problem, Resource, Saved, Time, carry_out, custom, find, invalid, nearest, not_found,
    redirect_back, reinstate, update_as,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;
use store::{Tx, Uuid, Value};

/// Which records become one.
#[derive(Resource)]
pub struct MergeInput {
    /// The record that stays.
    #[field(required)]
    pub into: Uuid,
    /// Ids of the records that go into it.
    #[field(required, max = 20, item_max = 36)]
    pub from: Vec<String>,
    /// Whose value a member shall have: `{"title": "<id>", "custom_data.level": "<id>"}`. Otherwise the survivor's, or the
    /// first that there is; lists are joined, those of a `multi_select` too.
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
pub const UNDO: i64 = 30 * 24 * 60 * 60 * 1000;

fn schema() -> Json {
    let id = json!({ "type": "string", "format": "uuid" });
    json!({
        "type": "object",
        "required": ["id", "into", "from", "record", "moved", "left_out", "ends", "dry_run"],
        "properties": {
            "id": { "type": ["string", "null"], "format": "uuid", "description": "What an undo names; null of a dry run." },
            "into": id,
            "from": { "type": "array", "items": id },
            "record": { "type": "object", "description": "The survivor as it is now, or would be." },
            "moved": { "type": "object", "additionalProperties": { "type": "integer" }, "description": "How many of each kind hang on the survivor now." },
            "left_out": { "type": "object", "description": "Items of lists that the survivor has no room for." },
            "ends": {
                "type": "array",
                "description": "Enrollments that the merge ends, or would end; its undo puts them back as they were.",
                "items": {
                    "type": "object",
                    "required": ["enrollment_id", "sequence_id", "contact_id", "status", "reason"],
                    "properties": {
                        "enrollment_id": id, "sequence_id": id, "contact_id": id,
                        "status": { "type": "string", "enum": EnrollmentStatus::WORDS },
                        "reason": { "type": "string" },
                    },
                },
            },
            "dry_run": { "type": "boolean" },
        },
    })
}

fn merge<R: Collected>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let asked = call.members(INPUT)?;
    let (into, from) = records::<R>(call, tx, &asked)?;
    let (chosen, keys) = chosen::<R>(&call.ctx, tx, &asked, &into, &from)?;
    let mut merged = resource::merge(&into, &from, &chosen, &keys);
    R::merged(&call.ctx, tx, &into, &from, &chosen, &mut merged.changes)?;
    let dry_run = asked.get("dry_run") == Some(&Value::Bool(true));
    let ids: Vec<Uuid> = from.iter().map(|saved| saved.id).collect();
    let counts = links::count::<R>(&call.ctx, tx, &ids)?;
    let decisions = enrollment::decide(&call.ctx, tx, into.id, &ids, is_forbidden(&into, &merged.changes))?;
    let ends = enrollment::ends(&decisions);
    let (id, record) = if dry_run {
        (None, preview(&into, &from, &merged.changes, &call.ctx, tx)?)
    } else {
        let id = carry_out_all(&call.ctx, tx, &into, &from, &merged.changes, decisions)?;
        (Some(id), shown::<R>(&call.ctx, tx, into.id)?)
    };
    Ok(Reply::json(&json!({
        "id": id, "into": into.id, "from": ids, "record": record, "moved": counts, "left_out": merged.left_out,
        "ends": ends, "dry_run": dry_run,
    })))
}

/// Whether nothing may be sent to the survivor.
fn is_forbidden<R: Resource>(into: &Saved<R>, changes: &Changes) -> bool {
    *into.value("archived_at") != Value::Null || is_refused(into, changes)
}

/// Whether the survivor has `do_not_contact`, with these changes.
fn is_refused<R: Resource>(into: &Saved<R>, changes: &Changes) -> bool {
    changes.get("do_not_contact").unwrap_or(into.value("do_not_contact")) == &Value::Bool(true)
}

/// Merges the records and all that belongs to them; gives the merge's id.
fn carry_out_all<R: Collected>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    into: &Saved<R>,
    from: &[Saved<R>],
    changes: &Changes,
    decisions: Vec<Decision>,
) -> Result<Uuid, Error> {
    const MERGE: &str =
        "INSERT INTO merges (workspace_id, id, collection, into_id, kept, created_at) VALUES ($1, $2, $3, $4, $5, $6)";
    let (id, now) = (tx.id(), tx.stamp());
    let params = [ctx.workspace.into(), id.into(), R::ABOUT.table.into(), into.id.into(), "{}".into(), now.into()];
    tx.execute(MERGE, &params)?;
    let ids: Vec<Uuid> = from.iter().map(|saved| saved.id).collect();
    let cvs = cv::move_all(ctx, tx, into.id, &ids)?;
    let entries = entry::move_all(ctx, tx, into.id, &ids)?;
    let enrollments = enrollment::carry_out(ctx, tx, into.id, decisions)?;
    // What the database ties to a record goes before it does.
    links::move_tied::<R>(ctx, tx, id, &ids, into.id)?;
    let mut kept = carry_out(ctx, tx, id, into, from, changes)?;
    // Whatever a refusal ends has ended, in a way that an undo can take back.
    let mut follows = changes.clone();
    follows.take("do_not_contact");
    R::changed(ctx, tx, into.id, &follows)?;
    kept["version"] = into.version.into();
    kept["cvs"] = json!(cvs);
    kept["entries"] = json!(entries);
    kept["enrollments"] = json!(enrollments);
    kept["do_not_contact"] = is_refused(into, changes).into();
    kept["custom_fields"] = mend::custom_fields::<R>(ctx, tx)?;
    tx.execute(KEEP, &[kept.to_string().into(), ctx.workspace.into(), id.into()])?;
    mend::hold_companies(ctx, tx, id, &kept)?;
    if links::move_some::<R>(ctx, tx, &ids, links::AT_ONCE)? {
        job::enqueue(ctx, tx, MOVE, &links::payload(id, false))?;
    }
    Ok(id)
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

/// Whose value each member shall have, and each key of `custom_data`.
type Chosen = (HashMap<&'static str, Uuid>, HashMap<String, Uuid>);

fn chosen<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    asked: &Changes,
    into: &Saved<R>,
    from: &[Saved<R>],
) -> Result<Chosen, Error> {
    let fields: Map<String, Json> =
        asked.text("fields").map(|fields| serde_json::from_str(fields).unwrap_or_default()).unwrap_or_default();
    let (mut chosen, mut keys, mut problems) = (HashMap::new(), HashMap::new(), Vec::new());
    let defined = if fields.is_empty() { Vec::new() } else { custom::definitions(ctx, tx, R::ABOUT.one)? };
    let custom: Vec<String> = defined.iter().map(|field| format!("custom_data.{}", field.key)).collect();
    let choosable =
        || R::FIELDS.iter().filter(|field| !field.read_only && !field.hidden && field.name != "archived_at");
    let archived = |id: Uuid| {
        let saved = from.iter().find(|saved| saved.id == id).unwrap_or(into);
        *saved.value("archived_at") != Value::Null
    };
    for (name, id) in &fields {
        let path = format!("fields.{name}");
        let field = choosable().find(|field| field.name == name);
        let key = name.strip_prefix("custom_data.").filter(|_| custom.contains(name));
        let id = id.as_str().and_then(|id| Uuid::try_parse(id).ok());
        let id = id.filter(|id| *id == into.id || from.iter().any(|saved| saved.id == *id));
        match (field, key, id) {
            (None, None, _) => {
                let names: Vec<&str> =
                    choosable().map(|field| field.name).chain(custom.iter().map(String::as_str)).collect();
                let near = nearest(name, &names).map_or(String::new(), |near| format!(" (did you mean {near}?)"));
                problems.push(Problem { field: path, reason: format!("is not a member that can be chosen{near}") });
            }
            (_, _, None) => {
                problems.push(Problem { field: path, reason: "must be the id of one of the merged records".into() });
            }
            (None, Some(key), Some(id)) => drop(keys.insert(key.to_owned(), id)),
            (Some(field), _, Some(_)) if field.name == "do_not_contact" => {
                let reason = "holds if any of the records has it, so it can't be chosen";
                problems.push(Problem { field: path, reason: reason.into() });
            }
            // Archived or not is the survivor's own, and its status goes with it.
            (Some(field), _, Some(id)) if field.name == "global_status" && archived(id) != archived(into.id) => {
                let reason =
                    "can't be that of a record that is archived where the survivor is not, or the other way round";
                problems.push(Problem { field: path, reason: reason.into() });
            }
            (Some(field), _, Some(id)) => drop(chosen.insert(field.name, id)),
        }
    }
    if problems.is_empty() { Ok((chosen, keys)) } else { Err(Error::Invalid(problems)) }
}

/// The survivor as it would be.
fn preview<R: Resource>(
    into: &Saved<R>,
    from: &[Saved<R>],
    changes: &Changes,
    ctx: &Ctx,
    tx: &mut dyn Tx,
) -> Result<Json, Error> {
    let mut record = shown::<R>(ctx, tx, into.id)?;
    for other in from {
        let other = shown::<R>(ctx, tx, other.id)?;
        for field in R::FIELDS.iter().filter(|field| field.count.is_some()) {
            let count = |record: &Json| record[field.name].as_i64().unwrap_or(0);
            record[field.name] = (count(&record) + count(&other)).into();
        }
    }
    for (field, value) in changes.iter().filter(|(field, _)| !field.hidden) {
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

struct Kept {
    collection: String,
    into: Uuid,
    kept: Json,
    at: i64,
    is_undone: bool,
}

impl Kept {
    fn list<T: DeserializeOwned>(&self, member: &str) -> Result<Vec<T>, Error> {
        match &self.kept[member] {
            Json::Null => Ok(Vec::new()),
            list => Ok(serde_json::from_value(list.clone())
                .map_err(|error| store::Error::Corrupt(format!("{member} of a merge: {error}")))?),
        }
    }

    fn object(&self, member: &str) -> Result<Map<String, Json>, Error> {
        let unreadable = || store::Error::Corrupt(format!("{member} of a merge is not an object")).into();
        self.kept[member].as_object().cloned().ok_or_else(unreadable)
    }

    /// The ids of the records that went into the survivor.
    fn from(&self) -> Vec<Uuid> {
        let rows = self.kept["rows"].as_array().map_or(&[][..], Vec::as_slice);
        rows.iter().filter_map(|row| Uuid::try_parse(row["id"].as_str()?).ok()).collect()
    }
}

fn kept(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Option<Kept>, Error> {
    const KEPT: &str = "SELECT into_id, kept, created_at, undone_at, collection FROM merges \
         WHERE workspace_id = $1 AND id = $2";
    let found = tx.one(KEPT, &[ctx.workspace.into(), id.into()], |row| {
        let is_undone = row.maybe_int(3)?.is_some();
        Ok((
            row.text(1)?,
            Kept { collection: row.text(4)?, into: row.id(0)?, kept: Json::Null, at: row.int(2)?, is_undone },
        ))
    })?;
    let Some((text, kept)) = found else { return Ok(None) };
    let read = serde_json::from_str(&text);
    let read = read.map_err(|error| store::Error::Corrupt(format!("what the merge {id} kept: {error}")))?;
    Ok(Some(Kept { kept: read, ..kept }))
}

/// The merge, one that can be undone, from which a contact has this CV.
pub fn gave_cv(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid, blob: &str) -> Result<Option<Uuid>, Error> {
    const MERGES: &str = "SELECT id FROM merges WHERE workspace_id = $1 AND into_id = $2 AND undone_at IS NULL \
         AND created_at >= $3 ORDER BY id DESC";
    let since = tx.stamp() - UNDO;
    for id in tx.rows(MERGES, &[ctx.workspace.into(), contact.into(), since.into()], |row| row.id(0))? {
        let Some(merge) = kept(ctx, tx, id)? else { continue };
        if merge.list::<cv::Moved>("cvs")?.iter().any(|moved| moved.blob == blob && moved.file.is_none()) {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Notes that the CV which a merge gave its survivor is a file now.
pub fn cv_became_file(ctx: &Ctx, tx: &mut dyn Tx, merge: Uuid, blob: &str, file: Uuid) -> Result<(), Error> {
    let Some(mut found) = kept(ctx, tx, merge)? else { return Ok(()) };
    let mut cvs = found.list::<cv::Moved>("cvs")?;
    cvs.iter_mut().filter(|moved| moved.blob == blob).for_each(|moved| moved.file = Some(file));
    found.kept["cvs"] = json!(cvs);
    Ok(tx.execute(KEEP, &[found.kept.to_string().into(), ctx.workspace.into(), merge.into()])?)
}

const KEEP: &str = "UPDATE merges SET kept = $1 WHERE workspace_id = $2 AND id = $3";

fn undo<R: Collected>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (ctx, id) = (&call.ctx, call.id(0, "merge")?);
    let merge = kept(ctx, tx, id)?.filter(|merge| merge.collection == R::ABOUT.table);
    let merge = merge.ok_or_else(|| not_found("the merge"))?;
    let now = tx.stamp();
    if merge.is_undone {
        return Err(invalid("id", "the merge is undone already"));
    }
    if now - merge.at > UNDO {
        return Err(invalid("id", format!("a merge can be undone for 30 days; this one was on {}", Time(merge.at))));
    }
    if let Some(later) = later(ctx, tx, merge.into, id)? {
        return Err(invalid("id", format!("the record was merged again since; undo {later} first")));
    }
    let into = find::<R>(ctx, tx, merge.into)?;
    give_back::<R>(ctx, tx, id, &into, &merge)?;
    cv::move_back(ctx, tx, merge.into, &merge.list::<cv::Moved>("cvs")?)?;
    entry::move_back(ctx, tx, merge.into, &merge.list::<entry::Moved>("entries")?)?;
    enrollment::move_back(ctx, tx, merge.into, &merge.list::<enrollment::Moved>("enrollments")?)?;
    for record in std::iter::once(merge.into).chain(merge.from()) {
        R::parted(ctx, tx, record, merge.at)?;
    }
    const UNDONE: &str = "UPDATE merges SET undone_at = $1 WHERE workspace_id = $2 AND id = $3";
    tx.execute(UNDONE, &[now.into(), ctx.workspace.into(), id.into()])?;
    mend::release_companies(ctx, tx, id, &merge.kept)?;
    links::adopt(ctx, tx, id, merge.into, &merge.kept)?;
    if links::move_back::<R>(ctx, tx, id, links::AT_ONCE)? {
        job::enqueue(ctx, tx, MOVE, &links::payload(id, true))?;
    }
    show::<R>(ctx, tx, into.id)
}

/// Gives the survivor the values it had, as far as nobody has changed them since, and puts the other records back. What
/// they name may have been merged or removed since.
fn give_back<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, into: &Saved<R>, merge: &Kept) -> Result<(), Error> {
    let then = Then { fields: &merge.kept["custom_fields"], at: merge.at };
    let (before, after) = (merge.object("before")?, merge.object("after")?);
    let (was, became) = mend::mended::<R>(ctx, tx, &then, (&before, &after))?;
    let version = merge.kept["version"].as_i64();
    let undone = history::Undone { record: into.id, version, before: &was, after: &became };
    history::hand_on::<R>(ctx, tx, &undone, id)?;
    let (changes, _) = mend::take_back::<R>(ctx, tx, into, &then, (&before, &after))?;
    // What was said while they were one holds for all of them.
    let refused_since = merge.kept["do_not_contact"] == false && is_refused(into, &Changes::default());
    let more = Map::from_iter([
        ("merged".to_owned(), json!([merge.from(), null])),
        ("merge_id".to_owned(), json!([id, null])),
    ]);
    update_as(ctx, tx, into, &changes, "unmerged", &more)?;
    for row in merge.kept["rows"].as_array().map_or(&[][..], Vec::as_slice) {
        let company = row["values"]["company_id"].as_str().and_then(|id| Uuid::try_parse(id).ok());
        let mut row = row.clone();
        if let Some(values) = row["values"].as_object_mut() {
            mend::mend::<R>(ctx, tx, &then, values)?;
            if refused_since {
                values.insert("do_not_contact".into(), true.into());
            }
        }
        let id = reinstate::<R>(ctx, tx, &row)?;
        links::return_to_company(ctx, tx, id, company)?;
        let redirected = &merge.kept["redirected"][id.to_string()];
        let redirected: Option<Vec<Uuid>> = serde_json::from_value(redirected.clone())
            .map_err(|error| store::Error::Corrupt(format!("the ids that a merge redirected: {error}")))?;
        // Merges of earlier versions kept none.
        let redirected = redirected.unwrap_or_default();
        redirect_back(ctx, tx, &redirected, into.id, id)?;
    }
    Ok(())
}

/// A merge as the dashboard shows it: the names of the records as they were, and until when it can be undone.
pub fn described(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let id = call.id(0, "merge")?;
    let merge = kept(&call.ctx, tx, id)?.ok_or_else(|| not_found("the merge"))?;
    let is_contact = merge.collection == Contact::ABOUT.table;
    let name = |values: &Json| {
        let parts = if is_contact { &["first_name", "last_name"][..] } else { &["name"][..] };
        let parts: Vec<&str> = parts.iter().filter_map(|part| values[*part].as_str()).collect();
        parts.join(" ")
    };
    let rows = merge.kept["rows"].as_array().map_or(&[][..], Vec::as_slice);
    let from: Vec<Json> = rows.iter().map(|row| json!({ "id": row["id"], "name": name(&row["values"]) })).collect();
    Ok(Reply::json(&json!({
        "id": id, "collection": merge.collection, "into": merge.into, "from": from,
        "created_at": Time(merge.at).to_string(), "is_undone": merge.is_undone,
        "undo_until": Time(merge.at + UNDO).to_string(),
    })))
}

/// A merge after this one that the survivor had a part in, and that stands.
fn later(ctx: &Ctx, tx: &mut dyn Tx, record: Uuid, merge: Uuid) -> Result<Option<Uuid>, Error> {
    const INTO: &str = "SELECT id FROM merges WHERE workspace_id = $1 AND into_id = $2 AND id > $3 AND undone_at IS NULL \
         ORDER BY id DESC LIMIT 1";
    let newest = resource::survivor(ctx, tx, record)?.unwrap_or(record);
    Ok(tx.one(INTO, &[ctx.workspace.into(), newest.into(), merge.into()], |row| row.id(0))?)
}
