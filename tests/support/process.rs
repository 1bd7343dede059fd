//! The binary under test, run as a server or as an operator's command.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use super::wait::{PATIENCE, eventually};

/// The program under test, without any settings of the caller's environment.
pub(crate) fn relata() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_relata"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("RELATA_") {
            command.env_remove(name);
        }
    }
    command.stdin(Stdio::null());
    command
}

/// A free port below the range of clients' ports. It stays reserved until the end of the run: while a server is down,
/// no other run on this machine may use it.
pub(crate) fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    static TAKEN: Mutex<Vec<File>> = Mutex::new(Vec::new());
    const FIRST: u16 = 20_000;
    const COUNT: u16 = 12_000;
    // Several runs on one machine start at different ports.
    let start = (std::process::id() % u32::from(COUNT)) as u16;
    for _ in 0..COUNT {
        let port = FIRST + (start + NEXT.fetch_add(1, Ordering::Relaxed) % COUNT) % COUNT;
        let sign = std::env::temp_dir().join(format!("relata-port-{port}"));
        let Ok(sign) = File::options().create(true).append(true).open(sign) else { continue };
        if sign.try_lock().is_ok() && TcpListener::bind(("127.0.0.1", port)).is_ok() {
            TAKEN.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(sign);
            return port;
        }
    }
    panic!("no free port between {FIRST} and {}", FIRST + COUNT);
}

/// A running `relata serve`; killed when dropped.
pub(crate) struct Server {
    child: Child,
    port: u16,
    log: PathBuf,
}

impl Server {
    /// Starts a server and waits until it is healthy.
    pub(crate) fn start(port: u16, options: &[String], log: &Path) -> Server {
        Server::start_by(None, port, options, log)
    }

    /// The same by a shell command that gets the program and its arguments.
    pub(crate) fn start_by(shell: Option<&str>, port: u16, options: &[String], log: &Path) -> Server {
        let mut server = Server::launch_by(shell, port, options, log);
        eventually("the server's /healthz", PATIENCE, || {
            if let Some(status) = server.exited() {
                panic!("the server ended with {status} before it was healthy:\n{}", server.log());
            }
            server.is_healthy().then_some(())
        });
        server
    }

    /// Starts a server without waiting.
    pub(crate) fn launch(port: u16, options: &[String], log: &Path) -> Server {
        Server::launch_by(None, port, options, log)
    }

    fn launch_by(shell: Option<&str>, port: u16, options: &[String], log: &Path) -> Server {
        let out = File::options()
            .create(true)
            .append(true)
            .open(log)
            .unwrap_or_else(|error| panic!("cannot open the server's log {}: {error}", log.display()));
        let errors = out.try_clone().unwrap_or_else(|error| panic!("cannot share the server's log: {error}"));
        let mut program = relata();
        if let Some(line) = shell {
            let relata = program.get_program().to_owned();
            program = Command::new("bash");
            program.args(["-c", line, "bash"]).arg(relata).stdin(Stdio::null());
        }
        let child = program
            .arg("serve")
            .args(["--listen", &format!("127.0.0.1:{port}")])
            .args(options)
            // The servers of tests may connect to mail servers and providers on this machine.
            .env("RELATA_ALLOW_PRIVATE_HOSTS", "127.0.0.0/8,::1")
            // No name server is there, so that tests ask none outside this machine.
            .env("RELATA_DNS_SERVER", "127.0.0.1:9")
            .stdout(out)
            .stderr(errors)
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start the server: {error}"));
        Server { child, port, log: log.to_owned() }
    }

    /// The process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn origin(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The log of the server so far.
    pub(crate) fn log(&self) -> String {
        let bytes = fs::read(&self.log).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub(crate) fn is_healthy(&self) -> bool {
        ureq::get(format!("{}/healthz", self.origin())).call().is_ok_and(|answer| answer.status() == 200)
    }

    /// The exit status, if the server has ended.
    pub(crate) fn exited(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().unwrap_or_else(|error| panic!("cannot ask after the server: {error}"))
    }

    /// Asks the server to stop, as a service manager does.
    pub(crate) fn terminate(&self) {
        let status = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        assert!(status.is_ok_and(|status| status.success()), "cannot send SIGTERM to the server");
    }

    /// Waits until the server has stopped.
    pub(crate) fn wait(&mut self, patience: Duration) -> ExitStatus {
        eventually("the server's end", patience, || self.exited())
    }

    /// Kills the server like a power cut.
    pub(crate) fn kill9(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        self.child.wait().unwrap_or_else(|error| panic!("cannot wait for the killed server: {error}"));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let ended = self.child.try_wait().ok().flatten();
        self.kill9();
        if std::thread::panicking() {
            if let Some(status) = ended {
                println!("the server had ended before the story did: {status}");
            }
            let log = self.log();
            let tail: Vec<&str> = log.lines().rev().take(30).collect();
            let tail: Vec<&str> = tail.into_iter().rev().collect();
            println!("--- the end of the server's log ---\n{}", tail.join("\n"));
        }
    }
}

/// A command that has run to its end.
pub(crate) struct Ran {
    pub command: String,
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub(crate) fn of(mut command: Command) -> Ran {
        let output = command.output().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
        Ran {
            command: format!("{command:?}"),
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Checks that the command succeeded; returns its output without the final line end.
    #[track_caller]
    pub(crate) fn ok(&self) -> &str {
        assert_eq!(self.code, Some(0), "should have worked: {self}");
        self.out.trim_end()
    }

    /// Checks that the command was refused: a non-zero exit code, nothing on standard output that a script could take
    /// for a result, and a message on standard error, which is returned.
    #[track_caller]
    pub(crate) fn refused(&self) -> &str {
        assert!(self.code.is_some_and(|code| code != 0), "should have been refused: {self}");
        assert!(self.out.trim().is_empty(), "printed a result although it failed: {self}");
        assert!(!self.err.trim().is_empty(), "gave no reason: {self}");
        assert!(!self.err.contains("panicked at"), "panicked instead of refusing: {self}");
        self.err.trim()
    }
}

impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}\n  exit code: {:?}\n  stdout: {}\n  stderr: {}", self.command, self.code, self.out, self.err)
    }
}
