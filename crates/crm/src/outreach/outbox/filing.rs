//! Copies of sent mails for the Sent folder. A mail that was sent stays in the outbox as `filing` until the folder has it. The
//! worker searches the folder for the Message-ID first, so that no mail is filed twice, neither by a server that files sent
//! mails itself nor after a crash.

use super::row::{FILING, SEND, Send, delete_rows};
use super::{Content, Handover};
use crate::api::queue::DAMAGED_WAIT;
use crate::outreach::account::{self, Channel, ConnectedAccount, FileSent};
use resource::{Ctx, Error, among, by_keys, find};
use std::collections::BTreeSet;
use store::{Tx, Uuid, Value};

/// Servers that file sent mails themselves may take this long, in milliseconds.
const GRACE: i64 = 30_000;
/// How long a node may work on the copies of an account, in milliseconds.
const LEASE: i64 = 300_000;
/// The most copies of an account in one session.
const TOGETHER: i64 = 20;
/// How often the server may refuse the copy of one mail.
const REFUSALS: i64 = 3;
/// A copy that could not be filed for this long is given up, in milliseconds.
const LONGEST: i64 = 3 * 24 * 60 * 60 * 1000;
/// Seconds before the next attempt, by the number of failures in a row.
const BACK_OFF: &[i64] = &[60, 300, 900, 3600, 10_800];

/// The longest wait of an account between two attempts, in milliseconds.
pub const LONGEST_FILING_WAIT: i64 = BACK_OFF[BACK_OFF.len() - 1] * 1000;

/// A copy for the Sent folder.
#[derive(Clone, Debug)]
pub struct SentCopy {
    pub message_id: Uuid,
    pub recipient: String,
    /// The Message-ID.
    pub reference: String,
    pub content: Content,
    /// When it was sent, in milliseconds.
    pub date: i64,
}

/// What became of the copies of an account.
#[derive(Clone, Debug, Default)]
pub struct Filed {
    /// They are in the folder.
    pub done: Vec<Uuid>,
    /// The server refused them.
    pub refused: Vec<Uuid>,
    /// Why no more copies can be filed now, in words for all members.
    pub problem: Option<String>,
}

/// Marks sent mails whose copies are to be filed; gives their ids.
pub(super) fn file_later(ctx: &Ctx, tx: &mut dyn Tx, handovers: &[&Handover]) -> Result<BTreeSet<Uuid>, Error> {
    let mut accounts = BTreeSet::new();
    for id in handovers.iter().map(|one| one.account_id).collect::<BTreeSet<_>>() {
        if files(&find::<ConnectedAccount>(ctx, tx, id)?.record) {
            accounts.insert(id);
        }
    }
    let of = handovers.iter().filter(|one| accounts.contains(&one.account_id));
    let ids: BTreeSet<Uuid> = of.map(|one| one.message_id).collect();
    let mark = format!(
        "UPDATE sends SET state = '{FILING}', due_at = $1, lease_until = 0, attempts = 0, enrollment_id = NULL, step_id = NULL \
         WHERE workspace_id = $2 AND message_id IN {}",
        among(3)
    );
    let due_at = tx.now() + GRACE;
    for params in by_keys(ctx, ids.iter().copied()) {
        tx.execute(&mark, &[vec![due_at.into()], params].concat())?;
    }
    Ok(ids)
}

/// Whether copies of the account's mails are filed.
fn files(account: &ConnectedAccount) -> bool {
    account.provider == Channel::Email
        && account.receives
        && account.file_sent == FileSent::Auto
        && account.removed_at.is_none()
}

/// Which accounts have copies to file.
fn due_accounts(tx: &mut dyn Tx, most: i64) -> Result<Vec<(Uuid, Uuid)>, Error> {
    let clock = tx.dialect().clock();
    let due = format!(
        "SELECT a.workspace_id, a.account_id FROM account_states a WHERE a.filing_at <= {clock} AND EXISTS (SELECT 1 FROM sends s \
         WHERE s.workspace_id = a.workspace_id AND s.account_id = a.account_id AND s.state = '{FILING}' AND s.due_at <= {clock}) LIMIT $1"
    );
    Ok(tx.rows(&due, &[most.into()], |row| Ok((row.id(0)?, row.id(1)?)))?)
}

/// Whether an account has copies to file.
pub fn is_filing_due(tx: &mut dyn Tx) -> Result<bool, Error> {
    Ok(!due_accounts(tx, 1)?.is_empty())
}

/// Claims accounts with copies to file, at most `most`, so that one node at a time works on an account.
pub fn claim_filing(tx: &mut dyn Tx, most: i64) -> Result<Vec<(Uuid, Uuid)>, Error> {
    let clock = tx.dialect().clock();
    let claim = format!(
        "UPDATE account_states SET filing_at = {clock} + $1 WHERE workspace_id = $2 AND account_id = $3 AND filing_at <= {clock} \
         RETURNING account_id"
    );
    let mut claimed = Vec::new();
    for (workspace, id) in due_accounts(tx, most)? {
        if tx.one(&claim, &[LEASE.into(), workspace.into(), id.into()], |_| Ok(()))?.is_some() {
            claimed.push((workspace, id));
        }
    }
    Ok(claimed)
}

