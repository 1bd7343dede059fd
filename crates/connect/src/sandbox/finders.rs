//! The sandbox's finders of addresses: the other end of `connect::finder`, of every kind, under any name. They know
//! everybody; the script says who is slow, broken, or lies.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Extension, Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use bytes::Bytes;
use serde_json::{Value, json};

use super::clock;
use super::http::Line;
use super::script::{Action, Channel, Lie, Point, Target};
use super::state::{Asked, Fate, Shared};

pub fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/{finder}/find", get(find).post(find))
        .route("/{finder}/v2/email-finder", get(hunter))
        .route("/{finder}/api/v1/people/match", post(apollo))
        .layer(axum::middleware::from_fn_with_state(shared.clone(), let_in))
        .with_state(shared)
}

async fn let_in(
    State(shared): State<Arc<Shared>>,
    request: axum::extract::Request,
    next: axum::middleware::Next,
) -> Response {
    let given = request.headers().get("x-api-key").and_then(|value| value.to_str().ok());
    match given == Some(shared.script().token.as_str()) {
        true => next.run(request).await,
        false => refuse(401, "The key is not good", None),
    }
}

fn refuse(status: u16, text: &str, retry_after: Option<u32>) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, Json(json!({ "error": { "message": text } }))).into_response();
    if let Some(seconds) = retry_after {
        response.headers_mut().insert("retry-after", seconds.into());
    }
    response
}

/// What a finder knows of a person.
struct Known {
    first_name: String,
    last_name: String,
    /// The address, and whether it is verified.
    emails: Vec<(String, bool)>,
    phones: Vec<String>,
}

type Members = HashMap<String, String>;

async fn find(
    State(shared): State<Arc<Shared>>,
    Extension(line): Extension<Line>,
    Path(finder): Path<String>,
    Query(query): Query<Members>,
    headers: axum::http::HeaderMap,
    body: Bytes,
) -> Response {
    let members = if body.is_empty() { query } else { members(&body) };
    answer(&shared, &line, ("json", finder, &headers), &members, |known| {
        let email = |(email, verified): &(String, bool)| json!({ "address": email, "status": status(*verified), "score": score(*verified) });
        json!({
            "name": format!("{} {}", known.first_name, known.last_name),
            "emails": known.emails.iter().map(email).collect::<Vec<_>>(),
            "phones": known.phones,
        })
    })
    .await
}

async fn hunter(
    State(shared): State<Arc<Shared>>,
    Extension(line): Extension<Line>,
    Path(finder): Path<String>,
    Query(query): Query<Members>,
    headers: axum::http::HeaderMap,
) -> Response {
    answer(&shared, &line, ("hunter", finder, &headers), &query, |known| {
        let (email, verified) = known.emails.first().cloned().unzip();
        let verified = verified.unwrap_or(false);
        json!({ "data": {
            "first_name": known.first_name, "last_name": known.last_name, "email": email, "score": score(verified),
            "verification": { "date": "2026-01-15", "status": status(verified) }, "sources": [],
        }})
    })
    .await
}

async fn apollo(
    State(shared): State<Arc<Shared>>,
    Extension(line): Extension<Line>,
    Path(finder): Path<String>,
    headers: axum::http::HeaderMap,
    body: Bytes,
) -> Response {
    let mut members = members(&body);
    if let Some(company) = members.remove("organization_name") {
        members.insert("company".to_owned(), company);
    }
    answer(&shared, &line, ("apollo", finder, &headers), &members, |known| {
        let Some((email, verified)) = known.emails.first() else { return json!({ "person": null }) };
        let number = |phone: &String| json!({ "raw_number": phone, "sanitized_number": phone });
        json!({ "person": {
            "id": "5f1", "first_name": known.first_name, "last_name": known.last_name, "email": email,
            "email_status": if *verified { "verified" } else { "guessed" }, "personal_emails": [],
            "phone_numbers": known.phones.iter().map(number).collect::<Vec<_>>(),
        }})
    })
    .await
}

