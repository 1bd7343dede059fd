//! Receiving for an account: which node does it, failed attempts, and retries.

use super::{AccountStatus, Channel, ConnectedAccount, DAY};
use crate::api::effects::Trouble;
use crate::api::queue::DAMAGED_WAIT;
use resource::{Changes, Ctx, Error, Resource, find, place, update};
use store::{Tx, Uuid, Value};

/// How long a node receives for an account before it has to renew its lease.
pub(crate) const SYNC_LEASE: i64 = 40_000;

/// The workspace, the id and the channel of each account.
type Accounts = Vec<(Uuid, Uuid, Channel)>;

/// Claims accounts that no node receives for. Also gives the errors of accounts that can't be read; they are retried in an
/// hour.
pub fn claim(tx: &mut dyn Tx, node: &str) -> Result<(Accounts, Vec<Error>), Error> {
    let clock = tx.dialect().clock();
    let free = format!(
        "SELECT a.workspace_id, a.account_id, c.provider FROM account_states a JOIN connected_accounts c ON c.workspace_id = a.workspace_id AND c.id = a.account_id \
         WHERE a.sync_at <= {clock} AND a.sync_until <= {clock} AND c.receives LIMIT 50"
    );
    let free = tx.rows(&free, &[], |row| Ok((row.id(0)?, row.id(1)?, row.text(2)?)))?;
    let (mut claimed, mut damaged) = (Vec::new(), Vec::new());
    for (workspace, id, provider) in free {
        let claim = format!(
            "UPDATE account_states SET sync_until = {clock} + $1, sync_node = $2 WHERE workspace_id = $3 AND account_id = $4 AND sync_until <= {clock} RETURNING account_id"
        );
        let won = tx.one(&claim, &[SYNC_LEASE.into(), node.into(), workspace.into(), id.into()], |_| Ok(()))?;
        if won.is_none() {
            continue;
        }
        match place(ConnectedAccount::ABOUT.table, "provider", &id).word(&provider, Channel::from_word) {
            Ok(channel) => claimed.push((workspace, id, channel)),
            Err(error) => {
                let_go(tx, workspace, id, node, DAMAGED_WAIT)?;
                damaged.push(error);
            }
        }
    }
    Ok((claimed, damaged))
}

/// Renews the lease of this node; false if another node receives for the account.
pub fn renew(tx: &mut dyn Tx, workspace: Uuid, id: Uuid, node: &str) -> Result<bool, Error> {
    let renew = format!(
        "UPDATE account_states SET sync_until = {} + $1 WHERE workspace_id = $2 AND account_id = $3 AND sync_node = $4 RETURNING account_id",
        tx.dialect().clock()
    );
    Ok(tx.one(&renew, &[SYNC_LEASE.into(), workspace.into(), id.into(), node.into()], |_| Ok(()))?.is_some())
}

/// Renews the lease and records which mails this node reads next, and how often that was tried. Gives since when mails of the
/// folder wait, and the present time; `None` if another node has the account.
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

/// Releases the account; the next node can claim it after `wait` milliseconds. The mails that this node was reading did not
/// crash it, so that their mark is removed; mails that could not be fetched stay marked.
pub fn let_go(tx: &mut dyn Tx, workspace: Uuid, id: Uuid, node: &str, wait: i64) -> Result<(), Error> {
    let let_go = format!(
        "UPDATE account_states SET sync_until = 0, reading_attempt = CASE WHEN reading_node = $1 THEN 0 ELSE reading_attempt END, \
         sync_at = {} + $2 WHERE workspace_id = $3 AND account_id = $4 AND sync_node = $1",
        tx.dialect().clock()
    );
    Ok(tx.execute(&let_go, &[node.into(), wait.into(), workspace.into(), id.into()])?)
}

/// Stands for the node in the mark of mails that the mail server could not deliver.
pub const UNDELIVERED: &str = "undelivered";

/// The same for mails that the mail server refused to deliver; it may recover.
pub const REFUSED: &str = "refused";

/// Marks the mails that this node was fetching as undelivered or refused, so that they are fetched one by one.
pub fn note_undelivered(
    tx: &mut dyn Tx,
    workspace: Uuid,
    id: Uuid,
    node: &str,
    mark: &'static str,
) -> Result<(), Error> {
    const MARK: &str = "UPDATE account_states SET reading_node = $1 \
         WHERE workspace_id = $2 AND account_id = $3 AND reading_node = $4 AND reading_attempt > 0";
    Ok(tx.execute(MARK, &[mark.into(), workspace.into(), id.into(), node.into()])?)
}

/// Reads the mailbox now, after the account was repaired or tested. If reading failed before, replies may wait, so that no
/// follow-up is sent until it has been read.
pub(super) fn sync_at_once(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    let now = format!(
        "UPDATE account_states SET sync_at = 0, sync_failures = 0, \
         waiting_since = CASE WHEN sync_failures > 0 AND waiting_since = 0 THEN {} ELSE waiting_since END \
         WHERE workspace_id = $1 AND account_id = $2",
        tx.dialect().clock()
    );
    Ok(tx.execute(&now, &[ctx.workspace.into(), id.into()])?)
}

/// The backoff after failed attempts to read a mailbox: the first wait and the longest; each is twice the one before.
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

/// Counts a failed attempt to receive for an account. After more than `tolerated` failures in a row the account is in `error`,
/// since an account that can't see replies must not send.
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
    // Only a test releases an account that was stopped.
    let held = free_at > now + DAY;
    if failures <= tolerated || held {
        return Ok(SyncFailure { wait, status_changed: false });
    }
    let mut changes = Changes::default();
    changes.set(ConnectedAccount::STATUS, AccountStatus::Error);
    changes.set(ConnectedAccount::STATUS_REASON, trouble.reason.as_str());
    update(ctx, tx, &account, &changes)?;
    let params = [trouble.detail.as_deref().into(), (now + wait).into(), ctx.workspace.into(), id.into()];
    tx.execute(DETAIL, &params)?;
    Ok(SyncFailure { wait, status_changed: account.record.status != AccountStatus::Error })
}

/// Records that receiving works; true if it failed before. Then the whole account is checked, and is `connected` again if it
/// can send.
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
