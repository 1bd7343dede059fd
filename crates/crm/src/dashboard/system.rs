//! Settings > System: what runs, what waits and how large it is.

use crate::member::Role;
use crate::operation::{Call, Operation, Reply, get};
use resource::{Error, Time};
use serde_json::{Value as Json, json};
use store::{Engine, Tx};

pub const OPERATIONS: &[Operation] =
    &[get("/system", "dashboard_system", "Version, jobs, storage and nodes").role(Role::Admin).read(shown)];

/// A node that has not been seen for so long is gone, in milliseconds.
const GONE: i64 = 60_000;

/// Notes that a node runs, and forgets those that have long been gone.
pub fn note_node(tx: &mut dyn Tx, node: &str) -> Result<(), Error> {
    const NOTE: &str = "INSERT INTO nodes (id, version, started_at, seen_at) VALUES ($1, $2, $3, $3) \
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at";
    const FORGET: &str = "DELETE FROM nodes WHERE seen_at < $1";
    let now = tx.clock()?;
    tx.execute(NOTE, &[node.into(), env!("CARGO_PKG_VERSION").into(), now.into()])?;
    Ok(tx.execute(FORGET, &[(now - 60 * GONE).into()])?)
}

fn shown(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const JOBS: &str = "SELECT kind, count(*), min(run_at), max(attempts), max(error) FROM jobs WHERE workspace_id = $1 GROUP BY kind ORDER BY kind";
    const NODES: &str = "SELECT id, version, started_at, seen_at FROM nodes WHERE seen_at > $1 ORDER BY started_at, id";
    let now = tx.clock()?;
    let mut lag = 0;
    let jobs = tx.rows(JOBS, &[call.ctx.workspace.into()], |row| {
        let due = row.int(2)?;
        lag = lag.max(now - due);
        Ok(json!({
            "kind": row.text(0)?, "waiting": row.int(1)?, "due_at": Time(due).to_string(),
            "attempts": row.int(3)?, "error": row.maybe_text(4)?,
        }))
    })?;
    let nodes = tx.rows(NODES, &[(now - GONE).into()], |row| {
        Ok(json!({
            "id": row.text(0)?, "version": row.text(1)?, "started_at": Time(row.int(2)?).to_string(),
            "seen_at": Time(row.int(3)?).to_string(),
        }))
    })?;
    let size: Json = tx.one(tx.dialect().size(), &[], |row| row.int(0))?.into();
    let engine = match tx.dialect().0 {
        Engine::Sqlite => "sqlite",
        Engine::Postgres => "postgresql",
    };
    Ok(Reply::json(&json!({
        "version": env!("CARGO_PKG_VERSION"), "engine": engine, "jobs": jobs, "lag_ms": lag,
        "storage": { "database_bytes": size }, "nodes": nodes,
    })))
}
