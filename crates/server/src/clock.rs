//! The server's clock. The rules of `crm` use the stamp of their transaction instead.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

#[expect(clippy::disallowed_methods, reason = "the only place that reads the clock")]
pub(crate) fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

#[expect(clippy::disallowed_methods, reason = "the only place that reads the clock")]
pub(crate) fn instant() -> Instant {
    Instant::now()
}
