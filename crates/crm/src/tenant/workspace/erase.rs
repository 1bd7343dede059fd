//! Erases a removed workspace in batches: records, history, messages and files. Its row stays, with the time of its
//! removal, and so does its head, which serializes its writes.

use crate::api::queue;
use crate::tenant::stored_files;
use resource::{Ctx, Error};
use store::{Tx, Uuid};

/// The job that erases the workspace; its payload is empty, or `LAST`.
pub const ERASE: &str = "workspace.erase";
/// The job that removes the remains of the workspace from the free pages and the log of the database, after all rows
/// are deleted.
pub const SCRUB: &str = "workspace.scrub";
/// The payload of this job after single records were erased; it is empty for a workspace.
pub const RECORDS: &str = "records";
/// Writes that were in flight when the workspace was removed may still arrive, so the job runs a second time.
const LAST: &str = "last";
const MINUTE: i64 = 60_000;

/// Most rows per statement. Rows may be large, so the first statement of a table deletes one, and each further one
/// twice as many, as long as there is time.
const CHUNK: i64 = 500;

/// Tables that reference stored files, and their keys within the workspace. In the list below, tables that reference
/// others come before them, those that cause work come first, and those that are derived from records come last.
const WITH_FILES: &[(&str, &str)] =
    &[("imports", "id"), ("cvs", "contact_id"), ("files", "id"), ("attachments", "message_id, id")];
const TABLES: &[(&str, &str)] = &[
    ("sends", "message_id"),
    ("sequence_pace", "sequence_id"),
    ("enrichment_due", "request_id"),
    ("import_made", "import_id, place"),
    ("import_changed", "import_id, place"),
    ("import_errors", "import_id, place, number"),
    ("idempotency", "user_id, key"),
    ("network_pages", "account_id, search, page"),
    ("messages", "id"),
    ("conversation_unread", "user_id, conversation_id"),
    ("conversations", "id"),
    ("mailbox", "account_id, uid"),
    ("unstored_mails", "id"),
    ("oauth_flows", "hash"),
    ("account_tokens", "account_id"),
    ("account_states", "account_id"),
    ("connected_accounts", "id"),
    ("suppressions", "id"),
    ("erased_addresses", "hash"),
    ("erasures", "id"),
    ("step_runs", "enrollment_id, step_id"),
    ("enrollments", "id"),
    ("sequence_versions", "sequence_id, version"),
    ("sequences", "id"),
    ("enrichment_requests", "id"),
    ("enrichment_providers", "id"),
    ("contact_profiles", "id"),
    ("pipeline_entries", "id"),
    ("project_stages", "id"),
    ("projects", "id"),
    ("project_templates", "id"),
    ("tasks", "id"),
    ("notes", "id"),
    ("deal_contacts", "id"),
    ("deal_sums", "stage_id, currency"),
    ("deals", "id"),
    ("deal_stages", "id"),
    ("deal_pipelines", "id"),
    ("contacts", "id"),
    ("companies", "id"),
    ("tags", "id"),
    ("custom_fields", "id"),
    ("reasons", "id"),
    ("views", "id"),
    ("message_templates", "id"),
    ("message_drafts", "id"),
    ("merges", "id"),
    ("merge_links", "merge_id, collection, record, from_id"),
    ("merged_ids", "old_id"),
    ("record_counts", "record, name"),
    ("terms", "field, key, record"),
    ("events", "place"),
    ("event_subjects", "record_id, place"),
    ("ledger", "id"),
    ("credit_accounts", "kind, account"),
    ("rate_windows", "user_id"),
    ("requests", "id"),
    ("request_hours", "key_id, hour"),
    ("invitations", "id"),
    ("members", "user_id"),
    ("api_keys", "id"),
    ("sessions", "id"),
    ("texts_due", "collection, record"),
    ("texts", "collection, record"),
    ("message_texts", "collection, record"),
    ("indexed", "collection"),
    ("counters", "collection, field, value, archived"),
];

/// The user of an erased row, if any: a member, or a former member of the workspace.
fn user_column(table: &str) -> &'static str {
    match table {
        "members" => "user_id",
        "events" => "CASE WHEN type = 'member.deleted' THEN record_id END",
        _ => "NULL",
    }
}

