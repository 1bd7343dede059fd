//! The steps of a sequence. A step without a parent follows the one before it that has none; one with a parent follows its
//! parent if its condition holds.

mod conditions;
mod referenced;
pub mod variants;

pub use conditions::{compared, excess, excessive, holds};
pub use referenced::{Referenced, check_sender};

use super::template::{self, Names};
use crate::outreach::account::Channel;
use crate::outreach::attached::{self, LONGEST_ADDRESS, MOST_COPIES};
use crate::outreach::template_values::is_empty;
use resource::{Ctx, Error, Format, Ids, Items, MAX_PROBLEMS, Part, Place, Problem, Resource, checked, within};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid};
use variants::Variant;

resource::choices! {
    StepType {
        Email = "email", NetworkConnect = "network_connect", NetworkMessage = "network_message",
        NetworkInmail = "network_inmail", NetworkVisit = "network_visit", Chat = "chat", Call = "call", Task = "task",
    }
}
impl StepType {
    /// The channel of its message; `None` if it is a call or a task.
    pub fn channel(self) -> Option<Channel> {
        match self {
            StepType::Email => Some(Channel::Email),
            StepType::NetworkConnect | StepType::NetworkMessage | StepType::NetworkInmail | StepType::NetworkVisit => {
                Some(Channel::Network)
            }
            StepType::Chat => Some(Channel::Chat),
            StepType::Call | StepType::Task => None,
        }
    }
    /// Whether its message needs a body. An invitation can go without, a visit has none, and an email has a subject.
    pub fn speaks(self) -> bool {
        self.has_text() && !matches!(self, StepType::Email | StepType::NetworkConnect)
    }
    /// Whether its message can have a body.
    pub fn has_text(self) -> bool {
        self.channel().is_some() && self != StepType::NetworkVisit
    }
}
resource::choices! {
    /// A manual step makes a task that a person completes.
    ExecutionMode { Automatic = "automatic", Manual = "manual" }
}
resource::choices! {
    Condition {
        Replied = "replied", NotReplied = "not_replied", Opened = "opened", Clicked = "clicked",
        InviteAccepted = "invite_accepted", InviteNotAccepted = "invite_not_accepted", HasEmail = "has_email",
        HasPhone = "has_phone", HasNetworkProfile = "has_network_profile", Otherwise = "otherwise",
    }
}

/// When a branch is taken.
#[derive(Resource)]
pub struct BranchCondition {
    #[field(required)]
    pub r#type: Condition,
    /// How long to wait for it.
    #[field(least = 0, most = 90)]
    pub after_days: i64,
}

/// One message, call or task of a sequence.
#[derive(Resource)]
pub struct Step {
    /// Sent back with a change, the step stays the same one.
    pub id: Uuid,
    #[field(read_only)]
    pub position: i64,
    /// By which other steps of the same request name it.
    #[field(max = 100)]
    pub client_key: Option<String>,
    #[field(required)]
    pub r#type: StepType,
    #[field(max = 200)]
    pub name: Option<String>,
    /// Needed by an email that starts a thread; one without it answers in the thread.
    #[field(max = 255)]
    pub subject: Option<String>,
    /// HTML when it begins with `<`, else plain text.
    #[field(max = 20_000, label = "Text")]
    pub body: Option<String>,
    /// Further recipients of an email.
    #[field(max = MOST_COPIES, item_max = LONGEST_ADDRESS, format = Format::Email, unlisted)]
    pub cc: Vec<String>,
    /// Further recipients of an email, whom nobody else can see.
    #[field(max = MOST_COPIES, item_max = LONGEST_ADDRESS, format = Format::Email, unlisted)]
    pub bcc: Vec<String>,
    /// Where answers to an email go; to the account unless given.
    #[field(max = LONGEST_ADDRESS, format = Format::Email, unlisted)]
    pub reply_to: Option<String>,
    /// Ids of files of contacts and projects, for an email: 20 MB in all.
    #[field(max = attached::MOST, unlisted)]
    pub attachments: Ids,
    /// From 2 to 5 texts that are compared, for a message that is sent automatically; the step has no `subject` and `body`
    /// then. Each contact gets one of them.
    #[field(max = variants::MOST, unlisted)]
    pub variants: Items<Variant>,
    /// Kept and returned as sent.
    pub content_template: Option<Map<String, Json>>,
    #[field(least = 0, most = 365, label = "Wait days")]
    pub delay_days: i64,
    #[field(least = 0, most = 23, label = "Wait hours")]
    pub delay_hours: i64,
    #[field(default = "\"automatic\"", label = "Done")]
    pub execution_mode: ExecutionMode,
    /// Connected accounts; those of the sequence's owners unless given.
    #[field(max = MOST_SENDERS, label = "From")]
    pub sender_ids: Ids,
    /// The `client_key` of another step in the same request, or the id of a stored one.
    #[field(max = 100)]
    pub parent_step_id: Option<String>,
    #[field(label = "Taken")]
    pub branch_condition: Option<Part<BranchCondition>>,
    /// Contact filters as in a list: `{"title": "ilike.%cto%"}`. A step for whose contact they don't hold is skipped.
    #[field(label = "Conditions")]
    pub entry_conditions: Option<Map<String, Json>>,
}

