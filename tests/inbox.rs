//! The shared inbox: who deals with a conversation, snoozes, unread messages of each member, and the search in messages.

use serde_json::{Value, json};

use crate::damaged_rows::stored;
use crate::dashboard;
use crate::sending::time_in;
use crate::support::outside::contact;
use crate::support::*;

stories![
    each_member_has_unread_messages_of_their_own,
    unread_conversations_are_found_among_many,
    a_new_member_starts_without_unread_messages,
    conversations_are_assigned_to_members,
    private_conversations_are_assigned_to_their_owner_alone,
    a_snooze_ends_at_its_time_and_brings_the_conversation_to_the_top,
    a_received_message_ends_a_snooze,
    archiving_ends_a_snooze,
    messages_are_found_by_their_words,
    private_messages_are_found_by_their_owner_alone,
    erased_messages_are_not_found,
];

/// A mailbox of the workspace, its owner and two members.
struct Scene {
    outside: Outside,
    ann: Client,
    bea: Client,
}

#[track_caller]
fn scene(world: &World) -> Scene {
    let outside = Outside::new("");
    world.cli(["members", "add", "--email", "bea@example.com", "--role", "member"]).ok();
    outside.mailbox(world, "ann@example.com", &[]);
    let (ann, bea) = (world.key("full_access"), world.key_with("full_access", &["--owner", "bea@example.com"]));
    Scene { outside, ann, bea }
}

impl Scene {
    /// A mail from a contact.
    fn receive(&self, from: &str, subject: &str, content: &str) {
        self.outside.deliver(
            "ann@example.com",
            &format!(
                "From: {from}@example.com\nTo: ann@example.com\nSubject: {subject}\n\
                 Message-ID: <{}@elsewhere.example>\n\n{content}\n",
                nobody()
            ),
        );
    }

    /// The conversation that the first mail of a new contact starts.
    #[track_caller]
    fn conversation(&self, name: &str, subject: &str, content: &str) -> String {
        let person = contact(&self.ann, name, &format!("{name}@example.com"));
        self.receive(name, subject, content);
        eventually("the conversation", PATIENCE, || {
            self.ann.list("/conversations", &[("contact_id", &person)]).page().ids().into_iter().next()
        })
    }
}

fn path(conversation: &str) -> String {
    format!("/conversations/{conversation}")
}

#[track_caller]
fn unread(key: &Client, conversation: &str) -> i64 {
    key.get(&path(conversation)).ok()["unread_count"].as_i64().expect("a number")
}

/// Removes the owner of a key from the workspace.
#[track_caller]
fn remove(world: &World, key: &Client) {
    let user = text(&key.get("/me").ok()["user"]["user_id"]);
    dashboard::owner(world).inside("DELETE", &format!("/members/{user}")).send().ok();
}

/// The conversations that match, in their order.
#[track_caller]
fn found(key: &Client, parameters: &[(&str, &str)]) -> Vec<String> {
    let page = key.list("/conversations", parameters).page();
    assert_eq!(page.total() as usize, page.rows.len(), "{parameters:?}");
    page.ids()
}

