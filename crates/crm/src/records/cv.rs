//! The CV of a contact: at most one document, which can be uploaded, replaced, downloaded and deleted. A job reads its
//! text so that searches find the contact; a CV does not change the contact itself.

use crate::api::call::{Call, Content, Reply, Stored};
use crate::api::effects::{Effect, EffectResult};
use crate::api::operation::{EffectSteps, Only, Operation, Upload, delete, get, post};
use crate::api::queue;
use crate::api::scope::{CONTACTS_READ, CONTACTS_WRITE};
use crate::records::contact::Contact;
use crate::records::document::{self, sniff};
use crate::records::merge_log;
use crate::tenant::stored_files::{MOST, begin, confirm, emit, name_of, release, sent};
use resource::{Ctx, Error, Resource, Time, find, not_found, retext, survivor, tidy};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use store::{Row, Tx, Uuid};

/// Most characters of its text that are stored.
const TEXT: usize = 200_000;

/// The job that reads the text of a CV; its payload is the contact's id and the name of the stored file.
pub const READ: &str = "read_cv";

pub const OPERATIONS: &[Operation] = &[
    post("/contacts/{id}/cv", "upload_contact_cv", "Upload or replace a contact's CV")
        .scope(CONTACTS_WRITE)
        .upload(Upload {
            name: "ContactCvForm",
            most: MOST,
            members: &[],
            only: Some(Only { sniff, names: "PDF, DOC, DOCX, ODT, RTF, TXT" }),
        })
        .gives_object_as(&[201, 200], "ContactCv", schema)
        .effect(EffectSteps { prepare, complete }),
    get("/contacts/{id}/cv", "get_contact_cv", "Get the metadata of a contact's CV")
        .scope(CONTACTS_READ)
        .gives_object("ContactCv", schema)
        .read(show),
    get("/contacts/{id}/cv/file", "download_contact_cv", "Download a contact's CV")
        .scope(CONTACTS_READ)
        .gives_file()
        .read(content),
    delete("/contacts/{id}/cv", "delete_contact_cv", "Delete a contact's CV").scope(CONTACTS_WRITE).write(remove),
];

pub fn schema() -> Json {
    json!({
        "type": "object",
        "description": "The document that a contact applies with.",
        "required": ["contact_id", "url", "filename", "content_type", "size", "updated_at"],
        "properties": {
            "contact_id": { "type": "string", "format": "uuid" },
            "url": { "type": "string", "format": "uri", "description": "Opens the document with the same key." },
            "filename": { "type": "string" },
            "content_type": {
                "type": "string",
                "enum": [document::PDF, document::DOC, document::DOCX, document::ODT, document::RTF, document::TXT],
            },
            "size": { "type": "integer", "description": "In bytes." },
            "updated_at": { "type": "string", "format": "date-time" },
        },
    })
}

struct Cv {
    filename: String,
    content_type: String,
    size: i64,
    blob: String,
    updated_at: i64,
}

impl Cv {
    fn of(row: &dyn Row) -> Result<Cv, store::Error> {
        Ok(Cv {
            filename: row.text(0)?,
            content_type: row.text(1)?,
            size: row.int(2)?,
            blob: row.text(3)?,
            updated_at: row.int(4)?,
        })
    }

    fn json(&self, call: &Call, contact: Uuid) -> Json {
        json!({
            "contact_id": contact,
            "url": format!("{}/api/v1/contacts/{contact}/cv/file", call.public_url),
            "filename": self.filename,
            "content_type": self.content_type,
            "size": self.size,
            "updated_at": Time(self.updated_at).to_string(),
        })
    }
}

fn prepare(call: &Call, tx: &mut dyn Tx) -> Result<Effect, Error> {
    name_of(sent(call)?)?;
    let contact = find::<Contact>(&call.ctx, tx, call.id(0, "contact")?)?.id;
    let freed = match of_contact(&call.ctx, tx, contact)? {
        Some(cv) if given_by_merge(&call.ctx, tx, contact, &cv.blob)?.is_none() => cv.size,
        _ => 0,
    };
    begin(&call.ctx, tx, sent(call)?.size as i64 - freed)
}

