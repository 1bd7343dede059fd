//! The ledger of an account's folder: every mail in it is a message, or is listed with the reason why it is not stored.

use super::Mail;
use crate::outreach::account::ConnectedAccount;
use crate::outreach::skipped_mail::UnstoredMail;
use resource::{Ctx, Error, Resource, Saved, by_many_keys};
use store::{Tally, Tx, Uuid, Value};

/// Mails of the ledger that are read together.
pub const LISTED_TOGETHER: usize = 10_000;
/// Mails that leave the ledger by one statement for each table.
const FORGOTTEN_TOGETHER: usize = 512;

pub(super) fn is_seen(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid, uid: i64) -> Result<bool, Error> {
    const SEEN: &str = "SELECT 1 FROM mailbox WHERE workspace_id = $1 AND account_id = $2 AND uid = $3";
    Ok(tx.one(SEEN, &[ctx.workspace.into(), account.into(), uid.into()], |_| Ok(()))?.is_some())
}

/// Records what became of a mail in the folder: its message, or why it is not stored.
pub(super) fn note(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account: &Saved<ConnectedAccount>,
    mail: &Mail,
    message: Option<Uuid>,
    why: Option<&str>,
) -> Result<(), Error> {
    const NOTE: &str = "INSERT INTO mailbox (workspace_id, account_id, uid, message_id) VALUES ($1, $2, $3, $4)";
    const LIST: &str = "INSERT INTO unstored_mails (workspace_id, id, version, account_id, uid, reason, sender, subject, size, received_at, created_at, updated_at) \
         VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $10)";
    const COUNT: &str = "UPDATE connected_accounts SET mails_stored = mails_stored + $1, mails_unstored = mails_unstored + $2 \
         WHERE workspace_id = $3 AND id = $4";
    tx.execute(NOTE, &[ctx.workspace.into(), account.id.into(), mail.uid.into(), message.into()])?;
    let listed = i64::from(message.is_none());
    tx.execute(COUNT, &[(1 - listed).into(), listed.into(), ctx.workspace.into(), account.id.into()])?;
    if message.is_some() {
        return Ok(());
    }
    let (id, now) = (tx.id(), tx.stamp());
    let params: [Value; 10] = [
        ctx.workspace.into(),
        id.into(),
        account.id.into(),
        mail.uid.into(),
        why.unwrap_or("it can't be read").into(),
        mail.from.clone().into(),
        mail.subject.clone().into(),
        Some(mail.size).filter(|size| *size > 0).into(),
        mail.received_at.into(),
        now.into(),
    ];
    tx.execute(LIST, &params)?;
    tx.tally(Tally { collection: UnstoredMail::ABOUT.table, field: "", value: String::new(), archived: false }, 1);
    Ok(())
}

/// How far an account's folder has been read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    pub validity: i64,
    /// All mails before this UID were read.
    pub next: i64,
    /// The provider's cursor.
    pub place: Option<String>,
    /// The mails that a node was reading when it stopped.
    pub interrupted: Option<Interrupted>,
}

/// Mails that a node started to read and did not finish: the UIDs of the first and the last one.
#[derive(Clone, Debug, PartialEq)]
pub struct Interrupted {
    pub from: i64,
    pub to: i64,
    /// How often they were started.
    pub attempt: i64,
    pub node: String,
}

pub fn progress(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid) -> Result<Option<Progress>, Error> {
    const PROGRESS: &str = "SELECT uid_validity, uid_next, place, reading_from, reading_to, reading_attempt, reading_node FROM account_states WHERE workspace_id = $1 AND account_id = $2";
    Ok(tx.one(PROGRESS, &[ctx.workspace.into(), account.into()], |row| {
        Ok(Progress {
            validity: row.int(0)?,
            next: row.int(1)?,
            place: row.get(2)?.maybe(|at| Ok(at.text()?.to_owned()))?,
            interrupted: match row.int(5)? {
                0 => None,
                attempt => {
                    let node = row.get(6)?.maybe(|node| Ok(node.text()?.to_owned()))?.unwrap_or_default();
                    Some(Interrupted { from: row.int(3)?, to: row.int(4)?, attempt, node })
                }
            },
        })
    })?)
}

/// Records how far the folder has been read, and that no mail is being read.
pub fn advance(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid, progress: &Progress) -> Result<(), Error> {
    const ADVANCE: &str = "UPDATE account_states SET uid_validity = $1, uid_next = $2, place = $3, \
         reading_from = 0, reading_to = 0, reading_attempt = 0 WHERE workspace_id = $4 AND account_id = $5";
    let params: [Value; 5] = [
        progress.validity.into(),
        progress.next.into(),
        progress.place.clone().into(),
        ctx.workspace.into(),
        account.into(),
    ];
    Ok(tx.execute(ADVANCE, &params)?)
}

/// Begins a new ledger after the folder's UIDs changed (UIDVALIDITY). The caller has removed the mails of the old one. Stored
/// messages stay and are recognised by their Message-ID.
pub fn begin_anew(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid, validity: i64) -> Result<(), Error> {
    let place = progress(ctx, tx, account)?.and_then(|progress| progress.place);
    advance(ctx, tx, account, &Progress { validity, next: 0, place, interrupted: None })
}

