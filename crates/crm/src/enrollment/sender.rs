//! Who sends: accounts in turn, each with its caps; a thread stays with its own.

use super::course::Course;
use super::record::{Enrollment, state};
use crate::account::{self, AccountStatus, Channel, ConnectedAccount};
use crate::sequence::plan::{Moved, Planned};
use resource::{Ctx, Error, Saved};
use std::rc::Rc;
use store::{Tx, Uuid, Value};

pub(super) enum Sender {
    Ready(Rc<Saved<ConnectedAccount>>),
    Busy(Moved),
}

/// When nobody can send, it is looked at again after a minute.
const NOBODY: i64 = 60_000;

/// The account that sends this step: the thread's own; else the next in turn that has room.
pub(super) fn sender(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    course: &mut Course,
    saved: &Saved<Enrollment>,
    step: &Planned,
    channel: Channel,
) -> Result<Sender, Error> {
    let now = tx.stamp();
    let kept = state(saved).threads.get(channel.word()).map(|thread| thread.account);
    let kept = kept.filter(|account| step.senders.is_empty() || step.senders.contains(account));
    let mut candidates = match kept {
        Some(account) => vec![account],
        None => course.senders(ctx, tx, step, channel)?,
    };
    // Each enrollment begins elsewhere in the row.
    let turn = saved.id.as_u128() as usize % candidates.len().max(1);
    candidates.rotate_left(turn);
    let mut soonest: Option<Moved> = None;
    for id in candidates {
        let account = course.account(ctx, tx, id)?;
        let busy = if account.record.removed_at.is_some() {
            Some(Moved {
                rule: "sender",
                reason: format!("the account {} was removed", account.record.name),
                at: now + NOBODY,
            })
        } else {
            room(ctx, tx, &account, now)?
        };
        match busy {
            None => return Ok(Sender::Ready(account)),
            Some(busy) if soonest.as_ref().is_none_or(|known| busy.at < known.at) => soonest = Some(busy),
            Some(_) => {}
        }
    }
    let nobody = || Moved {
        rule: "sender",
        reason: format!("no connected account can send by {}", channel.word()),
        at: now + NOBODY,
    };
    Ok(Sender::Busy(soonest.unwrap_or_else(nobody)))
}

/// The accounts that may send a step.
pub fn senders(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    owners: &[Uuid],
    step: &Planned,
    channel: Channel,
) -> Result<Vec<Uuid>, Error> {
    const OF_CHANNEL: &str = "SELECT id, owner_id FROM connected_accounts \
         WHERE workspace_id = $1 AND provider = $2 AND removed_at IS NULL ORDER BY id";
    let all =
        tx.rows(OF_CHANNEL, &[ctx.workspace.into(), channel.word().into()], |row| Ok((row.id(0)?, row.id(1)?)))?;
    let named = |(id, owner): &(Uuid, Uuid)| {
        if step.senders.is_empty() { owners.contains(owner) } else { step.senders.contains(id) }
    };
    Ok(all.into_iter().filter(named).map(|(id, _)| id).collect())
}

/// Whether an account has room for one more, those that wait in the outbox counted.
fn room(ctx: &Ctx, tx: &mut dyn Tx, account: &Saved<ConnectedAccount>, now: i64) -> Result<Option<Moved>, Error> {
    const QUEUED: &str = "SELECT count(*) FROM sends WHERE workspace_id = $1 AND account_id = $2 AND state = 'queued'";
    const HANDED: &str = "SELECT count(*) FROM (SELECT 1 FROM messages WHERE workspace_id = $1 AND account_id = $2 AND handed_at > $3 LIMIT $4) h";
    if let Some(not_now) = account::slot(ctx, tx, account, now)? {
        // Somebody may see to an account that does not work at any time.
        let ill = account.record.status != AccountStatus::Connected;
        let at = if ill { not_now.until.min(now + NOBODY) } else { not_now.until };
        return Ok(Some(Moved { rule: "sender", reason: not_now.why, at }));
    }
    let record = &account.record;
    let gap = record.min_gap_minutes.filter(|gap| *gap > 0).map(|gap| gap * 60_000);
    let limit = account::cap(record, now);
    if gap.is_none() && limit.is_none() {
        return Ok(None);
    }
    let key: [Value; 2] = [ctx.workspace.into(), account.id.into()];
    let queued = tx.one(QUEUED, &key, |row| row.int(0))?.unwrap_or(0);
    let reason = format!("the account {} has messages waiting, and keeps to its cap and gap", record.name);
    if queued > 0 && gap.is_some() {
        return Ok(gap.map(|gap| Moved { rule: "sender", reason, at: now + gap }));
    }
    let Some(limit) = limit.filter(|_| queued > 0) else { return Ok(None) };
    let [workspace, id] = key;
    let params = [workspace, id, (now - DAY).into(), limit.into()];
    let handed = tx.one(HANDED, &params, |row| row.int(0))?.unwrap_or(0);
    Ok((handed + queued >= limit).then(|| Moved { rule: "sender", reason, at: now + NOBODY }))
}

const DAY: i64 = 24 * 3_600_000;
