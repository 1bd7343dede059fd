//! Companies: the employers of contacts.

use serde_json::{Value, json};

use crate::support::*;

stories![
    a_bare_company_has_every_member,
    a_full_company_is_returned_as_sent,
    invalid_members_are_refused_by_name,
    a_change_touches_only_what_is_sent,
    archiving_and_restoring_keep_the_company,
    its_contacts_are_counted_and_listed,
    a_contact_takes_the_name_of_its_company,
    companies_are_listed_filtered_and_sorted,
    patterns_and_sync_work_as_for_contacts,
    companies_have_tags_too,
];

#[track_caller]
fn company(key: &Client, name: &str) -> Value {
    key.post("/companies", json!({"name": name})).created()
}

fn path(company: &Value) -> String {
    format!("/companies/{}", text(&company["id"]))
}

#[track_caller]
fn works_at(key: &Client, company: &Value, first_name: &str) -> Value {
    key.post("/contacts", json!({"first_name": first_name, "company_id": company["id"]})).created()
}

fn a_bare_company_has_every_member(world: &World) {
    let key = world.key("crm");
    let answer = key.post("/companies", json!({"name": " Acme "}));
    let made = answer.created();
    assert_eq!(answer.header("Location"), format!("/api/v1{}", path(&made)));
    let expected = json!({
        "id": made["id"], "name": "Acme", "domain": null, "website": null, "network_profile": null, "industry": null,
        "employee_count": null, "size_range": null, "location": null, "description": null, "phone": null, "email": null,
        "logo_url": null, "owner_id": null, "tags": [], "custom_data": {}, "contacts_count": 0, "deals_count": 0,
        "created_at": made["created_at"], "updated_at": made["created_at"], "archived_at": null,
    });
    assert_eq!(made, expected);
    assert_eq!(key.get(&path(&made)).ok(), made);
    assert_eq!(key.get("/companies").page().rows, [made]);
}

fn a_full_company_is_returned_as_sent(world: &World) {
    let key = world.key("crm");
    let owner = key.get("/me").ok()["user"]["user_id"].clone();
    let sent = json!({
        "name": "Acme", "domain": "Shop.Example.com", "website": "https://shop.example.com",
        "network_profile": "https://network.example.com/company/acme", "industry": "Software", "employee_count": 42,
        "size_range": "11-50", "location": "Lyon", "description": "Makes things.", "phone": "+33 4 00 00 00 00",
        "email": "hello@example.com", "logo_url": "https://example.com/logo.png", "owner_id": owner, "tags": ["Client"],
    });
    let made = key.post("/companies", sent.clone()).created();
    for (member, value) in sent.as_object().into_iter().flatten().filter(|(member, _)| *member != "domain") {
        assert_eq!(made[member], *value, "{member}");
    }
    assert_eq!(made["domain"], "shop.example.com", "a host is lower-cased");
    let copy = key.post("/companies", made.clone());
    assert_ne!(copy.created()["id"], made["id"], "a record can be sent back whole");
}

fn invalid_members_are_refused_by_name(world: &World) {
    let key = world.key("crm");
    for (member, value) in [
        ("name", json!("")),
        ("name", json!("x".repeat(201))),
        ("domain", json!("not a host")),
        ("domain", json!("https://example.com")),
        ("website", json!("example.com")),
        ("employee_count", json!(-1)),
        ("employee_count", json!("many")),
        ("size_range", json!("1-11")),
        ("description", json!("x".repeat(10_001))),
        ("phone", json!("call me")),
        ("email", json!("hello")),
        ("owner_id", json!(nobody())),
        ("owner_id", json!("me")),
        ("tags", json!("Client")),
        ("archived_at", json!("2026-01-01T00:00:00.000Z")),
        ("custom_data", json!(null)),
        ("industri", json!("x")),
    ] {
        let mut body = json!({"name": "Acme"});
        body[member] = value;
        key.post("/companies", body).invalid(member);
    }
    key.post("/companies", json!({})).invalid("name").says("required");
    assert_eq!(key.get("/companies").page().total(), 0);
}

fn a_change_touches_only_what_is_sent(world: &World) {
    let key = world.key("crm");
    let made = key.post("/companies", json!({"name": "Acme", "industry": "Steel", "location": "Lyon"})).created();
    let changed = key.put(&path(&made), json!({"industry": "Glass", "location": null})).ok();
    assert_eq!(
        (&changed["name"], &changed["industry"], &changed["location"]),
        (&json!("Acme"), &json!("Glass"), &json!(null))
    );
    assert_ne!(changed["updated_at"], made["updated_at"]);
    let events = world.events();
    assert_eq!(key.patch(&path(&made), changed.clone()).ok(), changed, "sent back as it is, nothing changes");
    assert_eq!(world.events(), events);
    key.put(&format!("/companies/{}", nobody()), json!({"name": "X"})).not_found();
}

