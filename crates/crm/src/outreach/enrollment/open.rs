//! Enrollments that still have steps before them.

use super::EnrollmentStatus;
use resource::{Ctx, Error, StoredRow};
use serde_json::{Map, Value as Json};
use store::{Tx, Uuid, Value};

/// A contact, and the variables of its enrollment.
pub type OpenVariables = (Uuid, Map<String, Json>);

/// The contacts of open enrollments with their variables, at most `most` of each status.
pub fn open_variables(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid, most: i64) -> Result<Vec<OpenVariables>, Error> {
    const OPEN: &str = "SELECT contact_id, custom_variables FROM enrollments \
         WHERE workspace_id = $1 AND sequence_id = $2 AND status = $3 ORDER BY id LIMIT $4";
    let mut open = Vec::new();
    for status in [EnrollmentStatus::Active, EnrollmentStatus::Paused] {
        let params: [Value; 4] = [ctx.workspace.into(), sequence.into(), status.word().into(), most.into()];
        open.extend(tx.rows(OPEN, &params, |row| Ok((row.id(0)?, row.json(1)?)))?);
    }
    Ok(open)
}
