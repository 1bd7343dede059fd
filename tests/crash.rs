//! Crashes: sixteen writers, `kill -9` at random times, and the state afterwards.
//!
//! Every acknowledged write is there, no write is there in part, and a client that followed `updated_after` has missed
//! nothing. PostgreSQL itself is crashed too, with the server or alone. 10 crashes on each engine; with `RELATA_LONG=1`
//! 1,000, 25 on each of forty databases, since the whole database is checked after every one. A failure prints its
//! seed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::*;

const WRITERS: usize = 16;

#[test]
fn sqlite_keeps_acknowledged_writes() {
    often("SQLite", |seed| {
        let world = World::new(Engine::Sqlite);
        survive(&world, seed, &|_| world.kill9(), &|_| world.start())
    });
}

#[test]
fn postgres_keeps_acknowledged_writes() {
    often("PostgreSQL", |seed| {
        let cluster = Cluster::new();
        let world = World::at(&cluster.url());
        world.start();
        let cut = |round: usize| match round % 4 {
            0 | 1 => world.kill9(),
            // Only PostgreSQL crashes; the server must reconnect by itself.
            2 => cluster.crash(),
            _ => {
                cluster.crash();
                world.kill9();
            }
        };
        let mend = |round: usize| {
            if round % 4 >= 2 {
                cluster.start();
            }
            if round % 4 != 2 {
                world.start();
            }
        };
        survive(&world, seed, &cut, &mend)
    });
}

/// A contact as its writer expects it.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    title: Option<String>,
    tags: BTreeSet<String>,
    archived: bool,
}

/// The last acknowledged state of a contact, and a change that was sent but not acknowledged before the crash.
struct Written {
    id: String,
    known: Known,
    unknown: Option<Known>,
}

/// Runs all databases and prints the progress.
fn often(engine: &str, survive: impl Fn(u64) -> Survived) {
    let mut all = Survived::default();
    for database in 0..share(1, 40) {
        let survived = survive(seed().wrapping_add(1_000_000 * database as u64));
        all.cuts += survived.cuts;
        all.acknowledged += survived.acknowledged;
        all.there += survived.there;
        println!(
            "{engine}: {} cuts, {} contacts acknowledged, {} there, none lost",
            all.cuts, all.acknowledged, all.there
        );
    }
}

#[derive(Default)]
struct Survived {
    cuts: usize,
    acknowledged: usize,
    there: usize,
}

