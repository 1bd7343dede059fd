//! Incremental synchronization: a client that follows `updated_after` misses nothing.

mod proof;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::support::*;

stories![
    the_bound_is_inclusive,
    the_oldest_change_comes_first,
    the_bound_is_a_time_and_there_is_no_upper_one,
    a_following_reader_misses_no_change,
    a_run_returns_changes_up_to_its_checkpoint,
    all_pages_of_a_run_are_consistent,
    a_run_includes_requested_records,
    invalid_sync_parameters_are_refused,
];

#[track_caller]
fn someone(key: &Client, first_name: &str) -> Value {
    key.post("/contacts", json!({"first_name": first_name})).created()
}

#[track_caller]
fn updated_after(key: &Client, time: &str) -> Vec<String> {
    key.list("/contacts", &[("updated_after", time)]).page().column("first_name")
}

fn the_bound_is_inclusive(world: &World) {
    let key = world.key("crm");
    let contacts = ["Ada", "Béla", "Chloé"].map(|name| someone(&key, name));
    assert_eq!(updated_after(&key, &text(&contacts[1]["updated_at"])), ["Béla", "Chloé"]);
    assert_eq!(updated_after(&key, "2001-01-01T00:00:00Z"), ["Ada", "Béla", "Chloé"]);
    assert_eq!(updated_after(&key, "2999-01-01T00:00:00+05:30"), [] as [&str; 0]);
}

fn the_oldest_change_comes_first(world: &World) {
    let key = world.key("crm");
    let contacts = ["Ada", "Béla", "Chloé"].map(|name| someone(&key, name));
    let change = |number: usize, body: Value| {
        key.put(&format!("/contacts/{}", text(&contacts[number]["id"])), body).ok();
    };
    change(0, json!({"title": "CTO"}));
    assert_eq!(updated_after(&key, "2001-01-01T00:00:00Z"), ["Béla", "Chloé", "Ada"]);
    change(1, json!({"tags": ["VIP"]}));
    change(2, json!({"global_status": "archived"}));
    assert_eq!(updated_after(&key, "2001-01-01T00:00:00Z"), ["Ada", "Béla", "Chloé"]);
    let sorted = key.list("/contacts", &[("updated_after", "2001-01-01T00:00:00Z"), ("sort", "-first_name")]).page();
    assert_eq!(sorted.column("first_name"), ["Chloé", "Béla", "Ada"], "a given sort is used");
}

fn the_bound_is_a_time_and_there_is_no_upper_one(world: &World) {
    let key = world.key("crm");
    for wrong in
        ["yesterday", "", "1763000000", "2026-02-30T00:00:00Z", "gt.2026-01-01T00:00:00Z", "2026-01-01T25:00:00Z"]
    {
        key.list("/contacts", &[("updated_after", wrong)]).invalid("updated_after");
    }
    key.list("/contacts", &[("updated_before", "2026-01-01T00:00:00Z")]).invalid("updated_before");
}

fn a_following_reader_misses_no_change(world: &World) {
    const WRITERS: usize = 6;
    const CHANGES: usize = 40;
    world.set(&["--rate-limit", "1000000"]);
    let key = world.key("crm");
    let finished = AtomicBool::new(false);
    let mut copy: BTreeMap<String, Value> = BTreeMap::new();
    let mut bound = "2001-01-01T00:00:00.000Z".to_owned();

    std::thread::scope(|scope| {
        let writing = scope.spawn(|| {
            at_once(WRITERS, |writer| {
                let contacts: Vec<Value> =
                    (0..3).map(|number| someone(&key, &format!("Writer {writer} contact {number}"))).collect();
                for change in 0..CHANGES {
                    let path = format!("/contacts/{}", text(&contacts[change % 3]["id"]));
                    key.put(&path, json!({"title": format!("Change {change}")})).ok();
                }
            });
            finished.store(true, Ordering::SeqCst);
        });
        loop {
            // Read the flag before the round, so that the last round sees all writes.
            let last = finished.load(Ordering::SeqCst) || writing.is_finished();
            follow(&key, &mut bound, &mut copy);
            if last {
                break;
            }
        }
    });

    let truth = key.list("/contacts", &[("limit", "100")]).page().rows;
    assert_eq!(truth.len(), WRITERS * 3);
    for contact in truth {
        assert_eq!(copy.get(&text(&contact["id"])), Some(&contact), "a change never reached the reader");
    }
}

