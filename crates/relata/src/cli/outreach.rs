//! The commands of outreach: connected accounts, sequences, and to whom nothing is sent.

use clap::{Args, Subcommand};

#[derive(Subcommand)]
pub enum Accounts {
    /// Connect an account, test it and print its id
    Add(AddAccount),
    /// A line each: id, provider, name, address, status, last sync, mails in the folder, stored, unstored, reason
    List,
    /// Change an account: where it is, its secrets, its limits; then test it
    Set(SetAccount),
    /// Log in wherever the account is, and note whether it works
    Test {
        /// Its id, as `relata accounts list` shows it
        id: String,
    },
    /// Forget an account's secrets; what was sent and received through it stays
    Remove {
        /// Its id, as `relata accounts list` shows it
        id: String,
    },
    /// Seal the secrets of all accounts and providers anew, under a new key, while the server runs
    RotateSecrets,
}

#[derive(Args)]
pub struct AddAccount {
    /// email, network or chat
    #[arg(long)]
    pub provider: String,
    /// What its messages are from, as recipients read it
    #[arg(long)]
    pub name: String,
    /// The email address that its mails are from
    #[arg(long)]
    pub address: Option<String>,
    /// classic, sales_navigator or recruiter, of a professional network
    #[arg(long, value_name = "LICENSE")]
    pub license_type: Option<String>,
    /// Email of the member whose account it is [default: the workspace's owner]
    #[arg(long, value_name = "EMAIL")]
    pub owner: Option<String>,
    #[command(flatten)]
    pub reach: ReachArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Connect it even if it can't be reached now
    #[arg(long)]
    pub no_test: bool,
}

#[derive(Args)]
pub struct SetAccount {
    /// Its id, as `relata accounts list` shows it
    pub id: String,
    /// What its messages are from, as recipients read it
    #[arg(long)]
    pub name: Option<String>,
    #[command(flatten)]
    pub reach: ReachArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Change it even if it can't be reached now
    #[arg(long)]
    pub no_test: bool,
}

#[derive(Args)]
pub struct ReachArgs {
    /// Where its mail is handed over: smtp://user:password@host:port?tls=none|starttls|tls
    #[arg(long, value_name = "URL")]
    pub smtp: Option<String>,
    /// Where its mail arrives: imap://user:password@host:port?tls=none|starttls|tls
    #[arg(long, value_name = "URL")]
    pub imap: Option<String>,
    /// Address of a network's or chat's provider
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// Our token there
    #[arg(long)]
    pub token: Option<String>,
}

#[derive(Args, Default)]
pub struct LimitArgs {
    /// Most messages in any 24 hours
    #[arg(long, value_name = "N")]
    pub daily_limit: Option<i64>,
    /// Minutes between two messages
    #[arg(long, value_name = "N")]
    pub min_gap_minutes: Option<i64>,
    /// Most messages on the first day; as many more on each day after it
    #[arg(long, value_name = "N")]
    pub ramp_up: Option<i64>,
    /// Most searches in 24 hours
    #[arg(long, value_name = "N")]
    pub search_limit: Option<i64>,
}

#[derive(Subcommand)]
pub enum Suppressions {
    /// Send nothing more to an address or a domain
    Add(Suppressed),
    /// A line each: address or domain, reason, since when
    List,
    /// Allow an address or a domain again
    Remove(Suppressed),
}

#[derive(Args)]
pub struct Suppressed {
    /// An address such as ada@example.com, or a domain such as example.com
    pub what: String,
}

#[derive(Subcommand)]
pub enum Sequences {
    /// A line each: id, name, status, enrollments that are active
    List,
    /// Pause one, or all that are active, and print what `list` would of each: nothing more leaves until they are started again
    Pause {
        /// Its id [default: all]
        id: Option<String>,
    },
}
