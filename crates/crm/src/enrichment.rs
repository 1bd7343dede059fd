//! Enrichment: finding the email addresses and telephone numbers of contacts. `pending → processing → completed | failed`.
//! A request asks one provider after another until each of its types is found; a find costs one credit, nothing else
//! does. Whom to ask next stands in `enrichment_due` and is committed with what the one before said.

pub mod provider;
mod settle;
pub mod take;

use crate::contact::{Contact, EmailType, PhoneType, forbids};
use crate::credits;
use crate::operation::{Call, Content, Operation, Reply, get, post, show};
use crate::scope::{ENRICHMENT_READ, ENRICHMENT_WRITE};
use crate::workspace::Feature;
use resource::{
    Changes, Ctx, Error, Field, Format, Ids, Index, Items, Part, Problem, Resource, Saved, Time, find, insert, invalid,
};
use serde_json::{Value as Json, json};
use settle::{fail, go_on};
use store::{Tx, Uuid, Value};

pub use settle::{Candidate, Told, settle};
pub use take::{Ask, due, let_go, take};

resource::choices! {
    RequestStatus { Pending = "pending", Processing = "processing", Completed = "completed", Failed = "failed" }
}
resource::choices! {
    /// What there is to find.
    EnrichmentType { Email = "email", Phone = "phone" }
}
resource::choices! {
    AttemptOutcome { Found = "found", Nothing = "nothing", Failed = "failed", Skipped = "skipped" }
}

impl EnrichmentType {
    pub const ALL: [EnrichmentType; 2] = [EnrichmentType::Email, EnrichmentType::Phone];

    /// The list that it stands in, of a contact and of a result.
    pub fn list(self) -> &'static str {
        match self {
            EnrichmentType::Email => "emails",
            EnrichmentType::Phone => "phones",
        }
    }
}

/// An email address that was found, and by whom.
#[derive(Resource)]
pub struct FoundEmail {
    #[field(required, format = Format::Email, max = 254)]
    pub email: String,
    pub r#type: EmailType,
    /// The provider that found it.
    pub provider: String,
    /// Whether the provider says that it was verified.
    pub verified: bool,
    /// How sure the provider is, from 0 to 100.
    pub confidence: Option<i64>,
    pub found_at: Time,
}

/// A telephone number that was found, and by whom.
#[derive(Resource)]
pub struct FoundPhone {
    #[field(required, format = Format::Phone, max = 32)]
    pub phone: String,
    pub r#type: PhoneType,
    /// The provider that found it.
    pub provider: String,
    pub verified: bool,
    /// How sure the provider is, from 0 to 100.
    pub confidence: Option<i64>,
    pub found_at: Time,
}

/// What was found and appended to the contact.
#[derive(Resource)]
pub struct EnrichmentResult {
    pub emails: Items<FoundEmail>,
    pub phones: Items<FoundPhone>,
}

/// A provider that had its turn, and what came of it.
#[derive(Resource)]
pub struct EnrichmentAttempt {
    pub provider: String,
    pub outcome: AttemptOutcome,
    pub reason: Option<String>,
    pub at: Time,
}

/// A request to find a contact's addresses.
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
    /// The most that it may cost.
    #[field(read_only)]
    pub max_credits: Option<i64>,
    /// Why it failed.
    #[field(read_only)]
    pub error: Option<String>,
    /// The providers that had their turn, in order.
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

const FIELDS: &[Field] = EnrichmentRequest::FIELDS;
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
    /// The most credits that it may cost; one for each type unless given.
    #[field(least = 1, most = 2)]
    pub max_credits: Option<i64>,
}

