//! Messages to and from contacts. Outgoing ones are `queued → sent | failed`, incoming ones `received`.

use crate::api::call::{Call, Content, Prepared, Reply, Stored, list_under, show, show_with};
use crate::api::operation::{Operation, get, post};
use crate::api::scope::{Feature, MESSAGES_READ, MESSAGES_WRITE};
use crate::outreach::account::{self, Channel, ConnectedAccount};
use crate::outreach::conversation::Conversation;
use crate::outreach::outbox::{self, Markup, Outgoing, Thread};
use crate::records::contact::{Contact, ContactName};
use crate::records::references;
use resource::{Changes, Error, Field, Index, Items, Link, Problem, Resource, Time, find, invalid, not_found};
use store::{Tx, Uuid, Value};

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
    #[field(read_only, default = "\"message\"")]
    pub kind: MessageKind,
    #[field(read_only, filter, counted)]
    pub status: MessageStatus,
    /// Why it failed.
    #[field(read_only)]
    pub error: Option<String>,
    #[field(read_only)]
    pub attachments: Items<Attachment>,
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
    /// HTML when it begins with `<`, else plain text.
    #[field(required, max = LONGEST)]
    pub content: String,
    /// Of an email.
    #[field(max = 255)]
    pub subject: Option<String>,
    /// The key owner's account for the channel unless given, else the workspace's oldest.
    pub account_id: Option<Uuid>,
}
const INPUT: &[Field] = MessageInput::FIELDS;

/// An answer in a conversation.
#[derive(Resource)]
pub struct ReplyInput {
    /// HTML when it begins with `<`, else plain text.
    #[field(required, max = LONGEST)]
    pub content: String,
    /// Of an email; `Re:` and the conversation's unless given.
    #[field(max = 255)]
    pub subject: Option<String>,
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
        .write(answer)
        .prepare(prepare)
        .gives::<Message>(&[201]),
    post("/messages", "send_message", "Send a message to a contact")
        .feature(Feature::Outreach)
        .scope(MESSAGES_WRITE)
        .members("MessageInput", INPUT)
        .write(send)
        .prepare(prepare)
        .gives::<Message>(&[201])
        .shows("SentMessage", WITH_CONTACT),
    get("/messages/{id}", "get_message", "Get a message")
        .feature(Feature::Outreach)
        .scope(MESSAGES_READ)
        .record::<Message>(),
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

fn send(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let mut asked = call.members(INPUT)?;
    let ctx = &call.ctx;
    let mut problems: Vec<Problem> = Vec::new();
    problems.extend(references::record::<Contact, _>(ctx, tx, &mut asked, MessageInput::CONTACT_ID)?);
    problems.extend(references::record::<ConnectedAccount, _>(ctx, tx, &mut asked, MessageInput::ACCOUNT_ID)?);
    if !problems.is_empty() {
        return Err(Error::Invalid(problems));
    }
    let id = |name: &str| if let Some(Value::Id(id)) = asked.named(name) { Some(*id) } else { None };
    let channel = asked.named_text("channel").and_then(Channel::from_word).unwrap_or(Channel::Email);
    let account = match id("account_id") {
        Some(account) => account,
        None => account::default(ctx, tx, channel, ctx.actor.user)?.ok_or_else(|| {
            let reason = format!(
                "no account is connected for {}; an operator adds one by `relata accounts add`",
                channel.word()
            );
            invalid("channel", reason)
        })?,
    };
    let subject = subject(channel, &asked)?;
    let (text, html) = parts(call, channel, asked.named_text("content").unwrap_or_default())?;
    let outgoing =
        Outgoing { subject, html, ..Outgoing::new(id("contact_id").unwrap_or_default(), account, channel, text) };
    let queued = outbox::put(ctx, tx, &outgoing)?.message_id;
    let reply = show_with::<Message>(ctx, tx, queued, WITH_CONTACT)?;
    Ok(reply.created(format!("/messages/{queued}")))
}

fn answer(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let asked = call.members(REPLY)?;
    let conversation = find::<Conversation>(&call.ctx, tx, call.id(0, "conversation")?)?;
    let record = &conversation.record;
    let subject = subject(record.channel, &asked)?;
    let (text, html) = parts(call, record.channel, asked.named_text("content").unwrap_or_default())?;
    let outgoing = Outgoing {
        thread: Thread::In(conversation.id),
        subject,
        html,
        ..Outgoing::new(record.contact_id, record.account_id, record.channel, text)
    };
    let queued = outbox::put(&call.ctx, tx, &outgoing)?.message_id;
    Ok(show::<Message>(&call.ctx, tx, queued)?.created(format!("/messages/{queued}")))
}

/// The subject of an email, which must be one line.
fn subject(channel: Channel, asked: &Changes) -> Result<Option<String>, Error> {
    match asked.named_text("subject").filter(|subject| !subject.is_empty()) {
        Some(_) if channel != Channel::Email => Err(invalid("subject", "is for an email alone")),
        Some(subject) if subject.contains(char::is_control) => Err(invalid("subject", "must be one line")),
        subject => Ok(subject.map(str::to_owned)),
    }
}

/// An HTML body, converted before the transaction.
#[derive(Clone, Debug)]
struct Converted {
    text: String,
    html: Markup,
}

/// Converts an HTML body.
fn prepare(call: &Call) -> Option<Prepared> {
    let content = call.body.get("content")?.as_str()?;
    // A body that is too long is refused later.
    let is_short = content.len() <= 4 * LONGEST;
    (is_short && untrusted_html::is_html(content)).then(|| {
        let (text, html) = (untrusted_html::mail_text(content), Markup::of(content.to_owned()));
        Prepared::new(Converted { text, html })
    })
}

/// The body as text and, if it is HTML, as HTML.
fn parts(call: &Call, channel: Channel, content: &str) -> Result<(String, Option<Markup>), Error> {
    match call.prepared::<Converted>() {
        Some(_) if channel != Channel::Email => {
            Err(invalid("content", "must be plain text; HTML is for an email alone"))
        }
        Some(converted) => Ok((converted.text.clone(), Some(converted.html.clone()))),
        None => Ok((content.to_owned(), None)),
    }
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
