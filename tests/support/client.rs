//! HTTP clients of the service, and its answers.
//!
//! A client checks the rules that hold for every answer (`conform`); tests check the rest.

use std::fmt;

use serde_json::Value;
use ureq::Agent;
use ureq::http::HeaderMap;

use super::document;
use super::wait::PATIENCE;

/// The prefix of the API; paths in tests are relative to it.
pub(super) const PREFIX: &str = "/api/v1";

/// The one operation without a rate limit: credits limit it.
pub(crate) const UNCOUNTED: &str = "/sourcing/advanced/profiles/search";

/// A client with a key, with a session or with neither.
#[derive(Clone)]
pub(crate) struct Client {
    agent: Agent,
    origin: String,
    token: Option<String>,
    /// The cookies of a browser.
    cookie: Option<String>,
}

impl Client {
    pub(crate) fn new(origin: String, token: Option<String>) -> Client {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            // The largest bodies take a busy machine longer than a minute.
            .timeout_global(Some(PATIENCE))
            .max_idle_connections(32)
            .max_idle_connections_per_host(32)
            .build();
        Client { agent: config.into(), origin, token, cookie: None }
    }

    /// The same client with the cookie of this answer.
    #[track_caller]
    pub(crate) fn signed_in(&self, answer: &Answer) -> Client {
        let cookie = answer.header("Set-Cookie").split(';').next().unwrap_or_default().to_owned();
        Client { token: None, cookie: Some(cookie), ..self.clone() }
    }

    /// A request to the dashboard's own API, as its pages send it.
    pub(crate) fn inside(&self, method: &str, path: &str) -> Request<'_> {
        Request { path: format!("/dashboard{path}"), ..self.request(method, "") }.header("Origin", &self.origin)
    }

    /// The client's key.
    #[track_caller]
    pub(crate) fn token(&self) -> &str {
        self.token.as_deref().unwrap_or_else(|| panic!("this client has no key"))
    }

    /// The same client at another address: another node of the service.
    pub(crate) fn at(&self, origin: &str) -> Client {
        Client { origin: origin.to_owned(), ..self.clone() }
    }

    pub(crate) fn origin(&self) -> &str {
        &self.origin
    }

    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.request("GET", path).send()
    }

    /// A filtered list. The parameters are encoded here, so that tests show them in plain form.
    #[track_caller]
    pub(crate) fn list(&self, path: &str, parameters: &[(&str, &str)]) -> Answer {
        self.get(&format!("{path}{}", query(parameters)))
    }

    #[track_caller]
    pub(crate) fn post(&self, path: &str, body: Value) -> Answer {
        self.request("POST", path).json(&body).send()
    }

    #[track_caller]
    pub(crate) fn put(&self, path: &str, body: Value) -> Answer {
        self.request("PUT", path).json(&body).send()
    }

    #[track_caller]
    pub(crate) fn patch(&self, path: &str, body: Value) -> Answer {
        self.request("PATCH", path).json(&body).send()
    }

    #[track_caller]
    pub(crate) fn delete(&self, path: &str) -> Answer {
        self.request("DELETE", path).send()
    }

    /// Uploads a file as a form.
    #[track_caller]
    pub(crate) fn upload(&self, path: &str, filename: &str, content: &[u8]) -> Answer {
        self.request("POST", path).form(&[Part::file(filename, content)]).send()
    }

    /// A request that is built step by step.
    pub(crate) fn request(&self, method: &str, path: &str) -> Request<'_> {
        let headers = self.credentials();
        Request { client: self, method: method.to_owned(), path: format!("{PREFIX}{path}"), headers, body: None }
    }

    /// The client's credentials as headers.
    pub(crate) fn credentials(&self) -> Vec<(String, String)> {
        let key = self.token.iter().map(|token| ("Authorization".to_owned(), format!("Bearer {token}")));
        let session = self.cookie.iter().flat_map(|cookie| {
            let browser = ("Sec-Fetch-Site".to_owned(), "same-origin".to_owned());
            [("Cookie".to_owned(), cookie.clone()), browser]
        });
        key.chain(session).collect()
    }

    /// A request outside the API: health, metrics, the reference.
    pub(crate) fn visit(&self, path: &str) -> Request<'_> {
        Request { path: path.to_owned(), ..self.request("GET", "") }
    }
}

