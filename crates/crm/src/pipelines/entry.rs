//! Pipeline entries: candidates in projects, one per project and contact. They move freely between the stages of their
//! project. Only entries in a stage of the category `rejected` have a rejection reason.

use crate::api::call::{Call, Reply, list_by, show_with, under};
use crate::api::operation::{Operation, delete, get, post, put};
use crate::api::scope::{PIPELINE_READ, PIPELINE_WRITE};
use crate::pipelines::project::{self, Project, ProjectStatus};
use crate::pipelines::reason::{self, ReasonKind};
use crate::pipelines::template::Category;
use crate::records::contact::Contact;
use resource::{
    Changes, Cond, Control, Ctx, Error, Field, Ids, Index, Link, Op, Problem, Resource, Saved, Sync, Test, Through,
    Time, find, insert, invalid, not_found, update, update_as,
};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid, Value};

/// A candidate in a project.
#[derive(Resource)]
#[resource(table = "pipeline_entries", one = "entry", sync = Sync::Window, indexes = INDEXES)]
pub struct Entry {
    #[field(read_only)]
    pub id: Uuid,
    #[field(read_only, filter, tallied = "entries", subject)]
    pub project_id: Uuid,
    /// The contact; can't be changed later.
    #[field(required, filter, subject)]
    pub contact_id: Uuid,
    /// A stage of the project; defaults to the first one.
    #[field(filter, tallied = "entries", control = Control::Choice)]
    pub stage_id: Uuid,
    #[field(least = 1, most = 5, filter, sort, control = Control::Rating)]
    pub rating: Option<i64>,
    #[field(max = 10_000, label = "About", after = "rejection_reason_id")]
    pub notes: Option<String>,
    /// The reason, in a stage of the category `rejected`; removed when the entry leaves it.
    #[field(filter, label = "Rejected because", control = Control::Choice)]
    pub rejection_reason_id: Option<Uuid>,
    /// The time when it entered its stage.
    #[field(hidden)]
    pub moved_at: Time,
    #[field(read_only, filter, sort, label = "Added")]
    pub created_at: Time,
    #[field(read_only, filter, sort, label = "Changed")]
    pub updated_at: Time,
}

const INDEXES: &[Index] = &[
    Index { name: "pipeline_entries_updated_at", fields: &["updated_at"] },
    Index { name: "pipeline_entries_contact_id", fields: &["contact_id", "project_id"] },
    Index { name: "pipeline_entries_project_id", fields: &["project_id"] },
    Index { name: "pipeline_entries_project_updated_at", fields: &["project_id", "updated_at"] },
    Index { name: "pipeline_entries_project_rating", fields: &["project_id", "rating"] },
    Index { name: "pipeline_entries_stage_id", fields: &["stage_id"] },
];

/// The stage of an entry.
#[derive(Resource)]
#[resource(table = "project_stages")]
pub struct StageName {
    pub id: Uuid,
    pub name: String,
}

/// The members of a contact that an entry shows.
#[derive(Resource)]
#[resource(table = "contacts")]
pub struct Candidate {
    pub id: Uuid,
    pub first_name: String,
    pub last_name: Option<String>,
    pub title: Option<String>,
    pub current_company: Option<String>,
    pub location: Option<String>,
    pub network_profile: Option<String>,
    pub global_status: crate::records::contact::Status,
}

/// The members of a project that an entry shows.
#[derive(Resource)]
#[resource(table = "projects")]
pub struct ProjectName {
    pub id: Uuid,
    pub name: String,
    pub status: ProjectStatus,
}

pub const STAGE: Link = Link::to::<StageName>("stage", "stage_id");
pub const PROJECT: Link = Link::to::<ProjectName>("project", "project_id");
const CANDIDATE: Link = Link::to::<Candidate>("contact", "contact_id");
const UNDER_PROJECT: &[Link] = &[STAGE, CANDIDATE];
const ALONE: &[Link] = &[STAGE, CANDIDATE, PROJECT];

/// Members of responses, accepted in a body so that clients can send back what they read.
#[derive(Resource)]
pub struct Related {
    #[field(read_only)]
    pub stage: Option<Map<String, Json>>,
    #[field(read_only)]
    pub contact: Option<Map<String, Json>>,
    #[field(read_only)]
    pub project: Option<Map<String, Json>>,
}

