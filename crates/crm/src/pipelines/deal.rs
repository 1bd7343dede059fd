//! Deals: sales opportunities. An open deal moves through the stages of its pipeline; `close` makes it won, lost or
//! disqualified, and `reopen` open again. `DELETE` archives, `archived_at: null` restores.

pub mod contacts;
pub mod stage_removal;

use crate::api::call::{Call, Reply, list_by, list_under, make, show, show_with};
use crate::api::operation::{Operation, delete, get, post, put};
use crate::api::scope::{CONTACTS_READ, DEALS_DELETE, DEALS_READ, DEALS_WRITE};
use crate::pipelines::pipeline::{self, StageName};
use crate::pipelines::reason::{self, ReasonKind};
use crate::pipelines::sums;
use crate::records::company::Company;
use crate::records::company_name::CompanyName;
use crate::records::contact::{Contact, ContactName};
use crate::records::{archive, references};
use crate::tenant::workspace;
use contacts::{CONTACT_CHOICE, DealContact};
use resource::{
    Amount, Changes, Control, Ctx, Error, Field, Format, Ids, Index, Input, Items, Link, Problem, Resource, Saved,
    Shape, Sync, Time, find, invalid, update_as,
};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid, Value};

resource::choices! {
    DealStatus { Open = "open", Won = "won", Lost = "lost", Disqualified = "disqualified" }
}
resource::choices! {
    /// The result of closing a deal.
    DealEnd { Won = "won", Lost = "lost", Disqualified = "disqualified" }
}

/// A sales opportunity and its progress.
#[derive(Resource)]
#[resource(table = "deals", one = "deal", archives, texts, sync = Sync::Window, indexes = INDEXES)]
pub struct Deal {
    #[field(read_only)]
    pub id: Uuid,
    #[field(required, max = 255, filter, sort, search)]
    pub title: String,
    /// Changed by closing and reopening.
    #[field(read_only, default = "\"open\"", filter, counted, term = "deal.status")]
    pub status: DealStatus,
    /// Exact, with up to 4 decimal places.
    #[field(filter, sort)]
    pub amount: Option<Amount>,
    /// The signed amount of a won deal.
    #[field(read_only, filter)]
    pub signed_amount: Option<Amount>,
    /// ISO 4217; defaults to the workspace's.
    #[field(format = Format::Currency, filter)]
    pub currency: String,
    /// Defaults to `amount`.
    #[field(filter, after = "amount")]
    pub expected_amount: Option<Amount>,
    #[field(filter, sort, label = "Expected close", control = Control::Date)]
    pub expected_close_date: Option<Time>,
    /// In percent. Defaults to the stage's, and then changes with the stage.
    #[field(least = 0, most = 100, filter, sort, label = "Probability %", after = "currency")]
    pub probability: Option<i64>,
    /// Defaults to the workspace's default pipeline; can only be changed together with `stage_id`.
    #[field(filter, term = "deal.pipeline")]
    pub pipeline_id: Uuid,
    /// A stage of the pipeline; defaults to the first one.
    #[field(filter, after = "status", control = Control::Choice)]
    pub stage_id: Uuid,
    #[field(filter, term = "deal.company", tallied = "deals", subject, control = Control::Company)]
    pub company_id: Option<Uuid>,
    /// The responsible member; defaults to the key's owner.
    #[field(filter, term = "deal.owner", control = Control::Member)]
    pub owner_id: Option<Uuid>,
    /// The origin of the deal: a reason of the kind `source`.
    #[field(filter)]
    pub primary_source_id: Option<Uuid>,
    /// Contacts who take part in it.
    #[field(max = 50, term = "deal.contact", subject)]
    pub contact_ids: Ids,
    /// A reason of the kind `close`.
    #[field(read_only)]
    pub close_reason_id: Option<Uuid>,
    /// A reason of the kind `loss`.
    #[field(read_only)]
    pub loss_reason_id: Option<Uuid>,
    #[field(read_only, filter, sort)]
    pub closed_at: Option<Time>,
    #[field(read_only, filter, sort, label = "Added")]
    pub created_at: Time,
    #[field(read_only, filter, sort, label = "Changed")]
    pub updated_at: Time,
    /// Accepts null, which restores, or the current value.
    #[field(filter, unlisted)]
    pub archived_at: Option<Time>,
    /// Whether the probability was set for this deal; otherwise it is that of its stage.
    #[field(hidden)]
    pub own_probability: bool,
    /// The time when it entered its stage.
    #[field(hidden)]
    pub stage_since: Time,
}

