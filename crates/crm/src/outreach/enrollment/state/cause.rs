//! Why an enrollment changes its state, and what is stored and shown of it.

use super::Kind::{
    Bounced, Deciding, EndedByMerge, Failed, Finished, New, OutOfOffice, OutcomeUnknown, Paused, Replied, Scheduled,
    Started, Unenrolled, Unsubscribed,
};
use super::{Kind, OUTCOME_UNKNOWN};
use crate::outreach::enrollment::EnrollmentStatus;
use crate::outreach::enrollment::stored_state::Hold;
use resource::Time;
use store::Uuid;

/// Why an enrollment changes its state.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    Enrolled,
    /// `used_reply` is the reply that the planned branch follows.
    StepPlanned {
        step: Uuid,
        due_at: i64,
        used_reply: Option<i64>,
    },
    /// No branch can be chosen before `until` unless something happens.
    BranchUndecided {
        until: i64,
    },
    /// The schedule or the contact changed, or something happened that a branch waits for.
    Rescheduled {
        to: Kind,
        due_at: i64,
    },
    /// A rule delays the planned step.
    Postponed(Hold),
    MessageQueued,
    TaskCreated,
    StepOver(StepEnd),
    NoStepLeft {
        /// Why the last step was skipped, if it was.
        skipped: Option<String>,
    },
    StepFailed {
        why: String,
    },
    /// A user lets the enrollment go on with the step that failed.
    Retried {
        due_at: i64,
    },
    /// A user lets the enrollment follow the present steps of its sequence.
    Upgraded {
        to: Kind,
        /// When the next step is decided; `None` while the enrollment is paused.
        due_at: Option<i64>,
    },
    PausedByUser {
        /// Its message was being sent at that moment.
        is_sending: bool,
    },
    Resumed(Activity),
    /// The contact's absence is over.
    AbsenceOver(Activity),
    OutOfOffice {
        until: i64,
    },
    OutcomeUnknown,
    /// The message with an unknown outcome was found in the Sent folder.
    FoundSent,
    Replied,
    ColleagueReplied,
    Bounced {
        why: String,
    },
    Unsubscribed,
    Complained,
    RemovedByUser,
    /// The contact must not be contacted, is archived, suppressed or deleted.
    ContactExcluded {
        why: String,
    },
    SequenceArchived,
    Merged {
        status: EnrollmentStatus,
        why: String,
    },
    /// The enrollment returns to the state that it had before the merge.
    MergeUndone {
        to: Kind,
    },
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepEnd {
    /// Its message was sent.
    Sent,
    /// Its task was completed.
    Done,
    Skipped,
}

impl StepEnd {
    pub fn word(self) -> &'static str {
        match self {
            StepEnd::Sent => "sent",
            StepEnd::Done => "done",
            StepEnd::Skipped => "skipped",
        }
    }
}

/// What a resumed enrollment does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Activity {
    Deciding {
        due_at: i64,
    },
    Scheduled {
        due_at: i64,
    },
    /// The schedule has no sending day left, so that nothing wakes the enrollment any more.
    NoDayLeft,
    WaitsForTask,
    WaitsForDelivery,
}

impl Activity {
    pub(super) fn kind(self) -> Kind {
        match self {
            Activity::Deciding { .. } => Deciding,
            Activity::Scheduled { .. } => Scheduled,
            Activity::NoDayLeft | Activity::WaitsForTask | Activity::WaitsForDelivery => Started,
        }
    }

    pub fn reason(self) -> Option<&'static str> {
        match self {
            Activity::WaitsForTask => Some(WAITS_FOR_TASK),
            Activity::WaitsForDelivery => Some("its message is being handed over"),
            Activity::Deciding { .. } | Activity::Scheduled { .. } | Activity::NoDayLeft => None,
        }
    }
}

const WAITS_FOR_TASK: &str = "waits for its task to be completed";

