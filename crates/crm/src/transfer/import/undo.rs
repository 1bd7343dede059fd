//! Undoes an import, for 30 days, by a job: removes records that it created, and restores the earlier values of records
//! that it changed. Records that somebody has changed since stay as they are and are listed among the errors. Rows that
//! wait for the undo of a merge have a negative place, for a further undo.

use super::{Import, ImportStatus, invalidate_totals, named};
use crate::api::call::{Call, Reply, show};
use crate::api::queue;
use crate::collaboration::merge::history::{Undone, members, refused, remove_from_later, revert_row, turns_off};
use crate::collaboration::merge::mend::{Then, is_held, mended, take_back};
use crate::records::collection::{Collected, Collection};
use crate::records::company::Company;
use crate::records::contact::Contact;
use crate::transfer::import::errors::note;
use resource::{
    Changes, Ctx, Error, Resource, Saved, StoredRow, delete, event, find, invalid, place, snapshot, update,
};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use store::{Tx, Uuid, Value};

/// How long an import can be undone, in milliseconds.
pub(super) const TIME: i64 = 30 * 24 * 60 * 60 * 1000;
/// The job that undoes the next records; its payload is the import's id.
pub const UNDO: &str = "import.undo";
/// Milliseconds before `FORGET` is retried while the import is being undone.
const LATER: i64 = 60 * 60 * 1000;
/// The job that deletes the data for an undo; its payload is the import's id.
pub const FORGET: &str = "import.forget";

