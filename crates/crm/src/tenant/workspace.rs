//! Workspaces: plan, limits and credits. Managed by the operator.

pub mod erase;

use crate::api::meta::{Secret, config_changed};
use crate::api::scope::PLANS;
use crate::tenant::credits::{self, Kind};
use crate::tenant::member;
use resource::{Actor, Ctx, Error, event, invalid, is_currency, not_found, tidy};
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;
use store::{Row, Tx, Uuid};

pub const RATE_LIMIT: i64 = 2000;
/// The upper limit for the longest lifetime of keys, in days.
pub const MOST_KEY_DAYS: i64 = 3650;

pub struct Workspace {
    pub id: Uuid,
    pub slug: String,
    pub name: String,
    pub timezone: String,
    pub currency: String,
    pub plan: String,
    pub subscription: String,
    pub rate_limit: i64,
    /// The longest lifetime of a new API key, in days; `None` means no limit.
    pub longest_key_days: Option<i64>,
    /// Whether a reply that asks to be removed suppresses its sender.
    pub unsubscribe_by_reply: bool,
}

/// The new values of settings that `workspace set` and the dashboard can change.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub name: Option<String>,
    pub rate_limit: Option<i64>,
    /// Bytes of files; `Some(None)` for the installation's limit.
    pub storage_limit: Option<Option<i64>>,
    pub sourcing_credits: Option<i64>,
    pub enrichment_credits: Option<i64>,
    pub plan: Option<String>,
    pub subscription: Option<String>,
    pub timezone: Option<String>,
    pub currency: Option<String>,
    /// 0 is no limit.
    pub longest_key_days: Option<i64>,
    pub unsubscribe_by_reply: Option<bool>,
}

const COLUMNS: &str =
    "id, slug, name, timezone, currency, plan, subscription, rate_limit, longest_key_days, unsubscribe_by_reply";

fn decode(row: &dyn Row) -> Result<Workspace, store::Error> {
    Ok(Workspace {
        id: row.id(0)?,
        slug: row.text(1)?,
        name: row.text(2)?,
        timezone: row.text(3)?,
        currency: row.text(4)?,
        plan: row.text(5)?,
        subscription: row.text(6)?,
        rate_limit: row.int(7)?,
        longest_key_days: row.maybe_int(8)?,
        unsubscribe_by_reply: row.bool(9)?,
    })
}

/// All of them, oldest first.
pub fn list(tx: &mut dyn Tx) -> Result<Vec<Workspace>, Error> {
    Ok(tx.rows(&format!("SELECT {COLUMNS} FROM workspaces WHERE removed_at IS NULL ORDER BY id"), &[], decode)?)
}

pub fn find(tx: &mut dyn Tx, id: Uuid) -> Result<Workspace, Error> {
    let sql = format!("SELECT {COLUMNS} FROM workspaces WHERE id = $1 AND removed_at IS NULL");
    tx.one(&sql, &[id.into()], decode)?.ok_or_else(|| not_found("workspace"))
}

pub fn is_removed(tx: &mut dyn Tx, id: Uuid) -> Result<bool, Error> {
    const REMOVED: &str = "SELECT 1 FROM workspaces WHERE id = $1 AND removed_at IS NOT NULL";
    Ok(tx.one(REMOVED, &[id.into()], |_| Ok(()))?.is_some())
}

/// The workspace with this slug; without a slug the first one.
pub fn called(tx: &mut dyn Tx, slug: Option<&str>) -> Result<Workspace, Error> {
    let mut all = list(tx)?;
    let at = match slug {
        None => all.iter().position(|_| true).ok_or_else(|| Error::NotFound("there is no workspace yet".into()))?,
        Some(slug) => {
            let slugs: Vec<&str> = all.iter().map(|w| w.slug.as_str()).collect();
            let missing = || Error::NotFound(format!("there is no workspace {slug}; there are: {}", slugs.join(", ")));
            all.iter().position(|w| w.slug == slug).ok_or_else(missing)?
        }
    };
    Ok(all.swap_remove(at))
}

