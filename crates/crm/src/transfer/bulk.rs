//! Bulk requests. Each item is processed like a separate request and has its own result; with `atomic` all are written
//! or none.

use crate::api::call::{Call, Reply};
use crate::api::operation::{Bulk, Operation, Rule, post};
use crate::api::scope::{COMPANIES_WRITE, CONTACTS_WRITE, DEALS_WRITE, PIPELINE_WRITE, TASKS_WRITE};
use crate::pipelines::{deal, entry, task};
use crate::records::collection::{self, Collected};
use crate::records::company::Company;
use crate::records::contact::Contact;
use resource::{Changes, Error, Field, Input, Items, Problem, Resource, Shape, invalid};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid};

/// Most items of a request.
const MOST: usize = 1000;
const LARGEST: usize = 16 * 1024 * 1024;
/// Most items of an atomic request, most bytes of them, and most entries of the lists in them: tags, skills, addresses.
const MOST_ATOMIC: usize = 100;
const MOST_BYTES: usize = 400_000;
const MOST_LISTED: usize = 1_000;

resource::choices! {
    Op { Create = "create", Update = "update", Upsert = "upsert" }
}

/// What to do with one record.
#[derive(Resource)]
pub struct BulkItem {
    #[field(required)]
    pub op: Op,
    /// The record to update.
    pub id: Option<Uuid>,
    /// For an upsert: the member that identifies the record.
    #[field(max = 100)]
    pub r#match: Option<String>,
    /// The body of a corresponding single request.
    #[field(required)]
    pub data: Map<String, Json>,
}

/// Up to 1,000 items.
#[derive(Resource)]
pub struct BulkInput {
    #[field(required)]
    pub items: Items<BulkItem>,
    /// All or nothing. Then there may be 100 items, with 400,000 bytes and 1,000 entries in their lists.
    pub atomic: bool,
}

const BULK: &[Field] = BulkInput::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    many("/contacts/bulk", "bulk_contacts", "Create, update and upsert contacts").scope(CONTACTS_WRITE).bulk(&CONTACTS),
    many("/companies/bulk", "bulk_companies", "Create, update and upsert companies")
        .scope(COMPANIES_WRITE)
        .bulk(&COMPANIES),
    many("/tasks/bulk", "bulk_tasks", "Create and update tasks").scope(TASKS_WRITE).bulk(&TASKS),
    many("/deals/bulk", "bulk_deals", "Create and update deals").scope(DEALS_WRITE).bulk(&DEALS),
    many("/pipeline-entries/bulk", "bulk_entries", "Add and change candidates in projects")
        .scope(PIPELINE_WRITE)
        .bulk(&ENTRIES),
];

const CONTACTS: Bulk = Bulk {
    create: collection::create::<Contact>,
    update: collection::change::<Contact>,
    under: None,
    known_by: &["email", "network_profile"],
    known: known::<Contact>,
};
const COMPANIES: Bulk = Bulk {
    create: collection::create::<Company>,
    update: collection::change::<Company>,
    under: None,
    known_by: &["domain"],
    known: known::<Company>,
};
const DEALS: Bulk =
    Bulk { create: deal::create, update: deal::change, under: None, known_by: &[], known: |_, _, _, _| Ok(None) };

const TASKS: Bulk =
    Bulk { create: task::create, update: task::change, under: None, known_by: &[], known: |_, _, _, _| Ok(None) };
const ENTRIES: Bulk = Bulk {
    create: entry::add,
    update: entry::change,
    under: Some("project_id"),
    known_by: &[],
    known: |_, _, _, _| Ok(None),
};

const fn many(path: &'static str, name: &'static str, summary: &'static str) -> Operation {
    post(path, name, summary).large_members("BulkInput", BULK, LARGEST).gives_object("BulkResults", schema)
}

fn schema() -> Json {
    json!({
        "type": "object",
        "required": ["results"],
        "properties": {
            "results": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["index", "status"],
                    "properties": {
                        "index": { "type": "integer", "description": "The item's place in `items`, from 0." },
                        "status": { "type": "integer", "description": "What a request of its own would have been answered." },
                        "id": { "type": "string", "format": "uuid", "description": "The record, where there is one." },
                        "error": { "$ref": "#/components/schemas/ErrorInfo" },
                    },
                },
            },
        },
    })
}

/// The number of items, and whether all or none are to be written. Rejects an invalid request before any item is
/// processed.
pub fn asked(call: &Call) -> Result<(usize, bool), Error> {
    // The items are checked individually, when they are processed.
    let mut rest: Map<String, Json> = call
        .body
        .iter()
        .filter(|(name, _)| *name != "items")
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    rest.insert("items".into(), json!([]));
    Changes::check(&Shape { record: &[], extra: BULK }, &Input(&rest), true)?;
    let items = match call.body.get("items") {
        Some(Json::Array(items)) => items,
        Some(_) => return Err(invalid("items", "must be an array of objects")),
        None => return Err(invalid("items", "is required")),
    };
    if items.is_empty() || items.len() > MOST {
        return Err(invalid("items", format!("must have 1 to {MOST} items")));
    }
    let atomic = rest.get("atomic") == Some(&Json::Bool(true));
    if atomic {
        bounded(items)?;
    }
    Ok((items.len(), atomic))
}

