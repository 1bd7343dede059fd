//! Private mailboxes: their conversations and messages are seen by the owner of the account alone.

use serde_json::{Value, json};

use crate::dashboard;
use crate::outreach::{becomes, enrolled, started};
use crate::support::document;
use crate::support::outside::contact;
use crate::support::*;

stories![
    no_operation_shows_what_is_private_to_another_member,
    streams_leave_out_what_is_private,
    sequences_drafts_and_merges_keep_private_mails_private,
    a_private_mailbox_is_used_by_its_owner_alone,
    the_owner_alone_changes_who_sees_a_mailbox,
    mails_of_private_and_other_mailboxes_stay_apart,
    the_servers_of_a_private_mailbox_are_changed_by_its_owner,
];

/// A text that only private messages contain.
const MARK: &str = "qzprivate";

/// Bea's private mailbox with a mail that she sent to Ada and Ada's answer with a file. The workspace belongs to another
/// member.
struct Scene {
    outside: Outside,
    bea: Client,
    ada: String,
    account: String,
    message: String,
    conversation: String,
    answer: Value,
}

#[track_caller]
fn scene(world: &World, visibility: &str) -> Scene {
    let outside = Outside::new("");
    world.cli(["members", "add", "--email", "bea@example.com", "--role", "member"]).ok();
    let bea = world.key_with("full_access", &["--owner", "bea@example.com"]);
    let account =
        outside.mailbox(world, "bea@example.com", &["--owner", "bea@example.com", "--visibility", visibility]);
    let ada = contact(&bea, "Ada", "ada@example.com");
    let body = json!({
        "contact_id": ada, "channel": "email", "subject": format!("{MARK} offer"), "content": format!("{MARK} text"),
    });
    let sent = bea.post("/messages", body).created();
    let (message, conversation) = (text(&sent["id"]), text(&sent["conversation_id"]));
    let reference = eventually("the mail", PATIENCE, || {
        let mails = outside.to("ada@example.com");
        let mail = String::from_utf8_lossy(&mails.first()?.content).into_owned();
        mail.lines().find_map(|line| line.strip_prefix("Message-ID: ")).map(|id| id.trim().to_owned())
    });
    outside.deliver(
        "bea@example.com",
        &format!(
            "From: Ada <ada@example.com>\nTo: bea@example.com\nSubject: Re: {MARK} offer\nIn-Reply-To: {reference}\n\
             Message-ID: <1@elsewhere.example>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n\
             --b\nContent-Type: text/plain\n\n{MARK} answer\n--b\nContent-Type: text/plain; name={MARK}.txt\n\
             Content-Disposition: attachment; filename={MARK}.txt\n\n{MARK} file\n--b--\n"
        ),
    );
    // A mail from an unknown sender is listed, and not stored.
    let unknown =
        "From: eve@example.com\nTo: bea@example.com\nSubject: qzprivate unknown\nMessage-ID: <2@e.example>\n\nHi\n";
    outside.deliver("bea@example.com", unknown);
    let inbound = format!("/conversations/{conversation}/messages?direction=inbound");
    let answer = eventually("the answer", PATIENCE, || bea.get(&inbound).page().rows.into_iter().next());
    let unstored = format!("/connected-accounts/{account}/unstored");
    eventually("the mail of an unknown sender", PATIENCE, || bea.get(&unstored).page().rows.into_iter().next());
    Scene { outside, bea, ada, account, message, conversation, answer }
}

/// The operations, by method and path, whose answers contain the mark: each is called with each id in its path.
fn telling(ids: &[&str], operations: &[document::Operation], send: &dyn Fn(&str) -> Answer) -> Vec<String> {
    let mut found = Vec::new();
    for operation in operations.iter().filter(|one| one.method == "GET" && !one.path.ends_with("/stream")) {
        let tells = |path: &str| send(path).text().contains(MARK);
        let paths: Vec<String> = match operation.has_path_parameter() {
            true => ids.iter().map(|id| operation.path_with(id)).collect(),
            false => vec![operation.path.clone()],
        };
        if paths.iter().any(|path| tells(path)) {
            found.push(operation.path.clone());
        }
    }
    found
}

