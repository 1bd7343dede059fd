//! A step as a contact would get it, before anybody is enrolled: what it says and when it goes out, told by the code that
//! sends. Nothing is written.

use super::course::Course;
use super::explain::hindered;
use super::letter;
use super::links::Links;
use super::sender::senders;
use crate::account::ConnectedAccount;
use crate::contact::{self, Contact};
use crate::operation::{Deferred, Reply};
use crate::sequence::plan::{self, Facts, Moved, Next, Planned};
use crate::sequence::step::{self, Known, StepType};
use crate::sequence::template;
use crate::sequence::{self, Sequence};
use resource::{Ctx, Error, Problem, Saved, Time, find, invalid};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid};

/// What is asked: the step at this place, as the sequence has it or as its steps are sent.
pub struct Asked {
    pub sequence: Uuid,
    pub contact: Uuid,
    pub sender: Option<Uuid>,
    pub steps: Option<Json>,
    pub at: usize,
}

/// Reads all that the preview needs; what it gives renders the message, outside the transaction.
pub fn of(ctx: &Ctx, tx: &mut dyn Tx, asked: Asked, links: Links) -> Result<Deferred, Error> {
    let course = Course::of(ctx, tx, asked.sequence)?;
    let sequence = &course.sequence;
    let (steps, mut problems) = drafts(ctx, tx, sequence, asked.steps, asked.at)?;
    let step = steps.get(asked.at).ok_or_else(|| invalid("step", "there is no step at this place"))?;
    let contact = match find::<Contact>(ctx, tx, asked.contact) {
        Err(Error::NotFound(_)) => return Err(invalid("contact_id", "no contact has this id")),
        found => found?,
    };
    let account = account(ctx, tx, sequence, step, asked.sender)?;
    let no_variables = Map::new();
    for (member, template) in [("subject", step.subject.as_deref()), ("body", Some(step.body.as_str()))] {
        if let Some(reason) = template.and_then(template::refusal) {
            return Err(invalid(format!("steps.{}.{member}", asked.at), reason));
        }
    }
    let (record, sender) = (&sequence.record, account.as_ref());
    let draft = letter::draft(ctx, tx, record, &no_variables, &contact, step, &steps, sender, None)?;
    let schedule = course.schedule_for(&contact.record);
    let facts = Facts {
        has_email: !contact.record.emails.0.is_empty(),
        has_phone: !contact.record.phones.0.is_empty(),
        has_profile: contact.record.network_profile.is_some(),
        ..Facts::default()
    };
    let (at, moved, led) = match plan::toward(&steps, &schedule, asked.at, tx.clock()?, &facts) {
        Next::Step { due, moved, .. } => (Some(due), moved, None),
        Next::Never => (None, Vec::new(), Some("the schedule has no day left to send on".to_owned())),
        Next::End | Next::Undecided { .. } => {
            (None, Vec::new(), Some("the contact would take another branch".to_owned()))
        }
    };
    let mut blocked =
        contact::forbids(contact.record.archived_at.is_some(), contact.record.do_not_contact).map(str::to_owned);
    if blocked.is_none() {
        blocked = hindered(ctx, tx, &contact, step)?.or(led);
    }
    let lacks = step.kind.channel().filter(|_| !step.manual && account.is_none());
    let lacks = lacks.map(|channel| format!("no connected account can send by {}", channel.word()));
    let answers = step.kind == StepType::Email && step.subject.is_none();
    Ok(Box::new(move || {
        let known: Vec<String> = problems.iter().map(|problem| problem.field.clone()).collect();
        let letter = match draft.render(&links) {
            Ok(letter) => Some(letter),
            // What is known of the steps that were sent is listed; a limit is known only now.
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
        "subject": letter.as_ref().and_then(|letter| letter.subject.as_deref()),
        "text": letter.as_ref().map(|letter| letter.text.as_str()),
        "html": letter.as_ref().and_then(|letter| letter.html.as_ref()).map(|html| html.sent.as_str()),
        "answers": answers,
        "sender": account.map(|account| json!({ "id": account.id, "name": account.record.name })),
        "problems": problems.iter().map(shown).collect::<Vec<_>>(),
        "blocked": blocked.or(lacks),
        "send_at": at.map(|at| Time(at).to_string()),
        "timezone": schedule.zone.iana_name(),
        "rules": moved.iter().map(Moved::json).collect::<Vec<_>>(),
        })))
    }))
}

fn shown(problem: &Problem) -> Json {
    json!({ "field": problem.field, "reason": problem.reason })
}

/// The steps, and what is wrong with the one that is asked for.
fn drafts(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &Saved<Sequence>,
    sent: Option<Json>,
    at: usize,
) -> Result<(Vec<Planned>, Vec<Problem>), Error> {
    let kept = match sent {
        Some(sent) => sent,
        None => sequence::read_steps(&sequence::steps_of(ctx, tx, sequence.id, sequence.record.version)?)?.into(),
    };
    let mut problems = Vec::new();
    let steps = step::check(ctx, tx, step::read(&kept)?, &Known::None, &mut problems)?;
    // Whether steps may branch is seen to when they are saved.
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
fn account(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &Saved<Sequence>,
    step: &Planned,
    named: Option<Uuid>,
) -> Result<Option<Saved<ConnectedAccount>>, Error> {
    if let Some(id) = named
        && let Some(reason) = step::check_sender(ctx, tx, step.kind, id)?
    {
        return Err(invalid("sender_id", reason));
    }
    // What is done by hand is signed by the owner.
    let Some(channel) = step.kind.channel().filter(|_| !step.manual) else { return Ok(None) };
    let id = match named {
        Some(id) => Some(id),
        None => senders(ctx, tx, &sequence.record.owner_ids.0, step, channel)?.first().copied(),
    };
    id.map(|id| find::<ConnectedAccount>(ctx, tx, id)).transpose()
}
