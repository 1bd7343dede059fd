//! The profile database: imported by the operator, searched by words, paid for with credits.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::*;

stories![
    profiles_are_found_by_their_values,
    words_match_in_any_spelling,
    places_match_by_any_of_their_names,
    several_words_must_be_in_one_value,
    the_best_matches_come_first,
    a_filter_that_is_too_strict_is_named,
    addresses_are_shown_on_request,
    existing_contacts_are_recognised,
    a_search_over_all_sources_finds_them_too,
    profile_searches_have_no_rate_limit,
    invalid_profile_searches_are_refused,
    the_same_id_replaces,
    many_small_imports_are_compacted,
    invalid_lines_are_reported_and_skipped,
    generated_profiles_are_imported_completely,
    a_killed_profile_import_continues,
    removed_profiles_are_gone,
];

fn person(id: &str, title: &str, company: &str, location: &str, skills: &[&str]) -> Value {
    json!({
        "profile_id": id, "first_name": "Ada", "last_name": id, "location": location, "skills": skills,
        "current_job": {"title": title, "company_name": company},
        "network_url": format!("https://network.example.com/in/{id}"),
    })
}

/// Imports these profiles as a file.
pub(crate) fn import(world: &World, profiles: &[Value]) {
    let file = world.file("profiles.ndjson");
    let lines: Vec<String> = profiles.iter().map(Value::to_string).collect();
    fs::write(&file, lines.join("\n")).expect("a file");
    world.run(&["profiles", "import", &file.display().to_string()]).ok();
}

#[track_caller]
pub(crate) fn search(key: &Client, body: Value) -> Value {
    key.post(UNCOUNTED, body).ok()
}

/// The ids of the results, in the order of the answer.
#[track_caller]
pub(crate) fn found(key: &Client, body: Value) -> Vec<String> {
    member(&search(key, body)["profiles"], "profile_id")
}

#[track_caller]
pub(crate) fn balance(key: &Client) -> i64 {
    key.get("/me").ok()["credits"]["sourcing"].as_i64().expect("a balance")
}

/// This many identical engineers.
pub(crate) fn engineers(count: usize) -> Vec<Value> {
    (0..count).map(|n| person(&format!("e{n:04}"), "Engineer", "Acme", "Berlin, Germany", &["Rust"])).collect()
}

fn profiles_are_found_by_their_values(world: &World) {
    let key = world.key("sourcing");
    let mut veteran = person("veteran", "Engineering Manager", "Cobalt Labs", "Paris, France", &["Rust", "Hiring"]);
    veteran["experiences"] = json!([
        {"title": "Engineering Manager", "company_name": "Cobalt Labs", "is_current": true},
        {"title": "Software Engineer", "company_name": "Acme Systems", "is_current": false, "end_date": "2020"},
    ]);
    let newcomer = person("newcomer", "Software Engineer", "Acme Systems", "Berlin, Germany", &["Rust", "Go"]);
    let other = person("other", "Recruiter", "Lantern", "Berlin, Germany", &["Hiring"]);
    import(world, &[veteran, newcomer, other]);

    // The title is that of the current job.
    assert_eq!(found(&key, json!({"job_title": ["software engineer"]})), ["newcomer"]);
    assert_eq!(found(&key, json!({"job_title": ["Recruiter", "Engineering Manager"]})).len(), 2, "any of a list");
    // The company is that of any job, unless the search says otherwise; current jobs come first.
    assert_eq!(found(&key, json!({"company": ["Acme Systems"]})), ["newcomer", "veteran"]);
    assert_eq!(found(&key, json!({"company": ["Acme Systems"], "company_filter": "any"})), ["newcomer", "veteran"]);
    assert_eq!(found(&key, json!({"company": ["Acme"], "company_filter": "current"})), ["newcomer"]);
    assert_eq!(found(&key, json!({"company": ["Acme"], "company_filter": "past"})), ["veteran"]);
    // All skills must match.
    assert_eq!(found(&key, json!({"skills": ["rust", "hiring"]})), ["veteran"]);
    assert_eq!(found(&key, json!({"skills": ["Rust"], "location": ["Berlin"]})), ["newcomer"]);
    assert_eq!(found(&key, json!({"location": ["Berlin", "Paris"]})).len(), 3);
    let none = search(&key, json!({"skills": ["Rust"], "job_title": ["Recruiter"]}));
    assert_eq!((&none["profiles"], &none["total_count"], &none["has_more"]), (&json!([]), &json!(0), &json!(false)));

    let whole = search(&key, json!({"job_title": ["engineering manager"]}));
    let profile = &whole["profiles"][0];
    assert_eq!(profile["first_name"], "Ada");
    assert_eq!(profile["current_job"], json!({"title": "Engineering Manager", "company_name": "Cobalt Labs"}));
    assert_eq!(profile["experiences"][1]["end_date"], "2020");
    assert_eq!(profile["skills"], json!(["Rust", "Hiring"]));
    assert_eq!((&profile["already_in_project"], &profile["existing_contact_id"]), (&json!(false), &json!(null)));
    assert_eq!(
        (&whole["total_count"], &whole["filtered_count"], &whole["next_page"], &whole["filters_too_strict"]),
        (&json!(1), &json!(1), &json!(null), &json!(false))
    );
}

