//! A database clock that ran a day ahead and was corrected: its timestamps must not block anything.
//!
//! No clock is moved here. The tests write the timestamps of such a clock into the database.

use serde_json::json;

use crate::support::*;

stories![
    jobs_run_while_stamps_are_ahead,
    a_job_that_was_enqueued_ahead_runs_soon,
    a_rate_window_that_begins_ahead_is_over,
    leases_that_end_ahead_are_let_go,
];

const DAY: i64 = 86_400_000;

/// How many records still have the deleted tag.
fn worn(world: &World) -> u64 {
    world.count("SELECT CAST(count(*) AS text) FROM terms WHERE field = 'contact.tag'")
}

fn jobs(world: &World) -> u64 {
    world.count("SELECT CAST(count(*) AS text) FROM jobs")
}

fn jobs_run_while_stamps_are_ahead(world: &World) {
    let key = world.key("crm");
    key.post("/contacts", json!({"first_name": "Ada", "tags": ["worn"]})).created();
    world.change(&format!("UPDATE heads SET stamp = stamp + {DAY}"));
    let tag = key.get("/tags").page().rows[0].clone();
    key.delete(&format!("/tags/{}", text(&tag["id"]))).ok();
    eventually("the tag is removed", PATIENCE, || (worn(world) == 0).then_some(()));
    let file = world.file("people.csv");
    std::fs::write(&file, "first_name\nBob\nEve\n").expect("a file");
    let path = file.to_str().expect("a path");
    world.cli(["import", path, "--collection", "contacts"]).ok();
    eventually("the import is done", PATIENCE, || (key.get("/contacts").page().total() == 3).then_some(()));
}

fn a_job_that_was_enqueued_ahead_runs_soon(world: &World) {
    world.cli(["fields", "create", "--entity", "contact", "--key", "nick", "--type", "text"]).ok();
    let key = world.key("crm");
    key.post("/contacts", json!({"first_name": "Ada", "custom_data": {"nick": "Countess"}})).created();
    world.stop();
    world.cli(["fields", "delete", "--entity", "contact", "--key", "nick"]).ok();
    assert_eq!(jobs(world), 1);
    // The row of a job that was started while the clock was ahead.
    world.change(&format!(
        "UPDATE jobs SET run_at = run_at + {DAY}, created_at = created_at + {DAY}, lease_until = run_at + {DAY}"
    ));
    world.start();
    eventually("the job is done", PATIENCE, || (jobs(world) == 0).then_some(()));
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM terms WHERE field = 'contact.custom.nick'"), 0);
}

fn a_rate_window_that_begins_ahead_is_over(world: &World) {
    world.set(&["--rate-limit", "50"]);
    let key = world.key("crm");
    while key.get("/tags").status != 429 {}
    world.stop();
    world.change(&format!("UPDATE rate_windows SET started_at = started_at + {DAY}"));
    world.start();
    let answer = key.get("/tags");
    answer.is(200);
    assert!(answer.number("X-RateLimit-Reset") <= now().as_second() + 3601, "{answer}");
}

fn leases_that_end_ahead_are_let_go(world: &World) {
    let key = world.key("full_access");
    let outside = Outside::new("");
    outside.mailbox(world, "ann@example.com", &[]);
    let contact = outside::contact(&key, "Bob", "bob@example.com");
    // An earlier node had the lease on the account, by a clock that was a day ahead.
    world.stop();
    world
        .change(&format!("UPDATE account_states SET sync_until = sync_at + {DAY} + 2000000000000, sync_node = 'gone'"));
    world.start();
    let held = "SELECT CAST(count(*) AS text) FROM account_states WHERE sync_node = 'gone'";
    eventually("the account receives again", PATIENCE, || (world.count(held) == 0).then_some(()));
    let _ = contact;
}
