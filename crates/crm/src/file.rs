//! Files that hang on a record, and how any file is kept. Its bytes stand in storage under a random name, its row in the
//! database: the name is noted first (as the job that would remove it), then the bytes are stored, then the row is
//! written and the job taken back. So a crash at any point loses no file that was acknowledged and leaves none behind.

use crate::contact::Contact;
use crate::job;
use crate::operation::{
    Call, Content, Errand, Operation, Outcome, Outside, Reply, Sent, Stored, Upload, delete, get, post, under,
};
use crate::project::Project;
use crate::scope::{CONTACTS_READ, CONTACTS_WRITE, PROJECTS_READ, PROJECTS_WRITE};
use crate::storage;
use resource::{Ctx, Error, Field, Resource, Time, event, invalid, not_found, tidy};
use serde_json::{Map, Value as Json, json};
use store::{Row, Tx, Uuid};

/// The largest file.
pub const MOST: u64 = 10 * 1024 * 1024;
/// The same as base64, with the members around it.
const AS_JSON: usize = 14 * 1024 * 1024;
/// So that a record's list of files stays one page.
const PER_RECORD: usize = 100;
/// How long storing may take before what was noted counts as left behind, in milliseconds.
const PATIENCE: i64 = 15 * 60 * 1000;

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
        .outside(Outside { ask: ask::<R>, tell: tell::<R> })
}

const fn described<R: Resource>(path: &'static str, name: &'static str) -> Operation {
    get(path, name, "Get what is known of a file").gives_object("File", schema).read(show::<R>)
}

const fn downloaded<R: Resource>(path: &'static str, name: &'static str) -> Operation {
    get(path, name, "Download a file").gives_file().read(content::<R>)
}

