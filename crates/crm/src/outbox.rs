//! The outbox: messages on their way out, each handed over at most once. `queued → sending → sent | failed | unknown`.
//!
//! Two transactions stand around the handing over: `take` looks at everything again and writes `sending` with a lease;
//! `settle` records what came of it. What is found `sending` after its lease is `unknown` and not handed over again.
//! A row stands here only as long as it is not known what became of the message.

mod queue;
mod thread;

pub use queue::{ABANDON, Sought, abandon, abandon_some, due, expire, expired, left_behind, sought};
pub use thread::recipient;

use queue::{QUEUED, SEND, SENDING, Send, UNKNOWN};

use crate::account::{self, AccountStatus, Channel, ConnectedAccount, Trouble};
use crate::contact::{self, Contact};
use crate::conversation::{self, Conversation};
use crate::enrollment::{self, Desk, Happening, May, Run, Settled, What};
use crate::message::{Direction, Message, MessageKind, MessageStatus};
use crate::suppression::{self, Checked, SuppressionReason};
use resource::{Changes, Ctx, Error, Kept, Resource, Saved, among, by_keys, find, invalid, update_as};
use serde::{Deserialize, Serialize};
use serde_json::Map;
use std::collections::HashMap;
use store::{Tx, Uuid, Value};

/// A message that is to be handed over.
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
    /// Where one click ends it, for the headers List-Unsubscribe and List-Unsubscribe-Post of an email.
    pub unsubscribe: Option<String>,
    /// Not before this millisecond.
    pub due_at: i64,
    pub run: Option<Run>,
}

/// The HTML of a message. Sanitising takes long for some inputs, so it is made before the transaction.
#[derive(Clone, Debug, PartialEq)]
pub struct Markup {
    /// As it leaves.
    pub sent: String,
    /// Sanitised, for display.
    pub shown: String,
}

impl Markup {
    pub fn of(html: String) -> Markup {
        Markup { shown: untrusted_html::safe(&html), sent: html }
    }
}

impl Outgoing {
    /// Plain text, at once, that begins a thread and belongs to no enrollment.
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
            unsubscribe: None,
            due_at: 0,
            run: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Thread {
    /// An email begins a thread; network and chat have one with each contact and account.
    New,
    /// An answer in this conversation.
    In(Uuid),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Queued {
    pub message_id: Uuid,
    pub conversation_id: Uuid,
}

/// What is handed over, as it was when the message was put.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Letter {
    pub subject: Option<String>,
    pub text: String,
    pub html: Option<String>,
    pub unsubscribe: Option<String>,
    /// Message-IDs of the thread, the one that is answered last.
    pub references: Vec<String>,
}

/// Who hands over, and until when they may.
#[derive(Clone, Debug)]
pub struct Lease {
    pub node: String,
    /// How long, in milliseconds.
    pub time: i64,
}

/// A message that may be handed over now, once.
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
    /// The Message-ID, or what a provider knows it by if it is handed over again.
    pub reference: String,
    pub letter: Letter,
    pub attempts: i64,
    pub run: Option<Run>,
}

/// What came of handing over.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Sent,
    /// Sent, and the invitation is accepted already.
    Accepted,
    /// Not sent, and the lease left no time to try.
    NotBegun,
    /// Not sent: the server can't be reached.
    Unreached(Trouble),
    /// Not sent: the server says to try later.
    Temporary(String),
    /// Not sent: there is no such recipient.
    Recipient(String),
    /// Not sent: the fault is the account's.
    Sender(Trouble),
    /// Not sent, and never will be: the message itself is refused.
    Message(String),
    /// Nobody knows.
    Unknown(String),
}

/// Puts a message into the outbox: checked, stored with its Message-ID, and due.
pub fn put(ctx: &Ctx, tx: &mut dyn Tx, outgoing: &Outgoing) -> Result<Queued, Error> {
    let account = find::<ConnectedAccount>(ctx, tx, outgoing.account_id)?;
    let contact = find::<Contact>(ctx, tx, outgoing.contact_id)?;
    put_to(ctx, tx, outgoing, &account, &contact, None)
}

