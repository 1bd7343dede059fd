//! Messages to and from contacts. Outgoing ones are `queued → sent | failed`, incoming ones `received`.

mod compose;
mod later;

use crate::api::call::{Call, Content, Reply, Stored, list_under, show, show_with};
use crate::api::operation::{Computation, Operation, get, post, put};
use crate::api::scope::{Feature, MESSAGES_READ, MESSAGES_WRITE};
use crate::outreach::account::Channel;
use crate::outreach::attached::{self, LONGEST_ADDRESS, MOST_COPIES};
use crate::outreach::conversation::Conversation;
use crate::outreach::outbox;
use crate::records::contact::ContactName;
use resource::{Error, Field, Format, Ids, Index, Items, Link, Resource, Time, not_found};
use store::{Tx, Uuid};

resource::choices! {
    Direction { Inbound = "inbound", Outbound = "outbound" }
}
resource::choices! {
    MessageStatus { Queued = "queued", Sent = "sent", Failed = "failed", Received = "received" }
}
resource::choices! {
    /// What it is: something said, a move on a professional network, or what a machine answered.
    MessageKind {
        Message = "message", Invite = "invite", Inmail = "inmail", Visit = "visit", AutoReply = "auto_reply",
        OutOfOffice = "out_of_office", Bounce = "bounce", Complaint = "complaint", Notice = "notice",
    }
}

/// A file that came with a message.
#[derive(Resource)]
pub struct Attachment {
    pub id: Uuid,
    pub filename: String,
    pub content_type: String,
    /// In bytes.
    pub size: i64,
    /// Below the API's address; opens with the same key.
    pub path: String,
    /// Why its content was not stored, if it was not.
    pub left_out: Option<String>,
}

/// What was said to a contact, or by them.
#[derive(Resource)]
#[resource(table = "messages", one = "message", default_sort = "-sent_at", indexes = INDEXES)]
pub struct Message {
    #[field(read_only)]
    pub id: Uuid,
    #[field(read_only, subject)]
    pub conversation_id: Uuid,
    /// As plain text.
    #[field(read_only)]
    pub content: String,
    /// As HTML, safe to show, where it has any.
    #[field(read_only)]
    pub html: Option<String>,
    #[field(read_only)]
    pub subject: Option<String>,
    #[field(read_only, filter, counted)]
    pub direction: Direction,
    #[field(read_only, filter, counted)]
    pub channel: Channel,
    /// The contact's address, number or profile that it went to or came from.
    #[field(read_only)]
    pub address: Option<String>,
    /// Further recipients of a sent mail, whom all can see.
    #[field(read_only)]
    pub cc: Vec<String>,
    /// Further recipients of a sent mail, whom nobody else can see.
    #[field(read_only)]
    pub bcc: Vec<String>,
    /// Where answers to a sent mail go, if not to the account.
    #[field(read_only)]
    pub reply_to: Option<String>,
    #[field(read_only, default = "\"message\"")]
    pub kind: MessageKind,
    #[field(read_only, filter, counted)]
    pub status: MessageStatus,
    /// Why it failed.
    #[field(read_only)]
    pub error: Option<String>,
    #[field(read_only)]
    pub attachments: Items<Attachment>,
    /// Not before this time, if it was given one.
    #[field(filter, sort)]
    pub send_at: Option<Time>,
    #[field(read_only, filter, sort)]
    pub sent_at: Option<Time>,
    #[field(read_only)]
    pub read_at: Option<Time>,
    /// The enrollment and step that sent it, if a sequence did.
    #[field(read_only)]
    pub enrollment_id: Option<Uuid>,
    #[field(read_only)]
    pub step_id: Option<Uuid>,
    #[field(read_only, subject)]
    pub contact_id: Uuid,
    #[field(hidden)]
    pub account_id: Uuid,
    /// Its Message-ID, or the provider's name for it.
    #[field(hidden)]
    pub reference: Option<String>,
    /// When it was last handed over, for the account's caps.
    #[field(hidden)]
    pub handed_at: Option<Time>,
    #[field(hidden)]
    pub bounced_at: Option<Time>,
    #[field(read_only)]
    pub created_at: Time,
}

const INDEXES: &[Index] = &[
    Index { name: "messages_conversation_id_sent_at", fields: &["conversation_id", "sent_at"] },
    Index { name: "messages_sent_at", fields: &["sent_at"] },
    Index { name: "messages_status_sent_at", fields: &["status", "sent_at"] },
    Index { name: "messages_send_at", fields: &["send_at"] },
    Index { name: "messages_reference", fields: &["reference"] },
    Index { name: "messages_account_id_handed_at", fields: &["account_id", "handed_at"] },
];

/// Characters of a body.
const LONGEST: usize = 100_000;