/// Creates a workspace, its owner (email and name) and its first credits. `now` is the database's clock, because a new
/// workspace has no head and thus no stamp.
pub fn create(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    now: i64,
    name: &str,
    slug: &str,
    owner: (&str, &str),
) -> Result<Uuid, Error> {
    const CREATE: &str = "INSERT INTO workspaces (id, slug, name, timezone, currency, plan, subscription, rate_limit, created_at) \
         VALUES ($1, $2, $3, 'UTC', 'EUR', 'scale', 'active', $4, $5)";
    let (name, slug) = (checked_name(name)?, tidy("slug", slug)?);
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if slug.is_empty() || slug.len() > 63 || !slug.chars().all(fits) || slug.starts_with('-') || slug.ends_with('-') {
        return Err(invalid("slug", "must be 1 to 63 lower-case letters, digits and dashes"));
    }
    if tx.one("SELECT 1 FROM workspaces WHERE slug = $1", &[slug.as_str().into()], |_| Ok(()))?.is_some() {
        return Err(invalid("slug", format!("the workspace {slug} exists already")));
    }
    let id = ctx.workspace;
    tx.execute(CREATE, &[id.into(), slug.into(), name.as_str().into(), RATE_LIMIT.into(), now.into()])?;
    tx.execute(
        "INSERT INTO heads (workspace_id, stamp, tags_stamp) VALUES ($1, $2, $3)",
        &[id.into(), now.into(), now.into()],
    )?;
    let (email, owner_name) = owner;
    let owner = member::add(ctx, tx, now, email, owner_name, "owner")?;
    credits::first(ctx, tx, now)?;
    config_changed(tx)?;
    Ok(owner)
}

fn checked_name(name: &str) -> Result<String, Error> {
    let name = tidy("name", name)?;
    match (1..=100).contains(&name.chars().count()) {
        true => Ok(name),
        false => Err(invalid("name", "must have 1 to 100 characters")),
    }
}

/// Creates the workspace and the owner of an empty installation, with the hash of the owner's one-time set-up token.
pub fn first(tx: &mut dyn Tx, secret: &Secret, token: &str) -> Result<bool, Error> {
    if !list(tx)?.is_empty() {
        return Ok(false);
    }
    let now = tx.clock()?;
    let workspace = tx.id_at(now);
    let ctx = Ctx { workspace, actor: Actor::system("first start"), memory: Arc::default() };
    let owner = create(&ctx, tx, now, "Relata", "main", ("owner@localhost", ""))?;
    tx.execute("UPDATE users SET setup_hash = $1 WHERE id = $2", &[secret.hash(token).into(), owner.into()])?;
    Ok(true)
}

