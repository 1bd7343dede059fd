//! The outbox: messages on their way out, each handed over at most once. `queued → sending → sent | failed | unknown`.
//!
//! Two transactions stand around the handing over: `take` looks at everything again and writes `sending` with a lease;
//! `settle` records what came of it. What is found `sending` after its lease is `unknown` and not handed over again.
//! A row stands here only as long as it is not known what became of the message.

use crate::account::{self, AccountStatus, Channel, ConnectedAccount, NotNow};
use crate::contact::{self, Contact};
use crate::conversation::{self, Conversation};
use crate::enrollment::{self, Happening, May, Run, Settled, What};
use crate::message::{Direction, Message, MessageKind, MessageStatus};
use crate::suppression::{self, SuppressionReason};
use crate::{html, job};
use resource::{Changes, Ctx, Error, Resource, Saved, find, fold, invalid, survivor, update_as};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use store::{Row, Tx, Uuid, Value};

/// Fails what waits for an account that was removed; the payload is the account's id.
pub const ABANDON: &str = "outbox.abandon";

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
    pub html: Option<String>,
    /// Where one click ends it, for the headers List-Unsubscribe and List-Unsubscribe-Post of an email.
    pub unsubscribe: Option<String>,
    /// Not before this millisecond.
    pub due_at: i64,
    pub run: Option<Run>,
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

#[derive(Clone, Debug)]
pub enum Taken {
    Handover(Box<Handover>),
    /// It stays queued until then.
    Later(NotNow),
    /// It failed, for this reason.
    Refused(String),
    /// Another has it, or it is no longer to be sent.
    Gone,
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
    Unreached(String),
    /// Not sent: the server says to try later.
    Temporary(String),
    /// Not sent: there is no such recipient.
    Recipient(String),
    /// Not sent: the fault is the account's.
    Sender(String),
    /// Not sent, and never will be: the message itself is refused.
    Message(String),
    /// Nobody knows.
    Unknown(String),
}

/// Puts a message into the outbox: checked, stored with its Message-ID, and due.
pub fn put(ctx: &Ctx, tx: &mut dyn Tx, outgoing: &Outgoing) -> Result<Queued, Error> {
    let account = find::<ConnectedAccount>(ctx, tx, outgoing.account_id)?;
    if account.record.removed_at.is_some() {
        return Err(invalid("account_id", "the account was removed; name another"));
    }
    if account.record.provider != outgoing.channel {
        let reason =
            format!("is an account for {}, not for {}", account.record.provider.word(), outgoing.channel.word());
        return Err(invalid("account_id", reason));
    }
    let contact = find::<Contact>(ctx, tx, outgoing.contact_id)?;
    if let Some(why) = contact::forbids(contact.record.archived_at.is_some(), contact.record.do_not_contact) {
        return Err(invalid("contact_id", why));
    }
    let (conversation, answered) = match outgoing.thread {
        Thread::In(id) => (Some(find::<Conversation>(ctx, tx, id)?), last_address(ctx, tx, id)?),
        Thread::New => (None, None),
    };
    let recipient = recipient(&contact.record, outgoing.channel, answered.as_deref())?;
    if outgoing.channel == Channel::Email
        && let Some(why) = suppression::against(ctx, tx, &recipient)?
    {
        return Err(invalid("contact_id", why));
    }
    let re = conversation.as_ref().and_then(|saved| saved.record.subject.as_deref()).map(in_answer);
    let subject = outgoing.subject.clone().or(re);
    let new = conversation::New {
        channel: outgoing.channel,
        account_id: account.id,
        contact_id: contact.id,
        subject: subject.as_deref(),
    };
    let conversation = match conversation {
        Some(saved) => saved,
        None => {
            let id = conversation::begin(ctx, tx, &new)?;
            find::<Conversation>(ctx, tx, id)?
        }
    };
    let references = match outgoing.channel {
        Channel::Email => references(ctx, tx, conversation.id)?,
        _ => Vec::new(),
    };
    let reference = reference(&account.record, Uuid::new_v4());
    let (mut changes, fields) = (Changes::default(), Message::FIELDS);
    changes.set(fields, "conversation_id", conversation.id);
    changes.set(fields, "content", outgoing.text.as_str());
    changes.set(fields, "html", outgoing.html.as_deref().map(html::safe));
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
        html: outgoing.html.clone(),
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
        conversation.id.into(),
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
    conversation::moved(ctx, tx, &conversation, 0)?;
    Ok(Queued { message_id, conversation_id: conversation.id })
}

