//! Records the result of a question: appends and charges for values, schedules the next provider, or ends the request.
//! All in one transaction with the row of `enrichment_due`, so that an answer counts once even if two nodes report it.

use super::ask::{ADDRESSES, Ask, TRIES, addresses, has_room};
use super::provider::{self, Provider};
use super::{AttemptOutcome, EnrichmentRequest, EnrichmentType, RequestStatus, contact_of, unfit};
use crate::api::reaction::Reacts;
use crate::records::contact::{Contact, Email, Phone};
use crate::records::erased_address::{Hasher, Kind};
use crate::tenant::credits;
use resource::{Changes, Ctx, Error, Resource, Saved, Time, checked, digits, find, fold, place, plain, update};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid};

/// The result of asking a provider.
#[derive(Clone, Debug, PartialEq)]
pub enum ProviderAnswer {
    /// Addresses, if any, and the name of the person that they belong to.
    Answer { emails: Vec<Candidate>, phones: Vec<Candidate>, name: Option<String> },
    /// It was not asked, because the contact lacks data that it needs.
    Lacks(String),
    /// A retry may work, after `wait` milliseconds if the provider says so.
    Later { text: String, wait: Option<i64>, throttled: bool },
    /// A retry would not help, or might cost twice.
    Failed(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    pub value: String,
    pub verified: bool,
    pub confidence: Option<i64>,
}

/// How asking a provider ended.
pub(super) struct Attempt {
    pub outcome: AttemptOutcome,
    pub reason: String,
}

/// A provider that demands a longer wait than this is skipped.
const PATIENCE: i64 = 10 * 60 * 1000;
/// The longest total time that a request waits for a busy provider.
const WAITING: i64 = 60 * 60 * 1000;

/// Records the result of a question. If another node has recorded it already, nothing changes.
pub fn record_outcome(ctx: &Ctx, tx: &mut dyn Tx, ask: &Ask, answer: &ProviderAnswer) -> Result<(), Error> {
    const TAKEN: &str =
        "SELECT tries, since FROM enrichment_due WHERE workspace_id = $1 AND request_id = $2 AND provider_id = $3";
    let params = [ctx.workspace.into(), ask.request_id.into(), ask.provider_id.into()];
    let Some((tries, since)) = tx.one(TAKEN, &params, |row| Ok((row.int(0)?, row.int(1)?)))? else { return Ok(()) };
    let Some(provider) = provider::of(ctx, tx, ask.provider_id)? else { return Ok(()) };
    let request = find::<EnrichmentRequest>(ctx, tx, ask.request_id)?;
    let now = tx.now();
    match answer {
        ProviderAnswer::Answer { emails, phones, name } => {
            provider::note(ctx, tx, provider.id, None, None)?;
            let given = [(EnrichmentType::Email, emails), (EnrichmentType::Phone, phones)];
            answered(ctx, tx, &request, &provider, given, name.as_deref())
        }
        ProviderAnswer::Lacks(reason) => {
            let attempt = Attempt { outcome: AttemptOutcome::Skipped, reason: reason.clone() };
            pass_over(ctx, tx, &request, &provider, attempt)
        }
        ProviderAnswer::Later { text, wait, throttled } => {
            let usual = 1000 << tries.clamp(0, 10);
            let wait = wait.unwrap_or(usual);
            // A throttled provider must not be asked by other requests, either.
            let free_at = throttled.then_some(now + wait);
            provider::note(ctx, tx, provider.id, Some(text), free_at)?;
            let patient = wait <= PATIENCE && now + wait - since <= WAITING && (*throttled || tries < TRIES - 1);
            if patient {
                return put_off(ctx, tx, ask.request_id, now + wait, if *throttled { tries - 1 } else { tries });
            }
            let attempt = Attempt { outcome: AttemptOutcome::Failed, reason: text.clone() };
            pass_over(ctx, tx, &request, &provider, attempt)
        }
        ProviderAnswer::Failed(reason) => {
            provider::note(ctx, tx, provider.id, Some(reason), None)?;
            let attempt = Attempt { outcome: AttemptOutcome::Failed, reason: reason.clone() };
            pass_over(ctx, tx, &request, &provider, attempt)
        }
    }
}

fn put_off(ctx: &Ctx, tx: &mut dyn Tx, request: Uuid, run_at: i64, tries: i64) -> Result<(), Error> {
    const PUT_OFF: &str = "UPDATE enrichment_due SET run_at = $1, lease_until = 0, tries = $2 WHERE workspace_id = $3 AND request_id = $4";
    Ok(tx.execute(PUT_OFF, &[run_at.into(), tries.into(), ctx.workspace.into(), request.into()])?)
}

type Given<'a> = [(EnrichmentType, &'a Vec<Candidate>); 2];

