//! Custom fields: members that a workspace adds to its contacts and companies.

use serde_json::{Value, json};

use crate::support::*;

stories![
    definitions_are_made_by_the_operator_and_read_by_keys,
    a_definition_that_does_not_fit_is_refused,
    values_are_checked_by_their_type,
    changes_merge_key_by_key,
    a_required_field_must_have_a_value,
    every_type_filters_by_its_operators,
    every_type_sorts_nulls_last_and_pages_by_cursor,
    filters_on_custom_fields_can_be_negated,
    companies_have_fields_of_their_own,
    a_definition_changes_while_records_keep_their_values,
    deleting_a_field_deletes_its_values,
    definitions_are_in_force_at_once_on_every_node,
];

#[track_caller]
fn field(world: &World, key: &str, kind: &str, more: &[&str]) {
    let mut arguments = vec!["fields", "create", "--entity", "contact", "--key", key, "--type", kind];
    arguments.extend(more);
    world.run(&arguments).ok();
}

#[track_caller]
fn all_types(world: &World) {
    for (key, kind) in
        [("nick", "text"), ("score", "number"), ("remote", "boolean"), ("since", "date"), ("blog", "url")]
    {
        field(world, key, kind, &[]);
    }
    field(world, "level", "select", &["--options", "junior,senior:Senior level,lead"]);
    field(world, "perks", "multi_select", &["--options", "car,bike,train"]);
}

#[track_caller]
fn person(key: &Client, name: &str, data: Value) -> Value {
    key.post("/contacts", json!({"first_name": name, "custom_data": data})).created()
}

fn path(contact: &Value) -> String {
    format!("/contacts/{}", text(&contact["id"]))
}

fn definitions_are_made_by_the_operator_and_read_by_keys(world: &World) {
    let key = world.key("crm");
    assert_eq!(key.get("/contacts/custom-fields").page().rows, Vec::<Value>::new());
    field(
        world,
        "seniority",
        "select",
        &["--label", "Seniority", "--options", "junior,senior:Senior level", "--required"],
    );
    field(world, "score", "number", &[]);
    let page = key.get("/contacts/custom-fields").page();
    let id = page.rows[0]["id"].clone();
    let expected = json!({
        "id": id, "key": "seniority", "label": "Seniority", "type": "select",
        "options": [{"value": "junior", "label": "junior"}, {"value": "senior", "label": "Senior level"}],
        "is_required": true, "position": 0,
    });
    assert_eq!(page.rows[0], expected);
    assert_eq!(
        (page.rows[1]["key"].clone(), page.rows[1]["options"].clone(), page.total()),
        (json!("score"), json!([]), 2)
    );
    assert_eq!(key.get("/companies/custom-fields").page().total(), 0);
    let listed = world.cli(["fields", "list"]).ok().to_owned();
    assert!(listed.contains("contact\tseniority\tSeniority\tselect\tjunior,senior\trequired\t0\t"), "{listed}");
    world.key("companies:read").get("/contacts/custom-fields").error(403, "insufficient_scope").says("contacts:read");
}

fn a_definition_that_does_not_fit_is_refused(world: &World) {
    for (arguments, says) in [
        (vec!["--entity", "deal", "--key", "x", "--type", "text"], "entity"),
        (vec!["--entity", "contact", "--key", "Big Key", "--type", "text"], "key"),
        (vec!["--entity", "contact", "--key", "a.b", "--type", "text"], "key"),
        (vec!["--entity", "contact", "--key", "x", "--type", "money"], "type"),
        (vec!["--entity", "contact", "--key", "x", "--type", "select"], "options"),
        (vec!["--entity", "contact", "--key", "x", "--type", "select", "--options", "a,A"], "options"),
        (vec!["--entity", "contact", "--key", "x", "--type", "text", "--options", "a"], "options"),
    ] {
        let mut all = vec!["fields", "create"];
        all.extend(arguments);
        let refused = world.run(&all);
        assert!(refused.refused().contains(says), "{says}: {}", refused.refused());
    }
    field(world, "x", "text", &[]);
    let again = world.run(&["fields", "create", "--entity", "contact", "--key", "x", "--type", "text"]);
    assert!(again.refused().contains("already"), "{}", again.refused());
    world.run(&["fields", "update", "--entity", "contact", "--key", "y", "--label", "Y"]).refused();
}

