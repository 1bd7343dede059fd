//! Caches of database contents in the memory of a process. Each entry is compared with a stamp of the current snapshot
//! before it is used, so that it is never stale and may be dropped at any time.
//!
//! Only committed values are cached. All units of a group commit have one stamp, so a write must not cache what it read
//! under its own stamp: a later unit of the same commit may still change it (`is_committed`).

use lru::LruCache;
use papaya::HashMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use store::Tx;
use uuid::Uuid;

const TOTALS: NonZeroUsize = NonZeroUsize::new(10_000).expect("not zero");
/// Names per workspace before the cache is dropped and filled again.
const NAMES: usize = 50_000;

pub struct Memory {
    names: HashMap<Uuid, Arc<Names>>,
    totals: Mutex<LruCache<String, (i64, i64)>>,
    label_texts: HashMap<Uuid, (i64, LabelTexts)>,
    definitions: HashMap<(Uuid, String), (i64, Definitions)>,
}

type Definitions = Arc<Vec<crate::definition::Definition>>;

/// All labels of a workspace, as plain texts for searches.
pub(crate) type LabelTexts = Arc<Vec<(Uuid, String)>>;

/// Tag names of a workspace as of one stamp; `None` means that the tag was deleted.
pub(crate) struct Names {
    pub stamp: i64,
    pub by_id: HashMap<Uuid, Option<Arc<str>>>,
}

impl Names {
    pub(crate) fn new(stamp: i64) -> Names {
        Names { stamp, by_id: HashMap::new() }
    }
}

impl Default for Memory {
    fn default() -> Self {
        Memory {
            names: HashMap::new(),
            totals: Mutex::new(LruCache::new(TOTALS)),
            label_texts: HashMap::new(),
            definitions: HashMap::new(),
        }
    }
}

/// Whether everything that `stamp` covers is committed: always in a read, in a write only if an earlier commit set it.
pub(crate) fn is_committed(tx: &dyn Tx, stamp: i64) -> bool {
    tx.stamp() == 0 || stamp < tx.stamp()
}

impl Memory {
    /// The definitions of custom fields, if the cache has those of `stamp`.
    pub(crate) fn definitions(&self, workspace: Uuid, entity: &str, stamp: i64) -> Option<Definitions> {
        let known = self.definitions.pin();
        known.get(&(workspace, entity.to_owned())).filter(|(at, _)| *at == stamp).map(|(_, read)| read.clone())
    }

    pub(crate) fn cache_definitions(&self, workspace: Uuid, entity: &str, stamp: i64, read: Definitions) {
        self.definitions.pin().insert((workspace, entity.to_owned()), (stamp, read));
    }

    /// The cached names for `workspace` as of `stamp`; an empty cache if the stamp has changed.
    pub(crate) fn names(&self, workspace: Uuid, stamp: i64) -> Arc<Names> {
        let names = self.names.pin();
        if let Some(known) = names.get(&workspace)
            && known.stamp == stamp
            && known.by_id.len() < NAMES
        {
            return known.clone();
        }
        let fresh = Arc::new(Names::new(stamp));
        // An older snapshot must not replace what a newer one has read.
        if names.get(&workspace).is_none_or(|known| known.stamp <= stamp) {
            names.insert(workspace, fresh.clone());
        }
        fresh
    }

    /// A total that was counted when the collection had this `stamp`.
    pub(crate) fn total(&self, key: &str, stamp: i64) -> Option<i64> {
        let mut totals = self.totals.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        totals.get(key).filter(|(at, _)| *at == stamp).map(|(_, total)| *total)
    }

    pub(crate) fn cache_total(&self, key: String, stamp: i64, total: i64) {
        self.totals.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).put(key, (stamp, total));
    }

    /// The texts of all labels, if the cache has those of `stamp`.
    pub(crate) fn label_texts(&self, workspace: Uuid, stamp: i64) -> Option<LabelTexts> {
        let known = self.label_texts.pin();
        known.get(&workspace).filter(|(at, _)| *at == stamp).map(|(_, texts)| texts.clone())
    }

    pub(crate) fn cache_label_texts(&self, workspace: Uuid, stamp: i64, texts: LabelTexts) {
        self.label_texts.pin().insert(workspace, (stamp, texts));
    }
}
