//! Stores received messages, and applies them to contacts and enrollments.

use super::ledger::note;
use super::reports::{Reported, last_sent, reported, sent};
use super::{FRESH, Kind, Mail, ReceivedFile, UNREADABLE, alive, is_history, other_recipient};
use crate::outreach::account::ConnectedAccount;
use crate::outreach::attached::{self, Attachment};
use crate::outreach::conversation::{self, Conversation, Moved};
use crate::outreach::enrollment::{self, ContactEvent, ContactEventKind};
use crate::outreach::message::{Direction, Message, MessageKind, MessageStatus};
use crate::outreach::suppression::{self, SuppressionReason};
use crate::records::contact::{self, Contact};
use crate::tenant::{stored_files, workspace};
use resource::{Changes, Ctx, Error, Resource, Saved, event, find, update_as};
use serde_json::{Map, json};
use store::{Tx, Uuid};

/// A received message, on any channel.
pub(super) struct Received<'a> {
    pub kind: MessageKind,
    pub content: &'a str,
    pub quoted: Option<&'a str>,
    pub html: Option<&'a str>,
    pub subject: Option<&'a str>,
    pub address: Option<&'a str>,
    pub reference: Option<&'a str>,
    pub at: Option<i64>,
    pub files: &'a [ReceivedFile],
    /// It arrived before its account was connected, so that nobody waits for an answer here.
    pub is_history: bool,
    /// How many messages that are stored with it come after it.
    pub after: i64,
}

impl Received<'_> {
    /// Stores the message with its attachments.
    pub(super) fn store(&self, ctx: &Ctx, tx: &mut dyn Tx, conversation: &Saved<Conversation>) -> Result<Uuid, Error> {
        let (now, mut changes) = (tx.stamp(), Changes::default());
        let record = &conversation.record;
        changes.set(Message::CONVERSATION_ID, conversation.id);
        changes.set(Message::CONTENT, self.content);
        changes.set(Message::QUOTED, self.quoted.map(str::to_owned));
        changes.set(Message::HTML, self.html.map(str::to_owned));
        changes.set(Message::SUBJECT, self.subject.map(str::to_owned));
        changes.set(Message::DIRECTION, Direction::Inbound);
        changes.set(Message::CHANNEL, record.channel);
        changes.set(Message::ADDRESS, self.address.map(str::to_owned));
        changes.set(Message::KIND, self.kind);
        changes.set(Message::STATUS, MessageStatus::Received);
        // The Date header has whole seconds of a foreign clock. A recent mail counts as sent now, so that it is sorted behind the
        // message that it answers.
        let said = self.at.filter(|at| (0..now - FRESH).contains(at)).unwrap_or(now - self.after);
        changes.set(Message::SENT_AT, said);
        changes.set(Message::READ_AT, self.is_history.then_some(now));
        changes.set(Message::CONTACT_ID, record.contact_id);
        changes.set(Message::ACCOUNT_ID, record.account_id);
        changes.set(Message::REFERENCE, self.reference.map(str::to_owned));
        let id = resource::insert::<Message>(ctx, tx, &changes)?;
        self.keep_files(ctx, tx, id)?;
        let unread = i64::from(self.kind == MessageKind::Message && !self.is_history);
        conversation::moved(ctx, tx, conversation, &Moved::Received { unread, is_history: self.is_history })?;
        Ok(id)
    }

    fn keep_files(&self, ctx: &Ctx, tx: &mut dyn Tx, message: Uuid) -> Result<(), Error> {
        let effects = self.files.iter().filter_map(|file| file.effect.as_ref().map(|effect| (effect, file.size)));
        let mut stored = stored_files::confirm_fitting(ctx, tx, &effects.collect::<Vec<_>>())?.into_iter();
        let blobs: Vec<Option<String>> =
            self.files.iter().map(|file| file.effect.as_ref().and_then(|_| stored.next().flatten())).collect();
        let files = self.files.iter().zip(&blobs).map(|(file, blob)| Attachment {
            filename: &file.filename,
            content_type: &file.content_type,
            content_id: file.content_id.as_deref(),
            size: file.size,
            blob: blob.as_deref(),
        });
        attached::keep(ctx, tx, message, files)
    }
}

/// The content under which a mail is stored.
pub(super) fn content_of(mail: &Mail) -> String {
    match &mail.left {
        _ if mail.unreadable => "[this mail can't be read; open it in the mailbox]".to_owned(),
        Some(why) => format!("[{why}]\n\n{}", mail.text).trim_end().to_owned(),
        None => mail.text.clone(),
    }
}

/// Stores a mail in a conversation, with all that follows from it.
pub(super) fn store_mail(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account: &Saved<ConnectedAccount>,
    conversation: &Saved<Conversation>,
    mail: &Mail,
    after: i64,
) -> Result<(), Error> {
    let content = content_of(mail);
    let kind = match mail.kind {
        Kind::Human => MessageKind::Message,
        Kind::AutoReply => MessageKind::AutoReply,
        Kind::OutOfOffice { .. } => MessageKind::OutOfOffice,
        Kind::Bounce { .. } => MessageKind::Bounce,
        Kind::Complaint { .. } => MessageKind::Complaint,
        Kind::Notice => MessageKind::Notice,
    };
    let received = Received {
        kind,
        content: &content,
        quoted: mail.quoted.as_deref(),
        html: mail.html.as_deref(),
        subject: mail.subject.as_deref(),
        address: mail.from.as_deref(),
        reference: mail.message_id.as_deref(),
        at: mail.date.or(mail.received_at),
        files: &mail.files,
        is_history: is_old(ctx, tx, account, mail)?,
        after,
    };
    let message = received.store(ctx, tx, conversation)?;
    match mail.left.as_deref().or(mail.unreadable.then_some(UNREADABLE)) {
        // The mail is also listed, since a part of its content is missing.
        Some(why) => note(ctx, tx, account, mail, None, Some(why))?,
        None => note(ctx, tx, account, mail, Some(message), None)?,
    }
    effects(ctx, tx, account, conversation, mail, message)
}

