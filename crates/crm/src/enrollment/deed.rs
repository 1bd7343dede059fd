//! One step whose time has come: skipped, put off, made a task of, or put into the outbox.

use super::Run;
use super::begun::begin;
use super::course::Course;
use super::letter::{self, Tracking, Unrendered};
use super::record::{Enrollment, EnrollmentStatus, FIELDS, ThreadOf, end, hush, save, set_state, state, tally};
use super::run::Passing;
use super::sender::{Sender, sender};
use crate::account::{Channel, ConnectedAccount};
use crate::contact::Contact;
use crate::message::MessageKind;
use crate::outbox::{self, Outgoing, Thread};
use crate::sequence::plan::{self, Moved, Planned};
use crate::sequence::step::StepType;
use crate::sequence::{self, SequencePriority};
use crate::task::{Task, TaskType};
use resource::{Changes, Ctx, Error, Problem, Resource, Saved};
use serde_json::{Map, json};
use store::{Tx, Value};

pub(super) enum Done {
    /// The step does not fit this contact.
    Skipped(String),
    /// Somebody has it in hand, or it is not yet its time.
    Waits,
    Ended,
    /// The template of the sequence is refused: the sequence is paused.
    Halted,
}

/// The step whose time has come.
pub(super) fn carry_out(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    course: &mut Course,
    passing: &mut Passing,
    saved: &Saved<Enrollment>,
    contact: &Saved<Contact>,
    step: &Planned,
) -> Result<Done, Error> {
    let (now, schedule) = (tx.stamp(), course.schedule_for(&contact.record));
    // The window is looked at again: it may have closed since.
    let mut moved = Vec::new();
    match plan::open(&schedule, now, &mut moved) {
        Some(open) if open == now => {}
        Some(_) => return put_off(ctx, tx, saved, &moved[0]),
        None => return ended(ctx, tx, saved, "the schedule has no day left to send on"),
    }
    // Stored by a version that allowed more.
    if let Some(reason) = step.entry_conditions.as_ref().and_then(sequence::step::excessive) {
        let problems = vec![Problem { field: "entry_conditions".into(), reason }];
        return unusable(ctx, tx, course, saved, step, &Unrendered { problems, is_refused: true });
    }
    if let Some(conditions) = &step.entry_conditions
        && !sequence::step::holds(ctx, tx, conditions, contact.id)?
    {
        return Ok(Done::Skipped("its entry_conditions don't hold for the contact".into()));
    }
    let Some(channel) = step.kind.channel() else {
        return assign(ctx, tx, course, passing, saved, contact, step);
    };
    let Ok(recipient) = outbox::recipient(&contact.record, channel, None) else {
        return Ok(Done::Skipped(lacks(channel).into()));
    };
    if channel == Channel::Email
        && let Some(why) = passing.checked.against(ctx, tx, &recipient)?
    {
        return end(ctx, tx, saved, EnrollmentStatus::Unenrolled, &why).map(|_| Done::Ended);
    }
    if step.manual {
        return assign(ctx, tx, course, passing, saved, contact, step);
    }
    if let Some(held) = passing.full(course, now) {
        passing.held = Some(held);
        return Ok(Done::Waits);
    }
    let account = match sender(ctx, tx, course, saved, step, channel)? {
        Sender::Ready(account) => account,
        Sender::Busy(mut moved) => {
            // Those who wait for the same account come one after the other, not all at once again.
            moved.at += passing.waiting * (moved.at - now).clamp(1000, 60_000);
            passing.waiting += 1;
            return put_off(ctx, tx, saved, &moved);
        }
    };
    send(ctx, tx, course, passing, saved, contact, step, channel, &account)
}

