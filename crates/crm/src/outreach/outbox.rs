//! The outbox: messages to deliver, each delivered at most once. `queued → sending → sent | failed | unknown`, and
//! `sent → filing` for a mail whose copy is to be put into the Sent folder. `delivery.rs` delivers them. The row is deleted
//! when the outcome is known.

mod filing;
mod queue;
mod row;
mod status;
mod thread;

pub use filing::{Filed, LONGEST_FILING_WAIT, SentCopy, claim_filing, copies, is_filing_due, record_filed};
pub use queue::{Sought, clock, due, expired, hold_damaged, left_behind, postpone_damaged, sought};
pub use thread::recipient;

pub(in crate::outreach) use filing::drop_copies;
pub(in crate::outreach) use row::{SEND, SENDING, Send, UNKNOWN, delete_rows};
pub(in crate::outreach) use status::{file_or_delete, mark_failed, mark_sent, mark_unknown, requeue};

use crate::outreach::account::{Channel, ConnectedAccount};
use crate::outreach::attached::{self, AttachedFile, Attachment};
use crate::outreach::conversation::{self, Conversation, Moved};
use crate::outreach::markup;
use crate::outreach::message::{AuthorKind, Direction, Message, MessageKind, MessageStatus};
use crate::outreach::suppression::Checked;
use crate::records::contact::{self, Contact};
use resource::{Batch, Changes, Ctx, Error, Saved, find, invalid};
use row::QUEUED;
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::{Tx, Uuid, Value};

/// A step of an enrollment: the key of a row in `step_runs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    pub enrollment_id: Uuid,
    pub step_id: Uuid,
}

/// A message to put into the outbox.
#[derive(Clone, Debug)]
pub struct Outgoing {
    pub contact_id: Uuid,
    pub account_id: Uuid,
    pub channel: Channel,
    pub kind: MessageKind,
    pub thread: Thread,
    pub subject: Option<String>,
    pub text: String,
    pub html: Option<Markup>,
    pub also: Also,
    /// The link for the headers List-Unsubscribe and List-Unsubscribe-Post of an email.
    pub unsubscribe: Option<String>,
    /// Not before this millisecond.
    pub due_at: i64,
    pub run: Option<Run>,
    /// The variant of the step that the text is from.
    pub variant_id: Option<Uuid>,
}

/// What a mail can have besides its recipient and its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Also {
    pub cc: Vec<String>,
    pub bcc: Vec<String>,
    pub reply_to: Option<String>,
    pub attachments: Vec<AttachedFile>,
    /// In milliseconds. The time is shown with the message; `due_at` is when it is sent.
    pub send_at: Option<i64>,
}

/// The HTML of a message. It is sanitised before the transaction, since that can take long.
#[derive(Clone, Debug, PartialEq)]
pub struct Markup {
    /// As it is sent.
    pub sent: String,
    /// Sanitised, for display.
    pub shown: String,
}

impl Markup {
    pub fn of(html: String) -> Markup {
        Markup { shown: markup::safe(&html), sent: html }
    }
}