const INDEXES: &[Index] = &[
    Index { name: "deals_updated_at", fields: &["updated_at"] },
    Index { name: "deals_title", fields: &["title"] },
    Index { name: "deals_amount", fields: &["amount"] },
    Index { name: "deals_expected_close_date", fields: &["expected_close_date"] },
    Index { name: "deals_probability", fields: &["probability"] },
    Index { name: "deals_closed_at", fields: &["closed_at"] },
    Index { name: "deals_stage_id_status_updated_at", fields: &["stage_id", "status", "updated_at"] },
];

/// The links of `GET /deals/{id}`.
const LINKS: &[Link] = &[
    Link::to::<CompanyName>("company", "company_id"),
    Link::to::<StageName>("stage", "stage_id"),
    Link::to::<ContactName>("contacts", "contact_ids"),
];

/// The same as read-only members of a body, so that clients can send back what they read.
#[derive(Resource)]
pub struct DealLinks {
    #[field(read_only)]
    pub company: Option<Map<String, Json>>,
    #[field(read_only)]
    pub stage: Map<String, Json>,
    #[field(read_only)]
    pub contacts: Items<ContactName>,
}
const EXTRA: &[Field] = DealLinks::FIELDS;

/// The stage to move to.
#[derive(Resource)]
pub struct StageChoice {
    #[field(required)]
    pub stage_id: Uuid,
}
const STAGE_CHOICE: &[Field] = StageChoice::FIELDS;

/// The result of closing a deal.
#[derive(Resource)]
pub struct DealClose {
    #[field(required)]
    pub status: DealEnd,
    /// Stored only for a won deal.
    pub signed_amount: Option<Amount>,
    /// Defaults to now.
    pub actual_close_date: Option<Time>,
    /// A reason of the kind `close`.
    pub close_reason_id: Option<Uuid>,
    /// A reason of the kind `loss`.
    pub loss_reason_id: Option<Uuid>,
}
pub const CLOSE: &[Field] = DealClose::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    get("/deals", "list_deals", "List deals").scope(DEALS_READ).list::<Deal>(),
    post("/deals", "create_deal", "Create a deal")
        .scope(DEALS_WRITE)
        .body::<Deal>("DealInput", EXTRA, true)
        .write(create)
        .gives::<Deal>(&[201]),
    get("/deals/{id}", "get_deal", "Get a deal with its company, stage and contacts")
        .scope(DEALS_READ)
        .gives::<Deal>(&[200])
        .shows("DealWhole", LINKS)
        .read(whole),
    put("/deals/{id}", "update_deal", "Update a deal")
        .scope(DEALS_WRITE)
        .body::<Deal>("DealUpdate", EXTRA, false)
        .write(change)
        .gives::<Deal>(&[200]),
    delete("/deals/{id}", "archive_deal", "Archive a deal").scope(DEALS_DELETE).write(archive).gives::<Deal>(&[200]),
    put("/deals/{id}/stage", "move_deal", "Move an open deal to another stage of its pipeline")
        .scope(DEALS_WRITE)
        .members("StageChoice", STAGE_CHOICE)
        .write(step)
        .gives::<Deal>(&[200]),
    post("/deals/{id}/close", "close_deal", "Close a deal as won, lost or disqualified")
        .scope(DEALS_WRITE)
        .members("DealClose", CLOSE)
        .write(close)
        .gives::<Deal>(&[200]),
    post("/deals/{id}/reopen", "reopen_deal", "Open a closed deal again")
        .scope(DEALS_WRITE)
        .write(reopen)
        .gives::<Deal>(&[200]),
    get("/deals/{id}/contacts", "list_deal_contacts", "List the contacts of a deal")
        .scope(CONTACTS_READ)
        .list::<Contact>()
        .read(contacts::list),
    post("/deals/{id}/contacts", "link_deal_contact", "Link a contact to a deal")
        .scope(DEALS_WRITE)
        .members("ContactChoice", CONTACT_CHOICE)
        .write(contacts::link)
        .gives::<DealContact>(&[201]),
    delete("/deals/{id}/contacts/{contact_id}", "unlink_deal_contact", "Remove a contact from a deal")
        .scope(DEALS_WRITE)
        .write(contacts::unlink),
    get("/deals/{id}/timeline", "deal_timeline", "List the events of a deal and of its related records")
        .scope(DEALS_READ)
        .timeline::<Deal>(),
    get("/contacts/{id}/deals", "list_contact_deals", "List a contact's deals")
        .scope(DEALS_READ)
        .list::<Deal>()
        .read(|call, tx| list_by::<Contact, Deal>(call, tx, "contact_ids", &[], &[])),
    get("/companies/{id}/deals", "list_company_deals", "List a company's deals")
        .scope(DEALS_READ)
        .list::<Deal>()
        .read(list_under::<Company, Deal>),
];

