//! What mails contain: names, unsubscribe links, copies, attachments and signatures; and when they are sent.

use std::time::Duration;

use serde_json::{Value, json};

use crate::enrollments::{always, enrolled, started};
use crate::sequences::{path, sequence};
use crate::support::outside::{contact, lines};
use crate::support::*;

stories![
    mails_name_their_sender_and_recipient_in_any_script,
    a_step_has_an_unsubscribe_link_and_the_senders_values,
    the_unsubscribe_link_of_a_text_works,
    starting_a_sequence_warns_of_what_may_go_wrong,
    mails_go_to_addresses_in_copy,
    suppressed_addresses_in_copy_are_refused,
    files_are_attached_to_mails,
    attachments_are_limited_and_need_their_scope,
    an_attachment_stays_when_its_file_is_deleted,
    erasing_a_person_erases_copies_and_attachments,
    a_step_sends_copies_and_attachments,
    a_step_with_a_suppressed_copy_pauses_its_sequence,
    a_signature_is_added_to_messages,
    a_reply_after_a_cancelled_message_begins_the_thread,
    a_message_is_sent_later,
    a_message_is_moved_and_cancelled,
    a_scheduled_message_survives_a_kill_and_is_sent_once,
    a_scheduled_message_does_not_hold_up_a_sequence,
    a_step_is_tested_by_a_mail_to_a_member,
];

/// The body of a mail to this contact.
pub(crate) fn mail(contact: &str, more: Value) -> Value {
    let mut body = json!({"contact_id": contact, "channel": "email", "subject": "Coffee?", "content": "Hello."});
    for (member, value) in more.as_object().into_iter().flatten() {
        body[member] = value.clone();
    }
    body
}

/// The message once it has this status.
#[track_caller]
pub(crate) fn with_status(key: &Client, message: &Value, status: &str) -> Value {
    let path = format!("/messages/{}", text(&message["id"]));
    eventually(&format!("a message that is {status}"), PATIENCE, || {
        Some(key.get(&path).ok()).filter(|message| message["status"] == status)
    })
}

/// Sends a mail and waits for it.
#[track_caller]
fn sent(key: &Client, contact: &str, more: Value) -> Value {
    let queued = key.post("/messages", mail(contact, more)).created();
    with_status(key, &queued, "sent")
}

/// The only mail to an address, with folded headers on one line.
#[track_caller]
fn mail_to(outside: &Outside, address: &str) -> String {
    let found = eventually("a mail", PATIENCE, || Some(outside.to(address)).filter(|mails| !mails.is_empty()));
    assert_eq!(found.len(), 1, "mails to {address}");
    lines(&found[0]).replace("\n\t", " ")
}

/// A time in so many seconds.
pub(crate) fn time_in(seconds: i64) -> String {
    (now() + Duration::from_secs(seconds.unsigned_abs())).to_string()
}

/// A file of a contact.
#[track_caller]
fn file(key: &Client, contact: &str, name: &str, content: &[u8]) -> String {
    text(&key.upload(&format!("/contacts/{contact}/files"), name, content).created()["id"])
}

fn mails_name_their_sender_and_recipient_in_any_script(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    for (first, last, header) in [
        ("Ada", "Martin", "To: Ada Martin <ada0@example.com>"),
        ("Jürgen", "Müller", "To: =?utf-8?B?SsO8cmdlbiBNw7xsbGVy?= <ada1@example.com>"),
        ("健太", "山田", "To: =?utf-8?B?5YGl5aSqIOWxseeUsA==?= <ada2@example.com>"),
        ("Ada \"HR\"", "O'Neil, Ltd.", "To: \"Ada \\\"HR\\\" O'Neil, Ltd.\" <ada3@example.com>"),
    ] {
        let n = header.split("<ada").nth(1).and_then(|rest| rest.chars().next()).expect("a number");
        let address = format!("ada{n}@example.com");
        let body = json!({"first_name": first, "last_name": last, "email": address});
        let ada = text(&key.post("/contacts", body).created()["id"]);
        sent(&key, &ada, json!({}));
        let mail = mail_to(&outside, &address);
        assert!(mail.lines().any(|line| line == header), "{header} is missing in {mail}");
        assert!(mail.contains("From: Ann Sender <ann@example.com>"), "{mail}");
    }
}

