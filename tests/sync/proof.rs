//! The proof: sixteen writers, a server that is killed repeatedly, and readers that follow the documented rule. At the
//! end every reader's copy is correct. 30 s on each engine, ten minutes with `RELATA_LONG=1`. A failure prints its
//! seed. One reader requests entries by their checkpoint, one reads the change feed, one the event stream.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::*;

stories![readers_that_follow_the_rule_miss_no_entry];

const WRITERS: usize = 16;
const KILLS: usize = 3;
const PROJECTS: usize = 4;
const CONTACTS: usize = 60;

/// Entries by id, as a reader knows them.
type Entries = BTreeMap<String, Value>;

/// A client that keeps a copy of all entries only by the service's answers.
struct Reader {
    name: &'static str,
    /// Updates the copy; false if the server went away meanwhile. The text is the reader's position.
    follow: fn(&Client, &mut String, &mut Entries) -> bool,
    /// Whether it learns of deletions.
    forgets: bool,
}

const READERS: &[Reader] = &[
    Reader { name: "/pipeline-entries", follow: follow_entries, forgets: false },
    Reader { name: "/events", follow: follow_events, forgets: true },
    Reader { name: "/events/stream", follow: follow_stream, forgets: true },
];

fn readers_that_follow_the_rule_miss_no_entry(world: &World) {
    let (seed, length) = (seed(), Duration::from_secs(share(30, 600) as u64));
    world.set(&["--rate-limit", "1000000000"]);
    let key = world.key("full_access");
    let board = Board::new(&key);
    let (finished, answered) = (AtomicBool::new(false), AtomicUsize::new(0));
    let ended = AtomicBool::new(false);
    let copies = std::thread::scope(|scope| {
        let readers: Vec<_> = READERS.iter().map(|reader| scope.spawn(|| keep(&key, reader, &finished))).collect();
        let all_is_written = Finish(&finished);
        let no_more = Finish(&ended);
        let writing = scope.spawn(|| {
            at_once(WRITERS, |writer| write(&key, &board, Dice::new(seed ^ writer as u64), &ended, &answered))
        });
        let mut dice = Dice::new(seed);
        for _ in 0..KILLS {
            std::thread::sleep(length / (KILLS as u32 + 1) + Duration::from_micros(dice.roll() % 200_000));
            world.kill9();
            world.start();
        }
        std::thread::sleep(length / (KILLS as u32 + 1));
        drop(no_more);
        writing.join().unwrap_or_else(|_| panic!("a writer failed, seed {seed}"));
        drop(all_is_written);
        let copy = |reader: std::thread::ScopedJoinHandle<Entries>| {
            reader.join().unwrap_or_else(|_| panic!("a reader failed, seed {seed}"))
        };
        readers.into_iter().map(copy).collect::<Vec<Entries>>()
    });
    let written = answered.load(Ordering::SeqCst);
    let truth = board.truth(&key);
    assert!(written > 20 * WRITERS, "only {written} changes were made, seed {seed}");
    for (reader, copy) in READERS.iter().zip(copies) {
        for (id, entry) in &truth {
            assert_eq!(copy.get(id), Some(entry), "a change never reached {}, seed {seed}", reader.name);
        }
        let more = copy.keys().filter(|id| !truth.contains_key(*id)).count();
        assert!(!reader.forgets || more == 0, "{} knows {more} entries that are gone, seed {seed}", reader.name);
    }
    board.check_counts(&key, &truth);
    println!("{written} changes, {KILLS} kills, {} entries left, none missed", truth.len());
}

/// Follows until all writes are done, and once more.
fn keep(key: &Client, reader: &Reader, finished: &AtomicBool) -> Entries {
    let (mut copy, mut place) = (Entries::new(), String::new());
    loop {
        // Read the flag before the round, so that the last round sees all writes.
        let last = finished.load(Ordering::SeqCst);
        let whole = (reader.follow)(key, &mut place, &mut copy);
        if last && whole {
            return copy;
        }
        assert!(!last || key.request("GET", "/me").try_send().is_ok(), "there is no server any more");
        pause();
    }
}

