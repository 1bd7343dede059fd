//! Enrichment: asking providers for contacts' addresses, one after another, and charging only for results.

use serde_json::{Value, json};

use crate::imports;
use crate::support::*;

stories![
    an_address_is_found_appended_and_paid_for,
    up_to_a_hundred_contacts_are_asked_for_at_once,
    invalid_enrichment_requests_are_refused,
    the_next_provider_is_asked_only_if_the_one_before_found_nothing,
    each_type_is_looked_for_until_it_is_found,
    verified_addresses_come_first_and_known_ones_cost_nothing,
    no_more_than_five_addresses_are_kept,
    without_credits_nothing_is_asked,
    waiting_requests_end_when_credits_run_out,
    a_cap_limits_the_cost_of_a_request,
    contacts_that_must_not_be_contacted_are_not_looked_up,
    without_a_provider_a_request_fails_and_says_why,
    a_repeated_request_joins_the_pending_one,
    requests_follow_a_merge_and_its_undo,
    contacts_with_requests_stay_when_an_import_is_undone,
    requests_are_listed_filtered_and_paged,
    metrics_count_requests_to_providers,
    enrichment_needs_the_plan_and_the_scopes,
];

#[track_caller]
pub(crate) fn person(key: &Client, first: &str, last: &str) -> String {
    let body = json!({"first_name": first, "last_name": last, "current_company": "Aster Labs"});
    text(&key.post("/contacts", body).created()["id"])
}

/// Requests a contact's addresses; returns the request's id.
#[track_caller]
pub(crate) fn ask(key: &Client, contact: &str, body: Value) -> String {
    let answer = key.post(&format!("/contacts/{contact}/enrich"), body);
    let id = text(&answer.is(202).json["data"]["id"]);
    assert_eq!(answer.header("Location"), format!("/api/v1/enrichment/{id}"));
    id
}

/// The request when it has ended.
#[track_caller]
pub(crate) fn over(key: &Client, id: &str) -> Value {
    eventually("the end of the request", PATIENCE, || {
        let request = key.get(&format!("/enrichment/{id}")).ok();
        matches!(request["status"].as_str(), Some("completed" | "failed")).then_some(request)
    })
}

#[track_caller]
pub(crate) fn enriched(key: &Client, contact: &str, body: Value) -> Value {
    over(key, &ask(key, contact, body))
}

pub(crate) fn balance(key: &Client) -> i64 {
    key.get("/me").ok()["credits"]["enrichment"].as_i64().expect("a balance")
}

pub(crate) fn outcomes(request: &Value) -> Vec<(String, String)> {
    let attempts = request["attempts"].as_array().expect("attempts");
    attempts.iter().map(|attempt| (text(&attempt["provider"]), text(&attempt["outcome"]))).collect()
}

pub(crate) fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(name, outcome)| ((*name).to_owned(), (*outcome).to_owned())).collect()
}

fn metrics_count_requests_to_providers(world: &World) {
    let (outside, key) =
        (Outside::new("[[rules]]\nmatch = \"Nobody *\"\naction = \"find\"\n"), world.key("full_access"));
    outside.finder(world, "metered", &[]);
    enriched(&key, &person(&key, "Ada", "Martin"), json!({}));
    enriched(&key, &person(&key, "Nobody", "Knows"), json!({}));
    let metrics = world.stranger().visit("/metrics").send().text();
    let count = |words: &[&str]| -> f64 {
        let fitting = metrics.lines().filter(|line| words.iter().all(|word| line.contains(word)));
        fitting.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum()
    };
    for outcome in ["found", "nothing"] {
        let label = format!("outcome=\"{outcome}\"");
        let counted = count(&["relata_enrichment_requests_total", "kind=\"json\"", &label]);
        assert_eq!(counted as u64, 1, "{outcome}:\n{metrics}");
    }
    assert_eq!(count(&["relata_enrichment_seconds_count", "kind=\"json\""]) as u64, 2, "{metrics}");
    assert!(!metrics.contains("metered"), "the provider's name belongs to the workspace:\n{metrics}");
}

