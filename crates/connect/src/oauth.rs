//! OAuth 2: the page where a user permits access to a mailbox (authorization code with PKCE), and the tokens of the token
//! server. The operator sets all addresses, so the guard does not restrict them.

use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use oauth2::basic::{
    BasicErrorResponse, BasicErrorResponseType, BasicRevocationErrorResponse, BasicTokenIntrospectionResponse,
    BasicTokenType,
};
use oauth2::{
    AsyncHttpClient, AuthType, AuthUrl, AuthorizationCode, Client, ClientId, ClientSecret, CsrfToken, EndpointNotSet,
    EndpointSet, ExtraTokenFields, HttpRequest, HttpResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl,
    RefreshToken, RequestTokenError, Scope, StandardRevocableToken, StandardTokenResponse, TokenResponse, TokenUrl,
};
use reqwest::StatusCode;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::fault::Fault;
use crate::server::{Invalid, Server};
use crate::web;

/// The time limit of a request to the token server, or for the user's address.
pub const LONGEST_CALL: Duration = Duration::from_secs(15);
/// The longest answer that is read.
const LONGEST_ANSWER: usize = 256 * 1024;
/// The lifetime of a token if the answer does not say it.
const USUAL_LIFETIME: Duration = Duration::from_secs(3600);
/// The longest token that is stored. Microsoft's have about 2,000 characters.
const LONGEST_TOKEN: usize = 16 * 1024;

/// Where tokens are renewed, and as which client.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Issuer {
    pub token_url: String,
    pub client_id: String,
    /// Public clients have none.
    pub client_secret: Option<String>,
}

/// A provider of mailboxes that users connect in their browser.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Provider {
    #[serde(flatten)]
    pub issuer: Issuer,
    pub authorization_url: String,
    /// Says the address of the user. Without it the identity token says it, or the user.
    pub userinfo_url: Option<String>,
    pub scopes: Vec<String>,
    /// Further parameters of the authorization page.
    #[serde(default)]
    pub parameters: Vec<(String, String)>,
    /// The mail servers without a user, such as `smtp://mail.example.com:587?tls=starttls`.
    pub smtp: String,
    pub imap: Option<String>,
}

/// The secret is left out.
impl fmt::Debug for Issuer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Issuer({}, {})", self.token_url, self.client_id)
    }
}

/// Known providers. The operator adds the client's id and secret.
pub const PRESETS: &[&str] = &["google", "microsoft"];

/// A known provider. `tenant` is for Microsoft alone: the id or domain of one organisation.
pub fn preset(name: &str, tenant: Option<&str>) -> Option<Provider> {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect();
    let pairs = |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    let issuer = |token_url: String| Issuer { token_url, client_id: String::new(), client_secret: None };
    match name {
        "google" => Some(Provider {
            issuer: issuer("https://oauth2.googleapis.com/token".to_owned()),
            authorization_url: "https://accounts.google.com/o/oauth2/v2/auth".to_owned(),
            userinfo_url: Some("https://openidconnect.googleapis.com/v1/userinfo".to_owned()),
            scopes: words("openid email https://mail.google.com/"),
            // Google gives a refresh token only for offline access, and a second time only if the user consents again.
            parameters: pairs(&[("access_type", "offline"), ("prompt", "consent")]),
            smtp: "smtp://smtp.gmail.com:587?tls=starttls".to_owned(),
            imap: Some("imap://imap.gmail.com:993?tls=tls".to_owned()),
        }),
        "microsoft" => {
            let base = format!("https://login.microsoftonline.com/{}/oauth2/v2.0", tenant.unwrap_or("common"));
            Some(Provider {
                issuer: issuer(format!("{base}/token")),
                authorization_url: format!("{base}/authorize"),
                // A token for Outlook is not accepted by Microsoft's userinfo address. The identity token has the address.
                userinfo_url: None,
                scopes: words(
                    "openid email profile offline_access https://outlook.office.com/IMAP.AccessAsUser.All \
                     https://outlook.office.com/SMTP.Send",
                ),
                parameters: pairs(&[("prompt", "select_account")]),
                smtp: "smtp://smtp.office365.com:587?tls=starttls".to_owned(),
                imap: Some("imap://outlook.office365.com:993?tls=tls".to_owned()),
            })
        }
        _ => None,
    }
}

/// The page to send a user to.
#[derive(Clone)]
pub struct Page {
    pub url: String,
    /// The page returns this with the code.
    pub state: String,
    /// Proves, with the code, that the same program asked for it.
    pub verifier: String,
}