/// Rejects an atomic request that would block other writes for too long, because it is written in one transaction.
fn bounded(items: &[Json]) -> Result<(), Error> {
    let way_out = "send fewer at once, or leave out atomic";
    if items.len() > MOST_ATOMIC {
        return Err(invalid(
            "items",
            format!("are {}; with atomic there may be {MOST_ATOMIC}: {way_out}", items.len()),
        ));
    }
    let bytes: usize = items.iter().map(|item| item.to_string().len()).sum();
    if bytes > MOST_BYTES {
        return Err(invalid("items", format!("have {bytes} bytes; with atomic there may be {MOST_BYTES}: {way_out}")));
    }
    let listed: usize = items.iter().map(listed).sum();
    if listed > MOST_LISTED {
        let reason =
            format!("have {listed} entries in lists such as tags; with atomic there may be {MOST_LISTED}: {way_out}");
        return Err(invalid("items", reason));
    }
    Ok(())
}

/// The number of entries in all lists of a value.
fn listed(value: &Json) -> usize {
    match value {
        Json::Array(entries) => entries.len() + entries.iter().map(listed).sum::<usize>(),
        Json::Object(members) => members.values().map(listed).sum(),
        _ => 0,
    }
}

/// The result of one item.
pub struct Done {
    pub status: u16,
    pub id: Option<Uuid>,
}

impl Done {
    pub fn shown(&self, index: usize) -> Json {
        let mut shown = json!({ "index": index, "status": self.status });
        if let Some(id) = self.id {
            shown["id"] = id.to_string().into();
        }
        shown
    }
}

/// Processes one item.
pub fn one(bulk: &Bulk, call: &Call, tx: &mut dyn Tx, index: usize) -> Result<Done, Error> {
    let item = call.body.get("items").and_then(|items| items.get(index));
    let Some(Json::Object(item)) = item else { return Err(invalid("item", "must be an object")) };
    let given = Changes::check(&Shape { record: &[], extra: BulkItem::FIELDS }, &Input(item), true)?;
    let empty = Map::new();
    let data = item.get("data").and_then(Json::as_object).unwrap_or(&empty);
    let op = given.named_text("op").and_then(Op::from_word).unwrap_or(Op::Create);
    let (id, member) = (item.get("id").filter(|id| !id.is_null()), given.named_text("match"));
    if op != Op::Upsert && member.is_some() {
        return Err(invalid("match", "belongs to upsert alone"));
    }
    let (rule, id): (Rule, Option<String>) = match (op, id) {
        (Op::Update, None) => return Err(invalid("id", "is required to update")),
        (Op::Update, Some(id)) => (bulk.update, id.as_str().map(str::to_owned)),
        (Op::Create | Op::Upsert, Some(_)) => return Err(invalid("id", "belongs to update alone")),
        (Op::Create, None) => (bulk.create, None),
        (Op::Upsert, None) => {
            let member = chosen(bulk, member, data)?;
            match (bulk.known)(call, tx, member, data)? {
                Some(id) => (bulk.update, Some(id.to_string())),
                None => (bulk.create, None),
            }
        }
    };
    let mut data = data.clone();
    let path = match (id, bulk.under) {
        (Some(id), _) => vec![id],
        (None, None) => Vec::new(),
        // In a bulk request, the parent record is a member of the data, not of the path.
        (None, Some(owner)) => match data.remove(owner) {
            Some(Json::String(id)) => vec![id],
            _ => return Err(invalid(owner, "is required")),
        },
    };
    let reply = rule(&call.instead(path, data), tx)?;
    let id = reply.id();
    Ok(Done { status: reply.status, id })
}

/// Processes all items in one transaction, or returns all problems.
pub fn all(bulk: &Bulk, call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (count, _) = asked(call)?;
    let (mut results, mut problems, mut erased) = (Vec::with_capacity(count), Vec::new(), Vec::new());
    for index in 0..count {
        match one(bulk, call, tx, index) {
            Ok(done) => results.push(done.shown(index)),
            Err(Error::Invalid(found)) => problems.extend(found.into_iter().map(|problem| within(index, problem))),
            Err(Error::Erased(found)) => erased.extend(found.into_iter().map(|problem| within(index, problem))),
            Err(Error::NotFound(why)) => problems.push(Problem { field: format!("items.{index}.id"), reason: why }),
            Err(other) => return Err(other),
        }
    }
    if !problems.is_empty() {
        return Err(Error::Invalid(problems));
    }
    if !erased.is_empty() {
        return Err(Error::Erased(erased));
    }
    Ok(Reply::json(&json!({ "results": results })))
}

/// The path of an item's problem within the request.
fn within(index: usize, problem: Problem) -> Problem {
    let own = BulkItem::FIELDS.iter().any(|field| field.name == problem.field);
    let field = match problem.field.as_str() {
        "item" => format!("items.{index}"),
        field if own => format!("items.{index}.{field}"),
        field => format!("items.{index}.data.{field}"),
    };
    Problem { field, reason: problem.reason }
}

/// The member by which an upsert finds its record.
fn chosen<'a>(bulk: &Bulk, member: Option<&'a str>, data: &Map<String, Json>) -> Result<&'a str, Error> {
    let takes = || bulk.known_by.join(", ");
    if bulk.known_by.is_empty() {
        return Err(invalid("op", "must be create or update here"));
    }
    let given = |member: &str| data.contains_key(member) || data.contains_key(&format!("{member}s"));
    let member = match member {
        Some(member) if !bulk.known_by.contains(&member) => {
            return Err(invalid("match", format!("must be one of {}", takes())));
        }
        Some(member) => member,
        None => bulk.known_by.iter().copied().find(|member| given(member)).unwrap_or(bulk.known_by[0]),
    };
    match given(member) {
        true => Ok(member),
        false => Err(invalid(member, format!("an upsert finds its record by {}", takes()))),
    }
}

fn known<R: Collected>(
    call: &Call,
    tx: &mut dyn Tx,
    member: &str,
    data: &Map<String, Json>,
) -> Result<Option<Uuid>, Error> {
    Ok(collection::matched::<R>(&call.ctx, tx, member, data)?.map(|saved| saved.id))
}
