//! Tags. A record stores the ids of its tags, so renaming and deleting take effect at once; a job removes a deleted tag
//! from the records.

use crate::api::call::{Call, Content, Reply, make, show};
use crate::api::operation::{Operation, delete, get, post, put};
use crate::api::queue;
use crate::api::scope::{TAGS_READ, TAGS_WRITE};
use crate::records::merge_log::{TAG_MERGED, UNDO};
use resource::{
    Changes, Ctx, Error, Field, FieldType, Format, Ids, Index, LABELS, Labels, Resource, Saved, StoredRow, Time, event,
    find, fold, insert, invalid, merged_pair, merging, not_found, place, update,
};
use serde_json::{Map, Value as Json, json};
use std::cell::RefCell;
use std::collections::HashMap;
use store::{Row, Tx, Uuid, Value};

resource::choices! {
    /// The kind of record that may have it.
    TagScope { Global = "global", Contact = "contact", Company = "company", Deal = "deal", Project = "project" }
}

/// A name that can be attached to records and by which they are found.
#[derive(Resource)]
#[resource(table = "tags", one = "tag", indexes = &[Index { name: "tags_name", fields: &["name"] }])]
pub struct Tag {
    #[field(read_only)]
    pub id: Uuid,
    /// Unique in the workspace, ignoring case.
    #[field(required, max = 100, filter, sort)]
    pub name: String,
    #[field(format = Format::Color, default = "\"#6b7280\"", filter)]
    pub color: String,
    #[field(default = "\"global\"", filter, counted)]
    pub scope: TagScope,
    #[field(read_only, filter, sort)]
    pub created_at: Time,
}

/// The tags to merge.
#[derive(Resource)]
pub struct TagMergeInput {
    /// The tag that remains, with its name, color and scope.
    #[field(required)]
    pub into: Uuid,
    /// Ids of the tags that are merged into it.
    #[field(required, max = 20)]
    pub from: Ids,
}

const MERGE_INPUT: &[Field] = TagMergeInput::FIELDS;

fn merge_schema() -> Json {
    let id = json!({ "type": "string", "format": "uuid" });
    json!({
        "type": "object",
        "required": ["into", "from", "tag", "in_progress"],
        "properties": {
            "into": id,
            "from": { "type": "array", "items": id },
            "tag": { "type": "object", "description": "The tag that stays." },
            "in_progress": {
                "type": "boolean",
                "description": "Whether records are still being changed. Reads, filters and search are right at once; the event of each record follows when it is changed.",
            },
        },
    })
}

/// The job that removes a deleted tag from the records; its payload is the tag's id.
pub const DETACH: &str = resource::DETACH;

