//! Conversations and messages: sending on every channel, replies in threads, reading, archiving and merging.

use serde_json::{Value, json};

use crate::support::outside::{contact, lines};
use crate::support::*;

stories![
    a_mail_is_sent_and_shown_everywhere,
    a_mail_can_be_html_and_always_has_text,
    a_reply_goes_into_the_thread,
    network_and_chat_have_one_conversation_with_each_contact,
    invalid_messages_are_refused_before_sending,
    the_right_account_sends,
    headers_can_not_be_injected,
    conversations_are_listed_filtered_archived_and_opened,
    messages_need_their_scopes,
    conversations_follow_a_merge_and_its_undo,
    a_message_sent_twice_with_one_key_is_sent_once,
];

/// Sends a mail to a contact and waits until it is sent.
#[track_caller]
fn mail(key: &Client, contact: &str, subject: &str, content: &str) -> Value {
    let body = json!({"contact_id": contact, "channel": "email", "subject": subject, "content": content});
    let sent = key.post("/messages", body).created();
    with_status(key, &sent, "sent")
}

/// The message once it has this status.
#[track_caller]
fn with_status(key: &Client, message: &Value, status: &str) -> Value {
    let path = format!("/messages/{}", text(&message["id"]));
    eventually(&format!("a message that is {status}"), PATIENCE, || {
        Some(key.get(&path).ok()).filter(|message| message["status"] == status)
    })
}

fn a_mail_is_sent_and_shown_everywhere(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let body =
        json!({"contact_id": ada, "channel": "email", "subject": "Coffee?", "content": "Hello Ada,\nhow about it?"});
    let queued = key.post("/messages", body).created();
    assert_eq!(
        (&queued["status"], &queued["direction"], &queued["channel"]),
        (&json!("queued"), &json!("outbound"), &json!("email"))
    );
    assert_eq!((&queued["sent_at"], &queued["error"], &queued["read_at"]), (&json!(null), &json!(null), &json!(null)));
    assert_eq!(queued["contact"]["first_name"], "Ada");
    let sent = with_status(&key, &queued, "sent");
    assert!(sent["sent_at"].is_string());
    let created = key.get("/events?types=message.created").page().rows.remove(0);
    assert_eq!((&sent["author_kind"], &sent["author_id"]), (&json!("key"), &created["actor"]["id"]));
    assert_eq!(sent["author_name"], created["actor"]["name"]);
    let mails = outside.to("ada@example.com");
    assert_eq!(mails.len(), 1);
    let content = lines(&mails[0]);
    assert_eq!(mails[0].from, "ann@example.com");
    for line in ["Subject: Coffee?", "Ann Sender", "Hello Ada,\nhow about it?"] {
        assert!(content.contains(line), "{line} is missing in {content}");
    }

    let person = key.get(&format!("/contacts/{ada}")).ok();
    assert_eq!(person["global_status"], "contacted");
    assert!(person["last_contacted_at"].is_string());
    let conversation = key.get(&format!("/conversations/{}", text(&sent["conversation_id"]))).ok();
    assert_eq!((&conversation["subject"], &conversation["unread_count"]), (&json!("Coffee?"), &json!(0)));
    assert_eq!((&conversation["account_id"], &conversation["status"]), (&json!(account), &json!("open")));
    assert_eq!(conversation["contact"]["id"], json!(ada));
    let listed = key.get(&format!("/contacts/{ada}/conversations")).page();
    assert_eq!(listed.rows, [conversation]);
    let timeline = key.get(&format!("/contacts/{ada}/timeline")).page();
    let types = timeline.column("type");
    for kind in ["message.created", "message.sent", "conversation.created"] {
        assert!(types.iter().any(|known| known == kind), "{kind} is missing in {types:?}");
    }
    let without = world.key("contacts:read").get(&format!("/contacts/{ada}/timeline")).page();
    assert!(without.column("type").iter().all(|kind| kind.starts_with("contact.")), "{:?}", without.rows);
}

