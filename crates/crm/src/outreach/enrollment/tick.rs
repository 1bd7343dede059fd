//! One tick of a sequence: finds its due enrollments and runs their steps. Every rule is checked again in the transaction
//! that puts a message into the outbox.

use super::advance::{self, contact_gone, finish_step, plan};
use super::context::SequenceContext;
use super::decide::{self, Pace, Start};
use super::execute::{Executed, StepContext, TickState};
use super::links::Links;
use super::record::{end, note_wait_for_sequence, set_due};
use super::rendered::{Draft, RenderedMessages};
use super::state::{Cause, Kind, State, StepEnd};
use super::{Enrollment, Run, addresses};
use crate::api::queue::DAMAGED_WAIT;
use crate::outreach::sequence::SequenceStatus;
use crate::outreach::sequence::plan::ParsedStep;
use crate::outreach::suppression::Checked;
use crate::records::contact;
use resource::{Batch, Ctx, Error, Saved, find};
use std::collections::HashSet;
use store::{Row, Tx, Uuid, Value};

/// The sequences of all workspaces that have something due: high priority first, then those that wait longest.
pub fn due(tx: &mut dyn Tx) -> Result<Vec<(Uuid, Uuid)>, Error> {
    let due = format!(
        "SELECT workspace_id, sequence_id, priority FROM sequence_pace WHERE active = true AND wake_at <= {} ORDER BY wake_at LIMIT 500",
        tx.dialect().clock()
    );
    let mut found = tx.rows(&due, &[], |row| Ok((row.id(0)?, row.id(1)?, row.int(2)?)))?;
    found.sort_by_key(|(.., priority)| -priority);
    Ok(found.into_iter().map(|(workspace, sequence, _)| (workspace, sequence)).collect())
}

/// What a tick leaves to do.
pub struct Ticked {
    /// More enrollments are due.
    pub more: bool,
    /// Messages to render, so that the next tick can send them.
    pub drafts: Vec<(Run, Draft)>,
    /// The rendered messages that were used.
    pub used: HashSet<Run>,
}

/// How many enrollments and contacts are read together. Full contacts are large, and the time may be over before all are
/// needed.
const TOGETHER: usize = 10;

/// Runs the due steps of a sequence, at most `most`. A step whose message is not among the rendered ones, or was rendered
/// from values that have changed since, stays due, and its draft is returned.
pub fn tick(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: Uuid,
    links: &Links,
    messages: &RenderedMessages,
    most: i64,
) -> Result<Ticked, Error> {
    const PACE: &str = "SELECT day, day_count, last_at FROM sequence_pace WHERE workspace_id = $1 AND sequence_id = $2";
    let mut sequence = SequenceContext::of(ctx, tx, sequence)?;
    sequence.defers_counts = true;
    let pace = |row: &dyn Row| Ok(Pace { day: row.text(0)?, day_count: row.int(1)?, last_at: row.int(2)? });
    let Some(pace) = tx.one(PACE, &[ctx.workspace.into(), sequence.sequence.id.into()], pace)? else {
        return Ok(Ticked { more: false, drafts: Vec::new(), used: HashSet::new() });
    };
    let mut tick = TickState {
        links,
        messages,
        drafts: Vec::new(),
        used: HashSet::new(),
        pace,
        held: None,
        is_paused: false,
        waiting: 0,
        suppressed: Checked::default(),
    };
    if sequence.sequence.record.status == SequenceStatus::Active {
        run_due(ctx, tx, &mut sequence, &mut tick, most)?;
    }
    sequence.write_counts(ctx, tx)?;
    let more = write_pace(ctx, tx, &sequence, &tick)?;
    Ok(Ticked { more, drafts: tick.drafts, used: tick.used })
}

