//! The part of an erasure that takes place in its request: rows with a foreign key to the record, everything that sends
//! messages, and the data with which a merge could be undone.

use super::Erasure;
use crate::collaboration::merge::{self, mend};
use crate::outreach::enrollment;
use crate::outreach::suppression::Suppression;
use crate::pipelines::entry::{Entry, unlist_contact};
use crate::records::collection::Collected;
use crate::records::contact::Contact;
use crate::records::erased_address::{Address, Kind, saved_addresses};
use crate::records::merge_log::{save_undo_data, undo_rows};
use crate::tenant::stored_files;
use resource::{Batch, Ctx, Error, Resource, find};
use serde_json::{Map, Value as Json};
use store::{Tx, Uuid};

/// The merges of a record, and the addresses that their data contained.
#[derive(Default)]
pub(super) struct Merges {
    pub ids: Vec<Uuid>,
    pub addresses: Vec<Address>,
}

/// Deletes the undo data of all merges into these records, so that none of them can be undone.
pub(super) fn empty_merges(ctx: &Ctx, tx: &mut dyn Tx, ids: &[Uuid]) -> Result<Merges, Error> {
    const ACTIVE: &str =
        "SELECT id, kept FROM merges WHERE workspace_id = $1 AND into_id = $2 AND undone_at IS NULL ORDER BY id";
    let mut found = Merges::default();
    for id in ids {
        let merges = tx.rows(ACTIVE, &[ctx.workspace.into(), (*id).into()], |row| Ok((row.id(0)?, row.text(1)?)))?;
        for (merge, kept) in merges {
            let kept: Json = resource::place("merges", "kept", &merge).json(&kept)?;
            for row in undo_rows(merge, &kept)? {
                found.addresses.extend(saved_addresses(merge, &row["values"])?);
            }
            for part in ["before", "after"] {
                found.addresses.extend(saved_addresses(merge, &kept[part])?);
            }
            mend::release_companies(ctx, tx, merge, &kept)?;
            save_undo_data(ctx, tx, merge, &Json::Object(Map::new()))?;
            found.ids.push(merge);
        }
    }
    Ok(found)
}

/// Deletes the suppression of an address; returns its id and its reason.
pub(super) fn unsuppress(ctx: &Ctx, tx: &mut dyn Tx, address: &Address) -> Result<Option<(Uuid, String)>, Error> {
    const SUPPRESSED: &str = "SELECT id FROM suppressions WHERE workspace_id = $1 AND address_fold = $2 LIMIT 1";
    if address.kind != Kind::Email {
        return Ok(None);
    }
    let params = [ctx.workspace.into(), address.key.as_str().into()];
    let Some(id) = tx.one(SUPPRESSED, &params, |row| row.id(0))? else { return Ok(None) };
    let saved = find::<Suppression>(ctx, tx, id)?;
    resource::erase(ctx, tx, &saved, "deleted")?;
    Ok(Some((id, saved.record.reason.word().to_owned())))
}

/// Deletes everything that the record's row depends on, and everything that sends messages. Returns the stored files that it
/// had.
pub(super) fn delete_tied<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, ids: &[Uuid]) -> Result<Vec<String>, Error> {
    merge::return_tied::<R>(ctx, tx, ids)?;
    let mut files = Vec::new();
    if R::ABOUT.table != Contact::ABOUT.table {
        return Ok(files);
    }
    const DUE: &str = "DELETE FROM enrichment_due WHERE workspace_id = $1 AND request_id IN \
         (SELECT id FROM enrichment_requests WHERE workspace_id = $1 AND contact_id = $2)";
    const PROFILES: &str = "DELETE FROM contact_profiles WHERE workspace_id = $1 AND contact_id = $2";
    const ENTRIES: &str = "SELECT id FROM pipeline_entries WHERE workspace_id = $1 AND contact_id = $2 ORDER BY id";
    const DRAFTS: &str = "DELETE FROM message_drafts WHERE workspace_id = $1 AND contact_id = $2";
    const CVS: &str = "DELETE FROM cvs WHERE workspace_id = $1 AND contact_id = $2 RETURNING blob, size";
    const FILES: &str = "DELETE FROM files WHERE workspace_id = $1 AND contact_id = $2 RETURNING blob, size";
    for id in ids {
        enrollment::erase_all(ctx, tx, *id)?;
        let key = [ctx.workspace.into(), (*id).into()];
        tx.execute(DUE, &key)?;
        tx.execute(PROFILES, &key)?;
        tx.execute(DRAFTS, &key)?;
        let entries = tx.rows(ENTRIES, &key, |row| row.id(0))?;
        let mut records: Batch<Entry> = Batch::read(ctx, tx, entries.iter().copied())?;
        for entry in entries {
            let entry = records.take(ctx, tx, entry)?;
            unlist_contact(ctx, tx, entry.record.project_id, entry.record.contact_id)?;
            resource::erase(ctx, tx, &entry, "deleted")?;
        }
        for sql in [CVS, FILES] {
            for (blob, size) in tx.rows(sql, &key, |row| Ok((row.text(0)?, row.int(1)?)))? {
                stored_files::release(ctx, tx, &blob, size)?;
                files.push(blob);
            }
        }
    }
    Ok(files)
}

/// Makes the ids of merged records unknown, too.
pub(super) fn forget_ids(ctx: &Ctx, tx: &mut dyn Tx, table: &str, id: Uuid) -> Result<(), Error> {
    const ALIASES: &str = "DELETE FROM merged_ids WHERE workspace_id = $1 AND new_id = $2";
    const DUE: &str = "DELETE FROM texts_due WHERE workspace_id = $1 AND collection = $2 AND record = $3";
    const HELD: &str = "DELETE FROM terms WHERE workspace_id = $1 AND field = 'merge.company' AND key = $2";
    tx.execute(ALIASES, &[ctx.workspace.into(), id.into()])?;
    tx.execute(DUE, &[ctx.workspace.into(), table.into(), id.into()])?;
    Ok(tx.execute(HELD, &[ctx.workspace.into(), id.to_string().into()])?)
}

/// Deletes the search texts of merged records, which the indexing job may not have deleted yet, and empty counts.
pub(super) fn forget_texts(ctx: &Ctx, tx: &mut dyn Tx, erasure: &Erasure) -> Result<(), Error> {
    const TEXTS: &str = "DELETE FROM texts WHERE workspace_id = $1 AND collection = $2 AND record = $3";
    const COUNTS: &str = "DELETE FROM record_counts WHERE workspace_id = $1 AND record = $2";
    for id in &erasure.ids {
        tx.execute(TEXTS, &[ctx.workspace.into(), erasure.collection.as_str().into(), (*id).into()])?;
        tx.execute(COUNTS, &[ctx.workspace.into(), (*id).into()])?;
    }
    Ok(())
}
