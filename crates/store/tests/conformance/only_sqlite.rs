//! Cases that only a file has: a full disk, copies, other processes that use the file.

use crate::support::{AWAY, Base, HOME, hold, is_unavailable, names, queued, tag, totals, until, write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use store::{Error, Lane, Store, Tx};

const CHILD: &str = "RELATA_TEST_CHILD";

fn big(tx: &mut dyn Tx) -> Result<(), Error> {
    let sql = "INSERT INTO meta (name, value) VALUES ('big', $1)";
    tag(tx, HOME, "beside the big one")?;
    tx.execute(sql, &["x".repeat(4 << 20).into()])
}

/// Limits the writer's connection so that the file can grow by at most `pages`.
async fn leave_room(store: &Store, pages: i64) {
    let limit = move |tx: &mut dyn Tx| {
        let now = tx.one("PRAGMA page_count", &[], |row| row.int(0))?.unwrap();
        tx.rows(&format!("PRAGMA max_page_count = {}", now + pages), &[], |row| row.int(0))
    };
    store.bookkeep(limit).await.unwrap();
}

fn integrity(file: &Path) -> String {
    let conn = rusqlite::Connection::open(file).unwrap();
    conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap()
}

/// Only the commit that fills the log copies it, and all writes would wait for 64 MB.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_is_copied_before_it_is_full() {
    let base = Base::sqlite();
    let store = base.open().await;
    let size = |ending: &str| {
        let name = format!("{}{ending}", base.file().display());
        std::fs::metadata(name).map_or(0, |file| file.len())
    };
    for number in 0..6 {
        let sql = "INSERT INTO meta (name, value) VALUES ($1, $2)";
        let name = format!("big {number}");
        let keep = move |tx: &mut dyn Tx| tx.execute(sql, &[name.clone().into(), "x".repeat(4 << 20).into()]);
        store.bookkeep(keep).await.unwrap();
    }
    until("the log is copied", async || size("") > 16 << 20).await;
    assert!(size("-wal") < 60 << 20, "{} bytes in the log", size("-wal"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_fails_only_the_unit_that_fills_it() {
    let base = Base::sqlite();
    let store = base.open().await;
    leave_room(&store, 50).await;
    let gate = hold(&store, HOME).await;
    let before = queued(write(&store, HOME, |tx| tag(tx, HOME, "before").map(|_| tx.stamp())));
    let full = queued(write(&store, HOME, big));
    let swallowed = queued(write(&store, HOME, |tx| {
        let _ = big(tx);
        tag(tx, HOME, "not in autocommit").or(Ok::<_, Error>(HOME))
    }));
    let away = queued(write(&store, AWAY, |tx| tag(tx, AWAY, "away")));
    let after = queued(write(&store, HOME, |tx| tag(tx, HOME, "after").map(|_| tx.stamp())));
    drop(gate);
    assert!(is_unavailable(&full.await));
    assert!(is_unavailable(&swallowed.await));
    let (before, after) = (before.await.unwrap(), after.await.unwrap());
    assert!(before < after, "each unit ran again alone, with its own stamp");
    away.await.unwrap();
    assert!(is_unavailable(&store.write(HOME, big).await));
    assert_eq!(names(&store, HOME).await, ["after", "before"]);
    assert_eq!((totals(&store, HOME).await, totals(&store, AWAY).await), ((2, 2), (1, 1)));
    assert_eq!(integrity(&base.file()), "ok");

    leave_room(&store, 1 << 20).await;
    store.write(HOME, big).await.expect("there is room again, without a restart");
    assert_eq!(integrity(&base.file()), "ok");
}

/// The file system itself refuses the write: the commit fails, not a statement.
#[test]
fn a_failing_write_loses_nothing_that_was_acknowledged() {
    let child = "only_sqlite::child_under_a_file_size_limit";
    let script = "trap '' XFSZ; exec \"$0\" --exact --nocapture \"$1\"";
    let me = std::env::current_exe().unwrap();
    let run =
        std::process::Command::new("sh").args(["-c", script]).arg(me).arg(child).env(CHILD, "1").output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success() && text.contains("1 passed"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn child_under_a_file_size_limit() {
    if std::env::var_os(CHILD).is_none() {
        return; // The limit holds for a whole process, so the test runs in a child process.
    }
    let limit = |size: &str| {
        let me = std::process::id().to_string();
        let set = std::process::Command::new("prlimit").args(["--pid", &me, &format!("--fsize={size}:")]).status();
        assert!(set.unwrap().success());
    };
    let base = Base::sqlite();
    let store = base.open().await;
    store.write(HOME, |tx| tag(tx, HOME, "before")).await.unwrap();
    let log = std::fs::metadata(base.file().with_extension("db-wal")).unwrap().len();
    limit(&(log + 100_000).to_string());
    let mut kept = vec!["before".to_owned()];
    // Small writes succeed until the log reaches the limit; a failed one leaves no trace.
    let mut failed = 0;
    for number in 0..200 {
        let name = format!("n{number:03}");
        let text = name.clone();
        match store.write(HOME, move |tx| tag(tx, HOME, &text)).await {
            Ok(_) => kept.push(name),
            Err(Error::Unavailable(_)) => failed += 1,
            Err(other) => panic!("{other:?}"),
        }
        if failed == 3 {
            break;
        }
    }
    assert_eq!(failed, 3, "the limit was met");
    let gate = hold(&store, HOME).await;
    let group: Vec<_> = (0..3).map(|_| queued(write(&store, HOME, |tx| tag(tx, HOME, "grouped")))).collect();
    drop(gate);
    for unit in group {
        assert!(is_unavailable(&unit.await));
    }
    kept.sort();
    assert_eq!(names(&store, HOME).await, kept);
    limit("unlimited");
    store.write(HOME, |tx| tag(tx, HOME, "zzz")).await.expect("there is room again, without a restart");
    kept.push("zzz".into());
    assert_eq!(names(&store, HOME).await, kept);
    let total = kept.len() as i64;
    assert_eq!(totals(&store, HOME).await, (total, total));
    assert_eq!(integrity(&base.file()), "ok");
}

/// When the file stays locked, all waiting units fail together, not one after the other.
pub(crate) async fn all_units_wait_once_for_a_locked_file() {
    let base = Base::sqlite();
    let store = base.open().await;
    let other = rusqlite::Connection::open(base.file()).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let begin = Instant::now();
    let waiting: Vec<_> =
        (0..8).map(|number| queued(write(&store, HOME, move |tx| tag(tx, HOME, &format!("n{number}"))))).collect();
    for unit in waiting {
        assert!(is_unavailable(&unit.await));
    }
    // The first unit may have started before the others arrived: two waits of about ten seconds, not eight.
    assert!(begin.elapsed() < Duration::from_secs(45), "{:?}", begin.elapsed());
    other.execute_batch("ROLLBACK").unwrap();
    store.write(HOME, |tx| tag(tx, HOME, "at last")).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_of_another_process_is_noticed() {
    let base = Base::sqlite();
    let (store, other) = (base.open().await, base.open().await);
    for round in 0..3 {
        let before = store.generation();
        store.write(HOME, move |tx| tag(tx, HOME, &format!("own {round}"))).await.unwrap();
        other.write(HOME, move |tx| tag(tx, HOME, &format!("other {round}"))).await.unwrap();
        let took = until("the generation moves", async || store.generation() != before).await;
        assert!(took < Duration::from_millis(500), "{took:?}");
        // A write of this store notices the other process in the same commit.
        let before = store.generation();
        other.write(HOME, move |tx| tag(tx, HOME, &format!("again {round}"))).await.unwrap();
        store.write(HOME, |tx| Ok::<_, Error>(tx.stamp())).await.unwrap();
        assert_ne!(store.generation(), before);
    }
    // The store's own writes do not change the generation. (The first check after the other's last write is over.)
    store.write(HOME, |tx| Ok::<_, Error>(tx.stamp())).await.unwrap();
    let before = store.generation();
    for number in 0..20 {
        store.write(HOME, move |tx| tag(tx, HOME, &format!("mine {number}"))).await.unwrap();
    }
    assert_eq!(store.generation(), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_commit_epoch_changes_with_each_commit_of_its_workspace() {
    let base = Base::sqlite();
    let (store, other) = (base.open().await, base.open().await);
    store.write(HOME, |tx| tag(tx, HOME, "first")).await.unwrap();
    let (home, away) = (store.commit_epoch(HOME), store.commit_epoch(AWAY));
    assert!(home.is_some() && away.is_some());
    assert_eq!(store.commit_epoch(HOME), home, "the epoch changed without a write");
    store.bookkeep(|tx| Ok::<_, Error>(tx.stamp())).await.unwrap();
    assert_eq!(store.commit_epoch(HOME), home);
    store.write(HOME, |tx| tag(tx, HOME, "second")).await.unwrap();
    assert_ne!(store.commit_epoch(HOME), home);
    assert_eq!(store.commit_epoch(AWAY), away, "a write to another workspace changed the epoch");
    let home = store.commit_epoch(HOME);
    other.write(HOME, |tx| tag(tx, HOME, "third")).await.unwrap();
    let took = until("a write of another process changes the epoch", async || store.commit_epoch(HOME) != home).await;
    assert!(took < Duration::from_millis(500), "{took:?}");

    // There is no epoch during a commit: a read then may see the state before or after it.
    let (writer, mut odd) = (store.clone(), 0);
    let writing = tokio::spawn(async move {
        for number in 0..300 {
            writer.write(HOME, move |tx| tag(tx, HOME, &format!("n{number}"))).await.unwrap();
        }
    });
    while !writing.is_finished() {
        odd += u32::from(store.commit_epoch(HOME).is_none());
        tokio::task::yield_now().await;
    }
    assert!(odd > 0, "no check fell into a commit");
    assert!(store.commit_epoch(HOME).is_some());
}

/// Writers that run until they are stopped.
struct Load {
    stop: Arc<AtomicBool>,
    writers: Vec<tokio::task::JoinHandle<usize>>,
}

impl Load {
    fn begin(store: &Store, writers: usize) -> Load {
        let stop = Arc::new(AtomicBool::new(false));
        let writer = |writer| {
            let (store, stop) = (store.clone(), stop.clone());
            tokio::spawn(async move {
                let mut written = 0;
                while !stop.load(Ordering::SeqCst) {
                    let name = format!("load-{writer}-{written}");
                    store.write(HOME, move |tx| tag(tx, HOME, &name)).await.unwrap();
                    written += 1;
                }
                written
            })
        };
        Load { writers: (0..writers).map(writer).collect(), stop }
    }
    async fn end(self) -> usize {
        self.stop.store(true, Ordering::SeqCst);
        let mut written = 0;
        for writer in self.writers {
            written += writer.await.unwrap();
        }
        written
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operator_command_can_write_beside_a_busy_server() {
    let base = Base::sqlite();
    let store = base.open().await;
    let load = Load::begin(&store, 64);
    until("the load runs", async || totals(&store, HOME).await.1 > 500).await;
    let command = base.open().await;
    let (_, before) = totals(&store, HOME).await;
    for number in 0..60 {
        command.write(HOME, move |tx| tag(tx, HOME, &format!("command {number}"))).await.unwrap();
    }
    let (_, after) = totals(&store, HOME).await;
    // The others write 64 units at a time, so this write should wait for a few of their commits only.
    let others = after - before - 60;
    assert!(others < 60 * 64 * 3, "beside 60 of its own, {others} of others");
    let written = load.end().await as i64 + 60;
    assert_eq!(totals(&store, HOME).await, (written, written));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_under_load_is_whole() {
    let base = Base::sqlite();
    let store = base.open().await;
    let load = Load::begin(&store, 4);
    let mut sizes = Vec::new();
    for number in 0..6 {
        let (file, from) = (base.folder.path().join(format!("copy-{number}.db")), store.clone());
        let target = file.clone();
        until("more was written", async || totals(&store, HOME).await.1 > sizes.last().copied().unwrap_or(0)).await;
        tokio::task::spawn_blocking(move || from.copy_to(&target)).await.unwrap().unwrap();
        store::check_copy(&file).unwrap();
        assert!(!file.with_extension("db-wal").exists(), "a copy is one file");
        let copy = rusqlite::Connection::open(&file).unwrap();
        let count = |sql: &str| copy.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
        let counted = count("SELECT count(*) FROM tags");
        assert_eq!(count("SELECT n FROM counters WHERE collection = 'tags' AND field = ''"), counted);
        assert_eq!(count("SELECT count(*) FROM events"), counted);
        assert_eq!(count("SELECT count(*) FROM tags WHERE updated_at > (SELECT max(stamp) FROM heads)"), 0);
        sizes.push(counted);
    }
    assert!(sizes.is_sorted_by(|a, b| a < b), "{sizes:?}");
    let written = load.end().await as i64;
    assert_eq!(totals(&store, HOME).await, (written, written));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restore_into_a_live_database_is_one_transaction() {
    let base = Base::sqlite();
    let store = base.open().await;
    store.write(HOME, |tx| tag(tx, HOME, "kept")).await.unwrap();
    let copy = base.folder.path().join("copy.db");
    store.copy_to(&copy).unwrap();
    store::check_copy(&copy).unwrap();
    for number in 0..50 {
        store.write(HOME, move |tx| tag(tx, HOME, &format!("lost {number}"))).await.unwrap();
    }
    let point = "SELECT count(*) FROM tags";
    assert_eq!(store.point(point, &[], |row| row.int(0)).await, Ok(Some(51)));
    let before = store.generation();
    let load = Load::begin(&store, 4);
    until("the load runs", async || totals(&store, HOME).await.1 > 60).await;
    let (from, live) = (copy.clone(), base.file());
    tokio::task::spawn_blocking(move || store::restore_into(&from, &live)).await.unwrap().unwrap();
    let now = names(&store, HOME).await;
    assert!(now.contains(&"kept".to_owned()) && !now.iter().any(|name| name.starts_with("lost")), "{now:?}");
    until("writers go on", async || totals(&store, HOME).await.1 > now.len() as i64).await;
    load.end().await;
    let (kept, counted) = totals(&store, HOME).await;
    assert_eq!(kept, counted);
    assert_eq!(store.point(point, &[], |row| row.int(0)).await, Ok(Some(counted)));
    assert_ne!(store.generation(), before, "the generation must change, so that caches are dropped");
    assert_eq!(integrity(&base.file()), "ok");
    let wrong = "SELECT count(*) FROM tags WHERE updated_at > (SELECT max(stamp) FROM heads)";
    assert_eq!(store.read(Lane::Fast, |tx| tx.one(wrong, &[], |row| row.int(0))).await, Ok(Some(0)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_not_a_database_copy_is_refused() {
    let base = Base::sqlite();
    let folder = base.folder.path();
    let (text, empty, missing) = (folder.join("text.db"), folder.join("empty.db"), folder.join("missing.db"));
    std::fs::write(&text, "This is no database, however long it goes on. ".repeat(100)).unwrap();
    std::fs::write(&empty, "").unwrap();
    assert!(matches!(store::check_copy(&text), Err(Error::Corrupt(_))));
    assert!(matches!(store::check_copy(&empty), Err(Error::Corrupt(_))));
    assert!(is_unavailable(&store::check_copy(&missing)));
    let store = base.open().await;
    let copy = folder.join("copy.db");
    store.copy_to(&copy).unwrap();
    let length = std::fs::metadata(&copy).unwrap().len();
    let mut bytes = std::fs::read(&copy).unwrap();
    bytes[4096..8192].fill(0xee);
    std::fs::write(&copy, &bytes).unwrap();
    assert!(matches!(store::check_copy(&copy), Err(Error::Corrupt(_))), "damaged");
    bytes.truncate(length as usize / 2);
    std::fs::write(&copy, &bytes).unwrap();
    assert!(store::check_copy(&copy).is_err(), "cut short");
    assert!(is_unavailable(&store.copy_to(&folder.join("no/such/folder/copy.db"))));
}
