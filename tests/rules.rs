//! Rules between features: branches, schedules, suppressions, fields and stages that change while others use them.

use serde_json::{Value, json};

use crate::enrollments::{at, complete, contact, enrolled, started, task};
use crate::sequences::{path, sequence};
use crate::support::*;

stories![
    a_branch_is_taken_as_soon_as_its_condition_holds,
    a_move_to_another_time_zone_moves_the_next_step,
    a_second_address_matters_only_if_mail_goes_there,
    a_window_may_last_over_midnight,
    a_field_that_a_running_sequence_uses_is_not_deleted_silently,
    an_option_that_was_removed_is_still_found,
    an_option_is_renamed_in_place,
    a_fields_type_and_key_can_not_be_changed,
    a_probability_taken_from_the_stage_follows_the_stage,
    profile_addresses_are_compared_in_one_way,
];

/// An admin of the workspace, signed in.
#[track_caller]
fn manager(world: &World) -> Client {
    crate::dashboard::owner(world)
}

fn a_branch_is_taken_as_soon_as_its_condition_holds(world: &World) {
    let key = world.key("full_access");
    let changes = [
        ("has_email", json!({"email": "late@example.com"})),
        ("has_phone", json!({"phone": "+33 1 23 45"})),
        ("has_network_profile", json!({"network_profile": "https://network.example.com/in/late"})),
    ];
    for (kind, change) in changes {
        let steps = json!([
            {"type": "task", "name": "root", "client_key": "root"},
            {"type": "task", "name": kind, "parent_step_id": "root", "branch_condition": {"type": kind, "after_days": 3}},
        ]);
        let made = started(&key, steps);
        let ann = key.post("/contacts", json!({"first_name": "Ann"})).created();
        let enrollment = enrolled(&key, &made, &ann);
        complete(&key, &task(&key, &ann), "done");
        let explained = key.get(&format!("{}/explain", at(&enrollment))).ok();
        assert_eq!(explained["next_step"], Value::Null, "{explained}");
        key.put(&format!("/contacts/{}", text(&ann["id"])), change).ok();
        let taken = eventually("the branch", PATIENCE, || Some(task(&key, &ann)).filter(|it| it["title"] != "root"));
        assert_eq!(taken["title"], kind);
    }
}

fn a_move_to_another_time_zone_moves_the_next_step(world: &World) {
    let key = world.key("full_access");
    let schedule = json!({
        "days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "start_time": "09:00", "end_time": "10:00",
        "timezone": "UTC", "use_contact_timezone": true,
    });
    let body = json!({
        "name": "Outreach", "mode": "advanced", "schedule_config": schedule, "steps": [{"type": "task", "delay_days": 2}],
    });
    let made = sequence(&key, body);
    key.post(&format!("{}/start", path(&made)), json!({})).ok();
    let ann = key.post("/contacts", json!({"first_name": "Ann", "location": "Tokyo"})).created();
    let enrollment = enrolled(&key, &made, &ann);
    // Within the window of the place, at whatever time of the day the test runs.
    let is_open = |enrollment: &Value, offset: i32| {
        let at = text(&enrollment["next_step_at"]);
        let part = |digits: std::ops::Range<usize>| at[digits].parse::<i32>().expect("a number");
        let minutes = (part(11..13) * 60 + part(14..16) + offset).rem_euclid(24 * 60);
        (9 * 60..10 * 60).contains(&minutes)
    };
    assert!(is_open(&enrollment, 9 * 60), "{enrollment}");
    for (location, offset) in [("Dubai", 4 * 60), ("Tokyo", 9 * 60), ("Bangalore", 5 * 60 + 30)] {
        key.put(&format!("/contacts/{}", text(&ann["id"])), json!({ "location": location })).ok();
        let moved = key.get(&at(&enrollment)).ok();
        assert!(is_open(&moved, offset), "{location}: {moved}");
        let explained = key.get(&format!("{}/explain", at(&enrollment))).ok();
        assert_eq!(explained["next_step_at"], moved["next_step_at"], "{explained}");
        assert!(text(&explained["summary"]).contains(&text(&moved["next_step_at"])), "{explained}");
    }
}

fn a_second_address_matters_only_if_mail_goes_there(world: &World) {
    let key = world.key("full_access");
    let made = started(&key, json!([{"type": "task", "delay_days": 3}]));
    let person = |name: &str| {
        let emails = json!([{"email": format!("{name}@example.com")}, {"email": format!("{name}.second@example.com")}]);
        contact(&key, json!({ "emails": emails }))
    };
    let suppress = |address: &str| key.post("/suppressions", json!({ "address": address })).created();
    let before = person("before");
    suppress("before.second@example.com");
    let (before, after, first) = (enrolled(&key, &made, &before), person("after"), person("first"));
    let (after, first) = (enrolled(&key, &made, &after), enrolled(&key, &made, &first));
    suppress("after.second@example.com");
    suppress("first@example.com");
    for (enrollment, status) in [(before, "active"), (after, "active"), (first, "unenrolled")] {
        assert_eq!(key.get(&at(&enrollment)).ok()["status"], status);
    }
}

