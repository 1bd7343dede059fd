//! Databases on the run's PostgreSQL cluster: one per test, copied from a migrated template.

use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use tempfile::TempDir;
use tokio_postgres::NoTls;
use tokio_postgres::error::SqlState;

use super::process::{Ran, relata};
use super::wait::{PATIENCE, eventually};

/// A private database; dropped with its owner.
pub(super) struct Database {
    name: String,
    pub url: String,
}

impl Database {
    /// A database with the schema and nothing in it.
    pub(super) fn migrated() -> Database {
        let name = fresh_name("story");
        copy_database(&template().name, &name);
        Database { url: url_of(&name), name }
    }

    /// A completely empty database.
    pub(super) fn empty() -> Database {
        let name = fresh_name("empty");
        execute(&cluster_url(), &format!("CREATE DATABASE {name}"));
        Database { url: url_of(&name), name }
    }

    /// A database that the caller manages.
    pub(super) fn at(url: &str) -> Database {
        Database { name: String::new(), url: url.to_owned() }
    }

    /// Another database with the same content, while nobody is connected.
    pub(super) fn copy(&self) -> Database {
        let name = fresh_name("copy");
        let copy = Database { url: url_of(&name), name };
        copy.replace_by(self);
        copy
    }

    /// Replaces the content by that of another database, while nobody is connected.
    pub(super) fn replace_by(&self, other: &Database) {
        execute(&cluster_url(), &format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
        copy_database(&other.name, &self.name);
    }

    /// The first column of the rows of a query.
    pub(super) fn ask(&self, sql: &str) -> Vec<String> {
        ask(&self.url, sql)
    }

    /// Runs something while a statement is not committed.
    pub(super) fn hold<T>(&self, sql: &str, meanwhile: impl FnOnce() -> T) -> T {
        let runtime = runtime();
        let held = runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&self.url, NoTls).await?;
            tokio::spawn(connection);
            client.batch_execute(&format!("BEGIN; {sql}")).await?;
            Ok::<_, tokio_postgres::Error>(client)
        });
        let client = held.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
        let done = meanwhile();
        let over = runtime.block_on(client.batch_execute("ROLLBACK"));
        over.unwrap_or_else(|error| panic!("the end of {sql}: {error:?}"));
        done
    }

    /// Whether any row of any table contains a text.
    pub(super) fn stores(&self, text: &str) -> bool {
        let tables = self.ask("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
        tables.iter().any(|table| {
            let rows = format!("SELECT 1 FROM \"{table}\" row WHERE row::text LIKE '%{text}%' LIMIT 1");
            !self.ask(&rows).is_empty()
        })
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // The cluster is deleted after the run: a database that is still in use stays until then, and fails no test.
        if !self.name.is_empty() {
            let _ = try_ask(&cluster_url(), &format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
        }
    }
}

fn copy_database(from: &str, to: &str) {
    let copy = format!("CREATE DATABASE {to} TEMPLATE {from}{}", template().strategy);
    // A database can't be copied while autovacuum works on it.
    eventually("a copy of a database", PATIENCE, || match try_ask(&cluster_url(), &copy) {
        Err(error) if error.code() == Some(&SqlState::OBJECT_IN_USE) => None,
        made => Some(made.unwrap_or_else(|error| panic!("{copy}: {error:?}"))),
    });
}

struct Template {
    name: String,
    /// Copying files, if the server supports it: copying through the log is twice the work, and more when it is
    /// dropped.
    strategy: &'static str,
    /// Has the secret that the template was made with, in case the schema depends on it.
    data: TempDir,
}

/// The data folder that the template was made with.
pub(super) fn template_data() -> &'static std::path::Path {
    template().data.path()
}

fn template() -> &'static Template {
    static TEMPLATE: OnceLock<Template> = OnceLock::new();
    TEMPLATE.get_or_init(|| {
        let name = fresh_name("template");
        execute(&cluster_url(), &format!("CREATE DATABASE {name}"));
        let data = tempfile::tempdir().unwrap_or_else(|error| panic!("cannot make a temporary folder: {error}"));
        let mut migrate: Command = relata();
        migrate.arg("migrate").arg("--data").arg(data.path()).args(["--database-url", &url_of(&name)]);
        Ran::of(migrate).ok();
        let version: u32 = ask(&cluster_url(), "SHOW server_version_num").concat().parse().unwrap_or(0);
        Template { name, strategy: if version >= 150_000 { " STRATEGY FILE_COPY" } else { "" }, data }
    })
}

/// The URL of the cluster of this run. A run without one must not count as a run on both engines.
fn cluster_url() -> String {
    std::env::var("RELATA_TEST_PG").unwrap_or_else(|_| {
        panic!(
            "RELATA_TEST_PG is not set: these tests need a PostgreSQL cluster. Run bin/test, which starts one, or \
             set it to postgres://USER@HOST:PORT/DATABASE of a role that may create databases."
        )
    })
}

/// The cluster's URL with another database.
fn url_of(database: &str) -> String {
    let url = cluster_url();
    let (address, query) = match url.split_once('?') {
        Some((address, query)) => (address, format!("?{query}")),
        None => (url.as_str(), String::new()),
    };
    let scheme = address.find("://").map_or(0, |at| at + 3);
    let server = match address[scheme..].find('/') {
        Some(slash) => &address[..scheme + slash],
        None => address,
    };
    format!("{server}/{database}{query}")
}

fn fresh_name(kind: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("{kind}_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

fn execute(url: &str, sql: &str) {
    ask(url, sql);
}

fn ask(url: &str, sql: &str) -> Vec<String> {
    loop {
        match try_ask(url, sql) {
            Ok(rows) => return rows,
            // A deadlock with the server has undone the statement.
            Err(error) if error.code() == Some(&SqlState::T_R_DEADLOCK_DETECTED) => {}
            Err(error) => panic!("{sql}, of {url}: {error:?}"),
        }
    }
}

fn runtime() -> tokio::runtime::Runtime {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap_or_else(|error| panic!("cannot make a runtime: {error}"))
}

fn try_ask(url: &str, sql: &str) -> Result<Vec<String>, tokio_postgres::Error> {
    runtime().block_on(async {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
        let connection = tokio::spawn(connection);
        let rows = client.simple_query(sql).await?;
        drop(client);
        // An error of the connection shows in the query as well.
        let _ = connection.await;
        let first = rows.into_iter().filter_map(|message| match message {
            tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        });
        Ok(first.collect())
    })
}
