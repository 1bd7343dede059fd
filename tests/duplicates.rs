//! Duplicates: found with reasons, merged, and separated again by undo.

use serde_json::{Value, json};

use crate::dashboard::owner;
use crate::support::*;

stories![
    large_records_are_merged_a_few_at_a_time,
    contacts_that_share_an_address_are_found_once_with_all_reasons,
    contacts_alike_in_name_and_company_are_found,
    duplicates_are_paged_by_cursor,
    companies_are_found_by_domain_and_name,
    a_merge_fills_gaps_and_joins_lists,
    a_member_can_be_chosen,
    a_status_that_would_archive_can_not_be_chosen,
    a_dry_run_changes_nothing,
    an_old_id_still_works,
    links_move_and_timelines_are_joined,
    events_of_a_merge_name_it,
    a_merge_is_undone_completely,
    an_undo_keeps_later_changes,
    cvs_and_files_move_along,
    merges_are_undone_last_first,
    a_merge_needs_the_scope_to_delete,
    invalid_merges_are_refused,
    companies_merge_with_their_contacts,
    a_company_with_hundreds_of_deals_and_projects_is_merged_and_separated,
];

#[track_caller]
fn person(key: &Client, body: Value) -> Value {
    let mut whole = json!({"first_name": "Ada"});
    for (member, value) in body.as_object().into_iter().flatten() {
        whole[member] = value.clone();
    }
    key.post("/contacts", whole).created()
}

fn path(contact: &Value) -> String {
    format!("/contacts/{}", text(&contact["id"]))
}

#[track_caller]
fn merge(key: &Client, into: &Value, from: &[&Value]) -> Value {
    let from: Vec<&Value> = from.iter().map(|record| &record["id"]).collect();
    key.post("/contacts/merge", json!({"into": into["id"], "from": from})).ok()
}

/// Score, reasons and ids of each group.
#[track_caller]
fn groups(key: &Client, path: &str) -> Vec<(f64, String, Vec<String>)> {
    let page = key.get(path).page();
    let ids = |group: &Value| member(&group["records"], "id");
    let group =
        |group: &Value| (group["score"].as_f64().unwrap_or(-1.0), strings(&group["reasons"]).join(" "), ids(group));
    page.rows.iter().map(group).collect()
}

fn ids(records: &[&Value]) -> Vec<String> {
    records.iter().map(|record| text(&record["id"])).collect()
}

fn contacts_that_share_an_address_are_found_once_with_all_reasons(world: &World) {
    let key = world.key("crm");
    let a = person(&key, json!({"emails": [{"email": "ADA@example.com"}], "phone": "+33 6 12 34 56 78"}));
    let b = person(&key, json!({"first_name": "Ada L", "email": "ada@example.com", "phone": "336-1234-5678"}));
    let c = person(&key, json!({"network_profile": "https://network.example.com/in/cleo"}));
    let d = person(&key, json!({"network_profile": "https://network.example.com/in/CLEO"}));
    person(&key, json!({"phone": "112", "email": "one@example.com"}));
    let gone = person(&key, json!({"phone": "112", "email": "ADA@EXAMPLE.com"}));
    key.delete(&path(&gone)).ok();
    assert_eq!(
        groups(&key, "/contacts/duplicates"),
        [(0.99, "email phone".to_owned(), ids(&[&a, &b])), (0.95, "network_profile".to_owned(), ids(&[&c, &d]))],
        "archived ones and short numbers are no duplicates"
    );
    world.key("companies:read").get("/contacts/duplicates").error(403, "insufficient_scope").says("contacts:read");
}

fn contacts_alike_in_name_and_company_are_found(world: &World) {
    let key = world.key("crm");
    let a = person(&key, json!({"last_name": "Lovelace", "current_company": "Acmé"}));
    let b = person(&key, json!({"first_name": "ADA", "last_name": "LOVELACE", "current_company": "acme"}));
    person(&key, json!({"last_name": "Lovelace", "current_company": "Other"}));
    person(&key, json!({"last_name": "Lovelace"}));
    person(&key, json!({"last_name": "Lovelace"}));
    let expected = vec![(0.7, "name_and_company".to_owned(), ids(&[&a, &b]))];
    eventually("the likeness is indexed", PATIENCE, || {
        (groups(&key, "/contacts/duplicates") == expected).then_some(())
    });
    key.put(&path(&b), json!({"current_company": "Else"})).ok();
    eventually("no duplicates", PATIENCE, || groups(&key, "/contacts/duplicates").is_empty().then_some(()));
}

