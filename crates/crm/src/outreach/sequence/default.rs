//! The default sequence of a project. It must not be archived; archiving it removes it from its projects.

use super::{Sequence, SequenceStatus};
use crate::api::call::{Call, Content, Reply, asked, list_where};
use crate::api::operation::{Answer, Data, Operation, delete, get, put};
use crate::api::queue;
use crate::api::scope::{Feature, PROJECTS_WRITE, SEQUENCES_READ};
use crate::pipelines::project::{self, Project};
use crate::records::references;
use resource::{About, Changes, Cond, Ctx, Error, Field, Op, Resource, Test, find, invalid, not_found, update};
use serde_json::{Map, Value as Json};
use store::{Tx, Uuid, Value};

/// Removes an archived sequence from the projects whose default it is; the payload is the sequence's id.
pub const FORGET: &str = "sequence.forget_default";
/// How many projects change in the transaction of the request; a job does the others.
const AT_ONCE: i64 = 50;

/// Which sequence.
#[derive(Resource)]
pub struct DefaultSequence {
    #[field(required)]
    pub sequence_id: Uuid,
}

/// What a sequence shows below a project besides.
#[derive(Resource)]
pub struct InProject {
    /// Whether it is the project's default one.
    #[field(read_only)]
    pub is_default: bool,
}

const CHOICE: &[Field] = DefaultSequence::FIELDS;
const LISTED: About = About { name: "ProjectSequence", ..Sequence::ABOUT };
const LISTED_FIELDS: [Field; Sequence::FIELDS.len() + 1] = {
    let mut fields = [InProject::FIELDS[0]; Sequence::FIELDS.len() + 1];
    let mut at = 0;
    while at < Sequence::FIELDS.len() {
        fields[at] = Sequence::FIELDS[at];
        at += 1;
    }
    fields
};

pub const OPERATIONS: &[Operation] = &[
    Operation {
        answer: Answer { statuses: &[200], data: Data::List(&LISTED, &LISTED_FIELDS), shows: None },
        ..get("/projects/{id}/sequences", "list_project_sequences", "List a project's sequences and its default one")
            .feature(Feature::Outreach)
            .scope(SEQUENCES_READ)
            .list::<Sequence>()
            .read(list)
    },
    put("/projects/{id}/sequences", "set_default_sequence", "Set a project's default sequence")
        .feature(Feature::Outreach)
        .scope(PROJECTS_WRITE)
        .members("DefaultSequence", CHOICE)
        .write(set)
        .gives_detail::<Project>(&[200], "ProjectDetail", project::schema),
    delete("/projects/{id}/sequences", "remove_default_sequence", "Remove a project's default sequence")
        .feature(Feature::Outreach)
        .scope(PROJECTS_WRITE)
        .write(remove),
];

fn list(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    // An invalid query is reported before a missing record.
    asked::<Sequence>(call, tx)?;
    let project = find::<Project>(&call.ctx, tx, call.id(0, "project")?)?;
    let test = |name: &str, id: Uuid| {
        let field = Sequence::FIELDS.iter().find(|field| field.name == name);
        field.map(|field| Cond::Test(Test { field, op: Op::Eq, values: vec![id.into()] }))
    };
    let own = test("project_id", project.id);
    let default = project.record.default_sequence_id;
    let base = match default.and_then(|id| test("id", id)) {
        Some(default) => Some(Cond::Any(own.into_iter().chain([default]).collect())),
        None => own,
    };
    let mut reply = list_where::<Sequence>(call, tx, base.as_slice())?;
    if let Content::Page(page) = &mut reply.data {
        let rows: Vec<Map<String, Json>> = serde_json::from_slice(&[b"[", &page.json[..], b"]"].concat())
            .map_err(|error| store::Error::Internal(format!("a page is not JSON: {error}")))?;
        let default = default.map(|id| id.to_string());
        let shown = rows.into_iter().map(|mut row| {
            let is_default = row.get("id").and_then(Json::as_str) == default.as_deref();
            row.insert("is_default".into(), is_default.into());
            Json::Object(row).to_string()
        });
        page.json = shown.collect::<Vec<_>>().join(",").into_bytes();
    }
    Ok(reply)
}

fn set(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let mut chosen = call.members(CHOICE)?;
    let project = find::<Project>(&call.ctx, tx, call.id(0, "project")?)?;
    if let Some(problem) = references::record::<Sequence, _>(&call.ctx, tx, &mut chosen, DefaultSequence::SEQUENCE_ID)?
    {
        return Err(Error::Invalid(vec![problem]));
    }
    let Some(Value::Id(id)) = chosen.get(DefaultSequence::SEQUENCE_ID) else {
        return Err(invalid("sequence_id", "is required"));
    };
    if find::<Sequence>(&call.ctx, tx, *id)?.record.status == SequenceStatus::Archived {
        return Err(invalid("sequence_id", "the sequence is archived; any other can be the default one"));
    }
    let mut changes = Changes::default();
    changes.set(Project::DEFAULT_SEQUENCE_ID, *id);
    update(&call.ctx, tx, &project, &changes)?;
    project::whole(&call.ctx, tx, project.id)
}

fn remove(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let project = find::<Project>(&call.ctx, tx, call.id(0, "project")?)?;
    if project.record.default_sequence_id.is_none() {
        return Err(not_found("a default sequence of the project"));
    }
    clear(&call.ctx, tx, project.id)?;
    Ok(Reply::deleted())
}

/// Removes an archived sequence from its projects: from the first ones now, from the others in a job.
pub fn archived(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid) -> Result<(), Error> {
    if forget(ctx, tx, &sequence.to_string(), AT_ONCE)? {
        queue::enqueue(ctx, tx, FORGET, &sequence.to_string())?;
    }
    Ok(())
}

/// Removes it from the next `most` projects; true if there can be more.
pub fn forget(ctx: &Ctx, tx: &mut dyn Tx, sequence: &str, most: i64) -> Result<bool, Error> {
    const HAVE: &str = "SELECT record FROM terms WHERE workspace_id = $1 AND field = 'project.default_sequence' \
         AND key = $2 ORDER BY record LIMIT $3";
    Uuid::try_parse(sequence).map_err(|_| store::Error::unreadable("is not an id"))?;
    let projects = tx.rows(HAVE, &[ctx.workspace.into(), sequence.into(), most.into()], |row| row.id(0))?;
    for (n, project) in projects.iter().enumerate() {
        clear(ctx, tx, *project)?;
        if n >= 50 && !tx.has_time() {
            return Ok(true);
        }
    }
    Ok(projects.len() as i64 == most)
}

fn clear(ctx: &Ctx, tx: &mut dyn Tx, project: Uuid) -> Result<(), Error> {
    let project = find::<Project>(ctx, tx, project)?;
    let mut changes = Changes::default();
    changes.clear(Project::DEFAULT_SEQUENCE_ID);
    update(ctx, tx, &project, &changes)?;
    Ok(())
}
