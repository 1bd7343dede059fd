//! Notes on contacts, companies, deals and projects.

use serde_json::{Value, json};

use crate::support::*;

stories![
    a_note_belongs_to_its_record,
    invalid_notes_are_refused,
    pinned_notes_come_first_then_the_newest,
    notes_are_filtered_sorted_and_synchronized,
    a_note_is_changed_and_deleted,
    a_note_does_not_change_its_record,
    the_notes_of_all_records_are_one_list,
    a_copy_of_all_notes_misses_no_change,
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

fn the_notes_of_all_records_are_one_list(world: &World) {
    let key = world.key("crm,projects:write");
    let contact = person(&key);
    let company = format!("/companies/{}", text(&key.post("/companies", json!({"name": "Acme"})).created()["id"]));
    let deal = format!("/deals/{}", text(&key.post("/deals", json!({"title": "Licences"})).created()["id"]));
    let project = format!("/projects/{}", text(&key.post("/projects", json!({"name": "CTO"})).created()["id"]));
    let on = [&contact, &company, &deal, &project];
    let pinned = note(&key, &contact, json!({"content": "pinned", "is_pinned": true}));
    let made: Vec<Value> = on.iter().map(|on| note(&key, on, json!({"content": *on}))).collect();
    let list = |parameters: &[(&str, &str)]| key.list("/notes", parameters).page();
    // The newest first, whatever is pinned.
    let all = list(&[]);
    assert_eq!(all.total(), 5);
    assert_eq!(all.rows, made.iter().rev().chain([&pinned]).cloned().collect::<Vec<_>>());
    for (path, name) in on.iter().zip(["contact_id", "company_id", "deal_id", "project_id"]) {
        let id = path.rsplit('/').next().unwrap_or_default();
        let found = list(&[(name, id), ("is_pinned", "false")]);
        assert_eq!((found.column("content"), found.total()), (vec![(*path).clone()], 1), "{name}");
        assert_eq!(list(&[(name, "is.null")]).total(), if name == "contact_id" { 3 } else { 4 });
    }
    let author = text(&pinned["author_id"]);
    assert_eq!(
        list(&[("author_id", &author), ("limit", "2"), ("offset", "3")]).rows,
        [made[0].clone(), pinned.clone()]
    );
    assert_eq!(list(&[("author_id", &nobody())]).total(), 0);
    assert_eq!(list(&[("is_pinned", "true")]).rows, [pinned]);
    assert_eq!(list(&[("or", &format!("(is_pinned.eq.true,deal_id.eq.{})", text(&made[2]["deal_id"])))]).total(), 2);
    key.get("/notes?content=pinned").invalid("content");
    key.get("/notes?sort=is_pinned").invalid("sort");
    key.get("/notes?sort=author_id").invalid("sort");

    // Notes of others are not among them, and they need the scope of notes.
    assert_eq!(world.workspace("theirs").key("crm").get("/notes").page().total(), 0);
    world.key("contacts:read").get("/notes").error(403, "insufficient_scope").says("notes:read");
    // Notes of a contact who was merged are found by both ids.
    let other = person(&key);
    let ids = [&contact, &other].map(|path| path.rsplit('/').next().unwrap_or_default().to_owned());
    key.post("/contacts/merge", json!({"into": ids[1], "from": [ids[0]]})).is(200);
    for id in &ids {
        assert_eq!(list(&[("contact_id", id)]).total(), 2);
    }
}

fn a_copy_of_all_notes_misses_no_change(world: &World) {
    let key = world.key("crm");
    let on = person(&key);
    let made: Vec<Value> = (0..7).map(|n| note(&key, &on, json!({"content": n.to_string()}))).collect();
    key.put(&path(&made[2]), json!({"content": "changed", "is_pinned": true})).ok();
    key.delete(&path(&made[4])).ok();
    let follow = |after: &str| {
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let parameters = [("updated_after", after), ("cursor", &*cursor), ("limit", "2")];
            let page = key.list("/notes", &parameters).page();
            seen.extend(page.column("content"));
            match page.next() {
                Some(next) => cursor = next,
                None => return seen,
            }
        }
    };
    assert_eq!(follow("2020-01-01T00:00:00Z"), ["0", "1", "3", "5", "6", "changed"]);
    assert_eq!(follow(&text(&made[5]["updated_at"])), ["6", "changed"]);
    let upwards = key.list("/notes", &[("sort", "-updated_at"), ("limit", "2"), ("offset", "1")]).page();
    assert_eq!((upwards.column("content"), upwards.total()), (vec!["6".into(), "5".into()], 6));
}
