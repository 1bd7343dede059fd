//! Whether an account works.

use super::sync::sync_at_once;
use super::{AccountStatus, ConnectedAccount, DAY};
use crate::api::effects::Trouble;
use resource::{Changes, Ctx, Error, Saved, find, update};
use store::{Tx, Uuid};

/// Records that the account works, after a user or an operator tested it, or why it does not.
pub fn note_health(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, trouble: Option<&Trouble>) -> Result<(), Error> {
    match trouble {
        Some(trouble) => note_refusal(ctx, tx, id, trouble, 0).map(drop),
        None => {
            forget_bounces(ctx, tx, id)?;
            note_login(ctx, tx, id)?;
            file_at_once(ctx, tx, id)?;
            note_sent(ctx, tx, id)
        }
    }
}

/// If the account was stopped because of bounces, somebody has dealt with them: only later ones count.
fn forget_bounces(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    const FORGET: &str = "UPDATE account_states SET bounces_since = $1 \
         WHERE workspace_id = $2 AND account_id = $3 AND free_at > $4";
    let now = tx.now();
    Ok(tx.execute(FORGET, &[now.into(), ctx.workspace.into(), id.into(), (now + DAY).into()])?)
}

/// Records that the account can sign in. Whether it may send shows only when a message is sent: until then the waits
/// between attempts go on growing.
pub fn note_login(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    const FREE: &str = "UPDATE account_states SET free_at = 0 WHERE workspace_id = $1 AND account_id = $2";
    let account = find::<ConnectedAccount>(ctx, tx, id)?;
    if account.record.removed_at.is_some() {
        return Ok(());
    }
    set_status(ctx, tx, &account, None)?;
    tx.execute(FREE, &[ctx.workspace.into(), id.into()])?;
    sync_at_once(ctx, tx, id)
}

/// Tries again now to put copies into the Sent folder, after the account was repaired or tested.
fn file_at_once(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    const NOW: &str =
        "UPDATE account_states SET filing_at = 0 WHERE workspace_id = $1 AND account_id = $2 AND filing_failures > 0";
    Ok(tx.execute(NOW, &[ctx.workspace.into(), id.into()])?)
}

/// Records why sent mails can't be put into the Sent folder, or that they can. The status stays as it is: sending goes on.
pub fn note_filing(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, problem: Option<&str>) -> Result<(), Error> {
    let account = find::<ConnectedAccount>(ctx, tx, id)?;
    if account.record.removed_at.is_some() || account.record.filing_problem.as_deref() == problem {
        return Ok(());
    }
    let mut changes = Changes::default();
    changes.set(ConnectedAccount::FILING_PROBLEM, problem.map(str::to_owned));
    update(ctx, tx, &account, &changes).map(drop)
}

/// Records that a message was sent: the account is not refused any more.
pub fn note_sent(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    const WELL: &str =
        "UPDATE account_states SET failures = 0 WHERE workspace_id = $1 AND account_id = $2 AND failures > 0";
    Ok(tx.execute(WELL, &[ctx.workspace.into(), id.into()])?)
}

/// Records that the account does not work or may not send now. Gives when it is tried again: after 5 s, 30 s, 2 min, 5 min,
/// 15 min, then every hour. After more than `tolerated` failures in a row it is in `error`.
pub fn note_refusal(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, trouble: &Trouble, tolerated: i64) -> Result<i64, Error> {
    // Messages that were in flight together count as one failure.
    const ILL: &str = "UPDATE account_states SET failures = failures + 1, free_at = $1 + 1000 * (CASE WHEN failures < 1 THEN 5 \
         WHEN failures < 2 THEN 30 WHEN failures < 3 THEN 120 WHEN failures < 4 THEN 300 WHEN failures < 5 THEN 900 \
         ELSE 3600 END) WHERE workspace_id = $2 AND account_id = $3 AND free_at <= $1";
    let account = find::<ConnectedAccount>(ctx, tx, id)?;
    if account.record.removed_at.is_some() {
        return Ok(0);
    }
    let now = tx.now();
    tx.execute(ILL, &[now.into(), ctx.workspace.into(), id.into()])?;
    let Pause { free_at, failures, .. } = pause(ctx, tx, id)?;
    if failures > tolerated {
        set_status(ctx, tx, &account, Some(trouble))?;
    }
    Ok(free_at)
}

