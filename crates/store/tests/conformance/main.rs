//! The store's guarantees, tested on both engines by one suite. Shared tests never ask which engine they run on; tests
//! of one engine are in a module with its name.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the message")]
#![expect(clippy::disallowed_methods, reason = "tests measure")]

mod groups;
mod only_postgres;
mod only_sqlite;
mod opening;
mod readings;
mod refused_commits;
mod schema;
mod statements;
mod support;

use groups::groups_use_savepoints_after_a_failed_group;
use opening::{
    a_failed_preparation_leaves_nothing, an_unfit_schema_is_refused, several_open_an_empty_database_at_once,
};
use readings::{
    a_point_read_sees_what_was_written, a_reading_cannot_write, a_reading_sees_one_snapshot,
    a_slow_statement_is_cancelled_and_delays_no_other,
};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use store::{Error, Lane, Ref, Tally, Tx, Uuid, Value};
use support::{
    AWAY, Base, HOME, Oops, event, hold, is_conflict, is_internal, is_unavailable, names, queued, tag, tag_now, totals,
    until, write,
};

macro_rules! on_both_engines {
    ($($test:ident)*) => {
        on_both_engines!(sqlite: $($test)*);
        on_both_engines!(postgres: $($test)*);
    };
    ($engine:ident: $($test:ident)*) => {
        mod $engine {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                super::$test(super::Base::$engine()).await;
            })*
        }
    };
}

on_both_engines! {
    a_refused_unit_is_undone_alone
    groups_use_savepoints_after_a_failed_group
    a_panicking_unit_is_undone_alone
    a_closure_knows_that_it_is_in_a_transaction
    a_failed_statement_poisons_its_unit
    a_late_failure_fails_its_own_unit_only
    a_value_that_cannot_be_encoded_rolls_the_unit_back
    a_group_shares_a_stamp_and_commits_have_their_own
    stamps_keep_to_the_clock
    ids_and_places_come_from_the_stamp
    a_group_with_too_many_events_is_split
    sixteen_writers_over_two_stores_lose_nothing
    a_checkpoint_misses_nothing
    appended_rows_are_written_at_the_end
    every_kind_of_value_is_read_back
    errors_have_their_kind
    patterns_match_alike
    a_unit_whose_caller_is_gone_is_dropped
    a_unit_that_began_runs_to_its_end
    a_slow_statement_is_cancelled_and_delays_no_other
    a_reading_sees_one_snapshot
    a_reading_cannot_write
    a_point_read_sees_what_was_written
    a_full_queue_refuses
    closing_finishes_accepted_work
    several_open_an_empty_database_at_once
    an_unfit_schema_is_refused
    a_failed_preparation_leaves_nothing
}

/// Tests that mostly wait for a time limit run at the same time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waits_end_at_their_time_limits() {
    tokio::join!(
        only_postgres::all_units_wait_once_for_a_locked_head(),
        only_postgres::a_server_that_says_nothing_is_given_up(),
        only_sqlite::all_units_wait_once_for_a_locked_file(),
    );
}

// Commit and rollback

async fn a_refused_unit_is_undone_alone(base: Base) {
    let store = base.open().await;
    let gate = hold(&store, HOME).await;
    let first = queued(write(&store, HOME, |tx| tag(tx, HOME, "first").map(|_| tx.stamp()).map_err(Oops::Store)));
    let refused = queued(write(&store, HOME, |tx| {
        tag(tx, HOME, "refused")?;
        Err::<i64, _>(Oops::Refused)
    }));
    let last = queued(write(&store, HOME, |tx| tag(tx, HOME, "last").map(|_| tx.stamp()).map_err(Oops::Store)));
    drop(gate);
    assert_eq!(refused.await, Err(Oops::Refused));
    assert_eq!(first.await.unwrap(), last.await.unwrap(), "they were one group");
    assert_eq!(names(&store, HOME).await, ["first", "last"]);
    assert_eq!(totals(&store, HOME).await, (2, 2));

    let alone = write(&store, HOME, |tx| tag(tx, HOME, "alone").map_err(Oops::Store).and(Err::<(), _>(Oops::Refused)));
    assert_eq!(alone.await, Err(Oops::Refused));
    assert_eq!(totals(&store, HOME).await, (2, 2));
}

