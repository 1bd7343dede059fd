//! Endpoints without a key: health, metrics, the API document and its interactive page.

use crate::App;
use crate::request::assets::{accepts, versioned};
use crate::request::envelope::{Answer, Failure, failed, json_answer};
use bytes::Bytes;
use flate2::read::GzDecoder;
use http_body_util::{Either, Full};
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};
use papaya::HashMap;
use std::io::Read;
use std::net::IpAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock};
use subtle::ConstantTimeEq;

/// The page loads scripts and styles from this server only.
const POLICY: &str =
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

const PAGE: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Relata API</title>\
     <link rel=\"icon\" type=\"image/png\" href=\"./favicon-32x32.png\"><link rel=\"stylesheet\" href=\"./swagger-ui.css\">\
     <style>body { margin: 0; }</style><div id=\"reference\"></div><script src=\"./swagger-ui-bundle.js\"></script>\
     <script src=\"./start.js\"></script></html>\n";
const START: &str = "SwaggerUIBundle({ url: '/api/v1/openapi.json', dom_id: '#reference', deepLinking: true, \
     tryItOutEnabled: true, persistAuthorization: false, filter: true, docExpansion: 'none' });\n";

/// Headers besides X-Forwarded-For that a proxy adds.
const FORWARDED: &[&str] = &[
    "forwarded",
    "via",
    "x-real-ip",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-client-ip",
    "true-client-ip",
    "cf-connecting-ip",
];

const METRICS_REFUSED: &str = "metrics are for requests from the server's own machine, or with Authorization: Bearer and \
     the token of --metrics-token-file";

/// `None` if the path is not one of these.
pub(super) async fn answer(app: &Arc<App>, head: &Parts, peer: IpAddr, client: IpAddr) -> Option<Answer> {
    let (method, path) = (&head.method, head.uri.path());
    let known = matches!(path, "/healthz" | "/readyz" | "/metrics" | "/docs" | "/api/v1/openapi.json")
        || path.starts_with("/docs/");
    if !known {
        return None;
    }
    if method != Method::GET && method != Method::HEAD {
        let mut answer =
            failed(&Failure::new(405, "method_not_allowed", format!("{method} is not allowed here; use GET")));
        answer.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET"));
        return Some(answer);
    }
    Some(match path {
        "/healthz" => json_answer(200, "{\"status\":\"ok\"}"),
        "/readyz" => ready(app).await,
        "/metrics" if may_read_metrics(app, &head.headers, peer, client) => {
            text("text/plain; version=0.0.4", app.metrics.render())
        }
        "/metrics" => {
            let mut answer = failed(&Failure::new(401, "metrics_token_required", METRICS_REFUSED));
            answer.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            answer
        }
        "/api/v1/openapi.json" => api_document(app, head),
        "/docs" => redirect("/docs/"),
        other => page(&head.headers, other.trim_start_matches("/docs/")),
    })
}

/// Allows requests from this machine, or with the token. A forwarded request counts as local only if a trusted proxy says so;
/// otherwise an untrusted proxy on this machine would make the metrics public.
fn may_read_metrics(app: &App, headers: &HeaderMap, peer: IpAddr, client: IpAddr) -> bool {
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let given = given.and_then(|value| value.strip_prefix("Bearer ")).map(str::trim);
    if let (Some(token), Some(given)) = (&app.metrics_token, given) {
        return bool::from(given.as_bytes().ct_eq(token.as_bytes()));
    }
    let trusted = || app.trusted_proxies.iter().any(|network| network.holds(peer));
    let local = match headers.contains_key("x-forwarded-for") {
        true => trusted(),
        // A proxy that sends one of these headers instead of X-Forwarded-For hides the client.
        false => !FORWARDED.iter().any(|name| headers.contains_key(*name)),
    };
    client.is_loopback() && local
}

async fn ready(app: &App) -> Answer {
    let reached = app.store.point(crm::api::meta::CONFIG_VERSION, &[], |_| Ok(())).await;
    match (app.draining.load(Ordering::Acquire), reached) {
        (false, Ok(_)) => json_answer(200, "{\"status\":\"ready\"}"),
        (true, _) => failed(&Failure::new(503, "unavailable", "shutting down")),
        (_, Err(error)) => {
            tracing::warn!(%error, "failed to reach the database; /readyz answers 503");
            failed(&Failure::new(503, "unavailable", "the database can't be reached"))
        }
    }
}

fn api_document(app: &App, head: &Parts) -> Answer {
    let (hash, document) = &*app.document;
    let mut answer = versioned(head, hash, document, true);
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    answer
}

/// The reference's files: our page, and Swagger UI's, compressed by `build.rs`.
fn page(headers: &HeaderMap, file: &str) -> Answer {
    macro_rules! packed {
        ($name:literal) => {
            include_bytes!(concat!(env!("OUT_DIR"), "/docs/", $name, ".gz")).as_slice()
        };
    }
    let (kind, packed) = match file {
        "" | "index.html" => return guarded(text("text/html; charset=utf-8", PAGE)),
        "start.js" => return guarded(text("text/javascript; charset=utf-8", START)),
        "swagger-ui.css" => ("text/css; charset=utf-8", packed!("swagger-ui.css")),
        "swagger-ui-bundle.js" => ("text/javascript; charset=utf-8", packed!("swagger-ui-bundle.js")),
        "favicon-32x32.png" => ("image/png", packed!("favicon-32x32.png")),
        _ => return failed(&Failure::new(404, "not_found", "there is no such page")),
    };
    if !accepts(headers, header::ACCEPT_ENCODING, "gzip") {
        return guarded(text(kind, unpacked(packed)));
    }
    let mut answer = guarded(text(kind, Bytes::from_static(packed)));
    answer.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    answer
}

/// Decompresses a file at its first request. Later answers share the bytes, so that many that a client does not read cost
/// no memory.
fn unpacked(packed: &'static [u8]) -> Bytes {
    static WHOLE: LazyLock<HashMap<usize, Bytes>> = LazyLock::new(HashMap::new);
    let (whole, address) = (WHOLE.pin(), packed.as_ptr().addr());
    if let Some(bytes) = whole.get(&address) {
        return bytes.clone();
    }
    let mut bytes = Vec::new();
    // `build.rs` compressed these bytes, so decompressing can't fail.
    let _ = GzDecoder::new(packed).read_to_end(&mut bytes);
    whole.get_or_insert_with(address, || bytes.into()).clone()
}

fn guarded(mut answer: Answer) -> Answer {
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    answer
}

fn text(content_type: &str, body: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Either::Left(Full::new(body.into())));
    if let Ok(value) = HeaderValue::from_str(content_type) {
        answer.headers_mut().insert(header::CONTENT_TYPE, value);
    }
    answer
}

fn redirect(to: &'static str) -> Answer {
    let mut answer = Response::new(Either::Left(Full::new(Bytes::new())));
    *answer.status_mut() = StatusCode::FOUND;
    answer.headers_mut().insert(header::LOCATION, HeaderValue::from_static(to));
    answer
}