pub fn set(ctx: &Ctx, tx: &mut dyn Tx, settings: &Settings) -> Result<(), Error> {
    let before = find(tx, ctx.workspace)?;
    let one_of = |field: &str, value: &Option<String>, known: &[&str]| match value {
        Some(value) if !known.contains(&value.as_str()) => {
            Err(invalid(field, format!("must be one of {}", known.join(", "))))
        }
        _ => Ok(()),
    };
    one_of("plan", &settings.plan, PLANS)?;
    one_of("subscription", &settings.subscription, &["active", "none"])?;
    if settings.rate_limit.is_some_and(|n| !(1..=1_000_000_000_000).contains(&n)) {
        return Err(invalid("rate-limit", "must be from 1 to 1000000000000 requests an hour"));
    }
    if settings.longest_key_days.is_some_and(|days| !(0..=MOST_KEY_DAYS).contains(&days)) {
        let reason = format!("must be from 1 to {MOST_KEY_DAYS} days, or 0 for no limit");
        return Err(invalid("longest-key-days", reason));
    }
    if let Some(zone) = &settings.timezone
        && jiff::tz::db().get(zone).is_err()
    {
        return Err(invalid("timezone", format!("{zone} is not an IANA time zone such as Europe/Paris")));
    }
    if let Some(currency) = &settings.currency
        && !(is_currency(currency) && currency.bytes().all(|b| b.is_ascii_uppercase()))
    {
        return Err(invalid("currency", "must be an ISO 4217 code such as EUR"));
    }
    let name = settings.name.as_deref().map(checked_name).transpose()?;
    let texts = [
        ("name", &before.name, &name),
        ("plan", &before.plan, &settings.plan),
        ("subscription", &before.subscription, &settings.subscription),
        ("timezone", &before.timezone, &settings.timezone),
        ("currency", &before.currency, &settings.currency),
    ];
    let mut changes = Map::new();
    for (name, from, to) in texts {
        if let Some(to) = to.as_ref().filter(|to| *to != from) {
            tx.execute(
                &format!("UPDATE workspaces SET {name} = $1 WHERE id = $2"),
                &[to.as_str().into(), ctx.workspace.into()],
            )?;
            changes.insert(name.into(), json!([from, to]));
        }
    }
    if let Some(to) = settings.rate_limit.filter(|to| *to != before.rate_limit) {
        tx.execute("UPDATE workspaces SET rate_limit = $1 WHERE id = $2", &[to.into(), ctx.workspace.into()])?;
        changes.insert("rate_limit".into(), json!([before.rate_limit, to]));
    }
    if let Some(to) = settings.storage_limit {
        const LIMIT: &str = "SELECT storage_limit FROM workspaces WHERE id = $1";
        let from = tx.one(LIMIT, &[ctx.workspace.into()], |row| row.maybe_int(0))?.flatten();
        if from != to {
            let set = "UPDATE workspaces SET storage_limit = $1 WHERE id = $2";
            tx.execute(set, &[to.into(), ctx.workspace.into()])?;
            changes.insert("storage_limit".into(), json!([from, to]));
        }
    }
    let longest = settings.longest_key_days.map(|days| Some(days).filter(|days| *days > 0));
    if let Some(to) = longest.filter(|to| *to != before.longest_key_days) {
        tx.execute("UPDATE workspaces SET longest_key_days = $1 WHERE id = $2", &[to.into(), ctx.workspace.into()])?;
        changes.insert("longest_key_days".into(), json!([before.longest_key_days, to]));
    }
    if let Some(to) = settings.unsubscribe_by_reply.filter(|to| *to != before.unsubscribe_by_reply) {
        const SET: &str = "UPDATE workspaces SET unsubscribe_by_reply = $1 WHERE id = $2";
        tx.execute(SET, &[to.into(), ctx.workspace.into()])?;
        changes.insert("unsubscribe_by_reply".into(), json!([before.unsubscribe_by_reply, to]));
    }
    for (kind, to) in [(Kind::Sourcing, settings.sourcing_credits), (Kind::Enrichment, settings.enrichment_credits)] {
        let Some(to) = to else { continue };
        let from = credits::set(ctx, tx, kind, to)?;
        if from != to {
            changes.insert(format!("{}_credits", kind.word()), json!([from, to]));
        }
    }
    if changes.is_empty() {
        return Ok(());
    }
    config_changed(tx)?;
    event(ctx, tx, "workspace.updated", "workspace", ctx.workspace, &changes)
}

/// Removes a workspace: its keys, sessions and invitations become invalid. A job erases its records. The caller must
/// remove its connected accounts before.
pub fn remove(ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
    const REMOVE: &str = "UPDATE workspaces SET removed_at = $1, slug = $2, name = 'removed' WHERE id = $3";
    if list(tx)?.len() < 2 {
        return Err(invalid("workspace", "is the only one of this installation; make another one first"));
    }
    let workspace = find(tx, ctx.workspace)?;
    let (now, id) = (tx.stamp(), ctx.workspace);
    tx.execute(REMOVE, &[now.into(), format!("removed-{id}").into(), id.into()])?;
    tx.execute(
        "UPDATE api_keys SET revoked_at = $1 WHERE workspace_id = $2 AND revoked_at IS NULL",
        &[now.into(), id.into()],
    )?;
    tx.execute("DELETE FROM sessions WHERE workspace_id = $1", &[id.into()])?;
    tx.execute("DELETE FROM invitations WHERE workspace_id = $1", &[id.into()])?;
    config_changed(tx)?;
    let mut changes = Map::new();
    changes.insert("slug".into(), json!([workspace.slug, null]));
    event(ctx, tx, "workspace.deleted", "workspace", id, &changes)?;
    erase::begin(ctx, tx)
}

/// The workspace as in `GET /me`.
pub fn shown(workspace: &Workspace) -> Json {
    json!({
        "id": workspace.id, "name": workspace.name, "slug": workspace.slug, "timezone": workspace.timezone,
        "currency": workspace.currency, "plan": workspace.plan, "subscription": workspace.subscription,
    })
}
