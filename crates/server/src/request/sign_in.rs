//! Operations of the dashboard that need no session: state, set-up, sign-in, sign-out and invitations.

use crate::lanes::{self, STRANGERS};
use crate::request::auth::Credential;
use crate::request::body;
use crate::request::connections::Receiving;
use crate::request::envelope::{Answer, Failure, done, json_answer};
use crate::request::refused::Refused;
use crate::{App, demo, passwords};
use crm::api::call::Reply;
use crm::api::key::token;
use crm::dashboard::{open, session_of};
use crm::tenant::attempt::{self, Trier};
use crm::tenant::session::{self, Place};
use crm::tenant::sign_in::{self, Accept, Chosen, Proof, SetUp, SignIn, Token};
use crm::tenant::workspace::Settings;
use crm::transfer::demo::Plan;
use hyper::Method;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::http::request::Parts;
use resource::{Actor, Changes, Ctx, Error, Field, Input, Problem, Resource, Shape, invalid};
use serde_json::{Map, Value as Json, json};
use std::net::IpAddr;
use std::sync::Arc;
use store::{Tx, Uuid, Value};

/// The path prefix of the dashboard's operations.
pub(crate) const PREFIX: &str = "/dashboard";
/// The largest body.
const MOST: usize = 64 * 1024;

/// The operation of a request; `None` if its path is not one of these.
pub(crate) fn operation(head: &Parts) -> Option<Result<&'static str, Refused>> {
    let path = head.uri.path().strip_prefix(PREFIX)?;
    let here: Vec<_> = open::OPERATIONS.iter().filter(|operation| operation.path == path).collect();
    let method = if head.method == Method::HEAD { "GET" } else { head.method.as_str() };
    match here.iter().find(|operation| operation.method == method) {
        _ if here.is_empty() => None,
        Some(operation) => Some(Ok(operation.name)),
        None => {
            let methods: Vec<&str> = here.iter().map(|operation| operation.method).collect();
            Some(Err(Refused::Method(methods.join(", "))))
        }
    }
}

pub(crate) async fn answer(
    app: &Arc<App>,
    head: &Parts,
    body: &mut Receiving,
    client: IpAddr,
    operation: &str,
) -> Result<Answer, Refused> {
    same_origin(app, head)?;
    let place = Place { address: client.to_string(), agent: agent(&head.headers) };
    match operation {
        "dashboard_state" => {
            let required = lanes::read(app, STRANGERS, sign_in::setup_required).await?;
            Ok(data(&json!({ "setup_required": required, "version": env!("CARGO_PKG_VERSION") })))
        }
        "dashboard_setup_state" => {
            let token = token_of(head)?;
            let guest = guest(app, &token).await?;
            let valid = guest.is_some_and(|guest| guest.invitation.is_none());
            let required = lanes::read(app, STRANGERS, sign_in::setup_required).await?;
            Ok(data(&json!({ "valid": valid && required })))
        }
        "dashboard_setup" => set_up(app, &members(head, body, SetUp::FIELDS).await?, &place).await,
        "dashboard_sign_in" => sign_in(app, &members(head, body, SignIn::FIELDS).await?, &place).await,
        "dashboard_sign_out" => {
            if let Credential::Session(token) = Credential::session(&head.headers, app.cookie()) {
                let secret = app.secret.clone();
                app.store.bookkeep(move |tx| session::close(tx, &secret, &token)).await?;
                app.keys.forget();
            }
            Ok(with_cookie(app, data(&json!({ "signed_out": true })), None))
        }
        "dashboard_guest" => {
            let guest = guest(app, &token_of(head)?).await?.ok_or_else(spent)?;
            let kind = if guest.invitation.is_some() { "invitation" } else { "reset" };
            let session = session_of_guest(app, head, &guest).await?;
            // The inviter can open this link, too, so the answer does not reveal whether the address has an account.
            Ok(data(&json!({
                "email": guest.email, "workspace_name": guest.workspace_name, "first_name": guest.first_name,
                "last_name": guest.last_name, "kind": kind, "signed_in": session.is_some(),
            })))
        }
        _ => accept(app, head, &members(head, body, Accept::FIELDS).await?, &place).await,
    }
}