fn a_mail_can_be_html_and_always_has_text(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let html = "<p>Hello <b>Ada</b></p><script>alert(1)</script>";
    let sent = mail(&key, &ada, "Hi", html);
    assert!(text(&sent["content"]).contains("Hello") && !text(&sent["content"]).contains('<'), "{sent}");
    let shown = text(&sent["html"]);
    assert!(shown.contains("<b>Ada</b>") && !shown.contains("script"), "{shown}");
    let content = lines(&outside.to("ada@example.com")[0]);
    assert!(content.contains("text/plain") && content.contains("text/html"), "{content}");
}

fn a_reply_goes_into_the_thread(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let first = mail(&key, &ada, "Coffee?", "Hello.");
    let thread = format!("/conversations/{}/messages", text(&first["conversation_id"]));
    let second = key.post(&thread, json!({"content": "Or tea?"})).created();
    assert_eq!(second["conversation_id"], first["conversation_id"]);
    assert_eq!(second["subject"], "Re: Coffee?");
    with_status(&key, &second, "sent");
    let mails = outside.to("ada@example.com");
    let first_id = mails[0].message_id.clone().expect("a mail has an id");
    let answer = lines(&mails[1]);
    assert!(answer.contains("In-Reply-To:") && answer.contains("References:"), "{answer}");
    assert!(answer.matches(&*first_id).count() >= 2, "{answer}");
    let third = key.post(&thread, json!({"content": "Well?", "subject": "Last call"})).created();
    assert_eq!(third["subject"], "Last call");
    with_status(&key, &third, "sent");
    assert_eq!(key.get(&thread).page().total(), 3);
    // Another mail starts another thread.
    let other = mail(&key, &ada, "Coffee?", "Hello again.");
    assert_ne!(other["conversation_id"], first["conversation_id"]);
    key.post(&thread, json!({})).invalid("content").says("is required");
    key.post(&thread, json!({"content": "x", "channel": "chat"})).invalid("channel");
}

fn network_and_chat_have_one_conversation_with_each_contact(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.provider(world, "network");
    outside.provider(world, "chat");
    let body = json!({"first_name": "Ada", "phone": "+44 20 7946 0001", "network_profile": "https://network.example.com/in/ada"});
    let ada = text(&key.post("/contacts", body).created()["id"]);
    let send = |channel: &str| {
        let body = json!({"contact_id": ada, "channel": channel, "content": format!("Hello by {channel}.")});
        let sent = key.post("/messages", body).created();
        eventually("what became of it", PATIENCE, || {
            Some(key.get(&format!("/messages/{}", text(&sent["id"]))).ok()).filter(|it| it["status"] != "queued")
        })
    };
    for channel in ["network", "chat"] {
        let (one, two) = (send(channel), send(channel));
        assert_eq!(one["conversation_id"], two["conversation_id"]);
        assert_eq!((&one["status"], &two["status"]), (&json!("sent"), &json!("sent")), "{one}");
    }
    let sends = outside.sandbox.sends();
    assert_eq!(sends.iter().filter(|one| one.channel == "network" && one.kind == "message").count(), 2);
    assert_eq!(sends.iter().filter(|one| one.channel == "chat").count(), 2);
    assert_eq!(key.get("/conversations").page().total(), 2);
    assert_eq!(key.list("/conversations", &[("channel", "chat")]).page().total(), 1);
    let body = json!({"contact_id": ada, "channel": "chat", "content": "x", "subject": "y"});
    key.post("/messages", body).invalid("subject").says("email");
    let body = json!({"contact_id": ada, "channel": "chat", "content": "<p>x</p>"});
    key.post("/messages", body).invalid("content").says("plain text");
}

