//! Jobs: work that follows from a change, enqueued in its transaction. Claimed with a lease,
//! carried out in small transactions, gone when done. An expired lease comes back.

use crate::enrollment::stop;
use crate::merge::mend;
use crate::operation::{Errand, Outcome};
use crate::pipeline::stage;
use crate::sequence::{default, start};
use crate::workspace::erase;
use crate::{credits, custom_field, cv, file, import, merge, outbox, tag};
use resource::{Ctx, Error, custom};
use store::{Dialect, Row, Tx, Uuid, Value};

/// Takes a deleted tag off the records that wear it; the payload is the tag's id.
pub const DETACH_TAG: &str = resource::DETACH;

/// Removes a stored file that nothing refers to; the payload is its name.
pub const DROP_FILE: &str = "drop_file";
/// Reads the text of a CV; the payload is the contact's id and the stored file's name.
pub const READ_CV: &str = "read_cv";

/// Kinds of jobs that wait for each other alone, and how many of them run at a time.
pub struct Lane {
    kinds: &'static [&'static str],
    pub workers: usize,
}
pub const LANES: &[Lane] = &[
    Lane {
        kinds: &[
            DETACH_TAG,
            resource::MERGE,
            custom::CLEAR,
            custom_field::RENAME,
            merge::MOVE,
            mend::TAG_MERGED,
            mend::OPTION_RENAMED,
            stage::CLEAR,
            default::FORGET,
            outbox::ABANDON,
            start::END,
            start::RESCHEDULE,
            credits::RETURN,
        ],
        workers: 1,
    },
    Lane { kinds: &[DROP_FILE], workers: 1 },
    Lane { kinds: &[READ_CV], workers: 2 },
    Lane { kinds: &[import::ROWS, import::UNDO, import::FORGET], workers: 2 },
    Lane { kinds: &[erase::ERASE, erase::SCRUB], workers: 1 },
];

/// How many records one transaction of a job touches.
pub const CHUNK: i64 = 200;
/// Renewed with every step, so that a job is soon taken over from a node that died.
pub(crate) const LEASE: i64 = 10_000;

#[derive(Clone, Debug)]
pub struct Job {
    pub workspace: Uuid,
    pub id: Uuid,
    pub kind: String,
    pub payload: String,
    pub attempts: i64,
}

pub fn enqueue(ctx: &Ctx, tx: &mut dyn Tx, kind: &str, payload: &str) -> Result<Uuid, Error> {
    enqueue_in(ctx, tx, 0, kind, payload)
}

/// The same, not before so many milliseconds have passed.
pub fn enqueue_in(ctx: &Ctx, tx: &mut dyn Tx, wait: i64, kind: &str, payload: &str) -> Result<Uuid, Error> {
    const ENQUEUE: &str = "INSERT INTO jobs (workspace_id, id, kind, payload, run_at, wait, lease_until, attempts, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, 0, 0, $7)";
    let (id, now) = (tx.id(), tx.now());
    let params: [Value; 7] =
        [ctx.workspace.into(), id.into(), kind.into(), payload.into(), (now + wait).into(), wait.into(), now.into()];
    tx.execute(ENQUEUE, &params)?;
    Ok(id)
}

/// A job that its maker holds already, to carry it out himself; if he dies, another goes on.
pub fn hold(ctx: &Ctx, tx: &mut dyn Tx, kind: &str, payload: &str) -> Result<Job, Error> {
    let id = enqueue(ctx, tx, kind, payload)?;
    let job = Job { workspace: ctx.workspace, id, kind: kind.into(), payload: payload.into(), attempts: 1 };
    let until = tx.now() + LEASE;
    const HOLD: &str = "UPDATE jobs SET lease_until = $1, attempts = 1 WHERE workspace_id = $2 AND id = $3";
    tx.execute(HOLD, &[until.into(), ctx.workspace.into(), id.into()])?;
    Ok(job)
}

/// Takes back a job that nobody has begun; false if it is too late.
pub fn cancel(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<bool, Error> {
    const CANCEL: &str = "DELETE FROM jobs WHERE workspace_id = $1 AND id = $2 AND attempts = 0 RETURNING id";
    Ok(tx.one(CANCEL, &[ctx.workspace.into(), id.into()], |_| Ok(()))?.is_some())
}

/// The next due job of the lane that nobody holds, taken for the time of a lease.
pub fn claim(tx: &mut dyn Tx, lane: &Lane) -> Result<Option<Job>, Error> {
    let clock = tx.dialect().clock();
    let due = format!(
        "SELECT workspace_id, id, kind, payload, attempts FROM jobs WHERE run_at <= {clock} AND lease_until <= {clock} \
         AND kind IN ('{}') ORDER BY run_at LIMIT 1{}",
        lane.kinds.join("', '"),
        skip_locked(tx.dialect())
    );
    let job = tx.one(&due, &[], |row: &dyn Row| {
        Ok(Job {
            workspace: row.id(0)?,
            id: row.id(1)?,
            kind: row.text(2)?,
            payload: row.text(3)?,
            attempts: row.int(4)?,
        })
    })?;
    if let Some(job) = &job {
        let lease = format!(
            "UPDATE jobs SET lease_until = {clock} + $1, attempts = attempts + 1 WHERE workspace_id = $2 AND id = $3"
        );
        tx.execute(&lease, &[LEASE.into(), job.workspace.into(), job.id.into()])?;
    }
    Ok(job)
}

/// So that nobody waits for what another has in hand.
pub fn skip_locked(dialect: Dialect) -> &'static str {
    match dialect.0 {
        store::Engine::Sqlite => "",
        store::Engine::Postgres => " FOR UPDATE SKIP LOCKED",
    }
}

