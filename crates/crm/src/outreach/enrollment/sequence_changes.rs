//! Enrollments follow a change of their sequence: of its status, its priority or its schedule.

use super::advance;
use super::archive::end_of_sequence;
use super::record::pace;
use crate::api::queue;
use crate::outreach::sequence::{Sequence, SequencePriority, SequenceStatus};
use resource::{Ctx, Error, Saved, find};
use store::{Tx, Uuid};

/// Ends the enrollments of an archived sequence; the payload is its id.
pub const END: &str = "sequence.end_enrollments";
/// Moves enrollments to a changed schedule; the payload is the sequence's id and the last enrollment that was moved.
pub const RESCHEDULE: &str = "sequence.reschedule";
/// How many enrollments end or move in the transaction of the request; a job does the others.
const AT_ONCE: i64 = 50;

/// After a sequence was changed, in the same transaction.
pub fn sequence_changed(ctx: &Ctx, tx: &mut dyn Tx, before: &Saved<Sequence>) -> Result<(), Error> {
    let (id, after) = (before.id, find::<Sequence>(ctx, tx, before.id)?.record);
    if after.schedule_config.0 != before.record.schedule_config.0
        && let Some(last) = advance::reschedule(ctx, tx, id, Uuid::nil(), AT_ONCE)?
    {
        queue::enqueue(ctx, tx, RESCHEDULE, &format!("{id} {last}"))?;
    }
    set_pace(ctx, tx, id, &after)?;
    if after.status == SequenceStatus::Archived && end_of_sequence(ctx, tx, &id.to_string(), AT_ONCE)? {
        queue::enqueue(ctx, tx, END, &id.to_string())?;
    }
    Ok(())
}

/// Moves more enrollments to the new schedule; true if there are others.
pub fn move_to_schedule(ctx: &Ctx, tx: &mut dyn Tx, job: Uuid, most: i64) -> Result<bool, Error> {
    let Some(payload) = queue::payload(ctx, tx, job)? else { return Ok(false) };
    let ids = |payload: &str| {
        let (id, after) = payload.split_once(' ')?;
        Some((Uuid::try_parse(id).ok()?, Uuid::try_parse(after).ok()?))
    };
    let (id, after) = queue::place(&job).word(&payload, ids)?;
    let last = advance::reschedule(ctx, tx, id, after, most)?;
    if let Some(last) = last {
        queue::note(ctx, tx, job, &format!("{id} {last}"))?;
    }
    let sequence = find::<Sequence>(ctx, tx, id)?.record;
    set_pace(ctx, tx, id, &sequence)?;
    Ok(last.is_some())
}

/// Wakes the engine if the sequence is active, and stops its ticks otherwise.
fn set_pace(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, sequence: &Sequence) -> Result<(), Error> {
    if sequence.status == SequenceStatus::Draft {
        return Ok(());
    }
    let high = sequence.priority == SequencePriority::High;
    pace(ctx, tx, id, sequence.status == SequenceStatus::Active, high)
}
