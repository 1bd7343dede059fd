//! The HTTP shell around the rules: one function of nine stages, and what it stands on.

mod auth;
mod body;
mod bulk;
mod clock;
mod condition;
mod connections;
pub mod demo;
mod docs;
mod door;
mod enricher;
mod envelope;
mod http;
mod indexer;
mod journal;
mod limit;
mod live;
pub mod mail_pool;
mod mailed;
mod network;
mod once;
mod openapi;
mod outside;
mod pages;
mod password;
mod post;
mod proxy;
mod receive;
mod records;
pub mod rows;
mod runner;
mod sale;
mod sequencer;
mod timing;

use connect::files::Files;
use connections::{Connections, Receiving};
use crm::enrollment::links::Links;
use crm::meta::{self, CONFIG_VERSION, Secret};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use metrics_exporter_prometheus::PrometheusHandle;
use resource::Memory;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use store::Store;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::{Semaphore, SemaphorePermit};

pub use connect::guard::{Guard, Network};
pub use enricher::finds;
pub use openapi::document;
pub use post::{account_form, check_account};

pub struct Settings {
    /// Bound already, so that a port in use is found before anything is done.
    pub socket: TcpSocket,
    /// The limit of open file handles, which bounds the connections.
    pub handles: u64,
    /// Addresses whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// What links that leave the server begin with; the address it listens on if there is none.
    pub public_url: Option<String>,
    /// Where uploads stand until they have come.
    pub data: PathBuf,
    pub files: Files,
    /// How long an event keeps its place in the feed.
    pub feed_kept: Duration,
    /// This program, which reads strangers' files as a process of its own.
    pub program: PathBuf,
    /// Whether this node sends and receives messages.
    pub runner: bool,
    /// How long handing over one message may take.
    pub send_time: Duration,
    /// How long a search in a network may take.
    pub search_time: Duration,
    /// Where connections may go that members and keys choose.
    pub guard: Guard,
    /// With this token `/metrics` answers from anywhere.
    pub metrics_token: Option<String>,
}

pub(crate) struct App {
    store: Store,
    files: Files,
    data: PathBuf,
    program: PathBuf,
    public_url: Arc<str>,
    secret: Secret,
    post: post::Post,
    mail_pool: mail_pool::MailPool,
    networks: network::Networks,
    enricher: enricher::Enricher,
    /// Where providers can tell of events, if anybody outside can reach this server.
    webhooks: bool,
    guard: Guard,
    metrics_token: Option<String>,
    links: Links,
    room: Semaphore,
    keys: auth::Keys,
    limiter: limit::Limiter,
    passwords: password::Passwords,
    journal: journal::Journal,
    meters: timing::Meters,
    routes: http::Routes,
    dashboard: http::Routes,
    memory: Arc<Memory>,
    touched: indexer::Touched,
    live: live::Live,
    running: once::Running,
    records: records::Records,
    feed_kept: Duration,
    stopped: tokio::sync::watch::Receiver<bool>,
    document: bytes::Bytes,
    metrics: PrometheusHandle,
    trusted_proxies: Vec<Network>,
    connections: Arc<Connections>,
    draining: AtomicBool,
}

/// How many files may be whole in memory at a time.
const FILES_IN_MEMORY: usize = 8;

impl App {
    /// Tells those who follow a workspace that it was written to.
    fn wrote(&self, workspace: store::Uuid) {
        self.touched.note(workspace);
        self.live.wake(workspace);
    }

    /// Whether people reach this server by https.
    fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }

    /// The name of the session's cookie.
    fn cookie(&self) -> &'static str {
        auth::cookie_name(self.is_https())
    }

    /// The place up to which events have left the feed.
    fn feed_from(&self) -> i64 {
        (clock::now_ms() - self.feed_kept.as_millis() as i64).max(0) << 16
    }

    /// A place among those who hold a whole file in memory.
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

/// Histogram buckets of request times, in seconds.
const BUCKETS: &[f64] = &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];
const GROUPS: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

