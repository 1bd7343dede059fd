//! Erasing a person or a company: the record is gone at once, a job removes all data about it, and hashes of its
//! addresses keep it from being stored again.

use std::time::Duration;

use serde_json::{Value, json};

use crate::dashboard::{member, owner};
use crate::imports;
use crate::outreach::{enrolled, mails, started};
use crate::support::outside::contact;
use crate::support::*;

stories![
    an_erased_person_is_gone_at_once,
    wrong_requests_erase_nothing,
    everything_about_a_person_is_removed,
    records_of_others_stay,
    merged_people_are_erased_with_all_parts,
    values_of_an_undone_merge_are_erased_from_the_other_record,
    erased_addresses_are_not_stored_again,
    only_admins_allow_an_address_again,
    nothing_is_sent_to_an_erased_person,
    a_reply_to_an_unfinished_erasure_is_not_stored,
    an_erasure_survives_being_killed,
    a_company_is_erased,
    commands_erase_and_allow,
    the_stored_answer_about_a_file_is_erased,
    an_undo_restores_no_erased_address,
    links_of_a_killed_backup_go_with_an_erasure,
];

const MARK: &str = "qzperson";

/// Waits until no erasure is left, and the remains of its rows are removed.
#[track_caller]
pub(crate) fn finished(world: &World) {
    let jobs = "SELECT CAST(count(*) AS text) FROM jobs WHERE kind IN ('record.erase', 'workspace.scrub', 'drop_file')";
    eventually("the end of the erasure", Duration::from_secs(120), || (world.count(jobs) == 0).then_some(()));
}

#[track_caller]
pub(crate) fn erase(key: &Client, id: &str) {
    let answer = key.delete(&format!("/contacts/{id}?erase=true"));
    answer.is(202);
    let shown: Value = serde_json::from_slice(&answer.body).expect("an answer is JSON");
    assert_eq!(shown["data"], json!({"id": id, "state": "erasing"}));
}

pub(crate) fn person(mark: &str) -> Value {
    json!({
        "first_name": format!("{mark} first"), "last_name": format!("{mark} last"), "email": format!("{mark}@example.com"),
        "phone": "+33 1 98 76 54 32", "network_profile": format!("https://network.example.com/in/{mark}"),
        "summary": format!("{mark} ").repeat(200), "title": mark, "tags": ["kept"], "skills": [mark],
    })
}

fn an_erased_person_is_gone_at_once(world: &World) {
    let key = world.key("full_access");
    let other = key.post("/contacts", person("qzother")).created();
    let made = key.post("/contacts", person(MARK)).created();
    let (id, path) = (text(&made["id"]), format!("/contacts/{}", text(&made["id"])));
    erase(&key, &id);
    key.get(&path).not_found();
    key.delete(&format!("{path}?erase=true")).not_found();
    key.put(&path, json!({"title": "x"})).not_found();
    key.get(&format!("{path}/notes")).not_found();
    assert_eq!(key.list("/contacts", &[]).page().ids(), [text(&other["id"])]);
    assert_eq!(key.list("/contacts", &[("search", MARK)]).page().total(), 0);
    assert_eq!(key.list("/contacts", &[("email", &format!("{MARK}@example.com"))]).page().total(), 0);
    assert!(!key.get("/exports/contacts?format=ndjson").text().contains(MARK));
    assert_eq!(key.get("/contacts/duplicates").page().rows, Vec::<Value>::new());
    finished(world);
    // The feed tells mirrors which record is gone, and no values.
    let events = key.list("/events", &[("types", "contact"), ("limit", "100")]).page().rows;
    let about: Vec<&Value> = events.iter().filter(|event| event["record"]["id"] == json!(id)).collect();
    let types: Vec<String> = about.iter().map(|event| text(&event["type"])).collect();
    assert_eq!(types, ["contact.created", "contact.erased"]);
    assert!(about.iter().all(|event| event["changes"] == json!({})), "{about:?}");
    assert_eq!(key.get(&format!("/contacts/{}", text(&other["id"]))).ok(), other);
    assert!(!world.stores(MARK));
}

