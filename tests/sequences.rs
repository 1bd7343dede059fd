//! Sequences: creating, validating and changing steps. Sending is tested in `outreach`.

use serde_json::{Value, json};

use crate::support::*;

stories![
    a_bare_sequence_has_every_member,
    a_full_sequence_is_returned_as_sent,
    a_step_has_every_member,
    invalid_members_are_refused_by_name,
    every_problem_of_every_step_is_reported_at_once,
    names_and_lists_have_bounds,
    steps_branch_by_key_and_by_id,
    a_branch_to_a_missing_step_is_refused,
    conditions_need_their_values,
    an_email_that_starts_a_thread_needs_a_subject,
    templates_may_only_use_known_names,
    entry_conditions_are_filters_of_contacts,
    a_schedule_has_defaults_and_bounds,
    a_draft_is_changed_member_by_member,
    steps_are_replaced_and_keep_their_ids,
    a_change_is_checked_against_the_existing_steps,
    if_match_protects_a_sequence,
    archiving_a_sequence_is_final,
    sequences_are_listed_filtered_and_sorted,
    sequences_are_in_sync_and_in_the_feed,
    sequences_belong_to_a_plan_and_have_scopes,
    another_workspace_sees_nothing,
    a_large_sequence_fits,
    a_sequence_can_be_copied,
];

#[track_caller]
pub(crate) fn sequence(key: &Client, body: Value) -> Value {
    key.post("/sequences", body).created()
}

pub(crate) fn path(sequence: &Value) -> String {
    format!("/sequences/{}", text(&sequence["id"]))
}

/// A valid email step.
fn email(more: Value) -> Value {
    step("email", json!({"subject": "Hello", "body": "Hi {{ first_name }}"}), more)
}

fn step(kind: &str, base: Value, more: Value) -> Value {
    let mut step = base;
    step["type"] = kind.into();
    for (member, value) in more.as_object().into_iter().flatten() {
        step[member] = value.clone();
    }
    step
}

/// A body of these steps, in the mode that allows branches.
fn with(steps: &[Value]) -> Value {
    json!({"name": "Outreach", "mode": "advanced", "steps": steps})
}

#[track_caller]
fn refuse(key: &Client, steps: &[Value], field: &str) -> Failure {
    key.post("/sequences", with(steps)).invalid(field)
}

fn a_bare_sequence_has_every_member(world: &World) {
    let key = world.key("automation");
    let answer = key.post("/sequences", json!({"name": " Outreach "}));
    let made = answer.created();
    assert_eq!(answer.header("Location"), format!("/api/v1{}", path(&made)));
    let expected = json!({
        "id": made["id"], "name": "Outreach", "status": "draft", "paused_reason": null, "priority": "normal", "mode": "simple",
        "project_id": null, "owner_ids": [key.get("/me").ok()["user"]["user_id"]],
        "schedule_config": {
            "timezone": "UTC", "days": ["mon", "tue", "wed", "thu", "fri"], "start_time": "09:00", "end_time": "18:00",
            "count": "sending_days", "use_contact_timezone": false, "daily_limit": null, "min_gap_minutes": null,
            "skip_dates": [], "stop_on_reply": true, "stop_for_company": false, "track_opens": false,
            "track_clicks": false,
        },
        "steps_count": 0,
        "enrollments": {"total": 0, "active": 0, "paused": 0, "finished": 0, "replied": 0, "bounced": 0, "failed": 0},
        "version": 1, "created_at": made["created_at"], "updated_at": made["created_at"], "steps": [],
    });
    assert_eq!(made, expected);
    assert_eq!(key.get(&path(&made)).ok(), made);
    let mut listed = made.clone();
    listed.as_object_mut().expect("an object").remove("steps");
    assert_eq!(key.get("/sequences").page().rows, [listed], "a list shows no steps");
}

