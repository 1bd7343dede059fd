//! Messages that wait for their time: moved and cancelled, as long as no node is sending them.

use super::content::send_at_checked;
use crate::api::call::{Call, Reply, show};
use crate::outreach::message::{self, Message, MessageStatus};
use crate::outreach::outbox;
use resource::{Changes, Error, Saved, invalid, update};
use store::{Tx, Value};

/// Sends a queued message at another time; at once if the time is null.
pub(super) fn change(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let mut changes = call.changes::<Message>(&[], false)?;
    let message = queued(call, tx)?;
    let send_at = match changes.take(Message::SEND_AT) {
        Some(Value::Int(at)) => Some(at),
        Some(_) => None,
        None => return show::<Message>(&call.ctx, tx, message.id),
    };
    // A body that repeats the time changes nothing.
    if send_at == message.record.send_at.map(|at| at.0) {
        return show::<Message>(&call.ctx, tx, message.id);
    }
    let send_at = send_at_checked(tx, send_at)?;
    if !outbox::move_to(&call.ctx, tx, message.id, send_at)? {
        return Err(in_flight());
    }
    let mut changes = Changes::default();
    changes.set(Message::SEND_AT, send_at);
    update(&call.ctx, tx, &message, &changes)?;
    show::<Message>(&call.ctx, tx, message.id)
}

/// Cancels a queued message: it is `failed`, and was never sent.
pub(super) fn cancel(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let message = queued(call, tx)?;
    if !outbox::cancel(&call.ctx, tx, message.id, "cancelled")? {
        return Err(in_flight());
    }
    show::<Message>(&call.ctx, tx, message.id)
}

/// The message in the path, if it is queued and no step of a sequence.
fn queued(call: &Call, tx: &mut dyn Tx) -> Result<Saved<Message>, Error> {
    let message = message::seen(call, tx)?;
    if message.record.status != MessageStatus::Queued {
        let status = message.record.status.word();
        return Err(invalid("status", format!("is {status}; only a queued message can be moved or cancelled")));
    }
    if message.record.enrollment_id.is_some() {
        let reason = "a sequence sends this message; pause the enrollment or unenroll the contact instead";
        return Err(invalid("enrollment_id", reason));
    }
    Ok(message)
}

fn in_flight() -> Error {
    invalid("status", "the message is being sent at this moment; it is too late to move or cancel it")
}
