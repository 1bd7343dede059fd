//! Reads in the fast lane, and in the slow one if that takes too long.

use crate::App;
use resource::{Error, invalid};
use std::sync::Arc;
use store::Lane;

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
    work: impl Fn(&mut dyn store::Tx) -> Result<T, Error> + Clone + Send + 'static,
) -> Result<T, Error> {
    let again = work.clone();
    match app.store.read(Lane::Fast, move |tx| work(tx)).await {
        Err(Error::SlowLane | Error::Store(store::Error::TooSlow)) => {
            app.store.read(Lane::Slow, move |tx| again(tx)).await
        }
        other => other,
    }
}
