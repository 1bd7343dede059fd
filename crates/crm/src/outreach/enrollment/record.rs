//! Writes enrollments. `change` is the only writer of an enrollment's state; it refuses what `transition` does not allow.

use super::Enrollment;
use super::counts::Counts;
use super::state::{Activity, Cause, Kind, transition};
use super::step_runs::{drop_task, withdraw};
use super::stored_state::{Hold, StoredState, ThreadOf};
use crate::outreach::account::Channel;
use crate::outreach::sequence::plan::Delay;
use resource::{Changes, Ctx, Error, Resource, Saved, updated};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid, Value};

/// What a change of state writes besides.
#[derive(Default)]
pub(super) struct Extra {
    pub changes: Changes,
    /// Further members of the event.
    pub details: Map<String, Json>,
}

impl Extra {
    pub(super) fn details(details: Map<String, Json>) -> Extra {
        Extra { details, ..Extra::default() }
    }
}

/// Changes the state of an enrollment.
pub(super) fn change(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<Enrollment>,
    cause: &Cause,
    extra: Extra,
) -> Result<Saved<Enrollment>, Error> {
    let mut counts = Counts::default();
    let after = change_counting(ctx, tx, &mut counts, saved, cause, extra)?;
    counts.write(ctx, tx, saved.record.sequence_id)?;
    Ok(after)
}

/// Like `change`, but the caller writes the counts.
pub(super) fn change_counting(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    counts: &mut Counts,
    saved: &Saved<Enrollment>,
    cause: &Cause,
    extra: Extra,
) -> Result<Saved<Enrollment>, Error> {
    let to = transition(Kind::of(&saved.record), cause)?;
    let mut changes = extra.changes;
    write_state(&mut changes, saved, cause, to, tx.stamp())?;
    save_counting(ctx, tx, counts, saved, &changes, &cause.verb(to), &extra.details)
}

/// Ends an enrollment. A message that is still in the outbox is cancelled; one that is being sent is named in the event.
pub(super) fn end(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<Enrollment>,
    cause: &Cause,
) -> Result<Saved<Enrollment>, Error> {
    let mut counts = Counts::default();
    let after = end_counting(ctx, tx, &mut counts, saved, cause)?;
    counts.write(ctx, tx, saved.record.sequence_id)?;
    Ok(after)
}

/// Like `end`, but the caller writes the counts.
pub(super) fn end_counting(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    counts: &mut Counts,
    saved: &Saved<Enrollment>,
    cause: &Cause,
) -> Result<Saved<Enrollment>, Error> {
    let mut extra = Extra::default();
    if saved.record.status.is_open() {
        let reason = cause.reason();
        extra.details = withdraw(ctx, tx, saved, reason.as_deref().unwrap_or("the enrollment ended"))?;
        drop_task(ctx, tx, saved)?;
    }
    change_counting(ctx, tx, counts, saved, cause, extra)
}

