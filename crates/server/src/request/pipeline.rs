//! The stages of a request, in order, in one function.

use crate::lanes::read;
use crate::request::auth::{self, Credential};
use crate::request::body;
use crate::request::connections::{Head, Receiving};
use crate::request::envelope::{Answer, Chunks, Failure, done, failed, page_headers, rate_headers};
use crate::request::etag::{self, Expected};
use crate::request::limit::Verdict;
use crate::request::paid::ChargeGuard;
use crate::request::received::shortened;
use crate::request::refused::Refused;
use crate::request::run::{RUN_TIME, blocking, in_time, run_and_open};
use crate::request::timing::Stages;
use crate::request::{
    assets, compression, cors, docs, email_links, event_stream, idempotency, provider_webhook, proxy, sign_in,
};
use crate::workers::receive;
use crate::{App, clock};
use crm::api::call::{Call, Content as Data, Rate, Reply};
use crm::api::key::Identity;
use crm::api::operation::{Operation, Run, Takes};
use crm::api::scope::Role;
use crm::api::selection::{self, Selection};
use crm::dashboard::requests::Answered;
use crm::tenant::workspace::RATE_LIMIT;
use crm::tenant::{session, storage};
use crm::{dashboard, operations};
use hyper::body::Body as _;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Method, Request};
use resource::{Actor, Ctx, Error, invalid, nearest};
use std::net::IpAddr;
use std::pin::pin;
use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use store::Uuid;

/// The time limit of looking up a key or counting a request.
const LOOK_TIME: Duration = Duration::from_secs(10);
/// The time limit of an operation with an effect outside the database.
const EFFECT_TIME: Duration = Duration::from_secs(120);
/// The slowest accepted rate of reading or storing a file, in bytes per second.
const STORING: u64 = 4 * 1024 * 1024;
/// Sent if the public URL is https: browsers then use https only, for a year.
const HSTS: &str = "max-age=31536000";
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// Path templates, each with its operations.
pub(crate) type Routes = matchit::Router<Vec<&'static Operation>>;

