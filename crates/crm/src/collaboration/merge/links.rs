//! Rows that reference a merged record. They move to the last survivor: some in the transaction of the merge, the rest
//! by a job. Until then they are found by the old id, an alias of the survivor's. Each move is noted in `merge_links`
//! under its merge, so that an undo moves back exactly the rows that the merge moved.
//!
//! Merges and undos overlap, because their jobs lag behind. Whichever reaches a row first reverts the moves of undone
//! merges, the newest first, and only then applies the merges that are not undone. So the notes of a row are a stack,
//! and each row goes through the same steps as if every merge and undo had moved all of its rows at once.

use crate::api::queue;
use crate::pipelines::deal::{self, Deal, contacts};
use crate::pipelines::project::Project;
use crate::records::collection::Collected;
use crate::records::company::Company;
use crate::records::contact::Contact;
use crate::records::merge_log::{Undone, find_merge, note, parse, take_notes, taken, undo_place, unfinished};
use resource::{Changes, Ctx, Error, Resource, all_of, find, update};
use serde_json::{Map, Value as Json};
use store::{Tally, Tx, Uuid, Value};

/// How many rows of a table move in one transaction: at least `least`, and up to `most` if there is time.
#[derive(Clone, Copy)]
pub(super) struct Steps {
    least: usize,
    most: usize,
}
pub(super) const AT_ONCE: Steps = Steps { least: 50, most: 200 };

/// Tables with a foreign key to contacts: their rows must move before the contact is deleted.
const TIED: &[&str] = &["files", "contact_profiles"];
/// `entries` and `enrollment` move these rows.
const OWN: &[&str] = &["pipeline_entries", "enrollments"];

/// Moves the next rows of a merge or its undo; true if there are more.
pub fn go_on(ctx: &Ctx, tx: &mut dyn Tx, job: Uuid, most: i64) -> Result<bool, Error> {
    let Some(payload) = queue::payload(ctx, tx, job)? else { return Ok(false) };
    let (merge, undo) = queue::place(&job).word(&payload, parse)?;
    // If it was undone in the meantime, there is nothing more to move.
    let Some(found) = find_merge(ctx, tx, merge)?.filter(|found| found.is_undone == undo) else { return Ok(false) };
    let steps = Steps { least: 1, most: most as usize };
    match (found.collection == Contact::ABOUT.table, undo) {
        (true, false) => move_some::<Contact>(ctx, tx, &found.from()?, steps),
        (false, false) => move_some::<Company>(ctx, tx, &found.from()?, steps),
        (true, true) => move_back::<Contact>(ctx, tx, merge, steps),
        (false, true) => move_back::<Company>(ctx, tx, merge, steps),
    }
}

/// The column of a table that references a record of this kind.
fn column<R: Resource>(table: &str) -> String {
    if table == Project::ABOUT.table { "client_company_id".into() } else { format!("{}_id", R::ABOUT.one) }
}

/// A statement over the rows of a table that reference the record `$2`: their ids, or their number.
fn naming<R: Resource>(table: &str, is_count: bool) -> String {
    let (id, from) = match (table, term(table)) {
        ("deal_contacts", _) => ("deal_id", "deal_contacts WHERE workspace_id = $1 AND contact_id = $2".to_owned()),
        (_, Some(term)) => ("record", format!("terms WHERE workspace_id = $1 AND field = '{term}' AND key = $2")),
        (_, None) => ("id", format!("{table} WHERE workspace_id = $1 AND {} = $2", column::<R>(table))),
    };
    format!("SELECT {} FROM {from}", if is_count { "count(*)" } else { id })
}

/// The record as the parameter of such a statement.
fn key(table: &str, id: Uuid) -> Value {
    if term(table).is_some() { id.to_string().into() } else { id.into() }
}

