//! Enrichment while its servers are killed repeatedly, two servers on one database if it can be shared: every request
//! ends, nothing is charged twice, the ledger balances. A failure prints its seed.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::*;

stories![kills_charge_nothing_twice];

const KINDS: [(&str, u64); 3] = [("nothing", 0), ("email", 1), ("both", 2)];

fn kills_charge_nothing_twice(world: &World) {
    let rules = "[[rules]]\nmatch = \"* nothing*\"\naction = \"find\"\n\
                 [[rules]]\nmatch = \"slow\"\naction = \"delay\"\nafter = 0.2\n\
                 [[rules]]\nmatch = \"slow\"\naction = \"find\"\n";
    let (outside, key, seed) = (Outside::new(rules), world.key("full_access"), seed());
    outside.finder(world, "slow", &["--seconds", "1", "--hands", "16"]);
    outside.finder(world, "good", &["--seconds", "1", "--hands", "16"]);
    world.set(&["--rate-limit", "100000"]);
    world.stop();
    world.start_by("exec \"$@\" --no-runner");
    let count = share(45, 900);
    let ids = begin_requests(&key, count);
    world.stop();

    let open = || {
        world.count("SELECT CAST(count(*) AS text) FROM enrichment_requests WHERE status IN ('pending', 'processing')")
    };
    let (mut dice, mut lives, mut kills) = (Dice::new(seed), Lives::new(), 0);
    while let left @ 1.. = open() {
        assert!(kills < 400, "the requests do not end, seed {seed}");
        world.start();
        let second = world.another_node();
        lives.live(left, Duration::from_millis(400 + dice.below(900) as u64));
        kills += 1;
        if dice.one_in(2) {
            drop(second);
            world.kill9();
        } else {
            world.kill9();
            drop(second);
        }
    }
    world.start();
    let mut spent = 0;
    for (id, expected) in &ids {
        let request = key.get(&format!("/enrichment/{id}")).ok();
        // A request that was repeated several times without an answer may have been skipped, with a reason.
        assert!(request["credits_consumed"].as_u64().is_some_and(|cost| cost <= *expected), "seed {seed}: {request}");
        let found = ["emails", "phones"]
            .iter()
            .filter(|list| request["result"][**list].as_array().is_some_and(|all| !all.is_empty()))
            .count();
        assert_eq!(request["credits_consumed"], found, "the credits equal the results, seed {seed}: {request}");
        let contact = key.get(&format!("/contacts/{}", text(&request["contact_id"]))).ok();
        let has =
            ["emails", "phones"].iter().filter(|list| contact[**list].as_array().map(Vec::len) == Some(1)).count();
        assert_eq!(has, found, "seed {seed}: {contact}");
        spent += found;
    }
    let balance = key.get("/me").ok()["credits"]["enrichment"].as_u64().expect("a balance");
    assert_eq!(balance, 1000 - spent as u64, "the books, seed {seed}");
    let entries =
        world.count("SELECT CAST(count(*) AS text) FROM ledger WHERE kind = 'enrichment' AND debit = 'spent'");
    assert_eq!(entries, spent as u64, "an entry for each find, seed {seed}");
    // A provider that honours the idempotency key counts each request once; for the others only requests in flight are
    // repeated.
    let mut times: HashMap<(String, String), usize> = HashMap::new();
    for asked in outside.sandbox.asked() {
        *times.entry((asked.finder, asked.key)).or_default() += 1;
    }
    let again = times.values().filter(|times| **times > 1).count();
    assert!(again <= kills * 32, "{again} asked again after {kills} kills, seed {seed}");
    assert!(times.values().all(|times| *times <= 4), "seed {seed}: {times:?}");
    println!("{kills} kills, {count} requests, {spent} credits, {again} questions put again");
}

/// Requests, and the maximum cost of each.
fn begin_requests(key: &Client, count: usize) -> Vec<(String, u64)> {
    let item = |n: usize| json!({"op": "create", "data": {"first_name": "Ada", "last_name": format!("{}{n}", KINDS[n % 3].0), "current_company": "Aster Labs"}});
    let items: Vec<Value> = (0..count).map(item).collect();
    let mut ids = Vec::new();
    for some in items.chunks(900) {
        ids.extend(member(&key.post("/contacts/bulk", json!({ "items": some })).ok()["results"], "id"));
    }
    let mut requests = Vec::new();
    for (n, id) in ids.iter().enumerate() {
        let (kind, cost) = KINDS[n % 3];
        let types = if kind == "email" { json!(["email"]) } else { json!(["email", "phone"]) };
        let answer = key.post(&format!("/contacts/{id}/enrich"), json!({ "types": types }));
        requests.push((text(&answer.is(202).json["data"]["id"]), cost));
    }
    requests
}
