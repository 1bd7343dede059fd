//! Runs an operation: in a read, in a write, or as an effect between two writes.

use crate::lanes::{read, too_wide};
use crate::request::bulk;
use crate::request::envelope::Chunks;
use crate::request::etag::Expected;
use crate::request::paid::{self, ChargeGuard};
use crate::{App, effects};
use bytes::Bytes;
use crm::api::call::{Call, Content as Data, Piece, Reply, Stream};
use crm::api::effects::Effect;
use crm::api::idempotency::{before, replay_or_run};
use crm::api::operation::{EffectSteps, Either, Operation, Run, Takes};
use crm::api::scope::Feature;
use futures_util::StreamExt;
use futures_util::stream::try_unfold;
use resource::{Error, Rendered};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;
use store::{Tx, Uuid};

/// The time limit of the operation itself.
pub(crate) const RUN_TIME: Duration = Duration::from_secs(30);

/// Runs CPU-bound work on a thread of its own. One at a time for each workspace, so that many requests of one leave
/// processors to the others.
pub(crate) async fn blocking<T: Send + 'static>(
    app: &App,
    workspace: Uuid,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    let turn = app.computing.take(workspace).await;
    // The turn ends with the work, even if the client hangs up before.
    let work = move || {
        let _turn = turn;
        work()
    };
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| store::Error::Internal(format!("work ended early: {error}")).into())
}

/// Limits the time that a client waits for a database that does not answer. A write that was started continues. The caller
/// pins the future, since moving the state of a whole request costs more than the timer.
pub(crate) async fn in_time<T, E: From<store::Error>>(
    most: Duration,
    work: Pin<&mut impl Future<Output = Result<T, E>>>,
) -> Result<T, E> {
    let silent = |_| Err(store::Error::Unavailable("the database does not answer".into()).into());
    tokio::time::timeout(most, work).await.unwrap_or_else(silent)
}

/// The reply, and the chunks of its file or stream.
pub(crate) async fn run_and_open(
    app: &Arc<App>,
    operation: &'static Operation,
    call: Arc<Call>,
    expected: Option<Expected>,
    charge: &mut Option<ChargeGuard>,
) -> Result<(Reply, Option<Chunks>), Error> {
    let _turn = match &call.idempotency {
        Some(key) => Some(app.idempotency.turn(&call.key, key).await?),
        None => None,
    };
    let mut reply = run(app, operation, call.clone(), expected, charge).await?;
    let mut file = None;
    if let Data::Stream(made) = &mut reply.data {
        file = Some(stream(app, call.clone(), made));
    }
    if matches!(reply.data, Data::File(_)) {
        file = effects::open(app, &reply).await?;
        // The file was replaced after the read, so read again to get the new one.
        if file.is_none() {
            reply = run(app, operation, call, None, charge).await?;
            file = effects::open(app, &reply).await?;
        }
        if file.is_none() {
            return Err(store::corrupt("files", "blob", operation.name, "the file is not in storage").into());
        }
    }
    Ok((reply, file))
}

