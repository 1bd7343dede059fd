//! Contacts and companies, and the data that both have: tags, custom fields, CVs.

pub mod archive;
pub mod cleanup;
pub mod collection;
pub mod company;
pub mod company_name;
pub mod contact;
pub mod custom_field;
pub mod cv;
pub mod document;
pub mod erased_address;
pub mod merge_log;
pub mod references;
pub mod tag;
