//! Searching the workspace's own contacts for candidates.

use serde_json::{Value, json};

use crate::sourcing::{add, project};
use crate::support::*;

stories![
    every_filter_narrows,
    candidates_are_found_by_project_stage_and_category,
    results_are_marked_and_shown_as_profiles,
    pages_follow_each_other_and_counts_are_right,
    the_filter_that_is_too_strict_is_named,
    errors_of_a_search_are_reported,
];

const PATH: &str = "/sourcing/contacts/search";

fn make(key: &Client, contact: Value) -> String {
    text(&key.post("/contacts", contact).created()["id"])
}

/// The first names in the results, sorted.
#[track_caller]
fn found(key: &Client, body: Value) -> Vec<String> {
    let found = key.post(PATH, body).ok();
    let mut names: Vec<String> =
        found["profiles"].as_array().expect("profiles").iter().map(|it| text(&it["first_name"])).collect();
    names.sort();
    assert_eq!(found["total_count"], names.len(), "all results are on one page");
    assert_eq!(found["filters_too_strict"], names.is_empty());
    names
}

fn every_filter_narrows(world: &World) {
    let key = world.key("full_access");
    make(
        &key,
        json!({"first_name": "Ada", "last_name": "Martin", "title": "Senior Software Engineer", "current_company": "Aster Labs",
        "location": "Berlin, Germany", "skills": ["Rust", "Go"], "tags": ["VIP", "Remote"], "summary": "Distributed systems"}),
    );
    make(
        &key,
        json!({"first_name": "Émile", "last_name": "Zola", "title": "Data Engineer", "current_company": "Cobalt", "location": "Paris, France",
        "skills": ["Python"], "tags": ["VIP"], "contact_type": "prospect"}),
    );
    make(
        &key,
        json!({"first_name": "Cyd", "title": "Recruiter", "current_company": "Aster Labs", "location": "Berlin", "skills": ["rust"]}),
    );
    let gone = make(&key, json!({"first_name": "Zoe", "title": "Engineer"}));
    key.delete(&format!("/contacts/{gone}")).ok();
    for (body, names) in [
        (json!({}), vec!["Ada", "Cyd", "Émile"]),
        (json!({"job_titles": ["engineer"]}), vec!["Ada", "Émile"]),
        (json!({"job_titles": ["ENGINEER software"]}), vec!["Ada"]),
        (json!({"job_titles": ["data engineer", "recruiter"]}), vec!["Cyd", "Émile"]),
        (json!({"companies": ["aster"]}), vec!["Ada", "Cyd"]),
        (json!({"companies": ["aster", "cobalt"], "job_titles": ["engineer"]}), vec!["Ada", "Émile"]),
        (json!({"locations": ["berlin"]}), vec!["Ada", "Cyd"]),
        (json!({"locations": ["germany", "france"]}), vec!["Ada", "Émile"]),
        (json!({"keywords": ["distributed"]}), vec!["Ada"]),
        (json!({"keywords": ["aster", "vip"]}), vec!["Ada"]),
        (json!({"skills": ["RUST"]}), vec!["Ada", "Cyd"]),
        (json!({"skills": ["rust", "go"]}), vec!["Ada"]),
        (json!({"first_name": "emile"}), vec!["Émile"]),
        (json!({"last_name": "mart"}), vec!["Ada"]),
        (json!({"full_name": "zola emile"}), vec!["Émile"]),
        (json!({"contact_types": ["prospect", "client"]}), vec!["Émile"]),
        (json!({"tags": ["vip"]}), vec!["Ada", "Émile"]),
        (json!({"tags": ["vip", "remote"]}), vec!["Ada"]),
        (json!({"created_after": "2020-01-01", "created_before": "2021-01-01"}), vec![]),
        (json!({"created_after": "2020-01-01"}), vec!["Ada", "Cyd", "Émile"]),
        (json!({"job_titles": [], "skills": null, "tags": []}), vec!["Ada", "Cyd", "Émile"]),
        (json!({"job_titles": ["engineer"], "locations": ["berlin"], "skills": ["go"], "tags": ["VIP"]}), vec!["Ada"]),
    ] {
        assert_eq!(found(&key, body.clone()), names, "{body}");
    }
    assert!(found(&world.workspace("theirs").key("full_access"), json!({})).is_empty());
    key.post(PATH, json!({})).ok();
    world.key("contacts:read").post(PATH, json!({})).error(403, "insufficient_scope").says("sourcing:read");
}

