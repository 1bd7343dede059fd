//! Moves enrollments to the present version of their sequence's steps.

use super::context::SequenceContext;
use super::record::{Extra, change};
use super::state::{Cause, Kind};
use super::step_runs::open_run;
use super::{Enrollment, EnrollmentStatus};
use crate::api::call::{Call, Reply};
use crate::outreach::sequence::plan::ParsedStep;
use resource::{Changes, Ctx, Error, Field, Ids, Resource, Saved, find, invalid};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use store::{Tx, Uuid, Value};

/// Whom to move; everybody with an open enrollment of an earlier version if nobody is named.
#[derive(Resource)]
pub struct UpgradeInput {
    #[field(max = 500)]
    pub contact_ids: Option<Ids>,
    /// Tells what would happen, and changes nothing.
    pub dry_run: Option<bool>,
}
pub const UPGRADE: &[Field] = UpgradeInput::FIELDS;

/// The most enrollments moved by one request.
const MOST: i64 = 500;

pub fn schema() -> Json {
    json!({
        "type": "object",
        "description": "How many were moved, who could not be, and how many open enrollments of earlier versions are left.",
        "required": ["upgraded", "refused", "remaining", "version", "dry_run"],
        "properties": {
            "upgraded": { "type": "integer" },
            "refused": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["contact_id", "reason"],
                    "properties": {
                        "contact_id": { "type": "string", "format": "uuid" },
                        "reason": { "type": "string" },
                    },
                },
            },
            "remaining": {
                "type": "integer",
                "description": "Open enrollments of earlier versions that were not moved. One request moves 500 at most.",
            },
            "version": { "type": "integer", "description": "The version of the sequence that they follow now." },
            "dry_run": { "type": "boolean" },
        },
    })
}

pub fn upgrade_many(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const EARLIER: &str = "SELECT id FROM enrollments WHERE workspace_id = $1 AND sequence_id = $2 \
         AND status IN ('active', 'paused') AND steps_version < $3 ORDER BY id LIMIT $4";
    const OF_CONTACT: &str = "SELECT id FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 AND sequence_id = $3 \
         AND status IN ('active', 'paused') LIMIT 1";
    const REMAINING: &str = "SELECT count(*) FROM enrollments WHERE workspace_id = $1 AND sequence_id = $2 \
         AND status IN ('active', 'paused') AND steps_version < $3";
    let ctx = &call.ctx;
    let members = call.members(UPGRADE)?;
    let named: Option<Vec<Uuid>> = members.named_json("contact_ids")?;
    let dry_run = matches!(members.named("dry_run"), Some(Value::Bool(true)));
    let mut sequence = SequenceContext::of(ctx, tx, call.id(0, "sequence")?)?;
    let (id, version) = (sequence.sequence.id, sequence.sequence.record.version);
    let steps = sequence.steps(ctx, tx, version)?;
    let (mut upgraded, mut refused, mut ids) = (0, Vec::new(), Vec::new());
    match named {
        None => {
            let params = [ctx.workspace.into(), id.into(), version.into(), MOST.into()];
            ids = tx.rows(EARLIER, &params, |row| row.id(0))?;
        }
        Some(contacts) if contacts.is_empty() => {
            return Err(invalid("contact_ids", "must name 1 to 500 contacts, or be left out for all"));
        }
        Some(contacts) => {
            let mut seen = BTreeSet::new();
            for contact in contacts {
                let contact = resource::survivor(ctx, tx, contact)?.unwrap_or(contact);
                if !seen.insert(contact) {
                    continue;
                }
                match tx.one(OF_CONTACT, &[ctx.workspace.into(), contact.into(), id.into()], |row| row.id(0))? {
                    Some(id) => ids.push(id),
                    None => refused.push(json!({ "contact_id": contact, "reason": "has no open enrollment here" })),
                }
            }
        }
    }
    for (n, id) in ids.into_iter().enumerate() {
        // The caller asks again for the rest.
        if n >= 50 && !tx.has_time() {
            break;
        }
        let saved = find::<Enrollment>(ctx, tx, id)?;
        match refusal(ctx, tx, &saved, version, &steps)? {
            Some(reason) => refused.push(json!({ "contact_id": saved.record.contact_id, "reason": reason })),
            None => {
                upgraded += 1;
                if !dry_run {
                    upgrade(ctx, tx, &saved, version)?;
                }
            }
        }
    }
    let key = [ctx.workspace.into(), id.into(), version.into()];
    let remaining = tx.one(REMAINING, &key, |row| row.int(0))?.unwrap_or(0);
    Ok(Reply::json(&json!({
        "upgraded": upgraded, "refused": refused, "remaining": remaining, "version": version, "dry_run": dry_run,
    })))
}

/// Why an enrollment can't follow these steps.
fn refusal(
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
        return Ok(Some("its step is under way; try again when it is over".into()));
    }
    let is_missing = |done: Uuid| !steps.iter().any(|step| step.id == done);
    if record.done_step_id.is_some_and(is_missing) {
        return Ok(Some("the step that was its last is not among the present steps".into()));
    }
    Ok(None)
}

/// The enrollment goes on behind its last step, by the present steps.
fn upgrade(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<Enrollment>, version: i64) -> Result<(), Error> {
    let mut changes = Changes::default();
    changes.set(Enrollment::SEQUENCE_VERSION, version);
    let due_at = (saved.record.status == EnrollmentStatus::Active).then(|| tx.stamp());
    let to = match Kind::of(&saved.record) {
        Kind::Scheduled => Kind::Deciding,
        kind => kind,
    };
    change(ctx, tx, saved, &Cause::Upgraded { to, due_at }, Extra { changes, ..Extra::default() }).map(drop)
}
