//! The rows of the outbox, and what nobody else sees to: what a node that is gone had in hand, what became of messages of
//! unknown outcome, and what waits for an account that was removed.

use super::{Handover, fail, unknown};
use crate::enrollment::{Run, Settled};
use crate::job;
use crate::message::MessageKind;
use resource::{Ctx, Error};
use store::{Row, Tx, Uuid, Value};

/// Fails what waits for an account that was removed; the payload is the account's id.
pub const ABANDON: &str = "outbox.abandon";

pub const QUEUED: &str = "queued";
pub const SENDING: &str = "sending";
pub const UNKNOWN: &str = "unknown";

/// A row of the outbox.
pub struct Send {
    pub state: String,
    pub lease_until: i64,
    pub handover: Handover,
}

pub const SEND: &str = "SELECT s.message_id, s.account_id, s.contact_id, s.conversation_id, s.kind, s.state, s.lease_until, s.attempts, \
     s.recipient, s.reference, s.letter, s.enrollment_id, s.step_id FROM sends s WHERE s.workspace_id = $1";

impl Send {
    pub fn of(ctx: &Ctx, tx: &mut dyn Tx, message_id: Uuid) -> Result<Option<Send>, Error> {
        let sql = format!("{SEND} AND s.message_id = $2");
        Ok(tx.one(&sql, &[ctx.workspace.into(), message_id.into()], |row| Send::decode(ctx, row))?)
    }

    pub fn decode(ctx: &Ctx, row: &dyn Row) -> Result<Send, store::Error> {
        let damaged = |what: &str| store::Error::Corrupt(format!("sends: {what}"));
        let kind = row.text(4)?;
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
                kind: MessageKind::from_word(&kind).ok_or_else(|| damaged(&kind))?,
                attempts: row.int(7)?,
                recipient: row.text(8)?,
                reference: row.text(9)?,
                letter: serde_json::from_str(&row.text(10)?).map_err(|error| damaged(&error.to_string()))?,
                run,
            },
        })
    }
}

/// What was in the hands of somebody who is gone: nobody knows what became of it.
pub fn expire(ctx: &Ctx, tx: &mut dyn Tx, message_id: Uuid, node_is_gone: bool) -> Result<(), Error> {
    let Some(send) = Send::of(ctx, tx, message_id)?.filter(|send| send.state == SENDING) else { return Ok(()) };
    if send.lease_until > tx.stamp() && !node_is_gone {
        return Ok(());
    }
    unknown(ctx, tx, &send.handover, "the server stopped while the message was handed over; look whether it arrived")
}

/// Messages that were being handed over when their lease ran out.
pub fn expired(tx: &mut dyn Tx) -> Result<Vec<(Uuid, Uuid)>, Error> {
    let expired = format!(
        "SELECT workspace_id, message_id FROM sends WHERE state = 'sending' AND lease_until <= {} LIMIT 500",
        tx.dialect().clock()
    );
    Ok(tx.rows(&expired, &[], |row| Ok((row.id(0)?, row.id(1)?)))?)
}

/// Messages that nodes other than this one are handing over: where there can be no other, those of an earlier life.
pub fn left_behind(tx: &mut dyn Tx, node: &str) -> Result<Vec<(Uuid, Uuid)>, Error> {
    const LEFT: &str = "SELECT workspace_id, message_id FROM sends WHERE state = 'sending' AND node <> $1 LIMIT 500";
    Ok(tx.rows(LEFT, &[node.into()], |row| Ok((row.id(0)?, row.id(1)?)))?)
}

/// Accounts that have messages due and may send, over all workspaces.
pub fn due(tx: &mut dyn Tx) -> Result<Vec<(Uuid, Uuid)>, Error> {
    let clock = tx.dialect().clock();
    let due = format!(
        "SELECT a.workspace_id, a.account_id FROM account_states a \
         JOIN connected_accounts c ON c.workspace_id = a.workspace_id AND c.id = a.account_id AND c.status = 'connected' \
         WHERE a.free_at <= {clock} AND EXISTS (SELECT 1 FROM sends s \
         WHERE s.workspace_id = a.workspace_id AND s.account_id = a.account_id AND s.state = 'queued' AND s.due_at <= {clock})"
    );
    Ok(tx.rows(&due, &[], |row| Ok((row.id(0)?, row.id(1)?)))?)
}

/// A message of unknown outcome that may be looked for where sent mail is kept: its account, and its Message-ID.
pub struct Sought {
    pub workspace: Uuid,
    pub message_id: Uuid,
    pub account_id: Uuid,
    pub reference: String,
}

/// Those that nobody has looked for yet, each once; they are looked for again after an hour.
pub fn sought(tx: &mut dyn Tx) -> Result<Vec<Sought>, Error> {
    let clock = tx.dialect().clock();
    let sought = format!(
        "SELECT workspace_id, message_id, account_id, reference FROM sends WHERE state = 'unknown' AND lease_until <= {clock} LIMIT 50"
    );
    let found = tx.rows(&sought, &[], |row| {
        Ok(Sought { workspace: row.id(0)?, message_id: row.id(1)?, account_id: row.id(2)?, reference: row.text(3)? })
    })?;
    let hold = format!("UPDATE sends SET lease_until = {clock} + 3600000 WHERE workspace_id = $1 AND message_id = $2");
    for sought in &found {
        tx.execute(&hold, &[sought.workspace.into(), sought.message_id.into()])?;
    }
    Ok(found)
}

/// Fails what waits for an account, by and by.
pub fn abandon(ctx: &Ctx, tx: &mut dyn Tx, account_id: Uuid) -> Result<(), Error> {
    job::enqueue(ctx, tx, ABANDON, &account_id.to_string()).map(drop)
}

pub fn abandon_some(ctx: &Ctx, tx: &mut dyn Tx, payload: &str, most: i64) -> Result<bool, Error> {
    let Ok(account_id) = Uuid::try_parse(payload) else { return Ok(false) };
    let waiting = format!("{SEND} AND s.account_id = $2 AND s.state = 'queued' LIMIT $3");
    let params = [ctx.workspace.into(), account_id.into(), Value::from(most)];
    let waiting = tx.rows(&waiting, &params, |row| Send::decode(ctx, row))?;
    let why = "the account was removed";
    for send in &waiting {
        fail(ctx, tx, &send.handover, why, Settled::Failed(why.into()))?;
        if !tx.has_time() {
            return Ok(true);
        }
    }
    Ok(waiting.len() as i64 == most)
}
