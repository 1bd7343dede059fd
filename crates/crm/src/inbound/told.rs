//! What the providers of networks and chats tell of: messages of contacts, and invitations that they accepted.

use super::{Came, LONGEST, REFERENCE, alive, contact_at, last_sent, named, sent, storable};
use crate::account::ConnectedAccount;
use crate::contact;
use crate::conversation::{self, Conversation};
use crate::enrollment::{self, Happening, What};
use crate::message::{Message, MessageKind};
use resource::{Ctx, Error, Saved, digits, find, fold};
use serde_json::Map;
use store::{Tx, Uuid};

/// What a provider tells of.
#[derive(Clone, Debug)]
pub struct Told {
    pub at: i64,
    pub profile: Option<String>,
    pub phone: Option<String>,
    pub what: Said,
}

#[derive(Clone, Debug)]
pub enum Said {
    Message { id: String, text: String },
    Accepted { invitation: String },
    Declined { invitation: String },
}

/// Stores what a provider tells of; what is known already, or concerns no contact, is left out.
pub fn told(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid, told: &[Told]) -> Result<(), Error> {
    let account = find::<ConnectedAccount>(ctx, tx, account)?;
    if account.record.removed_at.is_some() {
        return Ok(());
    }
    for one in told {
        match &one.what {
            Said::Message { id, text } => said(ctx, tx, &account, one, id, text)?,
            Said::Accepted { invitation } => {
                if let Some((message, run)) = sent(ctx, tx, &storable(invitation, REFERENCE))? {
                    let invite = find::<Message>(ctx, tx, message)?;
                    let contact_id = alive(ctx, tx, invite.record.contact_id)?;
                    let happening =
                        Happening { contact_id, message_id: Some(message), run, what: What::InviteAccepted };
                    enrollment::happened(ctx, tx, &happening)?;
                    let subjects = [contact_id];
                    resource::event_about(ctx, tx, "message.accepted", "message", message, &Map::new(), &subjects)?;
                }
            }
            Said::Declined { .. } => {}
        }
    }
    Ok(())
}

fn said(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account: &Saved<ConnectedAccount>,
    told: &Told,
    id: &str,
    text: &str,
) -> Result<(), Error> {
    // Another account may know another message by the same name.
    let reference = storable(&format!("{}:{id}", account.id), REFERENCE);
    if named(ctx, tx, &reference)?.is_some() {
        return Ok(());
    }
    let mut by_profile = None;
    if let Some(profile) = &told.profile {
        let profile = fold(&storable(profile, 500));
        // The same page, with a slash at its end or without.
        let other = match profile.strip_suffix('/') {
            Some(bare) => bare.to_owned(),
            None => format!("{profile}/"),
        };
        for key in [&profile, &other] {
            by_profile = by_profile.or(contact_at(ctx, tx, "contact.profile", &resource::profile_key(key))?);
        }
    }
    let contact = match (by_profile, &told.phone) {
        (None, Some(phone)) => contact_at(ctx, tx, "contact.phone", &digits(phone))?,
        (found, _) => found,
    };
    let Some(contact_id) = contact else { return Ok(()) };
    let new = conversation::New { channel: account.record.provider, account_id: account.id, contact_id, subject: None };
    let conversation = conversation::begin(ctx, tx, &new)?;
    let conversation = find::<Conversation>(ctx, tx, conversation)?;
    let came = Came {
        kind: MessageKind::Message,
        content: &storable(text, LONGEST),
        html: None,
        subject: None,
        address: Some(&storable(told.profile.as_deref().or(told.phone.as_deref()).unwrap_or_default(), 500)),
        reference: Some(&reference),
        at: Some(told.at),
        files: &[],
        after: 0,
    };
    came.store(ctx, tx, &conversation)?;
    contact::replied(ctx, tx, contact_id)?;
    let about = last_sent(ctx, tx, conversation.id)?;
    let happening = Happening {
        contact_id,
        message_id: about.map(|(id, _)| id),
        run: about.and_then(|(_, run)| run),
        what: What::Replied,
    };
    enrollment::happened(ctx, tx, &happening)
}
