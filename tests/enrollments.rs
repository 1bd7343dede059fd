//! Enrollments with task steps; steps that send are tested in `outreach`.

use serde_json::{Value, json};

use crate::sequences::{path, sequence};
use crate::support::*;

stories![
    a_sequence_starts_when_nothing_is_missing,
    a_sequence_moves_only_as_its_state_allows,
    an_enrollment_has_every_member,
    each_contact_gets_a_result,
    invalid_enrollments_are_refused_by_name,
    a_step_becomes_a_task_and_the_next_follows_it,
    a_skipped_or_deleted_task_resumes_the_enrollment,
    contacts_are_unenrolled_and_can_be_enrolled_again,
    an_enrollment_is_paused_and_resumed,
    a_paused_sequence_runs_no_step,
    steps_changed_while_paused_make_a_new_version,
    archiving_a_sequence_ends_its_enrollments,
    contacts_that_must_not_be_contacted_leave_at_once,
    a_missing_value_ends_an_enrollment_before_its_step,
    a_step_that_does_not_fit_is_skipped,
    branches_are_decided_by_the_contacts_values,
    merged_contacts_are_in_a_sequence_once,
    enrollments_are_listed_filtered_and_searched,
    scopes_plans_and_other_workspaces,
    a_timeline_has_every_step,
];

/// A schedule that is always open.
pub(crate) fn always() -> Value {
    json!({"days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "start_time": "00:00", "end_time": "24:00", "count": "calendar_days"})
}

/// A started sequence with these steps.
#[track_caller]
pub(crate) fn started(key: &Client, steps: Value) -> Value {
    let body = json!({"name": "Outreach", "mode": "advanced", "schedule_config": always(), "steps": steps});
    let made = sequence(key, body);
    key.post(&format!("{}/start", path(&made)), json!({})).ok();
    key.get(&path(&made)).ok()
}

#[track_caller]
pub(crate) fn contact(key: &Client, more: Value) -> Value {
    let mut body = json!({"first_name": "Ann", "last_name": "Example", "phone": "+33 1 23 45"});
    for (member, value) in more.as_object().into_iter().flatten() {
        body[member] = value.clone();
    }
    key.post("/contacts", body).created()
}

#[track_caller]
fn enroll(key: &Client, sequence: &Value, contacts: &[&Value]) -> Value {
    let ids: Vec<&Value> = contacts.iter().map(|contact| &contact["id"]).collect();
    key.post(&format!("{}/enroll", path(sequence)), json!({"contact_ids": ids})).ok()
}

/// The enrollment of one contact.
#[track_caller]
pub(crate) fn enrolled(key: &Client, sequence: &Value, contact: &Value) -> Value {
    let result = enroll(key, sequence, &[contact]);
    assert_eq!(result["enrolled"], 1, "{result}");
    key.get(&format!("/enrollments/{}", text(&result["results"][0]["enrollment_id"]))).ok()
}

pub(crate) fn at(enrollment: &Value) -> String {
    format!("/enrollments/{}", text(&enrollment["id"]))
}

/// The enrollment once the condition holds.
#[track_caller]
fn until(key: &Client, enrollment: &Value, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let mut last = Value::Null;
    let seen = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        eventually(what, PATIENCE, || {
            last = key.get(&at(enrollment)).ok();
            holds(&last).then(|| last.clone())
        })
    }));
    seen.unwrap_or_else(|_| panic!("{what}: {last}"))
}

#[track_caller]
fn ends(key: &Client, enrollment: &Value, status: &str) -> Value {
    until(key, enrollment, status, |enrollment| enrollment["status"] == status)
}

/// Waits for the open task of a contact.
#[track_caller]
pub(crate) fn task(key: &Client, contact: &Value) -> Value {
    eventually("a task", PATIENCE, || {
        let path = format!("/contacts/{}/tasks", text(&contact["id"]));
        key.list(&path, &[("status", "todo")]).page().rows.into_iter().next()
    })
}

#[track_caller]
pub(crate) fn complete(key: &Client, task: &Value, status: &str) {
    key.put(&format!("/tasks/{}", text(&task["id"])), json!({"status": status})).ok();
}

#[track_caller]
fn stats(key: &Client, sequence: &Value) -> Vec<Value> {
    key.get(&format!("{}/stats", path(sequence))).page().rows
}

