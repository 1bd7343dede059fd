//! The steps of a sequence. A step without a parent follows the one before it that has none; one with a parent follows
//! that, when its condition holds.

use super::template::Names;
use crate::account::{Channel, ConnectedAccount};
use crate::contact::Contact;
use resource::{
    Cond, Ctx, Error, Ids, Op, Part, Problem, Query, Resource, TOLD, Test, checked, custom, find, fold, list, within,
};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid, Value};

resource::choices! {
    StepType {
        Email = "email", NetworkConnect = "network_connect", NetworkMessage = "network_message",
        NetworkInmail = "network_inmail", NetworkVisit = "network_visit", Chat = "chat", Call = "call", Task = "task",
    }
}
impl StepType {
    /// The way its message goes, if it is one.
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
    /// Whether its message is nothing without words: an invitation may have some, a visit has none, a mail has a subject.
    pub fn speaks(self) -> bool {
        self.channel().is_some() && !matches!(self, StepType::Email | StepType::NetworkConnect | StepType::NetworkVisit)
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
    #[field(max = 20_000)]
    pub body: Option<String>,
    /// Kept and returned as sent.
    pub content_template: Option<Map<String, Json>>,
    #[field(least = 0, most = 365)]
    pub delay_days: i64,
    #[field(least = 0, most = 23)]
    pub delay_hours: i64,
    #[field(default = "\"automatic\"")]
    pub execution_mode: ExecutionMode,
    /// Connected accounts; those of the sequence's owners unless given.
    #[field(max = 50)]
    pub sender_ids: Ids,
    /// The `client_key` of another step in the same request, or the id of a stored one.
    #[field(max = 100)]
    pub parent_step_id: Option<String>,
    pub branch_condition: Option<Part<BranchCondition>>,
    /// Contact filters as in a list: `{"title": "ilike.%cto%"}`. A step for whose contact they don't hold is skipped.
    pub entry_conditions: Option<Map<String, Json>>,
}

pub const MOST: usize = 50;
/// Entry conditions of a step, the values that they name, such as `in.(a,b)`, and their bytes. Each condition is read
/// again when the sequence starts and whenever the step comes due.
const MOST_CONDITIONS: usize = 100;
const MOST_VALUES: usize = 2000;
const MOST_BYTES: usize = 100_000;
/// The same of all steps together.
const MOST_VALUES_IN_ALL: usize = 10_000;
const MOST_BYTES_IN_ALL: usize = 1_000_000;

/// The steps that a sequence has already.
pub enum Known {
    /// It is new: ids that are sent are another's, and name steps in this request alone.
    None,
    Of(Vec<Uuid>),
}

pub fn id(step: &Map<String, Json>) -> Option<Uuid> {
    step.get("id").and_then(Json::as_str).and_then(|id| Uuid::try_parse(id).ok())
}

fn text<'a>(step: &'a Map<String, Json>, member: &str) -> Option<&'a str> {
    step.get(member).and_then(Json::as_str).filter(|text| !text.is_empty())
}

/// The steps of a body as far as its fields tell, without a look at the database.
#[derive(Clone, Debug, Default)]
pub struct Read {
    /// One that does not fit is given as it was sent, with what is wrong.
    steps: Vec<(Map<String, Json>, Vec<Problem>)>,
    problems: Vec<Problem>,
}

/// Reads the steps of a body, each by itself. An error says that no more is worth looking at.
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
        if count >= TOLD {
            let mut told: Vec<Problem> = read.steps.into_iter().flat_map(|(_, problems)| problems).collect();
            told.truncate(TOLD - 1);
            let reason = "has more problems than are listed; correct these first".into();
            told.push(Problem { field: "steps".into(), reason });
            return Err(Error::Invalid(told));
        }
    }
    let excess = excess(read.steps.iter().map(|(step, _)| step));
    if excess.is_empty() {
        return Ok(read);
    }
    let told = read.steps.into_iter().flat_map(|(_, problems)| problems);
    Err(Error::Invalid(told.chain(excess).collect()))
}

