//! Explains an enrollment: when its next step goes out and every rule that delays it, or why nothing goes out.

use super::advance::foresee;
use super::context::SequenceContext;
use super::record::known_time;
use super::sender::{Sender, sender};
use super::step_runs::open_run;
use super::stored_state::StoredState;
use super::{Enrollment, EnrollmentStatus, tick};
use crate::api::call::{Call, Reply};
use crate::outreach::account::{self, Channel, ConnectedAccount};
use crate::outreach::message::Message;
use crate::outreach::sequence::plan::{Delay, Next, ParsedStep};
use crate::outreach::sequence::{SequenceStatus, step};
use crate::outreach::{outbox, suppression};
use crate::records::contact::{self, Contact};
use resource::{Ctx, Error, Saved, Time, find};
use serde_json::{Value as Json, json};
use store::Tx;

pub(super) fn schema() -> Json {
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
            "next_step_at": {
                "type": ["string", "null"], "format": "date-time",
                "description": "Null if no time is known, and if the step is due now; `summary` says which.",
            },
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

pub(super) fn read(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let ctx = &call.ctx;
    let saved = find::<Enrollment>(ctx, tx, call.id(0, "enrollment")?)?;
    let now = tx.clock()?;
    let mut sequence = SequenceContext::of(ctx, tx, saved.record.sequence_id)?;
    let steps = sequence.steps(ctx, tx, saved.record.sequence_version)?;
    let mut rules: Vec<Delay> = Vec::new();
    let (mut next, mut at) = (None::<&ParsedStep>, saved.record.next_step_at.map(|at| at.0));
    let blocked = if saved.record.status.is_open() {
        let contact = find::<Contact>(ctx, tx, saved.record.contact_id)?;
        let (foreseen, _) = foresee(ctx, tx, &mut sequence, &saved, &contact, now)?;
        match foreseen {
            Next::Step { at, delays, .. } => {
                next = Some(&steps[at]);
                rules.extend(delays);
            }
            Next::Undecided { delays, .. } => rules.extend(delays),
            Next::End | Next::Never => {}
        }
        if let Some(id) = saved.record.planned_step_id {
            next = steps.iter().find(|step| step.id == id);
        }
        let holds = holds(ctx, tx, &mut sequence, &saved, next, now)?;
        at = holds.iter().fold(at, |at, hold| at.map(|at| at.max(hold.at)));
        let stopped = holds.iter().find(|hold| known_time(now, hold.at).is_none()).map(|hold| hold.reason.clone());
        rules.extend(holds.into_iter().filter(|hold| stopped.as_ref() != Some(&hold.reason)));
        blocks(ctx, tx, &sequence, &saved, &contact, next)?.or(stopped)
    } else {
        let why = saved.record.reason.clone().unwrap_or_else(|| "all its steps are done".into());
        Some(format!("it is {}: {why}", saved.record.status.word()))
    };
    if blocked.is_some() {
        at = None;
    }
    let summary = match (&blocked, next, at) {
        (Some(why), ..) => format!("Nothing goes out: {why}."),
        (None, Some(step), Some(at)) if at <= now => due_now(ctx, tx, &saved, step)?,
        // The next look, which changes nothing unless the reason does.
        (None, Some(step), Some(at))
            if at <= now + SOON
                && let Some(why) = waits_for(&saved) =>
        {
            format!("The next step, {}, is due and waits: {why}.", step.kind.word())
        }
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
        "next_step_at": at.filter(|at| *at > now).map(|at| Time(at).to_string()),
        "rules": rules.iter().map(Delay::json).collect::<Vec<_>>(),
        "blocked": blocked,
        "summary": summary,
    })))
}

