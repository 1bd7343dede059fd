//! The defaults of a workspace: created with it, and extended by newer versions.

use crate::pipelines::{pipeline, reason, template};
use resource::{Ctx, Error};
use store::{Tx, Uuid};

type Create = fn(&Ctx, &mut dyn Tx) -> Result<(), Error>;

/// In the order in which they were introduced; a workspace stores how many it has received. Removed defaults are not
/// created again.
const DEFAULTS: &[Create] = &[reason::first, template::first, pipeline::first];

/// Workspaces that lack some defaults.
pub fn incomplete(tx: &mut dyn Tx) -> Result<Vec<Uuid>, Error> {
    const INCOMPLETE: &str = "SELECT workspace_id FROM heads WHERE defaults_version < $1 ORDER BY workspace_id";
    Ok(tx.rows(INCOMPLETE, &[(DEFAULTS.len() as i64).into()], |row| row.id(0))?)
}

/// Creates the defaults that a workspace lacks; repeating it changes nothing.
pub fn create_missing(ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
    const HAS: &str = "SELECT defaults_version FROM heads WHERE workspace_id = $1";
    const DONE: &str = "UPDATE heads SET defaults_version = $1 WHERE workspace_id = $2";
    let has = tx.one(HAS, &[ctx.workspace.into()], |row| row.int(0))?.unwrap_or(0);
    for create in DEFAULTS.iter().skip(has.unsigned_abs() as usize) {
        create(ctx, tx)?;
    }
    // A newer version may have created more.
    Ok(tx.execute(DONE, &[has.max(DEFAULTS.len() as i64).into(), ctx.workspace.into()])?)
}
