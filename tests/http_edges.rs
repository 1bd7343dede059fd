//! HTTP edge cases: envelopes, routes, bodies, headers, and misbehaving clients.

use serde_json::{Value, json};

use crate::support::*;

stories![
    an_unknown_route_is_not_found,
    another_method_gets_the_allowed_ones,
    a_created_record_has_a_location,
    a_success_contains_only_data,
    a_request_keeps_its_id,
    a_request_without_an_id_is_given_one,
    records_are_not_cached_by_others,
    a_body_must_be_an_object,
    operations_without_a_body_accept_an_empty_one,
    broken_json_is_refused,
    deep_nesting_is_refused,
    invalid_utf8_is_refused,
    another_content_type_is_refused,
    a_compressed_body_is_refused,
    a_body_has_a_maximum_size,
    a_client_that_is_still_sending_reads_the_refusal,
    a_chunked_body_has_a_maximum_size_too,
    errors_of_parameters_look_like_those_of_members,
    an_unknown_parameter_is_refused_everywhere,
    odd_queries_are_answered,
    ten_thousand_filters_are_refused,
    checks_have_a_fixed_order,
    a_client_that_hangs_up_changes_nothing,
    slow_clients_do_not_delay_others,
    an_error_reveals_no_internals,
    the_log_names_no_person,
];

fn an_unknown_route_is_not_found(world: &World) {
    let key = world.key("full_access");
    for path in
        ["/", "/contact", "/contacts/1/2/3", "/Contacts", "/contacts/custom-fieldz/x", "/%00", "/..", "/tags/%2e%2e"]
    {
        let answer = key.get(path);
        assert!([404, 405].contains(&answer.status), "{answer}");
    }
    key.get("/contact").not_found();
    key.post("/nowhere", json!({})).not_found();
    key.delete("/nowhere").not_found();
}

fn another_method_gets_the_allowed_ones(world: &World) {
    let key = world.key("full_access");
    let allowed = |method: &str, path: &str| {
        let answer = key.request(method, path).send();
        answer.error(405, "method_not_allowed");
        let mut allowed: Vec<String> = answer.header("Allow").split(',').map(|word| word.trim().to_owned()).collect();
        allowed.retain(|word| word != "HEAD" && word != "OPTIONS");
        allowed.sort();
        allowed.join(" ")
    };
    let contact = format!("/contacts/{}", nobody());
    assert_eq!(allowed("PUT", "/contacts"), "GET POST");
    assert_eq!(allowed("DELETE", "/contacts"), "GET POST");
    assert_eq!(allowed("POST", &contact), "DELETE GET PATCH PUT");
    assert_eq!(allowed("PUT", &format!("{contact}/tags")), "DELETE POST");
    assert_eq!(allowed("DELETE", "/me"), "GET");
}

fn a_created_record_has_a_location(world: &World) {
    let key = world.key("crm");
    for (path, body) in [("/contacts", json!({"first_name": "Ada"})), ("/tags", json!({"name": "VIP"}))] {
        let answer = key.post(path, body);
        let id = text(&answer.created()["id"]);
        assert_eq!(answer.header("Location"), format!("/api/v1{path}/{id}"));
    }
    assert_eq!(key.get("/contacts").find_header("Location"), None);
}

fn a_success_contains_only_data(world: &World) {
    let key = world.key("crm");
    let members = |answer: &Answer| -> Vec<String> {
        answer.json.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect()
    };
    let created = key.post("/contacts", json!({"first_name": "Ada"}));
    assert_eq!(members(&created), ["data"]);
    let path = format!("/contacts/{}", text(&created.created()["id"]));
    assert_eq!(members(&key.get(&path)), ["data"]);
    assert_eq!(members(&key.put(&path, json!({"title": "CTO"}))), ["data"]);
    assert_eq!(members(&key.get("/contacts")), ["data", "meta"]);
    assert_eq!(members(&key.delete(&path)), ["data"]);
    assert_eq!(members(&key.get("/contacts/nobody")), ["error"]);
}

