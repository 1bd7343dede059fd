//! Searching a professional network through a connected account, over real sockets to a server that may be slow, strict
//! or wrong.

use serde_json::{Value, json};

use crate::sourcing::{add, project};
use crate::support::*;

stories![
    places_are_resolved_to_ids,
    people_are_found_page_by_page,
    a_page_is_found_by_its_number_too,
    people_who_are_known_are_marked,
    jobs_are_found_by_keywords_and_places,
    jobs_are_found_by_the_address_of_a_search,
    a_cursor_belongs_to_its_search_and_account,
    invalid_searches_are_refused,
    accounts_that_can_not_search_are_refused,
    a_throttled_network_is_retried_after_its_retry_after,
    an_account_has_a_search_limit,
    a_slow_account_does_not_delay_others,
    a_network_with_wrong_answers_does_no_harm,
    a_search_sent_again_is_not_made_again,
];

const EVERYBODY: &str = "people = 300\n";

fn search(key: &Client, account: &str, more: Value) -> Answer {
    let mut body = json!({ "account_id": account });
    for (name, value) in more.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    key.post("/sourcing/network/search", body)
}

fn jobs(key: &Client, account: &str, more: Value) -> Answer {
    let mut body = json!({ "account_id": account });
    for (name, value) in more.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    key.post("/sourcing/network/jobs", body)
}

fn places(key: &Client, account: &str, q: &str) -> Answer {
    key.list("/sourcing/network/locations", &[("q", q), ("account_id", account)])
}

fn ids(found: &Value) -> Vec<String> {
    found["profiles"].as_array().expect("profiles").iter().map(|it| text(&it["profile_id"])).collect()
}

fn places_are_resolved_to_ids(world: &World) {
    let (outside, key) = (Outside::new(EVERYBODY), world.key("sourcing:read"));
    let account = outside.provider(world, "network");
    let found = places(&key, &account, "berlin").page();
    assert_eq!(found.rows, [json!({"id": "loc-3", "title": "Berlin, Germany"})]);
    assert_eq!(places(&key, &account, "nowhere at all").page().total(), 0);
    key.list("/sourcing/network/locations", &[("q", "b"), ("account_id", &account), ("api_type", "classic")]).page();
    let refused =
        key.list("/sourcing/network/locations", &[("q", "b"), ("account_id", &account), ("api_type", "recruiter")]);
    refused.error(400, "validation_error").says("api_type: the account Ann may not use recruiter; it has classic");
    let wrong = |parameters: &[(&str, &str)], says: &str| {
        key.list("/sourcing/network/locations", parameters).error(400, "validation_error").says(says);
    };
    wrong(&[("account_id", &account)], "q: is required");
    wrong(&[("account_id", &account), ("q", "")], "q: must not be empty");
    wrong(&[("account_id", &account), ("q", &"x".repeat(101))], "q: must be at most 100");
    wrong(&[("q", "berlin")], "account_id: is required");
    wrong(&[("q", "berlin"), ("account_id", "5")], "account_id: must be a uuid");
    wrong(&[("q", "berlin"), ("account_id", &account), ("api_type", "gold")], "api_type: must be one of");
    wrong(&[("q", "berlin"), ("account_id", &account), ("limit", "5")], "limit: is not a parameter");
    places(&key, &nobody(), "berlin").error(404, "not_found").says("connected account");
    let theirs = world.workspace("theirs").key("full_access");
    places(&theirs, &account, "berlin").error(404, "not_found");
    places(&world.key("sourcing:write"), &account, "b").error(403, "insufficient_scope").says("sourcing:read");
}