fn duplicates_are_paged_by_cursor(world: &World) {
    let key = world.key("crm");
    for n in 0..5 {
        for _ in 0..2 {
            person(&key, json!({"email": format!("p{n}@example.com"), "phone": format!("55500{n}")}));
        }
    }
    for _ in 0..2 {
        person(&key, json!({"phone": "7777777"}));
    }
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = key.list("/contacts/duplicates", &[("limit", "2"), ("cursor", &cursor)]).page();
        assert!(page.rows.len() <= 2);
        seen.extend(page.rows.iter().map(|group| strings(&group["reasons"]).join(" ")));
        match page.next() {
            Some(next) => cursor = next,
            None => break,
        }
    }
    assert_eq!(seen, ["email phone", "email phone", "email phone", "email phone", "email phone", "phone"]);
    key.list("/contacts/duplicates", &[("cursor", "!")]).invalid("cursor");
    key.list("/contacts/duplicates", &[("limit", "0")]).invalid("limit");
    key.list("/contacts/duplicates", &[("first_name", "x")]).invalid("first_name");
}

fn companies_are_found_by_domain_and_name(world: &World) {
    let key = world.key("crm");
    let made = |body: Value| key.post("/companies", body).created();
    let a = made(json!({"name": "Acme", "domain": "acme.example.com"}));
    let b = made(json!({"name": "Acme Inc", "domain": "ACME.example.com"}));
    let c = made(json!({"name": "Globex"}));
    let d = made(json!({"name": "GLOBEX"}));
    let expected = vec![(0.9, "domain".to_owned(), ids(&[&a, &b])), (0.7, "name".to_owned(), ids(&[&c, &d]))];
    eventually("the names are known", PATIENCE, || (groups(&key, "/companies/duplicates") == expected).then_some(()));
}

fn a_merge_fills_gaps_and_joins_lists(world: &World) {
    world.run(&["fields", "create", "--entity", "contact", "--key", "nick", "--type", "text"]).ok();
    world.run(&["fields", "create", "--entity", "contact", "--key", "score", "--type", "number"]).ok();
    let key = world.key("crm");
    let a = person(
        &key,
        json!({"title": "CTO", "email": "a@example.com", "tags": ["VIP"], "skills": ["Rust"],
        "custom_data": {"nick": "A"}}),
    );
    let b = person(
        &key,
        json!({"title": "Chief", "location": "Lyon", "emails": [{"email": "A@example.com"},
        {"email": "b@example.com", "type": "personal"}], "tags": ["vip", "New"], "skills": ["rust", "Go"],
        "do_not_contact": true, "custom_data": {"nick": "B", "score": 3}}),
    );
    let c = person(&key, json!({"location": "Nice", "summary": "Long.", "phone": "123456"}));
    let events = world.events();
    let merged = merge(&key, &a, &[&b, &c]);
    assert_eq!(world.events(), events + 3, "one event for each record");
    let record = &merged["record"];
    assert_eq!(*record, key.get(&path(&a)).ok());
    assert_eq!(record["id"], a["id"]);
    assert_eq!(
        (&record["title"], &record["location"], &record["summary"]),
        (&json!("CTO"), &json!("Lyon"), &json!("Long."))
    );
    assert_eq!(member(&record["emails"], "email"), ["a@example.com", "b@example.com"]);
    assert_eq!(
        (strings(&record["tags"]), strings(&record["skills"])),
        (vec!["VIP".into(), "New".into()], vec!["Rust".into(), "Go".into()])
    );
    assert_eq!(record["custom_data"], json!({"nick": "A", "score": 3}));
    assert_eq!(record["do_not_contact"], true, "do_not_contact is kept");
    assert_eq!(key.get("/contacts").page().ids(), ids(&[&a]));
    assert_eq!(key.list("/contacts", &[("email", "b@example.com")]).page().ids(), ids(&[&a]));

    let full = person(
        &key,
        json!({"emails": (0..5).map(|n| json!({"email": format!("f{n}@example.com")})).collect::<Vec<_>>()}),
    );
    let merged = merge(&key, &full, &[&a]);
    assert_eq!(
        member(&merged["left_out"]["emails"], "email"),
        ["a@example.com", "b@example.com"],
        "values without room are reported"
    );
}

