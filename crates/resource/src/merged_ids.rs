//! The ids of merged records, which stay aliases of the surviving record's id.

use crate::{Ctx, Error};
use store::Tx;
use uuid::Uuid;

/// The record that this one was merged into, if any.
pub fn survivor(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Option<Uuid>, Error> {
    const NEW: &str = "SELECT new_id FROM merged_ids WHERE workspace_id = $1 AND old_id = $2";
    Ok(tx.one(NEW, &[ctx.workspace.into(), id.into()], |row| row.id(0))?)
}

/// The id of the record and all of its aliases.
pub fn all_of(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Vec<Uuid>, Error> {
    const OLD: &str = "SELECT old_id FROM merged_ids WHERE workspace_id = $1 AND new_id = $2";
    let id = survivor(ctx, tx, id)?.unwrap_or(id);
    let mut ids = vec![id];
    ids.extend(tx.rows(OLD, &[ctx.workspace.into(), id.into()], |row| row.id(0))?);
    Ok(ids)
}
