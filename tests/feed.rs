//! The change feed: every change of every record, in the order of the commits, filtered by the key's scopes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::support::*;

stories![
    every_change_is_in_the_feed_in_order,
    pages_follow_one_another,
    the_feed_contains_what_the_key_may_read,
    types_choose_among_the_events,
    a_page_without_readable_events_advances,
    an_expired_position_is_gone,
    the_operator_sets_the_retention_of_the_feed,
    invalid_feed_parameters_are_refused,
    events_of_a_merge_name_removed_and_restored_records,
    workspaces_have_feeds_of_their_own,
    followers_miss_nothing,
];

/// Scopes for contacts, companies, notes and tags: a new workspace has no such records.
const PEOPLE: &str = "contacts:read,contacts:write,contacts:delete,companies:read,companies:write,companies:delete,\
     notes:read,notes:write,tags:read,tags:write";

#[track_caller]
fn events(key: &Client, parameters: &[(&str, &str)]) -> Page {
    let page = key.list("/events", parameters).page();
    let places: Vec<u64> = page.rows.iter().map(place).collect();
    assert!(places.is_sorted_by(|one, next| one < next), "{places:?}");
    let last: u64 = last(&page).parse().unwrap_or_else(|_| panic!("{}", page.meta));
    assert!(places.last().is_none_or(|place| *place <= last), "{}", page.meta);
    page
}

fn place(event: &Value) -> u64 {
    text(&event["sequence"]).parse().unwrap_or_else(|_| panic!("{event}"))
}

fn last(page: &Page) -> String {
    text(&page.meta["last"])
}

fn every_change_is_in_the_feed_in_order(world: &World) {
    let key = world.key(PEOPLE);
    let me = key.get("/me").ok();
    let ada = key.post("/contacts", json!({"first_name": "Ada", "tags": ["VIP"]})).created();
    let path = format!("/contacts/{}", text(&ada["id"]));
    key.put(&path, json!({"title": "CTO"})).ok();
    key.put(&path, json!({"title": "CTO"})).ok();
    let note = key.post(&format!("{path}/notes"), json!({"content": "Called."})).created();
    key.delete(&format!("/notes/{}", text(&note["id"]))).ok();
    key.upload(&format!("{path}/cv"), "cv.txt", b"Ada").created();
    key.delete(&path).ok();
    let tag = key.get("/tags").page().rows.remove(0);
    key.delete(&format!("/tags/{}", text(&tag["id"]))).ok();

    let page = events(&key, &[]);
    let expected = [
        "tag.created",
        "contact.created",
        "contact.updated",
        "note.created",
        "note.deleted",
        "contact.cv_uploaded",
        "contact.updated",
        "tag.deleted",
    ];
    assert_eq!(page.column("type")[..8], expected);
    assert_eq!((&page.meta["limit"], page.has_more()), (&json!(50), false));
    let change = &page.rows[2];
    let updated = key.get(&format!("{path}/timeline")).page().rows;
    assert!(updated.contains(change), "an event is the same in the feed and on the timeline");
    let actor = json!({"kind": "key", "id": me["key"]["id"], "name": me["key"]["name"]});
    assert_eq!((&change["actor"], &change["record"]), (&actor, &json!({"type": "contact", "id": ada["id"]})));
    assert_eq!(change["changes"], json!({"title": [null, "CTO"]}));
    assert_eq!(page.rows[1]["changes"]["tags"], json!([null, ["VIP"]]));
    assert_eq!(page.rows[3]["changes"]["contact_id"], json!([null, ada["id"]]), "the link of a note is included");
    assert_eq!(page.rows[4]["changes"]["content"], json!(["Called.", null]));
    // The tag is removed from its records in the background; that is the last event.
    let off = eventually("the tag's removal", PATIENCE, || {
        events(&key, &[("after", &text(&page.rows[7]["sequence"]))]).rows.into_iter().next()
    });
    assert_eq!((&off["type"], &off["actor"]["kind"]), (&json!("contact.updated"), &json!("system")));
}

