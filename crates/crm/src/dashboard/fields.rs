//! Settings > Data model: custom fields and reasons.

use crate::api::call::{Call, Reply};
use crate::api::operation::{Computation, Operation, delete, get, post, put};
use crate::api::scope::Role;
use crate::outreach::sequence::fields;
use crate::pipelines::reason::{self, Reason, ReasonKind};
use crate::records::custom_field::{self, Choice, CustomField, Entity, Given};
use resource::custom::CustomType;
use resource::{Changes, Error, Field, Items, Resource, find, invalid, not_found};
use serde_json::{Map, Value as Json};
use store::{Tx, Uuid, Value};

resource::choices! {
    Object { Contacts = "contacts", Companies = "companies" }
}

#[derive(Resource)]
pub struct ObjectQuery {
    #[field(required)]
    pub object: Object,
}

#[derive(Resource)]
pub struct NewField {
    #[field(required)]
    pub key: String,
    #[field(required)]
    pub r#type: CustomType,
    pub label: Option<String>,
    pub options: Option<Items<Choice>>,
    pub is_required: Option<bool>,
    #[field(least = 0, most = 10_000)]
    pub position: Option<i64>,
}

/// The new form of an option.
#[derive(Resource)]
pub struct OptionChange {
    #[field(required, max = 100)]
    pub value: String,
    #[field(required, max = 100)]
    pub label: String,
    /// The current value of the option, if `value` is a new one: records with the current value get the new one.
    #[field(max = 100)]
    pub previous_value: Option<String>,
}

#[derive(Resource)]
pub struct FieldChange {
    pub label: Option<String>,
    pub options: Option<Items<OptionChange>>,
    pub is_required: Option<bool>,
    #[field(least = 0, most = 10_000)]
    pub position: Option<i64>,
    /// Present when a client sends back what it read; ignored.
    #[field(read_only)]
    pub id: Uuid,
    #[field(read_only)]
    pub key: String,
    #[field(read_only)]
    pub r#type: CustomType,
}

#[derive(Resource)]
pub struct NewReason {
    #[field(required)]
    pub kind: ReasonKind,
    #[field(required, as_in = Reason::FIELDS)]
    pub name: String,
}

#[derive(Resource)]
pub struct ReasonChange {
    #[field(as_in = Reason::FIELDS)]
    pub name: Option<String>,
    #[field(least = 0, most = 10_000)]
    pub position: Option<i64>,
    #[field(read_only)]
    pub id: Uuid,
    #[field(read_only)]
    pub kind: ReasonKind,
}

const OBJECT: &[Field] = ObjectQuery::FIELDS;
const NEW_FIELD: &[Field] = NewField::FIELDS;
const FIELD_CHANGE: &[Field] = FieldChange::FIELDS;
const NEW_REASON: &[Field] = NewReason::FIELDS;
const REASON_CHANGE: &[Field] = ReasonChange::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    get("/custom-fields", "dashboard_fields", "List custom fields")
        .whole_list::<CustomField>()
        .role(Role::Admin)
        .query(OBJECT)
        .read(list),
    post("/custom-fields", "dashboard_new_field", "Add a custom field")
        .gives::<CustomField>(&[201])
        .role(Role::Admin)
        .query(OBJECT)
        .members("NewField", NEW_FIELD)
        .write(make),
    put("/custom-fields/{id}", "dashboard_change_field", "Change a custom field")
        .gives::<CustomField>(&[200])
        .role(Role::Admin)
        .members("FieldChange", FIELD_CHANGE)
        .prepare_read(examine)
        .write(change),
    delete("/custom-fields/{id}", "dashboard_remove_field", "Remove a custom field and its values")
        .role(Role::Admin)
        .prepare_read(examine)
        .write(remove),
    post("/reasons", "dashboard_new_reason", "Add a reason or source")
        .gives::<Reason>(&[201])
        .role(Role::Admin)
        .members("NewReason", NEW_REASON)
        .write(new_reason),
    put("/reasons/{id}", "dashboard_change_reason", "Rename or move a reason")
        .gives::<Reason>(&[200])
        .role(Role::Admin)
        .members("ReasonChange", REASON_CHANGE)
        .write(change_reason),
    delete("/reasons/{id}", "dashboard_remove_reason", "Stop offering a reason").role(Role::Admin).write(remove_reason),
];

