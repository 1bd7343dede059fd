//! The queue of writes, by workspace.

use super::lock;
use crate::group::{Unit, full};
use crate::idle::{GIVE_WAY, Idle, wake};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Mutex;
use std::thread;
use uuid::Uuid;

/// The largest number of units that share a commit.
const GROUP: usize = 64;
const WAITING: usize = 4096;

/// Waiting units by workspace. One thread at a time works on a workspace; units without a workspace are each a
/// transaction of their own.
#[derive(Default)]
pub(super) struct Writes {
    state: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    loose: VecDeque<Unit>,
    by_workspace: HashMap<Uuid, VecDeque<Unit>>,
    ready: VecDeque<Uuid>,
    busy: HashSet<Uuid>,
    count: usize,
    idle: Idle,
    closed: bool,
}

impl Waiting {
    fn has_work(&self) -> bool {
        !self.loose.is_empty() || !self.ready.is_empty()
    }
}

impl Writes {
    pub(super) fn push(&self, unit: Unit) {
        let mut state = lock(&self.state);
        if state.closed || state.count >= WAITING {
            drop(state);
            return unit.fail(full());
        }
        state.count += 1;
        metrics::gauge!("relata_writer_queue").set(state.count as f64);
        match unit.workspace {
            None => state.loose.push_back(unit),
            Some(workspace) => {
                let queue = state.by_workspace.entry(workspace).or_default();
                queue.push_back(unit);
                if queue.len() > 1 || state.busy.contains(&workspace) {
                    return;
                }
                state.ready.push_back(workspace);
            }
        }
        let idle = state.idle.take_last();
        drop(state);
        wake(idle);
    }

    /// The next workspace with work, or units without a workspace; `None` once closed and empty. A thread that has no
    /// connection yet first leaves the work to those that have one.
    pub(super) fn next(&self, connected: bool) -> Option<Next> {
        let (mut state, mut gave_way) = (lock(&self.state), false);
        state.idle.opened();
        loop {
            while state.has_work() && !connected && !state.idle.may_open(gave_way) {
                drop(state);
                thread::sleep(GIVE_WAY);
                (state, gave_way) = (lock(&self.state), true);
            }
            if let Some(unit) = state.loose.pop_front() {
                state.count -= 1;
                return Some(Next::Loose(unit));
            }
            if let Some(workspace) = state.ready.pop_front() {
                state.busy.insert(workspace);
                return Some(Next::Workspace(workspace));
            }
            if state.closed {
                return None;
            }
            state.idle.enter();
            drop(state);
            thread::park();
            (state, gave_way) = (lock(&self.state), false);
            state.idle.leave();
        }
    }

    pub(super) fn take(&self, workspace: Uuid) -> Vec<Unit> {
        let mut state = lock(&self.state);
        let units: Vec<Unit> = match state.by_workspace.get_mut(&workspace) {
            Some(queue) => queue.drain(..queue.len().min(GROUP)).collect(),
            None => Vec::new(),
        };
        state.count -= units.len();
        units
    }

    /// The thread that releases a workspace asks for the next work at once, so it wakes no other.
    pub(super) fn release(&self, workspace: Uuid) {
        let mut state = lock(&self.state);
        state.busy.remove(&workspace);
        if state.by_workspace.get(&workspace).is_some_and(|queue| !queue.is_empty()) {
            state.ready.push_back(workspace);
        } else {
            state.by_workspace.remove(&workspace);
        }
    }

    pub(super) fn close(&self) {
        let mut state = lock(&self.state);
        state.closed = true;
        wake(state.idle.take_all());
    }
}

pub(super) enum Next {
    Loose(Unit),
    Workspace(Uuid),
}
