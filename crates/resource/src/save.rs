//! Writes records: the row, its folded text, its terms, the stored counts and the event, all in the transaction of the
//! change.

use crate::events::{EventChanges, is_in_event, subjects, write_event};
use crate::merged_ids::survivor;
use crate::sql::text_of;
use crate::statements::Column;
use crate::terms::{Terms, add_terms, counted_value, drop_terms, terms, write_terms};
use crate::texts::{forget_text, retext};
use crate::{About, Changes, Ctx, Error, Field, Kind, Labels, Rendered, Resource, custom, fold, not_found};
use serde_json::{Map, Value as Json};
use store::{Ref, Row, Tally, Tx, Value};
use uuid::Uuid;

/// A stored record, both as a struct and as a list of values.
pub struct Saved<R> {
    pub id: Uuid,
    pub version: i64,
    pub record: R,
    pub(crate) values: Vec<Value>,
}

impl<R: Resource> Saved<R> {
    pub fn value(&self, name: &str) -> Result<&Value, Error> {
        let at = R::FIELDS.iter().position(|field| field.name == name);
        let unknown = || store::Error::Internal(format!("{} has no field {name}", R::ABOUT.one));
        Ok(at.map(|at| &self.values[at]).ok_or_else(unknown)?)
    }

    /// The bytes of the record's texts and lists as they are stored.
    pub fn bytes(&self) -> usize {
        self.values.iter().filter_map(text_of).map(str::len).sum()
    }

    /// Decodes a record from its values.
    pub(crate) fn of(id: Uuid, version: i64, values: Vec<Value>) -> Result<Saved<R>, Error> {
        let record = R::decode(&values).map_err(|error| error.in_row(R::ABOUT.table, id))?;
        Ok(Saved { id, version, record, values })
    }

    /// A copy of the record.
    pub fn again(&self) -> Result<Saved<R>, Error> {
        Saved::of(self.id, self.version, self.values.clone())
    }

    /// The record as the API shows it.
    pub fn shown(&self, ctx: &Ctx, tx: &mut dyn Tx) -> Result<Rendered, Error> {
        let places: Vec<usize> = (0..R::FIELDS.len()).filter(|at| !R::FIELDS[*at].hidden).collect();
        let mut rendered = Rendered::default();
        rendered.version = self.version;
        let shown = Shown { params: &self.values, places: &places };
        let drawn = rendered.row(R::FIELDS, R::ABOUT.links, &shown, None);
        drawn.map_err(|error| error.in_row(R::ABOUT.table, self.id))?;
        rendered.fill(ctx, tx)?;
        Ok(rendered)
    }
}

/// Decodes a record from a row that has all fields, with the id first.
pub fn decoded<R: Resource>(row: &dyn Row) -> Result<R, Error> {
    let id = || row.id(0).map(|id| id.to_string()).unwrap_or_default();
    R::decode(row).map_err(|error| error.in_row(R::ABOUT.table, id()))
}

/// The values of a row that begins with all fields.
pub(crate) fn row_values<R: Resource>(row: &dyn Row) -> Result<Vec<Value>, store::Error> {
    let value = |(column, field): (usize, &Field)| {
        row.read(column, |value| {
            Ok(match field.kind {
                Kind::Bool if !value.is_null() => value.bool()?.into(),
                Kind::Id if !value.is_null() => value.id()?.into(),
                _ => value.to_value(),
            })
        })
    };
    R::FIELDS.iter().enumerate().map(value).collect()
}

/// The record with this id, or the error 404.
pub fn find<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Saved<R>, Error> {
    let width = R::FIELDS.len();
    // A damaged row must not abort the transaction: callers that process several records continue with the others.
    let found = tx.one(&R::statements().find, &[ctx.workspace.into(), id.into()], |row| {
        Ok(row_values::<R>(row).and_then(|values| Ok((row.int(width)?, values))))
    })?;
    match found {
        Some(read) => {
            let (version, values) = read.map_err(|error| error.in_row(R::ABOUT.table, id))?;
            Saved::of(id, version, values)
        }
        None => match survivor(ctx, tx, id)? {
            Some(survivor) => find(ctx, tx, survivor),
            None => Err(not_found(R::ABOUT.one)),
        },
    }
}

/// The version of a record of any kind; `None` if there is no such record.
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

