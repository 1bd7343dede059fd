//! Shared by the clients of third-party HTTP services: limits of time and size, no redirects, readable errors.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;

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

/// How many values an answer may have. The memory that they take depends on them more than on the bytes: each of a million
/// empty objects becomes a record of a kilobyte.
const MOST_VALUES: usize = 100_000;

/// An answer, or anything else from a third party, as JSON.
pub(crate) fn json<T: DeserializeOwned>(text: &[u8]) -> Result<T, String> {
    if has_more_values(text, MOST_VALUES) {
        return Err(format!("it has more than {MOST_VALUES} values"));
    }
    serde_json::from_slice(text).map_err(|error| error.to_string())
}

/// Whether a JSON text has more values than this: each is the first of its list or object, or follows a comma.
fn has_more_values(text: &[u8], most: usize) -> bool {
    let (mut values, mut in_text, mut escaped) = (0, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b',' | b'[' | b'{' if !in_text => values += 1,
            _ => {}
        }
        if values > most {
            return true;
        }
    }
    false
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_before_they_are_built() {
        let list = |of: &str, times: usize| format!("[{}]", vec![of; times].join(","));
        assert!(json::<serde_json::Value>(list("{}", MOST_VALUES / 2 - 1).as_bytes()).is_ok());
        for text in [list("{}", MOST_VALUES), list("0", MOST_VALUES + 1), "[".repeat(MOST_VALUES + 1)] {
            let read = json::<serde_json::Value>(text.as_bytes());
            assert!(read.is_err_and(|why| why.contains("values")), "{} bytes", text.len());
        }
        // Those in a text are none.
        let text = format!("[\"{}\\\"{}\"]", ",[{".repeat(MOST_VALUES), ",".repeat(MOST_VALUES));
        assert!(json::<serde_json::Value>(text.as_bytes()).is_ok());
    }
}
