//! PostgreSQL: threads that own a connection run rules and lists; point reads are pipelined without a thread. Writes
//! that wait for the same workspace share a commit.

use crate::group::{Care, Caution, Fate, Reading, Unit, full};
use crate::held::{Begun, Held, STEP};
use crate::queue::{self, Busy, Queue, instant};
use crate::tx::{self, Appended, Tallies};
use crate::{Dialect, Engine, Error, Lane, Mode, Ref, Row, Tally, Tx, Value, migrate};
use lru::LruCache;
use std::collections::VecDeque;
use std::future::Future;
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, RwLock};
use std::task::{Context, Poll, Waker};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, private::BytesMut, to_sql_checked};
use tokio_postgres::{Client, Statement};
use uuid::Uuid;
use writes::{Next, Writes};

mod tls;
mod writes;

const WRITERS: usize = 16;
const FAST_READERS: usize = 4;
const SLOW_READERS: usize = 2;
const SHARED: usize = 4;
const WAITING: usize = 4096;
const STATEMENTS: NonZeroUsize = NonZeroUsize::new(512).expect("512 is not zero");

pub(crate) struct Postgres {
    server: Arc<Server>,
    writes: Arc<Writes>,
    fast: Arc<Queue<Reading>>,
    slow: Arc<Queue<Reading>>,
    shared: Vec<Shared>,
    turn: AtomicUsize,
    generation: AtomicU64,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Postgres {
    pub fn open(
        url: &str,
        mode: Mode,
        prepare: &mut dyn FnMut(&mut dyn Tx) -> Result<(), Error>,
    ) -> Result<Postgres, Error> {
        let server = Arc::new(Server::parse(url)?);
        prepare_schema(&server, mode, prepare)?;

        let postgres = Postgres {
            server: server.clone(),
            writes: Arc::new(Writes::default()),
            fast: Arc::new(Queue::new(WAITING)),
            slow: Arc::new(Queue::new(WAITING)),
            shared: (0..SHARED).map(|_| Shared::default()).collect(),
            turn: AtomicUsize::new(0),
            generation: AtomicU64::new(1),
            threads: Mutex::new(Vec::new()),
        };
        let mut threads = Vec::new();
        for _ in 0..WRITERS {
            let (server, writes) = (server.clone(), postgres.writes.clone());
            threads.push(spawn("writer", move || write_loop(&server, &writes))?);
        }
        let lanes = [(&postgres.fast, Lane::Fast, FAST_READERS), (&postgres.slow, Lane::Slow, SLOW_READERS)];
        for (queue, lane, readers) in lanes {
            for _ in 0..readers {
                let (server, queue) = (server.clone(), queue.clone());
                threads.push(spawn("reader", move || read_loop(&server, &queue, lane))?);
            }
        }
        *lock(&postgres.threads) = threads;
        Ok(postgres)
    }

    pub fn submit(&self, unit: Unit) {
        self.writes.push(unit);
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

    pub async fn point<T>(
        &self,
        sql: &str,
        params: &[Value],
        decode: impl FnOnce(&dyn Row) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let shared = &self.shared[self.turn.fetch_add(1, Ordering::Relaxed) % SHARED];
        let line = shared.line(&self.server).await?;
        let rows = match line.ask(sql, params).await {
            // The connection ended before the answer; a read can safely run again.
            Err(Error::Unavailable(_)) if line.client.is_closed() => {
                shared.line(&self.server).await?.ask(sql, params).await?
            }
            answer => answer?,
        };
        let decoded =
            rows.first().map(|row| decode(&PgRow(row)).map_err(|error| error.in_statement(sql, params, &PgRow(row))));
        decoded.transpose()
    }

    /// Changes by other nodes show in `meta.config_version`, which the server polls.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    pub fn close(&self) {
        self.writes.close();
        self.fast.close();
        self.slow.close();
        queue::join(std::mem::take(&mut *lock(&self.threads)));
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.close();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Error> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.map_err(|e| Error::Unavailable(format!("can't start a thread: {e}")))
}

/// The server's address and TLS settings.
struct Server {
    config: tokio_postgres::Config,
    tls: tokio_postgres_rustls::MakeRustlsConnect,
}

impl Server {
    fn parse(url: &str) -> Result<Server, Error> {
        let unfit = |e: String| Error::Unavailable(format!("the database URL does not fit: {e}"));
        let (url, tls) = tls::from_url(url).map_err(unfit)?;
        let mut config: tokio_postgres::Config = url.parse().map_err(|e: tokio_postgres::Error| unfit(detail(&e)))?;
        config.application_name("relata").connect_timeout(CONNECT_LIMIT).tcp_user_timeout(SILENCE_LIMIT);
        Ok(Server { config, tls })
    }

    /// Returns a client and the task that must be polled for it to work.
    async fn connect(&self, settings: &str) -> Result<(Client, impl Future<Output = ()> + Send + 'static), Error> {
        // The driver's limit ends once the server accepts; a server that hangs after that needs this one.
        let silent = |_| Err(Error::Unavailable("PostgreSQL does not answer".into()));
        tokio::time::timeout(CONNECT_LIMIT, self.greet(settings)).await.unwrap_or_else(silent)
    }

    async fn greet(&self, settings: &str) -> Result<(Client, impl Future<Output = ()> + Send + 'static), Error> {
        let gone =
            |e: tokio_postgres::Error| Error::Unavailable(format!("can't connect to PostgreSQL: {}", detail(&e)));
        let (client, connection) = self.config.connect(self.tls.clone()).await.map_err(gone)?;
        let drive = async move {
            if let Err(error) = connection.await {
                tracing::warn!(error = detail(&error), "a database connection ended; the next request opens another");
            }
        };
        // PostgreSQL compresses long values while a transaction holds its locks. Its own method takes up to 0.4 s for the
        // steps of the longest sequence, LZ4 a fraction of that. A server that was built without LZ4 keeps its own.
        let compress = "SELECT set_config(name, 'lz4', false) FROM pg_settings \
             WHERE name = 'default_toast_compression' AND 'lz4' = ANY(enumvals)";
        let settings = format!(
            "{settings}; SET jit = off; SET max_parallel_workers_per_gather = 0; \
             SET idle_in_transaction_session_timeout = 60000; SET client_min_messages = warning; {compress}"
        );
        let mut drive = Box::pin(drive);
        let set = async { client.batch_execute(&settings).await.map_err(gone) };
        tokio::select! {
            set = set => set?,
            () = &mut drive => return Err(Error::Unavailable("the connection ended at once".into())),
        }
        Ok((client, drive))
    }
}

/// A machine that starts several nodes at once can need seconds per connection.
const CONNECT_LIMIT: Duration = Duration::from_secs(15);
/// If data stays unacknowledged for so long, the connection is dropped: the network is cut.
const SILENCE_LIMIT: Duration = Duration::from_secs(30);
/// Settings of the write connections, time limits in milliseconds. They force index reads, because new tables have no
/// statistics and the planner would scan them.
/// The text index collects new entries in a pending list and merges them when the list is full. The write that fills it
/// would wait up to 1.5 s, so `Store::sort_in_texts` merges earlier, in the background.
const WRITES: &str = "SET statement_timeout = 15000; SET enable_seqscan = off; SET enable_hashjoin = off; \
     SET enable_mergejoin = off; SET gin_pending_list_limit = '64MB'";
const SLOW: &str = "SET statement_timeout = 10000";
/// The list code has chosen an index, and these settings keep the planner from overruling it: without statistics it
/// would scan a whole table to join a few rows.
const FAST: &str = "SET statement_timeout = 500; SET enable_seqscan = off; SET enable_hashjoin = off; \
     SET enable_mergejoin = off";

/// A connection that one thread owns and drives.
struct Link {
    runtime: Runtime,
    client: Arc<Client>,
    statements: LruCache<String, Statement>,
}

impl Link {
    fn connect(server: &Server, settings: &str) -> Result<Link, Error> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|e| Error::Unavailable(e.to_string()))?;
        let (client, drive) = runtime.block_on(server.connect(settings))?;
        runtime.spawn(drive);
        Ok(Link { runtime, client: Arc::new(client), statements: LruCache::new(STATEMENTS) })
    }

