//! Administration of the stages of a deal pipeline. Before a stage or pipeline is removed, its deals move to another
//! one, some hundreds per transaction; the last transaction deletes the stage.

use super::{DealStage, MOST, Pipeline, called, touch};
use crate::pipelines::positions::{self, with_at};
use resource::{Changes, Ctx, Error, Input, Resource, Shape, find, fold, insert, invalid, update};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use store::{Tx, Uuid};

/// The given members of a stage; `None` leaves a member unchanged.
#[derive(Clone, Default)]
pub struct Given {
    pub name: Option<String>,
    pub probability: Option<i64>,
    pub color: Option<String>,
    /// From 0; the last position if absent.
    pub position: Option<usize>,
    /// Members to set to null.
    pub cleared: Vec<&'static str>,
}

impl Given {
    pub fn new(name: &str, probability: Option<i64>) -> Given {
        Given { name: Some(name.to_owned()), probability, ..Given::default() }
    }
}

pub fn create(ctx: &Ctx, tx: &mut dyn Tx, pipeline: Option<&str>, given: &Given) -> Result<Uuid, Error> {
    require_idle(ctx, tx)?;
    let mut pipeline = called(ctx, tx, pipeline)?;
    let last = pipeline.stages.len();
    let id = add(ctx, tx, &mut pipeline, given)?;
    match given.position.filter(|position| *position < last) {
        Some(position) => {
            let order = with_at(pipeline.stages.iter().map(|stage| stage.id), id, position);
            arrange(ctx, tx, pipeline.record.id, &order)?;
        }
        None => touch(ctx, tx, pipeline.record.id)?,
    }
    Ok(id)
}

/// Adds a stage after the others of its pipeline.
pub(super) fn add(ctx: &Ctx, tx: &mut dyn Tx, pipeline: &mut Pipeline, given: &Given) -> Result<Uuid, Error> {
    if pipeline.stages.len() >= MOST {
        return Err(invalid("name", format!("a pipeline has at most {MOST} stages")));
    }
    let mut changes = checked(pipeline, None, given)?;
    changes.set(DealStage::PIPELINE_ID, pipeline.record.id);
    changes.set(DealStage::POSITION, pipeline.stages.len() as i64);
    let id = insert::<DealStage>(ctx, tx, &changes)?;
    pipeline.stages.push(find::<DealStage>(ctx, tx, id)?.record);
    Ok(id)
}

pub fn change(ctx: &Ctx, tx: &mut dyn Tx, pipeline: Option<&str>, stage: &str, given: &Given) -> Result<(), Error> {
    let pipeline = called(ctx, tx, pipeline)?;
    let saved = find::<DealStage>(ctx, tx, pipeline.stage(stage)?.id)?;
    let changes = checked(&pipeline, Some(saved.id), given)?;
    if update(ctx, tx, &saved, &changes)? {
        touch(ctx, tx, pipeline.record.id)?;
    }
    if let Some(position) = given.position {
        let order = with_at(pipeline.stages.iter().map(|stage| stage.id), saved.id, position);
        arrange(ctx, tx, pipeline.record.id, &order)?;
    }
    Ok(())
}

/// Checks the members like a body, and that no other stage of the pipeline has this name.
fn checked(pipeline: &Pipeline, own: Option<Uuid>, given: &Given) -> Result<Changes, Error> {
    let mut body = Map::new();
    body.extend(given.name.as_deref().map(|name| ("name".to_owned(), name.into())));
    body.extend(given.probability.map(|probability| ("probability".to_owned(), probability.into())));
    body.extend(given.color.as_deref().map(|color| ("color".to_owned(), color.into())));
    body.extend(given.cleared.iter().map(|member| ((*member).to_owned(), Json::Null)));
    let shape = Shape { record: DealStage::FIELDS, extra: &[] };
    let changes = Changes::check(&shape, &Input(&body), own.is_none())?;
    let same = |stage: &&DealStage| changes.text(DealStage::NAME).is_some_and(|name| fold(name) == fold(&stage.name));
    if pipeline.stages.iter().filter(|stage| Some(stage.id) != own).any(|stage| same(&stage)) {
        return Err(invalid("name", format!("{} has a stage of this name already", pipeline.record.name)));
    }
    Ok(changes)
}