fn wrong_requests_erase_nothing(world: &World) {
    let key = world.key("full_access");
    let id = contact(&key, "Ada", "ada@example.com");
    let path = format!("/contacts/{id}");
    key.delete(&format!("{path}?erase=maybe")).invalid("erase");
    key.delete(&format!("{path}?erase=")).invalid("erase");
    key.delete(&format!("{path}?erase=true&erase=true")).invalid("erase");
    key.delete(&format!("{path}?eraze=true")).is(400);
    world.key("contacts:read,contacts:write").delete(&format!("{path}?erase=true")).error(403, "insufficient_scope");
    key.delete(&format!("/contacts/{}?erase=true", nobody())).not_found();
    key.delete("/contacts/x?erase=true").not_found();
    key.delete(&format!("/companies/{id}?erase=true")).not_found();
    let stale = key.request("DELETE", &format!("{path}?erase=true")).header("If-Match", "\"9-00000000\"").send();
    stale.error(412, "precondition_failed");
    // Without the parameter, or with false, the contact is archived.
    assert!(key.delete(&format!("{path}?erase=false")).ok()["archived_at"].is_string());
    assert!(key.delete(&path).ok()["archived_at"].is_string());
    // An archived contact can be erased, too.
    erase(&key, &id);
    key.get(&path).not_found();
    key.delete("/erased-addresses").invalid("address");
    key.delete("/erased-addresses?address=nobody@example.com").not_found();
    finished(world);
}

/// Everything that a person can have, with the mark in each text.
fn fill(world: &World, outside: &Outside, key: &Client, mark: &str) -> String {
    let keyed = key.request("POST", "/contacts").header("Idempotency-Key", "one-person");
    let made = keyed.json(&person(mark)).send().created();
    let (id, path) = (text(&made["id"]), format!("/contacts/{}", text(&made["id"])));
    let address = format!("{mark}@example.com");
    key.put(&path, json!({"summary": format!("{mark} changed "), "location": mark})).ok();
    key.post(&format!("{path}/notes"), json!({"content": format!("{mark} note")})).created();
    key.post("/tasks", json!({"title": format!("{mark} task"), "contact_id": id})).created();
    key.upload(&format!("{path}/cv"), &format!("{mark}.txt"), format!("{mark} the text of a CV").as_bytes()).created();
    key.upload(&format!("{path}/files"), &format!("{mark}.txt"), mark.as_bytes()).created();
    let project = key.post("/projects", json!({"name": "Search"})).created();
    let entry = json!({"contact_id": id, "notes": format!("{mark} entry"), "rating": 3});
    key.post(&format!("/projects/{}/entries", text(&project["id"])), entry).created();
    key.post("/deals", json!({"title": "Deal", "contact_ids": [id]})).created();
    let sequence =
        started(key, json!([{"type": "email", "subject": "Hello", "body": "Hello {{first_name}}"}]), json!({}));
    enrolled(key, &sequence, &id);
    mails(outside, &address, 1);
    let message = json!({"contact_id": id, "channel": "email", "subject": mark, "content": format!("{mark} message")});
    key.post("/messages", message).created();
    mails(outside, &address, 2);
    let mail = format!(
        "From: {mark} <{address}>\nTo: ann@example.com\nSubject: {mark} answer\nMessage-ID: <{mark}.1@example.com>\n\n{mark} reply.\n"
    );
    outside.deliver("ann@example.com", &mail);
    eventually("the reply", PATIENCE, || (key.get(&path).ok()["global_status"] == "replied").then_some(()));
    key.post("/suppressions", json!({"address": address})).created();
    let _ = world;
    id
}

/// The person in an import: a changed record, and an error with the address in it.
fn imported(key: &Client, mark: &str) {
    let file = format!("email,first_name,title\n{mark}@example.com,{mark} new,{mark} imported\n");
    let import = imports::import(key, json!({"collection": "contacts", "match_on": "email"}), "x.csv", file);
    assert_eq!(import["updated"], 1, "{import}");
    let wrong = format!("email,first_name\n{mark}@example.com {mark}@example.com,X\n");
    let import = imports::import(key, json!({"collection": "contacts"}), "y.csv", wrong);
    assert_eq!(import["failed"], 1, "{import}");
}

/// All tables that may contain data about a person.
const TABLES: &[&str] = &[
    "notes",
    "tasks",
    "cvs",
    "files",
    "pipeline_entries",
    "deal_contacts",
    "enrollments",
    "step_runs",
    "conversations",
    "messages",
    "suppressions",
    "import_changed",
];