/// The changes of a row to a record: the stored value of each member before and after.
pub(super) struct Changed {
    record: Uuid,
    version: i64,
    members: Vec<(&'static str, Json, Json)>,
}

impl Changed {
    pub(super) fn of<R: Resource>(saved: &Saved<R>, changes: &Changes) -> Result<Changed, Error> {
        let mut members = Vec::new();
        for (field, value) in changes.iter() {
            let before = saved.value(field.name)?;
            if value != before {
                members.push((field.name, snapshot(before), snapshot(value)));
            }
        }
        Ok(Changed { record: saved.id, version: saved.version + 1, members })
    }
    pub(super) fn is_nothing(&self) -> bool {
        self.members.is_empty()
    }
}

/// Stores the changes of a row.
pub(super) fn keep(ctx: &Ctx, tx: &mut dyn Tx, import: Uuid, row: i64, changed: &Changed) -> Result<(), Error> {
    const KEEP: &str = "INSERT INTO import_changed (workspace_id, import_id, place, record, version, changes) \
         VALUES ($1, $2, $3, $4, $5, $6)";
    let params = [
        ctx.workspace.into(),
        import.into(),
        row.into(),
        changed.record.into(),
        changed.version.into(),
        json!(changed.members).to_string().into(),
    ];
    Ok(tx.execute(KEEP, &params)?)
}

pub(super) fn begin(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let import = find::<Import>(&call.ctx, tx, call.id(0, "import")?)?;
    let record = &import.record;
    call.key.scopes.require(record.collection.write())?;
    // Records that it created are deleted permanently.
    call.key.scopes.require(record.collection.delete())?;
    let goes_on = record.status == ImportStatus::Undone && resume(&call.ctx, tx, import.id)?;
    if !goes_on && !matches!(record.status, ImportStatus::Completed | ImportStatus::Failed) {
        let reason = format!("is {}; only one that is completed or failed can be undone", record.status.word());
        return Err(invalid("status", reason));
    }
    if record.dry_run {
        return Err(invalid("dry_run", "changed nothing; there is nothing to undo"));
    }
    if record.completed_at.is_none_or(|at| at.0 + TIME <= tx.stamp()) {
        return Err(invalid("completed_at", "is more than 30 days ago; it can't be undone any more"));
    }
    const BEGIN: &str = "UPDATE imports SET status = 'undoing', updated_at = $1, version = version + 1 \
         WHERE workspace_id = $2 AND id = $3";
    let now = tx.stamp();
    tx.execute(BEGIN, &[now.into(), call.ctx.workspace.into(), import.id.into()])?;
    invalidate_totals(tx);
    event(&call.ctx, tx, "import.undo_begun", Import::ABOUT.one, import.id, &Map::new())?;
    queue::enqueue(&call.ctx, tx, UNDO, &import.id.to_string())?;
    let mut reply = show::<Import>(&call.ctx, tx, import.id)?;
    (reply.status, reply.location) = (202, Some(format!("/imports/{}", import.id)));
    Ok(reply)
}

/// Converts the place of a row to the negative place of a waiting one, and back.
const WAITING: &str = "-1 - place";

/// Resumes rows that an earlier undo had to leave because of merges; false if there are none.
fn resume(ctx: &Ctx, tx: &mut dyn Tx, import: Uuid) -> Result<bool, Error> {
    const LEFT: &str = "SELECT place FROM import_made WHERE workspace_id = $1 AND import_id = $2 AND place < 0 \
         UNION ALL SELECT place FROM import_changed WHERE workspace_id = $1 AND import_id = $2 AND place < 0";
    const REPORTED: &str = "DELETE FROM import_errors WHERE workspace_id = $1 AND import_id = $2 AND number = $3 \
         AND reason LIKE $4 RETURNING place";
    const COUNT: &str = "UPDATE imports SET kept = kept - $1 WHERE workspace_id = $2 AND id = $3";
    let key = [ctx.workspace.into(), import.into()];
    if tx.one(LEFT, &key, |_| Ok(()))?.is_none() {
        return Ok(false);
    }
    for table in ["import_made", "import_changed"] {
        let back =
            format!("UPDATE {table} SET place = {WAITING} WHERE workspace_id = $1 AND import_id = $2 AND place < 0");
        tx.execute(&back, &key)?;
    }
    let params = [ctx.workspace.into(), import.into(), KEPT.into(), format!("{MERGED}%").into()];
    let reported = tx.rows(REPORTED, &params, |row| row.int(0))?.len() as i64;
    tx.execute(COUNT, &[reported.into(), ctx.workspace.into(), import.into()])?;
    Ok(true)
}

/// The result of undoing some records.
#[derive(Default)]
struct Progress {
    removed: i64,
    restored: i64,
    kept: i64,
}

/// Undoes about `most` records; false when all are undone.
pub fn go_back(ctx: &Ctx, tx: &mut dyn Tx, payload: &str, most: i64) -> Result<bool, Error> {
    let Some(import) = named(ctx, tx, payload)? else { return Ok(false) };
    if import.record.status != ImportStatus::Undoing {
        return Ok(false);
    }
    let went = match import.record.collection {
        Collection::Contacts => next::<Contact>(ctx, tx, &import, most)?,
        Collection::Companies => next::<Company>(ctx, tx, &import, most)?,
    };
    let now = tx.stamp();
    let (sql, went, more) = match went {
        Some(went) => (WENT, went, true),
        None => (UNDONE, Progress::default(), false),
    };
    const WENT: &str = "UPDATE imports SET removed = removed + $1, restored = restored + $2, kept = kept + $3, \
         updated_at = $4, version = version + 1 WHERE workspace_id = $5 AND id = $6";
    const UNDONE: &str = "UPDATE imports SET removed = removed + $1, restored = restored + $2, kept = kept + $3, \
         updated_at = $4, undone_at = $4, status = 'undone', version = version + 1 WHERE workspace_id = $5 AND id = $6";
    let params = [
        went.removed.into(),
        went.restored.into(),
        went.kept.into(),
        now.into(),
        ctx.workspace.into(),
        import.id.into(),
    ];
    tx.execute(sql, &params)?;
    invalidate_totals(tx);
    if !more {
        event(ctx, tx, "import.undone", Import::ABOUT.one, import.id, &Map::new())?;
    }
    Ok(more)
}

/// First the created records, then the changed ones, each from the end.
fn next<R: Collected>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    import: &Saved<Import>,
    most: i64,
) -> Result<Option<Progress>, Error> {
    const MADE: &str = "SELECT place, records FROM import_made WHERE workspace_id = $1 AND import_id = $2 AND place >= 0 \
         ORDER BY place DESC LIMIT 1";
    const LEFT: &str = "UPDATE import_made SET records = $1 WHERE workspace_id = $2 AND import_id = $3 AND place = $4";
    const GONE: &str = "DELETE FROM import_made WHERE workspace_id = $1 AND import_id = $2 AND place = $3";
    let mut went = Progress::default();
    let made = tx.one(MADE, &[ctx.workspace.into(), import.id.into()], |row| Ok((row.int(0)?, row.json(1)?)))?;
    let Some((place, mut records)): Option<(i64, Vec<(i64, Uuid)>)> = made else {
        return restore::<R>(ctx, tx, import, most);
    };
    let mut waiting: Vec<(i64, Uuid)> = Vec::new();
    for _ in 0..most {
        let Some((row, id)) = records.pop() else { break };
        match remove::<R>(ctx, tx, import.id, id)? {
            Fate::Gone => {}
            Fate::Removed => went.removed += 1,
            Fate::Kept(why) => {
                went.kept += 1;
                const DROP: &str =
                    "DELETE FROM import_changed WHERE workspace_id = $1 AND import_id = $2 AND record = $3";
                tx.execute(DROP, &[ctx.workspace.into(), import.id.into(), id.into()])?;
                note(ctx, tx, import.id, (row, KEPT), None, why, Some(&id.to_string()))?;
            }
            Fate::Merged(into) => {
                went.kept += 1;
                waiting.push((row, id));
                put_off(ctx, tx, import.id, id)?;
                note(ctx, tx, import.id, (row, KEPT), None, &merged_into(into), Some(&id.to_string()))?;
            }
        }
        if !tx.has_time() {
            break;
        }
    }
    if !waiting.is_empty() {
        wait(ctx, tx, import.id, -1 - place, waiting)?;
    }
    let key = [ctx.workspace.into(), import.id.into(), place.into()];
    if records.is_empty() {
        tx.execute(GONE, &key)?;
    } else {
        let [workspace, import, place] = key;
        tx.execute(LEFT, &[json!(records).to_string().into(), workspace, import, place])?;
    }
    Ok(Some(went))
}

