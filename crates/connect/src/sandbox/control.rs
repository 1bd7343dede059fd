//! What tests and curious people ask the sandbox about itself; `docs/sandbox.md` is the reference.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post, put};
use axum::{Json, Router};
use bytes::Bytes;
use mail_parser::MessageParser;
use serde_json::{Map, Value, json};

use super::script::Script;
use super::state::{Received, Shared};

pub fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/mails", get(mails))
        .route("/mails/{number}", get(mail))
        .route("/counts", get(counts))
        .route("/sends", get(sends))
        .route("/asked", get(async |State(shared): State<Arc<Shared>>| Json(json!({"asked": shared.state().asked}))))
        .route("/mailboxes/{address}", get(mailbox))
        .route("/mailboxes/{address}/{folder}", post(put_mail))
        .route("/mailboxes/{address}/{folder}/validity", post(renumber))
        .route("/mailboxes/{address}/{folder}/{uid}", delete(remove))
        .route("/script", put(play))
        .route("/reset", post(reset))
        .route("/certificate.pem", get(async |State(shared): State<Arc<Shared>>| shared.certificate.clone()))
        .layer(DefaultBodyLimit::max(64 * 1024 * 1024))
        .with_state(shared)
}

fn refuse(status: StatusCode, reason: &str) -> Response {
    (status, Json(json!({"error": reason}))).into_response()
}

/// A mail with its envelope, its headers as they were written, and how often its Message-ID came.
fn shown(number: usize, mail: &Received, count: u32) -> Value {
    let message = MessageParser::default().parse_headers(mail.content.as_ref());
    let mut headers = Map::new();
    for (name, value) in message.iter().flat_map(|message| message.headers_raw()) {
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        match headers.get_mut(name) {
            Some(Value::Array(values)) => values.push(Value::String(value)),
            _ => drop(headers.insert(name.to_owned(), json!([value]))),
        }
    }
    json!({
        "number": number, "at": mail.at, "user": mail.user, "from": mail.from, "to": mail.to, "message_id": mail.message_id,
        "subject": message.as_ref().and_then(|message| message.subject()), "headers": headers, "size": mail.content.len(), "count": count,
    })
}

async fn mails(State(shared): State<Arc<Shared>>, Query(query): Query<HashMap<String, String>>) -> Response {
    for name in query.keys() {
        if !["to", "from", "message_id", "offset", "limit"].contains(&name.as_str()) {
            return refuse(StatusCode::BAD_REQUEST, &format!("{name}: takes to, from, message_id, offset and limit"));
        }
    }
    let number = |name: &str, usual: usize| query.get(name).and_then(|value| value.parse().ok()).unwrap_or(usual);
    let is = |name: &str, value: Option<&str>| {
        query.get(name).is_none_or(|wanted| value.is_some_and(|value| value.eq_ignore_ascii_case(wanted)))
    };
    let state = shared.state();
    let found: Vec<(usize, &Received)> = state
        .received
        .iter()
        .enumerate()
        .filter(|(_, mail)| {
            is("from", Some(&mail.from))
                && is("message_id", mail.message_id.as_deref())
                && query.get("to").is_none_or(|wanted| mail.to.iter().any(|to| to.eq_ignore_ascii_case(wanted)))
        })
        .collect();
    let shown: Vec<Value> = found
        .iter()
        .skip(number("offset", 0))
        .take(number("limit", 1000))
        .map(|(at, mail)| {
            let count = mail.message_id.as_ref().and_then(|id| state.counts.get(id)).copied().unwrap_or(0);
            shown(*at, mail, count)
        })
        .collect();
    Json(json!({"mails": shown, "total": found.len()})).into_response()
}

async fn mail(State(shared): State<Arc<Shared>>, Path(number): Path<usize>) -> Response {
    match shared.state().received.get(number) {
        Some(mail) => ([("content-type", "message/rfc822")], mail.content.clone()).into_response(),
        None => refuse(StatusCode::NOT_FOUND, "there is no mail of this number"),
    }
}

async fn counts(State(shared): State<Arc<Shared>>) -> Json<Value> {
    let state = shared.state();
    let duplicates = state.counts.values().filter(|count| **count > 1).count();
    Json(
        json!({"accepted": state.received.len(), "distinct": state.counts.len(), "duplicates": duplicates, "counts": state.counts}),
    )
}

async fn sends(State(shared): State<Arc<Shared>>) -> Json<Value> {
    Json(json!({"sends": shared.state().handed}))
}

async fn mailbox(State(shared): State<Arc<Shared>>, Path(address): Path<String>) -> Json<Value> {
    let mut state = shared.state();
    let folders = state.mailboxes.of(&address).iter().map(|(name, folder)| {
        let uids: Vec<u32> = folder.mails.iter().map(|mail| mail.uid).collect();
        json!({"name": name, "validity": folder.validity, "next": folder.next, "uids": uids})
    });
    Json(json!({"folders": folders.collect::<Vec<_>>()}))
}

async fn put_mail(
    State(shared): State<Arc<Shared>>,
    Path((address, folder)): Path<(String, String)>,
    body: Bytes,
) -> Response {
    match shared.put(&address, &folder, body) {
        Some(uid) => Json(json!({"uid": uid})).into_response(),
        None => refuse(StatusCode::NOT_FOUND, "there is no such folder"),
    }
}

async fn renumber(State(shared): State<Arc<Shared>>, Path((address, folder)): Path<(String, String)>) -> Response {
    match shared.renumber(&address, &folder) {
        true => Json(json!({})).into_response(),
        false => refuse(StatusCode::NOT_FOUND, "there is no such folder"),
    }
}

async fn remove(
    State(shared): State<Arc<Shared>>,
    Path((address, folder, uid)): Path<(String, String, u32)>,
) -> Response {
    match shared.remove(&address, &folder, uid) {
        true => Json(json!({})).into_response(),
        false => refuse(StatusCode::NOT_FOUND, "there is no such mail"),
    }
}

async fn play(State(shared): State<Arc<Shared>>, body: String) -> Response {
    match Script::parse(&body) {
        Ok(script) => {
            shared.play(script);
            Json(json!({})).into_response()
        }
        Err(error) => refuse(StatusCode::BAD_REQUEST, &error.to_string()),
    }
}

async fn reset(State(shared): State<Arc<Shared>>) -> Json<Value> {
    shared.reset();
    Json(json!({}))
}
