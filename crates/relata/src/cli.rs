//! The command line.

mod enrichment;
mod outreach;
mod pipelines;

pub use outreach::*;
pub use pipelines::*;

use clap::{Args, Parser, Subcommand};
pub use enrichment::{AddProvider, Enrichment, TestProvider};
use std::path::PathBuf;

#[derive(Parser)]
#[command(name = "relata", version, about = "A CRM and recruiting service in one process", after_help = EXAMPLES)]
pub struct Cli {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Option<Command>,
}

const EXAMPLES: &str = "Examples:
  relata serve
      Start on 127.0.0.1:8080 with an embedded database in ./relata-data
  relata serve --listen 0.0.0.0:80 --database-url postgres://relata@db/relata --secret-file /etc/relata/secret
      Start a node on PostgreSQL
  relata keys create --name 'Website form' --scopes contacts:read,contacts:write
      Print a new API key
  relata workspace set --rate-limit 10000
      Allow each owner 10,000 requests an hour
  relata fields create --entity contact --key seniority --label Seniority --type select --options junior,senior
      Give contacts a field of your own
  relata pipelines stage add --name Demo --probability 40 --position 2
      Give the default pipeline of deals one more stage
  relata templates create --name Sales --stages 'Long list:sourced,Call:contacted,Won:hired,Lost:rejected'
      Give new projects other stages
  relata import people.csv --collection contacts --match-on email --dry-run
      See what a file would bring, and what is wrong with it
  relata export contacts --output people.csv global_status=eq.qualified
      Write those contacts to a file
  relata demo
      Fill an empty workspace with 2,000 people to look around
  relata sandbox --script replies.toml
      Run a mail server, mailboxes, a network and a chat that never leave this machine
  relata check --repair
      Put right counts and references that do not agree with the records
  relata backup nightly.relata
      Copy database, files and secret into one file while the server runs

Exit codes: 0 done, 1 could not be done, 2 asked for wrongly.";

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Common options")]
pub struct Global {
    /// Folder of the embedded database, the files and the secret [default: ./relata-data]
    #[arg(long, global = true, env = "RELATA_DATA", value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    /// PostgreSQL instead of the embedded database: postgres://…
    #[arg(long, global = true, env = "RELATA_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// The server's secret; nodes on one PostgreSQL share it [default: the data folder's `secret`]
    #[arg(long, global = true, env = "RELATA_SECRET_FILE", value_name = "FILE")]
    pub secret_file: Option<PathBuf>,
    /// Settings as TOML; flags and environment win over it [default: ./relata.toml if there is one]
    #[arg(long, global = true, env = "RELATA_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Where files are kept: a folder, or s3://BUCKET/PREFIX [default: `files` in the data folder]
    #[arg(long, global = true, env = "RELATA_FILES", value_name = "PLACE")]
    pub files: Option<String>,
    /// Address of the S3-compatible service [default: Amazon's]
    #[arg(long, global = true, env = "RELATA_S3_ENDPOINT", value_name = "URL")]
    pub s3_endpoint: Option<String>,
    /// Region of the bucket
    #[arg(long, global = true, env = "RELATA_S3_REGION", value_name = "NAME")]
    pub s3_region: Option<String>,
    /// Which workspace a command means [default: the only one, or the first]
    #[arg(long, global = true, value_name = "SLUG")]
    pub workspace: Option<String>,
}

