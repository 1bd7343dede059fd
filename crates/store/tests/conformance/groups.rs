//! Groups that fail because of one of their units.

use crate::support::{Base, HOME, Oops, hold, names, queued, tag, totals, write};

/// The first group runs again with savepoints. The next groups have savepoints from the start and need not run again.
pub(crate) async fn groups_use_savepoints_after_a_failed_group(base: Base) {
    let store = base.open().await;
    for (round, kept) in ["one", "two", "three"].into_iter().enumerate() {
        let gate = hold(&store, HOME).await;
        let refused = queued(write(&store, HOME, |tx| {
            tag(tx, HOME, "refused")?;
            Err::<(), _>(Oops::Refused)
        }));
        let kept = queued(write(&store, HOME, move |tx| tag(tx, HOME, kept).map(drop).map_err(Oops::Store)));
        // A unit that wrote nothing has nothing to roll back.
        let idle = queued(write(&store, HOME, |_| Err::<(), _>(Oops::Refused)));
        drop(gate);
        assert_eq!((refused.await, idle.await), (Err(Oops::Refused), Err(Oops::Refused)));
        kept.await.unwrap();
        let so_far = round as i64 + 1;
        assert_eq!(totals(&store, HOME).await, (so_far, so_far));
    }
    assert_eq!(names(&store, HOME).await, ["one", "three", "two"]);
}
