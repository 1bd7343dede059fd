//! What arrives: matched to the thread it answers, else to the contact whose address it is from, and stored once. A mail
//! that is not stored is listed with its reason, so that an account's folder is all that is stored and all that is listed.

mod ledger;
mod told;

pub use ledger::{Interrupted, Progress, advance, begin_anew, looked_at, note_behind, progress, still_there};
pub use told::{Said, Told, told};

use ledger::{is_seen, note};

use crate::account::{Channel, ConnectedAccount};
use crate::contact;
use crate::conversation::{self, Conversation};
use crate::enrollment::{self, Happening, Run, What};
use crate::message::{Direction, Message, MessageKind, MessageStatus};
use crate::operation::Errand;
use crate::suppression::{self, SuppressionReason};
use crate::{file, outbox};
use resource::{Changes, Ctx, Error, Resource, Saved, find, fold, survivor, update_as};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid, Value};

/// A mail that was read, as far as the rules want to know. Nothing in it is believed: it came from a stranger.
#[derive(Clone, Debug, Default)]
pub struct Mail {
    /// Its number in the folder.
    pub uid: i64,
    /// In bytes.
    pub size: i64,
    /// When it came, as the server says.
    pub received_at: Option<i64>,
    pub message_id: Option<String>,
    /// What it answers, the nearest last.
    pub answers: Vec<String>,
    pub from: Option<String>,
    pub subject: Option<String>,
    /// When it was sent, as it says itself.
    pub date: Option<i64>,
    pub text: String,
    /// Safe to show.
    pub html: Option<String>,
    pub files: Vec<Kept>,
    pub kind: Kind,
    /// Why its content, or a part of it, is missing here.
    pub left: Option<String>,
    /// No process could parse it; what stands here are its headers at most.
    pub unreadable: bool,
}

/// The reason of mails that could not be parsed within the limits.
pub const UNREADABLE: &str = "unreadable";

/// A file that came with it, and the errand under which it was stored; `None` if the workspace has no storage left for it.
#[derive(Clone, Debug)]
pub struct Kept {
    pub filename: String,
    pub content_type: String,
    pub size: i64,
    pub errand: Option<Errand>,
}

/// What a mail is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Kind {
    #[default]
    Human,
    AutoReply,
    OutOfOffice {
        until: Option<i64>,
    },
    Bounce {
        hard: bool,
        /// The fault is the sending account's, not the address's.
        sender_fault: bool,
        recipients: Vec<String>,
        original: Option<String>,
        why: String,
    },
    Complaint {
        recipients: Vec<String>,
        original: Option<String>,
    },
    Notice,
}

impl Mail {
    /// With all that a stranger wrote as it can be stored and looked up.
    pub fn storable(mut self) -> Mail {
        for (text, most) in [(&mut self.message_id, REFERENCE), (&mut self.from, 500), (&mut self.subject, 1000)] {
            *text = text.take().map(|text| storable(&text, most));
        }
        // HTML that is cut off is not safe any more; the text says the same.
        self.html = self
            .html
            .take()
            .filter(|html| html.chars().count() <= LONGEST * 2)
            .map(|html| storable(&html, LONGEST * 2));
        self.text = storable(&self.text, LONGEST);
        // Each of them is looked up; the nearest come last.
        let far = self.answers.len().saturating_sub(ANSWERS);
        self.answers = self.answers[far..].iter().map(|id| storable(id, REFERENCE)).collect();
        for file in &mut self.files {
            let base = file.filename.rsplit(['/', '\\']).next().unwrap_or_default();
            let name: String = base.chars().filter(|c| !c.is_control()).take(255).collect();
            file.filename = if name.trim().is_empty() { "attachment".into() } else { name };
            file.content_type = storable(&file.content_type, 127);
        }
        if let Kind::Bounce { recipients, original, .. } | Kind::Complaint { recipients, original } = &mut self.kind {
            *recipients = recipients.iter().take(RECIPIENTS).map(|address| storable(address, 500)).collect();
            *original = original.take().map(|id| storable(&id, REFERENCE));
        }
        if let Kind::Bounce { why, .. } = &mut self.kind {
            *why = storable(why, 1000);
        }
        self
    }
}