fn invalid_messages_are_refused_before_sending(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let ada = contact(&key, "Ada", "ada@example.com");
    let send = |contact: &str, channel: &str| {
        key.post("/messages", json!({"contact_id": contact, "channel": channel, "content": "Hi"}))
    };
    send(&ada, "email").invalid("channel").says("no account is connected for email");
    let account = outside.mailbox(world, "ann@example.com", &[]);
    outside.provider(world, "chat");
    outside.provider(world, "network");
    send(&ada, "chat").invalid("contact_id").says("no phone number");
    send(&ada, "network").invalid("contact_id").says("no network_profile");
    let bare = text(&key.post("/contacts", json!({"first_name": "Bob"})).created()["id"]);
    send(&bare, "email").invalid("contact_id").says("no email address");
    send(&nobody(), "email").invalid("contact_id").says("no contact has this id");
    send(&ada, "pigeon").invalid("channel").says("email, network, chat");
    let body = json!({"contact_id": ada, "channel": "chat", "content": "Hi", "account_id": account});
    key.post("/messages", body).invalid("account_id").says("is an account for email, not for chat");
    let body = json!({"contact_id": ada, "channel": "email", "content": "Hi", "account_id": nobody()});
    key.post("/messages", body).invalid("account_id").says("no connected_account has this id");
    let long = "x".repeat(100_001);
    let body = json!({"contact_id": ada, "channel": "email", "content": long});
    key.post("/messages", body).invalid("content").says("100000");
    key.put(&format!("/contacts/{ada}"), json!({"do_not_contact": true})).ok();
    send(&ada, "email").invalid("contact_id").says("must not be contacted");
    key.put(&format!("/contacts/{ada}"), json!({"do_not_contact": false})).ok();
    key.delete(&format!("/contacts/{ada}")).ok();
    send(&ada, "email").invalid("contact_id").says("archived");
    assert_eq!(key.get("/conversations").page().total(), 0);
    assert_eq!(outside.sandbox.accepted(), 0);
}