fn a_request_keeps_its_id(world: &World) {
    let key = world.key("crm");
    for id in ["a", "7f3b-order-42", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", &"x".repeat(128)] {
        for path in ["/contacts", "/nowhere", "/contacts?limit=0"] {
            let answer = key.request("GET", path).header("X-Request-Id", id).send();
            assert_eq!(answer.header("X-Request-Id"), id, "{answer}");
        }
    }
    let answer = world.stranger().request("GET", "/contacts").header("X-Request-Id", "mine").send();
    assert_eq!(answer.is(401).header("X-Request-Id"), "mine");
}

fn a_request_without_an_id_is_given_one(world: &World) {
    let key = world.key("crm");
    let first = key.get("/contacts").header("X-Request-Id").to_owned();
    let second = key.get("/contacts").header("X-Request-Id").to_owned();
    assert_ne!(first, second);
    for unfit in ["", "two words", "tab\there", "é", &"x".repeat(129)] {
        let answer = key.request("GET", "/contacts").header("X-Request-Id", unfit).send();
        assert_ne!(answer.header("X-Request-Id"), unfit);
        assert!((1..=128).contains(&answer.header("X-Request-Id").len()), "{answer}");
    }
}

fn records_are_not_cached_by_others(world: &World) {
    let key = world.key("crm");
    let created = key.post("/contacts", json!({"first_name": "Ada"}));
    let path = format!("/contacts/{}", text(&created.created()["id"]));
    for answer in [key.get(&path), key.get("/contacts"), key.get("/tags"), key.get("/me")] {
        assert_eq!(answer.header("Cache-Control"), "private, no-cache", "{answer}");
    }
}

fn a_body_must_be_an_object(world: &World) {
    let key = world.key("crm");
    let contact = key.post("/contacts", json!({"first_name": "Ada"})).created();
    let path = format!("/contacts/{}", text(&contact["id"]));
    for body in ["", " ", "null", "[]", "[{\"first_name\": \"Ada\"}]", "\"Ada\"", "7", "true"] {
        key.request("POST", "/contacts").body(body).send().error(400, "validation_error");
        key.request("PUT", &path).body(body).send().error(400, "validation_error");
        key.request("POST", "/tags").body(body).send().error(400, "validation_error");
    }
    key.request("POST", "/contacts").send().error(400, "validation_error");
    key.request("POST", "/contacts").header("Content-Type", "application/json").send().error(400, "validation_error");
    assert_eq!(key.get("/contacts").page().rows, [contact]);
}

fn operations_without_a_body_accept_an_empty_one(world: &World) {
    let key = world.key("crm");
    let contact = key.post("/contacts", json!({"first_name": "Ada"})).created();
    let path = format!("/contacts/{}", text(&contact["id"]));
    key.request("DELETE", &path).body("{\"reason\": \"none\"}").send().invalid("reason");
    assert_eq!(key.get(&path).ok(), contact);
    key.delete(&path).ok();
    key.request("DELETE", &path).body("").send().ok();
    key.request("DELETE", &path).body("{}").send().ok();
}

fn broken_json_is_refused(world: &World) {
    let key = world.key("crm");
    for body in [
        "{",
        "{\"first_name\"",
        "{\"first_name\": \"Ada\"",
        "{\"first_name\": \"Ada\"}}",
        "{\"first_name\": \"Ada\"} {\"first_name\": \"Béla\"}",
        "{\"first_name\": \"Ada\",}",
        "{first_name: \"Ada\"}",
        "{'first_name': 'Ada'}",
        "{\"first_name\": \"Ada\n\"}",
        "{\"first_name\": \"\\x41\"}",
        "{\"years_experience\": 01, \"first_name\": \"Ada\"}",
        "{\"years_experience\": NaN, \"first_name\": \"Ada\"}",
        "first_name=Ada",
        "<contact/>",
    ] {
        key.request("POST", "/contacts").body(body).send().error(400, "validation_error");
    }
    let bom = key.request("POST", "/contacts").body("\u{feff}{\"first_name\": \"Ada\"}").send();
    assert!([201, 400].contains(&bom.status), "{bom}");
    assert_eq!(key.list("/contacts", &[("first_name", "neq.Ada")]).page().total(), 0);
}

