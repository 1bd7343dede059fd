//! When the steps of a sequence are due: by its schedule, its delays, and changes of both.

use serde_json::{Value, json};

use crate::enrollments::{always, at, complete, contact, enrolled, started, task};
use crate::sequences::{path, sequence};
use crate::support::*;

stories![nothing_is_sent_outside_the_schedule, a_new_schedule_applies_to_waiting_enrollments, delays_are_explained,];

fn nothing_is_sent_outside_the_schedule(world: &World) {
    let key = world.key("full_access");
    let tomorrow = now().to_zoned(jiff::tz::TimeZone::UTC).date().tomorrow().expect("a day");
    let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let day = days[tomorrow.weekday().to_monday_zero_offset() as usize];
    let config = json!({"timezone": "UTC", "days": [day], "start_time": "10:00", "end_time": "11:00"});
    let made = sequence(&key, json!({"name": "Late", "schedule_config": config, "steps": [{"type": "task"}]}));
    key.post(&format!("{}/start", path(&made)), json!({})).ok();
    let enrollment = enrolled(&key, &made, &contact(&key, json!({})));
    assert_eq!(enrollment["next_step_at"], format!("{tomorrow}T10:00:00.000Z"));
    let explained = key.get(&format!("{}/explain", at(&enrollment))).ok();
    assert_eq!(explained["next_step_at"], enrollment["next_step_at"]);
    assert_eq!(explained["rules"][0]["rule"], "schedule");
    assert_eq!(explained["rules"][0]["reason"], "the day is not one of days");
    assert!(text(&explained["summary"]).contains("goes out at"), "{explained}");
    // By the contact's own time zone.
    let mut own = always();
    own["use_contact_timezone"] = true.into();
    own["start_time"] = "00:00".into();
    own["skip_dates"] =
        json!([now().to_zoned(jiff::tz::TimeZone::get("Pacific/Auckland").expect("a zone")).date().to_string()]);
    let made = sequence(&key, json!({"name": "Theirs", "schedule_config": own, "steps": [{"type": "task"}]}));
    key.post(&format!("{}/start", path(&made)), json!({})).ok();
    let enrollment = enrolled(&key, &made, &contact(&key, json!({"location": "Auckland, New Zealand"})));
    let explained = key.get(&format!("{}/explain", at(&enrollment))).ok();
    assert_eq!(explained["rules"][0]["reason"], "the day is one of skip_dates", "{explained}");
}

fn a_new_schedule_applies_to_waiting_enrollments(world: &World) {
    let key = world.key("full_access");
    world.set(&["--rate-limit", "1000000000"]);
    let yesterday = now().to_zoned(jiff::tz::TimeZone::UTC).date().yesterday().expect("a day");
    let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let day = days[yesterday.weekday().to_monday_zero_offset() as usize];
    let config = json!({"timezone": "UTC", "days": [day], "start_time": "10:00", "end_time": "11:00"});
    let made = sequence(&key, json!({"name": "Late", "schedule_config": config, "steps": [{"type": "task"}]}));
    key.post(&format!("{}/start", path(&made)), json!({})).ok();
    // More enrollments than are moved in one batch.
    let items: Vec<Value> =
        (0..320).map(|n| json!({"op": "create", "data": {"first_name": format!("P{n}")}})).collect();
    let people = key.post("/contacts/bulk", json!({ "items": items })).ok();
    let people: Vec<&Value> = people["results"].as_array().expect("results").iter().map(|one| &one["id"]).collect();
    key.post(&format!("{}/enroll", path(&made)), json!({ "contact_ids": people })).ok();
    assert_eq!(key.get("/tasks").page().total(), 0);
    // Changed while it runs: the others are due at once.
    key.put(&path(&made), json!({"schedule_config": always()})).ok();
    eventually("everybody's task", PATIENCE, || (key.get("/tasks").page().total() == 320).then_some(()));
    // Steps that have started do not start again.
    let again = contact(&key, json!({}));
    enrolled(&key, &made, &again);
    task(&key, &again);
    let mut later = always();
    later["end_time"] = "23:59".into();
    key.put(&path(&made), json!({ "schedule_config": later })).ok();
    assert_eq!(key.get(&format!("/contacts/{}/tasks", text(&again["id"]))).page().total(), 1);
}

fn delays_are_explained(world: &World) {
    let key = world.key("full_access");
    let made =
        started(&key, json!([{"type": "task"}, {"type": "task", "name": "later", "delay_days": 2, "delay_hours": 5}]));
    let ann = contact(&key, json!({}));
    let enrollment = enrolled(&key, &made, &ann);
    complete(&key, &task(&key, &ann), "done");
    let explained = key.get(&format!("{}/explain", at(&enrollment))).ok();
    assert_eq!(explained["next_step"], json!({"id": made["steps"][1]["id"], "type": "task", "name": "later"}));
    assert_eq!(explained["rules"][0]["rule"], "delay");
    assert_eq!(explained["rules"][0]["reason"], "2 days and 5 hours after the step before");
    assert_eq!((&explained["blocked"], &explained["status"]), (&Value::Null, &json!("active")));
    key.post(&format!("{}/unenroll", path(&made)), json!({"contact_ids": [ann["id"]]})).ok();
    let explained = key.get(&format!("{}/explain", at(&enrollment))).ok();
    assert_eq!(explained["blocked"], "it is unenrolled: taken out by hand");
    assert_eq!(explained["next_step"], Value::Null);
    key.get(&format!("/enrollments/{}/explain", nobody())).not_found();
}
