//! Opening a database: an empty one, an older one, and one of another program.

use crate::support::{Base, HOME, is_conflict, is_internal, is_unavailable, tag};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use store::{Error, Mode, Store, Tx};

pub(crate) async fn several_open_an_empty_database_at_once(base: Base) {
    let seeded = Arc::new(AtomicUsize::new(0));
    let prepare = |tx: &mut dyn Tx, seeded: &AtomicUsize| {
        if tx.one("SELECT 1 FROM meta WHERE name = 'seed'", &[], |row| row.int(0))?.is_none() {
            tx.execute("INSERT INTO meta (name, value) VALUES ('seed', 'sown')", &[])?;
            seeded.fetch_add(1, Ordering::SeqCst);
        }
        Ok(())
    };
    let opened: Vec<_> = (0..6)
        .map(|_| {
            let (place, seeded) = (base.place.clone(), seeded.clone());
            std::thread::spawn(move || Store::open(&place, Mode::Migrate, &mut |tx| prepare(tx, &seeded)))
        })
        .collect();
    for node in opened {
        let store = tokio::task::block_in_place(|| node.join().unwrap()).expect("it opens");
        let sown = store.point("SELECT value FROM meta WHERE name = 'seed'", &[], |row| row.text(0)).await;
        assert_eq!(sown, Ok(Some("sown".into())));
    }
    assert_eq!(seeded.load(Ordering::SeqCst), 1);
    base.open_as(Mode::Expect, |_| Ok(())).await.expect("the schema exists now");
}

pub(crate) async fn an_unfit_schema_is_refused(base: Base) {
    let refusal = |opened: Result<Store, Error>| match opened {
        Err(Error::Unavailable(why)) => why,
        other => panic!("the database should be refused, not {:?}", other.map(drop)),
    };
    refusal(base.open_as(Mode::Expect, |_| Ok(())).await);
    let store = base.open().await;
    let newer = "INSERT INTO migrations (version, name) VALUES (1000, 'of tomorrow')";
    store.bookkeep(move |tx| tx.execute(newer, &[])).await.unwrap();
    for mode in [Mode::Migrate, Mode::Expect] {
        let why = refusal(base.open_as(mode, |_| panic!("nothing is prepared")).await);
        assert!(why.contains("1000") && why.contains("newer than this program"), "{why}");
    }
    // The older node that is running continues beside the newer one.
    store.write(HOME, |tx| tag(tx, HOME, "old node")).await.unwrap();
    // A database with another program's steps is not migrated.
    let others = "UPDATE migrations SET name = 'of another' WHERE version = 1";
    store.bookkeep(|tx| tx.execute("DELETE FROM migrations WHERE version > 1", &[])).await.unwrap();
    store.bookkeep(move |tx| tx.execute(others, &[])).await.unwrap();
    let why = refusal(base.open_as(Mode::Migrate, |_| panic!("nothing is prepared")).await);
    assert!(why.contains("of another") && why.contains("another program"), "{why}");
    // Nor is one of a version that was never released.
    let first = "UPDATE migrations SET name = '0001_house' WHERE version = 1";
    store.bookkeep(move |tx| tx.execute(first, &[])).await.unwrap();
    for mode in [Mode::Migrate, Mode::Expect] {
        let why = refusal(base.open_as(mode, |_| panic!("nothing is prepared")).await);
        assert!(why.contains("development version") && why.contains("import them"), "{why}");
    }
    store.bookkeep(|tx| tx.execute("DELETE FROM migrations WHERE version <= 1000", &[])).await.unwrap();
    let why = refusal(base.open_as(Mode::Expect, |_| Ok(())).await);
    assert!(why.contains("relata migrate"), "{why}");
}

pub(crate) async fn a_failed_preparation_leaves_nothing(base: Base) {
    let refused = base.open_as(Mode::Migrate, |_| Err(Error::Internal("not today".into()))).await;
    assert_eq!(refused.map(drop), Err(Error::Internal("not today".into())));
    let swallowed = |tx: &mut dyn Tx| {
        let _ = tx.rows("SELECT nonsense", &[], |row| row.int(0));
        Ok(())
    };
    assert!(is_internal(&base.open_as(Mode::Migrate, swallowed).await), "an ignored error still fails the opening");
    let late = |tx: &mut dyn Tx| {
        for _ in 0..2 {
            let _ = tx.execute("INSERT INTO meta (name, value) VALUES ('twice', '')", &[]);
        }
        Ok(())
    };
    assert!(is_conflict(&base.open_as(Mode::Migrate, late).await));
    assert!(is_unavailable(&base.open_as(Mode::Expect, |_| Ok(())).await), "the transaction was rolled back");
    base.open().await;
}
