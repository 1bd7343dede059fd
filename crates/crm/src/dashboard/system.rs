//! Settings > System: version, nodes, waiting jobs and storage.

use super::answers::System;
use crate::api::call::{Call, Reply};
use crate::api::operation::{Operation, get};
use crate::api::scope::Role;
use resource::{Error, Time};
use serde_json::{Value as Json, json};
use store::Tx;

pub const OPERATIONS: &[Operation] = &[get("/system", "dashboard_system", "Version, jobs, storage and nodes")
    .gives::<System>(&[200])
    .role(Role::Admin)
    .read(shown)];

/// Milliseconds after which a node without a heartbeat is no longer listed.
const GONE: i64 = 60_000;

/// Writes the heartbeat of a node, and deletes nodes that have been gone for an hour.
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
    let engine = tx.dialect().engine_name();
    Ok(Reply::json(&json!({
        "version": env!("CARGO_PKG_VERSION"), "engine": engine, "jobs": jobs, "lag_ms": lag,
        "storage": { "database_bytes": size }, "nodes": nodes,
    })))
}
