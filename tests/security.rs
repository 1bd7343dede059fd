//! Security requirements that no other test covers; docs/security.md names them.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use serde_json::json;

use crate::dashboard::{PASSWORD, owner};
use crate::support::*;

stories![
    an_address_is_decoded_once,
    no_other_origin_may_read_an_answer,
    only_the_files_of_the_dashboard_are_served,
    a_message_has_one_length,
    every_sign_in_gets_a_new_random_token,
    a_password_may_be_long_and_hold_any_character,
    passwords_are_stored_as_argon2id,
];

#[track_caller]
fn sign_in(client: &Client, password: &str) -> Answer {
    client.inside("POST", "/sign-in").json(&json!({"email": "ada@example.com", "password": password})).send()
}

fn an_address_is_decoded_once(world: &World) {
    let key = world.key("crm");
    for title in ["A", "%41"] {
        key.post("/contacts", json!({"first_name": "Ada", "title": title})).created();
    }
    let found = |query: &str| key.get(&format!("/contacts?{query}")).page().column("title");
    assert_eq!(found("title=eq.%41"), ["A"]);
    assert_eq!(found("title=eq.%2541"), ["%41"]);
    // A name that is encoded twice is not a known parameter.
    key.get("/contacts?%2574itle=A").error(400, "validation_error");
    key.get("/contacts%2Fnobody").not_found();
}

fn no_other_origin_may_read_an_answer(world: &World) {
    let (key, ada) = (world.key("crm"), owner(world));
    let evil = |request: Request<'_>| request.header("Origin", "https://evil.example.com").send();
    let answers = [
        evil(key.request("GET", "/contacts")),
        evil(key.request("OPTIONS", "/contacts").header("Access-Control-Request-Method", "POST")),
        evil(ada.request("GET", "/contacts")),
        evil(ada.inside("GET", "/session")),
        evil(ada.inside("OPTIONS", "/keys").header("Access-Control-Request-Method", "POST")),
        evil(world.stranger().visit("/api/v1/openapi.json")),
        evil(world.stranger().visit("/docs/")),
        evil(world.stranger().visit("/")),
    ];
    for answer in answers {
        for name in ["Access-Control-Allow-Origin", "Access-Control-Allow-Credentials", "Access-Control-Allow-Methods"]
        {
            assert_eq!(answer.find_header(name), None, "{answer}");
        }
    }
}

fn only_the_files_of_the_dashboard_are_served(world: &World) {
    let stranger = world.stranger();
    for path in [
        "/.git/config",
        "/.env",
        "/Cargo.toml",
        "/relata.db",
        "/secret",
        "/assets",
        "/assets/",
        "/../Cargo.toml",
        "/..%2f..%2fCargo.toml",
        "/%2e%2e/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/docs/../../Cargo.toml",
        "/docs/%2e%2e/start.js",
    ] {
        // A raw request, because an HTTP client would remove the dots.
        let address = stranger.origin().trim_start_matches("http://");
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        let answer = exchange(address, &request);
        assert!(answer.starts_with("HTTP/1.1 404 ") || answer.starts_with("HTTP/1.1 400 "), "{path}: {answer}");
    }
}

