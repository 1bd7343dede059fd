//! The list of erasures: which records were erased, and the hashes of their addresses. It exists in the database and, as
//! a file, beside it, so that restoring an older backup does not restore an erased person: the entries that the restored
//! database lacks are repeated.

use super::remove;
use crate::api::meta::Secret;
use crate::api::seal::{self, Sealed};
use crate::records::collection::{Collected, Collection};
use crate::records::company::Company;
use crate::records::contact::Contact;
use crate::records::erased_address::{self, Hasher};
use resource::{Ctx, Error, all_of, find, place};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use store::{Tx, Uuid};

/// An erasure, or the permission to store erased addresses again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The time in milliseconds.
    pub at: i64,
    /// The collection of the records; empty if there are none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub collection: String,
    /// The erased record, and those that were merged into it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<Uuid>,
    /// Addresses that were erased.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub addresses: Vec<HashedAddress>,
    /// Hashes of addresses that an admin allowed again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HashedAddress {
    /// In hexadecimal digits.
    pub hash: String,
    /// Why nothing was sent to the address.
    pub suppression: Option<String>,
}

/// An entry outside of its database.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Listed {
    pub workspace: Uuid,
    pub id: Uuid,
    /// The key of the workspace's hashes, sealed with the server's secret: without it nobody can test whether an address
    /// is in the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    #[serde(flatten)]
    pub entry: Entry,
}

/// Seals under this name, not under a key that the database would have to know.
const SEAL: &str = "erasures";

impl Listed {
    /// The key of the hashes; `None` if the list was written with another secret.
    fn open_key(&self, secret: &Secret) -> Option<Vec<u8>> {
        let sealed = Sealed { text: self.key.clone()?, key_id: SEAL.into() };
        from_hex(&seal::open(secret, self.workspace, &sealed).ok()?)
    }
}

/// Adds an entry to the list, in the transaction of the erasure.
pub(super) fn add(ctx: &Ctx, tx: &mut dyn Tx, entry: &Entry) -> Result<(), Error> {
    let id = tx.id();
    insert(ctx, tx, id, entry)
}

fn insert(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, entry: &Entry) -> Result<(), Error> {
    const ADD: &str = "INSERT INTO erasures (workspace_id, id, entry) VALUES ($1, $2, $3)";
    Ok(tx.execute(ADD, &[ctx.workspace.into(), id.into(), serde_json::json!(entry).to_string().into()])?)
}

/// The number of entries in the database.
pub fn count(tx: &mut dyn Tx) -> Result<i64, Error> {
    Ok(tx.one("SELECT count(*) FROM erasures", &[], |row| row.int(0))?.unwrap_or_default())
}

/// The keys of the hashes of all workspaces, sealed.
pub fn sealed_keys(tx: &mut dyn Tx, secret: &Secret) -> Result<BTreeMap<Uuid, String>, Error> {
    const KEYS: &str = "SELECT id, erasure_key FROM workspaces WHERE erasure_key IS NOT NULL";
    let keys = tx.rows(KEYS, &[], |row| Ok((row.id(0)?, row.get(1)?.bytes()?.to_vec())))?;
    keys.into_iter().map(|(id, key)| Ok((id, seal::seal_under(secret, SEAL, id, &hex(&key))?.text))).collect()
}

/// The next entries of the database after this one, in the order of their ids.
pub fn page(tx: &mut dyn Tx, after: (Uuid, Uuid), limit: i64) -> Result<Vec<Listed>, Error> {
    const PAGE: &str = "SELECT workspace_id, id, entry FROM erasures WHERE (workspace_id, id) > ($1, $2) \
         ORDER BY workspace_id, id LIMIT $3";
    let params = [after.0.into(), after.1.into(), limit.into()];
    let rows = tx.rows(PAGE, &params, |row| Ok((row.id(0)?, row.id(1)?, row.text(2)?)))?;
    let listed = rows.into_iter().map(|(workspace, id, entry)| {
        Ok(Listed { workspace, id, key: None, entry: place("erasures", "entry", &id).json(&entry)? })
    });
    listed.collect()
}

/// The result of repeating an entry.
#[derive(Debug, Default)]
pub struct Repeated {
    /// How many records were erased.
    pub erased: usize,
    /// A record that can't be erased, because in this database it is merged with another one that was not erased.
    pub merged: Option<Uuid>,
    /// Whether the hashes can't be used: they have another key.
    pub is_foreign: bool,
    /// Whether records are left, because the unit had no more time.
    pub is_unfinished: bool,
}

/// Repeats an entry in a restored database, which may contain the records again. An entry that the database has is
/// not repeated.
pub fn repeat(ctx: &Ctx, tx: &mut dyn Tx, secret: &Secret, listed: &Listed) -> Result<Repeated, Error> {
    const KNOWN: &str = "SELECT 1 FROM erasures WHERE workspace_id = $1 AND id = $2";
    if tx.one(KNOWN, &[ctx.workspace.into(), listed.id.into()], |_| Ok(()))?.is_some() {
        return Ok(Repeated::default());
    }
    let entry = &listed.entry;
    // Before the first record is erased, which would make another key.
    let is_own = match listed.open_key(secret) {
        Some(key) => Hasher::adopt(ctx, tx, key)?,
        None => false,
    };
    let mut repeated = match entry.collection.as_str() {
        "" => Repeated::default(),
        word if word == Collection::Contacts.word() => erase_again::<Contact>(ctx, tx, entry)?,
        word if word == Collection::Companies.word() => erase_again::<Company>(ctx, tx, entry)?,
        word => {
            return Err(resource::invalid("collection", format!("{word} is unknown; is the list of a newer version?")));
        }
    };
    if repeated.merged.is_some() || repeated.is_unfinished {
        return Ok(repeated);
    }
    if is_own {
        hashes(ctx, tx, entry)?;
    } else {
        repeated.is_foreign = !entry.addresses.is_empty() || !entry.allowed.is_empty();
    }
    insert(ctx, tx, listed.id, entry)?;
    Ok(repeated)
}

fn erase_again<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, entry: &Entry) -> Result<Repeated, Error> {
    let mut repeated = Repeated::default();
    let mut left = Vec::new();
    for id in &entry.records {
        let saved = match find::<R>(ctx, tx, *id) {
            Err(Error::NotFound(_)) => continue,
            found => found?,
        };
        // A merge that was undone between the backup and the erasure: the other person was not erased.
        if all_of(ctx, tx, saved.id)?.iter().any(|part| !entry.records.contains(part)) {
            repeated.merged = Some(*id);
            return Ok(repeated);
        }
        left.push(saved.id);
    }
    left.sort_unstable();
    left.dedup();
    for id in left {
        if !tx.has_time() {
            repeated.is_unfinished = true;
            break;
        }
        let saved = find::<R>(ctx, tx, id)?;
        remove(ctx, tx, &saved)?;
        repeated.erased += 1;
    }
    Ok(repeated)
}

fn hashes(ctx: &Ctx, tx: &mut dyn Tx, entry: &Entry) -> Result<(), Error> {
    let damaged = || resource::invalid("hash", "is no hexadecimal number");
    for address in &entry.addresses {
        let hash = from_hex(&address.hash).ok_or_else(damaged)?;
        erased_address::remember_hash(ctx, tx, &hash, address.suppression.as_deref())?;
    }
    for hash in &entry.allowed {
        erased_address::forget_hash(ctx, tx, &from_hex(hash).ok_or_else(damaged)?)?;
    }
    Ok(())
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    digits.map(|pair| u8::from_str_radix(str::from_utf8(pair).ok().filter(|pair| pair.len() == 2)?, 16).ok()).collect()
}