fn a_sequence_starts_when_nothing_is_missing(world: &World) {
    let key = world.key("full_access");
    let empty = sequence(&key, json!({"name": "Empty"}));
    key.post(&format!("{}/start", path(&empty)), json!({})).invalid("steps").says("the sequence has no step");
    let steps = json!([
        {"type": "email", "subject": "Hi", "body": "Hello {{ first_name }}"},
        {"type": "network_message"},
        {"type": "chat", "body": "Hello"},
        {"type": "chat", "execution_mode": "manual"},
        {"type": "call"},
    ]);
    let lacking = sequence(&key, json!({"name": "Lacking", "steps": steps}));
    let refused = key.post(&format!("{}/start", path(&lacking)), json!({})).error(400, "validation_error");
    let reported: Vec<String> = refused.details().into_iter().map(|(field, _)| field).collect();
    let expected = ["steps.0.sender_ids", "steps.1.body", "steps.1.sender_ids", "steps.2.sender_ids"];
    assert_eq!(reported, expected, "all missing values are reported at once");
    assert!(refused.message().contains("relata accounts add --provider email"), "{}", refused.message());
    assert_eq!(key.get(&path(&lacking)).ok()["status"], "draft");

    let made = started(&key, json!([{"type": "call"}]));
    assert_eq!((&made["status"], &made["version"]), (&json!("active"), &json!(1)));
    let types: Vec<String> = key.list("/events", &[("types", "sequence")]).page().column("type");
    assert!(types.contains(&"sequence.started".into()), "{types:?}");
}

fn a_sequence_moves_only_as_its_state_allows(world: &World) {
    let key = world.key("full_access");
    let draft = sequence(&key, json!({"name": "Draft", "steps": [{"type": "call"}]}));
    let go = |word: &str| key.post(&format!("{}/{word}", path(&draft)), json!({}));
    go("pause").invalid("status").says("is draft");
    assert_eq!(go("start").ok()["status"], "active");
    go("start").invalid("status").says("is active");
    key.put(&path(&draft), json!({"steps": [{"type": "task"}]})).invalid("steps").says("pause it first");
    let whole = key.get(&path(&draft)).ok();
    assert_eq!(key.put(&path(&draft), whole).ok()["version"], 1, "an unchanged record can be sent back");
    assert_eq!(go("pause").ok()["status"], "paused");
    go("pause").invalid("status").says("is paused");
    assert_eq!(go("start").ok()["status"], "active");
    key.delete(&path(&draft)).ok();
    go("start").invalid("status").says("is archived");
    go("pause").invalid("status").says("is archived");
    key.post(&format!("/sequences/{}/start", nobody()), json!({})).not_found();
    key.post(&format!("{}/start", path(&draft)), json!({"now": true})).invalid("now");
}

fn an_enrollment_has_every_member(world: &World) {
    let key = world.key("full_access");
    let made = started(&key, json!([{"type": "task", "name": "Look", "delay_days": 3}]));
    let ann = contact(&key, json!({}));
    let enrollment = enrolled(&key, &made, &ann);
    let expected = json!({
        "id": enrollment["id"], "sequence_id": made["id"], "contact_id": ann["id"], "status": "active",
        "current_step_id": made["steps"][0]["id"], "custom_variables": {}, "next_step_at": enrollment["next_step_at"],
        "reason": null, "enrolled_at": enrollment["created_at"], "finished_at": null, "sequence_version": 1,
        "created_at": enrollment["created_at"], "updated_at": enrollment["created_at"],
    });
    assert_eq!(enrollment, expected);
    let (began, next) = (text(&enrollment["enrolled_at"]), text(&enrollment["next_step_at"]));
    let times = [began, next].map(|time| time.parse::<jiff::Timestamp>().expect("a time").as_millisecond());
    assert_eq!(times[1] - times[0], 3 * 86_400_000);
    let counts = json!({"total": 1, "active": 1, "paused": 0, "finished": 0, "replied": 0, "bounced": 0, "failed": 0});
    let after = key.get(&path(&made)).ok();
    assert_eq!(after["enrollments"], counts);
    assert_eq!(after["updated_at"], made["updated_at"], "a counter changes `updated_at`");
}

fn each_contact_gets_a_result(world: &World) {
    let key = world.key("full_access");
    let made = started(&key, json!([{"type": "task", "delay_days": 1}]));
    let other = started(&key, json!([{"type": "task", "delay_days": 1}]));
    let [free, known, busy] = [(); 3].map(|()| contact(&key, json!({})));
    let quiet = contact(&key, json!({"do_not_contact": true}));
    let gone = contact(&key, json!({}));
    key.delete(&format!("/contacts/{}", text(&gone["id"]))).ok();
    let shut = contact(&key, json!({"email": "shut@example.com"}));
    key.post("/suppressions", json!({"address": "SHUT@example.com"})).created();
    enroll(&key, &made, &[&known]);
    enroll(&key, &other, &[&busy]);
    let nobody = json!({"id": nobody()});
    let result = enroll(&key, &made, &[&free, &known, &busy, &quiet, &gone, &shut, &nobody, &free]);
    let counts = [
        "enrolled",
        "skipped_blacklisted",
        "skipped_already_enrolled",
        "skipped_active_elsewhere",
        "skipped_not_found",
    ];
    let counts: Vec<i64> = counts.iter().map(|name| result[*name].as_i64().expect("a count")).collect();
    assert_eq!(counts, [1, 3, 1, 1, 1], "{result}");
    let results = result["results"].as_array().expect("results");
    assert_eq!(results.len(), 7, "each once");
    let outcomes: Vec<(String, String)> =
        results.iter().map(|one| (text(&one["outcome"]), one["reason"].as_str().unwrap_or("").to_owned())).collect();
    for (place, outcome, reason) in [
        (0, "enrolled", ""),
        (1, "skipped_already_enrolled", "in this sequence already"),
        (2, "skipped_active_elsewhere", "active in the sequence Outreach"),
        (3, "skipped_blacklisted", "do_not_contact"),
        (4, "skipped_blacklisted", "archived"),
        (5, "skipped_blacklisted", "shut@example.com is suppressed"),
        (6, "skipped_not_found", "no contact has this id"),
    ] {
        assert_eq!(outcomes[place].0, outcome, "{results:?}");
        assert!(outcomes[place].1.contains(reason), "{results:?}");
    }
    assert_eq!(results[6]["enrollment_id"], Value::Null);
    assert_eq!(key.get(&path(&made)).ok()["enrollments"]["total"], 2);
}