    fn statement(&mut self, sql: &str) -> Result<Statement, Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        if cfg!(debug_assertions) {
            tx::check_parameters(sql);
        }
        let statement = self.runtime.block_on(self.client.prepare(sql)).map_err(|e| match err(e) {
            Error::Internal(why) => Error::Internal(format!("{why} in: {sql}")),
            other => other,
        })?;
        self.statements.put(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

/// The thread's connection, replaced if it is closed.
fn linked<'a>(link: &'a mut Option<Link>, server: &Server, settings: &str) -> Result<&'a mut Link, Error> {
    if let Some(link) = link {
        // An idle connection is not polled, so its end has not been noticed. The first yield reads the socket, the
        // second passes the data to the connection.
        link.runtime.block_on(async {
            tokio::task::yield_now().await;
            tokio::task::yield_now().await;
        });
    }
    if link.as_ref().is_none_or(|link| link.client.is_closed()) {
        *link = None;
        *link = Some(Link::connect(server, settings)?);
    }
    link.as_mut().ok_or_else(|| Error::Unavailable("no connection".into()))
}

fn prepare_schema(
    server: &Server,
    mode: Mode,
    prepare: &mut dyn FnMut(&mut dyn Tx) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut link = Link::connect(server, "SET statement_timeout = 0")?;
    let encoding = link.runtime.block_on(link.client.query_one("SHOW server_encoding", &[])).map_err(err)?;
    let encoding: String = encoding.try_get(0).map_err(err)?;
    if encoding != "UTF8" {
        return Err(Error::Unavailable(format!(
            "the PostgreSQL database has encoding {encoding}; create it anew with: createdb --encoding=UTF8 --template=template0 NAME"
        )));
    }
    if mode == Mode::Migrate {
        make_lock(&link)?;
    }
    let begin = match mode {
        Mode::Migrate => "BEGIN; SELECT id FROM migration_lock WHERE id = 1 FOR UPDATE",
        Mode::Expect => "BEGIN",
    };
    link.runtime.block_on(link.client.batch_execute(begin)).map_err(err)?;
    let mut tx = PgTx::new(&mut link, Lane::Slow, 0);
    let outcome = migrate::run(&mut tx, mode).and_then(|()| check_trigrams(&mut tx));
    let outcome = outcome.and_then(|()| prepare(&mut tx));
    let appended = std::mem::take(&mut tx.appended);
    let outcome = outcome.and_then(|()| tx::write_appended(&mut tx, appended)).and_then(|()| tx.drain());
    let outcome = outcome.and_then(|()| tx.poison.take().map_or(Ok(()), Err));
    let end = if outcome.is_ok() { "COMMIT" } else { "ROLLBACK" };
    let ended = link.runtime.block_on(link.client.batch_execute(end)).map_err(err);
    outcome.and(ended)
}

