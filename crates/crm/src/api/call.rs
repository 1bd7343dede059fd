//! The input and output of an operation: the call, the reply, and how they show records and lists.

use crate::api::key::Identity;
use crate::api::meta::Secret;
use bytes::Bytes;
use resource::{
    Changes, Cond, Ctx, Error, Field, Input, Kind, Link, Op, Page, Query, Rendered, Resource, Shape, Test, create,
    custom, invalid, list_with, not_found, record, render_with, survivor,
};
use serde_json::{Map, Value as Json};
use std::any::Any;
use std::sync::{Arc, OnceLock};
use store::{Tx, Uuid, Value};

/// An authenticated request.
pub struct Call {
    pub ctx: Ctx,
    pub key: Arc<Identity>,
    /// The values of the path's parameters, in their order.
    pub path: Vec<String>,
    pub query: Vec<(String, String)>,
    pub body: Map<String, Json>,
    pub file: Option<Sent>,
    pub rate: Rate,
    /// The feed contains only events after this position.
    pub feed_from: i64,
    /// Identifies the request if it is repeated.
    pub idempotency: Option<IdempotencyKey>,
    /// The header `Last-Event-ID`.
    pub last_event: Option<String>,
    /// The base of links that the server sends out.
    pub public_url: Arc<str>,
    /// The key for the hashes of API keys and links.
    pub secret: Secret,
    /// The result of the operation's `prepare` or `prepare_read`.
    pub prepared: OnceLock<Prepared>,
}

/// The result of work that was done before the transaction so that it delays no other write. Only the operation knows
/// its type.
#[derive(Clone, Debug)]
pub struct Prepared(Arc<dyn Any + Send + Sync>);

impl Prepared {
    pub fn new<T: Any + Send + Sync>(result: T) -> Prepared {
        Prepared(Arc::new(result))
    }
}

/// The `Idempotency-Key` of a request. It belongs to the owner of the API key.
pub struct IdempotencyKey {
    pub key: String,
    /// A hash of the request's content.
    pub fingerprint: Vec<u8>,
}

/// An uploaded file, in an unnamed temporary file that disappears with the request.
#[derive(Debug)]
pub struct Sent {
    /// The client's name for it, without folders.
    pub filename: Option<String>,
    pub content_type: Option<String>,
    /// The type found in its bytes, if the operation needs it.
    pub sniffed: Option<&'static str>,
    pub size: u64,
    pub content: std::fs::File,
}

/// The window of the rate limit, as of this request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    pub limit: i64,
    pub remaining: i64,
    /// Seconds since 1970.
    pub reset: i64,
}

pub struct Reply {
    pub status: u16,
    pub location: Option<String>,
    /// The version of the record in `data`, if it has versions.
    pub version: Option<i64>,
    pub data: Content,
}

/// The content of the response.
pub enum Content {
    Json(Vec<u8>),
    Page(Page),
    /// A list without pages, and its length.
    Whole(Vec<u8>, usize),
    /// A complete body with its envelope: of a request with an `Idempotency-Key`, or of a cached record.
    Ready {
        body: Bytes,
        replayed: bool,
    },
    /// A stored file, sent without an envelope.
    File(Stored),
    /// Generated while it is sent, without an envelope.
    Stream(Stream),
    /// Events as they happen, until the client disconnects.
    Live(Following),
}

/// The position of a client in the change feed, and the types of events that it wants.
pub struct Following {
    pub after: i64,
    pub types: Option<String>,
}

/// A file that is generated while it is sent.
pub struct Stream {
    pub filename: String,
    pub content_type: &'static str,
    pub first: Piece,
    /// Reads the next piece, given the `next` of the previous one, in a transaction of its own.
    pub more: fn(&Call, &mut dyn Tx, &str) -> Result<Piece, Error>,
}

pub struct Piece {
    pub bytes: Vec<u8>,
    /// The position where the next piece starts; `None` if this is the last one.
    pub next: Option<String>,
}

/// A stored file and the headers for its download.
#[derive(Clone, Debug)]
pub struct Stored {
    pub blob: String,
    pub filename: String,
    pub content_type: String,
    pub size: u64,
}

impl Call {
    /// The id in the n-th path parameter; a malformed one counts as not found.
    pub fn id(&self, place: usize, one: &str) -> Result<Uuid, Error> {
        let text = self.path.get(place).map_or("", String::as_str);
        // Only the canonical form, so that a record has one address.
        let id = (text.len() == 36).then(|| Uuid::try_parse(text).ok()).flatten();
        id.ok_or_else(|| not_found(one))
    }

