//! A private PostgreSQL server with PostgreSQL's defaults (durable, 128 MB of buffers) except for the number of
//! connections.

use crate::Fault;
use crate::seed::Database;
use std::fs;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tokio::runtime::Runtime;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

pub(crate) struct Cluster {
    /// `postgres://user@host:port/`, to which a database's name is appended.
    pub url: String,
    private: Option<Private>,
}

struct Private {
    programs: PathBuf,
    folder: PathBuf,
}

impl Cluster {
    pub(crate) fn at(url: &str) -> Cluster {
        Cluster { url: format!("{}/", url.trim_end_matches('/')), private: None }
    }

    /// A cluster in `folder` that is kept between runs. PostgreSQL refuses to run as root, so as root it runs as the
    /// user `postgres`, who must have access to the folder.
    pub(crate) fn private(folder: &Path, fresh: bool) -> Result<Cluster, Fault> {
        let private = Private { programs: programs()?, folder: folder.to_owned() };
        if fresh && folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        if !folder.join("PG_VERSION").exists() {
            fs::create_dir_all(folder)?;
            if let Some((user, group)) = other_user()? {
                chown(folder, Some(user), Some(group))?;
            }
            private.run("initdb", &["--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--username=postgres"])?;
        }
        let port = free_port()?;
        let log = folder.join("log").display().to_string();
        // There is a server for each size of the table at the same time, each with its connection pools.
        let settings =
            format!("-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c max_connections=300");
        // Stop a server that a killed bench left running.
        let _ = private.run("pg_ctl", &["stop", "-m", "fast"]);
        private.run("pg_ctl", &["start", "-w", "-l", &log, "-o", &settings])?;
        Ok(Cluster { url: format!("postgres://postgres@127.0.0.1:{port}/"), private: Some(private) })
    }

    pub(crate) fn database(&self, name: &str) -> String {
        format!("{}{name}", self.url)
    }

    pub(crate) fn has(&self, name: &str) -> Result<bool, Fault> {
        let sql = format!("SELECT count(*) FROM pg_database WHERE datname = '{name}'");
        Ok(Postgres::open(&self.database("postgres"))?.number(&sql)? > 0)
    }

    /// Creates the database again, empty or as a copy of another.
    pub(crate) fn make(&self, name: &str, template: Option<&str>) -> Result<(), Fault> {
        let mut home = Postgres::open(&self.database("postgres"))?;
        home.run(&format!("DROP DATABASE IF EXISTS {name}"))?;
        let template = template.map_or(String::new(), |template| format!(" TEMPLATE {template}"));
        home.run(&format!("CREATE DATABASE {name}{template}"))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Some(private) = &self.private {
            let _ = private.run("pg_ctl", &["stop", "-m", "fast"]);
        }
    }
}

impl Private {
    fn run(&self, program: &str, words: &[&str]) -> Result<(), Fault> {
        let mut command = Command::new(self.programs.join(program));
        command.arg("-D").arg(&self.folder).args(words).current_dir(&self.folder);
        if let Some((user, group)) = other_user()? {
            command.uid(user).gid(group);
        }
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
        if status.success() { Ok(()) } else { Err(format!("{program}: {status}").into()) }
    }
}

fn programs() -> Result<PathBuf, Fault> {
    let missing = "PostgreSQL is not installed here; give --database-url or --engine sqlite";
    let versions = fs::read_dir("/usr/lib/postgresql").map_err(|_| missing)?;
    let mut found: Vec<PathBuf> = versions.filter_map(|entry| Some(entry.ok()?.path().join("bin"))).collect();
    found.sort();
    found.pop().ok_or_else(|| missing.into())
}

/// The user and group `postgres`, if the bench runs as root.
fn other_user() -> Result<Option<(u32, u32)>, Fault> {
    use std::os::unix::fs::MetadataExt;
    if fs::metadata("/proc/self")?.uid() != 0 {
        return Ok(None);
    }
    let users = fs::read_to_string("/etc/passwd")?;
    let line = users.lines().find(|line| line.starts_with("postgres:")).ok_or("there is no user postgres")?;
    let fields: Vec<&str> = line.split(':').collect();
    let number = |at: usize| fields.get(at).and_then(|field| field.parse().ok()).ok_or("/etc/passwd has an odd form");
    Ok(Some((number(2)?, number(3)?)))
}

fn free_port() -> Result<u16, Fault> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// One connection, for seeding.
pub(crate) struct Postgres {
    runtime: Runtime,
    client: Client,
}

impl Postgres {
    pub(crate) fn open(url: &str) -> Result<Postgres, Fault> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let (client, connection) = runtime.block_on(tokio_postgres::connect(url, NoTls))?;
        runtime.spawn(async move { connection.await.unwrap_or_else(|fault| eprintln!("bench: {fault}")) });
        Ok(Postgres { runtime, client })
    }

    fn rows(&self, sql: &str) -> Result<Vec<Vec<String>>, Fault> {
        let mut rows = Vec::new();
        for message in self.runtime.block_on(self.client.simple_query(sql))? {
            if let SimpleQueryMessage::Row(row) = message {
                rows.push((0..row.len()).map(|at| row.get(at).unwrap_or_default().to_owned()).collect());
            }
        }
        Ok(rows)
    }

    pub(crate) fn ids(&self, size: usize, count: usize) -> Result<Vec<String>, Fault> {
        let step = (size / count).max(1);
        let numbered = "SELECT id, row_number() OVER (ORDER BY id) AS n FROM contacts";
        let rows = self.rows(&format!("SELECT id FROM ({numbered}) s WHERE n % {step} = 0"))?;
        Ok(rows.into_iter().filter_map(|mut row| row.pop()).collect())
    }
}

impl Database for Postgres {
    fn run(&mut self, sql: &str) -> Result<(), Fault> {
        Ok(self.runtime.block_on(self.client.batch_execute(sql))?)
    }
    fn number(&mut self, sql: &str) -> Result<i64, Fault> {
        let rows = self.rows(sql)?;
        Ok(rows.first().and_then(|row| row.first()).ok_or("there is no row")?.parse()?)
    }
    fn columns(&mut self, table: &str) -> Result<Vec<String>, Fault> {
        let sql = format!(
            "SELECT column_name FROM information_schema.columns WHERE table_name = '{table}' ORDER BY ordinal_position"
        );
        Ok(self.rows(&sql)?.into_iter().filter_map(|mut row| row.pop()).collect())
    }
    fn indexes(&mut self, table: &str) -> Result<Vec<(String, String)>, Fault> {
        let sql = format!(
            "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = '{table}' AND indexname NOT LIKE '%_pkey'"
        );
        let rows = self.rows(&sql)?;
        Ok(rows.into_iter().map(|row| (format!("DROP INDEX {}", row[0]), row[1].clone())).collect())
    }
    /// Autovacuum would do this after a while.
    fn analyze(&mut self) -> Result<(), Fault> {
        self.run("VACUUM (ANALYZE)")?;
        self.run("CHECKPOINT")
    }
    fn id_at(&self, id: &str, ms: &str) -> String {
        format!("CAST(lpad(to_hex({ms}), 12, '0') || substr(replace(CAST({id} AS text), '-', ''), 13) AS uuid)")
    }
}
