//! Deal pipelines: their stages, and the sums of the deals in each. The API only reads them; admins create, rename,
//! reorder, merge and delete them. One pipeline of a workspace is the default.

pub mod stage;

use crate::api::call::{Call, Reply};
use crate::api::operation::{Operation, get};
use crate::api::scope::DEALS_READ;
use crate::pipelines::positions::{arrange, with_at};
use crate::pipelines::sums::{Sum, sums};
use resource::{
    Changes, Ctx, Error, Format, Input, Resource, Shape, Time, amount_digits, decoded, find, fold, insert, invalid,
    not_found, update,
};
use serde_json::{Map, Number, Value as Json, json};
use store::{Tx, Uuid, Value};

/// The stages that deals move through.
#[derive(Resource)]
#[resource(table = "deal_pipelines", one = "deal_pipeline")]
pub struct DealPipeline {
    #[field(read_only)]
    pub id: Uuid,
    #[field(required, max = 100)]
    pub name: String,
    /// The pipeline of deals that are created without one.
    #[field(read_only)]
    pub is_default: bool,
    #[field(read_only)]
    pub position: i64,
    #[field(read_only)]
    pub created_at: Time,
    #[field(read_only)]
    pub updated_at: Time,
}

/// A stage of a deal pipeline.
#[derive(Resource)]
#[resource(table = "deal_stages", one = "deal_stage")]
pub struct DealStage {
    #[field(read_only)]
    pub id: Uuid,
    #[field(read_only)]
    pub pipeline_id: Uuid,
    #[field(required, max = 100)]
    pub name: String,
    #[field(read_only)]
    pub position: i64,
    /// The probability of a new deal in this stage, in percent.
    #[field(least = 0, most = 100)]
    pub probability: Option<i64>,
    #[field(format = Format::Color)]
    pub color: Option<String>,
    #[field(read_only)]
    pub created_at: Time,
    #[field(read_only)]
    pub updated_at: Time,
}

/// The members of a stage that a deal shows.
#[derive(Resource)]
#[resource(table = "deal_stages", one = "deal_stage")]
pub struct StageName {
    pub id: Uuid,
    pub name: String,
    pub position: i64,
}

pub const OPERATIONS: &[Operation] = &[
    get("/deal-pipelines", "list_deal_pipelines", "List the deal pipelines with their stages")
        .scope(DEALS_READ)
        .gives_objects("DealPipeline", schema)
        .read(all),
    get("/deal-pipelines/{id}", "get_deal_pipeline", "Get a deal pipeline with its stages")
        .scope(DEALS_READ)
        .gives_object("DealPipeline", schema)
        .read(one),
];

/// Most pipelines of a workspace, and most stages of a pipeline.
const MOST: usize = 50;
/// The pipeline of a new workspace.
const FIRST: &str = "Sales";
/// The default stages of a new pipeline: names and probabilities.
const STAGES: &[(&str, i64)] = &[("Lead", 10), ("Qualified", 25), ("Proposal", 50), ("Negotiation", 75)];

pub fn schema() -> Json {
    let (id, time) =
        (json!({ "type": "string", "format": "uuid" }), json!({ "type": "string", "format": "date-time" }));
    let sum = json!({
        "type": "object",
        "required": ["currency", "amount", "expected_amount"],
        "properties": {
            "currency": { "type": "string" },
            "amount": { "type": "number", "minimum": 0 },
            "expected_amount": { "type": "number", "minimum": 0 },
        },
    });
    let stage = json!({
        "type": "object",
        "required": ["id", "name", "position", "probability", "color", "deals_count", "deals_amount"],
        "properties": {
            "id": id,
            "name": { "type": "string" },
            "position": { "type": "integer", "minimum": 0 },
            "probability": { "type": ["integer", "null"], "minimum": 0, "maximum": 100, "description": "The probability of a new deal in this stage, in percent." },
            "color": { "type": ["string", "null"] },
            "deals_count": { "type": "integer", "description": "Open deals that are not archived." },
            "deals_amount": { "type": "array", "items": sum, "description": "What they come to, by currency." },
        },
    });
    json!({
        "type": "object",
        "description": "The stages that deals go through, in their order.",
        "required": ["id", "name", "is_default", "position", "stages", "created_at", "updated_at"],
        "properties": {
            "id": id,
            "name": { "type": "string" },
            "is_default": { "type": "boolean", "description": "The pipeline of deals that are created without one." },
            "position": { "type": "integer", "minimum": 0 },
            "stages": { "type": "array", "items": stage },
            "created_at": time,
            "updated_at": time,
        },
    })
}

