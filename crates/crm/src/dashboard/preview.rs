//! The preview of a sequence's step for a contact, with its time, and the check of steps before they are saved.

use super::answers::{CheckedSteps, StepPreview};
use crate::api::call::{Call, Reply};
use crate::api::operation::{Deferred, Operation, post};
use crate::api::scope::{Feature, Role};
use crate::outreach::enrollment::links::Links;
use crate::outreach::enrollment::preview::{self, Asked};
use crate::outreach::sequence::step::{self, Known, MOST, Step};
use crate::outreach::sequence::{BODY, Sequence};
use resource::{Error, Field, Items, Resource, find};
use serde_json::{Value as Json, json};
use store::{Tx, Uuid, Value};

#[derive(Resource)]
pub struct Preview {
    #[field(required)]
    pub contact_id: Uuid,
    /// The first account that may send it if absent.
    pub sender_id: Option<Uuid>,
    /// In the form in which a sequence is changed; the stored steps if absent.
    #[field(max = MOST)]
    pub steps: Option<Items<Step>>,
    /// Its index in the steps, from 0.
    #[field(required, least = 0, most = 49)]
    pub step: i64,
    /// Of a step with variants: the index of one, from 0; the first if absent.
    #[field(least = 0, most = 4)]
    pub variant: Option<i64>,
}

const PREVIEW: &[Field] = Preview::FIELDS;

#[derive(Resource)]
pub struct Draft {
    /// In the form in which a sequence is changed.
    #[field(required, max = MOST)]
    pub steps: Items<Step>,
}

const DRAFT: &[Field] = Draft::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    post("/sequences/{id}/preview", "dashboard_preview", "What a step would say to a contact, and when")
        .gives::<StepPreview>(&[200])
        .role(Role::Member)
        .feature(Feature::Outreach)
        .large_members("Preview", PREVIEW, BODY)
        .deferred(shown),
    post("/sequences/{id}/check", "dashboard_check_steps", "What is wrong with steps that are not saved yet")
        .gives::<CheckedSteps>(&[200])
        .role(Role::Member)
        .feature(Feature::Outreach)
        .large_members("DraftSteps", DRAFT, BODY)
        .read(checked),
];

/// Lists all problems that keep the steps from being saved. Writes nothing.
fn checked(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    call.members(DRAFT)?;
    find::<Sequence>(&call.ctx, tx, call.id(0, "sequence")?)?;
    let mut problems = Vec::new();
    let steps = step::read(call.body.get("steps").unwrap_or(&Json::Null))?;
    step::check(&call.ctx, tx, steps, &Known::None, &mut problems)?;
    let shown = problems.iter().map(|one| json!({ "field": one.field, "reason": one.reason }));
    Ok(Reply::json(&json!({ "problems": shown.collect::<Vec<_>>() })))
}

fn shown(call: &Call, tx: &mut dyn Tx) -> Result<Deferred, Error> {
    let given = call.members(PREVIEW)?;
    let sequence = find::<Sequence>(&call.ctx, tx, call.id(0, "sequence")?)?.id;
    let id = |name: &str| if let Some(Value::Id(id)) = given.named(name) { Some(*id) } else { None };
    let at = if let Some(Value::Int(at)) = given.named("step") { at.unsigned_abs() as usize } else { 0 };
    let asked = Asked {
        sequence,
        contact: id("contact_id").unwrap_or_default(),
        sender: id("sender_id"),
        steps: call.body.get("steps").filter(|steps| !steps.is_null()).cloned(),
        at,
        variant: if let Some(Value::Int(at)) = given.named("variant") {
            Some(at.unsigned_abs() as usize)
        } else {
            None
        },
    };
    let links = Links { public_url: call.public_url.clone(), secret: call.secret.clone() };
    preview::of(&call.ctx, tx, asked, links)
}
