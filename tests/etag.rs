//! Versions: `ETag` says which one an answer shows, `If-None-Match` spares what the client has, `If-Match` refuses a
//! change that was made for another.

use serde_json::{Value, json};

use crate::support::*;

stories![
    a_record_tells_its_version,
    what_the_client_has_is_not_sent_again,
    a_count_or_a_name_shown_moves_the_tag_and_not_the_version,
    a_change_is_made_for_the_version_it_names,
    everything_that_changes_a_record_heeds_its_version,
    of_two_who_change_a_version_one_wins,
    what_has_no_version_refuses_one,
    the_tag_of_a_merged_record_is_the_survivors,
];

fn etag(answer: &Answer) -> String {
    answer.header("ETag").to_owned()
}

fn version(tag: &str) -> i64 {
    let inner = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
    let (version, hash) = inner.and_then(|tag| tag.split_once('-')).unwrap_or_else(|| panic!("an odd tag: {tag}"));
    assert!(!hash.is_empty() && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "an odd tag: {tag}");
    version.parse().unwrap_or_else(|_| panic!("an odd tag: {tag}"))
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

fn a_record_tells_its_version(world: &World) {
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
    assert_eq!(etag(&same), etag(&changed), "what changes nothing makes no version");
    assert_eq!(version(&etag(&key.delete(&path))), 3);

    // Every record: companies, notes, tags.
    let company = key.post("/companies", json!({"name": "Initech"}));
    company.created();
    assert_eq!(etag(&key.get(company.header("Location").trim_start_matches("/api/v1"))), etag(&company));
    let note = key.post(&format!("{path}/notes"), json!({"content": "Called."}));
    note.created();
    assert_eq!(etag(&key.get(note.header("Location").trim_start_matches("/api/v1"))), etag(&note));
    assert_eq!(version(&etag(&key.post("/tags", json!({"name": "Blue"})))), 1);

    // Lists have none, nor has what failed; nor a tag where the path names its wearer.
    assert_eq!(key.get("/contacts").find_header("ETag"), None);
    assert_eq!(key.get(&format!("/contacts/{}", nobody())).find_header("ETag"), None);
    assert_eq!(key.post(&format!("{path}/tags"), json!({"name": "Blue"})).find_header("ETag"), None);
}

fn what_the_client_has_is_not_sent_again(world: &World) {
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

    // It spares a body, never a check.
    if_none_match(&world.key("tags:read"), &path, "*").error(403, "insufficient_scope");
    if_none_match(&key, &format!("/contacts/{}", nobody()), "*").not_found();
    // And it is for reading: a change is carried out.
    let changed = key.request("PUT", &path).json(&json!({"title": "CEO"})).header("If-None-Match", "*").send();
    assert_eq!(changed.ok()["title"], "CEO");
}

fn a_count_or_a_name_shown_moves_the_tag_and_not_the_version(world: &World) {
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
    // The company itself has not changed, so what was made for it still holds.
    if_match(&key, "PUT", &path, json!({"industry": "Software"}), &before).ok();
}

fn a_change_is_made_for_the_version_it_names(world: &World) {
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
    // A weak tag fits no version; whoever sends one is told.
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

fn everything_that_changes_a_record_heeds_its_version(world: &World) {
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

fn of_two_who_change_a_version_one_wins(world: &World) {
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

fn what_has_no_version_refuses_one(world: &World) {
    let key = world.key("crm");
    if_match(&key, "POST", "/contacts", json!({"first_name": "Ada"}), "*").invalid("If-Match");
    assert_eq!(key.get("/contacts").page().total(), 0);
    // Reading takes it and does not heed it.
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
