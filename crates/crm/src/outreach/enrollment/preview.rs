//! Previews a step for a contact before the contact is enrolled: the message and its time, computed by the code that sends.
//! Nothing is written.

use super::Run;
use super::context::SequenceContext;
use super::decide::NO_DAY_LEFT;
use super::explain::hindered;
use super::links::{Links, Tracking};
use super::rendered::{self, Source};
use crate::api::call::Reply;
use crate::api::operation::Deferred;
use crate::outreach::account::ConnectedAccount;
use crate::outreach::sequence::plan::{self, Delay, Facts, Next, ParsedStep};
use crate::outreach::sequence::senders::Connected;
use crate::outreach::sequence::step::{self, Known, StepType};
use crate::outreach::sequence::{self, Sequence, template};
use crate::records::contact::{self, Contact};
use crate::tenant::member;
use resource::{Ctx, Error, Problem, Saved, Time, find, invalid};
use serde_json::{Map, Value as Json, json};
use std::borrow::Cow;
use store::{Tx, Uuid};

/// Which step to preview: of the stored steps, or of those that were sent.
pub struct Asked {
    pub sequence: Uuid,
    pub contact: Uuid,
    pub sender: Option<Uuid>,
    pub steps: Option<Json>,
    pub at: usize,
    /// Which variant of the step, by its index; the first unless given.
    pub variant: Option<usize>,
}

/// Reads what the preview needs. The result renders the message, outside the transaction.
pub fn of(ctx: &Ctx, tx: &mut dyn Tx, asked: Asked, links: Links) -> Result<Deferred, Error> {
    let context = SequenceContext::of(ctx, tx, asked.sequence)?;
    let sequence = &context.sequence;
    let (steps, mut problems) = drafts(ctx, tx, sequence, asked.steps, asked.at)?;
    let step = steps.get(asked.at).ok_or_else(|| invalid("step", "there is no step at this place"))?;
    if asked.variant.is_some_and(|at| at >= step.variants.len()) {
        return Err(invalid("variant", "the step has no variant at this place"));
    }
    let step = &step.with_variant(asked.variant.unwrap_or(0));
    let path = step.text_path();
    problems.retain(|problem| !problem.field.starts_with("variants.") || problem.field.starts_with(&path));
    let contact = match find::<Contact>(ctx, tx, asked.contact) {
        Err(Error::NotFound(_)) => return Err(invalid("contact_id", "no contact has this id")),
        found => found?,
    };
    let account = account(ctx, tx, sequence, step, asked.sender)?;
    let no_variables = Map::new();
    for (member, template) in [("subject", step.subject.as_deref()), ("body", Some(step.body.as_str()))] {
        if let Some(reason) = template.and_then(template::refusal) {
            return Err(invalid(format!("steps.{}.{}{member}", asked.at, step.text_path()), reason));
        }
    }
    let members = member::list(ctx, tx)?;
    let source = Source {
        sequence: &sequence.record,
        variables: &no_variables,
        contact: &contact,
        step,
        earlier_subject: rendered::earlier_subject(&steps, step.id, |step| Cow::Owned(step.with_first_variant())),
        account: account.as_ref(),
        members: &members,
        tracking: Some(Tracking {
            workspace: ctx.workspace,
            // Nobody is enrolled, so that the link is of no effect.
            run: Run { enrollment_id: Uuid::nil(), step_id: step.id },
            opens: false,
            clicks: false,
        }),
    };
    let draft = rendered::draft(ctx, tx, source)?;
    let schedule = context.schedule_for(&contact.record);
    let facts = Facts {
        has_email: !contact.record.emails.0.is_empty(),
        has_phone: !contact.record.phones.0.is_empty(),
        has_profile: contact.record.network_profile.is_some(),
        ..Facts::default()
    };
    let (at, delays, blocked_by_plan) = match plan::toward(&steps, &schedule, asked.at, tx.clock()?, &facts) {
        Next::Step { due, delays, .. } => (Some(due), delays, None),
        Next::Never => (None, Vec::new(), Some(NO_DAY_LEFT.to_owned())),
        Next::End | Next::Undecided { .. } => {
            (None, Vec::new(), Some("the contact would take another branch".to_owned()))
        }
    };
    let mut blocked =
        contact::forbids(contact.record.archived_at.is_some(), contact.record.do_not_contact).map(str::to_owned);
    if blocked.is_none() {
        blocked = hindered(ctx, tx, &contact, step)?.or(blocked_by_plan);
    }
    let lacks = step.kind.channel().filter(|_| !step.manual && account.is_none());
    let lacks = lacks.map(|channel| format!("no connected account can send by {}", channel.word()));
    let answers = step.kind == StepType::Email && step.subject.is_none();
    Ok(Box::new(move || {
        let known: Vec<String> = problems.iter().map(|problem| problem.field.clone()).collect();
        let message = match draft.render(&links) {
            Ok(message) => Some(message),
            // Problems of the steps are listed in the answer, but only rendering finds an exceeded limit.
            Err(unrendered)
                if unrendered.is_refused && unrendered.problems.iter().any(|one| !known.contains(&one.field)) =>
            {
                let within =
                    |problem: Problem| Problem { field: format!("steps.{}.{}", asked.at, problem.field), ..problem };
                return Err(Error::Invalid(unrendered.problems.into_iter().map(within).collect()));
            }
            Err(unrendered) => {
                problems.extend(unrendered.problems.into_iter().filter(|problem| !known.contains(&problem.field)));
                None
            }
        };
        Ok(Reply::json(&json!({
        "subject": message.as_ref().and_then(|message| message.subject.as_deref()),
        "text": message.as_ref().map(|message| message.text.as_str()),
        "html": message.as_ref().and_then(|message| message.html.as_ref()).map(|html| html.sent.as_str()),
        "answers": answers,
        "sender": account.map(|account| json!({ "id": account.id, "name": account.record.name })),
        "problems": problems.iter().map(shown).collect::<Vec<_>>(),
        "blocked": blocked.or(lacks),
        "send_at": at.map(|at| Time(at).to_string()),
        "timezone": schedule.zone.iana_name(),
        "rules": delays.iter().map(Delay::json).collect::<Vec<_>>(),
        })))
    }))
}

