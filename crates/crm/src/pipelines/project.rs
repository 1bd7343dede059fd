//! Projects: searches for candidates on behalf of a client, and their stages. `active ⇄ archived`; an archived project
//! accepts no entries.

use crate::api::call::{Call, Content, Reply, list_by, make, show};
use crate::api::operation::{Operation, get, post, put};
use crate::api::scope::{PROJECTS_READ, PROJECTS_WRITE};
use crate::pipelines::template::{self, Category};
use crate::records::company::Company;
use crate::records::references;
use resource::{
    Changes, Control, Ctx, Error, Field, Format, Ids, Index, Link, Problem, Rendered, Resource, Saved, StoredRow, Sync,
    Time, columns, find, invalid, record_schema, update,
};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid, Value};

resource::choices! {
    ProjectStatus { Active = "active", Archived = "archived" }
}

/// A search for candidates on behalf of a client.
#[derive(Resource)]
#[resource(table = "projects", one = "project", texts, sync = Sync::Window, indexes = INDEXES, links = LINKS)]
pub struct Project {
    #[field(read_only)]
    pub id: Uuid,
    #[field(required, max = 100, filter, sort, search)]
    pub name: String,
    /// An archived project accepts no entries.
    #[field(default = "\"active\"", filter, sort, counted)]
    pub status: ProjectStatus,
    #[field(max = 255, filter, term = "project.client", search, label = "Client", after = "client_company_id")]
    pub client_name: Option<String>,
    #[field(filter, term = "project.client_company", subject, control = Control::Company)]
    pub client_company_id: Option<Uuid>,
    #[field(max = 255, filter, term = "project.location")]
    pub location: Option<String>,
    #[field(max = 10_000, search, after = "entries_count")]
    pub description: Option<String>,
    /// The template of its stages; only accepted on creation.
    pub template_id: Option<Uuid>,
    /// The responsible members; defaults to the key's owner.
    #[field(max = 50, filter_as = "owner_id", term = "project.owner")]
    pub owner_ids: Ids,
    #[field(count = "entries", label = "Candidates")]
    pub entries_count: i64,
    #[field(read_only, term = "project.default_sequence")]
    pub default_sequence_id: Option<Uuid>,
    #[field(read_only, filter, sort, label = "Added")]
    pub created_at: Time,
    #[field(read_only, filter, sort, label = "Changed")]
    pub updated_at: Time,
}

const INDEXES: &[Index] = &[
    Index { name: "projects_updated_at", fields: &["updated_at"] },
    Index { name: "projects_name", fields: &["name"] },
    Index { name: "projects_status", fields: &["status"] },
];

/// The client.
#[derive(Resource)]
#[resource(table = "companies")]
pub struct ClientCompany {
    pub id: Uuid,
    pub name: String,
}

/// A responsible member.
#[derive(Resource)]
#[resource(table = "members")]
pub struct Owner {
    pub user_id: Uuid,
    pub first_name: String,
    pub last_name: String,
    pub email: String,
}

const LINKS: &[Link] =
    &[Link::to::<ClientCompany>("client_company", "client_company_id"), Link::to::<Owner>("owners", "owner_ids")];

/// Members of responses, accepted in a body so that clients can send back what they read.
#[derive(Resource)]
pub struct Related {
    #[field(read_only)]
    pub client_company: Option<Map<String, Json>>,
    #[field(read_only)]
    pub owners: Option<Map<String, Json>>,
    #[field(read_only)]
    pub pipeline: Option<Map<String, Json>>,
}

const RELATED: &[Field] = Related::FIELDS;

/// A stage of a project's pipeline.
#[derive(Resource)]
#[resource(table = "project_stages")]
pub struct Stage {
    #[field(read_only)]
    pub id: Uuid,
    pub name: String,
    /// From 0.
    pub position: i64,
    pub system_category: Category,
    #[field(format = Format::Color)]
    pub color: String,
    #[field(count = "entries")]
    pub entries_count: i64,
}

pub const OPERATIONS: &[Operation] = &[
    get("/projects", "list_projects", "List projects").scope(PROJECTS_READ).list::<Project>(),
    post("/projects", "create_project", "Create a project")
        .scope(PROJECTS_WRITE)
        .body::<Project>("ProjectInput", RELATED, true)
        .write(create)
        .gives_detail::<Project>(&[201], "ProjectDetail", schema),
    get("/projects/{id}", "get_project", "Get a project and its pipeline")
        .scope(PROJECTS_READ)
        .read(read)
        .gives_detail::<Project>(&[200], "ProjectDetail", schema),
    put("/projects/{id}", "update_project", "Update a project")
        .scope(PROJECTS_WRITE)
        .body::<Project>("ProjectUpdate", RELATED, false)
        .write(change)
        .gives_detail::<Project>(&[200], "ProjectDetail", schema),
    get("/projects/{id}/timeline", "project_timeline", "List the events of a project and of its related records")
        .scope(PROJECTS_READ)
        .timeline::<Project>(),
    get("/companies/{id}/projects", "list_company_projects", "List the projects for a company")
        .scope(PROJECTS_READ)
        .list::<Project>()
        .read(list_of_company),
];

pub fn schema() -> Json {
    let mut schema = record_schema(Project::FIELDS, LINKS);
    schema["description"] = Project::ABOUT.doc.into();
    schema["properties"]["pipeline"] = json!({
        "type": "object",
        "required": ["stages"],
        "properties": { "stages": {
            "type": "array",
            "description": "In the order of position.",
            "items": record_schema(Stage::FIELDS, &[]),
        } },
    });
    if let Some(required) = schema["required"].as_array_mut() {
        required.push("pipeline".into());
    }
    schema
}

