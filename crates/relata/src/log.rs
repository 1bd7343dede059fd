//! Logs: readable on a terminal, JSON otherwise, to standard error.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tracing_subscriber::EnvFilter;

/// Lines gather here and are written some twenty times a second by a thread of their own, so that no request waits
/// for a terminal or a pipe.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

/// More than this is not kept while nobody reads: the service matters more than its log.
const MOST: usize = 16 << 20;
const PAUSE: Duration = Duration::from_millis(50);

/// Writes what has gathered when it goes.
pub struct Logging(Lines);

pub fn start() -> Logging {
    let lines = Lines::default();
    let filter = EnvFilter::try_from_env("RELATA_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let sink = lines.clone();
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(move || sink.clone());
    if std::io::stderr().is_terminal() {
        builder.init();
    } else {
        builder.json().flatten_event(true).init();
    }
    let gathered = lines.clone();
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(PAUSE);
            gathered.write_out();
        }
    });
    Logging(lines)
}

impl Lines {
    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn write_out(&self) {
        let gathered = std::mem::take(&mut *self.lock());
        if !gathered.is_empty() {
            // There is nobody left to tell that nobody reads.
            let _ = std::io::stderr().write_all(&gathered);
        }
    }
}

impl Write for Lines {
    fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
        let mut lines = self.lock();
        if lines.len() < MOST {
            lines.extend_from_slice(line);
        }
        Ok(line.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Drop for Logging {
    fn drop(&mut self) {
        self.0.write_out();
    }
}