fn a_step_has_an_unsubscribe_link_and_the_senders_values(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &["--signature", "<p>Ann<br><b>Aster</b></p>"]);
    let ada = json!({"id": contact(&key, "Ada", "ada@example.com")});
    let body = "<p>From {{ sender.name }} ({{ sender.email }}), {{ sender.first_name | upper }}.</p>\
                <ul><li>one</li><li>two</li></ul><p><a href=\"{{ unsubscribe_url }}\">Unsubscribe</a></p>\
                {{ sender.signature }}";
    let steps = json!([{"type": "email", "subject": "From {{ sender.name }}", "body": body}]);
    let made = started(&key, steps);
    enrolled(&key, &made, &ada);
    let mail = mail_to(&outside, "ada@example.com").replace("=\n", "").replace("=3D", "=");
    for part in ["Subject: From Ann Sender", "(ann@example.com)", "- one\n- two", "<b>Aster</b>", "Ann\nAster"] {
        assert!(mail.contains(part), "{part} is missing in {mail}");
    }
    assert!(mail.contains("Unsubscribe (http") && mail.contains("/unsubscribe/"), "{mail}");
    assert!(!mail.contains("**"), "{mail}");
    // Names that only sent mails have.
    for step in [
        json!({"type": "task", "body": "{{ unsubscribe_url }}"}),
        json!({"type": "email", "subject": "x", "body": "{{ sender.signature }}", "execution_mode": "manual"}),
    ] {
        let refused = key.post("/sequences", json!({"name": "x", "steps": [step]}));
        refused.invalid("steps.0.body").says("is for an email that is sent automatically");
    }
}

fn the_unsubscribe_link_of_a_text_works(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = json!({"id": contact(&key, "Ada", "ada@example.com")});
    let mut schedule = always();
    schedule["track_clicks"] = json!(true);
    let steps = json!([{"type": "email", "subject": "Hi", "body": "See https://example.com/x\n{{ unsubscribe_url }}\n{{ sender.signature }}"}]);
    let made = sequence(&key, json!({"name": "Outreach", "schedule_config": schedule, "steps": steps}));
    key.post(&format!("{}/start", path(&made)), json!({})).ok();
    enrolled(&key, &made, &ada);
    let mail = mail_to(&outside, "ada@example.com").replace("=\n", "").replace("=3D", "=");
    let header = mail.lines().find_map(|line| line.strip_prefix("List-Unsubscribe: <")).expect("a header");
    let link = header.trim_end_matches('>');
    assert!(mail.matches(link).count() >= 3, "the header, the text and the HTML have the same link: {mail}");
    assert!(mail.contains("/clicked/"), "other links are tracked: {mail}");
    let route = link.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map(|(_, route)| format!("/{route}"));
    let answer = key.visit(&route.expect("a path")).method("POST").send();
    assert!(answer.status < 300, "{answer}");
    assert_eq!(key.list("/suppressions", &[("reason", "unsubscribed")]).page().total(), 1);
}

fn starting_a_sequence_warns_of_what_may_go_wrong(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let codes = |answer: &Value| member(&answer["warnings"], "code");
    let steps = json!([
        {"type": "task", "body": "Call {{ first_name }}"},
        {"type": "email", "subject": "{{ title | default('Hi') }}", "body": "{{ custom_variable_1 }} at {{ company.name }}"},
    ]);
    let body = json!({"name": "Outreach", "schedule_config": always(), "steps": steps});
    let made = sequence(&key, body);
    let start = format!("{}/start", path(&made));
    let first = key.post(&start, json!({})).ok();
    assert_eq!(first["status"], "active");
    assert_eq!(codes(&first), ["public_url_loopback", "no_unsubscribe_link"]);
    for warning in first["warnings"].as_array().expect("a list") {
        assert!(!text(&warning["message"]).is_empty() && !text(&warning["fix"]).is_empty(), "{warning}");
    }
    assert!(text(&first["warnings"][1]["message"]).contains("steps.1"), "{first}");
    let people: Vec<Value> =
        (0..3).map(|n| json!({"id": contact(&key, "Ada", &format!("a{n}@example.com"))})).collect();
    for (n, person) in people.iter().enumerate() {
        let variables = if n == 0 { json!({"custom_variable_1": "x"}) } else { json!({}) };
        let body = json!({"contacts": [{"contact_id": person["id"], "custom_variables": variables}]});
        key.post(&format!("{}/enroll", path(&made)), body).ok();
    }
    key.put(&format!("/contacts/{}", text(&people[0]["id"])), json!({"current_company": "Aster"})).ok();
    key.post(&format!("{}/pause", path(&made)), json!({})).ok();
    let again = key.post(&start, json!({})).ok();
    assert_eq!(codes(&again), ["public_url_loopback", "no_unsubscribe_link", "missing_values"]);
    let missing = text(&again["warnings"][2]["message"]);
    assert!(
        missing.starts_with("2 of 3 enrolled people") && missing.contains("company.name, custom_variable_1"),
        "{missing}"
    );
    let steps = json!([{"type": "email", "subject": "Hi { first_name }", "body": "title }} {{ unsubscribe_url }}"}]);
    let made = sequence(&key, json!({"name": "Braces", "schedule_config": always(), "steps": steps}));
    let started = key.post(&format!("{}/start", path(&made)), json!({})).ok();
    assert_eq!(codes(&started), ["public_url_loopback", "half_written_names"]);
    let message = text(&started["warnings"][1]["message"]);
    assert!(message.contains("first_name in steps.0.subject, title in steps.0.body"), "{message}");
    // A sequence without mails has nothing to warn of.
    let calls = sequence(&key, json!({"name": "Calls", "steps": [{"type": "call", "body": "Call {{ first_name }}"}]}));
    assert_eq!(key.post(&format!("{}/start", path(&calls)), json!({})).ok()["warnings"], json!([]));
}

