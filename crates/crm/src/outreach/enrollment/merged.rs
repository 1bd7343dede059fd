//! Enrollments of contacts that are merged. A merge looks at all of them together to decide which continue: if one of the
//! contacts unsubscribed, the person did. An undo restores the enrollments that the merge ended.

use super::candidates::refusal;
use super::enroll::{list_contact, unlist_contact};
use super::record::{Extra, change, end};
use super::state::{BY_MERGE, Cause, Columns, Kind};
use super::step_runs::open_run;
use super::{Enrollment, EnrollmentStatus};
use crate::outreach::sequence::window::Schedule;
use crate::outreach::sequence::{Sequence, SequenceStatus};
use crate::pipelines::task::{Task, TaskStatus};
use crate::records::contact::Contact;
use resource::{Changes, Ctx, Error, Saved, find, row, update, values_of};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use store::{Row, Tx, Uuid, Value};

/// An enrollment of the merged contacts, and how the merge ends it; `None` if it continues.
pub struct Decision {
    saved: Saved<Enrollment>,
    end: Option<(EnrollmentStatus, String)>,
}

/// What a merge did to an enrollment, for its undo.
#[derive(Serialize, Deserialize)]
pub struct MergedEnrollment {
    enrollment: Uuid,
    /// The contact that it belonged to.
    from: Uuid,
    before: Option<Before>,
    /// Earlier versions stored only that the merge ended it.
    #[serde(default)]
    ended: bool,
}

/// An enrollment that a merge ended: its row before the merge, and its status and reason after it.
#[derive(Serialize, Deserialize)]
struct Before {
    row: Json,
    status: String,
    reason: String,
    /// The task of its step, which the merge skipped.
    task: Option<Uuid>,
}

const SAME_SEQUENCE: &str = "the contact was merged with one that is in this sequence, too";
const OTHER_SEQUENCE: &str = "the contact was merged with one that is in another sequence";
const TAKEN_OUT: &str = "the contact was merged with one that was taken out of this sequence";
const FORBIDDEN: &str = "the contact was merged with one that is archived or must not be contacted (do_not_contact)";
const ARCHIVED: &str = "the contact is archived";

/// Decides for all enrollments of the contacts; `forbidden` if nothing may be sent to the survivor. The survivor's own
/// enrollments come first and have priority.
pub fn decide(ctx: &Ctx, tx: &mut dyn Tx, into: Uuid, from: &[Uuid], forbidden: bool) -> Result<Vec<Decision>, Error> {
    const OF_CONTACT: &str = "SELECT id FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 ORDER BY id";
    let mut all = Vec::new();
    for contact in std::iter::once(&into).chain(from) {
        for id in tx.rows(OF_CONTACT, &[ctx.workspace.into(), (*contact).into()], |row| row.id(0))? {
            all.push(find::<Enrollment>(ctx, tx, id)?);
        }
    }
    let (mut ends, mut has_open) = (Vec::with_capacity(all.len()), false);
    for one in &all {
        let mut end = None;
        if one.record.status.is_open() {
            end = end_of(ctx, tx, one, &all, forbidden)?;
            if end.is_none() && has_open {
                end = Some((EnrollmentStatus::Unenrolled, OTHER_SEQUENCE.to_owned()));
            }
            has_open |= end.is_none();
        }
        ends.push(end);
    }
    Ok(all.into_iter().zip(ends).map(|(saved, end)| Decision { saved, end }).collect())
}

/// Whether the contact has answered a step's message since.
pub fn replied_since(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid, since: i64) -> Result<bool, Error> {
    const REPLIED: &str = "SELECT 1 FROM enrollments e JOIN step_runs r \
         ON r.workspace_id = e.workspace_id AND r.enrollment_id = e.id \
         WHERE e.workspace_id = $1 AND e.contact_id = $2 AND r.replied_at >= $3 LIMIT 1";
    Ok(tx.one(REPLIED, &[ctx.workspace.into(), contact.into(), since.into()], |_| Ok(()))?.is_some())
}

