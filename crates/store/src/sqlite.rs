//! SQLite: one writer thread that groups commits, reader threads, and point reads on the caller's thread.

mod at_rest;
mod connection;
mod log;
mod scrub;
mod transaction;
mod values;
mod writer;

use crate::group::{Caution, Reading, Unit, full};
use crate::queue::{self, Busy, Queue};
use crate::{Error, Lane, Mode, Row, Tx, Value, migrate, time_limit, tx};
use at_rest::{compact_if_due, copy, make_private};
use connection::connect;
use rusqlite::Connection;
use scrub::Scrub;
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use transaction::{SqliteTx, bind, prepare};
use uuid::Uuid;
use values::{SqliteRow, err};
use writer::{EPOCHS, Epochs, Writer};

const WAITING_WRITES: usize = 4096;
const WAITING_READS: usize = 1024;
/// How many threads read in each lane.
pub(crate) const READERS: usize = 3;
/// How often to try to empty the log while readers use it, and how long to wait between two tries.
const TRIES: usize = 100;
const BETWEEN_TRIES: Duration = Duration::from_millis(100);

pub use at_rest::{check_copy, compact, restore_into};

pub(crate) struct Sqlite {
    path: PathBuf,
    /// Distinguishes the thread-local connections of several stores in one process.
    number: u64,
    writes: Arc<Queue<Unit>>,
    fast: Arc<Queue<Reading>>,
    slow: Arc<Queue<Reading>>,
    generation: Arc<AtomicU64>,
    epochs: Arc<Epochs>,
    scrubs: Arc<Mutex<VecDeque<Scrub>>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Sqlite {
    pub(crate) fn open(
        path: &Path,
        mode: Mode,
        prepare: &mut dyn FnMut(&mut dyn Tx) -> Result<(), Error>,
    ) -> Result<Sqlite, Error> {
        static STORES: AtomicU64 = AtomicU64::new(0);
        if mode == Mode::Expect && !path.exists() {
            return Err(Error::Unavailable(format!("there is no database at {}", path.display())));
        }
        make_private(path)?;
        let mut conn = connect(path, false, 32)?;
        let version: i64 = conn.query_row("PRAGMA data_version", [], |row| row.get(0)).map_err(err)?;
        prepare_schema(&mut conn, mode, prepare)?;
        if mode == Mode::Migrate {
            compact_if_due(&conn, path);
        }

        let sqlite = Sqlite {
            path: path.to_owned(),
            number: STORES.fetch_add(1, Ordering::Relaxed),
            writes: Arc::new(Queue::new(WAITING_WRITES)),
            fast: Arc::new(Queue::new(WAITING_READS)),
            slow: Arc::new(Queue::new(WAITING_READS)),
            generation: Arc::new(AtomicU64::new(1)),
            epochs: Arc::new(Epochs([const { AtomicU64::new(0) }; EPOCHS])),
            scrubs: Arc::default(),
            threads: Mutex::new(Vec::new()),
        };
        let mut threads = vec![log::copy_beside(&mut conn, path.to_owned())?];
        let writes = sqlite.writes.clone();
        let (generation, epochs) = (sqlite.generation.clone(), sqlite.epochs.clone());
        let (scrubs, file) = (sqlite.scrubs.clone(), path.to_owned());
        threads.push(spawn("writer", move || {
            Writer { conn, generation, epochs, version, caution: Caution::default(), scrubs, scrub: None, file }
                .run(&writes)
        })?);
        for (queue, lane) in [(&sqlite.fast, Lane::Fast), (&sqlite.slow, Lane::Slow)] {
            for _ in 0..READERS {
                let (queue, path) = (queue.clone(), path.to_owned());
                threads.push(spawn("reader", move || read_loop(&path, &queue, lane))?);
            }
        }
        *sqlite.threads.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = threads;
        Ok(sqlite)
    }

    pub(crate) fn submit(&self, unit: Unit) {
        metrics::gauge!("relata_writer_queue").set(self.writes.len() as f64);
        if let Err(unit) = self.writes.push(unit) {
            unit.fail(full());
        }
    }

    pub(crate) fn read(&self, lane: Lane, reading: Reading) {
        let queue = match lane {
            Lane::Fast => &self.fast,
            Lane::Slow => &self.slow,
        };
        metrics::gauge!("relata_reader_queue", "lane" => lane.pool()).set(queue.len() as f64);
        if let Err(reading) = queue.push(reading) {
            reading.fail(full());
        }
    }

    pub(crate) fn point<T>(
        &self,
        sql: &str,
        params: &[Value],
        decode: impl FnOnce(&dyn Row) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        thread_local! {
            static CONNECTIONS: RefCell<HashMap<u64, Connection>> = RefCell::new(HashMap::new());
        }
        CONNECTIONS.with_borrow_mut(|connections| {
            let conn = match connections.entry(self.number) {
                std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
                std::collections::hash_map::Entry::Vacant(entry) => entry.insert(connect(&self.path, true, 32)?),
            };
            let mut statement = prepare(conn, sql)?;
            bind(&mut statement, params)?;
            let mut rows = statement.raw_query();
            match rows.next().map_err(err)? {
                Some(row) => {
                    decode(&SqliteRow(row)).map(Some).map_err(|error| error.in_statement(sql, params, &SqliteRow(row)))
                }
                None => Ok(None),
            }
        })
    }

    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// See `Store::commit_epoch`.
    pub(crate) fn commit_epoch(&self, workspace: Uuid) -> Option<(u64, u64)> {
        let epoch = self.epochs.of(workspace).load(Ordering::SeqCst);
        epoch.is_multiple_of(2).then(|| (epoch, self.generation()))
    }

    pub(crate) fn copy_to(&self, file: &Path) -> Result<(), Error> {
        copy(&self.path, file)
    }

    /// See `Store::scrub`.
    pub(crate) async fn scrub(&self) -> Result<(), Error> {
        let mut request: fn(_) -> Scrub = Scrub::new;
        for _ in 0..TRIES {
            let (answer, answered) = tokio::sync::oneshot::channel();
            self.scrubs.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push_back(request(answer));
            let answered = answered.await;
            if answered.unwrap_or_else(|_| Err(Error::Unavailable("the writer is gone".into())))? {
                return Ok(());
            }
            request = Scrub::of_log;
            tokio::time::sleep(BETWEEN_TRIES).await;
            // Copies the log into the database while writes continue, so that little is left for the writer.
            let file = self.path.clone();
            let copied = tokio::task::spawn_blocking(move || at_rest::copy_log(&file)).await;
            copied.map_err(|error| Error::Internal(format!("the log was not copied: {error}")))??;
        }
        Err(Error::Unavailable("readers keep the write-ahead log in use".into()))
    }

    pub(crate) fn close(&self) {
        self.writes.close();
        self.fast.close();
        self.slow.close();
        queue::join(std::mem::take(&mut *self.threads.lock().unwrap_or_else(|poisoned| poisoned.into_inner())));
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        self.close();
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Error> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.map_err(|e| Error::Unavailable(format!("can't start a thread: {e}")))
}

fn prepare_schema(
    conn: &mut Connection,
    mode: Mode,
    prepare: &mut dyn FnMut(&mut dyn Tx) -> Result<(), Error>,
) -> Result<(), Error> {
    conn.execute_batch("BEGIN IMMEDIATE").map_err(err)?;
    let mut tx = SqliteTx::new(conn, Lane::Slow, 0);
    let outcome = migrate::run(&mut tx, mode).and_then(|()| prepare(&mut tx));
    let appended = std::mem::take(&mut tx.appended);
    let outcome = outcome.and_then(|()| tx::write_appended(&mut tx, appended));
    let outcome = outcome.and_then(|()| tx.poison.take().map_or(Ok(()), Err));
    if outcome.is_ok() {
        return conn.execute_batch("COMMIT").map_err(err);
    }
    // On a full disk SQLite has rolled back already; in both cases the first error is the one to report.
    let _ = conn.execute_batch("ROLLBACK");
    outcome
}

fn read_loop(path: &Path, queue: &Queue<Reading>, lane: Lane) {
    let mut conn = None;
    while let Some(reading) = queue.pop(true) {
        let mut ready = match conn.take().map_or_else(|| connect(path, true, 16), Ok) {
            Ok(ready) => ready,
            Err(error) => {
                reading.fail(error);
                continue;
            }
        };
        let limit = match lane {
            Lane::Fast => Duration::from_millis(500),
            Lane::Slow => Duration::from_secs(10),
        };
        let guarded = ready.progress_handler(4000, Some(time_limit::begin(limit)));
        if guarded.and_then(|()| ready.execute_batch("BEGIN")).is_err() {
            reading.fail(Error::Unavailable("can't begin to read".into()));
            continue;
        }
        reading.run(&mut SqliteTx::new(&ready, lane, 0), Busy::new(lane.pool()));
        if ready.is_autocommit() || ready.execute_batch("COMMIT").is_ok() {
            conn = Some(ready);
        }
    }
}
