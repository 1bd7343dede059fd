//! Writing records: the row, its folded text, its terms, the kept counts and the event, all in
//! the transaction of the change.

use crate::list::counted_value;
use crate::render::{column, write_value};
use crate::sql::text_of;
use crate::{Changes, Ctx, Error, Field, Kind, Labels, Resource, custom, digits, fold, not_found};
use serde_json::{Map, Value as Json};
use std::borrow::Cow;
use std::collections::BTreeSet;
use store::{Tally, Tx, Value};
use uuid::Uuid;

/// A stored record: as a struct for the rules, as values for the machine.
pub struct Saved<R> {
    pub id: Uuid,
    pub version: i64,
    pub record: R,
    values: Vec<Value>,
}

impl<R: Resource> Saved<R> {
    pub fn value(&self, name: &str) -> &Value {
        R::FIELDS.iter().position(|field| field.name == name).map_or(&Value::Null, |at| &self.values[at])
    }
}

/// The record with this id, or 404.
pub fn find<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Saved<R>, Error> {
    let names: Vec<String> = R::FIELDS.iter().map(column).collect();
    let sql = format!(
        "SELECT {}, t.version FROM {} t WHERE t.workspace_id = $1 AND t.id = $2",
        names.join(", "),
        R::ABOUT.table
    );
    let found = tx.one(&sql, &[ctx.workspace.into(), id.into()], |row| {
        let mut values = Vec::with_capacity(names.len());
        for (column, field) in R::FIELDS.iter().enumerate() {
            values.push(match (field.kind, row.get(column)?) {
                (Kind::Bool, value) if !value.is_null() => value.bool()?.into(),
                (Kind::Id, value) if !value.is_null() => value.id()?.into(),
                (_, value) => value.to_value(),
            });
        }
        Ok((row.int(names.len())?, values))
    })?;
    let (version, values) = found.ok_or_else(|| not_found(R::ABOUT.one))?;
    Ok(Saved { id, version, record: R::decode(&values)?, values })
}

pub fn insert<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, changes: &Changes) -> Result<Uuid, Error> {
    let (id, now) = (tx.id(), tx.stamp());
    let mut values = Vec::with_capacity(R::FIELDS.len());
    for field in R::FIELDS {
        values.push(match (field.name, changes.get(field.name)) {
            ("id", _) => id.into(),
            ("created_at" | "updated_at", _) => now.into(),
            (_, Some(value)) => value.clone(),
            (name, None) => match (field.default, field.kind) {
                (Some(json), _) => field.check(name, &serde_json::from_str(json).unwrap_or(Json::Null))?,
                _ if field.nullable => Value::Null,
                (None, Kind::Texts | Kind::Items(_) | Kind::Labels) => "[]".into(),
                (None, Kind::Object) => "{}".into(),
                (None, Kind::Bool) => false.into(),
                (None, Kind::Int) => 0.into(),
                (None, _) => return Err(crate::invalid(name, "is required")),
            },
        });
    }
    let mut columns = vec![("workspace_id".to_owned(), Value::Id(ctx.workspace)), ("version".to_owned(), 1.into())];
    for (field, value) in R::FIELDS.iter().zip(&values) {
        push_column(&mut columns, field, value);
    }
    // A table may keep the time of change without showing it.
    if !R::FIELDS.iter().any(|field| field.name == "updated_at") {
        columns.push(("updated_at".into(), now.into()));
    }
    let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
    let places: Vec<String> = (1..=columns.len()).map(|n| format!("${n}")).collect();
    let sql = format!("INSERT INTO {} ({}) VALUES ({})", R::ABOUT.table, names.join(", "), places.join(", "));
    let params: Vec<Value> = columns.iter().map(|(_, value)| value.clone()).collect();
    tx.execute(&sql, &params)?;

    for (field, value) in R::FIELDS.iter().zip(&values) {
        write_terms(ctx, tx, id, &BTreeSet::new(), &terms(field, value))?;
    }
    count::<R>(tx, &values, 1);
    count_named::<R>(ctx, tx, None, Some(&values))?;
    let mut told = Map::new();
    for (field, value) in R::FIELDS.iter().zip(&values).filter(|(field, _)| !field.read_only) {
        let empty = matches!(value, Value::Null) || matches!(value, Value::Text(text) if text == "[]" || text == "{}");
        if !empty {
            told.insert(field.name.into(), Json::Array(vec![Json::Null, told_value(ctx, tx, field, value)?]));
        }
    }
    let subjects = subjects::<R>(&[&values]);
    event_about(ctx, tx, &format!("{}.created", R::ABOUT.one), R::ABOUT.one, id, &told, &subjects)?;
    Ok(id)
}