fn an_address_is_found_appended_and_paid_for(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.finder(world, "first", &[]);
    let ada = person(&key, "Ada", "Martin");
    let answer = key.post(&format!("/contacts/{ada}/enrich"), json!({}));
    let begun = answer.is(202).json["data"].clone();
    assert_eq!((&begun["contact_id"], &begun["types"]), (&json!(ada), &json!(["email"])));
    assert_eq!(
        (&begun["status"], &begun["result"], &begun["completed_at"]),
        (&json!("pending"), &json!(null), &json!(null))
    );
    assert_eq!(
        (&begun["credits_consumed"], &begun["provider"], &begun["error"]),
        (&json!(0), &json!(null), &json!(null))
    );

    let request = over(&key, &text(&begun["id"]));
    assert_eq!((&request["status"], &request["provider"]), (&json!("completed"), &json!("first")));
    assert_eq!((&request["credits_consumed"], &request["error"]), (&json!(1), &json!(null)));
    let found = &request["result"]["emails"][0];
    assert_eq!((&found["email"], &found["type"]), (&json!("ada.martin@asterlabs.example.com"), &json!("work")));
    assert_eq!(
        (&found["provider"], &found["verified"], &found["confidence"]),
        (&json!("first"), &json!(true), &json!(97))
    );
    assert!(text(&found["found_at"]) >= text(&begun["created_at"]), "{found}");
    assert_eq!(request["result"]["phones"], json!([]), "values that were not requested are ignored");
    assert_eq!(request["completed_at"], request["updated_at"]);

    let contact = key.get(&format!("/contacts/{ada}")).ok();
    assert_eq!(contact["emails"], json!([{"email": "ada.martin@asterlabs.example.com", "type": "work"}]));
    assert_eq!(contact["phones"], json!([]));
    assert_eq!(key.list("/contacts", &[("email", "ada.martin@asterlabs.example.com")]).page().ids(), [&*ada]);
    assert_eq!(balance(&key), 999);
    assert_eq!(outside.asked("first"), 1);

    // The timeline has its events, for keys that may read them.
    let reported = key.get(&format!("/contacts/{ada}/timeline")).page();
    let types = reported.column("type");
    for event in ["enrichment_request.created", "enrichment_request.updated", "contact.updated"] {
        assert!(types.iter().any(|reported| reported == event), "{event} is not in {types:?}");
    }
    let by = reported.rows.iter().find(|event| event["type"] == "contact.updated").expect("an update");
    assert_eq!((&by["actor"]["kind"], &by["actor"]["name"]), (&json!("system"), &json!("enrichment")));
    let narrow = world.key("contacts:read").get(&format!("/contacts/{ada}/timeline")).page().column("type");
    assert!(narrow.iter().all(|reported| !reported.starts_with("enrichment")), "{narrow:?}");
}

fn up_to_a_hundred_contacts_are_asked_for_at_once(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.finder(world, "first", &["--hands", "16"]);
    let items: Vec<Value> = (0..100)
        .map(|n| json!({"op": "create", "data": {"first_name": "Ada", "last_name": format!("Martin{n}"), "current_company": "Aster Labs"}}))
        .collect();
    let made = key.post("/contacts/bulk", json!({ "items": items })).ok();
    let ids = member(&made["results"], "id");
    let answer = key.post("/enrichment", json!({"contact_ids": ids, "types": ["phone", "email", "email"]}));
    let begun = answer.is(202).json["data"].as_array().cloned().expect("requests");
    assert_eq!(begun.len(), 100);
    assert!(begun.iter().zip(&ids).all(|(request, id)| request["contact_id"] == **id), "in the order they were named");
    assert_eq!(begun[0]["types"], json!(["phone", "email"]));
    eventually("all of them", PATIENCE, || {
        (key.list("/enrichment", &[("status", "completed")]).page().total() == 100).then_some(())
    });
    assert_eq!(balance(&key), 800);
    let sum = key.list("/enrichment", &[("limit", "100")]).page().rows;
    assert!(sum.iter().all(|request| request["credits_consumed"] == 2), "a credit for each type");
    assert_eq!(outside.asked("first"), 100, "one request returns both types");

    let (one, two) = (ids[0].clone(), nobody());
    let named_twice = key.post("/enrichment", json!({"contact_ids": [one, one]}));
    assert_eq!(named_twice.is(202).json["data"].as_array().map(Vec::len), Some(1));
    let refused = key.post("/enrichment", json!({"contact_ids": [one, two]})).invalid("contact_ids.1");
    refused.says("no contact has this id");
    let many: Vec<String> = (0..101).map(|_| nobody()).collect();
    key.post("/enrichment", json!({ "contact_ids": many })).invalid("contact_ids").says("at most 100");
    key.post("/enrichment", json!({"contact_ids": []})).invalid("contact_ids").says("at least one");
    key.post("/enrichment", json!({})).invalid("contact_ids").says("required");
    key.post("/enrichment", json!({"contact_ids": ["x"]})).invalid("contact_ids.0").says("uuid");
}

