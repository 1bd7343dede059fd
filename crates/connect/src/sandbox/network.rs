//! The sandbox's professional network and chat: the other end of `connect::provider`.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Extension, Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post, put};
use axum::{Json, Router};
use bytes::Bytes;
use serde::de::DeserializeOwned;

use super::answers::away;
use super::clock;
use super::http::Line;
use super::script::{Action, Channel, Lie, Point, Target};
use super::state::{Fate, Handed, Shared, later};
use crate::provider::webhook::{self, Delivery};
use crate::provider::{
    Account, Channel as Of, Done, Event, Events, Invitation, InvitationState, Invite, JobSearch, Jobs, Locations,
    MessageKind, Outgoing, People, PeopleSearch, Person, Profile, Refusal, Refused, To, Visit, Webhook, What,
};

/// One of the two services.
#[derive(Clone)]
struct Service {
    shared: Arc<Shared>,
    channel: Channel,
}

type Answer<T> = Result<Json<T>, No>;

/// An answer that says why not.
struct No {
    status: u16,
    refused: Refused,
    retry_after: Option<u32>,
}

fn refuse(status: u16, code: &str, message: &str) -> No {
    No { status, refused: Refused { code: code.to_owned(), message: message.to_owned() }, retry_after: None }
}

impl IntoResponse for No {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut answer = (status, Json(Refusal { error: self.refused })).into_response();
        if let Some(seconds) = self.retry_after {
            answer.headers_mut().insert("retry-after", seconds.into());
        }
        answer
    }
}

pub fn router(shared: Arc<Shared>, channel: Channel) -> Router {
    let service = Service { shared, channel };
    Router::new()
        .route("/v1/account", get(account))
        .route("/v1/people", get(person))
        .route("/v1/people/search", post(search_people))
        .route("/v1/locations", get(locations))
        .route("/v1/jobs/search", post(search_jobs))
        .route("/v1/visits", post(visit))
        .route("/v1/invitations", post(invite))
        .route("/v1/invitations/{id}", get(invitation))
        .route("/v1/messages", post(message))
        .route("/v1/sends/{id}", get(sent))
        .route("/v1/events", get(events))
        .route("/v1/webhook", put(notify).delete(be_quiet))
        .fallback(async || refuse(404, "not_found", "There is no such path"))
        .layer(axum::middleware::from_fn_with_state(service.clone(), let_in))
        .with_state(service)
}

async fn let_in(
    State(service): State<Service>,
    request: axum::extract::Request,
    next: axum::middleware::Next,
) -> Response {
    let token = format!("Bearer {}", service.shared.script().token);
    let given = request.headers().get("authorization").and_then(|value| value.to_str().ok());
    match given == Some(token.as_str()) {
        true => next.run(request).await,
        false => refuse(401, "invalid_token", "The token is not good").into_response(),
    }
}

