//! The event stream: events as they happen, as long as the key is valid.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::*;

stories![
    events_come_as_they_happen,
    a_stream_resumes_where_it_ended,
    a_stream_shows_what_its_key_may_read,
    a_stream_ends_with_its_key,
    a_stream_ends_with_the_subscription,
    a_quiet_stream_sends_heartbeats,
    a_stream_counts_as_one_request,
    a_slow_listener_is_cut_off_and_misses_nothing,
    a_stream_ends_when_the_server_does,
    writes_of_other_processes_are_streamed_too,
    many_listen_to_one_workspace,
];

const PATH: &str = "/events/stream";

fn tag(key: &Client, name: &str) -> Value {
    key.post("/tags", json!({"name": name})).created()
}

fn events_come_as_they_happen(world: &World) {
    let key = world.key("crm");
    tag(&key, "Before");
    let listener = Listener::open(&key, PATH, None);
    let header = |name: &str| listener.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    assert_eq!(header("Content-Type"), "text/event-stream");
    assert_eq!((header("Cache-Control"), header("X-Accel-Buffering")), ("private, no-cache", "no"));
    assert!(!header("X-RateLimit-Remaining").is_empty() && !header("X-Request-Id").is_empty());
    listener.is_quiet_for(Duration::from_millis(300));
    for number in 0..20 {
        tag(&key, &format!("Tag {number}"));
        let event = listener.event();
        assert_eq!(
            (event.kind.as_deref(), event.id.as_deref()),
            (Some("tag.created"), event.data["sequence"].as_str())
        );
        assert_eq!(event.data["changes"]["name"], json!([null, format!("Tag {number}")]));
        let reported = key.list("/events", &[("after", "latest")]).page();
        assert_eq!(reported.meta["last"], event.data["sequence"]);
    }
    // The same events as in the feed, in the same order.
    let feed = key.get("/events").page().rows;
    let listener = Listener::open(&key, "/events/stream?after=0", None);
    let heard: Vec<Value> = feed.iter().map(|_| listener.event().data).collect();
    assert_eq!(heard, feed);
    listener.is_quiet_for(Duration::from_millis(300));
}

fn a_stream_resumes_where_it_ended(world: &World) {
    let key = world.key("tags:read,tags:write");
    for number in 0..5 {
        tag(&key, &format!("Tag {number}"));
    }
    let feed = key.get("/events").page().column("sequence");
    let heard = |path: &str, last: Option<&str>| Listener::open(&key, path, last).event().id;
    assert_eq!(heard(PATH, Some(&feed[1])).as_deref(), Some(&*feed[2]));
    assert_eq!(heard(&format!("{PATH}?after={}", feed[2]), None).as_deref(), Some(&*feed[3]));
    // A reconnecting client sends its original address; the last event that it has seen counts.
    assert_eq!(heard(&format!("{PATH}?after={}", feed[0]), Some(&feed[3])).as_deref(), Some(&*feed[4]));
    // A client that is far behind catches up and stays connected.
    for number in 5..230 {
        tag(&key, &format!("Tag {number}"));
    }
    let listener = Listener::open(&key, PATH, Some(&feed[0]));
    for number in 1..230 {
        assert_eq!(listener.event().data["changes"]["name"], json!([null, format!("Tag {number}")]));
    }
    tag(&key, "Live");
    assert_eq!(listener.event().data["changes"]["name"], json!([null, "Live"]));
}

