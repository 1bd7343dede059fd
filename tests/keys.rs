//! API keys: their format, their permissions, and how they end.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::*;

stories![
    a_key_is_a_prefix_thirty_random_characters_and_a_checksum,
    a_key_works_as_soon_as_it_is_made,
    requests_without_a_key_are_refused,
    a_malformed_key_is_refused,
    a_changed_key_is_refused,
    the_scheme_is_read_in_any_case,
    a_key_in_the_address_is_refused,
    a_revoked_key_stops_within_a_second,
    an_expired_key_stops,
    a_key_survives_a_restart,
    a_missing_scope_is_named,
    writing_does_not_imply_reading,
    bundles_hold_the_scopes_of_their_areas,
    bundles_and_scopes_can_be_mixed,
    a_key_can_read_its_own_properties,
    members_are_listed_for_any_key,
    a_key_is_not_stored_in_plain_text,
];

const AREAS: [(&str, &[&str]); 12] = [
    ("contacts", &["read", "write", "delete"]),
    ("companies", &["read", "write", "delete"]),
    ("deals", &["read", "write", "delete"]),
    ("notes", &["read", "write"]),
    ("tags", &["read", "write"]),
    ("tasks", &["read", "write"]),
    ("enrichment", &["read", "write"]),
    ("messages", &["read", "write"]),
    ("projects", &["read", "write"]),
    ("pipeline", &["read", "write"]),
    ("sequences", &["read", "write"]),
    ("sourcing", &["read", "write"]),
];

/// The scopes of these areas, sorted.
fn scopes_of(areas: &[&str]) -> Vec<String> {
    let mut scopes: Vec<String> = AREAS
        .iter()
        .filter(|(area, _)| areas.contains(area))
        .flat_map(|(area, verbs)| verbs.iter().map(move |verb| format!("{area}:{verb}")))
        .collect();
    scopes.sort();
    scopes
}

/// The scopes that `/me` shows for a key, sorted.
#[track_caller]
fn scopes(key: &Client) -> Vec<String> {
    let mut scopes = strings(&key.get("/me").ok()["key"]["scopes"]);
    scopes.sort();
    scopes
}

/// The id that `/me` shows for a key.
#[track_caller]
fn id(key: &Client) -> String {
    text(&key.get("/me").ok()["key"]["id"])
}

#[track_caller]
fn refused(answer: &Answer) {
    answer.error(401, "invalid_api_key");
}

