//! Claims due questions: one transaction checks everything again and records that the provider is being asked, before
//! it is asked.

use super::ask::{ADDRESSES, Ask, Person, TRIES, has_room};
use super::outcome::{Attempt, fail, pass_over};
use super::provider::{self, Provider};
use super::{AttemptOutcome, EnrichmentRequest, EnrichmentType, RequestStatus, contact_of, unfit};
use crate::api::meta::Secret;
use crate::api::queue::DAMAGED_WAIT;
use crate::records::company;
use crate::records::contact::Contact;
use crate::tenant::credits;
use resource::{Changes, Ctx, Error, Saved, find, update};
use store::{Tx, Uuid};

/// Milliseconds by which the lease in the database exceeds the timeout of a question.
const MARGIN: i64 = 5_000;
/// Requests per transaction.
const TOGETHER: usize = 50;

/// Providers with due questions.
pub fn due(tx: &mut dyn Tx) -> Result<Vec<(Uuid, Uuid)>, Error> {
    let clock = tx.dialect().clock();
    let sql = format!(
        "SELECT p.workspace_id, p.id FROM enrichment_providers p WHERE p.free_at <= {clock} AND EXISTS (SELECT 1 FROM enrichment_due d \
         WHERE d.workspace_id = p.workspace_id AND d.provider_id = p.id AND d.run_at <= {clock} AND d.lease_until <= {clock}) \
         AND p.hands > (SELECT count(*) FROM enrichment_due t WHERE t.workspace_id = p.workspace_id AND t.provider_id = p.id \
         AND t.lease_until > 0 AND t.lease_until > {clock})"
    );
    Ok(tx.rows(&sql, &[], |row| Ok((row.id(0)?, row.id(1)?)))?)
}

/// Releases all leases at the start of a server on an embedded database, where no other node can hold them.
pub fn release_leases(tx: &mut dyn Tx) -> Result<(), Error> {
    Ok(tx.execute("UPDATE enrichment_due SET lease_until = 0 WHERE lease_until > 0", &[])?)
}

/// Claimed questions.
#[derive(Default)]
pub struct Taken {
    pub asks: Vec<Ask>,
    /// There may be more.
    pub more: bool,
    /// Requests that can't be read. They are delayed until an operator has repaired them.
    pub damaged: Vec<Error>,
}

/// Delays a provider that can't be read until an operator has repaired it.
pub fn put_off(ctx: &Ctx, tx: &mut dyn Tx, provider: Uuid) -> Result<(), Error> {
    const PUT_OFF: &str = "UPDATE enrichment_providers SET free_at = $1 WHERE workspace_id = $2 AND id = $3";
    let later = tx.now() + DAMAGED_WAIT;
    Ok(tx.execute(PUT_OFF, &[later.into(), ctx.workspace.into(), provider.into()])?)
}

