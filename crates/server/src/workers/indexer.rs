//! Indexes texts for search after the write: within a second if the server is idle, and with little of the writer's time if
//! it is busy.

use crate::{App, clock};
use crm::operations::{behind, index_texts};
use resource::{Actor, Ctx, Error, Midway};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use store::{Lane, Tx, Uuid};
use tokio::sync::watch::Receiver;

/// Records per transaction: a few milliseconds of work.
const CHUNK: i64 = 100;
/// Time between two passes over workspaces that this node has written to.
const PAUSE: Duration = Duration::from_millis(200);
/// Time between two searches for writes of others: commands, other nodes, an earlier process.
const SWEEP: Duration = Duration::from_secs(10);

/// After more writes than this between two passes, indexing leaves the writer to requests.
const BUSY: usize = 100;

/// Workspaces that were written to since the last pass, and how often.
#[derive(Default)]
pub(crate) struct Touched(Mutex<BTreeMap<Uuid, usize>>);

impl Touched {
    pub(crate) fn note(&self, workspace: Uuid) {
        *self.lock().entry(workspace).or_default() += 1;
    }
    fn take(&self) -> BTreeMap<Uuid, usize> {
        std::mem::take(&mut *self.lock())
    }
    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<Uuid, usize>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

pub(crate) async fn run(app: Arc<App>, mut stopped: Receiver<bool>) {
    let (mut swept, mut waited) = (None, 0);
    let mut midway: BTreeMap<Uuid, Midway> = BTreeMap::new();
    while !*stopped.borrow() {
        let mut workspaces = app.touched.take();
        if swept.is_none_or(|at| clock::instant() - at > SWEEP) {
            swept = Some(clock::instant());
            for workspace in find_unindexed(&app).await {
                workspaces.entry(workspace).or_default();
            }
        }
        let busy = workspaces.values().sum::<usize>() > BUSY;
        waited = if busy { waited + 1 } else { 0 };
        let chunks = match (busy, waited % 10) {
            (false, _) => 20,
            (true, 0) => 1,
            (true, _) => 0,
        };
        for workspace in workspaces.into_keys() {
            let mut reached = midway.remove(&workspace).unwrap_or_default();
            match catch_up(&app, workspace, chunks, &mut reached).await {
                Ok(true) => {
                    app.touched.note(workspace);
                    midway.insert(workspace, reached);
                }
                Ok(false) => {}
                Err(error) => {
                    log_failure!(error, %workspace, "failed to index texts; retrying in 0.2 s");
                    app.touched.note(workspace);
                }
            }
        }
        tokio::select! {
            () = tokio::time::sleep(PAUSE) => {}
            _ = stopped.changed() => {}
        }
    }
}

/// Indexes so many chunks, each followed by a pause of the same length. Returns whether more remains.
async fn catch_up(app: &Arc<App>, workspace: Uuid, chunks: usize, midway: &mut Midway) -> Result<bool, Error> {
    let ctx = Ctx { workspace, actor: Actor::system("indexer"), memory: app.memory.clone() };
    for _ in 0..chunks {
        let (ctx, before, begun) = (ctx.clone(), midway.clone(), clock::instant());
        let index = move |tx: &mut dyn Tx| {
            tx.name("index_texts");
            let (mut midway, mut damaged) = (before.clone(), Vec::new());
            let more = index_texts(&ctx, tx, CHUNK, &mut midway, &mut damaged)?;
            Ok::<_, Error>((more, midway, damaged))
        };
        let (more, reached, damaged) = app.store.write(workspace, index).await?;
        for error in damaged {
            tracing::error!(%error, %workspace, "failed to index a text: stored data can't be read; the indexer continues with the next");
        }
        // Set after the commit, since a transaction can be rolled back.
        *midway = reached;
        if let Err(error) = app.store.sort_in_texts().await {
            tracing::warn!(%error, "failed to sort new texts into their index; searches are slower until PostgreSQL's autovacuum does it");
        }
        if !more {
            return Ok(false);
        }
        tokio::time::sleep(clock::instant() - begun).await;
    }
    Ok(true)
}

/// Workspaces with records that are not indexed yet.
async fn find_unindexed(app: &Arc<App>) -> Vec<Uuid> {
    let found = app.store.read(Lane::Slow, behind).await;
    found.unwrap_or_else(|error: Error| {
        tracing::warn!(%error, "failed to find workspaces with texts to index; retrying in 10 s");
        Vec::new()
    })
}
