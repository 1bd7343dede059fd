//! What real mail servers do: limits on the sender, refusals of one mail, replies that arrive while the server is down,
//! mailboxes with a history, domains with other letters than ASCII.

use serde_json::{Value, json};

use crate::outreach::{becomes, enrolled, is_planned_for_later, mails, started};
use crate::sequences::path;
use crate::support::fake_imap::{FakeImap, Mail};
use crate::support::outside::contact;
use crate::support::*;

stories![
    a_limit_on_the_sender_fails_no_contact,
    a_single_throttled_mail_is_no_error_of_the_account,
    one_refused_mail_is_offered_three_times_and_holds_up_nobody,
    one_recipient_that_is_refused_like_the_account_holds_up_nobody,
    an_absence_takes_back_a_message_that_waits,
    a_mailbox_that_refuses_to_be_read_holds_follow_ups,
    a_domain_is_suppressed_in_every_spelling,
    failed_enrollments_are_retried,
    a_retried_enrollment_follows_the_corrected_steps,
    enrollments_move_to_the_present_steps,
    a_mailbox_is_connected_once,
    mail_of_a_list_and_notices_of_a_delay_end_nothing,
    a_follow_up_waits_until_the_mailbox_was_read,
    old_mails_end_no_enrollment,
    a_domain_with_other_letters_gets_mail,
    a_reply_that_asks_to_be_removed_suppresses_its_sender,
];

fn step(subject: &str) -> Value {
    json!({"type": "email", "subject": subject, "body": "Hello."})
}

fn account_of(key: &Client, id: &str) -> Value {
    key.get(&format!("/connected-accounts/{id}")).ok()
}

/// Lets every wait of accounts and messages end now.
fn skip_waits(world: &World) {
    world.change("UPDATE account_states SET free_at = 0");
    world.change("UPDATE sends SET due_at = 0 WHERE state = 'queued'");
}

fn a_limit_on_the_sender_fails_no_contact(world: &World) {
    let full = "[[rules]]\naction = \"reject\"\nmatch = \"*\"\ncode = 550\ntext = \"5.4.5 Daily user sending limit exceeded\"\n";
    let (outside, key) = (Outside::new(full), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, json!([step("Hi")]), json!({}));
    let people = ["ada", "bob", "eve"].map(|name| contact(&key, name, &format!("{name}@example.com")));
    let enrollments = people.map(|person| enrolled(&key, &made, &person));
    let failures = || world.count("SELECT CAST(max(failures) AS text) FROM account_states");
    // Signing in works all the time, which must not start the waits again.
    for times in 1..=12 {
        eventually("another refusal", PATIENCE, || (failures() >= times).then_some(()));
        skip_waits(world);
    }
    eventually("the error", PATIENCE, || (account_of(&key, &account)["status"] == "error").then_some(()));
    for enrollment in &enrollments {
        let seen = key.get(enrollment).ok();
        assert_eq!(seen["status"], "active", "{seen}");
        assert!(text(&seen["reason"]).starts_with("blocked: "), "{seen}");
    }
    // No explanation names a time that has passed.
    skip_waits(world);
    world.change("UPDATE enrollments SET next_step_at = 1000");
    for enrollment in &enrollments {
        let explained = key.get(&format!("{enrollment}/explain")).ok();
        let at = explained["next_step_at"].as_str().map(|at| at.parse::<jiff::Timestamp>().expect("a time"));
        assert!(at.is_none_or(|at| at.as_second() > 1_700_000_000), "{explained}");
        let summary = text(&explained["summary"]);
        assert!(at.is_some() || summary.contains("due now") && summary.contains("waits: "), "{explained}");
    }
    // An account that only somebody can release names no time at all.
    let never = now().as_millisecond() + 100 * 365 * 24 * 60 * 60 * 1000_i64;
    world.change("UPDATE connected_accounts SET status = 'error', status_reason = 'too many mails bounce'");
    world.change(&format!("UPDATE account_states SET free_at = {never}, failures = 12"));
    let explained = key.get(&format!("{}/explain", enrollments[0])).ok();
    assert_eq!(explained["next_step_at"], json!(null), "{explained}");
    assert!(text(&explained["blocked"]).contains("too many mails bounce"), "{explained}");
    skip_waits(world);
    outside.play("");
    eventually("their mails", PATIENCE, || {
        skip_waits(world);
        (key.get(&path(&made)).ok()["enrollments"]["finished"] == 3).then_some(())
    });
    assert_eq!(account_of(&key, &account)["status"], "connected");
    assert_eq!(failures(), 0, "a sent mail ends the waits");
    assert_eq!(key.get("/suppressions").page().total(), 0);
}

