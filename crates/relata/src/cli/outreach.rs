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

#[derive(Args)]
pub(crate) struct ReachArgs {
    /// Server for outgoing mail: smtp://user:password@host:port?tls=none|starttls|tls
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