fn candidates_are_found_by_project_stage_and_category(world: &World) {
    let key = world.key("full_access");
    let (first, second) = (project(&key, "First"), project(&key, "Second"));
    let stages = |project: &Value| project["pipeline"]["stages"].as_array().expect("stages").clone();
    let (sourced, interview) = (stages(&first)[0].clone(), stages(&first)[3].clone());
    assert_eq!((&sourced["system_category"], &interview["system_category"]), (&json!("sourced"), &json!("interview")));
    add(&key, &first, json!([{"first_name": "Ada"}]));
    let talking = json!({"project_id": first["id"], "profiles": [{"first_name": "Bob", "profile_id": "bob"}], "stage_id": interview["id"]});
    key.post("/sourcing/add-to-project", talking).ok();
    add(&key, &second, json!([{"first_name": "Bob", "profile_id": "bob"}, {"first_name": "Cyd"}]));
    make(&key, json!({"first_name": "Dan"}));
    for (body, names) in [
        (json!({"project_ids": [first["id"]]}), vec!["Ada", "Bob"]),
        (json!({"project_ids": [first["id"], second["id"]]}), vec!["Ada", "Bob", "Cyd"]),
        (json!({"stage_ids": [interview["id"]]}), vec!["Bob"]),
        (json!({"stage_ids": [interview["id"], sourced["id"]]}), vec!["Ada", "Bob"]),
        (json!({"stage_categories": ["interview"]}), vec!["Bob"]),
        (json!({"stage_categories": ["sourced"]}), vec!["Ada", "Bob", "Cyd"]),
        (json!({"stage_categories": ["offer"]}), vec![]),
        // The conditions must hold for one entry, not for several together.
        (json!({"project_ids": [second["id"]], "stage_categories": ["interview"]}), vec![]),
        (json!({"project_ids": [second["id"]], "stage_categories": ["sourced"]}), vec!["Bob", "Cyd"]),
        (json!({"project_ids": [second["id"]], "stage_ids": [interview["id"]]}), vec![]),
        (json!({"stage_ids": [interview["id"]], "stage_categories": ["sourced"]}), vec![]),
        (json!({"stage_ids": [interview["id"]], "first_name": "bob"}), vec!["Bob"]),
    ] {
        assert_eq!(found(&key, body.clone()), names, "{body}");
    }
    // The results follow candidates that move to another stage.
    let entry = &key
        .list(&format!("/projects/{}/entries", text(&first["id"])), &[("stage_id", &text(&sourced["id"]))])
        .page()
        .rows[0];
    key.put(&format!("/pipeline-entries/{}", text(&entry["id"])), json!({"stage_id": interview["id"]})).ok();
    assert_eq!(found(&key, json!({"stage_categories": ["interview"]})), ["Ada", "Bob"]);
    // The same for contacts that were enrolled.
    let sequence =
        key.post("/sequences", json!({"name": "Hello", "steps": [{"type": "task", "name": "Call"}]})).created();
    key.request("POST", &format!("/sequences/{}/start", text(&sequence["id"]))).send().ok();
    let dan = key.post(PATH, json!({"first_name": "dan"})).ok()["profiles"][0]["existing_contact_id"].clone();
    key.post(&format!("/sequences/{}/enroll", text(&sequence["id"])), json!({"contact_ids": [dan]})).ok();
    assert_eq!(found(&key, json!({"sequence_ids": [sequence["id"]]})), ["Dan"]);
}

fn results_are_marked_and_shown_as_profiles(world: &World) {
    let key = world.key("full_access");
    let project = project(&key, "First");
    let id = text(&add(&key, &project, json!([crate::sourcing::ada()]))["contact_ids"][0]);
    let of = |key: &Client, body: Value| key.post(PATH, body).ok()["profiles"][0].clone();
    let shown = of(&key, json!({"project_id": project["id"]}));
    assert_eq!(
        shown,
        json!({
            "profile_id": id, "first_name": "Ada", "last_name": "Martin", "headline": "Engineer", "picture_url": null,
            "location": "Berlin, Germany", "network_url": "https://network.example.com/in/ada", "summary": "Builds engines.",
            "current_job": {"title": "Engineer", "company_name": "Aster"}, "experiences": [], "educations": [], "skills": ["Rust", "Go"],
            "total_years_experience": 9, "open_to_work": null, "emails": [{"email": "ada@example.com", "type": "work"}],
            "phones": [{"phone": "+1 555 0100", "type": "personal"}], "already_in_project": true, "existing_contact_id": id,
        })
    );
    assert_eq!(of(&key, json!({}))["already_in_project"], false);
    assert_eq!(of(&key, json!({"project_id": self::project(&key, "Other")["id"]}))["already_in_project"], false);
    // Addresses are shown only with the scope to read contacts.
    let hidden = of(&world.key("sourcing:read"), json!({}));
    assert_eq!((&hidden["emails"], &hidden["phones"]), (&json!(null), &json!(null)));
    // A result can be added to a project.
    let other = self::project(&key, "Another");
    assert_eq!(add(&key, &other, json!([shown]))["contact_ids"], json!([id]));
}

