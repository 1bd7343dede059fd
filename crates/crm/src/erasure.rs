//! Erases a person or a company with all data that belongs to them. The request deletes the record and everything that
//! could send a message or bring it back; a job deletes the rest in bounded steps. Keyed hashes of the addresses stay,
//! so that the record is not created again.

mod at_once;
mod history;
pub mod list;
mod related;
mod traces;

use crate::api::call::{Call, Reply};
use crate::api::operation::{Operation, delete};
use crate::api::queue;
use crate::api::scope::CONTACTS_DELETE;
use crate::erasure::list::{Entry, HashedAddress};
use crate::outreach::suppression::{self, SuppressionReason};
use crate::records::collection::{Collected, Collection};
use crate::records::company::Company;
use crate::records::contact::Contact;
use crate::records::erased_address::{self, Address};
use crate::tenant::member;
use crate::tenant::workspace::erase::{RECORDS, SCRUB};
use resource::{Ctx, Error, Field, Resource, Saved, StoredRow, find, invalid, not_found};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use store::{Tx, Uuid};

/// The job that erases a record; its payload is an `Erasure`.
pub const ERASE: &str = "record.erase";
/// The rows of several erasures are removed from the free pages of the database together, after this many milliseconds.
const SCRUB_WAIT: i64 = 2_000;

/// An erasure that is not finished, as the payload of its job.
#[derive(Serialize, Deserialize)]
pub struct Erasure {
    collection: String,
    /// The ids of the record and of all that were merged into it.
    ids: Vec<Uuid>,
    /// The merges of the record.
    merges: Vec<Uuid>,
    /// Deleted records that the job can't find by the ids above.
    suppressions: Vec<Uuid>,
    /// Other records that had values of this one while they were merged: from a time until the undo.
    merged_with: Vec<(Uuid, i64, i64)>,
    /// The addresses, in the form in which they are compared.
    emails: Vec<String>,
    phones: Vec<String>,
    profiles: Vec<String>,
    /// Stored files that were deleted, and may still be attached to messages.
    #[serde(default)]
    files: Vec<String>,
    /// The current step, and its position.
    step: usize,
    after: Option<Json>,
}

impl Erasure {
    fn payload(&self) -> String {
        serde_json::json!(self).to_string()
    }

    /// The position of the current step, or the beginning.
    fn position<T: DeserializeOwned + Default>(&self) -> Result<T, Error> {
        let Some(after) = &self.after else { return Ok(T::default()) };
        let unfit = |_| store::corrupt("jobs", "payload", after, "is no position of an erasure");
        Ok(T::deserialize(after).map_err(unfit)?)
    }

    fn reached(&mut self, position: impl Serialize) {
        self.after = Some(serde_json::json!(position));
    }

    fn is_of(&self, collection: Collection) -> bool {
        self.collection == collection.word()
    }

    /// Whether a folded text contains one of the ids.
    fn has_id(&self, folded: &str) -> bool {
        self.ids.iter().any(|id| folded.contains(&id.to_string()))
    }

    /// Whether a folded text contains one of the addresses or profiles, or is one of the phone numbers.
    fn has_address(&self, folded: &str) -> bool {
        self.emails.iter().chain(&self.profiles).any(|address| folded.contains(address))
            || (!self.phones.is_empty() && self.phones.contains(&erased_address::phone_key(folded)))
    }
}

/// Whether a payload of the job can be read.
pub fn is_erasure(payload: &str) -> bool {
    serde_json::from_str::<Erasure>(payload).is_ok()
}

/// The ids of records whose erasure is not finished: rows may still reference them.
pub fn unfinished(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<Uuid>, Error> {
    const JOBS: &str = "SELECT payload FROM jobs WHERE workspace_id = $1 AND kind = $2";
    let jobs = tx.rows(JOBS, &[ctx.workspace.into(), ERASE.into()], |row| row.json::<Erasure>(0))?;
    Ok(jobs.into_iter().flat_map(|job| job.ids).collect())
}

/// Erases a record, and adds the erasure to the list.
pub fn begin<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>) -> Result<(), Error> {
    let entry = remove(ctx, tx, saved)?;
    list::add(ctx, tx, &entry)
}