pub(crate) fn routes(all: impl Iterator<Item = &'static Operation>) -> Result<Routes, String> {
    let mut by_path: Vec<(&str, Vec<&'static Operation>)> = Vec::new();
    for operation in all {
        match by_path.iter_mut().find(|(path, _)| *path == operation.path) {
            Some((_, known)) => known.push(operation),
            None => by_path.push((operation.path, vec![operation])),
        }
    }
    let mut routes = matchit::Router::new();
    for (path, operations) in by_path {
        routes.insert(path, operations).map_err(|e| format!("{path}: {e}"))?;
    }
    Ok(routes)
}

pub(crate) async fn answer(app: &Arc<App>, peer: IpAddr, request: Request<Receiving>, noticed: &Head) -> Answer {
    let (head, mut body) = request.into_parts();
    let mut stages = Stages::new();
    let given = head.headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
    let request_id = match given.filter(|id| (1..=128).contains(&id.len()) && id.bytes().all(|b| b.is_ascii_graphic()))
    {
        Some(id) => id.to_owned(),
        None => Uuid::new_v4().simple().to_string(),
    };
    let mut seen = Seen { operation: "none", rate: None, identity: None, body_read: false, charge: None };
    let forwarded: Vec<&str> =
        head.headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok()).collect();
    let client = proxy::client(peer, &forwarded, &app.trusted_proxies);
    let open = if let Some(why) = noticed.malformed {
        // The body is not read, because its end is uncertain.
        seen.body_read = true;
        Some(failed(&Failure::new(400, "malformed_request", why)))
    } else if let Some(answer) = cors::preflight(app, &head) {
        Some(answer)
    } else if let Some(answer) = docs::answer(app, &head, peer, client).await {
        Some(answer)
    } else {
        email_links::answer(app, &head.method, &head.uri, &request_id).await
    };
    let mut answer = match open {
        Some(answer) => {
            seen.operation = "open";
            answer
        }
        None if head.uri.path().starts_with(receive::WEBHOOKS) => {
            seen.operation = "hook";
            provider_webhook::hook(app, &head, &mut body).await
        }
        None => match assets::answer(&head) {
            Some(page) => {
                seen.operation = "page";
                page
            }
            None => {
                let answered = match sign_in::operation(&head) {
                    Some(Ok(operation)) => {
                        seen.operation = operation;
                        sign_in::answer(app, &head, &mut body, client, operation).await
                    }
                    Some(Err(refused)) => Err(refused),
                    None => stage(app, &head, &mut body, &request_id, &mut stages, &mut seen)
                        .await
                        .map(|(reply, file)| etag::unless_known(&head, done(reply, file))),
                };
                let answer = answered.unwrap_or_else(|refused| refusal(refused, &head.method, &request_id));
                match cors::is_api(head.uri.path()) {
                    true => compression::compressed(&head, answer).await,
                    // Answers of the dashboard's own operations may contain secrets.
                    false => answer,
                }
            }
        },
    };
    if !seen.body_read {
        body::drain(&mut body).await;
    }
    if let Some(charge) = seen.charge.take() {
        answer = answer.map(|body| charge.with(body));
    }
    let took = clock::instant() - stages.begun;
    stages.note("total", took);
    let status = answer.status().as_u16();
    let headers = answer.headers_mut();
    if let Some(rate) = &seen.rate {
        rate_headers(headers, rate);
        if status == 429 && !headers.contains_key(header::RETRY_AFTER) {
            headers.insert(header::RETRY_AFTER, (rate.reset - clock::now_ms() / 1000).clamp(1, 3600).into());
        }
    }
    if status == 401 && seen.rate.is_some() {
        headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    if noticed.last {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    if seen.operation.starts_with("dashboard_") {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    page_headers(headers);
    cors::share(app, &head, headers);
    if app.is_https() {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HSTS));
    }
    headers.extend(HeaderValue::from_str(&request_id).ok().map(|value| (REQUEST_ID, value)));
    headers.extend(HeaderValue::from_str(&stages.text).ok().map(|value| (SERVER_TIMING, value)));
    app.meters.note(seen.operation, status_text(status), took);
    if let Some(identity) = seen.identity.as_ref().filter(|identity| identity.role.is_none()) {
        let at = clock::now_ms() - took.as_millis() as i64;
        app.request_log.note(identity, at, status >= 400, || Answered {
            workspace: identity.workspace,
            key: identity.key,
            user: identity.user,
            at,
            request_id: request_id.clone(),
            method: head.method.as_str().to_owned(),
            path: head.uri.path().to_owned(),
            query: head.uri.query().unwrap_or_default().to_owned(),
            operation: seen.operation,
            status,
            micros: took.as_micros() as i64,
            size: answer.body().size_hint().exact().map(|size| size as i64),
        });
    }
    let mut key = Uuid::encode_buffer();
    let key = seen.identity.as_ref().map(|identity| &*identity.key.hyphenated().encode_lower(&mut key));
    tracing::info!(
        target: "request",
        id = request_id,
        method = head.method.as_str(),
        operation = seen.operation,
        status,
        micros = took.as_micros() as u64,
        %client,
        key,
    );
    answer
}

fn refusal(refused: Refused, method: &Method, request_id: &str) -> Answer {
    match refused {
        Refused::Error(error) => failed(&Failure::of(&error, request_id)),
        Refused::Failure(failure) => failed(&failure),
        Refused::Method(allowed) => {
            let message = format!("{method} is not allowed here; it takes {allowed}");
            let mut answer = failed(&Failure::new(405, "method_not_allowed", message));
            answer.headers_mut().extend(HeaderValue::from_str(&allowed).ok().map(|value| (header::ALLOW, value)));
            answer
        }
    }
}

/// A path without an operation, and the one that may be meant.
fn no_operation(app: &App, path: &str) -> Error {
    let inside = path.strip_prefix("/api/v1").unwrap_or(path).trim_end_matches('/');
    let first = inside.split('/').nth(1).unwrap_or_default();
    let collections: Vec<&str> = operations::all().filter_map(|operation| operation.path.split('/').nth(1)).collect();
    let meant = match app.routes.at(inside) {
        Ok(_) => Some(inside.to_owned()),
        Err(_) if collections.contains(&first) => None,
        Err(_) => nearest(first, &collections).map(|near| format!("/{near}")),
    };
    let hint =
        meant.filter(|path| path.len() < 200).map_or(String::new(), |path| format!(" (did you mean /api/v1{path}?)"));
    Error::NotFound(format!("this address does not exist{hint}; /docs/ lists all operations"))
}

/// Facts for the envelope and the log, filled in by the stages that the request has reached.
struct Seen {
    operation: &'static str,
    rate: Option<Rate>,
    identity: Option<Arc<Identity>>,
    body_read: bool,
    /// The charge for a paid answer.
    charge: Option<ChargeGuard>,
}

async fn stage(
    app: &Arc<App>,
    head: &hyper::http::request::Parts,
    body: &mut Receiving,
    request_id: &str,
    stages: &mut Stages,
    seen: &mut Seen,
) -> Result<(Reply, Option<Chunks>), Refused> {
    // 1. Match the operation, of the API or of the dashboard.
    let path = head.uri.path();
    let inside = path.strip_prefix(sign_in::PREFIX).filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let matched = match inside {
        Some(rest) => app.dashboard.at(rest).ok(),
        None => path.strip_prefix("/api/v1").and_then(|rest| app.routes.at(rest).ok()),
    };
    let operation = matched.as_ref().and_then(|matched| matched.value.iter().find(|op| takes_method(op, &head.method)));
    if let Some(operation) = operation {
        seen.operation = operation.name;
    }
    if matched.is_none() && inside.is_none() && !path.starts_with("/api/v1/") {
        return Err(no_operation(app, path).into());
    }

    // 2. Identify the key or the session.
    let cookie = app.cookie();
    let shown = match inside {
        Some(_) => Credential::session(&head.headers, cookie),
        None => Credential::of(&head.headers, cookie),
    };
    let signed = inside.is_some() || matches!(shown, Credential::Session(_));
    let counted = !signed && operation.is_none_or(|operation| !operation.uncounted);
    if signed {
        sign_in::same_origin(app, head)?;
    }
    if counted {
        // An unidentified request reports the default limit.
        seen.rate = Some(Rate { limit: RATE_LIMIT, remaining: RATE_LIMIT, reset: clock::now_ms() / 1000 + 3600 });
    }
    let identified = pin!(app.keys.identify(&app.store, &shown));
    let Some(identity) = in_time(LOOK_TIME, identified).await? else {
        return Err(match signed {
            true => Failure::new(401, "not_signed_in", "sign in first; the session has ended or there is none"),
            false => Failure::new(401, "invalid_api_key", auth::refusal(&head.headers)),
        }
        .into());
    };
    seen.identity = Some(identity.clone());
    app.keys.note_use(&identity);
    stages.done("auth");

    // 3. Count against the rate limit. It applies to keys, but not to operations that are limited by credits.
    let mut rate = app.limiter.last(identity.workspace, identity.user, identity.rate_limit);
    if counted {
        seen.rate = Some(rate);
        let counting = pin!(app.limiter.count(&app.store, identity.workspace, identity.user, identity.rate_limit));
        rate = match in_time(LOOK_TIME, counting).await? {
            Verdict::Pass(rate) => rate,
            Verdict::Stop(rate) => {
                seen.rate = Some(rate);
                let message = format!(
                    "limit of {} requests per hour; wait for the seconds of Retry-After, or an operator raises it with \
                     relata workspace set --rate-limit",
                    rate.limit
                );
                return Err(Failure::new(429, "rate_limit_exceeded", message).into());
            }
        };
        seen.rate = Some(rate);
    }
    if app.draining.load(Ordering::Acquire) {
        return Err(Failure::new(503, "unavailable", "shutting down").into());
    }
    stages.done("limit");

    // 4. Check permissions.
    let Some(matched) = matched else { return Err(no_operation(app, path).into()) };
    let Some(operation) = operation else { return Err(Refused::Method(allowed(matched.value))) };
    let other = operation.or.is_some_and(|or| identity.scopes.has(or));
    for scope in [operation.scope.filter(|_| !other), operation.also].into_iter().flatten() {
        identity.scopes.require(scope)?;
    }
    if operation.any_read {
        identity.scopes.require_any_read()?;
    }
    if let Some(least) = operation.role {
        dashboard::require(identity.role.unwrap_or(Role::Member), least)?;
    }
    if operation.reauthenticates {
        let session = identity.key;
        if !read(app, identity.workspace, move |tx| session::is_fresh(tx, session)).await? {
            return Err(Error::Reauthentication.into());
        }
    }
    // Operations with a role stay allowed, so that an admin can renew the subscription.
    if !identity.active && operation.role.is_none() {
        return Err(Failure::new(403, "billing_required", "the workspace has no active subscription").into());
    }
    if !operation.feature.in_plan(&identity.plan) {
        let message = format!("this needs the plan {}; the workspace has {}", operation.feature.plan(), identity.plan);
        return Err(Failure::new(403, "plan_upgrade_required", message).into());
    }

    // 5. Parse path, query and body.
    let path = matched.params.iter().map(|(_, value)| value.to_owned()).collect();
    let (query, selection) = read_query(operation, head.uri.query().unwrap_or(""))?;
    let expected = Expected::of(operation, &head.headers)?;
    // A CV may replace a larger one, so its quota is checked later, when its contact is known.
    let storage = match operation.upload {
        Some(upload) if upload.only.is_none() => {
            let params = [identity.workspace.into()];
            let usage = pin!(app.store.point(storage::USAGE, &params, storage::Usage::of));
            in_time(LOOK_TIME, usage).await?
        }
        _ => None,
    };
    let mut received =
        body::read(app, identity.workspace, operation, storage, &head.headers, body, &mut seen.body_read).await?;
    // Answers of the dashboard may contain a new key or link, so they are not stored for replay.
    let key =
        if signed && operation.role.is_some() { None } else { idempotency::asked(operation, head, &received).await? };
    let _share = received.share.take();
    let mut call = Call {
        ctx: Ctx {
            workspace: identity.workspace,
            actor: Actor {
                kind: if signed { "user" } else { "key" },
                id: Some(if signed { identity.user } else { identity.key }),
                name: identity.name.clone(),
                user: Some(identity.user),
            },
            memory: app.memory.clone(),
        },
        key: identity,
        path,
        query,
        body: received.members,
        file: received.file,
        rate,
        idempotency: key,
        feed_from: if operation.any_read { app.feed_from() } else { 0 },
        last_event: last_event(&head.headers)?,
        public_url: app.public_url.clone(),
        secret: app.secret.clone(),
        prepared: OnceLock::new(),
    };
    if let Some(prepare) = operation.prepare {
        call = blocking(app, call.ctx.workspace, move || {
            let prepared = prepare(&call).map(OnceLock::from).unwrap_or_default();
            Call { prepared, ..call }
        })
        .await?;
    }
    let call = Arc::new(call);
    stages.done("parse");
    if let Some(prepare) = operation.prepare_read {
        let looking = call.clone();
        // An error is ignored here: the write fails in the same way and reports it.
        let found = in_time(LOOK_TIME, pin!(read(app, call.ctx.workspace, move |tx| prepare(&looking, tx)))).await;
        if let Ok(compute) = found
            && let Some(prepared) = blocking(app, call.ctx.workspace, compute).await?
        {
            call.prepared.get_or_init(|| prepared);
        }
        stages.done("look");
    }

    // 6 to 8. Run in a read or a write, with rules, events and rendering in one transaction, and commit. Effects run
    // between two transactions or after the last.
    let size = call.file.as_ref().map_or(0, |file| file.size);
    let time = match operation.run {
        Run::Effect(_) | Run::ReadEffect(_) | Run::Either(_) => EFFECT_TIME + Duration::from_secs(size / STORING),
        _ => RUN_TIME + Duration::from_secs(size / STORING),
    };
    let asked = call.clone();
    let manages = operation.role.is_some() && operation.writes();
    let mut reply = in_time(time, pin!(run_and_open(app, operation, call, expected, &mut seen.charge))).await;
    stages.done("run");
    if manages {
        // Other nodes notice the change within a second.
        app.keys.forget();
    }
    if let Ok((Reply { data: Data::Live(following), .. }, chunks)) = &mut reply {
        *chunks = Some(event_stream::stream(app, asked.ctx.clone(), asked.key.clone(), shown.clone(), following)?);
    }
    let reply = reply.and_then(|(reply, chunks)| match &selection {
        Some(selection) => Ok((selection.apply(reply)?, chunks)),
        None => Ok((reply, chunks)),
    });
    reply.map_err(|error| {
        if let Error::Store(store::Error::Internal(_) | store::Error::Corrupt(_) | store::Error::Conflict(_)) = &error {
            tracing::error!(request_id, operation = operation.name, "an operation failed; the client gets 500");
        }
        error.into()
    })
    // 9. The caller wraps the reply in its envelope and sends it.
}

/// The position from which a reconnecting client continues. An empty header means that it has seen no event.
fn last_event(headers: &header::HeaderMap) -> Result<Option<String>, Error> {
    let Some(id) = headers.get("last-event-id").filter(|id| !id.is_empty()) else { return Ok(None) };
    let id = id.to_str().map_err(|_| invalid("Last-Event-ID", "is not a sequence"))?;
    Ok(Some(id.to_owned()))
}

/// `PATCH` is `PUT`, and `HEAD` is `GET` without its body.
fn takes_method(operation: &Operation, method: &Method) -> bool {
    match *method {
        Method::PATCH => operation.method == "PUT",
        Method::HEAD => operation.method == "GET",
        _ => operation.method == method.as_str(),
    }
}

fn allowed(operations: &[&'static Operation]) -> String {
    let methods = operations.iter().map(|op| if op.method == "PUT" { "PUT, PATCH" } else { op.method });
    methods.collect::<Vec<_>>().join(", ")
}

type Pairs = Vec<(String, String)>;

/// Name and value of each parameter, and the members to show. Bytes that are not UTF-8 are refused, not replaced.
fn read_query(operation: &Operation, query: &str) -> Result<(Pairs, Option<Selection>), Error> {
    const MOST: usize = 1000;
    let mut pairs = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        if pairs.len() == MOST {
            return Err(invalid("query", format!("has more than {MOST} parameters")));
        }
        pairs.push((decoded(name)?, decoded(value)?));
    }
    let selection = Selection::take(operation, &mut pairs)?;
    let mut taken: Vec<&str> = match operation.query {
        Takes::List(..) | Takes::Export(..) => return Ok((pairs, selection)),
        Takes::Members(fields) => fields.iter().map(|field| field.name).collect(),
        Takes::Nothing => Vec::new(),
    };
    taken.extend(selection::selects(operation).then_some(selection::NAME));
    let unknown = pairs.iter().map(|(name, _)| name).find(|name| !taken.contains(&name.as_str()));
    match (unknown, taken.is_empty()) {
        (None, _) => Ok((pairs, selection)),
        (Some(name), true) => Err(invalid(shortened(name), "is not a parameter of this operation; it takes none")),
        (Some(name), false) => {
            let reason = format!("is not a parameter of this operation; it takes {}", taken.join(", "));
            Err(invalid(shortened(name), reason))
        }
    }
}

fn decoded(text: &str) -> Result<String, Error> {
    let spaced = text.replace('+', " ");
    let decoded = percent_encoding::percent_decode_str(&spaced).decode_utf8();
    decoded.map(|text| text.into_owned()).map_err(|_| invalid("query", "is not UTF-8"))
}

fn status_text(status: u16) -> &'static str {
    match status {
        200 => "200",
        201 => "201",
        202 => "202",
        302 => "302",
        304 => "304",
        400 => "400",
        401 => "401",
        402 => "402",
        403 => "403",
        404 => "404",
        405 => "405",
        409 => "409",
        410 => "410",
        412 => "412",
        413 => "413",
        415 => "415",
        429 => "429",
        500 => "500",
        503 => "503",
        _ => "other",
    }
}
