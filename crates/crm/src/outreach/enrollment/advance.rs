//! Moves an enrollment from step to step: reads what `decide` needs, and records what it decides.

use super::context::SequenceContext;
use super::decide;
use super::record::{self, Extra, change_counting, end, end_counting};
use super::state::{Activity, Cause, Kind, StepEnd};
use super::step_runs::{self, open_run};
use super::stored_state::StoredState;
use super::{Enrollment, EnrollmentStatus, open_of};
use crate::outreach::sequence::plan::{self, Facts, Next, ParsedStep};
use crate::outreach::sequence::step::StepType;
use crate::records::contact::Contact;
use resource::{Changes, Ctx, Error, Saved, find};
use serde_json::{Map, json};
use store::{Row, Tx, Uuid};

/// Plans the next step of an enrollment that has none planned, or ends the enrollment.
pub(super) fn plan(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &mut SequenceContext,
    saved: Saved<Enrollment>,
    contact: &Saved<Contact>,
) -> Result<Saved<Enrollment>, Error> {
    plan_after(ctx, tx, sequence, saved, contact, None)
}

/// Like `plan`, after a step that may have been skipped for this reason.
fn plan_after(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &mut SequenceContext,
    saved: Saved<Enrollment>,
    contact: &Saved<Contact>,
    skipped: Option<&str>,
) -> Result<Saved<Enrollment>, Error> {
    if Kind::of(&saved.record) != Kind::Deciding {
        return Ok(saved);
    }
    let now = tx.stamp();
    let steps = sequence.steps(ctx, tx, saved.record.sequence_version)?;
    let (next, facts) = foresee(ctx, tx, sequence, &saved, contact, now)?;
    let mut cause = decide::continue_with(&next, &steps, &facts);
    if let Cause::NoStepLeft { skipped: why } = &mut cause {
        *why = skipped.map(str::to_owned);
    }
    let after = match next {
        Next::Step { .. } | Next::Undecided { .. } => {
            change_counting(ctx, tx, &mut sequence.counts, &saved, &cause, Extra::default())?
        }
        Next::End | Next::Never => end_counting(ctx, tx, &mut sequence.counts, &saved, &cause)?,
    };
    sequence.count(ctx, tx)?;
    Ok(after)
}

/// What an enrollment does next as things are, and the facts that this follows from.
pub(super) fn foresee(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &mut SequenceContext,
    saved: &Saved<Enrollment>,
    contact: &Saved<Contact>,
    now: i64,
) -> Result<(Next, Facts), Error> {
    let steps = sequence.steps(ctx, tx, saved.record.sequence_version)?;
    let done = saved.record.done_step_id.and_then(|id| steps.iter().position(|step| step.id == id));
    let facts = facts(ctx, tx, saved, contact, &steps, done)?;
    let schedule = sequence.schedule_for(&contact.record);
    Ok((plan::next(&steps, &schedule, done, saved.record.base_at.0, &facts, now), facts))
}

fn facts(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<Enrollment>,
    contact: &Saved<Contact>,
    steps: &[ParsedStep],
    done: Option<usize>,
) -> Result<Facts, Error> {
    const SEEN: &str =
        "SELECT max(opened_at), max(clicked_at) FROM step_runs WHERE workspace_id = $1 AND enrollment_id = $2";
    const SEEN_STEP: &str = "SELECT max(opened_at), max(clicked_at) FROM step_runs WHERE workspace_id = $1 AND enrollment_id = $2 AND step_id = $3";
    let stored = StoredState::of(saved)?;
    let both = |row: &dyn Row| Ok((row.maybe_int(0)?, row.maybe_int(1)?));
    // After an email, only that email's opens and clicks count; after another step, those of any email.
    let seen = match done.map(|at| &steps[at]).filter(|step| step.kind == StepType::Email) {
        // No branch asks for them.
        _ if !steps.iter().any(ParsedStep::follows_a_look) => None,
        Some(step) => tx.one(SEEN_STEP, &[ctx.workspace.into(), saved.id.into(), step.id.into()], both)?,
        None => tx.one(SEEN, &[ctx.workspace.into(), saved.id.into()], both)?,
    };
    let (opened, clicked) = seen.unwrap_or_default();
    Ok(Facts {
        // A reply that a branch followed does not lead to another branch.
        replied: stored.replied_at.filter(|at| stored.replied_used.is_none_or(|used| used < *at)),
        opened,
        clicked,
        accepted: stored.accepted_at,
        has_email: !contact.record.emails.0.is_empty(),
        has_phone: !contact.record.phones.0.is_empty(),
        has_profile: contact.record.network_profile.is_some(),
    })
}

