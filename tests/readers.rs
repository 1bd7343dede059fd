//! How many of the server's readers one workspace uses.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::json;

use crate::connections::metric;
use crate::support::*;

stories![one_workspace_leaves_a_reader_to_others];

/// The readers of the slow lane, on both engines.
const SLOW_READERS: usize = 3;

/// A workspace with contacts, and a slow search of them: no index helps with it, so every contact is read.
fn slow_search(world: &World) -> (Client, String) {
    world.set(&["--rate-limit", "1000000000"]);
    let key = world.key("full_access");
    for _ in 0..15 {
        let contact = json!({"op": "create", "data": {"first_name": "Ada", "title": "word ".repeat(40)}});
        key.post("/contacts/bulk", json!({"items": vec![contact; 200]})).ok();
    }
    let filter: Vec<String> = (0..50).map(|n| format!("title.ilike.*n{n}*")).collect();
    (key, format!("/contacts?or=({})", filter.join(",")))
}

/// Eight clients repeat the request, and the readers are counted meanwhile. The server itself uses the last reader now and
/// then; the clients would always use all.
fn expect_a_free_reader(world: &World, request: impl Fn() + Sync) {
    let busy_readers = || metric(world, "relata_pool_busy{pool=\"slow\"}");
    let is_over = AtomicBool::new(false);
    let samples: Vec<usize> = std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                // Bounded, so that they end if the test fails.
                for _ in 0..500 {
                    if is_over.load(Ordering::SeqCst) {
                        break;
                    }
                    request();
                }
            });
        }
        eventually("busy readers", PATIENCE, || (busy_readers() >= SLOW_READERS - 1).then_some(()));
        let sample = |_| {
            std::thread::sleep(Duration::from_millis(20));
            busy_readers()
        };
        let samples = (0..100).map(sample).collect();
        is_over.store(true, Ordering::SeqCst);
        samples
    });
    let all_busy = samples.iter().filter(|busy| **busy >= SLOW_READERS).count();
    assert!(all_busy < samples.len() / 2, "all readers were busy {all_busy} times: {samples:?}");
}

fn one_workspace_leaves_a_reader_to_others(world: &World) {
    let (key, search) = slow_search(world);
    expect_a_free_reader(world, || drop(key.get(&search).page()));
}
