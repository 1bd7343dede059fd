//! The clock for waits and measurements.

use std::time::Instant;

#[expect(clippy::disallowed_methods, reason = "bounds waits and readings; no rule sees this clock")]
pub(crate) fn instant() -> Instant {
    Instant::now()
}
