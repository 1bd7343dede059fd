//! The business, one file per resource: rules over a transaction. No HTTP, no async, no clock, no driver.

mod archive;
pub mod collection;
pub mod company;
pub mod contact;
pub mod custom_field;
pub mod cv;
pub mod demo;
pub mod document;
pub mod duplicate;
pub mod export;
pub mod file;
pub mod import;
pub mod job;
pub mod key;
pub mod me;
pub mod member;
pub mod merge;
pub mod meta;
pub mod note;
pub mod operation;
pub mod operations;
pub mod scope;
pub mod search;
pub mod sheet;
pub mod tag;
pub mod timeline;
pub mod workspace;
