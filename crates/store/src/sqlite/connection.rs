//! A connection to the database file.

use super::values::err;
use crate::Error;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::path::Path;
use std::thread;
use std::time::Duration;

/// If the log has so many pages (64 MB), each commit copies it into the database file.
pub(super) const LONGEST_LOG: i32 = 16_000;

pub(super) fn connect(path: &Path, read_only: bool, cache_mb: i64) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut conn = Connection::open_with_flags(path, flags).map_err(err)?;
    conn.busy_handler(Some(be_patient)).map_err(err)?;
    conn.set_prepared_statement_cache_capacity(256);
    // Plans must not depend on bound values: SQLite would otherwise prepare a cached statement again at each binding.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(err)?;
    write_ahead(&conn)?;
    let pragmas = format!(
        "PRAGMA secure_delete = ON; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; \
         PRAGMA cache_size = -{}; PRAGMA wal_autocheckpoint = {LONGEST_LOG}; PRAGMA journal_size_limit = 67108864; \
         PRAGMA query_only = {};",
        cache_mb * 1024,
        if read_only { "ON" } else { "OFF" }
    );
    conn.execute_batch(&pragmas).map_err(err)?;
    Ok(conn)
}

/// Switches the file to a write-ahead log. SQLite does not call the busy handler when two connections switch a new file
/// at once (each holds a read lock that the other would wait for), so the loser tries again here.
fn write_ahead(conn: &Connection) -> Result<(), Error> {
    let mut looks = 0;
    loop {
        match conn.execute_batch("PRAGMA journal_mode = WAL") {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && be_patient(looks) => looks += 1,
            done => return done.map_err(err),
        }
    }
}

/// Waits about ten seconds for a lock, trying every millisecond: SQLite's own handler sleeps ever longer, and an
/// operator's command would hardly hit the gap between two commits of a busy server.
fn be_patient(looks: i32) -> bool {
    thread::sleep(Duration::from_millis(1));
    looks < 9_000
}

#[cfg(test)]
mod tests {
    use super::connect;
    use std::sync::{Arc, Barrier};
    use std::thread;

    #[test]
    fn several_connections_switch_a_new_file_at_once() {
        for _ in 0..30 {
            let folder = tempfile::tempdir().unwrap();
            let together = Arc::new(Barrier::new(8));
            let threads: Vec<_> = (0..8)
                .map(|_| {
                    let (path, together) = (folder.path().join("relata.db"), together.clone());
                    thread::spawn(move || {
                        together.wait();
                        connect(&path, false, 8).map(drop)
                    })
                })
                .collect();
            for thread in threads {
                thread.join().unwrap().expect("the file opens");
            }
        }
    }
}