fn a_full_sequence_is_returned_as_sent(world: &World) {
    world.set(&["--timezone", "Europe/Paris"]);
    let key = world.key("automation");
    let owner = key.get("/me").ok()["user"]["user_id"].clone();
    let sent = json!({
        "name": "Engineers", "status": "draft", "priority": "high", "mode": "advanced", "owner_ids": [owner, owner],
        "schedule_config": {
            "days": ["sat", "sun"], "start_time": "00:00", "end_time": "24:00", "count": "calendar_days",
            "use_contact_timezone": true, "daily_limit": 40, "min_gap_minutes": 3, "skip_dates": ["2026-12-25"],
            "stop_on_reply": false, "stop_for_company": true, "track_opens": true, "track_clicks": true,
        },
        "steps": [email(json!({"client_key": "first"}))],
    });
    let made = sequence(&key, sent.clone());
    for member in ["name", "status", "priority", "mode"] {
        assert_eq!(made[member], sent[member], "{member}");
    }
    assert_eq!(made["owner_ids"], json!([owner]), "equal ones count once");
    assert_eq!(made["schedule_config"]["timezone"], "Europe/Paris", "the workspace's");
    for (member, value) in sent["schedule_config"].as_object().into_iter().flatten() {
        assert_eq!(made["schedule_config"][member], *value, "{member}");
    }
    assert_eq!((&made["steps_count"], &made["version"]), (&json!(1), &json!(1)));
}

fn a_step_has_every_member(world: &World) {
    let key = world.key("automation");
    let made = sequence(&key, with(&[json!({"type": "call"})]));
    let step = &made["steps"][0];
    let expected = json!({
        "id": step["id"], "position": 0, "client_key": null, "type": "call", "name": null, "subject": null,
        "body": null, "cc": [], "bcc": [], "reply_to": null, "attachments": [], "variants": [], "content_template": null, "delay_days": 0, "delay_hours": 0, "execution_mode": "automatic",
        "sender_ids": [], "parent_step_id": null, "branch_condition": null, "entry_conditions": null,
    });
    assert_eq!(*step, expected);
    let full = json!({
        "client_key": "a", "name": "First", "content_template": {"blocks": [{"n": 1.50}], "x": null}, "delay_days": 365,
        "delay_hours": 23, "execution_mode": "manual", "sender_ids": [], "entry_conditions": {},
    });
    for kind in
        ["email", "network_connect", "network_message", "network_inmail", "network_visit", "chat", "call", "task"]
    {
        let sent = self::step(kind, json!({"subject": "Hello", "body": "<p>Hi</p>"}), full.clone());
        let made = sequence(&key, with(std::slice::from_ref(&sent)));
        for (member, value) in sent.as_object().into_iter().flatten() {
            assert_eq!(made["steps"][0][member], *value, "{member} of {kind}");
        }
    }
}

fn invalid_members_are_refused_by_name(world: &World) {
    let key = world.key("automation");
    for (member, value) in [
        ("name", json!("")),
        ("name", json!("x".repeat(201))),
        ("status", json!("active")),
        ("status", json!("sleeping")),
        ("priority", json!("low")),
        ("mode", json!("complex")),
        ("project_id", json!(nobody())),
        ("project_id", json!("x")),
        ("owner_ids", json!("me")),
        ("schedule_config", json!(null)),
        ("schedule_config", json!([])),
        ("steps", json!(null)),
        ("steps", json!({})),
        ("steps", json!([])),
        ("colour", json!("red")),
    ] {
        let mut body = json!({"name": "Outreach"});
        body[member] = value;
        key.post("/sequences", body).invalid(member);
    }
    key.post("/sequences", json!({"name": "x", "owner_ids": [nobody()]})).invalid("owner_ids.0").says("no member");
    key.post("/sequences", json!({"name": "x", "owner_ids": ["me"]})).invalid("owner_ids.0");
    key.post("/sequences", json!({})).invalid("name").says("required");
    key.post("/sequences", json!({"name": "x", "stepz": []})).invalid("stepz").says("did you mean steps?");
    for (member, value) in [
        ("type", json!("fax")),
        ("type", json!(null)),
        ("name", json!("x".repeat(201))),
        ("client_key", json!("x".repeat(101))),
        ("subject", json!("x".repeat(256))),
        ("subject", json!("two\nlines")),
        ("body", json!("x".repeat(20_001))),
        ("body", json!(7)),
        ("content_template", json!("x")),
        ("delay_days", json!(366)),
        ("delay_days", json!(-1)),
        ("delay_hours", json!(24)),
        ("delay_hours", json!(1.5)),
        ("execution_mode", json!("sometimes")),
        ("parent_step_id", json!("nobody")),
        ("branch_condition", json!("replied")),
        ("entry_conditions", json!("title=cto")),
        ("sender_ids", json!("me")),
        ("delay", json!(3)),
    ] {
        let mut more = json!({});
        more[member] = value;
        refuse(&key, &[email(json!({})), email(more)], &format!("steps.1.{member}"));
    }
    refuse(&key, &[email(json!({"sender_ids": [nobody()]}))], "steps.0.sender_ids.0").says("no connected account");
    refuse(&key, &[json!("email")], "steps.0").says("must be an object");
    refuse(&key, &[json!({})], "steps.0.type").says("required");
    assert_eq!(key.get("/sequences").page().total(), 0);
}