/// Renders the message and puts it into the outbox.
#[expect(clippy::too_many_arguments, reason = "one step, one function")]
fn send(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    course: &mut Course,
    passing: &mut Passing,
    saved: &Saved<Enrollment>,
    contact: &Saved<Contact>,
    step: &Planned,
    channel: Channel,
    account: &Saved<ConnectedAccount>,
) -> Result<Done, Error> {
    let (now, mut kept) = (tx.stamp(), state(saved));
    let run = Run { enrollment_id: saved.id, step_id: step.id };
    let steps = course.steps(ctx, tx, saved.record.steps_version)?;
    let (sequence, variables) = (&course.sequence.record, &saved.record.custom_variables);
    let tracking = Tracking {
        workspace: ctx.workspace,
        run,
        opens: course.schedule.track_opens,
        clicks: course.schedule.track_clicks,
    };
    let draft = letter::draft(ctx, tx, sequence, variables, contact, step, &steps, Some(account), Some(tracking))?;
    let letter = match passing.rendered(run, draft) {
        None => return Ok(Done::Waits),
        Some(Ok(letter)) => letter,
        Some(Err(unrendered)) => return unusable(ctx, tx, course, saved, step, &unrendered),
    };
    let known = kept.threads.get(channel.word()).copied().filter(|thread| thread.account == account.id);
    let conversation = known.and_then(|thread| thread.conversation);
    // An email without a subject of its own answers in the thread.
    let answers = channel == Channel::Email && step.subject.is_none();
    let mut outgoing = Outgoing {
        kind: match step.kind {
            StepType::NetworkConnect => MessageKind::Invite,
            StepType::NetworkInmail => MessageKind::Inmail,
            StepType::NetworkVisit => MessageKind::Visit,
            _ => MessageKind::Message,
        },
        thread: conversation.filter(|_| answers).map_or(Thread::New, Thread::In),
        run: Some(run),
        ..Outgoing::new(contact.id, account.id, channel, letter.text)
    };
    outgoing.subject = if outgoing.thread == Thread::New { letter.subject } else { None };
    if channel == Channel::Email {
        outgoing.unsubscribe = Some(passing.links.unsubscribe(ctx.workspace, &run));
        outgoing.html = letter.html;
    }
    let recipient = outbox::recipient(&contact.record, channel, None).ok();
    let queued = match outbox::put_to(ctx, tx, &outgoing, account, contact, recipient.as_deref()) {
        // What forbids it was looked at before; whatever else is wrong with it stays wrong.
        Err(error @ (Error::Invalid(_) | Error::NotFound(_))) => return ended(ctx, tx, saved, &error.to_string()),
        queued => queued?,
    };
    begin(ctx, tx, saved, step, "queued", Some(queued.message_id), None, recipient.as_deref())?;
    kept.threads
        .insert(channel.word().into(), ThreadOf { account: account.id, conversation: Some(queued.conversation_id) });
    kept.held = None;
    let mut changes = Changes::default();
    changes.set(FIELDS, "reason", Value::Null);
    let saved = save(ctx, tx, saved, &changes, "updated", &Map::new())?;
    hush(ctx, tx, saved.id, None, &kept)?;
    let day = course.schedule.day(now);
    passing.pace.day_count = if passing.pace.day == day { passing.pace.day_count + 1 } else { 1 };
    passing.pace.day = day;
    passing.pace.last_at = now;
    Ok(Done::Waits)
}

fn lacks(channel: Channel) -> &'static str {
    match channel {
        Channel::Email => "the contact has no email address",
        Channel::Network => "the contact has no network_profile",
        Channel::Chat => "the contact has no phone number",
    }
}

