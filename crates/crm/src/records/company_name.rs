//! The part of a company that other records show.

use resource::{Ctx, Error, Resource, Saved, find};
use store::{Tx, Uuid};

/// The members of a company that other records show.
#[derive(Resource)]
#[resource(table = "companies", one = "company")]
pub struct CompanyName {
    pub id: Uuid,
    pub name: String,
}

/// The company with this id, if it exists.
pub fn named(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Option<Saved<CompanyName>>, Error> {
    match find::<CompanyName>(ctx, tx, id) {
        Err(Error::NotFound(_)) => Ok(None),
        found => found.map(Some),
    }
}
