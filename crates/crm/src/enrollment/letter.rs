//! What a step says: its templates, filled in for one contact.

use crate::account::ConnectedAccount;
use crate::company;
use crate::contact::Contact;
use crate::member;
use crate::project::Project;
use crate::sequence::Sequence;
use crate::sequence::plan::Planned;
use crate::sequence::step::StepType;
use crate::sequence::template::Filling;
use resource::{Ctx, Error, Problem, Saved, find};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid};

pub struct Letter {
    pub subject: Option<String>,
    pub text: String,
    pub html: Option<String>,
}

/// The step's message, or why it can't be written.
#[expect(clippy::too_many_arguments, reason = "all that a template may name")]
pub fn write(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &Sequence,
    variables: &Map<String, Json>,
    contact: &Saved<Contact>,
    step: &Planned,
    steps: &[Planned],
    account: Option<&Saved<ConnectedAccount>>,
) -> Result<Result<Letter, Vec<Problem>>, Error> {
    let filling = Filling::of(names(ctx, tx, sequence, variables, contact, account)?);
    let is_email = step.kind == StepType::Email;
    // One whose thread was never begun begins it, under the subject that it would have had.
    let earlier =
        || steps.iter().take_while(|other| other.id != step.id).filter_map(|other| other.subject.as_ref()).last();
    let subject = step.subject.as_ref().or_else(|| if is_email { earlier() } else { None });
    let mut problems = Vec::new();
    let mut fill = |member: &str, text: &str, html: bool| {
        let filled = filling.fill(text, html).map(|text| if html { text } else { flat(member, text) });
        let filled = filled.and_then(|text| match is_email && member == SUBJECT && text.is_empty() {
            true => Err("is empty when it is filled in".to_owned()),
            false => Ok(text),
        });
        filled.unwrap_or_else(|reason| {
            problems.push(Problem { field: member.into(), reason });
            String::new()
        })
    };
    let subject = subject.map(|subject| fill(SUBJECT, subject, false));
    let is_html = is_email && untrusted_html::is_html(&step.body);
    let body = fill("body", &step.body, is_html);
    if !problems.is_empty() {
        return Ok(Err(problems));
    }
    Ok(Ok(match is_html {
        true => Letter { subject, text: untrusted_html::wrapped_text(&body), html: Some(body) },
        false => Letter { subject, text: body, html: None },
    }))
}

const SUBJECT: &str = "subject";

/// A subject is one line.
fn flat(member: &str, text: String) -> String {
    if member == SUBJECT { text.split_whitespace().collect::<Vec<_>>().join(" ") } else { text }
}

/// What is wrong, in one line.
pub fn told(problems: &[Problem]) -> String {
    problems.iter().map(|problem| format!("{}: {}", problem.field, problem.reason)).collect::<Vec<_>>().join("; ")
}

/// Everything that a template may name. What is null or empty is left out, so that a fallback catches it.
fn names(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &Sequence,
    variables: &Map<String, Json>,
    contact: &Saved<Contact>,
    account: Option<&Saved<ConnectedAccount>>,
) -> Result<Map<String, Json>, Error> {
    let mut names: Map<String, Json> = serde_json::from_slice(&contact.shown(ctx, tx)?.json).unwrap_or_default();
    names.extend(variables.clone());
    names.retain(|_, value| !is_empty(value));
    let mut custom = contact.record.custom_data.clone();
    custom.retain(|_, value| !is_empty(value));
    names.insert("custom_data".into(), custom.into());
    let company = match contact.record.company_id {
        Some(id) => company::named(ctx, tx, id)?.map(|company| company.record.name),
        None => contact.record.current_company.clone(),
    };
    let owner = sequence.owner_ids.0.first().copied();
    let sender = match (account, owner) {
        (Some(account), _) => Some(account.record.name.clone()),
        (None, Some(owner)) => member_name(ctx, tx, owner)?,
        (None, None) => None,
    };
    let project = sequence.project_id.map(|id| find::<Project>(ctx, tx, id)).transpose();
    let project = match project {
        Err(Error::NotFound(_)) => None,
        project => project?.map(|project| project.record.name),
    };
    for (name, value) in [("company", company), ("sender", sender), ("project", project)] {
        let value = value.filter(|value| !value.trim().is_empty());
        names.insert(name.into(), value.map_or(json!({}), |value| json!({ "name": value })));
    }
    Ok(names)
}

fn is_empty(value: &Json) -> bool {
    match value {
        Json::Null => true,
        Json::String(text) => text.trim().is_empty(),
        Json::Array(items) => items.is_empty(),
        Json::Object(members) => members.is_empty(),
        _ => false,
    }
}

fn member_name(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Option<String>, Error> {
    let member = member::list(ctx, tx)?.into_iter().find(|member| member.user_id == id);
    Ok(member.map(|member| format!("{} {}", member.first_name, member.last_name).trim().to_owned()))
}
