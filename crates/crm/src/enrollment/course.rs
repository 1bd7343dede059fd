//! The course of an enrollment through its sequence: what it does next, and when.

use super::begun::waiting;
use super::record::{
    Counts, Enrollment, EnrollmentStatus, FIELDS, end, end_counting, save, save_counting, set_state, state,
};
use super::sender;
use super::{addresses, open_of};
use crate::account::{Channel, ConnectedAccount};
use crate::contact::Contact;
use crate::sequence::plan::{self, Facts, Next, Planned};
use crate::sequence::step::StepType;
use crate::sequence::window::Schedule;
use crate::sequence::{self, Sequence, zone};
use resource::{Changes, Ctx, Error, Kept, Saved, find};
use serde_json::{Map, json};
use std::collections::HashMap;
use std::rc::Rc;
use store::{Row, Tx, Uuid, Value};

/// Everything that one pass over a sequence needs again and again.
pub struct Course {
    pub sequence: Saved<Sequence>,
    pub schedule: Schedule,
    /// Contacts that were read for it.
    pub contacts: Kept<Contact>,
    versions: Vec<(i64, Rc<[Planned]>)>,
    accounts: HashMap<Uuid, Rc<Saved<ConnectedAccount>>>,
    /// Who may send, by step.
    senders: HashMap<Uuid, Vec<Uuid>>,
    /// Moves of counts, and whether they wait for `write_counts`.
    counts: Counts,
    pub together: bool,
}

impl Course {
    pub fn of(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid) -> Result<Course, Error> {
        let sequence = find::<Sequence>(ctx, tx, sequence)?;
        let schedule = Schedule::of(&sequence.record.schedule_config.0);
        Ok(Course {
            sequence,
            schedule,
            contacts: Kept::default(),
            versions: Vec::new(),
            accounts: HashMap::new(),
            senders: HashMap::new(),
            counts: Counts::default(),
            together: false,
        })
    }

    /// The steps of a version, read once.
    pub fn steps(&mut self, ctx: &Ctx, tx: &mut dyn Tx, version: i64) -> Result<Rc<[Planned]>, Error> {
        if let Some((_, steps)) = self.versions.iter().find(|(known, _)| *known == version) {
            return Ok(steps.clone());
        }
        let steps = sequence::read_steps(&sequence::steps_of(ctx, tx, self.sequence.id, version)?)?;
        let steps: Rc<[Planned]> = plan::read(&steps)?.into();
        self.versions.push((version, steps.clone()));
        Ok(steps)
    }

    /// An enrollment that was saved, in the counts, too.
    fn counted(&mut self, ctx: &Ctx, tx: &mut dyn Tx, saved: Saved<Enrollment>) -> Result<Saved<Enrollment>, Error> {
        if !self.together {
            self.write_counts(ctx, tx)?;
        }
        Ok(saved)
    }

    /// Writes the counts that have moved.
    pub fn write_counts(&mut self, ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
        self.counts.write(ctx, tx, self.sequence.id)
    }

