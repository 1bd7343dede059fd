//! Enrichment: finds email addresses and telephone numbers of contacts. `pending → processing → completed | failed`. A
//! request asks one provider after another until each of its types is found; only a found type costs a credit.
//! `enrichment_due` has the next provider, which is committed together with the result of the previous one.

pub mod ask;
mod outcome;
pub mod provider;
pub mod take;

use crate::api::call::{Call, Content, Reply, show};
use crate::api::operation::{Operation, get, post};
use crate::api::scope::{ENRICHMENT_READ, ENRICHMENT_WRITE, Feature};
use crate::records::contact::{Contact, EmailType, PhoneType, forbids};
use crate::tenant::credits;
use outcome::{fail, go_on};
use resource::{
    Changes, Ctx, Error, Field, Format, Ids, Index, Items, Part, Problem, Resource, Saved, StoredRow, Time, find,
    insert, invalid, place,
};
use serde_json::{Value as Json, json};
use store::{Tx, Uuid};

pub use ask::Ask;
pub use outcome::{Candidate, ProviderAnswer, record_outcome};
pub use take::{Taken, due, put_off, release_leases, take};

resource::choices! {
    RequestStatus { Pending = "pending", Processing = "processing", Completed = "completed", Failed = "failed" }
}
resource::choices! {
    /// What to find.
    EnrichmentType { Email = "email", Phone = "phone" }
}
resource::choices! {
    AttemptOutcome { Found = "found", Nothing = "nothing", Failed = "failed", Skipped = "skipped" }
}

impl EnrichmentType {
    pub const ALL: [EnrichmentType; 2] = [EnrichmentType::Email, EnrichmentType::Phone];

    /// The list of a contact and of a result that contains it.
    pub fn list(self) -> &'static str {
        match self {
            EnrichmentType::Email => "emails",
            EnrichmentType::Phone => "phones",
        }
    }
}

/// An email address that was found, and its provider.
#[derive(Resource)]
pub struct FoundEmail {
    #[field(required, format = Format::Email, max = 254)]
    pub email: String,
    pub r#type: EmailType,
    /// The provider that found it.
    pub provider: String,
    /// Whether the provider says that it is verified.
    pub verified: bool,
    /// The confidence of the provider, from 0 to 100.
    pub confidence: Option<i64>,
    pub found_at: Time,
}

/// A telephone number that was found, and its provider.
#[derive(Resource)]
pub struct FoundPhone {
    #[field(required, format = Format::Phone, max = 32)]
    pub phone: String,
    pub r#type: PhoneType,
    /// The provider that found it.
    pub provider: String,
    pub verified: bool,
    /// The confidence of the provider, from 0 to 100.
    pub confidence: Option<i64>,
    pub found_at: Time,
}

/// The values that were found and appended to the contact.
#[derive(Resource)]
pub struct EnrichmentResult {
    pub emails: Items<FoundEmail>,
    pub phones: Items<FoundPhone>,
}

/// A provider that was asked, and the outcome.
#[derive(Resource)]
pub struct EnrichmentAttempt {
    pub provider: String,
    pub outcome: AttemptOutcome,
    pub reason: Option<String>,
    pub at: Time,
}

/// A request to find addresses of a contact.
#[derive(Resource)]
#[resource(table = "enrichment_requests", one = "enrichment_request", indexes = INDEXES)]
pub struct EnrichmentRequest {
    #[field(read_only)]
    pub id: Uuid,
    #[field(read_only, filter, subject)]
    pub contact_id: Uuid,
    /// `email`, `phone` or both.
    #[field(read_only)]
    pub types: Vec<String>,
    #[field(read_only, default = "\"pending\"", filter, counted)]
    pub status: RequestStatus,
    #[field(read_only)]
    pub result: Option<Part<EnrichmentResult>>,
    /// The first provider that found something; each value names its own.
    #[field(read_only)]
    pub provider: Option<String>,
    #[field(read_only, default = "0")]
    pub credits_consumed: i64,
    /// The most credits that it may cost.
    #[field(read_only)]
    pub max_credits: Option<i64>,
    /// Why it failed.
    #[field(read_only)]
    pub error: Option<String>,
    /// The providers that were asked, in order.
    #[field(read_only)]
    pub attempts: Items<EnrichmentAttempt>,
    #[field(hidden)]
    pub asked: Ids,
    #[field(read_only, filter, sort)]
    pub created_at: Time,
    #[field(read_only)]
    pub updated_at: Time,
    #[field(read_only)]
    pub completed_at: Option<Time>,
}

