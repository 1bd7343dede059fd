//! The database layer, which knows no resource: closures over a transaction, on SQLite or PostgreSQL.
//!
//! `write` locks the workspace's head row first, so the writes of one workspace run one after another on both engines
//! and every commit has a stamp of its own. Units that wait for the same writer share one commit. `read` sees one
//! snapshot; `point` is one statement for one row.

mod corrupt;
mod dialect;
mod group;
mod held;
mod idle;
mod instant;
mod migrate;
mod postgres;
mod queue;
mod sqlite;
mod time_limit;
mod tx;
mod value;

use std::future::Future;
use std::panic::Location;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use corrupt::{Corrupt, corrupt};
pub use dialect::{Dialect, Engine};
pub use group::in_transaction;
pub use migrate::{Schema, migrations};
pub use tx::{Lane, Tally, Tx};
pub use uuid::Uuid;
pub use value::{Ref, Row, Value};

#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// The database can't serve now: disk full, connection lost, queue full, shutting down.
    Unavailable(String),
    /// A statement exceeded its lane's time limit.
    TooSlow,
    /// A constraint rejected the statement, so the rules failed to check something.
    Conflict(String),
    /// Stored data can't be read: it is damaged, or of a newer version.
    Corrupt(Box<Corrupt>),
    /// Anything else: a bug.
    Internal(String),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Unavailable(why) => write!(f, "the database is not available: {why}"),
            Error::TooSlow => write!(f, "the statement took too long"),
            Error::Conflict(why) => write!(f, "a constraint was violated: {why}"),
            Error::Corrupt(what) => write!(f, "stored data is damaged: {what}"),
            Error::Internal(why) => write!(f, "{why}"),
        }
    }
}
impl std::error::Error for Error {}

/// Where the data lives.
#[derive(Clone, Debug)]
pub enum Place {
    Sqlite(PathBuf),
    Postgres(String),
}

#[derive(Clone)]
pub struct Store(Arc<Inner>);

struct Inner {
    engine: Backend,
    closed: AtomicBool,
}

enum Backend {
    Sqlite(sqlite::Sqlite),
    Postgres(postgres::Postgres),
}

/// What `open` does about the schema.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    /// Bring an older schema up to date (`serve`, `migrate`).
    Migrate,
    /// Refuse a schema of another version (operator commands).
    Expect,
}

impl Store {
    /// Opens the database. `prepare` runs after the migrations, in the transaction that holds the migration lock, so
    /// that several nodes that start at once prepare an empty database once. Blocks: an async caller opens on a
    /// separate thread.
    pub fn open(
        place: &Place,
        mode: Mode,
        prepare: &mut dyn FnMut(&mut dyn Tx) -> Result<(), Error>,
    ) -> Result<Store, Error> {
        let engine = match place {
            Place::Sqlite(path) => Backend::Sqlite(sqlite::Sqlite::open(path, mode, prepare)?),
            Place::Postgres(url) => Backend::Postgres(postgres::Postgres::open(url, mode, prepare)?),
        };
        Ok(Store(Arc::new(Inner { engine, closed: AtomicBool::new(false) })))
    }

    pub fn dialect(&self) -> Dialect {
        match self.0.engine {
            Backend::Sqlite(_) => Dialect::SQLITE,
            Backend::Postgres(_) => Dialect::POSTGRES,
        }
    }

    /// Runs `work` as the only writer of `workspace`; it is durable when this returns.
    /// `work` may run again, up to twice, if the group it shared a commit with failed.
    #[track_caller]
    pub fn write<T, E>(
        &self,
        workspace: Uuid,
        work: impl FnMut(&mut dyn Tx) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> + Send
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.submit(Some(workspace), Location::caller(), work)
    }