fn schema() -> Json {
    json!({
        "type": "object",
        "description": "A file that hangs on a record.",
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

fn ask<R: Resource>(call: &Call, tx: &mut dyn Tx) -> Result<Errand, Error> {
    name_of(sent(call)?)?;
    type_of(sent(call)?)?;
    let record = under::<R>(call, tx)?;
    if all::<R>(&call.ctx, tx, record)?.len() >= PER_RECORD {
        let reason = format!("a {} has at most {PER_RECORD} files; delete one first", R::ABOUT.one);
        return Err(invalid("file", reason));
    }
    begin(&call.ctx, tx, sent(call)?.size as i64)
}

fn tell<R: Resource>(call: &Call, tx: &mut dyn Tx, errand: &Errand, _: &Outcome) -> Result<Reply, Error> {
    let (one, records) = (R::ABOUT.one, R::ABOUT.table);
    let insert = format!(
        "INSERT INTO files (workspace_id, id, {one}_id, filename, content_type, size, blob, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
    );
    let sent = sent(call)?;
    let blob = kept(&call.ctx, tx, errand, sent.size as i64)?;
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
    told::<R>(&call.ctx, tx, "file_added", record, "file", None, Some(&file.filename))?;
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
    let_go(&call.ctx, tx, &file.blob, file.size)?;
    told::<R>(&call.ctx, tx, "file_deleted", record, "file", Some(&file.filename), None)?;
    Ok(Reply::deleted())
}

/// The newest first.
fn all<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, record: Uuid) -> Result<Vec<File>, Error> {
    let sql = format!("{} ORDER BY id DESC", hanging::<R>());
    Ok(tx.rows(&sql, &[ctx.workspace.into(), record.into()], File::of)?)
}

/// The file that the path names, and the record it hangs on.
fn one<R: Resource>(call: &Call, tx: &mut dyn Tx) -> Result<(Uuid, File), Error> {
    let record = under::<R>(call, tx)?;
    let params = [call.ctx.workspace.into(), record.into(), call.id(1, "file")?.into()];
    let found = tx.one(&format!("{} AND id = $3", hanging::<R>()), &params, File::of)?;
    Ok((record, found.ok_or_else(|| not_found("file"))?))
}

fn hanging<R: Resource>() -> String {
    format!(
        "SELECT id, filename, content_type, size, blob, created_at FROM files WHERE workspace_id = $1 AND {}_id = $2",
        R::ABOUT.one
    )
}

// ---- what every kept file goes through ----

/// The file that came with the request.
pub fn sent(call: &Call) -> Result<&Sent, Error> {
    call.file.as_ref().ok_or_else(|| invalid("file", "is missing"))
}

/// The name it came with, without the folders before it.
pub fn name_of(sent: &Sent) -> Result<String, Error> {
    let given = sent.filename.as_deref().unwrap_or_default();
    let base = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = tidy("filename", base)?;
    if name.is_empty() || name == "." || name == ".." {
        return Err(invalid("filename", "is missing; a file needs a name"));
    }
    if name.contains(char::is_control) {
        return Err(invalid("filename", "must not hold control characters"));
    }
    if name.chars().count() > 255 {
        return Err(invalid("filename", "must be at most 255 characters"));
    }
    Ok(name)
}

/// The type it came with: `type/subtype`, without parameters.
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

/// Notes a new name for a file that is about to be stored, if so many more bytes fit.
pub fn begin(ctx: &Ctx, tx: &mut dyn Tx, more: i64) -> Result<Errand, Error> {
    storage::usage(tx, ctx.workspace)?.check(more)?;
    let random = Uuid::new_v4().simple().to_string();
    let blob = format!("{}/{}/{random}", ctx.workspace, &random[..2]);
    let job = job::enqueue_in(ctx, tx, PATIENCE, job::DROP_FILE, &blob)?;
    Ok(Errand::Keep { blob, job })
}

/// The name under which it was stored; from now on it stays and counts.
pub fn kept(ctx: &Ctx, tx: &mut dyn Tx, errand: &Errand, size: i64) -> Result<String, Error> {
    let (Errand::Keep { blob, job } | Errand::KeepText { blob, job }) = errand else {
        return Err(store::Error::Internal("another errand was run".into()).into());
    };
    storage::take(ctx, tx, size)?;
    if job::cancel(ctx, tx, *job)? { Ok(blob.clone()) } else { Err(Error::Unavailable("storing took too long".into())) }
}

/// Has a stored file removed, once this is committed. It does not count any more.
pub fn let_go(ctx: &Ctx, tx: &mut dyn Tx, blob: &str, size: i64) -> Result<(), Error> {
    storage::give_back(ctx, tx, size)?;
    job::enqueue(ctx, tx, job::DROP_FILE, blob).map(drop)
}

/// What is left to do about a stored file that should go: nothing, if something refers to it after all.
pub fn unused(ctx: &Ctx, tx: &mut dyn Tx, blob: &str) -> Result<Option<Errand>, Error> {
    const USED: &str = "SELECT 1 FROM cvs WHERE workspace_id = $1 AND blob = $2 \
         UNION ALL SELECT 1 FROM files WHERE workspace_id = $1 AND blob = $2 \
         UNION ALL SELECT 1 FROM imports WHERE workspace_id = $1 AND blob = $2 \
         UNION ALL SELECT 1 FROM attachments WHERE workspace_id = $1 AND blob = $2";
    let used = tx.one(USED, &[ctx.workspace.into(), blob.into()], |_| Ok(()))?.is_some();
    Ok((!used).then(|| Errand::Drop { blob: blob.to_owned() }))
}

/// Notes in a record's history which file came and went.
pub fn told<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    verb: &str,
    record: Uuid,
    member: &str,
    from: Option<&str>,
    to: Option<&str>,
) -> Result<(), Error> {
    let changes = Map::from_iter([(member.to_owned(), json!([from, to]))]);
    event(ctx, tx, &format!("{}.{verb}", R::ABOUT.one), R::ABOUT.one, record, &changes)
}
