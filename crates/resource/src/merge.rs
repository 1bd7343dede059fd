//! Records that turn out to be one. The others' values go into the survivor, their rows are kept aside, and their ids
//! go on working as the survivor's.

use crate::field::json;
use crate::save::{event, put, set_aside, tell_new, update_as};
use crate::sql::look;
use crate::{Changes, Cond, Ctx, Error, Field, Kind, Op, Resource, Saved, Test, digits, fold};
use serde_json::{Map, Value as Json};
use std::collections::{BTreeSet, HashMap, HashSet};
use store::{Ref, Tx, Value};
use uuid::Uuid;

/// What became of the values.
pub struct Merged {
    pub changes: Changes,
    /// Items that found no room, by field.
    pub left_out: Map<String, Json>,
}

/// The survivor's values filled and joined with the others': what it lacks is taken from the first that has it, lists
/// are joined, and a warning flag holds if any had it. `chosen` says of single fields whose value it is to be, `keys` of
/// single keys of an object.
pub fn merge<R: Resource>(
    into: &Saved<R>,
    from: &[Saved<R>],
    chosen: &HashMap<&str, Uuid>,
    keys: &HashMap<String, Uuid>,
) -> Merged {
    let (mut changes, mut left_out) = (Changes::default(), Map::new());
    for (at, field) in R::FIELDS.iter().enumerate() {
        // The survivor's own history stays, and what it is in one word.
        let history = matches!(field.name, "id" | "created_at" | "updated_at" | "archived_at") || field.hidden;
        let word = matches!(field.kind, Kind::Choice(_)) && !field.nullable && !chosen.contains_key(field.name);
        if history || word || field.count.is_some() {
            continue;
        }
        let all = || std::iter::once(&into.values[at]).chain(from.iter().map(|saved| &saved.values[at]));
        let of =
            |id: &Uuid| from.iter().find(|saved| saved.id == *id).map_or(&into.values[at], |saved| &saved.values[at]);
        let value = match (chosen.get(field.name), field.kind) {
            (whole, Kind::Object) => {
                let mut object = match whole {
                    Some(id) => object(of(id)).unwrap_or_default(),
                    None => join_objects(all()),
                };
                for (key, id) in keys {
                    match self::object(of(id)).and_then(|mut object| object.remove(key)) {
                        Some(value) => drop(object.insert(key.clone(), value)),
                        None => drop(object.remove(key)),
                    }
                }
                Json::Object(object).to_string().into()
            }
            (Some(id), _) => of(id).clone(),
            (None, Kind::Texts | Kind::Labels | Kind::Ids | Kind::Items(_)) => {
                let (joined, rest) = join(field, all());
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
            changes.set(R::FIELDS, field.name, value);
        }
    }
    Merged { changes, left_out }
}

fn int(value: &Value) -> i64 {
    if let Value::Int(n) = value { *n } else { i64::MIN }
}

fn object(value: &Value) -> Option<Map<String, Json>> {
    if let Value::Text(text) = value { serde_json::from_str(text).ok() } else { None }
}

/// Objects as one: each key has the first value that there is, lists are joined.
fn join_objects<'a>(objects: impl Iterator<Item = &'a Value>) -> Map<String, Json> {
    let mut whole: Map<String, Json> = Map::new();
    for (key, value) in objects.filter_map(object).flatten() {
        match (whole.get_mut(&key), value) {
            (Some(Json::Array(items)), Json::Array(more)) => {
                let new: Vec<Json> = more.into_iter().filter(|item| !items.contains(item)).collect();
                items.extend(new);
            }
            (Some(_), _) => {}
            (None, value) => drop(whole.insert(key, value)),
        }
    }
    whole
}

/// What makes an item of a list the same as another.
fn item_key(field: &Field, item: &Json) -> String {
    match field.kind {
        Kind::Items(fields) => {
            let text = fields.first().and_then(|first| item.get(first.name)).and_then(Json::as_str);
            let text = text.unwrap_or_default();
            if field.by_digits() { digits(text) } else { fold(text) }
        }
        _ => item.as_str().map(fold).unwrap_or_default(),
    }
}

/// Lists as one, equal items once, and what is more than the field holds.
fn join<'a>(field: &Field, lists: impl Iterator<Item = &'a Value>) -> (Value, Vec<Json>) {
    let (mut joined, mut rest, mut seen): (Vec<Json>, Vec<Json>, HashSet<String>) = Default::default();
    for list in lists {
        let Value::Text(list) = list else { continue };
        for item in serde_json::from_str::<Vec<Json>>(list).unwrap_or_default() {
            if seen.insert(item_key(field, &item)) {
                if joined.len() < field.max { joined.push(item) } else { rest.push(item) }
            }
        }
    }
    (Json::Array(joined).to_string().into(), rest)
}

