//! The whole API on one screen, in reading order.

use crate::operation::Operation;
use crate::{contact, me, member, tag};

/// Every operation below `/api/v1` that takes a key.
pub fn all() -> impl Iterator<Item = &'static Operation> {
    let areas: [&[Operation]; 4] = [contact::OPERATIONS, tag::OPERATIONS, member::OPERATIONS, me::OPERATIONS];
    areas.into_iter().flatten()
}
