//! A fresh database per test, and helpers that the tests share.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};
use store::{Error, Lane, Mode, Place, Store, Tally, Tx, Uuid};

pub(crate) const HOME: Uuid = Uuid::from_u128(1);
pub(crate) const AWAY: Uuid = Uuid::from_u128(2);

/// An empty database that is deleted after its test.
pub(crate) struct Base {
    pub place: Place,
    /// The database file (SQLite), or a folder for other files.
    pub folder: tempfile::TempDir,
}

impl Base {
    pub(crate) fn sqlite() -> Base {
        let folder = tempfile::tempdir().unwrap();
        Base { place: Place::Sqlite(folder.path().join("relata.db")), folder }
    }

    pub(crate) fn postgres() -> Base {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("store_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        administer(&format!("CREATE DATABASE {name} ENCODING 'UTF8' TEMPLATE template0"));
        Base { place: Place::Postgres(postgres_url(&name)), folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) async fn open(&self) -> Store {
        self.open_as(Mode::Migrate, seed).await.expect("the database opens")
    }

    pub(crate) async fn open_as(
        &self,
        mode: Mode,
        mut prepare: impl FnMut(&mut dyn Tx) -> Result<(), Error> + Send + 'static,
    ) -> Result<Store, Error> {
        let place = self.place.clone();
        tokio::task::spawn_blocking(move || Store::open(&place, mode, &mut prepare)).await.unwrap()
    }

    pub(crate) fn file(&self) -> PathBuf {
        match &self.place {
            Place::Sqlite(path) => path.clone(),
            Place::Postgres(_) => panic!("a PostgreSQL database is no file"),
        }
    }

    pub(crate) fn database(&self) -> String {
        match &self.place {
            Place::Sqlite(_) => panic!("a SQLite database has no name"),
            Place::Postgres(url) => url.split('?').next().unwrap().rsplit('/').next().unwrap().to_owned(),
        }
    }
}

impl Drop for Base {
    fn drop(&mut self) {
        if let Place::Postgres(_) = &self.place {
            administer(&format!("DROP DATABASE {} WITH (FORCE)", self.database()));
        }
    }
}

fn seed(tx: &mut dyn Tx) -> Result<(), Error> {
    for workspace in [HOME, AWAY] {
        let sql = "INSERT INTO heads (workspace_id, stamp, tags_stamp) VALUES ($1, 0, 0) ON CONFLICT DO NOTHING";
        tx.execute(sql, &[workspace.into()])?;
    }
    Ok(())
}

/// The test server's URL with another database in it.
pub(crate) fn postgres_url(database: &str) -> String {
    let url = std::env::var("RELATA_TEST_PG").expect(
        "RELATA_TEST_PG must hold the postgres:// URL of a server on which these tests may create databases; bin/test starts one",
    );
    let (base, query) = url.split_once('?').unwrap_or((&url, ""));
    let (scheme, rest) = base.split_once("://").expect("RELATA_TEST_PG begins with postgres://");
    let server = rest.split('/').next().unwrap();
    let query = if query.is_empty() { String::new() } else { format!("?{query}") };
    format!("{scheme}://{server}/{database}{query}")
}

/// Runs one statement directly on the server, not through the store; returns the first column of its rows.
pub(crate) fn administer(sql: &str) -> Vec<String> {
    administer_on("postgres", sql)
}

pub(crate) fn administer_on(database: &str, sql: &str) -> Vec<String> {
    let (url, sql) = (postgres_url(database), sql.to_owned());
    // A runtime can't be started in a worker of another one.
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (client, connection) =
                tokio_postgres::connect(&url, tokio_postgres::NoTls).await.expect("RELATA_TEST_PG");
            tokio::spawn(connection);
            let rows = client.simple_query(&sql).await.unwrap_or_else(|e| panic!("{sql}: {e:?}"));
            let first = |message: &tokio_postgres::SimpleQueryMessage| match message {
                tokio_postgres::SimpleQueryMessage::Row(row) => Some(row.get(0).unwrap_or_default().to_owned()),
                _ => None,
            };
            rows.iter().filter_map(first).collect()
        })
    })
    .join()
    .unwrap()
}

/// Keeps the workspace's writer inside a unit until dropped: units submitted meanwhile share one commit.
pub(crate) struct Gate {
    _open: mpsc::Sender<()>,
}

pub(crate) async fn hold(store: &Store, workspace: Uuid) -> Gate {
    let (open, opened) = mpsc::channel::<()>();
    let (entered, mut inside) = tokio::sync::mpsc::unbounded_channel();
    let store = store.clone();
    tokio::spawn(async move {
        let wait = move |_: &mut dyn Tx| {
            let _ = entered.send(());
            let _ = opened.recv();
            Ok::<(), Error>(())
        };
        store.write(workspace, wait).await
    });
    inside.recv().await.expect("the gate is reached");
    Gate { _open: open }
}

pub(crate) type Waiting<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Submits now; the answer is awaited later.
pub(crate) fn queued<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> Waiting<T> {
    let mut work: Waiting<T> = Box::pin(work);
    match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => Box::pin(std::future::ready(answer)),
        Poll::Pending => work,
    }
}

