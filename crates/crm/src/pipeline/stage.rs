//! The stages of a deal pipeline as the operator arranges them. A stage or pipeline that goes leaves no deal behind:
//! they are moved where he says, some hundreds to a transaction, and the last of these takes the stage away.

use super::{DealPipeline, DealStage, MOST, Pipeline, called, list, touch};
use crate::deal::{self, Deal};
use crate::order::{self, with_at};
use resource::{Changes, Ctx, Error, Input, Resource, Shape, delete, find, fold, insert, invalid, update};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use store::{Tx, Uuid};

/// What the operator says of a stage; `None` leaves it as it is.
#[derive(Clone, Default)]
pub struct Given {
    pub name: Option<String>,
    pub probability: Option<i64>,
    pub color: Option<String>,
    /// From 0; the last unless given.
    pub position: Option<usize>,
    /// Members that it shall have no more.
    pub cleared: Vec<&'static str>,
}

pub fn create(ctx: &Ctx, tx: &mut dyn Tx, pipeline: Option<&str>, given: &Given) -> Result<Uuid, Error> {
    at_rest(ctx, tx)?;
    let pipeline = called(ctx, tx, pipeline)?;
    if pipeline.stages.len() >= MOST {
        return Err(invalid("name", format!("a pipeline has at most {MOST} stages")));
    }
    let mut changes = checked(&pipeline, None, given)?;
    changes.set(DealStage::FIELDS, "pipeline_id", pipeline.record.id);
    changes.set(DealStage::FIELDS, "position", pipeline.stages.len() as i64);
    let id = insert::<DealStage>(ctx, tx, &changes)?;
    let place = given.position.unwrap_or(usize::MAX);
    arrange(ctx, tx, pipeline.record.id, &with_at(pipeline.stages.iter().map(|stage| stage.id), id, place))?;
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

/// Through the same checks as any body, under a name that no other stage of the pipeline has.
fn checked(pipeline: &Pipeline, own: Option<Uuid>, given: &Given) -> Result<Changes, Error> {
    let mut body = Map::new();
    body.extend(given.name.as_deref().map(|name| ("name".to_owned(), name.into())));
    body.extend(given.probability.map(|probability| ("probability".to_owned(), probability.into())));
    body.extend(given.color.as_deref().map(|color| ("color".to_owned(), color.into())));
    body.extend(given.cleared.iter().map(|member| ((*member).to_owned(), Json::Null)));
    let shape = Shape { record: DealStage::FIELDS, extra: &[] };
    let changes = Changes::check(&shape, &Input(&body), own.is_none())?;
    let same = |stage: &&DealStage| changes.text("name").is_some_and(|name| fold(name) == fold(&stage.name));
    if pipeline.stages.iter().filter(|stage| Some(stage.id) != own).any(|stage| same(&stage)) {
        return Err(invalid("name", format!("{} has a stage of this name already", pipeline.record.name)));
    }
    Ok(changes)
}

/// Gives the stages their places, from 0.
fn arrange(ctx: &Ctx, tx: &mut dyn Tx, pipeline: Uuid, order: &[Uuid]) -> Result<(), Error> {
    order::arrange::<DealStage>(ctx, tx, order)?;
    touch(ctx, tx, pipeline)
}

/// Moves the deals of stages elsewhere and removes the stages, and with them a pipeline; the payload says which.
pub const CLEAR: &str = "deal_pipeline.clear";

/// What a job of the kind `CLEAR` is to do, so that a stage goes; its deals go to `to`.
pub fn remove(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    pipeline: Option<&str>,
    stage: &str,
    to: Option<&str>,
) -> Result<String, Error> {
    at_rest(ctx, tx)?;
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
    if to.is_none() && holds(ctx, tx, stage.id)? {
        return Err(invalid("to", format!("deals stand in {}; say which stage takes them", stage.name)));
    }
    let stages = BTreeMap::from([(stage.id, to.map(|to| to.id))]);
    Ok(json!({ "stages": stages, "pipeline": null }).to_string())
}

/// The same for a whole pipeline: a deal goes to the stage of the other pipeline that has the name of its own, else to
/// the first.
pub fn remove_pipeline(ctx: &Ctx, tx: &mut dyn Tx, pipeline: &str, to: Option<&str>) -> Result<String, Error> {
    at_rest(ctx, tx)?;
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
        if takes.is_none() && holds(ctx, tx, stage.id)? {
            let reason = format!("deals stand in {}; say which pipeline takes them", pipeline.record.name);
            return Err(invalid("to", reason));
        }
        stages.insert(stage.id, takes.map(|stage| stage.id));
    }
    Ok(json!({ "stages": stages, "pipeline": pipeline.record.id }).to_string())
}

