//! Many records at once: imports, exports, bulk requests, demo data, workspace defaults.

pub mod bulk;
pub mod demo;
pub mod export;
pub mod import;
pub mod tabular;
pub mod workspace_defaults;
