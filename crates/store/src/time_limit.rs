//! The time limit of a read on SQLite. It belongs to the thread that runs the read.

use crate::instant::instant;
use std::cell::Cell;
use std::time::Duration;

thread_local! {
    static IS_LIFTED: Cell<bool> = const { Cell::new(false) };
}

/// Starts a read; the returned closure says whether its time is over.
pub(crate) fn begin(limit: Duration) -> impl FnMut() -> bool + Send + 'static {
    IS_LIFTED.set(false);
    let end = instant() + limit;
    move || instant() > end && !IS_LIFTED.get()
}

/// Lifts the limit of the read that this thread is running.
pub(crate) fn lift() {
    IS_LIFTED.set(true);
}
