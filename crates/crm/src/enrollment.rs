//! Enrollments: contacts in sequences. `active ⇄ paused`, then `finished`, `replied`, `bounced`, `unsubscribed`,
//! `unenrolled` or `failed`; a reply makes a finished one `replied`.
//!
//! A message may belong to a step of one: what the outbox and the inbox ask and tell stands in `stop`.

mod begun;
pub mod course;
mod deed;
mod desk;
pub mod enroll;
mod explain;
pub mod letter;
pub mod links;
mod merged;
pub mod preview;
mod record;
pub mod run;
pub mod sender;
mod stats;
pub mod stop;

pub use course::reschedule;
pub use desk::Desk;
pub use enroll::{enroll_one, enrolled, enrolled_in};
pub use merged::{Decision, Moved, carry_out, decide, ends, move_back, replied_since, unsubscribed};
pub use record::{Enrollment, EnrollmentStatus, pace};
pub use stop::{happened, may_send, settled};

use crate::contact::Contact;
use crate::operation::{Call, Operation, Reply, get, list_by, list_under, post, show};
use crate::outbox;
use crate::scope::{SEQUENCES_READ, SEQUENCES_WRITE};
use crate::sequence::Sequence;
use crate::workspace::Feature;
use begun::{forget_run, open_run, withdraw};
use course::{Course, go_on, over};
use record::{FIELDS, save, set_state, state};
use resource::{Changes, Ctx, Error, Field, Resource, Saved, find, invalid};
use serde_json::{Map, Value as Json};
use store::{Tx, Uuid, Value};

/// The step of an enrollment that a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    pub enrollment_id: Uuid,
    pub step_id: Uuid,
}

/// Whether a message of an enrollment may be handed over now.
#[derive(Clone, Debug, PartialEq)]
pub enum May {
    Send,
    /// Not before this millisecond.
    Later {
        until: i64,
        why: String,
    },
    /// Not any more; the message fails with this reason.
    Never(String),
}

/// What came of a message of an enrollment.
#[derive(Clone, Debug, PartialEq)]
pub enum Settled {
    Sent,
    /// It was refused for the recipient's sake: as good as a bounce.
    Bounced(String),
    /// It was not sent and will not be.
    Failed(String),
    /// Nobody knows whether it was sent; it is not sent again by itself.
    Unknown(String),
    /// It was not sent, and is tried again at this millisecond: a fault that passes, or one of the sender.
    Later {
        until: i64,
        why: String,
    },
}

/// Something that a contact did, or that happened to a message sent to them.
#[derive(Clone, Debug, PartialEq)]
pub struct Happening {
    pub contact_id: Uuid,
    /// The message of ours that it is about, where that is known, and the step that it was.
    pub message_id: Option<Uuid>,
    pub run: Option<Run>,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A human reply, on any channel.
    Replied,
    AutoReplied,
    /// Until this millisecond, where it says.
    OutOfOffice(Option<i64>),
    Bounced {
        hard: bool,
        why: String,
    },
    Complained,
    Unsubscribed,
    InviteAccepted,
}

/// What becomes known of a message whose outcome was not.
#[derive(Resource)]
pub struct ResumeInput {
    /// Only after `outcome_unknown`: whether the message was sent.
    pub sent: Option<bool>,
}
const RESUME: &[Field] = ResumeInput::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    post("/sequences/{id}/enroll", "enroll_contacts", "Enroll contacts in a sequence")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_WRITE)
        .members("EnrollInput", enroll::ENROLL)
        .write(enroll::enroll)
        .gives_object("EnrollResult", enroll::schema),
    post("/sequences/{id}/unenroll", "unenroll_contacts", "Take contacts out of a sequence")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_WRITE)
        .members("UnenrollInput", enroll::UNENROLL)
        .write(enroll::unenroll)
        .gives_object("UnenrollResult", enroll::unenrolled_schema),
    get("/sequences/{id}/enrollments", "list_sequence_enrollments", "List the enrollments of a sequence")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_READ)
        .list::<Enrollment>()
        .read(list_under::<Sequence, Enrollment>),
    get("/sequences/{id}/stats", "sequence_stats", "What became of each step of a sequence")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_READ)
        .read(stats::read)
        .gives_objects("StepStats", stats::schema),
    get("/contacts/{id}/enrollments", "list_contact_enrollments", "List a contact's enrollments")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_READ)
        .list::<Enrollment>()
        .read(list_of_contact),
    get("/enrollments/{id}", "get_enrollment", "Get an enrollment")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_READ)
        .record::<Enrollment>(),
    post("/enrollments/{id}/pause", "pause_enrollment", "Pause an enrollment")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_WRITE)
        .write(pause)
        .gives::<Enrollment>(&[200]),
    post("/enrollments/{id}/resume", "resume_enrollment", "Let a paused enrollment go on")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_WRITE)
        .members("ResumeInput", RESUME)
        .write(resume)
        .gives::<Enrollment>(&[200]),
    get("/enrollments/{id}/explain", "explain_enrollment", "When the next step goes out, or why nothing will")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_READ)
        .read(explain::read)
        .gives_object("Explanation", explain::schema),
];

