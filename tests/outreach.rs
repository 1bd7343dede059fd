//! Sequences that send on every channel, to servers that answer, bounce and fail: sent messages, and events that stop
//! them.

use serde_json::{Value, json};

use crate::sequences::{path, sequence};
use crate::support::outside::{contact, lines};
use crate::support::*;

stories![
    a_sequence_sends_its_mails_in_one_thread,
    a_due_step_starts_within_a_second,
    a_reply_ends_it_and_nothing_more_is_sent,
    a_reply_after_the_end_counts_too,
    a_reply_ends_it_for_the_whole_company,
    a_sequence_may_continue_after_a_reply,
    an_out_of_office_mail_delays_the_next_step,
    a_bounce_ends_it,
    one_click_unsubscribes,
    opens_and_clicks_are_tracked_if_enabled,
    an_unknown_outcome_waits_for_a_user,
    an_error_of_the_sender_ends_no_enrollment,
    network_and_chat_steps_are_sent,
    senders_rotate_and_threads_keep_their_sender,
    the_sequences_own_limits_hold,
    an_accounts_cap_holds,
    accounts_must_fit_their_steps,
    a_server_without_workers_sends_nothing,
    an_operator_stops_everything,
    a_restored_backup_sends_nothing_again,
];

fn always() -> Value {
    json!({"days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "start_time": "00:00", "end_time": "24:00", "count": "calendar_days"})
}

/// A started sequence with these steps and more members of its schedule.
#[track_caller]
pub(crate) fn started(key: &Client, steps: Value, more: Value) -> Value {
    let mut config = always();
    config.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
    let made =
        sequence(key, json!({"name": "Outreach", "mode": "advanced", "schedule_config": config, "steps": steps}));
    key.post(&format!("{}/start", path(&made)), json!({})).ok();
    key.get(&path(&made)).ok()
}

/// Enrolls one contact; returns the path of the enrollment.
#[track_caller]
pub(crate) fn enrolled(key: &Client, sequence: &Value, contact: &str) -> String {
    let result = key.post(&format!("{}/enroll", path(sequence)), json!({"contact_ids": [contact]})).ok();
    assert_eq!(result["enrolled"], 1, "{result}");
    format!("/enrollments/{}", text(&result["results"][0]["enrollment_id"]))
}

/// Whether the next step is planned for more than an hour later. A message that waits in the outbox may have a time, too, but
/// an earlier one.
pub(crate) fn is_planned_for_later(key: &Client, enrollment: &str) -> bool {
    let soon = (now() + jiff::SignedDuration::from_hours(1)).to_string();
    key.get(enrollment).ok()["next_step_at"].as_str().is_some_and(|at| at > soon.as_str())
}

/// The enrollment once it has this status.
#[track_caller]
pub(crate) fn becomes(key: &Client, enrollment: &str, status: &str) -> Value {
    let mut last = Value::Null;
    let seen = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        eventually(status, PATIENCE, || {
            last = key.get(enrollment).ok();
            (last["status"] == status).then(|| last.clone())
        })
    }));
    seen.unwrap_or_else(|_| panic!("it does not become {status}: {last}"))
}

#[track_caller]
pub(crate) fn mails(outside: &Outside, address: &str, count: usize) -> Vec<String> {
    eventually("the mails", PATIENCE, || {
        let mails = outside.to(address);
        (mails.len() >= count).then(|| mails.iter().map(lines).collect())
    })
}

fn header<'a>(mail: &'a str, name: &str) -> Option<&'a str> {
    let head = mail.split("\n\n").next().unwrap_or_default();
    head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

/// A header that may continue over several lines.
pub(crate) fn unfolded(mail: &str, name: &str) -> Option<String> {
    let head = mail.split("\n\n").next().unwrap_or_default().replace("\n ", " ").replace("\n\t", " ");
    header(&head, name).map(str::to_owned)
}

/// A locked table is not a failure: due steps run after the lock is released.
#[test]
fn a_long_table_lock_ends_no_enrollment() {
    let cluster = Cluster::new();
    let world = World::at(&cluster.url());
    world.start();
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(&world, "ann@example.com", &[]);
    let made = started(&key, json!([{"type": "email", "subject": "Hello", "body": "Hello"}]), json!({}));
    let ada = contact(&key, "Ada", "ada@example.com");
    // Until two attempts have run into the statement timeout.
    let enrollment = cluster.hold("LOCK TABLE sends IN ACCESS EXCLUSIVE MODE", || {
        let enrollment = enrolled(&key, &made, &ada);
        let tries = || world.log().matches("failed to run a sequence; retrying").count();
        eventually("two attempts", PATIENCE, || (tries() >= 2).then_some(()));
        enrollment
    });
    becomes(&key, &enrollment, "finished");
    assert_eq!(mails(&outside, "ada@example.com", 1).len(), 1);
}

