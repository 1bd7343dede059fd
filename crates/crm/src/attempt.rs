//! Attempts to sign in. Each is counted as failed before it is tried, so that many at once gain nothing, and forgiven when
//! it was right. After some failures the next attempt must wait, each time twice as long, up to a bound: nobody is locked
//! out for ever. What is counted stands in the database, so that a restart forgets nothing.

use crate::meta::Secret;
use crate::workspace::email_key;
use resource::Error;
use store::{Tx, Value};

/// Failures after which a name must wait, and the longest wait in milliseconds.
struct Bound {
    kind: &'static str,
    free: i64,
    most: i64,
}

/// One person at one place; one place, whoever it tries to be; one person, wherever from. The last is mild: others must
/// not be able to keep somebody out.
const BOUNDS: &[Bound] = &[
    Bound { kind: "account", free: 50, most: 30_000 },
    Bound { kind: "address", free: 30, most: 900_000 },
    Bound { kind: "both", free: 5, most: 900_000 },
];
/// How long a failure is remembered.
const REMEMBERED: i64 = 24 * 60 * 60 * 1000;

/// Who tries, as far as that is known.
#[derive(Clone)]
pub struct Trier {
    pub email: String,
    pub address: String,
}

impl Trier {
    /// Names that tell a reader of the database nothing.
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

/// Counts an attempt, or says how long to wait for the next one.
pub fn begin(tx: &mut dyn Tx, secret: &Secret, now: i64, trier: &Trier) -> Result<(), Error> {
    const MAKE: &str =
        "INSERT INTO attempts (name, failures, until, at) VALUES ($1, 0, 0, $2) ON CONFLICT (name) DO NOTHING";
    const NOTE: &str = "UPDATE attempts SET failures = $1, until = $2, at = $3 WHERE name = $4";
    let look = format!("SELECT failures, until, at FROM attempts WHERE name = $1{}", tx.dialect().lock());
    // Always in the same order, so that two never wait for each other crosswise.
    for (bound, name) in trier.names(secret) {
        let name: Value = name.into();
        tx.execute(MAKE, &[name.clone(), now.into()])?;
        let row = tx.one(&look, std::slice::from_ref(&name), |row| Ok((row.int(0)?, row.int(1)?, row.int(2)?)))?;
        let (failures, until, at) = row.unwrap_or((0, 0, now));
        // An attempt later than now was counted by a clock that has been set back since; the pause moves with it.
        let (until, at) = (until - (at - now).max(0), at.min(now));
        if until > now {
            return Err(Error::Attempts { seconds: (until - now + 999) / 1000 });
        }
        let failures = if at < now - REMEMBERED { 1 } else { failures + 1 };
        // After the last free one the next must wait.
        let over = (failures + 1 - bound.free).clamp(0, 20);
        let wait = if over > 0 { (1000_i64 << (over - 1)).min(bound.most) } else { 0 };
        tx.execute(NOTE, &[failures.into(), (now + wait).into(), now.into(), name])?;
    }
    Ok(())
}

/// It was right. What others have tried from the same place stays counted.
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
