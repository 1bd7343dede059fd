//! Records that the rules of one transaction need, read at once instead of one by one.

use crate::save::{Saved, find, row_values};
use crate::{Ctx, Error, Resource};
use std::collections::{BTreeSet, HashMap};
use store::{Tx, Value};
use uuid::Uuid;

/// As many are read in one statement.
const TOGETHER: usize = 32;

/// Records that were read together. Each is taken out by whoever may change it, and put back as it then is.
pub struct Kept<R>(HashMap<Uuid, Saved<R>>);

impl<R> Default for Kept<R> {
    fn default() -> Self {
        Kept(HashMap::new())
    }
}

impl<R: Resource> Kept<R> {
    /// Those of these ids that there are.
    pub fn read(ctx: &Ctx, tx: &mut dyn Tx, ids: impl IntoIterator<Item = Uuid>) -> Result<Kept<R>, Error> {
        let (mut kept, width) = (HashMap::new(), R::FIELDS.len());
        let sql = format!("{}{}", R::statements().all, among(2));
        for params in by_keys(ctx, ids) {
            let found =
                tx.rows(&sql, &params, |row| Ok((row_values::<R>(row)?, row.int(width)?, row.id(width + 1)?)))?;
            for (values, version, id) in found {
                kept.insert(id, Saved { id, version, record: R::decode(&values)?, values });
            }
        }
        Ok(Kept(kept))
    }

    /// The record with this id: one of those, else it is looked for.
    pub fn take(&mut self, ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Saved<R>, Error> {
        match self.0.remove(&id) {
            Some(saved) => Ok(saved),
            None => find(ctx, tx, id),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Saved<R>> {
        self.0.values()
    }

    pub fn put(&mut self, saved: Saved<R>) {
        self.0.insert(saved.id, saved);
    }
}

/// The parameters of statements over many keys: the workspace, then as many places as there ever are, so that it is one
/// statement. The last key fills the places that are left.
pub fn by_keys<K: Into<Value> + Ord + Clone>(ctx: &Ctx, keys: impl IntoIterator<Item = K>) -> Vec<Vec<Value>> {
    let keys: Vec<K> = BTreeSet::from_iter(keys).into_iter().collect();
    let params = |some: &[K]| {
        let places = (0..TOGETHER).map(|at| some[at.min(some.len() - 1)].clone().into());
        std::iter::once(ctx.workspace.into()).chain(places).collect()
    };
    keys.chunks(TOGETHER).map(params).collect()
}

/// `($2, $3, …)`, for as many.
pub fn among(first: usize) -> String {
    let places: Vec<String> = (first..first + TOGETHER).map(|n| format!("${n}")).collect();
    format!("({})", places.join(", "))
}
