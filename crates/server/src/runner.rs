//! Carries out jobs: claim with a lease, work in small transactions, record the outcome.

use crate::{App, outside};
use crm::job::{self, Job, LANES};
use crm::operation::Outcome;
use crm::workspace::erase::SCRUB;
use resource::{Actor, Ctx, Error};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use store::Lane;
use tokio::sync::watch::Receiver;

/// How often an idle runner looks for work that nobody told it of.
const SWEEP: Duration = Duration::from_millis(500);
/// How often a lease is renewed while the outside takes its time.
const RENEWAL: Duration = Duration::from_secs(3);

/// As many workers as each lane has: what takes long holds up only others of its kind.
pub fn start(app: &Arc<App>, stopped: &Receiver<bool>) {
    for lane in LANES {
        for _ in 0..lane.workers {
            tokio::spawn(run(app.clone(), lane, stopped.clone()));
        }
    }
}

async fn run(app: Arc<App>, lane: &'static job::Lane, mut stopped: Receiver<bool>) {
    while !*stopped.borrow() {
        match app.store.bookkeep(|tx| job::claim(tx, lane)).await {
            Ok(Some(job)) => carry_out(&app, &job, &stopped).await,
            Ok(None) => wait(&mut stopped, SWEEP).await,
            Err(error) => {
                tracing::warn!(%error, "jobs can't be claimed");
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

async fn carry_out(app: &Arc<App>, job: &Job, stopped: &Receiver<bool>) {
    let ctx = Ctx { workspace: job.workspace, actor: Actor::system(&job.kind), memory: app.memory.clone() };
    loop {
        let outcome = match go_outside(app, &ctx, job).await {
            Ok(outcome) => outcome,
            Err(error) => return put_off(app, ctx, job, &error).await,
        };
        let (acting, this) = (ctx.clone(), job.clone());
        let stepped = app.store.write(job.workspace, move |tx| job::step(&acting, tx, &this, outcome.as_ref())).await;
        app.wrote(job.workspace);
        match stepped {
            Ok(true) if !*stopped.borrow() => {}
            // Stopped half-way: the lease runs out and another goes on.
            Ok(true) => return,
            Ok(false) => {
                if job.kind == SCRUB {
                    tracing::info!(workspace = %job.workspace, "erased a removed workspace");
                }
                return;
            }
            Err(error) => return put_off(app, ctx, job, &error).await,
        }
    }
}

/// Does what the job has to do outside, if anything, and keeps its lease meanwhile.
async fn go_outside(app: &Arc<App>, ctx: &Ctx, job: &Job) -> Result<Option<Outcome>, Error> {
    let (ctx, this) = (ctx.clone(), job.clone());
    let errand = app.store.read(Lane::Fast, move |tx| job::errand(&ctx, tx, &this)).await?;
    let Some(errand) = errand else { return Ok(None) };
    let mut work = pin!(outside::run(app, &errand, None));
    loop {
        match tokio::time::timeout(RENEWAL, &mut work).await {
            Ok(outcome) => return outcome.map(Some),
            Err(_) => {
                let this = job.clone();
                app.store.bookkeep(move |tx| job::renew(tx, &this)).await?;
            }
        }
    }
}

async fn put_off(app: &Arc<App>, ctx: Ctx, job: &Job, error: &Error) {
    let (this, why) = (job.clone(), error.to_string());
    let noted = if job::is_hopeless(job, error) {
        tracing::error!(kind = job.kind, id = %job.id, %error, "a job failed and is given up");
        // What went wrong inside stands in the log.
        let why = "an internal error; the server's log says more";
        app.store.write(job.workspace, move |tx| job::give_up(&ctx, tx, &this, why)).await
    } else {
        tracing::error!(kind = job.kind, id = %job.id, %error, "a job failed and will be tried again");
        app.store.bookkeep(move |tx| job::put_off(tx, &this, &why)).await
    };
    if let Err(error) = noted {
        tracing::warn!(%error, "a failed job keeps its lease");
    }
}
