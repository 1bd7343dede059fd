//! Settings > Workspace, plan and credits.

use super::answers::{CreditEntry, schema_of, workspace_schema};
use crate::api::call::{Call, Content, Reply, limit};
use crate::api::operation::{Operation, delete, get, put};
use crate::api::scope::{PLANS, Role};
use crate::outreach::account;
use crate::tenant::credits::{self, Kind};
use crate::tenant::storage;
use crate::tenant::workspace::{self, MOST_KEY_DAYS, Settings};
use resource::{Ctx, Error, Field, Page, Position, Resource, Time, invalid};
use serde_json::json;
use store::{Tx, Value};

#[derive(Resource)]
pub struct NewSettings {
    #[field(max = 100)]
    pub name: String,
    #[field(max = 100)]
    pub timezone: String,
    #[field(max = 3)]
    pub currency: String,
    /// The longest lifetime of new API keys; null means no limit.
    #[field(least = 1, most = MOST_KEY_DAYS)]
    pub longest_key_days: Option<i64>,
    /// Whether a reply that asks to be removed suppresses its sender.
    pub unsubscribe_by_reply: bool,
}

#[derive(Resource)]
pub struct Removal {
    /// The name of the workspace, as a protection against mistakes.
    #[field(required)]
    pub name: String,
}

#[derive(Resource)]
pub struct NewPlan {
    #[field(required)]
    pub plan: String,
}

#[derive(Resource)]
pub struct LedgerQuery {
    pub kind: Option<Kind>,
    #[field(least = 1, most = 100)]
    pub limit: Option<i64>,
    /// Empty for the first page, then meta.next_cursor.
    pub cursor: Option<String>,
}

const NEW_SETTINGS: &[Field] = NewSettings::FIELDS;
const REMOVAL: &[Field] = Removal::FIELDS;
const NEW_PLAN: &[Field] = NewPlan::FIELDS;
const LEDGER: &[Field] = LedgerQuery::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    get("/workspace", "dashboard_workspace", "Get the workspace, its limit and its credits")
        .gives_object("WorkspaceSettings", workspace_schema)
        .role(Role::Member)
        .read(shown),
    put("/workspace", "dashboard_set_workspace", "Update the settings of the workspace")
        .gives_object("WorkspaceSettings", workspace_schema)
        .role(Role::Admin)
        .members("NewSettings", NEW_SETTINGS)
        .write(set),
    delete("/workspace", "dashboard_remove_workspace", "Remove the workspace")
        .role(Role::Owner)
        .reauthenticates()
        .members("Removal", REMOVAL)
        .write(remove),
    put("/plan", "dashboard_plan", "Change the plan")
        .gives_object("WorkspaceSettings", workspace_schema)
        .role(Role::Owner)
        .members("NewPlan", NEW_PLAN)
        .write(set_plan),
    get("/credits", "dashboard_credits", "List the transactions of credits, newest first")
        .gives_items("CreditEntry", schema_of::<CreditEntry>)
        .role(Role::Admin)
        .query(LEDGER)
        .read(ledger),
];

fn shown(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let workspace = workspace::find(tx, call.ctx.workspace)?;
    let mut shown = workspace::shown(&workspace);
    shown["requests_per_hour"] = workspace.rate_limit.into();
    shown["longest_key_days"] = workspace.longest_key_days.into();
    shown["unsubscribe_by_reply"] = workspace.unsubscribe_by_reply.into();
    shown["removable"] = (workspace::list(tx)?.len() > 1).into();
    shown["plans"] = json!(PLANS);
    shown["credits"] = json!({
        "sourcing": credits::balance(&call.ctx, tx, Kind::Sourcing)?,
        "enrichment": credits::balance(&call.ctx, tx, Kind::Enrichment)?,
    });
    let storage = storage::usage(tx, call.ctx.workspace)?;
    shown["storage"] = json!({ "used": storage.used, "limit": storage.limit });
    Ok(Reply::json(&shown))
}

fn set(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let given = call.members(NEW_SETTINGS)?;
    let text = |name: &str| given.named_text(name).map(str::to_owned);
    let settings = Settings {
        name: text("name"),
        timezone: text("timezone"),
        currency: text("currency"),
        longest_key_days: given
            .named("longest_key_days")
            .map(|days| if let Value::Int(days) = days { *days } else { 0 }),
        unsubscribe_by_reply: given
            .named("unsubscribe_by_reply")
            .and_then(|on| if let Value::Bool(on) = on { Some(*on) } else { None }),
        ..Settings::default()
    };
    workspace::set(&call.ctx, tx, &settings)?;
    shown(call, tx)
}

fn remove(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let given = call.members(REMOVAL)?;
    let workspace = workspace::find(tx, call.ctx.workspace)?;
    if given.named_text("name") != Some(workspace.name.as_str()) {
        return Err(invalid("name", format!("must be the workspace's name, {}", workspace.name)));
    }
    remove_with_accounts(&call.ctx, tx)?;
    Ok(Reply::deleted())
}

/// Removes a workspace and disconnects its accounts; a job erases its records.
pub fn remove_with_accounts(ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
    for id in account::list(ctx, tx)? {
        account::remove(ctx, tx, id)?;
    }
    workspace::remove(ctx, tx)
}

fn set_plan(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let given = call.members(NEW_PLAN)?;
    let plan = given.named_text("plan").map(str::to_owned);
    workspace::set(&call.ctx, tx, &Settings { plan, ..Settings::default() })?;
    shown(call, tx)
}

/// Entries of one kind, by default sourcing.
fn ledger(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let given = call.asked(LEDGER)?;
    let kind = given.named_text("kind").and_then(Kind::from_word).unwrap_or(Kind::Sourcing);
    let limit = limit(&given);
    let below = match given.named_text("cursor") {
        None => None,
        Some(text) => Some(text.parse::<i64>().map_err(|_| invalid("cursor", "is not a cursor of this list"))?),
    };
    let mut entries = credits::entries(&call.ctx, tx, kind, below, limit + 1)?;
    let has_more = entries.len() as i64 > limit;
    entries.truncate(limit as usize);
    let next = entries.last().filter(|_| has_more).map(|entry| entry.number.to_string());
    let shown = |entry: &credits::Entry| {
        let change = if entry.debit == "held" { entry.amount } else { -entry.amount };
        json!({
            "id": entry.id, "kind": kind.word(), "amount": change, "balance": entry.balance, "reason": entry.reason,
            "actor": entry.actor, "record_id": entry.record, "refunds": entry.refunds,
            "created_at": Time(entry.created_at).to_string(),
        })
        .to_string()
    };
    let json = entries.iter().map(shown).collect::<Vec<_>>().join(",").into_bytes();
    Ok(Reply::of(Content::Page(Page { json, limit, has_more, position: Position::Cursor { next } })))
}
