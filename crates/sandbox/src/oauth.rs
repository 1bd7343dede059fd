//! The sandbox's authorization server: a page that permits access at once, tokens with PKCE, and the user's address. Its
//! SMTP and IMAP servers check the tokens.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use hyper::header::LOCATION;
use hyper::{Method, StatusCode};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::clock;
use crate::grants::{Code, Grants, Oauth};
use crate::http::{Answer, Request, Router, json as answer, json_with, text};
use crate::state::Shared;

type World = Arc<Shared>;
type Members = HashMap<String, String>;

impl Shared {
    /// Whether a login by XOAUTH2 is accepted: the user's access token, or the token of the script for every user.
    pub(crate) fn admits(&self, user: &str, token: &str) -> bool {
        let by_script = self.script().token == token;
        by_script || self.state().oauth.user_of(token).is_some_and(|owner| owner.eq_ignore_ascii_case(user))
    }
}

/// The user and the token of a decoded XOAUTH2 response.
pub(crate) fn bearer(response: &str) -> (String, String) {
    let part = |start: &str| response.split('\x01').find_map(|part| part.strip_prefix(start)).unwrap_or_default();
    (part("user=").to_owned(), part("auth=Bearer ").to_owned())
}

/// The challenge that explains a refused token.
pub(crate) const REFUSAL: &str = r#"{"status":"400","schemes":"Bearer","scope":"https://mail.example.com/"}"#;

pub(crate) fn router(shared: World) -> Router {
    Router::new(|_| None)
        .route(Method::GET, "/authorize", &shared, authorize)
        .route(Method::POST, "/token", &shared, token)
        .route(Method::GET, "/userinfo", &shared, userinfo)
}

fn refuse(error: &str, description: &str) -> Answer {
    json_with(400, &json!({ "error": error, "error_description": description }), None)
}

/// Redirects back at once, as if the user had agreed.
async fn authorize(shared: World, request: Request) -> Answer {
    let (query, script) = (&request.query, shared.script());
    let of = |name: &str| query.get(name).map(String::as_str).unwrap_or_default();
    let sound = of("client_id") == script.oauth.client_id
        && of("response_type") == "code"
        && of("code_challenge_method") == "S256"
        && !of("state").is_empty();
    let Ok(mut back) = url::Url::parse(of("redirect_uri")) else {
        return text(StatusCode::BAD_REQUEST, "redirect_uri is no URL");
    };
    if !sound {
        return text(StatusCode::BAD_REQUEST, "client_id, response_type, code_challenge_method or state is wrong");
    }
    let code = format!("code-{}", shared.name());
    let user = Some(of("login_hint")).filter(|user| !user.is_empty()).unwrap_or(&script.oauth.user).to_owned();
    let (redirect, challenge) = (of("redirect_uri").to_owned(), of("code_challenge").to_owned());
    shared.state().oauth.codes.insert(code.clone(), Code { redirect, challenge, user });
    back.query_pairs_mut().append_pair("code", &code).append_pair("state", of("state"));
    let mut answer = text(StatusCode::FOUND, "");
    if let Ok(location) = back.as_str().parse() {
        answer.headers_mut().insert(LOCATION, location);
    }
    answer
}

async fn token(shared: World, request: Request) -> Answer {
    let oauth = shared.script().oauth.clone();
    let members: Members = url::form_urlencoded::parse(&request.body).into_owned().collect();
    let of = |name: &str| members.get(name).map(String::as_str).unwrap_or_default();
    if of("grant_type") == "refresh_token" {
        shared.state().oauth.renewals += 1;
        tokio::time::sleep(Duration::try_from_secs_f64(oauth.delay).unwrap_or_default()).await;
    }
    if let Some(status) = oauth.out_of_order {
        return json_with(status, &json!({ "error": "temporarily_unavailable" }), None);
    }
    if of("client_id") != oauth.client_id || of("client_secret") != oauth.client_secret {
        return refuse("invalid_client", "The id or the secret is wrong");
    }
    match of("grant_type") {
        "authorization_code" => by_code(&shared, &oauth, &members),
        "refresh_token" => by_refresh_token(&shared, &oauth, of("refresh_token")),
        _ => refuse("unsupported_grant_type", "It is authorization_code or refresh_token"),
    }
}

/// A code works once, with its redirect URL and its verifier.
fn by_code(shared: &World, oauth: &Oauth, members: &Members) -> Answer {
    let of = |name: &str| members.get(name).map(String::as_str).unwrap_or_default();
    let Some(code) = shared.state().oauth.codes.remove(of("code")) else {
        return refuse("invalid_grant", "The code is unknown or was used");
    };
    let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(of("code_verifier")));
    if challenge != code.challenge || code.redirect != of("redirect_uri") {
        return refuse("invalid_grant", "The verifier or the redirect URL is wrong");
    }
    let refresh = format!("refresh-{}", shared.name());
    shared.state().oauth.permit(&code.user, refresh.clone());
    issue(shared, oauth, &refresh)
}

fn by_refresh_token(shared: &World, oauth: &Oauth, given: &str) -> Answer {
    let next = format!("refresh-{}", shared.name());
    let mut state = shared.state();
    let Grants { refresh, grants, .. } = &mut state.oauth;
    let Some(at) = refresh.get(given).copied().filter(|at| !grants[*at].revoked) else {
        return refuse("invalid_grant", "The token was revoked");
    };
    if grants[at].current != given && !oauth.keeps_replaced {
        grants[at].revoked = true;
        return refuse("invalid_grant", "The token was used before");
    }
    let current = if oauth.rotates { next } else { given.to_owned() };
    grants[at].current.clone_from(&current);
    refresh.insert(current.clone(), at);
    drop(state);
    issue(shared, oauth, &current)
}

fn issue(shared: &World, oauth: &Oauth, refresh: &str) -> Answer {
    let access = format!("access-{}", shared.name());
    let mut state = shared.state();
    let Some(at) = state.oauth.refresh.get(refresh).copied() else {
        return refuse("invalid_grant", "The token was revoked");
    };
    let expires = clock::now().as_millisecond() + i64::from(oauth.lifetime) * 1000;
    state.oauth.access.insert(access.clone(), (at, expires));
    let claims = json!({ "email": state.oauth.grants[at].user }).to_string();
    let identity = format!("e30.{}.c2ln", BASE64_URL_SAFE_NO_PAD.encode(claims));
    let mut tokens = json!({ "access_token": access, "token_type": "Bearer", "expires_in": oauth.lifetime, "refresh_token": refresh });
    if oauth.identity {
        tokens["id_token"] = identity.into();
    }
    answer(&tokens)
}

async fn userinfo(shared: World, request: Request) -> Answer {
    let token = request.header("authorization").and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
    match shared.state().oauth.user_of(token) {
        Some(user) => answer(&json!({ "sub": user, "email": user })),
        None => json_with(401, &json!({ "error": "invalid_token" }), None),
    }
}