fn archiving_and_restoring_keep_the_company(world: &World) {
    let key = world.key("crm");
    let made = company(&key, "Acme");
    let archived = key.delete(&path(&made)).ok();
    assert!(archived["archived_at"].is_string());
    assert_eq!(key.delete(&path(&made)).ok(), archived, "archiving again has no effect");
    assert_eq!(key.list("/companies", &[("archived_at", "is.not_null")]).page().ids(), [text(&made["id"])]);
    assert_eq!(key.list("/companies", &[("archived_at", "is.null")]).page().total(), 0);
    let restored = key.put(&path(&made), json!({"archived_at": null})).ok();
    assert_eq!(restored["archived_at"], json!(null));
    world.key("companies:write").delete(&path(&made)).error(403, "insufficient_scope").says("companies:delete");
}

fn its_contacts_are_counted_and_listed(world: &World) {
    let key = world.key("crm");
    let (acme, other) = (company(&key, "Acme"), company(&key, "Other"));
    let (ada, bob) = (works_at(&key, &acme, "Ada"), works_at(&key, &acme, "Bob"));
    works_at(&key, &other, "Cleo");
    key.post("/contacts", json!({"first_name": "Dan"})).created();
    let count = |company: &Value| key.get(&path(company)).ok()["contacts_count"].as_i64().unwrap_or(-1);
    assert_eq!((count(&acme), count(&other)), (2, 1));
    let stamp = key.get(&path(&acme)).ok()["updated_at"].clone();
    assert_eq!(stamp, acme["updated_at"], "a counter changes `updated_at`");

    let listed = key.list(&format!("{}/contacts", path(&acme)), &[("sort", "first_name")]).page();
    assert_eq!((listed.column("first_name"), listed.total()), (vec!["Ada".to_owned(), "Bob".to_owned()], 2));
    let some = key.list(&format!("{}/contacts", path(&acme)), &[("first_name", "ilike.b%"), ("limit", "1")]).page();
    assert_eq!((some.ids(), some.total()), (vec![text(&bob["id"])], 1));
    let id = text(&acme["id"]);
    assert_eq!(key.list("/contacts", &[("company_id", &id)]).page().total(), 2);
    assert_eq!(key.list("/contacts", &[("company_id", &format!("neq.{id}"))]).page().total(), 1, "`neq` matches null");
    assert_eq!(key.list("/contacts", &[("company_id", "is.null")]).page().total(), 1);

    key.delete(&format!("/contacts/{}", text(&ada["id"]))).ok();
    assert_eq!(count(&acme), 1, "archived contacts are counted");
    key.put(&format!("/contacts/{}", text(&ada["id"])), json!({"archived_at": null})).ok();
    key.put(&format!("/contacts/{}", text(&bob["id"])), json!({"company_id": other["id"]})).ok();
    assert_eq!((count(&acme), count(&other)), (1, 2));
    key.put(&format!("/contacts/{}", text(&bob["id"])), json!({"company_id": null})).ok();
    assert_eq!(count(&other), 1);
    key.get(&format!("/companies/{}/contacts", nobody())).not_found();
    world
        .key("companies:read")
        .get(&format!("{}/contacts", path(&acme)))
        .error(403, "insufficient_scope")
        .says("contacts:read");
}

fn a_contact_takes_the_name_of_its_company(world: &World) {
    let key = world.key("crm");
    let (acme, other) = (company(&key, "Acme"), company(&key, "Other"));
    let ada = works_at(&key, &acme, "Ada");
    assert_eq!(ada["current_company"], "Acme");
    let body = json!({"first_name": "Bob", "company_id": acme["id"], "current_company": "Acme Labs"});
    assert_eq!(key.post("/contacts", body).created()["current_company"], "Acme Labs", "a given name is replaced");
    let ada_path = format!("/contacts/{}", text(&ada["id"]));
    assert_eq!(key.put(&ada_path, json!({"company_id": other["id"]})).ok()["current_company"], "Other");
    let freelance = json!({"company_id": null});
    assert_eq!(key.put(&ada_path, freelance).ok()["current_company"], "Other", "a member that is not sent changed");
    key.post("/contacts", json!({"first_name": "Eve", "company_id": nobody()})).invalid("company_id");
    let theirs = world.workspace("beta").key("crm");
    theirs.post("/contacts", json!({"first_name": "Eve", "company_id": acme["id"]})).invalid("company_id");
}

