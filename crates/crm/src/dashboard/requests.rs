//! The request log: API requests of the last days. It is written about once a second in the background, and its size is
//! limited; hourly totals count all requests.

use super::answers::request_schema;
use super::role;
use crate::api::call::{Call, Content, Reply, limit};
use crate::api::key::PREFIX;
use crate::api::operation::{Operation, get};
use crate::api::scope::Role;
use resource::{Changes, Error, Field, Page, Position, Resource, Time, invalid, not_found};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use store::{Row, Tx, Uuid, Value};

#[derive(Resource)]
pub struct LogQuery {
    /// A status, or a class of them: `404`, `4xx`.
    pub status: Option<String>,
    pub operation: Option<String>,
    pub method: Option<String>,
    pub key_id: Option<Uuid>,
    #[field(least = 1, most = 100)]
    pub limit: Option<i64>,
    /// Empty for the first page, then meta.next_cursor.
    pub cursor: Option<String>,
}

const LOG: &[Field] = LogQuery::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    get("/requests", "dashboard_requests", "List requests that were made with keys")
        .gives_items("LoggedRequest", request_schema)
        .role(Role::Member)
        .query(LOG)
        .read(list),
    get("/requests/{request_id}", "dashboard_request", "Get a request by its X-Request-Id")
        .gives_object("LoggedRequest", request_schema)
        .role(Role::Member)
        .read(one),
];

/// How long a request stays in the log, and an hour in the totals.
const LIFETIME: i64 = 7 * 24 * 60 * 60 * 1000;
const COUNTED: i64 = 31 * 24 * 60 * 60 * 1000;
/// Most requests of a workspace in the log.
const MOST: i64 = 100_000;
/// Requests that one unit deletes.
const CHUNK: i64 = 5_000;

/// A completed request.
pub struct Answered {
    pub workspace: Uuid,
    pub key: Uuid,
    pub user: Uuid,
    pub at: i64,
    pub request_id: String,
    pub method: String,
    pub path: String,
    pub query: String,
    pub operation: &'static str,
    pub status: u16,
    pub micros: i64,
    pub size: Option<i64>,
}

/// Requests and errors by workspace, key and hour, with the user.
pub type Hours = BTreeMap<(Uuid, Uuid, i64), (Uuid, i64, i64)>;

pub fn write(tx: &mut dyn Tx, requests: &[Answered], hours: &Hours) -> Result<(), store::Error> {
    const LOGGED: &str = "INSERT INTO requests (workspace_id, id, request_id, at, method, path, query, operation, status, micros, size, key_id, user_id) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    const HOUR: &str = "INSERT INTO request_hours (workspace_id, key_id, hour, user_id, requests, errors) VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (workspace_id, key_id, hour) DO UPDATE SET requests = request_hours.requests + excluded.requests, \
         errors = request_hours.errors + excluded.errors";
    for request in requests {
        let params = [
            request.workspace.into(),
            tx.id_at(request.at).into(),
            request.request_id.as_str().into(),
            request.at.into(),
            request.method.as_str().into(),
            request.path.as_str().into(),
            request.query.as_str().into(),
            request.operation.into(),
            i64::from(request.status).into(),
            request.micros.into(),
            request.size.into(),
            request.key.into(),
            request.user.into(),
        ];
        tx.execute(LOGGED, &params)?;
    }
    // In the order of their keys, so that two nodes can't deadlock.
    for ((workspace, key, hour), (user, requests, errors)) in hours {
        let params =
            [(*workspace).into(), (*key).into(), (*hour).into(), (*user).into(), (*requests).into(), (*errors).into()];
        tx.execute(HOUR, &params)?;
    }
    Ok(())
}

/// Deletes some requests that are too old or exceed the limit of the workspace.
pub fn forget(tx: &mut dyn Tx, workspace: Uuid) -> Result<(), Error> {
    const EXCESS: &str = "SELECT id FROM requests WHERE workspace_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2";
    const FORGET: &str = "DELETE FROM requests WHERE workspace_id = $1 AND id IN \
         (SELECT id FROM requests WHERE workspace_id = $1 AND id <= $2 ORDER BY id LIMIT $3)";
    const HOURS: &str = "DELETE FROM request_hours WHERE workspace_id = $1 AND hour < $2";
    let now = tx.clock()?;
    let old = tx.id_at(now - LIFETIME);
    let excess = tx.one(EXCESS, &[workspace.into(), MOST.into()], |row| row.id(0))?;
    let upto = excess.map_or(old, |excess| excess.max(old));
    tx.execute(FORGET, &[workspace.into(), upto.into(), CHUNK.into()])?;
    Ok(tx.execute(HOURS, &[workspace.into(), (now - COUNTED).into()])?)
}

