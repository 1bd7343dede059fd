//! Finds the sent message that a mail is about.

use super::Kind;
use crate::outreach::outbox::Run;
use resource::{Ctx, Error, fold};
use store::{Tx, Uuid};

pub(super) type Sent = (Uuid, Option<Run>);

const SENT: &str = "SELECT id, enrollment_id, step_id FROM messages WHERE workspace_id = $1";

/// The sent message with this Message-ID, and its step.
pub(super) fn sent(ctx: &Ctx, tx: &mut dyn Tx, reference: &str) -> Result<Option<Sent>, Error> {
    let sql = format!("{SENT} AND reference = $2 AND direction = 'outbound' LIMIT 1");
    Ok(tx.one(&sql, &[ctx.workspace.into(), reference.into()], decode_sent)?)
}

/// The message that a bounce or a complaint is about.
pub(super) struct Reported {
    pub sent: Sent,
    pub conversation_id: Uuid,
    /// The address that the message was sent to. The report can concern no other one.
    pub address: String,
}

/// The message that a report is about, if the report can be trusted: it has the random Message-ID of a mail that was handed to
/// a mail server, and names the address that this mail was sent to, or no address.
pub(super) fn reported(ctx: &Ctx, tx: &mut dyn Tx, kind: &Kind) -> Result<Option<Reported>, Error> {
    const REPORTED: &str = "SELECT id, enrollment_id, step_id, conversation_id, address FROM messages WHERE workspace_id = $1 \
         AND reference = $2 AND direction = 'outbound' AND channel = 'email' AND handed_at IS NOT NULL AND address IS NOT NULL LIMIT 1";
    let (Kind::Bounce { recipients, original, .. } | Kind::Complaint { recipients, original }) = kind else {
        return Ok(None);
    };
    let Some(original) = original else { return Ok(None) };
    let found = tx.one(REPORTED, &[ctx.workspace.into(), original.as_str().into()], |row| {
        Ok(Reported { sent: decode_sent(row)?, conversation_id: row.id(3)?, address: row.text(4)? })
    })?;
    let concerns = |address: &str| recipients.is_empty() || recipients.iter().any(|one| fold(one) == fold(address));
    Ok(found.filter(|reported| concerns(&reported.address)))
}

/// The last sent message of a conversation.
pub(super) fn last_sent(ctx: &Ctx, tx: &mut dyn Tx, conversation: Uuid) -> Result<Option<Sent>, Error> {
    let sql = format!("{SENT} AND conversation_id = $2 AND direction = 'outbound' ORDER BY id DESC LIMIT 1");
    Ok(tx.one(&sql, &[ctx.workspace.into(), conversation.into()], decode_sent)?)
}

fn decode_sent(row: &dyn store::Row) -> Result<Sent, store::Error> {
    let enrollment_id = row.get(1)?.maybe(|id| id.id())?;
    let step_id = row.get(2)?.maybe(|id| id.id())?;
    Ok((row.id(0)?, enrollment_id.zip(step_id).map(|(enrollment_id, step_id)| Run { enrollment_id, step_id })))
}