/// Saves records that the import created for a further undo.
fn wait(ctx: &Ctx, tx: &mut dyn Tx, import: Uuid, place: i64, mut records: Vec<(i64, Uuid)>) -> Result<(), Error> {
    const WAITS: &str = "SELECT records FROM import_made WHERE workspace_id = $1 AND import_id = $2 AND place = $3";
    const WAIT: &str = "INSERT INTO import_made (workspace_id, import_id, place, records) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (workspace_id, import_id, place) DO UPDATE SET records = excluded.records";
    let [workspace, import, place]: [Value; 3] = [ctx.workspace.into(), import.into(), place.into()];
    if let Some(earlier) =
        tx.one(WAITS, &[workspace.clone(), import.clone(), place.clone()], |row| row.json::<Vec<(i64, Uuid)>>(0))?
    {
        records.extend(earlier);
    }
    records.sort();
    Ok(tx.execute(WAIT, &[workspace, import, place, json!(records).to_string().into()])?)
}

/// Saves the changes of a record for a further undo.
fn put_off(ctx: &Ctx, tx: &mut dyn Tx, import: Uuid, record: Uuid) -> Result<(), Error> {
    let sql = format!(
        "UPDATE import_changed SET place = {WAITING} WHERE workspace_id = $1 AND import_id = $2 AND record = $3 AND place >= 0"
    );
    Ok(tx.execute(&sql, &[ctx.workspace.into(), import.into(), record.into()])?)
}

/// The beginning of the reason for which a merged record was kept.
const MERGED: &str = "the record was merged into ";

fn merged_into(survivor: Uuid) -> String {
    format!("{MERGED}{survivor}; undo that merge first, then undo the import again")
}

enum Fate {
    Removed,
    /// It was deleted before.
    Gone,
    Kept(&'static str),
    /// It was merged into another record.
    Merged(Uuid),
}

fn remove<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, import: Uuid, id: Uuid) -> Result<Fate, Error> {
    const VERSION: &str = "SELECT coalesce(max(version), 1) FROM import_changed WHERE workspace_id = $1 \
         AND import_id = $2 AND record = $3";
    let saved = match find::<R>(ctx, tx, id) {
        Err(Error::NotFound(_)) => return Ok(Fate::Gone),
        found => found?,
    };
    if saved.id != id {
        return Ok(Fate::Merged(saved.id));
    }
    let last = tx.one(VERSION, &[ctx.workspace.into(), import.into(), id.into()], |row| row.int(0))?.unwrap_or(1);
    if last != saved.version && !(last == 1 && is_as_made(ctx, tx, &saved)?) {
        return Ok(Fate::Kept("the record was changed since; it was left as it is"));
    }
    if is_referenced(ctx, tx, R::ABOUT.one, id)? {
        return Ok(Fate::Kept("something hangs on the record since; it was left as it is"));
    }
    delete(ctx, tx, &saved)?;
    Ok(Fate::Removed)
}

