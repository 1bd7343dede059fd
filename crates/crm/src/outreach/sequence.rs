//! Sequences: outreach in steps. `draft → active ⇄ paused`; `DELETE` archives, for good.
//!
//! The steps of a version are stored as one document. An enrollment stays on the version that it began with.

pub mod default;
pub mod fields;
pub mod plan;
mod schedule;
pub mod senders;
pub mod start;
pub mod step;
pub mod template;
pub mod warnings;
pub mod window;
pub mod zone;

use crate::api::call::{Call, Content, Prepared, Reply, make, show};
use crate::api::operation::{Operation, delete, get, post, put};
use crate::api::reaction::Reacts;
use crate::api::scope::{Feature, SEQUENCES_READ, SEQUENCES_WRITE};
use crate::outreach::attached::{self, Files};
use crate::pipelines::project::Project;
use crate::records::references;
use crate::tenant::workspace;
use resource::{
    Changes, Ctx, Error, Field, Ids, Index, Input, Items, Part, Problem, Resource, Shape, StoredRow, Sync, Time, find,
    invalid, place, record_schema, update, update_as,
};
use schedule::ScheduleConfig;
use serde_json::{Map, Value as Json, json};
use step::Step;
use store::{Tx, Uuid};

resource::choices! {
    SequenceStatus { Draft = "draft", Active = "active", Paused = "paused", Archived = "archived" }
}
resource::choices! {
    SequencePriority { Normal = "normal", High = "high" }
}
resource::choices! {
    /// Whether steps may branch.
    SequenceMode { Simple = "simple", Advanced = "advanced" }
}

/// How many contacts are in it, and how far they are.
#[derive(Resource)]
pub struct EnrollmentCounts {
    pub total: i64,
    pub active: i64,
    pub paused: i64,
    pub finished: i64,
    pub replied: i64,
    pub bounced: i64,
    pub failed: i64,
}

/// Outreach in steps. Read alone it also holds its `steps`.
#[derive(Resource)]
#[resource(table = "sequences", one = "sequence", sync = Sync::Window, indexes = INDEXES)]
pub struct Sequence {
    #[field(read_only)]
    pub id: Uuid,
    #[field(required, max = 200, filter, sort)]
    pub name: String,
    /// A new one is a draft; a body may only repeat what it is.
    #[field(default = "\"draft\"", filter, sort, counted)]
    pub status: SequenceStatus,
    /// Why the server paused it; null if somebody did.
    #[field(read_only)]
    pub paused_reason: Option<String>,
    #[field(default = "\"normal\"", filter, counted)]
    pub priority: SequencePriority,
    #[field(default = "\"simple\"", filter, counted, label = "Shape")]
    pub mode: SequenceMode,
    #[field(filter, term = "sequence.project", subject)]
    pub project_id: Option<Uuid>,
    /// Members; the key's owner unless given.
    #[field(max = 50)]
    pub owner_ids: Ids,
    /// When it may send, and what ends it. Members that are not sent are kept.
    #[field(default = "{}")]
    pub schedule_config: Part<ScheduleConfig>,
    #[field(read_only)]
    pub steps_count: i64,
    #[field(read_only, default = "{}")]
    pub enrollments: Part<EnrollmentCounts>,
    /// Of its steps: a change after the first start makes a new one.
    #[field(read_only, default = "1", stored_as = "steps_version")]
    pub version: i64,
    #[field(read_only, filter, sort)]
    pub created_at: Time,
    #[field(read_only, filter, sort)]
    pub updated_at: Time,
}

const INDEXES: &[Index] = &[
    Index { name: "sequences_updated_at", fields: &["updated_at"] },
    Index { name: "sequences_name", fields: &["name"] },
    Index { name: "sequences_status", fields: &["status"] },
];

/// What only the whole sequence has.
#[derive(Resource)]
pub struct SequenceSteps {
    /// From 1 to 50.
    pub steps: Items<Step>,
}

const STEPS: &[Field] = SequenceSteps::FIELDS;
pub const BODY: usize = 16 * 1024 * 1024;