fn a_stream_shows_what_its_key_may_read(world: &World) {
    let key = world.key("crm");
    let tags = Listener::open(&world.key("tags:read,contacts:write"), PATH, None);
    let chosen = Listener::open(&key, "/events/stream?types=contact.updated,company", None);
    let theirs = Listener::open(&world.workspace("theirs").key("crm"), PATH, None);
    let ada = key.post("/contacts", json!({"first_name": "Ada", "tags": ["VIP"]})).created();
    key.put(&format!("/contacts/{}", text(&ada["id"])), json!({"title": "CTO"})).ok();
    key.post("/companies", json!({"name": "Initech"})).created();
    assert_eq!(tags.event().kind.as_deref(), Some("tag.created"));
    tags.is_quiet_for(Duration::from_millis(500));
    assert_eq!(chosen.event().kind.as_deref(), Some("contact.updated"));
    assert_eq!(chosen.event().kind.as_deref(), Some("company.created"));
    theirs.is_quiet_for(Duration::from_millis(100));
    // The same for past events.
    let again = Listener::open(&world.key("companies:read"), "/events/stream?after=0", None);
    assert_eq!(again.event().kind.as_deref(), Some("company.created"));
    world.key("contacts:write").get(PATH).error(403, "insufficient_scope").says(":read");
    world.stranger().get(PATH).error(401, "invalid_api_key");
    key.request("HEAD", PATH).send().is(200);
}

fn a_stream_ends_with_its_key(world: &World) {
    let (key, other) = (world.key("crm"), world.key("crm"));
    let (listener, stays) = (Listener::open(&key, PATH, None), Listener::open(&other, PATH, None));
    tag(&key, "One");
    listener.event();
    let id = text(&key.get("/me").ok()["key"]["id"]);
    world.cli(["keys", "revoke", &id]).ok();
    within_a_second("the stream's end", || listener.has_ended().then_some(()));
    tag(&other, "Two");
    assert_eq!(stays.event().data["changes"]["name"], json!([null, "One"]));
    assert_eq!(stays.event().data["changes"]["name"], json!([null, "Two"]));

    let expires = now() + Duration::from_secs(10);
    let short = world.key_with("crm", &["--expires", &expires.to_string()]);
    let listener = Listener::open(&short, PATH, None);
    tag(&other, "Three");
    listener.event();
    eventually("the key's end", PATIENCE, || {
        assert!(now() >= expires || !listener.has_ended(), "the stream ended early");
        (now() >= expires).then_some(())
    });
    within_a_second("the expired stream's end", || listener.has_ended().then_some(()));
    assert!(!stays.has_ended());
}

fn a_stream_ends_with_the_subscription(world: &World) {
    let listener = Listener::open(&world.key("crm"), PATH, None);
    listener.is_quiet_for(Duration::from_millis(200));
    world.set(&["--subscription", "none"]);
    within_a_second("the stream's end", || listener.has_ended().then_some(()));
}

fn a_quiet_stream_sends_heartbeats(world: &World) {
    let key = world.key("full_access");
    let listener = Listener::open(&world.key("companies:read"), PATH, None);
    let first = within_a_second("something at once", || listener.frame(Duration::ZERO));
    assert!(first.comment.is_some() && first.data.is_null(), "{first:?}");
    // Of events that it may not read it only learns the position.
    tag(&key, "Others");
    let began = stopwatch();
    let comment = listener.frame(Duration::from_secs(20)).expect("a comment");
    assert!(began.elapsed().as_secs() >= 13, "it came after {:?}", began.elapsed());
    assert!(comment.comment.is_some() && comment.data.is_null() && comment.kind.is_none(), "{comment:?}");
    let after = comment.id.expect("the position of the events");
    assert_eq!(key.list("/events", &[("after", &after)]).page().rows, [] as [Value; 0]);
    tag(&key, "More");
    assert_eq!(key.list("/events", &[("after", &after)]).page().column("type"), ["tag.created"]);
}

fn a_stream_counts_as_one_request(world: &World) {
    let (key, listening) = (world.key("crm"), world.key("crm"));
    let before = key.get("/tags").number("X-RateLimit-Remaining");
    let listener = Listener::open(&listening, PATH, None);
    for number in 0..10 {
        tag(&key, &format!("Tag {number}"));
        listener.event();
    }
    assert_eq!(key.get("/tags").number("X-RateLimit-Remaining"), before - 12);
}

