//! Merges of duplicate records. The survivor takes over values of the others, their rows are saved for an undo, and
//! their ids become aliases of the survivor's.

use crate::events::event;
use crate::save::{emit_new, put, set_aside, update_as};
use crate::stored::json;
use crate::{Changes, Ctx, Error, Field, Kind, Resource, Saved, digits, fold};
use serde_json::{Map, Value as Json};
use std::collections::{BTreeSet, HashMap, HashSet};
use store::{Ref, Tx, Value};
use uuid::Uuid;

/// The result of merging values.
pub struct Merged {
    pub changes: Changes,
    /// Items that exceed the limit of their list, by field.
    pub left_out: Map<String, Json>,
}

/// Combines the values: an empty field of the survivor takes the first value that there is, lists are joined, a flag is
/// set if any record has it, and the latest time wins. `chosen` names the record whose value a field takes, `keys` the
/// same for single keys of an object.
pub fn merge<R: Resource>(
    into: &Saved<R>,
    from: &[Saved<R>],
    chosen: &HashMap<&str, Uuid>,
    keys: &HashMap<String, Uuid>,
) -> Result<Merged, Error> {
    let (mut changes, mut left_out) = (Changes::default(), Map::new());
    // The records were decoded before, so an error here means a damaged field.
    let unread = |field: &Field, error: store::Error| error.in_column(field.name).in_row(R::ABOUT.table, into.id);
    for (at, field) in R::FIELDS.iter().enumerate() {
        // The survivor keeps its own history and its required choices, such as a status.
        let history = matches!(field.name, "id" | "created_at" | "updated_at" | "archived_at") || field.hidden;
        let word = matches!(field.kind, Kind::Choice(_)) && !field.nullable && !chosen.contains_key(field.name);
        if history || word || !field.is_column() {
            continue;
        }
        let all = || std::iter::once(&into.values[at]).chain(from.iter().map(|saved| &saved.values[at]));
        let of =
            |id: &Uuid| from.iter().find(|saved| saved.id == *id).map_or(&into.values[at], |saved| &saved.values[at]);
        let value = match (chosen.get(field.name), field.kind) {
            (whole, Kind::Object) => {
                let mut object = match whole {
                    Some(id) => object(of(id)).map_err(|error| unread(field, error))?,
                    None => join_objects(all()).map_err(|error| unread(field, error))?,
                };
                for (key, id) in keys {
                    match self::object(of(id)).map_err(|error| unread(field, error))?.remove(key) {
                        Some(value) => drop(object.insert(key.clone(), value)),
                        None => drop(object.remove(key)),
                    }
                }
                Json::Object(object).to_string().into()
            }
            (Some(id), _) => of(id).clone(),
            (None, Kind::Texts | Kind::Labels | Kind::Ids | Kind::Items(_)) => {
                let (joined, rest) = join(field, all()).map_err(|error| unread(field, error))?;
                if !rest.is_empty() {
                    left_out.insert(field.name.into(), rest.into());
                }
                joined
            }
            (None, Kind::Bool) => all().any(|value| *value == Value::Bool(true)).into(),
            (None, Kind::Time) => all()
                .filter(|value| **value != Value::Null)
                .max_by_key(|value| int(value))
                .cloned()
                .unwrap_or(Value::Null),
            (None, _) => all().find(|value| **value != Value::Null).cloned().unwrap_or(Value::Null),
        };
        if value != into.values[at] {
            changes.set_field(field, value);
        }
    }
    Ok(Merged { changes, left_out })
}

fn int(value: &Value) -> i64 {
    if let Value::Int(n) = value { *n } else { i64::MIN }
}

fn object(value: &Value) -> Result<Map<String, Json>, store::Error> {
    if *value == Value::Null { Ok(Map::new()) } else { json(value.as_ref()) }
}