/// Whether the contact has unsubscribed from a sequence.
pub fn unsubscribed(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid) -> Result<bool, Error> {
    const UNSUBSCRIBED: &str =
        "SELECT 1 FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 AND status = 'unsubscribed' LIMIT 1";
    Ok(tx.one(UNSUBSCRIBED, &[ctx.workspace.into(), contact.into()], |_| Ok(()))?.is_some())
}

/// How an open enrollment ends because of the other contacts' enrollments, or because nothing may be sent to the survivor.
fn end_of(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    one: &Saved<Enrollment>,
    all: &[Saved<Enrollment>],
    forbidden: bool,
) -> Result<Option<(EnrollmentStatus, String)>, Error> {
    let others = || all.iter().filter(|other| other.record.contact_id != one.record.contact_id);
    let has = |status: EnrollmentStatus| others().any(|other| other.record.status == status);
    let said = |status: EnrollmentStatus, what: &str| Some((status, format!("the contact was merged with one {what}")));
    if has(EnrollmentStatus::Unsubscribed) {
        return Ok(said(EnrollmentStatus::Unsubscribed, "who unsubscribed"));
    }
    if has(EnrollmentStatus::Bounced) {
        return Ok(said(EnrollmentStatus::Bounced, "whose mail bounced"));
    }
    if has(EnrollmentStatus::Replied) {
        let sequence = find::<Sequence>(ctx, tx, one.record.sequence_id)?;
        if Schedule::read(&sequence)?.stop_on_reply {
            return Ok(said(EnrollmentStatus::Replied, "who replied"));
        }
    }
    let unenrolled = |why: &str| Some((EnrollmentStatus::Unenrolled, why.to_owned()));
    if forbidden {
        return Ok(unenrolled(FORBIDDEN));
    }
    let mut same = others().filter(|other| other.record.sequence_id == one.record.sequence_id);
    Ok(same.find_map(|other| match other.record.status {
        EnrollmentStatus::Unenrolled => {
            // Only if a user removed the other contact from the sequence; otherwise the contact can be enrolled again.
            let reason = other.record.reason.as_deref().unwrap_or_default();
            let by_merge = reason.starts_with(BY_MERGE) && ![TAKEN_OUT, FORBIDDEN].contains(&reason);
            let by_itself = by_merge || reason == ARCHIVED;
            if by_itself { None } else { unenrolled(TAKEN_OUT) }
        }
        // Of two open enrollments the first one continues.
        EnrollmentStatus::Active | EnrollmentStatus::Paused => (other.id != one.id && precedes(all, other, one))
            .then(|| (EnrollmentStatus::Unenrolled, SAME_SEQUENCE.to_owned())),
        _ => unenrolled(SAME_SEQUENCE),
    }))
}

fn precedes(all: &[Saved<Enrollment>], first: &Saved<Enrollment>, second: &Saved<Enrollment>) -> bool {
    let place = |one: &Saved<Enrollment>| all.iter().position(|other| other.id == one.id);
    place(first) < place(second)
}

/// The enrollments that the merge ends, as its answer and its dry run show them.
pub fn ends(decisions: &[Decision]) -> Vec<Json> {
    let shown = |decision: &Decision| {
        let (status, reason) = decision.end.as_ref()?;
        let record = &decision.saved.record;
        Some(json!({
            "enrollment_id": decision.saved.id, "sequence_id": record.sequence_id, "contact_id": record.contact_id,
            "status": status.word(), "reason": reason,
        }))
    };
    decisions.iter().filter_map(shown).collect()
}

/// Ends enrollments as decided, and assigns all of them to the survivor.
pub fn apply(ctx: &Ctx, tx: &mut dyn Tx, into: Uuid, decisions: Vec<Decision>) -> Result<Vec<MergedEnrollment>, Error> {
    let mut moved = Vec::new();
    for Decision { mut saved, end: ending } in decisions {
        let (id, from) = (saved.id, saved.record.contact_id);
        let mut before = None;
        if let Some((status, reason)) = ending {
            let task = open_task(ctx, tx, &saved)?;
            before = Some(Before { row: row(&saved), status: status.word().to_owned(), reason: reason.clone(), task });
            saved = end(ctx, tx, &saved, &Cause::Merged { status, why: reason })?;
        }
        if from != into {
            give(ctx, tx, &saved, into)?;
        } else if before.is_none() {
            continue;
        }
        moved.push(MergedEnrollment { enrollment: id, from, before, ended: false });
    }
    Ok(moved)
}

