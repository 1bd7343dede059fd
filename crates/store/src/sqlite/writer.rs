//! The writer of SQLite.

use super::scrub::Scrub;
use super::transaction::SqliteTx;
use super::values::err;
use crate::group::{Care, Caution, Fate, Pace, Unit, answer};
use crate::held::{Begun, Held};
use crate::queue::{Busy, Queue};
use crate::tx::{self, Appended, Tallies};
use crate::{Error, Lane, Tx};
use rusqlite::Connection;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use uuid::Uuid;

const GROUP: usize = 256;
/// Workspaces share counters by the last byte of their id; a shared counter only causes a needless cache miss.
pub(super) const EPOCHS: usize = 256;
/// How often the idle writer checks whether another process has written.
const POLL: Duration = Duration::from_millis(200);

/// Twice the number of commits to each workspace; odd during a commit.
pub(super) struct Epochs(pub(super) [AtomicU64; EPOCHS]);

impl Epochs {
    pub(super) fn of(&self, workspace: Uuid) -> &AtomicU64 {
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

/// The thread that writes: it commits units in groups, each in a savepoint of its own.
pub(super) struct Writer {
    pub(super) conn: Connection,
    pub(super) generation: Arc<AtomicU64>,
    pub(super) epochs: Arc<Epochs>,
    pub(super) version: i64,
    pub(super) caution: Caution,
    pub(super) scrubs: Arc<Mutex<VecDeque<Scrub>>>,
    /// The request that is carried out.
    pub(super) scrub: Option<Scrub>,
    pub(super) file: PathBuf,
}

impl Writer {
    pub(super) fn run(mut self, writes: &Queue<Unit>) {
        let mut pace = Pace::new();
        loop {
            let is_scrubbing = self.scrub();
            let Some(first) = writes.pop_within(if is_scrubbing { Duration::ZERO } else { POLL }) else {
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

    /// Carries out a step of the first request; false if there is none.
    fn scrub(&mut self) -> bool {
        if self.scrub.is_none() {
            self.scrub = self.scrubs.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).pop_front();
        }
        let Some(mut scrub) = self.scrub.take() else { return false };
        let begun = Begun::now();
        let answer = scrub.step(&self.conn, &self.file);
        Held::default().own("scrub", &begun);
        match answer {
            // The caller may be gone.
            Some(answer) => drop(scrub.answer.send(answer)),
            None => self.scrub = Some(scrub),
        }
        true
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
