//! Bulk requests. Each item is a unit of work, so that a failed item does not undo the others. Fifty run at a time, so that a
//! large request does not block other writes. Units that wait together share a commit.

use crate::App;
use crate::lanes::read;
use crate::request::envelope::Failure;
use crm::api::call::{Call, Reply};
use crm::api::idempotency;
use crm::api::operation::{Bulk, Parts};
use crm::transfer::bulk;
use futures_util::future::join_all;
use resource::Error;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use store::Tx;

const CHUNK: usize = 50;
/// Units at a time of work in parts, which are larger than items.
const PARTS_CHUNK: usize = 10;

pub(super) async fn run(
    app: &Arc<App>,
    name: &'static str,
    bulk: &'static Bulk,
    call: Arc<Call>,
) -> Result<Reply, Error> {
    let (count, atomic) = bulk::asked(&call)?;
    let workspace = call.ctx.workspace;
    if atomic {
        let work = move |tx: &mut dyn Tx| {
            tx.name(name);
            idempotency::replay_or_run(&call, tx, |tx| bulk::all(bulk, &call, tx))
        };
        let reply = app.store.write(workspace, work).await;
        app.wrote(workspace);
        return reply;
    }
    if call.idempotency.is_some() {
        let this = call.clone();
        if let Some(reply) = app.store.write(workspace, move |tx| idempotency::before(&this, tx)).await? {
            return Ok(reply);
        }
    }
    // A task of its own, so that it completes even if the client hangs up.
    let completed = tokio::spawn(execute(app.clone(), name, bulk, call, count));
    completed.await.map_err(|error| store::Error::Internal(format!("a bulk ended early: {error}")))?
}

/// Runs an operation that consists of parts.
pub(super) async fn run_parts(
    app: &Arc<App>,
    name: &'static str,
    parts: &'static Parts,
    call: Arc<Call>,
) -> Result<Reply, Error> {
    if call.idempotency.is_some() {
        let this = call.clone();
        if let Some(reply) = app.store.write(call.ctx.workspace, move |tx| idempotency::before(&this, tx)).await? {
            return Ok(reply);
        }
    }
    let this = call.clone();
    let count = read(app, call.ctx.workspace, move |tx| (parts.count)(&this, tx)).await?;
    // A task of its own, so that it completes even if the client hangs up.
    let completed = tokio::spawn(execute_parts(app.clone(), name, parts, call, count));
    completed.await.map_err(|error| store::Error::Internal(format!("work in parts ended early: {error}")))?
}

async fn execute_parts(
    app: Arc<App>,
    name: &'static str,
    parts: &'static Parts,
    call: Arc<Call>,
    count: usize,
) -> Result<Reply, Error> {
    let (workspace, mut results) = (call.ctx.workspace, Vec::with_capacity(count));
    for from in (0..count).step_by(PARTS_CHUNK) {
        let units = (from..count.min(from + PARTS_CHUNK)).map(|index| {
            let call = call.clone();
            let one = move |tx: &mut dyn Tx| {
                tx.name(name);
                idempotency::part(&call, tx, index, |tx| (parts.one)(&call, tx, index))
            };
            app.store.write(workspace, one)
        });
        let done = join_all(units).await;
        app.wrote(workspace);
        for result in done {
            results.push(result?);
        }
    }
    if call.idempotency.is_none() {
        return Ok((parts.reply)(&results));
    }
    let store_reply = move |tx: &mut dyn Tx| {
        tx.name(name);
        idempotency::replay_or_run(&call, tx, |_| Ok((parts.reply)(&results)))
    };
    app.store.write(workspace, store_reply).await
}

async fn execute(
    app: Arc<App>,
    name: &'static str,
    bulk: &'static Bulk,
    call: Arc<Call>,
    count: usize,
) -> Result<Reply, Error> {
    let (workspace, mut results, mut whole) = (call.ctx.workspace, Vec::with_capacity(count), true);
    for from in (0..count).step_by(CHUNK) {
        let units = (from..count.min(from + CHUNK)).map(|index| {
            let call = call.clone();
            let one = move |tx: &mut dyn Tx| {
                tx.name(name);
                idempotency::part(&call, tx, index, |tx| Ok(bulk::one(bulk, &call, tx, index)?.shown(index)))
            };
            app.store.write(workspace, one)
        });
        for (index, done) in (from..).zip(join_all(units).await) {
            let result = done.unwrap_or_else(|error| failed(index, &error));
            whole &= result["status"].as_u64().is_none_or(|status| status < 500);
            results.push(result);
        }
        app.wrote(workspace);
    }
    let reply = move || Reply::json(&json!({ "results": results }));
    // With a 5xx in the results no answer is stored, so that a repeated request retries these items.
    if call.idempotency.is_none() || !whole {
        return Ok(reply());
    }
    let store_reply = move |tx: &mut dyn Tx| {
        tx.name(name);
        idempotency::replay_or_run(&call, tx, |_| Ok(reply()))
    };
    app.store.write(workspace, store_reply).await
}

fn failed(index: usize, error: &Error) -> Json {
    let failure = Failure::of(error, "in X-Request-Id");
    let status = failure.status;
    json!({ "index": index, "status": status, "error": failure.shown() })
}
