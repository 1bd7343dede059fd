//! The job queue: work that follows from a change, enqueued in its transaction. A worker claims a job with a lease,
//! carries it out in small transactions and removes it when it is done. A job whose lease has expired is claimed again.
//! What each kind of job does is listed in `jobs.rs`.

use resource::{Ctx, Error, Place, among, by_keys};
use store::{Row, Tx, Uuid, Value};

/// Work that failed because of damaged stored data is retried after this many milliseconds, because only a repair
/// helps.
pub const DAMAGED_WAIT: i64 = 60 * 60 * 1000;
/// How many records one transaction of a job touches.
pub const CHUNK: i64 = 200;
/// Milliseconds of a lease. Every step renews it, so that another node soon takes over the job of a crashed one.
pub(crate) const LEASE: i64 = 10_000;

/// A job in the queue.
#[derive(Clone, Debug)]
pub struct Queued {
    pub workspace: Uuid,
    pub id: Uuid,
    pub kind: String,
    pub payload: String,
    pub attempts: i64,
}

pub fn enqueue(ctx: &Ctx, tx: &mut dyn Tx, kind: &str, payload: &str) -> Result<Uuid, Error> {
    enqueue_in(ctx, tx, 0, kind, payload)
}

/// Like `enqueue`, but the job starts only after this many milliseconds.
pub fn enqueue_in(ctx: &Ctx, tx: &mut dyn Tx, wait: i64, kind: &str, payload: &str) -> Result<Uuid, Error> {
    const ENQUEUE: &str = "INSERT INTO jobs (workspace_id, id, kind, payload, run_at, wait, lease_until, attempts, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, 0, 0, $7)";
    let (id, now) = (tx.id(), tx.now());
    let params: [Value; 7] =
        [ctx.workspace.into(), id.into(), kind.into(), payload.into(), (now + wait).into(), wait.into(), now.into()];
    tx.execute(ENQUEUE, &params)?;
    Ok(id)
}

/// Enqueues a job and claims it for the caller, who carries it out; if the caller crashes, a worker continues.
pub fn hold(ctx: &Ctx, tx: &mut dyn Tx, kind: &str, payload: &str) -> Result<Queued, Error> {
    let id = enqueue(ctx, tx, kind, payload)?;
    let job = Queued { workspace: ctx.workspace, id, kind: kind.into(), payload: payload.into(), attempts: 1 };
    let until = tx.now() + LEASE;
    const HOLD: &str = "UPDATE jobs SET lease_until = $1, attempts = 1 WHERE workspace_id = $2 AND id = $3";
    tx.execute(HOLD, &[until.into(), ctx.workspace.into(), id.into()])?;
    Ok(job)
}

