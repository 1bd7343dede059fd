//! Sessions of the dashboard. A session is found by the hash of its token; the token itself is not stored. It ends
//! after two weeks without use, 30 days after its start, when it is revoked, and when its user leaves the workspace or
//! gets a new password. Sensitive operations require that the user has entered the password in the last minutes.

use crate::api::key::Identity;
use crate::api::meta::{Secret, config_changed};
use crate::api::scope::{Role, Scopes};
use resource::{Error, StoredRow};
use store::{Row, Tx, Uuid};

/// Milliseconds without use after which a session ends.
pub const IDLE: i64 = 14 * 24 * 60 * 60 * 1000;
/// Milliseconds after which a session ends even if it is used.
pub const LONGEST: i64 = 30 * 24 * 60 * 60 * 1000;
/// Milliseconds for which a password counts as recently entered.
pub const GRACE: i64 = 10 * 60 * 1000;
/// Minimum age of the stored last use, in milliseconds, before it is written again.
pub const NOTED: i64 = 60_000;

/// The client of a sign-in.
#[derive(Clone)]
pub struct Place {
    pub address: String,
    /// The user agent of the browser.
    pub agent: String,
}

/// Starts a session in one of the user's workspaces. The user has just entered the password.
pub fn open(
    tx: &mut dyn Tx,
    secret: &Secret,
    now: i64,
    token: &str,
    (user, workspace): (Uuid, Uuid),
    place: &Place,
) -> Result<(), Error> {
    const OPEN: &str = "INSERT INTO sessions (id, hash, user_id, workspace_id, address, agent, created_at, last_used_at, authenticated_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $7, $8)";
    let agent: String = place.agent.chars().filter(|c| !c.is_control()).take(300).collect();
    let params = [
        tx.id_at(now).into(),
        secret.hash(token).into(),
        user.into(),
        workspace.into(),
        place.address.as_str().into(),
        agent.into(),
        now.into(),
        (now + IDLE).into(),
    ];
    Ok(tx.execute(OPEN, &params)?)
}

/// Whether this could be a session's token, checked without a database query.
pub fn well_formed(token: &str) -> bool {
    token.len() == crate::api::key::RANDOM && token.bytes().all(|b| b.is_ascii_alphanumeric())
}

pub const IDENTIFY: &str = "SELECT s.id, s.user_id, s.expires_at, w.id, w.plan, w.subscription, w.rate_limit, \
     m.first_name, m.last_name, m.email, m.role, s.created_at \
     FROM sessions s JOIN members m ON m.workspace_id = s.workspace_id AND m.user_id = s.user_id \
     JOIN workspaces w ON w.id = s.workspace_id WHERE s.hash = $1 AND w.removed_at IS NULL";

/// Reads the row of `IDENTIFY`. A signed-in user may read and write all records, with any role.
pub fn identity(row: &dyn Row) -> Result<Identity, store::Error> {
    let (first, last, email) = (row.text(7)?, row.text(8)?, row.text(9)?);
    let role = row.word(10, Role::from_word).map_err(|error| error.in_row("members", row.id(1).unwrap_or_default()));
    let name = format!("{first} {last}");
    let unfit = |_| store::Error::Internal("there is no bundle of all scopes".into());
    Ok(Identity {
        key: row.id(0)?,
        role: Some(role?),
        name: if name.trim().is_empty() { email.into() } else { name.trim().into() },
        last4: String::new(),
        scopes: Scopes::parse("full_access").map_err(unfit)?,
        user: row.id(1)?,
        expires_at: Some(row.int(2)?.min(row.int(11)? + LONGEST)),
        workspace: row.id(3)?,
        plan: row.text(4)?,
        active: row.text(5)? == "active",
        rate_limit: row.int(6)?,
    })
}

/// Records the last use of a session and extends it, up to its longest time: `[now, LONGEST, now + IDLE, id, now -
/// NOTED]`.
pub const USED: &str = "UPDATE sessions SET last_used_at = $1, \
     expires_at = CASE WHEN created_at + $2 < $3 THEN created_at + $2 ELSE $3 END WHERE id = $4 AND last_used_at < $5";

/// Records that the user has entered the password again.
pub fn authenticated(tx: &mut dyn Tx, session: Uuid, now: i64) -> Result<(), Error> {
    Ok(tx.execute("UPDATE sessions SET authenticated_at = $1 WHERE id = $2", &[now.into(), session.into()])?)
}

/// Whether the user has entered the password recently. Read from the database each time, so that all nodes agree.
pub fn is_fresh(tx: &mut dyn Tx, session: Uuid) -> Result<bool, Error> {
    let at = tx.one("SELECT authenticated_at FROM sessions WHERE id = $1", &[session.into()], |row| row.int(0))?;
    let now = tx.clock()?;
    Ok(at.is_some_and(|at| at > now - GRACE))
}

/// Moves a session to another workspace of its owner.
pub fn switch(tx: &mut dyn Tx, session: Uuid, workspace: Uuid) -> Result<(), Error> {
    tx.execute("UPDATE sessions SET workspace_id = $1 WHERE id = $2", &[workspace.into(), session.into()])?;
    config_changed(tx)
}

/// Ends the session with this token, if there is one.
pub fn close(tx: &mut dyn Tx, secret: &Secret, token: &str) -> Result<(), Error> {
    tx.execute("DELETE FROM sessions WHERE hash = $1", &[secret.hash(token).into()])?;
    config_changed(tx)
}

/// Ends all sessions of a user except for one.
pub fn close_all(tx: &mut dyn Tx, user: Uuid, but: Option<Uuid>) -> Result<(), Error> {
    const CLOSE: &str = "DELETE FROM sessions WHERE user_id = $1 AND id <> $2";
    tx.execute(CLOSE, &[user.into(), but.unwrap_or_default().into()])?;
    config_changed(tx)
}

/// Ends the sessions of a user in one workspace.
pub fn close_in(tx: &mut dyn Tx, workspace: Uuid, user: Uuid) -> Result<(), Error> {
    tx.execute("DELETE FROM sessions WHERE user_id = $1 AND workspace_id = $2", &[user.into(), workspace.into()])?;
    config_changed(tx)
}

/// Deletes expired sessions and old attempts to sign in.
pub fn forget(tx: &mut dyn Tx) -> Result<(), Error> {
    let now = tx.clock()?;
    tx.execute("DELETE FROM sessions WHERE expires_at <= $1", &[now.into()])?;
    crate::tenant::attempt::forget(tx, now)
}
