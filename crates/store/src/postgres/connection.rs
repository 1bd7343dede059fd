//! Connections to PostgreSQL: those of threads, and those that all tasks share.

use super::values::{detail, err};
use super::{lock, tls};
use crate::{Error, Value, tx};
use lru::LruCache;
use std::future::Future;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, RwLock};
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Statement};

const STATEMENTS: NonZeroUsize = NonZeroUsize::new(512).expect("512 is not zero");

/// The server's address and TLS settings.
pub(super) struct Server {
    config: tokio_postgres::Config,
    tls: tokio_postgres_rustls::MakeRustlsConnect,
}

impl Server {
    pub(super) fn parse(url: &str) -> Result<Server, Error> {
        let unfit = |e: String| Error::Unavailable(format!("the database URL does not fit: {e}"));
        let (url, tls) = tls::from_url(url).map_err(unfit)?;
        let mut config: tokio_postgres::Config = url.parse().map_err(|e: tokio_postgres::Error| unfit(detail(&e)))?;
        config.application_name("relata").connect_timeout(CONNECT_LIMIT).tcp_user_timeout(SILENCE_LIMIT);
        Ok(Server { config, tls })
    }

    /// Returns a client and the task that must be polled for it to work.
    pub(super) async fn connect(
        &self,
        settings: &str,
    ) -> Result<(Client, impl Future<Output = ()> + Send + 'static), Error> {
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
        let settings = format!(
            "{settings}; SET jit = off; SET max_parallel_workers_per_gather = 0; \
             SET idle_in_transaction_session_timeout = 60000; SET client_min_messages = warning"
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
/// PostgreSQL compresses long values while a transaction holds its locks. Its own method takes up to 0.4 s for the steps
/// of the longest sequence, LZ4 a fraction of that. A server that was built without LZ4 keeps its own.
pub(super) const WRITES: &str = "SET statement_timeout = 15000; SET enable_seqscan = off; SET enable_hashjoin = off; \
     SET enable_mergejoin = off; SET gin_pending_list_limit = '64MB'; \
     SELECT set_config(name, 'lz4', false) FROM pg_settings \
     WHERE name = 'default_toast_compression' AND 'lz4' = ANY(enumvals)";
pub(super) const SLOW: &str = "SET statement_timeout = 10000";
/// The list code has chosen an index, and these settings keep the planner from overruling it: without statistics it
/// would scan a whole table to join a few rows.
pub(super) const FAST: &str = "SET statement_timeout = 500; SET enable_seqscan = off; SET enable_hashjoin = off; \
     SET enable_mergejoin = off";

/// A connection that one thread owns and drives.
pub(super) struct Link {
    pub(super) runtime: Runtime,
    pub(super) client: Arc<Client>,
    pub(super) statements: LruCache<String, Statement>,
}

impl Link {
    pub(super) fn connect(server: &Server, settings: &str) -> Result<Link, Error> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|e| Error::Unavailable(e.to_string()))?;
        let (client, drive) = runtime.block_on(server.connect(settings))?;
        runtime.spawn(drive);
        Ok(Link { runtime, client: Arc::new(client), statements: LruCache::new(STATEMENTS) })
    }

    pub(super) fn statement(&mut self, sql: &str) -> Result<Statement, Error> {
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
pub(super) fn linked<'a>(link: &'a mut Option<Link>, server: &Server, settings: &str) -> Result<&'a mut Link, Error> {
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

/// A connection for point reads that all tasks share; requests are pipelined on it.
#[derive(Default)]
pub(super) struct Shared {
    /// Reads that have not been answered.
    waiting: AtomicUsize,
    line: RwLock<Option<Arc<Line>>>,
    connecting: tokio::sync::Mutex<()>,
}

pub(super) struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

pub(super) struct Line {
    pub(super) client: Client,
    statements: Mutex<LruCache<String, Statement>>,
}

impl Shared {
    pub(super) fn load(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Counts a read until the result is dropped.
    pub(super) fn count(&self) -> Waiting<'_> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        Waiting(&self.waiting)
    }

    pub(super) async fn line(&self, server: &Server) -> Result<Arc<Line>, Error> {
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
    pub(super) async fn ask(&self, sql: &str, params: &[Value]) -> Result<Vec<tokio_postgres::Row>, Error> {
        let statement = self.statement(sql).await?;
        let params: Vec<&(dyn ToSql + Sync)> = params.iter().map(|value| value as _).collect();
        self.client.query(&statement, &params).await.map_err(err)
    }

    pub(super) async fn statement(&self, sql: &str) -> Result<Statement, Error> {
        if let Some(statement) = lock(&self.statements).get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql).await.map_err(err)?;
        lock(&self.statements).put(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}
