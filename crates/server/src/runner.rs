//! Carries out jobs: claim with a lease, work in small transactions, record the outcome.

use crate::App;
use crm::job::{self, Job};
use resource::{Actor, Ctx, Error};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch::Receiver;

/// How often an idle runner looks for work that nobody told it of.
const SWEEP: Duration = Duration::from_millis(500);

pub async fn run(app: Arc<App>, mut stopped: Receiver<bool>) {
    while !*stopped.borrow() {
        match app.store.bookkeep(job::claim).await {
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
        let (ctx, this) = (ctx.clone(), job.clone());
        let stepped = app.store.write(job.workspace, move |tx| job::step(&ctx, tx, &this)).await;
        app.touched.note(job.workspace);
        match stepped {
            Ok(true) if !*stopped.borrow() => {}
            // Stopped half-way: the lease runs out and another goes on.
            Ok(_) => return,
            Err(error) => return put_off(app, job, &error).await,
        }
    }
}

async fn put_off(app: &Arc<App>, job: &Job, error: &Error) {
    tracing::error!(kind = job.kind, id = %job.id, %error, "a job failed and will be tried again");
    let (job, why) = (job.clone(), error.to_string());
    let noted = app.store.bookkeep(move |tx| job::put_off(tx, &job, &why)).await;
    if let Err(error) = noted {
        tracing::warn!(%error, "a failed job keeps its lease");
    }
}