#[derive(Subcommand)]
pub enum Command {
    /// Start the server (also without any command)
    Serve(Serve),
    /// Bring the database to this program's schema
    Migrate,
    /// API keys
    #[command(subcommand)]
    Keys(Keys),
    /// Workspaces: limits, plan, credits
    #[command(subcommand)]
    Workspace(Workspace),
    /// The people of a workspace
    #[command(subcommand)]
    Members(Members),
    /// Custom fields of contacts and companies
    #[command(subcommand)]
    Fields(Fields),
    /// Reasons for rejecting, closing and losing, and the sources of deals
    #[command(subcommand)]
    Reasons(Reasons),
    /// Deal pipelines and their stages
    #[command(subcommand)]
    Pipelines(Pipelines),
    /// Templates that give new projects their stages
    #[command(subcommand)]
    Templates(Templates),
    /// Connected accounts, through which messages leave and arrive
    #[command(subcommand)]
    Accounts(Accounts),
    /// Sequences: what runs, and a way to stop it
    #[command(subcommand)]
    Sequences(Sequences),
    /// Providers that are asked for contacts' addresses
    #[command(subcommand)]
    Enrichment(Enrichment),
    /// Addresses and domains to which nothing is sent
    #[command(subcommand)]
    Suppressions(Suppressions),
    /// Bring in a file of contacts or companies, while the server runs or not
    Import(Import),
    /// Write contacts or companies to a file or standard output, while the server runs or not
    Export(Export),
    /// The profile database that sourcing searches; it belongs to no workspace
    #[command(subcommand)]
    Profiles(Profiles),
    /// Fill a workspace with believable people and companies, the same for the same seed
    Demo(Demo),
    /// An outside world on this machine to try and test with: mail server, mailboxes, network, chat and finders of addresses
    Sandbox(Sandbox),
    /// Copy database, files and secret into one file, while the server runs or not
    Backup {
        /// The backup to write; it must not exist yet
        file: PathBuf,
        /// Encrypt the backup (age format) with the passphrase that stands in this file
        #[arg(long, value_name = "FILE")]
        passphrase_file: Option<PathBuf>,
    },
    /// Check a backup, then put it in place of the database
    Restore {
        /// The backup to read
        file: PathBuf,
        /// The passphrase of an encrypted backup stands in this file
        #[arg(long, value_name = "FILE")]
        passphrase_file: Option<PathBuf>,
    },
    /// Check that references, search terms, counts and sums agree with the records, in one workspace or in all
    Check {
        /// Put right what can be; writes wait meanwhile
        #[arg(long)]
        repair: bool,
    },
    /// Write the embedded database anew, without what deleted rows left in it; writes wait meanwhile
    Compact,
    /// Print the OpenAPI document
    Openapi,
    /// Read a document on standard input, print its text: what the server has done to strangers' files
    #[command(hide = true)]
    Extract {
        /// Its media type
        #[arg(long, value_name = "TYPE")]
        r#type: String,
        /// The process has its limits already
        #[arg(long)]
        limited: bool,
    },
    /// Read mails on standard input as the server sends them: how strangers' mails are parsed
    #[command(hide = true)]
    ReadMail {
        /// The process has its limits already
        #[arg(long)]
        limited: bool,
    },
    /// Print how this machine's kernel confines the processes that read strangers' files and mails
    Confinement,
}

#[derive(Args, Clone, Default)]
pub struct Serve {
    /// Where to listen [default: 127.0.0.1:8080]
    #[arg(long, env = "RELATA_LISTEN", value_name = "ADDRESS")]
    pub listen: Option<String>,
    /// What links that leave the server begin with [default: http:// and the listen address]
    #[arg(long, env = "RELATA_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
    /// Proxies whose X-Forwarded-For is believed: addresses or networks, comma-separated
    #[arg(long, env = "RELATA_TRUSTED_PROXIES", value_name = "LIST")]
    pub trusted_proxies: Option<String>,
    /// How many days an event keeps its place in the change feed [default: 90]
    #[arg(long, env = "RELATA_FEED_DAYS", value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub feed_days: Option<u32>,
    /// How long handing over one message may take [default: 120]
    #[arg(long, env = "RELATA_SEND_SECONDS", value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=600))]
    pub send_seconds: Option<u32>,
    /// How long a search in a network may take [default: 20]
    #[arg(long, env = "RELATA_SEARCH_SECONDS", value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=30))]
    pub search_seconds: Option<u32>,
    /// Bytes of files that a workspace without a limit of its own may store: 50GB, 500MiB [default: unlimited]
    #[arg(long, env = "RELATA_WORKSPACE_STORAGE", value_name = "SIZE")]
    pub workspace_storage: Option<String>,
    /// Private networks that accounts added in the dashboard may be in: addresses and networks, comma-separated, or `all`
    #[arg(long, env = "RELATA_ALLOW_PRIVATE_HOSTS", value_name = "LIST")]
    pub allow_private_hosts: Option<String>,
    /// File with the token that opens /metrics from other machines
    #[arg(long, env = "RELATA_METRICS_TOKEN_FILE", value_name = "FILE")]
    pub metrics_token_file: Option<PathBuf>,
    /// Leave sending and receiving messages to other nodes
    #[arg(long)]
    pub no_runner: bool,
}

