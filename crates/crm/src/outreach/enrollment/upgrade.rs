//! Moves enrollments to the present version of their sequence's steps.

use super::advance::{foresee, plan};
use super::chosen::Chosen;
use super::context::SequenceContext;
use super::record::{Extra, change, save};
use super::state::{Cause, Kind};
use super::step_runs::open_run;
use super::{Enrollment, EnrollmentStatus};
use crate::api::call::{Call, Reply};
use crate::outreach::many::{self, Asked};
use crate::outreach::sequence::SequenceStatus;
use crate::outreach::sequence::plan::{Next, ParsedStep};
use crate::records::contact::Contact;
use resource::{Changes, Ctx, Error, Field, Ids, Resource, Saved, find, invalid};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid, Value};

/// Whom to move; everybody with an open enrollment of an earlier version if nobody is named.
#[derive(Resource)]
pub struct UpgradeInput {
    #[field(max = 500)]
    pub contact_ids: Option<Ids>,
    /// Without `contact_ids`: `next` of the response before.
    pub after: Option<Uuid>,
    /// Tells what would happen, and changes nothing.
    pub dry_run: Option<bool>,
}
pub const UPGRADE: &[Field] = UpgradeInput::FIELDS;

pub fn schema() -> Json {
    json!({
        "type": "object",
        "description": "How many were moved, who could not be, and how many open enrollments of earlier versions are left.",
        "required": ["upgraded", "refused", "remaining", "next", "version", "dry_run"],
        "properties": {
            "upgraded": { "type": "integer" },
            "refused": many::refused_schema("contact_id"),
            "remaining": {
                "type": "integer",
                "description": "Open enrollments of earlier versions, including those that were refused.",
            },
            "next": many::next_schema("enrollments"),
            "version": { "type": "integer", "description": "The version of the sequence that they follow now." },
            "dry_run": { "type": "boolean" },
        },
    })
}

pub fn upgrade_many(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const EARLIER: &str = "SELECT id, contact_id FROM enrollments WHERE workspace_id = $1 AND sequence_id = $2 \
         AND status IN ('active', 'paused') AND steps_version < $3 AND id > $4 ORDER BY id LIMIT $5";
    const OF_CONTACT: &str = "SELECT id FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 AND sequence_id = $3 \
         AND status IN ('active', 'paused') LIMIT 1";
    const REMAINING: &str = "SELECT count(*) FROM enrollments WHERE workspace_id = $1 AND sequence_id = $2 \
         AND status IN ('active', 'paused') AND steps_version < $3";
    let (ctx, members) = (&call.ctx, call.members(UPGRADE)?);
    let asked = Asked::of(&members, "contact_ids", "contacts")?;
    let dry_run = matches!(members.named("dry_run"), Some(Value::Bool(true)));
    let mut sequence = SequenceContext::of(ctx, tx, call.id(0, "sequence")?)?;
    let (id, version) = (sequence.sequence.id, sequence.sequence.record.version);
    let steps = sequence.steps(ctx, tx, version)?;
    if sequence.sequence.record.status == SequenceStatus::Archived {
        return Err(invalid("status", "the sequence is archived; its enrollments can't go on"));
    }
    let chosen = Chosen {
        sequence: id,
        of_contact: OF_CONTACT,
        absent: "has no open enrollment here",
        page: EARLIER,
        filter: &[version.into()],
    };
    let done = chosen.each(ctx, tx, &asked, |tx, saved| {
        let refused = stays_behind(ctx, tx, saved, version, &steps)?;
        if refused.is_none() && !dry_run {
            upgrade(ctx, tx, &mut sequence, saved, version)?;
        }
        Ok(refused)
    })?;
    let key = [ctx.workspace.into(), id.into(), version.into()];
    let remaining = tx.one(REMAINING, &key, |row| row.int(0))?.unwrap_or(0);
    Ok(Reply::json(&json!({
        "upgraded": done.changed, "refused": done.refused("contact_id"), "remaining": remaining, "next": done.next,
        "version": version, "dry_run": dry_run,
    })))
}

/// Moves one enrollment to the present version, if it can follow its steps; false if not.
pub(super) fn follow(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &mut SequenceContext,
    saved: &Saved<Enrollment>,
) -> Result<bool, Error> {
    let version = sequence.sequence.record.version;
    let steps = sequence.steps(ctx, tx, version)?;
    if stays_behind(ctx, tx, saved, version, &steps)?.is_some() {
        return Ok(false);
    }
    upgrade(ctx, tx, sequence, saved, version)?;
    Ok(true)
}

/// Why an enrollment can't follow these steps of its sequence's present version; `None` if it can.
pub(super) fn stays_behind(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<Enrollment>,
    version: i64,
    steps: &[ParsedStep],
) -> Result<Option<String>, Error> {
    let record = &saved.record;
    if record.sequence_version >= version {
        return Ok(Some(format!("follows version {} already", record.sequence_version)));
    }
    if open_run(ctx, tx, saved)?.is_some() {
        return Ok(Some("its message is being sent, or its task is open; try again when the step is over".into()));
    }
    let is_missing = |done: Uuid| !steps.iter().any(|step| step.id == done);
    if record.done_step_id.is_some_and(is_missing) {
        return Ok(Some("the step that was its last is not among the present steps; it goes on with the earlier ones, or unenroll the contact and enroll it anew".into()));
    }
    Ok(None)
}

/// The enrollment goes on behind its last step, by the present steps. Its next step is planned at once, even if the sequence
/// is paused; a paused enrollment only shows it.
fn upgrade(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &mut SequenceContext,
    saved: &Saved<Enrollment>,
    version: i64,
) -> Result<(), Error> {
    let mut changes = Changes::default();
    changes.set(Enrollment::SEQUENCE_VERSION, version);
    let due_at = (saved.record.status == EnrollmentStatus::Active).then(|| tx.stamp());
    let to = match Kind::of(&saved.record) {
        Kind::Scheduled => Kind::Deciding,
        kind => kind,
    };
    let extra = Extra { changes, ..Extra::default() };
    let saved = change(ctx, tx, saved, &Cause::Upgraded { to, due_at }, extra)?;
    let contact = match find::<Contact>(ctx, tx, saved.record.contact_id) {
        // The engine ends it.
        Err(Error::NotFound(_)) => return Ok(()),
        found => found?,
    };
    if due_at.is_some() {
        return plan(ctx, tx, sequence, saved, &contact).map(drop);
    }
    let now = tx.stamp();
    if let (Next::Step { at, .. }, _) = foresee(ctx, tx, sequence, &saved, &contact, now)? {
        let (steps, mut changes) = (sequence.steps(ctx, tx, version)?, Changes::default());
        changes.set(Enrollment::CURRENT_STEP_ID, steps[at].id);
        save(ctx, tx, &saved, &changes, "updated", &Map::new())?;
    }
    Ok(())
}
