//! Email finders: well-known services, slow, failing, busy and wrong ones, and the operator's commands.

use serde_json::json;

use crate::enrichment::{ask, balance, enriched, outcomes, over, pairs, person};
use crate::support::*;

stories![
    well_known_finders_are_called_by_their_apis,
    faulty_providers_are_skipped,
    a_failing_provider_is_retried,
    a_busy_provider_is_retried_after_its_retry_after,
    a_slow_provider_does_not_delay_others,
    operators_add_list_test_and_remove_providers,
    providers_keep_their_secrets,
];

fn well_known_finders_are_called_by_their_apis(world: &World) {
    let (outside, key) = (Outside::new("[[rules]]\nmatch = \"mute\"\naction = \"find\"\n"), world.key("full_access"));
    let header = format!("x-api-key: {}", outside.sandbox.token);
    for (name, kind, at) in [
        ("Mute", "hunter", "mute"),
        ("Mute too", "apollo", "mute"),
        ("Hunter", "hunter", "h"),
        ("Apollo", "apollo", "a"),
    ] {
        let url = format!("{}/{at}", outside.sandbox.enrichment);
        world.cli(["enrichment", "add", "--name", name, "--kind", kind, "--url", &url, "--header", &header]).ok();
    }
    let company = key.post("/companies", json!({"name": "Aster Labs", "domain": "aster.example.com"})).created();
    let body = json!({"first_name": "Ada", "last_name": "Martin", "company_id": company["id"]});
    let ada = text(&key.post("/contacts", body).created()["id"]);
    let request = enriched(&key, &ada, json!({"types": ["email", "phone"]}));
    assert_eq!((&request["status"], &request["credits_consumed"]), (&json!("completed"), &json!(2)), "{request}");
    let email = &request["result"]["emails"][0];
    assert_eq!((&email["email"], &email["provider"]), (&json!("ada.martin@aster.example.com"), &json!("Hunter")));
    assert_eq!((&email["verified"], &email["confidence"]), (&json!(true), &json!(97)));
    assert_eq!(member(&request["result"]["phones"], "provider"), ["Apollo"]);
    let expected = [("Mute", "nothing"), ("Mute too", "nothing"), ("Hunter", "found"), ("Apollo", "found")];
    assert_eq!(outcomes(&request), pairs(&expected));
    let asked = outside.sandbox.asked();
    let kinds: Vec<&str> = asked.iter().map(|asked| asked.kind).collect();
    assert_eq!(kinds, ["hunter", "apollo", "hunter", "apollo"]);
    assert!(
        asked.iter().all(|asked| asked.key == text(&request["id"])),
        "one idempotency key for one request: {asked:?}"
    );

    // A contact without the required values is not looked up.
    let bob = text(&key.post("/contacts", json!({"first_name": "Bob"})).created()["id"]);
    let request = enriched(&key, &bob, json!({}));
    assert_eq!(request["status"], "failed");
    assert!(text(&request["error"]).contains("Hunter: the contact has no last_name"), "{request}");
    assert_eq!(outside.sandbox.asked().len(), 4);
}

fn faulty_providers_are_skipped(world: &World) {
    let lies = ["broken", "not_an_email", "wrong_person", "huge", "error_inside", "wrong"];
    let lie = |how: &&str| format!("[[rules]]\nmatch = \"{how}\"\naction = \"lie\"\nhow = \"{how}\"\n");
    let more = "[[rules]]\nmatch = \"forbidden\"\naction = \"error\"\nstatus = 403\ntext = \"The plan is over\"\n\
                [[rules]]\nmatch = \"gone\"\naction = \"error\"\nstatus = 404\n\
                [[rules]]\nmatch = \"cut\"\naction = \"disconnect\"\n\
                [[rules]]\nmatch = \"hangs\"\naction = \"time_out\"\n";
    let rules: String = lies.iter().map(lie).collect::<String>() + more;
    let (outside, key) = (Outside::new(&rules), world.key("full_access"));
    let wrong = [&lies[..], &["forbidden", "gone", "cut", "hangs"]].concat();
    for name in &wrong {
        outside.finder(world, name, &["--seconds", "1"]);
    }
    let dead = format!("http://127.0.0.1:{}/?q={{full_name}}", free_port());
    let good = outside.finder(world, "good", &[]);
    let ada = person(&key, "Ada", "Martin");
    let request = enriched(&key, &ada, json!({"types": ["email", "phone"]}));
    assert_eq!((&request["status"], &request["provider"]), (&json!("completed"), &json!("good")), "{request}");
    let reasons: Vec<(String, String)> = request["attempts"]
        .as_array()
        .expect("attempts")
        .iter()
        .map(|attempt| (text(&attempt["provider"]), attempt["reason"].as_str().unwrap_or_default().to_owned()))
        .collect();
    for (name, reason) in [
        ("broken", "the answer is not understood"),
        ("not_an_email", "is not an email address"),
        ("wrong_person", "the answer is about somebody else: Somebody Else"),
        ("huge", "the answer is too long"),
        ("error_inside", "The quota is used up"),
        ("forbidden", "403: The plan is over"),
        ("gone", ""),
        ("cut", "no answer"),
        ("hangs", "no answer in time"),
    ] {
        let said = reasons.iter().find(|(provider, _)| provider == name).expect(name);
        assert!(said.1.contains(reason), "{name}: {said:?}");
    }
    let asked: Vec<usize> = wrong.iter().map(|name| outside.asked(name)).collect();
    assert_eq!(asked, [1; 10], "a provider that may have charged is asked again");
    let contact = key.get(&format!("/contacts/{ada}")).ok();
    assert_eq!(member(&contact["emails"], "email"), ["ada.martin@asterlabs.example.com"]);
    assert_eq!(balance(&key), 998);

    // No provider is left that answers: the request fails and says why.
    world.cli(["enrichment", "remove", &good]).ok();
    for name in ["gone", "hangs", "cut", "wrong"] {
        world.cli(["enrichment", "remove", name]).ok();
    }
    let request = enriched(&key, &person(&key, "Bob", "Stone"), json!({}));
    assert_eq!((&request["status"], &request["credits_consumed"]), (&json!("failed"), &json!(0)));
    let error = text(&request["error"]);
    assert!(
        error.starts_with("no provider could answer: broken: ") && error.contains("403: The plan is over"),
        "{error}"
    );
    assert!(!error.contains(&outside.sandbox.token), "{error}");
    // The operator sees the error.
    world.cli(["enrichment", "add", "--name", "dead", "--kind", "json", "--url", &dead, "--email-path", "email"]).ok();
    let listed = world.cli(["enrichment", "list"]).ok().to_owned();
    assert!(listed.contains("The plan is over"), "{listed}");
    world.cli(["enrichment", "test", "dead"]).refused();
}