impl Service {
    fn name(&self) -> &'static str {
        if self.channel == Channel::Chat { "chat" } else { "network" }
    }

    /// Somebody by any name; whoever is not of this world is made up, so that everybody can be written to.
    fn somebody(&self, to: &To) -> Profile {
        let world = self.shared.world();
        let known = match to {
            To::ProfileId(id) => world.person(id),
            To::Url(url) => {
                let url = url.trim_end_matches('/');
                world.by(|profile| profile.network_url.as_deref() == Some(url))
            }
            To::Phone(phone) => {
                let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
                let wanted = digits(phone);
                world.by(|profile| profile.phones.iter().flatten().any(|phone| digits(phone) == wanted))
            }
        };
        known.cloned().unwrap_or_else(|| {
            let (_, name) = to.pair();
            let mut made = Profile { profile_id: name.to_owned(), ..Profile::default() };
            match to {
                To::Url(url) => made.network_url = Some(url.clone()),
                To::Phone(phone) => made.phones = Some(vec![phone.clone()]),
                To::ProfileId(_) => {}
            }
            made
        })
    }

    /// What the script has for a request about somebody, at this point.
    async fn meets(&self, point: Point, names: &[&str], subject: Option<&str>, line: &Line) -> Result<Option<Lie>, No> {
        match self.shared.meets(point, Target { channel: self.channel, names, subject }).await {
            Fate::Pass => Ok(None),
            Fate::Lie(lie) => Ok(Some(lie)),
            Fate::Refuse { code, text, retry_after } => Err(No { retry_after, ..refuse(code, "scripted", &text) }),
            Fate::Hang => std::future::pending().await,
            Fate::Drop => {
                line.hang_up();
                std::future::pending().await
            }
        }
    }

    fn happened(&self, from: &Profile, what: What) {
        let event =
            Event { id: format!("event-{}", self.shared.name()), at: clock::now(), from: person_of(from), what };
        let webhook = {
            let mut state = self.shared.state();
            state.events.entry(self.name()).or_default().push(event.clone());
            state.webhooks.get(self.name()).cloned()
        };
        if let Some(webhook) = webhook {
            tokio::spawn(tell(webhook, event));
        }
    }

    /// Lets somebody answer a message, as the script says.
    fn answer(&self, to: Profile, names: &[&str], subject: Option<&str>) {
        let wanted = |action: &Action| matches!(action, Action::Reply { .. } | Action::OutOfOffice { .. });
        let Some(rule) = self.shared.rule(None, Target { channel: self.channel, names, subject }, wanted) else {
            return;
        };
        let service = self.clone();
        later(&self.shared, rule.after, move |shared| {
            let (text, copies) = match &rule.action {
                Action::Reply { text, copies, .. } => (text.clone(), *copies),
                Action::OutOfOffice { text, until } => (away(text, *until), 1),
                _ => return,
            };
            let message_id = format!("message-{}", shared.name());
            for _ in 0..copies {
                service.happened(&to, What::Message { message_id: message_id.clone(), text: text.clone() });
            }
        });
    }

    fn answer_invite(&self, id: &str, to: Profile, names: &[&str]) {
        let wanted =
            |action: &Action| matches!(action, Action::AcceptInvite | Action::DeclineInvite | Action::IgnoreInvite);
        let Some(rule) = self.shared.rule(None, Target { channel: self.channel, names, subject: None }, wanted) else {
            return;
        };
        let (service, id) = (self.clone(), id.to_owned());
        later(&self.shared, rule.after, move |shared| {
            let state = match rule.action {
                Action::AcceptInvite => InvitationState::Accepted,
                Action::DeclineInvite => InvitationState::Declined,
                _ => return,
            };
            {
                let mut world = shared.state();
                if let Some(invitation) = world.invitations.get_mut(&id) {
                    invitation.state = state;
                    invitation.at = clock::now();
                }
                if state == InvitationState::Accepted {
                    world.connected.insert(to.profile_id.clone());
                }
            }
            service.happened(
                &to,
                match state {
                    InvitationState::Accepted => What::Accepted { invitation_id: id },
                    _ => What::Declined { invitation_id: id },
                },
            );
        });
    }

    /// Notes a send; false if one of this id is there already.
    fn note(&self, kind: &'static str, id: &str, to: &To, profile: &Profile, text: Option<&str>) -> (Done, bool) {
        let message_id = format!("message-{}", self.shared.name());
        let mut state = self.shared.state();
        let key = (self.name(), id.to_owned());
        if let Some(done) = state.done.get(&key) {
            return (done.clone(), false);
        }
        let at = clock::now();
        let done = Done { id: id.to_owned(), profile_id: profile.profile_id.clone(), message_id: Some(message_id), at };
        state.done.insert(key, done.clone());
        let (channel, text) = (self.name(), text.map(str::to_owned));
        state.handed.push(Handed { at, channel, kind, id: id.to_owned(), to: to.clone(), text });
        (done, true)
    }
}

