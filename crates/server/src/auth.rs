//! Keys: told apart from noise by their checksum, found by their hash, kept until something changes.

use crate::clock::now_ms;
use crm::key::{IDENTIFY, Identity, USED, identity, well_formed};
use crm::meta::Secret;
use papaya::HashMap;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use store::{Store, Uuid};
use tokio::sync::watch;

pub struct Keys {
    secret: Secret,
    known: HashMap<Vec<u8>, Arc<Identity>>,
    /// Moves whenever what is known is dropped, so that an answer read before is not kept after.
    epoch: AtomicU64,
    /// Tells those who hold on to an identity that it may have changed.
    changed: watch::Sender<u64>,
    used: Mutex<BTreeMap<Uuid, i64>>,
}

/// Unknown hashes kept at most; then all are read again.
const KNOWN: usize = 100_000;

impl Keys {
    pub fn new(secret: Secret) -> Self {
        let (changed, _) = watch::channel(0);
        Keys { secret, known: HashMap::new(), epoch: AtomicU64::new(0), changed, used: Mutex::new(BTreeMap::new()) }
    }

    /// The key of `Authorization: Bearer …`, if it opens anything.
    pub async fn identify(&self, store: &Store, header: Option<&str>) -> Result<Option<Arc<Identity>>, store::Error> {
        let Some(key) = header.and_then(bearer).filter(|key| well_formed(key)) else { return Ok(None) };
        let hash = self.secret.hash(key);
        let known = self.known.pin().get(&hash).cloned();
        let identity = match known {
            Some(identity) => identity,
            None => match self.look_up(store, hash).await? {
                Some(identity) => identity,
                None => return Ok(None),
            },
        };
        if identity.expires_at.is_some_and(|at| at <= now_ms()) {
            return Ok(None);
        }
        Ok(Some(identity))
    }

    async fn look_up(&self, store: &Store, hash: Vec<u8>) -> Result<Option<Arc<Identity>>, store::Error> {
        let epoch = self.epoch.load(Ordering::Acquire);
        let found = store.point(IDENTIFY, &[hash.clone().into()], identity).await?;
        let Some(identity) = found.map(Arc::new) else { return Ok(None) };
        let known = self.known.pin();
        if known.len() >= KNOWN {
            known.clear();
        }
        if self.epoch.load(Ordering::Acquire) == epoch {
            known.insert(hash.clone(), identity.clone());
            if self.epoch.load(Ordering::Acquire) != epoch {
                known.remove(&hash);
            }
        }
        Ok(Some(identity))
    }

    pub fn forget(&self) {
        self.epoch.fetch_add(1, Ordering::AcqRel);
        self.known.pin().clear();
        self.changed.send_modify(|changes| *changes += 1);
    }

    /// Changes of keys from now on, the last one included.
    pub fn changes(&self) -> watch::Receiver<u64> {
        let mut changes = self.changed.subscribe();
        changes.mark_changed();
        changes
    }

    pub fn note_use(&self, key: Uuid) {
        let now = now_ms();
        let mut used = self.used.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        used.insert(key, now);
    }

    /// In the order of ids, so that two nodes never wait for each other crosswise.
    pub async fn write_used(&self, store: &Store) {
        let used = std::mem::take(&mut *self.used.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
        if used.is_empty() {
            return;
        }
        let written = store.bookkeep(move |tx| {
            for (key, at) in &used {
                tx.execute(USED, &[(*at).into(), (*key).into()])?;
            }
            Ok::<_, store::Error>(())
        });
        if let Err(error) = written.await {
            tracing::warn!(%error, "the last use of keys could not be noted");
        }
    }
}

fn bearer(header: &str) -> Option<&str> {
    let (scheme, key) = header.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}