fn everything_about_a_person_is_removed(world: &World) {
    world.set(&["--rate-limit", "100000000"]);
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    // A mail of the person from before they were a contact is listed as skipped.
    let early = format!(
        "From: {MARK}@example.com\nTo: ann@example.com\nSubject: {MARK} early\nMessage-ID: <e@example.com>\n\nx\n"
    );
    outside.deliver("ann@example.com", &early);
    let path = format!("/connected-accounts/{account}/unstored");
    eventually("the early mail", PATIENCE, || (!key.get(&path).page().rows.is_empty()).then_some(()));
    let id = fill(world, &outside, &key, MARK);
    imported(&key, MARK);
    let own = format!("/contacts/{id}");
    eventually("the text of the CV", PATIENCE, || {
        (key.list("/contacts", &[("search", &format!("{MARK} text"))]).page().total() > 0).then_some(())
    });
    assert!(world.stores(MARK));
    let sent = outside.sandbox.received().len();
    erase(&key, &id);
    key.get(&own).not_found();
    finished(world);
    for table in TABLES {
        assert_eq!(world.count(&format!("SELECT CAST(count(*) AS text) FROM {table}")), 0, "{table}");
    }
    let mail = key.get(&path).page().rows.remove(0);
    assert_eq!((&mail["sender"], &mail["subject"]), (&Value::Null, &Value::Null), "{mail}");
    let errors = world.count("SELECT CAST(count(*) AS text) FROM import_errors WHERE value IS NULL");
    assert_eq!(errors, 1, "the error of the row stays without its value");
    assert!(!world.stores(MARK), "the mark is stored");
    assert!(!world.stores(&MARK.to_uppercase()));
    let named = format!("SELECT CAST(count(*) AS text) FROM requests WHERE path LIKE '%{id}%' AND method <> 'DELETE'");
    eventually("the request log", PATIENCE, || (world.count(&named) <= 1).then_some(()));
    world.check_integrity();
    world.kill9();
    assert!(!world.stores(MARK), "the mark is stored after a crash");
    world.start();
    assert_eq!(outside.sandbox.received().len(), sent, "a mail was sent");
}

#[test]
fn postgresql_keeps_nothing_in_its_tables_after_vacuum_full() {
    let cluster = Cluster::new();
    let world = World::at(&cluster.url());
    world.start();
    world.set(&["--rate-limit", "100000000"]);
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(&world, "ann@example.com", &[]);
    let id = fill(&world, &outside, &key, MARK);
    imported(&key, MARK);
    erase(&key, &id);
    finished(&world);
    world.stop();
    cluster.ask("VACUUM FULL");
    cluster.ask("CHECKPOINT");
    let holds = |path: &std::path::PathBuf| {
        let bytes = std::fs::read(path).unwrap_or_default();
        bytes.windows(MARK.len()).any(|window| window.eq_ignore_ascii_case(MARK.as_bytes()))
    };
    assert_eq!(
        files(&cluster.tables()).into_iter().filter(holds).collect::<Vec<_>>(),
        Vec::<std::path::PathBuf>::new()
    );
}

fn records_of_others_stay(world: &World) {
    let key = world.key("full_access");
    let company = key.post("/companies", json!({"name": "Initech", "email": "info@example.com"})).created();
    let company_id = text(&company["id"]);
    let [ada, ben] = [("Ada", "ada@example.com"), ("Ben", "ben@example.com")].map(|(name, email)| {
        let body = json!({"first_name": name, "email": email, "company_id": company_id});
        text(&key.post("/contacts", body).created()["id"])
    });
    let deal = key.post("/deals", json!({"title": "Deal", "contact_ids": [ada, ben]})).created();
    let deal_path = format!("/deals/{}", text(&deal["id"]));
    let task = |body: Value| format!("/tasks/{}", text(&key.post("/tasks", body).created()["id"]));
    let own = task(json!({"title": "Call", "contact_id": ada}));
    let shared = task(json!({"title": "Meet", "contact_id": ada, "company_id": company_id, "deal_id": deal["id"]}));
    let bens = task(json!({"title": "Ask", "contact_id": ben}));
    let note = key.post(&format!("/contacts/{ben}/notes"), json!({"content": "Ben"})).created();
    let before = (key.get(&format!("/contacts/{ben}")).ok(), key.get(&bens).ok());
    erase(&key, &ada);
    finished(world);
    key.get(&own).not_found();
    let kept = key.get(&shared).ok();
    assert_eq!(
        (&kept["contact_id"], &kept["company_id"], &kept["title"]),
        (&Value::Null, &json!(company_id), &json!("Meet"))
    );
    assert_eq!(key.get(&deal_path).ok()["contact_ids"], json!([ben]));
    assert_eq!((key.get(&format!("/contacts/{ben}")).ok(), key.get(&bens).ok()), before);
    assert_eq!(key.get(&format!("/contacts/{ben}/notes")).page().rows[0]["content"], note["content"]);
    assert_eq!(key.get(&format!("/companies/{company_id}")).ok()["contacts_count"], 1);
    // The events of the deal and of the task stay as they are.
    let events = key.list(&format!("{deal_path}/timeline"), &[("types", "deal.created,task.created")]).page().rows;
    assert!(events.len() == 2 && events.iter().all(|event| event["changes"] != json!({})), "{events:?}");
}