fn rule(action: &str, address: &str, more: &str) -> String {
    format!("[[rules]]\naction = \"{action}\"\nmatch = \"{address}\"\n{more}\n")
}

fn a_sequence_sends_its_mails_in_one_thread(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let steps = json!([
        {"type": "email", "subject": "Hello {{ first_name }}", "body": "Dear {{ first_name }}, yours {{ sender.name }}"},
        {"type": "email", "body": "<p>Once more, {{ first_name }} &amp; co</p>"},
    ]);
    let made = started(&key, steps, json!({}));
    let ada = contact(&key, "Ada", "ada@example.com");
    let enrollment = enrolled(&key, &made, &ada);
    let finished = becomes(&key, &enrollment, "finished");
    assert_eq!(finished["current_step_id"], made["steps"][1]["id"]);
    let mails = mails(&outside, "ada@example.com", 2);
    assert_eq!(mails.len(), 2);
    assert_eq!(header(&mails[0], "Subject"), Some("Hello Ada"));
    assert_eq!(header(&mails[1], "Subject"), Some("Re: Hello Ada"));
    assert!(mails[0].contains("Dear Ada, yours Ann Sender"), "{}", mails[0]);
    let first = header(&mails[0], "Message-ID").expect("a Message-ID");
    assert_eq!(unfolded(&mails[1], "In-Reply-To").as_deref(), Some(first), "{}", mails[1]);
    assert!(mails[1].contains("text/plain") && mails[1].contains("text/html"), "{}", mails[1]);
    for mail in &mails {
        let link = unfolded(mail, "List-Unsubscribe").expect("a link");
        assert!(link.starts_with(&format!("<{}/unsubscribe/", world.origin())), "{link}");
        assert_eq!(unfolded(mail, "List-Unsubscribe-Post").as_deref(), Some("List-Unsubscribe=One-Click"));
    }
    let conversations = key.get(&format!("/contacts/{ada}/conversations")).page();
    assert_eq!(conversations.total(), 1, "each step is a message in a conversation");
    let messages = key.get(&format!("/conversations/{}/messages", conversations.ids()[0])).page().rows;
    assert!(messages.iter().all(|message| message["status"] == "sent"));
    assert!(messages.iter().all(|message| message["author_kind"] == json!(null)), "a sequence wrote them");
    assert_eq!(messages[0]["step_id"], made["steps"][1]["id"]);
    let reached = key.get(&format!("/contacts/{ada}")).ok();
    assert_eq!(reached["global_status"], "contacted");
    let stats = key.get(&format!("{}/stats", path(&made))).page().rows;
    assert!(stats.iter().all(|step| step["sent"] == 1 && step["planned"] == 0), "{stats:?}");
    let types = key.get(&format!("/contacts/{ada}/timeline?types=enrollment")).page().column("type");
    let expected =
        ["finished", "step_sent", "updated", "step_sent", "created"].map(|word| format!("enrollment.{word}"));
    assert_eq!(types, expected);
}

fn a_due_step_starts_within_a_second(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, json!([{"type": "email", "subject": "Hi", "body": "Hello"}]), json!({}));
    for number in 1..4 {
        let someone = contact(&key, "Ada", &format!("ada{number}@example.com"));
        enrolled(&key, &made, &someone);
        within_a_second("the mail", || (outside.sandbox.accepted() == number).then_some(()));
    }
}

