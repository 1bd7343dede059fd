//! Keeps texts up to date behind the writes: within a second when there is room, and with next to nothing of the
//! writer's time when there is not.

use crate::{App, clock};
use crm::operations::{behind, index_texts};
use resource::{Actor, Ctx, Error, Midway};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use store::{Lane, Tx, Uuid};
use tokio::sync::watch::Receiver;

/// Records a transaction takes on: a few milliseconds' worth.
const CHUNK: i64 = 100;
/// Between two looks at what was written here.
const PAUSE: Duration = Duration::from_millis(200);
/// Between two looks at what others may have written: commands, other nodes, an earlier life.
const SWEEP: Duration = Duration::from_secs(10);

/// More writes than this between two looks, and the writer has better things to do.
const BUSY: usize = 100;

/// Workspaces that were written to since the last look, and how often.
#[derive(Default)]
pub struct Touched(Mutex<BTreeMap<Uuid, usize>>);

impl Touched {
    pub fn note(&self, workspace: Uuid) {
        *self.lock().entry(workspace).or_default() += 1;
    }
    fn take(&self) -> BTreeMap<Uuid, usize> {
        std::mem::take(&mut *self.lock())
    }
    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<Uuid, usize>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

pub async fn run(app: Arc<App>, mut stopped: Receiver<bool>) {
    let (mut swept, mut waited) = (None, 0);
    let mut midway: BTreeMap<Uuid, Midway> = BTreeMap::new();
    while !*stopped.borrow() {
        let mut workspaces = app.touched.take();
        if swept.is_none_or(|at| clock::instant() - at > SWEEP) {
            swept = Some(clock::instant());
            for workspace in left_behind(&app).await {
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
                    tracing::warn!(%error, %workspace, "texts can't be indexed");
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

/// So many chunks, each followed by a rest as long; true if there is more to do.
async fn catch_up(app: &Arc<App>, workspace: Uuid, chunks: usize, midway: &mut Midway) -> Result<bool, Error> {
    let ctx = Ctx { workspace, actor: Actor::system("indexer"), memory: app.memory.clone() };
    for _ in 0..chunks {
        let (ctx, before, begun) = (ctx.clone(), midway.clone(), clock::instant());
        let index = move |tx: &mut dyn Tx| {
            tx.name("index_texts");
            let mut midway = before.clone();
            index_texts(&ctx, tx, CHUNK, &mut midway).map(|more| (more, midway))
        };
        let (more, reached) = app.store.write(workspace, index).await?;
        // Only after the commit.
        *midway = reached;
        if !more {
            return Ok(false);
        }
        tokio::time::sleep(clock::instant() - begun).await;
    }
    Ok(true)
}

/// Workspaces whose collections have moved on since they were indexed.
async fn left_behind(app: &Arc<App>) -> Vec<Uuid> {
    let found = app.store.read(Lane::Slow, behind).await;
    found.unwrap_or_else(|error: Error| {
        tracing::warn!(%error, "can't tell what is to be indexed");
        Vec::new()
    })
}
