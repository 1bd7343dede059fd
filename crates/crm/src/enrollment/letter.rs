//! What a step says: its templates, filled in for one contact.

use super::Run;
use super::links::Links;
use crate::account::ConnectedAccount;
use crate::company;
use crate::contact::Contact;
use crate::member;
use crate::outbox::Markup;
use crate::project::Project;
use crate::sequence::Sequence;
use crate::sequence::plan::Planned;
use crate::sequence::step::StepType;
use crate::sequence::template::Filling;
use resource::{Ctx, Error, Problem, Saved, find};
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;
use store::{Tx, Uuid};

/// A message, rendered.
#[derive(Clone, Debug)]
pub struct Letter {
    pub subject: Option<String>,
    pub text: String,
    pub html: Option<Markup>,
}

/// Why a message can't be rendered.
#[derive(Clone, Debug)]
pub struct Unrendered {
    pub problems: Vec<Problem>,
    /// A template is at fault, for every contact.
    pub is_refused: bool,
}

impl Unrendered {
    /// What is wrong, in one line; each field after this prefix.
    pub fn reason(&self, prefix: &str) -> String {
        let one = |problem: &Problem| format!("{prefix}{}: {}", problem.field, problem.reason);
        self.problems.iter().map(one).collect::<Vec<_>>().join("; ")
    }
}

pub type Rendered = Result<Letter, Unrendered>;

/// Everything that goes into a message. It is read in a transaction and rendered after it, since a template may take
/// long; a later transaction uses the result only if it reads the same again.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    names: Map<String, Json>,
    subject: Option<String>,
    body: String,
    is_email: bool,
    tracking: Option<Tracking>,
}

/// What the links in a mail are made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracking {
    pub workspace: Uuid,
    pub run: Run,
    pub opens: bool,
    pub clicks: bool,
}

/// Messages that were rendered before the transaction that sends them.
pub type Letters = HashMap<Run, (Draft, Rendered)>;

/// Renders drafts, outside any transaction.
pub fn render_all(drafts: Vec<(Run, Draft)>, links: &Links) -> Letters {
    drafts
        .into_iter()
        .map(|(run, draft)| {
            let rendered = draft.render(links);
            (run, (draft, rendered))
        })
        .collect()
}

/// Reads what a step's message is made of.
#[expect(clippy::too_many_arguments, reason = "all that a template may name")]
pub fn draft(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &Sequence,
    variables: &Map<String, Json>,
    contact: &Saved<Contact>,
    step: &Planned,
    steps: &[Planned],
    account: Option<&Saved<ConnectedAccount>>,
    tracking: Option<Tracking>,
) -> Result<Draft, Error> {
    let is_email = step.kind == StepType::Email;
    // One whose thread was never begun begins it, under the subject that it would have had.
    let earlier =
        || steps.iter().take_while(|other| other.id != step.id).filter_map(|other| other.subject.as_ref()).last();
    let subject = step.subject.as_ref().or_else(|| if is_email { earlier() } else { None });
    Ok(Draft {
        names: names(ctx, tx, sequence, variables, contact, account)?,
        subject: subject.cloned(),
        body: step.body.clone(),
        is_email,
        tracking: tracking.filter(|tracking| is_email && (tracking.opens || tracking.clicks)),
    })
}

impl Draft {
    /// The message, or why it can't be rendered.
    pub fn render(&self, links: &Links) -> Rendered {
        let filling = Filling::of(&self.names);
        let (mut problems, mut is_refused) = (Vec::new(), false);
        let mut fill = |member: &str, text: &str, html: bool| {
            let filled = filling.fill(text, html).map(|text| if html { text } else { flat(member, text) });
            let reason = match filled {
                Ok(text) if self.is_email && member == SUBJECT && text.is_empty() => {
                    "is empty when it is filled in".to_owned()
                }
                Ok(text) => return text,
                Err(fault) => {
                    is_refused |= fault.is_refused;
                    fault.reason
                }
            };
            problems.push(Problem { field: member.into(), reason });
            String::new()
        };
        let subject = self.subject.as_ref().map(|subject| fill(SUBJECT, subject, false));
        let is_html = self.is_email && untrusted_html::is_html(&self.body);
        let body = fill("body", &self.body, is_html);
        if !problems.is_empty() {
            return Err(Unrendered { problems, is_refused });
        }
        let (text, html) = if is_html { (untrusted_html::wrapped_text(&body), Some(body)) } else { (body, None) };
        let html = match &self.tracking {
            Some(tracking) => Some(links.tracked(tracking, html, &text)),
            None => html,
        };
        Ok(Letter { subject, text, html: html.map(Markup::of) })
    }
}

const SUBJECT: &str = "subject";

/// A subject is one line.
fn flat(member: &str, text: String) -> String {
    if member == SUBJECT { text.split_whitespace().collect::<Vec<_>>().join(" ") } else { text }
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