/// Whether a mail was in the mailbox before the account was connected. One that answers our message was not, whatever its date
/// says.
fn is_old(ctx: &Ctx, tx: &mut dyn Tx, account: &Saved<ConnectedAccount>, mail: &Mail) -> Result<bool, Error> {
    // IMAP tells whole seconds.
    let came_later = mail.received_at.is_some_and(|at| at + 1000 > account.record.created_at.0);
    if came_later || !mail.arrived_at().is_some_and(|at| is_history(&account.record, at)) {
        return Ok(false);
    }
    Ok(mail.answers.last().map(|id| sent(ctx, tx, id)).transpose()?.flatten().is_none())
}

/// Applies a mail to its contact and the contact's enrollments.
fn effects(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account: &Saved<ConnectedAccount>,
    conversation: &Saved<Conversation>,
    mail: &Mail,
    message: Uuid,
) -> Result<(), Error> {
    let contact_id = alive(ctx, tx, conversation.record.contact_id)?;
    let reported = reported(ctx, tx, &mail.kind)?;
    let answered = match &reported {
        Some(reported) => Some(reported.sent),
        None => mail.answers.last().map(|id| sent(ctx, tx, id)).transpose()?.flatten(),
    };
    // What a contact writes to a mailing list is no reply, unless it answers one of our messages.
    if mail.from_list && answered.is_none() {
        return Ok(());
    }
    let at = if answered.is_some() { None } else { mail.arrived_at() };
    if at.is_some_and(|at| is_history(&account.record, at)) {
        return Ok(());
    }
    let about = match answered {
        Some(about) => Some(about),
        None => last_sent(ctx, tx, conversation.id)?,
    };
    // Somebody who had the message in copy answers for themselves.
    let about = match about {
        Some((answered, _)) if other_recipient(ctx, tx, answered, mail)?.is_some() => None,
        about => about,
    };
    let kind = match (&mail.kind, reported) {
        (Kind::Human, _) => {
            contact::replied(ctx, tx, contact_id)?;
            match mail.asks_removal && workspace::find(tx, ctx.workspace)?.unsubscribe_by_reply {
                true => {
                    suppress_sender(ctx, tx, mail, about.map(|(id, _)| id))?;
                    let changes = Map::from_iter([("message_id".to_owned(), json!([null, message]))]);
                    event(ctx, tx, "contact.unsubscribed", Contact::ABOUT.one, contact_id, &changes)?;
                    ContactEventKind::Unsubscribed
                }
                false => ContactEventKind::Replied,
            }
        }
        (Kind::AutoReply, _) => ContactEventKind::AutoReplied,
        (Kind::OutOfOffice { until }, _) => ContactEventKind::OutOfOffice(*until),
        (Kind::Bounce { hard, sender_fault, why, .. }, Some(Reported { sent: (message, _), address, .. })) => {
            bounced(ctx, tx, message, why)?;
            let hard = *hard && !*sender_fault;
            if hard {
                suppression::suppress_bounced(ctx, tx, &address)?;
            }
            ContactEventKind::Bounced { hard, why: why.clone() }
        }
        (Kind::Complaint { .. }, Some(Reported { address, .. })) => {
            match suppression::suppress(ctx, tx, &address, SuppressionReason::Complained) {
                Err(Error::Invalid(_)) => {}
                other => other?,
            }
            contact::do_not_contact(ctx, tx, contact_id)?;
            ContactEventKind::Complained
        }
        (Kind::Bounce { .. } | Kind::Complaint { .. }, None) | (Kind::Notice, _) => return Ok(()),
    };
    let event =
        ContactEvent { contact_id, message_id: about.map(|(id, _)| id), run: about.and_then(|(_, run)| run), kind, at };
    enrollment::contact_event(ctx, tx, &event)
}

/// Suppresses the address that the mail is from, and the one that the answered message went to.
fn suppress_sender(ctx: &Ctx, tx: &mut dyn Tx, mail: &Mail, answered: Option<Uuid>) -> Result<(), Error> {
    let went_to = match answered {
        Some(message) => find::<Message>(ctx, tx, message)?.record.address,
        None => None,
    };
    for address in mail.from.iter().chain(&went_to) {
        match suppression::suppress(ctx, tx, address, SuppressionReason::Unsubscribed) {
            // It is no address.
            Err(Error::Invalid(_)) => {}
            other => other?,
        }
    }
    Ok(())
}

/// Marks a sent message as bounced.
fn bounced(ctx: &Ctx, tx: &mut dyn Tx, message: Uuid, why: &str) -> Result<(), Error> {
    let message = find::<Message>(ctx, tx, message)?;
    let (now, mut changes) = (tx.stamp(), Changes::default());
    changes.set(Message::STATUS, MessageStatus::Failed);
    changes.set(Message::ERROR, format!("bounced: {why}"));
    changes.set(Message::BOUNCED_AT, now);
    update_as(ctx, tx, &message, &changes, "bounced", &Map::new()).map(drop)
}