fn words_match_in_any_spelling(world: &World) {
    let key = world.key("sourcing");
    import(
        world,
        &[
            person(
                "emile",
                "Développeur (C++ / C#)",
                "Société Générale Été",
                "Nîmes, France",
                &["Node.js", "Élasticité"],
            ),
            person("ivan", "Инженер", "Ёлка", "Москва", &["Питон"]),
            person("yuki", "エンジニア", "東京電力", "東京", &["機械学習"]),
        ],
    );
    for (body, id) in [
        (json!({"job_title": ["DEVELOPPEUR c++"]}), "emile"),
        (json!({"job_title": ["c#"]}), "emile"),
        (json!({"company": ["societe generale"]}), "emile"),
        (json!({"skills": ["elasticite", "node js"]}), "emile"),
        (json!({"location": ["nimes"]}), "emile"),
        (json!({"job_title": ["ИНЖЕНЕР"]}), "ivan"),
        (json!({"company": ["елка"]}), "ivan"),
        (json!({"job_title": ["エンジニア"]}), "yuki"),
        (json!({"company": ["東京"]}), "yuki"),
        (json!({"skills": ["学習"]}), "yuki"),
    ] {
        assert_eq!(found(&key, body.clone()), [id], "{body}");
    }
    // Whole words, not parts of them.
    assert!(found(&key, json!({"job_title": ["Dévelop"]})).is_empty());
    assert!(found(&key, json!({"skills": ["nod"]})).is_empty());
}

fn places_match_by_any_of_their_names(world: &World) {
    let key = world.key("sourcing");
    import(
        world,
        &[
            person("munich", "Engineer", "Acme", "München, Bayern", &[]),
            person("bare", "Engineer", "Acme", "Greater Munich Area", &[]),
            person("texan", "Engineer", "Acme", "Paris, TX", &[]),
            person("parisian", "Engineer", "Acme", "Paris, Île-de-France, France", &[]),
            person("nowhere", "Engineer", "Acme", "Somewhere else", &[]),
        ],
    );
    let at = |place: &str| {
        let mut ids = found(&key, json!({"location": [place]}));
        ids.sort();
        ids
    };
    for place in ["Munich", "münchen", "Germany", "Deutschland", "DE", "Munich, Germany"] {
        assert_eq!(at(place), ["bare", "munich"], "{place}");
    }
    assert_eq!(at("United States"), ["texan"]);
    assert_eq!(at("Texas"), ["texan"]);
    assert_eq!(at("France"), ["parisian"]);
    assert_eq!(at("Paris, France"), ["parisian"]);
    assert_eq!(at("Paris"), ["parisian", "texan"], "matched by the location's text");
    assert_eq!(at("Somewhere"), ["nowhere"], "an unknown place is matched as text");
}

fn several_words_must_be_in_one_value(world: &World) {
    let key = world.key("sourcing");
    let mut two = person("two", "Data Engineer", "North Star", "Berlin", &["Machine Design", "Language Learning"]);
    two["experiences"] = json!([
        {"title": "Data Engineer", "company_name": "North Star", "is_current": true},
        {"title": "Sales Manager", "company_name": "South Bank", "is_current": false},
        {"title": "Clerk", "company_name": "Nord Bank", "is_current": false},
    ]);
    let one = person("one", "Manager of Data", "North Bank", "Berlin", &["Machine Learning in Practice"]);
    import(world, &[two, one]);
    assert_eq!(found(&key, json!({"skills": ["machine learning"]})), ["one"], "not a word of each of two skills");
    assert_eq!(found(&key, json!({"skills": ["practice learning machine"]})), ["one"], "in any order");
    assert_eq!(found(&key, json!({"company": ["north bank"]})), ["one"]);
    assert_eq!(found(&key, json!({"company": ["south bank"]})), ["two"]);
    assert_eq!(found(&key, json!({"job_title": ["data manager"]})), ["one"]);
    let long = "one two three four five six seven eight";
    import(world, &[person("long", long, "Acme", "Berlin", &[])]);
    assert_eq!(found(&key, json!({"job_title": ["eight six four two one three five"]})), ["long"]);
    assert!(found(&key, json!({"job_title": ["eight six four two one three nine"]})).is_empty());
}

