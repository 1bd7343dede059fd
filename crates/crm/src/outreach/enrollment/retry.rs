//! Retrying failed enrollments, one or many.

use super::candidates::refusal;
use super::chosen::Chosen;
use super::record::{Extra, change};
use super::state::{Cause, Kind};
use super::step_runs::forget_failures;
use super::{Enrollment, EnrollmentStatus};
use crate::api::call::{Call, Reply, show};
use crate::outreach::many::{self, Asked};
use crate::outreach::sequence::{Sequence, SequenceStatus};
use crate::records::contact::Contact;
use resource::{Ctx, Error, Field, Ids, Resource, Saved, find, invalid};
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
    check_sequence(&find::<Sequence>(ctx, tx, saved.record.sequence_id)?)?;
    if let Some(reason) = retry_one(ctx, tx, &saved)? {
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
    let sequence = find::<Sequence>(ctx, tx, call.id(0, "sequence")?)?;
    check_sequence(&sequence)?;
    let chosen = Chosen {
        sequence: sequence.id,
        of_contact: OF_CONTACT,
        absent: "is not in the sequence",
        page: FAILED,
        filter: &[],
    };
    let done = chosen.each(ctx, tx, &asked, |tx, saved| retry_one(ctx, tx, saved))?;
    let key = [ctx.workspace.into(), sequence.id.into()];
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

/// Lets a failed enrollment go on with the step that failed. Gives the reason if that is not possible.
fn retry_one(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>) -> Result<Option<String>, Error> {
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
    let due_at = tx.stamp();
    change(ctx, tx, saved, &Cause::Retried { due_at }, Extra::default())?;
    Ok(None)
}