fn each_member_has_unread_messages_of_their_own(world: &World) {
    let scene = scene(world);
    let Scene { ann, bea, .. } = &scene;
    let hello = scene.conversation("carl", "Hello", "A question.");
    scene.receive("carl", "Re: Hello", "Another one.");
    eventually("both messages", PATIENCE, || (unread(ann, &hello) == 2).then_some(()));
    assert_eq!(unread(bea, &hello), 2);

    // What Ann reads stays unread for Bea.
    let etag = ann.get(&path(&hello)).header("etag").to_owned();
    assert_eq!(ann.post(&format!("{}/read", path(&hello)), json!({})).ok()["unread_count"], 0);
    assert_eq!((unread(ann, &hello), unread(bea, &hello)), (0, 2));
    let answer = ann.request("GET", &path(&hello)).header("If-None-Match", &etag).send();
    assert_eq!(answer.status, 200, "the state of the caller is part of the record");
    let listed = |key: &Client| key.get("/conversations").page().rows[0]["unread_count"].clone();
    assert_eq!((listed(ann), listed(bea)), (json!(0), json!(2)));
    for (filter, of_ann, of_bea) in [
        ("gt.0", 0, 1),
        ("gte.1", 0, 1),
        ("2", 0, 1),
        ("in.(2,3)", 0, 1),
        ("in.(0,2)", 1, 1),
        ("0", 1, 0),
        ("lt.1", 1, 0),
        ("lte.2", 1, 1),
        ("neq.0", 0, 1),
        ("gt.2", 0, 0),
        ("gte.0", 1, 1),
        ("gt.-1", 1, 1),
        ("not.gt.0", 1, 0),
    ] {
        let count = |key| found(key, &[("unread_count", filter)]).len();
        assert_eq!((count(ann), count(bea)), (of_ann, of_bea), "unread_count={filter}");
    }
    assert_eq!(found(bea, &[("or", "(unread_count.gt.0,status.eq.archived)")]), [&*hello]);
    // A message has the time when somebody read it first.
    let read_at = |key: &Client| key.get(&format!("{}/messages", path(&hello))).page().column("read_at");
    let first = read_at(bea);
    assert!(first.iter().all(|at| at.parse::<jiff::Timestamp>().is_ok()), "{first:?}");
    bea.post(&format!("{}/read", path(&hello)), json!({})).ok();
    assert_eq!((unread(bea, &hello), read_at(ann)), (0, first));

    // Reading again changes nothing.
    let version = ann.get(&path(&hello)).header("etag").to_owned();
    ann.post(&format!("{}/read", path(&hello)), json!({})).ok();
    assert_eq!(ann.get(&path(&hello)).header("etag"), version);

    // Marked as unread, for Ann alone.
    let mark = || ann.post(&format!("{}/unread", path(&hello)), json!({})).ok();
    assert_eq!((mark()["unread_count"].clone(), mark()["unread_count"].clone()), (json!(1), json!(1)));
    assert_eq!((unread(ann, &hello), unread(bea, &hello)), (1, 0));
    scene.receive("carl", "Re: Hello", "A third one.");
    eventually("the third message", PATIENCE, || (unread(ann, &hello) == 2).then_some(()));
    assert_eq!(unread(bea, &hello), 1);

    // The events say who did it.
    let events = ann.get("/events?limit=100").page().rows;
    let of = |kind: &str| -> Vec<Value> {
        events.iter().filter(|event| event["type"] == kind).map(|event| event["changes"].clone()).collect()
    };
    assert_eq!(of("conversation.read"), [json!({"unread_count": [2, 0]}), json!({"unread_count": [2, 0]})]);
    assert_eq!(of("conversation.unread"), [json!({"unread_count": [0, 1]})]);
    assert!(of("conversation.updated").iter().all(|changes| changes["unread_count"].is_null()), "{events:?}");
}