/// In the C locale pg_trgm sees only ASCII letters, and searches would miss all other text.
fn check_trigrams(tx: &mut dyn Tx) -> Result<(), Error> {
    let seen = tx.one("SELECT coalesce(array_length(show_trgm('田中'), 1), 0)", &[], |row| row.int(0))?;
    if seen.unwrap_or(0) > 0 {
        return Ok(());
    }
    Err(Error::Unavailable(
        "the PostgreSQL database has a locale without letters beyond ASCII; create it anew with: \
         createdb --encoding=UTF8 --locale=C.UTF-8 --template=template0 NAME"
            .into(),
    ))
}

/// The row that every node locks before it reads the schema. Two nodes that create the table at the same time collide
/// in the catalogue; the loser tries again.
fn make_lock(link: &Link) -> Result<(), Error> {
    let make = "CREATE TABLE IF NOT EXISTS migration_lock (id BIGINT NOT NULL PRIMARY KEY); \
                INSERT INTO migration_lock (id) VALUES (1) ON CONFLICT DO NOTHING";
    let mut last = Error::Internal("the migration lock could not be made".into());
    for _ in 0..20 {
        match link.runtime.block_on(link.client.batch_execute(make)) {
            Ok(()) => return Ok(()),
            Err(error) => last = err(error),
        }
        thread::sleep(Duration::from_millis(50));
    }
    Err(last)
}

