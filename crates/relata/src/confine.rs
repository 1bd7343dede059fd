//! Confinement of the child processes that parse untrusted input. Such a process gives up memory, files, network and
//! the right to start programs before it reads the first byte. Where the kernel lacks a feature, the others still
//! apply.

use crate::Exit;
use connect::mail::wire::Confinement;
use rustix::process::{Resource, Rlimit, setrlimit};
use std::os::unix::process::CommandExt;

/// Sets limits and restarts the program in this process, because the allocator may have reserved more address space
/// than the limit allows. Returns only if that fails.
pub(crate) fn restart_limited(limits: &[(Resource, u64)], arguments: &[&str]) -> Exit {
    if let Err(exit) = limit(limits) {
        return exit;
    }
    let program = match crate::program() {
        Ok(program) => program,
        Err(exit) => return exit,
    };
    let mut command = std::process::Command::new(program);
    Exit::failed(command.args(arguments).args(["--limited", "--config", "/dev/null"]).env_clear().exec())
}

/// Runs `work` in a confined thread with a large stack: parsers recurse as deep as their input is nested.
pub(crate) fn run<W>(stack: usize, work: W) -> Result<(), Exit>
where
    W: FnOnce(Confinement) -> Result<(), Exit> + Send + 'static,
{
    // A parser may panic, and the message may quote the input.
    std::panic::set_hook(Box::new(|_| {}));
    // Threads inherit this.
    let landlock = linux::deny_files_and_network();
    let no_new_privs = linux::drop_privileges();
    let (ready, started) = std::sync::mpsc::channel::<()>();
    let (begin, begun) = std::sync::mpsc::channel::<Confinement>();
    let worker = std::thread::Builder::new().stack_size(stack).spawn(move || {
        ready.send(()).map_err(Exit::failed)?;
        work(begun.recv().map_err(Exit::failed)?)
    });
    let worker = worker.map_err(Exit::failed)?;
    started.recv().map_err(Exit::failed)?;
    // From here on only standard input, output and error and this thread are needed.
    limit(&[(Resource::Nofile, 3), (Resource::Nproc, 0)])?;
    let seccomp = linux::filter_system_calls();
    begin.send(Confinement { no_new_privs, seccomp, landlock }).map_err(Exit::failed)?;
    worker.join().unwrap_or_else(|_| Err(Exit::failed("the input can't be read")))
}

/// `relata confinement`: prints what this machine's kernel supports, and tests that a confined process can't escape.
pub(crate) fn check() -> Result<(), Exit> {
    run(1 << 20, |confinement| {
        println!("no_new_privs: {}", confinement.no_new_privs);
        println!("seccomp: {}", confinement.seccomp);
        println!("landlock: {}", confinement.landlock);
        try_files();
        println!("open a socket: {}", verdict(std::net::UdpSocket::bind("127.0.0.1:0")));
        try_connect();
        println!("start a program: {}", verdict(std::process::Command::new("/bin/true").status()));
        println!("replace itself: {}", verdict::<()>(Err(std::process::Command::new("/bin/true").exec())));
        println!("start a thread: {}", verdict(std::thread::Builder::new().spawn(|| {})));
        Ok(())
    })
}

/// `relata confinement --landlock`: the same for Landlock alone, since the filter of system calls hides what it denies.
pub(crate) fn check_landlock() -> Result<(), Exit> {
    println!("landlock: {}", linux::deny_files_and_network());
    try_files();
    try_connect();
    println!("replace itself: {}", verdict::<()>(Err(std::process::Command::new("/bin/true").exec())));
    Ok(())
}

fn try_files() {
    println!("read a file: {}", verdict(std::fs::File::open("/proc/self/status")));
    println!("write a file: {}", verdict(std::fs::File::create("/tmp/relata-confinement")));
}

fn try_connect() {
    println!("connect: {}", verdict(std::net::TcpStream::connect("127.0.0.1:1")));
}

/// Only a refusal by the kernel counts; an attempt that fails for another reason may succeed elsewhere.
fn verdict<T>(tried: std::io::Result<T>) -> String {
    match tried {
        Ok(_) => "ALLOWED".to_owned(),
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => "denied".to_owned(),
        Err(error) => format!("failed: {error}"),
    }
}

