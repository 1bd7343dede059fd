//! Carrying out: what is due of a sequence, one enrollment after another. Everything is looked at again here, in the
//! transaction that puts a message into the outbox.

use super::Run;
use super::addresses;
use super::course::{Course, go_on, over, plan};
use super::deed::{Done, carry_out};
use super::letter::{Draft, Letters, Rendered};
use super::links::Links;
use super::record::{Enrollment, EnrollmentStatus, end};
use crate::contact;
use crate::sequence::SequenceStatus;
use crate::sequence::plan::Moved;
use crate::suppression::Checked;
use resource::{Ctx, Error, Kept, Saved, find};
use store::{Row, Tx, Uuid, Value};

/// Sequences that have something due, over all workspaces: high priority first, then the longest due.
pub fn due(tx: &mut dyn Tx) -> Result<Vec<(Uuid, Uuid)>, Error> {
    let due = format!(
        "SELECT workspace_id, sequence_id, priority FROM sequence_pace WHERE active = true AND wake_at <= {} ORDER BY wake_at LIMIT 500",
        tx.dialect().clock()
    );
    let mut found = tx.rows(&due, &[], |row| Ok((row.id(0)?, row.id(1)?, row.int(2)?)))?;
    found.sort_by_key(|(.., priority)| -priority);
    Ok(found.into_iter().map(|(workspace, sequence, _)| (workspace, sequence)).collect())
}

/// How much a sequence has sent.
pub(super) struct Pace {
    pub day: String,
    pub day_count: i64,
    pub last_at: i64,
}

/// What a pass over a sequence leaves to do.
pub struct Passed {
    /// Something else is due.
    pub more: bool,
    /// Messages to render, so that the next pass can send them.
    pub drafts: Vec<(Run, Draft)>,
}

/// Carries out what is due of a sequence, at most so many. Of a message that is not among the letters, or was rendered
/// from other values than it would be now, the draft is given back, and its enrollment stays due.
pub fn pass(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: Uuid,
    links: &Links,
    letters: &Letters,
    most: i64,
) -> Result<Passed, Error> {
    const DUE: &str = "SELECT id FROM enrollments WHERE workspace_id = $1 AND sequence_id = $2 AND fresh = $3 AND due_at <= $4 \
         ORDER BY due_at, id LIMIT $5";
    const NEXT: &str = "SELECT due_at FROM enrollments WHERE workspace_id = $1 AND sequence_id = $2 AND fresh = $3 AND due_at IS NOT NULL \
         ORDER BY due_at LIMIT 1";
    const PACE: &str = "SELECT day, day_count, last_at FROM sequence_pace WHERE workspace_id = $1 AND sequence_id = $2";
    const WRITE: &str = "UPDATE sequence_pace SET wake_at = $1, open_at = $2, held = $3, day = $4, day_count = $5, last_at = $6, active = $7 \
         WHERE workspace_id = $8 AND sequence_id = $9";
    let now = tx.stamp();
    let mut course = Course::of(ctx, tx, sequence)?;
    course.together = true;
    let ids = |row: &dyn Row| Ok(Pace { day: row.text(0)?, day_count: row.int(1)?, last_at: row.int(2)? });
    let Some(pace) = tx.one(PACE, &[ctx.workspace.into(), sequence.into()], ids)? else {
        return Ok(Passed { more: false, drafts: Vec::new() });
    };
    let active = course.sequence.record.status == SequenceStatus::Active;
    let mut passing = Passing {
        links,
        letters,
        drafts: Vec::new(),
        pace,
        held: None,
        is_halted: false,
        waiting: 0,
        checked: Checked::default(),
    };
    // While these are sent, those that follow are read, to be rendered.
    let (mut left, mut done) = (2 * most, 0);
    // Follow-ups before new starts.
    for fresh in [false, true] {
        let params = [ctx.workspace.into(), sequence.into(), fresh.into(), now.into(), left.into()];
        let due = if active { tx.rows(DUE, &params, |row| row.id(0))? } else { Vec::new() };
        left -= due.len() as i64;
        let mut enrollments = Kept::read(ctx, tx, due.iter().copied())?;
        let contacts = enrollments.iter().map(|saved: &Saved<Enrollment>| saved.record.contact_id);
        course.contacts = Kept::read(ctx, tx, contacts)?;
        let emails = course.contacts.iter().flat_map(|contact| addresses(&contact.record.emails.0, "email"));
        passing.checked = Checked::read(ctx, tx, emails)?;
        for id in due {
            let drafts = passing.drafts.len();
            let paced = course.schedule.min_gap.is_some() && drafts > 0;
            if passing.held.is_some() || passing.is_halted || paced || done == most || drafts as i64 == most {
                break;
            }
            let saved = enrollments.take(ctx, tx, id)?;
            look(ctx, tx, &mut course, &mut passing, saved)?;
            done += i64::from(passing.drafts.len() == drafts);
        }
    }
    course.write_counts(ctx, tx)?;
    let mut next = i64::MAX;
    for fresh in [false, true] {
        let first = tx.one(NEXT, &[ctx.workspace.into(), sequence.into(), fresh.into()], |row| row.int(0))?;
        next = next.min(first.unwrap_or(i64::MAX));
    }
    let open = passing.held.as_ref().map_or(0, |held| held.at);
    let wake = next.max(open);
    let held = passing.held.as_ref().map(|held| format!("{}: {}", held.rule, held.reason));
    let active = active && !passing.is_halted;
    let Pace { day, day_count, last_at } = passing.pace;
    let params: [Value; 9] = [
        wake.into(),
        open.into(),
        held.into(),
        day.into(),
        day_count.into(),
        last_at.into(),
        active.into(),
        ctx.workspace.into(),
        sequence.into(),
    ];
    tx.execute(WRITE, &params)?;
    Ok(Passed { more: active && wake <= now, drafts: passing.drafts })
}