fn the_best_matches_come_first(world: &World) {
    let key = world.key("sourcing");
    let mut full = person("full", "Senior Engineer", "Acme", "Berlin", &["Rust", "Go", "SQL"]);
    full["headline"] = json!("Engineer at Acme");
    full["summary"] = json!("Builds things.");
    import(
        world,
        &[
            person("senior", "Senior Engineer", "Acme", "Berlin", &["Rust"]),
            full,
            person("exact", "Engineer", "Acme", "Berlin", &["Rust"]),
            person("both", "Engineer", "Acme Systems", "Berlin", &["Rust"]),
        ],
    );
    // Whole values before parts of them, then more complete profiles, then earlier ones.
    assert_eq!(
        found(&key, json!({"job_title": ["engineer"], "company": ["Acme Systems", "Acme"]})),
        ["exact", "both", "full", "senior"]
    );
    assert_eq!(found(&key, json!({"job_title": ["senior engineer"]})), ["full", "senior"]);
    // Pages continue where the previous one ended.
    import(world, &engineers(60));
    let page = |page: i64| search(&key, json!({"company": ["Acme"], "skills": ["Rust"], "page": page}));
    let (first, second, third) = (page(1), page(2), page(3));
    assert_eq!((&first["total_count"], &first["next_page"], &first["has_more"]), (&json!(64), &json!(2), &json!(true)));
    assert_eq!((&third["next_page"], &third["has_more"]), (&json!(null), &json!(false)));
    let mut all: Vec<String> =
        [&first, &second, &third].iter().flat_map(|it| member(&it["profiles"], "profile_id")).collect();
    assert_eq!(all.len(), 64);
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 64, "nobody twice");
    let beyond = page(4);
    assert_eq!((&beyond["profiles"], &beyond["credits_consumed"]), (&json!([]), &json!(0)));
    assert_eq!((&beyond["total_count"], &beyond["has_more"]), (&json!(64), &json!(false)));
}

fn a_filter_that_is_too_strict_is_named(world: &World) {
    let key = world.key("sourcing");
    let nobody = search(&key, json!({"job_title": ["Engineer"]}));
    assert_eq!((&nobody["filters_too_strict"], &nobody["too_strict_filter"]), (&json!(true), &json!(null)));
    import(world, &engineers(3));
    for (body, filter) in [
        (json!({"job_title": ["Pilot"], "company": ["Acme"]}), json!("job_title")),
        (json!({"job_title": ["Engineer"], "company": ["Nobody"]}), json!("company")),
        (json!({"job_title": ["Engineer"], "company": ["Acme"], "company_filter": "past"}), json!("company")),
        (json!({"location": ["Paris"], "skills": ["Rust"]}), json!("location")),
        (json!({"location": ["Berlin"], "skills": ["Rust", "Cobol"]}), json!("skills")),
        (json!({"skills": ["Rust"], "data_types": ["phone"]}), json!("data_types")),
        (json!({"skills": ["Cobol"]}), json!("skills")),
        (json!({"job_title": ["Pilot"], "company": ["Nobody"]}), json!(null)),
    ] {
        let answer = search(&key, body.clone());
        assert_eq!((&answer["filters_too_strict"], &answer["too_strict_filter"]), (&json!(true), &filter), "{body}");
        assert_eq!(answer["credits_consumed"], 0);
    }
    let some = search(&key, json!({"skills": ["Rust"]}));
    assert_eq!((&some["filters_too_strict"], &some["too_strict_filter"]), (&json!(false), &json!(null)));
}

