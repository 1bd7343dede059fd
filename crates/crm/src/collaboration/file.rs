//! Files that are attached to a record. `tenant/stored_files.rs` stores their bytes.

use crate::api::call::{Call, Content, Reply, Sent, Stored, under};
use crate::api::effects::{Effect, EffectResult};
use crate::api::operation::{EffectSteps, Operation, Upload, delete, get, post};
use crate::api::scope::{CONTACTS_READ, CONTACTS_WRITE, PROJECTS_READ, PROJECTS_WRITE};
use crate::pipelines::project::Project;
use crate::records::contact::Contact;
use crate::tenant::stored_files::{MOST, begin, confirm, emit, name_of, release, sent};
use resource::{Ctx, Error, Field, Resource, Time, invalid, not_found};
use serde_json::{Value as Json, json};
use store::{Row, Tx, Uuid};

/// The largest file as base64, with the other members of the body.
const AS_JSON: usize = 14 * 1024 * 1024;
/// Keeps the list of a record's files on one page.
const PER_RECORD: usize = 100;

/// A file as members of a JSON body.
#[derive(Resource)]
pub struct FileInput {
    #[field(required, max = 1000)]
    pub filename: String,
    #[field(max = 127)]
    pub content_type: Option<String>,
    /// Its bytes, at most 10 MiB, as base64.
    #[field(required)]
    pub file_base64: String,
}
const INPUT: &[Field] = FileInput::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    listed::<Contact>("/contacts/{id}/files", "list_contact_files", "List the files of a contact").scope(CONTACTS_READ),
    attached::<Contact>("/contacts/{id}/files", "upload_contact_file", "Attach a file to a contact")
        .scope(CONTACTS_WRITE),
    described::<Contact>("/contacts/{id}/files/{file_id}", "get_contact_file").scope(CONTACTS_READ),
    downloaded::<Contact>("/contacts/{id}/files/{file_id}/content", "download_contact_file").scope(CONTACTS_READ),
    delete("/contacts/{id}/files/{file_id}", "delete_contact_file", "Delete a file")
        .scope(CONTACTS_WRITE)
        .write(remove::<Contact>),
    listed::<Project>("/projects/{id}/files", "list_project_files", "List the files of a project").scope(PROJECTS_READ),
    attached::<Project>("/projects/{id}/files", "upload_project_file", "Attach a file to a project")
        .scope(PROJECTS_WRITE),
    described::<Project>("/projects/{id}/files/{file_id}", "get_project_file").scope(PROJECTS_READ),
    downloaded::<Project>("/projects/{id}/files/{file_id}/content", "download_project_file").scope(PROJECTS_READ),
    delete("/projects/{id}/files/{file_id}", "delete_project_file", "Delete a file")
        .scope(PROJECTS_WRITE)
        .write(remove::<Project>),
];

const fn listed<R: Resource>(path: &'static str, name: &'static str, summary: &'static str) -> Operation {
    get(path, name, summary).gives_objects("File", schema).read(list::<R>)
}

const fn attached<R: Resource>(path: &'static str, name: &'static str, summary: &'static str) -> Operation {
    post(path, name, summary)
        .large_members("FileInput", INPUT, AS_JSON)
        .upload(Upload { name: "FileForm", most: MOST, members: &[], only: None })
        .gives_object_as(&[201], "File", schema)
        .effect(EffectSteps { prepare: prepare::<R>, complete: complete::<R> })
}

const fn described<R: Resource>(path: &'static str, name: &'static str) -> Operation {
    get(path, name, "Get the metadata of a file").gives_object("File", schema).read(show::<R>)
}

const fn downloaded<R: Resource>(path: &'static str, name: &'static str) -> Operation {
    get(path, name, "Download a file").gives_file().read(content::<R>)
}

fn schema() -> Json {
    json!({
        "type": "object",
        "description": "A file that is attached to a record.",
        "required": ["id", "filename", "content_type", "size", "url", "created_at"],
        "properties": {
            "id": { "type": "string", "format": "uuid" },
            "filename": { "type": "string" },
            "content_type": { "type": "string" },
            "size": { "type": "integer", "description": "In bytes." },
            "url": { "type": "string", "format": "uri", "description": "Opens the content with the same key." },
            "created_at": { "type": "string", "format": "date-time" },
        },
    })
}

struct File {
    id: Uuid,
    filename: String,
    content_type: String,
    size: i64,
    blob: String,
    created_at: i64,
}

impl File {
    fn of(row: &dyn Row) -> Result<File, store::Error> {
        Ok(File {
            id: row.id(0)?,
            filename: row.text(1)?,
            content_type: row.text(2)?,
            size: row.int(3)?,
            blob: row.text(4)?,
            created_at: row.int(5)?,
        })
    }

