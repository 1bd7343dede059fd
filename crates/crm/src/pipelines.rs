//! Records that move through stages: projects and their entries, deals, and tasks.

pub mod deal;
pub mod entry;
pub mod pipeline;
pub mod positions;
pub mod project;
pub mod reason;
pub mod sums;
pub mod sync;
pub mod task;
pub mod template;