/// Deletes a record and everything that could send a message to it or restore it, and enqueues the job for the rest.
fn remove<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, saved: &Saved<R>) -> Result<Entry, Error> {
    let ids = resource::all_of(ctx, tx, saved.id)?;
    let merges = at_once::empty_merges(ctx, tx, &ids)?;
    let mut addresses = erased_address::addresses_of(saved)?;
    addresses.extend(merges.addresses);
    addresses.sort_by(|a, b| (a.kind, &a.key).cmp(&(b.kind, &b.key)));
    addresses.dedup_by(|a, b| (a.kind, &a.key) == (b.kind, &b.key));
    let mut suppressions = Vec::new();
    let mut hashed = Vec::new();
    for address in &addresses {
        let suppressed = at_once::unsuppress(ctx, tx, address)?;
        let suppression = suppressed.as_ref().map(|(_, reason)| reason.clone());
        let hash = erased_address::remember(ctx, tx, address, suppression.as_deref())?;
        hashed.push(HashedAddress { hash: list::hex(&hash), suppression });
        suppressions.extend(suppressed.map(|(id, _)| id));
    }
    let files = at_once::delete_tied::<R>(ctx, tx, &ids)?;
    resource::erase(ctx, tx, saved, "erased")?;
    // A backup from before a merge contains the records separately, so each id is named.
    for id in ids.iter().filter(|id| **id != saved.id) {
        resource::event(ctx, tx, &format!("{}.erased", R::ABOUT.one), R::ABOUT.one, *id, &Map::new())?;
    }
    at_once::forget_ids(ctx, tx, R::ABOUT.table, saved.id)?;
    let keys = |kind| addresses.iter().filter(|one| one.kind == kind).map(|one: &Address| one.key.clone()).collect();
    let at = tx.stamp();
    let collection = R::ABOUT.table.to_owned();
    let entry = Entry { at, collection, records: ids.clone(), addresses: hashed, allowed: Vec::new() };
    let job = Erasure {
        collection: R::ABOUT.table.to_owned(),
        ids,
        merges: merges.ids,
        suppressions,
        merged_with: Vec::new(),
        emails: keys(erased_address::Kind::Email),
        phones: keys(erased_address::Kind::Phone),
        profiles: keys(erased_address::Kind::Profile),
        files,
        step: 0,
        after: None,
    };
    queue::enqueue(ctx, tx, ERASE, &job.payload())?;
    Ok(entry)
}

/// A step of the job: works on the next rows; true if there may be more.
type Step = fn(&Ctx, &mut dyn Tx, &mut Erasure) -> Result<bool, Error>;

/// In this order: rows of other records return to them first, and events are found by the rows that are deleted last.
const STEPS: &[Step] = &[
    related::finish_undos,
    related::notes,
    related::tasks,
    related::deals,
    related::company_links,
    related::enrichment,
    related::conversations,
    history::related_events,
    history::own_events,
    history::merge_links,
    history::merges,
    traces::imports,
    traces::import_errors,
    traces::skipped_mails,
    traces::enrollment_reasons,
    traces::idempotency,
    traces::requests,
    traces::copies,
    traces::drafts,
    traces::attachments,
];

/// Carries out a part of the job; true if there is more to do.
pub fn go_on(ctx: &Ctx, tx: &mut dyn Tx, job: Uuid) -> Result<bool, Error> {
    let Some(payload) = queue::payload(ctx, tx, job)? else { return Ok(false) };
    let mut erasure: Erasure = queue::place(&job).json(&payload)?;
    while let Some(step) = STEPS.get(erasure.step) {
        if !step(ctx, tx, &mut erasure)? {
            erasure.step += 1;
            erasure.after = None;
        }
        if !tx.has_time() && erasure.step < STEPS.len() {
            queue::note(ctx, tx, job, &erasure.payload())?;
            return Ok(true);
        }
    }
    at_once::forget_texts(ctx, tx, &erasure)?;
    scrub(ctx, tx, job)?;
    Ok(false)
}

/// Enqueues the job that removes the remains of deleted rows, if this is the last erasure and none waits already.
fn scrub(ctx: &Ctx, tx: &mut dyn Tx, job: Uuid) -> Result<(), Error> {
    const OTHERS: &str = "SELECT 1 FROM jobs WHERE workspace_id = $1 AND ((kind = $2 AND id <> $3) OR (kind = $4 AND attempts = 0)) LIMIT 1";
    let params = [ctx.workspace.into(), ERASE.into(), job.into(), SCRUB.into()];
    match tx.one(OTHERS, &params, |_| Ok(()))? {
        Some(()) => Ok(()),
        None => queue::enqueue_in(ctx, tx, SCRUB_WAIT, SCRUB, RECORDS).map(drop),
    }
}

/// The contact with this id or email address, for the command line.
pub fn called(ctx: &Ctx, tx: &mut dyn Tx, text: &str) -> Result<Saved<Contact>, Error> {
    const CALLED: &str =
        "SELECT record FROM terms WHERE workspace_id = $1 AND field = 'contact.email' AND key = $2 LIMIT 10";
    if let Ok(id) = Uuid::try_parse(text) {
        return find::<Contact>(ctx, tx, id);
    }
    let key = resource::fold(text.trim());
    match tx.rows(CALLED, &[ctx.workspace.into(), key.into()], |row| row.id(0))?[..] {
        [] => Err(not_found(format!("a contact with the address {text}"))),
        [id] => find::<Contact>(ctx, tx, id),
        _ => Err(invalid("email", "several contacts have this address; give the id of one, or merge them first")),
    }
}

// ---- allowing an address again ----

