//! Tags: names that records wear. A record keeps the tag's id, so renaming and deleting take
//! effect at once; taking a deleted tag off the records follows as a job.

use crate::contact::Contact;
use crate::job;
use crate::operation::{Call, Operation, Reply, delete, get, make, post, put, show};
use crate::scope::{TAGS_READ, TAGS_WRITE};
use resource::{Changes, Ctx, Error, Format, Index, LABELS, Resource, Time, find, fold, insert, invalid, update};
use serde_json::Value as Json;
use std::collections::HashMap;
use store::{Tx, Uuid, Value};

resource::choices! {
    /// Which kind of record may wear it.
    TagScope { Global = "global", Contact = "contact", Company = "company", Deal = "deal", Project = "project" }
}

/// A name that records wear; what it names is found by it.
#[derive(Resource)]
#[resource(table = "tags", one = "tag", indexes = &[Index { name: "tags_name", fields: &["name"] }])]
pub struct Tag {
    #[field(read_only)]
    pub id: Uuid,
    /// Unique in the workspace, case folded.
    #[field(required, max = 100, filter, sort)]
    pub name: String,
    #[field(format = Format::Color, default = "\"#6b7280\"", filter)]
    pub color: String,
    #[field(default = "\"global\"", filter, counted)]
    pub scope: TagScope,
    #[field(read_only, filter, sort)]
    pub created_at: Time,
}

pub const OPERATIONS: &[Operation] = &[
    get("/tags", "list_tags", "List tags").scope(TAGS_READ).list::<Tag>(),
    post("/tags", "create_tag", "Create a tag")
        .scope(TAGS_WRITE)
        .body::<Tag>("TagInput", &[], true)
        .write(create)
        .gives::<Tag>(&[201]),
    put("/tags/{id}", "update_tag", "Rename or change a tag")
        .scope(TAGS_WRITE)
        .body::<Tag>("TagUpdate", &[], false)
        .write(change)
        .gives::<Tag>(&[200]),
    delete("/tags/{id}", "delete_tag", "Delete a tag and take it off all records").scope(TAGS_WRITE).write(remove),
];

fn create(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let changes = call.changes::<Tag>(&[], true)?;
    check_name(&call.ctx, tx, &changes, None)?;
    let (id, reply) = make::<Tag>(&call.ctx, tx, &changes)?;
    Ok(reply.created(format!("/tags/{id}")))
}

fn change(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let changes = call.changes::<Tag>(&[], false)?;
    let tag = find::<Tag>(&call.ctx, tx, call.id(0, "tag")?)?;
    check_name(&call.ctx, tx, &changes, Some(tag.id))?;
    if let Some(scope) = changes.text("scope").and_then(TagScope::from_word)
        && !fits(scope, TagScope::Contact)
        && worn(&call.ctx, tx, tag.id)?
    {
        return Err(invalid("scope", "contacts wear this tag; it must stay global or contact"));
    }
    if update(&call.ctx, tx, &tag, &changes)? {
        names_changed(&call.ctx, tx)?;
    }
    show::<Tag>(&call.ctx, tx, tag.id)
}

fn remove(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let tag = find::<Tag>(&call.ctx, tx, call.id(0, "tag")?)?;
    resource::delete(&call.ctx, tx, &tag)?;
    names_changed(&call.ctx, tx)?;
    job::enqueue(&call.ctx, tx, job::DETACH_TAG, &tag.id.to_string())?;
    Ok(Reply::deleted())
}