fn people_are_found_page_by_page(world: &World) {
    let (outside, key) = (Outside::new(EVERYBODY), world.key("sourcing:read"));
    let account = outside.provider(world, "network");
    let everybody = search(&key, &account, json!({})).ok();
    assert_eq!((&everybody["total_count"], &everybody["filtered_count"]), (&json!(300), &json!(300)));
    assert_eq!(ids(&everybody).len(), 25);
    assert_eq!((&everybody["next_page"], &everybody["has_more"]), (&json!(2), &json!(true)));
    let titles = json!({"job_titles": ["engineer", "recruiter"], "page_size": 40});
    let (mut seen, mut page, mut total) = (Vec::new(), search(&key, &account, titles).ok(), 0);
    loop {
        seen.extend(ids(&page));
        total += 1;
        assert_eq!(page["cursor"].is_null(), page["has_more"] == false);
        if page["has_more"] == false {
            break;
        }
        page = search(&key, &account, json!({"cursor": page["cursor"]})).ok();
    }
    assert!(total > 1, "there is only one page");
    assert_eq!(seen.len() as i64, page["total_count"].as_i64().expect("a count"));
    let mut once = seen.clone();
    once.sort();
    once.dedup();
    assert_eq!(once.len(), seen.len());
    // Every filter reduces the results.
    let places = json!({"location_ids": {"loc-3": "Berlin, Germany"}, "page_size": 100});
    let berlin = search(&key, &account, places).ok();
    assert!(!ids(&berlin).is_empty());
    assert!(berlin["profiles"].as_array().expect("some").iter().all(|it| it["location"] == "Berlin, Germany"));
    let grown = search(&key, &account, json!({"years_experience": {"min": 8, "max": 10}, "page_size": 100})).ok();
    assert!(!ids(&grown).is_empty());
    let years = |it: &Value| it["total_years_experience"].as_i64().expect("years");
    assert!(grown["profiles"].as_array().expect("some").iter().all(|it| (8..=10).contains(&years(it))));
    let both = search(&key, &account, json!({"boolean_query": "rust AND NOT go", "page_size": 100})).ok();
    assert!(!ids(&both).is_empty());
    assert!(
        both["profiles"].as_array().expect("some").iter().all(|it| !strings(&it["skills"]).contains(&"Go".to_owned()))
    );
    let nobody = search(&key, &account, json!({"boolean_query": "unobtainium"})).ok();
    assert_eq!((&nobody["profiles"], &nobody["filters_too_strict"]), (&json!([]), &json!(true)));
}

fn a_page_is_found_by_its_number_too(world: &World) {
    let (outside, key) = (Outside::new(EVERYBODY), world.key("sourcing:read"));
    let account = outside.provider(world, "network");
    let by_number = |page: i64| ids(&search(&key, &account, json!({"page": page, "page_size": 20})).ok());
    let third = by_number(3);
    let first = search(&key, &account, json!({"page_size": 20})).ok();
    let second = search(&key, &account, json!({"cursor": first["cursor"]})).ok();
    assert_eq!(ids(&search(&key, &account, json!({"cursor": second["cursor"], "page": 3})).ok()), third);
    assert_eq!(by_number(2), ids(&second));
    assert_eq!((by_number(13).len(), by_number(15).len()), (20, 20));
    let over = search(&key, &account, json!({"page": 16, "page_size": 20})).ok();
    assert_eq!((&over["profiles"], &over["has_more"], &over["total_count"]), (&json!([]), &json!(false), &json!(300)));
    let far = search(&key, &account, json!({"page": 900, "page_size": 20})).error(400, "validation_error");
    far.says("page: is ");
    search(&key, &account, json!({"cursor": first["cursor"], "page": 7}))
        .error(400, "validation_error")
        .says("page: is not that of the cursor");
}

fn people_who_are_known_are_marked(world: &World) {
    let (outside, key) = (Outside::new(EVERYBODY), world.key("full_access"));
    let account = outside.provider(world, "network");
    let (first, second) = (project(&key, "First"), project(&key, "Second"));
    let found = search(&key, &account, json!({"page_size": 3})).ok()["profiles"].clone();
    let body = json!({"project_id": first["id"], "profiles": [found[0], found[1]], "account_id": account});
    let taken = key.post("/sourcing/add-to-project", body).ok()["contact_ids"].clone();
    let marked = |project: &Value| {
        let page = search(&key, &account, json!({"page_size": 3, "project_id": project["id"]})).ok();
        let mark = |it: &Value| (it["already_in_project"].clone(), it["existing_contact_id"].clone());
        page["profiles"].as_array().expect("profiles").iter().map(mark).collect::<Vec<_>>()
    };
    let known = |inside: bool| {
        let somebody = |at: usize| (json!(inside), taken[at].clone());
        vec![somebody(0), somebody(1), (json!(false), json!(null))]
    };
    assert_eq!(marked(&first), known(true));
    assert_eq!(marked(&second), known(false));
    assert_eq!(add(&key, &first, found)["added"], 1);
    search(&key, &account, json!({"project_id": nobody()}))
        .error(400, "validation_error")
        .says("project_id: no project");
}

