//! `fields=`: answers show the members that the client names.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::document::Operation;
use crate::support::*;

stories![
    a_list_shows_the_named_members,
    a_record_shows_the_named_members,
    every_read_takes_fields,
    unknown_members_are_refused_with_the_known_ones,
    writes_and_files_take_no_fields,
    filters_and_paging_work_with_members_that_are_not_shown,
    included_records_are_shown_too,
    an_etag_belongs_to_the_shown_members,
];

fn names(record: &Value) -> Vec<String> {
    record.as_object().unwrap_or_else(|| panic!("not a record: {record}")).keys().cloned().collect()
}

/// The members that an operation takes in `fields`, by the document; `None` if it does not take it.
fn documented(world: &World, operation: &Operation) -> Option<Vec<String>> {
    let document = document::of(&world.origin());
    let all = operation.description["parameters"].as_array().cloned().unwrap_or_default();
    let fields = all.iter().find(|one| one["name"] == "fields")?;
    assert_eq!((&fields["in"], &fields["explode"]), (&json!("query"), &json!(false)), "{operation}");
    Some(strings(&document.resolved(&fields["schema"]["items"])["enum"]))
}

fn a_list_shows_the_named_members(world: &World) {
    let key = world.key("crm");
    let contact =
        json!({"first_name": "Ada", "last_name": "Lovelace", "title": "CTO", "tags": ["VIP"], "skills": ["SQL"]});
    let made = key.post("/contacts", contact).created();
    let list = |fields: &str| key.list("/contacts", &[("fields", fields)]).page();
    // In the order of the record, with the id, and with labels and lists as in the whole record.
    assert_eq!(names(&list("tags,title").rows[0]), ["id", "title", "tags"]);
    assert_eq!(names(&list("id").rows[0]), ["id"]);
    for field in ["tags", "skills", "created_at", "custom_data", "archived_at"] {
        let page = list(field);
        assert_eq!((&page.rows[0][field], page.total()), (&made[field], 1));
    }
    // Spaces and repeated names do no harm, and the parameter may be given twice.
    assert_eq!(names(&list(" title , title").rows[0]), ["id", "title"]);
    assert_eq!(names(&key.get("/contacts?fields=title&fields=tags").page().rows[0]), ["id", "title", "tags"]);
    assert_eq!(names(&key.list("/contacts", &[("fields", "title"), ("cursor", "")]).page().rows[0]), ["id", "title"]);
    let found = key.post("/contacts/search?fields=title", json!({"query": "Ada"})).page();
    assert_eq!((names(&found.rows[0]), found.total()), (vec!["id".into(), "title".into()], 1));
    assert_eq!(key.list("/contacts", &[("fields", "title"), ("first_name", "Ben")]).page().rows, [] as [Value; 0]);
    let tags = key.get("/tags?fields=name").page();
    assert_eq!(names(&tags.rows[0]), ["id", "name"]);
}

fn a_record_shows_the_named_members(world: &World) {
    let key = world.key("full_access");
    let company = key.post("/companies", json!({"name": "Acme"})).created();
    let contact = key.post("/contacts", json!({"first_name": "Ada", "company_id": company["id"]})).created();
    let path = format!("/contacts/{}", text(&contact["id"]));
    let shown = || key.get(&format!("{path}?fields=first_name,company_id")).ok();
    let expected = json!({"id": contact["id"], "first_name": "Ada", "company_id": company["id"]});
    // The second and third time the whole record may come from a cache.
    assert_eq!((shown(), key.get(&path).ok(), shown()), (expected.clone(), contact, expected.clone()));
    key.put(&path, json!({"first_name": "Adele"})).ok();
    assert_eq!(shown()["first_name"], "Adele");
    assert_eq!(key.get(&path).ok()["first_name"], "Adele");

    let deal = key.post("/deals", json!({"title": "Licences", "company_id": company["id"], "amount": 12.5})).created();
    let deal = key.get(&format!("/deals/{}?fields=amount,company", text(&deal["id"]))).ok();
    assert_eq!(deal["company"], json!({"id": company["id"], "name": "Acme"}));
    assert_eq!(
        (deal["amount"].to_string(), names(&deal)),
        ("12.5".into(), vec!["id".into(), "amount".into(), "company".into()])
    );
    let me = key.get("/me?fields=limits").ok();
    assert_eq!(names(&me), ["limits"]);
    let head = key.request("HEAD", &format!("{path}?fields=first_name")).send();
    assert!(head.is(200).body.is_empty());
}

/// Every operation of the document that reads records shows one documented member when it is asked for that one.
fn every_read_takes_fields(world: &World) {
    let document = document::of(&world.origin());
    let key = world.key("full_access");
    let (mut taking, mut refusing) = (0, BTreeSet::new());
    for operation in document.operations().into_iter().filter(|one| one.method == "GET") {
        let Some(members) = documented(world, &operation) else {
            refusing.insert(operation.path.clone());
            continue;
        };
        assert!(!members.is_empty(), "{operation}");
        taking += 1;
        if operation.has_path_parameter() || operation.path == "/sourcing/network/locations" {
            continue;
        }
        for member in members.iter().filter(|member| operation.path != "/pipeline-entries" || *member == "rating") {
            let answer = key.get(&format!("{}?fields={member}", operation.path));
            let data = answer.is(200).json["data"].clone();
            let records = data.as_array().cloned().unwrap_or_else(|| vec![data]);
            for record in records {
                let shown = names(&record);
                assert!(shown.iter().all(|name| name == "id" || name == member), "{operation} shows {shown:?}");
            }
        }
        key.get(&format!("{}?fields=no_such_member", operation.path)).invalid("fields").says(&members[0]);
    }
    assert!(taking > 60, "{taking} operations take fields");
    let expected = [
        "/contacts/{id}/cv/file",
        "/contacts/{id}/files/{file_id}/content",
        "/events/stream",
        "/exports/companies",
        "/exports/contacts",
        "/messages/{id}/attachments/{attachment_id}",
        "/projects/{id}/files/{file_id}/content",
    ];
    assert_eq!(refusing, expected.map(str::to_owned).into());
}