fn a_member_can_be_chosen(world: &World) {
    let key = world.key("crm");
    let a = person(&key, json!({"title": "CTO", "global_status": "new", "skills": ["Rust"]}));
    let b = person(&key, json!({"title": "Chief", "global_status": "qualified", "skills": ["Go"]}));
    let fields = json!({"title": b["id"], "global_status": b["id"], "skills": a["id"]});
    let merged = key.post("/contacts/merge", json!({"into": a["id"], "from": [b["id"]], "fields": fields})).ok();
    let record = &merged["record"];
    assert_eq!(
        (&record["title"], &record["global_status"], &record["skills"]),
        (&json!("Chief"), &json!("qualified"), &json!(["Rust"]))
    );
}

fn a_status_that_would_archive_can_not_be_chosen(world: &World) {
    let key = world.key("crm");
    let (a, b) = (person(&key, json!({})), person(&key, json!({"global_status": "archived"})));
    for (into, from) in [(&a, &b), (&b, &a)] {
        let body = json!({"into": into["id"], "from": [from["id"]], "fields": {"global_status": from["id"]}});
        key.post("/contacts/merge", body).invalid("fields.global_status").says("archived");
    }
    let merged = merge(&key, &a, &[&b]);
    assert_eq!((&merged["record"]["global_status"], &merged["record"]["archived_at"]), (&json!("new"), &json!(null)));
}

fn a_dry_run_changes_nothing(world: &World) {
    let key = world.key("crm");
    let a = person(&key, json!({"tags": ["VIP"]}));
    let b = person(&key, json!({"title": "Chief", "tags": ["New"]}));
    key.post(&format!("{}/notes", path(&b)), json!({"content": "x"})).created();
    let (events, before) = (world.events(), key.get("/contacts").page().rows);
    let dry = key.post("/contacts/merge", json!({"into": a["id"], "from": [b["id"]], "dry_run": true})).ok();
    assert_eq!((&dry["dry_run"], &dry["id"], &dry["moved"]["notes"]), (&json!(true), &json!(null), &json!(1)));
    assert_eq!((world.events(), key.get("/contacts").page().rows), (events, before));
    let merged = merge(&key, &a, &[&b]);
    for same in ["title", "tags", "emails", "custom_data"] {
        assert_eq!(dry["record"][same], merged["record"][same], "{same}");
    }
}

fn an_old_id_still_works(world: &World) {
    let key = world.key("crm");
    let (a, b, c) = (person(&key, json!({})), person(&key, json!({})), person(&key, json!({})));
    merge(&key, &b, &[&c]);
    merge(&key, &a, &[&b]);
    for old in [&b, &c] {
        assert_eq!(key.get(&path(old)).ok()["id"], a["id"]);
        assert_eq!(key.put(&path(old), json!({"title": text(&old["id"])})).ok()["title"], old["id"]);
        key.post(&format!("{}/notes", path(old)), json!({"content": "x"})).created();
        key.post(&format!("{}/tags", path(old)), json!({"name": "VIP"}));
    }
    assert_eq!(key.get(&format!("{}/notes", path(&c))).page().total(), 2);
    assert_eq!(key.get("/contacts").page().total(), 1);
    key.get(&format!("/contacts/{}", nobody())).not_found();
    let theirs = world.workspace("beta").key("crm");
    theirs.get(&path(&b)).not_found();
    // An old id works only for its own kind of record.
    let (into, from) = (person(&key, json!({})), person(&key, json!({})));
    merge(&key, &into, &[&from]);
    let id = text(&from["id"]);
    key.get(&format!("/contacts/{id}/notes")).page();
    key.get(&format!("/companies/{id}/notes")).not_found();
    key.get(&format!("/companies/{id}/contacts")).not_found();
}

fn links_move_and_timelines_are_joined(world: &World) {
    let key = world.key("crm");
    let (a, b) = (person(&key, json!({})), person(&key, json!({})));
    let note = key.post(&format!("{}/notes", path(&b)), json!({"content": "x"})).created();
    let merged = merge(&key, &a, &[&b]);
    assert_eq!(merged["moved"]["notes"], 1);
    let notes = key.get(&format!("{}/notes", path(&a))).page();
    assert_eq!((notes.ids(), notes.total(), &notes.rows[0]["contact_id"]), (ids(&[&note]), 1, &a["id"]));
    let timeline = key.get(&format!("{}/timeline", path(&a))).page().column("type");
    assert_eq!(timeline, ["contact.merged", "note.created", "contact.created", "contact.created"]);
    assert_eq!(key.get(&format!("{}/timeline", path(&b))).page().column("type"), timeline);
}