/// The columns that a cause changes.
fn write_state(
    changes: &mut Changes,
    saved: &Saved<Enrollment>,
    cause: &Cause,
    to: Kind,
    now: i64,
) -> Result<(), Error> {
    let stored = || StoredState::of(saved);
    let reason = || cause.reason();
    changes.set(Enrollment::STATUS, cause.status(to));
    match cause {
        // Enrolling inserts its row itself; an undo of a merge brings the columns with it.
        Cause::Enrolled | Cause::MergeUndone { .. } => {}
        Cause::StepPlanned { step, due_at, used_reply } => {
            let mut stored = StoredState { held: None, ..stored()? };
            stored.replied_used = used_reply.or(stored.replied_used);
            stored.write(changes);
            changes.set(Enrollment::CURRENT_STEP_ID, *step);
            changes.set(Enrollment::PLANNED_STEP_ID, *step);
            changes.set(Enrollment::NEXT_STEP_AT, *due_at);
            changes.set(Enrollment::DUE_AT, *due_at);
        }
        Cause::BranchUndecided { until } => {
            StoredState { held: None, ..stored()? }.write(changes);
            changes.set(Enrollment::CURRENT_STEP_ID, saved.record.done_step_id);
            changes.clear(Enrollment::NEXT_STEP_AT);
            changes.set(Enrollment::DUE_AT, *until);
        }
        Cause::Rescheduled { due_at, .. } => {
            if to == Kind::Scheduled {
                StoredState { held: None, ..stored()? }.write(changes);
                changes.set(Enrollment::NEXT_STEP_AT, *due_at);
            }
            changes.set(Enrollment::DUE_AT, *due_at);
        }
        Cause::Postponed(hold) => {
            StoredState { held: Some(hold.clone()), ..stored()? }.write(changes);
            changes.set(Enrollment::NEXT_STEP_AT, hold.until);
            changes.set(Enrollment::DUE_AT, hold.until);
            changes.set(Enrollment::REASON, reason());
        }
        // `message_queued` writes the rest without an event.
        Cause::MessageQueued | Cause::FoundSent => changes.clear(Enrollment::REASON),
        Cause::TaskCreated => {
            StoredState { held: None, ..stored()? }.write(changes);
            changes.clear(Enrollment::NEXT_STEP_AT);
            changes.clear(Enrollment::DUE_AT);
            changes.set(Enrollment::REASON, reason());
        }
        Cause::StepOver(_) => {
            StoredState { held: None, ..stored()? }.write(changes);
            if to == Kind::Deciding {
                changes.clear(Enrollment::REASON);
            }
            clear_plan(changes);
        }
        Cause::PausedByUser { .. } => {
            StoredState { paused_until: None, held: None, ..stored()? }.write(changes);
            changes.set(Enrollment::REASON, reason());
            changes.clear(Enrollment::DUE_AT);
        }
        Cause::Resumed(activity) | Cause::AbsenceOver(activity) => {
            StoredState { paused_until: None, held: None, ..stored()? }.write(changes);
            changes.set(Enrollment::REASON, reason());
            write_activity(changes, *activity);
        }
        Cause::OutOfOffice { until } => {
            StoredState { paused_until: Some(*until), ..stored()? }.write(changes);
            changes.set(Enrollment::REASON, reason());
            changes.set(Enrollment::DUE_AT, *until);
        }
        Cause::Retried { due_at } => {
            StoredState { held: None, ..stored()? }.write(changes);
            changes.clear(Enrollment::REASON);
            changes.clear(Enrollment::FINISHED_AT);
            changes.set(Enrollment::DUE_AT, *due_at);
        }
        Cause::Upgraded { due_at, .. } => {
            changes.set(Enrollment::CURRENT_STEP_ID, saved.record.done_step_id);
            changes.clear(Enrollment::PLANNED_STEP_ID);
            changes.clear(Enrollment::NEXT_STEP_AT);
            if let Some(due_at) = due_at {
                StoredState { held: None, ..stored()? }.write(changes);
                changes.clear(Enrollment::REASON);
                changes.set(Enrollment::DUE_AT, *due_at);
            }
        }
        Cause::OutcomeUnknown => {
            changes.set(Enrollment::REASON, reason());
            changes.clear(Enrollment::DUE_AT);
            changes.clear(Enrollment::NEXT_STEP_AT);
        }
        Cause::NoStepLeft { .. }
        | Cause::StepFailed { .. }
        | Cause::Replied
        | Cause::ColleagueReplied
        | Cause::Bounced { .. }
        | Cause::Unsubscribed
        | Cause::Complained
        | Cause::RemovedByUser
        | Cause::ContactExcluded { .. }
        | Cause::SequenceArchived
        | Cause::Merged { .. } => {
            changes.set(Enrollment::REASON, reason());
            if saved.record.status.is_open() {
                write_end(changes, saved, now);
            }
        }
    }
    Ok(())
}

fn write_activity(changes: &mut Changes, activity: Activity) {
    match activity {
        Activity::Deciding { due_at } => changes.set(Enrollment::DUE_AT, due_at),
        Activity::Scheduled { due_at } => {
            changes.set(Enrollment::DUE_AT, due_at);
            changes.set(Enrollment::NEXT_STEP_AT, due_at);
        }
        Activity::NoDayLeft => {
            changes.clear(Enrollment::DUE_AT);
            changes.clear(Enrollment::NEXT_STEP_AT);
        }
        Activity::WaitsForTask | Activity::WaitsForDelivery => {}
    }
}

fn clear_plan(changes: &mut Changes) {
    changes.clear(Enrollment::PLANNED_STEP_ID);
    changes.clear(Enrollment::NEXT_STEP_AT);
    changes.clear(Enrollment::DUE_AT);
}

fn write_end(changes: &mut Changes, saved: &Saved<Enrollment>, now: i64) {
    changes.set(Enrollment::FINISHED_AT, now);
    clear_plan(changes);
    if let Some(done) = saved.record.done_step_id {
        changes.set(Enrollment::CURRENT_STEP_ID, done);
    }
}

