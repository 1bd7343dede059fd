//! Messages while they are written: message templates, texts that are filled in, and drafts.

use serde_json::{Value, json};

use crate::dashboard::owner;
use crate::sending::{mail, with_status};
use crate::support::outside::contact;
use crate::support::*;

stories![
    message_templates_are_made_and_used,
    private_message_templates_are_seen_by_their_owner,
    invalid_message_templates_are_refused,
    a_text_is_filled_in_without_sending_it,
    a_draft_is_kept_for_its_author_until_the_message_is_sent,
    drafts_follow_merges_and_are_erased_with_the_person,
];

fn message_templates_are_made_and_used(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &["--signature", "Ann"]);
    let ada = contact(&key, "Ada", "ada@example.com");
    let body = json!({"name": "Intro", "subject": "For {{ first_name }}", "content": "Dear {{ first_name }}, {{ title | default('hello') }} from {{ sender.name }}."});
    let made = key.post("/message-templates", body).created();
    assert_eq!(made["variables"], json!(["first_name", "sender.name", "title"]));
    assert_eq!(made["shared"], false);
    let at = format!("/message-templates/{}", text(&made["id"]));
    assert_eq!(key.get(&at).ok(), made);
    assert_eq!(key.get("/message-templates").page().rows, std::slice::from_ref(&made));
    let send = |more: Value| {
        let mut body = json!({"contact_id": ada, "channel": "email", "template_id": made["id"]});
        for (member, value) in more.as_object().into_iter().flatten() {
            body[member] = value.clone();
        }
        key.post("/messages", body)
    };
    let message = send(json!({})).created();
    assert_eq!(message["subject"], "For Ada");
    assert_eq!(message["content"], "Dear Ada, hello from Ann Sender.\n\nAnn");
    with_status(&key, &message, "sent");
    assert_eq!(send(json!({"subject": "Another"})).created()["subject"], "Another");
    send(json!({"content": "x"})).invalid("content").says("leave one of them out");
    let changed =
        key.patch(&at, json!({"content": "Dear {{ last_name }}.\n{{ sender.signature }}", "shared": true})).ok();
    assert_eq!(changed["variables"], json!(["first_name", "last_name", "sender.signature"]));
    send(json!({})).invalid("template_id").says("no value for last_name");
    key.put(&format!("/contacts/{ada}"), json!({"last_name": "Martin"})).ok();
    assert_eq!(send(json!({})).created()["content"], "Dear Martin.\nAnn", "the signature is there once");
    // A reply can use it as well.
    let thread = format!("/conversations/{}/messages", text(&message["conversation_id"]));
    assert_eq!(key.post(&thread, json!({"template_id": made["id"]})).created()["content"], "Dear Martin.\nAnn");
    key.delete(&at).ok();
    key.get(&at).not_found();
    send(json!({})).invalid("template_id").says("no message template has this id");
    key.post("/messages", json!({"contact_id": ada, "channel": "email"})).invalid("content").says("is required unless");
}

fn private_message_templates_are_seen_by_their_owner(world: &World) {
    world.cli(["members", "add", "--email", "bea@example.com", "--role", "member"]).ok();
    let (key, bea) = (world.key("full_access"), world.key_with("full_access", &["--owner", "bea@example.com"]));
    let own = key.post("/message-templates", json!({"name": "Own", "content": "x"})).created();
    let shared = key.post("/message-templates", json!({"name": "Shared", "content": "x", "shared": true})).created();
    let hers = bea.post("/message-templates", json!({"name": "Hers", "content": "x", "shared": true})).created();
    assert_eq!(bea.get("/message-templates").page().column("name"), ["Hers", "Shared"]);
    assert_eq!(key.get("/message-templates").page().column("name"), ["Hers", "Own", "Shared"]);
    let at = |template: &Value| format!("/message-templates/{}", text(&template["id"]));
    bea.get(&at(&own)).not_found();
    bea.get(&at(&shared)).ok();
    bea.put(&at(&own), json!({"name": "x"})).not_found();
    assert_eq!(bea.put(&at(&shared), json!({"name": "x"})).status, 403);
    assert_eq!(bea.delete(&at(&shared)).status, 403);
    // The owner of the workspace may change shared ones.
    key.put(&at(&hers), json!({"name": "Ours"})).ok();
    let reader = world.key("messages:read");
    reader.post("/message-templates", json!({"name": "x", "content": "x"})).error(403, "insufficient_scope");
    world.workspace("theirs").key("full_access").get(&at(&shared)).not_found();
}

