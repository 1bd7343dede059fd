//! Plain text: UTF-8, UTF-16 by its mark, and otherwise the single bytes of Western Europe.

use encoding_rs::{UTF_8, WINDOWS_1252};

pub fn text(bytes: &[u8]) -> String {
    let encoding = if std::str::from_utf8(bytes).is_ok() { UTF_8 } else { WINDOWS_1252 };
    // A mark at the beginning wins over the guess, and is taken off.
    encoding.decode(bytes).0.into_owned()
}
