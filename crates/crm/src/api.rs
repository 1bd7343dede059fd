//! The common base of all areas: operations as values, scopes and keys, idempotency, the job queue, the timeline and
//! the change feed.

pub mod call;
pub mod effects;
pub mod feed;
pub mod idempotency;
pub mod key;
pub mod meta;
pub mod operation;
pub mod private;
pub mod queue;
pub mod reaction;
pub mod scope;
pub mod seal;
pub mod search;
pub mod selection;
pub mod timeline;
