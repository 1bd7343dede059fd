//! A database clock that ran ahead and was set right leaves leases and due times behind that lie too far in the future.
//! Each has a longest time from now, so what is later is recognized and moved back to that.

use crate::profile::segment;
use crate::{account, job};
use resource::Error;
use store::{Dialect, Tx};

/// Milliseconds that a time may be too late before it is corrected: stamps run ahead of the clock by that much in a burst.
const TOLERANCE: i64 = 2_000;

/// A time column and the latest value that a right clock could have written now.
struct Bound {
    table: &'static str,
    column: &'static str,
    /// SQL of the milliseconds from now.
    longest: String,
    rows: &'static str,
}

const ENRICHMENT_LEASE: &str = "(SELECT p.seconds * 1000 + 5000 FROM enrichment_providers p \
     WHERE p.workspace_id = enrichment_due.workspace_id AND p.id = enrichment_due.provider_id)";

/// Due times that are relative to when their row was written: the table, that time, and the due time.
const RELATIVE: &[(&str, &str, &str)] = &[("sends", "created_at", "due_at"), ("enrichment_due", "since", "run_at")];

fn bounds(send_lease: i64) -> Vec<Bound> {
    let bound = |table, column, longest, rows| Bound { table, column, longest, rows };
    vec![
        bound("jobs", "run_at", "wait".to_owned(), "1 = 1"),
        bound("jobs", "lease_until", job::LEASE.to_string(), "1 = 1"),
        bound("account_states", "sync_until", account::SYNC_LEASE.to_string(), "1 = 1"),
        // Without a failure nobody waits for a minute.
        bound("account_states", "sync_at", "60000".to_owned(), "sync_failures = 0"),
        bound("account_states", "sync_at", account::LONGEST_WAIT.to_string(), "sync_failures > 0"),
        bound("sends", "lease_until", send_lease.to_string(), "state = 'sending'"),
        bound("enrichment_due", "lease_until", ENRICHMENT_LEASE.to_owned(), "lease_until > 0"),
        bound("profile_writer", "until", segment::LEASE.to_string(), "1 = 1"),
    ]
}

impl Bound {
    fn is_exceeded(&self, dialect: Dialect) -> String {
        let Bound { column, longest, rows, .. } = self;
        format!("{rows} AND {column} > {} + {longest} + {TOLERANCE}", dialect.clock())
    }
}

/// Whether a lease or due time is later than a right clock could have set it. A read, so that looking holds up no write.
pub fn is_ahead(tx: &mut dyn Tx, send_lease: i64) -> Result<bool, Error> {
    for bound in bounds(send_lease) {
        let sql = format!("SELECT 1 FROM {} WHERE {} LIMIT 1", bound.table, bound.is_exceeded(tx.dialect()));
        if tx.one(&sql, &[], |_| Ok(()))?.is_some() {
            return Ok(true);
        }
    }
    for (table, written, _) in RELATIVE {
        let clock = tx.dialect().clock();
        let sql = format!("SELECT 1 FROM {table} WHERE {written} > {clock} + {TOLERANCE} LIMIT 1");
        if tx.one(&sql, &[], |_| Ok(()))?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Moves such times back to the latest that they may be.
pub fn correct(tx: &mut dyn Tx, send_lease: i64) -> Result<(), Error> {
    let clock = tx.dialect().clock();
    for bound in bounds(send_lease) {
        let Bound { table, column, longest, .. } = &bound;
        let exceeded = bound.is_exceeded(tx.dialect());
        tx.execute(&format!("UPDATE {table} SET {column} = {clock} + {longest} WHERE {exceeded}"), &[])?;
    }
    for (table, written, due) in RELATIVE {
        let sql = format!(
            "UPDATE {table} SET {due} = {due} - ({written} - {clock}), {written} = {clock} WHERE {written} > {clock} + {TOLERANCE}"
        );
        tx.execute(&sql, &[])?;
    }
    Ok(())
}