pub const MOST: usize = 50;
/// Accounts of a step.
const MOST_SENDERS: usize = 50;

/// The steps that the sequence has already.
pub enum Known {
    /// The sequence is new: ids in the request name only steps of the same request.
    None,
    Of(Vec<KnownStep>),
}

/// The ids of a stored step and its variants.
pub struct KnownStep {
    id: Uuid,
    variants: Vec<Uuid>,
}

impl Known {
    /// The ids of stored steps.
    pub fn of(place: &Place, steps: &[Map<String, Json>]) -> Result<Known, Error> {
        let known = |step| Ok(KnownStep { id: place.member(step, "id")?, variants: variants::ids(place, step)? });
        steps.iter().map(known).collect::<Result<_, _>>().map(Known::Of)
    }

    fn find(&self, id: Uuid) -> Option<&KnownStep> {
        match self {
            Known::None => None,
            Known::Of(steps) => steps.iter().find(|step| step.id == id),
        }
    }

    /// The ids of the variants that the step with this id has.
    fn variants_of(&self, step: Option<Uuid>) -> &[Uuid] {
        step.and_then(|id| self.find(id)).map_or(&[], |step| &step.variants)
    }
}

pub fn id(step: &Map<String, Json>) -> Option<Uuid> {
    step.get("id").and_then(Json::as_str).and_then(|id| Uuid::try_parse(id).ok())
}

fn text<'a>(step: &'a Map<String, Json>, member: &str) -> Option<&'a str> {
    step.get(member).and_then(Json::as_str).filter(|text| !text.is_empty())
}

/// The steps of a body, checked without the database.
#[derive(Clone, Debug, Default)]
pub struct Read {
    /// An invalid step is kept as it was sent, with its problems.
    steps: Vec<(Map<String, Json>, Vec<Problem>)>,
    problems: Vec<Problem>,
}

/// Reads the steps of a body, each by itself. An error means that no further check is useful.
pub fn read(sent: &Json) -> Result<Read, Error> {
    let refused =
        |reason: String| Read { problems: vec![Problem { field: "steps".into(), reason }], ..Read::default() };
    let Json::Array(sent) = sent else { return Ok(refused("must be an array of objects".into())) };
    if sent.is_empty() || sent.len() > MOST {
        return Ok(refused(format!("must have from 1 to {MOST} items")));
    }
    let (mut read, mut count) = (Read::default(), 0);
    for (at, step) in sent.iter().enumerate() {
        let (path, mut problems) = (format!("steps.{at}"), Vec::new());
        let step = match step {
            Json::Object(step) => match checked(Step::FIELDS, step) {
                Ok(step) => step,
                Err(error) => {
                    collect(Err(within(&path, error)), &mut problems)?;
                    step.clone()
                }
            },
            _ => {
                problems.push(Problem { field: path, reason: "must be an object".into() });
                Map::new()
            }
        };
        count += problems.len();
        read.steps.push((step, problems));
        if count >= MAX_PROBLEMS {
            let mut listed: Vec<Problem> = read.steps.into_iter().flat_map(|(_, problems)| problems).collect();
            listed.truncate(MAX_PROBLEMS - 1);
            let reason = "has more problems than are listed; correct these first".into();
            listed.push(Problem { field: "steps".into(), reason });
            return Err(Error::Invalid(listed));
        }
    }
    let steps = || read.steps.iter().map(|(step, _)| step);
    let excess: Vec<Problem> = excess(steps()).into_iter().chain(variants::excess(steps())).collect();
    if excess.is_empty() {
        return Ok(read);
    }
    let listed = read.steps.into_iter().flat_map(|(_, problems)| problems);
    Err(Error::Invalid(listed.chain(excess).collect()))
}

