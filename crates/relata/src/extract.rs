//! `relata extract`: the text of a document, read by a process that first takes from itself what a hostile file could
//! misuse. Whatever happens in here, the server that started it goes on.

use crate::Exit;
use rustix::process::{Resource, Rlimit, setrlimit};
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;

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
    if limited { read(content_type) } else { Err(begin_again(content_type)) }
}

/// Sets the limits and starts the program anew in this process: an allocator that has set itself up before takes more
/// than it should be given. Returns only if that fails.
fn begin_again(content_type: &str) -> Exit {
    let limits = [(Resource::As, MEMORY), (Resource::Cpu, WORK), (Resource::Fsize, OUTPUT), (Resource::Core, 0)];
    if let Err(exit) = limit(&limits) {
        return exit;
    }
    let program = match crate::program() {
        Ok(program) => program,
        Err(exit) => return exit,
    };
    let arguments = ["extract", "--type", content_type, "--limited", "--config", "/dev/null"];
    Exit::failed(std::process::Command::new(program).args(arguments).env_clear().exec())
}

fn read(content_type: &str) -> Result<(), Exit> {
    let content_type = content_type.to_owned();
    let (begin, begun) = std::sync::mpsc::channel::<()>();
    let reader = std::thread::Builder::new().stack_size(STACK).spawn(move || -> Result<(), Exit> {
        begun.recv().map_err(Exit::failed)?;
        let mut content = Vec::new();
        std::io::stdin().take(INPUT).read_to_end(&mut content).map_err(Exit::failed)?;
        let text: String = extract::text(&content_type, &content).chars().take(TEXT).collect();
        std::io::stdout().write_all(text.as_bytes()).map_err(Exit::failed)
    });
    let reader = reader.map_err(Exit::failed)?;
    // A defect in a parser is no news; what it says of a stranger's file is nobody's business.
    std::panic::set_hook(Box::new(|_| {}));
    // Standard input, output and error are open, and one thread runs; nothing else will.
    limit(&[(Resource::Nofile, 3), (Resource::Nproc, 0)])?;
    begin.send(()).map_err(Exit::failed)?;
    reader.join().unwrap_or_else(|_| Err(Exit::failed("the document can't be read")))
}

fn limit(limits: &[(Resource, u64)]) -> Result<(), Exit> {
    for (resource, most) in limits {
        let limit = Rlimit { current: Some(*most), maximum: Some(*most) };
        setrlimit(*resource, limit).map_err(Exit::failed)?;
    }
    Ok(())
}