fn invalid_message_templates_are_refused(world: &World) {
    let key = world.key("full_access");
    let refused = |more: Value| {
        let mut body = json!({"name": "x", "content": "x"});
        for (member, value) in more.as_object().into_iter().flatten() {
            body[member] = value.clone();
        }
        key.post("/message-templates", body)
    };
    refused(json!({"content": "{{ firstname }}"})).invalid("content").says("did you mean first_name");
    refused(json!({"subject": "{% for a in b %}"})).invalid("subject").says("does not take");
    refused(json!({"subject": "a\nb"})).invalid("subject").says("one line");
    refused(json!({"content": "{{ unsubscribe_url }}"})).invalid("content").says("for the steps of sequences alone");
    refused(json!({"content": "{{ custom_variable_1 }}"})).invalid("content").says("for the steps of sequences alone");
    refused(json!({"content": "x".repeat(20_001)})).invalid("content").says("at most 20000");
    refused(json!({"content": "{{ 'x' * 9 }}"})).invalid("content");
    refused(json!({"name": ""})).invalid("name");
    refused(json!({"owner_id": nobody(), "id": nobody()})).created();
}

fn a_text_is_filled_in_without_sending_it(world: &World) {
    world.cli(["members", "add", "--email", "bea@example.com", "--role", "member"]).ok();
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let ada = contact(&key, "Ada", "ada@example.com");
    let fill = |more: Value| {
        let mut body = json!({"contact_id": ada});
        for (member, value) in more.as_object().into_iter().flatten() {
            body[member] = value.clone();
        }
        key.post("/messages/preview", body)
    };
    // Without a mailbox the key's owner is the sender.
    let content = "{{ first_name }} {{ last_name | upper }}{% if title %}, {{ title }}{% endif %} {{ sender.email }}";
    let filled = fill(json!({"subject": "For {{ first_name }}", "content": content})).ok();
    let owner = text(&key.get("/me").ok()["user"]["email"]);
    let expected = format!("Ada {{{{ last_name | upper }}}} {owner}");
    assert_eq!(filled, json!({"subject": "For Ada", "content": expected, "missing": ["last_name"]}));
    outside.mailbox(world, "ann@example.com", &["--signature", "Kind regards"]);
    let html = fill(json!({"content": "<p>{{ sender.email }} {{ company.name }}</p>{{ sender.signature }}"})).ok();
    let expected = "<p>ann@example.com {{ company.name }}</p><p>Kind regards</p>";
    assert_eq!(html, json!({"subject": null, "content": expected, "missing": ["company.name"]}));
    let template = json!({"name": "Intro", "subject": "{{ first_name }}?", "content": "Dear {{ first_name }}"});
    let template = key.post("/message-templates", template).created();
    let filled = fill(json!({"template_id": template["id"]})).ok();
    assert_eq!(filled, json!({"subject": "Ada?", "content": "Dear Ada", "missing": []}));
    let filled = fill(json!({"template_id": template["id"], "subject": "Hello"})).ok();
    assert_eq!(filled["subject"], "Hello");
    assert_eq!(fill(json!({})).ok(), json!({"subject": null, "content": "", "missing": []}));
    fill(json!({"template_id": template["id"], "content": "x"})).invalid("content").says("leave one of them out");
    fill(json!({"content": "{{ firstname }}"})).invalid("content").says("did you mean first_name");
    fill(json!({"content": "{{ first_name"})).invalid("content").says("is missing");
    fill(json!({"subject": "{{ 9 // 0 }}"})).invalid("subject").says("divides by zero");
    fill(json!({"content": "{{ last_name }}".repeat(1_300)})).invalid("content").says("no value for last_name");
    fill(json!({"account_id": nobody()})).invalid("account_id");
    key.post("/messages/preview", json!({"contact_id": nobody(), "content": "x"})).invalid("contact_id");
    let bea = world.key_with("full_access", &["--owner", "bea@example.com"]);
    let private = json!({"contact_id": ada, "template_id": template["id"]});
    bea.post("/messages/preview", private).invalid("template_id").says("no message template has this id");
    let reader = world.key("messages:read");
    reader.post("/messages/preview", json!({"contact_id": ada})).error(403, "insufficient_scope");
    assert!(outside.to("ada@example.com").is_empty(), "nothing is sent");
    assert_eq!(key.get("/messages").page().rows.len(), 0);
}

