//! The record of an enrollment, and the one way it is written: with the counts that it stands in.

use super::begun::{drop_task, withdraw};
use crate::sequence::Sequence;
use resource::{Changes, Ctx, Error, Index, Resource, Saved, Time, updated};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use store::{Tx, Uuid, Value};

resource::choices! {
    EnrollmentStatus {
        Active = "active", Paused = "paused", Finished = "finished", Replied = "replied", Bounced = "bounced",
        Unsubscribed = "unsubscribed", Unenrolled = "unenrolled", Failed = "failed",
    }
}

impl EnrollmentStatus {
    /// Whether it may still go on.
    pub fn is_open(self) -> bool {
        matches!(self, EnrollmentStatus::Active | EnrollmentStatus::Paused)
    }
}

/// A contact in a sequence.
#[derive(Resource)]
#[resource(table = "enrollments", one = "enrollment", indexes = INDEXES)]
pub struct Enrollment {
    #[field(read_only)]
    pub id: Uuid,
    #[field(read_only)]
    pub sequence_id: Uuid,
    #[field(read_only, filter, subject)]
    pub contact_id: Uuid,
    #[field(read_only, default = "\"active\"", filter)]
    pub status: EnrollmentStatus,
    /// The step whose turn it is; while no branch is decided on, the step before; after the end, the last one.
    #[field(read_only)]
    pub current_step_id: Option<Uuid>,
    /// `custom_variable_1` … `custom_variable_10`, for its templates.
    #[field(read_only)]
    pub custom_variables: Map<String, Json>,
    /// When the current step is due; null while it waits for a task, for good or for somebody.
    #[field(read_only)]
    pub next_step_at: Option<Time>,
    /// Why it ended or is held up.
    #[field(read_only)]
    pub reason: Option<String>,
    #[field(read_only)]
    pub enrolled_at: Time,
    #[field(read_only)]
    pub finished_at: Option<Time>,
    /// Of the sequence's steps.
    #[field(hidden)]
    pub steps_version: i64,
    /// The last step that is over …
    #[field(hidden)]
    pub done_step_id: Option<Uuid>,
    /// … when that was …
    #[field(hidden)]
    pub base_at: Time,
    /// … and the one that follows, where that is decided.
    #[field(hidden)]
    pub planned_step_id: Option<Uuid>,
    /// When it is to be looked at.
    #[field(hidden)]
    pub due_at: Option<Time>,
    /// No step is over yet.
    #[field(hidden)]
    pub fresh: bool,
    #[field(hidden)]
    pub state: Map<String, Json>,
    #[field(read_only, filter, sort)]
    pub created_at: Time,
    #[field(read_only, filter, sort)]
    pub updated_at: Time,
}

const INDEXES: &[Index] = &[
    Index { name: "enrollments_sequence_id", fields: &["sequence_id"] },
    Index { name: "enrollments_sequence_id_status", fields: &["sequence_id", "status"] },
    Index { name: "enrollments_sequence_id_updated_at", fields: &["sequence_id", "updated_at"] },
    Index { name: "enrollments_contact_id", fields: &["contact_id"] },
];

