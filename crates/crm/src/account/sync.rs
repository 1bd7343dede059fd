//! Receiving for an account: which node does, how it failed, and when it is tried again.

use super::{AccountStatus, Channel, ConnectedAccount, DAY, Trouble};
use resource::{Changes, Ctx, Error, Resource, find, update};
use store::{Tx, Uuid, Value};

/// How long a node may receive for an account before it has to say so again.
pub(crate) const SYNC_LEASE: i64 = 40_000;

/// Accounts that nobody receives for, taken by this node.
pub fn claim(tx: &mut dyn Tx, node: &str) -> Result<Vec<(Uuid, Uuid, Channel)>, Error> {
    let clock = tx.dialect().clock();
    let free = format!(
        "SELECT a.workspace_id, a.account_id, c.provider FROM account_states a JOIN connected_accounts c ON c.workspace_id = a.workspace_id AND c.id = a.account_id \
         WHERE a.sync_at <= {clock} AND a.sync_until <= {clock} AND c.receives LIMIT 50"
    );
    let free = tx.rows(&free, &[], |row| Ok((row.id(0)?, row.id(1)?, row.text(2)?)))?;
    let mut claimed = Vec::new();
    for (workspace, id, provider) in free {
        let claim = format!(
            "UPDATE account_states SET sync_until = {clock} + $1, sync_node = $2 WHERE workspace_id = $3 AND account_id = $4 AND sync_until <= {clock} RETURNING account_id"
        );
        let won = tx.one(&claim, &[SYNC_LEASE.into(), node.into(), workspace.into(), id.into()], |_| Ok(()))?;
        if won.is_some()
            && let Some(channel) = Channel::from_word(&provider)
        {
            claimed.push((workspace, id, channel));
        }
    }
    Ok(claimed)
}

/// Whether this node still receives for the account; it does for the time of one more lease.
pub fn renew(tx: &mut dyn Tx, workspace: Uuid, id: Uuid, node: &str) -> Result<bool, Error> {
    let renew = format!(
        "UPDATE account_states SET sync_until = {} + $1 WHERE workspace_id = $2 AND account_id = $3 AND sync_node = $4 RETURNING account_id",
        tx.dialect().clock()
    );
    Ok(tx.one(&renew, &[SYNC_LEASE.into(), workspace.into(), id.into(), node.into()], |_| Ok(()))?.is_some())
}

/// Renews the lease and records which mails this node reads next, and how often they were begun. Gives since when mails
/// of the folder wait, and the time now; `None` if another node has the account.
pub fn begin_reading(
    tx: &mut dyn Tx,
    workspace: Uuid,
    id: Uuid,
    node: &str,
    uids: (i64, i64),
    attempt: i64,
) -> Result<Option<(i64, i64)>, Error> {
    let clock = tx.dialect().clock();
    let begin = format!(
        "UPDATE account_states SET sync_until = {clock} + $1, reading_from = $2, reading_to = $3, reading_attempt = $4, reading_node = $5, \
         waiting_since = CASE WHEN waiting_since = 0 THEN {clock} ELSE waiting_since END \
         WHERE workspace_id = $6 AND account_id = $7 AND sync_node = $5 RETURNING waiting_since, {clock}"
    );
    let params: [Value; 7] =
        [SYNC_LEASE.into(), uids.0.into(), uids.1.into(), attempt.into(), node.into(), workspace.into(), id.into()];
    Ok(tx.one(&begin, &params, |row| Ok((row.int(0)?, row.int(1)?)))?)
}

/// Lets go of it; whoever takes it next does so after so many milliseconds. The mails that were being read killed nobody;
/// those that could not be fetched stay marked.
pub fn let_go(tx: &mut dyn Tx, workspace: Uuid, id: Uuid, node: &str, wait: i64) -> Result<(), Error> {
    let let_go = format!(
        "UPDATE account_states SET sync_until = 0, reading_attempt = CASE WHEN reading_node = $1 THEN 0 ELSE reading_attempt END, \
         sync_at = {} + $2 WHERE workspace_id = $3 AND account_id = $4 AND sync_node = $1",
        tx.dialect().clock()
    );
    Ok(tx.execute(&let_go, &[node.into(), wait.into(), workspace.into(), id.into()])?)
}

/// Takes the place of the node that was reading, in the mark of mails that the mail server could not deliver.
pub const UNDELIVERED: &str = "undelivered";