fn pages_follow_one_another(world: &World) {
    let key = world.key(PEOPLE);
    for number in 0..7 {
        key.post("/tags", json!({"name": format!("Tag {number}")})).created();
    }
    let all = events(&key, &[]);
    assert_eq!(all.rows.len(), 7);
    let (mut seen, mut after) = (Vec::new(), "0".to_owned());
    for size in [3, 3, 1] {
        let page = events(&key, &[("after", &after), ("limit", "3")]);
        assert_eq!((page.rows.len(), page.has_more()), (size, seen.len() + size < 7));
        after = last(&page);
        seen.extend(page.rows);
    }
    assert_eq!(seen, all.rows);
    // At the end the position stays; a page that is exactly full says that nothing follows.
    let page = events(&key, &[("after", &after)]);
    assert_eq!((page.rows.len(), page.has_more(), last(&page)), (0, false, after.clone()));
    assert!(!events(&key, &[("limit", "7")]).has_more());
    assert!(events(&key, &[("limit", "6")]).has_more());
    // The current end, for clients that first list everything.
    let end = events(&key, &[("after", "latest")]);
    assert_eq!((end.rows.len(), end.has_more(), last(&end)), (0, false, after.clone()));
    key.post("/tags", json!({"name": "Later"})).created();
    assert_eq!(events(&key, &[("after", &after)]).column("type"), ["tag.created"]);
    // A position beyond the end gives an empty page, not an error.
    let beyond = events(&key, &[("after", "9000000000000000000")]);
    assert_eq!((beyond.rows.len(), beyond.has_more(), last(&beyond).as_str()), (0, false, "9000000000000000000"));
}

fn the_feed_contains_what_the_key_may_read(world: &World) {
    let key = world.key("full_access");
    let ada = key.post("/contacts", json!({"first_name": "Ada", "tags": ["VIP"]})).created();
    key.post("/companies", json!({"name": "Initech"})).created();
    key.post(&format!("/contacts/{}/notes", text(&ada["id"])), json!({"content": "x"})).created();
    let reported = |scopes: &str| events(&world.key(scopes), &[]).column("type");
    assert_eq!(reported("contacts:read"), ["contact.created"]);
    assert_eq!(reported("companies:read,contacts:write"), ["company.created"]);
    assert_eq!(reported("notes:read,tags:read"), ["tag.created", "note.created"]);
    assert_eq!(reported("sourcing:read"), [] as [&str; 0]);
    let all = reported("full_access");
    let begins = ["deal_pipeline.created", "deal_stage.created"];
    assert_eq!((all[0].as_str(), all[1].as_str()), (begins[0], begins[1]), "the defaults of the workspace come first");
    assert_eq!(all[all.len() - 4..], ["tag.created", "contact.created", "company.created", "note.created"]);
    world.key("contacts:write").get("/events").error(403, "insufficient_scope").says(":read");
    // Keys, members and settings are not records; their events are not in the feed.
    assert!(world.events() > 4);
}

fn types_choose_among_the_events(world: &World) {
    let key = world.key(PEOPLE);
    let ada = key.post("/contacts", json!({"first_name": "Ada", "tags": ["VIP"]})).created();
    key.put(&format!("/contacts/{}", text(&ada["id"])), json!({"title": "CTO"})).ok();
    let reported = |types: &str| events(&key, &[("types", types)]).column("type");
    assert_eq!(reported("contact"), ["contact.created", "contact.updated"]);
    assert_eq!(reported("contact.updated"), ["contact.updated"]);
    assert_eq!(reported("tag,contact.created"), ["tag.created", "contact.created"]);
    assert_eq!(reported("note"), [] as [&str; 0]);
    assert_eq!(reported("contact.exploded"), [] as [&str; 0]);
    for unknown in ["contcat", "contact.", "", "contact,,tag", "contact.Updated", "key", "workspace"] {
        key.list("/events", &[("types", unknown)]).invalid("types").says("contact, company, deal");
    }
    // A type that the key may not read is not an error; it only gives no events.
    assert_eq!(events(&world.key("tags:read"), &[("types", "contact,tag")]).column("type"), ["tag.created"]);
}