/// The same, for whoever knows them both, and of an address that it is not suppressed.
pub fn put_to(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    outgoing: &Outgoing,
    account: &Saved<ConnectedAccount>,
    contact: &Saved<Contact>,
    free: Option<&str>,
) -> Result<Queued, Error> {
    if account.record.removed_at.is_some() {
        return Err(invalid("account_id", "the account was removed; name another"));
    }
    if account.record.provider != outgoing.channel {
        let reason =
            format!("is an account for {}, not for {}", account.record.provider.word(), outgoing.channel.word());
        return Err(invalid("account_id", reason));
    }
    if let Some(why) = contact::forbids(contact.record.archived_at.is_some(), contact.record.do_not_contact) {
        return Err(invalid("contact_id", why));
    }
    let (conversation, answered) = match outgoing.thread {
        Thread::In(id) => (Some(find::<Conversation>(ctx, tx, id)?), thread::last_address(ctx, tx, id)?),
        Thread::New => (None, None),
    };
    let recipient = thread::recipient(&contact.record, outgoing.channel, answered.as_deref())?;
    if outgoing.channel == Channel::Email
        && free != Some(recipient.as_str())
        && let Some(why) = suppression::against(ctx, tx, &recipient)?
    {
        return Err(invalid("contact_id", why));
    }
    let re = conversation.as_ref().and_then(|saved| saved.record.subject.as_deref()).map(thread::in_answer);
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
    let (mut changes, fields) = (Changes::default(), Message::FIELDS);
    changes.set(fields, "conversation_id", conversation_id);
    changes.set(fields, "content", outgoing.text.as_str());
    changes.set(fields, "html", outgoing.html.as_ref().map(|html| html.shown.as_str()));
    changes.set(fields, "subject", subject.clone());
    changes.set(fields, "direction", Direction::Outbound.word());
    changes.set(fields, "channel", outgoing.channel.word());
    changes.set(fields, "address", recipient.as_str());
    changes.set(fields, "kind", outgoing.kind.word());
    changes.set(fields, "status", MessageStatus::Queued.word());
    changes.set(fields, "enrollment_id", outgoing.run.map(|run| run.enrollment_id));
    changes.set(fields, "step_id", outgoing.run.map(|run| run.step_id));
    changes.set(fields, "contact_id", contact.id);
    changes.set(fields, "account_id", account.id);
    changes.set(fields, "reference", reference.as_str());
    let message_id = resource::insert::<Message>(ctx, tx, &changes)?;
    let letter = Letter {
        subject,
        text: outgoing.text.clone(),
        html: outgoing.html.as_ref().map(|html| html.sent.clone()),
        unsubscribe: outgoing.unsubscribe.clone(),
        references,
    };
    const PUT: &str = "INSERT INTO sends (workspace_id, message_id, account_id, contact_id, conversation_id, kind, state, due_at, \
         lease_until, attempts, recipient, reference, letter, enrollment_id, step_id, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, 'queued', $7, 0, 0, $8, $9, $10, $11, $12, $13)";
    let now = tx.stamp();
    let params: [Value; 13] = [
        ctx.workspace.into(),
        message_id.into(),
        account.id.into(),
        contact.id.into(),
        conversation_id.into(),
        outgoing.kind.word().into(),
        outgoing.due_at.max(now).into(),
        recipient.into(),
        reference.into(),
        serde_json::to_string(&letter).unwrap_or_default().into(),
        outgoing.run.map(|run| run.enrollment_id).into(),
        outgoing.run.map(|run| run.step_id).into(),
        now.into(),
    ];
    tx.execute(PUT, &params)?;
    if let Some(conversation) = &conversation {
        conversation::moved(ctx, tx, conversation, 0)?;
    }
    Ok(Queued { message_id, conversation_id })
}