fn mails_go_to_addresses_in_copy(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let more = json!({"cc": ["bea@example.com", "cy@example.com"], "bcc": ["dan@example.com"], "reply_to": "office@example.com"});
    let message = sent(&key, &ada, more);
    assert_eq!(
        (&message["cc"], &message["bcc"]),
        (&json!(["bea@example.com", "cy@example.com"]), &json!(["dan@example.com"]))
    );
    assert_eq!((&message["reply_to"], &message["address"]), (&json!("office@example.com"), &json!("ada@example.com")));
    let received = outside.to("ada@example.com");
    assert_eq!(received.len(), 1);
    assert_eq!(received[0].to, ["ada@example.com", "bea@example.com", "cy@example.com", "dan@example.com"]);
    let content = lines(&received[0]);
    assert!(content.contains("Cc: <bea@example.com>, <cy@example.com>"), "{content}");
    assert!(content.contains("Reply-To: <office@example.com>"), "{content}");
    assert!(!content.contains("dan@example.com"), "a blind copy is in no header: {content}");
    // A reply has copies, too.
    let thread = format!("/conversations/{}/messages", text(&message["conversation_id"]));
    let reply = key.post(&thread, json!({"content": "And?", "cc": ["eve@example.com"]})).created();
    with_status(&key, &reply, "sent");
    assert!(mail_to(&outside, "eve@example.com").contains("Cc: <eve@example.com>"));
    // If an address in copy is refused, nobody gets the mail, and the contact's address is not suppressed.
    outside.play("[[rules]]\naction = \"bounce\"\nmatch = \"gone@example.com\"\n");
    key.post("/messages", mail(&ada, json!({"subject": "Both", "cc": ["gone@example.com"]}))).created();
    eventually("an attempt", PATIENCE, || {
        let tried = "SELECT CAST(count(*) AS text) FROM sends WHERE state = 'queued' AND attempts = 1";
        (world.count(tried) == 1).then_some(())
    });
    assert_eq!(key.get("/suppressions").page().total(), 0);
    assert!(outside.to("ada@example.com").iter().all(|mail| !lines(mail).contains("Subject: Both")));
    key.post("/messages", mail(&ada, json!({"cc": ["not an address"]})))
        .invalid("cc.0")
        .says("is not an email address");
    key.post("/messages", mail(&ada, json!({"cc": vec!["a@example.com"; 2], "reply_to": "x"}))).invalid("reply_to");
    let many: Vec<String> = (0..21).map(|n| format!("a{n}@example.com")).collect();
    key.post("/messages", mail(&ada, json!({"bcc": many}))).invalid("bcc").says("at most 20");
}

