//! Corrects leases and due times that are too far in the future because the database clock ran ahead and was set back.
//! Each kind of time has a maximum distance from now, so later times are recognized and moved back to it.

use crate::api::queue;
use crate::outreach::{account, outbox};
use crate::sourcing::profile::segment;
use resource::Error;
use store::{Dialect, Tx};

/// Milliseconds that a time may be too late before it is corrected: in a burst of writes, stamps run ahead of the clock
/// by that much.
const TOLERANCE: i64 = 2_000;

/// A time column, and the latest value that a correct clock could have written now.
struct Bound {
    table: &'static str,
    column: &'static str,
    /// SQL for the milliseconds from now.
    longest: String,
    rows: &'static str,
}

const ENRICHMENT_LEASE: &str = "(SELECT p.seconds * 1000 + 5000 FROM enrichment_providers p \
     WHERE p.workspace_id = enrichment_due.workspace_id AND p.id = enrichment_due.provider_id)";

/// Due times that depend on the time when their row was written: the table, that time, and the due time.
const RELATIVE: &[(&str, &str, &str)] = &[("sends", "created_at", "due_at"), ("enrichment_due", "since", "run_at")];

fn bounds(send_lease: i64) -> Vec<Bound> {
    let bound = |table, column, longest, rows| Bound { table, column, longest, rows };
    vec![
        bound("jobs", "run_at", "wait".to_owned(), "1 = 1"),
        bound("jobs", "lease_until", queue::LEASE.to_string(), "1 = 1"),
        bound("account_states", "sync_until", account::SYNC_LEASE.to_string(), "1 = 1"),
        // Without failures no account waits longer than a minute.
        bound("account_states", "sync_at", "60000".to_owned(), "sync_failures = 0"),
        bound("account_states", "sync_at", account::LONGEST_WAIT.to_string(), "sync_failures > 0"),
        bound("account_tokens", "lease_until", account::TOKEN_LEASE.to_string(), "1 = 1"),
        bound("account_states", "filing_at", outbox::LONGEST_FILING_WAIT.to_string(), "1 = 1"),
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

/// Whether a lease or due time is later than a correct clock could have set it. Runs as a read, so that it blocks no
/// write.
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

/// Moves such times back to the latest valid one.
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
