//! The rate limit: counted per owner, exact, shown in every answer.

use serde_json::json;

use crate::support::*;

stories![
    every_answer_shows_the_limit,
    every_answer_but_a_refused_key_counts,
    a_refused_key_gets_the_default_limit,
    exactly_the_limit_passes_from_many_clients,
    the_refusal_has_a_retry_after,
    keys_of_one_owner_share_one_count,
    owners_do_not_share,
    workspaces_do_not_share,
    the_count_survives_a_restart,
    after_a_kill_the_limit_is_never_exceeded,
    over_two_nodes_the_limit_is_never_exceeded,
    a_new_limit_holds_within_a_second,
    the_limit_is_checked_before_the_scope,
    pages_without_a_key_are_not_counted,
];

fn remaining(answer: &Answer) -> i64 {
    answer.number("X-RateLimit-Remaining")
}

/// The current time in seconds, as in the headers.
fn seconds() -> i64 {
    now().as_second()
}

/// Sends this many requests and returns how many passed.
#[track_caller]
fn passed(key: &Client, times: usize) -> usize {
    (0..times).filter(|_| passes(key)).count()
}

#[track_caller]
fn passes(key: &Client) -> bool {
    let answer = key.get("/tags");
    match answer.status {
        200 => true,
        429 => {
            answer.error(429, "rate_limit_exceeded");
            false
        }
        _ => panic!("{answer}"),
    }
}

/// Sends requests until the third refusal, and returns how many passed.
#[track_caller]
fn exhausted(key: &Client, at_most: usize) -> usize {
    let (mut passing, mut refused) = (0, 0);
    while refused < 3 {
        if passes(key) {
            passing += 1
        } else {
            refused += 1
        }
        assert!(passing <= at_most, "{passing} passed with a limit of {at_most}");
    }
    passing
}

fn every_answer_shows_the_limit(world: &World) {
    let began = seconds();
    let key = world.key("crm");
    let first = key.get("/contacts");
    assert_eq!(first.number("X-RateLimit-Limit"), 2000);
    assert_eq!(remaining(&first), 1999);
    let reset = first.number("X-RateLimit-Reset");
    assert!((began + 3599..=seconds() + 3601).contains(&reset), "{reset} is not an hour ahead of {}", seconds());

    // Later requests stay in the window that the first request opened.
    for (count, answer) in [
        key.post("/contacts", json!({"first_name": "Ada"})),
        key.post("/contacts", json!({})),
        key.get("/contacts/ada"),
        key.get("/no-such-route"),
        key.delete("/contacts"),
        key.request("POST", "/contacts").body("{").send(),
        key.request("POST", "/contacts").body("{}").header("Content-Type", "text/plain").send(),
    ]
    .iter()
    .enumerate()
    {
        assert_eq!(answer.number("X-RateLimit-Limit"), 2000);
        assert_eq!(remaining(answer), 1998 - count as i64, "{answer}");
        assert_eq!(answer.number("X-RateLimit-Reset"), reset, "{answer}");
    }
}

fn every_answer_but_a_refused_key_counts(world: &World) {
    let key = world.key("tags:read");
    let at_first = remaining(&key.get("/tags"));
    for _ in 0..5 {
        world.stranger().get("/tags").error(401, "invalid_api_key");
        world.holder(&format!("{}x", key.token())).get("/tags").error(401, "invalid_api_key");
    }
    assert_eq!(remaining(&key.get("/tags")), at_first - 1, "a refused key was counted");
    key.get("/contacts").error(403, "insufficient_scope");
    key.get("/nowhere").not_found();
    assert_eq!(remaining(&key.get("/tags")), at_first - 4);
}

fn a_refused_key_gets_the_default_limit(world: &World) {
    world.set(&["--rate-limit", "50"]);
    let answer = world.stranger().get("/contacts");
    answer.error(401, "invalid_api_key");
    assert_eq!(answer.number("X-RateLimit-Limit"), 2000);
    assert_eq!(remaining(&answer), 2000);
    assert!((answer.number("X-RateLimit-Reset") - seconds() - 3600).abs() <= 2, "{answer}");
}

fn exactly_the_limit_passes_from_many_clients(world: &World) {
    world.set(&["--rate-limit", "150"]);
    let key = world.key("crm");
    let passing: usize = at_once(8, |_| {
        let answers: Vec<Answer> = (0..30).map(|_| key.get("/tags")).collect();
        let left: Vec<i64> = answers.iter().map(remaining).collect();
        assert!(left.is_sorted_by(|earlier, later| earlier >= later), "the remaining number has risen: {left:?}");
        answers.iter().filter(|answer| answer.status == 200).count()
    })
    .into_iter()
    .sum();
    assert_eq!(passing, 150);
    assert_eq!(passed(&key, 5), 0);
}

fn the_refusal_has_a_retry_after(world: &World) {
    world.set(&["--rate-limit", "20"]);
    let key = world.key("crm");
    let mut last = 20;
    for _ in 0..20 {
        let answer = key.get("/tags");
        answer.page();
        assert!(remaining(&answer) < last, "the remaining number does not fall: {answer}");
        last = remaining(&answer);
    }
    assert_eq!(last, 0);
    let answer = key.get("/tags");
    answer.error(429, "rate_limit_exceeded").says("limit of 20 requests per hour");
    assert_eq!((answer.number("X-RateLimit-Limit"), remaining(&answer)), (20, 0));
    let wait = answer.number("Retry-After");
    // Rounded up, so that a retry after this time succeeds.
    assert!((1..=3601).contains(&wait), "{answer}");
    assert!((seconds() + wait - answer.number("X-RateLimit-Reset")).abs() <= 2, "{answer}");
}