fn a_single_throttled_mail_is_no_error_of_the_account(world: &World) {
    let busy = "[[rules]]\naction = \"defer\"\nmatch = \"ada@example.com\"\ntimes = 1\ncode = 421\ntext = \"4.7.0 try again later\"\n";
    let (outside, key) = (Outside::new(busy), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, json!([step("Hi")]), json!({}));
    let enrollment = enrolled(&key, &made, &contact(&key, "Ada", "ada@example.com"));
    becomes(&key, &enrollment, "finished");
    assert_eq!(outside.to("ada@example.com").len(), 1);
    let changes = key.list("/events", &[("types", "connected_account"), ("limit", "100")]).page().rows;
    let later = || changes.iter().filter(|event| event["type"] != "connected_account.created");
    assert!(later().all(|event| event["changes"].get("status").is_none()), "{changes:?}");
    assert_eq!(account_of(&key, &account)["status"], "connected");
}

fn one_refused_mail_is_offered_three_times_and_holds_up_nobody(world: &World) {
    let spam = "[[rules]]\naction = \"reject\"\nsubject = \"Spam*\"\ncode = 554\ntext = \"5.7.1 rejected as spam\"\n";
    let (outside, key) = (Outside::new(spam), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let bad = started(&key, json!([step("Spam for you")]), json!({}));
    let good = started(&key, json!([step("Hi")]), json!({}));
    let refused = enrolled(&key, &bad, &contact(&key, "Ada", "ada@example.com"));
    let attempts = || world.count("SELECT CAST(coalesce(max(attempts), 0) AS text) FROM sends WHERE state = 'queued'");
    eventually("the first refusal", PATIENCE, || (attempts() == 1).then_some(()));
    becomes(&key, &enrolled(&key, &good, &contact(&key, "Bob", "bob@example.com")), "finished");
    assert_eq!(account_of(&key, &account)["status"], "connected");
    let waiting = key.get(&refused).ok();
    assert!(text(&waiting["reason"]).contains("rejected as spam"), "{waiting}");
    skip_waits(world);
    eventually("the second refusal", PATIENCE, || (attempts() == 2).then_some(()));
    skip_waits(world);
    let failed = becomes(&key, &refused, "failed");
    assert!(text(&failed["reason"]).contains("rejected as spam"), "{failed}");
    assert_eq!(key.get("/suppressions").page().total(), 0, "the address is good");
}

fn one_recipient_that_is_refused_like_the_account_holds_up_nobody(world: &World) {
    let script =
        "[[rules]]\naction = \"reject\"\nmatch = \"ada@example.com\"\ncode = 550\ntext = \"5.7.1 Relaying denied\"\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, json!([step("Hi")]), json!({}));
    let refused = enrolled(&key, &made, &contact(&key, "Ada", "ada@example.com"));
    let mut sent = 0;
    let failed = eventually("the end of the refused one", PATIENCE, || {
        skip_waits(world);
        // Others are sent all the time, so the account is not at fault.
        sent += 1;
        let person = contact(&key, "Bob", &format!("bob{sent}@example.com"));
        let body = json!({"contact_id": person, "channel": "email", "subject": "Hi", "content": "Hello."});
        let message = format!("/messages/{}", text(&key.post("/messages", body).created()["id"]));
        eventually("the mail of another", PATIENCE, || {
            skip_waits(world);
            (key.get(&message).ok()["status"] == "sent").then_some(())
        });
        Some(key.get(&refused).ok()).filter(|seen| seen["status"] == "failed")
    });
    assert!(text(&failed["reason"]).contains("refused the sign-in or the account"), "{failed}");
    eventually("the account", PATIENCE, || {
        skip_waits(world);
        (account_of(&key, &account)["status"] == "connected").then_some(())
    });
}

fn an_absence_takes_back_a_message_that_waits(world: &World) {
    let full = "[[rules]]\naction = \"reject\"\nmatch = \"*\"\ncode = 550\ntext = \"5.4.5 Daily user sending limit exceeded\"\n";
    let (outside, key) = (Outside::new(full), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, json!([step("Hi")]), json!({}));
    let enrollment = enrolled(&key, &made, &contact(&key, "Ada", "ada@example.com"));
    eventually("a refusal", PATIENCE, || {
        (world.count("SELECT CAST(max(failures) AS text) FROM account_states") > 0).then_some(())
    });
    let away = "From: ada@example.com\nTo: ann@example.com\nSubject: Out of office\nMessage-ID: <away@example.com>\nAuto-Submitted: auto-replied\n\nI am away until 2030-01-07.\n";
    outside.deliver("ann@example.com", away);
    eventually("the absence", PATIENCE, || (account_of(&key, &account)["mails_stored"] == 1).then_some(()));
    let paused = becomes(&key, &enrollment, "paused");
    assert!(text(&paused["reason"]).starts_with("out_of_office"), "{paused}");
    outside.play("");
    skip_waits(world);
    eventually("the account", PATIENCE, || (account_of(&key, &account)["status"] == "connected").then_some(()));
    assert_eq!(key.get(&enrollment).ok()["status"], "paused");
    assert!(outside.to("ada@example.com").is_empty(), "the contact is away");
}

fn a_mailbox_that_refuses_to_be_read_holds_follow_ups(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let by = |account: &str, mut steps: Value| {
        let emails = steps.as_array_mut().expect("steps").iter_mut().filter(|step| step["type"] == "email");
        emails.for_each(|step| step["sender_ids"] = json!([account]));
        steps
    };
    let steps = json!([step("Hi"), {"type": "task", "name": "Call"}, {"type": "email", "body": "Again."}]);
    for (name, refuses) in [("ann", "UID SEARCH"), ("eva", "UID FETCH")] {
        let (own, other) = (format!("{name}@example.com"), format!("{name}@example.net"));
        let mailbox = FakeImap::new();
        let add = ["accounts", "add", "--provider", "email", "--name", "Sender", "--address", &own];
        let account = world.run(&[&add[..], &["--smtp", &outside.smtp(&own), "--imap", &mailbox.url("none")]].concat());
        let account = account.ok().to_owned();
        let made = started(&key, by(&account, steps.clone()), json!({}));
        let enrollment = enrolled(&key, &made, &contact(&key, name, &other));
        let task = eventually("the task", PATIENCE, || {
            let tasks = key.list("/tasks", &[("status", "todo")]).page().ids();
            tasks.first().cloned()
        });
        let reply = format!(
            "From: {other}\r\nTo: {own}\r\nSubject: Re: Hi\r\nMessage-ID: <{name}@reply.example.net>\r\nIn-Reply-To: {}\r\n\r\nNo, thanks.\r\n",
            message_id(&outside, &other)
        );
        let before = mailbox.asked(refuses);
        mailbox.with(|state| {
            state.refuses = Some(refuses);
            state.mails.insert(1, Mail::Delivered(reply));
            state.always_news = true;
        });
        eventually("a refusal", PATIENCE, || (mailbox.asked(refuses) > before).then_some(()));
        key.put(&format!("/tasks/{task}"), json!({"status": "done"})).ok();
        // When a message of another account has been sent, the follow-up would have been sent, too.
        let friend = contact(&key, "Friend", &format!("friend.{name}@example.net"));
        let another = outside.mailbox(world, &format!("other.{name}@example.com"), &[]);
        let plain = started(&key, by(&another, json!([step("Other")])), json!({}));
        becomes(&key, &enrolled(&key, &plain, &friend), "finished");
        assert_eq!(outside.to(&other).len(), 1, "{refuses}: a follow-up to somebody who had replied");
        // A test shows that the account can sign in, not that its mails were read.
        world.cli(["accounts", "test", &account]).ok();
        let second = contact(&key, "Second", &format!("second.{name}@example.net"));
        becomes(&key, &enrolled(&key, &plain, &second), "finished");
        assert_eq!(outside.to(&other).len(), 1, "{refuses}: a follow-up after a test of the account");
        mailbox.with(|state| state.refuses = None);
        world.cli(["accounts", "test", &account]).ok();
        becomes(&key, &enrollment, "replied");
        assert_eq!(outside.to(&other).len(), 1);
    }
}

/// The Message-ID of the first mail to an address.
fn message_id(outside: &Outside, address: &str) -> String {
    let mail = mails(outside, address, 1).remove(0);
    mail.lines().find_map(|line| line.strip_prefix("Message-ID: ")).expect("a Message-ID").to_owned()
}

fn a_domain_is_suppressed_in_every_spelling(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let send = |address: &str| {
        let person = contact(&key, "Jo", address);
        key.post("/messages", json!({"contact_id": person, "channel": "email", "subject": "Hi", "content": "Hello."}))
    };
    for (suppressed, address) in [
        (json!({"address": "u@xn--bcher-kva.example"}), "u@bücher.example"),
        (json!({"address": "u@zürich.example"}), "u@xn--zrich-kva.example"),
        (json!({"domain": "müller.example"}), "u@xn--mller-kva.example"),
        (json!({"address": "a@wide.example"}), "a@ｗide.example"),
    ] {
        key.post("/suppressions", suppressed).created();
        send(address).invalid("contact_id").says("suppressed");
    }
    assert_eq!(key.list("/contacts", &[("email", "u@xn--bcher-kva.example")]).page().total(), 1);
}

fn failed_enrollments_are_retried(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let steps = json!([{"type": "email", "subject": "Hi", "body": "Your work as {{ title }}."}]);
    let made = started(&key, steps, json!({}));
    let people: Vec<String> =
        ["ada", "bob", "eve", "joe"].iter().map(|name| contact(&key, name, &format!("{name}@example.com"))).collect();
    let enrollments: Vec<String> = people.iter().map(|person| enrolled(&key, &made, person)).collect();
    for enrollment in &enrollments {
        becomes(&key, enrollment, "failed");
    }
    assert_eq!(key.get(&path(&made)).ok()["enrollments"]["failed"], 4);
    let retry = |enrollment: &str| key.post(&format!("{enrollment}/retry"), json!({}));
    for person in &people {
        key.patch(&format!("/contacts/{person}"), json!({"title": "a weaver"})).ok();
    }
    let again = retry(&enrollments[0]).ok();
    assert_eq!(
        (&again["status"], &again["reason"], &again["finished_at"]),
        (&json!("active"), &json!(null), &json!(null))
    );
    becomes(&key, &enrollments[0], "finished");
    retry(&enrollments[0]).invalid("status").says("is finished; only a failed enrollment can be retried");
    let failures = |times: i64| {
        assert_eq!(key.get(&format!("{}/stats", path(&made))).ok()[0]["failed"], times);
    };
    failures(3);
    // Somebody who is active elsewhere stays out, as with enrolling.
    let other = started(&key, json!([{"type": "task", "name": "Call"}]), json!({}));
    enrolled(&key, &other, &people[1]);
    retry(&enrollments[1]).invalid("status").says("is active in the sequence");
    key.post(&format!("{}/unenroll", path(&other)), json!({"contact_ids": [people[1]]})).ok();
    // Many at once: those who are named, then all others. Nobody who must not be written to.
    key.patch(&format!("/contacts/{}", people[2]), json!({"do_not_contact": true})).ok();
    let many = format!("{}/retry", path(&made));
    let named = key.post(&many, json!({"contact_ids": [people[1], people[1], people[2]]})).ok();
    assert_eq!((&named["retried"], &named["remaining"]), (&json!(1), &json!(2)), "{named}");
    assert_eq!(named["refused"][0]["contact_id"], json!(people[2]));
    let rest = key.post(&many, json!({})).ok();
    assert_eq!((&rest["retried"], &rest["remaining"]), (&json!(1), &json!(1)), "{rest}");
    for at in [1, 3] {
        becomes(&key, &enrollments[at], "finished");
    }
    assert_eq!(key.get(&enrollments[2]).ok()["status"], "failed");
    assert_eq!(mails(&outside, "bob@example.com", 1).len(), 1);
    key.post(&many, json!({"contact_ids": []})).invalid("contact_ids");
    let of_status =
        |status: &str| key.list(&format!("{}/enrollments", path(&made)), &[("status", status)]).page().total();
    assert_eq!((of_status("finished"), of_status("failed")), (3, 1));
    assert_eq!(key.get(&path(&made)).ok()["enrollments"]["failed"], 1);
    key.delete(&path(&made)).ok();
    retry(&enrollments[2]).invalid("status");
}

fn a_retried_enrollment_follows_the_corrected_steps(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let steps = json!([step("First"), {"type": "email", "subject": "Hi", "body": "Your work as {{ title }}."}]);
    let made = started(&key, steps, json!({}));
    let people = ["ada", "bob"].map(|name| contact(&key, name, &format!("{name}@example.com")));
    let enrollments = people.map(|person| enrolled(&key, &made, &person));
    for enrollment in &enrollments {
        becomes(&key, enrollment, "failed");
    }
    let sequence = path(&made);
    let correct = |body: &str| {
        key.post(&format!("{sequence}/pause"), json!({})).ok();
        let mut steps = key.get(&sequence).ok()["steps"].clone();
        steps[1]["body"] = json!(body);
        key.patch(&sequence, json!({"steps": steps})).ok();
        key.post(&format!("{sequence}/start"), json!({})).ok();
    };
    correct("Your work.");
    assert_eq!(key.post(&format!("{}/retry", enrollments[0]), json!({})).ok()["sequence_version"], 2);
    becomes(&key, &enrollments[0], "finished");
    assert!(mails(&outside, "ada@example.com", 2).iter().any(|mail| mail.contains("Your work.")));
    // The first step is replaced. Who had it goes on with the steps of before.
    key.post(&format!("{sequence}/pause"), json!({})).ok();
    key.patch(&sequence, json!({"steps": [step("Another"), step("Last")]})).ok();
    key.post(&format!("{sequence}/start"), json!({})).ok();
    key.post(&format!("{sequence}/retry"), json!({})).ok();
    becomes(&key, &enrollments[1], "failed");
    assert_eq!(key.get(&enrollments[1]).ok()["sequence_version"], 1);
}

fn enrollments_move_to_the_present_steps(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, json!([step("Hi"), {"type": "email", "body": "Old.", "delay_days": 1}]), json!({}));
    let (ada, bob) = (contact(&key, "Ada", "ada@example.com"), contact(&key, "Bob", "bob@example.com"));
    let (first, paused) = (enrolled(&key, &made, &ada), enrolled(&key, &made, &bob));
    for address in ["ada@example.com", "bob@example.com"] {
        mails(&outside, address, 1);
    }
    eventually("the second steps", PATIENCE, || {
        [&first, &paused].iter().all(|path| is_planned_for_later(&key, path)).then_some(())
    });
    key.post(&format!("{paused}/pause"), json!({})).ok();
    assert_eq!(key.get(&first).ok()["sequence_version"], 1);
    // The second step is corrected, and due at once.
    let sequence = path(&made);
    key.post(&format!("{sequence}/pause"), json!({})).ok();
    let mut steps = key.get(&sequence).ok()["steps"].clone();
    steps[1]["body"] = json!("New.");
    steps[1]["delay_days"] = json!(0);
    assert_eq!(key.patch(&sequence, json!({"steps": steps})).ok()["version"], 2);
    key.post(&format!("{sequence}/start"), json!({})).ok();
    let upgrade = |body: Value| key.post(&format!("{sequence}/enrollments/upgrade"), body).ok();
    let tried = upgrade(json!({"dry_run": true}));
    assert_eq!((&tried["upgraded"], &tried["remaining"], &tried["dry_run"]), (&json!(2), &json!(2), &json!(true)));
    assert_eq!(key.get(&first).ok()["sequence_version"], 1);
    // In a paused sequence, too, the enrollment shows the step whose turn it is.
    key.post(&format!("{sequence}/pause"), json!({})).ok();
    let one = upgrade(json!({"contact_ids": [ada]}));
    let shown = key.get(&first).ok();
    assert_eq!((&shown["current_step_id"], &shown["sequence_version"]), (&steps[1]["id"], &json!(2)), "{shown}");
    key.post(&format!("{sequence}/start"), json!({})).ok();
    assert_eq!((&one["upgraded"], &one["remaining"], &one["version"]), (&json!(1), &json!(1), &json!(2)), "{one}");
    becomes(&key, &first, "finished");
    let sent = mails(&outside, "ada@example.com", 2);
    assert!(sent[1].contains("New."), "{}", sent[1]);
    let rest = upgrade(json!({}));
    assert_eq!((&rest["upgraded"], &rest["remaining"]), (&json!(1), &json!(0)), "{rest}");
    let still = key.get(&paused).ok();
    assert_eq!((&still["status"], &still["sequence_version"]), (&json!("paused"), &json!(2)));
    assert_eq!(still["current_step_id"], steps[1]["id"]);
    key.post(&format!("{paused}/resume"), json!({})).ok();
    becomes(&key, &paused, "finished");
    assert!(mails(&outside, "bob@example.com", 2)[1].contains("New."));
    let nobody = upgrade(json!({"contact_ids": [ada]}));
    assert_eq!((&nobody["upgraded"], &nobody["refused"][0]["contact_id"]), (&json!(0), &json!(ada)), "{nobody}");
}

