//! Messages that requests send: to a contact, as an answer in a conversation, now or later.

mod content;
pub mod draft;
mod later;
pub mod preview;

use crate::api::call::{Call, Reply, show, show_with};
use crate::api::operation::{Computation, Operation, post, put};
use crate::api::scope::{Feature, MESSAGES_WRITE};
use crate::outreach::account::Channel;
use crate::outreach::attached::{self, LONGEST_ADDRESS, MOST_COPIES};
use crate::outreach::message::Message;
use crate::outreach::outbox;
use crate::records::contact::ContactName;
use resource::{Error, Field, Format, Ids, Link, Resource, Time};
use store::{Tx, Uuid};

/// Characters of a body.
const LONGEST: usize = 100_000;
/// Why a text can't be taken.
const EITHER: &str = "is not for a message with a template_id; leave one of them out";
/// Why an account can't be taken.
const PRIVATE: &str = "is the private mailbox of another member; only that member sends with it";

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
    /// The draft that this message was written in. It is deleted when the message is queued.
    pub draft_id: Option<Uuid>,
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
    #[field(as_in = INPUT)]
    pub draft_id: Option<Uuid>,
}
const REPLY: &[Field] = ReplyInput::FIELDS;

const WITH_CONTACT: &[Link] = &[Link::to::<ContactName>("contact", "contact_id")];

pub const OPERATIONS: &[Operation] = &[
    post("/conversations/{id}/messages", "reply_in_conversation", "Reply in a conversation")
        .feature(Feature::Outreach)
        .scope(MESSAGES_WRITE)
        .members("ReplyInput", REPLY)
        .prepare_read(compose_reply)
        .write(answer)
        .gives::<Message>(&[201]),
    post("/messages", "send_message", "Send a message to a contact")
        .feature(Feature::Outreach)
        .scope(MESSAGES_WRITE)
        .members("MessageInput", INPUT)
        .prepare_read(compose_new)
        .write(send)
        .gives::<Message>(&[201])
        .shows("SentMessage", WITH_CONTACT),
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
];

fn compose_new(call: &Call, tx: &mut dyn Tx) -> Result<Computation, Error> {
    let asked = content::new(call, tx)?;
    content::ahead(call, tx, &asked)
}

fn send(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let asked = content::new(call, tx)?;
    let queued = queue(call, tx, &asked)?;
    let reply = show_with::<Message>(&call.ctx, tx, queued, WITH_CONTACT)?;
    Ok(reply.created(format!("/messages/{queued}")))
}

fn compose_reply(call: &Call, tx: &mut dyn Tx) -> Result<Computation, Error> {
    let asked = content::reply(call, tx)?;
    content::ahead(call, tx, &asked)
}

fn answer(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let asked = content::reply(call, tx)?;
    let queued = queue(call, tx, &asked)?;
    Ok(show::<Message>(&call.ctx, tx, queued)?.created(format!("/messages/{queued}")))
}

/// Queues the message, and deletes the draft that it was written in.
fn queue(call: &Call, tx: &mut dyn Tx, asked: &content::Asked) -> Result<Uuid, Error> {
    let outgoing = asked.outgoing(call, tx)?;
    let queued = outbox::put(&call.ctx, tx, &outgoing)?.message_id;
    if let Some(draft) = asked.draft() {
        draft::discard(call, tx, draft)?;
    }
    Ok(queued)
}
