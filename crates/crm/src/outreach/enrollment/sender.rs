//! Chooses the account that sends a step: the thread's own account, else the next one in turn that can send.

use super::Enrollment;
use super::context::{Busy, SequenceContext};
use super::stored_state::StoredState;
use crate::outreach::account::{self, AccountStatus, Channel, ConnectedAccount};
use crate::outreach::sequence::plan::{Delay, ParsedStep};
use resource::{Ctx, Error, Saved};
use std::rc::Rc;
use store::{Tx, Value};

pub(super) enum Sender {
    Ready(Rc<Saved<ConnectedAccount>>),
    Busy(Busy),
}

impl Busy {
    /// No time is known; the engine looks again soon.
    fn for_now(reason: String, now: i64) -> Busy {
        Busy { delay: Delay { rule: "sender", reason, at: now + NOBODY }, look_at: now + NOBODY }
    }
}

/// How long a step waits that no account can send.
const NOBODY: i64 = 60_000;

pub(super) fn sender(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &mut SequenceContext,
    saved: &Saved<Enrollment>,
    step: &ParsedStep,
    channel: Channel,
    now: i64,
) -> Result<Sender, Error> {
    let threads = StoredState::of(saved)?.threads;
    let known = threads.get(channel.word()).map(|thread| thread.account);
    let known = known.filter(|account| step.senders.is_empty() || step.senders.contains(account));
    let mut candidates = match known {
        Some(account) => vec![account],
        None => sequence.senders(ctx, tx, step, channel)?,
    };
    // Enrollments start with different accounts, so that all accounts send.
    let turn = saved.id.as_u128() as usize % candidates.len().max(1);
    candidates.rotate_left(turn);
    let mut soonest: Option<Busy> = None;
    for id in candidates {
        let busy = match sequence.busy.get(&id) {
            Some(busy) => busy.clone(),
            None => {
                let account = sequence.account(ctx, tx, id)?;
                let busy = if account.record.removed_at.is_some() {
                    Some(Busy::for_now(format!("the account {} was removed", account.record.name), now))
                } else {
                    room(ctx, tx, &account, now)?
                };
                let Some(busy) = busy else { return Ok(Sender::Ready(account)) };
                sequence.busy.insert(id, busy.clone());
                busy
            }
        };
        if soonest.as_ref().is_none_or(|earliest| busy.delay.at < earliest.delay.at) {
            soonest = Some(busy);
        }
    }
    let nobody = || Busy::for_now(format!("no connected account can send by {}", channel.word()), now);
    Ok(Sender::Busy(soonest.unwrap_or_else(nobody)))
}

/// Why an account can't send another message now, counting those that wait in the outbox.
fn room(ctx: &Ctx, tx: &mut dyn Tx, account: &Saved<ConnectedAccount>, now: i64) -> Result<Option<Busy>, Error> {
    // A message that a member has scheduled for later takes its place then.
    const QUEUED: &str = "SELECT count(*) FROM sends WHERE workspace_id = $1 AND account_id = $2 AND state = 'queued' \
         AND NOT (enrollment_id IS NULL AND attempts = 0 AND due_at > $3)";
    const HANDED: &str = "SELECT count(*) FROM (SELECT 1 FROM messages WHERE workspace_id = $1 AND account_id = $2 AND handed_at > $3 LIMIT $4) h";
    if let Some(wait) = account::slot(ctx, tx, account, now)? {
        // An account that does not work can be repaired at any time, so that it is checked often.
        let is_broken = account.record.status != AccountStatus::Connected;
        let look_at = if is_broken { wait.until.min(now + NOBODY) } else { wait.until };
        return Ok(Some(Busy { delay: Delay { rule: "sender", reason: wait.why, at: wait.until }, look_at }));
    }
    let record = &account.record;
    let gap = record.min_gap_minutes.filter(|gap| *gap > 0).map(|gap| gap * 60_000);
    let limit = account::cap(record, now);
    if gap.is_none() && limit.is_none() {
        return Ok(None);
    }
    let key: [Value; 2] = [ctx.workspace.into(), account.id.into()];
    let waiting = [ctx.workspace.into(), account.id.into(), Value::from(now)];
    let queued = tx.one(QUEUED, &waiting, |row| row.int(0))?.unwrap_or(0);
    let reason = format!("the account {} has messages waiting, and keeps to its cap and gap", record.name);
    if queued > 0 && gap.is_some() {
        let delay = |gap: i64| Delay { rule: "sender", reason, at: now + gap };
        return Ok(gap.map(|gap| Busy { delay: delay(gap), look_at: now + gap }));
    }
    let Some(limit) = limit.filter(|_| queued > 0) else { return Ok(None) };
    let [workspace, id] = key;
    let params = [workspace, id, (now - DAY).into(), limit.into()];
    let handed = tx.one(HANDED, &params, |row| row.int(0))?.unwrap_or(0);
    if handed + queued < limit {
        return Ok(None);
    }
    // When the queued messages are sent, this one waits until one of those before them is a day old. A queued message can
    // fail and leave its place.
    let opens = match limit - queued {
        left @ 1.. => account::handed(ctx, tx, account.id, left - 1)?.map_or(now, |at| at + DAY),
        _ => now + DAY,
    };
    Ok(Some(Busy { delay: Delay { rule: "sender", reason, at: opens.max(now + 1000) }, look_at: now + NOBODY }))
}

const DAY: i64 = 24 * 3_600_000;
