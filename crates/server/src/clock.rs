//! The server's clock. Rules have the stamp instead.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

#[expect(clippy::disallowed_methods, reason = "this is the clock that others are given")]
pub fn now_ms() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as i64)
}

#[expect(clippy::disallowed_methods, reason = "this is the clock that others are given")]
pub fn instant() -> Instant {
    Instant::now()
}
