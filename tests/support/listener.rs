//! A client of the event stream.

use std::io::{BufRead, BufReader};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::Value;
use ureq::Agent;
use ureq::http::HeaderMap;

use super::client::{Client, PREFIX};
use super::wait::PATIENCE;

/// An open stream, read by a thread of its own.
pub(crate) struct Listener {
    pub headers: HeaderMap,
    frames: Receiver<Frame>,
}

/// The lines between two empty lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Frame {
    pub id: Option<String>,
    pub kind: Option<String>,
    pub data: Value,
    pub comment: Option<String>,
}

impl Listener {
    /// Opens a stream, with the last id seen if there is one.
    #[track_caller]
    pub(crate) fn open(client: &Client, path: &str, last: Option<&str>) -> Listener {
        Listener::try_open(client, path, last).unwrap_or_else(|why| panic!("no stream at {path}: {why}"))
    }

    /// The same for a server that may be down.
    pub(crate) fn try_open(client: &Client, path: &str, last: Option<&str>) -> Result<Listener, String> {
        let agent: Agent = Agent::config_builder().http_status_as_error(false).build().into();
        let mut request = agent.get(format!("{}{PREFIX}{path}", client.origin()));
        for (name, value) in client.credentials() {
            request = request.header(name, value);
        }
        if let Some(last) = last {
            request = request.header("Last-Event-ID", last);
        }
        let response = request.call().map_err(|error| error.to_string())?;
        if response.status() != 200 {
            return Err(format!("the answer is {}", response.status()));
        }
        let (head, body) = response.into_parts();
        let (sender, frames) = channel();
        std::thread::spawn(move || {
            let mut frame = Frame::default();
            for line in BufReader::new(body.into_reader()).lines().map_while(Result::ok) {
                match line.split_once(": ").unwrap_or((&line, "")) {
                    ("id", id) => frame.id = Some(id.to_owned()),
                    ("event", kind) => frame.kind = Some(kind.to_owned()),
                    ("data", data) => frame.data = serde_json::from_str(data).unwrap_or(Value::from("not JSON")),
                    ("", comment) if !line.is_empty() => frame.comment = Some(comment.to_owned()),
                    // The receiver has been dropped.
                    _ if line.is_empty() && sender.send(std::mem::take(&mut frame)).is_err() => return,
                    _ => {}
                }
            }
        });
        Ok(Listener { headers: head.headers, frames })
    }

    /// The next frame, including comments; `None` if the stream ended, or nothing came in time.
    pub(crate) fn frame(&self, patience: Duration) -> Option<Frame> {
        self.frames.recv_timeout(patience).ok()
    }

    /// The next event.
    #[track_caller]
    pub(crate) fn event(&self) -> Frame {
        loop {
            match self.frames.recv_timeout(PATIENCE) {
                Ok(frame) if frame.data.is_null() => {}
                Ok(frame) => return frame,
                Err(RecvTimeoutError::Timeout) => panic!("timed out waiting for an event"),
                Err(RecvTimeoutError::Disconnected) => panic!("the stream has ended"),
            }
        }
    }

    /// Checks that no event comes for this time, and that the stream stays open.
    #[track_caller]
    pub(crate) fn is_quiet_for(&self, time: Duration) {
        match self.frames.recv_timeout(time) {
            Ok(frame) if frame.data.is_null() => self.is_quiet_for(time),
            Ok(frame) => panic!("an event that should not be here: {frame:?}"),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => panic!("the stream has ended"),
        }
    }

    /// Whether the stream has ended; earlier frames are dropped.
    pub(crate) fn has_ended(&self) -> bool {
        loop {
            match self.frames.try_recv() {
                Ok(_) => {}
                Err(std::sync::mpsc::TryRecvError::Empty) => return false,
                Err(std::sync::mpsc::TryRecvError::Disconnected) => return true,
            }
        }
    }
}
