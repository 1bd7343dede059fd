//! Drafts of messages: their bounds, and what removes them.

use serde_json::json;

use crate::support::outside::contact;
use crate::support::*;

stories![drafts_have_a_total_size, a_draft_has_no_version, erased_addresses_leave_the_copies_of_drafts];

fn drafts_have_a_total_size(world: &World) {
    world.set(&["--rate-limit", "1000000"]);
    let key = world.key("full_access");
    let long = "x".repeat(99_900);
    let draft = |n: usize, content: &str| {
        let person = contact(&key, "P", &format!("p{n}@example.com"));
        key.post("/message-drafts", json!({"contact_id": person, "content": content}))
    };
    for n in 0..50 {
        draft(n, &long).created();
    }
    draft(50, &long).invalid("content").says("5 million characters").says("delete one");
    // Existing drafts can still be changed and shortened.
    let first = key.get("/message-drafts").page().rows.pop().expect("a draft");
    let changed = json!({"contact_id": first["contact_id"], "content": "short"});
    assert_eq!(key.post("/message-drafts", changed).ok()["content"], "short");
    draft(51, &long).created();
}

fn a_draft_has_no_version(world: &World) {
    let key = world.key("full_access");
    let person = contact(&key, "Ada", "ada@example.com");
    let draft = key.post("/message-drafts", json!({"contact_id": person, "content": "Hello"})).created();
    let path = format!("/message-drafts/{}", text(&draft["id"]));
    let remove = || key.request("DELETE", &path).header("If-Match", "\"1-abc\"").send();
    remove().invalid("If-Match");
    assert_eq!(key.get(&path).find_header("etag"), None);
    key.delete(&path).ok();
}

fn erased_addresses_leave_the_copies_of_drafts(world: &World) {
    let key = world.key("full_access");
    let (ada, bea) = (contact(&key, "Ada", "ada@example.com"), contact(&key, "Bea", "bea@example.com"));
    let draft = json!({
        "contact_id": bea, "content": "Hello", "cc": ["Ada@example.com", "cy@example.com"], "bcc": ["ada@example.com"],
        "reply_to": "ada@example.com",
    });
    let made = key.post("/message-drafts", draft).created();
    key.delete(&format!("/contacts/{ada}?erase=true")).is(202);
    crate::erase::finished(world);
    let left = key.get(&format!("/message-drafts/{}", text(&made["id"]))).ok();
    assert_eq!((&left["cc"], &left["bcc"], &left["reply_to"]), (&json!(["cy@example.com"]), &json!([]), &json!(null)));
    assert_eq!(left["content"], "Hello");
}