fn no_operation_shows_what_is_private_to_another_member(world: &World) {
    world.set(&["--rate-limit", "1000000"]);
    let Scene { outside: _mailboxes, bea, ada, account, message, conversation, answer } = scene(world, "owner");
    let (admin, session) = (world.key("full_access"), dashboard::owner(world));
    let answer_id = text(&answer["id"]);
    let ids = [ada.as_str(), &account, &message, &conversation, &answer_id];
    let operations = document::of(&world.origin()).operations();
    // What the owner sees, which shows that the search finds it.
    let seen = telling(&ids, &operations, &|path| bea.get(path));
    let expected = [
        "/connected-accounts/{id}/unstored",
        "/contacts/{id}/conversations",
        "/contacts/{id}/timeline",
        "/conversations",
        "/conversations/{id}",
        "/conversations/{id}/messages",
        "/events",
        "/messages",
        "/messages/{id}",
    ];
    let mut sorted: Vec<&str> = seen.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    assert_eq!(sorted, expected);
    assert_eq!(telling(&ids, &operations, &|path| admin.get(path)), Vec::<String>::new(), "a key of another member");
    assert_eq!(telling(&ids, &operations, &|path| session.get(path)), Vec::<String>::new(), "a session");
    let inside = document::of_dashboard().operations();
    let told = telling(&ids, &inside, &|path| {
        session.inside("GET", path.strip_prefix("/dashboard").unwrap_or_else(|| panic!("{path}"))).send()
    });
    assert_eq!(told, Vec::<String>::new(), "the dashboard");

    // Totals count what is seen.
    assert_eq!((bea.get("/conversations").page().total(), admin.get("/conversations").page().total()), (1, 0));
    assert_eq!((bea.get("/messages").page().total(), admin.get("/messages").page().total()), (2, 0));
    // Files and changes.
    let file = format!("/messages/{answer_id}/attachments/{}", text(&answer["attachments"][0]["id"]));
    assert!(bea.get(&file).text().contains("qzprivate file"));
    admin.get(&file).not_found();
    admin.put(&format!("/conversations/{conversation}"), json!({"status": "archived"})).not_found();
    admin.post(&format!("/conversations/{conversation}/read"), json!({})).not_found();
    admin.post(&format!("/conversations/{conversation}/unread"), json!({})).not_found();
    admin.post(&format!("/conversations/{conversation}/messages"), json!({"content": "Hello"})).not_found();
    admin.put(&format!("/messages/{message}"), json!({"send_at": null})).not_found();
    admin.post(&format!("/messages/{message}/cancel"), json!({})).not_found();
    // A condition does not tell that the record exists.
    for (method, path) in [
        ("PUT", format!("/conversations/{conversation}")),
        ("POST", format!("/conversations/{conversation}/read")),
        ("PUT", format!("/messages/{message}")),
        ("POST", format!("/messages/{message}/cancel")),
    ] {
        admin.request(method, &path).header("If-Match", "\"1-abc\"").json(&json!({})).send().not_found();
    }
    let own = bea.post("/message-templates", json!({"name": "Own", "content": "Hi"})).created();
    let own = format!("/message-templates/{}", text(&own["id"]));
    admin.request("DELETE", &own).header("If-Match", "\"9-abc\"").send().not_found();

    // A mailbox that is no longer private is seen with its history, and the other way round.
    world.run(&["accounts", "set", &account, "--visibility", "workspace"]).ok();
    assert_eq!(telling(&ids, &operations, &|path| admin.get(path)).len(), expected.len());
    world.run(&["accounts", "set", &account, "--visibility", "owner"]).ok();
    assert_eq!(telling(&ids, &operations, &|path| admin.get(path)), Vec::<String>::new(), "private again");
    // It stays private when the account is removed.
    world.run(&["accounts", "remove", &account]).ok();
    assert_eq!(telling(&ids, &operations, &|path| admin.get(path)), Vec::<String>::new(), "removed");
    assert_eq!(bea.get("/messages").page().total(), 2);
}

