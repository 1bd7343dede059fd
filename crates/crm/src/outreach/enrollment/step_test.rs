//! Sends a step as a test: to a member of the workspace, filled in for a contact. Nothing is stored, so that a test changes
//! no statistics.

use super::Run;
use super::context::SequenceContext;
use super::links::{Links, Tracking};
use super::preview::account;
use super::rendered::{self, Draft, RenderResult, Source};
use crate::api::call::{Call, Prepared, Reply};
use crate::api::effects::{Effect, EffectResult, TestMail};
use crate::api::operation::{Computation, EffectSteps, Operation, post};
use crate::api::scope::{CONTACTS_READ, Feature, SEQUENCES_WRITE};
use crate::outreach::account::{AccountStatus, ConnectedAccount};
use crate::outreach::attached;
use crate::outreach::outbox::Content;
use crate::outreach::sequence::plan::ParsedStep;
use crate::outreach::sequence::step::StepType;
use crate::records::contact::Contact;
use crate::tenant::email::email_key;
use crate::tenant::member::{self, Member};
use resource::{Error, Field, Format, Problem, Resource, Saved, find, invalid, not_found};
use serde_json::{Map, Value as Json, json};
use std::borrow::Cow;
use store::{Tx, Uuid, Value};

/// For whom a step is filled in, and who gets it.
#[derive(Resource)]
pub struct StepTestInput {
    /// The contact whose values are filled in. The contact gets nothing.
    #[field(required)]
    pub contact_id: Uuid,
    /// The address of a member of the workspace; one's own unless given.
    #[field(format = Format::Email, max = 254)]
    pub to: Option<String>,
    /// The connected account that sends; the first that may send the step unless given.
    pub sender_id: Option<Uuid>,
    /// Of a step with variants: which one; the first unless given.
    pub variant_id: Option<Uuid>,
}
const INPUT: &[Field] = StepTestInput::FIELDS;

pub const OPERATIONS: &[Operation] = &[post(
    "/sequences/{id}/steps/{step_id}/test",
    "test_step",
    "Send an email step as a test to a member, filled in for a contact",
)
.feature(Feature::Outreach)
.scope(SEQUENCES_WRITE)
.also(CONTACTS_READ)
.members("StepTestInput", INPUT)
.prepare_read(ahead)
.gives_object("StepTest", schema)
.effect(EffectSteps { prepare, complete })];

fn schema() -> Json {
    json!({
        "type": "object",
        "description": "A test mail that was sent.",
        "required": ["to", "from", "subject"],
        "properties": {
            "to": { "type": "string", "format": "email" },
            "from": { "type": ["string", "null"], "format": "email" },
            "subject": { "type": ["string", "null"] },
        },
    })
}

/// A test that a request asks for.
struct Asked {
    step: ParsedStep,
    account: Saved<ConnectedAccount>,
    to: Member,
    draft: Draft,
}

/// Renders the mail before it is sent.
fn ahead(call: &Call, tx: &mut dyn Tx) -> Result<Computation, Error> {
    let draft = asked(call, tx)?.draft;
    let links = Links { public_url: call.public_url.clone(), secret: call.secret.clone() };
    Ok(Box::new(move || Some(Prepared::new(draft.render(&links)))))
}

/// Describes the mail to send.
fn prepare(call: &Call, tx: &mut dyn Tx) -> Result<Effect, Error> {
    let asked = asked(call, tx)?;
    let attachments = attached::find(&call.ctx, tx, "attachments", &asked.step.attachments)?;
    attached::require(call, &attachments)?;
    let Some(rendered) = call.prepared::<RenderResult>() else {
        return Err(Error::Unavailable("the step could not be filled in in time".into()));
    };
    let message = rendered.clone().map_err(|unrendered| Error::Invalid(unrendered.problems))?;
    let name = format!("{} {}", asked.to.first_name, asked.to.last_name).trim().to_owned();
    let content = Content {
        subject: message.subject,
        text: message.text,
        html: message.html.map(|html| html.sent),
        unsubscribe: None,
        references: Vec::new(),
        to_name: Some(name).filter(|name| !name.is_empty() && !name.contains(char::is_control)),
        cc: Vec::new(),
        bcc: Vec::new(),
        reply_to: asked.step.reply_to,
        attachments,
    };
    let (workspace, account) = (call.ctx.workspace, asked.account.id);
    Ok(Effect::SendTest(TestMail { workspace, account, to: asked.to.email, content: json!(content) }))
}