/// Takes the messages of one account that are due, at most so many: the first of the two transactions around handing
/// them over. Stops where the account has no more room.
pub fn take_due(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account_id: Uuid,
    most: usize,
    lease: &Lease,
) -> Result<Vec<Handover>, Error> {
    let due =
        format!("{SEND} AND s.account_id = $2 AND s.state = 'queued' AND s.due_at <= $3 ORDER BY s.due_at LIMIT $4");
    let now = tx.stamp();
    let params = [ctx.workspace.into(), account_id.into(), now.into(), Value::from(most as i64)];
    let due = tx.rows(&due, &params, |row| Send::decode(ctx, row))?;
    let mut taken = Vec::with_capacity(due.len());
    if due.is_empty() {
        return Ok(taken);
    }
    let account = find::<ConnectedAccount>(ctx, tx, account_id)?;
    let contacts = due.iter().map(|send| send.handover.contact_id);
    let mut desk = Desk::read(ctx, tx, due.iter().filter_map(|send| send.handover.run), contacts)?;
    let mail = account.record.provider == Channel::Email;
    let recipients = due.iter().filter(|_| mail).map(|send| send.handover.recipient.clone());
    let checked = Checked::read(ctx, tx, recipients)?;
    let mut unwritten = Vec::new();
    for send in due {
        let Some(handover) = take(ctx, tx, &account, send, &mut desk, &checked)? else { continue };
        unwritten.push(handover.message_id);
        // Whether there is room for the next depends on it.
        if account.record.is_paced() {
            write_taken(ctx, tx, unwritten.drain(..), lease)?;
        }
        taken.push(handover);
    }
    write_taken(ctx, tx, unwritten.into_iter(), lease)?;
    Ok(taken)
}

/// Writes `sending` with the lease.
fn write_taken(ctx: &Ctx, tx: &mut dyn Tx, ids: impl Iterator<Item = Uuid>, lease: &Lease) -> Result<(), Error> {
    let take = format!(
        "UPDATE sends SET state = 'sending', lease_until = $1, node = $2, attempts = attempts + 1 \
         WHERE workspace_id = $3 AND message_id IN {}",
        among(4)
    );
    let handed = format!("UPDATE messages SET handed_at = $1 WHERE workspace_id = $2 AND id IN {}", among(3));
    let now = tx.stamp();
    for params in by_keys(ctx, ids) {
        let with = |first: Vec<Value>| first.into_iter().chain(params.iter().cloned()).collect::<Vec<_>>();
        tx.execute(&take, &with(vec![(now + lease.time).into(), lease.node.as_str().into()]))?;
        tx.execute(&handed, &with(vec![now.into()]))?;
    }
    Ok(())
}

/// One of them, unless something forbids it, or holds it up.
fn take(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account: &Saved<ConnectedAccount>,
    send: Send,
    desk: &mut Desk,
    checked: &Checked,
) -> Result<Option<Handover>, Error> {
    let why = forbidden(ctx, tx, account, &send, desk, checked)?;
    let (now, mut handover) = (tx.stamp(), send.handover);
    if let Some(why) = why {
        fail(ctx, tx, &handover, &why, Settled::Failed(why.clone()))?;
        return Ok(None);
    }
    if let Some(not_now) = account::slot(ctx, tx, account, now)? {
        // One that does not work is free again when it was tried.
        if account.record.status != AccountStatus::Connected {
            return Ok(None);
        }
        const BUSY: &str = "UPDATE account_states SET free_at = $1 WHERE workspace_id = $2 AND account_id = $3";
        tx.execute(BUSY, &[not_now.until.into(), ctx.workspace.into(), account.id.into()])?;
        return Ok(None);
    }
    match handover.run.map_or(Ok(May::Send), |run| enrollment::may_send(ctx, tx, desk, &run))? {
        May::Send => {}
        May::Later { until, .. } => {
            put_off(ctx, tx, &handover, until, handover.attempts)?;
            return Ok(None);
        }
        May::Never(why) => {
            fail(ctx, tx, &handover, &why, Settled::Failed(why.clone()))?;
            return Ok(None);
        }
    }
    handover.attempts += 1;
    Ok(Some(handover))
}

