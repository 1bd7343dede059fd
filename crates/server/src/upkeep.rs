//! Work that each node repeats every second or minute: reloading changed settings, writing buffered values, and deleting
//! expired rows.

use crate::request::{idempotency, request_log};
use crate::{App, erasure_list};
use crm::api::meta::CONFIG_VERSION;
use std::sync::Arc;
use std::time::Duration;

/// Drops cached keys and workspaces as soon as anyone has changed them.
pub(crate) async fn watch_config(app: Arc<App>, mut stopped: tokio::sync::watch::Receiver<bool>) {
    let mut seen = (String::new(), 0);
    loop {
        let version = app.store.point(CONFIG_VERSION, &[], |row| row.text(0)).await;
        if let Ok(version) = version {
            let now = (version.unwrap_or_default(), app.store.generation());
            if now != seen {
                app.keys.forget();
                seen = now;
            }
        }
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(200)) => {}
            _ = stopped.changed() => return,
        }
    }
}

/// If the database's clock ran ahead and was corrected, moves back the leases and due times that it wrote.
async fn correct_times(app: &Arc<App>) -> Result<(), resource::Error> {
    let longest = app.outbox.longest_lease();
    if app.store.read(store::Lane::Fast, move |tx| crm::clock::is_ahead(tx, longest)).await? {
        tracing::warn!(
            "leases or due times lie too far in the future: the database's clock was ahead; correcting them"
        );
        app.store.bookkeep(move |tx| crm::clock::correct(tx, longest)).await?;
    }
    Ok(())
}

/// Every second: writes the last use of keys, the request log and the list of erasures, releases unused rate-limit quota,
/// and sums up metrics.
/// Every 3 s: statistics of grown tables. Every 10 s: clock errors. Every 20 s: the heartbeat. Every minute: expired rows.
pub(crate) async fn housekeep(app: Arc<App>, mut stopped: tokio::sync::watch::Receiver<bool>) {
    let mut erasures = erasure_list::Watch::default();
    for second in 0_u64.. {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(1)) => {}
            _ = stopped.changed() => return,
        }
        app.keys.write_used(&app.store).await;
        app.request_log.write(&app).await;
        app.limiter.release(&app.store, Duration::from_secs(2)).await;
        erasures.check(&app).await;
        // Without this call histogram samples pile up in memory if nobody reads `/metrics`.
        app.metrics.run_upkeep();
        if second.is_multiple_of(3)
            && let Err(error) = app.store.study().await
        {
            tracing::debug!(%error, "failed to update the statistics of grown tables; retrying in 3 s");
        }
        if second.is_multiple_of(10)
            && let Err(error) = correct_times(&app).await
        {
            tracing::warn!(%error, "failed to correct times that a wrong clock wrote; retrying in 10 s");
        }
        if second.is_multiple_of(20) {
            let node = app.outbox.node().to_owned();
            let noted = app.store.bookkeep(move |tx| crm::dashboard::system::note_node(tx, &node));
            if let Err(error) = noted.await {
                tracing::warn!(%error, "failed to write the node heartbeat; retrying in 20 s");
            }
        }
        if second.is_multiple_of(60) {
            idempotency::forget(&app).await;
            request_log::forget(&app).await;
            if let Err(error) = app.store.bookkeep(crm::tenant::session::forget).await {
                tracing::warn!(%error, "failed to delete expired sessions; retrying in a minute");
            }
        }
    }
}
