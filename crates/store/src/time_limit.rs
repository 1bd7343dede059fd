//! How long a read of the embedded database may take. The limit belongs to the thread that runs it.

use crate::queue::instant;
use std::cell::Cell;
use std::time::Duration;

thread_local! {
    static IS_LIFTED: Cell<bool> = const { Cell::new(false) };
}

/// Begins a read; gives what tells whether its time is over.
pub(crate) fn begin(limit: Duration) -> impl FnMut() -> bool + Send + 'static {
    IS_LIFTED.set(false);
    let end = instant() + limit;
    move || instant() > end && !IS_LIFTED.get()
}

/// Lifts the limit from the read that this thread runs.
pub(crate) fn lift() {
    IS_LIFTED.set(true);
}
