//! Records outcomes of deliveries.

use super::Outcome;
use crate::api::effects::Trouble;
use crate::outreach::account;
use crate::outreach::enrollment::{self, ContactEvent, ContactEventKind, EnrollmentBatch, StepOutcome};
use crate::outreach::outbox::{self, Handover, SENDING, UNKNOWN, requeue};
use crate::outreach::suppression;
use resource::{Ctx, Error, among, by_keys};
use std::collections::HashMap;
use store::{Tx, Uuid};

/// Records outcomes of deliveries: the second of the two transactions.
pub fn record_outcomes(ctx: &Ctx, tx: &mut dyn Tx, outcomes: &[(Handover, Outcome)]) -> Result<(), Error> {
    let select = format!("SELECT message_id, state FROM sends WHERE workspace_id = $1 AND message_id IN {}", among(2));
    let mut states: HashMap<Uuid, String> = HashMap::new();
    for params in by_keys(ctx, outcomes.iter().map(|(handover, _)| handover.message_id)) {
        states.extend(tx.rows(&select, &params, |row| Ok((row.id(0)?, row.text(1)?)))?);
    }
    let open = outcomes.iter().filter(|(handover, outcome)| {
        let known = matches!(
            outcome,
            Outcome::Sent | Outcome::Accepted | Outcome::Recipient(_) | Outcome::Message(_) | Outcome::Refused(_)
        );
        // A delivery that outlasted its lease is marked as unknown; only a certain outcome replaces that.
        let state = states.get(&handover.message_id).map(String::as_str);
        state == Some(SENDING) || state == Some(UNKNOWN) && known
    });
    // Messages that were sent don't affect each other, so that their rows are read in one batch.
    let (good, other): (Vec<_>, Vec<_>) = open.partition(|(_, outcome)| *outcome == Outcome::Sent);
    let good: Vec<&Handover> = good.into_iter().map(|(handover, _)| handover).collect();
    sent(ctx, tx, &good)?;
    other.into_iter().try_for_each(|(handover, outcome)| record_outcome(ctx, tx, handover, outcome))
}

fn record_outcome(ctx: &Ctx, tx: &mut dyn Tx, handover: &Handover, outcome: &Outcome) -> Result<(), Error> {
    let now = tx.stamp();
    match outcome {
        Outcome::Sent => sent(ctx, tx, &[handover]),
        Outcome::Accepted => {
            sent(ctx, tx, &[handover])?;
            let (contact_id, message_id, run) = (handover.contact_id, Some(handover.message_id), handover.run);
            enrollment::contact_event(
                ctx,
                tx,
                &ContactEvent { contact_id, message_id, run, kind: ContactEventKind::InviteAccepted, at: None },
            )
        }
        Outcome::NotBegun => requeue(ctx, tx, handover, now, handover.attempts - 1),
        Outcome::Temporary(why) => try_later(ctx, tx, handover, why, BACK_OFF),
        Outcome::Recipient(why) => {
            fail(ctx, tx, handover, why, StepOutcome::Bounced(why.clone()))?;
            suppression::suppress_bounced(ctx, tx, &handover.recipient)
        }
        Outcome::Message(why) => fail(ctx, tx, handover, why, StepOutcome::Failed(why.clone())),
        Outcome::Refused(why) => try_later(ctx, tx, handover, why, REFUSED_AGAIN),
        Outcome::Sender(trouble) if is_own_fault(ctx, tx, handover)? => {
            fail(ctx, tx, handover, &trouble.reason, StepOutcome::Failed(trouble.reason.clone()))
        }
        Outcome::Sender(trouble) | Outcome::Unreached(trouble) => wait_for_account(ctx, tx, handover, trouble, 0),
        Outcome::Throttled(trouble) => wait_for_account(ctx, tx, handover, trouble, THROTTLED_TOLERANCE),
        Outcome::Unknown(why) => unknown(ctx, tx, handover, why),
    }
}

/// Seconds before each retry of a message that the server refuses for now. After the last one it fails.
const BACK_OFF: &[i64] = &[5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400];

/// Seconds before each retry of a message that the server refuses for good. Some filters change their mind; more attempts
/// would harm the reputation of the sender.
const REFUSED_AGAIN: &[i64] = &[60, 900];

/// How often in a row a server may ask the account to send later before the account is in `error`.
const THROTTLED_TOLERANCE: i64 = 2;

/// A message that is refused so often because of the account, while the account sends others, is at fault itself.
const OWN_FAULT: i64 = 3;
/// A message that was refused because of the account waits behind the others, in milliseconds: for this long, after the
/// second time 8 times, then 27 times as long.
const BEHIND_OTHERS: i64 = 10_000;

