//! Plans and subscriptions: the features that a workspace has paid for.

use serde_json::json;

use crate::support::*;

stories![
    without_a_subscription_every_endpoint_is_closed,
    a_missing_scope_is_reported_before_a_missing_subscription,
    records_are_in_every_plan,
    every_operation_is_in_the_plans_that_it_should_be,
    the_plan_is_checked_after_the_scope,
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
    assert_eq!(key.get("/contacts").page().rows, [contact], "the records are unchanged");
}

fn a_missing_scope_is_reported_before_a_missing_subscription(world: &World) {
    let key = world.key("tags:read");
    world.set(&["--subscription", "none"]);
    within_a_second("the end of the subscription", || (key.get("/tags").status == 403).then_some(()));
    key.get("/tags").error(403, "billing_required");
    key.get("/contacts").error(403, "insufficient_scope").says("contacts:read");
    // Both come before errors in the request.
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

/// The operations that each plan adds, by prefixes and suffixes of paths; all others are in every plan.
const PLANS: &[(&str, &[&str], &[&str])] = &[
    (
        "growth",
        &[
            "/sequences",
            "/enrollments",
            "/conversations",
            "/messages",
            "/message-drafts",
            "/message-templates",
            "/suppressions",
            "/connected-accounts",
        ],
        &["/sequences", "/enrollments", "/conversations"],
    ),
    ("scale", &["/sourcing", "/enrichment"], &["/enrich"]),
];

/// The smallest plan that contains an operation.
fn plan_of(path: &str) -> &'static str {
    let names = |begin: &&str| path == *begin || path.starts_with(&format!("{begin}/"));
    let plan =
        PLANS.iter().find(|(_, begins, ends)| begins.iter().any(names) || ends.iter().any(|it| path.ends_with(it)));
    plan.map_or("starter", |(plan, ..)| *plan)
}

fn every_operation_is_in_the_plans_that_it_should_be(world: &World) {
    let key = world.key("full_access");
    let operations = document::of(&world.origin()).operations();
    for plan in [plan_of("/sourcing/search"), plan_of("/messages"), plan_of("/contacts")] {
        let held = operations.iter().filter(|operation| plan_of(&operation.path) == plan).count();
        assert!(held > 2, "only {held} operations are in {plan}");
    }
    let order = ["starter", "growth", "scale"];
    let place = |plan: &str| order.iter().position(|it| *it == plan).expect("a plan");
    for plan in order {
        world.set(&["--plan", plan]);
        // `/me` reads the plan from the database; what it allows follows within a second.
        let open = |answer: Answer| answer.status != 403;
        let in_force = || {
            open(key.get("/sequences")) == (place(plan) >= place("growth"))
                && open(key.post("/sourcing/search", json!({"nonsense": 1}))) == (plan == "scale")
        };
        within_a_second("the plan", || in_force().then_some(()));
        for operation in &operations {
            let needed = plan_of(&operation.path);
            assert_eq!(operation.description["x-plan"], needed, "{operation}");
            // An endless stream is not read.
            if operation.path.ends_with("/stream") {
                continue;
            }
            let answer = key.request(&operation.method, &operation.path_with(&nobody())).send();
            if place(needed) > place(plan) {
                let reported = answer.error(403, "plan_upgrade_required");
                reported.says(&format!("this needs the plan {needed}; the workspace has {plan}"));
            } else {
                assert_ne!(answer.status, 403, "{operation} in {plan}: {answer}");
            }
        }
    }
}

fn the_plan_is_checked_after_the_scope(world: &World) {
    let (key, other) = (world.key("sourcing:read"), world.key("tags:read"));
    world.set(&["--plan", "growth"]);
    let search = |key: &Client| key.post("/sourcing/network/jobs", json!({"nonsense": 1}));
    within_a_second("the plan", || (search(&key).status == 403).then_some(()));
    search(&key).error(403, "plan_upgrade_required").says("this needs the plan scale; the workspace has growth");
    search(&other).error(403, "insufficient_scope").says("sourcing:read");
    // The plan includes accounts, also for keys with a sourcing scope.
    key.get("/connected-accounts").page();
    world.set(&["--plan", "scale"]);
    within_a_second("the plan", || (search(&key).status == 400).then_some(()));
    world.set(&["--plan", "scale", "--subscription", "none"]);
    within_a_second("the end of the subscription", || (search(&key).status == 403).then_some(()));
    search(&key).error(403, "billing_required");
}

fn one_workspace_does_not_pay_for_another(world: &World) {
    let first = world.key("crm");
    let second = world.workspace("second");
    let key = second.key("crm");
    second.set(&["--subscription", "none"]);
    within_a_second("the end of the subscription", || (key.get("/tags").status == 403).then_some(()));
    first.get("/tags").page();
}
