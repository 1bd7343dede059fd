//! Why an enrollment is where it is: when its next step goes out and every rule that moved it, or why nothing will.

use super::begun::open_run;
use super::course::{Course, foresee};
use super::record::{Enrollment, EnrollmentStatus, state};
use super::run;
use crate::account::{self, Channel, ConnectedAccount};
use crate::contact::{self, Contact};
use crate::message::Message;
use crate::operation::{Call, Reply};
use crate::outbox;
use crate::sequence::SequenceStatus;
use crate::sequence::plan::{Moved, Next, Planned};
use crate::sequence::step;
use crate::suppression;
use resource::{Ctx, Error, Saved, Time, find};
use serde_json::{Value as Json, json};
use store::Tx;

pub fn schema() -> Json {
    json!({
        "type": "object",
        "description": "When the next step goes out and every rule that moved it, or why nothing will.",
        "required": ["enrollment_id", "status", "next_step", "next_step_at", "rules", "blocked", "summary"],
        "properties": {
            "enrollment_id": { "type": "string", "format": "uuid" },
            "status": { "type": "string" },
            "next_step": {
                "type": ["object", "null"],
                "required": ["id", "type", "name"],
                "properties": {
                    "id": { "type": "string", "format": "uuid" },
                    "type": { "type": "string" },
                    "name": { "type": ["string", "null"] },
                },
            },
            "next_step_at": { "type": ["string", "null"], "format": "date-time" },
            "rules": {
                "type": "array",
                "description": "In the order in which they moved it.",
                "items": {
                    "type": "object",
                    "required": ["rule", "reason", "at"],
                    "properties": {
                        "rule": { "type": "string" },
                        "reason": { "type": "string" },
                        "at": { "type": "string", "format": "date-time" },
                    },
                },
            },
            "blocked": { "type": ["string", "null"], "description": "Why nothing goes out as things are." },
            "summary": { "type": "string" },
        },
    })
}

pub fn read(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let ctx = &call.ctx;
    let saved = find::<Enrollment>(ctx, tx, call.id(0, "enrollment")?)?;
    let now = tx.clock()?;
    let mut course = Course::of(ctx, tx, saved.record.sequence_id)?;
    let steps = course.steps(ctx, tx, saved.record.steps_version)?;
    let mut rules: Vec<Moved> = Vec::new();
    let (mut next, mut at) = (None::<&Planned>, saved.record.next_step_at.map(|at| at.0));
    let blocked = if saved.record.status.is_open() {
        let contact = find::<Contact>(ctx, tx, saved.record.contact_id)?;
        let (foreseen, _) = foresee(ctx, tx, &mut course, &saved, &contact, now)?;
        match foreseen {
            Next::Step { at, moved, .. } => {
                next = Some(&steps[at]);
                rules.extend(moved);
            }
            Next::Undecided { moved, .. } => rules.extend(moved),
            Next::End | Next::Never => {}
        }
        if let Some(id) = saved.record.planned_step_id {
            next = steps.iter().find(|step| step.id == id);
        }
        if let Some((rule, reason, at)) = state(&saved).held {
            rules.push(Moved { rule: known(&rule), reason, at });
        }
        if let Some((why, open)) = run::held(ctx, tx, saved.record.sequence_id, now)? {
            at = at.map(|at| at.max(open));
            let (rule, reason) = why.split_once(": ").unwrap_or(("sequence", &why));
            rules.push(Moved { rule: known(rule), reason: reason.to_owned(), at: open });
        }
        rules.extend(waits_for_account(ctx, tx, &saved, now)?);
        blocks(ctx, tx, &course, &saved, &contact, next)?
    } else {
        let why = saved.record.reason.clone().unwrap_or_else(|| "all its steps are done".into());
        Some(format!("it is {}: {why}", saved.record.status.word()))
    };
    if blocked.is_some() {
        at = None;
    }
    let summary = match (&blocked, next, at) {
        (Some(why), ..) => format!("Nothing goes out: {why}."),
        (None, Some(step), Some(at)) => format!("The next step, {}, goes out at {}.", step.kind.word(), Time(at)),
        (None, Some(step), None) => format!("The next step is {}.", step.kind.word()),
        (None, None, _) => match rules.last() {
            Some(rule) => format!("Nothing is decided yet: {} until {}.", rule.reason, Time(rule.at)),
            None => "Nothing follows.".into(),
        },
    };
    Ok(Reply::json(&json!({
        "enrollment_id": saved.id,
        "status": saved.record.status.word(),
        "next_step": next.map(|step| json!({ "id": step.id, "type": step.kind.word(), "name": step.name })),
        "next_step_at": at.map(|at| Time(at).to_string()),
        "rules": rules.iter().map(Moved::json).collect::<Vec<_>>(),
        "blocked": blocked,
        "summary": summary,
    })))
}