impl Outgoing {
    /// A plain-text message that is due now, starts a thread and belongs to no enrollment.
    pub fn new(contact_id: Uuid, account_id: Uuid, channel: Channel, text: String) -> Outgoing {
        Outgoing {
            contact_id,
            account_id,
            channel,
            kind: MessageKind::Message,
            thread: Thread::New,
            subject: None,
            text,
            html: None,
            also: Also::default(),
            unsubscribe: None,
            due_at: 0,
            run: None,
            variant_id: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Thread {
    /// An email starts a thread; network and chat have one conversation per contact and account.
    New,
    /// An answer in this conversation.
    In(Uuid),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Queued {
    pub message_id: Uuid,
    pub conversation_id: Uuid,
}

/// The content of a message as it was when the message was put into the outbox.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Content {
    pub subject: Option<String>,
    pub text: String,
    pub html: Option<String>,
    pub unsubscribe: Option<String>,
    /// Message-IDs of the thread; the last one is answered.
    pub references: Vec<String>,
    /// The name of the recipient.
    #[serde(default)]
    pub to_name: Option<String>,
    #[serde(default)]
    pub cc: Vec<String>,
    #[serde(default)]
    pub bcc: Vec<String>,
    #[serde(default)]
    pub reply_to: Option<String>,
    #[serde(default)]
    pub attachments: Vec<AttachedFile>,
}

impl Content {
    /// The further recipients, with the member that names them.
    pub(in crate::outreach) fn others(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let (cc, bcc) =
            (self.cc.iter().map(|address| ("cc", address)), self.bcc.iter().map(|address| ("bcc", address)));
        cc.chain(bcc)
    }
}

/// A message that is in flight: a node delivers it, once.
#[derive(Clone, Debug)]
pub struct Handover {
    pub workspace: Uuid,
    pub message_id: Uuid,
    pub conversation_id: Uuid,
    pub contact_id: Uuid,
    pub account_id: Uuid,
    pub kind: MessageKind,
    /// The address, number or profile.
    pub recipient: String,
    /// The Message-ID, or the id by which a provider recognises a repeated delivery.
    pub reference: String,
    pub content: Content,
    pub attempts: i64,
    pub run: Option<Run>,
}

/// Checks a message, stores it with its Message-ID, and puts it into the outbox.
pub fn put(ctx: &Ctx, tx: &mut dyn Tx, outgoing: &Outgoing) -> Result<Queued, Error> {
    let account = find::<ConnectedAccount>(ctx, tx, outgoing.account_id)?;
    let contact = find::<Contact>(ctx, tx, outgoing.contact_id)?;
    let copies = outgoing.also.cc.iter().chain(&outgoing.also.bcc).cloned();
    let checked = Checked::read(ctx, tx, copies)?;
    put_to(ctx, tx, outgoing, &account, &contact, &checked)
}

/// Like `put`, for a caller that has read the account and the contact, and which recipients are suppressed.
pub fn put_to(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    outgoing: &Outgoing,
    account: &Saved<ConnectedAccount>,
    contact: &Saved<Contact>,
    checked: &Checked,
) -> Result<Queued, Error> {
    check(outgoing, &account.record, &contact.record)?;
    let (conversation, answered) = match outgoing.thread {
        Thread::In(id) => (Some(find::<Conversation>(ctx, tx, id)?), thread::last_address(ctx, tx, id)?),
        Thread::New => (None, None),
    };
    let recipient = thread::recipient(&contact.record, outgoing.channel, answered.as_deref())?;
    if outgoing.channel == Channel::Email
        && let Some(why) = checked.against(ctx, tx, &recipient)?
    {
        return Err(invalid("contact_id", why));
    }
    let also = &outgoing.also;
    check_others(ctx, tx, also, checked)?;
    let re = match &conversation {
        Some(saved) if thread::has_begun(ctx, tx, saved.id)? => saved.record.subject.as_deref().map(thread::in_answer),
        Some(saved) => saved.record.subject.clone(),
        None => None,
    };
    let subject = outgoing.subject.clone().or(re);
    let new = conversation::New {
        channel: outgoing.channel,
        account_id: account.id,
        contact_id: contact.id,
        subject: subject.as_deref(),
    };
    let conversation = match conversation {
        Some(saved) => Some(saved),
        None => conversation::between(ctx, tx, &new)?.map(|id| find::<Conversation>(ctx, tx, id)).transpose()?,
    };
    let (conversation_id, references) = match &conversation {
        Some(saved) if outgoing.channel == Channel::Email => (saved.id, thread::references(ctx, tx, saved.id)?),
        Some(saved) => (saved.id, Vec::new()),
        None => (conversation::make(ctx, tx, &new)?, Vec::new()),
    };
    let reference = thread::reference(&account.record, Uuid::new_v4());
    let mut changes = Changes::default();
    changes.set(Message::CONVERSATION_ID, conversation_id);
    changes.set(Message::CONTENT, outgoing.text.as_str());
    changes.set(Message::HTML, outgoing.html.as_ref().map(|html| html.shown.as_str()));
    changes.set(Message::SUBJECT, subject.clone());
    changes.set(Message::DIRECTION, Direction::Outbound);
    changes.set(Message::CHANNEL, outgoing.channel);
    changes.set(Message::ADDRESS, recipient.as_str());
    changes.set(Message::CC, json!(also.cc));
    changes.set(Message::BCC, json!(also.bcc));
    changes.set(Message::REPLY_TO, also.reply_to.clone());
    changes.set(Message::SEND_AT, also.send_at);
    changes.set(Message::KIND, outgoing.kind);
    changes.set(Message::STATUS, MessageStatus::Queued);
    changes.set(Message::ENROLLMENT_ID, outgoing.run.map(|run| run.enrollment_id));
    changes.set(Message::STEP_ID, outgoing.run.map(|run| run.step_id));
    changes.set(Message::VARIANT_ID, outgoing.variant_id);
    let author = AuthorKind::from_word(ctx.actor.kind).filter(|_| outgoing.run.is_none());
    changes.set(Message::AUTHOR_KIND, author);
    changes.set(Message::AUTHOR_ID, author.and(ctx.actor.id));
    changes.set(Message::AUTHOR_NAME, author.map(|_| &*ctx.actor.name));
    changes.set(Message::CONTACT_ID, contact.id);
    changes.set(Message::ACCOUNT_ID, account.id);
    changes.set(Message::REFERENCE, reference.as_str());
    let message_id = resource::insert::<Message>(ctx, tx, &changes)?;
    attached::keep(ctx, tx, message_id, also.attachments.iter().map(Attachment::from))?;
    let content = Content {
        subject,
        text: outgoing.text.clone(),
        html: outgoing.html.as_ref().map(|html| html.sent.clone()),
        unsubscribe: outgoing.unsubscribe.clone(),
        references,
        to_name: name_of(&contact.record),
        cc: also.cc.clone(),
        bcc: also.bcc.clone(),
        reply_to: also.reply_to.clone(),
        attachments: also.attachments.clone(),
    };
    let handover = Handover {
        workspace: ctx.workspace,
        message_id,
        conversation_id,
        contact_id: contact.id,
        account_id: account.id,
        kind: outgoing.kind,
        recipient,
        reference,
        content,
        attempts: 0,
        run: outgoing.run,
    };
    enqueue(tx, handover, also.send_at.unwrap_or(outgoing.due_at))?;
    if let Some(conversation) = &conversation {
        conversation::moved(ctx, tx, conversation, &Moved::Sent)?;
    }
    Ok(Queued { message_id, conversation_id })
}

/// The name of a contact for a header: one line.
fn name_of(contact: &Contact) -> Option<String> {
    let name = [Some(contact.first_name.as_str()), contact.last_name.as_deref()];
    let words = name
        .into_iter()
        .flatten()
        .flat_map(|name| name.split(|letter: char| letter.is_whitespace() || letter.is_control()));
    let name = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    Some(name).filter(|name| !name.is_empty())
}

/// Refuses further recipients who are suppressed.
fn check_others(ctx: &Ctx, tx: &mut dyn Tx, also: &Also, checked: &Checked) -> Result<(), Error> {
    let mut problems = Vec::new();
    for (member, addresses) in [("cc", &also.cc), ("bcc", &also.bcc)] {
        problems.extend(checked.problems(ctx, tx, member, addresses)?);
    }
    if problems.is_empty() { Ok(()) } else { Err(Error::Invalid(problems)) }
}

/// Refuses a message that the account can't send, or that the contact must not get.
fn check(outgoing: &Outgoing, account: &ConnectedAccount, contact: &Contact) -> Result<(), Error> {
    if account.removed_at.is_some() {
        return Err(invalid("account_id", "the account was removed; name another"));
    }
    if account.provider != outgoing.channel {
        let reason = format!("is an account for {}, not for {}", account.provider.word(), outgoing.channel.word());
        return Err(invalid("account_id", reason));
    }
    match contact::forbids(contact.archived_at.is_some(), contact.do_not_contact) {
        Some(why) => Err(invalid("contact_id", why)),
        None => Ok(()),
    }
}

/// Writes the row of the outbox.
fn enqueue(tx: &mut dyn Tx, handover: Handover, due_at: i64) -> Result<(), Error> {
    const PUT: &str = "INSERT INTO sends (workspace_id, message_id, account_id, contact_id, conversation_id, kind, state, due_at, \
         lease_until, attempts, recipient, reference, letter, enrollment_id, step_id, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, 'queued', $7, 0, 0, $8, $9, $10, $11, $12, $13)";
    let now = tx.stamp();
    let params: [Value; 13] = [
        handover.workspace.into(),
        handover.message_id.into(),
        handover.account_id.into(),
        handover.contact_id.into(),
        handover.conversation_id.into(),
        handover.kind.word().into(),
        due_at.max(now).into(),
        handover.recipient.into(),
        handover.reference.into(),
        json!(handover.content).to_string().into(),
        handover.run.map(|run| run.enrollment_id).into(),
        handover.run.map(|run| run.step_id).into(),
        now.into(),
    ];
    Ok(tx.execute(PUT, &params)?)
}

/// Cancels a message that is not in flight yet; false if it is too late.
pub fn cancel(ctx: &Ctx, tx: &mut dyn Tx, message_id: Uuid, why: &str) -> Result<bool, Error> {
    let Some(send) = Send::of(ctx, tx, message_id)?.filter(|send| send.state == QUEUED) else { return Ok(false) };
    mark_failed(ctx, tx, &send.handover, why, "cancelled")?;
    Ok(true)
}

/// Sends a message at another time, if it is not in flight yet; false if it is too late.
pub fn move_to(ctx: &Ctx, tx: &mut dyn Tx, message_id: Uuid, send_at: Option<i64>) -> Result<bool, Error> {
    const MOVE: &str = "UPDATE sends SET due_at = $1 WHERE workspace_id = $2 AND message_id = $3 AND state = 'queued'";
    if Send::of(ctx, tx, message_id)?.is_none_or(|send| send.state != QUEUED) {
        return Ok(false);
    }
    let due_at = send_at.unwrap_or(0).max(tx.stamp());
    tx.execute(MOVE, &[due_at.into(), ctx.workspace.into(), message_id.into()])?;
    Ok(true)
}

/// Records whether a message with an unknown outcome was sent, as a user says; false if its outcome is known. The caller changes
/// the enrollment.
pub fn resolve(ctx: &Ctx, tx: &mut dyn Tx, message_id: Uuid, was_sent: bool) -> Result<bool, Error> {
    let Some(send) = Send::of(ctx, tx, message_id)?.filter(|send| send.state == UNKNOWN) else { return Ok(false) };
    let handover = &send.handover;
    if was_sent {
        let mut contacts = Batch::read(ctx, tx, std::iter::once(handover.contact_id))?;
        mark_sent(ctx, tx, &[handover], &mut contacts)?;
        file_or_delete(ctx, tx, &[handover])?;
    } else {
        mark_failed(ctx, tx, handover, "it was not sent", "failed")?;
    }
    Ok(true)
}

/// The step of a message with an unknown outcome, if a sequence sent it; `None` if there is no such message.
pub fn unknown_run(ctx: &Ctx, tx: &mut dyn Tx, message_id: Uuid) -> Result<Option<Option<Run>>, Error> {
    let send = Send::of(ctx, tx, message_id)?.filter(|send| send.state == UNKNOWN);
    Ok(send.map(|send| send.handover.run))
}

/// How many messages of an account have an unknown outcome.
pub fn unknown_outcomes(ctx: &Ctx, tx: &mut dyn Tx, account_id: Uuid) -> Result<i64, Error> {
    const COUNT: &str = "SELECT count(*) FROM sends WHERE workspace_id = $1 AND account_id = $2 AND state = 'unknown'";
    Ok(tx.one(COUNT, &[ctx.workspace.into(), account_id.into()], |row| row.int(0))?.unwrap_or(0))
}

/// The message of an enrollment that is in flight.
pub fn in_flight(ctx: &Ctx, tx: &mut dyn Tx, enrollment: Uuid) -> Result<Option<Uuid>, Error> {
    const IN_FLIGHT: &str =
        "SELECT message_id FROM sends WHERE workspace_id = $1 AND enrollment_id = $2 AND state = 'sending' LIMIT 1";
    Ok(tx.one(IN_FLIGHT, &[ctx.workspace.into(), enrollment.into()], |row| row.id(0))?)
}
