//! Client of professional networks and chats behind one small HTTP interface, described in `docs/providers.md`. The
//! sender gives every send an id, and a repeated id is the same send.

mod shapes;
pub mod webhook;

use std::time::Duration;

use reqwest::{Method, StatusCode, header};
use serde::Serialize;
use serde::de::DeserializeOwned;
use url::Url;

use crate::fault::{Fault, SendError};
use crate::guard::{Guard, Protocol};
use crate::web;
pub use shapes::*;

/// The address of a provider, and the token of one account there.
#[derive(Clone)]
pub struct Provider {
    base: Url,
    token: String,
    client: reqwest::Client,
    guard: Guard,
}

impl std::fmt::Debug for Provider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Provider({})", self.base)
    }
}

/// The time limit of a call.
pub const LONGEST_CALL: Duration = Duration::from_secs(30);
/// The longest answer that is read.
const LONGEST_ANSWER: usize = 16 * 1024 * 1024;

impl Provider {
    pub fn new(base: &str, token: &str, guard: &Guard) -> Result<Provider, crate::server::Invalid> {
        Provider::within(base, token, guard, LONGEST_CALL)
    }

    /// Like `new`, with another time limit for each call.
    pub fn within(
        base: &str,
        token: &str,
        guard: &Guard,
        longest: Duration,
    ) -> Result<Provider, crate::server::Invalid> {
        let invalid = |reason: String| crate::server::Invalid::new(reason);
        let base = base.trim();
        if !base.contains("://") {
            return Err(invalid("does not begin with http:// or https://".to_owned()));
        }
        let base = Url::parse(base).map_err(|error| invalid(format!("is not a URL: {error}")))?;
        if !matches!(base.scheme(), "http" | "https") || base.query().is_some() || base.fragment().is_some() {
            return Err(invalid("is not an http(s) URL without ? and #".to_owned()));
        }
        if !is_token(token) {
            return Err(invalid("the token is empty or holds spaces or other letters than ASCII".to_owned()));
        }
        let port = base.port_or_known_default().unwrap_or_default();
        let client = web::guarded(longest, guard, port).map_err(|error| invalid(error.to_string()))?;
        Ok(Provider { base, token: token.to_owned(), client, guard: guard.clone() })
    }

    /// Refuses an address that is forbidden as written, without resolving it.
    pub fn check(&self) -> Result<(), Fault> {
        let (host, port) = (self.base.host_str().unwrap_or_default(), self.base.port_or_known_default());
        Ok(self.guard.check(Protocol::Http, host, port.unwrap_or_default())?)
    }

    /// The account that the token belongs to; used to test an account.
    pub async fn account(&self) -> Result<Account, Fault> {
        self.get(&["account"], &[]).await
    }

    pub async fn search_people(&self, search: &PeopleSearch) -> Result<People, Fault> {
        self.ask(Method::POST, &["people", "search"], &[], Some(search)).await
    }

    /// One person, by the provider's id, by profile URL or by telephone number.
    pub async fn person(&self, who: &To) -> Result<Profile, Fault> {
        let (name, value) = who.pair();
        self.get(&["people"], &[(name, value)]).await
    }

    pub async fn locations(&self, q: &str, api_type: Option<&str>) -> Result<Vec<Location>, Fault> {
        let mut query = vec![("q", q)];
        query.extend(api_type.map(|api_type| ("api_type", api_type)));
        Ok(self.get::<Locations>(&["locations"], &query).await?.locations)
    }

    pub async fn search_jobs(&self, search: &JobSearch) -> Result<Jobs, Fault> {
        self.ask(Method::POST, &["jobs", "search"], &[], Some(search)).await
    }

    /// Visits a profile.
    pub async fn visit(&self, visit: &Visit, may_commit: &(dyn Fn() -> bool + Send + Sync)) -> Result<Done, SendError> {
        self.send(&["visits"], visit, may_commit).await
    }

    /// Sends an invitation to connect.
    pub async fn invite(
        &self,
        invite: &Invite,
        may_commit: &(dyn Fn() -> bool + Send + Sync),
    ) -> Result<Invitation, SendError> {
        self.send(&["invitations"], invite, may_commit).await
    }

    /// Sends a message to a connection, or an inmail to anybody else.
    pub async fn message(
        &self,
        message: &Outgoing,
        may_commit: &(dyn Fn() -> bool + Send + Sync),
    ) -> Result<Done, SendError> {
        self.send(&["messages"], message, may_commit).await
    }

    /// The state of an invitation, by the id it was made with.
    pub async fn invitation(&self, id: &str) -> Result<Invitation, Fault> {
        self.get(&["invitations", id], &[]).await
    }

