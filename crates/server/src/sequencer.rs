//! Carries out sequences: finds those that have something due and lets each take its next steps, in small transactions.
//! What is to be sent goes into the outbox, in the transaction that decides on it.

use crate::App;
use crm::enrollment::letter::{Letters, render_all};
use crm::enrollment::run;
use futures_util::StreamExt;
use resource::{Actor, Ctx, Error};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use store::{Lane, Tx, Uuid};
use tokio::sync::watch::Receiver;

/// Between two looks at what is due: a due step starts within a second.
const SWEEP: Duration = Duration::from_millis(250);
/// Enrollments a transaction takes on: some ten milliseconds' worth.
const BATCH: i64 = 25;
/// As many batches of a sequence before another gets its turn.
const TURNS: usize = 8;
/// As many workspaces at a time.
const ABREAST: usize = 4;

pub async fn run(app: Arc<App>, mut stopped: Receiver<bool>) {
    while !*stopped.borrow() {
        let more = match app.store.read(Lane::Fast, run::due).await {
            Ok(due) => look(&app, due, &stopped).await,
            Err(error) => {
                tracing::warn!(%error, "due sequences can't be found");
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

/// Workspaces side by side, the sequences of each in their order; true if something is left.
async fn look(app: &Arc<App>, due: Vec<(Uuid, Uuid)>, stopped: &Receiver<bool>) -> bool {
    let mut by_workspace: BTreeMap<Uuid, Vec<Uuid>> = BTreeMap::new();
    for (workspace, sequence) in due {
        by_workspace.entry(workspace).or_default().push(sequence);
    }
    let each = by_workspace.into_iter().map(|(workspace, sequences)| async move {
        let mut more = false;
        for sequence in sequences {
            let mut letters = Letters::default();
            for _ in 0..TURNS {
                if *stopped.borrow() {
                    return false;
                }
                more = pass(app, workspace, sequence, &mut letters).await;
                if !more {
                    break;
                }
            }
        }
        more
    });
    futures_util::stream::iter(each).buffer_unordered(ABREAST).any(|more| async move { more }).await
}

async fn pass(app: &Arc<App>, workspace: Uuid, sequence: Uuid, letters: &mut Letters) -> bool {
    let passed = batch(app, workspace, sequence, letters, BATCH).await;
    app.wrote(workspace);
    let Err(error) = passed else { return passed.unwrap_or(false) };
    let later = |error: Error| {
        tracing::warn!(%workspace, %sequence, %error, "a sequence can't be carried out now");
        false
    };
    if error.is_passing() {
        return later(error);
    }
    // One of them can't be carried out: it is not to hold up the others.
    match one(app, workspace, sequence).await {
        Ok(more) => more,
        Err(error) if error.is_passing() => later(error),
        Err(error) => {
            tracing::error!(%workspace, %sequence, %error, "an enrollment failed and is given up");
            let ctx = ctx(app, workspace);
            let given_up = app.store.write(workspace, move |tx| run::give_up(&ctx, tx, sequence)).await;
            if let Err(error) = given_up {
                tracing::error!(%workspace, %sequence, %error, "an enrollment can't be given up");
            }
            false
        }
    }
}

/// The first that is due, by itself: its message is rendered, then sent.
async fn one(app: &Arc<App>, workspace: Uuid, sequence: Uuid) -> Result<bool, Error> {
    let mut letters = Letters::default();
    batch(app, workspace, sequence, &mut letters, 1).await?;
    batch(app, workspace, sequence, &mut letters, 1).await
}

/// Sends the messages that are rendered, and renders those that follow, after the transaction.
async fn batch(
    app: &Arc<App>,
    workspace: Uuid,
    sequence: Uuid,
    letters: &mut Letters,
    most: i64,
) -> Result<bool, Error> {
    let (ctx, links, rendered) = (ctx(app, workspace), app.links.clone(), std::mem::take(letters));
    let pass = move |tx: &mut dyn Tx| run::pass(&ctx, tx, sequence, &links, &rendered, most);
    let passed = app.store.write(workspace, pass).await?;
    if !passed.drafts.is_empty() {
        let (drafts, links) = (passed.drafts, app.links.clone());
        let rendered = tokio::task::spawn_blocking(move || render_all(drafts, &links)).await;
        *letters = rendered.map_err(|error| store::Error::Internal(format!("rendering ended early: {error}")))?;
    }
    Ok(passed.more || !letters.is_empty())
}

fn ctx(app: &App, workspace: Uuid) -> Ctx {
    Ctx { workspace, actor: Actor::system("sequences"), memory: app.memory.clone() }
}
