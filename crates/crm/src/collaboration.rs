//! Work on records together: notes, files, duplicates and merges.

pub mod duplicate;
pub mod file;
pub mod merge;
pub mod note;