fn addresses_are_shown_on_request(world: &World) {
    let key = world.key("sourcing");
    let mut all = person("all", "Engineer", "Acme", "Berlin", &[]);
    all["emails"] = json!(["ada@acme.example.com", {"email": "ada@example.com", "type": "personal"}]);
    all["phones"] = json!([{"phone": "+49 30 0000", "type": "mobile"}]);
    let mut work = person("work", "Engineer", "Acme", "Berlin", &[]);
    work["emails"] = json!([{"email": "work@acme.example.com"}]);
    import(world, &[all, work, person("none", "Engineer", "Acme", "Berlin", &[])]);
    let of = |body: Value, id: &str| {
        let answer = search(&key, body);
        let profiles = answer["profiles"].as_array().cloned().unwrap_or_default();
        profiles.into_iter().find(|profile| profile["profile_id"] == id).unwrap_or_else(|| panic!("{id}: {answer}"))
    };
    let hidden = of(json!({"job_title": ["Engineer"]}), "all");
    assert_eq!((&hidden["emails"], &hidden["phones"]), (&json!(null), &json!(null)));
    let shown = of(json!({"job_title": ["Engineer"], "reveal_info": true}), "all");
    let (at_work, at_home) = (
        json!({"email": "ada@acme.example.com", "type": "work"}),
        json!({"email": "ada@example.com", "type": "personal"}),
    );
    assert_eq!(shown["emails"], json!([at_work, at_home]));
    assert_eq!(shown["phones"], json!([{"phone": "+49 30 0000", "type": "mobile"}]));
    let none = of(json!({"job_title": ["Engineer"], "reveal_info": true}), "none");
    assert_eq!((&none["emails"], &none["phones"]), (&json!([]), &json!([])));
    // Data types select profiles, and the addresses that are shown.
    let with = |types: Value| {
        let mut ids = found(&key, json!({"job_title": ["Engineer"], "data_types": types}));
        ids.sort();
        ids
    };
    assert_eq!(with(json!(["phone"])), ["all"]);
    assert_eq!(with(json!(["work_email"])), ["all", "work"]);
    assert_eq!(with(json!(["personal_email", "phone"])), ["all"]);
    let personal = json!({"job_title": ["Engineer"], "data_types": ["personal_email"], "reveal_info": true});
    let personal = of(personal, "all");
    assert_eq!((&personal["emails"], &personal["phones"]), (&json!([at_home]), &json!(null)));
}

fn existing_contacts_are_recognised(world: &World) {
    let key = world.key("sourcing");
    import(
        world,
        &[person("known", "Engineer", "Acme", "Berlin", &[]), person("new", "Engineer", "Acme", "Berlin", &[])],
    );
    let body = json!({"first_name": "Ada", "network_profile": "https://network.example.com/in/known"});
    let contact = key.post("/contacts", body).created();
    let answer = search(&key, json!({"job_title": ["Engineer"]}));
    for profile in answer["profiles"].as_array().expect("profiles") {
        let expected = if profile["profile_id"] == "known" { &contact["id"] } else { &Value::Null };
        assert_eq!(&profile["existing_contact_id"], expected);
    }
    // Contacts of other workspaces are not matched.
    let other = world.workspace("other").key("sourcing");
    let answer = search(&other, json!({"job_title": ["Engineer"]}));
    assert!(answer["profiles"].as_array().expect("profiles").iter().all(|it| it["existing_contact_id"].is_null()));
}

