//! Timelines: the events of a record, newest first.

use serde_json::{Value, json};

use crate::support::*;

stories![
    a_timeline_lists_events_newest_first,
    a_timeline_is_paged_by_cursor,
    a_timeline_is_narrowed_by_types,
    events_of_linked_records_need_their_scopes,
    companies_have_timelines_too,
    invalid_timeline_parameters_are_refused,
];

fn path(contact: &Value) -> String {
    format!("/contacts/{}", text(&contact["id"]))
}

#[track_caller]
fn timeline(key: &Client, contact: &Value, parameters: &[(&str, &str)]) -> Page {
    key.list(&format!("{}/timeline", path(contact)), parameters).page()
}

fn a_timeline_lists_events_newest_first(world: &World) {
    let key = world.key("crm");
    let ada = key.post("/contacts", json!({"first_name": "Ada", "title": "CTO", "tags": ["VIP"]})).created();
    key.post("/contacts", json!({"first_name": "Bob"})).created();
    let changed = key.put(&path(&ada), json!({"title": "CEO"})).ok();
    key.put(&path(&ada), json!({"title": "CEO"})).ok();
    key.delete(&path(&ada)).ok();
    let page = timeline(&key, &ada, &[]);
    assert_eq!(page.meta, json!({"limit": 50, "has_more": false, "next_cursor": null}));
    assert_eq!(page.column("type"), ["contact.updated", "contact.updated", "contact.created"]);
    let event = &page.rows[1];
    let me = key.get("/me").ok();
    assert_eq!(event["actor"], json!({"kind": "key", "id": me["key"]["id"], "name": me["key"]["name"]}));
    assert_eq!(event["record"], json!({"type": "contact", "id": ada["id"]}));
    assert_eq!(event["changes"], json!({"title": ["CTO", "CEO"]}));
    assert_eq!(event["at"], changed["updated_at"]);
    assert_eq!(page.rows[2]["changes"]["first_name"], json!([null, "Ada"]));
    assert_eq!(page.rows[2]["changes"]["tags"], json!([null, ["VIP"]]));
    assert_eq!(page.rows[0]["changes"]["global_status"], json!(["new", "archived"]));
    let places: Vec<u64> = page.column("sequence").iter().map(|place| place.parse().expect("a number")).collect();
    assert!(places.is_sorted_by(|one, other| one > other), "{places:?}");
}

fn a_timeline_is_paged_by_cursor(world: &World) {
    let key = world.key("crm");
    let ada = key.post("/contacts", json!({"first_name": "Ada"})).created();
    for number in 0..10 {
        key.put(&path(&ada), json!({"title": format!("Title {number}")})).ok();
    }
    let whole = timeline(&key, &ada, &[]).rows;
    assert_eq!(whole.len(), 11);
    let (mut seen, mut cursor) = (Vec::new(), Some(String::new()));
    while let Some(place) = cursor {
        let page = timeline(&key, &ada, &[("limit", "4"), ("cursor", &place)]);
        cursor = page.next();
        assert_eq!(cursor.is_some(), page.has_more());
        seen.extend(page.rows);
        if seen.len() == 4 {
            key.put(&path(&ada), json!({"title": "Meanwhile"})).ok();
        }
    }
    assert_eq!(seen, whole, "new events do not shift the pages");
}

fn a_timeline_is_narrowed_by_types(world: &World) {
    let key = world.key("crm");
    let ada = key.post("/contacts", json!({"first_name": "Ada"})).created();
    key.put(&path(&ada), json!({"title": "CEO"})).ok();
    let types = |types: &str| timeline(&key, &ada, &[("types", types)]).column("type");
    assert_eq!(types("contact"), ["contact.updated", "contact.created"]);
    assert_eq!(types("contact.created"), ["contact.created"]);
    assert_eq!(types("note,contact.updated"), ["contact.updated"]);
    assert_eq!(types("contact.vanished"), [""; 0]);
    assert_eq!(types("note"), [""; 0]);
}

/// A note's events are on its contact's timeline, even after the note is deleted; keys without the scope for notes do
/// not see them.
fn events_of_linked_records_need_their_scopes(world: &World) {
    let key = world.key("crm");
    let ada = key.post("/contacts", json!({"first_name": "Ada"})).created();
    let bob = key.post("/contacts", json!({"first_name": "Bob"})).created();
    let note = key.post(&format!("{}/notes", path(&ada)), json!({"content": "Hello"})).created();
    key.put(&path(&ada), json!({"title": "CEO"})).ok();
    let note_path = format!("/notes/{}", text(&note["id"]));
    key.put(&note_path, json!({"content": "Hello again"})).ok();
    key.delete(&note_path).ok();
    let all = ["note.deleted", "note.updated", "contact.updated", "note.created", "contact.created"];
    assert_eq!(timeline(&key, &ada, &[]).column("type"), all);
    assert_eq!(timeline(&key, &bob, &[]).column("type"), ["contact.created"]);
    let reported = timeline(&key, &ada, &[("types", "note.updated")]).rows.remove(0);
    assert_eq!(reported["record"], json!({"type": "note", "id": note["id"]}));
    assert_eq!(reported["changes"], json!({"content": ["Hello", "Hello again"]}));
    let narrow = world.key("contacts:read");
    assert_eq!(timeline(&narrow, &ada, &[]).column("type"), ["contact.updated", "contact.created"]);
    assert_eq!(timeline(&narrow, &ada, &[("types", "note")]).column("type"), [""; 0]);
    let (mut types, mut cursor) = (Vec::new(), Some(String::new()));
    while let Some(place) = cursor {
        let page = timeline(&key, &ada, &[("limit", "2"), ("cursor", &place)]);
        cursor = page.next();
        types.extend(page.column("type"));
    }
    assert_eq!(types, all, "page by page");
}

fn companies_have_timelines_too(world: &World) {
    let key = world.key("crm");
    let globex = key.post("/companies", json!({"name": "Globex"})).created();
    let path = format!("/companies/{}", text(&globex["id"]));
    key.post(&format!("{path}/notes"), json!({"content": "Hello"})).created();
    key.put(&path, json!({"industry": "Energy"})).ok();
    let page = key.get(&format!("{path}/timeline")).page();
    assert_eq!(page.column("type"), ["company.updated", "note.created", "company.created"]);
    assert_eq!(page.rows[0]["changes"], json!({"industry": [null, "Energy"]}));
    world.key("contacts:read").get(&format!("{path}/timeline")).error(403, "insufficient_scope").says("companies:read");
}

fn invalid_timeline_parameters_are_refused(world: &World) {
    let key = world.key("crm");
    let ada = key.post("/contacts", json!({"first_name": "Ada"})).created();
    let ask = |parameters: &[(&str, &str)]| key.list(&format!("{}/timeline", path(&ada)), parameters);
    for (name, value) in [
        ("limit", "0"),
        ("limit", "101"),
        ("limit", "+5"),
        ("limit", "x"),
        ("cursor", "x"),
        ("cursor", "-1"),
        ("cursor", "99999999999999999999"),
        ("types", ""),
        ("types", "key.created"),
        ("types", "contact."),
        ("types", "contact,"),
        ("types", "contact.x'; --"),
    ] {
        ask(&[(name, value)]).invalid(name);
    }
    ask(&[("offset", "1")]).invalid("offset").says("cursor");
    ask(&[("limit", "1"), ("limit", "2")]).invalid("limit").says("twice");
    key.get(&format!("/contacts/{}/timeline", nobody())).not_found();
    world
        .key("notes:read")
        .get(&format!("{}/timeline", path(&ada)))
        .error(403, "insufficient_scope")
        .says("contacts:read");
}