/// What was sent so short a time ago came now, in milliseconds.
const FRESH: i64 = 10 * 60 * 1000;
/// The longest Message-ID that is kept and looked for.
const REFERENCE: usize = 600;
/// As many of the mails that one answers are looked for, and as many addresses of a report are acted upon.
const ANSWERS: usize = 100;
const RECIPIENTS: usize = 100;
/// As many characters of a message are kept, and twice as many of HTML.
const LONGEST: usize = 100_000;

/// Whether a mail will be stored, so that its files are worth keeping.
pub fn is_wanted(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid, mail: &Mail) -> Result<bool, Error> {
    let own = own_addresses(ctx, tx)?;
    let account = find::<ConnectedAccount>(ctx, tx, account)?;
    let seen = is_seen(ctx, tx, account.id, mail.uid)?;
    Ok(!seen && matches!(place(ctx, tx, &own, mail)?, Place::In(_) | Place::With(_)))
}

/// Stores mails of an account's folder, or lists them with their reasons.
pub fn receive(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid, mails: &[Mail]) -> Result<(), Error> {
    let account = find::<ConnectedAccount>(ctx, tx, account)?;
    let own = own_addresses(ctx, tx)?;
    for (at, mail) in mails.iter().enumerate() {
        // Mails that are stored together keep their order.
        let after = (mails.len() - 1 - at) as i64;
        if is_seen(ctx, tx, account.id, mail.uid)? {
            continue;
        }
        match place(ctx, tx, &own, mail)? {
            Place::Known(message) => note(ctx, tx, &account, mail, Some(message), None)?,
            Place::Nowhere(_) if mail.unreadable => note(ctx, tx, &account, mail, None, Some(UNREADABLE))?,
            Place::Nowhere(why) => note(ctx, tx, &account, mail, None, Some(&why))?,
            Place::In(conversation) => store_mail(ctx, tx, &account, &conversation, mail, after)?,
            Place::With(contact_id) => {
                let new = conversation::New {
                    channel: Channel::Email,
                    account_id: account.id,
                    contact_id,
                    subject: mail.subject.as_deref(),
                };
                let id = match same_subject(ctx, tx, &new)? {
                    Some(id) => id,
                    None => conversation::begin(ctx, tx, &new)?,
                };
                let conversation = find::<Conversation>(ctx, tx, id)?;
                store_mail(ctx, tx, &account, &conversation, mail, after)?;
            }
        }
    }
    Ok(())
}

/// Lists a mail that the rules could not cope with, so that it keeps no other from being received.
pub fn give_up(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid, mail: &Mail) -> Result<(), Error> {
    let account = find::<ConnectedAccount>(ctx, tx, account)?;
    if is_seen(ctx, tx, account.id, mail.uid)? {
        return Ok(());
    }
    note(ctx, tx, &account, mail, None, Some("it could not be stored; the server's log says why"))
}

/// Lists mails of the folder that the mail server does not deliver.
pub fn list_undelivered(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid, uids: &[i64]) -> Result<(), Error> {
    let account = find::<ConnectedAccount>(ctx, tx, account)?;
    for uid in uids {
        if !is_seen(ctx, tx, account.id, *uid)? {
            let mail = Mail { uid: *uid, ..Mail::default() };
            let why = "the mail server lists this mail but does not deliver it; open it in the mailbox";
            note(ctx, tx, &account, &mail, None, Some(why))?;
        }
    }
    Ok(())
}

