//! Links of deals to contacts, companies, notes and timelines, and their changes when records are merged.

use serde_json::{Value, json};

use crate::deals::{company, deal, event_types, path, person, stages};
use crate::support::*;

stories![
    contacts_take_part_in_a_deal,
    a_deal_names_up_to_fifty_contacts,
    deals_are_listed_by_contact_and_company,
    deals_have_notes_too,
    events_are_on_the_timelines_of_linked_records,
    merged_companies_keep_their_deals,
    merged_contacts_keep_their_deals,
];

fn contacts_take_part_in_a_deal(world: &World) {
    let key = world.key("crm");
    let (ada, bob) = (person(&key, "Ada"), person(&key, "Bob"));
    let made = deal(&key, json!({}));
    let contacts = format!("{}/contacts", path(&made));
    let answer = key.post(&contacts, json!({"contact_id": ada["id"]}));
    let link = answer.created();
    assert_eq!((&link["deal_id"], &link["contact_id"]), (&made["id"], &ada["id"]));
    assert!(link["id"].is_string() && link["created_at"].is_string(), "{link}");
    let events = world.events();
    assert_eq!(
        key.post(&contacts, json!({"contact_id": ada["id"]})).created(),
        link,
        "linking again returns the first link"
    );
    assert_eq!(world.events(), events);
    key.post(&contacts, json!({"contact_id": bob["id"]})).created();
    let now = key.get(&path(&made)).ok();
    assert_eq!(now["contact_ids"], json!([ada["id"], bob["id"]]));
    assert_eq!(member(&now["contacts"], "first_name"), ["Ada", "Bob"]);
    assert_ne!(now["updated_at"], made["updated_at"], "a change of its contacts changes the deal");
    assert_eq!(key.list(&contacts, &[("sort", "-first_name")]).page().column("first_name"), ["Bob", "Ada"]);
    let some = key.list(&contacts, &[("first_name", "ilike.b%"), ("limit", "1")]).page();
    assert_eq!((some.ids(), some.total()), (vec![text(&bob["id"])], 1));
    assert_eq!(key.get(&contacts).page().total(), 2);
    key.list(&contacts, &[("firstname", "x")]).invalid("firstname");
    key.delete(&format!("/contacts/{}", text(&bob["id"]))).ok();
    assert_eq!(key.get(&contacts).page().total(), 2, "an archived contact still takes part");

    key.post(&contacts, json!({})).invalid("contact_id");
    key.post(&contacts, json!({"contact_id": "Ada"})).invalid("contact_id");
    key.post(&contacts, json!({"contact_id": nobody()})).not_found();
    key.post(&contacts, json!({"contact_id": company(&key, "Acme")["id"]})).not_found();
    key.post(&format!("/deals/{}/contacts", nobody()), json!({"contact_id": ada["id"]})).not_found();
    key.get(&format!("/deals/{}/contacts", nobody())).not_found();
    assert_eq!(key.delete(&format!("{contacts}/{}", text(&ada["id"]))).ok(), json!({"deleted": true}));
    key.delete(&format!("{contacts}/{}", text(&ada["id"]))).not_found();
    key.delete(&format!("{contacts}/{}", nobody())).not_found();
    assert_eq!(key.get(&contacts).page().ids(), [text(&bob["id"])]);
    key.delete(&format!("{contacts}/{}", text(&bob["id"]))).ok();
    assert_eq!(key.get(&contacts).page().total(), 0);
    assert_eq!(event_types(&key, &path(&made))[..2], ["deal.contact_removed", "deal.contact_removed"]);
    let again = key.post(&contacts, json!({"contact_id": ada["id"]})).created();
    assert_ne!(again["id"], link["id"], "a new link");
    let reader = world.key("deals:read,contacts:read");
    reader.get(&contacts).page();
    reader.post(&contacts, json!({"contact_id": ada["id"]})).error(403, "insufficient_scope").says("deals:write");
    world.key("deals:read").get(&contacts).error(403, "insufficient_scope").says("contacts:read");
}

