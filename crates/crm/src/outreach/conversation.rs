//! Conversations: an email thread, or all network or chat messages between a contact and an account. `open ⇄ archived`; a new
//! message reopens it.

pub mod snooze;
mod unread;

use crate::api::call::{Call, Reply, asked, list_by, list_under, list_where, show};
use crate::api::operation::{Operation, get, post, put};
use crate::api::private;
use crate::api::scope::{Feature, MESSAGES_READ, MESSAGES_WRITE};
use crate::outreach::account::Channel;
use crate::outreach::message::Message;
use crate::records::contact::{Contact, ContactName};
use crate::records::references;
use resource::{
    Changes, Control, Ctx, Error, Field, FoundIn, Index, Link, Own, Resource, Saved, Time, find, invalid, update,
    update_as,
};
use serde_json::{Map, Value as Json};
use store::{Tx, Uuid, Value};

resource::choices! {
    ConversationStatus { Open = "open", Archived = "archived" }
}

/// Messages with a contact that belong together.
#[derive(Resource)]
#[resource(table = "conversations", one = "conversation", default_sort = "-last_message_at", found_in = FOUND_IN, indexes = INDEXES, links = LINKS)]
pub struct Conversation {
    #[field(read_only)]
    pub id: Uuid,
    #[field(read_only, filter, counted)]
    pub channel: Channel,
    #[field(default = "\"open\"", filter, counted)]
    pub status: ConversationStatus,
    /// The connected account that it goes through.
    #[field(read_only)]
    pub account_id: Uuid,
    #[field(read_only, filter, subject)]
    pub contact_id: Uuid,
    #[field(read_only)]
    pub subject: Option<String>,
    /// The member who deals with it.
    #[field(filter, control = Control::Member)]
    pub assigned_to: Option<Uuid>,
    /// It is out of the inbox until this time, at most a year ahead, or until a message is received.
    #[field(filter, sort)]
    pub snoozed_until: Option<Time>,
    /// Messages received that the caller has not read: the signed-in member, or the owner of the key.
    #[field(filter, own = UNREAD)]
    pub unread_count: i64,
    #[field(read_only, filter, sort)]
    pub last_message_at: Option<Time>,
    /// When it last came to the top of the inbox: with its latest message, or at the end of a snooze.
    #[field(read_only, filter, sort)]
    pub active_at: Option<Time>,
    /// Messages received that no member has read.
    #[field(hidden, default = "0", stored_as = "unread_count")]
    pub unread_by_all: i64,
    /// The job that ends the snooze.
    #[field(hidden)]
    pub snooze_job: Option<Uuid>,
    #[field(read_only, filter, sort)]
    pub created_at: Time,
    #[field(read_only)]
    pub updated_at: Time,
}

const INDEXES: &[Index] = &[
    Index { name: "conversations_contact_id", fields: &["contact_id"] },
    Index { name: "conversations_last_message_at", fields: &["last_message_at"] },
    Index { name: "conversations_status_last_message_at", fields: &["status", "last_message_at"] },
    Index { name: "conversations_active_at", fields: &["active_at"] },
    Index { name: "conversations_status_active_at", fields: &["status", "active_at"] },
    Index { name: "conversations_assigned_to_status_active_at", fields: &["assigned_to", "status", "active_at"] },
    Index { name: "conversations_snoozed_until", fields: &["snoozed_until"] },
];

const FOUND_IN: FoundIn = FoundIn::of::<Message>("conversation_id");

const UNREAD: Own = Own { table: "conversation_unread", member: "user_id", record: "conversation_id", value: "n" };

const LINKS: &[Link] = &[Link::to::<ContactName>("contact", "contact_id")];

