//! Counts and times of requests: by operation for `/metrics`, by stage for `Server-Timing` and the log.

use crate::clock;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The metrics of each operation, cached because a lookup by labels would slow down each request.
#[derive(Default)]
pub(crate) struct Meters(papaya::HashMap<(&'static str, &'static str), (metrics::Counter, metrics::Histogram)>);

impl Meters {
    pub(crate) fn note(&self, operation: &'static str, status: &'static str, took: Duration) {
        let meters = self.0.pin();
        let (count, time) = meters.get_or_insert_with((operation, status), || {
            let count = metrics::counter!("relata_requests_total", "operation" => operation, "status" => status);
            (count, metrics::histogram!("relata_request_seconds", "operation" => operation))
        });
        count.increment(1);
        time.record(took.as_secs_f64());
    }
}

/// How long each stage took, for `Server-Timing` and the log.
pub(crate) struct Stages {
    pub begun: Instant,
    last: Instant,
    pub text: String,
}

impl Stages {
    pub(crate) fn new() -> Self {
        let now = clock::instant();
        Stages { begun: now, last: now, text: String::with_capacity(96) }
    }
    pub(crate) fn done(&mut self, stage: &str) {
        let now = clock::instant();
        self.note(stage, now - self.last);
        self.last = now;
    }
    pub(crate) fn note(&mut self, stage: &str, took: Duration) {
        let micros = took.as_micros() as u64;
        self.text.push_str(if self.text.is_empty() { "" } else { ", " });
        self.text.push_str(stage);
        self.text.push_str(";dur=");
        match micros / 1000 {
            0 => self.text.push('0'),
            // Writing to a string can't fail.
            millis => drop(write!(self.text, "{millis}")),
        }
        self.text.push('.');
        self.text.extend([100, 10, 1].map(|place| char::from(b'0' + (micros / place % 10) as u8)));
    }
}
