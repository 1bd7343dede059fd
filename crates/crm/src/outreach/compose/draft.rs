//! Drafts of messages. A member has one for a new message to a contact, and one for each conversation. Nobody else sees
//! them, and they make no events.

use super::{INPUT, MessageInput};
use crate::api::call::{Call, Reply};
use crate::api::operation::{Operation, delete, get, post};
use crate::api::scope::{Feature, MESSAGES_READ, MESSAGES_WRITE};
use crate::outreach::account::Channel;
use crate::outreach::attached::{self, LONGEST_ADDRESS, MOST_COPIES};
use crate::outreach::conversation;
use crate::records::contact::Contact;
use crate::tenant::member;
use resource::{Error, Field, Ids, Resource, StoredRow, Time, find, invalid, not_found};
use serde_json::{Map, Value as Json, json};
use store::{Row, Tx, Uuid, Value};

/// Most drafts of a member, and most characters in all of them, since a list has them whole.
const MOST: i64 = 500;
const MOST_TEXT: i64 = 5_000_000;

/// What a draft contains: everything that a message can have, complete or not.
#[derive(Resource)]
pub struct DraftInput {
    #[field(required)]
    pub contact_id: Uuid,
    /// The conversation that it answers in; a new message unless given.
    pub conversation_id: Option<Uuid>,
    #[field(default = "\"email\"")]
    pub channel: Channel,
    #[field(as_in = INPUT)]
    pub content: Option<String>,
    #[field(max = 255)]
    pub subject: Option<String>,
    pub account_id: Option<Uuid>,
    #[field(max = MOST_COPIES, item_max = LONGEST_ADDRESS)]
    pub cc: Vec<String>,
    #[field(max = MOST_COPIES, item_max = LONGEST_ADDRESS)]
    pub bcc: Vec<String>,
    #[field(max = LONGEST_ADDRESS)]
    pub reply_to: Option<String>,
    /// Ids of files.
    #[field(max = attached::MOST)]
    pub attachments: Ids,
    pub signature: Option<bool>,
    pub send_at: Option<Time>,
}
const DRAFT: &[Field] = DraftInput::FIELDS;
/// The members that are stored as they were sent.
const STORED: &[&str] =
    &["content", "subject", "account_id", "cc", "bcc", "reply_to", "attachments", "signature", "send_at"];

/// A message that is not sent yet. It has no version.
#[derive(Resource)]
#[resource(one = "message_draft")]
pub struct MessageDraft {
    pub id: Uuid,
    pub contact_id: Uuid,
    pub conversation_id: Option<Uuid>,
    pub channel: Channel,
    pub content: Option<String>,
    pub subject: Option<String>,
    pub account_id: Option<Uuid>,
    pub cc: Vec<String>,
    pub bcc: Vec<String>,
    pub reply_to: Option<String>,
    pub attachments: Ids,
    pub signature: Option<bool>,
    pub send_at: Option<Time>,
    pub created_at: Time,
    pub updated_at: Time,
}

/// Drafts for one contact or one conversation.
#[derive(Resource)]
pub struct DraftQuery {
    /// Only drafts of messages to this contact.
    pub contact_id: Option<Uuid>,
    /// Only drafts of replies in this conversation.
    pub conversation_id: Option<Uuid>,
}
const QUERY: &[Field] = DraftQuery::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    get("/message-drafts", "list_message_drafts", "List your own drafts of messages")
        .feature(Feature::Outreach)
        .scope(MESSAGES_READ)
        .whole_list::<MessageDraft>()
        .query(QUERY)
        .read(list),
    post("/message-drafts", "save_message_draft", "Save the draft of a message to a contact")
        .feature(Feature::Outreach)
        .scope(MESSAGES_WRITE)
        .members("MessageDraftInput", DRAFT)
        .gives::<MessageDraft>(&[200, 201])
        .write(save),
    get("/message-drafts/{id}", "get_message_draft", "Get the draft of a message")
        .feature(Feature::Outreach)
        .scope(MESSAGES_READ)
        .gives::<MessageDraft>(&[200])
        .read(read),
    delete("/message-drafts/{id}", "delete_message_draft", "Delete the draft of a message")
        .feature(Feature::Outreach)
        .scope(MESSAGES_WRITE)
        .write(remove),
];