async fn a_closure_knows_that_it_is_in_a_transaction(base: Base) {
    let store = base.open().await;
    let ask = |_: &mut dyn Tx| Ok::<_, Error>(store::in_transaction());
    assert_eq!(store.write(HOME, ask).await, Ok(true));
    assert_eq!(store.bookkeep(ask).await, Ok(true));
    for lane in [Lane::Fast, Lane::Slow] {
        assert_eq!(store.read(lane, ask).await, Ok(true));
    }
    assert!(!store::in_transaction());
}

async fn a_panicking_unit_is_undone_alone(base: Base) {
    let store = base.open().await;
    fn panics(tx: &mut dyn Tx) -> Result<(), Error> {
        tag_now(tx, HOME, "panicking")?;
        tag(tx, HOME, "panicking too")?;
        panic!("on purpose");
    }
    let gate = hold(&store, HOME).await;
    let first = queued(write(&store, HOME, |tx| tag(tx, HOME, "first")));
    let panicking = queued(write(&store, HOME, panics));
    let last = queued(write(&store, HOME, |tx| tag(tx, HOME, "last")));
    drop(gate);
    assert!(is_internal(&panicking.await));
    first.await.unwrap();
    last.await.unwrap();
    assert!(is_internal(&write(&store, HOME, panics).await));
    assert!(is_internal(&store.bookkeep(panics).await));
    store.write(HOME, |tx| tag(tx, HOME, "later")).await.unwrap();
    assert_eq!(names(&store, HOME).await, ["first", "last", "later"]);
    assert_eq!(totals(&store, HOME).await, (3, 3));

    let read: Result<(), Error> = store.read(Lane::Fast, |_| panic!("on purpose")).await;
    assert!(is_internal(&read));
    assert_eq!(names(&store, HOME).await.len(), 3);
}

async fn a_failed_statement_poisons_its_unit(base: Base) {
    let store = base.open().await;
    store.write(HOME, |tx| tag(tx, HOME, "taken")).await.unwrap();
    fn goes_on(tx: &mut dyn Tx) -> Result<(), Error> {
        tag(tx, HOME, "before")?;
        assert!(is_conflict(&tag_now(tx, HOME, "taken")));
        assert!(is_conflict(&tx.rows("SELECT 1", &[], |row| row.int(0))), "nothing runs after an error");
        assert!(is_conflict(&tag(tx, HOME, "after")));
        Ok(())
    }
    assert!(is_conflict(&store.write(HOME, goes_on).await));
    let gate = hold(&store, HOME).await;
    let good = queued(write(&store, HOME, |tx| tag(tx, HOME, "good")));
    let poisoned = queued(write(&store, HOME, goes_on));
    let fine = queued(write(&store, HOME, |tx| tag(tx, HOME, "fine")));
    drop(gate);
    assert!(is_conflict(&poisoned.await));
    good.await.unwrap();
    fine.await.unwrap();
    assert_eq!(names(&store, HOME).await, ["fine", "good", "taken"]);
    assert_eq!(totals(&store, HOME).await, (3, 3));

    let read = |tx: &mut dyn Tx| {
        assert!(is_internal(&tx.rows("SELECT nonsense FROM tags", &[], |row| row.int(0))));
        assert!(is_internal(&tx.rows("SELECT 1", &[], |row| row.int(0))));
        Ok::<(), Error>(())
    };
    store.read(Lane::Fast, read).await.unwrap();
}