fn a_search_over_all_sources_finds_them_too(world: &World) {
    let key = world.key("sourcing");
    let mut ada = person("ada", "Engineering Manager", "Cobalt", "Munich, Germany", &["Rust", "Hiring"]);
    ada["total_years_experience"] = json!(12);
    ada["summary"] = json!("Builds compilers and teams.");
    ada["emails"] = json!(["ada@example.com"]);
    ada["experiences"] = json!([{"title": "Software Engineer", "company_name": "Acme", "is_current": false}]);
    let mut bob = person("bob", "Software Engineer", "Acme", "Paris, France", &["Rust"]);
    bob["total_years_experience"] = json!(3);
    import(world, &[ada, bob]);
    let ask =
        |filters: Value| key.post("/sourcing/search", json!({"source_type": "database", "filters": filters})).ok();
    let ids = |filters: Value| {
        let mut ids = member(&ask(filters)["profiles"], "profile_id");
        ids.sort();
        ids
    };
    let both = ["ada", "bob"];
    assert_eq!(ids(json!({"job_titles": {"include": ["software engineer"]}})), both, "earlier titles count");
    assert_eq!(ids(json!({"job_titles": {"include": ["software engineer"], "include_current_only": true}})), ["bob"]);
    assert_eq!(ids(json!({"job_titles": {"include": ["engineer", "manager"], "exclude": ["manager"]}})), ["bob"]);
    assert_eq!(ids(json!({"companies": {"include": ["acme"]}})), both);
    assert_eq!(ids(json!({"companies": {"include": ["acme"], "exclude": ["cobalt"]}})), ["bob"]);
    assert_eq!(
        ids(json!({"locations": {"cities": ["Paris"], "countries": ["Deutschland"]}})),
        both,
        "any of the places"
    );
    assert_eq!(ids(json!({"locations": {"states": ["Bavaria"]}})), ["ada"]);
    assert_eq!(ids(json!({"skills": {"include": ["rust", "hiring"]}})), both);
    assert_eq!(ids(json!({"skills": {"include": ["rust", "hiring"], "require_all": true}})), ["ada"]);
    assert_eq!(ids(json!({"keywords": {"include": ["compilers", "teams"]}})), ["ada"]);
    assert_eq!(ids(json!({"keywords": {"include": ["rust"], "exclude": ["compilers"]}})), ["bob"]);
    assert_eq!(ids(json!({"years_experience": {"min": 3, "max": 11}})), ["bob"]);
    assert_eq!(ids(json!({"years_experience": {"min": 4}})), ["ada"]);
    assert_eq!(ids(json!({})), both);
    let strict = ask(json!({"skills": {"include": ["rust"]}, "years_experience": {"min": 40}}));
    assert_eq!(
        (&strict["filters_too_strict"], &strict["too_strict_filter"]),
        (&json!(true), &json!("years_experience"))
    );
    // This search is free, so it shows no addresses.
    assert!(ask(json!({}))["profiles"].as_array().expect("profiles").iter().all(|it| it["emails"].is_null()));
    assert_eq!(balance(&key), 1000);
}

fn profile_searches_have_no_rate_limit(world: &World) {
    import(world, &engineers(1));
    world.run(&["workspace", "set", "--rate-limit", "3"]).ok();
    let key = world.key("sourcing");
    for _ in 0..6 {
        search(&key, json!({"job_title": ["Engineer"]}));
    }
    within_a_second("the limit", || (key.get("/me").ok()["limits"]["requests_per_hour"] == 3).then_some(()));
    while key.get("/me").status == 200 {}
    key.get("/me").error(429, "rate_limit_exceeded");
    // The operation is neither limited nor counted, and its answers never have the headers (the client checks every
    // answer).
    search(&key, json!({"job_title": ["Engineer"]}));
    key.post(UNCOUNTED, json!({})).error(400, "validation_error");
    world.stranger().post(UNCOUNTED, json!({})).error(401, "invalid_api_key");
    // Another method is another operation.
    key.get(UNCOUNTED).error(429, "rate_limit_exceeded");
}

fn invalid_profile_searches_are_refused(world: &World) {
    let key = world.key("sourcing");
    import(world, &engineers(1));
    for (body, message) in [
        (json!({}), "body: needs at least one of job_title, company, location, skills"),
        (json!({"job_title": []}), "body: needs at least one of job_title, company, location, skills"),
        (json!({"data_types": ["phone"]}), "body: needs at least one of job_title, company, location, skills"),
        (json!({"job_title": "Engineer"}), "job_title: must be an array of strings"),
        (json!({"job_title": ["Engineer", "!?"]}), "job_title.1: has no letter and no digit"),
        (json!({"skills": ["a b c d e f g h i j k l m n o p q"]}), "skills.0: has 17 words; at most 16 are taken"),
        (json!({"skills": ["x".repeat(101)]}), "skills.0: must be at most 100 characters"),
        (json!({"company": (0..51).map(|n| n.to_string()).collect::<Vec<_>>()}), "company: must have at most 50 items"),
        (json!({"skills": ["Rust"], "company_filter": "future"}), "company_filter: must be one of current, past, any"),
        (
            json!({"skills": ["Rust"], "data_types": ["fax"]}),
            "data_types.0: must be one of personal_email, work_email, phone",
        ),
        (json!({"skills": ["Rust"], "reveal_info": "yes"}), "reveal_info: must be true or false"),
        (json!({"skills": ["Rust"], "page": 0}), "page: must be from 1 to 400"),
        (json!({"skills": ["Rust"], "page": 401}), "page: must be from 1 to 400"),
        (json!({"skill": ["Rust"]}), "skill: is not a member of this body (did you mean skills?)"),
    ] {
        let refused = key.post(UNCOUNTED, body.clone()).error(400, "validation_error");
        assert!(refused.message().contains(message), "{body}: {}", refused.message());
    }
    assert_eq!(found(&key, json!({"skills": ["a b c d e f g h i j k l m n o p"]})), [] as [&str; 0]);
    assert_eq!(balance(&key), 1000);
    world.key("contacts:read").post(UNCOUNTED, json!({"skills": ["Rust"]})).error(403, "insufficient_scope");
    world.run(&["workspace", "set", "--plan", "growth"]).ok();
    within_a_second("the plan", || (key.post(UNCOUNTED, json!({"skills": ["Rust"]})).status == 403).then_some(()));
    key.post(UNCOUNTED, json!({"skills": ["Rust"]})).error(403, "plan_upgrade_required");
}

