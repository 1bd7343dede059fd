//! Limits of connections: their number, how long each may be idle, and which are closed first when there are too many.

mod receiving;
mod wire;

pub(crate) use receiving::{Lost, Receiving};

use crate::clock;
use crate::request::envelope::Body;
use crate::shares::Shares;
use bytes::Bytes;
use connect::guard::Network;
use hyper::body::{Body as _, Frame, Incoming, SizeHint};
use hyper::{HeaderMap, Request, Version, header};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::sync::{Notify, watch};
use wire::Wire;

/// How long a new connection may send nothing.
const FIRST_BYTE: Duration = Duration::from_secs(15);
/// The time limit of a request's head, from its first byte.
const HEAD: Duration = Duration::from_secs(30);
/// How long a connection stays open between two requests: longer than reverse proxies usually keep theirs.
const IDLE: Duration = Duration::from_secs(180);
/// How long a client may stop reading its answer.
const STALLED: Duration = Duration::from_secs(120);
/// When all connections are in use, a connection may be closed whose client has not read for this long, in milliseconds.
const STALLED_WHEN_FULL: u64 = 10_000;
/// When all connections are in use, a connection may be closed whose request bodies are this far behind the slowest accepted
/// rate, in milliseconds.
const BEHIND_WHEN_FULL: u64 = 500;
/// When all connections are in use, a new one is closed last for this long, in milliseconds.
const FRESH_WHEN_FULL: u64 = 500;
/// How long to wait before trying again to admit a connection.
const RETRY: Duration = Duration::from_millis(20);
/// The longest time between two checks of a connection's deadline.
const CHECK: Duration = Duration::from_secs(10);
/// How long a connection may take to shut down.
const SHUTDOWN: Duration = Duration::from_secs(5);

/// The most connections, independent of file handles, since each needs memory, too.
const MOST: u64 = 16_384;
/// File handles for the database, mail servers, providers and child processes.
const RESERVED: u64 = 256;
/// Additional connections for this machine and trusted proxies, so that health checks succeed when all others are in use.
const EXTRA: usize = 32;

/// The open connections and their limits.
pub(crate) struct Connections {
    total: usize,
    per_address: usize,
    trusted: Vec<Network>,
    begun: Instant,
    table: Mutex<Table>,
    closed: Notify,
}

/// Why a connection is not admitted.
#[derive(Debug, PartialEq)]
pub(crate) enum Full {
    /// All are in use. Some wait for the bodies of their requests, and can be closed once these are late.
    ForAMoment,
    /// All are in use, or all of this address.
    Now,
}

#[derive(Default)]
struct Table {
    next: u64,
    open: HashMap<u64, Arc<Connection>>,
    by_address: HashMap<IpAddr, usize>,
}

impl Table {
    fn remove(&mut self, id: u64) -> Option<Arc<Connection>> {
        let connection = self.open.remove(&id)?;
        if let Some(address) = connection.address
            && let Some(count) = self.by_address.get_mut(&address)
        {
            *count -= 1;
            if *count == 0 {
                self.by_address.remove(&address);
            }
        }
        metrics::gauge!("relata_connections").set(self.open.len() as f64);
        Some(connection)
    }

    /// Closes up to `most` connections without a running request, of one address or of all. First those without a request so
    /// far, then those with an overdue body, then idle ones (the oldest first), then one whose client does not read its
    /// answer, and last one that is new.
    fn evict(&mut self, address: Option<IpAddr>, most: usize, now: u64) -> bool {
        let mut waiting: Vec<(u8, u64, u64)> = self
            .open
            .iter()
            .filter(|(_, connection)| address.is_none() || connection.address == address)
            .filter_map(|(id, connection)| connection.evictable(now).map(|(class, since)| (class, since, *id)))
            .collect();
        waiting.sort_unstable();
        let Some(class) = waiting.first().map(|(class, ..)| *class) else { return false };
        let most = if class <= UNSENT { most.max(1) } else { 1 };
        for (_, _, id) in waiting.iter().take(most).filter(|(of, ..)| *of == class) {
            if let Some(connection) = self.remove(*id) {
                connection.evicted.notify_one();
                metrics::counter!("relata_connections_closed_total", "reason" => "full").increment(1);
            }
        }
        true
    }
}