/// Writes the positions of the stages, from 0.
pub fn arrange(ctx: &Ctx, tx: &mut dyn Tx, pipeline: Uuid, order: &[Uuid]) -> Result<(), Error> {
    positions::arrange::<DealStage>(ctx, tx, DealStage::POSITION, order)?;
    touch(ctx, tx, pipeline)
}

/// The job that moves deals out of stages and deletes the stages, or a whole pipeline; its payload is a `Plan`.
pub const CLEAR: &str = "deal_pipeline.clear";

/// Returns the payload of the job that removes a stage; its deals move to `to`.
pub fn remove(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    pipeline: Option<&str>,
    stage: &str,
    to: Option<&str>,
) -> Result<String, Error> {
    require_idle(ctx, tx)?;
    let pipeline = called(ctx, tx, pipeline)?;
    let stage = pipeline.stage(stage)?;
    if pipeline.stages.len() == 1 {
        return Err(invalid("stage", "is the only one of its pipeline; a pipeline has at least one"));
    }
    let to = match to {
        Some(to) => Some(pipeline.stage(to)?),
        None => None,
    };
    if to.is_some_and(|to| to.id == stage.id) {
        return Err(invalid("to", "must be another stage"));
    }
    if to.is_none() && has_deals(ctx, tx, stage.id)? {
        return Err(invalid("to", format!("deals stand in {}; say which stage takes them", stage.name)));
    }
    let stages = BTreeMap::from([(stage.id, to.map(|to| to.id))]);
    Ok(json!({ "stages": stages, "pipeline": null }).to_string())
}

/// The same for a whole pipeline: a deal moves to the stage of the same name in the other pipeline, else to its first
/// stage.
pub fn remove_pipeline(ctx: &Ctx, tx: &mut dyn Tx, pipeline: &str, to: Option<&str>) -> Result<String, Error> {
    require_idle(ctx, tx)?;
    let pipeline = called(ctx, tx, Some(pipeline))?;
    if pipeline.record.is_default {
        return Err(invalid("pipeline", "is the default one; make another the default first"));
    }
    let to = match to {
        Some(to) => Some(called(ctx, tx, Some(to))?),
        None => None,
    };
    if to.as_ref().is_some_and(|to| to.record.id == pipeline.record.id) {
        return Err(invalid("to", "must be another pipeline"));
    }
    let mut stages = BTreeMap::new();
    for stage in &pipeline.stages {
        let takes = to.as_ref().and_then(|to| to.stage(&stage.name).ok().or(to.stages.first()));
        if takes.is_none() && has_deals(ctx, tx, stage.id)? {
            let reason = format!("deals stand in {}; say which pipeline takes them", pipeline.record.name);
            return Err(invalid("to", reason));
        }
        stages.insert(stage.id, takes.map(|stage| stage.id));
    }
    Ok(json!({ "stages": stages, "pipeline": pipeline.record.id }).to_string())
}

/// Allows only one removal at a time, so that the destination of moving deals can't be removed or changed.
pub(super) fn require_idle(ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
    const CLEARING: &str = "SELECT 1 FROM jobs WHERE workspace_id = $1 AND kind = $2";
    match tx.one(CLEARING, &[ctx.workspace.into(), CLEAR.into()], |_| Ok(()))? {
        None => Ok(()),
        Some(()) => Err(invalid("pipeline", "deals are still being moved out of a stage; try again soon")),
    }
}

fn has_deals(ctx: &Ctx, tx: &mut dyn Tx, stage: Uuid) -> Result<bool, Error> {
    Ok(!deals_in(ctx, tx, stage, 1)?.is_empty())
}

/// Deals in a stage, including closed and archived ones.
pub fn deals_in(ctx: &Ctx, tx: &mut dyn Tx, stage: Uuid, most: i64) -> Result<Vec<Uuid>, Error> {
    const DEALS: &str = "SELECT id FROM deals WHERE workspace_id = $1 AND stage_id = $2 LIMIT $3";
    Ok(tx.rows(DEALS, &[ctx.workspace.into(), stage.into(), most.into()], |row| row.id(0))?)
}

/// The payload: the destination for the deals of each stage, and the pipeline to delete.
#[derive(serde::Deserialize)]
pub struct Plan {
    pub stages: BTreeMap<Uuid, Option<Uuid>>,
    pub pipeline: Option<Uuid>,
}

/// Whether the payload of a job can be read.
pub fn is_plan(payload: &str) -> bool {
    serde_json::from_str::<Plan>(payload).is_ok()
}