fn jobs_are_found_by_keywords_and_places(world: &World) {
    let (outside, key) = (Outside::new(EVERYBODY), world.key("sourcing:read"));
    let account = outside.provider(world, "network");
    let mut page = jobs(&key, &account, json!({"keywords": "engineer"})).ok();
    let total = page["paging"]["total_count"].as_i64().expect("a count");
    assert!(total > 25, "{total}");
    assert_eq!(page["paging"], json!({"start": 0, "page_count": 25, "total_count": total}));
    let job = &page["items"][0];
    for member in ["id", "title", "company", "location", "url", "posted_at", "reposted", "workplace_type", "easy_apply"]
    {
        assert!(job.get(member).is_some(), "{member}");
    }
    assert!(text(&job["posted_at"]).ends_with(".000Z"), "{job}");
    let mut seen = 0;
    loop {
        let count = page["items"].as_array().expect("items").len() as i64;
        assert_eq!(page["paging"], json!({"start": seen, "page_count": count, "total_count": total}));
        seen += count;
        assert_eq!(page["cursor"].is_null(), page["has_more"] == false);
        if page["has_more"] == false {
            break;
        }
        page = jobs(&key, &account, json!({"cursor": page["cursor"], "page_size": 20})).ok();
    }
    assert_eq!(seen, total);
    let berlin = jobs(&key, &account, json!({"keywords": "engineer", "location_ids": {"loc-3": "Berlin"}})).ok();
    assert!(berlin["items"].as_array().expect("items").iter().all(|it| it["location"] == "Berlin, Germany"));
    let none = jobs(&key, &account, json!({"keywords": "unobtainium"})).ok();
    assert_eq!(
        none,
        json!({"items": [], "paging": {"start": 0, "page_count": 0, "total_count": 0}, "cursor": null, "has_more": false})
    );
}

fn jobs_are_found_by_the_address_of_a_search(world: &World) {
    let (outside, key) = (Outside::new(EVERYBODY), world.key("sourcing:read"));
    let account = outside.provider(world, "network");
    let url = "https://network.example.com/jobs/search?keywords=engineer";
    let by_url = jobs(&key, &account, json!({"url": url, "page_size": 5})).ok();
    let by_words = jobs(&key, &account, json!({"keywords": "engineer", "page_size": 5})).ok();
    assert_eq!(by_url["items"], by_words["items"]);
    let next = jobs(&key, &account, json!({"cursor": by_url["cursor"], "url": url})).ok();
    assert_eq!(next["paging"]["start"], 5);
    let wrong = |body: Value, says: &str| {
        jobs(&key, &account, body).error(400, "validation_error").says(says);
    };
    wrong(json!({}), "keywords: is required, or url, or the cursor of a page before");
    wrong(json!({"location_ids": {"loc-3": "Berlin"}}), "keywords: is required");
    wrong(json!({"url": url, "keywords": "x"}), "url: stands for the whole search");
    wrong(json!({"url": url, "location_ids": {"loc-3": "Berlin"}}), "url: stands for the whole search");
    wrong(json!({"url": "jobs"}), "url: must be an http or https URL");
    wrong(json!({"keywords": "x", "page_size": 26}), "page_size: must be from 1 to 25");
    wrong(json!({"keywords": "x", "page_size": 0}), "page_size: must be from 1 to 25");
    wrong(json!({"keywords": "x", "pages": 1}), "pages: is not a member of this body");
}

