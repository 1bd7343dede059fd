//! The log of merges: which records were merged, which rows moved, and the data for an undo. `collaboration/merge.rs`
//! writes it. Code whose rows may reference a merged record, or whose values may be renamed while a merge can be
//! undone, reads it.

use resource::{Ctx, Error, Place, Resource, StoredRow, place};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};
use store::{Row, Tx, Uuid};

/// How long a merge can be undone.
pub const UNDO: i64 = 30 * 24 * 60 * 60 * 1000;
/// The job that moves the remaining rows; its payload is the id of the merge and `do` or `undo`.
pub const MOVE: &str = "merge.move";
/// Remembers a merged tag as long as an undo of a merge or import may restore its id: a job without work that expires.
/// The payload is the ids of both tags.
pub const TAG_MERGED: &str = "undo.tag_merged";
/// The same for an option that got a new value.
pub const OPTION_RENAMED: &str = "undo.option_renamed";

/// A stored merge with the data for its undo.
pub struct StoredMerge {
    pub id: Uuid,
    pub collection: String,
    pub into: Uuid,
    pub kept: Json,
    pub at: i64,
    pub is_undone: bool,
}

impl StoredMerge {
    pub fn list<T: DeserializeOwned>(&self, member: &str) -> Result<Vec<T>, Error> {
        match &self.kept[member] {
            // Merges by earlier versions of Relata have fewer members.
            Json::Null => Ok(Vec::new()),
            list => self.place().part(list),
        }
    }

    pub fn object(&self, member: &str) -> Result<Map<String, Json>, Error> {
        self.place().part(&self.kept[member])
    }

    /// The records that were merged into the survivor, in their former state.
    pub fn rows(&self) -> Result<&[Json], Error> {
        undo_rows(self.id, &self.kept)
    }

    /// The ids of the records that were merged into the survivor.
    pub fn from(&self) -> Result<Vec<Uuid>, Error> {
        self.rows()?.iter().map(|row| self.place().part(&row["id"])).collect()
    }

    /// Whether a record of this merge was erased, and the data for the undo with it.
    pub fn is_erased(&self) -> bool {
        self.kept.as_object().is_some_and(Map::is_empty)
    }

    pub fn place(&self) -> Place<'_> {
        undo_place(&self.id)
    }
}

/// The location of the data for an undo.
pub fn undo_place(merge: &Uuid) -> Place<'_> {
    place("merges", "kept", merge)
}

/// The records that a merge removed, in their former state.
pub fn undo_rows(merge: Uuid, kept: &Json) -> Result<&[Json], Error> {
    match &kept["rows"] {
        Json::Array(rows) => Ok(rows),
        // A merge that is still being written has no rows yet; one with an erased record has none any more.
        Json::Null if kept.as_object().is_some_and(Map::is_empty) => Ok(&[]),
        _ => Err(undo_place(&merge).corrupt("has no rows")),
    }
}

pub fn find_merge(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Option<StoredMerge>, Error> {
    const MERGE: &str = "SELECT into_id, kept, created_at, undone_at, collection FROM merges \
         WHERE workspace_id = $1 AND id = $2";
    let found = tx.one(MERGE, &[ctx.workspace.into(), id.into()], |row| {
        let is_undone = row.maybe_int(3)?.is_some();
        let kept = row.json(1).map_err(|error| error.in_row("merges", id))?;
        Ok(StoredMerge { id, collection: row.text(4)?, into: row.id(0)?, kept, at: row.int(2)?, is_undone })
    })?;
    Ok(found)
}

/// Replaces the data for the undo of a merge.
pub fn save_undo_data(ctx: &Ctx, tx: &mut dyn Tx, merge: Uuid, kept: &Json) -> Result<(), Error> {
    const SAVE: &str = "UPDATE merges SET kept = $1 WHERE workspace_id = $2 AND id = $3";
    Ok(tx.execute(SAVE, &[kept.to_string().into(), ctx.workspace.into(), merge.into()])?)
}

/// The merge that removed this id, if it is known, and the record that it was merged into at that time.
pub fn taken(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Option<(Option<Uuid>, Uuid)>, Error> {
    const TAKEN: &str = "SELECT g.id, coalesce(g.into_id, i.new_id) FROM merged_ids i \
         LEFT JOIN merges g ON g.workspace_id = i.workspace_id AND g.id = i.merge_id WHERE i.workspace_id = $1 AND i.old_id = $2";
    let both = |row: &dyn Row| Ok((row.get(0)?.maybe(|id| id.id())?, row.id(1)?));
    Ok(tx.one(TAKEN, &[ctx.workspace.into(), id.into()], both)?)
}

// ---- rows that moved ----

/// Records that a merge moved a row.
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

/// Removes and returns the notes of a merge about a row: its former ids, and the saved text.
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

// ---- jobs that move rows ----

pub fn payload(merge: Uuid, undo: bool) -> String {
    format!("{merge} {}", if undo { "undo" } else { "do" })
}

/// The merge in a payload, and whether it is being undone.
pub fn parse(payload: &str) -> Option<(Uuid, bool)> {
    let (merge, what) = payload.split_once(' ')?;
    let is_undo = match what {
        "undo" => true,
        "do" => false,
        _ => return None,
    };
    Some((Uuid::try_parse(merge).ok()?, is_undo))
}

/// Whether a payload of the job can be read.
pub fn is_move(payload: &str) -> bool {
    parse(payload).is_some()
}

/// An undone merge whose rows have not all moved back.
pub struct Undone {
    pub merge: Uuid,
    pub into: Uuid,
}

/// All such merges, the newest first: those with a job, and the one that is being undone now.
pub fn unfinished<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, now: Option<Uuid>) -> Result<Vec<Undone>, Error> {
    const JOBS: &str = "SELECT payload, id FROM jobs WHERE workspace_id = $1 AND kind = $2";
    const UNDONE: &str = "SELECT into_id FROM merges WHERE workspace_id = $1 AND id = $2 AND collection = $3 \
         AND undone_at IS NOT NULL";
    let mut ids: Vec<Uuid> = now.into_iter().collect();
    for (merge, undo) in tx.rows(JOBS, &[ctx.workspace.into(), MOVE.into()], |row| row.word(0, parse))? {
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