fn a_reply_ends_it_and_nothing_more_is_sent(world: &World) {
    let (outside, key) =
        (Outside::new(&rule("reply", "ada@example.com", "text = \"Gladly!\"")), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let steps = json!([
        {"type": "email", "subject": "Hi", "body": "Hello"},
        {"type": "email", "body": "Again", "delay_hours": 1},
    ]);
    let made = started(&key, steps.clone(), json!({}));
    let ada = contact(&key, "Ada", "ada@example.com");
    let enrollment = enrolled(&key, &made, &ada);
    let replied = becomes(&key, &enrollment, "replied");
    assert_eq!((&replied["reason"], &replied["next_step_at"]), (&json!("the contact replied"), &Value::Null));
    let counts = json!({"total": 1, "active": 0, "paused": 0, "finished": 0, "replied": 1, "bounced": 0, "failed": 0});
    assert_eq!(key.get(&path(&made)).ok()["enrollments"], counts);
    let stats = key.get(&format!("{}/stats", path(&made))).page().rows;
    assert_eq!((&stats[0]["replied"], &stats[1]["planned"]), (&json!(1), &json!(0)));
    assert_eq!(key.get(&format!("/contacts/{ada}")).ok()["global_status"], "replied");
    let explained = key.get(&format!("{enrollment}/explain")).ok();
    assert_eq!(explained["blocked"], "it is replied: the contact replied");
    let again = key.post(&format!("{}/enroll", path(&made)), json!({"contact_ids": [ada]})).ok();
    assert_eq!(again["skipped_already_enrolled"], 1, "a contact gets a sequence once only");
}

fn a_reply_after_the_end_counts_too(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, json!([{"type": "email", "subject": "Hi", "body": "Hello"}]), json!({}));
    let ada = contact(&key, "Ada", "ada@example.com");
    let enrollment = enrolled(&key, &made, &ada);
    becomes(&key, &enrollment, "finished");
    let mail = mails(&outside, "ada@example.com", 1).remove(0);
    let about = header(&mail, "Message-ID").expect("a Message-ID");
    outside.deliver("ann@example.com", &format!("From: ada@example.com\nTo: ann@example.com\nSubject: Re: Hi\nMessage-ID: <late@elsewhere.example>\nIn-Reply-To: {about}\n\nLate, but here I am.\n"));
    becomes(&key, &enrollment, "replied");
    let counts = key.get(&path(&made)).ok()["enrollments"].clone();
    assert_eq!((&counts["finished"], &counts["replied"]), (&json!(0), &json!(1)));
}

