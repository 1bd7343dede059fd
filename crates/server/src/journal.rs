//! The request log's collector: what was answered to keys is noted in memory and written about once a second. When more
//! comes than the log takes, it is counted and not logged.

use crate::App;
use crm::dashboard::requests::{self, Answered, Hours};
use crm::key::Identity;
use resource::Error;
use std::sync::{Arc, Mutex, MutexGuard};
use store::Lane;

/// As many requests are logged between two writes.
const MOST: usize = 1000;
/// The longest path and query that are kept, in bytes.
const LONGEST: usize = 2000;
const HOUR: i64 = 60 * 60 * 1000;

#[derive(Default)]
pub struct Journal(Mutex<Noted>);

#[derive(Default)]
struct Noted {
    requests: Vec<Answered>,
    hours: Hours,
}

impl Journal {
    /// Counts a request; what is logged of it is made only if there is room for it.
    pub fn note(&self, identity: &Identity, at: i64, failed: bool, request: impl FnOnce() -> Answered) {
        let mut noted = self.lock();
        let hour = at - at.rem_euclid(HOUR);
        let count = noted.hours.entry((identity.workspace, identity.key, hour)).or_insert((identity.user, 0, 0));
        count.1 += 1;
        count.2 += i64::from(failed);
        if noted.requests.len() < MOST {
            let mut request = request();
            shorten(&mut request.path);
            shorten(&mut request.query);
            noted.requests.push(request);
        }
    }

    /// Writes what was noted; what can't be written is lost, so that the journal does not grow while the database is away.
    pub async fn write(&self, app: &App) {
        let Noted { requests, hours } = std::mem::take(&mut *self.lock());
        if hours.is_empty() {
            return;
        }
        let written = app.store.bookkeep(move |tx| requests::write(tx, &requests, &hours));
        if let Err(error) = written.await {
            tracing::warn!(%error, "requests could not be logged");
        }
    }

    fn lock(&self) -> MutexGuard<'_, Noted> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Up to a whole character.
fn shorten(text: &mut String) {
    if text.len() > LONGEST {
        let end = (0..=LONGEST).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.truncate(end);
    }
}

/// Forgets what is old, workspace by workspace.
pub async fn forget(app: &Arc<App>) {
    let forgotten = async {
        for workspace in app.store.read(Lane::Slow, crm::workspace::list).await? {
            app.store.bookkeep(move |tx| requests::forget(tx, workspace.id)).await?;
        }
        Ok::<_, Error>(())
    };
    if let Err(error) = forgotten.await {
        tracing::warn!(%error, "old requests could not be forgotten");
    }
}