pub const OPERATIONS: &[Operation] = &[
    get("/sequences", "list_sequences", "List sequences")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_READ)
        .list::<Sequence>(),
    post("/sequences", "create_sequence", "Create a draft sequence")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_WRITE)
        .body::<Sequence>("SequenceInput", STEPS, true)
        .up_to(BODY)
        .prepare(examine)
        .write(create)
        .gives_detail::<Sequence>(&[201], "WholeSequence", schema),
    get("/sequences/{id}", "get_sequence", "Get a sequence with its steps")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_READ)
        .read(read)
        .gives_detail::<Sequence>(&[200], "WholeSequence", schema),
    put("/sequences/{id}", "update_sequence", "Update a sequence")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_WRITE)
        .body::<Sequence>("SequenceUpdate", STEPS, false)
        .up_to(BODY)
        .prepare(examine)
        .write(change)
        .gives::<Sequence>(&[200]),
    delete("/sequences/{id}", "archive_sequence", "Archive a sequence")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_WRITE)
        .write(archive)
        .gives::<Sequence>(&[200]),
    post("/sequences/{id}/start", "start_sequence", "Start or resume a sequence")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_WRITE)
        .prepare_read(start::examine)
        .effect(start::STEPS)
        .gives_detail::<Sequence>(&[200], "StartedSequence", started_schema),
    post("/sequences/{id}/pause", "pause_sequence", "Pause a sequence")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_WRITE)
        .write(start::pause)
        .gives::<Sequence>(&[200]),
];

fn schema() -> Json {
    let mut schema = record_schema(Sequence::FIELDS, &[]);
    schema["description"] = Sequence::ABOUT.doc.into();
    schema["properties"]["steps"] = json!({ "type": "array", "items": record_schema(Step::FIELDS, &[]) });
    if let Some(required) = schema["required"].as_array_mut() {
        required.push("steps".into());
    }
    schema
}

fn started_schema() -> Json {
    let mut schema = record_schema(Sequence::FIELDS, &[]);
    schema["description"] = "A sequence that was started, and what may go wrong.".into();
    schema["properties"]["warnings"] = warnings::schema();
    if let Some(required) = schema["required"].as_array_mut() {
        required.push("warnings".into());
    }
    schema
}

/// If a body has more bytes than this besides its steps, it is also checked before the transaction.
const LARGE: usize = 100_000;

/// The steps of a body, or the problems of the body.
type Examined = Result<step::Read, Error>;

/// Reads the steps of a body and examines their templates.
fn examine(call: &Call) -> Option<Prepared> {
    let steps = call.body.get("steps").and_then(Json::as_array);
    step::variants::examine_templates(steps.into_iter().flatten().take(step::MOST));
    let others = without_steps(&call.body);
    let is_large = size(&Json::Object(others.clone())) > LARGE;
    // The transaction checks what a new sequence requires.
    let shape = Shape { record: Sequence::FIELDS, extra: STEPS };
    let refused = if is_large { Changes::check(&shape, &Input(&others), false).err() } else { None };
    let read = || call.body.get("steps").map_or_else(|| Ok(step::Read::default()), step::read);
    Some(Prepared::new::<Examined>(refused.map_or_else(read, Err)))
}

/// The size of names and texts, in bytes.
fn size(json: &Json) -> usize {
    match json {
        Json::String(text) => text.len(),
        Json::Array(items) => items.iter().map(|item| 1 + size(item)).sum(),
        Json::Object(members) => members.iter().map(|(name, value)| name.len() + size(value)).sum(),
        _ => 1,
    }
}

