//! Custom fields that a workspace adds to its contacts and companies. Admins define them, the API reads them; records
//! hold the values in `custom_data`. When a field is deleted, a job removes its values from the records.

use crate::api::call::{Call, Reply};
use crate::api::operation::{Operation, get};
use crate::api::queue;
use crate::api::scope::{COMPANIES_READ, CONTACTS_READ};
use crate::records::merge_log::OPTION_RENAMED;
use resource::custom::{self, CustomType, Definition};
use resource::{
    Changes, Ctx, Error, Input, Items, Problem, Resource, Saved, Shape, StoredRow, Time, decoded, find, fold, insert,
    invalid, not_found, place, tidy, update,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid, Value};

resource::choices! {
    /// The kind of record that has the field.
    Entity { Contact = "contact", Company = "company" }
}

/// One of the values of a `select` or `multi_select`.
#[derive(Resource)]
pub struct Choice {
    #[field(required, max = 100)]
    pub value: String,
    #[field(required, max = 100)]
    pub label: String,
}

/// A field that the workspace defines.
#[derive(Resource)]
#[resource(table = "custom_fields", one = "custom_field")]
pub struct CustomField {
    #[field(read_only)]
    pub id: Uuid,
    #[field(hidden)]
    pub entity: Entity,
    /// The member of `custom_data`.
    #[field(read_only)]
    pub key: String,
    #[field(required, max = 100)]
    pub label: String,
    #[field(read_only)]
    pub r#type: CustomType,
    pub options: Items<Choice>,
    /// Required when a record is created, and can't be removed later.
    pub is_required: bool,
    #[field(least = 0, most = 10_000)]
    pub position: i64,
    #[field(hidden)]
    pub created_at: Time,
}

pub const OPERATIONS: &[Operation] = &[
    get("/contacts/custom-fields", "list_contact_fields", "List the custom fields of contacts")
        .scope(CONTACTS_READ)
        .read(of_contacts)
        .whole_list::<CustomField>(),
    get("/companies/custom-fields", "list_company_fields", "List the custom fields of companies")
        .scope(COMPANIES_READ)
        .read(of_companies)
        .whole_list::<CustomField>(),
];

/// A limit on the size of records.
const MOST: usize = 100;
const MOST_OPTIONS: usize = 200;

fn of_contacts(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    Ok(Reply::whole(list(&call.ctx, tx, Entity::Contact)?.iter().map(shown).collect()))
}

fn of_companies(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    Ok(Reply::whole(list(&call.ctx, tx, Entity::Company)?.iter().map(shown).collect()))
}

pub fn shown(field: &CustomField) -> Json {
    json!({
        "id": field.id, "key": field.key, "label": field.label, "type": field.r#type.word(),
        "options": field.options.0, "is_required": field.is_required, "position": field.position,
    })
}

/// By position.
pub fn list(ctx: &Ctx, tx: &mut dyn Tx, entity: Entity) -> Result<Vec<CustomField>, Error> {
    const LIST: &str = "SELECT id, entity, key, label, type, options, is_required, position, created_at FROM custom_fields \
         WHERE workspace_id = $1 AND entity = $2 ORDER BY position, id";
    let params = [ctx.workspace.into(), entity.word().into()];
    tx.rows(LIST, &params, |row| Ok(decoded::<CustomField>(row)))?.into_iter().collect()
}

/// The given members of a field; `None` leaves a member unchanged.
#[derive(Clone, Default)]
pub struct Given {
    pub label: Option<String>,
    /// Values and their labels.
    pub options: Option<Vec<(String, String)>>,
    /// Options that get a new value: the old and the new one. A job updates the records.
    pub renamed: Vec<(String, String)>,
    pub required: Option<bool>,
    pub position: Option<i64>,
}

pub fn create(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    entity: Entity,
    key: &str,
    kind: CustomType,
    given: &Given,
) -> Result<Uuid, Error> {
    let defined = list(ctx, tx, entity)?;
    let letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if !key.starts_with(|c: char| c.is_ascii_lowercase()) || !key.chars().all(letter) || key.len() > 50 {
        return Err(invalid("key", "must be a lower-case letter and up to 49 more letters, digits or _"));
    }
    if defined.iter().any(|field| field.key == key) {
        return Err(invalid("key", format!("there is a field {key} already")));
    }
    if custom::clearing(ctx, tx)?.contains(&custom::term(entity.word(), key)) {
        return Err(invalid(
            "key",
            format!("the values of the deleted field {key} are still being removed; try again soon"),
        ));
    }
    if defined.len() >= MOST {
        return Err(invalid("key", format!("a {} has at most {MOST} custom fields", entity.word())));
    }
    let next = defined.last().map_or(0, |field| field.position + 1);
    let given = Given {
        label: Some(given.label.clone().unwrap_or_else(|| key.to_owned())),
        position: Some(given.position.unwrap_or(next)),
        ..given.clone()
    };
    let mut changes = check(&given, kind, None)?;
    changes.set(CustomField::ENTITY, entity);
    changes.set(CustomField::KEY, key);
    changes.set(CustomField::TYPE, kind);
    custom::changed(ctx, tx)?;
    insert::<CustomField>(ctx, tx, &changes)
}