/// So that a merge can be undone from the record, long after its response.
fn events_of_a_merge_name_it(world: &World) {
    let ada = owner(world);
    let (a, b) = (person(&ada, json!({})), person(&ada, json!({"first_name": "Eva", "last_name": "Twin"})));
    let merged = merge(&ada, &a, &[&b]);
    let id = text(&merged["id"]);
    let newest = || ada.list(&format!("{}/timeline", path(&a)), &[("limit", "1")]).page().rows.remove(0);
    let event = newest();
    assert_eq!((&event["type"], &event["changes"]["merge_id"]), (&json!("contact.merged"), &json!([null, id])));
    let reported = || ada.inside("GET", &format!("/merges/{id}")).send().ok();
    let before = reported();
    assert_eq!(before["from"], json!([{"id": b["id"], "name": "Eva Twin"}]));
    assert_eq!((&before["into"], &before["is_undone"]), (&a["id"], &json!(false)));
    assert_eq!(before["collection"], "contacts");
    let at = |member: &str| text(&before[member]).parse::<jiff::Timestamp>().expect("a time").as_second();
    assert_eq!(at("undo_until") - at("created_at"), 30 * 86_400);
    ada.post(&format!("/contacts/merge/{id}/undo"), json!({})).ok();
    let event = newest();
    assert_eq!((&event["type"], &event["changes"]["merge_id"]), (&json!("contact.unmerged"), &json!([id, null])));
    assert_eq!(reported()["is_undone"], true);
    ada.inside("GET", &format!("/merges/{}", nobody())).send().not_found();
    // The same for companies.
    let (c, d) = (json!({"name": "Looms"}), json!({"name": "Looms Ltd"}));
    let (c, d) = (ada.post("/companies", c).created(), ada.post("/companies", d).created());
    let merged = ada.post("/companies/merge", json!({"into": c["id"], "from": [d["id"]]})).ok();
    let reported = ada.inside("GET", &format!("/merges/{}", text(&merged["id"]))).send().ok();
    assert_eq!((&reported["collection"], &reported["from"][0]["name"]), (&json!("companies"), &json!("Looms Ltd")));
}

fn a_merge_is_undone_completely(world: &World) {
    let key = world.key("crm");
    let a = person(&key, json!({"email": "a@example.com"}));
    let b = person(&key, json!({"title": "Chief", "emails": [{"email": "b@example.com"}], "tags": ["New"]}));
    let note = key.post(&format!("{}/notes", path(&b)), json!({"content": "x"})).created();
    let merged = merge(&key, &a, &[&b]);
    let undo = format!("/contacts/merge/{}/undo", text(&merged["id"]));
    let back = key.request("POST", &undo).send().ok();
    let without_stamp = |record: &Value| {
        let mut record = record.clone();
        record["updated_at"] = json!(null);
        record
    };
    assert_eq!(without_stamp(&back), without_stamp(&a));
    assert_eq!(without_stamp(&key.get(&path(&b)).ok()), without_stamp(&b));
    assert_eq!(key.get(&format!("{}/notes", path(&b))).page().ids(), ids(&[&note]));
    assert_eq!(key.get(&format!("{}/notes", path(&a))).page().total(), 0);
    assert_eq!(key.list("/contacts", &[("email", "b@example.com")]).page().ids(), ids(&[&b]));
    assert_eq!(key.list("/contacts", &[("tags", "cs.{New}")]).page().ids(), ids(&[&b]));
    assert_eq!(key.get("/contacts").page().total(), 2);
    key.request("POST", &undo).send().invalid("id").says("undone already");
    key.request("POST", &format!("/contacts/merge/{}/undo", nobody())).send().not_found();
    key.request("POST", &format!("/companies/merge/{}/undo", text(&merged["id"]))).send().not_found();
}

fn an_undo_keeps_later_changes(world: &World) {
    let key = world.key("crm");
    let a = person(&key, json!({}));
    let b = person(&key, json!({"title": "Chief", "location": "Lyon"}));
    let merged = merge(&key, &a, &[&b]);
    key.put(&path(&a), json!({"title": "Founder"})).ok();
    let back = key.request("POST", &format!("/contacts/merge/{}/undo", text(&merged["id"]))).send().ok();
    assert_eq!((&back["title"], &back["location"]), (&json!("Founder"), &json!(null)));
    assert_eq!(key.get(&path(&b)).ok()["title"], "Chief");
}

