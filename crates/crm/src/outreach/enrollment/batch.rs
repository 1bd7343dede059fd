//! Rows that the messages of one transaction need, read together.

use super::context::SequenceContext;
use super::step_runs::open_run;
use super::{Enrollment, Run};
use crate::records::contact::Contact;
use resource::{Batch, Ctx, Error, Saved, among, by_keys};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use store::{Tx, Uuid};

/// A row that was not read ahead is read when it is needed, so that an empty batch works too.
#[derive(Default)]
pub struct EnrollmentBatch {
    pub enrollments: Batch<Enrollment>,
    pub contacts: Batch<Contact>,
    pub sequences: Sequences,
    /// The enrollments whose open runs were read, and these runs: enrollment, step and message.
    enrollments_with_runs: HashSet<Uuid>,
    open_runs: HashSet<(Uuid, Uuid, Uuid)>,
}

#[derive(Default)]
pub struct Sequences(HashMap<Uuid, SequenceContext>);

impl Sequences {
    pub fn of(&mut self, ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<&mut SequenceContext, Error> {
        Ok(match self.0.entry(id) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let sequence = entry.insert(SequenceContext::of(ctx, tx, id)?);
                sequence.defers_counts = true;
                sequence
            }
        })
    }
}

impl EnrollmentBatch {
    /// Reads the enrollments of these runs with their contacts, and these other contacts.
    pub fn read(
        ctx: &Ctx,
        tx: &mut dyn Tx,
        runs: impl IntoIterator<Item = Run>,
        contacts: impl IntoIterator<Item = Uuid>,
    ) -> Result<EnrollmentBatch, Error> {
        let enrollments: Batch<Enrollment> = Batch::read(ctx, tx, runs.into_iter().map(|run| run.enrollment_id))?;
        let enrolled = enrollments.iter().map(|saved| saved.record.contact_id);
        let contacts = Batch::read(ctx, tx, enrolled.chain(contacts))?;
        Ok(EnrollmentBatch { enrollments, contacts, ..EnrollmentBatch::default() })
    }

    /// Reads which runs of its enrollments are open.
    pub fn read_open_runs(&mut self, ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
        let runs = format!(
            "SELECT enrollment_id, step_id, message_id FROM step_runs \
             WHERE workspace_id = $1 AND enrollment_id IN {} AND done_at IS NULL AND message_id IS NOT NULL",
            among(2)
        );
        self.enrollments_with_runs = self.enrollments.iter().map(|saved| saved.id).collect();
        for params in by_keys(ctx, self.enrollments_with_runs.iter().copied()) {
            self.open_runs.extend(tx.rows(&runs, &params, |row| Ok((row.id(0)?, row.id(1)?, row.id(2)?)))?);
        }
        Ok(())
    }

    /// Whether this message belongs to the open run of the enrollment's planned step.
    pub fn is_open(
        &self,
        ctx: &Ctx,
        tx: &mut dyn Tx,
        saved: &Saved<Enrollment>,
        run: &Run,
        message: Uuid,
    ) -> Result<bool, Error> {
        if self.enrollments_with_runs.contains(&saved.id) {
            let is_planned = saved.record.planned_step_id == Some(run.step_id);
            return Ok(is_planned && self.open_runs.contains(&(saved.id, run.step_id, message)));
        }
        let open = open_run(ctx, tx, saved)?;
        Ok(open.is_some_and(|open| open.step == run.step_id && open.message == Some(message)))
    }

    /// Writes all changes of counts.
    pub fn write_counts(&mut self, ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
        self.sequences.0.values_mut().try_for_each(|sequence| sequence.write_counts(ctx, tx))
    }
}
