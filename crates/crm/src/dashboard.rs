//! What the dashboard needs beside the public API: every operation below `/dashboard` that takes a session, with the least
//! role that may do it. Its rules are those of the commands; what is finer than a role stands in the rule.

pub mod accounts;
pub mod cv;
pub mod fields;
pub mod keys;
pub mod merges;
pub mod own;
pub mod people;
pub mod pipelines;
pub mod preview;
pub mod requests;
pub mod system;
pub mod views;
pub mod workspace;

pub use own::session_of;

use crate::member::Role;
use crate::operation::{Call, Operation};
use resource::Error;

pub fn all() -> impl Iterator<Item = &'static Operation> {
    let areas: [&[Operation]; 13] = [
        own::OPERATIONS,
        keys::OPERATIONS,
        requests::OPERATIONS,
        people::OPERATIONS,
        workspace::OPERATIONS,
        fields::OPERATIONS,
        pipelines::OPERATIONS,
        accounts::OPERATIONS,
        views::OPERATIONS,
        preview::OPERATIONS,
        cv::OPERATIONS,
        merges::OPERATIONS,
        system::OPERATIONS,
    ];
    areas.into_iter().flatten()
}

/// The role of whoever is signed in.
pub fn role(call: &Call) -> Role {
    call.key.role.unwrap_or(Role::Member)
}

/// Refuses what asks for a higher role than this one.
pub fn require(role: Role, least: Role) -> Result<(), Error> {
    match role.is(least) {
        true => Ok(()),
        false => Err(Error::Role(format!("this needs the role {}; yours is {}", least.word(), role.word()))),
    }
}
