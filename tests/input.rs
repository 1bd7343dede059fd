//! Other bad input: numbers out of range, SQL in every parameter, endless request heads, unknown methods, and clients
//! that do not wait for an answer before the next request.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::*;

stories![
    refused_heads_get_a_reason,
    numbers_out_of_range_are_refused_or_match_nothing,
    sql_is_plain_text_in_every_parameter,
    wrong_types_are_reported_by_member,
    a_member_that_is_sent_twice_is_refused,
    characters_that_can_not_be_stored_are_refused_everywhere,
    an_endless_head_is_refused,
    as_many_values_as_the_head_holds_are_answered,
    deep_conditions_are_refused,
    patterns_of_only_wildcards_are_answered_in_time,
    every_method_is_answered,
    pipelined_requests_are_answered_in_order,
    a_client_that_leaves_right_after_sending_leaves_a_whole_record_or_none,
    a_client_that_sends_single_bytes_does_not_delay_others,
    a_cursor_that_was_tampered_with_is_refused,
    a_deleted_tag_makes_room_at_once,
];

const SQL: &[&str] = &[
    "'; DROP TABLE contacts; --",
    "' OR '1'='1",
    "\" OR 1=1 --",
    "1; DELETE FROM contacts",
    "$1",
    "?1",
    ":name",
    "') UNION SELECT hash FROM api_keys --",
    "\\'; SELECT pg_sleep(10); --",
    "%' ESCAPE 'x",
    "*/ /*",
    "COPY contacts TO PROGRAM 'x'",
    "{{7*7}} ${jndi} `id` $(id)",
];

