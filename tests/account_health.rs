//! Health of sending accounts: accounts paused because of bounces, complaints, imports that forbid contact, several
//! nodes, and accounts that are changed while they send.

use serde_json::{Value, json};

use crate::imports::import;
use crate::outreach::{becomes, enrolled, mails, started};
use crate::sequences::path;
use crate::support::outside::contact;
use crate::support::*;

stories![
    an_account_with_too_many_bounces_stops_sending,
    a_complaint_ends_every_sequence,
    an_import_that_forbids_contact_ends_sequences,
    two_nodes_run_sequences_and_send_nothing_twice,
    another_node_receives_when_one_is_gone,
    an_account_is_changed_while_it_works,
    a_template_has_a_fallback_for_contacts_without_email,
];

/// Creates contacts with these addresses and returns their ids.
#[track_caller]
fn people(key: &Client, addresses: &[String]) -> Vec<String> {
    let items: Value =
        addresses.iter().map(|it| json!({"op": "create", "data": {"first_name": "Ada", "email": it}})).collect();
    let made = key.post("/contacts/bulk", json!({"items": items})).ok();
    made["results"].as_array().expect("results").iter().map(|it| text(&it["id"])).collect()
}

fn an_account_with_too_many_bounces_stops_sending(world: &World) {
    let script = "[[rules]]\naction = \"bounce\"\nlater = true\nmatch = \"gone*@example.com\"\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, json!([{"type": "email", "subject": "Hi", "body": "Hello."}]), json!({}));
    let enroll = |addresses: &[String]| {
        let ids = people(&key, addresses);
        assert_eq!(
            key.post(&format!("{}/enroll", path(&made)), json!({"contact_ids": ids})).ok()["enrolled"],
            ids.len()
        );
    };
    let bounced = |count: i64| {
        eventually("the bounces", PATIENCE, || {
            (key.get(&path(&made)).ok()["enrollments"]["bounced"] == count).then_some(())
        });
    };
    let shown = || key.get(&format!("/connected-accounts/{account}")).ok();
    enroll(&(0..97).map(|n| format!("ada{n}@example.com")).collect::<Vec<_>>());
    eventually("the good mails", PATIENCE, || (outside.sandbox.accepted() == 97).then_some(()));
    // Three bounces of a hundred mails are tolerated.
    enroll(&(0..3).map(|n| format!("gone{n}@example.com")).collect::<Vec<_>>());
    bounced(3);
    assert_eq!(shown()["status"], "connected");
    // One more pauses the account until a person has reviewed it.
    enroll(&["gone3@example.com".to_owned()]);
    bounced(4);
    let held = shown();
    assert_eq!(held["status"], "error");
    let why = text(&held["status_reason"]);
    assert!(
        why.contains("4 of its last 100 messages bounced") && why.contains(&format!("relata accounts test {account}")),
        "{why}"
    );
    let zoe = contact(&key, "Zoe", "zoe@example.com");
    let waiting =
        key.post("/messages", json!({"contact_id": zoe, "channel": "email", "subject": "Hi", "content": "Hello."}));
    let waiting = format!("/messages/{}", text(&waiting.created()["id"]));
    // When a message of another account has been sent, all other due messages would have been sent too.
    let other = outside.mailbox(world, "bob@example.com", &[]);
    let body =
        json!({"contact_id": zoe, "channel": "email", "subject": "Hi", "content": "Hello.", "account_id": other});
    let sent = format!("/messages/{}", text(&key.post("/messages", body).created()["id"]));
    eventually("the other's mail", PATIENCE, || (key.get(&sent).ok()["status"] == "sent").then_some(()));
    assert_eq!(key.get(&waiting).ok()["status"], "queued");
    assert_eq!(world.cli(["accounts", "test", &account]).ok(), "ok");
    eventually("its mail", PATIENCE, || (key.get(&waiting).ok()["status"] == "sent").then_some(()));
    // Somebody has dealt with those bounces, so the next one alone does not stop the account again.
    enroll(&["gone4@example.com".to_owned()]);
    bounced(5);
    assert_eq!(shown()["status"], "connected");
}

