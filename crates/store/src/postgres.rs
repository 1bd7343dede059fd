//! PostgreSQL: threads that own a connection run rules and lists; point reads are pipelined without a thread. Writes
//! that wait for the same workspace share a commit.

use crate::group::{Care, Caution, Fate, Reading, Unit, full};
use crate::held::{Begun, Held};
use crate::instant::instant;
use crate::queue::{self, Busy, Queue};
use crate::tx::{self, Appended, Tallies};
use crate::{Error, Lane, Mode, Row, Tx, Value};
use connection::{FAST, Link, SLOW, Server, Shared, WRITES, linked};
use schema::prepare_schema;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use transaction::{Late, PgTx};
use uuid::Uuid;
use values::PgRow;
use writes::{Next, Writes};

mod connection;
mod schema;
mod tls;
mod transaction;
mod values;
mod writes;

const WRITERS: usize = 16;
pub(crate) const FAST_READERS: usize = 5;
pub(crate) const SLOW_READERS: usize = 3;
const SHARED: usize = 4;
const WAITING: usize = 4096;

pub(crate) struct Postgres {
    server: Arc<Server>,
    writes: Arc<Writes>,
    fast: Arc<Queue<Reading>>,
    slow: Arc<Queue<Reading>>,
    shared: Vec<Shared>,
    generation: AtomicU64,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Postgres {
    pub(crate) fn open(
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

    pub(crate) fn submit(&self, unit: Unit) {
        self.writes.push(unit);
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

    pub(crate) async fn point<T>(
        &self,
        sql: &str,
        params: &[Value],
        decode: impl FnOnce(&dyn Row) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        // The least loaded connection, and the first of several without load: a quiet server uses one.
        let least = self.shared.iter().min_by_key(|shared| shared.load());
        let shared = least.ok_or_else(|| Error::Internal("no connection for point reads".into()))?;
        let _waiting = shared.count();
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
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    pub(crate) fn close(&self) {
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

fn write_loop(server: &Server, writes: &Writes) {
    let (mut link, mut caution): (Option<Link>, _) = (None, Caution::default());
    while let Some(next) = writes.next(link.is_some()) {
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
    connection: &mut Option<Link>,
    server: &Server,
    workspace: Option<Uuid>,
    units: Vec<Unit>,
    care: Care,
) -> Result<(), Lost> {
    let link = match linked(connection, server, WRITES) {
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
            // The next unit must not find this transaction still open.
            if link.runtime.block_on(link.client.batch_execute("ROLLBACK")).is_err() {
                *connection = None;
            }
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
    if workspace.is_none() {
        // If BEGIN fails, each statement that follows it at once would be committed by itself.
        tx.drain().map_err(Failed::Before)?;
    }
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
    let mut connection: Option<Link> = None;
    let settings = match lane {
        Lane::Fast => FAST,
        Lane::Slow => SLOW,
    };
    while let Some(reading) = queue.pop(connection.is_some()) {
        let link = match linked(&mut connection, server, settings) {
            Ok(link) => link,
            Err(error) => {
                reading.fail(error);
                continue;
            }
        };
        let busy = Busy::new(lane.pool());
        let mut tx = PgTx::new(link, lane, 0);
        tx.send_batch("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        reading.run(&mut tx, busy);
        tx.poison = None;
        tx.send_batch("COMMIT");
        // The result has been sent already. PostgreSQL can cancel even a COMMIT for its time limit, and the transaction stays
        // open: the next read needs another connection.
        if tx.drain().is_err() {
            connection = None;
        }
    }
}