fn invalid_enrichment_requests_are_refused(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.finder(world, "first", &[]);
    let ada = person(&key, "Ada", "Martin");
    let path = format!("/contacts/{ada}/enrich");
    key.post(&path, json!({"types": ["fax"]})).invalid("types.0").says("must be one of email, phone");
    key.post(&path, json!({"types": []})).invalid("types").says("at least one of email, phone");
    key.post(&path, json!({"types": "email"})).invalid("types");
    key.post(&path, json!({"max_credits": 0})).invalid("max_credits").says("from 1 to 2");
    key.post(&path, json!({"type": ["email"]})).invalid("type").says("did you mean types");
    key.post(&format!("/contacts/{}/enrich", nobody()), json!({})).not_found();
    key.post("/contacts/x/enrich", json!({})).not_found();
    key.get(&format!("/enrichment/{}", nobody())).not_found();
    let other = world.workspace("other").key("full_access");
    other.post(&path, json!({})).not_found();
    let id = ask(&key, &ada, json!({}));
    other.get(&format!("/enrichment/{id}")).not_found();
    assert_eq!(other.get("/enrichment").page().total(), 0);
    over(&key, &id);
    // All members are optional, so the body may be missing.
    key.request("POST", &path).send().is(202);
}

fn the_next_provider_is_asked_only_if_the_one_before_found_nothing(world: &World) {
    let rules = "[[rules]]\nmatch = \"empty\"\naction = \"find\"\n";
    let (outside, key) = (Outside::new(rules), world.key("full_access"));
    outside.finder(world, "last", &["--position", "9"]);
    outside.finder(world, "second", &["--position", "2"]);
    outside.finder(world, "empty", &["--position", "1"]);
    let request = enriched(&key, &person(&key, "Ada", "Martin"), json!({}));
    assert_eq!(outcomes(&request), pairs(&[("empty", "nothing"), ("second", "found")]));
    assert_eq!(request["provider"], "second");
    assert_eq!((outside.asked("empty"), outside.asked("second"), outside.asked("last")), (1, 1, 0));
    assert_eq!(balance(&key), 999);

    // No provider has it: the request ends, free of charge.
    outside.play("[[rules]]\nchannel = \"enrichment\"\naction = \"find\"\n");
    let request = enriched(&key, &person(&key, "Bob", "Stone"), json!({"types": ["email", "phone"]}));
    assert_eq!((&request["status"], &request["credits_consumed"]), (&json!("completed"), &json!(0)));
    assert_eq!((&request["result"], &request["provider"]), (&json!({"emails": [], "phones": []}), &json!(null)));
    assert_eq!(outcomes(&request), pairs(&[("empty", "nothing"), ("second", "nothing"), ("last", "nothing")]));
    assert_eq!(balance(&key), 999);
}

fn each_type_is_looked_for_until_it_is_found(world: &World) {
    let rules = "[[rules]]\nmatch = \"mails\"\naction = \"find\"\nemails = [\"ada@example.com\"]\n";
    let (outside, key) = (Outside::new(rules), world.key("full_access"));
    outside.finder(world, "mails", &[]);
    outside.finder(world, "phones", &[]);
    let ada = person(&key, "Ada", "Martin");
    let request = enriched(&key, &ada, json!({"types": ["email", "phone"]}));
    assert_eq!((&request["status"], &request["credits_consumed"]), (&json!("completed"), &json!(2)));
    assert_eq!(member(&request["result"]["emails"], "provider"), ["mails"]);
    assert_eq!(member(&request["result"]["phones"], "provider"), ["phones"]);
    assert_eq!(request["provider"], "mails", "the first that found something");
    let contact = key.get(&format!("/contacts/{ada}")).ok();
    assert_eq!(
        member(&contact["emails"], "email"),
        ["ada@example.com"],
        "the address of the second provider was not needed"
    );
    assert_eq!(contact["phones"][0]["type"], "personal");
    assert_eq!(balance(&key), 998);
}