fn a_cursor_belongs_to_its_search_and_account(world: &World) {
    let (outside, key) = (Outside::new(EVERYBODY), world.key("full_access"));
    let (account, other) = (outside.provider(world, "network"), outside.provider(world, "network"));
    let first =
        jobs(&key, &account, json!({"keywords": "engineer", "location_ids": {"loc-3": "Berlin"}, "page_size": 1})).ok();
    let cursor = &first["cursor"];
    let wrong = |answer: Answer, says: &str| {
        answer.error(400, "validation_error").says(says);
    };
    // The same filters may accompany the cursor, others may not.
    jobs(&key, &account, json!({"cursor": cursor, "keywords": "engineer", "location_ids": {"loc-3": "B"}})).ok();
    wrong(
        jobs(&key, &account, json!({"cursor": cursor, "keywords": "nurse"})),
        "keywords: is not that of the search that the cursor belongs to",
    );
    wrong(
        jobs(&key, &account, json!({"cursor": cursor, "location_ids": {}})),
        "location_ids: is not that of the search",
    );
    wrong(
        jobs(&key, &account, json!({"cursor": cursor, "url": "https://network.example.com/"})),
        "url: is not that of the search",
    );
    wrong(jobs(&key, &other, json!({"cursor": cursor})), "cursor: is of another account");
    wrong(search(&key, &account, json!({"cursor": cursor})), "cursor: is not a cursor of this search");
    for nonsense in ["x", "e30", "W10", &text(cursor)[..20]] {
        wrong(
            jobs(&key, &account, json!({"cursor": nonsense})),
            "cursor: is not a cursor of this search; begin again without it",
        );
    }
    let people = search(&key, &account, json!({"job_titles": ["engineer"]})).ok();
    search(&key, &account, json!({"cursor": people["cursor"], "job_titles": ["engineer"]})).ok();
    wrong(
        search(&key, &account, json!({"cursor": people["cursor"], "job_titles": ["nurse"]})),
        "job_titles: is not that of the search",
    );
    wrong(
        search(&key, &account, json!({"cursor": people["cursor"], "years_experience": {"min": 3}})),
        "years_experience: is not",
    );
    wrong(search(&key, &account, json!({"cursor": people["cursor"], "boolean_query": "x"})), "boolean_query: is not");
    // A cursor of another workspace is invalid, whatever account it has.
    let theirs = world.workspace("theirs");
    let url = outside.sandbox.network.clone();
    let add = [
        "accounts",
        "add",
        "--provider",
        "network",
        "--name",
        "Bob",
        "--url",
        &url,
        "--token",
        "sandbox",
        "--workspace",
        "theirs",
    ];
    let account = world.run(&add).ok().to_owned();
    wrong(jobs(&theirs.key("full_access"), &account, json!({"cursor": cursor})), "cursor: is not a cursor");
}

fn invalid_searches_are_refused(world: &World) {
    let (outside, key) = (Outside::new(EVERYBODY), world.key("sourcing:read"));
    let account = outside.provider(world, "network");
    let hint = "GET /sourcing/network/locations?q=<name>&account_id=<id>";
    for wrong in [
        json!(["Berlin"]),
        json!("Berlin"),
        json!(7),
        json!({"Berlin": "Berlin"}),
        json!({"New York": "New York"}),
        json!({"": "x"}),
    ] {
        for answer in [
            search(&key, &account, json!({"location_ids": wrong})),
            jobs(&key, &account, json!({"keywords": "x", "location_ids": wrong})),
        ] {
            answer.error(400, "validation_error").says("location_ids").says(hint);
        }
    }
    let wrong = |body: Value, says: &str| {
        search(&key, &account, body).error(400, "validation_error").says(says);
    };
    wrong(json!({"location_ids": {"loc-3": 5}}), "location_ids.loc-3: must be the name of the place");
    wrong(json!({"location_ids": ["x"], "page_size": 101, "job_titles": "x"}), "page_size: must be from 1 to 100");
    wrong(json!({"years_experience": {"min": 5, "max": 3}}), "years_experience.min: must not be above max");
    wrong(json!({"years_experience": {"min": -1}}), "years_experience.min: must be from 0 to 80");
    wrong(json!({"page": 0}), "page: must be from 1");
    wrong(json!({"jobtitles": ["x"]}), "jobtitles: is not a member of this body (did you mean job_titles?)");
    wrong(json!({"api_type": "recruiter"}), "api_type: the account Ann may not use recruiter; it has classic");
    key.post("/sourcing/network/search", json!({})).error(400, "validation_error").says("account_id: is required");
    key.post("/sourcing/network/jobs", json!({"keywords": "x"}))
        .error(400, "validation_error")
        .says("account_id: is required");
}

