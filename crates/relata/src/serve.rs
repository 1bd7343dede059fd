//! `relata serve`.

use crate::config::Serving;
use crate::runtime::block_on;
use crate::{Exit, backup, log, open};
use crm::api::meta;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use server::{Settings, erasure_list};
use std::io::Write;
use std::sync::Arc;
use tokio::signal::unix::{SignalKind, signal};

pub(crate) fn run(serving: Serving) -> Result<(), Exit> {
    let _logging = log::start();
    // Installed first, so that the store's first commit is counted.
    let metrics = server::install_metrics().map_err(Exit::failed)?;
    let handles = raise_handles();
    let _lock = open::lock(&serving.config)?;
    open::remove_unfinished_restore(&serving.config);
    // Bind before the first set-up, whose link is printed only once.
    let socket = server::bind(serving.listen).map_err(Exit::failed)?;
    let files = serving.config.storage()?;
    let installation = open::migrated(&serving.config)?;
    backup::sweep(&serving.config);
    let (limit, hosts) = (serving.workspace_storage, serving.private_hosts.clone());
    block_on(installation.store.bookkeep(move |tx| {
        crm::tenant::storage::set_default(tx, limit)?;
        meta::set(tx, meta::PRIVATE_HOSTS, &hosts)
    }))?;
    let (clients, secret) = (serving.oauth.clone(), installation.secret.clone());
    block_on(installation.store.bookkeep(move |tx| crm::outreach::oauth::set_from_file(tx, &secret, &clients)))?;
    // Before anybody can see the people who were erased after a restored backup was made.
    let path = serving.config.data.join(erasure_list::NAME);
    let report = block_on(erasure_list::sync(&installation.store, &installation.secret, &Arc::default(), &path));
    erasure_list::log(&report.map_err(Exit::failed)?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Exit::failed)?;
    runtime.block_on(async {
        // From here on a signal stops the server gracefully.
        let (mut terminate, mut interrupt) = (
            signal(SignalKind::terminate()).map_err(Exit::failed)?,
            signal(SignalKind::interrupt()).map_err(Exit::failed)?,
        );
        let settings = Settings {
            socket,
            handles,
            trusted_proxies: serving.trusted_proxies.clone(),
            public_url: serving.public_url.clone(),
            cors: serving.cors.clone(),
            data: serving.config.data.clone(),
            feed_kept: serving.feed_kept,
            files,
            program: crate::program()?,
            runner: serving.runner,
            send_time: serving.send_time,
            search_time: serving.search_time,
            guard: serving.guard.clone(),
            metrics_token: serving.metrics_token.clone(),
            dns_servers: serving.dns_servers.clone(),
        };
        let running =
            server::start(installation.store, installation.secret, metrics, settings).await.map_err(Exit::failed)?;
        greet(&serving, running.address, installation.token.as_deref(), installation.waits);
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

/// Raises the soft limit of open files to the hard one, since each connection needs one; returns the limit in effect.
fn raise_handles() -> u64 {
    let limit = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }) {
        tracing::warn!(%error, "failed to raise the limit of open files");
    }
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

fn greet(serving: &Serving, address: std::net::SocketAddr, token: Option<&str>, waits: bool) {
    let url = serving.public_url.clone().unwrap_or_else(|| format!("http://{address}"));
    let mut lines = vec![format!("Relata listens on http://{address}"), format!("API reference:    {url}/docs/")];
    lines.extend(token.map(|token| format!("Set up dashboard: {url}/setup#{token}  (works once)")));
    if token.is_none() && waits {
        let command = "members reset-password --email owner@localhost";
        lines.push(format!("Set up dashboard: {}  (prints a link)", operator_command(serving, command)));
    }
    let command = "keys create --name first --bundle full_access";
    lines.push(format!("Make an API key:  {}", operator_command(serving, command)));
    // Standard output may be closed; that must not stop the server.
    let _ = writeln!(std::io::stdout(), "{}", lines.join("\n"));
}

/// The command as the operator would type it here.
fn operator_command(serving: &Serving, command: &str) -> String {
    let program = std::env::args().next().unwrap_or_else(|| "relata".into());
    let mut command = format!("{program} {command}");
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
