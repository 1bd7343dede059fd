//! What mails can have besides their text: addresses in copy, and files of the workspace. The attachment of a message
//! refers to the stored file, so that it stays when the file is deleted from its record.

use crate::api::call::Call;
use crate::api::scope::{CONTACTS_READ, PROJECTS_READ};
use resource::{Ctx, Error, Problem, by_many_keys, invalid};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use std::collections::{HashMap, HashSet};
use store::{Tx, Uuid, Value};

/// The most bytes of all attachments of a mail. Encoded, this fits the 25 to 30 MB that most mail servers take.
pub const MOST_BYTES: i64 = 20_000_000;
/// The most attachments of a mail.
pub const MOST: usize = 20;

/// The most addresses in Cc, and in Bcc.
pub const MOST_COPIES: usize = 20;
/// The most characters of an address.
pub const LONGEST_ADDRESS: usize = 254;

/// A file to attach.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttachedFile {
    pub filename: String,
    pub content_type: String,
    pub size: i64,
    pub blob: String,
    /// Whether it belongs to a contact; otherwise to a project.
    #[serde(skip)]
    of_contact: bool,
}

/// The files with these ids, each once. Problems name the field and the position.
pub fn find(ctx: &Ctx, tx: &mut dyn Tx, field: &str, ids: &[Uuid]) -> Result<Vec<AttachedFile>, Error> {
    Files::read(ctx, tx, ids.iter().copied())?.pick(field, ids)
}

/// Files of contacts and projects, read together.
#[derive(Default)]
pub struct Files {
    seen: HashSet<Uuid>,
    found: HashMap<Uuid, AttachedFile>,
}

impl Files {
    pub fn read(ctx: &Ctx, tx: &mut dyn Tx, ids: impl IntoIterator<Item = Uuid>) -> Result<Files, Error> {
        let mut files = Files::default();
        files.add(ctx, tx, ids)?;
        Ok(files)
    }

    /// Reads more files; those that were read already are not read again.
    pub fn add(&mut self, ctx: &Ctx, tx: &mut dyn Tx, ids: impl IntoIterator<Item = Uuid>) -> Result<(), Error> {
        let new: Vec<Uuid> = ids.into_iter().filter(|id| self.seen.insert(*id)).collect();
        for (list, params) in by_many_keys(ctx, new) {
            let sql = format!(
                "SELECT filename, content_type, size, blob, CASE WHEN contact_id IS NULL THEN 0 ELSE 1 END, id \
                 FROM files WHERE workspace_id = $1 AND id IN {list}"
            );
            let found = tx.rows(&sql, &params, |row| {
                let file = AttachedFile {
                    filename: row.text(0)?,
                    content_type: row.text(1)?,
                    size: row.int(2)?,
                    blob: row.text(3)?,
                    of_contact: row.int(4)? == 1,
                };
                Ok((row.id(5)?, file))
            })?;
            self.found.extend(found);
        }
        Ok(())
    }

    /// The files with these ids, which were read before, each once. Problems name the field and the position.
    pub fn pick(&self, field: &str, ids: &[Uuid]) -> Result<Vec<AttachedFile>, Error> {
        let (mut files, mut problems): (Vec<AttachedFile>, Vec<Problem>) = (Vec::new(), Vec::new());
        for (at, id) in ids.iter().enumerate() {
            match self.found.get(id) {
                Some(file) if files.iter().any(|known| known.blob == file.blob) => {}
                Some(file) => files.push(file.clone()),
                None => problems.push(Problem {
                    field: format!("{field}.{at}"),
                    reason: "no file of a contact or project has this id; upload it there first".into(),
                }),
            }
        }
        if !problems.is_empty() {
            return Err(Error::Invalid(problems));
        }
        let total: i64 = files.iter().map(|file| file.size).sum();
        if total > MOST_BYTES {
            let megabytes = |bytes: i64| format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000);
            let reason = format!("have {} in all; a mail takes 20 MB. Leave one out", megabytes(total));
            return Err(invalid(field, reason));
        }
        Ok(files)
    }
}

/// Refuses files that the key may not read.
pub fn require(call: &Call, files: &[AttachedFile]) -> Result<(), Error> {
    files
        .iter()
        .try_for_each(|file| call.key.scopes.require(if file.of_contact { CONTACTS_READ } else { PROJECTS_READ }))
}

/// The ids in the `attachments` of a step of a body, no more than a step may have. The check of the body refuses longer
/// lists and other texts; stored steps are read by `plan::read`, which reports such texts.
pub fn ids(step: &Map<String, Json>) -> Vec<Uuid> {
    let ids = step.get("attachments").and_then(Json::as_array).into_iter().flatten();
    ids.take(MOST).filter_map(|id| Uuid::try_parse(id.as_str()?).ok()).collect()
}

/// An attachment of a message.
pub struct Attachment<'a> {
    pub filename: &'a str,
    pub content_type: &'a str,
    /// By which the HTML of a received mail shows it.
    pub content_id: Option<&'a str>,
    pub size: i64,
    /// `None` if the workspace had no storage left for it.
    pub blob: Option<&'a str>,
}

impl<'a> From<&'a AttachedFile> for Attachment<'a> {
    fn from(file: &'a AttachedFile) -> Attachment<'a> {
        let AttachedFile { filename, content_type, size, blob, .. } = file;
        Attachment { filename, content_type, content_id: None, size: *size, blob: Some(blob) }
    }
}

/// Writes the attachments of a message.
pub fn keep<'a>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    message: Uuid,
    files: impl Iterator<Item = Attachment<'a>>,
) -> Result<(), Error> {
    const SHOW: &str = "UPDATE messages SET attachments = $1 WHERE workspace_id = $2 AND id = $3";
    const LEFT_OUT: &str = "the workspace has no storage left; open the mail in its mailbox";
    // Other units of the same commit must find the rows, so that they are not appended at its end.
    let mut keep = String::from(
        "INSERT INTO attachments (workspace_id, message_id, id, filename, content_type, size, blob) VALUES ",
    );
    let mut params: Vec<Value> = vec![ctx.workspace.into(), message.into()];
    let mut shown: Vec<Json> = Vec::new();
    for file in files {
        let id = tx.id();
        shown.push(json!({
            "id": id, "filename": file.filename, "content_type": file.content_type, "size": file.size,
            "content_id": file.content_id, "path": format!("/messages/{message}/attachments/{id}"),
            "left_out": file.blob.is_none().then_some(LEFT_OUT),
        }));
        let Some(blob) = file.blob else { continue };
        let n = params.len();
        let comma = if n > 2 { ", " } else { "" };
        keep.push_str(&format!("{comma}($1, $2, ${}, ${}, ${}, ${}, ${})", n + 1, n + 2, n + 3, n + 4, n + 5));
        params.extend([id.into(), file.filename.into(), file.content_type.into(), file.size.into(), blob.into()]);
    }
    if params.len() > 2 {
        tx.execute(&keep, &params)?;
    }
    if shown.is_empty() {
        return Ok(());
    }
    Ok(tx.execute(SHOW, &[Json::from(shown).to_string().into(), ctx.workspace.into(), message.into()])?)
}