fn survive(world: &World, seed: u64, cut: &(dyn Fn(usize) + Sync), mend: &dyn Fn(usize)) -> Survived {
    let rounds = share(10, 25);
    world.set(&["--rate-limit", "1000000000"]);
    let key = world.key("crm");
    let stamp = Mutex::new(String::new());
    let finished = AtomicBool::new(false);
    let mut everything: Vec<Written> = Vec::new();
    let reader = std::thread::scope(|scope| {
        let reader = scope.spawn(|| follow(&key, &finished));
        let ended = Finish(&finished);
        for round in 0..rounds {
            let mut dice = Dice::new(seed.wrapping_add(round as u64));
            let (dark, answered) = (AtomicBool::new(false), AtomicUsize::new(0));
            let of_round = std::thread::scope(|scope| {
                let writing = scope.spawn(|| {
                    at_once(WRITERS, |writer| {
                        let mut dice = Dice::new(seed ^ (round * WRITERS + writer) as u64);
                        write(&key, &mut dice, &format!("{round}-{writer}"), &stamp, (&dark, &answered))
                    })
                });
                eventually("writes", PATIENCE, || {
                    (writing.is_finished() || answered.load(Ordering::SeqCst) > 3 * WRITERS).then_some(())
                });
                // A random delay, so that crashes hit every part of a commit.
                std::thread::sleep(Duration::from_micros(dice.roll() % 200_000));
                dark.store(true, Ordering::SeqCst);
                cut(round);
                writing.join().unwrap_or_else(|_| panic!("a writer failed in round {round} of seed {seed}"))
            });
            mend(round);
            eventually("an answer after the crash", PATIENCE, || {
                key.request("GET", "/contacts?limit=1").try_send().ok().filter(|answer| answer.status == 200)
            });
            let of_round: Vec<Written> = of_round.into_iter().flatten().collect();
            assert!(of_round.len() > WRITERS / 2, "round {round} of seed {seed} wrote next to nothing");
            for contact in &of_round {
                check(&key, contact, &format!("round {round} of seed {seed}"));
            }
            world.check_integrity();
            // All contacts are read, which takes longer the more there are.
            if round % 10 == 9 {
                check_books(world, &format!("round {round} of seed {seed}"));
            }
            everything.extend(of_round);
        }
        // Jobs of a killed server are free again when their leases expire.
        eventually("the end of the work in the background", Duration::from_secs(180), || {
            (world.count("SELECT CAST(count(*) AS text) FROM jobs") == 0).then_some(())
        });
        drop(ended);
        reader.join().unwrap_or_else(|_| panic!("the reader failed, seed {seed}"))
    });

    // Writes of early rounds survive later crashes, and all totals agree with the records.
    for contact in everything.iter().step_by(1 + everything.len() / 300) {
        check(&key, contact, &format!("the end of seed {seed}"));
    }
    let rows = walk(&key);
    assert!(rows.len() >= everything.len(), "{} were acknowledged and {} are there", everything.len(), rows.len());
    check_totals(&key, &rows);
    for row in &rows {
        assert_eq!(reader.get(&text(&row["id"])), Some(row), "a change never reached the reader, seed {seed}");
    }
    Survived { cuts: rounds, acknowledged: everything.len(), there: rows.len() }
}

/// Creates, changes, tags and archives contacts, and deletes tags, until the server does not answer any more.
fn write(
    key: &Client,
    dice: &mut Dice,
    name: &str,
    stamp: &Mutex<String>,
    (dark, answered): (&AtomicBool, &AtomicUsize),
) -> Vec<Written> {
    let mut written: Vec<Written> = Vec::new();
    // A write that starts after another was acknowledged has a later stamp.
    let send = |method: &str, path: &str, body: Value, changes: bool| {
        let before = stamp.lock().unwrap_or_else(|broken| broken.into_inner()).clone();
        let request = key.request(method, path);
        let request = if body.is_null() { request } else { request.json(&body) };
        let answer = match request.try_send() {
            Ok(answer) if answer.status < 300 => answer,
            Ok(answer) => {
                assert_eq!(answer.status, 503, "{answer}");
                assert!(dark.load(Ordering::SeqCst), "refused while the server was up: {answer}");
                return None;
            }
            Err(lost) => {
                assert!(dark.load(Ordering::SeqCst), "no answer while the server was up: {lost}");
                return None;
            }
        };
        answered.fetch_add(1, Ordering::SeqCst);
        let data = answer.json["data"].clone();
        if let Some(at) = data["updated_at"].as_str().filter(|_| changes) {
            assert!(at > before.as_str(), "a later write has the stamp {at}, an earlier one {before}");
            let mut latest = stamp.lock().unwrap_or_else(|broken| broken.into_inner());
            *latest = latest.clone().max(at.to_owned());
        }
        Some(data)
    };
    for number in 0.. {
        let body = json!({
            "first_name": format!("Ada {name}"), "emails": [{"email": format!("ada{}@example.com", dice.below(50))}],
            "tags": ["VIP", format!("Tag {}", dice.below(5))], "skills": ["Rust", format!("Skill {}", dice.below(5))],
            "contact_type": dice.pick(&["client", "candidate"]), "do_not_contact": dice.one_in(3),
        });
        let tags: BTreeSet<String> = strings(&body["tags"]).into_iter().collect();
        let Some(created) = send("POST", "/contacts", body, true) else { return written };
        let known = Known { title: None, tags, archived: false };
        let mut contact = Written { id: text(&created["id"]), known, unknown: None };
        let path = format!("/contacts/{}", contact.id);
        let own = format!("Own {name} {number}");
        let mut own_id = None;
        for _ in 0..dice.below(5) {
            let mut next = contact.known.clone();
            let sent = match dice.below(5) {
                0 => {
                    next.title = Some(format!("Change {}", dice.roll()));
                    send("PUT", &path, json!({"title": next.title, "languages": ["en"]}), true)
                }
                1 => {
                    next.archived = true;
                    send("DELETE", &path, Value::Null, !contact.known.archived)
                }
                2 => {
                    next.archived = false;
                    send("PUT", &path, json!({"archived_at": null}), contact.known.archived)
                }
                3 => {
                    next.tags.insert(own.clone());
                    let tag = send("POST", &format!("{path}/tags"), json!({"name": own}), false);
                    own_id = tag.as_ref().map(|tag| text(&tag["id"]));
                    tag
                }
                _ => {
                    let Some(id) = own_id.take() else { continue };
                    next.tags.remove(&own);
                    send("DELETE", &format!("/tags/{id}"), Value::Null, false)
                }
            };
            if sent.is_none() {
                contact.unknown = Some(next);
                written.push(contact);
                return written;
            }
            contact.known = next;
        }
        written.push(contact);
    }
    written
}

