//! Writing records: the row, its folded text, its terms, the kept counts and the event, all in
//! the transaction of the change.

use crate::list::counted_value;
use crate::render::{write_names, write_value};
use crate::sql::{Sql, text_of};
use crate::statements::Column;
use crate::{Changes, Ctx, Error, Field, Kind, Labels, Rendered, Resource, digits, fold, not_found};
use serde_json::{Map, Value as Json};
use std::collections::BTreeSet;
use store::{Ref, Row, Tally, Tx, Value};
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
    let width = R::FIELDS.len();
    let found = tx.one(&R::statements().find, &[ctx.workspace.into(), id.into()], |row| {
        let mut values = Vec::with_capacity(width);
        for (column, field) in R::FIELDS.iter().enumerate() {
            values.push(match (field.kind, row.get(column)?) {
                (Kind::Bool, value) if !value.is_null() => value.bool()?.into(),
                (Kind::Id, value) if !value.is_null() => value.id()?.into(),
                (_, value) => value.to_value(),
            });
        }
        Ok((row.int(width)?, values))
    })?;
    let (version, values) = found.ok_or_else(|| not_found(R::ABOUT.one))?;
    Ok(Saved { id, version, record: R::decode(&values)?, values })
}

pub fn insert<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, changes: &Changes) -> Result<Uuid, Error> {
    Ok(write_new::<R>(ctx, tx, changes)?.id)
}

/// The same, and the record as it is shown: from what was written, which is what would be read.
pub fn create<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, changes: &Changes) -> Result<(Uuid, Rendered), Error> {
    let new = write_new::<R>(ctx, tx, changes)?;
    let mut rendered = Rendered::default();
    rendered.json.reserve(1024);
    rendered.row(R::FIELDS, &Shown { params: &new.params, places: &R::statements().shown }, new.labels.as_ref())?;
    let labels = match new.labels {
        None if !rendered.is_whole() => Some(Labels::of(ctx, tx)?),
        known => known,
    };
    rendered.fill(ctx, tx, labels.as_ref())?;
    Ok((new.id, rendered))
}

/// A record as it was just written.
struct New {
    id: Uuid,
    params: Vec<Value>,
    /// Read if the event tells of any.
    labels: Option<Labels>,
}

/// The shown fields among the parameters of the statement that wrote them.
struct Shown<'a> {
    params: &'a [Value],
    places: &'a [usize],
}

impl Row for Shown<'_> {
    fn get(&self, column: usize) -> Result<Ref<'_>, store::Error> {
        let value = self.places.get(column).and_then(|place| self.params.get(*place));
        value.map(Value::as_ref).ok_or_else(|| store::Error::Internal(format!("there is no column {column}")))
    }
}

fn write_new<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, changes: &Changes) -> Result<New, Error> {
    let (id, now, statements) = (tx.id(), tx.stamp(), R::statements());
    let value = |at: usize| {
        let field = &R::FIELDS[at];
        match (field.name, changes.get(field.name)) {
            ("id", _) => Ok(id.into()),
            ("created_at" | "updated_at", _) => Ok(now.into()),
            (_, Some(value)) => Ok(value.clone()),
            (name, None) => statements.defaults[at].clone().ok_or_else(|| crate::invalid(name, "is required")),
        }
    };
    let mut params = Vec::with_capacity(statements.columns.len());
    for column in &statements.columns {
        params.push(match column {
            Column::Workspace => ctx.workspace.into(),
            Column::Version => 1.into(),
            Column::Field(at) => value(*at)?,
            Column::Folded(at) => text_of(&value(*at)?).map(fold).into(),
            Column::UpdatedAt => now.into(),
        });
    }
    tx.execute(&statements.insert, &params)?;

    let fields = || R::FIELDS.iter().zip(statements.places.iter().map(|place| &params[*place]));
    let mut terms = Vec::new();
    for (field, value) in fields() {
        terms.extend(keys(field, value).into_iter().map(|key| (field.term.unwrap_or_default(), key)));
    }
    add_terms(ctx, tx, id, &terms)?;
    count::<R>(tx, fields().map(|(_, value)| value), 1);
    let mut told = Told::new();
    for (field, value) in fields().filter(|(field, _)| !field.read_only) {
        let empty = matches!(value, Value::Null) || matches!(value, Value::Text(text) if text == "[]" || text == "{}");
        if !empty {
            told.change(ctx, tx, field, &Value::Null, value)?;
        }
    }
    let labels = told.labels.take();
    write_event(ctx, tx, &format!("{}.created", R::ABOUT.one), R::ABOUT.one, id, told.text()?)?;
    Ok(New { id, params, labels })
}