fn a_key_is_a_prefix_thirty_random_characters_and_a_checksum(world: &World) {
    let first = world.key("crm");
    let second = world.key("crm");
    for key in [&first, &second] {
        let body = key.token().strip_prefix("relata_").unwrap_or_else(|| panic!("{} has another prefix", key.token()));
        assert_eq!(body.len(), 36, "{body}");
        assert!(body.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{body}");
    }
    assert_ne!(first.token(), second.token());
}

fn a_key_works_as_soon_as_it_is_made(world: &World) {
    for _ in 0..5 {
        let key = world.key("crm");
        key.get("/contacts").page();
        key.post("/contacts", json!({"first_name": "Ada"})).created();
    }
}

fn requests_without_a_key_are_refused(world: &World) {
    let stranger = world.stranger();
    refused(&stranger.get("/contacts"));
    refused(&stranger.post("/contacts", json!({"first_name": "Ada"})));
    refused(&stranger.get("/me"));
    refused(&stranger.get("/no-such-route"));
}

fn a_malformed_key_is_refused(world: &World) {
    let key = world.key("crm");
    let token = key.token();
    let bare = token.trim_start_matches("relata_");
    for header in [
        "".to_owned(),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        token.to_owned(),
        format!("Basic {token}"),
        format!("Token {token}"),
        format!("Bearer {bare}"),
        format!("Bearer other_{bare}"),
        format!("Bearer RELATA_{bare}"),
        format!("Bearer {}", &token[..token.len() - 1]),
        format!("Bearer {token}a"),
        format!("Bearer {token} {token}"),
        format!("Bearer {}", "relata_".to_owned() + &"a".repeat(10_000)),
        format!("Bearer {}", "relata_' OR '1'='1"),
    ] {
        refused(&key.request("GET", "/contacts").header("Authorization", &header).send());
    }
}

fn a_changed_key_is_refused(world: &World) {
    let key = world.key("crm");
    let token = key.token().to_owned();
    for at in "relata_".len()..token.len() {
        let letter = &token[at..=at];
        for other in ["a", "Z", "0"] {
            if other != letter {
                let changed = format!("{}{other}{}", &token[..at], &token[at + 1..]);
                refused(&world.holder(&changed).get("/contacts"));
            }
        }
    }
    key.get("/contacts").page();
}

fn the_scheme_is_read_in_any_case(world: &World) {
    let key = world.key("crm");
    for scheme in ["Bearer", "bearer", "BEARER", "bEaReR"] {
        let header = format!("{scheme} {}", key.token());
        key.request("GET", "/contacts").header("Authorization", &header).send().page();
    }
}

fn a_key_in_the_address_is_refused(world: &World) {
    let key = world.key("crm");
    let stranger = world.stranger();
    for name in ["api_key", "key", "access_token", "token", "authorization"] {
        refused(&stranger.list("/contacts", &[(name, key.token())]));
        key.list("/contacts", &[(name, key.token())]).invalid(name).hides(key.token());
    }
}

fn a_revoked_key_stops_within_a_second(world: &World) {
    let (stays, goes) = (world.key("crm"), world.key("crm"));
    goes.get("/contacts").page();
    world.cli(["keys", "revoke", &id(&goes)]).ok();
    within_a_second("the revoked key's refusal", || (goes.get("/contacts").status == 401).then_some(()));
    refused(&goes.get("/contacts"));
    refused(&goes.post("/contacts", json!({"first_name": "Ada"})));
    stays.get("/contacts").page();
    world.restart();
    refused(&goes.get("/contacts"));
    stays.get("/contacts").page();
}

fn an_expired_key_stops(world: &World) {
    let key = world.key_with("crm", &["--expires", "2999-01-01"]);
    assert_eq!(key.get("/me").ok()["key"]["expires_at"], "2999-01-01T00:00:00.000Z");
    assert_eq!(world.key("crm").get("/me").ok()["key"]["expires_at"], json!(null));

    let end = now() + Duration::from_secs(10);
    let key = world.key_with("crm", &["--expires", &format!("{end:.3}")]);
    key.get("/contacts").page();
    eventually("the key's end", PATIENCE, || {
        let refused = key.get("/contacts").status == 401;
        assert!(!refused || now() >= end - Duration::from_millis(100), "refused before its end at {end}");
        (now() >= end).then_some(())
    });
    within_a_second("the expired key's refusal", || (key.get("/contacts").status == 401).then_some(()));
    refused(&key.get("/contacts"));
}

fn a_key_survives_a_restart(world: &World) {
    let key = world.key("crm");
    let contact = key.post("/contacts", json!({"first_name": "Ada"})).created();
    world.restart();
    assert_eq!(key.get("/contacts").page().rows, std::slice::from_ref(&contact));
    world.kill9();
    world.start();
    assert_eq!(key.get("/contacts").page().rows, [contact]);
}

fn a_missing_scope_is_named(world: &World) {
    let key = world.key("tags:read");
    key.get("/tags").page();
    let path = format!("/contacts/{}", nobody());
    key.get("/contacts").error(403, "insufficient_scope").says("contacts:read");
    key.get(&path).error(403, "insufficient_scope").says("contacts:read");
    key.post("/contacts", json!({"first_name": "Ada"})).error(403, "insufficient_scope").says("contacts:write");
    key.put(&path, json!({})).error(403, "insufficient_scope").says("contacts:write");
    key.patch(&path, json!({})).error(403, "insufficient_scope").says("contacts:write");
    key.delete(&path).error(403, "insufficient_scope").says("contacts:delete");
    key.post(&format!("{path}/tags"), json!({"name": "VIP"})).error(403, "insufficient_scope").says("contacts:write");
    key.post("/tags", json!({"name": "VIP"})).error(403, "insufficient_scope").says("tags:write");
}

fn writing_does_not_imply_reading(world: &World) {
    let writer = world.key("contacts:write");
    let contact = writer.post("/contacts", json!({"first_name": "Ada"})).created();
    let path = format!("/contacts/{}", text(&contact["id"]));
    writer.put(&path, json!({"title": "CTO"})).ok();
    writer.get(&path).error(403, "insufficient_scope").says("contacts:read");
    writer.get("/contacts").error(403, "insufficient_scope").says("contacts:read");
    let remover = world.key("contacts:delete");
    remover.delete(&path).ok();
    remover.put(&path, json!({"archived_at": null})).error(403, "insufficient_scope").says("contacts:write");
}

fn bundles_hold_the_scopes_of_their_areas(world: &World) {
    let every: Vec<&str> = AREAS.iter().map(|(area, _)| *area).collect();
    assert_eq!(scopes_of(&every).len(), 27);
    assert_eq!(scopes(&world.key("full_access")), scopes_of(&every));
    let reading: Vec<String> = scopes_of(&every).into_iter().filter(|scope| scope.ends_with(":read")).collect();
    assert_eq!(scopes(&world.key("read_only")), reading);
    let crm = ["companies", "deals", "contacts", "notes", "tags"];
    assert_eq!(scopes(&world.key("crm")), scopes_of(&crm));
    let automation = ["sequences", "contacts", "pipeline", "enrichment", "tasks"];
    assert_eq!(scopes(&world.key("automation")), scopes_of(&automation));
    let sourcing = ["contacts", "projects", "pipeline", "sourcing"];
    assert_eq!(scopes(&world.key("sourcing")), scopes_of(&sourcing));
    for scope in scopes_of(&every) {
        assert_eq!(scopes(&world.key(&scope)), [scope]);
    }
}

fn bundles_and_scopes_can_be_mixed(world: &World) {
    let key = world.key_with("crm", &["--scopes", "tasks:read,contacts:read"]);
    let mut expected = scopes_of(&["companies", "deals", "contacts", "notes", "tags"]);
    expected.push("tasks:read".to_owned());
    expected.sort();
    assert_eq!(scopes(&key), expected);
}

fn a_key_can_read_its_own_properties(world: &World) {
    world.cli(["members", "add", "--email", "grace@example.com", "--name", "Grace Hopper", "--role", "admin"]).ok();
    let key = world.key_with("tags:read,contacts:write", &["--owner", "grace@example.com"]);
    let me = key.get("/me").ok();

    let token = key.token();
    assert_eq!(me["key"]["last4"], token[token.len() - 4..]);
    let prefix = text(&me["key"]["prefix"]);
    assert!(token.starts_with(&prefix) && prefix.starts_with("relata_"), "{prefix}");
    assert!(prefix.len() < 20, "{prefix} shows too much of the key");
    assert_eq!(me["key"]["expires_at"], json!(null));
    assert_eq!(me["user"]["email"], "grace@example.com");
    assert_eq!(me["user"]["role"], "admin");
    assert_eq!((&me["user"]["first_name"], &me["user"]["last_name"]), (&json!("Grace"), &json!("Hopper")));
    assert_eq!(me["workspace"]["subscription"], "active");
    assert_eq!(me["workspace"]["plan"], "scale");
    for name in ["id", "name", "slug", "timezone", "currency"] {
        assert_ne!(text(&me["workspace"][name]), "", "{name}");
    }
    assert_eq!(me["limits"]["requests_per_hour"], 2000);
    assert_eq!(me["limits"]["remaining"], 1999);
    assert!(me["limits"]["resets_at"].is_string(), "{me}");
    assert_eq!(me["credits"], json!({"sourcing": 1000, "enrichment": 1000}));
    assert_eq!(me.as_object().map(serde_json::Map::len), Some(5), "{me}");
}

fn members_are_listed_for_any_key(world: &World) {
    let key = world.key("tags:read");
    assert_eq!(key.get("/workspace/members").page().total(), 1, "a workspace starts with its owner");
    world.cli(["members", "add", "--email", "grace@example.com", "--name", "Grace Hopper"]).ok();
    let page = within_a_second("the new member", || {
        let page = key.get("/workspace/members").page();
        (page.total() == 2).then_some(page)
    });
    let mut members: Vec<(String, String)> =
        page.rows.iter().map(|row| (text(&row["role"]), text(&row["email"]))).collect();
    members.sort();
    assert_eq!(members[0], ("member".to_owned(), "grace@example.com".to_owned()));
    assert_eq!(members[1].0, "owner");
    for row in &page.rows {
        let names: Vec<&String> = row.as_object().into_iter().flatten().map(|(name, _)| name).collect();
        assert_eq!(names, ["user_id", "first_name", "last_name", "email", "role"]);
    }
    assert_eq!(page.meta["has_more"], json!(false));
}

fn a_key_is_not_stored_in_plain_text(world: &World) {
    let key = world.key("crm");
    let contact: Value = key.post("/contacts", json!({"first_name": "Findable"})).created();
    assert_eq!(contact["first_name"], "Findable");
    world.stop();
    let token = key.token();
    assert!(world.stores("Findable"), "the search itself does not work");
    assert!(!world.stores(token), "the key is stored in the database");
    assert!(!world.stores(&token["relata_".len()..token.len() - 6]), "the key's secret is stored in the database");
    assert!(!world.log().contains(token), "the key is in the log");
}
