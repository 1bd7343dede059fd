//! Runs jobs: claims one with a lease, works in small transactions, records the outcome.

use crate::{App, effects};
use crm::api::effects::EffectResult;
use crm::api::queue::{self, Queued};
use crm::jobs::{self, LANES};
use crm::tenant::workspace::erase::{RECORDS, SCRUB};
use resource::{Actor, Ctx, Error};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use store::Lane;
use tokio::sync::watch::Receiver;

/// How often an idle worker looks for due jobs.
const SWEEP: Duration = Duration::from_millis(500);
/// How often a lease is renewed while the job's effect runs.
const RENEWAL: Duration = Duration::from_secs(3);

/// Starts the workers of each lane. Long jobs delay only other jobs of their lane.
pub(crate) fn start(app: &Arc<App>, stopped: &Receiver<bool>) {
    for lane in LANES {
        for _ in 0..lane.workers() {
            tokio::spawn(run(app.clone(), *lane, stopped.clone()));
        }
    }
}

async fn run(app: Arc<App>, lane: jobs::Lane, mut stopped: Receiver<bool>) {
    while !*stopped.borrow() {
        match app.store.bookkeep(move |tx| jobs::claim(tx, lane)).await {
            Ok(Some((job, None))) => execute(&app, &job, &stopped).await,
            Ok(Some((job, Some(error)))) => {
                let ctx = acting(&app, &job);
                put_off(&app, ctx, &job, &error).await;
            }
            Ok(None) => wait(&mut stopped, SWEEP).await,
            Err(error) => {
                log_failure!(error, "failed to claim a job; retrying in 2 s");
                wait(&mut stopped, Duration::from_secs(2)).await;
            }
        }
    }
}

async fn wait(stopped: &mut Receiver<bool>, time: Duration) {
    tokio::select! {
        () = tokio::time::sleep(time) => {}
        _ = stopped.changed() => {}
    }
}

fn acting(app: &Arc<App>, job: &Queued) -> Ctx {
    Ctx { workspace: job.workspace, actor: Actor::system(&job.kind), memory: app.memory.clone() }
}

async fn execute(app: &Arc<App>, job: &Queued, stopped: &Receiver<bool>) {
    let ctx = acting(app, job);
    loop {
        let outcome = match run_effect(app, &ctx, job).await {
            Ok(outcome) => outcome,
            Err(error) => return put_off(app, ctx, job, &error).await,
        };
        let (acting, this) = (ctx.clone(), job.clone());
        let stepped =
            app.store.write(job.workspace, move |tx| jobs::complete(&acting, tx, &this, outcome.as_ref())).await;
        app.wrote(job.workspace);
        match stepped {
            Ok(true) if !*stopped.borrow() => {}
            // The server stops. When the lease has expired, another worker continues the job.
            Ok(true) => return,
            Ok(false) => {
                if job.kind == SCRUB && job.payload == RECORDS {
                    tracing::info!(workspace = %job.workspace, "finished the erasure of records");
                } else if job.kind == SCRUB {
                    tracing::info!(workspace = %job.workspace, "erased a removed workspace");
                }
                return;
            }
            Err(error) => return put_off(app, ctx, job, &error).await,
        }
    }
}

/// Runs the effect that the job's next step needs, if any, and renews the lease meanwhile.
async fn run_effect(app: &Arc<App>, ctx: &Ctx, job: &Queued) -> Result<Option<EffectResult>, Error> {
    let (ctx, this) = (ctx.clone(), job.clone());
    let effect = app.store.read(Lane::Fast, move |tx| jobs::prepare(&ctx, tx, &this)).await?;
    let Some(effect) = effect else { return Ok(None) };
    let mut work = pin!(effects::run(app, &effect, None));
    loop {
        match tokio::time::timeout(RENEWAL, &mut work).await {
            Ok(outcome) => return outcome.map(Some),
            Err(_) => {
                let this = job.clone();
                app.store.bookkeep(move |tx| queue::renew(tx, &this)).await?;
            }
        }
    }
}

async fn put_off(app: &Arc<App>, ctx: Ctx, job: &Queued, error: &Error) {
    let this = job.clone();
    let mut noted = Ok(());
    let is_hopeless = jobs::is_hopeless(job, error);
    if is_hopeless {
        tracing::error!(kind = job.kind, id = %job.id, %error, "a job failed for the last time; it is not retried");
        // The user sees a general reason; the log has the details.
        let (why, this) = ("an internal error; the server's log says more", this.clone());
        noted = app.store.write(job.workspace, move |tx| jobs::give_up(&ctx, tx, &this, why)).await;
    }
    // A damaged job can't be given up, so it is retried later like the others.
    if !is_hopeless || noted.is_err() {
        match error {
            Error::Unavailable(_) => {
                tracing::warn!(kind = job.kind, id = %job.id, %error, "a job must wait; retrying later");
            }
            _ => tracing::error!(kind = job.kind, id = %job.id, %error, "a job failed; retrying later"),
        }
        let why = error.clone();
        noted = app.store.bookkeep(move |tx| queue::put_off(tx, &this, &why)).await;
    }
    if let Err(error) = noted {
        tracing::warn!(id = %job.id, %error, "failed to postpone a failed job; retrying when its lease expires");
    }
}