fn complete(call: &Call, tx: &mut dyn Tx, effect: &Effect, _: &EffectResult) -> Result<Reply, Error> {
    const PUT: &str = "INSERT INTO cvs (workspace_id, contact_id, filename, content_type, size, blob, text, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, '', $7, $7) \
         ON CONFLICT (workspace_id, contact_id) DO UPDATE SET filename = excluded.filename, \
         content_type = excluded.content_type, size = excluded.size, blob = excluded.blob, updated_at = excluded.updated_at";
    let ctx = &call.ctx;
    let contact = find::<Contact>(ctx, tx, call.id(0, "contact")?)?.id;
    let before = of_contact(ctx, tx, contact)?;
    if let Some(before) = &before {
        match given_by_merge(ctx, tx, contact, &before.blob)? {
            // If the merge is undone, the former owner gets it back.
            Some(given) => {
                let file = to_file(ctx, tx, contact, contact)?;
                became_file(ctx, tx, given, &before.blob, file)?;
            }
            None => release(ctx, tx, &before.blob, before.size)?,
        }
    }
    let sent = sent(call)?;
    let blob = confirm(ctx, tx, effect, sent.size as i64)?;
    let cv = Cv {
        filename: name_of(sent)?,
        content_type: sent.sniffed.unwrap_or_default().to_owned(),
        size: sent.size as i64,
        blob,
        updated_at: tx.stamp(),
    };
    let params = [
        ctx.workspace.into(),
        contact.into(),
        cv.filename.as_str().into(),
        cv.content_type.as_str().into(),
        cv.size.into(),
        cv.blob.as_str().into(),
        cv.updated_at.into(),
    ];
    tx.execute(PUT, &params)?;
    set_text(ctx, tx, contact, "")?;
    queue::enqueue(ctx, tx, READ, &format!("{contact} {}", cv.blob))?;
    let reply = Reply::json(&cv.json(call, contact));
    match before {
        None => {
            emit::<Contact>(ctx, tx, "cv_uploaded", contact, "cv", None, Some(&cv.filename))?;
            Ok(reply.created(format!("/contacts/{contact}/cv")))
        }
        Some(before) => {
            emit::<Contact>(ctx, tx, "cv_replaced", contact, "cv", Some(&before.filename), Some(&cv.filename))?;
            Ok(reply)
        }
    }
}

fn show(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (contact, cv) = one(call, tx)?;
    Ok(Reply::json(&cv.json(call, contact)))
}

/// Like `show`, but null if there is no CV.
pub(crate) fn maybe(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let contact = find::<Contact>(&call.ctx, tx, call.id(0, "contact")?)?.id;
    let cv = of_contact(&call.ctx, tx, contact)?;
    Ok(Reply::json(&cv.map_or(Json::Null, |cv| cv.json(call, contact))))
}

fn content(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (_, Cv { blob, filename, content_type, size, .. }) = one(call, tx)?;
    let stored = Stored { blob, filename, content_type, size: size.unsigned_abs() };
    Ok(Reply::of(Content::File(stored)))
}

fn remove(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (contact, cv) = one(call, tx)?;
    set_text(&call.ctx, tx, contact, "")?;
    let params = [call.ctx.workspace.into(), contact.into()];
    tx.execute("DELETE FROM cvs WHERE workspace_id = $1 AND contact_id = $2", &params)?;
    release(&call.ctx, tx, &cv.blob, cv.size)?;
    emit::<Contact>(&call.ctx, tx, "cv_deleted", contact, "cv", Some(&cv.filename), None)?;
    Ok(Reply::deleted())
}