/// The steps of a body, each by itself. One that does not fit is given as it was sent.
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
    let names = Names::of(ctx, tx)?;
    for (at, step) in steps.iter().enumerate() {
        let path = format!("steps.{at}");
        problems.append(&mut found[at]);
        look(ctx, tx, &path, step, &names, problems)?;
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
            (Some(id), Known::Of(ids)) if !ids.contains(&id) => {
                problem("id", "no step of this sequence has this id; leave it out of a new step");
            }
            _ => {}
        }
    }
    Ok(steps)
}

/// Which entry conditions exceed a limit, of a step or of all together. Nothing is parsed.
pub fn excess<'a>(steps: impl Iterator<Item = &'a Map<String, Json>>) -> Vec<Problem> {
    let (mut problems, mut values, mut bytes) = (Vec::new(), 0, 0);
    for (at, step) in steps.enumerate() {
        let Some(Json::Object(conditions)) = step.get("entry_conditions") else { continue };
        let size = Size::of(conditions);
        (values, bytes) = (values + size.values, bytes + size.bytes);
        problems.extend(size.excess().map(|reason| Problem { field: format!("steps.{at}.entry_conditions"), reason }));
    }
    for (count, most, what) in [(values, MOST_VALUES_IN_ALL, "values"), (bytes, MOST_BYTES_IN_ALL, "bytes")] {
        if problems.is_empty() && count > most {
            let reason = format!("have {count} {what} in their entry_conditions; all steps together may have {most}");
            problems.push(Problem { field: "steps".into(), reason });
        }
    }
    problems
}

/// Why the entry conditions of one step are too many.
pub fn excessive(conditions: &Map<String, Json>) -> Option<String> {
    Size::of(conditions).excess()
}

struct Size {
    conditions: usize,
    values: usize,
    bytes: usize,
}

impl Size {
    fn of(conditions: &Map<String, Json>) -> Size {
        let mut size = Size { conditions: 0, values: 0, bytes: 0 };
        for (name, value) in conditions {
            let one = std::slice::from_ref(value);
            for filter in value.as_array().map_or(one, Vec::as_slice) {
                let text = filter.as_str().unwrap_or_default();
                size.conditions += 1;
                // One value, and another behind each comma.
                size.values += 1 + text.bytes().filter(|byte| *byte == b',').count();
                size.bytes += name.len() + text.len();
            }
        }
        size
    }

