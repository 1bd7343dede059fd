//! Manual orders of records: positions from 0, without gaps.

use resource::{Changes, Column, Ctx, Error, Resource, find, update};
use store::{Tx, Uuid};

/// Writes the positions of these records in this order.
pub fn arrange<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, column: Column<i64>, order: &[Uuid]) -> Result<(), Error> {
    for (position, id) in order.iter().enumerate() {
        let mut changes = Changes::default();
        changes.set(column, position as i64);
        let saved = find::<R>(ctx, tx, *id)?;
        update(ctx, tx, &saved, &changes)?;
    }
    Ok(())
}

/// The order with one record moved to another position; a new record is inserted.
pub fn with_at(order: impl Iterator<Item = Uuid>, id: Uuid, position: usize) -> Vec<Uuid> {
    let mut order: Vec<Uuid> = order.filter(|other| *other != id).collect();
    order.insert(position.min(order.len()), id);
    order
}