fn limit(limits: &[(Resource, u64)]) -> Result<(), Exit> {
    for (resource, most) in limits {
        let limit = Rlimit { current: Some(*most), maximum: Some(*most) };
        setrlimit(*resource, limit).map_err(Exit::failed)?;
    }
    Ok(())
}

#[cfg(target_os = "linux")]
mod linux {
    use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetError, RulesetStatus, Scope};
    use rustix::thread::{CapabilitySet, CapabilitySets};
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    };
    use std::collections::BTreeMap;

    /// Landlock without any rule: no file can be opened, no TCP connection made, no other process signalled.
    pub(super) fn deny_files_and_network() -> bool {
        let restrict = || -> Result<_, RulesetError> {
            Ruleset::default()
                .handle_access(AccessFs::from_all(ABI::V6))?
                .handle_access(AccessNet::from_all(ABI::V6))?
                .scope(Scope::from_all(ABI::V6))?
                .create()?
                .restrict_self()
        };
        restrict().is_ok_and(|status| status.ruleset != RulesetStatus::NotEnforced)
    }

    /// Programs started from here gain no privileges, and those of root are dropped.
    pub(super) fn drop_privileges() -> bool {
        let none = CapabilitySet::empty();
        let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
        // This fails in a process without privileges, which has none to drop.
        let _ = rustix::thread::set_capabilities(None, sets);
        rustix::thread::set_no_new_privs(true).is_ok()
    }

    /// Allows only the system calls that computing needs: memory, the open pipes, exit. All others fail with EPERM, in
    /// all threads.
    pub(super) fn filter_system_calls() -> bool {
        filter().is_some_and(|filter| seccompiler::apply_filter_all_threads(&filter).is_ok())
    }

    fn filter() -> Option<BpfProgram> {
        let mut calls: BTreeMap<i64, Vec<SeccompRule>> = ALLOWED.iter().map(|call| (*call, Vec::new())).collect();
        // Only standard input, output and error, even if the server inherited other open files.
        for (call, operator, most) in [
            (libc::SYS_read, SeccompCmpOp::Eq, 0),
            (libc::SYS_readv, SeccompCmpOp::Eq, 0),
            (libc::SYS_write, SeccompCmpOp::Le, 2),
            (libc::SYS_writev, SeccompCmpOp::Le, 2),
        ] {
            calls.insert(call, vec![rule(0, operator, most)?]);
        }
        // Memory, but not executable.
        let executable = libc::PROT_EXEC as u64;
        for call in [libc::SYS_mmap, libc::SYS_mprotect] {
            calls.insert(call, vec![rule(2, SeccompCmpOp::MaskedEq(executable), 0)?]);
        }
        // The signal that `abort` sends to the process itself.
        calls.insert(libc::SYS_tgkill, vec![rule(0, SeccompCmpOp::Eq, u64::from(std::process::id()))?]);
        let denied = SeccompAction::Errno(libc::EPERM as u32);
        let arch = std::env::consts::ARCH.try_into().ok()?;
        SeccompFilter::new(calls, denied, SeccompAction::Allow, arch).ok()?.try_into().ok()
    }

    fn rule(argument: u8, operator: SeccompCmpOp, value: u64) -> Option<SeccompRule> {
        let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value).ok()?;
        SeccompRule::new(vec![condition]).ok()
    }

    const ALLOWED: &[i64] = &[
        libc::SYS_close,
        libc::SYS_brk,
        libc::SYS_munmap,
        libc::SYS_mremap,
        libc::SYS_madvise,
        libc::SYS_futex,
        libc::SYS_sched_yield,
        libc::SYS_nanosleep,
        libc::SYS_clock_nanosleep,
        libc::SYS_clock_gettime,
        libc::SYS_getrandom,
        libc::SYS_getpid,
        libc::SYS_gettid,
        libc::SYS_getcpu,
        libc::SYS_rt_sigaction,
        libc::SYS_rt_sigprocmask,
        libc::SYS_rt_sigreturn,
        libc::SYS_sigaltstack,
        libc::SYS_restart_syscall,
        libc::SYS_exit,
        libc::SYS_exit_group,
    ];
}

/// On other systems only the limits on memory, time and files apply.
#[cfg(not(target_os = "linux"))]
mod linux {
    pub fn deny_files_and_network() -> bool {
        false
    }
    pub fn drop_privileges() -> bool {
        false
    }
    pub fn filter_system_calls() -> bool {
        false
    }
}
