//! The commands of outreach: connected accounts, sequences and suppressions.

use clap::{Args, Subcommand};

#[derive(Subcommand)]
pub(crate) enum Accounts {
    /// Connect an account, test it and print its id
    Add(AddAccount),
    /// List accounts: id, provider, name, address, status, last sync, mails in the folder, stored, unstored, reason
    List,
    /// Change the servers, secrets or limits of an account; then test it
    Set(SetAccount),
    /// Log in to all servers of an account, and record whether it works
    Test {
        /// Its id, as `relata accounts list` shows it
        id: String,
    },
    /// Check the DNS records of an email account's domain. A line each: check, verdict, reason, record to add
    CheckDomain {
        /// Its id, as `relata accounts list` shows it
        id: String,
        /// The DKIM selector [default: the usual ones are tried]
        #[arg(long)]
        selector: Option<String>,
        /// Name servers to ask: IP addresses, comma-separated [default: the machine's]
        #[arg(long, env = "RELATA_DNS_SERVER", value_name = "LIST")]
        dns_server: Option<String>,
    },
    /// Delete an account's secrets; messages that were sent and received through it stay
    Remove {
        /// Its id, as `relata accounts list` shows it
        id: String,
    },
    /// Encrypt the secrets of all accounts and providers with a new key; the server may be running
    RotateSecrets,
}

#[derive(Args)]
pub(crate) struct AddAccount {
    /// email, network or chat
    #[arg(long)]
    pub provider: String,
    /// Sender name of its messages
    #[arg(long)]
    pub name: String,
    /// Sender address of its mails
    #[arg(long)]
    pub address: Option<String>,
    /// The licence of a professional network: classic, sales_navigator or recruiter
    #[arg(long, value_name = "LICENSE")]
    pub license_type: Option<String>,
    /// Email of the member who owns the account [default: the workspace's owner]
    #[arg(long, value_name = "EMAIL")]
    pub owner: Option<String>,
    #[command(flatten)]
    pub reach: ReachArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Connect the account even if the test fails
    #[arg(long)]
    pub no_test: bool,
}

#[derive(Args)]
pub(crate) struct SetAccount {
    /// Its id, as `relata accounts list` shows it
    pub id: String,
    /// Sender name of its messages
    #[arg(long)]
    pub name: Option<String>,
    #[command(flatten)]
    pub reach: ReachArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Change the account even if the test fails
    #[arg(long)]
    pub no_test: bool,
}

#[derive(Args, Default)]
pub(crate) struct ReachArgs {
    /// Server for outgoing mail: smtp://user:password@host:port?tls=none|starttls|tls; with OAuth
    /// smtp://user@host:port?tls=starttls&auth=xoauth2
    #[arg(long, value_name = "URL")]
    pub smtp: Option<String>,
    /// Server for incoming mail: imap://user:password@host:port?tls=none|starttls|tls
    #[arg(long, value_name = "URL")]
    pub imap: Option<String>,
    /// Address of the provider of a network or chat
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// Token for the provider
    #[arg(long)]
    pub token: Option<String>,
    #[command(flatten)]
    pub oauth: OauthArgs,
}

/// The permission to use a mailbox, for addresses with auth=xoauth2 and no password.
#[derive(Args, Default)]
pub(crate) struct OauthArgs {
    /// Where OAuth access tokens are renewed
    #[arg(long, value_name = "URL", requires = "oauth_refresh_token")]
    pub oauth_token_url: Option<String>,
    /// The id of the OAuth client
    #[arg(long, value_name = "ID", requires = "oauth_refresh_token")]
    pub oauth_client_id: Option<String>,
    /// The secret of the OAuth client
    #[arg(long, env = "RELATA_OAUTH_CLIENT_SECRET", value_name = "SECRET", hide_env_values = true)]
    pub oauth_client_secret: Option<String>,
    /// The refresh token of the mailbox; a test may replace it by a newer one
    #[arg(long, env = "RELATA_OAUTH_REFRESH_TOKEN", value_name = "TOKEN", hide_env_values = true, requires_all = ["oauth_token_url", "oauth_client_id"])]
    pub oauth_refresh_token: Option<String>,
}