async fn a_late_failure_fails_its_own_unit_only(base: Base) {
    let store = base.open().await;
    store.write(HOME, |tx| tag(tx, HOME, "taken")).await.unwrap();
    // The failure may show only at the end of the unit; the caller must get it all the same.
    fn late(tx: &mut dyn Tx) -> Result<(), Error> {
        tag(tx, HOME, "beside")?;
        let _ = tag(tx, HOME, "taken");
        Ok(())
    }
    fn shown(tx: &mut dyn Tx) -> Result<(), Error> {
        let _ = tag(tx, HOME, "taken");
        tx.rows("SELECT 1", &[], |row| row.int(0)).map(drop)
    }
    for unit in [late, shown] {
        assert!(is_conflict(&store.write(HOME, unit).await));
        assert!(is_conflict(&store.bookkeep(unit).await));
        let gate = hold(&store, HOME).await;
        let good = queued(write(&store, HOME, |tx| tag(tx, HOME, "good")));
        let bad = queued(write(&store, HOME, unit));
        let fine = queued(write(&store, HOME, |tx| tag(tx, HOME, "fine")));
        drop(gate);
        assert!(is_conflict(&bad.await));
        good.await.unwrap();
        fine.await.unwrap();
        assert_eq!(names(&store, HOME).await, ["fine", "good", "taken"]);
        assert_eq!(totals(&store, HOME).await, (3, 3));
        let undo = "DELETE FROM tags WHERE workspace_id = $1 AND name <> 'taken'";
        let less = || Tally { collection: "tags", field: "", value: String::new(), archived: false };
        let clean = move |tx: &mut dyn Tx| {
            tx.tally(less(), -2);
            tx.execute(undo, &[HOME.into()])
        };
        store.write(HOME, clean).await.unwrap();
    }
}

/// A value that does not fit its column never reaches the server, which would commit the rest.
async fn a_value_that_cannot_be_encoded_rolls_the_unit_back(base: Base) {
    let store = base.open().await;
    fn unfit(tx: &mut dyn Tx) -> Result<(), Error> {
        tag(tx, HOME, "beside")?;
        let sql = "UPDATE heads SET tags_stamp = $1 WHERE workspace_id = $2";
        let _ = tx.execute(sql, &["not a number".into(), HOME.into()]);
        Ok(())
    }
    fn too_few(tx: &mut dyn Tx) -> Result<(), Error> {
        tag(tx, HOME, "beside")?;
        let _ = tx.execute("DELETE FROM tags WHERE workspace_id = $1 AND name = $2", &[HOME.into()]);
        Ok(())
    }
    for unit in [unfit, too_few] {
        assert!(is_internal(&store.write(HOME, unit).await));
        assert!(is_internal(&store.bookkeep(unit).await));
        let gate = hold(&store, HOME).await;
        let bad = queued(write(&store, HOME, unit));
        let worse = queued(write(&store, HOME, unit));
        drop(gate);
        assert!(is_internal(&bad.await));
        assert!(is_internal(&worse.await));
        assert_eq!(names(&store, HOME).await, [""; 0]);
        assert_eq!(totals(&store, HOME).await, (0, 0));
    }
}

// Stamps

async fn a_group_shares_a_stamp_and_commits_have_their_own(base: Base) {
    let store = base.open().await;
    let stamp = |tx: &mut dyn Tx| Ok::<_, Error>(tx.stamp());
    let mut last = 0;
    for _ in 0..5 {
        let gate = hold(&store, HOME).await;
        let group: Vec<_> = (0..20).map(|_| queued(write(&store, HOME, stamp))).collect();
        drop(gate);
        let mut stamps = BTreeSet::new();
        for unit in group {
            stamps.insert(unit.await.unwrap());
        }
        assert_eq!(stamps.len(), 1, "one group, one stamp: {stamps:?}");
        let shared = stamps.into_iter().next().unwrap();
        assert!(shared > last + 1, "the gate's commit had its own stamp between {last} and {shared}");
        last = store.write(HOME, stamp).await.unwrap();
        assert!(last > shared);
    }
    assert_eq!(store.bookkeep(stamp).await, Ok(0), "no workspace, no stamp");
    assert_eq!(store.read(Lane::Fast, stamp).await, Ok(0));
}