/// Runs the due enrollments in their order: those with a step behind them before those at their first step.
fn run_due(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &mut SequenceContext,
    tick: &mut TickState,
    most: i64,
) -> Result<(), Error> {
    const DUE: &str = "SELECT id FROM enrollments WHERE workspace_id = $1 AND sequence_id = $2 AND fresh = $3 AND due_at <= $4 \
         ORDER BY due_at, id LIMIT $5";
    let now = tx.stamp();
    // Twice as many are read, so that the messages of the next tick are drafted while those of this one are sent.
    let (mut left, mut done) = (2 * most, 0);
    for fresh in [false, true] {
        let params = [ctx.workspace.into(), sequence.sequence.id.into(), fresh.into(), now.into(), left.into()];
        let due = tx.rows(DUE, &params, |row| row.id(0))?;
        left -= due.len() as i64;
        for some in due.chunks(TOGETHER) {
            if is_enough(tx, sequence, tick, done, most) {
                return Ok(());
            }
            let mut enrollments = Batch::read(ctx, tx, some.iter().copied())?;
            let contacts = enrollments.iter().map(|saved: &Saved<Enrollment>| saved.record.contact_id);
            sequence.contacts = Batch::read(ctx, tx, contacts)?;
            let emails = sequence.contacts.iter().flat_map(|contact| addresses(&contact.record.emails.0, "email"));
            tick.suppressed.add(ctx, tx, emails)?;
            for id in some {
                if is_enough(tx, sequence, tick, done, most) {
                    return Ok(());
                }
                let (drafts, saved) = (tick.drafts.len(), enrollments.take(ctx, tx, *id)?);
                run_one(ctx, tx, sequence, tick, saved)?;
                done += i64::from(tick.drafts.len() == drafts);
            }
        }
    }
    Ok(())
}

/// Whether the tick ends before the next enrollment. Messages and contacts can be large, so that it also ends when it has
/// held the writer for a while; at least one enrollment was run by then.
fn is_enough(tx: &mut dyn Tx, sequence: &SequenceContext, tick: &TickState, done: i64, most: i64) -> bool {
    let drafts = tick.drafts.len() as i64;
    // With a gap between messages, at most one can be sent next.
    let is_next_drafted = sequence.schedule.min_gap.is_some() && drafts > 0;
    let is_late = done + drafts > 0 && !tx.has_time();
    tick.held.is_some() || tick.is_paused || is_next_drafted || is_late || done == most || drafts == most
}

/// How many steps of one enrollment a tick skips at most.
const MOST_SKIPS: usize = 50;

/// Runs one due enrollment: decides, executes its step, and goes on to the next step if that one is skipped.
fn run_one(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &mut SequenceContext,
    tick: &mut TickState,
    mut saved: Saved<Enrollment>,
) -> Result<(), Error> {
    let kind = Kind::of(&saved.record);
    match decide::start(kind) {
        Start::Resume => {
            let cause = if kind == Kind::OutOfOffice { Cause::AbsenceOver } else { Cause::Resumed };
            saved = advance::resume(ctx, tx, sequence, &saved, cause)?;
        }
        Start::ClearDueTime => return set_due(ctx, tx, saved.id, None),
        Start::Continue => {}
    }
    for _ in 0..MOST_SKIPS {
        let contact = match sequence.contacts.take(ctx, tx, saved.record.contact_id) {
            Err(Error::NotFound(_)) => return end(ctx, tx, &saved, &contact_gone()).map(drop),
            found => found?,
        };
        if let Some(why) = contact::forbids(contact.record.archived_at.is_some(), contact.record.do_not_contact) {
            return end(ctx, tx, &saved, &Cause::ContactExcluded { why: why.into() }).map(drop);
        }
        let steps = sequence.steps(ctx, tx, saved.record.sequence_version)?;
        saved = plan(ctx, tx, sequence, saved, &contact)?;
        let step = decide::step_due(&State::of(&saved)?, tx.stamp());
        let step = step.and_then(|id| steps.iter().find(|step| step.id == id));
        let Some(step) = step.map(|step| step.for_enrollment(saved.id)) else { return Ok(()) };
        let step: &ParsedStep = &step;
        let mut due = StepContext { ctx, tx, sequence, tick, enrollment: &saved, contact: &contact, step };
        match due.execute()? {
            Executed::Done => return Ok(()),
            Executed::Skipped(reason) => {
                sequence.contacts.put(contact);
                saved = finish_step(ctx, tx, sequence, &saved, step, (StepEnd::Skipped, Some(&reason)))?;
            }
        }
        if !Kind::of(&saved.record).is_active() {
            return Ok(());
        }
    }
    set_due(ctx, tx, saved.id, saved.record.due_at.map(|due| due.0))
}

