//! Concurrency, and waiting for a condition, never for a fixed time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The interval between two checks: at first, and after a second, so that a long wait does not use up the rate limit.
const STEP: Duration = Duration::from_millis(20);
const LATER: Duration = Duration::from_millis(200);

/// The time limit of a wait: long enough that only an event that never happens exceeds it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(180);

/// Checks until there is a result; a timeout names what it waited for.
#[track_caller]
pub(crate) fn eventually<T>(what: &str, patience: Duration, mut look: impl FnMut() -> Option<T>) -> T {
    let mut waited = Duration::ZERO;
    loop {
        let began = stopwatch();
        if let Some(seen) = look() {
            return seen;
        }
        assert!(waited < patience, "waited {patience:?} for this, in vain: {what}");
        let step = if waited < Duration::from_secs(1) { STEP } else { LATER };
        std::thread::sleep(step);
        // A check that takes much longer than the step was delayed by the machine; count it only in part.
        waited += began.elapsed().min(5 * step);
    }
}

/// Checks a deadline of one second, not counting the time in which programs on this machine waited for a processor: a
/// busy machine does not fail the test, and a late service does not pass on a quiet one. The deciding check starts
/// after that second.
#[track_caller]
pub(crate) fn within_a_second<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let (began, mut calm) = (stopwatch(), Duration::ZERO);
    loop {
        let (start, stalled) = (stopwatch(), stalled());
        if let Some(seen) = look() {
            return seen;
        }
        assert!(calm < Duration::from_secs(1), "not within a second: {what}");
        assert!(began.elapsed() < PATIENCE, "not within {PATIENCE:?} on a busy machine: {what}");
        std::thread::sleep(if began.elapsed() < Duration::from_secs(1) { STEP } else { LATER });
        calm += start.elapsed().saturating_sub(self::stalled().saturating_sub(stalled));
    }
}

/// The total time in which some program has waited for a processor, if the kernel counts it.
fn stalled() -> Duration {
    let pressure = std::fs::read_to_string("/proc/pressure/cpu").unwrap_or_default();
    let total = pressure.lines().find_map(|line| line.strip_prefix("some ")?.rsplit_once("total=")?.1.parse().ok());
    Duration::from_micros(total.unwrap_or(0))
}

/// The time of day.
#[expect(clippy::disallowed_methods, reason = "tests are outside of the service and use the real clock")]
pub(crate) fn now() -> jiff::Timestamp {
    jiff::Timestamp::now()
}

/// A point in time to measure from.
#[expect(clippy::disallowed_methods, reason = "tests are outside of the service and use the real clock")]
pub(crate) fn stopwatch() -> Instant {
    Instant::now()
}

/// The pause between two checks.
pub(crate) fn pause() {
    std::thread::sleep(STEP);
}

/// Runs a function in several threads at once and returns the results; the test fails if one of them panics.
#[track_caller]
pub(crate) fn at_once<T: Send>(count: usize, act: impl Fn(usize) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let act = &act;
        let threads: Vec<_> = (0..count).map(|number| scope.spawn(move || act(number))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| panic!("one of the threads failed")))
            .collect()
    })
}

/// The lifetimes of servers that are killed: each as long as requested, but doubled for every earlier one without
/// progress, so that the test ends on a slow machine, too.
pub(crate) struct Lives<T> {
    done: Option<T>,
    stretch: u32,
}

impl<T: PartialEq> Lives<T> {
    pub(crate) fn new() -> Lives<T> {
        Lives { done: None, stretch: 1 }
    }

    /// Lets a server run for a while, given the progress so far.
    pub(crate) fn live(&mut self, done: T, moment: Duration) {
        let done = Some(done);
        self.stretch = if self.done == done { (2 * self.stretch).min(64) } else { 1 };
        self.done = done;
        std::thread::sleep(self.stretch * moment);
    }
}

/// Sets a flag when something has ended, even if the test fails.
pub(crate) struct Finish<'a>(pub &'a AtomicBool);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}