/// Called once, before the store opens, so that its figures are counted from the start.
pub fn install_metrics() -> Result<PrometheusHandle, String> {
    use metrics_exporter_prometheus::{Matcher, PrometheusBuilder};
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("seconds".into()), BUCKETS)
        .and_then(|builder| builder.set_buckets_for_metric(Matcher::Full("relata_commit_group_size".into()), GROUPS));
    let handle = builder.and_then(PrometheusBuilder::install_recorder).map_err(|e| e.to_string())?;
    metrics::describe_counter!("relata_requests_total", "Requests by operation and status");
    metrics::describe_histogram!("relata_request_seconds", "Time to answer, by operation");
    metrics::describe_counter!("relata_enrichment_requests_total", "Questions to providers, by their kind and outcome");
    metrics::describe_histogram!("relata_enrichment_seconds", "Time that a provider took, by its kind");
    metrics::describe_gauge!("relata_writer_queue", "Units of work waiting for a writer");
    metrics::describe_gauge!("relata_reader_queue", "Readings waiting for a thread, by lane");
    metrics::describe_gauge!("relata_pool_busy", "Threads at work, by pool");
    metrics::describe_gauge!("relata_connections", "Open connections");
    metrics::describe_counter!(
        "relata_connections_closed_total",
        "Connections that were closed, by reason: timeout, full"
    );
    metrics::describe_counter!(
        "relata_connections_refused_total",
        "Connections that were refused because too many are open"
    );
    metrics::describe_histogram!("relata_commit_group_size", "Units of work that shared a commit");
    metrics::describe_histogram!("relata_write_unit_seconds", "Time that a unit of work held the writer");
    register_metrics();
    Ok(handle)
}

/// Makes every metric show at 0 before its first event, so that a rate or an alert has something to begin with.
fn register_metrics() {
    metrics::gauge!("relata_writer_queue").set(0.0);
    metrics::gauge!("relata_connections").set(0.0);
    for lane in ["fast", "slow"] {
        metrics::gauge!("relata_reader_queue", "lane" => lane).set(0.0);
    }
    for pool in ["fast", "slow", "writer"] {
        metrics::gauge!("relata_pool_busy", "pool" => pool).set(0.0);
    }
    for reason in ["full", "timeout"] {
        metrics::counter!("relata_connections_closed_total", "reason" => reason).absolute(0);
    }
    metrics::counter!("relata_connections_refused_total").absolute(0);
    metrics::counter!("relata_requests_total", "operation" => "open", "status" => "200").absolute(0);
    drop(metrics::histogram!("relata_request_seconds", "operation" => "open"));
    drop(metrics::histogram!("relata_commit_group_size"));
    drop(metrics::histogram!("relata_write_unit_seconds"));
    for (kind, _) in connect::finder::KINDS {
        for outcome in enricher::OUTCOMES {
            metrics::counter!("relata_enrichment_requests_total", "kind" => *kind, "outcome" => *outcome).absolute(0);
        }
        drop(metrics::histogram!("relata_enrichment_seconds", "kind" => *kind));
    }
}

/// Connections that wait to be accepted.
const BACKLOG: u32 = 1024;

/// Takes the port. Nothing is accepted before the server starts.
pub fn bind(listen: SocketAddr) -> Result<TcpSocket, String> {
    let bound = || {
        let socket = if listen.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        socket.set_reuseaddr(true)?;
        socket.bind(listen)?;
        Ok(socket)
    };
    bound().map_err(|error| unbound(listen, &error))
}

fn unbound(listen: SocketAddr, error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            format!("can't listen on {listen}: another program uses this port; end it, or choose another with --listen")
        }
        std::io::ErrorKind::AddrNotAvailable => {
            format!("can't listen on {listen}: this machine does not have this address; choose another with --listen")
        }
        std::io::ErrorKind::PermissionDenied => format!(
            "can't listen on {listen}: this user may not use this port; choose one from 1024 on with --listen, and \
             forward to it"
        ),
        _ => format!("can't listen on {listen}: {error}"),
    }
}