/// The rules that hold the step up now: of the enrollment, of the sequence, and of the account that sends it.
fn holds(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &mut SequenceContext,
    saved: &Saved<Enrollment>,
    next: Option<&ParsedStep>,
    now: i64,
) -> Result<Vec<Delay>, Error> {
    let mut holds = Vec::new();
    if let Some(hold) = StoredState::of(saved)?.held.filter(|hold| hold.until > now && hold.rule != "sender") {
        holds.push(Delay { rule: known(&hold.rule), reason: hold.reason, at: hold.until });
    }
    if let Some((why, open)) = tick::held(ctx, tx, saved.record.sequence_id, now)? {
        let (rule, reason) = why.split_once(": ").unwrap_or(("sequence", &why));
        holds.push(Delay { rule: known(rule), reason: reason.to_owned(), at: open });
    }
    let is_started = open_run(ctx, tx, saved)?.is_some();
    match next.and_then(|step| Some((step, step.kind.channel()?))) {
        _ if is_started => holds.extend(waits_for_account(ctx, tx, saved, now)?),
        // The account is asked again: what was stored at the last look may have changed.
        Some((step, channel)) if !step.manual && saved.record.next_step_at.is_none_or(|at| at.0 <= now + SOON) => {
            if let Sender::Busy(busy) = sender(ctx, tx, sequence, saved, step, channel, now)? {
                holds.push(busy.delay);
            }
        }
        _ => {
            let stored = StoredState::of(saved)?.held.filter(|hold| hold.until > now && hold.rule == "sender");
            holds.extend(stored.map(|hold| Delay { rule: "sender", reason: hold.reason, at: hold.until }));
        }
    }
    Ok(holds)
}

/// Which accounts can send is only looked at if the step is due within this time, in milliseconds.
const SOON: i64 = 60_000;

/// Why a step that is due was not done at the last look.
fn waits_for(saved: &Saved<Enrollment>) -> Option<&str> {
    saved.record.reason.as_deref().and_then(|reason| reason.strip_prefix("blocked: "))
}

/// What is said of a step that is due and not done.
fn due_now(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, step: &ParsedStep) -> Result<String, Error> {
    let why = match (waits_for(saved), open_run(ctx, tx, saved)?) {
        (Some(why), _) => format!("; it waits: {why}"),
        (None, Some(_)) => "; its message is in the outbox".into(),
        (None, None) => String::new(),
    };
    Ok(format!("The next step, {}, is due now and goes out as soon as it can{why}.", step.kind.word()))
}

/// Why the account does not send the message that waits in the outbox.
fn waits_for_account(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, now: i64) -> Result<Option<Delay>, Error> {
    let Some(message) = open_run(ctx, tx, saved)?.and_then(|run| run.message) else { return Ok(None) };
    let account = find::<Message>(ctx, tx, message)?.record.account_id;
    let account = find::<ConnectedAccount>(ctx, tx, account)?;
    let wait = account::slot(ctx, tx, &account, now)?;
    Ok(wait.map(|wait| Delay { rule: "sender", reason: wait.why, at: wait.until }))
}

/// The name of a stored rule.
fn known(rule: &str) -> &'static str {
    const RULES: [&str; 6] = ["schedule", "sender", "outbox", "daily_limit", "min_gap_minutes", "sequence"];
    RULES.into_iter().find(|known| *known == rule).unwrap_or("sequence")
}

/// Why nothing goes out as things are.
fn blocks(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    context: &SequenceContext,
    saved: &Saved<Enrollment>,
    contact: &Saved<Contact>,
    next: Option<&ParsedStep>,
) -> Result<Option<String>, Error> {
    if let Some(why) = contact::forbids(contact.record.archived_at.is_some(), contact.record.do_not_contact) {
        return Ok(Some(why.into()));
    }
    if saved.record.status == EnrollmentStatus::Paused {
        return Ok(Some(format!("it is paused: {}", saved.record.reason.as_deref().unwrap_or("by hand"))));
    }
    if context.sequence.record.status != SequenceStatus::Active {
        let sequence = &context.sequence.record;
        let why = sequence.paused_reason.as_ref().map_or(String::new(), |why| format!(": {why}"));
        return Ok(Some(format!("the sequence is {}{why}", sequence.status.word())));
    }
    if let Some(run) = open_run(ctx, tx, saved)? {
        let task = run.task.filter(|_| run.waits_for_task());
        return Ok(task.map(|task| format!("it waits for the task {task} to be completed")));
    }
    next.map_or(Ok(None), |step| hindered(ctx, tx, contact, step))
}

/// Why a step can't go out to a contact, independent of the sender and the time.
pub(super) fn hindered(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    contact: &Saved<Contact>,
    step: &ParsedStep,
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
