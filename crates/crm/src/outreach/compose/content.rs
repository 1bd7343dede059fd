//! Composes the messages of requests: from a content or a template, with the signature of the account. Rendering and converting
//! can take long, so that it is done between a read and the write that queues the message.

use super::{EITHER, INPUT, LONGEST, MessageInput, PRIVATE, REPLY};
use crate::api::call::{Call, Prepared};
use crate::api::operation::Computation;
use crate::api::private;
use crate::outreach::account::{self, Channel, ConnectedAccount};
use crate::outreach::attached;
use crate::outreach::conversation;
use crate::outreach::markup;
use crate::outreach::message_template::{self, MessageTemplate};
use crate::outreach::outbox::{Also, Markup, Outgoing, Thread};
use crate::outreach::sequence::template::{self, Filling};
use crate::outreach::signature::Signature;
use crate::outreach::template_values::{self, Sender};
use crate::records::contact::Contact;
use crate::records::references;
use crate::tenant::member;
use resource::{Changes, Error, Problem, Saved, find, invalid};
use serde_json::{Map, Value as Json};
use store::{Tx, Uuid, Value};

/// Members that only emails have.
const OF_EMAILS: [&str; 5] = ["subject", "cc", "bcc", "reply_to", "attachments"];
/// How far ahead a message can be scheduled, in milliseconds.
const LATEST: i64 = 366 * 24 * 60 * 60 * 1000;
/// A clock of a client that is this much behind, in milliseconds, means now.
const TOLERANCE: i64 = 60_000;

/// A message that a request asks for.
pub(super) struct Asked {
    members: Changes,
    contact_id: Uuid,
    account: Saved<ConnectedAccount>,
    channel: Channel,
    thread: Thread,
}

/// The text of a message as it is sent.
#[derive(Clone, Debug)]
struct Composed {
    subject: Option<String>,
    text: String,
    html: Option<Markup>,
}

type Result<T> = std::result::Result<T, Error>;

/// Reads a message for a contact.
pub(super) fn new(call: &Call, tx: &mut dyn Tx) -> Result<Asked> {
    let mut members = call.members(INPUT)?;
    let ctx = &call.ctx;
    let mut problems: Vec<Problem> = Vec::new();
    problems.extend(references::record::<Contact, _>(ctx, tx, &mut members, MessageInput::CONTACT_ID)?);
    problems.extend(references::record::<ConnectedAccount, _>(ctx, tx, &mut members, MessageInput::ACCOUNT_ID)?);
    if !problems.is_empty() {
        return Err(Error::Invalid(problems));
    }
    let id = |name: &str| if let Some(Value::Id(id)) = members.named(name) { Some(*id) } else { None };
    let channel = members.named_text("channel").and_then(Channel::from_word).unwrap_or(Channel::Email);
    let account = match id("account_id") {
        Some(account) => account,
        None => account::default(ctx, tx, channel, ctx.actor.user)?.ok_or_else(|| {
            let reason = format!(
                "no account is connected for {}; an operator adds one by `relata accounts add`",
                channel.word()
            );
            invalid("channel", reason)
        })?,
    };
    let (contact_id, account) = (id("contact_id").unwrap_or_default(), find::<ConnectedAccount>(ctx, tx, account)?);
    if !private::sees(ctx, tx, account.id)? {
        return Err(invalid(MessageInput::ACCOUNT_ID.name(), PRIVATE));
    }
    Asked { contact_id, account, channel, thread: Thread::New, members }.checked()
}

/// Reads an answer in a conversation.
pub(super) fn reply(call: &Call, tx: &mut dyn Tx) -> Result<Asked> {
    let members = call.members(REPLY)?;
    let conversation = conversation::seen(call, tx)?;
    let record = &conversation.record;
    let account = find::<ConnectedAccount>(&call.ctx, tx, record.account_id)?;
    let (contact_id, channel, thread) = (record.contact_id, record.channel, Thread::In(conversation.id));
    Asked { members, contact_id, account, channel, thread }.checked()
}

/// Composes the message before the transaction that queues it.
pub(super) fn ahead(call: &Call, tx: &mut dyn Tx, asked: &Asked) -> Result<Computation> {
    let source = Source::read(call, tx, asked)?;
    Ok(Box::new(move || Some(Prepared::new(source.composed()))))
}

impl Asked {
    /// Refuses members that do not fit each other or the channel.
    fn checked(self) -> Result<Asked> {
        let is_given = |name: &&str| self.members.named_text(name).is_some_and(|text| !text.is_empty() && text != "[]");
        if self.channel != Channel::Email
            && let Some(name) = OF_EMAILS.iter().find(|name| is_given(name))
        {
            return Err(invalid(*name, "is for an email alone"));
        }
        match (is_given(&"content"), self.members.named("template_id").is_some_and(|id| *id != Value::Null)) {
            (false, false) => Err(invalid("content", "is required unless template_id is given")),
            (true, true) => Err(invalid("content", EITHER)),
            _ if self.members.named_text("subject").is_some_and(|subject| subject.contains(char::is_control)) => {
                Err(invalid("subject", "must be one line"))
            }
            _ => Ok(self),
        }
    }

    /// The draft that the message was written in.
    pub(super) fn draft(&self) -> Option<Uuid> {
        if let Some(Value::Id(draft)) = self.members.named("draft_id") { Some(*draft) } else { None }
    }

