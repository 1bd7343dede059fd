//! The preview of a step: what would be sent to a contact and when, computed by the code that sends, without writing
//! anything.

use serde_json::{Value, json};

use crate::dashboard::owner;
use crate::enrollments::{contact, enrolled, started};
use crate::sequences::{path, sequence};
use crate::support::outside::lines;
use crate::support::*;

stories![
    a_preview_says_what_is_sent,
    errors_of_a_preview_name_their_field,
    a_preview_shows_the_time_in_the_contacts_zone,
    a_preview_explains_why_nothing_would_be_sent,
    previews_of_missing_records_are_refused,
    unsaved_steps_are_checked,
    failures_of_the_template_engine_are_template_errors,
];

#[track_caller]
fn asked(person: &Client, sequence: &Value, body: &Value) -> Answer {
    person.inside("POST", &format!("{}/preview", path(sequence))).json(body).send()
}

/// The preview of a step for a contact.
#[track_caller]
fn preview(person: &Client, sequence: &Value, contact: &Value, more: Value) -> Value {
    let mut body = json!({"contact_id": contact["id"], "step": 0});
    for (member, value) in more.as_object().into_iter().flatten() {
        body[member] = value.clone();
    }
    asked(person, sequence, &body).ok()
}

fn a_preview_says_what_is_sent(world: &World) {
    let (ada, outside) = (owner(world), Outside::new(""));
    outside.mailbox(world, "ada@mail.example.org", &[]);
    let body = "Hi {{ first_name }},\n{% if title %}as {{ title }} {% endif %}at {{ company.name | default('your firm') }}.\n{{ sender.name }}";
    let steps = json!([
        {"type": "email", "subject": "Engines,  {{ first_name }}", "body": body},
        {"type": "email", "body": "<p>Still there, {{ last_name }}?</p>", "delay_days": 3},
    ]);
    let outreach = started(&ada, steps);
    let ann = contact(&ada, json!({"email": "ann@example.com", "title": "R&D lead", "current_company": "Looms"}));
    let first = preview(&ada, &outreach, &ann, json!({}));
    assert_eq!(first["subject"], "Engines, Ann");
    assert_eq!(first["text"], "Hi Ann,\nas R&D lead at Looms.\nAnn Sender");
    assert_eq!((&first["problems"], &first["blocked"], &first["answers"]), (&json!([]), &Value::Null, &json!(false)));
    let second = preview(&ada, &outreach, &ann, json!({"step": 1}));
    assert_eq!(second["html"], "<p>Still there, Example?</p>");
    assert_eq!(second["text"].as_str().map(str::trim), Some("Still there, Example?"));
    assert_eq!((&second["answers"], &second["subject"]), (&json!(true), &json!("Engines, Ann")));
    enrolled(&ada, &outreach, &ann);
    let mail = eventually("the mail", PATIENCE, || outside.to("ann@example.com").pop());
    let mail = lines(&mail);
    assert!(mail.contains("Subject: Engines, Ann\n") && mail.contains(&text(&first["text"])), "{mail}");
    // In a manual step the owner signs.
    let by_hand = json!([{"type": "email", "subject": "x", "body": "{{ sender.name }}", "execution_mode": "manual"}]);
    assert_eq!(preview(&ada, &outreach, &ann, json!({"steps": by_hand}))["text"], "Ada Byron");
}

const FILTERS: &str =
    "abs, capitalize, count, d, default, first, float, int, join, last, length, lower, round, title, trim, upper";

