//! An operation of the API as a value: its input, permissions, output, and the function that runs it.

use crate::api::call::{Call, Prepared, Reply, list_all, read_one};
use crate::api::effects::{Effect, EffectResult};
use crate::api::scope::{Feature, Role, Scope};
use crate::api::timeline::{self, TimelineQuery};
use resource::{About, Ctx, Error, Field, Link, Rendered, Resource, Shape, record, render};
use serde_json::{Map, Value as Json};
use std::sync::Arc;
use store::{Row, Tx, Uuid, Value};

#[derive(Clone, Copy)]
pub struct Operation {
    /// `GET`, `POST`, `PUT` (which is `PATCH` too) or `DELETE`.
    pub method: &'static str,
    pub path: &'static str,
    /// Its name in the API document, in metrics and in logs.
    pub name: &'static str,
    pub summary: &'static str,
    /// The required scope; `None` allows any key.
    pub scope: Option<Scope>,
    /// An alternative scope, for operations on records of several areas.
    pub or: Option<Scope>,
    /// A second required scope.
    pub also: Option<Scope>,
    /// Requires at least one `*:read` scope.
    pub any_read: bool,
    /// Dashboard only: the lowest role that may call it. The API uses scopes instead.
    pub role: Option<Role>,
    /// Dashboard only: the user must have entered the password within the last minutes.
    pub reauthenticates: bool,
    /// Rejected if no credits are left.
    pub pays: bool,
    /// Not rate limited, because credits limit it.
    pub uncounted: bool,
    pub feature: Feature,
    pub query: Takes,
    pub body: Option<Body>,
    pub upload: Option<Upload>,
    pub answer: Answer,
    /// The name and schema of its answer if the status is 202: a job completes the work.
    pub accepted: Option<Accepted>,
    /// Media types of files that it may return instead.
    pub files: &'static [&'static str],
    /// A long computation of a write, done before its transaction begins.
    pub prepare: Option<fn(&Call) -> Option<Prepared>>,
    /// The same with a read transaction, for computations that need stored data. Its errors are ignored: the write
    /// reports them.
    pub prepare_read: Option<PrepareRead>,
    pub run: Run,
}

