//! Compressed answers: what they contain, their headers, and their ETags.

use std::io::Read;

use flate2::read::GzDecoder;
use serde_json::{Value, json};

use crate::dashboard::owner;
use crate::support::*;

stories![
    answers_are_compressed_if_the_client_accepts_it,
    the_client_chooses_the_coding,
    an_etag_of_a_compressed_answer_is_known,
    exports_are_compressed_while_they_are_sent,
    errors_files_and_streams_stay_as_they_are,
    answers_of_the_dashboard_are_not_compressed,
];

/// Two hundred contacts, whose list is long enough to be compressed.
fn fill(key: &Client) {
    for part in 0..2 {
        let items: Vec<Value> = (0..100)
            .map(|n| json!({"op": "create", "data": {"first_name": format!("Ada {part} {n}"), "summary": "Knows SQL, Rust and Spanish. ".repeat(n % 7)}}))
            .collect();
        key.post("/contacts/bulk", json!({"items": items})).is(200);
    }
}

#[track_caller]
fn sent(request: Request<'_>) -> Answer {
    // A compressed body is not JSON, so it is not compared with the document.
    request.try_send().unwrap_or_else(|why| panic!("{why}"))
}

#[track_caller]
fn packed(key: &Client, path: &str) -> Answer {
    sent(key.request("GET", path).header("Accept-Encoding", "gzip"))
}

#[track_caller]
fn unpacked(answer: &Answer) -> Vec<u8> {
    assert_eq!(answer.find_header("Content-Encoding"), Some("gzip"), "{}", answer.status);
    let mut plain = Vec::new();
    GzDecoder::new(&answer.body[..]).read_to_end(&mut plain).unwrap_or_else(|error| panic!("no gzip: {error}"));
    plain
}

fn varies(answer: &Answer) -> bool {
    answer.headers.get_all("Vary").iter().any(|value| value == "accept-encoding")
}

fn answers_are_compressed_if_the_client_accepts_it(world: &World) {
    let key = world.key("crm");
    fill(&key);
    let path = "/contacts?limit=100&sort=first_name";
    let plain = key.get(path);
    assert_eq!((plain.find_header("Content-Encoding"), varies(&plain)), (None, true));
    let small = packed(&key, path);
    assert_eq!(unpacked(&small), plain.body);
    assert!(small.body.len() * 4 < plain.body.len() && varies(&small), "{} of {}", small.body.len(), plain.body.len());
    assert_eq!(small.number("Content-Length"), small.body.len() as i64);
    assert_eq!(small.header("Content-Type"), "application/json");
    small.number("X-RateLimit-Remaining");
    let head = sent(key.request("HEAD", path).header("Accept-Encoding", "gzip"));
    assert_eq!((head.header("Content-Encoding"), head.body.len()), ("gzip", 0));
    // A short answer is not worth it.
    let tags = packed(&key, "/tags");
    assert_eq!((tags.find_header("Content-Encoding"), varies(&tags)), (None, true));
    assert_eq!(tags.json["data"], json!([]));
    // Answers to writes, too.
    let items: Vec<Value> =
        (0..50).map(|n| json!({"op": "create", "data": {"first_name": format!("Ben {n}")}})).collect();
    let body = json!({"items": items});
    let written = sent(key.request("POST", "/contacts/bulk").json(&body).header("Accept-Encoding", "gzip"));
    let results: Value = serde_json::from_slice(&unpacked(&written)).unwrap_or_default();
    assert_eq!(results["data"]["results"].as_array().map(Vec::len), Some(50), "{results}");
}

fn the_client_chooses_the_coding(world: &World) {
    let key = world.key("crm");
    fill(&key);
    let coding = |accepted: &str| {
        let answer = sent(key.request("GET", "/contacts").header("Accept-Encoding", accepted));
        answer.find_header("Content-Encoding").map(str::to_owned)
    };
    for accepted in ["gzip", "GZip", "deflate, gzip;q=0.5, br", "identity;q=0.5, gzip"] {
        assert_eq!(coding(accepted).as_deref(), Some("gzip"), "{accepted}");
    }
    for accepted in ["", "identity", "br", "*", "gzip;q=0", "gzip;q=0.5, identity", "gzip;q=much", ";;q,,=", "x-gzip-x"]
    {
        assert_eq!(coding(accepted), None, "{accepted}");
    }
}

