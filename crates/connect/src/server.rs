//! The address and login of a mail server, written as one URL: `smtp://user:password@host:port?tls=none|starttls|tls`,
//! and `imap://…` likewise. With `auth=xoauth2` and a user without a password, the login uses renewed access tokens.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use percent_encoding::percent_decode_str;
use url::Url;

use crate::fault::Fault;
use crate::guard::{Denied, Guard, Protocol};

#[derive(Clone, PartialEq)]
pub struct Server {
    pub host: String,
    pub port: u16,
    pub tls: Tls,
    pub login: Option<Login>,
    /// A file of certificates to trust in addition to the machine's.
    pub ca: Option<PathBuf>,
    pub timeouts: Timeouts,
    pub(crate) guard: Guard,
    protocol: Protocol,
    tokens: Option<TokenSource>,
}

/// Gives OAuth access tokens. The argument is a token that the server refused although it has not expired.
#[derive(Clone)]
pub struct TokenSource(Arc<Source>);

type Source = dyn Fn(Option<String>) -> BoxFuture<'static, Result<String, Fault>> + Send + Sync;

impl TokenSource {
    pub fn new(
        source: impl Fn(Option<String>) -> BoxFuture<'static, Result<String, Fault>> + Send + Sync + 'static,
    ) -> TokenSource {
        TokenSource(Arc::new(source))
    }
}

impl PartialEq for TokenSource {
    fn eq(&self, other: &TokenSource) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Why no session was opened.
pub(crate) enum Unopened {
    /// The server refused the login.
    Login(Fault),
    Other(Fault),
}

impl From<Fault> for Unopened {
    fn from(fault: Fault) -> Unopened {
        Unopened::Other(fault)
    }
}

impl From<Unopened> for Fault {
    fn from(unopened: Unopened) -> Fault {
        match unopened {
            Unopened::Login(fault) | Unopened::Other(fault) => fault,
        }
    }
}

#[derive(Clone, PartialEq, Eq)]
pub struct Login {
    pub user: String,
    /// A password, or an OAuth token. Empty if tokens are renewed.
    pub secret: String,
    pub by: Auth,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tls {
    /// Unencrypted: for a server on the same machine.
    None,
    StartTls,
    /// TLS from the first byte.
    Tls,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Auth {
    Password,
    /// The secret is an OAuth token.
    Xoauth2,
}

/// The time limits of the parts of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Connecting, and again the TLS handshake.
    pub connect: Duration,
    /// The answer to a command.
    pub command: Duration,
    /// Transferring a whole mail, or fetching one piece.
    pub body: Duration,
    /// The answer to a transferred mail.
    pub answer: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        let seconds = Duration::from_secs;
        Timeouts { connect: seconds(10), command: seconds(20), body: seconds(120), answer: seconds(60) }
    }
}

impl Timeouts {
    /// The longest duration of sending a mail over an open session.
    pub fn longest_send(&self) -> Duration {
        self.command * 2 + self.body + self.answer
    }

    /// The longest duration of opening a session: connection, TLS, greeting, two EHLOs, login in two steps.
    pub fn longest_connect(&self) -> Duration {
        self.connect * 2 + self.command * 6
    }
}

/// An error in a server's address; it never contains a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    pub reason: String,
    /// The only error is that the password is missing.
    pub lacks_password: bool,
}