/// Whether the account has sent messages since it was last refused.
fn has_sent(ctx: &Ctx, tx: &mut dyn Tx, handover: &Handover) -> Result<bool, Error> {
    Ok(account::pause(ctx, tx, handover.account_id)?.failures == 0)
}

/// Whether the message is at fault, though the server's words are about the account. Limits and outages never count: they
/// can meet the same message several times.
fn is_own_fault(ctx: &Ctx, tx: &mut dyn Tx, handover: &Handover) -> Result<bool, Error> {
    Ok(handover.attempts >= OWN_FAULT && has_sent(ctx, tx, handover)?)
}

/// Tries a message again after the next of these waits, in seconds. After the last one it fails.
fn try_later(ctx: &Ctx, tx: &mut dyn Tx, handover: &Handover, why: &str, waits: &[i64]) -> Result<(), Error> {
    let until = waits.get(handover.attempts.max(1) as usize - 1).map(|wait| tx.stamp() + wait * 1000);
    let Some(until) = until else { return fail(ctx, tx, handover, why, StepOutcome::Failed(why.to_owned())) };
    requeue(ctx, tx, handover, until, handover.attempts)?;
    record_for_step(ctx, tx, handover, &StepOutcome::Later { until, why: why.to_owned() })
}

/// The account does not work or may not send now, which is no failure of the message. All its messages wait.
fn wait_for_account(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    handover: &Handover,
    trouble: &Trouble,
    tolerated: i64,
) -> Result<(), Error> {
    let (now, was_well) = (tx.stamp(), has_sent(ctx, tx, handover)?);
    let until = account::note_refusal(ctx, tx, handover.account_id, trouble, tolerated)?.max(now);
    // Others are tried first, so that this one holds up nobody.
    let attempts = if was_well { handover.attempts.min(OWN_FAULT) } else { handover.attempts - 1 };
    requeue(ctx, tx, handover, until + BEHIND_OTHERS * attempts.max(1).pow(3), attempts)?;
    record_for_step(ctx, tx, handover, &StepOutcome::Later { until, why: trouble.reason.clone() })?;
    enrollment::note_wait_for_account(ctx, tx, handover.account_id, &trouble.reason)
}

/// Records messages that were sent. Copies of mails are put into the Sent folder later.
pub(super) fn sent(ctx: &Ctx, tx: &mut dyn Tx, handovers: &[&Handover]) -> Result<(), Error> {
    record_sent(ctx, tx, handovers)?;
    outbox::file_or_delete(ctx, tx, handovers)
}

/// Records a message that was found in the Sent folder.
pub(super) fn found_sent(ctx: &Ctx, tx: &mut dyn Tx, handover: &Handover) -> Result<(), Error> {
    record_sent(ctx, tx, &[handover])?;
    outbox::delete_rows(ctx, tx, std::iter::once(handover.message_id))
}

fn record_sent(ctx: &Ctx, tx: &mut dyn Tx, handovers: &[&Handover]) -> Result<(), Error> {
    let (runs, contacts) = (handovers.iter().filter_map(|one| one.run), handovers.iter().map(|one| one.contact_id));
    let mut batch = EnrollmentBatch::read(ctx, tx, runs, contacts)?;
    batch.read_open_runs(ctx, tx)?;
    outbox::mark_sent(ctx, tx, handovers, &mut batch.contacts)?;
    for handover in handovers {
        if let Some(run) = &handover.run {
            enrollment::record_step_outcome(ctx, tx, &mut batch, run, handover.message_id, &StepOutcome::Sent)?;
        }
    }
    batch.write_counts(ctx, tx)
}

/// Records a message that will not be sent.
pub(super) fn fail(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    handover: &Handover,
    why: &str,
    outcome: StepOutcome,
) -> Result<(), Error> {
    outbox::mark_failed(ctx, tx, handover, why, "failed")?;
    record_for_step(ctx, tx, handover, &outcome)
}

/// Records that nobody knows whether a message was sent.
pub(super) fn unknown(ctx: &Ctx, tx: &mut dyn Tx, handover: &Handover, why: &str) -> Result<(), Error> {
    outbox::mark_unknown(ctx, tx, handover, why)?;
    record_for_step(ctx, tx, handover, &StepOutcome::Unknown(why.to_owned()))
}

/// Records the outcome for the step of the message.
pub(super) fn record_for_step(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    handover: &Handover,
    outcome: &StepOutcome,
) -> Result<(), Error> {
    let Some(run) = &handover.run else { return Ok(()) };
    let mut batch = EnrollmentBatch::default();
    enrollment::record_step_outcome(ctx, tx, &mut batch, run, handover.message_id, outcome)?;
    batch.write_counts(ctx, tx)
}
