//! PDF, parsed by unpdf.

use unpdf::{ParseOptions, parse_bytes_with_options};

pub(crate) fn text(bytes: &[u8]) -> Option<String> {
    // Use only this thread, because the process may not start others. An error means that a pool exists already.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
    let options = ParseOptions::new().lenient().sequential();
    Some(parse_bytes_with_options(bytes, options).ok()?.plain_text())
}
