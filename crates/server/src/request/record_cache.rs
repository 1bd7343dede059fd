//! Cached answers with one record. An entry is valid until the next commit to its workspace (`Store::commit_epoch`).

use bytes::Bytes;
use crm::api::call::{Content, Reply};
use lru::LruCache;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard};
use store::Uuid;

/// The type of the record, its workspace and its id.
pub(crate) type Which = (&'static str, Uuid, Uuid);
type Epoch = (u64, u64);

/// Each shard has a lock of its own, so that requests for different records rarely wait for each other.
const SHARDS: usize = 16;
/// The size of the whole cache in bytes. The least recently used answers are removed first.
const MOST: usize = 32 << 20;
/// The approximate memory of an entry besides its body.
const OVERHEAD: usize = 256;

pub(crate) struct RecordCache {
    shards: [Mutex<Shard>; SHARDS],
    hasher: RandomState,
}

struct Shard {
    entries: LruCache<Which, Entry>,
    size: usize,
}

struct Entry {
    epoch: Epoch,
    version: Option<i64>,
    body: Bytes,
}

impl Default for RecordCache {
    fn default() -> Self {
        let shard = || Mutex::new(Shard { entries: LruCache::unbounded(), size: 0 });
        RecordCache { shards: std::array::from_fn(|_| shard()), hasher: RandomState::new() }
    }
}

impl RecordCache {
    fn shard(&self, which: &Which) -> MutexGuard<'_, Shard> {
        let shard = &self.shards[self.hasher.hash_one(which) as usize % SHARDS];
        // No code that can panic runs under the lock.
        shard.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub(crate) fn get(&self, which: &Which, epoch: Epoch) -> Option<Reply> {
        let mut shard = self.shard(which);
        let entry = shard.entries.get(which).filter(|entry| entry.epoch == epoch)?;
        let data = Content::Ready { body: entry.body.clone(), replayed: false };
        Some(Reply { version: entry.version, ..Reply::of(data) })
    }

    /// Caches the answer. The caller has read `epoch` before the record.
    pub(crate) fn put(&self, which: Which, epoch: Epoch, reply: Reply) -> Reply {
        let Some(body) = reply.data.body() else { return reply };
        let mut shard = self.shard(&which);
        shard.size += body.len() + OVERHEAD;
        if let Some((_, old)) = shard.entries.push(which, Entry { epoch, version: reply.version, body: body.clone() }) {
            shard.size -= old.body.len() + OVERHEAD;
        }
        while shard.size > MOST / SHARDS
            && let Some((_, old)) = shard.entries.pop_lru()
        {
            shard.size -= old.body.len() + OVERHEAD;
        }
        Reply { data: Content::Ready { body, replayed: false }, ..reply }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_bounded_and_depends_on_the_epoch() {
        let (records, workspace) = (RecordCache::default(), Uuid::from_u128(1));
        let reply = || Reply::of(Content::Json(vec![b' '; 10_000]));
        let which = |n| ("contact", workspace, Uuid::from_u128(n));
        for n in 0..10_000 {
            records.put(which(n), (2, 1), reply());
        }
        let count: usize = records.shards.iter().map(|shard| shard.lock().unwrap().entries.len()).sum();
        let size: usize = records.shards.iter().map(|shard| shard.lock().unwrap().size).sum();
        assert!(size <= MOST && count * 10_000 <= MOST && count > 2_000, "{count} answers, {size} bytes");
        assert!(records.get(&which(9_999), (2, 1)).is_some());
        for epoch in [(4, 1), (2, 2)] {
            assert!(records.get(&which(9_999), epoch).is_none(), "{epoch:?}");
        }
        assert!(records.get(&("company", workspace, Uuid::from_u128(9_999)), (2, 1)).is_none());
    }
}
