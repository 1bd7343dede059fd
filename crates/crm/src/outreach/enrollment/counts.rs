//! Counts of enrollments by status, as the sequence shows them, and of what became of each step.

use super::EnrollmentStatus;
use crate::outreach::sequence::{EnrollmentCounts, Sequence};
use resource::{Ctx, Error, Place, Resource, not_found, place};
use serde_json::json;
use std::collections::BTreeMap;
use store::{Tx, Uuid};

/// Changes of the counts of one sequence and its steps that are not written yet.
#[derive(Default)]
pub struct Counts {
    statuses: Vec<(EnrollmentStatus, i64)>,
    /// By the id of the step or the variant, and the name of the count.
    steps: BTreeMap<(Uuid, String), i64>,
}

impl Counts {
    pub fn change_status(&mut self, from: EnrollmentStatus, to: EnrollmentStatus) {
        if from != to {
            self.statuses.extend([(from, -1), (to, 1)]);
        }
    }

    pub fn step(&mut self, step: Uuid, what: &str, n: i64) {
        *self.steps.entry((step, of_step(what))).or_default() += n;
    }

    pub fn variant(&mut self, variant: Uuid, what: &str, n: i64) {
        *self.steps.entry((variant, of_variant(what))).or_default() += n;
    }

    pub fn write(&mut self, ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid) -> Result<(), Error> {
        let changed = std::mem::take(self);
        if !changed.statuses.is_empty() {
            count(ctx, tx, sequence, &changed.statuses, 0)?;
        }
        changed.steps.into_iter().try_for_each(|((record, name), n)| add(ctx, tx, record, &name, n))
    }
}

/// Changes the counts that a sequence shows. Its version and its `updated_at` stay as they are.
pub(super) fn count(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: Uuid,
    changed: &[(EnrollmentStatus, i64)],
    total: i64,
) -> Result<(), Error> {
    const READ: &str = "SELECT enrollments FROM sequences WHERE workspace_id = $1 AND id = $2";
    const WRITE: &str = "UPDATE sequences SET enrollments = $1 WHERE workspace_id = $2 AND id = $3";
    let stored = tx.one(READ, &[ctx.workspace.into(), sequence.into()], |row| row.text(0))?;
    let mut counts = read_counts(
        &place(Sequence::ABOUT.table, "enrollments", &sequence),
        &stored.ok_or_else(|| not_found("sequence"))?,
    )?;
    for (word, n) in std::iter::once(("total", total)).chain(changed.iter().map(|(status, n)| (status.word(), *n))) {
        // Some statuses are counted in the total alone.
        if let Some(count) = counts.get_mut(word) {
            *count += n;
        }
    }
    tx.execute(WRITE, &[json!(counts).to_string().into(), ctx.workspace.into(), sequence.into()])?;
    // Marks the collection as changed, so that cached lists of sequences are read again.
    tx.tally(store::Tally { collection: Sequence::ABOUT.table, field: "", value: String::new(), archived: false }, 0);
    Ok(())
}

/// Reads the counts of a sequence. One that lacks a count is damaged.
pub fn read_counts(place: &Place, text: &str) -> Result<BTreeMap<String, i64>, Error> {
    let counts: BTreeMap<String, i64> = place.json(text)?;
    match EnrollmentCounts::FIELDS.iter().find(|field| !counts.contains_key(field.name)) {
        Some(field) => Err(place.corrupt(format!("lacks the count {}", field.name))),
        None => Ok(counts),
    }
}

/// The name of a count of a step.
pub(super) fn of_step(what: &str) -> String {
    format!("step.{what}")
}

/// The name of a count of a variant.
pub(super) fn of_variant(what: &str) -> String {
    format!("variant.{what}")
}

/// Adds to a count of a step.
pub(super) fn tally(ctx: &Ctx, tx: &mut dyn Tx, step: Uuid, what: &str, n: i64) -> Result<(), Error> {
    add(ctx, tx, step, &of_step(what), n)
}

/// Adds to a count of a step and of the variant whose text was used, if it has variants.
pub(super) fn tally_run(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    step: Uuid,
    variant: Option<Uuid>,
    what: &str,
    n: i64,
) -> Result<(), Error> {
    tally(ctx, tx, step, what, n)?;
    variant.map_or(Ok(()), |variant| add(ctx, tx, variant, &of_variant(what), n))
}

fn add(ctx: &Ctx, tx: &mut dyn Tx, record: Uuid, name: &str, n: i64) -> Result<(), Error> {
    const COUNT: &str = "INSERT INTO record_counts (workspace_id, record, name, n) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (workspace_id, record, name) DO UPDATE SET n = record_counts.n + excluded.n";
    Ok(tx.execute(COUNT, &[ctx.workspace.into(), record.into(), name.into(), n.into()])?)
}
