//! In-memory caches: a write must not put uncommitted values into them.

use serde_json::{Value, json};
use std::time::Duration;

use crate::support::*;

stories![tag_names_read_in_a_shared_commit_are_not_cached, a_definition_applies_as_soon_as_it_is_answered];

/// Sends these in order while the writer is blocked, so that they share a commit; returns their answers.
fn in_one_commit<'a>(world: &World, requests: Vec<Box<dyn FnOnce() -> Answer + Send + 'a>>) -> Vec<Answer> {
    std::thread::scope(|scope| {
        // The writer takes the first one alone; the others queue behind it and become one group.
        let waiting = world.hold(|| {
            let mut waiting = Vec::new();
            for request in requests {
                waiting.push(scope.spawn(request));
                // The delay makes them queue in this order.
                std::thread::sleep(Duration::from_millis(80));
            }
            waiting
        });
        waiting.into_iter().map(|waiting| waiting.join().expect("an answer")).collect()
    })
}

fn tag_names_read_in_a_shared_commit_are_not_cached(world: &World) {
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

/// On every node, as soon as the answer has arrived.
fn a_definition_applies_as_soon_as_it_is_answered(world: &World) {
    let key = world.key("full_access");
    let second = world.another_node();
    let other = second.as_ref().map_or_else(|| key.clone(), |node| key.at(&node.origin()));
    let create = ["fields", "create", "--entity", "contact", "--type", "text"];
    let make = |key: &Client| key.post("/contacts", json!({"first_name": "Ada"}));
    for round in 0..4 {
        let name = format!("f{round}");
        // Both nodes have cached the definitions.
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
