//! The operations of the dashboard besides the public API: everything below `/dashboard` that needs a session, with the
//! lowest role that may call it. The rules are shared with the commands, and check permissions that are finer than a
//! role.

pub mod accounts;
pub mod answers;
pub mod cv;
pub mod fields;
pub mod keys;
pub mod mail_images;
pub mod merges;
pub mod oauth;
pub mod open;
pub mod own;
pub mod people;
pub mod pipelines;
pub mod preview;
pub mod requests;
pub mod system;
pub mod views;
pub mod workspace;

pub use own::session_of;

use crate::api::call::Call;
use crate::api::operation::Operation;
use crate::api::scope::Role;
use resource::Error;

pub fn all() -> impl Iterator<Item = &'static Operation> {
    let areas: [&[Operation]; 15] = [
        own::OPERATIONS,
        keys::OPERATIONS,
        requests::OPERATIONS,
        people::OPERATIONS,
        workspace::OPERATIONS,
        fields::OPERATIONS,
        pipelines::OPERATIONS,
        accounts::OPERATIONS,
        oauth::OPERATIONS,
        views::OPERATIONS,
        preview::OPERATIONS,
        cv::OPERATIONS,
        mail_images::OPERATIONS,
        merges::OPERATIONS,
        system::OPERATIONS,
    ];
    areas.into_iter().flatten()
}

/// The role of the signed-in user.
pub fn role(call: &Call) -> Role {
    call.key.role.unwrap_or(Role::Member)
}

/// Requires at least this role.
pub fn require(role: Role, least: Role) -> Result<(), Error> {
    match role.is(least) {
        true => Ok(()),
        false => Err(Error::Role(format!("this needs the role {}; yours is {}", least.word(), role.word()))),
    }
}
