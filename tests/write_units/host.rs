//! The time in which the host of a virtual machine ran other machines: nothing runs here then, whatever a unit does.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::support::now;

/// How often the kernel's count is read. It counts hundredths of a second.
const STEP: Duration = Duration::from_millis(10);
const TICK: u64 = 10;
/// The most changes that are kept: those of ten minutes, at least.
const MOST: usize = 60_000;

/// Records the kernel's count until it is dropped.
pub(super) struct Host {
    /// The count in milliseconds at these times, in milliseconds since 1970.
    changes: Arc<Mutex<VecDeque<(i64, u64)>>>,
    ended: Arc<AtomicBool>,
}

impl Host {
    pub(super) fn watch() -> Host {
        let host = Host { changes: Arc::default(), ended: Arc::default() };
        let (changes, ended) = (host.changes.clone(), host.ended.clone());
        std::thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                let (at, total) = (now().as_millisecond(), total());
                let mut changes = changes.lock().unwrap_or_else(PoisonError::into_inner);
                if changes.back().is_none_or(|(_, last)| *last != total) {
                    changes.push_back((at, total));
                }
                if changes.len() > MOST {
                    changes.pop_front();
                }
                drop(changes);
                std::thread::sleep(STEP);
            }
        });
        host
    }

    /// How much was taken from all processors together in the time that ended then.
    pub(super) fn took(&self, end: i64, time: Duration) -> Duration {
        let start = end - i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        let changes = self.changes.lock().unwrap_or_else(PoisonError::into_inner);
        // The count grows when the machine runs again, and is read some time later.
        let count = |at: i64| changes.iter().take_while(|(when, _)| *when <= at).last().map_or(0, |(_, total)| *total);
        Duration::from_millis(count(end + 2 * TICK as i64).saturating_sub(count(start)))
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

/// The eighth number of the first line of `/proc/stat`, in milliseconds. 0 where there is no such file.
fn total() -> u64 {
    let counts = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let stolen = counts.lines().next().and_then(|line| line.split_whitespace().nth(8)?.parse().ok());
    stolen.unwrap_or(0) * TICK
}
