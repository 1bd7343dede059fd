//! Pausing and resuming an enrollment.

use super::advance::{self, finish_step};
use super::context::SequenceContext;
use super::record::{Extra, change};
use super::state::{Cause, State, StepEnd};
use super::step_runs::{forget_run, open_run, withdraw};
use super::{Enrollment, EnrollmentStatus, RESUME};
use crate::api::call::{Call, Reply, show};
use crate::outreach::outbox;
use resource::{Ctx, Error, Saved, find, invalid};
use store::{Tx, Uuid, Value};

pub(super) fn pause(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let id = call.id(0, "enrollment")?;
    pause_by_user(&call.ctx, tx, id)?;
    show::<Enrollment>(&call.ctx, tx, id)
}

/// Pauses an active enrollment until a user resumes it.
pub fn pause_by_user(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    let saved = find::<Enrollment>(ctx, tx, id)?;
    if saved.record.status != EnrollmentStatus::Active {
        return Err(invalid(
            "status",
            format!("is {}; only an active enrollment can be paused", saved.record.status.word()),
        ));
    }
    let details = withdraw(ctx, tx, &saved, "the enrollment was paused")?;
    let cause = Cause::PausedByUser { is_sending: details.contains_key("sending") };
    change(ctx, tx, &saved, &cause, Extra::details(details)).map(drop)
}

pub(super) fn resume(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let asked = call.members(RESUME)?;
    let sent = if let Some(Value::Bool(sent)) = asked.named("sent") { Some(*sent) } else { None };
    let id = call.id(0, "enrollment")?;
    resume_by_user(&call.ctx, tx, id, sent)?;
    show::<Enrollment>(&call.ctx, tx, id)
}

/// Resumes a paused enrollment. If the outcome of its message is unknown, the user says whether it was sent.
pub fn resume_by_user(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, sent: Option<bool>) -> Result<(), Error> {
    let saved = find::<Enrollment>(ctx, tx, id)?;
    if saved.record.status != EnrollmentStatus::Paused {
        return Err(invalid(
            "status",
            format!("is {}; only a paused enrollment can go on", saved.record.status.word()),
        ));
    }
    let mut sequence = SequenceContext::of(ctx, tx, saved.record.sequence_id)?;
    match (State::of(&saved)?, sent) {
        (State::OutcomeUnknown, Some(sent)) => resume_with_outcome(ctx, tx, &mut sequence, &saved, sent),
        (State::OutcomeUnknown, None) => {
            let reason =
                "is required after outcome_unknown: true if the message arrived, false if it is to be sent again";
            Err(invalid("sent", reason))
        }
        (_, Some(_)) => Err(invalid("sent", "is only for an enrollment whose reason is outcome_unknown")),
        (_, None) => advance::resume(ctx, tx, &mut sequence, &saved, Cause::Resumed).map(drop),
    }
}

/// Resumes an enrollment whose user knows whether its message was sent.
fn resume_with_outcome(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &mut SequenceContext,
    saved: &Saved<Enrollment>,
    sent: bool,
) -> Result<(), Error> {
    let run = open_run(ctx, tx, saved)?;
    if let Some(message) = run.as_ref().and_then(|run| run.message) {
        outbox::resolve(ctx, tx, message, sent)?;
    }
    if !sent {
        // The step is not started any more: it is sent again, as a new message.
        if let Some(run) = run {
            forget_run(ctx, tx, saved.id, run.step)?;
        }
        return advance::resume(ctx, tx, sequence, saved, Cause::Resumed).map(drop);
    }
    let active = advance::resume(ctx, tx, sequence, saved, Cause::Resumed)?;
    let steps = sequence.steps(ctx, tx, saved.record.sequence_version)?;
    let step = run.and_then(|run| steps.iter().find(|step| step.id == run.step));
    match step {
        Some(step) => finish_step(ctx, tx, sequence, &active, step, (StepEnd::Sent, None)).map(drop),
        None => Ok(()),
    }
}
