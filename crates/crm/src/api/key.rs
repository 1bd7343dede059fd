//! API keys: `relata_`, 30 random base62 characters, 6 of checksum. Stored as a keyed hash, shown once. States: active
//! → expired by its date, active → revoked.

use crate::api::meta::{Secret, config_changed};
use crate::api::scope::{Role, Scopes};
use rand::RngExt;
use resource::{Ctx, Error, StoredRow, Time, event, invalid, not_found, tidy};
use serde_json::{Map, json};
use std::sync::Arc;
use store::{Row, Tx, Uuid};

pub const PREFIX: &str = "relata_";
pub const RANDOM: usize = 30;
const CHECK: usize = 6;
const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// The identity behind a request: an API key, or a session of the dashboard.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The key's id, or the session's.
    pub key: Uuid,
    /// The role of the signed-in user; `None` for a key.
    pub role: Option<Role>,
    pub name: Arc<str>,
    pub last4: String,
    pub scopes: Scopes,
    pub user: Uuid,
    pub expires_at: Option<i64>,
    pub workspace: Uuid,
    pub plan: String,
    pub active: bool,
    pub rate_limit: i64,
}

pub struct New<'a> {
    pub name: &'a str,
    pub scopes: Scopes,
    pub owner: Uuid,
    pub expires_at: Option<i64>,
}

/// A line of `keys list`.
pub struct Listed {
    pub id: Uuid,
    pub name: String,
    pub last4: String,
    /// The owner of the key, and their email address.
    pub user: Uuid,
    pub owner: String,
    pub scopes: String,
    pub created_at: i64,
    pub expires_at: Option<i64>,
    pub last_used_at: Option<i64>,
    pub revoked_at: Option<i64>,
}

pub fn mint() -> String {
    let random = token();
    format!("{PREFIX}{random}{}", checksum(&random))
}

impl Listed {
    pub fn state(&self, now: i64) -> &'static str {
        match (self.revoked_at, self.expires_at) {
            (Some(_), _) => "revoked",
            (None, Some(at)) if at <= now => "expired",
            _ => "active",
        }
    }

    /// Whether it is valid for longer than the workspace now allows, in days.
    pub fn exceeds(&self, longest: Option<i64>, now: i64) -> bool {
        let ends = self.expires_at.unwrap_or(i64::MAX);
        self.state(now) == "active" && longest.is_some_and(|days| ends > self.created_at + days * DAY)
    }
}

/// Random characters. Bytes from 248 are skipped because they would favour the first characters.
pub fn token() -> String {
    let mut rng = rand::rng();
    let mut random = String::with_capacity(RANDOM);
    while random.len() < RANDOM {
        let byte: u8 = rng.random();
        if byte < 248 {
            random.push(BASE62[byte as usize % 62] as char);
        }
    }
    random
}

/// CRC32 of the random part in base62, six digits, the highest first.
fn checksum(random: &str) -> String {
    let mut crc = crc32fast::hash(random.as_bytes());
    let mut digits = [b'0'; CHECK];
    for digit in digits.iter_mut().rev() {
        *digit = BASE62[crc as usize % 62];
        crc /= 62;
    }
    digits.iter().map(|digit| *digit as char).collect()
}

/// Whether this could be a key, checked without a database query.
pub fn well_formed(key: &str) -> bool {
    let Some(body) = key.strip_prefix(PREFIX) else { return false };
    body.len() == RANDOM + CHECK
        && body.bytes().all(|b| b.is_ascii_alphanumeric())
        && checksum(&body[..RANDOM]) == body[RANDOM..]
}

/// A day in milliseconds.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// Rejects an expiry in the past or beyond the workspace's limit. If there is a limit, an expiry is required, so that
/// nobody expects a key to last forever.
pub fn check_expiry(ctx: &Ctx, tx: &mut dyn Tx, field: &str, expires_at: Option<i64>) -> Result<(), Error> {
    let now = tx.stamp();
    if expires_at.is_some_and(|at| at <= now) {
        return Err(invalid(field, "lies in the past"));
    }
    let Some(days) = longest_life(ctx, tx)? else { return Ok(()) };
    let latest = now + days * DAY;
    match expires_at {
        Some(at) if at <= latest => Ok(()),
        given => {
            let why = if given.is_some() { "is too late" } else { "is required" };
            let limit = format!("keys of this workspace last at most {days} days");
            Err(invalid(field, format!("{why}; {limit}: give a time up to {}", Time(latest))))
        }
    }
}