#[track_caller]
fn count(world: &World) -> String {
    world.run(&["profiles", "count"]).ok().to_owned()
}

fn the_same_id_replaces(world: &World) {
    let key = world.key("sourcing");
    import(world, &[person("one", "Pilot", "Acme", "Berlin", &[]), person("two", "Pilot", "Acme", "Berlin", &[])]);
    import(world, &[person("one", "Captain", "Acme", "Berlin", &[])]);
    assert_eq!(found(&key, json!({"job_title": ["Pilot"]})), ["two"]);
    assert_eq!(found(&key, json!({"job_title": ["Captain"]})), ["one"]);
    assert_eq!(found(&key, json!({"company": ["Acme"]})).len(), 2);
    // Twice in one file: the later one wins.
    import(world, &[person("two", "Clerk", "Acme", "Berlin", &[]), person("two", "Baker", "Acme", "Berlin", &[])]);
    assert_eq!(found(&key, json!({"job_title": ["Baker"]})), ["two"]);
    assert!(
        found(&key, json!({"job_title": ["Clerk"]})).is_empty()
            && found(&key, json!({"job_title": ["Pilot"]})).is_empty()
    );
    assert_eq!(count(world), "2");
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM profiles"), 2, "replaced profiles are deleted");
}

fn many_small_imports_are_compacted(world: &World) {
    let key = world.key("sourcing");
    for n in 0..12 {
        let some = [
            person(&format!("p{n}"), "Pilot", "Acme", "Berlin", &[]),
            person("same", "Pilot", &format!("C{n}"), "Berlin", &[]),
        ];
        import(world, &some);
    }
    assert_eq!(count(world), "13");
    assert!(world.count("SELECT CAST(count(*) AS text) FROM profile_segments") <= 9);
    let mut all = found(&key, json!({"job_title": ["Pilot"]}));
    all.sort();
    assert_eq!(all.len(), 13);
    assert_eq!(found(&key, json!({"company": ["C11"]})), ["same"]);
    assert!(found(&key, json!({"company": ["C3"]})).is_empty());
}