pub const OPERATIONS: &[Operation] = &[
    get("/tags", "list_tags", "List tags").scope(TAGS_READ).list::<Tag>(),
    post("/tags", "create_tag", "Create a tag")
        .scope(TAGS_WRITE)
        .body::<Tag>("TagInput", &[], true)
        .write(create)
        .gives::<Tag>(&[201]),
    get("/tags/{id}", "get_tag", "Get a tag").scope(TAGS_READ).record::<Tag>(),
    put("/tags/{id}", "update_tag", "Update a tag")
        .scope(TAGS_WRITE)
        .body::<Tag>("TagUpdate", &[], false)
        .write(change)
        .gives::<Tag>(&[200]),
    post("/tags/merge", "merge_tags", "Merge tags into one")
        .scope(TAGS_WRITE)
        .members("TagMergeInput", MERGE_INPUT)
        .write(merge)
        .gives_object("TagMerge", merge_schema),
    delete("/tags/{id}", "delete_tag", "Delete a tag and remove it from all records").scope(TAGS_WRITE).write(remove),
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
    if let Some(scope) = changes.text(Tag::SCOPE).and_then(TagScope::from_word)
        && let Some(kind) = used_beyond(&call.ctx, tx, tag.id, scope)?
    {
        let reason = format!("a {} wears this tag; it must stay global or {0}", kind.word());
        return Err(invalid("scope", reason));
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
    queue::enqueue(&call.ctx, tx, DETACH, &tag.id.to_string())?;
    // Tags that are being merged into it are removed, too.
    for (job, from) in merging_into(&call.ctx, tx, tag.id)? {
        queue::withdraw(&call.ctx, tx, job)?;
        queue::enqueue(&call.ctx, tx, DETACH, &from.to_string())?;
    }
    Ok(Reply::deleted())
}

/// `POST /tags/merge`: deletes the other tags at once. Until the job has changed their records, the ids of the other
/// tags are shown as the remaining one.
fn merge(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (ctx, asked) = (&call.ctx, call.members(MERGE_INPUT)?);
    let Some(Value::Id(into)) = asked.named("into") else { return Err(invalid("into", "is required")) };
    let into = find::<Tag>(ctx, tx, *into).map_err(|error| missing(error, "into"))?;
    let named: Vec<Uuid> = asked.named_json("from")?;
    if named.is_empty() {
        return Err(invalid("from", "must have at least 1 item"));
    }
    let mut from: Vec<Saved<Tag>> = Vec::new();
    for (at, id) in named.into_iter().enumerate() {
        let place = format!("from.{at}");
        let tag = find::<Tag>(ctx, tx, id).map_err(|error| missing(error, &place))?;
        if tag.id == into.id {
            return Err(invalid(&place, "is the tag that stays"));
        }
        if let Some(kind) = used_beyond(ctx, tx, tag.id, into.record.scope)? {
            let (kind, scope) = (kind.word(), into.record.scope.word());
            let reason =
                format!("a {kind} has this tag, and the one that stays is for a {scope} alone; make it global first");
            return Err(invalid(&place, reason));
        }
        if !from.iter().any(|known| known.id == tag.id) {
            from.push(tag);
        }
    }
    let mut in_progress = false;
    for tag in &from {
        resource::delete(ctx, tx, tag)?;
        // An undo may restore records that still have this tag.
        queue::enqueue_in(ctx, tx, UNDO, TAG_MERGED, &format!("{} {}", tag.id, into.id))?;
        for (job, earlier) in merging_into(ctx, tx, tag.id)? {
            queue::note(ctx, tx, job, &format!("{earlier} {}", into.id))?;
            in_progress = true;
        }
        if is_used(ctx, tx, tag.id)? {
            queue::enqueue(ctx, tx, resource::MERGE, &format!("{} {}", tag.id, into.id))?;
            in_progress = true;
        }
    }
    names_changed(ctx, tx)?;
    let ids: Vec<Uuid> = from.iter().map(|tag| tag.id).collect();
    let merged: Vec<Json> = from.iter().map(|tag| json!({ "id": tag.id, "name": tag.record.name })).collect();
    let changes = Map::from_iter([("from".to_owned(), json!([null, merged]))]);
    event(ctx, tx, "tag.merged", Tag::ABOUT.one, into.id, &changes)?;
    let Content::Json(tag) = show::<Tag>(ctx, tx, into.id)?.data else {
        return Err(store::Error::Internal("a tag is shown as JSON".into()).into());
    };
    let tag: Json = place(Tag::ABOUT.table, "", &into.id).bytes(&tag)?;
    Ok(Reply::json(&json!({ "into": into.id, "from": ids, "tag": tag, "in_progress": in_progress })))
}

/// Jobs that replace other tags by this one, each with the other tag.
fn merging_into(ctx: &Ctx, tx: &mut dyn Tx, tag: Uuid) -> Result<Vec<(Uuid, Uuid)>, Error> {
    const JOBS: &str = "SELECT id, payload FROM jobs WHERE workspace_id = $1 AND kind = $2";
    let jobs = tx.rows(JOBS, &[ctx.workspace.into(), resource::MERGE.into()], |row| {
        Ok((row.id(0)?, row.word(1, merged_pair)?))
    })?;
    let of = |(job, (from, into))| (into == tag).then_some((job, from));
    Ok(jobs.into_iter().filter_map(of).collect())
}

fn is_used(ctx: &Ctx, tx: &mut dyn Tx, tag: Uuid) -> Result<bool, Error> {
    for (_, term) in TAG_TERMS {
        let params = [ctx.workspace.into(), (*term).into(), tag.to_string().into(), 1.into()];
        if tx.one(RECORDS_WITH_TAG, &params, |_| Ok(()))?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(super) fn replace_in<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    record: Uuid,
    from: Uuid,
    into: Uuid,
) -> Result<(), Error> {
    let saved = find::<R>(ctx, tx, record)?;
    let ids = replaced(stored(&saved)?, &HashMap::from([(from, into)]));
    set(ctx, tx, &saved, ids.iter().map(Uuid::to_string).collect())
}

/// Replaces some of these tags by others, without duplicates.
fn replaced(tags: Vec<Uuid>, others: &HashMap<Uuid, Uuid>) -> Vec<Uuid> {
    let mut ids: Vec<Uuid> = Vec::with_capacity(tags.len());
    for id in tags {
        let id = others.get(&id).copied().unwrap_or(id);
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

/// Whether all tags in a body exist; an error if a record of this kind can't have one of them.
pub fn exist(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    kind: TagScope,
    kept: Option<&KnownTags>,
    changes: &Changes,
) -> Result<bool, Error> {
    let names: Vec<String> = changes.named_json("tags")?;
    let known = known(ctx, tx, kept, &names)?;
    let mut all = true;
    for (index, name) in names.iter().enumerate() {
        match known.get(&fold(name)) {
            Some((_, scope)) => check_scope(*scope, kind, &format!("tags.{index}"))?,
            None => all = false,
        }
    }
    Ok(all)
}

/// The ids of the tags with these names for a record of this kind; creates missing ones.
fn ensure(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    kind: TagScope,
    kept: Option<&KnownTags>,
    names: &[String],
    path: &str,
) -> Result<Vec<Uuid>, Error> {
    let mut known = known(ctx, tx, kept, names)?;
    // Check all before the first is created.
    for (index, name) in names.iter().enumerate() {
        if let Some((_, scope)) = known.get(&fold(name)) {
            check_scope(*scope, kind, &format!("{path}.{index}"))?;
        }
    }
    let mut ids = Vec::with_capacity(names.len());
    for name in names {
        let id = match known.get(&fold(name)) {
            Some((id, _)) => *id,
            None => {
                let id = new_tag(ctx, tx, name)?;
                kept.inspect(|kept| kept.learn(fold(name), id, TagScope::Global));
                id
            }
        };
        known.insert(fold(name), (id, TagScope::Global));
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}

fn ensure_one(ctx: &Ctx, tx: &mut dyn Tx, kind: TagScope, name: &str, path: &str) -> Result<Uuid, Error> {
    if let Some((id, scope)) = called(ctx, tx, name)? {
        check_scope(scope, kind, path)?;
        return Ok(id);
    }
    new_tag(ctx, tx, name)
}

fn new_tag(ctx: &Ctx, tx: &mut dyn Tx, name: &str) -> Result<Uuid, Error> {
    let mut changes = Changes::default();
    changes.set(Tag::NAME, name);
    insert::<Tag>(ctx, tx, &changes)
}

fn check_scope(scope: TagScope, kind: TagScope, field: &str) -> Result<(), Error> {
    if fits(scope, kind) {
        return Ok(());
    }
    Err(invalid(field, format!("the tag has the scope {} and can't be attached to a {}", scope.word(), kind.word())))
}

fn fits(scope: TagScope, kind: TagScope) -> bool {
    scope == TagScope::Global || scope == kind
}

/// The tag with this name, ignoring case.
fn called(ctx: &Ctx, tx: &mut dyn Tx, name: &str) -> Result<Option<(Uuid, TagScope)>, Error> {
    const CALLED: &str = "SELECT id, scope FROM tags WHERE workspace_id = $1 AND name_fold = $2";
    let found = tx.one(CALLED, &[ctx.workspace.into(), fold(name).into()], |row| {
        Ok((row.id(0)?, row.word(1, TagScope::from_word)?))
    })?;
    Ok(found)
}

type Called = HashMap<String, (Uuid, TagScope)>;

/// The existing tags with these names, by folded name.
fn called_any(ctx: &Ctx, tx: &mut dyn Tx, names: &[String]) -> Result<Called, Error> {
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
    let named = |row: &dyn Row| Ok((row.text(0)?, (row.id(1)?, row.word(2, TagScope::from_word)?)));
    found.extend(tx.rows(&sql, &params, named)?);
    Ok(found)
}

/// Tags that one transaction has read, for the many records that it writes. Nobody else can change them in the
/// meantime; if the transaction is retried, the cache starts empty.
pub struct KnownTags {
    pub labels: Labels,
    called: RefCell<Called>,
}

impl KnownTags {
    pub fn of(ctx: &Ctx, tx: &mut dyn Tx) -> Result<KnownTags, Error> {
        Ok(KnownTags { labels: Labels::of(ctx, tx)?, called: RefCell::default() })
    }

    fn learn(&self, folded: String, id: Uuid, scope: TagScope) {
        self.called.borrow_mut().insert(folded, (id, scope));
    }
}

/// Like `called_any`, with the cache of the transaction if there is one.
fn known(ctx: &Ctx, tx: &mut dyn Tx, kept: Option<&KnownTags>, names: &[String]) -> Result<Called, Error> {
    let Some(kept) = kept else { return called_any(ctx, tx, names) };
    let known = |name: &String| kept.called.borrow().get(&fold(name)).copied();
    let new: Vec<String> = names.iter().filter(|name| known(name).is_none()).cloned().collect();
    for (name, (id, scope)) in called_any(ctx, tx, &new)? {
        kept.learn(name, id, scope);
    }
    Ok(names.iter().filter_map(|name| Some((fold(name), known(name)?))).collect())
}

fn check_name(ctx: &Ctx, tx: &mut dyn Tx, changes: &Changes, own: Option<Uuid>) -> Result<(), Error> {
    let Some(name) = changes.text(Tag::NAME) else { return Ok(()) };
    match called(ctx, tx, name)? {
        Some((id, _)) if Some(id) != own => {
            let way = if own.is_some() { "; POST /tags/merge makes one of both" } else { "" };
            Err(invalid("name", format!("a tag of this name exists already{way}")))
        }
        _ => Ok(()),
    }
}

/// Sets the stamp that makes nodes discard cached names.
fn names_changed(ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
    let now = tx.stamp();
    debug_assert_eq!(LABELS, Tag::ABOUT.table);
    Ok(tx.execute("UPDATE heads SET tags_stamp = $1 WHERE workspace_id = $2", &[now.into(), ctx.workspace.into()])?)
}

/// The kinds of records that have tags, and the terms of their tags.
pub(super) const TAG_TERMS: &[(TagScope, &str)] =
    &[(TagScope::Contact, "contact.tag"), (TagScope::Company, "company.tag")];

pub(super) const RECORDS_WITH_TAG: &str =
    "SELECT record FROM terms WHERE workspace_id = $1 AND field = $2 AND key = $3 ORDER BY record LIMIT $4";

/// A kind of record that has the tag but could not have it with this scope.
fn used_beyond(ctx: &Ctx, tx: &mut dyn Tx, tag: Uuid, scope: TagScope) -> Result<Option<TagScope>, Error> {
    let others: Vec<Uuid> = merging_into(ctx, tx, tag)?.into_iter().map(|(_, from)| from).collect();
    for (kind, term) in TAG_TERMS.iter().filter(|(kind, _)| !fits(scope, *kind)) {
        for tag in std::iter::once(&tag).chain(&others) {
            let params = [ctx.workspace.into(), (*term).into(), tag.to_string().into(), 1.into()];
            if tx.one(RECORDS_WITH_TAG, &params, |_| Ok(()))?.is_some() {
                return Ok(Some(*kind));
            }
        }
    }
    Ok(None)
}

pub(super) fn remove_from<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, record: Uuid, tag: &str) -> Result<(), Error> {
    let saved = find::<R>(ctx, tx, record)?;
    let kept: Vec<String> = stored(&saved)?.iter().map(Uuid::to_string).filter(|id| id != tag).collect();
    set(ctx, tx, &saved, kept)
}

/// The stored tags of a record, including deleted ones that a job has not removed yet and merged ones that it has not
/// replaced yet.
fn stored<R: Resource>(saved: &Saved<R>) -> Result<Vec<Uuid>, Error> {
    Vec::<Uuid>::decode(saved.value("tags")?.as_ref())
        .map_err(|error| error.at("tags").in_row(R::ABOUT.table, saved.id))
}

/// The tags of a record, including deleted ones that a job has not removed yet.
fn tags_of<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>) -> Result<Vec<Uuid>, Error> {
    let tags = stored(saved)?;
    if tags.is_empty() {
        return Ok(tags);
    }
    Ok(replaced(tags, &merging(ctx, tx)?))
}

fn set<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>, tags: Vec<String>) -> Result<(), Error> {
    let mut changes = Changes::default();
    changes.set_named(R::FIELDS, "tags", Json::from(tags).to_string());
    update(ctx, tx, saved, &changes)?;
    Ok(())
}

/// The existing tags of a record.
fn live<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>) -> Result<Vec<String>, Error> {
    let tags = tags_of(ctx, tx, saved)?;
    let labels = Labels::of(ctx, tx)?;
    labels.learn(ctx, tx, &tags)?;
    Ok(tags.iter().filter(|id| labels.get(**id).flatten().is_some()).map(Uuid::to_string).collect())
}

/// Replaces the names in a body by ids; creates missing tags.
pub fn normalize<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    kind: TagScope,
    known: Option<&KnownTags>,
    changes: &mut Changes,
    saved: Option<&Saved<R>>,
) -> Result<(), Error> {
    if changes.named_text("tags").is_none() {
        return Ok(());
    }
    let names: Vec<String> = changes.named_json("tags")?;
    let mut ids: Vec<String> = ensure(ctx, tx, kind, known, &names, "tags")?.iter().map(Uuid::to_string).collect();
    // The order does not matter: the same set of tags is no change.
    if let Some(saved) = saved {
        let stored = live(ctx, tx, saved)?;
        if stored.len() == ids.len() && stored.iter().all(|id| ids.contains(id)) {
            ids = tags_of(ctx, tx, saved)?.iter().map(Uuid::to_string).collect();
        }
    }
    changes.set_named(R::FIELDS, "tags", Json::from(ids).to_string());
    Ok(())
}