/// Takes one message: the first of the two transactions around handing it over.
pub fn take(ctx: &Ctx, tx: &mut dyn Tx, message_id: Uuid, lease: &Lease) -> Result<Taken, Error> {
    let Some(send) = Send::of(ctx, tx, message_id)?.filter(|send| send.state == QUEUED) else { return Ok(Taken::Gone) };
    let account = find::<ConnectedAccount>(ctx, tx, send.handover.account_id)?;
    take_by(ctx, tx, &account, send, lease)
}

/// Takes the messages of one account that are due, at most so many; stops where the account has no more room.
pub fn take_due(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account_id: Uuid,
    most: usize,
    lease: &Lease,
) -> Result<Vec<Handover>, Error> {
    let due = format!("{SEND} AND account_id = $2 AND state = 'queued' AND due_at <= $3 ORDER BY due_at LIMIT $4");
    let now = tx.stamp();
    let params = [ctx.workspace.into(), account_id.into(), now.into(), Value::from(most as i64)];
    let due = tx.rows(&due, &params, |row| Send::decode(ctx, row))?;
    let mut taken = Vec::with_capacity(due.len());
    if due.is_empty() {
        return Ok(taken);
    }
    let account = find::<ConnectedAccount>(ctx, tx, account_id)?;
    for send in due {
        if let Taken::Handover(handover) = take_by(ctx, tx, &account, send, lease)? {
            taken.push(*handover);
        }
    }
    Ok(taken)
}

fn take_by(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account: &Saved<ConnectedAccount>,
    send: Send,
    lease: &Lease,
) -> Result<Taken, Error> {
    let (now, mut handover) = (tx.stamp(), send.handover);
    if let Some(why) = forbidden(ctx, tx, account, &handover)? {
        fail(ctx, tx, &handover, &why, Settled::Failed(why.clone()))?;
        return Ok(Taken::Refused(why));
    }
    if let Some(not_now) = account::slot(ctx, tx, account, now)? {
        const BUSY: &str = "UPDATE account_states SET free_at = $1 WHERE workspace_id = $2 AND account_id = $3";
        tx.execute(BUSY, &[not_now.until.into(), ctx.workspace.into(), account.id.into()])?;
        return Ok(Taken::Later(not_now));
    }
    match handover.run.map_or(Ok(May::Send), |run| enrollment::may_send(ctx, tx, &run))? {
        May::Send => {}
        May::Later { until, why } => {
            put_off(ctx, tx, &handover, until, handover.attempts)?;
            return Ok(Taken::Later(NotNow { until, why }));
        }
        May::Never(why) => {
            fail(ctx, tx, &handover, &why, Settled::Failed(why.clone()))?;
            return Ok(Taken::Refused(why));
        }
    }
    const TAKE: &str = "UPDATE sends SET state = 'sending', lease_until = $1, node = $2, attempts = $3 \
         WHERE workspace_id = $4 AND message_id = $5";
    const HANDED: &str = "UPDATE messages SET handed_at = $1 WHERE workspace_id = $2 AND id = $3";
    handover.attempts += 1;
    let (workspace, id): (Value, Value) = (ctx.workspace.into(), handover.message_id.into());
    let until = now + lease.time;
    tx.execute(
        TAKE,
        &[until.into(), lease.node.as_str().into(), handover.attempts.into(), workspace.clone(), id.clone()],
    )?;
    tx.execute(HANDED, &[now.into(), workspace, id])?;
    Ok(Taken::Handover(Box::new(handover)))
}

/// What forbids a message for good, as things are now.
fn forbidden(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account: &Saved<ConnectedAccount>,
    handover: &Handover,
) -> Result<Option<String>, Error> {
    if account.record.status == AccountStatus::Disconnected {
        return Ok(Some("the account was removed".into()));
    }
    const CONTACT: &str = "SELECT archived_at, do_not_contact FROM contacts WHERE workspace_id = $1 AND id = $2";
    let mut id = Some(handover.contact_id);
    let mut why = Some("the contact is gone".to_owned());
    while let Some(contact) = id {
        let found = tx.one(CONTACT, &[ctx.workspace.into(), contact.into()], |row| {
            Ok((row.maybe_int(0)?.is_some(), row.get(1)?.bool()?))
        })?;
        match found {
            Some((archived, do_not_contact)) => {
                why = contact::forbids(archived, do_not_contact).map(str::to_owned);
                id = None;
            }
            None => id = survivor(ctx, tx, contact)?,
        }
    }
    if why.is_none() && account.record.provider == Channel::Email {
        why = suppression::against(ctx, tx, &handover.recipient)?;
    }
    Ok(why)
}