/// Rejects new values of options, each with the old one, that conflict with their use elsewhere.
pub type CheckUse = fn(&Ctx, &mut dyn Tx, Entity, &str, &[(String, String)]) -> Result<(), Error>;

/// `outreach/sequence/fields.rs` has the check.
pub fn change(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    entity: Entity,
    key: &str,
    given: &Given,
    check_use: CheckUse,
) -> Result<(), Error> {
    let field = called(ctx, tx, entity, key)?;
    let mut given = given.clone();
    if given.options.is_none() && !given.renamed.is_empty() {
        given.options = Some(renamed_options(&field, &given.renamed)?);
    }
    let changes = check(&given, field.record.r#type, Some(&field))?;
    check_renamed(&field.record, &given)?;
    check_use(ctx, tx, entity, key, &given.renamed)?;
    update(ctx, tx, &field, &changes)?;
    for (from, to) in &given.renamed {
        let rename = Rename {
            term: custom::term(entity.word(), key),
            from: from.clone(),
            to: to.clone(),
            after: None,
            at: tx.stamp(),
            until: None,
        };
        queue::enqueue(ctx, tx, RENAME, &rename.payload())?;
    }
    custom::changed(ctx, tx)
}

/// The options with the new values instead of the old ones.
fn renamed_options(field: &Saved<CustomField>, renamed: &[(String, String)]) -> Result<Vec<(String, String)>, Error> {
    let place = place(CustomField::ABOUT.table, "options", &field.id);
    let mut options: Vec<(String, String)> = Vec::new();
    for option in &field.record.options.0 {
        let (value, label): (String, String) = (place.member(option, "value")?, place.member(option, "label")?);
        let to = renamed.iter().find(|(from, _)| *from == value).map(|(_, to)| to.clone());
        let new_label = if label == value { to.clone() } else { None };
        let option = (to.unwrap_or(value), new_label.unwrap_or(label));
        // Two options may get the same value.
        if !options.iter().any(|(value, _)| *value == option.0) {
            options.push(option);
        }
    }
    Ok(options)
}

fn check_renamed(field: &CustomField, given: &Given) -> Result<(), Error> {
    let known = |value: &str| field.options.0.iter().any(|option| option.get("value") == Some(&Json::from(value)));
    let stays = |value: &str| given.options.iter().flatten().any(|(option, _)| option == value);
    for (from, to) in &given.renamed {
        if !known(from) {
            return Err(invalid("options", format!("{from} is not an option now, so it can't be renamed")));
        }
        if stays(from) {
            return Err(invalid("options", format!("{from} is renamed and can't stay an option")));
        }
        if !stays(to) {
            return Err(invalid("options", format!("{from} is renamed to {to}, which is not an option")));
        }
    }
    Ok(())
}

/// The job that replaces the old value of a renamed option in the records.
pub const RENAME: &str = "custom_field.rename_option";

#[derive(Serialize, Deserialize)]
pub(super) struct Rename {
    pub term: String,
    pub from: String,
    pub to: String,
    /// The last record that was updated.
    pub after: Option<Uuid>,
    /// When the option was renamed.
    #[serde(default)]
    pub at: i64,
    /// When the last record was updated.
    pub until: Option<i64>,
}

impl Rename {
    pub(super) fn payload(&self) -> String {
        json!(self).to_string()
    }

    /// Replaces the old value by the new one.
    fn of(&self, value: &Json) -> Json {
        match value {
            Json::Array(items) => {
                let mut chosen: Vec<Json> = Vec::new();
                for item in items.iter().map(|item| self.of(item)) {
                    if !chosen.contains(&item) {
                        chosen.push(item);
                    }
                }
                Json::Array(chosen)
            }
            Json::String(text) if fold(text) == fold(&self.from) => self.to.as_str().into(),
            other => other.clone(),
        }
    }
}

/// Whether the payload of a job can be read.
pub fn is_rename(payload: &str) -> bool {
    serde_json::from_str::<Rename>(payload).is_ok()
}

/// Replaces values that a record had at this time by the current values of their options.
pub fn rename_options<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    at: i64,
    data: &mut Map<String, Json>,
) -> Result<(), Error> {
    const RENAMED: &str = "SELECT payload, id FROM jobs WHERE workspace_id = $1 AND kind IN ($2, $3)";
    let params = [ctx.workspace.into(), RENAME.into(), OPTION_RENAMED.into()];
    let mut renames: Vec<Rename> = tx.rows(RENAMED, &params, |row| row.json(0))?;
    renames.retain(|rename| rename.until.is_none_or(|until| until > at));
    renames.sort_by_key(|rename| rename.at);
    for (key, value) in data.iter_mut() {
        let term = custom::term(R::ABOUT.one, key);
        for rename in renames.iter().filter(|rename| rename.term == term) {
            *value = rename.of(value);
        }
    }
    Ok(())
}

