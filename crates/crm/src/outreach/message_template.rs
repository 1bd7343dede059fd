//! Message templates: subjects and contents for messages to contacts, of one member or shared by all.

use crate::api::call::{Call, Prepared, Reply, list_where, make, show};
use crate::api::operation::{Operation, delete, get, post, put};
use crate::api::scope::{Feature, MESSAGES_READ, MESSAGES_WRITE};
use crate::outreach::sequence::template::{self, Names};
use crate::tenant::member::require_admin;
use resource::{
    Changes, Cond, Error, Index, Op, Problem, Resource, Saved, Test, Time, find, invalid, not_found, update,
};
use serde_json::{Value as Json, json};
use store::{Tx, Uuid, Value};

/// A subject and a content that are filled in for a contact.
#[derive(Resource)]
#[resource(table = "message_templates", one = "message_template", default_sort = "name", indexes = INDEXES)]
pub struct MessageTemplate {
    #[field(read_only)]
    pub id: Uuid,
    #[field(required, max = 200, filter, sort)]
    pub name: String,
    /// Of an email.
    #[field(max = 255)]
    pub subject: Option<String>,
    /// HTML when it begins with `<`, else plain text. A template like the body of a step.
    #[field(required, max = 20_000)]
    pub content: String,
    /// All members of the workspace see it; otherwise only its owner does.
    #[field(default = "false", filter)]
    pub shared: bool,
    /// The member who made it.
    #[field(read_only, filter)]
    pub owner_id: Uuid,
    /// The names that it fills in.
    #[field(read_only)]
    pub variables: Vec<String>,
    #[field(read_only, sort)]
    pub created_at: Time,
    #[field(read_only, sort)]
    pub updated_at: Time,
}

const INDEXES: &[Index] = &[Index { name: "message_templates_name", fields: &["name"] }];

pub const OPERATIONS: &[Operation] = &[
    get("/message-templates", "list_message_templates", "List your own and shared message templates")
        .feature(Feature::Outreach)
        .scope(MESSAGES_READ)
        .list::<MessageTemplate>()
        .read(list),
    post("/message-templates", "create_message_template", "Create a message template")
        .feature(Feature::Outreach)
        .scope(MESSAGES_WRITE)
        .body::<MessageTemplate>("MessageTemplateInput", &[], true)
        .prepare(examine)
        .write(create)
        .gives::<MessageTemplate>(&[201]),
    get("/message-templates/{id}", "get_message_template", "Get a message template")
        .feature(Feature::Outreach)
        .scope(MESSAGES_READ)
        .read(read)
        .gives::<MessageTemplate>(&[200]),
    put("/message-templates/{id}", "update_message_template", "Update a message template")
        .feature(Feature::Outreach)
        .scope(MESSAGES_WRITE)
        .body::<MessageTemplate>("MessageTemplateUpdate", &[], false)
        .prepare(examine)
        .write(change)
        .gives::<MessageTemplate>(&[200]),
    delete("/message-templates/{id}", "delete_message_template", "Delete a message template")
        .feature(Feature::Outreach)
        .scope(MESSAGES_WRITE)
        .write(remove),
];

/// Names that only the steps of a sequence have.
fn is_of_sequence(name: &str) -> bool {
    name == template::UNSUBSCRIBE_URL || name.starts_with("project.") || name.starts_with("custom_variable_")
}

/// Examines the templates of a body before the transaction, since parsing takes long.
fn examine(call: &Call) -> Option<Prepared> {
    let text = |member: &str| call.body.get(member).and_then(Json::as_str);
    let texts: Vec<&str> = [text("subject"), text("content")].into_iter().flatten().collect();
    if texts.iter().all(|text| text.len() <= 4 * 20_000) {
        template::examine_all(texts.into_iter());
    }
    None
}

fn list(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let is = |field, value: Value| Cond::Test(Test { field, op: Op::Eq, values: vec![value] });
    let own = is(MessageTemplate::OWNER_ID.field, call.key.user.into());
    let shared = is(MessageTemplate::SHARED.field, true.into());
    list_where::<MessageTemplate>(call, tx, &[Cond::Any(vec![shared, own])])
}

