//! Answers: `{data}`, `{data, meta}` or `{error}`, with the headers every answer has.

use crate::condition;
use bytes::Bytes;
use crm::operation::{Content, Rate, Reply};
use futures_util::TryStreamExt;
use futures_util::stream::BoxStream;
use http_body_util::{BodyExt, Either, Full, StreamBody, combinators::UnsyncBoxBody};
use hyper::body::Frame;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use resource::Error;
use serde_json::{Value as Json, json};

/// A body that is there, or a file on its way.
pub type Body = Either<Full<Bytes>, UnsyncBoxBody<Bytes, std::io::Error>>;
pub type Answer = Response<Body>;
/// What a body without an envelope is sent in.
pub type Chunks = BoxStream<'static, std::io::Result<Bytes>>;

/// A refusal or failure on its way out.
#[derive(Debug)]
pub struct Failure {
    pub status: u16,
    pub code: &'static str,
    pub message: String,
    pub details: Option<Json>,
    /// After so many seconds it may work; nobody knows if it is 0.
    pub retry_after: u32,
}

impl Failure {
    pub fn new(status: u16, code: &'static str, message: impl Into<String>) -> Self {
        Failure { status, code, message: message.into(), details: None, retry_after: 0 }
    }

    /// What went wrong inside is logged here, once; the client reads a plain sentence.
    pub fn of(error: &Error, request: &str) -> Failure {
        let failure = match error {
            Error::Invalid(_) => Failure::new(400, "validation_error", error.message()),
            Error::NotFound(_) => Failure::new(404, "not_found", error.message()),
            Error::Scope(_) => Failure::new(403, "insufficient_scope", error.message()),
            Error::Role(_) => Failure::new(403, "insufficient_role", error.message()),
            Error::Reauthentication => Failure::new(403, "reauthentication_required", error.message()),
            Error::Attempts { seconds } => Failure {
                retry_after: (*seconds).clamp(1, i64::from(u32::MAX)) as u32,
                ..Failure::new(429, "too_many_attempts", error.message())
            },
            Error::Gone { .. } => Failure::new(410, "gone", error.message()),
            Error::Idempotency(_) => Failure::new(409, "idempotency_conflict", error.message()),
            Error::Precondition(_) => Failure::new(412, "precondition_failed", error.message()),
            Error::Quota { .. } => Failure::new(413, "storage_quota_exceeded", error.message()),
            Error::Credits { .. } => Failure::new(402, "insufficient_credits", error.message()),
            _ if error.is_passing() => {
                tracing::warn!(request, %error, "unavailable");
                Failure::new(503, "unavailable", "the service can't do this right now; try again shortly")
            }
            Error::Outside { retry_after, .. } => {
                let failure = Failure::new(503, "unavailable", error.message());
                let seconds = retry_after.map_or(0, |seconds| seconds.clamp(1, i64::from(u32::MAX)) as u32);
                return Failure { retry_after: seconds, ..failure };
            }
            Error::Store(_) | Error::Unavailable(_) | Error::SlowLane => {
                tracing::error!(request, %error, "internal error");
                Failure::new(500, "internal_error", format!("something went wrong here; the request id is {request}"))
            }
        };
        Failure { details: error.details(), ..failure }
    }

    pub fn shown(&self) -> Json {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(details) = &self.details {
            error["details"] = details.clone();
        }
        error
    }

    pub fn body(&self) -> Vec<u8> {
        json!({ "error": self.shown() }).to_string().into_bytes()
    }
}

pub fn failed(failure: &Failure) -> Answer {
    let mut answer = json_answer(failure.status, failure.body());
    if failure.retry_after > 0 {
        answer.headers_mut().insert(header::RETRY_AFTER, failure.retry_after.into());
    }
    answer
}

