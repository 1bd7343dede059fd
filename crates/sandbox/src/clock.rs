//! The sandbox's clock: the machine's, like that of a real mail server.

use std::time::SystemTime;

use jiff::Timestamp;

#[expect(clippy::disallowed_methods, reason = "the sandbox stands for servers with clocks of their own")]
pub(crate) fn now() -> Timestamp {
    Timestamp::try_from(SystemTime::now()).unwrap_or_default()
}
