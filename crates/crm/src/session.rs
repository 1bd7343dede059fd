//! Sessions: who has signed in to the dashboard, and where. One is found by its token, which is kept as a hash. It ends when
//! it is not used for two weeks, when it is revoked, when its owner leaves the workspace or gets a new password.

use crate::key::Identity;
use crate::member::Role;
use crate::meta::{Secret, config_changed};
use crate::scope::Scopes;
use resource::Error;
use store::{Row, Tx, Uuid};

/// Milliseconds without use after which a session ends.
pub const IDLE: i64 = 14 * 24 * 60 * 60 * 1000;
/// How long a browser keeps the cookie at most.
pub const LONGEST: i64 = 365 * 24 * 60 * 60 * 1000;
/// How much older than now the last use must be to be written anew.
pub const NOTED: i64 = 60_000;

/// Where somebody signs in.
#[derive(Clone)]
pub struct Place {
    pub address: String,
    /// What the browser calls itself.
    pub agent: String,
}

/// Begins a session in one of the workspaces that the person is a member of.
pub fn open(
    tx: &mut dyn Tx,
    secret: &Secret,
    now: i64,
    token: &str,
    (user, workspace): (Uuid, Uuid),
    place: &Place,
) -> Result<(), Error> {
    const OPEN: &str = "INSERT INTO sessions (id, hash, user_id, workspace_id, address, agent, created_at, last_used_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8)";
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

/// Could this be a session's token at all? Told without a look-up.
pub fn well_formed(token: &str) -> bool {
    token.len() == crate::key::RANDOM && token.bytes().all(|b| b.is_ascii_alphanumeric())
}

pub const IDENTIFY: &str = "SELECT s.id, s.user_id, s.expires_at, w.id, w.plan, w.subscription, w.rate_limit, \
     m.first_name, m.last_name, m.email, m.role \
     FROM sessions s JOIN members m ON m.workspace_id = s.workspace_id AND m.user_id = s.user_id \
     JOIN workspaces w ON w.id = s.workspace_id WHERE s.hash = $1 AND w.removed_at IS NULL";

/// The row of `IDENTIFY`. Whoever is signed in may read and write all records, whatever the role.
pub fn identity(row: &dyn Row) -> Result<Identity, store::Error> {
    let (first, last, email, role) = (row.text(7)?, row.text(8)?, row.text(9)?, row.text(10)?);
    let name = format!("{first} {last}");
    let unfit = |_| store::Error::Internal("there is no bundle of all scopes".into());
    Ok(Identity {
        key: row.id(0)?,
        role: Some(Role::from_word(&role).ok_or_else(|| store::Error::Corrupt(format!("members.role: {role}")))?),
        name: if name.trim().is_empty() { email.into() } else { name.trim().into() },
        last4: String::new(),
        scopes: Scopes::parse("full_access").map_err(unfit)?,
        user: row.id(1)?,
        expires_at: Some(row.int(2)?),
        workspace: row.id(3)?,
        plan: row.text(4)?,
        active: row.text(5)? == "active",
        rate_limit: row.int(6)?,
    })
}

/// Notes when a session was last used; it lasts from then.
pub const USED: &str = "UPDATE sessions SET last_used_at = $1, expires_at = $2 WHERE id = $3 AND last_used_at < $4";

/// Ends the session with this token; without one nothing.
pub fn close(tx: &mut dyn Tx, secret: &Secret, token: &str) -> Result<(), Error> {
    tx.execute("DELETE FROM sessions WHERE hash = $1", &[secret.hash(token).into()])?;
    config_changed(tx)
}

/// Ends all sessions of a person, but for one.
pub fn close_all(tx: &mut dyn Tx, user: Uuid, but: Option<Uuid>) -> Result<(), Error> {
    const CLOSE: &str = "DELETE FROM sessions WHERE user_id = $1 AND id <> $2";
    tx.execute(CLOSE, &[user.into(), but.unwrap_or(Uuid::nil()).into()])?;
    config_changed(tx)
}

/// Ends a person's sessions in one workspace.
pub fn close_in(tx: &mut dyn Tx, workspace: Uuid, user: Uuid) -> Result<(), Error> {
    tx.execute("DELETE FROM sessions WHERE user_id = $1 AND workspace_id = $2", &[user.into(), workspace.into()])?;
    config_changed(tx)
}

/// Forgets what has ended: sessions, and attempts to sign in that nobody waits for any more.
pub fn forget(tx: &mut dyn Tx) -> Result<(), Error> {
    let now = tx.clock()?;
    tx.execute("DELETE FROM sessions WHERE expires_at <= $1", &[now.into()])?;
    crate::attempt::forget(tx, now)
}
