//! The table `step_runs`: a row for each step of an enrollment that was started, with what became of it.

use super::counts::tally_run;
use super::state::{Activity, StepEnd};
use super::{Enrollment, Run};
use crate::outreach::outbox;
use crate::outreach::sequence::plan::ParsedStep;
use crate::pipelines::task::{Task, TaskStatus};
use resource::{Changes, Ctx, Error, Saved, find, update};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid, Value};

/// States of a run that is not done: its message is in the outbox, its task is open, or the outcome of its message is not
/// known.
const QUEUED: &str = "queued";
const WAITING: &str = "waiting";
const UNKNOWN: &str = "unknown";

/// What a started step waits for.
pub(super) enum Started<'a> {
    /// Its message, and the address that it goes to.
    Message(Uuid, Option<&'a str>),
    Task(Uuid),
}

/// Notes that a step was started.
pub(super) fn start(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<Enrollment>,
    step: &ParsedStep,
    started: &Started,
) -> Result<(), Error> {
    const START: &str = "INSERT INTO step_runs (workspace_id, enrollment_id, step_id, sequence_id, state, message_id, task_id, address, run_at, variant_id) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let (state, message, task, address) = match started {
        Started::Message(message, address) => (QUEUED, Some(*message), None, *address),
        Started::Task(task) => (WAITING, None, Some(*task), None),
    };
    let now = tx.stamp();
    let params: [Value; 10] = [
        ctx.workspace.into(),
        saved.id.into(),
        step.id.into(),
        saved.record.sequence_id.into(),
        state.into(),
        message.into(),
        task.into(),
        address.map(str::to_owned).into(),
        now.into(),
        step.variant_id().into(),
    ];
    Ok(tx.execute(START, &params)?)
}

/// Notes how a step ended, whether or not it was started.
pub(super) fn finish(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<Enrollment>,
    step: &ParsedStep,
    end: StepEnd,
    reason: Option<&str>,
) -> Result<(), Error> {
    const FINISH: &str = "INSERT INTO step_runs (workspace_id, enrollment_id, step_id, sequence_id, state, reason, run_at, done_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7) \
         ON CONFLICT (workspace_id, enrollment_id, step_id) DO UPDATE SET state = excluded.state, reason = excluded.reason, done_at = excluded.done_at";
    let now = tx.stamp();
    let params: [Value; 7] = [
        ctx.workspace.into(),
        saved.id.into(),
        step.id.into(),
        saved.record.sequence_id.into(),
        end.word().into(),
        reason.map(str::to_owned).into(),
        now.into(),
    ];
    Ok(tx.execute(FINISH, &params)?)
}

/// Notes that a step failed before it was started.
pub(super) fn fail(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<Enrollment>,
    step: &ParsedStep,
    why: &str,
) -> Result<(), Error> {
    const FAIL: &str = "INSERT INTO step_runs (workspace_id, enrollment_id, step_id, sequence_id, state, reason, run_at, done_at, variant_id) \
         VALUES ($1, $2, $3, $4, 'failed', $5, $6, $6, $7) \
         ON CONFLICT (workspace_id, enrollment_id, step_id) DO UPDATE SET state = excluded.state, reason = excluded.reason, \
         done_at = excluded.done_at, variant_id = excluded.variant_id";
    let now = tx.stamp();
    let params: [Value; 7] = [
        ctx.workspace.into(),
        saved.id.into(),
        step.id.into(),
        saved.record.sequence_id.into(),
        why.into(),
        now.into(),
        step.variant_id().into(),
    ];
    tx.execute(FAIL, &params)?;
    tally_run(ctx, tx, step.id, step.variant_id(), "failed", 1)
}

/// Deletes the runs that failed, and takes them out of the statistics: the enrollment is retried.
pub(super) fn forget_failures(ctx: &Ctx, tx: &mut dyn Tx, enrollment: Uuid) -> Result<(), Error> {
    const FAILED: &str = "DELETE FROM step_runs WHERE workspace_id = $1 AND enrollment_id = $2 AND state = 'failed' \
         RETURNING step_id, variant_id";
    let failed = tx.rows(FAILED, &[ctx.workspace.into(), enrollment.into()], |row| {
        Ok((row.id(0)?, row.get(1)?.maybe(|id| id.id())?))
    })?;
    for (step, variant) in failed {
        tally_run(ctx, tx, step, variant, "failed", -1)?;
    }
    Ok(())
}

