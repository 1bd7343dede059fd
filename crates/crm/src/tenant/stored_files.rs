//! The storage of all files: those of records, CVs, attachments of mails, files of imports. The bytes are in storage
//! under a random name, the row is in the database. First a job is enqueued that would delete the file, then the bytes
//! are stored, then the row is written and the job cancelled. So a crash at any point loses no acknowledged file and
//! leaves no orphan.

use crate::api::call::{Call, Sent};
use crate::api::effects::Effect;
use crate::api::queue;
use crate::tenant::storage;
use resource::{Ctx, Error, Resource, event, invalid, tidy};
use serde_json::{Map, json};
use store::{Tx, Uuid};

/// The largest file.
pub const MOST: u64 = 10 * 1024 * 1024;
/// The time to store a file before it counts as orphaned, in milliseconds.
const PATIENCE: i64 = 15 * 60 * 1000;

/// The job that deletes an unreferenced file; its payload is the name.
pub const DROP: &str = "drop_file";

/// The uploaded file.
pub fn sent(call: &Call) -> Result<&Sent, Error> {
    call.file.as_ref().ok_or_else(|| invalid("file", "is missing"))
}

/// The declared name, without folders.
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

/// Reserves a name for a file, if this many more bytes fit.
pub fn begin(ctx: &Ctx, tx: &mut dyn Tx, more: i64) -> Result<Effect, Error> {
    storage::usage(tx, ctx.workspace)?.check(more)?;
    let random = Uuid::new_v4().simple().to_string();
    let blob = format!("{}/{}/{random}", ctx.workspace, &random[..2]);
    let job = queue::enqueue_in(ctx, tx, PATIENCE, DROP, &blob)?;
    Ok(Effect::Keep { blob, job })
}

/// The name of the stored file. Keeps the file by cancelling the job, and counts it as used storage.
pub fn confirm(ctx: &Ctx, tx: &mut dyn Tx, effect: &Effect, size: i64) -> Result<String, Error> {
    let (Effect::Keep { blob, job } | Effect::KeepText { blob, job }) = effect else {
        return Err(store::Error::Internal("another effect was run".into()).into());
    };
    storage::take(ctx, tx, size)?;
    if queue::cancel(ctx, tx, *job)? {
        Ok(blob.clone())
    } else {
        Err(Error::Unavailable("storing took too long".into()))
    }
}

/// The same for the files of a mail, each with its size: the names of those that fit into the storage that is left, and
/// `None` for the others, which their jobs delete.
pub fn confirm_fitting(ctx: &Ctx, tx: &mut dyn Tx, files: &[(&Effect, i64)]) -> Result<Vec<Option<String>>, Error> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let fits = storage::take_fitting(ctx, tx, files.iter().map(|(_, size)| *size))?;
    let (mut stored, mut jobs) = (Vec::with_capacity(files.len()), Vec::new());
    for ((effect, _), fits) in files.iter().zip(fits) {
        let (Effect::Keep { blob, job } | Effect::KeepText { blob, job }) = effect else {
            return Err(store::Error::Internal("another effect was run".into()).into());
        };
        jobs.extend(fits.then_some(*job));
        stored.push(fits.then(|| blob.clone()));
    }
    if queue::cancel_all(ctx, tx, &jobs)? {
        Ok(stored)
    } else {
        Err(Error::Unavailable("storing took too long".into()))
    }
}

/// Deletes a stored file after this transaction, and subtracts it from the used storage. The caller has deleted the row; a
/// file that is also attached to a message stays.
pub fn release(ctx: &Ctx, tx: &mut dyn Tx, blob: &str, size: i64) -> Result<(), Error> {
    const SHARED: &str = "SELECT 1 FROM files WHERE workspace_id = $1 AND blob = $2 \
         UNION ALL SELECT 1 FROM attachments WHERE workspace_id = $1 AND blob = $2";
    if tx.one(SHARED, &[ctx.workspace.into(), blob.into()], |_| Ok(()))?.is_some() {
        return Ok(());
    }
    storage::give_back(ctx, tx, size)?;
    queue::enqueue(ctx, tx, DROP, blob).map(drop)
}

/// Whether a payload of the job can be the name of a file: each begins with the id of its workspace.
pub fn is_name(payload: &str) -> bool {
    payload.split_once('/').is_some_and(|(workspace, name)| Uuid::try_parse(workspace).is_ok() && !name.is_empty())
}

/// The effect that deletes a file; `None` if something references it.
pub fn unused(ctx: &Ctx, tx: &mut dyn Tx, blob: &str) -> Result<Option<Effect>, Error> {
    const USED: &str = "SELECT 1 FROM cvs WHERE workspace_id = $1 AND blob = $2 \
         UNION ALL SELECT 1 FROM files WHERE workspace_id = $1 AND blob = $2 \
         UNION ALL SELECT 1 FROM imports WHERE workspace_id = $1 AND blob = $2 \
         UNION ALL SELECT 1 FROM attachments WHERE workspace_id = $1 AND blob = $2";
    let used = tx.one(USED, &[ctx.workspace.into(), blob.into()], |_| Ok(()))?.is_some();
    Ok((!used).then(|| Effect::Drop { blob: blob.to_owned() }))
}

/// Emits an event about an added or deleted file of a record.
pub fn emit<R: Resource>(
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
