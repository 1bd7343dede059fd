//! Versions: `ETag` identifies the version of an answer, `If-None-Match` saves the transfer of a known one, `If-Match`
//! refuses a change that was made for another.

use serde_json::{Value, json};

use crate::support::*;

stories![
    a_record_has_an_etag,
    a_known_version_is_not_sent_again,
    a_shown_count_or_name_changes_the_tag_but_not_the_version,
    if_match_allows_a_change_to_one_version_only,
    every_change_of_a_record_honours_if_match,
    one_of_two_concurrent_changes_wins,
    operations_without_versions_refuse_if_match,
    the_tag_of_a_merged_record_is_the_survivors,
];

fn etag(answer: &Answer) -> String {
    answer.header("ETag").to_owned()
}

fn version(tag: &str) -> i64 {
    let inner = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
    let (version, hash) =
        inner.and_then(|tag| tag.split_once('-')).unwrap_or_else(|| panic!("an unexpected tag: {tag}"));
    assert!(!hash.is_empty() && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "an unexpected tag: {tag}");
    version.parse().unwrap_or_else(|_| panic!("an unexpected tag: {tag}"))
}

fn path_of(contact: &Value) -> String {
    format!("/contacts/{}", text(&contact["id"]))
}

#[track_caller]
fn if_none_match(key: &Client, path: &str, tags: &str) -> Answer {
    key.request("GET", path).header("If-None-Match", tags).send()
}

#[track_caller]
fn if_match(key: &Client, method: &str, path: &str, body: Value, tags: &str) -> Answer {
    let request = key.request(method, path);
    let request = if body.is_null() { request } else { request.json(&body) };
    request.header("If-Match", tags).send()
}

fn a_record_has_an_etag(world: &World) {
    let key = world.key("crm");
    let created = key.post("/contacts", json!({"first_name": "Ada", "tags": ["VIP"]}));
    let path = path_of(&created.created());
    assert_eq!(version(&etag(&created)), 1);
    let read = key.get(&path);
    assert_eq!(etag(&read), etag(&created), "the answer to a creation is what is read afterwards");
    assert_eq!(etag(&key.get(&path)), etag(&read));
    assert_eq!(etag(&key.request("HEAD", &path).send()), etag(&read));

    let changed = key.put(&path, json!({"title": "CTO"}));
    assert_eq!((changed.status, version(&etag(&changed))), (200, 2));
    assert_eq!(etag(&key.get(&path)), etag(&changed));
    let same = key.put(&path, json!({"title": "CTO"}));
    assert_eq!(etag(&same), etag(&changed), "a change without effect makes no version");
    assert_eq!(version(&etag(&key.delete(&path))), 3);

    // Other records have tags, too: companies, notes, tags.
    let company = key.post("/companies", json!({"name": "Initech"}));
    company.created();
    assert_eq!(etag(&key.get(company.header("Location").trim_start_matches("/api/v1"))), etag(&company));
    let note = key.post(&format!("{path}/notes"), json!({"content": "Called."}));
    note.created();
    assert_eq!(etag(&key.get(note.header("Location").trim_start_matches("/api/v1"))), etag(&note));
    assert_eq!(version(&etag(&key.post("/tags", json!({"name": "Blue"})))), 1);

    // Lists and errors have none; nor has a tag under the path of a contact.
    assert_eq!(key.get("/contacts").find_header("ETag"), None);
    assert_eq!(key.get(&format!("/contacts/{}", nobody())).find_header("ETag"), None);
    assert_eq!(key.post(&format!("{path}/tags"), json!({"name": "Blue"})).find_header("ETag"), None);
}