/// Writes when the sequence wakes next and how much it has sent; true if something is due already.
fn write_pace(ctx: &Ctx, tx: &mut dyn Tx, sequence: &SequenceContext, tick: &TickState) -> Result<bool, Error> {
    const NEXT: &str = "SELECT due_at FROM enrollments WHERE workspace_id = $1 AND sequence_id = $2 AND fresh = $3 AND due_at IS NOT NULL \
         ORDER BY due_at LIMIT 1";
    const WRITE: &str = "UPDATE sequence_pace SET wake_at = $1, open_at = $2, held = $3, day = $4, day_count = $5, last_at = $6, active = $7 \
         WHERE workspace_id = $8 AND sequence_id = $9";
    let (now, id) = (tx.stamp(), sequence.sequence.id);
    let mut next = i64::MAX;
    for fresh in [false, true] {
        let first = tx.one(NEXT, &[ctx.workspace.into(), id.into(), fresh.into()], |row| row.int(0))?;
        next = next.min(first.unwrap_or(i64::MAX));
    }
    let open = tick.held.as_ref().map_or(0, |held| held.at);
    let wake = next.max(open);
    if let Some(held) = &tick.held {
        note_wait_for_sequence(ctx, tx, id, &held.reason)?;
    }
    let held = tick.held.as_ref().map(|held| format!("{}: {}", held.rule, held.reason));
    let active = sequence.sequence.record.status == SequenceStatus::Active && !tick.is_paused;
    let params: [Value; 9] = [
        wake.into(),
        open.into(),
        held.into(),
        tick.pace.day.as_str().into(),
        tick.pace.day_count.into(),
        tick.pace.last_at.into(),
        active.into(),
        ctx.workspace.into(),
        id.into(),
    ];
    tx.execute(WRITE, &params)?;
    Ok(active && wake <= now)
}

/// Fails the enrollment that is due first, after an internal error.
pub fn give_up(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid) -> Result<(), Error> {
    let Some(id) = first(ctx, tx, sequence)? else { return Ok(()) };
    let saved = find::<Enrollment>(ctx, tx, id)?;
    if !saved.record.status.is_open() {
        return set_due(ctx, tx, id, None);
    }
    let why = "an internal error; the server's log says more".into();
    end(ctx, tx, &saved, &Cause::StepFailed { why }).map(drop)
}

/// Postpones a damaged enrollment by an hour, so that an operator can repair it: the one that is due first. If the sequence is
/// damaged, all its enrollments wait.
pub fn postpone_damaged(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid, all: bool) -> Result<(), Error> {
    const SEQUENCE: &str = "UPDATE sequence_pace SET wake_at = $1 WHERE workspace_id = $2 AND sequence_id = $3";
    let later = tx.stamp() + DAMAGED_WAIT;
    if all {
        return Ok(tx.execute(SEQUENCE, &[later.into(), ctx.workspace.into(), sequence.into()])?);
    }
    match first(ctx, tx, sequence)? {
        Some(id) => set_due(ctx, tx, id, Some(later)),
        None => Ok(()),
    }
}

/// The enrollment that is due first.
fn first(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid) -> Result<Option<Uuid>, Error> {
    const FIRST: &str = "SELECT id FROM enrollments WHERE workspace_id = $1 AND sequence_id = $2 AND fresh = $3 AND due_at <= $4 \
         ORDER BY due_at, id LIMIT 1";
    let now = tx.stamp();
    for fresh in [false, true] {
        let params = [ctx.workspace.into(), sequence.into(), fresh.into(), now.into()];
        if let Some(id) = tx.one(FIRST, &params, |row| row.id(0))? {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Why the sequence as a whole waits, and until when.
pub fn held(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid, now: i64) -> Result<Option<(String, i64)>, Error> {
    const HELD: &str = "SELECT held, open_at FROM sequence_pace WHERE workspace_id = $1 AND sequence_id = $2";
    let held = tx.one(HELD, &[ctx.workspace.into(), sequence.into()], |row| Ok((row.maybe_text(0)?, row.int(1)?)))?;
    Ok(held.and_then(|(why, at)| Some((why?, at))).filter(|(_, at)| *at > now))
}
