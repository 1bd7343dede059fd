//! The API document as generators of clients read it: what they would send changes nothing that the caller did not name.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::document::Document;
use crate::support::*;

stories![
    the_document_is_safe_to_generate_from,
    the_document_is_described_in_words,
    the_document_is_served_compressed_and_cached,
    every_filter_example_works,
    the_defaults_of_paging_can_be_sent,
    mistakes_are_answered_with_the_way_out,
];

/// Calls `visit` for each schema within a value, with its place.
fn walk(value: &Value, place: &str, visit: &mut dyn FnMut(&str, &Value)) {
    match value {
        Value::Object(members) => {
            visit(place, value);
            members.iter().for_each(|(name, member)| walk(member, &format!("{place}/{name}"), visit));
        }
        Value::Array(items) => items.iter().for_each(|item| walk(item, place, visit)),
        _ => {}
    }
}

fn documents(world: &World) -> [&'static Document; 2] {
    [document::of(&world.origin()), document::of_dashboard()]
}

fn the_document_is_safe_to_generate_from(world: &World) {
    for document in documents(world) {
        let mut problems = Vec::new();
        let mut bodies = 0;
        for (path, item) in document.root["paths"].as_object().into_iter().flatten() {
            for (method, operation) in item.as_object().into_iter().flatten() {
                for (kind, content) in operation["requestBody"]["content"].as_object().into_iter().flatten() {
                    bodies += 1;
                    walk(document.resolved(&content["schema"]), "", &mut |place, schema| {
                        let is_schema = schema.get("type").is_some() || schema.get("enum").is_some();
                        for member in ["default", "readOnly"] {
                            if is_schema && schema.get(member).is_some() {
                                problems.push(format!("{method} {path} {kind}{place} has {member}"));
                            }
                        }
                    });
                }
            }
        }
        assert!(bodies > 30, "{bodies} bodies");
        walk(&document.root, "", &mut |place, schema| {
            let kinds = &schema["type"];
            let is_list = kinds == "array" || kinds.as_array().is_some_and(|kinds| kinds.contains(&json!("array")));
            if is_list && schema.get("items").is_none() {
                problems.push(format!("{place} has no items"));
            }
        });
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}

fn the_document_is_described_in_words(world: &World) {
    let document = document::of(&world.origin());
    let tags = document.root["tags"].as_array().cloned().unwrap_or_default();
    let described: BTreeSet<String> =
        tags.iter().filter(|tag| !text(&tag["description"]).is_empty()).map(|tag| text(&tag["name"])).collect();
    let mut used = BTreeSet::new();
    for operation in document.operations() {
        used.extend(strings(&operation.description["tags"]));
        assert!(!text(&operation.description["description"]).is_empty(), "{operation} has no description");
        for parameter in operation.description["parameters"].as_array().into_iter().flatten() {
            let parameter = document.resolved(parameter);
            assert!(parameter["description"].is_string(), "{operation}: {parameter} has no description");
            let kinds = &parameter["schema"]["type"];
            assert!(!kinds.is_array(), "{operation}: {parameter} can't be null");
        }
    }
    assert_eq!(described, used);
    let required = |path: &str, name: &str| {
        let operation = document.operation("GET", path);
        let parameters = operation.description["parameters"].as_array().cloned().unwrap_or_default();
        parameters.iter().any(|one| one["name"] == name && one["required"] == true)
    };
    assert!(required("/sourcing/network/locations", "q"));
    assert!(!required("/events", "after"));
}

fn the_document_is_served_compressed_and_cached(world: &World) {
    let stranger = world.stranger();
    let get = || stranger.visit("/api/v1/openapi.json");
    let plain = get().send();
    assert_eq!(plain.is(200).find_header("content-encoding"), None);
    assert!(!plain.body.contains(&b'\n'), "served with line breaks");
    let packed = get().header("Accept-Encoding", "gzip").send();
    assert_eq!(packed.is(200).header("vary"), "Accept-Encoding");
    let tag = packed.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag != plain.header("etag"), "{tag}");
    let again = get().header("Accept-Encoding", "gzip").header("If-None-Match", &tag).send();
    assert!(again.is(304).body.is_empty());
    assert_eq!(again.header("etag"), tag);
    get().header("If-None-Match", "\"other\"").send().is(200);
}