/// The planned step's message is in the outbox. The thread and the due time change without an event.
pub(super) fn message_queued(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<Enrollment>,
    channel: Channel,
    thread: ThreadOf,
) -> Result<(), Error> {
    let mut stored = StoredState { held: None, ..StoredState::of(saved)? };
    stored.threads.insert(channel.word().into(), thread);
    change(ctx, tx, saved, &Cause::MessageQueued, Extra::default())?;
    save_quietly(ctx, tx, saved.id, None, &stored)
}

const LATER: &str = "UPDATE enrollments SET next_step_at = $1 WHERE workspace_id = $2 AND id = $3";

/// A rule delays the planned step; the engine looks again at `look_at`. The same rule with the same reason as before makes no
/// new event.
pub(super) fn postpone(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<Enrollment>,
    delay: &Delay,
    look_at: i64,
) -> Result<(), Error> {
    let hold = Hold { rule: delay.rule.into(), reason: delay.reason.clone(), until: delay.at };
    let mut stored = StoredState::of(saved)?;
    let is_known = stored.held.as_ref().is_some_and(|held| held.rule == hold.rule && held.reason == hold.reason);
    if !is_known {
        change(ctx, tx, saved, &Cause::Postponed(hold.clone()), Extra::default())?;
    }
    stored.held = Some(hold);
    let shown = known_time(tx.now(), delay.at);
    tx.execute(LATER, &[shown.into(), ctx.workspace.into(), saved.id.into()])?;
    save_quietly(ctx, tx, saved.id, Some(look_at), &stored)
}

/// A time to show; `None` if it only stands for a wait without an end.
pub(super) fn known_time(now: i64, at: i64) -> Option<i64> {
    const YEAR: i64 = 365 * 24 * 60 * 60 * 1000;
    (at < now + YEAR).then_some(at)
}

/// A rule delays the message that waits in the outbox. The same reason as before makes no new event.
pub(super) fn note_delay(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, hold: Hold) -> Result<(), Error> {
    let (reason, shown) = (format!("blocked: {}", hold.reason), known_time(tx.now(), hold.until));
    let stored = StoredState { held: Some(hold), ..StoredState::of(saved)? };
    if saved.record.reason.as_deref() == Some(&reason) {
        tx.execute(LATER, &[shown.into(), ctx.workspace.into(), saved.id.into()])?;
        return save_quietly(ctx, tx, saved.id, saved.record.due_at.map(|due| due.0), &stored);
    }
    let mut changes = Changes::default();
    stored.write(&mut changes);
    changes.set(Enrollment::NEXT_STEP_AT, shown);
    changes.set(Enrollment::REASON, reason);
    save(ctx, tx, saved, &changes, "updated", &Map::new()).map(drop)
}

/// How many enrollments get the reason of a common wait: those that are next. The others get it when their turn comes.
const NEXT: i64 = 500;

/// Says why the enrollments wait whose messages wait for this account, where nothing is said yet.
pub fn note_wait_for_account(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid, why: &str) -> Result<(), Error> {
    const WAITING: &str = "UPDATE enrollments SET reason = $1, updated_at = $2, version = version + 1 \
         WHERE workspace_id = $3 AND status = 'active' AND reason IS NULL AND id IN (SELECT enrollment_id FROM sends \
         WHERE workspace_id = $3 AND account_id = $4 AND state = 'queued' AND enrollment_id IS NOT NULL ORDER BY due_at LIMIT $5)";
    let (now, reason) = (tx.stamp(), format!("blocked: {why}"));
    tx.execute(WAITING, &[reason.into(), now.into(), ctx.workspace.into(), account.into(), NEXT.into()])?;
    list_again(tx);
    Ok(())
}

/// Says why the due enrollments of this sequence wait, where nothing is said yet.
pub(super) fn note_wait_for_sequence(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid, why: &str) -> Result<(), Error> {
    const WAITING: &str = "UPDATE enrollments SET reason = $1, updated_at = $2, version = version + 1 \
         WHERE workspace_id = $3 AND status = 'active' AND reason IS NULL AND id IN (SELECT id FROM enrollments \
         WHERE workspace_id = $3 AND sequence_id = $4 AND fresh = $5 AND due_at <= $2 ORDER BY due_at, id LIMIT $6)";
    let (now, reason) = (tx.stamp(), format!("blocked: {why}"));
    for fresh in [false, true] {
        let params: [Value; 6] =
            [reason.as_str().into(), now.into(), ctx.workspace.into(), sequence.into(), fresh.into(), NEXT.into()];
        tx.execute(WAITING, &params)?;
    }
    list_again(tx);
    Ok(())
}

