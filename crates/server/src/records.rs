//! Answers that show one record, kept as they were sent for as long as nobody writes to its workspace (`Store::moment`).

use bytes::Bytes;
use crm::operation::{Content, Reply};
use lru::LruCache;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard};
use store::Uuid;

/// What kind of record, in which workspace, and which.
pub type Which = (&'static str, Uuid, Uuid);
type Moment = (u64, u64);

/// Requests that look at different records hardly ever wait for each other.
const SHELVES: usize = 16;
/// All that is kept, in bytes; the oldest goes first.
const MOST: usize = 32 << 20;
/// What an answer takes besides its body, about.
const BESIDES: usize = 256;

pub struct Records {
    shelves: [Mutex<Shelf>; SHELVES],
    hasher: RandomState,
}

struct Shelf {
    kept: LruCache<Which, Kept>,
    size: usize,
}

struct Kept {
    moment: Moment,
    version: Option<i64>,
    body: Bytes,
}

impl Default for Records {
    fn default() -> Self {
        let shelf = || Mutex::new(Shelf { kept: LruCache::unbounded(), size: 0 });
        Records { shelves: std::array::from_fn(|_| shelf()), hasher: RandomState::new() }
    }
}

impl Records {
    fn shelf(&self, which: &Which) -> MutexGuard<'_, Shelf> {
        let shelf = &self.shelves[self.hasher.hash_one(which) as usize % SHELVES];
        // Nothing that panics runs under the lock.
        shelf.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub fn get(&self, which: &Which, moment: Moment) -> Option<Reply> {
        let mut shelf = self.shelf(which);
        let kept = shelf.kept.get(which).filter(|kept| kept.moment == moment)?;
        let data = Content::Ready { body: kept.body.clone(), replayed: false };
        Some(Reply { version: kept.version, ..Reply::of(data) })
    }

    /// Keeps the answer, which was read after `moment` was seen.
    pub fn keep(&self, which: Which, moment: Moment, reply: Reply) -> Reply {
        let Some(body) = reply.data.body() else { return reply };
        let mut shelf = self.shelf(&which);
        shelf.size += body.len() + BESIDES;
        if let Some((_, old)) = shelf.kept.push(which, Kept { moment, version: reply.version, body: body.clone() }) {
            shelf.size -= old.body.len() + BESIDES;
        }
        while shelf.size > MOST / SHELVES
            && let Some((_, old)) = shelf.kept.pop_lru()
        {
            shelf.size -= old.body.len() + BESIDES;
        }
        Reply { data: Content::Ready { body, replayed: false }, ..reply }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_bounded_and_of_its_moment() {
        let (records, workspace) = (Records::default(), Uuid::from_u128(1));
        let reply = || Reply::of(Content::Json(vec![b' '; 10_000]));
        let which = |n| ("contact", workspace, Uuid::from_u128(n));
        for n in 0..10_000 {
            records.keep(which(n), (2, 1), reply());
        }
        let kept: usize = records.shelves.iter().map(|shelf| shelf.lock().unwrap().kept.len()).sum();
        let size: usize = records.shelves.iter().map(|shelf| shelf.lock().unwrap().size).sum();
        assert!(size <= MOST && kept * 10_000 <= MOST && kept > 2_000, "{kept} answers, {size} bytes");
        assert!(records.get(&which(9_999), (2, 1)).is_some());
        for moment in [(4, 1), (2, 2)] {
            assert!(records.get(&which(9_999), moment).is_none(), "{moment:?}");
        }
        assert!(records.get(&("company", workspace, Uuid::from_u128(9_999)), (2, 1)).is_none());
    }
}