/// Sets what differs from the stored record; false if nothing did, and then nothing is written.
pub fn update<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>, changes: &Changes) -> Result<bool, Error> {
    let now = tx.stamp();
    let (mut columns, mut told, mut values) = (Vec::new(), Map::new(), saved.values.clone());
    for (at, field) in R::FIELDS.iter().enumerate() {
        let Some(new) = changes.get(field.name).filter(|new| **new != saved.values[at]) else { continue };
        push_column(&mut columns, field, new);
        if !field.hidden {
            let from = told_value(ctx, tx, field, &saved.values[at])?;
            let to = told_value(ctx, tx, field, new)?;
            told.insert(field.name.into(), Json::Array(vec![from, to]));
        }
        write_terms(ctx, tx, saved.id, &terms(field, &saved.values[at]), &terms(field, new))?;
        values[at] = new.clone();
    }
    if columns.is_empty() {
        return Ok(false);
    }
    columns.push(("updated_at".into(), now.into()));
    columns.push(("version".into(), (saved.version + 1).into()));
    let sets: Vec<String> = columns.iter().enumerate().map(|(n, (name, _))| format!("{name} = ${}", n + 1)).collect();
    let (workspace, id) = (columns.len() + 1, columns.len() + 2);
    let sql =
        format!("UPDATE {} SET {} WHERE workspace_id = ${workspace} AND id = ${id}", R::ABOUT.table, sets.join(", "));
    let mut params: Vec<Value> = columns.into_iter().map(|(_, value)| value).collect();
    params.extend([ctx.workspace.into(), saved.id.into()]);
    tx.execute(&sql, &params)?;
    count::<R>(tx, &saved.values, -1);
    count::<R>(tx, &values, 1);
    count_named::<R>(ctx, tx, Some(&saved.values), Some(&values))?;
    let subjects = subjects::<R>(&[&saved.values, &values]);
    event_about(ctx, tx, &format!("{}.updated", R::ABOUT.one), R::ABOUT.one, saved.id, &told, &subjects)?;
    Ok(true)
}

/// Removes the record for good.
pub fn delete<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>) -> Result<(), Error> {
    let sql = format!("DELETE FROM {} WHERE workspace_id = $1 AND id = $2", R::ABOUT.table);
    tx.execute(&sql, &[ctx.workspace.into(), saved.id.into()])?;
    if R::ABOUT.texts {
        const FORGET: &str = "DELETE FROM texts WHERE workspace_id = $1 AND collection = $2 AND record = $3";
        tx.execute(FORGET, &[ctx.workspace.into(), R::ABOUT.table.into(), saved.id.into()])?;
    }
    let mut told = Map::new();
    for (field, value) in R::FIELDS.iter().zip(&saved.values) {
        write_terms(ctx, tx, saved.id, &terms(field, value), &BTreeSet::new())?;
        if !field.read_only && *value != Value::Null {
            told.insert(field.name.into(), Json::Array(vec![told_value(ctx, tx, field, value)?, Json::Null]));
        }
    }
    count::<R>(tx, &saved.values, -1);
    count_named::<R>(ctx, tx, Some(&saved.values), None)?;
    let subjects = subjects::<R>(&[&saved.values]);
    event_about(ctx, tx, &format!("{}.deleted", R::ABOUT.one), R::ABOUT.one, saved.id, &told, &subjects)
}

/// Notes in the workspace's one history what happened, to what, and by whom.
pub fn event(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    kind: &str,
    record: &str,
    id: Uuid,
    changes: &Map<String, Json>,
) -> Result<(), Error> {
    event_about(ctx, tx, kind, record, id, changes, &[])
}

/// The same, told in the timelines of `subjects` too.
pub fn event_about(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    kind: &str,
    record: &str,
    id: Uuid,
    changes: &Map<String, Json>,
    subjects: &[Uuid],
) -> Result<(), Error> {
    const SUBJECT: &str = "INSERT INTO event_subjects (workspace_id, record_id, place) VALUES ($1, $2, $3)";
    const EVENT: &str = "INSERT INTO events (workspace_id, place, type, at, actor_kind, actor_id, actor_name, record_type, record_id, changes) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let (place, at) = (tx.place()?, tx.stamp());
    let params = [
        ctx.workspace.into(),
        place.into(),
        kind.into(),
        at.into(),
        ctx.actor.kind.into(),
        ctx.actor.id.into(),
        (&*ctx.actor.name).into(),
        record.into(),
        id.into(),
        serde_json::to_string(changes).unwrap_or_default().into(),
    ];
    tx.execute(EVENT, &params)?;
    for subject in subjects {
        tx.execute(SUBJECT, &[ctx.workspace.into(), (*subject).into(), place.into()])?;
    }
    Ok(())
}

/// The records that a record names as its subjects, before or after a change.
fn subjects<R: Resource>(values: &[&[Value]]) -> Vec<Uuid> {
    let mut subjects = Vec::new();
    for values in values {
        for (_, value) in R::FIELDS.iter().zip(*values).filter(|(field, _)| field.subject) {
            if let Value::Id(id) = value
                && !subjects.contains(id)
            {
                subjects.push(*id);
            }
        }
    }
    subjects
}

fn push_column(columns: &mut Vec<(String, Value)>, field: &Field, value: &Value) {
    if field.count.is_some() {
        return;
    }
    if field.folded() {
        let folded = text_of(value).map(if field.kind == Kind::Object { custom::folded } else { fold });
        columns.push((field.order_column(), folded.into()));
    }
    columns.push((field.name.to_owned(), value.clone()));
}