fn a_mailbox_is_connected_once(world: &World) {
    let outside = Outside::new("");
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let (smtp, imap) = (outside.smtp("ann@example.com"), outside.imap("ann@example.com"));
    let again = ["accounts", "add", "--provider", "email", "--name", "Again", "--address", "Ann@Example.com"];
    let refused = world.run(&[&again[..], &["--smtp", &smtp, "--imap", &imap]].concat());
    assert!(refused.refused().contains("is connected already, as the account Ann Sender"), "{refused}");
    world.cli(["accounts", "remove", &account]).ok();
    world.run(&[&again[..], &["--smtp", &smtp, "--imap", &imap]].concat()).ok();
}

fn mail_of_a_list_and_notices_of_a_delay_end_nothing(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, json!([step("Hi"), {"type": "email", "body": "Again.", "delay_days": 1}]), json!({}));
    let enrollment = enrolled(&key, &made, &contact(&key, "Ada", "ada@example.com"));
    let id = message_id(&outside, "ada@example.com");
    let list = "From: ada@example.com\nTo: weavers@lists.example.com\nSubject: Looms\nList-Id: <weavers.lists.example.com>\nMessage-ID: <list@example.com>\n\nDear all.\n";
    outside.deliver("ann@example.com", list);
    let delay = format!(
        "From: MAILER-DAEMON@mx.example.net\nTo: ann@example.com\nSubject: Delivery delayed\nMessage-ID: <delay@mx.example.net>\nMIME-Version: 1.0\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\nContent-Type: text/plain\n\nNot yet.\n\
         --b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.net\n\nFinal-Recipient: rfc822; ada@example.com\nAction: delayed\nStatus: 4.4.1\n\n\
         --b\nContent-Type: message/rfc822\n\nMessage-ID: {id}\nTo: ada@example.com\nSubject: Hi\n\nHello.\n--b--\n"
    );
    outside.deliver("ann@example.com", &delay);
    eventually("both mails", PATIENCE, || (account_of(&key, &account)["mails_stored"] == 2).then_some(()));
    assert_eq!(key.get(&enrollment).ok()["status"], "active");
    // The notice is in the conversation with the mail that is late.
    let messages = key.get("/messages").page().rows;
    let sent = messages.iter().find(|message| message["direction"] == "outbound").expect("the mail");
    let notice = messages.iter().find(|message| message["kind"] == "notice").expect("the notice");
    assert_eq!(notice["conversation_id"], sent["conversation_id"], "{notice}");
    // A reply through a list is a reply.
    let reply = list.replace("<list@", "<reply@").replace("Subject", &format!("In-Reply-To: {id}\nSubject"));
    outside.deliver("ann@example.com", &reply);
    becomes(&key, &enrollment, "replied");
}