fn a_reply_ends_it_for_the_whole_company(world: &World) {
    let (outside, key) =
        (Outside::new(&rule("reply", "ada@example.com", "text = \"No, thanks.\"")), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let company = text(&key.post("/companies", json!({"name": "Acme"})).created()["id"]);
    let steps = json!([{"type": "email", "subject": "Hi", "body": "Hello"}, {"type": "email", "body": "Again", "delay_days": 1}]);
    let made = started(&key, steps, json!({"stop_for_company": true}));
    let colleague = contact(&key, "Bob", "bob@example.com");
    let stranger = contact(&key, "Cy", "cy@example.com");
    let ada = contact(&key, "Ada", "ada@example.com");
    for one in [&colleague, &ada] {
        key.put(&format!("/contacts/{one}"), json!({"company_id": company})).ok();
    }
    let [colleague, stranger, ada] = [colleague, stranger, ada].map(|id| enrolled(&key, &made, &id));
    becomes(&key, &ada, "replied");
    assert_eq!(becomes(&key, &colleague, "replied")["reason"], "somebody of the same company replied");
    assert_eq!(key.get(&stranger).ok()["status"], "active");
}

fn a_sequence_may_continue_after_a_reply(world: &World) {
    let (outside, key) =
        (Outside::new(&rule("reply", "ada@example.com", "text = \"Yes!\"\ntimes = 1")), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let branch = |name: &str, kind: &str| json!({"type": "task", "name": name, "parent_step_id": "a", "branch_condition": {"type": kind, "after_days": 2}});
    let steps = json!([{"type": "email", "client_key": "a", "subject": "Hi", "body": "Hello"}, branch("thank", "replied"), branch("insist", "not_replied")]);
    let made = started(&key, steps, json!({"stop_on_reply": false}));
    let (ada, bob) = (contact(&key, "Ada", "ada@example.com"), contact(&key, "Bob", "bob@example.com"));
    let (answered, silent) = (enrolled(&key, &made, &ada), enrolled(&key, &made, &bob));
    let task = eventually("the branch of the reply", PATIENCE, || {
        key.get(&format!("/contacts/{ada}/tasks")).page().rows.into_iter().next()
    });
    assert_eq!(task["title"], "thank");
    assert_eq!(key.get(&answered).ok()["status"], "active");
    mails(&outside, "bob@example.com", 1);
    let waits = eventually("a wait of two days", PATIENCE, || {
        Some(key.get(&silent).ok()).filter(|waits| waits["next_step_at"].is_null())
    });
    assert_eq!(waits["status"], "active");
}

fn an_out_of_office_mail_delays_the_next_step(world: &World) {
    let (outside, key) =
        (Outside::new(&rule("out_of_office", "ada@example.com", "days = 5")), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let steps = json!([{"type": "email", "subject": "Hi", "body": "Hello"}, {"type": "email", "body": "Again", "delay_hours": 1}]);
    let made = started(&key, steps, json!({}));
    let ada = contact(&key, "Ada", "ada@example.com");
    let enrollment = enrolled(&key, &made, &ada);
    let paused = becomes(&key, &enrollment, "paused");
    assert!(text(&paused["reason"]).starts_with("out_of_office: goes on at "), "{paused}");
    assert_eq!(
        key.get(&format!("{}/stats", path(&made))).page().rows[0]["replied"],
        0,
        "an out-of-office mail counted as a reply"
    );
    assert_eq!(key.get(&format!("/contacts/{ada}")).ok()["global_status"], "contacted");
    let active = key.post(&format!("{enrollment}/resume"), json!({})).ok();
    assert_eq!(active["status"], "active", "a user can resume it");
}

fn a_bounce_ends_it(world: &World) {
    let script = rule("bounce", "later@example.com", "hard = true\nlater = true")
        + &rule("reject", "gone@example.com", "code = 550\ntext = \"5.1.1 no such user\"");
    let (outside, key) = (Outside::new(&script), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let steps = json!([{"type": "email", "subject": "Hi", "body": "Hello"}, {"type": "email", "body": "Again", "delay_hours": 1}]);
    let made = started(&key, steps, json!({}));
    let (later, gone) = (contact(&key, "Late", "later@example.com"), contact(&key, "Gone", "gone@example.com"));
    let (later, gone) = (enrolled(&key, &made, &later), enrolled(&key, &made, &gone));
    becomes(&key, &later, "bounced");
    let refused = becomes(&key, &gone, "bounced");
    assert!(text(&refused["reason"]).contains("no such user"), "{refused}");
    let counts = key.get(&path(&made)).ok()["enrollments"].clone();
    assert_eq!((&counts["bounced"], &counts["active"]), (&json!(2), &json!(0)));
    let stats = key.get(&format!("{}/stats", path(&made))).page().rows;
    assert_eq!(stats[0]["bounced"], 2, "{stats:?}");
}

/// The path of the unsubscribe link.
fn link(world: &World, mail: &str) -> String {
    let link = unfolded(mail, "List-Unsubscribe").expect("a link");
    link.trim_matches(['<', '>']).strip_prefix(&world.origin()).expect("a link to here").to_owned()
}

fn one_click_unsubscribes(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let steps = json!([{"type": "email", "subject": "Hi", "body": "Hello"}, {"type": "email", "body": "Again", "delay_hours": 1}]);
    let made = started(&key, steps, json!({}));
    let ada = contact(&key, "Ada", "ada@example.com");
    let enrollment = enrolled(&key, &made, &ada);
    let mail = mails(&outside, "ada@example.com", 1).remove(0);
    let link = link(world, &mail);
    let stranger = world.stranger();
    for _ in 0..2 {
        let page = stranger.visit(&link).send();
        assert_eq!(page.status, 200);
        assert!(page.text().contains("<form method=\"post\">") && page.text().contains("ada@example.com"), "{page}");
        assert!(!page.text().contains("<script"), "it works without script");
        assert!(page.header("Content-Security-Policy").starts_with("default-src 'none'"));
    }
    assert_eq!(key.get(&enrollment).ok()["status"], "active", "opening the page changes nothing");
    assert_eq!(key.get("/suppressions").page().total(), 0);
    for _ in 0..2 {
        let form = "application/x-www-form-urlencoded";
        let done =
            stranger.visit(&link).method("POST").header("Content-Type", form).body("List-Unsubscribe=One-Click").send();
        assert_eq!(done.status, 200, "{done}");
        assert!(done.text().contains("You are unsubscribed"), "{done}");
    }
    let ended = key.get(&enrollment).ok();
    assert_eq!((&ended["status"], &ended["reason"]), (&json!("unsubscribed"), &json!("the contact unsubscribed")));
    let listed = key.get("/suppressions").page().rows;
    assert_eq!(
        (listed.len(), &listed[0]["address"], &listed[0]["reason"]),
        (1, &json!("ada@example.com"), &json!("unsubscribed"))
    );
    assert_eq!(key.get(&format!("{}/stats", path(&made))).page().rows[0]["unsubscribed"], 1);
    assert!(stranger.visit(&link).send().text().contains("You are unsubscribed"));
    // A link can't be forged.
    let (front, last) = link.split_at(link.len() - 1);
    for wrong in
        [format!("{front}{}", if last == "A" { "B" } else { "A" }), "/unsubscribe/x".into(), "/unsubscribe/".into()]
    {
        assert_eq!(stranger.visit(&wrong).send().status, 404, "{wrong}");
        assert_eq!(stranger.visit(&wrong).method("POST").send().status, 404, "{wrong}");
    }
    let wrong = stranger.visit(&link).method("DELETE").send();
    assert_eq!((wrong.status, wrong.header("Allow")), (405, "GET, POST"));
}

fn opens_and_clicks_are_tracked_if_enabled(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let quiet =
        started(&key, json!([{"type": "email", "subject": "Hi", "body": "See https://example.com/a"}]), json!({}));
    let bob = contact(&key, "Bob", "bob@example.com");
    becomes(&key, &enrolled(&key, &quiet, &bob), "finished");
    let plain = mails(&outside, "bob@example.com", 1).remove(0);
    assert!(!plain.contains("text/html") && !plain.contains("/opened/"), "{plain}");

    let steps = json!([
        {"type": "email", "client_key": "a", "subject": "Hi", "body": "<p>See <a href=\"https://example.com/a?b=1\">this</a></p>"},
        {"type": "task", "name": "clicked", "parent_step_id": "a", "branch_condition": {"type": "clicked", "after_days": 3}},
    ]);
    let made = started(&key, steps, json!({"track_opens": true, "track_clicks": true}));
    let ada = contact(&key, "Ada", "ada@example.com");
    let enrollment = enrolled(&key, &made, &ada);
    let mail = mails(&outside, "ada@example.com", 1).remove(0).replace("=\n", "").replace("=3D", "=");
    let path_of = |word: &str| {
        let from = mail.find(&format!("{}/{word}/", world.origin())).unwrap_or_else(|| panic!("no {word} in {mail}"));
        let rest = &mail[from + world.origin().len()..];
        rest[..rest.find('"').expect("its end")].to_owned()
    };
    let stranger = world.stranger();
    let pixel = stranger.visit(&path_of("opened")).send();
    assert_eq!((pixel.status, pixel.header("Content-Type")), (200, "image/gif"));
    stranger.visit(&path_of("opened")).send();
    let stats = || key.get(&format!("{}/stats", path(&made))).page().rows.remove(0);
    assert_eq!((&stats()["opened"], &stats()["clicked"]), (&json!(1), &json!(0)), "each counts once");
    let gone = stranger.visit(&path_of("clicked")).send();
    assert_eq!((gone.status, gone.header("Location")), (302, "https://example.com/a?b=1"));
    assert_eq!(stats()["clicked"], 1);
    let elsewhere = path_of("clicked").replace("example.com", "example.org");
    assert_eq!(stranger.visit(&elsewhere).send().status, 404, "a changed target is refused");
    let task = eventually("the branch of the click", PATIENCE, || {
        key.get(&format!("/contacts/{ada}/tasks")).page().rows.into_iter().next()
    });
    assert_eq!(task["title"], "clicked");
    assert_eq!(key.get(&enrollment).ok()["status"], "active");
}

fn an_unknown_outcome_waits_for_a_user(world: &World) {
    let script = "sent_copies = false\n".to_owned()
        + &rule("disconnect", "ada@example.com", "at = \"answer\"\ntimes = 1")
        + &rule("disconnect", "bob@example.com", "at = \"dot\"\ntimes = 1");
    let (outside, key) = (Outside::new(&script), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, json!([{"type": "email", "subject": "Hi", "body": "Hello"}]), json!({}));
    let (ada, bob) = (contact(&key, "Ada", "ada@example.com"), contact(&key, "Bob", "bob@example.com"));
    let (ada, bob) = (enrolled(&key, &made, &ada), enrolled(&key, &made, &bob));
    for (enrollment, sent) in [(&ada, true), (&bob, false)] {
        let paused = becomes(&key, enrollment, "paused");
        assert_eq!((&paused["reason"], &paused["next_step_at"]), (&json!("outcome_unknown"), &Value::Null));
        key.post(&format!("{enrollment}/resume"), json!({})).invalid("sent").says("true if the message arrived");
        key.post(&format!("{enrollment}/resume"), json!({"sent": sent})).ok();
        becomes(&key, enrollment, "finished");
    }
    assert_eq!(outside.to("ada@example.com").len(), 1, "the mail had arrived");
    assert_eq!(outside.to("bob@example.com").len(), 1, "the mail had not arrived and was sent again");
    assert!(outside.sandbox.duplicates().is_empty());
    assert_eq!(key.get(&format!("{}/stats", path(&made))).page().rows[0]["sent"], 2);
}

fn an_error_of_the_sender_ends_no_enrollment(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, json!([{"type": "email", "subject": "Hi", "body": "Hello"}]), json!({}));
    outside.play("[[rules]]\naction = \"wrong_password\"\nmatch = \"*\"\n");
    let ada = contact(&key, "Ada", "ada@example.com");
    let enrollment = enrolled(&key, &made, &ada);
    let explained = eventually("what holds it up", PATIENCE, || {
        let explained = key.get(&format!("{enrollment}/explain")).ok();
        let rules = explained["rules"].as_array().cloned().unwrap_or_default();
        rules.iter().any(|rule| rule["rule"] == "outbox" || rule["rule"] == "sender").then_some(explained)
    });
    assert_eq!(explained["status"], "active", "{explained}");
    assert_eq!(key.get("/suppressions").page().total(), 0);
    assert_eq!(outside.to("ada@example.com").len(), 0);
}

fn network_and_chat_steps_are_sent(world: &World) {
    let script = "[[rules]]\naction = \"accept_invite\"\nmatch = \"*\"\nchannel = \"network\"\nafter = 0.2\n";
    let (outside, key) = (Outside::new(script), world.key("full_access"));
    outside.provider(world, "network");
    outside.provider(world, "chat");
    let steps = json!([
        {"type": "network_visit"},
        {"type": "network_connect", "client_key": "invite", "body": "Let us connect, {{ first_name }}"},
        {"type": "network_message", "client_key": "m", "body": "Thank you, {{ first_name }}", "parent_step_id": "invite", "branch_condition": {"type": "invite_accepted", "after_days": 5}},
        {"type": "task", "name": "give up", "parent_step_id": "invite", "branch_condition": {"type": "invite_not_accepted", "after_days": 5}},
        {"type": "chat", "body": "And here", "parent_step_id": "m"},
    ]);
    let made = started(&key, steps, json!({}));
    let body = json!({"first_name": "Ada", "phone": "+44 20 7946 0001", "network_profile": "https://network.example.com/in/ada"});
    let ada = text(&key.post("/contacts", body).created()["id"]);
    let enrollment = enrolled(&key, &made, &ada);
    becomes(&key, &enrollment, "finished");
    let handed: Vec<(String, String, Option<String>)> =
        outside.sandbox.sends().into_iter().map(|one| (one.channel.into(), one.kind.into(), one.text)).collect();
    let reported: Vec<(&str, &str)> =
        handed.iter().map(|(channel, kind, _)| (channel.as_str(), kind.as_str())).collect();
    assert_eq!(
        reported,
        [("network", "visit"), ("network", "invitation"), ("network", "message"), ("chat", "message")]
    );
    assert_eq!(handed[1].2.as_deref(), Some("Let us connect, Ada"));
    assert_eq!(key.get(&format!("/contacts/{ada}/conversations")).page().total(), 2, "network and chat");
    // Without a profile or a phone there is nothing to send.
    let bob = contact(&key, "Bob", "bob@example.com");
    let skipped = enrolled(&key, &made, &bob);
    let events = eventually("what was skipped", PATIENCE, || {
        let page = key.get(&format!("/contacts/{bob}/timeline?types=enrollment.step_skipped")).page();
        (page.rows.len() >= 2).then_some(page.rows)
    });
    assert_eq!(events[0]["changes"]["step_reason"][1], "the contact has no network_profile");
    assert_eq!(key.get(&skipped).ok()["status"], "active", "the invitation is still pending");
}

fn senders_rotate_and_threads_keep_their_sender(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    outside.mailbox(world, "bea@example.com", &[]);
    let made = started(
        &key,
        json!([{"type": "email", "subject": "Hi", "body": "Hello"}, {"type": "email", "body": "Again"}]),
        json!({}),
    );
    let people: Vec<String> = (0..20).map(|n| contact(&key, "P", &format!("p{n}@example.com"))).collect();
    key.post(&format!("{}/enroll", path(&made)), json!({"contact_ids": people})).ok();
    eventually("all mails", PATIENCE, || (outside.sandbox.accepted() >= 40).then_some(()));
    let mut by_ann = 0;
    for n in 0..20 {
        let from: Vec<String> = outside.to(&format!("p{n}@example.com")).into_iter().map(|mail| mail.from).collect();
        assert_eq!(from.len(), 2);
        assert_eq!(from[0], from[1], "a thread stays with its sender");
        by_ann += usize::from(from[0] == "ann@example.com");
    }
    assert!((1..20).contains(&by_ann), "both accounts send: {by_ann}");
}

/// Enrolls somebody else in another sequence and waits for the mail.
fn another_mail(key: &Client, outside: &Outside, sequence: &Value, address: &str) {
    enrolled(key, sequence, &contact(key, "Other", address));
    mails(outside, address, 1);
}

fn the_sequences_own_limits_hold(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let step = json!([{"type": "email", "subject": "Hi", "body": "Hello"}]);
    let free = started(&key, step.clone(), json!({}));
    let daily = started(&key, step.clone(), json!({"daily_limit": 2}));
    let gapped = started(&key, step, json!({"min_gap_minutes": 30}));
    for (sequence, sent, rule) in [(&daily, 2, "daily_limit"), (&gapped, 1, "min_gap_minutes")] {
        let before = outside.sandbox.accepted();
        let people: Vec<String> = (0..5).map(|n| contact(&key, "P", &format!("{rule}{n}@example.com"))).collect();
        key.post(&format!("{}/enroll", path(sequence)), json!({"contact_ids": people})).ok();
        eventually("those that may", PATIENCE, || (outside.sandbox.accepted() >= before + sent).then_some(()));
        // The workers have gone on by then: a mail of another sequence has been sent.
        another_mail(&key, &outside, &free, &format!("other.{rule}@example.com"));
        assert_eq!(outside.sandbox.accepted(), before + sent + 1, "{rule}");
        let waiting = key.list(&format!("{}/enrollments", path(sequence)), &[("status", "active")]).page();
        assert_eq!(waiting.total(), 5 - sent as u64);
        let explained = key.get(&format!("/enrollments/{}/explain", waiting.ids()[0])).ok();
        let rules = explained["rules"].as_array().cloned().unwrap_or_default();
        assert!(rules.iter().any(|reported| reported["rule"] == rule), "{explained}");
        let at = text(&explained["next_step_at"]).parse::<jiff::Timestamp>().expect("a time");
        assert!(at > now(), "{explained}");
        // Each says why it waits, not only the one that met the limit.
        eventually("the reasons", PATIENCE, || {
            let waiting = key.list(&format!("{}/enrollments", path(sequence)), &[("status", "active")]).page();
            waiting.rows.iter().all(|one| text(&one["reason"]).starts_with("blocked: ")).then_some(())
        });
    }
}

fn an_accounts_cap_holds(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let capped = outside.mailbox(world, "ann@example.com", &["--daily-limit", "3"]);
    let free = outside.mailbox(world, "bob@example.com", &[]);
    let by = |sender: &str| {
        started(&key, json!([{"type": "email", "subject": "Hi", "body": "Hello", "sender_ids": [sender]}]), json!({}))
    };
    let (made, other) = (by(&capped), by(&free));
    let people: Vec<String> = (0..8).map(|n| contact(&key, "P", &format!("p{n}@example.com"))).collect();
    key.post(&format!("{}/enroll", path(&made)), json!({"contact_ids": people})).ok();
    eventually("those that may", PATIENCE, || (outside.sandbox.accepted() >= 3).then_some(()));
    // The workers have gone on by then: another account has sent a mail.
    another_mail(&key, &outside, &other, "other@example.com");
    assert_eq!(outside.sandbox.accepted(), 4);
    assert_eq!(key.list(&format!("{}/enrollments", path(&made)), &[("status", "active")]).page().total(), 5);
}

fn accounts_must_fit_their_steps(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let mailbox = outside.mailbox(world, "ann@example.com", &[]);
    let chat = outside.provider(world, "chat");
    let with = |kind: &str, sender: &str| {
        let step = json!({"type": kind, "subject": "Hi", "body": "Hello", "sender_ids": [sender]});
        key.post("/sequences", json!({"name": "S", "steps": [step]}))
    };
    with("email", &chat).invalid("steps.0.sender_ids.0").says("is an account for chat, and the step goes by email");
    with("call", &chat).invalid("steps.0.sender_ids.0").says("no account sends");
    with("email", &nobody()).invalid("steps.0.sender_ids.0").says("no connected account has this id");
    let made = with("email", &mailbox).created();
    key.post(&format!("{}/start", path(&made)), json!({})).ok();
    world.run(&["accounts", "remove", &mailbox]).ok();
    key.post(&format!("{}/pause", path(&made)), json!({})).ok();
    key.post(&format!("{}/start", path(&made)), json!({})).error(400, "validation_error").says("steps.0.sender_ids");
    with("email", &mailbox).invalid("steps.0.sender_ids.0").says("was removed");
}

fn a_server_without_workers_sends_nothing(world: &World) {
    world.stop();
    world.start_by("exec \"$@\" --no-runner");
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, json!([{"type": "email", "subject": "Hi", "body": "Hello"}]), json!({}));
    let enrollment = enrolled(&key, &made, &contact(&key, "Ada", "ada@example.com"));
    // The server writes its request log once a second: after two further times its workers would have sent the mail.
    let logged = || world.count("SELECT CAST(count(*) AS text) FROM requests");
    for _ in 0..2 {
        let before = logged();
        key.get(&enrollment).ok();
        eventually("the request in the log", PATIENCE, || (logged() > before).then_some(()));
    }
    assert_eq!((outside.sandbox.accepted(), &key.get(&enrollment).ok()["status"]), (0, &json!("active")));
    world.restart();
    becomes(&key, &enrollment, "finished");
    assert_eq!(outside.sandbox.accepted(), 1);
}

fn an_operator_stops_everything(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let later = json!([{"type": "email", "subject": "Hi", "body": "Hello", "delay_hours": 1}]);
    let (first, second) = (started(&key, later.clone(), json!({})), started(&key, later, json!({})));
    enrolled(&key, &first, &contact(&key, "Ada", "ada@example.com"));
    let line =
        |made: &Value, status: &str, active: usize| format!("{}\tOutreach\t{status}\t{active}", text(&made["id"]));
    let listed = world.cli(["sequences", "list"]).ok().to_owned();
    assert_eq!(listed, [line(&first, "active", 1), line(&second, "active", 0)].join("\n"));
    world.cli(["sequences", "pause", &text(&second["id"])]).ok();
    assert_eq!(key.get(&path(&second)).ok()["status"], "paused");
    assert_eq!(world.cli(["sequences", "pause"]).ok(), line(&first, "paused", 1), "the paused sequences are printed");
    assert_eq!(world.cli(["sequences", "pause"]).ok(), "");
    let events = key.get("/events?limit=100").page().rows;
    let pauses: Vec<&Value> = events.iter().filter(|event| event["type"] == "sequence.paused").collect();
    assert_eq!(pauses.len(), 2);
    key.post(&format!("{}/start", path(&first)), json!({})).ok();
    world.cli(["sequences", "pause", "x"]).refused();
    world.cli(["sequences", "pause", &nobody()]).refused();
}

fn a_restored_backup_sends_nothing_again(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let made = started(&key, json!([{"type": "email", "subject": "Hi", "body": "Hello"}]), json!({}));
    world.stop();
    world.start_by("exec \"$@\" --no-runner");
    let enrollment = enrolled(&key, &made, &contact(&key, "Ada", "ada@example.com"));
    let file = world.file("backup").display().to_string();
    if world.database_is_shared() {
        world.cli(["backup", &file]).refused();
        return;
    }
    world.cli(["backup", &file]).ok();
    world.restart();
    becomes(&key, &enrollment, "finished");
    assert_eq!(outside.sandbox.accepted(), 1);

    let said = world.cli(["restore", &file]).ok().to_owned();
    assert!(said.contains("Paused sequences: 1."), "{said}");
    world.restart();
    assert_eq!(key.get(&path(&made)).ok()["status"], "paused");
    let explained = key.get(&format!("{enrollment}/explain")).ok();
    assert!(text(&explained["blocked"]).contains("paused"), "{explained}");
    assert_eq!(outside.sandbox.accepted(), 1, "the mail was sent after the backup");
}
