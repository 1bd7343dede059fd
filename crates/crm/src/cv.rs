//! A contact's CV: one document at most, uploaded, replaced, downloaded, deleted. What text it holds is read by a job, so
//! that the contact is found by it; a CV moves nothing of the contact itself.

use crate::contact::Contact;
use crate::document::{self, told};
use crate::file::{self, begin, kept, let_go, name_of, sent};
use crate::job;
use crate::merge;
use crate::operation::{
    Call, Content, Errand, Only, Operation, Outcome, Outside, Reply, Stored, Upload, delete, get, post,
};
use crate::scope::{CONTACTS_READ, CONTACTS_WRITE};
use resource::{Ctx, Error, Resource, Time, find, not_found, retext, survivor, tidy};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use store::{Row, Tx, Uuid};

/// How much of its text is kept.
const TEXT: usize = 200_000;

pub const OPERATIONS: &[Operation] = &[
    post("/contacts/{id}/cv", "upload_contact_cv", "Upload or replace a contact's CV")
        .scope(CONTACTS_WRITE)
        .upload(Upload {
            name: "ContactCvForm",
            most: file::MOST,
            members: &[],
            only: Some(Only { told, names: "PDF, DOC, DOCX, ODT, RTF, TXT" }),
        })
        .gives_object_as(&[201, 200], "ContactCv", schema)
        .outside(Outside { ask, tell }),
    get("/contacts/{id}/cv", "get_contact_cv", "Get what is known of a contact's CV")
        .scope(CONTACTS_READ)
        .gives_object("ContactCv", schema)
        .read(show),
    get("/contacts/{id}/cv/file", "download_contact_cv", "Download a contact's CV")
        .scope(CONTACTS_READ)
        .gives_file()
        .read(content),
    delete("/contacts/{id}/cv", "delete_contact_cv", "Delete a contact's CV").scope(CONTACTS_WRITE).write(remove),
];

fn schema() -> Json {
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

fn ask(call: &Call, tx: &mut dyn Tx) -> Result<Errand, Error> {
    name_of(sent(call)?)?;
    let contact = find::<Contact>(&call.ctx, tx, call.id(0, "contact")?)?.id;
    let freed = match of_contact(&call.ctx, tx, contact)? {
        Some(cv) if merge::gave_cv(&call.ctx, tx, contact, &cv.blob)?.is_none() => cv.size,
        _ => 0,
    };
    begin(&call.ctx, tx, sent(call)?.size as i64 - freed)
}

fn tell(call: &Call, tx: &mut dyn Tx, errand: &Errand, _: &Outcome) -> Result<Reply, Error> {
    const PUT: &str = "INSERT INTO cvs (workspace_id, contact_id, filename, content_type, size, blob, text, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, '', $7, $7) \
         ON CONFLICT (workspace_id, contact_id) DO UPDATE SET filename = excluded.filename, \
         content_type = excluded.content_type, size = excluded.size, blob = excluded.blob, updated_at = excluded.updated_at";
    let ctx = &call.ctx;
    let contact = find::<Contact>(ctx, tx, call.id(0, "contact")?)?.id;
    let before = of_contact(ctx, tx, contact)?;
    if let Some(before) = &before {
        match merge::gave_cv(ctx, tx, contact, &before.blob)? {
            // Whose it was gets it back if the merge is undone.
            Some(given) => {
                let file = to_file(ctx, tx, contact, contact)?;
                merge::cv_became_file(ctx, tx, given, &before.blob, file)?;
            }
            None => let_go(ctx, tx, &before.blob, before.size)?,
        }
    }
    let sent = sent(call)?;
    let blob = kept(ctx, tx, errand, sent.size as i64)?;
    let cv = Cv {
        filename: name_of(sent)?,
        content_type: sent.told.unwrap_or_default().to_owned(),
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
    job::enqueue(ctx, tx, job::READ_CV, &format!("{contact} {}", cv.blob))?;
    let reply = Reply::json(&cv.json(call, contact));
    match before {
        None => {
            file::told::<Contact>(ctx, tx, "cv_uploaded", contact, "cv", None, Some(&cv.filename))?;
            Ok(reply.created(format!("/contacts/{contact}/cv")))
        }
        Some(before) => {
            file::told::<Contact>(ctx, tx, "cv_replaced", contact, "cv", Some(&before.filename), Some(&cv.filename))?;
            Ok(reply)
        }
    }
}

fn show(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (contact, cv) = one(call, tx)?;
    Ok(Reply::json(&cv.json(call, contact)))
}

/// The same, or null.
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
    let_go(&call.ctx, tx, &cv.blob, cv.size)?;
    file::told::<Contact>(&call.ctx, tx, "cv_deleted", contact, "cv", Some(&cv.filename), None)?;
    Ok(Reply::deleted())
}

/// The CV that a path means, and whose it is.
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

/// Whose CV went to the survivor of a merge, and the file it became where that had one already.
#[derive(Serialize, Deserialize)]
pub struct Moved {
    from: Uuid,
    pub blob: String,
    pub file: Option<Uuid>,
}

/// Gives the survivor of a merge the first CV of the others if it has none; what is more becomes files of it.
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

/// Makes a contact's CV a file of another contact, or of the same.
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

/// Undoes that, where it still stands. What became a file is read again for its text.
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
                    job::enqueue(ctx, tx, job::READ_CV, &format!("{from} {}", cv.blob))?;
                }
            }
        }
        retext(ctx, tx, Contact::ABOUT.table, *from)?;
    }
    retext(ctx, tx, Contact::ABOUT.table, into)
}

/// The document whose text the job is to read; `None` if it was replaced or deleted since.
pub fn unread(ctx: &Ctx, tx: &mut dyn Tx, payload: &str) -> Result<Option<Errand>, Error> {
    Ok(current(ctx, tx, payload)?.map(|(_, cv)| Errand::Extract { blob: cv.blob, content_type: cv.content_type }))
}

/// Keeps the text that was read, if it is still the text of the contact's CV.
pub fn record_text(ctx: &Ctx, tx: &mut dyn Tx, payload: &str, text: &str) -> Result<(), Error> {
    let Some((contact, _)) = current(ctx, tx, payload)? else { return Ok(()) };
    let kept: String = text.chars().filter(|letter| *letter != '\0').take(TEXT).collect();
    set_text(ctx, tx, contact, &tidy("text", &kept)?)
}

/// The CV that the job was enqueued for.
fn current(ctx: &Ctx, tx: &mut dyn Tx, payload: &str) -> Result<Option<(Uuid, Cv)>, Error> {
    let Some((contact, blob)) = payload.split_once(' ') else { return Ok(None) };
    let Ok(contact) = Uuid::try_parse(contact) else { return Ok(None) };
    // It may have gone into another since.
    let contact = survivor(ctx, tx, contact)?.unwrap_or(contact);
    Ok(of_contact(ctx, tx, contact)?.filter(|cv| cv.blob == blob).map(|cv| (contact, cv)))
}

/// The one place where the text of a CV changes.
fn set_text(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid, text: &str) -> Result<(), Error> {
    const SET: &str = "UPDATE cvs SET text = $1 WHERE workspace_id = $2 AND contact_id = $3";
    tx.execute(SET, &[text.into(), ctx.workspace.into(), contact.into()])?;
    retext(ctx, tx, Contact::ABOUT.table, contact)
}
