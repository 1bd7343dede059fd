//! Connections: how many there may be, how long each may be silent, and which are closed first when there are too many.
//! Also checks the head of every HTTP/1 request before hyper reads it, since hyper accepts a bare LF as a line end and
//! drops Content-Length beside Transfer-Encoding; and gives the answers that hyper makes by itself a body.

use crate::clock;
use crate::envelope::{Body, Failure};
use bytes::{Buf, Bytes, BytesMut};
use connect::guard::Network;
use hyper::body::{Body as _, Frame, Incoming, SizeHint};
use hyper::{Request, Version, header};
use memchr::memchr_iter;
use std::collections::HashMap;
use std::io::{self, IoSlice};
use std::net::{IpAddr, Ipv6Addr};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use store::Uuid;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{Notify, watch};

/// How long a new connection may send nothing, and how long the head of a request may take from its first byte.
const FIRST_BYTE: Duration = Duration::from_secs(15);
const HEAD: Duration = Duration::from_secs(30);
/// How long a connection stays open between two requests: longer than reverse proxies usually keep theirs.
const IDLE: Duration = Duration::from_secs(180);
/// How long a client may take nothing of an answer that waits for it.
const STALLED: Duration = Duration::from_secs(120);
/// When all connections are in use, one whose client has taken nothing for so long makes room.
const STALLED_WHEN_FULL: u64 = 10_000;
/// How often a connection's deadline is looked at, at least.
const LOOK: Duration = Duration::from_secs(10);
/// How long a connection may take to end once it is asked to.
const FAREWELL: Duration = Duration::from_secs(5);

/// Most connections, however many file handles there are: each costs memory, too.
const MOST: u64 = 16_384;
/// File handles for the database, mail servers, providers and child processes.
const RESERVED: u64 = 256;
/// Connections from this machine and from trusted proxies that are accepted beyond the bound, so that health checks get
/// through while all others are in use.
const EXTRA: usize = 32;

/// Bounds on connections, and those that are open.
pub struct Connections {
    total: usize,
    per_address: usize,
    trusted: Vec<Network>,
    begun: Instant,
    table: Mutex<Table>,
    closed: Notify,
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