fn invalid_enrollments_are_refused_by_name(world: &World) {
    let key = world.key("full_access");
    let made =
        started(&key, json!([{"type": "task", "delay_days": 1, "body": "{{ custom_variable_1 | default('-') }}"}]));
    let draft = sequence(&key, json!({"name": "Draft"}));
    let ann = contact(&key, json!({}));
    let to = |sequence: &Value, body: Value| key.post(&format!("{}/enroll", path(sequence)), body);
    to(&draft, json!({"contact_ids": [ann["id"]]})).invalid("status").says("is draft");
    to(&made, json!({})).invalid("contact_ids").says("1 to 500");
    to(&made, json!({"contact_ids": []})).invalid("contact_ids");
    to(&made, json!({"contact_ids": ["x"]})).error(400, "validation_error").says("contact_ids.0");
    to(&made, json!({"contact_ids": [ann["id"]], "contacts": [{"contact_id": ann["id"]}]})).invalid("contacts");
    to(&made, json!({"contacts": [{}]})).invalid("contacts.0.contact_id");
    to(&made, json!({"ids": [ann["id"]]})).invalid("ids");
    let ids: Vec<String> = (0..501).map(|_| nobody()).collect();
    to(&made, json!({"contact_ids": ids})).invalid("contact_ids").says("500");
    assert_eq!(to(&made, json!({"contact_ids": ids[..500]})).ok()["skipped_not_found"], 500);
    let with =
        |variables: Value| to(&made, json!({"contacts": [{"contact_id": ann["id"], "custom_variables": variables}]}));
    with(json!({"custom_variable_11": "x"})).invalid("contacts.0.custom_variables.custom_variable_11");
    with(json!({"name": "x"})).invalid("contacts.0.custom_variables.name");
    with(json!({"custom_variable_1": ["x"]})).invalid("contacts.0.custom_variables.custom_variable_1");
    with(json!({"custom_variable_1": "x".repeat(1001)})).invalid("contacts.0.custom_variables.custom_variable_1");
    let result =
        with(json!({"custom_variable_1": "x".repeat(1000), "custom_variable_10": 7, "custom_variable_2": null})).ok();
    let enrollment = key.get(&format!("/enrollments/{}", text(&result["results"][0]["enrollment_id"]))).ok();
    assert_eq!(enrollment["custom_variables"], json!({"custom_variable_1": "x".repeat(1000), "custom_variable_10": 7}));
    to(&json!({"id": nobody()}), json!({"contact_ids": [ann["id"]]})).not_found();
}