fn shown(problem: &Problem) -> Json {
    json!({ "field": problem.field, "reason": problem.reason })
}

/// The steps, and the problems of the previewed one.
fn drafts(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &Saved<Sequence>,
    sent: Option<Json>,
    at: usize,
) -> Result<(Vec<ParsedStep>, Vec<Problem>), Error> {
    let kept = match sent {
        Some(sent) => sent,
        None => sequence::read_steps(&sequence::steps_of(ctx, tx, sequence.id, sequence.record.version)?)?.into(),
    };
    let mut problems = Vec::new();
    let steps = step::check(ctx, tx, step::read(&kept)?, &Known::None, &mut problems)?;
    // Whether steps may branch is checked when they are saved.
    let config = sequence.record.schedule_config.0.clone().into();
    step::fit(&steps, Some(&"advanced".into()), Some(&config), &mut problems);
    let path = format!("steps.{at}.");
    let own = problems.into_iter().filter_map(|problem| {
        let field = problem.field.strip_prefix(&path)?.to_owned();
        Some(Problem { field, ..problem })
    });
    Ok((plan::read(&step::stored(tx, &Known::None, steps))?, own.collect()))
}

/// The account that is named, or the first that may send the step.
pub(super) fn account(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &Saved<Sequence>,
    step: &ParsedStep,
    named: Option<Uuid>,
) -> Result<Option<Saved<ConnectedAccount>>, Error> {
    if let Some(id) = named
        && let Some(reason) = step::check_sender(ctx, tx, step.kind, id)?
    {
        return Err(invalid("sender_id", reason));
    }
    // A manual step has no account; the sequence's owner signs it.
    let Some(channel) = step.kind.channel().filter(|_| !step.manual) else { return Ok(None) };
    let id = match named {
        Some(id) => Some(id),
        None => {
            let owners = &sequence.record.owner_ids.0;
            Connected::default().senders(ctx, tx, owners, step, channel)?.first().copied()
        }
    };
    id.map(|id| find::<ConnectedAccount>(ctx, tx, id)).transpose()
}
