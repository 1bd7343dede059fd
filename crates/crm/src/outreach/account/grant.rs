//! The OAuth tokens of accounts: who renews them, and when. A node claims a renewal with a lease, asks the token server with
//! no transaction open, and writes the new tokens before anybody uses them, since an old refresh token may be void by then.

use crate::api::effects::Grant;
use crate::api::meta::Secret;
use crate::api::queue::DAMAGED_WAIT;
use crate::api::seal::{self, Sealed};
use resource::{Ctx, Error, place};
use serde_json::json;
use store::{Row, Tx, Uuid, Value};

/// How long a node has for a renewal, in milliseconds: longer than the time limit of the request.
pub(crate) const TOKEN_LEASE: i64 = 30_000;
/// Tokens are renewed this long before they expire, or after three quarters of a shorter life.
const AHEAD: i64 = 5 * 60_000;
/// The backoff after failed renewals: the first wait and the longest; each is twice the one before.
const FIRST_WAIT: i64 = 5_000;
const LONGEST_WAIT: i64 = 600_000;

/// The tokens of an account and the state of their renewal.
#[derive(Clone, Debug)]
pub struct StoredGrant {
    pub grant: Grant,
    pub version: i64,
    pub expires_at: i64,
    pub renewed_at: i64,
    pub refresh_at: i64,
    pub failures: i64,
    /// The last error, unless the last renewal worked.
    pub trouble: Option<String>,
    /// The provider has refused the grant.
    pub revoked: bool,
    /// The present time, by the database's clock.
    pub now: i64,
}

const COLUMNS: &str = "sealed, key_id, version, expires_at, renewed_at, refresh_at, failures, trouble, revoked";

fn opened(secret: &Secret, id: Uuid, row: Option<(Sealed, StoredGrant)>) -> Result<Option<StoredGrant>, Error> {
    let Some((sealed, stored)) = row else { return Ok(None) };
    let text = seal::open(secret, id, &sealed).map_err(|error| error.at("sealed").in_row("account_tokens", id))?;
    let grant = place("account_tokens", "sealed", &id).json(&text)?;
    Ok(Some(StoredGrant { grant, ..stored }))
}

fn decoded(row: &dyn Row) -> Result<(Sealed, StoredGrant), store::Error> {
    let grant = Grant { provider: None, client: None, refresh_token: String::new(), access_token: None };
    let stored = StoredGrant {
        grant,
        version: row.int(2)?,
        expires_at: row.int(3)?,
        renewed_at: row.int(4)?,
        refresh_at: row.int(5)?,
        failures: row.int(6)?,
        trouble: row.maybe_text(7)?,
        revoked: row.int(8)? != 0,
        now: row.int(9)?,
    };
    Ok((Sealed { text: row.text(0)?, key_id: row.text(1)? }, stored))
}

/// The tokens of an account, if it has any.
pub fn stored_grant(tx: &mut dyn Tx, secret: &Secret, workspace: Uuid, id: Uuid) -> Result<Option<StoredGrant>, Error> {
    let clock = tx.dialect().clock();
    let sql = format!("SELECT {COLUMNS}, {clock} FROM account_tokens WHERE workspace_id = $1 AND account_id = $2");
    let row = tx.one(&sql, &[workspace.into(), id.into()], decoded)?;
    opened(secret, id, row)
}

