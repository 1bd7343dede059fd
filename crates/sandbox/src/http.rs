//! The HTTP server of the sandbox's services: routes, requests and answers. A handler can close the connection without
//! an answer.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use serde::Serialize;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::accept;

pub(crate) type Answer = hyper::Response<BoxBody<Bytes, Infallible>>;

/// The largest body of a request to a service.
pub(crate) const LARGEST: usize = 2 * 1024 * 1024;

/// Closes the connection of a request without an answer.
#[derive(Clone, Default)]
pub(crate) struct Closer(Arc<Notify>);

impl Closer {
    pub(crate) fn close(&self) {
        self.0.notify_one();
    }
}

/// A request whose path matched a route.
pub(crate) struct Request {
    pub headers: HeaderMap,
    pub query: HashMap<String, String>,
    pub body: Bytes,
    pub closer: Closer,
    parameters: Vec<String>,
}

impl Request {
    /// The path parameter at this position, decoded.
    pub(crate) fn parameter(&self, at: usize) -> &str {
        self.parameters.get(at).map(String::as_str).unwrap_or_default()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}

type Handler = Arc<dyn Fn(Request) -> Pin<Box<dyn Future<Output = Answer> + Send>> + Send + Sync>;
type Guard = Arc<dyn Fn(&HeaderMap) -> Option<Answer> + Send + Sync>;

/// The routes of one service.
#[derive(Clone)]
pub(crate) struct Router {
    routes: matchit::Router<Vec<(Method, Handler)>>,
    guard: Guard,
    not_found: fn() -> Answer,
    largest: usize,
}

impl Router {
    /// A router without routes. `guard` can refuse a request before it is routed.
    pub(crate) fn new(guard: impl Fn(&HeaderMap) -> Option<Answer> + Send + Sync + 'static) -> Router {
        let not_found = || text(StatusCode::NOT_FOUND, "");
        Router { routes: matchit::Router::new(), guard: Arc::new(guard), not_found, largest: LARGEST }
    }

    pub(crate) fn not_found(self, not_found: fn() -> Answer) -> Router {
        Router { not_found, ..self }
    }

    pub(crate) fn largest(self, largest: usize) -> Router {
        Router { largest, ..self }
    }

    pub(crate) fn route<S, F>(
        mut self,
        method: Method,
        path: &'static str,
        service: &S,
        handler: impl Fn(S, Request) -> F + Copy + Send + Sync + 'static,
    ) -> Router
    where
        S: Clone + Send + Sync + 'static,
        F: Future<Output = Answer> + Send + 'static,
    {
        let service = service.clone();
        let handler: Handler = Arc::new(move |request| Box::pin(handler(service.clone(), request)));
        match self.routes.at_mut(path) {
            Ok(found) => found.value.push((method, handler)),
            Err(_) => self.routes.insert(path, vec![(method, handler)]).expect("routes of a service don't conflict"),
        }
        self
    }

    async fn answer(&self, closer: Closer, request: hyper::Request<Incoming>) -> Answer {
        let (head, body) = request.into_parts();
        if let Some(refusal) = (self.guard)(&head.headers) {
            return refusal;
        }
        let Ok(found) = self.routes.at(head.uri.path()) else { return (self.not_found)() };
        let Some((_, handler)) = found.value.iter().find(|(method, _)| *method == head.method) else {
            return text(StatusCode::METHOD_NOT_ALLOWED, "");
        };
        let parameters = found.params.iter().map(|(_, value)| decoded(value)).collect();
        let Ok(body) = Limited::new(body, self.largest).collect().await else {
            return text(StatusCode::PAYLOAD_TOO_LARGE, "the body is too large or incomplete");
        };
        let query = url::form_urlencoded::parse(head.uri.query().unwrap_or_default().as_bytes()).into_owned().collect();
        handler(Request { headers: head.headers, query, body: body.to_bytes(), closer, parameters }).await
    }
}

fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn whole(content_type: &'static str, content: impl Into<Bytes>) -> Answer {
    let mut answer = hyper::Response::new(Full::new(content.into()).boxed());
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    answer
}

pub(crate) fn text(status: StatusCode, text: impl Into<Bytes>) -> Answer {
    let mut answer = whole("text/plain; charset=utf-8", text);
    *answer.status_mut() = status;
    answer
}

pub(crate) fn mail(content: Bytes) -> Answer {
    whole("message/rfc822", content)
}

/// Content with the type JSON, even if it is not valid JSON.
pub(crate) fn as_json(content: impl Into<Bytes>) -> Answer {
    whole("application/json", content)
}

pub(crate) fn stream(content: BoxBody<Bytes, Infallible>) -> Answer {
    let mut answer = hyper::Response::new(content);
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}

pub(crate) fn json(value: &impl Serialize) -> Answer {
    match serde_json::to_vec(value) {
        Ok(content) => as_json(content),
        Err(error) => text(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
    }
}

pub(crate) fn json_with(status: u16, value: &impl Serialize, retry_after: Option<u32>) -> Answer {
    let mut answer = json(value);
    *answer.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if let Some(seconds) = retry_after {
        answer.headers_mut().insert("retry-after", seconds.into());
    }
    answer
}

/// A refusal of the control service.
pub(crate) fn refuse(status: StatusCode, reason: &str) -> Answer {
    json_with(status.as_u16(), &json!({ "error": reason }), None)
}

pub(crate) async fn serve(listener: TcpListener, router: Router) {
    let router = Arc::new(router);
    let serve_one = move |socket| {
        let (closer, router) = (Closer::default(), router.clone());
        let given = closer.clone();
        let service = service_fn(move |request| {
            let (closer, router) = (given.clone(), router.clone());
            async move { Ok::<_, Infallible>(router.answer(closer, request).await) }
        });
        async move {
            let builder = Builder::new(TokioExecutor::new());
            let connection = builder.serve_connection(TokioIo::new(socket), service);
            tokio::select! {
                _ = connection => {}
                () = closer.0.notified() => {}
            }
        }
    };
    accept::serve(listener, serve_one).await;
}
