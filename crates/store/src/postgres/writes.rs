//! The queue of writes, by workspace.

use super::lock;
use crate::group::{Unit, full};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Condvar, Mutex};
use uuid::Uuid;

/// The largest number of units that share a commit.
const GROUP: usize = 64;
const WAITING: usize = 4096;

/// Waiting units by workspace. One thread at a time works on a workspace; units without a workspace are each a
/// transaction of their own.
#[derive(Default)]
pub(super) struct Writes {
    state: Mutex<Waiting>,
    arrived: Condvar,
}

#[derive(Default)]
struct Waiting {
    loose: VecDeque<Unit>,
    by_workspace: HashMap<Uuid, VecDeque<Unit>>,
    ready: VecDeque<Uuid>,
    busy: HashSet<Uuid>,
    count: usize,
    closed: bool,
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
        drop(state);
        self.arrived.notify_one();
    }

    /// The next workspace with work, or units without a workspace; `None` once closed and empty.
    pub(super) fn next(&self) -> Option<Next> {
        let mut state = lock(&self.state);
        loop {
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
            state = self.arrived.wait(state).unwrap_or_else(|poisoned| poisoned.into_inner());
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

    pub(super) fn release(&self, workspace: Uuid) {
        let mut state = lock(&self.state);
        state.busy.remove(&workspace);
        if state.by_workspace.get(&workspace).is_some_and(|queue| !queue.is_empty()) {
            state.ready.push_back(workspace);
            self.arrived.notify_one();
        } else {
            state.by_workspace.remove(&workspace);
        }
    }

    pub(super) fn close(&self) {
        lock(&self.state).closed = true;
        self.arrived.notify_all();
    }
}

pub(super) enum Next {
    Loose(Unit),
    Workspace(Uuid),
}