fn a_deal_names_up_to_fifty_contacts(world: &World) {
    let key = world.key("crm");
    let people: Vec<Value> = (0..51).map(|n| person(&key, &format!("P{n}"))["id"].clone()).collect();
    key.post("/deals", json!({"title": "x", "contact_ids": people})).invalid("contact_ids").says("at most 50");
    let twice: Vec<&Value> = people[..50].iter().chain(&people[..50]).collect();
    let made = deal(&key, json!({"contact_ids": twice}));
    assert_eq!(made["contact_ids"], json!(people[..50]), "each counts once");
    let contacts = format!("{}/contacts", path(&made));
    key.post(&contacts, json!({"contact_id": people[50]})).invalid("contact_id").says("at most 50");
    let page = key.get(&contacts).page();
    assert_eq!((page.rows.len(), page.total(), page.has_more()), (50, 50, false));
    let mut turned = people[..50].to_vec();
    turned.reverse();
    assert_eq!(key.put(&path(&made), json!({"contact_ids": turned})).ok(), made, "the same set changed something");
    let fewer = key.put(&path(&made), json!({"contact_ids": [people[50], people[3]]})).ok();
    assert_eq!(fewer["contact_ids"], json!([people[50], people[3]]), "the sent list replaces the set");
    assert_eq!(key.get(&contacts).page().total(), 2);
    assert_eq!(key.put(&path(&made), json!({"contact_ids": []})).ok()["contact_ids"], json!([]));
    key.put(&path(&made), json!({"contact_ids": null})).invalid("contact_ids");
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM deal_contacts"), 0);
}

fn deals_are_listed_by_contact_and_company(world: &World) {
    let key = world.key("crm");
    let (acme, globex, ada) = (company(&key, "Acme"), company(&key, "Globex"), person(&key, "Ada"));
    let first =
        deal(&key, json!({"title": "First", "company_id": acme["id"], "contact_ids": [ada["id"]], "amount": 5}));
    let second = deal(&key, json!({"title": "Second", "company_id": acme["id"]}));
    deal(&key, json!({"title": "Third"}));
    let (of_acme, of_ada) =
        (format!("/companies/{}/deals", text(&acme["id"])), format!("/contacts/{}/deals", text(&ada["id"])));
    assert_eq!(key.get(&of_acme).page().column("title"), ["Second", "First"]);
    assert_eq!(key.list(&of_acme, &[("sort", "title"), ("amount", "is.not_null")]).page().column("title"), ["First"]);
    let page = key.get(&of_ada).page();
    assert_eq!((page.column("title"), page.total()), (vec!["First".to_owned()], 1));
    key.post(&format!("{}/contacts", path(&second)), json!({"contact_id": ada["id"]})).created();
    assert_eq!(key.list(&of_ada, &[("sort", "-title")]).page().column("title"), ["Second", "First"]);
    assert_eq!(key.list(&of_ada, &[("search", "sec")]).page().column("title"), ["Second"]);
    key.delete(&format!("{}/contacts/{}", path(&first), text(&ada["id"]))).ok();
    assert_eq!(key.get(&of_ada).page().total(), 1);
    let counts =
        || [&acme, &globex].map(|of| key.get(&format!("/companies/{}", text(&of["id"]))).ok()["deals_count"].as_i64());
    assert_eq!(counts(), [Some(2), Some(0)]);
    key.put(&path(&first), json!({"company_id": globex["id"]})).ok();
    assert_eq!(counts(), [Some(1), Some(1)]);
    key.post(&format!("{}/close", path(&first)), json!({"status": "lost"})).ok();
    assert_eq!(counts(), [Some(1), Some(1)], "closed ones count");
    key.put(&path(&first), json!({"company_id": null})).ok();
    assert_eq!(counts(), [Some(1), Some(0)]);
    key.list(&of_acme, &[("titel", "x")]).invalid("titel");
    key.get(&format!("/companies/{}/deals", nobody())).not_found();
    key.get(&format!("/contacts/{}/deals", nobody())).not_found();
    for list in [&of_acme, &of_ada] {
        world.key("companies:read,contacts:read").get(list).error(403, "insufficient_scope").says("deals:read");
    }
}

