//! Enrollments of a contact that is erased. They are deleted in the transaction that deletes the contact, with all messages
//! in the outbox, so that no sequence sends anything to the contact from then on.

use super::Enrollment;
use super::counts::{count, tally};
use super::enroll::unlist_contact;
use resource::{Batch, Ctx, Error};
use store::{Tx, Uuid};

/// Deletes the enrollments of a contact, and all of its messages in the outbox.
pub fn erase_all(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid) -> Result<(), Error> {
    const ENROLLMENTS: &str = "SELECT id FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 ORDER BY id";
    const RUNS: &str = "DELETE FROM step_runs WHERE workspace_id = $1 AND enrollment_id = $2";
    const STEPS: &str = "DELETE FROM sends WHERE workspace_id = $1 AND enrollment_id = $2";
    const MESSAGES: &str = "DELETE FROM sends WHERE workspace_id = $1 AND contact_id = $2";
    // The outcome of a message in flight is not recorded, because its row is gone.
    tx.execute(MESSAGES, &[ctx.workspace.into(), contact.into()])?;
    let ids = tx.rows(ENROLLMENTS, &[ctx.workspace.into(), contact.into()], |row| row.id(0))?;
    let mut records: Batch<Enrollment> = Batch::read(ctx, tx, ids.iter().copied())?;
    for id in ids {
        let saved = records.take(ctx, tx, id)?;
        let record = &saved.record;
        if let Some(step) = record.planned_step_id.filter(|_| record.status.is_open()) {
            tally(ctx, tx, step, "planned", -1)?;
        }
        count(ctx, tx, record.sequence_id, &[(record.status, -1)], -1)?;
        tx.execute(STEPS, &[ctx.workspace.into(), id.into()])?;
        tx.execute(RUNS, &[ctx.workspace.into(), id.into()])?;
        resource::erase(ctx, tx, &saved, "deleted")?;
        unlist_contact(ctx, tx, record.sequence_id, contact)?;
    }
    Ok(())
}