/// Sets what differs from the stored record; false if nothing did, and then nothing is written.
pub fn update<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>, changes: &Changes) -> Result<bool, Error> {
    let now = tx.stamp();
    let (mut columns, mut told, mut values) = (Vec::new(), Told::new(), saved.values.clone());
    for (at, field) in R::FIELDS.iter().enumerate() {
        let Some(new) = changes.get(field.name).filter(|new| **new != saved.values[at]) else { continue };
        push_column(&mut columns, field, new);
        if !field.hidden {
            told.change(ctx, tx, field, &saved.values[at], new)?;
        }
        write_terms(ctx, tx, field, saved.id, &keys(field, &saved.values[at]), &keys(field, new))?;
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
    count::<R>(tx, saved.values.iter(), -1);
    count::<R>(tx, values.iter(), 1);
    write_event(ctx, tx, &format!("{}.updated", R::ABOUT.one), R::ABOUT.one, saved.id, told.text()?)?;
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
    let mut told = Told::new();
    for (field, value) in R::FIELDS.iter().zip(&saved.values) {
        write_terms(ctx, tx, field, saved.id, &keys(field, value), &BTreeSet::new())?;
        if !field.read_only && *value != Value::Null {
            told.change(ctx, tx, field, value, &Value::Null)?;
        }
    }
    count::<R>(tx, saved.values.iter(), -1);
    write_event(ctx, tx, &format!("{}.deleted", R::ABOUT.one), R::ABOUT.one, saved.id, told.text()?)
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
    write_event(ctx, tx, kind, record, id, serde_json::to_string(changes).unwrap_or_default())
}

fn write_event(ctx: &Ctx, tx: &mut dyn Tx, kind: &str, record: &str, id: Uuid, changes: String) -> Result<(), Error> {
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
        changes.into(),
    ];
    Ok(tx.execute(EVENT, &params)?)
}

fn push_column(columns: &mut Vec<(String, Value)>, field: &Field, value: &Value) {
    if field.folded() {
        columns.push((field.order_column(), text_of(value).map(fold).into()));
    }
    columns.push((field.name.to_owned(), value.clone()));
}

/// The keys under which a record is found by this field.
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

/// A record's first terms, in one statement while they are few.
fn add_terms(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, terms: &[(&'static str, String)]) -> Result<(), Error> {
    for some in terms.chunks(32) {
        let mut sql = Sql::new("INSERT INTO terms (workspace_id, record, field, key) VALUES ");
        sql.params.extend([ctx.workspace.into(), id.into()]);
        for (n, (field, key)) in some.iter().enumerate() {
            sql.push(if n == 0 { "($1, $2, " } else { ", ($1, $2, " });
            sql.bind(*field).push(", ").bind(key.as_str()).push(")");
        }
        // Two fields may be found under one name.
        sql.push(" ON CONFLICT DO NOTHING");
        tx.execute(&sql.text, &sql.params)?;
    }
    Ok(())
}

fn write_terms(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    field: &Field,
    id: Uuid,
    old: &BTreeSet<String>,
    new: &BTreeSet<String>,
) -> Result<(), Error> {
    const ADD: &str =
        "INSERT INTO terms (workspace_id, field, key, record) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
    const DROP: &str = "DELETE FROM terms WHERE workspace_id = $1 AND field = $2 AND key = $3 AND record = $4";
    let name = field.term.unwrap_or_default();
    for (sql, keys) in [(DROP, old.difference(new)), (ADD, new.difference(old))] {
        for key in keys {
            tx.execute(sql, &[ctx.workspace.into(), name.into(), key.as_str().into(), id.into()])?;
        }
    }
    Ok(())
}

fn count<'a, R: Resource>(tx: &mut dyn Tx, values: impl Iterator<Item = &'a Value> + Clone, delta: i64) {
    let fields = || R::FIELDS.iter().zip(values.clone());
    let archived =
        R::ABOUT.archives && fields().any(|(field, value)| field.name == "archived_at" && *value != Value::Null);
    let collection = R::ABOUT.table;
    tx.tally(Tally { collection, field: "", value: String::new(), archived }, delta);
    for (field, value) in fields().filter(|(field, _)| field.counted) {
        tx.tally(Tally { collection, field: field.name, value: counted_value(value), archived }, delta);
    }
}

/// An event's changes as JSON: each field's value before and after, as the API shows it.
struct Told {
    json: Vec<u8>,
    labels: Option<Labels>,
}

impl Told {
    fn new() -> Self {
        Told { json: b"{".to_vec(), labels: None }
    }

    fn change(&mut self, ctx: &Ctx, tx: &mut dyn Tx, field: &Field, from: &Value, to: &Value) -> Result<(), Error> {
        self.json.extend_from_slice(if self.json.len() > 1 { b",\"" } else { b"\"" });
        self.json.extend_from_slice(field.name.as_bytes());
        self.json.extend_from_slice(b"\":[");
        self.value(ctx, tx, field, from)?;
        self.json.push(b',');
        self.value(ctx, tx, field, to)?;
        self.json.push(b']');
        Ok(())
    }

    fn value(&mut self, ctx: &Ctx, tx: &mut dyn Tx, field: &Field, value: &Value) -> Result<(), Error> {
        if field.kind != Kind::Labels || *value == Value::Null {
            return Ok(write_value(&mut self.json, field.kind, value.as_ref())?);
        }
        let ids: Vec<Uuid> = crate::field::json(value.as_ref())?;
        if self.labels.is_none() {
            self.labels = Some(Labels::of(ctx, tx)?);
        }
        let names = self.labels.as_ref().map_or(Ok(Vec::new()), |labels| labels.names(ctx, tx, &ids))?;
        self.json.push(b'[');
        write_names(&mut self.json, names.iter());
        self.json.push(b']');
        Ok(())
    }

    fn text(mut self) -> Result<String, Error> {
        self.json.push(b'}');
        Ok(String::from_utf8(self.json).map_err(|e| store::Error::Internal(format!("an event is not text: {e}")))?)
    }
}
