//! An operation of the API, as a value: what it takes, what it needs, what it gives, and the rule that runs.

mod call;

pub use call::{
    Call, Content, Piece, Prepared, Rate, Reply, Sent, Stored, Stream, asked, limit, list_by, list_under, list_where,
    make, show, show_with, under,
};

use crate::account::{Reach, Trouble};
use crate::import::Rows;
use crate::member::Role;
use crate::scope::Scope;
use crate::sheet::Format;
use crate::sourcing::Found;
use crate::sourcing::network::{Answered, Asking};
use crate::timeline::{self, TimelineQuery};
use crate::workspace::Feature;
use call::{list_all, read_one};
use resource::{About, Ctx, Error, Field, Link, Problem, Rendered, Resource, Shape, record, render};
use serde_json::{Map, Value as Json};
use store::{Row, Tx, Uuid, Value};

#[derive(Clone, Copy)]
pub struct Operation {
    /// `GET`, `POST`, `PUT` (which is `PATCH` too) or `DELETE`.
    pub method: &'static str,
    pub path: &'static str,
    /// Its name in the API document, in metrics and in logs.
    pub name: &'static str,
    pub summary: &'static str,
    /// `None`: any key may.
    pub scope: Option<Scope>,
    /// One that does as well: what it works on has several areas.
    pub or: Option<Scope>,
    /// A second one that it needs, too.
    pub also: Option<Scope>,
    /// Any scope to read will do, and one it must be.
    pub any_read: bool,
    /// Of the dashboard: who may at least. The API asks for scopes instead.
    pub role: Option<Role>,
    /// Of the dashboard: the session must have given its password within the last minutes.
    pub reauthenticates: bool,
    /// Refused where no credits are left.
    pub pays: bool,
    /// Outside the rate limit: credits bound it.
    pub uncounted: bool,
    pub feature: Feature,
    pub query: Takes,
    pub body: Option<Body>,
    pub upload: Option<Upload>,
    pub answer: Answer,
    /// Media types of files that it may give instead.
    pub files: &'static [&'static str],
    /// Long computations of a write, done before its transaction begins.
    pub prepare: Option<fn(&Call) -> Option<Prepared>>,
    /// The same for those that need something stored, in a read. What is wrong is told by the write.
    pub look: Option<Look>,
    pub run: Run,
}