/// What an enrollment remembers besides its members.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct State {
    /// The account and the conversation of each channel: a thread stays with its sender.
    pub threads: BTreeMap<String, ThreadOf>,
    /// The latest reply, and the latest that a branch was taken for.
    pub replied_at: Option<i64>,
    pub replied_used: Option<i64>,
    pub accepted_at: Option<i64>,
    /// It goes on by itself then.
    pub paused_until: Option<i64>,
    /// What holds the current step up, as of the last look: the rule, the reason and until when.
    pub held: Option<(String, String, i64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ThreadOf {
    pub account: Uuid,
    pub conversation: Option<Uuid>,
}

pub const FIELDS: &[resource::Field] = Enrollment::FIELDS;

pub fn state(saved: &Saved<Enrollment>) -> State {
    serde_json::from_value(Json::Object(saved.record.state.clone())).unwrap_or_default()
}

pub fn set_state(changes: &mut Changes, state: &State) {
    changes.set(FIELDS, "state", serde_json::to_string(state).unwrap_or_default());
}

/// Saves an enrollment as it now is, in the counts too, and sees that its sequence is looked at in time.
pub fn save(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<Enrollment>,
    changes: &Changes,
    verb: &str,
    more: &Map<String, Json>,
) -> Result<Saved<Enrollment>, Error> {
    let mut counts = Counts::default();
    let after = save_counting(ctx, tx, &mut counts, saved, changes, verb, more)?;
    counts.write(ctx, tx, saved.record.sequence_id)?;
    Ok(after)
}

/// The same; the counts are moved by whoever has them.
pub fn save_counting(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    counts: &mut Counts,
    saved: &Saved<Enrollment>,
    changes: &Changes,
    verb: &str,
    more: &Map<String, Json>,
) -> Result<Saved<Enrollment>, Error> {
    let Some(after) = updated(ctx, tx, saved, changes, verb, more)? else { return saved.again() };
    let sequence = after.record.sequence_id;
    if saved.record.status != after.record.status {
        counts.statuses.extend([(saved.record.status, -1), (after.record.status, 1)]);
    }
    let planned = |saved: &Saved<Enrollment>| saved.record.planned_step_id.filter(|_| saved.record.status.is_open());
    if planned(saved) != planned(&after) {
        for (step, n) in [(planned(saved), -1), (planned(&after), 1)] {
            if let Some(step) = step {
                counts.step(step, "planned", n);
            }
        }
    }
    if let Some(due) = after.record.due_at {
        wake(ctx, tx, sequence, due.0)?;
    }
    Ok(after)
}

/// Moves of the counts of one sequence and its steps.
#[derive(Default)]
pub struct Counts {
    statuses: Vec<(EnrollmentStatus, i64)>,
    steps: BTreeMap<(Uuid, String), i64>,
}

impl Counts {
    pub fn step(&mut self, step: Uuid, what: &str, n: i64) {
        *self.steps.entry((step, what.to_owned())).or_default() += n;
    }

    pub fn write(&mut self, ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid) -> Result<(), Error> {
        let moved = std::mem::take(self);
        if !moved.statuses.is_empty() {
            count(ctx, tx, sequence, &moved.statuses, 0)?;
        }
        moved.steps.into_iter().try_for_each(|((step, what), n)| tally(ctx, tx, step, &what, n))
    }
}

/// Notes what nobody is shown: when it is looked at, and what it remembers.
pub fn hush(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, due: Option<i64>, state: &State) -> Result<(), Error> {
    const HUSH: &str = "UPDATE enrollments SET due_at = $1, state = $2 WHERE workspace_id = $3 AND id = $4";
    let state = serde_json::to_string(state).unwrap_or_default();
    Ok(tx.execute(HUSH, &[due.into(), state.into(), ctx.workspace.into(), id.into()])?)
}

/// Moves the counts that a sequence shows. They move neither its version nor its `updated_at`.
pub fn count(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: Uuid,
    moves: &[(EnrollmentStatus, i64)],
    total: i64,
) -> Result<(), Error> {
    const READ: &str = "SELECT enrollments FROM sequences WHERE workspace_id = $1 AND id = $2";
    const WRITE: &str = "UPDATE sequences SET enrollments = $1 WHERE workspace_id = $2 AND id = $3";
    let text = tx.one(READ, &[ctx.workspace.into(), sequence.into()], |row| row.text(0))?.unwrap_or_default();
    let mut counts: Map<String, Json> = serde_json::from_str(&text).unwrap_or_default();
    let mut shift = |word: &str, n: i64| {
        if let Some(count) = counts.get_mut(word) {
            *count = json!(count.as_i64().unwrap_or(0) + n);
        }
    };
    shift("total", total);
    moves.iter().for_each(|(status, n)| shift(status.word(), *n));
    tx.execute(WRITE, &[Json::Object(counts).to_string().into(), ctx.workspace.into(), sequence.into()])?;
    // The collection has changed, though not how many it has.
    tx.tally(store::Tally { collection: Sequence::ABOUT.table, field: "", value: String::new(), archived: false }, 0);
    Ok(())
}

/// Counts what became of a step.
pub fn tally(ctx: &Ctx, tx: &mut dyn Tx, step: Uuid, what: &str, n: i64) -> Result<(), Error> {
    const COUNT: &str = "INSERT INTO record_counts (workspace_id, record, name, n) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (workspace_id, record, name) DO UPDATE SET n = record_counts.n + excluded.n";
    Ok(tx.execute(COUNT, &[ctx.workspace.into(), step.into(), format!("step.{what}").into(), n.into()])?)
}

/// Sees that the sequence is looked at by then.
pub fn wake(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid, at: i64) -> Result<(), Error> {
    const WAKE: &str =
        "UPDATE sequence_pace SET wake_at = $1 WHERE workspace_id = $2 AND sequence_id = $3 AND wake_at > $1";
    Ok(tx.execute(WAKE, &[at.into(), ctx.workspace.into(), sequence.into()])?)
}

/// Lets the sequence be looked at, or not.
pub fn pace(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid, active: bool, high: bool) -> Result<(), Error> {
    const PACE: &str = "INSERT INTO sequence_pace (workspace_id, sequence_id, active, priority, wake_at, open_at, day, day_count, last_at) \
         VALUES ($1, $2, $3, $4, $5, 0, '', 0, 0) \
         ON CONFLICT (workspace_id, sequence_id) DO UPDATE SET active = excluded.active, priority = excluded.priority, wake_at = excluded.wake_at";
    let now = tx.stamp();
    let params: [Value; 5] = [ctx.workspace.into(), sequence.into(), active.into(), i64::from(high).into(), now.into()];
    Ok(tx.execute(PACE, &params)?)
}

/// Ends an enrollment. What waits in the outbox is taken back; one that is being handed over at this moment is told of.
pub fn end(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<Enrollment>,
    status: EnrollmentStatus,
    reason: &str,
) -> Result<Saved<Enrollment>, Error> {
    let mut counts = Counts::default();
    let after = end_counting(ctx, tx, &mut counts, saved, status, reason)?;
    counts.write(ctx, tx, saved.record.sequence_id)?;
    Ok(after)
}

/// The same; the counts are moved by whoever has them.
pub fn end_counting(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    counts: &mut Counts,
    saved: &Saved<Enrollment>,
    status: EnrollmentStatus,
    reason: &str,
) -> Result<Saved<Enrollment>, Error> {
    let more = withdraw(ctx, tx, saved, reason)?;
    drop_task(ctx, tx, saved)?;
    let (now, mut changes) = (tx.stamp(), Changes::default());
    changes.set(FIELDS, "status", status.word());
    changes.set(FIELDS, "reason", (!reason.is_empty()).then(|| reason.to_owned()));
    changes.set(FIELDS, "finished_at", now);
    for member in ["next_step_at", "due_at", "planned_step_id"] {
        changes.set(FIELDS, member, Value::Null);
    }
    if let Some(done) = saved.record.done_step_id {
        changes.set(FIELDS, "current_step_id", done);
    }
    save_counting(ctx, tx, counts, saved, &changes, status.word(), &more)
}
