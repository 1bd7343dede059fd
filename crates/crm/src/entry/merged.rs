//! The entries of contacts that turn out to be one. In a project where both are candidates the one that is further stays.

use super::{Entry, leave, list_contact, of_contact, unlist_contact};
use crate::project;
use resource::{Changes, Ctx, Error, Resource, Saved, find, reinstate, row, update};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use store::{Tx, Uuid};

/// What became of an entry in a merge, for its undo.
#[derive(Serialize, Deserialize)]
pub enum Moved {
    /// It was this contact's and is the survivor's now.
    Went { entry: Uuid, from: Uuid },
    /// It stood behind another of the same project.
    Gone { row: Json },
}

/// Gives the survivor of a merge the others' entries.
pub fn move_all(ctx: &Ctx, tx: &mut dyn Tx, into: Uuid, from: &[Uuid]) -> Result<Vec<Moved>, Error> {
    const ENTRIES: &str = "SELECT id FROM pipeline_entries WHERE workspace_id = $1 AND contact_id = $2 ORDER BY id";
    let mut moved = Vec::new();
    for from in from.iter().copied() {
        for id in tx.rows(ENTRIES, &[ctx.workspace.into(), from.into()], |row| row.id(0))? {
            let entry = find::<Entry>(ctx, tx, id)?;
            if let Some(known) = of_contact(ctx, tx, entry.record.project_id, into)? {
                let known = find::<Entry>(ctx, tx, known)?;
                let further = place(ctx, tx, &entry)? > place(ctx, tx, &known)?;
                let behind = if further { &known } else { &entry };
                moved.push(Moved::Gone { row: row(behind) });
                leave(ctx, tx, behind)?;
                if !further {
                    continue;
                }
            }
            give(ctx, tx, &entry, into)?;
            moved.push(Moved::Went { entry: id, from });
        }
    }
    Ok(moved)
}

/// Undoes that, where it still stands; last things first.
pub fn move_back(ctx: &Ctx, tx: &mut dyn Tx, into: Uuid, moved: &[Moved]) -> Result<(), Error> {
    for one in moved.iter().rev() {
        match one {
            Moved::Went { entry, from } => match find::<Entry>(ctx, tx, *entry) {
                Ok(entry) if entry.record.contact_id == into => give(ctx, tx, &entry, *from)?,
                Ok(_) | Err(Error::NotFound(_)) => {}
                Err(other) => return Err(other),
            },
            Moved::Gone { row } => {
                let id = |member: &str| row["values"][member].as_str().and_then(|id| Uuid::try_parse(id).ok());
                let (Some(project), Some(contact)) = (id("project_id"), id("contact_id")) else { continue };
                if of_contact(ctx, tx, project, contact)?.is_none() {
                    reinstate::<Entry>(ctx, tx, row)?;
                    list_contact(ctx, tx, project, contact)?;
                }
            }
        }
    }
    Ok(())
}

/// Makes it another contact's.
fn give(ctx: &Ctx, tx: &mut dyn Tx, entry: &Saved<Entry>, contact: Uuid) -> Result<(), Error> {
    let mut changes = Changes::default();
    changes.set(Entry::FIELDS, "contact_id", contact);
    unlist_contact(ctx, tx, entry.record.project_id, entry.record.contact_id)?;
    list_contact(ctx, tx, entry.record.project_id, contact)?;
    update(ctx, tx, entry, &changes).map(drop)
}

/// How far it is in its project's order.
fn place(ctx: &Ctx, tx: &mut dyn Tx, entry: &Saved<Entry>) -> Result<Option<usize>, Error> {
    let stages = project::stages(ctx, tx, entry.record.project_id)?;
    Ok(stages.iter().position(|(stage, _)| *stage == entry.record.stage_id))
}
