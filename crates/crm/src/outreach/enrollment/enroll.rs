//! Enrolls contacts in a sequence, and removes them from it. Each contact gets a result of its own.

use super::candidates::Candidates;
use super::context::SequenceContext;
use super::counts::{count, tally};
use super::decide;
use super::record::{end, wake};
use super::state::{Cause, Kind, transition};
use super::{Enrollment, EnrollmentStatus, ended_by_merge};
use crate::api::call::{Call, Reply};
use crate::outreach::outbox;
use crate::outreach::sequence::plan::{self, Facts};
use crate::outreach::sequence::{Sequence, SequenceStatus};
use crate::records::contact::Contact;
use resource::{
    Changes, Cond, Ctx, Error, Field, Ids, Items, Op, Problem, Resource, Saved, Test, find, insert, invalid,
};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid, Value};

/// A contact to enroll, with values for its templates.
#[derive(Resource)]
pub struct EnrolledContact {
    #[field(required)]
    pub contact_id: Uuid,
    /// `custom_variable_1` … `custom_variable_10`: text, numbers, true or false.
    pub custom_variables: Option<Map<String, Json>>,
}

/// Whom to enroll: one of the two, 1 to 500 of them.
#[derive(Resource)]
pub struct EnrollInput {
    #[field(max = 500)]
    pub contact_ids: Option<Ids>,
    #[field(max = 500)]
    pub contacts: Option<Items<EnrolledContact>>,
}
pub const ENROLL: &[Field] = EnrollInput::FIELDS;

/// Whom to take out: 1 to 500.
#[derive(Resource)]
pub struct UnenrollInput {
    #[field(required, max = 500)]
    pub contact_ids: Ids,
}
pub const UNENROLL: &[Field] = UnenrollInput::FIELDS;

const OUTCOMES: [&str; 5] =
    ["enrolled", "skipped_blacklisted", "skipped_already_enrolled", "skipped_active_elsewhere", "skipped_not_found"];
const VARIABLES: u32 = 10;
const LONGEST: usize = 1000;

pub fn schema() -> Json {
    let mut properties = Map::new();
    for outcome in OUTCOMES {
        properties.insert(outcome.into(), json!({ "type": "integer" }));
    }
    let result = json!({
        "type": "object",
        "required": ["contact_id", "outcome", "enrollment_id", "reason"],
        "properties": {
            "contact_id": { "type": "string", "format": "uuid" },
            "outcome": { "type": "string", "enum": OUTCOMES },
            "enrollment_id": { "type": ["string", "null"], "format": "uuid", "description": "The new one, or the one that is in the way." },
            "reason": { "type": ["string", "null"] },
        },
    });
    properties.insert("results".into(), json!({ "type": "array", "items": result }));
    let required: Vec<&str> = OUTCOMES.into_iter().chain(["results"]).collect();
    json!({ "type": "object", "description": "What became of each contact.", "required": required, "properties": properties })
}

pub fn unenrolled_schema() -> Json {
    json!({
        "type": "object",
        "description": "How many were taken out, and how many were not in it.",
        "required": ["unenrolled", "not_found", "sending"],
        "properties": {
            "unenrolled": { "type": "integer" },
            "not_found": { "type": "integer" },
            "sending": {
                "type": "array",
                "items": { "type": "string", "format": "uuid" },
                "description": "Contacts whose message was being handed over at this moment: it may still arrive.",
            },
        },
    })
}

pub fn enroll(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let asked = asked(call)?;
    let mut context = SequenceContext::of(&call.ctx, tx, call.id(0, "sequence")?)?;
    let status = context.sequence.record.status;
    if !matches!(status, SequenceStatus::Active | SequenceStatus::Paused) {
        let reason = format!("is {}; contacts are enrolled in a sequence that was started", status.word());
        return Err(invalid("status", reason));
    }
    let (mut results, mut seen) = (Vec::new(), Vec::new());
    let mut counts = OUTCOMES.map(|_| 0_i64);
    let ids: Vec<Uuid> = asked.iter().map(|(id, _)| *id).collect();
    let mut candidates = Candidates::read(&call.ctx, tx, &ids)?;
    for (id, variables) in asked {
        if seen.contains(&id) {
            continue;
        }
        seen.push(id);
        let found = outcome(&call.ctx, tx, &mut context, &mut candidates, (id, variables))?;
        counts[found.outcome] += 1;
        results.push(json!({
            "contact_id": id, "outcome": OUTCOMES[found.outcome], "enrollment_id": found.enrollment, "reason": found.reason,
        }));
    }
    count(&call.ctx, tx, context.sequence.id, &[(EnrollmentStatus::Active, counts[0])], counts[0])?;
    let mut data: Map<String, Json> =
        OUTCOMES.iter().zip(counts).map(|(name, n)| ((*name).to_owned(), n.into())).collect();
    data.insert("results".into(), results.into());
    Ok(Reply::json(&data.into()))
}