fn all(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (pipelines, sums) = (list(&call.ctx, tx)?, sums(&call.ctx, tx)?);
    Ok(Reply::whole(pipelines.iter().map(|pipeline| pipeline.shown(&sums)).collect()))
}

fn one(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    shown(&call.ctx, tx, call.id(0, "deal_pipeline")?)
}

/// The current state of a pipeline.
pub fn shown(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Reply, Error> {
    let found = list(ctx, tx)?.into_iter().find(|pipeline| pipeline.record.id == id);
    let pipeline = found.ok_or_else(|| not_found("deal_pipeline"))?;
    Ok(Reply::json(&pipeline.shown(&sums(ctx, tx)?)))
}

/// A pipeline and its stages, in their order.
pub struct Pipeline {
    pub record: DealPipeline,
    pub stages: Vec<DealStage>,
}

impl Pipeline {
    fn shown(&self, sums: &[Sum]) -> Json {
        let number = |sum: u128| amount_digits(sum).parse::<Number>().map_or(Json::Null, Json::Number);
        let stage = |stage: &DealStage| {
            let of = || sums.iter().filter(|sum| sum.stage == stage.id);
            let amounts: Vec<Json> = of()
                .map(|sum| {
                    let (amount, expected) = (number(sum.amount), number(sum.expected));
                    json!({ "currency": sum.currency, "amount": amount, "expected_amount": expected })
                })
                .collect();
            json!({
                "id": stage.id, "name": stage.name, "position": stage.position, "probability": stage.probability,
                "color": stage.color, "deals_count": of().map(|sum| sum.deals).sum::<i64>(), "deals_amount": amounts,
            })
        };
        let DealPipeline { id, name, is_default, position, created_at, updated_at } = &self.record;
        json!({
            "id": id, "name": name, "is_default": is_default, "position": position,
            "stages": self.stages.iter().map(stage).collect::<Vec<_>>(),
            "created_at": created_at.to_string(), "updated_at": updated_at.to_string(),
        })
    }

    /// Finds a stage by its name, ignoring case, or by its id.
    pub fn stage(&self, called: &str) -> Result<&DealStage, Error> {
        let found = self.stages.iter().find(|stage| is(stage.id, &stage.name, called));
        found.ok_or_else(|| {
            let names: Vec<&str> = self.stages.iter().map(|stage| stage.name.as_str()).collect();
            let there = names.join(", ");
            Error::NotFound(format!("there is no stage {called} in {}; there are: {there}", self.record.name))
        })
    }
}

fn is(id: Uuid, name: &str, called: &str) -> bool {
    fold(name) == fold(called.trim()) || id.to_string() == called.trim().to_lowercase()
}

/// The default pipeline first.
pub fn list(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<Pipeline>, Error> {
    const PIPELINES: &str = "SELECT id, name, is_default, position, created_at, updated_at FROM deal_pipelines \
         WHERE workspace_id = $1 ORDER BY is_default DESC, position, id";
    const STAGES: &str = "SELECT id, pipeline_id, name, position, probability, color, created_at, updated_at FROM deal_stages \
         WHERE workspace_id = $1 ORDER BY position, id";
    let workspace = [ctx.workspace.into()];
    let records = tx.rows(PIPELINES, &workspace, |row| Ok(decoded::<DealPipeline>(row)))?;
    let mut pipelines = Vec::with_capacity(records.len());
    for record in records {
        pipelines.push(Pipeline { record: record?, stages: Vec::new() });
    }
    for stage in tx.rows(STAGES, &workspace, |row| Ok(decoded::<DealStage>(row)))? {
        let stage = stage?;
        if let Some(pipeline) = pipelines.iter_mut().find(|pipeline| pipeline.record.id == stage.pipeline_id) {
            pipeline.stages.push(stage);
        }
    }
    Ok(pipelines)
}

/// One pipeline, without reading the others.
fn with_id(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Option<Pipeline>, Error> {
    const STAGES: &str = "SELECT id, pipeline_id, name, position, probability, color, created_at, updated_at FROM deal_stages \
         WHERE workspace_id = $1 AND pipeline_id = $2 ORDER BY position, id";
    let record = match find::<DealPipeline>(ctx, tx, id) {
        Err(Error::NotFound(_)) => return Ok(None),
        found => found?.record,
    };
    let stages = tx.rows(STAGES, &[ctx.workspace.into(), id.into()], |row| Ok(decoded::<DealStage>(row)))?;
    Ok(Some(Pipeline { record, stages: stages.into_iter().collect::<Result<_, Error>>()? }))
}

/// Finds a pipeline by its name, ignoring case, or by its id; `None` is the default.
pub fn called(ctx: &Ctx, tx: &mut dyn Tx, called: Option<&str>) -> Result<Pipeline, Error> {
    if let Some(id) = called.and_then(|called| Uuid::try_parse(called.trim()).ok())
        && let Some(pipeline) = with_id(ctx, tx, id)?
    {
        return Ok(pipeline);
    }
    let mut all = list(ctx, tx)?;
    let called_so = |pipeline: &Pipeline| match called {
        Some(called) => is(pipeline.record.id, &pipeline.record.name, called),
        None => pipeline.record.is_default,
    };
    match all.iter().position(called_so) {
        Some(at) => Ok(all.swap_remove(at)),
        None => {
            let called = called.unwrap_or("by default");
            let names: Vec<&str> = all.iter().map(|pipeline| pipeline.record.name.as_str()).collect();
            Err(Error::NotFound(format!("there is no pipeline {called}; there are: {}", names.join(", "))))
        }
    }
}

// ---- queries for deals ----

pub fn exists(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<bool, Error> {
    const EXISTS: &str = "SELECT 1 FROM deal_pipelines WHERE workspace_id = $1 AND id = $2";
    Ok(tx.one(EXISTS, &[ctx.workspace.into(), id.into()], |_| Ok(()))?.is_some())
}

/// The default pipeline.
pub fn default(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Option<Uuid>, Error> {
    const DEFAULT: &str = "SELECT id FROM deal_pipelines WHERE workspace_id = $1 AND is_default";
    Ok(tx.one(DEFAULT, &[ctx.workspace.into()], |row| row.id(0))?)
}

pub fn stage(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Option<DealStage>, Error> {
    match find::<DealStage>(ctx, tx, id) {
        Err(Error::NotFound(_)) => Ok(None),
        found => found.map(|stage| Some(stage.record)),
    }
}

pub fn first_stage(ctx: &Ctx, tx: &mut dyn Tx, pipeline: Uuid) -> Result<Option<DealStage>, Error> {
    const FIRST: &str =
        "SELECT id FROM deal_stages WHERE workspace_id = $1 AND pipeline_id = $2 ORDER BY position, id LIMIT 1";
    match tx.one(FIRST, &[ctx.workspace.into(), pipeline.into()], |row| row.id(0))? {
        Some(id) => stage(ctx, tx, id),
        None => Ok(None),
    }
}

/// The error message for a stage of another pipeline.
pub fn foreign(ctx: &Ctx, tx: &mut dyn Tx, stage: &DealStage) -> Result<String, Error> {
    let pipeline = find::<DealPipeline>(ctx, tx, stage.pipeline_id)?.record;
    let (stage, name, id) = (&stage.name, &pipeline.name, pipeline.id);
    Ok(format!("{stage} is not a stage of the deal's pipeline; it belongs to {name} ({id})"))
}

// ---- administration ----

/// Creates the first pipeline, unless the workspace has one.
pub fn first(ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
    if default(ctx, tx)?.is_none() {
        create(ctx, tx, FIRST, &[])?;
    }
    Ok(())
}

/// Creates a pipeline with these stages; the first one of a workspace is its default.
pub fn create(ctx: &Ctx, tx: &mut dyn Tx, name: &str, stages: &[stage::Given]) -> Result<Uuid, Error> {
    stage::require_idle(ctx, tx)?;
    let known = list(ctx, tx)?;
    if known.len() >= MOST {
        return Err(invalid("name", format!("a workspace has at most {MOST} pipelines")));
    }
    // Checked first, because the stages are compared with each other.
    if stages.len() > MOST {
        return Err(invalid("stages", format!("a pipeline has at most {MOST} stages")));
    }
    let mut changes = checked_name(&known, None, name)?;
    let position = known.iter().map(|pipeline| pipeline.record.position + 1).max().unwrap_or(0);
    changes.set(DealPipeline::POSITION, position);
    changes.set(DealPipeline::IS_DEFAULT, known.is_empty());
    let id = insert::<DealPipeline>(ctx, tx, &changes)?;
    let usual: Vec<stage::Given> = STAGES.iter().map(|(name, n)| stage::Given::new(name, Some(*n))).collect();
    let mut pipeline = with_id(ctx, tx, id)?.ok_or_else(|| not_found("deal_pipeline"))?;
    for (at, given) in if stages.is_empty() { &usual } else { stages }.iter().enumerate() {
        stage::add(ctx, tx, &mut pipeline, given).map_err(|error| error.within(&format!("stages.{at}")))?;
    }
    Ok(id)
}

pub fn rename(ctx: &Ctx, tx: &mut dyn Tx, which: Option<&str>, name: &str) -> Result<(), Error> {
    let (known, pipeline) = (list(ctx, tx)?, called(ctx, tx, which)?.record);
    let changes = checked_name(&known, Some(pipeline.id), name)?;
    let saved = find::<DealPipeline>(ctx, tx, pipeline.id)?;
    update(ctx, tx, &saved, &changes).map(|_| ())
}

/// Moves a pipeline to another position. The default one is always listed first.
pub fn shift(ctx: &Ctx, tx: &mut dyn Tx, which: Option<&str>, position: usize) -> Result<(), Error> {
    let (mut known, moved) = (list(ctx, tx)?, called(ctx, tx, which)?.record.id);
    known.sort_by_key(|pipeline| pipeline.record.position);
    let order = with_at(known.iter().map(|pipeline| pipeline.record.id), moved, position);
    arrange::<DealPipeline>(ctx, tx, DealPipeline::POSITION, &order)
}

/// Makes a pipeline the default.
pub fn make_default(ctx: &Ctx, tx: &mut dyn Tx, which: &str) -> Result<(), Error> {
    stage::require_idle(ctx, tx)?;
    let chosen = called(ctx, tx, Some(which))?.record.id;
    for pipeline in list(ctx, tx)? {
        let saved = find::<DealPipeline>(ctx, tx, pipeline.record.id)?;
        let mut changes = Changes::default();
        changes.set(DealPipeline::IS_DEFAULT, saved.id == chosen);
        update(ctx, tx, &saved, &changes)?;
    }
    Ok(())
}

/// Checks that no other pipeline has this name, ignoring case.
fn checked_name(known: &[Pipeline], own: Option<Uuid>, name: &str) -> Result<Changes, Error> {
    let body = Map::from_iter([("name".to_owned(), Json::from(name))]);
    let changes = Changes::check(&Shape { record: DealPipeline::FIELDS, extra: &[] }, &Input(&body), true)?;
    let folded = changes.text(DealPipeline::NAME).map(fold);
    if known.iter().any(|other| Some(other.record.id) != own && Some(fold(&other.record.name)) == folded) {
        return Err(invalid("name", "a pipeline of this name exists already"));
    }
    Ok(changes)
}

/// Marks the pipeline as changed.
fn touch(ctx: &Ctx, tx: &mut dyn Tx, pipeline: Uuid) -> Result<(), Error> {
    const TOUCH: &str =
        "UPDATE deal_pipelines SET updated_at = $1, version = version + 1 WHERE workspace_id = $2 AND id = $3";
    let now: Value = tx.stamp().into();
    Ok(tx.execute(TOUCH, &[now, ctx.workspace.into(), pipeline.into()])?)
}