fn unknown_members_are_refused_with_the_known_ones(world: &World) {
    let key = world.key("full_access");
    for (fields, words) in [
        ("titel", "did you mean title?"),
        ("first_name,nonsense", "nonsense is not a member"),
        ("a,b,c,d,e,f,g", "a, b, c, d, e are not members"),
        ("custom_data.size", "members are shown as a whole: custom_data"),
        ("*", "it takes id, first_name"),
        ("", "names no member"),
        ("title,", "names no member"),
    ] {
        key.list("/contacts", &[("fields", fields)]).invalid("fields").says(words).says("it takes id, first_name");
    }
    let long = key.list("/contacts", &[("fields", &"x".repeat(20_000))]);
    long.invalid("fields");
    assert!(long.body.len() < 5_000, "{} bytes", long.body.len());
    // A field that is stored but never shown is no member.
    key.get("/messages?fields=account_id").invalid("fields");
    key.get("/contacts?field=title").invalid("field").says("did you mean fields?");
    key.get("/me?field=limits").invalid("field").says("it takes fields");
}

fn writes_and_files_take_no_fields(world: &World) {
    let key = world.key("crm");
    let contact = key.post("/contacts", json!({"first_name": "Ada"})).created();
    let path = format!("/contacts/{}?fields=title", text(&contact["id"]));
    key.put(&path, json!({"title": "CTO"})).invalid("fields");
    key.delete(&path).invalid("fields");
    key.post("/contacts?fields=title", json!({"first_name": "Ben"})).invalid("fields");
    key.get("/exports/contacts?fields=title").invalid("fields").says("all members");
    assert_eq!(key.get("/contacts").page().rows, [contact]);
}

fn filters_and_paging_work_with_members_that_are_not_shown(world: &World) {
    let key = world.key("crm");
    for (name, years) in [("Ada", 3), ("Ben", 1), ("Cleo", 2)] {
        key.post("/contacts", json!({"first_name": name, "years_experience": years})).created();
    }
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let parameters = [
            ("fields", "first_name"),
            ("sort", "years_experience"),
            ("years_experience", "gte.1"),
            ("limit", "2"),
            ("cursor", cursor.as_str()),
        ];
        let page = key.list("/contacts", &parameters).page();
        seen.extend(page.column("first_name"));
        match page.next() {
            Some(next) => cursor = next,
            None => break,
        }
    }
    assert_eq!(seen, ["Ben", "Cleo", "Ada"]);
}

fn included_records_are_shown_too(world: &World) {
    let key = world.key("full_access");
    let project = key.post("/projects", json!({"name": "CTO"})).created();
    let contact = key.post("/contacts", json!({"first_name": "Ada"})).created();
    let entries = format!("/projects/{}/entries", text(&project["id"]));
    key.post(&entries, json!({"contact_id": contact["id"], "rating": 4})).created();
    let shown = |query: &str| names(&key.get(&format!("/pipeline-entries?{query}")).page().rows[0]);
    assert_eq!(shown("fields=rating"), ["id", "rating"]);
    assert_eq!(shown("fields=rating&include=contact"), ["id", "rating", "contact"]);
    assert_eq!(shown("fields=rating,contact&include=contact"), ["id", "rating", "contact"]);
    key.get("/pipeline-entries?fields=rating,contact").invalid("fields").says("include=contact");
    key.get("/pipeline-entries?fields=contact&include=stage").invalid("fields").says("include=contact");
    let row = key.get(&format!("{entries}?fields=stage")).page().rows.remove(0);
    assert_eq!((names(&row), &row["stage"]["name"]), (vec!["id".into(), "stage".into()], &json!("Sourced")));
}

fn an_etag_belongs_to_the_shown_members(world: &World) {
    let key = world.key("crm");
    let path = format!("/contacts/{}", text(&key.post("/contacts", json!({"first_name": "Ada"})).created()["id"]));
    let few = format!("{path}?fields=title");
    let (whole, part) = (key.get(&path).header("ETag").to_owned(), key.get(&few).header("ETag").to_owned());
    assert_ne!(whole, part);
    let again = |path: &str, tag: &str| key.request("GET", path).header("If-None-Match", tag).send().status;
    assert_eq!([again(&few, &part), again(&few, &whole), again(&path, &whole)], [304, 200, 304]);
    key.request("PUT", &path).header("If-Match", &part).json(&json!({"title": "CTO"})).send().is(200);
    key.request("PUT", &path)
        .header("If-Match", &part)
        .json(&json!({"title": "CEO"}))
        .send()
        .error(412, "precondition_failed");
    assert_eq!(again(&few, &part), 200);
}
