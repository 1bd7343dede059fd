//! Throttles attempts to sign in. Each attempt counts as failed before the password is checked, so that concurrent
//! attempts gain nothing; a correct password resets the count. After some failures the next attempt must wait, each
//! time twice as long up to a limit, so that nobody is locked out forever. The counts are in the database, so that a
//! restart does not reset them.

use crate::api::meta::Secret;
use crate::tenant::email::email_key;
use resource::Error;
use store::{Tx, Value};

/// The number of failures before the first wait, and the longest wait in milliseconds.
struct Bound {
    kind: &'static str,
    free: i64,
    most: i64,
}

/// Limits per email, per IP address and per (email, IP). The limit per email is lenient, so that an attacker cannot
/// lock a user out.
const BOUNDS: &[Bound] = &[
    Bound { kind: "account", free: 50, most: 30_000 },
    Bound { kind: "address", free: 30, most: 900_000 },
    Bound { kind: "both", free: 5, most: 900_000 },
];
/// How long a failure counts, in milliseconds.
const REMEMBERED: i64 = 24 * 60 * 60 * 1000;

/// The email and the IP address of an attempt.
#[derive(Clone)]
pub struct Trier {
    pub email: String,
    pub address: String,
}

impl Trier {
    /// Hashed names, so that the database does not reveal emails and addresses.
    fn names(&self, secret: &Secret) -> impl Iterator<Item = (&'static Bound, String)> {
        let (email, address) = (email_key(self.email.trim()), self.address.clone());
        let secret = secret.clone();
        BOUNDS.iter().map(move |bound| {
            let name = match bound.kind {
                "account" => email.clone(),
                "address" => address.clone(),
                _ => format!("{email} {address}"),
            };
            let hash = secret.hash(&format!("attempt {} {name}", bound.kind));
            let hash: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
            (bound, format!("{} {hash}", bound.kind))
        })
    }
}

/// Counts an attempt, or returns the error with the time to wait.
pub fn begin(tx: &mut dyn Tx, secret: &Secret, now: i64, trier: &Trier) -> Result<(), Error> {
    const MAKE: &str =
        "INSERT INTO attempts (name, failures, until, at) VALUES ($1, 0, 0, $2) ON CONFLICT (name) DO NOTHING";
    const NOTE: &str = "UPDATE attempts SET failures = $1, until = $2, at = $3 WHERE name = $4";
    let look = format!("SELECT failures, until, at FROM attempts WHERE name = $1{}", tx.dialect().lock());
    // Always in the same order, so that two transactions can't deadlock.
    for (bound, name) in trier.names(secret) {
        let name: Value = name.into();
        tx.execute(MAKE, &[name.clone(), now.into()])?;
        let row = tx.one(&look, std::slice::from_ref(&name), |row| Ok((row.int(0)?, row.int(1)?, row.int(2)?)))?;
        let (failures, until, at) = row.unwrap_or((0, 0, now));
        // An attempt in the future was counted before the clock was set back; its wait is moved back by the same
        // amount.
        let (until, at) = (until - (at - now).max(0), at.min(now));
        if until > now {
            return Err(Error::Attempts { seconds: (until - now + 999) / 1000 });
        }
        let failures = if at < now - REMEMBERED { 1 } else { failures + 1 };
        // After the last free attempt the next one must wait.
        let over = (failures + 1 - bound.free).clamp(0, 20);
        let wait = if over > 0 { (1000_i64 << (over - 1)).min(bound.most) } else { 0 };
        tx.execute(NOTE, &[failures.into(), (now + wait).into(), now.into(), name])?;
    }
    Ok(())
}

/// Resets the counts after a correct password. Other failures from the same IP address still count.
pub fn forgive(tx: &mut dyn Tx, secret: &Secret, trier: &Trier) -> Result<(), Error> {
    const ONE_LESS: &str = "UPDATE attempts SET failures = failures - 1, until = 0 WHERE name = $1 AND failures > 0";
    for (bound, name) in trier.names(secret) {
        match bound.kind {
            "address" => tx.execute(ONE_LESS, &[name.into()])?,
            _ => tx.execute("DELETE FROM attempts WHERE name = $1", &[name.into()])?,
        }
    }
    Ok(())
}

pub fn forget(tx: &mut dyn Tx, now: i64) -> Result<(), Error> {
    Ok(tx.execute("DELETE FROM attempts WHERE at <= $1", &[(now - REMEMBERED).into()])?)
}
