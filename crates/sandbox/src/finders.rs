//! The sandbox's address finders: the servers for `connect::finder`, of every kind, under any name. They find everybody;
//! the script says which are slow, fail, or send wrong answers.

use std::collections::HashMap;
use std::sync::Arc;

use hyper::{Method, StatusCode};
use serde_json::{Value, json};

use crate::clock;
use crate::http::{Answer, Request, Router, json as answer_json, json_with, text};
use crate::script::{Action, Channel, Point, Target, WrongAnswer};
use crate::state::{Asked, Outcome, Shared};

type World = Arc<Shared>;

pub(crate) fn router(shared: World) -> Router {
    let world = shared.clone();
    let guard = move |headers: &hyper::HeaderMap| {
        let given = headers.get("x-api-key").and_then(|value| value.to_str().ok());
        (given != Some(world.script().token.as_str())).then(|| refuse(401, "The key is not good", None))
    };
    Router::new(guard)
        .route(Method::GET, "/{finder}/find", &shared, find)
        .route(Method::POST, "/{finder}/find", &shared, find)
        .route(Method::GET, "/{finder}/v2/email-finder", &shared, hunter)
        .route(Method::POST, "/{finder}/api/v1/people/match", &shared, apollo)
}

fn refuse(status: u16, text: &str, retry_after: Option<u32>) -> Answer {
    json_with(status, &json!({ "error": { "message": text } }), retry_after)
}

/// A finder's data about a person.
struct Known {
    first_name: String,
    last_name: String,
    /// The address, and whether it is verified.
    emails: Vec<(String, bool)>,
    phones: Vec<String>,
}

type Members = HashMap<String, String>;

async fn find(shared: World, request: Request) -> Answer {
    let members = if request.body.is_empty() { request.query.clone() } else { members(&request.body) };
    answer(&shared, "json", &request, &members, |known| {
        let email = |(email, verified): &(String, bool)| json!({ "address": email, "status": status(*verified), "score": score(*verified) });
        json!({
            "name": format!("{} {}", known.first_name, known.last_name),
            "emails": known.emails.iter().map(email).collect::<Vec<_>>(),
            "phones": known.phones,
        })
    })
    .await
}

async fn hunter(shared: World, request: Request) -> Answer {
    answer(&shared, "hunter", &request, &request.query, |known| {
        let (email, verified) = known.emails.first().cloned().unzip();
        let verified = verified.unwrap_or(false);
        json!({ "data": {
            "first_name": known.first_name, "last_name": known.last_name, "email": email, "score": score(verified),
            "verification": { "date": "2026-01-15", "status": status(verified) }, "sources": [],
        }})
    })
    .await
}

async fn apollo(shared: World, request: Request) -> Answer {
    let mut members = members(&request.body);
    if let Some(company) = members.remove("organization_name") {
        members.insert("company".to_owned(), company);
    }
    answer(&shared, "apollo", &request, &members, |known| {
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
    shared: &World,
    kind: &'static str,
    request: &Request,
    asked: &Members,
    shown: impl Fn(&Known) -> Value,
) -> Answer {
    let (first, last) = (member(asked, "first_name"), member(asked, "last_name"));
    let name = format!("{first} {last}");
    let finder = request.parameter(0).to_owned();
    let key = request.header("idempotency-key").unwrap_or_default().to_owned();
    let question = Asked { at: clock::now(), finder: finder.clone(), kind, name: name.clone(), key };
    shared.state().asked.push(question);
    let names = [name.as_str(), finder.as_str()];
    let target = Target { channel: Channel::Enrichment, names: &names, subject: None };
    let mut known = known(asked, &first, &last);
    for point in [Point::Dot, Point::Answer] {
        match shared.apply_rule(point, target).await {
            Outcome::Pass => {}
            Outcome::Refuse { code, text, retry_after } => return refuse(code, &text, retry_after),
            Outcome::Hang => std::future::pending().await,
            Outcome::Drop => {
                request.closer.close();
                std::future::pending().await
            }
            Outcome::WrongAnswer(WrongAnswer::Broken | WrongAnswer::Endless) => {
                return text(StatusCode::OK, "{\"data\": {\"email\": \"ada@exam");
            }
            Outcome::WrongAnswer(WrongAnswer::Huge) => return text(StatusCode::OK, vec![b' '; 10_000_000]),
            Outcome::WrongAnswer(WrongAnswer::ErrorInside) => {
                return answer_json(&json!({ "error": true, "message": "The quota is used up" }));
            }
            Outcome::WrongAnswer(WrongAnswer::NotAnEmail) => {
                known.emails = vec![("not found, try premium".to_owned(), true)];
                known.phones = vec!["ask reception".to_owned()];
            }
            Outcome::WrongAnswer(WrongAnswer::WrongPerson) => {
                (known.first_name, known.last_name) = ("Somebody".to_owned(), "Else".to_owned());
                known.emails = vec![("somebody.else@example.com".to_owned(), true)];
            }
            Outcome::WrongAnswer(WrongAnswer::Wrong | WrongAnswer::Circle | WrongAnswer::Greedy) => {
                return answer_json(&json!([[1, null]]));
            }
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
    answer_json(&shown(&known))
}

fn member(asked: &Members, name: &str) -> String {
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
