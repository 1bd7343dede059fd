//! Events that providers of networks and chats report: messages of contacts, and invitations that they accepted.

use super::received::Received;
use super::reports::{last_sent, sent};
use super::{LONGEST, REFERENCE, alive, contact_at, exists, is_history, storable, with_message_id};
use crate::outreach::account::ConnectedAccount;
use crate::outreach::conversation::{self, Conversation};
use crate::outreach::enrollment::{self, ContactEvent, ContactEventKind};
use crate::outreach::message::{Message, MessageKind};
use crate::records::contact;
use resource::{Ctx, Error, Saved, digits, find, fold};
use serde_json::Map;
use store::{Tx, Uuid};

/// An event that a provider reports.
#[derive(Clone, Debug)]
pub struct ProviderEvent {
    pub at: i64,
    pub profile: Option<String>,
    pub phone: Option<String>,
    pub kind: ProviderEventKind,
}

#[derive(Clone, Debug)]
pub enum ProviderEventKind {
    Message { id: String, text: String },
    Accepted { invitation: String },
    Declined { invitation: String },
}

/// Applies events of a provider for as long as the unit of work has time; returns how many. Events that are known already or
/// concern no contact are ignored.
pub fn receive_provider_events(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account: Uuid,
    events: &[ProviderEvent],
) -> Result<usize, Error> {
    let account = find::<ConnectedAccount>(ctx, tx, account)?;
    if account.record.removed_at.is_some() {
        return Ok(events.len());
    }
    for (done, event) in events.iter().enumerate() {
        if done > 0 && !tx.has_time() {
            return Ok(done);
        }
        match &event.kind {
            ProviderEventKind::Message { id, text } => message(ctx, tx, &account, event, id, text)?,
            ProviderEventKind::Accepted { invitation } => {
                if let Some((message, run)) = sent(ctx, tx, &storable(invitation, REFERENCE))? {
                    let invite = find::<Message>(ctx, tx, message)?;
                    let contact_id = alive(ctx, tx, invite.record.contact_id)?;
                    // The contact is being erased.
                    if !exists(ctx, tx, contact_id)? {
                        continue;
                    }
                    let contact_event = ContactEvent {
                        contact_id,
                        message_id: Some(message),
                        run,
                        kind: ContactEventKind::InviteAccepted,
                        at: None,
                    };
                    enrollment::contact_event(ctx, tx, &contact_event)?;
                    let subjects = [contact_id];
                    resource::event_about(ctx, tx, "message.accepted", "message", message, &Map::new(), &subjects)?;
                }
            }
            ProviderEventKind::Declined { .. } => {}
        }
    }
    Ok(events.len())
}

/// Stores a message of a contact.
fn message(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account: &Saved<ConnectedAccount>,
    event: &ProviderEvent,
    id: &str,
    text: &str,
) -> Result<(), Error> {
    // Ids are unique only within an account.
    let reference = storable(&format!("{}:{id}", account.id), REFERENCE);
    if with_message_id(ctx, tx, account, &reference)?.is_some() {
        return Ok(());
    }
    let mut by_profile = None;
    if let Some(profile) = &event.profile {
        let profile = fold(&storable(profile, 500));
        // With and without a slash at the end.
        let other = match profile.strip_suffix('/') {
            Some(bare) => bare.to_owned(),
            None => format!("{profile}/"),
        };
        for key in [&profile, &other] {
            by_profile = by_profile.or(contact_at(ctx, tx, "contact.profile", &resource::profile_key(key))?);
        }
    }
    let contact = match (by_profile, &event.phone) {
        (None, Some(phone)) => contact_at(ctx, tx, "contact.phone", &digits(phone))?,
        (found, _) => found,
    };
    let Some(contact_id) = contact else { return Ok(()) };
    let new = conversation::New { channel: account.record.provider, account_id: account.id, contact_id, subject: None };
    let conversation = conversation::begin(ctx, tx, &new)?;
    let conversation = find::<Conversation>(ctx, tx, conversation)?;
    let received = Received {
        kind: MessageKind::Message,
        content: &storable(text, LONGEST),
        quoted: None,
        html: None,
        subject: None,
        address: Some(&storable(event.profile.as_deref().or(event.phone.as_deref()).unwrap_or_default(), 500)),
        reference: Some(&reference),
        at: Some(event.at),
        files: &[],
        is_history: is_history(&account.record, event.at),
        after: 0,
    };
    received.store(ctx, tx, &conversation)?;
    if is_history(&account.record, event.at) {
        return Ok(());
    }
    contact::replied(ctx, tx, contact_id)?;
    let about = last_sent(ctx, tx, conversation.id)?;
    let contact_event = ContactEvent {
        contact_id,
        message_id: about.map(|(id, _)| id),
        run: about.and_then(|(_, run)| run),
        kind: ContactEventKind::Replied,
        at: Some(event.at),
    };
    enrollment::contact_event(ctx, tx, &contact_event)
}