fn unread_conversations_are_found_among_many(world: &World) {
    let scene = scene(world);
    let Scene { ann, bea, .. } = &scene;
    let first = scene.conversation("carl", "Hello", "A question.");
    eventually("the message", PATIENCE, || (unread(ann, &first) == 1).then_some(()));
    bea.post(&format!("{}/read", path(&first)), json!({})).ok();
    // 2,400 more conversations, half of which Bea has not read: more than a probe of the index reads.
    let columns = "workspace_id, version, channel, status, account_id, contact_id, subject, unread_count, created_at, \
         updated_at, assigned_to, snoozed_until, snooze_job";
    let mut sql = String::new();
    for n in 1..=2400 {
        let id = stored(world, &format!("00000000-0000-7000-8000-{n:012}"));
        sql += &format!(
            "INSERT INTO conversations (id, last_message_at, active_at, {columns}) \
             SELECT {id}, {n}, {n}, {columns} FROM conversations WHERE id = {};\n",
            stored(world, &first)
        );
        if n % 2 == 0 {
            sql += &format!(
                "INSERT INTO conversation_unread (workspace_id, user_id, conversation_id, n) \
                 SELECT workspace_id, user_id, {id}, 2 FROM members WHERE email = 'bea@example.com';\n"
            );
        }
    }
    world.change(&sql);
    let page = |key: &Client, more: &[(&str, &str)]| {
        let parameters = [&[("unread_count", "gt.0"), ("sort", "-active_at")], more].concat();
        key.list("/conversations", &parameters).page()
    };
    let (of_ann, of_bea) = (page(ann, &[]), page(bea, &[]));
    assert_eq!((of_ann.total(), of_ann.ids()), (1, vec![first]));
    assert_eq!((of_bea.total(), of_bea.rows.len()), (1200, 50));
    assert!(of_bea.rows.iter().all(|row| row["unread_count"] == 2), "{}", of_bea.rows[0]);
    let times = of_bea.column("active_at");
    assert!(times.is_sorted_by(|a, b| a > b), "{times:?}");
    let deep = page(bea, &[("offset", "1150"), ("status", "open")]);
    assert_eq!((deep.total(), deep.rows.len()), (1200, 50));
    assert!(deep.rows.iter().all(|row| row["unread_count"] == 2), "{}", deep.rows[0]);
    assert_eq!(page(bea, &[("limit", "1"), ("unread_count", "gt.2")]).total(), 0);
    // The stored totals do not know these rows.
    world.change("DELETE FROM conversations WHERE active_at <= 2400; DELETE FROM conversation_unread WHERE n = 2");
}

fn a_new_member_starts_without_unread_messages(world: &World) {
    let scene = scene(world);
    let hello = scene.conversation("carl", "Hello", "A question.");
    eventually("the message", PATIENCE, || (unread(&scene.bea, &hello) == 1).then_some(()));
    world.cli(["members", "add", "--email", "dora@example.com", "--role", "member"]).ok();
    let dora = world.key_with("full_access", &["--owner", "dora@example.com"]);
    assert_eq!(unread(&dora, &hello), 0);
    scene.receive("carl", "Re: Hello", "Another one.");
    eventually("the next message", PATIENCE, || (unread(&dora, &hello) == 1).then_some(()));
    assert_eq!(unread(&scene.bea, &hello), 2);
    // Nothing remains of a member who left.
    let rows = || world.count("SELECT CAST(count(*) AS text) FROM conversation_unread");
    assert_eq!(rows(), 3);
    remove(world, &dora);
    assert_eq!(rows(), 2);
}

fn conversations_are_assigned_to_members(world: &World) {
    let scene = scene(world);
    let Scene { ann, bea, .. } = &scene;
    let (first, second) = (scene.conversation("carl", "One", "Text"), scene.conversation("dora", "Two", "Text"));
    let user = |key: &Client| text(&key.get("/me").ok()["user"]["user_id"]);
    let (ann_id, bea_id) = (user(ann), user(bea));
    assert_eq!(ann.get(&path(&first)).ok()["assigned_to"], Value::Null);
    assert_eq!(ann.patch(&path(&first), json!({"assigned_to": bea_id})).ok()["assigned_to"], json!(bea_id));
    assert_eq!(found(ann, &[("assigned_to", &bea_id)]), [&*first]);
    assert_eq!(found(ann, &[("assigned_to", "is.null")]), [&*second]);
    assert_eq!(found(ann, &[("assigned_to", &bea_id), ("status", "open"), ("sort", "-active_at")]), [&*first]);
    assert!(found(ann, &[("assigned_to", &ann_id)]).is_empty());
    let event = ann.get("/events?limit=100&types=conversation").page().rows;
    let last = event.iter().rfind(|event| event["type"] == "conversation.updated").expect("an event").clone();
    assert_eq!(last["changes"], json!({"assigned_to": [null, bea_id]}));

    ann.patch(&path(&first), json!({"assigned_to": nobody()})).invalid("assigned_to").says("no member has this id");
    ann.patch(&path(&first), json!({"assigned_to": "bea"})).invalid("assigned_to");
    assert_eq!(ann.patch(&path(&first), json!({"assigned_to": null})).ok()["assigned_to"], Value::Null);
    // Like other records, a conversation keeps a member who left.
    ann.patch(&path(&first), json!({"assigned_to": bea_id})).ok();
    remove(world, bea);
    assert_eq!(found(ann, &[("assigned_to", &bea_id)]), [&*first]);
    ann.patch(&path(&first), json!({"assigned_to": bea_id})).invalid("assigned_to");
}

