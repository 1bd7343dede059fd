//! What an enrollment does next, and when: a pure function of the steps, the schedule, what is known, and the time.
//!
//! Steps are a tree. The stem are those without a parent, in their order; the others are branches. A branch that is taken is
//! followed to its end; where none is, the stem goes on.

use super::step::{Condition, ExecutionMode, StepType, id, parent};
use super::window::Schedule;
use resource::{Error, Time};
use serde_json::{Map, Value as Json, json};
use store::Uuid;

/// A step, read.
#[derive(Clone, Debug)]
pub struct Planned {
    pub id: Uuid,
    pub kind: StepType,
    pub name: Option<String>,
    pub subject: Option<String>,
    pub body: String,
    pub manual: bool,
    pub senders: Vec<Uuid>,
    pub entry_conditions: Option<Map<String, Json>>,
    parent: Option<usize>,
    condition: Option<(Condition, i64)>,
    delay_days: i64,
    delay_hours: i64,
}

impl Planned {
    /// Whether it is a branch that reading a message leads to.
    pub fn follows_a_look(&self) -> bool {
        self.condition.is_some_and(|(kind, _)| matches!(kind, Condition::Opened | Condition::Clicked))
    }

    /// Whether it is a branch that a reply leads to.
    pub fn follows_a_reply(&self) -> bool {
        self.condition.is_some_and(|(kind, _)| kind == Condition::Replied)
    }
}

/// The steps of a version, in their order.
pub fn read(steps: &[Map<String, Json>]) -> Result<Vec<Planned>, Error> {
    let text = |step: &Map<String, Json>, member: &str| {
        step.get(member).and_then(Json::as_str).filter(|text| !text.trim().is_empty()).map(str::to_owned)
    };
    let number = |step: &Map<String, Json>, member: &str| step.get(member).and_then(Json::as_i64).unwrap_or(0);
    let mut read = Vec::with_capacity(steps.len());
    for (at, step) in steps.iter().enumerate() {
        let unreadable =
            |what: &str| Error::Store(store::Error::Corrupt(format!("a step of a sequence has no {what}")));
        let condition = step.get("branch_condition").and_then(Json::as_object);
        let condition = condition.and_then(|condition| {
            let kind = condition.get("type").and_then(Json::as_str).and_then(Condition::from_word)?;
            Some((kind, number(condition, "after_days")))
        });
        let senders = step.get("sender_ids").and_then(Json::as_array).into_iter().flatten();
        read.push(Planned {
            id: id(step).ok_or_else(|| unreadable("id"))?,
            kind: text(step, "type").and_then(|word| StepType::from_word(&word)).ok_or_else(|| unreadable("type"))?,
            name: text(step, "name"),
            subject: text(step, "subject"),
            body: text(step, "body").unwrap_or_default(),
            manual: text(step, "execution_mode").as_deref() == Some(ExecutionMode::Manual.word()),
            senders: senders.filter_map(Json::as_str).filter_map(|id| Uuid::try_parse(id).ok()).collect(),
            entry_conditions: step.get("entry_conditions").and_then(Json::as_object).cloned(),
            parent: parent(steps, at),
            condition,
            delay_days: number(step, "delay_days"),
            delay_hours: number(step, "delay_hours"),
        });
    }
    Ok(read)
}

/// What is known of the contact, for the conditions of branches: when it happened, where it is something that happens.
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

/// A rule that moved a step, and to when.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    pub rule: &'static str,
    pub reason: String,
    pub at: i64,
}