fn a_page_without_readable_events_advances(world: &World) {
    let key = world.key(PEOPLE);
    let ada = key.post("/contacts", json!({"first_name": "Ada"})).created();
    let path = format!("/contacts/{}/notes", text(&ada["id"]));
    at_once(8, |number| {
        (0..150).for_each(|n| drop(key.post(&path, json!({"content": format!("{number} {n}")})).created()))
    });
    key.post("/companies", json!({"name": "Initech"})).created();
    let reader = world.key("companies:read");
    let first = events(&reader, &[]);
    assert_eq!((first.rows.len(), first.has_more()), (0, true), "the page stops early because it skips many events");
    let second = events(&reader, &[("after", &last(&first))]);
    assert_eq!((second.column("type"), second.has_more()), (vec!["company.created".to_owned()], false));
    assert_eq!(last(&second), last(&events(&key, &[("after", "latest")])));
    // A key that may read all events gets full pages.
    let (mut after, mut seen) = ("0".to_owned(), 0);
    loop {
        let page = events(&key, &[("after", &after), ("limit", "100")]);
        seen += page.rows.len();
        after = last(&page);
        assert_eq!(page.rows.len() == 100, page.has_more());
        if !page.has_more() {
            break;
        }
    }
    assert_eq!(seen, 1202);
}

const DAY: i64 = 24 * 60 * 60 * 1000;

/// Moves all events into the past, as if so many days had passed.
fn days_later(world: &World, days: i64) {
    let gone = days * DAY;
    world.change(&format!("UPDATE events SET place = place - {}, at = at - {gone}", gone << 16));
}

fn an_expired_position_is_gone(world: &World) {
    let key = world.key(PEOPLE);
    let made = |name: &str| drop(key.post("/tags", json!({"name": name})).created());
    made("First");
    days_later(world, 50);
    made("Second");
    days_later(world, 45);
    made("Third");
    // The first happened 95 days ago, the second 45.
    let page = events(&key, &[]);
    assert_eq!(page.column("type"), ["tag.created", "tag.created"], "the feed begins with the oldest kept event");
    let gone = key.list("/events", &[("after", "0")]);
    let oldest = text(&gone.json["error"]["details"]["oldest"]);
    gone.error(410, "gone").says(&oldest);
    assert_eq!(events(&key, &[("after", &oldest)]).rows, page.rows, "all events after the oldest position are there");
    assert_eq!(events(&key, &[("after", &last(&page))]).rows.len(), 0);
    // A client that has seen the first event has missed nothing.
    let between = place(&page.rows[0]) as i64 - ((49 * DAY) << 16);
    assert_eq!(events(&key, &[("after", &between.to_string())]).rows.len(), 2);
    // The events themselves stay on the timelines of their records.
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM events WHERE type = 'tag.created'"), 3);

    let mut after = oldest;
    for left in [1, 0] {
        days_later(world, 60);
        let place: i64 = after.parse().expect("a place");
        let gone = key.list("/events", &[("after", &(place - ((60 * DAY) << 16)).to_string())]);
        after = text(&gone.json["error"]["details"]["oldest"]);
        gone.error(410, "gone");
        assert_eq!(events(&key, &[("after", &after)]).rows.len(), left);
    }
    assert_eq!(events(&key, &[]).rows.len(), 0);
    key.list("/events/stream", &[("after", "0")]).error(410, "gone");
}

fn the_operator_sets_the_retention_of_the_feed(world: &World) {
    let key = world.key(PEOPLE);
    key.post("/tags", json!({"name": "First"})).created();
    days_later(world, 3);
    world.stop();
    let serve = |days: &str| {
        let options = [world.options(), vec!["--feed-days".to_owned(), days.to_owned()]].concat();
        Server::start(free_port(), &options, &world.file("feed.log"))
    };
    let mut short = serve("2");
    let at = key.at(&short.origin());
    at.list("/events", &[("after", "0")]).error(410, "gone");
    assert_eq!(events(&at, &[]).rows.len(), 0);
    short.terminate();
    short.wait(PATIENCE);
    let long = serve("4");
    assert_eq!(events(&key.at(&long.origin()), &[("after", "0")]).rows.len(), 1);
    for wrong in ["0", "-1", "x", "40000"] {
        world.run(&["serve", "--feed-days", wrong]).refused();
    }
}