/// The run of the planned step, while it is not done.
pub(super) struct OpenRun {
    pub step: Uuid,
    state: String,
    pub message: Option<Uuid>,
    pub task: Option<Uuid>,
}

impl OpenRun {
    pub(super) fn waits_for_task(&self) -> bool {
        self.state == WAITING
    }

    /// What an enrollment waits for that resumes with this run; `None` after an unknown outcome.
    pub(super) fn activity(&self) -> Option<Activity> {
        match self.state.as_str() {
            WAITING => Some(Activity::WaitsForTask),
            QUEUED => Some(Activity::WaitsForDelivery),
            _ => None,
        }
    }
}

pub(super) fn open_run(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>) -> Result<Option<OpenRun>, Error> {
    const RUN: &str = "SELECT step_id, state, message_id, task_id FROM step_runs \
         WHERE workspace_id = $1 AND enrollment_id = $2 AND step_id = $3 AND done_at IS NULL";
    let Some(step) = saved.record.planned_step_id else { return Ok(None) };
    Ok(tx.one(RUN, &[ctx.workspace.into(), saved.id.into(), step.into()], |row| {
        Ok(OpenRun {
            step: row.id(0)?,
            state: row.text(1)?,
            message: row.get(2)?.maybe(|id| id.id())?,
            task: row.get(3)?.maybe(|id| id.id())?,
        })
    })?)
}

/// Cancels the planned step's message if it is still in the outbox, as if the step had not been started. A message that is
/// being sent may still arrive; the result names it for the event.
pub(super) fn withdraw(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<Enrollment>,
    why: &str,
) -> Result<Map<String, Json>, Error> {
    let mut details = Map::new();
    let Some(run) = open_run(ctx, tx, saved)? else { return Ok(details) };
    if let Some(message) = run.message {
        if run.state == QUEUED && outbox::cancel(ctx, tx, message, why)? {
            forget_run(ctx, tx, saved.id, run.step)?;
        } else if outbox::in_flight(ctx, tx, saved.id)?.is_some() {
            details.insert("sending".into(), json!([null, message]));
        }
    }
    Ok(details)
}

/// Skips the open task of the planned step.
pub(super) fn drop_task(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>) -> Result<(), Error> {
    let Some(task) = open_run(ctx, tx, saved)?.and_then(|run| run.task) else { return Ok(()) };
    let task = match find::<Task>(ctx, tx, task) {
        Err(Error::NotFound(_)) => return Ok(()),
        found => found?,
    };
    let (now, mut changes) = (tx.stamp(), Changes::default());
    if task.record.status == TaskStatus::Todo {
        changes.set(Task::STATUS, TaskStatus::Skipped);
        changes.set(Task::COMPLETED_AT, now);
        update(ctx, tx, &task, &changes)?;
    }
    Ok(())
}

/// Deletes the run: the step counts as not started.
pub(super) fn forget_run(ctx: &Ctx, tx: &mut dyn Tx, enrollment: Uuid, step: Uuid) -> Result<(), Error> {
    const FORGET: &str = "DELETE FROM step_runs WHERE workspace_id = $1 AND enrollment_id = $2 AND step_id = $3";
    Ok(tx.execute(FORGET, &[ctx.workspace.into(), enrollment.into(), step.into()])?)
}

/// The open run that waits for this task.
pub(super) fn run_of_task(ctx: &Ctx, tx: &mut dyn Tx, task: Uuid) -> Result<Option<Run>, Error> {
    const RUN: &str =
        "SELECT enrollment_id, step_id FROM step_runs WHERE workspace_id = $1 AND task_id = $2 AND done_at IS NULL";
    Ok(tx.one(RUN, &[ctx.workspace.into(), task.into()], |row| {
        Ok(Run { enrollment_id: row.id(0)?, step_id: row.id(1)? })
    })?)
}

/// The last step of an enrollment that made a message.
pub(super) fn last_step(ctx: &Ctx, tx: &mut dyn Tx, enrollment: Uuid) -> Result<Option<Uuid>, Error> {
    const LAST: &str = "SELECT step_id FROM step_runs WHERE workspace_id = $1 AND enrollment_id = $2 AND message_id IS NOT NULL \
         ORDER BY run_at DESC LIMIT 1";
    Ok(tx.one(LAST, &[ctx.workspace.into(), enrollment.into()], |row| row.id(0))?)
}

