//! What many messages of one transaction need to know of their enrollments, read at once.

use super::Run;
use super::begun::open_run;
use super::course::Course;
use super::record::Enrollment;
use crate::contact::Contact;
use resource::{Ctx, Error, Kept, Saved, among, by_keys};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use store::{Tx, Uuid};

/// Empty, it reads one by one.
#[derive(Default)]
pub struct Desk {
    pub enrollments: Kept<Enrollment>,
    pub contacts: Kept<Contact>,
    pub courses: Courses,
    /// The enrollments that were looked at for open runs, and the step and the message of each.
    looked: HashSet<Uuid>,
    runs: HashSet<(Uuid, Uuid, Uuid)>,
}

#[derive(Default)]
pub struct Courses(HashMap<Uuid, Course>);

impl Courses {
    pub fn of(&mut self, ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid) -> Result<&mut Course, Error> {
        Ok(match self.0.entry(sequence) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let course = entry.insert(Course::of(ctx, tx, sequence)?);
                course.together = true;
                course
            }
        })
    }
}

impl Desk {
    /// These contacts, and what the runs belong to with its contacts.
    pub fn read(
        ctx: &Ctx,
        tx: &mut dyn Tx,
        runs: impl IntoIterator<Item = Run>,
        contacts: impl IntoIterator<Item = Uuid>,
    ) -> Result<Desk, Error> {
        let enrollments: Kept<Enrollment> = Kept::read(ctx, tx, runs.into_iter().map(|run| run.enrollment_id))?;
        let of_runs = enrollments.iter().map(|saved| saved.record.contact_id);
        let contacts = Kept::read(ctx, tx, of_runs.chain(contacts))?;
        Ok(Desk { enrollments, contacts, ..Desk::default() })
    }

    /// Writes the counts that have moved.
    pub fn write_counts(&mut self, ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
        self.courses.0.values_mut().try_for_each(|course| course.write_counts(ctx, tx))
    }

    /// Looks at once which of its runs are open.
    pub fn look(&mut self, ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
        let runs = format!(
            "SELECT enrollment_id, step_id, message_id FROM step_runs \
             WHERE workspace_id = $1 AND enrollment_id IN {} AND done_at IS NULL AND message_id IS NOT NULL",
            among(2)
        );
        self.looked = self.enrollments.iter().map(|saved| saved.id).collect();
        for params in by_keys(ctx, self.looked.iter().copied()) {
            self.runs.extend(tx.rows(&runs, &params, |row| Ok((row.id(0)?, row.id(1)?, row.id(2)?)))?);
        }
        Ok(())
    }

    /// Whether a run is the one that its enrollment has open, with this message.
    pub fn is_open(
        &self,
        ctx: &Ctx,
        tx: &mut dyn Tx,
        saved: &Saved<Enrollment>,
        run: &Run,
        message: Uuid,
    ) -> Result<bool, Error> {
        if self.looked.contains(&saved.id) {
            let planned = saved.record.planned_step_id == Some(run.step_id);
            return Ok(planned && self.runs.contains(&(saved.id, run.step_id, message)));
        }
        let open = open_run(ctx, tx, saved)?;
        Ok(open.is_some_and(|open| open.step == run.step_id && open.message == Some(message)))
    }
}