    fn excess(&self) -> Option<String> {
        let counts = [
            (self.conditions, MOST_CONDITIONS, "conditions"),
            (self.values, MOST_VALUES, "values"),
            (self.bytes, MOST_BYTES, "bytes"),
        ];
        let (count, most, what) = counts.into_iter().find(|(count, most, _)| count > most)?;
        Some(format!("has {count} {what}; a step may have {most}"))
    }
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

/// What the fields don't say of a step: its templates, its conditions and whom it names.
pub fn look(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    path: &str,
    step: &Map<String, Json>,
    names: &Names,
    problems: &mut Vec<Problem>,
) -> Result<(), Error> {
    for member in ["subject", "body"] {
        // One that is far too long is told of as such.
        let template = text(step, member).filter(|text| text.len() <= 4 * 20_000);
        let reasons = template.map(|text| names.check(text)).unwrap_or_default();
        problems.extend(reasons.into_iter().map(|reason| Problem { field: format!("{path}.{member}"), reason }));
    }
    if text(step, "subject").is_some_and(|subject| subject.contains(char::is_control)) {
        let reason = "must be one line, without control characters".into();
        problems.push(Problem { field: format!("{path}.subject"), reason });
    }
    let kind = text(step, "type").and_then(StepType::from_word);
    for (at, id) in step.get("sender_ids").and_then(Json::as_array).into_iter().flatten().enumerate() {
        let (Some(id), Some(kind)) = (id.as_str().and_then(|id| Uuid::try_parse(id).ok()), kind) else { continue };
        let field = format!("{path}.sender_ids.{at}");
        problems.extend(check_sender(ctx, tx, kind, id)?.map(|reason| Problem { field, reason }));
    }
    if let Some(Json::Object(conditions)) = step.get("entry_conditions") {
        let found = entry(ctx, tx, conditions).map(drop);
        collect(found.map_err(|error| within(&format!("{path}.entry_conditions"), error)), problems)?;
    }
    Ok(())
}

/// Why an account can't send a step of this type.
pub fn check_sender(ctx: &Ctx, tx: &mut dyn Tx, kind: StepType, id: Uuid) -> Result<Option<String>, Error> {
    let account = match find::<ConnectedAccount>(ctx, tx, id) {
        Err(Error::NotFound(_)) => return Ok(Some("no connected account has this id".into())),
        found => found?.record,
    };
    Ok(match kind.channel() {
        _ if account.removed_at.is_some() => Some("the connected account was removed".into()),
        Some(channel) if channel == account.provider => None,
        Some(channel) => {
            Some(format!("is an account for {}, and the step goes by {}", account.provider.word(), channel.word()))
        }
        None => Some(format!("a {} is a task, which no account sends", kind.word())),
    })
}

/// The conditions as the list of contacts reads them.
fn entry(ctx: &Ctx, tx: &mut dyn Tx, conditions: &Map<String, Json>) -> Result<Query, Error> {
    const NO_FILTERS: &[&str] = &["limit", "offset", "cursor", "sort", "count"];
    let (mut pairs, mut problems) = (Vec::new(), Vec::new());
    for (name, value) in conditions {
        let one = |value: &Json| match value {
            Json::String(text) => Some(text.clone()),
            Json::Number(_) | Json::Bool(_) => Some(value.to_string()),
            _ => None,
        };
        let values = match value {
            Json::Array(values) => values.iter().map(one).collect::<Option<Vec<_>>>().filter(|all| !all.is_empty()),
            value => one(value).map(|text| vec![text]),
        };
        match values {
            _ if NO_FILTERS.contains(&name.as_str()) => {
                problems.push(Problem { field: name.clone(), reason: "is not a filter".into() });
            }
            Some(values) => pairs.extend(values.into_iter().map(|text| (name.clone(), text))),
            None => {
                let reason = "must be a filter such as \"ilike.%cto%\", or a list of such".into();
                problems.push(Problem { field: name.clone(), reason });
            }
        }
    }
    let custom = if Query::names_custom(&pairs) { custom::fields::<Contact>(ctx, tx)? } else { Vec::new() };
    let query = Query::parse(&Contact::ABOUT, Contact::FIELDS, &custom, &pairs);
    match query {
        Err(Error::Invalid(found)) => problems.extend(found),
        query if problems.is_empty() => return query,
        _ => {}
    }
    Err(Error::Invalid(problems))
}

/// Whether the conditions of a step compare a custom field with this option.
pub fn filters_by(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    step: &Map<String, Json>,
    key: &str,
    option: &str,
) -> Result<bool, Error> {
    let Some(Json::Object(conditions)) = step.get("entry_conditions") else { return Ok(false) };
    let query = match entry(ctx, tx, conditions) {
        // They hold for nobody as it is.
        Err(Error::Invalid(_)) => return Ok(false),
        query => query?,
    };
    let (wanted, mut found) = (fold(option), false);
    let is_wanted = |value: &Value| matches!(value, Value::Text(text) if fold(text) == wanted);
    for cond in &query.conds {
        resource::look(cond, &mut |test| found |= test.field.custom == Some(key) && test.values.iter().any(is_wanted));
    }
    Ok(found)
}

/// Whether the conditions hold for a contact, as the list of contacts would say.
pub fn holds(ctx: &Ctx, tx: &mut dyn Tx, conditions: &Map<String, Json>, contact: Uuid) -> Result<bool, Error> {
    let mut query = match entry(ctx, tx, conditions) {
        // A field that was there when the step was written is gone.
        Err(Error::Invalid(_)) => return Ok(false),
        query => query?,
    };
    (query.limit, query.count) = (1, false);
    let field = Contact::FIELDS.iter().find(|field| field.name == "id");
    let this = field.map(|field| Cond::Test(Test { field, op: Op::Eq, values: vec![contact.into()] }));
    // First, so that one record is looked at and no other condition is probed.
    query.conds.splice(0..0, this);
    Ok(!list::<Contact>(ctx, tx, &query, &[])?.json.is_empty())
}

/// Whether the steps make a sequence of this mode and schedule. What is not as it should be by itself is passed over.
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
        let blank = text(step, "subject").is_none_or(|subject| subject.trim().is_empty());
        if is_email(step) && blank && !answers(steps, at) {
            problem("subject", "is needed by an email that starts a thread");
        }
    }
}