pub(crate) fn merge(key: &Client, into: &str, from: &[&str]) -> String {
    text(&key.post("/contacts/merge", json!({"into": into, "from": from})).ok()["id"])
}

fn merged_people_are_erased_with_all_parts(world: &World) {
    let key = world.key("full_access");
    let ids = ["a", "b", "c"].map(|name| {
        let id = text(
            &key.post(
                "/contacts",
                json!({"first_name": format!("{MARK} {name}"), "email": format!("{MARK}.{name}@example.com")}),
            )
            .created()["id"],
        );
        key.post(&format!("/contacts/{id}/notes"), json!({"content": format!("{MARK} note")})).created();
        id
    });
    let [a, b, c] = ids.each_ref().map(String::as_str);
    let inner = merge(&key, b, &[a]);
    let outer = merge(&key, c, &[b]);
    // By the id of a merged record.
    let answer = key.delete(&format!("/contacts/{a}?erase=true"));
    answer.is(202);
    for id in [a, b, c] {
        key.get(&format!("/contacts/{id}")).not_found();
    }
    for merge in [&inner, &outer] {
        key.post(&format!("/contacts/merge/{merge}/undo"), json!({})).invalid("id").says("erased");
    }
    // After a restore of an older backup, each of them must be erased again.
    let events = key.get("/events?types=contact.erased").page().rows;
    let mut erased: Vec<String> = events.iter().map(|event| text(&event["record"]["id"])).collect();
    erased.sort();
    assert_eq!(erased, ids);
    finished(world);
    for merge in [&inner, &outer] {
        key.post(&format!("/contacts/merge/{merge}/undo"), json!({})).invalid("id").says("erased");
    }
    assert!(!world.stores(MARK));
    for table in ["merge_links", "merged_ids", "notes"] {
        assert_eq!(world.count(&format!("SELECT CAST(count(*) AS text) FROM {table}")), 0, "{table}");
    }
    for name in ["a", "b", "c"] {
        let again = json!({"first_name": "X", "email": format!("{MARK}.{name}@example.com")});
        key.post("/contacts", again).error(409, "erased_address");
    }
}

fn values_of_an_undone_merge_are_erased_from_the_other_record(world: &World) {
    let key = world.key("full_access");
    let ada = contact(&key, "Ada", "ada@example.com");
    let other = text(&key.post("/contacts", person(MARK)).created()["id"]);
    let done = merge(&key, &ada, &[&other]);
    key.post(&format!("/contacts/{ada}/notes"), json!({"content": "of Ada"})).created();
    key.post(&format!("/contacts/merge/{done}/undo"), json!({})).ok();
    let before = key.get(&format!("/contacts/{ada}")).ok();
    erase(&key, &other);
    finished(world);
    assert_eq!(key.get(&format!("/contacts/{ada}")).ok(), before);
    assert_eq!(key.get(&format!("/contacts/{ada}/notes")).page().total(), 1);
    assert!(!world.stores(MARK));
    key.post(&format!("/contacts/merge/{done}/undo"), json!({})).invalid("id");
}

