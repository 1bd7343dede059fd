//! Threads of a pool that wait for work.

use std::thread::{self, Thread};
use std::time::Duration;

/// The waiting threads. The one that became idle last is woken first: its connection is open and its statements are
/// prepared. So a quiet server opens few connections, and those stay warm.
///
/// The list is part of the state that its pool keeps under a lock. A thread enters the list, releases the lock, parks,
/// takes the lock again, leaves the list and checks for work; whoever adds work takes a thread from the list and unparks it.
#[derive(Default)]
pub(crate) struct Idle {
    threads: Vec<Thread>,
    /// Whether a thread of the pool has a connection or opens one.
    has_connection: bool,
}

/// How long a thread without a connection leaves new work to the others..
pub(crate) const GIVE_WAY: Duration = Duration::from_millis(25);

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

    /// Whether a thread without a connection may take work at once: only the first of a pool.
    pub(crate) fn is_first(&mut self) -> bool {
        !std::mem::replace(&mut self.has_connection, true)
    }
}

pub(crate) fn wake(threads: impl IntoIterator<Item = Thread>) {
    threads.into_iter().for_each(|thread| thread.unpark());
}