pub fn create(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let changes = normalized(&call.ctx, tx, checked(&call.body, true)?, None)?;
    let (id, reply) = add(&call.ctx, tx, &changes)?;
    Ok(reply.created(format!("/deals/{id}")))
}

fn whole(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    show_with::<Deal>(&call.ctx, tx, call.id(0, "deal")?, LINKS)
}

pub fn change(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let changes = checked(&call.body, false)?;
    let deal = found(call, tx)?;
    let changes = normalized(&call.ctx, tx, changes, Some(&deal))?;
    save(&call.ctx, tx, &deal, changes, "updated", Map::new())?;
    show::<Deal>(&call.ctx, tx, deal.id)
}

fn archive(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let deal = found(call, tx)?;
    if deal.record.archived_at.is_none() {
        let mut changes = Changes::default();
        changes.set(Deal::ARCHIVED_AT, tx.stamp());
        save(&call.ctx, tx, &deal, changes, "updated", Map::new())?;
    }
    show::<Deal>(&call.ctx, tx, deal.id)
}

fn step(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let mut changes = call.members(STAGE_CHOICE)?;
    let deal = found(call, tx)?;
    let stage = match changes.take(Deal::STAGE_ID) {
        Some(Value::Id(id)) => pipeline::stage(&call.ctx, tx, id)?.ok_or_else(|| resource::not_found("stage"))?,
        _ => return Err(invalid("stage_id", "is required")),
    };
    if stage.pipeline_id != deal.record.pipeline_id {
        return Err(invalid("stage_id", pipeline::foreign(&call.ctx, tx, &stage)?));
    }
    let mut moved = Changes::default();
    moved.set(Deal::STAGE_ID, stage.id);
    movable(&deal, false).map_err(|problem| Error::Invalid(vec![problem]))?;
    save(&call.ctx, tx, &deal, moved, "updated", Map::new())?;
    show::<Deal>(&call.ctx, tx, deal.id)
}

fn close(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let asked = call.members(CLOSE)?;
    let deal = found(call, tx)?;
    end(&call.ctx, tx, &deal, &asked)?;
    show::<Deal>(&call.ctx, tx, deal.id)
}

fn reopen(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let deal = found(call, tx)?;
    not_archived(&deal, "reopened")?;
    if deal.record.status == DealStatus::Open {
        return Err(invalid("status", "the deal is open already"));
    }
    let mut changes = Changes::default();
    changes.set(Deal::STATUS, DealStatus::Open);
    changes.clear(Deal::CLOSED_AT);
    changes.clear(Deal::SIGNED_AMOUNT);
    changes.clear(Deal::CLOSE_REASON_ID);
    changes.clear(Deal::LOSS_REASON_ID);
    // The time while it was closed does not count.
    changes.set(Deal::STAGE_SINCE, tx.stamp());
    save(&call.ctx, tx, &deal, changes, "reopened", Map::new())?;
    show::<Deal>(&call.ctx, tx, deal.id)
}

fn found(call: &Call, tx: &mut dyn Tx) -> Result<Saved<Deal>, Error> {
    find::<Deal>(&call.ctx, tx, call.id(0, "deal")?)
}

fn not_archived(deal: &Saved<Deal>, what: &str) -> Result<(), Error> {
    match deal.record.archived_at {
        None => Ok(()),
        Some(_) => Err(invalid("archived_at", format!("the deal is archived and can't be {what}; restore it first"))),
    }
}

/// Only an open deal that is not archived, or is being restored, can change its stage.
fn movable(deal: &Saved<Deal>, restored: bool) -> Result<(), Problem> {
    let refused = |field: &str, reason: String| Err(Problem { field: field.into(), reason });
    match deal.record.status {
        _ if deal.record.archived_at.is_some() && !restored => {
            refused("archived_at", "the deal is archived and can't be moved; restore it first".into())
        }
        DealStatus::Open => Ok(()),
        status => refused("status", format!("the deal is {}; only an open deal can be moved", status.word())),
    }
}