/// Marks the collection as changed, so that cached lists of enrollments are read again.
fn list_again(tx: &mut dyn Tx) {
    tx.tally(store::Tally { collection: Enrollment::ABOUT.table, field: "", value: String::new(), archived: false }, 0);
}

/// Saves changes that leave the state as it is.
pub(super) fn save(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<Enrollment>,
    changes: &Changes,
    verb: &str,
    details: &Map<String, Json>,
) -> Result<Saved<Enrollment>, Error> {
    let mut counts = Counts::default();
    let after = save_counting(ctx, tx, &mut counts, saved, changes, verb, details)?;
    counts.write(ctx, tx, saved.record.sequence_id)?;
    Ok(after)
}

/// Saves changes, adds them to the counts and wakes the sequence when the enrollment is due.
fn save_counting(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    counts: &mut Counts,
    saved: &Saved<Enrollment>,
    changes: &Changes,
    verb: &str,
    details: &Map<String, Json>,
) -> Result<Saved<Enrollment>, Error> {
    let Some(after) = updated(ctx, tx, saved, changes, verb, details)? else { return saved.again() };
    counts.change_status(saved.record.status, after.record.status);
    let planned = |saved: &Saved<Enrollment>| saved.record.planned_step_id.filter(|_| saved.record.status.is_open());
    if planned(saved) != planned(&after) {
        for (step, n) in [(planned(saved), -1), (planned(&after), 1)] {
            if let Some(step) = step {
                counts.step(step, "planned", n);
            }
        }
    }
    if let Some(due) = after.record.due_at {
        wake(ctx, tx, after.record.sequence_id, due.0)?;
    }
    Ok(after)
}

/// If the enrollment waits for a branch to be decided, lets the engine decide again now.
pub(super) fn decide_again(changes: &mut Changes, saved: &Saved<Enrollment>, now: i64) -> Result<(), Error> {
    let kind = Kind::of(&saved.record);
    if kind == Kind::Deciding && saved.record.due_at.is_some() {
        transition(kind, &Cause::Rescheduled { to: Kind::Deciding, due_at: now })?;
        changes.set(Enrollment::DUE_AT, now);
    }
    Ok(())
}

/// Saves the due time and the internal state without an event and without a new version.
fn save_quietly(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, due: Option<i64>, stored: &StoredState) -> Result<(), Error> {
    const SAVE: &str = "UPDATE enrollments SET due_at = $1, state = $2 WHERE workspace_id = $3 AND id = $4";
    Ok(tx.execute(SAVE, &[due.into(), json!(stored).to_string().into(), ctx.workspace.into(), id.into()])?)
}

/// Sets when the engine looks at an enrollment again, without an event.
pub(super) fn set_due(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, at: Option<i64>) -> Result<(), Error> {
    const DUE: &str = "UPDATE enrollments SET due_at = $1 WHERE workspace_id = $2 AND id = $3";
    Ok(tx.execute(DUE, &[at.into(), ctx.workspace.into(), id.into()])?)
}

/// Wakes the sequence at this time, unless it wakes earlier.
pub(super) fn wake(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid, at: i64) -> Result<(), Error> {
    const WAKE: &str =
        "UPDATE sequence_pace SET wake_at = $1 WHERE workspace_id = $2 AND sequence_id = $3 AND wake_at > $1";
    Ok(tx.execute(WAKE, &[at.into(), ctx.workspace.into(), sequence.into()])?)
}

/// Starts or stops the ticks of a sequence.
pub(super) fn pace(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid, active: bool, high: bool) -> Result<(), Error> {
    const PACE: &str = "INSERT INTO sequence_pace (workspace_id, sequence_id, active, priority, wake_at, open_at, day, day_count, last_at) \
         VALUES ($1, $2, $3, $4, $5, 0, '', 0, 0) \
         ON CONFLICT (workspace_id, sequence_id) DO UPDATE SET active = excluded.active, priority = excluded.priority, wake_at = excluded.wake_at";
    let now = tx.stamp();
    let params: [Value; 5] = [ctx.workspace.into(), sequence.into(), active.into(), i64::from(high).into(), now.into()];
    Ok(tx.execute(PACE, &params)?)
}