fn a_draft_is_kept_for_its_author_until_the_message_is_sent(world: &World) {
    world.cli(["members", "add", "--email", "bea@example.com", "--role", "member"]).ok();
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let bea = world.key_with("full_access", &["--owner", "bea@example.com"]);
    outside.mailbox(world, "ann@example.com", &[]);
    let (ada, bob) = (contact(&key, "Ada", "ada@example.com"), contact(&key, "Bob", "bob@example.com"));
    let events = key.get("/events").page().rows.len();
    let body = json!({"contact_id": ada, "subject": "Coffee", "content": "Dear A", "cc": ["half an addr"]});
    let draft = key.post("/message-drafts", body).created();
    assert_eq!((&draft["content"], &draft["cc"]), (&json!("Dear A"), &json!(["half an addr"])));
    assert_eq!((&draft["channel"], &draft["conversation_id"]), (&json!("email"), &Value::Null));
    // The next one for the same place replaces it.
    let saved = key.post("/message-drafts", json!({"contact_id": ada, "content": "Dear Ada"})).ok();
    assert_eq!((&saved["id"], &saved["content"], &saved["cc"]), (&draft["id"], &json!("Dear Ada"), &json!([])));
    let other = key.post("/message-drafts", json!({"contact_id": bob, "channel": "network"})).created();
    assert_eq!(key.get("/message-drafts").page().rows, [other.clone(), saved.clone()]);
    let of_ada = key.list("/message-drafts", &[("contact_id", &ada)]).page().rows;
    assert_eq!(of_ada, std::slice::from_ref(&saved));
    let at = format!("/message-drafts/{}", text(&saved["id"]));
    assert_eq!(key.get(&at).ok(), saved);
    // Nobody else sees it, and it leaves no trace in the feed.
    assert!(bea.get("/message-drafts").page().rows.is_empty());
    bea.get(&at).not_found();
    bea.delete(&at).not_found();
    assert_eq!(key.get("/events").page().rows.len(), events);
    // It goes when the message is queued. An unknown draft is no obstacle.
    let message = key.post("/messages", mail(&ada, json!({"draft_id": saved["id"]}))).created();
    key.get(&at).not_found();
    let thread = text(&message["conversation_id"]);
    let body = json!({"contact_id": ada, "conversation_id": thread, "content": "By the way"});
    let reply = key.post("/message-drafts", body).created();
    let of_thread = key.list("/message-drafts", &[("conversation_id", &thread)]).page().rows;
    assert_eq!(of_thread, std::slice::from_ref(&reply));
    let wrong = json!({"contact_id": bob, "conversation_id": thread});
    key.post("/message-drafts", wrong).invalid("conversation_id").says("with another contact");
    let path = format!("/conversations/{thread}/messages");
    let refused = key.post(&path, json!({"content": "", "draft_id": reply["id"]}));
    refused.invalid("content");
    assert_eq!(key.get("/message-drafts").page().rows.len(), 2, "a refused message keeps its draft");
    key.post(&path, json!({"content": "By the way", "draft_id": reply["id"]})).created();
    key.post(&path, json!({"content": "And", "draft_id": reply["id"]})).created();
    assert_eq!(key.get("/message-drafts").page().column("id"), [text(&other["id"])]);
    key.delete(&format!("/message-drafts/{}", text(&other["id"]))).ok();
    key.delete(&format!("/message-drafts/{}", text(&other["id"]))).not_found();
    // What can't be a draft.
    key.post("/message-drafts", json!({"content": "x"})).invalid("contact_id");
    key.post("/message-drafts", json!({"contact_id": nobody()})).invalid("contact_id");
    key.post("/message-drafts", json!({"contact_id": ada, "conversation_id": nobody()})).invalid("conversation_id");
    key.post("/message-drafts", json!({"contact_id": ada, "content": "x".repeat(100_001)})).invalid("content");
    // A member who leaves takes the drafts along.
    bea.post("/message-drafts", json!({"contact_id": ada, "content": "x"})).created();
    let user = text(&bea.get("/me").ok()["user"]["user_id"]);
    owner(world).inside("DELETE", &format!("/members/{user}")).send().ok();
    world.cli(["members", "add", "--email", "bea@example.com", "--role", "member"]).ok();
    let bea = world.key_with("full_access", &["--owner", "bea@example.com"]);
    assert!(bea.get("/message-drafts").page().rows.is_empty());
}

fn drafts_follow_merges_and_are_erased_with_the_person(world: &World) {
    let key = world.key("full_access");
    let (ada, twin) = (contact(&key, "Ada", "ada@example.com"), contact(&key, "Ada", "ada.m@example.com"));
    let draft = key.post("/message-drafts", json!({"contact_id": twin, "content": "Dear Ada"})).created();
    key.post("/contacts/merge", json!({"into": ada, "from": [twin]})).ok();
    let found = key.list("/message-drafts", &[("contact_id", &ada)]).page().rows;
    assert_eq!((&found[0]["id"], &found[0]["contact_id"]), (&draft["id"], &json!(ada)));
    assert_eq!(key.list("/message-drafts", &[("contact_id", &twin)]).page().rows, found);
    let saved = key.post("/message-drafts", json!({"contact_id": ada, "content": "Dear Ada M"})).ok();
    assert_eq!(saved["id"], draft["id"], "it is still the same draft");
    world.cli(["check"]).ok();
    key.delete(&format!("/contacts/{ada}?erase=true")).is(202);
    assert!(key.get("/message-drafts").page().rows.is_empty());
}