fn deals_have_notes_too(world: &World) {
    let key = world.key("crm");
    let made = deal(&key, json!({}));
    let notes = format!("{}/notes", path(&made));
    let note = key.post(&notes, json!({"content": "Sent the offer."})).created();
    assert_eq!((&note["deal_id"], &note["contact_id"]), (&made["id"], &json!(null)));
    key.post(&notes, json!({"content": "Ask for Ada", "is_pinned": true})).created();
    let page = key.get(&notes).page();
    assert_eq!(
        (page.column("content"), page.total()),
        (vec!["Ask for Ada".to_owned(), "Sent the offer.".to_owned()], 2)
    );
    assert_eq!(page.meta, json!({"total": 2, "limit": 50, "offset": 0, "has_more": false}));
    assert_eq!(key.list(&notes, &[("limit", "1"), ("offset", "1")]).page().ids(), [text(&note["id"])]);
    assert_eq!(key.get(&format!("/notes/{}", text(&note["id"]))).ok(), note);
    key.list(&notes, &[("limit", "101")]).invalid("limit");
    key.get(&format!("/deals/{}/notes", nobody())).not_found();
    key.post(&format!("/deals/{}/notes", nobody()), json!({"content": "x"})).not_found();
    assert_eq!(key.get(&path(&made)).ok()["updated_at"], made["updated_at"], "a note changes `updated_at`");
    assert_eq!(event_types(&key, &path(&made)), ["note.created", "note.created", "deal.created"]);
    world.key("deals:read").get(&notes).error(403, "insufficient_scope").says("notes:read");
}

fn events_are_on_the_timelines_of_linked_records(world: &World) {
    let key = world.key("crm");
    let (acme, ada, bob) = (company(&key, "Acme"), person(&key, "Ada"), person(&key, "Bob"));
    let stages = stages(&key);
    let made = deal(&key, json!({"company_id": acme["id"], "contact_ids": [ada["id"]]}));
    key.put(&format!("{}/stage", path(&made)), json!({"stage_id": stages[1]})).ok();
    key.post(&format!("{}/contacts", path(&made)), json!({"contact_id": bob["id"]})).created();
    key.post(&format!("{}/close", path(&made)), json!({"status": "won", "signed_amount": 7})).ok();
    let of_deal = ["deal.closed", "deal.contact_added", "deal.moved", "deal.created"];
    assert_eq!(event_types(&key, &path(&made)), of_deal);
    let on = |record: &Value, kind: &str| {
        key.get(&format!("/{kind}/{}/timeline?types=deal", text(&record["id"]))).page().column("type")
    };
    assert_eq!(on(&acme, "companies"), of_deal);
    assert_eq!(on(&ada, "contacts"), of_deal);
    assert_eq!(on(&bob, "contacts"), of_deal[..2], "events from the time that he was linked");
    let linked = key.get(&format!("{}/timeline?types=deal.contact_added", path(&made))).page().rows.remove(0);
    assert_eq!(linked["changes"]["contact_id"], json!([null, bob["id"]]));
    key.delete(&format!("{}/contacts/{}", path(&made), text(&bob["id"]))).ok();
    assert_eq!(on(&bob, "contacts")[0], "deal.contact_removed", "the removal is included");
    let contacts_only = world.key("contacts:read").get(&format!("/contacts/{}/timeline", text(&ada["id"]))).page();
    assert_eq!(contacts_only.column("type"), ["contact.created"], "without deals:read no deals");
    world
        .key("contacts:read")
        .get(&format!("{}/timeline", path(&made)))
        .error(403, "insufficient_scope")
        .says("deals:read");
    key.get(&format!("/deals/{}/timeline", nobody())).not_found();
    let planner = world.key("full_access");
    planner.post("/tasks", json!({"title": "Call", "deal_id": nobody()})).invalid("deal_id");
    planner.post("/tasks", json!({"title": "Call", "deal_id": made["id"]})).created();
    assert_eq!(event_types(&planner, &path(&made))[0], "task.created");
}

