//! Merges duplicates. The survivor takes over values and links of the others, their ids become aliases of the
//! survivor's, and the merge can be undone for 30 days.

mod entries;
pub mod history;
mod links;
pub mod mend;
mod mergeable;

use crate::api::call::{Call, Content, Reply, show};
use crate::api::operation::{Operation, post};
use crate::api::queue;
use crate::api::scope::{COMPANIES_DELETE, COMPANIES_WRITE, CONTACTS_DELETE, CONTACTS_WRITE};
use crate::outreach::enrollment::EnrollmentStatus;
use crate::outreach::enrollment::merged::{self, Decision, MergedEnrollment};
use crate::records::collection::Collected;
use crate::records::company::Company;
use crate::records::contact::Contact;
use crate::records::cv;
use crate::records::erased_address;
use crate::records::merge_log::{MOVE, StoredMerge, UNDO, find_merge, payload, save_undo_data};
pub use links::{finish_undos, go_on, return_tied};
use mend::Then;
use mergeable::Mergeable;
use resource::{
    Changes, Ctx, Error, Field, Problem, Resource, Saved, Time, carry_out, custom, find, invalid, nearest, not_found,
    place, redirect_back, reinstate, update_as,
};
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;
use store::{Tx, Uuid, Value};

/// The records to merge.
#[derive(Resource)]
pub struct MergeInput {
    /// The record that remains.
    #[field(required)]
    pub into: Uuid,
    /// Ids of the records that are merged into it.
    #[field(required, max = 20, item_max = 36)]
    pub from: Vec<String>,
    /// The record whose value a member takes: `{"title": "<id>", "custom_data.level": "<id>"}`. By default it is the
    /// survivor's value, or else the first one that is not empty. Lists are joined, also those of a `multi_select`.
    pub fields: Map<String, Json>,
    /// Only show the result, without merging.
    pub dry_run: bool,
}

/// The most bytes of records that are merged at once. A merge is one unit of work, which holds up other writes. Two
/// records can always be merged.
const MOST_BYTES: usize = 800_000;

const INPUT: &[Field] = <MergeInput as Resource>::FIELDS;

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