/// What the query string may hold.
#[derive(Clone, Copy)]
pub enum Takes {
    Nothing,
    /// The list grammar over these fields.
    List(&'static About, &'static [Field]),
    /// The same but for paging, and a format.
    Export(&'static About, &'static [Field]),
    /// These members, as in a body.
    Members(&'static [Field]),
}

#[derive(Clone, Copy)]
pub struct Body {
    /// Its schema's name in the API document.
    pub name: &'static str,
    pub shape: Shape,
    pub creating: bool,
    /// The largest, in bytes.
    pub most: usize,
}

/// Most bytes of a body of members, unless its operation says otherwise.
pub const BODY: usize = 1024 * 1024;

/// A body of `multipart/form-data` whose part `file` is streamed into a temporary file. Where the operation has a `body`
/// too, the same may come as JSON, the file in its member `file_base64`.
#[derive(Clone, Copy)]
pub struct Upload {
    /// Its schema's name in the API document.
    pub name: &'static str,
    /// The largest file, in bytes; the form around it may have 64 KiB.
    pub most: u64,
    /// What may come beside the file, each in a part of its own.
    pub members: &'static [Field],
    /// Where only some types will do.
    pub only: Option<Only>,
}

/// Types of files, told by their bytes.
#[derive(Clone, Copy)]
pub struct Only {
    pub told: fn(&[u8]) -> Option<&'static str>,
    /// Their names, for whoever sent another.
    pub names: &'static str,
}

#[derive(Clone, Copy)]
pub struct Answer {
    pub statuses: &'static [u16],
    pub data: Data,
    /// Where a record shows other links than its resource says: the schema's name, and which.
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
    /// The same, not cut into pages.
    Whole(&'static About, &'static [Field]),
    Deleted,
    /// A list of what has a schema of its own, paged by cursor.
    Items(&'static str, fn() -> Json),
    /// The same, up to a checkpoint.
    Synced(&'static str, fn() -> Json),
    /// A list of these in the order of the feed.
    Feed(&'static str, fn() -> Json),
    /// The same as server-sent events.
    Live(&'static str, fn() -> Json),
    /// A record with more to it, in a schema of its own.
    Detail(&'static About, &'static str, fn() -> Json),
    /// A schema of its own, written where the operation is.
    Object(&'static str, fn() -> Json),
    /// A list of these, not cut into pages.
    Objects(&'static str, fn() -> Json),
    /// A file's bytes.
    File,
}

#[derive(Clone, Copy)]
pub enum Run {
    /// One record by the id in the path: one statement, no thread.
    Point(Point),
    Read(Rule),
    Write(Rule),
    Outside(Outside),
    /// A read whose answer takes long to compute, which is done after the transaction.
    Deferred(fn(&Call, &mut dyn Tx) -> Result<Deferred, Error>),
    /// A read, unless what is asked is outside.
    Either(Either),
    /// Many items, each in a unit of its own.
    Bulk(&'static Bulk),
    /// The same for what is one request to its user.
    Parts(&'static Parts),
    /// Found in a read, paid for in a write.
    Sold(Sold),
}

/// Makes the answer out of what was read.
pub type Deferred = Box<dyn FnOnce() -> Result<Reply, Error> + Send>;

pub type Rule = fn(&Call, &mut dyn Tx) -> Result<Reply, Error>;
/// Computes ahead of a write.
pub type Look = fn(&Call, &mut dyn Tx) -> Result<(), Error>;

/// Work in parts, each in a unit of its own, because all of them would hold up others for too long. A part that fails ends
/// the request; those before it stay, and sending the request again goes on after them.
pub struct Parts {
    /// In a read: checks the request as a whole and counts its parts.
    pub count: fn(&Call, &mut dyn Tx) -> Result<usize, Error>,
    /// Carries out a part.
    pub one: fn(&Call, &mut dyn Tx, usize) -> Result<Json, Error>,
    /// Makes the answer out of what each part gave.
    pub reply: fn(&[Json]) -> Reply,
}

/// How the items of a bulk are carried out: by the same rules as requests of their own.
pub struct Bulk {
    pub create: Rule,
    pub update: Rule,
    /// The member that names the record below which one is made.
    pub under: Option<&'static str>,
    /// The members by which an upsert finds its record, and how.
    pub known_by: &'static [&'static str],
    pub known: Known,
}

/// The record that a body means by one of its members.
pub type Known = fn(&Call, &mut dyn Tx, &str, &Map<String, Json>) -> Result<Option<Uuid>, Error>;

/// What touches the outside, in three steps: a write that checks and says what to do there, the doing, with no
/// transaction open, and a write that records the outcome. The first is durable before anything is done, so that
/// whatever a crash leaves half done is found again.
#[derive(Clone, Copy)]
pub struct Outside {
    pub ask: fn(&Call, &mut dyn Tx) -> Result<Errand, Error>,
    pub tell: fn(&Call, &mut dyn Tx, &Errand, &Outcome) -> Result<Reply, Error>,
}

#[derive(Clone, Copy)]
pub struct Either {
    pub is_outside: fn(&Call) -> bool,
    pub read: Rule,
    pub outside: Outside,
}

/// What costs credits: a read finds it, and a short write takes what the balance covers and cuts it to that. If the
/// answer can't be delivered, the credits are given back.
#[derive(Clone, Copy)]
pub struct Sold {
    pub find: fn(&Call, &mut dyn Tx) -> Result<Found, Error>,
    pub sell: fn(&Call, &mut dyn Tx, Found) -> Result<Bought, Error>,
}

/// The answer, and the entry of what was taken for it.
pub type Bought = (Reply, Option<Uuid>);

/// Something to do outside.
#[derive(Clone, Debug, PartialEq)]
pub enum Errand {
    /// Store the file that came with the request under this name; the job drops it if that is all that happens.
    Keep { blob: String, job: Uuid },
    /// The same for a file of text, which is stored as UTF-8.
    KeepText { blob: String, job: Uuid },
    /// Read the next rows of a stored table, from this byte on.
    Rows { blob: String, format: Format, delimiter: u8, from: u64, size: u64 },
    /// Remove what is left of deleted rows in the database's files.
    Scrub,
    /// Remove a stored file.
    Drop { blob: String },
    /// Read the text of a stored file of this type.
    Extract { blob: String, content_type: String },
    /// Ask a professional network.
    Network(Asking),
    /// Check a user's password against its hash.
    CheckPassword { user: Uuid, given: Covered, hash: String },
    /// The same, and hash a new one if it is good enough. `about` is what a guesser knows of the user.
    ChangePassword { user: Uuid, session: Uuid, given: Covered, hash: String, new: Covered, about: Vec<String> },
    /// See whether an account's addresses are well formed and, if it is to be tested, try them.
    /// `problems` were found before; with one of them it is not tested.
    Reach { reach: Reach, test: bool, problems: Vec<Problem> },
}

/// What stands in no log.
#[derive(Clone, PartialEq)]
pub struct Covered(pub String);

impl From<String> for Covered {
    fn from(text: String) -> Covered {
        Covered(text)
    }
}

impl std::fmt::Debug for Covered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("…")
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    Done,
    Text(String),
    /// A file of text is stored: its beginning and its size.
    Kept {
        head: String,
        size: u64,
    },
    Rows(Rows),
    /// Rows can't be read, and never will be.
    Unread(String),
    Network(Answered),
    /// Whether the password was right.
    Checked(bool),
    /// The hash of a new password; none if the old one was wrong.
    Hashed(Option<String>),
    /// What is wrong with each part of the account; nothing if it is well.
    Reached(Vec<(&'static str, Trouble)>),
}

#[derive(Clone, Copy)]
pub struct Point {
    pub statement: fn(&Ctx, Uuid) -> (&'static str, [Value; 2]),
    pub render: fn(&Ctx, &dyn Row) -> Result<Rendered, store::Error>,
    pub one: &'static str,
    /// Whether the answer may be kept until its workspace is written to: nothing but the workspace's own writes changes
    /// the record.
    pub kept: bool,
    /// The same, where the statement alone does not suffice.
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
        files: &[],
        prepare: None,
        look: None,
        run: Run::Read(unwritten),
    }
}

fn unwritten(_: &Call, _: &mut dyn Tx) -> Result<Reply, Error> {
    Err(store::Error::Internal("the operation has no rule".into()).into())
}

impl Operation {
    /// Whether it may change anything.
    pub const fn writes(&self) -> bool {
        matches!(self.run, Run::Write(_) | Run::Outside(_) | Run::Bulk(_) | Run::Parts(_) | Run::Sold(_))
    }
    /// Whether it can be sent again with an `Idempotency-Key`.
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
    /// Asks for the password again unless it was just given.
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
    /// The whole collection, as the list grammar filters and sorts it, in a format.
    pub const fn exports<R: Resource>(mut self) -> Self {
        self.query = Takes::Export(&R::ABOUT, R::FIELDS);
        self.answer = Answer::new(&[200], Data::File);
        self.files(&["text/csv", "application/x-ndjson"])
    }
    pub const fn files(mut self, types: &'static [&'static str]) -> Self {
        self.files = types;
        self
    }
    /// The timeline of the record whose id stands in the path.
    pub const fn timeline<R: Resource>(mut self) -> Self {
        self.query = Takes::Members(TimelineQuery::FIELDS);
        self.answer = Answer::new(&[200], Data::Items("Event", timeline::schema));
        self.run = Run::Read(timeline::read::<R>);
        self
    }
    /// The record whose id stands in the path.
    pub const fn record<R: Resource>(mut self) -> Self {
        self.answer = Answer::new(&[200], Data::Record(&R::ABOUT, R::FIELDS));
        self.run = Run::Point(Point {
            statement: record::<R>,
            render: render::<R>,
            one: R::ABOUT.one,
            kept: false,
            read: read_one::<R>,
        });
        self
    }
    /// Its answer is kept until the workspace is written to.
    pub const fn kept(mut self) -> Self {
        if let Run::Point(point) = &mut self.run {
            point.kept = true;
        }
        self
    }
    /// A body with the record's fields and these.
    pub const fn body<R: Resource>(mut self, name: &'static str, extra: &'static [Field], creating: bool) -> Self {
        self.body = Some(Body { name, shape: Shape { record: R::FIELDS, extra }, creating, most: BODY });
        self
    }
    pub const fn members(mut self, name: &'static str, fields: &'static [Field]) -> Self {
        self.body = Some(Body { name, shape: Shape { record: &[], extra: fields }, creating: true, most: BODY });
        self
    }
    /// A body of members that may be larger than most: bulk, files as base64.
    pub const fn large_members(mut self, name: &'static str, fields: &'static [Field], most: usize) -> Self {
        self.body = Some(Body { name, shape: Shape { record: &[], extra: fields }, creating: true, most });
        self
    }
    /// A body that may be as large as this.
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
    /// The record, with more to it than its fields and links.
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
    /// By these statuses.
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
    pub const fn gives_objects(mut self, name: &'static str, schema: fn() -> Json) -> Self {
        self.answer = Answer::new(&[200], Data::Objects(name, schema));
        self
    }
    pub const fn gives_file(mut self) -> Self {
        self.answer = Answer::new(&[200], Data::File);
        self
    }
    /// With these links instead of those that the resource always shows, as a schema of this name.
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
    pub const fn look(mut self, look: Look) -> Self {
        self.look = Some(look);
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
    pub const fn sold(mut self, sold: Sold) -> Self {
        self.run = Run::Sold(sold);
        self
    }
    pub const fn outside(mut self, outside: Outside) -> Self {
        self.run = Run::Outside(outside);
        self
    }
}