const RELATED: &[Field] = Related::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    get("/projects/{id}/entries", "list_project_entries", "List the candidates in a project")
        .scope(PIPELINE_READ)
        .list::<Entry>()
        .shows("ProjectEntry", UNDER_PROJECT)
        .read(list_of_project),
    post("/projects/{id}/entries", "add_project_entry", "Add a contact to a project")
        .scope(PIPELINE_WRITE)
        .body::<Entry>("EntryInput", RELATED, true)
        .write(add)
        .gives::<Entry>(&[201, 200])
        .shows("ProjectEntry", UNDER_PROJECT),
    get("/projects/{id}/entries/{entry_id}", "get_project_entry", "Get a candidate in a project")
        .scope(PIPELINE_READ)
        .read(read_in_project)
        .gives::<Entry>(&[200])
        .shows("ProjectEntry", UNDER_PROJECT),
    put("/projects/{id}/entries/{entry_id}", "update_project_entry", "Move, rate or reject a candidate in a project")
        .scope(PIPELINE_WRITE)
        .body::<Entry>("EntryUpdate", RELATED, false)
        .write(change_in_project)
        .gives::<Entry>(&[200])
        .shows("ProjectEntry", UNDER_PROJECT),
    delete("/projects/{id}/entries/{entry_id}", "delete_project_entry", "Remove a candidate from a project")
        .scope(PIPELINE_WRITE)
        .write(remove_from_project),
    get("/pipeline-entries/{id}", "get_entry", "Get a pipeline entry")
        .scope(PIPELINE_READ)
        .read(read)
        .gives::<Entry>(&[200])
        .shows("Entry", ALONE),
    put("/pipeline-entries/{id}", "update_entry", "Move, rate or reject a candidate")
        .scope(PIPELINE_WRITE)
        .body::<Entry>("EntryUpdate", RELATED, false)
        .write(change)
        .gives::<Entry>(&[200])
        .shows("Entry", ALONE),
    delete("/pipeline-entries/{id}", "delete_entry", "Remove a candidate").scope(PIPELINE_WRITE).write(remove),
    get("/contacts/{id}/entries", "list_contact_entries", "List a contact's pipeline entries")
        .scope(PIPELINE_READ)
        .list::<Entry>()
        .shows("Entry", ALONE)
        .read(list_of_contact),
];

fn list_of_project(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    list_by::<Project, Entry>(call, tx, "project_id", UNDER_PROJECT, &[])
}

fn list_of_contact(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    list_by::<Contact, Entry>(call, tx, "contact_id", ALONE, &[])
}

pub fn add(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let changes = call.changes::<Entry>(RELATED, true)?;
    let project = find::<Project>(&call.ctx, tx, call.id(0, "project")?)?;
    let (id, new) = enter(&call.ctx, tx, &project, changes)?;
    let reply = show_with::<Entry>(&call.ctx, tx, id, UNDER_PROJECT)?;
    Ok(if new { reply.created(format!("/projects/{}/entries/{id}", project.id)) } else { reply })
}

/// Adds a contact to a project as a candidate. An existing entry stays as it is; then the result is false.
pub fn enter(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    project: &Saved<Project>,
    mut changes: Changes,
) -> Result<(Uuid, bool), Error> {
    normalize(ctx, tx, project.id, &mut changes, None)?;
    let Some(Value::Id(contact)) = changes.get(Entry::CONTACT_ID).cloned() else {
        return Err(invalid("contact_id", "is required"));
    };
    if let Some(known) = of_contact(ctx, tx, project.id, contact)? {
        return Ok((known, false));
    }
    if project.record.status == ProjectStatus::Archived {
        return Err(invalid("project_id", "the project is archived and takes no entries; make it active first"));
    }
    changes.set(Entry::PROJECT_ID, project.id);
    changes.set(Entry::MOVED_AT, tx.stamp());
    let id = insert::<Entry>(ctx, tx, &changes)?;
    list_contact(ctx, tx, project.id, contact)?;
    Ok((id, true))
}

fn read_in_project(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let entry = in_project(call, tx)?;
    show_with::<Entry>(&call.ctx, tx, entry.id, UNDER_PROJECT)
}

