//! Every kind of job, as a table: the lane it runs in, the effect it needs before a step, and the step itself. The
//! queue that holds jobs is `api/queue.rs`.

use crate::api::effects::{Effect, EffectResult};
use crate::api::queue::{self, CHUNK, Claimed, Queued};
use crate::collaboration::merge;
use crate::erasure;
use crate::outreach::conversation::snooze;
use crate::outreach::enrollment::{self, sequence_changes};
use crate::outreach::sequence::default;
use crate::outreach::{account, delivery};
use crate::pipelines::deal::stage_removal;
use crate::pipelines::pipeline::stage;
use crate::records::{cleanup, custom_field, cv, merge_log, tag};
use crate::tenant::workspace::erase;
use crate::tenant::{credits, stored_files};
use crate::transfer::import;
use resource::{Ctx, Error, custom, place};
use store::{Tx, Uuid};

/// A kind of job.
pub struct Job {
    pub kind: &'static str,
    pub lane: Lane,
    /// Whether a payload can be read, for `relata check`.
    is_payload: fn(&str) -> bool,
    /// In a read: the effect that the next step needs; `None` if it needs none.
    pub prepare: Option<Prepare>,
    /// Carries out a part of the job in one transaction, or records the result of the effect; true if there is more to
    /// do.
    pub complete: Complete,
    /// Reports a job that failed too often to the user who started it. Without it, the job is retried forever.
    pub give_up: Option<GiveUp>,
}

type Prepare = fn(&Ctx, &mut dyn Tx, &Queued) -> Result<Option<Effect>, Error>;
type Complete = fn(&Ctx, &mut dyn Tx, &Queued, Option<&EffectResult>) -> Result<bool, Error>;
type GiveUp = fn(&Ctx, &mut dyn Tx, &Queued, &str) -> Result<(), Error>;

/// Jobs wait only for jobs of their own lane, so that long ones do not delay the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    Records,
    Files,
    Texts,
    Imports,
    Erasure,
}

pub const LANES: &[Lane] = &[Lane::Records, Lane::Files, Lane::Texts, Lane::Imports, Lane::Erasure];

impl Lane {
    /// How many of its jobs run at a time.
    pub fn workers(self) -> usize {
        match self {
            Lane::Records | Lane::Files | Lane::Erasure => 1,
            Lane::Texts | Lane::Imports => 2,
        }
    }
}

pub const JOBS: &[Job] = &[
    job(tag::DETACH, Lane::Records, is_id, |ctx, tx, job, _| cleanup::detach_tag(ctx, tx, &job.payload, CHUNK)),
    job(resource::MERGE, Lane::Records, is_pair, |ctx, tx, job, _| cleanup::replace_tag(ctx, tx, job.id, CHUNK)),
    job(custom::CLEAR, Lane::Records, custom::is_term, |ctx, tx, job, _| {
        cleanup::clear_field(ctx, tx, &job.payload, CHUNK)
    }),
    job(custom_field::RENAME, Lane::Records, custom_field::is_rename, |ctx, tx, job, _| {
        cleanup::rename_option(ctx, tx, job.id, CHUNK)
    }),
    job(merge_log::MOVE, Lane::Records, merge_log::is_move, |ctx, tx, job, _| merge::go_on(ctx, tx, job.id, CHUNK)),
    job(merge_log::TAG_MERGED, Lane::Records, is_pair, expire),
    job(merge_log::OPTION_RENAMED, Lane::Records, custom_field::is_rename, expire),
    job(stage::CLEAR, Lane::Records, stage::is_plan, |ctx, tx, job, _| {
        stage_removal::clear(ctx, tx, &job.payload, CHUNK)
    }),
    job(default::FORGET, Lane::Records, is_id, |ctx, tx, job, _| default::forget(ctx, tx, &job.payload, CHUNK)),
    job(account::ABANDON, Lane::Records, is_id, |ctx, tx, job, _| delivery::abandon_some(ctx, tx, &job.payload, CHUNK)),
    job(sequence_changes::END, Lane::Records, is_id, |ctx, tx, job, _| {
        enrollment::end_of_sequence(ctx, tx, &job.payload, CHUNK)
    }),
    job(sequence_changes::RESCHEDULE, Lane::Records, is_pair, |ctx, tx, job, _| {
        sequence_changes::move_to_schedule(ctx, tx, job.id, CHUNK)
    }),
    job(snooze::WAKE, Lane::Records, is_id, |ctx, tx, job, _| snooze::wake(ctx, tx, job)),
    job(credits::RETURN, Lane::Records, is_id, |ctx, tx, job, _| credits::give_back(ctx, tx, &job.payload)),
    job(stored_files::DROP, Lane::Files, stored_files::is_name, expire)
        .prepare(|ctx, tx, job| stored_files::unused(ctx, tx, &job.payload)),
    job(cv::READ, Lane::Texts, cv::is_unread, read_cv).prepare(|ctx, tx, job| cv::unread(ctx, tx, &job.payload)),
    job(import::ROWS, Lane::Imports, is_id, |ctx, tx, job, outcome| import::advance(ctx, tx, &job.payload, outcome))
        .prepare(|ctx, tx, job| import::due(ctx, tx, &job.payload))
        .give_up(|ctx, tx, job, why| import::give_up(ctx, tx, &job.payload, why)),
    job(import::UNDO, Lane::Imports, is_id, |ctx, tx, job, _| import::go_back(ctx, tx, &job.payload, CHUNK)),
    job(import::FORGET, Lane::Imports, is_id, |ctx, tx, job, _| import::forget(ctx, tx, &job.payload, CHUNK)),
    job(erasure::ERASE, Lane::Erasure, erasure::is_erasure, |ctx, tx, job, _| erasure::go_on(ctx, tx, job.id)),
    job(erase::ERASE, Lane::Erasure, erase::is_round, |ctx, tx, job, _| erase::some(ctx, tx, &job.payload)),
    job(erase::SCRUB, Lane::Erasure, erase::is_scrub, expire).prepare(|_, _, _| Ok(Some(Effect::Scrub))),
];