#[derive(Subcommand)]
pub enum Keys {
    /// Make a key and print it, once and alone
    #[command(group = clap::ArgGroup::new("rights").args(["bundle", "scopes"]).required(true).multiple(true))]
    Create {
        /// What the key is called in lists
        #[arg(long)]
        name: String,
        /// full_access, read_only, crm, automation or sourcing
        #[arg(long)]
        bundle: Option<String>,
        /// Scopes and bundles, comma-separated
        #[arg(long)]
        scopes: Option<String>,
        /// The member it belongs to [default: the workspace's owner]
        #[arg(long, value_name = "EMAIL")]
        owner: Option<String>,
        /// A date or an RFC 3339 time
        #[arg(long, value_name = "DATE")]
        expires: Option<String>,
    },
    /// A line each: id, name, prefix…last4, owner, scopes, created, last used, state, when it expires or never
    List,
    /// Refuse a key from now on, on every node
    Revoke {
        /// Its id, as `relata keys list` shows it
        id: String,
    },
}

#[derive(Subcommand)]
pub enum Workspace {
    /// Make a workspace with its owner and print its slug
    Create {
        /// What people read
        #[arg(long)]
        name: String,
        /// What commands and links call it: lower-case letters, digits and hyphens
        #[arg(long)]
        slug: String,
        /// Email of its owner
        #[arg(long, value_name = "EMAIL")]
        owner: String,
        /// First and last name of its owner [default: those in another workspace]
        #[arg(long, value_name = "NAME", default_value = "")]
        owner_name: String,
    },
    /// Each the new value, credits too
    Set(Set),
    /// A line each: slug, name, id, plan, subscription, requests per hour, sourcing credits, enrichment credits, time zone, currency, longest life of keys in days or -
    List,
    /// Movements of credits, newest first, once the books are found to balance. A line each: number, time, account debited, account credited, amount, balance after it, reason, who, id, the entry it refunds
    Ledger {
        /// sourcing or enrichment
        #[arg(long, default_value = "sourcing")]
        kind: String,
        /// Most lines to print
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(i64).range(1..=1_000_000))]
        limit: i64,
    },
}

#[derive(Args)]
#[group(required = true, multiple = true)]
pub struct Set {
    /// Requests per hour and owner
    #[arg(long, value_name = "N")]
    pub rate_limit: Option<i64>,
    /// Bytes of files: 50GB, 500MiB, unlimited, or default for what `serve --workspace-storage` says
    #[arg(long, value_name = "SIZE")]
    pub storage_limit: Option<String>,
    /// The new balance of credits for sourcing
    #[arg(long, value_name = "N")]
    pub sourcing_credits: Option<i64>,
    /// The new balance of credits for enrichment
    #[arg(long, value_name = "N")]
    pub enrichment_credits: Option<i64>,
    /// starter, growth or scale
    #[arg(long)]
    pub plan: Option<String>,
    /// active or none
    #[arg(long)]
    pub subscription: Option<String>,
    /// IANA name, such as Europe/Paris
    #[arg(long)]
    pub timezone: Option<String>,
    /// ISO 4217 code, such as EUR
    #[arg(long)]
    pub currency: Option<String>,
    /// Longest life of new API keys, in days; 0 for no limit
    #[arg(long, value_name = "DAYS")]
    pub longest_key_days: Option<i64>,
}

#[derive(Subcommand)]
pub enum Members {
    /// Add somebody to the workspace and print their user id
    Add {
        /// Their email, with which they sign in
        #[arg(long)]
        email: String,
        /// Their first and last name
        #[arg(long, default_value = "")]
        name: String,
        /// owner, admin or member
        #[arg(long, default_value = "member")]
        role: String,
    },
    /// A line each: user id, email, name, role
    List,
    /// Print a link with which a member chooses a new password, once and within a week
    ResetPassword {
        /// The member's email
        #[arg(long)]
        email: String,
        /// What the link begins with [default: what the links of the server that started last begin with]
        #[arg(long, env = "RELATA_PUBLIC_URL", value_name = "URL")]
        public_url: Option<String>,
    },
}

#[derive(Args)]
pub struct Import {
    /// CSV (comma, semicolon or tab; UTF-8, UTF-16 or Latin-1) or NDJSON
    pub file: PathBuf,
    /// contacts or companies
    #[arg(long)]
    pub collection: String,
    /// csv or ndjson [default: told by the file's name]
    #[arg(long)]
    pub format: Option<String>,
    /// What columns stand for: COLUMN=MEMBER, comma-separated; nothing after the = leaves one out
    #[arg(long, value_delimiter = ',', value_name = "LIST")]
    pub mapping: Vec<String>,
    /// Change the record that has the row's id, email, network_profile, domain or name
    #[arg(long, value_name = "MEMBER")]
    pub match_on: Option<String>,
    /// Check every row, change nothing
    #[arg(long)]
    pub dry_run: bool,
}