async fn guest(app: &Arc<App>, token: &str) -> Result<Option<sign_in::Guest>, Error> {
    let (secret, token) = (app.secret.clone(), token.to_owned());
    lanes::read(app, STRANGERS, move |tx| sign_in::guest(tx, &secret, &token)).await
}

fn spent() -> Error {
    invalid("token", "is not valid any more; ask for a new link")
}

async fn set_up(app: &Arc<App>, given: &Changes, place: &Place) -> Result<Answer, Refused> {
    let text = |name: &str| given.named_text(name).unwrap_or_default().to_owned();
    let guest = guest(app, &text("token")).await?.ok_or_else(spent)?;
    let queued = app.passwords.admit(&network(&place.address))?;
    let about = ["email", "first_name", "last_name", "workspace_name"].map(text).to_vec();
    let password = text("password");
    let password_hash = queued.hash(passwords::New { field: "password", password: &password, about }).await?;
    let chosen = Chosen {
        token: text("token"),
        email: text("email"),
        first_name: text("first_name"),
        last_name: text("last_name"),
        settings: Settings {
            name: Some(text("workspace_name")),
            timezone: given.named_text("timezone").map(str::to_owned),
            currency: given.named_text("currency").map(str::to_owned),
            ..Settings::default()
        },
        password_hash,
    };
    let ctx = Ctx { workspace: guest.workspace, actor: actor(guest.user, &chosen.email), memory: app.memory.clone() };
    let filling = ctx.clone();
    let answer = enter(app, ctx, place, move |ctx, tx, secret| sign_in::set_up(ctx, tx, secret, &chosen)).await?;
    if given.named("demo_data") == Some(&Value::Bool(true)) {
        tokio::spawn(fill_with_examples(app.clone(), filling));
    }
    Ok(answer)
}

/// Makes the default example data of `relata demo` in the background.
async fn fill_with_examples(app: Arc<App>, ctx: Ctx) {
    let progress = |_: &'static str, _: usize, _: usize| app.wrote(ctx.workspace);
    if let Err(error) = demo::fill(&app.store, &ctx, &Plan::default(), progress).await {
        tracing::error!(%error, workspace = %ctx.workspace, "failed to make the example data; the workspace keeps the records made so far");
    }
}

async fn sign_in(app: &Arc<App>, given: &Changes, place: &Place) -> Result<Answer, Refused> {
    let text = |name: &str| given.named_text(name).unwrap_or_default().to_owned();
    let trier = Trier { email: text("email"), address: network(&place.address) };
    // Admitted before the attempt is counted, because a refused request is not a failed attempt.
    let queued = app.passwords.admit(&trier.address)?;
    let (secret, trying) = (app.secret.clone(), trier.clone());
    let known = app.store.bookkeep(move |tx| {
        let now = tx.clock()?;
        attempt::begin(tx, &secret, now, &trying)?;
        sign_in::known(tx, &trying.email)
    });
    let known: Option<(Uuid, String)> = known.await?;
    let hash = known.as_ref().map(|(_, hash)| hash.as_str());
    let right = queued.fits(&text("password"), hash).await?;
    // The same message whether the address is known or not.
    let wrong = || Failure::new(401, "invalid_credentials", "the email address or the password is wrong");
    let Some((user, _)) = known.filter(|_| right) else { return Err(wrong().into()) };
    let (secret, place, token) = (app.secret.clone(), place.clone(), token());
    let opened = token.clone();
    let found = app.store.bookkeep(move |tx| sign_in::sign_in(tx, &secret, (user, &trier), &opened, &place)).await;
    if !found? {
        return Err(wrong().into());
    }
    show(app, &token).await
}

