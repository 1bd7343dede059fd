//! What is due, and taking it: one transaction that looks at everything again and notes that the provider is asked,
//! before it is.

use super::provider::{self, Provider};
use super::settle::{Attempt, fail, pass_over};
use super::{AttemptOutcome, EnrichmentRequest, EnrichmentType, FIELDS, RequestStatus, contact_of, unfit};
use crate::company;
use crate::contact::Contact;
use crate::credits;
use crate::meta::Secret;
use resource::{Changes, Ctx, Error, Saved, find, update};
use serde_json::Value as Json;
use store::{Tx, Uuid};

/// A question to a provider.
#[derive(Clone, Debug)]
pub struct Ask {
    pub workspace: Uuid,
    pub request_id: Uuid,
    pub provider_id: Uuid,
    pub provider: String,
    pub person: Person,
    /// How the provider is asked.
    pub setup: String,
}

/// Whom it is about, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Person {
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub company: Option<String>,
    pub domain: Option<String>,
    pub network_profile: Option<String>,
    pub title: Option<String>,
    pub location: Option<String>,
    pub email: Option<String>,
}

/// The most that a list of addresses holds.
pub const ADDRESSES: usize = 5;
/// As often is a provider asked the same, all in all.
pub const TRIES: i64 = 4;
/// The lease in the database is longer than the time that the question has.
const MARGIN: i64 = 5_000;
/// As many requests are looked at in one transaction.
const TOGETHER: usize = 50;

/// Providers that have something due.
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

/// Lets go of what was taken by a node that is gone, where no other node can be: there it need not run out first.
pub fn let_go(tx: &mut dyn Tx) -> Result<(), Error> {
    Ok(tx.execute("UPDATE enrichment_due SET lease_until = 0 WHERE lease_until > 0", &[])?)
}

/// Takes questions that are due to this provider, at most as many as it has hands and the workspace has credits. Those
/// that need no question are settled on the way. True if there may be more.
pub fn take(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    secret: &Secret,
    provider_id: Uuid,
    most: usize,
) -> Result<(Vec<Ask>, bool), Error> {
    const DUE: &str = "SELECT request_id, tries FROM enrichment_due WHERE workspace_id = $1 AND provider_id = $2 AND run_at <= $3 \
         AND lease_until <= $3 ORDER BY run_at LIMIT $4";
    const TAKE: &str =
        "UPDATE enrichment_due SET lease_until = $1, tries = tries + 1 WHERE workspace_id = $2 AND request_id = $3";
    let Some(provider) = provider::of(ctx, tx, provider_id)? else { return Ok((Vec::new(), false)) };
    let now = tx.now();
    let balance = credits::balance(ctx, tx, credits::Kind::Enrichment)?;
    let (here, everywhere) = (taken(ctx, tx, Some(provider_id))?, taken(ctx, tx, None)?);
    // A find that nobody could pay for would be thrown away: what is asked never exceeds what is left.
    let room = most.min((provider.hands - here).max(0) as usize).min((balance - everywhere).max(0) as usize);
    let setup = provider::setup(ctx, tx, secret, provider_id)?;
    let (workspace, provider_value) = (ctx.workspace.into(), provider_id.into());
    let due = tx.rows(DUE, &[workspace, provider_value, now.into(), (TOGETHER as i64).into()], |row| {
        Ok((row.id(0)?, row.int(1)?))
    })?;
    let (looked_at, mut asks) = (due.len(), Vec::new());
    for (request_id, tries) in due {
        let request = find::<EnrichmentRequest>(ctx, tx, request_id)?;
        if balance == 0 {
            fail(ctx, tx, &request, Changes::default(), "no enrichment credits are left; nobody more was asked")?;
            continue;
        }
        let contact = match wanted(ctx, tx, &request, &provider)? {
            Wanted::Ask(contact) => contact,
            Wanted::Over(why) => {
                fail(ctx, tx, &request, Changes::default(), &why)?;
                continue;
            }
            Wanted::Next(why) => {
                pass_over(ctx, tx, &request, &provider, Attempt { outcome: AttemptOutcome::Skipped, reason: why })?;
                continue;
            }
        };
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
            return Ok((asks, false));
        }
        if request.record.status == RequestStatus::Pending {
            let mut changes = Changes::default();
            changes.set(FIELDS, "status", RequestStatus::Processing.word());
            update(ctx, tx, &request, &changes)?;
        }
        let until = now + provider.seconds * 1000 + MARGIN;
        tx.execute(TAKE, &[until.into(), ctx.workspace.into(), request_id.into()])?;
        let (person, setup) = (person(ctx, tx, &contact)?, setup.clone());
        let provider = provider.name.clone();
        asks.push(Ask { workspace: ctx.workspace, request_id, provider_id, provider, person, setup });
    }
    Ok((asks, looked_at == TOGETHER))
}

/// How many questions are on their way, to a provider or to all.
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
    /// Nobody is to be asked any more.
    Over(String),
    /// This one is not.
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
    let left = request.record.left();
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

pub fn has_room(contact: &Saved<Contact>, one: EnrichmentType) -> bool {
    addresses(contact, one).len() < ADDRESSES
}

/// The addresses of a type that the contact has.
pub fn addresses(contact: &Saved<Contact>, one: EnrichmentType) -> &[serde_json::Map<String, Json>] {
    match one {
        EnrichmentType::Email => &contact.record.emails.0,
        EnrichmentType::Phone => &contact.record.phones.0,
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