/// A write that owns its store, to be queued or spawned.
pub(crate) fn write<T, E>(
    store: &Store,
    workspace: Uuid,
    work: impl FnMut(&mut dyn Tx) -> Result<T, E> + Send + 'static,
) -> impl Future<Output = Result<T, E>> + Send + 'static
where
    T: Send + 'static,
    E: From<Error> + Send + 'static,
{
    let store = store.clone();
    async move { store.write(workspace, work).await }
}

const INSERT_TAG: &str = "INSERT INTO tags (workspace_id, id, version, name, name_fold, color, color_fold, scope, created_at, updated_at) \
     VALUES ($1, $2, 1, $3, $3, 'red', 'red', 'all', $4, $4)";

/// A record with its tally and its event, as a rule writes them.
pub(crate) fn tag(tx: &mut dyn Tx, workspace: Uuid, name: &str) -> Result<Uuid, Error> {
    let (id, stamp) = (tx.id(), tx.stamp());
    tx.execute(INSERT_TAG, &[workspace.into(), id.into(), name.into(), stamp.into()])?;
    count_tag(tx);
    event(tx, workspace, id, name)?;
    Ok(id)
}

/// Like `tag`, but waits for the row, so that a failure shows at once on every engine.
pub(crate) fn tag_now(tx: &mut dyn Tx, workspace: Uuid, name: &str) -> Result<Uuid, Error> {
    let (id, stamp) = (tx.id(), tx.stamp());
    let sql = format!("{INSERT_TAG} RETURNING id");
    let row = tx.one(&sql, &[workspace.into(), id.into(), name.into(), stamp.into()], |row| row.id(0))?;
    assert_eq!(row, Some(id));
    count_tag(tx);
    Ok(id)
}

fn count_tag(tx: &mut dyn Tx) {
    tx.tally(Tally { collection: "tags", field: "", value: String::new(), archived: false }, 1);
}

pub(crate) fn event(tx: &mut dyn Tx, workspace: Uuid, record: Uuid, changes: &str) -> Result<i64, Error> {
    let (place, stamp) = (tx.place()?, tx.stamp());
    let sql = "INSERT INTO events (workspace_id, place, type, at, actor_kind, actor_name, record_type, record_id, changes) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let row = vec![
        workspace.into(),
        place.into(),
        "tag.created".into(),
        stamp.into(),
        "key".into(),
        "robot".into(),
        "tag".into(),
        record.into(),
        changes.into(),
    ];
    tx.append(sql, row);
    Ok(place)
}

/// The names of a workspace's tags, sorted.
pub(crate) async fn names(store: &Store, workspace: Uuid) -> Vec<String> {
    let sql = "SELECT name FROM tags WHERE workspace_id = $1 ORDER BY name_fold";
    store.read(Lane::Fast, move |tx| tx.rows(sql, &[workspace.into()], |row| row.text(0))).await.unwrap()
}

/// The tally and the number of rows, in one snapshot.
pub(crate) async fn totals(store: &Store, workspace: Uuid) -> (i64, i64) {
    let kept = "SELECT n FROM counters WHERE workspace_id = $1 AND collection = 'tags' AND field = ''";
    let counted = "SELECT count(*) FROM tags WHERE workspace_id = $1";
    let both = move |tx: &mut dyn Tx| {
        let kept = tx.one(kept, &[workspace.into()], |row| row.int(0))?.unwrap_or(0);
        let counted = tx.one(counted, &[workspace.into()], |row| row.int(0))?.unwrap_or(0);
        Ok::<_, Error>((kept, counted))
    };
    store.read(Lane::Fast, both).await.unwrap()
}

/// Waits for a condition and panics with its description if it is never met.
pub(crate) async fn until(what: &str, mut met: impl AsyncFnMut() -> bool) -> Duration {
    let (mut waited, step) = (Duration::ZERO, Duration::from_millis(2));
    while !met().await {
        let begin = Instant::now();
        assert!(waited < Duration::from_secs(20), "timed out waiting until {what}");
        tokio::time::sleep(step).await;
        // A check that takes much longer than the step was delayed by the machine; count it only in part.
        waited += begin.elapsed().min(5 * step);
    }
    waited
}

/// An error type of the kind that rules use.
#[derive(Debug, PartialEq)]
pub(crate) enum Oops {
    Store(Error),
    Refused,
}

impl From<Error> for Oops {
    fn from(error: Error) -> Self {
        Oops::Store(error)
    }
}

pub(crate) fn is_conflict<T>(outcome: &Result<T, Error>) -> bool {
    matches!(outcome, Err(Error::Conflict(_)))
}
pub(crate) fn is_internal<T>(outcome: &Result<T, Error>) -> bool {
    matches!(outcome, Err(Error::Internal(_)))
}
pub(crate) fn is_unavailable<T>(outcome: &Result<T, Error>) -> bool {
    matches!(outcome, Err(Error::Unavailable(_)))
}
