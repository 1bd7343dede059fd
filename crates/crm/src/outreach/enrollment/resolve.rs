//! Resolving unknown outcomes: a user says of many messages whether they were sent.

use super::Enrollment;
use super::pause::resume_by_user;
use super::state::Kind;
use super::step_runs::open_run;
use crate::api::call::{Call, Reply};
use crate::api::private;
use crate::outreach::account::ConnectedAccount;
use crate::outreach::many::{self, Asked, MOST};
use crate::outreach::message::Message;
use crate::outreach::outbox;
use crate::outreach::sequence::Sequence;
use crate::records::tag::missing;
use resource::{Ctx, Error, Field, Ids, Resource, find, invalid};
use serde_json::{Value as Json, json};
use store::{Tx, Uuid, Value};

/// Messages with an unknown outcome: those that are named, or all of an account or of a sequence.
#[derive(Resource)]
pub struct ResolveInput {
    /// True if they were sent. False if they were not: sequences send them again, as new messages.
    #[field(required)]
    pub sent: bool,
    #[field(max = 500)]
    pub message_ids: Option<Ids>,
    pub account_id: Option<Uuid>,
    pub sequence_id: Option<Uuid>,
    /// Without `message_ids`: `next` of the response before.
    pub after: Option<Uuid>,
    /// Tells what would happen, and changes nothing.
    pub dry_run: Option<bool>,
}
pub const RESOLVE: &[Field] = ResolveInput::FIELDS;

pub fn schema() -> Json {
    json!({
        "type": "object",
        "description": "How many were resolved, which could not be, and how many unknown outcomes are left.",
        "required": ["resolved", "refused", "remaining", "next", "dry_run"],
        "properties": {
            "resolved": { "type": "integer" },
            "refused": many::refused_schema("message_id"),
            "remaining": {
                "type": "integer",
                "description": "Messages with an unknown outcome: of the account or sequence, else of the workspace.",
            },
            "next": many::next_schema("messages"),
            "dry_run": { "type": "boolean" },
        },
    })
}

/// Whose unknown outcomes.
enum Of {
    Workspace,
    Account(Uuid),
    Sequence(Uuid),
}

pub fn resolve_many(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (ctx, members) = (&call.ctx, call.members(RESOLVE)?);
    let is_true = |name: &str| matches!(members.named(name), Some(Value::Bool(true)));
    let id = |name: &str| if let Some(Value::Id(id)) = members.named(name) { Some(*id) } else { None };
    let (sent, dry_run) = (is_true("sent"), is_true("dry_run"));
    let asked = Asked::of(&members, "message_ids", "messages")?;
    let of = match (&asked, id("account_id"), id("sequence_id")) {
        (Asked::Named(_), None, None) => Of::Workspace,
        (Asked::All { .. }, Some(account), None) => {
            let account = find::<ConnectedAccount>(ctx, tx, account).map_err(|error| missing(error, "account_id"))?;
            if !private::sees(ctx, tx, account.id)? {
                return Err(invalid("account_id", "is the private account of another member"));
            }
            Of::Account(account.id)
        }
        (Asked::All { .. }, None, Some(sequence)) => {
            let sequence = find::<Sequence>(ctx, tx, sequence).map_err(|error| missing(error, "sequence_id"))?;
            Of::Sequence(sequence.id)
        }
        _ => return Err(invalid("message_ids", "give exactly one of message_ids, account_id and sequence_id")),
    };
    let ids = match &asked {
        Asked::Named(ids) => ids.clone(),
        Asked::All { after } => unknown_of(ctx, tx, &of, *after)?,
    };
    let messages: Vec<(Uuid, Uuid)> = ids.into_iter().map(|id| (id, id)).collect();
    let done = many::each(tx, &asked, &messages, |tx, id| resolve_one(ctx, tx, id, sent, dry_run))?;
    Ok(Reply::json(&json!({
        "resolved": done.changed, "refused": done.refused("message_id"), "remaining": count(ctx, tx, &of)?,
        "next": done.next, "dry_run": dry_run,
    })))
}

/// The next page of messages with an unknown outcome.
fn unknown_of(ctx: &Ctx, tx: &mut dyn Tx, of: &Of, after: Uuid) -> Result<Vec<Uuid>, Error> {
    const OF_ACCOUNT: &str = "SELECT message_id FROM sends WHERE workspace_id = $1 AND account_id = $2 AND state = 'unknown' \
         AND message_id > $3 ORDER BY message_id LIMIT $4";
    const OF_SEQUENCE: &str = "SELECT s.message_id FROM sends s \
         JOIN enrollments e ON e.workspace_id = s.workspace_id AND e.id = s.enrollment_id \
         WHERE s.workspace_id = $1 AND e.sequence_id = $2 AND s.state = 'unknown' AND s.message_id > $3 \
         ORDER BY s.message_id LIMIT $4";
    let (sql, id) = match of {
        Of::Workspace => return Ok(Vec::new()),
        Of::Account(id) => (OF_ACCOUNT, *id),
        Of::Sequence(id) => (OF_SEQUENCE, *id),
    };
    Ok(tx.rows(sql, &[ctx.workspace.into(), id.into(), after.into(), MOST.into()], |row| row.id(0))?)
}

fn count(ctx: &Ctx, tx: &mut dyn Tx, of: &Of) -> Result<i64, Error> {
    const IN_ALL: &str = "SELECT count(*) FROM sends WHERE workspace_id = $1 AND state = 'unknown'";
    const OF_SEQUENCE: &str = "SELECT count(*) FROM sends s \
         JOIN enrollments e ON e.workspace_id = s.workspace_id AND e.id = s.enrollment_id \
         WHERE s.workspace_id = $1 AND e.sequence_id = $2 AND s.state = 'unknown'";
    match of {
        Of::Workspace => Ok(tx.one(IN_ALL, &[ctx.workspace.into()], |row| row.int(0))?.unwrap_or(0)),
        Of::Account(id) => outbox::unknown_outcomes(ctx, tx, *id),
        Of::Sequence(id) => {
            Ok(tx.one(OF_SEQUENCE, &[ctx.workspace.into(), (*id).into()], |row| row.int(0))?.unwrap_or(0))
        }
    }
}

/// Records whether a message was sent; its enrollment goes on. Gives the reason if that is not possible.
fn resolve_one(ctx: &Ctx, tx: &mut dyn Tx, message: Uuid, sent: bool, dry_run: bool) -> Result<Option<String>, Error> {
    const UNKNOWN: &str = "has no unknown outcome, or is no message of this workspace";
    let Some(run) = outbox::unknown_run(ctx, tx, message)? else { return Ok(Some(UNKNOWN.into())) };
    let account = find::<Message>(ctx, tx, message)?.record.account_id;
    if !private::sees(ctx, tx, account)? {
        return Ok(Some(UNKNOWN.into()));
    }
    if dry_run {
        return Ok(None);
    }
    let waiting = match run {
        Some(run) => Some(find::<Enrollment>(ctx, tx, run.enrollment_id)?),
        None => None,
    };
    match waiting.filter(|saved| Kind::of(&saved.record) == Kind::OutcomeUnknown) {
        Some(saved) if open_run(ctx, tx, &saved)?.is_some_and(|open| open.message == Some(message)) => {
            resume_by_user(ctx, tx, saved.id, Some(sent))?;
        }
        // It belongs to no enrollment, or to one that goes on or ended without it.
        _ => drop(outbox::resolve(ctx, tx, message, sent)?),
    }
    Ok(None)
}