/// An address that was erased.
#[derive(Resource)]
pub struct ErasedAddress {
    /// An email address, a phone number or the address of a profile.
    #[field(max = 500)]
    pub address: Option<String>,
}
const CHOICE: &[Field] = ErasedAddress::FIELDS;

pub const OPERATIONS: &[Operation] =
    &[delete("/erased-addresses", "allow_erased_address", "Allow an address that was erased to be stored again")
        .scope(CONTACTS_DELETE)
        .query(CHOICE)
        .members("ErasedAddressChoice", CHOICE)
        .write(allow_again)];

fn allow_again(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (asked, sent) = (call.asked(CHOICE)?, call.members(CHOICE)?);
    let (asked, sent) = (asked.named_text("address"), sent.named_text("address"));
    if asked.is_some() && sent.is_some() && asked != sent {
        return Err(invalid("address", "is in the query and, with another value, in the body; send it once"));
    }
    let address = asked.or(sent).filter(|address| !address.trim().is_empty());
    let address = address.ok_or_else(|| invalid("address", "is required"))?.to_owned();
    member::require_admin(call, tx, "only admins, and keys of admins, can allow an erased address again")?;
    allow(&call.ctx, tx, &address)?;
    Ok(Reply::deleted())
}

/// Allows an address again. If nothing was sent to it before the erasure, it is suppressed again.
pub fn allow(ctx: &Ctx, tx: &mut dyn Tx, address: &str) -> Result<(), Error> {
    let forgotten = erased_address::forget(ctx, tx, address)?;
    if forgotten.hashes.is_empty() {
        return Err(not_found("an erased address like this"));
    }
    let at = tx.stamp();
    let allowed = forgotten.hashes.iter().map(|hash| list::hex(hash)).collect();
    list::add(ctx, tx, &Entry { at, allowed, ..Entry::default() })?;
    let Some(word) = forgotten.suppression else { return Ok(()) };
    // Without its reason the address would be allowed for somebody who had unsubscribed.
    let unknown = || store::corrupt("erased_addresses", "suppression", ctx.workspace, format!("is no reason: {word}"));
    suppression::suppress(ctx, tx, address, SuppressionReason::from_word(&word).ok_or_else(unknown)?)
}

/// Runs a function for the collection of an erasure.
fn of_collection(
    erasure: &Erasure,
    contacts: impl FnOnce() -> Result<bool, Error>,
    companies: impl FnOnce() -> Result<bool, Error>,
) -> Result<bool, Error> {
    if erasure.is_of(Collection::Contacts) { contacts() } else { companies() }
}

/// The column of notes and tasks that references the erased record.
fn column(erasure: &Erasure) -> &'static str {
    if erasure.is_of(Collection::Contacts) { "contact_id" } else { "company_id" }
}

/// The name of the collection's records in events.
fn one(erasure: &Erasure) -> &'static str {
    if erasure.is_of(Collection::Contacts) { Contact::ABOUT.one } else { Company::ABOUT.one }
}

#[cfg(test)]
mod tests {
    use crate::tenant::workspace::erase;
    use std::collections::BTreeSet;

    /// Tables from which an erasure removes data.
    const REMOVED: &[&str] = &[
        "attachments",
        "companies",
        "contact_profiles",
        "contacts",
        "conversation_unread",
        "conversations",
        "cvs",
        "deal_contacts",
        "deals",
        "enrichment_due",
        "enrichment_requests",
        "enrollments",
        "event_subjects",
        "events",
        "files",
        "idempotency",
        "import_changed",
        "import_errors",
        "merge_links",
        "merged_ids",
        "merges",
        "message_drafts",
        "message_texts",
        "messages",
        "notes",
        "pipeline_entries",
        "projects",
        "record_counts",
        "requests",
        "sends",
        "step_runs",
        "suppressions",
        "tasks",
        "terms",
        "texts",
        "texts_due",
        "unstored_mails",
    ];
    /// Tables without data about contacts and companies, or with no more than their ids and hashes.
    const KEPT: &[&str] = &[
        "account_states",
        "account_tokens",
        "api_keys",
        "connected_accounts",
        "counters",
        "credit_accounts",
        "custom_fields",
        "deal_pipelines",
        "deal_stages",
        "deal_sums",
        "enrichment_providers",
        "erased_addresses",
        "erasures",
        "import_made",
        "imports",
        "indexed",
        "invitations",
        "ledger",
        "mailbox",
        "members",
        "message_templates",
        "network_pages",
        "oauth_flows",
        "project_stages",
        "project_templates",
        "rate_windows",
        "reasons",
        "request_hours",
        "sequence_pace",
        "sequence_versions",
        "sequences",
        "sessions",
        "tags",
        "views",
    ];

    #[test]
    fn an_erasure_considers_all_tables() {
        let considered: BTreeSet<&str> = REMOVED.iter().chain(KEPT).copied().collect();
        assert_eq!(considered, erase::tables().collect::<BTreeSet<_>>());
    }
}
