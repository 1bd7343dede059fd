//! A transaction on SQLite.

use super::values::{SqliteRow, err};
use crate::held::STEP;
use crate::instant::instant;
use crate::tx::{self, Appended, Tallies};
use crate::{Dialect, Error, Lane, Row, Tally, Tx, Value, migrate};
use rusqlite::Connection;
use std::borrow::Cow;
use std::time::Instant;

pub(super) struct SqliteTx<'a> {
    pub(super) conn: &'a Connection,
    pub(super) lane: Lane,
    pub(super) stamp: i64,
    pub(super) now: i64,
    pub(super) number: i64,
    pub(super) name: Option<&'static str>,
    pub(super) begun: Instant,
    pub(super) tallies: Tallies,
    pub(super) appended: Appended,
    /// The first error: as on PostgreSQL, nothing runs in a transaction after it.
    pub(super) poison: Option<Error>,
}

impl<'a> SqliteTx<'a> {
    pub(super) fn new(conn: &'a Connection, lane: Lane, stamp: i64) -> Self {
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
        Dialect::SQLITE
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

pub(super) fn prepare<'c>(conn: &'c Connection, sql: &str) -> Result<rusqlite::CachedStatement<'c>, Error> {
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

pub(super) fn bind(statement: &mut rusqlite::CachedStatement<'_>, params: &[Value]) -> Result<(), Error> {
    if statement.parameter_count() != params.len() {
        let (wants, has) = (statement.parameter_count(), params.len());
        return Err(Error::Internal(format!("the statement takes {wants} parameters, not {has}")));
    }
    for (index, value) in params.iter().enumerate() {
        statement.raw_bind_parameter(index + 1, value).map_err(err)?;
    }
    Ok(())
}

impl migrate::Script for SqliteTx<'_> {
    fn script(&mut self, sql: &str) -> Result<(), Error> {
        self.conn.execute_batch(sql).map_err(err)
    }
}
