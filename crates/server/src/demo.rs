//! Fills a workspace with example data, for `relata demo` and for a set-up with examples.

use crm::transfer::demo::{Made, Plan, STEPS};
use resource::{Ctx, Error};
use std::sync::Arc;
use store::Store;

/// Records per transaction.
const CHUNK: usize = 100;

/// Makes the records of the plan, step by step. `progress` gets the step's name, how many records it has made, and the total.
pub async fn fill(
    store: &Store,
    ctx: &Ctx,
    plan: &Plan,
    mut progress: impl FnMut(&'static str, usize, usize),
) -> Result<(), Error> {
    let mut made = Made::default();
    for step in STEPS {
        let most = (step.count)(plan);
        let mut ids = Vec::with_capacity(most);
        progress(step.name, 0, most);
        while ids.len() < most {
            let (from, to) = (ids.len(), most.min(ids.len() + CHUNK));
            let (own, plan, before) = (ctx.clone(), plan.clone(), made.clone());
            let some = store.write(ctx.workspace, move |tx| {
                (from..to).map(|n| (step.make)(&own, tx, &plan, &before, n)).collect::<Result<Vec<_>, Error>>()
            });
            ids.extend(some.await?);
            progress(step.name, ids.len(), most);
        }
        made.insert(step.name, Arc::new(ids));
    }
    Ok(())
}