fn verified_addresses_come_first_and_known_ones_cost_nothing(world: &World) {
    let rules = "[[rules]]\nmatch = \"Ada *\"\naction = \"find\"\nemails = [\"?guess@example.com\", \"ADA@example.com\", \"ada.m@example.com\"]\nphones = [\"+1 555 0001\", \"15550001\"]\n\
                 [[rules]]\nmatch = \"Bob *\"\naction = \"find\"\nemails = [\"BOB@example.com\"]\nphones = [\"(555) 0002\"]\n";
    let (outside, key) = (Outside::new(rules), world.key("full_access"));
    outside.finder(world, "first", &[]);
    let ada = person(&key, "Ada", "Martin");
    key.put(&format!("/contacts/{ada}"), json!({"email": "ada@example.com"})).ok();
    let request = enriched(&key, &ada, json!({"types": ["email", "phone"]}));
    assert_eq!(member(&request["result"]["emails"], "email"), ["ada.m@example.com", "guess@example.com"]);
    assert_eq!(member(&request["result"]["phones"], "phone"), ["+1 555 0001"], "the same digits are the same number");
    let contact = key.get(&format!("/contacts/{ada}")).ok();
    assert_eq!(member(&contact["emails"], "email"), ["ada@example.com", "ada.m@example.com", "guess@example.com"]);
    assert_eq!(balance(&key), 998, "several addresses are one find");

    let bob = text(&key.post("/contacts", json!({"first_name": "Bob", "last_name": "Stone", "current_company": "Aster Labs", "email": "bob@example.com", "phone": "5550002"})).created()["id"]);
    let before = key.get(&format!("/contacts/{bob}")).ok();
    let request = enriched(&key, &bob, json!({"types": ["email", "phone"]}));
    assert_eq!((&request["status"], &request["credits_consumed"]), (&json!("completed"), &json!(0)));
    assert_eq!(outcomes(&request), pairs(&[("first", "nothing")]));
    assert_eq!(key.get(&format!("/contacts/{bob}")).ok(), before);
    assert_eq!(balance(&key), 998);
}

fn no_more_than_five_addresses_are_kept(world: &World) {
    let mails: Vec<String> = (0..8).map(|n| format!("\"new{n}@example.com\"")).collect();
    let rules = format!("[[rules]]\nmatch = \"first\"\naction = \"find\"\nemails = [{}]\n", mails.join(", "));
    let (outside, key) = (Outside::new(&rules), world.key("full_access"));
    outside.finder(world, "first", &[]);
    let ada = person(&key, "Ada", "Martin");
    let emails: Vec<Value> = (0..3).map(|n| json!({"email": format!("old{n}@example.com")})).collect();
    key.put(&format!("/contacts/{ada}"), json!({ "emails": emails })).ok();
    let request = enriched(&key, &ada, json!({}));
    assert_eq!(member(&request["result"]["emails"], "email"), ["new0@example.com", "new1@example.com"]);
    let contact = key.get(&format!("/contacts/{ada}")).ok();
    assert_eq!(contact["emails"].as_array().map(Vec::len), Some(5));
    // The contact is full: no provider is asked.
    let request = enriched(&key, &ada, json!({}));
    assert_eq!((&request["status"], &request["credits_consumed"]), (&json!("failed"), &json!(0)));
    assert_eq!(request["error"], "the contact has 5 emails already; remove one and ask again");
    assert_eq!((outside.asked("first"), balance(&key)), (1, 999));
}

fn without_credits_nothing_is_asked(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.finder(world, "first", &[]);
    let ada = person(&key, "Ada", "Martin");
    world.set(&["--enrichment-credits", "0"]);
    let refused = key.post(&format!("/contacts/{ada}/enrich"), json!({}));
    refused.error(402, "insufficient_credits").says("enrichment credits");
    assert_eq!(refused.json["error"]["details"], json!({"credit_type": "enrichment", "available": 0, "required": 1}));
    key.post("/enrichment", json!({"contact_ids": [ada]})).error(402, "insufficient_credits");
    // Other errors are reported first.
    key.post("/enrichment", json!({"contact_ids": [nobody()]})).invalid("contact_ids.0");
    key.post(&format!("/contacts/{}/enrich", nobody()), json!({})).not_found();
    assert_eq!((key.get("/enrichment").page().total(), outside.sandbox.asked().len()), (0, 0));
}

