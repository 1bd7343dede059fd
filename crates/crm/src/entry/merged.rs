//! The entries of contacts that are merged. In a project where several are candidates one entry stays: hired beats in
//! progress beats rejected, then the one that is further. It keeps the ratings and notes of all of them.

use super::{Entry, leave, list_contact, of_contact, unlist_contact};
use crate::note::Note;
use crate::project::{self, Project};
use crate::template::Category;
use resource::{Changes, Ctx, Error, Resource, Reverted, Saved, find, insert, reinstate, revert, row, update};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid, Value};

/// What became of an entry in a merge, for its undo.
#[derive(Serialize, Deserialize)]
pub enum Moved {
    /// It was this contact's and is the survivor's now.
    Went { entry: Uuid, from: Uuid },
    /// Another of the same project stayed instead.
    Gone { row: Json },
    /// It was given the rating or the notes of one that is gone: its members before and after.
    Joined { entry: Uuid, before: Map<String, Json>, after: Map<String, Json> },
    /// Notes that found no room in the entry that stayed became a note of the contact.
    Noted { note: Uuid },
}

/// As many characters as an entry's notes may have.
const NOTES: usize = 10_000;

/// Gives the survivor of a merge the others' entries.
pub fn move_all(ctx: &Ctx, tx: &mut dyn Tx, into: Uuid, from: &[Uuid]) -> Result<Vec<Moved>, Error> {
    const ENTRIES: &str = "SELECT id FROM pipeline_entries WHERE workspace_id = $1 AND contact_id = $2 ORDER BY id";
    let mut moved = Vec::new();
    for from in from.iter().copied() {
        for id in tx.rows(ENTRIES, &[ctx.workspace.into(), from.into()], |row| row.id(0))? {
            let entry = find::<Entry>(ctx, tx, id)?;
            let Some(known) = of_contact(ctx, tx, entry.record.project_id, into)? else {
                give(ctx, tx, &entry, into)?;
                moved.push(Moved::Went { entry: id, from });
                continue;
            };
            let known = find::<Entry>(ctx, tx, known)?;
            let wins = rank(ctx, tx, &entry)? > rank(ctx, tx, &known)?;
            let (stays, goes) = if wins { (&entry, &known) } else { (&known, &entry) };
            moved.push(Moved::Gone { row: row(goes) });
            leave(ctx, tx, goes)?;
            if wins {
                give(ctx, tx, stays, into)?;
                moved.push(Moved::Went { entry: id, from });
            }
            let stays = find::<Entry>(ctx, tx, stays.id)?;
            join(ctx, tx, into, &stays, goes, &mut moved)?;
        }
    }
    Ok(moved)
}

/// Gives the entry that stays what only the other says.
fn join(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    contact: Uuid,
    stays: &Saved<Entry>,
    goes: &Saved<Entry>,
    moved: &mut Vec<Moved>,
) -> Result<(), Error> {
    let mut changes = Changes::default();
    let mut texts: Vec<String> = goes.record.notes.iter().cloned().collect();
    match (stays.record.rating, goes.record.rating) {
        (None, Some(rating)) => changes.set(Entry::FIELDS, "rating", rating),
        (Some(own), Some(other)) if own != other => texts.insert(0, format!("Rating of the merged entry: {other}")),
        _ => {}
    }
    let added = texts.join("\n\n");
    let own = stays.record.notes.clone().unwrap_or_default();
    if !added.is_empty() && !own.contains(&added) {
        let whole = if own.is_empty() { added.clone() } else { format!("{own}\n\n{added}") };
        if whole.chars().count() <= NOTES {
            changes.set(Entry::FIELDS, "notes", whole);
        } else {
            for text in texts {
                let mut note = Changes::default();
                note.set(Note::FIELDS, "content", text);
                note.set(Note::FIELDS, "contact_id", contact);
                moved.push(Moved::Noted { note: insert::<Note>(ctx, tx, &note)? });
            }
        }
    }
    let value = |value: &Value| resource::kept(value);
    let before = changes.iter().map(|(field, _)| (field.name.to_owned(), value(stays.value(field.name)))).collect();
    let after = changes.iter().map(|(field, new)| (field.name.to_owned(), value(new))).collect();
    if update(ctx, tx, stays, &changes)? {
        moved.push(Moved::Joined { entry: stays.id, before, after });
    }
    Ok(())
}

