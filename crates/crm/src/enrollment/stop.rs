//! What ends an enrollment or holds it up: what the outbox and the inbox tell, what becomes of its contact and its tasks.

use super::begun::{forget_run, open_run};
use super::course::{Course, over};
use super::desk::Desk;
use super::enroll::refusal;
use super::merged::{end_for_good, ended_by_merge};
use super::record::{Enrollment, EnrollmentStatus, FIELDS, end, save, set_state, state, tally};
use super::{Happening, May, Run, Settled, What, open_of};
use crate::account::{self, Channel, ConnectedAccount};
use crate::contact::{self, Contact};
use crate::outbox;
use crate::sequence::SequenceStatus;
use crate::suppression::{self, SuppressionReason};
use crate::task::TaskStatus;
use resource::{Changes, Ctx, Error, Saved, find};
use serde_json::{Map, json};
use store::{Row, Tx, Uuid, Value};

/// While its sequence is paused, a message that waits is looked at as often.
const PAUSED: i64 = 60_000;
/// An out-of-office without a date holds up for so many milliseconds: a week.
const AWAY: i64 = 7 * 24 * 3_600_000;

/// Asked in the transaction that writes `sending`.
pub fn may_send(ctx: &Ctx, tx: &mut dyn Tx, desk: &mut Desk, run: &Run) -> Result<May, Error> {
    let saved = desk.enrollments.take(ctx, tx, run.enrollment_id)?;
    if saved.record.status != EnrollmentStatus::Active || saved.record.planned_step_id != Some(run.step_id) {
        return Ok(May::Never(format!("the enrollment is {}", saved.record.status.word())));
    }
    let now = tx.stamp();
    let course = desk.courses.of(ctx, tx, saved.record.sequence_id)?;
    match course.sequence.record.status {
        SequenceStatus::Active => {}
        SequenceStatus::Archived => return Ok(May::Never("the sequence is archived".into())),
        status => {
            let why = format!("the sequence is {}", status.word());
            return Ok(May::Later { until: now + PAUSED, why });
        }
    }
    // The window may have closed while it waited.
    let contact = desk.contacts.take(ctx, tx, saved.record.contact_id)?;
    let schedule = course.schedule_for(&contact.record);
    Ok(match (schedule.closed(now), schedule.open(now)) {
        (None, _) => May::Send,
        (Some(why), Some(until)) => May::Later { until, why: why.into() },
        (Some(why), None) => May::Never(why.into()),
    })
}

/// Told in the transaction that records the outcome: the next step is planned in it.
pub fn settled(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    desk: &mut Desk,
    run: &Run,
    message: Uuid,
    settled: &Settled,
) -> Result<(), Error> {
    let saved = desk.enrollments.take(ctx, tx, run.enrollment_id)?;
    let mine = desk.is_open(ctx, tx, &saved, run, message)?;
    let open = saved.record.status.is_open() && mine;
    match settled {
        Settled::Sent if open => {
            let course = desk.courses.of(ctx, tx, saved.record.sequence_id)?;
            std::mem::swap(&mut course.contacts, &mut desk.contacts);
            let steps = course.steps(ctx, tx, saved.record.steps_version)?;
            let step = steps.iter().find(|step| step.id == run.step_id);
            if let Some(step) = step {
                let saved = was_unknown(ctx, tx, saved)?;
                over(ctx, tx, course, &saved, step, "sent", None)?;
            }
            std::mem::swap(&mut course.contacts, &mut desk.contacts);
            Ok(())
        }
        // It ended while the message was on its way: what became of that is written down all the same.
        Settled::Sent => close_run(ctx, tx, run, message, "sent", None),
        Settled::Bounced(why) => {
            close_run(ctx, tx, run, message, "sent", None)?;
            mark(ctx, tx, run, "bounced")?;
            const BOUNCED: &str = "UPDATE messages SET bounced_at = $1 WHERE workspace_id = $2 AND id = $3";
            let now = tx.stamp();
            tx.execute(BOUNCED, &[now.into(), ctx.workspace.into(), message.into()])?;
            judge(ctx, tx, message)?;
            if open { end(ctx, tx, &saved, EnrollmentStatus::Bounced, why).map(drop) } else { Ok(()) }
        }
        Settled::Failed(why) => {
            close_run(ctx, tx, run, message, "failed", Some(why))?;
            if !open {
                return Ok(());
            }
            // What forbids it is no failure of the step.
            let contact = find::<Contact>(ctx, tx, saved.record.contact_id)?;
            let forbidden =
                contact::forbids(contact.record.archived_at.is_some(), contact.record.do_not_contact).is_some();
            let status = match forbidden || why.contains("is suppressed") {
                true => EnrollmentStatus::Unenrolled,
                false => EnrollmentStatus::Failed,
            };
            end(ctx, tx, &saved, status, why).map(drop)
        }
        Settled::Unknown(_) if open => {
            set_run(ctx, tx, run, "unknown")?;
            let mut changes = Changes::default();
            changes.set(FIELDS, "status", EnrollmentStatus::Paused.word());
            changes.set(FIELDS, "reason", OUTCOME_UNKNOWN);
            changes.set(FIELDS, "due_at", Value::Null);
            changes.set(FIELDS, "next_step_at", Value::Null);
            let more = Map::from_iter([("message_id".to_owned(), json!([null, message]))]);
            save(ctx, tx, &saved, &changes, OUTCOME_UNKNOWN, &more).map(drop)
        }
        Settled::Unknown(_) => set_run(ctx, tx, run, "unknown"),
        Settled::Later { until, why } if open => {
            let (mut changes, mut kept) = (Changes::default(), state(&saved));
            kept.held = Some(("outbox".into(), why.clone(), *until));
            set_state(&mut changes, &kept);
            changes.set(FIELDS, "next_step_at", *until);
            changes.set(FIELDS, "reason", format!("blocked: {why}"));
            save(ctx, tx, &saved, &changes, "updated", &Map::new()).map(drop)
        }
        Settled::Later { .. } => Ok(()),
    }
}