/// Claims due questions for this provider, limited by its concurrency and by the credits of the workspace. Requests
/// that need no question are completed on the way.
pub fn take(ctx: &Ctx, tx: &mut dyn Tx, secret: &Secret, provider_id: Uuid, most: usize) -> Result<Taken, Error> {
    const DUE: &str = "SELECT request_id, tries FROM enrichment_due WHERE workspace_id = $1 AND provider_id = $2 AND run_at <= $3 \
         AND lease_until <= $3 ORDER BY run_at LIMIT $4";
    const TAKE: &str =
        "UPDATE enrichment_due SET lease_until = $1, tries = tries + 1 WHERE workspace_id = $2 AND request_id = $3";
    const PUT_OFF: &str = "UPDATE enrichment_due SET run_at = $1 WHERE workspace_id = $2 AND request_id = $3";
    let Some(provider) = provider::of(ctx, tx, provider_id)? else { return Ok(Taken::default()) };
    let now = tx.now();
    let balance = credits::balance(ctx, tx, credits::Kind::Enrichment)?;
    let (here, everywhere) = (taken(ctx, tx, Some(provider_id))?, taken(ctx, tx, None)?);
    // A value that can't be paid for would be discarded, so the questions in flight never exceed the balance.
    let room = most.min((provider.hands - here).max(0) as usize).min((balance - everywhere).max(0) as usize);
    let setup = provider::setup(ctx, tx, secret, provider_id)?;
    let (workspace, provider_value) = (ctx.workspace.into(), provider_id.into());
    let due = tx.rows(DUE, &[workspace, provider_value, now.into(), (TOGETHER as i64).into()], |row| {
        Ok((row.id(0)?, row.int(1)?))
    })?;
    let (looked_at, mut asks, mut damaged) = (due.len(), Vec::new(), Vec::new());
    for (request_id, tries) in due {
        // Read everything before writing anything, so that a damaged row leaves no partial change.
        let read = find::<EnrichmentRequest>(ctx, tx, request_id).and_then(|request| {
            let wanted = wanted(ctx, tx, &request, &provider)?;
            let person = match &wanted {
                Wanted::Ask(contact) => Some(person(ctx, tx, contact)?),
                Wanted::Over(_) | Wanted::Next(_) => None,
            };
            Ok((request, wanted, person))
        });
        let (request, wanted, person) = match read {
            Err(error) if error.is_corrupt() => {
                let later = now + DAMAGED_WAIT;
                tx.execute(PUT_OFF, &[later.into(), ctx.workspace.into(), request_id.into()])?;
                damaged.push(error);
                continue;
            }
            read => read?,
        };
        if balance == 0 {
            fail(ctx, tx, &request, Changes::default(), "no enrichment credits are left; nobody more was asked")?;
            continue;
        }
        match wanted {
            Wanted::Ask(_) => {}
            Wanted::Over(why) => {
                fail(ctx, tx, &request, Changes::default(), &why)?;
                continue;
            }
            Wanted::Next(why) => {
                pass_over(ctx, tx, &request, &provider, Attempt { outcome: AttemptOutcome::Skipped, reason: why })?;
                continue;
            }
        }
        let Some(setup) = &setup else {
            let reason = "the provider was removed".to_owned();
            pass_over(ctx, tx, &request, &provider, Attempt { outcome: AttemptOutcome::Skipped, reason })?;
            continue;
        };
        if tries >= TRIES {
            let reason = "it was asked again and again, and no answer was recorded".to_owned();
            pass_over(ctx, tx, &request, &provider, Attempt { outcome: AttemptOutcome::Failed, reason })?;
            continue;
        }
        if asks.len() >= room {
            return Ok(Taken { asks, more: false, damaged });
        }
        if request.record.status == RequestStatus::Pending {
            let mut changes = Changes::default();
            changes.set(EnrichmentRequest::STATUS, RequestStatus::Processing);
            update(ctx, tx, &request, &changes)?;
        }
        let until = now + provider.seconds * 1000 + MARGIN;
        tx.execute(TAKE, &[until.into(), ctx.workspace.into(), request_id.into()])?;
        let (setup, provider) = (setup.clone(), provider.name.clone());
        let person = person.unwrap_or_default();
        asks.push(Ask { workspace: ctx.workspace, request_id, provider_id, provider, person, setup });
    }
    Ok(Taken { asks, more: looked_at == TOGETHER, damaged })
}

/// The number of questions in flight, to a provider or to all.
fn taken(ctx: &Ctx, tx: &mut dyn Tx, provider: Option<Uuid>) -> Result<i64, Error> {
    const TAKEN: &str =
        "SELECT count(*) FROM enrichment_due WHERE workspace_id = $1 AND lease_until > 0 AND lease_until > $2";
    let now = tx.now();
    let mut params = vec![ctx.workspace.into(), now.into()];
    let sql = match provider {
        Some(provider) => {
            params.push(provider.into());
            format!("{TAKEN} AND provider_id = $3")
        }
        None => TAKEN.to_owned(),
    };
    Ok(tx.one(&sql, &params, |row| row.int(0))?.unwrap_or(0))
}

enum Wanted {
    Ask(Box<Saved<Contact>>),
    /// The request ends without asking any provider.
    Over(String),
    /// This provider is skipped.
    Next(String),
}

fn wanted(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    request: &Saved<EnrichmentRequest>,
    provider: &Provider,
) -> Result<Wanted, Error> {
    let Some(contact) = contact_of(ctx, tx, &request.record)? else {
        return Ok(Wanted::Over("the contact is gone".into()));
    };
    if let Some(why) = unfit(&contact) {
        return Ok(Wanted::Over(why.into()));
    }
    let left = request.record.left()?;
    let roomy: Vec<EnrichmentType> = left.iter().copied().filter(|one| has_room(&contact, *one)).collect();
    if roomy.is_empty() {
        let lists: Vec<&str> = left.iter().map(|one| one.list()).collect();
        let lists = lists.join(" and ");
        return Ok(Wanted::Over(format!("the contact has {ADDRESSES} {lists} already; remove one and ask again")));
    }
    match roomy.iter().any(|one| provider.finds.contains(one)) {
        true => Ok(Wanted::Ask(Box::new(contact))),
        false => Ok(Wanted::Next("it finds nothing that is wanted".into())),
    }
}

fn person(ctx: &Ctx, tx: &mut dyn Tx, contact: &Saved<Contact>) -> Result<Person, Error> {
    let company = match contact.record.company_id {
        Some(id) => company::named(ctx, tx, id)?,
        None => None,
    };
    let record = &contact.record;
    let (domain, name) = company.map_or((None, None), |company| (company.record.domain, Some(company.record.name)));
    let email = record.emails.0.first().and_then(|email| email.get("email")?.as_str());
    Ok(Person {
        first_name: Some(record.first_name.clone()),
        last_name: record.last_name.clone(),
        company: record.current_company.clone().or(name),
        domain,
        network_profile: record.network_profile.clone(),
        title: record.title.clone(),
        location: record.location.clone(),
        email: email.map(str::to_owned),
    })
}
