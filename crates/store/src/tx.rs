//! The transaction that rules see: statements, the stamp of the commit, tallies.

use crate::{Dialect, Error, Row, Value};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Which pool of readers runs a read, and its time limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lane {
    /// Reads bounded by an index or a limit.
    Fast,
    /// Reads that grow with the table. They only delay each other.
    Slow,
}

impl Lane {
    pub(crate) fn pool(self) -> &'static str {
        match self {
            Lane::Fast => "fast",
            Lane::Slow => "slow",
        }
    }
}

/// A maintained count: how many records of `collection` have `value` in `field` (the empty field counts them all).
/// Archived records are counted separately.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tally {
    pub collection: &'static str,
    pub field: &'static str,
    pub value: String,
    pub archived: bool,
}

pub trait Tx {
    fn dialect(&self) -> Dialect;
    fn lane(&self) -> Lane;

    /// The millisecond of this commit; zero in a read.
    fn stamp(&self) -> i64;

    /// The time for leases and due times; zero in a read. It is the stamp, unless the stamp is far ahead of the
    /// database's clock: stamps never go back, so after a fast clock has been corrected they stay ahead until the clock
    /// catches up.
    fn now(&self) -> i64;

    /// Names the running unit in the log in case it holds the writer for too long: an operation or a kind of job.
    fn name(&mut self, name: &'static str);

    /// False once the unit has held the writer for a while. A job that works in steps then ends its step where the next
    /// one can continue.
    fn has_time(&self) -> bool;

    /// The next position in the workspace's feed: the stamp and a running number.
    fn place(&mut self) -> Result<i64, Error>;

    /// Passes each row to `take`, borrowed from the driver.
    fn each(
        &mut self,
        sql: &str,
        params: &[Value],
        take: &mut dyn FnMut(&dyn Row) -> Result<(), Error>,
    ) -> Result<(), Error>;

    /// A statement without rows. PostgreSQL receives it without waiting for the answer, so its failure shows at the
    /// next statement with rows or at the end of the unit; either way the unit fails.
    fn execute(&mut self, sql: &str, params: &[Value]) -> Result<(), Error>;

    /// Changes a tally; all changes of a commit are written together at its end. A change of zero still records that
    /// the collection changed.
    fn tally(&mut self, tally: Tally, delta: i64);

    /// Adds a row to an `INSERT … VALUES (…)` that the same transaction does not read: all rows of a commit are written
    /// together at its end.
    fn append(&mut self, insert: &'static str, row: Vec<Value>);
}

impl dyn Tx + '_ {
    /// A new id of version 7 made from the stamp, so ids sort by creation.
    pub fn id(&mut self) -> Uuid {
        self.id_at(self.stamp())
    }

    /// An id for another time, for records that are created before there is a head row to stamp them.
    pub fn id_at(&mut self, ms: i64) -> Uuid {
        let mut random = [0; 10];
        random.copy_from_slice(&Uuid::new_v4().into_bytes()[6..]);
        // Version 4 has fixed bits in the first and third of these bytes; replace them by random ones.
        let fresh = Uuid::new_v4().into_bytes();
        (random[0], random[2]) = (fresh[0], fresh[1]);
        uuid::Builder::from_unix_timestamp_millis(ms.unsigned_abs(), &random).into_uuid()
    }

    /// Lifts the lane's time limit for the rest of a read, for operators' commands that scan whole tables.
    pub fn lift_time_limit(&mut self) -> Result<(), Error> {
        let statement = self.dialect().lift_time_limit();
        statement.map_or(Ok(()), |sql| self.execute(sql, &[]))
    }

    /// The database's clock, in milliseconds.
    pub fn clock(&mut self) -> Result<i64, Error> {
        let sql = format!("SELECT {}", self.dialect().clock());
        self.one(&sql, &[], |row| row.int(0))?.ok_or_else(|| Error::Internal("the database has no clock".into()))
    }

    pub fn rows<T>(
        &mut self,
        sql: &str,
        params: &[Value],
        mut decode: impl FnMut(&dyn Row) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        let mut rows = Vec::new();
        self.each(sql, params, &mut |row| {
            rows.push(decode(row)?);
            Ok(())
        })?;
        Ok(rows)
    }

    /// The first row, if there is one.
    pub fn one<T>(
        &mut self,
        sql: &str,
        params: &[Value],
        mut decode: impl FnMut(&dyn Row) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let mut found = None;
        self.each(sql, params, &mut |row| {
            if found.is_none() {
                found = Some(decode(row)?);
            }
            Ok(())
        })?;
        Ok(found)
    }
}

/// Changes to tallies, collected until the commit and sorted, so that the order of statements does not depend on
/// hashing.
pub(crate) type Tallies = BTreeMap<Tally, i64>;

/// Writes one workspace's changes to tallies in a commit.
pub(crate) fn write_tallies(tx: &mut dyn Tx, workspace: Uuid, tallies: &Tallies) -> Result<(), Error> {
    let stamp = tx.stamp();
    let moved: Vec<_> = tallies.iter().filter(|(tally, n)| **n != 0 || tally.field.is_empty()).collect();
    for some in moved.chunks(16) {
        let mut sql =
            "INSERT INTO counters (workspace_id, stamp, collection, field, value, archived, n) VALUES ".to_owned();
        let mut params: Vec<Value> = vec![workspace.into(), stamp.into()];
        for (tally, n) in some {
            let at = params.len();
            let comma = if at == 2 { "" } else { ", " };
            sql += &format!("{comma}($1, $2, ${}, ${}, ${}, ${}, ${})", at + 1, at + 2, at + 3, at + 4, at + 5);
            params.extend([tally.collection.into(), tally.field.into(), tally.value.as_str().into()]);
            params.extend([tally.archived.into(), (**n).into()]);
        }
        sql += " ON CONFLICT (workspace_id, collection, field, value, archived) \
               DO UPDATE SET n = counters.n + excluded.n, stamp = excluded.stamp";
        tx.execute(&sql, &params)?;
    }
    Ok(())
}

/// Appended rows, by their statement.
pub(crate) type Appended = BTreeMap<&'static str, Vec<Vec<Value>>>;

/// Adds a unit's rows to those of its commit.
pub(crate) fn join(all: &mut Appended, more: Appended) {
    for (insert, mut rows) in more {
        all.entry(insert).or_default().append(&mut rows);
    }
}

/// Writes the appended rows of a commit in batches of 16, 4 and 1, so that few different statements are prepared.
pub(crate) fn write_appended(tx: &mut dyn Tx, appended: Appended) -> Result<(), Error> {
    for (insert, rows) in appended {
        let mut rest = rows.as_slice();
        while !rest.is_empty() {
            let many = [16, 4, 1].into_iter().find(|many| *many <= rest.len()).unwrap_or(1);
            let (some, more) = rest.split_at(many);
            rest = more;
            let (mut sql, mut params) = (insert.to_owned(), Vec::with_capacity(many * some[0].len()));
            for row in some {
                // The statement has placeholders for one row; add those of the others.
                if !params.is_empty() {
                    let places: Vec<String> = (1..=row.len()).map(|at| format!("${}", params.len() + at)).collect();
                    sql += &format!(", ({})", places.join(", "));
                }
                params.extend_from_slice(row);
            }
            tx.execute(&sql, &params)?;
        }
    }
    Ok(())
}

/// How many microseconds a stamp may be ahead of the clock because commits follow each other closely.
const CLOSE: i64 = 1_000_000;

/// `Tx::now` of a commit whose stamp is `ahead` microseconds ahead of the clock.
pub(crate) fn now(stamp: i64, ahead: i64) -> i64 {
    if ahead > CLOSE { stamp - ahead / 1000 } else { stamp }
}

/// The number of positions in a stamp. A group that needs more is split.
pub(crate) const PLACES: i64 = 1 << 16;

/// `stamp << 16 | n`: commit-ordered without a sequence.
pub(crate) fn place(stamp: i64, number: &mut i64) -> Result<i64, Error> {
    if *number >= PLACES {
        return Err(Error::Internal("a commit has at most 65,536 events".into()));
    }
    let place = stamp << 16 | *number;
    *number += 1;
    Ok(place)
}

/// `execute` is for statements without rows; SQLite rejects one that returns some, PostgreSQL does not.
pub(crate) fn check_rowless(sql: &str, columns: usize) -> Result<(), Error> {
    if columns == 0 { Ok(()) } else { Err(Error::Internal(format!("the statement gives rows: {sql}"))) }
}

/// SQLite numbers `$1…$n` by first appearance, PostgreSQL by the digits: they must agree.
pub(crate) fn check_parameters(sql: &str) {
    let (mut highest, mut rest) = (0, sql);
    while let Some(at) = rest.find('$') {
        rest = &rest[at + 1..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if let Ok(number) = rest[..digits].parse::<u32>() {
            assert!(number <= highest + 1, "parameter ${number} comes before ${} in: {sql}", highest + 1);
            highest = highest.max(number);
        }
    }
}