/// Checks the steps of a body against the database, each by itself. An invalid step is returned as it was sent.
pub fn check(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    read: Read,
    known: &Known,
    problems: &mut Vec<Problem>,
) -> Result<Vec<Map<String, Json>>, Error> {
    if read.steps.is_empty() {
        problems.extend(read.problems);
        return Ok(Vec::new());
    }
    let (steps, mut found): (Vec<_>, Vec<_>) = read.steps.into_iter().unzip();
    let referenced = Referenced::read(ctx, tx, &steps)?;
    for (at, step) in steps.iter().enumerate() {
        let path = format!("steps.{at}");
        problems.append(&mut found[at]);
        check_step(ctx, tx, &path, step, &referenced, problems)?;
        variants::check_ids(&path, step, known, problems);
        let mut problem = |member: &str, reason: &str| {
            problems.push(Problem { field: format!("{path}.{member}"), reason: reason.into() });
        };
        let (before, key) = (&steps[..at], text(step, "client_key"));
        if key.is_some_and(|key| before.iter().any(|other| text(other, "client_key") == Some(key))) {
            problem("client_key", "another step has it already");
        }
        match (id(step), known) {
            (Some(id), _) if before.iter().any(|other| self::id(other) == Some(id)) => {
                problem("id", "another step has it already");
            }
            (Some(id), Known::Of(_)) if known.find(id).is_none() => {
                problem("id", "no step of this sequence has this id; leave it out of a new step");
            }
            _ => {}
        }
    }
    Ok(steps)
}

fn collect(result: Result<(), Error>, problems: &mut Vec<Problem>) -> Result<(), Error> {
    match result {
        Err(Error::Invalid(mut found)) => {
            problems.append(&mut found);
            Ok(())
        }
        other => other,
    }
}

/// Checks what the fields can't: templates, entry conditions and accounts.
pub fn check_step(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    path: &str,
    step: &Map<String, Json>,
    referenced: &Referenced,
    problems: &mut Vec<Problem>,
) -> Result<(), Error> {
    let is_sent = is_email(step) && text(step, "execution_mode") != Some(ExecutionMode::Manual.word());
    variants::check(path, step, problems);
    for (path, content) in variants::contents(path, step) {
        check_content(&path, content, is_sent, &referenced.names, problems);
    }
    for member in ["cc", "bcc", "reply_to", "attachments"].into_iter().filter(|_| !is_sent) {
        if step.get(member).is_some_and(|value| !is_empty(value)) {
            let reason = "is for an email that is sent automatically".into();
            problems.push(Problem { field: format!("{path}.{member}"), reason });
        }
    }
    problems.extend(referenced.problems(ctx, tx, path, step)?);
    if let Some(Json::Object(conditions)) = step.get("entry_conditions") {
        let found = conditions::parse(ctx, tx, conditions).map(drop);
        collect(found.map_err(|error| within(&format!("{path}.entry_conditions"), error)), problems)?;
    }
    Ok(())
}

/// Checks a subject and a body. `is_sent` says whether they are of an email that is sent automatically.
fn check_content(path: &str, content: &Map<String, Json>, is_sent: bool, names: &Names, problems: &mut Vec<Problem>) {
    for member in ["subject", "body"] {
        // A template that is far too long is reported elsewhere.
        let Some(template) = text(content, member).filter(|text| text.len() <= 4 * 20_000) else { continue };
        let mut reasons = names.check(template);
        for name in [template::UNSUBSCRIBE_URL, template::SIGNATURE].into_iter().filter(|_| !is_sent) {
            if template::names(template, name) {
                reasons.push(format!("{name} is for an email that is sent automatically"));
            }
        }
        problems.extend(reasons.into_iter().map(|reason| Problem { field: format!("{path}.{member}"), reason }));
    }
    if text(content, "subject").is_some_and(|subject| subject.contains(char::is_control)) {
        let reason = "must be one line, without control characters".into();
        problems.push(Problem { field: format!("{path}.subject"), reason });
    }
}