impl migrate::Script for PgTx<'_> {
    fn script(&mut self, sql: &str) -> Result<(), Error> {
        self.drain()?;
        self.link.runtime.block_on(self.link.client.batch_execute(sql)).map_err(err)
    }
}

fn write_loop(server: &Server, writes: &Writes) {
    let (mut link, mut caution) = (None, Caution::default());
    while let Some(next) = writes.next() {
        let _busy = Busy::new("writer");
        match next {
            Next::Loose(unit) => commit(&mut link, server, &mut caution, None, vec![unit]),
            Next::Workspace(workspace) => {
                let mut units = writes.take(workspace);
                units.retain(Unit::wanted);
                metrics::histogram!("relata_commit_group_size").record(units.len() as f64);
                commit(&mut link, server, &mut caution, Some(workspace), units);
                writes.release(workspace);
            }
        }
    }
}

/// A unit that has written is rarely rolled back, so a group's statements are sent without waiting for answers. Only if
/// one fails does the group run again with a savepoint for each unit, and then each unit alone.
fn commit(link: &mut Option<Link>, server: &Server, caution: &mut Caution, workspace: Option<Uuid>, units: Vec<Unit>) {
    if units.is_empty() {
        return;
    }
    let care = caution.of(units.len());
    let mut outcome = attempt(link, server, workspace, units, care);
    if care == Care::Undivided
        && let Err(lost) = outcome
    {
        caution.learn();
        outcome = attempt(link, server, workspace, lost.units, Care::Savepoints);
    }
    let Err(lost) = outcome else { return };
    for unit in lost.units {
        // Only units that certainly did not commit run again.
        if let Err(mut again) = attempt(link, server, workspace, vec![unit], Care::Alone) {
            tracing::error!(error = %again.error, "failed to commit a write; its caller gets the error");
            if let Some(unit) = again.units.pop() {
                unit.fail(again.error);
            }
        }
    }
}

/// A transaction that failed as a whole before COMMIT was sent.
struct Lost {
    units: Vec<Unit>,
    error: Error,
}

fn attempt(
    link: &mut Option<Link>,
    server: &Server,
    workspace: Option<Uuid>,
    units: Vec<Unit>,
    care: Care,
) -> Result<(), Lost> {
    let link = match linked(link, server, WRITES) {
        Ok(link) => link,
        Err(error) => {
            units.into_iter().for_each(|unit| unit.fail(error.clone()));
            return Ok(());
        }
    };
    let mut units: Vec<(Unit, Option<Error>)> = units.into_iter().map(|unit| (unit, None)).collect();
    let outcome = transaction(link, workspace, &mut units, care);
    match outcome {
        Ok(()) => {
            for (unit, error) in units {
                match error {
                    Some(error) => unit.fail(error),
                    None => unit.finish(),
                }
            }
            Ok(())
        }
        Err(Failed::Before(error)) => {
            let _ = link.runtime.block_on(link.client.batch_execute("ROLLBACK"));
            Err(Lost { units: units.into_iter().map(|(unit, _)| unit).collect(), error })
        }
        Err(Failed::Unknown(error)) => {
            units.into_iter().for_each(|(unit, _)| unit.fail(error.clone()));
            Ok(())
        }
    }
}

enum Failed {
    /// Nothing was committed.
    Before(Error),
    /// The connection ended during the commit.
    Unknown(Error),
}