fn every_problem_of_every_step_is_reported_at_once(world: &World) {
    let key = world.key("automation");
    let steps = [
        json!({"type": "email", "delay_days": 400, "body": "{{ nickname }}"}),
        email(json!({"parent_step_id": "gone", "branch_condition": {"type": "replied", "after_days": 91}})),
        json!({"type": "fax", "entry_conditions": {"shoe_size": "gt.40", "limit": "3"}}),
    ];
    let body = json!({
        "name": "", "mode": "advanced", "owner_ids": [nobody()], "steps": steps,
        "schedule_config": {"timezone": "Mars/Olympus", "days": ["someday"], "pace": "fast", "daily_limit": 0},
    });
    let reported = key.post("/sequences", body).error(400, "validation_error").details();
    let fields: Vec<&str> = reported.iter().map(|(field, _)| field.as_str()).collect();
    for field in [
        "name",
        "owner_ids.0",
        "schedule_config.timezone",
        "schedule_config.days.0",
        "schedule_config.pace",
        "schedule_config.daily_limit",
        "steps.0.delay_days",
        "steps.0.body",
        "steps.0.subject",
        "steps.1.parent_step_id",
        "steps.1.branch_condition.after_days",
        "steps.1.branch_condition.type",
        "steps.2.type",
        "steps.2.entry_conditions.shoe_size",
        "steps.2.entry_conditions.limit",
    ] {
        assert!(fields.contains(&field), "{field} is not reported: {reported:?}");
    }
}

fn names_and_lists_have_bounds(world: &World) {
    let key = world.key("automation");
    let many = |n: usize| json!({"name": "x".repeat(200), "steps": vec![email(json!({})); n]});
    assert_eq!(sequence(&key, many(50))["steps_count"], 50);
    key.post("/sequences", many(51)).invalid("steps").says("from 1 to 50");
    let owners: Vec<String> = (0..51).map(|_| nobody()).collect();
    key.post("/sequences", json!({"name": "x", "owner_ids": owners})).invalid("owner_ids").says("at most 50");
    refuse(&key, &[email(json!({"sender_ids": owners}))], "steps.0.sender_ids").says("at most 50");
    let long = email(json!({"subject": "s".repeat(255), "body": "é".repeat(20_000), "client_key": "k".repeat(100)}));
    assert_eq!(sequence(&key, with(&[long]))["steps_count"], 1);
    refuse(&key, &[email(json!({"client_key": "a"})), email(json!({"client_key": "a"}))], "steps.1.client_key")
        .says("another step has it");
}

fn steps_branch_by_key_and_by_id(world: &World) {
    let key = world.key("automation");
    let made = sequence(
        &key,
        with(&[
            email(json!({"client_key": "first"})),
            step(
                "network_visit",
                json!({}),
                json!({
                    "client_key": "visit", "parent_step_id": "first",
                    "branch_condition": {"type": "not_replied", "after_days": 3},
                }),
            ),
            step("task", json!({}), json!({"parent_step_id": "first", "branch_condition": {"type": "otherwise"}})),
            step("chat", json!({}), json!({"parent_step_id": "visit"})),
        ]),
    );
    let steps = &made["steps"];
    assert_eq!(steps[1]["parent_step_id"], steps[0]["id"], "stored by its id");
    assert_eq!(steps[1]["branch_condition"], json!({"type": "not_replied", "after_days": 3}));
    assert_eq!(steps[2]["branch_condition"], json!({"type": "otherwise", "after_days": 0}));
    assert_eq!((&steps[3]["parent_step_id"], &steps[3]["branch_condition"]), (&steps[1]["id"], &json!(null)));
    let mut again = steps.clone();
    again[3]["parent_step_id"] = steps[0]["id"].clone();
    key.put(&path(&made), json!({"steps": again})).ok();
    let now = key.get(&path(&made)).ok();
    assert_eq!(now["steps"], again, "a stored step is named by its id");
}

