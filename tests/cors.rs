//! Pages of other origins that call the API from a browser, where the operator allows it.

use std::collections::BTreeSet;
use std::fs;

use crate::dashboard::owner;
use crate::support::*;

stories![
    pages_of_an_allowed_origin_call_the_api,
    other_origins_get_nothing,
    the_dashboard_is_shared_with_no_origin,
    any_page_may_call_with_a_key_if_the_operator_says_so,
    origins_come_from_flag_environment_or_file,
    what_is_no_origin_is_refused_at_the_start,
];

const PAGE: &str = "https://app.example.com";
const NAMES: [&str; 6] = [
    "Access-Control-Allow-Origin",
    "Access-Control-Allow-Credentials",
    "Access-Control-Allow-Methods",
    "Access-Control-Allow-Headers",
    "Access-Control-Expose-Headers",
    "Access-Control-Max-Age",
];

/// Starts the server again with these origins.
fn allow(world: &World, origins: &str) {
    world.stop();
    world.start_by(&format!("exec \"$@\" --cors-origins '{origins}'"));
}

/// A browser's question before a request of a page.
#[track_caller]
fn ask(client: &Client, path: &str, origin: &str) -> Answer {
    let request = client.visit(path).method("OPTIONS").without("Authorization").header("Origin", origin);
    let request = request.header("Access-Control-Request-Method", "PUT");
    request
        .header("Access-Control-Request-Headers", "authorization,if-match")
        .try_send()
        .unwrap_or_else(|why| panic!("{why}"))
}

/// The same request from a page of the allowed origin.
fn from(request: Request<'_>) -> Request<'_> {
    request.header("Origin", PAGE)
}

fn listed(answer: &Answer, name: &str) -> BTreeSet<String> {
    answer.header(name).split(',').map(|word| word.trim().to_lowercase()).collect()
}

fn origin_of(answer: &Answer) -> Option<&str> {
    answer.find_header("Access-Control-Allow-Origin")
}

fn pages_of_an_allowed_origin_call_the_api(world: &World) {
    let key = world.key("full_access");
    allow(world, &format!("http://localhost:3000, {PAGE}/"));
    for path in ["/api/v1/contacts", "/api/v1/nothing/here", "/api/v1/openapi.json"] {
        let answer = ask(&key, path, PAGE);
        assert_eq!((answer.is(204).body.len(), origin_of(&answer)), (0, Some(PAGE)));
        assert_eq!(answer.find_header("Access-Control-Allow-Credentials"), None);
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] {
            assert!(listed(&answer, "Access-Control-Allow-Methods").contains(&method.to_lowercase()), "{answer}");
        }
        // Every header that the document describes for requests, and those of the key and the body.
        let document = document::of(&world.origin());
        let parameters = document.root["components"]["parameters"].as_object().cloned().unwrap_or_default();
        let described = parameters.values().filter(|one| one["in"] == "header").map(|one| text(&one["name"]));
        for name in described.chain(["Authorization", "Content-Type", "X-Request-Id"].map(str::to_owned)) {
            assert!(listed(&answer, "Access-Control-Allow-Headers").contains(&name.to_lowercase()), "{name}: {answer}");
        }
    }
    assert_eq!(origin_of(&ask(&key, "/api/v1/contacts", "http://localhost:3000")), Some("http://localhost:3000"));

    // Answers can be read, with the headers that the document describes, errors included.
    let made = from(key.request("POST", "/contacts").json(&serde_json::json!({"first_name": "Ada"}))).send();
    let path = format!("/contacts/{}", text(&made.created()["id"]));
    let whole = from(key.request("GET", &path)).send();
    let answers = [
        from(key.request("GET", &path).header("If-None-Match", whole.header("ETag"))).send(),
        from(key.request("PUT", &path).header("If-Match", "\"0-0\"").body("{}")).send(),
        from(key.request("GET", "/contacts?nonsense=1")).send(),
        from(key.request("GET", "/nowhere")).send(),
        from(world.stranger().request("GET", "/contacts")).send(),
        from(world.stranger().visit("/api/v1/openapi.json")).send(),
        from(key.request("GET", "/exports/contacts")).send(),
        made,
        whole,
    ];
    assert_eq!(answers.each_ref().map(|answer| answer.status), [304, 412, 400, 404, 401, 200, 200, 201, 200]);
    for answer in answers {
        assert_eq!(origin_of(&answer), Some(PAGE), "{answer}");
        assert!(answer.headers.get_all("Vary").iter().any(|value| value == "origin"), "{answer}");
        let exposed = listed(&answer, "Access-Control-Expose-Headers");
        let described = document::of(&world.origin()).root["components"]["headers"].clone();
        for name in described.as_object().into_iter().flatten().map(|(name, _)| name) {
            assert!(exposed.contains(&name.to_lowercase()), "{name} is not exposed: {answer}");
        }
        assert!(exposed.contains("retry-after"), "{answer}");
    }
    // A program that is no browser sends no origin.
    assert_eq!(origin_of(&key.get("/contacts")), None);
}