impl Connections {
    /// `handles` is the process's limit of open files. An upload takes two: its connection and its temporary file.
    pub(crate) fn new(handles: u64, trusted: Vec<Network>) -> Arc<Connections> {
        let total = (handles.saturating_sub(RESERVED).max(64) / 3 * 2).min(MOST) as usize;
        Arc::new(Connections {
            total,
            per_address: (total / 4).max(32),
            trusted,
            begun: clock::instant(),
            table: Mutex::default(),
            closed: Notify::new(),
        })
    }

    /// Event streams: at most half of the connections, and an eighth for one workspace, since none is ever closed for another.
    pub(crate) fn streams(&self) -> Shares {
        Shares::new(self.total / 2, (self.total / 8).max(16))
    }

    /// Temporary files of uploads: all file handles that connections leave, and a sixteenth of the connections for one
    /// workspace.
    pub(crate) fn uploads(&self) -> Shares {
        Shares::new((self.total / 2).saturating_sub(EXTRA).max(8), (self.total / 16).max(8))
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn now(&self) -> u64 {
        milliseconds(self.begun)
    }

    /// Admits a connection, and closes others for it if necessary.
    pub(crate) fn admit(self: &Arc<Self>, peer: IpAddr) -> Result<Admitted, Full> {
        let address = counted(peer).filter(|_| !self.trusted.iter().any(|network| network.holds(peer)));
        let total = self.total + if address.is_none() { EXTRA } else { 0 };
        let (mut table, now) = (self.lock(), self.now());
        if table.open.len() >= total && !table.evict(None, total / 64, now) {
            let may_pass = table.open.values().any(|connection| connection.waits_for_bodies());
            return Err(if may_pass { Full::ForAMoment } else { Full::Now });
        }
        let of_address = address.and_then(|address| table.by_address.get(&address)).copied().unwrap_or(0);
        if of_address >= self.per_address && !table.evict(address, 1, now) {
            return Err(Full::Now);
        }
        let id = table.next;
        table.next += 1;
        let connection = Arc::new(Connection {
            begun: self.begun,
            address,
            in_flight: AtomicU32::new(0),
            waiting: AtomicU32::new(0),
            on_time_until: AtomicU64::new(0),
            phase: AtomicU8::new(SILENT),
            since: AtomicU64::new(now),
            wrote: AtomicU64::new(0),
            blocked: AtomicU64::new(0),
            framing: AtomicU64::new(UNKNOWN),
            bare_lf: AtomicBool::new(false),
            two_lengths: AtomicBool::new(false),
            evicted: Notify::new(),
        });
        table.open.insert(id, connection.clone());
        if let Some(address) = address {
            *table.by_address.entry(address).or_default() += 1;
        }
        metrics::gauge!("relata_connections").set(table.open.len() as f64);
        Ok(Admitted { id, connection, all: self.clone() })
    }

    /// Admits a connection, or waits a moment for room. `None` if the limit is reached.
    pub(crate) async fn admit_soon(self: &Arc<Self>, peer: IpAddr) -> Option<Admitted> {
        let end = self.now() + 2 * BEHIND_WHEN_FULL;
        loop {
            match self.admit(peer) {
                Ok(admitted) => return Some(admitted),
                Err(Full::ForAMoment) if self.now() < end => tokio::time::sleep(RETRY).await,
                Err(_) => {
                    metrics::counter!("relata_connections_refused_total").increment(1);
                    return None;
                }
            }
        }
    }

    /// Waits until none is open.
    pub(crate) async fn ended(&self) {
        loop {
            let closed = self.closed.notified();
            if self.lock().open.is_empty() {
                return;
            }
            closed.await;
        }
    }
}

/// The address that connections are counted by: an IPv6 client usually has a whole /64. `None` for this machine.
fn counted(peer: IpAddr) -> Option<IpAddr> {
    let address = peer.to_canonical();
    match address {
        _ if address.is_loopback() => None,
        IpAddr::V4(_) => Some(address),
        IpAddr::V6(v6) => Some(Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64).into()),
    }
}