fn transaction(
    link: &mut Link,
    workspace: Option<Uuid>,
    units: &mut [(Unit, Option<Error>)],
    care: Care,
) -> Result<(), Failed> {
    let alone = care == Care::Alone;
    let mut tx = PgTx::new(link, Lane::Fast, 0);
    tx.send_batch("BEGIN");
    if let Some(workspace) = workspace {
        let sql = tx.dialect().take_head();
        let head = (&mut tx as &mut dyn Tx).one(sql, &[workspace.into()], |row| Ok((row.int(0)?, row.int(1)?)));
        if head == Err(Error::TooSlow) {
            // Another node holds the workspace. Fail all units now, since each alone would wait as long.
            let held = Error::Unavailable("the workspace is held by another node".into());
            units.iter_mut().for_each(|(_, error)| *error = Some(held.clone()));
            return tx.undo(true).map_err(Failed::Before);
        }
        match head.map_err(Failed::Before)? {
            Some((stamp, ahead)) => {
                (tx.stamp, tx.now) = (stamp, tx::now(stamp, ahead));
                // At most one commit per millisecond over all nodes, so that stamps do not run ahead of the clock. The
                // wait is bounded in case the clock was set back.
                thread::sleep(Duration::from_micros(ahead.clamp(0, 2000) as u64));
            }
            None => {
                let missing = Error::Internal("there is no such workspace".into());
                units.iter_mut().for_each(|(_, error)| *error = Some(missing.clone()));
            }
        }
    }
    let (mut kept, mut appended) = (Tallies::new(), Appended::new());
    let mut held = Held::default();
    for (unit, error) in units.iter_mut().filter(|(unit, error)| error.is_none() && unit.wanted()) {
        if care == Care::Savepoints {
            tx.send_batch("SAVEPOINT unit");
        }
        (tx.wrote, tx.sent, tx.name, tx.begun) = (false, 0, None, instant());
        let begun = Begun::now();
        let fate = unit.run(&mut tx);
        if care == Care::Savepoints && fate == Fate::Keep {
            // Read all answers before the next unit starts, so that a failure is attributed to the right unit.
            let _ = tx.drain();
        }
        // Statements that the unit sent without waiting are completed at the end of the transaction.
        let later = tx.sent + tx.appended.values().map(Vec::len).sum::<usize>();
        held.unit(unit, tx.name, &begun, later);
        if !alone && tx.number >= tx::PLACES {
            return Err(Failed::Before(Error::Internal("a group ran out of places".into())));
        }
        let (tallies, rows) = (std::mem::take(&mut tx.tallies), std::mem::take(&mut tx.appended));
        let poison = tx.poison.clone();
        if fate == Fate::Keep && poison.is_none() {
            for (tally, n) in tallies {
                *kept.entry(tally).or_default() += n;
            }
            tx::join(&mut appended, rows);
            continue;
        }
        match (fate, poison) {
            (Fate::Panicked, _) => *error = Some(Error::Internal("a unit of work panicked".into())),
            (_, Some(poison @ Error::Unavailable(_))) => return Err(Failed::Before(poison)),
            (Fate::Keep, Some(poison)) => *error = Some(poison),
            (_, None) if !tx.wrote && !alone => continue,
            (_, _) => {}
        }
        if care == Care::Undivided {
            return Err(Failed::Before(Error::Internal("a unit of the group is undone".into())));
        }
        tx.undo(alone).map_err(Failed::Before)?;
        if alone {
            return Ok(());
        }
    }
    let closing = Begun::now();
    if let Some(workspace) = workspace {
        // An error here, of this statement or of an earlier one of the unit, must prevent the commit.
        tx::write_tallies(&mut tx, workspace, &kept).map_err(Failed::Before)?;
    }
    tx::write_appended(&mut tx, appended).map_err(Failed::Before)?;
    let written = tx.pending.len();
    tx.send_batch("COMMIT");
    let drained = tx.drain_counting();
    held.share(&closing);
    match drained {
        Ok(()) => Ok(()),
        // A statement before the commit failed, so the server answered COMMIT with a rollback.
        Err(Late { index, reported, error })
            if index < written && (reported || !matches!(error, Error::Unavailable(_))) =>
        {
            if !alone {
                return Err(Failed::Before(error));
            }
            units[0].1 = Some(error);
            Ok(())
        }
        Err(Late { index, error, .. }) if index < written => Err(Failed::Unknown(error)),
        Err(Late { error: Error::Unavailable(why), .. }) => {
            Err(Failed::Unknown(Error::Unavailable(format!("it is not known whether the commit took place: {why}"))))
        }
        Err(Late { error, .. }) => Err(Failed::Before(error)),
    }
}

