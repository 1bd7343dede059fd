//! What a process remembers of the database: a write shares nothing that is not committed.

use serde_json::{Value, json};
use std::time::Duration;

use crate::support::*;

stories![tag_names_learned_in_a_shared_commit_are_not_believed, a_definition_is_in_force_when_it_is_answered];

/// Sends these one after another while nobody can write, so that they share a commit; gives their answers.
fn in_one_commit<'a>(world: &World, requests: Vec<Box<dyn FnOnce() -> Answer + Send + 'a>>) -> Vec<Answer> {
    std::thread::scope(|scope| {
        // The first is taken by the writer alone; the others wait behind it and are one group.
        let waiting = world.hold(|| {
            let mut waiting = Vec::new();
            for request in requests {
                waiting.push(scope.spawn(request));
                // They are to wait in this order.
                std::thread::sleep(Duration::from_millis(80));
            }
            waiting
        });
        waiting.into_iter().map(|waiting| waiting.join().expect("an answer")).collect()
    })
}

fn tag_names_learned_in_a_shared_commit_are_not_believed(world: &World) {
    let key = world.key("crm");
    let contact = key.post("/contacts", json!({"first_name": "Ada", "tags": ["worn"]})).created();
    let path = format!("/contacts/{}", text(&contact["id"]));
    let tag = |name: &str| {
        let made = key.get("/tags").page().rows.into_iter().find(|tag| tag["name"] == name);
        made.unwrap_or_else(|| key.post("/tags", json!({ "name": name })).created())
    };
    let (worn, other) = (tag("worn"), tag("other"));
    for round in 0..6 {
        let rename = |tag: &Value, name: String| {
            let path = format!("/tags/{}", text(&tag["id"]));
            key.put(&path, json!({ "name": name }))
        };
        let (key, path, rename) = (&key, &path, &rename);
        let answers = in_one_commit(
            world,
            vec![
                Box::new(move || key.post("/tags", json!({"name": format!("first {round}")}))),
                Box::new({
                    let other = other.clone();
                    move || rename(&other, format!("other {round}"))
                }),
                Box::new(move || key.put(path, json!({"title": format!("Engineer {round}")}))),
                Box::new({
                    let worn = worn.clone();
                    move || rename(&worn, format!("worn {round}"))
                }),
            ],
        );
        for answer in &answers {
            assert!(answer.status < 300, "{answer}");
        }
        assert_eq!(key.get(path).ok()["tags"], json!([format!("worn {round}")]), "round {round}");
        assert_eq!(key.get("/contacts").page().rows[0]["tags"], json!([format!("worn {round}")]), "round {round}");
    }
}

/// On every node, from the moment of the answer on.
fn a_definition_is_in_force_when_it_is_answered(world: &World) {
    let key = world.key("full_access");
    let second = world.another_node();
    let other = second.as_ref().map_or_else(|| key.clone(), |node| key.at(&node.origin()));
    let create = ["fields", "create", "--entity", "contact", "--type", "text"];
    let make = |key: &Client| key.post("/contacts", json!({"first_name": "Ada"}));
    for round in 0..4 {
        let name = format!("f{round}");
        // Definitions are in the memory of both.
        make(&key).created();
        make(&other).created();
        world.run(&[&create[..], &["--key", &name, "--required"]].concat()).ok();
        for key in [&key, &other] {
            make(key).invalid(&format!("custom_data.{name}"));
        }
        world.run(&["fields", "update", "--entity", "contact", "--key", &name, "--required", "false"]).ok();
        make(&other).created();
        make(&key).created();
        world.run(&["fields", "delete", "--entity", "contact", "--key", &name]).ok();
    }
}
