//! Unread messages: each member has a number of their own for each conversation. There are rows only for numbers above 0, so
//! that the unread conversations of a member are found without looking at the others.

use super::{Conversation, UNREAD};
use resource::{Ctx, Error, own_of};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid};

/// The number of the caller.
pub(super) fn count(ctx: &Ctx, tx: &mut dyn Tx, conversation: Uuid) -> Result<i64, Error> {
    Ok(own_of(ctx, tx, &UNREAD, &[conversation])?.get(&conversation).copied().unwrap_or(0))
}

/// Sets the number of the caller; returns the change for the event, empty if there is none.
pub(super) fn set(ctx: &Ctx, tx: &mut dyn Tx, conversation: Uuid, n: i64) -> Result<Map<String, Json>, Error> {
    const READ: &str =
        "DELETE FROM conversation_unread WHERE workspace_id = $1 AND user_id = $2 AND conversation_id = $3";
    const SET: &str =
        "INSERT INTO conversation_unread (workspace_id, user_id, conversation_id, n) VALUES ($1, $2, $3, $4)";
    let before = count(ctx, tx, conversation)?;
    if before == n {
        return Ok(Map::new());
    }
    let key = [ctx.workspace.into(), ctx.member().into(), conversation.into()];
    tx.execute(READ, &key)?;
    if n > 0 {
        let [workspace, member, conversation] = key;
        tx.execute(SET, &[workspace, member, conversation, n.into()])?;
    }
    Ok(Map::from_iter([(Conversation::UNREAD_COUNT.name().to_owned(), json!([before, n]))]))
}

/// Adds received messages to the numbers of all members. Members who do not see a private mailbox have their numbers, too,
/// which count when it becomes visible.
pub(super) fn add(ctx: &Ctx, tx: &mut dyn Tx, conversation: Uuid, n: i64) -> Result<(), Error> {
    const ADD: &str = "INSERT INTO conversation_unread (workspace_id, user_id, conversation_id, n) \
         SELECT m.workspace_id, m.user_id, $1, $2 FROM members m WHERE m.workspace_id = $3 \
         ON CONFLICT (workspace_id, user_id, conversation_id) DO UPDATE SET n = conversation_unread.n + excluded.n";
    Ok(tx.execute(ADD, &[conversation.into(), n.into(), ctx.workspace.into()])?)
}