fn streams_leave_out_what_is_private(world: &World) {
    let Scene { outside, bea, ada, conversation, .. } = scene(world, "owner");
    let admin = world.key("full_access");
    let start = admin.list("/events", &[("after", "latest")]).page();
    let last = text(&start.meta["last"]);
    // One stream follows from now on, the other catches up with the history.
    let (hers, others) = (Listener::open(&bea, "/events/stream", None), Listener::open(&admin, "/events/stream", None));
    let history = Listener::open(&admin, "/events/stream?after=0", None);
    let body = json!({"content": format!("{MARK} again")});
    bea.post(&format!("/conversations/{conversation}/messages"), body).created();
    eventually("the second mail", PATIENCE, || (outside.to("ada@example.com").len() == 2).then_some(()));
    // The last event that both see.
    let tag = admin.post("/tags", json!({"name": "The end"})).created();
    let until_end = |listener: &Listener| {
        let mut told = Vec::new();
        loop {
            let event = listener.event();
            if event.data["record"]["id"] == tag["id"] {
                return told;
            }
            told.push(event.data);
        }
    };
    let kinds = |events: &[Value]| {
        let told = |event: &&Value| matches!(event["record"]["type"].as_str(), Some("message" | "conversation"));
        events.iter().filter(told).count()
    };
    let told = until_end(&hers);
    assert!(kinds(&told) >= 2 && json!(told).to_string().contains(MARK), "{told:?}");
    for (which, listener) in [("live", &others), ("from the beginning", &history)] {
        let told = until_end(listener);
        assert_eq!(kinds(&told), 0, "{which}: {told:?}");
        assert!(!json!(told).to_string().contains(MARK), "{which}: {told:?}");
    }
    // The feed moves on past what it leaves out.
    let rows = admin.list("/events", &[("after", &last)]).page().rows;
    assert_eq!(kinds(&rows), 0, "{rows:?}");
    assert!(rows.iter().any(|event| event["record"]["id"] == tag["id"]), "{rows:?}");
    let timeline = admin.get(&format!("/contacts/{ada}/timeline")).page().rows;
    assert!(!timeline.is_empty() && kinds(&timeline) == 0, "{timeline:?}");
}

/// What the owner's sequence sent, her drafts, and her conversations after somebody else has merged the contact.
fn sequences_drafts_and_merges_keep_private_mails_private(world: &World) {
    world.set(&["--rate-limit", "1000000"]);
    let Scene { outside, bea, ada, account, message, conversation, .. } = scene(world, "owner");
    let (admin, session) = (world.key("full_access"), dashboard::owner(world));
    // The mark is in what is sent, not in the steps, which every member sees.
    let steps = json!([{
        "type": "email", "sender_ids": [account],
        "subject": "{{ \"qz\" ~ \"private\" }} step", "body": "{{ \"qz\" ~ \"private\" }} by a sequence",
    }]);
    let cy = contact(&bea, "Cy", "cy@example.com");
    let sequence = started(&bea, steps, json!({}));
    let enrollment = enrolled(&bea, &sequence, &cy);
    becomes(&bea, &enrollment, "finished");
    let draft = bea.post("/message-drafts", json!({"contact_id": cy, "content": format!("{MARK} draft")})).created();
    let by_sequence = bea.get(&format!("/contacts/{cy}/conversations")).page().rows.remove(0);
    assert!(by_sequence.to_string().contains(MARK), "{by_sequence}");
    // Somebody who does not see the mails merges both people.
    let twin = contact(&admin, "A. Byron", "byron@example.com");
    let merge = admin.post("/contacts/merge", json!({"into": twin, "from": [ada, cy]})).ok();
    let merge_id = text(&merge["id"]);
    let (draft, thread, made) = (text(&draft["id"]), text(&by_sequence["id"]), text(&sequence["id"]));
    let enrollment = enrollment.rsplit('/').next().unwrap_or_default().to_owned();
    let ids =
        [ada.as_str(), &cy, &twin, &account, &message, &conversation, &draft, &thread, &made, &enrollment, &merge_id];
    let operations = document::of(&world.origin()).operations();
    let inside = document::of_dashboard().operations();
    let seen_by_others = || {
        let mut seen = telling(&ids, &operations, &|path| admin.get(path));
        seen.extend(telling(&ids, &operations, &|path| session.get(path)));
        seen.extend(telling(&ids, &inside, &|path| {
            session.inside("GET", path.strip_prefix("/dashboard").unwrap_or_else(|| panic!("{path}"))).send()
        }));
        seen
    };
    let of_owner = telling(&ids, &operations, &|path| bea.get(path));
    for path in ["/message-drafts/{id}", "/contacts/{id}/conversations", "/contacts/{id}/timeline"] {
        assert!(of_owner.iter().any(|seen| seen == path), "{path} is not in {of_owner:?}");
    }
    assert_eq!(seen_by_others(), Vec::<String>::new(), "after a merge");
    admin.delete(&format!("/message-drafts/{draft}")).not_found();
    let page = bea.get(&format!("/contacts/{twin}/conversations")).page();
    assert_eq!(page.total(), 2, "the owner sees hers at the contact that is left");
    assert_eq!(admin.get(&format!("/contacts/{twin}/conversations")).page().total(), 0);
    admin.post(&format!("/contacts/merge/{merge_id}/undo"), json!({})).ok();
    assert_eq!(seen_by_others(), Vec::<String>::new(), "after an undo");
    assert_eq!(bea.get(&format!("/contacts/{ada}/conversations")).page().total(), 1);
    drop(outside);
}