fn a_window_may_last_over_midnight(world: &World) {
    let key = world.key("full_access");
    let all = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let body = |start: &str, end: &str| {
        let schedule =
            json!({"days": all, "start_time": start, "end_time": end, "timezone": "UTC", "count": "calendar_days"});
        json!({"name": "Night", "mode": "advanced", "schedule_config": schedule, "steps": [{"type": "task"}]})
    };
    key.post("/sequences", body("06:00", "06:00")).invalid("schedule_config.end_time").says("same");
    // Two windows on the same day, one of them over midnight: exactly one is open now.
    let now = now();
    let hour = |hours: i64| format!("{:02}:00", (i64::from(now.as_second() as i32 / 3600 % 24) + hours).rem_euclid(24));
    for (start, end, open) in [(hour(-2), hour(2), true), (hour(2), hour(-2), false)] {
        let made = sequence(&key, body(&start, &end));
        key.post(&format!("{}/start", path(&made)), json!({})).ok();
        let ann = contact(&key, json!({}));
        let enrollment = enrolled(&key, &made, &ann);
        match open {
            true => drop(task(&key, &ann)),
            false => {
                let due = text(&key.get(&at(&enrollment)).ok()["next_step_at"]);
                assert_eq!(&due[11..16], start, "{start} to {end}");
            }
        }
    }
}

fn a_field_that_a_running_sequence_uses_is_not_deleted_silently(world: &World) {
    let key = world.key("full_access");
    let owner = manager(world);
    for name in ["vip", "nick"] {
        world.cli(["fields", "create", "--entity", "contact", "--key", name, "--type", "text"]).ok();
    }
    let field = |name: &str| {
        let all = key.get("/contacts/custom-fields").page().rows;
        text(&all.iter().find(|field| field["key"] == name).unwrap_or_else(|| panic!("no {name}"))["id"])
    };
    let steps = json!([{"type": "task", "delay_days": 1, "entry_conditions": {"custom_data.vip": "eq.yes"}}]);
    let made = started(&key, steps);
    let body = "Call {{ custom_data . nick | default('them') }}";
    let other = started(&key, json!([{"type": "task", "delay_days": 1, "body": body}]));
    let delete =
        |name: &str, query: &str| owner.inside("DELETE", &format!("/custom-fields/{}{query}", field(name))).send();
    delete("vip", "").invalid("key").says("Outreach").says("entry_conditions");
    let refused = world.cli(["fields", "delete", "--entity", "contact", "--key", "vip"]);
    assert!(refused.refused().contains("Outreach"), "{}", refused.refused());
    delete("nick", "").invalid("key").says("steps.0.body names custom_data.nick");
    key.post(&format!("{}/pause", path(&other)), json!({})).ok();
    delete("nick", "").ok();
    // A field of a paused sequence can be deleted; the sequence reports the problem when it starts.
    key.post(&format!("{}/pause", path(&made)), json!({})).ok();
    delete("vip", "").ok();
    assert_eq!(key.get("/contacts/custom-fields").page().total(), 0);
}

#[track_caller]
fn levels(world: &World, key: &Client) -> String {
    world
        .cli(["fields", "create", "--entity", "contact", "--key", "level", "--type", "select", "--options", "a,b:Bee"])
        .ok();
    world
        .cli([
            "fields",
            "create",
            "--entity",
            "contact",
            "--key",
            "perks",
            "--type",
            "multi_select",
            "--options",
            "x,y",
        ])
        .ok();
    for (level, perks) in [("a", json!(["x"])), ("b", json!(["x", "y"])), ("b", json!(["y"]))] {
        key.post("/contacts", json!({"first_name": "Ada", "custom_data": {"level": level, "perks": perks}})).created();
    }
    text(&key.get("/contacts/custom-fields").page().rows[0]["id"])
}

fn found(key: &Client, query: &str) -> u64 {
    key.get(&format!("/contacts?{query}")).page().rows.len() as u64
}

fn an_option_that_was_removed_is_still_found(world: &World) {
    let (key, owner) = (world.key("crm"), manager(world));
    let id = levels(world, &key);
    let change = json!({"options": [{"value": "a", "label": "A"}]});
    owner.inside("PUT", &format!("/custom-fields/{id}")).json(&change).send().ok();
    assert_eq!(found(&key, "custom_data.level=eq.b"), 2);
    assert_eq!(found(&key, "custom_data.level=in.(a,b)"), 3);
    assert_eq!(found(&key, "custom_data.level=neq.b"), 1);
    assert_eq!(found(&key, "custom_data.level=eq.nobody"), 0, "a value that no record has finds nothing");
    // New values are checked as before.
    key.post("/contacts", json!({"first_name": "Eve", "custom_data": {"level": "b"}})).invalid("custom_data.level");
}

