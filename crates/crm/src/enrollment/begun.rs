//! Steps that have begun: in the outbox, or in somebody's hands.

use super::record::Enrollment;
use crate::outbox;
use crate::sequence::plan::Planned;
use crate::task::{Task, TaskStatus};
use resource::{Changes, Ctx, Error, Resource, Saved, find, update};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid, Value};

/// A step that somebody or something has in hand from now on.
#[expect(clippy::too_many_arguments, reason = "a row of as many columns")]
pub(super) fn begin(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<Enrollment>,
    step: &Planned,
    state: &str,
    message: Option<Uuid>,
    task: Option<Uuid>,
    address: Option<&str>,
) -> Result<(), Error> {
    const BEGIN: &str = "INSERT INTO step_runs (workspace_id, enrollment_id, step_id, sequence_id, state, message_id, task_id, address, run_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let now = tx.stamp();
    let params: [Value; 9] = [
        ctx.workspace.into(),
        saved.id.into(),
        step.id.into(),
        saved.record.sequence_id.into(),
        state.into(),
        message.into(),
        task.into(),
        address.map(str::to_owned).into(),
        now.into(),
    ];
    Ok(tx.execute(BEGIN, &params)?)
}

pub struct OpenRun {
    pub step: Uuid,
    pub state: String,
    pub message: Option<Uuid>,
    pub task: Option<Uuid>,
}

/// The run of the planned step, if it has begun.
pub fn open_run(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>) -> Result<Option<OpenRun>, Error> {
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

/// What an enrollment waits for that is in somebody's hands: a task, or the outbox.
pub fn waiting(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>) -> Result<Option<String>, Error> {
    let Some(run) = open_run(ctx, tx, saved)? else { return Ok(None) };
    Ok(match run.state.as_str() {
        "waiting" => Some("waits for its task to be completed".into()),
        "queued" => Some("its message is being handed over".into()),
        _ => None,
    })
}

/// Takes back what the planned step has put into the outbox, as if it had not begun. What is in somebody's hands at this
/// moment is told: it may still arrive.
pub fn withdraw(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, why: &str) -> Result<Map<String, Json>, Error> {
    let mut more = Map::new();
    let Some(run) = open_run(ctx, tx, saved)? else { return Ok(more) };
    if let Some(message) = run.message {
        let why = if why.is_empty() { "the enrollment ended" } else { why };
        if run.state == "queued" && outbox::cancel(ctx, tx, message, why)? {
            forget_run(ctx, tx, saved.id, run.step)?;
        } else if outbox::in_hand(ctx, tx, saved.id)?.is_some() {
            more.insert("sending".into(), json!([null, message]));
        }
    }
    Ok(more)
}

/// A task that stood for a step which is not to be is nobody's to do any more.
pub fn drop_task(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>) -> Result<(), Error> {
    let Some(task) = open_run(ctx, tx, saved)?.and_then(|run| run.task) else { return Ok(()) };
    let task = match find::<Task>(ctx, tx, task) {
        Err(Error::NotFound(_)) => return Ok(()),
        found => found?,
    };
    let (now, mut changes) = (tx.stamp(), Changes::default());
    if task.record.status == TaskStatus::Todo {
        changes.set(Task::FIELDS, "status", TaskStatus::Skipped.word());
        changes.set(Task::FIELDS, "completed_at", now);
        update(ctx, tx, &task, &changes)?;
    }
    Ok(())
}

/// The step has not begun after all.
pub fn forget_run(ctx: &Ctx, tx: &mut dyn Tx, enrollment: Uuid, step: Uuid) -> Result<(), Error> {
    const FORGET: &str = "DELETE FROM step_runs WHERE workspace_id = $1 AND enrollment_id = $2 AND step_id = $3";
    Ok(tx.execute(FORGET, &[ctx.workspace.into(), enrollment.into(), step.into()])?)
}
