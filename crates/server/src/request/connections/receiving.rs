//! The body of an incoming request, and how far it is behind the slowest accepted rate.

use super::{Connection, milliseconds};
use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Sleep;

/// The slowest accepted rate of a body, in bytes per second.
const PACE: u64 = 16 * 1024;
/// How far behind that rate a body may be.
const BEHIND: Duration = Duration::from_secs(30);

/// Why a body ended early.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Lost {
    /// The connection ended, or the bytes are not HTTP.
    Broken,
    /// It arrives too slowly.
    Late,
}
impl std::fmt::Display for Lost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}
impl std::error::Error for Lost {}

pub(crate) struct Receiving {
    body: Incoming,
    connection: Arc<Connection>,
    pace: Pace,
    is_waiting: bool,
    alarm: Option<Pin<Box<Sleep>>>,
}

impl Receiving {
    pub(crate) fn new(body: Incoming, connection: Arc<Connection>) -> Receiving {
        let now = milliseconds(connection.begun);
        Receiving {
            body,
            connection,
            pace: Pace { on_time_until: now, read: Some(now) },
            is_waiting: false,
            alarm: None,
        }
    }

    fn wait(&mut self, is_waiting: bool) {
        if is_waiting {
            self.connection.on_time_until.store(self.pace.on_time_until, Ordering::Relaxed);
        }
        match (self.is_waiting, is_waiting) {
            (false, true) => drop(self.connection.waiting.fetch_add(1, Ordering::Relaxed)),
            (true, false) => drop(self.connection.waiting.fetch_sub(1, Ordering::Relaxed)),
            _ => {}
        }
        self.is_waiting = is_waiting;
    }
}

impl Drop for Receiving {
    fn drop(&mut self) {
        self.wait(false);
    }
}

impl Body for Receiving {
    type Data = Bytes;
    type Error = Lost;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Lost>>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.body).poll_frame(cx);
        let now = milliseconds(this.connection.begun);
        this.pace.asked(now);
        match polled {
            Poll::Ready(frame) => {
                let data = frame.as_ref().and_then(|frame| frame.as_ref().ok()).and_then(Frame::data_ref);
                this.pace.arrived(now, data.map_or(0, Bytes::len) as u64);
                this.wait(false);
                this.alarm = None;
                Poll::Ready(frame.map(|frame| frame.map_err(|_| Lost::Broken)))
            }
            Poll::Pending => {
                this.wait(true);
                let left = (this.pace.on_time_until + BEHIND.as_millis() as u64).saturating_sub(now);
                let alarm = this.alarm.get_or_insert_with(|| Box::pin(tokio::time::sleep(Duration::from_millis(left))));
                match alarm.as_mut().poll(cx) {
                    Poll::Ready(()) => {
                        this.alarm = None;
                        Poll::Ready(Some(Err(Lost::Late)))
                    }
                    Poll::Pending => Poll::Pending,
                }
            }
        }
    }
    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Each byte extends the time until which the body is on time. Time in which the server does not read does not count. Times
/// are in milliseconds.
struct Pace {
    on_time_until: u64,
    /// When the last piece was read; `None` while the server waits for the next.
    read: Option<u64>,
}

impl Pace {
    fn asked(&mut self, now: u64) {
        if let Some(read) = self.read.take() {
            self.on_time_until += now.saturating_sub(read);
        }
    }

    fn arrived(&mut self, now: u64, bytes: u64) {
        self.on_time_until = (self.on_time_until + bytes * 1000 / PACE).min(now);
        self.read = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_body_falls_behind_and_an_unread_one_does_not() {
        let mut pace = Pace { on_time_until: 1, read: Some(1) };
        for second in 1..=60 {
            pace.asked(1 + second * 1000);
            pace.arrived(1 + second * 1000, 1);
            // The server asks for the next piece at once.
            pace.asked(1 + second * 1000);
        }
        assert_eq!(pace.on_time_until, 1001, "the first was asked for after a second");
        let mut pace = Pace { on_time_until: 1, read: Some(1) };
        for second in 1..=60 {
            pace.asked(1 + second * 1000);
            pace.arrived(1 + second * 1000, 2 * PACE);
            pace.asked(1 + second * 1000);
        }
        assert_eq!(pace.on_time_until, 60_001, "fast bytes earn no extra time");
        // The server does not read for a minute.
        pace.arrived(61_001, 1);
        pace.asked(121_001);
        assert!(pace.on_time_until >= 120_001, "{}", pace.on_time_until);
    }
}