    pub fn changes<R: Resource>(&self, extra: &'static [Field], creating: bool) -> Result<Changes, Error> {
        Changes::check(&Shape { record: R::FIELDS, extra }, &Input(&self.body), creating)
    }

    /// The result of the operation's `prepare` or `prepare_read`, if it has this type.
    pub fn prepared<T: Any>(&self) -> Option<&T> {
        self.prepared.get()?.0.downcast_ref()
    }

    /// The query parameters, checked like members of a body.
    pub fn asked(&self, fields: &'static [Field]) -> Result<Changes, Error> {
        let mut members = Map::new();
        for (name, text) in &self.query {
            let whole = fields.iter().any(|field| field.name == name && field.kind == Kind::Int);
            let digits = whole && text.bytes().all(|byte| byte.is_ascii_digit());
            let number = digits.then(|| text.parse::<i64>().ok()).flatten().map(Json::from);
            if members.insert(name.clone(), number.unwrap_or_else(|| text.as_str().into())).is_some() {
                return Err(invalid(name.as_str(), "is given twice"));
            }
        }
        Changes::check(&Shape { record: &[], extra: fields }, &Input(&members), true)
    }

    /// A call with the same key, another path and another body.
    pub fn instead(&self, path: Vec<String>, body: Map<String, Json>) -> Call {
        Call {
            ctx: self.ctx.clone(),
            key: self.key.clone(),
            path,
            query: Vec::new(),
            body,
            file: None,
            rate: self.rate,
            feed_from: self.feed_from,
            idempotency: None,
            last_event: None,
            public_url: self.public_url.clone(),
            secret: self.secret.clone(),
            prepared: OnceLock::new(),
        }
    }

    pub fn members(&self, fields: &'static [Field]) -> Result<Changes, Error> {
        Changes::check(&Shape { record: &[], extra: fields }, &Input(&self.body), true)
    }
}

impl Reply {
    pub fn of(data: Content) -> Reply {
        Reply { status: 200, location: None, version: None, data }
    }
    /// A single record.
    pub fn record(rendered: Rendered) -> Reply {
        Reply { version: Some(rendered.version), ..Reply::of(Content::Json(rendered.json)) }
    }
    pub fn json(data: &Json) -> Reply {
        Reply::of(Content::Json(data.to_string().into_bytes()))
    }
    pub fn deleted() -> Reply {
        Reply::json(&serde_json::json!({ "deleted": true }))
    }
    pub fn whole(items: Vec<Json>) -> Reply {
        let length = items.len();
        Reply::of(Content::Whole(Json::Array(items).to_string().into_bytes(), length))
    }
    /// The id of the record in `data`.
    pub fn id(&self) -> Option<Uuid> {
        #[derive(serde::Deserialize)]
        struct Shown {
            id: Uuid,
        }
        let Content::Json(json) = &self.data else { return None };
        serde_json::from_slice::<Shown>(json).ok().map(|shown| shown.id)
    }
    pub fn created(mut self, location: String) -> Reply {
        self.status = 201;
        self.location = Some(location);
        self
    }
}

impl Content {
    /// The body in its envelope: `{data}` or `{data, meta}`; `None` for content without an envelope.
    pub fn body(&self) -> Option<Bytes> {
        let (json, meta) = match self {
            Content::Json(json) => (json, None),
            Content::Whole(json, length) => {
                (json, Some(format!("\"total\":{length},\"limit\":{length},\"offset\":0,\"has_more\":false")))
            }
            Content::Page(page) => (&page.json, Some(page.meta())),
            Content::Ready { body, .. } => return Some(body.clone()),
            Content::File(_) | Content::Stream(_) | Content::Live(_) => return None,
        };
        let items = matches!(self, Content::Page(_));
        let mut body = Vec::with_capacity(json.len() + 160);
        body.extend_from_slice(if items { b"{\"data\":[" } else { b"{\"data\":" });
        body.extend_from_slice(json);
        body.extend_from_slice(if items { b"]" } else { b"" });
        if let Some(meta) = meta {
            body.extend_from_slice(b",\"meta\":{");
            body.extend_from_slice(meta.as_bytes());
            body.push(b'}');
        }
        body.push(b'}');
        Some(body.into())
    }
}

