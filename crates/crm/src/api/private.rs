//! Private mailboxes. The conversations and messages of an account whose visibility is `owner` are seen by its owner alone.
//! Other members and their keys don't find them in lists, timelines, the feed and streams.

use resource::{Cond, Ctx, Error, Field, Op, Test, not_found};
use store::{Tx, Uuid};

/// In a statement on events `e`: the owner of the private account that an event belongs to, else null. The content of a
/// message that was deleted is erased from its events, so that these hide nothing.
pub(super) const PRIVATE_TO: &str = "CASE e.record_type \
     WHEN 'message' THEN (SELECT a.owner_id FROM messages m JOIN connected_accounts a \
     ON a.workspace_id = m.workspace_id AND a.id = m.account_id \
     WHERE m.workspace_id = e.workspace_id AND m.id = e.record_id AND a.visibility = 'owner') \
     WHEN 'conversation' THEN (SELECT a.owner_id FROM conversations c JOIN connected_accounts a \
     ON a.workspace_id = c.workspace_id AND a.id = c.account_id \
     WHERE c.workspace_id = e.workspace_id AND c.id = e.record_id AND a.visibility = 'owner') END";

/// Whether the workspace has private accounts.
pub(super) fn exist(ctx: &Ctx, tx: &mut dyn Tx) -> Result<bool, Error> {
    const ONE: &str = "SELECT 1 FROM connected_accounts WHERE workspace_id = $1 AND visibility = 'owner' LIMIT 1";
    Ok(tx.one(ONE, &[ctx.workspace.into()], |row| row.int(0))?.is_some())
}

/// Leaves out the rows of other members' private accounts, in a list whose rows name their account in this field.
pub fn visible(ctx: &Ctx, tx: &mut dyn Tx, account: &'static Field) -> Result<Vec<Cond>, Error> {
    const HIDDEN: &str =
        "SELECT id FROM connected_accounts WHERE workspace_id = $1 AND visibility = 'owner' AND owner_id <> $2";
    let hidden = tx.rows(HIDDEN, &[ctx.workspace.into(), ctx.member().into()], |row| row.id(0))?;
    if hidden.is_empty() {
        return Ok(Vec::new());
    }
    let values = hidden.into_iter().map(Into::into).collect();
    Ok(vec![Cond::Not(Box::new(Cond::Test(Test { field: account, op: Op::In, values })))])
}

/// The only member who sees what belongs to an account; `None` if all members do.
pub fn owner(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid) -> Result<Option<Uuid>, Error> {
    const OWNER: &str =
        "SELECT owner_id FROM connected_accounts WHERE workspace_id = $1 AND id = $2 AND visibility = 'owner'";
    Ok(tx.one(OWNER, &[ctx.workspace.into(), account.into()], |row| row.id(0))?)
}

/// Whether the caller may see what belongs to an account.
pub fn sees(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid) -> Result<bool, Error> {
    Ok(owner(ctx, tx, account)?.is_none_or(|owner| owner == ctx.member()))
}

/// Refuses a record of another member's private account as if it did not exist.
pub fn check(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid, one: &str) -> Result<(), Error> {
    if sees(ctx, tx, account)? { Ok(()) } else { Err(not_found(one)) }
}
