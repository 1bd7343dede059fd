//! The outbox: every message is sent at most once, whatever fails in between.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::outside::contact;
use crate::support::*;

stories![
    a_due_message_starts_within_a_second,
    a_temporary_refusal_is_tried_again_with_the_same_id,
    an_unknown_recipient_fails_and_gets_no_more_mail,
    a_message_with_an_unknown_outcome_is_never_sent_again,
    a_lost_answer_is_found_in_the_sent_folder,
    a_kill_between_the_two_transactions_sends_nothing_twice,
    a_mail_of_a_killed_server_is_found_in_the_sent_folder_after_the_restart,
    a_server_that_hangs_while_sending_is_retried,
    a_provider_is_asked_whether_it_accepted_a_message,
    queued_messages_follow_later_decisions,
    caps_and_gaps_hold,
    a_stop_finishes_messages_in_flight,
    two_nodes_share_the_work_and_send_nothing_twice,
    kills_lose_nothing_and_send_nothing_twice,
    queued_messages_of_a_backup_are_not_sent_automatically,
];

fn send(key: &Client, contact: &str, content: &str) -> String {
    let body = json!({"contact_id": contact, "channel": "email", "subject": "Hi", "content": content});
    text(&key.post("/messages", body).created()["id"])
}

/// The message once it is no longer queued.
#[track_caller]
fn ended(key: &Client, id: &str) -> Value {
    eventually("the end of a message", PATIENCE, || {
        Some(key.get(&format!("/messages/{id}")).ok()).filter(|message| message["status"] != "queued")
    })
}

fn a_due_message_starts_within_a_second(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    for count in 1..4 {
        send(&key, &ada, "Hello.");
        within_a_second("the mail", || (outside.sandbox.accepted() == count).then_some(()));
    }
}

fn a_temporary_refusal_is_tried_again_with_the_same_id(world: &World) {
    let script =
        "[[rules]]\naction = \"defer\"\nmatch = \"ada@example.com\"\ntimes = 1\ncode = 451\ntext = \"greylisted\"\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let id = send(&key, &ada, "Hello.");
    assert_eq!(ended(&key, &id)["status"], "sent");
    assert_eq!(outside.to("ada@example.com").len(), 1);
    assert!(outside.sandbox.duplicates().is_empty());
}

fn an_unknown_recipient_fails_and_gets_no_more_mail(world: &World) {
    let script =
        "[[rules]]\naction = \"reject\"\nmatch = \"gone@example.com\"\ncode = 550\ntext = \"5.1.1 no such user\"\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let (gone, ada) = (contact(&key, "Gone", "gone@example.com"), contact(&key, "Ada", "ada@example.com"));
    let message = ended(&key, &send(&key, &gone, "Hello."));
    assert_eq!(message["status"], "failed");
    assert!(text(&message["error"]).contains("no such user"), "{message}");
    assert_eq!(key.get(&format!("/contacts/{gone}")).ok()["global_status"], "new", "the contact was not contacted");
    let suppressed = key.get("/suppressions").page().rows;
    assert_eq!((&suppressed[0]["address"], &suppressed[0]["reason"]), (&json!("gone@example.com"), &json!("bounced")));
    let body = json!({"contact_id": gone, "channel": "email", "content": "Again."});
    key.post("/messages", body).invalid("contact_id").says("is suppressed");
    // The account is not affected, and other recipients get their mail.
    assert_eq!(key.get(&format!("/connected-accounts/{account}")).ok()["status"], "connected");
    assert_eq!(ended(&key, &send(&key, &ada, "Hello."))["status"], "sent");
}

const LOST: &str =
    "sent_copies = false\n[[rules]]\naction = \"disconnect\"\nat = \"answer\"\nmatch = \"ada@example.com\"\n";