/// Ends the enrollment that is due first and can't be carried out.
pub fn give_up(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid) -> Result<(), Error> {
    const FIRST: &str = "SELECT id FROM enrollments WHERE workspace_id = $1 AND sequence_id = $2 AND fresh = $3 AND due_at <= $4 \
         ORDER BY due_at, id LIMIT 1";
    let now = tx.stamp();
    for fresh in [false, true] {
        let params = [ctx.workspace.into(), sequence.into(), fresh.into(), now.into()];
        if let Some(id) = tx.one(FIRST, &params, |row| row.id(0))? {
            let saved = find::<Enrollment>(ctx, tx, id)?;
            let why = "an internal error; the server's log says more";
            return end(ctx, tx, &saved, EnrollmentStatus::Failed, why).map(drop);
        }
    }
    Ok(())
}

pub(super) struct Passing<'a> {
    pub links: &'a Links,
    pub letters: &'a Letters,
    pub drafts: Vec<(Run, Draft)>,
    /// The sequence was paused.
    pub is_halted: bool,
    pub pace: Pace,
    /// The sequence as a whole has to wait.
    pub held: Option<Moved>,
    /// As many were put off for want of a sender.
    pub waiting: i64,
    /// The addresses of those who are due.
    pub checked: Checked,
}

impl Passing<'_> {
    /// The message of a draft, if it was rendered; else the draft is given to be.
    pub fn rendered(&mut self, run: Run, draft: Draft) -> Option<Rendered> {
        match self.letters.get(&run) {
            Some((from, rendered)) if *from == draft => Some(rendered.clone()),
            _ => {
                self.drafts.push((run, draft));
                None
            }
        }
    }

    /// Why the sequence may not send one more now, and until when.
    pub fn full(&self, course: &Course, now: i64) -> Option<Moved> {
        let (schedule, pace) = (&course.schedule, &self.pace);
        if let Some(limit) = schedule.daily_limit
            && pace.day == schedule.day(now)
            && pace.day_count >= limit
        {
            let reason = format!("the sequence has sent the {limit} messages that it may in a day");
            return schedule.next_day(now).map(|at| Moved { rule: "daily_limit", reason, at });
        }
        let gap = schedule.min_gap.filter(|gap| pace.last_at + gap > now)?;
        let reason = format!("the sequence waits {} minutes between messages", gap / 60_000);
        Some(Moved { rule: "min_gap_minutes", reason, at: pace.last_at + gap })
    }
}

/// As many steps may be skipped one after the other in one look.
const SKIPS: usize = 50;

/// One enrollment that is due.
fn look(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    course: &mut Course,
    passing: &mut Passing,
    mut saved: Saved<Enrollment>,
) -> Result<(), Error> {
    if saved.record.status == EnrollmentStatus::Paused {
        // Its time is over: it goes on by itself.
        saved = go_on(ctx, tx, course, &saved)?;
    }
    if saved.record.status != EnrollmentStatus::Active {
        return settle_due(ctx, tx, &saved, None);
    }
    for _ in 0..SKIPS {
        let contact = match course.contacts.take(ctx, tx, saved.record.contact_id) {
            Err(Error::NotFound(_)) => {
                return end(ctx, tx, &saved, EnrollmentStatus::Unenrolled, "the contact is gone").map(drop);
            }
            found => found?,
        };
        if let Some(why) = contact::forbids(contact.record.archived_at.is_some(), contact.record.do_not_contact) {
            return end(ctx, tx, &saved, EnrollmentStatus::Unenrolled, why).map(drop);
        }
        let steps = course.steps(ctx, tx, saved.record.steps_version)?;
        saved = plan(ctx, tx, course, saved, &contact)?;
        let now = tx.stamp();
        let planned = saved.record.planned_step_id.and_then(|id| steps.iter().find(|step| step.id == id));
        let (Some(step), Some(due)) = (planned, saved.record.due_at) else { return Ok(()) };
        if saved.record.status != EnrollmentStatus::Active || due.0 > now {
            return Ok(());
        }
        match carry_out(ctx, tx, course, passing, &saved, &contact, step)? {
            Done::Skipped(reason) => {
                course.contacts.put(contact);
                saved = over(ctx, tx, course, &saved, step, "skipped", Some(&reason))?;
            }
            Done::Waits | Done::Ended => return Ok(()),
            Done::Halted => {
                passing.is_halted = true;
                return Ok(());
            }
        }
        if saved.record.status != EnrollmentStatus::Active {
            return Ok(());
        }
    }
    settle_due(ctx, tx, &saved, saved.record.due_at.map(|due| due.0))
}

/// Sets when an enrollment is looked at, where nothing else changes.
fn settle_due(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, at: Option<i64>) -> Result<(), Error> {
    const DUE: &str = "UPDATE enrollments SET due_at = $1 WHERE workspace_id = $2 AND id = $3";
    Ok(tx.execute(DUE, &[at.into(), ctx.workspace.into(), saved.id.into()])?)
}

/// What holds the sequence as a whole, if anything does.
pub fn held(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid, now: i64) -> Result<Option<(String, i64)>, Error> {
    const HELD: &str = "SELECT held, open_at FROM sequence_pace WHERE workspace_id = $1 AND sequence_id = $2";
    let held = tx.one(HELD, &[ctx.workspace.into(), sequence.into()], |row| Ok((row.maybe_text(0)?, row.int(1)?)))?;
    Ok(held.and_then(|(why, at)| Some((why?, at))).filter(|(_, at)| *at > now))
}