/// The open task of the planned step.
fn open_task(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>) -> Result<Option<Uuid>, Error> {
    let Some(task) = open_run(ctx, tx, saved)?.and_then(|run| run.task) else { return Ok(None) };
    match find::<Task>(ctx, tx, task) {
        Ok(task) => Ok(Some(task.id).filter(|_| task.record.status == TaskStatus::Todo)),
        Err(Error::NotFound(_)) => Ok(None),
        Err(other) => Err(other),
    }
}

/// Undoes `apply`: assigns each enrollment to its former contact, and restores those that the merge ended.
pub fn undo(ctx: &Ctx, tx: &mut dyn Tx, into: Uuid, moved: &[MergedEnrollment]) -> Result<(), Error> {
    let mut restored = Vec::new();
    for one in moved {
        let saved = match find::<Enrollment>(ctx, tx, one.enrollment) {
            Err(Error::NotFound(_)) => continue,
            found => found?,
        };
        if saved.record.contact_id != into {
            continue;
        }
        if one.from != into {
            give(ctx, tx, &saved, one.from)?;
        }
        restored.push(one);
    }
    for one in restored {
        let saved = find::<Enrollment>(ctx, tx, one.enrollment)?;
        match &one.before {
            Some(before) => restore(ctx, tx, &saved, before)?,
            None if one.ended && saved.record.reason.as_deref() == Some(SAME_SEQUENCE) => {
                reopen_paused(ctx, tx, &saved)?
            }
            None => {}
        }
    }
    Ok(())
}

fn give(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, contact: Uuid) -> Result<(), Error> {
    let mut changes = Changes::default();
    changes.set(Enrollment::CONTACT_ID, contact);
    update(ctx, tx, saved, &changes)?;
    list_contact(ctx, tx, saved.record.sequence_id, contact)?;
    unlist_contact(ctx, tx, saved.record.sequence_id, saved.record.contact_id)
}

/// Restores an enrollment to its state before the merge, unless it has changed since or can't be reopened.
fn restore(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, before: &Before) -> Result<(), Error> {
    let record = &saved.record;
    let is_as_left = record.status.word() == before.status && record.reason.as_deref() == Some(&before.reason);
    if !is_as_left || !may_reopen(ctx, tx, saved)? {
        return Ok(());
    }
    let contact = find::<Contact>(ctx, tx, record.contact_id)?;
    if let Some(why) = refusal(ctx, tx, &contact)? {
        return end(ctx, tx, saved, &Cause::ContactExcluded { why }).map(drop);
    }
    let mut changes = values_of::<Enrollment>(&before.row)?;
    for fixed in ["contact_id", "sequence_id"] {
        changes.take_named(fixed);
    }
    follow_run(ctx, tx, saved, &mut changes)?;
    restore_task(ctx, tx, saved, before)?;
    let to = kind_of(&changes)?;
    change(ctx, tx, saved, &Cause::MergeUndone { to }, Extra { changes, ..Extra::default() }).map(drop)
}

/// The state of a restored row.
fn kind_of(changes: &Changes) -> Result<Kind, Error> {
    let status = changes.text(Enrollment::STATUS).and_then(EnrollmentStatus::from_word);
    let status = status.ok_or_else(|| store::Error::unreadable("an enrollment has no status"))?;
    let unreadable = |_| store::Error::unreadable("the state of an enrollment can't be read");
    let text = changes.text(Enrollment::STATE).unwrap_or("{}");
    let stored: Map<String, Json> = serde_json::from_str(text).map_err(unreadable)?;
    let is_set = |value: Option<&Value>| value.is_some_and(|value| *value != Value::Null);
    Ok(Kind::of_columns(&Columns {
        status,
        reason: changes.text(Enrollment::REASON),
        is_planned: is_set(changes.get(Enrollment::PLANNED_STEP_ID)),
        is_due: is_set(changes.get(Enrollment::DUE_AT)),
        stored: &stored,
    }))
}

