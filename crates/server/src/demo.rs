//! Fills a workspace with believable people: for `relata demo`, and for whoever asks for it at the set-up.

use crm::demo::{Made, Plan, STEPS};
use resource::{Ctx, Error};
use std::sync::Arc;
use store::Store;

/// As many to a transaction.
const CHUNK: usize = 100;

/// Makes what the plan says, step by step; `told` hears the step's name, how many it has made, and of how many.
pub async fn fill(
    store: &Store,
    ctx: &Ctx,
    plan: &Plan,
    mut told: impl FnMut(&'static str, usize, usize),
) -> Result<(), Error> {
    let mut made = Made::default();
    for step in STEPS {
        let most = (step.count)(plan);
        let mut ids = Vec::with_capacity(most);
        told(step.name, 0, most);
        while ids.len() < most {
            let (from, to) = (ids.len(), most.min(ids.len() + CHUNK));
            let (own, plan, before) = (ctx.clone(), plan.clone(), made.clone());
            let some = store.write(ctx.workspace, move |tx| {
                (from..to).map(|n| (step.make)(&own, tx, &plan, &before, n)).collect::<Result<Vec<_>, Error>>()
            });
            ids.extend(some.await?);
            told(step.name, ids.len(), most);
        }
        made.insert(step.name, Arc::new(ids));
    }
    Ok(())
}
