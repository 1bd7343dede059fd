//! Settings > API: keys, the permissions that they can have, and the use of the rate limit. Members see only their own
//! keys.

use super::answers::{ApiKey, ScopeList, Usage, created_key_schema};
use super::role;
use crate::api::call::{Call, Reply};
use crate::api::key::{self, Listed, New};
use crate::api::operation::{Operation, delete, get, post};
use crate::api::scope::{BUNDLES, GRANTS, NAMES, Role, Scopes};
use crate::tenant::workspace;
use resource::{Error, Field, Resource, Time, invalid, not_found, place};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid, Value};

#[derive(Resource)]
pub struct NewKey {
    #[field(required, max = 100)]
    pub name: String,
    /// Scopes and bundles.
    #[field(required, max = 50, item_max = 50)]
    pub scopes: Vec<String>,
    pub expires_at: Option<Time>,
}

#[derive(Resource)]
pub struct UsageQuery {
    #[field(least = 1, most = 720)]
    pub hours: Option<i64>,
    /// Only of this key.
    pub key_id: Option<Uuid>,
    /// Of all users' keys; requires an admin.
    pub all: Option<String>,
}

const NEW_KEY: &[Field] = NewKey::FIELDS;
const USAGE: &[Field] = UsageQuery::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    get("/scopes", "dashboard_scopes", "List the scopes that a key can be granted")
        .gives::<ScopeList>(&[200])
        .role(Role::Member)
        .read(scopes),
    get("/keys", "dashboard_keys", "List keys").whole_list::<ApiKey>().role(Role::Member).read(list),
    post("/keys", "dashboard_new_key", "Create a key")
        .gives_object_as(&[201], "CreatedKey", created_key_schema)
        .role(Role::Member)
        .reauthenticates()
        .members("NewKey", NEW_KEY)
        .write(make),
    delete("/keys/{id}", "dashboard_revoke_key", "Revoke a key").role(Role::Member).write(revoke),
    get("/usage", "dashboard_usage", "Get the usage of the request limit")
        .gives::<Usage>(&[200])
        .role(Role::Member)
        .query(USAGE)
        .read(usage),
];

fn scopes(_: &Call, _: &mut dyn Tx) -> Result<Reply, Error> {
    let mut areas: Vec<(&str, Vec<Json>)> = Vec::new();
    for (scope, grants) in NAMES.iter().zip(GRANTS) {
        let area = scope.split(':').next().unwrap_or(scope);
        let shown = json!({ "scope": scope, "description": grants });
        match areas.iter_mut().find(|(name, _)| *name == area) {
            Some((_, scopes)) => scopes.push(shown),
            None => areas.push((area, vec![shown])),
        }
    }
    let areas: Vec<Json> = areas.into_iter().map(|(name, scopes)| json!({ "name": name, "scopes": scopes })).collect();
    let mut bundles = Vec::new();
    for (name, grants, _) in BUNDLES {
        bundles.push(json!({ "name": name, "description": grants, "scopes": Scopes::parse(name)?.names() }));
    }
    Ok(Reply::json(&json!({ "areas": areas, "bundles": bundles })))
}

/// The newest first, including revoked ones.
fn list(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let now = tx.clock()?;
    let mut keys = seen(call, tx)?;
    keys.reverse();
    let longest = workspace::find(tx, call.ctx.workspace)?.longest_key_days;
    Ok(Reply::whole(keys.iter().map(|key| shown(key, now, longest)).collect::<Result<_, _>>()?))
}

/// The keys that the signed-in user may see.
fn seen(call: &Call, tx: &mut dyn Tx) -> Result<Vec<Listed>, Error> {
    let mut keys = key::list(&call.ctx, tx)?;
    if !role(call).is(Role::Admin) {
        keys.retain(|key| key.user == call.key.user);
    }
    Ok(keys)
}

fn shown(key: &Listed, now: i64, longest: Option<i64>) -> Result<Json, Error> {
    let time = |at: Option<i64>| at.map(|at| Time(at).to_string());
    place("api_keys", "scopes", &key.id).word(&key.scopes, |scopes| Scopes::parse(scopes).ok())?;
    let scopes: Vec<&str> = key.scopes.split(',').collect();
    Ok(json!({
        "id": key.id, "name": key.name, "prefix": key::PREFIX, "last4": key.last4, "scopes": scopes,
        "owner": { "user_id": key.user, "email": key.owner }, "created_at": Time(key.created_at).to_string(),
        "expires_at": time(key.expires_at), "last_used_at": time(key.last_used_at), "revoked_at": time(key.revoked_at),
        "state": key.state(now), "exceeds_longest_life": key.exceeds(longest, now),
    }))
}