fn cvs_and_files_move_along(world: &World) {
    let key = world.key("crm");
    let (a, b, c) = (person(&key, json!({})), person(&key, json!({})), person(&key, json!({})));
    for (record, words) in [(&b, "welding in Lyon"), (&c, "painting in Nice")] {
        key.upload(&format!("{}/cv", path(record)), "cv.txt", words.as_bytes()).created();
    }
    key.post(&format!("{}/files", path(&b)), json!({"filename": "a.txt", "file_base64": "QWRh"})).created();
    let merged = merge(&key, &a, &[&b, &c]);
    assert_eq!(key.get(&format!("{}/cv", path(&a))).ok()["contact_id"], a["id"]);
    assert_eq!(key.get(&format!("{}/files", path(&a))).page().total(), 2, "a second CV becomes a file");
    let found = |words: &str| key.list("/contacts", &[("search", words)]).page().ids();
    eventually("the text is the survivor's", PATIENCE, || (found("welding lyon") == ids(&[&a])).then_some(()));
    key.request("POST", &format!("/contacts/merge/{}/undo", text(&merged["id"]))).send().ok();
    for (record, words) in [(&b, "welding"), (&c, "painting")] {
        assert_eq!(key.get(&format!("{}/cv", path(record))).ok()["contact_id"], record["id"]);
        eventually("the text is its own again", PATIENCE, || (found(words) == ids(&[record])).then_some(()));
    }
    key.get(&format!("{}/cv", path(&a))).not_found();
    assert_eq!(key.get(&format!("{}/files", path(&b))).page().total(), 1);
}

fn merges_are_undone_last_first(world: &World) {
    let key = world.key("crm");
    let (a, b, c) = (person(&key, json!({})), person(&key, json!({})), person(&key, json!({})));
    let first = merge(&key, &b, &[&c]);
    let second = merge(&key, &a, &[&b]);
    let undo = |merge: &Value| key.request("POST", &format!("/contacts/merge/{}/undo", text(&merge["id"]))).send();
    undo(&first).invalid("id").says(&text(&second["id"]));
    undo(&second).ok();
    undo(&first).ok();
    assert_eq!(key.get("/contacts").page().total(), 3);
}

fn a_merge_needs_the_scope_to_delete(world: &World) {
    let key = world.key("crm");
    let (a, b) = (person(&key, json!({})), person(&key, json!({})));
    let writer = world.key("contacts:read,contacts:write");
    let body = json!({"into": a["id"], "from": [b["id"]]});
    writer.post("/contacts/merge", body.clone()).error(403, "insufficient_scope").says("contacts:delete");
    world.key("contacts:delete").post("/contacts/merge", body).error(403, "insufficient_scope").says("contacts:write");
}

fn invalid_merges_are_refused(world: &World) {
    let key = world.key("crm");
    let (a, b) = (person(&key, json!({})), person(&key, json!({})));
    let (a, b) = (&a["id"], &b["id"]);
    for (body, field) in [
        (json!({"from": [b]}), "into"),
        (json!({"into": a}), "from"),
        (json!({"into": a, "from": []}), "from"),
        (json!({"into": a, "from": [a]}), "from.0"),
        (json!({"into": a, "from": [nobody()]}), "from.0"),
        (json!({"into": nobody(), "from": [b]}), "into"),
        (json!({"into": a, "from": ["x"]}), "from.0"),
        (json!({"into": a, "from": [b], "fields": {"id": b}}), "fields.id"),
        (json!({"into": a, "from": [b], "fields": {"title": nobody()}}), "fields.title"),
        (json!({"into": a, "from": [b], "fields": {"title": 5}}), "fields.title"),
        (json!({"into": a, "from": [b], "dry": true}), "dry"),
    ] {
        key.post("/contacts/merge", body).invalid(field);
    }
    assert_eq!(key.get("/contacts").page().total(), 2);
}