    /// Closes up to `most` connections on which no request runs, of one address or of all. Those that have not sent a
    /// request yet go first, then idle ones, the oldest first; at last one whose client takes nothing of its answer.
    fn evict(&mut self, address: Option<IpAddr>, most: usize, now: u64) -> bool {
        let mut waiting: Vec<(u8, u64, u64)> = self
            .open
            .iter()
            .filter(|(_, connection)| address.is_none() || connection.address == address)
            .filter_map(|(id, connection)| connection.dispensable(now).map(|(class, since)| (class, since, *id)))
            .collect();
        waiting.sort_unstable();
        let Some(class) = waiting.first().map(|(class, ..)| *class) else { return false };
        let most = if class == SILENT { most.max(1) } else { 1 };
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
    pub fn new(handles: u64, trusted: Vec<Network>) -> Arc<Connections> {
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

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn now(&self) -> u64 {
        milliseconds(self.begun)
    }

    /// Takes in a connection, and closes others for it if that is necessary; `None` if there is no room for it.
    pub fn admit(self: &Arc<Self>, peer: IpAddr) -> Option<Admitted> {
        let address = counted(peer).filter(|_| !self.trusted.iter().any(|network| network.holds(peer)));
        let total = self.total + if address.is_none() { EXTRA } else { 0 };
        let (mut table, now) = (self.lock(), self.now());
        let full = table.open.len() >= total && !table.evict(None, total / 64, now);
        let of_address = address.and_then(|address| table.by_address.get(&address)).copied().unwrap_or(0);
        if full || of_address >= self.per_address && !table.evict(address, 1, now) {
            metrics::counter!("relata_connections_refused_total").increment(1);
            return None;
        }
        let id = table.next;
        table.next += 1;
        let connection = Arc::new(Connection {
            begun: self.begun,
            address,
            in_flight: AtomicU32::new(0),
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
        Some(Admitted { id, connection, all: self.clone() })
    }

    /// Waits until none is open.
    pub async fn ended(&self) {
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

/// From 1 on; 0 stands for never.
fn milliseconds(since: Instant) -> u64 {
    (clock::instant() - since).as_millis() as u64 + 1
}

/// Phases of a connection without a running request, in the order in which they make room for others.
const SILENT: u8 = 0;
/// Part of a head has come, or HTTP/2 without a request so far.
const HEARD: u8 = 1;
const BETWEEN: u8 = 2;
const STUCK: u8 = 3;

/// What follows a head, in bytes, or one of these.
const UNKNOWN: u64 = u64::MAX;
/// Nobody knows how long it is: no other head is read on this connection.
const UNBOUNDED: u64 = u64::MAX - 1;

/// What is known of an open connection. Times are in milliseconds since the server's start.
pub struct Connection {
    begun: Instant,
    /// `None` if it does not count for its address.
    address: Option<IpAddr>,
    in_flight: AtomicU32,
    phase: AtomicU8,
    since: AtomicU64,
    wrote: AtomicU64,
    blocked: AtomicU64,
    /// What hyper has read in the last head, for the check of the next.
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

    /// When it may be closed; `None` while a request runs and its client takes what is sent.
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

    /// How readily it is closed for another, and since when.
    fn dispensable(&self, now: u64) -> Option<(u8, u64)> {
        let blocked = self.blocked.load(Ordering::Relaxed);
        if blocked > 0 {
            return (blocked + STALLED_WHEN_FULL < now).then_some((STUCK, blocked));
        }
        if self.in_flight.load(Ordering::Relaxed) > 0 {
            return None;
        }
        // An unfinished head is no better than none.
        let phase = self.phase.load(Ordering::Relaxed);
        let class = if phase == HEARD { SILENT } else { phase };
        Some((class, self.since.load(Ordering::Relaxed)))
    }

    /// Notes that a request has come.
    pub fn begin(self: &Arc<Self>, request: &Request<Incoming>) -> (InFlight, Head) {
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

/// What was noticed about a request's head.
pub struct Head {
    /// Why it is refused.
    pub malformed: Option<&'static str>,
    /// No other request is read on this connection.
    pub last: bool,
}

/// A request from its head to the end of its answer.
pub struct InFlight(Arc<Connection>);

impl InFlight {
    pub fn until_sent(self, body: Body) -> Sending {
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
pub struct Sending {
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

/// A place among the open connections; given up when dropped.
pub struct Admitted {
    id: u64,
    connection: Arc<Connection>,
    all: Arc<Connections>,
}

impl Admitted {
    pub fn connection(&self) -> &Arc<Connection> {
        &self.connection
    }

    /// The stream with its heads checked.
    pub fn wire(&self, stream: TcpStream) -> Wire {
        let expected = Expected::Head(Scan::default());
        Wire {
            stream,
            connection: self.connection.clone(),
            expected,
            held: BytesMut::new(),
            first: true,
            replaced: BytesMut::new(),
        }
    }

    /// Serves the connection to its end: until it ends by itself, is silent for too long, has to make room for another
    /// or is finished because the server stops.
    pub async fn serve<C: Future>(
        self,
        connection: C,
        finish: impl Fn(Pin<&mut C>),
        mut stopped: watch::Receiver<bool>,
    ) {
        let mut connection = pin!(connection);
        let mut evicted = pin!(self.connection.evicted.notified());
        let mut alarm = pin!(tokio::time::sleep(FIRST_BYTE.min(LOOK)));
        let (mut finishing, mut stopping) = (false, false);
        loop {
            tokio::select! {
                biased;
                // A client that hangs up is no event.
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
                        alarm.set(tokio::time::sleep(FAREWELL));
                    } else {
                        alarm.set(tokio::time::sleep(left.map_or(LOOK, Duration::from_millis).min(LOOK)));
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

/// A connection's bytes. Of HTTP/1, hyper is handed one head at a time, and what follows it only when it has said how long
/// that is: so each head is found where hyper finds it, and none is read unchecked.
pub struct Wire {
    stream: TcpStream,
    connection: Arc<Connection>,
    expected: Expected,
    /// Read, and not handed on yet.
    held: BytesMut,
    /// The first head tells whether this is HTTP/2.
    first: bool,
    /// An answer in the place of one of hyper's, not written yet.
    replaced: BytesMut,
}

enum Expected {
    Head(Scan),
    /// The head is handed on; hyper will say what follows.
    Framing,
    Body(u64),
    /// HTTP/2, or what nobody knows the end of.
    Anything,
}

impl AsyncRead for Wire {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if let Expected::Framing = this.expected {
            this.expected = match this.connection.framing.swap(UNKNOWN, Ordering::Relaxed) {
                UNKNOWN => return Poll::Ready(Err(io::ErrorKind::InvalidData.into())),
                UNBOUNDED => Expected::Anything,
                0 => Expected::Head(Scan::default()),
                length => Expected::Body(length),
            };
        }
        let before = buf.filled().len();
        if this.held.is_empty() {
            ready!(Pin::new(&mut this.stream).poll_read(cx, buf))?;
        } else {
            let some = this.held.len().min(buf.remaining());
            buf.put_slice(&this.held[..some]);
            this.held.advance(some);
        }
        let fresh = &buf.filled()[before..];
        if fresh.is_empty() {
            return Poll::Ready(Ok(()));
        }
        let mut taken = fresh.len();
        match &mut this.expected {
            Expected::Head(scan) => {
                if this.connection.phase.load(Ordering::Relaxed) != HEARD {
                    this.connection.enter(HEARD);
                }
                match scan.read(fresh) {
                    Found::Nothing => {}
                    Found::End(at) => {
                        let preface = this.first && scan.is_preface();
                        this.first = false;
                        if preface {
                            this.expected = Expected::Anything;
                        } else {
                            taken = at;
                            let two_lengths = scan.content_length && scan.transfer_encoding;
                            this.connection.two_lengths.store(two_lengths, Ordering::Relaxed);
                            this.expected = Expected::Framing;
                        }
                    }
                    Found::BareLf => {
                        this.connection.bare_lf.store(true, Ordering::Relaxed);
                        this.expected = Expected::Anything;
                    }
                }
            }
            Expected::Body(left) => {
                taken = taken.min(usize::try_from(*left).unwrap_or(usize::MAX));
                *left -= taken as u64;
                if *left == 0 {
                    this.expected = Expected::Head(Scan::default());
                }
            }
            Expected::Framing | Expected::Anything => {}
        }
        if taken < fresh.len() {
            // What was held before stands behind what is held now.
            let rest = std::mem::take(&mut this.held);
            this.held.extend_from_slice(&fresh[taken..]);
            this.held.extend_from_slice(&rest);
            buf.set_filled(before + taken);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_replaced(cx))?;
        if let Some(answer) = with_body(buf) {
            self.replaced.extend_from_slice(&answer);
            return Poll::Ready(Ok(buf.len()));
        }
        let written = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.note(written)
    }
    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_replaced(cx))?;
        if let Some(first) = bufs.first()
            && let Some(answer) = with_body(first)
        {
            self.replaced.extend_from_slice(&answer);
            return Poll::Ready(Ok(first.len()));
        }
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.note(written)
    }
    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_replaced(cx))?;
        Pin::new(&mut self.stream).poll_flush(cx)
    }
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_replaced(cx))?;
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl Wire {
    fn poll_replaced(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while !self.replaced.is_empty() {
            let written = Pin::new(&mut self.stream).poll_write(cx, &self.replaced);
            let written = ready!(self.note(written))?;
            self.replaced.advance(written);
        }
        Poll::Ready(Ok(()))
    }

    fn note(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match written {
            Poll::Pending => self.connection.could_not_write(),
            Poll::Ready(_) => self.connection.wrote(),
        }
        written
    }
}

/// The answer that hyper gives by itself to a head that it can't read has no body; this is the same answer with one.
/// `None` for all other answers, which have a request id.
fn with_body(answer: &[u8]) -> Option<Vec<u8>> {
    if !answer.starts_with(b"HTTP/1.") || answer.get(9) != Some(&b'4') {
        return None;
    }
    let head = std::str::from_utf8(answer).ok()?.strip_suffix("\r\n\r\n")?;
    let (before, after) = head.split_once("\r\ncontent-length: 0")?;
    if head.contains("\r\nx-request-id:") || head.contains("\r\n\r\n") {
        return None;
    }
    let failure = match head.get(9..12)? {
        "414" => Failure::new(414, "uri_too_long", "the request's address is too long"),
        "431" => {
            Failure::new(431, "headers_too_large", "the request's head is too large; send fewer or shorter headers")
        }
        _ => Failure::new(400, "malformed_request", "the request's head is not valid HTTP"),
    };
    let (id, body) = (Uuid::new_v4().simple(), failure.body());
    tracing::info!(target: "request", id = %id, operation = "none", status = failure.status);
    let mut whole = format!(
        "{before}{after}\r\nx-request-id: {id}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    whole.extend_from_slice(&body);
    Some(whole)
}

/// How an HTTP/2 connection begins: like a head of HTTP/1.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\n";

const CONTENT_LENGTH: &[u8] = b"content-length:";
const TRANSFER_ENCODING: &[u8] = b"transfer-encoding:";

/// Looks for the end of a head, for lines that do not end in CR LF and for headers that say how long the body is. The
/// head may come in any pieces.
#[derive(Default)]
struct Scan {
    read: usize,
    /// How much of the preface it begins with.
    alike: usize,
    /// Bytes of the unfinished line.
    line: usize,
    last: u8,
    /// Lines that were not empty; empty ones before the first are no end.
    lines: usize,
    /// How the unfinished line begins, in lower case.
    name: [u8; TRANSFER_ENCODING.len()],
    content_length: bool,
    transfer_encoding: bool,
}

#[derive(Debug, PartialEq)]
enum Found {
    Nothing,
    /// Behind the empty line.
    End(usize),
    BareLf,
}

impl Scan {
    fn read(&mut self, bytes: &[u8]) -> Found {
        if self.alike == self.read {
            self.alike += PREFACE[self.alike..].iter().zip(bytes).take_while(|(a, b)| a == b).count();
        }
        self.read += bytes.len();
        let mut from = 0;
        for at in memchr_iter(b'\n', bytes) {
            let before = if at == 0 { self.last } else { bytes[at - 1] };
            if before != b'\r' {
                return Found::BareLf;
            }
            self.note_name(&bytes[from..at]);
            let length = self.line + at - from;
            let name = &self.name[..length.min(self.name.len())];
            self.content_length |= name.starts_with(CONTENT_LENGTH);
            self.transfer_encoding |= name.starts_with(TRANSFER_ENCODING);
            (from, self.line) = (at + 1, 0);
            match length {
                1 if self.lines > 0 => return Found::End(at + 1),
                1 => {}
                _ => self.lines += 1,
            }
        }
        self.note_name(&bytes[from..]);
        self.line += bytes.len() - from;
        self.last = bytes.last().copied().unwrap_or(self.last);
        Found::Nothing
    }

    /// Keeps the beginning of the unfinished line, which these bytes continue.
    fn note_name(&mut self, bytes: &[u8]) {
        let from = self.line.min(self.name.len());
        for (kept, byte) in self.name[from..].iter_mut().zip(bytes) {
            *kept = byte.to_ascii_lowercase();
        }
    }

    fn is_preface(&self) -> bool {
        self.alike == PREFACE.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a head cut in two at each place, and byte by byte; all give the same.
    fn scanned(head: &[u8]) -> Found {
        let pieces = |pieces: &[&[u8]]| {
            let (mut scan, mut before) = (Scan::default(), 0);
            for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
                match scan.read(piece) {
                    Found::Nothing => before += piece.len(),
                    Found::End(at) => return Found::End(before + at),
                    Found::BareLf => return Found::BareLf,
                }
            }
            Found::Nothing
        };
        let whole = pieces(&[head]);
        for cut in 0..=head.len() {
            assert_eq!(pieces(&[&head[..cut], &head[cut..]]), whole, "cut at {cut}");
        }
        assert_eq!(pieces(&head.chunks(1).collect::<Vec<_>>()), whole, "byte by byte");
        whole
    }

    #[test]
    fn the_end_of_a_head_is_found_and_bare_lf_is_noticed() {
        assert_eq!(scanned(b"GET / HTTP/1.1\r\nHost: x\r\n\r\nbody\n"), Found::End(27));
        assert_eq!(scanned(b"\r\n\r\nGET / HTTP/1.1\r\n\r\n"), Found::End(22));
        assert_eq!(scanned(b"GET / HTTP/1.1\r\nHost: x\r\n"), Found::Nothing);
        for bare in [
            &b"GET / HTTP/1.1\nHost: x\r\n\r\n"[..],
            b"GET / HTTP/1.1\r\nHost: x\n\r\n",
            b"GET / HTTP/1.1\r\nHost: x\r\n\n",
            b"\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET / HTTP/1.1\n\n",
        ] {
            assert_eq!(scanned(bare), Found::BareLf, "{}", String::from_utf8_lossy(bare));
        }
    }

    #[test]
    fn both_headers_of_a_length_are_noticed_in_any_order_and_piece() {
        let both = |head: &str, size: usize| {
            let mut scan = Scan::default();
            head.as_bytes().chunks(size).for_each(|piece| drop(scan.read(piece)));
            scan.content_length && scan.transfer_encoding
        };
        let two = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nHost: x\r\nContent-LENGTH: 3\r\n\r\n";
        let turned = "POST / HTTP/1.1\r\ncontent-length: 3\r\ntransfer-encoding:chunked\r\n\r\n";
        let one = "POST / HTTP/1.1\r\nContent-Length: 3\r\nX-Transfer-Encoding: chunked\r\nTransfer-Encodin: a\r\n\r\n";
        for size in 1..100 {
            assert!(both(two, size) && both(turned, size) && !both(one, size), "pieces of {size}");
        }
    }

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
    fn only_answers_that_hyper_made_get_another_body() {
        let refused = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\ndate: x\r\n\r\n";
        let answer = String::from_utf8(with_body(refused).expect("a body")).expect("text");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        assert!(head.contains(&format!("content-length: {}", body.len())) && head.contains("\r\nx-request-id: "));
        assert!(body.contains("\"code\":\"headers_too_large\""), "{body}");
        let ours = b"HTTP/1.1 400 Bad Request\r\nx-request-id: a\r\ncontent-length: 0\r\n\r\n";
        assert!(with_body(ours).is_none());
        assert!(with_body(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").is_none());
    }

    #[test]
    fn the_preface_of_http2_is_told_from_a_head() {
        let preface = |bytes: &[u8]| {
            let mut scan = Scan::default();
            for byte in bytes.chunks(1) {
                scan.read(byte);
            }
            scan.is_preface()
        };
        assert!(preface(b"PRI * HTTP/2.0\r\n\r\n"));
        assert!(!preface(b"PRI * HTTP/2.0\r\nHost: x\r\n\r\n") && !preface(b"GET * HTTP/2.0\r\n\r\n"));
    }

    #[test]
    fn silent_connections_make_room_first_and_addresses_are_bounded() {
        let ip = |text: &str| text.parse::<IpAddr>().expect("an address");
        let all = Connections::new(0, vec!["192.0.2.9".parse().expect("a network")]);
        assert_eq!((all.total, all.per_address), (42, 32));
        let busy: Vec<Admitted> = (0..32).map(|_| all.admit(ip("2001:db8::1")).expect("room")).collect();
        for one in &busy {
            one.connection.in_flight.fetch_add(1, Ordering::Relaxed);
        }
        assert!(all.admit(ip("2001:db8::ffff")).is_none(), "the same /64");
        let other = all.admit(ip("2001:db8:0:1::1")).expect("another /64");
        other.connection.enter(BETWEEN);
        let mapped: Vec<Admitted> = (0..9).map(|_| all.admit(ip("::ffff:203.0.113.1")).expect("room")).collect();
        assert_eq!(all.lock().open.len(), 42);
        let late = all.admit(ip("203.0.113.2")).expect("a silent one makes room");
        assert!(!all.lock().open.contains_key(&mapped[0].id), "the oldest silent one is closed");
        assert!(all.lock().open.contains_key(&other.id), "an idle one is not");
        for one in mapped.iter().chain([&late, &other]) {
            one.connection.in_flight.fetch_add(1, Ordering::Relaxed);
        }
        assert!(all.admit(ip("203.0.113.3")).is_none(), "all are in use");
        let local: Vec<Admitted> = (0..16).filter_map(|_| all.admit(ip("127.0.0.1"))).collect();
        let proxied: Vec<Admitted> = (0..16).filter_map(|_| all.admit(ip("192.0.2.9"))).collect();
        assert_eq!((local.len(), proxied.len()), (16, 16), "this machine and proxies have some more");
        drop((busy, other, mapped, late, local, proxied));
        assert!(all.lock().open.is_empty() && all.lock().by_address.is_empty());
    }
}