/// What to find, and for whom.
#[derive(Resource)]
pub struct EnrichmentInput {
    /// 1 to 100 contacts.
    #[field(required, max = 100)]
    pub contact_ids: Ids,
    /// `email` (the default), `phone` or both.
    #[field(max = 10, item_max = 20)]
    pub types: Option<Vec<String>>,
    /// The most credits that each contact may cost; one for each type unless given.
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
    let ids: Vec<Uuid> = serde_json::from_str(asked.text("contact_ids").unwrap_or("[]")).unwrap_or_default();
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
            // Named twice, also by an id that went into another, it is asked for once.
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

/// What a body asks for.
struct Wanted {
    types: Vec<EnrichmentType>,
    max_credits: Option<i64>,
}

impl Wanted {
    fn of(asked: &Changes) -> Result<Wanted, Error> {
        let max_credits = asked.get("max_credits").and_then(|value| value.as_ref().int().ok());
        let Some(words) = asked.text("types") else {
            return Ok(Wanted { types: vec![EnrichmentType::Email], max_credits });
        };
        let words: Vec<String> = serde_json::from_str(words).unwrap_or_default();
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

/// Why nobody is asked about a contact.
fn unfit(contact: &Saved<Contact>) -> Option<&'static str> {
    forbids(contact.record.archived_at.is_some(), contact.record.do_not_contact)
}

/// With nothing left nothing is begun.
fn afford(ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
    match credits::balance(ctx, tx, credits::Kind::Enrichment)? {
        0 => Err(Error::Credits { kind: credits::Kind::Enrichment.word(), available: 0, required: 1 }),
        _ => Ok(()),
    }
}

/// Writes a request down, with whom it asks first. One for the same that is not over stands for this one, too: nobody
/// is asked twice at a time.
fn begin(ctx: &Ctx, tx: &mut dyn Tx, contact: &Saved<Contact>, wanted: &Wanted) -> Result<Uuid, Error> {
    const OPEN: &str = "SELECT id, types FROM enrichment_requests WHERE workspace_id = $1 AND contact_id = $2 \
         AND status IN ('pending', 'processing')";
    let words: Vec<&str> = wanted.types.iter().map(|one| one.word()).collect();
    let open = tx.rows(OPEN, &[ctx.workspace.into(), contact.id.into()], |row| Ok((row.id(0)?, row.text(1)?)))?;
    for (id, types) in open {
        let types: Vec<String> = serde_json::from_str(&types).unwrap_or_default();
        if words.iter().all(|word| types.iter().any(|known| known == word)) {
            return Ok(id);
        }
    }
    let mut changes = Changes::default();
    changes.set(FIELDS, "contact_id", contact.id);
    changes.set(FIELDS, "types", json!(words).to_string());
    changes.set(FIELDS, "max_credits", wanted.max_credits.map_or(Value::Null, Value::from));
    let id = insert::<EnrichmentRequest>(ctx, tx, &changes)?;
    let request = find::<EnrichmentRequest>(ctx, tx, id)?;
    // One of many that must be left alone does not keep the others waiting.
    match unfit(contact) {
        Some(why) => fail(ctx, tx, &request, Changes::default(), why)?,
        None => go_on(ctx, tx, &request)?,
    }
    Ok(id)
}

impl EnrichmentRequest {
    /// What was asked for and is not found yet.
    fn left(&self) -> Vec<EnrichmentType> {
        let found = |one: &EnrichmentType| {
            let list = self.result.as_ref().and_then(|result| result.0.get(one.list()));
            list.and_then(Json::as_array).is_some_and(|values| !values.is_empty())
        };
        let words = self.types.iter().filter_map(|word| EnrichmentType::from_word(word));
        words.filter(|one| !found(one)).collect()
    }

    /// Whether it has cost all that it may.
    fn is_spent(&self) -> bool {
        self.max_credits.is_some_and(|most| self.credits_consumed >= most)
    }
}

/// The contact that a request is about; `None` if there is none any more.
fn contact_of(ctx: &Ctx, tx: &mut dyn Tx, request: &EnrichmentRequest) -> Result<Option<Saved<Contact>>, Error> {
    match find::<Contact>(ctx, tx, request.contact_id) {
        Err(Error::NotFound(_)) => Ok(None),
        found => found.map(Some),
    }
}