async fn stamps_keep_to_the_clock(base: Base) {
    let store = base.open().await;
    let mut last = 0;
    for _ in 0..300 {
        let stamp = store.write(HOME, |tx| Ok::<_, Error>(tx.stamp())).await.unwrap();
        assert!(stamp > last, "{stamp} follows {last}");
        last = stamp;
    }
    let now = |tx: &mut dyn Tx| {
        let sql = format!("SELECT {}", tx.dialect().clock());
        Ok::<_, Error>(tx.one(&sql, &[], |row| row.int(0))?.unwrap())
    };
    let clock = store.read(Lane::Fast, now).await.unwrap();
    assert!(last <= clock + 3, "{last} is {} ms ahead of the clock", last - clock);
    assert!(clock - last < 5_000, "{last} is far behind {clock}");
    let ours = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as i64;
    assert!((ours - clock).abs() < 10_000, "the clock gives milliseconds");
}

async fn ids_and_places_come_from_the_stamp(base: Base) {
    let store = base.open().await;
    let (mut ids, mut places) = (HashSet::new(), Vec::new());
    for round in 0..4 {
        let gate = hold(&store, HOME).await;
        let make = |tx: &mut dyn Tx| {
            let mut made = Vec::new();
            for _ in 0..50 {
                made.push((tx.id(), tx.place()?));
            }
            Ok::<_, Error>((tx.stamp(), made))
        };
        let group: Vec<_> = (0..4).map(|_| queued(write(&store, HOME, make))).collect();
        drop(gate);
        for unit in group {
            let (stamp, made) = unit.await.unwrap();
            for (id, place) in made {
                let (seconds, nanos) = id.get_timestamp().expect("version 7 holds a time").to_unix();
                assert_eq!(id.get_version_num(), 7);
                assert_eq!(seconds as i64 * 1000 + i64::from(nanos) / 1_000_000, stamp);
                assert_eq!(place >> 16, stamp);
                ids.insert(id);
                places.push(place);
            }
        }
        assert_eq!(ids.len(), (round + 1) * 200);
    }
    assert!(places.is_sorted_by(|a, b| a < b), "positions are unique and in the order of the commits");
}

async fn a_group_with_too_many_events_is_split(base: Base) {
    let store = base.open().await;
    fn many(tx: &mut dyn Tx, events: usize) -> Result<(i64, i64), Error> {
        let (first, mut last) = (tx.place()?, 0);
        for _ in 1..events {
            last = tx.place()?;
        }
        Ok((first, last))
    }
    let gate = hold(&store, HOME).await;
    let group: Vec<_> = (0..4).map(|_| queued(write(&store, HOME, |tx| many(tx, 30_000)))).collect();
    drop(gate);
    let mut before = 0;
    for unit in group {
        let (first, last) = unit.await.unwrap();
        assert!(before < first && first < last);
        before = last;
    }
    store.write(HOME, |tx| many(tx, 65_536)).await.unwrap();
    assert!(is_internal(&store.write(HOME, |tx| many(tx, 65_537)).await));
}

// Contention