fn deep_nesting_is_refused(world: &World) {
    let key = world.key("crm");
    for depth in [1_000, 100_000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let nested = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            let body = format!("{{\"first_name\": \"Ada\", \"custom_data\": {nested}}}");
            if body.len() < 1 << 20 {
                key.request("POST", "/contacts").body(body).send().error(400, "validation_error");
                key.request("POST", "/contacts").body(nested).send().error(400, "validation_error");
            }
            // Not even closed.
            key.request("POST", "/contacts").body(open.repeat(depth)).send().error(400, "validation_error");
        }
    }
    key.get("/contacts").page();
}

fn invalid_utf8_is_refused(world: &World) {
    let key = world.key("crm");
    for bytes in [&b"\xff"[..], b"\xc3(", b"\xe2\x82", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xc0\xaf"] {
        let body = [b"{\"first_name\": \"A", bytes, b"da\"}"].concat();
        key.request("POST", "/contacts").body(body).send().error(400, "validation_error");
    }
    for query in [
        "first_name=%FF",
        "first_name=eq.%C3%28",
        "%FF=x",
        "first_name=%00",
        // Invalid UTF-8, and the replacement character itself.
        "first_name=%FF&last_name=%EF%BF%BD",
        "first_name=in.(a,%00)",
        "sort=%00",
        "or=(title.eq.%ED%A0%80)",
    ] {
        key.get(&format!("/contacts?{query}")).error(400, "validation_error");
    }
    assert_eq!(key.get("/contacts").page().total(), 0);
}

fn another_content_type_is_refused(world: &World) {
    let key = world.key("crm");
    let body = json!({"first_name": "Ada"});
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/xml",
        "multipart/form-data; boundary=x",
        "json",
        "application/jsonp",
    ] {
        let answer = key.request("POST", "/contacts").json(&body).header("Content-Type", kind).send();
        answer.error(415, "unsupported_media_type").says("application/json");
    }
    for kind in ["application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8"] {
        key.request("POST", "/contacts").json(&body).header("Content-Type", kind).send().created();
    }
    assert_eq!(key.get("/contacts").page().total(), 3);
}

fn a_compressed_body_is_refused(world: &World) {
    let key = world.key("crm");
    let body = json!({"first_name": "Ada"});
    for encoding in ["gzip", "deflate", "br", "gzip, identity", "Gzip"] {
        let answer = key.request("POST", "/contacts").json(&body).header("Content-Encoding", encoding).send();
        answer.error(415, "unsupported_media_type").says("without Content-Encoding");
        let sign_in =
            world.stranger().inside("POST", "/sign-in").json(&body).header("Content-Encoding", encoding).send();
        sign_in.error(415, "unsupported_media_type").says("without Content-Encoding");
    }
    assert_eq!(key.get("/contacts").page().total(), 0);
    key.request("POST", "/contacts").json(&body).header("Content-Encoding", "identity").send().created();
}

/// A valid contact body of exactly this many bytes.
fn body_of(length: usize) -> String {
    let body = json!({"first_name": "Ada"}).to_string();
    let padding = " ".repeat(length - body.len());
    format!("{body}{padding}")
}

const MEBIBYTE: usize = 1 << 20;

fn a_body_has_a_maximum_size(world: &World) {
    let key = world.key("crm");
    key.request("POST", "/contacts").body(body_of(MEBIBYTE)).send().created();
    for length in [MEBIBYTE + 1, 2 * MEBIBYTE] {
        key.request("POST", "/contacts").body(body_of(length)).send().error(413, "payload_too_large");
        key.request("POST", "/tags").body(body_of(length)).send().error(413, "payload_too_large");
    }
    assert_eq!(key.get("/contacts").page().total(), 1);
}

fn a_client_that_is_still_sending_reads_the_refusal(world: &World) {
    let key = world.key("crm");
    let length = 12 * MEBIBYTE;
    let headers = [("Content-Type", "application/json"), ("Content-Length", &*length.to_string())];
    let mut wire = Wire::open(&key, "POST", "/contacts", &headers);
    let piece = vec![b' '; 64 << 10];
    for _ in 0..length / piece.len() {
        if !wire.send(&piece) {
            break;
        }
    }
    wire.answer().error(413, "payload_too_large");
    key.get("/contacts").page();
}