/// What forbids a message for good, as things are now.
fn forbidden(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account: &Saved<ConnectedAccount>,
    send: &Send,
    desk: &mut Desk,
    checked: &Checked,
) -> Result<Option<String>, Error> {
    if account.record.status == AccountStatus::Disconnected {
        return Ok(Some("the account was removed".into()));
    }
    let contact = desk.contacts.take(ctx, tx, send.handover.contact_id)?;
    let why = contact::forbids(contact.record.archived_at.is_some(), contact.record.do_not_contact);
    desk.contacts.put(contact);
    match why {
        Some(why) => Ok(Some(why.to_owned())),
        None if account.record.provider == Channel::Email => checked.against(ctx, tx, &send.handover.recipient),
        None => Ok(None),
    }
}

/// Records what came of handing over: the second of the two transactions.
pub fn settle_all(ctx: &Ctx, tx: &mut dyn Tx, outcomes: &[(Handover, Outcome)]) -> Result<(), Error> {
    let select = format!("SELECT message_id, state FROM sends WHERE workspace_id = $1 AND message_id IN {}", among(2));
    let mut states: HashMap<Uuid, String> = HashMap::new();
    for params in by_keys(ctx, outcomes.iter().map(|(handover, _)| handover.message_id)) {
        states.extend(tx.rows(&select, &params, |row| Ok((row.id(0)?, row.text(1)?)))?);
    }
    let open = outcomes.iter().filter(|(handover, outcome)| {
        let known = matches!(outcome, Outcome::Sent | Outcome::Accepted | Outcome::Recipient(_) | Outcome::Message(_));
        // One that took too long may have been found and called unknown; only what is certain changes that.
        let state = states.get(&handover.message_id).map(String::as_str);
        state == Some(SENDING) || state == Some(UNKNOWN) && known
    });
    // What was sent touches nobody else, so that it is read at once.
    let (good, other): (Vec<_>, Vec<_>) = open.partition(|(_, outcome)| *outcome == Outcome::Sent);
    let good: Vec<&Handover> = good.into_iter().map(|(handover, _)| handover).collect();
    sent(ctx, tx, &good)?;
    other.into_iter().try_for_each(|(handover, outcome)| settle(ctx, tx, handover, outcome))
}

fn settle(ctx: &Ctx, tx: &mut dyn Tx, handover: &Handover, outcome: &Outcome) -> Result<(), Error> {
    let now = tx.stamp();
    match outcome {
        Outcome::Sent => sent(ctx, tx, &[handover]),
        Outcome::Accepted => {
            sent(ctx, tx, &[handover])?;
            let (contact_id, message_id, run) = (handover.contact_id, Some(handover.message_id), handover.run);
            enrollment::happened(ctx, tx, &Happening { contact_id, message_id, run, what: What::InviteAccepted })
        }
        Outcome::NotBegun => put_off(ctx, tx, handover, now, handover.attempts - 1),
        Outcome::Temporary(why) => match BACK_OFF.get(handover.attempts.max(1) as usize - 1) {
            Some(wait) => {
                let until = now + wait * 1000;
                put_off(ctx, tx, handover, until, handover.attempts)?;
                tell(ctx, tx, handover, &Settled::Later { until, why: why.clone() })
            }
            None => fail(ctx, tx, handover, why, Settled::Failed(why.clone())),
        },
        Outcome::Recipient(why) => {
            fail(ctx, tx, handover, why, Settled::Bounced(why.clone()))?;
            block(ctx, tx, &handover.recipient)
        }
        Outcome::Message(why) => fail(ctx, tx, handover, why, Settled::Failed(why.clone())),
        // The account's faults do not burn the contact; but what is refused again and again is refused itself.
        Outcome::Sender(trouble) if handover.attempts < SENDER_TRIES => {
            account::note_health(ctx, tx, handover.account_id, Some(trouble))?;
            put_off(ctx, tx, handover, now, handover.attempts)?;
            tell(ctx, tx, handover, &Settled::Later { until: now, why: trouble.reason.clone() })
        }
        Outcome::Sender(Trouble { reason, .. }) => fail(ctx, tx, handover, reason, Settled::Failed(reason.clone())),
        Outcome::Unreached(trouble) => {
            account::note_health(ctx, tx, handover.account_id, Some(trouble))?;
            put_off(ctx, tx, handover, now, handover.attempts - 1)?;
            tell(ctx, tx, handover, &Settled::Later { until: now, why: trouble.reason.clone() })
        }
        Outcome::Unknown(why) => unknown(ctx, tx, handover, why),
    }
}

