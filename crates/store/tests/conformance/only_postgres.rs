//! Cases that only a database server has: lost connections, nodes that don't wait for each other, TLS.

use crate::support::{AWAY, Base, HOME, administer, hold, is_unavailable, names, queued, tag, totals, until, write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use store::{Error, Lane, Mode, Place, Store, Tx};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workspaces_do_not_wait_for_each_other() {
    let base = Base::postgres();
    let (store, other) = (base.open().await, base.open().await);
    let gate = hold(&store, HOME).await;
    store.write(AWAY, |tx| tag(tx, AWAY, "here")).await.unwrap();
    other.write(AWAY, |tx| tag(tx, AWAY, "there")).await.unwrap();
    assert_eq!(names(&other, AWAY).await, ["here", "there"]);
    drop(gate);
}

/// When the head row stays locked, all waiting units fail together, not one after the other.
pub(crate) async fn all_units_wait_once_for_a_locked_head() {
    let base = Base::postgres();
    let (store, other) = (base.open().await, base.open().await);
    let theirs = hold(&other, HOME).await;
    let begin = Instant::now();
    let waiting: Vec<_> =
        (0..4).map(|number| queued(write(&store, HOME, move |tx| tag(tx, HOME, &format!("n{number}"))))).collect();
    for unit in waiting {
        assert!(is_unavailable(&unit.await));
    }
    drop(theirs);
    // The first unit may have started before the others arrived: two waits of fifteen seconds, not four.
    assert!(begin.elapsed() < Duration::from_secs(45), "{:?}", begin.elapsed());
    store.write(HOME, |tx| tag(tx, HOME, "at last")).await.unwrap();
}

/// `study` updates the planner's statistics of a table that was filled at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_has_grown_is_analyzed() {
    let base = Base::postgres();
    let store = base.open().await;
    // Autovacuum could analyze the table at any time.
    let alone = "ALTER TABLE tags SET (autovacuum_enabled = false)";
    store.bookkeep(move |tx| tx.execute(alone, &[])).await.unwrap();
    store.study().await.unwrap();
    let fill = |tx: &mut dyn Tx| (0..600).try_for_each(|n| tag(tx, HOME, &format!("n{n:03}")).map(drop));
    store.write(HOME, fill).await.unwrap();
    const KNOWN: &str = "SELECT CAST(reltuples AS BIGINT) FROM pg_class WHERE relname = ";
    let known = async || {
        let asked = format!("{KNOWN}'tags'");
        store.read(Lane::Fast, move |tx| tx.one(&asked, &[], |row| row.int(0))).await.unwrap()
    };
    // A connection reports its writes to the statistics some seconds later.
    until("the statistics know the rows", async || {
        store.study().await.unwrap();
        known().await == Some(600)
    })
    .await;
    assert_eq!(names(&store, HOME).await.len(), 600);
}

/// PostgreSQL collects the trigrams of new texts in a list, and sorts them into the index on request.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_texts_are_sorted_into_their_index() {
    let base = Base::postgres();
    let store = base.open().await;
    let alone = "ALTER TABLE texts SET (autovacuum_enabled = false)";
    store.bookkeep(move |tx| tx.execute(alone, &[])).await.unwrap();
    let fill = |tx: &mut dyn Tx| {
        let text = (0..3000).map(|n| format!("{n} ")).collect::<String>();
        let insert = "INSERT INTO texts (workspace_id, collection, record, text) VALUES ($1, 'contacts', $2, $3)";
        tx.execute(insert, &[HOME.into(), HOME.into(), text.into()])
    };
    // How many pages of the list the command sorted in.
    const SORT: &str = "SELECT gin_clean_pending_list('texts_trigrams')";
    let pages = async || store.bookkeep(|tx| tx.one(SORT, &[], |row| row.int(0))).await.unwrap();
    store.write(HOME, fill).await.unwrap();
    assert!(pages().await.unwrap() > 0, "a new text waits in the list");
    store.write(AWAY, |tx| tx.execute("DELETE FROM texts", &[])).await.unwrap();
    store.write(HOME, fill).await.unwrap();
    store.sort_in_texts().await.unwrap();
    assert_eq!(pages().await, Some(0));
}

