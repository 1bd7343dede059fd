//! A transaction on PostgreSQL.

use super::connection::Link;
use super::values::{PgRow, err};
use crate::held::STEP;
use crate::instant::instant;
use crate::tx::{self, Appended, Tallies};
use crate::{Dialect, Error, Lane, Row, Tally, Tx, Value, migrate};
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Instant;
use tokio_postgres::Statement;
use tokio_postgres::types::ToSql;

/// An error found when the answer to an earlier request was read.
pub(super) struct Late {
    /// The position of the request among the pending ones.
    pub(super) index: usize,
    /// The server reported the error. Otherwise the connection ended, and the outcome of later requests is unknown.
    pub(super) reported: bool,
    pub(super) error: Error,
}

type Sent = Pin<Box<dyn Future<Output = Result<(), tokio_postgres::Error>>>>;

pub(super) struct PgTx<'a> {
    pub(super) link: &'a mut Link,
    pub(super) lane: Lane,
    pub(super) stamp: i64,
    pub(super) now: i64,
    pub(super) number: i64,
    pub(super) name: Option<&'static str>,
    pub(super) begun: Instant,
    pub(super) tallies: Tallies,
    pub(super) appended: Appended,
    /// Whether the current unit has sent anything but SELECTs.
    pub(super) wrote: bool,
    /// How many statements the current unit has sent without waiting for their answers.
    pub(super) sent: usize,
    /// Requests that were sent and not answered yet: a pipeline.
    pub(super) pending: VecDeque<Sent>,
    pub(super) poison: Option<Error>,
}

impl<'a> PgTx<'a> {
    pub(super) fn new(link: &'a mut Link, lane: Lane, stamp: i64) -> Self {
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
    pub(super) fn send(
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

    pub(super) fn send_batch(&mut self, sql: &'static str) {
        let client = self.link.client.clone();
        if let Err(error) = self.send(async move { client.batch_execute(sql).await }) {
            self.pending.push_back(Box::pin(std::future::ready(Err(error))));
        }
    }

    /// The prepared statement, unless the transaction has failed already.
    pub(super) fn statement(&mut self, sql: &str) -> Result<Statement, Error> {
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
    pub(super) fn spoil(&mut self, error: Error) -> Error {
        self.poison.get_or_insert(error).clone()
    }

    pub(super) fn drain(&mut self) -> Result<(), Error> {
        self.drain_counting().map_err(|late| late.error)
    }

    /// Waits for all pending requests; on failure, returns which one failed first and why.
    pub(super) fn drain_counting(&mut self) -> Result<(), Late> {
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
    pub(super) fn undo(&mut self, alone: bool) -> Result<(), Error> {
        let _ = self.drain();
        self.poison = None;
        self.send_batch(if alone { "ROLLBACK" } else { "ROLLBACK TO SAVEPOINT unit" });
        self.drain()
    }
}

impl Tx for PgTx<'_> {
    fn dialect(&self) -> Dialect {
        Dialect::POSTGRES
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

impl migrate::Script for PgTx<'_> {
    fn script(&mut self, sql: &str) -> Result<(), Error> {
        self.drain()?;
        self.link.runtime.block_on(self.link.client.batch_execute(sql)).map_err(err)
    }
}