pub const OUTCOME_UNKNOWN: &str = "outcome_unknown";

/// One that was found in the folder of sent mail after all.
fn was_unknown(ctx: &Ctx, tx: &mut dyn Tx, saved: Saved<Enrollment>) -> Result<Saved<Enrollment>, Error> {
    if saved.record.reason.as_deref() != Some(OUTCOME_UNKNOWN) {
        return Ok(saved);
    }
    let mut changes = Changes::default();
    changes.set(FIELDS, "status", EnrollmentStatus::Active.word());
    changes.set(FIELDS, "reason", Value::Null);
    save(ctx, tx, &saved, &changes, "resumed", &Map::new())
}

fn set_run(ctx: &Ctx, tx: &mut dyn Tx, run: &Run, to: &str) -> Result<(), Error> {
    const SET: &str = "UPDATE step_runs SET state = $1 WHERE workspace_id = $2 AND enrollment_id = $3 AND step_id = $4";
    Ok(tx.execute(SET, &[to.into(), ctx.workspace.into(), run.enrollment_id.into(), run.step_id.into()])?)
}

/// The run of a message is over, once.
fn close_run(ctx: &Ctx, tx: &mut dyn Tx, run: &Run, message: Uuid, how: &str, why: Option<&str>) -> Result<(), Error> {
    const CLOSE: &str = "UPDATE step_runs SET state = $1, reason = $2, done_at = $3 \
         WHERE workspace_id = $4 AND enrollment_id = $5 AND step_id = $6";
    const OPEN: &str = "SELECT 1 FROM step_runs \
         WHERE workspace_id = $1 AND enrollment_id = $2 AND step_id = $3 AND message_id = $4 AND done_at IS NULL";
    let key: [Value; 3] = [ctx.workspace.into(), run.enrollment_id.into(), run.step_id.into()];
    let [workspace, enrollment, step] = key;
    let open = [workspace.clone(), enrollment.clone(), step.clone(), message.into()];
    if tx.one(OPEN, &open, |_| Ok(()))?.is_none() {
        return Ok(());
    }
    let now = tx.stamp();
    tx.execute(CLOSE, &[how.into(), why.map(str::to_owned).into(), now.into(), workspace, enrollment, step])?;
    tally(ctx, tx, run.step_id, how, 1)
}