/// The rule: read every page, and only then use the checkpoint.
fn follow_entries(key: &Client, place: &mut String, copy: &mut Entries) -> bool {
    let (mut cursor, mut before) = (String::new(), (place.clone(), String::new()));
    let mut checkpoint = None;
    loop {
        let after = if place.is_empty() { String::new() } else { format!("&updated_after={}", encoded(place)) };
        let path = format!("/pipeline-entries?limit=7&cursor={cursor}{after}");
        let Ok(answer) = key.request("GET", &path).try_send() else { return false };
        if answer.status == 503 {
            return false;
        }
        let page = answer.page();
        let fixed = checkpoint.get_or_insert_with(|| page.meta["checkpoint"].clone());
        assert_eq!(page.meta["checkpoint"], *fixed, "the checkpoint of a run has moved");
        for entry in page.rows {
            let stamp = (text(&entry["updated_at"]), text(&entry["id"]));
            assert!(before < stamp && stamp.0 <= text(fixed), "{entry} after {before:?}, up to {fixed}");
            copy.insert(stamp.1.clone(), entry);
            before = stamp;
        }
        match page.meta["next_cursor"].as_str() {
            Some(next) => cursor = next.to_owned(),
            None => {
                *place = text(fixed);
                return true;
            }
        }
    }
}

/// Reads the feed page by page to its end.
fn follow_events(key: &Client, place: &mut String, copy: &mut Entries) -> bool {
    loop {
        let after = if place.is_empty() { "0" } else { place.as_str() };
        let asked = key.request("GET", &format!("/events?after={after}&limit=100")).try_send();
        let Some(answer) = asked.ok().filter(|answer| answer.status != 503) else { return false };
        let page = answer.page();
        page.rows.iter().for_each(|event| replay(copy, event));
        *place = text(&page.meta["last"]);
        if !page.has_more() {
            return true;
        }
    }
}

/// Reads the stream from the last id on, until it ends or nothing more comes.
fn follow_stream(key: &Client, place: &mut String, copy: &mut Entries) -> bool {
    let last = if place.is_empty() { "0" } else { place.as_str() };
    let Ok(listener) = Listener::try_open(key, "/events/stream", Some(last)) else { return false };
    loop {
        while let Some(frame) = listener.frame(Duration::from_secs(1)) {
            if !frame.data.is_null() {
                replay(copy, &frame.data);
            }
            *place = frame.id.unwrap_or_else(|| std::mem::take(place));
        }
        if listener.has_ended() {
            return false;
        }
        let after = if place.is_empty() { "0" } else { place.as_str() };
        let asked = key.request("GET", &format!("/events?after={after}&limit=1")).try_send();
        if asked.is_ok_and(|answer| answer.status == 200 && answer.page().rows.is_empty()) {
            return true;
        }
    }
}

/// Applies an event to the entries; each must fit the known state.
fn replay(entries: &mut Entries, event: &Value) {
    if event["record"]["type"] != "entry" {
        return;
    }
    let (id, kind, at) = (text(&event["record"]["id"]), text(&event["type"]), &event["at"]);
    if kind.ends_with(".deleted") {
        assert!(entries.remove(&id).is_some(), "a missing entry was deleted: {event}");
        return;
    }
    assert_eq!(entries.contains_key(&id), !kind.ends_with(".created"), "an event was missed or repeated: {event}");
    let entry = entries.entry(id.clone()).or_insert_with(|| {
        json!({
            "id": id, "project_id": null, "contact_id": null, "stage_id": null, "rating": null, "notes": null,
            "rejection_reason_id": null, "created_at": at, "updated_at": at,
        })
    });
    for (member, change) in event["changes"].as_object().into_iter().flatten() {
        if let Some(known) = entry.get_mut(member) {
            assert_eq!(*known, change[0], "{member} before {event}");
            *known = change[1].clone();
        }
    }
    entry["updated_at"] = at.clone();
}

/// The records that are written to: projects with their stages, and contacts.
struct Board {
    projects: Vec<(String, Vec<String>)>,
    contacts: Vec<String>,
}

