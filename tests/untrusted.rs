//! Expensive templates and HTML: refused or reduced to their words, without delaying other requests.

use serde_json::{Value, json};
use std::time::Duration;

use crate::dashboard::owner;
use crate::enrollments::{at, contact, enrolled, started};
use crate::sequences::{path, sequence};
use crate::support::*;

stories![
    expensive_templates_are_refused,
    expensive_templates_are_refused_wherever_one_is_given,
    a_stored_template_that_is_refused_pauses_its_sequence,
    a_message_too_long_to_render_pauses_its_sequence,
    expensive_html_does_not_delay_others,
    odd_html_does_not_fill_the_log,
];

const COSTLY: &[&str] = &[
    "{{ \"a\\nb\"|indent(60000000000) }}",
    "{{ \"a\\nb\"|indent(18446744073709551615) }}",
    "{{ \"abc\"|slice(30000000) }}",
    "{{ \"abc\"|batch(30000000, \"x\") }}",
    "{{ \"%1000000000d\"|format(1) }}",
    "{{ \"a\"*100000000 }}",
];

fn email(body: &str) -> Value {
    json!({"type": "email", "subject": "Hi", "body": body})
}

/// Writes a template into the stored steps, as an earlier version would have accepted it.
fn store_template(world: &World, mark: &str, template: &str) {
    let stored = json!(template).to_string();
    let stored = stored.trim_matches('"').replace('\'', "''");
    world.change(&format!(
        "UPDATE sequence_versions SET steps = replace(steps, '{mark}', '{stored}') WHERE steps LIKE '%{mark}%'"
    ));
}

fn expensive_templates_are_refused(world: &World) {
    let (ada, outside) = (owner(world), Outside::new(""));
    outside.mailbox(world, "ada@mail.example.org", &[]);
    let ann = contact(&ada, json!({"email": "ann@example.com"}));
    for (at, template) in COSTLY.iter().enumerate() {
        let steps = json!([email("Hello"), email("Hello"), email(template)]);
        ada.post("/sequences", json!({"name": "x", "steps": steps})).invalid("steps.2.body");
        let kept = sequence(&ada, json!({"name": "x", "steps": [email("Hello"), email(&format!("MARK{at}"))]}));
        ada.put(&path(&kept), json!({"steps": steps})).invalid("steps.2.body");
        let asked = json!({"contact_id": ann["id"], "step": 2, "steps": steps});
        ada.inside("POST", &format!("{}/preview", path(&kept))).json(&asked).send().invalid("steps.2.body");
        store_template(world, &format!("MARK{at}"), template);
        let asked = json!({"contact_id": ann["id"], "step": 1});
        ada.inside("POST", &format!("{}/preview", path(&kept))).json(&asked).send().invalid("steps.1.body");
        ada.post(&format!("{}/start", path(&kept)), json!({})).invalid("steps.1.body");
    }
    let unknown = json!({"name": "x", "steps": [email("{{ first_name | uper }}")]});
    ada.post("/sequences", unknown).invalid("steps.0.body").says("there is no filter uper").says("upper");
    let deep = format!("{{{{ {}first_name }}}}", "-".repeat(10_000));
    ada.post("/sequences", json!({"name": "x", "steps": [email(&deep)]})).invalid("steps.0.body");
}

fn expensive_templates_are_refused_wherever_one_is_given(world: &World) {
    let (ada, outside) = (owner(world), Outside::new(""));
    outside.mailbox(world, "ada@mail.example.org", &[]);
    let ann = contact(&ada, json!({"email": "ann@example.com"}));
    let named = |content: &str| json!({"name": nobody(), "content": content});
    let kept = ada.post("/message-templates", named("Hello")).created();
    let kept_at = format!("/message-templates/{}", text(&kept["id"]));
    for (at, template) in COSTLY.iter().enumerate() {
        // Variants of a step.
        let step = json!({"type": "email", "variants": [
            {"subject": "Hi", "body": "Hello", "weight": 1}, {"subject": template, "body": template, "weight": 1},
        ]});
        let refused = ada.post("/sequences", json!({"name": "x", "steps": [step]}));
        refused.invalid("steps.0.variants.1.body");
        refused.invalid("steps.0.variants.1.subject");
        // Templates of messages, and what is filled in before it is sent.
        ada.post("/message-templates", named(template)).invalid("content");
        ada.patch(&kept_at, json!({"content": template})).invalid("content");
        ada.patch(&kept_at, json!({"subject": template})).invalid("subject");
        let fill = |more: Value| {
            let mut body = json!({"contact_id": ann["id"]});
            body.as_object_mut().expect("members").extend(more.as_object().cloned().unwrap_or_default());
            ada.post("/messages/preview", body)
        };
        fill(json!({"content": template})).invalid("content");
        fill(json!({"subject": template, "content": "Hello"})).invalid("subject");
        // As an earlier version would have stored it.
        let mark = format!("MARK{at}");
        let old = ada.post("/message-templates", named(&mark)).created();
        let stored = template.replace('\'', "''");
        world.change(&format!("UPDATE message_templates SET content = '{stored}' WHERE content = '{mark}'"));
        fill(json!({"template_id": old["id"]})).invalid("content");
        let sent = json!({"contact_id": ann["id"], "channel": "email", "subject": "Hi", "template_id": old["id"]});
        ada.post("/messages", sent).invalid("template_id").says("content");
        // The test of a step, and the check of steps that are not saved.
        let name = format!("TESTED{at}");
        let step = sequence(&ada, json!({"name": "x", "steps": [email(&name)]}));
        store_template(world, &name, template);
        let test = format!("{}/steps/{}/test", path(&step), text(&step["steps"][0]["id"]));
        ada.post(&test, json!({"contact_id": ann["id"]})).invalid("body");
        let steps = json!({"steps": [email(template)]});
        let checked = ada.inside("POST", &format!("{}/check", path(&step))).json(&steps).send().ok();
        assert_eq!(member(&checked["problems"], "field"), ["steps.0.body"]);
    }
    // A signature is text, and no template.
    let signed = outside.mailbox(world, "eve@mail.example.org", &["--signature", COSTLY[5]]);
    let message =
        json!({"contact_id": ann["id"], "account_id": signed, "channel": "email", "subject": "Hi", "content": "Hello"});
    assert!(text(&ada.post("/messages", message).created()["content"]).ends_with(COSTLY[5]));
    assert!(world.with_server(|server| server.exited().is_none()));
}