/// The page size of a list that is only paged by cursor.
pub fn limit(asked: &Changes) -> i64 {
    if let Some(Value::Int(limit)) = asked.named("limit") { *limit } else { 50 }
}

/// The current record, rendered in this transaction.
pub fn show<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Reply, Error> {
    show_with::<R>(ctx, tx, id, R::ABOUT.links)
}

/// Like `show`, with these links instead of the resource's own.
pub fn show_with<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, links: &'static [Link]) -> Result<Reply, Error> {
    let (sql, params) = record::<R>(ctx, id);
    let Some(mut rendered) = tx.one(sql, &params, |row| render_with::<R>(ctx, row, links))? else {
        let survivor = survivor(ctx, tx, id)?.ok_or_else(|| not_found(R::ABOUT.one))?;
        return show_with::<R>(ctx, tx, survivor, links);
    };
    rendered.fill(ctx, tx)?;
    Ok(Reply::record(rendered))
}

/// Creates a record and renders it.
pub fn make<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, changes: &Changes) -> Result<(Uuid, Reply), Error> {
    let (id, rendered) = create::<R>(ctx, tx, changes)?;
    Ok((id, Reply::record(rendered)))
}

pub(super) fn list_all<R: Resource>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    list_where::<R>(call, tx, &[])
}

/// Lists the `R` that belong to the `Owner` in the path, with the whole list grammar: `contact_id` of a note references
/// a contact.
pub fn list_under<Owner: Resource, R: Resource>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    list_by::<Owner, R>(call, tx, &format!("{}_id", Owner::ABOUT.one), R::ABOUT.links, &[])
}

/// Like `list_under`, with this referencing field and these links, of the records that match `base`.
pub fn list_by<Owner: Resource, R: Resource>(
    call: &Call,
    tx: &mut dyn Tx,
    name: &str,
    links: &'static [Link],
    base: &[Cond],
) -> Result<Reply, Error> {
    let query = asked::<R>(call, tx)?;
    let owner = under::<Owner>(call, tx)?;
    // Without the field the list would not be limited to the owner.
    let field = R::FIELDS.iter().find(|field| field.name == name);
    let field = field.ok_or_else(|| store::Error::Internal(format!("a {} has no {name}", R::ABOUT.one)))?;
    let of_owner = Cond::Test(Test { field, op: Op::Eq, values: vec![owner.into()] });
    page::<R>(call, tx, &query, &[&[of_owner], base].concat(), links)
}

/// Lists the records of a collection that match `base`, with the list grammar.
pub fn list_where<R: Resource>(call: &Call, tx: &mut dyn Tx, base: &[Cond]) -> Result<Reply, Error> {
    let query = asked::<R>(call, tx)?;
    page::<R>(call, tx, &query, base, R::ABOUT.links)
}

/// The query of a list.
pub fn asked<R: Resource>(call: &Call, tx: &mut dyn Tx) -> Result<Query, Error> {
    let own = R::ABOUT.custom && Query::names_custom(&call.query);
    let custom = if own { custom::fields::<R>(&call.ctx, tx)? } else { Vec::new() };
    Query::parse(&R::ABOUT, R::FIELDS, &custom, &call.query)
}

fn page<R: Resource>(
    call: &Call,
    tx: &mut dyn Tx,
    query: &Query,
    base: &[Cond],
    links: &'static [Link],
) -> Result<Reply, Error> {
    let page = list_with::<R>(&call.ctx, tx, query, base, links)?;
    Ok(Reply::of(Content::Page(page)))
}

/// The record in the first path parameter, under which others are listed or created.
pub fn under<R: Resource>(call: &Call, tx: &mut dyn Tx) -> Result<Uuid, Error> {
    let sql = format!("SELECT id FROM {} WHERE workspace_id = $1 AND id = $2", R::ABOUT.table);
    let mut next = Some(call.id(0, R::ABOUT.one)?);
    while let Some(id) = next {
        if let Some(id) = tx.one(&sql, &[call.ctx.workspace.into(), id.into()], |row| row.id(0))? {
            return Ok(id);
        }
        // A record may have been merged into one of another kind.
        next = survivor(&call.ctx, tx, id)?;
    }
    Err(not_found(R::ABOUT.one))
}

pub(super) fn read_one<R: Resource>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    show::<R>(&call.ctx, tx, call.id(0, R::ABOUT.one)?)
}