fn erased_addresses_are_not_stored_again(world: &World) {
    let key = world.key("full_access");
    let id = text(&key.post("/contacts", person(MARK)).created()["id"]);
    let ben = contact(&key, "Ben", "ben@example.com");
    erase(&key, &id);
    let address = format!("{MARK}@example.com");
    let create = |member: &str, value: &str| key.post("/contacts", json!({"first_name": "New", member: value}));
    let shouted = address.to_uppercase();
    create("email", &shouted).error(409, "erased_address").at("emails.0.email").says("DELETE /erased-addresses");
    create("phone", "0033 1 98765432 ").error(409, "erased_address").at("phones.0.phone");
    create("phone", "+33-1-98.76.54.32").error(409, "erased_address").at("phones.0.phone");
    create("network_profile", &format!("http://www.network.example.com/in/{MARK}/?x=1"))
        .error(409, "erased_address")
        .at("network_profile");
    let emails = json!({"emails": [{"email": "ben@example.com"}, {"email": address}]});
    key.put(&format!("/contacts/{ben}"), emails).error(409, "erased_address").at("emails.1.email");
    key.post("/companies", json!({"name": "X", "email": address})).error(409, "erased_address").at("email");
    let items = json!({"items": [
        {"op": "create", "data": {"first_name": "A", "email": "a@example.com"}},
        {"op": "upsert", "match": "email", "data": {"first_name": "B", "email": address}},
    ]});
    let results = key.post("/contacts/bulk", items.clone()).ok();
    assert_eq!((&results["results"][0]["status"], &results["results"][1]["status"]), (&json!(201), &json!(409)));
    assert_eq!(results["results"][1]["error"]["code"], "erased_address");
    let mut atomic = items;
    atomic["atomic"] = true.into();
    atomic["items"][0]["data"]["email"] = "b@example.com".into();
    key.post("/contacts/bulk", atomic).error(409, "erased_address").at("items.1.data.emails.0.email");
    let file = format!("email,first_name\n{address},New\nc@example.com,C\n");
    let import = imports::import(&key, json!({"collection": "contacts", "match_on": "email"}), "x.csv", file);
    assert_eq!((&import["created"], &import["failed"]), (&json!(1), &json!(1)), "{import}");
    let error = key.get(&format!("/imports/{}/errors", text(&import["id"]))).page().rows.remove(0);
    assert_eq!(
        (&error["row"], &error["column"], &error["value"]),
        (&json!(1), &json!("email"), &Value::Null),
        "{error}"
    );
    finished(world);
    assert!(!world.stores(MARK), "only hashes are stored");
    // A record may keep an address that it has.
    key.delete(&format!("/erased-addresses?address={}", encoded(&shouted))).ok();
    key.delete(&format!("/erased-addresses?address={}", encoded(&shouted))).not_found();
    key.request("DELETE", "/erased-addresses").json(&json!({"address": "+33 1 98765432"})).send().ok();
    let profile = json!({"address": format!("https://network.example.com/in/{MARK}")});
    key.request("DELETE", "/erased-addresses").json(&profile).send().ok();
    key.post("/contacts", person(MARK)).created();
}

fn only_admins_allow_an_address_again(world: &World) {
    let ada = owner(world);
    let (first, second) = (contact(&ada, "A", "a@example.com"), contact(&ada, "B", "b@example.com"));
    ada.post("/suppressions", json!({"address": "b@example.com"})).created();
    let signed_in = member(world, "ben@example.com", "member");
    signed_in.delete(&format!("/contacts/{first}?erase=true")).error(403, "insufficient_role");
    ada.get(&format!("/contacts/{first}")).ok();
    // A key may do as much as its owner.
    let ben = world.key_with("full_access", &["--owner", "ben@example.com"]);
    ben.delete(&format!("/contacts/{first}?erase=true")).error(403, "insufficient_role");
    erase(&ada, &first);
    erase(&ada, &second);
    ada.post("/suppressions", json!({"address": "A@example.com"})).error(409, "erased_address");
    let twice = ada.request("DELETE", "/erased-addresses?address=a@example.com");
    twice.json(&json!({"address": "b@example.com"})).send().invalid("address").says("once");
    let path = "/erased-addresses?address=a@example.com";
    ben.delete(path).error(403, "insufficient_role");
    world.key("contacts:write").delete(path).error(403, "insufficient_scope");
    ada.delete(path).ok();
    world.key("full_access").delete("/erased-addresses?address=b@example.com").ok();
    // Nothing was sent to the address before, and nothing is sent to it after.
    let rows = ada.get("/suppressions").page().rows;
    assert_eq!(member_of(&rows, "address"), ["b@example.com"]);
    finished(world);
    // If the stored reason can't be read, the address is not allowed without it.
    let eve = ada.post("/contacts", json!({"first_name": "Eve", "email": "eve@example.com"})).created();
    ada.post("/suppressions", json!({"address": "eve@example.com"})).created();
    ada.delete(&format!("/contacts/{}?erase=true", text(&eve["id"]))).is(202);
    world.change("UPDATE erased_addresses SET suppression = 'perhaps' WHERE suppression IS NOT NULL");
    ada.delete("/erased-addresses?address=eve@example.com").error(500, "internal_error");
    ada.post("/contacts", json!({"first_name": "Eve", "email": "eve@example.com"})).error(409, "erased_address");
}

fn member_of(rows: &[Value], name: &str) -> Vec<String> {
    rows.iter().map(|row| text(&row[name])).collect()
}