#[derive(Subcommand)]
pub enum Profiles {
    /// Bring in profiles, while the server runs or not; the same profile_id again replaces. Run again, an import that was broken off goes on where it was
    Import {
        /// NDJSON, a sourcing profile on each line; - reads standard input
        file: PathBuf,
        /// As many can be found at a time, and need not be read again by an import that goes on
        #[arg(long, value_name = "N", default_value_t = 65_536, value_parser = clap::value_parser!(u32).range(1..=65_536))]
        batch: u32,
    },
    /// Write believable profiles of nobody to standard output, the same for the same seed
    Generate {
        /// How many profiles
        count: u64,
        /// The same seed gives the same profiles
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// How many there are
    Count,
    /// Remove profiles; prints how many
    Remove(Remove),
}

#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct Remove {
    /// Their profile_id
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// All of them
    #[arg(long)]
    pub all: bool,
}

#[derive(Args)]
pub struct Export {
    /// contacts or companies
    pub collection: String,
    /// csv or ndjson
    #[arg(long, default_value = "csv")]
    pub format: String,
    /// Where to [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// As in the API's lists: field=op.value, search=words, sort=-created_at
    #[arg(value_name = "FILTER")]
    pub filters: Vec<String>,
}

#[derive(Args)]
pub struct Sandbox {
    /// The address to listen on, with a free port for each service
    #[arg(long, default_value = "127.0.0.1", value_name = "HOST")]
    pub listen: std::net::IpAddr,
    /// Who answers, bounces and accepts, and when: TOML or JSON, see docs/sandbox.md
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
}

#[derive(Args)]
pub struct Demo {
    /// How many contacts; a tenth as many companies
    #[arg(long, default_value_t = 2000, value_name = "N")]
    pub contacts: usize,
    /// The same seed gives the same data
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
    /// Also into a workspace that has records already
    #[arg(long)]
    pub force: bool,
    /// Also start a sandbox, connect an email, a network and a chat account and two finders of addresses, and run until ended
    #[arg(long)]
    pub sandbox: bool,
}

#[derive(Subcommand)]
pub enum Reasons {
    /// Add one and print its id
    Create {
        /// rejection, close, loss or source
        #[arg(long)]
        kind: String,
        /// What people read
        #[arg(long)]
        name: String,
    },
    /// A line each: kind, position, name, id
    List {
        /// rejection, close, loss or source [default: all]
        #[arg(long)]
        kind: Option<String>,
    },
    /// Each the new value
    Update {
        /// Its id, as `relata reasons list` shows it
        id: String,
        /// The new name
        #[arg(long)]
        name: Option<String>,
        /// Its place among those of its kind, from 0
        #[arg(long, value_name = "N")]
        position: Option<i64>,
    },
    /// Offer it no more; records that name it keep it
    Delete {
        /// Its id, as `relata reasons list` shows it
        id: String,
    },
}

#[derive(Args)]
pub struct WhichField {
    /// contact or company
    #[arg(long)]
    pub entity: String,
    /// Its name in custom_data
    #[arg(long)]
    pub key: String,
}

#[derive(Subcommand)]
pub enum Fields {
    /// Define a field and print its id
    Create {
        #[command(flatten)]
        which: WhichField,
        /// What people read [default: the key]
        #[arg(long)]
        label: Option<String>,
        /// text, number, boolean, date, select, multi_select or url
        #[arg(long = "type", value_name = "TYPE")]
        kind: String,
        /// Of a select: values, or value:Label, comma-separated
        #[arg(long, value_delimiter = ',', value_name = "LIST")]
        options: Option<Vec<String>>,
        /// Must be given when a record is made
        #[arg(long)]
        required: bool,
    },
    /// A line each: entity, key, label, type, options, required, position, id
    List {
        /// contact or company [default: both]
        #[arg(long)]
        entity: Option<String>,
    },
    /// Each the new value; the type stays
    Update {
        #[command(flatten)]
        which: WhichField,
        /// What people read
        #[arg(long)]
        label: Option<String>,
        /// All of them; values that records have already are kept
        #[arg(long, value_delimiter = ',', value_name = "LIST")]
        options: Option<Vec<String>>,
        /// Give an option another value; records that have the old one follow in the background
        #[arg(long, value_name = "OLD=NEW")]
        rename_option: Vec<String>,
        /// Whether it must be given when a record is made
        #[arg(long, value_name = "true|false")]
        required: Option<bool>,
        /// Its place in the list
        #[arg(long, value_name = "N")]
        position: Option<i64>,
    },
    /// Remove a field; its values follow in the background
    Delete {
        #[command(flatten)]
        which: WhichField,
    },
}