fn errors_of_a_preview_name_their_field(world: &World) {
    let (ada, outside) = (owner(world), Outside::new(""));
    let account = outside.mailbox(world, "ada@mail.example.org", &[]);
    let kept = json!([{"type": "email", "subject": "Kept", "body": "Kept"}]);
    let outreach = sequence(&ada, json!({"name": "Outreach", "steps": kept}));
    let ann = contact(&ada, json!({"email": "ann@example.com"}));
    let before = (world.events(), ada.get(&path(&outreach)).ok());
    let tried = |subject: Value, body: &str| {
        let steps = json!([{"type": "email", "subject": subject, "body": body}]);
        let reported = preview(&ada, &outreach, &ann, json!({"steps": steps, "sender_id": account}));
        let problems = reported["problems"].as_array().cloned().unwrap_or_default();
        problems.iter().map(|one| (text(&one["field"]), text(&one["reason"]))).collect::<Vec<_>>()
    };
    let one = |field: &str, reason: &str| vec![(field.to_owned(), reason.to_owned())];
    assert_eq!(
        tried(json!("Hi"), "{{ first_nme }}"),
        one("body", "there is no first_nme to fill in (did you mean first_name?)")
    );
    let filter = format!("there is no filter defualt (did you mean default?); there are {FILTERS}");
    assert_eq!(tried(json!("Hi"), "{{ first_name | defualt('x') }}"), one("body", &filter));
    assert_eq!(
        tried(json!("{{ first_name | shout }}"), "Hi"),
        one("subject", &format!("there is no filter shout; there are {FILTERS}"))
    );
    assert_eq!(tried(Value::Null, "Hi"), one("subject", "is needed by an email that starts a thread"));
    let missing = tried(json!("{{ title }}"), "{{ company.name }}");
    assert_eq!(missing.iter().map(|(field, _)| field.as_str()).collect::<Vec<_>>(), ["subject", "body"]);
    assert!(missing[0].1.starts_with("no value for title, and no fallback"), "{missing:?}");
    assert_eq!(tried(json!("{{ title | default('you') }}"), "Hi"), []);
    // Another step that is incomplete does not prevent the preview of this one.
    let steps =
        json!([{"type": "email", "subject": "{{ nobody }}"}, {"type": "task", "body": "Call {{ first_name }}"}]);
    let reported = preview(&ada, &outreach, &ann, json!({"steps": steps, "step": 1}));
    assert_eq!((&reported["text"], &reported["problems"]), (&json!("Call Ann"), &json!([])));
    assert_eq!((world.events(), ada.get(&path(&outreach)).ok()), before, "nothing was written");
}

fn a_preview_shows_the_time_in_the_contacts_zone(world: &World) {
    let ada = owner(world);
    let schedule = json!({"timezone": "Europe/London", "days": ["mon"], "start_time": "09:00", "end_time": "09:01", "use_contact_timezone": true});
    let steps = json!([
        {"client_key": "a", "type": "task", "body": "Call"},
        {"type": "task", "body": "Call again", "delay_days": 1},
        {"type": "task", "body": "Answer", "parent_step_id": "a", "branch_condition": {"type": "has_email", "after_days": 0}},
    ]);
    let body = json!({"name": "Outreach", "mode": "advanced", "schedule_config": schedule, "steps": steps});
    let outreach = sequence(&ada, body);
    let kenji = contact(&ada, json!({"location": "Tokyo, Japan"}));
    let reported = preview(&ada, &outreach, &kenji, json!({}));
    // Nine in the morning in Tokyo.
    assert!(
        text(&reported["send_at"]).ends_with("T00:00:00.000Z") && reported["timezone"] == "Asia/Tokyo",
        "{reported}"
    );
    assert_eq!(member(&reported["rules"], "rule"), ["schedule"]);
    let later = preview(&ada, &outreach, &kenji, json!({"step": 1}));
    let week =
        |reported: &Value| text(&reported["send_at"]).parse::<jiff::Timestamp>().expect("a time").as_second() / 604_800;
    assert_eq!(week(&later), week(&reported) + 1, "the next Monday: {later}");
    let other = preview(&ada, &outreach, &kenji, json!({"step": 2}));
    assert_eq!((&other["send_at"], &other["blocked"]), (&Value::Null, &json!("the contact would take another branch")));
    // Without a known place the telephone number decides the zone; without either, the sequence does.
    let ann = contact(&ada, json!({"email": "ann@example.com", "location": "Nowhere"}));
    let reported = preview(&ada, &outreach, &ann, json!({"step": 2}));
    assert_eq!((&reported["timezone"], &reported["blocked"]), (&json!("Europe/Paris"), &Value::Null));
    let bea = contact(&ada, json!({"phone": null}));
    assert_eq!(preview(&ada, &outreach, &bea, json!({}))["timezone"], "Europe/London");
}

fn a_preview_explains_why_nothing_would_be_sent(world: &World) {
    let ada = owner(world);
    let steps = json!([{"type": "email", "subject": "Hi", "body": "Hi"}]);
    let outreach = sequence(&ada, json!({"name": "Outreach", "steps": steps}));
    let blocked = |contact: &Value| text(&preview(&ada, &outreach, contact, json!({}))["blocked"]);
    let ann = contact(&ada, json!({"email": "ann@example.com"}));
    assert_eq!(blocked(&ann), "no connected account can send by email");
    Outside::new("").mailbox(world, "ada@mail.example.org", &["--no-test"]);
    assert!(blocked(&contact(&ada, json!({}))).contains("can't be reached by email"));
    let silent = contact(&ada, json!({"email": "silent@example.com", "do_not_contact": true}));
    assert!(blocked(&silent).contains("do_not_contact"));
}