/// A kind of record with tags.
pub trait Tagged: Resource {
    const TAGS: TagScope;
}

/// `POST …/{id}/tags`.
pub fn attach_to<R: Tagged>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let which = which(&call.members(TAG_CHOICE)?)?;
    let saved = find::<R>(&call.ctx, tx, call.id(0, R::ABOUT.one)?)?;
    let tag = match which {
        Which::Name(name) => ensure_one(&call.ctx, tx, R::TAGS, &name, "name")?,
        Which::Id(id) => {
            let tag = find::<Tag>(&call.ctx, tx, id).map_err(|e| missing(e, "tag_id"))?;
            check_scope(tag.record.scope, R::TAGS, "tag_id")?;
            id
        }
    };
    // The path addresses the record, so a client would mistake the version of the tag for that of the record.
    let reply = Reply { version: None, ..show::<Tag>(&call.ctx, tx, tag)? };
    let tags = tags_of(&call.ctx, tx, &saved)?;
    if tags.contains(&tag) {
        return Ok(reply);
    }
    // Deleted tags that a job has not removed yet do not count.
    if live(&call.ctx, tx, &saved)?.len() >= 100 {
        return Err(invalid("tags", "must have at most 100 items"));
    }
    set(&call.ctx, tx, &saved, tags.iter().chain([&tag]).map(Uuid::to_string).collect())?;
    Ok(reply.created(format!("/{}/{}/tags", R::ABOUT.table, saved.id)))
}

