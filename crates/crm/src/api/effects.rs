//! Effects: work outside a transaction, and its results. An operation or a job describes the work, the server does it
//! while no transaction is open, and a later step records the result. The types are defined below all areas that use
//! them, so that `operation.rs` and the server need not import a feature for them.

use resource::Problem;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use store::Uuid;

/// Work to do outside a transaction.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Store the uploaded file under this name. If the request ends before the result is recorded, the job deletes the
    /// file.
    Keep { blob: String, job: Uuid },
    /// The same for a text file, which is stored as UTF-8.
    KeepText { blob: String, job: Uuid },
    /// Read the next rows of a stored table, starting at this byte.
    Rows { blob: String, format: Format, delimiter: u8, from: u64, size: u64 },
    /// Remove the remains of deleted rows from the database files.
    Scrub,
    /// Delete a stored file.
    Drop { blob: String },
    /// Read the text of a stored file of this type.
    Extract { blob: String, content_type: String },
    /// Query a professional network.
    Network(NetworkRequest),
    /// Check a user's password against its hash.
    CheckPassword { user: Uuid, given: SecretString, hash: String },
    /// Check a password, and hash a new one if it is strong enough. `about` is what an attacker may know about the
    /// user.
    ChangePassword {
        user: Uuid,
        session: Uuid,
        given: SecretString,
        hash: String,
        new: SecretString,
        about: Vec<String>,
    },
    /// Check the addresses of an account, and connect to them if `test` is set. `problems` were found before; if there
    /// are any, no connection is made.
    Reach { account: Option<(Uuid, Uuid)>, reach: Reach, test: bool, problems: Vec<Problem> },
    /// Make the page where a user permits access to a mailbox. `provider` has the settings of the OAuth client.
    OauthPage { provider: SecretString, redirect: String, address: Option<String> },
    /// Exchange the code of that page for tokens, and sign in to the mailbox with them.
    OauthCode(OauthCode),
    /// Look the DNS records of a sending domain up. `smtp` is the address of the account's server.
    CheckDomain { domain: String, selector: Option<String>, smtp: Option<SecretString> },
    /// The same for several domains, with less time: one without an answer by then has no points.
    CheckDomains(Vec<SendingDomain>),
    /// Send one mail now, and store nothing.
    SendTest(TestMail),
    /// Load the images of a mail.
    LoadImages { workspace: Uuid, html: String },
}

/// A domain that mails are sent from, and the address of its account's server.
#[derive(Clone, Debug, PartialEq)]
pub struct SendingDomain {
    pub domain: String,
    pub smtp: Option<SecretString>,
}

/// A mail that shows a member what a step sends.
#[derive(Clone, Debug, PartialEq)]
pub struct TestMail {
    pub workspace: Uuid,
    /// The account that sends it.
    pub account: Uuid,
    pub to: String,
    /// The content as the outbox stores it.
    pub content: Json,
}

/// A secret that is never logged.
#[derive(Clone, PartialEq)]
pub struct SecretString(pub String);

impl From<String> for SecretString {
    fn from(text: String) -> SecretString {
        SecretString(text)
    }
}

impl std::fmt::Debug for SecretString {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("…")
    }
}

