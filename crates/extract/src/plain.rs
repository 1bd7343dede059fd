//! Plain text: UTF-8, UTF-16 with a byte order mark, and otherwise Windows-1252.

use encoding_rs::{UTF_8, WINDOWS_1252};

pub(crate) fn text(bytes: &[u8]) -> String {
    let encoding = if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { WINDOWS_1252 };
    // A byte order mark overrides the guess, and is removed.
    encoding.decode(bytes).0.into_owned()
}