/// The number of rows that reference these records, by table.
pub(super) fn count<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, from: &[Uuid]) -> Result<Map<String, Json>, Error> {
    let mut ids = Vec::new();
    for id in from {
        // Rows of an earlier merge may not have moved yet.
        ids.extend(all_of(ctx, tx, *id)?);
    }
    let mut counts = Map::new();
    for table in R::LINKS {
        let sql = naming::<R>(table, true);
        let mut count = 0;
        for id in &ids {
            count += tx.one(&sql, &[ctx.workspace.into(), key(table, *id)], |row| row.int(0))?.unwrap_or(0);
        }
        counts.insert((*table).to_owned(), count.into());
    }
    Ok(counts)
}

/// Moves the rows that have a foreign key to the records.
pub(super) fn move_tied<R: Collected>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    merge: Uuid,
    from: &[Uuid],
    into: Uuid,
) -> Result<(), Error> {
    const NOTED: &str = "SELECT record FROM merge_links WHERE workspace_id = $1 AND merge_id = $2 AND collection = $3";
    let undone = unfinished::<R>(ctx, tx, None)?;
    for table in R::LINKS.iter().filter(|table| TIED.contains(table)) {
        for earlier in undone.iter().filter(|earlier| from.contains(&earlier.into)) {
            let params = [ctx.workspace.into(), earlier.merge.into(), (*table).into()];
            for row in tx.rows(NOTED, &params, |row| row.id(0))? {
                catch_up::<R>(ctx, tx, table, row, &undone)?;
            }
        }
        let note = format!(
            "INSERT INTO merge_links (workspace_id, merge_id, collection, record, from_id) \
             SELECT workspace_id, $1, '{table}', id, contact_id FROM {table} WHERE workspace_id = $2 AND contact_id = $3"
        );
        let go = format!(
            "UPDATE {table} SET contact_id = $1{} WHERE workspace_id = $2 AND contact_id = $3",
            touched(tx, table)
        );
        for id in from {
            tx.execute(&note, &[merge.into(), ctx.workspace.into(), (*id).into()])?;
            tx.execute(&go, &[into.into(), ctx.workspace.into(), (*id).into()])?;
        }
        changed(tx, table);
    }
    Ok(())
}

/// Before records are erased: moves the rows with a foreign key that undone merges have not moved back yet.
pub fn return_tied<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, ids: &[Uuid]) -> Result<(), Error> {
    const NOTED: &str =
        "SELECT record, from_id FROM merge_links WHERE workspace_id = $1 AND merge_id = $2 AND collection = $3";
    let undone = unfinished::<R>(ctx, tx, None)?;
    for table in R::LINKS.iter().filter(|table| TIED.contains(table)) {
        for Undone { merge, into } in &undone {
            let params = [ctx.workspace.into(), (*merge).into(), (*table).into()];
            for (row, from) in tx.rows(NOTED, &params, |row| Ok((row.id(0)?, row.id(1)?)))? {
                if ids.contains(into) || ids.contains(&from) {
                    catch_up::<R>(ctx, tx, table, row, &undone)?;
                }
            }
        }
    }
    Ok(())
}