fn a_step_becomes_a_task_and_the_next_follows_it(world: &World) {
    let key = world.key("full_access");
    let steps = json!([
        {"type": "call", "name": "First call", "body": "Ask {{ first_name }} of {{ company.name | default('her company') }}"},
        {"type": "email", "execution_mode": "manual", "subject": "Hello {{ first_name }}", "body": "Dear {{ last_name }}"},
        {"type": "task"},
    ]);
    let made = started(&key, steps);
    let ann = contact(&key, json!({"email": "ann@example.com"}));
    let enrollment = enrolled(&key, &made, &ann);
    let call = task(&key, &ann);
    let owner = key.get("/me").ok()["user"]["user_id"].clone();
    assert_eq!((&call["title"], &call["type"], &call["assigned_to"]), (&json!("First call"), &json!("call"), &owner));
    assert_eq!(call["description"], "Ask Ann of her company");
    assert_eq!(call["due_date"], now().to_string()[..10], "today, in the schedule's zone");
    let waiting = key.get(&at(&enrollment)).ok();
    assert_eq!((&waiting["status"], &waiting["next_step_at"]), (&json!("active"), &Value::Null));
    assert_eq!(waiting["reason"], "waits for its task to be completed");
    let explained = key.get(&format!("{}/explain", at(&enrollment))).ok();
    assert!(text(&explained["blocked"]).contains(&text(&call["id"])), "{explained}");
    assert_eq!(key.get(&format!("/contacts/{}", text(&ann["id"]))).ok()["global_status"], "new");

    complete(&key, &call, "done");
    let reached = key.get(&format!("/contacts/{}", text(&ann["id"]))).ok();
    assert_eq!(reached["global_status"], "contacted", "an executed step is a contact");
    assert!(reached["last_contacted_at"].is_string());
    let mail = task(&key, &ann);
    assert_eq!((&mail["title"], &mail["type"]), (&json!("Email Ann Example"), &json!("email")));
    assert_eq!(mail["description"], "Hello Ann\n\nDear Example");
    complete(&key, &mail, "done");
    let last = task(&key, &ann);
    assert_eq!((&last["title"], &last["type"]), (&json!("See to Ann Example"), &json!("todo")));
    complete(&key, &last, "done");
    let finished = ends(&key, &enrollment, "finished");
    assert_eq!((&finished["reason"], &finished["next_step_at"]), (&Value::Null, &Value::Null));
    assert_eq!(finished["current_step_id"], made["steps"][2]["id"], "the last one");
    assert!(finished["finished_at"].is_string());
    let counts: Vec<(i64, i64)> = stats(&key, &made)
        .iter()
        .map(|step| (step["planned"].as_i64().unwrap_or(-1), step["sent"].as_i64().unwrap_or(-1)))
        .collect();
    assert_eq!(counts, [(0, 1), (0, 1), (0, 1)]);
    let counts = json!({"total": 1, "active": 0, "paused": 0, "finished": 1, "replied": 0, "bounced": 0, "failed": 0});
    assert_eq!(key.get(&path(&made)).ok()["enrollments"], counts);
}

fn a_skipped_or_deleted_task_resumes_the_enrollment(world: &World) {
    let key = world.key("full_access");
    let made = started(
        &key,
        json!([{"type": "task", "name": "a"}, {"type": "task", "name": "b"}, {"type": "task", "name": "c"}]),
    );
    let ann = contact(&key, json!({}));
    let enrollment = enrolled(&key, &made, &ann);
    complete(&key, &task(&key, &ann), "skipped");
    let second = eventually("the next task", PATIENCE, || Some(task(&key, &ann)).filter(|task| task["title"] == "b"));
    key.delete(&format!("/tasks/{}", text(&second["id"]))).ok();
    let third = eventually("the last task", PATIENCE, || Some(task(&key, &ann)).filter(|task| task["title"] == "c"));
    key.put(&format!("/tasks/{}", text(&third["id"])), json!({"title": "see"})).ok();
    assert_eq!(
        key.get(&at(&enrollment)).ok()["status"],
        "active",
        "a change that does not complete the task has no effect"
    );
    complete(&key, &third, "done");
    ends(&key, &enrollment, "finished");
    let skipped: Vec<i64> = stats(&key, &made).iter().map(|step| step["skipped"].as_i64().unwrap_or(-1)).collect();
    assert_eq!(skipped, [1, 1, 0]);
    complete(&key, &third, "todo");
    assert_eq!(key.get(&at(&enrollment)).ok()["status"], "finished", "a finished enrollment stays finished");
}

fn contacts_are_unenrolled_and_can_be_enrolled_again(world: &World) {
    let key = world.key("full_access");
    let made = started(&key, json!([{"type": "task", "delay_days": 1}]));
    let (ann, bob) = (contact(&key, json!({})), contact(&key, json!({})));
    let enrollment = enrolled(&key, &made, &ann);
    let out = |ids: Value| key.post(&format!("{}/unenroll", path(&made)), json!({"contact_ids": ids}));
    let result = out(json!([ann["id"], bob["id"], ann["id"], nobody()])).ok();
    assert_eq!(result, json!({"unenrolled": 1, "not_found": 2, "sending": []}));
    let ended = key.get(&at(&enrollment)).ok();
    assert_eq!((&ended["status"], &ended["reason"]), (&json!("unenrolled"), &json!("taken out by hand")));
    assert_eq!(out(json!([ann["id"]])).ok()["not_found"], 1, "unenrolling again finds nobody");
    out(json!([])).invalid("contact_ids");
    let again = enrolled(&key, &made, &ann);
    assert_ne!(again["id"], enrollment["id"], "a new enrollment starts");
    assert_eq!(key.get(&path(&made)).ok()["enrollments"]["total"], 2);
    assert_eq!(stats(&key, &made)[0]["planned"], 1);
}

