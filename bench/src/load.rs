//! The load generator: one thread and keep-alive connections with one request in flight each, like `wrk -t1 -c32`.
//! Requests are prepared as bytes; only the status and the length of an answer are read, so that the generator costs
//! less than any server.

use crate::Fault;
use crate::clock;
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};
use std::io::{ErrorKind, Read, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// Longer than any list that the bench waits for.
const SILENCE: Duration = Duration::from_secs(60);
const BUFFER: usize = 256 * 1024;

pub(crate) struct Load<'a> {
    pub address: SocketAddr,
    pub requests: &'a [Vec<u8>],
    pub connections: usize,
    pub until: Until,
}

#[derive(Clone, Copy)]
pub(crate) enum Until {
    /// Repeat the requests for this long.
    Time(Duration),
    /// Send each request once.
    Done,
}

/// The result of a load.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    pub requests: u64,
    pub seconds: f64,
    /// In milliseconds.
    pub p50: f64,
    pub p99: f64,
}

impl Outcome {
    pub(crate) fn rate(&self) -> f64 {
        self.requests as f64 / self.seconds
    }

    fn of(mut nanos: Vec<u64>, took: Duration) -> Outcome {
        nanos.sort_unstable();
        let at = |share: f64| {
            let place = (nanos.len() as f64 * share) as usize;
            nanos.get(place.min(nanos.len().saturating_sub(1))).map_or(0.0, |nanos| *nanos as f64 / 1e6)
        };
        Outcome { requests: nanos.len() as u64, seconds: took.as_secs_f64(), p50: at(0.5), p99: at(0.99) }
    }
}

pub(crate) fn run(load: &Load<'_>) -> Result<Outcome, Fault> {
    let mut poll = Poll::new()?;
    let mut events = Events::with_capacity(load.connections);
    let mut next = 0;
    let connections = match load.until {
        Until::Time(_) => load.connections,
        Until::Done => load.connections.min(load.requests.len()),
    };
    let begun = clock::now();
    let mut lines = Vec::with_capacity(connections);
    for number in 0..connections {
        let mut line = Line::connect(load.address)?;
        poll.registry().register(&mut line.stream, Token(number), Interest::READABLE)?;
        line.send(&load.requests[next % load.requests.len()])?;
        next += 1;
        lines.push(line);
    }
    let mut nanos = Vec::with_capacity(1 << 16);
    loop {
        poll.poll(&mut events, Some(SILENCE))?;
        if events.is_empty() {
            return Err("the server fell silent".into());
        }
        for event in &events {
            let line = &mut lines[event.token().0];
            if !line.receive()? {
                continue;
            }
            let now = clock::now();
            nanos.push((now - line.sent).as_nanos() as u64);
            let over = match load.until {
                Until::Time(time) => now - begun >= time,
                Until::Done => nanos.len() == load.requests.len(),
            };
            if over {
                return Ok(Outcome::of(nanos, now - begun));
            }
            if matches!(load.until, Until::Done) && next >= load.requests.len() {
                continue;
            }
            line.send(&load.requests[next % load.requests.len()])?;
            next += 1;
        }
    }
}

/// The status and body of one request on a new connection.
pub(crate) fn send_one(address: SocketAddr, request: &[u8]) -> Result<(u16, Vec<u8>), Fault> {
    let mut stream = std::net::TcpStream::connect(address)?;
    stream.set_read_timeout(Some(SILENCE))?;
    stream.write_all(request)?;
    let (mut answer, mut chunk) = (Vec::new(), vec![0; BUFFER]);
    loop {
        let read = stream.read(&mut chunk)?;
        answer.extend_from_slice(&chunk[..read]);
        if let Some(head) = Head::read(&answer)?
            && answer.len() >= head.length
        {
            return Ok((head.status, answer.split_off(head.body)));
        }
        if read == 0 {
            return Err("the server hung up".into());
        }
    }
}

/// One connection and the answer it is receiving.
struct Line {
    stream: TcpStream,
    sent: Instant,
    buffer: Vec<u8>,
    filled: usize,
    length: Option<usize>,
}

impl Line {
    fn connect(address: SocketAddr) -> Result<Line, Fault> {
        let stream = std::net::TcpStream::connect(address)?;
        stream.set_nonblocking(true)?;
        stream.set_nodelay(true)?;
        let stream = TcpStream::from_std(stream);
        Ok(Line { stream, sent: clock::now(), buffer: vec![0; BUFFER], filled: 0, length: None })
    }

    /// A request is far smaller than a socket's buffer, and the previous one has been answered.
    fn send(&mut self, request: &[u8]) -> Result<(), Fault> {
        self.sent = clock::now();
        Ok(self.stream.write_all(request)?)
    }

    /// Reads what has arrived; true if the answer is complete.
    fn receive(&mut self) -> Result<bool, Fault> {
        loop {
            match self.stream.read(&mut self.buffer[self.filled..]) {
                Ok(0) => return Err("the server hung up".into()),
                Ok(read) => self.filled += read,
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(e) => return Err(e.into()),
            }
            let arrived = &self.buffer[..self.filled];
            if self.length.is_none()
                && let Some(head) = Head::read(arrived)?
            {
                if !(200..300).contains(&head.status) {
                    return Err(format!("an answer was {}: {}", head.status, String::from_utf8_lossy(arrived)).into());
                }
                self.length = Some(head.length);
            }
            if self.length.is_some_and(|length| self.filled >= length) {
                (self.filled, self.length) = (0, None);
                return Ok(true);
            }
        }
    }
}

struct Head {
    status: u16,
    /// The start of the body, and the end of the answer.
    body: usize,
    length: usize,
}

impl Head {
    fn read(bytes: &[u8]) -> Result<Option<Head>, Fault> {
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { return Ok(None) };
        let text = |bytes| std::str::from_utf8(bytes).map_err(|_| Fault::from("a header is not UTF-8"));
        let status = text(bytes.get(9..12).unwrap_or_default())?.parse()?;
        let mut length = 0;
        for line in bytes[..end].split(|byte| *byte == b'\n') {
            const NAME: &[u8] = b"content-length:";
            if line.len() > NAME.len() && line[..NAME.len()].eq_ignore_ascii_case(NAME) {
                length = text(&line[NAME.len()..])?.trim().parse()?;
            }
        }
        Ok(Some(Head { status, body: end + 4, length: end + 4 + length }))
    }
}

pub(crate) fn get(path: &str, key: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n\r\n").into_bytes()
}

pub(crate) fn post(path: &str, key: &str, body: &str) -> Vec<u8> {
    send("POST", path, key, body)
}

pub(crate) fn put(path: &str, key: &str, body: &str) -> Vec<u8> {
    send("PUT", path, key, body)
}

fn send(method: &str, path: &str, key: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}