/// Carries the merge out: one event, the others' rows taken away. Gives what an undo needs.
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
        before.insert(field.name.into(), kept(into.value(field.name)));
        after.insert(field.name.into(), kept(value));
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
        // Whoever follows the changes must learn that it is gone, and where to.
        let gone = Map::from_iter([("merged_into".to_owned(), serde_json::json!([null, into.id]))]);
        event(ctx, tx, &format!("{}.deleted", R::ABOUT.one), R::ABOUT.one, saved.id, &gone)?;
        rows.push(row(saved));
        redirected.insert(saved.id.to_string(), serde_json::json!(redirect(ctx, tx, merge, saved.id, into.id)?));
    }
    Ok(serde_json::json!({ "before": before, "after": after, "rows": rows, "redirected": redirected }))
}

/// Makes an id, and all ids that meant its record, mean another record. Gives those other ids.
fn redirect(ctx: &Ctx, tx: &mut dyn Tx, merge: Uuid, old: Uuid, new: Uuid) -> Result<Vec<Uuid>, Error> {
    const EARLIER: &str = "UPDATE merged_ids SET new_id = $1 WHERE workspace_id = $2 AND new_id = $3 RETURNING old_id";
    const OLD: &str = "INSERT INTO merged_ids (workspace_id, old_id, new_id, merge_id) VALUES ($1, $2, $3, $4)";
    let earlier = tx.rows(EARLIER, &[new.into(), ctx.workspace.into(), old.into()], |row| row.id(0))?;
    tx.execute(OLD, &[ctx.workspace.into(), old.into(), new.into(), merge.into()])?;
    Ok(earlier)
}

/// Makes the ids that a merge redirected mean the record again that they meant before; only those.
pub fn redirect_back(ctx: &Ctx, tx: &mut dyn Tx, ids: &[Uuid], from: Uuid, to: Uuid) -> Result<(), Error> {
    const BACK: &str = "UPDATE merged_ids SET new_id = $1 WHERE workspace_id = $2 AND old_id = $3 AND new_id = $4";
    for id in ids {
        tx.execute(BACK, &[to.into(), ctx.workspace.into(), (*id).into(), from.into()])?;
    }
    Ok(())
}

/// A record as `reinstate` takes it.
pub fn row<R: Resource>(saved: &Saved<R>) -> Json {
    let value = |(field, value): (&Field, &Value)| (field.name.to_owned(), kept(value));
    let values: Map<String, Json> = R::FIELDS.iter().zip(&saved.values).map(value).collect();
    serde_json::json!({ "id": saved.id, "version": saved.version, "values": values })
}

/// A stored value as a merge or an import keeps it.
pub fn kept(value: &Value) -> Json {
    match value {
        Value::Int(n) => (*n).into(),
        Value::Bool(b) => (*b).into(),
        Value::Text(text) => text.as_str().into(),
        Value::Id(id) => id.to_string().into(),
        _ => Json::Null,
    }
}

/// The stored value that was kept as this.
pub fn stored(field: &Field, json: &Json) -> Value {
    match (field.kind, json) {
        (Kind::Id, Json::String(id)) => Uuid::try_parse(id).map_or(Value::Null, Value::Id),
        (_, Json::String(text)) => text.as_str().into(),
        (_, Json::Number(n)) => n.as_i64().map_or(Value::Null, Value::Int),
        (_, Json::Bool(b)) => (*b).into(),
        _ => Value::Null,
    }
}

/// A change of a field taken back in the value that stands there now.
pub enum Reverted {
    /// It is as if the change had not been made; what others changed since is still there.
    To(Value),
    /// Others have changed the value since, so it stays.
    Changed(Value),
}