/// The name of an answer's schema, and the function that builds the schema.
pub type Accepted = (&'static str, fn() -> Json);

/// The parameters in the query string.
#[derive(Clone, Copy)]
pub enum Takes {
    Nothing,
    /// The list grammar over these fields.
    List(&'static About, &'static [Field]),
    /// The same without paging, with a format.
    Export(&'static About, &'static [Field]),
    /// These members, as in a body.
    Members(&'static [Field]),
}

#[derive(Clone, Copy)]
pub struct Body {
    /// The name of its schema in the API document.
    pub name: &'static str,
    pub shape: Shape,
    pub creating: bool,
    /// Most bytes.
    pub most: usize,
}

/// Most bytes of a JSON body, unless the operation sets another limit.
pub const BODY: usize = 1024 * 1024;

/// A body of `multipart/form-data` whose part `file` is streamed into a temporary file. If the operation also has a
/// `body`, clients may send JSON with the file in `file_base64` instead.
#[derive(Clone, Copy)]
pub struct Upload {
    /// The name of its schema in the API document.
    pub name: &'static str,
    /// Most bytes of the file; the rest of the form may have 64 KiB.
    pub most: u64,
    /// Further members, each in a part of its own.
    pub members: &'static [Field],
    /// If only some types are accepted.
    pub only: Option<Only>,
}

/// File types that are detected from the bytes.
#[derive(Clone, Copy)]
pub struct Only {
    pub sniff: fn(&[u8]) -> Option<&'static str>,
    /// Their names, for the error message.
    pub names: &'static str,
}

#[derive(Clone, Copy)]
pub struct Answer {
    pub statuses: &'static [u16],
    pub data: Data,
    /// If a record shows other links than its resource: the name of the schema, and the links.
    pub shows: Option<(&'static str, &'static [Link])>,
}

impl Answer {
    const fn new(statuses: &'static [u16], data: Data) -> Answer {
        Answer { statuses, data, shows: None }
    }
}

/// The shape of `data`.
#[derive(Clone, Copy)]
pub enum Data {
    Record(&'static About, &'static [Field]),
    List(&'static About, &'static [Field]),
    /// A list without pages.
    Whole(&'static About, &'static [Field]),
    Deleted,
    /// A list of objects with a schema of their own, paged by cursor.
    Items(&'static str, fn() -> Json),
    /// The same, up to a checkpoint.
    Synced(&'static str, fn() -> Json),
    /// A list of these in the order of the feed.
    Feed(&'static str, fn() -> Json),
    /// The same as server-sent events.
    Live(&'static str, fn() -> Json),
    /// A record with additional members, in a schema of its own.
    Detail(&'static About, &'static str, fn() -> Json),
    /// An object with a schema of its own.
    Object(&'static str, fn() -> Json),
    /// A list of objects, without pages.
    Objects(&'static str, fn() -> Json),
    /// A file's bytes.
    File,
}

#[derive(Clone, Copy)]
pub enum Run {
    /// One record by the id in the path: one statement, without a worker thread.
    Point(Point),
    Read(Rule),
    Write(Rule),
    Effect(EffectSteps),
    /// The same between two reads: nothing is stored.
    ReadEffect(EffectSteps),
    /// A read whose answer takes long to compute, which is done after the transaction.
    Deferred(fn(&Call, &mut dyn Tx) -> Result<Deferred, Error>),
    /// A read, or an effect, depending on the call.
    Either(Either),
    /// Many items, each in a unit of its own.
    Bulk(&'static Bulk),
    /// The same for a request that appears as one to the user.
    Parts(&'static Parts),
    /// A read that finds results, and a write that charges credits for them.
    Paid(Find),
}

/// Computes the answer from what was read.
pub type Deferred = Box<dyn FnOnce() -> Result<Reply, Error> + Send>;

pub type Rule = fn(&Call, &mut dyn Tx) -> Result<Reply, Error>;
/// Reads what a computation ahead of a write needs, and gives the computation, which is done after the transaction.
pub type PrepareRead = fn(&Call, &mut dyn Tx) -> Result<Computation, Error>;
pub type Computation = Box<dyn FnOnce() -> Option<Prepared> + Send>;

/// Work in parts, each in a unit of its own, because a single one would block others for too long. If a part fails, the
/// request ends; the parts before it stay, and a repeated request continues after them.
pub struct Parts {
    /// In a read: checks the whole request and counts its parts.
    pub count: fn(&Call, &mut dyn Tx) -> Result<usize, Error>,
    /// Carries out a part.
    pub one: fn(&Call, &mut dyn Tx, usize) -> Result<Json, Error>,
    /// Builds the answer from the results of the parts.
    pub reply: fn(&[Json]) -> Reply,
}

/// How the items of a bulk request are carried out: by the same rules as separate requests.
pub struct Bulk {
    pub create: Rule,
    pub update: Rule,
    /// The member with the id of the parent record.
    pub under: Option<&'static str>,
    /// The members by which an upsert finds its record, and the function that does.
    pub known_by: &'static [&'static str],
    pub known: Known,
}

/// Finds the record that a body identifies by one of its members.
pub type Known = fn(&Call, &mut dyn Tx, &str, &Map<String, Json>) -> Result<Option<Uuid>, Error>;

/// An operation with an effect, in three steps: a write that checks the request and describes the effect, the effect
/// itself while no transaction is open, and a write that records the result. The first step is durable before the
/// second begins, so that nothing is lost in a crash.
#[derive(Clone, Copy)]
pub struct EffectSteps {
    pub prepare: fn(&Call, &mut dyn Tx) -> Result<Effect, Error>,
    pub complete: fn(&Call, &mut dyn Tx, &Effect, &EffectResult) -> Result<Reply, Error>,
}

#[derive(Clone, Copy)]
pub struct Either {
    pub uses_effect: fn(&Call) -> bool,
    pub read: Rule,
    pub effect: EffectSteps,
}

/// An operation that costs credits: a read finds the results and returns a `Charge`, a short write that takes the
/// credits and cuts the answer to what the balance covers. If the answer can't be delivered, the credits are refunded.
pub type Find = fn(&Call, &mut dyn Tx) -> Result<Charge, Error>;

/// Runs in a write, which may be retried.
pub type Charge = Arc<dyn Fn(&Call, &mut dyn Tx) -> Result<Charged, Error> + Send + Sync>;

/// The answer, and the ledger entry of the credits taken for it.
pub type Charged = (Reply, Option<Uuid>);

#[derive(Clone, Copy)]
pub struct Point {
    pub statement: fn(&Ctx, Uuid) -> (&'static str, [Value; 2]),
    pub render: fn(&Ctx, &dyn Row) -> Result<Rendered, store::Error>,
    pub one: &'static str,
    /// Whether the answer may be cached until the next write to the workspace, because nothing else changes the record.
    pub cacheable: bool,
    /// The full rule, for calls where the statement alone does not suffice.
    pub read: Rule,
}

pub const fn get(path: &'static str, name: &'static str, summary: &'static str) -> Operation {
    new("GET", path, name, summary)
}
pub const fn post(path: &'static str, name: &'static str, summary: &'static str) -> Operation {
    new("POST", path, name, summary)
}
pub const fn put(path: &'static str, name: &'static str, summary: &'static str) -> Operation {
    new("PUT", path, name, summary)
}
pub const fn delete(path: &'static str, name: &'static str, summary: &'static str) -> Operation {
    new("DELETE", path, name, summary)
}

const fn new(method: &'static str, path: &'static str, name: &'static str, summary: &'static str) -> Operation {
    Operation {
        method,
        path,
        name,
        summary,
        scope: None,
        or: None,
        also: None,
        any_read: false,
        role: None,
        reauthenticates: false,
        pays: false,
        uncounted: false,
        feature: Feature::Records,
        query: Takes::Nothing,
        body: None,
        upload: None,
        answer: Answer::new(&[200], Data::Deleted),
        accepted: None,
        files: &[],
        prepare: None,
        prepare_read: None,
        run: Run::Read(unwritten),
    }
}

fn unwritten(_: &Call, _: &mut dyn Tx) -> Result<Reply, Error> {
    Err(store::Error::Internal("the operation has no rule".into()).into())
}

impl Operation {
    /// Whether it may change anything.
    pub const fn writes(&self) -> bool {
        matches!(self.run, Run::Write(_) | Run::Effect(_) | Run::Bulk(_) | Run::Parts(_) | Run::Paid(_))
    }
    /// Whether the body may be missing, which means the same as `{}`.
    pub fn body_is_optional(&self) -> bool {
        let Some(body) = &self.body else { return self.upload.is_none() };
        let required =
            |fields: &[Field]| body.creating && fields.iter().any(|field| field.required && !field.read_only);
        match self.method {
            "DELETE" => true,
            "POST" => self.upload.is_none() && !required(body.shape.record) && !required(body.shape.extra),
            _ => false,
        }
    }
    /// Whether clients can repeat it with an `Idempotency-Key`.
    pub fn repeats(&self) -> bool {
        self.writes() && self.method == "POST"
    }
    pub const fn scope(mut self, scope: Scope) -> Self {
        self.scope = Some(scope);
        self
    }
    pub const fn or(mut self, scope: Scope) -> Self {
        self.or = Some(scope);
        self
    }
    pub const fn also(mut self, scope: Scope) -> Self {
        self.also = Some(scope);
        self
    }
    pub const fn any_read(mut self) -> Self {
        self.any_read = true;
        self
    }
    pub const fn role(mut self, least: Role) -> Self {
        self.role = Some(least);
        self
    }
    /// Asks for the password again unless the user has just entered it.
    pub const fn reauthenticates(mut self) -> Self {
        self.reauthenticates = true;
        self
    }
    pub const fn pays(mut self) -> Self {
        self.pays = true;
        self
    }
    pub const fn uncounted(mut self) -> Self {
        self.uncounted = true;
        self
    }
    pub const fn feature(mut self, feature: Feature) -> Self {
        self.feature = feature;
        self
    }
    /// The collection in the list grammar.
    pub const fn list<R: Resource>(mut self) -> Self {
        self.query = Takes::List(&R::ABOUT, R::FIELDS);
        self.answer = Answer::new(&[200], Data::List(&R::ABOUT, R::FIELDS));
        self.run = Run::Read(list_all::<R>);
        self
    }
    /// The whole collection, filtered and sorted by the list grammar, as a file.
    pub const fn exports<R: Resource>(mut self) -> Self {
        self.query = Takes::Export(&R::ABOUT, R::FIELDS);
        self.answer = Answer::new(&[200], Data::File);
        self.files(&["text/csv", "application/x-ndjson"])
    }
    pub const fn files(mut self, types: &'static [&'static str]) -> Self {
        self.files = types;
        self
    }
    /// The timeline of the record whose id is in the path.
    pub const fn timeline<R: Resource>(mut self) -> Self {
        self.query = Takes::Members(TimelineQuery::FIELDS);
        self.answer = Answer::new(&[200], Data::Items("Event", timeline::schema));
        self.run = Run::Read(timeline::read::<R>);
        self
    }
    /// The record whose id is in the path.
    pub const fn record<R: Resource>(mut self) -> Self {
        self.answer = Answer::new(&[200], Data::Record(&R::ABOUT, R::FIELDS));
        self.run = Run::Point(Point {
            statement: record::<R>,
            render: render::<R>,
            one: R::ABOUT.one,
            cacheable: false,
            read: read_one::<R>,
        });
        self
    }
    /// Caches the answer until the next write to the workspace.
    pub const fn cacheable(mut self) -> Self {
        if let Run::Point(point) = &mut self.run {
            point.cacheable = true;
        }
        self
    }
    /// A body with the fields of the record and these.
    pub const fn body<R: Resource>(mut self, name: &'static str, extra: &'static [Field], creating: bool) -> Self {
        self.body = Some(Body { name, shape: Shape { record: R::FIELDS, extra }, creating, most: BODY });
        self
    }
    pub const fn members(mut self, name: &'static str, fields: &'static [Field]) -> Self {
        self.body = Some(Body { name, shape: Shape { record: &[], extra: fields }, creating: true, most: BODY });
        self
    }
    /// A body with a larger limit, for bulk requests and files as base64.
    pub const fn large_members(mut self, name: &'static str, fields: &'static [Field], most: usize) -> Self {
        self.body = Some(Body { name, shape: Shape { record: &[], extra: fields }, creating: true, most });
        self
    }
    /// Sets the limit of the body.
    pub const fn up_to(mut self, most: usize) -> Self {
        if let Some(body) = &mut self.body {
            body.most = most;
        }
        self
    }
    pub const fn upload(mut self, upload: Upload) -> Self {
        self.upload = Some(upload);
        self
    }
    pub const fn query(mut self, fields: &'static [Field]) -> Self {
        self.query = Takes::Members(fields);
        self
    }
    pub const fn gives<R: Resource>(mut self, statuses: &'static [u16]) -> Self {
        self.answer = Answer::new(statuses, Data::Record(&R::ABOUT, R::FIELDS));
        self
    }
    /// The record, with more members than its fields and links.
    pub const fn gives_detail<R: Resource>(
        mut self,
        statuses: &'static [u16],
        name: &'static str,
        schema: fn() -> Json,
    ) -> Self {
        self.answer = Answer::new(statuses, Data::Detail(&R::ABOUT, name, schema));
        self
    }
    pub const fn gives_list<R: Resource>(mut self) -> Self {
        self.answer = Answer::new(&[200], Data::List(&R::ABOUT, R::FIELDS));
        self
    }
    pub const fn whole_list<R: Resource>(mut self) -> Self {
        self.answer = Answer::new(&[200], Data::Whole(&R::ABOUT, R::FIELDS));
        self
    }
    /// Sets the possible statuses.
    pub const fn answers(mut self, statuses: &'static [u16]) -> Self {
        self.answer.statuses = statuses;
        self
    }
    pub const fn gives_items(mut self, name: &'static str, schema: fn() -> Json) -> Self {
        self.answer = Answer::new(&[200], Data::Items(name, schema));
        self
    }
    pub const fn gives_synced(mut self, name: &'static str, schema: fn() -> Json) -> Self {
        self.answer = Answer::new(&[200], Data::Synced(name, schema));
        self
    }
    pub const fn gives_feed(mut self, name: &'static str, schema: fn() -> Json) -> Self {
        self.answer = Answer::new(&[200], Data::Feed(name, schema));
        self
    }
    pub const fn gives_live(mut self, name: &'static str, schema: fn() -> Json) -> Self {
        self.answer = Answer::new(&[200], Data::Live(name, schema));
        self
    }
    pub const fn gives_object(self, name: &'static str, schema: fn() -> Json) -> Self {
        self.gives_object_as(&[200], name, schema)
    }
    pub const fn gives_object_as(mut self, statuses: &'static [u16], name: &'static str, schema: fn() -> Json) -> Self {
        self.answer = Answer::new(statuses, Data::Object(name, schema));
        self
    }
    /// It may answer 202 with this object instead.
    pub const fn accepts(mut self, name: &'static str, schema: fn() -> Json) -> Self {
        self.accepted = Some((name, schema));
        self
    }
    pub const fn gives_objects(mut self, name: &'static str, schema: fn() -> Json) -> Self {
        self.answer = Answer::new(&[200], Data::Objects(name, schema));
        self
    }
    pub const fn gives_file(mut self) -> Self {
        self.answer = Answer::new(&[200], Data::File);
        self
    }
    /// Shows these links instead of the resource's own, in a schema of this name.
    pub const fn shows(mut self, name: &'static str, links: &'static [Link]) -> Self {
        self.answer.shows = Some((name, links));
        self
    }
    pub const fn read(mut self, rule: Rule) -> Self {
        self.run = Run::Read(rule);
        self
    }
    pub const fn deferred(mut self, rule: fn(&Call, &mut dyn Tx) -> Result<Deferred, Error>) -> Self {
        self.run = Run::Deferred(rule);
        self
    }
    pub const fn write(mut self, rule: Rule) -> Self {
        self.run = Run::Write(rule);
        self
    }
    pub const fn prepare(mut self, prepare: fn(&Call) -> Option<Prepared>) -> Self {
        self.prepare = Some(prepare);
        self
    }
    pub const fn prepare_read(mut self, prepare: PrepareRead) -> Self {
        self.prepare_read = Some(prepare);
        self
    }
    pub const fn bulk(mut self, bulk: &'static Bulk) -> Self {
        self.run = Run::Bulk(bulk);
        self
    }
    pub const fn parts(mut self, parts: &'static Parts) -> Self {
        self.run = Run::Parts(parts);
        self
    }
    pub const fn either(mut self, either: Either) -> Self {
        self.run = Run::Either(either);
        self
    }
    pub const fn paid(mut self, find: Find) -> Self {
        self.run = Run::Paid(find);
        self
    }
    pub const fn effect(mut self, steps: EffectSteps) -> Self {
        self.run = Run::Effect(steps);
        self
    }
    pub const fn read_effect(mut self, steps: EffectSteps) -> Self {
        self.run = Run::ReadEffect(steps);
        self
    }
}
