//! Sending and receiving over real servers, Postfix and Dovecot, which `bin/mailserver` runs: two workspaces write to each
//! other.

use serde_json::{Value, json};

use crate::support::mailserver;
use crate::support::outside::contact;
use crate::support::*;

stories![two_workspaces_write_to_each_other_over_real_servers, real_refusals_are_classified];

/// The URL of a real server, with a login.
fn url(protocol: &str, user: &str) -> String {
    let folder = std::env::var("RELATA_TEST_MAIL").unwrap_or_else(|_| {
        panic!("RELATA_TEST_MAIL is not set: run bin/test, or bin/mailserver start FOLDER and set it to FOLDER")
    });
    let urls = std::fs::read_to_string(format!("{folder}/urls")).expect("the servers' addresses");
    let line = urls.lines().find_map(|line| line.strip_prefix(&format!("{protocol} "))).expect("a server");
    let user = encoded(user);
    let url = line.split_once("://").map(|(scheme, rest)| {
        let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
        format!("{scheme}://{user}:relata@{host}")
    });
    url.expect("an address")
}

#[track_caller]
fn mailbox(world: &World, slug: &str, address: &str) -> String {
    let (smtp, imap) = (url("smtp", address), url("imap", address));
    let add = ["accounts", "add", "--provider", "email", "--name", "Somebody", "--address", address];
    world.run(&[&add[..], &["--smtp", &smtp, "--imap", &imap, "--workspace", slug]].concat()).ok().to_owned()
}

#[track_caller]
fn ended(key: &Client, message: &Value) -> Value {
    eventually("the end of a message", PATIENCE, || {
        Some(key.get(&format!("/messages/{}", text(&message["id"]))).ok()).filter(|it| it["status"] != "queued")
    })
}

fn two_workspaces_write_to_each_other_over_real_servers(world: &World) {
    let theirs = world.workspace("theirs");
    let (key, their_key) = (world.key("full_access"), theirs.key("full_access"));
    let own = nobody().replace('-', "");
    let run = now().as_millisecond();
    let (ann, bob) = (format!("ann.{own}.{run}@example.com"), format!("bob.{own}.{run}@example.com"));
    mailbox(world, "main", &ann);
    mailbox(world, "theirs", &bob);
    let bob_here = contact(&key, "Bob", &bob);
    let ann_there = contact(&their_key, "Ann", &ann);
    let body = json!({"contact_id": bob_here, "channel": "email", "subject": "Grüße, 田中", "content": "<p>Hello <b>Bob</b></p>"});
    let sent = key.post("/messages", body).created();
    assert_eq!(ended(&key, &sent)["status"], "sent");

    // Postfix does not file what it sends.
    world.change("UPDATE sends SET due_at = created_at WHERE state = 'filing'");
    let copies = || mailserver::mails_to(&format!("{ann}/.Sent"));
    eventually("the copy in the Sent folder", PATIENCE, || (copies().len() == 1).then_some(()));
    assert!(copies()[0].contains("Message-ID: "), "{copies:?}", copies = copies());

    let thread = eventually("the mail at the other side", PATIENCE, || {
        their_key.get(&format!("/contacts/{ann_there}/conversations")).page().rows.into_iter().next()
    });
    assert_eq!((&thread["subject"], &thread["unread_count"]), (&json!("Grüße, 田中"), &json!(1)));
    let messages = format!("/conversations/{}/messages", text(&thread["id"]));
    let came = their_key.get(&messages).page().rows.remove(0);
    assert!(text(&came["html"]).contains("<b>Bob</b>"), "{came}");
    let reply = their_key.post(&messages, json!({"content": "Hello Ann.\n.\nA dot alone is no end."})).created();
    assert_eq!(ended(&their_key, &reply)["status"], "sent");

    let path = format!("/conversations/{}/messages?direction=inbound", text(&sent["conversation_id"]));
    let back = eventually("the reply", PATIENCE, || key.get(&path).page().rows.into_iter().next());
    assert!(text(&back["content"]).contains("\n.\nA dot alone"), "{back}");
    assert_eq!(back["subject"], "Re: Grüße, 田中");
    assert_eq!(key.get(&format!("/contacts/{bob_here}")).ok()["global_status"], "replied");
}

fn real_refusals_are_classified(world: &World) {
    let key = world.key("full_access");
    let ann = format!("ann.{}.{}@example.com", nobody().replace('-', ""), now().as_millisecond());
    let account = mailbox(world, "main", &ann);
    let (unknown, busy) = (contact(&key, "Gone", "unknown@example.com"), contact(&key, "Busy", "busy@example.com"));
    let send = |contact: &str| {
        key.post("/messages", json!({"contact_id": contact, "channel": "email", "content": "Hi"})).created()
    };
    let (unknown, busy) = (send(&unknown), send(&busy));
    let failed = ended(&key, &unknown);
    assert_eq!(failed["status"], "failed");
    assert!(text(&failed["error"]).contains("550"), "{failed}");
    assert_eq!(key.get("/suppressions").page().column("address"), ["unknown@example.com"]);
    assert_eq!(key.get(&format!("/messages/{}", text(&busy["id"]))).ok()["status"], "queued", "the message is retried");
    assert_eq!(key.get(&format!("/connected-accounts/{account}")).ok()["status"], "connected");
    let wrong = url("smtp", &ann).replace(":relata@", ":other@");
    let add = ["accounts", "add", "--provider", "email", "--name", "Ann", "--address", &ann, "--smtp", &wrong];
    let refused = world.run(&add);
    assert!(refused.refused().contains("smtp: ") && !refused.refused().contains("other"), "{refused}");
}
