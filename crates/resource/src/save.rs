//! Writing records: the row, its folded text, its terms, the kept counts and the event, all in
//! the transaction of the change.

use crate::list::counted_value;
use crate::merge::survivor;
use crate::render::{write_names, write_value};
use crate::sql::{Sql, text_key, text_of};
use crate::statements::Column;
use crate::texts::forget_later;
use crate::{About, Changes, Ctx, Error, Field, Kind, Labels, Rendered, Resource, custom, digits, fold, not_found};
use serde_json::{Map, Value as Json};
use std::borrow::Cow;
use std::collections::BTreeSet;
use store::{Ref, Row, Tally, Tx, Value};
use uuid::Uuid;

/// A stored record: as a struct for the rules, as values for the machine.
pub struct Saved<R> {
    pub id: Uuid,
    pub version: i64,
    pub record: R,
    pub(crate) values: Vec<Value>,
}

impl<R: Resource> Saved<R> {
    pub fn value(&self, name: &str) -> &Value {
        R::FIELDS.iter().position(|field| field.name == name).map_or(&Value::Null, |at| &self.values[at])
    }

    /// One more of it.
    pub fn again(&self) -> Result<Saved<R>, Error> {
        let values = self.values.clone();
        Ok(Saved { id: self.id, version: self.version, record: R::decode(&values)?, values })
    }

    /// The record as others see it.
    pub fn shown(&self, ctx: &Ctx, tx: &mut dyn Tx) -> Result<Rendered, Error> {
        let places: Vec<usize> = (0..R::FIELDS.len()).filter(|at| !R::FIELDS[*at].hidden).collect();
        let mut rendered = Rendered::default();
        rendered.version = self.version;
        rendered.row(R::FIELDS, R::ABOUT.links, &Shown { params: &self.values, places: &places }, None)?;
        rendered.fill(ctx, tx)?;
        Ok(rendered)
    }
}

/// The values of a row that begins with all fields.
pub(crate) fn row_values<R: Resource>(row: &dyn Row) -> Result<Vec<Value>, store::Error> {
    let value = |(column, field): (usize, &Field)| {
        Ok(match (field.kind, row.get(column)?) {
            (Kind::Bool, value) if !value.is_null() => value.bool()?.into(),
            (Kind::Id, value) if !value.is_null() => value.id()?.into(),
            (_, value) => value.to_value(),
        })
    };
    R::FIELDS.iter().enumerate().map(value).collect()
}

/// The record with this id, or 404.
pub fn find<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Saved<R>, Error> {
    let width = R::FIELDS.len();
    let found = tx.one(&R::statements().find, &[ctx.workspace.into(), id.into()], |row| {
        Ok((row.int(width)?, row_values::<R>(row)?))
    })?;
    match found {
        Some((version, values)) => Ok(Saved { id, version, record: R::decode(&values)?, values }),
        None => match survivor(ctx, tx, id)? {
            Some(survivor) => find(ctx, tx, survivor),
            None => Err(not_found(R::ABOUT.one)),
        },
    }
}

/// The version of a record that may be known by nothing but its id; `None` if there is no such record.
pub fn version_of(ctx: &Ctx, tx: &mut dyn Tx, about: &About, id: Uuid) -> Result<Option<i64>, Error> {
    let sql = format!("SELECT version FROM {} WHERE workspace_id = $1 AND id = $2", about.table);
    match tx.one(&sql, &[ctx.workspace.into(), id.into()], |row| row.int(0))? {
        Some(version) => Ok(Some(version)),
        None => match survivor(ctx, tx, id)? {
            Some(survivor) => version_of(ctx, tx, about, survivor),
            None => Ok(None),
        },
    }
}

pub fn insert<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, changes: &Changes) -> Result<Uuid, Error> {
    insert_among::<R>(ctx, tx, changes, None)
}

/// The same, one of many in a transaction that may have read the labels already.
pub fn insert_among<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    changes: &Changes,
    labels: Option<&Labels>,
) -> Result<Uuid, Error> {
    Ok(write_new::<R>(ctx, tx, changes, labels.cloned())?.id)
}

/// The same, and the record as it is shown: from what was written, which is what would be read.
pub fn create<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, changes: &Changes) -> Result<(Uuid, Rendered), Error> {
    let new = write_new::<R>(ctx, tx, changes, None)?;
    let mut rendered = Rendered::default();
    rendered.version = 1;
    rendered.json.reserve(1024);
    rendered.row(
        R::FIELDS,
        R::ABOUT.links,
        &Shown { params: &new.params, places: &R::statements().shown },
        new.labels.as_ref(),
    )?;
    rendered.fill(ctx, tx)?;
    Ok((new.id, rendered))
}

