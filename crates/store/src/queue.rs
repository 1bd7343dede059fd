//! A bounded queue between async callers and threads.

use crate::idle::{GIVE_WAY, Idle, wake};
use crate::instant::instant;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

pub(crate) struct Queue<T> {
    state: Mutex<State<T>>,
    room: usize,
}

struct State<T> {
    items: VecDeque<T>,
    idle: Idle,
    closed: bool,
}

impl<T> Queue<T> {
    pub(crate) fn new(room: usize) -> Self {
        let state = State { items: VecDeque::new(), idle: Idle::default(), closed: false };
        Queue { state: Mutex::new(state), room }
    }

    /// Returns the item if the queue is full or closed.
    pub(crate) fn push(&self, item: T) -> Result<(), T> {
        let mut state = self.lock();
        if state.closed || state.items.len() >= self.room {
            return Err(item);
        }
        state.items.push_back(item);
        let idle = state.idle.take_last();
        drop(state);
        wake(idle);
        Ok(())
    }

    /// The next item; `None` once the queue is closed and empty. A thread that has no connection yet first leaves the
    /// work to those that have one.
    pub(crate) fn pop(&self, connected: bool) -> Option<T> {
        let (mut state, mut gave_way) = (self.lock(), false);
        state.idle.opened();
        loop {
            while !state.items.is_empty() && !connected && !state.idle.may_open(gave_way) {
                drop(state);
                thread::sleep(GIVE_WAY);
                (state, gave_way) = (self.lock(), true);
            }
            if let Some(item) = state.items.pop_front() {
                return Some(item);
            }
            if state.closed {
                return None;
            }
            state.idle.enter();
            drop(state);
            thread::park();
            (state, gave_way) = (self.lock(), false);
            state.idle.leave();
        }
    }

    /// The next item, or `None` if none came in time or the queue is closed and empty.
    pub(crate) fn pop_within(&self, time: Duration) -> Option<T> {
        let end = instant() + time;
        let mut state = self.lock();
        loop {
            let rest = end.saturating_duration_since(instant());
            if !state.items.is_empty() || state.closed || rest.is_zero() {
                return state.items.pop_front();
            }
            state.idle.enter();
            drop(state);
            thread::park_timeout(rest);
            state = self.lock();
            state.idle.leave();
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        let state = self.lock();
        state.closed && state.items.is_empty()
    }

    /// Up to `most` items that are waiting already.
    pub(crate) fn drain(&self, most: usize) -> Vec<T> {
        let mut state = self.lock();
        let n = most.min(state.items.len());
        state.items.drain(..n).collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.lock().items.len()
    }

    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        wake(state.idle.take_all());
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // A panic can't leave the list half-changed, because no code that panics runs under the lock.
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Waits for the threads to end, up to a limit.
pub(crate) fn join(threads: Vec<std::thread::JoinHandle<()>>) {
    let end = instant() + Duration::from_secs(8);
    for thread in threads {
        while !thread.is_finished() && instant() < end {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Counts a pool's thread as busy until it is dropped.
pub(crate) struct Busy(&'static str);

impl Busy {
    pub(crate) fn new(pool: &'static str) -> Self {
        metrics::gauge!("relata_pool_busy", "pool" => pool).increment(1.0);
        Busy(pool)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        metrics::gauge!("relata_pool_busy", "pool" => self.0).decrement(1.0);
    }
}