    /// Whether a send with this id has happened: for sends with an unknown outcome.
    pub async fn sent(&self, id: &str) -> Result<Option<Done>, Fault> {
        match self.get(&["sends", id], &[]).await {
            Ok(done) => Ok(Some(done)),
            Err(Fault::Recipient(_)) => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// Events since this cursor, or from the beginning, oldest first.
    pub async fn events(&self, since: Option<&str>, limit: u32) -> Result<Events, Fault> {
        let limit = limit.to_string();
        let mut query = vec![("limit", limit.as_str())];
        query.extend(since.map(|since| ("since", since)));
        self.get(&["events"], &query).await
    }

    /// Sets the webhook that receives events from now on; `None` removes it. `webhook::events` reads its deliveries.
    pub async fn notify(&self, webhook: Option<&Webhook>) -> Result<(), Fault> {
        let _: serde_json::Value = match webhook {
            Some(webhook) => self.ask(Method::PUT, &["webhook"], &[], Some(webhook)).await?,
            None => self.ask(Method::DELETE, &["webhook"], &[], None::<&()>).await?,
        };
        Ok(())
    }

    async fn get<T: DeserializeOwned>(&self, path: &[&str], query: &[(&str, &str)]) -> Result<T, Fault> {
        self.ask(Method::GET, path, query, None::<&()>).await
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &[&str],
        query: &[(&str, &str)],
        body: Option<&impl Serialize>,
    ) -> Result<T, Fault> {
        match self.call(method, path, query, body).await {
            Ok(answer) => Ok(answer),
            Err(SendError::NotSent(fault)) => Err(fault),
            Err(SendError::Unknown(text)) => Err(Fault::Unreached(text)),
        }
    }

    async fn send<T: DeserializeOwned>(
        &self,
        path: &[&str],
        body: &impl Serialize,
        may_commit: &(dyn Fn() -> bool + Send + Sync),
    ) -> Result<T, SendError> {
        if !may_commit() {
            return Err(Fault::Refused.into());
        }
        self.call(Method::POST, path, &[], Some(body)).await
    }

    async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &[&str],
        query: &[(&str, &str)],
        body: Option<&impl Serialize>,
    ) -> Result<T, SendError> {
        self.check()?;
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push("v1").extend(path);
        }
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let mut request = self.client.request(method, url).bearer_auth(&self.token);
        if let Some(body) = body {
            let body = serde_json::to_vec(body).map_err(|error| Fault::Sender(error.to_string()))?;
            request = request.header(header::CONTENT_TYPE, "application/json").body(body);
        }
        let answer = request.send().await.map_err(|error| match error.is_connect() || error.is_builder() {
            true => SendError::NotSent(web::denied(&error).unwrap_or_else(|| Fault::Unreached(self.describe(&error)))),
            false => SendError::Unknown(self.describe(&error)),
        })?;
        let status = answer.status();
        let retry_after = answer.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        if status.is_redirection() {
            let to =
                answer.headers().get(header::LOCATION).map(|to| String::from_utf8_lossy(to.as_bytes()).into_owned());
            let to = to.map_or_else(|| "another address".to_owned(), |to| web::shown(&to));
            let text = format!(
                "{}: the server redirects to {to}, which is not followed; give the final address",
                status.as_u16()
            );
            return Err(Fault::Sender(text).into());
        }
        let body = self.body(answer).await?;
        if status.is_success() {
            return web::json(&body)
                .map_err(|error| SendError::Unknown(format!("{}: the answer is not understood: {error}", self.base)));
        }
        let text = format!("{}: {}", status.as_u16(), said(&body));
        Err(match status {
            StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE | StatusCode::LOCKED => {
                Fault::Temporary { text, retry_after: retry_after.map(Duration::from_secs) }.into()
            }
            StatusCode::NOT_FOUND | StatusCode::CONFLICT | StatusCode::GONE | StatusCode::UNPROCESSABLE_ENTITY => {
                Fault::Recipient(text).into()
            }
            StatusCode::BAD_REQUEST | StatusCode::PAYLOAD_TOO_LARGE => Fault::Message(text).into(),
            // The provider, or a gateway before it, failed during the request: the outcome is unknown.
            status if status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT => SendError::Unknown(text),
            _ => Fault::Sender(text).into(),
        })
    }

    async fn body(&self, answer: reqwest::Response) -> Result<Vec<u8>, SendError> {
        let body = web::body(answer, LONGEST_ANSWER).await;
        body.map_err(|error| SendError::Unknown(format!("{}: {error}", self.base)))
    }

    fn describe(&self, error: &reqwest::Error) -> String {
        format!("{}: {}", self.base, web::describe(error))
    }
}

/// Whether it can be sent as a bearer token.
pub fn is_token(token: &str) -> bool {
    !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The error message of a provider, or the beginning of the body.
fn said(body: &[u8]) -> String {
    let message = web::json::<Refusal>(body).map(|refusal| refusal.error.message);
    web::shown(&message.unwrap_or_else(|_| String::from_utf8_lossy(body).into_owned()))
}
