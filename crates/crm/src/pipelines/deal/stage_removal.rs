//! Moves deals out of stages that are being removed, and deletes the stages when they are empty.

use super::{Deal, save};
use crate::pipelines::pipeline::stage::{Plan, arrange, deals_in};
use crate::pipelines::pipeline::{self, DealPipeline, DealStage};
use resource::{Changes, Ctx, Error, delete, find};
use serde_json::Map;
use store::{Tx, Uuid};

/// Moves the next `most` deals, or deletes empty stages; true if there is more to do.
pub fn clear(ctx: &Ctx, tx: &mut dyn Tx, payload: &str, most: i64) -> Result<bool, Error> {
    let plan: Plan =
        serde_json::from_str(payload).map_err(|_| store::Error::unreadable("is no plan for the stages"))?;
    for (from, to) in plan.stages {
        let deals = deals_in(ctx, tx, from, most)?;
        if let (Some(to), false) = (to, deals.is_empty()) {
            let pipeline = find::<DealStage>(ctx, tx, to)?.record.pipeline_id;
            for (n, id) in deals.iter().enumerate() {
                // The first 50 move regardless of the time, so that a small stage is gone when the request is answered.
                if n >= 50 && !tx.has_time() {
                    return Ok(true);
                }
                let mut changes = Changes::default();
                changes.set(Deal::STAGE_ID, to);
                changes.set(Deal::PIPELINE_ID, pipeline);
                let saved = find::<Deal>(ctx, tx, *id)?;
                save(ctx, tx, &saved, changes, "updated", Map::new())?;
            }
            if deals.len() as i64 == most {
                return Ok(true);
            }
        } else if !deals.is_empty() {
            // Somebody has added a deal, and there is no destination for it, so the stage stays.
            return Ok(false);
        }
        let stage = match find::<DealStage>(ctx, tx, from) {
            Err(Error::NotFound(_)) => continue,
            found => found?,
        };
        delete(ctx, tx, &stage)?;
        let rest = pipeline::list(ctx, tx)?.into_iter().find(|pipeline| pipeline.record.id == stage.record.pipeline_id);
        let rest: Vec<Uuid> = rest.iter().flat_map(|pipeline| &pipeline.stages).map(|stage| stage.id).collect();
        arrange(ctx, tx, stage.record.pipeline_id, &rest)?;
    }
    match plan.pipeline.map(|id| find::<DealPipeline>(ctx, tx, id)) {
        None | Some(Err(Error::NotFound(_))) => {}
        Some(pipeline) => delete(ctx, tx, &pipeline?)?,
    }
    Ok(false)
}