async fn accept(app: &Arc<App>, head: &Parts, given: &Changes, place: &Place) -> Result<Answer, Refused> {
    let text = |name: &str| given.named_text(name).map(str::to_owned);
    let token = text("token").unwrap_or_default();
    let guest = guest(app, &token).await?.ok_or_else(spent)?;
    let session = session_of_guest(app, head, &guest).await?;
    let (first, last) = (text("first_name"), text("last_name"));
    let proof = match (&session, text("password"), guest.user) {
        (Some(_), _, Some(user)) => Proof::Session(user),
        (_, Some(password), _) => {
            let names = [&first, &last].into_iter().flatten().cloned();
            prove(app, &guest, &password, names.collect(), place).await?
        }
        _ => return Err(invalid("password", "is required").into()),
    };
    let ctx = Ctx { workspace: guest.workspace, actor: actor(guest.user, &guest.email), memory: app.memory.clone() };
    let rule = move |ctx: &Ctx, tx: &mut dyn Tx, secret: &crm::api::meta::Secret| {
        sign_in::accept(ctx, tx, secret, &token, (first.as_deref(), last.as_deref()), &proof)
    };
    match session {
        None => enter(app, ctx, place, rule).await,
        // A signed-in user continues in the new workspace with the same session.
        Some((session, token)) => {
            let (secret, workspace) = (app.secret.clone(), ctx.workspace);
            let joined = app.store.write(workspace, move |tx| {
                rule(&ctx, tx, &secret)?;
                session::switch(tx, session, workspace)
            });
            joined.await?;
            app.wrote(workspace);
            app.keys.forget();
            show(app, &token).await
        }
    }
}

/// The id and token of the request's session, if it belongs to the invited user.
async fn session_of_guest(
    app: &Arc<App>,
    head: &Parts,
    guest: &sign_in::Guest,
) -> Result<Option<(Uuid, String)>, Error> {
    let shown = Credential::session(&head.headers, app.cookie());
    let Credential::Session(token) = &shown else { return Ok(None) };
    let identity = app.keys.identify(&app.store, &shown).await?;
    let theirs = identity.filter(|identity| guest.invitation.is_some() && guest.user == Some(identity.user));
    Ok(theirs.map(|identity| (identity.key, token.clone())))
}

/// Checks the password that comes with a link. For an invitation it is the password of the existing account of the address, or
/// a new one if there is no account. The answer to a weak password, and its time, are the same in both cases, so that they don't
/// reveal whether there is an account.
async fn prove(
    app: &Arc<App>,
    guest: &sign_in::Guest,
    password: &str,
    names: Vec<String>,
    place: &Place,
) -> Result<Proof, Refused> {
    let trier = Trier { email: guest.email.clone(), address: network(&place.address) };
    let queued = app.passwords.admit(&trier.address)?;
    let mut about = vec![guest.email.clone(), guest.workspace_name.clone()];
    about.extend([guest.first_name.clone(), guest.last_name.clone()]);
    about.extend(names);
    let new = passwords::New { field: "password", password, about };
    if guest.invitation.is_none() {
        return Ok(Proof::NewPassword(queued.hash(new).await?));
    }
    // Guesses with an invitation are throttled like guesses at sign-in.
    let (secret, trying) = (app.secret.clone(), trier.clone());
    let begun = app.store.bookkeep(move |tx| {
        let now = tx.clock()?;
        attempt::begin(tx, &secret, now, &trying)
    });
    begun.await?;
    let right = queued.fits(password, guest.password_hash.as_deref()).await?;
    let proof = match (guest.user, &guest.password_hash) {
        (Some(user), Some(hash)) if right => Ok(Proof::Password(user, hash.clone())),
        (Some(_), _) => match queued.check(new).await {
            Ok(()) => Err(sign_in::not_theirs()),
            Err(weak) => Err(or_their_own(weak)),
        },
        (None, _) => queued.hash(new).await.map(Proof::NewPassword).map_err(or_their_own),
    };
    if proof.is_ok() {
        let secret = app.secret.clone();
        app.store.bookkeep(move |tx| attempt::forgive(tx, &secret, &trier)).await?;
    }
    Ok(proof?)
}

/// The error for a weak password from a user who may have an account already.
fn or_their_own(error: Error) -> Error {
    match error {
        Error::Invalid(problems) => Error::Invalid(
            problems
                .into_iter()
                .map(|problem| Problem {
                    reason: format!("{}. If you have an account here already, give its password", problem.reason),
                    ..problem
                })
                .collect(),
        ),
        other => other,
    }
}

/// Runs the rule that admits a user, and opens their session in the same transaction.
async fn enter(
    app: &Arc<App>,
    ctx: Ctx,
    place: &Place,
    rule: impl Fn(&Ctx, &mut dyn Tx, &crm::api::meta::Secret) -> Result<Uuid, Error> + Send + 'static,
) -> Result<Answer, Refused> {
    let (secret, place, token, workspace) = (app.secret.clone(), place.clone(), token(), ctx.workspace);
    let opened = token.clone();
    let entered = app.store.write(workspace, move |tx| {
        let user = rule(&ctx, tx, &secret)?;
        let now = tx.stamp();
        session::open(tx, &secret, now, &opened, (user, workspace), &place)
    });
    entered.await?;
    app.wrote(workspace);
    app.keys.forget();
    show(app, &token).await
}

