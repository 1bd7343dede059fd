//! What reads see, and their limits.

use std::sync::mpsc;
use store::{Error, Lane, Tx};

use crate::support::{Base, HOME, tag, totals};

/// Ten thousand million rows: no machine is that fast.
const ENDLESS: &str = "WITH t(x) AS (VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)) \
     SELECT count(*) FROM t a, t b, t c, t d, t e, t f, t g, t h, t i, t j WHERE a.x + b.x + c.x + j.x > $1";

pub(crate) async fn a_slow_statement_is_cancelled_and_delays_no_other(base: Base) {
    let store = base.open().await;
    let endless = |lane| {
        let store = store.clone();
        let work = move |tx: &mut dyn Tx| tx.one(ENDLESS, &[1.into()], |row| row.int(0));
        tokio::spawn(async move { store.read(lane, work).await })
    };
    let slow = endless(Lane::Slow);
    let mut served = 0;
    while !slow.is_finished() {
        store.write(HOME, move |tx| tag(tx, HOME, &served.to_string())).await.unwrap();
        assert_eq!(totals(&store, HOME).await, (served + 1, served + 1));
        served += 1;
        if served == 10 {
            break;
        }
    }
    assert_eq!(served, 10, "other reads had to wait for the slow one");
    let fast = endless(Lane::Fast);
    assert_eq!(fast.await.unwrap(), Err(Error::TooSlow));
    assert_eq!(slow.await.unwrap(), Err(Error::TooSlow));
    for lane in [Lane::Fast, Lane::Slow] {
        for _ in 0..8 {
            let one = store.read(lane, |tx| tx.one("SELECT 1", &[], |row| row.int(0))).await;
            assert_eq!(one, Ok(Some(1)), "the connection is usable afterwards");
        }
    }
}

pub(crate) async fn a_reading_sees_one_snapshot(base: Base) {
    let store = base.open().await;
    store.write(HOME, |tx| tag(tx, HOME, "before")).await.unwrap();
    for lane in [Lane::Fast, Lane::Slow] {
        let before = totals(&store, HOME).await.0;
        let (looked, mut first) = tokio::sync::mpsc::unbounded_channel();
        let (go, go_on) = mpsc::channel::<()>();
        let reading = {
            let store = store.clone();
            let twice = move |tx: &mut dyn Tx| {
                let count = "SELECT count(*) FROM tags WHERE workspace_id = $1";
                let head = "SELECT n FROM counters WHERE workspace_id = $1 AND collection = 'tags'";
                let first = tx.one(count, &[HOME.into()], |row| row.int(0))?.unwrap();
                let _ = looked.send(());
                let _ = go_on.recv();
                let again = tx.one(count, &[HOME.into()], |row| row.int(0))?.unwrap();
                Ok::<_, Error>((first, again, tx.one(head, &[HOME.into()], |row| row.int(0))?.unwrap()))
            };
            tokio::spawn(async move { store.read(lane, twice).await })
        };
        first.recv().await.unwrap();
        for number in 0..3 {
            store.write(HOME, move |tx| tag(tx, HOME, &format!("{lane:?} {number}"))).await.unwrap();
        }
        drop(go);
        assert_eq!(reading.await.unwrap(), Ok((before, before, before)));
        assert_eq!(totals(&store, HOME).await, (before + 3, before + 3));
    }
}

pub(crate) async fn a_reading_cannot_write(base: Base) {
    let store = base.open().await;
    let sly = |tx: &mut dyn Tx| tx.rows("DELETE FROM heads RETURNING stamp", &[], |_| Ok(()));
    assert!(store.read(Lane::Fast, sly).await.is_err());
    assert!(store.write(HOME, |tx| tag(tx, HOME, "still here")).await.is_ok());
}

pub(crate) async fn a_point_read_sees_what_was_written(base: Base) {
    let store = base.open().await;
    let writers: Vec<_> = (0..4)
        .map(|writer| {
            let store = store.clone();
            tokio::spawn(async move {
                for round in 0..40 {
                    let name = format!("{writer}-{round}");
                    let text = name.clone();
                    let id = store.write(HOME, move |tx| tag(tx, HOME, &text)).await.unwrap();
                    let sql = "SELECT name FROM tags WHERE workspace_id = $1 AND id = $2";
                    let found = store.point(sql, &[HOME.into(), id.into()], |row| row.text(0)).await;
                    assert_eq!(found, Ok(Some(name)));
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    let none = store.point("SELECT name FROM tags WHERE id = $1", &[HOME.into()], |row| row.text(0)).await;
    assert_eq!(none, Ok(None));
}