fn a_branch_to_a_missing_step_is_refused(world: &World) {
    let key = world.key("automation");
    let of = |own: &str, parent: &str| email(json!({"client_key": own, "parent_step_id": parent}));
    refuse(&key, &[of("a", "b")], "steps.0.parent_step_id").says("no other step");
    refuse(&key, &[of("a", &nobody())], "steps.0.parent_step_id").says("no other step");
    refuse(&key, &[of("a", "a")], "steps.0.parent_step_id").says("leads back");
    let circle = refuse(&key, &[of("a", "c"), of("b", "a"), of("c", "b"), of("d", "c")], "steps.0.parent_step_id");
    assert_eq!(circle.at("steps.2.parent_step_id").details().len(), 3, "steps below a circle are not part of it");
    let simple = json!({"name": "x", "steps": [email(json!({"client_key": "a"})), of("b", "a")]});
    key.post("/sequences", simple).invalid("steps.1.parent_step_id").says("mode to advanced");
    let other = sequence(&key, with(&[email(json!({}))]));
    let foreign = text(&other["steps"][0]["id"]);
    refuse(&key, &[of("a", &foreign)], "steps.0.parent_step_id");
}

fn conditions_need_their_values(world: &World) {
    let key = world.key("automation");
    let branch = |condition: Value| {
        [email(json!({"client_key": "a"})), email(json!({"parent_step_id": "a", "branch_condition": condition}))]
    };
    for kind in [
        "not_replied",
        "invite_accepted",
        "invite_not_accepted",
        "has_email",
        "has_phone",
        "has_network_profile",
        "otherwise",
    ] {
        sequence(&key, with(&branch(json!({"type": kind, "after_days": 90}))));
    }
    for (kind, member, value) in
        [("replied", "stop_on_reply", false), ("opened", "track_opens", true), ("clicked", "track_clicks", true)]
    {
        let steps = branch(json!({"type": kind}));
        refuse(&key, &steps, "steps.1.branch_condition.type").says(&format!("schedule_config.{member} {value}"));
        let mut body = with(&steps);
        body["schedule_config"] = json!({member: value});
        sequence(&key, body);
    }
    for (condition, member) in [
        (json!({"type": "maybe"}), "type"),
        (json!({}), "type"),
        (json!({"type": "otherwise", "after_days": -1}), "after_days"),
        (json!({"type": "otherwise", "after_days": 91}), "after_days"),
        (json!({"type": "otherwise", "days": 1}), "days"),
    ] {
        refuse(&key, &branch(condition), &format!("steps.1.branch_condition.{member}"));
    }
    refuse(&key, &[email(json!({"branch_condition": {"type": "has_email"}}))], "steps.0.branch_condition")
        .says("needs a parent_step_id");
}

fn an_email_that_starts_a_thread_needs_a_subject(world: &World) {
    let key = world.key("automation");
    let answer = |more: Value| step("email", json!({"body": "And?"}), more);
    sequence(&key, json!({"name": "x", "steps": [email(json!({})), json!({"type": "call"}), answer(json!({}))]}));
    refuse(&key, &[answer(json!({})), email(json!({}))], "steps.0.subject").says("starts a thread");
    refuse(&key, &[answer(json!({"subject": " "}))], "steps.0.subject").says("starts a thread");
    refuse(&key, &[json!({"type": "call"}), answer(json!({}))], "steps.1.subject");
    let on = |parent: &str, more: Value| {
        let mut step = answer(more);
        step["parent_step_id"] = parent.into();
        step
    };
    let tree = [
        json!({"type": "network_visit", "client_key": "visit"}),
        email(json!({"client_key": "mail", "parent_step_id": "visit"})),
        on("mail", json!({"client_key": "answer"})),
        on("answer", json!({})),
    ];
    sequence(&key, with(&tree));
    refuse(&key, &[tree[0].clone(), tree[1].clone(), on("visit", json!({}))], "steps.2.subject");
    sequence(&key, with(&[email(json!({})), tree[0].clone(), on("visit", json!({}))]));
    sequence(&key, with(&[json!({"type": "network_inmail"}), json!({"type": "chat", "body": "Hi"})]));
}