/// Notes once what became of a step's message: `opened`, `clicked`, `replied`, `bounced` or `unsubscribed`.
pub fn mark(ctx: &Ctx, tx: &mut dyn Tx, run: &Run, what: &'static str) -> Result<bool, Error> {
    let (seen, set) = match what {
        "opened" => ("opened_at", "UPDATE step_runs SET opened_at = $1"),
        "clicked" => ("clicked_at", "UPDATE step_runs SET clicked_at = $1"),
        "replied" => ("replied_at", "UPDATE step_runs SET replied_at = $1"),
        "bounced" => ("bounced_at", "UPDATE step_runs SET bounced_at = $1"),
        _ => ("unsubscribed_at", "UPDATE step_runs SET unsubscribed_at = $1"),
    };
    let unseen = format!(
        "SELECT 1 FROM step_runs WHERE workspace_id = $1 AND enrollment_id = $2 AND step_id = $3 AND {seen} IS NULL"
    );
    let set = format!("{set} WHERE workspace_id = $2 AND enrollment_id = $3 AND step_id = $4");
    let key: [Value; 3] = [ctx.workspace.into(), run.enrollment_id.into(), run.step_id.into()];
    if tx.one(&unseen, &key, |_| Ok(()))?.is_none() {
        return Ok(false);
    }
    let now = tx.stamp();
    let [workspace, enrollment, step] = key;
    tx.execute(&set, &[now.into(), workspace, enrollment, step])?;
    tally(ctx, tx, run.step_id, what, 1)?;
    Ok(true)
}

/// Told in the transaction that stores what came.
pub fn happened(ctx: &Ctx, tx: &mut dyn Tx, happening: &Happening) -> Result<(), Error> {
    let contact = resource::survivor(ctx, tx, happening.contact_id)?.unwrap_or(happening.contact_id);
    match &happening.what {
        What::Replied => replied(ctx, tx, contact, happening.run),
        What::AutoReplied => Ok(()),
        What::OutOfOffice(until) => away(ctx, tx, contact, *until),
        What::Bounced { hard, why } => bounced(ctx, tx, contact, happening, *hard, why),
        What::Complained => {
            if let Some(run) = &happening.run {
                mark(ctx, tx, run, "unsubscribed")?;
                if let Some((address, _)) = super::links::address(ctx, tx, run)? {
                    suppression::suppress(ctx, tx, &address, SuppressionReason::Complained)?;
                }
            }
            contact::do_not_contact(ctx, tx, contact)?;
            end_all(ctx, tx, contact, EnrollmentStatus::Unsubscribed, "the contact complained of a message")
        }
        What::Unsubscribed => {
            if let Some(run) = &happening.run {
                mark(ctx, tx, run, "unsubscribed")?;
            }
            unsubscribed(ctx, tx, contact)
        }
        What::InviteAccepted => {
            for id in open_of(ctx, tx, contact)? {
                let saved = find::<Enrollment>(ctx, tx, id)?;
                let now = tx.stamp();
                let mut kept = state(&saved);
                kept.accepted_at = kept.accepted_at.or(Some(now));
                learn(ctx, tx, &saved, &kept, "invite_accepted")?;
            }
            Ok(())
        }
    }
}

/// The contact wants no more mail. Where it would go to an address that is not suppressed, the contact itself says so.
pub fn unsubscribed(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid) -> Result<(), Error> {
    end_all(ctx, tx, contact, EnrollmentStatus::Unsubscribed, "the contact unsubscribed")?;
    let saved = find::<Contact>(ctx, tx, contact)?;
    let Ok(address) = outbox::recipient(&saved.record, Channel::Email, None) else { return Ok(()) };
    match saved.record.do_not_contact || suppression::against(ctx, tx, &address)?.is_some() {
        true => Ok(()),
        false => contact::do_not_contact(ctx, tx, contact),
    }
}

/// Notes a fact that a branch may wait for.
fn learn(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<Enrollment>,
    kept: &super::record::State,
    verb: &str,
) -> Result<(), Error> {
    let (now, mut changes) = (tx.stamp(), Changes::default());
    set_state(&mut changes, kept);
    let undecided = saved.record.planned_step_id.is_none() && saved.record.status == EnrollmentStatus::Active;
    if undecided && saved.record.due_at.is_some() {
        changes.set(FIELDS, "due_at", now);
    }
    save(ctx, tx, saved, &changes, verb, &Map::new()).map(drop)
}

/// Ends what the contact is enrolled in, and what the undo of a merge would let go on.
pub fn end_all(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid, status: EnrollmentStatus, why: &str) -> Result<(), Error> {
    for id in open_of(ctx, tx, contact)? {
        let saved = find::<Enrollment>(ctx, tx, id)?;
        end(ctx, tx, &saved, status, why)?;
    }
    for saved in ended_by_merge(ctx, tx, contact)? {
        end_for_good(ctx, tx, &saved, status, why)?;
    }
    Ok(())
}

