//! Doing things at once, and waiting for a condition, never for a length of time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often a condition is looked at: at first, and once it has taken a second, so that a long wait does not use up the
/// requests of an hour.
const STEP: Duration = Duration::from_millis(20);
const LATER: Duration = Duration::from_millis(200);

/// For what comes when it comes: long enough that a story fails by it only if it never does.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Looks until there is something to see; a story that waits for what never comes says what it waited for.
#[track_caller]
pub fn eventually<T>(what: &str, patience: Duration, mut look: impl FnMut() -> Option<T>) -> T {
    let mut waited = Duration::ZERO;
    loop {
        let began = stopwatch();
        if let Some(seen) = look() {
            return seen;
        }
        assert!(waited < patience, "waited {patience:?} for this, in vain: {what}");
        let step = if waited < Duration::from_secs(1) { STEP } else { LATER };
        std::thread::sleep(step);
        // What takes much longer than this, the machine had no time for us.
        waited += began.elapsed().min(5 * step);
    }
}

/// Holds the service to "within a second" of time in which no program on this machine waited for a processor: a busy
/// machine cannot fail a story, and a service that is late cannot pass one on a quiet machine. The look that decides
/// begins after that second.
#[track_caller]
pub fn within_a_second<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let (began, mut calm) = (stopwatch(), Duration::ZERO);
    loop {
        let (start, stalled) = (stopwatch(), stalled());
        if let Some(seen) = look() {
            return seen;
        }
        assert!(calm < Duration::from_secs(1), "waited a second for this, in vain: {what}");
        assert!(began.elapsed() < PATIENCE, "waited {PATIENCE:?} on a busy machine for this, in vain: {what}");
        std::thread::sleep(if began.elapsed() < Duration::from_secs(1) { STEP } else { LATER });
        calm += start.elapsed().saturating_sub(self::stalled().saturating_sub(stalled));
    }
}

/// For how long in all some program has waited for a processor, where the kernel counts that.
fn stalled() -> Duration {
    let pressure = std::fs::read_to_string("/proc/pressure/cpu").unwrap_or_default();
    let total = pressure.lines().find_map(|line| line.strip_prefix("some ")?.rsplit_once("total=")?.1.parse().ok());
    Duration::from_micros(total.unwrap_or(0))
}

/// The time of day.
#[expect(clippy::disallowed_methods, reason = "a story stands outside of the service, where clocks run by themselves")]
pub fn now() -> jiff::Timestamp {
    jiff::Timestamp::now()
}

/// Something to measure with.
#[expect(clippy::disallowed_methods, reason = "a story stands outside of the service, where clocks run by themselves")]
pub fn stopwatch() -> Instant {
    Instant::now()
}

/// The time between two looks.
pub fn pause() {
    std::thread::sleep(STEP);
}

/// Does a thing in several threads at once and gives back what each came to; a story fails if one of them does.
#[track_caller]
pub fn at_once<T: Send>(count: usize, act: impl Fn(usize) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let act = &act;
        let threads: Vec<_> = (0..count).map(|number| scope.spawn(move || act(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| panic!("one of them failed"))).collect()
    })
}

/// The lives of servers that are killed: each as long as it is told, and twice as long for every one before it in which
/// nothing was done, so that they come to an end on a slow machine, too.
pub struct Lives<T> {
    done: Option<T>,
    stretch: u32,
}

impl<T: PartialEq> Lives<T> {
    pub fn new() -> Lives<T> {
        Lives { done: None, stretch: 1 }
    }

    /// Lets a server live for a moment, given what has been done until now.
    pub fn live(&mut self, done: T, moment: Duration) {
        let done = Some(done);
        self.stretch = if self.done == done { (2 * self.stretch).min(64) } else { 1 };
        self.done = done;
        std::thread::sleep(self.stretch * moment);
    }
}

/// Tells others that something has ended, also when the story fails.
pub struct Finish<'a>(pub &'a AtomicBool);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}