/// The columns of a draft. After a merge the contact is the one that was kept.
const COLUMNS: &str = "d.id, coalesce(m.new_id, d.contact_id), d.conversation_id, d.channel, d.members, d.created_at, \
     d.updated_at FROM message_drafts d LEFT JOIN merged_ids m ON m.workspace_id = d.workspace_id AND m.old_id = d.contact_id \
     WHERE d.workspace_id = $1 AND d.user_id = $2";

/// A stored draft as it is shown.
fn shown(row: &dyn Row) -> Result<(Uuid, Json), store::Error> {
    let id = row.id(0)?;
    let stored: Map<String, Json> = row.json(4).map_err(|error| error.in_row("message_drafts", id))?;
    let conversation = Some(row.id(2)?).filter(|id| !id.is_nil());
    let mut draft = json!({
        "id": id, "contact_id": row.id(1)?, "conversation_id": conversation, "channel": row.text(3)?,
        "cc": [], "bcc": [], "attachments": [],
    });
    for name in STORED {
        match stored.get(*name) {
            Some(value) if !value.is_null() => draft[*name] = value.clone(),
            _ if draft.get(*name).is_none() => draft[*name] = Json::Null,
            _ => {}
        }
    }
    draft["created_at"] = Time(row.int(5)?).to_string().into();
    draft["updated_at"] = Time(row.int(6)?).to_string().into();
    Ok((id, draft))
}

/// Newest first.
fn list(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let given = call.asked(QUERY)?;
    let id = |name: &str| if let Some(Value::Id(id)) = given.named(name) { Some(*id) } else { None };
    let contact = match id("contact_id") {
        Some(contact) => Some(resource::all_of(&call.ctx, tx, contact)?[0]),
        None => None,
    };
    let sql = format!("SELECT {COLUMNS} ORDER BY d.updated_at DESC, d.id DESC");
    let drafts = tx.rows(&sql, &owner(call), shown)?;
    let is = |draft: &Json, name: &str, id: Option<Uuid>| id.is_none_or(|id| draft[name] == json!(id));
    let drafts = drafts.into_iter().map(|(_, draft)| draft);
    let drafts =
        drafts.filter(|draft| is(draft, "contact_id", contact) && is(draft, "conversation_id", id("conversation_id")));
    Ok(Reply::whole(drafts.collect()))
}

fn owner(call: &Call) -> [Value; 2] {
    [call.ctx.workspace.into(), call.key.user.into()]
}