fn an_enrollment_is_paused_and_resumed(world: &World) {
    let key = world.key("full_access");
    let made = started(&key, json!([{"type": "task", "delay_hours": 2}, {"type": "task"}]));
    let ann = contact(&key, json!({}));
    let enrollment = enrolled(&key, &made, &ann);
    let go = |word: &str, body: Value| key.post(&format!("{}/{word}", at(&enrollment)), body);
    go("resume", json!({})).invalid("status").says("is active");
    let paused = go("pause", json!({})).ok();
    assert_eq!((&paused["status"], &paused["reason"]), (&json!("paused"), &json!("paused by hand")));
    go("pause", json!({})).invalid("status").says("is paused");
    assert_eq!(key.get(&path(&made)).ok()["enrollments"]["paused"], 1);
    let explained = key.get(&format!("{}/explain", at(&enrollment))).ok();
    assert_eq!(explained["blocked"], "it is paused: paused by hand");
    go("resume", json!({"sent": true})).invalid("sent").says("outcome_unknown");
    go("resume", json!({"when": 1})).invalid("when");
    // All members are optional, so the body may be missing.
    let active = key.request("POST", &format!("{}/resume", at(&enrollment))).send().ok();
    assert_eq!((&active["status"], &active["reason"]), (&json!("active"), &Value::Null));
    assert_eq!(active["next_step_at"], enrollment["next_step_at"], "the due time is unchanged");
    // An enrollment that waits for its task continues to wait.
    let now_made = started(&key, json!([{"type": "task"}, {"type": "task"}]));
    let bob = contact(&key, json!({}));
    let waits = enrolled(&key, &now_made, &bob);
    let open = task(&key, &bob);
    key.post(&format!("{}/pause", at(&waits)), json!({})).ok();
    complete(&key, &open, "done");
    let held = key.get(&at(&waits)).ok();
    assert_eq!(held["status"], "paused", "completing the task does not resume a paused enrollment");
    key.post(&format!("{}/resume", at(&waits)), json!({})).ok();
    complete(&key, &task(&key, &bob), "done");
    ends(&key, &waits, "finished");
    key.post(&format!("{}/pause", at(&waits)), json!({})).invalid("status").says("is finished");
}

fn a_paused_sequence_runs_no_step(world: &World) {
    let key = world.key("full_access");
    let made = started(&key, json!([{"type": "task"}]));
    key.post(&format!("{}/pause", path(&made)), json!({})).ok();
    let ann = contact(&key, json!({}));
    let enrollment = enrolled(&key, &made, &ann);
    let explained = key.get(&format!("{}/explain", at(&enrollment))).ok();
    assert_eq!(explained["blocked"], "the sequence is paused");
    // The sequencer has gone on by then: a step of another sequence has begun.
    let (running, bob) = (started(&key, json!([{"type": "task"}])), contact(&key, json!({})));
    enrolled(&key, &running, &bob);
    task(&key, &bob);
    let tasks = key.get(&format!("/contacts/{}/tasks", text(&ann["id"]))).page();
    assert_eq!(tasks.rows.len(), 0, "nothing begins");
    key.post(&format!("{}/start", path(&made)), json!({})).ok();
    complete(&key, &task(&key, &ann), "done");
    ends(&key, &enrollment, "finished");
}

fn steps_changed_while_paused_make_a_new_version(world: &World) {
    let key = world.key("full_access");
    let made = started(&key, json!([{"type": "task", "name": "old"}, {"type": "task", "name": "then"}]));
    let (ann, bob) = (contact(&key, json!({})), contact(&key, json!({})));
    let first = enrolled(&key, &made, &ann);
    let open = task(&key, &ann);
    key.post(&format!("{}/pause", path(&made)), json!({})).ok();
    let kept = made["steps"][0]["id"].clone();
    let changed = key.put(&path(&made), json!({"steps": [{"id": kept, "type": "task", "name": "new"}]})).ok();
    assert_eq!((&changed["version"], &changed["steps_count"]), (&json!(2), &json!(1)));
    key.post(&format!("{}/start", path(&made)), json!({})).ok();
    let second = enrolled(&key, &made, &bob);
    let task_of_bob = task(&key, &bob);
    assert_eq!(task_of_bob["title"], "new");
    complete(&key, &task_of_bob, "done");
    ends(&key, &second, "finished");
    complete(&key, &open, "done");
    let then =
        eventually("the old next step", PATIENCE, || Some(task(&key, &ann)).filter(|task| task["title"] == "then"));
    complete(&key, &then, "done");
    ends(&key, &first, "finished");
    let stats = stats(&key, &made);
    let reported: Vec<(&Value, &Value, &Value)> =
        stats.iter().map(|step| (&step["name"], &step["version"], &step["sent"])).collect();
    assert_eq!(reported, [(&json!("new"), &json!(2), &json!(2)), (&json!("then"), &json!(1), &json!(1))]);
}

