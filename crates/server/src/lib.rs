//! The HTTP server around the rules of `crm`: the request pipeline, the background workers and their shared state.

/// Logs a failure that is retried: as a warning, or as an error if stored data is damaged, since a retry can't help then.
macro_rules! log_failure {
    ($error:expr, $($rest:tt)*) => {
        if $error.is_corrupt() {
            tracing::error!(error = %$error, $($rest)*)
        } else {
            tracing::warn!(error = %$error, $($rest)*)
        }
    };
}

mod accounts;
mod clock;
pub mod demo;
mod effects;
pub mod erasure_list;
pub mod import_reader;
mod lanes;
mod listen;
mod mail_images;
pub mod mail_pool;
mod network;
pub mod oauth;
mod openapi;
mod operation_list;
mod outgoing_mail;
mod passwords;
mod request;
pub mod sending_domain;
mod server_metrics;
mod shares;
mod upkeep;
mod workers;

use connect::files::Files;
use crm::api::meta::{self, Secret};
use crm::outreach::enrollment::links::Links;
use metrics_exporter_prometheus::PrometheusHandle;
use request::connections::Connections;
use request::{auth, event_stream, idempotency, limit, pipeline, record_cache, request_log, timing, turns};
use resource::Memory;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use store::Store;
use tokio::net::TcpSocket;
use tokio::sync::{Semaphore, SemaphorePermit};
use workers::{enricher, indexer, jobs, outbox, receive, sequencer, tokens};

pub use accounts::{Access, account_form, check_account, needs_tokens};
pub use connect::guard::{Guard, Network};
pub use listen::bind;
pub use openapi::{dashboard_document, document};
pub use operation_list::operation_list;
pub use request::cors::Origins;
pub use server_metrics::install_metrics;
pub use workers::enricher::finds;

pub struct Settings {
    /// Bound already, so that a port in use is found before anything is done.
    pub socket: TcpSocket,
    /// The limit of open file handles, which bounds the connections.
    pub handles: u64,
    /// Addresses whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// The start of links in mails and API answers; by default the address that the server listens on.
    pub public_url: Option<String>,
    /// Pages of these origins may call the API from a browser.
    pub cors: Origins,
    /// Holds uploads until they are complete.
    pub data: PathBuf,
    pub files: Files,
    /// How long events stay in the feed.
    pub feed_kept: Duration,
    /// This executable. It parses untrusted files in a child process.
    pub program: PathBuf,
    /// Whether this node sends and receives messages.
    pub runner: bool,
    /// How long the delivery of one message may take.
    pub send_time: Duration,
    /// How long a search in a network may take.
    pub search_time: Duration,
    /// Restricts connections to addresses that members and API clients choose.
    pub guard: Guard,
    /// With this token `/metrics` answers requests from any address.
    pub metrics_token: Option<String>,
    /// For checks of sending domains; the machine's if there are none.
    pub dns_servers: Vec<SocketAddr>,
}

pub(crate) struct App {
    store: Store,
    files: Files,
    data: PathBuf,
    program: PathBuf,
    public_url: Arc<str>,
    cors: Origins,
    secret: Secret,
    outbox: outbox::Outbox,
    mail_pool: mail_pool::MailPool,
    networks: network::Networks,
    enricher: enricher::Enricher,
    tokens: Arc<oauth::AccountTokens>,
    name_servers: sending_domain::NameServers,
    readers: lanes::Readers,
    /// Mails whose images are being loaded.
    mail_images: shares::Shares,
    /// Whether providers can send webhooks to this server: it has a public URL.
    webhooks: bool,
    guard: Guard,
    metrics_token: Option<String>,
    links: Links,
    room: Semaphore,
    keys: auth::Keys,
    limiter: limit::Limiter,
    passwords: passwords::Passwords,
    request_log: request_log::RequestLog,
    meters: timing::Meters,
    routes: pipeline::Routes,
    dashboard: pipeline::Routes,
    memory: Arc<Memory>,
    touched: indexer::Touched,
    event_stream: event_stream::Streams,
    idempotency: idempotency::Running,
    /// Event streams that are open.
    streams: shares::Shares,
    /// Temporary files of uploads.
    uploads: shares::Shares,
    /// Large bodies in memory.
    large_bodies: shares::Shares,
    /// CPU-bound work of requests, by workspace.
    computing: turns::Turns<store::Uuid>,
    record_cache: record_cache::RecordCache,
    feed_kept: Duration,
    stopped: tokio::sync::watch::Receiver<bool>,
    /// The hash of the API document, and the document, made when it is first asked for.
    document: LazyLock<(String, bytes::Bytes)>,
    metrics: PrometheusHandle,
    trusted_proxies: Vec<Network>,
    connections: Arc<Connections>,
    draining: AtomicBool,
}

/// How many large bodies may be in memory at a time; a quarter of them for one workspace.
const LARGE_BODIES: usize = 16;
/// How many files may be whole in memory at a time.
const FILES_IN_MEMORY: usize = 8;

impl App {
    /// Wakes the indexer and the event streams of a workspace after a write.
    fn wrote(&self, workspace: store::Uuid) {
        self.touched.note(workspace);
        self.event_stream.wake(workspace);
    }