impl Invalid {
    pub fn new(reason: impl Into<String>) -> Invalid {
        Invalid { reason: reason.into(), lacks_password: false }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Invalid {}

impl Server {
    /// The guard decides where connections may go; only the operator may name a file of certificates.
    pub fn smtp(text: &str, guard: &Guard) -> Result<Server, Invalid> {
        parse(Protocol::Smtp, text, guard)
    }

    pub fn imap(text: &str, guard: &Guard) -> Result<Server, Invalid> {
        parse(Protocol::Imap, text, guard)
    }

    /// Refuses an address that is forbidden as written, without resolving it.
    pub fn check(&self) -> Result<(), Fault> {
        Ok(self.guard.check(self.protocol, &self.host, self.port)?)
    }

    /// The addresses to connect to.
    pub(crate) async fn addresses(&self) -> Result<Vec<SocketAddr>, Fault> {
        match self.guard.resolve(self.protocol, &self.host, self.port).await {
            Ok(addresses) => Ok(addresses),
            Err(Denied::Unresolved(_, error)) if self.guard.is_open() => {
                Err(Fault::Unreached(format!("{self}: {error}")))
            }
            Err(denied) => Err(Fault::from(&denied)),
        }
    }

    /// Whether it signs in with access tokens that are renewed.
    pub fn needs_tokens(&self) -> bool {
        self.login.as_ref().is_some_and(|login| login.by == Auth::Xoauth2 && login.secret.is_empty())
    }

    pub fn with_tokens(self, tokens: Option<TokenSource>) -> Server {
        let tokens = tokens.filter(|_| self.needs_tokens());
        Server { tokens, ..self }
    }

    /// The same server with a current access token, if it needs one. `refused` is one that the server did not accept.
    pub(crate) async fn with_token(&self, refused: Option<&Server>) -> Result<Server, Fault> {
        if !self.needs_tokens() {
            return Ok(self.clone());
        }
        let (Some(login), Some(TokenSource(source))) = (&self.login, &self.tokens) else {
            return Err(Fault::Sender(format!("{self}: the account has no access token; connect it again")));
        };
        let refused = refused.and_then(|server| server.login.as_ref()).map(|login| login.secret.clone());
        let secret = source(refused).await?;
        Ok(Server { login: Some(Login { secret, ..login.clone() }), ..self.clone() })
    }

    fn scheme(&self) -> &'static str {
        if self.protocol == Protocol::Imap { "imap" } else { "smtp" }
    }
}

fn parse(protocol: Protocol, text: &str, guard: &Guard) -> Result<Server, Invalid> {
    let scheme = if protocol == Protocol::Imap { "imap" } else { "smtp" };
    let form = format!("{scheme}://user:password@host:port?tls=none|starttls|tls");
    let wrong = |reason: &str| Invalid::new(format!("{reason}; it looks like {form}"));
    let text = text.trim();
    if !text.contains("://") {
        return Err(wrong(&format!("does not begin with {scheme}://")));
    }
    let url = Url::parse(text).map_err(|error| wrong(&format!("is not an address of a server: {error}")))?;
    if url.scheme() != scheme {
        return Err(wrong(&format!("begins with {}://, not with {scheme}://", url.scheme())));
    }
    let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(|| wrong("names no host"))?;
    if !matches!(url.path(), "" | "/") || url.fragment().is_some() {
        return Err(wrong("has something behind the port besides ?tls=…"));
    }
    let (mut tls, mut by, mut ca) = (None, Auth::Password, None);
    for (name, value) in url.query_pairs() {
        match (&*name, &*value) {
            ("tls", "none") => tls = Some(Tls::None),
            ("tls", "starttls") => tls = Some(Tls::StartTls),
            ("tls", "tls") => tls = Some(Tls::Tls),
            ("tls", other) => return Err(wrong(&format!("tls is {other}, not none, starttls or tls"))),
            ("auth", "password") => by = Auth::Password,
            ("auth", "xoauth2") => by = Auth::Xoauth2,
            ("auth", other) => return Err(wrong(&format!("auth is {other}, not password or xoauth2"))),
            ("ca", _) if !guard.is_operator() => {
                return Err(Invalid::new(
                    "takes ca= on the command line alone: relata accounts add, relata accounts set",
                ));
            }
            ("ca", file) if !file.is_empty() => ca = Some(PathBuf::from(file)),
            (other, _) => return Err(wrong(&format!("takes tls, auth and ca, not {other}"))),
        }
    }
    let decoded = |text: &str, what: &str| {
        let text = percent_decode_str(text).decode_utf8().map_err(|_| wrong(&format!("the {what} is not UTF-8")))?;
        match text.chars().any(char::is_control) {
            true => Err(wrong(&format!("the {what} holds a control character"))),
            false => Ok(text.into_owned()),
        }
    };
    let user = decoded(url.username(), "user")?;
    let login = match (user.is_empty(), url.password()) {
        (false, Some(secret)) => Some(Login { user, secret: decoded(secret, "password")?, by }),
        (false, None) if by == Auth::Xoauth2 => Some(Login { user, secret: String::new(), by }),
        (false, None) => return Err(Invalid { lacks_password: true, ..wrong("has a user and no password") }),
        (true, Some(_)) => return Err(wrong("has a password and no user")),
        (true, None) if by == Auth::Xoauth2 => return Err(wrong("auth=xoauth2 needs a user")),
        (true, None) => None,
    };
    // Some ports imply STARTTLS, all others TLS: nothing is sent unencrypted unless `tls=none` asks for it.
    let tls = tls.unwrap_or(match url.port() {
        Some(25 | 587 | 143) => Tls::StartTls,
        _ => Tls::Tls,
    });
    let port = match (url.port(), scheme, tls) {
        (Some(0), ..) => return Err(wrong("port 0 is none")),
        (Some(port), ..) => port,
        (None, "smtp", Tls::Tls) => 465,
        (None, "smtp", Tls::StartTls) => 587,
        (None, "smtp", Tls::None) => 25,
        (None, _, Tls::Tls) => 993,
        (None, ..) => 143,
    };
    let host = percent_decode_str(host).decode_utf8().map_err(|_| wrong("the host is not UTF-8"))?;
    let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
    Ok(Server {
        host,
        port,
        tls,
        login,
        ca,
        timeouts: Timeouts::default(),
        guard: guard.clone(),
        protocol,
        tokens: None,
    })
}

/// Without the password, for logs and errors.
impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the user, who may be a person: this text is logged.
        write!(f, "{}://", self.scheme())?;
        let colon = self.host.contains(':');
        write!(f, "{}{}{}:{}", if colon { "[" } else { "" }, self.host, if colon { "]" } else { "" }, self.port)
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({:?})", self.tls)
    }
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Login({}, {:?})", self.user, self.by)
    }
}
