//! Details of a merge for the timeline: the merged records, and whether it can still be undone.

use super::answers::MergeDetails;
use crate::api::operation::{Operation, get};
use crate::api::scope::Role;
use crate::collaboration::merge::described;

pub const OPERATIONS: &[Operation] =
    &[get("/merges/{id}", "dashboard_merge", "Who was merged, and until when it can be undone")
        .gives::<MergeDetails>(&[200])
        .role(Role::Member)
        .read(described)];