/// A human reply ends all that the contact is enrolled in, unless a sequence goes on over it.
fn replied(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid, run: Option<Run>) -> Result<(), Error> {
    let now = tx.stamp();
    for id in open_of(ctx, tx, contact)? {
        let saved = find::<Enrollment>(ctx, tx, id)?;
        count_reply(ctx, tx, &saved, run)?;
        let course = Course::of(ctx, tx, saved.record.sequence_id)?;
        if !course.schedule.stop_on_reply {
            let mut kept = state(&saved);
            kept.replied_at = Some(now);
            learn(ctx, tx, &saved, &kept, "contact_replied")?;
            continue;
        }
        end(ctx, tx, &saved, EnrollmentStatus::Replied, "the contact replied")?;
        if course.schedule.stop_for_company {
            stop_company(ctx, tx, saved.record.sequence_id, contact)?;
        }
    }
    for saved in ended_by_merge(ctx, tx, contact)? {
        if Course::of(ctx, tx, saved.record.sequence_id)?.schedule.stop_on_reply {
            if run.is_none_or(|run| run.enrollment_id == saved.id) {
                count_reply(ctx, tx, &saved, run)?;
            }
            end_for_good(ctx, tx, &saved, EnrollmentStatus::Replied, "the contact replied")?;
        }
    }
    // One that had finished was answered after all: the one whose message it answers, else the latest.
    const FINISHED: &str = "SELECT id FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 AND status = 'finished' \
         ORDER BY id DESC LIMIT 1";
    let finished = match run {
        Some(run) => Some(run.enrollment_id),
        None => tx.one(FINISHED, &[ctx.workspace.into(), contact.into()], |row| row.id(0))?,
    };
    let Some(finished) = finished else { return Ok(()) };
    let saved = find::<Enrollment>(ctx, tx, finished)?;
    if saved.record.status != EnrollmentStatus::Finished {
        return Ok(());
    }
    count_reply(ctx, tx, &saved, run)?;
    let mut changes = Changes::default();
    changes.set(FIELDS, "status", EnrollmentStatus::Replied.word());
    changes.set(FIELDS, "reason", "the contact replied");
    save(ctx, tx, &saved, &changes, "replied", &Map::new())?;
    Ok(())
}

/// A reply counts for the step that it answers, else for the last that was sent.
fn count_reply(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, run: Option<Run>) -> Result<(), Error> {
    const LAST: &str = "SELECT step_id FROM step_runs WHERE workspace_id = $1 AND enrollment_id = $2 AND message_id IS NOT NULL \
         ORDER BY run_at DESC LIMIT 1";
    let step = match run.filter(|run| run.enrollment_id == saved.id) {
        Some(run) => Some(run.step_id),
        None => tx.one(LAST, &[ctx.workspace.into(), saved.id.into()], |row| row.id(0))?,
    };
    if let Some(step_id) = step {
        mark(ctx, tx, &Run { enrollment_id: saved.id, step_id }, "replied")?;
    }
    Ok(())
}

/// The same sequence ends for all of the same company.
fn stop_company(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid, contact: Uuid) -> Result<(), Error> {
    const COLLEAGUES: &str = "SELECT e.id FROM terms t CROSS JOIN enrollments e \
         WHERE t.workspace_id = $1 AND t.field = 'contact.company' AND t.key = $2 \
         AND e.workspace_id = t.workspace_id AND e.contact_id = t.record AND e.sequence_id = $3 AND e.status IN ('active', 'paused')";
    let Some(company) = find::<Contact>(ctx, tx, contact)?.record.company_id else { return Ok(()) };
    let params = [ctx.workspace.into(), company.to_string().into(), sequence.into()];
    for id in tx.rows(COLLEAGUES, &params, |row| row.id(0))? {
        let saved = find::<Enrollment>(ctx, tx, id)?;
        end(ctx, tx, &saved, EnrollmentStatus::Replied, "somebody of the same company replied")?;
    }
    Ok(())
}

/// Out of office: it waits, and goes on by itself.
fn away(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid, until: Option<i64>) -> Result<(), Error> {
    let now = tx.stamp();
    let until = until.filter(|until| *until > now).unwrap_or(now + AWAY);
    for id in open_of(ctx, tx, contact)? {
        let saved = find::<Enrollment>(ctx, tx, id)?;
        let by_hand = saved.record.status == EnrollmentStatus::Paused && state(&saved).paused_until.is_none();
        // One that waits for a person or for news of its message is not held up further.
        if by_hand || open_run(ctx, tx, &saved)?.is_some() {
            continue;
        }
        let (mut changes, mut kept) = (Changes::default(), state(&saved));
        kept.paused_until = Some(until);
        set_state(&mut changes, &kept);
        changes.set(FIELDS, "status", EnrollmentStatus::Paused.word());
        changes.set(FIELDS, "reason", format!("out_of_office: goes on at {}", resource::Time(until)));
        changes.set(FIELDS, "due_at", until);
        save(ctx, tx, &saved, &changes, "paused", &Map::new())?;
    }
    Ok(())
}