/// The addresses of the workspace's own accounts, folded.
fn own_addresses(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<String>, Error> {
    const OWN: &str = "SELECT address FROM connected_accounts WHERE workspace_id = $1 AND address IS NOT NULL";
    Ok(tx.rows(OWN, &[ctx.workspace.into()], |row| Ok(fold(&row.text(0)?)))?)
}

/// Where a mail belongs.
enum Place {
    /// It is stored already.
    Known(Uuid),
    In(Box<Saved<Conversation>>),
    /// To a contact, in no thread that is known.
    With(Uuid),
    /// Nowhere, for this reason.
    Nowhere(String),
}

fn place(ctx: &Ctx, tx: &mut dyn Tx, own: &[String], mail: &Mail) -> Result<Place, Error> {
    if let Some(id) = mail.message_id.as_deref()
        && let Some((message, _)) = named(ctx, tx, id)?
    {
        return Ok(Place::Known(message));
    }
    // A copy to oneself in a thread is no reply.
    if mail.from.as_deref().is_some_and(|from| own.contains(&fold(from))) && mail.kind == Kind::Human {
        return Ok(Place::Nowhere("it is from an account of the workspace itself".into()));
    }
    // Anybody can write a report, so one that can't be verified is not believed to come from a contact either.
    let unverified = match &mail.kind {
        Kind::Bounce { .. } => {
            Some("it reports that a mail came back, but this workspace sent no such mail to the address it names")
        }
        Kind::Complaint { .. } => {
            Some("it complains about a mail, but this workspace sent no such mail to the address it names")
        }
        _ => None,
    };
    if let Some(unverified) = unverified {
        return Ok(match reported(ctx, tx, &mail.kind)? {
            Some(reported) => Place::In(Box::new(find::<Conversation>(ctx, tx, reported.conversation_id)?)),
            None => Place::Nowhere(unverified.into()),
        });
    }
    for id in mail.answers.iter().rev() {
        if let Some((_, conversation)) = named(ctx, tx, id)? {
            return Ok(Place::In(Box::new(find::<Conversation>(ctx, tx, conversation)?)));
        }
    }
    let Some(from) = mail.from.as_deref().filter(|from| from.contains('@')) else {
        return Ok(Place::Nowhere("it does not say which address it is from".into()));
    };
    Ok(match contact_at(ctx, tx, "contact.email", &fold(from))? {
        Some(contact) => Place::With(contact),
        None => Place::Nowhere("no contact has this address".into()),
    })
}

/// The message that bears this Message-ID, and its conversation.
fn named(ctx: &Ctx, tx: &mut dyn Tx, reference: &str) -> Result<Option<(Uuid, Uuid)>, Error> {
    const NAMED: &str = "SELECT id, conversation_id FROM messages WHERE workspace_id = $1 AND reference = $2 LIMIT 1";
    Ok(tx.one(NAMED, &[ctx.workspace.into(), reference.into()], |row| Ok((row.id(0)?, row.id(1)?)))?)
}

/// The contact that is found under this key; one that is not archived before one that is, the oldest first.
fn contact_at(ctx: &Ctx, tx: &mut dyn Tx, term: &str, key: &str) -> Result<Option<Uuid>, Error> {
    const AT: &str = "SELECT c.id FROM terms t JOIN contacts c ON c.workspace_id = t.workspace_id AND c.id = t.record \
         WHERE t.workspace_id = $1 AND t.field = $2 AND t.key = $3 ORDER BY CASE WHEN c.archived_at IS NULL THEN 0 ELSE 1 END, c.id LIMIT 1";
    Ok(tx.one(AT, &[ctx.workspace.into(), term.into(), key.into()], |row| row.id(0))?)
}

/// A thread with the contact through this account whose subject is the same but for `Re:` and the like.
fn same_subject(ctx: &Ctx, tx: &mut dyn Tx, new: &conversation::New) -> Result<Option<Uuid>, Error> {
    const THREADS: &str = "SELECT id, subject FROM conversations WHERE workspace_id = $1 AND contact_id = $2 \
         AND account_id = $3 AND channel = 'email' AND subject IS NOT NULL ORDER BY id DESC LIMIT 100";
    let Some(wanted) = new.subject.map(bare).filter(|subject| !subject.is_empty()) else { return Ok(None) };
    // A mail that answers nothing begins something new.
    if new.subject.map(fold).as_deref() == Some(&wanted) {
        return Ok(None);
    }
    let threads = tx.rows(THREADS, &[ctx.workspace.into(), new.contact_id.into(), new.account_id.into()], |row| {
        Ok((row.id(0)?, row.text(1)?))
    })?;
    Ok(threads.into_iter().find(|(_, subject)| bare(subject) == wanted).map(|(id, _)| id))
}

/// A subject without the words that answers put before it.
fn bare(subject: &str) -> String {
    const WORDS: &[&str] = &["re", "aw", "sv", "vs", "antw", "ref", "rif", "odp", "fw", "fwd", "wg", "tr"];
    let mut rest = fold(subject);
    while let Some((_, after)) = rest.split_once(':').filter(|(word, _)| WORDS.contains(&word.trim())) {
        rest = after.trim().to_owned();
    }
    rest
}

fn store_mail(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account: &Saved<ConnectedAccount>,
    conversation: &Saved<Conversation>,
    mail: &Mail,
    after: i64,
) -> Result<(), Error> {
    let content = match &mail.left {
        _ if mail.unreadable => "[this mail can't be read; open it in the mailbox]".to_owned(),
        Some(why) => format!("[{why}]\n\n{}", mail.text).trim_end().to_owned(),
        None => mail.text.clone(),
    };
    let kind = match mail.kind {
        Kind::Human => MessageKind::Message,
        Kind::AutoReply => MessageKind::AutoReply,
        Kind::OutOfOffice { .. } => MessageKind::OutOfOffice,
        Kind::Bounce { .. } => MessageKind::Bounce,
        Kind::Complaint { .. } => MessageKind::Complaint,
        Kind::Notice => MessageKind::Notice,
    };
    let came = Came {
        kind,
        content: &content,
        html: mail.html.as_deref(),
        subject: mail.subject.as_deref(),
        address: mail.from.as_deref(),
        reference: mail.message_id.as_deref(),
        at: mail.date.or(mail.received_at),
        files: &mail.files,
        after,
    };
    let message = came.store(ctx, tx, conversation)?;
    match mail.left.as_deref().or(mail.unreadable.then_some(UNREADABLE)) {
        // Its content is missing: that is listed, too.
        Some(why) => note(ctx, tx, account, mail, None, Some(why))?,
        None => note(ctx, tx, account, mail, Some(message), None)?,
    }
    effects(ctx, tx, conversation, mail)
}

/// What follows from a mail.
fn effects(ctx: &Ctx, tx: &mut dyn Tx, conversation: &Saved<Conversation>, mail: &Mail) -> Result<(), Error> {
    let contact_id = alive(ctx, tx, conversation.record.contact_id)?;
    let reported = reported(ctx, tx, &mail.kind)?;
    let about = match &reported {
        Some(reported) => Some(reported.sent),
        None => match mail.answers.last().map(|id| sent(ctx, tx, id)).transpose()?.flatten() {
            Some(about) => Some(about),
            None => last_sent(ctx, tx, conversation.id)?,
        },
    };
    let what = match (&mail.kind, reported) {
        (Kind::Human, _) => {
            contact::replied(ctx, tx, contact_id)?;
            What::Replied
        }
        (Kind::AutoReply, _) => What::AutoReplied,
        (Kind::OutOfOffice { until }, _) => What::OutOfOffice(*until),
        (Kind::Bounce { hard, sender_fault, why, .. }, Some(Reported { sent: (message, _), address, .. })) => {
            bounced(ctx, tx, message, why)?;
            let hard = *hard && !*sender_fault;
            if hard {
                outbox::block(ctx, tx, &address)?;
            }
            What::Bounced { hard, why: why.clone() }
        }
        (Kind::Complaint { .. }, Some(Reported { address, .. })) => {
            match suppression::suppress(ctx, tx, &address, SuppressionReason::Complained) {
                Err(Error::Invalid(_)) => {}
                other => other?,
            }
            contact::do_not_contact(ctx, tx, contact_id)?;
            What::Complained
        }
        (Kind::Bounce { .. } | Kind::Complaint { .. }, None) | (Kind::Notice, _) => return Ok(()),
    };
    let happening =
        Happening { contact_id, message_id: about.map(|(id, _)| id), run: about.and_then(|(_, run)| run), what };
    enrollment::happened(ctx, tx, &happening)
}

/// The contact that this one is now.
fn alive(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Uuid, Error> {
    Ok(survivor(ctx, tx, id)?.unwrap_or(id))
}

type Sent = (Uuid, Option<Run>);

const SENT: &str = "SELECT id, enrollment_id, step_id FROM messages WHERE workspace_id = $1";

/// The message of ours that bears this Message-ID, and the step that it was.
fn sent(ctx: &Ctx, tx: &mut dyn Tx, reference: &str) -> Result<Option<Sent>, Error> {
    let sql = format!("{SENT} AND reference = $2 AND direction = 'outbound' LIMIT 1");
    Ok(tx.one(&sql, &[ctx.workspace.into(), reference.into()], decode_sent)?)
}

/// The message that a bounce or a complaint is about.
struct Reported {
    sent: Sent,
    conversation_id: Uuid,
    /// The address that the message was sent to, and the only one that the report can concern.
    address: String,
}

/// The message that a report is about, if the report can be believed: it has the Message-ID, which is random, of a mail
/// that was handed to a mail server, and names the address that this mail was sent to, or none.
fn reported(ctx: &Ctx, tx: &mut dyn Tx, kind: &Kind) -> Result<Option<Reported>, Error> {
    const REPORTED: &str = "SELECT id, enrollment_id, step_id, conversation_id, address FROM messages WHERE workspace_id = $1 \
         AND reference = $2 AND direction = 'outbound' AND channel = 'email' AND handed_at IS NOT NULL AND address IS NOT NULL LIMIT 1";
    let (Kind::Bounce { recipients, original, .. } | Kind::Complaint { recipients, original }) = kind else {
        return Ok(None);
    };
    let Some(original) = original else { return Ok(None) };
    let found = tx.one(REPORTED, &[ctx.workspace.into(), original.as_str().into()], |row| {
        Ok(Reported { sent: decode_sent(row)?, conversation_id: row.id(3)?, address: row.text(4)? })
    })?;
    let concerns = |address: &str| recipients.is_empty() || recipients.iter().any(|one| fold(one) == fold(address));
    Ok(found.filter(|reported| concerns(&reported.address)))
}

/// The last message of ours in a conversation.
fn last_sent(ctx: &Ctx, tx: &mut dyn Tx, conversation: Uuid) -> Result<Option<Sent>, Error> {
    let sql = format!("{SENT} AND conversation_id = $2 AND direction = 'outbound' ORDER BY id DESC LIMIT 1");
    Ok(tx.one(&sql, &[ctx.workspace.into(), conversation.into()], decode_sent)?)
}

fn decode_sent(row: &dyn store::Row) -> Result<Sent, store::Error> {
    let enrollment_id = row.get(1)?.maybe(|id| id.id())?;
    let step_id = row.get(2)?.maybe(|id| id.id())?;
    Ok((row.id(0)?, enrollment_id.zip(step_id).map(|(enrollment_id, step_id)| Run { enrollment_id, step_id })))
}

/// Marks a message of ours that came back.
fn bounced(ctx: &Ctx, tx: &mut dyn Tx, message: Uuid, why: &str) -> Result<(), Error> {
    let message = find::<Message>(ctx, tx, message)?;
    let (now, mut changes) = (tx.stamp(), Changes::default());
    changes.set(Message::FIELDS, "status", MessageStatus::Failed.word());
    changes.set(Message::FIELDS, "error", format!("bounced: {why}"));
    changes.set(Message::FIELDS, "bounced_at", now);
    update_as(ctx, tx, &message, &changes, "bounced", &Map::new()).map(drop)
}

/// A message that came, on any channel.
struct Came<'a> {
    kind: MessageKind,
    content: &'a str,
    html: Option<&'a str>,
    subject: Option<&'a str>,
    address: Option<&'a str>,
    reference: Option<&'a str>,
    at: Option<i64>,
    files: &'a [Kept],
    /// As many come after it at the same time.
    after: i64,
}

impl Came<'_> {
    fn store(&self, ctx: &Ctx, tx: &mut dyn Tx, conversation: &Saved<Conversation>) -> Result<Uuid, Error> {
        let (now, mut changes, fields) = (tx.stamp(), Changes::default(), Message::FIELDS);
        let record = &conversation.record;
        changes.set(fields, "conversation_id", conversation.id);
        changes.set(fields, "content", self.content);
        changes.set(fields, "html", self.html.map(str::to_owned));
        changes.set(fields, "subject", self.subject.map(str::to_owned));
        changes.set(fields, "direction", Direction::Inbound.word());
        changes.set(fields, "channel", record.channel.word());
        changes.set(fields, "address", self.address.map(str::to_owned));
        changes.set(fields, "kind", self.kind.word());
        changes.set(fields, "status", MessageStatus::Received.word());
        // A mail tells seconds, by its sender's clock: what comes now is said now, and stands behind what it answers.
        let said = self.at.filter(|at| (0..now - FRESH).contains(at)).unwrap_or(now - self.after);
        changes.set(fields, "sent_at", said);
        changes.set(fields, "contact_id", record.contact_id);
        changes.set(fields, "account_id", record.account_id);
        changes.set(fields, "reference", self.reference.map(str::to_owned));
        let id = resource::insert::<Message>(ctx, tx, &changes)?;
        self.keep_files(ctx, tx, id)?;
        let unread = i64::from(self.kind == MessageKind::Message);
        conversation::moved(ctx, tx, conversation, unread)?;
        Ok(id)
    }

    fn keep_files(&self, ctx: &Ctx, tx: &mut dyn Tx, message: Uuid) -> Result<(), Error> {
        const KEEP: &str = "INSERT INTO attachments (workspace_id, message_id, id, filename, content_type, size, blob) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)";
        const SHOW: &str = "UPDATE messages SET attachments = $1 WHERE workspace_id = $2 AND id = $3";
        let mut shown: Vec<Json> = Vec::new();
        for kept in self.files {
            let stored = match &kept.errand {
                Some(errand) => match file::kept(ctx, tx, errand, kept.size) {
                    Err(Error::Quota { .. }) => None,
                    stored => Some(stored?),
                },
                None => None,
            };
            let id = tx.id();
            let left_out =
                stored.is_none().then_some("the workspace has no storage left; open the mail in its mailbox");
            shown.push(json!({
                "id": id, "filename": kept.filename, "content_type": kept.content_type, "size": kept.size,
                "path": format!("/messages/{message}/attachments/{id}"), "left_out": left_out,
            }));
            let Some(blob) = stored else { continue };
            let params: [Value; 7] = [
                ctx.workspace.into(),
                message.into(),
                id.into(),
                kept.filename.as_str().into(),
                kept.content_type.as_str().into(),
                kept.size.into(),
                blob.into(),
            ];
            tx.execute(KEEP, &params)?;
        }
        if shown.is_empty() {
            return Ok(());
        }
        tx.execute(SHOW, &[Json::from(shown).to_string().into(), ctx.workspace.into(), message.into()])?;
        Ok(())
    }
}

/// Text of strangers as it can be stored.
fn storable(text: &str, most: usize) -> String {
    text.chars().filter(|c| *c != '\0').take(most).collect()
}
