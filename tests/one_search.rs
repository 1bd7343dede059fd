//! One search over three sources.

use serde_json::{Value, json};

use crate::sourcing::{add, project};
use crate::support::*;

stories![
    contacts_are_found_by_every_filter,
    the_network_is_asked_for_every_filter,
    the_network_has_ids_for_places,
    pages_of_the_network_are_found_by_number,
    people_are_marked_in_all_sources,
    errors_of_a_search_are_reported,
];

fn search(key: &Client, source: &str, filters: Value) -> Answer {
    key.post("/sourcing/search", json!({ "source_type": source, "filters": filters, "page_size": 100 }))
}

#[track_caller]
fn names(answer: Answer) -> Vec<String> {
    let found = answer.ok();
    let mut names: Vec<String> =
        found["profiles"].as_array().expect("profiles").iter().map(|it| text(&it["first_name"])).collect();
    names.sort();
    assert_eq!(found["filters_too_strict"], names.is_empty());
    names
}

fn contacts_are_found_by_every_filter(world: &World) {
    let key = world.key("full_access");
    for contact in [
        json!({"first_name": "Ada", "title": "Senior Engineer", "current_company": "Aster Labs", "location": "Berlin, Germany",
            "skills": ["Rust", "Go"], "years_experience": 9, "summary": "Compilers"}),
        json!({"first_name": "Bob", "title": "Junior Engineer", "current_company": "Cobalt", "location": "Paris, France", "skills": ["Go"],
            "years_experience": 2, "contact_type": "client"}),
        json!({"first_name": "Cyd", "title": "Recruiter", "current_company": "Cobalt", "location": "Lyon, France", "skills": ["Sourcing"]}),
    ] {
        key.post("/contacts", contact).created();
    }
    for (filters, expected) in [
        (json!({}), vec!["Ada", "Bob", "Cyd"]),
        (json!({"job_titles": {"include": ["engineer"]}}), vec!["Ada", "Bob"]),
        (
            json!({"job_titles": {"include": ["engineer"], "exclude": ["junior"], "include_current_only": true}}),
            vec!["Ada"],
        ),
        (json!({"job_titles": {"exclude": ["engineer"]}}), vec!["Cyd"]),
        (json!({"companies": {"include": ["cobalt", "aster"], "exclude": ["labs"]}}), vec!["Bob", "Cyd"]),
        (json!({"locations": {"cities": ["berlin"], "countries": ["france"]}}), vec!["Ada", "Bob", "Cyd"]),
        (json!({"locations": {"cities": ["paris"]}}), vec!["Bob"]),
        (json!({"locations": {"states": ["lyon"]}}), vec!["Cyd"]),
        (json!({"skills": {"include": ["rust", "sourcing"]}}), vec!["Ada", "Cyd"]),
        (json!({"skills": {"include": ["rust", "go"], "require_all": true}}), vec!["Ada"]),
        (json!({"keywords": {"include": ["engineer", "compilers"]}}), vec!["Ada"]),
        (json!({"keywords": {"exclude": ["compilers"]}}), vec!["Bob", "Cyd"]),
        (json!({"keywords": {"include": ["france"], "exclude": ["recruiter"]}}), vec![]),
        (json!({"years_experience": {"min": 3}}), vec!["Ada"]),
        (json!({"years_experience": {"min": 2, "max": 2}}), vec!["Bob"]),
        (json!({"contacts_filters": {"contact_types": ["client"]}}), vec!["Bob"]),
        // A filter of another source, which this one ignores.
        (json!({"network_filters": {"location_ids": {"loc-3": "Berlin"}}}), vec!["Ada", "Bob", "Cyd"]),
        (json!({"job_titles": null, "skills": {"include": null, "require_all": null}}), vec!["Ada", "Bob", "Cyd"]),
    ] {
        assert_eq!(names(search(&key, "contacts", filters.clone())), expected, "{filters}");
    }
    let strict = search(
        &key,
        "contacts",
        json!({"job_titles": {"include": ["engineer"]}, "companies": {"include": ["nowhere"]}}),
    )
    .ok();
    assert_eq!((&strict["filters_too_strict"], &strict["too_strict_filter"]), (&json!(true), &json!("companies")));
}