fn a_private_mailbox_is_used_by_its_owner_alone(world: &World) {
    let Scene { outside, bea, ada, account, answer, .. } = scene(world, "owner");
    let admin = world.key("full_access");
    // Loading images takes a POST, which the story above does not send.
    let images = format!("/messages/{}/images", text(&answer["id"]));
    dashboard::owner(world).inside("POST", &images).json(&json!({})).send().not_found();
    let to_ada = json!({"contact_id": ada, "channel": "email", "subject": "Hello", "content": "Hello"});
    let mut with = to_ada.clone();
    with["account_id"] = json!(account);
    admin.post("/messages", with.clone()).invalid("account_id").says("the private mailbox of another member");
    // It is not chosen for others either, but for its owner.
    admin.post("/messages", to_ada.clone()).invalid("channel").says("no account is connected for email");
    bea.post("/messages", with).created();
    outside.mailbox(world, "office@example.com", &[]);
    let sent = admin.post("/messages", to_ada).created();
    let shown = admin.get(&format!("/conversations/{}", text(&sent["conversation_id"]))).ok();
    assert_ne!(shown["account_id"], json!(account));
    // The account itself is listed, so that all know who receives what.
    assert_eq!(admin.get(&format!("/connected-accounts/{account}")).ok()["visibility"], "owner");
}

fn the_owner_alone_changes_who_sees_a_mailbox(world: &World) {
    let outside = Outside::new("");
    let (admin, bea) = (dashboard::owner(world), dashboard::member(world, "bea@example.com", "member"));
    let account = outside.mailbox(world, "bea@example.com", &["--owner", "bea@example.com"]);
    let path = format!("/accounts/{account}");
    let change = |who: &Client, visibility: &str| {
        who.inside("PUT", &path).json(&json!({"visibility": visibility, "test": false})).send()
    };
    assert_eq!(admin.inside("GET", &path).send().ok()["visibility"], "workspace");
    change(&admin, "owner").invalid("visibility").says("by the owner of the account alone");
    assert_eq!(change(&bea, "owner").ok()["visibility"], "owner");
    change(&admin, "workspace").invalid("visibility");
    // Other settings are still an admin's business, and a body that repeats the value changes nothing.
    assert_eq!(change(&admin, "owner").ok()["visibility"], "owner");
    assert_eq!(change(&bea, "workspace").ok()["visibility"], "workspace");
    change(&bea, "nobody").invalid("visibility").says("workspace");
    world.run(&["accounts", "set", &account, "--visibility", "all"]).refused();
}