/// The contact is in the acknowledged state, or in that of the last change, which was not acknowledged.
#[track_caller]
fn check(key: &Client, contact: &Written, which: &str) {
    let found = key.get(&format!("/contacts/{}", contact.id)).ok();
    let is = Known {
        title: found["title"].as_str().map(str::to_owned),
        tags: strings(&found["tags"]).into_iter().collect(),
        archived: !found["archived_at"].is_null(),
    };
    let possible = is == contact.known || Some(&is) == contact.unknown.as_ref();
    assert!(possible, "{which}: {is:?}, acknowledged {:?}, perhaps {:?}", contact.known, contact.unknown);
    assert_eq!(is.archived, found["global_status"] == "archived", "{which}: half an archiving: {found}");
    assert_eq!(found["languages"] == json!(["en"]), is.title.is_some(), "{which}: half a change: {found}");
    assert_eq!(
        (found["emails"].as_array().map(Vec::len), found["skills"].as_array().map(Vec::len)),
        (Some(1), Some(2))
    );
}

/// One commit writes the record, its events and its terms together: all or none exist.
#[track_caller]
fn check_books(world: &World, which: &str) {
    const BOOKS: [(&str, &str); 5] = [
        (
            "a contact without just one event for each of its versions",
            "SELECT CAST(count(*) AS text) FROM contacts c WHERE c.version <> (SELECT count(*) FROM events e \
             WHERE e.workspace_id = c.workspace_id AND e.record_id = c.id)",
        ),
        (
            "an event of a contact that is not there",
            "SELECT CAST(count(*) AS text) FROM events e WHERE e.record_type = 'contact' AND NOT EXISTS (SELECT 1 \
             FROM contacts c WHERE c.workspace_id = e.workspace_id AND c.id = e.record_id)",
        ),
        (
            "a term of a contact that is not there",
            "SELECT CAST(count(*) AS text) FROM terms t WHERE NOT EXISTS (SELECT 1 FROM contacts c WHERE \
             c.workspace_id = t.workspace_id AND c.id = t.record)",
        ),
        (
            "a contact without the terms of its one email and its two skills",
            "SELECT CAST(count(*) AS text) FROM contacts c WHERE 3 <> (SELECT count(*) FROM terms t WHERE \
             t.workspace_id = c.workspace_id AND t.record = c.id AND t.field IN ('contact.email', 'contact.skill'))",
        ),
        (
            "a contact whose stamp is not that of its last event",
            "SELECT CAST(count(*) AS text) FROM contacts c WHERE c.updated_at <> (SELECT max(e.at) FROM events e \
             WHERE e.workspace_id = c.workspace_id AND e.record_id = c.id)",
        ),
    ];
    for (what, sql) in BOOKS {
        assert_eq!(world.count(sql), 0, "{which}: {what}");
    }
}