/// Whole seconds.
fn time_in_stage(deal: &Saved<Deal>, now: i64) -> i64 {
    (now - deal.record.stage_since.0) / 1000
}

// ---- rules of every write ----

/// Closes an open deal with the members of `DealClose`.
pub fn end(ctx: &Ctx, tx: &mut dyn Tx, deal: &Saved<Deal>, asked: &Changes) -> Result<(), Error> {
    let now = tx.stamp();
    not_archived(deal, "closed")?;
    if deal.record.status != DealStatus::Open {
        let reason = format!("the deal is {} already; reopen it first", deal.record.status.word());
        return Err(invalid("status", reason));
    }
    let mut problems = Vec::new();
    for (field, kind) in [("close_reason_id", ReasonKind::Close), ("loss_reason_id", ReasonKind::Loss)] {
        problems.extend(reason::check::<Deal>(ctx, tx, kind, field, asked, None)?);
    }
    if !problems.is_empty() {
        return Err(Error::Invalid(problems));
    }
    let status = asked.named_text("status").and_then(DealStatus::from_word);
    let status = status.ok_or_else(|| invalid("status", "is required"))?;
    let given = |name: &str| asked.named(name).cloned().unwrap_or(Value::Null);
    let mut changes = Changes::default();
    changes.set(Deal::STATUS, status);
    changes.set(Deal::CLOSED_AT, if let Value::Int(at) = given("actual_close_date") { at } else { now });
    if status == DealStatus::Won {
        changes.set_field(Deal::SIGNED_AMOUNT.field, given("signed_amount"));
    }
    for field in [Deal::CLOSE_REASON_ID.field, Deal::LOSS_REASON_ID.field] {
        changes.set_field(field, given(field.name));
    }
    let more = Map::from_iter([("time_in_stage".to_owned(), json!([time_in_stage(deal, now), null]))]);
    save(ctx, tx, deal, changes, "closed", more)?;
    Ok(())
}

/// Checks a body without the database.
pub fn checked(body: &Map<String, Json>, creating: bool) -> Result<Changes, Error> {
    Changes::check(&Shape { record: Deal::FIELDS, extra: EXTRA }, &Input(body), creating)
}

/// Validates and completes a checked body, as a change of `saved` or for a new deal.
pub fn normalized(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    mut changes: Changes,
    saved: Option<&Saved<Deal>>,
) -> Result<Changes, Error> {
    let mut problems = Vec::new();
    let mut problem = |field: &str, reason: String| problems.push(Problem { field: field.into(), reason });
    let restored = match archive::restores(&mut changes, saved)? {
        Ok(restored) => restored,
        Err(found) => {
            problem(&found.field, found.reason);
            false
        }
    };
    if restored {
        changes.clear(Deal::ARCHIVED_AT);
    }
    for found in [
        references::record::<Company, _>(ctx, tx, &mut changes, Deal::COMPANY_ID)?,
        references::member(ctx, tx, &changes, Deal::OWNER_ID)?,
        reason::check(ctx, tx, ReasonKind::Source, "primary_source_id", &changes, saved)?,
    ] {
        found.into_iter().for_each(|found| problem(&found.field, found.reason));
    }
    contacts::normalize(ctx, tx, &mut changes, saved, &mut problem)?;
    normalize_stage(ctx, tx, &mut changes, saved, restored, &mut problem)?;
    if !problems.is_empty() {
        return Err(Error::Invalid(problems));
    }
    if saved.is_none() {
        set_defaults(ctx, tx, &mut changes)?;
    }
    Ok(changes)
}