fn a_stored_template_that_is_refused_pauses_its_sequence(world: &World) {
    let (ada, outside) = (owner(world), Outside::new(""));
    outside.mailbox(world, "ada@mail.example.org", &[]);
    for (number, template) in COSTLY.iter().enumerate() {
        let outreach = started(&ada, json!([email(&format!("MARK{number}"))]));
        store_template(world, &format!("MARK{number}"), template);
        let ann = contact(&ada, json!({"email": format!("ann{number}@example.com")}));
        let waiting = enrolled(&ada, &outreach, &ann);
        let paused = eventually("a sequence that is paused", PATIENCE, || {
            Some(ada.get(&path(&outreach)).ok()).filter(|sequence| sequence["status"] == "paused")
        });
        let why = text(&paused["paused_reason"]);
        assert!(why.starts_with("steps.0.body: "), "{why}");
        let reported = ada.get(&format!("{}/explain", at(&waiting))).ok();
        assert_eq!(reported["blocked"], format!("the sequence is paused: {why}"));
        assert_eq!(ada.get(&at(&waiting)).ok()["status"], "active");
        // Unchanged it can't be started; after a correction it continues, with the corrected steps.
        ada.post(&format!("{}/start", path(&outreach)), json!({})).invalid("steps.0.body");
        ada.put(&path(&outreach), json!({"steps": [email("Hello")]})).ok();
        let again = ada.post(&format!("{}/start", path(&outreach)), json!({})).ok();
        assert_eq!((&again["status"], &again["paused_reason"]), (&json!("active"), &Value::Null));
        eventually("the end of the enrollment", PATIENCE, || {
            Some(ada.get(&at(&waiting)).ok()).filter(|one| one["status"] == "finished")
        });
        let bob = contact(&ada, json!({"email": format!("bob{number}@example.com")}));
        enrolled(&ada, &outreach, &bob);
        eventually("the mail", PATIENCE, || outside.to(&format!("bob{number}@example.com")).pop());
        let corrected = outside.to(&format!("ann{number}@example.com"));
        assert_eq!(corrected.len(), 1, "ann gets the corrected mail, once");
    }
}

fn a_message_too_long_to_render_pauses_its_sequence(world: &World) {
    let (ada, outside) = (owner(world), Outside::new(""));
    outside.mailbox(world, "ada@mail.example.org", &[]);
    let outreach = started(&ada, json!([email(&"{{ summary }}".repeat(1_000))]));
    let ann = contact(&ada, json!({"email": "ann@example.com", "summary": "x".repeat(1_000)}));
    enrolled(&ada, &outreach, &ann);
    let paused = eventually("a sequence that is paused", PATIENCE, || {
        Some(ada.get(&path(&outreach)).ok()).filter(|sequence| sequence["status"] == "paused")
    });
    assert_eq!(paused["paused_reason"], "steps.0.body: could have more than 200000 bytes when filled in");
    assert!(outside.to("ann@example.com").is_empty(), "nothing was sent");
}

fn expensive_html_does_not_delay_others(world: &World) {
    let (key, other, outside) = (world.key("full_access"), world.key("full_access"), Outside::new(""));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, json!({"email": "ada@example.com"}));
    let content = format!("{}Hello", "<ul><li>".repeat(12_400));
    let body = json!({"contact_id": ada["id"], "channel": "email", "subject": "Hi", "content": content});
    std::thread::scope(|threads| {
        let sent: Vec<_> = (0..3).map(|_| threads.spawn(|| key.post("/messages", body.clone()).created())).collect();
        while sent.iter().any(|message| !message.is_finished()) {
            other.post("/contacts", json!({"first_name": "Bob"})).created();
        }
        for message in sent {
            assert_eq!(message.join().expect("a message")["content"], "Hello");
        }
    });
    other.post("/contacts", json!({"first_name": "Bob"})).created();
}

fn odd_html_does_not_fill_the_log(world: &World) {
    let (key, outside) = (world.key("full_access"), Outside::new(""));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, json!({"email": "ada@example.com"}));
    let content = "<table>x".repeat(1_000);
    key.post("/messages", json!({"contact_id": ada["id"], "channel": "email", "subject": "Hi", "content": content}))
        .created();
    // Lines are written in order: the request's own comes after those of the parser.
    eventually("the line of the request", Duration::from_secs(60), || {
        world.log().contains("send_message").then_some(())
    });
    assert!(!world.log().contains("foster parenting"), "the parser's warnings are in the log");
}
