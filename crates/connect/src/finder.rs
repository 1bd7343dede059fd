//! Email finders: services that look up a person's email addresses and telephone numbers. The kind `json` is configured
//! by a URL and by the paths of the values in its answers; the others are clients of well-known services. See
//! `docs/providers.md`.

mod kinds;
mod template;

use std::time::Duration;

use reqwest::{Method, StatusCode, header};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::web;
pub use template::PLACEHOLDERS;

/// The configuration of a finder. Its URL and headers may contain secrets.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Setup {
    pub kind: Kind,
    /// For the kind `json` a URL with placeholders; otherwise the base address of the service.
    pub url: String,
    /// The default is GET, or POST if there is a body.
    pub method: Option<String>,
    /// JSON with placeholders.
    pub body: Option<String>,
    pub headers: Vec<(String, String)>,
    pub email_path: Option<String>,
    pub phone_path: Option<String>,
    /// The path of the confidence, a number from 0 to 100.
    pub confidence_path: Option<String>,
    /// The path of the flag that says whether an address was verified.
    pub verified_path: Option<String>,
    /// The path of the name of the person whom the answer is about.
    pub name_path: Option<String>,
    /// The time limit of a request in seconds.
    pub seconds: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Configured by its URL and by paths into its answers.
    #[default]
    Json,
    /// Hunter's email finder, version 2.
    Hunter,
    /// Apollo's people enrichment, version 1.
    Apollo,
}

impl Kind {
    pub fn word(self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self).map_or("unknown", |(word, _)| word)
    }
}

pub const KINDS: &[(&str, Kind)] = &[("json", Kind::Json), ("hunter", Kind::Hunter), ("apollo", Kind::Apollo)];

/// What a finder can find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Email,
    Phone,
}

/// The person to look up; unknown values are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Person {
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub company: Option<String>,
    pub domain: Option<String>,
    pub network_profile: Option<String>,
    pub title: Option<String>,
    pub location: Option<String>,
    /// An address that is known already.
    pub email: Option<String>,
}

/// An address that a finder returned.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    pub value: String,
    pub verified: bool,
    /// From 0 to 100.
    pub confidence: Option<i64>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    pub emails: Vec<Candidate>,
    pub phones: Vec<Candidate>,
    /// The person whom the answer says that it is about.
    pub name: Option<String>,
}

/// Why a finder gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Miss {
    /// The finder was not asked: the person lacks a value that it needs.
    Lacks(String),
    /// The finder asks to try again later.
    Throttled { text: String, retry_after: Option<Duration> },
    /// The finder failed or was not reached; a retry may succeed.
    Broken { text: String, retry_after: Option<Duration> },
    /// The request was sent, but its result is unknown.
    Lost(String),
    /// The finder refuses, or its answer makes no sense; a retry would not help.
    Refused(String),
}

/// An error in a configuration: the member, and why.
pub struct Invalid {
    pub member: &'static str,
    pub reason: String,
}

/// The longest answer that is read.
const LONGEST_ANSWER: usize = 1024 * 1024;
/// How many addresses of a type are used from one answer.
const MOST: usize = 20;
const SECONDS: std::ops::RangeInclusive<u64> = 1..=60;

impl Setup {
    /// What this finder finds, if its configuration is valid.
    pub fn finds(&self) -> Result<Vec<Type>, Invalid> {
        let invalid = |member, reason: String| Err(Invalid { member, reason });
        if !SECONDS.contains(&self.seconds) {
            return invalid("seconds", "must be from 1 to 60".to_owned());
        }
        for (name, value) in &self.headers {
            if header::HeaderName::from_bytes(name.as_bytes()).is_err() || header::HeaderValue::from_str(value).is_err()
            {
                return invalid("header", "must look like 'Name: value'".to_owned());
            }
        }
        if self.kind != Kind::Json {
            return self.finds_known();
        }
        if let Err(reason) = template::check(&self.url) {
            return invalid("url", reason);
        }
        if let Err(reason) = template::url(&self.url, &template::example()).and_then(|url| well_formed(&url)) {
            return invalid("url", reason);
        }
        if let Some(body) = &self.body {
            if let Err(reason) = template::check(body) {
                return invalid("body", reason);
            }
            let filled = template::body(body, &template::example()).unwrap_or_default();
            if let Err(error) = serde_json::from_str::<Value>(&filled) {
                return invalid("body", format!("is not JSON: {error}"));
            }
        }
        if !matches!(self.method.as_deref(), None | Some("GET" | "POST" | "PUT")) {
            return invalid("method", "must be GET, POST or PUT".to_owned());
        }
        if self.body.is_some() && self.method.as_deref() == Some("GET") {
            return invalid("body", "can't go with GET".to_owned());
        }
        let of = [(&self.email_path, Type::Email), (&self.phone_path, Type::Phone)];
        let finds: Vec<Type> = of.into_iter().filter(|(path, _)| path.is_some()).map(|(_, of)| of).collect();
        if finds.is_empty() {
            return invalid(
                "email-path",
                "or --phone-path is required: the paths of the values in the answer".to_owned(),
            );
        }
        Ok(finds)
    }