/// The variants whose texts were used for an enrollment, by step.
pub(super) fn variants(ctx: &Ctx, tx: &mut dyn Tx, enrollment: Uuid) -> Result<Vec<(Uuid, Uuid)>, Error> {
    const VARIANTS: &str = "SELECT step_id, variant_id FROM step_runs \
         WHERE workspace_id = $1 AND enrollment_id = $2 AND variant_id IS NOT NULL";
    Ok(tx.rows(VARIANTS, &[ctx.workspace.into(), enrollment.into()], |row| Ok((row.id(0)?, row.id(1)?)))?)
}

/// The address that the run's message went to.
pub(super) fn address(ctx: &Ctx, tx: &mut dyn Tx, run: &Run) -> Result<Option<String>, Error> {
    const ADDRESS: &str =
        "SELECT address FROM step_runs WHERE workspace_id = $1 AND enrollment_id = $2 AND step_id = $3";
    let params = [ctx.workspace.into(), run.enrollment_id.into(), run.step_id.into()];
    Ok(tx.one(ADDRESS, &params, |row| row.maybe_text(0))?.flatten())
}

/// Notes that nobody knows whether the run's message was sent.
pub(super) fn mark_unknown(ctx: &Ctx, tx: &mut dyn Tx, run: &Run) -> Result<(), Error> {
    const SET: &str = "UPDATE step_runs SET state = $1 WHERE workspace_id = $2 AND enrollment_id = $3 AND step_id = $4";
    Ok(tx.execute(SET, &[UNKNOWN.into(), ctx.workspace.into(), run.enrollment_id.into(), run.step_id.into()])?)
}

/// Closes the run of a message as `sent` or `failed`, unless it is closed already.
pub(super) fn close(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    run: &Run,
    message: Uuid,
    state: &str,
    why: Option<&str>,
) -> Result<(), Error> {
    const CLOSE: &str = "UPDATE step_runs SET state = $1, reason = $2, done_at = $3 \
         WHERE workspace_id = $4 AND enrollment_id = $5 AND step_id = $6";
    const OPEN: &str = "SELECT variant_id FROM step_runs \
         WHERE workspace_id = $1 AND enrollment_id = $2 AND step_id = $3 AND message_id = $4 AND done_at IS NULL";
    let key: [Value; 3] = [ctx.workspace.into(), run.enrollment_id.into(), run.step_id.into()];
    let [workspace, enrollment, step] = key;
    let open = [workspace.clone(), enrollment.clone(), step.clone(), message.into()];
    let Some(variant) = tx.one(OPEN, &open, |row| row.get(0)?.maybe(|id| id.id()))? else { return Ok(()) };
    let now = tx.stamp();
    tx.execute(CLOSE, &[state.into(), why.map(str::to_owned).into(), now.into(), workspace, enrollment, step])?;
    tally_run(ctx, tx, run.step_id, variant, state, 1)
}

/// Notes once that a step's message was `opened`, `clicked`, `replied`, `bounced` or `unsubscribed`; false if it is known.
pub(super) fn mark(ctx: &Ctx, tx: &mut dyn Tx, run: &Run, what: &'static str) -> Result<bool, Error> {
    let (column, set) = match what {
        "opened" => ("opened_at", "UPDATE step_runs SET opened_at = $1"),
        "clicked" => ("clicked_at", "UPDATE step_runs SET clicked_at = $1"),
        "replied" => ("replied_at", "UPDATE step_runs SET replied_at = $1"),
        "bounced" => ("bounced_at", "UPDATE step_runs SET bounced_at = $1"),
        _ => ("unsubscribed_at", "UPDATE step_runs SET unsubscribed_at = $1"),
    };
    let unmarked = format!(
        "SELECT variant_id FROM step_runs WHERE workspace_id = $1 AND enrollment_id = $2 AND step_id = $3 AND {column} IS NULL"
    );
    let set = format!("{set} WHERE workspace_id = $2 AND enrollment_id = $3 AND step_id = $4");
    let key: [Value; 3] = [ctx.workspace.into(), run.enrollment_id.into(), run.step_id.into()];
    let Some(variant) = tx.one(&unmarked, &key, |row| row.get(0)?.maybe(|id| id.id()))? else { return Ok(false) };
    let now = tx.stamp();
    let [workspace, enrollment, step] = key;
    tx.execute(&set, &[now.into(), workspace, enrollment, step])?;
    tally_run(ctx, tx, run.step_id, variant, what, 1)?;
    Ok(true)
}