fn list_of_contact(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    list_by::<Contact, Enrollment>(call, tx, "contact_id", Enrollment::ABOUT.links)
}

fn pause(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let id = call.id(0, "enrollment")?;
    paused(&call.ctx, tx, id)?;
    show::<Enrollment>(&call.ctx, tx, id)
}

/// Holds an active enrollment up until somebody lets it go on.
pub fn paused(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    let saved = find::<Enrollment>(ctx, tx, id)?;
    if saved.record.status != EnrollmentStatus::Active {
        return Err(invalid(
            "status",
            format!("is {}; only an active enrollment can be paused", saved.record.status.word()),
        ));
    }
    let more = withdraw(ctx, tx, &saved, "the enrollment was paused")?;
    let (mut changes, mut kept) = (Changes::default(), state(&saved));
    (kept.paused_until, kept.held) = (None, None);
    set_state(&mut changes, &kept);
    let reason = match more.contains_key("sending") {
        true => "paused by hand, while its message was being handed over",
        false => "paused by hand",
    };
    changes.set(FIELDS, "status", EnrollmentStatus::Paused.word());
    changes.set(FIELDS, "reason", reason);
    changes.set(FIELDS, "due_at", Value::Null);
    save(ctx, tx, &saved, &changes, "paused", &more).map(drop)
}

fn resume(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let asked = call.members(RESUME)?;
    let sent = if let Some(Value::Bool(sent)) = asked.get("sent") { Some(*sent) } else { None };
    let id = call.id(0, "enrollment")?;
    resumed(&call.ctx, tx, id, sent)?;
    show::<Enrollment>(&call.ctx, tx, id)
}

/// Lets a paused enrollment go on; after `outcome_unknown` somebody must know whether the message was sent.
pub fn resumed(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, sent: Option<bool>) -> Result<(), Error> {
    let saved = find::<Enrollment>(ctx, tx, id)?;
    if saved.record.status != EnrollmentStatus::Paused {
        return Err(invalid(
            "status",
            format!("is {}; only a paused enrollment can go on", saved.record.status.word()),
        ));
    }
    let mut course = Course::of(ctx, tx, saved.record.sequence_id)?;
    match (saved.record.reason.as_deref() == Some(stop::OUTCOME_UNKNOWN), sent) {
        (true, None) => {
            let reason =
                "is required after outcome_unknown: true if the message arrived, false if it is to be sent again";
            Err(invalid("sent", reason))
        }
        (true, Some(sent)) => learn_outcome(ctx, tx, &mut course, &saved, sent),
        (false, Some(_)) => Err(invalid("sent", "is only for an enrollment whose reason is outcome_unknown")),
        (false, None) => go_on(ctx, tx, &mut course, &saved).map(drop),
    }
}

/// Somebody has looked whether the message arrived.
fn learn_outcome(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    course: &mut Course,
    saved: &Saved<Enrollment>,
    sent: bool,
) -> Result<(), Error> {
    let run = open_run(ctx, tx, saved)?;
    if let Some(message) = run.as_ref().and_then(|run| run.message) {
        outbox::resolve(ctx, tx, message, sent)?;
    }
    if !sent {
        // As if it had not begun: it is sent again, as a new message.
        if let Some(run) = run {
            forget_run(ctx, tx, saved.id, run.step)?;
        }
        return go_on(ctx, tx, course, saved).map(drop);
    }
    let active = go_on(ctx, tx, course, saved)?;
    let steps = course.steps(ctx, tx, saved.record.steps_version)?;
    let step = run.and_then(|run| steps.iter().find(|step| step.id == run.step));
    match step {
        Some(step) => over(ctx, tx, course, &active, step, "sent", None).map(drop),
        None => Ok(()),
    }
}

/// The enrollments of a contact that may still go on.
pub fn open_of(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid) -> Result<Vec<Uuid>, Error> {
    const OPEN: &str = "SELECT id FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 AND status IN ('active', 'paused') ORDER BY id";
    Ok(tx.rows(OPEN, &[ctx.workspace.into(), contact.into()], |row| row.id(0))?)
}

/// The addresses among a contact's emails or phones.
fn addresses(items: &[Map<String, Json>], member: &str) -> Vec<String> {
    items.iter().filter_map(|item| item.get(member)?.as_str().map(str::to_owned)).collect()
}