/// Removes a job that no worker has started; false if it is too late.
pub fn cancel(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<bool, Error> {
    const CANCEL: &str = "DELETE FROM jobs WHERE workspace_id = $1 AND id = $2 AND attempts = 0 RETURNING id";
    Ok(tx.one(CANCEL, &[ctx.workspace.into(), id.into()], |_| Ok(()))?.is_some())
}

/// Cancels several jobs. False if one of them has begun.
pub fn cancel_all(ctx: &Ctx, tx: &mut dyn Tx, ids: &[Uuid]) -> Result<bool, Error> {
    let sql = format!("DELETE FROM jobs WHERE workspace_id = $1 AND id IN {} AND attempts = 0 RETURNING id", among(2));
    let mut cancelled = 0;
    for params in by_keys(ctx, ids.iter().copied()) {
        cancelled += tx.rows(&sql, &params, |_| Ok(()))?.len();
    }
    Ok(cancelled == ids.len())
}

/// A claimed job, and the error if its payload can't be read.
pub type Claimed = (Queued, Option<Error>);

/// Claims the next due job of these kinds that no worker holds.
pub fn claim(tx: &mut dyn Tx, kinds: &[&str]) -> Result<Option<Claimed>, Error> {
    let clock = tx.dialect().clock();
    let due = format!(
        "SELECT workspace_id, id, kind, payload, attempts FROM jobs WHERE run_at <= {clock} AND lease_until <= {clock} \
         AND kind IN ('{}') ORDER BY run_at LIMIT 1{}",
        kinds.join("', '"),
        tx.dialect().skip_locked()
    );
    let job = tx.one(&due, &[], |row: &dyn Row| {
        let (payload, damaged) = match row.text(3) {
            Ok(payload) => (payload, None),
            Err(error) => (String::new(), Some(Error::from(error.in_row("jobs", row.id(1)?)))),
        };
        let (workspace, id) = (row.id(0)?, row.id(1)?);
        Ok((Queued { workspace, id, kind: row.text(2)?, payload, attempts: row.int(4)? }, damaged))
    })?;
    if let Some((job, _)) = &job {
        let lease = format!(
            "UPDATE jobs SET lease_until = {clock} + $1, attempts = attempts + 1 WHERE workspace_id = $2 AND id = $3"
        );
        tx.execute(&lease, &[LEASE.into(), job.workspace.into(), job.id.into()])?;
    }
    Ok(job)
}

/// Extends the lease of a job.
pub fn renew(tx: &mut dyn Tx, job: &Queued) -> Result<(), Error> {
    let renew =
        format!("UPDATE jobs SET lease_until = {} + $1 WHERE workspace_id = $2 AND id = $3", tx.dialect().clock());
    Ok(tx.execute(&renew, &[LEASE.into(), job.workspace.into(), job.id.into()])?)
}

/// Records that a step succeeded and that there is more to do: earlier failures do not count any more.
pub fn advance(tx: &mut dyn Tx, job: &Queued) -> Result<(), Error> {
    let until = tx.now() + LEASE;
    let renew = "UPDATE jobs SET lease_until = $1, attempts = 1, error = NULL WHERE workspace_id = $2 AND id = $3";
    Ok(tx.execute(renew, &[until.into(), job.workspace.into(), job.id.into()])?)
}

/// Removes a job that is done, or given up.
pub fn finish(tx: &mut dyn Tx, job: &Queued) -> Result<(), Error> {
    delete(tx, job.workspace, job.id)
}

/// Removes a job that has become pointless, even if a worker holds it: that worker's next step finds nothing to do.
pub fn withdraw(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    delete(tx, ctx.workspace, id)
}

fn delete(tx: &mut dyn Tx, workspace: Uuid, id: Uuid) -> Result<(), Error> {
    const DELETE: &str = "DELETE FROM jobs WHERE workspace_id = $1 AND id = $2";
    Ok(tx.execute(DELETE, &[workspace.into(), id.into()])?)
}

/// Where the payload of a job is stored.
pub fn place(job: &Uuid) -> Place<'_> {
    resource::place("jobs", "payload", job)
}

/// The payload of a job as it is now; `None` if the job is gone.
pub fn payload(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Option<String>, Error> {
    const PAYLOAD: &str = "SELECT payload FROM jobs WHERE workspace_id = $1 AND id = $2";
    Ok(tx.one(PAYLOAD, &[ctx.workspace.into(), id.into()], |row| row.text(0))?)
}

/// Stores the progress of a job in its payload, for its next step or for another worker that takes it over.
pub fn note(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, payload: &str) -> Result<(), Error> {
    const NOTE: &str = "UPDATE jobs SET payload = $1 WHERE workspace_id = $2 AND id = $3";
    Ok(tx.execute(NOTE, &[payload.into(), ctx.workspace.into(), id.into()])?)
}

/// Delays a failed job: 1 s, 2 s, 4 s … at most an hour, and an hour at once if stored data can't be read.
pub fn put_off(tx: &mut dyn Tx, job: &Queued, error: &Error) -> Result<(), Error> {
    let wait = match error.is_corrupt() {
        true => DAMAGED_WAIT,
        false => 1000_i64.saturating_mul(1 << job.attempts.clamp(0, 12)).min(3_600_000),
    };
    let why = error.to_string();
    let sql = format!(
        "UPDATE jobs SET run_at = {} + $1, wait = $1, lease_until = 0, error = $2 WHERE workspace_id = $3 AND id = $4",
        tx.dialect().clock()
    );
    Ok(tx.execute(&sql, &[wait.into(), why.into(), job.workspace.into(), job.id.into()])?)
}