/// Makes the task that stands for a step, and waits for it.
fn assign(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    course: &mut Course,
    passing: &mut Passing,
    saved: &Saved<Enrollment>,
    contact: &Saved<Contact>,
    step: &Planned,
) -> Result<Done, Error> {
    if step.kind == StepType::Call && contact.record.phones.0.is_empty() {
        return Ok(Done::Skipped(lacks(Channel::Chat).into()));
    }
    let steps = course.steps(ctx, tx, saved.record.steps_version)?;
    let (sequence, variables) = (&course.sequence.record, &saved.record.custom_variables);
    let draft = letter::draft(ctx, tx, sequence, variables, contact, step, &steps, None, None)?;
    let letter = match passing.rendered(Run { enrollment_id: saved.id, step_id: step.id }, draft) {
        None => return Ok(Done::Waits),
        Some(Ok(letter)) => letter,
        Some(Err(unrendered)) => return unusable(ctx, tx, course, saved, step, &unrendered),
    };
    let (kind, verb) = match step.kind {
        StepType::Email => (TaskType::Email, "Email"),
        StepType::NetworkConnect => (TaskType::NetworkConnect, "Invite"),
        StepType::NetworkVisit => (TaskType::NetworkMessage, "Visit the profile of"),
        StepType::NetworkMessage | StepType::NetworkInmail => (TaskType::NetworkMessage, "Message"),
        StepType::Chat => (TaskType::Chat, "Message"),
        StepType::Call => (TaskType::Call, "Call"),
        StepType::Task => (TaskType::Todo, "See to"),
    };
    let name = [Some(contact.record.first_name.as_str()), contact.record.last_name.as_deref()];
    let name = name.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let title = step.name.clone().unwrap_or_else(|| format!("{verb} {name}"));
    let description = [letter.subject, Some(letter.text)].into_iter().flatten().filter(|text| !text.is_empty());
    let description = description.collect::<Vec<_>>().join("\n\n");
    let (now, mut task) = (tx.stamp(), Changes::default());
    let cut = |text: &str, most: usize| text.chars().take(most).collect::<String>();
    task.set(Task::FIELDS, "title", cut(&title, 255));
    task.set(Task::FIELDS, "description", (!description.is_empty()).then(|| cut(&description, 10_000)));
    task.set(Task::FIELDS, "type", kind.word());
    task.set(Task::FIELDS, "contact_id", contact.id);
    task.set(Task::FIELDS, "project_id", course.sequence.record.project_id);
    task.set(Task::FIELDS, "assigned_to", course.sequence.record.owner_ids.0.first().copied());
    task.set(Task::FIELDS, "due_date", course.schedule_for(&contact.record).day(now));
    if course.sequence.record.priority == SequencePriority::High {
        task.set(Task::FIELDS, "priority", "high");
    }
    let task = resource::insert::<Task>(ctx, tx, &task)?;
    begin(ctx, tx, saved, step, "waiting", None, Some(task), None)?;
    let (mut changes, mut kept) = (Changes::default(), state(saved));
    kept.held = None;
    set_state(&mut changes, &kept);
    changes.set(FIELDS, "due_at", Value::Null);
    changes.set(FIELDS, "next_step_at", Value::Null);
    changes.set(FIELDS, "reason", "waits for its task to be completed");
    let more = Map::from_iter([("task_id".to_owned(), json!([null, task]))]);
    save(ctx, tx, saved, &changes, "waiting", &more)?;
    Ok(Done::Waits)
}

/// A message that can't be rendered. A template that is refused pauses the sequence, so that its owner can mend it; of
/// earlier versions of the steps, which nobody can change, it ends the enrollment.
fn unusable(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    course: &mut Course,
    saved: &Saved<Enrollment>,
    step: &Planned,
    unrendered: &Unrendered,
) -> Result<Done, Error> {
    if !unrendered.is_refused || saved.record.steps_version != course.sequence.record.version {
        return ended(ctx, tx, saved, &unrendered.reason(""));
    }
    let steps = course.steps(ctx, tx, saved.record.steps_version)?;
    let at = steps.iter().position(|other| other.id == step.id).unwrap_or(0);
    let reason = unrendered.reason(&format!("steps.{at}."));
    sequence::start::halt(ctx, tx, &course.sequence, &reason)?;
    Ok(Done::Halted)
}

/// A template that can't be filled, or a message that can't be: it ends before anything is sent.
fn ended(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, why: &str) -> Result<Done, Error> {
    if let Some(step) = saved.record.planned_step_id {
        tally(ctx, tx, step, "failed", 1)?;
    }
    end(ctx, tx, saved, EnrollmentStatus::Failed, why).map(|_| Done::Ended)
}

/// The step waits, and it is remembered why.
fn put_off(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, moved: &Moved) -> Result<Done, Error> {
    let (mut changes, mut kept) = (Changes::default(), state(saved));
    let again = kept.held.as_ref().is_some_and(|(rule, reason, _)| rule == moved.rule && *reason == moved.reason);
    kept.held = Some((moved.rule.into(), moved.reason.clone(), moved.at));
    // What goes on for the same reason is not told again and again.
    if again {
        const LATER: &str = "UPDATE enrollments SET next_step_at = $1 WHERE workspace_id = $2 AND id = $3";
        tx.execute(LATER, &[moved.at.into(), ctx.workspace.into(), saved.id.into()])?;
        hush(ctx, tx, saved.id, Some(moved.at), &kept)?;
        return Ok(Done::Waits);
    }
    set_state(&mut changes, &kept);
    changes.set(FIELDS, "due_at", moved.at);
    changes.set(FIELDS, "next_step_at", moved.at);
    changes.set(FIELDS, "reason", (moved.rule == "sender").then(|| format!("blocked: {}", moved.reason)));
    save(ctx, tx, saved, &changes, "updated", &Map::new())?;
    Ok(Done::Waits)
}