/// The longest lifetime of a new key in the workspace, in days.
fn longest_life(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Option<i64>, Error> {
    const LONGEST: &str = "SELECT longest_key_days FROM workspaces WHERE id = $1 AND removed_at IS NULL";
    tx.one(LONGEST, &[ctx.workspace.into()], |row| row.maybe_int(0))?.ok_or_else(|| not_found("workspace"))
}

/// Stores the hash of a minted key.
pub fn create(ctx: &Ctx, tx: &mut dyn Tx, secret: &Secret, key: &str, new: &New<'_>) -> Result<Uuid, Error> {
    const CREATE: &str = "INSERT INTO api_keys (id, workspace_id, user_id, name, last4, hash, scopes, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let name = tidy("name", new.name)?;
    if name.is_empty() || name.chars().count() > 100 {
        return Err(invalid("name", "must have 1 to 100 characters"));
    }
    check_expiry(ctx, tx, "expires", new.expires_at)?;
    let (id, now) = (tx.id(), tx.stamp());
    let params = [
        id.into(),
        ctx.workspace.into(),
        new.owner.into(),
        name.as_str().into(),
        key[key.len() - 4..].into(),
        secret.hash(key).into(),
        new.scopes.names().join(",").into(),
        now.into(),
        new.expires_at.into(),
    ];
    tx.execute(CREATE, &params)?;
    config_changed(tx)?;
    let mut changes = Map::new();
    changes.insert("name".into(), json!([null, name]));
    changes.insert("scopes".into(), json!([null, new.scopes.names()]));
    event(ctx, tx, "key.created", "key", id, &changes)?;
    Ok(id)
}

/// Oldest first. The owner's address is empty if they left this workspace and were erased with another one.
pub fn list(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<Listed>, Error> {
    const LIST: &str = "SELECT k.id, k.name, k.last4, COALESCE(u.email, ''), k.scopes, k.created_at, k.expires_at, k.last_used_at, k.revoked_at, k.user_id \
         FROM api_keys k LEFT JOIN users u ON u.id = k.user_id WHERE k.workspace_id = $1 ORDER BY k.id";
    let listed = |row: &dyn Row| {
        Ok(Listed {
            id: row.id(0)?,
            name: row.text(1)?,
            last4: row.text(2)?,
            owner: row.text(3)?,
            scopes: row.text(4)?,
            created_at: row.int(5)?,
            expires_at: row.maybe_int(6)?,
            last_used_at: row.maybe_int(7)?,
            revoked_at: row.maybe_int(8)?,
            user: row.id(9)?,
        })
    };
    Ok(tx.rows(LIST, &[ctx.workspace.into()], listed)?)
}

/// Revokes a key permanently; revoking it again has no effect.
pub fn revoke(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    let keys = list(ctx, tx)?;
    let key = keys.iter().find(|key| key.id == id).ok_or_else(|| not_found("key"))?;
    if key.revoked_at.is_some() {
        return Ok(());
    }
    let now = tx.stamp();
    tx.execute("UPDATE api_keys SET revoked_at = $1 WHERE id = $2", &[now.into(), id.into()])?;
    config_changed(tx)?;
    let mut changes = Map::new();
    changes.insert("revoked_at".into(), json!([null, Time(now).to_string()]));
    event(ctx, tx, "key.revoked", "key", id, &changes)
}

pub const IDENTIFY: &str = "SELECT k.id, k.name, k.last4, k.scopes, k.user_id, k.expires_at, w.id, w.plan, w.subscription, w.rate_limit \
     FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id WHERE k.hash = $1 AND k.revoked_at IS NULL";

/// Reads the row of `IDENTIFY`.
pub fn identity(row: &dyn Row) -> Result<Identity, store::Error> {
    Ok(Identity {
        key: row.id(0)?,
        role: None,
        name: row.text(1)?.into(),
        last4: row.text(2)?,
        scopes: row.word(3, |scopes| Scopes::parse(scopes).ok())?,
        user: row.id(4)?,
        expires_at: row.maybe_int(5)?,
        workspace: row.id(6)?,
        plan: row.text(7)?,
        active: row.text(8)? == "active",
        rate_limit: row.int(9)?,
    })
}

pub const USED: &str =
    "UPDATE api_keys SET last_used_at = $1 WHERE id = $2 AND (last_used_at IS NULL OR last_used_at < $1)";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_minted_key_is_well_formed_and_a_changed_one_is_not() {
        let key = mint();
        assert_eq!(key.len(), 43);
        assert!(well_formed(&key));
        for at in 7..43 {
            let mut other = key.clone().into_bytes();
            other[at] = if other[at] == b'a' { b'b' } else { b'a' };
            assert!(!well_formed(&String::from_utf8(other).expect("ASCII")), "position {at}");
        }
        for bad in [
            "",
            "relata_",
            "relata_short",
            &key[..42],
            &format!("{key}x"),
            &key.to_uppercase(),
            "relata_ééééééééééééééééééé",
        ] {
            assert!(!well_formed(bad), "{bad}");
        }
    }
}
