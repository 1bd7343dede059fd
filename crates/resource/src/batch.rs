//! Records that the rules of one transaction need, read in batches instead of one at a time.

use crate::save::{Saved, find, row_values};
use crate::{Ctx, Error, Resource};
use std::collections::{BTreeSet, HashMap};
use store::{Row, Tx, Value};
use uuid::Uuid;

/// Keys per statement.
const TOGETHER: usize = 32;
/// Keys per statement of sets that may have thousands.
const MANY: usize = 512;

/// Records that were read together. A rule takes a record out to change it, and puts the changed one back.
pub struct Batch<R>(HashMap<Uuid, Saved<R>>);

impl<R> Default for Batch<R> {
    fn default() -> Self {
        Batch(HashMap::new())
    }
}

impl<R: Resource> Batch<R> {
    /// Reads the records with these ids, except missing and damaged ones: for those `take` returns the error.
    pub fn read(ctx: &Ctx, tx: &mut dyn Tx, ids: impl IntoIterator<Item = Uuid>) -> Result<Batch<R>, Error> {
        let (mut records, width) = (HashMap::new(), R::FIELDS.len());
        let sql = format!("{}{}", R::statements().all, among(2));
        for params in by_keys(ctx, ids) {
            let read = |row: &dyn Row| -> Result<_, store::Error> {
                Ok((row_values::<R>(row)?, row.int(width)?, row.id(width + 1)?))
            };
            let found = tx.rows(&sql, &params, |row| Ok(read(row)))?;
            for (values, version, id) in found.into_iter().flatten() {
                if let Ok(saved) = Saved::of(id, version, values) {
                    records.insert(id, saved);
                }
            }
        }
        Ok(Batch(records))
    }

    /// Removes the record with this id and returns it; reads it if it is not here.
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

/// The parameters of statements over many keys: the workspace, then a fixed number of keys, so that the SQL text never
/// changes. The last key fills unused parameters.
pub fn by_keys<K: Into<Value> + Ord + Clone>(ctx: &Ctx, keys: impl IntoIterator<Item = K>) -> Vec<Vec<Value>> {
    let keys: Vec<K> = BTreeSet::from_iter(keys).into_iter().collect();
    keys.chunks(TOGETHER).map(|some| params(ctx, some, TOGETHER)).collect()
}

/// The same for sets that may have thousands of keys: parameters, each with the list `($2, $3, …)` of its statement.
pub fn by_many_keys<K: Into<Value> + Ord + Clone>(
    ctx: &Ctx,
    keys: impl IntoIterator<Item = K>,
) -> Vec<(String, Vec<Value>)> {
    let keys: Vec<K> = BTreeSet::from_iter(keys).into_iter().collect();
    let (mut left, mut statements) = (keys.as_slice(), Vec::new());
    while !left.is_empty() {
        // A few keys are not worth a statement with hundreds of parameters.
        let width = if left.len() > 4 * TOGETHER { MANY } else { TOGETHER };
        let (some, after) = left.split_at(width.min(left.len()));
        statements.push((list(2, width), params(ctx, some, width)));
        left = after;
    }
    statements
}

fn params<K: Into<Value> + Clone>(ctx: &Ctx, some: &[K], width: usize) -> Vec<Value> {
    let places = (0..width).map(|at| some[at.min(some.len() - 1)].clone().into());
    std::iter::once(ctx.workspace.into()).chain(places).collect()
}

/// `($2, $3, …)` with a fixed number of parameters.
pub fn among(first: usize) -> String {
    list(first, TOGETHER)
}

fn list(first: usize, width: usize) -> String {
    let places: Vec<String> = (first..first + width).map(|n| format!("${n}")).collect();
    format!("({})", places.join(", "))
}
