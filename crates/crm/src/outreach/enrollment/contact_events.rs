//! What happens to a contact and ends or pauses the contact's enrollments: replies, bounces, absences, unsubscriptions,
//! archiving, suppressed addresses.

use super::bounces::check_bounces;
use super::candidates::refusal;
use super::context::SequenceContext;
use super::decide;
use super::record::{Extra, change, decide_again, end, save};
use super::state::{Cause, Kind};
use super::step_runs::{self, mark, open_run, withdraw};
use super::stored_state::StoredState;
use super::{ContactEvent, ContactEventKind, Enrollment, EnrollmentStatus, Run, ended_by_merge, open_of};
use crate::outreach::account::Channel;
use crate::outreach::outbox;
use crate::outreach::suppression::{self, SuppressionReason};
use crate::records::contact::{self, Contact};
use resource::{Changes, Ctx, Error, Saved, find};
use serde_json::Map;
use store::{Tx, Uuid};

/// Applies an event of a contact to the contact's enrollments, in the transaction that stores the event.
pub fn contact_event(ctx: &Ctx, tx: &mut dyn Tx, event: &ContactEvent) -> Result<(), Error> {
    let contact = resource::survivor(ctx, tx, event.contact_id)?.unwrap_or(event.contact_id);
    match &event.kind {
        ContactEventKind::Replied => replied(ctx, tx, contact, event),
        ContactEventKind::AutoReplied => Ok(()),
        ContactEventKind::OutOfOffice(until) => out_of_office(ctx, tx, contact, event, *until),
        ContactEventKind::Bounced { hard, why } => bounced(ctx, tx, contact, event, *hard, why),
        ContactEventKind::Complained => {
            if let Some(run) = &event.run {
                mark(ctx, tx, run, "unsubscribed")?;
                if let Some(address) = step_runs::address(ctx, tx, run)? {
                    suppression::suppress(ctx, tx, &address, SuppressionReason::Complained)?;
                }
            }
            contact::do_not_contact(ctx, tx, contact)?;
            end_all(ctx, tx, contact, &Cause::Complained)
        }
        ContactEventKind::Unsubscribed => {
            if let Some(run) = &event.run {
                mark(ctx, tx, run, "unsubscribed")?;
            }
            unsubscribed(ctx, tx, contact)
        }
        ContactEventKind::InviteAccepted => {
            for id in open_of(ctx, tx, contact)? {
                let saved = find::<Enrollment>(ctx, tx, id)?;
                let now = tx.stamp();
                let mut stored = StoredState::of(&saved)?;
                stored.accepted_at = stored.accepted_at.or(Some(now));
                note_fact(ctx, tx, &saved, &stored, "invite_accepted")?;
            }
            Ok(())
        }
    }
}

/// Ends the enrollments of a contact who unsubscribed. If the address that mail would go to is not suppressed, the contact
/// gets `do_not_contact`.
pub(super) fn unsubscribed(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid) -> Result<(), Error> {
    end_all(ctx, tx, contact, &Cause::Unsubscribed)?;
    let saved = find::<Contact>(ctx, tx, contact)?;
    let Ok(address) = outbox::recipient(&saved.record, Channel::Email, None) else { return Ok(()) };
    match saved.record.do_not_contact || suppression::against(ctx, tx, &address)?.is_some() {
        true => Ok(()),
        false => contact::do_not_contact(ctx, tx, contact),
    }
}

/// Saves a fact that a branch can depend on.
fn note_fact(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<Enrollment>,
    stored: &StoredState,
    verb: &str,
) -> Result<(), Error> {
    let mut changes = Changes::default();
    stored.write(&mut changes);
    decide_again(&mut changes, saved, tx.stamp())?;
    save(ctx, tx, saved, &changes, verb, &Map::new()).map(drop)
}

/// Ends the contact's open enrollments, and those that the undo of a merge would reopen.
fn end_all(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid, cause: &Cause) -> Result<(), Error> {
    for id in open_of(ctx, tx, contact)? {
        let saved = find::<Enrollment>(ctx, tx, id)?;
        end(ctx, tx, &saved, cause)?;
    }
    for saved in ended_by_merge(ctx, tx, contact)? {
        end(ctx, tx, &saved, cause)?;
    }
    Ok(())
}

