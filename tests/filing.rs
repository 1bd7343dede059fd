//! Sent mails are put into the Sent folder, each once, and nothing else waits for that. Messages with an unknown outcome are
//! resolved many at a time.

use serde_json::{Value, json};

use crate::outreach::{becomes, enrolled, started};
use crate::sequences::path;
use crate::support::fake_imap::FakeImap;
use crate::support::outside::{contact, lines};
use crate::support::*;

stories![
    a_sent_mail_is_put_into_the_sent_folder_once,
    a_sent_folder_that_does_not_work_stops_nothing,
    unknown_outcomes_are_resolved_together,
];

#[track_caller]
fn send(key: &Client, contact: &str, subject: &str) -> String {
    let body = json!({"contact_id": contact, "channel": "email", "subject": subject, "content": "Hello."});
    text(&key.post("/messages", body).created()["id"])
}

#[track_caller]
fn is_sent(key: &Client, message: &str) -> Value {
    eventually("a sent message", PATIENCE, || {
        Some(key.get(&format!("/messages/{message}")).ok()).filter(|message| message["status"] == "sent")
    })
}

/// Lets the wait before each copy end now.
fn skip_waits(world: &World) {
    world.change("UPDATE sends SET due_at = created_at WHERE state = 'filing'");
}

fn waiting(world: &World) -> u64 {
    world.count("SELECT CAST(count(*) AS text) FROM sends WHERE state = 'filing'")
}

/// Waits until no copy waits any more.
#[track_caller]
fn all_filed(world: &World) {
    eventually("all copies", PATIENCE, || {
        skip_waits(world);
        (waiting(world) == 0).then_some(())
    });
}