/// The UIDs of the mails in the ledger after this one, in order: at most [`LISTED_TOGETHER`].
pub fn listed_after(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid, after: i64) -> Result<Vec<i64>, Error> {
    const LISTED: &str =
        "SELECT uid FROM mailbox WHERE workspace_id = $1 AND account_id = $2 AND uid > $3 ORDER BY uid LIMIT $4";
    let most = LISTED_TOGETHER as i64;
    Ok(tx.rows(LISTED, &[ctx.workspace.into(), account.into(), after.into(), most.into()], |row| row.int(0))?)
}

/// Removes mails from the ledger; their messages stay. Returns how many of the UIDs it took before its time was over: the
/// caller goes on with the others in another transaction.
pub fn forget(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid, uids: &[i64]) -> Result<usize, Error> {
    const COUNT: &str = "UPDATE connected_accounts SET mails_stored = mails_stored - $1, mails_unstored = mails_unstored - $2 \
         WHERE workspace_id = $3 AND id = $4";
    let (mut stored, mut listed, mut done) = (0, 0, 0);
    for some in uids.chunks(FORGOTTEN_TOGETHER) {
        if done > 0 && !tx.has_time() {
            break;
        }
        for (among, mut params) in by_many_keys(ctx, some.iter().copied()) {
            // The UIDs are in order. Without their range PostgreSQL compared every mail with every UID if it did not know
            // yet how much the ledger had grown: 2 s for 100,000 mails.
            let last = params.len();
            params.push(account.into());
            let mails = format!(
                "WHERE workspace_id = $1 AND uid IN {among} AND uid BETWEEN $2 AND ${last} AND account_id = ${}",
                last + 1
            );
            let counted = format!("SELECT count(*), count(message_id) FROM mailbox {mails}");
            let (all, with_message) =
                tx.one(&counted, &params, |row| Ok((row.int(0)?, row.int(1)?)))?.unwrap_or_default();
            (stored, listed) = (stored + with_message, listed + all - with_message);
            for table in ["mailbox", "unstored_mails"] {
                tx.execute(&format!("DELETE FROM {table} {mails}"), &params)?;
            }
        }
        done += some.len();
    }
    tx.tally(
        Tally { collection: UnstoredMail::ABOUT.table, field: "", value: String::new(), archived: false },
        -listed,
    );
    tx.execute(COUNT, &[stored.into(), listed.into(), ctx.workspace.into(), account.into()])?;
    Ok(done)
}

/// Shows on the account how many mails wait to be read, and since when; true if it was not behind before.
pub fn note_behind(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid, since: i64, waiting: i64) -> Result<bool, Error> {
    const BEHIND: &str =
        "UPDATE connected_accounts SET behind_since = $1, mails_waiting = $2 WHERE workspace_id = $3 AND id = $4";
    let (_, was_behind) = counts(ctx, tx, account)?;
    tx.tally(Tally { collection: ConnectedAccount::ABOUT.table, field: "", value: String::new(), archived: false }, 0);
    tx.execute(BEHIND, &[since.into(), waiting.into(), ctx.workspace.into(), account.into()])?;
    Ok(!was_behind)
}

/// Records that the whole folder was read, and how many mails it holds. Gives how many mails are in the ledger, and whether the
/// account was behind.
pub fn looked_at(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid, in_folder: Option<i64>) -> Result<(i64, bool), Error> {
    const LOOKED: &str = "UPDATE connected_accounts SET last_sync_at = $1, mails_in_folder = $2, mails_waiting = 0, behind_since = NULL \
         WHERE workspace_id = $3 AND id = $4";
    const COUNTED: &str = "UPDATE connected_accounts SET mails_in_folder = $1 WHERE workspace_id = $2 AND id = $3";
    const NONE_WAIT: &str = "UPDATE account_states SET waiting_since = 0 WHERE workspace_id = $1 AND account_id = $2 AND waiting_since <> 0";
    let (counts, now) = (counts(ctx, tx, account)?, tx.stamp());
    if let Some(in_folder) = in_folder.filter(|in_folder| *in_folder > counts.0) {
        // Some mails are there and were not read: the account does not count as read.
        tx.tally(
            Tally { collection: ConnectedAccount::ABOUT.table, field: "", value: String::new(), archived: false },
            0,
        );
        tx.execute(COUNTED, &[in_folder.into(), ctx.workspace.into(), account.into()])?;
        return Ok((counts.0, false));
    }
    tx.execute(NONE_WAIT, &[ctx.workspace.into(), account.into()])?;
    tx.tally(Tally { collection: ConnectedAccount::ABOUT.table, field: "", value: String::new(), archived: false }, 0);
    tx.execute(LOOKED, &[now.into(), in_folder.unwrap_or(0).into(), ctx.workspace.into(), account.into()])?;
    Ok(counts)
}

/// How many mails of an account are in the ledger, and whether it is behind.
fn counts(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid) -> Result<(i64, bool), Error> {
    const COUNTS: &str = "SELECT mails_stored + mails_unstored, behind_since FROM connected_accounts WHERE workspace_id = $1 AND id = $2";
    let key = [ctx.workspace.into(), account.into()];
    Ok(tx.one(COUNTS, &key, |row| Ok((row.int(0)?, !row.get(1)?.is_null())))?.unwrap_or((0, false)))
}
