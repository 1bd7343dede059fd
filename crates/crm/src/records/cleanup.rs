//! Jobs that update the records of a deleted, merged or renamed tag or custom field in batches.

use crate::api::queue;
use crate::records::company::Company;
use crate::records::contact::Contact;
use crate::records::custom_field::{Rename, clear_one, rename_one};
use crate::records::merge_log::{OPTION_RENAMED, UNDO};
use crate::records::tag::{RECORDS_WITH_TAG, TAG_TERMS, TagScope, remove_from, replace_in};
use resource::{Ctx, Error, fold, merged_pair};
use store::{Tx, Uuid, Value};

/// Removes a deleted tag from the next `most` records; false when no record has it any more.
pub fn detach_tag(ctx: &Ctx, tx: &mut dyn Tx, tag: &str, most: i64) -> Result<bool, Error> {
    Uuid::try_parse(tag).map_err(|_| store::Error::unreadable("is not an id"))?;
    for (kind, term) in TAG_TERMS {
        let params: [Value; 4] = [ctx.workspace.into(), (*term).into(), tag.into(), most.into()];
        let records = tx.rows(RECORDS_WITH_TAG, &params, |row| row.id(0))?;
        for record in &records {
            match kind {
                TagScope::Company => remove_from::<Company>(ctx, tx, *record, tag)?,
                _ => remove_from::<Contact>(ctx, tx, *record, tag)?,
            }
            if !tx.has_time() {
                break;
            }
        }
        if !records.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Replaces a merged tag on the next `most` records; false when no record has it any more.
pub fn replace_tag(ctx: &Ctx, tx: &mut dyn Tx, job: Uuid, most: i64) -> Result<bool, Error> {
    let Some(payload) = queue::payload(ctx, tx, job)? else { return Ok(false) };
    let (from, into) = queue::place(&job).word(&payload, merged_pair)?;
    for (kind, term) in TAG_TERMS {
        let params: [Value; 4] = [ctx.workspace.into(), (*term).into(), from.to_string().into(), most.into()];
        let records = tx.rows(RECORDS_WITH_TAG, &params, |row| row.id(0))?;
        for record in &records {
            match kind {
                TagScope::Company => replace_in::<Company>(ctx, tx, *record, from, into)?,
                _ => replace_in::<Contact>(ctx, tx, *record, from, into)?,
            }
            if !tx.has_time() {
                break;
            }
        }
        if !records.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Removes the values of a deleted field from the next `most` records; false when no record has one any more.
pub fn clear_field(ctx: &Ctx, tx: &mut dyn Tx, term: &str, most: i64) -> Result<bool, Error> {
    const HOLDERS: &str =
        "SELECT DISTINCT record FROM terms WHERE workspace_id = $1 AND field = $2 ORDER BY record LIMIT $3";
    let records = tx.rows(HOLDERS, &[ctx.workspace.into(), term.into(), most.into()], |row| row.id(0))?;
    let parts = term.split_once(".custom.");
    let (entity, key) = parts.ok_or_else(|| store::Error::unreadable("names no custom field"))?;
    for record in &records {
        match entity {
            "contact" => clear_one::<Contact>(ctx, tx, *record, key)?,
            _ => clear_one::<Company>(ctx, tx, *record, key)?,
        }
        if !tx.has_time() {
            return Ok(true);
        }
    }
    Ok(records.len() as i64 == most)
}

/// Renames an option on the next `most` records; false when all have the new value.
pub fn rename_option(ctx: &Ctx, tx: &mut dyn Tx, job: Uuid, most: i64) -> Result<bool, Error> {
    const HOLDERS: &str = "SELECT record FROM terms WHERE workspace_id = $1 AND field = $2 AND key = $3 AND record > $4 \
         ORDER BY record LIMIT $5";
    let Some(payload) = queue::payload(ctx, tx, job)? else { return Ok(false) };
    let mut rename: Rename = queue::place(&job).json(&payload)?;
    let after = rename.after.unwrap_or_default();
    let key = fold(&rename.from);
    let params = [ctx.workspace.into(), rename.term.as_str().into(), key.into(), after.into(), most.into()];
    let records = tx.rows(HOLDERS, &params, |row| row.id(0))?;
    let term = rename.term.split_once(".custom.").map(|(e, k)| (e.to_owned(), k.to_owned()));
    let (entity, key) = term.ok_or_else(|| queue::place(&job).corrupt("names no custom field"))?;
    let mut more = records.len() as i64 == most;
    for record in records {
        match entity.as_str() {
            "contact" => rename_one::<Contact>(ctx, tx, record, &key, &rename)?,
            _ => rename_one::<Company>(ctx, tx, record, &key, &rename)?,
        }
        rename.after = Some(record);
        if !tx.has_time() {
            more = true;
            break;
        }
    }
    if more {
        queue::note(ctx, tx, job, &rename.payload())?;
    } else {
        rename.until = Some(tx.stamp());
        queue::enqueue_in(ctx, tx, UNDO, OPTION_RENAMED, &rename.payload())?;
    }
    Ok(more)
}