fn the_network_is_asked_for_every_filter(world: &World) {
    let (outside, key) = (Outside::new("people = 300\n"), world.key("full_access"));
    search(&key, "network", json!({}))
        .error(400, "validation_error")
        .says("account_id: no account of a network is connected");
    outside.provider(world, "network");
    let found = |filters: Value| search(&key, "network", filters).ok();
    let people = |found: &Value| found["profiles"].as_array().expect("profiles").clone();
    let everybody = found(json!({}));
    assert_eq!((people(&everybody).len(), &everybody["total_count"]), (100, &json!(300)));
    let titles = |filters: Value| -> Vec<String> {
        people(&found(filters)).iter().map(|it| text(&it["current_job"]["title"]).to_lowercase()).collect()
    };
    let engineers = titles(json!({"job_titles": {"include": ["engineer"], "exclude": ["junior"]}}));
    assert!(
        !engineers.is_empty() && engineers.iter().all(|it| it.contains("engineer") && !it.contains("junior")),
        "{engineers:?}"
    );
    let skilled = people(&found(json!({"skills": {"include": ["Rust", "Kafka"], "require_all": true}})));
    assert!(!skilled.is_empty());
    let either = people(&found(json!({"skills": {"include": ["Rust", "Figma"]}})));
    assert!(either.len() > skilled.len());
    let of = people(&found(json!({"companies": {"include": ["Aster Labs"], "exclude": ["Cobalt Systems"]}})));
    assert!(!of.is_empty());
    assert!(of.iter().all(|it| it["current_job"]["company_name"] != "Cobalt Systems"));
    let without = people(&found(json!({"keywords": {"include": ["engineer"], "exclude": ["rust"]}})));
    assert!(!without.is_empty());
    assert!(without.iter().all(|it| !strings(&it["skills"]).contains(&"Rust".to_owned())));
    let years = people(&found(json!({"years_experience": {"min": 20}})));
    assert!(!years.is_empty() && years.iter().all(|it| it["total_years_experience"].as_i64() >= Some(20)));
    assert!(people(&found(json!({"keywords": {"include": ["unobtainium"]}}))).is_empty());
    let quoted = found(json!({"keywords": {"include": ["\"engineer\" OR"]}}));
    assert_eq!(people(&quoted).len(), 0, "operators in quotes are plain text");
}

fn the_network_has_ids_for_places(world: &World) {
    let (outside, key) = (Outside::new("people = 300\n"), world.key("full_access"));
    let account = outside.provider(world, "network");
    let berlin =
        search(&key, "network", json!({"network_filters": {"location_ids": {"loc-3": "Berlin, Germany"}}})).ok();
    let profiles = berlin["profiles"].as_array().expect("profiles");
    assert!(!profiles.is_empty() && profiles.iter().all(|it| it["location"] == "Berlin, Germany"));
    let hint = "GET /sourcing/network/locations?q=<name>&account_id=<id>";
    search(&key, "network", json!({"locations": {"cities": ["Berlin"]}}))
        .error(400, "validation_error")
        .says("filters.locations")
        .says(hint);
    for wrong in [json!(["Berlin"]), json!("Berlin"), json!({"Berlin": "Berlin"})] {
        let answer = search(&key, "network", json!({"network_filters": {"location_ids": wrong}}));
        answer.error(400, "validation_error").says("filters.network_filters.location_ids").says(hint);
    }
    let of = |more: Value| {
        let mut body = json!({"source_type": "network", "account_id": account});
        for (name, value) in more.as_object().into_iter().flatten() {
            body[name] = value.clone();
        }
        key.post("/sourcing/search", body)
    };
    of(json!({"network_api_type": "classic"})).ok();
    of(json!({"network_api_type": "recruiter"}))
        .error(400, "validation_error")
        .says("network_api_type: the account Ann may not use recruiter");
    of(json!({"account_id": nobody()}))
        .error(400, "validation_error")
        .says("account_id: no connected account has this id");
    outside.play("people = 300\n[[rules]]\naction = \"error\"\nstatus = 429\nmatch = \"search\"\n");
    of(json!({})).error(503, "unavailable").says("the account Ann was asked by its network for patience");
    // The other sources do not depend on it.
    search(&key, "contacts", json!({})).ok();
}