fn previews_of_missing_records_are_refused(world: &World) {
    let ada = owner(world);
    let outreach = sequence(&ada, json!({"name": "Outreach", "steps": [{"type": "task", "body": "Call"}]}));
    let ann = contact(&ada, json!({}));
    let ask = |body: Value| asked(&ada, &outreach, &body);
    ask(json!({"step": 0})).invalid("contact_id");
    ask(json!({"contact_id": nobody(), "step": 0})).invalid("contact_id").says("no contact");
    ask(json!({"contact_id": ann["id"], "step": 1})).invalid("step").says("no step");
    ask(json!({"contact_id": ann["id"], "step": -1})).invalid("step");
    ask(json!({"contact_id": ann["id"], "step": 0, "sender_id": nobody()})).invalid("sender_id");
    ask(json!({"contact_id": ann["id"], "step": 0, "steps": [1]})).is(400);
    ask(json!({"contact_id": ann["id"], "step": 0, "steps": [{"body": "x"}]})).is(400);
    ask(json!({"contact_id": ann["id"], "step": 0, "steps": []})).is(400);
    let nowhere = json!({"id": nobody()});
    asked(&ada, &nowhere, &json!({"contact_id": ann["id"], "step": 0})).not_found();
    let theirs = world.workspace("theirs").key("full_access");
    let foreign = sequence(&theirs, json!({"name": "Theirs", "steps": [{"type": "task", "body": "x"}]}));
    asked(&ada, &foreign, &json!({"contact_id": ann["id"], "step": 0})).not_found();
    world.set(&["--plan", "starter"]);
    within_a_second("the plan", || (ask(json!({"contact_id": ann["id"], "step": 0})).status == 403).then_some(()));
}

fn unsaved_steps_are_checked(world: &World) {
    let ada = owner(world);
    let kept = json!([{"type": "call", "body": "Kept"}]);
    let outreach = sequence(&ada, json!({"name": "Outreach", "steps": kept}));
    let before = (world.events(), ada.get(&path(&outreach)).ok());
    let checked = |steps: Value| {
        ada.inside("POST", &format!("{}/check", path(&outreach))).json(&json!({ "steps": steps })).send()
    };
    assert_eq!(checked(json!([{"type": "call", "body": "Call {{ first_name }}"}])).ok()["problems"], json!([]));
    let broken = json!([
        {"type": "call", "body": "{{ first_nme }} {{ last_nme }}"},
        {"type": "email", "subject": "{{ first_name | shout }}", "body": "{% if title %}"},
    ]);
    let reported = checked(broken).ok();
    assert_eq!(
        member(&reported["problems"], "field"),
        ["steps.0.body", "steps.0.body", "steps.1.subject", "steps.1.body"]
    );
    let reasons = member(&reported["problems"], "reason");
    assert_eq!(reasons[2], format!("there is no filter shout; there are {FILTERS}"));
    checked(json!([{"type": "call", "body": "x".repeat(20_001)}])).invalid("steps.0.body");
    ada.inside("POST", &format!("{}/check", path(&outreach))).json(&json!({})).send().invalid("steps");
    ada.inside("POST", &format!("/sequences/{}/check", nobody())).json(&json!({"steps": kept})).send().not_found();
    assert_eq!((world.events(), ada.get(&path(&outreach)).ok()), before, "nothing was written");
}

fn failures_of_the_template_engine_are_template_errors(world: &World) {
    let ada = owner(world);
    let kept = json!([{"type": "task", "body": "Kept"}]);
    let outreach = sequence(&ada, json!({"name": "Outreach", "steps": kept}));
    let ann = contact(&ada, json!({"summary": "abc"}));
    let steps = |body: &str| json!([{"type": "task", "body": body}]);
    for body in ["{{ summary[0:9:-9223372036854775808] }}", "{{ summary[0:9:0-9223372036854775807-1] }}"] {
        ada.post("/sequences", json!({"name": "x", "steps": steps(body)})).invalid("steps.0.body").says("slice");
        let draft = json!({"contact_id": ann["id"], "step": 0, "steps": steps(body)});
        asked(&ada, &outreach, &draft).invalid("steps.0.body").says("slice");
    }
    // The bound is computed at render time. A build with overflow checks panics; others compute some value.
    let computed = "{{ summary[0:9:(summary | length) - 9223372036854775807 - 4] }}";
    let reported = preview(&ada, &outreach, &ann, json!({"steps": steps(computed)}));
    assert!(reported["problems"][0]["field"] == "body" || reported["text"] == "a", "{reported}");
    let log = world.log();
    // Skip the lines that are printed at the start.
    let mut lines = log.lines().skip_while(|line| !line.starts_with('{'));
    assert!(lines.all(|line| line.starts_with('{') && line.ends_with('}')), "{log}");
}