fn waiting_requests_end_when_credits_run_out(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.finder(world, "first", &["--hands", "8"]);
    world.set(&["--enrichment-credits", "3"]);
    let ids: Vec<String> = (0..10).map(|n| person(&key, "Ada", &format!("Martin{n}"))).collect();
    let begun = key.post("/enrichment", json!({ "contact_ids": ids })).is(202).json["data"].clone();
    let ended: Vec<Value> = member(&begun, "id").iter().map(|id| over(&key, id)).collect();
    let paid = ended.iter().filter(|request| request["credits_consumed"] == 1).count();
    assert_eq!((paid, balance(&key)), (3, 0));
    for request in ended.iter().filter(|request| request["credits_consumed"] == 0) {
        assert_eq!(request["status"], "failed");
        assert!(text(&request["error"]).contains("no enrichment credits are left"), "{request}");
    }
    let with_email = key.list("/contacts", &[("email", "ilike.%@asterlabs.example.com")]).page().total();
    assert_eq!(with_email, 3, "addresses that are not paid for are not stored");
    assert_eq!(outside.sandbox.asked().len(), 3, "no provider is asked for addresses that can't be paid");

    // Two results and one credit: one result is stored, and the request says what happened to the other.
    world.set(&["--enrichment-credits", "1"]);
    let bob = person(&key, "Bob", "Stone");
    let request = enriched(&key, &bob, json!({"types": ["email", "phone"]}));
    assert_eq!((&request["status"], &request["credits_consumed"]), (&json!("failed"), &json!(1)));
    assert!(text(&request["error"]).contains("ran out"), "{request}");
    let contact = key.get(&format!("/contacts/{bob}")).ok();
    assert_eq!((contact["emails"].as_array().map(Vec::len), &contact["phones"]), (Some(1), &json!([])));
}

fn a_cap_limits_the_cost_of_a_request(world: &World) {
    let (outside, key) = (Outside::new(""), world.key("full_access"));
    outside.finder(world, "first", &[]);
    let ada = person(&key, "Ada", "Martin");
    let request = enriched(&key, &ada, json!({"types": ["email", "phone"], "max_credits": 1}));
    assert_eq!(
        (&request["status"], &request["credits_consumed"], &request["max_credits"]),
        (&json!("completed"), &json!(1), &json!(1))
    );
    assert_eq!(request["result"]["phones"], json!([]));
    assert_eq!(balance(&key), 999);
}

fn contacts_that_must_not_be_contacted_are_not_looked_up(world: &World) {
    let (outside, key) =
        (Outside::new("[[rules]]\nmatch = \"first\"\naction = \"delay\"\nafter = 1.5\n"), world.key("full_access"));
    outside.finder(world, "first", &["--hands", "1"]);
    let (ada, bob, cyd, dan) = (
        person(&key, "Ada", "Martin"),
        person(&key, "Bob", "Stone"),
        person(&key, "Cyd", "Wood"),
        person(&key, "Dan", "Hill"),
    );
    key.put(&format!("/contacts/{ada}"), json!({"do_not_contact": true})).ok();
    key.delete(&format!("/contacts/{bob}")).ok();
    key.post(&format!("/contacts/{ada}/enrich"), json!({})).invalid("contact").says("do_not_contact");
    key.post(&format!("/contacts/{bob}/enrich"), json!({})).invalid("contact").says("archived");
    // In a request for many, these fail at once, each with its reason, and the others continue.
    let many = key.post("/enrichment", json!({"contact_ids": [ada, bob]})).is(202).json["data"].clone();
    assert_eq!(member(&many, "status"), ["failed", "failed"]);
    assert!(
        text(&many[0]["error"]).contains("do_not_contact") && text(&many[1]["error"]).contains("archived"),
        "{many}"
    );

    // One request is in flight, the other waits.
    let (asked, waits) = (ask(&key, &cyd, json!({})), ask(&key, &dan, json!({})));
    eventually("the question", PATIENCE, || (outside.asked("first") == 1).then_some(()));
    key.put(&format!("/contacts/{cyd}"), json!({"do_not_contact": true})).ok();
    key.delete(&format!("/contacts/{dan}")).ok();
    for (id, why) in [(asked, "do_not_contact"), (waits, "archived")] {
        let request = over(&key, &id);
        assert_eq!(
            (&request["status"], &request["credits_consumed"], &request["result"]),
            (&json!("failed"), &json!(0), &json!(null))
        );
        assert!(text(&request["error"]).contains(why), "{request}");
    }
    assert_eq!(key.get(&format!("/contacts/{cyd}")).ok()["emails"], json!([]));
    assert_eq!((outside.asked("first"), balance(&key)), (1, 1000));
}