fn a_failing_provider_is_retried(world: &World) {
    let rules = "[[rules]]\nmatch = \"Ada *\"\naction = \"error\"\nstatus = 503\nretry_after = 0\ntimes = 2\n\
                 [[rules]]\nmatch = \"broken\"\naction = \"error\"\nstatus = 500\nretry_after = 0\n";
    let (outside, key) = (Outside::new(rules), world.key("full_access"));
    outside.finder(world, "shaky", &[]);
    let request = enriched(&key, &person(&key, "Ada", "Martin"), json!({}));
    assert_eq!(outcomes(&request), pairs(&[("shaky", "found")]));
    assert_eq!((outside.asked("shaky"), balance(&key)), (3, 999));
    let keys: Vec<String> = outside.sandbox.asked().into_iter().map(|asked| asked.key).collect();
    assert_eq!(keys, vec![text(&request["id"]); 3], "a retry has the same idempotency key");

    // Retries are limited.
    outside.finder(world, "broken", &["--position", "0"]);
    let request = enriched(&key, &person(&key, "Bob", "Stone"), json!({}));
    assert_eq!(outcomes(&request), pairs(&[("broken", "failed"), ("shaky", "found")]));
    assert_eq!(outside.asked("broken"), 3);
}

fn a_busy_provider_is_retried_after_its_retry_after(world: &World) {
    let rules = "[[rules]]\nmatch = \"busy\"\naction = \"error\"\nstatus = 429\nretry_after = 2\ntimes = 1\n\
                 [[rules]]\nmatch = \"shut\"\naction = \"error\"\nstatus = 429\nretry_after = 86400\n";
    let (outside, key) = (Outside::new(rules), world.key("full_access"));
    outside.finder(world, "busy", &["--hands", "1"]);
    let (ada, bob) = (person(&key, "Ada", "Martin"), person(&key, "Bob", "Stone"));
    let ids = [ask(&key, &ada, json!({})), ask(&key, &bob, json!({}))];
    for id in &ids {
        assert_eq!(over(&key, id)["status"], "completed");
    }
    let asked = outside.sandbox.asked();
    assert!(asked.windows(2).any(|two| two[1].at.duration_since(two[0].at).as_secs() >= 2), "{asked:?}");

    // A provider that asks to wait for a day is skipped at once.
    outside.finder(world, "shut", &["--position", "0"]);
    let request = enriched(&key, &person(&key, "Cyd", "Wood"), json!({}));
    assert_eq!(request["provider"], "busy");
    assert_eq!(outcomes(&request)[0], ("shut".to_owned(), "failed".to_owned()));
}

