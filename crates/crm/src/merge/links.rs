//! Rows that name a merged record. They follow it to the last survivor: some in the merge's own transaction, the rest by
//! a job. Until then they are found by the old id, which means the survivor. Each step of the way is noted under its
//! merge, so that an undo moves back exactly the rows that the merge moved.
//!
//! Merges and undos overlap, since their jobs lag behind. Whichever of them comes to a row first takes back what undone
//! merges noted of it, the newest first, and only then follows the merges that stand. So the notes of a row are a stack:
//! each row goes through the same steps as if every merge and undo had moved all its rows at once.

use super::kept;
use crate::collection::Collected;
use crate::company::Company;
use crate::contact::Contact;
use crate::deal::{self, Deal, contacts};
use crate::job;
use crate::project::Project;
use resource::{Changes, Ctx, Error, Resource, all_of, find, update};
use serde_json::{Map, Value as Json};
use store::{Row, Tally, Tx, Uuid, Value};

/// Moves the rest of the rows; the payload is the merge's id and `do` or `undo`.
pub const MOVE: &str = "merge.move";

/// How many rows of a table move in one transaction: the least in any case, the most only if there is time.
#[derive(Clone, Copy)]
pub struct Steps {
    least: usize,
    most: usize,
}
pub const AT_ONCE: Steps = Steps { least: 50, most: 200 };

/// Tables that the database ties to a contact: their rows go before it does.
const TIED: &[&str] = &["files", "contact_profiles"];
/// `entry` and `enrollment` move their own.
const OWN: &[&str] = &["pipeline_entries", "enrollments"];

pub fn payload(merge: Uuid, undo: bool) -> String {
    format!("{merge} {}", if undo { "undo" } else { "do" })
}

/// The merge that a payload names, and whether it is undone.
fn parse(payload: &str) -> Result<(Uuid, bool), Error> {
    let mut words = payload.split(' ');
    let merge = words.next().and_then(|id| Uuid::try_parse(id).ok());
    let merge = merge.ok_or_else(|| store::Error::Corrupt(format!("a job of a merge: {payload}")))?;
    Ok((merge, words.next() == Some("undo")))
}

/// A merge that was undone and still has rows to move back.
pub struct Undone {
    pub merge: Uuid,
    pub into: Uuid,
}

/// All of them, the newest first: those that have a job, and the one that is being undone now.
pub fn unfinished<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, now: Option<Uuid>) -> Result<Vec<Undone>, Error> {
    const JOBS: &str = "SELECT payload FROM jobs WHERE workspace_id = $1 AND kind = $2";
    const UNDONE: &str = "SELECT into_id FROM merges WHERE workspace_id = $1 AND id = $2 AND collection = $3 \
         AND undone_at IS NOT NULL";
    let mut ids: Vec<Uuid> = now.into_iter().collect();
    for payload in tx.rows(JOBS, &[ctx.workspace.into(), MOVE.into()], |row| row.text(0))? {
        let (merge, undo) = parse(&payload)?;
        ids.extend(undo.then_some(merge));
    }
    ids.sort();
    ids.dedup();
    let mut undone = Vec::with_capacity(ids.len());
    for merge in ids.into_iter().rev() {
        let params = [ctx.workspace.into(), merge.into(), R::ABOUT.table.into()];
        undone.extend(tx.one(UNDONE, &params, |row| row.id(0))?.map(|into| Undone { merge, into }));
    }
    Ok(undone)
}