fn read_loop(server: &Server, queue: &Queue<Reading>, lane: Lane) {
    let mut link = None;
    let settings = match lane {
        Lane::Fast => FAST,
        Lane::Slow => SLOW,
    };
    while let Some(reading) = queue.pop() {
        let link = match linked(&mut link, server, settings) {
            Ok(link) => link,
            Err(error) => {
                reading.fail(error);
                continue;
            }
        };
        let _busy = Busy::new(lane.pool());
        let mut tx = PgTx::new(link, lane, 0);
        tx.send_batch("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        reading.run(&mut tx);
        tx.poison = None;
        tx.send_batch("COMMIT");
        // The result has been sent already; the next read notices a lost connection.
        let _ = tx.drain();
    }
}

/// An error found when the answer to an earlier request was read.
struct Late {
    /// The position of the request among the pending ones.
    index: usize,
    /// The server reported the error. Otherwise the connection ended, and the outcome of later requests is unknown.
    reported: bool,
    error: Error,
}

type Sent = Pin<Box<dyn Future<Output = Result<(), tokio_postgres::Error>>>>;

pub(crate) struct PgTx<'a> {
    link: &'a mut Link,
    lane: Lane,
    stamp: i64,
    now: i64,
    number: i64,
    name: Option<&'static str>,
    begun: Instant,
    tallies: Tallies,
    appended: Appended,
    /// Whether the current unit has sent anything but SELECTs.
    wrote: bool,
    /// How many statements the current unit has sent without waiting for their answers.
    sent: usize,
    /// Requests that were sent and not answered yet: a pipeline.
    pending: VecDeque<Sent>,
    poison: Option<Error>,
}

impl<'a> PgTx<'a> {
    fn new(link: &'a mut Link, lane: Lane, stamp: i64) -> Self {
        PgTx {
            link,
            lane,
            stamp,
            now: stamp,
            number: 0,
            name: None,
            begun: instant(),
            tallies: Tallies::new(),
            appended: Appended::new(),
            wrote: false,
            sent: 0,
            pending: VecDeque::new(),
            poison: None,
        }
    }

    /// The first poll queues the request for sending; `drain` reads the answer. A request that fails at once never
    /// reached the server, which would commit the rest without it, so its error is returned here.
    fn send(
        &mut self,
        request: impl Future<Output = Result<(), tokio_postgres::Error>> + 'static,
    ) -> Result<(), tokio_postgres::Error> {
        let mut request: Sent = Box::pin(request);
        match request.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => return outcome,
            Poll::Pending => self.pending.push_back(request),
        }
        Ok(())
    }

    fn send_batch(&mut self, sql: &'static str) {
        let client = self.link.client.clone();
        if let Err(error) = self.send(async move { client.batch_execute(sql).await }) {
            self.pending.push_back(Box::pin(std::future::ready(Err(error))));
        }
    }

    /// The prepared statement, unless the transaction has failed already.
    fn statement(&mut self, sql: &str) -> Result<Statement, Error> {
        if let Some(error) = &self.poison {
            return Err(error.clone());
        }
        if !self.link.statements.contains(sql) {
            // Answers arrive in order, and an unread one could block the next for ever.
            self.drain()?;
        }
        self.link.statement(sql).map_err(|error| self.spoil(error))
    }

    /// Keeps the first error: nothing runs in a transaction after it.
    fn spoil(&mut self, error: Error) -> Error {
        self.poison.get_or_insert(error).clone()
    }

    fn drain(&mut self) -> Result<(), Error> {
        self.drain_counting().map_err(|late| late.error)
    }

    /// Waits for all pending requests; on failure, returns which one failed first and why.
    fn drain_counting(&mut self) -> Result<(), Late> {
        let mut failed = None;
        let pending = std::mem::take(&mut self.pending);
        self.link.runtime.block_on(async {
            for (index, request) in pending.into_iter().enumerate() {
                if let Err(error) = request.await
                    && failed.is_none()
                {
                    failed = Some(Late { index, reported: error.as_db_error().is_some(), error: err(error) });
                }
            }
        });
        match failed {
            None => Ok(()),
            Some(late) => {
                self.spoil(late.error.clone());
                Err(late)
            }
        }
    }

    /// Rolls the current unit back: to its savepoint, or the whole transaction when the unit is alone.
    fn undo(&mut self, alone: bool) -> Result<(), Error> {
        let _ = self.drain();
        self.poison = None;
        self.send_batch(if alone { "ROLLBACK" } else { "ROLLBACK TO SAVEPOINT unit" });
        self.drain()
    }
}

