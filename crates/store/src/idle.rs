//! Threads of a pool that wait for work.

use crate::instant::instant;
use std::thread::{self, Thread, ThreadId};
use std::time::{Duration, Instant};

/// The waiting threads. The one that became idle last is woken first: its connection is open and its statements are
/// prepared. So a quiet server opens few connections, and those stay warm.
///
/// The list is part of the state that its pool keeps under a lock. A thread enters the list, releases the lock, parks,
/// takes the lock again, leaves the list and checks for work; a caller that adds work takes a thread from the list and
/// unparks it.
#[derive(Default)]
pub(crate) struct Idle {
    threads: Vec<Thread>,
    /// Whether a thread of the pool has opened a connection before.
    is_warm: bool,
    /// The thread that opens a connection, and since when.
    opening: Option<(ThreadId, Instant)>,
}

/// How long a thread without a connection leaves new work to the others, each time.
pub(crate) const GIVE_WAY: Duration = Duration::from_millis(25);
/// How long threads without a connection wait for one that opens its own. PostgreSQL needs about 30 ms for each connection,
/// and much longer on a busy machine; without this, the work of the start would open all of them at once.
const LONGEST_OPENING: Duration = Duration::from_secs(1);

impl Idle {
    pub(crate) fn enter(&mut self) {
        self.threads.push(thread::current());
    }

    /// A thread that was not woken by work is still in the list.
    pub(crate) fn leave(&mut self) {
        let own = thread::current().id();
        self.threads.retain(|thread| thread.id() != own);
    }

    /// The thread to unpark for new work; `None` if all are busy, which look for work before they wait.
    pub(crate) fn take_last(&mut self) -> Option<Thread> {
        self.threads.pop()
    }

    pub(crate) fn take_all(&mut self) -> Vec<Thread> {
        std::mem::take(&mut self.threads)
    }

    /// Whether a thread without a connection may take work, and so open one: the first of a pool at once, others if they left
    /// it to the rest before. One thread opens at a time.
    pub(crate) fn may_open(&mut self, gave_way: bool) -> bool {
        let now = instant();
        let is_opening = self.opening.is_some_and(|(_, since)| now.saturating_duration_since(since) < LONGEST_OPENING);
        if is_opening || self.is_warm && !gave_way {
            return false;
        }
        (self.is_warm, self.opening) = (true, Some((thread::current().id(), now)));
        true
    }

    /// Called by each thread before it looks for work: it no longer opens a connection.
    pub(crate) fn opened(&mut self) {
        if self.opening.is_some_and(|(thread, _)| thread == thread::current().id()) {
            self.opening = None;
        }
    }
}

pub(crate) fn wake(threads: impl IntoIterator<Item = Thread>) {
    threads.into_iter().for_each(|thread| thread.unpark());
}
