//! Finds possible duplicates: records with the same address or a similar name. Groups come with a score and the
//! reasons, those with the strongest reason first, and each group once. A merge combines a group into one record.

use crate::api::call::{Call, Content, Reply, limit, show};
use crate::api::operation::{Operation, get};
use crate::api::scope::{COMPANIES_READ, CONTACTS_READ};
use crate::records::company::Company;
use crate::records::contact::Contact;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use resource::{Ctx, Error, Field, Page, Position, Resource, invalid, place};
use serde_json::{Value as Json, json};
use store::{Lane, Tx, Uuid, Value};

/// The parameters of a search for duplicates.
#[derive(Resource)]
pub struct DuplicateQuery {
    /// The size of a page; 50 if not given.
    #[field(least = 1, most = 100)]
    pub limit: Option<i64>,
    /// Empty for the first page, then meta.next_cursor.
    pub cursor: Option<String>,
}

const QUERY: &[Field] = DuplicateQuery::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    get("/contacts/duplicates", "list_duplicate_contacts", "List possible duplicates of contacts")
        .scope(CONTACTS_READ)
        .query(QUERY)
        .gives_items("Duplicates", schema)
        .read(contacts),
    get("/companies/duplicates", "list_duplicate_companies", "List possible duplicates of companies")
        .scope(COMPANIES_READ)
        .query(QUERY)
        .gives_items("Duplicates", schema)
        .read(companies),
];

/// A property that duplicates share, and how strongly it indicates a duplicate.
struct Reason {
    name: &'static str,
    /// Its term; `None` is the likeness in the text index.
    term: Option<&'static str>,
    weight: f64,
    /// Shorter keys are ignored: a phone number of three digits is an extension.
    least: usize,
}

const OF_CONTACTS: &[Reason] = &[
    Reason { name: "email", term: Some("contact.email"), weight: 0.95, least: 1 },
    Reason { name: "network_profile", term: Some("contact.profile"), weight: 0.95, least: 1 },
    Reason { name: "phone", term: Some("contact.phone"), weight: 0.8, least: 6 },
    Reason { name: "name_and_company", term: None, weight: 0.7, least: 1 },
];
const OF_COMPANIES: &[Reason] = &[
    Reason { name: "domain", term: Some("company.domain"), weight: 0.9, least: 1 },
    Reason { name: "name", term: None, weight: 0.7, least: 1 },
];

/// Most records of a group that are shown.
const MOST: i64 = 20;

fn schema() -> Json {
    json!({
        "type": "object",
        "description": "Records that may be one.",
        "required": ["score", "reasons", "records"],
        "properties": {
            "score": { "type": "number", "description": "From 0 to 1: how far the reasons show it." },
            "reasons": {
                "type": "array",
                "items": { "type": "string", "enum": ["email", "network_profile", "phone", "name_and_company", "domain", "name"] },
            },
            "records": {
                "type": "array",
                "minItems": 2,
                "items": { "anyOf": [{ "$ref": "#/components/schemas/Contact" }, { "$ref": "#/components/schemas/Company" }] },
                "description": "Oldest first.",
            },
        },
    })
}

fn contacts(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    duplicates::<Contact>(call, tx, OF_CONTACTS)
}

fn companies(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    duplicates::<Company>(call, tx, OF_COMPANIES)
}

fn duplicates<R: Resource>(call: &Call, tx: &mut dyn Tx, reasons: &'static [Reason]) -> Result<Reply, Error> {
    let (limit, mut at) = asked(call, reasons.len())?;
    // If there are few duplicates, it scans a whole index.
    if tx.lane() == Lane::Fast {
        return Err(Error::SlowLane);
    }
    let mut groups: Vec<Json> = Vec::new();
    let mut last = None;
    let mut has_more = false;
    while at.0 < reasons.len() {
        let keys = next_keys::<R>(&call.ctx, tx, &reasons[at.0], &at.1, limit + 1)?;
        let end = (keys.len() as i64) <= limit;
        for key in keys {
            if let Some(group) = group::<R>(call, tx, reasons, at.0, &key)? {
                if groups.len() as i64 == limit {
                    has_more = true;
                    break;
                }
                groups.push(group);
                last = Some((at.0, key.clone()));
            }
            at.1 = key;
        }
        if has_more {
            break;
        }
        if end {
            at = (at.0 + 1, String::new());
        }
    }
    let next = last.filter(|_| has_more).map(|(stage, key)| BASE64_URL_SAFE_NO_PAD.encode(format!("{stage}:{key}")));
    let json = groups.iter().map(Json::to_string).collect::<Vec<_>>().join(",").into_bytes();
    let page = Page { json, limit, has_more, position: Position::Cursor { next } };
    Ok(Reply::of(Content::Page(page)))
}

/// The limit, and the position after the cursor: the reason, and the last key.
fn asked(call: &Call, reasons: usize) -> Result<(i64, (usize, String)), Error> {
    let asked = call.asked(QUERY)?;
    let limit = limit(&asked);
    let Some(cursor) = asked.named_text("cursor") else { return Ok((limit, (0, String::new()))) };
    let read = || {
        let text = String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
        let (stage, key) = text.split_once(':')?;
        let stage = stage.parse().ok().filter(|stage| *stage < reasons)?;
        (!key.contains('\0')).then(|| (stage, key.to_owned()))
    };
    Ok((limit, read().ok_or_else(|| invalid("cursor", "is not a cursor of this list"))?))
}

