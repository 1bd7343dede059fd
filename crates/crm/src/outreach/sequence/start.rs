//! Starts and pauses sequences.

use super::plan::{self, ParsedStep};
use super::senders::Connected;
use super::step::Referenced;
use super::warnings::{self, Warnings};
use super::{Sequence, SequenceStatus, read_steps, step, steps_of, with_member};
use crate::api::call::{Call, Prepared, Reply, show};
use crate::api::effects::{Effect, EffectResult, SendingDomain};
use crate::api::operation::{Computation, EffectSteps};
use crate::api::reaction::Reacts;
use crate::outreach::account::Channel;
use resource::{Changes, Ctx, Error, Problem, Saved, find, invalid, update_as};
use serde_json::{Map, Value as Json};
use store::{Tx, Uuid};

/// What was found before the write.
struct Examined {
    /// The version of the sequence's row that was examined.
    row: i64,
    warnings: Warnings,
    /// The domains of its senders.
    domains: Vec<SendingDomain>,
}

/// Checks a sequence before it is started, examines its templates, and finds its warnings. This reads all of its steps, which
/// would hold up other writes for half a second if they are as long as they may be.
pub fn examine(call: &Call, tx: &mut dyn Tx) -> Result<Computation, Error> {
    let sequence = find::<Sequence>(&call.ctx, tx, call.id(0, "sequence")?)?;
    can_start(&call.ctx, tx, &sequence)?;
    let steps = read_steps(&steps_of(&call.ctx, tx, sequence.id, sequence.record.version)?)?;
    step::variants::examine_templates(steps.into_iter().map(Json::Object).collect::<Vec<_>>().iter());
    let source = warnings::read(&call.ctx, tx, &sequence, &call.public_url)?;
    let (row, domains) = (sequence.version, warnings::domains(call, tx, &sequence)?);
    Ok(Box::new(move || Some(Prepared::new(Examined { row, warnings: source.warnings(), domains }))))
}

/// The domains of the senders are checked before a sequence is started, for the warnings.
pub const STEPS: EffectSteps = EffectSteps { prepare, complete };

fn prepare(call: &Call, tx: &mut dyn Tx) -> Result<Effect, Error> {
    let sequence = find::<Sequence>(&call.ctx, tx, call.id(0, "sequence")?)?;
    if let Some(examined) = examined(call, &sequence) {
        return Ok(Effect::CheckDomains(examined.domains.clone()));
    }
    can_start(&call.ctx, tx, &sequence)?;
    warnings::domains(call, tx, &sequence).map(Effect::CheckDomains)
}

/// What `examine` found, if the row of the sequence has not changed since. Accounts and fields that its steps name may have been
/// removed meanwhile, as they may right after the start.
fn examined<'a>(call: &'a Call, sequence: &Saved<Sequence>) -> Option<&'a Examined> {
    call.prepared::<Examined>().filter(|examined| examined.row == sequence.version)
}

fn complete(call: &Call, tx: &mut dyn Tx, _: &Effect, result: &EffectResult) -> Result<Reply, Error> {
    let EffectResult::Domains(domains) = result else {
        return Err(store::Error::Internal("the domains were not checked".into()).into());
    };
    let sequence = find::<Sequence>(&call.ctx, tx, call.id(0, "sequence")?)?;
    let examined = examined(call, &sequence);
    if examined.is_none() {
        can_start(&call.ctx, tx, &sequence)?;
    }
    set_status(&call.ctx, tx, &sequence, SequenceStatus::Active, "started", None)?;
    let mut warnings = examined.map(|examined| examined.warnings.0.clone()).unwrap_or_default();
    warnings.extend(domains.iter().filter_map(|(domain, points)| warnings::failing(domain, points)));
    Ok(with_member(show::<Sequence>(&call.ctx, tx, sequence.id)?, "warnings", &Json::from(warnings).to_string()))
}

/// Starts a sequence, if it is complete.
pub fn begin(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    let sequence = find::<Sequence>(ctx, tx, id)?;
    can_start(ctx, tx, &sequence)?;
    set_status(ctx, tx, &sequence, SequenceStatus::Active, "started", None)
}

fn can_start(ctx: &Ctx, tx: &mut dyn Tx, sequence: &Saved<Sequence>) -> Result<(), Error> {
    let status = sequence.record.status;
    if !matches!(status, SequenceStatus::Draft | SequenceStatus::Paused) {
        return Err(invalid("status", format!("is {}; a draft or a paused sequence can be started", status.word())));
    }
    let problems = missing(ctx, tx, sequence.id, &sequence.record)?;
    if problems.is_empty() { Ok(()) } else { Err(Error::Invalid(problems)) }
}