    /// Whether the public URL uses https.
    fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }

    /// The name of the session's cookie.
    fn cookie(&self) -> &'static str {
        auth::cookie_name(self.is_https())
    }

    /// The position of the oldest event in the feed; older events have expired.
    fn feed_from(&self) -> i64 {
        (clock::now_ms() - self.feed_kept.as_millis() as i64).max(0) << 16
    }

    /// A permit to hold a whole file in memory.
    async fn room(&self) -> Result<SemaphorePermit<'_>, resource::Error> {
        let full = || resource::Error::Unavailable("too many files are on their way".into());
        let waited = tokio::time::timeout(Duration::from_secs(30), self.room.acquire()).await;
        waited.map_err(|_| full())?.map_err(|_| full())
    }
}

/// A server that listens. Dropping it does not stop it; `stop` does.
pub struct Running {
    pub address: SocketAddr,
    app: Arc<App>,
    accepting: tokio::task::JoinHandle<()>,
    stop: tokio::sync::watch::Sender<bool>,
}

pub async fn start(
    store: Store,
    secret: Secret,
    metrics: PrometheusHandle,
    settings: Settings,
) -> Result<Running, String> {
    let wanted = settings.socket.local_addr().map_err(|e| e.to_string())?;
    let listener = settings.socket.listen(listen::BACKLOG).map_err(|error| listen::unbound(wanted, &error))?;
    let address = listener.local_addr().map_err(|e| e.to_string())?;
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let reachable = settings.public_url.is_some();
    let public_url: Arc<str> = settings.public_url.unwrap_or_else(|| format!("http://{address}")).into();
    let stored = public_url.clone();
    store.bookkeep(move |tx| meta::set(tx, meta::PUBLIC_URL, &stored)).await.map_err(|error| error.to_string())?;
    let memory = Arc::new(Memory::default());
    let connections = Connections::new(settings.handles, settings.trusted_proxies.clone());
    let app = Arc::new(App {
        name_servers: sending_domain::NameServers::new(settings.dns_servers),
        readers: lanes::Readers::new(&store),
        mail_images: shares::Shares::new(mail_images::AT_ONCE, mail_images::OF_ONE),
        tokens: Arc::new(oauth::AccountTokens::new(store.clone(), secret.clone(), memory.clone())),
        webhooks: reachable,
        guard: settings.guard,
        metrics_token: settings.metrics_token,
        outbox: outbox::Outbox::new(settings.send_time),
        mail_pool: mail_pool::MailPool::new(settings.program.clone()),
        networks: network::Networks::new(settings.search_time),
        enricher: enricher::Enricher::new()?,
        secret: secret.clone(),
        links: Links { public_url: public_url.clone(), secret: secret.clone() },
        keys: auth::Keys::new(secret),
        limiter: limit::Limiter::default(),
        passwords: passwords::Passwords::default(),
        request_log: request_log::RequestLog::default(),
        meters: timing::Meters::default(),
        routes: pipeline::routes(crm::operations::all())?,
        dashboard: pipeline::routes(crm::dashboard::all())?,
        memory,
        touched: indexer::Touched::default(),
        event_stream: event_stream::Streams::default(),
        idempotency: idempotency::Running::default(),
        computing: turns::Turns::default(),
        record_cache: record_cache::RecordCache::default(),
        feed_kept: settings.feed_kept,
        stopped: stopped.clone(),
        document: LazyLock::new(openapi::served),
        metrics,
        streams: connections.streams(),
        uploads: connections.uploads(),
        large_bodies: shares::Shares::new(LARGE_BODIES, LARGE_BODIES / 4),
        connections,
        trusted_proxies: settings.trusted_proxies,
        public_url,
        cors: settings.cors,
        data: settings.data,
        files: settings.files,
        program: settings.program,
        room: Semaphore::new(FILES_IN_MEMORY),
        draining: AtomicBool::new(false),
        store,
    });
    tokio::spawn(upkeep::watch_config(app.clone(), stopped.clone()));
    tokio::spawn(upkeep::housekeep(app.clone(), stopped.clone()));
    jobs::start(&app, &stopped);
    if settings.runner {
        outbox::start(&app, &stopped);
        receive::start(&app, &stopped);
        tokio::spawn(sequencer::run(app.clone(), stopped.clone()));
        tokio::spawn(enricher::run(app.clone(), stopped.clone()));
        tokio::spawn(tokens::run(app.clone(), stopped.clone()));
    }
    tokio::spawn(indexer::run(app.clone(), stopped.clone()));
    let accepting = tokio::spawn(listen::accept(listener, app.clone(), stopped));
    Ok(Running { address, app, accepting, stop })
}

impl Running {
    /// Accepts no more connections, finishes running requests and deliveries, and writes buffered values to the database.
    pub async fn stop(self) {
        self.app.draining.store(true, Ordering::Release);
        let _ = self.stop.send(true);
        self.app.mail_pool.close();
        let _ = self.accepting.await;
        if tokio::time::timeout(Duration::from_secs(8), self.app.connections.ended()).await.is_err() {
            tracing::warn!("some connections did not end within 8 s; closing them");
        }
        enricher::finish(&self.app, Duration::from_secs(5)).await;
        outbox::finish(&self.app, Duration::from_secs(20)).await;
        self.app.keys.write_used(&self.app.store).await;
        self.app.request_log.write(&self.app).await;
        self.app.limiter.release(&self.app.store, Duration::ZERO).await;
        let store = self.app.store.clone();
        // `close` blocks until its threads have ended.
        let _ = tokio::task::spawn_blocking(move || store.close()).await;
    }
}