/// Records what came of handing over: the second of the two transactions.
pub fn settle(ctx: &Ctx, tx: &mut dyn Tx, handover: &Handover, outcome: &Outcome) -> Result<(), Error> {
    let Some(send) = Send::of(ctx, tx, handover.message_id)? else { return Ok(()) };
    let known = matches!(outcome, Outcome::Sent | Outcome::Accepted | Outcome::Recipient(_) | Outcome::Message(_));
    // One that took too long may have been found and called unknown; only what is certain changes that.
    if send.state != SENDING && !(send.state == UNKNOWN && known) {
        return Ok(());
    }
    let now = tx.stamp();
    match outcome {
        Outcome::Sent => sent(ctx, tx, handover),
        Outcome::Accepted => {
            sent(ctx, tx, handover)?;
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
        Outcome::Sender(why) if handover.attempts < SENDER_TRIES => {
            account::note_health(ctx, tx, handover.account_id, Some(why))?;
            put_off(ctx, tx, handover, now, handover.attempts)?;
            tell(ctx, tx, handover, &Settled::Later { until: now, why: why.clone() })
        }
        Outcome::Sender(why) => fail(ctx, tx, handover, why, Settled::Failed(why.clone())),
        Outcome::Unreached(why) => {
            account::note_health(ctx, tx, handover.account_id, Some(why))?;
            put_off(ctx, tx, handover, now, handover.attempts - 1)?;
            tell(ctx, tx, handover, &Settled::Later { until: now, why: why.clone() })
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

fn sent(ctx: &Ctx, tx: &mut dyn Tx, handover: &Handover) -> Result<(), Error> {
    let now = tx.stamp();
    let mut changes = Changes::default();
    changes.set(Message::FIELDS, "status", MessageStatus::Sent.word());
    changes.set(Message::FIELDS, "sent_at", now);
    changes.set(Message::FIELDS, "error", Value::Null);
    close(ctx, tx, handover, &changes, "sent")?;
    contact::contacted(ctx, tx, handover.contact_id)?;
    tell(ctx, tx, handover, &Settled::Sent)
}

fn fail(ctx: &Ctx, tx: &mut dyn Tx, handover: &Handover, why: &str, settled: Settled) -> Result<(), Error> {
    let mut changes = Changes::default();
    changes.set(Message::FIELDS, "status", MessageStatus::Failed.word());
    changes.set(Message::FIELDS, "error", why);
    close(ctx, tx, handover, &changes, "failed")?;
    tell(ctx, tx, handover, &settled)
}

/// Writes the message's end, and takes it out of the outbox.
fn close(ctx: &Ctx, tx: &mut dyn Tx, handover: &Handover, changes: &Changes, verb: &str) -> Result<(), Error> {
    const CLOSE: &str = "DELETE FROM sends WHERE workspace_id = $1 AND message_id = $2";
    let message = find::<Message>(ctx, tx, handover.message_id)?;
    update_as(ctx, tx, &message, changes, verb, &Map::new())?;
    Ok(tx.execute(CLOSE, &[ctx.workspace.into(), handover.message_id.into()])?)
}

fn unknown(ctx: &Ctx, tx: &mut dyn Tx, handover: &Handover, why: &str) -> Result<(), Error> {
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
    match &handover.run {
        Some(run) => enrollment::settled(ctx, tx, run, handover.message_id, settled),
        None => Ok(()),
    }
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
        true => sent(ctx, tx, &handover)?,
        false => fail(ctx, tx, &handover, "it was not sent", Settled::Sent)?,
    }
    Ok(true)
}

/// The message was found where sent mail is kept.
pub fn found(ctx: &Ctx, tx: &mut dyn Tx, message_id: Uuid) -> Result<(), Error> {
    match Send::of(ctx, tx, message_id)?.filter(|send| send.state == UNKNOWN) {
        Some(send) => sent(ctx, tx, &send.handover),
        None => Ok(()),
    }
}

/// Whether an enrollment has a message in somebody's hands at this moment.
pub fn in_hand(ctx: &Ctx, tx: &mut dyn Tx, enrollment: Uuid) -> Result<Option<Uuid>, Error> {
    const IN_HAND: &str =
        "SELECT message_id FROM sends WHERE workspace_id = $1 AND enrollment_id = $2 AND state = 'sending' LIMIT 1";
    Ok(tx.one(IN_HAND, &[ctx.workspace.into(), enrollment.into()], |row| row.id(0))?)
}

/// What was in the hands of somebody who is gone: nobody knows what became of it.
pub fn expire(ctx: &Ctx, tx: &mut dyn Tx, message_id: Uuid, node_is_gone: bool) -> Result<(), Error> {
    let Some(send) = Send::of(ctx, tx, message_id)?.filter(|send| send.state == SENDING) else { return Ok(()) };
    if send.lease_until > tx.stamp() && !node_is_gone {
        return Ok(());
    }
    unknown(ctx, tx, &send.handover, "the server stopped while the message was handed over; look whether it arrived")
}

/// Messages that were being handed over when their lease ran out.
pub fn expired(tx: &mut dyn Tx) -> Result<Vec<(Uuid, Uuid)>, Error> {
    let expired = format!(
        "SELECT workspace_id, message_id FROM sends WHERE state = 'sending' AND lease_until <= {} LIMIT 500",
        tx.dialect().clock()
    );
    Ok(tx.rows(&expired, &[], |row| Ok((row.id(0)?, row.id(1)?)))?)
}

/// Messages that nodes other than this one are handing over: where there can be no other, those of an earlier life.
pub fn left_behind(tx: &mut dyn Tx, node: &str) -> Result<Vec<(Uuid, Uuid)>, Error> {
    const LEFT: &str = "SELECT workspace_id, message_id FROM sends WHERE state = 'sending' AND node <> $1 LIMIT 500";
    Ok(tx.rows(LEFT, &[node.into()], |row| Ok((row.id(0)?, row.id(1)?)))?)
}

/// Accounts that have messages due and may send, over all workspaces.
pub fn due(tx: &mut dyn Tx) -> Result<Vec<(Uuid, Uuid)>, Error> {
    let clock = tx.dialect().clock();
    let due = format!(
        "SELECT a.workspace_id, a.account_id FROM account_states a WHERE a.free_at <= {clock} AND EXISTS (SELECT 1 FROM sends s \
         WHERE s.workspace_id = a.workspace_id AND s.account_id = a.account_id AND s.state = 'queued' AND s.due_at <= {clock})"
    );
    Ok(tx.rows(&due, &[], |row| Ok((row.id(0)?, row.id(1)?)))?)
}

/// A message of unknown outcome that may be looked for where sent mail is kept: its account, and its Message-ID.
pub struct Sought {
    pub workspace: Uuid,
    pub message_id: Uuid,
    pub account_id: Uuid,
    pub reference: String,
}

/// Those that nobody has looked for yet, each once; they are looked for again after an hour.
pub fn sought(tx: &mut dyn Tx) -> Result<Vec<Sought>, Error> {
    let clock = tx.dialect().clock();
    let sought = format!(
        "SELECT workspace_id, message_id, account_id, reference FROM sends WHERE state = 'unknown' AND lease_until <= {clock} LIMIT 50"
    );
    let found = tx.rows(&sought, &[], |row| {
        Ok(Sought { workspace: row.id(0)?, message_id: row.id(1)?, account_id: row.id(2)?, reference: row.text(3)? })
    })?;
    let hold = format!("UPDATE sends SET lease_until = {clock} + 3600000 WHERE workspace_id = $1 AND message_id = $2");
    for sought in &found {
        tx.execute(&hold, &[sought.workspace.into(), sought.message_id.into()])?;
    }
    Ok(found)
}

/// Fails what waits for an account, by and by.
pub fn abandon(ctx: &Ctx, tx: &mut dyn Tx, account_id: Uuid) -> Result<(), Error> {
    job::enqueue(ctx, tx, ABANDON, &account_id.to_string()).map(drop)
}

pub fn abandon_some(ctx: &Ctx, tx: &mut dyn Tx, payload: &str, most: i64) -> Result<bool, Error> {
    let Ok(account_id) = Uuid::try_parse(payload) else { return Ok(false) };
    let waiting = format!("{SEND} AND account_id = $2 AND state = 'queued' LIMIT $3");
    let params = [ctx.workspace.into(), account_id.into(), Value::from(most)];
    let waiting = tx.rows(&waiting, &params, |row| Send::decode(ctx, row))?;
    let why = "the account was removed";
    for send in &waiting {
        fail(ctx, tx, &send.handover, why, Settled::Failed(why.into()))?;
    }
    Ok(waiting.len() as i64 == most)
}

const QUEUED: &str = "queued";
const SENDING: &str = "sending";
const UNKNOWN: &str = "unknown";

/// A row of the outbox.
struct Send {
    state: String,
    lease_until: i64,
    handover: Handover,
}

const SEND: &str = "SELECT message_id, account_id, contact_id, conversation_id, kind, state, lease_until, attempts, recipient, \
     reference, letter, enrollment_id, step_id FROM sends WHERE workspace_id = $1";

impl Send {
    fn of(ctx: &Ctx, tx: &mut dyn Tx, message_id: Uuid) -> Result<Option<Send>, Error> {
        let sql = format!("{SEND} AND message_id = $2");
        Ok(tx.one(&sql, &[ctx.workspace.into(), message_id.into()], |row| Send::decode(ctx, row))?)
    }

    fn decode(ctx: &Ctx, row: &dyn Row) -> Result<Send, store::Error> {
        let damaged = |what: &str| store::Error::Corrupt(format!("sends: {what}"));
        let kind = row.text(4)?;
        let enrollment_id = row.get(11)?.maybe(|id| id.id())?;
        let step_id = row.get(12)?.maybe(|id| id.id())?;
        let run = enrollment_id.zip(step_id).map(|(enrollment_id, step_id)| Run { enrollment_id, step_id });
        Ok(Send {
            state: row.text(5)?,
            lease_until: row.int(6)?,
            handover: Handover {
                workspace: ctx.workspace,
                message_id: row.id(0)?,
                account_id: row.id(1)?,
                contact_id: row.id(2)?,
                conversation_id: row.id(3)?,
                kind: MessageKind::from_word(&kind).ok_or_else(|| damaged(&kind))?,
                attempts: row.int(7)?,
                recipient: row.text(8)?,
                reference: row.text(9)?,
                letter: serde_json::from_str(&row.text(10)?).map_err(|error| damaged(&error.to_string()))?,
                run,
            },
        })
    }
}

/// A Message-ID of our own, at the account's domain, as it stands between the brackets.
fn reference(account: &ConnectedAccount, id: Uuid) -> String {
    let domain = account.address.as_deref().and_then(|address| address.rsplit_once('@')).map_or("relata", |(_, at)| at);
    match account.provider {
        Channel::Email => format!("{id}@{domain}"),
        _ => id.to_string(),
    }
}

/// Where the contact is reached on a channel: where the conversation was last, if they are still there.
pub fn recipient(contact: &Contact, channel: Channel, last: Option<&str>) -> Result<String, Error> {
    let of = |items: &[Map<String, Json>], member: &str| -> Vec<String> {
        items.iter().filter_map(|item| item.get(member)?.as_str().map(str::to_owned)).collect()
    };
    let (known, what) = match channel {
        Channel::Email => (of(&contact.emails.0, "email"), "email address"),
        Channel::Network => (contact.network_profile.iter().cloned().collect(), "network_profile"),
        Channel::Chat => (of(&contact.phones.0, "phone"), "phone number"),
    };
    let same = known.iter().find(|address| last.is_some_and(|last| fold(last) == fold(address)));
    let found = same.or(known.first()).cloned();
    found.ok_or_else(|| {
        invalid("contact_id", format!("the contact has no {what}, so nothing can be sent by {}", channel.word()))
    })
}

/// The address of the conversation's last message.
fn last_address(ctx: &Ctx, tx: &mut dyn Tx, conversation: Uuid) -> Result<Option<String>, Error> {
    const LAST: &str = "SELECT address FROM messages WHERE workspace_id = $1 AND conversation_id = $2 AND address IS NOT NULL \
         ORDER BY id DESC LIMIT 1";
    Ok(tx.one(LAST, &[ctx.workspace.into(), conversation.into()], |row| row.text(0))?)
}

/// The Message-IDs of a thread, oldest first: its first one and the latest.
fn references(ctx: &Ctx, tx: &mut dyn Tx, conversation: Uuid) -> Result<Vec<String>, Error> {
    const LATEST: &str = "SELECT reference FROM messages WHERE workspace_id = $1 AND conversation_id = $2 AND reference IS NOT NULL \
         ORDER BY id DESC LIMIT 20";
    let mut ids = tx.rows(LATEST, &[ctx.workspace.into(), conversation.into()], |row| row.text(0))?;
    ids.reverse();
    Ok(ids)
}

/// `Re: subject`, once.
fn in_answer(subject: &str) -> String {
    let known = subject.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("re:"));
    if known { subject.to_owned() } else { format!("Re: {subject}") }
}