fn a_chunked_body_has_a_maximum_size_too(world: &World) {
    let key = world.key("crm");
    let headers = [("Content-Type", "application/json"), ("Transfer-Encoding", "chunked")];
    let mut wire = Wire::open(&key, "POST", "/contacts", &headers);
    let chunk = [b"10000\r\n", vec![b' '; 0x10000].as_slice(), b"\r\n"].concat();
    for _ in 0..17 {
        wire.send(&chunk);
    }
    wire.send(b"0\r\n\r\n");
    wire.answer().error(413, "payload_too_large");

    let mut wire = Wire::open(&key, "POST", "/contacts", &headers);
    wire.send(b"15\r\n{\"first_name\": \"Ada\"}\r\n0\r\n\r\n");
    wire.answer().is(201);
}

fn errors_of_parameters_look_like_those_of_members(world: &World) {
    let key = world.key("crm");
    let answer = key.list(
        "/contacts",
        &[("limit", "0"), ("offset", "-1"), ("sort", "shoe_size"), ("frist_name", "x"), ("years_experience", "many")],
    );
    let failure = answer.invalid("limit").at("offset").at("sort").at("frist_name").at("years_experience");
    assert_eq!(failure.details().len(), 5, "{answer}");
    for other in [key.get("/nowhere"), key.get("/contacts/nobody"), world.stranger().get("/contacts")] {
        assert_eq!(other.json["error"].get("details"), None, "{other}");
    }
}

fn an_unknown_parameter_is_refused_everywhere(world: &World) {
    let key = world.key("full_access");
    let contact = key.post("/contacts", json!({"first_name": "Ada"})).created();
    let tag = key.post("/tags", json!({"name": "VIP"})).created();
    for operation in document::of(&world.origin()).operations() {
        let id = if operation.path.starts_with("/tags") { &tag["id"] } else { &contact["id"] };
        let path = operation.path_with(&text(id));
        let mut request = key.request(&operation.method, &format!("{path}?surprise=1"));
        if operation.description.get("requestBody").is_some() {
            request = request.json(&json!({"name": "Other"}));
        }
        request.send().invalid("surprise");
    }
    assert_eq!(key.get("/contacts").page().rows, [contact]);
    assert_eq!(key.get("/tags").page().rows, [tag]);
}

fn odd_queries_are_answered(world: &World) {
    let key = world.key("crm");
    key.post("/contacts", json!({"first_name": "Ada Lovelace"})).created();
    assert_eq!(key.get("/contacts?first_name=Ada+Lovelace").page().total(), 1);
    assert_eq!(key.get("/contacts?first_name=Ada%20Lovelace").page().total(), 1);
    assert_eq!(key.get("/contacts?%66irst_name=eq.Ada%20Lovelace").page().total(), 1);
    assert_eq!(key.get("/contacts?").page().total(), 1);
    for odd in [
        "limit=1&limit=2",
        "sort=title&sort=first_name",
        "cursor=&cursor=",
        "count=none&count=none",
        "&&",
        "a=%zz",
        "first_name=%",
        "limit",
        "=",
        "limit=1&",
    ] {
        let answer = key.get(&format!("/contacts?{odd}"));
        assert!([200, 400].contains(&answer.status), "{answer}");
    }
    for ambiguous in ["limit=1&limit=2", "offset=0&offset=1"] {
        key.get(&format!("/contacts?{ambiguous}")).error(400, "validation_error");
    }
}

fn ten_thousand_filters_are_refused(world: &World) {
    let key = world.key("crm");
    // Few enough bytes to be parsed, and too many.
    for count in [5_000, 10_000, 100_000] {
        let query = vec!["title=x"; count].join("&");
        let mut wire = Wire::open(&key, "GET", &format!("/contacts?{query}"), &[]);
        wire.send(b"");
        let status = wire.answer().status;
        assert!([400, 414, 431].contains(&status), "{status}");
    }
    key.get("/contacts").page();
}