fn suppressed_addresses_in_copy_are_refused(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    key.post("/suppressions", json!({"address": "no@example.com"})).created();
    key.post("/suppressions", json!({"domain": "never.example.com"})).created();
    let refused = key.post("/messages", mail(&ada, json!({"cc": ["ok@example.com", "NO@example.com"]})));
    refused.invalid("cc.1").says("is suppressed");
    let refused = key.post("/messages", mail(&ada, json!({"bcc": ["x@never.example.com"]})));
    refused.invalid("bcc.0").says("never.example.com is suppressed");
    let step = json!({"type": "email", "subject": "x", "body": "x", "bcc": ["no@example.com"]});
    key.post("/sequences", json!({"name": "x", "steps": [step]})).invalid("steps.0.bcc.0").says("is suppressed");
    // It is checked again when the message is sent.
    let later =
        key.post("/messages", mail(&ada, json!({"bcc": ["late@example.com"], "send_at": time_in(3)}))).created();
    key.post("/suppressions", json!({"address": "late@example.com"})).created();
    let failed = with_status(&key, &later, "failed");
    assert!(text(&failed["error"]).contains("bcc: the address late@example.com is suppressed"), "{failed}");
    assert!(outside.to("ada@example.com").is_empty());
}

fn files_are_attached_to_mails(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let project = text(&key.post("/projects", json!({"name": "CTO"})).created()["id"]);
    let one = file(&key, &ada, "Größe.txt", b"The offer.\r\nLine two.");
    let two = text(&key.upload(&format!("/projects/{project}/files"), "b.bin", &[0, 159, 146, 150]).created()["id"]);
    let message = sent(&key, &ada, json!({"attachments": [one, two, one]}));
    assert_eq!(member(&message["attachments"], "filename"), ["Größe.txt", "b.bin"]);
    assert_eq!(message["attachments"][0]["size"], 21);
    let path = text(&message["attachments"][0]["path"]);
    let download = key.get(&path);
    assert_eq!((download.status, download.text().as_str()), (200, "The offer.\r\nLine two."));
    let mail = mail_to(&outside, "ada@example.com");
    assert!(mail.contains("multipart/mixed") && mail.contains("b.bin") && mail.contains("AJ+Slg=="), "{mail}");
    assert!(mail.contains("text/plain") && mail.contains("Hello."), "{mail}");
}

fn attachments_are_limited_and_need_their_scope(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let large = vec![b'x'; 9_000_000];
    let files: Vec<String> = (0..3).map(|n| file(&key, &ada, &format!("{n}.txt"), &large)).collect();
    let refused = key.post("/messages", mail(&ada, json!({"attachments": files})));
    refused.invalid("attachments").says("27.0 MB in all; a mail takes 20 MB");
    sent(&key, &ada, json!({"attachments": files[..2]}));
    assert!(outside.to("ada@example.com")[0].content.len() > 24_000_000);
    key.post("/messages", mail(&ada, json!({"attachments": [nobody()]}))).invalid("attachments.0").says("no file");
    let theirs = world.workspace("theirs").key("full_access");
    let eve = contact(&theirs, "Eve", "eve@example.com");
    let foreign = file(&theirs, &eve, "a.txt", b"a");
    key.post("/messages", mail(&ada, json!({"attachments": [foreign]}))).invalid("attachments.0");
    // A key that may not read contacts can't send their files to anybody.
    let sender = world.key("messages:write");
    let refused = sender.post("/messages", mail(&ada, json!({"attachments": [files[0]]})));
    refused.error(403, "insufficient_scope").says("contacts:read");
    let step = json!({"type": "email", "subject": "x", "body": "x", "attachments": [files[0]]});
    let maker = world.key("sequences:write");
    maker.post("/sequences", json!({"name": "x", "steps": [step]})).error(403, "insufficient_scope");
    let chat = json!({"contact_id": ada, "channel": "chat", "content": "x", "attachments": [files[0]]});
    outside.provider(world, "chat");
    key.post("/messages", chat).invalid("attachments").says("for an email alone");
}

fn an_attachment_stays_when_its_file_is_deleted(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let used = || world.count("SELECT CAST(storage_used AS text) FROM workspaces WHERE slug = 'main'");
    let one = file(&key, &ada, "a.txt", b"The offer.");
    let before = used();
    let messages: Vec<Value> = (0..2).map(|_| sent(&key, &ada, json!({"attachments": [one]}))).collect();
    assert_eq!(used(), before, "an attachment shares the stored file");
    key.delete(&format!("/contacts/{ada}/files/{one}")).ok();
    assert_eq!(used(), before);
    for message in &messages {
        assert_eq!(key.get(&text(&message["attachments"][0]["path"])).text(), "The offer.");
    }
    key.post("/messages", mail(&ada, json!({"attachments": [one]}))).invalid("attachments.0");
}