/// The CV in the path, and its contact.
fn one(call: &Call, tx: &mut dyn Tx) -> Result<(Uuid, Cv), Error> {
    let contact = find::<Contact>(&call.ctx, tx, call.id(0, "contact")?)?.id;
    let cv = of_contact(&call.ctx, tx, contact)?;
    Ok((contact, cv.ok_or_else(|| not_found("a CV of this contact"))?))
}

fn of_contact(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid) -> Result<Option<Cv>, Error> {
    const ONE: &str = "SELECT filename, content_type, size, blob, updated_at FROM cvs \
         WHERE workspace_id = $1 AND contact_id = $2";
    Ok(tx.one(ONE, &[ctx.workspace.into(), contact.into()], Cv::of)?)
}

/// A CV that a merge moved to the survivor; `file` is the file that it became if the survivor already had a CV.
#[derive(Serialize, Deserialize)]
pub struct Moved {
    from: Uuid,
    pub blob: String,
    pub file: Option<Uuid>,
}

/// Moves the first CV of the others to the survivor of a merge if it has none; further ones become its files.
pub fn move_all(ctx: &Ctx, tx: &mut dyn Tx, into: Uuid, from: &[Uuid]) -> Result<Vec<Moved>, Error> {
    const MOVE: &str = "UPDATE cvs SET contact_id = $1 WHERE workspace_id = $2 AND contact_id = $3";
    let mut moved = Vec::new();
    for from in from.iter().copied() {
        let Some(Cv { blob, .. }) = of_contact(ctx, tx, from)? else { continue };
        let file = match of_contact(ctx, tx, into)? {
            None => {
                tx.execute(MOVE, &[into.into(), ctx.workspace.into(), from.into()])?;
                retext(ctx, tx, Contact::ABOUT.table, into)?;
                None
            }
            Some(_) => Some(to_file(ctx, tx, from, into)?),
        };
        moved.push(Moved { from, blob, file });
    }
    Ok(moved)
}