fn values_are_checked_by_their_type(world: &World) {
    all_types(world);
    let key = world.key("crm");
    let good = json!({"nick": " Ada ", "score": 2.5, "remote": false, "since": "2026-02-28", "blog": "https://example.com/a",
        "level": "senior", "perks": ["car", "train", "car"]});
    let made = person(&key, "Ada", good);
    let kept = json!({"nick": "Ada", "score": 2.5, "remote": false, "since": "2026-02-28", "blog": "https://example.com/a",
        "level": "senior", "perks": ["car", "train"]});
    assert_eq!(made["custom_data"], kept);
    assert_eq!(key.get(&path(&made)).ok()["custom_data"], kept);
    for (name, value) in [
        ("nick", json!(5)),
        ("nick", json!("x".repeat(501))),
        ("nick", json!("a\u{0}b")),
        ("score", json!("5")),
        ("score", json!(1e300)),
        ("remote", json!("yes")),
        ("since", json!("2026-02-30")),
        ("since", json!("yesterday")),
        ("blog", json!("example.com")),
        ("level", json!("Senior level")),
        ("level", json!(["senior"])),
        ("perks", json!("car")),
        ("perks", json!(["plane"])),
        ("scor", json!(5)),
        ("unheard", json!(null)),
    ] {
        let mut data = json!({});
        data[name] = value.clone();
        let failure = key.post("/contacts", json!({"first_name": "Bob", "custom_data": data}));
        failure.invalid(&format!("custom_data.{name}"));
    }
    let both = json!({"first_name": "Bob", "custom_data": {"score": "x", "remote": 1}, "years_experience": 99});
    key.post("/contacts", both).invalid("years_experience");
    let two = key.post("/contacts", json!({"first_name": "Bob", "custom_data": {"score": "x", "remote": 1}}));
    two.invalid("custom_data.score").at("custom_data.remote");
    key.post("/contacts", json!({"first_name": "Bob", "custom_data": null})).invalid("custom_data");
    key.post("/contacts", json!({"first_name": "Bob", "custom_data": []})).invalid("custom_data");
    assert_eq!(key.get("/contacts").page().total(), 1);
}

fn changes_merge_key_by_key(world: &World) {
    all_types(world);
    let key = world.key("crm");
    let made = person(&key, "Ada", json!({"nick": "A", "score": 1, "perks": ["car"]}));
    let changed = key.put(&path(&made), json!({"custom_data": {"score": 2, "level": "lead"}})).ok();
    assert_eq!(changed["custom_data"], json!({"nick": "A", "score": 2, "perks": ["car"], "level": "lead"}));
    let cleared = key.put(&path(&made), json!({"custom_data": {"nick": null, "perks": [], "level": null}})).ok();
    assert_eq!(cleared["custom_data"], json!({"score": 2}));
    let events = world.events();
    assert_eq!(key.put(&path(&made), json!({"custom_data": {"score": 2.0, "nick": null}})).ok(), cleared);
    assert_eq!(key.put(&path(&made), cleared.clone()).ok(), cleared);
    assert_eq!(world.events(), events, "no change is no event");
    key.put(&path(&made), json!({"custom_data": {"score": 3, "remote": "x"}})).invalid("custom_data.remote");
    assert_eq!(key.get(&path(&made)).ok(), cleared, "all or nothing");
}

fn a_required_field_must_have_a_value(world: &World) {
    let key = world.key("crm");
    let before = key.post("/contacts", json!({"first_name": "Old"})).created();
    field(world, "score", "number", &["--required"]);
    within_a_second("the field is required", || {
        let answer = key.post("/contacts", json!({"first_name": "Ada"}));
        (answer.status == 400).then(|| answer.invalid("custom_data.score").says("required"))
    });
    key.post("/contacts", json!({"first_name": "Ada", "custom_data": {"score": null}})).invalid("custom_data.score");
    let made = person(&key, "Ada", json!({"score": 0}));
    key.put(&path(&made), json!({"custom_data": {"score": null}})).invalid("custom_data.score").says("required");
    key.put(&path(&before), json!({"title": "CTO"})).ok();
    world.run(&["fields", "update", "--entity", "contact", "--key", "score", "--required", "false"]).ok();
    key.put(&path(&made), json!({"custom_data": {"score": null}})).ok();
}

/// Five people: one for every kind of value, and one without any.
#[track_caller]
fn five(key: &Client) {
    person(
        key,
        "ann",
        json!({"nick": "Zoë", "score": 10, "remote": true, "since": "2024-05-01", "level": "senior", "perks": ["car", "bike"]}),
    );
    person(
        key,
        "bob",
        json!({"nick": "zoe", "score": -2.5, "remote": false, "since": "2023-12-31", "level": "junior", "perks": ["bike"]}),
    );
    person(key, "cem", json!({"nick": "Ärni", "score": 9, "remote": true, "since": "2024-05-02", "level": "lead"}));
    person(key, "dot", json!({"nick": "arni_2", "score": 0}));
    key.post("/contacts", json!({"first_name": "eve"})).created();
}

