//! Which step follows, and when: a pure function of the steps, the schedule, the known facts and the time.
//!
//! Steps form a tree. Steps without a parent are the trunk and follow each other in their order; the others are branches. An
//! enrollment that takes a branch stays on it to its end; otherwise it continues on the trunk.

#[cfg(test)]
mod tests;
mod variants;

pub use variants::{ParsedVariant, StepText};

use super::step::{Condition, ExecutionMode, StepType, parent};
use super::window::Schedule;
use resource::{Error, Time};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json, json};
use store::Uuid;

/// A step of a sequence, parsed.
#[derive(Clone, Debug)]
pub struct ParsedStep {
    pub id: Uuid,
    pub kind: StepType,
    pub name: Option<String>,
    /// Empty if it has variants and none is chosen.
    pub subject: Option<String>,
    pub body: String,
    pub variants: Vec<ParsedVariant>,
    /// The index of the variant that the subject and the body are from.
    variant: Option<usize>,
    pub manual: bool,
    pub senders: Vec<Uuid>,
    pub cc: Vec<String>,
    pub bcc: Vec<String>,
    pub reply_to: Option<String>,
    pub attachments: Vec<Uuid>,
    pub entry_conditions: Option<Map<String, Json>>,
    parent: Option<usize>,
    condition: Option<(Condition, i64)>,
    delay_days: i64,
    delay_hours: i64,
}

impl ParsedStep {
    /// Whether it is a branch that an opened or clicked message leads to.
    pub fn follows_a_look(&self) -> bool {
        self.condition.is_some_and(|(kind, _)| matches!(kind, Condition::Opened | Condition::Clicked))
    }

    /// Whether it is a branch that a reply leads to.
    pub fn follows_a_reply(&self) -> bool {
        self.condition.is_some_and(|(kind, _)| kind == Condition::Replied)
    }
}

/// Parses the steps of a version. The caller adds to an error where they are stored.
pub fn read(steps: &[Map<String, Json>]) -> Result<Vec<ParsedStep>, Error> {
    let mut read = Vec::with_capacity(steps.len());
    for (at, step) in steps.iter().enumerate() {
        let step = Member(step, at);
        let condition = match step.get::<Map<String, Json>>("branch_condition")? {
            Some(condition) => {
                let condition = Member(&condition, at);
                let kind = condition.word("type", Condition::from_word)?.ok_or_else(|| condition.unreadable("type"))?;
                Some((kind, condition.get("after_days")?.unwrap_or(0)))
            }
            None => None,
        };
        read.push(ParsedStep {
            id: step.get("id")?.ok_or_else(|| step.unreadable("id"))?,
            kind: step.word("type", StepType::from_word)?.ok_or_else(|| step.unreadable("type"))?,
            name: step.text("name")?,
            subject: step.text("subject")?,
            body: step.text("body")?.unwrap_or_default(),
            variants: variants::read(&step)?,
            variant: None,
            manual: step.word("execution_mode", ExecutionMode::from_word)? == Some(ExecutionMode::Manual),
            senders: step.get("sender_ids")?.unwrap_or_default(),
            cc: step.get("cc")?.unwrap_or_default(),
            bcc: step.get("bcc")?.unwrap_or_default(),
            reply_to: step.text("reply_to")?,
            attachments: step.get("attachments")?.unwrap_or_default(),
            entry_conditions: step.get("entry_conditions")?,
            parent: step.parent(steps)?,
            condition,
            delay_days: step.get("delay_days")?.unwrap_or(0),
            delay_hours: step.get("delay_hours")?.unwrap_or(0),
        });
    }
    Ok(read)
}

/// The members of a stored object, and the index of its step. A member that is null counts as absent.
struct Member<'a>(&'a Map<String, Json>, usize);