fn entity(call: &Call) -> Result<Entity, Error> {
    let asked = call.asked(OBJECT)?;
    Ok(if asked.named_text("object") == Some("companies") { Entity::Company } else { Entity::Contact })
}

fn list(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let entity = entity(call)?;
    Ok(Reply::whole(custom_field::list(&call.ctx, tx, entity)?.iter().map(custom_field::shown).collect()))
}

fn given(members: &Changes) -> Result<Given, Error> {
    let sent: Vec<Map<String, Json>> = members.named_json("options")?;
    let options = members.named_text("options").map(|_| {
        let text = |option: &Map<String, Json>, name: &str| option[name].as_str().unwrap_or_default().to_owned();
        sent.iter().map(|option| (text(option, "value"), text(option, "label"))).collect()
    });
    Ok(Given {
        label: members.named_text("label").map(str::to_owned),
        options,
        renamed: renamed(&sent),
        required: if let Some(Value::Bool(required)) = members.named("is_required") { Some(*required) } else { None },
        position: whole(members, "position"),
    })
}

/// Old and new values of renamed options.
fn renamed(options: &[Map<String, Json>]) -> Vec<(String, String)> {
    let pair = |option: &Map<String, Json>| {
        let (from, to) = (option.get("previous_value")?.as_str()?, option.get("value")?.as_str()?);
        (from != to).then(|| (from.to_owned(), to.to_owned()))
    };
    options.iter().filter_map(pair).collect()
}

/// A number in the body.
pub(super) fn whole(members: &Changes, name: &str) -> Option<i64> {
    if let Some(Value::Int(number)) = members.named(name) { Some(*number) } else { None }
}

fn make(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (entity, members) = (entity(call)?, call.members(NEW_FIELD)?);
    let kind =
        members.named_text("type").and_then(CustomType::from_word).ok_or_else(|| invalid("type", "is required"))?;
    let key = members.named_text("key").unwrap_or_default();
    let id = custom_field::create(&call.ctx, tx, entity, key, kind, &given(&members)?)?;
    Ok(Reply { status: 201, ..show(call, tx, id)? })
}

fn show(call: &Call, tx: &mut dyn Tx, id: Uuid) -> Result<Reply, Error> {
    Ok(Reply::json(&custom_field::shown(&find::<CustomField>(&call.ctx, tx, id)?.record)))
}

fn change(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let members = call.members(FIELD_CHANGE)?;
    let field = find::<CustomField>(&call.ctx, tx, call.id(0, "custom_field")?)?;
    for (name, stored) in [("key", field.record.key.as_str()), ("type", field.record.r#type.word())] {
        if call.body.get(name).is_some_and(|sent| *sent != stored) {
            let reason = format!("is {stored} and can't be changed; add another field and remove this one");
            return Err(invalid(name, reason));
        }
    }
    fields::change(&call.ctx, tx, field.record.entity, &field.record.key, &given(&members)?)?;
    show(call, tx, field.id)
}

fn examine(call: &Call, tx: &mut dyn Tx) -> Result<Computation, Error> {
    fields::examine(&call.ctx, tx)?;
    Ok(Box::new(|| None))
}

fn remove(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let field = find::<CustomField>(&call.ctx, tx, call.id(0, "custom_field")?)?;
    fields::remove(&call.ctx, tx, field.record.entity, &field.record.key)?;
    Ok(Reply::deleted())
}

fn new_reason(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let given = call.members(NEW_REASON)?;
    let kind =
        given.named_text("kind").and_then(ReasonKind::from_word).ok_or_else(|| invalid("kind", "is required"))?;
    let id = reason::create(&call.ctx, tx, kind, given.named_text("name").unwrap_or_default())?;
    Ok(Reply { status: 201, ..show_reason(call, tx, id)? })
}

fn show_reason(call: &Call, tx: &mut dyn Tx, id: Uuid) -> Result<Reply, Error> {
    let found = reason::list(&call.ctx, tx, None)?.into_iter().find(|reason| reason.id == id);
    Ok(Reply::json(&reason::shown(&found.ok_or_else(|| not_found("reason"))?)))
}

fn change_reason(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (id, given) = (call.id(0, "reason")?, call.members(REASON_CHANGE)?);
    reason::change(&call.ctx, tx, id, given.named_text("name"), whole(&given, "position"))?;
    show_reason(call, tx, id)
}

fn remove_reason(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    reason::remove(&call.ctx, tx, call.id(0, "reason")?)?;
    Ok(Reply::deleted())
}