/// Marks the mails that this node was fetching as not delivered, so that they are fetched one by one.
pub fn note_undelivered(tx: &mut dyn Tx, workspace: Uuid, id: Uuid, node: &str) -> Result<(), Error> {
    const MARK: &str = "UPDATE account_states SET reading_node = $1 \
         WHERE workspace_id = $2 AND account_id = $3 AND reading_node = $4 AND reading_attempt > 0";
    Ok(tx.execute(MARK, &[UNDELIVERED.into(), workspace.into(), id.into(), node.into()])?)
}

/// The account was mended or tested: its mailbox is read now, however long the next attempt would have waited.
pub(super) fn sync_at_once(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    const NOW: &str =
        "UPDATE account_states SET sync_failures = 0, sync_at = 0 WHERE workspace_id = $1 AND account_id = $2";
    Ok(tx.execute(NOW, &[ctx.workspace.into(), id.into()])?)
}

/// The first wait after a failed attempt to read a mailbox, and the longest; each is twice the one before.
const FIRST_WAIT: i64 = 5_000;
pub(crate) const LONGEST_WAIT: i64 = 600_000;

fn sync_wait(failures: i64) -> i64 {
    let doublings = (failures - 1).clamp(0, 7) as u32;
    (FIRST_WAIT << doublings).min(LONGEST_WAIT)
}

/// A failed attempt to receive for an account.
#[derive(Clone, Debug, PartialEq)]
pub struct SyncFailure {
    /// How long to wait before the next attempt, in milliseconds.
    pub wait: i64,
    /// Whether this attempt put the account into `error`.
    pub status_changed: bool,
}

/// Counts a failed attempt to receive for an account. Whoever can't see replies must not send: the account is in `error`
/// from so many failures in a row on, until an attempt works.
pub fn sync_failed(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    id: Uuid,
    trouble: &Trouble,
    tolerated: i64,
) -> Result<SyncFailure, Error> {
    const COUNT: &str = "UPDATE account_states SET sync_failures = sync_failures + 1 WHERE workspace_id = $1 AND account_id = $2 \
         RETURNING sync_failures, free_at";
    const DETAIL: &str =
        "UPDATE account_states SET status_detail = $1, free_at = $2 WHERE workspace_id = $3 AND account_id = $4";
    let (account, now) = (find::<ConnectedAccount>(ctx, tx, id)?, tx.stamp());
    let key = [ctx.workspace.into(), id.into()];
    let Some((failures, free_at)) = tx.one(COUNT, &key, |row| Ok((row.int(0)?, row.int(1)?)))? else {
        return Ok(SyncFailure { wait: 0, status_changed: false });
    };
    let wait = sync_wait(failures);
    // Nothing but a test releases an account that is held.
    let held = free_at > now + DAY;
    if failures <= tolerated || held {
        return Ok(SyncFailure { wait, status_changed: false });
    }
    let (mut changes, fields) = (Changes::default(), ConnectedAccount::FIELDS);
    changes.set(fields, "status", AccountStatus::Error.word());
    changes.set(fields, "status_reason", trouble.reason.as_str());
    update(ctx, tx, &account, &changes)?;
    let params = [trouble.detail.as_deref().into(), (now + wait).into(), ctx.workspace.into(), id.into()];
    tx.execute(DETAIL, &params)?;
    Ok(SyncFailure { wait, status_changed: account.record.status != AccountStatus::Error })
}

/// An attempt to receive worked. Gives whether those before it had failed; the account is then checked as a whole, and
/// `connected` again if it sends, too.
pub fn sync_worked(tx: &mut dyn Tx, workspace: Uuid, id: Uuid) -> Result<bool, Error> {
    let clock = tx.dialect().clock();
    let worked = format!(
        "UPDATE account_states SET sync_failures = 0, free_at = CASE WHEN free_at > {clock} + {DAY} THEN free_at ELSE 0 END \
         WHERE workspace_id = $1 AND account_id = $2 AND sync_failures > 0 RETURNING account_id"
    );
    Ok(tx.one(&worked, &[workspace.into(), id.into()], |_| Ok(()))?.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_to_receive_wait_twice_as_long_each_time() {
        let waits: Vec<i64> = (1..=9).map(|failures| sync_wait(failures) / 1000).collect();
        assert_eq!(waits, [5, 10, 20, 40, 80, 160, 320, 600, 600]);
        assert_eq!(sync_wait(i64::MAX), LONGEST_WAIT);
    }
}