fn nothing_is_sent_to_an_erased_person(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.mailbox(world, "ann@example.com", &[]);
    let steps =
        json!([{"type": "email", "subject": "One", "body": "One"}, {"type": "email", "subject": "Two", "body": "Two"}]);
    let sequence = started(&key, steps, json!({}));
    let ids: Vec<String> = (0..12).map(|n| contact(&key, "P", &format!("p{n}@example.com"))).collect();
    let path = format!("/sequences/{}/enroll", text(&sequence["id"]));
    key.post(&path, json!({"contact_ids": ids})).ok();
    let mut before = Vec::new();
    for (n, id) in ids.iter().enumerate() {
        std::thread::sleep(Duration::from_millis(15 * n as u64));
        erase(&key, id);
        before.push(outside.to(&format!("p{n}@example.com")).len());
    }
    finished(world);
    let idle = "SELECT CAST(count(*) AS text) FROM sends";
    eventually("the outbox is empty", PATIENCE, || (world.count(idle) == 0).then_some(()));
    let now = key.get(&format!("/sequences/{}", text(&sequence["id"]))).ok();
    assert_eq!(now["enrollments"]["total"], 0, "{now}");
    // A message that was in flight when the person was erased may arrive, and no other.
    for (n, before) in before.into_iter().enumerate() {
        let after = outside.to(&format!("p{n}@example.com")).len();
        assert!(after <= (before + 1).min(2), "{after} mails after {before}");
    }
    // Nothing is sent to the address if another contact has it.
    let first = contact(&key, "Twin", "twin@example.com");
    let second = contact(&key, "Twin", "twin@example.com");
    erase(&key, &first);
    let message = json!({"contact_id": second, "channel": "email", "subject": "x", "content": "x"});
    key.post("/messages", message).invalid("contact_id").says("erased");
    finished(world);
}

/// Erases a contact while the server is stopped, so that the job waits until it is released.
fn held(world: &World, id: &str) {
    world.stop();
    world.cli(["contacts", "erase", id, "--yes"]).ok();
    world.change("UPDATE jobs SET run_at = run_at + 86400000, wait = 86400000 WHERE kind = 'record.erase'");
    world.start();
}

fn release(world: &World) {
    world.change("UPDATE jobs SET run_at = 0 WHERE kind = 'record.erase'");
    finished(world);
}

fn a_reply_to_an_unfinished_erasure_is_not_stored(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    let account = outside.mailbox(world, "ann@example.com", &[]);
    let id = fill(world, &outside, &key, MARK);
    let ben = contact(&key, "Ben", "ben@example.com");
    let notes = world.count("SELECT CAST(count(*) AS text) FROM notes");
    let sent = outside.to(&format!("{MARK}@example.com"));
    let sent = String::from_utf8_lossy(&sent[0].content).into_owned();
    let reference = crate::outreach::unfolded(&sent, "Message-ID").expect("a Message-ID");
    held(world, &id);
    key.get(&format!("/contacts/{id}")).not_found();
    // `check` finds nothing wrong, and a repair detaches nothing.
    world.check_agreement();
    world.cli(["check", "--repair"]).ok();
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM notes WHERE contact_id IS NOT NULL"), notes);
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM tasks WHERE contact_id IS NULL"), 0);
    let reply = |from: &str, number: usize| {
        format!(
            "From: {from}\nTo: ann@example.com\nSubject: Re: {MARK}\nIn-Reply-To: {reference}\nMessage-ID: <r{number}.{from}>\n\n{MARK} late\n"
        )
    };
    let unstored = "SELECT CAST(mails_unstored AS text) FROM connected_accounts WHERE provider = 'email'";
    let before = world.count(unstored);
    // From the erased address, from another address in the same thread, and a bounce of a mail to them.
    outside.deliver("ann@example.com", &reply(&format!("{MARK}@example.com"), 1));
    outside.deliver("ann@example.com", &reply("elsewhere@example.com", 2));
    eventually("the replies are skipped", PATIENCE, || (world.count(unstored) == before + 2).then_some(()));
    // The mailbox is still read.
    outside.deliver(
        "ann@example.com",
        "From: ben@example.com\nTo: ann@example.com\nSubject: Hi\nMessage-ID: <b@example.com>\n\nHi\n",
    );
    let path = format!("/contacts/{ben}");
    eventually("Ben's mail", PATIENCE, || (key.get(&path).ok()["global_status"] == "replied").then_some(()));
    release(world);
    outside.deliver("ann@example.com", &reply(&format!("{MARK}@example.com"), 3));
    eventually("the reply is skipped", PATIENCE, || (world.count(unstored) == before + 3).then_some(()));
    assert!(!world.stores(MARK));
    let _ = account;
}

