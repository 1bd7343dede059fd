//! Records that turn out to be one. The others' values go into the survivor, their rows are kept aside, and their ids
//! go on working as the survivor's.

use crate::save::{event, put, take_away, tell_new, update_as};
use crate::sql::look;
use crate::{Changes, Cond, Ctx, Error, Field, Kind, Op, Resource, Saved, Test, digits, fold};
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;
use store::{Tx, Value};
use uuid::Uuid;

/// What became of the values.
pub struct Merged {
    pub changes: Changes,
    /// Items that found no room, by field.
    pub left_out: Map<String, Json>,
}

/// The survivor's values filled and joined with the others': what it lacks is taken from the first that has it, lists
/// are joined, and a warning flag holds if any had it. `chosen` says of single fields whose value it is to be.
pub fn merge<R: Resource>(into: &Saved<R>, from: &[Saved<R>], chosen: &HashMap<&str, Uuid>) -> Merged {
    let (mut changes, mut left_out) = (Changes::default(), Map::new());
    for (at, field) in R::FIELDS.iter().enumerate() {
        // The survivor's own history stays, and what it is in one word.
        let history = matches!(field.name, "id" | "created_at" | "updated_at" | "archived_at") || field.hidden;
        let word = matches!(field.kind, Kind::Choice(_)) && !field.nullable && !chosen.contains_key(field.name);
        if history || word || field.count.is_some() {
            continue;
        }
        let all = || std::iter::once(&into.values[at]).chain(from.iter().map(|saved| &saved.values[at]));
        let value = match (chosen.get(field.name), field.kind) {
            (Some(id), _) => {
                from.iter().find(|saved| saved.id == *id).map_or(&into.values[at], |saved| &saved.values[at]).clone()
            }
            (None, Kind::Texts | Kind::Labels | Kind::Ids | Kind::Items(_)) => {
                let (joined, rest) = join(field, all());
                if !rest.is_empty() {
                    left_out.insert(field.name.into(), rest.into());
                }
                joined
            }
            (None, Kind::Object) => {
                let mut whole = Map::new();
                for object in all().filter_map(object) {
                    for (key, value) in object {
                        whole.entry(key).or_insert(value);
                    }
                }
                Json::Object(whole).to_string().into()
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

/// Lists as one, equal items once, and what is more than the field holds.
fn join<'a>(field: &Field, lists: impl Iterator<Item = &'a Value>) -> (Value, Vec<Json>) {
    let (mut joined, mut rest, mut seen): (Vec<Json>, Vec<Json>, Vec<String>) = (Vec::new(), Vec::new(), Vec::new());
    for list in lists {
        let Value::Text(list) = list else { continue };
        for item in serde_json::from_str::<Vec<Json>>(list).unwrap_or_default() {
            let key = match field.kind {
                Kind::Items(fields) => {
                    let text = fields.first().and_then(|first| item.get(first.name)).and_then(Json::as_str);
                    let text = text.unwrap_or_default();
                    if field.by_digits() { digits(text) } else { fold(text) }
                }
                _ => item.as_str().map(fold).unwrap_or_default(),
            };
            if !seen.contains(&key) {
                seen.push(key);
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
    let more = Map::from_iter([("merged".to_owned(), json!([null, ids]))]);
    update_as(ctx, tx, into, changes, "merged", &more)?;
    let mut rows = Vec::new();
    for saved in from {
        take_away(ctx, tx, saved)?;
        // Whoever follows the changes must learn that it is gone, and where to.
        let gone = Map::from_iter([("merged_into".to_owned(), json!([null, into.id]))]);
        event(ctx, tx, &format!("{}.deleted", R::ABOUT.one), R::ABOUT.one, saved.id, &gone)?;
        rows.push(row(saved));
        const POINT: &str = "UPDATE merged_ids SET new_id = $1 WHERE workspace_id = $2 AND new_id = $3";
        tx.execute(POINT, &[into.id.into(), ctx.workspace.into(), saved.id.into()])?;
        const OLD: &str = "INSERT INTO merged_ids (workspace_id, old_id, new_id) VALUES ($1, $2, $3)";
        tx.execute(OLD, &[ctx.workspace.into(), saved.id.into(), into.id.into()])?;
    }
    Ok(json!({ "before": before, "after": after, "rows": rows }))
}

/// A record as `reinstate` takes it.
pub fn row<R: Resource>(saved: &Saved<R>) -> Json {
    let value = |(field, value): (&Field, &Value)| (field.name.to_owned(), kept(value));
    let values: Map<String, Json> = R::FIELDS.iter().zip(&saved.values).map(value).collect();
    json!({ "id": saved.id, "version": saved.version, "values": values })
}

fn kept(value: &Value) -> Json {
    match value {
        Value::Int(n) => (*n).into(),
        Value::Bool(b) => (*b).into(),
        Value::Text(text) => text.as_str().into(),
        Value::Id(id) => id.to_string().into(),
        _ => Json::Null,
    }
}

fn stored(field: &Field, json: &Json) -> Value {
    match (field.kind, json) {
        (Kind::Id, Json::String(id)) => Uuid::try_parse(id).map_or(Value::Null, Value::Id),
        (_, Json::String(text)) => text.as_str().into(),
        (_, Json::Number(n)) => n.as_i64().map_or(Value::Null, Value::Int),
        (_, Json::Bool(b)) => (*b).into(),
        _ => Value::Null,
    }
}

/// Puts the rows of a merge back and gives the survivor the values it had, where nobody has changed them since.
pub fn unmerge<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, into: &Saved<R>, kept_then: &Json) -> Result<Vec<Uuid>, Error> {
    let mut changes = Changes::default();
    for field in R::FIELDS {
        if let (Some(before), Some(after)) = (kept_then["before"].get(field.name), kept_then["after"].get(field.name))
            && kept(into.value(field.name)) == *after
        {
            changes.set(R::FIELDS, field.name, stored(field, before));
        }
    }
    let rows: &[Json] = kept_then["rows"].as_array().map_or(&[], Vec::as_slice);
    let ids: Vec<&Json> = rows.iter().map(|row| &row["id"]).collect();
    let more = Map::from_iter([("merged".to_owned(), json!([ids, null]))]);
    update_as(ctx, tx, into, &changes, "unmerged", &more)?;
    let mut back = Vec::new();
    for row in rows {
        back.push(reinstate::<R>(ctx, tx, row)?);
    }
    Ok(back)
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
    conds.iter().for_each(|cond| look(cond, &mut |test| names |= test.field.kind == Kind::Id));
    if !names || tx.one(ANY, &[ctx.workspace.into()], |_| Ok(()))?.is_none() {
        return Ok(());
    }
    conds.iter_mut().try_for_each(|cond| widen(ctx, tx, cond))
}

fn widen(ctx: &Ctx, tx: &mut dyn Tx, cond: &mut Cond) -> Result<(), Error> {
    match cond {
        Cond::All(conds) | Cond::Any(conds) => conds.iter_mut().try_for_each(|cond| widen(ctx, tx, cond)),
        Cond::Not(cond) => widen(ctx, tx, cond),
        Cond::Test(test) if test.field.kind == Kind::Id && !test.values.is_empty() => {
            let mut values = Vec::new();
            for value in &test.values {
                if let Value::Id(id) = value {
                    values.extend(all_of(ctx, tx, *id)?.into_iter().map(Value::Id));
                }
            }
            if values == test.values {
                return Ok(());
            }
            let among = Cond::Test(Test { field: test.field, op: Op::In, values });
            *cond = if test.op == Op::Neq { Cond::Not(Box::new(among)) } else { among };
            Ok(())
        }
        Cond::Test(_) | Cond::Find(_) => Ok(()),
    }
}
