//! The message of a step, rendered from its templates for one contact.

use super::Run;
use super::links::{Links, Tracking};
use crate::outreach::account::ConnectedAccount;
use crate::outreach::outbox::Markup;
use crate::outreach::sequence::Sequence;
use crate::outreach::sequence::plan::ParsedStep;
use crate::outreach::sequence::step::StepType;
use crate::outreach::sequence::template::Filling;
use crate::pipelines::project::Project;
use crate::records::company;
use crate::records::contact::Contact;
use crate::tenant::member;
use resource::{Ctx, Error, Problem, Resource, Saved, find, place};
use serde_json::{Map, Value as Json, json};
use std::collections::HashMap;
use store::{Tx, Uuid};

/// A message, rendered.
#[derive(Clone, Debug)]
pub struct Rendered {
    pub subject: Option<String>,
    pub text: String,
    pub html: Option<Markup>,
}

/// Why a message can't be rendered.
#[derive(Clone, Debug)]
pub struct Unrendered {
    pub problems: Vec<Problem>,
    /// The template is at fault, for every contact.
    pub is_refused: bool,
}

impl Unrendered {
    /// All problems in one line. The prefix precedes each field.
    pub fn reason(&self, prefix: &str) -> String {
        let one = |problem: &Problem| format!("{prefix}{}: {}", problem.field, problem.reason);
        self.problems.iter().map(one).collect::<Vec<_>>().join("; ")
    }
}

pub type RenderResult = Result<Rendered, Unrendered>;

/// All values that go into a message. A transaction reads them, and they are rendered after it, since rendering can take
/// long. A later transaction uses the rendered message only if it reads the same values again.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    names: Map<String, Json>,
    subject: Option<String>,
    body: String,
    is_email: bool,
    tracking: Option<Tracking>,
}

/// Messages that were rendered before the transaction that queues them.
pub type RenderedMessages = HashMap<Run, (Draft, RenderResult)>;

/// Renders drafts, outside any transaction.
pub fn render_all(drafts: Vec<(Run, Draft)>, links: &Links) -> RenderedMessages {
    drafts
        .into_iter()
        .map(|(run, draft)| {
            let rendered = draft.render(links);
            (run, (draft, rendered))
        })
        .collect()
}

/// What a message is rendered from.
pub struct Source<'a> {
    pub sequence: &'a Sequence,
    pub variables: &'a Map<String, Json>,
    pub contact: &'a Saved<Contact>,
    pub step: &'a ParsedStep,
    /// All steps of the same version.
    pub steps: &'a [ParsedStep],
    pub account: Option<&'a Saved<ConnectedAccount>>,
    pub tracking: Option<Tracking>,
}

/// Reads the values that a step's templates can name.
pub fn draft(ctx: &Ctx, tx: &mut dyn Tx, source: Source) -> Result<Draft, Error> {
    let (step, is_email) = (source.step, source.step.kind == StepType::Email);
    // An answer whose thread was never started starts it, with the subject of the last step before it that has one.
    let earlier =
        source.steps.iter().take_while(|other| other.id != step.id).filter_map(|other| other.subject.as_ref());
    let subject = step.subject.as_ref().or_else(|| if is_email { earlier.last() } else { None });
    Ok(Draft {
        names: names(ctx, tx, &source)?,
        subject: subject.cloned(),
        body: step.body.clone(),
        is_email,
        tracking: source.tracking.filter(|tracking| is_email && (tracking.opens || tracking.clicks)),
    })
}

impl Draft {
    /// The message, or why it can't be rendered.
    pub fn render(&self, links: &Links) -> RenderResult {
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
        let (text, html) = if is_html { (untrusted_html::mail_text(&body), Some(body)) } else { (body, None) };
        let html = match &self.tracking {
            Some(tracking) => Some(links.tracked(tracking, html, &text)),
            None => html,
        };
        Ok(Rendered { subject, text, html: html.map(Markup::of) })
    }
}

const SUBJECT: &str = "subject";

/// A subject is one line.
fn flat(member: &str, text: String) -> String {
    if member == SUBJECT { text.split_whitespace().collect::<Vec<_>>().join(" ") } else { text }
}

/// All values that a template can name. Null and empty values are left out, so that the template's fallback is used.
fn names(ctx: &Ctx, tx: &mut dyn Tx, source: &Source) -> Result<Map<String, Json>, Error> {
    let Source { sequence, variables, contact, account, .. } = source;
    let shown = contact.shown(ctx, tx)?.json;
    let mut names: Map<String, Json> = place(Contact::ABOUT.table, "", &contact.id).bytes(&shown)?;
    names.extend((*variables).clone());
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