fn erasing_a_person_erases_copies_and_attachments(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let bea = contact(&key, "Bea", "bea@example.com");
    let one = file(&key, &bea, "Bea.txt", b"All about Bea.");
    let message = sent(&key, &ada, json!({"cc": ["Bea@example.com", "cy@example.com"], "attachments": [one]}));
    key.delete(&format!("/contacts/{bea}?erase=true")).is(202);
    let path = format!("/messages/{}", text(&message["id"]));
    let struck = eventually("the erasure", PATIENCE, || {
        Some(key.get(&path).ok())
            .filter(|one| one["cc"] != message["cc"] && one["attachments"] != message["attachments"])
    });
    assert_eq!(struck["cc"], json!(["[erased]", "cy@example.com"]));
    assert_eq!(struck["attachments"][0]["filename"], "[erased]");
    key.get(&text(&struck["attachments"][0]["path"])).not_found();
    eventually("the storage", PATIENCE, || {
        (world.count("SELECT CAST(storage_used AS text) FROM workspaces WHERE slug = 'main'") == 0).then_some(())
    });
}

fn a_step_sends_copies_and_attachments(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let one = file(&key, &ada, "a.txt", b"The offer.");
    let step = json!({"type": "email", "subject": "Hi", "body": "Hi", "cc": ["bea@example.com"], "bcc": ["dan@example.com"],
        "reply_to": "office@example.com", "attachments": [one]});
    let made = started(&key, json!([step]));
    assert_eq!(
        (&made["steps"][0]["cc"], &made["steps"][0]["attachments"]),
        (&json!(["bea@example.com"]), &json!([one]))
    );
    enrolled(&key, &made, &json!({"id": ada}));
    let mail = mail_to(&outside, "dan@example.com");
    assert!(mail.contains("Cc: <bea@example.com>") && mail.contains("Reply-To: <office@example.com>"), "{mail}");
    assert!(mail.contains("a.txt") && !mail.contains("dan@example.com"), "{mail}");
    let refused = key.post("/sequences", json!({"name": "x", "steps": [{"type": "call", "cc": ["bea@example.com"]}]}));
    refused.invalid("steps.0.cc").says("is for an email that is sent automatically");
}

fn a_step_with_a_suppressed_copy_pauses_its_sequence(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let step = json!({"type": "email", "subject": "Hi", "body": "Hi", "cc": ["bea@example.com"]});
    let made = started(&key, json!([step]));
    key.post("/suppressions", json!({"address": "bea@example.com"})).created();
    let enrollment = enrolled(&key, &made, &json!({"id": ada}));
    let paused = eventually("the pause", PATIENCE, || {
        Some(key.get(&path(&made)).ok()).filter(|sequence| sequence["status"] == "paused")
    });
    assert!(text(&paused["paused_reason"]).contains("steps.0.cc.0"), "{paused}");
    assert_eq!(key.get(&format!("/enrollments/{}", text(&enrollment["id"]))).ok()["status"], "active");
    assert!(outside.to("ada@example.com").is_empty());
}

fn a_signature_is_added_to_messages(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &["--signature", "Ann Sender\nAster Ltd."]);
    assert_eq!(key.get(&format!("/connected-accounts/{account}")).ok()["signature"], "Ann Sender\nAster Ltd.");
    let ada = contact(&key, "Ada", "ada@example.com");
    let first = sent(&key, &ada, json!({}));
    assert_eq!(first["content"], "Hello.\n\nAnn Sender\nAster Ltd.");
    assert_eq!(sent(&key, &ada, json!({"signature": false}))["content"], "Hello.");
    let thread = format!("/conversations/{}/messages", text(&first["conversation_id"]));
    let reply = key.post(&thread, json!({"content": "Yes.\n\nOn Monday Ada wrote:\n> Well?"})).created();
    assert_eq!(reply["content"], "Yes.\n\nAnn Sender\nAster Ltd.\n\nOn Monday Ada wrote:\n> Well?");
    let html = sent(&key, &ada, json!({"content": "<p>Yes.</p><blockquote>Well?</blockquote>"}));
    let shown = text(&html["html"]);
    assert!(shown.find("Aster").is_some_and(|at| Some(at) < shown.find("<blockquote")), "{shown}");
    world.run(&["accounts", "set", &account, "--signature", "<p><b>Ann</b></p>"]).ok();
    assert_eq!(sent(&key, &ada, json!({}))["content"], "Hello.\n\nAnn");
    assert!(text(&sent(&key, &ada, json!({"content": "<p>Hi</p>"}))["html"]).contains("<b>Ann</b>"));
    world.run(&["accounts", "set", &account, "--signature", ""]).ok();
    assert_eq!(sent(&key, &ada, json!({}))["content"], "Hello.");
}