/// After so many seconds is a message tried again that was put off; then it fails.
const BACK_OFF: &[i64] = &[5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400];

/// As often is a message tried that the server refuses for the account's sake.
const SENDER_TRIES: i64 = 10;

/// An address to which mail can't be delivered gets no more.
pub fn block(ctx: &Ctx, tx: &mut dyn Tx, address: &str) -> Result<(), Error> {
    match suppression::suppress(ctx, tx, address, SuppressionReason::Bounced) {
        // A profile, or an address that a strange server made up.
        Err(Error::Invalid(_)) => Ok(()),
        other => other,
    }
}

fn sent(ctx: &Ctx, tx: &mut dyn Tx, handovers: &[&Handover]) -> Result<(), Error> {
    let (runs, contacts) = (handovers.iter().filter_map(|one| one.run), handovers.iter().map(|one| one.contact_id));
    let mut desk = Desk::read(ctx, tx, runs, contacts)?;
    desk.look(ctx, tx)?;
    let mut messages: Kept<Message> = Kept::read(ctx, tx, handovers.iter().map(|one| one.message_id))?;
    let now = tx.stamp();
    let mut changes = Changes::default();
    changes.set(Message::FIELDS, "status", MessageStatus::Sent.word());
    changes.set(Message::FIELDS, "sent_at", now);
    changes.set(Message::FIELDS, "error", Value::Null);
    for handover in handovers {
        let message = messages.take(ctx, tx, handover.message_id)?;
        update_as(ctx, tx, &message, &changes, "sent", &Map::new())?;
        let contact = desk.contacts.take(ctx, tx, handover.contact_id)?;
        desk.contacts.put(contact::contacted(ctx, tx, contact)?);
        if let Some(run) = &handover.run {
            enrollment::settled(ctx, tx, &mut desk, run, handover.message_id, &Settled::Sent)?;
        }
    }
    desk.write_counts(ctx, tx)?;
    take_out(ctx, tx, handovers.iter().map(|one| one.message_id))
}

/// What became of them is known.
fn take_out(ctx: &Ctx, tx: &mut dyn Tx, ids: impl Iterator<Item = Uuid>) -> Result<(), Error> {
    let out = format!("DELETE FROM sends WHERE workspace_id = $1 AND message_id IN {}", among(2));
    Ok(by_keys(ctx, ids).into_iter().try_for_each(|params| tx.execute(&out, &params))?)
}

pub(super) fn fail(ctx: &Ctx, tx: &mut dyn Tx, handover: &Handover, why: &str, settled: Settled) -> Result<(), Error> {
    let mut changes = Changes::default();
    changes.set(Message::FIELDS, "status", MessageStatus::Failed.word());
    changes.set(Message::FIELDS, "error", why);
    close(ctx, tx, handover, &changes, "failed")?;
    tell(ctx, tx, handover, &settled)
}

/// Writes the message's end, and takes it out of the outbox.
fn close(ctx: &Ctx, tx: &mut dyn Tx, handover: &Handover, changes: &Changes, verb: &str) -> Result<(), Error> {
    let message = find::<Message>(ctx, tx, handover.message_id)?;
    update_as(ctx, tx, &message, changes, verb, &Map::new())?;
    take_out(ctx, tx, std::iter::once(handover.message_id))
}