fn an_etag_of_a_compressed_answer_is_known(world: &World) {
    let key = world.key("crm");
    let long = "Knows SQL. ".repeat(200);
    let made = key.post("/contacts", json!({"first_name": "Ada", "summary": long})).created();
    let path = format!("/contacts/{}", text(&made["id"]));
    let plain = key.get(&path).header("ETag").to_owned();
    let tag = packed(&key, &path).header("ETag").to_owned();
    assert_eq!(tag, format!("{}-gzip\"", plain.trim_end_matches('"')));
    for (accepted, known) in [("gzip", &tag), ("gzip", &plain), ("identity", &tag), ("identity", &plain)] {
        let request = key.request("GET", &path).header("Accept-Encoding", accepted).header("If-None-Match", known);
        let again = request.send();
        assert_eq!((again.is(304).header("ETag"), again.find_header("Content-Encoding")), (known.as_str(), None));
        assert!(varies(&again), "{again}");
    }
    let put = |tag: &str, title: &str| {
        key.request("PUT", &path).header("If-Match", tag).json(&json!({"title": title})).send()
    };
    put(&tag, "CTO").is(200);
    put(&tag, "CEO").error(412, "precondition_failed");
    let stale = key.request("GET", &path).header("If-None-Match", &tag).send();
    assert_eq!(stale.is(200).json["data"]["title"], "CTO");
}

fn exports_are_compressed_while_they_are_sent(world: &World) {
    let key = world.key("crm");
    for path in ["/exports/contacts", "/exports/contacts?format=ndjson"] {
        assert_eq!(unpacked(&packed(&key, path)), key.get(path).body, "an empty export");
    }
    // More than one page of a thousand records.
    for _ in 0..6 {
        fill(&key);
    }
    for path in ["/exports/contacts", "/exports/contacts?format=ndjson"] {
        let (plain, small) = (key.get(path), packed(&key, path));
        assert_eq!(plain.find_header("Content-Encoding"), None);
        assert_eq!(unpacked(&small), plain.body);
        assert!(small.body.len() * 5 < plain.body.len(), "{} of {}", small.body.len(), plain.body.len());
        assert_eq!(small.header("Content-Disposition"), plain.header("Content-Disposition"));
    }
}

fn errors_files_and_streams_stay_as_they_are(world: &World) {
    let key = world.key("full_access");
    let contact = format!("/contacts/{}", text(&key.post("/contacts", json!({"first_name": "Ada"})).created()["id"]));
    let content = "name,city\n".repeat(1_000);
    let file = key.upload(&format!("{contact}/files"), "people.csv", content.as_bytes()).created();
    let answer = packed(&key, &format!("{contact}/files/{}/content", text(&file["id"])));
    assert_eq!((answer.find_header("Content-Encoding"), answer.text()), (None, content));
    let stream = packed(&key, "/events/stream");
    assert_eq!((stream.status, stream.find_header("Content-Encoding")), (200, None));
    // A short error is readable without a decoder, a long one is compressed.
    let short = packed(&key, "/contacts/nobody");
    assert_eq!((short.status, short.json["error"]["code"].as_str()), (404, Some("not_found")));
    let long = packed(&key, "/contacts?sort=nonsense&fields=nonsense&nonsense=1");
    assert_eq!(long.status, 400);
    assert!(String::from_utf8_lossy(&unpacked_or_plain(&long)).contains("nonsense"));
}

fn unpacked_or_plain(answer: &Answer) -> Vec<u8> {
    if answer.find_header("Content-Encoding").is_some() { unpacked(answer) } else { answer.body.clone() }
}

/// Some of them contain secrets, which an observer could guess by the size of many compressed answers.
fn answers_of_the_dashboard_are_not_compressed(world: &World) {
    let ada = owner(world);
    for path in ["/session", "/scopes", "/keys", "/members"] {
        let answer = ada.inside("GET", path).header("Accept-Encoding", "gzip").send();
        assert_eq!(answer.is(200).find_header("Content-Encoding"), None);
    }
}