impl Moved {
    pub fn json(&self) -> Json {
        json!({ "rule": self.rule, "reason": self.reason, "at": Time(self.at).to_string() })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// This step, at `due`.
    Step { at: usize, due: i64, moved: Vec<Moved> },
    /// Which branch is taken is decided at `until` if nothing happens before.
    Undecided { until: i64, moved: Vec<Moved> },
    /// Nothing is left to do.
    End,
    /// The schedule has no day on which it sends.
    Never,
}

enum Holds {
    Yes(i64),
    No(i64),
    /// Not before then.
    Unknown(i64),
}

/// What follows the step `after`, which was done at `base`; the first step if there is none.
pub fn next(steps: &[Planned], schedule: &Schedule, after: Option<usize>, base: i64, facts: &Facts, now: i64) -> Next {
    let Some(after) = after else {
        let first = steps.iter().position(|step| step.parent.is_none());
        return first.map_or(Next::End, |first| due(steps, schedule, first, base, Vec::new()));
    };
    let branches: Vec<usize> = (0..steps.len()).filter(|at| steps[*at].parent == Some(after)).collect();
    // The latest moment at which a branch was still open, and the latest at which one will be decided.
    let (mut decided, mut until, mut open) = (base, None::<i64>, false);
    let mut last = None;
    for at in branches {
        let (kind, days) = steps[at].condition.unwrap_or((Condition::Otherwise, 0));
        let deadline = schedule.calendar_days(base, days);
        if kind == Condition::Otherwise {
            // The first of them stands for all that others leave.
            last = last.or(Some((at, deadline, days)));
            continue;
        }
        match holds(kind, facts, base, deadline, now) {
            // What happens is taken as it happens; what merely is, in its turn.
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
        return Next::Undecided { until, moved: vec![Moved { rule: "branch_condition", reason, at: until }] };
    }
    match last {
        Some((_, deadline, _)) if deadline > now => {
            let reason = "the branch waits for its after_days".into();
            Next::Undecided { until: deadline, moved: vec![Moved { rule: "branch_condition", reason, at: deadline }] }
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

/// When the step at `at` goes out to somebody who begins at `base`. What the branches on its way wait for is taken to happen
/// at once, and nothing else to happen; `End` if the contact is led elsewhere.
pub fn toward(steps: &[Planned], schedule: &Schedule, at: usize, base: i64, known: &Facts) -> Next {
    let mut way: Vec<usize> =
        std::iter::successors(Some(at), |at| steps.get(*at).and_then(|step| step.parent)).take(steps.len()).collect();
    let stem = way.last().copied().unwrap_or(at);
    way.extend((0..stem).rev().filter(|at| steps[*at].parent.is_none()));
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

fn waited(kind: Condition, base: i64, at: i64) -> Vec<Moved> {
    let reason = format!("the branch was decided: {}", kind.word());
    if at > base { vec![Moved { rule: "branch_condition", reason, at }] } else { Vec::new() }
}

fn is_event(kind: Condition) -> bool {
    use Condition::{Clicked, InviteAccepted, Opened, Replied};
    matches!(kind, Replied | Opened | Clicked | InviteAccepted)
}

fn holds(kind: Condition, facts: &Facts, base: i64, deadline: i64, now: i64) -> Holds {
    // Something that may happen until the deadline.
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

/// The step at its time: its delay after `base`, then the next window.
fn due(steps: &[Planned], schedule: &Schedule, at: usize, base: i64, mut moved: Vec<Moved>) -> Next {
    let step = &steps[at];
    let due = schedule.after(base, step.delay_days, step.delay_hours);
    if due > base {
        let reason = format!("{} days and {} hours after the step before", step.delay_days, step.delay_hours);
        moved.push(Moved { rule: "delay", reason, at: due });
    }
    match open(schedule, due, &mut moved) {
        Some(due) => Next::Step { at, due, moved },
        None => Next::Never,
    }
}

/// The first instant from `at` on in a window, and what moved it there.
pub fn open(schedule: &Schedule, at: i64, moved: &mut Vec<Moved>) -> Option<i64> {
    let open = schedule.open(at)?;
    if let Some(reason) = schedule.closed(at) {
        moved.push(Moved { rule: "schedule", reason: reason.into(), at: open });
    }
    Some(open)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400_000;

    fn all_day() -> Schedule {
        let days = super::super::schedule::DAYS;
        let config = json!({"timezone": "UTC", "days": days, "start_time": "00:00", "end_time": "24:00"});
        Schedule::of(config.as_object().expect("an object"))
    }

    fn steps(list: &[Json]) -> Vec<Planned> {
        let step = |(at, step): (usize, &Json)| {
            let mut step = step.as_object().expect("an object").clone();
            step.insert("id".into(), Uuid::from_u128(at as u128 + 1).to_string().into());
            step.entry("type").or_insert("email".into());
            step
        };
        read(&list.iter().enumerate().map(step).collect::<Vec<_>>()).expect("steps")
    }

    /// `child(key of the parent, condition, after_days)`
    fn child(parent: &str, kind: &str, days: i64) -> Json {
        json!({"parent_step_id": parent, "branch_condition": {"type": kind, "after_days": days}})
    }

    fn told(next: Next) -> String {
        match next {
            Next::Step { at, due, .. } => format!("step {at} at {}", due / DAY),
            Next::Undecided { until, .. } => format!("undecided until {}", until / DAY),
            Next::End => "end".into(),
            Next::Never => "never".into(),
        }
    }

    #[test]
    fn the_stem_is_walked_in_its_order() {
        let steps = steps(&[json!({}), json!({"delay_days": 2}), json!({"delay_days": 1, "delay_hours": 12})]);
        let walk = |after, base| told(next(&steps, &all_day(), after, base, &Facts::default(), base));
        assert_eq!(walk(None, 5 * DAY), "step 0 at 5");
        assert_eq!(walk(Some(0), 5 * DAY), "step 1 at 7");
        assert_eq!(walk(Some(1), 7 * DAY), "step 2 at 8");
        assert_eq!(walk(Some(2), 8 * DAY), "end");
        assert_eq!(told(next(&[], &all_day(), None, 0, &Facts::default(), 0)), "end");
    }

    #[test]
    fn branches_are_taken_by_what_holds_and_when() {
        let a = json!({"client_key": "a"});
        let within = [a.clone(), child("a", "replied", 3), child("a", "not_replied", 3)];
        let turns = [a.clone(), child("a", "replied", 3), child("a", "has_phone", 0), child("a", "otherwise", 0)];
        let invited = [a.clone(), child("a", "invite_not_accepted", 7), child("a", "invite_accepted", 7)];
        let stem = [a.clone(), child("a", "opened", 2), json!({})];
        let late = [a.clone(), child("a", "otherwise", 4)];
        let plain = [a, json!({"parent_step_id": "a"})];
        let replied = |at: i64| Facts { replied: Some(at * DAY), ..Facts::default() };
        let phone = Facts { has_phone: true, ..Facts::default() };
        let accepted = Facts { accepted: Some(2 * DAY), ..Facts::default() };
        let none = Facts::default();
        let cases = [
            (&within[..], &none, 1, "undecided until 3"),
            (&within, &none, 3, "step 2 at 3"),
            (&within, &replied(2), 2, "step 1 at 2"),
            (&within, &replied(2), 9, "step 1 at 2"),
            (&within, &replied(4), 4, "step 2 at 3"),
            (&turns, &phone, 0, "undecided until 3"),
            (&turns, &phone, 3, "step 2 at 3"),
            (&turns, &none, 3, "step 3 at 3"),
            (&turns, &replied(1), 1, "step 1 at 1"),
            (&invited, &none, 2, "undecided until 7"),
            (&invited, &accepted, 2, "step 2 at 2"),
            (&invited, &none, 7, "step 1 at 7"),
            (&stem, &none, 1, "undecided until 2"),
            (&stem, &none, 2, "step 2 at 2"),
            (&stem, &Facts { opened: Some(DAY), ..Facts::default() }, 1, "step 1 at 1"),
            (&late, &none, 1, "undecided until 4"),
            (&late, &none, 5, "step 1 at 4"),
            (&plain, &none, 0, "step 1 at 0"),
        ];
        for (list, facts, now, expected) in cases {
            let steps = steps(list);
            assert_eq!(
                told(next(&steps, &all_day(), Some(0), 0, facts, now * DAY)),
                expected,
                "{list:?} {facts:?} {now}"
            );
        }
        // A branch is followed to its end, and does not come back to the stem.
        assert_eq!(told(next(&steps(&stem), &all_day(), Some(1), 0, &none, 0)), "end");
    }

    #[test]
    fn a_step_is_foreseen_along_its_way() {
        let a = json!({"client_key": "a"});
        let list = [
            a,
            child("a", "replied", 3),
            child("a", "has_phone", 1),
            json!({"delay_days": 2}),
            json!({"delay_days": 1}),
        ];
        let steps = steps(&list);
        let toward = |at, known: &Facts| told(toward(&steps, &all_day(), at, DAY, known));
        let phone = Facts { has_phone: true, ..Facts::default() };
        assert_eq!(toward(0, &phone), "step 0 at 1");
        assert_eq!(toward(1, &phone), "step 1 at 1", "as soon as there is a reply");
        assert_eq!(toward(2, &phone), "step 2 at 4", "when no reply has come");
        assert_eq!(toward(2, &Facts::default()), "end", "without a phone the stem goes on");
        assert_eq!(toward(3, &Facts::default()), "step 3 at 6");
        assert_eq!(toward(4, &Facts::default()), "step 4 at 7");
        assert_eq!(toward(4, &phone), "end", "whoever has a phone is on the branch");
    }

    #[test]
    fn every_rule_that_moves_a_step_is_told() {
        let config = json!({"timezone": "UTC", "days": ["mon"], "start_time": "09:00", "end_time": "10:00"});
        let schedule = Schedule::of(config.as_object().expect("an object"));
        let steps = steps(&[json!({"delay_hours": 3})]);
        // Thursday, 1 January 1970
        let Next::Step { due, moved, .. } = next(&steps, &schedule, None, 0, &Facts::default(), 0) else {
            panic!("there is a step");
        };
        assert_eq!(due, 4 * DAY + 9 * 3_600_000);
        let rules: Vec<_> = moved.iter().map(|moved| (moved.rule, moved.reason.as_str())).collect();
        assert_eq!(
            rules,
            [("delay", "0 days and 3 hours after the step before"), ("schedule", "the day is not one of days")]
        );
    }
}