pub fn pause(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let sequence = find::<Sequence>(&call.ctx, tx, call.id(0, "sequence")?)?;
    let status = sequence.record.status;
    if status != SequenceStatus::Active {
        return Err(invalid("status", format!("is {}; only an active sequence can be paused", status.word())));
    }
    set_status(&call.ctx, tx, &sequence, SequenceStatus::Paused, "paused", None)?;
    show::<Sequence>(&call.ctx, tx, sequence.id)
}

/// All sequences, oldest first.
pub fn all(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<Saved<Sequence>>, Error> {
    const ALL: &str = "SELECT id FROM sequences WHERE workspace_id = $1 ORDER BY id";
    let ids = tx.rows(ALL, &[ctx.workspace.into()], |row| row.id(0))?;
    ids.into_iter().map(|id| find::<Sequence>(ctx, tx, id)).collect()
}

/// Pauses one active sequence, or all, with the reason if it was no person's decision; gives those that it paused.
pub fn hold(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    which: Option<Uuid>,
    reason: Option<&str>,
) -> Result<Vec<Saved<Sequence>>, Error> {
    let known = match which {
        Some(id) => vec![find::<Sequence>(ctx, tx, id)?],
        None => all(ctx, tx)?,
    };
    let active = known.into_iter().filter(|sequence| sequence.record.status == SequenceStatus::Active);
    let mut held = Vec::new();
    for sequence in active {
        set_status(ctx, tx, &sequence, SequenceStatus::Paused, "paused", reason)?;
        held.push(find::<Sequence>(ctx, tx, sequence.id)?);
    }
    Ok(held)
}

/// Pauses a sequence that can't continue, with the reason.
pub fn halt(ctx: &Ctx, tx: &mut dyn Tx, sequence: &Saved<Sequence>, reason: &str) -> Result<(), Error> {
    set_status(ctx, tx, sequence, SequenceStatus::Paused, "paused", Some(reason))
}

fn set_status(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &Saved<Sequence>,
    status: SequenceStatus,
    verb: &str,
    reason: Option<&str>,
) -> Result<(), Error> {
    let mut changes = Changes::default();
    changes.set(Sequence::STATUS, status);
    changes.set(Sequence::PAUSED_REASON, reason.map(str::to_owned));
    update_as(ctx, tx, sequence, &changes, verb, &Map::new())?;
    Sequence::changed(ctx, tx, sequence, &changes)
}

/// Everything that keeps a sequence from being started.
fn missing(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, sequence: &Sequence) -> Result<Vec<Problem>, Error> {
    let stored = read_steps(&steps_of(ctx, tx, id, sequence.version)?)?;
    // First, because the checks leave out values that can't be read.
    let parsed = plan::read(&stored).map_err(|error| error.at("steps").in_row("sequence_versions", id))?;
    let mut problems = Vec::new();
    if stored.is_empty() {
        problems.push(Problem { field: "steps".into(), reason: "the sequence has no step".into() });
    }
    let (mode, schedule) = (sequence.mode.word().into(), Json::Object(sequence.schedule_config.0.clone()));
    step::fit(&stored, Some(&mode), Some(&schedule), &mut problems);
    // An earlier version allowed more.
    let excess = step::excess(stored.iter());
    if !excess.is_empty() {
        problems.extend(excess);
        return Ok(problems);
    }
    let (referenced, mut connected) = (Referenced::read(ctx, tx, &stored)?, Connected::default());
    for (at, parsed) in parsed.iter().enumerate() {
        let path = format!("steps.{at}");
        step::check_step(ctx, tx, &path, &stored[at], &referenced, &mut problems)?;
        let Some(channel) = parsed.kind.channel().filter(|_| !parsed.manual) else { continue };
        let senders = connected.senders(ctx, tx, &sequence.owner_ids.0, parsed, channel)?;
        lacks(&path, parsed, channel, senders.is_empty(), &mut problems);
    }
    Ok(problems)
}

/// Why a step can't be sent: no account, or no body.
fn lacks(path: &str, parsed: &ParsedStep, channel: Channel, has_no_sender: bool, problems: &mut Vec<Problem>) {
    for text in parsed.texts().iter().filter(|text| text.body.is_empty() && parsed.kind.speaks()) {
        let field = format!("{path}.{}body", text.path);
        problems.push(Problem { field, reason: "is needed by a message".into() });
    }
    if has_no_sender {
        let word = channel.word();
        let reason = match parsed.senders.is_empty() {
            true => format!(
                "no owner of the sequence has a connected account for {word}; name one, or add one by `relata accounts add --provider {word}`"
            ),
            false => format!("none of the accounts named is connected for {word}"),
        };
        problems.push(Problem { field: format!("{path}.sender_ids"), reason });
    }
}