fn without_steps(body: &Map<String, Json>) -> Map<String, Json> {
    let others = body.iter().filter(|(name, _)| *name != "steps");
    others.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// The steps of a body as they were read before the transaction; `None` if the body has none.
fn steps_read(call: &Call) -> Result<Option<step::Read>, Error> {
    let Some(sent) = call.body.get("steps") else {
        return match call.prepared::<Examined>() {
            Some(examined) => examined.clone().map(|_| None),
            None => Ok(None),
        };
    };
    match call.prepared::<Examined>() {
        Some(examined) => examined.clone().map(Some),
        None => step::read(sent).map(Some),
    }
}

fn create(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    require_files(call, tx)?;
    let (id, reply) = begin_with(&call.ctx, tx, &without_steps(&call.body), steps_read(call)?)?;
    Ok(reply.created(format!("/sequences/{id}")))
}

/// Refuses attachments that the key may not read. Other problems are found later.
fn require_files(call: &Call, tx: &mut dyn Tx) -> Result<(), Error> {
    let steps = call.body.get("steps").and_then(Json::as_array).into_iter().flatten().take(step::MOST);
    let steps: Vec<Vec<Uuid>> = steps.filter_map(Json::as_object).map(attached::ids).collect();
    let files = Files::read(&call.ctx, tx, steps.iter().flatten().copied())?;
    for ids in steps {
        match files.pick("attachments", &ids) {
            Err(Error::Invalid(_)) => {}
            files => attached::require(call, &files?)?,
        }
    }
    Ok(())
}

/// Creates a sequence with its steps.
pub fn begin(ctx: &Ctx, tx: &mut dyn Tx, mut body: Map<String, Json>) -> Result<(Uuid, Reply), Error> {
    let sent = body.remove("steps");
    begin_with(ctx, tx, &body, sent.as_ref().map(step::read).transpose()?)
}

fn begin_with(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    body: &Map<String, Json>,
    sent: Option<step::Read>,
) -> Result<(Uuid, Reply), Error> {
    let (mut changes, mut problems) = checked(ctx, tx, body, true)?;
    if changes.text(Sequence::STATUS).is_some_and(|status| status != SequenceStatus::Draft.word()) {
        problems.push(Problem { field: "status".into(), reason: "must be draft; a sequence begins as one".into() });
    }
    let steps = match sent {
        Some(sent) => step::check(ctx, tx, sent, &step::Known::None, &mut problems)?,
        None => Vec::new(),
    };
    step::fit(&steps, body.get("mode"), body.get("schedule_config"), &mut problems);
    if !problems.is_empty() {
        return Err(Error::Invalid(problems));
    }
    let steps = step::stored(tx, &step::Known::None, steps);
    changes.set(Sequence::STEPS_COUNT, steps.len() as i64);
    let (id, reply) = make::<Sequence>(ctx, tx, &changes)?;
    let steps = Json::from(steps).to_string();
    write_steps(ctx, tx, id, 1, &steps)?;
    Ok((id, with_member(reply, "steps", &steps)))
}

fn read(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let sequence = find::<Sequence>(&call.ctx, tx, call.id(0, "sequence")?)?;
    let steps = steps_of(&call.ctx, tx, sequence.id, sequence.record.version)?;
    Ok(with_member(show::<Sequence>(&call.ctx, tx, sequence.id)?, "steps", &steps))
}

fn change(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    require_files(call, tx)?;
    let sent = steps_read(call)?;
    let is_sent = sent.is_some();
    let found = call.id(0, "sequence").and_then(|id| find::<Sequence>(&call.ctx, tx, id));
    // An invalid body is reported before a missing record.
    let sequence = found.map_err(|missing| call.changes::<Sequence>(STEPS, false).err().unwrap_or(missing))?;
    if sequence.record.status == SequenceStatus::Archived {
        return Err(invalid("status", "is archived; the sequence can't be changed any more"));
    }
    let mut body = without_steps(&call.body);
    // Members of the schedule that were not sent stay as they are.
    if let Some(Json::Object(config)) = body.get_mut("schedule_config") {
        let mut whole = sequence.record.schedule_config.0.clone();
        whole.extend(std::mem::take(config));
        *config = whole;
    }
    let (mut changes, mut problems) = checked(&call.ctx, tx, &body, false)?;
    let status = sequence.record.status.word();
    if changes.take(Sequence::STATUS).is_some_and(|sent| sent != status.into()) {
        let reason = format!("is {status}; a sequence is archived by DELETE, and nothing else moves it here");
        problems.push(Problem { field: "status".into(), reason });
    }
    let before = steps_of(&call.ctx, tx, sequence.id, sequence.record.version)?;
    let known = read_steps(&before)?;
    let ids = step::Known::of(&place("sequence_versions", "steps", &sequence.id), &known)?;
    let steps = match sent {
        Some(sent) => step::check(&call.ctx, tx, sent, &ids, &mut problems)?,
        None => known.clone(),
    };
    // Steps are checked again only if the request changes what they depend on.
    if is_sent || body.contains_key("mode") || body.contains_key("schedule_config") {
        let mode = body.get("mode").cloned().unwrap_or_else(|| sequence.record.mode.word().into());
        let config = sequence.record.schedule_config.0.clone().into();
        step::fit(&steps, Some(&mode), Some(body.get("schedule_config").unwrap_or(&config)), &mut problems);
    }
    if !problems.is_empty() {
        return Err(Error::Invalid(problems));
    }
    let mut more = Map::new();
    if is_sent {
        let steps = step::stored(tx, &ids, steps);
        let after = Json::from(steps.clone()).to_string();
        if after != before {
            // Enrollments stay on the version that they began with.
            let version = match sequence.record.status {
                SequenceStatus::Draft => sequence.record.version,
                SequenceStatus::Paused => sequence.record.version + 1,
                _ => return Err(invalid("steps", "can't be changed while the sequence is active; pause it first")),
            };
            changes.set(Sequence::STEPS_COUNT, steps.len() as i64);
            changes.set(Sequence::VERSION, version);
            more.insert("steps".into(), json!([step::outline(&known), step::outline(&steps)]));
            write_steps(&call.ctx, tx, sequence.id, version, &after)?;
        }
    }
    update_as(&call.ctx, tx, &sequence, &changes, "updated", &more)?;
    Sequence::changed(&call.ctx, tx, &sequence, &changes)?;
    show::<Sequence>(&call.ctx, tx, sequence.id)
}

fn archive(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let sequence = find::<Sequence>(&call.ctx, tx, call.id(0, "sequence")?)?;
    let mut changes = Changes::default();
    changes.set(Sequence::STATUS, SequenceStatus::Archived);
    update(&call.ctx, tx, &sequence, &changes)?;
    default::archived(&call.ctx, tx, sequence.id)?;
    Sequence::changed(&call.ctx, tx, &sequence, &changes)?;
    show::<Sequence>(&call.ctx, tx, sequence.id)
}

/// Checks that the sequence exists that a body names in this field.
pub fn check(ctx: &Ctx, tx: &mut dyn Tx, field: &str, id: Uuid) -> Result<(), Error> {
    match find::<Sequence>(ctx, tx, id) {
        Err(Error::NotFound(_)) => Err(invalid(field, "no sequence has this id")),
        found => found.map(drop),
    }
}

/// Checks a body without its steps: the valid changes, and the problems.
fn checked(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    body: &Map<String, Json>,
    creating: bool,
) -> Result<(Changes, Vec<Problem>), Error> {
    let shape = Shape { record: Sequence::FIELDS, extra: STEPS };
    let (mut changes, mut problems) = Changes::sift(&shape, &Input(body), creating)?;
    if let Some(Json::Object(config)) = body.get("schedule_config") {
        schedule::check(config, &mut problems);
    }
    problems.extend(references::members(ctx, tx, &changes, Sequence::OWNER_IDS)?);
    problems.extend(references::record::<Project, _>(ctx, tx, &mut changes, Sequence::PROJECT_ID)?);
    if creating && !body.contains_key("owner_ids") {
        let owners: Vec<Uuid> = ctx.actor.user.into_iter().collect();
        changes.set(Sequence::OWNER_IDS, json!(owners));
    }
    let mut config: Map<String, Json> = match changes.text(Sequence::SCHEDULE_CONFIG) {
        Some(_) => changes.json(Sequence::SCHEDULE_CONFIG)?,
        None if creating => resource::checked(ScheduleConfig::FIELDS, &Map::new())?,
        None => return Ok((changes, problems)),
    };
    if config.get("timezone").is_none_or(Json::is_null) {
        config.insert("timezone".into(), workspace::find(tx, ctx.workspace)?.timezone.into());
    }
    changes.set(Sequence::SCHEDULE_CONFIG, Json::from(config));
    Ok((changes, problems))
}

/// The steps of a version as JSON text.
pub fn steps_of(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid, version: i64) -> Result<String, Error> {
    const STEPS: &str =
        "SELECT steps FROM sequence_versions WHERE workspace_id = $1 AND sequence_id = $2 AND version = $3";
    let params = [ctx.workspace.into(), sequence.into(), version.into()];
    let steps = tx.one(STEPS, &params, |row| {
        row.json::<Vec<Map<String, Json>>>(0)?;
        row.text(0)
    })?;
    let missing = || store::corrupt("sequence_versions", "steps", sequence, format!("version {version} is missing"));
    Ok(steps.ok_or_else(missing)?)
}

/// Parses steps that `steps_of` returned.
pub fn read_steps(steps: &str) -> Result<Vec<Map<String, Json>>, Error> {
    Ok(serde_json::from_str(steps).map_err(|_| store::Error::unreadable("is not a list of steps"))?)
}

fn write_steps(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, version: i64, steps: &str) -> Result<(), Error> {
    const WRITE: &str = "INSERT INTO sequence_versions (workspace_id, sequence_id, version, steps) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (workspace_id, sequence_id, version) DO UPDATE SET steps = excluded.steps";
    Ok(tx.execute(WRITE, &[ctx.workspace.into(), id.into(), version.into(), steps.into()])?)
}

/// Adds a member to a record that was rendered as JSON.
fn with_member(mut reply: Reply, member: &str, value: &str) -> Reply {
    if let Content::Json(json) = &mut reply.data {
        json.pop();
        json.extend_from_slice(format!(",\"{member}\":{value}}}").as_bytes());
    }
    reply
}