/// Erases a user who is a member of no workspace. `member::add` takes the same row lock, so that the user can't become
/// a member of another workspace in between.
fn erase_user(tx: &mut dyn Tx, user: Uuid) -> Result<(), Error> {
    const LOCK: &str = "UPDATE users SET email = email WHERE id = $1";
    const ERASE: &str =
        "DELETE FROM users WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM members m WHERE m.user_id = users.id)";
    tx.execute(LOCK, &[user.into()])?;
    Ok(tx.execute(ERASE, &[user.into()])?)
}

/// Whether a payload of the erasing job can be read.
pub fn is_round(payload: &str) -> bool {
    ["", LAST].contains(&payload)
}

/// Whether a payload of the scrubbing job can be read.
pub fn is_scrub(payload: &str) -> bool {
    ["", RECORDS].contains(&payload)
}

/// All tables that the workspace is erased from.
pub fn tables() -> impl Iterator<Item = &'static str> {
    WITH_FILES.iter().chain(TABLES).map(|(table, _)| *table)
}

/// Deletes the workspace's jobs that have not started, and enqueues the erasure.
pub fn begin(ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
    const UNDONE: &str = "DELETE FROM jobs WHERE workspace_id = $1 AND kind <> $2";
    tx.execute(UNDONE, &[ctx.workspace.into(), stored_files::DROP.into()])?;
    queue::enqueue(ctx, tx, ERASE, "").map(drop)
}

/// Erases some rows; true if there may be more.
pub fn some(ctx: &Ctx, tx: &mut dyn Tx, payload: &str) -> Result<bool, Error> {
    for (table, key) in WITH_FILES {
        let sql = erasing(table, key, "blob");
        let mut most = 1;
        loop {
            let gone = tx.rows(&sql, &[ctx.workspace.into(), most.into()], |row| row.maybe_text(0))?;
            let rows = gone.len() as i64;
            for blob in gone.into_iter().flatten() {
                stored_files::release(ctx, tx, &blob, 0)?;
            }
            if rows < most {
                break;
            }
            if !tx.has_time() {
                return Ok(true);
            }
            most = (2 * most).min(CHUNK);
        }
    }
    for (table, key) in TABLES {
        let sql = erasing(table, key, user_column(table));
        let mut most = 1;
        loop {
            let users = tx.rows(&sql, &[ctx.workspace.into(), most.into()], |row| row.maybe_id(0))?;
            let rows = users.len() as i64;
            for user in users.into_iter().flatten() {
                erase_user(tx, user)?;
            }
            if rows < most {
                break;
            }
            if !tx.has_time() {
                return Ok(true);
            }
            most = (2 * most).min(CHUNK);
        }
    }
    if payload == LAST {
        tx.execute(
            "UPDATE workspaces SET storage_used = 0, erasure_key = NULL WHERE id = $1",
            &[ctx.workspace.into()],
        )?;
        queue::enqueue(ctx, tx, SCRUB, "")?;
    } else {
        queue::enqueue_in(ctx, tx, MINUTE, ERASE, LAST)?;
    }
    Ok(false)
}

fn erasing(table: &str, key: &str, returning: &str) -> String {
    format!(
        "DELETE FROM {table} WHERE workspace_id = $1 AND ({key}) IN \
         (SELECT {key} FROM {table} WHERE workspace_id = $1 LIMIT $2) RETURNING {returning}"
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn all_tables_of_a_workspace_are_erased() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../store/migrations/sqlite");
        let (mut made, mut gone) = (BTreeSet::new(), BTreeSet::new());
        for file in std::fs::read_dir(folder).expect("migrations") {
            let text = std::fs::read_to_string(file.expect("a migration").path()).expect("its text");
            for table in text.split("CREATE TABLE ").skip(1).filter(|table| table.contains("workspace_id")) {
                let (head, rest) = table.split_once(" (").expect("a name and columns");
                let columns = rest.split(';').next().unwrap_or_default();
                if columns.contains("workspace_id") {
                    made.insert(head.to_owned());
                }
            }
            gone.extend(text.split("DROP TABLE ").skip(1).filter_map(|rest| rest.split(';').next().map(str::to_owned)));
        }
        // The head serializes its writes, and the job that erases it is in `jobs`.
        let kept = ["heads", "jobs"].map(str::to_owned);
        let erased: BTreeSet<String> = super::tables().map(str::to_owned).chain(kept).collect();
        made.retain(|table| !gone.contains(table));
        assert_eq!(erased, made);
    }
}
