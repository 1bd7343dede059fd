//! Searches of the profile database cost credits: for delivered results, once, and never beyond the balance.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::profiles::{balance, engineers, found, import, search};
use crate::support::*;

stories![
    each_profile_costs_a_credit,
    a_page_is_limited_by_the_credits,
    concurrent_searches_never_overdraw,
    an_answer_is_charged_once,
    an_answer_that_can_not_be_delivered_is_refunded,
    clients_that_disconnect_pay_for_a_whole_page_or_nothing,
    the_ledger_balances_after_kills,
];

fn credits(world: &World, count: i64) {
    world.run(&["workspace", "set", "--sourcing-credits", &count.to_string()]).ok();
}

fn each_profile_costs_a_credit(world: &World) {
    let key = world.key("sourcing");
    import(world, &engineers(30));
    let first = search(&key, json!({"job_title": ["Engineer"]}));
    assert_eq!((&first["credits_consumed"], &first["sourcing_credits_remaining"]), (&json!(25), &json!(975)));
    let second = search(&key, json!({"job_title": ["Engineer"], "page": 2}));
    assert_eq!((&second["credits_consumed"], &second["sourcing_credits_remaining"]), (&json!(5), &json!(970)));
    assert_eq!(balance(&key), 970);
    let other = world.workspace("other");
    assert_eq!(balance(&other.key("sourcing")), 1000, "the credits of another workspace changed");
    let ledger = world.run(&["workspace", "ledger"]);
    let newest: Vec<&str> = ledger.ok().lines().next().unwrap_or_default().split('\t').collect();
    assert_eq!(newest[2..7], ["spent", "held", "5", "970", "profile search"]);
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM events WHERE type = 'credits.spent'"), 2);
    // A search without results is free.
    search(&key, json!({"job_title": ["Pilot"]}));
    assert_eq!(balance(&key), 970);
}

fn a_page_is_limited_by_the_credits(world: &World) {
    let key = world.key("sourcing");
    import(world, &engineers(30));
    let whole = found(&key, json!({"job_title": ["Engineer"]}));
    credits(world, 7);
    let cut = search(&key, json!({"job_title": ["Engineer"]}));
    assert_eq!(member(&cut["profiles"], "profile_id"), whole[..7]);
    assert_eq!((&cut["credits_consumed"], &cut["sourcing_credits_remaining"]), (&json!(7), &json!(0)));
    // The profiles that were left out are still on this page.
    assert_eq!((&cut["has_more"], &cut["next_page"], &cut["total_count"]), (&json!(true), &json!(1), &json!(30)));
    for body in [json!({"job_title": ["Engineer"]}), json!({"job_title": ["Pilot"]})] {
        let refused = key.post(UNCOUNTED, body).error(402, "insufficient_credits");
        let details = refused.credits();
        assert_eq!((&details["credit_type"], &details["available"]), (&json!("sourcing"), &json!(0)));
        assert!(details["required"].as_i64().is_some_and(|required| required >= 1));
    }
    credits(world, 25);
    assert_eq!(search(&key, json!({"job_title": ["Engineer"]}))["sourcing_credits_remaining"], 0);
    credits(world, 5);
    let last = search(&key, json!({"job_title": ["Engineer"], "page": 2}));
    assert_eq!((&last["credits_consumed"], &last["has_more"]), (&json!(5), &json!(false)));
}

fn concurrent_searches_never_overdraw(world: &World) {
    let key = world.key("sourcing");
    import(world, &engineers(30));
    credits(world, 333);
    let answers = at_once(64, |_| key.post(UNCOUNTED, json!({"job_title": ["Engineer"]})));
    let mut taken = 0;
    for answer in answers {
        if answer.status == 402 {
            continue;
        }
        let answer = answer.ok();
        let consumed = answer["credits_consumed"].as_i64().expect("a number");
        assert_eq!(answer["profiles"].as_array().map(Vec::len), usize::try_from(consumed).ok());
        assert!(answer["sourcing_credits_remaining"].as_i64().is_some_and(|left| left >= 0));
        taken += consumed;
    }
    assert_eq!((taken, balance(&key)), (333, 0), "exactly the balance is spent");
    world.run(&["workspace", "ledger"]).ok();
}

fn an_answer_is_charged_once(world: &World) {
    let key = world.key("sourcing");
    import(world, &engineers(3));
    let ask = || {
        let request = key.request("POST", UNCOUNTED).header("Idempotency-Key", "once");
        request.json(&json!({"job_title": ["Engineer"]})).send()
    };
    let (first, again) = (ask().ok(), ask().ok());
    assert_eq!(first, again);
    assert_eq!(balance(&key), 997);
}