/// Saves the draft for a contact and a conversation; it replaces the one that was saved before.
fn save(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const SAME: &str = "SELECT id FROM message_drafts WHERE workspace_id = $1 AND user_id = $2 AND contact_id = $3 AND conversation_id = $4";
    const OTHERS: &str = "SELECT count(*), coalesce(sum(length(members)), 0) FROM message_drafts \
         WHERE workspace_id = $1 AND user_id = $2 AND id <> $3";
    const SAVE: &str = "INSERT INTO message_drafts (workspace_id, user_id, id, contact_id, conversation_id, channel, members, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) \
         ON CONFLICT (workspace_id, user_id, contact_id, conversation_id) \
         DO UPDATE SET channel = excluded.channel, members = excluded.members, updated_at = excluded.updated_at";
    let given = call.members(DRAFT)?;
    let ctx = &call.ctx;
    let id = |name: &str| if let Some(Value::Id(id)) = given.named(name) { Some(*id) } else { None };
    let missing = |name: &'static str, one: &str| invalid(name, format!("no {one} has this id"));
    let contact = match find::<Contact>(ctx, tx, id("contact_id").unwrap_or_default()) {
        Err(Error::NotFound(_)) => return Err(missing("contact_id", "contact")),
        found => found?.id,
    };
    let conversation = match id("conversation_id") {
        None => None,
        Some(conversation) => match conversation::find_visible(ctx, tx, conversation) {
            Err(Error::NotFound(_)) => return Err(missing("conversation_id", "conversation")),
            Ok(found) if found.record.contact_id != contact => {
                return Err(invalid("conversation_id", "is a conversation with another contact"));
            }
            found => Some(found?),
        },
    };
    let channel = match &conversation {
        Some(conversation) => conversation.record.channel,
        None => given.named_text("channel").and_then(Channel::from_word).unwrap_or(Channel::Email),
    };
    let place = conversation.map_or(Uuid::nil(), |conversation| conversation.id);
    let [workspace, user] = owner(call);
    let mut same = None;
    for one in resource::all_of(ctx, tx, contact)? {
        let key = [workspace.clone(), user.clone(), one.into(), place.into()];
        same = same.or(tx.one(SAME, &key, |row| row.id(0))?.map(|id| (id, one)));
    }
    let (draft, contact) = same.unwrap_or((tx.id(), contact));
    let members = call.body.iter().filter(|(name, _)| STORED.contains(&name.as_str()));
    let members: Map<String, Json> = members.map(|(name, value)| (name.clone(), value.clone())).collect();
    let members = Json::Object(members).to_string();
    let other = [workspace.clone(), user.clone(), draft.into()];
    let (count, text) = tx.one(OTHERS, &other, |row| Ok((row.int(0)?, row.int(1)?)))?.unwrap_or_default();
    let too_many = if same.is_none() && count >= MOST {
        Some(format!("you have {MOST} drafts"))
    } else if text + members.chars().count() as i64 > MOST_TEXT {
        Some(format!("your drafts would have more than {} million characters in all", MOST_TEXT / 1_000_000))
    } else {
        None
    };
    if let Some(reason) = too_many {
        return Err(invalid(MessageInput::CONTENT.name(), format!("{reason}; send or delete one of them first")));
    }
    // A key works for a moment longer than its owner is a member.
    if !member::is_member(ctx, tx, call.key.user)? {
        return Err(Error::Role("you are no longer a member of this workspace".into()));
    }
    let now = tx.stamp();
    let row = [
        workspace,
        user,
        draft.into(),
        contact.into(),
        place.into(),
        channel.word().into(),
        members.into(),
        now.into(),
    ];
    tx.execute(SAVE, &row)?;
    let reply = one(call, tx, draft)?;
    Ok(if same.is_some() { reply } else { reply.created(format!("/message-drafts/{draft}")) })
}

fn one(call: &Call, tx: &mut dyn Tx, id: Uuid) -> Result<Reply, Error> {
    let [workspace, user] = owner(call);
    let draft = tx.one(&format!("SELECT {COLUMNS} AND d.id = $3"), &[workspace, user, id.into()], shown)?;
    draft.map(|(_, draft)| Reply::json(&draft)).ok_or_else(|| not_found("message_draft"))
}

fn read(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    one(call, tx, call.id(0, "message_draft")?)
}

fn remove(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    match discard(call, tx, call.id(0, "message_draft")?)? {
        true => Ok(Reply::deleted()),
        false => Err(not_found("message_draft")),
    }
}

/// Deletes a draft of the caller; false if there is none.
pub(super) fn discard(call: &Call, tx: &mut dyn Tx, id: Uuid) -> Result<bool, Error> {
    const DISCARD: &str =
        "DELETE FROM message_drafts WHERE workspace_id = $1 AND user_id = $2 AND id = $3 RETURNING id";
    let [workspace, user] = owner(call);
    Ok(tx.one(DISCARD, &[workspace, user, id.into()], |row| row.id(0))?.is_some())
}
