//! Enrollments: contacts in sequences.
//!
//! The sequence engine runs their steps: `tick` finds due enrollments, `decide` holds the rules as pure functions, `execute`
//! runs one step, and `record` writes. `state` holds the states and their transitions; docs/sequence-engine.md draws them.

mod advance;
mod archive;
mod batch;
mod bounces;
mod candidates;
mod chosen;
mod comparison;
mod contact_events;
mod context;
pub mod counts;
mod decide;
mod delivery;
pub mod enroll;
mod erased;
mod execute;
mod explain;
pub mod links;
pub mod merged;
mod pause;
pub mod preview;
mod record;
pub mod rendered;
pub mod resolve;
pub mod retry;
mod sender;
pub mod sequence_changes;
pub mod state;
mod stats;
mod step_runs;
pub mod step_test;
mod stored_state;
mod task;
pub mod tick;
pub mod upgrade;

pub use advance::contact_details_changed;
pub use archive::end_of_sequence;
pub use batch::EnrollmentBatch;
pub use contact_events::{address_suppressed, addresses_changed, contact_changed, contact_event};
pub use delivery::{may_send, record_step_outcome};
pub use enroll::{enroll_one, enrolled, enrolled_in};
pub use erased::erase_all;
pub use pause::{pause_by_user, resume_by_user};
pub use record::note_wait_for_account;
pub use sequence_changes::sequence_changed;
pub use stored_state::StoredState;
pub use task::task_over;

use crate::api::call::{Call, Reply, list_by, list_under};
use crate::api::operation::{Operation, get, post};
use crate::api::scope::{Feature, MESSAGES_WRITE, SEQUENCES_READ, SEQUENCES_WRITE};
use crate::outreach::outbox::Run;
use crate::outreach::sequence::Sequence;
use crate::records::contact::Contact;
use resource::{Ctx, Error, Field, Index, Resource, Saved, Time, find};
use serde_json::{Map, Value as Json};
use state::{BY_MERGE, Kind};
use store::{Tx, Uuid};

resource::choices! {
    EnrollmentStatus {
        Active = "active", Paused = "paused", Finished = "finished", Replied = "replied", Bounced = "bounced",
        Unsubscribed = "unsubscribed", Unenrolled = "unenrolled", Failed = "failed",
    }
}

impl EnrollmentStatus {
    /// Whether the enrollment can still send something.
    pub fn is_open(self) -> bool {
        matches!(self, EnrollmentStatus::Active | EnrollmentStatus::Paused)
    }
}

/// A contact in a sequence.
#[derive(Resource)]
#[resource(table = "enrollments", one = "enrollment", indexes = INDEXES)]
pub struct Enrollment {
    #[field(read_only)]
    pub id: Uuid,
    #[field(read_only)]
    pub sequence_id: Uuid,
    #[field(read_only, filter, subject)]
    pub contact_id: Uuid,
    #[field(read_only, default = "\"active\"", filter)]
    pub status: EnrollmentStatus,
    /// The step whose turn it is; while no branch is decided on, the step before; after the end, the last one.
    #[field(read_only)]
    pub current_step_id: Option<Uuid>,
    /// `custom_variable_1` … `custom_variable_10`, for its templates.
    #[field(read_only)]
    pub custom_variables: Map<String, Json>,
    /// When the current step is due; null while it waits for a task, for good or for somebody.
    #[field(read_only)]
    pub next_step_at: Option<Time>,
    /// Why it ended or is held up.
    #[field(read_only)]
    pub reason: Option<String>,
    #[field(read_only)]
    pub enrolled_at: Time,
    #[field(read_only)]
    pub finished_at: Option<Time>,
    /// The `version` of the sequence that it follows. A later change of the steps does not reach it, unless it is upgraded.
    #[field(read_only, stored_as = "steps_version")]
    pub sequence_version: i64,
    /// The last step that is over.
    #[field(hidden)]
    pub done_step_id: Option<Uuid>,
    /// When that step was over. Delays count from here.
    #[field(hidden)]
    pub base_at: Time,
    /// The next step, once it is decided.
    #[field(hidden)]
    pub planned_step_id: Option<Uuid>,
    /// When the engine looks at it next.
    #[field(hidden)]
    pub due_at: Option<Time>,
    /// Whether no step is over yet.
    #[field(hidden)]
    pub fresh: bool,
    /// A `StoredState`.
    #[field(hidden)]
    pub state: Map<String, Json>,
    #[field(read_only, filter, sort)]
    pub created_at: Time,
    #[field(read_only, filter, sort)]
    pub updated_at: Time,
}

const INDEXES: &[Index] = &[
    Index { name: "enrollments_sequence_id", fields: &["sequence_id"] },
    Index { name: "enrollments_sequence_id_status", fields: &["sequence_id", "status"] },
    Index { name: "enrollments_sequence_id_updated_at", fields: &["sequence_id", "updated_at"] },
    Index { name: "enrollments_contact_id", fields: &["contact_id"] },
];

