//! Incoming messages. A mail is stored once, in the thread that it answers, else with the contact whose address it is from. A
//! mail that is not stored is listed with the reason, so that every mail of an account's folder is in one of the two.

mod ledger;
mod opt_out;
mod provider_event;
mod received;
mod reports;

pub use ledger::{
    Interrupted, LISTED_TOGETHER, Progress, advance, begin_anew, forget, listed_after, looked_at, note_behind, progress,
};
pub use provider_event::{ProviderEvent, ProviderEventKind, receive_provider_events};

use ledger::{is_seen, note};
use opt_out::asks_to_be_removed;

use crate::api::effects::Effect;
use crate::outreach::account::{AccountVisibility, Channel, ConnectedAccount};
use crate::outreach::conversation::{self, Conversation};
use crate::outreach::message::Direction;
use crate::outreach::quote::Reply;
use crate::records::erased_address::{Kind as AddressKind, is_erased};
use received::{content_of, store_mail};
use reports::reported;
use resource::{Ctx, Error, Saved, StoredRow, among, by_keys, find, fold, survivor};
use std::collections::HashSet;
use store::{Tx, Uuid};

/// A parsed mail. Its content is untrusted.
#[derive(Clone, Debug, Default)]
pub struct Mail {
    /// Its UID in the folder.
    pub uid: i64,
    /// In bytes.
    pub size: i64,
    /// When the server received it.
    pub received_at: Option<i64>,
    pub message_id: Option<String>,
    /// The Message-IDs that it answers; the last one is the nearest.
    pub answers: Vec<String>,
    pub from: Option<String>,
    pub subject: Option<String>,
    /// When it was sent, according to its header.
    pub date: Option<i64>,
    /// Without the mail that it quotes, which is in `quoted`.
    pub text: String,
    pub quoted: Option<String>,
    /// Sanitised.
    pub html: Option<String>,
    pub files: Vec<ReceivedFile>,
    pub kind: Kind,
    /// It came through a mailing list.
    pub from_list: bool,
    /// Why its content, or a part of it, was left out.
    pub left: Option<String>,
    /// It could not be parsed; at most its headers are known.
    pub unreadable: bool,
    /// Its text asks to get no more mails. Set by [`Mail::storable`].
    pub asks_removal: bool,
}

/// The reason for mails that could not be parsed within the limits.
pub const UNREADABLE: &str = "unreadable";

/// An attachment, and the effect that stored it; `None` if the workspace has no storage left for it.
#[derive(Clone, Debug)]
pub struct ReceivedFile {
    pub filename: String,
    pub content_type: String,
    pub content_id: Option<String>,
    pub size: i64,
    pub effect: Option<Effect>,
}