fn accounts_that_can_not_search_are_refused(world: &World) {
    let (outside, key) = (Outside::new(EVERYBODY), world.key("sourcing:read"));
    let refused = |account: &str, says: &str| {
        search(&key, account, json!({})).error(400, "validation_error").says(says);
        jobs(&key, account, json!({"keywords": "x"})).error(400, "validation_error").says(says);
    };
    refused(&nobody(), "account_id: no connected account has this id");
    refused(
        &outside.provider(world, "chat"),
        "account_id: the account Ann is for chat; an account of a network is needed",
    );
    let account = outside.provider(world, "network");
    // From now on the network accepts another token, so it refuses the account.
    outside.play("token = \"other\"\npeople = 300\n");
    refused(&account, "account_id: the account Ann is refused by its network (401: The token is not good)");
    refused(&account, &format!("relata accounts set {account}"));
    outside.play("people = 300\n[[rules]]\naction = \"error\"\nstatus = 402\nmatch = \"search\"\ntext = \"The quota is spent\"\n");
    refused(&account, "(402: The quota is spent)");
    outside.play(
        "people = 300\n[[rules]]\naction = \"error\"\nstatus = 422\nmatch = \"search\"\ntext = \"No such place\"\n",
    );
    refused(&account, "search: the account Ann: its network refuses the search (422: No such place)");
    for status in [500, 502, 504] {
        outside.play(&format!(
            "people = 300\n[[rules]]\naction = \"error\"\nstatus = {status}\nmatch = \"search\"\ntext = \"Broken\"\n"
        ));
        let answer = search(&key, &account, json!({}));
        answer.error(503, "unavailable").says("the account Ann could not be asked").says("Broken");
    }
    outside.play("people = 300\n[[rules]]\naction = \"disconnect\"\nmatch = \"search\"\n");
    search(&key, &account, json!({})).error(503, "unavailable").says("the account Ann could not be asked");
    outside.play(EVERYBODY);
    search(&key, &account, json!({})).ok();
    world.cli(["accounts", "remove", &account]).ok();
    refused(&account, "account_id: the account Ann was removed");
    // A network that does not answer at all.
    let account = outside.provider(world, "network");
    drop(outside);
    search(&key, &account, json!({})).error(503, "unavailable").says("the account Ann could not be asked");
}

fn a_throttled_network_is_retried_after_its_retry_after(world: &World) {
    let (outside, key) = (Outside::new(EVERYBODY), world.key("sourcing:read"));
    let (account, other) = (outside.provider(world, "network"), outside.provider(world, "network"));
    outside.play("people = 300\n[[rules]]\naction = \"error\"\nstatus = 429\nretry_after = 2\ntimes = 1\nmatch = \"search\"\ntext = \"Slow down\"\n");
    let answer = search(&key, &account, json!({}));
    answer
        .error(503, "unavailable")
        .says("was asked by its network for patience (429: Slow down); try again in 2 seconds");
    assert_eq!(answer.header("Retry-After"), "2");
    // It is not asked again before that time; another account is.
    let answer = jobs(&key, &account, json!({"keywords": "x"}));
    answer.error(503, "unavailable").says("the account Ann was asked by its network for patience");
    assert!(["1", "2"].contains(&answer.header("Retry-After")));
    search(&key, &other, json!({})).ok();
    eventually("the end of the wait", PATIENCE, || (search(&key, &account, json!({})).status == 200).then_some(()));
}

fn an_account_has_a_search_limit(world: &World) {
    let (outside, key) = (Outside::new(EVERYBODY), world.key("sourcing:read"));
    let account = outside.provider(world, "network");
    world.cli(["accounts", "set", &account, "--search-limit", "3"]).ok();
    assert_eq!(key.get(&format!("/connected-accounts/{account}")).ok()["search_limit"], 3);
    search(&key, &account, json!({})).ok();
    jobs(&key, &account, json!({"keywords": "x"})).ok();
    places(&key, &account, "berlin").page();
    for answer in [search(&key, &account, json!({})), places(&key, &account, "berlin")] {
        answer
            .error(503, "unavailable")
            .says("the account Ann has made the 3 searches that it may in 24 hours (search_limit)");
        let seconds: i64 = answer.header("Retry-After").parse().expect("seconds");
        assert!((86_000..=86_400).contains(&seconds), "{seconds}");
    }
    // Searches that were refused before they were sent do not count.
    world.cli(["accounts", "set", &account, "--search-limit", "4"]).ok();
    search(&key, &account, json!({"page": 0})).error(400, "validation_error");
    search(&key, &account, json!({})).ok();
    world.change("UPDATE account_states SET searched_from = searched_from - 86400000");
    search(&key, &account, json!({})).ok();
    assert!(
        world
            .cli(["accounts", "set", &account, "--search-limit", "0"])
            .refused()
            .contains("search_limit: must be from 1")
    );
}