fn private_conversations_are_assigned_to_their_owner_alone(world: &World) {
    let outside = Outside::new("");
    world.cli(["members", "add", "--email", "bea@example.com", "--role", "member"]).ok();
    outside.mailbox(world, "bea@example.com", &["--owner", "bea@example.com", "--visibility", "owner"]);
    let (ann, bea) = (world.key("full_access"), world.key_with("full_access", &["--owner", "bea@example.com"]));
    let carl = contact(&bea, "Carl", "carl@example.com");
    let mail = json!({"contact_id": carl, "channel": "email", "subject": "Hello", "content": "Text"});
    let conversation = text(&bea.post("/messages", mail).created()["conversation_id"]);
    let user = |key: &Client| text(&key.get("/me").ok()["user"]["user_id"]);
    bea.patch(&path(&conversation), json!({"assigned_to": user(&ann)})).invalid("assigned_to").says("private");
    bea.patch(&path(&conversation), json!({"assigned_to": user(&bea)})).ok();
    ann.post(&format!("{}/unread", path(&conversation)), json!({})).not_found();
    // Unread messages of others in a private mailbox are in no list and no total.
    world.change(
        "INSERT INTO conversation_unread (workspace_id, user_id, conversation_id, n) \
         SELECT c.workspace_id, m.user_id, c.id, 1 FROM conversations c, members m WHERE m.role = 'owner'",
    );
    assert!(found(&ann, &[("unread_count", "gt.0")]).is_empty());
}