/// One round of a reader: every page since the last bound, stored by id.
fn follow(key: &Client, bound: &mut String, copy: &mut BTreeMap<String, Value>) {
    let since = bound.clone();
    let mut cursor = String::new();
    loop {
        let page = key.list("/contacts", &[("updated_after", &since), ("cursor", &cursor), ("limit", "7")]).page();
        for contact in &page.rows {
            *bound = text(&contact["updated_at"]).max(bound.clone());
            copy.insert(text(&contact["id"]), contact.clone());
        }
        match page.next() {
            Some(next) => cursor = next,
            None => return,
        }
    }
}

/// Three entries of one project, and the project.
fn entries(key: &Client) -> (String, Vec<Value>) {
    let project = text(&key.post("/projects", json!({"name": "CTO"})).created()["id"]);
    let add = |name: &str| {
        let contact = someone(key, name);
        key.post(&format!("/projects/{project}/entries"), json!({"contact_id": contact["id"]})).created()
    };
    let entries = ["Ada", "Béla", "Chloé"].map(add).to_vec();
    (project, entries)
}

#[track_caller]
fn run(key: &Client, parameters: &[(&str, &str)]) -> Page {
    let page = key.list("/pipeline-entries", parameters).page();
    assert_eq!(page.next().is_some(), page.has_more());
    page
}

fn ids(entries: &[&Value]) -> Vec<String> {
    entries.iter().map(|entry| text(&entry["id"])).collect()
}

#[track_caller]
fn rate(key: &Client, entry: &Value, rating: u64) {
    key.put(&format!("/pipeline-entries/{}", text(&entry["id"])), json!({"rating": rating})).ok();
}

fn a_run_returns_changes_up_to_its_checkpoint(world: &World) {
    let key = world.key("sourcing");
    let empty = run(&key, &[]);
    assert_eq!(empty.rows, [] as [Value; 0]);
    let (_, entries) = entries(&key);
    let first = run(&key, &[("updated_after", &text(&empty.meta["checkpoint"]))]);
    assert_eq!(first.ids(), ids(&[&entries[0], &entries[1], &entries[2]]));
    for (row, entry) in first.rows.iter().zip(&entries) {
        let members = row.as_object().expect("an object");
        assert_eq!(members.len(), 9, "{members:?}");
        assert!(members.iter().all(|(name, value)| entry[name] == *value), "{row} is not {entry}");
    }
    let checkpoint = text(&first.meta["checkpoint"]);
    assert_eq!(first.meta, json!({"limit": 50, "has_more": false, "next_cursor": null, "checkpoint": checkpoint}));
    assert!(checkpoint >= text(&entries[2]["updated_at"]), "{checkpoint}");
    assert_eq!(run(&key, &[("updated_after", &checkpoint)]).ids(), [] as [&str; 0], "the bound is strict");

    rate(&key, &entries[0], 4);
    someone(&key, "Somebody else");
    let second = run(&key, &[("updated_after", &checkpoint)]);
    assert_eq!((second.ids(), &second.rows[0]["rating"]), (ids(&[&entries[0]]), &json!(4)));
    key.delete(&format!("/pipeline-entries/{}", text(&entries[1]["id"]))).ok();
    assert_eq!(run(&key, &[("updated_after", &text(&second.meta["checkpoint"]))]).ids(), [] as [&str; 0]);
    assert_eq!(run(&key, &[]).ids(), ids(&[&entries[2], &entries[0]]), "in the order of their changes");
    // A client whose clock is ahead gets an earlier checkpoint, and so misses nothing.
    let ahead = run(&key, &[("updated_after", "2999-01-01T00:00:00Z")]);
    assert!(ahead.rows.is_empty() && text(&ahead.meta["checkpoint"]).as_str() < "2999", "{}", ahead.meta);
}

fn all_pages_of_a_run_are_consistent(world: &World) {
    let key = world.key("sourcing");
    let (project, entries) = entries(&key);
    let first = run(&key, &[("limit", "1")]);
    assert_eq!((first.ids(), first.has_more()), (ids(&[&entries[0]]), true));
    let (checkpoint, cursor) = (text(&first.meta["checkpoint"]), first.next().expect("a cursor"));
    assert!(cursor.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)), "{cursor}");
    // Changed and new entries wait for the next run; deleted ones are left out.
    rate(&key, &entries[1], 5);
    let dan = someone(&key, "Dan");
    let new = key.post(&format!("/projects/{project}/entries"), json!({"contact_id": dan["id"]})).created();
    let second = run(&key, &[("limit", "1"), ("cursor", &cursor)]);
    assert_eq!((second.ids(), second.has_more()), (ids(&[&entries[2]]), false));
    assert_eq!(second.meta["checkpoint"], checkpoint, "the checkpoint of the first page stays");
    let next = run(&key, &[("updated_after", &checkpoint)]);
    assert_eq!(next.ids(), ids(&[&entries[1], &new]));
    // A page can be requested again, with another limit and other included records.
    let again = run(&key, &[("cursor", &cursor), ("limit", "100"), ("include", "stage")]);
    assert_eq!((again.ids(), &again.meta["limit"]), (ids(&[&entries[2]]), &json!(100)));
    assert_eq!(again.rows[0]["stage"]["name"], "Sourced");
    // All rows of one commit have one stamp, and pages split them by id.
    world.change("UPDATE pipeline_entries SET updated_at = (SELECT max(updated_at) FROM pipeline_entries)");
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = run(&key, &[("limit", "1"), ("cursor", &cursor)]);
        seen.extend(page.ids());
        match page.next() {
            Some(next) => cursor = next,
            None => break,
        }
    }
    assert_eq!(seen, ids(&[&entries[0], &entries[1], &entries[2], &new]));
}