    fn finds_known(&self) -> Result<Vec<Type>, Invalid> {
        let only = |member| Err(Invalid { member, reason: "is for the kind json".to_owned() });
        let unfit = [
            ("method", &self.method),
            ("body", &self.body),
            ("email-path", &self.email_path),
            ("phone-path", &self.phone_path),
            ("confidence-path", &self.confidence_path),
            ("verified-path", &self.verified_path),
            ("name-path", &self.name_path),
        ];
        if let Some((member, _)) = unfit.into_iter().find(|(_, given)| given.is_some()) {
            return only(member);
        }
        if let Err(reason) = well_formed(&self.url) {
            return Err(Invalid { member: "url", reason });
        }
        if self.headers.is_empty() {
            let reason = "is required: the key, such as 'X-API-KEY: …'".to_owned();
            return Err(Invalid { member: "header", reason });
        }
        Ok(match self.kind {
            Kind::Hunter => vec![Type::Email],
            _ => vec![Type::Email, Type::Phone],
        })
    }

    /// The finder's host, which is not secret.
    pub fn host(&self) -> String {
        let url = template::url(&self.url, &template::example()).unwrap_or_default();
        let host = url::Url::parse(&url).ok().and_then(|url| {
            let host = url.host_str()?.to_owned();
            Some(url.port().map_or(host.clone(), |port| format!("{host}:{port}")))
        });
        host.unwrap_or_else(|| "-".to_owned())
    }
}

impl Kind {
    /// The default address of the service.
    pub fn usual_url(self) -> Option<&'static str> {
        match self {
            Kind::Json => None,
            Kind::Hunter => Some("https://api.hunter.io"),
            Kind::Apollo => Some("https://api.apollo.io"),
        }
    }
}

fn well_formed(url: &str) -> Result<(), String> {
    let url = url::Url::parse(url).map_err(|error| format!("is not a URL: {error}"))?;
    match matches!(url.scheme(), "http" | "https") && url.has_host() {
        true => Ok(()),
        false => Err("is not an http(s) URL".to_owned()),
    }
}

/// A request to a finder.
struct Question {
    method: Method,
    url: String,
    body: Option<String>,
}

/// Calls finders; connections are reused.
#[derive(Clone)]
pub struct Asker(reqwest::Client);

impl Asker {
    pub fn new() -> Result<Asker, String> {
        let longest = Duration::from_secs(*SECONDS.end());
        web::client(longest).map(Asker).map_err(|error| error.to_string())
    }

    /// Asks for a person's addresses. `key` identifies the request and is sent as `Idempotency-Key`, so that a finder
    /// that honours it charges a repeated request once.
    pub async fn ask(&self, setup: &Setup, person: &Person, key: &str) -> Result<Answer, Miss> {
        let question = kinds::question(setup, person)?;
        let mut request = self.0.request(question.method, &question.url).timeout(Duration::from_secs(setup.seconds));
        request = request.header(header::ACCEPT, "application/json").header("idempotency-key", key);
        for (name, value) in &setup.headers {
            request = request.header(name, value);
        }
        if let Some(body) = question.body {
            request = request.header(header::CONTENT_TYPE, "application/json").body(body);
        }
        let answer = request.send().await.map_err(|error| match error.is_connect() || error.is_builder() {
            true => Miss::Broken { text: web::describe(&error), retry_after: None },
            false => Miss::Lost(web::describe(&error)),
        })?;
        let status = answer.status();
        let retry_after = answer.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        let retry_after = retry_after.map(Duration::from_secs);
        let body = web::body(answer, LONGEST_ANSWER).await.map_err(|error| match error {
            web::Unread::TooLong => Miss::Refused(error.to_string()),
            web::Unread::Cut(_) => Miss::Lost(error.to_string()),
        })?;
        let text = || format!("{}: {}", status.as_u16(), said(&body));
        match status {
            status if status.is_success() => understood(setup, &body),
            // The finder does not know the person, or may not disclose anything.
            StatusCode::NOT_FOUND | StatusCode::GONE | StatusCode::UNAVAILABLE_FOR_LEGAL_REASONS => {
                Ok(Answer::default())
            }
            StatusCode::TOO_MANY_REQUESTS => Err(Miss::Throttled { text: text(), retry_after }),
            status if status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT => {
                Err(Miss::Broken { text: text(), retry_after })
            }
            _ => Err(Miss::Refused(text())),
        }
    }
}

fn understood(setup: &Setup, body: &[u8]) -> Result<Answer, Miss> {
    let json: Value = web::json(body)
        .map_err(|error| Miss::Refused(format!("the answer is not understood: {}", web::shown(&error))))?;
    let mut answer = kinds::answer(setup, &json);
    answer.emails.truncate(MOST);
    answer.phones.truncate(MOST);
    match error_inside(&json) {
        Some(error) if answer.emails.is_empty() && answer.phones.is_empty() => Err(Miss::Refused(error)),
        _ => Ok(answer),
    }
}

/// The error in an answer whose status is a success.
fn error_inside(json: &Value) -> Option<String> {
    let is_error = |value: &&Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        _ => true,
    };
    let error = [json.get("error"), json.get("errors")].into_iter().flatten().find(is_error)?;
    Some(web::shown(&reason(json, error)))
}

fn reason(json: &Value, error: &Value) -> String {
    let first = error.get(0).unwrap_or(error);
    let words = [first.get("details"), first.get("message"), Some(first), json.get("message")];
    let text = words.into_iter().flatten().find_map(Value::as_str);
    text.map_or_else(|| error.to_string(), str::to_owned)
}

/// The error message of a finder, or the beginning of the body.
fn said(body: &[u8]) -> String {
    let inside = web::json::<Value>(body).ok().and_then(|json| error_inside(&json));
    inside.unwrap_or_else(|| web::shown(&String::from_utf8_lossy(body)))
}