fn every_type_filters_by_its_operators(world: &World) {
    all_types(world);
    let key = world.key("crm");
    five(&key);
    let names = |filter: &str, value: &str| {
        let page = key.list("/contacts", &[(filter, value), ("sort", "first_name")]).page();
        assert_eq!(page.total() as usize, page.rows.len(), "{filter}={value}");
        page.column("first_name").join(" ")
    };
    for (name, value, expected) in [
        ("nick", "zoe", "bob"),
        ("nick", "eq.Zoë", "ann"),
        ("nick", "neq.zoe", "ann cem dot"),
        ("nick", "ilike.%ZO%", "ann bob"),
        ("nick", "like.%Zo%", "ann"),
        ("nick", "ilike.ärn%", "cem"),
        ("nick", "like.arni\\_%", "dot"),
        ("nick", "in.(zoe,Zoë)", "ann bob"),
        ("nick", "gte.zoe", "ann bob cem"),
        ("nick", "is.null", "eve"),
        ("nick", "is.not_null", "ann bob cem dot"),
        ("score", "10", "ann"),
        ("score", "gt.-2.5", "ann cem dot"),
        ("score", "lte.9", "bob cem dot"),
        ("score", "neq.0", "ann bob cem"),
        ("score", "in.(0,9.0)", "cem dot"),
        ("score", "is.null", "eve"),
        ("remote", "true", "ann cem"),
        ("remote", "neq.true", "bob"),
        ("since", "gt.2024-05-01", "cem"),
        ("since", "lte.2024-05-01", "ann bob"),
        ("since", "2024-05-01", "ann"),
        ("level", "senior", "ann"),
        ("level", "in.(senior,lead)", "ann cem"),
        ("level", "neq.lead", "ann bob"),
        ("perks", "cs.{bike}", "ann bob"),
        ("perks", "cs.{bike,car}", "ann"),
        ("perks", "ov.{car,train}", "ann"),
        ("perks", "is.null", "cem dot eve"),
    ] {
        assert_eq!(names(&format!("custom_data.{name}"), value), expected, "{name}={value}");
    }
    assert_eq!(names("or", "(custom_data.score.gt.9,and(custom_data.nick.eq.zoe,first_name.eq.bob))"), "ann bob");
    for (name, value, says) in [
        ("custom_data.nick", "cs.{a}", "operator"),
        ("custom_data.score", "ilike.1%", "operator"),
        ("custom_data.score", "ten", "number"),
        ("custom_data.since", "2024-05-01T00:00:00Z", "date"),
        ("custom_data.remote", "yes", "true"),
        ("custom_data.scor", "1", "custom_data.score"),
        ("custom_data", "1", "parameter"),
        ("custom_data.", "1", "parameter"),
    ] {
        key.list("/contacts", &[(name, value)]).invalid(name).says(says);
    }
    // A filter accepts any value, because records may have an option that was removed.
    assert_eq!(names("custom_data.level", "boss"), "");
    key.list("/contacts", &[("or", "(custom_data.scor.eq.1)")]).invalid("or").says("custom_data.score");
}

fn every_type_sorts_nulls_last_and_pages_by_cursor(world: &World) {
    all_types(world);
    let key = world.key("crm");
    five(&key);
    for (sort, expected) in [
        ("custom_data.nick", "dot bob ann cem eve"),
        ("-custom_data.nick", "cem ann bob dot eve"),
        ("custom_data.score", "bob dot cem ann eve"),
        ("-custom_data.score", "ann cem dot bob eve"),
        ("custom_data.since", "bob ann cem dot eve"),
        ("custom_data.remote,first_name", "bob ann cem dot eve"),
        ("-custom_data.remote,-custom_data.score", "ann cem bob dot eve"),
        ("custom_data.level", "bob cem ann dot eve"),
    ] {
        let whole = key.list("/contacts", &[("sort", sort)]).page();
        assert_eq!(whole.column("first_name").join(" "), expected, "{sort}");
        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = key.list("/contacts", &[("sort", sort), ("limit", "2"), ("cursor", &cursor)]).page();
            seen.extend(page.column("first_name"));
            match page.next() {
                Some(next) => cursor = next,
                None => break,
            }
        }
        assert_eq!(seen.join(" "), expected, "{sort} by cursor");
        let second = key.list("/contacts", &[("sort", sort), ("limit", "2"), ("offset", "2")]).page();
        assert_eq!(second.column("first_name"), whole.column("first_name")[2..4], "{sort} by offset");
    }
    let few = key.list("/contacts", &[("sort", "-custom_data.score"), ("custom_data.remote", "true")]).page();
    assert_eq!(few.column("first_name"), ["ann", "cem"]);
    key.list("/contacts", &[("sort", "custom_data.perks")]).invalid("sort");
    key.list("/contacts", &[("sort", "custom_data.nope")]).invalid("sort").says("custom_data.nick");
}