fn a_snooze_ends_at_its_time_and_brings_the_conversation_to_the_top(world: &World) {
    let scene = scene(world);
    let Scene { ann, .. } = &scene;
    let (first, second) = (scene.conversation("carl", "One", "Text"), scene.conversation("dora", "Two", "Text"));
    let inbox = || found(ann, &[("status", "open"), ("snoozed_until", "is.null"), ("sort", "-active_at")]);
    assert_eq!(inbox(), [&*second, &*first]);
    let until = time_in(4);
    assert_eq!(
        text(&ann.patch(&path(&first), json!({"snoozed_until": until})).ok()["snoozed_until"])[..19],
        until[..19]
    );
    assert_eq!(inbox(), [&*second]);
    assert_eq!(found(ann, &[("snoozed_until", "is.not_null"), ("sort", "snoozed_until")]), [&*first]);
    assert_eq!(found(ann, &[("snoozed_until", "lt.2100-01-01")]), [&*first]);
    let last = ann.get(&path(&first)).ok()["last_message_at"].clone();
    eventually("the end of the snooze", PATIENCE, || (inbox().len() == 2).then_some(()));
    assert!(now().to_string() > until, "not before its time");
    assert_eq!(inbox(), [&*first, &*second], "at the top");
    let shown = ann.get(&path(&first)).ok();
    assert_eq!((&shown["snoozed_until"], &shown["last_message_at"]), (&Value::Null, &last));
    let events = ann.get("/events?limit=100&types=conversation").page().rows;
    let woke = events.iter().rfind(|event| event["record"]["id"] == json!(first)).expect("an event");
    assert_eq!(woke["changes"]["snoozed_until"][1], Value::Null, "{woke}");

    // A later time replaces the earlier one, whose job is gone.
    let jobs = || world.count("SELECT CAST(count(*) AS text) FROM jobs WHERE kind = 'conversation.wake'");
    for hours in [1, 2, 24 * 365] {
        ann.patch(&path(&first), json!({"snoozed_until": time_in(hours * 3600)})).ok();
    }
    assert_eq!(jobs(), 1);
    // A record that is read, changed and sent back keeps its snooze.
    let mut record = ann.get(&path(&first)).ok();
    ann.put(&path(&first), record.clone()).ok();
    assert_eq!(ann.get(&path(&first)).ok()["snoozed_until"], record["snoozed_until"]);
    record["status"] = json!("archived");
    assert_eq!(ann.put(&path(&first), record).ok()["snoozed_until"], Value::Null);
    assert_eq!(jobs(), 0);

    ann.patch(&path(&second), json!({"snoozed_until": "2026-01-01T00:00:00Z"})).invalid("snoozed_until").says("past");
    let late = ann.patch(&path(&second), json!({"snoozed_until": time_in(367 * 24 * 3600)}));
    late.invalid("snoozed_until").says("more than a year ahead");
    ann.patch(&path(&second), json!({"snoozed_until": time_in(3600)})).ok();
    assert_eq!(ann.patch(&path(&second), json!({"snoozed_until": null})).ok()["snoozed_until"], Value::Null);
    assert_eq!(jobs(), 0);
}

fn a_received_message_ends_a_snooze(world: &World) {
    let scene = scene(world);
    let Scene { ann, .. } = &scene;
    let hello = scene.conversation("carl", "Hello", "Text");
    ann.patch(&path(&hello), json!({"snoozed_until": time_in(3600)})).ok();
    // A sent message does not end it.
    ann.post(&format!("{}/messages", path(&hello)), json!({"content": "I will look at it."})).created();
    assert!(ann.get(&path(&hello)).ok()["snoozed_until"].is_string());
    scene.receive("carl", "Re: Hello", "It is urgent.");
    eventually("the end of the snooze", PATIENCE, || {
        ann.get(&path(&hello)).ok()["snoozed_until"].is_null().then_some(())
    });
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM jobs WHERE kind = 'conversation.wake'"), 0);
}

fn archiving_ends_a_snooze(world: &World) {
    let scene = scene(world);
    let Scene { ann, .. } = &scene;
    let hello = scene.conversation("carl", "Hello", "Text");
    ann.patch(&path(&hello), json!({"snoozed_until": time_in(3600)})).ok();
    assert_eq!(ann.patch(&path(&hello), json!({"status": "archived"})).ok()["snoozed_until"], Value::Null);
    let later = time_in(3600);
    ann.patch(&path(&hello), json!({"snoozed_until": later})).invalid("snoozed_until").says("send status open");
    let both = json!({"status": "archived", "snoozed_until": later});
    ann.patch(&path(&hello), both).invalid("snoozed_until").says("archived");
    let open = ann.patch(&path(&hello), json!({"status": "open", "snoozed_until": later})).ok();
    assert!(open["snoozed_until"].is_string(), "{open}");
}

