//! The sandbox's professional network and chat: the servers for `connect::provider`.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, StreamBody};
use hyper::Method;
use hyper::body::Frame;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::answers::away;
use crate::clock;
use crate::http::{self, Request, Router, as_json, json_with};
use crate::script::{Action, Channel, Point, Target, WrongAnswer};
use crate::state::{Outcome, ProviderSend, Shared, later};
use connect::provider::webhook::{self, Delivery};
use connect::provider::{
    Account, Channel as Of, Done, Event, Events, Invitation, InvitationState, Invite, JobSearch, Jobs, Locations,
    MessageKind, Outgoing, People, PeopleSearch, Person, Profile, Refusal, Refused, To, Visit, Webhook, What,
};

/// One of the two services.
#[derive(Clone)]
struct Service {
    shared: Arc<Shared>,
    channel: Channel,
}

type Answer<T> = Result<T, No>;

/// A refusal.
struct No {
    status: u16,
    refused: Refused,
    retry_after: Option<u32>,
}

fn refuse(status: u16, code: &str, message: &str) -> No {
    No { status, refused: Refused { code: code.to_owned(), message: message.to_owned() }, retry_after: None }
}

impl From<No> for http::Answer {
    fn from(no: No) -> http::Answer {
        json_with(no.status, &Refusal { error: no.refused }, no.retry_after)
    }
}

pub(crate) fn router(shared: Arc<Shared>, channel: Channel) -> Router {
    let service = Service { shared, channel };
    let (get, post, put, delete) = (Method::GET, Method::POST, Method::PUT, Method::DELETE);
    let known = service.clone();
    let guard = move |headers: &hyper::HeaderMap| {
        let token = format!("Bearer {}", known.shared.script().token);
        let given = headers.get("authorization").and_then(|value| value.to_str().ok());
        (given != Some(token.as_str())).then(|| refuse(401, "invalid_token", "The token is not good").into())
    };
    Router::new(guard)
        .not_found(|| refuse(404, "not_found", "There is no such path").into())
        .route(get.clone(), "/v1/account", &service, |service, request| shown(account(service, request)))
        .route(get.clone(), "/v1/people", &service, |service, request| shown(person(service, request)))
        .route(post.clone(), "/v1/people/search", &service, |service, request| {
            sent_as_is(search_people(service, request))
        })
        .route(get.clone(), "/v1/locations", &service, |service, request| sent_as_is(locations(service, request)))
        .route(post.clone(), "/v1/jobs/search", &service, |service, request| sent_as_is(search_jobs(service, request)))
        .route(post.clone(), "/v1/visits", &service, |service, request| shown(visit(service, request)))
        .route(post.clone(), "/v1/invitations", &service, |service, request| shown(invite(service, request)))
        .route(get.clone(), "/v1/invitations/{id}", &service, |service, request| shown(invitation(service, request)))
        .route(post, "/v1/messages", &service, |service, request| shown(message(service, request)))
        .route(get.clone(), "/v1/sends/{id}", &service, |service, request| shown(sent(service, request)))
        .route(get, "/v1/events", &service, |service, request| shown(events(service, request)))
        .route(put, "/v1/webhook", &service, |service, request| shown(set_webhook(service, request)))
        .route(delete, "/v1/webhook", &service, |service, request| shown(remove_webhook(service, request)))
}

async fn shown<T: Serialize>(answer: impl Future<Output = Answer<T>>) -> http::Answer {
    match answer.await {
        Ok(value) => http::json(&value),
        Err(no) => no.into(),
    }
}

async fn sent_as_is(answer: impl Future<Output = Answer<http::Answer>>) -> http::Answer {
    answer.await.unwrap_or_else(http::Answer::from)
}