fn every_filter_example_works(world: &World) {
    let document = document::of(&world.origin());
    let key = world.key("full_access");
    let mut sent = 0;
    for operation in document.operations().into_iter().filter(|one| one.method == "GET" && !one.has_path_parameter()) {
        for parameter in operation.description["parameters"].as_array().into_iter().flatten() {
            let parameter = document.resolved(parameter);
            let values = match &parameter["example"] {
                Value::Array(values) => values.iter().map(text).collect(),
                Value::String(value) => vec![value.clone()],
                _ => continue,
            };
            let name = text(&parameter["name"]);
            let pairs: Vec<String> = values.iter().map(|value| format!("{name}={}", escaped(value))).collect();
            key.get(&format!("{}?{}", operation.path, pairs.join("&"))).is(200);
            sent += 1;
        }
    }
    assert!(sent > 140, "{sent} examples");
}

/// A value for a query.
fn escaped(value: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    value.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// Generated clients send the defaults that the document gives.
fn the_defaults_of_paging_can_be_sent(world: &World) {
    let key = world.key("crm");
    for name in ["Ada", "Ben", "Cleo"] {
        key.post("/contacts", json!({"first_name": name})).is(201);
    }
    let first = key.get("/contacts?limit=2&offset=0&cursor=&count=exact");
    assert_eq!(first.is(200).json["data"].as_array().map(Vec::len), Some(2));
    let next = text(&first.json["meta"]["next_cursor"]);
    let second = key.get(&format!("/contacts?limit=2&offset=0&cursor={next}"));
    assert_eq!(second.is(200).json["data"].as_array().map(Vec::len), Some(1));
    let refused = key.get("/contacts?offset=1&cursor=");
    refused.error(400, "validation_error");
    assert!(refused.json.to_string().contains("combined with cursor"), "{refused}");
}

/// The commonest mistakes are answered with the way out.
fn mistakes_are_answered_with_the_way_out(world: &World) {
    let key = world.key("crm");
    for (path, words) in [
        ("/contacts?page=2", "offset or cursor"),
        ("/contacts?per_page=10", "limit"),
        ("/contacts?order_by=name", "sort="),
        ("/contacts?sort=created_at:desc", "write -created_at"),
        ("/contacts?sort=created_at.asc", "write created_at"),
        ("/contacts?tags=VIP", "cs.{VIP}"),
        ("/contacts?created_at=gte.2026-01-01T00:00:00+02:00", "%2B"),
    ] {
        let refused = key.get(path);
        refused.error(400, "validation_error");
        assert!(refused.json.to_string().contains(words), "{path}: {refused}");
    }
    for (path, words) in [
        ("/api/v1/contact", "/api/v1/contacts?"),
        ("/api/v1/contacts/", "/api/v1/contacts?"),
        ("/api/v1/nonsense-of-mine", "/docs/"),
    ] {
        key.visit(path).send().error(404, "not_found").says(words);
    }
    let stranger = world.stranger();
    let whole = key.token().to_owned();
    let cut = &whole[..whole.len() - 1];
    for (headers, words) in [
        (vec![], "there is no API key"),
        (vec![("X-API-Key", whole.as_str())], "X-API-Key"),
        (vec![("Authorization", "Basic YTpi")], "Bearer"),
        (vec![("Authorization", "Bearer sk_123")], "begins with relata_"),
        (vec![("Authorization", &format!("Bearer {cut}"))], "incomplete"),
    ] {
        let request =
            headers.iter().fold(stranger.request("GET", "/contacts"), |all, (name, value)| all.header(name, value));
        request.send().error(401, "invalid_api_key").says(words);
    }
    // A long mistake has a short answer.
    let long = key.get(&format!("/contacts?sort={}", vec!["a"; 2_000].join(",")));
    long.error(400, "validation_error").says("at most 5 fields");
    assert!(long.body.len() < 10_000, "{} bytes", long.body.len());
    let twice = Wire::open(&key, "GET", "/contacts", &[("Authorization", "Bearer other")]);
    twice.answer().error(401, "invalid_api_key").says("more than once");
}