/// People reply while the server is down, and their next step is due when it starts: 2 times, 50 with `RELATA_LONG=1`.
fn a_follow_up_waits_until_the_mailbox_was_read(world: &World) {
    world.set(&["--rate-limit", "1000000000"]);
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let steps = json!([step("Hi"), {"type": "email", "body": "Again.", "delay_days": 1}]);
    let made = started(&key, steps, json!({}));
    for round in 0..share(2, 50) {
        let names: Vec<String> = (0..8).map(|n| format!("ada{n}.{round}")).collect();
        let enrollments: Vec<String> = names
            .iter()
            .map(|name| enrolled(&key, &made, &contact(&key, name, &format!("{name}@example.com"))))
            .collect();
        for name in &names {
            mails(&outside, &format!("{name}@example.com"), 1);
        }
        eventually("the second steps", PATIENCE, || {
            enrollments.iter().all(|path| is_planned_for_later(&key, path)).then_some(())
        });
        world.kill9();
        for name in &names {
            let reply = format!(
                "From: {name}@example.com\nTo: ann@example.com\nSubject: Re: Hi\nMessage-ID: <{name}@reply.example.com>\n\nNo, thanks.\n"
            );
            outside.deliver("ann@example.com", &reply);
        }
        world.change("UPDATE enrollments SET due_at = 1, next_step_at = 1 WHERE status = 'active'");
        world.change("UPDATE sequence_pace SET wake_at = 1");
        if round > 0 {
            // As if the killed server had stopped reading the mailbox long ago.
            world.change("UPDATE account_states SET sync_until = 0");
        }
        world.start();
        for enrollment in &enrollments {
            becomes(&key, enrollment, "replied");
        }
        for name in &names {
            assert_eq!(outside.to(&format!("{name}@example.com")).len(), 1, "{name} had replied");
        }
    }
}