impl Board {
    fn new(key: &Client) -> Board {
        let project = |number: usize| {
            let project = key.post("/projects", json!({"name": format!("Project {number}")})).created();
            (text(&project["id"]), member(&project["pipeline"]["stages"], "id"))
        };
        let contact = |number: usize| {
            text(&key.post("/contacts", json!({"first_name": format!("Contact {number}")})).created()["id"])
        };
        Board { projects: (0..PROJECTS).map(project).collect(), contacts: (0..CONTACTS).map(contact).collect() }
    }

    /// All entries as the projects list them.
    fn truth(&self, key: &Client) -> Entries {
        let mut truth = Entries::new();
        for (project, _) in &self.projects {
            let mut cursor = Some(String::new());
            while let Some(place) = cursor {
                let path = format!("/projects/{project}/entries");
                let page = key.list(&path, &[("limit", "100"), ("cursor", &place)]).page();
                cursor = page.next();
                for mut entry in page.rows {
                    let members = entry.as_object_mut().expect("an entry");
                    members.remove("stage");
                    members.remove("contact");
                    truth.insert(text(&entry["id"]), entry);
                }
            }
        }
        truth
    }

    /// The stored counts equal those of the entries.
    fn check_counts(&self, key: &Client, truth: &Entries) {
        let count = |member: &str, id: &Value| truth.values().filter(|entry| entry[member] == *id).count();
        for (project, _) in &self.projects {
            let project = key.get(&format!("/projects/{project}")).ok();
            assert_eq!(project["entries_count"], count("project_id", &project["id"]));
            for stage in project["pipeline"]["stages"].as_array().expect("a list") {
                assert_eq!(stage["entries_count"], count("stage_id", &stage["id"]), "{stage}");
            }
        }
    }
}

/// Adds, moves, rates and removes entries while others do the same, over all restarts of the server.
fn write(key: &Client, board: &Board, mut dice: Dice, ended: &AtomicBool, answered: &AtomicUsize) {
    let mut known: Vec<(usize, String)> = Vec::new();
    while !ended.load(Ordering::SeqCst) {
        let place = (!known.is_empty()).then(|| dice.below(known.len()));
        let (project, entry) = match place {
            Some(place) => (known[place].0, Some(known[place].1.clone())),
            None => (dice.below(PROJECTS), None),
        };
        let path = |entry: &String| format!("/pipeline-entries/{entry}");
        let sent = match (dice.below(10), &entry) {
            (0..=2, _) | (_, None) => {
                let project = dice.below(PROJECTS);
                let (id, stages) = &board.projects[project];
                let body = json!({"contact_id": dice.pick(&board.contacts), "stage_id": dice.pick(stages)});
                let sent = key.request("POST", &format!("/projects/{id}/entries")).json(&body).try_send();
                if let Ok(answer) = sent.as_ref().map(|answer| answer.json["data"]["id"].as_str())
                    && let Some(id) = answer
                    && known.len() < 20
                {
                    known.push((project, id.to_owned()));
                }
                sent
            }
            (3..=6, Some(entry)) => {
                let body = json!({"stage_id": dice.pick(&board.projects[project].1)});
                key.request("PUT", &path(entry)).json(&body).try_send()
            }
            (7 | 8, Some(entry)) => {
                let body = json!({"rating": 1 + dice.below(5), "notes": format!("Note {}", dice.roll())});
                key.request("PUT", &path(entry)).json(&body).try_send()
            }
            (_, Some(entry)) => key.request("DELETE", &path(entry)).try_send(),
        };
        match sent {
            Ok(answer) if answer.status < 300 => drop(answered.fetch_add(1, Ordering::SeqCst)),
            // Another writer has removed it, or this one.
            Ok(answer) if answer.status == 404 => {}
            Ok(answer) => assert_eq!(answer.status, 503, "{answer}"),
            Err(_) => pause(),
        }
        if let Some(place) = place.filter(|_| dice.one_in(8)) {
            known.swap_remove(place);
        }
    }
}