fn companies_merge_with_their_contacts(world: &World) {
    let key = world.key("crm");
    let company = |name: &str| key.post("/companies", json!({"name": name})).created();
    let (a, b) = (company("Acme"), company("Acme Inc"));
    let at = |record: &Value| format!("/companies/{}", text(&record["id"]));
    let (x, y) = (person(&key, json!({"company_id": a["id"]})), person(&key, json!({"company_id": b["id"]})));
    let merged = key.post("/companies/merge", json!({"into": a["id"], "from": [b["id"]]})).ok();
    assert_eq!((&merged["moved"]["contacts"], &merged["record"]["contacts_count"]), (&json!(1), &json!(2)));
    for old in [&a, &b] {
        assert_eq!(
            key.list("/contacts", &[("company_id", &text(&old["id"])), ("sort", "created_at")]).page().ids(),
            ids(&[&x, &y])
        );
        assert_eq!(key.list(&format!("{}/contacts", at(old)), &[]).page().total(), 2);
    }
    assert_eq!(person(&key, json!({"company_id": b["id"]}))["company_id"], a["id"], "in a body, too");
    key.request("POST", &format!("/companies/merge/{}/undo", text(&merged["id"]))).send().ok();
    assert_eq!(key.get(&format!("{}/contacts", at(&b))).page().ids(), ids(&[&y]));
    assert_eq!(
        (&key.get(&at(&a)).ok()["contacts_count"], &key.get(&at(&b)).ok()["contacts_count"]),
        (&json!(2), &json!(1))
    );
}

fn a_company_with_hundreds_of_deals_and_projects_is_merged_and_separated(world: &World) {
    let key = world.key("full_access");
    let company = |name: &str| text(&key.post("/companies", json!({"name": name})).created()["id"]);
    let (a, b) = (company("Acme"), company("Acme Inc"));
    let deal = |n: usize| json!({"op": "create", "data": {"title": format!("Deal {n}"), "company_id": b}});
    let deals: Vec<Value> = (0..430).map(deal).collect();
    key.post("/deals/bulk", json!({ "items": deals })).ok();
    key.post("/deals", json!({"title": "Own", "company_id": a})).created();
    for n in 0..205 {
        key.post("/projects", json!({"name": format!("Project {n}"), "client_company_id": b})).created();
    }
    let have = |id: &str| {
        let total = |what: &str| key.get(&format!("/companies/{id}/{what}?limit=1")).page().total();
        (total("deals"), total("projects"))
    };
    assert_eq!((have(&a), have(&b)), ((1, 0), (430, 205)));

    let merged = key.post("/companies/merge", json!({"into": a, "from": [b]})).ok();
    assert_eq!((&merged["moved"]["deals"], &merged["moved"]["projects"]), (&json!(430), &json!(205)));

    // They are listed there at once; counts follow in the background.
    assert_eq!(have(&a), (431, 205));
    let counted = |id: &str| key.get(&format!("/companies/{id}")).ok()["deals_count"].clone();
    eventually("all of them", PATIENCE, || (counted(&a) == 431).then_some(()));
    let moved = || world.count("SELECT CAST(count(*) AS text) FROM jobs WHERE kind = 'merge.move'") == 0;
    eventually("the end of the move", PATIENCE, || moved().then_some(()));
    assert_eq!(key.list("/deals", &[("company_id", &b), ("limit", "1")]).page().total(), 431, "by the old id, too");

    key.request("POST", &format!("/companies/merge/{}/undo", text(&merged["id"]))).send().ok();
    eventually("all of them back", PATIENCE, || (have(&b) == (430, 205)).then_some(()));
    assert_eq!(have(&a), (1, 0));
    assert_eq!((counted(&a), counted(&b)), (json!(1), json!(430)));
}

fn large_records_are_merged_a_few_at_a_time(world: &World) {
    let key = world.key("crm");
    let large = |n: usize| {
        let skills: Vec<String> = (0..100).map(|at| format!("{n} {at} {}", "ü".repeat(90))).collect();
        let body = json!({"first_name": "Ada", "summary": "€".repeat(10_000), "skills": skills, "languages": skills});
        text(&key.post("/contacts", body).created()["id"])
    };
    let into = large(0);
    let mut from: Vec<String> = (1..=20).map(large).collect();
    for dry_run in [true, false] {
        let refused = key.post("/contacts/merge", json!({"into": into, "from": from, "dry_run": dry_run}));
        refused.invalid("from").says("at most 800000 are merged at once");
    }
    // All of them, some at a time.
    while !from.is_empty() {
        let some: Vec<String> = from.drain(..from.len().min(5)).collect();
        let merged = key.post("/contacts/merge", json!({"into": into, "from": some})).ok();
        assert_eq!(merged["from"].as_array().map(Vec::len), Some(5));
    }
    assert_eq!(key.list("/contacts", &[]).page().ids(), [into]);
}
