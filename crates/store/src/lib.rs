//! The database, knowing no resource: closures over a transaction, on SQLite or PostgreSQL.
//!
//! `write` takes the workspace's head row first, so the writes of one workspace run one after
//! another on both engines and every commit has a stamp of its own. Units that wait for the same
//! writer share one commit. `read` sees one snapshot; `point` is one statement for one row.

mod dialect;
mod group;
mod held;
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

pub use dialect::{Dialect, Engine};
pub use migrate::{Schema, migrations};
pub use tx::{Lane, Tally, Tx};
pub use uuid::Uuid;
pub use value::{Ref, Row, Value};

#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// The database can't serve now: disk full, connection gone, queue full, shutting down.
    Unavailable(String),
    /// A statement ran into its lane's time limit.
    TooSlow,
    /// A constraint refused the statement: the rules let something through.
    Conflict(String),
    /// What is stored is not what was written.
    Corrupt(String),
    /// Anything else: a defect of ours.
    Internal(String),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Unavailable(why) => write!(f, "the database is not available: {why}"),
            Error::TooSlow => write!(f, "the statement took too long"),
            Error::Conflict(why) => write!(f, "a constraint was violated: {why}"),
            Error::Corrupt(why) => write!(f, "stored data is damaged: {why}"),
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

/// What `open` may do about the schema.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mode {
    /// Bring an older schema up to date (`serve`, `migrate`).
    Migrate,
    /// Refuse any schema but our own (operator commands).
    Expect,
}

impl Store {
    /// Opens the database. `prepare` runs in the transaction that holds the migration lock, after
    /// the migrations, so that several nodes starting at once prepare an empty database once.
    /// Blocks: an async caller opens on a thread of its own.
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

    pub fn engine(&self) -> Engine {
        match self.0.engine {
            Backend::Sqlite(_) => Engine::Sqlite,
            Backend::Postgres(_) => Engine::Postgres,
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

    /// A short write of its own that belongs to no workspace's history: leases, counters of
    /// requests, last-used times. One statement, or a few that lock one row.
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

    /// Has PostgreSQL look at tables that have grown threefold since it last did. By itself it looks about once a minute,
    /// and reads a table that was just filled by plans made for an empty one until then.
    pub async fn study(&self) -> Result<(), Error> {
        if self.engine() == Engine::Sqlite {
            return Ok(());
        }
        let grown = self.read(Lane::Fast, |tx| tx.rows(tx.dialect().grown(), &[], |row| row.text(0))).await?;
        for table in grown {
            // Another node may be at it.
            let look = format!("ANALYZE (SKIP_LOCKED) {table}");
            self.bookkeep(move |tx| tx.execute(&look, &[])).await?;
        }
        Ok(())
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

    /// One bounded statement that gives at most one row, run where the caller stands (SQLite) or
    /// pipelined without a thread (PostgreSQL).
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

    /// Moves whenever another process may have changed what this one keeps in memory.
    pub fn generation(&self) -> u64 {
        match &self.0.engine {
            Backend::Sqlite(engine) => engine.generation(),
            Backend::Postgres(engine) => engine.generation(),
        }
    }

    /// Moves with every commit of the workspace, before whoever asked for it is answered: as long as it stands still, what
    /// was read after it was first seen is what stands there. What another process writes shows within a fifth of a
    /// second. `None` while a commit is on its way, and where others write without this process knowing of it.
    pub fn moment(&self, workspace: Uuid) -> Option<(u64, u64)> {
        match &self.0.engine {
            Backend::Sqlite(engine) => engine.moment(workspace),
            Backend::Postgres(_) => None,
        }
    }

    /// Writes a consistent copy of the database to `file` while others go on (SQLite only).
    pub fn copy_to(&self, file: &std::path::Path) -> Result<(), Error> {
        match &self.0.engine {
            Backend::Sqlite(engine) => engine.copy_to(file),
            Backend::Postgres(_) => Err(Error::Internal("a PostgreSQL database is backed up with pg_dump".into())),
        }
    }

    /// Removes what deleted rows have left in the database's own files (SQLite only: PostgreSQL's are its operator's).
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

    /// Finishes what waits and refuses what comes.
    pub fn close(&self) {
        self.0.closed.store(true, Ordering::Release);
        match &self.0.engine {
            Backend::Sqlite(engine) => engine.close(),
            Backend::Postgres(engine) => engine.close(),
        }
    }
}
pub use sqlite::{check_copy, compact, restore_into};