fn schema() -> Json {
    let id = json!({ "type": "string", "format": "uuid" });
    json!({
        "type": "object",
        "required": ["id", "into", "from", "record", "moved", "left_out", "ends", "dry_run"],
        "properties": {
            "id": { "type": ["string", "null"], "format": "uuid", "description": "What an undo names; null of a dry run." },
            "into": id,
            "from": { "type": "array", "items": id },
            "record": {
                "anyOf": [{ "$ref": "#/components/schemas/Contact" }, { "$ref": "#/components/schemas/Company" }],
                "description": "The survivor as it is now, or would be.",
            },
            "moved": { "type": "object", "additionalProperties": { "type": "integer" }, "description": "How many of each kind belong to the survivor now." },
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

fn merge<R: Mergeable>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let asked = call.members(INPUT)?;
    let (into, from) = records::<R>(call, tx, &asked)?;
    let (chosen, keys) = chosen::<R>(&call.ctx, tx, &asked, &into, &from)?;
    let mut merged = resource::merge(&into, &from, &chosen, &keys)?;
    R::merged(&call.ctx, tx, &into, &from, &chosen, &mut merged.changes)?;
    let dry_run = asked.named("dry_run") == Some(&Value::Bool(true));
    let ids: Vec<Uuid> = from.iter().map(|saved| saved.id).collect();
    let counts = links::count::<R>(&call.ctx, tx, &ids)?;
    let decisions = merged::decide(&call.ctx, tx, into.id, &ids, is_forbidden(&into, &merged.changes)?)?;
    let ends = merged::ends(&decisions);
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

/// Whether the survivor must not get messages.
fn is_forbidden<R: Resource>(into: &Saved<R>, changes: &Changes) -> Result<bool, Error> {
    Ok(*into.value("archived_at")? != Value::Null || is_refused(into, changes)?)
}

/// Whether the survivor has `do_not_contact` after these changes.
fn is_refused<R: Resource>(into: &Saved<R>, changes: &Changes) -> Result<bool, Error> {
    let refused = |value: &Value| *value == Value::Bool(true);
    match changes.get(Contact::DO_NOT_CONTACT) {
        Some(value) => Ok(refused(value)),
        // Companies have no such field.
        None if !R::FIELDS.iter().any(|field| field.name == "do_not_contact") => Ok(false),
        None => into.value("do_not_contact").map(refused),
    }
}

/// Merges the records and everything that belongs to them; returns the id of the merge.
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
    let entries = entries::move_all(ctx, tx, into.id, &ids)?;
    let enrollments = merged::apply(ctx, tx, into.id, decisions)?;
    // Rows with a foreign key must move before their record is deleted.
    links::move_tied::<R>(ctx, tx, id, &ids, into.id)?;
    let mut kept = carry_out(ctx, tx, id, into, from, changes)?;
    // `merged::apply` has already ended enrollments because of `do_not_contact`, in a way that an undo can
    // revert.
    let mut follows = changes.clone();
    follows.take(Contact::DO_NOT_CONTACT);
    R::changed(ctx, tx, into, &follows)?;
    kept["version"] = into.version.into();
    kept["cvs"] = json!(cvs);
    kept["entries"] = json!(entries);
    kept["enrollments"] = json!(enrollments);
    kept["do_not_contact"] = is_refused(into, changes)?.into();
    kept["custom_fields"] = mend::custom_fields::<R>(ctx, tx)?;
    save_undo_data(ctx, tx, id, &kept)?;
    mend::hold_companies(ctx, tx, id, &kept)?;
    if links::move_some::<R>(ctx, tx, &ids, links::AT_ONCE)? {
        queue::enqueue(ctx, tx, MOVE, &payload(id, false))?;
    }
    Ok(id)
}

/// The records in the body, without duplicates.
fn records<R: Resource>(call: &Call, tx: &mut dyn Tx, asked: &Changes) -> Result<(Saved<R>, Vec<Saved<R>>), Error> {
    let mut problems = Vec::new();
    let mut find_one = |tx: &mut dyn Tx, path: String, id: Option<Uuid>| match id.map(|id| find::<R>(&call.ctx, tx, id))
    {
        Some(Ok(saved)) => Ok(Some(saved)),
        Some(Err(Error::NotFound(_))) | None => {
            problems.push(Problem { field: path, reason: format!("no {} has this id", R::ABOUT.one) });
            Ok(None)
        }
        Some(Err(other)) => Err(other),
    };
    let into = match asked.named("into") {
        Some(Value::Id(id)) => find_one(tx, "into".into(), Some(*id))?,
        _ => None,
    };
    let ids: Vec<String> = asked.named_json("from")?;
    let mut from: Vec<Saved<R>> = Vec::new();
    for (at, id) in ids.iter().enumerate() {
        if let Some(saved) = find_one(tx, format!("from.{at}"), Uuid::try_parse(id).ok())? {
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
    let bytes: usize = into.iter().chain(&from).map(Saved::bytes).sum();
    if bytes > MOST_BYTES && from.len() > 1 {
        let reason = format!(
            "have {bytes} bytes with the survivor; at most {MOST_BYTES} are merged at once: name fewer records, and merge the others in a second request"
        );
        problems.push(Problem { field: "from".into(), reason });
    }
    match into {
        Some(into) if problems.is_empty() => Ok((into, from)),
        _ => Err(Error::Invalid(problems)),
    }
}

/// The records whose values members and keys of `custom_data` take.
type Chosen = (HashMap<&'static str, Uuid>, HashMap<String, Uuid>);

fn chosen<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    asked: &Changes,
    into: &Saved<R>,
    from: &[Saved<R>],
) -> Result<Chosen, Error> {
    let fields: Map<String, Json> = asked.named_json("fields")?;
    let (mut chosen, mut keys, mut problems) = (HashMap::new(), HashMap::new(), Vec::new());
    let defined = if fields.is_empty() { Vec::new() } else { custom::definitions(ctx, tx, R::ABOUT.one)? };
    let custom: Vec<String> = defined.iter().map(|field| format!("custom_data.{}", field.key)).collect();
    let choosable =
        || R::FIELDS.iter().filter(|field| !field.read_only && !field.hidden && field.name != "archived_at");
    let mut archived = Vec::new();
    for saved in std::iter::once(into).chain(from) {
        if *saved.value("archived_at")? != Value::Null {
            archived.push(saved.id);
        }
    }
    let archived = |id: Uuid| archived.contains(&id);
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
            // The survivor keeps its archived state, which depends on its status.
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

/// The survivor after the merge, for a dry run.
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
        record[field.name] = resource::api_json(ctx, tx, field, value)?;
    }
    Ok(record)
}

fn shown<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Json, Error> {
    match show::<R>(ctx, tx, id)?.data {
        Content::Json(json) => place(R::ABOUT.table, "", &id).bytes(&json),
        _ => Err(store::Error::Internal("a record is not shown as JSON".into()).into()),
    }
}

fn undo<R: Mergeable>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (ctx, id) = (&call.ctx, call.id(0, "merge")?);
    let merge = find_merge(ctx, tx, id)?.filter(|merge| merge.collection == R::ABOUT.table);
    let merge = merge.ok_or_else(|| not_found("the merge"))?;
    let now = tx.stamp();
    if merge.is_undone {
        return Err(invalid("id", "the merge is undone already"));
    }
    if merge.is_erased() {
        return Err(invalid("id", "a record of this merge was erased, so the merge can't be undone"));
    }
    if now - merge.at > UNDO {
        return Err(invalid("id", format!("a merge can be undone for 30 days; this one was on {}", Time(merge.at))));
    }
    if let Some(later) = later(ctx, tx, merge.into, id)? {
        return Err(invalid("id", format!("the record was merged again since; undo {later} first")));
    }
    let into = find::<R>(ctx, tx, merge.into)?;
    restore::<R>(ctx, tx, id, &into, &merge)?;
    cv::move_back(ctx, tx, merge.into, &merge.list::<cv::Moved>("cvs")?)?;
    let damaged = |error: Error| error.at("kept").in_row("merges", id);
    entries::move_back(ctx, tx, merge.into, &merge.list::<entries::Moved>("entries")?).map_err(damaged)?;
    merged::undo(ctx, tx, merge.into, &merge.list::<MergedEnrollment>("enrollments")?).map_err(damaged)?;
    for record in std::iter::once(merge.into).chain(merge.from()?) {
        R::parted(ctx, tx, record, merge.at)?;
    }
    const UNDONE: &str = "UPDATE merges SET undone_at = $1 WHERE workspace_id = $2 AND id = $3";
    tx.execute(UNDONE, &[now.into(), ctx.workspace.into(), id.into()])?;
    mend::release_companies(ctx, tx, id, &merge.kept)?;
    links::adopt(ctx, tx, id, merge.into, &merge.kept)?;
    if links::move_back::<R>(ctx, tx, id, links::AT_ONCE)? {
        queue::enqueue(ctx, tx, MOVE, &payload(id, true))?;
    }
    show::<R>(ctx, tx, into.id)
}

/// Restores the survivor's values unless somebody has changed them since, and the other records. Records that they
/// reference may have been merged or deleted in the meantime.
fn restore<R: Collected>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    id: Uuid,
    into: &Saved<R>,
    merge: &StoredMerge,
) -> Result<(), Error> {
    let then = Then { fields: &merge.kept["custom_fields"], at: merge.at };
    // Errors that name no row come from the saved data of the merge.
    let damaged = |error: Error| error.at("kept").in_row("merges", id);
    let (before, after) = (merge.object("before")?, merge.object("after")?);
    let (was, became) = mend::mended::<R>(ctx, tx, &then, (&before, &after)).map_err(damaged)?;
    let version = merge.kept["version"].as_i64();
    let undone = history::Undone { record: into.id, version, before: &was, after: &became };
    history::remove_from_later::<R>(ctx, tx, &undone, id)?;
    let (changes, _) = mend::take_back::<R>(ctx, tx, into, &then, (&before, &after)).map_err(damaged)?;
    // If the contact refused messages while merged, that holds for all of the records.
    let refused_since = merge.kept["do_not_contact"] == false && is_refused(into, &Changes::default())?;
    let more = Map::from_iter([
        ("merged".to_owned(), json!([merge.from()?, null])),
        ("merge_id".to_owned(), json!([id, null])),
    ]);
    update_as(ctx, tx, into, &changes, "unmerged", &more)?;
    for row in merge.rows()? {
        let company: Option<Uuid> = merge.place().part(&row["values"]["company_id"])?;
        let mut row = row.clone();
        if let Some(values) = row["values"].as_object_mut() {
            mend::mend::<R>(ctx, tx, &then, values).map_err(damaged)?;
            erased_address::strip::<R>(ctx, tx, values, None).map_err(damaged)?;
            if refused_since {
                values.insert("do_not_contact".into(), true.into());
            }
        }
        let id = reinstate::<R>(ctx, tx, &row).map_err(damaged)?;
        links::return_to_company(ctx, tx, id, company)?;
        let redirected: Option<Vec<Uuid>> = merge.place().part(&merge.kept["redirected"][id.to_string()])?;
        // Merges by earlier versions of Relata have none.
        let redirected = redirected.unwrap_or_default();
        redirect_back(ctx, tx, &redirected, into.id, id)?;
    }
    Ok(())
}

/// A merge for the dashboard: the former names of the records, and when it can no longer be undone.
pub fn described(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let id = call.id(0, "merge")?;
    let merge = find_merge(&call.ctx, tx, id)?.ok_or_else(|| not_found("the merge"))?;
    let is_contact = merge.collection == Contact::ABOUT.table;
    let name = |values: &Json| {
        let parts = if is_contact { &["first_name", "last_name"][..] } else { &["name"][..] };
        let parts: Vec<&str> = parts.iter().filter_map(|part| values[*part].as_str()).collect();
        parts.join(" ")
    };
    let from: Vec<Json> =
        merge.rows()?.iter().map(|row| json!({ "id": row["id"], "name": name(&row["values"]) })).collect();
    Ok(Reply::json(&json!({
        "id": id, "collection": merge.collection, "into": merge.into, "from": from,
        "created_at": Time(merge.at).to_string(), "is_undone": merge.is_undone,
        "undo_until": Time(merge.at + UNDO).to_string(),
    })))
}

/// A later merge of the survivor that is not undone.
fn later(ctx: &Ctx, tx: &mut dyn Tx, record: Uuid, merge: Uuid) -> Result<Option<Uuid>, Error> {
    const INTO: &str = "SELECT id FROM merges WHERE workspace_id = $1 AND into_id = $2 AND id > $3 AND undone_at IS NULL \
         ORDER BY id DESC LIMIT 1";
    let newest = resource::survivor(ctx, tx, record)?.unwrap_or(record);
    Ok(tx.one(INTO, &[ctx.workspace.into(), newest.into(), merge.into()], |row| row.id(0))?)
}
