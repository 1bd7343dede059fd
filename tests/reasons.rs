//! Reasons and sources: lists that the operator manages for each workspace.

use serde_json::{Value, json};

use crate::support::*;

stories![
    every_workspace_starts_with_some_of_each,
    reasons_are_managed_by_the_operator,
    a_removed_reason_is_not_offered,
    invalid_reasons_are_refused,
];

#[track_caller]
fn reasons(key: &Client, kind: &str) -> Vec<Value> {
    key.get(&format!("/reasons?kind={kind}")).page().rows
}

fn every_workspace_starts_with_some_of_each(world: &World) {
    let key = world.key("tags:read");
    let all = key.get("/reasons").page();
    for kind in ["rejection", "close", "loss", "source"] {
        let some = reasons(&key, kind);
        assert!(some.len() >= 4, "{kind}: {some:?}");
        for (at, reason) in some.iter().enumerate() {
            assert_eq!((&reason["kind"], &reason["position"]), (&json!(kind), &json!(at)));
            assert!(all.rows.contains(reason));
        }
    }
    assert_eq!(all.total(), all.rows.len() as u64);

    // Another workspace has its own, and a restart changes nothing.
    let other = world.workspace("other").key("tags:read");
    world.restart();
    let others = other.get("/reasons").page();
    assert_eq!(others.rows.len(), all.rows.len());
    assert!(others.rows.iter().all(|reason| !all.rows.contains(reason)));
    assert_eq!(key.get("/reasons").page().rows, all.rows);
}

fn reasons_are_managed_by_the_operator(world: &World) {
    let key = world.key("tags:read");
    let id = world.cli(["reasons", "create", "--kind", "loss", "--name", " No champion "]).ok().trim().to_owned();
    let before = member(&json!(reasons(&key, "loss")), "name");
    assert_eq!(before.last().map(String::as_str), Some("No champion"));
    world.cli(["reasons", "update", &id, "--name", "No sponsor", "--position", "1"]).ok();
    let after = member(&json!(reasons(&key, "loss")), "name");
    assert_eq!((&after[0], after[1].as_str(), after.len()), (&before[0], "No sponsor", before.len()));
    let lines = world.cli(["reasons", "list", "--kind", "loss"]).ok().to_owned();
    assert_eq!(lines.lines().nth(1), Some(format!("loss\t1\tNo sponsor\t{id}").as_str()));
}

fn a_removed_reason_is_not_offered(world: &World) {
    let key = world.key("tags:read");
    let all = reasons(&key, "source");
    let gone = text(&all[0]["id"]);
    world.cli(["reasons", "delete", &gone]).ok();
    let rest = reasons(&key, "source");
    assert_eq!(rest.len(), all.len() - 1);
    assert_eq!((&rest[0]["name"], &rest[0]["position"]), (&all[1]["name"], &json!(0)));
    world.restart();
    assert_eq!(reasons(&key, "source"), rest);
    world.cli(["reasons", "delete", &gone]).refused();
}

fn invalid_reasons_are_refused(world: &World) {
    let key = world.key("tags:read");
    key.get("/reasons?kind=mood").invalid("kind").says("must be one of rejection, close, loss, source");
    key.get("/reasons?sort=name").invalid("sort").says("it takes kind");
    for (kind, name, why) in [
        ("mood", "X", "kind: must be one of"),
        ("loss", "pRICE", "name: there is one of this name already"),
        ("loss", " ", "name: must not be empty"),
    ] {
        let said = world.cli(["reasons", "create", "--kind", kind, "--name", name]).refused().to_owned();
        assert!(said.contains(why), "{said}");
    }
    let said = world.cli(["reasons", "update", "x", "--name", "Y"]).refused().to_owned();
    assert!(said.contains("id: must be the id that `reasons list` shows"), "{said}");
}
