//! Writes the status of a message and its row of the outbox. What it means for the step of a sequence is up to the callers.

use super::Handover;
use super::filing::file_later;
use super::row::delete_rows;
use crate::outreach::account;
use crate::outreach::message::{Message, MessageStatus};
use crate::records::contact::{self, Contact};
use resource::{Batch, Changes, Ctx, Error, find, update_as};
use serde_json::Map;
use std::collections::BTreeSet;
use store::{Tx, Uuid, Value};

/// Records messages that were sent, with their contacts and accounts.
pub(in crate::outreach) fn mark_sent(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    handovers: &[&Handover],
    contacts: &mut Batch<Contact>,
) -> Result<(), Error> {
    let mut messages: Batch<Message> = Batch::read(ctx, tx, handovers.iter().map(|one| one.message_id))?;
    let now = tx.stamp();
    let mut changes = Changes::default();
    changes.set(Message::STATUS, MessageStatus::Sent);
    changes.set(Message::SENT_AT, now);
    changes.clear(Message::ERROR);
    for handover in handovers {
        let message = messages.take(ctx, tx, handover.message_id)?;
        update_as(ctx, tx, &message, &changes, "sent", &Map::new())?;
        let contact = contacts.take(ctx, tx, handover.contact_id)?;
        contacts.put(contact::contacted(ctx, tx, contact)?);
    }
    let accounts: BTreeSet<Uuid> = handovers.iter().map(|one| one.account_id).collect();
    accounts.into_iter().try_for_each(|account| account::note_sent(ctx, tx, account))
}

/// Removes messages that were sent from the outbox. Mails stay until a copy is in the Sent folder.
pub(in crate::outreach) fn file_or_delete(ctx: &Ctx, tx: &mut dyn Tx, handovers: &[&Handover]) -> Result<(), Error> {
    let filed = file_later(ctx, tx, handovers)?;
    delete_rows(ctx, tx, handovers.iter().map(|one| one.message_id).filter(|id| !filed.contains(id)))
}

/// Records a message that will not be sent.
pub(in crate::outreach) fn mark_failed(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    handover: &Handover,
    why: &str,
    verb: &str,
) -> Result<(), Error> {
    let mut changes = Changes::default();
    changes.set(Message::STATUS, MessageStatus::Failed);
    changes.set(Message::ERROR, why);
    let message = find::<Message>(ctx, tx, handover.message_id)?;
    update_as(ctx, tx, &message, &changes, verb, &Map::new())?;
    delete_rows(ctx, tx, std::iter::once(handover.message_id))
}

/// Records that nobody knows whether a message was sent.
pub(in crate::outreach) fn mark_unknown(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    handover: &Handover,
    why: &str,
) -> Result<(), Error> {
    const UNKNOWN: &str =
        "UPDATE sends SET state = 'unknown', due_at = $1, lease_until = 0 WHERE workspace_id = $2 AND message_id = $3";
    let (now, mut changes) = (tx.stamp(), Changes::default());
    changes.set(Message::STATUS, MessageStatus::Failed);
    changes.set(Message::ERROR, format!("outcome_unknown: {why}"));
    let message = find::<Message>(ctx, tx, handover.message_id)?;
    update_as(ctx, tx, &message, &changes, "outcome_unknown", &Map::new())?;
    Ok(tx.execute(UNKNOWN, &[now.into(), ctx.workspace.into(), handover.message_id.into()])?)
}

/// Puts a message back into the queue, due at `until`, as if it had not been taken.
pub(in crate::outreach) fn requeue(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    handover: &Handover,
    until: i64,
    attempts: i64,
) -> Result<(), Error> {
    const BACK: &str = "UPDATE sends SET state = 'queued', due_at = $1, lease_until = 0, attempts = $2 \
         WHERE workspace_id = $3 AND message_id = $4";
    const FREE: &str = "UPDATE messages SET handed_at = NULL WHERE workspace_id = $1 AND id = $2";
    let (workspace, id): (Value, Value) = (ctx.workspace.into(), handover.message_id.into());
    tx.execute(BACK, &[until.into(), attempts.into(), workspace.clone(), id.clone()])?;
    Ok(tx.execute(FREE, &[workspace, id])?)
}