fn is_email(step: &Map<String, Json>) -> bool {
    text(step, "type") == Some(StepType::Email.word())
}

/// The place of the step that this one follows as a branch.
pub fn parent(steps: &[Map<String, Json>], at: usize) -> Option<usize> {
    let name = text(&steps[at], "parent_step_id")?;
    let by_key = steps.iter().position(|step| text(step, "client_key") == Some(name));
    by_key.or_else(|| {
        let name = Uuid::try_parse(name).ok()?;
        steps.iter().position(|step| id(step) == Some(name))
    })
}

/// The steps before this one on its branch, up to the stem.
fn ancestors(steps: &[Map<String, Json>], at: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(parent(steps, at), |at| parent(steps, *at)).take(steps.len())
}

fn circular(steps: &[Map<String, Json>], at: usize) -> bool {
    ancestors(steps, at).any(|before| before == at)
}

/// Whether an email comes before this step on its way.
fn answers(steps: &[Map<String, Json>], at: usize) -> bool {
    let stem = ancestors(steps, at).last().unwrap_or(at);
    let on_stem = |before: &usize| text(&steps[*before], "parent_step_id").is_none();
    ancestors(steps, at).chain((0..stem).filter(on_stem)).any(|before| is_email(&steps[before]))
}

/// Checked steps as they are stored and shown: with ids and places, parents by their ids.
pub fn stored(tx: &mut dyn Tx, known: &Known, steps: Vec<Map<String, Json>>) -> Vec<Map<String, Json>> {
    let kept = |step: &Map<String, Json>| id(step).filter(|id| matches!(known, Known::Of(ids) if ids.contains(id)));
    let ids: Vec<Uuid> = steps.iter().map(|step| kept(step).unwrap_or_else(|| tx.id())).collect();
    let parents: Vec<Option<Uuid>> = (0..steps.len()).map(|at| parent(&steps, at).map(|at| ids[at])).collect();
    let place = |(at, mut step): (usize, Map<String, Json>)| {
        step.insert("id".into(), json!(ids[at]));
        step.insert("position".into(), at.into());
        step.insert("parent_step_id".into(), json!(parents[at]));
        step
    };
    steps.into_iter().enumerate().map(place).collect()
}

/// What an event tells of steps.
pub fn outline(steps: &[Map<String, Json>]) -> Vec<Json> {
    steps.iter().map(|step| json!({ "id": step["id"], "type": step["type"], "name": step["name"] })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(filters: &[&str], count: usize) -> Vec<Map<String, Json>> {
        let step = json!({ "entry_conditions": { "title": filters } });
        vec![step.as_object().cloned().expect("an object"); count]
    }

    #[test]
    fn entry_conditions_are_counted_before_they_are_parsed() {
        let reasons = |steps: &[Map<String, Json>]| -> Vec<(String, String)> {
            excess(steps.iter()).into_iter().map(|problem| (problem.field, problem.reason)).collect()
        };
        let at = |field: &str, reason: &str| vec![(field.to_owned(), reason.to_owned())];
        let values = |count: usize| format!("in.({})", vec!["a"; count].join(","));
        assert_eq!(reasons(&steps(&["eq.a"; MOST_CONDITIONS], MOST)), []);
        assert_eq!(
            reasons(&steps(&["eq.a"; MOST_CONDITIONS + 1], 1)),
            at("steps.0.entry_conditions", "has 101 conditions; a step may have 100")
        );
        assert_eq!(reasons(&steps(&[&values(MOST_VALUES)], 5)), []);
        assert_eq!(
            reasons(&steps(&[&values(MOST_VALUES)], 6)),
            at("steps", "have 12000 values in their entry_conditions; all steps together may have 10000")
        );
        assert_eq!(
            reasons(&steps(&[&values(1500), &values(501)], 1)),
            at("steps.0.entry_conditions", "has 2001 values; a step may have 2000")
        );
        assert_eq!(
            reasons(&steps(&[&"x".repeat(MOST_BYTES)], 1)),
            at("steps.0.entry_conditions", "has 100005 bytes; a step may have 100000")
        );
        assert_eq!(
            reasons(
                &[json!({"entry_conditions": 5}), json!({})].map(|step| step.as_object().cloned().expect("an object"))
            ),
            []
        );
    }
}
