//! Sequences while their servers are killed repeatedly, two servers on one database if it can be shared. At the end no
//! step was sent twice, nobody was left out, and every unknown outcome is listed. 60 enrollments with the sandbox, 40 with
//! a real mail server, 20 with short tokens; 10,000, 1,000 and 5,000 with `RELATA_LONG=1`. A failure prints its seed.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::sequences::{path, sequence};
use crate::support::*;

stories![
    kills_send_no_step_twice,
    kills_send_no_step_twice_by_a_real_server,
    kills_send_no_step_twice_with_short_tokens,
];

const STEPS: [&str; 2] = ["This is the first step.", "This is the second step."];

/// The maximum number of messages of one account that are in flight or not recorded yet.
const IN_FLIGHT: usize = 16;

/// How often each step arrived at each address.
type Arrived = BTreeMap<(String, usize), usize>;

fn kills_send_no_step_twice(world: &World) {
    let outside = Outside::new("sent_copies = false\n");
    outside.mailbox(world, "ann@example.com", &[]);
    let arrived = || of_sandbox(&outside);
    endure(world, share(60, 10_000), "example.com", &arrived);
    assert!(outside.sandbox.duplicates().is_empty(), "twice: {:?}", outside.sandbox.duplicates());
}

fn kills_send_no_step_twice_by_a_real_server(world: &World) {
    let (smtp, imap) = (mailserver::url("smtp", "ann@example.com"), mailserver::url("imap", "ann@example.com"));
    let add = ["accounts", "add", "--provider", "email", "--name", "Ann", "--address", "ann@example.com"];
    world.run(&[&add[..], &["--smtp", &smtp, "--imap", &imap]].concat()).ok();
    // Mailboxes outlive a test, so each test uses addresses of its own.
    let engine = if world.database_is_shared() { "shared" } else { "embedded" };
    let domain = format!("{engine}-{}.example.com", std::process::id());
    let arrived = || tally(mailserver::mails_of(&domain).into_iter());
    endure(world, share(40, 1_000), &domain, &arrived);
}

/// The account signs in with tokens that end after a minute, and each renewal gives it another refresh token. The replaced
/// one stays valid, because a server that is killed between the answer and its commit loses the new one.
fn kills_send_no_step_twice_with_short_tokens(world: &World) {
    let lifetime = share(3, 60);
    let outside =
        Outside::new(&format!("sent_copies = false\n[oauth]\nlifetime = {lifetime}\nkeeps_replaced = true\n"));
    let with_user = |url: &str| format!("{}&auth=xoauth2", url.replacen("sandbox:sandbox@", "ann%40example.com@", 1));
    let (smtp, imap) = (with_user(&outside.sandbox.smtp), with_user(&outside.sandbox.imap));
    let (token_url, token) = (format!("{}/token", outside.sandbox.oauth), outside.sandbox.permit("ann@example.com"));
    let add = ["accounts", "add", "--provider", "email", "--name", "Ann", "--address", "ann@example.com"];
    let oauth = ["--oauth-token-url", &token_url, "--oauth-client-id", "sandbox", "--oauth-client-secret", "sandbox"];
    let reach = ["--smtp", &smtp, "--imap", &imap, "--oauth-refresh-token", &token];
    world.run(&[&add[..], &oauth, &reach].concat()).ok();
    let arrived = || of_sandbox(&outside);
    endure(world, share(20, 5_000), "example.com", &arrived);
    assert!(outside.sandbox.duplicates().is_empty(), "twice: {:?}", outside.sandbox.duplicates());
    assert!(outside.sandbox.renewals() >= 2, "{} renewals", outside.sandbox.renewals());
}

fn of_sandbox(outside: &Outside) -> Arrived {
    let received = outside.sandbox.received();
    tally(received.iter().map(|mail| (mail.to[0].clone(), String::from_utf8_lossy(&mail.content).into_owned())))
}

fn tally(mails: impl Iterator<Item = (String, String)>) -> Arrived {
    let mut arrived = Arrived::new();
    for (to, mail) in mails {
        let step = STEPS.iter().position(|step| mail.contains(step)).unwrap_or_else(|| panic!("a stray mail: {mail}"));
        *arrived.entry((to, step)).or_default() += 1;
    }
    arrived
}