    fn json<R: Resource>(&self, call: &Call, record: Uuid) -> Json {
        let (url, records) = (&call.public_url, R::ABOUT.table);
        json!({
            "id": self.id,
            "filename": self.filename,
            "content_type": self.content_type,
            "size": self.size,
            "url": format!("{url}/api/v1/{records}/{record}/files/{}/content", self.id),
            "created_at": Time(self.created_at).to_string(),
        })
    }
}

fn list<R: Resource>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let record = under::<R>(call, tx)?;
    let files = all::<R>(&call.ctx, tx, record)?;
    Ok(Reply::whole(files.iter().map(|file| file.json::<R>(call, record)).collect()))
}

fn prepare<R: Resource>(call: &Call, tx: &mut dyn Tx) -> Result<Effect, Error> {
    name_of(sent(call)?)?;
    type_of(sent(call)?)?;
    let record = under::<R>(call, tx)?;
    if all::<R>(&call.ctx, tx, record)?.len() >= PER_RECORD {
        let reason = format!("a {} has at most {PER_RECORD} files; delete one first", R::ABOUT.one);
        return Err(invalid("file", reason));
    }
    begin(&call.ctx, tx, sent(call)?.size as i64)
}

fn complete<R: Resource>(call: &Call, tx: &mut dyn Tx, effect: &Effect, _: &EffectResult) -> Result<Reply, Error> {
    let (one, records) = (R::ABOUT.one, R::ABOUT.table);
    let insert = format!(
        "INSERT INTO files (workspace_id, id, {one}_id, filename, content_type, size, blob, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
    );
    let sent = sent(call)?;
    let blob = confirm(&call.ctx, tx, effect, sent.size as i64)?;
    let record = under::<R>(call, tx)?;
    let file = File {
        id: tx.id(),
        filename: name_of(sent)?,
        content_type: type_of(sent)?,
        size: sent.size as i64,
        blob,
        created_at: tx.stamp(),
    };
    let params = [
        call.ctx.workspace.into(),
        file.id.into(),
        record.into(),
        file.filename.as_str().into(),
        file.content_type.as_str().into(),
        file.size.into(),
        file.blob.as_str().into(),
        file.created_at.into(),
    ];
    tx.execute(&insert, &params)?;
    emit::<R>(&call.ctx, tx, "file_added", record, "file", None, Some(&file.filename))?;
    Ok(Reply::json(&file.json::<R>(call, record)).created(format!("/{records}/{record}/files/{}", file.id)))
}

fn show<R: Resource>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (record, file) = one::<R>(call, tx)?;
    Ok(Reply::json(&file.json::<R>(call, record)))
}

fn content<R: Resource>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (_, file) = one::<R>(call, tx)?;
    let File { blob, filename, content_type, size, .. } = file;
    let stored = Stored { blob, filename, content_type, size: size.unsigned_abs() };
    Ok(Reply::of(Content::File(stored)))
}

fn remove<R: Resource>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (record, file) = one::<R>(call, tx)?;
    let params = [call.ctx.workspace.into(), file.id.into()];
    tx.execute("DELETE FROM files WHERE workspace_id = $1 AND id = $2", &params)?;
    release(&call.ctx, tx, &file.blob, file.size)?;
    emit::<R>(&call.ctx, tx, "file_deleted", record, "file", Some(&file.filename), None)?;
    Ok(Reply::deleted())
}

/// The newest first.
fn all<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, record: Uuid) -> Result<Vec<File>, Error> {
    let sql = format!("{} ORDER BY id DESC", attached_to::<R>());
    Ok(tx.rows(&sql, &[ctx.workspace.into(), record.into()], File::of)?)
}

/// The file in the path, and the record that it is attached to.
fn one<R: Resource>(call: &Call, tx: &mut dyn Tx) -> Result<(Uuid, File), Error> {
    let record = under::<R>(call, tx)?;
    let params = [call.ctx.workspace.into(), record.into(), call.id(1, "file")?.into()];
    let found = tx.one(&format!("{} AND id = $3", attached_to::<R>()), &params, File::of)?;
    Ok((record, found.ok_or_else(|| not_found("file"))?))
}

fn attached_to<R: Resource>() -> String {
    format!(
        "SELECT id, filename, content_type, size, blob, created_at FROM files WHERE workspace_id = $1 AND {}_id = $2",
        R::ABOUT.one
    )
}

/// The declared type, as `type/subtype` without parameters.
fn type_of(sent: &Sent) -> Result<String, Error> {
    let given = sent.content_type.as_deref().unwrap_or("application/octet-stream");
    let essence = given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let word =
        |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&b));
    match essence.split_once('/') {
        Some((kind, subtype)) if word(kind) && word(subtype) && essence.len() <= 127 => Ok(essence),
        _ => Err(invalid("content_type", "must be a media type such as application/pdf")),
    }
}