/// The next keys that several records have.
fn next_keys<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    reason: &Reason,
    after: &str,
    most: i64,
) -> Result<Vec<String>, Error> {
    const BY_TERM: &str = "SELECT key FROM terms WHERE workspace_id = $1 AND field = $2 AND key > $3 \
         GROUP BY key HAVING count(*) > 1 ORDER BY key LIMIT $4";
    const BY_LIKENESS: &str = "SELECT likeness FROM texts WHERE workspace_id = $1 AND collection = $2 AND likeness > $3 \
         GROUP BY likeness HAVING count(*) > 1 ORDER BY likeness LIMIT $4";
    let (sql, of) = reason.term.map_or((BY_LIKENESS, R::ABOUT.table), |term| (BY_TERM, term));
    Ok(tx.rows(sql, &[ctx.workspace.into(), of.into(), after.into(), most.into()], |row| row.text(0))?)
}

/// The records with this key, unless a stronger reason has listed them already.
fn group<R: Resource>(
    call: &Call,
    tx: &mut dyn Tx,
    reasons: &[Reason],
    stage: usize,
    key: &str,
) -> Result<Option<Json>, Error> {
    if key.chars().count() < reasons[stage].least {
        return Ok(None);
    }
    let ids = having::<R>(&call.ctx, tx, &reasons[stage], key)?;
    let ids = live::<R>(&call.ctx, tx, &ids)?;
    if ids.len() < 2 {
        return Ok(None);
    }
    let mut shared = Vec::new();
    for (at, reason) in reasons.iter().enumerate() {
        if at == stage || share::<R>(&call.ctx, tx, reason, &ids)? {
            shared.push((at, reason));
        }
    }
    if shared.iter().any(|(at, _)| *at < stage) {
        return Ok(None);
    }
    let doubt: f64 = shared.iter().map(|(_, reason)| 1.0 - reason.weight).product();
    let mut records = Vec::new();
    for id in ids {
        if let Content::Json(json) = show::<R>(&call.ctx, tx, id)?.data {
            records.push(place(R::ABOUT.table, "", &id).bytes::<Json>(&json)?);
        }
    }
    let names: Vec<&str> = shared.iter().map(|(_, reason)| reason.name).collect();
    Ok(Some(json!({ "score": ((1.0 - doubt) * 1000.0).round() / 1000.0, "reasons": names, "records": records })))
}

fn having<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, reason: &Reason, key: &str) -> Result<Vec<Uuid>, Error> {
    const BY_TERM: &str =
        "SELECT record FROM terms WHERE workspace_id = $1 AND field = $2 AND key = $3 ORDER BY record LIMIT $4";
    const BY_LIKENESS: &str = "SELECT record FROM texts WHERE workspace_id = $1 AND collection = $2 AND likeness = $3 ORDER BY record LIMIT $4";
    let (sql, of) = reason.term.map_or((BY_LIKENESS, R::ABOUT.table), |term| (BY_TERM, term));
    Ok(tx.rows(sql, &[ctx.workspace.into(), of.into(), key.into(), MOST.into()], |row| row.id(0))?)
}

/// The unarchived ones of these records.
fn live<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, ids: &[Uuid]) -> Result<Vec<Uuid>, Error> {
    let sql = format!("SELECT id FROM {} WHERE workspace_id = $1 AND id = $2 AND archived_at IS NULL", R::ABOUT.table);
    let mut live = Vec::new();
    for id in ids {
        live.extend(tx.one(&sql, &[ctx.workspace.into(), (*id).into()], |row| row.id(0))?);
    }
    Ok(live)
}

/// Whether all of these records share a key.
fn share<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, reason: &Reason, ids: &[Uuid]) -> Result<bool, Error> {
    let params = |id: Uuid| -> [Value; 3] { [ctx.workspace.into(), R::ABOUT.table.into(), id.into()] };
    let Some(term) = reason.term else {
        const LIKENESS: &str = "SELECT likeness FROM texts WHERE workspace_id = $1 AND collection = $2 AND record = $3";
        let mut first = None;
        for id in ids {
            let likeness =
                tx.one(LIKENESS, &params(*id), |row| row.get(0)?.maybe(|text| text.text().map(str::to_owned)))?;
            match (likeness.flatten(), &first) {
                (None, _) => return Ok(false),
                (Some(likeness), None) => first = Some(likeness),
                (Some(likeness), Some(first)) if likeness != *first => return Ok(false),
                _ => {}
            }
        }
        return Ok(true);
    };
    let Some((first, others)) = ids.split_first() else { return Ok(false) };
    for key in resource::term_keys::<R>(ctx, tx, term, *first)? {
        let mut all = key.chars().count() >= reason.least;
        for id in others {
            const HAS: &str = "SELECT 1 FROM terms WHERE workspace_id = $1 AND field = $2 AND key = $3 AND record = $4";
            let params = [ctx.workspace.into(), term.into(), key.as_str().into(), (*id).into()];
            all = all && tx.one(HAS, &params, |_| Ok(()))?.is_some();
        }
        if all {
            return Ok(true);
        }
    }
    Ok(false)
}