fn endure(world: &World, count: usize, domain: &str, arrived: &dyn Fn() -> Arrived) {
    let (key, seed) = (world.key("full_access"), seed());
    world.stop();
    world.start_by("exec \"$@\" --no-runner");
    let made = begin_sequence(&key, count, domain);
    world.stop();

    let (mut dice, mut lives) = (Dice::new(seed), Lives::new());
    let (mut kills, mut rounds) = (0, 0);
    world.change("CREATE TABLE struck AS SELECT message_id FROM sends WHERE 1 = 0");
    world.change("CREATE UNIQUE INDEX struck_once ON struck (message_id)");
    let active = || world.count("SELECT CAST(count(*) AS text) FROM enrollments WHERE status = 'active'");
    let sends = || world.count("SELECT CAST(count(*) AS text) FROM sends WHERE state <> 'queued'");
    while let left @ 1.. = active() {
        let before = sends();
        rounds += 1;
        assert!(rounds < 20 * count.max(100), "the sequence does not end, seed {seed}");
        world.start_by("exec \"$@\" --send-seconds 2");
        let second = world.another_node();
        lives.live((left, before), Duration::from_millis(20 + dice.below(480) as u64));
        kills += 1 + usize::from(second.is_some());
        // Either server may be killed first.
        if dice.one_in(2) {
            drop(second);
            world.kill9();
        } else {
            world.kill9();
            drop(second);
        }
        world.change(
            "INSERT INTO struck SELECT message_id FROM sends WHERE state = 'sending' ON CONFLICT (message_id) DO NOTHING",
        );
    }
    world.start_by("exec \"$@\" --send-seconds 2");
    eventually("the end of messages in flight", PATIENCE, || {
        (world.count("SELECT CAST(count(*) AS text) FROM sends WHERE state IN ('queued', 'sending')") == 0)
            .then_some(())
    });

    let all = enrollments(&key, &made);
    assert_eq!(all.len(), count, "enrollments, seed {seed}");
    let finished = all.iter().filter(|one| one["status"] == "finished").count();
    let unknown = count - finished;
    // Only messages that were in flight at a kill, or that timed out after the last one.
    let struck = world.count("SELECT CAST(count(*) AS text) FROM struck") as usize;
    assert!(
        unknown <= struck + IN_FLIGHT,
        "{unknown} unknown outcomes, {struck} in flight at {kills} kills, seed {seed}"
    );
    let address = |one: &Value| format!("person{}@{domain}", text(&one["custom_variables"]["custom_variable_1"]));
    let is_at_second = |one: &Value| one["current_step_id"] == made["steps"][1]["id"];
    // A real server delivers accepted mails some time later.
    let expected: Vec<(String, usize)> = all
        .iter()
        .flat_map(|one| {
            let steps = if one["status"] == "finished" { STEPS.len() } else { usize::from(is_at_second(one)) };
            (0..steps).map(|step| (address(one), step)).collect::<Vec<_>>()
        })
        .collect();
    eventually("the mails", PATIENCE, || {
        let arrived = arrived();
        expected.iter().all(|mail| arrived.contains_key(mail)).then_some(())
    });
    let arrived = arrived();
    let twice: Vec<_> = arrived.iter().filter(|(_, times)| **times > 1).collect();
    assert!(twice.is_empty(), "sent twice, seed {seed}: {twice:?}");
    for one in &all {
        let address = address(one);
        let got = |step: usize| arrived.contains_key(&(address.clone(), step));
        match one["status"].as_str() {
            Some("finished") => assert!(got(0) && got(1), "{address} was left out, seed {seed}: {one}"),
            Some("paused") => {
                assert_eq!(one["reason"], "outcome_unknown", "seed {seed}: {one}");
                let at_second = is_at_second(one);
                assert!(got(0) || !at_second, "{address} skipped a step, seed {seed}: {one}");
                assert!(at_second || !got(1), "{address} got a step too early, seed {seed}: {one}");
            }
            _ => panic!("neither sent nor listed, seed {seed}: {one}"),
        }
    }
    println!("{kills} kills, {count} enrollments: {finished} finished, {unknown} unknown outcomes, none twice");
}

/// A started sequence that sends both steps at once, with all contacts enrolled.
fn begin_sequence(key: &Client, count: usize, domain: &str) -> Value {
    let always = json!({"days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "start_time": "00:00", "end_time": "24:00", "count": "calendar_days"});
    let steps = json!([{"type": "email", "subject": "Hello", "body": STEPS[0]}, {"type": "email", "body": STEPS[1]}]);
    let made = sequence(key, json!({"name": "Outreach", "schedule_config": always, "steps": steps}));
    key.post(&format!("{}/start", path(&made)), json!({})).ok();
    let numbers: Vec<usize> = (0..count).collect();
    for some in numbers.chunks(500) {
        let person =
            |n: &usize| json!({"op": "create", "data": {"first_name": "Ada", "email": format!("person{n}@{domain}")}});
        let items: Vec<Value> = some.iter().map(person).collect();
        let results = key.post("/contacts/bulk", json!({ "items": items })).ok();
        let results = results["results"].as_array().cloned().unwrap_or_default();
        let contacts: Vec<Value> = some
            .iter()
            .zip(&results)
            .map(
                |(n, made)| json!({"contact_id": made["id"], "custom_variables": {"custom_variable_1": n.to_string()}}),
            )
            .collect();
        let enrolled = key.post(&format!("{}/enroll", path(&made)), json!({ "contacts": contacts })).ok();
        assert_eq!(enrolled["enrolled"], some.len(), "{enrolled}");
    }
    key.get(&path(&made)).ok()
}

fn enrollments(key: &Client, made: &Value) -> Vec<Value> {
    let (mut all, mut cursor) = (Vec::new(), Some(String::new()));
    while let Some(place) = cursor {
        let list = format!("{}/enrollments", path(made));
        let page = key.list(&list, &[("limit", "100"), ("cursor", &place)]).page();
        cursor = page.next();
        all.extend(page.rows);
    }
    all
}