fn templates_may_only_use_known_names(world: &World) {
    let key = world.key("automation");
    world.cli(["fields", "create", "--entity", "contact", "--key", "seniority", "--type", "text"]).ok();
    let body = |text: &str| [email(json!({"body": text}))];
    for text in [
        "Hi {{ first_name | default(\"there\") }} {{last_name|default('')|upper}}",
        "{{ title }} {{ current_company }} {{ location }} {{ summary }} {{ years_experience }} {{ skills | join(\", \") }}",
        "{{ custom_data.seniority }} {{ company.name }} {{ sender.name }} {{ project.name }}",
        "{{ custom_variable_1 }} {{ custom_variable_10 }} {% if title %}as {{ title }}{% else %}there{% endif %}",
        "<p>100 % {x} }}</p>",
    ] {
        sequence(&key, with(&body(text)));
    }
    for (text, why) in [
        ("Hi {{ firstname }}", "no firstname to fill in"),
        ("{{ custom_data.level }}", "no custom_data.level"),
        ("{{ company.size }}", "no company.size"),
        ("{{ custom_variable_11 }}", "no custom_variable_11"),
        ("{{ first_name | shout }}", "no filter shout"),
        ("{{ first_name", "has a syntax error in line 1"),
        ("{{ self }}", "there is no self to fill in"),
        ("{{ 1/0 }}", "divides by zero"),
        ("a\nb {{ first_name | }}", "has a syntax error in line 2"),
        ("{% for tag in tags %}{{ tag }}{% endfor %}", "does not take {% for %}"),
        ("{% set x = 'a' %}{{ x ~ x }}", "does not take {% set %}"),
        ("{% include 'x' %}", "does not take {% include %}"),
        (&"{{".repeat(5000), "names and operators in one expression"),
        (&format!("{{{{ {}1{} }}}}", "(".repeat(9000), ")".repeat(9000)), "names and operators in one expression"),
    ] {
        refuse(&key, &body(text), "steps.0.body").says(why);
    }
    refuse(&key, &[email(json!({})), email(json!({"subject": "{{ nobody }}"}))], "steps.1.subject").says("no nobody");
    world.cli(["fields", "delete", "--entity", "contact", "--key", "seniority"]).ok();
    eventually("the field is gone", PATIENCE, || {
        (key.post("/sequences", with(&body("{{ custom_data.seniority }}"))).status == 400).then_some(())
    });
}

fn entry_conditions_are_filters_of_contacts(world: &World) {
    let key = world.key("automation");
    world.cli(["fields", "create", "--entity", "contact", "--key", "level", "--type", "number"]).ok();
    let on = |conditions: Value| [email(json!({"entry_conditions": conditions}))];
    for conditions in [
        json!({}),
        json!({"title": "ilike.%cto%", "tags": "cs.{vip}", "email": "is.not_null"}),
        json!({"years_experience": ["gte.5", "lt.10"], "do_not_contact": false}),
        json!({"or": "(title.eq.CTO,location.eq.Paris)"}),
        json!({"custom_data.level": "gt.3"}),
    ] {
        assert_eq!(sequence(&key, with(&on(conditions.clone())))["steps"][0]["entry_conditions"], conditions);
    }
    for (conditions, member, why) in [
        (json!({"titel": "eq.CTO"}), "titel", "did you mean title?"),
        (json!({"title": "cs.{a}"}), "title", "does not take the operator cs"),
        (json!({"global_status": "asleep"}), "global_status", "is not one of"),
        (json!({"custom_data.size": "eq.3"}), "custom_data.size", "is not a parameter"),
        (json!({"custom_data.level": "eq.high"}), "custom_data.level", "is not a number"),
        (json!({"or": "title.eq.CTO"}), "or", "parentheses"),
        (json!({"title": {"eq": "CTO"}}), "title", "must be a filter"),
        (json!({"title": null}), "title", "must be a filter"),
        (json!({"title": []}), "title", "must be a filter"),
        (json!({"sort": "title"}), "sort", "is not a filter"),
        (json!({"limit": 3}), "limit", "is not a filter"),
    ] {
        refuse(&key, &on(conditions), &format!("steps.0.entry_conditions.{member}")).says(why);
    }
}