/// Parameters as a query string.
pub(super) fn query(parameters: &[(&str, &str)]) -> String {
    let pairs: Vec<String> =
        parameters.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
    if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
}

/// A value encoded for a query string or a path.
pub(crate) fn encoded(value: &str) -> String {
    let mut text = String::new();
    for byte in value.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => text.push(char::from(byte)),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// A request before it is sent.
pub(crate) struct Request<'a> {
    client: &'a Client,
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

impl Request<'_> {
    /// The same with another method.
    pub(crate) fn method(self, method: &str) -> Self {
        Request { method: method.to_owned(), ..self }
    }

    /// Sets a header, replacing one of the same name.
    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self = self.without(name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(given, _)| !given.eq_ignore_ascii_case(name));
        self
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.body(body.to_string())
    }

    /// Any bytes, sent as JSON unless a `Content-Type` is set after this.
    pub(crate) fn body(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.body = Some(bytes.into());
        self.header("Content-Type", "application/json")
    }

    /// A form with these parts.
    pub(crate) fn form(self, parts: &[Part]) -> Self {
        let (mut body, boundary) = (Vec::new(), "a-boundary-that-no-file-holds");
        for Part { head, content } in parts {
            body.extend_from_slice(format!("--{boundary}\r\n").as_bytes());
            body.extend_from_slice(head);
            body.extend_from_slice(b"\r\n\r\n");
            body.extend_from_slice(content);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
        self.body(body).header("Content-Type", &format!("multipart/form-data; boundary={boundary}"))
    }

    /// Sends the request and checks the rules that hold for every answer.
    #[track_caller]
    pub(crate) fn send(self) -> Answer {
        let origin = self.client.origin.clone();
        let has = |name: &str, start: &str| {
            self.headers.iter().any(|(given, value)| given.eq_ignore_ascii_case(name) && value.starts_with(start))
        };
        let session = has("Cookie", "relata_session=") || has("Cookie", "__Host-relata_session=");
        let signed = session && !has("Authorization", "Bearer ");
        let answer = match self.try_send() {
            Ok(answer) => answer,
            Err(broken) => panic!("{broken}"),
        };
        conform(&answer, &origin, signed);
        answer
    }

    /// Sends the request to a server that may be down; the error says why there is no answer.
    pub(crate) fn try_send(self) -> Result<Answer, String> {
        let asked = self.to_string();
        let Request { client, method, path, headers, body } = self;
        let url = format!("{}{path}", client.origin);
        let failed = |error: ureq::Error| format!("no answer to {asked}: {error}");
        let mut response = match method.as_str() {
            "POST" | "PUT" | "PATCH" => {
                let mut request = match method.as_str() {
                    "POST" => client.agent.post(url),
                    "PUT" => client.agent.put(url),
                    _ => client.agent.patch(url),
                };
                for (name, value) in &headers {
                    request = request.header(name, value);
                }
                match &body {
                    Some(bytes) => request.send(bytes.as_slice()),
                    None => request.send_empty(),
                }
            }
            _ => {
                let mut request = match method.as_str() {
                    "GET" => client.agent.get(url),
                    "DELETE" => client.agent.delete(url),
                    "HEAD" => client.agent.head(url),
                    "OPTIONS" => client.agent.options(url),
                    other => panic!("these clients do not know the method {other}"),
                };
                for (name, value) in &headers {
                    request = request.header(name, value);
                }
                match &body {
                    Some(bytes) => request.force_send_body().send(bytes.as_slice()),
                    None => request.call(),
                }
            }
        }
        .map_err(failed)?;
        // An event stream has no end: its head is the answer, and `Listener` reads the rest.
        let bytes = match is_stream(response.headers()) {
            true => Vec::new(),
            false => response.body_mut().with_config().limit(64 << 20).read_to_vec().map_err(failed)?,
        };
        let status = response.status().as_u16();
        Ok(Answer::new(asked, method, path, status, response.headers().clone(), bytes))
    }
}