/// Records that a step is over, and plans the next one in the same transaction.
pub(super) fn finish_step(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &mut SequenceContext,
    saved: &Saved<Enrollment>,
    step: &ParsedStep,
    (step_end, reason): (StepEnd, Option<&str>),
) -> Result<Saved<Enrollment>, Error> {
    // The variant is read from the run: what was sent counts, whatever the steps say by now.
    let variant = match step.variants.is_empty() {
        true => None,
        false => step_runs::variants(ctx, tx, saved.id)?.into_iter().find(|(of, _)| *of == step.id),
    };
    step_runs::finish(ctx, tx, saved, step, step_end, reason)?;
    // A task that is done counts as sent.
    let counted = if step_end == StepEnd::Done { StepEnd::Sent } else { step_end };
    sequence.counts.step(step.id, counted.word(), 1);
    if let Some((_, variant)) = variant {
        sequence.counts.variant(variant, counted.word(), 1);
    }
    let (now, mut changes) = (tx.stamp(), Changes::default());
    changes.set(Enrollment::DONE_STEP_ID, step.id);
    changes.set(Enrollment::CURRENT_STEP_ID, step.id);
    changes.set(Enrollment::BASE_AT, now);
    changes.set(Enrollment::FRESH, false);
    let shown = json!({ "id": step.id, "type": step.kind.word(), "name": step.name });
    let mut details = Map::from_iter([("step".to_owned(), json!([null, shown]))]);
    if let Some(reason) = reason {
        details.insert("step_reason".into(), json!([null, reason]));
    }
    let (cause, extra) = (Cause::StepOver(step_end), Extra { changes, details });
    let saved = change_counting(ctx, tx, &mut sequence.counts, saved, &cause, extra)?;
    sequence.count(ctx, tx)?;
    // A paused enrollment is planned when it resumes.
    if saved.record.status != EnrollmentStatus::Active {
        return Ok(saved);
    }
    match sequence.contacts.take(ctx, tx, saved.record.contact_id) {
        Ok(contact) => plan_after(ctx, tx, sequence, saved, &contact, reason),
        Err(Error::NotFound(_)) => end(ctx, tx, &saved, &contact_gone()),
        Err(other) => Err(other),
    }
}

pub(super) fn contact_gone() -> Cause {
    Cause::ContactExcluded { why: "the contact is gone".into() }
}

/// Resumes a paused enrollment.
pub(super) fn resume(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &mut SequenceContext,
    saved: &Saved<Enrollment>,
    cause: fn(Activity) -> Cause,
) -> Result<Saved<Enrollment>, Error> {
    let (now, is_planned) = (tx.stamp(), saved.record.planned_step_id.is_some());
    let waits = open_run(ctx, tx, saved)?.and_then(|run| run.activity());
    let schedule = match waits.is_none() && is_planned {
        true => sequence.schedule_for(&find::<Contact>(ctx, tx, saved.record.contact_id)?.record),
        false => sequence.schedule.clone(),
    };
    let planned_for = saved.record.next_step_at.map(|at| at.0);
    let activity = decide::resume(waits, is_planned, planned_for, &schedule, now);
    record::change(ctx, tx, saved, &cause(activity), Extra::default())
}

/// Moves enrollments of a sequence to its present schedule, at most `most` after this one; gives the last one if there can
/// be more.
pub(super) fn reschedule(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: Uuid,
    after: Uuid,
    most: i64,
) -> Result<Option<Uuid>, Error> {
    const WAITING: &str = "SELECT id FROM enrollments WHERE workspace_id = $1 AND sequence_id = $2 AND status = $3 AND id > $4 \
         ORDER BY id LIMIT $5";
    let active = EnrollmentStatus::Active.word();
    let params = [ctx.workspace.into(), sequence.into(), active.into(), after.into(), most.into()];
    let ids = tx.rows(WAITING, &params, |row| row.id(0))?;
    let mut sequence = SequenceContext::of(ctx, tx, sequence)?;
    for (n, id) in ids.iter().enumerate() {
        let saved = match find::<Enrollment>(ctx, tx, *id) {
            // The tick reports it.
            Err(error) if error.is_corrupt() => continue,
            found => found?,
        };
        reschedule_one(ctx, tx, &mut sequence, &saved)?;
        if n >= 50 && !tx.has_time() {
            return Ok(Some(*id));
        }
    }
    Ok(ids.last().copied().filter(|_| ids.len() as i64 == most))
}

/// The contact's addresses, profile or location changed: decides branches again that wait for one of them, and moves planned
/// steps if the schedule follows the contact's time zone.
pub fn contact_details_changed(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid) -> Result<(), Error> {
    for id in open_of(ctx, tx, contact)? {
        let saved = find::<Enrollment>(ctx, tx, id)?;
        // A paused enrollment is planned when it resumes, and a started step is not moved.
        if !is_waiting(&saved) {
            continue;
        }
        let mut sequence = SequenceContext::of(ctx, tx, saved.record.sequence_id)?;
        if saved.record.planned_step_id.is_none() || sequence.schedule.use_contact_timezone {
            reschedule_one(ctx, tx, &mut sequence, &saved)?;
        }
    }
    Ok(())
}

/// Whether it is active and waits for its due time.
fn is_waiting(saved: &Saved<Enrollment>) -> bool {
    saved.record.status == EnrollmentStatus::Active && saved.record.due_at.is_some()
}

fn reschedule_one(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &mut SequenceContext,
    saved: &Saved<Enrollment>,
) -> Result<(), Error> {
    if !is_waiting(saved) {
        return Ok(());
    }
    let (now, planned) = (tx.stamp(), saved.record.planned_step_id);
    let cause = match planned {
        Some(planned) => {
            let contact = find::<Contact>(ctx, tx, saved.record.contact_id)?;
            let steps = sequence.steps(ctx, tx, saved.record.sequence_version)?;
            let (next, _) = foresee(ctx, tx, sequence, saved, &contact, now)?;
            decide::reschedule(planned, &next, &steps)
        }
        None => Some(Cause::Rescheduled { to: Kind::Deciding, due_at: now }),
    };
    match cause {
        Some(cause) => record::change(ctx, tx, saved, &cause, Extra::default()).map(drop),
        None => Ok(()),
    }
}
