//! Cross-origin requests: pages of the configured origins may call the API from a browser, with an API key. The headers
//! never allow credentials, so a browser shows no page an answer to a request with the dashboard's cookie.

use crate::App;
use crate::request::auth::Credential;
use crate::request::envelope::{Answer, Body};
use http_body_util::Full;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};

/// The origins whose pages may call the API.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Origins {
    #[default]
    None,
    /// Any page. It still needs a key.
    Any,
    /// As browsers send them: scheme, host and, unless it is the usual one, port.
    These(Vec<String>),
}

const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE";
/// Headers of requests that a page may set.
const TAKEN: &str =
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id";
/// Headers of answers that a page may read.
const EXPOSED: &str = "Allow, Content-Disposition, ETag, Idempotent-Replayed, Location, Retry-After, Server-Timing, \
     WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id";
/// How many seconds a browser may remember the answer to a preflight request. No browser remembers it for longer than
/// Chromium, which does so for this time.
const REMEMBERED: &str = "7200";

/// Whether a path is one of the API or of its document. All other paths are for pages of this origin only.
pub(super) fn is_api(path: &str) -> bool {
    path.starts_with("/api/v1/")
}

/// The answer to a browser that asks before a request whether the page may send it; `None` if this is another request,
/// or one of an origin that is not allowed.
pub(super) fn preflight(app: &App, head: &Parts) -> Option<Answer> {
    let asks = head.method == Method::OPTIONS && head.headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    if !asks || allowed(app, head).is_none() {
        return None;
    }
    let mut answer = Response::new(Body::Left(Full::default()));
    *answer.status_mut() = StatusCode::NO_CONTENT;
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_METHODS, METHODS),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, TAKEN),
        (header::ACCESS_CONTROL_MAX_AGE, REMEMBERED),
    ] {
        answer.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Some(answer)
}

/// Lets pages of an allowed origin read the answer, errors included.
pub(super) fn share(app: &App, head: &Parts, headers: &mut HeaderMap) {
    if matches!(app.cors, Origins::These(_)) && is_api(head.uri.path()) {
        // A cache must not give the answer for one origin to a page of another.
        headers.append(header::VARY, HeaderValue::from_name(header::ORIGIN));
    }
    let Some(origin) = allowed(app, head) else { return };
    if matches!(Credential::of(&head.headers, app.cookie()), Credential::Session(_)) {
        return;
    }
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
}

/// The value of `Access-Control-Allow-Origin` for a request of an allowed origin.
fn allowed(app: &App, head: &Parts) -> Option<HeaderValue> {
    let mut given = head.headers.get_all(header::ORIGIN).iter();
    let (Some(origin), None) = (given.next(), given.next()) else { return None };
    if !is_api(head.uri.path()) {
        return None;
    }
    match &app.cors {
        Origins::None => None,
        Origins::Any => Some(HeaderValue::from_static("*")),
        Origins::These(origins) => {
            origins.iter().any(|allowed| allowed.as_bytes() == origin.as_bytes()).then(|| origin.clone())
        }
    }
}
