//! Conversations: an email thread, or all network or chat messages between a contact and an account. `open ⇄ archived`; a new
//! message reopens it.

use crate::api::call::{Call, Reply, list_under, show};
use crate::api::operation::{Operation, get, post, put};
use crate::api::scope::{Feature, MESSAGES_READ, MESSAGES_WRITE};
use crate::outreach::account::Channel;
use crate::records::contact::{Contact, ContactName};
use resource::{Changes, Ctx, Error, Field, Index, Link, Resource, Saved, Time, find, update};
use serde_json::{Map, Value as Json};
use store::{Tx, Uuid, Value};

resource::choices! {
    ConversationStatus { Open = "open", Archived = "archived" }
}

/// Messages with a contact that belong together.
#[derive(Resource)]
#[resource(table = "conversations", one = "conversation", default_sort = "-last_message_at", indexes = INDEXES, links = LINKS)]
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
    /// Messages received and not read.
    #[field(read_only, filter, default = "0")]
    pub unread_count: i64,
    #[field(read_only, filter, sort)]
    pub last_message_at: Option<Time>,
    #[field(read_only, filter, sort)]
    pub created_at: Time,
    #[field(read_only)]
    pub updated_at: Time,
}

const INDEXES: &[Index] = &[
    Index { name: "conversations_contact_id", fields: &["contact_id"] },
    Index { name: "conversations_unread_count", fields: &["unread_count"] },
    Index { name: "conversations_last_message_at", fields: &["last_message_at"] },
    Index { name: "conversations_status_last_message_at", fields: &["status", "last_message_at"] },
];

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
        .list::<Conversation>(),
    get("/conversations/{id}", "get_conversation", "Get a conversation")
        .feature(Feature::Outreach)
        .scope(MESSAGES_READ)
        .record::<Conversation>(),
    put("/conversations/{id}", "update_conversation", "Archive a conversation, or open it again")
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
    get("/contacts/{id}/conversations", "list_contact_conversations", "List a contact's conversations")
        .feature(Feature::Outreach)
        .scope(MESSAGES_READ)
        .list::<Conversation>()
        .read(list_under::<Contact, Conversation>),
];

fn change(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let changes = call.changes::<Conversation>(RELATED, false)?;
    let conversation = find::<Conversation>(&call.ctx, tx, call.id(0, "conversation")?)?;
    update(&call.ctx, tx, &conversation, &changes)?;
    show::<Conversation>(&call.ctx, tx, conversation.id)
}

fn read(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const READ: &str = "UPDATE messages SET read_at = $1, updated_at = $1, version = version + 1 \
         WHERE workspace_id = $2 AND conversation_id = $3 AND direction = 'inbound' AND read_at IS NULL";
    let conversation = find::<Conversation>(&call.ctx, tx, call.id(0, "conversation")?)?;
    let mut changes = Changes::default();
    changes.set(Conversation::UNREAD_COUNT, 0);
    if update(&call.ctx, tx, &conversation, &changes)? {
        let now = tx.stamp();
        tx.execute(READ, &[now.into(), call.ctx.workspace.into(), conversation.id.into()])?;
    }
    show::<Conversation>(&call.ctx, tx, conversation.id)
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

/// Records that a message was sent or received: reopens the conversation and adds to its unread messages.
pub fn moved(ctx: &Ctx, tx: &mut dyn Tx, conversation: &Saved<Conversation>, unread: i64) -> Result<(), Error> {
    let (now, mut changes) = (tx.stamp(), Changes::default());
    changes.set(Conversation::STATUS, ConversationStatus::Open);
    changes.set(Conversation::LAST_MESSAGE_AT, now);
    changes.set(Conversation::UNREAD_COUNT, conversation.record.unread_count + unread);
    update(ctx, tx, conversation, &changes).map(drop)
}