/// Checks whether the steps fit each other and the sequence's mode and schedule. Invalid values are ignored here.
pub fn fit(steps: &[Map<String, Json>], mode: Option<&Json>, schedule: Option<&Json>, problems: &mut Vec<Problem>) {
    let simple = mode.is_none_or(|mode| *mode == "simple");
    let switch = |member: &str, default: bool| {
        schedule.and_then(|config| config.get(member)).and_then(Json::as_bool).unwrap_or(default)
    };
    for (at, step) in steps.iter().enumerate() {
        let mut problem = |member: &str, reason: &str| {
            problems.push(Problem { field: format!("steps.{at}.{member}"), reason: reason.into() });
        };
        match (text(step, "parent_step_id"), parent(steps, at)) {
            (Some(_), _) if simple => {
                problem("parent_step_id", "a simple sequence has no branches; set mode to advanced");
            }
            (Some(_), None) => problem("parent_step_id", "no other step has this client_key or id"),
            (Some(_), Some(_)) if circular(steps, at) => problem("parent_step_id", "leads back to this step"),
            _ => {}
        }
        if let Some(Json::Object(condition)) = step.get("branch_condition") {
            if text(step, "parent_step_id").is_none() {
                problem("branch_condition", "needs a parent_step_id, the step from which it leads here");
            }
            match text(condition, "type") {
                Some("replied") if switch("stop_on_reply", true) => {
                    problem("branch_condition.type", "replied needs schedule_config.stop_on_reply false");
                }
                Some("opened") if !switch("track_opens", false) => {
                    problem("branch_condition.type", "opened needs schedule_config.track_opens true");
                }
                Some("clicked") if !switch("track_clicks", false) => {
                    problem("branch_condition.type", "clicked needs schedule_config.track_clicks true");
                }
                _ => {}
            }
        }
        let is_blank =
            |content: &Map<String, Json>| text(content, "subject").is_none_or(|subject| subject.trim().is_empty());
        if is_email(step) && !answers(steps, at) {
            for (path, _) in variants::contents(&format!("steps.{at}"), step).iter().filter(|(_, text)| is_blank(text))
            {
                let reason = "is needed by an email that starts a thread".into();
                problems.push(Problem { field: format!("{path}.subject"), reason });
            }
        }
    }
}

fn is_email(step: &Map<String, Json>) -> bool {
    text(step, "type") == Some(StepType::Email.word())
}

/// The index of the step that this one is a branch of.
pub fn parent(steps: &[Map<String, Json>], at: usize) -> Option<usize> {
    let name = text(&steps[at], "parent_step_id")?;
    let by_key = steps.iter().position(|step| text(step, "client_key") == Some(name));
    by_key.or_else(|| {
        let name = Uuid::try_parse(name).ok()?;
        steps.iter().position(|step| id(step) == Some(name))
    })
}

/// The steps before this one on its branch, up to the trunk.
fn ancestors(steps: &[Map<String, Json>], at: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(parent(steps, at), |at| parent(steps, *at)).take(steps.len())
}

fn circular(steps: &[Map<String, Json>], at: usize) -> bool {
    ancestors(steps, at).any(|before| before == at)
}

/// Whether an email precedes this step, so that it can be an answer.
fn answers(steps: &[Map<String, Json>], at: usize) -> bool {
    let trunk = ancestors(steps, at).last().unwrap_or(at);
    let on_trunk = |before: &usize| text(&steps[*before], "parent_step_id").is_none();
    ancestors(steps, at).chain((0..trunk).filter(on_trunk)).any(|before| is_email(&steps[before]))
}

/// Checked steps as they are stored and shown: with ids and positions, and with ids of their parents.
pub fn stored(tx: &mut dyn Tx, known: &Known, steps: Vec<Map<String, Json>>) -> Vec<Map<String, Json>> {
    let kept = |step: &Map<String, Json>| id(step).filter(|id| known.find(*id).is_some());
    let ids: Vec<Uuid> = steps.iter().map(|step| kept(step).unwrap_or_else(|| tx.id())).collect();
    let parents: Vec<Option<Uuid>> = (0..steps.len()).map(|at| parent(&steps, at).map(|at| ids[at])).collect();
    let place = |(at, mut step): (usize, Map<String, Json>)| {
        variants::store_ids(tx, known, &mut step);
        step.insert("id".into(), json!(ids[at]));
        step.insert("position".into(), at.into());
        step.insert("parent_step_id".into(), json!(parents[at]));
        step
    };
    steps.into_iter().enumerate().map(place).collect()
}

/// The steps as an event shows them.
pub fn outline(steps: &[Map<String, Json>]) -> Vec<Json> {
    steps.iter().map(|step| json!({ "id": step["id"], "type": step["type"], "name": step["name"] })).collect()
}