/// Like `insert`, for one of many records in a transaction that may have read the labels already.
pub fn insert_among<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    changes: &Changes,
    labels: Option<&Labels>,
) -> Result<Uuid, Error> {
    Ok(write_new::<R>(ctx, tx, changes, labels.cloned())?.id)
}

/// Like `insert`; also renders the record from the written values, without reading it again.
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

/// A record that was just written.
struct New {
    id: Uuid,
    params: Vec<Value>,
    /// The given labels, or those that were read for the event.
    labels: Option<Labels>,
}

/// The shown fields among the parameters of an INSERT statement.
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
    changes.check_known()?;
    let (id, now, statements) = (tx.id(), tx.stamp(), R::statements());
    let params = put::<R>(ctx, tx, id, 1, &|at| {
        let field = &R::FIELDS[at];
        match (field.name, changes.named(field.name)) {
            ("id", _) => Ok(id.into()),
            ("created_at" | "updated_at", _) => Ok(now.into()),
            (_, Some(value)) => Ok(value.clone()),
            (name, None) => statements.defaults[at].clone().ok_or_else(|| crate::invalid(name, "is required")),
        }
    })?;
    let labels = emit_new::<R>(ctx, tx, id, &params, "created", labels)?;
    Ok(New { id, params, labels })
}

/// Emits an event with all values of a new record, so that clients that follow the events have it complete. Returns the
/// labels that were given or read.
pub(crate) fn emit_new<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    id: Uuid,
    params: &[Value],
    verb: &str,
    labels: Option<Labels>,
) -> Result<Option<Labels>, Error> {
    let statements = R::statements();
    let fields = || R::FIELDS.iter().zip(statements.places.iter().map(|place| &params[*place]));
    let mut event = EventChanges::with(labels);
    for (field, value) in fields().filter(|(field, _)| is_in_event(field)) {
        let empty = matches!(value, Value::Null) || matches!(value, Value::Text(text) if text == "[]" || text == "{}");
        if !empty {
            event.change(ctx, tx, field, &Value::Null, value)?;
        }
    }
    let labels = event.labels.take();
    let subjects = subjects::<R>(fields().map(|(_, value)| value))?;
    write_event(ctx, tx, &format!("{}.{verb}", R::ABOUT.one), R::ABOUT.one, id, event.text()?, &subjects)?;
    Ok(labels)
}

/// Inserts a row with its terms and counts; returns the parameters of the statement.
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
            Column::Folded(at) => folded(&R::FIELDS[*at], &value(*at)?)?,
            Column::UpdatedAt => tx.stamp().into(),
        });
    }
    tx.execute(&statements.insert, &params)?;
    // A count or a member's own value has no column but is shown. It is 0 because nothing can reference a new record yet.
    params.push(0.into());
    let values: Vec<&Value> = statements.places.iter().map(|place| &params[*place]).collect();
    let mut found = Vec::new();
    for (field, value) in R::FIELDS.iter().zip(&values) {
        found.extend(terms(field, value)?);
    }
    add_terms(ctx, tx, id, &found)?;
    count::<R>(tx, values.iter().copied(), 1);
    count_named::<R>(ctx, tx, None, Some(&|at| values[at]))?;
    Ok(params)
}

/// Writes the values that differ from the stored record; writes nothing and returns false if none does.
pub fn update<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>, changes: &Changes) -> Result<bool, Error> {
    update_as(ctx, tx, saved, changes, "updated", &Map::new())
}

/// Like `update`, with another verb and more data for the event. If `more` is not empty, it always writes.
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

/// Like `update_as`; returns the changed record.
pub fn updated<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<R>,
    changes: &Changes,
    verb: &str,
    more: &Map<String, Json>,
) -> Result<Option<Saved<R>>, Error> {
    let Some(values) = write_changes(ctx, tx, saved, changes, verb, more)? else { return Ok(None) };
    Saved::of(saved.id, saved.version + 1, values).map(Some)
}

