//! Events that a provider sends by webhook: many in one, and some that can't be read.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};

use connect::provider::webhook;
use serde_json::{Value, json};

use crate::support::*;
use crate::write_units::Watch;

stories![
    webhooks_with_many_events_are_brief,
    unreadable_events_hold_up_no_others,
    an_answer_with_too_many_values_is_refused,
];

/// A provider that answers everything with these events, if there are any. It passes on the secret of each webhook that it
/// is given.
fn provider(events: &str) -> (String, Receiver<String>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let port = listener.local_addr().expect("its address").port();
    let (sender, secrets) = channel();
    let events = events.to_owned();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (sender, events) = (sender.clone(), events.clone());
            std::thread::spawn(move || answer(stream, &events, &sender));
        }
    });
    (format!("http://127.0.0.1:{port}"), secrets)
}

/// Answers one request; a stream that breaks is the server's end.
fn answer(mut stream: TcpStream, events: &str, secrets: &Sender<String>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(given) = line.to_lowercase().strip_prefix("content-length:") {
            length = given.trim().parse().ok()?;
        }
        head += &line;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let given: Value = serde_json::from_slice(&body).unwrap_or_default();
    if let Some(secret) = given["secret"].as_str() {
        secrets.send(secret.to_owned()).ok()?;
    }
    let content = match head.split(' ').nth(1)?.contains("/events") || !events.is_empty() {
        true => format!(r#"{{"events": [{events}], "cursor": "0", "has_more": false}}"#),
        false => "{}".to_owned(),
    };
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n";
    stream.write_all(format!("{head}Content-Length: {}\r\n\r\n{content}", content.len()).as_bytes()).ok()
}

/// An account whose provider sends events by webhook, and a contact with a phone number.
struct Scene<'a> {
    world: &'a World,
    key: Client,
    path: String,
    secret: String,
}

const PHONE: &str = "+442079460001";

impl Scene<'_> {
    fn new(world: &World) -> Scene<'_> {
        world.stop();
        world.start_by(&format!("exec \"$@\" --public-url {}", world.origin()));
        let key = world.key("full_access");
        let (url, secrets) = provider("");
        let add =
            ["accounts", "add", "--provider", "chat", "--name", "Ann", "--url", &url, "--token", "any", "--no-test"];
        let account = world.run(&add).ok().to_owned();
        let workspace = text(&key.get("/me").ok()["workspace"]["id"]);
        let secret = secrets.recv_timeout(PATIENCE).expect("a webhook");
        key.post("/contacts", json!({"first_name": "Ada", "phone": PHONE})).created();
        Scene { world, key, path: format!("/hooks/accounts/{workspace}/{account}"), secret }
    }

    #[track_caller]
    fn send(&self, body: &str) {
        let at = now().as_second().to_string();
        let signature = webhook::sign(&self.secret, "1", &at, body.as_bytes()).expect("a secret");
        let hook = self.world.stranger();
        let request = hook.visit(&self.path).method("POST");
        let request = request.header("webhook-id", "1").header("webhook-timestamp", &at);
        request.header("webhook-signature", &signature).body(body).send().is(200);
    }

    fn stored(&self) -> u64 {
        self.key.get("/messages?direction=inbound&limit=1").page().total()
    }
}

/// A message that the contact wrote.
fn event(id: &str, words: &str) -> Value {
    json!({
        "id": id, "at": now().to_string(), "from": {"profile_id": "p", "phone": PHONE},
        "type": "message.received", "message_id": id, "text": words,
    })
}

fn webhooks_with_many_events_are_brief(world: &World) {
    let scene = Scene::new(world);
    let many = if is_long() { 5000 } else { 600 };
    let mut events: Vec<Value> = (0..many).map(|n| event(&format!("m{n}"), "Hi")).collect();
    let long = "word ".repeat(20_000);
    events.extend((0..2).map(|n| event(&format!("long{n}"), &long)));
    let body = json!({ "events": events }).to_string();
    let mut watch = Watch::new(world, &scene.key);
    let slow = watch.verdict_of_one(&mut || scene.send(&body));
    assert_eq!(slow, None, "{} events in one webhook", events.len());
    // Each is stored, and once, however often it is delivered.
    assert_eq!(scene.stored(), events.len() as u64);
    scene.send(&body);
    assert_eq!(scene.stored(), events.len() as u64);
    watch.end();
}

fn unreadable_events_hold_up_no_others(world: &World) {
    let scene = Scene::new(world);
    let (mut late, mut nameless) = (event("late", "At an odd time"), event("nameless", "Without an id"));
    late["at"] = json!("9999-12-31T23:59:59Z");
    nameless.as_object_mut().expect("an object").remove("id");
    let events = json!([event("first", "One"), late, null, nameless, {"id": 7}, "text", event("last", "Two")]);
    scene.send(&json!({ "events": events }).to_string());
    let rows = scene.key.get("/messages?direction=inbound").page();
    let mut contents = rows.column("content");
    contents.sort();
    assert_eq!(contents, ["At an odd time", "One", "Two"]);
    let is_logged = |line: &str| line.contains("events that can't be read") && line.contains("\"unreadable\":4");
    eventually("a line of the log", PATIENCE, || world.log().lines().any(is_logged).then_some(()));
}

/// Millions of empty objects would become gigabytes of records.
fn an_answer_with_too_many_values_is_refused(world: &World) {
    let (url, _secrets) = provider(&vec!["{}"; 1_000_000].join(","));
    let add = ["accounts", "add", "--provider", "chat", "--name", "Ann", "--url", &url, "--token", "any", "--no-test"];
    let account = world.run(&add).ok().to_owned();
    let tested = world.cli(["accounts", "test", &account]);
    assert!(tested.refused().contains("more than 100000 values"), "{tested}");
}