#[derive(Clone, PartialEq)]
pub struct Tokens {
    pub access: String,
    /// Rotated, or as before if `None`.
    pub refresh: Option<String>,
    pub lifetime: Duration,
    /// The address of the user in the identity token.
    address: Option<String>,
}

/// Why there is no token.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenError {
    /// `invalid_grant`: the permission was revoked or has expired. Only the user can give it again.
    Revoked(String),
    /// The token server refuses the client or the request. The operator must correct the client's settings.
    Client(String),
    /// A retry may succeed.
    Transient(String),
}

impl From<TokenError> for Fault {
    fn from(error: TokenError) -> Fault {
        match error {
            TokenError::Revoked(text) => Fault::Token { reason: REVOKED, text },
            TokenError::Client(text) => Fault::Token { reason: CLIENT, text },
            TokenError::Transient(text) => Fault::Unreached(text),
        }
    }
}

pub const REVOKED: &str = "the provider does not renew the access to the mailbox: the permission was revoked or has expired; reconnect the account";
pub const CLIENT: &str = "the provider refuses this server as an OAuth client; the operator must check the client's id and secret with `relata oauth`";

#[derive(Debug, Default, Serialize, Deserialize)]
struct Identity {
    id_token: Option<String>,
}

impl ExtraTokenFields for Identity {}

type Answer = StandardTokenResponse<Identity, BasicTokenType>;
type Configured<Page> = Client<
    BasicErrorResponse,
    Answer,
    BasicTokenIntrospectionResponse,
    StandardRevocableToken,
    BasicRevocationErrorResponse,
    Page,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointSet,
>;

/// An answer that is worth a retry, or none.
#[derive(Debug)]
struct NoAnswer(String);

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoAnswer {}

fn url(member: &'static str, text: &str) -> Result<Url, (&'static str, Invalid)> {
    let wrong = |reason: String| (member, Invalid::new(reason));
    let url = Url::parse(text.trim()).map_err(|error| wrong(format!("is not a URL: {error}")))?;
    match matches!(url.scheme(), "http" | "https") && url.host().is_some() && url.fragment().is_none() {
        true => Ok(url),
        false => Err(wrong("must be an http(s) URL without #".to_owned())),
    }
}

impl Issuer {
    /// Which setting is wrong, and why.
    pub fn check(&self) -> Result<(), (&'static str, Invalid)> {
        url("token_url", &self.token_url)?;
        let long = |text: &str| text.len() > LONGEST_TOKEN || text.contains(char::is_control);
        if self.client_id.trim().is_empty() || long(&self.client_id) {
            return Err(("client_id", Invalid::new("is required, in one line")));
        }
        match self.client_secret.as_deref().is_some_and(long) {
            true => Err(("client_secret", Invalid::new("must be one line"))),
            false => Ok(()),
        }
    }

    fn client(&self) -> Result<Configured<EndpointNotSet>, TokenError> {
        let token_url = TokenUrl::new(self.token_url.clone()).map_err(|error| TokenError::Client(error.to_string()))?;
        let mut client = Client::new(ClientId::new(self.client_id.clone())).set_token_uri(token_url);
        if let Some(secret) = &self.client_secret {
            // In the body: every large provider takes it there, and not all take it in a header.
            client = client.set_client_secret(ClientSecret::new(secret.clone())).set_auth_type(AuthType::RequestBody);
        }
        Ok(client)
    }

    /// A new access token, and a new refresh token if the server rotates them.
    pub async fn refresh(&self, refresh: &str) -> Result<Tokens, TokenError> {
        let (client, token) = (self.client()?, RefreshToken::new(refresh.to_owned()));
        let answer = client.exchange_refresh_token(&token).request_async(&Http(http()?)).await;
        tokens(answer.map_err(token_error)?)
    }
}

impl Provider {
    /// Which setting is wrong, and why.
    pub fn check(&self) -> Result<(), (&'static str, Invalid)> {
        self.issuer.check()?;
        url("authorization_url", &self.authorization_url)?;
        self.userinfo_url.as_deref().map_or(Ok(()), |text| url("userinfo_url", text).map(drop))?;
        let guard = crate::guard::Guard::operator();
        let servers = [("smtp", Some(&self.smtp)), ("imap", self.imap.as_ref())];
        for (member, server) in servers {
            let Some(server) = server else { continue };
            let parsed = if member == "smtp" { Server::smtp(server, &guard) } else { Server::imap(server, &guard) };
            let parsed = parsed.map_err(|wrong| (member, wrong))?;
            if parsed.login.is_some() {
                return Err((member, Invalid::new("must name no user: it is the address of the mailbox")));
            }
        }
        Ok(())
    }