fn walk(key: &Client) -> Vec<Value> {
    let (mut rows, mut cursor) = (Vec::new(), Some(String::new()));
    while let Some(place) = cursor {
        let page = key.list("/contacts", &[("limit", "100"), ("cursor", &place)]).page();
        cursor = page.next();
        rows.extend(page.rows);
    }
    rows
}

/// Tallies and counts agree with a scan of all records.
#[track_caller]
fn check_totals(key: &Client, rows: &[Value]) {
    let holds = |list: &Value, item: &str| strings(list).iter().any(|it| it == item);
    type Filter<'a> = (&'a [(&'a str, &'a str)], Box<dyn Fn(&Value) -> bool + 'a>);
    let filters: Vec<Filter> = vec![
        (&[], Box::new(|_| true)),
        (&[("archived_at", "is.null")], Box::new(|row| row["archived_at"].is_null())),
        (&[("global_status", "new")], Box::new(|row| row["global_status"] == "new")),
        (&[("global_status", "archived")], Box::new(|row| row["global_status"] == "archived")),
        (&[("contact_type", "client")], Box::new(|row| row["contact_type"] == "client")),
        (&[("do_not_contact", "true")], Box::new(|row| row["do_not_contact"] == true)),
        (
            &[("do_not_contact", "false"), ("archived_at", "is.not_null")],
            Box::new(|row| row["do_not_contact"] == false && !row["archived_at"].is_null()),
        ),
        (&[("tags", "cs.{VIP}")], Box::new(|row| holds(&row["tags"], "VIP"))),
        (&[("tags", "cs.{VIP,tag 3}")], Box::new(|row| holds(&row["tags"], "VIP") && holds(&row["tags"], "Tag 3"))),
        (&[("skills", "cs.{skill 2}")], Box::new(|row| holds(&row["skills"], "Skill 2"))),
        (&[("languages", "cs.{en}")], Box::new(|row| holds(&row["languages"], "en"))),
        (&[("email", "ada7@example.com")], Box::new(|row| row["emails"][0]["email"] == "ada7@example.com")),
        (&[("title", "is.not_null")], Box::new(|row| !row["title"].is_null())),
    ];
    for (parameters, holds) in filters {
        let total = key.list("/contacts", parameters).page().total();
        assert_eq!(total, rows.iter().filter(|row| holds(row)).count() as u64, "the total of {parameters:?}");
    }
}

/// A client that follows `updated_after` over all restarts and keeps the latest version of each record.
fn follow(key: &Client, finished: &AtomicBool) -> BTreeMap<String, Value> {
    let (mut copy, mut bound) = (BTreeMap::new(), "2001-01-01T00:00:00.000Z".to_owned());
    loop {
        // Read the flag before the round, so that the last round sees all writes.
        let last = finished.load(Ordering::SeqCst);
        let whole = follow_once(key, &mut bound, &mut copy);
        if last && (whole || std::thread::panicking()) {
            return copy;
        }
        if last && !whole && key.request("GET", "/contacts?limit=1").try_send().is_err() {
            panic!("there is no server any more");
        }
        pause();
    }
}

/// Reads every page since the bound; false if the server went away.
fn follow_once(key: &Client, bound: &mut String, copy: &mut BTreeMap<String, Value>) -> bool {
    let (since, mut cursor) = (bound.clone(), String::new());
    loop {
        let path = format!("/contacts?updated_after={}&limit=50&cursor={cursor}", encoded(&since));
        let Ok(answer) = key.request("GET", &path).try_send() else { return false };
        if answer.status == 503 {
            return false;
        }
        let page = answer.page();
        for row in &page.rows {
            *bound = text(&row["updated_at"]).max(bound.clone());
            copy.insert(text(&row["id"]), row.clone());
        }
        match page.next() {
            Some(next) => cursor = next,
            None => return true,
        }
    }
}