pub async fn start(
    store: Store,
    secret: Secret,
    metrics: PrometheusHandle,
    settings: Settings,
) -> Result<Running, String> {
    let listen = settings.socket.local_addr().map_err(|e| e.to_string())?;
    let listener = settings.socket.listen(BACKLOG).map_err(|error| unbound(listen, &error))?;
    let address = listener.local_addr().map_err(|e| e.to_string())?;
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let reachable = settings.public_url.is_some();
    let public_url: Arc<str> = settings.public_url.unwrap_or_else(|| format!("http://{address}")).into();
    let stored = public_url.clone();
    store.bookkeep(move |tx| meta::set(tx, meta::PUBLIC_URL, &stored)).await.map_err(|error| error.to_string())?;
    let app = Arc::new(App {
        webhooks: reachable,
        guard: settings.guard,
        metrics_token: settings.metrics_token,
        post: post::Post::new(settings.send_time),
        mail_pool: mail_pool::MailPool::new(settings.program.clone()),
        networks: network::Networks::new(settings.search_time),
        enricher: enricher::Enricher::new()?,
        secret: secret.clone(),
        links: Links { public_url: public_url.clone(), secret: secret.clone() },
        keys: auth::Keys::new(secret),
        limiter: limit::Limiter::default(),
        passwords: password::Passwords::default(),
        journal: journal::Journal::default(),
        meters: timing::Meters::default(),
        routes: http::routes(crm::operations::all())?,
        dashboard: http::routes(crm::dashboard::all())?,
        memory: Arc::new(Memory::default()),
        touched: indexer::Touched::default(),
        live: live::Live::default(),
        running: once::Running::default(),
        records: records::Records::default(),
        feed_kept: settings.feed_kept,
        stopped: stopped.clone(),
        document: document().into(),
        metrics,
        connections: Connections::new(settings.handles, settings.trusted_proxies.clone()),
        trusted_proxies: settings.trusted_proxies,
        public_url,
        data: settings.data,
        files: settings.files,
        program: settings.program,
        room: Semaphore::new(FILES_IN_MEMORY),
        draining: AtomicBool::new(false),
        store,
    });
    tokio::spawn(watch_config(app.clone(), stopped.clone()));
    tokio::spawn(housekeep(app.clone(), stopped.clone()));
    runner::start(&app, &stopped);
    if settings.runner {
        post::start(&app, &stopped);
        receive::start(&app, &stopped);
        tokio::spawn(sequencer::run(app.clone(), stopped.clone()));
        tokio::spawn(enricher::run(app.clone(), stopped.clone()));
    }
    tokio::spawn(indexer::run(app.clone(), stopped.clone()));
    let accepting = tokio::spawn(accept(listener, app.clone(), stopped));
    Ok(Running { address, app, accepting, stop })
}

impl Running {
    /// Accepts nothing more, finishes what runs, and gives back what was taken ahead.
    pub async fn stop(self) {
        self.app.draining.store(true, Ordering::Release);
        let _ = self.stop.send(true);
        self.app.mail_pool.close();
        let _ = self.accepting.await;
        if tokio::time::timeout(Duration::from_secs(8), self.app.connections.ended()).await.is_err() {
            tracing::warn!("some connections did not end in time");
        }
        enricher::finish(&self.app, Duration::from_secs(5)).await;
        post::finish(&self.app, Duration::from_secs(20)).await;
        self.app.keys.write_used(&self.app.store).await;
        self.app.journal.write(&self.app).await;
        self.app.limiter.give_back(&self.app.store, Duration::ZERO).await;
        let store = self.app.store.clone();
        // Closing waits for threads.
        let _ = tokio::task::spawn_blocking(move || store.close()).await;
    }
}