pub(super) fn rename_one<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    id: Uuid,
    key: &str,
    rename: &Rename,
) -> Result<(), Error> {
    let saved = find::<R>(ctx, tx, id)?;
    let mut data = values(&saved)?;
    let Some(renamed) = data.get(key).map(|value| rename.of(value)) else { return Ok(()) };
    data.insert(key.to_owned(), renamed);
    let mut changes = Changes::default();
    changes.set_named(R::FIELDS, "custom_data", Json::Object(data).to_string());
    update(ctx, tx, &saved, &changes)?;
    Ok(())
}

/// Deletes a field without checking its use; `outreach/sequence/fields.rs` checks whether a running sequence uses it.
pub fn remove(ctx: &Ctx, tx: &mut dyn Tx, entity: Entity, key: &str) -> Result<(), Error> {
    let field = called(ctx, tx, entity, key)?;
    resource::delete(ctx, tx, &field)?;
    queue::enqueue(ctx, tx, custom::CLEAR, &custom::term(entity.word(), key))?;
    custom::changed(ctx, tx)
}

fn called(ctx: &Ctx, tx: &mut dyn Tx, entity: Entity, key: &str) -> Result<Saved<CustomField>, Error> {
    let found = list(ctx, tx, entity)?.into_iter().find(|field| field.key == key);
    let field = found.ok_or_else(|| not_found(format!("a custom field {key} of the {}", entity.word())))?;
    find::<CustomField>(ctx, tx, field.id)
}

/// Checks the members like a body, so that labels are trimmed and limited as everywhere.
fn check(given: &Given, kind: CustomType, saved: Option<&Saved<CustomField>>) -> Result<Changes, Error> {
    let mut body = Map::new();
    if let Some(label) = &given.label {
        body.insert("label".into(), label.as_str().into());
    }
    if let Some(required) = given.required {
        body.insert("is_required".into(), required.into());
    }
    if let Some(position) = given.position {
        body.insert("position".into(), position.into());
    }
    let chosen = matches!(kind, CustomType::Select | CustomType::MultiSelect);
    match &given.options {
        Some(_) if !chosen => return Err(invalid("options", "belong to the types select and multi_select alone")),
        Some(options) => drop(body.insert("options".into(), choices(options)?)),
        None if chosen && saved.is_none() => {
            return Err(invalid("options", format!("a {} needs some", kind.word())));
        }
        None => {}
    }
    let shape = Shape { record: CustomField::FIELDS, extra: &[] };
    Changes::check(&shape, &Input(&body), saved.is_none())
}

/// Parses an option on the command line: `value` or `value:Label`.
pub fn option(text: &str) -> (String, String) {
    let (value, label) = text.split_once(':').unwrap_or((text, text));
    (value.to_owned(), label.to_owned())
}

fn choices(options: &[(String, String)]) -> Result<Json, Error> {
    if options.is_empty() || options.len() > MOST_OPTIONS {
        return Err(invalid("options", format!("must be from 1 to {MOST_OPTIONS}")));
    }
    let (mut choices, mut seen) = (Vec::new(), Vec::new());
    for (value, label) in options {
        let (value, label) = (tidy("options", value)?, tidy("options", label)?);
        if value.is_empty() || label.is_empty() {
            return Err(invalid("options", "must not be empty"));
        }
        if seen.contains(&fold(&value)) {
            return Err(invalid("options", format!("{value} is given twice")));
        }
        seen.push(fold(&value));
        choices.push(json!({ "value": value, "label": label }));
    }
    Ok(choices.into())
}

pub(super) fn clear_one<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, record: Uuid, key: &str) -> Result<(), Error> {
    let saved = find::<R>(ctx, tx, record)?;
    let mut data = values(&saved)?;
    data.remove(key);
    let mut changes = Changes::default();
    changes.set_named(R::FIELDS, "custom_data", Json::Object(data).to_string());
    update(ctx, tx, &saved, &changes)?;
    Ok(())
}

fn values<R: Resource>(saved: &Saved<R>) -> Result<Map<String, Json>, Error> {
    match saved.value("custom_data")? {
        Value::Text(data) => place(R::ABOUT.table, "custom_data", &saved.id).json(data),
        _ => Ok(Map::new()),
    }
}

/// Merges the custom values in a body over the stored ones.
pub fn normalize<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    changes: &mut Changes,
    saved: Option<&Saved<R>>,
    known: Option<&[Definition]>,
) -> Result<Vec<Problem>, Error> {
    if changes.named_text("custom_data").is_none() && saved.is_some() {
        return Ok(Vec::new());
    }
    let (sent, stored) = (changes.named_json("custom_data")?, saved.map(values).transpose()?);
    let (merged, problems) = custom::merge(ctx, tx, R::ABOUT.one, &sent, stored.as_ref(), known)?;
    changes.set_named(R::FIELDS, "custom_data", Json::Object(merged).to_string());
    Ok(problems)
}
