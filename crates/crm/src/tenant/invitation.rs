//! Ends invitations: when they are withdrawn, or when the inviter loses the right to invite. `sign_in.rs` creates and
//! accepts them.

use crate::api::meta::config_changed;
use crate::api::scope::Role;
use resource::{Ctx, Error, StoredRow, event, not_found};
use serde_json::{Map, json};
use store::{Tx, Uuid};

/// Withdraws an invitation.
pub fn uninvite(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    end_invitation(ctx, tx, id, None)
}

/// Ends the open invitations that a member may no longer make: all of them, or those that the new role does not permit.
pub fn end_invitations(ctx: &Ctx, tx: &mut dyn Tx, inviter: Uuid, role: Option<Role>) -> Result<(), Error> {
    const THEIRS: &str = "SELECT id, role FROM invitations WHERE workspace_id = $1 AND invited_by = $2 ORDER BY id";
    let theirs = tx
        .rows(THEIRS, &[ctx.workspace.into(), inviter.into()], |row| Ok((row.id(0)?, row.word(1, Role::from_word)?)))?;
    let why = if role.is_some() { "the inviter's role has changed" } else { "the inviter was removed" };
    for (id, given) in theirs {
        if !role.is_some_and(|role| role.manages(given)) {
            end_invitation(ctx, tx, id, Some(why))?;
        }
    }
    Ok(())
}

fn end_invitation(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, why: Option<&str>) -> Result<(), Error> {
    const END: &str = "DELETE FROM invitations WHERE workspace_id = $1 AND id = $2 RETURNING email";
    let ended = tx.one(END, &[ctx.workspace.into(), id.into()], |row| row.text(0))?;
    let email = ended.ok_or_else(|| not_found("invitation"))?;
    let mut changes = Map::new();
    changes.insert("email".into(), json!([email, null]));
    if let Some(why) = why {
        changes.insert("reason".into(), json!([null, why]));
    }
    config_changed(tx)?;
    event(ctx, tx, "invitation.deleted", "invitation", id, &changes)
}