/// Sends a request unchanged and reads until the server closes the connection.
fn exchange(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap_or_else(|error| panic!("cannot connect: {error}"));
    stream.set_read_timeout(Some(Duration::from_secs(45))).unwrap_or_else(|error| panic!("no time-out: {error}"));
    // The server may close the connection before it has read everything.
    let _ = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn a_message_has_one_length(world: &World) {
    let key = world.key("crm");
    let address = key.origin().trim_start_matches("http://").to_owned();
    let body = "{\"first_name\": \"Ada\"}";
    let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    // A proxy that uses the other length would let the second request through.
    let hidden = "GET /api/v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
    for (what, headers, body) in [
        ("two lengths", "Content-Length: 21\r\nContent-Length: 4\r\n", body.to_owned()),
        ("a coding that is not known", "Transfer-Encoding: xchunked\r\n", chunked.clone()),
        ("a coding named twice", "Transfer-Encoding: chunked, chunked\r\n", chunked.clone()),
        ("two headers of codings", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", chunked.clone()),
        ("another coding before it", "Transfer-Encoding: gzip, chunked\r\n", chunked.clone()),
        ("a coding hidden by a space", "Transfer-Encoding : chunked\r\nContent-Length: 4\r\n", chunked.clone()),
        (
            "a chunk of endless size",
            "Transfer-Encoding: chunked\r\n",
            format!("fffffffffffffffff\r\n{body}\r\n0\r\n\r\n"),
        ),
    ] {
        let request = format!(
            "POST /api/v1/contacts HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\n{headers}\r\n{body}{hidden}",
            key.token()
        );
        let answer = exchange(&address, &request);
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 400 "), "{what}: {answer}");
        assert_eq!(answer.matches("HTTP/1.1 ").count(), usize::from(!answer.is_empty()), "{what}: {answer}");
    }
    assert_eq!(key.get("/contacts").page().total(), 0);
    // If both lengths are given, the chunks count or the request is refused; the other length is never used.
    for headers in
        ["Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n"]
    {
        let request = format!(
            "POST /api/v1/contacts HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\
             Content-Type: application/json\r\n{headers}\r\n{chunked}",
            key.token()
        );
        let answer = exchange(&address, &request);
        let whole = answer.starts_with("HTTP/1.1 201 ") && answer.contains("\"first_name\":\"Ada\"");
        assert!(whole || answer.starts_with("HTTP/1.1 400 "), "{headers}: {answer}");
        assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
    }
}

fn every_sign_in_gets_a_new_random_token(world: &World) {
    let ada = owner(world);
    let token = |answer: &Answer| {
        let cookie = answer.header("Set-Cookie").to_owned();
        let value = cookie.split(';').next().and_then(|pair| pair.split_once('=')).map(|(_, value)| value.to_owned());
        value.unwrap_or_else(|| panic!("not a cookie: {cookie}"))
    };
    // Also for a browser that sends a session, or a token that an attacker has planted.
    let planted = "a".repeat(30);
    let known = sign_in(&ada, PASSWORD);
    let stranger = world.stranger();
    let foreign = stranger.inside("POST", "/sign-in").header("Cookie", &format!("relata_session={planted}"));
    let foreign = foreign.json(&json!({"email": "ada@example.com", "password": PASSWORD})).send();
    let tokens = [token(&known), token(&foreign), token(&sign_in(&stranger, PASSWORD))];
    for (place, token) in tokens.iter().enumerate() {
        // 30 characters of 62 are 178 bits.
        assert!(token.len() == 30 && token.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{token}");
        assert!(*token != planted && !tokens[..place].contains(token), "{tokens:?}");
        assert!(!world.stores(token), "a session's token is stored");
    }
    // The token is only in the cookie.
    assert!(!known.text().contains(&tokens[0]), "{known}");
}

fn a_password_may_be_long_and_hold_any_character(world: &World) {
    let ada = owner(world);
    let stranger = world.stranger();
    let long = "Vierzig Ziegen, \"zehn\" <Zebras> & 1 🐴; größer als 64 Zeichen ist dieser Satz ganz gewiss.";
    assert!(long.chars().count() > 64);
    ada.inside("POST", "/password").json(&json!({"current": PASSWORD, "new": long})).send().ok();
    sign_in(&stranger, long).ok();
    // It is not cut, and letters keep their case.
    let cut: String = long.chars().take(72).collect();
    for wrong in [&cut, &long.to_lowercase(), &format!("{long}.")] {
        assert_eq!(sign_in(&stranger, wrong).status, 401, "{wrong}");
    }
    // Lower-case letters alone are accepted.
    let plain = "vierzig ziegen zupfen zehn zebras";
    ada.inside("POST", "/password").json(&json!({"current": long, "new": plain})).send().ok();
    sign_in(&stranger, plain).ok();
}

fn passwords_are_stored_as_argon2id(world: &World) {
    owner(world);
    let hashed = "SELECT CAST(count(*) AS text) FROM users WHERE password_hash LIKE '$argon2id$v=19$m=19456,t=2,p=1$%'";
    let any = "SELECT CAST(count(*) AS text) FROM users WHERE password_hash IS NOT NULL";
    assert_eq!((world.count(hashed), world.count(any)), (1, 1));
}

#[test]
fn a_document_reads_no_file_of_the_server() {
    // The document contains an external entity, file:///etc/passwd.
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/files/hostile/external.docx");
    let content = std::fs::read(file).unwrap_or_else(|error| panic!("cannot read: {error}"));
    let mut command = relata();
    let kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    command.args(["extract", "--type", kind]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("cannot start: {error}"));
    // The process may end before it has read everything.
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(&content));
    let output = child.wait_with_output().unwrap_or_else(|error| panic!("the process can't be waited for: {error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("first words") && !text.contains("root:"), "{text}");
}
