//! PDF, read by unpdf.

use unpdf::{ParseOptions, parse_bytes_with_options};

pub fn text(bytes: &[u8]) -> Option<String> {
    // In order and on this thread: the process may start no other.
    let options = ParseOptions::new().lenient().sequential();
    Some(parse_bytes_with_options(bytes, options).ok()?.plain_text())
}
