//! The recipient, the Message-ID and the thread of a message.

use crate::outreach::account::{Channel, ConnectedAccount};
use crate::records::contact::Contact;
use resource::{Ctx, Error, fold, invalid};
use serde_json::{Map, Value as Json};
use store::{Tx, Uuid};

/// A new Message-ID at the account's domain, without brackets.
pub(super) fn reference(account: &ConnectedAccount, id: Uuid) -> String {
    let domain = account.address.as_deref().and_then(|address| address.rsplit_once('@')).map_or("relata", |(_, at)| at);
    match account.provider {
        Channel::Email => format!("{id}@{domain}"),
        _ => id.to_string(),
    }
}

/// The contact's address on a channel: the last one of the conversation if the contact still has it, else the first one.
pub fn recipient(contact: &Contact, channel: Channel, last: Option<&str>) -> Result<String, Error> {
    let of = |items: &[Map<String, Json>], member: &str| -> Vec<String> {
        items.iter().filter_map(|item| item.get(member)?.as_str().map(str::to_owned)).collect()
    };
    let (known, what) = match channel {
        Channel::Email => (of(&contact.emails.0, "email"), "email address"),
        Channel::Network => (contact.network_profile.iter().cloned().collect(), "network_profile"),
        Channel::Chat => (of(&contact.phones.0, "phone"), "phone number"),
    };
    let same = known.iter().find(|address| last.is_some_and(|last| fold(last) == fold(address)));
    let found = same.or(known.first()).cloned();
    found.ok_or_else(|| {
        invalid("contact_id", format!("the contact has no {what}, so nothing can be sent by {}", channel.word()))
    })
}

/// The address of the conversation's last message.
pub(super) fn last_address(ctx: &Ctx, tx: &mut dyn Tx, conversation: Uuid) -> Result<Option<String>, Error> {
    const LAST: &str = "SELECT address FROM messages WHERE workspace_id = $1 AND conversation_id = $2 AND address IS NOT NULL \
         ORDER BY id DESC LIMIT 1";
    Ok(tx.one(LAST, &[ctx.workspace.into(), conversation.into()], |row| row.text(0))?)
}

/// Whether the conversation has a message that arrived, was sent or will be. Those that were cancelled or failed don't count:
/// the contact does not know them.
pub(super) fn has_begun(ctx: &Ctx, tx: &mut dyn Tx, conversation: Uuid) -> Result<bool, Error> {
    const BEGUN: &str = "SELECT 1 FROM messages WHERE workspace_id = $1 AND conversation_id = $2 \
         AND (sent_at IS NOT NULL OR status = 'queued') LIMIT 1";
    Ok(tx.one(BEGUN, &[ctx.workspace.into(), conversation.into()], |row| row.int(0))?.is_some())
}

/// The latest Message-IDs of a thread, oldest first.
pub(super) fn references(ctx: &Ctx, tx: &mut dyn Tx, conversation: Uuid) -> Result<Vec<String>, Error> {
    const LATEST: &str = "SELECT reference FROM messages WHERE workspace_id = $1 AND conversation_id = $2 AND reference IS NOT NULL \
         AND (sent_at IS NOT NULL OR status = 'queued') ORDER BY id DESC LIMIT 20";
    let mut ids = tx.rows(LATEST, &[ctx.workspace.into(), conversation.into()], |row| row.text(0))?;
    ids.reverse();
    Ok(ids)
}

/// The subject with one `Re:` before it.
pub(super) fn in_answer(subject: &str) -> String {
    let known = subject.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("re:"));
    if known { subject.to_owned() } else { format!("Re: {subject}") }
}