impl Service {
    fn name(&self) -> &'static str {
        if self.channel == Channel::Chat { "chat" } else { "network" }
    }

    /// The profile with this id, URL or phone number. An unknown person gets a new profile, so that messages to anyone work.
    fn find_or_create(&self, to: &To) -> Profile {
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

    /// Applies the script's rule for a request at this point. Returns the wrong answer that the rule asks for, if any.
    async fn apply_rule(
        &self,
        point: Point,
        names: &[&str],
        subject: Option<&str>,
        request: &Request,
    ) -> Answer<Option<WrongAnswer>> {
        match self.shared.apply_rule(point, Target { channel: self.channel, names, subject }).await {
            Outcome::Pass => Ok(None),
            Outcome::WrongAnswer(wrong) => Ok(Some(wrong)),
            Outcome::Refuse { code, text, retry_after } => Err(No { retry_after, ..refuse(code, "scripted", &text) }),
            Outcome::Hang => std::future::pending().await,
            Outcome::Drop => {
                request.closer.close();
                std::future::pending().await
            }
        }
    }

    /// Stores an event, and sends it to the webhook if there is one.
    fn emit(&self, from: &Profile, what: What) {
        let event =
            Event { id: format!("event-{}", self.shared.name()), at: Some(clock::now()), from: person_of(from), what };
        let webhook = {
            let mut state = self.shared.state();
            state.events.entry(self.name()).or_default().push(event.clone());
            state.webhooks.get(self.name()).cloned()
        };
        if let Some(webhook) = webhook {
            tokio::spawn(send_webhook(webhook, event));
        }
    }

    /// Answers a message if the script has a rule for that.
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
                service.emit(&to, What::Message { message_id: message_id.clone(), text: text.clone() });
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
            service.emit(
                &to,
                match state {
                    InvitationState::Accepted => What::Accepted { invitation_id: id },
                    _ => What::Declined { invitation_id: id },
                },
            );
        });
    }

    /// Records a send. Returns false if there is one with this id already.
    fn record(&self, kind: &'static str, id: &str, to: &To, profile: &Profile, text: Option<&str>) -> (Done, bool) {
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
        state.sends.push(ProviderSend { at, channel, kind, id: id.to_owned(), to: to.clone(), text });
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

/// All names that rules can match for this person. The one used in the request comes first.
fn names<'a>(to: &'a To, profile: &'a Profile) -> Vec<&'a str> {
    let mut names = vec![to.pair().1, profile.profile_id.as_str()];
    names.extend(profile.network_url.as_deref());
    names.extend(profile.phones.iter().flatten().map(String::as_str));
    names
}

/// Sends an event to a webhook, with up to three attempts.
async fn send_webhook(webhook: Webhook, event: Event) {
    let id = event.id.clone();
    let Ok(body) = serde_json::to_vec(&Delivery { events: vec![event] }) else { return };
    // reqwest needs a crypto provider. The error means that one is installed already.
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

async fn account(service: Service, _: Request) -> Answer<Account> {
    let network = service.channel == Channel::Network;
    let api_types = if network { vec!["classic", "sales_navigator", "recruiter"] } else { Vec::new() };
    Ok(Account {
        id: format!("sandbox-{}", service.name()),
        name: format!("Sandbox {}", service.name()),
        channel: if network { Of::Network } else { Of::Chat },
        api_types: api_types.into_iter().map(str::to_owned).collect(),
    })
}

async fn person(service: Service, request: Request) -> Answer<Profile> {
    let get = |name: &str| request.query.get(name).cloned();
    let to = get("profile_id").map(To::ProfileId).or(get("url").map(To::Url)).or(get("phone").map(To::Phone));
    let Some(to) = to else { return Err(refuse(400, "invalid_request", "profile_id, url or phone is needed")) };
    let mut profile = service.find_or_create(&to);
    if profile.first_name.is_empty() {
        return Err(refuse(404, "not_found", "There is nobody of this name"));
    }
    profile.connected = Some(service.shared.state().connected.contains(&profile.profile_id));
    Ok(profile)
}

/// The page of a result: its start, its end, and the next cursor.
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

/// A search: the script's rule first, then the found records, or the wrong answer that the script asks for.
async fn searched<T: Serialize>(
    service: &Service,
    request: &Request,
    names: &[&str],
    words: Option<&str>,
    found: impl FnOnce(Option<WrongAnswer>) -> Answer<T>,
) -> Answer<http::Answer> {
    let wrong = service.apply_rule(Point::Dot, names, words, request).await?;
    service.apply_rule(Point::Answer, names, words, request).await?;
    Ok(match wrong {
        Some(WrongAnswer::Broken) => as_json("{\"profiles\": [{\"profile_id\": "),
        Some(WrongAnswer::Wrong) => {
            as_json("{\"profiles\": 7, \"jobs\": {}, \"locations\": \"none\", \"total_count\": \"many\"}")
        }
        Some(WrongAnswer::Endless) => {
            let spaces = || Ok::<_, Infallible>(Frame::data(Bytes::from_static(&[b' '; 64 * 1024])));
            http::stream(StreamBody::new(futures_util::stream::repeat_with(spaces)).boxed())
        }
        wrong => http::json(&found(wrong)?),
    })
}

async fn search_people(service: Service, request: Request) -> Answer<http::Answer> {
    let search: PeopleSearch = read(&request.body)?;
    let world = service.shared.world();
    searched(&service, &request, &["search", "people"], search.keywords.as_deref(), |wrong| {
        let mut found: Vec<Profile> = world.search(&search).into_iter().cloned().collect();
        let total = found.len();
        let cursor = if wrong == Some(WrongAnswer::Circle) { None } else { search.cursor.as_deref() };
        let (from, to, mut cursor) = page(total, search.page_size, cursor)?;
        let mut total_count = total as u64;
        match wrong {
            Some(WrongAnswer::Circle) => cursor = Some("c1".to_owned()),
            Some(WrongAnswer::Greedy) => {
                total_count = u64::MAX;
                return Ok(People { profiles: found, total_count, cursor });
            }
            Some(WrongAnswer::Huge) => {
                found[from..to].iter_mut().take(1).for_each(|it| it.summary = Some("x".repeat(10_000_000)))
            }
            _ => {}
        }
        Ok(People { profiles: found[from..to].to_vec(), total_count, cursor })
    })
    .await
}

async fn locations(service: Service, request: Request) -> Answer<http::Answer> {
    let q = request.query.get("q").map(String::as_str).unwrap_or_default();
    let locations = service.shared.world().locations(q);
    searched(&service, &request, &["search", "locations"], Some(q), |_| Ok(Locations { locations })).await
}

async fn search_jobs(service: Service, request: Request) -> Answer<http::Answer> {
    let search: JobSearch = read(&request.body)?;
    let world = service.shared.world();
    searched(&service, &request, &["search", "jobs"], search.keywords.as_deref(), |wrong| {
        let found = world.jobs(&search);
        let cursor = if wrong == Some(WrongAnswer::Circle) { None } else { search.cursor.as_deref() };
        let (from, to, cursor) = page(found.len(), search.page_size, cursor)?;
        let cursor = if wrong == Some(WrongAnswer::Circle) { Some("c1".to_owned()) } else { cursor };
        let jobs = found[from..to].iter().map(|job| (*job).clone()).collect();
        Ok(Jobs { jobs, total_count: found.len() as u64, cursor })
    })
    .await
}

async fn visit(service: Service, request: Request) -> Answer<Done> {
    let visit: Visit = read(&request.body)?;
    let profile = service.find_or_create(&visit.to);
    let names = names(&visit.to, &profile);
    service.apply_rule(Point::Dot, &names, None, &request).await?;
    let (done, _) = service.record("visit", &visit.id, &visit.to, &profile, None);
    service.apply_rule(Point::Answer, &names, None, &request).await?;
    Ok(done)
}

async fn invite(service: Service, request: Request) -> Answer<Invitation> {
    let invite: Invite = read(&request.body)?;
    if service.channel == Channel::Chat {
        return Err(refuse(400, "invalid_request", "A chat knows no invitations"));
    }
    let profile = service.find_or_create(&invite.to);
    let names = names(&invite.to, &profile);
    service.apply_rule(Point::Dot, &names, None, &request).await?;
    let (_, new) = service.record("invitation", &invite.id, &invite.to, &profile, invite.message.as_deref());
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
    service.apply_rule(Point::Answer, &names, None, &request).await?;
    let found = service.shared.state().invitations.get(&invite.id).cloned();
    found.ok_or_else(|| refuse(409, "conflict", "This id was something else before"))
}

async fn invitation(service: Service, request: Request) -> Answer<Invitation> {
    let found = service.shared.state().invitations.get(request.parameter(0)).cloned();
    found.ok_or_else(|| refuse(404, "not_found", "There is no such invitation"))
}

async fn message(service: Service, request: Request) -> Answer<Done> {
    let message: Outgoing = read(&request.body)?;
    let profile = service.find_or_create(&message.to);
    let (names, subject) = (names(&message.to, &profile), message.subject.as_deref());
    if message.text.trim().is_empty() {
        return Err(refuse(400, "invalid_request", "text: is empty"));
    }
    service.apply_rule(Point::Dot, &names, subject, &request).await?;
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
    let (done, new) = service.record(kind, &message.id, &message.to, &profile, Some(&message.text));
    if new {
        service.answer(profile.clone(), &names, subject);
    }
    service.apply_rule(Point::Answer, &names, subject, &request).await?;
    Ok(done)
}

async fn sent(service: Service, request: Request) -> Answer<Done> {
    let id = request.parameter(0).to_owned();
    let found = service.shared.state().done.get(&(service.name(), id)).cloned();
    found.ok_or_else(|| refuse(404, "not_found", "Nothing was sent with this id"))
}

async fn events(service: Service, request: Request) -> Answer<Events> {
    let query = &request.query;
    service.apply_rule(Point::Dot, &["events"], None, &request).await?;
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
    Ok(Events { events: all[from..to].to_vec(), cursor: format!("e{to}"), has_more: to < all.len() })
}

async fn set_webhook(service: Service, request: Request) -> Answer<serde_json::Value> {
    let webhook: Webhook = read(&request.body)?;
    if webhook::sign(&webhook.secret, "", "", b"").is_none() {
        return Err(refuse(400, "invalid_request", "secret: is not whsec_ and base64"));
    }
    service.shared.state().webhooks.insert(service.name(), webhook);
    Ok(serde_json::json!({}))
}

async fn remove_webhook(service: Service, _: Request) -> Answer<serde_json::Value> {
    service.shared.state().webhooks.remove(service.name());
    Ok(serde_json::json!({}))
}
