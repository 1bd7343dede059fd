//! `relata extract`: extracts the text of a document in a confined process, so that a crash does not affect the server.

use crate::{Exit, confine};
use rustix::process::Resource;
use std::io::{Read, Write};

/// The largest document, in bytes.
const INPUT: u64 = 16 * 1024 * 1024;
/// Address space, in bytes.
const MEMORY: u64 = 768 << 20;
/// Limit of CPU time in seconds.
const WORK: u64 = 15;
/// Maximum number of characters of text.
const TEXT: usize = 200_000;
/// The same in bytes, in case standard output is a file.
const OUTPUT: u64 = 4 * TEXT as u64;
/// Stack size: parsers recurse as deep as a document is nested.
const STACK: usize = 64 << 20;

pub(crate) fn run(content_type: &str, limited: bool) -> Result<(), Exit> {
    if !limited {
        let limits = [(Resource::As, MEMORY), (Resource::Cpu, WORK), (Resource::Fsize, OUTPUT), (Resource::Core, 0)];
        return Err(confine::restart_limited(&limits, &["extract", "--type", content_type]));
    }
    let content_type = content_type.to_owned();
    confine::run(STACK, move |_| {
        let mut content = Vec::new();
        std::io::stdin().take(INPUT).read_to_end(&mut content).map_err(Exit::failed)?;
        let text: String = extract::text(&content_type, &content).chars().take(TEXT).collect();
        std::io::stdout().write_all(text.as_bytes()).map_err(Exit::failed)
    })
}
