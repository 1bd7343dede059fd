//! Seals secrets of third parties: encrypts them under a key derived from the server's secret and a key id. The id is
//! stored with each sealed value, so that old values stay readable after a rotation.

use crate::api::meta::Secret;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{ChaCha20Poly1305, Key, KeyInit, Nonce};
use resource::Error;
use store::{Tx, Uuid};

/// The stored form of a secret.
#[derive(Clone, Debug)]
pub struct Sealed {
    pub text: String,
    pub key_id: String,
}

/// Seals under the newest key. The id of the owner is authenticated too, so that a value copied to another row can't be
/// opened.
pub fn seal(tx: &mut dyn Tx, secret: &Secret, of: Uuid, plain: &str) -> Result<Sealed, Error> {
    let key_id = newest(tx)?;
    seal_under(secret, &key_id, of, plain)
}

/// Seals under a key that is not rotated, for values outside of the database.
pub fn seal_under(secret: &Secret, key_id: &str, of: Uuid, plain: &str) -> Result<Sealed, Error> {
    let nonce: [u8; 12] = rand::random();
    let sealed = cipher(secret, key_id)
        .encrypt(&Nonce::from(nonce), Payload { msg: plain.as_bytes(), aad: of.as_bytes() })
        .map_err(|_| store::Error::Internal("a secret can't be sealed".into()))?;
    let text = STANDARD.encode([nonce.as_slice(), &sealed].concat());
    Ok(Sealed { text, key_id: key_id.to_owned() })
}

pub fn open(secret: &Secret, of: Uuid, sealed: &Sealed) -> Result<String, Error> {
    let damaged = || {
        Error::from(store::Error::unreadable(
            "the account's secrets can't be opened: they were sealed under another server secret, or altered; remove the \
             account and add it again",
        ))
    };
    let bytes = STANDARD.decode(&sealed.text).map_err(|_| damaged())?;
    let (nonce, sealed_bytes) = bytes.split_at_checked(12).ok_or_else(damaged)?;
    let nonce: [u8; 12] = nonce.try_into().map_err(|_| damaged())?;
    let plain = cipher(secret, &sealed.key_id)
        .decrypt(&Nonce::from(nonce), Payload { msg: sealed_bytes, aad: of.as_bytes() })
        .map_err(|_| damaged())?;
    String::from_utf8(plain).map_err(|_| damaged())
}

/// Starts a new key for all values that are sealed from now on.
pub fn rotate(tx: &mut dyn Tx) -> Result<String, Error> {
    const ROTATE: &str = "INSERT INTO meta (name, value) VALUES ('account_key', $1) \
         ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    let key_id = Uuid::new_v4().simple().to_string();
    tx.execute(ROTATE, &[key_id.as_str().into()])?;
    Ok(key_id)
}

fn newest(tx: &mut dyn Tx) -> Result<String, Error> {
    match tx.one("SELECT value FROM meta WHERE name = 'account_key'", &[], |row| row.text(0))? {
        Some(key_id) => Ok(key_id),
        None => rotate(tx),
    }
}

fn cipher(secret: &Secret, key_id: &str) -> ChaCha20Poly1305 {
    let mut key = [0; 32];
    key.copy_from_slice(&secret.hash(&format!("relata account secrets {key_id}"))[..32]);
    ChaCha20Poly1305::new(&Key::from(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_value_opens_unchanged_for_its_owner_alone() {
        let secret = Secret::parse("00112233445566778899aabbccddeeff").expect("a secret");
        let other = Secret::parse("00112233445566778899aabbccddeefe").expect("a secret");
        let (owner, plain) = (Uuid::from_u128(1), "smtp://ann:s3cret@mail.example.com");
        let seal = || seal_under(&secret, "one", owner, plain).expect("sealed");
        let sealed = seal();
        assert_eq!(open(&secret, owner, &sealed).ok().as_deref(), Some(plain));
        assert_ne!(seal().text, sealed.text, "each has a nonce of its own");
        // A nonce of 96 bits before the value, and a tag of 128 bits behind it.
        let bytes = STANDARD.decode(&sealed.text).expect("base64");
        assert_eq!(bytes.len(), 12 + plain.len() + 16);
        assert!(open(&secret, Uuid::from_u128(2), &sealed).is_err(), "in another record");
        assert!(open(&other, owner, &sealed).is_err(), "under another secret");
        let key_id = Sealed { key_id: "two".into(), ..sealed.clone() };
        assert!(open(&secret, owner, &key_id).is_err(), "under another key");
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            let changed = Sealed { text: STANDARD.encode(&changed), ..sealed.clone() };
            assert!(open(&secret, owner, &changed).is_err(), "byte {at}");
            let cut = Sealed { text: STANDARD.encode(&bytes[..at]), ..sealed.clone() };
            assert!(open(&secret, owner, &cut).is_err(), "{at} bytes");
        }
    }
}