fn checks_have_a_fixed_order(world: &World) {
    let key = world.key("contacts:read,contacts:write");
    let nobody = format!("/contacts/{}", nobody());
    // 401 comes before everything else.
    world.stranger().request("POST", "/contacts").body("{").send().error(401, "invalid_api_key");
    world.stranger().get("/nowhere").error(401, "invalid_api_key");
    world.stranger().put("/contacts", json!({})).error(401, "invalid_api_key");
    // 403 comes before 400 and 404.
    key.delete(&nobody).error(403, "insufficient_scope");
    key.request("POST", "/tags").body("{").send().error(403, "insufficient_scope");
    // 400 comes before 404.
    key.put(&nobody, json!({"years_experience": 81})).invalid("years_experience");
    key.request("PUT", &nobody).body("{").send().error(400, "validation_error");
    key.get(&format!("{nobody}?surprise=1")).invalid("surprise");
    key.put(&nobody, json!({"years_experience": 80})).not_found();
}

fn a_client_that_hangs_up_changes_nothing(world: &World) {
    let key = world.key("crm");
    let body = json!({"first_name": "Never"}).to_string();
    let headers = [("Content-Type", "application/json"), ("Content-Length", &*(body.len() + 1).to_string())];
    for _ in 0..20 {
        let mut wire = Wire::open(&key, "POST", "/contacts", &headers);
        wire.send(body.as_bytes());
        drop(wire);
    }
    // A client that leaves before its answer loses only its answer; the connection is free for others.
    for _ in 0..50 {
        drop(Wire::open(&key, "GET", "/contacts?limit=100&title=ilike.%25x%25", &[]));
    }
    assert_eq!(key.get("/contacts").page().total(), 0);
    key.post("/contacts", json!({"first_name": "Ada"})).created();
}

fn slow_clients_do_not_delay_others(world: &World) {
    let key = world.key("crm");
    let headers = [("Content-Type", "application/json"), ("Content-Length", "1000")];
    let mut slow: Vec<Wire> = (0..100).map(|_| Wire::open(&key, "POST", "/contacts", &headers)).collect();
    for wire in &mut slow {
        assert!(wire.send(b"{"), "a slow client was sent away at once");
    }
    for _ in 0..10 {
        key.post("/contacts", json!({"first_name": "Ada"})).created();
        key.get("/contacts").page();
    }
    // Others got their answers while all of these were still sending.
    let mut first = slow.swap_remove(0);
    first.send(&[format!("\"first_name\": \"Slow\"}}{}", " ".repeat(978)).as_bytes(), b""].concat());
    first.answer().is(201);
}

fn an_error_reveals_no_internals(world: &World) {
    let key = world.key("crm");
    for answer in [
        key.get("/contacts/ada"),
        key.list("/contacts", &[("title", "cs.{x}")]),
        key.list("/contacts", &[("cursor", "AAAA")]),
        key.post("/contacts", json!({"first_name": ["Ada"]})),
        key.request("POST", "/contacts").body("{").send(),
        world.stranger().get("/contacts"),
    ] {
        let said = answer.text().to_lowercase();
        for inside in
            ["sqlite", "postgres", "select ", "panicked", ".rs:", "serde", "rusqlite", "tokio", "workspace_id"]
        {
            assert!(!said.contains(inside), "{inside:?} in {answer}");
        }
    }
}

fn the_log_names_no_person(world: &World) {
    let key = world.key("crm");
    let body = json!({"first_name": "Zebulonia", "email": "zebulonia@example.com", "phone": "+44 20 7946 0958"});
    let contact: Value = key.post("/contacts", body).created();
    key.list("/contacts", &[("email", "zebulonia@example.com")]).page();
    key.list("/contacts", &[("first_name", "ilike.%zebulonia%"), ("limit", "0")]).invalid("limit");
    key.post("/contacts", json!({"first_name": "Zebulonia", "email": "zebulonia at example.com"})).invalid("email");
    key.request("GET", "/contacts").header("X-Request-Id", "look-for-me").send().page();
    key.get(&format!("/contacts/{}", text(&contact["id"]))).ok();
    world.stop();
    let log = world.log();
    assert!(log.contains("look-for-me"), "the log has no request ids:\n{log}");
    for personal in ["zebulonia", "Zebulonia", "7946 0958", "79460958", key.token()] {
        assert!(!log.contains(personal), "{personal} in the log:\n{log}");
    }
    let lines = log.lines().filter(|line| line.contains("look-for-me"));
    for line in lines {
        assert!(serde_json::from_str::<Value>(line).is_ok(), "the log is JSON unless it goes to a terminal: {line}");
    }
}