pub(super) fn is_stream(headers: &HeaderMap) -> bool {
    headers.get("Content-Type").is_some_and(|content| content == "text/event-stream")
}

/// A part of a form: its headers as they are sent, and its content.
pub(crate) struct Part {
    pub head: Vec<u8>,
    pub content: Vec<u8>,
}

impl Part {
    pub(crate) fn file(filename: &str, content: &[u8]) -> Part {
        Part::named("file", filename, content)
    }

    pub(crate) fn named(name: &str, filename: &str, content: &[u8]) -> Part {
        let head = format!(
            "Content-Disposition: form-data; name=\"{name}\"; filename=\"{filename}\"\r\nContent-Type: application/octet-stream"
        );
        Part { head: head.into_bytes(), content: content.to_vec() }
    }
}

impl fmt::Display for Request<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}", self.method, shortened(&self.path))?;
        match &self.body {
            Some(bytes) => write!(f, " {}", shortened(&String::from_utf8_lossy(bytes))),
            None => Ok(()),
        }
    }
}

/// An answer of the service.
#[derive(Clone)]
pub(crate) struct Answer {
    asked: String,
    method: String,
    path: String,
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
    /// The body; null if it is not JSON.
    pub json: Value,
}

impl Answer {
    pub(crate) fn new(
        asked: String,
        method: String,
        path: String,
        status: u16,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Answer {
        let json = serde_json::from_slice(&body).unwrap_or(Value::Null);
        Answer { asked, method, path, status, headers, body, json }
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub(crate) fn header(&self, name: &str) -> &str {
        self.find_header(name).unwrap_or_else(|| panic!("no {name} in {self}"))
    }

    pub(crate) fn find_header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// A header with a whole number.
    #[track_caller]
    pub(crate) fn number(&self, name: &str) -> i64 {
        self.header(name).parse().unwrap_or_else(|_| panic!("{name} is not a number in {self}"))
    }

    #[track_caller]
    pub(crate) fn is(&self, status: u16) -> &Answer {
        assert_eq!(self.status, status, "the status of {self}");
        self
    }

    /// 200, and `data`.
    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        self.is(200).data()
    }

    /// 201, and `data`.
    #[track_caller]
    pub(crate) fn created(&self) -> Value {
        self.is(201).data()
    }

    /// 200; returns the rows and `meta`.
    #[track_caller]
    pub(crate) fn page(&self) -> Page {
        let rows = self.is(200).data();
        let Value::Array(rows) = rows else { panic!("data is not a list in {self}") };
        let meta = self.json["meta"].clone();
        assert!(meta.is_object(), "a list without meta: {self}");
        Page { rows, meta }
    }

    /// An error of this status and code.
    #[track_caller]
    pub(crate) fn error(&self, status: u16, code: &str) -> Failure {
        assert_eq!(
            (self.status, self.json["error"]["code"].as_str()),
            (status, Some(code)),
            "status and code of {self}"
        );
        Failure { answer: self.clone() }
    }

    /// 400; returns the failure after checking the member or parameter it is about.
    #[track_caller]
    pub(crate) fn invalid(&self, field: &str) -> Failure {
        self.error(400, "validation_error").at(field)
    }

    #[track_caller]
    pub(crate) fn not_found(&self) -> Failure {
        self.error(404, "not_found")
    }

    #[track_caller]
    fn data(&self) -> Value {
        match self.json.get("data") {
            Some(data) => data.clone(),
            None => panic!("no data in {self}"),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "the answer to {}\n  {}", self.asked, self.status)?;
        for (name, value) in &self.headers {
            writeln!(f, "  {name}: {}", String::from_utf8_lossy(value.as_bytes()))?;
        }
        write!(f, "  {}", self.text())
    }
}

/// Rows of a list, and its `meta`.
pub(crate) struct Page {
    pub rows: Vec<Value>,
    pub meta: Value,
}

impl Page {
    /// One text member of every row, in order.
    #[track_caller]
    pub(crate) fn column(&self, name: &str) -> Vec<String> {
        self.rows.iter().map(|row| text(&row[name])).collect()
    }

