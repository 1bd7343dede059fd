//! The comparison for group commit: the same people's row, event, head and tallies in the product's own tables, with
//! one durable transaction per request by 32 threads that wait for the lock; and the best possible result, one thread
//! that commits several together. Both run without HTTP and rules, which favours them.

use crate::Fault;
use crate::clock;
use crate::people::People;
use rusqlite::{Connection, params};
use serde_json::Value as Json;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

type Id = [u8; 16];

/// People written per second, with `group` of them in each commit.
pub(crate) fn rate(path: &Path, threads: usize, group: usize, time: Duration) -> Result<f64, Fault> {
    let done = AtomicU64::new(0);
    let begun = clock::now();
    std::thread::scope(|scope| {
        let spawn = |thread| {
            let done = &done;
            scope.spawn(move || writer(path, People::new(thread), group, begun + time, done))
        };
        let work: Vec<_> = (0..threads as u64).map(spawn).collect();
        work.into_iter().try_for_each(|thread| thread.join().map_err(|_| Fault::from("a writer panicked"))?)
    })?;
    Ok(done.load(Ordering::Relaxed) as f64 / (clock::now() - begun).as_secs_f64())
}

fn writer(path: &Path, mut people: People, group: usize, end: Instant, done: &AtomicU64) -> Result<(), Fault> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(30))?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16384; \
         PRAGMA wal_autocheckpoint = 4000",
    )?;
    let workspace: Id = connection.query_row("SELECT workspace_id FROM heads LIMIT 1", [], |row| row.get(0))?;
    while clock::now() < end {
        connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        for _ in 0..group {
            create(&connection, workspace, &people.bare(done.fetch_add(1, Ordering::Relaxed) as usize))?;
        }
        connection.prepare_cached("COMMIT")?.execute([])?;
    }
    Ok(())
}

fn create(connection: &Connection, workspace: Id, person: &Json) -> Result<(), Fault> {
    const HEAD: &str = "UPDATE heads SET stamp = max(stamp + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER)) \
         WHERE workspace_id = ?1 RETURNING stamp";
    const ROW: &str = "INSERT INTO contacts (workspace_id, id, version, first_name, first_name_fold, last_name, \
         last_name_fold, emails, phones, tags, global_status, contact_type, skills, languages, custom_data, \
         do_not_contact, created_at, updated_at) VALUES (?1, ?2, 1, ?4, lower(?4), ?5, lower(?5), '[]',\
          '[]', '[]', 'new', 'candidate', '[]', '[]', '{}', 0, ?3, ?3)";
    const EVENT: &str = "INSERT INTO events (workspace_id, place, type, at, actor_kind, actor_id, actor_name, \
         record_type, record_id, changes) VALUES (?1, ?2, 'contact.created', ?3, 'key', ?1, 'bench', 'contact', ?4, \
         '{\"first_name\":[null,\"Grace\"],\"last_name\":[null,\"Andersson-512\"],\"global_status\":[null,\"new\"],\
         \"contact_type\":[null,\"candidate\"],\"do_not_contact\":[null,false]}')";
    const COUNT: &str = "INSERT INTO counters (workspace_id, collection, field, value, archived, n, stamp) \
         VALUES (?1, 'contacts', ?2, ?3, 0, 1, ?4) ON CONFLICT (workspace_id, collection, field, value, archived) \
         DO UPDATE SET n = counters.n + excluded.n, stamp = excluded.stamp";
    let stamp: i64 = connection.prepare_cached(HEAD)?.query_row([workspace], |row| row.get(0))?;
    let id = uuid::Builder::from_unix_timestamp_millis(stamp.unsigned_abs(), &rand::random()).into_uuid().into_bytes();
    let name = |part: &str| person[part].as_str().unwrap_or_default();
    connection.prepare_cached(ROW)?.execute(params![workspace, id, stamp, name("first_name"), name("last_name")])?;
    connection.prepare_cached(EVENT)?.execute(params![workspace, stamp << 16, stamp, id])?;
    let counts = [("", ""), ("global_status", "new"), ("contact_type", "candidate"), ("do_not_contact", "false")];
    for (field, value) in counts {
        connection.prepare_cached(COUNT)?.execute(params![workspace, field, value, stamp])?;
    }
    Ok(())
}