/// Starts at 1, since 0 means never.
fn milliseconds(since: Instant) -> u64 {
    (clock::instant() - since).as_millis() as u64 + 1
}

/// Phases of a connection without a running request, in the order in which they are closed for others.
const SILENT: u8 = 0;
/// Part of a head has arrived, or HTTP/2 without a request so far.
const HEARD: u8 = 1;
/// The body of a request is overdue.
const UNSENT: u8 = 2;
const BETWEEN: u8 = 3;
const STUCK: u8 = 4;
/// It is so new that its request may be on the way.
const FRESH: u8 = 5;

/// The length of the body after a head is a number of bytes or one of these.
const UNKNOWN: u64 = u64::MAX;
/// The length is unknown, so no other head is read on this connection.
const UNBOUNDED: u64 = u64::MAX - 1;

/// The state of an open connection. Times are in milliseconds since the server's start.
pub(crate) struct Connection {
    begun: Instant,
    /// `None` if it does not count for its address.
    address: Option<IpAddr>,
    in_flight: AtomicU32,
    /// How many requests wait for their bodies.
    waiting: AtomicU32,
    /// Until when the last of these bodies was on time (see `Pace`).
    on_time_until: AtomicU64,
    phase: AtomicU8,
    since: AtomicU64,
    wrote: AtomicU64,
    blocked: AtomicU64,
    /// The length of the last body according to hyper, to find the next head.
    framing: AtomicU64,
    bare_lf: AtomicBool,
    /// The last head had both Content-Length and Transfer-Encoding.
    two_lengths: AtomicBool,
    evicted: Notify,
}

impl Connection {
    fn enter(&self, phase: u8) {
        self.since.store(milliseconds(self.begun), Ordering::Relaxed);
        self.phase.store(phase, Ordering::Relaxed);
    }

    fn wrote(&self) {
        self.wrote.store(milliseconds(self.begun), Ordering::Relaxed);
        self.blocked.store(0, Ordering::Relaxed);
    }

    fn could_not_write(&self) {
        if self.blocked.load(Ordering::Relaxed) == 0 {
            self.blocked.store(milliseconds(self.begun), Ordering::Relaxed);
        }
    }

    /// When the connection is closed; `None` while a request runs and its client reads the answer.
    fn deadline(&self) -> Option<u64> {
        let after = |since: u64, time: Duration| Some(since + time.as_millis() as u64);
        let blocked = self.blocked.load(Ordering::Relaxed);
        if blocked > 0 {
            return after(blocked, STALLED);
        }
        if self.in_flight.load(Ordering::Relaxed) > 0 {
            return None;
        }
        let since = self.since.load(Ordering::Relaxed);
        match self.phase.load(Ordering::Relaxed) {
            SILENT => after(since, FIRST_BYTE),
            HEARD => after(since, HEAD),
            _ => after(since.max(self.wrote.load(Ordering::Relaxed)), IDLE),
        }
    }

    /// The class of a connection that can be closed for another (lower ones are closed first), and since when it is in it.
    fn evictable(&self, now: u64) -> Option<(u8, u64)> {
        let blocked = self.blocked.load(Ordering::Relaxed);
        if blocked > 0 {
            return (blocked + STALLED_WHEN_FULL < now).then_some((STUCK, blocked));
        }
        if self.in_flight.load(Ordering::Relaxed) > 0 {
            let on_time_until = self.on_time_until.load(Ordering::Relaxed);
            let is_behind = self.waits_for_bodies() && on_time_until + BEHIND_WHEN_FULL < now;
            return is_behind.then_some((UNSENT, on_time_until));
        }
        let since = self.since.load(Ordering::Relaxed);
        let class = match self.phase.load(Ordering::Relaxed) {
            SILENT | HEARD if since + FRESH_WHEN_FULL > now => FRESH,
            // An unfinished head counts like none.
            SILENT | HEARD => SILENT,
            phase => phase,
        };
        Some((class, since))
    }