/// The stage must belong to the pipeline; a change of the pipeline requires one of its stages.
fn normalize_stage(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    changes: &mut Changes,
    saved: Option<&Saved<Deal>>,
    restored: bool,
    problem: &mut dyn FnMut(&str, String),
) -> Result<(), Error> {
    let id = |value: Option<&Value>| if let Some(Value::Id(id)) = value { Some(*id) } else { None };
    let (given, stage) = (id(changes.get(Deal::PIPELINE_ID)), id(changes.get(Deal::STAGE_ID)));
    let pipeline = match (given, saved) {
        (Some(given), _) => Some(given),
        (None, Some(saved)) => Some(saved.record.pipeline_id),
        (None, None) => pipeline::default(ctx, tx)?,
    };
    let Some(pipeline) = pipeline else {
        problem("pipeline_id", "the workspace has no default pipeline; give one".into());
        return Ok(());
    };
    if given.is_some() && !pipeline::exists(ctx, tx, pipeline)? {
        problem("pipeline_id", "no deal pipeline has this id".into());
        return Ok(());
    }
    if stage.is_none() && saved.is_some_and(|saved| saved.record.pipeline_id != pipeline) {
        problem("pipeline_id", "can only be changed together with a stage_id of it".into());
        return Ok(());
    }
    let stage = match (stage, saved) {
        (Some(stage), _) => pipeline::stage(ctx, tx, stage)?,
        (None, None) => pipeline::first_stage(ctx, tx, pipeline)?,
        (None, Some(_)) => return Ok(()),
    };
    let Some(stage) = stage else {
        problem("stage_id", "no stage has this id".into());
        return Ok(());
    };
    if stage.pipeline_id != pipeline {
        problem("stage_id", pipeline::foreign(ctx, tx, &stage)?);
    }
    match saved {
        Some(saved) if saved.record.stage_id != stage.id => {
            if let Err(found) = movable(saved, restored) {
                problem(&found.field, found.reason);
            }
        }
        Some(_) => {}
        None => match changes.get(Deal::PROBABILITY).is_some() {
            true => changes.set(Deal::OWN_PROBABILITY, true),
            false => changes.set(Deal::PROBABILITY, stage.probability),
        },
    }
    changes.set(Deal::PIPELINE_ID, pipeline);
    changes.set(Deal::STAGE_ID, stage.id);
    Ok(())
}

/// Sets the defaults of a new deal.
fn set_defaults(ctx: &Ctx, tx: &mut dyn Tx, changes: &mut Changes) -> Result<(), Error> {
    if changes.get(Deal::CURRENCY).is_none() {
        changes.set(Deal::CURRENCY, workspace::find(tx, ctx.workspace)?.currency);
    }
    if changes.get(Deal::EXPECTED_AMOUNT).is_none() {
        let amount = changes.get(Deal::AMOUNT).cloned().unwrap_or(Value::Null);
        changes.set_field(Deal::EXPECTED_AMOUNT.field, amount);
    }
    if changes.get(Deal::OWNER_ID).is_none() {
        changes.set(Deal::OWNER_ID, ctx.actor.user);
    }
    changes.set(Deal::STATUS, DealStatus::Open);
    changes.set(Deal::STAGE_SINCE, tx.stamp());
    Ok(())
}

/// Writes a new deal with its contacts, and adds it to the sums of its stage.
pub fn add(ctx: &Ctx, tx: &mut dyn Tx, changes: &Changes) -> Result<(Uuid, Reply), Error> {
    let (id, reply) = make::<Deal>(ctx, tx, changes)?;
    contacts::follow(ctx, tx, id, &[], changes)?;
    sums::follow::<Deal>(ctx, tx, None, changes)?;
    Ok((id, reply))
}

/// Writes changes of a deal and their consequences: its contacts, the sums of its stages, and the event, which is
/// `moved` if the stage changes.
pub fn save(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<Deal>,
    mut changes: Changes,
    verb: &str,
    mut more: Map<String, Json>,
) -> Result<bool, Error> {
    let (deal, now) = (&saved.record, tx.stamp());
    let moved = changes.get(Deal::STAGE_ID).is_some_and(|stage| *stage != Value::Id(deal.stage_id));
    if moved && deal.status == DealStatus::Open {
        more.insert("time_in_stage".into(), json!([time_in_stage(saved, now), 0]));
        changes.set(Deal::STAGE_SINCE, now);
    }
    let probability = saved.value("probability")?;
    let chosen = changes.get(Deal::PROBABILITY).is_some_and(|sent| sent != probability);
    if chosen {
        changes.set(Deal::OWN_PROBABILITY, true);
    } else if let Some(Value::Id(stage)) =
        changes.get(Deal::STAGE_ID).filter(|_| moved && !deal.own_probability).cloned()
        && let Some(stage) = pipeline::stage(ctx, tx, stage)?
    {
        changes.set(Deal::PROBABILITY, stage.probability);
    }
    contacts::follow(ctx, tx, saved.id, &deal.contact_ids.0, &changes)?;
    sums::follow(ctx, tx, Some(saved), &changes)?;
    update_as(ctx, tx, saved, &changes, if moved { "moved" } else { verb }, &more)
}