/// The result of an effect.
#[derive(Clone, Debug, PartialEq)]
pub enum EffectResult {
    Done,
    Text(String),
    /// A text file was stored: its beginning and its size.
    Stored {
        head: String,
        size: u64,
    },
    Rows(Rows),
    /// The rows can't be read, and retrying would not help.
    Unread(String),
    Network(NetworkAnswer),
    /// Whether the password is correct.
    Checked(bool),
    /// The hash of a new password; `None` if the old one was wrong.
    Hashed(Option<String>),
    /// The problems of each part of the account; empty if it works.
    Reached(Vec<(&'static str, Trouble)>),
    OauthPage(OauthPage),
    Domain(Vec<DomainPoint>),
    /// Each domain with its points.
    Domains(Vec<(String, Vec<DomainPoint>)>),
    /// A mailbox that works, or the field of the request that is wrong and why.
    OauthMailbox(Result<Box<OauthMailbox>, (&'static str, Trouble)>),
    /// The member of the request and the reason why a test mail was not sent; `None` if it was.
    Tested(Option<(&'static str, String)>),
    /// Each address, and its image as a `data:` URL; `None` if it can't be loaded.
    Images(Vec<(String, Option<String>)>),
}

// ---- connected accounts ----

/// The connection data of an account, stored encrypted.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reach {
    /// For an email account: the servers for outgoing and incoming mail.
    pub smtp: Option<String>,
    pub imap: Option<String>,
    /// For other accounts: the provider's address and our token.
    pub url: Option<String>,
    pub token: Option<String>,
    /// The secret with which the provider signs its webhooks.
    pub webhook: Option<String>,
    pub by_operator: ByOperator,
}

/// The addresses that the operator set on the command line: the server connects to these even in private networks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ByOperator {
    pub smtp: bool,
    pub imap: bool,
    pub url: bool,
}

impl Reach {
    /// Whether it signs in with OAuth tokens that are renewed.
    pub fn uses_tokens(&self) -> bool {
        [&self.smtp, &self.imap].into_iter().flatten().any(|server| server.contains("auth=xoauth2"))
    }
}

/// Why an account does not work.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// The reason for everyone who can see the account; it does not quote the mail server or provider.
    pub reason: String,
    /// The same with the words of the mail server or provider, for admins and the operator.
    pub detail: Option<String>,
}

impl Trouble {
    /// Prefixed with the part of the account that does not work: `smtp: …`.
    pub fn of(&self, part: &str) -> Trouble {
        let with = |text: &String| format!("{part}: {text}");
        Trouble { reason: with(&self.reason), detail: self.detail.as_ref().map(with) }
    }

    /// Combines the troubles of all parts; `None` if there are none.
    pub fn of_parts(wrong: &[(&'static str, Trouble)]) -> Option<Trouble> {
        let all: Vec<Trouble> = wrong.iter().map(|(part, trouble)| trouble.of(part)).collect();
        let joined = |words: fn(&Trouble) -> &str| all.iter().map(words).collect::<Vec<_>>().join("; ");
        let detail = all.iter().any(|trouble| trouble.detail.is_some()).then(|| joined(Trouble::words));
        (!all.is_empty()).then(|| Trouble { reason: joined(|trouble| &trouble.reason), detail })
    }

    /// The text for admins.
    pub fn words(&self) -> &str {
        self.detail.as_deref().unwrap_or(&self.reason)
    }
}

impl<T: Into<String>> From<T> for Trouble {
    fn from(reason: T) -> Trouble {
        Trouble { reason: reason.into(), detail: None }
    }
}

impl std::fmt::Debug for Reach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Reach")
    }
}

// ---- OAuth ----

/// The permission to use a mailbox, stored encrypted.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Grant {
    /// The provider that the operator set up. Without it, the grant has a client of its own.
    pub provider: Option<String>,
    pub client: Option<OauthClient>,
    pub refresh_token: String,
    pub access_token: Option<String>,
}

/// The client that renews the tokens of a grant.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct OauthClient {
    pub token_url: String,
    pub client_id: String,
    pub client_secret: Option<String>,
}

impl std::fmt::Debug for Grant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Grant")
    }
}

/// The page of a provider, what it returns, and the PKCE verifier.
#[derive(Clone, Debug, PartialEq)]
pub struct OauthPage {
    pub url: String,
    pub state: SecretString,
    pub verifier: SecretString,
}

/// A code that the page of a provider has returned.
#[derive(Clone, Debug, PartialEq)]
pub struct OauthCode {
    /// The name of the provider, and the settings of the OAuth client.
    pub name: String,
    pub provider: SecretString,
    pub code: SecretString,
    pub verifier: SecretString,
    pub redirect: String,
    /// The address that the user gave, or that of the account that is reconnected.
    pub address: Option<String>,
    /// The account that is reconnected.
    pub account: Option<Uuid>,
    /// The sender name of a new account.
    pub sender: Option<String>,
}

/// A mailbox that the user has given access to. It was tested.
#[derive(Clone, Debug, PartialEq)]
pub struct OauthMailbox {
    pub address: String,
    pub reach: Reach,
    pub grant: Grant,
    /// Of the access token, in milliseconds.
    pub lifetime: i64,
}

// ---- sending domains ----

/// The result of one check of a sending domain.
#[derive(Clone, Debug, PartialEq)]
pub struct DomainPoint {
    pub check: &'static str,
    pub verdict: &'static str,
    pub reason: String,
    pub found: Option<String>,
    /// Name, type and value of the record to add.
    pub record: Option<(String, &'static str, String)>,
}

// ---- professional networks ----

/// A request to a network.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkRequest {
    pub workspace: Uuid,
    pub account: Uuid,
    /// The name of the account, for users.
    pub name: String,
    /// Whether the user is an admin, who may read the network's own error message.
    pub by_admin: bool,
    pub what: NetworkQuery,
}

#[derive(Clone, Debug, PartialEq)]
pub enum NetworkQuery {
    Locations { q: String, api_type: String },
    People(NetworkPage),
    Jobs(NetworkPage),
}

/// A page of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkPage {
    /// The provider's search parameters, without the position.
    pub search: Json,
    pub size: i64,
    /// The page, from 1, and the number of results before it.
    pub page: i64,
    pub start: i64,
    /// The provider's cursor of the page; the first page has none.
    pub cursor: Option<String>,
    /// The number of pages to read before it.
    pub steps: i64,
}

/// The answer of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkAnswer {
    pub answer: Json,
    /// The cursors of the pages that were read before this one.
    pub passed: Vec<String>,
    /// The results ended before the requested page.
    pub over: bool,
}

// ---- tables ----

resource::choices! {
    Format { Csv = "csv", Ndjson = "ndjson" }
}

/// Rows of a file, from one byte to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    pub from: u64,
    pub to: u64,
    pub rows: Vec<Raw>,
    /// The end of each row.
    pub ends: Vec<u64>,
    /// There are no more rows.
    pub end: bool,
}

/// An unparsed row of the file.
#[derive(Clone, Debug, PartialEq)]
pub enum Raw {
    Cells(Vec<String>),
    Line(String),
}
