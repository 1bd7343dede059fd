//! Bulk requests: each item like a separate request, or all or nothing.

use serde_json::{Value, json};

use crate::support::*;

stories![
    each_item_has_its_own_result,
    an_upsert_finds_its_record,
    all_or_nothing_is_a_choice,
    all_or_nothing_is_bounded,
    items_are_done_in_their_order,
    errors_of_an_item_are_in_its_result,
    a_malformed_bulk_request_is_refused,
    a_thousand_go_in_one_request,
    a_bulk_has_the_rights_of_its_key,
];

#[track_caller]
fn results(answer: &Answer) -> Vec<Value> {
    let data = answer.ok();
    data["results"].as_array().cloned().unwrap_or_else(|| panic!("no results: {data}"))
}

fn statuses(results: &[Value]) -> Vec<u64> {
    results.iter().map(|result| result["status"].as_u64().expect("a status")).collect()
}

fn create(data: Value) -> Value {
    json!({"op": "create", "data": data})
}

fn each_item_has_its_own_result(world: &World) {
    let key = world.key("crm");
    let ann = key.post("/contacts", json!({"first_name": "Ann"})).created();
    let events = world.events();
    let done = results(&key.post(
        "/contacts/bulk",
        json!({"items": [
            create(json!({"first_name": "Bob", "tags": ["vip"]})),
            create(json!({"first_name": ""})),
            {"op": "update", "id": ann["id"], "data": {"title": "CTO"}},
            {"op": "update", "id": nobody(), "data": {"title": "CEO"}},
        ]}),
    ));
    assert_eq!(statuses(&done), [201, 400, 200, 404]);
    assert_eq!(done.iter().map(|result| result["index"].as_u64().expect("an index")).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(done[2]["id"], ann["id"]);
    assert_eq!(done[1]["error"]["code"], "validation_error");
    assert_eq!(done[1]["error"]["details"][0]["field"], "first_name");
    assert_eq!(done[3]["error"]["code"], "not_found");
    assert_eq!((done[1].get("id"), done[0].get("error")), (None, None));
    let bob = key.get(&format!("/contacts/{}", text(&done[0]["id"]))).ok();
    assert_eq!((&bob["first_name"], &bob["tags"]), (&json!("Bob"), &json!(["vip"])));
    assert_eq!(key.get(&format!("/contacts/{}", text(&ann["id"]))).ok()["title"], "CTO");
    assert_eq!(key.get("/contacts").page().total(), 2);
    // Events of the tag, Bob and Ann.
    assert_eq!(world.events(), events + 3);
}

fn an_upsert_finds_its_record(world: &World) {
    let key = world.key("crm");
    let profile = "https://network.example.com/in/ann";
    let ann = key.post("/contacts", json!({"first_name": "Ann", "email": "ann@example.com"})).created();
    let done = results(&key.post("/contacts/bulk", json!({"items": [
        {"op": "upsert", "match": "email", "data": {"first_name": "Anne", "email": "ANN@example.com", "network_profile": profile}},
        {"op": "upsert", "match": "network_profile", "data": {"network_profile": profile, "title": "CTO"}},
        {"op": "upsert", "data": {"first_name": "Bob", "emails": [{"email": "bob@example.com"}]}},
        {"op": "upsert", "data": {"title": "No one"}},
        {"op": "upsert", "match": "phone", "data": {"first_name": "X", "phone": "1"}},
    ]})));
    assert_eq!(statuses(&done), [200, 200, 201, 400, 400]);
    assert_eq!((&done[0]["id"], &done[1]["id"]), (&ann["id"], &ann["id"]));
    assert!(text(&done[3]["error"]["message"]).contains("an upsert finds its record by email, network_profile"));
    assert!(text(&done[4]["error"]["message"]).contains("match: must be one of email, network_profile"));
    let anne = key.get(&format!("/contacts/{}", text(&ann["id"]))).ok();
    assert_eq!((&anne["first_name"], &anne["title"]), (&json!("Anne"), &json!("CTO")));

    let companies = json!({"items": [
        {"op": "upsert", "data": {"name": "Acme", "domain": "Acme.example.com"}},
        {"op": "upsert", "match": "domain", "data": {"domain": "acme.example.com", "industry": "Tools"}},
    ]});
    let done = results(&key.post("/companies/bulk", companies));
    assert_eq!(statuses(&done), [201, 200]);
    assert_eq!(done[0]["id"], done[1]["id"]);

    // An upsert that matches two records is refused.
    key.post("/contacts", json!({"first_name": "Twin", "email": "bob@example.com"})).created();
    let done = results(&key.post(
        "/contacts/bulk",
        json!({"items": [
            {"op": "upsert", "data": {"email": "bob@example.com", "title": "?"}},
        ]}),
    ));
    assert!(text(&done[0]["error"]["message"]).contains("merge them first"), "{done:?}");
}

fn all_or_nothing_is_a_choice(world: &World) {
    let key = world.key("crm");
    let events = world.events();
    let items = json!([
        create(json!({"first_name": "Ann"})),
        create(json!({"first_name": "Bob", "email": "nonsense"})),
        {"op": "update", "id": nobody(), "data": {}},
        {"op": "change", "data": {}},
        7,
    ]);
    let refused = key.post("/contacts/bulk", json!({"atomic": true, "items": items})).error(400, "validation_error");
    let fields: Vec<String> = refused.details().into_iter().map(|(field, _)| field).collect();
    assert_eq!(fields, ["items.1.data.email", "items.2.id", "items.3.op", "items.4"]);
    assert_eq!((key.get("/contacts").page().total(), world.events()), (0, events));

    let good =
        json!({"atomic": true, "items": [create(json!({"first_name": "Ann"})), create(json!({"first_name": "Bob"}))]});
    let done = results(&key.post("/contacts/bulk", good));
    assert_eq!(statuses(&done), [201, 201]);
    let rows = key.get("/contacts?sort=first_name").page().rows;
    assert_eq!(member(&json!(rows), "first_name"), ["Ann", "Bob"]);
    assert_eq!(rows[0]["updated_at"], rows[1]["updated_at"], "one commit");
}

fn all_or_nothing_is_bounded(world: &World) {
    let key = world.key("crm");
    let bulk = |items: &[Value], atomic: bool| key.post("/contacts/bulk", json!({"items": items, "atomic": atomic}));
    let long: Vec<Value> =
        (0..41).map(|n| create(json!({"first_name": format!("Ada {n}"), "summary": "a".repeat(9_950)}))).collect();
    let refused = bulk(&long, true);
    refused.invalid("items").says("with atomic there may be 400000: send fewer at once, or leave out atomic");
    let many: Vec<Value> = (0..101).map(|n| create(json!({"first_name": format!("Ada {n}")}))).collect();
    bulk(&many, true).invalid("items").says("are 101; with atomic there may be 100: send fewer at once");
    let listing: Vec<Value> = (0..11)
        .map(|n| {
            let tags: Vec<String> = (0..100).map(|tag| format!("Tag {n} {tag}")).collect();
            create(json!({"first_name": "Ada", "tags": tags}))
        })
        .collect();
    bulk(&listing, true)
        .invalid("items")
        .says("have 1100 entries in lists such as tags; with atomic there may be 1000");
    assert_eq!(key.get("/contacts").page().total(), 0);
    assert_eq!(statuses(&results(&bulk(&long, false))), [201; 41]);
    assert_eq!(statuses(&results(&bulk(&listing[..10], true))), [201; 10]);
}

fn items_are_done_in_their_order(world: &World) {
    let key = world.key("crm");
    let items: Vec<Value> = (0..200)
        .map(|n| json!({"op": "upsert", "data": {"email": "ann@example.com", "first_name": "Ann", "title": format!("{n}")}}))
        .collect();
    let done = results(&key.post("/contacts/bulk", json!({"items": items})));
    assert_eq!(statuses(&done)[..3], [201, 200, 200]);
    let rows = key.get("/contacts").page().rows;
    assert_eq!((rows.len(), &rows[0]["title"]), (1, &json!("199")));
}

fn errors_of_an_item_are_in_its_result(world: &World) {
    let key = world.key("crm");
    let ann = text(&key.post("/contacts", json!({"first_name": "Ann"})).created()["id"]);
    let cases = [
        (json!("x"), "item: must be an object"),
        (json!({"data": {}}), "op: is required"),
        (json!({"op": "delete", "data": {}}), "op: must be one of create, update, upsert"),
        (json!({"op": "create"}), "data: is required"),
        (json!({"op": "create", "data": []}), "data: must be an object"),
        (json!({"op": "create", "id": ann, "data": {"first_name": "A"}}), "id: belongs to update alone"),
        (json!({"op": "create", "match": "email", "data": {"first_name": "A"}}), "match: belongs to upsert alone"),
        (json!({"op": "update", "data": {"first_name": "A"}}), "id: is required to update"),
        (json!({"op": "update", "id": "ann", "data": {}}), "id: must be a uuid"),
        (json!({"op": "create", "data": {"first_name": "A"}, "when": 1}), "when: is not a member of this body"),
        (json!({"op": "create", "data": {"first_nam": "A"}}), "did you mean first_name?"),
    ];
    let items: Vec<&Value> = cases.iter().map(|(item, _)| item).collect();
    let done = results(&key.post("/contacts/bulk", json!({"items": items})));
    for (result, (item, why)) in done.iter().zip(&cases) {
        assert_eq!(result["status"], 400, "{item}");
        assert!(text(&result["error"]["message"]).contains(why), "{item}: {result}");
    }
    assert_eq!(key.get("/contacts").page().total(), 1);
}

fn a_malformed_bulk_request_is_refused(world: &World) {
    let key = world.key("crm");
    for (body, field) in [
        (json!({}), "items"),
        (json!({"items": []}), "items"),
        (json!({"items": {}}), "items"),
        (json!({"items": null}), "items"),
        (json!({"items": [create(json!({"first_name": "A"}))], "atomic": "yes"}), "atomic"),
        (json!({"items": [create(json!({"first_name": "A"}))], "all": true}), "all"),
        (json!({"items": vec![create(json!({"first_name": "A"})); 1001]}), "items"),
    ] {
        key.post("/contacts/bulk", body).invalid(field);
    }
    assert_eq!(key.get("/contacts").page().total(), 0);
}

fn a_thousand_go_in_one_request(world: &World) {
    let key = world.key("crm");
    let before = key.get("/me").number("X-RateLimit-Remaining");
    let items: Vec<Value> = (0..1000)
        .map(|n| create(json!({"first_name": format!("Ann {n}"), "email": format!("ann{n}@example.com"), "tags": ["vip", "new"]})))
        .collect();
    let answer = key.post("/contacts/bulk", json!({"items": items}));
    let done = results(&answer);
    assert!(done.iter().all(|result| result["status"] == 201));
    assert_eq!(answer.number("X-RateLimit-Remaining"), before - 1);
    assert_eq!(key.get("/contacts?tags=cs.{vip}").page().total(), 1000);
    assert_eq!(key.get("/tags").page().total(), 2);
}

fn a_bulk_has_the_rights_of_its_key(world: &World) {
    let ann = text(&world.key("crm").post("/contacts", json!({"first_name": "Ann"})).created()["id"]);
    let body = json!({"items": [{"op": "update", "id": ann, "data": {"global_status": "archived"}}, create(json!({"first_name": "Bob"}))]});
    world
        .key("contacts:read")
        .post("/contacts/bulk", body.clone())
        .error(403, "insufficient_scope")
        .says("contacts:write");
    let writer = world.key("contacts:write");
    let done = results(&writer.post("/contacts/bulk", body.clone()));
    assert_eq!(statuses(&done), [403, 201]);
    assert!(text(&done[0]["error"]["message"]).contains("contacts:delete"));
    let other = world.workspace("other").key("crm");
    assert_eq!(statuses(&results(&other.post("/contacts/bulk", body))), [404, 201]);
}
