//! The rate limit: a fixed hour per owner, from the first request on.
//!
//! A node reserves a block of requests in the owner's row before it lets them pass, reserves the next
//! block when half is used, and releases the rest when idle. So there is no write per request, and
//! all nodes together never let more than the limit pass, even if nodes crash.

use crate::clock::{instant, now_ms};
use crm::api::call::Rate;
use papaya::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use store::{Error, Store, Tx, Uuid};

const HOUR: i64 = 3_600_000;
/// How long requests of an owner at the limit are refused before the row is read again.
const REFUSE_TIME: Duration = Duration::from_millis(500);

#[derive(Default)]
pub(crate) struct Limiter {
    windows: HashMap<(Uuid, Uuid), Arc<Window>>,
}

#[derive(Default)]
struct Window {
    state: Mutex<State>,
    /// Held while the row is written, so that blocks are added in the order of their reservation.
    taking: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct State {
    started: i64,
    /// Reserved in the row by all nodes, as of the last read.
    used: i64,
    /// Reserved by this node and not used yet.
    left: i64,
    /// Passed while the row could not be written; added to the row later.
    unwritten: i64,
    /// Size of the last block.
    block: i64,
    /// The database's clock minus ours.
    skew: i64,
    taking: bool,
    empty_since: Option<Instant>,
    last_used: Option<Instant>,
}

pub(crate) enum Verdict {
    Pass(Rate),
    Stop(Rate),
}

impl Limiter {
    pub(crate) async fn count(&self, store: &Store, workspace: Uuid, user: Uuid, limit: i64) -> Result<Verdict, Error> {
        let window = self.windows.pin().get_or_insert_with((workspace, user), Arc::default).clone();
        loop {
            if let Some(verdict) = window.spend(limit) {
                if window.wants_more(limit) {
                    let (window, store) = (window.clone(), store.clone());
                    tokio::spawn(async move {
                        let _one_at_a_time = window.taking.lock().await;
                        let taken = take(&store, workspace, user, limit, 0).await;
                        window.lock().taking = false;
                        if let Ok(taken) = taken {
                            window.add(taken, 0);
                        }
                    });
                }
                return Ok(verdict);
            }
            let _one_at_a_time = window.taking.lock().await;
            if let Some(verdict) = window.spend(limit) {
                return Ok(verdict);
            }
            let unwritten = window.lock().unwritten;
            match take(store, workspace, user, limit, unwritten).await {
                Ok(taken) => window.add(taken, unwritten),
                // With an embedded database on a full disk, the only node counts in memory, so that reads still work.
                Err(Error::Unavailable(why)) if !store.dialect().is_shared() => {
                    return window.pass_unwritten(limit).ok_or(Error::Unavailable(why));
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The owner's remaining requests as last known on this node.
    pub(crate) fn last(&self, workspace: Uuid, user: Uuid, limit: i64) -> Rate {
        match self.windows.pin().get(&(workspace, user)) {
            Some(window) => window.lock().rate(limit),
            None => State { started: now_ms(), ..State::default() }.rate(limit),
        }
    }

    /// Releases reserved requests of idle owners.
    pub(crate) async fn release(&self, store: &Store, idle: Duration) {
        let windows: Vec<_> = self.windows.pin().iter().map(|(owner, window)| (*owner, window.clone())).collect();
        for ((workspace, user), window) in windows {
            let _one_at_a_time = window.taking.lock().await;
            let Some(Released { started, left, unwritten }) = window.release(idle) else { continue };
            const BACK: &str =
                "UPDATE rate_windows SET used = used - $1 WHERE workspace_id = $2 AND user_id = $3 AND started_at = $4";
            let params = [(left - unwritten).into(), workspace.into(), user.into(), started.into()];
            let given = store.bookkeep(move |tx| tx.execute(BACK, &params));
            if let Err(error) = given.await {
                tracing::warn!(%error, "failed to release reserved rate-limit quota; it is unavailable until the window ends");
                let mut state = window.lock();
                state.used -= unwritten;
                state.unwritten += unwritten;
            }
        }
    }
}

/// Whether a window is open at `now`. A window that starts later was written by a clock that was set back since; a few
/// seconds are tolerated, because each node estimates the database's clock.
fn is_running(started: i64, now: i64) -> bool {
    now < started + HOUR && started <= now + 10_000
}

impl State {
    fn rate(&self, limit: i64) -> Rate {
        let remaining = (limit - self.used + self.left - self.unwritten).clamp(0, limit.max(0));
        Rate { limit, remaining, reset: (self.started + HOUR + 999) / 1000 }
    }
}

impl Window {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Passes if this node has reserved requests left, stops if the row had none a moment ago, and is `None` if the row must be
    /// read.
    fn spend(&self, limit: i64) -> Option<Verdict> {
        let mut state = self.lock();
        let now = now_ms() + state.skew;
        let running = state.started > 0 && is_running(state.started, now);
        if running && state.left > 0 && state.used - state.left < limit {
            state.left -= 1;
            state.last_used = Some(instant());
            return Some(Verdict::Pass(state.rate(limit)));
        }
        if running && state.empty_since.is_some_and(|since| since.elapsed() < REFUSE_TIME) {
            return Some(Verdict::Stop(Rate { remaining: 0, ..state.rate(limit) }));
        }
        None
    }

    fn wants_more(&self, limit: i64) -> bool {
        let mut state = self.lock();
        let more = !state.taking && state.left < state.block / 2 && state.used < limit;
        state.taking |= more;
        more
    }

    /// Passes without a reservation in the row; `None` if the limit is reached.
    fn pass_unwritten(&self, limit: i64) -> Option<Verdict> {
        let mut state = self.lock();
        let now = now_ms() + state.skew;
        if state.started == 0 || !is_running(state.started, now) {
            *state = State { started: now, skew: state.skew, taking: state.taking, ..State::default() };
        }
        if state.used - state.left + state.unwritten >= limit {
            return None;
        }
        state.unwritten += 1;
        state.last_used = Some(instant());
        Some(Verdict::Pass(state.rate(limit)))
    }

    /// Adds a reserved block. The row now includes `written` of the unwritten requests.
    fn add(&self, taken: Taken, written: i64) {
        let mut state = self.lock();
        if taken.started != state.started {
            // Reservations of the last hour are not valid in this one.
            *state =
                State { started: taken.started, taking: state.taking, unwritten: state.unwritten, ..State::default() };
        }
        state.unwritten = (state.unwritten - written).max(0);
        state.used = state.used.max(taken.used);
        state.left += taken.block;
        state.block = taken.block;
        state.skew = taken.now - now_ms();
        state.empty_since = (taken.block == 0).then(instant);
    }

    fn release(&self, idle: Duration) -> Option<Released> {
        let mut state = self.lock();
        let some = state.left > 0 || state.unwritten > 0;
        let idle = some && !state.taking && state.last_used.is_none_or(|at| at.elapsed() >= idle);
        idle.then(|| {
            let (left, unwritten) = (std::mem::take(&mut state.left), std::mem::take(&mut state.unwritten));
            state.used += unwritten - left;
            Released { started: state.started, left, unwritten }
        })
    }
}

/// The correction to an idle owner's row: unused and unwritten requests.
struct Released {
    started: i64,
    left: i64,
    unwritten: i64,
}

struct Taken {
    started: i64,
    used: i64,
    block: i64,
    now: i64,
}

/// Reserves the next block in the owner's row, in the current window or a new one.
async fn take(store: &Store, workspace: Uuid, user: Uuid, limit: i64, unwritten: i64) -> Result<Taken, Error> {
    store.bookkeep(move |tx| take_block(tx, workspace, user, limit, unwritten)).await
}

fn take_block(tx: &mut dyn Tx, workspace: Uuid, user: Uuid, limit: i64, unwritten: i64) -> Result<Taken, Error> {
    const MAKE: &str = "INSERT INTO rate_windows (workspace_id, user_id, started_at, used) VALUES ($1, $2, 0, 0) ON CONFLICT DO NOTHING";
    const WRITE: &str = "UPDATE rate_windows SET started_at = $1, used = $2 WHERE workspace_id = $3 AND user_id = $4";
    tx.execute(MAKE, &[workspace.into(), user.into()])?;
    let read = format!(
        "SELECT started_at, used, {} FROM rate_windows WHERE workspace_id = $1 AND user_id = $2{}",
        tx.dialect().clock(),
        tx.dialect().lock()
    );
    let row = tx.one(&read, &[workspace.into(), user.into()], |row| Ok((row.int(0)?, row.int(1)?, row.int(2)?)))?;
    let (mut started, mut used, now) = row.ok_or_else(|| Error::Internal("the owner has no window".into()))?;
    if !is_running(started, now) {
        (started, used) = (now, 0);
    }
    used += unwritten;
    let block = block(limit, limit - used);
    used += block;
    tx.execute(WRITE, &[started.into(), used.into(), workspace.into(), user.into()])?;
    Ok(Taken { started, used, block, now })
}

/// A sixteenth of the remaining requests, but so few that a crash costs an owner at most one percent.
fn block(limit: i64, remaining: i64) -> i64 {
    let most = (limit / 200).clamp(1, 16_384);
    (remaining / 16).clamp(1, most).min(remaining.max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_of_a_clock_that_ran_ahead_does_not_last() {
        let now = 1_800_000_000_000;
        assert!(is_running(now, now) && is_running(now - HOUR + 1, now) && is_running(now + 500, now));
        assert!(!is_running(now - HOUR, now) && !is_running(now + 60_000, now) && !is_running(now + 24 * HOUR, now));
    }

    #[test]
    fn blocks_are_small_and_end_in_ones() {
        assert_eq!(block(2000, 2000), 10);
        assert_eq!(block(2000, 100), 6);
        assert_eq!(block(2000, 7), 1);
        assert_eq!(block(2000, 0), 0);
        assert_eq!(block(2000, -5), 0);
        assert_eq!(block(1_000_000, 1_000_000), 5000);
        assert_eq!(block(10_000_000, 10_000_000), 16_384);
        assert_eq!(block(3, 3), 1);
        for limit in [100, 2000, 50_000, 10_000_000] {
            // A crash loses at most a block and a half.
            assert!(block(limit, limit) * 3 / 2 <= (limit / 100).max(1), "{limit}");
        }
    }
}