    /// The page where the user permits access.
    pub fn page(&self, redirect: &str, address: Option<&str>) -> Result<Page, TokenError> {
        let client = self.issuer.client()?;
        let wrong = |error: url::ParseError| TokenError::Client(error.to_string());
        let client = client
            .set_auth_uri(AuthUrl::new(self.authorization_url.clone()).map_err(wrong)?)
            .set_redirect_uri(RedirectUrl::new(redirect.to_owned()).map_err(wrong)?);
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let mut request = client.authorize_url(CsrfToken::new_random).set_pkce_challenge(challenge);
        request = request.add_scopes(self.scopes.iter().cloned().map(Scope::new));
        for (name, value) in &self.parameters {
            request = request.add_extra_param(name.clone(), value.clone());
        }
        if let Some(address) = address {
            request = request.add_extra_param("login_hint", address.to_owned());
        }
        let (url, state) = request.url();
        Ok(Page { url: url.into(), state: state.into_secret(), verifier: verifier.into_secret() })
    }

    /// The tokens for a code that the page has returned.
    pub async fn exchange(&self, code: &str, verifier: &str, redirect: &str) -> Result<Tokens, TokenError> {
        let redirect = RedirectUrl::new(redirect.to_owned()).map_err(|error| TokenError::Client(error.to_string()))?;
        let client = self.issuer.client()?.set_redirect_uri(redirect);
        let request = client.exchange_code(AuthorizationCode::new(code.to_owned()));
        let request = request.set_pkce_verifier(PkceCodeVerifier::new(verifier.to_owned()));
        tokens(request.request_async(&Http(http()?)).await.map_err(token_error)?)
    }

    /// The address of the user who gave the permission, if the provider says it.
    pub async fn address(&self, tokens: &Tokens) -> Result<Option<String>, TokenError> {
        let Some(url) = self.userinfo_url.as_ref().filter(|_| tokens.address.is_none()) else {
            return Ok(tokens.address.clone());
        };
        #[derive(Deserialize)]
        struct UserInfo {
            email: Option<String>,
        }
        let answer = http()?.get(url).bearer_auth(&tokens.access).send().await;
        let answer = answer.map_err(|error| TokenError::Transient(web::describe(&error)))?;
        let status = answer.status();
        let body = web::body(answer, LONGEST_ANSWER).await.map_err(|error| TokenError::Transient(error.to_string()))?;
        if !status.is_success() {
            let text = format!("{}: {}", status.as_u16(), web::shown(&String::from_utf8_lossy(&body)));
            return Err(TokenError::Client(text));
        }
        let info: UserInfo = web::json(&body)
            .map_err(|_| TokenError::Client("the answer with the user's address is not understood".to_owned()))?;
        Ok(info.email)
    }

    /// The addresses of the mail servers with the user whose mailbox it is, for access tokens.
    pub fn servers(&self, address: &str) -> (String, Option<String>) {
        let user = percent_encoding::utf8_percent_encode(address, percent_encoding::NON_ALPHANUMERIC).to_string();
        let with_user = |server: &String| {
            let server = server.replacen("://", &format!("://{user}@"), 1);
            let sign = if server.contains('?') { '&' } else { '?' };
            if server.contains("auth=") { server } else { format!("{server}{sign}auth=xoauth2") }
        };
        (with_user(&self.smtp), self.imap.as_ref().map(with_user))
    }
}

fn http() -> Result<reqwest::Client, TokenError> {
    web::client(LONGEST_CALL).map_err(|error| TokenError::Transient(error.to_string()))
}

/// The HTTP client of the library.
struct Http(reqwest::Client);

impl<'c> AsyncHttpClient<'c> for Http {
    type Error = NoAnswer;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, NoAnswer>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(send(&self.0, request))
    }
}

async fn send(http: &reqwest::Client, request: HttpRequest) -> Result<HttpResponse, NoAnswer> {
    let request = reqwest::Request::try_from(request).map_err(|error| NoAnswer(web::describe(&error)))?;
    let answer = http.execute(request).await.map_err(|error| NoAnswer(web::describe(&error)))?;
    let status = answer.status();
    let mut response = oauth2::http::Response::builder().status(status);
    if let Some(kind) = answer.headers().get(reqwest::header::CONTENT_TYPE) {
        response = response.header(reqwest::header::CONTENT_TYPE, kind);
    }
    let body = web::body(answer, LONGEST_ANSWER).await.map_err(|error| NoAnswer(error.to_string()))?;
    if status.is_server_error() || matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT) {
        return Err(NoAnswer(format!("{}: {}", status.as_u16(), web::shown(&String::from_utf8_lossy(&body)))));
    }
    response.body(body).map_err(|error| NoAnswer(error.to_string()))
}

