//! Suppressions: addresses and domains that get no messages.

use serde_json::json;

use crate::support::outside::contact;
use crate::support::*;

stories![
    an_address_is_suppressed_listed_and_allowed_again,
    a_suppressed_address_gets_nothing,
    queued_messages_to_a_suppressed_address_are_not_sent,
    the_operator_manages_suppressions,
];

fn an_address_is_suppressed_listed_and_allowed_again(world: &World) {
    let key = world.key("full_access");
    let made = key.post("/suppressions", json!({"address": "Ada@Example.com"})).created();
    assert_eq!((&made["reason"], &made["domain"]), (&json!("manual"), &json!(null)));
    let again = key.post("/suppressions", json!({"address": "ada@example.com"}));
    assert_eq!((again.status, &again.ok()["id"]), (200, &made["id"]), "the existing suppression is returned");
    let domain = key.post("/suppressions", json!({"domain": "Example.org"})).created();
    assert_eq!(domain["domain"], "example.org");
    assert_eq!(key.get("/suppressions").page().total(), 2);
    assert_eq!(key.list("/suppressions", &[("address", "ilike.ada@example.com")]).page().ids(), [text(&made["id"])]);
    for wrong in [json!({}), json!({"address": "a@b.example", "domain": "b.example"})] {
        key.post("/suppressions", wrong).invalid("address").says("exactly one");
    }
    key.post("/suppressions", json!({"address": "nobody"})).invalid("address");
    key.post("/suppressions", json!({"domain": "not a host"})).invalid("domain");
    key.delete("/suppressions?address=ADA@example.com").ok();
    key.delete("/suppressions?address=ada@example.com").not_found();
    let body = key.request("DELETE", "/suppressions").json(&json!({"domain": "example.org"})).send();
    assert_eq!(body.ok(), json!({"deleted": true}));
    key.delete("/suppressions").invalid("address").says("exactly one");
    assert_eq!(key.get("/suppressions").page().total(), 0);
    let types = key.get("/events?types=suppression").page().column("type");
    assert_eq!(types, ["suppression.created", "suppression.created", "suppression.deleted", "suppression.deleted"]);
}

fn a_suppressed_address_gets_nothing(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "Ada@mail.example.org");
    let body = json!({"contact_id": ada, "channel": "email", "content": "Hi"});
    key.post("/suppressions", json!({"domain": "example.org"})).created();
    key.post("/messages", body.clone()).invalid("contact_id").says("the domain example.org is suppressed");
    key.delete("/suppressions?domain=example.org").ok();
    key.post("/suppressions", json!({"address": "ada@mail.example.org"})).created();
    key.post("/messages", body.clone()).invalid("contact_id").says("is suppressed");
    key.delete("/suppressions?address=ada@mail.example.org").ok();
    key.post("/suppressions", json!({"domain": "ample.org"})).created();
    key.post("/messages", body).created();
    eventually("the mail", PATIENCE, || (outside.sandbox.accepted() == 1).then_some(()));
}

fn queued_messages_to_a_suppressed_address_are_not_sent(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let ada = contact(&key, "Ada", "ada@example.com");
    world.stop();
    world.start_by("exec \"$@\" --no-runner");
    let body = json!({"contact_id": ada, "channel": "email", "content": "Hi"});
    let queued: Vec<String> = (0..3).map(|_| text(&key.post("/messages", body.clone()).created()["id"])).collect();
    key.post("/suppressions", json!({"address": "ada@example.com"})).created();
    assert_eq!(key.get(&format!("/messages/{}", queued[0])).ok()["status"], "queued", "nobody sends");
    world.restart();
    for id in queued {
        let message = eventually("the end of the message", PATIENCE, || {
            Some(key.get(&format!("/messages/{id}")).ok()).filter(|message| message["status"] != "queued")
        });
        assert_eq!(message["status"], "failed");
        assert_eq!(message["error"], "the address ada@example.com is suppressed");
    }
    assert_eq!(outside.sandbox.accepted(), 0);
}

fn the_operator_manages_suppressions(world: &World) {
    let key = world.key("full_access");
    world.cli(["suppressions", "add", "ada@example.com"]).ok();
    world.cli(["suppressions", "add", "example.org"]).ok();
    assert!(world.cli(["suppressions", "add", "nothing"]).refused().contains("domain: "));
    assert_eq!(key.get("/suppressions").page().total(), 2);
    let listed = world.cli(["suppressions", "list"]).ok().to_owned();
    assert!(listed.starts_with("ada@example.com\tmanual\t"), "{listed}");
    world.cli(["suppressions", "remove", "example.org"]).ok();
    assert!(world.cli(["suppressions", "remove", "example.org"]).refused().contains("does not exist"));
    assert_eq!(key.get("/suppressions").page().total(), 1);
}