/// Why the account does not take the message that waits in the outbox.
fn waits_for_account(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, now: i64) -> Result<Option<Moved>, Error> {
    let Some(message) = open_run(ctx, tx, saved)?.and_then(|run| run.message) else { return Ok(None) };
    let account = find::<Message>(ctx, tx, message)?.record.account_id;
    let account = find::<ConnectedAccount>(ctx, tx, account)?;
    let not_now = account::slot(ctx, tx, &account, now)?;
    Ok(not_now.map(|not_now| Moved { rule: "sender", reason: not_now.why, at: not_now.until }))
}

/// The rule's name, of those that there are.
fn known(rule: &str) -> &'static str {
    const RULES: [&str; 6] = ["schedule", "sender", "outbox", "daily_limit", "min_gap_minutes", "sequence"];
    RULES.into_iter().find(|known| *known == rule).unwrap_or("sequence")
}

/// Why nothing goes out as things are.
fn blocks(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    course: &Course,
    saved: &Saved<Enrollment>,
    contact: &Saved<Contact>,
    next: Option<&Planned>,
) -> Result<Option<String>, Error> {
    if let Some(why) = contact::forbids(contact.record.archived_at.is_some(), contact.record.do_not_contact) {
        return Ok(Some(why.into()));
    }
    if saved.record.status == EnrollmentStatus::Paused {
        return Ok(Some(format!("it is paused: {}", saved.record.reason.as_deref().unwrap_or("by hand"))));
    }
    if course.sequence.record.status != SequenceStatus::Active {
        let sequence = &course.sequence.record;
        let why = sequence.paused_reason.as_ref().map_or(String::new(), |why| format!(": {why}"));
        return Ok(Some(format!("the sequence is {}{why}", sequence.status.word())));
    }
    if let Some(run) = open_run(ctx, tx, saved)? {
        return Ok(match (run.state.as_str(), run.task) {
            ("waiting", Some(task)) => Some(format!("it waits for the task {task} to be completed")),
            _ => None,
        });
    }
    next.map_or(Ok(None), |step| hindered(ctx, tx, contact, step))
}

/// Why a step does not go out to a contact, whoever sends it and whenever.
pub(super) fn hindered(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    contact: &Saved<Contact>,
    step: &Planned,
) -> Result<Option<String>, Error> {
    if let Some(reason) = step.entry_conditions.as_ref().and_then(step::excessive) {
        return Ok(Some(format!("the sequence will be paused: the step's entry_conditions {reason}")));
    }
    if let Some(conditions) = &step.entry_conditions
        && !step::holds(ctx, tx, conditions, contact.id)?
    {
        return Ok(Some("the step will be skipped: its entry_conditions don't hold for the contact".into()));
    }
    let Some(channel) = step.kind.channel() else { return Ok(None) };
    let Ok(address) = outbox::recipient(&contact.record, channel, None) else {
        return Ok(Some(format!("the step will be skipped: the contact can't be reached by {}", channel.word())));
    };
    if channel == Channel::Email {
        return suppression::against(ctx, tx, &address);
    }
    Ok(None)
}