/// Moves the next rows of all undone merges back; true if there are more. Until then rows of other records may reference
/// an erased one.
pub fn finish_undos<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx) -> Result<bool, Error> {
    for Undone { merge, .. } in unfinished::<R>(ctx, tx, None)? {
        if move_back::<R>(ctx, tx, merge, Steps { least: 1, most: 200 })? || !tx.has_time() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Moving a row changes it; files have no version.
fn touched(tx: &dyn Tx, table: &str) -> String {
    if table == "files" { String::new() } else { format!(", updated_at = {}, version = version + 1", tx.stamp()) }
}

/// Marks the collection as changed without changing its total.
fn changed(tx: &mut dyn Tx, table: &'static str) {
    tx.tally(Tally { collection: table, field: "", value: String::new(), archived: false }, 0);
}

/// Moves the next rows that reference one of these records; true if there are more.
pub(super) fn move_some<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, from: &[Uuid], steps: Steps) -> Result<bool, Error> {
    for table in R::LINKS.iter().filter(|table| !TIED.contains(table) && !OWN.contains(table)) {
        let sql = format!("{} LIMIT $3", naming::<R>(table, false));
        let undone = unfinished::<R>(ctx, tx, None)?;
        let mut done = 0;
        for id in from {
            let room = (steps.most - done) as i64;
            let rows = tx.rows(&sql, &[ctx.workspace.into(), key(table, *id), room.into()], |row| row.id(0))?;
            for row in rows {
                move_row::<R>(ctx, tx, table, row, *id, &undone)?;
                done += 1;
                if done == steps.most || (done >= steps.least && !tx.has_time()) {
                    changed(tx, table);
                    return Ok(true);
                }
            }
        }
        if done > 0 {
            changed(tx, table);
        }
    }
    Ok(false)
}

/// Points a row to the record that this one was merged into.
fn move_row<R: Collected>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    table: &'static str,
    row: Uuid,
    old: Uuid,
    undone: &[Undone],
) -> Result<(), Error> {
    catch_up::<R>(ctx, tx, table, row, undone)?;
    // A stale term would be found again and again.
    const STALE: &str = "DELETE FROM terms WHERE workspace_id = $1 AND field = $2 AND key = $3 AND record = $4";
    if let Some(term) = term(table) {
        tx.execute(STALE, &[ctx.workspace.into(), term.into(), old.to_string().into(), row.into()])?;
    }
    Ok(())
}

/// Reverts the moves of undone merges, the newest first, then applies the merges that are not undone.
fn catch_up<R: Collected>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    table: &'static str,
    row: Uuid,
    undone: &[Undone],
) -> Result<(), Error> {
    if table == "deal_contacts" {
        return contacts::catch_up(ctx, tx, row, undone);
    }
    for Undone { merge, into } in undone {
        if let Some((from, _)) = take_notes(ctx, tx, *merge, table, row)?.first() {
            set::<R>(ctx, tx, table, row, *into, *from)?;
        }
    }
    let named = format!("SELECT {} FROM {table} WHERE workspace_id = $1 AND id = $2", column::<R>(table));
    let named = tx.one(&named, &[ctx.workspace.into(), row.into()], |row| row.get(0)?.maybe(|id| id.id()))?;
    let Some(old) = named.flatten() else { return Ok(()) };
    let new = follow(ctx, tx, table, row, old)?;
    if new == old { Ok(()) } else { set::<R>(ctx, tx, table, row, old, new) }
}

/// The term under which rows that reference a company are found.
fn term(table: &str) -> Option<&'static str> {
    match table {
        "contacts" => Some("contact.company"),
        "deals" => Some("deal.company"),
        "projects" => Some("project.client_company"),
        _ => None,
    }
}

/// Points a row to another record, if it references this one.
fn set<R: Collected>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    table: &'static str,
    row: Uuid,
    old: Uuid,
    new: Uuid,
) -> Result<(), Error> {
    let moved = match table {
        "contacts" => set_named::<Contact>(ctx, tx, row, old, new),
        "projects" => set_named::<Project>(ctx, tx, row, old, new),
        "deals" => set_deal(ctx, tx, row, old, new),
        _ => {
            let column = column::<R>(table);
            let sql = format!(
                "UPDATE {table} SET {column} = $1{} WHERE workspace_id = $2 AND id = $3 AND {column} = $4",
                touched(tx, table)
            );
            return Ok(tx.execute(&sql, &[new.into(), ctx.workspace.into(), row.into(), old.into()])?);
        }
    };
    match moved {
        // The row was deleted in the meantime.
        Err(Error::NotFound(_)) => Ok(()),
        moved => moved,
    }
}

fn set_named<T: Resource>(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, old: Uuid, new: Uuid) -> Result<(), Error> {
    let (saved, column) = (find::<T>(ctx, tx, id)?, column::<Company>(T::ABOUT.table));
    if *saved.value(&column)? == Value::Id(old) {
        let mut changes = Changes::default();
        changes.set_named(T::FIELDS, &column, new);
        update(ctx, tx, &saved, &changes)?;
    }
    Ok(())
}

