//! `relata serve`.

use crate::config::Serving;
use crate::{Exit, open};
use server::Settings;
use std::io::IsTerminal;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

pub fn run(serving: Serving) -> Result<(), Exit> {
    let _logs = log();
    // Counted from the store's first commit on.
    let metrics = server::install_metrics().map_err(Exit::failed)?;
    let _lock = open::lock(&serving.config)?;
    let house = open::migrated(&serving.config)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Exit::failed)?;
    runtime.block_on(async {
        // From here on asked to stop, not killed.
        let (mut terminate, mut interrupt) = (
            signal(SignalKind::terminate()).map_err(Exit::failed)?,
            signal(SignalKind::interrupt()).map_err(Exit::failed)?,
        );
        let settings = Settings { listen: serving.listen, trusted_proxies: serving.trusted_proxies.clone() };
        let running = server::start(house.store, house.secret, metrics, settings).await.map_err(Exit::failed)?;
        greet(&serving, running.address, house.token.as_deref());
        tracing::info!(address = %running.address, version = env!("CARGO_PKG_VERSION"), "listening");
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping");
        running.stop().await;
        Ok(())
    })
}

fn greet(serving: &Serving, address: std::net::SocketAddr, token: Option<&str>) {
    let url = serving.public_url.clone().unwrap_or_else(|| format!("http://{address}"));
    println!("Relata listens on http://{address}");
    println!("API reference:    {url}/docs/");
    if let Some(token) = token {
        println!("Set up dashboard: {url}/setup#{token}  (works once)");
    }
    println!("Make an API key:  {}", key_command(serving));
}

/// As the operator would have to type it here.
fn key_command(serving: &Serving) -> String {
    let program = std::env::args().next().unwrap_or_else(|| "relata".into());
    let mut command = format!("{program} keys create --name first --bundle full_access");
    if serving.config.data != std::path::Path::new("relata-data") {
        command.push_str(&format!(" --data {}", serving.config.data.display()));
    }
    if serving.config.database_url.is_some() {
        command.push_str(" --database-url $RELATA_DATABASE_URL");
    }
    let secret = serving.config.secret_path();
    if secret != serving.config.data.join("secret") {
        command.push_str(&format!(" --secret-file {}", secret.display()));
    }
    command
}

/// For people on a terminal, JSON otherwise; to standard error, by a thread of its own that writes what
/// has gathered and flushes when nothing more waits.
fn log() -> tracing_appender::non_blocking::WorkerGuard {
    let (writer, guard) = tracing_appender::non_blocking(std::io::BufWriter::with_capacity(1 << 16, std::io::stderr()));
    let filter = EnvFilter::try_from_env("RELATA_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(writer);
    if std::io::stderr().is_terminal() {
        builder.init();
    } else {
        builder.json().flatten_event(true).init();
    }
    guard
}
