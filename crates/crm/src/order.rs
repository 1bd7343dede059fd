//! Records that stand in an order which somebody gave them: places from 0, without gaps.

use resource::{Changes, Ctx, Error, Resource, find, update};
use store::{Tx, Uuid};

/// Gives these records their places in this order.
pub fn arrange<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, order: &[Uuid]) -> Result<(), Error> {
    for (position, id) in order.iter().enumerate() {
        let mut changes = Changes::default();
        changes.set(R::FIELDS, "position", position as i64);
        let saved = find::<R>(ctx, tx, *id)?;
        update(ctx, tx, &saved, &changes)?;
    }
    Ok(())
}

/// The same order with one of them at another place; one that was not among them joins them.
pub fn with_at(order: impl Iterator<Item = Uuid>, id: Uuid, position: usize) -> Vec<Uuid> {
    let mut order: Vec<Uuid> = order.filter(|other| *other != id).collect();
    order.insert(position.min(order.len()), id);
    order
}
