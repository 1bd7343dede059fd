//! The enrollments of contacts that are merged. A merge decides from all of them together which may go on: what one of the
//! contacts said holds for the person. An undo puts back the enrollments that the merge ended, and runs nothing.

use super::begun::open_run;
use super::enroll::{list_contact, refusal, unlist_contact};
use super::record::{Enrollment, EnrollmentStatus, FIELDS, end, save};
use crate::contact::Contact;
use crate::sequence::window::Schedule;
use crate::sequence::{Sequence, SequenceStatus};
use crate::task::{Task, TaskStatus};
use resource::{Changes, Ctx, Error, Resource, Saved, find, row, update, values_of};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use store::{Row, Tx, Uuid, Value};

/// An enrollment of the contacts that are merged, and how the merge ends it, if it does.
pub struct Decision {
    saved: Saved<Enrollment>,
    end: Option<(EnrollmentStatus, String)>,
}

/// What became of an enrollment in a merge, for its undo.
#[derive(Serialize, Deserialize)]
pub struct Moved {
    enrollment: Uuid,
    /// Whose it was.
    from: Uuid,
    before: Option<Before>,
    /// Merges of earlier versions kept only that they ended it.
    #[serde(default)]
    ended: bool,
}

/// An enrollment that a merge ended: its row before, and what the merge made of it.
#[derive(Serialize, Deserialize)]
struct Before {
    row: Json,
    status: String,
    reason: String,
    /// The task that stood for its step and was skipped.
    task: Option<Uuid>,
}

/// How the reason of every end begins that a merge makes.
const BY_MERGE: &str = "the contact was merged with one ";
const SAME_SEQUENCE: &str = "the contact was merged with one that is in this sequence, too";
const OTHER_SEQUENCE: &str = "the contact was merged with one that is in another sequence";
const TAKEN_OUT: &str = "the contact was merged with one that was taken out of this sequence";
const FORBIDDEN: &str = "the contact was merged with one that is archived or must not be contacted (do_not_contact)";
const ARCHIVED: &str = "the contact is archived";

/// The enrollments of a contact that ended only by a merge: its undo lets them go on.
pub fn ended_by_merge(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid) -> Result<Vec<Saved<Enrollment>>, Error> {
    const ENDED: &str = "SELECT id FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 \
         AND status NOT IN ('active', 'paused', 'finished') AND reason LIKE 'the contact was merged with one %' ORDER BY id";
    debug_assert!(ENDED.contains(BY_MERGE));
    let ids = tx.rows(ENDED, &[ctx.workspace.into(), contact.into()], |row| row.id(0))?;
    ids.into_iter().map(|id| find::<Enrollment>(ctx, tx, id)).collect()
}

/// Something happened to the person meanwhile that ends this one whether or not the merge is undone.
pub fn end_for_good(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<Enrollment>,
    status: EnrollmentStatus,
    why: &str,
) -> Result<(), Error> {
    let mut changes = Changes::default();
    changes.set(FIELDS, "status", status.word());
    changes.set(FIELDS, "reason", why);
    save(ctx, tx, saved, &changes, status.word(), &Map::new()).map(drop)
}

/// Decides for all enrollments of the contacts; `forbidden` if nothing may be sent to the survivor. The survivor's own come
/// first, so that they are preferred.
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

/// Whether somebody unsubscribed, of these.
pub fn unsubscribed(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid) -> Result<bool, Error> {
    const UNSUBSCRIBED: &str =
        "SELECT 1 FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 AND status = 'unsubscribed' LIMIT 1";
    Ok(tx.one(UNSUBSCRIBED, &[ctx.workspace.into(), contact.into()], |_| Ok(()))?.is_some())
}

/// How an open enrollment ends because of the other contacts' enrollments, or since nothing may be sent to the survivor.
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
        if Schedule::of(&sequence.record.schedule_config.0).stop_on_reply {
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
            // Only one that somebody took out of the sequence; otherwise it may be enrolled again.
            let reason = other.record.reason.as_deref().unwrap_or_default();
            let by_merge = reason.starts_with(BY_MERGE) && ![TAKEN_OUT, FORBIDDEN].contains(&reason);
            let by_itself = by_merge || reason == ARCHIVED;
            if by_itself { None } else { unenrolled(TAKEN_OUT) }
        }
        // Of two that are open the first goes on.
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

/// Ends what is to end and gives the survivor all of them.
pub fn carry_out(ctx: &Ctx, tx: &mut dyn Tx, into: Uuid, decisions: Vec<Decision>) -> Result<Vec<Moved>, Error> {
    let mut moved = Vec::new();
    for Decision { mut saved, end: ending } in decisions {
        let (id, from) = (saved.id, saved.record.contact_id);
        let mut before = None;
        if let Some((status, reason)) = ending {
            let task = open_task(ctx, tx, &saved)?;
            before = Some(Before { row: row(&saved), status: status.word().to_owned(), reason: reason.clone(), task });
            saved = end(ctx, tx, &saved, status, &reason)?;
        }
        if from != into {
            give(ctx, tx, &saved, into)?;
        } else if before.is_none() {
            continue;
        }
        moved.push(Moved { enrollment: id, from, before, ended: false });
    }
    Ok(moved)
}

/// The task that stands for the planned step, if somebody still has to do it.
fn open_task(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>) -> Result<Option<Uuid>, Error> {
    let Some(task) = open_run(ctx, tx, saved)?.and_then(|run| run.task) else { return Ok(None) };
    match find::<Task>(ctx, tx, task) {
        Ok(task) => Ok(Some(task.id).filter(|_| task.record.status == TaskStatus::Todo)),
        Err(Error::NotFound(_)) => Ok(None),
        Err(other) => Err(other),
    }
}

