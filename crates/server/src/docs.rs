//! What answers without a key: health, metrics, the API document and its interactive page.

use crate::App;
use crate::envelope::{Answer, Failure, failed, json_answer};
use bytes::Bytes;
use http_body_util::{Either, Full};
use hyper::header::{self, HeaderValue};
use hyper::{Method, Response, StatusCode};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The page's scripts and styles come from here alone.
const POLICY: &str =
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/// `None` if the path is not one of these.
pub async fn answer(app: &Arc<App>, method: &Method, path: &str) -> Option<Answer> {
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
        "/metrics" => text("text/plain; version=0.0.4", app.metrics.render()),
        "/api/v1/openapi.json" => json_answer(200, app.document.clone()),
        "/docs" => redirect("/docs/"),
        other => page(other.trim_start_matches("/docs/")),
    })
}

async fn ready(app: &App) -> Answer {
    let reached = app.store.point(crm::meta::CONFIG_VERSION, &[], |_| Ok(())).await;
    match (app.draining.load(Ordering::Acquire), reached) {
        (false, Ok(_)) => json_answer(200, "{\"status\":\"ready\"}"),
        (true, _) => failed(&Failure::new(503, "unavailable", "shutting down")),
        (_, Err(error)) => {
            tracing::warn!(%error, "not ready");
            failed(&Failure::new(503, "unavailable", "the database can't be reached"))
        }
    }
}

fn page(file: &str) -> Answer {
    let config =
        utoipa_swagger_ui::Config::from("/api/v1/openapi.json").persist_authorization(false).try_it_out_enabled(true);
    match utoipa_swagger_ui::serve(file, Arc::new(config)) {
        Ok(Some(found)) => {
            let mut answer = text(&found.content_type, found.bytes.into_owned());
            let headers = answer.headers_mut();
            headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
            headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
            answer
        }
        _ => failed(&Failure::new(404, "not_found", "there is no such page")),
    }
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
