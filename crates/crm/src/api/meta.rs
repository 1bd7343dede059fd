//! Data of the whole installation: the fingerprint of the secret, and a version number that increases when nodes must
//! refresh their caches.

use hmac::{Hmac, KeyInit, Mac};
use resource::Error;
use sha2::Sha256;
use std::sync::Arc;
use store::Tx;

/// The server's secret, the key for the hashes of API keys.
#[derive(Clone)]
pub struct Secret(Arc<Hmac<Sha256>>);

impl Secret {
    /// At least 32 hexadecimal digits, as `serve` writes them on its first start.
    pub fn parse(text: &str) -> Option<Secret> {
        let text = text.trim();
        let usable = text.len() >= 32 && text.len().is_multiple_of(2) && text.bytes().all(|b| b.is_ascii_hexdigit());
        // HMAC takes a key of any length, so this can't fail.
        let keyed = || Hmac::new_from_slice(text.as_bytes()).expect("HMAC takes a key of any length");
        usable.then(|| Secret(Arc::new(keyed())))
    }

    pub fn hash(&self, text: &str) -> Vec<u8> {
        finish(Hmac::clone(&self.0), text)
    }

    fn fingerprint(&self) -> String {
        self.hash("relata fingerprint").iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// HMAC-SHA256 of a text with a key of any length.
pub fn keyed_hash(key: &[u8], text: &str) -> Vec<u8> {
    finish(Hmac::new_from_slice(key).expect("HMAC takes a key of any length"), text)
}

fn finish(mut mac: Hmac<Sha256>, text: &str) -> Vec<u8> {
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

/// Checks that the secret belongs to this database. The first secret that is used is stored.
pub fn check_secret(tx: &mut dyn Tx, secret: &Secret) -> Result<(), store::Error> {
    let kept = tx.one("SELECT value FROM meta WHERE name = 'secret'", &[], |row| row.text(0))?;
    match kept {
        None => tx.execute("INSERT INTO meta (name, value) VALUES ('secret', $1)", &[secret.fingerprint().into()]),
        Some(kept) if kept == secret.fingerprint() => Ok(()),
        Some(kept) => Err(store::Error::Unavailable(format!(
            "this secret (fingerprint {}) does not fit the database (fingerprint {kept}); give the secret that the database was \
             first started with by --secret-file",
            secret.fingerprint()
        ))),
    }
}

/// The base of links, as the last started server has it.
pub const PUBLIC_URL: &str = "public_url";
/// `--allow-private-hosts` of the last started server.
pub const PRIVATE_HOSTS: &str = "allow_private_hosts";

/// Stores a setting of the server, so that command-line commands use the same.
pub fn set(tx: &mut dyn Tx, name: &str, value: &str) -> Result<(), store::Error> {
    const SET: &str =
        "INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    tx.execute(SET, &[name.into(), value.into()])
}

/// A setting of the server; `None` if no server has been started yet.
pub fn get(tx: &mut dyn Tx, name: &str) -> Result<Option<String>, store::Error> {
    tx.one("SELECT value FROM meta WHERE name = $1", &[name.into()], |row| row.text(0))
}

pub const CONFIG_VERSION: &str = "SELECT value FROM meta WHERE name = 'config_version'";

/// Makes all nodes read cached keys and workspaces again.
pub fn config_changed(tx: &mut dyn Tx) -> Result<(), Error> {
    const MOVE: &str = "INSERT INTO meta (name, value) VALUES ('config_version', '1') \
         ON CONFLICT (name) DO UPDATE SET value = CAST(CAST(meta.value AS BIGINT) + 1 AS TEXT)";
    Ok(tx.execute(MOVE, &[])?)
}