fn a_reply_after_a_cancelled_message_begins_the_thread(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let later = json!({
        "contact_id": ada, "channel": "email", "subject": "Hello", "content": "Never sent", "send_at": time_in(86_400),
    });
    let planned = key.post("/messages", later).created();
    key.post(&format!("/messages/{}/cancel", text(&planned["id"])), json!({})).ok();
    let thread = format!("/conversations/{}/messages", text(&planned["conversation_id"]));
    let sent = key.post(&thread, json!({"content": "The first mail"})).created();
    assert_eq!(sent["subject"], "Hello", "it answers nothing");
    let mail = eventually("the mail", PATIENCE, || outside.to("ada@example.com").into_iter().next());
    let mail = String::from_utf8_lossy(&mail.content).into_owned();
    assert!(!mail.contains("In-Reply-To") && !mail.contains("References"), "{mail}");
    assert_eq!(key.post(&thread, json!({"content": "The second"})).created()["subject"], "Re: Hello");
}

fn a_message_is_sent_later(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let at = time_in(4);
    let later = key.post("/messages", mail(&ada, json!({"send_at": at}))).created();
    assert_eq!((&later["status"], &later["sent_at"]), (&json!("queued"), &Value::Null));
    assert_eq!(text(&later["send_at"])[..19], at[..19]);
    let far = key.post("/messages", mail(&ada, json!({"send_at": time_in(86_400)}))).created();
    let listed = key.list("/messages", &[("status", "queued"), ("send_at", "is.not_null"), ("sort", "send_at")]).page();
    assert_eq!(listed.ids(), [text(&later["id"]), text(&far["id"])]);
    // An answer that arrives meanwhile does not cancel it.
    let first = sent(&key, &ada, json!({}));
    let id = outside.to("ada@example.com")[0].message_id.clone().expect("an id");
    outside.deliver(
        "ann@example.com",
        &format!("From: Ada <ada@example.com>\nTo: ann@example.com\nSubject: Re: Coffee?\nMessage-ID: <r@example.com>\nIn-Reply-To: <{id}>\n\nYes.\n"),
    );
    let done = with_status(&key, &later, "sent");
    assert!(text(&done["sent_at"]) >= at, "{done}");
    assert_ne!(first["id"], done["id"]);
    assert_eq!(outside.to("ada@example.com").len(), 2);
    key.post("/messages", mail(&ada, json!({"send_at": "2020-01-01T00:00:00Z"})))
        .invalid("send_at")
        .says("in the past");
    let late = time_in(400 * 86_400);
    key.post("/messages", mail(&ada, json!({"send_at": late}))).invalid("send_at").says("more than a year");
    key.post("/messages", mail(&ada, json!({"send_at": "tomorrow"}))).invalid("send_at");
    // What forbids a message at its time fails it.
    key.put(&format!("/contacts/{ada}"), json!({"do_not_contact": true})).ok();
    key.put(&format!("/messages/{}", text(&far["id"])), json!({"send_at": null})).ok();
    assert!(text(&with_status(&key, &far, "failed")["error"]).contains("do_not_contact"));
}

fn a_message_is_moved_and_cancelled(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let later = key.post("/messages", mail(&ada, json!({"send_at": time_in(3600)}))).created();
    let at = format!("/messages/{}", text(&later["id"]));
    let moved = key.patch(&at, json!({"send_at": time_in(7200)})).ok();
    assert!(text(&moved["send_at"]) > text(&later["send_at"]), "{moved}");
    key.patch(&at, json!({"send_at": "2020-01-01T00:00:00Z"})).invalid("send_at").says("in the past");
    assert_eq!(key.patch(&at, json!({"content": "x"})).ok()["content"], "Hello.", "only the time can be changed");
    let cancelled = key.post(&format!("{at}/cancel"), json!({})).ok();
    assert_eq!((&cancelled["status"], &cancelled["error"]), (&json!("failed"), &json!("cancelled")));
    key.post(&format!("{at}/cancel"), json!({})).invalid("status").says("is failed");
    key.patch(&at, json!({"send_at": null})).invalid("status").says("only a queued message");
    let other = key.post("/messages", mail(&ada, json!({"send_at": time_in(3600)}))).created();
    key.patch(&format!("/messages/{}", text(&other["id"])), json!({"send_at": null})).ok();
    let done = with_status(&key, &other, "sent");
    key.post(&format!("/messages/{}/cancel", text(&done["id"])), json!({})).invalid("status").says("is sent");
    assert_eq!(outside.to("ada@example.com").len(), 1);
    let reader = world.key("messages:read");
    reader.post(&format!("{at}/cancel"), json!({})).error(403, "insufficient_scope");
    world.workspace("theirs").key("full_access").post(&format!("{at}/cancel"), json!({})).not_found();
}

