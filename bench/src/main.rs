//! `cargo run --profile dist -p bench`: measures the speed of the product as a ratio to the limits of the machine.
//!
//! Only ratios inside one run count: each case takes turns with its limit, a bare hyper server whose answers have the
//! same size, and medians of the rounds are compared. See `README.md`.

mod cases;
mod clock;
mod hello;
mod load;
mod mails;
mod measure;
mod outreach;
mod people;
mod postgres;
mod process;
mod profiles;
mod report;
mod scale;
mod seed;
mod single;
mod table;
mod work;

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

pub type Fault = Box<dyn std::error::Error + Send + Sync>;

#[derive(Parser)]
#[command(name = "bench", about = "Measures relata beside the limits of this machine")]
struct Cli {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Args, Clone)]
pub struct Options {
    /// 10,000 and 100,000 contacts only, and shorter rounds
    #[arg(long)]
    pub quick: bool,
    /// Only this case
    #[arg(long, value_enum)]
    pub only: Option<Case>,
    #[arg(long, value_enum, default_value = "both")]
    pub engine: Engines,
    /// Sizes of the tables, ascending; multiples of 10,000 [default: 10000,100000,1000000]
    #[arg(long, value_delimiter = ',')]
    pub rows: Vec<usize>,
    /// Where databases are kept between runs; on a disk with a real fsync
    #[arg(long, default_value = "target/bench")]
    pub data: PathBuf,
    /// Seed again
    #[arg(long)]
    pub fresh: bool,
    /// An empty PostgreSQL server to use instead of a private one: postgres://user@host/
    #[arg(long, value_name = "URL")]
    pub database_url: Option<String>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Engines {
    Sqlite,
    Postgres,
    Both,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Case {
    /// Read one by id
    Read,
    /// List of 50 with filter, sort and total
    List,
    /// Create a bare contact
    Create,
    /// Create a contact with email, phone, tags and skills
    Full,
    /// Grouped commits compared with one transaction per request
    Group,
    /// Reads during slow lists
    Slow,
    /// Keyset page at a great depth
    Deep,
    /// Every common query, on the smallest and the largest table
    Scale,
    /// Updates of records all over the table (with scale)
    Update,
    /// Export of the whole table, and its import into an empty one
    Move,
    /// A deal board, a project full of candidates, the change feed, a bulk request
    Work,
    /// A sequence that sends to all contacts at once
    Outreach,
    /// The profile database: import, and searches by one client
    Profiles,
    /// Creates spread over 100 workspaces (PostgreSQL)
    Spread,
    /// Memory, start-up, size
    Process,
}

#[derive(Subcommand)]
enum Command {
    /// The limit: a bare server (the bench starts it)
    Hello {
        #[arg(long)]
        port: u16,
        #[arg(long)]
        size: usize,
    },
}

fn main() -> std::process::ExitCode {
    let cli = Cli::parse();
    let outcome = match cli.command {
        Some(Command::Hello { port, size }) => hello::serve(port, size),
        None => cases::run(&cli.options),
    };
    match outcome {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("bench: {fault}");
            std::process::ExitCode::FAILURE
        }
    }
}
