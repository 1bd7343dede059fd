//! Takes due messages out of the queue, to be delivered.

use super::Lease;
use super::outcome::{fail, record_for_step};
use crate::outreach::account::{self, AccountStatus, Channel, ConnectedAccount};
use crate::outreach::enrollment::{self, EnrollmentBatch, MaySend, StepOutcome};
use crate::outreach::outbox::{Handover, SEND, Send, requeue};
use crate::outreach::suppression::Checked;
use crate::records::contact;
use resource::{Ctx, Error, Saved, among, by_keys, find};
use store::{Tx, Uuid, Value};

/// Takes due messages of one account, at most `most` and not more than the account may send now: the first of the two
/// transactions around a delivery.
pub fn take_due(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account_id: Uuid,
    most: usize,
    lease: &Lease,
) -> Result<Vec<Handover>, Error> {
    let due = format!(
        "{SEND} AND s.account_id = $2 AND s.state = 'queued' AND s.due_at <= $3 ORDER BY s.due_at, s.message_id LIMIT $4"
    );
    let (now, pause) = (tx.stamp(), account::pause(ctx, tx, account_id)?);
    if pause.free_at > now {
        return Ok(Vec::new());
    }
    // After a refusal, a single message shows whether the account may send again.
    let most = if pause.failures > 0 { 1 } else { most };
    let params = [ctx.workspace.into(), account_id.into(), now.into(), Value::from(most as i64)];
    let due = tx.rows(&due, &params, |row| Send::decode(ctx, row))?;
    let mut taken = Vec::with_capacity(due.len());
    if due.is_empty() {
        return Ok(taken);
    }
    let account = find::<ConnectedAccount>(ctx, tx, account_id)?;
    let contacts = due.iter().map(|send| send.handover.contact_id);
    let mut batch = EnrollmentBatch::read(ctx, tx, due.iter().filter_map(|send| send.handover.run), contacts)?;
    let mail = account.record.provider == Channel::Email;
    let recipients = due.iter().filter(|_| mail).flat_map(|send| {
        let others = send.handover.content.others().map(|(_, address)| address);
        std::iter::once(&send.handover.recipient).chain(others).cloned()
    });
    let checked = Checked::read(ctx, tx, recipients)?;
    let mut unwritten = Vec::new();
    let is_read = !(pause.has_unread && account.record.receives) && account::is_read(&account.record, now, lease.since);
    for send in due {
        let Some(handover) = take(ctx, tx, &account, is_read, send, &mut batch, &checked)? else { continue };
        unwritten.push(handover.message_id);
        // Limits of the account count this message before the next one is checked.
        if account.record.is_paced() {
            write_taken(ctx, tx, unwritten.drain(..), lease)?;
        }
        taken.push(handover);
    }
    write_taken(ctx, tx, unwritten.into_iter(), lease)?;
    Ok(taken)
}

/// Writes `sending` with the lease.
fn write_taken(ctx: &Ctx, tx: &mut dyn Tx, ids: impl Iterator<Item = Uuid>, lease: &Lease) -> Result<(), Error> {
    let take = format!(
        "UPDATE sends SET state = 'sending', lease_until = $1, node = $2, attempts = attempts + 1 \
         WHERE workspace_id = $3 AND message_id IN {}",
        among(4)
    );
    let handed = format!("UPDATE messages SET handed_at = $1 WHERE workspace_id = $2 AND id IN {}", among(3));
    let now = tx.stamp();
    for params in by_keys(ctx, ids) {
        let with = |first: Vec<Value>| first.into_iter().chain(params.iter().cloned()).collect::<Vec<_>>();
        tx.execute(&take, &with(vec![(now + lease.time).into(), lease.node.as_str().into()]))?;
        tx.execute(&handed, &with(vec![now.into()]))?;
    }
    Ok(())
}

/// Takes one message, unless a rule forbids or delays it.
fn take(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account: &Saved<ConnectedAccount>,
    is_read: bool,
    send: Send,
    batch: &mut EnrollmentBatch,
    checked: &Checked,
) -> Result<Option<Handover>, Error> {
    let why = forbidden(ctx, tx, account, &send, batch, checked)?;
    let (now, mut handover) = (tx.stamp(), send.handover);
    if let Some(why) = why {
        fail(ctx, tx, &handover, &why, StepOutcome::Failed(why.clone()))?;
        return Ok(None);
    }
    if let Some(wait) = account::slot(ctx, tx, account, now)? {
        // The health check decides when a broken account sends again.
        if account.record.status != AccountStatus::Connected {
            return Ok(None);
        }
        const BUSY: &str = "UPDATE account_states SET free_at = $1 WHERE workspace_id = $2 AND account_id = $3";
        tx.execute(BUSY, &[wait.until.into(), ctx.workspace.into(), account.id.into()])?;
        enrollment::note_wait_for_account(ctx, tx, account.id, &wait.why)?;
        return Ok(None);
    }
    match handover.run.map_or(Ok(MaySend::Yes), |run| enrollment::may_send(ctx, tx, batch, &run, is_read))? {
        MaySend::Yes => {}
        MaySend::Later { until, why } => {
            requeue(ctx, tx, &handover, until, handover.attempts)?;
            record_for_step(ctx, tx, &handover, &StepOutcome::Later { until, why })?;
            return Ok(None);
        }
        MaySend::Never(why) => {
            fail(ctx, tx, &handover, &why, StepOutcome::Failed(why.clone()))?;
            return Ok(None);
        }
    }
    handover.attempts += 1;
    Ok(Some(handover))
}

/// Why a message must not be sent any more.
fn forbidden(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    account: &Saved<ConnectedAccount>,
    send: &Send,
    batch: &mut EnrollmentBatch,
    checked: &Checked,
) -> Result<Option<String>, Error> {
    if account.record.status == AccountStatus::Disconnected {
        return Ok(Some("the account was removed".into()));
    }
    let contact = batch.contacts.take(ctx, tx, send.handover.contact_id)?;
    let why = contact::forbids(contact.record.archived_at.is_some(), contact.record.do_not_contact);
    batch.contacts.put(contact);
    match why {
        Some(why) => Ok(Some(why.to_owned())),
        None if account.record.provider == Channel::Email => suppressed(ctx, tx, &send.handover, checked),
        None => Ok(None),
    }
}

/// Why a recipient of the mail must not get it.
fn suppressed(ctx: &Ctx, tx: &mut dyn Tx, handover: &Handover, checked: &Checked) -> Result<Option<String>, Error> {
    if let Some(why) = checked.against(ctx, tx, &handover.recipient)? {
        return Ok(Some(why));
    }
    for (member, address) in handover.content.others() {
        if let Some(why) = checked.against(ctx, tx, address)? {
            return Ok(Some(format!("{member}: {why}")));
        }
    }
    Ok(None)
}