impl Cause {
    /// Its name in `TRANSITIONS`.
    pub fn name(&self) -> &'static str {
        match self {
            Cause::Enrolled => "enrolled",
            Cause::StepPlanned { .. } => "step_planned",
            Cause::BranchUndecided { .. } => "branch_undecided",
            Cause::Rescheduled { .. } => "rescheduled",
            Cause::Postponed(_) => "postponed",
            Cause::MessageQueued => "message_queued",
            Cause::TaskCreated => "task_created",
            Cause::StepOver(_) => "step_over",
            Cause::NoStepLeft { .. } => "no_step_left",
            Cause::StepFailed { .. } => "step_failed",
            Cause::Retried { .. } => "retried",
            Cause::Upgraded { .. } => "upgraded",
            Cause::PausedByUser { .. } => "paused_by_user",
            Cause::Resumed(_) => "resumed",
            Cause::AbsenceOver(_) => "absence_over",
            Cause::OutOfOffice { .. } => "out_of_office",
            Cause::OutcomeUnknown => "outcome_unknown",
            Cause::FoundSent => "found_sent",
            Cause::Replied => "replied",
            Cause::ColleagueReplied => "colleague_replied",
            Cause::Bounced { .. } => "bounced",
            Cause::Unsubscribed => "unsubscribed",
            Cause::Complained => "complained",
            Cause::RemovedByUser => "removed_by_user",
            Cause::ContactExcluded { .. } => "contact_excluded",
            Cause::SequenceArchived => "sequence_archived",
            Cause::Merged { .. } => "merged",
            Cause::MergeUndone { .. } => "merge_undone",
        }
    }

    /// The state that it leads to, where it does not follow from the state before.
    pub(super) fn target(&self) -> Option<Kind> {
        match self {
            Cause::Resumed(activity) | Cause::AbsenceOver(activity) => Some(activity.kind()),
            Cause::Rescheduled { to, .. } | Cause::Upgraded { to, .. } | Cause::MergeUndone { to } => Some(*to),
            _ => None,
        }
    }

    /// The reason that users are shown and that is stored.
    pub fn reason(&self) -> Option<String> {
        Some(match self {
            Cause::Postponed(hold) if hold.rule == "sender" => format!("blocked: {}", hold.reason),
            Cause::TaskCreated => WAITS_FOR_TASK.into(),
            Cause::PausedByUser { is_sending: true } => {
                "paused by hand, while its message was being handed over".into()
            }
            Cause::PausedByUser { is_sending: false } => "paused by hand".into(),
            Cause::Resumed(activity) | Cause::AbsenceOver(activity) => activity.reason()?.into(),
            Cause::OutOfOffice { until } => format!("out_of_office: goes on at {}", Time(*until)),
            Cause::OutcomeUnknown => OUTCOME_UNKNOWN.into(),
            Cause::Replied => "the contact replied".into(),
            Cause::ColleagueReplied => "somebody of the same company replied".into(),
            Cause::Unsubscribed => "the contact unsubscribed".into(),
            Cause::Complained => "the contact complained of a message".into(),
            Cause::RemovedByUser => "taken out by hand".into(),
            Cause::SequenceArchived => "the sequence was archived".into(),
            Cause::NoStepLeft { skipped: Some(why) } => format!("the last step was skipped: {why}"),
            Cause::StepFailed { why }
            | Cause::Bounced { why }
            | Cause::ContactExcluded { why }
            | Cause::Merged { why, .. } => why.clone(),
            _ => return None,
        })
        .filter(|reason| !reason.is_empty())
    }

    /// The status that is stored for the state that it leads to.
    pub fn status(&self, to: Kind) -> EnrollmentStatus {
        match (to, self) {
            (New | Deciding | Scheduled | Started, _) => EnrollmentStatus::Active,
            (Paused | OutOfOffice | OutcomeUnknown, _) => EnrollmentStatus::Paused,
            (Finished, _) => EnrollmentStatus::Finished,
            (Replied, _) => EnrollmentStatus::Replied,
            (Bounced, _) => EnrollmentStatus::Bounced,
            (Unsubscribed, _) => EnrollmentStatus::Unsubscribed,
            (Failed, _) => EnrollmentStatus::Failed,
            (EndedByMerge, Cause::Merged { status, .. }) => *status,
            (Unenrolled | EndedByMerge, _) => EnrollmentStatus::Unenrolled,
        }
    }

    /// The verb of the event.
    pub fn verb(&self, to: Kind) -> String {
        match self {
            Cause::Enrolled
            | Cause::StepPlanned { .. }
            | Cause::BranchUndecided { .. }
            | Cause::Rescheduled { .. }
            | Cause::Postponed(_)
            | Cause::MessageQueued
            | Cause::MergeUndone { .. } => "updated".into(),
            Cause::TaskCreated => "waiting".into(),
            Cause::StepOver(end) => format!("step_{}", end.word()),
            Cause::PausedByUser { .. } | Cause::OutOfOffice { .. } => "paused".into(),
            Cause::Resumed(_) | Cause::AbsenceOver(_) | Cause::FoundSent => "resumed".into(),
            Cause::Retried { .. } => "retried".into(),
            Cause::Upgraded { .. } => "upgraded".into(),
            Cause::OutcomeUnknown => OUTCOME_UNKNOWN.into(),
            _ => self.status(to).word().into(),
        }
    }
}