fn a_complaint_ends_every_sequence(world: &World) {
    let script = "[[rules]]\naction = \"complaint\"\nmatch = \"ada@example.com\"\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let steps = json!([{"type": "email", "subject": "Hi", "body": "Hello."}, {"type": "email", "body": "Again.", "delay_days": 1}]);
    let made = started(&key, steps, json!({}));
    let later =
        started(&key, json!([{"type": "email", "subject": "Later", "body": "Hello.", "delay_days": 2}]), json!({}));
    let ada = contact(&key, "Ada", "ada@example.com");
    let second = enrolled(&key, &later, &ada);
    // A contact is in two sequences at once only on request, so she leaves the second one first.
    key.post(&format!("{}/unenroll", path(&later)), json!({"contact_ids": [ada]})).ok();
    let first = enrolled(&key, &made, &ada);
    let ended = eventually("the end", PATIENCE, || Some(key.get(&first).ok()).filter(|it| it["status"] != "active"));
    assert!(["unsubscribed", "unenrolled"].contains(&text(&ended["status"]).as_str()), "{ended}");
    assert!(ended["reason"].is_string() && ended["next_step_at"].is_null(), "{ended}");
    assert_eq!(key.get(&format!("/contacts/{ada}")).ok()["do_not_contact"], true);
    assert_eq!(key.get("/suppressions").page().column("reason"), ["complained"]);
    assert_eq!(key.get(&second).ok()["status"], "unenrolled");
    let refused = key.post(&format!("{}/enroll", path(&later)), json!({"contact_ids": [ada]})).ok();
    assert_eq!(refused["skipped_blacklisted"], 1);
    assert_eq!(mails(&outside, "ada@example.com", 1).len(), 1);
}

fn an_import_that_forbids_contact_ends_sequences(world: &World) {
    let key = world.key("full_access");
    let made = started(&key, json!([{"type": "task", "name": "Call"}]), json!({}));
    let (ada, bob) = (contact(&key, "Ada", "ada@example.com"), contact(&key, "Bob", "bob@example.com"));
    let (first, second) = (enrolled(&key, &made, &ada), enrolled(&key, &made, &bob));
    let file = "email,first_name,do_not_contact\nada@example.com,Ada,yes\nbob@example.com,Bob,no\n";
    let ended = import(&key, json!({"collection": "contacts", "match_on": "email"}), "stop.csv", file);
    assert_eq!((&ended["status"], &ended["failed"]), (&json!("completed"), &json!(0)), "{ended}");
    let ended = becomes(&key, &first, "unenrolled");
    assert!(text(&ended["reason"]).contains("do_not_contact"), "{ended}");
    assert_eq!(key.get(&second).ok()["status"], "active");
}

fn two_nodes_run_sequences_and_send_nothing_twice(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let Some(second) = world.another_node() else { return };
    outside.mailbox(world, "ann@example.com", &[]);
    let steps = json!([{"type": "email", "subject": "Hi", "body": "Hello."}, {"type": "email", "body": "Again."}]);
    let made = started(&key, steps, json!({}));
    let addresses: Vec<String> = (0..40).map(|n| format!("ada{n}@example.com")).collect();
    let ids = people(&key, &addresses);
    let there = key.at(&second.origin());
    let (half, rest) = ids.split_at(20);
    key.post(&format!("{}/enroll", path(&made)), json!({"contact_ids": half})).ok();
    there.post(&format!("{}/enroll", path(&made)), json!({"contact_ids": rest})).ok();
    eventually("all of them finished", PATIENCE, || {
        (key.get(&path(&made)).ok()["enrollments"]["finished"] == 40).then_some(())
    });
    assert_eq!(outside.sandbox.accepted(), 80);
    assert!(outside.sandbox.duplicates().is_empty());
    assert!(addresses.iter().all(|address| outside.to(address).len() == 2));
}

fn another_node_receives_when_one_is_gone(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let seen = |key: &Client| key.get(&format!("/connected-accounts/{account}")).ok();
    eventually("the first check of the mailbox", PATIENCE, || seen(&key)["last_sync_at"].as_str().map(drop));
    let Some(second) = world.another_node() else { return };
    let there = key.at(&second.origin());
    let arrives = |key: &Client, name: &str| {
        let address = format!("{name}@example.com");
        let person = contact(key, name, &address);
        outside.deliver("ann@example.com", &format!("From: {address}\nTo: ann@example.com\nSubject: Hello\nMessage-ID: <{name}@example.com>\nDate: Mon, 5 Jan 2026 10:00:00 +0000\n\nHello.\n"));
        eventually("the mail", PATIENCE, || {
            (key.get(&format!("/contacts/{person}/conversations")).page().total() == 1).then_some(())
        });
    };
    arrives(&key, "ada");
    // A node that stops releases the lease at once.
    world.stop();
    arrives(&there, "bob");
    // A killed node keeps the lease until it expires.
    world.start();
    let mut second = second;
    second.kill9();
    world.change("UPDATE account_states SET sync_until = 1");
    arrives(&key, "cyd");
    assert_eq!(key.get("/conversations").page().total(), 3, "no mail was stored twice");
}