fn invalid_lines_are_reported_and_skipped(world: &World) {
    let file = world.file("mixed.ndjson");
    let good = person("good", "Pilot", "Acme", "Berlin", &[]).to_string();
    let long = json!({"profile_id": "long", "first_name": "x", "summary": "y".repeat(1024 * 1024)}).to_string();
    let mut bytes = format!(
        "\u{feff}{good}\r\n\nnot json\n[1]\n{{\"first_name\": \"Ada\"}}\n{{\"profile_id\": \"x\", \"first_name\": \"Ada\", \"experiences\": [{{\"title\": 3}}]}}\n{long}\n"
    )
    .into_bytes();
    bytes.extend(b"\"\xff\xfe\"\n");
    bytes.extend(r#"{"profile_id": "last", "first_name": "Bo", "last_name": null, "shoe_size": 9, "skills": null, "experiences": [{"title": "Pilot", "is_current": true, "salary": 1}]}"#.as_bytes());
    fs::write(&file, bytes).expect("a file");
    let ran = world.run(&["profiles", "import", &file.display().to_string()]);
    assert_eq!(ran.code, Some(1), "{ran}");
    assert_eq!(ran.out.trim_end(), "imported 2\trefused 6");
    for reason in [
        "line 3: line: is not a JSON object",
        "line 4: line: is not a JSON object",
        "line 5: profile_id: is required",
        "line 6: experiences.0.title: must be a string",
        "line 7: line: is longer than 1048576 bytes",
        "line 8: line: is not UTF-8",
    ] {
        assert!(ran.err.contains(reason), "{reason}: {ran}");
    }
    let key = world.key("sourcing");
    let answer = search(&key, json!({"job_title": ["Pilot"]}));
    assert_eq!(answer["total_count"], 2);
    let last = answer["profiles"].as_array().expect("profiles").iter().find(|it| it["profile_id"] == "last");
    let last = last.expect("the last line");
    assert_eq!(last["current_job"], json!({"title": "Pilot", "company_name": null}));
    assert_eq!((&last["last_name"], &last.get("shoe_size").is_none()), (&json!(""), &true));
    let missing = world.run(&["profiles", "import", "/nowhere.ndjson"]);
    assert!(missing.refused().contains("/nowhere.ndjson can't be read"));
}

fn generated(world: &World, count: usize, seed: &str) -> String {
    world.run(&["profiles", "generate", &count.to_string(), "--seed", seed]).ok().to_owned()
}

fn generated_profiles_are_imported_completely(world: &World) {
    let text = generated(world, 700, "7");
    assert_eq!(text, generated(world, 700, "7"), "a seed always gives the same profiles");
    assert_ne!(text, generated(world, 700, "8"));
    let strays: Vec<&str> = text.split('"').filter(|it| it.contains('@') && !it.ends_with("example.com")).collect();
    assert!(strays.is_empty(), "nobody's addresses: {strays:?}");
    // From standard input, too.
    let mut options = world.options();
    options.extend(["profiles", "import", "-"].map(str::to_owned));
    let mut command = relata();
    let mut child = command.args(options).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("a command");
    child.stdin.take().expect("its input").write_all(text.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("its end");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim_end(), "imported 700\trefused 0");
    assert_eq!(count(world), "700");
    let key = world.key("sourcing");
    let answer = search(&key, json!({"job_title": ["engineer"], "reveal_info": true}));
    assert!(answer["total_count"].as_i64().is_some_and(|total| total > 50), "{}", answer["total_count"]);
    assert_eq!(answer["profiles"].as_array().map(Vec::len), Some(25));
}

fn a_killed_profile_import_continues(world: &World) {
    let file = world.file("many.ndjson");
    let count_of = 3000;
    fs::write(&file, generated(world, count_of, "3")).expect("a file");
    let start = || {
        let mut command = relata();
        command.args(world.options()).args(["profiles", "import", &file.display().to_string(), "--batch", "500"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("a command")
    };
    let mut child = start();
    eventually("the first segments", PATIENCE, || {
        (world.count("SELECT CAST(count(*) AS text) FROM profile_segments WHERE state = 'live'") >= 2).then_some(())
    });
    child.kill().expect("it runs");
    child.wait().expect("its end");
    let before: u64 = count(world).parse().expect("a number");
    assert!(before > 0 && before < count_of as u64, "{before}");
    let ran = world.run(&["profiles", "import", &file.display().to_string()]);
    assert_eq!(ran.ok(), format!("imported {count_of}\trefused 0"));
    assert!(ran.err.contains("continuing after line"), "{ran}");
    assert_eq!(count(world), count_of.to_string());
    assert_eq!(
        world.count("SELECT CAST(count(*) AS text) FROM profiles"),
        count_of as u64,
        "the interrupted import left rows behind"
    );
    // After a complete import it starts from the beginning.
    let ran = world.run(&["profiles", "import", &file.display().to_string()]);
    assert!(!ran.err.contains("going on"), "{ran}");
    assert_eq!(count(world), count_of.to_string());
}

fn removed_profiles_are_gone(world: &World) {
    let key = world.key("sourcing");
    import(world, &engineers(5));
    assert_eq!(world.run(&["profiles", "remove", "e0001", "e0003", "nobody"]).ok(), "2");
    assert_eq!(found(&key, json!({"job_title": ["Engineer"]})), ["e0000", "e0002", "e0004"]);
    assert_eq!(world.count("SELECT CAST(count(*) AS text) FROM profiles"), 3, "removed profiles are deleted");
    assert_eq!(world.run(&["profiles", "remove", "--all"]).ok(), "3");
    assert_eq!((count(world), world.count("SELECT CAST(count(*) AS text) FROM profile_terms")), ("0".to_owned(), 0));
    world.run(&["profiles", "remove"]).refused();
}
