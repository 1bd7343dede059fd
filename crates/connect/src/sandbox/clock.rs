//! The sandbox's clock: that of the machine, as a mail server's would be.

use std::time::SystemTime;

use jiff::Timestamp;

#[expect(clippy::disallowed_methods, reason = "this is the clock of a world of its own")]
pub fn now() -> Timestamp {
    Timestamp::try_from(SystemTime::now()).unwrap_or_default()
}
