//! The database's files: permissions, remains of deleted rows, and copies of the whole database.

use super::connection::connect;
use super::transaction::SqliteTx;
use super::values::err;
use crate::instant::instant;
use crate::{Error, Lane, Schema, migrate};
use rusqlite::backup::StepResult;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::thread;
use std::time::Duration;

/// Restricts the database and its companion files to their owner, even if they or their folder were open to others
/// before. SQLite gives the log the database's mode.
pub(super) fn make_private(path: &Path) -> Result<(), Error> {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    let failed = |e: std::io::Error| Error::Unavailable(format!("{} can't be opened: {e}", path.display()));
    std::fs::OpenOptions::new().append(true).create(true).mode(0o600).open(path).map_err(failed)?;
    for ending in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        let Ok(found) = std::fs::metadata(&name) else { continue };
        if found.permissions().mode() & 0o077 != 0
            && let Err(error) = std::fs::set_permissions(&name, std::fs::Permissions::from_mode(0o600))
        {
            tracing::warn!(file = %Path::new(&name).display(), %error, "failed to make a database file private (0600)");
        }
    }
    Ok(())
}

/// Whether to compact the database: an earlier version left remains of deleted rows in it.
const COMPACT_DUE: &str = "SELECT 1 FROM meta WHERE name = 'compact_due'";

/// A failure, for want of disk space for instance, is only logged: the database stays as it was.
pub(super) fn compact_if_due(conn: &Connection, path: &Path) {
    if !conn.prepare(COMPACT_DUE).and_then(|mut due| due.exists([])).unwrap_or(false) {
        return;
    }
    tracing::info!("compacting the database once, to remove the remains of deleted rows; this may take minutes");
    match compact(path) {
        Ok(_) => tracing::info!("compacted the database"),
        Err(error) => tracing::error!(%error, "failed to compact the database; the next start tries again"),
    }
}

/// Rewrites the database without remains of deleted rows and empties the write-ahead log; false if readers keep the log
/// in use. Other writes wait meanwhile.
pub fn compact(path: &Path) -> Result<bool, Error> {
    let conn = connect(path, false, 8)?;
    // Temporary files go beside the database, where there is room for them, and not into memory.
    let folder = path.parent().unwrap_or(Path::new(".")).display().to_string().replace('\'', "''");
    conn.execute_batch(&format!(
        "PRAGMA temp_store = FILE; PRAGMA temp_store_directory = '{folder}'; \
         INSERT INTO texts_trigrams (texts_trigrams) VALUES ('optimize'); \
         INSERT INTO message_texts_trigrams (message_texts_trigrams) VALUES ('optimize'); VACUUM; \
         DELETE FROM meta WHERE name = 'compact_due'"
    ))
    .map_err(err)?;
    empty_log(&conn)
}

/// Copies the log into the database as far as nobody uses it; nobody waits.
pub(super) fn copy_log(path: &Path) -> Result<(), Error> {
    let conn = connect(path, false, 8)?;
    conn.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).map_err(err)
}

/// The log contains earlier versions of pages until it is overwritten.
pub(super) fn empty_log(conn: &Connection) -> Result<bool, Error> {
    // Waiting here would block the writer; the caller tries again instead.
    conn.busy_timeout(Duration::ZERO).map_err(err)?;
    let emptied = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
    match emptied.map_err(err) {
        Ok(busy) => Ok(busy == 0),
        Err(Error::Unavailable(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Copies a database in one step, in one read transaction of the source.
pub(super) fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    let source = connect(from, true, 8)?;
    let mut target = Connection::open(to).map_err(err)?;
    transfer(&source, &mut target)?;
    target.execute_batch("PRAGMA journal_mode = DELETE").map_err(err)
}

/// Checks that `file` is an intact database of a schema that this program knows.
pub fn check_copy(file: &Path) -> Result<(), Error> {
    let conn = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(err)?;
    let verdict: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).map_err(err)?;
    if verdict != "ok" {
        return Err(Error::damaged_database(verdict));
    }
    let mut tx = SqliteTx::new(&conn, Lane::Slow, 0);
    match migrate::schema(&mut tx)? {
        Schema::Empty => Err(Error::damaged_database("it holds no Relata database")),
        Schema::Newer(version) => Err(migrate::newer(version)),
        Schema::Older(_) | Schema::Current => Ok(()),
    }
}

/// Copies a checked database over the live one, in one transaction of the live one.
pub fn restore_into(file: &Path, live: &Path) -> Result<(), Error> {
    let source = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(err)?;
    make_private(live)?;
    let mut target = connect(live, false, 8)?;
    transfer(&source, &mut target)?;
    // The log still contains pages of the replaced database.
    empty_log(&target).map(drop)
}

/// Copies all pages in one step, and starts again if either side is locked.
fn transfer(source: &Connection, target: &mut Connection) -> Result<(), Error> {
    let backup = rusqlite::backup::Backup::new(source, target).map_err(err)?;
    let end = instant() + Duration::from_secs(10);
    loop {
        match backup.step(-1).map_err(err)? {
            StepResult::Done => return Ok(()),
            _ if instant() > end => return Err(Error::Unavailable("the database stays busy".into())),
            _ => thread::sleep(Duration::from_millis(20)),
        }
    }
}