fn a_schedule_has_defaults_and_bounds(world: &World) {
    let key = world.key("automation");
    let schedule = |config: Value| key.post("/sequences", json!({"name": "x", "schedule_config": config}));
    for (member, value) in [
        ("timezone", json!("America/New_York")),
        ("days", json!(["sun"])),
        ("start_time", json!("17:59")),
        ("end_time", json!("24:00")),
        ("daily_limit", json!(1)),
        ("min_gap_minutes", json!(0)),
        ("skip_dates", json!(["2026-12-24", "2026-12-25"])),
    ] {
        assert_eq!(schedule(json!({member: value})).created()["schedule_config"][member], value, "{member}");
    }
    for (config, member) in [
        (json!({"timezone": "CEST+2"}), "timezone"),
        (json!({"timezone": null}), "timezone"),
        (json!({"days": []}), "days"),
        (json!({"days": ["monday"]}), "days.0"),
        (json!({"days": "mon"}), "days"),
        (json!({"start_time": "9:00"}), "start_time"),
        (json!({"start_time": "24:00", "end_time": "24:00"}), "start_time"),
        (json!({"start_time": "12:60"}), "start_time"),
        (json!({"end_time": "24:01"}), "end_time"),
        (json!({"start_time": "10:00", "end_time": "10:00"}), "end_time"),
        (json!({"start_time": "18:00"}), "end_time"),
        (json!({"count": "weeks"}), "count"),
        (json!({"use_contact_timezone": "yes"}), "use_contact_timezone"),
        (json!({"daily_limit": 0}), "daily_limit"),
        (json!({"min_gap_minutes": 1441}), "min_gap_minutes"),
        (json!({"skip_dates": ["25.12.2026"]}), "skip_dates.0"),
        (json!({"stop_on_reply": null}), "stop_on_reply"),
        (json!({"track_open": true}), "track_open"),
    ] {
        schedule(config).invalid(&format!("schedule_config.{member}"));
    }
    schedule(json!({"track_open": true})).invalid("schedule_config.track_open").says("did you mean track_opens?");
}

fn a_draft_is_changed_member_by_member(world: &World) {
    let key = world.key("automation");
    let made = sequence(&key, json!({"name": "a", "schedule_config": {"daily_limit": 5}, "steps": [email(json!({}))]}));
    let body = json!({"name": "b", "priority": "high", "schedule_config": {"days": ["mon"]}});
    let changed = key.put(&path(&made), body).ok();
    assert!(changed.get("steps").is_none(), "steps are shown on create and get");
    assert_eq!((&changed["name"], &changed["priority"]), (&json!("b"), &json!("high")));
    let config = &changed["schedule_config"];
    assert_eq!(
        (&config["days"], &config["daily_limit"]),
        (&json!(["mon"]), &json!(5)),
        "a member that is not sent changed"
    );
    let cleared = key.put(&path(&made), json!({"schedule_config": {"daily_limit": null}})).ok();
    assert_eq!(cleared["schedule_config"]["daily_limit"], json!(null));
    let whole = key.get(&path(&made)).ok();
    assert_eq!(whole["steps"], made["steps"]);
    let events = world.events();
    key.put(&path(&made), whole.clone()).ok();
    assert_eq!(key.get(&path(&made)).ok(), whole, "sent back as it is, nothing changes");
    assert_eq!(world.events(), events);
    key.put(&path(&made), json!({"status": "active"})).invalid("status").says("is draft");
    key.put(&path(&made), json!({"name": ""})).invalid("name");
    key.put(&path(&made), json!({"owner_ids": [nobody()]})).invalid("owner_ids.0");
    key.put(&path(&made), json!({"schedule_config": {"end_time": "09:00"}})).invalid("schedule_config.end_time");
    key.put(&path(&made), json!({"version": 9, "steps_count": 9, "enrollments": {"total": 9}})).ok();
    assert_eq!(key.get(&path(&made)).ok(), whole, "read-only members are ignored");
    key.put(&format!("/sequences/{}", nobody()), json!({"name": "x"})).not_found();
    key.put(&format!("/sequences/{}", nobody()), json!({"name": ""})).invalid("name");
}

fn steps_are_replaced_and_keep_their_ids(world: &World) {
    let key = world.key("automation");
    let made = sequence(&key, with(&[email(json!({"name": "a"})), json!({"type": "call"}), json!({"type": "chat"})]));
    let ids = member(&made["steps"], "id");
    let steps = json!([
        json!({"type": "task", "name": "new"}),
        email(json!({"id": ids[0], "name": "b"})),
        json!({"id": ids[2], "type": "chat", "parent_step_id": ids[0]}),
    ]);
    let changed = key.put(&path(&made), json!({"steps": steps})).ok();
    assert_eq!((&changed["steps_count"], &changed["version"]), (&json!(3), &json!(1)), "a draft stays at its version");
    assert_ne!(changed["updated_at"], made["updated_at"]);
    let now = key.get(&path(&made)).ok()["steps"].clone();
    assert_eq!(member(&now, "id")[1..], [ids[0].clone(), ids[2].clone()]);
    assert!(!ids.contains(&text(&now[0]["id"])));
    assert_eq!(now[1]["name"], "b");
    assert_eq!(now[2]["position"], 2);
    key.put(&path(&made), json!({"steps": [email(json!({"id": ids[1]}))]})).invalid("steps.0.id").says("leave it out");
    key.put(&path(&made), json!({"steps": [email(json!({"id": "x"}))]})).invalid("steps.0.id");
    let twice = json!({"steps": [email(json!({"id": ids[0]})), email(json!({"id": ids[0]}))]});
    key.put(&path(&made), twice).invalid("steps.1.id").says("another step has it");
    let dangling = json!({"steps": [email(json!({"id": ids[2], "parent_step_id": ids[0]}))]});
    key.put(&path(&made), dangling).invalid("steps.0.parent_step_id");
    key.put(&path(&made), json!({"steps": []})).invalid("steps");
    assert_eq!(key.get(&path(&made)).ok()["steps"], now, "the failed change had no effect");
}