const fn job(kind: &'static str, lane: Lane, is_payload: fn(&str) -> bool, complete: Complete) -> Job {
    Job { kind, lane, is_payload, prepare: None, complete, give_up: None }
}

impl Job {
    const fn prepare(mut self, prepare: Prepare) -> Job {
        self.prepare = Some(prepare);
        self
    }
    const fn give_up(mut self, give_up: GiveUp) -> Job {
        self.give_up = Some(give_up);
        self
    }
}

/// A job without a step of its own: it is done when its effect is, or it only stores its payload until it is due.
fn expire(_: &Ctx, _: &mut dyn Tx, _: &Queued, _: Option<&EffectResult>) -> Result<bool, Error> {
    Ok(false)
}

fn read_cv(ctx: &Ctx, tx: &mut dyn Tx, job: &Queued, outcome: Option<&EffectResult>) -> Result<bool, Error> {
    if let Some(EffectResult::Text(text)) = outcome {
        cv::record_text(ctx, tx, &job.payload, text)?;
    }
    Ok(false)
}

fn of(job: &Queued) -> Option<&'static Job> {
    JOBS.iter().find(|known| known.kind == job.kind)
}

/// Claims the next due job of the lane that no worker holds.
pub fn claim(tx: &mut dyn Tx, lane: Lane) -> Result<Option<Claimed>, Error> {
    let kinds: Vec<&str> = JOBS.iter().filter(|job| job.lane == lane).map(|job| job.kind).collect();
    queue::claim(tx, &kinds)
}

/// The effect that the job's next step needs; `None` if it needs none.
pub fn prepare(ctx: &Ctx, tx: &mut dyn Tx, job: &Queued) -> Result<Option<Effect>, Error> {
    match of(job).and_then(|known| known.prepare) {
        Some(prepare) => prepare(ctx, tx, job).map_err(|error| damaged(job.id, error)),
        None => Ok(None),
    }
}

/// Carries out a step of the job, or records the result of its effect; true if there is more to do.
pub fn complete(ctx: &Ctx, tx: &mut dyn Tx, job: &Queued, outcome: Option<&EffectResult>) -> Result<bool, Error> {
    let Some(known) = of(job) else {
        return Err(store::Error::Internal(format!("there is no job of the kind {}", job.kind)).into());
    };
    tx.name(known.kind);
    let more = (known.complete)(ctx, tx, job, outcome).map_err(|error| damaged(job.id, error))?;
    if more {
        queue::advance(tx, job)?
    } else {
        queue::finish(tx, job)?
    }
    Ok(more)
}

/// An error without a location comes from the payload of the job.
fn damaged(job: Uuid, error: Error) -> Error {
    error.at("payload").in_row("jobs", job)
}

/// Finds a job that can't be read: of an unknown kind, or with another payload than its kind has.
pub fn check(id: Uuid, kind: &str, payload: &str) -> Result<(), Error> {
    match JOBS.iter().find(|known| known.kind == kind) {
        None => Err(place("jobs", "kind", &id).corrupt(UNKNOWN_KIND)),
        Some(known) if (known.is_payload)(payload) => Ok(()),
        Some(_) => Err(queue::place(&id).corrupt(format!("is no payload of {kind}"))),
    }
}

const UNKNOWN_KIND: &str = "is no kind of job";

fn is_id(payload: &str) -> bool {
    Uuid::try_parse(payload).is_ok()
}

/// Two ids.
fn is_pair(payload: &str) -> bool {
    payload.split_once(' ').is_some_and(|(one, other)| is_id(one) && is_id(other))
}

/// Attempts of a job that fails permanently, if the failure can be reported to a user.
const TRIES: i64 = 5;

/// Whether a failed job is not retried: the database works, but this job can't succeed.
pub fn is_hopeless(job: &Queued, error: &Error) -> bool {
    of(job).is_some_and(|known| known.give_up.is_some()) && job.attempts + 1 >= TRIES && !error.is_transient()
}

/// Ends such a job and reports the failure to the user who started it.
pub fn give_up(ctx: &Ctx, tx: &mut dyn Tx, job: &Queued, why: &str) -> Result<(), Error> {
    if let Some(give_up) = of(job).and_then(|known| known.give_up) {
        give_up(ctx, tx, job, why)?;
    }
    queue::finish(tx, job)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_kind_refuses_a_payload_that_it_can_not_read() {
        for job in JOBS {
            let error = check(Uuid::nil(), job.kind, "nonsense").err();
            assert!(error.is_some_and(|error| error.is_corrupt()), "{}", job.kind);
        }
        assert!(check(Uuid::nil(), "nonsense", "").is_err());
    }

    #[test]
    fn every_kind_is_listed_once_and_every_lane_has_jobs() {
        let kinds: BTreeSet<&str> = JOBS.iter().map(|job| job.kind).collect();
        assert_eq!(kinds.len(), JOBS.len());
        for lane in LANES {
            assert!(JOBS.iter().any(|job| job.lane == *lane), "{lane:?}");
        }
    }
}
