//! The accounts that send the steps of a sequence.

use super::plan::ParsedStep;
use crate::outreach::account::Channel;
use resource::{Ctx, Error};
use store::{Tx, Uuid};

/// The connected accounts of each channel, each with its owner. A channel is read once for all steps.
#[derive(Default)]
pub struct Connected(Vec<(Channel, Vec<(Uuid, Uuid)>)>);

impl Connected {
    /// The accounts that may send a step.
    pub fn senders(
        &mut self,
        ctx: &Ctx,
        tx: &mut dyn Tx,
        owners: &[Uuid],
        step: &ParsedStep,
        channel: Channel,
    ) -> Result<Vec<Uuid>, Error> {
        const OF_CHANNEL: &str = "SELECT id, owner_id FROM connected_accounts \
             WHERE workspace_id = $1 AND provider = $2 AND removed_at IS NULL ORDER BY id";
        if !self.0.iter().any(|(known, _)| *known == channel) {
            let params = [ctx.workspace.into(), channel.word().into()];
            let all = tx.rows(OF_CHANNEL, &params, |row| Ok((row.id(0)?, row.id(1)?)))?;
            self.0.push((channel, all));
        }
        let all = self.0.iter().filter(|(known, _)| *known == channel).flat_map(|(_, accounts)| accounts);
        let named = |(id, owner): &&(Uuid, Uuid)| {
            if step.senders.is_empty() { owners.contains(owner) } else { step.senders.contains(id) }
        };
        Ok(all.filter(named).map(|(id, _)| *id).collect())
    }
}