fn keys_of_one_owner_share_one_count(world: &World) {
    world.set(&["--rate-limit", "60"]);
    let keys = [world.key("crm"), world.key("read_only"), world.key("tags:read")];
    let passing: usize = at_once(6, |number| passed(&keys[number % 3], 20)).into_iter().sum();
    assert_eq!(passing, 60);
    assert!(!passes(&world.key("crm")), "a new key of the same owner has its own count");
}

fn owners_do_not_share(world: &World) {
    world.set(&["--rate-limit", "30"]);
    world.cli(["members", "add", "--email", "grace@example.com"]).ok();
    let owner = world.key("crm");
    let grace = world.key_with("crm", &["--owner", "grace@example.com"]);
    assert_eq!(exhausted(&owner, 30), 30);
    assert_eq!(exhausted(&grace, 30), 30);
}

fn workspaces_do_not_share(world: &World) {
    world.set(&["--rate-limit", "30"]);
    let (first, second) = (world.key("crm"), world.workspace("second").key("crm"));
    assert_eq!(exhausted(&first, 30), 30);
    assert_eq!(second.get("/tags").number("X-RateLimit-Limit"), 2000, "the limit is set for one workspace");
}

fn the_count_survives_a_restart(world: &World) {
    world.set(&["--rate-limit", "100"]);
    let key = world.key("crm");
    assert_eq!(passed(&key, 37), 37);
    let reset = key.get("/tags").number("X-RateLimit-Reset");
    world.restart();
    let answer = key.get("/tags");
    assert_eq!(remaining(&answer), 100 - 39);
    assert_eq!(answer.number("X-RateLimit-Reset"), reset);
    assert_eq!(exhausted(&key, 100), 100 - 39);
    world.restart();
    assert!(!passes(&key), "a restart opened a new window");
}

fn after_a_kill_the_limit_is_never_exceeded(world: &World) {
    const LIMIT: usize = 400;
    world.set(&["--rate-limit", &LIMIT.to_string()]);
    let key = world.key("crm");
    let mut passing = passed(&key, 90);
    world.kill9();
    world.start();
    passing += passed(&key, 90);
    world.kill9();
    world.start();
    passing += exhausted(&key, LIMIT - passing);
    assert!((LIMIT - LIMIT / 100..=LIMIT).contains(&passing), "{passing} of {LIMIT} passed");
}

fn over_two_nodes_the_limit_is_never_exceeded(world: &World) {
    const LIMIT: usize = 400;
    world.set(&["--rate-limit", &LIMIT.to_string()]);
    let key = world.key("crm");
    let node = world.another_node();
    // If there can only be one node, both clients use it.
    let elsewhere = node.as_ref().map_or(key.clone(), |node| key.at(&node.origin()));
    let passing: usize = at_once(4, |number| if number % 2 == 0 { passed(&key, 110) } else { passed(&elsewhere, 110) })
        .into_iter()
        .sum();
    // An idle node releases its reserved quota.
    let rest = eventually("what the nodes hold back", PATIENCE, || {
        let rest = passed(&key, 5) + passed(&elsewhere, 5);
        (rest == 0 || passing + rest >= LIMIT - LIMIT / 100).then_some(rest)
    });
    assert!((LIMIT - LIMIT / 100..=LIMIT).contains(&(passing + rest)), "{passing} and {rest} of {LIMIT} passed");
}

fn a_new_limit_holds_within_a_second(world: &World) {
    let key = world.key("crm");
    assert_eq!(passed(&key, 10), 10);
    world.set(&["--rate-limit", "5"]);
    within_a_second("the lower limit", || (!passes(&key)).then_some(()));
    assert_eq!(key.get("/tags").number("X-RateLimit-Limit"), 5);
    world.set(&["--rate-limit", "5000"]);
    within_a_second("the higher limit", || passes(&key).then_some(()));
    assert_eq!(key.get("/tags").number("X-RateLimit-Limit"), 5000);
    assert_eq!(key.get("/me").ok()["limits"]["requests_per_hour"], 5000);
}

fn the_limit_is_checked_before_the_scope(world: &World) {
    world.set(&["--rate-limit", "3"]);
    let key = world.key("tags:read");
    assert_eq!(passed(&key, 3), 3);
    key.get("/contacts").error(429, "rate_limit_exceeded");
    key.get("/nowhere").error(429, "rate_limit_exceeded");
    key.request("POST", "/tags").body("{").send().error(429, "rate_limit_exceeded");
}

fn pages_without_a_key_are_not_counted(world: &World) {
    let key = world.key("crm");
    let at_first = remaining(&key.get("/tags"));
    for path in ["/healthz", "/readyz", "/metrics", "/api/v1/openapi.json", "/docs"] {
        for _ in 0..3 {
            key.visit(path).send();
            world.stranger().visit(path).send();
        }
    }
    assert_eq!(remaining(&key.get("/tags")), at_first - 1);
}