/// The ids of tags with these names for a record of this kind; those that do not exist are made.
pub fn ensure(ctx: &Ctx, tx: &mut dyn Tx, kind: TagScope, names: &[String], path: &str) -> Result<Vec<Uuid>, Error> {
    let mut known = called_any(ctx, tx, names)?;
    // All are looked at before the first is made.
    for (index, name) in names.iter().enumerate() {
        if let Some((_, scope)) = known.get(&fold(name)) {
            check_scope(*scope, kind, &format!("{path}.{index}"))?;
        }
    }
    let mut ids = Vec::with_capacity(names.len());
    for name in names {
        let id = match known.get(&fold(name)) {
            Some((id, _)) => *id,
            None => new_tag(ctx, tx, name)?,
        };
        known.insert(fold(name), (id, TagScope::Global));
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

pub fn ensure_one(ctx: &Ctx, tx: &mut dyn Tx, kind: TagScope, name: &str, path: &str) -> Result<Uuid, Error> {
    if let Some((id, scope)) = called(ctx, tx, name)? {
        check_scope(scope, kind, path)?;
        return Ok(id);
    }
    new_tag(ctx, tx, name)
}

fn new_tag(ctx: &Ctx, tx: &mut dyn Tx, name: &str) -> Result<Uuid, Error> {
    let mut changes = Changes::default();
    changes.set(Tag::FIELDS, "name", name);
    insert::<Tag>(ctx, tx, &changes)
}

pub fn check_scope(scope: TagScope, kind: TagScope, field: &str) -> Result<(), Error> {
    if fits(scope, kind) {
        return Ok(());
    }
    Err(invalid(field, format!("the tag has the scope {} and can't be attached to a {}", scope.word(), kind.word())))
}

fn fits(scope: TagScope, kind: TagScope) -> bool {
    scope == TagScope::Global || scope == kind
}

/// The tag of this name, case folded.
pub fn called(ctx: &Ctx, tx: &mut dyn Tx, name: &str) -> Result<Option<(Uuid, TagScope)>, Error> {
    const CALLED: &str = "SELECT id, scope FROM tags WHERE workspace_id = $1 AND name_fold = $2";
    let found = tx.one(CALLED, &[ctx.workspace.into(), fold(name).into()], |row| Ok((row.id(0)?, row.text(1)?)))?;
    Ok(found.map(|(id, scope)| (id, TagScope::from_word(&scope).unwrap_or(TagScope::Global))))
}

/// Those of these names that exist, by their folded name.
fn called_any(ctx: &Ctx, tx: &mut dyn Tx, names: &[String]) -> Result<HashMap<String, (Uuid, TagScope)>, Error> {
    let mut found = HashMap::new();
    if names.is_empty() {
        return Ok(found);
    }
    let mut params: Vec<Value> = vec![ctx.workspace.into()];
    params.extend(names.iter().map(|name| Value::from(fold(name))));
    let places: Vec<String> = (2..=params.len()).map(|n| format!("${n}")).collect();
    let sql = format!(
        "SELECT name_fold, id, scope FROM tags WHERE workspace_id = $1 AND name_fold IN ({})",
        places.join(", ")
    );
    for (name, id, scope) in tx.rows(&sql, &params, |row| Ok((row.text(0)?, row.id(1)?, row.text(2)?)))? {
        found.insert(name, (id, TagScope::from_word(&scope).unwrap_or(TagScope::Global)));
    }
    Ok(found)
}

fn check_name(ctx: &Ctx, tx: &mut dyn Tx, changes: &Changes, own: Option<Uuid>) -> Result<(), Error> {
    let Some(name) = changes.text("name") else { return Ok(()) };
    match called(ctx, tx, name)? {
        Some((id, _)) if Some(id) != own => Err(invalid("name", "a tag of this name exists already")),
        _ => Ok(()),
    }
}

/// Names that nodes keep in memory are believed only up to this stamp.
fn names_changed(ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
    let now = tx.stamp();
    debug_assert_eq!(LABELS, Tag::ABOUT.table);
    Ok(tx.execute("UPDATE heads SET tags_stamp = $1 WHERE workspace_id = $2", &[now.into(), ctx.workspace.into()])?)
}

const WEARERS: &str =
    "SELECT record FROM terms WHERE workspace_id = $1 AND field = $2 AND key = $3 ORDER BY record LIMIT $4";

fn worn(ctx: &Ctx, tx: &mut dyn Tx, tag: Uuid) -> Result<bool, Error> {
    let params = [ctx.workspace.into(), "contact.tag".into(), tag.to_string().into(), 1.into()];
    Ok(tx.one(WEARERS, &params, |_| Ok(()))?.is_some())
}

/// Takes a deleted tag off the next `most` records; false when none wears it any more.
pub fn detach(ctx: &Ctx, tx: &mut dyn Tx, tag: &str, most: i64) -> Result<bool, Error> {
    let params: [Value; 4] = [ctx.workspace.into(), "contact.tag".into(), tag.into(), most.into()];
    let records = tx.rows(WEARERS, &params, |row| row.id(0))?;
    for record in &records {
        let contact = find::<Contact>(ctx, tx, *record)?;
        let kept: Vec<String> = contact.record.tags.iter().map(Uuid::to_string).filter(|id| id != tag).collect();
        let mut changes = Changes::default();
        changes.set(Contact::FIELDS, "tags", Json::from(kept).to_string());
        update(ctx, tx, &contact, &changes)?;
    }
    Ok(records.len() as i64 == most)
}

/// The record's tags with one more, or `None` if it wears that one already.
pub fn with(saved: &[Uuid], tag: Uuid) -> Option<String> {
    (!saved.contains(&tag))
        .then(|| Json::from(saved.iter().chain([&tag]).map(Uuid::to_string).collect::<Vec<_>>()).to_string())
}

/// The record's tags without this one, or `None` if it does not wear it.
pub fn without(saved: &[Uuid], tag: Uuid) -> Option<String> {
    let kept: Vec<String> = saved.iter().filter(|id| **id != tag).map(Uuid::to_string).collect();
    (kept.len() < saved.len()).then(|| Json::from(kept).to_string())
}

/// Which tag a request means: by `tag_id` or by `name`, of the query or the body.
pub enum Which {
    Id(Uuid),
    Name(String),
}

pub fn which(changes: &Changes) -> Result<Which, Error> {
    match (changes.get("tag_id"), changes.get("name")) {
        (Some(Value::Id(id)), None) => Ok(Which::Id(*id)),
        (None, Some(Value::Text(name))) => Ok(Which::Name(name.clone())),
        (None, Some(_)) => Err(invalid("name", "must not be empty")),
        (None | Some(Value::Null), None) => Err(invalid("tag_id", "give tag_id or name")),
        _ => Err(invalid("tag_id", "give either tag_id or name, not both")),
    }
}