    #[track_caller]
    pub(crate) fn ids(&self) -> Vec<String> {
        self.column("id")
    }

    #[track_caller]
    pub(crate) fn total(&self) -> u64 {
        self.meta["total"].as_u64().unwrap_or_else(|| panic!("no total in {}", self.meta))
    }

    pub(crate) fn has_more(&self) -> bool {
        self.meta["has_more"] == true
    }

    /// The cursor of the next page.
    pub(crate) fn next(&self) -> Option<String> {
        self.meta["next_cursor"].as_str().map(str::to_owned)
    }
}

/// An error, for further checks.
pub(crate) struct Failure {
    answer: Answer,
}

impl Failure {
    pub(crate) fn message(&self) -> &str {
        self.answer.json["error"]["message"].as_str().unwrap_or_default()
    }

    /// The missing credits, if the error is about them.
    pub(crate) fn credits(&self) -> &Value {
        &self.answer.json["error"]["details"]
    }

    /// The problems one by one, as (field, reason).
    pub(crate) fn details(&self) -> Vec<(String, String)> {
        let details = self.answer.json["error"]["details"].as_array().cloned().unwrap_or_default();
        details.iter().map(|problem| (text(&problem["field"]), text(&problem["reason"]))).collect()
    }

    /// Checks that one of the problems is about this field, in the message too.
    #[track_caller]
    pub(crate) fn at(self, field: &str) -> Self {
        let found = self.details().iter().any(|(given, _)| given == field);
        assert!(found, "no problem with {field} in {}", self.answer);
        self.says(field)
    }

    /// Checks that the message contains this text, in any case.
    #[track_caller]
    pub(crate) fn says(self, what: &str) -> Self {
        let said = self.message().to_lowercase().contains(&what.to_lowercase());
        assert!(said, "the message does not say {what:?} in {}", self.answer);
        self
    }

    #[track_caller]
    pub(crate) fn hides(self, what: &str) -> Self {
        assert!(!self.answer.text().contains(what), "{what:?} is revealed in {}", self.answer);
        self
    }
}

/// A JSON string.
#[track_caller]
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("not a string: {value}")).to_owned()
}

/// A JSON list of strings.
#[track_caller]
pub(crate) fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap_or_else(|| panic!("not a list: {value}")).iter().map(text).collect()
}

/// One text member of every item of a JSON list.
#[track_caller]
pub(crate) fn member(list: &Value, name: &str) -> Vec<String> {
    list.as_array().unwrap_or_else(|| panic!("not a list: {list}")).iter().map(|item| text(&item[name])).collect()
}