fn bounced(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    contact: Uuid,
    happening: &Happening,
    hard: bool,
    why: &str,
) -> Result<(), Error> {
    if !hard {
        return Ok(());
    }
    if let Some(run) = &happening.run {
        mark(ctx, tx, run, "bounced")?;
        let saved = find::<Enrollment>(ctx, tx, run.enrollment_id)?;
        if saved.record.status.is_open() {
            end(ctx, tx, &saved, EnrollmentStatus::Bounced, why)?;
        } else if saved.record.status == EnrollmentStatus::Finished {
            let mut changes = Changes::default();
            changes.set(FIELDS, "status", EnrollmentStatus::Bounced.word());
            changes.set(FIELDS, "reason", why);
            save(ctx, tx, &saved, &changes, "bounced", &Map::new())?;
        }
    }
    // The address is of no more use to the contact's other sequences.
    for id in open_of(ctx, tx, contact)? {
        let saved = find::<Enrollment>(ctx, tx, id)?;
        let by_mail = state(&saved).threads.contains_key("email");
        if by_mail && happening.run.is_none_or(|run| run.enrollment_id != id) {
            end(ctx, tx, &saved, EnrollmentStatus::Bounced, why)?;
        }
    }
    if let Some(message) = happening.message_id {
        judge(ctx, tx, message)?;
    }
    Ok(())
}

/// More bounces than these among the last hundred messages, and the account is not to be trusted with more.
const BOUNCES: i64 = 3;
const JUDGED: i64 = 100;

/// Pauses an account whose mail bounces too often, before its good name is gone.
pub fn judge(ctx: &Ctx, tx: &mut dyn Tx, message: Uuid) -> Result<(), Error> {
    const LAST: &str = "SELECT m.account_id, m.bounced_at FROM messages o CROSS JOIN messages m \
         WHERE o.workspace_id = $1 AND o.id = $2 AND m.workspace_id = o.workspace_id AND m.account_id = o.account_id \
         AND m.handed_at IS NOT NULL ORDER BY m.handed_at DESC LIMIT $3";
    let both = |row: &dyn Row| Ok((row.id(0)?, row.maybe_int(1)?.is_some()));
    let last = tx.rows(LAST, &[ctx.workspace.into(), message.into(), JUDGED.into()], both)?;
    let bounces = last.iter().filter(|(_, bounced)| *bounced).count() as i64;
    let Some((account, _)) = last.first().filter(|_| last.len() as i64 == JUDGED && bounces > BOUNCES) else {
        return Ok(());
    };
    let known = find::<ConnectedAccount>(ctx, tx, *account)?;
    if known.record.removed_at.is_some() {
        return Ok(());
    }
    let why = format!(
        "{bounces} of its last {JUDGED} messages bounced; look after its contacts, then run `relata accounts test {account}`"
    );
    account::hold(ctx, tx, *account, &why)
}

/// Told in the transaction that changes a contact: whom nothing may be sent to is in no sequence.
pub fn contact_changed(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid) -> Result<(), Error> {
    const NOW: &str = "SELECT archived_at, do_not_contact FROM contacts WHERE workspace_id = $1 AND id = $2";
    let found = tx.one(NOW, &[ctx.workspace.into(), contact.into()], |row| {
        Ok((row.maybe_int(0)?.is_some(), row.get(1)?.bool()?))
    })?;
    match found.and_then(|(archived, forbidden)| contact::forbids(archived, forbidden)) {
        Some(why) => end_all(ctx, tx, contact, EnrollmentStatus::Unenrolled, why),
        None => Ok(()),
    }
}

/// Told in the transaction that changes a contact's addresses: mail may go to one now that is suppressed.
pub fn addresses_changed(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid) -> Result<(), Error> {
    if open_of(ctx, tx, contact)?.is_empty() {
        return Ok(());
    }
    let saved = find::<Contact>(ctx, tx, contact)?;
    match refusal(ctx, tx, &saved)? {
        Some(why) => end_all(ctx, tx, contact, EnrollmentStatus::Unenrolled, &why),
        None => Ok(()),
    }
}

