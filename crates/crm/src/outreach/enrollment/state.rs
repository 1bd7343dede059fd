//! The states of an enrollment and the transitions between them. `docs/sequence-engine.md` draws both, and a test compares
//! the drawing with `TRANSITIONS`.
//!
//! A state is stored as `status`, `reason`, `planned_step_id`, `due_at` and a part of the JSON in `state`. Rules read it as a
//! `State`. Only `record` writes it, and every write names its `Cause`.

mod cause;
#[cfg(test)]
mod tests;

pub use cause::{Activity, Cause, StepEnd};

use super::stored_state::StoredState;
use super::{Enrollment, EnrollmentStatus};
use Kind::{
    Bounced, Deciding, EndedByMerge, Failed, Finished, New, OutOfOffice, OutcomeUnknown, Paused, Replied, Scheduled,
    Started, Unenrolled, Unsubscribed,
};
use resource::{Error, Saved};
use serde_json::{Map, Value as Json};
use store::Uuid;

/// The state of an enrollment with what belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub enum State {
    /// Active. Which step follows is decided at `due_at`, or when something happens that a branch waits for.
    Deciding {
        due_at: Option<i64>,
    },
    /// Active. The step is planned and runs at `due_at`.
    Scheduled {
        step: Uuid,
        due_at: i64,
    },
    /// Active. The step's message is in the outbox, or its task is open.
    Started {
        step: Uuid,
    },
    /// Paused by a user, until a user resumes it.
    Paused {
        reason: Option<String>,
    },
    /// Paused until the contact is back.
    OutOfOffice {
        until: i64,
    },
    /// Paused because nobody knows whether the step's message was sent.
    OutcomeUnknown,
    Finished,
    Replied {
        reason: String,
    },
    Bounced {
        reason: String,
    },
    Unsubscribed {
        reason: String,
    },
    Unenrolled {
        reason: String,
    },
    Failed {
        reason: String,
    },
    /// Ended because its contact was merged. An undo of the merge reopens it.
    EndedByMerge {
        status: EnrollmentStatus,
        reason: String,
    },
}

resource::choices! {
    /// A state without what belongs to it.
    Kind {
        New = "new", Deciding = "deciding", Scheduled = "scheduled", Started = "started", Paused = "paused",
        OutOfOffice = "out_of_office", OutcomeUnknown = "outcome_unknown", Finished = "finished", Replied = "replied",
        Bounced = "bounced", Unsubscribed = "unsubscribed", Unenrolled = "unenrolled", Failed = "failed",
        EndedByMerge = "ended_by_merge",
    }
}

/// The stored reason of `State::OutcomeUnknown`.
const OUTCOME_UNKNOWN: &str = "outcome_unknown";
/// The stored reason of `State::EndedByMerge` begins with this.
pub const BY_MERGE: &str = "the contact was merged with one ";

const ACTIVE: &[Kind] = &[Deciding, Scheduled, Started];
const ON_HOLD: &[Kind] = &[Paused, OutOfOffice, OutcomeUnknown];
const OPEN: &[Kind] = &[Deciding, Scheduled, Started, Paused, OutOfOffice, OutcomeUnknown];

/// From one of these states, by the cause of this name, to this one. If there are several, the cause says which.
type Transition = (&'static [Kind], &'static str, &'static [Kind]);

/// Every transition that there is.
pub const TRANSITIONS: &[Transition] = &[
    (&[New], "enrolled", &[Deciding]),
    (&[Deciding], "step_planned", &[Scheduled]),
    (&[Deciding], "branch_undecided", &[Deciding]),
    (&[Deciding], "rescheduled", &[Deciding]),
    (&[Deciding], "no_step_left", &[Finished]),
    (&[Scheduled], "rescheduled", &[Scheduled]),
    (&[Scheduled], "postponed", &[Scheduled]),
    (&[Scheduled], "message_queued", &[Started]),
    (&[Scheduled], "task_created", &[Started]),
    (&[Scheduled], "step_over", &[Deciding]),
    (&[Started], "step_over", &[Deciding]),
    (&[Started], "outcome_unknown", &[OutcomeUnknown]),
    (ACTIVE, "paused_by_user", &[Paused]),
    (ACTIVE, "out_of_office", &[OutOfOffice]),
    (&[OutOfOffice], "out_of_office", &[OutOfOffice]),
    (&[OutOfOffice], "absence_over", ACTIVE),
    (&[OutcomeUnknown], "found_sent", &[Started]),
    // Its message was being sent, or its task was open, when the user paused it.
    (&[Paused], "step_over", &[Paused]),
    (&[Paused], "outcome_unknown", &[OutcomeUnknown]),
    (ON_HOLD, "resumed", ACTIVE),
    (OPEN, "step_failed", &[Failed]),
    (&[Failed], "retried", &[Deciding]),
    (&[Deciding, Scheduled], "upgraded", &[Deciding]),
    (&[Paused], "upgraded", &[Paused]),
    (&[OutOfOffice], "upgraded", &[OutOfOffice]),
    (OPEN, "replied", &[Replied]),
    (OPEN, "colleague_replied", &[Replied]),
    (OPEN, "bounced", &[Bounced]),
    (OPEN, "unsubscribed", &[Unsubscribed]),
    (OPEN, "complained", &[Unsubscribed]),
    (OPEN, "removed_by_user", &[Unenrolled]),
    (OPEN, "contact_excluded", &[Unenrolled]),
    (OPEN, "sequence_archived", &[Unenrolled]),
    (OPEN, "merged", &[EndedByMerge]),
    // The last message can still be answered or bounce.
    (&[Finished], "replied", &[Replied]),
    (&[Finished], "bounced", &[Bounced]),
    (&[Finished], "unsubscribed", &[Unsubscribed]),
    // What happens to the merged contact also ends what an undo would reopen.
    (&[EndedByMerge], "replied", &[Replied]),
    (&[EndedByMerge], "bounced", &[Bounced]),
    (&[EndedByMerge], "unsubscribed", &[Unsubscribed]),
    (&[EndedByMerge], "complained", &[Unsubscribed]),
    (&[EndedByMerge], "removed_by_user", &[Unenrolled]),
    (&[EndedByMerge], "contact_excluded", &[Unenrolled]),
    (&[EndedByMerge], "merge_undone", OPEN),
];

/// The state that an enrollment in the state `from` gets by this cause. Any other change is a programming error.
pub fn transition(from: Kind, cause: &Cause) -> Result<Kind, Error> {
    let name = cause.name();
    let rows = TRANSITIONS.iter().filter(|(states, by, _)| *by == name && states.contains(&from));
    let mut targets = rows.flat_map(|(_, _, to)| to.iter().copied());
    let to = match cause.target() {
        Some(target) => targets.find(|to| *to == target),
        None => targets.next(),
    };
    let unknown = || store::Error::Internal(format!("an enrollment that is {} can't change by {name}", from.word()));
    Ok(to.ok_or_else(unknown)?)
}

/// The columns that say which state an enrollment is in.
pub struct Columns<'a> {
    pub status: EnrollmentStatus,
    pub reason: Option<&'a str>,
    pub is_planned: bool,
    pub is_due: bool,
    pub stored: &'a Map<String, Json>,
}