impl Member<'_> {
    fn unreadable(&self, member: &str) -> Error {
        store::Error::unreadable(format!("step {}: {member} can't be read", self.1)).into()
    }

    fn get<T: DeserializeOwned>(&self, member: &str) -> Result<Option<T>, Error> {
        let value = self.0.get(member).filter(|value| !value.is_null());
        value.map(T::deserialize).transpose().map_err(|_| self.unreadable(member))
    }

    fn text(&self, member: &str) -> Result<Option<String>, Error> {
        Ok(self.get::<String>(member)?.filter(|text| !text.trim().is_empty()))
    }

    fn word<T>(&self, member: &str, from_word: impl Fn(&str) -> Option<T>) -> Result<Option<T>, Error> {
        let word = self.text(member)?;
        word.map(|word| from_word(&word).ok_or_else(|| self.unreadable(member))).transpose()
    }

    /// The index of the step that this one is a branch of.
    fn parent(&self, steps: &[Map<String, Json>]) -> Result<Option<usize>, Error> {
        let is_branch = self.text("parent_step_id")?.is_some();
        match parent(steps, self.1) {
            None if is_branch => Err(self.unreadable("parent_step_id")),
            parent => Ok(parent),
        }
    }
}

/// Facts about the contact that conditions of branches ask for. Events have the time when they happened.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub replied: Option<i64>,
    pub opened: Option<i64>,
    pub clicked: Option<i64>,
    pub accepted: Option<i64>,
    pub has_email: bool,
    pub has_phone: bool,
    pub has_profile: bool,
}

/// A rule that delays a step, and until when.
#[derive(Clone, Debug, PartialEq)]
pub struct Delay {
    pub rule: &'static str,
    pub reason: String,
    pub at: i64,
}