/// The terms under which a record is found by this field: their names and keys.
fn terms(field: &Field, value: &Value) -> BTreeSet<(Cow<'static, str>, String)> {
    match (field.term, field.kind, value) {
        (Some(name), Kind::Object, Value::Text(data)) => {
            let named = |(key, values): (String, Vec<String>)| {
                values.into_iter().map(move |value| (Cow::Owned(format!("{name}.{key}")), value))
            };
            custom::keys(data).into_iter().flat_map(named).collect()
        }
        (Some(name), Kind::Id, Value::Id(id)) => BTreeSet::from([(name.into(), id.to_string())]),
        (Some(name), ..) => keys(field, value).into_iter().map(|key| (name.into(), key)).collect(),
        (None, ..) => BTreeSet::new(),
    }
}

/// The keys of texts, lists and addresses.
pub(crate) fn keys(field: &Field, value: &Value) -> BTreeSet<String> {
    let (Some(_), Some(text)) = (field.term, text_of(value)) else { return BTreeSet::new() };
    let list = || serde_json::from_str::<Vec<Json>>(text).unwrap_or_default();
    match field.kind {
        Kind::Text => BTreeSet::from([fold(text)]),
        Kind::Labels => list().iter().filter_map(Json::as_str).map(str::to_owned).collect(),
        Kind::Texts => list().iter().filter_map(Json::as_str).map(fold).collect(),
        Kind::Items(fields) => {
            let first = fields.first().map_or("", |field| field.name);
            let key = |text: &str| if field.by_digits() { digits(text) } else { fold(text) };
            list().iter().filter_map(|item| item.get(first)?.as_str()).map(key).collect()
        }
        _ => BTreeSet::new(),
    }
}

fn write_terms(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    id: Uuid,
    old: &BTreeSet<(Cow<'static, str>, String)>,
    new: &BTreeSet<(Cow<'static, str>, String)>,
) -> Result<(), Error> {
    const ADD: &str =
        "INSERT INTO terms (workspace_id, field, key, record) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
    const DROP: &str = "DELETE FROM terms WHERE workspace_id = $1 AND field = $2 AND key = $3 AND record = $4";
    for (sql, keys) in [(DROP, old.difference(new)), (ADD, new.difference(old))] {
        for (name, key) in keys {
            tx.execute(sql, &[ctx.workspace.into(), (&**name).into(), key.as_str().into(), id.into()])?;
        }
    }
    Ok(())
}

/// Keeps the counts that other records show of those that name them and are not archived.
fn count_named<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    old: Option<&[Value]>,
    new: Option<&[Value]>,
) -> Result<(), Error> {
    const COUNT: &str = "INSERT INTO record_counts (workspace_id, record, name, n) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (workspace_id, record, name) DO UPDATE SET n = record_counts.n + excluded.n";
    let archived = R::FIELDS.iter().position(|field| field.name == "archived_at");
    let live = |values: &&[Value]| archived.is_none_or(|at| values[at] == Value::Null);
    for (at, field) in R::FIELDS.iter().enumerate() {
        let Some(name) = field.tallied else { continue };
        let named = |values: Option<&[Value]>| match values.filter(live).map(|values| &values[at]) {
            Some(Value::Id(id)) => Some(*id),
            _ => None,
        };
        let (old, new) = (named(old), named(new));
        if old != new {
            for (record, change) in [(old, -1), (new, 1)] {
                if let Some(record) = record {
                    tx.execute(COUNT, &[ctx.workspace.into(), record.into(), name.into(), change.into()])?;
                }
            }
        }
    }
    Ok(())
}

fn count<R: Resource>(tx: &mut dyn Tx, values: &[Value], delta: i64) {
    let at = |name: &str| R::FIELDS.iter().position(|field| field.name == name);
    let archived = R::ABOUT.archives && at("archived_at").is_some_and(|at| values[at] != Value::Null);
    let collection = R::ABOUT.table;
    tx.tally(Tally { collection, field: "", value: String::new(), archived }, delta);
    for (field, value) in R::FIELDS.iter().zip(values).filter(|(field, _)| field.counted) {
        tx.tally(Tally { collection, field: field.name, value: counted_value(value), archived }, delta);
    }
}

/// A value as an event tells it: as the API shows it.
fn told_value(ctx: &Ctx, tx: &mut dyn Tx, field: &Field, value: &Value) -> Result<Json, Error> {
    if field.kind == Kind::Labels {
        let ids: Vec<Uuid> = crate::field::json(value.as_ref())?;
        let labels = Labels::of(ctx, tx)?;
        return Ok(labels.names(ctx, tx, &ids)?.iter().map(|name| Json::from(&**name)).collect());
    }
    let mut json = Vec::new();
    write_value(&mut json, field.kind, value.as_ref())?;
    Ok(serde_json::from_slice(&json).unwrap_or(Json::Null))
}