/// A message to a contact.
#[derive(Resource)]
pub struct MessageInput {
    #[field(required)]
    pub contact_id: Uuid,
    #[field(required)]
    pub channel: Channel,
    /// HTML when it begins with `<`, else plain text. Required unless `template_id` is given.
    #[field(max = LONGEST)]
    pub content: Option<String>,
    /// Of an email.
    #[field(max = 255)]
    pub subject: Option<String>,
    /// The key owner's account for the channel unless given, else the workspace's oldest.
    pub account_id: Option<Uuid>,
    /// A message template that is filled in for the contact, instead of `content`. A `subject` that is given replaces its own.
    pub template_id: Option<Uuid>,
    /// Further recipients of an email.
    #[field(max = MOST_COPIES, item_max = LONGEST_ADDRESS, format = Format::Email)]
    pub cc: Vec<String>,
    /// Further recipients of an email, whom nobody else can see.
    #[field(max = MOST_COPIES, item_max = LONGEST_ADDRESS, format = Format::Email)]
    pub bcc: Vec<String>,
    /// Where answers to an email go; to the account unless given.
    #[field(max = LONGEST_ADDRESS, format = Format::Email)]
    pub reply_to: Option<String>,
    /// Ids of files of contacts and projects, for an email: 20 MB in all.
    #[field(max = attached::MOST)]
    pub attachments: Ids,
    /// False leaves out the signature of the account.
    pub signature: Option<bool>,
    /// Not before this time, at most a year ahead; at once unless given.
    pub send_at: Option<Time>,
}
const INPUT: &[Field] = MessageInput::FIELDS;

/// An answer in a conversation.
#[derive(Resource)]
pub struct ReplyInput {
    #[field(as_in = INPUT)]
    pub content: Option<String>,
    /// Of an email; `Re:` and the conversation's unless given.
    #[field(max = 255)]
    pub subject: Option<String>,
    #[field(as_in = INPUT)]
    pub template_id: Option<Uuid>,
    #[field(as_in = INPUT)]
    pub cc: Vec<String>,
    #[field(as_in = INPUT)]
    pub bcc: Vec<String>,
    #[field(as_in = INPUT)]
    pub reply_to: Option<String>,
    #[field(as_in = INPUT)]
    pub attachments: Ids,
    #[field(as_in = INPUT)]
    pub signature: Option<bool>,
    #[field(as_in = INPUT)]
    pub send_at: Option<Time>,
}
const REPLY: &[Field] = ReplyInput::FIELDS;

const WITH_CONTACT: &[Link] = &[Link::to::<ContactName>("contact", "contact_id")];

pub const OPERATIONS: &[Operation] = &[
    get("/conversations/{id}/messages", "list_messages", "List a conversation's messages")
        .feature(Feature::Outreach)
        .scope(MESSAGES_READ)
        .list::<Message>()
        .read(list_under::<Conversation, Message>),
    post("/conversations/{id}/messages", "reply_in_conversation", "Answer in a conversation")
        .feature(Feature::Outreach)
        .scope(MESSAGES_WRITE)
        .members("ReplyInput", REPLY)
        .prepare_read(compose_reply)
        .write(answer)
        .gives::<Message>(&[201]),
    get("/messages", "list_all_messages", "List messages of all conversations")
        .feature(Feature::Outreach)
        .scope(MESSAGES_READ)
        .list::<Message>(),
    post("/messages", "send_message", "Send a message to a contact")
        .feature(Feature::Outreach)
        .scope(MESSAGES_WRITE)
        .members("MessageInput", INPUT)
        .prepare_read(compose_new)
        .write(send)
        .gives::<Message>(&[201])
        .shows("SentMessage", WITH_CONTACT),
    get("/messages/{id}", "get_message", "Get a message")
        .feature(Feature::Outreach)
        .scope(MESSAGES_READ)
        .record::<Message>(),
    put("/messages/{id}", "update_message", "Send a queued message at another time")
        .feature(Feature::Outreach)
        .scope(MESSAGES_WRITE)
        .body::<Message>("MessageUpdate", &[], false)
        .write(later::change)
        .gives::<Message>(&[200]),
    post("/messages/{id}/cancel", "cancel_message", "Cancel a queued message")
        .feature(Feature::Outreach)
        .scope(MESSAGES_WRITE)
        .write(later::cancel)
        .gives::<Message>(&[200]),
    get(
        "/messages/{id}/attachments/{attachment_id}",
        "download_attachment",
        "Download a file that came with a message",
    )
    .feature(Feature::Outreach)
    .scope(MESSAGES_READ)
    .gives_file()
    .read(attachment),
];

fn compose_new(call: &Call, tx: &mut dyn Tx) -> Result<Computation, Error> {
    let asked = compose::new(call, tx)?;
    compose::ahead(call, tx, &asked)
}

fn send(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let outgoing = compose::new(call, tx)?.outgoing(call, tx)?;
    let queued = outbox::put(&call.ctx, tx, &outgoing)?.message_id;
    let reply = show_with::<Message>(&call.ctx, tx, queued, WITH_CONTACT)?;
    Ok(reply.created(format!("/messages/{queued}")))
}

fn compose_reply(call: &Call, tx: &mut dyn Tx) -> Result<Computation, Error> {
    let asked = compose::reply(call, tx)?;
    compose::ahead(call, tx, &asked)
}

fn answer(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let outgoing = compose::reply(call, tx)?.outgoing(call, tx)?;
    let queued = outbox::put(&call.ctx, tx, &outgoing)?.message_id;
    Ok(show::<Message>(&call.ctx, tx, queued)?.created(format!("/messages/{queued}")))
}

fn attachment(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const STORED: &str = "SELECT blob, filename, content_type, size FROM attachments \
         WHERE workspace_id = $1 AND message_id = $2 AND id = $3";
    let params = [call.ctx.workspace.into(), call.id(0, "message")?.into(), call.id(1, "attachment")?.into()];
    let stored = tx.one(STORED, &params, |row| {
        Ok(Stored {
            blob: row.text(0)?,
            filename: row.text(1)?,
            content_type: row.text(2)?,
            size: row.int(3)?.unsigned_abs(),
        })
    })?;
    Ok(Reply::of(Content::File(stored.ok_or_else(|| not_found("attachment"))?)))
}