/// Two stores on one database: two nodes, or a server and an operator's command.
async fn sixteen_writers_over_two_stores_lose_nothing(base: Base) {
    const WRITERS: usize = 16;
    const ROUNDS: usize = 25;
    let stores = [base.open().await, base.open().await];
    let window = "INSERT INTO rate_windows (workspace_id, user_id, started_at, used) VALUES ($1, $1, 0, 0)";
    for workspace in [HOME, AWAY] {
        stores[0].bookkeep(move |tx| tx.execute(window, &[workspace.into()])).await.unwrap();
    }
    let writers = (0..WRITERS).map(|writer| {
        // Most writers share one workspace, through both stores.
        let workspace = if writer % 8 == 7 { AWAY } else { HOME };
        let store = stores[writer % 2].clone();
        tokio::spawn(async move {
            for round in 0..ROUNDS {
                let name = format!("{writer}-{round}");
                let unit = move |tx: &mut dyn Tx| {
                    let read = "SELECT used FROM rate_windows WHERE workspace_id = $1";
                    let used = tx.one(read, &[workspace.into()], |row| row.int(0))?.unwrap() + 1;
                    let write = "UPDATE rate_windows SET used = $1 WHERE workspace_id = $2";
                    tx.execute(write, &[used.into(), workspace.into()])?;
                    let id = tag(tx, workspace, &name)?;
                    event(tx, workspace, id, &format!("{used}"))?;
                    Ok::<_, Error>(())
                };
                store.write(workspace, unit).await.unwrap();
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    for (workspace, writers) in [(HOME, WRITERS - 2), (AWAY, 2)] {
        let expected = (writers * ROUNDS) as i64;
        assert_eq!(totals(&stores[1], workspace).await, (expected, expected));
        let used = "SELECT used FROM rate_windows WHERE workspace_id = $1";
        let used = stores[0].point(used, &[workspace.into()], |row| row.int(0)).await.unwrap();
        assert_eq!(used, Some(expected), "no update is lost");
        let feed =
            "SELECT place, at, changes FROM events WHERE workspace_id = $1 AND changes NOT LIKE '%-%' ORDER BY place";
        let decode = |row: &dyn store::Row| Ok((row.int(0)?, row.int(1)?, row.text(2)?));
        let feed = stores[0].read(Lane::Fast, move |tx| tx.rows(feed, &[workspace.into()], decode)).await.unwrap();
        for (number, (place, at, used)) in feed.iter().enumerate() {
            assert_eq!(place >> 16, *at);
            assert_eq!(*used, (number + 1).to_string(), "the feed is in the order of the commits");
        }
        assert_eq!(feed.len() as i64, expected);
    }
}

async fn appended_rows_are_written_at_the_end(base: Base) {
    let store = base.open().await;
    let append = |many: usize| {
        move |tx: &mut dyn Tx| {
            for number in 0..many {
                let record = tx.id();
                event(tx, HOME, record, &format!("-{number}"))?;
            }
            if many == 7 { Err(Error::Internal("undone".into())) } else { Ok(()) }
        }
    };
    // Batches of 16, 4 and 1. Rows of a unit that is rolled back are not written.
    let all = [append(1), append(7), append(23), append(4)].map(|unit| store.write(HOME, unit));
    let [one, undone, many, four] = all;
    let (one, undone, many, four) = tokio::join!(one, undone, many, four);
    assert_eq!((one, undone.is_err(), many, four), (Ok(()), true, Ok(()), Ok(())));
    let count = "SELECT count(*) FROM events WHERE workspace_id = $1 AND changes LIKE '-%'";
    assert_eq!(store.point(count, &[HOME.into()], |row| row.int(0)).await, Ok(Some(28)));
}

async fn a_checkpoint_misses_nothing(base: Base) {
    const WRITERS: usize = 8;
    const ROUNDS: usize = 40;
    let stores = [base.open().await, base.open().await];
    let running = Arc::new(AtomicUsize::new(WRITERS));
    for writer in 0..WRITERS {
        let (store, running) = (stores[writer % 2].clone(), running.clone());
        tokio::spawn(async move {
            for round in 0..ROUNDS {
                let name = format!("{writer}-{round}");
                store.write(HOME, move |tx| tag(tx, HOME, &name)).await.unwrap();
            }
            running.fetch_sub(1, Ordering::SeqCst);
        });
    }
    let (mut seen, mut checkpoint, mut readings) = (HashSet::new(), 0, 0);
    loop {
        let over = running.load(Ordering::SeqCst) == 0;
        let page = move |tx: &mut dyn Tx| {
            let head = "SELECT stamp FROM heads WHERE workspace_id = $1";
            let rows = "SELECT name FROM tags WHERE workspace_id = $1 AND updated_at > $2";
            let head = tx.one(head, &[HOME.into()], |row| row.int(0))?.unwrap();
            Ok::<_, Error>((head, tx.rows(rows, &[HOME.into(), checkpoint.into()], |row| row.text(0))?))
        };
        let (head, rows) = stores[readings % 2].read(Lane::Fast, page).await.unwrap();
        assert!(head >= checkpoint, "the head never goes back");
        for name in rows {
            assert!(seen.insert(name), "a row is given once");
        }
        checkpoint = head;
        readings += 1;
        if over {
            break;
        }
    }
    assert_eq!(seen.len(), WRITERS * ROUNDS, "after {readings} readings");
}

// Values and errors

async fn every_kind_of_value_is_read_back(base: Base) {
    let store = base.open().await;
    let texts =
        ["", "plain", "Ünïcødé", "𝒳 🦀 \u{10ffff}", "e\u{301}", "'; DROP TABLE users; --", "\u{feff}\t\r\n\u{1}"];
    let bytes: [Option<Vec<u8>>; 4] = [None, Some(vec![]), Some(vec![0, 255, 0]), Some((0..=255).collect())];
    for text in texts {
        for bytes in &bytes {
            for number in [i64::MIN, -1, 0, 1, i64::MAX] {
                let (id, bytes) = (Uuid::new_v4(), bytes.clone());
                let kept = bytes.clone();
                let insert = move |tx: &mut dyn Tx| {
                    let sql =
                        "INSERT INTO users (id, email, email_fold, setup_hash, created_at) VALUES ($1, $2, $3, $4, $5)";
                    let fold = format!("{id}{text}");
                    tx.execute(sql, &[id.into(), text.into(), fold.into(), bytes.clone().into(), number.into()])?;
                    let sql = "INSERT INTO counters (workspace_id, collection, field, value, archived, n, stamp) \
                               VALUES ($1, 'c', 'f', $2, $3, $4, 0)";
                    for archived in [true, false] {
                        tx.execute(sql, &[id.into(), text.into(), archived.into(), number.into()])?;
                    }
                    Ok::<_, Error>(())
                };
                store.bookkeep(insert).await.unwrap();
                let check = |row: &dyn store::Row| {
                    assert_eq!(row.id(0)?, id);
                    assert_eq!(row.text(1)?, text);
                    assert_eq!(row.get(2)?.maybe(Ref::bytes)?.map(<[u8]>::to_vec), kept);
                    assert_eq!(row.get(2)?.is_null(), kept.is_none());
                    assert_eq!(row.int(3)?, number);
                    assert!(row.bool(4)? && row.int(5)? == number);
                    Ok(())
                };
                let sql = "SELECT u.id, u.email, u.setup_hash, u.created_at, c.archived, c.n FROM users u \
                           JOIN counters c ON c.workspace_id = u.id AND c.archived = $1 WHERE u.id = $2 AND u.email = $3";
                let params = [Value::Bool(true), id.into(), text.into()];
                assert_eq!(store.point(sql, &params, check).await, Ok(Some(())));
            }
        }
    }
    let sql = "SELECT setup_hash FROM users WHERE email = $1";
    let wrong = store.point(sql, &["plain".into()], |row| row.get(0)?.maybe(Ref::text).map(drop)).await;
    assert!(matches!(wrong, Ok(_) | Err(Error::Corrupt(_))));
    let mixed = store.read(Lane::Fast, move |tx| tx.rows("SELECT email FROM users", &[], |row| row.int(0))).await;
    assert!(matches!(mixed, Err(Error::Corrupt(_))), "a value that does not decode is reported as damaged: {mixed:?}");
}

async fn errors_have_their_kind(base: Base) {
    let store = base.open().await;
    store.write(HOME, |tx| tag(tx, HOME, "taken")).await.unwrap();
    type Params = Vec<Value>;
    let window = "INSERT INTO rate_windows (workspace_id, user_id, started_at, used) VALUES ($1, $1, $2, $3)";
    let internal: [(&'static str, Params); 8] = [
        ("SELECT nonsense FROM tags", vec![]),
        ("SELECT name FROM nowhere", vec![]),
        ("SELEKT 1", vec![]),
        ("SELECT name FROM tags WHERE id = $1 AND name = $2", vec![HOME.into()]),
        ("SELECT name FROM tags WHERE id = $1", vec![]),
        ("SELECT name FROM tags WHERE id = $1", vec![HOME.into(), HOME.into()]),
        ("SELECT id FROM tags WHERE name = $1", vec!["nul \0 inside".into()]),
        (window, vec![HOME.into(), "text".into(), 1.into()]),
    ];
    for (sql, params) in internal {
        let (one, two) = (params.clone(), params.clone());
        let write = store.write(HOME, move |tx| tx.rows(sql, &one, |_| Ok(()))).await;
        assert!(is_internal(&write), "{sql}: {write:?}");
        let read = store.read(Lane::Fast, move |tx| tx.rows(sql, &two, |_| Ok(()))).await;
        assert!(is_internal(&read) || sql == window, "{sql}: {read:?}");
        if sql != window {
            let point = store.point(sql, &params, |_| Ok(())).await;
            assert!(is_internal(&point), "{sql}: {point:?}");
        }
    }
    let rows = store.write(HOME, |tx| tx.execute("SELECT 1", &[])).await;
    assert!(is_internal(&rows), "`execute` refuses a statement with rows: {rows:?}");
    let beyond = store.point("SELECT 1", &[], |row| row.int(1)).await;
    assert!(is_internal(&beyond), "a column beyond the last is refused: {beyond:?}");
    assert!(is_conflict(&store.write(HOME, |tx| tag_now(tx, HOME, "taken")).await));
    let null = move |tx: &mut dyn Tx| tx.execute(window, &[HOME.into(), Value::Null, 1.into()]);
    assert!(is_conflict(&store.write(HOME, null).await));
    let nobody = store.write(Uuid::from_u128(99), |_| Ok::<_, Error>(())).await;
    assert!(is_internal(&nobody), "{nobody:?}");
    // The store still works after all these errors.
    store.write(HOME, |tx| tag(tx, HOME, "fine")).await.unwrap();
    assert_eq!(names(&store, HOME).await, ["fine", "taken"]);
}

async fn patterns_match_alike(base: Base) {
    let store = base.open().await;
    let cases = [
        ("Anna", "A%", true),
        ("anna", "A%", false),
        ("Anna", "%n_", true),
        ("a*b", "a*b", true),
        ("aXb", "a*b", false),
        ("a?b", "a?_", true),
        ("a[b]", "a[b]", true),
        ("ab", "a[b]", false),
        ("100%", "100\\%", true),
        ("1000", "100\\%", false),
        ("a_b", "a\\_b", true),
        ("aXb", "a\\_b", false),
        ("a\\b", "a\\\\b", true),
        ("ends\\", "ends\\", true),
        ("ends", "ends\\", false),
        ("🦀x", "_x", true),
        ("", "%", true),
        ("", "_", false),
    ];
    for (text, pattern, expected) in cases {
        let matches = move |tx: &mut dyn Tx| {
            let dialect = tx.dialect();
            let sql = format!("SELECT count(*) FROM meta WHERE name = $1 AND {}", dialect.like("value", 2));
            tx.one(&sql, &["pattern".into(), dialect.pattern(pattern).into()], |row| row.int(0))
        };
        let keep = "INSERT INTO meta (name, value) VALUES ('pattern', $1) ON CONFLICT (name) DO UPDATE SET value = $1";
        store.bookkeep(move |tx| tx.execute(keep, &[text.into()])).await.unwrap();
        let found = store.read(Lane::Fast, matches).await.unwrap();
        assert_eq!(found, Some(expected.into()), "{text} LIKE {pattern}");
    }
}

// Callers that go away

async fn a_unit_whose_caller_is_gone_is_dropped(base: Base) {
    let store = base.open().await;
    let ran = Arc::new(AtomicBool::new(false));
    let note = |ran: &Arc<AtomicBool>| {
        let ran = ran.clone();
        move |_: &mut dyn Tx| {
            ran.store(true, Ordering::SeqCst);
            Ok::<_, Error>(())
        }
    };
    let gate = hold(&store, HOME).await;
    drop(queued(write(&store, HOME, note(&ran))));
    drop(gate);
    store.write(HOME, |tx| tag(tx, HOME, "later")).await.unwrap();
    assert!(!ran.load(Ordering::SeqCst), "the unit ran although its caller left before its group began");

    let gate = hold(&store, HOME).await;
    let (entered, mut inside) = tokio::sync::mpsc::unbounded_channel();
    let (open, opened) = mpsc::channel::<()>();
    let busy = queued(write(&store, HOME, move |_| {
        let _ = entered.send(());
        let _ = opened.recv();
        Ok::<_, Error>(())
    }));
    let gone = queued(write(&store, HOME, note(&ran)));
    drop(gate);
    inside.recv().await.unwrap();
    drop(gone);
    drop(open);
    busy.await.unwrap();
    store.write(HOME, |tx| tag(tx, HOME, "later still")).await.unwrap();
    assert!(!ran.load(Ordering::SeqCst), "the unit ran although its caller left before it began");
}

async fn a_unit_that_began_runs_to_its_end(base: Base) {
    let store = base.open().await;
    let (entered, mut inside) = tokio::sync::mpsc::unbounded_channel();
    let (open, opened) = mpsc::channel::<()>();
    let begun = queued(write(&store, HOME, move |tx| {
        let _ = entered.send(());
        let _ = opened.recv();
        tag(tx, HOME, "kept")
    }));
    inside.recv().await.unwrap();
    drop(begun);
    drop(open);
    store.write(HOME, |tx| tag(tx, HOME, "next")).await.unwrap();
    assert_eq!(names(&store, HOME).await, ["kept", "next"]);
    assert_eq!(totals(&store, HOME).await, (2, 2));
}

// Limits and shutdown

async fn a_full_queue_refuses(base: Base) {
    let store = base.open().await;
    let gate = hold(&store, HOME).await;
    let mut waiting = Vec::new();
    let refused = loop {
        let mut unit: support::Waiting<_> = Box::pin(write(&store, HOME, |tx| Ok::<_, Error>(tx.stamp())));
        match unit.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop())) {
            std::task::Poll::Ready(answer) => break answer,
            std::task::Poll::Pending => waiting.push(unit),
        }
        assert!(waiting.len() < 100_000, "the queue has a bound");
    };
    assert!(is_unavailable(&refused));
    assert!(waiting.len() > 1000, "a burst of {} fits", waiting.len());
    drop(gate);
    for unit in waiting {
        unit.await.unwrap();
    }
    store.write(HOME, |tx| tag(tx, HOME, "room again")).await.unwrap();
}

async fn closing_finishes_accepted_work(base: Base) {
    let store = base.open().await;
    let gate = hold(&store, HOME).await;
    let accepted: Vec<_> =
        (0..300).map(|number| queued(write(&store, HOME, move |tx| tag(tx, HOME, &number.to_string())))).collect();
    let reading = {
        let store = store.clone();
        queued(async move { store.read(Lane::Slow, |tx| tx.one("SELECT 1", &[], |row| row.int(0))).await })
    };
    let closing = {
        let store = store.clone();
        tokio::task::spawn_blocking(move || store.close())
    };
    until("it refuses", async || is_unavailable(&store.read(Lane::Fast, |_| Ok::<_, Error>(())).await)).await;
    assert!(is_unavailable(&store.write(HOME, |tx| tag(tx, HOME, "too late")).await));
    assert!(is_unavailable(&store.point("SELECT 1", &[], |row| row.int(0)).await));
    drop(gate);
    for unit in accepted {
        unit.await.unwrap();
    }
    reading.await.unwrap();
    closing.await.unwrap();
    drop(store);
    let store = base.open().await;
    assert_eq!(totals(&store, HOME).await, (300, 300));
}

// Opening
