//! The control service, for tests and users to inspect and change the sandbox; `docs/sandbox.md` is the reference.

use std::sync::Arc;

use hyper::{Method, StatusCode};
use mail_parser::MessageParser;
use serde_json::{Map, Value, json};

use crate::http::{Answer, Request, Router, json as answer, mail as mail_answer, refuse, text};
use crate::script::Script;
use crate::state::{Received, Shared};

type World = Arc<Shared>;

pub(crate) fn router(shared: World) -> Router {
    let (get, post, put, delete) = (Method::GET, Method::POST, Method::PUT, Method::DELETE);
    Router::new(|_| None)
        .largest(64 * 1024 * 1024)
        .route(get.clone(), "/mails", &shared, mails)
        .route(get.clone(), "/mails/{number}", &shared, mail)
        .route(get.clone(), "/counts", &shared, counts)
        .route(get.clone(), "/sends", &shared, async |world: World, _| answer(&json!({ "sends": world.state().sends })))
        .route(get.clone(), "/asked", &shared, async |world: World, _| answer(&json!({ "asked": world.state().asked })))
        .route(get.clone(), "/mailboxes/{address}", &shared, mailbox)
        .route(post.clone(), "/mailboxes/{address}/{folder}", &shared, put_mail)
        .route(post.clone(), "/mailboxes/{address}/{folder}/validity", &shared, renumber)
        .route(post.clone(), "/oauth/revoke/{address}", &shared, revoke)
        .route(delete, "/mailboxes/{address}/{folder}/{uid}", &shared, remove)
        .route(put, "/script", &shared, play)
        .route(post, "/reset", &shared, reset)
        .route(get, "/certificate.pem", &shared, async |world: World, _| {
            text(StatusCode::OK, world.certificate.clone())
        })
}

/// A mail with its envelope, its raw headers, and how often a mail with its Message-ID was received.
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

async fn mails(shared: World, request: Request) -> Answer {
    let query = &request.query;
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
    answer(&json!({ "mails": shown, "total": found.len() }))
}

async fn mail(shared: World, request: Request) -> Answer {
    let Ok(number) = request.parameter(0).parse::<usize>() else {
        return refuse(StatusCode::BAD_REQUEST, "the number of a mail is a whole number");
    };
    match shared.state().received.get(number) {
        Some(mail) => mail_answer(mail.content.clone()),
        None => refuse(StatusCode::NOT_FOUND, "there is no mail of this number"),
    }
}

async fn counts(shared: World, _: Request) -> Answer {
    let state = shared.state();
    let duplicates = state.counts.values().filter(|count| **count > 1).count();
    answer(&json!({
        "accepted": state.received.len(), "distinct": state.counts.len(), "duplicates": duplicates, "counts": state.counts,
    }))
}

async fn mailbox(shared: World, request: Request) -> Answer {
    let mut state = shared.state();
    let folders = state.mailboxes.of(request.parameter(0)).iter().map(|(name, folder)| {
        let uids: Vec<u32> = folder.mails.iter().map(|mail| mail.uid).collect();
        json!({ "name": name, "validity": folder.validity, "next": folder.next, "uids": uids })
    });
    answer(&json!({ "folders": folders.collect::<Vec<_>>() }))
}

async fn put_mail(shared: World, request: Request) -> Answer {
    match shared.put(request.parameter(0), request.parameter(1), request.body.clone()) {
        Some(uid) => answer(&json!({ "uid": uid })),
        None => refuse(StatusCode::NOT_FOUND, "there is no such folder"),
    }
}

async fn renumber(shared: World, request: Request) -> Answer {
    match shared.renumber(request.parameter(0), request.parameter(1)) {
        true => answer(&json!({})),
        false => refuse(StatusCode::NOT_FOUND, "there is no such folder"),
    }
}

async fn remove(shared: World, request: Request) -> Answer {
    let Ok(uid) = request.parameter(2).parse() else {
        return refuse(StatusCode::BAD_REQUEST, "the UID of a mail is a whole number");
    };
    match shared.remove(request.parameter(0), request.parameter(1), uid) {
        true => answer(&json!({})),
        false => refuse(StatusCode::NOT_FOUND, "there is no such mail"),
    }
}

async fn revoke(shared: World, request: Request) -> Answer {
    shared.state().oauth.revoke(request.parameter(0));
    answer(&json!({}))
}

async fn play(shared: World, request: Request) -> Answer {
    let Ok(script) = std::str::from_utf8(&request.body) else {
        return refuse(StatusCode::BAD_REQUEST, "the script is not UTF-8");
    };
    match Script::parse(script) {
        Ok(script) => {
            shared.play(script);
            answer(&json!({}))
        }
        Err(error) => refuse(StatusCode::BAD_REQUEST, &error.to_string()),
    }
}

async fn reset(shared: World, _: Request) -> Answer {
    shared.reset();
    answer(&json!({}))
}