impl Tx for PgTx<'_> {
    fn dialect(&self) -> Dialect {
        Dialect(Engine::Postgres)
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
        let statement = self.statement(sql)?;
        self.wrote |= !sql.starts_with("SELECT");
        let values: Vec<&(dyn ToSql + Sync)> = params.iter().map(|value| value as _).collect();
        let client = self.link.client.clone();
        let mut earlier = Ok(());
        let pending = std::mem::take(&mut self.pending);
        let answer = self.link.runtime.block_on(async {
            let drain = async {
                for request in pending {
                    if let Err(error) = request.await
                        && earlier.is_ok()
                    {
                        earlier = Err(err(error));
                    }
                }
            };
            tokio::join!(biased; drain, client.query(&statement, &values)).1
        });
        let outcome = earlier.and_then(|()| answer.map_err(err)).and_then(|rows| {
            for row in &rows {
                take(&PgRow(row)).map_err(|error| error.in_statement(sql, params, &PgRow(row)))?;
            }
            Ok(())
        });
        outcome.map_err(|error| self.spoil(error))
    }
    fn execute(&mut self, sql: &str, params: &[Value]) -> Result<(), Error> {
        let statement = self.statement(sql)?;
        tx::check_rowless(sql, statement.columns().len()).map_err(|error| self.spoil(error))?;
        self.wrote = true;
        self.sent += 1;
        let (client, params) = (self.link.client.clone(), params.to_vec());
        let sent = self.send(async move { client.execute_raw(&statement, params).await.map(drop) });
        sent.map_err(|error| self.spoil(err(error)))
    }
    fn tally(&mut self, tally: Tally, delta: i64) {
        *self.tallies.entry(tally).or_default() += delta;
    }
    fn append(&mut self, insert: &'static str, row: Vec<Value>) {
        self.appended.entry(insert).or_default().push(row);
    }
}

/// A connection for point reads that all tasks share; requests are pipelined on it.
#[derive(Default)]
struct Shared {
    line: RwLock<Option<Arc<Line>>>,
    connecting: tokio::sync::Mutex<()>,
}

struct Line {
    client: Client,
    statements: Mutex<LruCache<String, Statement>>,
}

impl Shared {
    async fn line(&self, server: &Server) -> Result<Arc<Line>, Error> {
        if let Some(line) = self.living() {
            return Ok(line);
        }
        let _one_at_a_time = self.connecting.lock().await;
        if let Some(line) = self.living() {
            return Ok(line);
        }
        let (client, drive) = server.connect(FAST).await?;
        tokio::spawn(drive);
        let line = Arc::new(Line { client, statements: Mutex::new(LruCache::new(STATEMENTS)) });
        *self.line.write().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(line.clone());
        Ok(line)
    }