/// The next copies to file of an account, oldest first, and the errors of those that can't be read. These wait for an hour.
/// Copies that are not wanted any more, and those that could not be filed for days, are deleted.
pub fn copies(ctx: &Ctx, tx: &mut dyn Tx, account_id: Uuid) -> Result<(Vec<SentCopy>, Vec<Error>), Error> {
    const HANDED: &str = "SELECT handed_at FROM messages WHERE workspace_id = $1 AND id = $2";
    const HOLD: &str = "UPDATE sends SET due_at = $1 WHERE workspace_id = $2 AND message_id = $3";
    let now = tx.now();
    let account = find::<ConnectedAccount>(ctx, tx, account_id)?;
    let until = if files(&account.record) { now - LONGEST } else { i64::MAX };
    drop_copies(ctx, tx, account_id, until, 500)?;
    let due = format!(
        "{SEND} AND s.account_id = $2 AND s.state = '{FILING}' AND s.due_at <= $3 ORDER BY s.due_at, s.message_id LIMIT $4"
    );
    let params: [Value; 4] = [ctx.workspace.into(), account_id.into(), now.into(), TOGETHER.into()];
    let due = tx.rows(&due, &params, |row| Ok((row.id(0)?, Send::decode(ctx, row))))?;
    let (mut copies, mut damaged) = (Vec::new(), Vec::new());
    for (message_id, send) in due {
        let key: [Value; 2] = [ctx.workspace.into(), message_id.into()];
        match send {
            Ok(Send { handover: Handover { recipient, reference, content, .. }, .. }) => {
                let handed = tx.one(HANDED, &key, |row| row.maybe_int(0))?.flatten();
                let date = handed.unwrap_or(now);
                copies.push(SentCopy { message_id, recipient, reference, content, date });
            }
            Err(error) => {
                tx.execute(HOLD, &[(now + DAMAGED_WAIT).into(), ctx.workspace.into(), message_id.into()])?;
                damaged.push(error.in_row("sends", message_id).into());
            }
        }
    }
    Ok((copies, damaged))
}

/// Records what became of copies, and when the next ones are filed.
pub fn record_filed(ctx: &Ctx, tx: &mut dyn Tx, account_id: Uuid, filed: &Filed) -> Result<(), Error> {
    const FREE: &str =
        "UPDATE account_states SET filing_at = 0, filing_failures = 0 WHERE workspace_id = $1 AND account_id = $2";
    const FAILURES: &str = "SELECT filing_failures FROM account_states WHERE workspace_id = $1 AND account_id = $2";
    const WAIT: &str = "UPDATE account_states SET filing_at = $1, filing_failures = filing_failures + 1 \
         WHERE workspace_id = $2 AND account_id = $3";
    delete_rows(ctx, tx, filed.done.iter().copied())?;
    refuse(ctx, tx, &filed.refused)?;
    let (now, key): (i64, [Value; 2]) = (tx.now(), [ctx.workspace.into(), account_id.into()]);
    let Some(problem) = &filed.problem else {
        tx.execute(FREE, &key)?;
        return match filed.refused.is_empty() {
            true if filed.done.is_empty() => Ok(()),
            true => account::note_filing(ctx, tx, account_id, None),
            false => account::note_filing(ctx, tx, account_id, Some(REFUSED)),
        };
    };
    let failures = tx.one(FAILURES, &key, |row| row.int(0))?.unwrap_or(0).max(0) as usize;
    let wait = BACK_OFF[failures.min(BACK_OFF.len() - 1)] * 1000;
    let [workspace, account] = key;
    tx.execute(WAIT, &[(now + wait).into(), workspace, account])?;
    account::note_filing(ctx, tx, account_id, Some(problem))
}

const REFUSED: &str =
    "the mail server refuses the copies; is the mailbox full? Sent mails are missing in the Sent folder";

/// Tries refused copies again later; after some refusals they are given up.
fn refuse(ctx: &Ctx, tx: &mut dyn Tx, ids: &[Uuid]) -> Result<(), Error> {
    let again = format!(
        "UPDATE sends SET attempts = attempts + 1, due_at = $1 WHERE workspace_id = $2 AND message_id IN {}",
        among(3)
    );
    let give_up = format!(
        "DELETE FROM sends WHERE state = '{FILING}' AND attempts >= {REFUSALS} AND workspace_id = $1 AND message_id IN {}",
        among(2)
    );
    let later = tx.now() + BACK_OFF[1] * 1000;
    for params in by_keys(ctx, ids.iter().copied()) {
        tx.execute(&again, &[vec![later.into()], params.clone()].concat())?;
        tx.execute(&give_up, &params)?;
    }
    Ok(())
}

/// Deletes copies of an account that were due before `until`, at most `most`; true if there may be more.
pub(in crate::outreach) fn drop_copies(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account_id: Uuid,
    until: i64,
    most: i64,
) -> Result<bool, Error> {
    let old = format!(
        "SELECT message_id FROM sends WHERE workspace_id = $1 AND account_id = $2 AND state = '{FILING}' AND due_at <= $3 LIMIT $4"
    );
    let params: [Value; 4] = [ctx.workspace.into(), account_id.into(), until.into(), most.into()];
    let old = tx.rows(&old, &params, |row| row.id(0))?;
    let all = old.len() as i64 == most;
    delete_rows(ctx, tx, old.into_iter())?;
    Ok(all)
}