/// A reply ends all enrollments of the contact, except in sequences without `stop_on_reply`.
fn replied(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid, event: &ContactEvent) -> Result<(), Error> {
    let (now, run) = (tx.stamp(), event.run);
    for id in open_of(ctx, tx, contact)? {
        let saved = find::<Enrollment>(ctx, tx, id)?;
        if !decide::concerns(event.at, saved.record.enrolled_at.0) {
            continue;
        }
        count_reply(ctx, tx, &saved, run)?;
        let sequence = SequenceContext::of(ctx, tx, saved.record.sequence_id)?;
        if !sequence.schedule.stop_on_reply {
            let mut stored = StoredState::of(&saved)?;
            stored.replied_at = Some(now);
            note_fact(ctx, tx, &saved, &stored, "contact_replied")?;
            continue;
        }
        end(ctx, tx, &saved, &Cause::Replied)?;
        if sequence.schedule.stop_for_company {
            stop_company(ctx, tx, saved.record.sequence_id, contact)?;
        }
    }
    for saved in ended_by_merge(ctx, tx, contact)? {
        if decide::concerns(event.at, saved.record.enrolled_at.0)
            && SequenceContext::of(ctx, tx, saved.record.sequence_id)?.schedule.stop_on_reply
        {
            if run.is_none_or(|run| run.enrollment_id == saved.id) {
                count_reply(ctx, tx, &saved, run)?;
            }
            end(ctx, tx, &saved, &Cause::Replied)?;
        }
    }
    // A finished enrollment was answered after its last step: the one whose message was answered, else the latest.
    const FINISHED: &str = "SELECT id FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 AND status = 'finished' \
         ORDER BY id DESC LIMIT 1";
    let finished = match run {
        Some(run) => Some(run.enrollment_id),
        None => tx.one(FINISHED, &[ctx.workspace.into(), contact.into()], |row| row.id(0))?,
    };
    let Some(finished) = finished else { return Ok(()) };
    let saved = find::<Enrollment>(ctx, tx, finished)?;
    if saved.record.status != EnrollmentStatus::Finished || !decide::concerns(event.at, saved.record.enrolled_at.0) {
        return Ok(());
    }
    count_reply(ctx, tx, &saved, run)?;
    end(ctx, tx, &saved, &Cause::Replied).map(drop)
}

/// Counts a reply for the step that it answers, else for the last step that was sent.
fn count_reply(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, run: Option<Run>) -> Result<(), Error> {
    let step = match run.filter(|run| run.enrollment_id == saved.id) {
        Some(run) => Some(run.step_id),
        None => step_runs::last_step(ctx, tx, saved.id)?,
    };
    if let Some(step_id) = step {
        mark(ctx, tx, &Run { enrollment_id: saved.id, step_id }, "replied")?;
    }
    Ok(())
}

/// Ends the same sequence for the contact's colleagues.
fn stop_company(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid, contact: Uuid) -> Result<(), Error> {
    const COLLEAGUES: &str = "SELECT e.id FROM terms t CROSS JOIN enrollments e \
         WHERE t.workspace_id = $1 AND t.field = 'contact.company' AND t.key = $2 \
         AND e.workspace_id = t.workspace_id AND e.contact_id = t.record AND e.sequence_id = $3 AND e.status IN ('active', 'paused')";
    let Some(company) = find::<Contact>(ctx, tx, contact)?.record.company_id else { return Ok(()) };
    let params = [ctx.workspace.into(), company.to_string().into(), sequence.into()];
    for id in tx.rows(COLLEAGUES, &params, |row| row.id(0))? {
        let saved = find::<Enrollment>(ctx, tx, id)?;
        end(ctx, tx, &saved, &Cause::ColleagueReplied)?;
    }
    Ok(())
}

/// Pauses the contact's enrollments until the contact is back.
fn out_of_office(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    contact: Uuid,
    event: &ContactEvent,
    until: Option<i64>,
) -> Result<(), Error> {
    let until = decide::absence_end(until, tx.stamp());
    for id in open_of(ctx, tx, contact)? {
        let saved = find::<Enrollment>(ctx, tx, id)?;
        if !decide::concerns(event.at, saved.record.enrolled_at.0) {
            continue;
        }
        let mut details = Map::new();
        if saved.record.status == EnrollmentStatus::Active {
            // A message that is not being sent yet waits until the contact is back, as a new message.
            details = withdraw(ctx, tx, &saved, "the contact is out of office")?;
        }
        let has_open_run = open_run(ctx, tx, &saved)?.is_some();
        if decide::absence_pauses(Kind::of(&saved.record), has_open_run) {
            change(ctx, tx, &saved, &Cause::OutOfOffice { until }, Extra::details(details))?;
        }
    }
    Ok(())
}

