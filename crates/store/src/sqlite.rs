//! SQLite: one writer thread that groups commits, reader threads, and point reads on the caller's thread.

mod at_rest;

use crate::group::{Care, Caution, Fate, Pace, Reading, Unit, answer, full};
use crate::held::{Begun, Held, STEP};
use crate::queue::{self, Busy, Queue, instant};
use crate::tx::{self, Appended, Tallies};
use crate::{Dialect, Engine, Error, Lane, Mode, Ref, Row, Tally, Tx, Value, migrate, time_limit};
use at_rest::{compact_if_due, copy, empty_log, make_private};
use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use uuid::Uuid;

const GROUP: usize = 256;
/// Workspaces share counters by the last byte of their id; a shared counter only causes a needless cache miss.
const EPOCHS: usize = 256;
const WAITING_WRITES: usize = 4096;
const WAITING_READS: usize = 1024;
/// How often the idle writer checks whether another process has written.
const POLL: Duration = Duration::from_millis(200);
/// The largest database, in bytes, to compact while the server runs: all writes wait. Larger ones wait for a restart.
const COMPACT_AT_ONCE: u64 = 1 << 30;
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
    scrubs: Arc<Mutex<Vec<Scrub>>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// A request to remove the remains of deleted rows, which the writer handles between two commits.
struct Scrub {
    compact: bool,
    /// Whether the log was emptied, too.
    answer: tokio::sync::oneshot::Sender<Result<bool, Error>>,
}

/// Twice the number of commits to each workspace; odd during a commit.
struct Epochs([AtomicU64; EPOCHS]);

impl Epochs {
    fn of(&self, workspace: Uuid) -> &AtomicU64 {
        &self.0[Self::place(workspace)]
    }
    fn place(workspace: Uuid) -> usize {
        usize::from(workspace.as_bytes()[15])
    }
    fn step(&self, places: &BTreeSet<usize>) {
        for place in places {
            self.0[*place].fetch_add(1, Ordering::SeqCst);
        }
    }
}

impl Sqlite {
    pub fn open(
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
        let mut threads = Vec::new();
        let writes = sqlite.writes.clone();
        let (generation, epochs) = (sqlite.generation.clone(), sqlite.epochs.clone());
        let (scrubs, file) = (sqlite.scrubs.clone(), path.to_owned());
        threads.push(spawn("writer", move || {
            Writer { conn, generation, epochs, version, caution: Caution::default(), scrubs, file }.run(&writes)
        })?);
        for (queue, lane) in [(&sqlite.fast, Lane::Fast), (&sqlite.slow, Lane::Slow)] {
            for _ in 0..2 {
                let (queue, path) = (queue.clone(), path.to_owned());
                threads.push(spawn("reader", move || read_loop(&path, &queue, lane))?);
            }
        }
        *sqlite.threads.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = threads;
        Ok(sqlite)
    }

    pub fn submit(&self, unit: Unit) {
        metrics::gauge!("relata_writer_queue").set(self.writes.len() as f64);
        if let Err(unit) = self.writes.push(unit) {
            unit.fail(full());
        }
    }

    pub fn read(&self, lane: Lane, reading: Reading) {
        let queue = match lane {
            Lane::Fast => &self.fast,
            Lane::Slow => &self.slow,
        };
        metrics::gauge!("relata_reader_queue", "lane" => lane.pool()).set(queue.len() as f64);
        if let Err(reading) = queue.push(reading) {
            reading.fail(full());
        }
    }