/// Whether all changes of a record since its creation were reverted, as merges and their undo do.
fn is_as_made<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>) -> Result<bool, Error> {
    const EVENTS: &str =
        "SELECT type, changes, place FROM events WHERE workspace_id = $1 AND record_id = $2 ORDER BY place";
    let events =
        tx.rows(EVENTS, &[ctx.workspace.into(), saved.id.into()], |row| Ok((row.text(0)?, row.text(1)?, row.int(2)?)))?;
    let (mut version, mut members): (i64, BTreeMap<String, (Json, Json)>) = (0, BTreeMap::new());
    for (kind, changes, at) in events {
        match kind.split_once('.').map_or("", |(_, verb)| verb) {
            // A restored record has its former values.
            "created" | "restored" => version += 1,
            "deleted" => {}
            _ => {
                version += 1;
                let changes: BTreeMap<String, (Json, Json)> = place("events", "changes", &at).json(&changes)?;
                for (member, (from, to)) in changes {
                    members.entry(member).or_insert_with(|| (from, Json::Null)).1 = to;
                }
            }
        }
    }
    Ok(version == saved.version && members.values().all(|(from, to)| from == to))
}

/// Whether notes, tasks, files or other records reference this one.
fn is_referenced(ctx: &Ctx, tx: &mut dyn Tx, one: &str, id: Uuid) -> Result<bool, Error> {
    const ON_CONTACT: &str = "SELECT 1 FROM notes WHERE workspace_id = $1 AND contact_id = $2 \
         UNION ALL SELECT 1 FROM tasks WHERE workspace_id = $1 AND contact_id = $2 \
         UNION ALL SELECT 1 FROM files WHERE workspace_id = $1 AND contact_id = $2 \
         UNION ALL SELECT 1 FROM cvs WHERE workspace_id = $1 AND contact_id = $2 \
         UNION ALL SELECT 1 FROM pipeline_entries WHERE workspace_id = $1 AND contact_id = $2 \
         UNION ALL SELECT 1 FROM deal_contacts WHERE workspace_id = $1 AND contact_id = $2 \
         UNION ALL SELECT 1 FROM conversations WHERE workspace_id = $1 AND contact_id = $2 \
         UNION ALL SELECT 1 FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 \
         UNION ALL SELECT 1 FROM enrichment_requests WHERE workspace_id = $1 AND contact_id = $2 \
         UNION ALL SELECT 1 FROM merged_ids WHERE workspace_id = $1 AND new_id = $2";
    const ON_COMPANY: &str = "SELECT 1 FROM notes WHERE workspace_id = $1 AND company_id = $2 \
         UNION ALL SELECT 1 FROM tasks WHERE workspace_id = $1 AND company_id = $2 \
         UNION ALL SELECT 1 FROM merged_ids WHERE workspace_id = $1 AND new_id = $2 \
         UNION ALL SELECT 1 FROM terms WHERE workspace_id = $1 AND field IN ('contact.company', 'deal.company', 'project.client_company') AND key = $3";
    let (workspace, key) = (Value::from(ctx.workspace), Value::from(id));
    let found = match one {
        "company" => tx.one(ON_COMPANY, &[workspace, key, id.to_string().into()], |_| Ok(())),
        _ => tx.one(ON_CONTACT, &[workspace, key], |_| Ok(())),
    };
    Ok(found?.is_some() || (one == Company::ABOUT.one && is_held(ctx, tx, id)?))
}

/// The number of an undo's error in a row, after all errors of the row itself.
const KEPT: i64 = 1_000_000;