/// The merge that gave a contact this CV, if it can still be undone.
fn given_by_merge(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid, blob: &str) -> Result<Option<Uuid>, Error> {
    const MERGES: &str = "SELECT id FROM merges WHERE workspace_id = $1 AND into_id = $2 AND undone_at IS NULL \
         AND created_at >= $3 ORDER BY id DESC";
    let since = tx.stamp() - merge_log::UNDO;
    for id in tx.rows(MERGES, &[ctx.workspace.into(), contact.into(), since.into()], |row| row.id(0))? {
        let Some(merge) = merge_log::find_merge(ctx, tx, id)? else { continue };
        if merge.list::<Moved>("cvs")?.iter().any(|moved| moved.blob == blob && moved.file.is_none()) {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Records that a CV which a merge had moved to its survivor has become a file.
fn became_file(ctx: &Ctx, tx: &mut dyn Tx, merge: Uuid, blob: &str, file: Uuid) -> Result<(), Error> {
    let Some(mut found) = merge_log::find_merge(ctx, tx, merge)? else { return Ok(()) };
    let mut cvs = found.list::<Moved>("cvs")?;
    cvs.iter_mut().filter(|moved| moved.blob == blob).for_each(|moved| moved.file = Some(file));
    found.kept["cvs"] = json!(cvs);
    merge_log::save_undo_data(ctx, tx, merge, &found.kept)
}

/// Converts the CV of a contact to a file of another contact, or of the same one.
fn to_file(ctx: &Ctx, tx: &mut dyn Tx, from: Uuid, into: Uuid) -> Result<Uuid, Error> {
    const KEEP: &str = "INSERT INTO files (workspace_id, id, contact_id, filename, content_type, size, blob, created_at) \
         SELECT workspace_id, $1, $2, filename, content_type, size, blob, created_at FROM cvs \
         WHERE workspace_id = $3 AND contact_id = $4";
    const GONE: &str = "DELETE FROM cvs WHERE workspace_id = $1 AND contact_id = $2";
    let file = tx.id();
    tx.execute(KEEP, &[file.into(), into.into(), ctx.workspace.into(), from.into()])?;
    tx.execute(GONE, &[ctx.workspace.into(), from.into()])?;
    Ok(file)
}

/// Reverts `move_all` where nothing has changed since. The text of a CV that had become a file is read again.
pub fn move_back(ctx: &Ctx, tx: &mut dyn Tx, into: Uuid, moved: &[Moved]) -> Result<(), Error> {
    const MOVE: &str = "UPDATE cvs SET contact_id = $1 WHERE workspace_id = $2 AND contact_id = $3 AND blob = $4";
    const BACK: &str = "INSERT INTO cvs (workspace_id, contact_id, filename, content_type, size, blob, text, created_at, updated_at) \
         SELECT workspace_id, $1, filename, content_type, size, blob, '', created_at, created_at FROM files \
         WHERE workspace_id = $2 AND id = $3";
    const GONE: &str = "DELETE FROM files WHERE workspace_id = $1 AND id = $2";
    for Moved { from, blob, file } in moved {
        match file {
            None => tx.execute(MOVE, &[(*from).into(), ctx.workspace.into(), into.into(), blob.as_str().into()])?,
            Some(file) => {
                tx.execute(BACK, &[(*from).into(), ctx.workspace.into(), (*file).into()])?;
                tx.execute(GONE, &[ctx.workspace.into(), (*file).into()])?;
                if let Some(cv) = of_contact(ctx, tx, *from)? {
                    queue::enqueue(ctx, tx, READ, &format!("{from} {}", cv.blob))?;
                }
            }
        }
        retext(ctx, tx, Contact::ABOUT.table, *from)?;
    }
    retext(ctx, tx, Contact::ABOUT.table, into)
}

/// The effect that reads the document of the job; `None` if it was replaced or deleted in the meantime.
pub fn unread(ctx: &Ctx, tx: &mut dyn Tx, payload: &str) -> Result<Option<Effect>, Error> {
    Ok(current(ctx, tx, payload)?.map(|(_, cv)| Effect::Extract { blob: cv.blob, content_type: cv.content_type }))
}

/// Stores the text, if the document is still the contact's CV.
pub fn record_text(ctx: &Ctx, tx: &mut dyn Tx, payload: &str, text: &str) -> Result<(), Error> {
    let Some((contact, _)) = current(ctx, tx, payload)? else { return Ok(()) };
    let kept: String = text.chars().filter(|letter| *letter != '\0').take(TEXT).collect();
    set_text(ctx, tx, contact, &tidy("text", &kept)?)
}

/// The CV that the job was enqueued for.
fn current(ctx: &Ctx, tx: &mut dyn Tx, payload: &str) -> Result<Option<(Uuid, Cv)>, Error> {
    let (contact, blob) = parse(payload).ok_or_else(|| store::Error::unreadable("is no contact and file"))?;
    // The contact may have been merged in the meantime.
    let contact = survivor(ctx, tx, contact)?.unwrap_or(contact);
    Ok(of_contact(ctx, tx, contact)?.filter(|cv| cv.blob == blob).map(|cv| (contact, cv)))
}

/// The contact and the file in a payload.
fn parse(payload: &str) -> Option<(Uuid, &str)> {
    let (contact, blob) = payload.split_once(' ')?;
    Some((Uuid::try_parse(contact).ok()?, blob))
}

/// Whether a payload of the job can be read.
pub fn is_unread(payload: &str) -> bool {
    parse(payload).is_some()
}

/// The only function that changes the text of a CV.
fn set_text(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid, text: &str) -> Result<(), Error> {
    const SET: &str = "UPDATE cvs SET text = $1 WHERE workspace_id = $2 AND contact_id = $3";
    tx.execute(SET, &[text.into(), ctx.workspace.into(), contact.into()])?;
    retext(ctx, tx, Contact::ABOUT.table, contact)
}