    /// An account, read once.
    pub fn account(&mut self, ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Rc<Saved<ConnectedAccount>>, Error> {
        if let Some(account) = self.accounts.get(&id) {
            return Ok(account.clone());
        }
        let account = Rc::new(find::<ConnectedAccount>(ctx, tx, id)?);
        self.accounts.insert(id, account.clone());
        Ok(account)
    }

    /// The accounts that may send a step, read once.
    pub fn senders(
        &mut self,
        ctx: &Ctx,
        tx: &mut dyn Tx,
        step: &Planned,
        channel: Channel,
    ) -> Result<Vec<Uuid>, Error> {
        if let Some(senders) = self.senders.get(&step.id) {
            return Ok(senders.clone());
        }
        let senders = sender::senders(ctx, tx, &self.sequence.record.owner_ids.0, step, channel)?;
        self.senders.insert(step.id, senders.clone());
        Ok(senders)
    }

    /// The schedule as it holds for a contact.
    pub fn schedule_for(&self, contact: &Contact) -> Schedule {
        let phones: Vec<String> = addresses(&contact.phones.0, "phone");
        match zone::of(contact.location.as_deref(), &phones).filter(|_| self.schedule.use_contact_timezone) {
            Some(zone) => self.schedule.in_zone(zone),
            None => self.schedule.clone(),
        }
    }
}

/// Writes down what an enrollment does next, and when.
pub fn plan(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    course: &mut Course,
    saved: Saved<Enrollment>,
    contact: &Saved<Contact>,
) -> Result<Saved<Enrollment>, Error> {
    let steps = course.steps(ctx, tx, saved.record.steps_version)?;
    // Once it is decided on, a step is only moved.
    if saved.record.planned_step_id.is_some_and(|id| steps.iter().any(|step| step.id == id)) {
        return Ok(saved);
    }
    let now = tx.stamp();
    let (next, facts) = foresee(ctx, tx, course, &saved, contact, now)?;
    let (mut changes, mut kept) = (Changes::default(), state(&saved));
    kept.held = None;
    match next {
        Next::Step { at, due, .. } => {
            if facts.replied.is_some() && steps[at].follows_a_reply() {
                kept.replied_used = facts.replied;
            }
            changes.set(FIELDS, "current_step_id", steps[at].id);
            changes.set(FIELDS, "planned_step_id", steps[at].id);
            changes.set(FIELDS, "next_step_at", due);
            changes.set(FIELDS, "due_at", due);
        }
        Next::Undecided { until, .. } => {
            changes.set(FIELDS, "current_step_id", saved.record.done_step_id);
            changes.set(FIELDS, "next_step_at", Value::Null);
            changes.set(FIELDS, "due_at", until);
        }
        Next::End => {
            let ended = end_counting(ctx, tx, &mut course.counts, &saved, EnrollmentStatus::Finished, "");
            return course.counted(ctx, tx, ended?);
        }
        Next::Never => {
            return end(ctx, tx, &saved, EnrollmentStatus::Failed, "the schedule has no day left to send on");
        }
    }
    set_state(&mut changes, &kept);
    let planned = save_counting(ctx, tx, &mut course.counts, &saved, &changes, "updated", &Map::new())?;
    course.counted(ctx, tx, planned)
}

/// What an enrollment would do next, as things are.
pub fn foresee(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    course: &mut Course,
    saved: &Saved<Enrollment>,
    contact: &Saved<Contact>,
    now: i64,
) -> Result<(Next, Facts), Error> {
    let steps = course.steps(ctx, tx, saved.record.steps_version)?;
    let done = saved.record.done_step_id.and_then(|id| steps.iter().position(|step| step.id == id));
    let facts = facts(ctx, tx, saved, contact, &steps, done)?;
    let schedule = course.schedule_for(&contact.record);
    Ok((plan::next(&steps, &schedule, done, saved.record.base_at.0, &facts, now), facts))
}

fn facts(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<Enrollment>,
    contact: &Saved<Contact>,
    steps: &[Planned],
    done: Option<usize>,
) -> Result<Facts, Error> {
    const SEEN: &str =
        "SELECT max(opened_at), max(clicked_at) FROM step_runs WHERE workspace_id = $1 AND enrollment_id = $2";
    const SEEN_STEP: &str = "SELECT max(opened_at), max(clicked_at) FROM step_runs WHERE workspace_id = $1 AND enrollment_id = $2 AND step_id = $3";
    let kept = state(saved);
    let both = |row: &dyn Row| Ok((row.maybe_int(0)?, row.maybe_int(1)?));
    // Whether an email was read is asked of that one; after another step, of any.
    let seen = match done.map(|at| &steps[at]).filter(|step| step.kind == StepType::Email) {
        // Nothing follows from it.
        _ if !steps.iter().any(Planned::follows_a_look) => None,
        Some(step) => tx.one(SEEN_STEP, &[ctx.workspace.into(), saved.id.into(), step.id.into()], both)?,
        None => tx.one(SEEN, &[ctx.workspace.into(), saved.id.into()], both)?,
    };
    let (opened, clicked) = seen.unwrap_or_default();
    Ok(Facts {
        // A reply that led to a branch does not lead to the next.
        replied: kept.replied_at.filter(|at| kept.replied_used.is_none_or(|used| used < *at)),
        opened,
        clicked,
        accepted: kept.accepted_at,
        has_email: !contact.record.emails.0.is_empty(),
        has_phone: !contact.record.phones.0.is_empty(),
        has_profile: contact.record.network_profile.is_some(),
    })
}

/// A step is over: `sent`, `done` or `skipped`. What follows is planned in the same transaction.
pub fn over(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    course: &mut Course,
    saved: &Saved<Enrollment>,
    step: &Planned,
    how: &str,
    reason: Option<&str>,
) -> Result<Saved<Enrollment>, Error> {
    const OVER: &str = "INSERT INTO step_runs (workspace_id, enrollment_id, step_id, sequence_id, state, reason, run_at, done_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7) \
         ON CONFLICT (workspace_id, enrollment_id, step_id) DO UPDATE SET state = excluded.state, reason = excluded.reason, done_at = excluded.done_at";
    let now = tx.stamp();
    let params: [Value; 7] = [
        ctx.workspace.into(),
        saved.id.into(),
        step.id.into(),
        saved.record.sequence_id.into(),
        how.into(),
        reason.map(str::to_owned).into(),
        now.into(),
    ];
    tx.execute(OVER, &params)?;
    course.counts.step(step.id, if how == "done" { "sent" } else { how }, 1);
    let (mut changes, mut kept) = (Changes::default(), state(saved));
    kept.held = None;
    set_state(&mut changes, &kept);
    changes.set(FIELDS, "done_step_id", step.id);
    changes.set(FIELDS, "current_step_id", step.id);
    changes.set(FIELDS, "base_at", now);
    changes.set(FIELDS, "fresh", false);
    if saved.record.status == EnrollmentStatus::Active {
        changes.set(FIELDS, "reason", Value::Null);
    }
    for member in ["planned_step_id", "next_step_at", "due_at"] {
        changes.set(FIELDS, member, Value::Null);
    }
    let step = json!({ "id": step.id, "type": step.kind.word(), "name": step.name });
    let mut more = Map::from_iter([("step".to_owned(), json!([null, step]))]);
    if let Some(reason) = reason {
        more.insert("step_reason".into(), json!([null, reason]));
    }
    let verb = format!("step_{how}");
    let saved = save_counting(ctx, tx, &mut course.counts, saved, &changes, &verb, &more)?;
    let saved = course.counted(ctx, tx, saved)?;
    // One that is held up is planned when it goes on.
    if saved.record.status != EnrollmentStatus::Active {
        return Ok(saved);
    }
    match course.contacts.take(ctx, tx, saved.record.contact_id) {
        Ok(contact) => plan(ctx, tx, course, saved, &contact),
        Err(Error::NotFound(_)) => end(ctx, tx, &saved, EnrollmentStatus::Unenrolled, "the contact is gone"),
        Err(other) => Err(other),
    }
}

/// Those who wait do so by the schedule as it is now, at most so many after this one; the last of them if there are more.
pub fn reschedule(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid, after: Uuid, most: i64) -> Result<Option<Uuid>, Error> {
    const WAITING: &str = "SELECT id FROM enrollments WHERE workspace_id = $1 AND sequence_id = $2 AND status = $3 AND id > $4 \
         ORDER BY id LIMIT $5";
    let active = EnrollmentStatus::Active.word();
    let params = [ctx.workspace.into(), sequence.into(), active.into(), after.into(), most.into()];
    let ids = tx.rows(WAITING, &params, |row| row.id(0))?;
    let mut course = Course::of(ctx, tx, sequence)?;
    for (n, id) in ids.iter().enumerate() {
        let saved = find::<Enrollment>(ctx, tx, *id)?;
        // What has begun is in somebody's hands.
        if saved.record.due_at.is_some() {
            wait_anew(ctx, tx, &mut course, &saved)?;
        }
        if n >= 50 && !tx.has_time() {
            return Ok(Some(*id));
        }
    }
    Ok(ids.last().copied().filter(|_| ids.len() as i64 == most))
}

/// The contact's addresses, profile or location changed. A branch that waits for one of them is looked at now, and where
/// the schedule keeps to the contact's time zone a step that waits moves with it.
pub fn contact_changed(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid) -> Result<(), Error> {
    for id in open_of(ctx, tx, contact)? {
        let saved = find::<Enrollment>(ctx, tx, id)?;
        // One that is paused is planned when it goes on; a step that has begun is not moved.
        if saved.record.status != EnrollmentStatus::Active || saved.record.due_at.is_none() {
            continue;
        }
        let mut course = Course::of(ctx, tx, saved.record.sequence_id)?;
        if saved.record.planned_step_id.is_none() || course.schedule.use_contact_timezone {
            wait_anew(ctx, tx, &mut course, &saved)?;
        }
    }
    Ok(())
}

fn wait_anew(ctx: &Ctx, tx: &mut dyn Tx, course: &mut Course, saved: &Saved<Enrollment>) -> Result<(), Error> {
    let now = tx.stamp();
    let mut changes = Changes::default();
    match saved.record.planned_step_id {
        // Which step it is stays decided.
        Some(planned) => {
            let contact = find::<Contact>(ctx, tx, saved.record.contact_id)?;
            let steps = course.steps(ctx, tx, saved.record.steps_version)?;
            let (Next::Step { at, due, .. }, _) = foresee(ctx, tx, course, saved, &contact, now)? else {
                return Ok(());
            };
            if steps[at].id != planned {
                return Ok(());
            }
            let mut kept = state(saved);
            kept.held = None;
            set_state(&mut changes, &kept);
            changes.set(FIELDS, "next_step_at", due);
            changes.set(FIELDS, "due_at", due);
        }
        None => changes.set(FIELDS, "due_at", now),
    }
    save(ctx, tx, saved, &changes, "updated", &Map::new()).map(drop)
}

/// An enrollment that was paused goes on: by the rules, from now.
pub fn go_on(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    course: &mut Course,
    saved: &Saved<Enrollment>,
) -> Result<Saved<Enrollment>, Error> {
    let (now, mut changes, mut kept) = (tx.stamp(), Changes::default(), state(saved));
    (kept.paused_until, kept.held) = (None, None);
    set_state(&mut changes, &kept);
    changes.set(FIELDS, "status", EnrollmentStatus::Active.word());
    changes.set(FIELDS, "reason", Value::Null);
    let waits = waiting(ctx, tx, saved)?;
    if let Some(why) = &waits {
        changes.set(FIELDS, "reason", why.as_str());
    } else if saved.record.planned_step_id.is_some() {
        let from = saved.record.next_step_at.map_or(now, |at| at.0.max(now));
        let contact = find::<Contact>(ctx, tx, saved.record.contact_id)?;
        let open = course.schedule_for(&contact.record).open(from);
        changes.set(FIELDS, "due_at", open);
        changes.set(FIELDS, "next_step_at", open);
    } else {
        changes.set(FIELDS, "due_at", now);
    }
    save(ctx, tx, saved, &changes, "resumed", &Map::new())
}