fn restore<R: Collected>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    import: &Saved<Import>,
    most: i64,
) -> Result<Option<Progress>, Error> {
    const CHANGED: &str = "SELECT place, record, version, changes FROM import_changed WHERE workspace_id = $1 AND import_id = $2 \
         AND place >= 0 ORDER BY place DESC LIMIT $3";
    const GONE: &str = "DELETE FROM import_changed WHERE workspace_id = $1 AND import_id = $2 AND place = $3";
    let params = [ctx.workspace.into(), import.id.into(), most.into()];
    let rows = tx.rows(CHANGED, &params, |row| Ok((row.int(0)?, row.id(1)?, row.int(2)?, row.text(3)?)))?;
    if rows.is_empty() {
        return Ok(None);
    }
    let mut went = Progress::default();
    for (row, id, version, changed) in rows {
        tx.execute(GONE, &[ctx.workspace.into(), import.id.into(), row.into()])?;
        let saved = match find::<R>(ctx, tx, id) {
            Err(Error::NotFound(_)) => continue,
            found => found?,
        };
        let (before, after) = members(&changed, id)?;
        // Errors that name no row come from the saved data of the import.
        let damaged = |error: Error| error.at("changes").in_row("import_changed", id);
        let then = Then { fields: &Json::Null, at: import.record.created_at.0 };
        let (was, became) = mended::<R>(ctx, tx, &then, (&before, &after)).map_err(damaged)?;
        let undone = Undone { record: id, version: Some(version), before: &was, after: &became };
        remove_from_later::<R>(ctx, tx, &undone, import.id)?;
        if saved.id != id {
            // It was merged into another record: undoing that merge restores the values before the import.
            revert_row::<R>(ctx, tx, &undone)?;
            went.restored += 1;
            continue;
        }
        let (mut changes, mut whole) = take_back::<R>(ctx, tx, &saved, &then, (&before, &after)).map_err(damaged)?;
        let is_off = changes.get(Contact::DO_NOT_CONTACT) == Some(&Value::Bool(false));
        let mut why = "the record was changed since; what was changed was left as it is";
        if is_off && turns_off(&undone) && refused(ctx, tx, id, &snapshot(saved.value("emails")?))? {
            changes.take(Contact::DO_NOT_CONTACT);
            (whole, why) =
                (false, "do_not_contact stays: a contact that was merged into this one must not be contacted");
        }
        update(ctx, tx, &saved, &changes)?;
        R::changed(ctx, tx, &saved, &changes)?;
        if whole {
            went.restored += 1;
        } else {
            went.kept += 1;
            note(ctx, tx, import.id, (row, KEPT), None, why, Some(&id.to_string()))?;
        }
        if !tx.has_time() {
            break;
        }
    }
    Ok(Some(went))
}

/// Deletes the next data for an undo; false when nothing is left.
pub fn forget(ctx: &Ctx, tx: &mut dyn Tx, payload: &str, most: i64) -> Result<bool, Error> {
    const MADE: &str =
        "SELECT place FROM import_made WHERE workspace_id = $1 AND import_id = $2 ORDER BY place LIMIT $3";
    const CHANGED: &str =
        "SELECT place FROM import_changed WHERE workspace_id = $1 AND import_id = $2 ORDER BY place LIMIT $3";
    const DROP_MADE: &str = "DELETE FROM import_made WHERE workspace_id = $1 AND import_id = $2 AND place <= $3";
    const DROP_CHANGED: &str = "DELETE FROM import_changed WHERE workspace_id = $1 AND import_id = $2 AND place <= $3";
    let Some(import) = named(ctx, tx, payload)? else { return Ok(false) };
    if import.record.status == ImportStatus::Undoing {
        queue::enqueue_in(ctx, tx, LATER, FORGET, payload)?;
        return Ok(false);
    }
    // A few rows at a time, because changes may be large.
    let few = most.min(20);
    for (some, dropped) in [(MADE, DROP_MADE), (CHANGED, DROP_CHANGED)] {
        while let Some(last) =
            tx.rows(some, &[ctx.workspace.into(), import.id.into(), few.into()], |row| row.int(0))?.last()
        {
            tx.execute(dropped, &[ctx.workspace.into(), import.id.into(), (*last).into()])?;
            if !tx.has_time() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
