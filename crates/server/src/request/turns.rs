//! Requests that run one after another on this node, by a name that they share.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, Weak};
use tokio::sync::OwnedMutexGuard;

/// Held while a request runs.
pub(crate) type Turn = OwnedMutexGuard<()>;

/// The names of requests that run or wait.
pub(crate) struct Turns<N>(Mutex<HashMap<N, Weak<tokio::sync::Mutex<()>>>>);

impl<N> Default for Turns<N> {
    fn default() -> Self {
        Turns(Mutex::default())
    }
}

impl<N: Eq + Hash> Turns<N> {
    /// Waits until no other request with this name runs. Requests get their turns in the order in which they asked.
    pub(crate) async fn take(&self, name: N) -> Turn {
        let running = {
            let mut all = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            match all.get(&name).and_then(Weak::upgrade) {
                Some(running) => running,
                None => {
                    all.retain(|_, running| running.strong_count() > 0);
                    let running = Arc::default();
                    all.insert(name, Arc::downgrade(&running));
                    running
                }
            }
        };
        running.lock_owned().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test]
    async fn requests_with_one_name_run_one_after_another() {
        let turns = Turns::default();
        let first = turns.take("a").await;
        let soon = Duration::from_millis(20);
        assert!(tokio::time::timeout(soon, turns.take("a")).await.is_err(), "the name is taken");
        let other = turns.take("b").await;
        drop(first);
        let second = turns.take("a").await;
        drop((second, other));
        let _third = turns.take("c").await;
        assert_eq!(turns.0.lock().expect("a map").len(), 1, "names that nobody uses are removed");
    }
}
