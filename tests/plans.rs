//! Plans and subscriptions: what a workspace has paid for.

use serde_json::json;

use crate::support::*;

stories![
    without_a_subscription_every_endpoint_is_closed,
    a_missing_scope_is_told_before_a_missing_subscription,
    records_are_in_every_plan,
    one_workspace_does_not_pay_for_another,
];

fn without_a_subscription_every_endpoint_is_closed(world: &World) {
    let key = world.key("full_access");
    let contact = key.post("/contacts", json!({"first_name": "Ada"})).created();
    world.set(&["--subscription", "none"]);
    within_a_second("the end of the subscription", || (key.get("/tags").status == 403).then_some(()));
    let operations = document::of(&world.origin()).operations();
    assert!(operations.len() >= 10, "the document holds {} operations", operations.len());
    for operation in operations {
        let path = operation.path_with(&text(&contact["id"]));
        key.request(&operation.method, &path).send().error(403, "billing_required");
    }
    world.stranger().get("/contacts").error(401, "invalid_api_key");

    world.set(&["--subscription", "active"]);
    within_a_second("the new subscription", || (key.get("/tags").status == 200).then_some(()));
    assert_eq!(key.get("/contacts").page().rows, [contact], "nothing was lost meanwhile");
}

fn a_missing_scope_is_told_before_a_missing_subscription(world: &World) {
    let key = world.key("tags:read");
    world.set(&["--subscription", "none"]);
    within_a_second("the end of the subscription", || (key.get("/tags").status == 403).then_some(()));
    key.get("/tags").error(403, "billing_required");
    key.get("/contacts").error(403, "insufficient_scope").says("contacts:read");
    // And both before what the request says.
    key.list("/tags", &[("limit", "0")]).error(403, "billing_required");
}

fn records_are_in_every_plan(world: &World) {
    let key = world.key("full_access");
    for plan in ["starter", "growth", "scale"] {
        world.set(&["--plan", plan]);
        within_a_second("the plan", || (key.get("/me").ok()["workspace"]["plan"] == plan).then_some(()));
        key.post("/contacts", json!({"first_name": "Ada", "tags": ["VIP"]})).created();
        key.get("/contacts").page();
        key.get("/tags").page();
    }
}

fn one_workspace_does_not_pay_for_another(world: &World) {
    let first = world.key("crm");
    let second = world.workspace("second");
    let key = second.key("crm");
    second.set(&["--subscription", "none"]);
    within_a_second("the end of the subscription", || (key.get("/tags").status == 403).then_some(()));
    first.get("/tags").page();
}
