//! What every workspace starts with: when it is made, and when a newer version brings more.

use crate::{pipeline, reason, template};
use resource::{Ctx, Error};
use store::{Tx, Uuid};

type Piece = fn(&Ctx, &mut dyn Tx) -> Result<(), Error>;

/// In the order in which they came to be; a workspace remembers how many it has had. What somebody has removed since is
/// not brought back.
const PIECES: &[Piece] = &[reason::first, template::first, pipeline::furnish];

/// Workspaces that lack something.
pub fn bare(tx: &mut dyn Tx) -> Result<Vec<Uuid>, Error> {
    const BARE: &str = "SELECT workspace_id FROM heads WHERE furnished < $1 ORDER BY workspace_id";
    Ok(tx.rows(BARE, &[(PIECES.len() as i64).into()], |row| row.id(0))?)
}

/// Gives the workspace what it lacks; again changes nothing.
pub fn furnish(ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
    const HAS: &str = "SELECT furnished FROM heads WHERE workspace_id = $1";
    const DONE: &str = "UPDATE heads SET furnished = $1 WHERE workspace_id = $2";
    let has = tx.one(HAS, &[ctx.workspace.into()], |row| row.int(0))?.unwrap_or(0);
    for piece in PIECES.iter().skip(has.unsigned_abs() as usize) {
        piece(ctx, tx)?;
    }
    // A newer program's pieces stay counted.
    Ok(tx.execute(DONE, &[has.max(PIECES.len() as i64).into(), ctx.workspace.into()])?)
}
