//! Stops an account whose messages bounce too often, before mail servers distrust it.

use super::decide::{JUDGED, bounces_too_often};
use crate::outreach::account::{self, ConnectedAccount};
use resource::{Ctx, Error, find};
use store::{Row, Tx, Uuid};

/// Checks the account of a message that bounced.
pub(super) fn check_bounces(ctx: &Ctx, tx: &mut dyn Tx, message: Uuid) -> Result<(), Error> {
    const LAST: &str = "SELECT m.account_id, m.bounced_at FROM messages o CROSS JOIN account_states a CROSS JOIN messages m \
         WHERE o.workspace_id = $1 AND o.id = $2 AND a.workspace_id = o.workspace_id AND a.account_id = o.account_id \
         AND m.workspace_id = o.workspace_id AND m.account_id = o.account_id \
         AND m.handed_at IS NOT NULL AND m.handed_at > a.bounces_since ORDER BY m.handed_at DESC LIMIT $3";
    let both = |row: &dyn Row| Ok((row.id(0)?, row.maybe_int(1)?.is_some()));
    let last = tx.rows(LAST, &[ctx.workspace.into(), message.into(), (JUDGED as i64).into()], both)?;
    let bounces = last.iter().filter(|(_, bounced)| *bounced).count();
    let Some((account, _)) = last.first().filter(|_| bounces_too_often(last.len(), bounces)) else {
        return Ok(());
    };
    if find::<ConnectedAccount>(ctx, tx, *account)?.record.removed_at.is_some() {
        return Ok(());
    }
    let why = format!(
        "{bounces} of its last {JUDGED} messages bounced; look after its contacts, then run `relata accounts test {account}`"
    );
    account::hold(ctx, tx, *account, &why)
}