fn pages_of_the_network_are_found_by_number(world: &World) {
    let (outside, key) = (Outside::new("people = 90\n"), world.key("full_access"));
    let account = outside.provider(world, "network");
    let page = |page: &Value| {
        key.post("/sourcing/search", json!({"source_type": "network", "page": page, "page_size": 20})).ok()
    };
    let (mut seen, mut next) = (Vec::new(), json!(1));
    while !next.is_null() {
        let found = page(&next);
        assert_eq!(found["total_count"], 90);
        seen.extend(found["profiles"].as_array().expect("profiles").iter().map(|it| text(&it["profile_id"])));
        next = found["next_page"].clone();
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 90);
    // Five pages took five searches, because the start of each page is cached.
    world.cli(["accounts", "set", &account, "--search-limit", "6"]).ok();
    page(&json!(5));
    let body = json!({"source_type": "network", "page": 2, "page_size": 20});
    key.post("/sourcing/search", body).error(503, "unavailable").says("the 6 searches that it may");
}

fn people_are_marked_in_all_sources(world: &World) {
    let (outside, key) = (Outside::new("people = 30\n"), world.key("full_access"));
    outside.provider(world, "network");
    let project = project(&key, "Engineers");
    let found = search(&key, "network", json!({})).ok()["profiles"].clone();
    let taken = add(&key, &project, json!([found[0]]))["contact_ids"][0].clone();
    for source in ["network", "contacts"] {
        let body = json!({"source_type": source, "project_id": project["id"]});
        let marked = key.post("/sourcing/search", body).ok();
        let somebody = &marked["profiles"][0];
        assert_eq!(
            (&somebody["already_in_project"], &somebody["existing_contact_id"]),
            (&json!(true), &taken),
            "{source}"
        );
    }
}

fn errors_of_a_search_are_reported(world: &World) {
    let key = world.key("full_access");
    let wrong = |body: Value, says: &str| {
        key.post("/sourcing/search", body).error(400, "validation_error").says(says);
    };
    wrong(json!({}), "source_type: is required");
    wrong(json!({"source_type": "web"}), "source_type: must be one of database, contacts, network");
    for source in ["database", "contacts", "network"] {
        let of = |more: Value| {
            let mut body = json!({"source_type": source});
            for (name, value) in more.as_object().into_iter().flatten() {
                body[name] = value.clone();
            }
            body
        };
        wrong(of(json!({"page": 0})), "page: must be from 1");
        wrong(of(json!({"page_size": 101})), "page_size: must be from 1 to 100");
        wrong(of(json!({"project_id": nobody()})), "project_id: no project has this id");
        wrong(of(json!({"filters": {"titles": {}}})), "filters.titles: is not a member");
        wrong(of(json!({"filters": {"job_titles": ["x"]}})), "filters.job_titles: must be an object");
        wrong(
            of(json!({"filters": {"job_titles": {"include": "x"}}})),
            "filters.job_titles.include: must be an array of strings",
        );
        wrong(
            of(json!({"filters": {"years_experience": {"min": 9, "max": 3}}})),
            "filters.years_experience.min: must not be above max",
        );
        wrong(of(json!({"filters": []})), "filters: must be an object");
        wrong(of(json!({"filter": {}})), "filter: is not a member of this body (did you mean filters?)");
    }
    wrong(
        json!({"source_type": "contacts", "filters": {"contacts_filters": {"contact_types": ["friend"]}}}),
        "filters.contacts_filters.contact_types.0: must be one of candidate",
    );
    world
        .key("sourcing:write")
        .post("/sourcing/search", json!({"source_type": "contacts"}))
        .error(403, "insufficient_scope");
}
