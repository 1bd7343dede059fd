//! Notes on contacts and companies.

use serde_json::{Value, json};

use crate::support::*;

stories![
    a_note_belongs_to_its_record,
    invalid_notes_are_refused,
    pinned_notes_come_first_then_the_newest,
    notes_are_filtered_sorted_and_synchronized,
    a_note_is_changed_and_deleted,
    a_note_does_not_change_its_record,
];

#[track_caller]
fn person(key: &Client) -> String {
    format!("/contacts/{}", text(&key.post("/contacts", json!({"first_name": "Ada"})).created()["id"]))
}

#[track_caller]
fn note(key: &Client, on: &str, body: Value) -> Value {
    key.post(&format!("{on}/notes"), body).created()
}

fn path(note: &Value) -> String {
    format!("/notes/{}", text(&note["id"]))
}

fn a_note_belongs_to_its_record(world: &World) {
    let key = world.key("crm");
    let author = key.get("/me").ok()["user"]["user_id"].clone();
    let company = key.post("/companies", json!({"name": "Acme"})).created();
    let on_company = format!("/companies/{}", text(&company["id"]));
    let on_contact = person(&key);
    for (on, member) in [(&on_contact, "contact_id"), (&on_company, "company_id")] {
        let answer = key.post(&format!("{on}/notes"), json!({"content": " Called. \n", "is_pinned": true}));
        let made = answer.created();
        assert_eq!(answer.header("Location"), format!("/api/v1{}", path(&made)));
        let mut expected = json!({
            "id": made["id"], "content": "Called.", "is_pinned": true, "author_id": author, "contact_id": null,
            "company_id": null, "deal_id": null, "project_id": null, "created_at": made["created_at"],
            "updated_at": made["created_at"],
        });
        expected[member] = json!(on.rsplit('/').next());
        assert_eq!(made, expected);
        assert_eq!(key.get(&path(&made)).ok(), made);
        assert_eq!(key.get(&format!("{on}/notes")).page().rows, [made]);
    }
    key.get(&format!("/contacts/{}/notes", nobody())).not_found();
    key.post(&format!("/contacts/{}/notes", nobody()), json!({"content": "x"})).not_found();
    world.key("contacts:read").get(&format!("{on_contact}/notes")).error(403, "insufficient_scope").says("notes:read");
}

fn invalid_notes_are_refused(world: &World) {
    let key = world.key("crm");
    let on = person(&key);
    for body in [
        json!({}),
        json!({"content": null}),
        json!({"content": " "}),
        json!({"content": 7}),
        json!({"content": "x".repeat(10_001)}),
    ] {
        key.post(&format!("{on}/notes"), body).invalid("content");
    }
    key.post(&format!("{on}/notes"), json!({"content": "x", "is_pinned": "yes"})).invalid("is_pinned");
    key.post(&format!("{on}/notes"), json!({"content": "x", "pinned": true})).invalid("pinned");
    assert_eq!(key.get(&format!("{on}/notes")).page().total(), 0);
}

fn pinned_notes_come_first_then_the_newest(world: &World) {
    let key = world.key("crm");
    let on = person(&key);
    for (content, pinned) in [("a", false), ("b", true), ("c", false), ("d", true)] {
        note(&key, &on, json!({"content": content, "is_pinned": pinned}));
    }
    let list = |parameters: &[(&str, &str)]| key.list(&format!("{on}/notes"), parameters).page();
    assert_eq!(list(&[]).column("content"), ["d", "b", "c", "a"]);
    assert_eq!(list(&[("limit", "2"), ("offset", "1")]).column("content"), ["b", "c"]);
    let first = list(&[("cursor", ""), ("limit", "3")]);
    assert_eq!(first.column("content"), ["d", "b", "c"]);
    assert_eq!(list(&[("cursor", &first.next().unwrap_or_default()), ("limit", "3")]).column("content"), ["a"]);
}

fn notes_are_filtered_sorted_and_synchronized(world: &World) {
    let key = world.key("crm");
    let on = person(&key);
    let made: Vec<Value> = ["a", "b", "c"]
        .iter()
        .map(|content| note(&key, &on, json!({"content": content, "is_pinned": *content == "b"})))
        .collect();
    let list = |parameters: &[(&str, &str)]| key.list(&format!("{on}/notes"), parameters);
    assert_eq!(list(&[("is_pinned", "true")]).page().column("content"), ["b"]);
    assert_eq!(list(&[("sort", "created_at")]).page().column("content"), ["a", "b", "c"]);
    assert_eq!(list(&[("author_id", &text(&made[0]["author_id"]))]).page().total(), 3);
    let after = text(&made[0]["updated_at"]);
    assert_eq!(list(&[("updated_after", &after)]).page().column("content"), ["b", "c"], "sorted by time of change");
    assert_eq!(list(&[("updated_before", &after)]).page().column("content"), ["a"]);
    list(&[("content", "a")]).invalid("content");
    list(&[("sort", "is_pinned")]).invalid("sort");
}

fn a_note_is_changed_and_deleted(world: &World) {
    let key = world.key("crm");
    let on = person(&key);
    let made = note(&key, &on, json!({"content": "Call"}));
    let changed = key.put(&path(&made), json!({"content": "Called", "is_pinned": true, "author_id": nobody()})).ok();
    assert_eq!(
        (&changed["content"], &changed["is_pinned"], &changed["author_id"]),
        (&json!("Called"), &json!(true), &made["author_id"])
    );
    assert_eq!(key.put(&path(&made), json!({"content": "Called"})).ok(), changed);
    key.put(&path(&made), json!({"content": ""})).invalid("content");
    assert_eq!(key.delete(&path(&made)).ok(), json!({"deleted": true}));
    key.get(&path(&made)).not_found();
    key.delete(&path(&made)).not_found();
    assert_eq!(key.get(&format!("{on}/notes")).page().total(), 0);
}

fn a_note_does_not_change_its_record(world: &World) {
    let key = world.key("crm");
    let on = person(&key);
    let before = key.get(&on).ok();
    note(&key, &on, json!({"content": "x"}));
    assert_eq!(key.get(&on).ok(), before);
}