/// Undoes that, where it still stands; last things first.
pub fn move_back(ctx: &Ctx, tx: &mut dyn Tx, into: Uuid, moved: &[Moved]) -> Result<(), Error> {
    for one in moved.iter().rev() {
        match one {
            Moved::Went { entry, from } => {
                if let Some(entry) = existing::<Entry>(ctx, tx, *entry)?
                    && entry.record.contact_id == into
                {
                    give(ctx, tx, &entry, *from)?;
                }
            }
            Moved::Gone { row } => put_back(ctx, tx, row)?,
            Moved::Joined { entry, before, after } => {
                if let Some(entry) = existing::<Entry>(ctx, tx, *entry)? {
                    let mut changes = Changes::default();
                    for field in Entry::FIELDS {
                        let (Some(before), Some(after)) = (before.get(field.name), after.get(field.name)) else {
                            continue;
                        };
                        if let Reverted::To(value) = revert(field, before, after, entry.value(field.name))? {
                            changes.set(Entry::FIELDS, field.name, value);
                        }
                    }
                    update(ctx, tx, &entry, &changes)?;
                }
            }
            Moved::Noted { note } => {
                if let Some(note) = existing::<Note>(ctx, tx, *note)?
                    && note.version == 1
                {
                    resource::delete(ctx, tx, &note)?;
                }
            }
        }
    }
    Ok(())
}

fn existing<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Option<Saved<R>>, Error> {
    match find::<R>(ctx, tx, id) {
        Err(Error::NotFound(_)) => Ok(None),
        found => found.map(Some),
    }
}

/// Puts an entry back, in the stage it stood in. If that was removed since, it stands where a new one would.
fn put_back(ctx: &Ctx, tx: &mut dyn Tx, row: &Json) -> Result<(), Error> {
    let id = |member: &str| row["values"][member].as_str().and_then(|id| Uuid::try_parse(id).ok());
    let (Some(project), Some(contact), Some(stage)) = (id("project_id"), id("contact_id"), id("stage_id")) else {
        return Err(store::Error::Corrupt("a merge kept an entry without its project, contact or stage".into()).into());
    };
    if existing::<Project>(ctx, tx, project)?.is_none() || of_contact(ctx, tx, project, contact)?.is_some() {
        return Ok(());
    }
    let mut row = row.clone();
    let stages = project::stages(ctx, tx, project)?;
    let known = stages.iter().find(|(id, _)| *id == stage).or(stages.first());
    let Some((stage, category)) = known else { return Ok(()) };
    row["values"]["stage_id"] = json!(stage);
    if *category != Category::Rejected {
        row["values"]["rejection_reason_id"] = Json::Null;
    }
    reinstate::<Entry>(ctx, tx, &row)?;
    list_contact(ctx, tx, project, contact)
}

/// Makes it another contact's.
fn give(ctx: &Ctx, tx: &mut dyn Tx, entry: &Saved<Entry>, contact: Uuid) -> Result<(), Error> {
    let mut changes = Changes::default();
    changes.set(Entry::FIELDS, "contact_id", contact);
    unlist_contact(ctx, tx, entry.record.project_id, entry.record.contact_id)?;
    list_contact(ctx, tx, entry.record.project_id, contact)?;
    update(ctx, tx, entry, &changes).map(drop)
}

/// What it has come to, then how far it is in its project's order.
fn rank(ctx: &Ctx, tx: &mut dyn Tx, entry: &Saved<Entry>) -> Result<(u8, usize), Error> {
    let stages = project::stages(ctx, tx, entry.record.project_id)?;
    let at = stages.iter().position(|(stage, _)| *stage == entry.record.stage_id);
    let outcome = match at.map(|at| stages[at].1) {
        Some(Category::Hired) => 2,
        Some(Category::Rejected) | None => 0,
        Some(_) => 1,
    };
    Ok((outcome, at.unwrap_or(0)))
}
