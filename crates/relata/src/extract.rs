//! `relata extract`: the text of a document, read by a confined process. Whatever happens in here, the server that
//! started it goes on.

use crate::{Exit, confine};
use rustix::process::Resource;
use std::io::{Read, Write};

/// The largest document, in bytes.
const INPUT: u64 = 16 * 1024 * 1024;
/// Address space, in bytes.
const MEMORY: u64 = 768 << 20;
/// Seconds at work.
const WORK: u64 = 15;
/// Most characters of text.
const TEXT: usize = 200_000;
/// The same in bytes, should standard output be a file.
const OUTPUT: u64 = 4 * TEXT as u64;
/// Parsers nest as deep as a document; a thread with room for that, within the memory.
const STACK: usize = 64 << 20;

pub fn run(content_type: &str, limited: bool) -> Result<(), Exit> {
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
