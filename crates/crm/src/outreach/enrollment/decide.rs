//! The rules of the engine as pure functions: they read no row and no clock. Callers pass in what the rules need, and
//! `record` writes what they decide.

#[cfg(test)]
mod tests;

use super::state::{Activity, Cause, Kind, State};
use super::{EnrollmentStatus, MaySend};
use crate::outreach::account::Channel;
use crate::outreach::sequence::SequenceStatus;
use crate::outreach::sequence::plan::{self, Delay, Facts, Next, ParsedStep};
use crate::outreach::sequence::step::StepType;
use crate::outreach::sequence::window::Schedule;
use store::Uuid;

pub(super) const NO_DAY_LEFT: &str = "the schedule has no day left to send on";
/// How long the message of a paused sequence stays in the outbox before it is checked again.
const PAUSED_SEQUENCE: i64 = 60_000;
/// A follow-up that waits for the mailbox to be read is checked again after this time.
const UNREAD_WAIT: i64 = 1000;
/// By how much the clock of a mail server may differ from ours.
const CLOCK_DIFFERENCE: i64 = 60_000;
/// An absence without an end date lasts a week.
const ABSENCE: i64 = 7 * 24 * 3_600_000;

// ---- a due enrollment ----

/// What the engine does first with a due enrollment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Start {
    /// Its absence is over.
    Resume,
    /// It ended, and must not be due.
    ClearDueTime,
    Continue,
}

pub(super) fn start(kind: Kind) -> Start {
    match kind {
        _ if kind.is_on_hold() => Start::Resume,
        _ if kind.is_active() => Start::Continue,
        _ => Start::ClearDueTime,
    }
}

/// The step that runs now, if there is one.
pub(super) fn step_due(state: &State, now: i64) -> Option<Uuid> {
    match state {
        State::Scheduled { step, due_at } if *due_at <= now => Some(*step),
        _ => None,
    }
}

/// How an enrollment continues with the step that `plan::next` found.
pub(super) fn continue_with(next: &Next, steps: &[ParsedStep], facts: &Facts) -> Cause {
    match next {
        Next::Step { at, due, .. } => Cause::StepPlanned {
            step: steps[*at].id,
            due_at: *due,
            used_reply: facts.replied.filter(|_| steps[*at].follows_a_reply()),
        },
        Next::Undecided { until, .. } => Cause::BranchUndecided { until: *until },
        Next::End => Cause::NoStepLeft { skipped: None },
        Next::Never => Cause::StepFailed { why: NO_DAY_LEFT.into() },
    }
}

/// When a planned step is due after the schedule or the contact changed. If another step would follow now, nothing changes.
pub(super) fn reschedule(planned: Uuid, next: &Next, steps: &[ParsedStep]) -> Option<Cause> {
    match next {
        Next::Step { at, due, .. } if steps[*at].id == planned => {
            Some(Cause::Rescheduled { to: Kind::Scheduled, due_at: *due })
        }
        _ => None,
    }
}

/// What a paused enrollment does when it resumes. `waits` is what its started step waits for. A planned step runs in the
/// next window, but not before the time that it was planned for.
pub(super) fn resume(
    waits: Option<Activity>,
    is_planned: bool,
    planned_for: Option<i64>,
    schedule: &Schedule,
    now: i64,
) -> Activity {
    match waits {
        Some(waits) => waits,
        None if is_planned => match schedule.open(planned_for.map_or(now, |at| at.max(now))) {
            Some(due_at) => Activity::Scheduled { due_at },
            None => Activity::NoDayLeft,
        },
        None => Activity::Deciding { due_at: now },
    }
}

// ---- a due step ----

/// What the engine does with a due step.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum StepAction {
    Send,
    CreateTask,
    Skip(String),
    Postpone(Delay),
    /// The sequence as a whole has to wait.
    HoldSequence(Delay),
    /// Nothing may be sent to the contact: the enrollment ends.
    ExcludeContact(String),
    /// The enrollment fails.
    Fail(String),
    /// The entry conditions exceed a limit: the sequence is paused.
    RefuseConditions(String),
}

/// Whether the entry conditions of a step allow it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Conditions {
    Met,
    Unmet,
    /// They exceed a limit. Earlier versions stored such conditions.
    TooMany(String),
}

/// What is known of a due step and its contact.
#[derive(Clone, Debug)]
pub(super) struct StepFacts {
    pub kind: StepType,
    pub is_manual: bool,
    pub conditions: Conditions,
    /// Whether the contact has an address on the step's channel.
    pub has_recipient: bool,
    pub has_phone: bool,
    /// Why the address is suppressed.
    pub suppressed: Option<String>,
    /// Why the sequence can't send another message now.
    pub limit: Option<Delay>,
}

/// Checks the window again, since it can have closed since the step was planned; `None` while it is open.
pub(super) fn window(schedule: &Schedule, now: i64) -> Option<StepAction> {
    let mut delays = Vec::new();
    match plan::open(schedule, now, &mut delays) {
        Some(open) if open == now => None,
        Some(_) => delays.into_iter().next().map(StepAction::Postpone),
        None => Some(StepAction::Fail(NO_DAY_LEFT.into())),
    }
}

