//! Copies the write-ahead log into the database file beside the writer. Otherwise the commit that fills the log copies all
//! of it, and all writes wait for that.

use super::at_rest::copy_log;
use super::connection::LONGEST_LOG;
use super::values::err;
use crate::Error;
use rusqlite::Connection;
use rusqlite::hooks::Wal;
use std::path::PathBuf;
use std::sync::mpsc::sync_channel;
use std::thread::JoinHandle;

/// The log is copied each time that it has grown by so many pages (16 MB).
const COPIED: i32 = 4_000;

/// Starts a thread that ends when this connection, the writer's, is closed.
pub(super) fn copy_beside(writer: &mut Connection, file: PathBuf) -> Result<JoinHandle<()>, Error> {
    let (ask, asked) = sync_channel(1);
    let mut copied = 0;
    let after_commit = move |log: &mut Wal, pages: i32| {
        if pages < copied {
            // The log has begun again.
            copied = 0;
        }
        if pages >= LONGEST_LOG {
            // The log begins again once all of it is copied and nobody reads old pages. This copies the rest. It fails
            // while the thread is copying; the next commit tries again.
            let _ = log.checkpoint();
        } else if pages >= copied + COPIED {
            copied = pages;
            // The thread may be busy with an earlier request.
            let _ = ask.try_send(());
        }
        Ok(())
    };
    writer.wal_hook(Some(after_commit)).map_err(err)?;
    super::spawn("log", move || {
        while asked.recv().is_ok() {
            if let Err(error) = copy_log(&file) {
                tracing::warn!(%error, "failed to copy the write-ahead log; trying again when it has grown");
            }
        }
    })
}