    /// A short write outside any workspace's history: leases, request counters, last-used times. One statement, or a
    /// few that lock one row.
    #[track_caller]
    pub fn bookkeep<T, E>(
        &self,
        work: impl FnMut(&mut dyn Tx) -> Result<T, E> + Send + 'static,
    ) -> impl Future<Output = Result<T, E>> + Send
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.submit(None, Location::caller(), work)
    }

    /// Makes PostgreSQL analyze tables that have grown threefold since the last analysis. Autovacuum does so about once
    /// a minute, and until then a table that was just filled is read by plans for an empty one.
    pub async fn study(&self) -> Result<(), Error> {
        let Some(grown) = self.dialect().grown() else { return Ok(()) };
        let grown = self.read(Lane::Fast, |tx| tx.rows(grown, &[], |row| row.text(0))).await?;
        for table in grown {
            // Another node may be analyzing the table.
            let look = format!("ANALYZE (SKIP_LOCKED) {table}");
            self.maintain(move |tx| tx.execute(&look, &[])).await?;
        }
        Ok(())
    }

    /// Makes PostgreSQL merge the pending entries of the text index. Until then every search scans all of them.
    pub async fn sort_in_texts(&self) -> Result<(), Error> {
        let Some(sort) = self.dialect().sort_in_texts() else { return Ok(()) };
        self.maintain(|tx| tx.one(sort, &[], |_| Ok(())).map(drop)).await
    }

    /// Maintenance of PostgreSQL that may take long and that no write waits for.
    async fn maintain(
        &self,
        mut work: impl FnMut(&mut dyn Tx) -> Result<(), Error> + Send + 'static,
    ) -> Result<(), Error> {
        let named = move |tx: &mut dyn Tx| {
            tx.name(held::MAINTENANCE);
            work(tx)
        };
        self.bookkeep(named).await
    }

    async fn submit<T, E>(
        &self,
        workspace: Option<Uuid>,
        caller: &'static Location<'static>,
        work: impl FnMut(&mut dyn Tx) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.serving()?;
        let (unit, answer) = group::unit(workspace, caller, work);
        match &self.0.engine {
            Backend::Sqlite(engine) => engine.submit(unit),
            Backend::Postgres(engine) => engine.submit(unit),
        }
        answer.await.unwrap_or_else(|_| Err(Error::Unavailable("the writer is gone".into()).into()))
    }

    /// How many reads can run in this lane at once.
    pub fn readers(&self, lane: Lane) -> usize {
        match (&self.0.engine, lane) {
            (Backend::Sqlite(_), _) => sqlite::READERS,
            (Backend::Postgres(_), Lane::Fast) => postgres::FAST_READERS,
            (Backend::Postgres(_), Lane::Slow) => postgres::SLOW_READERS,
        }
    }

    /// Runs `work` on a reader thread, in one snapshot, within the lane's time limit.
    pub async fn read<T, E>(
        &self,
        lane: Lane,
        work: impl FnOnce(&mut dyn Tx) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.serving()?;
        let (reading, answer) = group::reading(work);
        match &self.0.engine {
            Backend::Sqlite(engine) => engine.read(lane, reading),
            Backend::Postgres(engine) => engine.read(lane, reading),
        }
        answer.await.unwrap_or_else(|_| Err(Error::Unavailable("the reader is gone".into()).into()))
    }

    /// One bounded statement that returns at most one row, run on the caller's thread (SQLite) or pipelined without a
    /// thread (PostgreSQL).
    pub async fn point<T>(
        &self,
        sql: &str,
        params: &[Value],
        decode: impl FnOnce(&dyn Row) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        self.serving()?;
        match &self.0.engine {
            Backend::Sqlite(engine) => engine.point(sql, params, decode),
            Backend::Postgres(engine) => engine.point(sql, params, decode).await,
        }
    }

    /// A counter that changes whenever another process may have changed data that this one caches.
    pub fn generation(&self) -> u64 {
        match &self.0.engine {
            Backend::Sqlite(engine) => engine.generation(),
            Backend::Postgres(engine) => engine.generation(),
        }
    }

    /// A counter that every commit to the workspace increases before it is acknowledged. If it has not changed since
    /// before a value was read, that value is current. Writes of another process show within 200 ms. `None` during a
    /// commit, and on PostgreSQL, where other nodes write unnoticed.
    pub fn commit_epoch(&self, workspace: Uuid) -> Option<(u64, u64)> {
        match &self.0.engine {
            Backend::Sqlite(engine) => engine.commit_epoch(workspace),
            Backend::Postgres(_) => None,
        }
    }

    /// Writes a consistent copy of the database to `file` while other work continues (SQLite only).
    pub fn copy_to(&self, file: &std::path::Path) -> Result<(), Error> {
        match &self.0.engine {
            Backend::Sqlite(engine) => engine.copy_to(file),
            Backend::Postgres(_) => Err(Error::Internal("a PostgreSQL database is backed up with pg_dump".into())),
        }
    }

    /// Removes the remains of deleted rows from the database's files (SQLite only: PostgreSQL's files belong to its
    /// operator).
    pub async fn scrub(&self) -> Result<(), Error> {
        self.serving()?;
        match &self.0.engine {
            Backend::Sqlite(engine) => engine.scrub().await,
            Backend::Postgres(_) => Ok(()),
        }
    }

    fn serving(&self) -> Result<(), Error> {
        let closed = self.0.closed.load(Ordering::Acquire);
        if closed { Err(Error::Unavailable("shutting down".into())) } else { Ok(()) }
    }

    /// Finishes queued work and refuses new work.
    pub fn close(&self) {
        self.0.closed.store(true, Ordering::Release);
        match &self.0.engine {
            Backend::Sqlite(engine) => engine.close(),
            Backend::Postgres(engine) => engine.close(),
        }
    }
}
pub use sqlite::{check_copy, compact, restore_into};