/// A hard bounce ends the enrollment whose message bounced, and all others of the contact that send mail.
fn bounced(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    contact: Uuid,
    event: &ContactEvent,
    hard: bool,
    why: &str,
) -> Result<(), Error> {
    if !hard {
        return Ok(());
    }
    let cause = Cause::Bounced { why: why.into() };
    if let Some(run) = &event.run {
        mark(ctx, tx, run, "bounced")?;
        let saved = find::<Enrollment>(ctx, tx, run.enrollment_id)?;
        if saved.record.status.is_open() || saved.record.status == EnrollmentStatus::Finished {
            end(ctx, tx, &saved, &cause)?;
        }
    }
    for id in open_of(ctx, tx, contact)? {
        let saved = find::<Enrollment>(ctx, tx, id)?;
        let sends_mail = StoredState::of(&saved)?.threads.contains_key("email");
        if sends_mail && event.run.is_none_or(|run| run.enrollment_id != id) {
            end(ctx, tx, &saved, &cause)?;
        }
    }
    match event.message_id {
        Some(message) => check_bounces(ctx, tx, message),
        None => Ok(()),
    }
}

/// Ends the enrollments of a contact that was archived or got `do_not_contact`, in the transaction that changes the contact.
pub fn contact_changed(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid) -> Result<(), Error> {
    const NOW: &str = "SELECT archived_at, do_not_contact FROM contacts WHERE workspace_id = $1 AND id = $2";
    let found = tx.one(NOW, &[ctx.workspace.into(), contact.into()], |row| {
        Ok((row.maybe_int(0)?.is_some(), row.get(1)?.bool()?))
    })?;
    match found.and_then(|(archived, forbidden)| contact::forbids(archived, forbidden)) {
        Some(why) => end_all(ctx, tx, contact, &Cause::ContactExcluded { why: why.into() }),
        None => Ok(()),
    }
}

/// Ends the enrollments of a contact whose mail would now go to a suppressed address, in the transaction that changes the
/// contact's addresses.
pub fn addresses_changed(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid) -> Result<(), Error> {
    if open_of(ctx, tx, contact)?.is_empty() {
        return Ok(());
    }
    let saved = find::<Contact>(ctx, tx, contact)?;
    match refusal(ctx, tx, &saved)? {
        Some(why) => end_all(ctx, tx, contact, &Cause::ContactExcluded { why }),
        None => Ok(()),
    }
}

/// Ends the enrollments of the contacts at an address, in the transaction that suppresses it.
pub fn address_suppressed(ctx: &Ctx, tx: &mut dyn Tx, address: &str, by: SuppressionReason) -> Result<(), Error> {
    const CONTACTS: &str =
        "SELECT record FROM terms WHERE workspace_id = $1 AND field = 'contact.email' AND key = $2 LIMIT 100";
    let key = resource::fold(address.trim());
    let cause = match by {
        SuppressionReason::Manual => Cause::ContactExcluded { why: format!("the address {address} is suppressed") },
        SuppressionReason::Bounced => Cause::Bounced { why: format!("mail to {address} can't be delivered") },
        SuppressionReason::Unsubscribed => Cause::Unsubscribed,
        SuppressionReason::Complained => Cause::Complained,
    };
    // A contact who unsubscribes or complains wants no mail at any address. Otherwise the address matters only if mail goes
    // there.
    let by_contact = matches!(by, SuppressionReason::Unsubscribed | SuppressionReason::Complained);
    for contact in tx.rows(CONTACTS, &[ctx.workspace.into(), key.as_str().into()], |row| row.id(0))? {
        let recipient = outbox::recipient(&find::<Contact>(ctx, tx, contact)?.record, Channel::Email, None);
        if !by_contact && recipient.is_ok_and(|recipient| resource::fold(recipient.trim()) != key) {
            continue;
        }
        end_all(ctx, tx, contact, &cause)?;
    }
    Ok(())
}