fn make(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let given = call.members(NEW_KEY)?;
    let scopes: Vec<String> = given.named_json("scopes")?;
    let scopes = Scopes::parse(&scopes.join(","))?;
    let (now, name) = (tx.stamp(), given.named_text("name").unwrap_or_default());
    let expires_at = if let Some(Value::Int(at)) = given.named("expires_at") { Some(*at) } else { None };
    key::check_expiry(&call.ctx, tx, "expires_at", expires_at)?;
    let token = key::mint();
    let new = New { name, scopes, owner: call.key.user, expires_at };
    let id = key::create(&call.ctx, tx, &call.secret, &token, &new)?;
    let key = key::list(&call.ctx, tx)?.into_iter().find(|key| key.id == id).ok_or_else(|| not_found("key"))?;
    let mut record = shown(&key, now, None)?;
    record["key"] = token.into();
    Ok(Reply { status: 201, ..Reply::json(&record) })
}

fn revoke(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let id = call.id(0, "key")?;
    if !seen(call, tx)?.iter().any(|key| key.id == id) {
        return Err(not_found("key"));
    }
    key::revoke(&call.ctx, tx, id)?;
    Ok(Reply::deleted())
}

const HOUR: i64 = 60 * 60 * 1000;

fn usage(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const POINTS: &str = "SELECT hour, CAST(sum(requests) AS BIGINT), CAST(sum(errors) AS BIGINT) FROM request_hours \
         WHERE workspace_id = $1 AND hour >= $2 AND (key_id = $3 OR $3 = $4) AND (user_id = $5 OR $5 = $4) GROUP BY hour ORDER BY hour";
    const WINDOW: &str = "SELECT started_at, used FROM rate_windows WHERE workspace_id = $1 AND user_id = $2";
    let given = call.asked(USAGE)?;
    let all = match given.named_text("all") {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => return Err(invalid("all", "must be true or false")),
    };
    let of_key = if let Some(Value::Id(id)) = given.named("key_id") { Some(*id) } else { None };
    if all {
        super::require(role(call), Role::Admin)?;
    }
    if let Some(id) = of_key
        && !seen(call, tx)?.iter().any(|key| key.id == id)
    {
        return Err(invalid("key_id", "no key has this id"));
    }
    let hours = if let Some(Value::Int(hours)) = given.named("hours") { *hours } else { 24 };
    let now = tx.clock()?;
    let last = now - now % HOUR;
    let first = last - (hours - 1) * HOUR;
    let everybody = all || of_key.is_some();
    let params: [Value; 5] = [
        call.ctx.workspace.into(),
        first.into(),
        of_key.unwrap_or(Uuid::nil()).into(),
        Uuid::nil().into(),
        (if everybody { Uuid::nil() } else { call.key.user }).into(),
    ];
    let counted = tx.rows(POINTS, &params, |row| Ok((row.int(0)?, row.int(1)?, row.int(2)?)))?;
    let points: Vec<Json> = (0..hours)
        .map(|n| {
            let hour = first + n * HOUR;
            let (_, requests, errors) = counted.iter().find(|(at, ..)| *at == hour).copied().unwrap_or((hour, 0, 0));
            json!({ "at": Time(hour).to_string(), "requests": requests, "errors": errors })
        })
        .collect();
    // This node's own count is exact; the row has the counts of other nodes.
    let limit = call.key.rate_limit;
    let window =
        tx.one(WINDOW, &[call.ctx.workspace.into(), call.key.user.into()], |row| Ok((row.int(0)?, row.int(1)?)))?;
    let (remaining, resets) = match window.filter(|(started, _)| now < started + HOUR) {
        Some(_) if call.rate.remaining < limit => (call.rate.remaining, call.rate.reset * 1000),
        Some((started, used)) => ((limit - used).max(0), started + HOUR),
        None => (limit, now + HOUR),
    };
    let mut shown = Map::new();
    shown.insert("limit".into(), limit.into());
    shown.insert("remaining".into(), remaining.into());
    shown.insert("resets_at".into(), Time(resets).to_string().into());
    shown.insert("points".into(), points.into());
    Ok(Reply::json(&shown.into()))
}
