//! Answers: `{data}`, `{data, meta}` or `{error}`, with the headers every answer has.

use bytes::Bytes;
use crm::api::call::{Content, Rate, Reply};
use futures_util::TryStreamExt;
use http_body_util::{BodyExt, Either, Full, StreamBody, combinators::UnsyncBoxBody};
use hyper::body::Frame;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use resource::Error;
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// A complete body, or a stream.
pub(crate) type Body = Either<Full<Bytes>, UnsyncBoxBody<Bytes, std::io::Error>>;
pub(crate) type Answer = Response<Body>;
pub(crate) use crate::effects::Chunks;

/// An error answer.
#[derive(Debug)]
pub(crate) struct Failure {
    pub status: u16,
    pub code: &'static str,
    pub message: String,
    pub details: Option<Json>,
    /// Seconds for `Retry-After`; 0 if unknown.
    pub retry_after: u32,
}

impl Failure {
    pub(crate) fn new(status: u16, code: &'static str, message: impl Into<String>) -> Self {
        Failure { status, code, message: message.into(), details: None, retry_after: 0 }
    }

    /// The answer for an error. The cause of an internal error is logged here and not shown to the client.
    pub(crate) fn of(error: &Error, request: &str) -> Failure {
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
            Error::Erased(_) => Failure::new(409, "erased_address", error.message()),
            Error::Idempotency(_) => Failure::new(409, "idempotency_conflict", error.message()),
            Error::Precondition(_) => Failure::new(412, "precondition_failed", error.message()),
            Error::Quota { .. } => Failure::new(413, "storage_quota_exceeded", error.message()),
            Error::Credits { .. } => Failure::new(402, "insufficient_credits", error.message()),
            _ if error.is_transient() => {
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

    pub(crate) fn shown(&self) -> Json {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(details) = &self.details {
            error["details"] = details.clone();
        }
        error
    }

    pub(crate) fn body(&self) -> Vec<u8> {
        json!({ "error": self.shown() }).to_string().into_bytes()
    }
}

pub(crate) fn failed(failure: &Failure) -> Answer {
    let mut answer = json_answer(failure.status, failure.body());
    if failure.retry_after > 0 {
        answer.headers_mut().insert(header::RETRY_AFTER, failure.retry_after.into());
    }
    answer
}

/// The answer for a reply. `file` has the chunks of a reply without a JSON envelope.
pub(crate) fn done(reply: Reply, file: Option<Chunks>) -> Answer {
    let (body, replayed) = match reply.data {
        Content::File(stored) => return file_answer(&stored.filename, &stored.content_type, Some(stored.size), file),
        Content::Stream(made) => return file_answer(&made.filename, made.content_type, None, file),
        Content::Live(_) => return live_answer(file),
        Content::Ready { body, replayed } => (body, replayed),
        other => (other.body().unwrap_or_default(), false),
    };
    let etag = reply.version.and_then(|version| etag(version, &body));
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

/// An event stream, with headers that stop proxies from buffering it.
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

/// A download. The headers make browsers save the file and never run it.
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

/// The name in ASCII for old clients, and complete (RFC 5987).
fn disposition(filename: &str) -> String {
    use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
    const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    let plain = |c: char| if c.is_ascii_graphic() && !"\"\\%".contains(c) || c == ' ' { c } else { '_' };
    let ascii: String = filename.chars().map(plain).collect();
    format!("attachment; filename=\"{ascii}\"; filename*=UTF-8''{}", utf8_percent_encode(filename, PLAIN))
}

pub(crate) fn json_answer(status: u16, body: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Either::Left(Full::new(body.into())));
    *answer.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = answer.headers_mut();
    // The pipeline adds more headers.
    headers.reserve(12);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    answer
}

/// Headers of every page: no other site can control its window, embed it or show it in a frame, and it can't use devices.
/// Headers that the page has set itself are kept.
pub(crate) fn page_headers(headers: &mut HeaderMap) {
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

pub(crate) fn rate_headers(headers: &mut HeaderMap, rate: &Rate) {
    const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
    const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
    const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");
    headers.insert(LIMIT, rate.limit.into());
    headers.insert(REMAINING, rate.remaining.into());
    headers.insert(RESET, rate.reset.into());
}

/// `"<version>-<hash>"`. A record also shows counters and names of other records, which change without its version. A CRC
/// always differs after a change of at most four bytes, such as a counter.
fn etag(version: i64, body: &[u8]) -> Option<HeaderValue> {
    let mut text = String::with_capacity(32);
    // Writing to a string can't fail.
    let _ = write!(text, "\"{version}-{:08x}\"", crc32fast::hash(body));
    HeaderValue::from_maybe_shared(bytes::Bytes::from(text)).ok()
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
