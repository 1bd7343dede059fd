//! The program: the server and the operator's commands.

mod accounts;
mod backup;
mod cli;
mod commands;
mod config;
mod confine;
mod contacts;
mod enrichment;
mod erasures;
mod extract;
mod log;
mod oauth;
mod oauth_provider;
mod open;
mod origins;
mod pipelines;
mod profiles;
mod progress;
mod read_mail;
mod restore;
mod runtime;
mod sandbox;
mod serve;
mod tables;
mod templates;

use clap::Parser;
use cli::{Cli, Command};
use config::Config;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Why a command ends: status 1 if it failed, 2 if its arguments were wrong.
pub struct Exit {
    code: u8,
    message: String,
}

impl Exit {
    pub fn failed(message: impl std::fmt::Display) -> Exit {
        Exit { code: 1, message: message.to_string() }
    }
    pub fn wrong(message: impl std::fmt::Display) -> Exit {
        Exit { code: 2, message: message.to_string() }
    }
}

impl From<resource::Error> for Exit {
    fn from(error: resource::Error) -> Exit {
        match error {
            resource::Error::Invalid(_) | resource::Error::NotFound(_) => Exit::wrong(error),
            other => Exit::failed(other),
        }
    }
}
impl From<store::Error> for Exit {
    fn from(error: store::Error) -> Exit {
        Exit::failed(error)
    }
}

fn main() -> std::process::ExitCode {
    // All files of this program may contain personal data or secrets: files are 0600 and folders 0700.
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    let mut cli = Cli::parse();
    if cli.command.is_none() {
        // Parsed again, so that its options are read from the environment.
        cli = Cli::parse_from(std::env::args_os().chain(["serve".into()]));
    }
    match run(cli) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(exit) => {
            eprintln!("relata: {}", exit.message);
            exit.code.into()
        }
    }
}

fn run(cli: Cli) -> Result<(), Exit> {
    let config = Config::read(&cli.global)?;
    let command = cli.command.unwrap_or(Command::Serve(cli::Serve::default()));
    let workspace = cli.global.workspace.as_deref();
    match command {
        Command::Serve(serve) => serve::run(config.serving(&serve)?),
        Command::Migrate => open::migrate(&config),
        Command::Openapi { dashboard } => {
            commands::print(&if dashboard { server::dashboard_document() } else { server::document() });
            Ok(())
        }
        Command::Operations => {
            commands::print(&server::operation_list());
            Ok(())
        }
        Command::Oauth(command) => oauth::run(&config, command),
        Command::Keys(command) => commands::keys(&config, workspace, command),
        Command::Workspace(command) => commands::workspace(&config, workspace, command),
        Command::Members(command) => commands::members(&config, workspace, command),
        Command::Reasons(command) => commands::reasons(&config, workspace, command),
        Command::Fields(command) => commands::fields(&config, workspace, command),
        Command::Templates(command) => templates::run(&config, workspace, command),
        Command::Pipelines(command) => pipelines::run(&config, workspace, command),
        Command::Accounts(command) => accounts::run(&config, workspace, command),
        Command::Sequences(command) => accounts::sequences(&config, workspace, command),
        Command::Enrichment(command) => enrichment::run(&config, workspace, command),
        Command::Contacts(command) => contacts::run(&config, workspace, command),
        Command::Erasures(command) => erasures::run(&config, command),
        Command::Suppressions(command) => accounts::suppressions(&config, workspace, command),
        Command::Import(import) => tables::import(&config, workspace, import),
        Command::Profiles(command) => profiles::run(&config, command),
        Command::Export(export) => tables::export(&config, workspace, export),
        Command::Demo(demo) => tables::demo(&config, workspace, &demo),
        Command::Sandbox(asked) => sandbox::run(&asked),
        Command::Backup { file, passphrase_file } => backup::backup(&config, &file, passphrase_file.as_deref()),
        Command::Restore { file, passphrase_file, erasures, removed_workspaces } => {
            let (passphrase, erasures) = (passphrase_file.as_deref(), erasures.as_deref());
            restore::restore(&config, &file, passphrase, erasures, removed_workspaces)
        }
        Command::Check { repair } => commands::check(&config, workspace, repair),
        Command::Compact => open::compact(&config),
        Command::Extract { r#type, limited } => extract::run(&r#type, limited),
        Command::ReadMail { limited } => read_mail::run(limited),
        Command::Confinement { landlock: true } => confine::check_landlock(),
        Command::Confinement { landlock: false } => confine::check(),
    }
}

/// The running program, even if its file has been replaced by a newer one.
fn program() -> Result<std::path::PathBuf, Exit> {
    let running = std::path::PathBuf::from("/proc/self/exe");
    if running.exists() { Ok(running) } else { std::env::current_exe().map_err(Exit::failed) }
}