const INDEXES: &[Index] = &[
    Index { name: "enrichment_requests_contact_id", fields: &["contact_id"] },
    Index { name: "enrichment_requests_status", fields: &["status"] },
];

/// What to find for a contact.
#[derive(Resource)]
pub struct EnrichInput {
    /// `email` (the default), `phone` or both.
    #[field(max = 10, item_max = 20)]
    pub types: Option<Vec<String>>,
    /// The most credits that it may cost; defaults to one for each type.
    #[field(least = 1, most = 2)]
    pub max_credits: Option<i64>,
}

/// What to find, and for which contacts.
#[derive(Resource)]
pub struct EnrichmentInput {
    /// 1 to 100 contacts.
    #[field(required, max = 100)]
    pub contact_ids: Ids,
    /// `email` (the default), `phone` or both.
    #[field(max = 10, item_max = 20)]
    pub types: Option<Vec<String>>,
    /// The most credits that each contact may cost; defaults to one for each type.
    #[field(least = 1, most = 2)]
    pub max_credits: Option<i64>,
}

const ENRICH: &[Field] = EnrichInput::FIELDS;
const INPUT: &[Field] = EnrichmentInput::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    post("/contacts/{id}/enrich", "enrich_contact", "Find a contact's addresses")
        .feature(Feature::Sourcing)
        .scope(ENRICHMENT_WRITE)
        .pays()
        .members("EnrichInput", ENRICH)
        .write(enrich)
        .gives::<EnrichmentRequest>(&[202]),
    get("/enrichment", "list_enrichment_requests", "List enrichment requests")
        .feature(Feature::Sourcing)
        .scope(ENRICHMENT_READ)
        .list::<EnrichmentRequest>(),
    post("/enrichment", "enrich_contacts", "Find the addresses of up to 100 contacts")
        .feature(Feature::Sourcing)
        .scope(ENRICHMENT_WRITE)
        .pays()
        .members("EnrichmentInput", INPUT)
        .write(enrich_many)
        .whole_list::<EnrichmentRequest>()
        .answers(&[202]),
    get("/enrichment/{id}", "get_enrichment_request", "Get an enrichment request")
        .feature(Feature::Sourcing)
        .scope(ENRICHMENT_READ)
        .record::<EnrichmentRequest>(),
];

fn enrich(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let asked = call.members(ENRICH)?;
    let wanted = Wanted::of(&asked)?;
    let contact = find::<Contact>(&call.ctx, tx, call.id(0, "contact")?)?;
    if let Some(why) = unfit(&contact) {
        return Err(invalid("contact", why));
    }
    afford(&call.ctx, tx)?;
    let id = begin(&call.ctx, tx, &contact, &wanted)?;
    let mut reply = show::<EnrichmentRequest>(&call.ctx, tx, id)?;
    (reply.status, reply.location) = (202, Some(format!("/enrichment/{id}")));
    Ok(reply)
}

fn enrich_many(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let asked = call.members(INPUT)?;
    let wanted = Wanted::of(&asked)?;
    let ids: Vec<Uuid> = asked.named_json("contact_ids")?;
    if ids.is_empty() {
        return Err(invalid("contact_ids", "must name at least one contact"));
    }
    let (mut contacts, mut problems) = (Vec::<Saved<Contact>>::new(), Vec::new());
    for (at, id) in ids.into_iter().enumerate() {
        match find::<Contact>(&call.ctx, tx, id) {
            Err(Error::NotFound(_)) => {
                let reason = "no contact has this id".into();
                problems.push(Problem { field: format!("contact_ids.{at}"), reason });
            }
            Err(other) => return Err(other),
            // A contact that is listed twice, also by the id of a merged one, is asked for once.
            Ok(contact) if contacts.iter().any(|known| known.id == contact.id) => {}
            Ok(contact) => contacts.push(contact),
        }
    }
    if !problems.is_empty() {
        return Err(Error::Invalid(problems));
    }
    afford(&call.ctx, tx)?;
    let mut shown = Vec::new();
    for contact in &contacts {
        let id = begin(&call.ctx, tx, contact, &wanted)?;
        if let Content::Json(json) = show::<EnrichmentRequest>(&call.ctx, tx, id)?.data {
            shown.push(json);
        }
    }
    let json = [b"[".as_slice(), &shown.join(&b","[..]), b"]"].concat();
    Ok(Reply { status: 202, ..Reply::of(Content::Whole(json, shown.len())) })
}

