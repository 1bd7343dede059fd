//! The contacts of a request to enroll, read together: one statement for each contact would hold the writer for too long.

use super::EnrollmentStatus;
use crate::outreach::account::Channel;
use crate::outreach::outbox;
use crate::outreach::suppression::{self, Checked};
use crate::records::contact::{self, Contact};
use resource::{Batch, Ctx, Error, Saved, StoredRow, among, by_keys};
use std::collections::{HashMap, HashSet};
use store::{Tx, Uuid};

/// An enrollment of a contact: its id, its sequence and its status.
pub(super) type Other = (Uuid, Uuid, EnrollmentStatus);

/// A contact that was not read ahead is read when it is needed, so that an empty value works too.
#[derive(Default)]
pub(super) struct Candidates {
    contacts: Batch<Contact>,
    suppressed: Checked,
    /// The contacts whose enrollments were read, the newest first.
    enrollments: HashMap<Uuid, Vec<Other>>,
    /// Contacts that unsubscribed by a link of an earlier enrollment.
    unsubscribed: HashSet<Uuid>,
}

impl Candidates {
    pub(super) fn read(ctx: &Ctx, tx: &mut dyn Tx, ids: &[Uuid]) -> Result<Candidates, Error> {
        let contacts: Batch<Contact> = Batch::read(ctx, tx, ids.iter().copied())?;
        let addresses = contacts.iter().flat_map(|saved| super::addresses(&saved.record.emails.0, "email"));
        let suppressed = Checked::read(ctx, tx, addresses)?;
        let mut enrollments: HashMap<Uuid, Vec<Other>> = contacts.iter().map(|saved| (saved.id, Vec::new())).collect();
        let all = format!(
            "SELECT contact_id, id, sequence_id, status FROM enrollments WHERE workspace_id = $1 AND contact_id IN {} \
             ORDER BY id DESC",
            among(2)
        );
        let unsubscribed = format!(
            "SELECT DISTINCT e.contact_id FROM enrollments e JOIN step_runs r \
             ON r.workspace_id = e.workspace_id AND r.enrollment_id = e.id \
             WHERE e.workspace_id = $1 AND e.contact_id IN {} AND r.unsubscribed_at IS NOT NULL",
            among(2)
        );
        let mut left = HashSet::new();
        let known: Vec<Uuid> = enrollments.keys().copied().collect();
        for params in by_keys(ctx, known) {
            let found = tx.rows(&all, &params, |row| {
                Ok((row.id(0)?, (row.id(1)?, row.id(2)?, row.word(3, EnrollmentStatus::from_word)?)))
            })?;
            for (contact, other) in found {
                enrollments.entry(contact).or_default().push(other);
            }
            left.extend(tx.rows(&unsubscribed, &params, |row| row.id(0))?);
        }
        Ok(Candidates { contacts, suppressed, enrollments, unsubscribed: left })
    }

    pub(super) fn take(&mut self, ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Saved<Contact>, Error> {
        self.contacts.take(ctx, tx, id)
    }

    /// The contact's enrollments, the newest first. They are read again the next time, because the contact may be enrolled
    /// by then.
    pub(super) fn enrollments(&mut self, ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid) -> Result<Vec<Other>, Error> {
        const OF_CONTACT: &str = "SELECT id, sequence_id, status FROM enrollments \
             WHERE workspace_id = $1 AND contact_id = $2 ORDER BY id DESC";
        if let Some(read) = self.enrollments.remove(&contact) {
            return Ok(read);
        }
        Ok(tx.rows(OF_CONTACT, &[ctx.workspace.into(), contact.into()], |row| {
            Ok((row.id(0)?, row.id(1)?, row.word(2, EnrollmentStatus::from_word)?))
        })?)
    }

    /// Why the contact can't be in any sequence, as `refusal` says.
    pub(super) fn refusal(
        &self,
        ctx: &Ctx,
        tx: &mut dyn Tx,
        contact: &Saved<Contact>,
    ) -> Result<Option<String>, Error> {
        let record = &contact.record;
        let forbidden = contact::forbids(record.archived_at.is_some(), record.do_not_contact).is_some();
        let known = self.enrollments.contains_key(&contact.id) && !self.unsubscribed.contains(&contact.id);
        if forbidden || !known {
            return refusal(ctx, tx, contact);
        }
        for address in super::addresses(&record.emails.0, "email") {
            if self.suppressed.against(ctx, tx, &address)?.is_some() {
                return refusal(ctx, tx, contact);
            }
        }
        Ok(None)
    }
}

/// Why a contact can't be in any sequence: the contact is archived or has `do_not_contact`, its address is suppressed, or it
/// unsubscribed or complained at any of its addresses.
pub(super) fn refusal(ctx: &Ctx, tx: &mut dyn Tx, contact: &Saved<Contact>) -> Result<Option<String>, Error> {
    let record = &contact.record;
    if let Some(why) = contact::forbids(record.archived_at.is_some(), record.do_not_contact) {
        return Ok(Some(why.to_owned()));
    }
    if let Ok(address) = outbox::recipient(record, Channel::Email, None)
        && let Some(why) = suppression::against(ctx, tx, &address)?
    {
        return Ok(Some(why));
    }
    const LEFT: &str = "SELECT DISTINCT r.address FROM enrollments e JOIN step_runs r \
         ON r.workspace_id = e.workspace_id AND r.enrollment_id = e.id \
         WHERE e.workspace_id = $1 AND e.contact_id = $2 AND r.unsubscribed_at IS NOT NULL AND r.address IS NOT NULL";
    let mut addresses = tx.rows(LEFT, &[ctx.workspace.into(), contact.id.into()], |row| row.text(0))?;
    addresses.extend(super::addresses(&record.emails.0, "email"));
    suppression::refused_by_owner(ctx, tx, &addresses)
}
