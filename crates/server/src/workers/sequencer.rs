//! The sequence worker: finds sequences with due enrollments and runs their next steps in small transactions. A message goes
//! into the outbox in the transaction that decides to send it.

use crate::App;
use crm::outreach::enrollment::rendered::{RenderedMessages, render_all};
use crm::outreach::enrollment::tick;
use crm::outreach::sequence::Sequence;
use futures_util::StreamExt;
use resource::{Actor, Ctx, Error, Resource};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use store::{Lane, Tx, Uuid};
use tokio::sync::watch::Receiver;

/// Time between two searches for due sequences, so that a due step starts within a second.
const SWEEP: Duration = Duration::from_millis(250);
/// Enrollments per transaction: some ten milliseconds of work.
const BATCH: i64 = 25;
/// Batches of one sequence before the next sequence of the workspace.
const TURNS: usize = 8;
/// Workspaces at the same time.
const ABREAST: usize = 4;

pub(crate) async fn run(app: Arc<App>, mut stopped: Receiver<bool>) {
    while !*stopped.borrow() {
        let more = match app.store.read(Lane::Fast, tick::due).await {
            Ok(due) => run_due(&app, due, &stopped).await,
            Err(error) => {
                log_failure!(error, "failed to find due sequences; retrying in 0.25 s");
                false
            }
        };
        if !more {
            tokio::select! {
                () = tokio::time::sleep(SWEEP) => {}
                _ = stopped.changed() => {}
            }
        }
    }
}

/// Runs the due sequences: workspaces in parallel, the sequences of a workspace one after another. Returns whether more is due.
async fn run_due(app: &Arc<App>, due: Vec<(Uuid, Uuid)>, stopped: &Receiver<bool>) -> bool {
    let mut by_workspace: BTreeMap<Uuid, Vec<Uuid>> = BTreeMap::new();
    for (workspace, sequence) in due {
        by_workspace.entry(workspace).or_default().push(sequence);
    }
    let each = by_workspace.into_iter().map(|(workspace, sequences)| async move {
        let mut more = false;
        for sequence in sequences {
            let mut messages = RenderedMessages::default();
            for _ in 0..TURNS {
                if *stopped.borrow() {
                    return false;
                }
                more = pass(app, workspace, sequence, &mut messages).await;
                if !more {
                    break;
                }
            }
        }
        more
    });
    futures_util::stream::iter(each).buffer_unordered(ABREAST).any(|more| async move { more }).await
}

async fn pass(app: &Arc<App>, workspace: Uuid, sequence: Uuid, messages: &mut RenderedMessages) -> bool {
    let passed = batch(app, workspace, sequence, messages, BATCH).await;
    app.wrote(workspace);
    let Err(error) = passed else { return passed.unwrap_or(false) };
    let later = |error: Error| {
        tracing::warn!(%workspace, %sequence, %error, "failed to run a sequence; retrying");
        false
    };
    if error.is_transient() {
        return later(error);
    }
    // One enrollment fails. Run alone, it does not block the others.
    match one(app, workspace, sequence).await {
        Ok(more) => more,
        Err(error) if error.is_transient() => later(error),
        Err(error) if error.is_corrupt() => {
            tracing::error!(%workspace, %sequence, %error, "an enrollment is put off for an hour: stored data can't be read");
            let all = error.corrupt().is_some_and(|corrupt| corrupt.table == Sequence::ABOUT.table);
            let ctx = ctx(app, workspace);
            let put_off = app.store.write(workspace, move |tx| tick::postpone_damaged(&ctx, tx, sequence, all)).await;
            if let Err(error) = put_off {
                tracing::error!(%workspace, %sequence, %error, "failed to postpone a damaged enrollment; retrying");
            }
            // The others are still due.
            !all
        }
        Err(error) => {
            tracing::error!(%workspace, %sequence, %error, "an enrollment failed; it is not retried");
            let ctx = ctx(app, workspace);
            let given_up = app.store.write(workspace, move |tx| tick::give_up(&ctx, tx, sequence)).await;
            if let Err(error) = given_up {
                tracing::error!(%workspace, %sequence, %error, "failed to end a failed enrollment; retrying");
            }
            false
        }
    }
}

/// Runs the enrollment that is due first: one batch renders its message, the next sends it.
async fn one(app: &Arc<App>, workspace: Uuid, sequence: Uuid) -> Result<bool, Error> {
    let mut messages = RenderedMessages::default();
    batch(app, workspace, sequence, &mut messages, 1).await?;
    batch(app, workspace, sequence, &mut messages, 1).await
}

/// Sends the messages rendered before, and renders the next ones after the transaction.
async fn batch(
    app: &Arc<App>,
    workspace: Uuid,
    sequence: Uuid,
    messages: &mut RenderedMessages,
    most: i64,
) -> Result<bool, Error> {
    let (ctx, links, rendered) = (ctx(app, workspace), app.links.clone(), Arc::new(std::mem::take(messages)));
    let sent = rendered.clone();
    let pass = move |tx: &mut dyn Tx| tick::tick(&ctx, tx, sequence, &links, &sent, most);
    let passed = app.store.write(workspace, pass).await?;
    let is_drafted = !passed.drafts.is_empty();
    if is_drafted {
        let (drafts, links) = (passed.drafts, app.links.clone());
        let rendered = tokio::task::spawn_blocking(move || render_all(drafts, &links)).await;
        *messages = rendered.map_err(|error| store::Error::Internal(format!("rendering ended early: {error}")))?;
    }
    // Those that there was no time for are sent next.
    for (run, message) in rendered.iter().filter(|(run, _)| !passed.used.contains(run)) {
        messages.entry(*run).or_insert_with(|| message.clone());
    }
    Ok(passed.more || is_drafted)
}

fn ctx(app: &App, workspace: Uuid) -> Ctx {
    Ctx { workspace, actor: Actor::system("sequences"), memory: app.memory.clone() }
}