/// Checks the rules of every answer under the prefix, and the documentation of its operation.
#[track_caller]
pub(super) fn conform(answer: &Answer, origin: &str, signed: bool) {
    assert_ne!(answer.header("X-Request-Id"), "", "{answer}");
    let open = format!("{PREFIX}/openapi.json");
    if answer.path.starts_with("/dashboard/") && answer.status < 400 && answer.method != "HEAD" {
        let document = document::of_dashboard();
        document.check(&answer.method, &answer.path, answer.status, &answer.json, answer);
    }
    if !answer.path.starts_with(PREFIX) || answer.path.starts_with(&open) {
        return;
    }
    if signed {
        // Requests of the dashboard are not counted.
        assert!(answer.find_header("X-RateLimit-Limit").is_none(), "{answer}");
    } else if answer.method == "POST" && answer.path.split('?').next() == Some(&format!("{PREFIX}{UNCOUNTED}")) {
        for name in ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] {
            assert!(answer.find_header(name).is_none(), "{name} on an operation without a rate limit: {answer}");
        }
    } else {
        let limit = answer.number("X-RateLimit-Limit");
        let remaining = answer.number("X-RateLimit-Remaining");
        assert!((0..=limit).contains(&remaining), "more remains than the limit: {answer}");
        answer.number("X-RateLimit-Reset");
    }
    if answer.method == "HEAD" {
        return;
    }
    let document = document::of(origin);
    if answer.status == 304 {
        assert!(answer.body.is_empty(), "a body that the client has cached: {answer}");
        assert!(answer.find_header("Content-Type").is_none() && answer.find_header("ETag").is_some(), "{answer}");
        assert!(document.describes(&answer.method, &answer.path, 304), "not described: {answer}");
        return;
    }
    if answer.status < 400 && is_stream(&answer.headers) {
        assert!(document.is_stream(&answer.method, &answer.path), "a stream that is not documented: {answer}");
        return;
    }
    if answer.status < 400 && document.is_file(&answer.method, &answer.path, answer.header("Content-Type")) {
        assert!(
            answer.header("Content-Disposition").starts_with("attachment"),
            "a file that a browser would show inline: {answer}"
        );
        assert_eq!(answer.header("X-Content-Type-Options"), "nosniff", "{answer}");
        return;
    }
    assert!(answer.header("Content-Type").starts_with("application/json"), "not JSON: {answer}");
    if answer.status >= 400 {
        conform_error(answer);
        // Errors that only sessions get are not documented for users of keys.
        if signed && ["not_signed_in", "cross_origin"].contains(&text(&answer.json["error"]["code"]).as_str()) {
            return;
        }
    } else {
        assert!(answer.json.get("data").is_some(), "a success without data: {answer}");
    }
    document.check(&answer.method, &answer.path, answer.status, &answer.json, answer);
}

/// Checks the form of every error.
#[track_caller]
fn conform_error(answer: &Answer) {
    let error = &answer.json["error"];
    let code = error["code"].as_str().unwrap_or_else(|| panic!("an error without code: {answer}"));
    let message = error["message"].as_str().unwrap_or_else(|| panic!("an error without message: {answer}"));
    assert!(!message.trim().is_empty(), "an error that says nothing: {answer}");
    let status = match code {
        "validation_error" | "malformed_request" => 400,
        "invalid_api_key" | "not_signed_in" => 401,
        "insufficient_credits" => 402,
        "insufficient_role" | "cross_origin" => 403,
        "insufficient_scope" | "billing_required" | "plan_upgrade_required" => 403,
        "not_found" => 404,
        "method_not_allowed" => 405,
        "idempotency_conflict" | "erased_address" => 409,
        "gone" => 410,
        "precondition_failed" => 412,
        "payload_too_large" | "storage_quota_exceeded" => 413,
        "unsupported_media_type" => 415,
        "rate_limit_exceeded" => 429,
        "internal_error" => 500,
        "unavailable" => 503,
        unknown => panic!("{unknown} is no code of the interface: {answer}"),
    };
    assert_eq!(answer.status, status, "a code with the status of another: {answer}");
    if code == "validation_error" {
        let failure = Failure { answer: answer.clone() };
        let reported: Vec<String> =
            failure.details().iter().map(|(field, reason)| format!("{field}: {reason}")).collect();
        assert!(!reported.is_empty(), "a validation error without details: {answer}");
        // At most a thousand problems are listed, and the message says that there are more.
        let more = message.rsplit_once("; and ").map(|(_, more)| more).filter(|_| reported.len() == 1000);
        let more = more.and_then(|more| more.strip_suffix(" more problems")?.parse::<u64>().ok());
        let more = more.map(|more| format!("and {more} more problems"));
        let expected: Vec<String> = reported.into_iter().chain(more).collect();
        assert_eq!(message, expected.join("; "), "the message is not its details: {answer}");
    }
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 2_000;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}… ({} bytes)", &text[..at], text.len()),
        None => text.to_owned(),
    }
}
