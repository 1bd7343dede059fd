//! Whether an account works.

use super::sync::sync_at_once;
use super::{AccountStatus, ConnectedAccount, DAY};
use crate::api::effects::Trouble;
use resource::{Changes, Ctx, Error, find, update};
use store::{Tx, Uuid};

/// Records that the account works, or why it does not. Only a change of its status makes an event.
pub fn note_health(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, trouble: Option<&Trouble>) -> Result<(), Error> {
    const DETAIL: &str = "UPDATE account_states SET status_detail = $1 WHERE workspace_id = $2 AND account_id = $3";
    let account = find::<ConnectedAccount>(ctx, tx, id)?;
    if account.record.removed_at.is_some() {
        return Ok(());
    }
    let (now, mut changes) = (tx.now(), Changes::default());
    let status = if trouble.is_some() { AccountStatus::Error } else { AccountStatus::Connected };
    changes.set(ConnectedAccount::STATUS, status);
    changes.set(ConnectedAccount::STATUS_REASON, trouble.map(|trouble| trouble.reason.clone()));
    update(ctx, tx, &account, &changes)?;
    let detail = trouble.and_then(|trouble| trouble.detail.as_deref());
    tx.execute(DETAIL, &[detail.into(), ctx.workspace.into(), id.into()])?;
    match trouble {
        None => {
            const WELL: &str =
                "UPDATE account_states SET failures = 0, free_at = 0 WHERE workspace_id = $1 AND account_id = $2";
            tx.execute(WELL, &[ctx.workspace.into(), id.into()])?;
            sync_at_once(ctx, tx, id)?;
        }
        // Checked again after 5 s, 30 s, 2 min, 5 min, 15 min, then every hour.
        Some(_) => {
            const ILL: &str = "UPDATE account_states SET failures = failures + 1, free_at = $1 + 1000 * (CASE WHEN failures < 1 THEN 5 \
                 WHEN failures < 2 THEN 30 WHEN failures < 3 THEN 120 WHEN failures < 4 THEN 300 WHEN failures < 5 THEN 900 \
                 ELSE 3600 END) WHERE workspace_id = $2 AND account_id = $3 AND free_at <= $1";
            tx.execute(ILL, &[now.into(), ctx.workspace.into(), id.into()])?;
        }
    }
    Ok(())
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
