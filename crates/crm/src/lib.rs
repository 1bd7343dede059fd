//! The business rules: functions over a transaction, one file per resource, in areas. No HTTP, no async, no clock, no
//! driver.
//!
//! An area imports only from the areas below it in this list, and modules never import each other in a circle;
//! `tests/tidy.rs` checks both.

pub mod check;
pub mod clock;
pub mod erasure;
pub mod jobs;
pub mod operations;
mod reactions;
pub mod resources;

pub mod api;
pub mod collaboration;
pub mod dashboard;
pub mod outreach;
pub mod pipelines;
pub mod records;
pub mod sourcing;
pub mod tenant;
pub mod transfer;