/// The Message-ID of the first mail to an address.
fn reference_of(outside: &Outside, address: &str) -> String {
    eventually("the mail", PATIENCE, || {
        let mails = outside.to(address);
        let mail = String::from_utf8_lossy(&mails.first()?.content).into_owned();
        mail.lines().find_map(|line| line.strip_prefix("Message-ID: ")).map(|id| id.trim().to_owned())
    })
}

fn mails_of_private_and_other_mailboxes_stay_apart(world: &World) {
    let Scene { outside, bea, .. } = scene(world, "owner");
    let admin = world.key("full_access");
    outside.mailbox(world, "office@example.com", &[]);
    let cy = contact(&admin, "Cy", "cy@example.com");
    let body = json!({"contact_id": cy, "channel": "email", "subject": "Known", "content": "Known to all"});
    let sent = admin.post("/messages", body).created();
    let thread = text(&sent["conversation_id"]);
    let answers = format!("In-Reply-To: {}", reference_of(&outside, "cy@example.com"));
    let mail = |to: &str, id: &str, more: &str, words: &str| {
        format!("From: cy@example.com\nTo: {to}\nSubject: Re: Known\nMessage-ID: <{id}@e.example>\n{more}\n\n{words}\n")
    };
    // An answer to a thread that all see, which arrives in the private mailbox, is not shown to all.
    outside.deliver("bea@example.com", &mail("bea@example.com", "3", &answers, "qzprivate side"));
    let of_bea = |words: &str| {
        let rows = bea.get("/messages?direction=inbound").page().rows;
        rows.into_iter().find(|row| text(&row["content"]).contains(words))
    };
    let of_admin = |words: &str| {
        let rows = admin.get("/messages?direction=inbound").page().rows;
        rows.into_iter().find(|row| text(&row["content"]).contains(words))
    };
    let aside = eventually("the mail to Bea", PATIENCE, || of_bea("side"));
    assert_ne!(text(&aside["conversation_id"]), thread);
    assert_eq!(of_admin("side"), None);
    // The same mail in both mailboxes is seen by the owners of both.
    let both = mail("bea@example.com, office@example.com", "4", "X: y", "qzboth");
    outside.deliver("bea@example.com", &both);
    eventually("Bea's copy", PATIENCE, || of_bea("qzboth"));
    outside.deliver("office@example.com", &both);
    eventually("the office's copy", PATIENCE, || of_admin("qzboth"));
    // An answer to a private mail that arrives in another mailbox is seen there.
    let to_private = format!("In-Reply-To: {}", reference_of(&outside, "ada@example.com"));
    outside.deliver("office@example.com", &mail("office@example.com", "5", &to_private, "qzoffice"));
    eventually("the mail to the office", PATIENCE, || of_admin("qzoffice"));
}

fn the_servers_of_a_private_mailbox_are_changed_by_its_owner(world: &World) {
    let outside = Outside::new("");
    let (admin, bea) = (dashboard::owner(world), dashboard::member(world, "bea@example.com", "member"));
    let account = outside.mailbox(world, "bea@example.com", &["--owner", "bea@example.com", "--visibility", "owner"]);
    let path = format!("/accounts/{account}");
    let change = |who: &Client, name: &str, value: &str| {
        who.inside("PUT", &path).json(&json!({name: value, "test": false})).send()
    };
    for (name, value) in
        [("smtp", "smtp://eve:x@mail.example.com"), ("imap", "imap://eve:x@mail.example.com"), ("signature", "Eve")]
    {
        change(&admin, name, value).invalid(name).says("its owner alone changes it");
    }
    assert_eq!(change(&admin, "name", "Bea").ok()["name"], "Bea");
    assert_eq!(change(&bea, "signature", "Bea").ok()["signature"], "Bea");
    // Nobody else resolves its messages, or learns how many there are.
    let key = world.key("full_access");
    let asked = json!({"sent": true, "account_id": account, "dry_run": true});
    key.post("/messages/resolve", asked.clone()).invalid("account_id").says("private account of another member");
    world.key_with("full_access", &["--owner", "bea@example.com"]).post("/messages/resolve", asked).ok();
}