fn an_erasure_survives_being_killed(world: &World) {
    world.set(&["--rate-limit", "100000000"]);
    let key = world.key("full_access");
    let mut ids = Vec::new();
    for n in 0..4 {
        let id = text(
            &key.post("/contacts", json!({"first_name": MARK, "email": format!("{MARK}{n}@example.com")})).created()["id"],
        );
        let items: Vec<Value> = (0..150)
            .map(|_| json!({"op": "create", "data": {"contact_id": id, "title": format!("{MARK} task")}}))
            .collect();
        key.post("/tasks/bulk", json!({"items": items})).ok();
        for _ in 0..20 {
            key.post(&format!("/contacts/{id}/notes"), json!({"content": MARK.repeat(1000)})).created();
        }
        ids.push(id);
    }
    for id in &ids {
        erase(&key, id);
    }
    let jobs = "SELECT CAST(count(*) AS text) FROM jobs WHERE kind = 'record.erase'";
    let mut lives = Lives::new();
    for kill in 0..6 {
        lives.live(world.count("SELECT CAST(count(*) AS text) FROM tasks"), Duration::from_millis(40 + 30 * kill));
        world.kill9();
        world.start();
        world.check_agreement();
        if world.count(jobs) == 0 {
            break;
        }
    }
    eventually("the end of all erasures", Duration::from_secs(120), || (world.count(jobs) == 0).then_some(()));
    finished(world);
    assert!(!world.stores(MARK));
    for table in ["notes", "tasks", "contacts"] {
        assert_eq!(world.count(&format!("SELECT CAST(count(*) AS text) FROM {table}")), 0, "{table}");
    }
}

fn a_company_is_erased(world: &World) {
    let key = world.key("full_access");
    let company = |name: &str, mark: &str| {
        let body = json!({
            "name": name, "email": format!("{mark}@example.com"), "phone": "+33 1 22 33 44 55", "description": mark,
            "domain": format!("{mark}.example.com"), "network_profile": format!("https://network.example.com/company/{mark}"),
        });
        text(&key.post("/companies", body).created()["id"])
    };
    let (id, part, other) = (company("One", MARK), company("Part", "qzpart"), company("Other", "qzother"));
    key.post("/companies/merge", json!({"into": id, "from": [part]})).ok();
    let ada = text(&key.post("/contacts", json!({"first_name": "Ada", "company_id": id})).created()["id"]);
    let deal = text(&key.post("/deals", json!({"title": "Deal", "company_id": id})).created()["id"]);
    let project = text(&key.post("/projects", json!({"name": "Search", "client_company_id": id})).created()["id"]);
    key.post(&format!("/companies/{id}/notes"), json!({"content": MARK})).created();
    key.post("/tasks", json!({"title": MARK, "company_id": id})).created();
    let before = key.get(&format!("/companies/{other}")).ok();
    let answer = key.delete(&format!("/companies/{id}?erase=true"));
    answer.is(202);
    key.get(&format!("/companies/{id}")).not_found();
    key.get(&format!("/companies/{part}")).not_found();
    key.delete(&format!("/companies/{id}?erase=true")).not_found();
    finished(world);
    assert!(!world.stores(MARK) && !world.stores("qzpart"));
    assert_eq!(key.get(&format!("/contacts/{ada}")).ok()["company_id"], Value::Null);
    assert_eq!(key.get(&format!("/deals/{deal}")).ok()["company_id"], Value::Null);
    assert_eq!(key.get(&format!("/projects/{project}")).ok()["client_company_id"], Value::Null);
    assert_eq!(key.get(&format!("/companies/{other}")).ok(), before);
    let again = json!({"name": "One", "email": "qzpart@example.com"});
    key.post("/companies", again).error(409, "erased_address").at("email");
    world
        .key("companies:read,companies:write")
        .delete(&format!("/companies/{other}?erase=true"))
        .error(403, "insufficient_scope");
}