fn a_run_includes_requested_records(world: &World) {
    let key = world.key("sourcing");
    let (project, entries) = entries(&key);
    let one = |include: &str| run(&key, &[("include", include), ("limit", "1")]).rows.remove(0);
    let stage = json!({"id": entries[0]["stage_id"], "name": "Sourced"});
    let whole = key.get(&format!("/contacts/{}", text(&entries[0]["contact_id"]))).ok();
    let of_project = json!({"id": project, "name": "CTO", "status": "active"});
    let all = [("stage", stage), ("contact", whole), ("project", of_project)];
    for include in [
        "",
        "stage",
        "contact",
        "project",
        "stage,contact",
        "contact,project",
        "project,stage",
        "stage,project,contact",
        "stage, stage",
    ] {
        let row = one(include);
        for (name, expected) in &all {
            let shown = row.get(*name);
            assert_eq!(shown, include.contains(name).then_some(expected), "include={include} shows {name}");
        }
    }
    let narrow = world.key("pipeline:read");
    run(&narrow, &[("include", "stage")]);
    let refused =
        |include: &str| narrow.list("/pipeline-entries", &[("include", include)]).error(403, "insufficient_scope");
    refused("contact").says("contacts:read");
    refused("stage,project").says("projects:read");
    run(&world.key("pipeline:read,contacts:read"), &[("include", "contact")]);
}

fn invalid_sync_parameters_are_refused(world: &World) {
    let key = world.key("sourcing");
    entries(&key);
    let refused = |parameters: &[(&str, &str)], field: &str, why: &str| {
        key.list("/pipeline-entries", parameters).invalid(field).says(why);
    };
    for wrong in ["yesterday", "", "2026-01-01", "1763000000", "2026-02-30T00:00:00Z"] {
        refused(&[("updated_after", wrong)], "updated_after", "RFC 3339");
    }
    for wrong in ["0", "101", "x", "-1", ""] {
        refused(&[("limit", wrong)], "limit", "limit");
    }
    for wrong in ["owner", "contact;stage", "contact,,stage", "Contact", "contact,notes"] {
        refused(&[("include", wrong)], "include", "contact, project and stage");
    }
    for (name, value) in [
        ("updated_before", "2026-01-01T00:00:00Z"),
        ("offset", "0"),
        ("sort", "rating"),
        ("stage_id", "x"),
        ("count", "none"),
    ] {
        refused(&[(name, value)], name, "updated_after, include, limit, cursor");
    }
    refused(&[("limit", "1"), ("limit", "2")], "limit", "twice");

    let since = "2001-01-01T00:00:00.000Z";
    let cursor = run(&key, &[("limit", "1"), ("updated_after", since)]).next().expect("a cursor");
    run(&key, &[("cursor", &cursor), ("updated_after", "2001-01-01T01:00:00+01:00")]);
    refused(&[("cursor", &cursor), ("updated_after", "2001-01-01T00:00:00.001Z")], "updated_after", "leave it out");
    let fresh = run(&key, &[("limit", "1")]).next().expect("a cursor");
    refused(&[("cursor", &fresh), ("updated_after", since)], "updated_after", "leave it out");
    let broken = [&cursor[1..], &cursor[..cursor.len() - 4], "x", "e30", "%00", "null", &format!("{cursor}=")];
    for wrong in broken {
        refused(&[("cursor", wrong)], "cursor", "not a cursor");
    }
    let theirs = world.workspace("theirs").key("sourcing");
    theirs.list("/pipeline-entries", &[("cursor", &cursor)]).invalid("cursor");
    world.key("projects:read").get("/pipeline-entries").error(403, "insufficient_scope").says("pipeline:read");
}