fn set_deal(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, old: Uuid, new: Uuid) -> Result<(), Error> {
    let deal = find::<Deal>(ctx, tx, id)?;
    if deal.record.company_id == Some(old) {
        let mut changes = Changes::default();
        changes.set(Deal::COMPANY_ID, new);
        deal::save(ctx, tx, &deal, changes, "updated", Map::new())?;
    }
    Ok(())
}

/// The record that this id is an alias of. Notes the row under each merge on the way, with the id that it had before.
fn follow(ctx: &Ctx, tx: &mut dyn Tx, table: &str, row: Uuid, mut id: Uuid) -> Result<Uuid, Error> {
    while let Some((merge, into)) = taken(ctx, tx, id)? {
        if let Some(merge) = merge {
            note(ctx, tx, merge, table, row, id, None)?;
        }
        id = into;
    }
    Ok(id)
}

/// If a contact returns to a company that was merged in the meantime, notes it under that merge as if it had moved with
/// the company.
pub(super) fn return_to_company(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid, company: Option<Uuid>) -> Result<(), Error> {
    let Some(company) = company else { return Ok(()) };
    follow(ctx, tx, Contact::ABOUT.table, contact, company).map(drop)
}

/// Deletes the notes that a contact moved with a company, because it belongs to another one again.
pub(super) fn leave_company(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid, company: Option<Uuid>) -> Result<(), Error> {
    const FORGET: &str = "DELETE FROM merge_links WHERE workspace_id = $1 AND merge_id = $2 AND collection = $3 \
         AND record = $4 AND from_id = $5";
    let Some(mut id) = company else { return Ok(()) };
    while let Some((merge, into)) = taken(ctx, tx, id)? {
        let table = Contact::ABOUT.table;
        tx.execute(FORGET, &[ctx.workspace.into(), merge.into(), table.into(), contact.into(), id.into()])?;
        id = into;
    }
    Ok(())
}

/// Converts the saved links of a merge by an earlier version of Relata to notes.
pub(super) fn adopt(ctx: &Ctx, tx: &mut dyn Tx, merge: Uuid, into: Uuid, kept: &Json) -> Result<(), Error> {
    let Some(tables) = undo_place(&merge).part::<Option<Map<String, Json>>>(&kept["links"])? else { return Ok(()) };
    // Absent if no rows were shared.
    let shared: Option<Vec<Uuid>> = undo_place(&merge).part(&kept["shared"])?;
    let shared = shared.unwrap_or_default();
    for (table, rows) in tables.iter().filter(|(table, _)| !OWN.contains(&table.as_str())) {
        let rows: Vec<(Uuid, Uuid)> = undo_place(&merge).part(rows)?;
        for (row, from) in &rows {
            let took_part = (table == "deal_contacts").then(|| {
                let own = shared.contains(row).then_some(into);
                let others = rows.iter().filter(|(other, _)| other == row).map(|(_, from)| *from);
                contacts::text(&own.into_iter().chain(others).collect::<Vec<_>>())
            });
            note(ctx, tx, merge, table, *row, *from, took_part)?;
        }
    }
    Ok(())
}

/// Moves the next rows of a merge back; true if there are more.
pub(super) fn move_back<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, merge: Uuid, steps: Steps) -> Result<bool, Error> {
    const NOTED: &str = "SELECT record FROM merge_links WHERE workspace_id = $1 AND merge_id = $2 AND collection = $3 \
         ORDER BY record, from_id LIMIT $4";
    let undone = unfinished::<R>(ctx, tx, Some(merge))?;
    for table in R::LINKS {
        let params = [ctx.workspace.into(), merge.into(), (*table).into(), (steps.most as i64).into()];
        let mut noted = tx.rows(NOTED, &params, |row| row.id(0))?;
        let (mut done, all) = (0, noted.len());
        noted.dedup();
        for row in noted {
            catch_up::<R>(ctx, tx, table, row, &undone)?;
            done += 1;
            if done >= steps.least && !tx.has_time() {
                changed(tx, table);
                return Ok(true);
            }
        }
        if done > 0 {
            changed(tx, table);
        }
        if all == steps.most {
            return Ok(true);
        }
    }
    Ok(false)
}