/// Returns the changed values; `None` if there was nothing to write.
fn write_changes<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<R>,
    changes: &Changes,
    verb: &str,
    more: &Map<String, Json>,
) -> Result<Option<Vec<Value>>, Error> {
    changes.check_known()?;
    let now = tx.stamp();
    let (mut columns, mut event, mut values) = (Vec::new(), EventChanges::new(), saved.values.clone());
    for (at, field) in R::FIELDS.iter().enumerate() {
        let Some(new) = changes.named(field.name).filter(|new| **new != saved.values[at]) else { continue };
        push_column(&mut columns, field, new)?;
        if !field.hidden {
            event.change(ctx, tx, field, &saved.values[at], new)?;
        }
        write_terms(ctx, tx, saved.id, &terms(field, &saved.values[at])?, &terms(field, new)?)?;
        values[at] = new.clone();
    }
    if columns.is_empty() && more.is_empty() {
        return Ok(None);
    }
    more.iter().for_each(|(name, change)| event.more(name, change));
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
    let subjects = subjects::<R>(saved.values.iter().chain(&values))?;
    write_event(ctx, tx, &format!("{}.{verb}", R::ABOUT.one), R::ABOUT.one, saved.id, event.text()?, &subjects)?;
    if let Some(at) = R::FIELDS.iter().position(|field| field.name == "updated_at") {
        values[at] = now.into();
    }
    Ok(Some(values))
}

/// Deletes the record permanently.
pub fn delete<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>) -> Result<(), Error> {
    take_away(ctx, tx, saved)?;
    let mut event = EventChanges::new();
    for (field, value) in R::FIELDS.iter().zip(&saved.values) {
        if is_in_event(field) && *value != Value::Null {
            event.change(ctx, tx, field, value, &Value::Null)?;
        }
    }
    let subjects = subjects::<R>(saved.values.iter())?;
    write_event(ctx, tx, &format!("{}.deleted", R::ABOUT.one), R::ABOUT.one, saved.id, event.text()?, &subjects)
}

/// Deletes the record permanently with an event that has none of its values, for records that must leave no trace.
pub fn erase<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>, verb: &str) -> Result<(), Error> {
    take_away(ctx, tx, saved)?;
    write_event(ctx, tx, &format!("{}.{verb}", R::ABOUT.one), R::ABOUT.one, saved.id, "{}".into(), &[])
}

/// Deletes the row with its text, its terms and its part in the counts.
pub(crate) fn take_away<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>) -> Result<(), Error> {
    if R::ABOUT.texts {
        forget_text::<R>(ctx, tx, saved.id)?;
    }
    take_away_but_text(ctx, tx, saved)
}

/// Like `take_away`, for one of many records: the indexing job deletes its text later.
pub(crate) fn set_aside<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>) -> Result<(), Error> {
    if R::ABOUT.texts {
        retext(ctx, tx, R::ABOUT.table, saved.id)?;
    }
    take_away_but_text(ctx, tx, saved)
}

fn take_away_but_text<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>) -> Result<(), Error> {
    let sql = format!("DELETE FROM {} WHERE workspace_id = $1 AND id = $2", R::ABOUT.table);
    tx.execute(&sql, &[ctx.workspace.into(), saved.id.into()])?;
    let gone = saved.terms()?;
    drop_terms(ctx, tx, saved.id, &gone.iter().collect::<Vec<_>>())?;
    count::<R>(tx, saved.values.iter(), -1);
    count_named::<R>(ctx, tx, Some(&|at| &saved.values[at]), None)
}

fn push_column(columns: &mut Vec<(String, Value)>, field: &Field, value: &Value) -> Result<(), Error> {
    if !field.is_column() {
        return Ok(());
    }
    if field.folded() {
        columns.push((field.order_column(), folded(field, value)?));
    }
    columns.push((field.column().to_owned(), value.clone()));
    Ok(())
}

/// The value of the second column of a field, folded.
fn folded(field: &Field, value: &Value) -> Result<Value, Error> {
    Ok(match (field.kind, text_of(value)) {
        (_, None) => Value::Null,
        (Kind::Object, Some(data)) => custom::folded(data).map_err(|error| error.in_column(field.name))?.into(),
        (_, Some(text)) => fold(text).into(),
    })
}

impl<R: Resource> Saved<R> {
    /// All terms of the record.
    fn terms(&self) -> Result<Terms, Error> {
        let mut found = Terms::new();
        for (field, value) in R::FIELDS.iter().zip(&self.values) {
            found.extend(terms(field, value).map_err(|error| error.in_row(R::ABOUT.table, self.id))?);
        }
        Ok(found)
    }
}

/// The keys of a record under this term.
pub fn term_keys<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, term: &str, id: Uuid) -> Result<Vec<String>, Error> {
    let found = find::<R>(ctx, tx, id)?.terms()?;
    Ok(found.into_iter().filter(|(name, _)| name == term).map(|(_, key)| key).collect())
}

/// Updates the counts that other records show of the unarchived records that reference them.
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