fn commands_erase_and_allow(world: &World) {
    let key = world.key("full_access");
    let id = contact(&key, "Ada", "ada@example.com");
    let ben = contact(&key, "Ben", "ben@example.com");
    // Without an answer nothing is erased.
    assert!(world.cli(["contacts", "erase", "ada@example.com"]).refused().contains("--yes"));
    assert!(world.cli(["contacts", "erase", "nobody@example.com", "--yes"]).refused().contains("does not exist"));
    assert!(world.cli(["contacts", "erase", &nobody(), "--yes"]).refused().contains("does not exist"));
    key.get(&format!("/contacts/{id}")).ok();
    assert_eq!(world.cli(["contacts", "erase", "ADA@example.com", "--yes"]).ok(), id);
    assert_eq!(world.cli(["contacts", "erase", &ben, "--yes"]).ok(), ben);
    // The server notices the write of another process a moment later.
    eventually("the contact is gone", PATIENCE, || (key.get(&format!("/contacts/{id}")).status == 404).then_some(()));
    finished(world);
    key.post("/contacts", json!({"first_name": "Ada", "email": "ada@example.com"})).error(409, "erased_address");
    world.cli(["contacts", "allow", "ada@example.com"]).ok();
    world.cli(["contacts", "allow", "ada@example.com"]).refused();
    contact(&key, "Ada", "ada@example.com");
}

fn the_stored_answer_about_a_file_is_erased(world: &World) {
    let key = world.key("full_access");
    let id = text(&key.post("/contacts", json!({"first_name": "Ada"})).created()["id"]);
    let upload = key.request("POST", &format!("/contacts/{id}/files")).header("Idempotency-Key", "once");
    upload.form(&[Part::file(&format!("{MARK}.txt"), b"content")]).send().created();
    erase(&key, &id);
    finished(world);
    assert!(!world.stores(MARK));
}

fn an_undo_restores_no_erased_address(world: &World) {
    let key = world.key("full_access");
    let (address, phone) = (format!("{MARK}@example.com"), "+49 30 1234567");
    let made = |name: &str, email: &str| {
        let body = json!({"first_name": name, "email": email, "phone": phone});
        text(&key.post("/contacts", body).created()["id"])
    };
    let ada = made("Ada", &address);
    // Other records lose the same address by an import and by a merge.
    let imported = made("Imported", &address);
    let row =
        json!({"id": imported, "emails": [{"email": "new@example.com"}], "phones": [{"phone": "+49 40 1234567"}]});
    let import =
        imports::import(&key, json!({"collection": "contacts", "match_on": "id"}), "x.ndjson", format!("{row}\n"));
    assert_eq!(import["updated"], 1, "{import}");
    let into = text(&key.post("/contacts", json!({"first_name": "Into", "email": "into@example.com"})).created()["id"]);
    let from = made("From", &address);
    let undone = merge(&key, &into, &[&from]);
    key.put(&format!("/contacts/{into}"), json!({"emails": [{"email": "into@example.com"}], "phones": []})).ok();
    erase(&key, &ada);
    finished(world);
    key.post(&format!("/contacts/merge/{undone}/undo"), json!({})).ok();
    let returned = key.get(&format!("/contacts/{from}")).ok();
    assert_eq!((&returned["first_name"], &returned["emails"]), (&json!("From"), &json!([])), "{returned}");
    assert_eq!(returned["phones"], json!([]), "{returned}");
    let path = format!("/imports/{}", text(&import["id"]));
    key.post(&format!("{path}/undo"), json!({})).is(202);
    eventually("the undo", PATIENCE, || (key.get(&path).ok()["status"] == "undone").then_some(()));
    let restored = key.get(&format!("/contacts/{imported}")).ok();
    assert_eq!((&restored["emails"], &restored["phones"]), (&json!([]), &json!([])), "{restored}");
    // Other spellings of the phone number are recognised.
    for spelling in ["0049 30 1234567", "+49 (0)30 123-4567", "+49/30/1234567"] {
        let body = json!({"first_name": "X", "phone": spelling});
        key.post("/contacts", body).error(409, "erased_address").at("phones.0.phone");
    }
    key.delete("/erased-addresses?address=0049%2030%201234567").ok();
    key.post("/contacts", json!({"first_name": "X", "phone": phone})).created();
}

/// A backup links all stored files to a folder of its process, and removes it at its end unless it is killed.
fn links_of_a_killed_backup_go_with_an_erasure(world: &World) {
    let key = world.key("full_access");
    let id = text(&key.post("/contacts", person(MARK)).created()["id"]);
    let files = world.data().join("files");
    // No process has so large a number; the second one still runs.
    let (killed, running) = (files.join(".backup-99999999"), files.join(format!(".backup-{}", std::process::id())));
    for folder in [&killed, &running] {
        std::fs::create_dir_all(folder.join("linked")).expect("a folder");
        std::fs::write(folder.join("linked/cv"), MARK).expect("a file");
    }
    erase(&key, &id);
    finished(world);
    assert_eq!((killed.exists(), running.exists()), (false, true));
    std::fs::remove_dir_all(&running).expect("a folder");
}