fn a_member_that_is_sent_twice_is_refused(world: &World) {
    let key = world.key("crm");
    let id = text(&key.post("/contacts", json!({"first_name": "Ada"})).created()["id"]);
    let put = |body: &str| key.request("PUT", &format!("/contacts/{id}")).body(body.as_bytes()).send();
    put(r#"{"first_name": "Grace", "title": "Admiral", "first_name": "Ida"}"#).invalid("body").says("first_name");
    put(r#"{"emails": [{"email": "a@example.com", "email": "b@example.com"}]}"#).invalid("body").says("email");
    let stored = key.get(&format!("/contacts/{id}")).ok();
    assert_eq!((&stored["first_name"], &stored["title"]), (&json!("Ada"), &Value::Null));
}

fn numbers_out_of_range_are_refused_or_match_nothing(world: &World) {
    let key = world.key("crm");
    let id = text(&key.post("/contacts", json!({"first_name": "Ada", "years_experience": 7})).created()["id"]);
    let great = "1".to_owned() + &"0".repeat(30);
    for limit in ["1000000000000000000", &great, "0", "-1", "101", "1e2", "0x10", "٥", " 5", "", "5.0", "NaN"] {
        key.list("/contacts", &[("limit", limit)]).invalid("limit");
    }
    for offset in ["1000000000000000000", "9223372036854775807"] {
        for sort in ["created_at", "title", "-years_experience", "updated_at,title"] {
            let page = key.list("/contacts", &[("offset", offset), ("sort", sort)]).page();
            assert_eq!((page.rows.len(), page.total(), page.has_more()), (0, 1, false), "offset={offset}");
            let page = key.list("/contacts", &[("offset", offset), ("sort", sort), ("first_name", "neq.x")]).page();
            assert_eq!((page.rows.len(), page.total(), page.has_more()), (0, 1, false), "offset={offset}");
        }
    }
    for offset in [great.as_str(), "9223372036854775808", "-1", "1e3", "", "+1"] {
        key.list("/contacts", &[("offset", offset)]).invalid("offset");
    }
    for (condition, total) in [("lt.9223372036854775807", 1), ("gt.-9223372036854775808", 1), ("eq.7", 1), ("gt.80", 0)]
    {
        assert_eq!(key.list("/contacts", &[("years_experience", condition)]).page().total(), total, "{condition}");
    }
    key.list("/contacts", &[("years_experience", &format!("gt.{great}"))]).invalid("years_experience");
    for years in [json!(1e30), json!(-1), json!(81), json!(1.5), json!("7"), json!(u64::MAX), json!(i64::MIN)] {
        key.put(&format!("/contacts/{id}"), json!({"years_experience": years})).invalid("years_experience");
    }
    let raw = format!("{{\"years_experience\": {great}}}");
    key.request("PUT", &format!("/contacts/{id}")).body(raw).send().invalid("years_experience");
    for (condition, total) in [("lt.9999-12-31T23:59:59Z", 1), ("gt.0001-01-01T00:00:00Z", 1), ("lt.1969-12-31", 0)] {
        for field in ["created_at", "updated_at"] {
            assert_eq!(key.list("/contacts", &[(field, condition)]).page().total(), total, "{field}={condition}");
        }
    }
    for time in
        ["10000-01-01T00:00:00Z", "-000001-01-01T00:00:00Z", "99999999999999999999", "2026-01-01T00:00:00+99:99"]
    {
        key.list("/contacts", &[("created_at", &format!("gt.{time}"))]).invalid("created_at");
        key.list("/contacts", &[("updated_after", time)]).invalid("updated_after");
    }
}

fn sql_is_plain_text_in_every_parameter(world: &World) {
    let key = world.key("crm");
    for (number, sql) in SQL.iter().enumerate() {
        let body = json!({
            "first_name": sql, "last_name": sql, "title": sql, "current_company": sql, "location": sql, "summary": sql,
            "tags": [sql], "skills": [sql], "languages": [sql], "phones": [{"phone": format!("1 {sql}").chars().take(32).collect::<String>()}],
        });
        let created = key.post("/contacts", body).created();
        for name in ["first_name", "title", "summary"] {
            assert_eq!(created[name], *sql);
        }
        assert_eq!(created["tags"], json!([sql]));
        let quoted = format!("\"{}\"", sql.replace('\\', "\\\\").replace('"', "\\\""));
        let condition = format!("eq.{quoted}");
        for name in ["first_name", "last_name", "title", "current_company", "location"] {
            assert_eq!(key.list("/contacts", &[(name, &condition)]).page().total(), 1, "{name} {sql}");
        }
        for name in ["tags", "skills", "languages"] {
            let total = key.list("/contacts", &[(name, &format!("cs.{{{quoted}}}"))]).page().total();
            assert_eq!(total, 1, "{name} {sql}");
        }
        let nested = format!("(title.in.({quoted}),tags.ov.{{{quoted}}})");
        assert_eq!(key.list("/contacts", &[("or", &nested)]).page().total(), 1, "{sql}");
        // Where a name is expected, SQL is an unknown name.
        for (name, value) in
            [("sort", *sql), ("limit", sql), ("offset", sql), ("cursor", sql), (sql, "x"), ("or", sql), ("count", sql)]
        {
            key.list("/contacts", &[(name, value)]).error(400, "validation_error");
        }
        for (name, value) in
            [("global_status", *sql), ("do_not_contact", sql), ("created_at", sql), ("years_experience", sql)]
        {
            key.list("/contacts", &[(name, value)]).invalid(name);
        }
        key.get(&format!("/contacts/{}", encoded(sql))).not_found();
        key.delete(&format!("/tags/{}", encoded(sql))).not_found();
        let found = key.request("GET", "/contacts?limit=1").header("X-Request-Id", sql).send().page();
        assert_eq!(found.total() as usize, number + 1, "{sql}");
        world.holder(sql.trim_end_matches('\\')).get("/contacts").error(401, "invalid_api_key");
    }
}

fn wrong_types_are_reported_by_member(world: &World) {
    let key = world.key("crm");
    let id = text(&key.post("/contacts", json!({"first_name": "Ada"})).created()["id"]);
    let odd =
        [json!(1), json!(true), json!([]), json!({}), json!("x"), json!([[]]), json!([1]), json!([null]), json!([{}])];
    let fits = |name: &str, value: &Value| match name {
        "emails" | "phones" | "tags" | "skills" | "languages" if *value == json!([]) => true,
        "custom_data" if *value == json!({}) => true,
        "years_experience" if *value == json!(1) => true,
        "do_not_contact" if *value == json!(true) => true,
        "first_name" | "last_name" | "title" | "current_company" | "location" | "summary" if value.is_string() => true,
        _ => false,
    };
    for name in [
        "first_name",
        "last_name",
        "title",
        "current_company",
        "location",
        "network_profile",
        "email",
        "emails",
        "phone",
        "phones",
        "tags",
        "global_status",
        "contact_type",
        "company_id",
        "summary",
        "skills",
        "languages",
        "years_experience",
        "custom_data",
        "do_not_contact",
        "archived_at",
    ] {
        for value in odd.iter().filter(|value| !fits(name, value)) {
            for answer in [
                key.post("/contacts", json!({"first_name": "Ada", name: value})),
                key.put(&format!("/contacts/{id}"), json!({name: value})),
            ] {
                let problems = answer.error(400, "validation_error").details();
                let about = |field: &String| field == name || field.starts_with(&format!("{name}."));
                assert!(problems.iter().any(|(field, _)| about(field)), "{name}={value}: {answer}");
            }
        }
    }
    for name in ["first_name", "global_status", "contact_type", "do_not_contact", "custom_data", "tags", "emails"] {
        key.put(&format!("/contacts/{id}"), json!({name: null})).error(400, "validation_error");
    }
    assert_eq!(key.get("/contacts").page().total(), 1);
    assert_eq!(key.get("/tags").page().total(), 0, "a tag was made by a contact that was refused");
}

fn characters_that_can_not_be_stored_are_refused_everywhere(world: &World) {
    let key = world.key("crm");
    for bad in ["a\\u0000b", "\\ud800", "a\\udc00b", "\\ud83d", "\\udc00\\ud800"] {
        for body in [
            format!("{{\"first_name\": \"{bad}\"}}"),
            format!("{{\"first_name\": \"Ada\", \"title\": \"{bad}\"}}"),
            format!("{{\"first_name\": \"Ada\", \"tags\": [\"{bad}\"]}}"),
            format!("{{\"first_name\": \"Ada\", \"emails\": [{{\"email\": \"{bad}@example.com\"}}]}}"),
            format!("{{\"first_name\": \"Ada\", \"phone\": \"{bad}1\"}}"),
            format!("{{\"first_name\": \"Ada\", \"custom_data\": {{\"{bad}\": 1}}}}"),
            format!("{{\"first_name\": \"Ada\", \"{bad}\": 1}}"),
        ] {
            key.request("POST", "/contacts").body(body).send().error(400, "validation_error");
        }
        key.request("POST", "/tags").body(format!("{{\"name\": \"{bad}\"}}")).send().error(400, "validation_error");
    }
    for path in [
        "/contacts/%00",
        "/contacts/%FF",
        "/contacts/%C3%28",
        "/%FF",
        "/%2e%2e/contacts",
        "/contacts/a%2Fb",
        "/contacts/",
    ] {
        key.get(path).not_found();
        key.delete(path).not_found();
    }
    for name in ["first_name", "tags", "email", "phone", "or", "sort", "cursor", "created_after", "nonsense\0"] {
        key.list("/contacts", &[(name, "cs.{a\0b}")]).error(400, "validation_error");
    }
    assert_eq!(key.get("/contacts").page().total(), 0);
}

/// Sends bytes and reads until the server closes the connection; returns the status, if there was an answer.
fn exchange(key: &Client, bytes: &[u8]) -> (Option<u16>, String) {
    let mut stream = connect(key);
    // The server may close the connection before it has read everything.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)).and_then(|status| status.parse().ok());
    (status, answer)
}

fn connect(key: &Client) -> TcpStream {
    let stream = TcpStream::connect(key.origin().trim_start_matches("http://"));
    let stream = stream.unwrap_or_else(|error| panic!("cannot connect: {error}"));
    let limited = stream.set_read_timeout(Some(Duration::from_secs(45)));
    limited.unwrap_or_else(|error| panic!("cannot set a time-out: {error}"));
    stream
}

fn an_endless_head_is_refused(world: &World) {
    let key = world.key("crm");
    let token = key.token();
    let long = "a".repeat(1 << 20);
    let many: String = (0..2000).map(|number| format!("X-Header-{number}: {number}\r\n")).collect();
    for (what, request) in [
        ("a long query", format!("GET /api/v1/contacts?title={long} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n")),
        ("a long path", format!("GET /api/v1/contacts/{long} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n")),
        ("a long header", format!("GET /api/v1/contacts HTTP/1.1\r\nHost: x\r\nX-Long: {long}\r\n\r\n")),
        ("a long key", format!("GET /api/v1/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer relata_{long}\r\n\r\n")),
        ("many headers", format!("GET /api/v1/contacts HTTP/1.1\r\nHost: x\r\n{many}\r\n")),
        ("a method that is none", format!("{long} / HTTP/1.1\r\n\r\n")),
        ("no HTTP at all", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n".to_owned()),
        ("a wrong version", "GET / HTTP/9.9\r\nHost: x\r\n\r\n".to_owned()),
        ("two lengths", "POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!".to_owned()),
        ("a length that is none", "POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n".to_owned()),
        ("a chunk that is none", "POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n".to_owned()),
    ] {
        let began = stopwatch();
        let (status, answer) = exchange(&key, request.as_bytes());
        // A client that has not finished its head may find the connection closed; there is never a 5xx.
        let head: String = answer.chars().take(300).collect();
        assert!(status.is_none_or(|status| (400..500).contains(&status)), "{what}: {head}");
        assert!(began.elapsed() < Duration::from_secs(40), "{what}: held up for {:?}", began.elapsed());
        key.get("/contacts").page();
    }
    // A long head within the limit is read correctly.
    let fitting = "a".repeat(20_000);
    assert_eq!(key.list("/contacts", &[("title", &fitting)]).page().total(), 0);
}

fn as_many_values_as_the_head_holds_are_answered(world: &World) {
    let key = world.key("crm");
    for years in 0..10 {
        key.post("/contacts", json!({"first_name": "Ada", "years_experience": years, "skills": ["1"]})).created();
    }
    // A thousand values in a list, and as many lists as fit into a head.
    let thousand = vec!["1"; 1000].join(",");
    let lists = |count: usize| vec![format!("years_experience.in.({thousand})"); count].join(",");
    for (count, sort) in
        [(1, "created_at"), (30, "created_at"), (30, "years_experience"), (30, "title"), (30, "-title,first_name")]
    {
        for group in ["and", "or"] {
            let answer = key.get(&format!("/contacts?{group}=({})&sort={sort}", lists(count)));
            assert!([200, 400].contains(&answer.status), "{count} lists in {group}, by {sort}: {}", answer.status);
            if answer.status == 200 {
                assert_eq!(answer.page().total(), 1, "{count} lists in {group}, by {sort}");
            }
        }
    }
    // As many different values as fit, with two letters each.
    let letters: Vec<char> = ('a'..='z').chain('A'..='Z').chain('0'..='9').collect();
    let mut words = letters.iter().flat_map(|one| letters.iter().map(move |other| format!("{one}{other}"))).cycle();
    for (field, open, operator, close, count) in [
        ("title", "(", "in", ")", 20),
        ("skills", "{", "cs", "}", 1),
        ("skills", "{", "cs", "}", 20),
        ("skills", "{", "ov", "}", 20),
        ("location", "(", "in", ")", 20),
    ] {
        let lists: Vec<String> = (0..count)
            .map(|_| {
                format!("{field}.{operator}.{open}{}{close}", words.by_ref().take(1000).collect::<Vec<_>>().join(","))
            })
            .collect();
        for sort in ["created_at", "title", "-years_experience", "title,first_name"] {
            // A busy machine may exceed the time limit once.
            let what = format!("{count} lists of {field}, by {sort}");
            let answer = eventually(&what, PATIENCE, || {
                let answer = key.get(&format!("/contacts?or=({})&sort={sort}", lists.join(",")));
                (answer.status != 400).then_some(answer)
            });
            assert_eq!(answer.page().total(), 0, "{what}");
        }
    }
    let ten: Vec<String> = (0..10).map(|number| number.to_string()).collect();
    key.post("/contacts", json!({"first_name": "Grace", "skills": ten})).created();
    assert_eq!(key.list("/contacts", &[("skills", &format!("cs.{{{}}}", ten.join(",")))]).page().total(), 1);
    assert_eq!(key.list("/contacts", &[("skills", "cs.{1,1,1}")]).page().total(), 11, "repeated values count once");
    key.list("/contacts", &[("years_experience", &format!("in.({thousand},1)"))]).invalid("years_experience");
}

fn deep_conditions_are_refused(world: &World) {
    let key = world.key("crm");
    key.post("/contacts", json!({"first_name": "Ada"})).created();
    let nested = |depth: usize| format!("{}first_name.eq.Ada{}", "(not.and".repeat(depth) + "(", ")".repeat(depth + 1));
    assert_eq!(key.list("/contacts", &[("and", &nested(10))]).page().total(), 1);
    for depth in [100, 1_000, 5_000] {
        key.list("/contacts", &[("and", &nested(depth))]).invalid("and");
    }
    for broken in [
        "",
        "(",
        ")",
        "()",
        "(,)",
        "(a",
        "(first_name)",
        "(first_name.eq.x",
        "(first_name.eq.x))",
        "(first_name.eq.\"x)",
        "(or)",
        "(or())",
        "((first_name.eq.x))",
    ] {
        key.list("/contacts", &[("or", broken)]).error(400, "validation_error");
    }
    let hundred = vec!["first_name.eq.Ada"; 100].join(",");
    assert_eq!(key.list("/contacts", &[("and", &format!("({hundred})"))]).page().total(), 1);
    key.list("/contacts", &[("and", &format!("({hundred},first_name.eq.Ada)"))]).error(400, "validation_error");
}

fn patterns_of_only_wildcards_are_answered_in_time(world: &World) {
    let key = world.key("crm");
    for _ in 0..20 {
        key.post("/contacts", json!({"first_name": "a".repeat(100), "title": "a".repeat(255)})).created();
    }
    for pattern in
        ["%a".repeat(400) + "b", "%_".repeat(490), "_%".repeat(200) + "b", "%".repeat(1000), "a%".repeat(120) + "b%"]
    {
        for operator in ["like", "ilike"] {
            let began = stopwatch();
            let answer = key.list("/contacts", &[("title", &format!("{operator}.{pattern}"))]);
            assert!([200, 400].contains(&answer.status), "{answer}");
            assert!(began.elapsed() < Duration::from_secs(20), "{:?} for {operator}.{pattern}", began.elapsed());
        }
    }
}

fn every_method_is_answered(world: &World) {
    let key = world.key("crm");
    let id = text(&key.post("/contacts", json!({"first_name": "Ada"})).created()["id"]);
    let token = key.token();
    for path in ["/contacts".to_owned(), format!("/contacts/{id}"), "/tags".to_owned(), "/me".to_owned()] {
        let head = key.request("HEAD", &path).send();
        assert_eq!((head.status, head.body.len()), (200, 0), "{head}");
        for method in ["OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "BREW", "M-SEARCH"] {
            let request = format!(
                "{method} /api/v1{path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\r\n"
            );
            let (status, answer) = exchange(&key, request.as_bytes());
            assert!(matches!(status, Some(400 | 404 | 405)), "{method} {path}: {answer}");
            if status == Some(405) {
                assert!(answer.to_lowercase().contains("\r\nallow: "), "{method} {path}: {answer}");
            }
        }
    }
    // Without a key nothing reveals which routes exist.
    let (status, answer) = exchange(&key, b"OPTIONS /api/v1/contacts HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    assert_eq!(status, Some(401), "{answer}");
    assert_eq!(key.get("/contacts").page().total(), 1);
}

fn refused_heads_get_a_reason(world: &World) {
    let key = world.key("crm");
    let refused = |head: &str, status: u16, code: &str, why: &str| {
        let (given, answer) = exchange(&key, head.as_bytes());
        let shown: String = head.chars().take(80).collect();
        assert_eq!(given, Some(status), "{shown}: {answer}");
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer}"));
        let head = head.to_lowercase();
        assert!(head.contains("x-request-id: ") && head.contains(&format!("content-length: {}", body.len())), "{head}");
        let body: Value = serde_json::from_str(body).unwrap_or_else(|error| panic!("{shown}: {error}: {body}"));
        assert_eq!(body["error"]["code"], code, "{shown}: {body}");
        assert!(text(&body["error"]["message"]).contains(why), "{shown}: {body}");
    };
    let post = format!("POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\n", key.token());
    let chunked = "1c\r\n{\"first_name\": \"Ambiguous 1\"}\r\n0\r\n\r\n";
    for lengths in [
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
        "transfer-encoding: chunked\r\nX: y\r\ncontent-length: 0\r\n",
    ] {
        let head = format!("{post}Content-Type: application/json\r\n{lengths}\r\n{chunked}");
        refused(&head, 400, "malformed_request", "both Content-Length and Transfer-Encoding");
    }
    for host in ["a b", "exa<mple", "user@example.com", "x:port", "[::1", "a/b"] {
        let head = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        refused(&head, 400, "malformed_request", "Host header");
    }
    for host in ["example.com", "example.com:8080", "[::1]:80", "127.0.0.1"] {
        let head = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        assert_eq!(exchange(&key, head.as_bytes()).0, Some(200), "{host}");
    }
    // Heads that the HTTP library itself refuses.
    refused("GET /healthz HTTP/1.1\r\nHost x\r\n\r\n", 400, "malformed_request", "not valid HTTP");
    refused("G@T / HTTP/1.1\r\nHost: x\r\n\r\n", 400, "malformed_request", "not valid HTTP");
    let long = format!("GET /healthz HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n", "y".repeat(1_000_000));
    refused(&long, 431, "headers_too_large", "too large");
    assert_eq!(key.get("/contacts").page().total(), 0);
}

fn pipelined_requests_are_answered_in_order(world: &World) {
    let key = world.key("crm");
    let mut stream = connect(&key);
    let mut all = String::new();
    for number in 0..20 {
        let body = json!({"first_name": format!("Ada {number}")}).to_string();
        let last = if number == 19 { "Connection: close\r\n" } else { "" };
        all.push_str(&format!(
            "POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\n{last}Authorization: Bearer {}\r\nX-Request-Id: r{number}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            key.token(),
            body.len()
        ));
    }
    stream.write_all(all.as_bytes()).unwrap_or_else(|error| panic!("cannot send: {error}"));
    let mut answers = String::new();
    stream.read_to_string(&mut answers).unwrap_or_else(|error| panic!("cannot read: {error}"));
    let ids: Vec<String> =
        answers.lines().filter_map(|line| line.strip_prefix("x-request-id: ")).map(str::to_owned).collect();
    assert_eq!(ids, (0..20).map(|number| format!("r{number}")).collect::<Vec<_>>());
    assert_eq!(answers.matches("HTTP/1.1 201 ").count(), 20);
    let names = key.list("/contacts", &[("sort", "created_at")]).page().column("first_name");
    assert_eq!(names, (0..20).map(|number| format!("Ada {number}")).collect::<Vec<_>>());
}

fn a_client_that_leaves_right_after_sending_leaves_a_whole_record_or_none(world: &World) {
    let key = world.key("crm");
    for number in 0..60 {
        let body = json!({"first_name": format!("Leaver {number}"), "tags": ["Left"], "emails": [{"email": "left@example.com"}]}).to_string();
        let headers = [("Content-Type", "application/json"), ("Content-Length", &*body.len().to_string())];
        let mut wire = Wire::open(&key, "POST", "/contacts", &headers);
        wire.send(body.as_bytes());
        drop(wire);
    }
    // Other clients are served after the earlier requests.
    key.post("/contacts", json!({"first_name": "Stayer"})).created();
    eventually("the end of abandoned requests", PATIENCE, || {
        let one = key.list("/contacts", &[("limit", "100")]).page();
        (one.total() == key.list("/contacts", &[("limit", "100")]).page().total()).then_some(())
    });
    let page = key.list("/contacts", &[("limit", "100"), ("first_name", "like.Leaver%")]).page();
    for row in &page.rows {
        assert_eq!((&row["tags"], &row["emails"][0]["email"]), (&json!(["Left"]), &json!("left@example.com")));
    }
    for condition in [("tags", "cs.{left}"), ("email", "left@example.com")] {
        assert_eq!(key.list("/contacts", &[condition]).page().total(), page.total(), "{condition:?}");
    }
}

fn a_client_that_sends_single_bytes_does_not_delay_others(world: &World) {
    let key = world.key("crm");
    let body = json!({"first_name": "Slow"}).to_string();
    let headers = [("Content-Type", "application/json"), ("Content-Length", &*body.len().to_string())];
    let mut slow = Wire::open(&key, "POST", "/contacts", &headers);
    for byte in body.as_bytes() {
        assert!(slow.send(&[*byte]), "a slow client was sent away");
        // The next byte is sent after another client has been served.
        key.post("/contacts", json!({"first_name": "Quick"})).created();
    }
    slow.answer().is(201);
}

fn a_cursor_that_was_tampered_with_is_refused(world: &World) {
    let key = world.key("crm");
    for number in 0..3 {
        key.post("/contacts", json!({"first_name": format!("Ada {number}"), "title": "CTO"})).created();
    }
    let page = |sort: &str, cursor: &str| key.list("/contacts", &[("limit", "1"), ("sort", sort), ("cursor", cursor)]);
    let cursor = page("title", "").page().next().unwrap_or_else(|| panic!("there is no second page"));
    page("title", &cursor).page();
    for sort in ["-title", "first_name", "title,first_name", "created_at"] {
        page(sort, &cursor).invalid("cursor");
    }
    let mut dice = Dice::new(seed());
    for _ in 0..200 {
        let mut bytes = cursor.clone().into_bytes();
        let at = dice.below(bytes.len());
        bytes[at] = *dice.pick(b"ABCxyz019-_");
        let answer = page("title", &String::from_utf8_lossy(&bytes));
        assert!([200, 400].contains(&answer.status), "{answer}");
    }
    for bad in [
        "x",
        "AAAA",
        "bnVsbA",
        "W10",
        &cursor[1..],
        &cursor[..cursor.len() - 2],
        &format!("{cursor}{cursor}"),
        "e30",
        "W1sxXSxbXSwiIl0",
    ] {
        page("title", bad).invalid("cursor");
    }
    key.list("/contacts", &[("cursor", ""), ("offset", "1")]).error(400, "validation_error");
}

fn a_deleted_tag_makes_room_at_once(world: &World) {
    let key = world.key("crm");
    let tags: Vec<String> = (0..100).map(|number| format!("Tag {number}")).collect();
    let contact = key.post("/contacts", json!({"first_name": "Ada", "tags": tags})).created();
    let path = format!("/contacts/{}/tags", text(&contact["id"]));
    key.post(&path, json!({"name": "One more"})).invalid("tags");
    for number in 0..5 {
        let tag = key.list("/tags", &[("name", &format!("Tag {number}"))]).page().ids().concat();
        key.delete(&format!("/tags/{tag}")).ok();
        key.post(&path, json!({"name": format!("New {number}")})).created();
        key.post(&path, json!({"name": "One more"})).invalid("tags");
    }
    assert_eq!(key.list("/tags", &[("name", "One more")]).page().total(), 0, "a refused request created a tag");
}