fn archiving_a_sequence_ends_its_enrollments(world: &World) {
    let key = world.key("full_access");
    let made = started(&key, json!([{"type": "task", "delay_days": 1}]));
    let contacts: Vec<Value> = (0..60).map(|_| contact(&key, json!({}))).collect();
    assert_eq!(enroll(&key, &made, &contacts.iter().collect::<Vec<_>>())["enrolled"], 60);
    key.delete(&path(&made)).ok();
    let counts = eventually("nobody is left", PATIENCE, || {
        let counts = key.get(&path(&made)).ok()["enrollments"].clone();
        (counts["active"] == 0).then_some(counts)
    });
    assert_eq!(counts["total"], 60);
    let page = key.list(&format!("{}/enrollments", path(&made)), &[("status", "unenrolled")]).page();
    assert_eq!(page.total(), 60);
    assert!(page.rows.iter().all(|row| row["reason"] == "the sequence was archived"));
    key.post(&format!("{}/enroll", path(&made)), json!({"contact_ids": [contacts[0]["id"]]}))
        .invalid("status")
        .says("is archived");
}

fn contacts_that_must_not_be_contacted_leave_at_once(world: &World) {
    let key = world.key("full_access");
    let made = started(&key, json!([{"type": "task", "delay_days": 1}]));
    let leave = |why: &str, contact: &Value, act: &dyn Fn(&str)| {
        let enrollment = enrolled(&key, &made, contact);
        act(&text(&contact["id"]));
        let ended = key.get(&at(&enrollment)).ok();
        assert_eq!(ended["status"], "unenrolled", "{why}");
        assert!(text(&ended["reason"]).contains(why), "{why}: {ended}");
        assert_eq!(ended["next_step_at"], Value::Null);
    };
    let flag = json!({"do_not_contact": true});
    leave("do_not_contact", &contact(&key, json!({})), &|id| {
        drop(key.put(&format!("/contacts/{id}"), flag.clone()).ok())
    });
    leave("archived", &contact(&key, json!({})), &|id| drop(key.delete(&format!("/contacts/{id}")).ok()));
    leave("archived", &contact(&key, json!({})), &|id| {
        key.put(&format!("/contacts/{id}"), json!({"global_status": "archived"})).ok();
    });
    leave("do_not_contact", &contact(&key, json!({})), &|id| {
        let quiet = contact(&key, flag.clone());
        key.post("/contacts/merge", json!({"into": id, "from": [quiet["id"]]})).ok();
    });
    leave("is suppressed", &contact(&key, json!({"email": "off@example.com"})), &|_| {
        key.post("/suppressions", json!({"address": "off@example.com"})).created();
    });
    assert_eq!(key.get(&path(&made)).ok()["enrollments"]["active"], 0);
}

fn a_missing_value_ends_an_enrollment_before_its_step(world: &World) {
    let key = world.key("full_access");
    let made = started(&key, json!([{"type": "task", "body": "Hi {{ title }}, {{ custom_variable_1 }}"}]));
    let bare = contact(&key, json!({}));
    let failed = ends(&key, &enrolled(&key, &made, &bare), "failed");
    let reason = text(&failed["reason"]);
    assert!(reason.contains("body: no value for custom_variable_1, title"), "{reason}");
    assert_eq!(key.get(&format!("/contacts/{}/tasks", text(&bare["id"]))).page().rows.len(), 0);
    assert_eq!(stats(&key, &made)[0]["failed"], 1);
    let full = contact(&key, json!({"title": "CTO"}));
    let body = json!({"contacts": [{"contact_id": full["id"], "custom_variables": {"custom_variable_1": "well met"}}]});
    assert_eq!(key.post(&format!("{}/enroll", path(&made)), body).ok()["enrolled"], 1);
    assert_eq!(task(&key, &full)["description"], "Hi CTO, well met");
}

fn a_step_that_does_not_fit_is_skipped(world: &World) {
    let key = world.key("full_access");
    let steps = json!([
        {"type": "call"},
        {"type": "email", "execution_mode": "manual", "subject": "Hi"},
        {"type": "task", "name": "for chiefs", "entry_conditions": {"title": "ilike.%chief%"}},
        {"type": "task", "name": "for all"},
    ]);
    let made = started(&key, steps);
    let bare = key.post("/contacts", json!({"first_name": "Bo", "title": "Clerk"})).created();
    let enrollment = enrolled(&key, &made, &bare);
    let last = task(&key, &bare);
    assert_eq!(last["title"], "for all");
    let skipped: Vec<i64> = stats(&key, &made).iter().map(|step| step["skipped"].as_i64().unwrap_or(-1)).collect();
    assert_eq!(skipped, [1, 1, 1, 0]);
    let events =
        key.get(&format!("/contacts/{}/timeline?types=enrollment.step_skipped", text(&bare["id"]))).page().rows;
    let mut reasons: Vec<String> = events.iter().map(|event| text(&event["changes"]["step_reason"][1])).collect();
    reasons.reverse();
    let expected = [
        "the contact has no phone number",
        "the contact has no email address",
        "its entry_conditions don't hold for the contact",
    ];
    assert_eq!(reasons, expected, "the reason is kept");
    complete(&key, &last, "done");
    assert_eq!(ends(&key, &enrollment, "finished")["reason"], Value::Null);
    let only = started(&key, json!([{"type": "email", "execution_mode": "manual", "subject": "Hi"}]));
    let ended = ends(&key, &enrolled(&key, &only, &bare), "finished");
    assert_eq!(ended["reason"], "the last step was skipped: the contact has no email address");
    let chief = contact(&key, json!({"title": "Chief of Staff", "email": "chief@example.com"}));
    enrolled(&key, &made, &chief);
    complete(&key, &task(&key, &chief), "done");
    complete(
        &key,
        &eventually("the mail", PATIENCE, || Some(task(&key, &chief)).filter(|task| task["type"] == "email")),
        "done",
    );
    eventually("the step for chiefs", PATIENCE, || {
        Some(task(&key, &chief)).filter(|task| task["title"] == "for chiefs")
    });
}