async fn run(
    app: &Arc<App>,
    operation: &'static Operation,
    call: Arc<Call>,
    expected: Option<Expected>,
    charge: &mut Option<ChargeGuard>,
) -> Result<Reply, Error> {
    match operation.run {
        Run::Point(point) => {
            let id = call.id(0, point.one)?;
            let which = (point.one, call.ctx.workspace, id);
            let epoch = if point.cacheable { app.store.commit_epoch(call.ctx.workspace) } else { None };
            if let Some(reply) = epoch.and_then(|epoch| app.record_cache.get(&which, epoch)) {
                return Ok(reply);
            }
            let (sql, params) = (point.statement)(&call.ctx, id);
            let found = match app.store.point(sql, &params, |row| (point.render)(&call.ctx, row)).await {
                // The read below has more time.
                Err(store::Error::TooSlow) => None,
                found => found?,
            };
            if let Some(rendered) = found.filter(Rendered::is_whole) {
                let reply = Reply::record(rendered);
                return Ok(match epoch {
                    Some(epoch) => app.record_cache.put(which, epoch, reply),
                    None => reply,
                });
            }
            read(app, call.ctx.workspace, move |tx| (point.read)(&call, tx)).await
        }
        Run::Read(rule) => {
            let found = read(app, call.ctx.workspace, move |tx| rule(&call, tx)).await;
            let asks = operation.body.is_some() || !matches!(operation.query, Takes::Nothing);
            if asks { found.map_err(too_wide) } else { found }
        }
        Run::Write(rule) => {
            let workspace = call.ctx.workspace;
            let work = move |tx: &mut dyn Tx| {
                tx.name(operation.name);
                replay_or_run(&call, tx, |tx| {
                    expected.as_ref().map_or(Ok(()), |expected| expected.hold(&call, tx))?;
                    rule(&call, tx)
                })
            };
            let reply = app.store.write(workspace, work).await;
            app.wrote(workspace);
            if operation.feature == Feature::Outreach {
                app.outbox.wake();
            }
            reply
        }
        Run::Deferred(rule) => {
            let _room = match &call.file {
                Some(_) => Some(app.room().await?),
                None => None,
            };
            let workspace = call.ctx.workspace;
            blocking(app, workspace, read(app, call.ctx.workspace, move |tx| rule(&call, tx)).await.map_err(too_wide)?)
                .await?
        }
        Run::Bulk(bulk) => bulk::run(app, operation.name, bulk, call).await,
        Run::Parts(parts) => bulk::run_parts(app, operation.name, parts, call).await,
        Run::Paid(find) => {
            let (reply, guard) = paid::run(app, operation.name, find, call).await?;
            *charge = guard;
            Ok(reply)
        }
        Run::ReadEffect(steps) => {
            let asking = call.clone();
            let effect = read(app, call.ctx.workspace, move |tx| (steps.prepare)(&asking, tx)).await?;
            let outcome = effects::run(app, &effect, call.file.as_ref()).await?;
            read(app, call.ctx.workspace, move |tx| (steps.complete)(&call, tx, &effect, &outcome)).await
        }
        Run::Either(either) if !(either.uses_effect)(&call) => {
            read(app, call.ctx.workspace, move |tx| (either.read)(&call, tx)).await.map_err(too_wide)
        }
        Run::Either(Either { effect: steps, .. }) | Run::Effect(steps) => {
            let reply = run_effect(app, operation.name, steps, call, expected).await;
            if operation.feature == Feature::Outreach {
                app.outbox.wake();
            }
            reply
        }
    }
}

/// Three steps: a write that prepares the effect, the effect itself, and a write that records its result.
async fn run_effect(
    app: &Arc<App>,
    name: &'static str,
    steps: EffectSteps,
    call: Arc<Call>,
    expected: Option<Expected>,
) -> Result<Reply, Error> {
    let (workspace, asking) = (call.ctx.workspace, call.clone());
    let prepare = move |tx: &mut dyn Tx| {
        tx.name(name);
        if let Some(reply) = before(&asking, tx)? {
            return Ok(Prepared::Replay(reply));
        }
        expected.as_ref().map_or(Ok(()), |expected| expected.hold(&asking, tx))?;
        (steps.prepare)(&asking, tx).map(Prepared::Effect)
    };
    let effect = match app.store.write(workspace, prepare).await? {
        Prepared::Replay(reply) => return Ok(reply),
        Prepared::Effect(effect) => effect,
    };
    let outcome = effects::run(app, &effect, call.file.as_ref()).await?;
    let complete = move |tx: &mut dyn Tx| {
        tx.name(name);
        replay_or_run(&call, tx, |tx| (steps.complete)(&call, tx, &effect, &outcome))
    };
    let reply = app.store.write(workspace, complete).await;
    app.wrote(workspace);
    reply
}

/// The result of the first step: the effect to run, or the stored answer of an earlier request with the same key.
enum Prepared {
    Effect(Effect),
    Replay(Reply),
}

/// A body that is made while it is sent: each piece is read after the one before was sent, so a client that hangs up stops
/// the reading. An error aborts the body, so that the client does not take a part for the whole.
fn stream(app: &Arc<App>, call: Arc<Call>, made: &mut Stream) -> Chunks {
    let first = Piece { bytes: std::mem::take(&mut made.first.bytes), next: made.first.next.take() };
    let (app, more) = (app.clone(), made.more);
    let next = move |state: Option<Next>| {
        let (app, call) = (app.clone(), call.clone());
        async move {
            let piece = match state {
                None => return Ok(None),
                Some(Next::First(piece)) => piece,
                Some(Next::After(after)) => {
                    let reading = read(&app, call.ctx.workspace, move |tx| more(&call, tx, &after));
                    in_time(RUN_TIME, pin!(reading)).await.map_err(|error| {
                        tracing::error!(%error, "failed to read the next part of a streamed answer; the connection is closed");
                        std::io::Error::other(error.to_string())
                    })?
                }
            };
            Ok(Some((Bytes::from(piece.bytes), piece.next.map(Next::After))))
        }
    };
    try_unfold(Some(Next::First(first)), next).boxed()
}

/// The piece that is sent next.
enum Next {
    First(Piece),
    After(String),
}