/// Whether the account may send.
pub struct Pause {
    /// Nothing is sent before this millisecond.
    pub free_at: i64,
    /// How often in a row it was refused. After a refusal, one message at a time shows whether the account may send again.
    pub failures: i64,
    /// Whether mail is known to wait, or could not be read.
    pub has_unread: bool,
}

pub fn pause(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Pause, Error> {
    const PAUSE: &str = "SELECT free_at, failures, sync_failures, waiting_since FROM account_states \
         WHERE workspace_id = $1 AND account_id = $2";
    let pause = tx.one(PAUSE, &[ctx.workspace.into(), id.into()], |row| {
        Ok(Pause { free_at: row.int(0)?, failures: row.int(1)?, has_unread: row.int(2)? > 0 || row.int(3)? > 0 })
    })?;
    Ok(pause.unwrap_or(Pause { free_at: 0, failures: 0, has_unread: false }))
}

/// A mailbox or provider that was read this recently, in milliseconds, is being read: a node records each read, and reads
/// every 10 or 15 seconds.
const READ_WITHIN: i64 = 30_000;

/// Whether what arrived at the account has been read. `since` is when this node started: a reply may have arrived before.
pub fn is_read(account: &ConnectedAccount, now: i64, since: i64) -> bool {
    !account.receives || account.last_sync_at.is_some_and(|read| read.0 > since && read.0 + READ_WITHIN > now)
}

/// Writes the status. Only a change of it makes an event.
fn set_status(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account: &Saved<ConnectedAccount>,
    trouble: Option<&Trouble>,
) -> Result<(), Error> {
    const DETAIL: &str = "UPDATE account_states SET status_detail = $1 WHERE workspace_id = $2 AND account_id = $3";
    let mut changes = Changes::default();
    let status = if trouble.is_some() { AccountStatus::Error } else { AccountStatus::Connected };
    changes.set(ConnectedAccount::STATUS, status);
    changes.set(ConnectedAccount::STATUS_REASON, trouble.map(|trouble| trouble.reason.clone()));
    update(ctx, tx, account, &changes)?;
    let detail = trouble.and_then(|trouble| trouble.detail.as_deref());
    Ok(tx.execute(DETAIL, &[detail.into(), ctx.workspace.into(), account.id.into()])?)
}

/// The server's own words why the account does not work, for admins and operators.
pub fn status_detail(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Option<String>, Error> {
    const DETAIL: &str = "SELECT status_detail FROM account_states WHERE workspace_id = $1 AND account_id = $2";
    Ok(tx.one(DETAIL, &[ctx.workspace.into(), id.into()], |row| row.maybe_text(0))?.flatten())
}

/// Accounts of all workspaces that did not work and are checked again now. Accounts that can't receive are not among them:
/// receiving checks them itself.
pub fn to_check(tx: &mut dyn Tx) -> Result<Vec<(Uuid, Uuid)>, Error> {
    let to_check = format!(
        "SELECT a.workspace_id, a.account_id FROM account_states a JOIN connected_accounts c ON c.workspace_id = a.workspace_id AND c.id = a.account_id \
         WHERE c.status = 'error' AND a.free_at <= {} AND a.sync_failures = 0 LIMIT 20",
        tx.dialect().clock()
    );
    Ok(tx.rows(&to_check, &[], |row| Ok((row.id(0)?, row.id(1)?)))?)
}

/// Stops the account until an operator tests it, though its server can be reached.
pub fn hold(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, why: &str) -> Result<(), Error> {
    const HELD: &str = "UPDATE account_states SET free_at = $1 WHERE workspace_id = $2 AND account_id = $3";
    note_health(ctx, tx, id, Some(&why.into()))?;
    let never = tx.now() + 100 * 365 * DAY;
    Ok(tx.execute(HELD, &[never.into(), ctx.workspace.into(), id.into()])?)
}
