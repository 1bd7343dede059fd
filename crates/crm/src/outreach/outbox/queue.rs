//! Finds work for the outbox worker: due accounts, expired leases, messages with an unknown outcome.

use crate::api::queue::DAMAGED_WAIT;
use resource::{Ctx, Error};
use store::{Tx, Uuid};

/// Extends the lease of a message by an hour, since its outcome can't be recorded: the message, or its enrollment, is damaged.
pub fn hold_damaged(ctx: &Ctx, tx: &mut dyn Tx, message_id: Uuid) -> Result<(), Error> {
    const HOLD: &str = "UPDATE sends SET lease_until = $1 WHERE workspace_id = $2 AND message_id = $3";
    let later = tx.stamp() + DAMAGED_WAIT;
    Ok(tx.execute(HOLD, &[later.into(), ctx.workspace.into(), message_id.into()])?)
}

/// Postpones a damaged message by an hour, so that an operator can repair it: the one that is due first. If the account is
/// damaged, all its messages wait.
pub fn postpone_damaged(ctx: &Ctx, tx: &mut dyn Tx, account_id: Uuid, all: bool) -> Result<(), Error> {
    const ACCOUNT: &str = "UPDATE account_states SET free_at = $1 WHERE workspace_id = $2 AND account_id = $3";
    const FIRST: &str = "SELECT message_id FROM sends WHERE workspace_id = $1 AND account_id = $2 AND state = 'queued' \
         AND due_at <= $3 ORDER BY due_at, message_id LIMIT 1";
    const MESSAGE: &str = "UPDATE sends SET due_at = $1 WHERE workspace_id = $2 AND message_id = $3";
    let (now, later) = (tx.stamp(), tx.stamp() + DAMAGED_WAIT);
    if all {
        return Ok(tx.execute(ACCOUNT, &[later.into(), ctx.workspace.into(), account_id.into()])?);
    }
    match tx.one(FIRST, &[ctx.workspace.into(), account_id.into(), now.into()], |row| row.id(0))? {
        Some(message) => Ok(tx.execute(MESSAGE, &[later.into(), ctx.workspace.into(), message.into()])?),
        None => Ok(()),
    }
}

/// Messages in flight whose lease has ended.
pub fn expired(tx: &mut dyn Tx) -> Result<Vec<(Uuid, Uuid)>, Error> {
    let expired = format!(
        "SELECT workspace_id, message_id FROM sends WHERE state = 'sending' AND lease_until <= {} LIMIT 500",
        tx.dialect().clock()
    );
    Ok(tx.rows(&expired, &[], |row| Ok((row.id(0)?, row.id(1)?)))?)
}

/// Messages that other nodes are delivering. If there is only one node, an earlier process left them behind.
pub fn left_behind(tx: &mut dyn Tx, node: &str) -> Result<Vec<(Uuid, Uuid)>, Error> {
    const LEFT: &str = "SELECT workspace_id, message_id FROM sends WHERE state = 'sending' AND node <> $1 LIMIT 500";
    Ok(tx.rows(LEFT, &[node.into()], |row| Ok((row.id(0)?, row.id(1)?)))?)
}

/// The database's clock, in milliseconds.
pub fn clock(tx: &mut dyn Tx) -> Result<i64, Error> {
    let clock = format!("SELECT {}", tx.dialect().clock());
    Ok(tx.one(&clock, &[], |row| row.int(0))?.unwrap_or(i64::MAX))
}

/// Accounts of all workspaces that have due messages and can send.
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

/// A message with an unknown outcome, to search for in the Sent folder.
pub struct Sought {
    pub workspace: Uuid,
    pub message_id: Uuid,
    pub account_id: Uuid,
    pub reference: String,
}

/// Messages with an unknown outcome to search for. Each is returned once a minute for five minutes, since the mail server may
/// file it late, then once an hour.
pub fn sought(tx: &mut dyn Tx) -> Result<Vec<Sought>, Error> {
    let clock = tx.dialect().clock();
    let sought = format!(
        "SELECT workspace_id, message_id, account_id, reference FROM sends WHERE state = 'unknown' AND lease_until <= {clock} LIMIT 50"
    );
    let found = tx.rows(&sought, &[], |row| {
        Ok(Sought { workspace: row.id(0)?, message_id: row.id(1)?, account_id: row.id(2)?, reference: row.text(3)? })
    })?;
    let hold = format!(
        "UPDATE sends SET lease_until = {clock} + CASE WHEN due_at + 300000 > {clock} THEN 60000 ELSE 3600000 END \
         WHERE workspace_id = $1 AND message_id = $2"
    );
    for sought in &found {
        tx.execute(&hold, &[sought.workspace.into(), sought.message_id.into()])?;
    }
    Ok(found)
}