fn a_slow_listener_is_cut_off_and_misses_nothing(world: &World) {
    world.set(&["--rate-limit", "1000000000"]);
    let key = world.key("crm");
    let contacts: Vec<String> =
        (0..8).map(|_| text(&key.post("/contacts", json!({"first_name": "Ada"})).created()["id"])).collect();
    let after = text(&key.list("/events", &[("after", "latest")]).page().meta["last"]);
    let slow = Wire::open(&key, "GET", PATH, &[]);
    let quick = Listener::open(&key, PATH, None);
    // Large changes: more than the buffers between the two can hold.
    const CHANGES: usize = 1400;
    at_once(8, |number| {
        for round in 0..CHANGES / 8 {
            let letter = if round % 2 == 0 { "a" } else { "b" };
            key.put(&format!("/contacts/{}", contacts[number]), json!({"summary": letter.repeat(10_000)})).ok();
        }
    });
    for _ in 0..CHANGES {
        quick.event();
    }
    let heard = slow.answer();
    assert_eq!(heard.status, 200);
    let heard = heard.text();
    let ids: Vec<&str> = heard.lines().filter_map(|line| line.strip_prefix("id: ")).collect();
    assert!(ids.len() < CHANGES, "it was not cut off");
    let whole = heard.rsplit_once("\n\n").map_or("", |(whole, _)| whole);
    let seen = whole.lines().filter_map(|line| line.strip_prefix("id: ")).next_back().unwrap_or(&after).to_owned();
    let again = Listener::open(&key, PATH, Some(&seen));
    let known = whole.lines().filter(|line| line.starts_with("id: ")).count();
    for number in known..CHANGES {
        let event = again.event();
        assert!(event.id.as_deref() > Some(&*seen), "{number}: {:?}", event.id);
    }
    again.is_quiet_for(Duration::from_millis(300));
}

fn a_stream_ends_when_the_server_does(world: &World) {
    let key = world.key("crm");
    let listeners: Vec<Listener> = (0..5).map(|_| Listener::open(&key, PATH, None)).collect();
    tag(&key, "One");
    let seen = listeners[0].event().id;
    // Within ten seconds, and gracefully.
    world.restart();
    eventually("the end of all streams", PATIENCE, || listeners.iter().all(Listener::has_ended).then_some(()));
    tag(&key, "Two");
    let again = Listener::open(&key, PATH, seen.as_deref());
    assert_eq!(again.event().data["changes"]["name"], json!([null, "Two"]));
}

fn writes_of_other_processes_are_streamed_too(world: &World) {
    let key = world.key("crm");
    let listener = Listener::open(&key, PATH, None);
    listener.is_quiet_for(Duration::from_millis(300));
    let file = world.file("people.csv");
    std::fs::write(&file, "first_name\nAda\nBen\n").expect("a file");
    // An operator's command is a separate process.
    world.cli(["import", "--collection", "contacts", &file.display().to_string()]).ok();
    for name in ["Ada", "Ben"] {
        assert_eq!(listener.event().data["changes"]["first_name"], json!([null, name]));
    }
    if let Some(node) = world.another_node() {
        let elsewhere = key.at(&node.origin());
        let there = Listener::open(&elsewhere, PATH, None);
        for number in 0..10 {
            tag(if number % 2 == 0 { &key } else { &elsewhere }, &format!("Tag {number}"));
            let (one, two) = (listener.event(), there.event());
            assert_eq!(one, two);
            assert_eq!(one.data["changes"]["name"], json!([null, format!("Tag {number}")]));
        }
    }
}

fn many_listen_to_one_workspace(world: &World) {
    let key = world.key("crm");
    let listeners: Vec<Listener> = (0..50).map(|_| Listener::open(&key, PATH, None)).collect();
    at_once(4, |number| (0..25).for_each(|n| drop(tag(&key, &format!("{number}.{n}")))));
    let all: Vec<Vec<String>> =
        listeners.iter().map(|listener| (0..100).map(|_| listener.event().id.expect("an id")).collect()).collect();
    assert!(all.iter().all(|ids| *ids == all[0] && ids.is_sorted()));
}