fn invalid_feed_parameters_are_refused(world: &World) {
    let key = world.key(PEOPLE);
    for path in ["/events", "/events/stream"] {
        for wrong in ["x", "-1", "1.5", "+1", "0x1", "9223372036854775808", "now"] {
            key.list(path, &[("after", wrong)]).invalid("after").says("sequence");
        }
        key.list(path, &[("after", "1"), ("after", "2")]).invalid("after").says("twice");
        key.list(path, &[("types", "nonsense")]).invalid("types");
        key.list(path, &[("sort", "at")]).invalid("sort");
    }
    for wrong in ["0", "101", "x", ""] {
        key.list("/events", &[("limit", wrong)]).invalid("limit");
    }
    key.list("/events/stream", &[("limit", "5")]).invalid("limit");
    for wrong in ["x", "-1", "é"] {
        key.request("GET", "/events/stream").header("Last-Event-ID", wrong).send().invalid("Last-Event-ID");
    }
    key.post("/events", json!({})).error(405, "method_not_allowed");
}

fn events_of_a_merge_name_removed_and_restored_records(world: &World) {
    let key = world.key(PEOPLE);
    let ada = key.post("/contacts", json!({"first_name": "Ada"})).created();
    let ben = key.post("/contacts", json!({"first_name": "Ben", "title": "CTO", "skills": ["Rust"]})).created();
    let merged = key.post("/contacts/merge", json!({"into": ada["id"], "from": [ben["id"]]})).ok();
    let mut copy = Copy::new();
    let page = events(&key, &[]);
    assert_eq!(page.column("type")[2..], ["contact.merged", "contact.deleted"]);
    assert_eq!(page.rows[3]["changes"], json!({"merged_into": [null, ada["id"]]}));
    page.rows.iter().for_each(|event| replay(&mut copy, event));
    same_contacts(&key, &copy);
    key.request("POST", &format!("/contacts/merge/{}/undo", text(&merged["id"]))).send().ok();
    let page = events(&key, &[("after", &last(&page))]);
    assert_eq!(page.column("type"), ["contact.unmerged", "contact.restored"]);
    page.rows.iter().for_each(|event| replay(&mut copy, event));
    same_contacts(&key, &copy);
}

fn workspaces_have_feeds_of_their_own(world: &World) {
    let (ours, theirs) = (world.key(PEOPLE), world.workspace("theirs").key(PEOPLE));
    ours.post("/tags", json!({"name": "Ours"})).created();
    theirs.post("/tags", json!({"name": "Theirs"})).created();
    for (key, name) in [(&ours, "Ours"), (&theirs, "Theirs")] {
        let page = events(key, &[]);
        assert_eq!(page.rows.len(), 1);
        assert_eq!(page.rows[0]["changes"]["name"], json!([null, name]));
    }
}

/// Records by kind and id, as reconstructed from the events.
type Copy = BTreeMap<(String, String), Map<String, Value>>;

/// Applies an event to the copy; it must fit the state of the copy.
#[track_caller]
pub(crate) fn replay(copy: &mut Copy, event: &Value) {
    let name = (text(&event["record"]["type"]), text(&event["record"]["id"]));
    let (kind, changes) = (text(&event["type"]), event["changes"].as_object().cloned().unwrap_or_default());
    if kind.ends_with(".deleted") {
        assert!(copy.remove(&name).is_some(), "a missing record is deleted: {event}");
        return;
    }
    let new = kind.ends_with(".created") || kind.ends_with(".restored");
    assert_eq!(copy.contains_key(&name), !new, "an event was missed, or came twice: {event}");
    let record = copy.entry(name).or_default();
    for (member, change) in changes {
        let known = record.get(&member).cloned().unwrap_or(Value::Null);
        let empty = |value: &Value| value.is_null() || *value == json!([]) || *value == json!({});
        assert!(known == change[0] || empty(&known) && empty(&change[0]), "{member} was {known} before {event}");
        record.insert(member, change[1].clone());
    }
    record.insert("updated_at".to_owned(), event["at"].clone());
}

