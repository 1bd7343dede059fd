//! What a process keeps in memory of the database. Checked against a stamp of the same snapshot
//! before it is believed, so it can be lost at any time and is never wrong. Definitions alone are dropped when the
//! installation's configuration moves, within a fraction of a second.

use lru::LruCache;
use papaya::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use uuid::Uuid;

const TOTALS: NonZeroUsize = NonZeroUsize::new(10_000).expect("not zero");
/// Names kept per workspace before they are dropped and read again.
const NAMES: usize = 50_000;

pub struct Memory {
    names: HashMap<Uuid, Arc<Names>>,
    totals: Mutex<LruCache<String, (i64, i64)>>,
    label_texts: HashMap<Uuid, (i64, LabelTexts)>,
    definitions: HashMap<(Uuid, String), Definitions>,
    generation: AtomicU64,
}

type Definitions = Arc<Vec<crate::custom::Definition>>;

/// All labels of a workspace, as texts in which words are looked for.
pub(crate) type LabelTexts = Arc<Vec<(Uuid, String)>>;

/// Tag names of a workspace as of one stamp; `None` is a tag that is gone.
pub(crate) struct Names {
    pub stamp: i64,
    pub by_id: HashMap<Uuid, Option<Arc<str>>>,
}

impl Default for Memory {
    fn default() -> Self {
        Memory {
            names: HashMap::new(),
            totals: Mutex::new(LruCache::new(TOTALS)),
            label_texts: HashMap::new(),
            definitions: HashMap::new(),
            generation: AtomicU64::new(0),
        }
    }
}

impl Memory {
    /// Drops the definitions of custom fields, since somebody may have changed them.
    pub fn forget_definitions(&self) {
        self.generation.fetch_add(1, Ordering::SeqCst);
        self.definitions.pin().clear();
    }

    /// Counts how often definitions were dropped: what was read before is not to be kept after.
    pub(crate) fn generation(&self) -> u64 {
        self.generation.load(Ordering::SeqCst)
    }

    pub(crate) fn definitions(&self, workspace: Uuid, entity: &str) -> Option<Definitions> {
        self.definitions.pin().get(&(workspace, entity.to_owned())).cloned()
    }

    pub(crate) fn keep_definitions(&self, workspace: Uuid, entity: &str, read: Definitions, generation: u64) {
        let definitions = self.definitions.pin();
        definitions.insert((workspace, entity.to_owned()), read);
        if self.generation() != generation {
            definitions.remove(&(workspace, entity.to_owned()));
        }
    }

    /// The names known for `workspace` as of `stamp`, none of them yet if the stamp has moved.
    pub(crate) fn names(&self, workspace: Uuid, stamp: i64) -> Arc<Names> {
        let names = self.names.pin();
        if let Some(known) = names.get(&workspace)
            && known.stamp == stamp
            && known.by_id.len() < NAMES
        {
            return known.clone();
        }
        let fresh = Arc::new(Names { stamp, by_id: HashMap::new() });
        // An older snapshot must not push out what a newer one has read.
        if names.get(&workspace).is_none_or(|known| known.stamp <= stamp) {
            names.insert(workspace, fresh.clone());
        }
        fresh
    }

    /// A total counted when the collection stood at `stamp`.
    pub(crate) fn total(&self, key: &str, stamp: i64) -> Option<i64> {
        let mut totals = self.totals.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        totals.get(key).filter(|(at, _)| *at == stamp).map(|(_, total)| *total)
    }

    pub(crate) fn keep_total(&self, key: String, stamp: i64, total: i64) {
        self.totals.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).put(key, (stamp, total));
    }

    /// The texts of all labels, if they are known as of `stamp`.
    pub(crate) fn label_texts(&self, workspace: Uuid, stamp: i64) -> Option<LabelTexts> {
        let known = self.label_texts.pin();
        known.get(&workspace).filter(|(at, _)| *at == stamp).map(|(_, texts)| texts.clone())
    }

    pub(crate) fn keep_label_texts(&self, workspace: Uuid, stamp: i64, texts: LabelTexts) {
        self.label_texts.pin().insert(workspace, (stamp, texts));
    }
}