    /// The message for the outbox.
    pub(super) fn outgoing(&self, call: &Call, tx: &mut dyn Tx) -> Result<Outgoing> {
        let also = self.also(call, tx)?;
        let Some(composed) = call.prepared::<Result<Composed>>() else {
            // The read before this write has failed: for a reason that lasts, or because the database did not answer.
            Source::read(call, tx, self)?;
            return Err(Error::Unavailable("the message could not be composed in time".into()));
        };
        let Composed { subject, text, html } = composed.clone()?;
        let new = Outgoing::new(self.contact_id, self.account.id, self.channel, text);
        Ok(Outgoing { thread: self.thread, subject, html, also, ..new })
    }

    fn also(&self, call: &Call, tx: &mut dyn Tx) -> Result<Also> {
        let ids: Option<Vec<Uuid>> = self.members.named_json("attachments")?;
        let attachments = attached::find(&call.ctx, tx, "attachments", &ids.unwrap_or_default())?;
        attached::require(call, &attachments)?;
        let list = |name| Ok::<_, Error>(self.members.named_json::<Option<Vec<String>>>(name)?.unwrap_or_default());
        let reply_to = self.members.named_text("reply_to").filter(|address| !address.is_empty()).map(str::to_owned);
        let send_at = if let Some(Value::Int(at)) = self.members.named("send_at") { Some(*at) } else { None };
        Ok(Also { cc: list("cc")?, bcc: list("bcc")?, reply_to, attachments, send_at: send_at_checked(tx, send_at)? })
    }
}

/// A time at which a message can be sent.
pub(super) fn send_at_checked(tx: &mut dyn Tx, at: Option<i64>) -> Result<Option<i64>> {
    let now = tx.now();
    match at {
        Some(at) if at < now - TOLERANCE => Err(invalid("send_at", "is in the past; leave it out to send now")),
        Some(at) if at > now + LATEST => Err(invalid("send_at", "is more than a year ahead")),
        at => Ok(at),
    }
}

/// What a message is composed from.
struct Source {
    subject: Option<String>,
    content: Words,
    is_email: bool,
    signature: Option<String>,
    is_signed: bool,
}

enum Words {
    Given(String),
    Template { record: MessageTemplate, names: Map<String, Json> },
}

impl Source {
    fn read(call: &Call, tx: &mut dyn Tx, asked: &Asked) -> Result<Source> {
        let content = match asked.members.named("template_id") {
            Some(Value::Id(id)) => {
                let template = message_template::named(call, tx, *id)?;
                let contact = find::<Contact>(&call.ctx, tx, asked.contact_id)?;
                let members = member::list(&call.ctx, tx)?;
                let names = template_values::of(&call.ctx, tx, &contact, Sender::Account(&asked.account), &members)?;
                Words::Template { record: template.record, names }
            }
            _ => Words::Given(asked.members.named_text("content").unwrap_or_default().to_owned()),
        };
        let subject = asked.members.named_text("subject").filter(|subject| !subject.is_empty()).map(str::to_owned);
        let is_signed = asked.members.named("signature") != Some(&Value::Bool(false));
        let signature = asked.account.record.signature.clone();
        Ok(Source { subject, content, is_email: asked.channel == Channel::Email, signature, is_signed })
    }

    fn composed(self) -> Result<Composed> {
        // An account without a signature has an empty one, which needs no fallback.
        let signature = Signature::of(self.signature.as_deref().filter(|_| self.is_email).unwrap_or_default());
        let (subject, content, has_signature) = match self.content {
            Words::Given(content) => (self.subject, content, false),
            Words::Template { record, names } => {
                let filling = Filling::of(&names).signed(Some(&signature));
                let is_html = self.is_email && untrusted_html::is_html(&record.content);
                let fill = |member: &str, text: &str, html: bool| {
                    let filled = filling.fill(text, html);
                    filled.map_err(|fault| invalid("template_id", format!("{member}: {}", fault.reason)))
                };
                let content = fill("content", &record.content, is_html)?;
                let subject = match (self.subject, record.subject.filter(|_| self.is_email)) {
                    (None, Some(subject)) => {
                        let subject = fill("subject", &subject, false)?;
                        Some(subject.split_whitespace().collect::<Vec<_>>().join(" "))
                    }
                    (subject, _) => subject,
                };
                (subject, content, template::names(&record.content, template::SIGNATURE))
            }
        };
        let signature = Some(signature).filter(|one| self.is_signed && !has_signature && !one.text.is_empty());
        if content.trim().is_empty() {
            return Err(invalid("template_id", "content: is empty when it is filled in"));
        }
        if content.chars().count() > 2 * LONGEST {
            return Err(invalid("content", format!("must be at most {LONGEST} characters")));
        }
        if !untrusted_html::is_html(&content) {
            let text = signature.map_or_else(|| content.clone(), |signature| signature.below_text(&content));
            return Ok(Composed { subject, text, html: None });
        }
        if !self.is_email {
            return Err(invalid("content", "must be plain text; HTML is for an email alone"));
        }
        let html = signature.map_or_else(|| content.clone(), |signature| signature.below_html(&content));
        Ok(Composed { subject, text: markup::mail_text(&html), html: Some(Markup::of(html)) })
    }
}
