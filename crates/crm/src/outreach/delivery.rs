//! Delivers the messages of the outbox. A delivery stands between two transactions: `take_due` checks every rule again and
//! writes `sending` with a lease, and `record_outcomes` writes what became of the message, for its enrollment too. A message
//! that is still `sending` after its lease is `unknown` and never delivered again.

mod outcome;
mod take;

pub use outcome::record_outcomes;
pub use take::take_due;

use crate::api::effects::Trouble;
use crate::outreach::enrollment::StepOutcome;
use crate::outreach::outbox::{SEND, SENDING, Send, UNKNOWN, drop_copies};
use outcome::{fail, found_sent, unknown};
use resource::{Ctx, Error};
use store::{Tx, Uuid, Value};

/// The node that sends a message, and for how long it may.
#[derive(Clone, Debug)]
pub struct Lease {
    pub node: String,
    /// In milliseconds.
    pub time: i64,
    /// When the node started. What arrived before may not have been read.
    pub since: i64,
}

/// The outcome of a delivery.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Sent,
    /// Sent, and the invitation is accepted already.
    Accepted,
    /// Not sent: the lease left no time to try.
    NotBegun,
    /// Not sent: the server can't be reached.
    Unreached(Trouble),
    /// Not sent: the server says to retry later.
    Temporary(String),
    /// Not sent: the recipient does not exist.
    Recipient(String),
    /// Not sent: the account is at fault.
    Sender(Trouble),
    /// Not sent: the server asks the account to send later or less.
    Throttled(Trouble),
    /// Not sent: the server refuses this message.
    Refused(String),
    /// Not sent: no valid mail can be made of the message.
    Message(String),
    /// Nobody knows whether it was sent.
    Unknown(String),
}

/// Marks a message as `unknown` whose node is gone or whose lease has ended.
pub fn expire(ctx: &Ctx, tx: &mut dyn Tx, message_id: Uuid, node_is_gone: bool) -> Result<(), Error> {
    let Some(send) = Send::of(ctx, tx, message_id)?.filter(|send| send.state == SENDING) else { return Ok(()) };
    if send.lease_until > tx.stamp() && !node_is_gone {
        return Ok(());
    }
    unknown(ctx, tx, &send.handover, "the server stopped while the message was handed over; look whether it arrived")
}

/// Records that a message with an unknown outcome was found in the Sent folder.
pub fn found(ctx: &Ctx, tx: &mut dyn Tx, message_id: Uuid) -> Result<(), Error> {
    match Send::of(ctx, tx, message_id)?.filter(|send| send.state == UNKNOWN) {
        Some(send) => found_sent(ctx, tx, &send.handover),
        None => Ok(()),
    }
}

/// Fails queued messages of an account that was removed, at most `most`; true if there are more. Copies for its Sent folder
/// are deleted.
pub fn abandon_some(ctx: &Ctx, tx: &mut dyn Tx, payload: &str, most: i64) -> Result<bool, Error> {
    let account_id = Uuid::try_parse(payload).map_err(|_| store::Error::unreadable("is not an id"))?;
    if drop_copies(ctx, tx, account_id, i64::MAX, most)? {
        return Ok(true);
    }
    let waiting = format!("{SEND} AND s.account_id = $2 AND s.state = 'queued' LIMIT $3");
    let params = [ctx.workspace.into(), account_id.into(), Value::from(most)];
    let waiting = tx.rows(&waiting, &params, |row| Ok(Send::decode(ctx, row).map_err(|error| (row.id(0), error))))?;
    let (found, why) = (waiting.len() as i64, "the account was removed");
    let (mut done, mut damaged) = (0, None);
    for send in waiting {
        match send {
            Ok(send) => fail(ctx, tx, &send.handover, why, StepOutcome::Failed(why.into()))?,
            Err((id, error)) => {
                damaged = Some(error.in_row("sends", id?));
                continue;
            }
        }
        done += 1;
        if !tx.has_time() {
            return Ok(true);
        }
    }
    match damaged {
        // Only damaged rows are left.
        Some(error) if done == 0 => Err(error.into()),
        Some(_) => Ok(true),
        None => Ok(found == most),
    }
}
