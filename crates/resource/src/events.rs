//! Writes the events of records: what happened to which record, who did it, and the values before and after.

use crate::json_value::{write_names, write_value};
use crate::stored::json;
use crate::{Ctx, Error, Field, Kind, Labels, Resource};
use serde_json::{Map, Value as Json};
use store::{Tx, Value};
use uuid::Uuid;

/// Writes an event to the history of the workspace: what happened to which record, and who did it.
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

/// Like `event`, and also adds the event to the timelines of `subjects`.
pub fn event_about(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    kind: &str,
    record: &str,
    id: Uuid,
    changes: &Map<String, Json>,
    subjects: &[Uuid],
) -> Result<(), Error> {
    let changes = Json::Object(changes.clone()).to_string();
    write_event(ctx, tx, kind, record, id, changes, subjects)
}

pub(crate) fn write_event(
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

/// The records in the `subject` fields of these values.
pub(crate) fn subjects<'a, R: Resource>(values: impl Iterator<Item = &'a Value>) -> Result<Vec<Uuid>, Error> {
    let mut subjects = Vec::new();
    for (field, value) in R::FIELDS.iter().cycle().zip(values).filter(|(field, _)| field.subject) {
        let ids: Vec<Uuid> = match (field.kind, value) {
            (Kind::Ids, Value::Null) => Vec::new(),
            (Kind::Ids, value) => json(value.as_ref()).map_err(|error| error.in_column(field.name))?,
            (_, Value::Id(id)) => vec![*id],
            _ => Vec::new(),
        };
        for id in ids {
            if !subjects.contains(&id) {
                subjects.push(id);
            }
        }
    }
    Ok(subjects)
}

/// Whether events about a new or deleted record contain this field. The event itself has the id and the time.
pub(crate) fn is_in_event(field: &Field) -> bool {
    !field.hidden && field.is_column() && !matches!(field.name, "id" | "created_at" | "updated_at")
}

/// A stored value as the API shows it.
pub fn api_json(ctx: &Ctx, tx: &mut dyn Tx, field: &Field, value: &Value) -> Result<Json, Error> {
    let mut event = EventChanges { json: Vec::new(), labels: None };
    event.value(ctx, tx, field, value)?;
    let unfit = |_| store::Error::unreadable("is not JSON").in_column(field.name);
    Ok(serde_json::from_slice(&event.json).map_err(unfit)?)
}

/// The changes in an event as JSON: the value of each field before and after, as the API shows it.
pub(crate) struct EventChanges {
    json: Vec<u8>,
    pub(crate) labels: Option<Labels>,
}

impl EventChanges {
    pub(crate) fn new() -> Self {
        Self::with(None)
    }

    /// `labels` are the names of tags, if they are known already.
    pub(crate) fn with(labels: Option<Labels>) -> Self {
        EventChanges { json: b"{".to_vec(), labels }
    }

    pub(crate) fn change(
        &mut self,
        ctx: &Ctx,
        tx: &mut dyn Tx,
        field: &Field,
        from: &Value,
        to: &Value,
    ) -> Result<(), Error> {
        self.json.extend_from_slice(if self.json.len() > 1 { b",\"" } else { b"\"" });
        self.json.extend_from_slice(field.name.as_bytes());
        self.json.extend_from_slice(b"\":[");
        self.value(ctx, tx, field, from)?;
        self.json.push(b',');
        self.value(ctx, tx, field, to)?;
        self.json.push(b']');
        Ok(())
    }

    /// Adds a change that belongs to no field.
    pub(crate) fn more(&mut self, name: &str, change: &Json) {
        self.json.extend_from_slice(if self.json.len() > 1 { b",\"" } else { b"\"" });
        self.json.extend_from_slice(name.as_bytes());
        self.json.extend_from_slice(b"\":");
        self.json.extend_from_slice(change.to_string().as_bytes());
    }

    fn value(&mut self, ctx: &Ctx, tx: &mut dyn Tx, field: &Field, value: &Value) -> Result<(), Error> {
        if field.kind != Kind::Labels || *value == Value::Null {
            let written = write_value(&mut self.json, field.kind, value.as_ref());
            return Ok(written.map_err(|error| error.in_column(field.name))?);
        }
        let ids: Vec<Uuid> = json(value.as_ref()).map_err(|error| error.in_column(field.name))?;
        if self.labels.is_none() {
            self.labels = Some(Labels::of(ctx, tx)?);
        }
        let names = self.labels.as_ref().map_or(Ok(Vec::new()), |labels| labels.names(ctx, tx, &ids))?;
        self.json.push(b'[');
        write_names(&mut self.json, names.iter());
        self.json.push(b']');
        Ok(())
    }

    pub(crate) fn text(mut self) -> Result<String, Error> {
        self.json.push(b'}');
        Ok(String::from_utf8(self.json).map_err(|e| store::Error::Internal(format!("an event is not text: {e}")))?)
    }
}
