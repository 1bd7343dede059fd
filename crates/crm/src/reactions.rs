//! Consequences of a changed record in other areas, in the transaction of the change.

use crate::api::reaction::{Erases, Reacts};
use crate::erasure;
use crate::outreach::enrollment;
use crate::outreach::sequence::Sequence;
use crate::outreach::suppression::{Suppression, SuppressionReason};
use crate::pipelines::task::{Task, TaskStatus};
use crate::records::company::Company;
use crate::records::contact::Contact;
use resource::{Changes, Ctx, Error, Saved};
use store::{Tx, Uuid, Value};

impl Reacts for Contact {
    /// If messages to the contact are no longer allowed, it leaves every sequence at once. If data that branches or
    /// schedules depend on changes, they are computed again.
    fn changed(ctx: &Ctx, tx: &mut dyn Tx, contact: &Saved<Contact>, changes: &Changes) -> Result<(), Error> {
        let archived = changes.get(Contact::ARCHIVED_AT).is_some_and(|at| *at != Value::Null);
        let forbidden = changes.get(Contact::DO_NOT_CONTACT) == Some(&Value::Bool(true));
        if archived || forbidden {
            enrollment::contact_changed(ctx, tx, contact.id)?;
        }
        if changes.get(Contact::EMAILS).is_some() {
            enrollment::addresses_changed(ctx, tx, contact.id)?;
        }
        let has_other_details = changes.get(Contact::EMAILS).is_some()
            || changes.get(Contact::PHONES).is_some()
            || changes.get(Contact::NETWORK_PROFILE).is_some()
            || changes.get(Contact::LOCATION).is_some();
        if has_other_details { enrollment::contact_details_changed(ctx, tx, contact.id) } else { Ok(()) }
    }
}

impl Erases for Contact {
    fn erase(ctx: &Ctx, tx: &mut dyn Tx, contact: &Saved<Contact>) -> Result<(), Error> {
        erasure::begin(ctx, tx, contact)
    }
}

impl Reacts for Company {}

impl Erases for Company {
    fn erase(ctx: &Ctx, tx: &mut dyn Tx, company: &Saved<Company>) -> Result<(), Error> {
        erasure::begin(ctx, tx, company)
    }
}

impl Reacts for Task {
    /// Completes the step of a sequence that waits for this task.
    fn changed(ctx: &Ctx, tx: &mut dyn Tx, task: &Saved<Task>, changes: &Changes) -> Result<(), Error> {
        let status = changes.text(Task::STATUS).and_then(TaskStatus::from_word).unwrap_or(task.record.status);
        enrollment::task_over(ctx, tx, task.id, Some(status))
    }

    fn deleted(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
        enrollment::task_over(ctx, tx, id, None)
    }
}

impl Reacts for Sequence {
    /// Its enrollments go on, wait, move to the new schedule, or end.
    fn changed(ctx: &Ctx, tx: &mut dyn Tx, before: &Saved<Sequence>, _: &Changes) -> Result<(), Error> {
        enrollment::sequence_changed(ctx, tx, before)
    }
}

impl Reacts for Suppression {
    /// The contact with a suppressed address leaves the sequences that would write to it.
    fn created(ctx: &Ctx, tx: &mut dyn Tx, _: Uuid, changes: &Changes) -> Result<(), Error> {
        let reason = changes.text(Suppression::REASON).and_then(SuppressionReason::from_word);
        match (changes.text(Suppression::ADDRESS), reason) {
            (Some(address), Some(reason)) => enrollment::address_suppressed(ctx, tx, address, reason),
            _ => Ok(()),
        }
    }
}