fn create(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let id = begin(&call.ctx, tx, call.changes::<Project>(RELATED, true)?)?;
    Ok(whole(&call.ctx, tx, id)?.created(format!("/projects/{id}")))
}

/// Creates a project with its stages.
pub fn begin(ctx: &Ctx, tx: &mut dyn Tx, mut changes: Changes) -> Result<Uuid, Error> {
    if changes.get(Project::OWNER_IDS).is_none() {
        let owners: Vec<Uuid> = ctx.actor.user.into_iter().collect();
        changes.set(Project::OWNER_IDS, json!(owners));
    }
    let problems = normalize(ctx, tx, &mut changes, None)?;
    let wanted = if let Some(Value::Id(id)) = changes.get(Project::TEMPLATE_ID) { Some(*id) } else { None };
    let template = template::chosen(ctx, tx, wanted)?;
    let unknown = Problem { field: "template_id".into(), reason: "no template has this id".into() };
    let template = match template {
        Some(template) if problems.is_empty() => template,
        Some(_) => return Err(Error::Invalid(problems)),
        None => return Err(Error::Invalid(problems.into_iter().chain([unknown]).collect())),
    };
    changes.set(Project::TEMPLATE_ID, template.id);
    let (id, _) = make::<Project>(ctx, tx, &changes)?;
    const STAGE: &str = "INSERT INTO project_stages (workspace_id, id, version, project_id, name, position, system_category, color, created_at, updated_at) \
         VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $8, $8)";
    for (position, stage) in template.stages.0.iter().enumerate() {
        let text = |member: &str| Value::from(stage[member].as_str());
        let (stage, now) = (tx.id(), tx.stamp());
        let params = [
            ctx.workspace.into(),
            stage.into(),
            id.into(),
            text("name"),
            (position as i64).into(),
            text("system_category"),
            text("color"),
            now.into(),
        ];
        tx.execute(STAGE, &params)?;
    }
    Ok(id)
}

fn read(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    whole(&call.ctx, tx, call.id(0, "project")?)
}

fn change(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let mut changes = call.changes::<Project>(RELATED, false)?;
    let saved = find::<Project>(&call.ctx, tx, call.id(0, "project")?)?;
    let problems = normalize(&call.ctx, tx, &mut changes, Some(&saved))?;
    if !problems.is_empty() {
        return Err(Error::Invalid(problems));
    }
    update(&call.ctx, tx, &saved, &changes)?;
    whole(&call.ctx, tx, saved.id)
}

fn list_of_company(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    list_by::<Company, Project>(call, tx, "client_company_id", LINKS, &[])
}

/// Validates the company and the owners against the database, and that the template does not change.
fn normalize(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    changes: &mut Changes,
    saved: Option<&Saved<Project>>,
) -> Result<Vec<Problem>, Error> {
    let mut problems = references::members(ctx, tx, changes, Project::OWNER_IDS)?;
    problems.extend(references::record::<Company, _>(ctx, tx, changes, Project::CLIENT_COMPANY_ID)?);
    if let Some(saved) = saved
        && let Some(sent) = changes.take(Project::TEMPLATE_ID)
        && sent != *saved.value("template_id")?
    {
        let reason = "can't be changed: a project keeps the stages it was made with".into();
        problems.push(Problem { field: "template_id".into(), reason });
    }
    Ok(problems)
}

/// The current state of the project, with its stages.
pub fn whole(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Reply, Error> {
    let mut reply = show::<Project>(ctx, tx, id)?;
    let mut stages = Rendered::default();
    let sql = format!(
        "SELECT {} FROM project_stages t WHERE t.workspace_id = $1 AND t.project_id = $2 ORDER BY t.position",
        columns(Stage::FIELDS)
    );
    tx.each(&sql, &[ctx.workspace.into(), id.into()], &mut |row| {
        stages.json.extend_from_slice(if stages.json.is_empty() { b"" } else { b"," });
        stages.row(Stage::FIELDS, &[], row, None)
    })?;
    if let Content::Json(json) = &mut reply.data {
        json.pop();
        json.extend_from_slice(b",\"pipeline\":{\"stages\":[");
        json.extend_from_slice(&stages.json);
        json.extend_from_slice(b"]}}");
    }
    Ok(reply)
}

/// The ids and categories of the project's stages, in their order.
pub fn stages(ctx: &Ctx, tx: &mut dyn Tx, project: Uuid) -> Result<Vec<(Uuid, Category)>, Error> {
    const STAGES: &str = "SELECT id, system_category FROM project_stages WHERE workspace_id = $1 AND project_id = $2 \
         ORDER BY position";
    let params = [ctx.workspace.into(), project.into()];
    Ok(tx.rows(STAGES, &params, |row| Ok((row.id(0)?, row.word(1, Category::from_word)?)))?)
}

/// Checks that a project exists.
pub fn check(ctx: &Ctx, tx: &mut dyn Tx, field: &str, id: Uuid) -> Result<(), Error> {
    const KNOWN: &str = "SELECT 1 FROM projects WHERE workspace_id = $1 AND id = $2";
    let known = tx.one(KNOWN, &[ctx.workspace.into(), id.into()], |_| Ok(()))?;
    known.ok_or_else(|| invalid(field, "no project has this id"))
}