/// A record as it was just written.
struct New {
    id: Uuid,
    params: Vec<Value>,
    /// Those that were given, or read since the event tells of some.
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

fn write_new<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, changes: &Changes, labels: Option<Labels>) -> Result<New, Error> {
    let (id, now, statements) = (tx.id(), tx.stamp(), R::statements());
    let params = put::<R>(ctx, tx, id, 1, &|at| {
        let field = &R::FIELDS[at];
        match (field.name, changes.get(field.name)) {
            ("id", _) => Ok(id.into()),
            ("created_at" | "updated_at", _) => Ok(now.into()),
            (_, Some(value)) => Ok(value.clone()),
            (name, None) => statements.defaults[at].clone().ok_or_else(|| crate::invalid(name, "is required")),
        }
    })?;
    let labels = tell_new::<R>(ctx, tx, id, &params, "created", labels)?;
    Ok(New { id, params, labels })
}

/// Tells all that a record begins with, so that whoever follows the events has it whole; gives the labels it had or read.
pub(crate) fn tell_new<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    id: Uuid,
    params: &[Value],
    verb: &str,
    labels: Option<Labels>,
) -> Result<Option<Labels>, Error> {
    let statements = R::statements();
    let fields = || R::FIELDS.iter().zip(statements.places.iter().map(|place| &params[*place]));
    let mut told = Told { labels, ..Told::new() };
    for (field, value) in fields().filter(|(field, _)| is_told(field)) {
        let empty = matches!(value, Value::Null) || matches!(value, Value::Text(text) if text == "[]" || text == "{}");
        if !empty {
            told.change(ctx, tx, field, &Value::Null, value)?;
        }
    }
    let labels = told.labels.take();
    let subjects = subjects::<R>(fields().map(|(_, value)| value));
    write_event(ctx, tx, &format!("{}.{verb}", R::ABOUT.one), R::ABOUT.one, id, told.text()?, &subjects)?;
    Ok(labels)
}

/// What an event tells of a record that comes or goes: all but what the event says itself.
fn is_told(field: &Field) -> bool {
    !field.hidden && field.count.is_none() && !matches!(field.name, "id" | "created_at" | "updated_at")
}

/// Writes a row with its terms and counts; gives the values as the statement has them.
pub(crate) fn put<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    id: Uuid,
    version: i64,
    value: &dyn Fn(usize) -> Result<Value, Error>,
) -> Result<Vec<Value>, Error> {
    let statements = R::statements();
    let mut params = Vec::with_capacity(statements.columns.len() + 1);
    for column in &statements.columns {
        params.push(match column {
            Column::Workspace => ctx.workspace.into(),
            Column::Version => version.into(),
            Column::Field(at) => value(*at)?,
            Column::Folded(at) => folded(&R::FIELDS[*at], &value(*at)?),
            Column::UpdatedAt => tx.stamp().into(),
        });
    }
    tx.execute(&statements.insert, &params)?;
    // No column, but shown: nobody can name a record that was not there.
    params.push(0.into());
    let values: Vec<&Value> = statements.places.iter().map(|place| &params[*place]).collect();
    let found: Vec<_> = R::FIELDS.iter().zip(&values).flat_map(|(field, value)| terms(field, value)).collect();
    add_terms(ctx, tx, id, &found)?;
    count::<R>(tx, values.iter().copied(), 1);
    count_named::<R>(ctx, tx, None, Some(&|at| values[at]))?;
    Ok(params)
}

/// Sets what differs from the stored record; false if nothing did, and then nothing is written.
pub fn update<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>, changes: &Changes) -> Result<bool, Error> {
    update_as(ctx, tx, saved, changes, "updated", &Map::new())
}

/// The same under another name, with more to tell; then something has happened in any case.
pub fn update_as<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<R>,
    changes: &Changes,
    verb: &str,
    more: &Map<String, Json>,
) -> Result<bool, Error> {
    Ok(write_changes(ctx, tx, saved, changes, verb, more)?.is_some())
}

/// The same; gives the record as it then is.
pub fn updated<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<R>,
    changes: &Changes,
    verb: &str,
    more: &Map<String, Json>,
) -> Result<Option<Saved<R>>, Error> {
    let Some(values) = write_changes(ctx, tx, saved, changes, verb, more)? else { return Ok(None) };
    Ok(Some(Saved { id: saved.id, version: saved.version + 1, record: R::decode(&values)?, values }))
}