/// What to do with a due step inside the window. `Send` still needs an account that can send now.
pub(super) fn step(facts: StepFacts) -> StepAction {
    match facts.conditions {
        Conditions::TooMany(reason) => return StepAction::RefuseConditions(reason),
        Conditions::Unmet => return StepAction::Skip("its entry_conditions don't hold for the contact".into()),
        Conditions::Met => {}
    }
    let Some(channel) = facts.kind.channel() else {
        return match facts.kind == StepType::Call && !facts.has_phone {
            true => StepAction::Skip(lacks(Channel::Chat).into()),
            false => StepAction::CreateTask,
        };
    };
    if !facts.has_recipient {
        return StepAction::Skip(lacks(channel).into());
    }
    match (facts.suppressed, facts.limit) {
        (Some(why), _) => StepAction::ExcludeContact(why),
        _ if facts.is_manual => StepAction::CreateTask,
        (None, Some(delay)) => StepAction::HoldSequence(delay),
        (None, None) => StepAction::Send,
    }
}

fn lacks(channel: Channel) -> &'static str {
    match channel {
        Channel::Email => "the contact has no email address",
        Channel::Network => "the contact has no network_profile",
        Channel::Chat => "the contact has no phone number",
    }
}

/// How much a sequence has sent: on which day, how many messages, and when the last one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pace {
    pub day: String,
    pub day_count: i64,
    pub last_at: i64,
}

impl Pace {
    /// Why the sequence can't send another message now, and until when.
    pub(super) fn limit(&self, schedule: &Schedule, now: i64) -> Option<Delay> {
        if let Some(limit) = schedule.daily_limit
            && self.day == schedule.day(now)
            && self.day_count >= limit
        {
            let reason = format!("the sequence has sent the {limit} messages that it may in a day");
            return schedule.next_day(now).map(|at| Delay { rule: "daily_limit", reason, at });
        }
        let gap = schedule.min_gap.filter(|gap| self.last_at + gap > now)?;
        let reason = format!("the sequence waits {} minutes between messages", gap / 60_000);
        Some(Delay { rule: "min_gap_minutes", reason, at: self.last_at + gap })
    }

    /// Counts a message that is sent now.
    pub(super) fn count(&mut self, schedule: &Schedule, now: i64) {
        let day = schedule.day(now);
        self.day_count = if self.day == day { self.day_count + 1 } else { 1 };
        self.day = day;
        self.last_at = now;
    }
}

/// Spreads the enrollments that wait for the same account, so that they don't all become due at once. `earlier` of them
/// were postponed before this one.
pub(super) fn spread(look_at: i64, earlier: i64, now: i64) -> i64 {
    look_at + earlier * (look_at - now).clamp(1000, 60_000)
}

// ---- the message of a step ----

/// Whether the enrollment still allows the message: `None` if it does.
pub(super) fn enrollment_forbids(status: EnrollmentStatus, is_planned: bool) -> Option<MaySend> {
    let allows = status == EnrollmentStatus::Active && is_planned;
    (!allows).then(|| MaySend::Never(format!("the enrollment is {}", status.word())))
}

/// Whether a follow-up has to wait until what arrived at the account has been read: the contact may have replied. `None` if
/// it need not.
pub(super) fn unread_forbids(is_read: bool, is_first: bool, now: i64) -> Option<MaySend> {
    let why = "follow-ups wait until the mailbox has been read";
    (!is_read && !is_first).then(|| MaySend::Later { until: now + UNREAD_WAIT, why: why.into() })
}

/// Whether something that a contact did at this time concerns an enrollment that began then. The clocks of mail servers differ
/// by seconds.
pub(super) fn concerns(at: Option<i64>, enrolled_at: i64) -> bool {
    at.is_none_or(|at| at + CLOCK_DIFFERENCE >= enrolled_at)
}

/// Whether the sequence allows the message now: `None` if it does.
pub(super) fn sequence_forbids(status: SequenceStatus, now: i64) -> Option<MaySend> {
    match status {
        SequenceStatus::Active => None,
        SequenceStatus::Archived => Some(MaySend::Never("the sequence is archived".into())),
        status => {
            Some(MaySend::Later { until: now + PAUSED_SEQUENCE, why: format!("the sequence is {}", status.word()) })
        }
    }
}

/// Whether the window is still open for a message that waited in the outbox.
pub(super) fn schedule_allows(schedule: &Schedule, now: i64) -> MaySend {
    match (schedule.closed(now), schedule.open(now)) {
        (None, _) => MaySend::Yes,
        (Some(why), Some(until)) => MaySend::Later { until, why: why.into() },
        (Some(why), None) => MaySend::Never(why.into()),
    }
}

/// How an enrollment ends whose message failed. A message that was forbidden is no failure of the step.
pub(super) fn failed(is_contact_excluded: bool, why: &str) -> Cause {
    match is_contact_excluded || why.contains("is suppressed") {
        true => Cause::ContactExcluded { why: why.into() },
        false => Cause::StepFailed { why: why.into() },
    }
}

// ---- the contact ----

/// When a contact is back who is out of office.
pub(super) fn absence_end(stated: Option<i64>, now: i64) -> i64 {
    stated.filter(|until| *until > now).unwrap_or(now + ABSENCE)
}

/// Whether an absence pauses an enrollment. A user's pause stays, and so does one whose step was started.
pub(super) fn absence_pauses(kind: Kind, has_open_run: bool) -> bool {
    let is_held = matches!(kind, Kind::Paused | Kind::OutcomeUnknown);
    kind.is_open() && !is_held && !has_open_run
}

/// An account is stopped if more than `MOST_BOUNCES` of its last `JUDGED` messages bounced.
pub(super) const JUDGED: usize = 100;
const MOST_BOUNCES: usize = 3;

pub(super) fn bounces_too_often(messages: usize, bounced: usize) -> bool {
    messages == JUDGED && bounced > MOST_BOUNCES
}
