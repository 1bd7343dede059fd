//! The enrollments of contacts that turn out to be one. In a sequence that both are in, the survivor's own goes on, and nobody
//! gets it twice.

use super::course::{Course, go_on};
use super::enroll::{list_contact, unlist_contact};
use super::record::{Enrollment, EnrollmentStatus, FIELDS, end, save};
use resource::{Changes, Ctx, Error, Saved, find, update};
use serde::{Deserialize, Serialize};
use serde_json::Map;
use store::{Tx, Uuid, Value};

/// What became of an enrollment in a merge, for its undo.
#[derive(Serialize, Deserialize)]
pub struct Moved {
    enrollment: Uuid,
    from: Uuid,
    /// It was ended for the survivor's sake.
    ended: bool,
}

const MERGED: &str = "the contact was merged with one that is in this sequence, too";

/// Gives the survivor of a merge the others' enrollments.
pub fn move_all(ctx: &Ctx, tx: &mut dyn Tx, into: Uuid, from: &[Uuid]) -> Result<Vec<Moved>, Error> {
    const OF_CONTACT: &str = "SELECT id FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 ORDER BY id";
    const KNOWN: &str = "SELECT 1 FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 AND sequence_id = $3 \
         AND status <> 'unenrolled' LIMIT 1";
    let mut moved = Vec::new();
    for from in from.iter().copied() {
        for id in tx.rows(OF_CONTACT, &[ctx.workspace.into(), from.into()], |row| row.id(0))? {
            let mut saved = find::<Enrollment>(ctx, tx, id)?;
            let params = [ctx.workspace.into(), into.into(), saved.record.sequence_id.into()];
            let ended = saved.record.status.is_open() && tx.one(KNOWN, &params, |_| Ok(()))?.is_some();
            if ended {
                saved = end(ctx, tx, &saved, EnrollmentStatus::Unenrolled, MERGED)?;
            }
            give(ctx, tx, &saved, into)?;
            moved.push(Moved { enrollment: id, from, ended });
        }
    }
    Ok(moved)
}

/// Undoes that, where it still stands: one that was ended goes on.
pub fn move_back(ctx: &Ctx, tx: &mut dyn Tx, into: Uuid, moved: &[Moved]) -> Result<(), Error> {
    for one in moved.iter().rev() {
        let saved = match find::<Enrollment>(ctx, tx, one.enrollment) {
            Err(Error::NotFound(_)) => continue,
            found => found?,
        };
        if saved.record.contact_id != into {
            continue;
        }
        give(ctx, tx, &saved, one.from)?;
        if one.ended && saved.record.reason.as_deref() == Some(MERGED) {
            reopen(ctx, tx, one.enrollment)?;
        }
    }
    Ok(())
}

fn give(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, contact: Uuid) -> Result<(), Error> {
    let mut changes = Changes::default();
    changes.set(FIELDS, "contact_id", contact);
    update(ctx, tx, saved, &changes)?;
    list_contact(ctx, tx, saved.record.sequence_id, contact)?;
    unlist_contact(ctx, tx, saved.record.sequence_id, saved.record.contact_id)
}

fn reopen(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    let saved = find::<Enrollment>(ctx, tx, id)?;
    let mut changes = Changes::default();
    changes.set(FIELDS, "status", EnrollmentStatus::Paused.word());
    changes.set(FIELDS, "finished_at", Value::Null);
    let paused = save(ctx, tx, &saved, &changes, "updated", &Map::new())?;
    let mut course = Course::of(ctx, tx, paused.record.sequence_id)?;
    go_on(ctx, tx, &mut course, &paused).map(drop)
}
