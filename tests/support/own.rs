//! A private PostgreSQL cluster for one test: it can be crashed, frozen and restarted without affecting other tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::cluster::Database;
use super::process::{Ran, free_port};
use super::wait::{PATIENCE, eventually};

pub(crate) struct Cluster {
    folder: TempDir,
    programs: PathBuf,
    port: u16,
}

impl Cluster {
    /// A running cluster with an empty database `postgres`.
    pub(crate) fn new() -> Cluster {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("cannot make a temporary folder: {error}"));
        let cluster = Cluster { folder, programs: programs(), port: free_port() };
        if is_root() {
            let mut chown = Command::new("chown");
            chown.arg("postgres").arg(cluster.folder.path());
            Ran::of(chown).ok();
        }
        let data = cluster.data();
        cluster
            .run("initdb", &["--username=relata", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]);
        let settings = format!(
            "listen_addresses = '127.0.0.1'\nport = {}\nunix_socket_directories = ''\nmax_connections = 300\n",
            cluster.port
        );
        let file = data.join("postgresql.conf");
        let whole = fs::read_to_string(&file).unwrap_or_default() + &settings;
        fs::write(&file, whole).unwrap_or_else(|error| panic!("cannot write {}: {error}", file.display()));
        cluster.start();
        cluster
    }

    pub(crate) fn url(&self) -> String {
        self.url_of("postgres")
    }

    /// The URL of another database of the cluster.
    pub(crate) fn url_of(&self, database: &str) -> String {
        format!("postgres://relata@127.0.0.1:{}/{database}", self.port)
    }

    /// Backs up a database with PostgreSQL's own program.
    pub(crate) fn dump(&self, database: &str, file: &Path) {
        let mut dump = Command::new(self.programs.join("pg_dump"));
        dump.args(["--format=custom", "--file"]).arg(file).arg(self.url_of(database));
        Ran::of(dump).ok();
    }

    /// Replaces a database by a backup.
    pub(crate) fn restore(&self, database: &str, file: &Path) {
        self.ask(&format!("DROP DATABASE {database} WITH (FORCE)"));
        self.ask(&format!("CREATE DATABASE {database}"));
        let mut restore = Command::new(self.programs.join("pg_restore"));
        restore.args(["--no-owner", "--dbname", &self.url_of(database)]).arg(file);
        Ran::of(restore).ok();
    }

    /// Runs something while a statement is not committed.
    pub(crate) fn hold<T>(&self, sql: &str, meanwhile: impl FnOnce() -> T) -> T {
        Database::at(&self.url()).hold(sql, meanwhile)
    }

    pub(crate) fn ask(&self, sql: &str) -> Vec<String> {
        Database::at(&self.url()).ask(sql)
    }

    /// The folder of its tables and indexes.
    pub(crate) fn tables(&self) -> PathBuf {
        self.data().join("base")
    }

    pub(crate) fn start(&self) {
        let log = format!("--log={}", self.folder.path().join("data/log").display());
        self.run("pg_ctl", &["--wait", "--silent", &log, "start"]);
    }

    /// Stops the cluster like a power cut: nothing more is written.
    pub(crate) fn crash(&self) {
        self.run("pg_ctl", &["--wait", "--silent", "--mode=immediate", "stop"]);
    }

    /// Suspends every process of the cluster; clients get neither answers nor errors.
    pub(crate) fn freeze(&self) {
        self.signal("-STOP");
    }

    pub(crate) fn thaw(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let first = self.postmaster().unwrap_or_else(|| panic!("the cluster does not run"));
        // A process that has ended meanwhile needs no signal.
        let send = |process: &str| {
            let _ = Command::new("kill").args([signal, process]).stderr(std::process::Stdio::null()).status();
        };
        // The first process stops first and resumes last, so that it starts no others meanwhile.
        if signal == "-STOP" {
            send(&first);
        }
        let children = Command::new("pgrep").args(["-P", &first]).output();
        let children = children.unwrap_or_else(|error| panic!("cannot run pgrep: {error}")).stdout;
        String::from_utf8_lossy(&children).split_whitespace().for_each(send);
        if signal == "-CONT" {
            send(&first);
        }
    }

    fn postmaster(&self) -> Option<String> {
        let file = fs::read_to_string(self.data().join("postmaster.pid")).ok()?;
        file.lines().next().map(|line| line.trim().to_owned())
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let program = self.programs.join(program);
        let mut command = if is_root() {
            // PostgreSQL refuses to run as root.
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.args(arguments).arg(format!("--pgdata={}", self.data().display()));
        command.current_dir(self.folder.path());
        Ran::of(command).ok();
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Some(process) = self.postmaster() {
            self.thaw();
            let _ = Command::new("kill").args(["-QUIT", &process]).status();
            if !std::thread::panicking() {
                eventually("the cluster's end", PATIENCE, || self.postmaster().is_none().then_some(()));
            }
        }
    }
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout == b"0\n")
}

/// The newest PostgreSQL on this machine.
fn programs() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let found = versions.map(|entry| entry.path().join("bin")).filter(|path| path.join("initdb").exists());
    let version = |path: &PathBuf| {
        let name = path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        name.and_then(|name| name.parse::<u32>().ok())
    };
    let on_path = || {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&paths).find(|path| path.join("initdb").exists())
    };
    found
        .max_by_key(version)
        .or_else(on_path)
        .unwrap_or_else(|| panic!("there is no initdb: these tests start a PostgreSQL of their own"))
}