impl Kind {
    pub fn of(enrollment: &Enrollment) -> Kind {
        Kind::of_columns(&Columns {
            status: enrollment.status,
            reason: enrollment.reason.as_deref(),
            is_planned: enrollment.planned_step_id.is_some(),
            is_due: enrollment.due_at.is_some(),
            stored: &enrollment.state,
        })
    }

    pub fn of_columns(columns: &Columns) -> Kind {
        let reason = columns.reason.unwrap_or_default();
        let is_absent = columns.stored.get("paused_until").is_some_and(|until| !until.is_null());
        match columns.status {
            EnrollmentStatus::Active if !columns.is_planned => Deciding,
            EnrollmentStatus::Active if columns.is_due => Scheduled,
            EnrollmentStatus::Active => Started,
            EnrollmentStatus::Paused if reason == OUTCOME_UNKNOWN => OutcomeUnknown,
            EnrollmentStatus::Paused if is_absent => OutOfOffice,
            EnrollmentStatus::Paused => Paused,
            EnrollmentStatus::Finished => Finished,
            _ if reason.starts_with(BY_MERGE) => EndedByMerge,
            EnrollmentStatus::Replied => Replied,
            EnrollmentStatus::Bounced => Bounced,
            EnrollmentStatus::Unsubscribed => Unsubscribed,
            EnrollmentStatus::Unenrolled => Unenrolled,
            EnrollmentStatus::Failed => Failed,
        }
    }

    pub fn is_active(self) -> bool {
        ACTIVE.contains(&self)
    }

    pub fn is_on_hold(self) -> bool {
        ON_HOLD.contains(&self)
    }

    /// Whether it can still send something.
    pub fn is_open(self) -> bool {
        OPEN.contains(&self)
    }
}

impl State {
    pub fn of(saved: &Saved<Enrollment>) -> Result<State, Error> {
        State::read(saved.id, &saved.record)
    }

    fn read(id: Uuid, enrollment: &Enrollment) -> Result<State, Error> {
        let reason = || enrollment.reason.clone().unwrap_or_default();
        let due_at = enrollment.due_at.map(|due| due.0);
        Ok(match (Kind::of(enrollment), enrollment.planned_step_id, due_at) {
            (Scheduled, Some(step), Some(due_at)) => State::Scheduled { step, due_at },
            (Started, Some(step), _) => State::Started { step },
            (New | Deciding | Scheduled | Started, ..) => State::Deciding { due_at },
            (Paused, ..) => State::Paused { reason: enrollment.reason.clone() },
            (OutOfOffice, ..) => {
                let until = StoredState::read(id, &enrollment.state)?.paused_until;
                State::OutOfOffice { until: until.unwrap_or_default() }
            }
            (OutcomeUnknown, ..) => State::OutcomeUnknown,
            (Finished, ..) => State::Finished,
            (Replied, ..) => State::Replied { reason: reason() },
            (Bounced, ..) => State::Bounced { reason: reason() },
            (Unsubscribed, ..) => State::Unsubscribed { reason: reason() },
            (Unenrolled, ..) => State::Unenrolled { reason: reason() },
            (Failed, ..) => State::Failed { reason: reason() },
            (EndedByMerge, ..) => State::EndedByMerge { status: enrollment.status, reason: reason() },
        })
    }
}