fn old_mails_end_no_enrollment(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let ada = contact(&key, "Ada", "ada@example.com");
    let old = "From: ada@example.com\nTo: bob@example.com\nSubject: Long ago\nDate: Tue, 5 Mar 2024 10:00:00 +0000\nMessage-ID: <old@example.com>\n\nHello there.\n";
    outside.deliver("bob@example.com", old);
    let delivered = now().as_second();
    outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, json!([step("Hi"), {"type": "email", "body": "Again.", "delay_days": 1}]), json!({}));
    let enrollment = enrolled(&key, &made, &ada);
    mails(&outside, "ada@example.com", 1);
    let status = || key.get(&format!("/contacts/{ada}")).ok()["global_status"].clone();
    eventually("the status", PATIENCE, || (status() == "contacted").then_some(()));
    // IMAP tells whole seconds: the old mail is received in an earlier one.
    eventually("another second", PATIENCE, || (now().as_second() > delivered + 1).then_some(()));
    let second = outside.mailbox(world, "bob@example.com", &[]);
    eventually("the old mail", PATIENCE, || (account_of(&key, &second)["mails_stored"] == 1).then_some(()));
    assert_eq!(key.get(&enrollment).ok()["status"], "active");
    assert_eq!(status(), "contacted");
    let unread = || -> Vec<i64> {
        let all = key.get(&format!("/contacts/{ada}/conversations")).page().rows;
        all.iter().filter_map(|one| one["unread_count"].as_i64()).filter(|unread| *unread > 0).collect()
    };
    assert!(unread().is_empty(), "nobody waits for an answer to it");
    // A new mail without a reference to the first one ends it.
    outside
        .deliver("bob@example.com", &old.replace("Date: Tue, 5 Mar 2024 10:00:00 +0000\n", "").replace("old@", "new@"));
    becomes(&key, &enrollment, "replied");
    assert_eq!(unread(), [1]);
}