fn messages_are_found_by_their_words(world: &World) {
    let scene = scene(world);
    let Scene { ann, .. } = &scene;
    let first = scene.conversation("carl", "Invoice 4711", "Please find the überweisung attached.");
    let second = scene.conversation("dora", "Lunch", "Shall we meet for lunch?");
    ann.post(&format!("{}/messages", path(&second)), json!({"content": "The invoice can wait. Tuesday?"})).created();
    let by = |words: &str| {
        let mut ids = found(ann, &[("search", words)]);
        ids.sort_unstable();
        ids
    };
    let mut both = vec![first.clone(), second.clone()];
    both.sort_unstable();
    let check = || {
        assert_eq!(by("INVOICE"), both, "in a subject and in a text");
        assert_eq!(by("invoice 4711"), [&*first]);
        assert_eq!(by("überweisung"), [&*first]);
        assert_eq!(by("carl@example.com"), [&*first], "by the address");
        assert_eq!(by("tues"), [&*second], "the beginning of a word");
        // All words are in one message.
        assert!(by("invoice meet").is_empty());
        assert!(by("nonesuch").is_empty());
        assert_eq!(by("").len(), 2);
        assert_eq!(found(ann, &[("search", "invoice"), ("sort", "-active_at")]), [&*second, &*first]);
        assert!(found(ann, &[("search", "invoice"), ("status", "archived")]).is_empty());
        let messages = ann.list("/messages", &[("search", "invoice")]).page();
        assert_eq!((messages.total(), messages.rows.len()), (2, 2));
        let of_one = format!("{}/messages", path(&first));
        assert_eq!(ann.list(&of_one, &[("search", "invoice")]).page().total(), 1);
        assert_eq!(ann.list(&of_one, &[("search", "lunch")]).page().total(), 0);
    };
    // Before the index is written, and after.
    check();
    eventually("the index", PATIENCE, || {
        (world.count("SELECT CAST(count(*) AS text) FROM message_texts") == 3).then_some(())
    });
    check();
    ann.list("/conversations", &[("search", &"a ".repeat(21))]).invalid("search").says("at most 20");
    ann.list("/conversations", &[("search", &"a".repeat(501))]).invalid("search").says("at most 500");
    ann.list("/conversations", &[("serach", "a")]).invalid("serach").says("did you mean search?");
}

fn private_messages_are_found_by_their_owner_alone(world: &World) {
    let outside = Outside::new("");
    world.cli(["members", "add", "--email", "bea@example.com", "--role", "member"]).ok();
    outside.mailbox(world, "bea@example.com", &["--owner", "bea@example.com", "--visibility", "owner"]);
    let (ann, bea) = (world.key("full_access"), world.key_with("full_access", &["--owner", "bea@example.com"]));
    let carl = contact(&bea, "Carl", "carl@example.com");
    let mail = json!({"contact_id": carl, "channel": "email", "subject": "Hello", "content": "The zanzibar plan"});
    bea.post("/messages", mail).created();
    for _ in 0..2 {
        for list in ["/conversations", "/messages"] {
            let total = |key: &Client| key.list(list, &[("search", "zanzibar")]).page().total();
            assert_eq!((total(&ann), total(&bea)), (0, 1), "{list}");
        }
        eventually("the index", PATIENCE, || {
            (world.count("SELECT CAST(count(*) AS text) FROM message_texts") == 1).then_some(())
        });
    }
}

fn erased_messages_are_not_found(world: &World) {
    let scene = scene(world);
    let Scene { ann, .. } = &scene;
    let hello = scene.conversation("carl", "Hello", "The zanzibar plan");
    ann.patch(&path(&hello), json!({"snoozed_until": time_in(3600)})).ok();
    eventually("the index", PATIENCE, || {
        (world.count("SELECT CAST(count(*) AS text) FROM message_texts WHERE text LIKE '%zanzibar%'") == 1)
            .then_some(())
    });
    let carl = text(&ann.get(&path(&hello)).ok()["contact"]["id"]);
    ann.delete(&format!("/contacts/{carl}?erase=true")).is(202);
    eventually("the end of the erasure", PATIENCE, || {
        (world.count("SELECT CAST(count(*) AS text) FROM jobs WHERE kind = 'record.erase'") == 0).then_some(())
    });
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM message_texts"), 0);
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM conversation_unread"), 0);
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM jobs WHERE kind = 'conversation.wake'"), 0);
    assert!(found(ann, &[("search", "zanzibar")]).is_empty());
}
