//! Snoozed conversations are out of the inbox until a time. A job ends the snooze then, so that clients get an event and the
//! conversation is at the top again.

use super::{Conversation, ConversationStatus};
use crate::api::queue;
use resource::{Changes, Ctx, Error, Saved, find, invalid, update};
use store::{Tx, Uuid, Value};

/// The job that ends a snooze; its payload is the conversation.
pub const WAKE: &str = "conversation.wake";
/// How far ahead a snooze can end, in milliseconds.
const LATEST: i64 = 366 * 24 * 60 * 60 * 1000;

/// Checks a change of the snooze, and replaces its job. Archiving ends a snooze.
pub(super) fn normalize(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    changes: &mut Changes,
    conversation: &Saved<Conversation>,
) -> Result<(), Error> {
    let status = match changes.text(Conversation::STATUS) {
        Some(word) => ConversationStatus::from_word(word).unwrap_or(conversation.record.status),
        None => conversation.record.status,
    };
    let archived = status == ConversationStatus::Archived;
    let before = conversation.record.snoozed_until.map(|before| before.0);
    match changes.get(Conversation::SNOOZED_UNTIL) {
        // A record that is read, changed and sent back.
        Some(Value::Int(until)) if before == Some(*until) && archived => end(ctx, tx, changes, conversation),
        Some(Value::Int(until)) if before == Some(*until) => Ok(()),
        Some(Value::Int(until)) => {
            let (now, until) = (tx.now(), *until);
            let problem = match until {
                _ if archived && changes.get(Conversation::STATUS).is_none() => {
                    "the conversation is archived; send status open, too"
                }
                _ if archived => "an archived conversation can't be snoozed",
                until if until <= now => "is in the past",
                until if until > now + LATEST => "is more than a year ahead",
                _ => {
                    end(ctx, tx, changes, conversation)?;
                    let job = queue::enqueue_in(ctx, tx, until - now, WAKE, &conversation.id.to_string())?;
                    changes.set(Conversation::SNOOZED_UNTIL, until);
                    changes.set(Conversation::SNOOZE_JOB, job);
                    return Ok(());
                }
            };
            Err(invalid(Conversation::SNOOZED_UNTIL.name(), problem))
        }
        Some(_) => end(ctx, tx, changes, conversation),
        None if archived => end(ctx, tx, changes, conversation),
        None => Ok(()),
    }
}

/// Ends the snooze, if there is one.
pub(super) fn end(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    changes: &mut Changes,
    conversation: &Saved<Conversation>,
) -> Result<(), Error> {
    withdraw(ctx, tx, conversation)?;
    changes.clear(Conversation::SNOOZED_UNTIL);
    changes.clear(Conversation::SNOOZE_JOB);
    Ok(())
}

/// Removes the job of a conversation that is being deleted or is not snoozed any more.
pub fn withdraw(ctx: &Ctx, tx: &mut dyn Tx, conversation: &Saved<Conversation>) -> Result<(), Error> {
    match conversation.record.snooze_job {
        Some(job) => queue::withdraw(ctx, tx, job),
        None => Ok(()),
    }
}

/// Ends a snooze whose time has come, and moves the conversation to the top.
pub fn wake(ctx: &Ctx, tx: &mut dyn Tx, job: &queue::Queued) -> Result<bool, Error> {
    let id = Uuid::try_parse(&job.payload).map_err(|_| store::Error::unreadable("is not an id"))?;
    let conversation = match find::<Conversation>(ctx, tx, id) {
        Err(Error::NotFound(_)) => return Ok(false),
        found => found?,
    };
    if conversation.record.snooze_job != Some(job.id) {
        return Ok(false);
    }
    let mut changes = Changes::default();
    match conversation.record.snoozed_until.map(|until| until.0 - tx.now()) {
        // The clock was set back.
        Some(wait @ 1..) => {
            let job = queue::enqueue_in(ctx, tx, wait, WAKE, &job.payload)?;
            changes.set(Conversation::SNOOZE_JOB, job);
        }
        _ => {
            changes.clear(Conversation::SNOOZED_UNTIL);
            changes.clear(Conversation::SNOOZE_JOB);
            changes.set(Conversation::ACTIVE_AT, tx.stamp());
        }
    }
    update(ctx, tx, &conversation, &changes)?;
    Ok(false)
}
