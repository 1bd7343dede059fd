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
    let again = work.clone();
    let found = {
        let _share = app.readers.fast.take(workspace).await;
        app.store.read(Lane::Fast, move |tx| work(tx)).await
    };
    match found {
        Err(Error::SlowLane | Error::Store(store::Error::TooSlow)) => {
            let _share = app.readers.slow.take(workspace).await;
            app.store.read(Lane::Slow, move |tx| again(tx)).await
        }
        found => found,
    }
}