fn create(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let mut changes = call.changes::<MessageTemplate>(&[], true)?;
    check(call, tx, &changes)?;
    changes.set(MessageTemplate::OWNER_ID, call.key.user);
    let subject = changes.text(MessageTemplate::SUBJECT).map(str::to_owned);
    let content = changes.text(MessageTemplate::CONTENT).unwrap_or_default().to_owned();
    changes.set(MessageTemplate::VARIABLES, variables(subject.as_deref(), &content));
    let (id, reply) = make::<MessageTemplate>(&call.ctx, tx, &changes)?;
    Ok(reply.created(format!("/message-templates/{id}")))
}

fn read(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let template = seen(call, tx, call.id(0, "message_template")?)?;
    show::<MessageTemplate>(&call.ctx, tx, template.id)
}

fn change(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let mut changes = call.changes::<MessageTemplate>(&[], false)?;
    let template = own(call, tx)?;
    check(call, tx, &changes)?;
    let record = &template.record;
    let subject = match call.body.contains_key("subject") {
        true => changes.text(MessageTemplate::SUBJECT).map(str::to_owned),
        false => record.subject.clone(),
    };
    let content = changes.text(MessageTemplate::CONTENT).unwrap_or(&record.content).to_owned();
    changes.set(MessageTemplate::VARIABLES, variables(subject.as_deref(), &content));
    update(&call.ctx, tx, &template, &changes)?;
    show::<MessageTemplate>(&call.ctx, tx, template.id)
}

fn remove(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let template = own(call, tx)?;
    resource::delete(&call.ctx, tx, &template)?;
    Ok(Reply::deleted())
}

/// A template that the caller may use: an own one, or a shared one.
pub fn seen(call: &Call, tx: &mut dyn Tx, id: Uuid) -> Result<Saved<MessageTemplate>, Error> {
    let template = find::<MessageTemplate>(&call.ctx, tx, id)?;
    let is_seen = template.record.shared || template.record.owner_id == call.key.user;
    if is_seen { Ok(template) } else { Err(not_found("message_template")) }
}

/// The template that the member `template_id` of a body names.
pub fn named(call: &Call, tx: &mut dyn Tx, id: Uuid) -> Result<Saved<MessageTemplate>, Error> {
    match seen(call, tx, id) {
        Err(Error::NotFound(_)) => Err(invalid("template_id", "no message template has this id")),
        found => found,
    }
}

/// The template in the path, if the caller may change it: an own one, or a shared one if the caller is an admin.
fn own(call: &Call, tx: &mut dyn Tx) -> Result<Saved<MessageTemplate>, Error> {
    let template = seen(call, tx, call.id(0, "message_template")?)?;
    if template.record.owner_id != call.key.user {
        require_admin(call, tx, "a shared message template is changed by its owner or by an admin")?;
    }
    Ok(template)
}

/// Refuses texts that are no templates, or that only a sequence can fill in.
fn check(call: &Call, tx: &mut dyn Tx, changes: &Changes) -> Result<(), Error> {
    let names = Names::of(&call.ctx, tx)?;
    let texts =
        [("subject", changes.text(MessageTemplate::SUBJECT)), ("content", changes.text(MessageTemplate::CONTENT))];
    let mut problems = Vec::new();
    for (member, text) in texts.into_iter().filter_map(|(member, text)| Some((member, text?))) {
        let of_sequence = template::variables(text).into_iter().filter(|name| is_of_sequence(name));
        let of_sequence = of_sequence.map(|name| format!("{name} is for the steps of sequences alone"));
        let reasons = names.check(text).into_iter().chain(of_sequence);
        problems.extend(reasons.map(|reason| Problem { field: member.into(), reason }));
    }
    if !problems.is_empty() {
        return Err(Error::Invalid(problems));
    }
    match changes.text(MessageTemplate::SUBJECT) {
        Some(subject) if subject.contains(char::is_control) => Err(invalid("subject", "must be one line")),
        _ => Ok(()),
    }
}

/// The names that a template fills in, sorted.
fn variables(subject: Option<&str>, content: &str) -> Json {
    let mut names: Vec<String> = subject.into_iter().chain([content]).flat_map(template::variables).collect();
    names.sort();
    names.dedup();
    json!(names)
}
