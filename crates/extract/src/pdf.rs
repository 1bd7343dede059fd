//! PDF, read by unpdf.

use unpdf::{ParseOptions, parse_bytes_with_options};

pub fn text(bytes: &[u8]) -> Option<String> {
    // In order and on this thread: the process may start no other. If there is a pool already, it has its threads.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
    let options = ParseOptions::new().lenient().sequential();
    Some(parse_bytes_with_options(bytes, options).ok()?.plain_text())
}