/// Combines objects: each key has the first value that there is, and lists are joined.
fn join_objects<'a>(objects: impl Iterator<Item = &'a Value>) -> Result<Map<String, Json>, store::Error> {
    let mut whole: Map<String, Json> = Map::new();
    let objects = objects.map(object).collect::<Result<Vec<_>, _>>()?;
    for (key, value) in objects.into_iter().flatten() {
        match (whole.get_mut(&key), value) {
            (Some(Json::Array(items)), Json::Array(more)) => {
                let new: Vec<Json> = more.into_iter().filter(|item| !items.contains(item)).collect();
                items.extend(new);
            }
            (Some(_), _) => {}
            (None, value) => drop(whole.insert(key, value)),
        }
    }
    Ok(whole)
}

/// The key by which items of a list are compared.
fn item_key(field: &Field, item: &Json) -> Result<String, store::Error> {
    let text = match field.kind {
        Kind::Items(fields) => fields.first().and_then(|first| item.get(first.name)),
        _ => Some(item),
    };
    let text = text.and_then(Json::as_str).ok_or_else(|| store::Error::unreadable("an item has no text"))?;
    Ok(if field.by_digits() { digits(text) } else { fold(text) })
}

/// Combines lists without duplicates; returns also the items that exceed the limit of the field.
fn join<'a>(field: &Field, lists: impl Iterator<Item = &'a Value>) -> Result<(Value, Vec<Json>), store::Error> {
    let (mut joined, mut rest, mut seen): (Vec<Json>, Vec<Json>, HashSet<String>) = Default::default();
    for list in lists.filter(|list| **list != Value::Null) {
        for item in json::<Vec<Json>>(list.as_ref())? {
            if seen.insert(item_key(field, &item)?) {
                if joined.len() < field.max { joined.push(item) } else { rest.push(item) }
            }
        }
    }
    Ok((Json::Array(joined).to_string().into(), rest))
}

/// Writes the merge: updates the survivor with one event, and deletes the others' rows. Returns the data for an undo.
pub fn carry_out<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    merge: Uuid,
    into: &Saved<R>,
    from: &[Saved<R>],
    changes: &Changes,
) -> Result<Json, Error> {
    let mut before = Map::new();
    let mut after = Map::new();
    for (field, value) in changes.iter() {
        before.insert(field.name.into(), snapshot(into.value(field.name)?));
        after.insert(field.name.into(), snapshot(value));
    }
    let ids: Vec<String> = from.iter().map(|saved| saved.id.to_string()).collect();
    let more = Map::from_iter([
        ("merged".to_owned(), serde_json::json!([null, ids])),
        ("merge_id".to_owned(), serde_json::json!([null, merge])),
    ]);
    update_as(ctx, tx, into, changes, "merged", &more)?;
    let (mut rows, mut redirected) = (Vec::new(), Map::new());
    for saved in from {
        set_aside(ctx, tx, saved)?;
        // Clients that follow the feed must learn that the record is gone and which one replaces it.
        let gone = Map::from_iter([("merged_into".to_owned(), serde_json::json!([null, into.id]))]);
        event(ctx, tx, &format!("{}.deleted", R::ABOUT.one), R::ABOUT.one, saved.id, &gone)?;
        rows.push(row(saved));
        redirected.insert(saved.id.to_string(), serde_json::json!(redirect(ctx, tx, merge, saved.id, into.id)?));
    }
    Ok(serde_json::json!({ "before": before, "after": after, "rows": rows, "redirected": redirected }))
}

/// Makes an id and all of its aliases point to another record. Returns these aliases.
fn redirect(ctx: &Ctx, tx: &mut dyn Tx, merge: Uuid, old: Uuid, new: Uuid) -> Result<Vec<Uuid>, Error> {
    const EARLIER: &str = "UPDATE merged_ids SET new_id = $1 WHERE workspace_id = $2 AND new_id = $3 RETURNING old_id";
    const OLD: &str = "INSERT INTO merged_ids (workspace_id, old_id, new_id, merge_id) VALUES ($1, $2, $3, $4)";
    let earlier = tx.rows(EARLIER, &[new.into(), ctx.workspace.into(), old.into()], |row| row.id(0))?;
    tx.execute(OLD, &[ctx.workspace.into(), old.into(), new.into(), merge.into()])?;
    Ok(earlier)
}

