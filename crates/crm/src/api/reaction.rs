//! Consequences of a changed record in other areas. An area must not import the areas above it, so it calls this trait,
//! and `reactions.rs`, above all areas, implements it for each kind of record.

use resource::{Changes, Ctx, Error, Resource, Saved};
use store::{Tx, Uuid};

pub trait Reacts: Resource {
    /// After a record was created, in the same transaction.
    fn created(_: &Ctx, _: &mut dyn Tx, _: Uuid, _: &Changes) -> Result<(), Error>
    where
        Self: Sized,
    {
        Ok(())
    }

    /// After these changes were written to a record, in the same transaction.
    fn changed(_: &Ctx, _: &mut dyn Tx, _before: &Saved<Self>, _: &Changes) -> Result<(), Error>
    where
        Self: Sized,
    {
        Ok(())
    }

    /// After a record was deleted, in the same transaction.
    fn deleted(_: &Ctx, _: &mut dyn Tx, _: Uuid) -> Result<(), Error>
    where
        Self: Sized,
    {
        Ok(())
    }
}

/// Records that can be erased with all data that belongs to them, in all areas.
pub trait Erases: Resource {
    /// Erases some of it at once, the rest by a job.
    fn erase(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Self>) -> Result<(), Error>
    where
        Self: Sized;
}
