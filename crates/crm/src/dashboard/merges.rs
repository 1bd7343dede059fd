//! Merges that the timeline tells of: who went into the record, and whether that can still be undone.

use crate::member::Role;
use crate::merge::described;
use crate::operation::{Operation, get};

pub const OPERATIONS: &[Operation] =
    &[get("/merges/{id}", "dashboard_merge", "Who was merged, and until when it can be undone")
        .role(Role::Member)
        .read(described)];
