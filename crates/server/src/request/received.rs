//! The content of a body, and the errors of its limits.

use crate::request::envelope::Failure;
use crate::request::refused::Refused;
use crate::shares::Share;
use crm::api::call::Sent;
use hyper::HeaderMap;
use hyper::header;
use resource::{Error, invalid};
use serde_json::{Map, Value as Json};
use std::time::Duration;

/// The time limit of a body, or of the next part of a long one.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(30);

/// The content of a body.
#[derive(Default)]
pub(crate) struct Received {
    pub members: Map<String, Json>,
    pub file: Option<Sent>,
    /// Held as long as the file.
    pub share: Option<Share>,
}

pub(crate) fn too_large(most: u64) -> Refused {
    Failure::new(413, "payload_too_large", format!("the body is larger than {}", size(most))).into()
}

/// `10 MiB (10,485,760 bytes)`.
pub(crate) fn size(bytes: u64) -> String {
    let digits = bytes.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    let exact = format!("{} bytes", groups.join(","));
    match bytes % (1 << 20) {
        0 => format!("{} MiB ({exact})", bytes >> 20),
        _ => exact,
    }
}

/// The workspace, or all together, already hold as many of these as they may.
pub(crate) fn too_many(why: &str) -> Failure {
    Failure { retry_after: 1, ..Failure::new(429, "rate_limit_exceeded", why) }
}

pub(crate) fn late() -> Error {
    invalid("body", "did not arrive in time")
}

pub(crate) fn declared(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

pub(super) fn shortened(name: &str) -> String {
    name.chars().take(60).collect()
}
