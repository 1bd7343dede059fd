//! The special rules of merging contacts and companies, beyond taking the first value that there is.

use crate::outreach::enrollment::merged;
use crate::outreach::suppression::{self, SuppressionReason};
use crate::records::collection::Collected;
use crate::records::company::Company;
use crate::records::contact::{self, Contact, Status};
use resource::{Changes, Ctx, Error, Resource, Saved, find, fold, place, snapshot};
use serde_json::Value as Json;
use std::collections::HashMap;
use store::{Tx, Uuid};

pub(super) trait Mergeable: Collected {
    /// Decides members that depend on each other. `chosen` names the record whose value a member takes.
    fn merged(
        _: &Ctx,
        _: &mut dyn Tx,
        _into: &Saved<Self>,
        _from: &[Saved<Self>],
        _chosen: &HashMap<&'static str, Uuid>,
        _changes: &mut Changes,
    ) -> Result<(), Error>
    where
        Self: Sized,
    {
        Ok(())
    }

    /// Applies events since the merge to one of its records after the undo.
    fn parted(_: &Ctx, _: &mut dyn Tx, _: Uuid, _since: i64) -> Result<(), Error> {
        Ok(())
    }
}

impl Mergeable for Company {}

impl Mergeable for Contact {
    fn merged(
        ctx: &Ctx,
        tx: &mut dyn Tx,
        into: &Saved<Contact>,
        from: &[Saved<Contact>],
        chosen: &HashMap<&'static str, Uuid>,
        changes: &mut Changes,
    ) -> Result<(), Error> {
        merge_status(into, from, chosen, changes);
        merge_company(into, from, chosen, changes);
        let mut refuses = false;
        for contact in std::iter::once(into).chain(from) {
            refuses = refuses
                || contact.record.do_not_contact
                || refuses_messages(ctx, tx, contact.id, &snapshot(contact.value("emails")?))?;
        }
        if refuses {
            changes.set(Contact::DO_NOT_CONTACT, true);
        }
        Ok(())
    }

    fn parted(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, since: i64) -> Result<(), Error> {
        parted(ctx, tx, id, since)
    }
}

/// The most advanced status of the contacts. An archived survivor stays archived and gets the status when it is
/// restored.
fn merge_status(
    into: &Saved<Contact>,
    from: &[Saved<Contact>],
    chosen: &HashMap<&'static str, Uuid>,
    changes: &mut Changes,
) {
    if chosen.contains_key("global_status") {
        return;
    }
    let place = |status: Status| {
        [Status::New, Status::Contacted, Status::Replied, Status::Qualified].iter().position(|one| *one == status)
    };
    let of = |contact: &Saved<Contact>| match contact.record.global_status {
        Status::Archived => contact.record.earlier_status.unwrap_or(Status::New),
        status => status,
    };
    let furthest = from.iter().map(of).fold(of(into), |best, one| if place(one) > place(best) { one } else { best });
    if furthest == of(into) {
        return;
    }
    match into.record.global_status {
        Status::Archived => changes.set(Contact::EARLIER_STATUS, furthest),
        _ => changes.set(Contact::GLOBAL_STATUS, furthest),
    }
}

/// The company and its name come from one record: the chosen one, else the first that has either. If it has only one of
/// the two, the other is taken from a record with the same company.
fn merge_company(
    into: &Saved<Contact>,
    from: &[Saved<Contact>],
    chosen: &HashMap<&'static str, Uuid>,
    changes: &mut Changes,
) {
    const BOTH: [&str; 2] = ["company_id", "current_company"];
    if BOTH.iter().all(|member| chosen.contains_key(member)) {
        return;
    }
    let all = || std::iter::once(into).chain(from);
    let named =
        |contact: &Saved<Contact>| contact.record.company_id.is_some() || contact.record.current_company.is_some();
    let choice = BOTH.iter().find_map(|member| chosen.get(member));
    let source = match choice {
        Some(id) => all().find(|contact| contact.id == *id),
        None => all().find(|contact| named(contact)),
    };
    let Some(source) = source else { return };
    let record = &source.record;
    let name = |contact: &Saved<Contact>| contact.record.current_company.as_deref().map(fold);
    let (mut company, mut current) = (record.company_id, record.current_company.clone());
    if company.is_none() && current.is_some() {
        company = all().filter(|other| name(other) == name(source)).find_map(|other| other.record.company_id);
    }
    if current.is_none() && company.is_some() {
        current = all()
            .filter(|other| other.record.company_id == company)
            .find_map(|other| other.record.current_company.clone());
    }
    changes.take(Contact::COMPANY_ID);
    changes.take(Contact::CURRENT_COMPANY);
    if company != into.record.company_id {
        changes.set(Contact::COMPANY_ID, company);
    }
    if current != into.record.current_company {
        changes.set(Contact::CURRENT_COMPANY, current);
    }
}

/// Whether this person refuses messages: by unsubscribing, by a complaint, or because their first address was
/// suppressed manually. A bounced address does not count.
pub(super) fn refuses_messages(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid, emails: &Json) -> Result<bool, Error> {
    if merged::unsubscribed(ctx, tx, contact)? {
        return Ok(true);
    }
    // A merge saves the stored text of the list, or null.
    let text = if emails.is_null() { Some("[]") } else { emails.as_str() };
    let place = place(Contact::ABOUT.table, "emails", &contact);
    let emails: Vec<Json> = place.json(text.ok_or_else(|| place.corrupt("is no list"))?)?;
    for (nth, email) in emails.iter().enumerate() {
        let Some(address) = email.get("email").and_then(Json::as_str) else { continue };
        match suppression::reason_against(ctx, tx, address)? {
            Some(SuppressionReason::Unsubscribed | SuppressionReason::Complained) => return Ok(true),
            Some(SuppressionReason::Manual) if nth == 0 => return Ok(true),
            Some(SuppressionReason::Manual | SuppressionReason::Bounced) | None => {}
        }
    }
    Ok(false)
}

/// A contact that replied or complained while merged, by a message of its own, keeps that after the undo.
fn parted(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, since: i64) -> Result<(), Error> {
    if merged::replied_since(ctx, tx, id, since)? {
        contact::replied(ctx, tx, id)?;
    }
    let contact = find::<Contact>(ctx, tx, id)?;
    let emails = contact.record.emails.0.iter().filter_map(|email| email.get("email")?.as_str().map(str::to_owned));
    let emails: Vec<String> = emails.collect();
    match suppression::complained_since(ctx, tx, &emails, since)? {
        true => contact::do_not_contact(ctx, tx, id),
        false => Ok(()),
    }
}
