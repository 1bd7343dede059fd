//! Servers as separate processes: starting, measuring, stopping.

use crate::Fault;
use crate::clock;
use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

pub(crate) struct Server {
    child: Child,
    pub address: SocketAddr,
    /// From the start of the process until it listens.
    pub started_in: Duration,
}

impl Server {
    /// Waits for the line on standard output that ends in the address.
    fn start(command: &mut Command) -> Result<Server, Fault> {
        let begun = clock::now();
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let mut lines = BufReader::new(child.stdout.take().ok_or("a child has no standard output")?);
        let mut line = String::new();
        loop {
            line.clear();
            if lines.read_line(&mut line)? == 0 {
                let status = child.wait()?;
                return Err(format!("a server ended at once: {status}").into());
            }
            if let Some((_, address)) = line.trim().split_once("listens on ") {
                let started_in = clock::now() - begun;
                let address = address.trim_start_matches("http://").parse()?;
                // Later output must be read, or the server would block.
                std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::sink()));
                return Ok(Server { child, address, started_in });
            }
        }
    }

    pub(crate) fn hello(size: usize) -> Result<Server, Fault> {
        let mut command = Command::new(std::env::current_exe()?);
        Server::start(command.args(["hello", "--port", "0", "--size", &size.to_string()]))
    }

    /// CPU seconds used so far, in user and kernel mode, by all threads.
    pub(crate) fn cpu(&self) -> Result<f64, Fault> {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        let (_, fields) = stat.rsplit_once(") ").ok_or("/proc/PID/stat has an odd form")?;
        let fields: Vec<&str> = fields.split(' ').collect();
        let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
        Ok((ticks(11) + ticks(12)) / 100.0)
    }

    /// Megabytes by the name that `/proc/PID/status` gives them: `VmRSS`, `RssAnon`.
    pub(crate) fn memory(&self, name: &str) -> Result<f64, Fault> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find(|line| line.starts_with(name)).ok_or("/proc/PID/status has an odd form")?;
        let kilobytes: f64 = line.split_whitespace().nth(1).unwrap_or("0").parse()?;
        Ok(kilobytes / 1024.0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Stop it gracefully first, so that SQLite's log is checkpointed; then kill it, because the bench must end.
        let asked = Command::new("kill").arg(self.child.id().to_string()).status();
        let mut ended = false;
        for _ in 0..if asked.is_ok_and(|status| status.success()) { 200 } else { 0 } {
            ended = matches!(self.child.try_wait(), Ok(Some(_)));
            if ended {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        if !ended {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Local test services: `relata sandbox`.
pub(crate) struct Sandbox {
    child: Child,
    pub smtp: String,
    control: SocketAddr,
}

impl Sandbox {
    /// Its script is written to `folder`.
    pub(crate) fn start(program: &Path, folder: &Path) -> Result<Sandbox, Fault> {
        fs::create_dir_all(folder)?;
        let script = folder.join("sandbox.toml");
        fs::write(&script, "sent_copies = false\n")?;
        let mut command = Command::new(program);
        let mut child =
            command.args(["sandbox", "--script"]).arg(script).stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let lines = BufReader::new(child.stdout.take().ok_or("a child has no standard output")?).lines();
        let lines = lines.map_while(Result::ok).take_while(|line| line != "ready").collect::<Vec<_>>();
        let said =
            |word: &str| lines.iter().find_map(|line| line.strip_prefix(word)).ok_or("the sandbox did not start");
        let (smtp, control) = (said("smtp ")?.to_owned(), said("control http://")?.parse()?);
        Ok(Sandbox { child, smtp, control })
    }

    /// How many mails it has received.
    pub(crate) fn mails(&self) -> Result<u64, Fault> {
        let (_, body) = crate::load::send_one(self.control, &crate::load::get("/mails?limit=1", ""))?;
        let answer: serde_json::Value = serde_json::from_slice(&body)?;
        answer["total"].as_u64().ok_or_else(|| "the sandbox does not count its mails".into())
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An installation of the product: a data folder, and a PostgreSQL database if that is the engine.
#[derive(Clone)]
pub(crate) struct Install {
    pub program: PathBuf,
    pub data: PathBuf,
    pub url: Option<String>,
}

impl Install {
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(words).arg("--data").arg(&self.data);
        if let Some(url) = &self.url {
            command.arg("--database-url").arg(url);
        }
        command
    }

    /// Logs as in production: JSON lines to a file.
    pub(crate) fn serve(&self) -> Result<Server, Fault> {
        fs::create_dir_all(&self.data)?;
        let log = fs::File::create(self.data.join("log"))?;
        Server::start(self.command(&["serve", "--listen", "127.0.0.1:0"]).stderr(log))
    }

    /// The output of an operator's command.
    pub(crate) fn operate(&self, words: &[&str]) -> Result<String, Fault> {
        let output = self.command(words).output()?;
        if !output.status.success() {
            return Err(format!("relata {}: {}", words.join(" "), String::from_utf8_lossy(&output.stderr)).into());
        }
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }

    /// A key whose owner never reaches the rate limit.
    pub(crate) fn key(&self, workspace: Option<&str>) -> Result<String, Fault> {
        let which: &[&str] = match &workspace {
            Some(slug) => &["--workspace", slug],
            None => &[],
        };
        self.operate(&[&["workspace", "set", "--rate-limit", "1000000000"], which].concat())?;
        self.operate(&[&["keys", "create", "--name", "bench", "--bundle", "full_access"], which].concat())
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.data.join("relata.db")
    }
}

/// The product's binary beside this one, built if it does not exist.
pub(crate) fn program() -> Result<PathBuf, Fault> {
    let own = std::env::current_exe()?;
    let program = own.with_file_name("relata");
    if !program.exists() {
        let folder = own.parent().and_then(Path::file_name).and_then(|name| name.to_str()).unwrap_or("debug");
        let profile = if folder == "debug" { "dev" } else { folder };
        let built = Command::new("cargo").args(["build", "-p", "relata", "--profile", profile]).status()?;
        if !built.success() || !program.exists() {
            return Err("the product's binary could not be built".into());
        }
    }
    Ok(program)
}

pub(crate) fn copy_folder(from: &Path, to: &Path) -> Result<(), Fault> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}
