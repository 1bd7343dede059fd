//! The body of a request on its way in: how far it is behind the slowest pace at which bodies may come.

use super::{Connection, milliseconds};
use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Sleep;

/// The slowest that a body may come, in bytes a second.
const PACE: u64 = 16 * 1024;
/// How far behind that pace a body may be.
const BEHIND: Duration = Duration::from_secs(30);

/// Why no more of a body comes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lost {
    /// The connection ended, or what came is not HTTP.
    Broken,
    /// It comes too slowly.
    Late,
}
impl std::fmt::Display for Lost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}
impl std::error::Error for Lost {}

pub struct Receiving {
    body: Incoming,
    connection: Arc<Connection>,
    pace: Pace,
    is_waiting: bool,
    alarm: Option<Pin<Box<Sleep>>>,
}

impl Receiving {
    pub fn new(body: Incoming, connection: Arc<Connection>) -> Receiving {
        let now = milliseconds(connection.begun);
        Receiving { body, connection, pace: Pace { paid: now, read: Some(now) }, is_waiting: false, alarm: None }
    }

    fn wait(&mut self, is_waiting: bool) {
        if is_waiting {
            self.connection.paid.store(self.pace.paid, Ordering::Relaxed);
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
                this.pace.came(now, data.map_or(0, Bytes::len) as u64);
                this.wait(false);
                this.alarm = None;
                Poll::Ready(frame.map(|frame| frame.map_err(|_| Lost::Broken)))
            }
            Poll::Pending => {
                this.wait(true);
                let left = (this.pace.paid + BEHIND.as_millis() as u64).saturating_sub(now);
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

/// Each byte pays for some time. Time in which nobody reads is not the client's. Times are in milliseconds.
struct Pace {
    /// Until when the client has been quick enough.
    paid: u64,
    /// When the last piece was read, until the next is asked for.
    read: Option<u64>,
}

impl Pace {
    fn asked(&mut self, now: u64) {
        if let Some(read) = self.read.take() {
            self.paid += now.saturating_sub(read);
        }
    }

    fn came(&mut self, now: u64, bytes: u64) {
        self.paid = (self.paid + bytes * 1000 / PACE).min(now);
        self.read = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_that_drips_falls_behind_and_one_that_is_not_read_does_not() {
        let mut pace = Pace { paid: 1, read: Some(1) };
        for second in 1..=60 {
            pace.asked(1 + second * 1000);
            pace.came(1 + second * 1000, 1);
            // It waits for the next one at once.
            pace.asked(1 + second * 1000);
        }
        assert_eq!(pace.paid, 1001, "the first was asked for after a second");
        let mut pace = Pace { paid: 1, read: Some(1) };
        for second in 1..=60 {
            pace.asked(1 + second * 1000);
            pace.came(1 + second * 1000, 2 * PACE);
            pace.asked(1 + second * 1000);
        }
        assert_eq!(pace.paid, 60_001, "nothing is paid in advance");
        // Nobody reads for a minute.
        pace.came(61_001, 1);
        pace.asked(121_001);
        assert!(pace.paid >= 120_001, "{}", pace.paid);
    }
}