const COLUMNS: &str = "SELECT r.id, r.request_id, r.at, r.method, r.path, r.query, r.operation, r.status, r.micros, r.size, r.key_id, \
     k.name, k.last4, r.user_id, m.email, m.first_name, m.last_name FROM requests r \
     LEFT JOIN api_keys k ON k.id = r.key_id \
     LEFT JOIN members m ON m.workspace_id = r.workspace_id AND m.user_id = r.user_id";

fn shown(row: &dyn Row) -> Result<(Uuid, Json), store::Error> {
    let name = format!("{} {}", row.maybe_text(15)?.unwrap_or_default(), row.maybe_text(16)?.unwrap_or_default());
    let request = json!({
        "id": row.text(1)?, "at": Time(row.int(2)?).to_string(), "method": row.text(3)?, "path": row.text(4)?,
        "query": row.text(5)?, "operation": row.text(6)?, "status": row.int(7)?, "time_ms": row.int(8)? as f64 / 1000.0,
        "size": row.maybe_int(9)?,
        "key": { "id": row.id(10)?, "name": row.maybe_text(11)?, "prefix": PREFIX, "last4": row.maybe_text(12)? },
        "user": { "user_id": row.id(13)?, "email": row.maybe_text(14)?, "name": name.trim() },
    });
    Ok((row.id(0)?, request))
}

/// The user whose requests are visible; nil means all users.
fn whose(call: &Call) -> Uuid {
    if role(call).is(Role::Admin) { Uuid::nil() } else { call.key.user }
}

fn list(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let page = "WHERE r.workspace_id = $1 AND r.id < $2 AND r.status >= $3 AND r.status <= $4 \
         AND (r.operation = $5 OR $5 = '') AND (r.method = $6 OR $6 = '') AND (r.key_id = $7 OR $7 = $8) \
         AND (r.user_id = $9 OR $9 = $8) ORDER BY r.id DESC LIMIT $10";
    let given = call.asked(LOG)?;
    let (least, most) = statuses(&given)?;
    let limit = limit(&given);
    let before = match given.named_text("cursor") {
        None => Uuid::max(),
        Some(cursor) => Uuid::try_parse(cursor).map_err(|_| invalid("cursor", "is not a cursor of this list"))?,
    };
    let key = if let Some(Value::Id(id)) = given.named("key_id") { *id } else { Uuid::nil() };
    let params = [
        call.ctx.workspace.into(),
        before.into(),
        least.into(),
        most.into(),
        given.named_text("operation").unwrap_or_default().into(),
        given.named_text("method").unwrap_or_default().to_uppercase().into(),
        key.into(),
        Uuid::nil().into(),
        whose(call).into(),
        (limit + 1).into(),
    ];
    let mut found = tx.rows(&format!("{COLUMNS} {page}"), &params, shown)?;
    let has_more = found.len() as i64 > limit;
    found.truncate(limit as usize);
    let next = found.last().filter(|_| has_more).map(|(id, _)| id.to_string());
    let json: Vec<String> = found.into_iter().map(|(_, request)| request.to_string()).collect();
    let page = Page { json: json.join(",").into_bytes(), limit, has_more, position: Position::Cursor { next } };
    Ok(Reply::of(Content::Page(page)))
}

/// The lowest and the highest requested status.
fn statuses(given: &Changes) -> Result<(i64, i64), Error> {
    let unfit = || invalid("status", "must be a status such as 404, or a class such as 4xx");
    let Some(text) = given.named_text("status") else { return Ok((0, 999)) };
    if let Some(class) = text.strip_suffix("xx") {
        let class: i64 = class.parse().map_err(|_| unfit())?;
        return if (1..=5).contains(&class) { Ok((class * 100, class * 100 + 99)) } else { Err(unfit()) };
    }
    let status: i64 = text.parse().map_err(|_| unfit())?;
    if (100..=599).contains(&status) { Ok((status, status)) } else { Err(unfit()) }
}

/// The newest request with this id, because clients may use an id several times.
fn one(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let by_id =
        "WHERE r.workspace_id = $1 AND r.request_id = $2 AND (r.user_id = $3 OR $3 = $4) ORDER BY r.id DESC LIMIT 1";
    let asked = call.path.first().map_or("", String::as_str);
    let params = [call.ctx.workspace.into(), asked.into(), whose(call).into(), Uuid::nil().into()];
    let found = tx.one(&format!("{COLUMNS} {by_id}"), &params, shown)?;
    Ok(Reply::json(&found.ok_or_else(|| not_found("a request with this id"))?.1))
}