/// Takes back a change from `before` to `after`: in a list item by item, in an object key by key, otherwise whole.
pub fn revert(field: &Field, before: &Json, after: &Json, now: &Value) -> Result<Reverted, Error> {
    if kept(now) == *after {
        return Ok(Reverted::To(stored(field, before)));
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

/// The items that the change brought leave, those that it removed come back as far as there is room.
fn revert_list(field: &Field, before: &str, after: &str, now: &str) -> Result<Value, Error> {
    let read = |text: &str| json::<Vec<Json>>(Ref::Text(text));
    let (before, after, now) = (read(before)?, read(after)?, read(now)?);
    let keys = |items: &[Json]| items.iter().map(|item| item_key(field, item)).collect::<HashSet<_>>();
    let (had, brought, stands) = (keys(&before), keys(&after), keys(&now));
    let stays = |item: &Json| {
        let key = item_key(field, item);
        had.contains(&key) || !brought.contains(&key)
    };
    let mut items: Vec<Json> = now.into_iter().filter(stays).collect();
    for item in before {
        let key = item_key(field, &item);
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

/// Puts one row back as it was, changed now.
pub fn reinstate<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, row: &Json) -> Result<Uuid, Error> {
    let unreadable = || Error::Store(store::Error::Corrupt("a merge kept a row without an id".into()));
    let id = row["id"].as_str().and_then(|id| Uuid::try_parse(id).ok()).ok_or_else(unreadable)?;
    let version = row["version"].as_i64().unwrap_or(1) + 1;
    const NEW: &str = "DELETE FROM merged_ids WHERE workspace_id = $1 AND old_id = $2";
    tx.execute(NEW, &[ctx.workspace.into(), id.into()])?;
    let now = tx.stamp();
    let params = put::<R>(ctx, tx, id, version, &|at| {
        let field = &R::FIELDS[at];
        Ok(match (field.name, row["values"].get(field.name)) {
            ("updated_at", _) => now.into(),
            (_, Some(json)) => stored(field, json),
            // A field that is younger than the merge.
            (_, None) => R::statements().defaults[at].clone().unwrap_or(Value::Null),
        })
    })?;
    tell_new::<R>(ctx, tx, id, &params, "restored", None)?;
    Ok(id)
}

/// The changes that give a record the values of a kept row, but for what it is called and when it was made or changed.
pub fn values_of<R: Resource>(row: &Json) -> Changes {
    let mut changes = Changes::default();
    for field in R::FIELDS {
        if let Some(json) = row["values"].get(field.name)
            && !matches!(field.name, "id" | "created_at" | "updated_at")
        {
            changes.set(R::FIELDS, field.name, stored(field, json));
        }
    }
    changes
}

/// The record that this id went into, if it went into one.
pub fn survivor(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Option<Uuid>, Error> {
    const NEW: &str = "SELECT new_id FROM merged_ids WHERE workspace_id = $1 AND old_id = $2";
    Ok(tx.one(NEW, &[ctx.workspace.into(), id.into()], |row| row.id(0))?)
}

/// The record itself and all that went into it.
pub fn all_of(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Vec<Uuid>, Error> {
    const OLD: &str = "SELECT old_id FROM merged_ids WHERE workspace_id = $1 AND new_id = $2";
    let id = survivor(ctx, tx, id)?.unwrap_or(id);
    let mut ids = vec![id];
    ids.extend(tx.rows(OLD, &[ctx.workspace.into(), id.into()], |row| row.id(0))?);
    Ok(ids)
}

/// Conditions that name records, as they hold for all ids that these had.
pub(crate) fn widen_all(ctx: &Ctx, tx: &mut dyn Tx, conds: &mut [Cond]) -> Result<(), Error> {
    const ANY: &str = "SELECT 1 FROM merged_ids WHERE workspace_id = $1 LIMIT 1";
    let mut names = false;
    conds.iter().for_each(|cond| look(cond, &mut |test| names |= is_name(test.field)));
    if !names || tx.one(ANY, &[ctx.workspace.into()], |_| Ok(()))?.is_none() {
        return Ok(());
    }
    conds.iter_mut().try_for_each(|cond| widen(ctx, tx, cond))
}

/// Whether the field names other records.
fn is_name(field: &Field) -> bool {
    matches!(field.kind, Kind::Id | Kind::Ids)
}

fn widen(ctx: &Ctx, tx: &mut dyn Tx, cond: &mut Cond) -> Result<(), Error> {
    match cond {
        Cond::All(conds) | Cond::Any(conds) => conds.iter_mut().try_for_each(|cond| widen(ctx, tx, cond)),
        Cond::Not(cond) => widen(ctx, tx, cond),
        Cond::Test(test) if is_name(test.field) && !test.values.is_empty() => {
            let mut values = Vec::new();
            for value in &test.values {
                match value {
                    Value::Id(id) => values.extend(all_of(ctx, tx, *id)?.into_iter().map(Value::Id)),
                    other => values.push(other.clone()),
                }
            }
            if values == test.values {
                return Ok(());
            }
            if test.op == Op::Neq && test.field.kind == Kind::Ids {
                test.values = values;
                return Ok(());
            }
            let among = Cond::Test(Test { field: test.field, op: Op::In, values });
            *cond = if test.op == Op::Neq { Cond::Not(Box::new(among)) } else { among };
            Ok(())
        }
        Cond::Test(_) | Cond::Find(_) => Ok(()),
    }
}
