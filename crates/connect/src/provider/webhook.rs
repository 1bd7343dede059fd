//! Events that a provider delivers, signed according to Standard Webhooks: `webhook-id`, `webhook-timestamp` in
//! seconds, and `webhook-signature`, the HMAC-SHA256 of `id.timestamp.body` as `v1,` and base64.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use super::Event;
use crate::web;

/// How many seconds a signature may be old, or ahead.
pub const TOLERANCE_SECONDS: i64 = 300;

#[derive(Serialize, Deserialize)]
pub struct Delivery {
    #[serde(deserialize_with = "super::shapes::readable")]
    pub events: Vec<Event>,
}

/// The headers of a delivery.
#[derive(Clone, Copy, Debug)]
pub struct Signed<'a> {
    pub id: &'a str,
    pub timestamp: &'a str,
    pub signature: &'a str,
}

/// Why a delivery is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected(pub &'static str);

impl std::fmt::Display for Rejected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Rejected {}

/// The events of a delivery, if it was signed with this secret at about `now` (seconds since 1970).
pub fn events(secret: &str, headers: Signed<'_>, body: &[u8], now: i64) -> Result<Vec<Event>, Rejected> {
    let stamp: i64 =
        headers.timestamp.parse().map_err(|_| Rejected("webhook-timestamp: is not a number of seconds"))?;
    if now.abs_diff(stamp) > TOLERANCE_SECONDS.unsigned_abs() {
        return Err(Rejected("webhook-timestamp: is not of the last five minutes"));
    }
    let mac =
        mac(secret, headers.id, headers.timestamp, body).ok_or(Rejected("the secret is not whsec_ and base64"))?;
    // There are several signatures while a secret is being rotated.
    let good = headers
        .signature
        .split(' ')
        .filter_map(|one| one.strip_prefix("v1,"))
        .any(|one| BASE64_STANDARD.decode(one).is_ok_and(|signature| mac.clone().verify_slice(&signature).is_ok()));
    if !good {
        return Err(Rejected("webhook-signature: does not fit the body and the secret"));
    }
    let delivery: Result<Delivery, _> = web::json(body);
    delivery.map(|delivery| delivery.events).map_err(|_| Rejected("the body is not {\"events\": […]}"))
}

/// The value of `webhook-signature`; `None` if the secret is malformed.
pub fn sign(secret: &str, id: &str, timestamp: &str, body: &[u8]) -> Option<String> {
    let mac = mac(secret, id, timestamp, body)?;
    Some(format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes())))
}

fn mac(secret: &str, id: &str, timestamp: &str, body: &[u8]) -> Option<Hmac<Sha256>> {
    let key = BASE64_STANDARD.decode(secret.strip_prefix("whsec_")?).ok().filter(|key| !key.is_empty())?;
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).ok()?;
    for part in [id.as_bytes(), b".", timestamp.as_bytes(), b".", body] {
        mac.update(part);
    }
    Some(mac)
}