fn a_domain_with_other_letters_gets_mail(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    world.cli(["accounts", "set", &account, "--name", "Jürgen Müller"]).ok();
    let jo = contact(&key, "Jo", "jo@münchen.example");
    // A subject that looks encoded is read as it was written.
    let made = started(&key, json!([step("About =?utf-8?Q?this?=")]), json!({}));
    becomes(&key, &enrolled(&key, &made, &jo), "finished");
    let mail = mails(&outside, "jo@xn--mnchen-3ya.example", 1).remove(0);
    assert!(mail.contains("Subject: =?utf-8?B?QWJvdXQgPT91dGYtOD9RP3RoaXM/PQ==?="), "{mail}");
    assert!(mail.contains("From: =?utf-8?B?SsO8cmdlbiBNw7xsbGVy?= <ann@example.com>"), "{mail}");
    assert!(mail.contains("To: Jo <jo@xn--mnchen-3ya.example>"), "{mail}");
}

fn a_reply_that_asks_to_be_removed_suppresses_its_sender(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, json!([step("Hi"), {"type": "email", "body": "Again.", "delay_days": 1}]), json!({}));
    let reply = |name: &str, header: &str, text: &str| {
        let id = message_id(&outside, &format!("{name}@example.com"));
        let mail = format!(
            "From: {name}@example.com\nTo: ann@example.com\nSubject: Re: Hi\nIn-Reply-To: {id}\nMessage-ID: <{name}.reply@example.com>\n{header}\n{text}\n"
        );
        outside.deliver("ann@example.com", &mail);
    };
    let quoted = "\n\nOn Mon, 16 Nov 2026 at 10:00, Ann <ann@example.com> wrote:\n> Hello.";
    let of = |name: &str| {
        let person = contact(&key, name, &format!("{name}@example.com"));
        (enrolled(&key, &made, &person), person)
    };
    let (ada, her) = of("ada");
    reply("ada", "", &format!("Please unsubscribe me.{quoted}"));
    let ended = becomes(&key, &ada, "unsubscribed");
    assert_eq!(ended["next_step_at"], json!(null));
    let suppressed = key.get("/suppressions").page().rows;
    assert_eq!(
        (&suppressed[0]["address"], &suppressed[0]["reason"]),
        (&json!("ada@example.com"), &json!("unsubscribed"))
    );
    let told = key.get(&format!("/contacts/{her}/timeline?types=contact.unsubscribed")).page().rows;
    let message = key.get(&format!("/messages/{}", text(&told[0]["changes"]["message_id"][1]))).ok();
    assert!(text(&message["content"]).starts_with("Please unsubscribe me."), "{told:?}");
    assert_eq!(key.get(&format!("{}/stats", path(&made))).page().rows[0]["unsubscribed"], 1);
    // Others only reply: by what they say, because the mail is a list's, or because the workspace wants it so.
    let (bob, _) = of("bob");
    reply("bob", "", &format!("Please don't unsubscribe me, I like this.{quoted}"));
    becomes(&key, &bob, "replied");
    let (eve, _) = of("eve");
    reply("eve", "List-Id: <weavers.lists.example.com>\n", "unsubscribe");
    becomes(&key, &eve, "replied");
    let (joe, _) = of("joe");
    reply("joe", "Auto-Submitted: auto-replied\n", "Please unsubscribe me.");
    eventually("the automatic answer", PATIENCE, || (account_of(&key, &account)["mails_stored"] == 4).then_some(()));
    assert_eq!(key.get(&joe).ok()["status"], "active");
    world.set(&["--unsubscribe-by-reply", "false"]);
    let (max, _) = of("max");
    reply("max", "", "Bitte abmelden.");
    becomes(&key, &max, "replied");
    assert_eq!(key.get("/suppressions").page().total(), 1);
}