fn companies_are_listed_filtered_and_sorted(world: &World) {
    let key = world.key("crm");
    for (name, industry, employees, size) in [
        ("beta", "Steel", json!(300), json!("201-500")),
        ("Alpha", "Glass", json!(7), json!("1-10")),
        ("Ümlaut", "Steel", json!(null), json!(null)),
    ] {
        let body = json!({"name": name, "industry": industry, "employee_count": employees, "size_range": size, "domain": format!("{}.example.com", name.len())});
        key.post("/companies", body).created();
    }
    let names = |parameters: &[(&str, &str)]| key.list("/companies", parameters).page().column("name");
    assert_eq!(names(&[("sort", "name")]), ["Alpha", "beta", "Ümlaut"]);
    assert_eq!(names(&[("sort", "-employee_count")]), ["beta", "Alpha", "Ümlaut"], "nulls last");
    assert_eq!(names(&[("sort", "employee_count")]), ["Alpha", "beta", "Ümlaut"]);
    assert_eq!(names(&[("industry", "Steel"), ("sort", "name")]), ["beta", "Ümlaut"]);
    assert_eq!(names(&[("employee_count", "gte.7"), ("employee_count", "lt.300")]), ["Alpha"]);
    assert_eq!(names(&[("size_range", "1-10")]), ["Alpha"]);
    assert_eq!(names(&[("domain", "4.example.com")]), ["beta"]);
    assert_eq!(names(&[("or", "(name.eq.beta,industry.ilike.gla%)"), ("sort", "name")]), ["Alpha", "beta"]);
    for (parameter, value) in
        [("description", "x"), ("size_range", "huge"), ("sort", "industry"), ("created_after", "2026-01-01")]
    {
        key.list("/companies", &[(parameter, value)]).invalid(parameter);
    }
}

fn patterns_and_sync_work_as_for_contacts(world: &World) {
    let key = world.key("crm");
    let (acme, globex) = (company(&key, "Acme Industries"), company(&key, "Globex"));
    let found = || key.list("/companies", &[("name", "ilike.%INDUSTR%")]).page().ids();
    assert_eq!(found(), [text(&acme["id"])], "at once");
    eventually("the text is indexed", PATIENCE, || (found() == [text(&acme["id"])]).then_some(()));
    let after = text(&acme["updated_at"]);
    assert_eq!(
        key.list("/companies", &[("updated_after", &after)]).page().ids(),
        [text(&globex["id"])],
        "strictly after"
    );
    assert_eq!(
        key.list("/companies", &[("updated_before", &after)]).page().ids(),
        [text(&acme["id"])],
        "`updated_before` is inclusive"
    );
}

fn companies_have_tags_too(world: &World) {
    let key = world.key("crm");
    let made = key.post("/companies", json!({"name": "Acme", "tags": ["Client"]})).created();
    let tags = format!("{}/tags", path(&made));
    let vip = key.post(&tags, json!({"name": "VIP"})).created();
    assert_eq!(key.post(&tags, json!({"tag_id": vip["id"]})).is(200).ok(), vip, "attaching again changed something");
    assert_eq!(key.get(&path(&made)).ok()["tags"], json!(["Client", "VIP"]));
    assert_eq!(key.list("/companies", &[("tags", "cs.{vip}")]).page().total(), 1);
    assert_eq!(key.list("/contacts", &[("tags", "cs.{vip}")]).page().total(), 0);
    let people = key.post("/tags", json!({"name": "Person", "scope": "contact"})).created();
    key.post(&tags, json!({"tag_id": people["id"]})).invalid("tag_id").says("company");
    key.put(&format!("/tags/{}", text(&vip["id"])), json!({"scope": "contact"})).invalid("scope").says("company");
    assert_eq!(key.delete(&format!("{tags}?name=client")).ok(), json!({"deleted": true}));
    key.delete(&format!("{tags}?name=client")).not_found();
    key.delete(&format!("/tags/{}", text(&vip["id"]))).ok();
    assert_eq!(key.get(&path(&made)).ok()["tags"], json!([]));
    eventually("the tag is removed", PATIENCE, || {
        (key.get(&path(&made)).ok()["updated_at"] != made["updated_at"]).then_some(())
    });
}
