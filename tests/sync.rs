//! Incremental synchronization: whoever follows `updated_after` misses nothing.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::support::*;

stories![
    the_bound_itself_comes_again,
    the_oldest_change_comes_first,
    the_bound_is_a_time_and_there_is_no_upper_one,
    a_reader_who_follows_misses_no_change,
];

#[track_caller]
fn someone(key: &Client, first_name: &str) -> Value {
    key.post("/contacts", json!({"first_name": first_name})).created()
}

#[track_caller]
fn updated_after(key: &Client, time: &str) -> Vec<String> {
    key.list("/contacts", &[("updated_after", time)]).page().column("first_name")
}

fn the_bound_itself_comes_again(world: &World) {
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
    assert_eq!(sorted.column("first_name"), ["Chloé", "Béla", "Ada"], "a sort that is asked for holds");
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

fn a_reader_who_follows_misses_no_change(world: &World) {
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
            // Whether this is the last round is asked before it, so that it sees all that was written.
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

/// One round of a reader: every page since the last bound, kept by id.
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