fn branches_are_decided_by_the_contacts_values(world: &World) {
    let key = world.key("full_access");
    let branch = |name: &str, kind: &str| json!({"type": "task", "name": name, "parent_step_id": "root", "branch_condition": {"type": kind}});
    let steps = json!([
        {"type": "task", "name": "root", "client_key": "root"},
        branch("by mail", "has_email"),
        branch("by phone", "has_phone"),
        branch("by letter", "otherwise"),
        {"type": "task", "name": "the stem"},
    ]);
    let made = started(&key, steps);
    for (more, expected) in [
        (json!({"email": "mail@example.com", "phone": "+33 1"}), "by mail"),
        (json!({"phone": "+33 1"}), "by phone"),
        (json!({}), "by letter"),
    ] {
        let mut body = json!({"first_name": "Ann"});
        body.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        let ann = key.post("/contacts", body).created();
        let enrollment = enrolled(&key, &made, &ann);
        complete(&key, &task(&key, &ann), "done");
        let taken = eventually("a branch", PATIENCE, || Some(task(&key, &ann)).filter(|task| task["title"] != "root"));
        assert_eq!(taken["title"], expected);
        complete(&key, &taken, "done");
        ends(&key, &enrollment, "finished");
    }
    // A wait branch is not decided at once.
    let wait = json!([
        {"type": "task", "name": "root", "client_key": "root"},
        {"type": "task", "name": "silent", "parent_step_id": "root", "branch_condition": {"type": "not_replied", "after_days": 3}},
    ]);
    let made = started(&key, wait);
    let ann = contact(&key, json!({}));
    let enrollment = enrolled(&key, &made, &ann);
    complete(&key, &task(&key, &ann), "done");
    let open = key.get(&at(&enrollment)).ok();
    assert_eq!((&open["status"], &open["next_step_at"]), (&json!("active"), &Value::Null));
    assert_eq!(open["current_step_id"], made["steps"][0]["id"], "the enrollment stays at the previous step");
    let explained = key.get(&format!("{}/explain", at(&enrollment))).ok();
    assert_eq!(explained["rules"][0]["rule"], "branch_condition", "{explained}");
}

fn merged_contacts_are_in_a_sequence_once(world: &World) {
    let key = world.key("full_access");
    let made = started(&key, json!([{"type": "task", "delay_days": 1}]));
    let other = started(&key, json!([{"type": "task", "delay_days": 1}]));
    let [into, both, alone] = [(); 3].map(|()| contact(&key, json!({})));
    let kept = enrolled(&key, &made, &into);
    let doubled = enrolled(&key, &made, &both);
    let moved = enrolled(&key, &other, &alone);
    let merged = key.post("/contacts/merge", json!({"into": into["id"], "from": [both["id"], alone["id"]]})).ok();
    assert_eq!(merged["moved"]["enrollments"], 2);
    let read = |enrollment: &Value| key.get(&at(enrollment)).ok();
    assert_eq!(read(&kept)["status"], "active");
    assert_eq!((&read(&doubled)["status"], &read(&doubled)["contact_id"]), (&json!("unenrolled"), &into["id"]));
    assert_eq!((&read(&moved)["status"], &read(&moved)["contact_id"]), (&json!("unenrolled"), &into["id"]));
    let of_survivor = format!("/contacts/{}/enrollments", text(&into["id"]));
    assert_eq!(key.get(&of_survivor).page().total(), 3);
    let found = |sequence: &Value| key.post("/contacts/search", json!({"sequence_id": sequence["id"]})).page().ids();
    assert_eq!(found(&other), [text(&into["id"])]);
    key.post(&format!("/contacts/merge/{}/undo", text(&merged["id"])), json!({})).ok();
    assert_eq!((&read(&doubled)["status"], &read(&doubled)["contact_id"]), (&json!("active"), &both["id"]));
    assert_eq!((&read(&moved)["status"], &read(&moved)["contact_id"]), (&json!("active"), &alone["id"]));
    assert_eq!(found(&other), [text(&alone["id"])]);
    assert_eq!(key.get(&path(&made)).ok()["enrollments"]["active"], 2);
}