/// The values that the record has afterwards; `None` if nothing was to be written.
fn write_changes<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<R>,
    changes: &Changes,
    verb: &str,
    more: &Map<String, Json>,
) -> Result<Option<Vec<Value>>, Error> {
    let now = tx.stamp();
    let (mut columns, mut told, mut values) = (Vec::new(), Told::new(), saved.values.clone());
    for (at, field) in R::FIELDS.iter().enumerate() {
        let Some(new) = changes.get(field.name).filter(|new| **new != saved.values[at]) else { continue };
        push_column(&mut columns, field, new);
        if !field.hidden {
            told.change(ctx, tx, field, &saved.values[at], new)?;
        }
        write_terms(ctx, tx, saved.id, &terms(field, &saved.values[at]), &terms(field, new))?;
        values[at] = new.clone();
    }
    if columns.is_empty() && more.is_empty() {
        return Ok(None);
    }
    more.iter().for_each(|(name, change)| told.more(name, change));
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
    count_named::<R>(ctx, tx, Some(&|at| &saved.values[at]), Some(&|at| &values[at]))?;
    let subjects = subjects::<R>(saved.values.iter().chain(&values));
    write_event(ctx, tx, &format!("{}.{verb}", R::ABOUT.one), R::ABOUT.one, saved.id, told.text()?, &subjects)?;
    if let Some(at) = R::FIELDS.iter().position(|field| field.name == "updated_at") {
        values[at] = now.into();
    }
    Ok(Some(values))
}

/// Removes the record for good.
pub fn delete<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>) -> Result<(), Error> {
    take_away(ctx, tx, saved)?;
    let mut told = Told::new();
    for (field, value) in R::FIELDS.iter().zip(&saved.values) {
        if is_told(field) && *value != Value::Null {
            told.change(ctx, tx, field, value, &Value::Null)?;
        }
    }
    let subjects = subjects::<R>(saved.values.iter());
    write_event(ctx, tx, &format!("{}.deleted", R::ABOUT.one), R::ABOUT.one, saved.id, told.text()?, &subjects)
}

/// Takes the row away with its text, its terms and its part in the counts.
pub(crate) fn take_away<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>) -> Result<(), Error> {
    if R::ABOUT.texts {
        const FORGET: &str = "DELETE FROM texts WHERE workspace_id = $1 AND collection = $2 AND record = $3";
        tx.execute(FORGET, &[ctx.workspace.into(), R::ABOUT.table.into(), saved.id.into()])?;
    }
    take_away_but_text(ctx, tx, saved)
}

/// The same for one of many: its text goes when texts are indexed.
pub(crate) fn set_aside<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>) -> Result<(), Error> {
    if R::ABOUT.texts {
        forget_later(ctx, tx, R::ABOUT.table, saved.id)?;
    }
    take_away_but_text(ctx, tx, saved)
}

fn take_away_but_text<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>) -> Result<(), Error> {
    let sql = format!("DELETE FROM {} WHERE workspace_id = $1 AND id = $2", R::ABOUT.table);
    tx.execute(&sql, &[ctx.workspace.into(), saved.id.into()])?;
    let gone: BTreeSet<_> =
        R::FIELDS.iter().zip(&saved.values).flat_map(|(field, value)| terms(field, value)).collect();
    drop_terms(ctx, tx, saved.id, &gone.iter().collect::<Vec<_>>())?;
    count::<R>(tx, saved.values.iter(), -1);
    count_named::<R>(ctx, tx, Some(&|at| &saved.values[at]), None)
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
    write_event(ctx, tx, kind, record, id, serde_json::to_string(changes).unwrap_or_default(), subjects)
}

