//! Workspaces: records of one are never visible, found or changed from another.

use serde_json::{Value, json};

use crate::support::*;

stories![
    records_of_another_workspace_do_not_exist,
    lists_and_totals_do_not_leak,
    workspaces_can_have_tags_of_the_same_name,
    another_workspaces_tag_cannot_be_attached,
    a_cursor_of_another_workspace_shows_nothing,
];

struct Two {
    ours: Client,
    theirs: Client,
    /// A contact and a tag of the other workspace.
    contact: Value,
    tag: Value,
}

fn two(world: &World) -> Two {
    let (ours, theirs) = (world.key("full_access"), world.workspace("theirs").key("full_access"));
    let body = json!({"first_name": "Ada", "email": "ada@example.com", "skills": ["Rust"], "tags": ["Secret"]});
    let contact = theirs.post("/contacts", body).created();
    let tag = theirs.get("/tags").page().rows.remove(0);
    Two { ours, theirs, contact, tag }
}

fn records_of_another_workspace_do_not_exist(world: &World) {
    let Two { ours, theirs, contact, tag } = two(world);
    let nobody = nobody();
    let their_contact = text(&contact["id"]);
    let their_tag = text(&tag["id"]);
    // The same text as for an id that never existed.
    let same = |ask: &dyn Fn(&str) -> Answer, id: &str| {
        let (there, nowhere) = (ask(id), ask(&nobody));
        there.not_found();
        assert_eq!(there.text().replace(id, &nobody), nowhere.text(), "a difference reveals that it exists");
    };
    same(&|id| ours.get(&format!("/contacts/{id}")), &their_contact);
    same(&|id| ours.put(&format!("/contacts/{id}"), json!({"title": "Stolen"})), &their_contact);
    same(&|id| ours.patch(&format!("/contacts/{id}"), json!({"title": "Stolen"})), &their_contact);
    same(&|id| ours.delete(&format!("/contacts/{id}")), &their_contact);
    same(&|id| ours.post(&format!("/contacts/{id}/tags"), json!({"name": "Stolen"})), &their_contact);
    same(&|id| ours.delete(&format!("/contacts/{id}/tags?name=Secret")), &their_contact);
    same(&|id| ours.put(&format!("/tags/{id}"), json!({"name": "Stolen"})), &their_tag);
    same(&|id| ours.delete(&format!("/tags/{id}")), &their_tag);
    assert_eq!(theirs.get("/contacts").page().rows, [contact]);
    assert_eq!(theirs.get("/tags").page().rows, [tag]);
}

fn lists_and_totals_do_not_leak(world: &World) {
    let Two { ours, theirs, contact, .. } = two(world);
    let mine = ours.post("/contacts", json!({"first_name": "Béla"})).created();
    for filter in [
        vec![],
        vec![("first_name", "neq.nobody")],
        vec![("global_status", "new")],
        vec![("or", "(first_name.eq.Ada,first_name.eq.Béla)")],
        vec![("archived_at", "is.null")],
        vec![("updated_after", "2001-01-01T00:00:00Z")],
    ] {
        let page = ours.list("/contacts", &filter).page();
        assert_eq!((page.rows, page.meta["total"].clone()), (vec![mine.clone()], json!(1)), "{filter:?}");
    }
    for filter in
        [("first_name", "Ada"), ("email", "ada@example.com"), ("skills", "cs.{rust}"), ("tags", "cs.{secret}")]
    {
        assert_eq!(ours.list("/contacts", &[filter]).page().total(), 0, "{filter:?}");
    }
    assert_eq!(theirs.get("/contacts").page().rows, [contact]);
    assert_eq!(ours.get("/tags").page().total(), 0);
    assert_eq!(ours.get("/workspace/members").page().total(), 1);
}

fn workspaces_can_have_tags_of_the_same_name(world: &World) {
    let Two { ours, theirs, tag, .. } = two(world);
    let mine = ours.post("/tags", json!({"name": "Secret", "color": "#ff0000"})).created();
    assert_ne!(mine["id"], tag["id"]);
    ours.delete(&format!("/tags/{}", text(&mine["id"]))).ok();
    assert_eq!(theirs.get("/tags").page().rows, [tag]);
    assert_eq!(theirs.list("/contacts", &[("tags", "cs.{Secret}")]).page().total(), 1);
}

fn another_workspaces_tag_cannot_be_attached(world: &World) {
    let Two { ours, tag, .. } = two(world);
    let mine = ours.post("/contacts", json!({"first_name": "Béla"})).created();
    let tags = format!("/contacts/{}/tags", text(&mine["id"]));
    let nobody = nobody();
    let theirs = ours.post(&tags, json!({"tag_id": tag["id"]}));
    let unknown = ours.post(&tags, json!({"tag_id": nobody}));
    assert_eq!(theirs.status, unknown.status);
    assert_eq!(
        theirs.text().replace(&text(&tag["id"]), &nobody),
        unknown.text(),
        "a difference reveals that it exists"
    );
    ours.delete(&format!("{tags}?tag_id={}", text(&tag["id"]))).not_found();
    assert_eq!(ours.get(&format!("/contacts/{}", text(&mine["id"]))).ok(), mine);
}

fn a_cursor_of_another_workspace_shows_nothing(world: &World) {
    let Two { ours, theirs, .. } = two(world);
    theirs.post("/contacts", json!({"first_name": "Zoë"})).created();
    let mine = ours.post("/contacts", json!({"first_name": "Béla"})).created();
    let cursor = theirs.list("/contacts", &[("cursor", ""), ("limit", "1")]).page().next().unwrap_or_default();
    let answer = ours.list("/contacts", &[("cursor", &cursor), ("limit", "1")]);
    // The cursor is refused or read as a position among our own rows; rows of the other workspace are never shown.
    if answer.status == 200 {
        assert!(answer.page().rows.iter().all(|row| *row == mine), "{answer}");
    } else {
        answer.invalid("cursor");
    }
}