pub(super) fn unknown(ctx: &Ctx, tx: &mut dyn Tx, handover: &Handover, why: &str) -> Result<(), Error> {
    const UNKNOWN: &str =
        "UPDATE sends SET state = 'unknown', due_at = $1, lease_until = 0 WHERE workspace_id = $2 AND message_id = $3";
    let (now, mut changes) = (tx.stamp(), Changes::default());
    changes.set(Message::FIELDS, "status", MessageStatus::Failed.word());
    changes.set(Message::FIELDS, "error", format!("outcome_unknown: {why}"));
    let message = find::<Message>(ctx, tx, handover.message_id)?;
    update_as(ctx, tx, &message, &changes, "outcome_unknown", &Map::new())?;
    tx.execute(UNKNOWN, &[now.into(), ctx.workspace.into(), handover.message_id.into()])?;
    tell(ctx, tx, handover, &Settled::Unknown(why.to_owned()))
}

/// Back into the queue until then, as if it had not been taken.
fn put_off(ctx: &Ctx, tx: &mut dyn Tx, handover: &Handover, until: i64, attempts: i64) -> Result<(), Error> {
    const BACK: &str = "UPDATE sends SET state = 'queued', due_at = $1, lease_until = 0, attempts = $2 \
         WHERE workspace_id = $3 AND message_id = $4";
    const FREE: &str = "UPDATE messages SET handed_at = NULL WHERE workspace_id = $1 AND id = $2";
    let (workspace, id): (Value, Value) = (ctx.workspace.into(), handover.message_id.into());
    tx.execute(BACK, &[until.into(), attempts.into(), workspace.clone(), id.clone()])?;
    Ok(tx.execute(FREE, &[workspace, id])?)
}

fn tell(ctx: &Ctx, tx: &mut dyn Tx, handover: &Handover, settled: &Settled) -> Result<(), Error> {
    let Some(run) = &handover.run else { return Ok(()) };
    let mut desk = Desk::default();
    enrollment::settled(ctx, tx, &mut desk, run, handover.message_id, settled)?;
    desk.write_counts(ctx, tx)
}

/// Takes a message back that nobody has begun to hand over; false if it is too late.
pub fn cancel(ctx: &Ctx, tx: &mut dyn Tx, message_id: Uuid, why: &str) -> Result<bool, Error> {
    let Some(send) = Send::of(ctx, tx, message_id)?.filter(|send| send.state == QUEUED) else { return Ok(false) };
    let mut changes = Changes::default();
    changes.set(Message::FIELDS, "status", MessageStatus::Failed.word());
    changes.set(Message::FIELDS, "error", why);
    close(ctx, tx, &send.handover, &changes, "cancelled")?;
    Ok(true)
}

/// Somebody knows what became of a message whose outcome was not known; false if nobody asks any more. The enrollment is
/// not told: whoever calls this knows.
pub fn resolve(ctx: &Ctx, tx: &mut dyn Tx, message_id: Uuid, was_sent: bool) -> Result<bool, Error> {
    let Some(send) = Send::of(ctx, tx, message_id)?.filter(|send| send.state == UNKNOWN) else { return Ok(false) };
    let handover = Handover { run: None, ..send.handover };
    match was_sent {
        true => sent(ctx, tx, &[&handover])?,
        false => fail(ctx, tx, &handover, "it was not sent", Settled::Sent)?,
    }
    Ok(true)
}

/// The message was found where sent mail is kept.
pub fn found(ctx: &Ctx, tx: &mut dyn Tx, message_id: Uuid) -> Result<(), Error> {
    match Send::of(ctx, tx, message_id)?.filter(|send| send.state == UNKNOWN) {
        Some(send) => sent(ctx, tx, &[&send.handover]),
        None => Ok(()),
    }
}

/// Whether an enrollment has a message in somebody's hands at this moment.
pub fn in_hand(ctx: &Ctx, tx: &mut dyn Tx, enrollment: Uuid) -> Result<Option<Uuid>, Error> {
    const IN_HAND: &str =
        "SELECT message_id FROM sends WHERE workspace_id = $1 AND enrollment_id = $2 AND state = 'sending' LIMIT 1";
    Ok(tx.one(IN_HAND, &[ctx.workspace.into(), enrollment.into()], |row| row.id(0))?)
}