fn answered(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    request: &Saved<EnrichmentRequest>,
    provider: &Provider,
    given: Given,
    name: Option<&str>,
) -> Result<(), Error> {
    let contact = match contact_of(ctx, tx, &request.record)? {
        None => return fail(ctx, tx, request, Changes::default(), "the contact is gone"),
        Some(contact) => match unfit(&contact) {
            Some(why) => return fail(ctx, tx, request, Changes::default(), why),
            None => contact,
        },
    };
    let failed = |reason: String| Attempt { outcome: AttemptOutcome::Failed, reason };
    if let Some(name) = name.filter(|name| !is_of(&contact, name)) {
        let reason = format!("the answer is about somebody else: {name}");
        return pass_over(ctx, tx, request, provider, failed(reason));
    }
    let left = request.record.left()?;
    let (mut appended, mut found, mut problem) = (Changes::default(), Vec::new(), None);
    let mut consumed = request.record.credits_consumed;
    let mut unpaid = false;
    for (one, candidates) in given.into_iter().filter(|(one, _)| left.contains(one) && has_room(&contact, *one)) {
        let candidates = allowed(ctx, tx, one, candidates)?;
        let (fresh, wrong) = fresh(&contact, one, candidates);
        problem = problem.or(wrong);
        if fresh.is_empty() || request.record.max_credits.is_some_and(|most| consumed >= most) {
            continue;
        }
        let why = format!("enrichment: {} found by {}", one.word(), provider.name);
        let spent = credits::spend(ctx, tx, credits::Kind::Enrichment, 1, &why, request.id)?;
        if spent.taken == 0 {
            unpaid = true;
            break;
        }
        consumed += spent.taken;
        let known = addresses(&contact, one).iter().cloned();
        let all: Vec<Map<String, Json>> = known.chain(fresh.iter().map(|(item, _)| item.clone())).collect();
        appended.set_named(Contact::FIELDS, one.list(), json!(all).to_string());
        found.push((one, fresh));
    }
    let mut changes = Changes::default();
    if !found.is_empty() {
        update(ctx, tx, &contact, &appended)?;
        Contact::changed(ctx, tx, &contact, &appended)?;
        changes.set(EnrichmentRequest::CREDITS_CONSUMED, consumed);
        changes.set(EnrichmentRequest::RESULT, result(request, provider, &found, tx.now()));
        if request.record.provider.is_none() {
            changes.set(EnrichmentRequest::PROVIDER, provider.name.as_str());
        }
    }
    let attempt = match (found.is_empty(), problem) {
        (false, _) => Attempt { outcome: AttemptOutcome::Found, reason: String::new() },
        (true, Some(problem)) => failed(problem),
        (true, None) => Attempt { outcome: AttemptOutcome::Nothing, reason: String::new() },
    };
    note_attempt(&mut changes, request, provider, &attempt, tx.now());
    if unpaid {
        let why = "the enrichment credits ran out before all that was found could be paid for; what is not paid for is not kept";
        return fail(ctx, tx, request, changes, why);
    }
    update(ctx, tx, request, &changes)?;
    let request = find::<EnrichmentRequest>(ctx, tx, request.id)?;
    go_on(ctx, tx, &request)
}