fn a_scheduled_message_survives_a_kill_and_is_sent_once(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let later = key.post("/messages", mail(&ada, json!({"send_at": time_in(4)}))).created();
    world.kill9();
    world.start();
    let key = world.key("full_access");
    with_status(&key, &later, "sent");
    world.kill9();
    world.start();
    let key = world.key("full_access");
    sent(&key, &ada, json!({"subject": "Next"}));
    assert_eq!(outside.to("ada@example.com").len(), 2, "the scheduled one, and the next one");
}

fn a_scheduled_message_does_not_hold_up_a_sequence(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &["--min-gap-minutes", "1", "--daily-limit", "5"]);
    let bea = contact(&key, "Bea", "bea@example.com");
    key.post("/messages", mail(&bea, json!({"send_at": time_in(86_400)}))).created();
    let made = started(&key, json!([{"type": "email", "subject": "Hi", "body": "Hi"}]));
    enrolled(&key, &made, &json!({"id": contact(&key, "Ada", "ada@example.com")}));
    mail_to(&outside, "ada@example.com");
}

fn a_step_is_tested_by_a_mail_to_a_member(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    world.cli(["members", "add", "--email", "bea@example.com", "--role", "member"]).ok();
    let ada = contact(&key, "Ada", "ada@example.org");
    let one = file(&key, &ada, "a.txt", b"The offer.");
    let steps = json!([
        {"type": "email", "subject": "For {{ first_name }}", "body": "Hello {{ first_name }} {{ unsubscribe_url }}", "cc": ["cy@example.com"], "attachments": [one]},
        {"type": "email", "subject": "{{ title }}", "body": "x"},
        {"type": "call", "body": "Call"},
    ]);
    let made = sequence(&key, json!({"name": "Outreach", "steps": steps}));
    let test = |step: usize, body: Value| {
        key.post(&format!("{}/steps/{}/test", path(&made), text(&made["steps"][step]["id"])), body)
    };
    let before = (key.get(&format!("{}/stats", path(&made))).ok(), key.get("/messages").page().total());
    let done = test(0, json!({"contact_id": ada, "to": "bea@example.com"})).ok();
    assert_eq!((&done["to"], &done["subject"]), (&json!("bea@example.com"), &json!("For Ada")));
    let mail = mail_to(&outside, "bea@example.com");
    assert!(mail.contains("Subject: For Ada") && mail.contains("Hello Ada") && mail.contains("a.txt"), "{mail}");
    assert!(outside.to("cy@example.com").is_empty() && outside.to("ada@example.org").is_empty());
    assert_eq!((key.get(&format!("{}/stats", path(&made))).ok(), key.get("/messages").page().total()), before);
    assert_eq!(key.get(&format!("/contacts/{ada}")).ok()["last_contacted_at"], Value::Null);
    // To oneself, unless another member is named.
    let own = text(&key.get("/me").ok()["user"]["email"]);
    assert_eq!(test(0, json!({"contact_id": ada})).ok()["to"], json!(own));
    test(0, json!({"contact_id": ada, "to": "cy@example.com"})).invalid("to").says("no member");
    test(0, json!({"contact_id": nobody()})).invalid("contact_id");
    test(0, json!({"contact_id": ada, "sender_id": nobody()})).invalid("sender_id");
    test(1, json!({"contact_id": ada})).invalid("subject").says("no value for title");
    test(2, json!({"contact_id": ada})).invalid("step").says("is a call");
    key.post(&format!("{}/steps/{}/test", path(&made), nobody()), json!({"contact_id": ada})).not_found();
}