/// Says what was sent.
fn complete(call: &Call, tx: &mut dyn Tx, effect: &Effect, result: &EffectResult) -> Result<Reply, Error> {
    let (Effect::SendTest(test), EffectResult::Tested(problem)) = (effect, result) else {
        return Err(store::Error::Internal("another effect was run".into()).into());
    };
    if let Some((field, reason)) = problem {
        return Err(invalid(*field, reason.as_str()));
    }
    let account = find::<ConnectedAccount>(&call.ctx, tx, test.account)?;
    let from = account.record.address.as_deref();
    Ok(Reply::json(&json!({ "to": test.to, "from": from, "subject": test.content["subject"] })))
}

fn asked(call: &Call, tx: &mut dyn Tx) -> Result<Asked, Error> {
    let given = call.members(INPUT)?;
    let ctx = &call.ctx;
    let mut context = SequenceContext::of(ctx, tx, call.id(0, "sequence")?)?;
    let version = context.sequence.record.version;
    let steps = context.steps(ctx, tx, version)?;
    let id = call.id(1, "step")?;
    let step = steps.iter().find(|step| step.id == id).ok_or_else(|| not_found("step"))?;
    if step.kind != StepType::Email {
        let reason = format!("is a {}; only an email can be tested", step.kind.word());
        return Err(invalid("step", reason));
    }
    let id = |name: &str| if let Some(Value::Id(id)) = given.named(name) { Some(*id) } else { None };
    let step = &match id("variant_id") {
        Some(variant) => {
            let at = step.variants.iter().position(|one| one.id == variant);
            step.with_variant(at.ok_or_else(|| invalid("variant_id", "no variant of the step has this id"))?)
        }
        None => step.with_first_variant(),
    };
    let contact = match find::<Contact>(ctx, tx, id("contact_id").unwrap_or_default()) {
        Err(Error::NotFound(_)) => return Err(invalid("contact_id", "no contact has this id")),
        found => found?,
    };
    let to = recipient(call, tx, given.named_text("to"))?;
    // A manual step has no account, but can be tested with one.
    let mut sent = step.clone();
    sent.manual = false;
    let account = account(ctx, tx, &context.sequence, &sent, id("sender_id"))?
        .ok_or_else(|| invalid("sender_id", "no connected account can send by email; connect one first"))?;
    if account.record.status != AccountStatus::Connected {
        let why = account.record.status_reason.clone().unwrap_or_else(|| "it does not work".into());
        return Err(invalid("sender_id", format!("the account {}: {why}", account.record.name)));
    }
    let members = member::list(ctx, tx)?;
    let source = Source {
        sequence: &context.sequence.record,
        variables: &Map::new(),
        contact: &contact,
        step,
        earlier_subject: rendered::earlier_subject(&steps, step.id, |step| Cow::Owned(step.with_first_variant())),
        account: Some(&account),
        members: &members,
        // Nobody is enrolled, so that the link to unsubscribe is of no effect.
        tracking: Some(Tracking {
            workspace: ctx.workspace,
            run: Run { enrollment_id: Uuid::nil(), step_id: step.id },
            opens: false,
            clicks: false,
        }),
    };
    let draft = rendered::draft(ctx, tx, source)?;
    Ok(Asked { step: step.clone(), account, to, draft })
}

/// The member who gets the test.
fn recipient(call: &Call, tx: &mut dyn Tx, address: Option<&str>) -> Result<Member, Error> {
    let mut members = member::list(&call.ctx, tx)?.into_iter();
    match address.filter(|address| !address.is_empty()) {
        Some(address) => members.find(|member| email_key(&member.email) == email_key(address)).ok_or_else(|| {
            Error::Invalid(vec![Problem {
                field: "to".into(),
                reason: "no member of the workspace has this address; a test goes to members alone".into(),
            }])
        }),
        None => members
            .find(|member| member.user_id == call.key.user)
            .ok_or_else(|| invalid("to", "is required: the owner of the key is no member any more")),
    }
}