/// Enrolls one contact; `None` if a rule forbids it.
pub fn enroll_one(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid, contact: Uuid) -> Result<Option<Uuid>, Error> {
    let mut context = SequenceContext::of(ctx, tx, sequence)?;
    let found = outcome(ctx, tx, &mut context, &mut Candidates::default(), (contact, Map::new()))?;
    let made = found.enrollment.filter(|_| found.outcome == 0);
    if made.is_some() {
        count(ctx, tx, sequence, &[(EnrollmentStatus::Active, 1)], 1)?;
    }
    Ok(made)
}

type Asked = (Uuid, Map<String, Json>);

/// The contacts of the body, with their variables.
fn asked(call: &Call) -> Result<Vec<Asked>, Error> {
    let members = call.members(ENROLL)?;
    let ids: Vec<Uuid> = members.named_json("contact_ids")?;
    let contacts: Vec<Map<String, Json>> = members.named_json("contacts")?;
    match (ids.is_empty(), contacts.is_empty()) {
        (false, true) => return Ok(ids.into_iter().map(|id| (id, Map::new())).collect()),
        (true, false) => {}
        (true, true) => {
            return Err(invalid("contact_ids", "must name 1 to 500 contacts; or give contacts, with their variables"));
        }
        (false, false) => return Err(invalid("contacts", "can't be combined with contact_ids")),
    }
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    for (at, contact) in contacts.into_iter().enumerate() {
        let id = contact.get("contact_id").and_then(Json::as_str).and_then(|id| Uuid::try_parse(id).ok());
        let mut variables = match contact.get("custom_variables") {
            Some(Json::Object(variables)) => variables.clone(),
            _ => Map::new(),
        };
        variables.retain(|_, value| !value.is_null());
        for (name, value) in &variables {
            let number = name.strip_prefix("custom_variable_").and_then(|n| n.parse::<u32>().ok());
            let known = number.is_some_and(|n| (1..=VARIABLES).contains(&n) && *name == format!("custom_variable_{n}"));
            let reason = match value {
                _ if !known => format!("is not one of custom_variable_1 … custom_variable_{VARIABLES}"),
                Json::String(text) if text.chars().count() > LONGEST => {
                    format!("must have at most {LONGEST} characters")
                }
                Json::String(_) | Json::Number(_) | Json::Bool(_) => continue,
                _ => "must be text, a number, true or false".into(),
            };
            problems.push(Problem { field: format!("contacts.{at}.custom_variables.{name}"), reason });
        }
        found.extend(id.map(|id| (id, variables)));
    }
    if problems.is_empty() { Ok(found) } else { Err(Error::Invalid(problems)) }
}

struct Outcome {
    /// Index in `OUTCOMES`.
    outcome: usize,
    enrollment: Option<Uuid>,
    reason: Option<String>,
}

fn outcome(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    context: &mut SequenceContext,
    candidates: &mut Candidates,
    (id, variables): Asked,
) -> Result<Outcome, Error> {
    let skipped = |outcome: usize, enrollment: Option<Uuid>, reason: String| Outcome {
        outcome,
        enrollment,
        reason: Some(reason),
    };
    let contact = match candidates.take(ctx, tx, id) {
        Err(Error::NotFound(_)) => return Ok(skipped(4, None, "no contact has this id".into())),
        found => found?,
    };
    if let Some(why) = candidates.refusal(ctx, tx, &contact)? {
        return Ok(skipped(1, None, why));
    }
    let others = candidates.enrollments(ctx, tx, contact.id)?;
    let is_here = |sequence: &Uuid| *sequence == context.sequence.id;
    let here = others.iter().find(|(_, at, status)| is_here(at) && *status != EnrollmentStatus::Unenrolled);
    if let Some((id, _, status)) = here {
        let status = status.word();
        return Ok(skipped(
            2,
            Some(*id),
            format!("the contact is in this sequence already; that enrollment is {status}"),
        ));
    }
    if let Some((id, at, _)) = others.iter().find(|(_, at, status)| !is_here(at) && status.is_open()) {
        let name = find::<Sequence>(ctx, tx, *at)?.record.name;
        return Ok(skipped(3, Some(*id), format!("the contact is active in the sequence {name}")));
    }
    let enrollment = begin(ctx, tx, context, &contact, variables)?;
    Ok(Outcome { outcome: 0, enrollment: Some(enrollment), reason: None })
}