fn an_option_is_renamed_in_place(world: &World) {
    let (key, owner) = (world.key("crm"), manager(world));
    let id = levels(world, &key);
    let put = |options: Value| {
        owner.inside("PUT", &format!("/custom-fields/{id}")).json(&json!({ "options": options })).send()
    };
    put(json!([{"value": "a", "label": "A"}, {"value": "c", "label": "Cee", "previous_value": "nobody"}]))
        .invalid("options")
        .says("nobody");
    put(json!([{"value": "a", "label": "A"}, {"value": "c", "label": "Cee", "previous_value": "a"}]))
        .invalid("options")
        .says("a");
    let changed =
        put(json!([{"value": "a", "label": "A"}, {"value": "c", "label": "Cee", "previous_value": "b"}])).ok();
    assert_eq!(changed["options"][1], json!({"value": "c", "label": "Cee"}), "{changed}");
    eventually("records follow", PATIENCE, || (found(&key, "custom_data.level=eq.c") == 2).then_some(()));
    assert_eq!((found(&key, "custom_data.level=eq.b"), found(&key, "custom_data.level=eq.a")), (0, 1));
    world.cli(["fields", "update", "--entity", "contact", "--key", "perks", "--rename-option", "y=bicycle"]).ok();
    eventually("records follow", PATIENCE, || (found(&key, "custom_data.perks=cs.{bicycle}") == 2).then_some(()));
    assert_eq!((found(&key, "custom_data.perks=cs.{y}"), found(&key, "custom_data.perks=cs.{x}")), (0, 2));
}

fn a_fields_type_and_key_can_not_be_changed(world: &World) {
    let (key, owner) = (world.key("crm"), manager(world));
    let id = levels(world, &key);
    let put = |body: Value| owner.inside("PUT", &format!("/custom-fields/{id}")).json(&body).send();
    put(json!({"type": "text"})).invalid("type").says("can't be changed");
    put(json!({"key": "rank"})).invalid("key").says("can't be changed");
    // A record that was read can be sent back.
    let read = key.get("/contacts/custom-fields").page().rows[0].clone();
    let mut back = read.clone();
    back["label"] = json!("Level");
    assert_eq!(put(back).ok()["label"], "Level");
}

fn a_probability_taken_from_the_stage_follows_the_stage(world: &World) {
    let key = world.key("full_access");
    let pipeline = key.get("/deal-pipelines").page().rows[0].clone();
    let stages = pipeline["stages"].as_array().expect("stages").clone();
    let (first, second) = (&stages[0], &stages[1]);
    assert_ne!(first["probability"], second["probability"]);
    let make = |more: Value| {
        let mut body = json!({"title": "Deal", "pipeline_id": pipeline["id"], "stage_id": first["id"]});
        body.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        key.post("/deals", body).created()
    };
    let put = |deal: &Value, body: Value| key.put(&format!("/deals/{}", text(&deal["id"])), body).ok();
    let (taken, given) = (make(json!({})), make(json!({"probability": 42})));
    assert_eq!((&taken["probability"], &given["probability"]), (&first["probability"], &json!(42)));
    let moved = put(&taken, json!({"stage_id": second["id"]}));
    assert_eq!(moved["probability"], second["probability"], "it follows");
    assert_eq!(put(&given, json!({"stage_id": second["id"]}))["probability"], 42, "a chosen probability is kept");
    // A probability that is set later stays; one that is sent with the move is used.
    assert_eq!(put(&moved, json!({"probability": 7, "stage_id": first["id"]}))["probability"], 7);
    assert_eq!(put(&moved, json!({"stage_id": second["id"]}))["probability"], 7);
    // Read and sent back with another stage, it still follows the stage.
    let mut back = key.get(&format!("/deals/{}", text(&make(json!({}))["id"]))).ok();
    back["stage_id"] = second["id"].clone();
    assert_eq!(put(&back.clone(), back)["probability"], second["probability"]);
}

fn profile_addresses_are_compared_in_one_way(world: &World) {
    let key = world.key("full_access");
    let spellings =
        ["https://www.net.example.com/in/dd/", "http://net.example.com/in/dd", "https://NET.example.com/in/dd?x=1"];
    let first = key.post("/contacts", json!({"first_name": "Dee", "network_profile": spellings[0]})).created();
    assert_eq!(found(&key, &format!("network_profile=eq.{}", encoded(spellings[0]))), 1);
    assert_eq!(
        found(&key, &format!("network_profile=eq.{}", encoded(spellings[1]))),
        0,
        "a filter compares what is stored"
    );
    for spelling in spellings {
        let file = world.file("people.csv");
        std::fs::write(&file, format!("first_name,network_profile\nDee,{spelling}\n")).expect("a file");
        let file = file.to_str().expect("a path");
        world.cli(["import", file, "--collection", "contacts", "--match-on", "network_profile"]).ok();
        assert_eq!(key.get("/contacts").page().total(), 1, "{spelling}");
    }
    key.post("/contacts", json!({"first_name": "Dora", "network_profile": spellings[1]})).created();
    let duplicates = key.get("/contacts/duplicates").page().rows;
    assert_eq!(duplicates.len(), 1, "{duplicates:?}");
    assert!(duplicates[0].to_string().contains(&text(&first["id"])));
}