fn a_message_with_an_unknown_outcome_is_never_sent_again(world: &World) {
    let (outside, key) = (Outside::new(LOST), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let message = ended(&key, &send(&key, &ada, "Hello."));
    assert_eq!(message["status"], "failed");
    assert!(text(&message["error"]).starts_with("outcome_unknown: "), "{message}");
    world.restart();
    let bob = contact(&key, "Bob", "bob@example.com");
    assert_eq!(ended(&key, &send(&key, &bob, "Hello."))["status"], "sent");
    assert_eq!(outside.to("ada@example.com").len(), 1, "the mail was sent once only");
    let types = key.get("/events?types=message").page().column("type");
    assert!(types.iter().any(|kind| kind == "message.outcome_unknown"), "{types:?}");
}

fn a_lost_answer_is_found_in_the_sent_folder(world: &World) {
    let script = LOST.replace("sent_copies = false", "sent_copies = true");
    let (outside, key) = (Outside::new(&script), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let id = send(&key, &ada, "Hello.");
    let path = format!("/messages/{id}");
    let message = eventually("the mail, found", PATIENCE, || {
        Some(key.get(&path).ok()).filter(|message| message["status"] == "sent")
    });
    assert_eq!(message["error"], json!(null));
    assert_eq!(outside.to("ada@example.com").len(), 1);
    assert_eq!(key.get(&format!("/contacts/{ada}")).ok()["global_status"], "contacted");
}

fn a_mail_of_a_killed_server_is_found_in_the_sent_folder_after_the_restart(world: &World) {
    let script = "sent_copies = true\n[[rules]]\naction = \"time_out\"\nat = \"answer\"\nmatch = \"ada@example.com\"\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    // Another node of a shared database may still be sending. The only one of an embedded database knows that it is not,
    // and does not wait for the 120 s that a message may take.
    let start = if world.database_is_shared() { "exec \"$@\" --send-seconds 3" } else { "exec \"$@\"" };
    world.stop();
    world.start_by(start);
    let id = send(&key, &ada, "Hello.");
    eventually("the mail", PATIENCE, || (outside.to("ada@example.com").len() == 1).then_some(()));
    world.kill9();
    outside.play("sent_copies = true\n");
    world.start_by(start);
    let message = eventually("the mail, found", PATIENCE, || {
        Some(key.get(&format!("/messages/{id}")).ok()).filter(|message| message["status"] == "sent")
    });
    assert_eq!(message["error"], json!(null));
    assert_eq!(outside.to("ada@example.com").len(), 1);
}

fn a_kill_between_the_two_transactions_sends_nothing_twice(world: &World) {
    // The server accepts the mail and delays its answer.
    let script =
        "sent_copies = false\n[[rules]]\naction = \"time_out\"\nat = \"answer\"\nmatch = \"ada@example.com\"\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let (ada, bob) = (contact(&key, "Ada", "ada@example.com"), contact(&key, "Bob", "bob@example.com"));
    world.stop();
    world.start_by("exec \"$@\" --send-seconds 3");
    let id = send(&key, &ada, "Hello.");
    eventually("the mail", PATIENCE, || (outside.to("ada@example.com").len() == 1).then_some(()));
    world.kill9();
    outside.play("");
    world.start_by("exec \"$@\" --send-seconds 3");
    let message = eventually("what is known of it", PATIENCE, || {
        Some(key.get(&format!("/messages/{id}")).ok()).filter(|message| message["error"].is_string())
    });
    assert!(text(&message["error"]).starts_with("outcome_unknown: "), "{message}");
    assert_eq!(ended(&key, &send(&key, &bob, "Hello."))["status"], "sent", "other messages are sent");
    assert_eq!(outside.to("ada@example.com").len(), 1);
    assert!(outside.sandbox.duplicates().is_empty());
}

fn a_server_that_hangs_while_sending_is_retried(world: &World) {
    let script = "[[rules]]\naction = \"time_out\"\nat = \"data\"\nmatch = \"ada@example.com\"\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    world.stop();
    world.start_by("exec \"$@\" --send-seconds 2");
    let id = send(&key, &ada, "Hello.");
    let shown = || key.get(&format!("/connected-accounts/{account}")).ok();
    let reason = eventually("the account's error", PATIENCE, || shown()["status_reason"].as_str().map(str::to_owned));
    assert!(reason.contains("took too long"), "{reason}");
    assert_eq!(key.get(&format!("/messages/{id}")).ok()["status"], "queued");
    outside.play("");
    assert_eq!(ended(&key, &id)["status"], "sent");
    assert_eq!(outside.to("ada@example.com").len(), 1);
}

fn a_provider_is_asked_whether_it_accepted_a_message(world: &World) {
    let script = "[[rules]]\naction = \"disconnect\"\nat = \"answer\"\nchannel = \"chat\"\ntimes = 1\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    outside.provider(world, "chat");
    let ada = text(&key.post("/contacts", json!({"first_name": "Ada", "phone": "+44 20 7946 0001"})).created()["id"]);
    let body = json!({"contact_id": ada, "channel": "chat", "content": "Hello."});
    let id = text(&key.post("/messages", body).created()["id"]);
    assert_eq!(ended(&key, &id)["status"], "sent");
    assert_eq!(outside.sandbox.sends().len(), 1);
}

fn queued_messages_follow_later_decisions(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    world.stop();
    world.start_by("exec \"$@\" --no-runner");
    let person = |name: &str| contact(&key, name, &format!("{name}@example.com"));
    let (ada, bob, cyd, dan) = (person("ada"), person("bob"), person("cyd"), person("dan"));
    let queued: Vec<String> = [&ada, &bob, &cyd].iter().map(|it| send(&key, it, "Hello.")).collect();
    key.put(&format!("/contacts/{ada}"), json!({"do_not_contact": true})).ok();
    key.delete(&format!("/contacts/{bob}")).ok();
    key.post("/contacts/merge", json!({"into": dan, "from": [cyd]})).ok();
    world.restart();
    let reasons = ["the contact must not be contacted (do_not_contact)", "the contact is archived"];
    for (id, reason) in queued.iter().zip(reasons) {
        let message = ended(&key, id);
        assert_eq!((&message["status"], &message["error"]), (&json!("failed"), &json!(reason)));
    }
    assert_eq!(ended(&key, &queued[2])["status"], "sent", "a merged contact still gets the message");
    let to: Vec<String> = outside.sandbox.received().into_iter().flat_map(|mail| mail.to).collect();
    assert_eq!(to, ["cyd@example.com"]);
    assert!(key.get(&format!("/contacts/{dan}")).ok()["last_contacted_at"].is_string());
    // Messages that wait for a removed account fail with that reason.
    world.stop();
    world.start_by("exec \"$@\" --no-runner");
    let waiting = send(&key, &dan, "Hello.");
    world.cli(["accounts", "remove", &account]).ok();
    let message = ended(&key, &waiting);
    assert_eq!((&message["status"], &message["error"]), (&json!("failed"), &json!("the account was removed")));
}

fn caps_and_gaps_hold(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let capped = outside.mailbox(world, "capped@example.com", &["--daily-limit", "3"]);
    let slow = outside.mailbox(world, "slow@example.com", &["--min-gap-minutes", "60"]);
    let young = outside.mailbox(world, "young@example.com", &["--daily-limit", "50", "--ramp-up", "2"]);
    let ada = contact(&key, "Ada", "ada@example.com");
    for account in [&capped, &slow, &young] {
        for _ in 0..6 {
            let body = json!({"contact_id": ada, "channel": "email", "content": "Hi", "account_id": account});
            key.post("/messages", body).created();
        }
    }
    let from = |address: &str| outside.to("ada@example.com").iter().filter(|mail| mail.from == address).count();
    eventually("what the caps allow", PATIENCE, || (outside.sandbox.accepted() == 6).then_some(()));
    // No more are sent, even after a restart checks all of them again.
    world.restart();
    let bob = contact(&key, "Bob", "bob@example.com");
    outside.mailbox(world, "free@example.com", &[]);
    let free = key.list("/connected-accounts", &[("sort", "-created_at"), ("limit", "1")]).page().ids();
    let body = json!({"contact_id": bob, "channel": "email", "content": "Hi", "account_id": free[0]});
    let id = text(&key.post("/messages", body).created()["id"]);
    assert_eq!(ended(&key, &id)["status"], "sent", "there is a cap although none is set");
    assert_eq!((from("capped@example.com"), from("slow@example.com"), from("young@example.com")), (3, 1, 2));
}

fn a_stop_finishes_messages_in_flight(world: &World) {
    let script = "[[rules]]\naction = \"delay\"\nat = \"answer\"\nafter = 1.0\nmatch = \"ada@example.com\"\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let id = send(&key, &ada, "Hello.");
    eventually("the mail", PATIENCE, || (outside.to("ada@example.com").len() == 1).then_some(()));
    world.restart();
    assert_eq!(key.get(&format!("/messages/{id}")).ok()["status"], "sent");
}

fn two_nodes_share_the_work_and_send_nothing_twice(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let Some(_second) = world.another_node() else { return };
    outside.mailbox(world, "ann@example.com", &[]);
    let people: Vec<String> = (0..60).map(|n| contact(&key, "Ada", &format!("ada{n}@example.com"))).collect();
    at_once(4, |thread| {
        for person in people.iter().skip(thread).step_by(4) {
            send(&key, person, "Hello.");
        }
    });
    eventually("all mails", PATIENCE, || (outside.sandbox.accepted() >= 60).then_some(()));
    eventually("all outcomes", PATIENCE, || {
        let waiting = world.count("SELECT CAST(count(*) AS text) FROM sends WHERE state <> 'filing'");
        (waiting == 0).then_some(())
    });
    assert_eq!(outside.sandbox.accepted(), 60);
    assert!(outside.sandbox.duplicates().is_empty());
}

fn kills_lose_nothing_and_send_nothing_twice(world: &World) {
    let (outside, key) = (Outside::new("sent_copies = false\n"), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let count = share(60, 600);
    world.stop();
    world.start_by("exec \"$@\" --no-runner");
    let people: Vec<String> = (0..count).map(|n| contact(&key, "Ada", &format!("ada{n}@example.com"))).collect();
    let sent: Vec<String> = people.iter().map(|person| send(&key, person, "Hello.")).collect();
    world.stop();
    let (mut dice, mut lives) = (Dice::new(seed()), Lives::new());
    let queued = || world.count("SELECT CAST(count(*) AS text) FROM sends WHERE state = 'queued'");
    while let left @ 1.. = queued() {
        world.start_by("exec \"$@\" --send-seconds 2");
        lives.live(left, Duration::from_millis(30 + dice.below(150) as u64));
        world.kill9();
    }
    world.start_by("exec \"$@\" --send-seconds 2");
    let mut unknown = 0;
    for id in sent {
        let message = ended(&key, &id);
        match message["status"].as_str() {
            Some("sent") => {}
            _ => {
                assert!(text(&message["error"]).starts_with("outcome_unknown: "), "{message}");
                unknown += 1;
            }
        }
    }
    let arrived = outside.sandbox.accepted();
    assert!(outside.sandbox.duplicates().is_empty(), "twice: {:?}", outside.sandbox.duplicates());
    assert!(arrived <= count && arrived + unknown >= count, "{arrived} arrived and {unknown} are unknown, of {count}");
}

fn queued_messages_of_a_backup_are_not_sent_automatically(world: &World) {
    if world.database_is_shared() {
        return;
    }
    let (outside, key) = (Outside::new("sent_copies = false\n"), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    world.stop();
    world.start_by("exec \"$@\" --no-runner");
    let id = send(&key, &ada, "Hello.");
    let backup = world.file("backup").display().to_string();
    world.cli(["backup", &backup]).ok();
    world.restart();
    assert_eq!(ended(&key, &id)["status"], "sent");
    world.stop();
    world.cli(["restore", &backup]).ok();
    world.start();
    let message = ended(&key, &id);
    assert!(text(&message["error"]).starts_with("outcome_unknown: "), "{message}");
    assert_eq!(outside.to("ada@example.com").len(), 1);
}