fn without_a_provider_a_request_fails_and_says_why(world: &World) {
    let key = world.key("full_access");
    let ada = person(&key, "Ada", "Martin");
    let request = enriched(&key, &ada, json!({"types": ["email", "phone"]}));
    assert_eq!((&request["status"], &request["credits_consumed"]), (&json!("failed"), &json!(0)));
    assert_eq!(request["error"], "no provider is set up that finds email or phone; the operator adds one");

    // When a provider is removed, the requests that wait for it continue with the next.
    let outside = Outside::new("[[rules]]\nmatch = \"first\"\naction = \"delay\"\nafter = 1.5\n");
    outside.finder(world, "first", &["--hands", "1"]);
    outside.finder(world, "second", &[]);
    let ids = [ask(&key, &ada, json!({})), ask(&key, &person(&key, "Bob", "Stone"), json!({}))];
    eventually("the question", PATIENCE, || (outside.asked("first") == 1).then_some(()));
    world.cli(["enrichment", "remove", "first"]).ok();
    let ended: Vec<Value> = ids.iter().map(|id| over(&key, id)).collect();
    assert!(ended.iter().all(|request| request["status"] == "completed"), "{ended:?}");
    assert_eq!(ended[1]["provider"], "second");
}

fn a_repeated_request_joins_the_pending_one(world: &World) {
    let (outside, key) =
        (Outside::new("[[rules]]\nmatch = \"first\"\naction = \"delay\"\nafter = 1\n"), world.key("full_access"));
    outside.finder(world, "first", &[]);
    let ada = person(&key, "Ada", "Martin");
    let both = ask(&key, &ada, json!({"types": ["email", "phone"]}));
    assert_eq!(ask(&key, &ada, json!({"types": ["email"]})), both);
    assert_eq!(ask(&key, &ada, json!({"types": ["phone", "email"]})), both);
    over(&key, &both);
    assert_eq!(outside.asked("first"), 1);
    let again = ask(&key, &ada, json!({}));
    assert_ne!(again, both);
    assert_eq!(over(&key, &again)["credits_consumed"], 0, "a known address costs nothing");
    // Sent again with its idempotency key it gets the same answer, even after it has ended.
    let send = || {
        key.request("POST", &format!("/contacts/{ada}/enrich"))
            .header("Idempotency-Key", "once")
            .json(&json!({"types": ["phone"]}))
            .send()
    };
    let first = text(&send().is(202).json["data"]["id"]);
    over(&key, &first);
    assert_eq!(text(&send().is(202).json["data"]["id"]), first);
}

fn requests_follow_a_merge_and_its_undo(world: &World) {
    let (outside, key) =
        (Outside::new("[[rules]]\nmatch = \"first\"\naction = \"delay\"\nafter = 1\n"), world.key("full_access"));
    outside.finder(world, "first", &[]);
    let (ada, twin) = (person(&key, "Ada", "Martin"), person(&key, "Ada", "Martin"));
    let id = ask(&key, &twin, json!({}));
    let merged = key.post("/contacts/merge", json!({"into": ada, "from": [twin]})).ok();
    assert_eq!(merged["moved"]["enrichment_requests"], 1);
    let request = over(&key, &id);
    assert_eq!((&request["status"], &request["contact_id"]), (&json!("completed"), &json!(ada)));
    assert_eq!(key.list("/enrichment", &[("contact_id", &ada)]).page().ids(), [&*id]);
    let contact = key.get(&format!("/contacts/{ada}")).ok();
    assert_eq!(member(&contact["emails"], "email"), ["ada.martin@asterlabs.example.com"]);
    let reported = key.get(&format!("/contacts/{ada}/timeline")).page().column("type");
    assert!(reported.iter().any(|event| event == "enrichment_request.created"), "{reported:?}");

    key.post(&format!("/contacts/merge/{}/undo", text(&merged["id"])), json!({})).ok();
    assert_eq!(key.get(&format!("/enrichment/{id}")).ok()["contact_id"], json!(twin));
    // The old id of a merged contact works.
    key.post("/contacts/merge", json!({"into": ada, "from": [twin]})).ok();
    let request = enriched(&key, &twin, json!({"types": ["phone"]}));
    assert_eq!(request["contact_id"], json!(ada));
}