fn the_right_account_sends(world: &World) {
    let outside = Outside::new("");
    let key = world.key("full_access");
    world.cli(["members", "add", "--email", "bob@example.com", "--name", "Bob"]).ok();
    let bobs_key = world.key_with("full_access", &["--owner", "bob@example.com"]);
    outside.mailbox(world, "first@example.com", &[]);
    outside.mailbox(world, "bob@example.com", &["--owner", "bob@example.com"]);
    let third = outside.mailbox(world, "third@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    mail(&key, &ada, "1", "From the owner's.");
    mail(&bobs_key, &ada, "2", "From Bob's.");
    let body = json!({"contact_id": ada, "channel": "email", "content": "x", "subject": "3", "account_id": third});
    with_status(&key, &key.post("/messages", body).created(), "sent");
    let from: Vec<String> = outside.to("ada@example.com").into_iter().map(|mail| mail.from).collect();
    assert_eq!(from, ["first@example.com", "bob@example.com", "third@example.com"]);
}

fn headers_can_not_be_injected(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let subject = "Hello\r\nBcc: eve@example.com\r\nX-Evil: yes";
    let body = json!({"contact_id": ada, "channel": "email", "content": "Hi", "subject": subject});
    key.post("/messages", body).invalid("subject").says("must be one line");
    // A name can't inject a header, either.
    let named = json!({"first_name": "Eve\r\nBcc: eve@example.com", "email": "ada@example.net"});
    let eve = text(&key.post("/contacts", named).created()["id"]);
    mail(&key, &eve, "Hello", "Hi\r\n.\r\nMAIL FROM:<eve@example.com>");
    for mail in outside.sandbox.received() {
        let content = lines(&mail);
        let head = content.split("\n\n").next().unwrap_or_default().to_owned();
        assert!(!head.lines().any(|line| line.starts_with("Bcc:") || line.starts_with("X-Evil:")), "{head}");
        assert_eq!(mail.to, ["ada@example.net"]);
    }
}

fn conversations_are_listed_filtered_archived_and_opened(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let people: Vec<String> =
        ["ada", "bob", "cyd"].iter().map(|name| contact(&key, name, &format!("{name}@example.com"))).collect();
    let threads: Vec<String> =
        people.iter().map(|person| text(&mail(&key, person, "Hi", "Hello.")["conversation_id"])).collect();
    let newest: Vec<String> = threads.iter().rev().cloned().collect();
    assert_eq!(key.get("/conversations").page().ids(), newest, "conversations are sorted newest first");
    assert_eq!(key.list("/conversations", &[("sort", "created_at")]).page().ids(), threads);
    assert_eq!(key.list("/conversations", &[("contact_id", &people[1])]).page().ids(), [&*threads[1]]);
    assert_eq!(key.list("/conversations", &[("unread_count", "gt.0")]).page().total(), 0);
    let path = format!("/conversations/{}", threads[0]);
    let archived = key.put(&path, json!({"status": "archived"})).ok();
    assert_eq!(archived["status"], "archived");
    // A record that was read can be sent back.
    assert_eq!(key.put(&path, archived.clone()).ok(), archived);
    assert_eq!(key.list("/conversations", &[("status", "archived")]).page().ids(), [&*threads[0]]);
    assert_eq!(key.list("/conversations", &[("status", "open")]).page().total(), 2);
    key.put(&path, json!({"status": "closed"})).invalid("status").says("open, archived");
    key.post(&format!("{path}/messages"), json!({"content": "One more."})).created();
    assert_eq!(key.get(&path).ok()["status"], "open", "a new message opens it");
    assert_eq!(key.post(&format!("{path}/read"), json!({})).ok()["unread_count"], 0);
    let first = key.list("/conversations", &[("limit", "2"), ("cursor", "")]).page();
    let rest = key.list("/conversations", &[("limit", "2"), ("cursor", &first.next().expect("there is more"))]).page();
    assert_eq!((first.rows.len(), rest.rows.len()), (2, 1));
    key.get(&format!("/conversations/{}/messages", nobody())).not_found();
    let theirs = world.workspace("other").key("full_access");
    theirs.get(&path).not_found();
    assert_eq!(theirs.get("/conversations").page().total(), 0);
}

fn messages_need_their_scopes(world: &World) {
    let (reader, writer) = (world.key("messages:read"), world.key("messages:write"));
    writer.get("/conversations").error(403, "insufficient_scope").says("messages:read");
    reader.post("/messages", json!({})).error(403, "insufficient_scope").says("messages:write");
    reader.get("/conversations").page();
    writer.post("/messages", json!({})).error(400, "validation_error").says("contact_id: is required");
    world.key("crm").get("/suppressions").error(403, "insufficient_scope").says("messages:read");
    world.set(&["--plan", "starter"]);
    within_a_second("the plan", || (reader.get("/conversations").status == 403).then_some(()));
    reader.get("/conversations").error(403, "plan_upgrade_required");
}

fn conversations_follow_a_merge_and_its_undo(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let (ada, twin) = (contact(&key, "Ada", "ada@example.com"), contact(&key, "Ada", "ada.l@example.com"));
    let sent = mail(&key, &twin, "Hi", "Hello.");
    let thread = text(&sent["conversation_id"]);
    let merged = key.post("/contacts/merge", json!({"into": ada, "from": [twin]})).ok();
    assert_eq!(merged["moved"]["conversations"], 1);
    assert_eq!(key.get(&format!("/contacts/{ada}/conversations")).page().ids(), [&*thread]);
    assert_eq!(key.get(&format!("/conversations/{thread}")).ok()["contact"]["id"], json!(ada));
    // An answer goes to the address of the thread.
    let answer = key.post(&format!("/conversations/{thread}/messages"), json!({"content": "Still there?"})).created();
    with_status(&key, &answer, "sent");
    assert_eq!(outside.to("ada.l@example.com").len(), 2);
    let undo = format!("/contacts/merge/{}/undo", text(&merged["id"]));
    key.post(&undo, json!({})).ok();
    assert_eq!(key.get(&format!("/contacts/{ada}/conversations")).page().total(), 0);
    assert_eq!(key.get(&format!("/contacts/{twin}/conversations")).page().ids(), [&*thread]);
}

fn a_message_sent_twice_with_one_key_is_sent_once(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let body = json!({"contact_id": ada, "channel": "email", "content": "Once."});
    let send = || key.request("POST", "/messages").header("Idempotency-Key", "once").json(&body).send().created();
    let answers = at_once(8, |_| send());
    assert!(answers.iter().all(|answer| answer["id"] == answers[0]["id"]));
    with_status(&key, &answers[0], "sent");
    assert_eq!(outside.to("ada@example.com").len(), 1);
}