/// The kind of a mail.
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
        /// The sending account is at fault, not the address.
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
    /// When it arrived. A mailbox that was moved from another server tells when it was moved; the mail's own date is earlier.
    fn arrived_at(&self) -> Option<i64> {
        match (self.received_at, self.date) {
            (Some(received), Some(date)) if date + FRESH < received => Some(date),
            (received, date) => received.or(date),
        }
    }

    /// Shortens and cleans all texts, so that they can be stored and searched for, and separates the quoted mail.
    pub fn storable(mut self) -> Mail {
        for (text, most) in [(&mut self.message_id, REFERENCE), (&mut self.from, 500), (&mut self.subject, 1000)] {
            *text = text.take().map(|text| storable(&text, most));
        }
        // Truncated HTML would not be safe, and the text has the same content.
        self.html = self
            .html
            .take()
            .filter(|html| html.chars().count() <= LONGEST * 2)
            .map(|html| storable(&html, LONGEST * 2));
        self.text = storable(&self.text, LONGEST);
        if self.quoted.is_none() {
            let Reply { own, quoted } = Reply::of(&self.text);
            (self.quoted, self.text) = (quoted.map(|quoted| quoted.trim_end().to_owned()), own.to_owned());
        }
        // What somebody writes to a mailing list is meant for the list.
        self.asks_removal = !self.from_list
            && !self.unreadable
            && asks_to_be_removed(self.subject.as_deref().unwrap_or_default(), &self.text);
        // The nearest come last.
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

/// A mail that was sent less than this many milliseconds ago counts as sent now.
const FRESH: i64 = 10 * 60 * 1000;
/// The longest Message-ID that is stored and searched for.
const REFERENCE: usize = 600;
/// How many answered Message-IDs are searched for, and how many addresses of a report count.
const ANSWERS: usize = 100;
const RECIPIENTS: usize = 100;
/// How many characters of a message are stored; twice as many of HTML.
const LONGEST: usize = 100_000;

/// Whether a message arrived before its account was connected. It is stored, and changes nothing else.
fn is_history(account: &ConnectedAccount, at: i64) -> bool {
    at + FRESH < account.created_at.0
}

/// Whether a mail will be stored, so that its attachments have to be stored too.
pub fn is_wanted(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid, mail: &Mail) -> Result<bool, Error> {
    let own = own_addresses(ctx, tx)?;
    let account = find::<ConnectedAccount>(ctx, tx, account)?;
    let seen = is_seen(ctx, tx, account.id, mail.uid)?;
    Ok(!seen && matches!(place(ctx, tx, &account, &own, mail)?, Place::In(_) | Place::With(_)))
}

/// Stores mails of an account's folder, or lists them with their reasons. Returns how many it took before its time was over:
/// the caller goes on with the others in another transaction.
pub fn receive(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid, mails: &[Mail]) -> Result<usize, Error> {
    let account = find::<ConnectedAccount>(ctx, tx, account)?;
    let own = own_addresses(ctx, tx)?;
    for (at, mail) in mails.iter().enumerate() {
        if at > 0 && !tx.has_time() {
            return Ok(at);
        }
        // Mails that are stored together keep their order by slightly different times.
        let after = (mails.len() - 1 - at) as i64;
        if is_seen(ctx, tx, account.id, mail.uid)? {
            continue;
        }
        match place(ctx, tx, &account, &own, mail)? {
            Place::Known(message) => note(ctx, tx, &account, mail, Some(message), None)?,
            Place::Nowhere(_) if mail.unreadable => note(ctx, tx, &account, mail, None, Some(UNREADABLE))?,
            // Nothing of the mail is stored, not even its sender.
            Place::Erased => {
                let bare = Mail { from: None, subject: None, ..mail.clone() };
                note(ctx, tx, &account, &bare, None, Some("its sender was erased"))?;
            }
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
    Ok(mails.len())
}

/// Lists a mail that could not be stored, so that it does not block the following ones.
pub fn give_up(ctx: &Ctx, tx: &mut dyn Tx, account: Uuid, mail: &Mail) -> Result<(), Error> {
    let account = find::<ConnectedAccount>(ctx, tx, account)?;
    if is_seen(ctx, tx, account.id, mail.uid)? {
        return Ok(());
    }
    note(ctx, tx, &account, mail, None, Some("it could not be stored; the server's log says why"))
}

/// Lists mails that the mail server lists but does not deliver.
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
    /// To a contact, in a new thread.
    With(Uuid),
    /// Nowhere, for this reason.
    Nowhere(String),
    /// Nowhere, because its sender was erased.
    Erased,
}

/// Finds the place of a mail. The conversation of an erased contact is deleted by a job and takes no mails until then.
fn place(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account: &Saved<ConnectedAccount>,
    own: &[String],
    mail: &Mail,
) -> Result<Place, Error> {
    let from = mail.from.as_deref().map(fold).filter(|from| from.contains('@'));
    let found = place_of(ctx, tx, account, own, mail)?;
    let is_left = match &found {
        Place::Known(_) | Place::Erased => return Ok(found),
        Place::In(conversation) => {
            let contact = alive(ctx, tx, conversation.record.contact_id)?;
            !exists(ctx, tx, contact)?
        }
        Place::With(_) | Place::Nowhere(_) => false,
    };
    let is_erased = match from {
        Some(from) if !matches!(found, Place::With(_)) => {
            contact_at(ctx, tx, "contact.email", &from)?.is_none() && is_erased(ctx, tx, AddressKind::Email, &from)?
        }
        _ => false,
    };
    Ok(if is_left || is_erased { Place::Erased } else { found })
}

fn exists(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid) -> Result<bool, Error> {
    const EXISTS: &str = "SELECT 1 FROM contacts WHERE workspace_id = $1 AND id = $2";
    Ok(tx.one(EXISTS, &[ctx.workspace.into(), contact.into()], |_| Ok(()))?.is_some())
}

fn place_of(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account: &Saved<ConnectedAccount>,
    own: &[String],
    mail: &Mail,
) -> Result<Place, Error> {
    match stored_as(ctx, tx, account, mail)? {
        Stored::Same(message) => return Ok(Place::Known(message)),
        Stored::Similar => {
            return Ok(Place::Nowhere(
                "a mail with the same Message-ID, sender and subject is stored already, with another text".into(),
            ));
        }
        Stored::Not => {}
    }
    // A copy that a user sent to their own account is no reply.
    if mail.from.as_deref().is_some_and(|from| own.contains(&fold(from))) && mail.kind == Kind::Human {
        return Ok(Place::Nowhere("it is from an account of the workspace itself".into()));
    }
    // Reports can be forged. One that can't be verified is not assigned to the contact it seems to be from either.
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
    let stored = stored_references(ctx, tx, &mail.answers)?;
    for id in mail.answers.iter().rev().filter(|id| stored.contains(*id)) {
        if let Some((message, conversation)) = with_message_id(ctx, tx, account, id)? {
            if let Some(contact) = other_recipient(ctx, tx, message, mail)? {
                return Ok(Place::With(contact));
            }
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

/// Whether a mail is stored already.
enum Stored {
    Same(Uuid),
    /// A mail with this Message-ID, sender and subject and another text is, such as one that a mailing list has changed.
    Similar,
    Not,
}

/// Looks for a mail by its Message-ID. Programs that repeat one, and people who know one, can send other mails with it.
fn stored_as(ctx: &Ctx, tx: &mut dyn Tx, account: &Saved<ConnectedAccount>, mail: &Mail) -> Result<Stored, Error> {
    const NAMED: &str = "SELECT m.id, m.account_id, a.visibility, m.direction, m.address, m.subject, \
         CASE WHEN m.content = $1 THEN 1 ELSE 0 END FROM messages m \
         JOIN connected_accounts a ON a.workspace_id = m.workspace_id AND a.id = m.account_id \
         WHERE m.workspace_id = $2 AND m.reference = $3 LIMIT 100";
    let Some(reference) = mail.message_id.as_deref() else { return Ok(Stored::Not) };
    let plain = |text: Option<&str>| fold(text.unwrap_or_default());
    let (from, subject) = (plain(mail.from.as_deref()), plain(mail.subject.as_deref()));
    let params = [content_of(mail).into(), ctx.workspace.into(), reference.into()];
    let found = tx.rows(NAMED, &params, |row| {
        let joins = joins(account, row.id(1)?, row.word(2, AccountVisibility::from_word)?);
        // A mail that this workspace sent, of which a user has a copy.
        let is_ours = row.word(3, Direction::from_word)? == Direction::Outbound;
        let text = |column| row.get(column)?.maybe(|text| Ok(text.text()?.to_owned()));
        let (address, about): (Option<String>, Option<String>) = (text(4)?, text(5)?);
        let is_similar = is_ours || plain(address.as_deref()) == from && plain(about.as_deref()) == subject;
        Ok((row.id(0)?, joins && is_similar, is_ours || row.int(6)? == 1))
    })?;
    let mut similar = found.into_iter().filter(|(_, is_similar, _)| *is_similar).peekable();
    let is_any = similar.peek().is_some();
    let same = similar.find(|(_, _, is_same)| *is_same);
    Ok(match same {
        Some((message, ..)) => Stored::Same(message),
        None if is_any => Stored::Similar,
        None => Stored::Not,
    })
}

/// Those of these Message-IDs that a stored message has: a mail may name many, and few of them are ours.
fn stored_references(ctx: &Ctx, tx: &mut dyn Tx, references: &[String]) -> Result<HashSet<String>, Error> {
    let sql = format!("SELECT DISTINCT reference FROM messages WHERE workspace_id = $1 AND reference IN {}", among(2));
    let mut stored = HashSet::new();
    for params in by_keys(ctx, references.iter().map(String::as_str)) {
        stored.extend(tx.rows(&sql, &params, |row| row.text(0))?);
    }
    Ok(stored)
}

/// The message with this Message-ID, and its conversation. A mail of a private account joins no conversation of another
/// account, and a mail of another account joins none of a private one: it would be shown to those who must not see it.
fn with_message_id(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account: &Saved<ConnectedAccount>,
    reference: &str,
) -> Result<Option<(Uuid, Uuid)>, Error> {
    const NAMED: &str = "SELECT m.id, m.conversation_id, m.account_id, a.visibility FROM messages m \
         JOIN connected_accounts a ON a.workspace_id = m.workspace_id AND a.id = m.account_id \
         WHERE m.workspace_id = $1 AND m.reference = $2 LIMIT 100";
    let found = tx.rows(NAMED, &[ctx.workspace.into(), reference.into()], |row| {
        Ok((row.id(0)?, row.id(1)?, row.id(2)?, row.word(3, AccountVisibility::from_word)?))
    })?;
    let joined = found.into_iter().find(|(_, _, of, visibility)| joins(account, *of, *visibility));
    Ok(joined.map(|(message, conversation, _, _)| (message, conversation)))
}

/// Whether mails of an account join the conversations of another account with this visibility.
fn joins(account: &Saved<ConnectedAccount>, other: Uuid, visibility: AccountVisibility) -> bool {
    let is_open = |visibility| visibility == AccountVisibility::Workspace;
    other == account.id || is_open(visibility) && is_open(account.record.visibility)
}

/// The contact that this mail is from, if they had the answered message in copy: they speak for themselves, and not for the
/// contact to whom it went.
fn other_recipient(ctx: &Ctx, tx: &mut dyn Tx, message: Uuid, mail: &Mail) -> Result<Option<Uuid>, Error> {
    const COPIES: &str = "SELECT contact_id, cc, bcc FROM messages WHERE workspace_id = $1 AND id = $2";
    let Some(from) = mail.from.as_deref().map(fold) else { return Ok(None) };
    let copies = tx.one(COPIES, &[ctx.workspace.into(), message.into()], |row| {
        Ok((row.id(0)?, row.json::<Vec<String>>(1)?, row.json::<Vec<String>>(2)?))
    })?;
    let Some((to, cc, bcc)) = copies else { return Ok(None) };
    if !cc.iter().chain(&bcc).any(|address| fold(address) == from) {
        return Ok(None);
    }
    let to = alive(ctx, tx, to)?;
    Ok(contact_at(ctx, tx, "contact.email", &from)?.filter(|contact| *contact != to))
}

/// The contact with this key: the oldest one, those that are not archived first.
fn contact_at(ctx: &Ctx, tx: &mut dyn Tx, term: &str, key: &str) -> Result<Option<Uuid>, Error> {
    const AT: &str = "SELECT c.id FROM terms t JOIN contacts c ON c.workspace_id = t.workspace_id AND c.id = t.record \
         WHERE t.workspace_id = $1 AND t.field = $2 AND t.key = $3 ORDER BY CASE WHEN c.archived_at IS NULL THEN 0 ELSE 1 END, c.id LIMIT 1";
    Ok(tx.one(AT, &[ctx.workspace.into(), term.into(), key.into()], |row| row.id(0))?)
}

/// A thread with the contact through this account with the same subject, apart from `Re:` and the like.
fn same_subject(ctx: &Ctx, tx: &mut dyn Tx, new: &conversation::New) -> Result<Option<Uuid>, Error> {
    const THREADS: &str = "SELECT id, subject FROM conversations WHERE workspace_id = $1 AND contact_id = $2 \
         AND account_id = $3 AND channel = 'email' AND subject IS NOT NULL ORDER BY id DESC LIMIT 100";
    let Some(wanted) = new.subject.map(bare).filter(|subject| !subject.is_empty()) else { return Ok(None) };
    // A subject without `Re:` starts a new thread.
    if new.subject.map(fold).as_deref() == Some(&wanted) {
        return Ok(None);
    }
    let threads = tx.rows(THREADS, &[ctx.workspace.into(), new.contact_id.into(), new.account_id.into()], |row| {
        Ok((row.id(0)?, row.text(1)?))
    })?;
    Ok(threads.into_iter().find(|(_, subject)| bare(subject) == wanted).map(|(id, _)| id))
}

/// A subject without `Re:`, `Fwd:` and their translations.
fn bare(subject: &str) -> String {
    const WORDS: &[&str] = &["re", "aw", "sv", "vs", "antw", "ref", "rif", "odp", "fw", "fwd", "wg", "tr"];
    let mut rest = fold(subject);
    while let Some((_, after)) = rest.split_once(':').filter(|(word, _)| WORDS.contains(&word.trim())) {
        rest = after.trim().to_owned();
    }
    rest
}

/// The contact that this one was merged into, or itself.
fn alive(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Uuid, Error> {
    Ok(survivor(ctx, tx, id)?.unwrap_or(id))
}

/// The first `most` characters, without NUL, which PostgreSQL can't store.
fn storable(text: &str, most: usize) -> String {
    text.chars().filter(|c| *c != '\0').take(most).collect()
}