/// What a merge noted of a row: the ids that it had before, and the text that was kept.
pub fn take_notes(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    merge: Uuid,
    table: &str,
    row: Uuid,
) -> Result<Vec<(Uuid, Option<String>)>, Error> {
    const NOTES: &str = "SELECT from_id, kept FROM merge_links WHERE workspace_id = $1 AND merge_id = $2 AND collection = $3 \
         AND record = $4 ORDER BY from_id";
    const FORGET: &str =
        "DELETE FROM merge_links WHERE workspace_id = $1 AND merge_id = $2 AND collection = $3 AND record = $4";
    let params = [ctx.workspace.into(), merge.into(), table.into(), row.into()];
    let notes = tx.rows(NOTES, &params, |row: &dyn Row| Ok((row.id(0)?, row.maybe_text(1)?)))?;
    if !notes.is_empty() {
        tx.execute(FORGET, &params)?;
    }
    Ok(notes)
}

/// Moves the next rows of a merge or its undo; true if there are more.
pub fn go_on(ctx: &Ctx, tx: &mut dyn Tx, job: Uuid, most: i64) -> Result<bool, Error> {
    let (merge, undo) = parse(&job::payload(ctx, tx, job)?)?;
    // One that was undone meanwhile has nothing to go on with.
    let Some(found) = kept(ctx, tx, merge)?.filter(|found| found.is_undone == undo) else { return Ok(false) };
    let steps = Steps { least: 1, most: most as usize };
    match (found.collection == Contact::ABOUT.table, undo) {
        (true, false) => move_some::<Contact>(ctx, tx, &found.from(), steps),
        (false, false) => move_some::<Company>(ctx, tx, &found.from(), steps),
        (true, true) => move_back::<Contact>(ctx, tx, merge, steps),
        (false, true) => move_back::<Company>(ctx, tx, merge, steps),
    }
}

/// What names a record of this kind in a table.
fn column<R: Resource>(table: &str) -> String {
    if table == Project::ABOUT.table { "client_company_id".into() } else { format!("{}_id", R::ABOUT.one) }
}

/// A statement over the rows of a table that name the record `$2`: their ids, or how many they are.
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

/// How many rows name these records, by table.
pub fn count<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, from: &[Uuid]) -> Result<Map<String, Json>, Error> {
    let mut ids = Vec::new();
    for id in from {
        // Rows of an earlier merge may still be on their way.
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

/// Moves the rows that the database ties to the records.
pub fn move_tied<R: Collected>(
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

/// A row that is moved has changed; files have no version.
fn touched(tx: &dyn Tx, table: &str) -> String {
    if table == "files" { String::new() } else { format!(", updated_at = {}, version = version + 1", tx.stamp()) }
}

/// The collection has changed, though not how many it has.
fn changed(tx: &mut dyn Tx, table: &'static str) {
    tx.tally(Tally { collection: table, field: "", value: String::new(), archived: false }, 0);
}

/// Moves the next rows that name one of these records; true if there are more.
pub fn move_some<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, from: &[Uuid], steps: Steps) -> Result<bool, Error> {
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

/// Makes a row name the record that this one is now.
fn move_row<R: Collected>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    table: &'static str,
    row: Uuid,
    old: Uuid,
    undone: &[Undone],
) -> Result<(), Error> {
    catch_up::<R>(ctx, tx, table, row, undone)?;
    // A term that no record stands for would be found again and again.
    const STALE: &str = "DELETE FROM terms WHERE workspace_id = $1 AND field = $2 AND key = $3 AND record = $4";
    if let Some(term) = term(table) {
        tx.execute(STALE, &[ctx.workspace.into(), term.into(), old.to_string().into(), row.into()])?;
    }
    Ok(())
}

/// Takes back what undone merges noted of a row, the newest first, then makes it follow the merges that stand.
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

/// The term under which records that name a company are found.
fn term(table: &str) -> Option<&'static str> {
    match table {
        "contacts" => Some("contact.company"),
        "deals" => Some("deal.company"),
        "projects" => Some("project.client_company"),
        _ => None,
    }
}

/// Makes a row name another record, if it names this one.
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
        // One that was removed since has nothing to move.
        Err(Error::NotFound(_)) => Ok(()),
        moved => moved,
    }
}

