//! Many items of one request: a unit of work each, so that one that fails undoes nothing of the others, fifty at a time,
//! so that a thousand do not hold up whoever else writes. Units that wait together share a commit.

use crate::App;
use crate::envelope::Failure;
use crm::bulk;
use crm::operation::{Bulk, Call, Reply};
use futures_util::future::join_all;
use resource::Error;
use serde_json::{Value as Json, json};
use std::sync::Arc;

const CHUNK: usize = 50;

pub async fn run(app: &Arc<App>, bulk: &'static Bulk, call: Arc<Call>) -> Result<Reply, Error> {
    let (count, atomic) = bulk::asked(&call)?;
    let workspace = call.ctx.workspace;
    if atomic {
        let reply = app.store.write(workspace, move |tx| bulk::all(bulk, &call, tx)).await;
        app.touched.note(workspace);
        return reply;
    }
    // Once begun it goes on to its end, whoever hangs up.
    let carried_out = tokio::spawn(carry_out(app.clone(), bulk, call, count));
    let results = carried_out.await.map_err(|error| store::Error::Internal(format!("a bulk ended early: {error}")))?;
    Ok(Reply::json(&json!({ "results": results })))
}

async fn carry_out(app: Arc<App>, bulk: &'static Bulk, call: Arc<Call>, count: usize) -> Vec<Json> {
    let (workspace, mut results) = (call.ctx.workspace, Vec::with_capacity(count));
    for from in (0..count).step_by(CHUNK) {
        let units = (from..count.min(from + CHUNK)).map(|index| {
            let call = call.clone();
            app.store.write(workspace, move |tx| bulk::one(bulk, &call, tx, index))
        });
        for (index, done) in (from..).zip(join_all(units).await) {
            results.push(match done {
                Ok(done) => done.shown(index),
                Err(error) => failed(index, &error),
            });
        }
        app.touched.note(workspace);
    }
    results
}

fn failed(index: usize, error: &Error) -> Json {
    let failure = Failure::of(error, "in X-Request-Id");
    let status = failure.status;
    json!({ "index": index, "status": status, "error": failure.shown() })
}