/// Undoes that: each goes back to its contact, and those that the merge ended are as they were.
pub fn move_back(ctx: &Ctx, tx: &mut dyn Tx, into: Uuid, moved: &[Moved]) -> Result<(), Error> {
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
            None if one.ended && saved.record.reason.as_deref() == Some(SAME_SEQUENCE) => pause(ctx, tx, &saved)?,
            None => {}
        }
    }
    Ok(())
}

fn give(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, contact: Uuid) -> Result<(), Error> {
    let mut changes = Changes::default();
    changes.set(FIELDS, "contact_id", contact);
    update(ctx, tx, saved, &changes)?;
    list_contact(ctx, tx, saved.record.sequence_id, contact)?;
    unlist_contact(ctx, tx, saved.record.sequence_id, saved.record.contact_id)
}

/// Puts an enrollment back as it was before the merge ended it, unless something stands in the way since.
fn restore(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, before: &Before) -> Result<(), Error> {
    let record = &saved.record;
    let is_as_left = record.status.word() == before.status && record.reason.as_deref() == Some(&before.reason);
    if !is_as_left || !may_reopen(ctx, tx, saved)? {
        return Ok(());
    }
    let contact = find::<Contact>(ctx, tx, record.contact_id)?;
    if let Some(why) = refusal(ctx, tx, &contact)? {
        return end_for_good(ctx, tx, saved, EnrollmentStatus::Unenrolled, &why);
    }
    let mut changes = values_of::<Enrollment>(&before.row);
    for fixed in ["contact_id", "sequence_id"] {
        changes.take(fixed);
    }
    follow_run(ctx, tx, saved, &mut changes)?;
    restore_task(ctx, tx, saved, before)?;
    save(ctx, tx, saved, &changes, "updated", &Map::new()).map(drop)
}

/// Not in an archived sequence, nor beside another enrollment that enrolling would not allow.
fn may_reopen(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>) -> Result<bool, Error> {
    const OTHER: &str = "SELECT 1 FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 AND id <> $3 \
         AND (status IN ('active', 'paused') OR (sequence_id = $4 AND status <> 'unenrolled' AND id > $3)) LIMIT 1";
    let record = &saved.record;
    let sequence = find::<Sequence>(ctx, tx, record.sequence_id)?;
    let params = [ctx.workspace.into(), record.contact_id.into(), saved.id.into(), record.sequence_id.into()];
    let has_other = tx.one(OTHER, &params, |_| Ok(()))?.is_some();
    Ok(!has_other && sequence.record.status != SequenceStatus::Archived)
}

/// What became of the planned step meanwhile: its message may have been sent, or taken out of the outbox by the merge.
fn follow_run(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, changes: &mut Changes) -> Result<(), Error> {
    const RUN: &str = "SELECT done_at FROM step_runs WHERE workspace_id = $1 AND enrollment_id = $2 AND step_id = $3";
    let Some(Value::Id(step)) = changes.get("planned_step_id").cloned() else { return Ok(()) };
    let is_active = changes.text("status") == Some(EnrollmentStatus::Active.word());
    let run = tx.one(RUN, &[ctx.workspace.into(), saved.id.into(), step.into()], |row: &dyn Row| row.maybe_int(0))?;
    let now = tx.stamp();
    match run {
        Some(Some(done)) => {
            for (name, value) in [
                ("done_step_id", step.into()),
                ("current_step_id", step.into()),
                ("base_at", done.into()),
                ("fresh", false.into()),
                ("planned_step_id", Value::Null),
                ("next_step_at", Value::Null),
                ("due_at", if is_active { now.into() } else { Value::Null }),
            ] {
                changes.set(FIELDS, name, value);
            }
        }
        // It waits for nothing that could happen any more: the step is taken up again.
        None if is_active && changes.get("due_at") == Some(&Value::Null) => {
            let due = changes.get("next_step_at").filter(|at| **at != Value::Null).cloned();
            changes.set(FIELDS, "due_at", due.unwrap_or(now.into()));
            changes.set(FIELDS, "reason", Value::Null);
        }
        Some(None) | None => {}
    }
    Ok(())
}

/// The task that the merge skipped is to be done again, if nobody has touched it since.
fn restore_task(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, before: &Before) -> Result<(), Error> {
    let Some(task) = before.task else { return Ok(()) };
    let task = match find::<Task>(ctx, tx, task) {
        Err(Error::NotFound(_)) => return Ok(()),
        found => found?,
    };
    if task.record.status == TaskStatus::Skipped && task.record.completed_at == saved.record.finished_at {
        let mut changes = Changes::default();
        changes.set(Task::FIELDS, "status", TaskStatus::Todo.word());
        changes.set(Task::FIELDS, "completed_at", Value::Null);
        update(ctx, tx, &task, &changes)?;
    }
    Ok(())
}

/// Of a merge whose version kept no row nobody knows whether it was paused: it waits until somebody resumes it.
fn pause(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>) -> Result<(), Error> {
    if !may_reopen(ctx, tx, saved)? {
        return Ok(());
    }
    let mut changes = Changes::default();
    changes.set(FIELDS, "status", EnrollmentStatus::Paused.word());
    changes.set(FIELDS, "reason", "paused when a merge was undone");
    changes.set(FIELDS, "finished_at", Value::Null);
    save(ctx, tx, saved, &changes, "updated", &Map::new()).map(drop)
}
