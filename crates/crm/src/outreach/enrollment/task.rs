//! Tasks of steps.

use super::Enrollment;
use super::advance::finish_step;
use super::context::SequenceContext;
use super::state::StepEnd;
use super::step_runs::{forget_run, run_of_task};
use crate::pipelines::task::TaskStatus;
use crate::records::contact::{self, Contact};
use resource::{Ctx, Error, find};
use store::{Tx, Uuid};

/// Finishes the step that waits for a task, in the transaction that completes, skips or deletes the task. A deleted task has
/// no status.
pub fn task_over(ctx: &Ctx, tx: &mut dyn Tx, task: Uuid, status: Option<TaskStatus>) -> Result<(), Error> {
    if status == Some(TaskStatus::Todo) {
        return Ok(());
    }
    let Some(run) = run_of_task(ctx, tx, task)? else { return Ok(()) };
    let saved = find::<Enrollment>(ctx, tx, run.enrollment_id)?;
    let mut sequence = SequenceContext::of(ctx, tx, saved.record.sequence_id)?;
    let steps = sequence.steps(ctx, tx, saved.record.sequence_version)?;
    let step = steps.iter().find(|step| step.id == run.step_id);
    let Some(step) = step.filter(|_| saved.record.status.is_open()) else {
        return forget_run(ctx, tx, run.enrollment_id, run.step_id);
    };
    let end = match status {
        Some(TaskStatus::Done) => {
            let contact = find::<Contact>(ctx, tx, saved.record.contact_id)?;
            sequence.contacts.put(contact::contacted(ctx, tx, contact)?);
            (StepEnd::Done, None)
        }
        Some(_) => (StepEnd::Skipped, Some("its task was skipped")),
        None => (StepEnd::Skipped, Some("its task was deleted")),
    };
    finish_step(ctx, tx, &mut sequence, &saved, step, end).map(drop)
}
