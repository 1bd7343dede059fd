//! A row of the outbox: a message whose outcome is not known yet.

use super::{Handover, Run};
use crate::outreach::message::MessageKind;
use resource::{Ctx, Error, StoredRow, among, by_keys};
use store::{Row, Tx, Uuid};

pub(super) const QUEUED: &str = "queued";
pub(in crate::outreach) const SENDING: &str = "sending";
pub(in crate::outreach) const UNKNOWN: &str = "unknown";
/// It was sent, and its copy is to be put into the Sent folder.
pub(super) const FILING: &str = "filing";

pub(in crate::outreach) struct Send {
    pub state: String,
    pub lease_until: i64,
    pub handover: Handover,
}

pub(in crate::outreach) const SEND: &str = "SELECT s.message_id, s.account_id, s.contact_id, s.conversation_id, s.kind, s.state, s.lease_until, s.attempts, \
     s.recipient, s.reference, s.letter, s.enrollment_id, s.step_id FROM sends s WHERE s.workspace_id = $1";

impl Send {
    pub(in crate::outreach) fn of(ctx: &Ctx, tx: &mut dyn Tx, message_id: Uuid) -> Result<Option<Send>, Error> {
        let sql = format!("{SEND} AND s.message_id = $2");
        Ok(tx.one(&sql, &[ctx.workspace.into(), message_id.into()], |row| Send::decode(ctx, row))?)
    }

    pub(in crate::outreach) fn decode(ctx: &Ctx, row: &dyn Row) -> Result<Send, store::Error> {
        let enrollment_id = row.get(11)?.maybe(|id| id.id())?;
        let step_id = row.get(12)?.maybe(|id| id.id())?;
        let run = enrollment_id.zip(step_id).map(|(enrollment_id, step_id)| Run { enrollment_id, step_id });
        Ok(Send {
            state: row.text(5)?,
            lease_until: row.int(6)?,
            handover: Handover {
                workspace: ctx.workspace,
                message_id: row.id(0)?,
                account_id: row.id(1)?,
                contact_id: row.id(2)?,
                conversation_id: row.id(3)?,
                kind: row.word(4, MessageKind::from_word)?,
                attempts: row.int(7)?,
                recipient: row.text(8)?,
                reference: row.text(9)?,
                content: row.json(10)?,
                run,
            },
        })
    }
}

/// Deletes rows: nothing is left to do for their messages.
pub(in crate::outreach) fn delete_rows(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    ids: impl Iterator<Item = Uuid>,
) -> Result<(), Error> {
    let out = format!("DELETE FROM sends WHERE workspace_id = $1 AND message_id IN {}", among(2));
    Ok(by_keys(ctx, ids).into_iter().try_for_each(|params| tx.execute(&out, &params))?)
}