impl Delay {
    pub fn json(&self) -> Json {
        json!({ "rule": self.rule, "reason": self.reason, "at": Time(self.at).to_string() })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// The step at this index follows, at `due`.
    Step { at: usize, due: i64, delays: Vec<Delay> },
    /// The branch is decided at `until`, if nothing happens before.
    Undecided { until: i64, delays: Vec<Delay> },
    /// No step is left.
    End,
    /// The schedule has no sending day left.
    Never,
}

/// Whether a condition holds, and since when.
enum Holds {
    Yes(i64),
    No(i64),
    /// It is not known before this time.
    Unknown(i64),
}

/// What follows the step `after`, which was over at `base`; the first step if `after` is `None`.
pub fn next(
    steps: &[ParsedStep],
    schedule: &Schedule,
    after: Option<usize>,
    base: i64,
    facts: &Facts,
    now: i64,
) -> Next {
    let Some(after) = after else {
        let first = steps.iter().position(|step| step.parent.is_none());
        return first.map_or(Next::End, |first| due(steps, schedule, first, base, Vec::new()));
    };
    let branches: Vec<usize> = (0..steps.len()).filter(|at| steps[*at].parent == Some(after)).collect();
    // When the last branch so far was ruled out, the earliest time at which another is decided, and whether there is one.
    let (mut decided, mut until, mut open) = (base, None::<i64>, false);
    let mut last = None;
    for at in branches {
        let (kind, days) = steps[at].condition.unwrap_or((Condition::Otherwise, 0));
        let deadline = schedule.calendar_days(base, days);
        if kind == Condition::Otherwise {
            // Only the first `otherwise` counts.
            last = last.or(Some((at, deadline, days)));
            continue;
        }
        match holds(kind, facts, base, deadline, now) {
            // A branch for an event is taken when the event happens. One for a property of the contact waits until the branches before
            // it are decided.
            Holds::Yes(when) if !open || is_event(kind) => {
                let when = if is_event(kind) { when.max(base) } else { when.max(decided) };
                return due(steps, schedule, at, when, waited(kind, base, when));
            }
            Holds::Yes(_) => {}
            Holds::No(when) => decided = decided.max(when),
            Holds::Unknown(when) => {
                open = true;
                until = Some(until.map_or(when, |until| until.min(when)));
            }
        }
    }
    if let Some(until) = until {
        let reason = "which branch is taken is not decided yet".into();
        return Next::Undecided { until, delays: vec![Delay { rule: "branch_condition", reason, at: until }] };
    }
    match last {
        Some((_, deadline, _)) if deadline > now => {
            let reason = "the branch waits for its after_days".into();
            Next::Undecided { until: deadline, delays: vec![Delay { rule: "branch_condition", reason, at: deadline }] }
        }
        Some((at, deadline, _)) => {
            let when = decided.max(deadline);
            due(steps, schedule, at, when, waited(Condition::Otherwise, base, when))
        }
        None if steps[after].parent.is_some() => Next::End,
        None => {
            let follows = (after + 1..steps.len()).find(|at| steps[*at].parent.is_none());
            follows
                .map_or(Next::End, |at| due(steps, schedule, at, decided, waited(Condition::Otherwise, base, decided)))
        }
    }
}

/// When the step at `at` goes out to a contact who starts at `base`. Assumes that the events on its branch happen at once, and
/// no others; `End` if the contact would take another branch.
pub fn toward(steps: &[ParsedStep], schedule: &Schedule, at: usize, base: i64, known: &Facts) -> Next {
    let mut way: Vec<usize> =
        std::iter::successors(Some(at), |at| steps.get(*at).and_then(|step| step.parent)).take(steps.len()).collect();
    let trunk = way.last().copied().unwrap_or(at);
    way.extend((0..trunk).rev().filter(|at| steps[*at].parent.is_none()));
    let (mut after, mut base, mut reached) = (None, base, Next::End);
    for place in way.into_iter().rev() {
        let mut facts = known.clone();
        match steps[place].condition.map(|(kind, _)| kind) {
            Some(Condition::Replied) => facts.replied = Some(base),
            Some(Condition::Opened) => facts.opened = Some(base),
            Some(Condition::Clicked) => facts.clicked = Some(base),
            Some(Condition::InviteAccepted) => facts.accepted = Some(base),
            _ => {}
        }
        reached = next(steps, schedule, after, base, &facts, i64::MAX);
        match &reached {
            Next::Step { at, due, .. } if *at == place => (after, base) = (Some(place), *due),
            Next::Step { .. } => return Next::End,
            _ => return reached,
        }
    }
    reached
}

/// The delay by waiting for a branch.
fn waited(kind: Condition, base: i64, at: i64) -> Vec<Delay> {
    let reason = format!("the branch was decided: {}", kind.word());
    if at > base { vec![Delay { rule: "branch_condition", reason, at }] } else { Vec::new() }
}

fn is_event(kind: Condition) -> bool {
    use Condition::{Clicked, InviteAccepted, Opened, Replied};
    matches!(kind, Replied | Opened | Clicked | InviteAccepted)
}

fn holds(kind: Condition, facts: &Facts, base: i64, deadline: i64, now: i64) -> Holds {
    // An event that can happen until the deadline.
    let event = |happened: Option<i64>| match happened {
        Some(at) if at <= deadline.max(base) => Holds::Yes(at),
        _ if now >= deadline => Holds::No(deadline),
        _ => Holds::Unknown(deadline),
    };
    let turned = |holds: Holds| match holds {
        Holds::Yes(at) => Holds::No(at),
        Holds::No(at) => Holds::Yes(at),
        unknown => unknown,
    };
    let state = |is: bool| match is {
        true => Holds::Yes(base),
        false if now >= deadline => Holds::No(deadline),
        false => Holds::Unknown(deadline),
    };
    match kind {
        Condition::Replied => event(facts.replied),
        Condition::NotReplied => turned(event(facts.replied)),
        Condition::Opened => event(facts.opened),
        Condition::Clicked => event(facts.clicked),
        Condition::InviteAccepted => event(facts.accepted),
        Condition::InviteNotAccepted => turned(event(facts.accepted)),
        Condition::HasEmail => state(facts.has_email),
        Condition::HasPhone => state(facts.has_phone),
        Condition::HasNetworkProfile => state(facts.has_profile),
        Condition::Otherwise => Holds::No(deadline),
    }
}

/// The step at its due time: its delay after `base`, moved into the next window.
fn due(steps: &[ParsedStep], schedule: &Schedule, at: usize, base: i64, mut delays: Vec<Delay>) -> Next {
    let step = &steps[at];
    let due = schedule.after(base, step.delay_days, step.delay_hours);
    if due > base {
        let reason = format!("{} days and {} hours after the step before", step.delay_days, step.delay_hours);
        delays.push(Delay { rule: "delay", reason, at: due });
    }
    match open(schedule, due, &mut delays) {
        Some(due) => Next::Step { at, due, delays },
        None => Next::Never,
    }
}

/// The first instant from `at` on in a window. Adds the delay if `at` is outside.
pub fn open(schedule: &Schedule, at: i64, delays: &mut Vec<Delay>) -> Option<i64> {
    let open = schedule.open(at)?;
    if let Some(reason) = schedule.closed(at) {
        delays.push(Delay { rule: "schedule", reason: reason.into(), at: open });
    }
    Some(open)
}
