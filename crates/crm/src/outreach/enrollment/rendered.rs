//! The message of a step, rendered from its templates for one contact.

use super::Run;
use super::links::{Links, Tracking};
use crate::outreach::account::ConnectedAccount;
use crate::outreach::markup;
use crate::outreach::outbox::Markup;
use crate::outreach::sequence::Sequence;
use crate::outreach::sequence::plan::ParsedStep;
use crate::outreach::sequence::step::StepType;
use crate::outreach::sequence::template::{Filling, UNSUBSCRIBE_URL};
use crate::outreach::signature::Signature;
use crate::outreach::template_values::{self, Sender, is_empty, named};
use crate::pipelines::project::Project;
use crate::records::contact::Contact;
use crate::tenant::member::Member;
use resource::{Ctx, Error, Problem, Saved, find};
use serde_json::{Map, Value as Json};
use std::borrow::Cow;
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
    /// The path of the subject and the body below the step.
    path: String,
    is_email: bool,
    /// Of the sending account.
    signature: Option<String>,
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
    /// With the text of one variant, if it has variants.
    pub step: &'a ParsedStep,
    /// The subject of the last step before it that has one, for an answer whose thread was never started.
    pub earlier_subject: Option<String>,
    pub account: Option<&'a Saved<ConnectedAccount>>,
    /// All of the workspace.
    pub members: &'a [Member],
    pub tracking: Option<Tracking>,
}

/// The subject of the last step before this one that has one. `text_of` says which text of an earlier step counts.
pub fn earlier_subject<'a>(
    steps: &'a [ParsedStep],
    step: Uuid,
    text_of: impl Fn(&'a ParsedStep) -> Cow<'a, ParsedStep>,
) -> Option<String> {
    let earlier = steps.iter().take_while(|other| other.id != step);
    earlier.filter_map(|other| text_of(other).subject.clone()).last()
}

/// The step with the text that an enrollment got, else with the one that it would get. `sent` has the variants that were
/// sent, by step.
pub fn sent_text<'a>(step: &'a ParsedStep, enrollment: Uuid, sent: &[(Uuid, Uuid)]) -> Cow<'a, ParsedStep> {
    let sent = sent.iter().find(|(of, _)| *of == step.id);
    let at = sent.and_then(|(_, id)| step.variants.iter().position(|variant| variant.id == *id));
    at.map_or_else(|| step.for_enrollment(enrollment), |at| Cow::Owned(step.with_variant(at)))
}

/// Reads the values that a step's templates can name.
pub fn draft(ctx: &Ctx, tx: &mut dyn Tx, source: Source) -> Result<Draft, Error> {
    let (step, is_email) = (source.step, source.step.kind == StepType::Email);
    let earlier = source.earlier_subject.as_ref().filter(|_| is_email);
    Ok(Draft {
        names: names(ctx, tx, &source)?,
        subject: step.subject.as_ref().or(earlier).cloned(),
        body: step.body.clone(),
        path: step.text_path(),
        is_email,
        signature: source
            .account
            .filter(|_| is_email)
            .map(|account| account.record.signature.clone().unwrap_or_default()),
        tracking: source.tracking.filter(|_| is_email),
    })
}

impl Draft {
    /// The message, or why it can't be rendered.
    pub fn render(&self, links: &Links) -> RenderResult {
        let mut names = self.names.clone();
        if let Some(tracking) = &self.tracking {
            names.insert(UNSUBSCRIBE_URL.into(), links.unsubscribe(tracking.workspace, &tracking.run).into());
        }
        // An account without a signature has an empty one, which needs no fallback.
        let signature = self.signature.as_deref().map(Signature::of);
        let filling = Filling::of(&names).signed(signature.as_ref());
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
            problems.push(Problem { field: format!("{}{member}", self.path), reason });
            String::new()
        };
        let subject = self.subject.as_ref().map(|subject| fill(SUBJECT, subject, false));
        let is_html = self.is_email && untrusted_html::is_html(&self.body);
        let body = fill("body", &self.body, is_html);
        if !problems.is_empty() {
            return Err(Unrendered { problems, is_refused });
        }
        let (text, html) = if is_html { (markup::mail_text(&body), Some(body)) } else { (body, None) };
        let html = match &self.tracking {
            Some(tracking) if tracking.opens || tracking.clicks => Some(links.tracked(tracking, html, &text)),
            _ => html,
        };
        Ok(Rendered { subject, text, html: html.map(Markup::of) })
    }
}

const SUBJECT: &str = "subject";

/// A subject is one line.
fn flat(member: &str, text: String) -> String {
    if member == SUBJECT { text.split_whitespace().collect::<Vec<_>>().join(" ") } else { text }
}

/// All values that the templates of a step can name.
fn names(ctx: &Ctx, tx: &mut dyn Tx, source: &Source) -> Result<Map<String, Json>, Error> {
    let Source { sequence, variables, contact, account, .. } = source;
    let sender = match (account, sequence.owner_ids.0.first()) {
        (Some(account), _) => Sender::Account(account),
        (None, Some(owner)) => Sender::Member(*owner),
        (None, None) => Sender::Nobody,
    };
    let mut names = template_values::of(ctx, tx, contact, sender, source.members)?;
    let given = variables.iter().filter(|(_, value)| !is_empty(value));
    names.extend(given.map(|(name, value)| (name.clone(), value.clone())));
    let project = sequence.project_id.map(|id| find::<Project>(ctx, tx, id)).transpose();
    let project = match project {
        Err(Error::NotFound(_)) => None,
        project => project?.map(|project| project.record.name),
    };
    names.insert("project".into(), named(project));
    Ok(names)
}