fn an_answer_that_can_not_be_delivered_is_refunded(world: &World) {
    let (key, other) = (world.key("sourcing"), world.key("crm"));
    import(world, &engineers(30));
    // A client that asks while the writer is blocked and disconnects before the write is charged for a page that is not
    // delivered.
    let sold = (0..5).any(|round| {
        world.hold(|| {
            let wire = ask_by_wire(&key);
            std::thread::sleep(Duration::from_secs(1));
            assert_eq!(wire.leave(), "", "the server ends the request without an answer");
        });
        // Writes keep their order: after this one, a charge that waited has been written as well.
        other.post("/tags", json!({"name": format!("Round {round}")})).created();
        entries(world, "profile search") == 1
    });
    assert!(sold, "no search was charged");
    eventually("the credits back", PATIENCE, || (balance(&key) == 1000).then_some(()));
    assert_eq!((entries(world, "profile search"), entries(world, "not delivered")), (1, 1));
}

/// The number of ledger entries with this reason.
fn entries(world: &World, reason: &str) -> i64 {
    let ledger = world.run(&["workspace", "ledger"]);
    ledger.ok().lines().filter(|line| line.split('\t').nth(6) == Some(reason)).count() as i64
}

fn clients_that_disconnect_pay_for_a_whole_page_or_nothing(world: &World) {
    let key = world.key("sourcing");
    import(world, &engineers(30));
    for wait in 0..12 {
        let wire = ask_by_wire(&key);
        std::thread::sleep(Duration::from_millis(wait));
        drop(wire);
    }
    // Each page was charged completely or not at all, and refunds are in the ledger.
    eventually("a balanced ledger", PATIENCE, || {
        let balance = balance(&key);
        let pages = entries(world, "profile search") - entries(world, "not delivered");
        (balance == 1000 - 25 * pages).then_some(())
    });
}

/// A search for engineers whose answer has not been read yet.
fn ask_by_wire(key: &Client) -> Wire {
    let body = json!({"job_title": ["Engineer"]}).to_string();
    let length = body.len().to_string();
    let headers = [("Content-Type", "application/json"), ("Content-Length", length.as_str())];
    let mut wire = Wire::open(key, "POST", UNCOUNTED, &headers);
    wire.send(body.as_bytes());
    wire
}

/// Random searches, refills and kills; after each kill the ledger balances, and no balance is negative.
fn the_ledger_balances_after_kills(world: &World) {
    import(world, &engineers(30));
    let (key, seed) = (world.key("sourcing"), seed());
    let (mut dice, answered) = (Dice::new(seed), AtomicI64::new(0));
    for _ in 0..share(4, 50) {
        credits(world, 100 + dice.below(400) as i64);
        let wait = dice.below(150) as u64;
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..10 {
                        let request = ureq::post(format!("{}/api/v1{UNCOUNTED}", world.origin()));
                        let request = request.header("Authorization", format!("Bearer {}", key.token()));
                        let request = request.header("Content-Type", "application/json");
                        let mut answer = request.send(r#"{"job_title": ["Engineer"]}"#).ok();
                        let text = answer.as_mut().and_then(|answer| answer.body_mut().read_to_string().ok());
                        let body = text.and_then(|text| serde_json::from_str::<Value>(&text).ok());
                        let paid = body.and_then(|body| body["data"]["credits_consumed"].as_i64());
                        answered.fetch_add(paid.unwrap_or(0), Ordering::Relaxed);
                    }
                });
            }
            std::thread::sleep(Duration::from_millis(wait));
            world.kill9();
        });
        let ledger = world.run(&["workspace", "ledger", "--limit", "1"]);
        assert_eq!(ledger.code, Some(0), "seed {seed}: {ledger}");
        world.start();
        let left = balance(&key);
        assert!(left >= 0, "seed {seed}: {left}");
    }
    // A minute later, charges for answers that were not delivered are refunded.
    world.change("UPDATE jobs SET run_at = run_at - 60000");
    let waiting = || world.count("SELECT CAST(count(*) AS text) FROM jobs WHERE kind = 'credits.return'");
    eventually("all refunds", PATIENCE, || (waiting() == 0).then_some(()));
    let ledger = world.run(&["workspace", "ledger", "--limit", "100000"]);
    let lines = ledger.ok();
    let sum = |reason: &str| -> i64 {
        let lines = lines.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        lines.filter(|line| line[6] == reason).map(|line| line[4].parse::<i64>().expect("an amount")).sum()
    };
    let (taken, back, got) = (sum("profile search"), sum("not delivered"), answered.into_inner());
    println!("{taken} taken, {back} given back, {got} of them seen to arrive");
    assert!(taken - back <= got, "seed {seed}: {taken} taken, {back} given back, and {got} arrived");
}
