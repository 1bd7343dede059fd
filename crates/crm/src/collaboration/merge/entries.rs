//! Merges the pipeline entries of contacts. If several of them are in the same project, one entry remains: hired beats
//! in progress beats rejected, then the later stage wins. It takes over the ratings and notes of the others.

use crate::collaboration::note::Note;
use crate::pipelines::entry::{Entry, leave, list_contact, of_contact, unlist_contact};
use crate::pipelines::project::{self, Project};
use crate::pipelines::template::Category;
use resource::{Changes, Ctx, Error, Field, Resource, Reverted, Saved, find, insert, reinstate, revert, row, update};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid, Value};

/// What a merge did to an entry, for its undo.
#[derive(Serialize, Deserialize)]
pub(super) enum Moved {
    /// It belonged to this contact and belongs to the survivor now.
    Went { entry: Uuid, from: Uuid },
    /// It was deleted because another one of the same project remains.
    Gone { row: Json },
    /// It took over the rating or the notes of a deleted one: its members before and after.
    Joined { entry: Uuid, before: Map<String, Json>, after: Map<String, Json> },
    /// Notes that exceed the limit of the remaining entry became a note of the contact.
    Noted { note: Uuid },
}

/// Most characters of an entry's notes.
const NOTES: usize = 10_000;

/// Moves the others' entries to the survivor of a merge.
pub(super) fn move_all(ctx: &Ctx, tx: &mut dyn Tx, into: Uuid, from: &[Uuid]) -> Result<Vec<Moved>, Error> {
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

/// Copies rating and notes of the deleted entry to the remaining one.
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
        (None, Some(rating)) => changes.set(Entry::RATING, rating),
        (Some(own), Some(other)) if own != other => texts.insert(0, format!("Rating of the merged entry: {other}")),
        _ => {}
    }
    let added = texts.join("\n\n");
    let own = stays.record.notes.clone().unwrap_or_default();
    if !added.is_empty() && !own.contains(&added) {
        let whole = if own.is_empty() { added.clone() } else { format!("{own}\n\n{added}") };
        if whole.chars().count() <= NOTES {
            changes.set(Entry::NOTES, whole);
        } else {
            for text in texts {
                let mut note = Changes::default();
                note.set(Note::CONTENT, text);
                note.set(Note::CONTACT_ID, contact);
                moved.push(Moved::Noted { note: insert::<Note>(ctx, tx, &note)? });
            }
        }
    }
    let value = |value: &Value| resource::snapshot(value);
    let before = |(field, _): (&Field, _)| Ok((field.name.to_owned(), value(stays.value(field.name)?)));
    let before = changes.iter().map(before).collect::<Result<_, Error>>()?;
    let after = changes.iter().map(|(field, new)| (field.name.to_owned(), value(new))).collect();
    if update(ctx, tx, stays, &changes)? {
        moved.push(Moved::Joined { entry: stays.id, before, after });
    }
    Ok(())
}

/// Reverts `move_all` where nothing has changed since, in reverse order.
pub(super) fn move_back(ctx: &Ctx, tx: &mut dyn Tx, into: Uuid, moved: &[Moved]) -> Result<(), Error> {
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
                        if let Reverted::To(value) = revert(field, before, after, entry.value(field.name)?)? {
                            changes.set_field(field, value);
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

/// Restores an entry in its former stage, or in the first one if that was deleted.
fn put_back(ctx: &Ctx, tx: &mut dyn Tx, row: &Json) -> Result<(), Error> {
    let id = |member: &str| row["values"][member].as_str().and_then(|id| Uuid::try_parse(id).ok());
    let (Some(project), Some(contact), Some(stage)) = (id("project_id"), id("contact_id"), id("stage_id")) else {
        return Err(store::Error::unreadable("an entry has no project, contact or stage").into());
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

/// Moves an entry to another contact.
fn give(ctx: &Ctx, tx: &mut dyn Tx, entry: &Saved<Entry>, contact: Uuid) -> Result<(), Error> {
    let mut changes = Changes::default();
    changes.set(Entry::CONTACT_ID, contact);
    unlist_contact(ctx, tx, entry.record.project_id, entry.record.contact_id)?;
    list_contact(ctx, tx, entry.record.project_id, contact)?;
    update(ctx, tx, entry, &changes).map(drop)
}

/// Ranks an entry by its outcome, then by its stage.
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