fn contacts_with_requests_stay_when_an_import_is_undone(world: &World) {
    let key = world.key("full_access");
    let outside = Outside::new("");
    outside.finder(world, "finder", &[]);
    let people = "first_name,last_name,current_company\nAda,Martin,Aster Labs\nBob,Stone,Aster Labs\nCleo,Reed,\n";
    let done = imports::import(&key, json!({"collection": "contacts"}), "people.csv", people);
    let one = |name: &str| text(&key.list("/contacts", &[("first_name", &format!("eq.{name}"))]).page().rows[0]["id"]);
    let (ada, bob) = (one("Ada"), one("Bob"));
    assert_eq!(enriched(&key, &ada, json!({}))["status"], "completed");
    // A request without a result also keeps the contact.
    world.cli(["enrichment", "remove", "finder"]).ok();
    assert_eq!(enriched(&key, &bob, json!({}))["status"], "failed");
    key.post(&format!("/imports/{}/undo", text(&done["id"])), json!({})).is(202);
    let undone = imports::ended(&key, &done);
    assert_eq!((&undone["removed"], &undone["kept"]), (&json!(1), &json!(2)), "{undone}");
    for id in [ada, bob] {
        key.get(&format!("/contacts/{id}")).ok();
    }
}

fn requests_are_listed_filtered_and_paged(world: &World) {
    let (outside, key) =
        (Outside::new("[[rules]]\nmatch = \"Bob *\"\naction = \"error\"\nstatus = 403\n"), world.key("full_access"));
    outside.finder(world, "first", &[]);
    let (ada, bob) = (person(&key, "Ada", "Martin"), person(&key, "Bob", "Stone"));
    let ids: Vec<String> =
        [&ada, &bob, &ada].iter().map(|contact| text(&enriched(&key, contact, json!({}))["id"])).collect();
    let list = |filters: &[(&str, &str)]| key.list("/enrichment", filters).page();
    assert_eq!(list(&[]).ids(), [&*ids[2], &*ids[1], &*ids[0]], "newest first");
    assert_eq!(list(&[("sort", "created_at")]).ids(), [&*ids[0], &*ids[1], &*ids[2]]);
    assert_eq!(list(&[("contact_id", &ada)]).total(), 2);
    assert_eq!(list(&[("status", "failed")]).ids(), [&*ids[1]]);
    assert_eq!(list(&[("status", "in.(completed,failed)"), ("contact_id", &ada)]).total(), 2);
    let at = text(&key.get(&format!("/enrichment/{}", ids[1])).ok()["created_at"]);
    assert_eq!(list(&[("created_at", &format!("gt.{at}"))]).ids(), [&*ids[2]]);
    let page = list(&[("limit", "2"), ("cursor", "")]);
    let rest = list(&[("limit", "2"), ("cursor", &page.next().expect("more"))]);
    assert_eq!((page.ids().len(), rest.ids()), (2, vec![ids[0].clone()]));
    key.list("/enrichment", &[("provider", "first")]).invalid("provider");
    key.list("/enrichment", &[("sort", "status")]).invalid("sort");
    key.list("/enrichment", &[("status", "done")]).invalid("status").says("pending");
}

fn enrichment_needs_the_plan_and_the_scopes(world: &World) {
    let key = world.key("full_access");
    let ada = person(&key, "Ada", "Martin");
    let reader = world.key("enrichment:read");
    reader.get("/enrichment").page();
    reader
        .post(&format!("/contacts/{ada}/enrich"), json!({}))
        .error(403, "insufficient_scope")
        .says("enrichment:write");
    let writer = world.key("enrichment:write");
    writer.get("/enrichment").error(403, "insufficient_scope").says("enrichment:read");
    writer.post(&format!("/contacts/{ada}/enrich"), json!({})).is(202);
    world.set(&["--plan", "growth"]);
    within_a_second("the plan", || (reader.get("/enrichment").status == 403).then_some(()));
    reader.get("/enrichment").error(403, "plan_upgrade_required").says("scale");
    let closed = || writer.post("/enrichment", json!({"contact_ids": []}));
    within_a_second("the plan", || (closed().status == 403).then_some(()));
    closed().error(403, "plan_upgrade_required");
}