    /// Whether every request on it waits for its body.
    fn waits_for_bodies(&self) -> bool {
        let in_flight = self.in_flight.load(Ordering::Relaxed);
        in_flight > 0 && self.waiting.load(Ordering::Relaxed) >= in_flight
    }

    /// Registers a new request and checks its head.
    pub(crate) fn begin(self: &Arc<Self>, request: &Request<Incoming>) -> (InFlight, Head) {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        self.phase.store(BETWEEN, Ordering::Relaxed);
        let in_flight = InFlight(self.clone());
        if request.version() == Version::HTTP_2 {
            return (in_flight, Head { malformed: None, last: false });
        }
        let length = if request.body().is_end_stream() { Some(0) } else { request.body().size_hint().exact() };
        self.framing.store(length.unwrap_or(UNBOUNDED), Ordering::Relaxed);
        let hosts = request.headers().get_all(header::HOST);
        let (count, valid) = (hosts.iter().count(), hosts.iter().all(|host| is_host(host.as_bytes())));
        let malformed = if self.bare_lf.load(Ordering::Relaxed) {
            Some("a line of the request's head ends in LF alone; end each line in CR LF")
        } else if self.two_lengths.load(Ordering::Relaxed) {
            Some("the request has both Content-Length and Transfer-Encoding; send one of them")
        } else if !is_chunked_once(request.headers()) {
            Some("Transfer-Encoding must be chunked, once; send the header once with this value alone")
        } else if count > 1 || count == 0 && request.version() == Version::HTTP_11 {
            Some("an HTTP/1.1 request needs one Host header; send exactly one")
        } else if !valid {
            Some(
                "the Host header is not a host name or address with an optional port; send one such as example.com:8080",
            )
        } else {
            None
        };
        (in_flight, Head { malformed, last: malformed.is_some() || length.is_none() })
    }
}

/// Whether the request has no Transfer-Encoding, or one of exactly `chunked`. hyper also accepts lists that end in it;
/// a proxy might read such a request differently, and so let another request pass inside its body.
fn is_chunked_once(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(header::TRANSFER_ENCODING).iter();
    values.next().is_none_or(|value| value.as_bytes().eq_ignore_ascii_case(b"chunked")) && values.next().is_none()
}

/// Whether it is a name or an address, with or without a port (RFC 9110, 7.2). It may be empty.
fn is_host(value: &[u8]) -> bool {
    let Ok(value) = std::str::from_utf8(value) else { return false };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.len() <= 5;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=%".contains(&byte);
    if let Some(rest) = value.strip_prefix('[') {
        let Some((address, rest)) = rest.split_once(']') else { return false };
        return address.parse::<Ipv6Addr>().is_ok() && (rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port));
    }
    let (name, port) = value.split_once(':').unwrap_or((value, ""));
    name.bytes().all(is_name) && is_port(port)
}

/// The result of the check of a request's head.
pub(crate) struct Head {
    /// Why the request is refused.
    pub malformed: Option<&'static str>,
    /// No other request is read on this connection.
    pub last: bool,
}

/// A request from its head to the end of its answer.
pub(crate) struct InFlight(Arc<Connection>);