fn a_known_version_is_not_sent_again(world: &World) {
    let key = world.key("crm");
    let path = path_of(&key.post("/contacts", json!({"first_name": "Ada"})).created());
    let tag = etag(&key.get(&path));
    for had in [
        tag.clone(),
        format!("W/{tag}"),
        "*".to_owned(),
        format!("\"1-00000000\", {tag}"),
        format!("\"a,b\",W/{tag} , \"c\""),
    ] {
        let answer = if_none_match(&key, &path, &had);
        assert_eq!(etag(answer.is(304)), tag, "{had}");
        assert_eq!(answer.header("Cache-Control"), "private, no-cache");
    }
    key.request("HEAD", &path).header("If-None-Match", &tag).send().is(304);
    for other in ["\"1-00000000\"", "\"\"", "W/\"1\"", "nonsense", tag.trim_matches('"'), "\"unfinished"] {
        if_none_match(&key, &path, other).ok();
    }
    key.put(&path, json!({"title": "CTO"})).ok();
    assert_eq!(if_none_match(&key, &path, &tag).ok()["title"], "CTO");

    // It saves a body, never a permission check.
    if_none_match(&world.key("tags:read"), &path, "*").error(403, "insufficient_scope");
    if_none_match(&key, &format!("/contacts/{}", nobody()), "*").not_found();
    // It only applies to reads: a change is carried out.
    let changed = key.request("PUT", &path).json(&json!({"title": "CEO"})).header("If-None-Match", "*").send();
    assert_eq!(changed.ok()["title"], "CEO");
}

fn a_shown_count_or_name_changes_the_tag_but_not_the_version(world: &World) {
    let key = world.key("crm");
    let company = key.post("/companies", json!({"name": "Initech", "tags": ["Blue"]})).created();
    let path = format!("/companies/{}", text(&company["id"]));
    let before = etag(&key.get(&path));
    key.post("/contacts", json!({"first_name": "Ada", "company_id": company["id"]})).created();
    let counted = if_none_match(&key, &path, &before);
    assert_eq!(counted.ok()["contacts_count"], 1);
    assert_eq!(version(&etag(&counted)), version(&before));

    let tag = key.get("/tags").page().rows.remove(0);
    key.put(&format!("/tags/{}", text(&tag["id"])), json!({"name": "Green"})).ok();
    let renamed = if_none_match(&key, &path, &etag(&counted));
    assert_eq!(renamed.ok()["tags"], json!(["Green"]));
    assert_eq!(version(&etag(&renamed)), version(&before));
    // The company itself has not changed, so a tag from before is still valid for changes.
    if_match(&key, "PUT", &path, json!({"industry": "Software"}), &before).ok();
}

fn if_match_allows_a_change_to_one_version_only(world: &World) {
    let key = world.key("crm");
    let path = path_of(&key.post("/contacts", json!({"first_name": "Ada"})).created());
    let first = etag(&key.get(&path));
    let second = etag(&if_match(&key, "PUT", &path, json!({"title": "CTO"}), &first));
    let before = key.get(&path).ok();
    let failure = if_match(&key, "PUT", &path, json!({"title": "CEO"}), &first).error(412, "precondition_failed");
    failure.says("version 2").says("If-Match");
    for method in ["PUT", "PATCH"] {
        if_match(&key, method, &path, json!({"title": "CEO"}), "\"7-00000000\"").error(412, "precondition_failed");
        if_match(&key, method, &path, json!({"title": "CEO"}), "\"anything\"").error(412, "precondition_failed");
        if_match(&key, method, &path, json!({"title": "CEO"}), "\"2\"").error(412, "precondition_failed");
    }
    if_match(&key, "DELETE", &path, Value::Null, &first).error(412, "precondition_failed");
    // A weak tag matches no version, and the error says so.
    let weak = if_match(&key, "PUT", &path, json!({"title": "CEO"}), &format!("W/{second}"));
    weak.error(412, "precondition_failed").says("W/");
    for bad in ["2", "", "\"2", "2-abc", "*, \"2\""] {
        if_match(&key, "PUT", &path, json!({"title": "CEO"}), bad).invalid("If-Match").says("ETag");
    }
    assert_eq!(key.get(&path).ok(), before, "nothing was changed");

    if_match(&key, "PUT", &path, json!({"title": "CFO"}), &format!("{first}, {second}")).ok();
    if_match(&key, "PUT", &path, json!({"title": "CMO"}), "*").ok();
    assert_eq!(if_match(&key, "DELETE", &path, Value::Null, "\"4-0\"").ok()["global_status"], "archived");

    if_match(&key, "PUT", &format!("/contacts/{}", nobody()), json!({"title": "x"}), &first).not_found();
    if_match(&key, "PUT", &format!("/contacts/{}", nobody()), json!({"title": "x"}), "*").not_found();
    if_match(&key, "PUT", "/contacts/x", json!({"title": "x"}), &first).not_found();
}

