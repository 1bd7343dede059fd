//! The outbox and the message of a step: whether the message may be sent now, and what its outcome means for the enrollment.

use super::advance::finish_step;
use super::batch::EnrollmentBatch;
use super::bounces::check_bounces;
use super::decide;
use super::record::{Extra, change, end, note_delay};
use super::state::{Cause, Kind, StepEnd};
use super::step_runs::{close, mark, mark_unknown};
use super::stored_state::Hold;
use super::{Enrollment, MaySend, Run, StepOutcome};
use crate::records::contact::{self, Contact};
use resource::{Ctx, Error, Saved, find};
use serde_json::{Map, json};
use store::{Tx, Uuid};

/// Whether the message of a step may be sent now. Runs in the transaction that marks the message as `sending`.
/// `is_read` says whether what arrived at the account has been read.
pub fn may_send(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    batch: &mut EnrollmentBatch,
    run: &Run,
    is_read: bool,
) -> Result<MaySend, Error> {
    let (saved, now) = (batch.enrollments.take(ctx, tx, run.enrollment_id)?, tx.stamp());
    let is_planned = saved.record.planned_step_id == Some(run.step_id);
    if let Some(answer) = decide::enrollment_forbids(saved.record.status, is_planned) {
        return Ok(answer);
    }
    if let Some(answer) = decide::unread_forbids(is_read, saved.record.fresh, now) {
        return Ok(answer);
    }
    let sequence = batch.sequences.of(ctx, tx, saved.record.sequence_id)?;
    if let Some(answer) = decide::sequence_forbids(sequence.sequence.record.status, now) {
        return Ok(answer);
    }
    let contact = batch.contacts.take(ctx, tx, saved.record.contact_id)?;
    Ok(decide::schedule_allows(&sequence.schedule_for(&contact.record), now))
}

/// Records what became of a step's message. Runs in the transaction that records the outcome of the delivery, and plans the
/// next step in it.
pub fn record_step_outcome(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    batch: &mut EnrollmentBatch,
    run: &Run,
    message: Uuid,
    outcome: &StepOutcome,
) -> Result<(), Error> {
    let saved = batch.enrollments.take(ctx, tx, run.enrollment_id)?;
    let is_current = batch.is_open(ctx, tx, &saved, run, message)?;
    let is_open = saved.record.status.is_open() && is_current;
    match outcome {
        StepOutcome::Sent if is_open => sent(ctx, tx, batch, run, saved),
        // The enrollment ended while its message was in flight.
        StepOutcome::Sent => close(ctx, tx, run, message, "sent", None),
        StepOutcome::Bounced(why) => {
            const BOUNCED: &str = "UPDATE messages SET bounced_at = $1 WHERE workspace_id = $2 AND id = $3";
            close(ctx, tx, run, message, "sent", None)?;
            mark(ctx, tx, run, "bounced")?;
            let now = tx.stamp();
            tx.execute(BOUNCED, &[now.into(), ctx.workspace.into(), message.into()])?;
            check_bounces(ctx, tx, message)?;
            match is_open {
                true => end(ctx, tx, &saved, &Cause::Bounced { why: why.clone() }).map(drop),
                false => Ok(()),
            }
        }
        StepOutcome::Failed(why) => {
            close(ctx, tx, run, message, "failed", Some(why))?;
            if !is_open {
                return Ok(());
            }
            let contact = find::<Contact>(ctx, tx, saved.record.contact_id)?.record;
            let is_excluded = contact::forbids(contact.archived_at.is_some(), contact.do_not_contact).is_some();
            end(ctx, tx, &saved, &decide::failed(is_excluded, why)).map(drop)
        }
        StepOutcome::Unknown(_) => {
            mark_unknown(ctx, tx, run)?;
            if !is_open {
                return Ok(());
            }
            let details = Map::from_iter([("message_id".to_owned(), json!([null, message]))]);
            change(ctx, tx, &saved, &Cause::OutcomeUnknown, Extra::details(details)).map(drop)
        }
        StepOutcome::Later { until, why } if is_open => {
            note_delay(ctx, tx, &saved, Hold { rule: "outbox".into(), reason: why.clone(), until: *until })
        }
        StepOutcome::Later { .. } => Ok(()),
    }
}

fn sent(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    batch: &mut EnrollmentBatch,
    run: &Run,
    saved: Saved<Enrollment>,
) -> Result<(), Error> {
    let sequence = batch.sequences.of(ctx, tx, saved.record.sequence_id)?;
    std::mem::swap(&mut sequence.contacts, &mut batch.contacts);
    let steps = sequence.steps(ctx, tx, saved.record.sequence_version)?;
    if let Some(step) = steps.iter().find(|step| step.id == run.step_id) {
        let saved = match Kind::of(&saved.record) {
            Kind::OutcomeUnknown => change(ctx, tx, &saved, &Cause::FoundSent, Extra::default())?,
            _ => saved,
        };
        finish_step(ctx, tx, sequence, &saved, step, (StepEnd::Sent, None))?;
    }
    std::mem::swap(&mut sequence.contacts, &mut batch.contacts);
    Ok(())
}