fn a_sent_mail_is_put_into_the_sent_folder_once(world: &World) {
    let (outside, key) = (Outside::new("sent_copies = false\n"), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let sent = |address: &str| outside.sandbox.folder(address, "Sent");
    is_sent(&key, &send(&key, &ada, "First"));
    assert_eq!((waiting(world), sent("ann@example.com").len()), (1, 0), "the server gets time to file it itself");
    // What is to be filed is stored.
    world.kill9();
    world.start();
    all_filed(world);
    let (copy, flags) = sent("ann@example.com").remove(0);
    let (copy, mail) = (String::from_utf8_lossy(&copy).into_owned(), lines(&outside.to("ada@example.com")[0]));
    for name in ["Message-ID: ", "From: ", "To: ", "Subject: "] {
        let header = mail.lines().find(|line| line.starts_with(name)).expect("a header");
        assert!(copy.contains(header), "{header}\n{copy}");
    }
    assert_eq!(flags, ["\\Seen"]);
    assert_eq!(sent("ann@example.com").len(), 1);
    // A server that files sent mails itself is left alone.
    outside.play("");
    is_sent(&key, &send(&key, &ada, "Second"));
    assert_eq!(sent("ann@example.com").len(), 2);
    all_filed(world);
    assert_eq!(sent("ann@example.com").len(), 2, "it was there already");
    // The copies are no messages, and no incoming mails.
    let shown = key.get(&format!("/connected-accounts/{account}")).ok();
    assert_eq!((&shown["mails_in_folder"], &shown["filing_problem"]), (&json!(0), &json!(null)), "{shown}");
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM messages"), 2);
    // An account may do without.
    outside.play("sent_copies = false\n");
    world.cli(["accounts", "set", &account, "--file-sent", "never"]).ok();
    is_sent(&key, &send(&key, &ada, "Third"));
    assert_eq!((waiting(world), sent("ann@example.com").len()), (0, 2));
    let (own, smtp) = ("eva@example.com", outside.smtp("eva@example.com"));
    world.run(&["accounts", "set", &account, "--file-sent", "sometimes"]).refused();
    let add = ["accounts", "add", "--provider", "email", "--name", "Eva", "--address", own, "--smtp", &smtp];
    let sends_only = world.run(&add).ok().to_owned();
    let body = json!({"contact_id": ada, "channel": "email", "content": "Hi.", "account_id": sends_only});
    is_sent(&key, &text(&key.post("/messages", body).created()["id"]));
    assert_eq!(waiting(world), 0, "an account without a mailbox files nothing");
}

fn a_sent_folder_that_does_not_work_stops_nothing(world: &World) {
    let (outside, key) = (Outside::new("sent_copies = false\n"), world.key("full_access"));
    let mailbox = FakeImap::new();
    let smtp = outside.smtp("ann@example.com");
    let add = ["accounts", "add", "--provider", "email", "--name", "Ann", "--address", "ann@example.com"];
    let account = world.run(&[&add[..], &["--smtp", &smtp, "--imap", &mailbox.url("none")]].concat()).ok().to_owned();
    let shown = || key.get(&format!("/connected-accounts/{account}")).ok();
    let ada = contact(&key, "Ada", "ada@example.com");
    mailbox.with(|state| state.refuses = Some("APPEND"));
    is_sent(&key, &send(&key, &ada, "First"));
    let told = eventually("the problem", PATIENCE, || {
        skip_waits(world);
        Some(shown()).filter(|shown| shown["filing_problem"].is_string())
    });
    assert!(text(&told["filing_problem"]).contains("refuses the copies"), "{told}");
    assert_eq!((&told["status"], &told["status_reason"]), (&json!("connected"), &json!(null)));
    is_sent(&key, &send(&key, &ada, "Second"));
    // It gives up after some refusals.
    all_filed(world);
    mailbox.with(|state| {
        assert!(state.sent.is_empty());
        // The answer to the next copy is lost: nobody knows whether it was stored.
        (state.refuses, state.disconnects_after_append) = (None, true);
    });
    is_sent(&key, &send(&key, &ada, "Third"));
    eventually("a lost answer", PATIENCE, || {
        skip_waits(world);
        mailbox.with(|state| (state.sent.len() == 1).then_some(()))
    });
    eventually("the problem", PATIENCE, || {
        Some(shown()).filter(|shown| text(&shown["filing_problem"]).contains("could not connect"))
    });
    assert_eq!(waiting(world), 1);
    mailbox.with(|state| state.disconnects_after_append = false);
    // The next attempt waits; a test of the account makes it at once.
    world.cli(["accounts", "test", &account]).ok();
    all_filed(world);
    assert_eq!(mailbox.with(|state| state.sent.len()), 1, "it was stored, and found");
    // The next copy ends the problem.
    is_sent(&key, &send(&key, &ada, "Fourth"));
    all_filed(world);
    assert_eq!(mailbox.with(|state| state.sent.len()), 2);
    eventually("no problem", PATIENCE, || shown()["filing_problem"].is_null().then_some(()));
    // A removed account takes its copies along.
    is_sent(&key, &send(&key, &ada, "Fifth"));
    assert_eq!(waiting(world), 1);
    world.cli(["accounts", "remove", &account]).ok();
    eventually("no copies", PATIENCE, || (waiting(world) == 0).then_some(()));
}

fn unknown_outcomes_are_resolved_together(world: &World) {
    let lost = "sent_copies = false\n[[rules]]\naction = \"disconnect\"\nat = \"answer\"\nmatch = \"*\"\ntimes = 1\n";
    let (outside, key) = (Outside::new(lost), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, json!([{"type": "email", "subject": "Hi", "body": "Hello."}]), json!({}));
    let people: Vec<String> = (0..4).map(|n| contact(&key, "Somebody", &format!("somebody{n}@example.com"))).collect();
    let enrollments: Vec<String> = people.iter().map(|person| enrolled(&key, &made, person)).collect();
    for enrollment in &enrollments {
        assert_eq!(becomes(&key, enrollment, "paused")["reason"], "outcome_unknown");
    }
    let alone = contact(&key, "Ada", "ada@example.com");
    let by_hand = send(&key, &alone, "By hand");
    let unknown = |id: &str| text(&key.get(&format!("/messages/{id}")).ok()["error"]).starts_with("outcome_unknown: ");
    eventually("an unknown outcome", PATIENCE, || {
        let message = key.get(&format!("/messages/{by_hand}")).ok();
        (message["status"] == "failed").then_some(())
    });
    let message_of = |person: &str| {
        let conversation = key.get(&format!("/contacts/{person}/conversations")).page().ids().remove(0);
        key.get(&format!("/conversations/{conversation}/messages")).page().ids().remove(0)
    };
    let resolve = |body: Value| key.post("/messages/resolve", body);
    resolve(json!({"sent": true})).invalid("message_ids").says("exactly one");
    resolve(json!({"sent": true, "account_id": account, "sequence_id": made["id"]})).invalid("message_ids");
    resolve(json!({"message_ids": [by_hand]})).invalid("sent");
    // Somebody looked and saw one of them; then all others of the sequence are sent again.
    let tried = resolve(json!({"sent": true, "account_id": account, "dry_run": true})).ok();
    assert_eq!((&tried["resolved"], &tried["remaining"]), (&json!(5), &json!(5)), "{tried}");
    let first = message_of(&people[0]);
    let absent = nobody();
    let named = resolve(json!({"sent": true, "message_ids": [first, first, absent]})).ok();
    assert_eq!((&named["resolved"], &named["remaining"]), (&json!(1), &json!(4)), "{named}");
    assert_eq!(named["refused"][0]["message_id"], json!(absent));
    becomes(&key, &enrollments[0], "finished");
    assert_eq!(key.get(&format!("/messages/{first}")).ok()["status"], "sent");
    let rest = resolve(json!({"sent": false, "sequence_id": made["id"]})).ok();
    assert_eq!((&rest["resolved"], &rest["remaining"], &rest["next"]), (&json!(3), &json!(0), &json!(null)), "{rest}");
    for enrollment in &enrollments[1..] {
        becomes(&key, enrollment, "finished");
    }
    for n in 0..4 {
        let mails = outside.to(&format!("somebody{n}@example.com"));
        assert_eq!(mails.len(), if n == 0 { 1 } else { 2 }, "the user said that {n} did not get it");
    }
    assert!(unknown(&by_hand));
    let last = resolve(json!({"sent": false, "account_id": account})).ok();
    assert_eq!((&last["resolved"], &last["remaining"]), (&json!(1), &json!(0)), "{last}");
    let failed = key.get(&format!("/messages/{by_hand}")).ok();
    assert_eq!((&failed["status"], &failed["error"]), (&json!("failed"), &json!("it was not sent")));
    assert_eq!(resolve(json!({"sent": true, "account_id": account})).ok()["resolved"], 0);
    assert_eq!(key.get(&path(&made)).ok()["enrollments"]["finished"], 4);
}