/// The current session, with its cookie.
async fn show(app: &Arc<App>, token: &str) -> Result<Answer, Refused> {
    let identity = app.keys.identify(&app.store, &Credential::Session(token.to_owned())).await?;
    let identity = identity.ok_or_else(|| store::Error::Internal("a new session opens nothing".into()))?;
    let ctx = Ctx {
        workspace: identity.workspace,
        actor: actor(Some(identity.user), &identity.name),
        memory: app.memory.clone(),
    };
    let reply: Reply = lanes::read(app, identity.workspace, move |tx| session_of(&ctx, tx, identity.user)).await?;
    Ok(with_cookie(app, done(reply, None), Some(token)))
}

fn actor(user: Option<Uuid>, name: &str) -> Actor {
    Actor { kind: "user", id: user, name: name.into(), user }
}

fn with_cookie(app: &App, mut answer: Answer, token: Option<&str>) -> Answer {
    let (name, secure) = (app.cookie(), if app.is_https() { "; Secure" } else { "" });
    let (value, age) = token.map_or(("", 0), |token| (token, session::LONGEST / 1000));
    let cookie = format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age}{secure}");
    answer.headers_mut().extend(HeaderValue::from_str(&cookie).ok().map(|cookie| (header::SET_COOKIE, cookie)));
    answer
}

/// Protects writes against cross-site requests: they must come from the dashboard's own pages. Every browser sends one of the
/// two headers with a write, so a request without them is refused.
pub(crate) fn same_origin(app: &App, head: &Parts) -> Result<(), Failure> {
    if head.method == Method::GET || head.method == Method::HEAD {
        return Ok(());
    }
    let text = |name: &str| head.headers.get(name).and_then(|value| value.to_str().ok());
    let same = match (text("sec-fetch-site"), text("origin")) {
        (Some(site), _) => site == "same-origin",
        (None, Some(origin)) => {
            let host = head.uri.authority().map(|host| host.as_str()).or(text("host"));
            let ours = |origin: &str| origin.split_once("://").map(|(_, host)| host.trim_end_matches('/').to_owned());
            let here = ours(origin);
            here.is_some() && (here.as_deref() == host || here == ours(&app.public_url))
        }
        (None, None) => false,
    };
    let refusal = "this must be asked for by the dashboard's own pages; programs use an API key";
    if same { Ok(()) } else { Err(Failure::new(403, "cross_origin", refusal)) }
}

/// An IPv6 client usually has a whole /64, so attempts are counted by it.
fn network(address: &str) -> String {
    match address.parse() {
        Ok(IpAddr::V6(six)) => format!("{:x}", six.to_bits() >> 64),
        _ => address.to_owned(),
    }
}

fn agent(headers: &HeaderMap) -> String {
    let agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
    agent.unwrap_or_default().to_owned()
}

fn token_of(head: &Parts) -> Result<String, Error> {
    let query = head.uri.query().unwrap_or_default();
    let mut members = Map::new();
    for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
        members.insert(name.to_owned(), percent_encoding::percent_decode_str(value).decode_utf8_lossy().into());
    }
    let given = checked(Token::FIELDS, &members)?;
    Ok(given.named_text("token").unwrap_or_default().to_owned())
}

async fn members(head: &Parts, body: &mut Receiving, fields: &'static [Field]) -> Result<Changes, Refused> {
    body::check_encoding(&head.headers)?;
    let kind = head.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json")) {
        return Err(Failure::new(415, "unsupported_media_type", "send Content-Type: application/json").into());
    }
    let bytes = body::whole(body, MOST).await.ok_or_else(|| invalid("body", "could not be read to its end"))?;
    Ok(checked(fields, &resource::object(&bytes)?)?)
}

fn checked(fields: &'static [Field], members: &Map<String, Json>) -> Result<Changes, Error> {
    Changes::check(&Shape { record: &[], extra: fields }, &Input(members), true)
}

fn data(data: &Json) -> Answer {
    json_answer(200, json!({ "data": data }).to_string())
}