impl InFlight {
    pub(crate) fn until_sent(self, body: Body) -> Sending {
        Sending { body, _in_flight: self }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.since.store(milliseconds(self.0.begun), Ordering::Relaxed);
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

/// An answer's body. The request is in flight until it is dropped.
pub(crate) struct Sending {
    body: Body,
    _in_flight: InFlight,
}

impl hyper::body::Body for Sending {
    type Data = Bytes;
    type Error = <Body as hyper::body::Body>::Error;
    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }
    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// An admitted connection. Dropping it removes it from the open ones.
pub(crate) struct Admitted {
    id: u64,
    connection: Arc<Connection>,
    all: Arc<Connections>,
}

impl Admitted {
    pub(crate) fn connection(&self) -> &Arc<Connection> {
        &self.connection
    }

    /// The stream, with a check of the head of every request.
    pub(crate) fn wire(&self, stream: TcpStream) -> Wire {
        Wire::new(stream, self.connection.clone())
    }

    /// Serves the connection until it ends by itself, is idle for too long, is closed for another, or the server stops.
    pub(crate) async fn serve<C: Future>(
        self,
        connection: C,
        finish: impl Fn(Pin<&mut C>),
        mut stopped: watch::Receiver<bool>,
    ) {
        let mut connection = pin!(connection);
        let mut evicted = pin!(self.connection.evicted.notified());
        let mut alarm = pin!(tokio::time::sleep(FIRST_BYTE.min(CHECK)));
        let (mut finishing, mut stopping) = (false, false);
        loop {
            tokio::select! {
                biased;
                // A client that hangs up is not worth a log line.
                _ = connection.as_mut() => return,
                () = evicted.as_mut() => return,
                () = alarm.as_mut() => {
                    if finishing {
                        return;
                    }
                    let left = self.connection.deadline().map(|at| at.saturating_sub(self.all.now()));
                    if left == Some(0) {
                        metrics::counter!("relata_connections_closed_total", "reason" => "timeout").increment(1);
                        finishing = true;
                        finish(connection.as_mut());
                        alarm.set(tokio::time::sleep(SHUTDOWN));
                    } else {
                        alarm.set(tokio::time::sleep(left.map_or(CHECK, Duration::from_millis).min(CHECK)));
                    }
                }
                _ = stopped.changed(), if !stopping => {
                    stopping = true;
                    finish(connection.as_mut());
                }
            }
        }
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        self.all.lock().remove(self.id);
        self.all.closed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_a_name_or_an_address_with_or_without_a_port() {
        for host in ["", "example.com", "example.com:8080", "a_b.example", "127.0.0.1:1", "[::1]", "[::1]:80", "x:"] {
            assert!(is_host(host.as_bytes()), "{host}");
        }
        for host in ["a b", "a/b", "user@host", "x:port", "x:123456", "[::1", "[x]", "[::1]80", "a:b:c", "a?b", "é"] {
            assert!(!is_host(host.as_bytes()), "{host}");
        }
    }

    #[test]
    fn requests_with_overdue_bodies_are_closed_and_running_ones_are_not() {
        let ip = |text: &str| text.parse::<IpAddr>().expect("an address");
        let all = Connections::new(0, Vec::new());
        let some: Vec<Admitted> =
            (0..all.total).map(|n| all.admit(ip(&format!("203.0.113.{n}"))).expect("room")).collect();
        for one in &some {
            one.connection.in_flight.store(2, Ordering::Relaxed);
            one.connection.waiting.store(1, Ordering::Relaxed);
        }
        let late = all.now() + 2 * BEHIND_WHEN_FULL;
        assert!(!all.lock().evict(None, 9, late), "each has a request that runs");
        for (n, one) in some.iter().enumerate().skip(1) {
            one.connection.waiting.store(2, Ordering::Relaxed);
            one.connection.on_time_until.store(all.now() + n as u64, Ordering::Relaxed);
        }
        assert!(!all.lock().evict(None, 9, all.now()), "none is behind yet");
        assert_eq!(all.admit(ip("203.0.113.99")).err(), Some(Full::ForAMoment), "some will be behind soon");
        assert!(all.lock().evict(None, 2, late));
        let open: Vec<bool> = some[..4].iter().map(|one| all.lock().open.contains_key(&one.id)).collect();
        assert_eq!(open, [true, false, false, true], "those that are the most behind");
    }

    #[test]
    fn each_state_has_its_time_limit() {
        let all = Connections::new(0, Vec::new());
        let one = all.admit("203.0.113.1".parse().expect("an address")).expect("room");
        let state = &one.connection;
        let set = |phase: u8, since: u64, wrote: u64, blocked: u64| {
            state.phase.store(phase, Ordering::Relaxed);
            state.since.store(since, Ordering::Relaxed);
            state.wrote.store(wrote, Ordering::Relaxed);
            state.blocked.store(blocked, Ordering::Relaxed);
            state.deadline()
        };
        assert_eq!(set(SILENT, 1_000, 0, 0), Some(16_000), "15 s for the first byte");
        assert_eq!(set(HEARD, 1_000, 0, 0), Some(31_000), "30 s for the head");
        assert_eq!(set(BETWEEN, 1_000, 0, 0), Some(181_000), "180 s between two requests");
        assert_eq!(set(BETWEEN, 1_000, 5_000, 0), Some(185_000), "from the last byte of an answer");
        assert_eq!(set(BETWEEN, 1_000, 5_000, 7_000), Some(127_000), "120 s for a client that does not read");
        state.in_flight.store(1, Ordering::Relaxed);
        assert_eq!(set(BETWEEN, 1_000, 5_000, 7_000), Some(127_000), "during a request, too");
        assert_eq!(set(BETWEEN, 1_000, 5_000, 0), None, "a request that runs has no limit here");
    }

    #[test]
    fn silent_connections_are_closed_first_and_addresses_are_limited() {
        let ip = |text: &str| text.parse::<IpAddr>().expect("an address");
        let mut all = Connections::new(0, vec!["192.0.2.9".parse().expect("a network")]);
        // Connections are no longer new at the beginning.
        Arc::get_mut(&mut all).expect("nobody else has it").begun -= Duration::from_secs(1);
        assert_eq!((all.total, all.per_address), (42, 32));
        let busy: Vec<Admitted> = (0..32).map(|_| all.admit(ip("2001:db8::1")).expect("room")).collect();
        for one in &busy {
            one.connection.in_flight.fetch_add(1, Ordering::Relaxed);
        }
        assert_eq!(all.admit(ip("2001:db8::ffff")).err(), Some(Full::Now), "the same /64");
        let other = all.admit(ip("2001:db8:0:1::1")).expect("another /64");
        other.connection.enter(BETWEEN);
        let mapped: Vec<Admitted> = (0..9).map(|_| all.admit(ip("::ffff:203.0.113.1")).expect("room")).collect();
        assert_eq!(all.lock().open.len(), 42);
        for one in &mapped[..8] {
            one.connection.since.store(1, Ordering::Relaxed);
        }
        assert_eq!(mapped[8].connection.evictable(all.now()).map(|(class, _)| class), Some(FRESH));
        let late = all.admit(ip("203.0.113.2")).expect("a silent one makes room");
        assert!(!all.lock().open.contains_key(&mapped[0].id), "the oldest silent one is closed");
        assert!(all.lock().open.contains_key(&other.id), "an idle one is not");
        for one in mapped.iter().chain([&late, &other]) {
            one.connection.in_flight.fetch_add(1, Ordering::Relaxed);
        }
        assert_eq!(all.admit(ip("203.0.113.3")).err(), Some(Full::Now), "all are in use");
        let local: Vec<Admitted> = (0..16).filter_map(|_| all.admit(ip("127.0.0.1")).ok()).collect();
        let proxied: Vec<Admitted> = (0..16).filter_map(|_| all.admit(ip("192.0.2.9")).ok()).collect();
        assert_eq!((local.len(), proxied.len()), (16, 16), "this machine and proxies have some more");
        drop((busy, other, mapped, late, local, proxied));
        assert!(all.lock().open.is_empty() && all.lock().by_address.is_empty());
    }
}