/// Two nodes whose commits take less than a millisecond still make at most one commit per millisecond.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stamps_keep_to_the_clock_over_nodes() {
    let base = Base::postgres();
    administer(&format!("ALTER DATABASE {} SET synchronous_commit = off", base.database()));
    let stores = [base.open().await, base.open().await];
    let writers = [0, 1, 0, 1, 0, 1].map(|node: usize| {
        let store = stores[node].clone();
        tokio::spawn(async move {
            let mut ahead = i64::MIN;
            for _ in 0..250 {
                let unit = |tx: &mut dyn Tx| {
                    let now = format!("SELECT {}", tx.dialect().clock());
                    Ok::<_, Error>(tx.stamp() - tx.one(&now, &[], |row| row.int(0))?.unwrap())
                };
                ahead = ahead.max(store.write(HOME, unit).await.unwrap());
            }
            ahead
        })
    });
    for writer in writers {
        let ahead = writer.await.unwrap();
        assert!(ahead <= 3, "up to {ahead} ms ahead of the clock");
    }
}

/// Ends every connection to the database and returns how many there were.
fn cut(base: &Base) -> usize {
    let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ";
    administer(&format!("{sql}'{}'", base.database())).len()
}

async fn cut_all(base: &Base) {
    let count = format!("SELECT count(*) FROM pg_stat_activity WHERE datname = '{}'", base.database());
    until("all connections are gone", async || {
        cut(base);
        administer(&count) == ["0"]
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_connections_that_ended_are_replaced_unnoticed() {
    let base = Base::postgres();
    let store = base.open().await;
    for round in 0..4 {
        // Several of each at once, so that every thread has a connection to lose.
        let mut work = Vec::new();
        for number in 0..12 {
            let store = store.clone();
            work.push(tokio::spawn(async move {
                let name = format!("{round}-{number}");
                store.write(HOME, move |tx| tag(tx, HOME, &name)).await.expect("write");
                let keep = "INSERT INTO meta (name, value) VALUES ($1, '')";
                store
                    .bookkeep(move |tx| tx.execute(keep, &[format!("{round}-{number}").into()]))
                    .await
                    .expect("bookkeep");
                for lane in [Lane::Fast, Lane::Slow] {
                    store.read(lane, |tx| tx.one("SELECT 1", &[], |row| row.int(0))).await.expect("read");
                }
                store.point("SELECT 1", &[], |row| row.int(0)).await
            }));
        }
        for one in work {
            assert_eq!(one.await.unwrap(), Ok(Some(1)), "round {round}");
        }
        cut_all(&base).await;
    }
    assert_eq!(totals(&store, HOME).await, (48, 48));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_cut_in_use_lose_nothing_acknowledged() {
    let base = Base::postgres();
    let store = base.open().await;
    let stop = Arc::new(AtomicBool::new(false));
    let writer = |writer: usize| {
        let (store, stop) = (store.clone(), stop.clone());
        tokio::spawn(async move {
            let (mut kept, mut unsure) = (Vec::new(), Vec::new());
            for number in 0.. {
                if stop.load(Ordering::SeqCst) {
                    break;
                }
                let name = format!("{writer}-{number}");
                let text = name.clone();
                match store.write(HOME, move |tx| tag(tx, HOME, &text)).await {
                    Ok(_) => kept.push(name),
                    Err(Error::Unavailable(_)) => unsure.push(name),
                    Err(other) => panic!("{other:?}"),
                }
            }
            (kept, unsure)
        })
    };
    let writers: Vec<_> = (0..8).map(writer).collect();
    let mut cuts = 0;
    let mut seen = 0;
    while cuts < 12 {
        until("more was written", async || totals_if_any(&store).await.is_some_and(|now| now > seen)).await;
        seen = totals_if_any(&store).await.unwrap_or(seen);
        cuts += usize::from(tokio::task::block_in_place(|| cut(&base)) > 0);
    }
    stop.store(true, Ordering::SeqCst);
    let (mut kept, mut unsure) = (Vec::new(), Vec::new());
    for writer in writers {
        let (ours, theirs) = writer.await.unwrap();
        kept.extend(ours);
        unsure.extend(theirs);
    }
    until("the store reads again", async || totals_if_any(&store).await.is_some()).await;
    let found = names(&store, HOME).await;
    for name in &kept {
        assert!(found.contains(name), "{name} was acknowledged");
    }
    assert!(found.iter().all(|name| kept.contains(name) || unsure.contains(name)));
    let total = found.len() as i64;
    assert_eq!(totals(&store, HOME).await, (total, total));
    assert!(kept.len() > unsure.len(), "{} kept, {} unsure", kept.len(), unsure.len());
}

async fn totals_if_any(store: &Store) -> Option<i64> {
    let count = |tx: &mut dyn Tx| tx.one("SELECT count(*) FROM tags", &[], |row| row.int(0));
    store.read(Lane::Fast, count).await.ok().flatten()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_unit_cut_before_its_commit_is_run_again() {
    let base = Base::postgres();
    let store = base.open().await;
    let name = base.database();
    let mut runs = 0;
    let unit = move |tx: &mut dyn Tx| {
        runs += 1;
        tag(tx, HOME, "once")?;
        if runs == 1 {
            let pid = tx.one("SELECT pg_backend_pid()", &[], |row| row.int(0))?.unwrap();
            administer(&format!(
                "SELECT pg_terminate_backend({pid}) FROM pg_stat_activity WHERE datname = '{name}' LIMIT 1"
            ));
            tx.one("SELECT 1", &[], |row| row.int(0))?;
        }
        Ok::<_, Error>(runs)
    };
    assert_eq!(store.write(HOME, unit).await, Ok(2));
    assert_eq!(names(&store, HOME).await, ["once"]);
    assert_eq!(totals(&store, HOME).await, (1, 1));
}

/// The server rolls the transaction back, as it does for a deadlock or a serialization failure.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deadlock_is_not_the_caller_s_fault() {
    let base = Base::postgres();
    let store = base.open().await;
    let both = Arc::new(std::sync::Barrier::new(2));
    let update = |first: store::Uuid, second: store::Uuid| {
        let (both, mut runs) = (both.clone(), 0);
        let store = store.clone();
        let touch = "UPDATE heads SET tags_stamp = tags_stamp + 1 WHERE workspace_id = $1 RETURNING tags_stamp";
        tokio::spawn(async move {
            let unit = move |tx: &mut dyn Tx| {
                runs += 1;
                tx.one(touch, &[first.into()], |row| row.int(0))?;
                if runs == 1 {
                    both.wait();
                }
                tx.one(touch, &[second.into()], |row| row.int(0))
            };
            store.bookkeep(unit).await
        })
    };
    let (one, two) = (update(HOME, AWAY), update(AWAY, HOME));
    // The victim runs once more, and may meet the other transaction again.
    let mut done = 0;
    for outcome in [one.await.unwrap(), two.await.unwrap()] {
        assert!(outcome.is_ok() || is_unavailable(&outcome), "{outcome:?}");
        done += i64::from(outcome.is_ok());
    }
    assert!(done > 0);
    let sum = store.point("SELECT CAST(sum(tags_stamp) AS bigint) FROM heads", &[], |row| row.int(0)).await;
    assert_eq!(sum, Ok(Some(2 * done)));
}

pub(crate) async fn a_server_that_says_nothing_is_given_up() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("postgres://relata@{}/relata", silent.local_addr().unwrap());
    let begin = Instant::now();
    assert!(is_unavailable(&open(url).await));
    // Connecting may take 15 seconds.
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
    let nobody = open("postgres://relata@127.0.0.1:1/relata".into()).await;
    assert!(is_unavailable(&nobody));
    for unfit in ["postgres://relata@127.0.0.1:x/relata", "postgres://h/d?sslmode=perhaps", "postgres://h/d?colour=red"]
    {
        assert!(matches!(open(unfit.into()).await, Err(Error::Unavailable(why)) if why.contains("URL")), "{unfit}");
    }
}

async fn open(url: String) -> Result<(), Error> {
    let opened =
        tokio::task::spawn_blocking(move || Store::open(&Place::Postgres(url), Mode::Migrate, &mut |_| Ok(())));
    let store = opened.await.unwrap()?;
    assert_eq!(store.point("SELECT 1", &[], |row| row.int(0)).await, Ok(Some(1)));
    store.read(Lane::Fast, |tx| tx.one("SELECT 1", &[], |row| row.int(0))).await.map(drop)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_encoding_is_refused_with_instructions() {
    let base = Base::postgres();
    let name = format!("{}_latin", base.database());
    administer(&format!("CREATE DATABASE {name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0"));
    let refused = open(crate::support::postgres_url(&name)).await;
    administer(&format!("DROP DATABASE {name} WITH (FORCE)"));
    assert!(
        matches!(&refused, Err(Error::Unavailable(why)) if why.contains("createdb --encoding=UTF8")),
        "{refused:?}"
    );
}

// TLS

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tls_follows_the_url() {
    let server = tokio::task::spawn_blocking(Server::start).await.unwrap();
    let url = |host: &str, query: &str| format!("postgres://relata@{host}:{}/postgres?{query}", server.port);
    let root = |name: &str| server.folder.path().join(name).display().to_string().replace(' ', "%20");
    open(url("localhost", "sslmode=require")).await.unwrap();
    open(url("localhost", &format!("sslmode=verify-full&sslrootcert={}", root("our root.crt")))).await.unwrap();
    let escaped = root("our root.crt").replace('/', "%2F");
    open(url("localhost", &format!("sslrootcert={escaped}&sslmode=require"))).await.unwrap();
    let refused = [
        ("localhost", format!("sslmode=verify-full&sslrootcert={}", root("other.crt")), "certificate"),
        ("127.0.0.1", format!("sslmode=verify-full&sslrootcert={}", root("our root.crt")), "certificate"),
        ("localhost", format!("sslmode=require&sslrootcert={}", root("other.crt")), "certificate"),
        ("localhost", "sslmode=verify-full".to_owned(), ""),
        ("localhost", format!("sslmode=verify-full&sslrootcert={}", root("missing.crt")), "can't be read"),
        // The server refuses unencrypted connections.
        ("localhost", "sslmode=disable".to_owned(), "no encryption"),
    ];
    for (host, query, why) in refused {
        let answer = open(url(host, &query)).await;
        let Err(Error::Unavailable(said)) = &answer else { panic!("{host}?{query} gave {answer:?}") };
        assert!(said.contains(why), "{host}?{query} said: {said}");
    }
    // A store over TLS works like one without.
    let store = url("localhost", "sslmode=require");
    let seed = |tx: &mut dyn Tx| {
        tx.execute("INSERT INTO heads (workspace_id, stamp, tags_stamp) VALUES ($1, 0, 0)", &[HOME.into()])
    };
    let store = tokio::task::spawn_blocking(move || Store::open(&Place::Postgres(store), Mode::Expect, &mut { seed }));
    let store = store.await.unwrap().unwrap();
    // Too long for an index, and hard to compress.
    let long: String = (0..50_000_u32).map(|n| format!("{:x}", n.wrapping_mul(2_654_435_761))).collect();
    store.write(HOME, move |tx| tag(tx, HOME, &long)).await.unwrap_err();
    store.write(HOME, |tx| tag(tx, HOME, "short")).await.unwrap();
    assert_eq!(totals(&store, HOME).await, (1, 1));
}

/// A private server with a certificate for `localhost`, signed by a root of our own.
struct Server {
    folder: tempfile::TempDir,
    programs: PathBuf,
    port: u16,
}

impl Server {
    fn start() -> Server {
        let folder = tempfile::Builder::new().prefix("relata-tls").tempdir().unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = Server { folder, programs: programs(), port };
        let path = |name: &str| server.folder.path().join(name).display().to_string();
        std::fs::set_permissions(server.folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        for root in ["our root", "other"] {
            let (key, cert) = (path(&format!("{root}.key")), path(&format!("{root}.crt")));
            let subject = format!("/CN={root}");
            openssl(&["req", "-x509", "-nodes", "-days", "30", "-subj", &subject, "-keyout", &key, "-out", &cert]);
        }
        std::fs::write(path("names"), "subjectAltName = DNS:localhost\n").unwrap();
        openssl(&[
            "req",
            "-nodes",
            "-subj",
            "/CN=localhost",
            "-keyout",
            &path("server.key"),
            "-out",
            &path("server.csr"),
        ]);
        openssl(&[
            "x509",
            "-req",
            "-days",
            "30",
            "-in",
            &path("server.csr"),
            "-extfile",
            &path("names"),
            "-CAcreateserial",
            "-CA",
            &path("our root.crt"),
            "-CAkey",
            &path("our root.key"),
            "-out",
            &path("server.crt"),
        ]);
        let data = path("data");
        std::fs::create_dir(&data).unwrap();
        let as_owner = if is_root() { "chown -R postgres" } else { "true" };
        sh(&format!("{as_owner} '{}' && chmod 600 '{}'", server.folder.path().display(), path("server.key")));
        server.run(
            "initdb",
            &["-D", &data, "-U", "relata", "-E", "UTF8", "--locale=C.UTF-8", "-A", "trust", "--no-sync"],
        );
        std::fs::write(path("data/pg_hba.conf"), "hostssl all all 127.0.0.1/32 trust\nhostssl all all ::1/128 trust\n")
            .unwrap();
        let options = format!(
            "-p {port} -c listen_addresses=localhost -c unix_socket_directories= -c ssl=on -c fsync=off \
             -c ssl_cert_file={} -c ssl_key_file={}",
            path("server.crt"),
            path("server.key")
        );
        server.run("pg_ctl", &["-D", &data, "-l", &path("log"), "-o", &options, "-w", "start"]);
        server
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let program = self.programs.join(program);
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        ran(command.args(arguments).current_dir(self.folder.path()));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let data = self.folder.path().join("data").display().to_string();
        self.run("pg_ctl", &["-D", &data, "-m", "immediate", "-w", "stop"]);
    }
}

/// The folder of `initdb` and `pg_ctl`: on the path, or where Debian installs them.
fn programs() -> PathBuf {
    let on_path =
        std::env::var_os("PATH").into_iter().flat_map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let installed = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut installed: Vec<_> = installed.map(|version| version.path().join("bin")).collect();
    installed.sort();
    let found = on_path.chain(installed.into_iter().rev()).find(|folder| folder.join("initdb").exists());
    found.expect("PostgreSQL's initdb is installed")
}

fn is_root() -> bool {
    std::os::unix::fs::MetadataExt::uid(&std::fs::metadata("/proc/self").unwrap()) == 0
}

fn openssl(arguments: &[&str]) {
    let mut command = Command::new("openssl");
    command.args(arguments);
    if arguments[0] == "req" {
        command.args(["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]);
    }
    ran(&mut command);
}

fn sh(script: &str) {
    ran(Command::new("sh").args(["-c", script]));
}

fn ran(command: &mut Command) {
    // The daemon must not inherit a pipe that the test reads to its end.
    let log = tempfile::NamedTempFile::new().unwrap();
    command.stdout(log.reopen().unwrap()).stderr(log.reopen().unwrap());
    let status = command.status().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(status.success(), "{command:?}: {}", read(log.path()));
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned()
}
