//! The sequences of a project, and its default one.

use serde_json::{Value, json};

use crate::sequences::{path, sequence};
use crate::support::*;

stories![
    a_sequence_can_belong_to_a_project,
    a_project_has_a_default_sequence,
    an_archived_sequence_can_not_be_a_default,
    archiving_a_default_sequence_removes_it_from_every_project,
];

#[track_caller]
fn project(key: &Client, name: &str) -> Value {
    key.post("/projects", json!({"name": name})).created()
}

fn below(project: &Value) -> String {
    format!("/projects/{}/sequences", text(&project["id"]))
}

fn a_sequence_can_belong_to_a_project(world: &World) {
    let key = world.key("full_access");
    let engineers = project(&key, "Engineers");
    let made = sequence(&key, json!({"name": "a", "project_id": engineers["id"]}));
    sequence(&key, json!({"name": "b"}));
    assert_eq!(made["project_id"], engineers["id"]);
    let of_it = key.list("/sequences", &[("project_id", &text(&engineers["id"]))]).page();
    assert_eq!(of_it.column("name"), ["a"]);
    let reported = key.get(&format!("/projects/{}/timeline?types=sequence", text(&engineers["id"]))).page();
    assert_eq!(reported.column("type"), ["sequence.created"]);
    assert_eq!(key.put(&path(&made), json!({"project_id": null})).ok()["project_id"], json!(null));
    key.put(&path(&made), json!({"project_id": nobody()})).invalid("project_id").says("no project has this id");
    let theirs = project(&world.workspace("theirs").key("full_access"), "Theirs");
    key.post("/sequences", json!({"name": "x", "project_id": theirs["id"]})).invalid("project_id");
}

fn a_project_has_a_default_sequence(world: &World) {
    let key = world.key("full_access");
    let (engineers, sales) = (project(&key, "Engineers"), project(&key, "Sales"));
    let own = sequence(&key, json!({"name": "own", "project_id": engineers["id"]}));
    let general = sequence(&key, json!({"name": "general"}));
    sequence(&key, json!({"name": "other", "project_id": sales["id"]}));
    let listed = |parameters: &[(&str, &str)]| {
        let page = key.list(&below(&engineers), parameters).page();
        let one = |row: &Value| format!("{}{}", text(&row["name"]), if row["is_default"] == true { "*" } else { "" });
        page.rows.iter().map(one).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(listed(&[]), "own");
    key.delete(&below(&engineers)).not_found().says("default sequence");
    let changed = key.put(&below(&engineers), json!({"sequence_id": general["id"]})).ok();
    assert_eq!(changed["default_sequence_id"], general["id"], "the answer is the project");
    assert_eq!(changed, key.get(&format!("/projects/{}", text(&engineers["id"]))).ok());
    assert_ne!(changed["updated_at"], engineers["updated_at"]);
    let events = world.events();
    key.put(&below(&engineers), json!({"sequence_id": general["id"]})).ok();
    assert_eq!(world.events(), events, "the same again changes nothing");
    assert_eq!(listed(&[]), "general* own");
    assert_eq!(listed(&[("sort", "-name"), ("limit", "1")]), "own");
    assert_eq!(listed(&[("name", "general")]), "general*");
    assert_eq!(key.get(&below(&engineers)).page().total(), 2);
    assert_eq!(listed(&[("cursor", ""), ("limit", "1")]), "general*");
    key.put(&below(&engineers), json!({"sequence_id": own["id"]})).ok();
    assert_eq!(listed(&[]), "own*");
    assert_eq!(key.delete(&below(&engineers)).ok(), json!({"deleted": true}));
    assert_eq!(listed(&[]), "own");
    key.delete(&below(&engineers)).not_found();
    key.get(&format!("/projects/{}/sequences", nobody())).not_found();
    key.list(&below(&engineers), &[("sort", "priority")]).invalid("sort");
    world.key("projects:read").get(&below(&engineers)).error(403, "insufficient_scope").says("sequences:read");
    let writer = world.key("sequences:write");
    writer
        .put(&below(&engineers), json!({"sequence_id": own["id"]}))
        .error(403, "insufficient_scope")
        .says("projects:write");
}

fn an_archived_sequence_can_not_be_a_default(world: &World) {
    let key = world.key("full_access");
    let engineers = project(&key, "Engineers");
    let gone = sequence(&key, json!({"name": "gone"}));
    key.delete(&path(&gone)).ok();
    let choose = |id: Value| key.put(&below(&engineers), json!({"sequence_id": id}));
    choose(gone["id"].clone()).invalid("sequence_id").says("archived");
    choose(json!(nobody())).invalid("sequence_id").says("no sequence has this id");
    choose(json!("x")).invalid("sequence_id");
    choose(json!(null)).invalid("sequence_id");
    key.put(&below(&engineers), json!({})).invalid("sequence_id").says("required");
    let theirs = sequence(&world.workspace("theirs").key("full_access"), json!({"name": "theirs"}));
    choose(theirs["id"].clone()).invalid("sequence_id");
    assert_eq!(key.get(&format!("/projects/{}", text(&engineers["id"]))).ok(), engineers);
}

fn archiving_a_default_sequence_removes_it_from_every_project(world: &World) {
    let key = world.key("full_access");
    let (one, other) = (sequence(&key, json!({"name": "one"})), sequence(&key, json!({"name": "other"})));
    let all: Vec<Value> = (0..60).map(|n| project(&key, &format!("Project {n}"))).collect();
    for (n, project) in all.iter().enumerate() {
        let chosen = if n == 7 { &other } else { &one };
        key.put(&below(project), json!({"sequence_id": chosen["id"]})).ok();
    }
    key.delete(&path(&one)).ok();
    let left = eventually("the removal from all records", PATIENCE, || {
        let rows = key.get("/projects?limit=100").page().rows;
        let left: Vec<Value> = rows.into_iter().filter(|row| !row["default_sequence_id"].is_null()).collect();
        (left.len() == 1).then_some(left)
    });
    assert_eq!((&left[0]["id"], &left[0]["default_sequence_id"]), (&all[7]["id"], &other["id"]));
}