fn change_in_project(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let changes = call.changes::<Entry>(RELATED, false)?;
    let entry = in_project(call, tx)?;
    alter(&call.ctx, tx, &entry, changes)?;
    show_with::<Entry>(&call.ctx, tx, entry.id, UNDER_PROJECT)
}

fn remove_from_project(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let entry = in_project(call, tx)?;
    leave(&call.ctx, tx, &entry)?;
    Ok(Reply::deleted())
}

fn read(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    show_with::<Entry>(&call.ctx, tx, call.id(0, "entry")?, ALONE)
}

pub fn change(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let changes = call.changes::<Entry>(RELATED, false)?;
    let entry = find::<Entry>(&call.ctx, tx, call.id(0, "entry")?)?;
    alter(&call.ctx, tx, &entry, changes)?;
    show_with::<Entry>(&call.ctx, tx, entry.id, ALONE)
}

fn remove(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let entry = find::<Entry>(&call.ctx, tx, call.id(0, "entry")?)?;
    leave(&call.ctx, tx, &entry)?;
    Ok(Reply::deleted())
}

/// The entry in the second path parameter, if it belongs to the project in the first.
fn in_project(call: &Call, tx: &mut dyn Tx) -> Result<Saved<Entry>, Error> {
    let project = under::<Project>(call, tx)?;
    let entry = find::<Entry>(&call.ctx, tx, call.id(1, "entry")?)?;
    if entry.record.project_id == project { Ok(entry) } else { Err(not_found("entry")) }
}

/// Writes the values that differ. A move and a rejection have events of their own, which contain the time that the
/// entry was in its stage.
pub fn alter(ctx: &Ctx, tx: &mut dyn Tx, entry: &Saved<Entry>, mut changes: Changes) -> Result<bool, Error> {
    let category = normalize(ctx, tx, entry.record.project_id, &mut changes, Some(entry))?;
    let stage = entry.value("stage_id")?;
    if changes.get(Entry::STAGE_ID).is_none_or(|sent| sent == stage) {
        return update(ctx, tx, entry, &changes);
    }
    let now = tx.stamp();
    changes.set(Entry::MOVED_AT, now);
    let seconds = (now - entry.record.moved_at.0).max(0) / 1000;
    let more = Map::from_iter([("time_in_stage".to_owned(), json!([seconds, 0]))]);
    let verb = if category == Category::Rejected { "rejected" } else { "moved" };
    update_as(ctx, tx, entry, &changes, verb, &more)
}

/// Removes a candidate from a project.
pub fn leave(ctx: &Ctx, tx: &mut dyn Tx, entry: &Saved<Entry>) -> Result<(), Error> {
    unlist_contact(ctx, tx, entry.record.project_id, entry.record.contact_id)?;
    resource::delete(ctx, tx, entry)
}

/// Validates contact, stage and reason against the database. Returns the category of the resulting stage.
fn normalize(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    project: Uuid,
    changes: &mut Changes,
    saved: Option<&Saved<Entry>>,
) -> Result<Category, Error> {
    let mut problems = Vec::new();
    let mut problem = |field: &str, reason: &str| problems.push(Problem { field: field.into(), reason: reason.into() });
    if let Some(Value::Id(id)) = changes.take(Entry::CONTACT_ID) {
        match (find::<Contact>(ctx, tx, id), saved) {
            (Ok(contact), None) => changes.set(Entry::CONTACT_ID, contact.id),
            (Ok(contact), Some(saved)) if contact.id == saved.record.contact_id => {}
            (Ok(_) | Err(Error::NotFound(_)), Some(_)) => {
                problem("contact_id", "can't be changed: add the other contact and remove this entry");
            }
            (Err(Error::NotFound(_)), None) => problem("contact_id", "no contact has this id"),
            (Err(other), _) => return Err(other),
        }
    }
    let stages = project::stages(ctx, tx, project)?;
    let stage = match (changes.get(Entry::STAGE_ID), saved) {
        (Some(Value::Id(sent)), _) => stages.iter().find(|(id, _)| id == sent),
        (_, Some(saved)) => stages.iter().find(|(id, _)| *id == saved.record.stage_id),
        (_, None) => stages.first(),
    };
    match stage {
        Some((id, _)) => changes.set(Entry::STAGE_ID, *id),
        None => problem("stage_id", "is not a stage of this project"),
    }
    let category = stage.map_or(Category::Other, |(_, category)| *category);
    let stored = saved.map_or(Ok(&Value::Null), |saved| saved.value("rejection_reason_id"))?;
    let sent = changes.get(Entry::REJECTION_REASON_ID).filter(|sent| **sent != Value::Null);
    if stage.is_none() || category == Category::Rejected {
        let kind = ReasonKind::Rejection;
        problems.extend(reason::check(ctx, tx, kind, "rejection_reason_id", changes, saved)?);
    } else if sent.is_some_and(|sent| sent != stored) {
        problem("rejection_reason_id", "belongs to a stage of the category rejected; move the entry there");
    } else {
        // A rejection reason is removed together with the stage.
        changes.clear(Entry::REJECTION_REASON_ID);
    }
    if problems.is_empty() { Ok(category) } else { Err(Error::Invalid(problems)) }
}