fn merged_companies_keep_their_deals(world: &World) {
    let key = world.key("crm");
    let (acme, twin) = (company(&key, "Acme"), company(&key, "ACME Inc."));
    let (own, moved) =
        (deal(&key, json!({"company_id": acme["id"]})), deal(&key, json!({"company_id": twin["id"], "amount": 5})));
    let merge = key.post("/companies/merge", json!({"into": acme["id"], "from": [twin["id"]]})).ok();
    assert_eq!((&merge["moved"]["deals"], &merge["record"]["deals_count"]), (&json!(1), &json!(2)));
    let shown = key.get(&path(&moved)).ok();
    assert_eq!((&shown["company_id"], &shown["company"]["name"]), (&acme["id"], &json!("Acme")));
    let of = |company: &Value| {
        key.list(&format!("/companies/{}/deals", text(&company["id"])), &[("sort", "created_at")]).page().ids()
    };
    assert_eq!(
        (of(&acme), of(&twin)),
        (vec![text(&own["id"]), text(&moved["id"])], vec![text(&own["id"]), text(&moved["id"])])
    );
    assert_eq!(deal(&key, json!({"company_id": twin["id"]}))["company_id"], acme["id"], "the old id still works");
    key.post(&format!("/companies/merge/{}/undo", text(&merge["id"])), json!({})).ok();
    assert_eq!(key.get(&path(&moved)).ok()["company"], json!({"id": twin["id"], "name": "ACME Inc."}));
    assert_eq!(of(&twin), [text(&moved["id"])]);
    let counts =
        [&acme, &twin].map(|of| key.get(&format!("/companies/{}", text(&of["id"]))).ok()["deals_count"].clone());
    assert_eq!(counts, [json!(2), json!(1)]);
}

fn merged_contacts_keep_their_deals(world: &World) {
    let key = world.key("crm");
    let [ada, twin, third] = ["Ada", "A. Byron", "Countess"].map(|name| person(&key, name));
    let alone = deal(&key, json!({"title": "alone", "contact_ids": [twin["id"]]}));
    let both = deal(&key, json!({"title": "both", "contact_ids": [ada["id"], twin["id"]]}));
    let others = deal(&key, json!({"title": "others", "contact_ids": [third["id"], twin["id"]]}));
    let untouched = deal(&key, json!({"title": "untouched", "contact_ids": [ada["id"]]}));
    let ids = |deal: &Value| key.get(&path(deal)).ok()["contact_ids"].clone();
    let link = key.post(&format!("{}/contacts", path(&alone)), json!({"contact_id": twin["id"]})).created();
    let body = json!({"into": ada["id"], "from": [twin["id"], third["id"]]});
    let merge = key.post("/contacts/merge", body).ok();
    assert_eq!(merge["moved"]["deal_contacts"], json!(4));
    for deal in [&alone, &both, &others, &untouched] {
        assert_eq!(ids(deal), json!([ada["id"]]), "{}", deal["title"]);
    }
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM deal_contacts"), 4, "no link is there twice");
    let kept = key.post(&format!("{}/contacts", path(&alone)), json!({"contact_id": twin["id"]})).created();
    assert_eq!((&kept["id"], &kept["contact_id"]), (&link["id"], &ada["id"]), "the link keeps its id");
    assert_eq!(key.get(&format!("/contacts/{}/deals", text(&twin["id"]))).page().total(), 4);
    let fresh = deal(&key, json!({"title": "fresh", "contact_ids": [third["id"], ada["id"]]}));
    assert_eq!(fresh["contact_ids"], json!([ada["id"]]), "two old ids of one contact are one");
    key.post(&format!("/contacts/merge/{}/undo", text(&merge["id"])), json!({})).ok();
    let set = |deal: &Value| {
        let mut ids = strings(&ids(deal));
        ids.sort();
        ids
    };
    let sorted = |of: &[&Value]| {
        let mut ids: Vec<String> = of.iter().map(|contact| text(&contact["id"])).collect();
        ids.sort();
        ids
    };
    assert_eq!(set(&alone), sorted(&[&twin]));
    assert_eq!(set(&both), sorted(&[&ada, &twin]));
    assert_eq!(set(&others), sorted(&[&twin, &third]));
    assert_eq!(set(&untouched), sorted(&[&ada]));
    assert_eq!(set(&fresh), sorted(&[&ada]));
    assert_eq!(key.get(&format!("/contacts/{}/deals", text(&twin["id"]))).page().total(), 3);
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM deal_contacts"), 7);
}