/// Makes the aliases that a merge redirected point to their former record again, unless they have changed since.
pub fn redirect_back(ctx: &Ctx, tx: &mut dyn Tx, ids: &[Uuid], from: Uuid, to: Uuid) -> Result<(), Error> {
    const BACK: &str = "UPDATE merged_ids SET new_id = $1 WHERE workspace_id = $2 AND old_id = $3 AND new_id = $4";
    for id in ids {
        tx.execute(BACK, &[to.into(), ctx.workspace.into(), (*id).into(), from.into()])?;
    }
    Ok(())
}

/// A record in the form that `reinstate` reads.
pub fn row<R: Resource>(saved: &Saved<R>) -> Json {
    let value = |(field, value): (&Field, &Value)| (field.name.to_owned(), snapshot(value));
    let values: Map<String, Json> = R::FIELDS.iter().zip(&saved.values).map(value).collect();
    serde_json::json!({ "id": saved.id, "version": saved.version, "values": values })
}

/// A stored value in the form in which merges and imports save it.
pub fn snapshot(value: &Value) -> Json {
    match value {
        Value::Int(n) => (*n).into(),
        Value::Bool(b) => (*b).into(),
        Value::Text(text) => text.as_str().into(),
        Value::Id(id) => id.to_string().into(),
        _ => Json::Null,
    }
}

/// The stored value from its saved form. An error names the field in its reason; the caller adds the place of the saved
/// form.
pub fn stored(field: &Field, json: &Json) -> Result<Value, Error> {
    let unfit = || store::Error::unreadable(format!("{} is no value of its field", field.name));
    Ok(match (field.kind, json) {
        (_, Json::Null) => Value::Null,
        (Kind::Id, Json::String(id)) => Uuid::try_parse(id).map(Value::Id).map_err(|_| unfit())?,
        (_, Json::String(text)) => text.as_str().into(),
        (_, Json::Number(n)) => n.as_i64().map(Value::Int).ok_or_else(unfit)?,
        (_, Json::Bool(b)) => (*b).into(),
        (_, Json::Array(_) | Json::Object(_)) => return Err(unfit().into()),
    })
}

/// The result of reverting a change in the current value of a field.
pub enum Reverted {
    /// The change is reverted; later changes by others are preserved.
    To(Value),
    /// Others have changed the value since, so it stays.
    Changed(Value),
}

/// Reverts a change from `before` to `after`: in a list by item, in an object by key, otherwise as a whole.
pub fn revert(field: &Field, before: &Json, after: &Json, now: &Value) -> Result<Reverted, Error> {
    if snapshot(now) == *after {
        return Ok(Reverted::To(stored(field, before)?));
    }
    let texts = |json: &Json| json.as_str().map(str::to_owned);
    match (field.kind, texts(before), texts(after), now) {
        (Kind::Texts | Kind::Labels | Kind::Ids | Kind::Items(_), Some(before), Some(after), Value::Text(now)) => {
            Ok(Reverted::To(revert_list(field, &before, &after, now)?))
        }
        (Kind::Object, Some(before), Some(after), Value::Text(now)) => revert_object(&before, &after, now),
        _ => Ok(Reverted::Changed(now.clone())),
    }
}

/// Removes the items that the change added, and restores those that it removed as far as the limit allows.
fn revert_list(field: &Field, before: &str, after: &str, now: &str) -> Result<Value, Error> {
    let read = |text: &str| json::<Vec<Json>>(Ref::Text(text));
    let (before, after, now) = (read(before)?, read(after)?, read(now)?);
    let keys = |items: &[Json]| -> Result<HashSet<String>, store::Error> {
        items.iter().map(|item| item_key(field, item)).collect()
    };
    let (had, brought, stands) = (keys(&before)?, keys(&after)?, keys(&now)?);
    let mut items: Vec<Json> = Vec::new();
    for item in now {
        let key = item_key(field, &item)?;
        if had.contains(&key) || !brought.contains(&key) {
            items.push(item);
        }
    }
    for item in before {
        let key = item_key(field, &item)?;
        if !brought.contains(&key) && !stands.contains(&key) && items.len() < field.max {
            items.push(item);
        }
    }
    Ok(Json::Array(items).to_string().into())
}