/// What is to be done outside before the job's next step; `None` if there is nothing.
pub fn errand(ctx: &Ctx, tx: &mut dyn Tx, job: &Job) -> Result<Option<Errand>, Error> {
    match job.kind.as_str() {
        DROP_FILE => file::unused(ctx, tx, &job.payload),
        READ_CV => cv::unread(ctx, tx, &job.payload),
        import::ROWS => import::due(ctx, tx, &job.payload),
        erase::SCRUB => Ok(Some(Errand::Scrub)),
        _ => Ok(None),
    }
}

/// Holds a job for the time of one more lease.
pub fn renew(tx: &mut dyn Tx, job: &Job) -> Result<(), Error> {
    let renew =
        format!("UPDATE jobs SET lease_until = {} + $1 WHERE workspace_id = $2 AND id = $3", tx.dialect().clock());
    Ok(tx.execute(&renew, &[LEASE.into(), job.workspace.into(), job.id.into()])?)
}

/// Carries out a part of the job in one transaction, or records what was done outside; true if there is more to do.
pub fn step(ctx: &Ctx, tx: &mut dyn Tx, job: &Job, outcome: Option<&Outcome>) -> Result<bool, Error> {
    if let Some(kind) = LANES.iter().flat_map(|lane| lane.kinds).find(|kind| **kind == job.kind) {
        tx.name(kind);
    }
    let more = match job.kind.as_str() {
        DETACH_TAG => tag::detach(ctx, tx, &job.payload, CHUNK)?,
        resource::MERGE => tag::move_on(ctx, tx, job.id, CHUNK)?,
        merge::MOVE => merge::go_on(ctx, tx, job.id, CHUNK)?,
        default::FORGET => default::forget(ctx, tx, &job.payload, CHUNK)?,
        start::END => stop::sequence_archived(ctx, tx, &job.payload, CHUNK)?,
        start::RESCHEDULE => start::reschedule(ctx, tx, job.id, CHUNK)?,
        custom::CLEAR => custom_field::clear(ctx, tx, &job.payload, CHUNK)?,
        custom_field::RENAME => custom_field::rename(ctx, tx, job.id, CHUNK)?,
        outbox::ABANDON => outbox::abandon_some(ctx, tx, &job.payload, CHUNK)?,
        stage::CLEAR => stage::clear(ctx, tx, &job.payload, CHUNK)?,
        credits::RETURN => credits::give_back(ctx, tx, &job.payload)?,
        DROP_FILE | erase::SCRUB | mend::TAG_MERGED | mend::OPTION_RENAMED => false,
        erase::ERASE => erase::some(ctx, tx, &job.payload)?,
        import::ROWS => import::advance(ctx, tx, &job.payload, outcome)?,
        import::UNDO => import::go_back(ctx, tx, &job.payload, CHUNK)?,
        import::FORGET => import::forget(ctx, tx, &job.payload, CHUNK)?,
        READ_CV => {
            if let Some(Outcome::Text(text)) = outcome {
                cv::record_text(ctx, tx, &job.payload, text)?;
            }
            false
        }
        other => return Err(store::Error::Internal(format!("there is no job of the kind {other}")).into()),
    };
    if more {
        let until = tx.now() + LEASE;
        // What went wrong before it is over.
        let renew = "UPDATE jobs SET lease_until = $1, attempts = 1, error = NULL WHERE workspace_id = $2 AND id = $3";
        tx.execute(renew, &[until.into(), job.workspace.into(), job.id.into()])?;
    } else {
        tx.execute("DELETE FROM jobs WHERE workspace_id = $1 AND id = $2", &[job.workspace.into(), job.id.into()])?;
    }
    Ok(more)
}

/// How far a job says it is.
pub fn payload(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<String, Error> {
    const PAYLOAD: &str = "SELECT payload FROM jobs WHERE workspace_id = $1 AND id = $2";
    Ok(tx.one(PAYLOAD, &[ctx.workspace.into(), id.into()], |row| row.text(0))?.unwrap_or_default())
}

/// Notes how far a job is, for its next step or for whoever takes it over.
pub fn note(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, payload: &str) -> Result<(), Error> {
    const NOTE: &str = "UPDATE jobs SET payload = $1 WHERE workspace_id = $2 AND id = $3";
    Ok(tx.execute(NOTE, &[payload.into(), ctx.workspace.into(), id.into()])?)
}

/// As often is a job tried that fails for a reason of its own, if somebody can be told that it failed.
const TRIES: i64 = 5;

/// Whether a job that has failed so is not tried again: the database answers, but can't do this.
pub fn is_hopeless(job: &Job, error: &Error) -> bool {
    job.kind == import::ROWS && job.attempts + 1 >= TRIES && !error.is_passing()
}

/// Ends such a job where whoever began it sees it.
pub fn give_up(ctx: &Ctx, tx: &mut dyn Tx, job: &Job, why: &str) -> Result<(), Error> {
    import::give_up(ctx, tx, &job.payload, why)?;
    tx.execute("DELETE FROM jobs WHERE workspace_id = $1 AND id = $2", &[job.workspace.into(), job.id.into()])?;
    Ok(())
}

/// Puts a failed job off: 1 s, 2 s, 4 s … at most an hour.
pub fn put_off(tx: &mut dyn Tx, job: &Job, why: &str) -> Result<(), Error> {
    let wait = 1000_i64.saturating_mul(1 << job.attempts.clamp(0, 12)).min(3_600_000);
    let sql = format!(
        "UPDATE jobs SET run_at = {} + $1, wait = $1, lease_until = 0, error = $2 WHERE workspace_id = $3 AND id = $4",
        tx.dialect().clock()
    );
    Ok(tx.execute(&sql, &[wait.into(), why.into(), job.workspace.into(), job.id.into()])?)
}