/// The candidates without those that belong to somebody who was erased.
fn allowed<'a>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    one: EnrichmentType,
    candidates: &'a [Candidate],
) -> Result<Vec<&'a Candidate>, Error> {
    let kind = if one == EnrichmentType::Email { Kind::Email } else { Kind::Phone };
    let Some(hasher) = Hasher::read(ctx, tx)? else { return Ok(candidates.iter().collect()) };
    let mut allowed = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        allowed.extend((!hasher.is_erased(ctx, tx, kind, &candidate.value)?).then_some(candidate));
    }
    Ok(allowed)
}

/// Whether an answer about a person of this name may be about the contact. Only last names are compared, because first
/// names have many forms.
fn is_of(contact: &Saved<Contact>, name: &str) -> bool {
    let own = contact.record.last_name.as_deref().unwrap_or(&contact.record.first_name);
    let (own, name) = (plain(own), plain(name));
    own.split_whitespace().any(|word| name.split_whitespace().any(|other| word == other)) || name.trim().is_empty()
}

/// A value in the form of the contact's list, and its source.
type Fresh<'a> = (Map<String, Json>, &'a Candidate);

/// The candidates that the contact lacks and has room for, the best first; and an error if one is not a valid address.
fn fresh<'a>(
    contact: &Saved<Contact>,
    one: EnrichmentType,
    mut best: Vec<&'a Candidate>,
) -> (Vec<Fresh<'a>>, Option<String>) {
    let fields = if one == EnrichmentType::Email { Email::FIELDS } else { Phone::FIELDS };
    let same = |text: &str| if one == EnrichmentType::Phone { digits(text) } else { fold(text) };
    let text = |item: &Map<String, Json>| item.get(one.word()).and_then(Json::as_str).map(same);
    best.sort_by_key(|candidate| (!candidate.verified, -candidate.confidence.unwrap_or(-1)));
    let (mut fresh, mut wrong) = (Vec::<Fresh>::new(), None);
    let mut seen: Vec<_> = addresses(contact, one).iter().map(text).collect();
    for candidate in best {
        let given = Map::from_iter([(one.word().to_owned(), Json::from(candidate.value.as_str()))]);
        match checked(fields, &given) {
            Ok(item) if !seen.contains(&text(&item)) && seen.len() < ADDRESSES => {
                seen.push(text(&item));
                fresh.push((item, candidate));
            }
            Ok(_) => {}
            Err(error) => wrong = wrong.or(Some(format!("the answer makes no sense: {error}"))),
        }
    }
    (fresh, wrong)
}

/// The result, including the new values.
fn result(
    request: &Saved<EnrichmentRequest>,
    provider: &Provider,
    found: &[(EnrichmentType, Vec<Fresh>)],
    now: i64,
) -> Json {
    let mut result = whole(request);
    for (one, values) in found {
        let values = values.iter().map(|(item, candidate)| {
            let mut item = item.clone();
            item.insert("provider".into(), provider.name.as_str().into());
            item.insert("verified".into(), candidate.verified.into());
            item.insert("confidence".into(), candidate.confidence.into());
            item.insert("found_at".into(), Time(now).to_string().into());
            Json::Object(item)
        });
        result[one.list()] = values.collect();
    }
    result
}

fn whole(request: &Saved<EnrichmentRequest>) -> Json {
    let known = request.record.result.as_ref().map(|result| Json::Object(result.0.clone()));
    known.unwrap_or_else(|| json!({ "emails": [], "phones": [] }))
}

/// Records that a provider found nothing, and continues.
pub(super) fn pass_over(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    request: &Saved<EnrichmentRequest>,
    provider: &Provider,
    attempt: Attempt,
) -> Result<(), Error> {
    let mut changes = Changes::default();
    note_attempt(&mut changes, request, provider, &attempt, tx.now());
    update(ctx, tx, request, &changes)?;
    let request = find::<EnrichmentRequest>(ctx, tx, request.id)?;
    go_on(ctx, tx, &request)
}

