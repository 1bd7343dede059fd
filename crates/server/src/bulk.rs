//! Many items of one request: a unit of work each, so that one that fails undoes nothing of the others, fifty at a time,
//! so that a thousand do not hold up whoever else writes. Units that wait together share a commit.

use crate::App;
use crate::envelope::Failure;
use crate::http::read;
use crm::operation::{Bulk, Call, Parts, Reply};
use crm::{bulk, idempotency};
use futures_util::future::join_all;
use resource::Error;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use store::Tx;

const CHUNK: usize = 50;
/// Parts are larger than items.
const FEW: usize = 10;

pub async fn run(app: &Arc<App>, name: &'static str, bulk: &'static Bulk, call: Arc<Call>) -> Result<Reply, Error> {
    let (count, atomic) = bulk::asked(&call)?;
    let workspace = call.ctx.workspace;
    if atomic {
        let work = move |tx: &mut dyn Tx| {
            tx.name(name);
            idempotency::once(&call, tx, |tx| bulk::all(bulk, &call, tx))
        };
        let reply = app.store.write(workspace, work).await;
        app.wrote(workspace);
        return reply;
    }
    if call.once.is_some() {
        let this = call.clone();
        if let Some(reply) = app.store.write(workspace, move |tx| idempotency::before(&this, tx)).await? {
            return Ok(reply);
        }
    }
    // Once begun it goes on to its end, whoever hangs up.
    let carried_out = tokio::spawn(carry_out(app.clone(), name, bulk, call, count));
    carried_out.await.map_err(|error| store::Error::Internal(format!("a bulk ended early: {error}")))?
}

/// Work in parts.
pub async fn run_parts(
    app: &Arc<App>,
    name: &'static str,
    parts: &'static Parts,
    call: Arc<Call>,
) -> Result<Reply, Error> {
    if call.once.is_some() {
        let this = call.clone();
        if let Some(reply) = app.store.write(call.ctx.workspace, move |tx| idempotency::before(&this, tx)).await? {
            return Ok(reply);
        }
    }
    let this = call.clone();
    let count = read(app, move |tx| (parts.count)(&this, tx)).await?;
    // Once begun it goes on to its end, whoever hangs up.
    let carried_out = tokio::spawn(carry_out_parts(app.clone(), name, parts, call, count));
    carried_out.await.map_err(|error| store::Error::Internal(format!("work in parts ended early: {error}")))?
}

async fn carry_out_parts(
    app: Arc<App>,
    name: &'static str,
    parts: &'static Parts,
    call: Arc<Call>,
    count: usize,
) -> Result<Reply, Error> {
    let (workspace, mut results) = (call.ctx.workspace, Vec::with_capacity(count));
    for from in (0..count).step_by(FEW) {
        let units = (from..count.min(from + FEW)).map(|index| {
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
    if call.once.is_none() {
        return Ok((parts.reply)(&results));
    }
    let kept = move |tx: &mut dyn Tx| {
        tx.name(name);
        idempotency::once(&call, tx, |_| Ok((parts.reply)(&results)))
    };
    app.store.write(workspace, kept).await
}

async fn carry_out(
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
    // What could not be done now may be, if the request is sent again.
    if call.once.is_none() || !whole {
        return Ok(reply());
    }
    let kept = move |tx: &mut dyn Tx| {
        tx.name(name);
        idempotency::once(&call, tx, |_| Ok(reply()))
    };
    app.store.write(workspace, kept).await
}

fn failed(index: usize, error: &Error) -> Json {
    let failure = Failure::of(error, "in X-Request-Id");
    let status = failure.status;
    json!({ "index": index, "status": status, "error": failure.shown() })
}