/// `DELETE …/{id}/tags`: the tag is in the query; a JSON body is accepted, too.
pub fn detach_from<R: Resource>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let mut members = call.body.clone();
    members.extend(call.query.iter().map(|(name, value)| (name.clone(), Json::from(value.as_str()))));
    let shape = resource::Shape { record: &[], extra: TAG_CHOICE };
    let which = which(&Changes::check(&shape, &resource::Input(&members), true)?)?;
    let saved = find::<R>(&call.ctx, tx, call.id(0, R::ABOUT.one)?)?;
    let tag = match which {
        Which::Id(id) => match find::<Tag>(&call.ctx, tx, id) {
            Err(Error::NotFound(_)) => None,
            found => Some(found?.id),
        },
        Which::Name(name) => called(&call.ctx, tx, &name)?.map(|(id, _)| id),
    };
    let tags = tags_of(&call.ctx, tx, &saved)?;
    if !tag.is_some_and(|tag| tags.contains(&tag)) {
        return Err(not_found(format!("the tag on this {}", R::ABOUT.one)));
    }
    set(&call.ctx, tx, &saved, tags.iter().filter(|id| Some(**id) != tag).map(Uuid::to_string).collect())?;
    Ok(Reply::deleted())
}

/// An unknown id in a body is an invalid request, not 404.
pub fn missing(error: Error, field: &str) -> Error {
    match error {
        Error::NotFound(why) => invalid(field, why),
        other => other,
    }
}

/// The tag to attach or remove: one of the two.
#[derive(Resource)]
pub struct TagChoice {
    /// The tag by its id; or give `name`.
    pub tag_id: Option<Uuid>,
    /// The tag by its name; or give `tag_id`.
    #[field(max = 100)]
    pub name: Option<String>,
}

pub const TAG_CHOICE: &[Field] = TagChoice::FIELDS;

/// The tag in a request: `tag_id` or `name`, in the query or the body.
enum Which {
    Id(Uuid),
    Name(String),
}

fn which(changes: &Changes) -> Result<Which, Error> {
    match (changes.named("tag_id"), changes.get(Tag::NAME)) {
        (Some(Value::Id(id)), None) => Ok(Which::Id(*id)),
        (None, Some(Value::Text(name))) => Ok(Which::Name(name.clone())),
        (None, Some(_)) => Err(invalid("name", "must not be empty")),
        (None | Some(Value::Null), None) => Err(invalid("tag_id", "give tag_id or name")),
        _ => Err(invalid("tag_id", "give either tag_id or name, not both")),
    }
}