/// A member that only a reply has, so that a record can be read, changed and sent back.
#[derive(Resource)]
pub struct Related {
    #[field(read_only)]
    pub contact: Option<Map<String, Json>>,
}
const RELATED: &[Field] = Related::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    get("/conversations", "list_conversations", "List conversations")
        .feature(Feature::Outreach)
        .scope(MESSAGES_READ)
        .list::<Conversation>()
        .read(list),
    get("/conversations/{id}", "get_conversation", "Get a conversation")
        .feature(Feature::Outreach)
        .scope(MESSAGES_READ)
        .record::<Conversation>()
        .read(one),
    put("/conversations/{id}", "update_conversation", "Archive, assign or snooze a conversation")
        .feature(Feature::Outreach)
        .scope(MESSAGES_WRITE)
        .body::<Conversation>("ConversationUpdate", RELATED, false)
        .write(change)
        .gives::<Conversation>(&[200]),
    post("/conversations/{id}/read", "read_conversation", "Mark a conversation's messages as read")
        .feature(Feature::Outreach)
        .scope(MESSAGES_WRITE)
        .write(read)
        .gives::<Conversation>(&[200]),
    post("/conversations/{id}/unread", "unread_conversation", "Mark a conversation as unread")
        .feature(Feature::Outreach)
        .scope(MESSAGES_WRITE)
        .write(mark_unread)
        .gives::<Conversation>(&[200]),
    get("/contacts/{id}/conversations", "list_contact_conversations", "List a contact's conversations")
        .feature(Feature::Outreach)
        .scope(MESSAGES_READ)
        .list::<Conversation>()
        .read(list_of_contact),
    get("/conversations/{id}/messages", "list_messages", "List a conversation's messages")
        .feature(Feature::Outreach)
        .scope(MESSAGES_READ)
        .list::<Message>()
        .read(list_messages),
];

fn list(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let visible = private::visible(&call.ctx, tx, Conversation::ACCOUNT_ID.field)?;
    list_where::<Conversation>(call, tx, &visible)
}

fn list_of_contact(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let visible = private::visible(&call.ctx, tx, Conversation::ACCOUNT_ID.field)?;
    list_by::<Contact, Conversation>(call, tx, "contact_id", LINKS, &visible)
}

/// The conversation in the path, unless it is private to another member.
pub fn seen(call: &Call, tx: &mut dyn Tx) -> Result<Saved<Conversation>, Error> {
    find_visible(&call.ctx, tx, call.id(0, "conversation")?)
}

/// A conversation, unless it is private to another member.
pub fn find_visible(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Saved<Conversation>, Error> {
    let conversation = find::<Conversation>(ctx, tx, id)?;
    private::check(ctx, tx, conversation.record.account_id, "conversation")?;
    Ok(conversation)
}

fn one(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let conversation = seen(call, tx)?;
    show::<Conversation>(&call.ctx, tx, conversation.id)
}

fn list_messages(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    // Wrong parameters are reported before a missing conversation, as in every list.
    asked::<Message>(call, tx)?;
    seen(call, tx)?;
    list_under::<Conversation, Message>(call, tx)
}

fn change(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let ctx = &call.ctx;
    let mut changes = call.changes::<Conversation>(RELATED, false)?;
    let conversation = seen(call, tx)?;
    if let Some(problem) = references::member(ctx, tx, &changes, Conversation::ASSIGNED_TO)? {
        return Err(Error::Invalid(vec![problem]));
    }
    if let Some(Value::Id(member)) = changes.get(Conversation::ASSIGNED_TO)
        && private::owner(ctx, tx, conversation.record.account_id)?.is_some_and(|owner| owner != *member)
    {
        return Err(invalid(
            Conversation::ASSIGNED_TO.name(),
            "does not see this conversation: its mailbox is private; make the mailbox visible to the workspace first",
        ));
    }
    snooze::normalize(ctx, tx, &mut changes, &conversation)?;
    update(ctx, tx, &conversation, &changes)?;
    show::<Conversation>(ctx, tx, conversation.id)
}

/// Other members keep their unread messages.
fn read(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const READ: &str = "UPDATE messages SET read_at = $1, updated_at = $1, version = version + 1 \
         WHERE workspace_id = $2 AND conversation_id = $3 AND direction = 'inbound' AND read_at IS NULL";
    let (ctx, conversation) = (&call.ctx, seen(call, tx)?);
    let mut changes = Changes::default();
    changes.set(Conversation::UNREAD_BY_ALL, 0);
    let more = unread::set(ctx, tx, conversation.id, 0)?;
    if update_as(ctx, tx, &conversation, &changes, "read", &more)? && conversation.record.unread_by_all > 0 {
        let now = tx.stamp();
        tx.execute(READ, &[now.into(), ctx.workspace.into(), conversation.id.into()])?;
    }
    show::<Conversation>(ctx, tx, conversation.id)
}

/// A conversation that is unread already keeps its number.
fn mark_unread(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (ctx, conversation) = (&call.ctx, seen(call, tx)?);
    if unread::count(ctx, tx, conversation.id)? == 0 {
        let more = unread::set(ctx, tx, conversation.id, 1)?;
        update_as(ctx, tx, &conversation, &Changes::default(), "unread", &more)?;
    }
    show::<Conversation>(ctx, tx, conversation.id)
}

pub struct New<'a> {
    pub channel: Channel,
    pub account_id: Uuid,
    pub contact_id: Uuid,
    pub subject: Option<&'a str>,
}