fn pages_follow_each_other_and_counts_are_right(world: &World) {
    let key = world.key("full_access");
    let items: Value =
        (0..60).map(|n| json!({"op": "create", "data": {"first_name": format!("P{n}"), "title": if n < 57 { "Engineer" } else { "Nurse" }}})).collect();
    key.post("/contacts/bulk", json!({"items": items})).ok();
    let page = |page: i64, size: i64| {
        key.post(PATH, json!({"job_titles": ["engineer"], "page": page, "page_size": size})).ok()
    };
    let (mut seen, mut next) = (Vec::new(), json!(1));
    while let Some(number) = next.as_i64() {
        let page = page(number, 25);
        assert_eq!((&page["total_count"], &page["filtered_count"]), (&json!(57), &json!(57)));
        assert_eq!(page["next_page"].is_null(), page["has_more"] == false);
        seen.extend(page["profiles"].as_array().expect("profiles").iter().map(|it| text(&it["profile_id"])));
        next = page["next_page"].clone();
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 57);
    let beyond = page(9, 25);
    assert_eq!(
        (&beyond["profiles"], &beyond["has_more"], &beyond["total_count"]),
        (&json!([]), &json!(false), &json!(57))
    );
    assert_eq!(page(1, 100)["profiles"].as_array().expect("profiles").len(), 57);
}

fn the_filter_that_is_too_strict_is_named(world: &World) {
    let key = world.key("full_access");
    make(&key, json!({"first_name": "Ada", "title": "Engineer", "location": "Berlin", "skills": ["Rust"]}));
    let strict = |body: Value| {
        let found = key.post(PATH, body).ok();
        assert_eq!((&found["filters_too_strict"], &found["filtered_count"]), (&json!(true), &json!(0)));
        found["too_strict_filter"].clone()
    };
    assert_eq!(strict(json!({"job_titles": ["engineer"], "locations": ["paris"], "skills": ["rust"]})), "locations");
    assert_eq!(strict(json!({"skills": ["cobol"]})), "skills");
    // If two filters each exclude everybody, neither is named.
    assert_eq!(strict(json!({"skills": ["cobol"], "locations": ["paris"]})), json!(null));
    let found = key.post(PATH, json!({"skills": ["rust"]})).ok();
    assert_eq!((&found["filters_too_strict"], &found["too_strict_filter"]), (&json!(false), &json!(null)));
}

fn errors_of_a_search_are_reported(world: &World) {
    let key = world.key("full_access");
    let wrong = |body: Value, says: &str| {
        key.post(PATH, body).error(400, "validation_error").says(says);
    };
    wrong(json!({"page": 0}), "page: must be from 1");
    wrong(json!({"page_size": 101}), "page_size: must be from 1 to 100");
    wrong(json!({"page_size": 0}), "page_size: must be from 1 to 100");
    wrong(json!({"job_titles": "engineer"}), "job_titles: must be an array of strings");
    wrong(json!({"job_title": ["engineer"]}), "job_title: is not a member of this body (did you mean job_titles?)");
    wrong(json!({"contact_types": ["friend"]}), "contact_types.0: must be one of candidate, client, prospect, other");
    wrong(json!({"stage_categories": ["hired", "fired"]}), "stage_categories.1: must be one of sourced");
    wrong(json!({"stage_ids": [nobody()]}), "stage_ids.0: no stage has this id");
    wrong(json!({"stage_ids": ["sourced"]}), "stage_ids.0");
    wrong(json!({"project_ids": [nobody()]}), "project_ids: no project has this id");
    wrong(json!({"sequence_ids": [nobody()]}), "sequence_ids: no sequence has this id");
    wrong(json!({"project_id": nobody()}), "project_id: no project has this id");
    wrong(json!({"created_after": "soon"}), "created_after: must be an RFC 3339 time or a date");
    wrong(json!({"keywords": ["a\u{0}"]}), "NUL");
    wrong(json!({"job_titles": ["x".repeat(201)]}), "job_titles.0: must be at most 200");
    let theirs = project(&world.workspace("theirs").key("full_access"), "Theirs");
    wrong(json!({"project_ids": [theirs["id"]]}), "project_ids: no project has this id");
    wrong(json!({"stage_ids": [theirs["pipeline"]["stages"][0]["id"]]}), "stage_ids.0: no stage has this id");
}