fn revert_object(before: &str, after: &str, now: &str) -> Result<Reverted, Error> {
    let read = |text: &str| json::<Map<String, Json>>(Ref::Text(text));
    let (before, after, mut now) = (read(before)?, read(after)?, read(now)?);
    let mut changed = false;
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for key in keys.into_iter().filter(|key| before.get(*key) != after.get(*key)) {
        if now.get(key) != after.get(key) {
            match (before.get(key), after.get(key), now.get(key)) {
                (before @ (None | Some(Json::Array(_))), Some(Json::Array(after)), Some(Json::Array(stands))) => {
                    let before = before.and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
                    let stays = |item: &&Json| before.contains(item) || !after.contains(item);
                    let gone = |item: &&Json| !after.contains(item) && !stands.contains(item);
                    let items: Vec<Json> =
                        stands.iter().filter(stays).chain(before.iter().filter(gone)).cloned().collect();
                    match items.is_empty() {
                        true => drop(now.remove(key)),
                        false => drop(now.insert(key.clone(), items.into())),
                    }
                }
                _ => changed = true,
            }
            continue;
        }
        match before.get(key) {
            Some(value) => drop(now.insert(key.clone(), value.clone())),
            None => drop(now.remove(key)),
        }
    }
    let value = Json::Object(now).to_string().into();
    Ok(if changed { Reverted::Changed(value) } else { Reverted::To(value) })
}

/// Inserts a saved row again, with the current time as `updated_at`.
pub fn reinstate<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, row: &Json) -> Result<Uuid, Error> {
    let id = row["id"].as_str().and_then(|id| Uuid::try_parse(id).ok());
    let id = id.ok_or_else(|| store::Error::unreadable("a row has no id"))?;
    let version = row["version"].as_i64().ok_or_else(|| store::Error::unreadable("a row has no version"))? + 1;
    if !row["values"].is_object() {
        return Err(store::Error::unreadable("a row has no values").into());
    }
    const NEW: &str = "DELETE FROM merged_ids WHERE workspace_id = $1 AND old_id = $2";
    tx.execute(NEW, &[ctx.workspace.into(), id.into()])?;
    let now = tx.stamp();
    let value = |(at, field): (usize, &Field)| {
        Ok(match (field.name, row["values"].get(field.name)) {
            ("updated_at", _) => now.into(),
            (_, Some(json)) => stored(field, json)?,
            (_, None) if !field.is_column() => 0.into(),
            // The field was added to the schema after the merge.
            (_, None) => R::statements().defaults[at].clone().unwrap_or(Value::Null),
        })
    };
    let values = R::FIELDS.iter().enumerate().map(value).collect::<Result<Vec<Value>, Error>>()?;
    R::decode(&values).map_err(in_snapshot)?;
    let params = put::<R>(ctx, tx, id, version, &|at| Ok(values[at].clone()))?;
    emit_new::<R>(ctx, tx, id, &params, "restored", None)?;
    Ok(id)
}

/// Errors in a saved row must not name a column of the record: the damaged column is the one with the saved row.
fn in_snapshot(error: Error) -> Error {
    match error {
        Error::Store(store::Error::Corrupt(what)) => {
            store::Error::unreadable(format!("{} {}", what.column, what.reason)).into()
        }
        other => other,
    }
}

/// The changes that give a record the values of a saved row, except for its id, `created_at` and `updated_at`.
pub fn values_of<R: Resource>(row: &Json) -> Result<Changes, Error> {
    let mut changes = Changes::default();
    if !row["values"].is_object() {
        return Err(store::Error::unreadable("a row has no values").into());
    }
    for field in R::FIELDS {
        if let Some(json) = row["values"].get(field.name)
            && !matches!(field.name, "id" | "created_at" | "updated_at")
        {
            changes.set_field(field, stored(field, json)?);
        }
    }
    Ok(changes)
}