/// The entry of a contact in a project, if there is one.
pub fn of_contact(ctx: &Ctx, tx: &mut dyn Tx, project: Uuid, contact: Uuid) -> Result<Option<Uuid>, Error> {
    const KNOWN: &str =
        "SELECT id FROM pipeline_entries WHERE workspace_id = $1 AND contact_id = $2 AND project_id = $3";
    Ok(tx.one(KNOWN, &[ctx.workspace.into(), contact.into(), project.into()], |row| row.id(0))?)
}

// ---- contacts by project ----

/// Only entries decide these filters, because a stage never changes its project or category.
const ENTRIES: &[&str] = &["pipeline_entries"];

/// Not a member of a contact, but a filter: the projects in which it is a candidate.
static PROJECTS: Field = Field::of::<Ids>("project_id", "").term("contact.project").reads(ENTRIES);

/// Matches contacts with an entry in this project.
pub fn candidates(project: Uuid) -> Cond {
    Cond::Test(Test { field: &PROJECTS, op: Op::Eq, values: vec![project.into()] })
}

/// Matches contacts with an entry in one of these projects.
pub fn candidates_of(projects: Vec<Uuid>) -> Cond {
    Cond::Test(Test { field: &PROJECTS, op: Op::In, values: projects.into_iter().map(Value::from).collect() })
}

static STAGES: Field = Field::of::<Ids>("stage_id", "")
    .through(Through { from: "pipeline_entries x", record: "x.contact_id", value: "x.stage_id" })
    .reads(ENTRIES);
static CATEGORIES: Field = Field::of::<Ids>("stage_category", "")
    .through(Through {
        from: "pipeline_entries x JOIN project_stages s ON s.workspace_id = x.workspace_id AND s.id = x.stage_id",
        record: "x.contact_id",
        value: "s.system_category",
    })
    .reads(ENTRIES);

/// Matches contacts with an entry in one of these stages.
pub fn in_stages(stages: Vec<Uuid>) -> Cond {
    // An empty list must match no contact.
    let stages = if stages.is_empty() { vec![Uuid::nil()] } else { stages };
    Cond::Test(Test { field: &STAGES, op: Op::In, values: stages.into_iter().map(Value::from).collect() })
}

/// Matches contacts with an entry in a stage of one of these categories.
pub fn in_categories(categories: &[String]) -> Cond {
    let values = categories.iter().map(|word| word.as_str().into()).collect();
    Cond::Test(Test { field: &CATEGORIES, op: Op::In, values })
}

pub fn list_contact(ctx: &Ctx, tx: &mut dyn Tx, project: Uuid, contact: Uuid) -> Result<(), Error> {
    const LIST: &str = "INSERT INTO terms (workspace_id, field, key, record) VALUES ($1, 'contact.project', $2, $3)";
    Ok(tx.execute(LIST, &[ctx.workspace.into(), project.to_string().into(), contact.into()])?)
}

pub fn unlist_contact(ctx: &Ctx, tx: &mut dyn Tx, project: Uuid, contact: Uuid) -> Result<(), Error> {
    const UNLIST: &str =
        "DELETE FROM terms WHERE workspace_id = $1 AND field = 'contact.project' AND key = $2 AND record = $3";
    Ok(tx.execute(UNLIST, &[ctx.workspace.into(), project.to_string().into(), contact.into()])?)
}