/// Whether an enrollment can be reopened: its sequence is not archived, and no other enrollment of the contact forbids it.
fn may_reopen(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>) -> Result<bool, Error> {
    const OTHER: &str = "SELECT 1 FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 AND id <> $3 \
         AND (status IN ('active', 'paused') OR (sequence_id = $4 AND status <> 'unenrolled' AND id > $3)) LIMIT 1";
    let record = &saved.record;
    let sequence = find::<Sequence>(ctx, tx, record.sequence_id)?;
    let params = [ctx.workspace.into(), record.contact_id.into(), saved.id.into(), record.sequence_id.into()];
    let has_other = tx.one(OTHER, &params, |_| Ok(()))?.is_some();
    Ok(!has_other && sequence.record.status != SequenceStatus::Archived)
}

/// Adapts the restored row to what became of the planned step: its message was sent since, or the merge cancelled it.
fn follow_run(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, changes: &mut Changes) -> Result<(), Error> {
    const RUN: &str = "SELECT done_at FROM step_runs WHERE workspace_id = $1 AND enrollment_id = $2 AND step_id = $3";
    let Some(Value::Id(step)) = changes.get(Enrollment::PLANNED_STEP_ID).cloned() else { return Ok(()) };
    let is_active = changes.text(Enrollment::STATUS) == Some(EnrollmentStatus::Active.word());
    let run = tx.one(RUN, &[ctx.workspace.into(), saved.id.into(), step.into()], |row: &dyn Row| row.maybe_int(0))?;
    let now = tx.stamp();
    match run {
        Some(Some(done)) => {
            changes.set(Enrollment::DONE_STEP_ID, step);
            changes.set(Enrollment::CURRENT_STEP_ID, step);
            changes.set(Enrollment::BASE_AT, done);
            changes.set(Enrollment::FRESH, false);
            changes.clear(Enrollment::PLANNED_STEP_ID);
            changes.clear(Enrollment::NEXT_STEP_AT);
            changes.set(Enrollment::DUE_AT, is_active.then_some(now));
        }
        // The merge cancelled the message that the enrollment waited for, so that the step runs again.
        None if is_active && changes.get(Enrollment::DUE_AT) == Some(&Value::Null) => {
            let due = changes.get(Enrollment::NEXT_STEP_AT).filter(|at| **at != Value::Null).cloned();
            changes.set_field(Enrollment::DUE_AT.field, due.unwrap_or(now.into()));
            changes.clear(Enrollment::REASON);
        }
        Some(None) | None => {}
    }
    Ok(())
}

/// Reopens the task that the merge skipped, if it has not changed since.
fn restore_task(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, before: &Before) -> Result<(), Error> {
    let Some(task) = before.task else { return Ok(()) };
    let task = match find::<Task>(ctx, tx, task) {
        Err(Error::NotFound(_)) => return Ok(()),
        found => found?,
    };
    if task.record.status == TaskStatus::Skipped && task.record.completed_at == saved.record.finished_at {
        let mut changes = Changes::default();
        changes.set(Task::STATUS, TaskStatus::Todo);
        changes.clear(Task::COMPLETED_AT);
        update(ctx, tx, &task, &changes)?;
    }
    Ok(())
}

/// Earlier versions stored no row, so that nobody knows whether the enrollment was paused: a user has to resume it.
fn reopen_paused(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>) -> Result<(), Error> {
    if !may_reopen(ctx, tx, saved)? {
        return Ok(());
    }
    let mut changes = Changes::default();
    changes.set(Enrollment::REASON, "paused when a merge was undone");
    changes.clear(Enrollment::FINISHED_AT);
    let cause = Cause::MergeUndone { to: Kind::Paused };
    change(ctx, tx, saved, &cause, Extra { changes, ..Extra::default() }).map(drop)
}
