//! Tenants: workspaces, members, sign-in and sessions, credits and storage.

pub mod attempt;
pub mod credits;
pub mod email;
pub mod invitation;
pub mod me;
pub mod member;
pub mod session;
pub mod sign_in;
pub mod storage;
pub mod stored_files;
pub mod workspace;
