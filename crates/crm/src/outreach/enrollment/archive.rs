//! Archived sequences: their open enrollments end.

use super::record::end;
use super::state::Cause;
use super::{Enrollment, EnrollmentStatus};
use resource::{Ctx, Error, find};
use store::{Tx, Uuid};

/// Ends open enrollments of an archived sequence, at most `most`; true if there are more.
pub fn end_of_sequence(ctx: &Ctx, tx: &mut dyn Tx, sequence: &str, most: i64) -> Result<bool, Error> {
    const OPEN: &str =
        "SELECT id FROM enrollments WHERE workspace_id = $1 AND sequence_id = $2 AND status = $3 ORDER BY id LIMIT $4";
    let sequence = Uuid::try_parse(sequence).map_err(|_| store::Error::unreadable("is not an id"))?;
    let (mut left, mut damaged) = (most, None);
    for status in [EnrollmentStatus::Active, EnrollmentStatus::Paused] {
        let params = [ctx.workspace.into(), sequence.into(), status.word().into(), left.into()];
        for id in tx.rows(OPEN, &params, |row| row.id(0))? {
            let saved = match find::<Enrollment>(ctx, tx, id) {
                Err(error) if error.is_corrupt() => {
                    damaged = Some(error);
                    continue;
                }
                found => found?,
            };
            end(ctx, tx, &saved, &Cause::SequenceArchived)?;
            left -= 1;
            // The first 50 end in one transaction however long it takes.
            if most - left >= 50 && !tx.has_time() {
                return Ok(true);
            }
        }
    }
    match damaged {
        // Only damaged rows are left.
        Some(error) if left == most => Err(error),
        Some(_) => Ok(true),
        None => Ok(left == 0),
    }
}