fn an_account_is_changed_while_it_works(world: &World) {
    let (old, new, key) = (Outside::new(""), Outside::new(""), world.key("full_access"));
    let account = old.mailbox(world, "ann@example.com", &["--daily-limit", "500"]);
    let shown = || key.get(&format!("/connected-accounts/{account}")).ok();
    let ada = contact(&key, "Ada", "ada@example.com");
    let send = || {
        let body = json!({"contact_id": ada, "channel": "email", "subject": "Hi", "content": "Hello."});
        let path = format!("/messages/{}", text(&key.post("/messages", body).created()["id"]));
        eventually("the mail", PATIENCE, || (key.get(&path).ok()["status"] == "sent").then_some(()));
    };
    send();
    // If the test of a new server fails, nothing changes.
    let gone = format!("smtp://ann:s3cret@127.0.0.1:{}?tls=none", free_port());
    let refused = world.cli(["accounts", "set", &account, "--smtp", &gone, "--daily-limit", "7"]);
    assert!(refused.refused().contains("nothing was changed (--no-test changes it anyway)"), "{}", refused.refused());
    assert!(!refused.refused().contains("s3cret"));
    assert_eq!(shown()["daily_limit"], 500);
    send();
    assert_eq!(old.to("ada@example.com").len(), 2);
    // A new server, name or limit takes effect at once; everything else stays.
    let (smtp, imap) = (new.smtp("ann@example.com"), new.imap("ann@example.com"));
    let set = [
        "accounts",
        "set",
        &account,
        "--smtp",
        &smtp,
        "--imap",
        &imap,
        "--name",
        "Ann Moved",
        "--min-gap-minutes",
        "0",
    ];
    world.run(&set).ok();
    let now = shown();
    assert_eq!(
        (&now["name"], &now["daily_limit"], &now["min_gap_minutes"]),
        (&json!("Ann Moved"), &json!(500), &json!(0))
    );
    assert_eq!((&now["address"], &now["status"]), (&json!("ann@example.com"), &json!("connected")));
    eventually("a mail by the new server", PATIENCE, || {
        send();
        (!new.to("ada@example.com").is_empty()).then_some(())
    });
    // Invalid values are reported by member.
    assert!(
        world
            .cli(["accounts", "set", &account, "--daily-limit", "0"])
            .refused()
            .contains("daily_limit: must be from 1")
    );
    assert!(world.cli(["accounts", "set", &account, "--smtp", "nonsense"]).refused().contains("--smtp: "));
    assert!(world.cli(["accounts", "set", &nobody(), "--name", "X"]).refused().contains("accounts list"));
    world.cli(["accounts", "set", &account, "--smtp", &gone, "--no-test"]).ok();
    assert!(world.cli(["accounts", "test", &account]).refused().contains("smtp: "));
    assert_eq!(shown()["status"], "error");
}

fn a_template_has_a_fallback_for_contacts_without_email(world: &World) {
    let key = world.key("full_access");
    let body = "Write to {{ emails[0].email | default(\"nobody\") }}, or {{ phones[1].phone | default(\"call\") }}.";
    let made = started(&key, json!([{"type": "task", "name": "Write", "body": body}]), json!({}));
    let reported = |contact: &str| {
        enrolled(&key, &made, contact);
        eventually("the task", PATIENCE, || {
            key.get(&format!("/contacts/{contact}/tasks")).page().rows.first().map(|task| text(&task["description"]))
        })
    };
    assert_eq!(reported(&contact(&key, "Ada", "ada@example.com")), "Write to ada@example.com, or call.");
    let bare = text(&key.post("/contacts", json!({"first_name": "Bob"})).created()["id"]);
    assert_eq!(reported(&bare), "Write to nobody, or call.");
    // Without a fallback the step fails before anything is sent.
    let strict =
        started(&key, json!([{"type": "task", "name": "Write", "body": "To {{ emails[0].email }}"}]), json!({}));
    let cyd = text(&key.post("/contacts", json!({"first_name": "Cyd"})).created()["id"]);
    let failed = becomes(&key, &enrolled(&key, &strict, &cyd), "failed");
    assert!(text(&failed["reason"]).contains("no value for emails"), "{failed}");
}