/// Told in the transaction that suppresses an address.
pub fn address_suppressed(ctx: &Ctx, tx: &mut dyn Tx, address: &str, by: SuppressionReason) -> Result<(), Error> {
    const CONTACTS: &str =
        "SELECT record FROM terms WHERE workspace_id = $1 AND field = 'contact.email' AND key = $2 LIMIT 100";
    let key = resource::fold(address.trim());
    let (status, why) = match by {
        SuppressionReason::Manual => (EnrollmentStatus::Unenrolled, format!("the address {address} is suppressed")),
        SuppressionReason::Bounced => (EnrollmentStatus::Bounced, format!("mail to {address} can't be delivered")),
        SuppressionReason::Unsubscribed => (EnrollmentStatus::Unsubscribed, "the contact unsubscribed".into()),
        SuppressionReason::Complained => (EnrollmentStatus::Unsubscribed, "the contact complained of a message".into()),
    };
    // Whoever unsubscribes or complains speaks for themselves, wherever mail goes. An address that is suppressed otherwise
    // matters only if mail goes there, as when somebody is enrolled.
    let in_person = matches!(by, SuppressionReason::Unsubscribed | SuppressionReason::Complained);
    for contact in tx.rows(CONTACTS, &[ctx.workspace.into(), key.as_str().into()], |row| row.id(0))? {
        let recipient = outbox::recipient(&find::<Contact>(ctx, tx, contact)?.record, Channel::Email, None);
        if !in_person && recipient.is_ok_and(|recipient| resource::fold(recipient.trim()) != key) {
            continue;
        }
        end_all(ctx, tx, contact, status, &why)?;
    }
    Ok(())
}

/// Told in the transaction that completes or deletes a task: the step that it stood for is over.
pub fn task_over(ctx: &Ctx, tx: &mut dyn Tx, task: Uuid, status: Option<TaskStatus>) -> Result<(), Error> {
    const RUN: &str =
        "SELECT enrollment_id, step_id FROM step_runs WHERE workspace_id = $1 AND task_id = $2 AND done_at IS NULL";
    if status == Some(TaskStatus::Todo) {
        return Ok(());
    }
    let run = tx.one(RUN, &[ctx.workspace.into(), task.into()], |row| {
        Ok(Run { enrollment_id: row.id(0)?, step_id: row.id(1)? })
    })?;
    let Some(run) = run else { return Ok(()) };
    let saved = find::<Enrollment>(ctx, tx, run.enrollment_id)?;
    let mut course = Course::of(ctx, tx, saved.record.sequence_id)?;
    let steps = course.steps(ctx, tx, saved.record.steps_version)?;
    let step = steps.iter().find(|step| step.id == run.step_id);
    let Some(step) = step.filter(|_| saved.record.status.is_open()) else {
        return forget_run(ctx, tx, run.enrollment_id, run.step_id);
    };
    match status {
        Some(TaskStatus::Done) => {
            let contact = find::<Contact>(ctx, tx, saved.record.contact_id)?;
            course.contacts.put(contact::contacted(ctx, tx, contact)?);
            over(ctx, tx, &mut course, &saved, step, "done", None)?;
        }
        Some(_) => drop(over(ctx, tx, &mut course, &saved, step, "skipped", Some("its task was skipped"))?),
        None => drop(over(ctx, tx, &mut course, &saved, step, "skipped", Some("its task was deleted"))?),
    }
    Ok(())
}

/// Ends the open enrollments of an archived sequence; true if there are more.
pub fn sequence_archived(ctx: &Ctx, tx: &mut dyn Tx, sequence: &str, most: i64) -> Result<bool, Error> {
    const OPEN: &str =
        "SELECT id FROM enrollments WHERE workspace_id = $1 AND sequence_id = $2 AND status = $3 ORDER BY id LIMIT $4";
    let Ok(sequence) = Uuid::try_parse(sequence) else { return Ok(false) };
    let mut left = most;
    for status in [EnrollmentStatus::Active, EnrollmentStatus::Paused] {
        let params = [ctx.workspace.into(), sequence.into(), status.word().into(), left.into()];
        for id in tx.rows(OPEN, &params, |row| row.id(0))? {
            let saved = find::<Enrollment>(ctx, tx, id)?;
            end(ctx, tx, &saved, EnrollmentStatus::Unenrolled, "the sequence was archived")?;
            left -= 1;
            // Few end in the transaction that archives the sequence, and together.
            if most - left >= 50 && !tx.has_time() {
                return Ok(true);
            }
        }
    }
    Ok(left == 0)
}
