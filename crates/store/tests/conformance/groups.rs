//! Groups that are lost to one of their units, one after the other.

use crate::support::{Base, HOME, Oops, hold, names, queued, tag, totals, write};

/// The first group is run again with savepoints; the next ones have them from the start, and lose no more by it.
pub async fn a_writer_that_met_one_stays_careful(base: Base) {
    let store = base.open().await;
    for (round, kept) in ["one", "two", "three"].into_iter().enumerate() {
        let gate = hold(&store, HOME).await;
        let refused = queued(write(&store, HOME, |tx| {
            tag(tx, HOME, "refused")?;
            Err::<(), _>(Oops::Refused)
        }));
        let kept = queued(write(&store, HOME, move |tx| tag(tx, HOME, kept).map(drop).map_err(Oops::Store)));
        // One that wrote nothing has nothing to undo.
        let idle = queued(write(&store, HOME, |_| Err::<(), _>(Oops::Refused)));
        drop(gate);
        assert_eq!((refused.await, idle.await), (Err(Oops::Refused), Err(Oops::Refused)));
        kept.await.unwrap();
        let so_far = round as i64 + 1;
        assert_eq!(totals(&store, HOME).await, (so_far, so_far));
    }
    assert_eq!(names(&store, HOME).await, ["one", "three", "two"]);
}
