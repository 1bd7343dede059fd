//! Fills in a text or a template for a contact and sends nothing, so that somebody can read and change it first.

use super::MessageInput;
use crate::api::call::{Call, Reply};
use crate::api::operation::{Deferred, Operation, post};
use crate::api::private;
use crate::api::scope::{CONTACTS_READ, Feature, MESSAGES_READ};
use crate::outreach::account::{self, Channel, ConnectedAccount};
use crate::outreach::message_template;
use crate::outreach::sequence::template::{Filling, Names};
use crate::outreach::signature::Signature;
use crate::outreach::template_values::{self, Sender};
use crate::records::contact::Contact;
use crate::records::references;
use crate::tenant::member;
use resource::{Error, Field, Problem, Resource, find, invalid};
use serde_json::json;
use store::{Tx, Uuid, Value};

/// A text to fill in, and for whom.
#[derive(Resource)]
pub struct PreviewInput {
    #[field(required)]
    pub contact_id: Uuid,
    /// HTML when it begins with `<`, else plain text.
    #[field(max = 20_000)]
    pub content: Option<String>,
    #[field(max = 255)]
    pub subject: Option<String>,
    /// A message template, instead of `content`. A `subject` that is given replaces its own.
    pub template_id: Option<Uuid>,
    /// Who sends: the key owner's email account unless given, else the workspace's oldest.
    pub account_id: Option<Uuid>,
}
const INPUT: &[Field] = PreviewInput::FIELDS;

/// A text with the values of a contact.
#[derive(Resource)]
#[resource(table = "message_previews", one = "message_preview")]
pub struct MessagePreview {
    pub subject: Option<String>,
    /// Placeholders without a value and a fallback stay as written.
    pub content: String,
    /// The names of those placeholders.
    pub missing: Vec<String>,
}

pub const OPERATIONS: &[Operation] =
    &[post("/messages/preview", "preview_message", "Fill in a text or a template for a contact, without sending it")
        .feature(Feature::Outreach)
        .scope(MESSAGES_READ)
        .also(CONTACTS_READ)
        .members("MessagePreviewInput", INPUT)
        .gives::<MessagePreview>(&[200])
        .deferred(filled)];

fn filled(call: &Call, tx: &mut dyn Tx) -> Result<Deferred, Error> {
    let mut given = call.members(INPUT)?;
    let ctx = &call.ctx;
    let mut problems: Vec<Problem> = Vec::new();
    problems.extend(references::record::<Contact, _>(ctx, tx, &mut given, PreviewInput::CONTACT_ID)?);
    problems.extend(references::record::<ConnectedAccount, _>(ctx, tx, &mut given, PreviewInput::ACCOUNT_ID)?);
    if !problems.is_empty() {
        return Err(Error::Invalid(problems));
    }
    let id = |name: &str| if let Some(Value::Id(id)) = given.named(name) { Some(*id) } else { None };
    let text = |name: &str| given.named_text(name).filter(|text| !text.is_empty()).map(str::to_owned);
    let (mut subject, content) = match (id("template_id"), text("content")) {
        (Some(_), Some(_)) => return Err(invalid("content", super::EITHER)),
        (Some(template), None) => {
            let record = message_template::named(call, tx, template)?.record;
            (record.subject, record.content)
        }
        (None, content) => (None, content.unwrap_or_default()),
    };
    subject = text("subject").or(subject);
    let account = match id("account_id") {
        Some(account) => Some(account),
        None => account::default(ctx, tx, Channel::Email, ctx.actor.user)?,
    };
    let account = account.map(|account| find::<ConnectedAccount>(ctx, tx, account)).transpose()?;
    if let Some(account) = &account
        && !private::sees(ctx, tx, account.id)?
    {
        return Err(invalid(MessageInput::ACCOUNT_ID.name(), super::PRIVATE));
    }
    let contact = find::<Contact>(ctx, tx, id("contact_id").unwrap_or_default())?;
    let sender = account.as_ref().map_or(Sender::Member(call.key.user), Sender::Account);
    let members = member::list(ctx, tx)?;
    let names = template_values::of(ctx, tx, &contact, sender, &members)?;
    let known = Names::of(ctx, tx)?;
    let signature = account.and_then(|account| account.record.signature).unwrap_or_default();
    Ok(Box::new(move || {
        let signature = Signature::of(&signature);
        let filling = Filling::of(&names).signed(Some(&signature));
        let mut missing = Vec::new();
        let mut fill = |member: &str, text: &str, html: bool| {
            let unknown = known.check(text).into_iter().map(|reason| Problem { field: member.into(), reason });
            let unknown: Vec<Problem> = unknown.collect();
            if !unknown.is_empty() {
                return Err(Error::Invalid(unknown));
            }
            let drafted = filling.draft(text, html).map_err(|fault| invalid(member, fault.reason))?;
            missing.extend(drafted.missing);
            Ok::<_, Error>(drafted.text)
        };
        let content = fill("content", &content, untrusted_html::is_html(&content))?;
        let subject = subject.map(|subject| fill("subject", &subject, false)).transpose()?;
        let subject = subject.map(|subject| subject.split_whitespace().collect::<Vec<_>>().join(" "));
        missing.sort();
        missing.dedup();
        Ok(Reply::json(&json!({ "subject": subject, "content": content, "missing": missing })))
    }))
}