fn note_attempt(
    changes: &mut Changes,
    request: &Saved<EnrichmentRequest>,
    provider: &Provider,
    attempt: &Attempt,
    now: i64,
) {
    let reason = (!attempt.reason.is_empty()).then_some(attempt.reason.as_str());
    let noted = json!({ "provider": provider.name, "outcome": attempt.outcome.word(), "reason": reason, "at": Time(now).to_string() });
    let mut attempts: Vec<Json> = request.record.attempts.0.iter().cloned().map(Json::Object).collect();
    attempts.push(noted);
    changes.set(EnrichmentRequest::ATTEMPTS, Json::from(attempts));
    let mut asked = request.record.asked.0.clone();
    asked.push(provider.id);
    changes.set(EnrichmentRequest::ASKED, json!(asked));
}

/// Schedules the next provider, or ends the request if everything is found, the limit is reached, or no provider is
/// left.
pub(super) fn go_on(ctx: &Ctx, tx: &mut dyn Tx, request: &Saved<EnrichmentRequest>) -> Result<(), Error> {
    const TURN: &str = "INSERT INTO enrichment_due (workspace_id, request_id, provider_id, run_at, lease_until, tries, since) \
         VALUES ($1, $2, $3, $4, 0, 0, $5) ON CONFLICT (workspace_id, request_id) DO UPDATE SET \
         provider_id = excluded.provider_id, run_at = excluded.run_at, lease_until = 0, tries = 0, since = excluded.since";
    let (left, now) = (request.record.left()?, tx.now());
    if !left.is_empty() && !request.record.is_spent() {
        let next = provider::list(ctx, tx)?.into_iter().find(|provider| {
            !request.record.asked.0.contains(&provider.id) && left.iter().any(|one| provider.finds.contains(one))
        });
        if let Some(next) = next {
            let params = [ctx.workspace.into(), request.id.into(), next.id.into(), now.into(), now.into()];
            return Ok(tx.execute(TURN, &params)?);
        }
    }
    let place = place(EnrichmentRequest::ABOUT.table, "attempts", &request.id);
    let (mut is_answered, mut why) = (false, Vec::new());
    for attempt in &request.record.attempts.0 {
        let outcome = place.word(place.member(attempt, "outcome")?, AttemptOutcome::from_word)?;
        is_answered |= matches!(outcome, AttemptOutcome::Found | AttemptOutcome::Nothing);
        let (provider, reason): (&str, Option<&str>) =
            (place.member(attempt, "provider")?, place.member(attempt, "reason")?);
        why.push(format!("{provider}: {}", reason.unwrap_or("no reason given")));
    }
    if is_answered {
        let mut changes = Changes::default();
        changes.set(EnrichmentRequest::RESULT, whole(request));
        return end(ctx, tx, request, changes, RequestStatus::Completed);
    }
    let types: Vec<&str> = left.iter().map(|one| one.word()).collect();
    let why = match why.is_empty() {
        true => format!("no provider is set up that finds {}; the operator adds one", types.join(" or ")),
        false => format!("no provider could answer: {}", why.join("; ")),
    };
    fail(ctx, tx, request, Changes::default(), &why)
}

/// Ends a request with an error.
pub(super) fn fail(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    request: &Saved<EnrichmentRequest>,
    mut changes: Changes,
    why: &str,
) -> Result<(), Error> {
    changes.set(EnrichmentRequest::ERROR, why);
    end(ctx, tx, request, changes, RequestStatus::Failed)
}

fn end(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    request: &Saved<EnrichmentRequest>,
    mut changes: Changes,
    status: RequestStatus,
) -> Result<(), Error> {
    const OVER: &str = "DELETE FROM enrichment_due WHERE workspace_id = $1 AND request_id = $2";
    changes.set(EnrichmentRequest::STATUS, status);
    changes.set(EnrichmentRequest::COMPLETED_AT, tx.now());
    update(ctx, tx, request, &changes)?;
    Ok(tx.execute(OVER, &[ctx.workspace.into(), request.id.into()])?)
}