/// An answer that is not understood may come from a proxy or an overloaded server, so it is retried. It is not quoted: it
/// may contain tokens.
fn token_error(error: RequestTokenError<NoAnswer, BasicErrorResponse>) -> TokenError {
    let answer = match error {
        RequestTokenError::ServerResponse(answer) => answer,
        RequestTokenError::Request(NoAnswer(why)) => return TokenError::Transient(format!("the token server: {why}")),
        RequestTokenError::Parse(..) | RequestTokenError::Other(_) => {
            return TokenError::Transient("the answer of the token server is not understood".to_owned());
        }
    };
    let description = answer.error_description().map(|text| format!(": {}", web::shown(text))).unwrap_or_default();
    let text = format!("the token server answered {}{description}", web::shown(answer.error().as_ref()));
    match answer.error() {
        BasicErrorResponseType::InvalidGrant => TokenError::Revoked(text),
        BasicErrorResponseType::Extension(word)
            if matches!(&**word, "temporarily_unavailable" | "server_error" | "slow_down") =>
        {
            TokenError::Transient(text)
        }
        // Microsoft's words for a permission that the user must give again.
        BasicErrorResponseType::Extension(word) if matches!(&**word, "interaction_required" | "consent_required") => {
            TokenError::Revoked(text)
        }
        _ => TokenError::Client(text),
    }
}

fn tokens(answer: Answer) -> Result<Tokens, TokenError> {
    let access = answer.access_token().secret().clone();
    let refresh = answer.refresh_token().map(|token| token.secret().clone()).filter(|token| !token.is_empty());
    let unfit = |token: &String| {
        token.is_empty() || token.len() > LONGEST_TOKEN || !token.bytes().all(|b| b.is_ascii_graphic())
    };
    if unfit(&access) || refresh.as_ref().is_some_and(unfit) {
        return Err(TokenError::Transient("the token server answered with a token that can't be used".to_owned()));
    }
    // A year at most: a larger number is a mistake.
    let lifetime = answer.expires_in().unwrap_or(USUAL_LIFETIME).min(Duration::from_secs(365 * 24 * 3600));
    let address = answer.extra_fields().id_token.as_deref().and_then(address_in);
    Ok(Tokens { access, refresh, lifetime, address })
}

/// The address in an identity token. It came from the token server itself, so that its signature need not be checked.
fn address_in(id_token: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Claims {
        email: Option<String>,
        preferred_username: Option<String>,
    }
    let claims = BASE64_URL_SAFE_NO_PAD.decode(id_token.split('.').nth(1)?.trim_end_matches('=')).ok()?;
    let claims: Claims = serde_json::from_slice(&claims).ok()?;
    claims.email.or(claims.preferred_username).filter(|address| address.contains('@'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_sound_and_name_the_mailbox() {
        for name in PRESETS {
            let mut provider = preset(name, None).expect("a preset");
            assert_eq!(provider.check().map_err(|(member, _)| member), Err("client_id"), "{name}");
            provider.issuer.client_id = "id".into();
            provider.check().map_err(|(member, wrong)| format!("{member}: {wrong}")).expect(name);
            let (smtp, imap) = provider.servers("ann+x@example.com");
            assert!(smtp.starts_with("smtp://ann%2Bx%40example%2Ecom@smtp."), "{smtp}");
            assert!(smtp.ends_with("&auth=xoauth2") && imap.is_some_and(|imap| imap.ends_with("&auth=xoauth2")));
            let page = provider.page("https://crm.example.com/oauth/callback", Some("ann@example.com")).expect(name);
            assert!(
                page.url.contains("code_challenge_method=S256") && !page.url.contains(&page.verifier),
                "{}",
                page.url
            );
            assert!(page.url.contains("login_hint=ann%40example.com"), "{}", page.url);
        }
        assert!(
            preset("microsoft", Some("example.com")).is_some_and(|one| one.issuer.token_url.contains("/example.com/"))
        );
        assert!(preset("other", None).is_none());
    }

    #[test]
    fn an_identity_token_names_the_address() {
        let token = |claims: &str| format!("e30.{}.c2ln", BASE64_URL_SAFE_NO_PAD.encode(claims));
        assert_eq!(address_in(&token(r#"{"email":"ann@example.com"}"#)).as_deref(), Some("ann@example.com"));
        let other = token(r#"{"preferred_username":"bob@example.com"}"#);
        assert_eq!(address_in(&other).as_deref(), Some("bob@example.com"));
        for wrong in ["", "a.b", "a.!!.c", &token("[]"), &token(r#"{"email":"Ann"}"#)] {
            assert_eq!(address_in(wrong), None, "{wrong}");
        }
    }
}