/// Every row of a collection.
#[track_caller]
fn walk(key: &Client, path: &str) -> Vec<Value> {
    let (mut rows, mut cursor) = (Vec::new(), Some(String::new()));
    while let Some(place) = cursor {
        let page = key.list(path, &[("limit", "100"), ("cursor", &place)]).page();
        cursor = page.next();
        rows.extend(page.rows);
    }
    rows
}

/// The copy equals the collection: the same records, with the same members.
#[track_caller]
fn same_records(key: &Client, copy: &Copy, kind: &str, path: &str) {
    let rows = walk(key, path);
    let copied = copy.keys().filter(|(known, _)| known == kind).count();
    assert_eq!(rows.len(), copied, "{path} and the copy");
    for row in rows {
        let record = copy.get(&(kind.to_owned(), text(&row["id"]))).unwrap_or_else(|| panic!("not in the copy: {row}"));
        for (member, value) in row.as_object().into_iter().flatten() {
            match record.get(member) {
                Some(copied) => assert_eq!(copied, value, "{member} of {row}"),
                None if ["id", "created_at"].contains(&member.as_str()) => {}
                None => assert!(
                    value.is_null() || *value == json!([]) || *value == json!({}),
                    "{member} of {row} was in no event"
                ),
            }
        }
    }
}

#[track_caller]
fn same_contacts(key: &Client, copy: &Copy) {
    let mut copy = copy.clone();
    // The merge of two records is only in the event, not in a member of the record.
    for record in copy.values_mut() {
        record.remove("merged");
        record.remove("merge_id");
    }
    same_records(key, &copy, "contact", "/contacts");
}

/// Sixteen writers, three kills, and two followers: one by pages, one by the stream.
fn followers_miss_nothing(world: &World) {
    world.set(&["--rate-limit", "1000000000"]);
    let key = world.key(PEOPLE);
    let (writing, done) = (AtomicBool::new(true), AtomicBool::new(false));
    let seconds = share(15, 600) as u64;
    let (paged, streamed) = std::thread::scope(|scope| {
        let end = End(&writing, &done);
        let paged = scope.spawn(|| follow(&key, &done));
        let streamed = scope.spawn(|| listen(&key, &done));
        let writers: Vec<_> = (0..16)
            .map(|number| {
                scope.spawn({
                    let (key, writing) = (&key, &writing);
                    move || write(key, number, writing)
                })
            })
            .collect();
        for _ in 0..3 {
            std::thread::sleep(Duration::from_millis(seconds * 250));
            world.kill9();
            world.start();
        }
        std::thread::sleep(Duration::from_millis(seconds * 250));
        writing.store(false, Ordering::SeqCst);
        let written: usize =
            writers.into_iter().map(|writer| writer.join().unwrap_or_else(|_| panic!("a writer failed"))).sum();
        assert!(written > 100, "only {written} changes were made");
        println!("{written} changes were acknowledged");
        drop(end);
        let ended = |reader: std::thread::ScopedJoinHandle<'_, Copy>| {
            reader.join().unwrap_or_else(|_| panic!("a reader failed"))
        };
        (ended(paged), ended(streamed))
    });
    for copy in [paged, streamed] {
        same_records(&key, &copy, "contact", "/contacts");
        same_records(&key, &without_time(copy), "tag", "/tags");
    }
}

/// Stops writers and readers, even if the test fails.
struct End<'a>(&'a AtomicBool, &'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
        self.1.store(true, Ordering::SeqCst);
    }
}

/// Tags have no `updated_at`.
fn without_time(mut copy: Copy) -> Copy {
    copy.values_mut().for_each(|record| drop(record.remove("updated_at")));
    copy
}

