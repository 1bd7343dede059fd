//! How many of the server's readers one workspace uses.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use crate::connections::metric;
use crate::support::*;

stories![one_workspace_leaves_a_reader_to_others];

/// The readers of the slow lane, on both engines.
const SLOW_READERS: usize = 3;

fn one_workspace_leaves_a_reader_to_others(world: &World) {
    world.set(&["--rate-limit", "1000000000"]);
    let key = world.key("full_access");
    for _ in 0..15 {
        let contact = json!({"op": "create", "data": {"first_name": "Ada", "title": "word ".repeat(40)}});
        key.post("/contacts/bulk", json!({"items": vec![contact; 200]})).ok();
    }
    let busy_readers = || metric(world, "relata_pool_busy{pool=\"slow\"}");
    // No index helps with this, so every contact is read.
    let filter: Vec<String> = (0..50).map(|n| format!("title.ilike.*n{n}*")).collect();
    let (slow, is_over) = (format!("/contacts?or=({})", filter.join(",")), AtomicBool::new(false));
    let samples: Vec<usize> = std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                // Bounded, so that they end if the test fails.
                for _ in 0..500 {
                    if is_over.load(Ordering::SeqCst) {
                        break;
                    }
                    key.get(&slow).page();
                }
            });
        }
        eventually("busy readers", PATIENCE, || (busy_readers() >= SLOW_READERS - 1).then_some(()));
        let sample = |_| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            busy_readers()
        };
        let samples = (0..100).map(sample).collect();
        is_over.store(true, Ordering::SeqCst);
        samples
    });
    // The server itself uses the last reader now and then. The eight clients would always use all.
    let all_busy = samples.iter().filter(|busy| **busy >= SLOW_READERS).count();
    assert!(all_busy < samples.len() / 2, "all readers were busy {all_busy} times: {samples:?}");
}