fn write_event(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    kind: &str,
    record: &str,
    id: Uuid,
    changes: String,
    subjects: &[Uuid],
) -> Result<(), Error> {
    const SUBJECT: &str = "INSERT INTO event_subjects (workspace_id, record_id, place) VALUES ($1, $2, $3)";
    const EVENT: &str = "INSERT INTO events (workspace_id, place, type, at, actor_kind, actor_id, actor_name, record_type, record_id, changes) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let (place, at) = (tx.place()?, tx.stamp());
    let row = vec![
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
    tx.append(EVENT, row);
    for subject in subjects {
        tx.append(SUBJECT, vec![ctx.workspace.into(), (*subject).into(), place.into()]);
    }
    Ok(())
}

/// The records that a record names as its subjects, before or after a change.
fn subjects<'a, R: Resource>(values: impl Iterator<Item = &'a Value>) -> Vec<Uuid> {
    let mut subjects = Vec::new();
    for (field, value) in R::FIELDS.iter().cycle().zip(values).filter(|(field, _)| field.subject) {
        let ids: Vec<Uuid> = match (field.kind, value) {
            (Kind::Ids, value) => crate::field::json(value.as_ref()).unwrap_or_default(),
            (_, Value::Id(id)) => vec![*id],
            _ => Vec::new(),
        };
        for id in ids {
            if !subjects.contains(&id) {
                subjects.push(id);
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
        columns.push((field.order_column(), folded(field, value)));
    }
    columns.push((field.column().to_owned(), value.clone()));
}

/// The second column of a field that has one.
fn folded(field: &Field, value: &Value) -> Value {
    text_of(value).map(if field.kind == Kind::Object { custom::folded } else { fold }).into()
}

/// The terms under which a record is found by this field: their names and keys.
pub(crate) fn terms(field: &Field, value: &Value) -> BTreeSet<(Cow<'static, str>, String)> {
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

/// The keys that a record has under this term.
pub fn term_keys<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, term: &str, id: Uuid) -> Result<Vec<String>, Error> {
    let saved = find::<R>(ctx, tx, id)?;
    let found = R::FIELDS.iter().zip(&saved.values).flat_map(|(field, value)| terms(field, value));
    Ok(found.filter(|(name, _)| name == term).map(|(_, key)| key).collect())
}

/// The keys of texts, lists and addresses.
pub(crate) fn keys(field: &Field, value: &Value) -> BTreeSet<String> {
    let (Some(_), Some(text)) = (field.term, text_of(value)) else { return BTreeSet::new() };
    let list = || serde_json::from_str::<Vec<Json>>(text).unwrap_or_default();
    match field.kind {
        Kind::Text | Kind::Choice(_) => BTreeSet::from([text_key(field, text)]),
        Kind::Labels | Kind::Ids => list().iter().filter_map(Json::as_str).map(str::to_owned).collect(),
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
fn add_terms(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, terms: &[(Cow<'static, str>, String)]) -> Result<(), Error> {
    for some in terms.chunks(32) {
        let mut sql = Sql::new("INSERT INTO terms (workspace_id, record, field, key) VALUES ");
        sql.params.extend([ctx.workspace.into(), id.into()]);
        for (n, (field, key)) in some.iter().enumerate() {
            sql.push(if n == 0 { "($1, $2, " } else { ", ($1, $2, " });
            sql.bind(&**field).push(", ").bind(key.as_str()).push(")");
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
    id: Uuid,
    old: &BTreeSet<(Cow<'static, str>, String)>,
    new: &BTreeSet<(Cow<'static, str>, String)>,
) -> Result<(), Error> {
    drop_terms(ctx, tx, id, &old.difference(new).collect::<Vec<_>>())?;
    add_terms(ctx, tx, id, &new.difference(old).cloned().collect::<Vec<_>>())
}

/// Takes terms of a record away; they are sorted, so those of one field go together.
fn drop_terms(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, terms: &[&(Cow<'static, str>, String)]) -> Result<(), Error> {
    for of_field in terms.chunk_by(|one, other| one.0 == other.0) {
        for some in of_field.chunks(32) {
            let mut sql = Sql::new("DELETE FROM terms WHERE workspace_id = $1 AND record = $2 AND field = $3 AND key");
            sql.params.extend([ctx.workspace.into(), id.into(), (&*some[0].0).into()]);
            for (n, (_, key)) in some.iter().enumerate() {
                sql.push(if n == 0 { " IN (" } else { ", " }).bind(key.as_str());
            }
            sql.push(")");
            tx.execute(&sql.text, &sql.params)?;
        }
    }
    Ok(())
}

/// Keeps the counts that other records show of those that name them and are not archived.
fn count_named<'a, R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    old: Option<&dyn Fn(usize) -> &'a Value>,
    new: Option<&dyn Fn(usize) -> &'a Value>,
) -> Result<(), Error> {
    const COUNT: &str = "INSERT INTO record_counts (workspace_id, record, name, n) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (workspace_id, record, name) DO UPDATE SET n = record_counts.n + excluded.n";
    let archived = R::FIELDS.iter().position(|field| field.name == "archived_at");
    for (at, field) in R::FIELDS.iter().enumerate() {
        let Some(name) = field.tallied else { continue };
        let named = |value: Option<&dyn Fn(usize) -> &'a Value>| {
            let value = value.filter(|value| archived.is_none_or(|at| *value(at) == Value::Null))?;
            match value(at) {
                Value::Id(id) => Some(*id),
                _ => None,
            }
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

/// A value as the API shows it.
pub fn told(ctx: &Ctx, tx: &mut dyn Tx, field: &Field, value: &Value) -> Result<Json, Error> {
    let mut told = Told { json: Vec::new(), labels: None };
    told.value(ctx, tx, field, value)?;
    Ok(serde_json::from_slice(&told.json).unwrap_or(Json::Null))
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

    /// What no field tells.
    fn more(&mut self, name: &str, change: &Json) {
        self.json.extend_from_slice(if self.json.len() > 1 { b",\"" } else { b"\"" });
        self.json.extend_from_slice(name.as_bytes());
        self.json.extend_from_slice(b"\":");
        self.json.extend_from_slice(change.to_string().as_bytes());
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