    pub fn point<T>(
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

    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// See `Store::commit_epoch`.
    pub fn commit_epoch(&self, workspace: Uuid) -> Option<(u64, u64)> {
        let epoch = self.epochs.of(workspace).load(Ordering::SeqCst);
        epoch.is_multiple_of(2).then(|| (epoch, self.generation()))
    }

    pub fn copy_to(&self, file: &Path) -> Result<(), Error> {
        copy(&self.path, file)
    }

    /// See `Store::scrub`. SQLite overwrites pages when they become free (`secure_delete`), but leaves copies of rows
    /// in the gaps of pages that it has split; only rewriting the whole database removes those.
    pub async fn scrub(&self) -> Result<(), Error> {
        let size = std::fs::metadata(&self.path).map_or(0, |file| file.len());
        let mut compact = size <= COMPACT_AT_ONCE;
        for _ in 0..TRIES {
            let (answer, answered) = tokio::sync::oneshot::channel();
            let scrub = Scrub { compact, answer };
            self.scrubs.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(scrub);
            let answered = answered.await;
            if answered.unwrap_or_else(|_| Err(Error::Unavailable("the writer is gone".into())))? {
                return Ok(());
            }
            compact = false;
            tokio::time::sleep(BETWEEN_TRIES).await;
        }
        Err(Error::Unavailable("readers keep the write-ahead log in use".into()))
    }

    pub fn close(&self) {
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

fn connect(path: &Path, read_only: bool, cache_mb: i64) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut conn = Connection::open_with_flags(path, flags).map_err(err)?;
    conn.busy_handler(Some(be_patient)).map_err(err)?;
    conn.set_prepared_statement_cache_capacity(256);
    // Plans must not depend on bound values: SQLite would otherwise prepare a cached statement again at each binding.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(err)?;
    let pragmas = format!(
        "PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; \
         PRAGMA cache_size = -{}; PRAGMA wal_autocheckpoint = 16000; PRAGMA journal_size_limit = 67108864; \
         PRAGMA query_only = {};",
        cache_mb * 1024,
        if read_only { "ON" } else { "OFF" }
    );
    conn.execute_batch(&pragmas).map_err(err)?;
    Ok(conn)
}

/// Waits about ten seconds for a lock, trying every millisecond: SQLite's own handler sleeps ever longer, and an
/// operator's command would hardly hit the gap between two commits of a busy server.
fn be_patient(looks: i32) -> bool {
    thread::sleep(Duration::from_millis(1));
    looks < 9_000
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

impl migrate::Script for SqliteTx<'_> {
    fn script(&mut self, sql: &str) -> Result<(), Error> {
        self.conn.execute_batch(sql).map_err(err)
    }
}

struct Writer {
    conn: Connection,
    generation: Arc<AtomicU64>,
    epochs: Arc<Epochs>,
    version: i64,
    caution: Caution,
    scrubs: Arc<Mutex<Vec<Scrub>>>,
    file: PathBuf,
}

impl Writer {
    fn run(mut self, writes: &Queue<Unit>) {
        let mut pace = Pace::new();
        loop {
            self.scrub();
            let Some(first) = writes.pop_within(POLL) else {
                if writes.is_closed() {
                    return;
                }
                self.check_other_writers();
                continue;
            };
            pace.wait();
            let mut units = vec![first];
            units.append(&mut writes.drain(GROUP - 1));
            units.retain(Unit::wanted);
            if !units.is_empty() {
                metrics::histogram!("relata_commit_group_size").record(units.len() as f64);
                let _busy = Busy::new("writer");
                self.commit(units);
            }
        }
    }

    fn scrub(&self) {
        let scrubs = std::mem::take(&mut *self.scrubs.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
        for Scrub { compact: whole, answer } in scrubs {
            let outcome = if whole { compact(&self.file) } else { self.leave_for_later() };
            // The caller may be gone.
            let _ = answer.send(outcome);
        }
    }

    /// Only empties the log; a database that is too large to compact now is marked for compaction at the next start.
    fn leave_for_later(&self) -> Result<bool, Error> {
        if std::fs::metadata(&self.file).is_ok_and(|file| file.len() > COMPACT_AT_ONCE) {
            const DUE: &str =
                "INSERT INTO meta (name, value) VALUES ('compact_due', '1') ON CONFLICT (name) DO NOTHING";
            if self.conn.execute(DUE, []).map_err(err)? > 0 {
                tracing::warn!(
                    "the database is too large to be compacted while the server runs; restart the server, or run `relata compact` at a quiet time"
                );
            }
        }
        empty_log(&connect(&self.file, false, 8)?)
    }

    /// Increases the generation if another process has written since the last check.
    fn check_other_writers(&mut self) {
        let version =
            self.conn.prepare_cached("PRAGMA data_version").and_then(|mut s| s.query_row([], |row| row.get(0)));
        if let Ok(version) = version
            && version != self.version
        {
            self.version = version;
            self.generation.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// Runs all units in one transaction. A unit that has written is rarely rolled back, so savepoints, which copy
    /// every page a unit touches, are used only after that happened: the group runs again with one each. If that
    /// transaction fails, too, each unit runs alone, so that only the failing one fails. If BEGIN fails, all fail: the
    /// file is locked or unreadable, and each alone would wait as long.
    fn commit(&mut self, mut units: Vec<Unit>) {
        if let Err(error) = self.batch("BEGIN IMMEDIATE") {
            return answer_lost(units, error);
        }
        let care = self.caution.of(units.len());
        let mut outcome = self.attempt(&mut units, care);
        if care == Care::Undivided && outcome.is_err() {
            self.caution.learn();
            outcome = self.batch("BEGIN IMMEDIATE").and_then(|()| self.attempt(&mut units, Care::Savepoints));
        }
        match outcome {
            Ok(undone) => answer(units, undone),
            Err(error) if units.len() == 1 => answer_lost(units, error),
            Err(_) => {
                for unit in units {
                    let mut alone = vec![unit];
                    match self.batch("BEGIN IMMEDIATE").and_then(|()| self.attempt(&mut alone, Care::Alone)) {
                        Ok(undone) => answer(alone, undone),
                        Err(error) => answer_lost(alone, error),
                    }
                }
            }
        }
    }

    /// Returns the errors of units that the database made fail, by position.
    fn attempt(&mut self, units: &mut [Unit], care: Care) -> Result<HashMap<usize, Error>, Error> {
        let outcome = self.transaction(units, care);
        if outcome.is_err() && !self.conn.is_autocommit() {
            let _ = self.conn.execute_batch("ROLLBACK");
        }
        outcome
    }

    fn transaction(&mut self, units: &mut [Unit], care: Care) -> Result<HashMap<usize, Error>, Error> {
        self.check_other_writers();
        let mut heads: HashMap<Uuid, Head> = HashMap::new();
        let (mut undone, mut appended) = (HashMap::new(), Appended::new());
        let mut held = Held::default();
        for (index, unit) in units.iter_mut().enumerate().filter(|(_, unit)| unit.wanted()) {
            let mut none = Head::default();
            let head = match unit.workspace {
                None => &mut none,
                Some(workspace) => match heads.entry(workspace) {
                    std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
                    std::collections::hash_map::Entry::Vacant(entry) => {
                        let Some((stamp, now)) = take_head(&self.conn, workspace)? else {
                            undone.insert(index, Error::Internal("there is no such workspace".into()));
                            continue;
                        };
                        entry.insert(Head { stamp, now, ..Head::default() })
                    }
                },
            };
            if care == Care::Savepoints {
                self.batch("SAVEPOINT unit")?;
            }
            let before = self.conn.total_changes();
            let mut tx = SqliteTx::new(&self.conn, Lane::Fast, head.stamp);
            (tx.now, tx.number) = (head.now, head.number);
            let begun = Begun::now();
            let fate = unit.run(&mut tx);
            let (number, tallies, poison) = (tx.number, std::mem::take(&mut tx.tallies), tx.poison.take());
            let rows = std::mem::take(&mut tx.appended);
            held.unit(unit, tx.name, &begun, rows.values().map(Vec::len).sum());
            if self.conn.is_autocommit() {
                // Disk full, I/O error or out of memory: SQLite has rolled back the whole group.
                return Err(poison.unwrap_or_else(|| Error::Unavailable("the transaction was rolled back".into())));
            }
            if number >= tx::PLACES && care != Care::Alone {
                return Err(Error::Internal("a group ran out of places".into()));
            }
            head.number = number;
            let kept = fate == Fate::Keep && poison.is_none();
            let clean = kept || poison.is_none() && self.conn.total_changes() == before;
            match (fate, poison) {
                (Fate::Keep, None) => {
                    for (tally, n) in tallies {
                        *head.tallies.entry(tally).or_default() += n;
                    }
                    tx::join(&mut appended, rows);
                }
                (Fate::Panicked, _) => drop(undone.insert(index, Error::Internal("a unit of work panicked".into()))),
                (Fate::Keep, Some(error)) => drop(undone.insert(index, error)),
                (Fate::Undo, _) => {}
            }
            match care {
                Care::Savepoints => {
                    if !clean {
                        self.batch("ROLLBACK TO unit")?;
                    }
                    self.batch("RELEASE unit")?;
                }
                Care::Alone if !kept => {
                    self.batch("ROLLBACK")?;
                    return Ok(undone);
                }
                Care::Undivided if !clean => return Err(Error::Internal("a unit of the group is undone".into())),
                Care::Alone | Care::Undivided => {}
            }
        }
        let closing = Begun::now();
        for (workspace, head) in &heads {
            let mut tx = SqliteTx::new(&self.conn, Lane::Fast, head.stamp);
            tx::write_tallies(&mut tx, *workspace, &head.tallies)?;
        }
        tx::write_appended(&mut SqliteTx::new(&self.conn, Lane::Fast, 0), appended)?;
        // Bump before and after the commit, so that no value read during the commit is cached as current.
        let written = heads.keys().map(|workspace| Epochs::place(*workspace)).collect();
        self.epochs.step(&written);
        let outcome = self.batch("COMMIT");
        self.epochs.step(&written);
        held.share(&closing);
        outcome?;
        Ok(undone)
    }

    fn batch(&self, sql: &str) -> Result<(), Error> {
        self.conn.prepare_cached(sql).and_then(|mut statement| statement.execute([])).map(drop).map_err(err)
    }
}

/// A workspace's part in a group: its stamp and `Tx::now`, its number of events, its changes to tallies.
#[derive(Default)]
struct Head {
    stamp: i64,
    now: i64,
    number: i64,
    tallies: Tallies,
}

fn take_head(conn: &Connection, workspace: Uuid) -> Result<Option<(i64, i64)>, Error> {
    let mut tx = SqliteTx::new(conn, Lane::Fast, 0);
    let tx: &mut dyn Tx = &mut tx;
    tx.one(tx.dialect().take_head(), &[workspace.into()], |row| Ok((row.int(0)?, tx::now(row.int(0)?, row.int(1)?))))
}

fn answer_lost(units: Vec<Unit>, error: Error) {
    tracing::error!(%error, "failed to commit; the callers of these writes get the error");
    for unit in units {
        unit.fail(error.clone());
    }
}

fn read_loop(path: &Path, queue: &Queue<Reading>, lane: Lane) {
    let mut conn = None;
    while let Some(reading) = queue.pop() {
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
        let _busy = Busy::new(lane.pool());
        reading.run(&mut SqliteTx::new(&ready, lane, 0));
        if ready.is_autocommit() || ready.execute_batch("COMMIT").is_ok() {
            conn = Some(ready);
        }
    }
}

pub(crate) struct SqliteTx<'a> {
    conn: &'a Connection,
    lane: Lane,
    stamp: i64,
    now: i64,
    number: i64,
    name: Option<&'static str>,
    begun: Instant,
    tallies: Tallies,
    appended: Appended,
    /// The first error: as on PostgreSQL, nothing runs in a transaction after it.
    poison: Option<Error>,
}

impl<'a> SqliteTx<'a> {
    fn new(conn: &'a Connection, lane: Lane, stamp: i64) -> Self {
        SqliteTx {
            conn,
            lane,
            stamp,
            now: stamp,
            number: 0,
            name: None,
            begun: instant(),
            tallies: Tallies::new(),
            appended: Appended::new(),
            poison: None,
        }
    }

    fn guard<T>(&mut self, work: impl FnOnce(&Connection) -> Result<T, Error>) -> Result<T, Error> {
        if let Some(error) = &self.poison {
            return Err(error.clone());
        }
        let outcome = work(self.conn);
        if let Err(error) = &outcome {
            self.poison = Some(error.clone());
        }
        outcome
    }
}

impl Tx for SqliteTx<'_> {
    fn dialect(&self) -> Dialect {
        Dialect(Engine::Sqlite)
    }
    fn lane(&self) -> Lane {
        self.lane
    }
    fn stamp(&self) -> i64 {
        self.stamp
    }
    fn now(&self) -> i64 {
        self.now
    }
    fn name(&mut self, name: &'static str) {
        self.name = Some(name);
    }
    fn has_time(&self) -> bool {
        instant() - self.begun < STEP
    }
    fn place(&mut self) -> Result<i64, Error> {
        tx::place(self.stamp, &mut self.number)
    }
    fn each(
        &mut self,
        sql: &str,
        params: &[Value],
        take: &mut dyn FnMut(&dyn Row) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.guard(|conn| {
            let mut statement = prepare(conn, sql)?;
            bind(&mut statement, params)?;
            let mut rows = statement.raw_query();
            while let Some(row) = rows.next().map_err(err)? {
                take(&SqliteRow(row)).map_err(|error| error.in_statement(sql, params, &SqliteRow(row)))?;
            }
            Ok(())
        })
    }
    fn execute(&mut self, sql: &str, params: &[Value]) -> Result<(), Error> {
        self.guard(|conn| {
            let mut statement = prepare(conn, sql)?;
            tx::check_rowless(sql, statement.column_count())?;
            bind(&mut statement, params)?;
            statement.raw_execute().map(drop).map_err(err)
        })
    }
    fn tally(&mut self, tally: Tally, delta: i64) {
        *self.tallies.entry(tally).or_default() += delta;
    }
    fn append(&mut self, insert: &'static str, row: Vec<Value>) {
        self.appended.entry(insert).or_default().push(row);
    }
}

fn prepare<'c>(conn: &'c Connection, sql: &str) -> Result<rusqlite::CachedStatement<'c>, Error> {
    if cfg!(debug_assertions) {
        tx::check_parameters(sql);
    }
    let sql = if sql.len() > LONG { numbered(sql).into() } else { Cow::Borrowed(sql) };
    conn.prepare_cached(&sql).map_err(|e| match err(e) {
        Error::Internal(why) => Error::Internal(format!("{why} in: {sql}")),
        other => other,
    })
}

/// A statement of at least this length may have thousands of parameters.
const LONG: usize = 8 * 1024;

/// Replaces `$1` by `?1` outside of quotes. To SQLite `$1` is a name, and it compares each name with all earlier ones,
/// which takes seconds for thousands. Numbers follow the order of first use, so both forms mean the same.
fn numbered(sql: &str) -> String {
    let (mut text, mut quoted) = (String::with_capacity(sql.len()), false);
    for c in sql.chars() {
        quoted ^= c == '\'';
        text.push(if c == '$' && !quoted { '?' } else { c });
    }
    text
}

fn bind(statement: &mut rusqlite::CachedStatement<'_>, params: &[Value]) -> Result<(), Error> {
    if statement.parameter_count() != params.len() {
        let (wants, has) = (statement.parameter_count(), params.len());
        return Err(Error::Internal(format!("the statement takes {wants} parameters, not {has}")));
    }
    for (index, value) in params.iter().enumerate() {
        statement.raw_bind_parameter(index + 1, value).map_err(err)?;
    }
    Ok(())
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Bool(b) => ValueRef::Integer((*b).into()),
            Value::Int(n) => ValueRef::Integer(*n),
            Value::Text(text) if text.contains('\0') => {
                return Err(rusqlite::Error::ToSqlConversionFailure("text can't hold NUL".into()));
            }
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Id(id) => ValueRef::Blob(id.as_bytes()),
            Value::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

struct SqliteRow<'a, 'b>(&'a rusqlite::Row<'b>);

impl Row for SqliteRow<'_, '_> {
    fn get(&self, column: usize) -> Result<Ref<'_>, Error> {
        let utf8 = |text| std::str::from_utf8(text).map_err(|_| Error::unreadable("is not UTF-8"));
        Ok(match self.0.get_ref(column).map_err(err)? {
            ValueRef::Null => Ref::Null,
            ValueRef::Integer(n) => Ref::Int(n),
            ValueRef::Text(text) => Ref::Text(utf8(text)?),
            ValueRef::Blob(bytes) => Ref::Bytes(bytes),
            ValueRef::Real(_) => return Err(Error::unreadable("is a binary float")),
        })
    }
    fn name(&self, column: usize) -> Option<&str> {
        self.0.as_ref().column_name(column).ok()
    }
}

fn err(error: rusqlite::Error) -> Error {
    // A value of the wrong type is a bug in the program, not a violated rule.
    if error.sqlite_error().is_some_and(|e| e.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_DATATYPE) {
        return Error::Internal(error.to_string());
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) => Error::TooSlow,
        Some(ErrorCode::ConstraintViolation) => Error::Conflict(error.to_string()),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Error::damaged_database(error.to_string()),
        Some(
            ErrorCode::DiskFull
            | ErrorCode::SystemIoFailure
            | ErrorCode::OutOfMemory
            | ErrorCode::CannotOpen
            | ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::ReadOnly
            | ErrorCode::FileLockingProtocolFailed,
        ) => Error::Unavailable(error.to_string()),
        _ => Error::Internal(error.to_string()),
    }
}