fn set_named<T: Resource>(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, old: Uuid, new: Uuid) -> Result<(), Error> {
    let (saved, column) = (find::<T>(ctx, tx, id)?, column::<Company>(T::ABOUT.table));
    if *saved.value(&column) == Value::Id(old) {
        let mut changes = Changes::default();
        changes.set(T::FIELDS, &column, new);
        update(ctx, tx, &saved, &changes)?;
    }
    Ok(())
}

fn set_deal(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, old: Uuid, new: Uuid) -> Result<(), Error> {
    let deal = find::<Deal>(ctx, tx, id)?;
    if deal.record.company_id == Some(old) {
        let mut changes = Changes::default();
        changes.set(Deal::FIELDS, "company_id", new);
        deal::save(ctx, tx, &deal, changes, "updated", Map::new())?;
    }
    Ok(())
}

/// The record that this id means now. Notes the row under each merge on the way, with the id that it had before that one.
fn follow(ctx: &Ctx, tx: &mut dyn Tx, table: &str, row: Uuid, mut id: Uuid) -> Result<Uuid, Error> {
    while let Some((merge, into)) = taken(ctx, tx, id)? {
        if let Some(merge) = merge {
            note(ctx, tx, merge, table, row, id, None)?;
        }
        id = into;
    }
    Ok(id)
}

/// Notes a contact that is back in a company which was merged since under that merge, as if it had moved along.
pub fn return_to_company(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid, company: Option<Uuid>) -> Result<(), Error> {
    let Some(company) = company else { return Ok(()) };
    follow(ctx, tx, Contact::ABOUT.table, contact, company).map(drop)
}

/// Forgets that a contact moved along with a company: it is in another one again.
pub fn leave_company(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid, company: Option<Uuid>) -> Result<(), Error> {
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

/// The merge that took this id away, where it is known, and the record that it went into then.
pub fn taken(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Option<(Option<Uuid>, Uuid)>, Error> {
    const TAKEN: &str = "SELECT g.id, coalesce(g.into_id, i.new_id) FROM merged_ids i \
         LEFT JOIN merges g ON g.workspace_id = i.workspace_id AND g.id = i.merge_id WHERE i.workspace_id = $1 AND i.old_id = $2";
    let both = |row: &dyn Row| Ok((row.get(0)?.maybe(|id| id.id())?, row.id(1)?));
    Ok(tx.one(TAKEN, &[ctx.workspace.into(), id.into()], both)?)
}

/// Notes that a merge moved a row.
pub fn note(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    merge: Uuid,
    table: &str,
    row: Uuid,
    from: Uuid,
    kept: Option<String>,
) -> Result<(), Error> {
    const NOTE: &str = "INSERT INTO merge_links (workspace_id, merge_id, collection, record, from_id, kept) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING";
    let params = [ctx.workspace.into(), merge.into(), table.into(), row.into(), from.into(), kept.into()];
    Ok(tx.execute(NOTE, &params)?)
}

/// Takes over what a merge of an earlier version kept of its rows.
pub fn adopt(ctx: &Ctx, tx: &mut dyn Tx, merge: Uuid, into: Uuid, kept: &Json) -> Result<(), Error> {
    let Some(tables) = kept["links"].as_object() else { return Ok(()) };
    let shared: Option<Vec<Uuid>> = serde_json::from_value(kept["shared"].clone())
        .map_err(|error| store::Error::Corrupt(format!("the shared rows of the merge {merge}: {error}")))?;
    let shared = shared.unwrap_or_default();
    for (table, rows) in tables.iter().filter(|(table, _)| !OWN.contains(&table.as_str())) {
        let rows: Vec<(Uuid, Uuid)> = serde_json::from_value(rows.clone())
            .map_err(|error| store::Error::Corrupt(format!("the rows of the merge {merge}: {error}")))?;
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

/// Moves the next rows back that a merge moved; true if there are more.
pub fn move_back<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, merge: Uuid, steps: Steps) -> Result<bool, Error> {
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