async fn accept(listener: TcpListener, app: Arc<App>, mut stopped: tokio::sync::watch::Receiver<bool>) {
    let mut builder = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
    // How long a head may take is seen to by `connections`, which knows idle connections from unfinished heads.
    builder.http1().timer(TokioTimer::new()).header_read_timeout(None).max_buf_size(64 * 1024);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(Duration::from_secs(30)).max_concurrent_streams(256);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopped.changed() => return,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file handles: wait for some to be closed.
                tracing::warn!(%error, "can't accept a connection");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let Some(admitted) = app.connections.admit(peer.ip()) else { continue };
        let _ = stream.set_nodelay(true);
        let (app, connection) = (app.clone(), admitted.connection().clone());
        let service = hyper::service::service_fn(move |request| {
            let app = app.clone();
            // Before hyper reads on: what follows this head is known only here.
            let (in_flight, noticed) = connection.begin(&request);
            let request = request.map(|body| Receiving::new(body, connection.clone()));
            async move {
                let answer = http::answer(&app, peer.ip(), request, &noticed).await;
                Ok::<_, std::convert::Infallible>(answer.map(|body| in_flight.until_sent(body)))
            }
        });
        let connection = builder.serve_connection(TokioIo::new(admitted.wire(stream)), service).into_owned();
        tokio::spawn(admitted.serve(connection, |connection| connection.graceful_shutdown(), stopped.clone()));
    }
}

/// Drops cached keys and workspaces as soon as anyone has changed them.
async fn watch_config(app: Arc<App>, mut stopped: tokio::sync::watch::Receiver<bool>) {
    let mut seen = (String::new(), 0);
    loop {
        let version = app.store.point(CONFIG_VERSION, &[], |row| row.text(0)).await;
        if let Ok(version) = version {
            let now = (version.unwrap_or_default(), app.store.generation());
            if now != seen {
                app.keys.forget();
                seen = now;
            }
        }
        tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(200)) => {}
            _ = stopped.changed() => return,
        }
    }
}

/// After the database's clock was ahead and has been set right: leases and due times that it wrote are moved back.
async fn correct_times(app: &Arc<App>) -> Result<(), resource::Error> {
    let longest = app.post.longest_lease();
    if app.store.read(store::Lane::Fast, move |tx| crm::clock::is_ahead(tx, longest)).await? {
        tracing::warn!(
            "leases or due times lie too far in the future: the database's clock was ahead; correcting them"
        );
        app.store.bookkeep(move |tx| crm::clock::correct(tx, longest)).await?;
    }
    Ok(())
}

/// Once a second: when keys were last used, what the limiter took and nobody wants, what was measured. Every three: which
/// tables have grown. Once a minute: what was kept for requests that might come again.
async fn housekeep(app: Arc<App>, mut stopped: tokio::sync::watch::Receiver<bool>) {
    for second in 0_u64.. {
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(1)) => {}
            _ = stopped.changed() => return,
        }
        app.keys.write_used(&app.store).await;
        app.journal.write(&app).await;
        app.limiter.give_back(&app.store, Duration::from_secs(2)).await;
        // Samples gather until somebody sums them up, and nobody may ever ask for the metrics.
        app.metrics.run_upkeep();
        if second.is_multiple_of(3)
            && let Err(error) = app.store.study().await
        {
            tracing::debug!(%error, "tables that have grown could not be looked at");
        }
        if second.is_multiple_of(10)
            && let Err(error) = correct_times(&app).await
        {
            tracing::warn!(%error, "failed to correct times that a wrong clock wrote; retrying in 10 s");
        }
        if second.is_multiple_of(20) {
            let node = app.post.node().to_owned();
            let noted = app.store.bookkeep(move |tx| crm::dashboard::system::note_node(tx, &node));
            if let Err(error) = noted.await {
                tracing::warn!(%error, "this node could not be noted");
            }
        }
        if second.is_multiple_of(60) {
            once::forget(&app).await;
            journal::forget(&app).await;
            if let Err(error) = app.store.bookkeep(crm::session::forget).await {
                tracing::warn!(%error, "sessions that have ended could not be forgotten");
            }
        }
    }
}