fn person_of(profile: &Profile) -> Person {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Person {
        profile_id: profile.profile_id.clone(),
        network_url: profile.network_url.clone(),
        phone: profile.phones.iter().flatten().next().cloned(),
        first_name: some(&profile.first_name),
        last_name: some(&profile.last_name),
    }
}

/// The ways in which rules may name somebody, the one that was used first.
fn names<'a>(to: &'a To, profile: &'a Profile) -> Vec<&'a str> {
    let mut names = vec![to.pair().1, profile.profile_id.as_str()];
    names.extend(profile.network_url.as_deref());
    names.extend(profile.phones.iter().flatten().map(String::as_str));
    names
}

/// Brings an event to whoever wants it, three times at most.
async fn tell(webhook: Webhook, event: Event) {
    let id = event.id.clone();
    let Ok(body) = serde_json::to_vec(&Delivery { events: vec![event] }) else { return };
    // A client can't be made without; there may be one already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let Ok(client) = reqwest::Client::builder().timeout(Duration::from_secs(5)).build() else { return };
    for _ in 0..3 {
        let timestamp = clock::now().as_second().to_string();
        let Some(signature) = webhook::sign(&webhook.secret, &id, &timestamp, &body) else { return };
        let request = client
            .post(&webhook.url)
            .header("content-type", "application/json")
            .header("webhook-id", &id)
            .header("webhook-timestamp", timestamp)
            .header("webhook-signature", signature)
            .body(body.clone());
        if request.send().await.is_ok_and(|answer| answer.status().is_success()) {
            return;
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, No> {
    serde_json::from_slice(body).map_err(|error| refuse(400, "invalid_request", &error.to_string()))
}

async fn account(State(service): State<Service>) -> Json<Account> {
    let network = service.channel == Channel::Network;
    let api_types = if network { vec!["classic", "sales_navigator", "recruiter"] } else { Vec::new() };
    Json(Account {
        id: format!("sandbox-{}", service.name()),
        name: format!("Sandbox {}", service.name()),
        channel: if network { Of::Network } else { Of::Chat },
        api_types: api_types.into_iter().map(str::to_owned).collect(),
    })
}

async fn person(State(service): State<Service>, Query(query): Query<HashMap<String, String>>) -> Answer<Profile> {
    let get = |name: &str| query.get(name).cloned();
    let to = get("profile_id").map(To::ProfileId).or(get("url").map(To::Url)).or(get("phone").map(To::Phone));
    let Some(to) = to else { return Err(refuse(400, "invalid_request", "profile_id, url or phone is needed")) };
    let mut profile = service.somebody(&to);
    if profile.first_name.is_empty() {
        return Err(refuse(404, "not_found", "There is nobody of this name"));
    }
    profile.connected = Some(service.shared.state().connected.contains(&profile.profile_id));
    Ok(Json(profile))
}

/// A page of what was found: from, to, and the next cursor.
fn page(total: usize, size: u32, cursor: Option<&str>) -> Result<(usize, usize, Option<String>), No> {
    let size = if size == 0 { 25 } else { size.min(100) as usize };
    let from = match cursor {
        None => 0,
        Some(cursor) => cursor
            .strip_prefix('c')
            .and_then(|place| place.parse().ok())
            .ok_or_else(|| refuse(400, "invalid_request", "The cursor is not good"))?,
    };
    let from = total.min(from);
    let to = total.min(from + size);
    Ok((from, to, (to < total).then(|| format!("c{to}"))))
}

/// A search: what the script has for it first, then what was found, unless that is a lie.
async fn searched<T: serde::Serialize>(
    service: &Service,
    line: &Line,
    names: &[&str],
    words: Option<&str>,
    found: impl FnOnce(Option<Lie>) -> Result<T, No>,
) -> Result<Response, No> {
    let lie = service.meets(Point::Dot, names, words, line).await?;
    service.meets(Point::Answer, names, words, line).await?;
    let json = |body: axum::body::Body| ([("content-type", "application/json")], body).into_response();
    Ok(match lie {
        Some(Lie::Broken) => json("{\"profiles\": [{\"profile_id\": ".into()),
        Some(Lie::Wrong) => {
            json("{\"profiles\": 7, \"jobs\": {}, \"locations\": \"none\", \"total_count\": \"many\"}".into())
        }
        Some(Lie::Endless) => {
            let drop = || Ok::<_, std::convert::Infallible>(Bytes::from_static(&[b' '; 64 * 1024]));
            json(axum::body::Body::from_stream(futures_util::stream::repeat_with(drop)))
        }
        lie => Json(found(lie)?).into_response(),
    })
}

async fn search_people(
    State(service): State<Service>,
    Extension(line): Extension<Line>,
    body: Bytes,
) -> Result<Response, No> {
    let search: PeopleSearch = read(&body)?;
    let world = service.shared.world();
    searched(&service, &line, &["search", "people"], search.keywords.as_deref(), |lie| {
        let mut found: Vec<Profile> = world.search(&search).into_iter().cloned().collect();
        let total = found.len();
        let cursor = if lie == Some(Lie::Circle) { None } else { search.cursor.as_deref() };
        let (from, to, mut cursor) = page(total, search.page_size, cursor)?;
        let mut total_count = total as u64;
        match lie {
            Some(Lie::Circle) => cursor = Some("c1".to_owned()),
            Some(Lie::Greedy) => {
                total_count = u64::MAX;
                return Ok(People { profiles: found, total_count, cursor });
            }
            Some(Lie::Huge) => {
                found[from..to].iter_mut().take(1).for_each(|it| it.summary = Some("x".repeat(10_000_000)))
            }
            _ => {}
        }
        Ok(People { profiles: found[from..to].to_vec(), total_count, cursor })
    })
    .await
}

async fn locations(
    State(service): State<Service>,
    Extension(line): Extension<Line>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, No> {
    let q = query.get("q").map(String::as_str).unwrap_or_default();
    let locations = service.shared.world().locations(q);
    searched(&service, &line, &["search", "locations"], Some(q), |_| Ok(Locations { locations })).await
}

async fn search_jobs(
    State(service): State<Service>,
    Extension(line): Extension<Line>,
    body: Bytes,
) -> Result<Response, No> {
    let search: JobSearch = read(&body)?;
    let world = service.shared.world();
    searched(&service, &line, &["search", "jobs"], search.keywords.as_deref(), |lie| {
        let found = world.jobs(&search);
        let cursor = if lie == Some(Lie::Circle) { None } else { search.cursor.as_deref() };
        let (from, to, cursor) = page(found.len(), search.page_size, cursor)?;
        let cursor = if lie == Some(Lie::Circle) { Some("c1".to_owned()) } else { cursor };
        let jobs = found[from..to].iter().map(|job| (*job).clone()).collect();
        Ok(Jobs { jobs, total_count: found.len() as u64, cursor })
    })
    .await
}

async fn visit(State(service): State<Service>, Extension(line): Extension<Line>, body: Bytes) -> Answer<Done> {
    let visit: Visit = read(&body)?;
    let profile = service.somebody(&visit.to);
    let names = names(&visit.to, &profile);
    service.meets(Point::Dot, &names, None, &line).await?;
    let (done, _) = service.note("visit", &visit.id, &visit.to, &profile, None);
    service.meets(Point::Answer, &names, None, &line).await?;
    Ok(Json(done))
}

async fn invite(State(service): State<Service>, Extension(line): Extension<Line>, body: Bytes) -> Answer<Invitation> {
    let invite: Invite = read(&body)?;
    if service.channel == Channel::Chat {
        return Err(refuse(400, "invalid_request", "A chat knows no invitations"));
    }
    let profile = service.somebody(&invite.to);
    let names = names(&invite.to, &profile);
    service.meets(Point::Dot, &names, None, &line).await?;
    let (_, new) = service.note("invitation", &invite.id, &invite.to, &profile, invite.message.as_deref());
    if new {
        let mut state = service.shared.state();
        let connected = state.connected.contains(&profile.profile_id);
        let made = Invitation {
            id: invite.id.clone(),
            profile_id: profile.profile_id.clone(),
            state: if connected { InvitationState::Connected } else { InvitationState::Pending },
            at: clock::now(),
        };
        state.invitations.insert(invite.id.clone(), made);
        drop(state);
        if !connected {
            service.answer_invite(&invite.id, profile.clone(), &names);
        }
    }
    service.meets(Point::Answer, &names, None, &line).await?;
    let found = service.shared.state().invitations.get(&invite.id).cloned();
    found.map(Json).ok_or_else(|| refuse(409, "conflict", "This id was something else before"))
}

async fn invitation(State(service): State<Service>, Path(id): Path<String>) -> Answer<Invitation> {
    let found = service.shared.state().invitations.get(&id).cloned();
    found.map(Json).ok_or_else(|| refuse(404, "not_found", "There is no such invitation"))
}

async fn message(State(service): State<Service>, Extension(line): Extension<Line>, body: Bytes) -> Answer<Done> {
    let message: Outgoing = read(&body)?;
    let profile = service.somebody(&message.to);
    let (names, subject) = (names(&message.to, &profile), message.subject.as_deref());
    if message.text.trim().is_empty() {
        return Err(refuse(400, "invalid_request", "text: is empty"));
    }
    service.meets(Point::Dot, &names, subject, &line).await?;
    let strict = service.channel == Channel::Network && service.shared.script().messages_need_connection;
    let known = service.shared.state().connected.contains(&profile.profile_id);
    if strict && !known && message.kind == MessageKind::Message {
        return Err(refuse(
            409,
            "not_connected",
            "A message goes to people you are connected with; others take an inmail",
        ));
    }
    let kind = if message.kind == MessageKind::Inmail { "inmail" } else { "message" };
    let (done, new) = service.note(kind, &message.id, &message.to, &profile, Some(&message.text));
    if new {
        service.answer(profile.clone(), &names, subject);
    }
    service.meets(Point::Answer, &names, subject, &line).await?;
    Ok(Json(done))
}

async fn sent(State(service): State<Service>, Path(id): Path<String>) -> Answer<Done> {
    let found = service.shared.state().done.get(&(service.name(), id)).cloned();
    found.map(Json).ok_or_else(|| refuse(404, "not_found", "Nothing was sent with this id"))
}

async fn events(
    State(service): State<Service>,
    Extension(line): Extension<Line>,
    Query(query): Query<HashMap<String, String>>,
) -> Answer<Events> {
    service.meets(Point::Dot, &["events"], None, &line).await?;
    let from = match query.get("since").filter(|since| !since.is_empty()) {
        None => 0,
        Some(since) => since
            .strip_prefix('e')
            .and_then(|place| place.parse().ok())
            .ok_or_else(|| refuse(400, "invalid_request", "since: is not a cursor of this service"))?,
    };
    let limit = query.get("limit").and_then(|limit| limit.parse().ok()).unwrap_or(100_usize).clamp(1, 1000);
    let state = service.shared.state();
    let all = state.events.get(service.name()).map(Vec::as_slice).unwrap_or_default();
    let from = all.len().min(from);
    let to = all.len().min(from + limit);
    Ok(Json(Events { events: all[from..to].to_vec(), cursor: format!("e{to}"), has_more: to < all.len() }))
}

async fn notify(State(service): State<Service>, body: Bytes) -> Answer<serde_json::Value> {
    let webhook: Webhook = read(&body)?;
    if webhook::sign(&webhook.secret, "", "", b"").is_none() {
        return Err(refuse(400, "invalid_request", "secret: is not whsec_ and base64"));
    }
    service.shared.state().webhooks.insert(service.name(), webhook);
    Ok(Json(serde_json::json!({})))
}

async fn be_quiet(State(service): State<Service>) -> Json<serde_json::Value> {
    service.shared.state().webhooks.remove(service.name());
    Json(serde_json::json!({}))
}