fn every_change_of_a_record_honours_if_match(world: &World) {
    let key = world.key("crm");
    let path = path_of(&key.post("/contacts", json!({"first_name": "Ada", "tags": ["VIP"]})).created());
    let old = etag(&key.get(&path));
    let now = etag(&key.put(&path, json!({"title": "CTO"})));
    let below = |what: &str| format!("{path}/{what}");
    for (method, path, body) in [
        ("POST", below("tags"), json!({"name": "Blue"})),
        ("DELETE", below("tags?name=VIP"), Value::Null),
        ("POST", below("notes"), json!({"content": "Called."})),
        ("POST", below("files"), json!({"filename": "a.txt", "file_base64": "QWRh"})),
    ] {
        if_match(&key, method, &path, body, &old).error(412, "precondition_failed");
    }
    assert_eq!(etag(&key.get(&path)), now);
    assert_eq!((key.get(&below("notes")).page().total(), key.get(&below("files")).page().total()), (0, 0));
    if_match(&key, "POST", &below("files"), json!({"filename": "a.txt", "file_base64": "QWRh"}), &now).created();
    if_match(&key, "POST", &below("tags"), json!({"name": "Blue"}), &now).created();
    if_match(&key, "DELETE", &below("tags?name=VIP"), Value::Null, &now).error(412, "precondition_failed");

    let tag = key.post("/tags", json!({"name": "Red"}));
    let (path, old) = (format!("/tags/{}", text(&tag.created()["id"])), etag(&tag));
    let now = etag(&if_match(&key, "PUT", &path, json!({"name": "Green"}), &old));
    if_match(&key, "DELETE", &path, Value::Null, &old).error(412, "precondition_failed");
    if_match(&key, "DELETE", &path, Value::Null, &now).ok();
}

fn one_of_two_concurrent_changes_wins(world: &World) {
    let key = world.key("crm");
    let path = path_of(&key.post("/contacts", json!({"first_name": "Ada"})).created());
    for round in 0..5 {
        let tag = etag(&key.get(&path));
        let statuses = at_once(8, |number| {
            if_match(&key, "PUT", &path, json!({"title": format!("{round}.{number}")}), &tag).status
        });
        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
        assert_eq!(statuses.iter().filter(|status| **status == 412).count(), 7, "{statuses:?}");
        assert_eq!(version(&etag(&key.get(&path))), round + 2);
    }
}

fn operations_without_versions_refuse_if_match(world: &World) {
    let key = world.key("crm");
    if_match(&key, "POST", "/contacts", json!({"first_name": "Ada"}), "*").invalid("If-Match");
    assert_eq!(key.get("/contacts").page().total(), 0);
    // Reads accept the header and ignore it.
    let path = path_of(&key.post("/contacts", json!({"first_name": "Ada"})).created());
    if_match(&key, "GET", &path, Value::Null, "\"7-0\"").ok();
}

fn the_tag_of_a_merged_record_is_the_survivors(world: &World) {
    let key = world.key("crm");
    let [one, two] = ["Ada", "Adah"].map(|name| key.post("/contacts", json!({"first_name": name})).created());
    let merge = json!({"into": one["id"], "from": [two["id"]]});
    key.post("/contacts/merge", merge).ok();
    let tag = etag(&key.get(&path_of(&one)));
    assert_eq!(etag(&key.get(&path_of(&two))), tag);
    if_match(&key, "PUT", &path_of(&two), json!({"title": "CTO"}), &tag).ok();
    if_match(&key, "PUT", &path_of(&two), json!({"title": "CEO"}), &tag).error(412, "precondition_failed");
}
