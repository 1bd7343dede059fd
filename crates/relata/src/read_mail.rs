//! `relata read-mail`: parses mails one after another in a confined process, over the protocol of
//! `connect::mail::wire`. The server keeps a few of these processes; a crash only loses the mail that caused it.

use crate::{Exit, confine};
use connect::mail::{self, Mail, wire};
use rustix::process::Resource;
use rustix::time::{ClockId, clock_gettime};

/// Address space, in bytes.
const MEMORY: u64 = 768 << 20;
/// Limit of CPU time in seconds. The server allows one mail 10 s, so a process that has used up `RETIRED` exits before
/// the kernel kills it.
const WORK: u64 = 60;
const RETIRED: i64 = 40;
/// A nested message is dropped recursively, once for each level.
const STACK: usize = 128 << 20;

pub(crate) fn run(limited: bool) -> Result<(), Exit> {
    if !limited {
        let limits = [(Resource::As, MEMORY), (Resource::Cpu, WORK), (Resource::Core, 0)];
        return Err(confine::restart_limited(&limits, &["read-mail"]));
    }
    // The process ends with its input; the signal ends it even if it is busy.
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL)).map_err(Exit::failed)?;
    confine::run(STACK, |confinement| serve(confinement).map_err(Exit::failed))
}

fn serve(confinement: wire::Confinement) -> std::io::Result<()> {
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    wire::give_confinement(&mut output, confinement)?;
    while let Some((what, bytes)) = wire::take_request(&mut input)? {
        let mail = match what {
            wire::What::Whole => mail::read(&bytes),
            wire::What::Headers => mail::read_headers(&bytes),
        };
        let last = is_last(&mail);
        wire::give_answer(&mut output, mail, last)?;
        if last {
            break;
        }
    }
    Ok(())
}

/// Whether to replace this process: the mail was leaked, or much time has been used.
fn is_last(mail: &Mail) -> bool {
    mail.omitted.is_some() || clock_gettime(ClockId::ProcessCPUTime).tv_sec >= RETIRED
}