fn members(body: &[u8]) -> Members {
    let json: HashMap<String, Value> = serde_json::from_slice(body).unwrap_or_default();
    json.into_iter().filter_map(|(name, value)| Some((name, value.as_str()?.to_owned()))).collect()
}

fn status(verified: bool) -> &'static str {
    if verified { "valid" } else { "accept_all" }
}

fn score(verified: bool) -> u32 {
    if verified { 97 } else { 41 }
}

async fn answer(
    shared: &Arc<Shared>,
    line: &Line,
    (kind, finder, headers): (&'static str, String, &axum::http::HeaderMap),
    asked: &Members,
    shown: impl Fn(&Known) -> Value,
) -> Response {
    let (first, last) = (said(asked, "first_name"), said(asked, "last_name"));
    let name = format!("{first} {last}");
    let key = headers.get("idempotency-key").and_then(|key| key.to_str().ok()).unwrap_or_default().to_owned();
    let question = Asked { at: clock::now(), finder: finder.clone(), kind, name: name.clone(), key };
    shared.state().asked.push(question);
    let names = [name.as_str(), finder.as_str()];
    let target = Target { channel: Channel::Enrichment, names: &names, subject: None };
    let mut known = known(asked, &first, &last);
    for point in [Point::Dot, Point::Answer] {
        match shared.meets(point, target).await {
            Fate::Pass => {}
            Fate::Refuse { code, text, retry_after } => return refuse(code, &text, retry_after),
            Fate::Hang => std::future::pending().await,
            Fate::Drop => {
                line.hang_up();
                std::future::pending().await
            }
            Fate::Lie(Lie::Broken | Lie::Endless) => return "{\"data\": {\"email\": \"ada@exam".into_response(),
            Fate::Lie(Lie::Huge) => return vec![b' '; 10_000_000].into_response(),
            Fate::Lie(Lie::ErrorInside) => {
                return Json(json!({ "error": true, "message": "The quota is used up" })).into_response();
            }
            Fate::Lie(Lie::NotAnEmail) => {
                known.emails = vec![("not found, try premium".to_owned(), true)];
                known.phones = vec!["ask reception".to_owned()];
            }
            Fate::Lie(Lie::WrongPerson) => {
                (known.first_name, known.last_name) = ("Somebody".to_owned(), "Else".to_owned());
                known.emails = vec![("somebody.else@example.com".to_owned(), true)];
            }
            Fate::Lie(Lie::Wrong | Lie::Circle | Lie::Greedy) => return Json(json!([[1, null]])).into_response(),
        }
    }
    let rule = shared.rule(None, target, |action| matches!(action, Action::Find { .. }));
    if let Some(Action::Find { emails, phones }) = rule.map(|rule| rule.action) {
        let email = |email: String| match email.strip_prefix('?') {
            Some(guess) => (guess.to_owned(), false),
            None => (email, true),
        };
        (known.emails, known.phones) = (emails.into_iter().map(email).collect(), phones);
    }
    Json(shown(&known)).into_response()
}

fn said(asked: &Members, name: &str) -> String {
    asked.get(name).cloned().unwrap_or_default()
}

fn known(asked: &Members, first: &str, last: &str) -> Known {
    let word = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    let company = || asked.get("company").map(|company| format!("{}.example.com", word(company)));
    let domain = asked.get("domain").cloned().or_else(company).unwrap_or_else(|| "example.com".to_owned());
    let names: Vec<String> = [word(first), word(last)].into_iter().filter(|name| !name.is_empty()).collect();
    let email = format!("{}@{domain}", names.join("."));
    let number = email.bytes().fold(7_u32, |sum, byte| (sum * 31 + u32::from(byte)) % 10_000_000);
    Known {
        first_name: first.to_owned(),
        last_name: last.to_owned(),
        emails: vec![(email, true)],
        phones: vec![format!("+1555{number:07}")],
    }
}