fn filters_on_custom_fields_can_be_negated(world: &World) {
    all_types(world);
    let key = world.key("crm");
    five(&key);
    for (name, value, expected) in [
        ("nick", "not.eq.zoe", "ann cem dot"),
        ("nick", "not.ilike.zo%", "cem dot"),
        ("score", "not.gt.0", "bob dot"),
        ("remote", "not.eq.true", "bob"),
        ("level", "not.in.(senior,lead)", "bob"),
        ("score", "not.is.null", "ann bob cem dot"),
    ] {
        let filter = format!("custom_data.{name}");
        let page = key.list("/contacts", &[(filter.as_str(), value), ("sort", "first_name")]).page();
        assert_eq!(page.column("first_name").join(" "), expected, "{name}={value}");
    }
}

fn companies_have_fields_of_their_own(world: &World) {
    field(world, "tier", "text", &[]);
    world.run(&["fields", "create", "--entity", "company", "--key", "tier", "--type", "number"]).ok();
    let key = world.key("crm");
    let acme = key.post("/companies", json!({"name": "Acme", "custom_data": {"tier": 2}})).created();
    key.post("/companies", json!({"name": "Other", "custom_data": {"tier": 1}})).created();
    key.post("/companies", json!({"name": "X", "custom_data": {"tier": "gold"}})).invalid("custom_data.tier");
    person(&key, "Ada", json!({"tier": "gold"}));
    assert_eq!(key.list("/companies", &[("sort", "-custom_data.tier")]).page().column("name"), ["Acme", "Other"]);
    assert_eq!(key.list("/companies", &[("custom_data.tier", "gte.2")]).page().ids(), [text(&acme["id"])]);
    assert_eq!(key.list("/contacts", &[("custom_data.tier", "gold")]).page().total(), 1);
    let theirs = world.workspace("beta").key("crm");
    theirs.post("/contacts", json!({"first_name": "Eve", "custom_data": {"tier": "gold"}})).invalid("custom_data.tier");
    theirs.list("/contacts", &[("custom_data.tier", "gold")]).invalid("custom_data.tier");
}

fn a_definition_changes_while_records_keep_their_values(world: &World) {
    field(world, "level", "select", &["--options", "junior,senior"]);
    let key = world.key("crm");
    let made = person(&key, "Ada", json!({"level": "junior"}));
    world
        .run(&[
            "fields",
            "update",
            "--entity",
            "contact",
            "--key",
            "level",
            "--label",
            "Level",
            "--options",
            "senior,lead",
            "--position",
            "3",
        ])
        .ok();
    let shown = key.get("/contacts/custom-fields").page().rows.remove(0);
    assert_eq!(
        (&shown["label"], &shown["position"], member(&shown["options"], "value").len()),
        (&json!("Level"), &json!(3), 2)
    );
    assert_eq!(key.get(&path(&made)).ok()["custom_data"], json!({"level": "junior"}));
    key.put(&path(&made), made.clone()).ok();
    within_a_second("the option is gone", || {
        let answer = key.post("/contacts", json!({"first_name": "Bob", "custom_data": {"level": "junior"}}));
        (answer.status == 400).then(|| answer.invalid("custom_data.level"))
    });
    key.put(&path(&made), json!({"custom_data": {"level": "lead"}})).ok();
}

fn deleting_a_field_deletes_its_values(world: &World) {
    field(world, "score", "number", &[]);
    field(world, "nick", "text", &[]);
    let key = world.key("crm");
    let made: Vec<Value> = (0..5).map(|n| person(&key, "Ada", json!({"score": n, "nick": "A"}))).collect();
    world.run(&["fields", "delete", "--entity", "contact", "--key", "score"]).ok();
    key.list("/contacts", &[("custom_data.score", "1")]).invalid("custom_data.score");
    key.post("/contacts", json!({"first_name": "Bob", "custom_data": {"nick": "B"}})).created();
    for contact in &made {
        eventually("the values are gone", PATIENCE, || {
            (key.get(&path(contact)).ok()["custom_data"] == json!({"nick": "A"})).then_some(())
        });
    }
    let again = ["fields", "create", "--entity", "contact", "--key", "score", "--type", "text"];
    eventually("the key is free", PATIENCE, || (world.cli(again).code == Some(0)).then_some(()));
    assert_eq!(key.list("/contacts", &[("custom_data.score", "is.not_null")]).page().total(), 0);
}

fn definitions_are_in_force_at_once_on_every_node(world: &World) {
    let key = world.key("crm");
    let Some(node) = world.another_node() else { return };
    let there = key.at(&node.origin());
    there.post("/contacts", json!({"first_name": "Ada", "custom_data": {"score": 1}})).invalid("custom_data.score");
    field(world, "score", "number", &[]);
    there.post("/contacts", json!({"first_name": "Ada", "custom_data": {"score": 1}})).created();
}