fn a_slow_provider_does_not_delay_others(world: &World) {
    let (outside, key) =
        (Outside::new("[[rules]]\nmatch = \"slow\"\naction = \"delay\"\nafter = 28\n"), world.key("full_access"));
    outside.finder(world, "slow", &["--hands", "3", "--seconds", "30"]);
    let other = world.workspace("other");
    let url = format!("{}/fast/find?first_name={{first_name}}", outside.sandbox.enrichment);
    let header = format!("x-api-key: {}", outside.sandbox.token);
    world
        .cli([
            "enrichment",
            "add",
            "--name",
            "fast",
            "--kind",
            "json",
            "--url",
            &url,
            "--header",
            &header,
            "--email-path",
            "emails.*.address",
            "--workspace",
            "other",
        ])
        .ok();
    let ids: Vec<String> = (0..12).map(|n| person(&key, "Ada", &format!("Martin{n}"))).collect();
    key.post("/enrichment", json!({ "contact_ids": ids })).is(202);
    eventually("the slow provider at its limit", PATIENCE, || (outside.asked("slow") == 3).then_some(()));

    let theirs = other.key("full_access");
    let request = enriched(&theirs, &person(&theirs, "Bob", "Stone"), json!({}));
    assert_eq!(request["status"], "completed");
    // The first three requests have no answer yet; without the limit others would have been sent.
    assert_eq!(outside.asked("slow"), 3, "no more requests in flight than its limit");
    // A request in flight does not keep the server from ending.
    world.kill9();
}

fn operators_add_list_test_and_remove_providers(world: &World) {
    let outside = Outside::new("[[rules]]\nmatch = \"Bob *\"\naction = \"find\"\n");
    let id = outside.finder(world, "first", &["--hands", "2", "--seconds", "7"]);
    outside.finder(world, "zeroth", &["--position", "0"]);
    let listed = world.cli(["enrichment", "list"]).ok().to_owned();
    let lines: Vec<&str> = listed.lines().collect();
    assert!(lines[0].contains("\tzeroth\temail,phone\t127.0.0.1:"), "{listed}");
    assert!(lines[1].starts_with(&format!("{id}\t1\tjson\tfirst\t")) && lines[1].ends_with("\t2\t7\t-"), "{listed}");
    let found = world.cli(["enrichment", "test", "first", "--company", "Aster Labs"]).ok().to_owned();
    assert!(
        found.contains("name\tAda Martin") && found.contains("email\tada.martin@asterlabs.example.com\tverified\t97"),
        "{found}"
    );
    assert!(world.cli(["enrichment", "test", &id, "--first-name", "Bob", "--company", "X"]).ok().ends_with("nothing"));
    assert!(world.cli(["enrichment", "test", "first"]).refused().contains("the person has no company"));
    assert_eq!(balance(&world.key("full_access")), 1000, "a test takes no credit");

    let add = |arguments: &[&str]| world.run(&[&["enrichment", "add"], arguments].concat());
    let json = ["--name", "x", "--kind", "json", "--email-path", "email"];
    for (arguments, reported) in [
        (
            &["--name", "x", "--kind", "fax", "--url", "http://x.example.com"][..],
            "--kind: must be one of json, hunter, apollo",
        ),
        (&["--name", "x", "--kind", "json"], "--url: is required"),
        (
            &["--name", "x", "--kind", "json", "--url", "http://x.example.com"],
            "--email-path: or --phone-path is required",
        ),
        (&[&json[..], &["--url", "ftp://x.example.com"]].concat(), "--url: is not an http(s) URL"),
        (
            &[&json[..], &["--url", "http://x.example.com/{shoe_size}"]].concat(),
            "--url: {shoe_size} is none of {first_name}",
        ),
        (&[&json[..], &["--url", "http://x.example.com", "--header", "secret"]].concat(), "--header: must look like"),
        (&[&json[..], &["--url", "http://x.example.com", "--body", "{"]].concat(), "--body: is not JSON"),
        (
            &[&json[..], &["--url", "http://x.example.com", "--seconds", "61"]].concat(),
            "--seconds: must be from 1 to 60",
        ),
        (&[&json[..], &["--url", "http://x.example.com", "--position", "1001"]].concat(), "position"),
        (&[&json[..], &["--url", "http://x.example.com", "--hands", "0"]].concat(), "hands: must be from 1 to 32"),
        (&["--name", "x", "--kind", "hunter"], "--header: is required"),
        (
            &["--name", "x", "--kind", "apollo", "--header", "a: b", "--email-path", "x"],
            "--email-path: is for the kind json",
        ),
        (
            &["--name", "FIRST", "--kind", "json", "--url", "http://x.example.com", "--email-path", "email"],
            "a provider called FIRST exists already",
        ),
    ] {
        let ran = add(arguments);
        assert!(ran.refused().contains(reported), "{reported}: {ran}");
    }
    world.cli(["enrichment", "remove", "first"]).ok();
    assert!(world.cli(["enrichment", "remove", "first"]).refused().contains("does not exist"));
    assert_eq!(world.cli(["enrichment", "list"]).ok().lines().count(), 1);
}

fn providers_keep_their_secrets(world: &World) {
    let (outside, key) = (Outside::new("token = \"s3cr3t-in-a-header\"\n"), world.key("full_access"));
    outside.finder(world, "first", &[]);
    assert!(!world.stores("s3cr3t-in-a-header"), "a secret is stored in the clear");
    assert!(!world.cli(["enrichment", "list"]).ok().contains("s3cr3t"));
    world.cli(["accounts", "rotate-secrets"]).ok();
    let request = enriched(&key, &person(&key, "Ada", "Martin"), json!({}));
    assert_eq!(request["status"], "completed", "{request}");
    assert!(!world.log().contains("s3cr3t"), "a secret is logged");
}