/// Creates, changes, archives, restores and deletes; returns the number of acknowledged writes.
fn write(key: &Client, number: usize, writing: &AtomicBool) -> usize {
    let (mut dice, mut acknowledged) = (Dice::new(seed() ^ number as u64), 0);
    let mut known: Vec<String> = Vec::new();
    for round in 0.. {
        if !writing.load(Ordering::SeqCst) {
            break;
        }
        let of = |kind: &str, known: &[String], dice: &mut Dice| {
            let some: Vec<&String> = known.iter().filter(|path| path.starts_with(kind)).collect();
            (!some.is_empty()).then(|| some[dice.below(some.len())].clone())
        };
        let (method, path, body) = match dice.below(7) {
            0 | 1 => {
                let body = json!({"first_name": format!("Ada {number}"), "skills": ["Rust"], "do_not_contact": dice.one_in(2)});
                ("POST", "/contacts".to_owned(), body)
            }
            2 => ("POST", "/tags".to_owned(), json!({"name": format!("Tag {number}.{round}")})),
            3 | 4 => match of("/contacts", &known, &mut dice) {
                Some(path) => ("PUT", path, json!({"title": format!("Title {}", dice.below(5)), "archived_at": null})),
                None => continue,
            },
            5 => match of("/contacts", &known, &mut dice) {
                Some(path) => ("DELETE", path, Value::Null),
                None => continue,
            },
            _ => match of("/tags", &known, &mut dice) {
                Some(path) => {
                    known.retain(|other| *other != path);
                    ("DELETE", path, Value::Null)
                }
                None => continue,
            },
        };
        let request = key.request(method, &path);
        let request = if body.is_null() { request } else { request.json(&body) };
        match request.try_send() {
            Ok(answer) if answer.status < 300 => {
                acknowledged += 1;
                if let Some(id) = answer.json["data"]["id"].as_str().filter(|_| method == "POST") {
                    known.push(format!("{path}/{id}"));
                }
            }
            // The server is down, or was down during an earlier request whose outcome is unknown.
            Ok(answer) => assert!([503, 404, 400].contains(&answer.status), "{answer}"),
            Err(_) => pause(),
        }
    }
    acknowledged
}

/// A follower that reads page by page over all restarts.
fn follow(key: &Client, done: &AtomicBool) -> Copy {
    let (mut copy, mut after) = (Copy::new(), "0".to_owned());
    loop {
        // Read the flag before the round, so that the last round sees all writes.
        let finished = done.load(Ordering::SeqCst);
        let asked = key.request("GET", &format!("/events?after={after}&limit=100")).try_send();
        let Some(answer) = asked.ok().filter(|answer| answer.status != 503) else {
            assert!(!finished || !std::thread::panicking());
            pause();
            continue;
        };
        let page = answer.page();
        page.rows.iter().for_each(|event| replay(&mut copy, event));
        after = last(&page);
        if finished && !page.has_more() {
            return copy;
        }
        if !page.has_more() {
            pause();
        }
    }
}

/// A follower that listens to the stream and reconnects with the last id whenever it ends.
fn listen(key: &Client, done: &AtomicBool) -> Copy {
    let (mut copy, mut seen) = (Copy::new(), "0".to_owned());
    loop {
        let Ok(listener) = Listener::try_open(key, "/events/stream", Some(&seen)) else {
            pause();
            continue;
        };
        loop {
            let finished = done.load(Ordering::SeqCst);
            let Some(frame) = listener.frame(Duration::from_secs(1)) else {
                let end = finished.then(|| last(&events(key, &[("after", "latest")])));
                if end.is_some_and(|end| place_of(&seen) >= place_of(&end)) {
                    return copy;
                }
                if listener.has_ended() {
                    break;
                }
                continue;
            };
            if let Some(id) = frame.id {
                assert!(place_of(&id) >= place_of(&seen), "{id} after {seen}");
                seen = id;
            }
            if !frame.data.is_null() {
                assert_eq!(
                    (frame.data["sequence"].as_str(), frame.kind.as_deref()),
                    (Some(&*seen), frame.data["type"].as_str())
                );
                replay(&mut copy, &frame.data);
            }
        }
    }
}

fn place_of(id: &str) -> u64 {
    id.parse().unwrap_or_else(|_| panic!("not a sequence: {id}"))
}
