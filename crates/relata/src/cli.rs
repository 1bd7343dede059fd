//! The command line.

mod contacts;
mod enrichment;
mod erasures;
mod outreach;
mod pipelines;

pub(crate) use contacts::Contacts;
pub(crate) use erasures::Erasures;
pub(crate) use outreach::*;
pub(crate) use pipelines::*;

use clap::{Args, Parser, Subcommand};
pub(crate) use enrichment::{AddProvider, Enrichment, TestProvider};
use std::path::PathBuf;

#[derive(Parser)]
#[command(name = "relata", version, about = "A CRM and recruiting service in one process", after_help = EXAMPLES)]
pub(crate) struct Cli {
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
      Add a custom field to contacts
  relata pipelines stage add --name Demo --probability 40 --position 2
      Add a stage to the default deal pipeline
  relata templates create --name Sales --stages 'Long list:sourced,Call:contacted,Won:hired,Lost:rejected'
      Create a project template
  relata import people.csv --collection contacts --match-on email --dry-run
      Check a file without importing it
  relata export contacts --output people.csv global_status=eq.qualified
      Export qualified contacts to a file
  relata demo
      Fill an empty workspace with demo data
  relata sandbox --script replies.toml
      Run a local mail server, mailboxes, a network and a chat for tests
  relata check --repair
      Repair counts and references that do not agree with the records
  relata contacts erase ada@example.com
      Erase a person with all notes, files and messages
  relata backup nightly.relata
      Copy database, files and secret into one file while the server runs

Exit codes: 0 done, 1 failed, 2 wrong arguments.";

#[derive(Args, Clone, Default)]
#[command(next_help_heading = "Common options")]
pub(crate) struct Global {
    /// Folder of the embedded database, the files and the secret [default: ./relata-data]
    #[arg(long, global = true, env = "RELATA_DATA", value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    /// PostgreSQL instead of the embedded database: postgres://…
    #[arg(long, global = true, env = "RELATA_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// The server's secret; nodes on one PostgreSQL share it [default: the data folder's `secret`]
    #[arg(long, global = true, env = "RELATA_SECRET_FILE", value_name = "FILE")]
    pub secret_file: Option<PathBuf>,
    /// Settings as TOML; flags and environment override it [default: ./relata.toml if it exists]
    #[arg(long, global = true, env = "RELATA_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Where to store files: a folder, or s3://BUCKET/PREFIX [default: `files` in the data folder]
    #[arg(long, global = true, env = "RELATA_FILES", value_name = "PLACE")]
    pub files: Option<String>,
    /// Address of the S3-compatible service [default: Amazon's]
    #[arg(long, global = true, env = "RELATA_S3_ENDPOINT", value_name = "URL")]
    pub s3_endpoint: Option<String>,
    /// Region of the bucket
    #[arg(long, global = true, env = "RELATA_S3_REGION", value_name = "NAME")]
    pub s3_region: Option<String>,
    /// The workspace that a command works on [default: the only one, or the first]
    #[arg(long, global = true, value_name = "SLUG")]
    pub workspace: Option<String>,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Start the server (the default command)
    Serve(Serve),
    /// Migrate the database to this program's schema
    Migrate,
    /// OAuth clients, with which members connect mailboxes of Google, Microsoft and others in the dashboard
    #[command(subcommand)]
    Oauth(Oauth),
    /// API keys
    #[command(subcommand)]
    Keys(Keys),
    /// Workspaces: limits, plan, credits
    #[command(subcommand)]
    Workspace(Workspace),
    /// Members of a workspace
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
    /// Connected accounts, which send and receive messages
    #[command(subcommand)]
    Accounts(Accounts),
    /// List and pause sequences
    #[command(subcommand)]
    Sequences(Sequences),
    /// Providers of email addresses and telephone numbers (enrichment)
    #[command(subcommand)]
    Enrichment(Enrichment),
    /// Erase people, and allow their addresses again
    #[command(subcommand)]
    Contacts(Contacts),
    /// The list of erasures, which a restore of an older backup repeats
    #[command(subcommand)]
    Erasures(Erasures),
    /// Addresses and domains that receive nothing
    #[command(subcommand)]
    Suppressions(Suppressions),
    /// Import a file of contacts or companies; the server may be running
    Import(Import),
    /// Export contacts or companies to a file or standard output; the server may be running
    Export(Export),
    /// The profile database that sourcing searches, shared by all workspaces
    #[command(subcommand)]
    Profiles(Profiles),
    /// Fill a workspace with realistic people and companies; a seed always gives the same data
    Demo(Demo),
    /// Local test services: mail server, mailboxes, professional network, chat and email finders
    Sandbox(Sandbox),
    /// Copy database, files and secret into one file; the server may be running
    Backup {
        /// The backup to write; it must not exist yet
        file: PathBuf,
        /// Encrypt the backup (age format) with the passphrase in this file
        #[arg(long, value_name = "FILE")]
        passphrase_file: Option<PathBuf>,
    },
    /// Check a backup, then replace the database by it
    Restore {
        /// The backup to read
        file: PathBuf,
        /// The file with the passphrase of an encrypted backup
        #[arg(long, value_name = "FILE")]
        passphrase_file: Option<PathBuf>,
        /// A list of erasures to repeat, in addition to that of the data folder
        #[arg(long, value_name = "FILE")]
        erasures: Option<PathBuf>,
        /// Bring back workspaces that were removed after the backup was made
        #[arg(long)]
        removed_workspaces: bool,
    },
    /// Check that references, search terms, counts and sums agree with the records, in one workspace or in all
    Check {
        /// Repair what can be repaired; writes wait meanwhile
        #[arg(long)]
        repair: bool,
    },
    /// Rewrite the embedded database without remains of deleted rows; writes wait meanwhile
    Compact,
    /// Print the OpenAPI document
    Openapi {
        /// The document of the dashboard's own operations instead
        #[arg(long)]
        dashboard: bool,
    },
    /// Print the list of operations in the format of docs/operations.md
    Operations,
    /// Read a document on standard input and print its text; the server runs this for untrusted files
    #[command(hide = true)]
    Extract {
        /// Its media type
        #[arg(long, value_name = "TYPE")]
        r#type: String,
        /// The limits of the process are set already
        #[arg(long)]
        limited: bool,
    },
    /// Read mails on standard input in the server's protocol; the server runs this to parse untrusted mails
    #[command(hide = true)]
    ReadMail {
        /// The limits of the process are set already
        #[arg(long)]
        limited: bool,
    },
    /// Print how this machine's kernel confines the processes that read untrusted files and mails
    Confinement {
        /// Only what Landlock denies.
        #[arg(long)]
        landlock: bool,
    },
}

#[derive(Args, Clone, Default)]
pub(crate) struct Serve {
    /// Address and port to listen on [default: 127.0.0.1:8080]
    #[arg(long, env = "RELATA_LISTEN", value_name = "ADDRESS")]
    pub listen: Option<String>,
    /// The base of links in mails and in output [default: http:// and the listen address]
    #[arg(long, env = "RELATA_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<String>,
    /// Origins whose pages may call the API from a browser, comma-separated, or `*` [default: none]
    #[arg(long, env = "RELATA_CORS_ORIGINS", value_name = "LIST")]
    pub cors_origins: Option<String>,
    /// Proxies whose X-Forwarded-For header is trusted: addresses or networks, comma-separated
    #[arg(long, env = "RELATA_TRUSTED_PROXIES", value_name = "LIST")]
    pub trusted_proxies: Option<String>,
    /// How many days events stay in the change feed [default: 90]
    #[arg(long, env = "RELATA_FEED_DAYS", value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub feed_days: Option<u32>,
    /// Time limit for sending one message [default: 120]
    #[arg(long, env = "RELATA_SEND_SECONDS", value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=600))]
    pub send_seconds: Option<u32>,
    /// Time limit for a search in a network [default: 20]
    #[arg(long, env = "RELATA_SEARCH_SECONDS", value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..=30))]
    pub search_seconds: Option<u32>,
    /// Storage limit of workspaces that have none of their own: 50GB, 500MiB [default: unlimited]
    #[arg(long, env = "RELATA_WORKSPACE_STORAGE", value_name = "SIZE")]
    pub workspace_storage: Option<String>,
    /// Private networks that accounts added in the dashboard may be in: addresses and networks, comma-separated, or `all`
    #[arg(long, env = "RELATA_ALLOW_PRIVATE_HOSTS", value_name = "LIST")]
    pub allow_private_hosts: Option<String>,
    /// File with the token that gives other machines access to /metrics
    #[arg(long, env = "RELATA_METRICS_TOKEN_FILE", value_name = "FILE")]
    pub metrics_token_file: Option<PathBuf>,
    /// Name servers for checks of sending domains: IP addresses, comma-separated [default: the machine's]
    #[arg(long, env = "RELATA_DNS_SERVER", value_name = "LIST")]
    pub dns_server: Option<String>,
    /// Leave sending and receiving messages to other nodes
    #[arg(long)]
    pub no_runner: bool,
}

#[derive(Subcommand)]
pub(crate) enum Keys {
    /// Create a key and print only the key; it is not shown again
    #[command(group = clap::ArgGroup::new("rights").args(["bundle", "scopes"]).required(true).multiple(true))]
    Create {
        /// The key's name in lists
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
        /// A date, at whose beginning in UTC it ends, or an RFC 3339 time
        #[arg(long, value_name = "DATE")]
        expires: Option<String>,
    },
    /// List keys: id, name, prefix…last4, owner, scopes, created, last used, state, expiry or never
    List,
    /// Revoke a key at once, on every node
    Revoke {
        /// Its id, as `relata keys list` shows it
        id: String,
    },
}

#[derive(Subcommand)]
pub(crate) enum Workspace {
    /// Create a workspace with its owner and print its slug
    Create {
        /// The displayed name
        #[arg(long)]
        name: String,
        /// The name in commands and links: lower-case letters, digits and hyphens
        #[arg(long)]
        slug: String,
        /// Email of its owner
        #[arg(long, value_name = "EMAIL")]
        owner: String,
        /// First and last name of its owner [default: the name in another workspace]
        #[arg(long, value_name = "NAME", default_value = "")]
        owner_name: String,
    },
    /// Set limits, plan, credits and other properties to new values
    Set(Set),
    /// List workspaces: slug, name, id, plan, subscription, requests per hour, sourcing credits, enrichment credits,
    /// time zone, currency, longest life of keys in days or -
    List,
    /// Movements of credits, newest first, once the books are found to balance. A line each: number, time, account debited, account credited, amount, balance after it, reason, who, id, the entry it refunds
    Ledger {
        /// sourcing or enrichment
        #[arg(long, default_value = "sourcing")]
        kind: String,
        /// Maximum number of lines
        #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(i64).range(1..=1_000_000))]
        limit: i64,
    },
}

#[derive(Args)]
#[group(required = true, multiple = true)]
pub(crate) struct Set {
    /// Requests per hour and owner
    #[arg(long, value_name = "N")]
    pub rate_limit: Option<i64>,
    /// Storage for files: 50GB, 500MiB, unlimited, or default for the value of `serve --workspace-storage`
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
    /// Longest validity of new API keys, in days; 0 for no limit
    #[arg(long, value_name = "DAYS")]
    pub longest_key_days: Option<i64>,
    /// Whether a reply that asks to be removed suppresses its sender
    #[arg(long, value_name = "true|false")]
    pub unsubscribe_by_reply: Option<bool>,
}

#[derive(Subcommand)]
pub(crate) enum Members {
    /// Add a member to the workspace and print the user id
    Add {
        /// The email that the member signs in with
        #[arg(long)]
        email: String,
        /// First and last name
        #[arg(long, default_value = "")]
        name: String,
        /// owner, admin or member
        #[arg(long, default_value = "member")]
        role: String,
    },
    /// List members: user id, email, name, role
    List,
    /// Print a link for setting a new password; it works once and for a week
    ResetPassword {
        /// The member's email
        #[arg(long)]
        email: String,
        /// The base of the link [default: that of the server that started last]
        #[arg(long, env = "RELATA_PUBLIC_URL", value_name = "URL")]
        public_url: Option<String>,
    },
}

#[derive(Args)]
pub(crate) struct Import {
    /// CSV (comma, semicolon or tab; UTF-8, UTF-16 or Windows-1252) or NDJSON
    pub file: PathBuf,
    /// contacts or companies
    #[arg(long)]
    pub collection: String,
    /// csv or ndjson [default: by the file's name]
    #[arg(long)]
    pub format: Option<String>,
    /// Mapping of columns: COLUMN=MEMBER, comma-separated; COLUMN= ignores a column
    #[arg(long, value_delimiter = ',', value_name = "LIST")]
    pub mapping: Vec<String>,
    /// Update the record with the row's id, email, network_profile, domain or name
    #[arg(long, value_name = "MEMBER")]
    pub match_on: Option<String>,
    /// Check every row without changing anything
    #[arg(long)]
    pub dry_run: bool,
    /// Refuse columns that are not recognised, instead of leaving them out
    #[arg(long)]
    pub strict: bool,
    /// Only show the mapping of each column, with some of its values
    #[arg(long, conflicts_with = "dry_run")]
    pub preview: bool,
}

#[derive(Subcommand)]
pub(crate) enum Profiles {
    /// Import profiles; the server may be running. A repeated profile_id replaces the profile. An interrupted import
    /// continues where it stopped when it is run again
    Import {
        /// NDJSON with one sourcing profile per line; - reads standard input
        file: PathBuf,
        /// How many profiles to publish at a time; an interrupted import repeats at most as many
        #[arg(long, value_name = "N", default_value_t = 65_536, value_parser = clap::value_parser!(u32).range(1..=65_536))]
        batch: u32,
    },
    /// Write realistic profiles of invented people to standard output; a seed always gives the same profiles
    Generate {
        /// Number of profiles
        count: u64,
        /// A seed always gives the same profiles
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Print the number of profiles
    Count,
    /// Remove profiles and print how many
    Remove(Remove),
}

#[derive(Args)]
#[group(required = true, multiple = false)]
pub(crate) struct Remove {
    /// The profile_id of each
    #[arg(value_name = "ID")]
    pub ids: Vec<String>,
    /// Remove all profiles
    #[arg(long)]
    pub all: bool,
}

#[derive(Args)]
pub(crate) struct Export {
    /// contacts or companies
    pub collection: String,
    /// csv or ndjson
    #[arg(long, default_value = "csv")]
    pub format: String,
    /// Output file [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Filters as in the API's lists: field=op.value, search=words, sort=-created_at
    #[arg(value_name = "FILTER")]
    pub filters: Vec<String>,
}

#[derive(Args)]
pub(crate) struct Sandbox {
    /// The address to listen on; each service gets a free port
    #[arg(long, default_value = "127.0.0.1", value_name = "HOST")]
    pub listen: std::net::IpAddr,
    /// Rules for answers, bounces and acceptances: TOML or JSON, see docs/sandbox.md
    #[arg(long, value_name = "FILE")]
    pub script: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct Demo {
    /// Number of contacts; there are a tenth as many companies
    #[arg(long, default_value_t = 2000, value_name = "N")]
    pub contacts: usize,
    /// A seed always gives the same data
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
    /// Add the data even if the workspace has records already
    #[arg(long)]
    pub force: bool,
    /// Also start a sandbox, connect an email, a network and a chat account and two email finders, and run until
    /// stopped
    #[arg(long)]
    pub sandbox: bool,
}

#[derive(Subcommand)]
pub(crate) enum Reasons {
    /// Create a reason and print its id
    Create {
        /// rejection, close, loss or source
        #[arg(long)]
        kind: String,
        /// The displayed name
        #[arg(long)]
        name: String,
    },
    /// List reasons: kind, position, name, id
    List {
        /// rejection, close, loss or source [default: all]
        #[arg(long)]
        kind: Option<String>,
    },
    /// Change a reason
    Update {
        /// Its id, as `relata reasons list` shows it
        id: String,
        /// The new name
        #[arg(long)]
        name: Option<String>,
        /// Its position among those of its kind, from 0
        #[arg(long, value_name = "N")]
        position: Option<i64>,
    },
    /// Delete a reason; records that refer to it keep it
    Delete {
        /// Its id, as `relata reasons list` shows it
        id: String,
    },
}

#[derive(Args)]
pub(crate) struct WhichField {
    /// contact or company
    #[arg(long)]
    pub entity: String,
    /// Its name in custom_data
    #[arg(long)]
    pub key: String,
}

#[derive(Subcommand)]
pub(crate) enum Fields {
    /// Define a field and print its id
    Create {
        #[command(flatten)]
        which: WhichField,
        /// The displayed label [default: the key]
        #[arg(long)]
        label: Option<String>,
        /// text, number, boolean, date, select, multi_select or url
        #[arg(long = "type", value_name = "TYPE")]
        kind: String,
        /// Options of a select: values, or value:Label, comma-separated
        #[arg(long, value_delimiter = ',', value_name = "LIST")]
        options: Option<Vec<String>>,
        /// New records must have a value
        #[arg(long)]
        required: bool,
    },
    /// List fields: entity, key, label, type, options, required, position, id
    List {
        /// contact or company [default: both]
        #[arg(long)]
        entity: Option<String>,
    },
    /// Change a field; its type can't be changed
    Update {
        #[command(flatten)]
        which: WhichField,
        /// The displayed label
        #[arg(long)]
        label: Option<String>,
        /// The complete list of options; values that records have already are kept
        #[arg(long, value_delimiter = ',', value_name = "LIST")]
        options: Option<Vec<String>>,
        /// Rename an option's value; records with the old value are changed in the background
        #[arg(long, value_name = "OLD=NEW")]
        rename_option: Vec<String>,
        /// Whether new records must have a value
        #[arg(long, value_name = "true|false")]
        required: Option<bool>,
        /// Its position in the list
        #[arg(long, value_name = "N")]
        position: Option<i64>,
    },
    /// Delete a field; its values are deleted in the background
    Delete {
        #[command(flatten)]
        which: WhichField,
    },
}