fn enrollments_are_listed_filtered_and_searched(world: &World) {
    let key = world.key("full_access");
    let made = started(&key, json!([{"type": "task", "delay_days": 1}]));
    let contacts: Vec<Value> = (0..5).map(|_| contact(&key, json!({}))).collect();
    enroll(&key, &made, &contacts.iter().collect::<Vec<_>>());
    key.post(&format!("{}/unenroll", path(&made)), json!({"contact_ids": [contacts[0]["id"]]})).ok();
    let list = format!("{}/enrollments", path(&made));
    let page = |parameters: &[(&str, &str)]| key.list(&list, parameters).page();
    assert_eq!(page(&[]).total(), 5);
    assert_eq!(page(&[("status", "active")]).total(), 4);
    assert_eq!(page(&[("status", "in.(active,unenrolled)"), ("limit", "2")]).rows.len(), 2);
    assert_eq!(page(&[("contact_id", &text(&contacts[1]["id"]))]).total(), 1);
    assert_eq!(page(&[("sort", "-updated_at"), ("limit", "1")]).rows[0]["contact_id"], contacts[0]["id"]);
    let first = page(&[("cursor", ""), ("limit", "3"), ("sort", "created_at")]);
    let rest = page(&[("cursor", &first.next().expect("more")), ("limit", "3"), ("sort", "created_at")]);
    assert_eq!((first.rows.len(), rest.rows.len()), (3, 2));
    key.list(&list, &[("reason", "x")]).invalid("reason");
    key.list(&list, &[("sort", "status")]).invalid("sort");
    key.get(&format!("/sequences/{}/enrollments", nobody())).not_found();
    let own = key.get(&format!("/contacts/{}/enrollments", text(&contacts[1]["id"]))).page();
    assert_eq!((own.total(), &own.rows[0]["sequence_id"]), (1, &made["id"]));
    let found = key.post("/contacts/search", json!({"sequence_id": made["id"]})).page();
    assert_eq!(found.total(), 5, "current and former enrollments");
    key.post("/contacts/search", json!({"sequence_id": nobody()})).invalid("sequence_id");
}

fn scopes_plans_and_other_workspaces(world: &World) {
    let key = world.key("full_access");
    let made = started(&key, json!([{"type": "task", "delay_days": 1}]));
    let ann = contact(&key, json!({}));
    let enrollment = enrolled(&key, &made, &ann);
    let reader = world.key("sequences:read");
    reader.get(&at(&enrollment)).ok();
    reader.get(&format!("{}/explain", at(&enrollment))).ok();
    reader.get(&format!("{}/stats", path(&made))).ok();
    reader.get(&format!("/contacts/{}/enrollments", text(&ann["id"]))).ok();
    reader
        .post(&format!("{}/pause", at(&enrollment)), json!({}))
        .error(403, "insufficient_scope")
        .says("sequences:write");
    let writer = world.key("sequences:write");
    writer.get(&at(&enrollment)).error(403, "insufficient_scope");
    writer.post(&format!("{}/pause", at(&enrollment)), json!({})).ok();
    let elsewhere = world.workspace("elsewhere").key("full_access");
    elsewhere.get(&at(&enrollment)).not_found();
    elsewhere.post(&format!("{}/resume", at(&enrollment)), json!({})).not_found();
    elsewhere.post(&format!("{}/enroll", path(&made)), json!({"contact_ids": [ann["id"]]})).not_found();
    let theirs = started(&elsewhere, json!([{"type": "task"}]));
    assert_eq!(enroll(&elsewhere, &theirs, &[&ann])["skipped_not_found"], 1);
}

fn a_timeline_has_every_step(world: &World) {
    let key = world.key("full_access");
    let made = started(&key, json!([{"type": "task", "name": "look"}]));
    let ann = contact(&key, json!({}));
    let enrollment = enrolled(&key, &made, &ann);
    complete(&key, &task(&key, &ann), "done");
    ends(&key, &enrollment, "finished");
    let events = key.get(&format!("/contacts/{}/timeline?types=enrollment", text(&ann["id"]))).page().rows;
    let mut types: Vec<String> = events.iter().map(|event| text(&event["type"])).collect();
    types.reverse();
    let expected = ["enrollment.created", "enrollment.waiting", "enrollment.step_done", "enrollment.finished"];
    assert_eq!(types, expected);
    assert_eq!(events[1]["changes"]["step"][1]["name"], "look");
    let blind = world.key("contacts:read");
    assert_eq!(
        blind.get(&format!("/contacts/{}/timeline", text(&ann["id"]))).page().column("type"),
        ["contact.updated", "contact.created"]
    );
}
