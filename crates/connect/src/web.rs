//! Shared by the clients of third-party HTTP services: limits of time and size, no redirects, readable errors.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::fault::Fault;
use crate::guard::{Denied, Guard, Resolver};

const CONNECT: Duration = Duration::from_secs(5);
/// How many bytes of a third party's error message are shown.
const SHOWN: usize = 500;

pub(crate) fn client(longest: Duration) -> reqwest::Result<reqwest::Client> {
    builder(longest).build()
}

/// A client that resolves names through the guard. It uses no proxy, because a proxy would resolve names itself.
/// Literal addresses never reach the resolver: check them before.
pub(crate) fn guarded(longest: Duration, guard: &Guard, port: u16) -> reqwest::Result<reqwest::Client> {
    if guard.is_open() {
        return client(longest);
    }
    builder(longest).no_proxy().dns_resolver(Arc::new(Resolver { guard: guard.clone(), port })).build()
}

fn builder(longest: Duration) -> reqwest::ClientBuilder {
    // Only one TLS library is compiled in, so an error means that the same provider is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .timeout(longest)
        .connect_timeout(CONNECT.min(longest))
        .redirect(reqwest::redirect::Policy::none())
}

/// The guard's refusal, if it was the reason that a request was not sent.
pub(crate) fn denied(error: &reqwest::Error) -> Option<Fault> {
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        match error.downcast_ref::<Denied>() {
            Some(denied) => return Some(denied.into()),
            None => cause = error.source(),
        }
    }
    None
}

/// Why the body of an answer could not be read completely.
#[derive(Debug)]
pub(crate) enum Unread {
    TooLong,
    Cut(reqwest::Error),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::TooLong => f.write_str("the answer is too long"),
            Unread::Cut(error) => f.write_str(&describe(error)),
        }
    }
}

/// The body of an answer, limited to `most` bytes.
pub(crate) async fn body(mut answer: reqwest::Response, most: usize) -> Result<Vec<u8>, Unread> {
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(Unread::Cut)? {
        if body.len() + chunk.len() > most {
            return Err(Unread::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Describes an error with its cause, which the library keeps separately. Leaves out the address, which may contain
/// secrets.
pub(crate) fn describe(error: &reqwest::Error) -> String {
    let mut text = if error.is_timeout() { "no answer in time".to_owned() } else { "no answer".to_owned() };
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

/// The beginning of an error message, in one line.
pub(crate) fn shown(text: &str) -> String {
    match text.trim() {
        "" => "no reason given".to_owned(),
        text => text.chars().filter(|letter| !letter.is_control()).take(SHOWN).collect(),
    }
}