/// The provider whose tokens an account uses.
pub fn granted_by(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Option<String>, Error> {
    const PROVIDER: &str = "SELECT provider FROM account_tokens WHERE workspace_id = $1 AND account_id = $2";
    Ok(tx.one(PROVIDER, &[ctx.workspace.into(), id.into()], |row| row.maybe_text(0))?.flatten())
}

/// Gives an account new tokens, after the user permitted the access. `lifetime` is that of the access token, in
/// milliseconds.
pub fn put_grant(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    secret: &Secret,
    id: Uuid,
    grant: &Grant,
    lifetime: i64,
) -> Result<(), Error> {
    const PUT: &str = "INSERT INTO account_tokens (workspace_id, account_id, provider, sealed, key_id, version, expires_at, renewed_at, \
         refresh_at, lease_until, failures, trouble, revoked) VALUES ($1, $2, $3, $4, $5, 1, $6, 0, $7, 0, 0, NULL, 0) \
         ON CONFLICT (workspace_id, account_id) DO UPDATE SET provider = excluded.provider, sealed = excluded.sealed, \
         key_id = excluded.key_id, version = account_tokens.version + 1, expires_at = excluded.expires_at, renewed_at = 0, \
         refresh_at = excluded.refresh_at, lease_until = 0, failures = 0, trouble = NULL, revoked = 0";
    let sealed = seal::seal(tx, secret, id, &json!(grant).to_string())?;
    let now = tx.now();
    let params: [Value; 7] = [
        ctx.workspace.into(),
        id.into(),
        grant.provider.as_deref().into(),
        sealed.text.into(),
        sealed.key_id.into(),
        (now + lifetime).into(),
        (now + refresh_after(lifetime)).into(),
    ];
    Ok(tx.execute(PUT, &params)?)
}

pub fn remove_grant(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    const REMOVE: &str = "DELETE FROM account_tokens WHERE workspace_id = $1 AND account_id = $2";
    Ok(tx.execute(REMOVE, &[ctx.workspace.into(), id.into()])?)
}

fn refresh_after(lifetime: i64) -> i64 {
    (lifetime - AHEAD).max(lifetime - lifetime / 4)
}

fn wait(failures: i64) -> i64 {
    let doublings = failures.clamp(0, 7) as u32;
    (FIRST_WAIT << doublings).min(LONGEST_WAIT)
}

/// Accounts of all workspaces whose tokens are to be renewed now.
pub fn due_renewals(tx: &mut dyn Tx) -> Result<Vec<(Uuid, Uuid)>, Error> {
    let clock = tx.dialect().clock();
    let due = format!(
        "SELECT workspace_id, account_id FROM account_tokens WHERE refresh_at <= {clock} AND lease_until <= {clock} \
         AND revoked = 0 ORDER BY refresh_at LIMIT 20"
    );
    Ok(tx.rows(&due, &[], |row| Ok((row.id(0)?, row.id(1)?)))?)
}

/// Claims the renewal of these tokens; `None` if another node, or another task of this node, renews them or has just done
/// so.
pub fn claim_renewal(
    tx: &mut dyn Tx,
    secret: &Secret,
    workspace: Uuid,
    id: Uuid,
    version: i64,
) -> Result<Option<StoredGrant>, Error> {
    let clock = tx.dialect().clock();
    let claim = format!(
        "UPDATE account_tokens SET lease_until = {clock} + $1 WHERE workspace_id = $2 AND account_id = $3 AND version = $4 \
         AND lease_until <= {clock} RETURNING {COLUMNS}, {clock}"
    );
    let row = tx.one(&claim, &[TOKEN_LEASE.into(), workspace.into(), id.into(), version.into()], decoded)?;
    opened(secret, id, row)
}

/// Writes renewed tokens; false if the account has other tokens by now, or none.
pub fn record_renewal(
    tx: &mut dyn Tx,
    secret: &Secret,
    workspace: Uuid,
    id: Uuid,
    version: i64,
    grant: &Grant,
    lifetime: i64,
) -> Result<bool, Error> {
    let clock = tx.dialect().clock();
    let write = format!(
        "UPDATE account_tokens SET sealed = $1, key_id = $2, version = version + 1, expires_at = {clock} + $3, renewed_at = {clock}, \
         refresh_at = {clock} + $4, lease_until = 0, failures = 0, trouble = NULL, revoked = 0 \
         WHERE workspace_id = $5 AND account_id = $6 AND version = $7 RETURNING account_id"
    );
    let sealed = seal::seal(tx, secret, id, &json!(grant).to_string())?;
    let params: [Value; 7] = [
        sealed.text.into(),
        sealed.key_id.into(),
        lifetime.into(),
        refresh_after(lifetime).into(),
        workspace.into(),
        id.into(),
        version.into(),
    ];
    Ok(tx.one(&write, &params, |_| Ok(()))?.is_some())
}

/// Records a failed renewal, which waits twice as long each time. Gives the wait in milliseconds; `None` if the account has
/// other tokens by now.
pub fn record_failed_renewal(
    tx: &mut dyn Tx,
    workspace: Uuid,
    id: Uuid,
    stored: &StoredGrant,
    trouble: &str,
    revoked: bool,
) -> Result<Option<i64>, Error> {
    let clock = tx.dialect().clock();
    let write = format!(
        "UPDATE account_tokens SET failures = failures + 1, trouble = $1, revoked = $2, refresh_at = {clock} + $3, lease_until = 0 \
         WHERE workspace_id = $4 AND account_id = $5 AND version = $6 RETURNING account_id"
    );
    let wait = wait(stored.failures);
    let params: [Value; 6] =
        [trouble.into(), i64::from(revoked).into(), wait.into(), workspace.into(), id.into(), stored.version.into()];
    Ok(tx.one(&write, &params, |_| Ok(()))?.map(|()| wait))
}

/// Puts the renewal of tokens that can't be read off.
pub fn postpone_renewal(tx: &mut dyn Tx, workspace: Uuid, id: Uuid) -> Result<(), Error> {
    let later = format!(
        "UPDATE account_tokens SET refresh_at = {} + $1 WHERE workspace_id = $2 AND account_id = $3",
        tx.dialect().clock()
    );
    Ok(tx.execute(&later, &[DAMAGED_WAIT.into(), workspace.into(), id.into()])?)
}

/// Seals all tokens of the workspace again, with the newest key; gives how many.
pub fn reseal_grants(ctx: &Ctx, tx: &mut dyn Tx, secret: &Secret) -> Result<usize, Error> {
    const ALL: &str = "SELECT sealed, key_id, account_id, version FROM account_tokens WHERE workspace_id = $1";
    const WRITE: &str = "UPDATE account_tokens SET sealed = $1, key_id = $2 \
         WHERE workspace_id = $3 AND account_id = $4 AND version = $5";
    let sealed = |row: &dyn Row| Ok((Sealed { text: row.text(0)?, key_id: row.text(1)? }, row.id(2)?, row.int(3)?));
    let all = tx.rows(ALL, &[ctx.workspace.into()], sealed)?;
    for (old, id, version) in &all {
        let plain = seal::open(secret, *id, old)?;
        let new = seal::seal(tx, secret, *id, &plain)?;
        // Tokens that were renewed meanwhile have the newest key already.
        let params = [new.text.into(), new.key_id.into(), ctx.workspace.into(), (*id).into(), (*version).into()];
        tx.execute(WRITE, &params)?;
    }
    Ok(all.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_renewed_before_they_expire() {
        assert_eq!(refresh_after(3_600_000), 3_300_000);
        assert_eq!(refresh_after(4_000), 3_000);
        assert_eq!(refresh_after(0), 0);
    }

    #[test]
    fn failed_renewals_wait_twice_as_long_each_time() {
        let waits: Vec<i64> = (0..9).map(|failures| wait(failures) / 1000).collect();
        assert_eq!(waits, [5, 10, 20, 40, 80, 160, 320, 600, 600]);
    }
}