fn a_slow_account_does_not_delay_others(world: &World) {
    world.stop();
    world.start_by("exec \"$@\" --search-seconds 10");
    let (fast, slow, key) = (Outside::new(EVERYBODY), Outside::new(EVERYBODY), world.key("full_access"));
    let (quick, hanging) = (fast.provider(world, "network"), slow.provider(world, "network"));
    slow.play("people = 300\n[[rules]]\naction = \"time_out\"\nmatch = \"search\"\n");
    std::thread::scope(|scope| {
        // More requests than its limit in flight, and more than there are threads.
        let waiting: Vec<_> = (0..40).map(|_| scope.spawn(|| search(&key, &hanging, json!({})))).collect();
        pause();
        for _ in 0..5 {
            search(&key, &quick, json!({})).ok();
            key.post("/contacts", json!({"first_name": "Ada"})).created();
            key.get("/contacts").page();
        }
        assert!(!waiting.iter().any(|one| one.is_finished()), "the searches ended before the other requests");
        for one in waiting {
            let answer = one.join().expect("an answer");
            answer.error(503, "unavailable").says("the account Ann did not answer within 10 seconds");
        }
    });
    // The server waits for a slow account.
    slow.play("people = 300\n[[rules]]\naction = \"delay\"\nafter = 0.5\nmatch = \"search\"\n");
    search(&key, &hanging, json!({})).ok();
}

fn a_network_with_wrong_answers_does_no_harm(world: &World) {
    let (outside, key) = (Outside::new(EVERYBODY), world.key("full_access"));
    let account = outside.provider(world, "network");
    let lies = |how: &str| {
        outside.play(&format!("people = 300\n[[rules]]\naction = \"lie\"\nhow = \"{how}\"\nmatch = \"search\"\n"))
    };
    for how in ["broken", "wrong"] {
        lies(how);
        for answer in [
            search(&key, &account, json!({})),
            jobs(&key, &account, json!({"keywords": "x"})),
            places(&key, &account, "b"),
        ] {
            answer
                .error(503, "unavailable")
                .says("the account Ann could not be asked")
                .says("the answer is not understood");
        }
    }
    lies("endless");
    search(&key, &account, json!({})).error(503, "unavailable").says("the answer is too long");
    lies("huge");
    let huge = search(&key, &account, json!({"page_size": 2}));
    assert!(huge.text().len() < 100_000, "{} bytes", huge.text().len());
    assert_eq!(text(&huge.ok()["profiles"][0]["summary"]).len(), 10_000);
    lies("greedy");
    let greedy = search(&key, &account, json!({"page_size": 2})).ok();
    assert_eq!((ids(&greedy).len(), &greedy["total_count"]), (2, &json!(2)));
    lies("circle");
    let first = search(&key, &account, json!({"page_size": 2})).ok();
    let second = search(&key, &account, json!({"cursor": first["cursor"]})).ok();
    assert_eq!(
        (&second["has_more"], &second["cursor"]),
        (&json!(false), &json!(null)),
        "a cursor that repeats is dropped"
    );
    let far = search(&key, &account, json!({"page": 9, "page_size": 2})).ok();
    assert_eq!((&far["profiles"], &far["has_more"]), (&json!([]), &json!(false)));
    let first = jobs(&key, &account, json!({"keywords": "engineer", "page_size": 2})).ok();
    assert_eq!(jobs(&key, &account, json!({"cursor": first["cursor"]})).ok()["has_more"], false);
    // Afterwards it works as before.
    outside.play(EVERYBODY);
    search(&key, &account, json!({})).ok();
}

fn a_search_sent_again_is_not_made_again(world: &World) {
    let (outside, key) = (Outside::new(EVERYBODY), world.key("sourcing:read"));
    let account = outside.provider(world, "network");
    let body = json!({"account_id": account, "page_size": 1});
    let send = || key.request("POST", "/sourcing/network/search").header("Idempotency-Key", "once").json(&body).send();
    let first = send().ok();
    outside.play("people = 300\n[[rules]]\naction = \"error\"\nmatch = \"search\"\n");
    assert_eq!(send().ok(), first);
}
