//! Reasons and sources: a workspace's list of reasons for rejecting a candidate or closing or losing a deal, and of the
//! sources of deals. Admins manage them; the API reads them. A removed one can't be chosen any more, but records that
//! have it keep it.

use crate::api::call::{Call, Reply};
use crate::api::operation::{Operation, get};
use crate::pipelines::positions::{arrange, with_at};
use resource::{
    Changes, Ctx, Error, Field, Input, Problem, Resource, Saved, Shape, Time, decoded, find, fold, insert, invalid,
    not_found, update,
};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid, Value};

resource::choices! {
    /// What it is a reason for.
    ReasonKind { Rejection = "rejection", Close = "close", Loss = "loss", Source = "source" }
}

/// Why a candidate was rejected or a deal closed or lost, or where a deal came from.
#[derive(Resource)]
#[resource(table = "reasons", one = "reason")]
pub struct Reason {
    #[field(read_only)]
    pub id: Uuid,
    #[field(read_only)]
    pub kind: ReasonKind,
    #[field(required, max = 100)]
    pub name: String,
    /// Its position among those of its kind, from 0.
    #[field(least = 0, most = 10_000)]
    pub position: i64,
    #[field(hidden)]
    pub created_at: Time,
    #[field(hidden)]
    pub removed_at: Option<Time>,
}

#[derive(Resource)]
pub struct ReasonQuery {
    /// Only this kind.
    pub kind: Option<ReasonKind>,
}

const REASON_QUERY: &[Field] = ReasonQuery::FIELDS;

pub const OPERATIONS: &[Operation] =
    &[get("/reasons", "list_reasons", "List reasons and sources").query(REASON_QUERY).read(all).whole_list::<Reason>()];

fn all(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let asked = call.asked(REASON_QUERY)?;
    let kind = asked.named_text("kind").and_then(ReasonKind::from_word);
    Ok(Reply::whole(list(&call.ctx, tx, kind)?.iter().map(shown).collect()))
}

pub fn shown(reason: &Reason) -> Json {
    json!({ "id": reason.id, "kind": reason.kind.word(), "name": reason.name, "position": reason.position })
}

/// The reasons that can be chosen, by kind and position.
pub fn list(ctx: &Ctx, tx: &mut dyn Tx, only: Option<ReasonKind>) -> Result<Vec<Reason>, Error> {
    const LIST: &str = "SELECT id, kind, name, position, created_at, removed_at FROM reasons \
         WHERE workspace_id = $1 AND removed_at IS NULL ORDER BY kind, position, id";
    let reasons: Result<Vec<Reason>, Error> =
        tx.rows(LIST, &[ctx.workspace.into()], |row| Ok(decoded::<Reason>(row)))?.into_iter().collect();
    Ok(reasons?.into_iter().filter(|reason| only.is_none_or(|only| only == reason.kind)).collect())
}

/// Checks the reason in this field of a body. The record's current reason always passes, even if it was removed.
pub fn check<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    kind: ReasonKind,
    field: &str,
    changes: &Changes,
    saved: Option<&Saved<R>>,
) -> Result<Option<Problem>, Error> {
    const ONE: &str = "SELECT 1 FROM reasons WHERE workspace_id = $1 AND kind = $2 AND id = $3 AND removed_at IS NULL";
    let Some(Value::Id(id)) = changes.named(field) else { return Ok(None) };
    if let Some(saved) = saved
        && *saved.value(field)? == Value::Id(*id)
    {
        return Ok(None);
    }
    let found = tx.one(ONE, &[ctx.workspace.into(), kind.word().into(), (*id).into()], |_| Ok(()))?;
    let what = if kind == ReasonKind::Source { "source" } else { "reason" };
    let reason = format!("no {what} has this id; GET /reasons?kind={} lists them", kind.word());
    Ok(found.is_none().then(|| Problem { field: field.to_owned(), reason }))
}

pub fn create(ctx: &Ctx, tx: &mut dyn Tx, kind: ReasonKind, name: &str) -> Result<Uuid, Error> {
    const MOST: usize = 200;
    let there = list(ctx, tx, Some(kind))?;
    let mut changes = checked(Some(name), None)?;
    check_name(&there, &changes, None)?;
    if there.len() >= MOST {
        return Err(invalid("name", format!("there are {MOST} {} reasons already; remove one first", kind.word())));
    }
    changes.set(Reason::KIND, kind);
    changes.set(Reason::POSITION, there.len() as i64);
    insert::<Reason>(ctx, tx, &changes)
}

/// Changes the name, the position, or both.
pub fn change(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, name: Option<&str>, position: Option<i64>) -> Result<(), Error> {
    let reason = called(ctx, tx, id)?;
    let there = list(ctx, tx, Some(reason.record.kind))?;
    let mut changes = checked(name, position)?;
    check_name(&there, &changes, Some(id))?;
    changes.take(Reason::POSITION);
    update(ctx, tx, &reason, &changes)?;
    if let Some(position) = position {
        let order = with_at(there.iter().map(|other| other.id), id, position.unsigned_abs() as usize);
        arrange::<Reason>(ctx, tx, Reason::POSITION, &order)?;
    }
    Ok(())
}

pub fn remove(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    let reason = called(ctx, tx, id)?;
    let mut changes = Changes::default();
    changes.set(Reason::REMOVED_AT, tx.stamp());
    update(ctx, tx, &reason, &changes)?;
    let rest: Vec<Uuid> = list(ctx, tx, Some(reason.record.kind))?.iter().map(|other| other.id).collect();
    arrange::<Reason>(ctx, tx, Reason::POSITION, &rest)
}

fn called(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Saved<Reason>, Error> {
    let reason = find::<Reason>(ctx, tx, id)?;
    if reason.record.removed_at.is_some() {
        return Err(not_found("reason"));
    }
    Ok(reason)
}

/// Checks the members like a body.
fn checked(name: Option<&str>, position: Option<i64>) -> Result<Changes, Error> {
    let mut body = Map::new();
    body.extend(name.map(|name| ("name".to_owned(), name.into())));
    body.extend(position.map(|position| ("position".to_owned(), position.into())));
    Changes::check(&Shape { record: Reason::FIELDS, extra: &[] }, &Input(&body), false)
}

fn check_name(there: &[Reason], changes: &Changes, own: Option<Uuid>) -> Result<(), Error> {
    let Some(name) = changes.text(Reason::NAME).map(fold) else { return Ok(()) };
    match there.iter().any(|reason| fold(&reason.name) == name && Some(reason.id) != own) {
        true => Err(invalid("name", "there is one of this name already")),
        false => Ok(()),
    }
}

/// The reasons of a new workspace.
pub fn first(ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
    const FIRST: &[(ReasonKind, &[&str])] = &[
        (
            ReasonKind::Rejection,
            &["Not qualified", "Not interested", "Salary expectations", "Location", "Hired elsewhere", "Other"],
        ),
        (ReasonKind::Close, &["Best fit", "Price", "Existing relationship", "Other"]),
        (ReasonKind::Loss, &["Price", "Competitor", "No budget", "No decision", "Timing", "Other"]),
        (ReasonKind::Source, &["Website", "Referral", "Outreach", "Event", "Partner", "Other"]),
    ];
    for (kind, names) in FIRST {
        for name in *names {
            create(ctx, tx, *kind, name)?;
        }
    }
    Ok(())
}