/// The answer to what was done; what it hands out without an envelope has been opened.
pub fn done(reply: Reply, file: Option<Chunks>) -> Answer {
    let (body, replayed) = match reply.data {
        Content::File(stored) => return file_answer(&stored.filename, &stored.content_type, Some(stored.size), file),
        Content::Stream(made) => return file_answer(&made.filename, made.content_type, None, file),
        Content::Live(_) => return live_answer(file),
        Content::Ready { body, replayed } => (body, replayed),
        other => (other.body().unwrap_or_default(), false),
    };
    let etag = reply.version.and_then(|version| condition::etag(version, &body));
    let mut answer = json_answer(reply.status, body);
    let headers = answer.headers_mut();
    headers.extend(etag.map(|etag| (header::ETAG, etag)));
    if let Some(location) = reply.location
        && let Ok(value) = HeaderValue::from_str(&format!("/api/v1{location}"))
    {
        headers.insert(header::LOCATION, value);
    }
    if replayed {
        headers.insert(HeaderName::from_static("idempotent-replayed"), HeaderValue::from_static("true"));
    }
    answer
}

/// Events on their way; nobody in between may hold them back to send more at once.
fn live_answer(events: Option<Chunks>) -> Answer {
    let mut answer = Response::new(sending(events));
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    answer
}

fn sending(chunks: Option<Chunks>) -> Body {
    match chunks {
        Some(chunks) => Either::Right(StreamBody::new(chunks.map_ok(Frame::data)).boxed_unsync()),
        None => Either::Left(Full::default()),
    }
}

/// Whatever the file is, a browser saves it and runs none of it.
fn file_answer(filename: &str, content_type: &str, size: Option<u64>, file: Option<Chunks>) -> Answer {
    let mut answer = Response::new(sending(file));
    let headers = answer.headers_mut();
    let content_type = HeaderValue::from_str(content_type);
    let content_type = content_type.unwrap_or(HeaderValue::from_static("application/octet-stream"));
    headers.insert(header::CONTENT_TYPE, content_type);
    if let Some(size) = size {
        headers.insert(header::CONTENT_LENGTH, size.into());
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("sandbox; default-src 'none'"));
    let disposition = HeaderValue::from_str(&disposition(filename));
    headers.insert(header::CONTENT_DISPOSITION, disposition.unwrap_or(HeaderValue::from_static("attachment")));
    answer
}

/// The name twice: in ASCII for old clients, and whole (RFC 5987).
fn disposition(filename: &str) -> String {
    use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
    const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    let plain = |c: char| if c.is_ascii_graphic() && !"\"\\%".contains(c) || c == ' ' { c } else { '_' };
    let ascii: String = filename.chars().map(plain).collect();
    format!("attachment; filename=\"{ascii}\"; filename*=UTF-8''{}", utf8_percent_encode(filename, PLAIN))
}

pub fn json_answer(status: u16, body: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Either::Left(Full::new(body.into())));
    *answer.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = answer.headers_mut();
    // Room for those that follow.
    headers.reserve(12);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    answer
}

/// What every page tells a browser: no other site holds a handle on its window, loads it or shows it in a frame, and it
/// uses no devices. Policies of its own stay.
pub fn page_headers(headers: &mut HeaderMap) {
    const PAGE: [(HeaderName, &str); 5] = [
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "same-origin"),
    ];
    let html = headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    for (name, value) in PAGE.into_iter().filter(|_| html) {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

pub fn rate_headers(headers: &mut HeaderMap, rate: &Rate) {
    const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
    const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
    const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
    headers.insert(LIMIT, rate.limit.into());
    headers.insert(REMAINING, rate.remaining.into());
    headers.insert(RESET, rate.reset.into());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filename_can_break_out_of_no_header() {
        assert_eq!(disposition("cv.pdf"), "attachment; filename=\"cv.pdf\"; filename*=UTF-8''cv.pdf");
        assert_eq!(
            disposition("Résumé \"x\";.pdf"),
            "attachment; filename=\"R_sum_ _x_;.pdf\"; filename*=UTF-8''R%C3%A9sum%C3%A9%20%22x%22%3B.pdf"
        );
    }
}