fn a_change_is_checked_against_the_existing_steps(world: &World) {
    let key = world.key("automation");
    let branch = email(json!({"parent_step_id": "a", "branch_condition": {"type": "opened"}}));
    let mut body = with(&[email(json!({"client_key": "a"})), branch]);
    body["schedule_config"] = json!({"track_opens": true});
    let made = sequence(&key, body);
    key.put(&path(&made), json!({"mode": "simple"})).invalid("steps.1.parent_step_id");
    let untracked = json!({"schedule_config": {"track_opens": false}});
    key.put(&path(&made), untracked).invalid("steps.1.branch_condition.type").says("track_opens true");
    key.put(&path(&made), json!({"mode": "simple", "steps": [email(json!({}))]})).ok();
    let steps = json!({"steps": [email(json!({"client_key": "a"})), email(json!({"parent_step_id": "a"}))]});
    key.put(&path(&made), steps).invalid("steps.1.parent_step_id").says("advanced");
}

fn if_match_protects_a_sequence(world: &World) {
    let key = world.key("automation");
    let made = sequence(&key, with(&[email(json!({}))]));
    let read = key.get(&path(&made));
    let tag = read.header("ETag").to_owned();
    key.request("GET", &path(&made)).header("If-None-Match", &tag).try_send().expect("an answer").is(304);
    let held =
        |name: &str| key.request("PUT", &path(&made)).json(&json!({"name": name})).header("If-Match", &tag).send();
    held("first").ok();
    held("second").error(412, "precondition_failed");
    assert_eq!(key.get(&path(&made)).ok()["name"], "first");
    assert_eq!(key.get(&path(&made)).ok()["version"], 1, "the version of its steps is separate");
}

fn archiving_a_sequence_is_final(world: &World) {
    let key = world.key("automation");
    let made = sequence(&key, with(&[email(json!({}))]));
    let archived = key.delete(&path(&made)).ok();
    assert_eq!(archived["status"], "archived");
    let events = world.events();
    assert_eq!(key.delete(&path(&made)).ok(), archived, "archiving again changed something");
    assert_eq!(world.events(), events);
    key.put(&path(&made), json!({"name": "x"})).invalid("status").says("archived");
    assert_eq!(key.get(&path(&made)).ok()["steps"], made["steps"], "it can still be read");
    assert_eq!(key.list("/sequences", &[("status", "archived")]).page().total(), 1);
    key.delete(&format!("/sequences/{}", nobody())).not_found();
}

fn sequences_are_listed_filtered_and_sorted(world: &World) {
    let key = world.key("automation");
    for (name, priority, mode) in
        [("beta", "high", "simple"), ("Alpha", "normal", "advanced"), ("Ümlaut", "normal", "simple")]
    {
        sequence(&key, json!({"name": name, "priority": priority, "mode": mode}));
    }
    let alpha = key.list("/sequences", &[("name", "Alpha")]).page().rows.remove(0);
    key.delete(&path(&alpha)).ok();
    let names = |parameters: &[(&str, &str)]| key.list("/sequences", parameters).page().column("name").join(" ");
    for (name, condition, expected) in [
        ("name", "ilike.%A%", "beta Alpha Ümlaut"),
        ("name", "ilike.al%", "Alpha"),
        ("status", "draft", "beta Ümlaut"),
        ("priority", "high", "beta"),
        ("mode", "neq.simple", "Alpha"),
        ("project_id", "is.null", "beta Alpha Ümlaut"),
        ("project_id", &nobody(), ""),
        ("created_at", "gt.2020-01-01", "beta Alpha Ümlaut"),
    ] {
        assert_eq!(names(&[(name, condition), ("sort", "created_at")]), expected, "{name}={condition}");
    }
    assert_eq!(names(&[]), "Ümlaut Alpha beta");
    assert_eq!(names(&[("sort", "name")]), "Alpha beta Ümlaut");
    assert_eq!(names(&[("sort", "status")]), "beta Ümlaut Alpha", "drafts come before archived sequences");
    assert_eq!(names(&[("sort", "-status,name")]), "Alpha beta Ümlaut");
    assert_eq!(names(&[("sort", "-updated_at"), ("limit", "1")]), "Alpha");
    key.list("/sequences", &[("steps_count", "1")]).invalid("steps_count");
    key.list("/sequences", &[("sort", "priority")]).invalid("sort");
}