    fn living(&self) -> Option<Arc<Line>> {
        let line = self.line.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        line.as_ref().filter(|line| !line.client.is_closed()).cloned()
    }
}

impl Line {
    async fn ask(&self, sql: &str, params: &[Value]) -> Result<Vec<tokio_postgres::Row>, Error> {
        let statement = self.statement(sql).await?;
        let params: Vec<&(dyn ToSql + Sync)> = params.iter().map(|value| value as _).collect();
        self.client.query(&statement, &params).await.map_err(err)
    }

    async fn statement(&self, sql: &str) -> Result<Statement, Error> {
        if let Some(statement) = lock(&self.statements).get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql).await.map_err(err)?;
        lock(&self.statements).put(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

struct PgRow<'a>(&'a tokio_postgres::Row);

impl Row for PgRow<'_> {
    fn get(&self, column: usize) -> Result<Ref<'_>, Error> {
        if column >= self.0.len() {
            return Err(Error::Internal(format!("there is no column {column}")));
        }
        self.0.try_get(column).map_err(|e| Error::unreadable(detail(&e)))
    }
    fn name(&self, column: usize) -> Option<&str> {
        self.0.columns().get(column).map(|column| column.name())
    }
}

impl<'a> FromSql<'a> for Ref<'a> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(match *ty {
            Type::BOOL => Ref::Bool(bool::from_sql(ty, raw)?),
            Type::INT8 => Ref::Int(i64::from_sql(ty, raw)?),
            Type::INT4 => Ref::Int(i32::from_sql(ty, raw)?.into()),
            Type::UUID => Ref::Id(Uuid::from_sql(ty, raw)?),
            Type::BYTEA => Ref::Bytes(raw),
            _ => Ref::Text(<&str>::from_sql(ty, raw)?),
        })
    }
    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Ref::Null)
    }
    fn accepts(ty: &Type) -> bool {
        matches!(*ty, Type::BOOL | Type::INT8 | Type::INT4 | Type::UUID | Type::BYTEA | Type::TEXT | Type::VARCHAR)
    }
}

/// Encodes a value as the type that the server declared for the parameter, so that the SQL needs no casts.
impl ToSql for Value {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Bool(b) => b.to_sql_checked(ty, out),
            Value::Int(n) if *ty == Type::INT4 => i32::try_from(*n)?.to_sql(ty, out),
            Value::Int(n) => n.to_sql_checked(ty, out),
            Value::Text(text) => text.to_sql_checked(ty, out),
            Value::Id(id) => id.to_sql_checked(ty, out),
            Value::Bytes(bytes) => bytes.to_sql_checked(ty, out),
        }
    }
    fn accepts(_: &Type) -> bool {
        true
    }
    to_sql_checked!();
}

/// The server's own message if there is one; the driver's summary leaves it out.
fn detail(error: &tokio_postgres::Error) -> String {
    match error.as_db_error() {
        Some(db) => format!("{} ({})", db.message(), db.code().code()),
        None => match std::error::Error::source(error) {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        },
    }
}

fn err(error: tokio_postgres::Error) -> Error {
    let why = detail(&error);
    let Some(code) = error.code().map(|state| state.code().to_owned()) else {
        let encoding = std::error::Error::source(&error).is_some_and(|s| s.is::<std::num::TryFromIntError>());
        let gone = error.is_closed() || std::error::Error::source(&error).is_some_and(|s| s.is::<std::io::Error>());
        return if gone && !encoding { Error::Unavailable(why) } else { Error::Internal(why) };
    };
    match code.as_str() {
        "57014" => Error::TooSlow,
        // The server is read-only after a failover, or ended an idle transaction.
        "25006" | "25P03" => Error::Unavailable(why),
        "XX001" | "XX002" => Error::damaged_database(why),
        _ => match &code[..2] {
            "23" => Error::Conflict(why),
            // Connection, rollback by the server, resources, operator intervention, I/O.
            "08" | "40" | "53" | "57" | "58" => Error::Unavailable(why),
            _ => Error::Internal(why),
        },
    }
}
