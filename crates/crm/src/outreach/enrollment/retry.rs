//! Retrying failed enrollments, one or many.

use super::candidates::refusal;
use super::chosen::Chosen;
use super::context::SequenceContext;
use super::record::{Extra, change};
use super::state::{Cause, Kind};
use super::step_runs::forget_failures;
use super::upgrade::stays_behind;
use super::{Enrollment, EnrollmentStatus};
use crate::api::call::{Call, Reply, show};
use crate::outreach::many::{self, Asked};
use crate::outreach::sequence::{Sequence, SequenceStatus};
use crate::records::contact::Contact;
use resource::{Changes, Ctx, Error, Field, Ids, Resource, Saved, find, invalid};
use serde_json::{Value as Json, json};
use store::{Tx, Uuid};

/// Whose enrollments to retry; all that failed if nobody is named.
#[derive(Resource)]
pub struct RetryInput {
    #[field(max = 500)]
    pub contact_ids: Option<Ids>,
    /// Without `contact_ids`: `next` of the response before.
    pub after: Option<Uuid>,
}
pub const RETRY: &[Field] = RetryInput::FIELDS;

pub fn schema() -> Json {
    json!({
        "type": "object",
        "description": "How many were retried, who could not be, and how many failed enrollments are left.",
        "required": ["retried", "refused", "remaining", "next"],
        "properties": {
            "retried": { "type": "integer" },
            "refused": many::refused_schema("contact_id"),
            "remaining": {
                "type": "integer",
                "description": "Failed enrollments of the sequence, including those that were refused.",
            },
            "next": many::next_schema("enrollments"),
        },
    })
}

/// Retries one failed enrollment.
pub fn retry(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (ctx, id) = (&call.ctx, call.id(0, "enrollment")?);
    let saved = find::<Enrollment>(ctx, tx, id)?;
    let mut sequence = SequenceContext::of(ctx, tx, saved.record.sequence_id)?;
    check_sequence(&sequence.sequence)?;
    if let Some(reason) = retry_one(ctx, tx, &mut sequence, &saved)? {
        return Err(invalid("status", reason));
    }
    show::<Enrollment>(ctx, tx, id)
}

/// Retries failed enrollments of a sequence.
pub fn retry_many(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const FAILED: &str = "SELECT id, contact_id FROM enrollments WHERE workspace_id = $1 AND sequence_id = $2 AND status = 'failed' \
         AND id > $3 ORDER BY id LIMIT $4";
    const OF_CONTACT: &str = "SELECT id FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 AND sequence_id = $3 \
         ORDER BY id DESC LIMIT 1";
    const REMAINING: &str =
        "SELECT count(*) FROM enrollments WHERE workspace_id = $1 AND sequence_id = $2 AND status = 'failed'";
    let ctx = &call.ctx;
    let asked = Asked::of(&call.members(RETRY)?, "contact_ids", "contacts")?;
    let mut sequence = SequenceContext::of(ctx, tx, call.id(0, "sequence")?)?;
    check_sequence(&sequence.sequence)?;
    let id = sequence.sequence.id;
    let chosen =
        Chosen { sequence: id, of_contact: OF_CONTACT, absent: "is not in the sequence", page: FAILED, filter: &[] };
    let done = chosen.each(ctx, tx, &asked, |tx, saved| retry_one(ctx, tx, &mut sequence, saved))?;
    let key = [ctx.workspace.into(), id.into()];
    let remaining = tx.one(REMAINING, &key, |row| row.int(0))?.unwrap_or(0);
    let refused = done.refused("contact_id");
    Ok(Reply::json(&json!({ "retried": done.changed, "refused": refused, "remaining": remaining, "next": done.next })))
}

fn check_sequence(sequence: &Saved<Sequence>) -> Result<(), Error> {
    match sequence.record.status {
        SequenceStatus::Archived => Err(invalid("status", "the sequence is archived; its enrollments can't go on")),
        _ => Ok(()),
    }
}

/// Lets a failed enrollment go on with the step that failed: by the present steps of its sequence, in which the cause may have
/// been corrected, or by its earlier ones if its last step is not among the present ones. Gives the reason if it can't go on.
fn retry_one(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &mut SequenceContext,
    saved: &Saved<Enrollment>,
) -> Result<Option<String>, Error> {
    const OPEN: &str = "SELECT sequence_id FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 \
         AND status IN ('active', 'paused') LIMIT 1";
    let record = &saved.record;
    if record.status != EnrollmentStatus::Failed || Kind::of(record) != Kind::Failed {
        return Ok(Some(format!("is {}; only a failed enrollment can be retried", record.status.word())));
    }
    let contact = find::<Contact>(ctx, tx, record.contact_id)?;
    if let Some(why) = refusal(ctx, tx, &contact)? {
        return Ok(Some(format!("the contact can't be written to: {why}")));
    }
    if let Some(other) = tx.one(OPEN, &[ctx.workspace.into(), record.contact_id.into()], |row| row.id(0))? {
        let name = find::<Sequence>(ctx, tx, other)?.record.name;
        return Ok(Some(format!("the contact is active in the sequence {name}")));
    }
    forget_failures(ctx, tx, saved.id)?;
    let (version, mut changes) = (sequence.sequence.record.version, Changes::default());
    let steps = sequence.steps(ctx, tx, version)?;
    if stays_behind(ctx, tx, saved, version, &steps)?.is_none() {
        changes.set(Enrollment::SEQUENCE_VERSION, version);
    }
    let due_at = tx.stamp();
    change(ctx, tx, saved, &Cause::Retried { due_at }, Extra { changes, ..Extra::default() })?;
    Ok(None)
}