/// Creates an enrollment and plans its first step.
fn begin(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    context: &mut SequenceContext,
    contact: &Saved<Contact>,
    variables: Map<String, Json>,
) -> Result<Uuid, Error> {
    let (now, version) = (tx.stamp(), context.sequence.record.version);
    let steps = context.steps(ctx, tx, version)?;
    let mut kind = transition(Kind::New, &Cause::Enrolled)?;
    let mut changes = Changes::default();
    changes.set(Enrollment::SEQUENCE_ID, context.sequence.id);
    changes.set(Enrollment::CONTACT_ID, contact.id);
    changes.set(Enrollment::CUSTOM_VARIABLES, Json::Object(variables));
    changes.set(Enrollment::ENROLLED_AT, now);
    changes.set(Enrollment::SEQUENCE_VERSION, version);
    changes.set(Enrollment::BASE_AT, now);
    changes.set(Enrollment::FRESH, true);
    let (mut due, mut first) = (now, None);
    let (schedule, facts) = (context.schedule_for(&contact.record), Facts::default());
    let next = plan::next(&steps, &schedule, None, now, &facts, now);
    // The first tick handles all other results.
    let cause = decide::continue_with(&next, &steps, &facts);
    if let Cause::StepPlanned { step, due_at, .. } = &cause {
        kind = transition(kind, &cause)?;
        (due, first) = (*due_at, Some(*step));
        changes.set(Enrollment::NEXT_STEP_AT, *due_at);
    }
    changes.set(Enrollment::STATUS, Cause::Enrolled.status(kind));
    changes.set(Enrollment::CURRENT_STEP_ID, first);
    changes.set(Enrollment::PLANNED_STEP_ID, first);
    changes.set(Enrollment::DUE_AT, due);
    let id = insert::<Enrollment>(ctx, tx, &changes)?;
    if let Some(step) = first {
        tally(ctx, tx, step, "planned", 1)?;
    }
    list_contact(ctx, tx, context.sequence.id, contact.id)?;
    wake(ctx, tx, context.sequence.id, due)?;
    Ok(id)
}

pub fn unenroll(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const OPEN_HERE: &str = "SELECT id FROM enrollments \
         WHERE workspace_id = $1 AND contact_id = $2 AND sequence_id = $3 AND status IN ('active', 'paused')";
    let members = call.members(UNENROLL)?;
    let ids: Vec<Uuid> = members.named_json("contact_ids")?;
    if ids.is_empty() {
        return Err(invalid("contact_ids", "must name 1 to 500 contacts"));
    }
    let sequence = find::<Sequence>(&call.ctx, tx, call.id(0, "sequence")?)?;
    let (mut unenrolled, mut not_found, mut sending, mut seen) = (0, 0, Vec::new(), Vec::new());
    for id in ids {
        let contact = resource::survivor(&call.ctx, tx, id)?.unwrap_or(id);
        if seen.contains(&contact) {
            continue;
        }
        seen.push(contact);
        let params = [call.ctx.workspace.into(), contact.into(), sequence.id.into()];
        let Some(open) = tx.one(OPEN_HERE, &params, |row| row.id(0))? else {
            not_found += 1;
            continue;
        };
        let saved = find::<Enrollment>(&call.ctx, tx, open)?;
        if outbox::in_flight(&call.ctx, tx, open)?.is_some() {
            sending.push(contact);
        }
        end(&call.ctx, tx, &saved, &Cause::RemovedByUser)?;
        for other in ended_by_merge(&call.ctx, tx, contact)? {
            if other.record.sequence_id == sequence.id {
                end(&call.ctx, tx, &other, &Cause::RemovedByUser)?;
            }
        }
        unenrolled += 1;
    }
    Ok(Reply::json(&json!({ "unenrolled": unenrolled, "not_found": not_found, "sending": sending })))
}

// ---- contacts by sequence ----

/// The sequences that a contact is or was enrolled in. Contacts have no such field; it only filters them.
static SEQUENCES: Field = Field::of::<Ids>("sequence_id", "").term("contact.sequence").reads(&["enrollments"]);

/// Matches contacts that are or were enrolled in this sequence.
pub fn enrolled(sequence: Uuid) -> Cond {
    Cond::Test(Test { field: &SEQUENCES, op: Op::Eq, values: vec![sequence.into()] })
}

/// Matches contacts that are or were enrolled in one of these sequences; `None` if there are none.
pub fn enrolled_in(sequences: Vec<Uuid>) -> Option<Cond> {
    let values: Vec<Value> = sequences.into_iter().map(Value::from).collect();
    (!values.is_empty()).then_some(Cond::Test(Test { field: &SEQUENCES, op: Op::In, values }))
}

/// Adds the contact to the index of the sequence's contacts, if it is not there yet.
pub fn list_contact(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid, contact: Uuid) -> Result<(), Error> {
    const LIST: &str = "INSERT INTO terms (workspace_id, field, key, record) VALUES ($1, 'contact.sequence', $2, $3) \
         ON CONFLICT (workspace_id, field, key, record) DO NOTHING";
    Ok(tx.execute(LIST, &[ctx.workspace.into(), sequence.to_string().into(), contact.into()])?)
}

/// Removes the contact from that index, unless another enrollment of it is left.
pub fn unlist_contact(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid, contact: Uuid) -> Result<(), Error> {
    const STILL: &str =
        "SELECT 1 FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 AND sequence_id = $3 LIMIT 1";
    const UNLIST: &str =
        "DELETE FROM terms WHERE workspace_id = $1 AND field = 'contact.sequence' AND key = $2 AND record = $3";
    if tx.one(STILL, &[ctx.workspace.into(), contact.into(), sequence.into()], |_| Ok(()))?.is_some() {
        return Ok(());
    }
    let key: Value = sequence.to_string().into();
    Ok(tx.execute(UNLIST, &[ctx.workspace.into(), key, contact.into()])?)
}