/// The conversation of a message without a thread: network and chat have one between a contact and an account, and each email
/// starts a new one.
pub fn begin(ctx: &Ctx, tx: &mut dyn Tx, new: &New) -> Result<Uuid, Error> {
    match between(ctx, tx, new)? {
        Some(id) => Ok(id),
        None => make(ctx, tx, new),
    }
}

/// Creates a conversation for a message.
pub fn make(ctx: &Ctx, tx: &mut dyn Tx, new: &New) -> Result<Uuid, Error> {
    let mut changes = Changes::default();
    changes.set(Conversation::CHANNEL, new.channel);
    changes.set(Conversation::ACCOUNT_ID, new.account_id);
    changes.set(Conversation::CONTACT_ID, new.contact_id);
    changes.set(Conversation::SUBJECT, new.subject.map(str::to_owned));
    changes.set(Conversation::LAST_MESSAGE_AT, tx.stamp());
    changes.set(Conversation::ACTIVE_AT, tx.stamp());
    resource::insert::<Conversation>(ctx, tx, &changes)
}

/// The network or chat conversation between a contact and an account.
pub fn between(ctx: &Ctx, tx: &mut dyn Tx, new: &New) -> Result<Option<Uuid>, Error> {
    const BETWEEN: &str = "SELECT id FROM conversations \
         WHERE workspace_id = $1 AND contact_id = $2 AND account_id = $3 AND channel = $4 ORDER BY id DESC LIMIT 1";
    if new.channel == Channel::Email {
        return Ok(None);
    }
    let channel = Value::from(new.channel.word());
    Ok(tx.one(BETWEEN, &[ctx.workspace.into(), new.contact_id.into(), new.account_id.into(), channel], |row| {
        row.id(0)
    })?)
}

/// What happened in a conversation.
pub enum Moved {
    Sent,
    /// With the number of messages that nobody has read yet. Messages from before the account was connected are none,
    /// and change nothing else.
    Received {
        unread: i64,
        is_history: bool,
    },
}

/// Records that a message was sent or received: reopens the conversation and moves it to the top. A received message
/// ends a snooze and is unread for every member.
pub fn moved(ctx: &Ctx, tx: &mut dyn Tx, conversation: &Saved<Conversation>, what: &Moved) -> Result<(), Error> {
    let (now, mut changes) = (tx.stamp(), Changes::default());
    changes.set(Conversation::STATUS, ConversationStatus::Open);
    changes.set(Conversation::LAST_MESSAGE_AT, now);
    changes.set(Conversation::ACTIVE_AT, now);
    if let Moved::Received { unread, is_history } = what {
        if !is_history {
            snooze::end(ctx, tx, &mut changes, conversation)?;
        }
        if *unread > 0 {
            changes.set(Conversation::UNREAD_BY_ALL, conversation.record.unread_by_all + unread);
            unread::add(ctx, tx, conversation.id, *unread)?;
        }
    }
    update(ctx, tx, conversation, &changes).map(drop)
}
