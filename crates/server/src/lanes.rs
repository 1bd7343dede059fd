//! Reads in the fast lane, and in the slow one if that takes too long. One workspace never uses all readers of a lane.

use crate::App;
use crate::shares::Shares;
use resource::{Error, invalid};
use std::sync::Arc;
use store::{Lane, Store, Uuid};
use tokio::sync::Semaphore;

/// Who asks without a session or a key.
pub(crate) const STRANGERS: Uuid = Uuid::nil();

/// The shares of workspaces in the readers of each lane.
pub(crate) struct Readers {
    fast: Shares,
    slow: Shares,
}

impl Readers {
    pub(crate) fn new(store: &Store) -> Readers {
        let all_but_one = |lane| Shares::new(Semaphore::MAX_PERMITS, store.readers(lane) - 1);
        Readers { fast: all_but_one(Lane::Fast), slow: all_but_one(Lane::Slow) }
    }
}

/// A slow search is an error of the request, since the client can narrow it. For operations without a search this is not
/// called, because the client could not help it.
pub(crate) fn too_wide(error: Error) -> Error {
    match error {
        Error::Store(store::Error::TooSlow) => {
            let way_out = "narrow it by a filter that has an index, or page with cursor= and count=none";
            invalid("query", format!("takes too long; {way_out}"))
        }
        other => other,
    }
}

/// Reads in the fast lane, and again in the slow lane if the read takes too long or asks for it.
pub(crate) async fn read<T: Send + 'static>(
    app: &Arc<App>,
    workspace: Uuid,
    work: impl Fn(&mut dyn store::Tx) -> Result<T, Error> + Clone + Send + 'static,
) -> Result<T, Error> {
    let found = read_in(app, Lane::Fast, &app.readers.fast, workspace, work.clone()).await;
    match found {
        Err(Error::SlowLane | Error::Store(store::Error::TooSlow)) => {
            read_in(app, Lane::Slow, &app.readers.slow, workspace, work).await
        }
        found => found,
    }
}

/// The read itself holds the share: it goes on after its client has disconnected.
async fn read_in<T: Send + 'static>(
    app: &Arc<App>,
    lane: Lane,
    shares: &Shares,
    workspace: Uuid,
    work: impl Fn(&mut dyn store::Tx) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let share = shares.take(workspace).await;
    let shared = move |tx: &mut dyn store::Tx| {
        let _share = share;
        work(tx)
    };
    app.store.read(lane, shared).await
}
