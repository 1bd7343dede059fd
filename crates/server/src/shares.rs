//! A bounded number of things that requests hold: for all workspaces together, and for each of them, so that one leaves room
//! to the others.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};
use store::Uuid;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub(crate) struct Shares {
    all: Arc<Semaphore>,
    each: usize,
    by_workspace: Mutex<HashMap<Uuid, Weak<Semaphore>>>,
}

/// The right to hold one of them.
pub(crate) struct Share {
    _own: OwnedSemaphorePermit,
    _all: OwnedSemaphorePermit,
}

impl Shares {
    /// At most `all` together and `each` for a workspace.
    pub(crate) fn new(all: usize, each: usize) -> Shares {
        Shares { all: Arc::new(Semaphore::new(all)), each, by_workspace: Mutex::default() }
    }

    /// A share; `None` if there is none left.
    pub(crate) fn try_take(&self, workspace: Uuid) -> Option<Share> {
        let own = self.of(workspace).try_acquire_owned().ok()?;
        Some(Share { _own: own, _all: self.all.clone().try_acquire_owned().ok()? })
    }

    /// Waits for a share: first for one of the workspace, so that it does not hold up others meanwhile. The semaphores are
    /// never closed, so that there is always one in the end.
    pub(crate) async fn take(&self, workspace: Uuid) -> Option<Share> {
        let own = self.of(workspace).acquire_owned().await.ok()?;
        Some(Share { _own: own, _all: self.all.clone().acquire_owned().await.ok()? })
    }

    fn of(&self, workspace: Uuid) -> Arc<Semaphore> {
        let mut all = self.by_workspace.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(own) = all.get(&workspace).and_then(Weak::upgrade) {
            return own;
        }
        all.retain(|_, own| own.strong_count() > 0);
        let own = Arc::new(Semaphore::new(self.each));
        all.insert(workspace, Arc::downgrade(&own));
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test]
    async fn a_workspace_leaves_room_to_others() {
        let (shares, one, two, three) = (Shares::new(3, 2), Uuid::new_v4(), Uuid::new_v4(), Uuid::new_v4());
        let first = [shares.try_take(one), shares.try_take(one)];
        assert!(first.iter().all(Option::is_some) && shares.try_take(one).is_none(), "two for each");
        let second = shares.try_take(two);
        assert!(second.is_some() && shares.try_take(three).is_none(), "three for all");
        let soon = Duration::from_millis(20);
        assert!(tokio::time::timeout(soon, shares.take(three)).await.is_err(), "it waits");
        drop(first);
        assert!(shares.take(three).await.is_some());
        drop(second);
        assert!(shares.try_take(one).is_some());
        assert_eq!(shares.by_workspace.lock().expect("a map").len(), 1, "workspaces without a share are removed");
    }
}