pub const FIELDS: &[Field] = Enrollment::FIELDS;

/// Whether the message of a step may be sent now.
#[derive(Clone, Debug, PartialEq)]
pub enum MaySend {
    Yes,
    /// Not before this millisecond.
    Later {
        until: i64,
        why: String,
    },
    /// The message fails with this reason.
    Never(String),
}

/// What became of the message of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum StepOutcome {
    Sent,
    /// The server refused the recipient, which counts as a bounce.
    Bounced(String),
    /// It was not sent, and will not be.
    Failed(String),
    /// Nobody knows whether it was sent. It is not sent again automatically.
    Unknown(String),
    /// It was not sent and is tried again at this millisecond, after a transient error or an error of the account.
    Later {
        until: i64,
        why: String,
    },
}

/// Something that a contact did, or that happened to a message to the contact.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactEvent {
    pub contact_id: Uuid,
    /// The message that it is about, and the step of that message, where they are known.
    pub message_id: Option<Uuid>,
    pub run: Option<Run>,
    pub kind: ContactEventKind,
    /// When it happened. Replies and absences don't affect enrollments that began later. `None` if it answers one of our
    /// messages, whatever its date says.
    pub at: Option<i64>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ContactEventKind {
    /// A human reply, on any channel.
    Replied,
    AutoReplied,
    /// Until this millisecond, if the mail says so.
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
    post("/sequences/{id}/unenroll", "unenroll_contacts", "Remove contacts from a sequence")
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
    get("/sequences/{id}/stats", "sequence_stats", "Get the results of each step of a sequence")
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
        .write(pause::pause)
        .gives::<Enrollment>(&[200]),
    post("/enrollments/{id}/resume", "resume_enrollment", "Resume a paused enrollment")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_WRITE)
        .members("ResumeInput", RESUME)
        .write(pause::resume)
        .gives::<Enrollment>(&[200]),
    post("/enrollments/{id}/retry", "retry_enrollment", "Retry a failed enrollment")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_WRITE)
        .write(retry::retry)
        .gives::<Enrollment>(&[200]),
    post("/sequences/{id}/retry", "retry_enrollments", "Retry failed enrollments of a sequence")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_WRITE)
        .members("RetryInput", retry::RETRY)
        .write(retry::retry_many)
        .gives_object("RetryResult", retry::schema),
    post(
        "/sequences/{id}/enrollments/upgrade",
        "upgrade_enrollments",
        "Move open enrollments of a sequence to its present steps",
    )
    .feature(Feature::Outreach)
    .scope(SEQUENCES_WRITE)
    .members("UpgradeInput", upgrade::UPGRADE)
    .write(upgrade::upgrade_many)
    .gives_object("UpgradeResult", upgrade::schema),
    post("/messages/resolve", "resolve_messages", "Resolve messages with an unknown outcome")
        .feature(Feature::Outreach)
        .scope(MESSAGES_WRITE)
        .members("ResolveInput", resolve::RESOLVE)
        .write(resolve::resolve_many)
        .gives_object("ResolveResult", resolve::schema),
    get("/enrollments/{id}/explain", "explain_enrollment", "Explain when the next step is sent, or why not")
        .feature(Feature::Outreach)
        .scope(SEQUENCES_READ)
        .read(explain::read)
        .gives_object("Explanation", explain::schema),
];

fn list_of_contact(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    list_by::<Contact, Enrollment>(call, tx, "contact_id", Enrollment::ABOUT.links, &[])
}

/// The open enrollments of a contact.
pub fn open_of(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid) -> Result<Vec<Uuid>, Error> {
    const OPEN: &str = "SELECT id FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 AND status IN ('active', 'paused') ORDER BY id";
    Ok(tx.rows(OPEN, &[ctx.workspace.into(), contact.into()], |row| row.id(0))?)
}

/// The enrollments of a contact that only a merge ended.
fn ended_by_merge(ctx: &Ctx, tx: &mut dyn Tx, contact: Uuid) -> Result<Vec<Saved<Enrollment>>, Error> {
    const ENDED: &str = "SELECT id FROM enrollments WHERE workspace_id = $1 AND contact_id = $2 \
         AND status NOT IN ('active', 'paused', 'finished') AND reason LIKE 'the contact was merged with one %' ORDER BY id";
    debug_assert!(ENDED.contains(BY_MERGE));
    let ids = tx.rows(ENDED, &[ctx.workspace.into(), contact.into()], |row| row.id(0))?;
    let all = ids.into_iter().map(|id| find::<Enrollment>(ctx, tx, id)).collect::<Result<Vec<_>, _>>()?;
    // LIKE ignores case on SQLite.
    Ok(all.into_iter().filter(|saved| Kind::of(&saved.record) == Kind::EndedByMerge).collect())
}

/// The addresses among a contact's emails or phones.
fn addresses(items: &[Map<String, Json>], member: &str) -> Vec<String> {
    items.iter().filter_map(|item| item.get(member)?.as_str().map(str::to_owned)).collect()
}