fn other_origins_get_nothing(world: &World) {
    let key = world.key("crm");
    allow(world, PAGE);
    for origin in [
        "https://evil.example.com",
        "https://app.example.com.evil.example",
        "https://evil-app.example.com",
        "https://app.example.com:8443",
        "http://app.example.com",
        "https://APP.example.com",
        "https://app.example.com/",
        "https://app.example.com, https://evil.example.com",
        "null",
        "*",
        "",
    ] {
        let preflight = ask(&key, "/api/v1/contacts", origin);
        let read = key.request("GET", "/contacts").header("Origin", origin).send();
        assert_eq!((preflight.status, read.status), (401, 200), "{preflight}");
        for answer in [preflight, read] {
            for name in NAMES {
                assert_eq!(answer.find_header(name), None, "{origin}: {answer}");
            }
            assert!(answer.headers.get_all("Vary").iter().any(|value| value == "origin"), "{answer}");
        }
    }
    // One origin is one header.
    let twice = Wire::open(&key, "GET", "/contacts", &[("Origin", PAGE), ("Origin", "https://evil.example.com")]);
    assert_eq!(origin_of(&twice.answer()), None);
}

fn the_dashboard_is_shared_with_no_origin(world: &World) {
    let ada = owner(world);
    for origins in [PAGE, "*"] {
        allow(world, origins);
        let answers = [
            from(ada.inside("GET", "/session")).send(),
            from(ada.inside("OPTIONS", "/keys").header("Access-Control-Request-Method", "POST")).send(),
            from(world.stranger().visit("/dashboard/sign-in").method("OPTIONS"))
                .header("Access-Control-Request-Method", "POST")
                .send(),
            from(world.stranger().visit("/")).send(),
            from(world.stranger().visit("/docs/")).send(),
            from(world.stranger().visit("/healthz")).send(),
            // With the cookie, which a browser sends to another port of the same host.
            from(ada.request("GET", "/contacts")).send(),
            from(ada.request("GET", "/contacts").header("Sec-Fetch-Site", "same-site")).send(),
        ];
        for answer in answers {
            for name in NAMES {
                assert_eq!(answer.find_header(name), None, "{answer}");
            }
        }
        // A page of an allowed origin can't write with the cookie either.
        let write = from(ada.request("POST", "/contacts").json(&serde_json::json!({"first_name": "Eve"})));
        write.header("Sec-Fetch-Site", "same-site").send().error(403, "cross_origin");
        assert_eq!(ada.get("/contacts").page().total(), 0);
    }
}

fn any_page_may_call_with_a_key_if_the_operator_says_so(world: &World) {
    let key = world.key("crm");
    allow(world, "*");
    for origin in [PAGE, "null", "https://anybody.example.com"] {
        let (preflight, read) =
            (ask(&key, "/api/v1/tags", origin), key.request("GET", "/tags").header("Origin", origin).send());
        assert_eq!((preflight.status, read.status), (204, 200));
        for answer in [preflight, read] {
            assert_eq!(origin_of(&answer), Some("*"));
            assert_eq!(answer.find_header("Access-Control-Allow-Credentials"), None);
        }
    }
}

fn origins_come_from_flag_environment_or_file(world: &World) {
    let key = world.key("crm");
    let shown = || {
        let all = ["https://a.example.com", "https://b.example.com", "https://c.example.com"];
        all.map(|origin| origin_of(&ask(&key, "/api/v1/tags", origin)).is_some())
    };
    world.stop();
    let settings = world.file("cors.toml");
    let text = "cors_origins = [\"https://a.example.com\", \"https://b.example.com\"]\n";
    fs::write(&settings, text).unwrap_or_else(|error| panic!("{error}"));
    world.start_by(&format!("exec \"$@\" --config {}", settings.display()));
    assert_eq!(shown(), [true, true, false]);
    world.stop();
    world.start_by(&format!("RELATA_CORS_ORIGINS=https://c.example.com exec \"$@\" --config {}", settings.display()));
    assert_eq!(shown(), [false, false, true]);
    world.stop();
    world.start_by("RELATA_CORS_ORIGINS=https://c.example.com exec \"$@\" --cors-origins https://b.example.com");
    assert_eq!(shown(), [false, true, false]);
    world.stop();
    world.start_by("RELATA_CORS_ORIGINS= exec \"$@\"");
    assert_eq!(shown(), [false, false, false]);
}

fn what_is_no_origin_is_refused_at_the_start(world: &World) {
    let fresh = world.untouched();
    for (origins, why) in [
        ("app.example.com", "app.example.com does not begin with http:// or https://"),
        ("https://*.example.com", "wildcard"),
        ("https://app.example.com,*", "no other origin can stand beside it"),
        ("null", "sandboxed frames"),
        ("https://app.example.com/login", "has a path"),
        ("https://app.example.com?a", "has a query"),
        ("https://u:p@app.example.com", "holds a user or a password"),
    ] {
        let ran = fresh.run(&["serve", "--listen", "127.0.0.1:0", "--cors-origins", origins]);
        let said = ran.refused();
        assert!(said.contains("--cors-origins") && said.contains(why) && !said.contains("u:p"), "{ran}");
        assert_eq!(ran.code, Some(2), "{ran}");
    }
}