#[derive(Subcommand)]
pub(crate) enum Oauth {
    /// Set a provider up, so that members can connect its mailboxes in the dashboard; prints the redirect URL to enter
    /// there
    Add(Box<AddOauth>),
    /// List providers: name, title, client id, token URL, redirect URL, where it was set up
    List,
    /// Remove a provider; accounts that use it stop when their access ends
    Remove {
        /// Its name
        name: String,
    },
}

#[derive(Args)]
pub(crate) struct AddOauth {
    /// google, microsoft, or a name of your own: lower-case letters, digits and hyphens
    #[arg(long)]
    pub name: String,
    #[command(flatten)]
    pub settings: OauthSettings,
}

/// The settings of an OAuth client, on the command line and in the settings file.
#[derive(Args, Clone, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct OauthSettings {
    /// The id of the client, from the provider
    #[arg(long, value_name = "ID")]
    pub client_id: String,
    /// Its secret
    #[arg(long, env = "RELATA_OAUTH_CLIENT_SECRET", value_name = "SECRET", hide_env_values = true)]
    pub client_secret: Option<String>,
    /// Microsoft only: the id or domain of the organisation whose members may connect mailboxes [default: common]
    #[arg(long)]
    pub tenant: Option<String>,
    /// Name on the button [default: Google, Microsoft, or the name]
    #[arg(long)]
    pub title: Option<String>,
    /// The page where users permit access
    #[arg(long, value_name = "URL")]
    pub authorization_url: Option<String>,
    /// Where tokens are issued
    #[arg(long, value_name = "URL")]
    pub token_url: Option<String>,
    /// Answers with the address of the user; without it and without the scope openid the user is asked for it
    #[arg(long, value_name = "URL")]
    pub userinfo_url: Option<String>,
    /// Scopes to ask for, separated by spaces
    #[arg(long, value_name = "LIST")]
    pub scopes: Option<String>,
    /// Server for outgoing mail, without a user: smtp://host:port?tls=starttls
    #[arg(long, value_name = "URL")]
    pub smtp: Option<String>,
    /// Server for incoming mail, without a user: imap://host:port?tls=tls
    #[arg(long, value_name = "URL")]
    pub imap: Option<String>,
}

#[derive(Args, Default)]
pub(crate) struct LimitArgs {
    /// Maximum number of messages in any 24 hours
    #[arg(long, value_name = "N")]
    pub daily_limit: Option<i64>,
    /// Minutes between two messages
    #[arg(long, value_name = "N")]
    pub min_gap_minutes: Option<i64>,
    /// Maximum number of messages on the first day; the limit grows by as many each day
    #[arg(long, value_name = "N")]
    pub ramp_up: Option<i64>,
    /// Maximum number of searches in 24 hours
    #[arg(long, value_name = "N")]
    pub search_limit: Option<i64>,
    /// Put sent mails into the Sent folder unless the server does: auto or never
    #[arg(long, value_name = "WORD")]
    pub file_sent: Option<String>,
    /// Who sees the conversations and messages: workspace (all members) or owner (the account's owner alone)
    #[arg(long, value_name = "WORD")]
    pub visibility: Option<String>,
    /// Text or HTML at the end of the account's mails; an empty one removes it
    #[arg(long, value_name = "TEXT")]
    pub signature: Option<String>,
}

#[derive(Subcommand)]
pub(crate) enum Suppressions {
    /// Suppress an address or a domain: it receives nothing more
    Add(Suppressed),
    /// List suppressions: address or domain, reason, since when
    List,
    /// Allow an address or a domain again
    Remove(Suppressed),
}

#[derive(Args)]
pub(crate) struct Suppressed {
    /// An address such as ada@example.com, or a domain such as example.com
    pub what: String,
}

#[derive(Subcommand)]
pub(crate) enum Sequences {
    /// List sequences: id, name, status, number of active enrollments
    List,
    /// Pause one sequence, or all active ones, and print them as `list` does; they send nothing until they are started
    /// again
    Pause {
        /// Its id [default: all]
        id: Option<String>,
    },
}