/// The types and the limit of a body.
struct Wanted {
    types: Vec<EnrichmentType>,
    max_credits: Option<i64>,
}

impl Wanted {
    fn of(asked: &Changes) -> Result<Wanted, Error> {
        let max_credits = asked.named("max_credits").and_then(|value| value.as_ref().int().ok());
        if asked.named_text("types").is_none() {
            return Ok(Wanted { types: vec![EnrichmentType::Email], max_credits });
        }
        let words: Vec<String> = asked.named_json("types")?;
        let (mut types, mut problems) = (Vec::new(), Vec::new());
        for (at, word) in words.iter().enumerate() {
            match EnrichmentType::from_word(word) {
                Some(one) if !types.contains(&one) => types.push(one),
                Some(_) => {}
                None => {
                    let reason = format!("must be one of {}", EnrichmentType::WORDS.join(", "));
                    problems.push(Problem { field: format!("types.{at}"), reason });
                }
            }
        }
        if words.is_empty() {
            let reason = format!("must name at least one of {}", EnrichmentType::WORDS.join(", "));
            problems.push(Problem { field: "types".into(), reason });
        }
        if problems.is_empty() { Ok(Wanted { types, max_credits }) } else { Err(Error::Invalid(problems)) }
    }
}

/// Why a contact must not be enriched.
fn unfit(contact: &Saved<Contact>) -> Option<&'static str> {
    forbids(contact.record.archived_at.is_some(), contact.record.do_not_contact)
}

/// Without credits no request is started.
fn afford(ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
    match credits::balance(ctx, tx, credits::Kind::Enrichment)? {
        0 => Err(Error::Credits { kind: credits::Kind::Enrichment.word(), available: 0, required: 1 }),
        _ => Ok(()),
    }
}

/// Creates a request and schedules its first provider. If an unfinished request for the same contact covers all types,
/// its id is returned instead, so that no provider is asked twice.
fn begin(ctx: &Ctx, tx: &mut dyn Tx, contact: &Saved<Contact>, wanted: &Wanted) -> Result<Uuid, Error> {
    const OPEN: &str = "SELECT id, types FROM enrichment_requests WHERE workspace_id = $1 AND contact_id = $2 \
         AND status IN ('pending', 'processing')";
    let words: Vec<&str> = wanted.types.iter().map(|one| one.word()).collect();
    let open =
        tx.rows(OPEN, &[ctx.workspace.into(), contact.id.into()], |row| Ok((row.id(0)?, row.json::<Vec<String>>(1)?)))?;
    for (id, types) in open {
        if words.iter().all(|word| types.iter().any(|known| known == word)) {
            return Ok(id);
        }
    }
    let mut changes = Changes::default();
    changes.set(EnrichmentRequest::CONTACT_ID, contact.id);
    changes.set(EnrichmentRequest::TYPES, json!(words));
    changes.set(EnrichmentRequest::MAX_CREDITS, wanted.max_credits);
    let id = insert::<EnrichmentRequest>(ctx, tx, &changes)?;
    let request = find::<EnrichmentRequest>(ctx, tx, id)?;
    // A contact that must not be enriched fails on its own, without blocking the others.
    match unfit(contact) {
        Some(why) => fail(ctx, tx, &request, Changes::default(), why)?,
        None => go_on(ctx, tx, &request)?,
    }
    Ok(id)
}

impl EnrichmentRequest {
    /// The requested types that are not found yet.
    fn left(&self) -> Result<Vec<EnrichmentType>, Error> {
        let found = |one: &EnrichmentType| {
            let list = self.result.as_ref().and_then(|result| result.0.get(one.list()));
            list.and_then(Json::as_array).is_some_and(|values| !values.is_empty())
        };
        let mut left = Vec::new();
        for word in &self.types {
            let types = place(Self::ABOUT.table, "types", &self.id);
            left.push(types.word(word, EnrichmentType::from_word)?);
        }
        left.retain(|one| !found(one));
        Ok(left)
    }

    /// Whether it has reached its limit of credits.
    fn is_spent(&self) -> bool {
        self.max_credits.is_some_and(|most| self.credits_consumed >= most)
    }
}

/// The contact of a request; `None` if it was deleted.
fn contact_of(ctx: &Ctx, tx: &mut dyn Tx, request: &EnrichmentRequest) -> Result<Option<Saved<Contact>>, Error> {
    match find::<Contact>(ctx, tx, request.contact_id) {
        Err(Error::NotFound(_)) => Ok(None),
        found => found.map(Some),
    }
}
