//! The business, one file per resource: rules over a transaction. No HTTP, no async, no clock, no driver.

pub mod contact;
pub mod cv;
pub mod document;
pub mod file;
pub mod job;
pub mod key;
pub mod me;
pub mod member;
pub mod meta;
pub mod operation;
pub mod operations;
pub mod scope;
pub mod tag;
pub mod workspace;
