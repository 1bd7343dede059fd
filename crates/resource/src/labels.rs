//! Labels: records store their ids and show their names. The only field of this kind is `tags`.

use crate::memory::Names;
use crate::{Ctx, Error, StoredRow};
use std::collections::HashMap;
use std::sync::Arc;
use store::{Tx, Value};
use uuid::Uuid;

/// The table with the names of labels.
pub const LABELS: &str = "tags";

/// The job that removes a deleted label from the records; its payload is the label's id.
pub const DETACH: &str = "tag.detach";

/// The job that replaces a merged label on the records; its payload is the ids of both: `from into`.
pub const MERGE: &str = "tag.merge";

const STAMP: &str = "SELECT tags_stamp FROM heads WHERE workspace_id = $1";

/// Names of labels as of the current snapshot.
#[derive(Clone)]
pub struct Labels {
    /// Committed names that all requests share.
    shared: Arc<Names>,
    /// Where newly read names are added: the shared names in a read, private ones in a write.
    learned: Arc<Names>,
}

impl Labels {
    pub fn of(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Labels, Error> {
        let stamp = tx.one(STAMP, &[ctx.workspace.into()], |row| row.int(0))?.unwrap_or(0);
        Ok(Labels::at(ctx, stamp, tx.stamp()))
    }

    /// Names as of `stamp`, for a transaction whose own stamp is `now` (zero in a read).
    pub(crate) fn at(ctx: &Ctx, stamp: i64, now: i64) -> Labels {
        let own = || Arc::new(Names::new(stamp));
        if now == 0 {
            let shared = ctx.memory.names(ctx.workspace, stamp);
            return Labels { learned: shared.clone(), shared };
        }
        let shared = if stamp < now { ctx.memory.names(ctx.workspace, stamp) } else { own() };
        Labels { shared, learned: own() }
    }

    /// The name if it is cached; the inner `None` means that the label was deleted.
    pub fn get(&self, id: Uuid) -> Option<Option<Arc<str>>> {
        let learned = self.learned.by_id.pin().get(&id).cloned();
        learned.or_else(|| self.shared.by_id.pin().get(&id).cloned())
    }

    /// Reads the names that are not cached yet.
    pub fn learn(&self, ctx: &Ctx, tx: &mut dyn Tx, ids: &[Uuid]) -> Result<(), Error> {
        let mut missing: Vec<Uuid> = ids.iter().copied().filter(|id| self.get(*id).is_none()).collect();
        missing.sort();
        missing.dedup();
        for some in missing.chunks(200) {
            let mut found = stored_names(ctx, tx, some)?;
            if found.len() < some.len() {
                // A missing label may have been merged into another, whose name is shown until the job has changed all
                // records.
                let merging = merging(ctx, tx)?;
                let into: Vec<Uuid> = some.iter().filter_map(|id| merging.get(id).copied()).collect();
                if !into.is_empty() {
                    let names = stored_names(ctx, tx, &into)?;
                    let stand_in = |id: &Uuid| Some((*id, names.get(merging.get(id)?)?.clone()));
                    found.extend(some.iter().filter_map(stand_in).collect::<Vec<_>>());
                }
            }
            let names = self.learned.by_id.pin();
            for id in some {
                names.insert(*id, found.get(id).map(|name| name.as_str().into()));
            }
        }
        Ok(())
    }

    /// The names of `ids`, in their order, without deleted labels.
    pub fn names(&self, ctx: &Ctx, tx: &mut dyn Tx, ids: &[Uuid]) -> Result<Vec<Arc<str>>, Error> {
        self.learn(ctx, tx, ids)?;
        Ok(ids.iter().filter_map(|id| self.get(*id).flatten()).collect())
    }
}

fn stored_names(ctx: &Ctx, tx: &mut dyn Tx, ids: &[Uuid]) -> Result<HashMap<Uuid, String>, Error> {
    let mut params: Vec<Value> = vec![ctx.workspace.into()];
    params.extend(ids.iter().map(|id| Value::Id(*id)));
    let places: Vec<String> = (2..=params.len()).map(|n| format!("${n}")).collect();
    let sql = format!("SELECT id, name FROM tags WHERE workspace_id = $1 AND id IN ({})", places.join(", "));
    Ok(tx.rows(&sql, &params, |row| Ok((row.id(0)?, row.text(1)?)))?.into_iter().collect())
}

/// Merged labels that records may still have, each with the label that it was merged into.
pub fn merging(ctx: &Ctx, tx: &mut dyn Tx) -> Result<HashMap<Uuid, Uuid>, Error> {
    const MERGING: &str = "SELECT payload, id FROM jobs WHERE workspace_id = $1 AND kind = $2";
    let pairs = tx.rows(MERGING, &[ctx.workspace.into(), MERGE.into()], |row| row.word(0, merged_pair))?;
    Ok(pairs.into_iter().collect())
}

/// The two labels in the payload of a merge job.
pub fn merged_pair(payload: &str) -> Option<(Uuid, Uuid)> {
    let (from, into) = payload.split_once(' ')?;
    Some((Uuid::try_parse(from).ok()?, Uuid::try_parse(into).ok()?))
}

/// The ids of labels by their folded names; unknown names are left out.
pub(crate) fn called(ctx: &Ctx, tx: &mut dyn Tx, folded: &[String]) -> Result<HashMap<String, Uuid>, Error> {
    let mut found = HashMap::new();
    for some in folded.chunks(200) {
        let mut params: Vec<Value> = vec![ctx.workspace.into()];
        params.extend(some.iter().map(|name| Value::from(name.as_str())));
        let places: Vec<String> = (2..=params.len()).map(|n| format!("${n}")).collect();
        let sql =
            format!("SELECT name_fold, id FROM tags WHERE workspace_id = $1 AND name_fold IN ({})", places.join(", "));
        found.extend(tx.rows(&sql, &params, |row| Ok((row.text(0)?, row.id(1)?)))?);
    }
    Ok(found)
}

/// Deleted labels that a job is still removing from the records.
pub(crate) fn detaching(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<String>, Error> {
    const DETACHING: &str = "SELECT payload FROM jobs WHERE workspace_id = $1 AND kind = $2";
    Ok(tx.rows(DETACHING, &[ctx.workspace.into(), DETACH.into()], |row| row.text(0))?)
}