/// One at a time, so that nothing goes or changes that deals are on their way to.
pub(super) fn at_rest(ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
    const CLEARING: &str = "SELECT 1 FROM jobs WHERE workspace_id = $1 AND kind = $2";
    match tx.one(CLEARING, &[ctx.workspace.into(), CLEAR.into()], |_| Ok(()))? {
        None => Ok(()),
        Some(()) => Err(invalid("pipeline", "deals are still being moved out of a stage; try again soon")),
    }
}

fn holds(ctx: &Ctx, tx: &mut dyn Tx, stage: Uuid) -> Result<bool, Error> {
    Ok(!standing(ctx, tx, stage, 1)?.is_empty())
}

/// Deals that stand in a stage, closed and archived ones too.
fn standing(ctx: &Ctx, tx: &mut dyn Tx, stage: Uuid, most: i64) -> Result<Vec<Uuid>, Error> {
    const STANDING: &str = "SELECT id FROM deals WHERE workspace_id = $1 AND stage_id = $2 LIMIT $3";
    Ok(tx.rows(STANDING, &[ctx.workspace.into(), stage.into(), most.into()], |row| row.id(0))?)
}

/// Moves the next `most` deals, or takes away what is empty; true if there is more to do.
pub fn clear(ctx: &Ctx, tx: &mut dyn Tx, payload: &str, most: i64) -> Result<bool, Error> {
    let plan: Json = serde_json::from_str(payload).unwrap_or_default();
    let stages: BTreeMap<Uuid, Option<Uuid>> = serde_json::from_value(plan["stages"].clone()).unwrap_or_default();
    for (from, to) in stages {
        let deals = standing(ctx, tx, from, most)?;
        if let (Some(to), false) = (to, deals.is_empty()) {
            let pipeline = find::<DealStage>(ctx, tx, to)?.record.pipeline_id;
            for (n, id) in deals.iter().enumerate() {
                // Few are moved at once, so that the stage is gone when its removal is answered.
                if n >= 50 && !tx.has_time() {
                    return Ok(true);
                }
                let mut changes = Changes::default();
                changes.set(Deal::FIELDS, "stage_id", to);
                changes.set(Deal::FIELDS, "pipeline_id", pipeline);
                let saved = find::<Deal>(ctx, tx, *id)?;
                deal::save(ctx, tx, &saved, changes, "updated", Map::new())?;
            }
            if deals.len() as i64 == most {
                return Ok(true);
            }
        } else if !deals.is_empty() {
            // Somebody put a deal into it since; nobody said where it should go, so the stage stays.
            return Ok(false);
        }
        let Ok(stage) = find::<DealStage>(ctx, tx, from) else { continue };
        delete(ctx, tx, &stage)?;
        let rest = list(ctx, tx)?.into_iter().find(|pipeline| pipeline.record.id == stage.record.pipeline_id);
        let rest: Vec<Uuid> = rest.iter().flat_map(|pipeline| &pipeline.stages).map(|stage| stage.id).collect();
        arrange(ctx, tx, stage.record.pipeline_id, &rest)?;
    }
    let pipeline: Option<Uuid> = serde_json::from_value(plan["pipeline"].clone()).unwrap_or_default();
    if let Some(Ok(pipeline)) = pipeline.map(|id| find::<DealPipeline>(ctx, tx, id)) {
        delete(ctx, tx, &pipeline)?;
    }
    Ok(false)
}
