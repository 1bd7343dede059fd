//! Messages to and from contacts. Outgoing ones are `queued → sent | failed`, incoming ones `received`.

use crate::api::call::{Call, Content, Reply, Stored, list_where, show};
use crate::api::operation::{Operation, get};
use crate::api::private;
use crate::api::scope::{Feature, MESSAGES_READ};
use crate::outreach::account::Channel;
use resource::{Ctx, Error, Index, Items, Resource, Saved, Time, find, not_found};
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

resource::choices! {
    /// Who wrote a message by hand, or by a program.
    AuthorKind { User = "user", Key = "key" }
}

/// A file that came with a message.
#[derive(Resource)]
pub struct Attachment {
    pub id: Uuid,
    pub filename: String,
    pub content_type: String,
    /// In bytes.
    pub size: i64,
    /// Of a file of a received mail: its HTML shows it where an image has this id in `data-src`, as `cid:` and the id.
    pub content_id: Option<String>,
    /// Below the API's address; opens with the same key.
    pub path: String,
    /// Why its content was not stored, if it was not.
    pub left_out: Option<String>,
}

/// What was said to a contact, or by them.
#[derive(Resource)]
#[resource(table = "messages", one = "message", default_sort = "-sent_at", texts_in = "message_texts", indexes = INDEXES)]
pub struct Message {
    #[field(read_only)]
    pub id: Uuid,
    #[field(read_only, subject)]
    pub conversation_id: Uuid,
    /// As plain text. Of a received mail, what its sender wrote.
    #[field(read_only, search)]
    pub content: String,
    /// The mail that a received mail quotes, as plain text, with the lines that introduce it. `null` if it quotes none, or if
    /// the sender wrote between the quoted lines.
    #[field(read_only)]
    pub quoted: Option<String>,
    /// As HTML, safe to show, where it has any. Images of a received mail are not loaded: their addresses are in `data-src`.
    #[field(read_only)]
    pub html: Option<String>,
    #[field(read_only, search)]
    pub subject: Option<String>,
    #[field(read_only, filter, counted)]
    pub direction: Direction,
    #[field(read_only, filter, counted)]
    pub channel: Channel,
    /// The contact's address, number or profile that it went to or came from.
    #[field(read_only, search)]
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
    /// When the first member read it.
    #[field(read_only)]
    pub read_at: Option<Time>,
    /// The enrollment and step that sent it, if a sequence did.
    #[field(read_only)]
    pub enrollment_id: Option<Uuid>,
    #[field(read_only)]
    pub step_id: Option<Uuid>,
    /// The variant of the step whose text it has, if the step had variants.
    #[field(read_only)]
    pub variant_id: Option<Uuid>,
    /// Who wrote a message to the contact: a member or an API key. `null` for mails of sequences and for mails that were
    /// written in another program.
    #[field(read_only)]
    pub author_kind: Option<AuthorKind>,
    #[field(read_only)]
    pub author_id: Option<Uuid>,
    /// The name of the member or of the key when it was written.
    #[field(read_only)]
    pub author_name: Option<String>,
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
    #[field(hidden)]
    pub updated_at: Time,
}

const INDEXES: &[Index] = &[
    Index { name: "messages_conversation_id_sent_at", fields: &["conversation_id", "sent_at"] },
    Index { name: "messages_sent_at", fields: &["sent_at"] },
    Index { name: "messages_status_sent_at", fields: &["status", "sent_at"] },
    Index { name: "messages_send_at", fields: &["send_at"] },
    Index { name: "messages_reference", fields: &["reference"] },
    Index { name: "messages_account_id_handed_at", fields: &["account_id", "handed_at"] },
    Index { name: "messages_updated_at", fields: &["updated_at"] },
];

pub const OPERATIONS: &[Operation] = &[
    get("/messages", "list_all_messages", "List messages of all conversations")
        .feature(Feature::Outreach)
        .scope(MESSAGES_READ)
        .list::<Message>()
        .read(list),
    get("/messages/{id}", "get_message", "Get a message")
        .feature(Feature::Outreach)
        .scope(MESSAGES_READ)
        .record::<Message>()
        .read(one),
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

fn list(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let visible = private::visible(&call.ctx, tx, Message::ACCOUNT_ID.field)?;
    list_where::<Message>(call, tx, &visible)
}

/// The message in the path, unless it is private to another member.
pub fn seen(call: &Call, tx: &mut dyn Tx) -> Result<Saved<Message>, Error> {
    find_visible(&call.ctx, tx, call.id(0, "message")?)
}

/// A message, unless it is private to another member.
pub fn find_visible(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Saved<Message>, Error> {
    let message = find::<Message>(ctx, tx, id)?;
    private::check(ctx, tx, message.record.account_id, "message")?;
    Ok(message)
}

fn one(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let message = seen(call, tx)?;
    show::<Message>(&call.ctx, tx, message.id)
}

fn attachment(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const STORED: &str = "SELECT blob, filename, content_type, size FROM attachments \
         WHERE workspace_id = $1 AND message_id = $2 AND id = $3";
    let params = [call.ctx.workspace.into(), seen(call, tx)?.id.into(), call.id(1, "attachment")?.into()];
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