fn sequences_are_in_sync_and_in_the_feed(world: &World) {
    let key = world.key("automation");
    let made: Vec<Value> = ["a", "b"].iter().map(|name| sequence(&key, json!({"name": name}))).collect();
    let after = text(&made[1]["updated_at"]);
    key.put(&path(&made[0]), json!({"steps": [email(json!({"name": "First"}))]})).ok();
    assert_eq!(key.list("/sequences", &[("updated_after", &after)]).page().column("name"), ["a"]);
    assert_eq!(key.list("/sequences", &[("updated_before", &after)]).page().column("name"), ["b"]);
    let reported =
        "SELECT CAST(count(*) AS text) FROM events WHERE type = 'sequence.updated' AND changes LIKE '%\"First\"%'";
    assert_eq!(world.count(reported), 1, "the event has the new steps");
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM events WHERE type = 'sequence.created'"), 2);
}

fn sequences_belong_to_a_plan_and_have_scopes(world: &World) {
    let key = world.key("automation");
    let made = sequence(&key, json!({"name": "x"}));
    world.key("sequences:write").get(&path(&made)).error(403, "insufficient_scope").says("sequences:read");
    let reader = world.key("sequences:read");
    reader.put(&path(&made), json!({"name": "y"})).error(403, "insufficient_scope").says("sequences:write");
    reader.delete(&path(&made)).error(403, "insufficient_scope").says("sequences:write");
    world.set(&["--plan", "starter"]);
    within_a_second("the plan", || (key.get("/sequences").status == 403).then_some(()));
    key.get("/sequences").error(403, "plan_upgrade_required").says("growth");
    key.post("/sequences", json!({})).error(403, "plan_upgrade_required");
    world.set(&["--plan", "growth"]);
    within_a_second("the plan", || (key.get("/sequences").status == 200).then_some(()));
    assert_eq!(key.get(&path(&made)).ok(), made);
}

fn another_workspace_sees_nothing(world: &World) {
    let key = world.key("automation");
    let theirs = world.workspace("theirs").key("automation");
    let made = sequence(&theirs, with(&[email(json!({}))]));
    key.get(&path(&made)).not_found();
    key.put(&path(&made), json!({"name": "x"})).not_found();
    key.delete(&path(&made)).not_found();
    assert_eq!(key.get("/sequences").page().total(), 0);
    key.post("/sequences", json!({"name": "x", "owner_ids": made["owner_ids"]})).invalid("owner_ids.0");
}

fn a_large_sequence_fits(world: &World) {
    let key = world.key("automation");
    let template = json!({"html": "x".repeat(300_000)});
    let steps = vec![email(json!({"body": "y".repeat(20_000), "content_template": template})); 50];
    let made = sequence(&key, with(&steps));
    assert_eq!(key.get(&path(&made)).ok()["steps"][49]["content_template"], template);
    let huge = json!({"name": "x", "steps": [{"type": "call", "content_template": {"html": "x".repeat(16 << 20)}}]});
    key.post("/sequences", huge).error(413, "payload_too_large");
}

fn a_sequence_can_be_copied(world: &World) {
    let key = world.key("automation");
    let first = email(json!({"client_key": "a"}));
    let made = sequence(&key, with(&[first, step("call", json!({}), json!({"parent_step_id": "a"}))]));
    let mut body = made.clone();
    body["name"] = "Copy".into();
    body["steps"][0]["client_key"] = json!(null);
    let copy = sequence(&key, body);
    assert_ne!(copy["id"], made["id"]);
    let (of_copy, of_made) = (member(&copy["steps"], "id"), member(&made["steps"], "id"));
    assert!(of_copy.iter().all(|id| !of_made.contains(id)), "the copy has new steps");
    assert_eq!(text(&copy["steps"][1]["parent_step_id"]), of_copy[0]);
}
