//! Limits of an account: messages a day, the gap between them, searches a day.

use super::{AccountStatus, ConnectedAccount, DAY};
use resource::{Ctx, Error, Saved};
use store::{Tx, Uuid};

/// Why the account can't send now, and when it can.
#[derive(Clone, Debug, PartialEq)]
pub struct Wait {
    pub until: i64,
    pub why: String,
}

/// Why the account can't send another message at `now`: it does not work, or a limit is reached.
pub fn slot(ctx: &Ctx, tx: &mut dyn Tx, account: &Saved<ConnectedAccount>, now: i64) -> Result<Option<Wait>, Error> {
    let record = &account.record;
    if record.status != AccountStatus::Connected {
        const FREE: &str = "SELECT free_at FROM account_states WHERE workspace_id = $1 AND account_id = $2";
        let free = tx.one(FREE, &[ctx.workspace.into(), account.id.into()], |row| row.int(0))?.unwrap_or(0);
        let why = record.status_reason.as_deref().unwrap_or("it does not work");
        return Ok(Some(Wait { until: free.max(now + 1000), why: format!("the account {}: {why}", record.name) }));
    }
    if let Some(limit) = cap(record, now)
        && let Some(at) = handed(ctx, tx, account.id, limit - 1)?
        && at + DAY > now
    {
        let why = format!("the account {} has sent the {limit} messages that it may in 24 hours", record.name);
        return Ok(Some(Wait { until: at + DAY, why }));
    }
    if let Some(gap) = record.min_gap_minutes.filter(|gap| *gap > 0).map(|minutes| minutes * 60_000)
        && let Some(at) = handed(ctx, tx, account.id, 0)?
        && at + gap > now
    {
        let why = format!("the account {} waits {} minutes between messages", record.name, gap / 60_000);
        return Ok(Some(Wait { until: at + gap, why }));
    }
    Ok(None)
}

impl ConnectedAccount {
    /// Whether it has a limit or a gap, so that each message depends on the ones before.
    pub fn is_paced(&self) -> bool {
        self.daily_limit.is_some() || self.ramp_up.is_some() || self.min_gap_minutes.is_some()
    }
}

/// The daily limit, reduced while the account ramps up.
pub fn cap(record: &ConnectedAccount, now: i64) -> Option<i64> {
    let age = (now - record.created_at.0).max(0) / DAY + 1;
    let grown = record.ramp_up.map(|first| first.saturating_mul(age));
    match (record.daily_limit, grown) {
        (Some(limit), Some(grown)) => Some(limit.min(grown)),
        (limit, grown) => limit.or(grown),
    }
}

/// When the account sent its last message, or the one `before` that many.
pub fn handed(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, before: i64) -> Result<Option<i64>, Error> {
    const HANDED: &str = "SELECT handed_at FROM messages WHERE workspace_id = $1 AND account_id = $2 AND handed_at IS NOT NULL \
         ORDER BY handed_at DESC LIMIT 1 OFFSET $3";
    Ok(tx.one(HANDED, &[ctx.workspace.into(), id.into(), before.into()], |row| row.int(0))?)
}

/// Counts a search through the account, unless its network or its `search_limit` forbids one now.
pub fn begin_search(ctx: &Ctx, tx: &mut dyn Tx, account: &Saved<ConnectedAccount>) -> Result<(), Error> {
    const STATE: &str = "SELECT search_free_at, searched_from, searches FROM account_states WHERE workspace_id = $1 AND account_id = $2";
    const COUNT: &str =
        "UPDATE account_states SET searched_from = $1, searches = $2 WHERE workspace_id = $3 AND account_id = $4";
    let (record, now) = (&account.record, tx.now());
    let key = [ctx.workspace.into(), account.id.into()];
    let state = tx.one(STATE, &key, |row| Ok((row.int(0)?, row.int(1)?, row.int(2)?)))?;
    let (free_at, from, searches) = state.unwrap_or((0, 0, 0));
    let not_yet = |why: String, until: i64| {
        let seconds = (until - now + 999) / 1000;
        Error::Outside {
            why: format!("the account {} {why}; try again in {seconds} seconds", record.name),
            retry_after: Some(seconds),
        }
    };
    if free_at > now {
        return Err(not_yet("was asked by its network for patience".to_owned(), free_at));
    }
    // A window that begins in the future comes from a clock that was set back.
    let (from, searches) = if from + DAY <= now || from > now { (now, 0) } else { (from, searches) };
    if let Some(limit) = record.search_limit.filter(|limit| searches >= *limit) {
        return Err(not_yet(
            format!("has made the {limit} searches that it may in 24 hours (search_limit)"),
            from + DAY,
        ));
    }
    Ok(tx.execute(COUNT, &[from.into(), (searches + 1).into(), ctx.workspace.into(), account.id.into()])?)
}

/// Counts further searches that one search caused.
pub fn note_searches(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, more: i64) -> Result<(), Error> {
    const COUNT: &str =
        "UPDATE account_states SET searches = searches + $1 WHERE workspace_id = $2 AND account_id = $3";
    Ok(tx.execute(COUNT, &[more.into(), ctx.workspace.into(), id.into()])?)
}

/// Stops searches for `time` milliseconds, since the network throttles them.
pub fn be_patient(tx: &mut dyn Tx, workspace: Uuid, id: Uuid, time: i64) -> Result<(), Error> {
    const WAIT: &str = "UPDATE account_states SET search_free_at = $1 WHERE workspace_id = $2 AND account_id = $3";
    let until = tx.now() + time;
    Ok(tx.execute(WAIT, &[until.into(), workspace.into(), id.into()])?)
}
