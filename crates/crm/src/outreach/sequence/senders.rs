//! The accounts that send the steps of a sequence.

use super::plan::ParsedStep;
use crate::outreach::account::Channel;
use resource::{Ctx, Error};
use store::{Tx, Uuid};

/// The accounts that may send a step.
pub fn senders(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    owners: &[Uuid],
    step: &ParsedStep,
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
