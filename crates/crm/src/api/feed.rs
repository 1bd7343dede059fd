//! The change feed: every change of every record of the workspace, in the order of the commits.
//!
//! The position of an event is `stamp << 16 | n`. Each commit of a workspace has one stamp, and the next commit gets a
//! later one only after the previous is visible: PostgreSQL locks the head's row until then, SQLite has a single
//! writer. So a client that has seen a position has seen everything before it.

use crate::api::call::{Call, Content, Following, Reply, limit};
use crate::api::operation::{Operation, get};
use crate::api::private::{self, PRIVATE_TO};
use crate::api::timeline::{self, Wanted, is_kind, place, types};
use resource::{Changes, Ctx, Error, Page, Position, Resource, invalid};
use store::{Row, Tx, Uuid};

/// The parameters of the feed.
#[derive(Resource)]
pub struct FeedQuery {
    /// The sequence after which the page begins: `meta.last` of the previous page. Without it the feed begins with the
    /// oldest available event; `latest` is its current end.
    pub after: Option<String>,
    /// Kinds or types of events, separated by commas: `note,contact.updated`.
    pub types: Option<String>,
    /// The size of a page; 50 if not given.
    #[field(least = 1, most = 100)]
    pub limit: Option<i64>,
}

/// The parameters of the live feed.
#[derive(Resource)]
pub struct StreamQuery {
    /// The sequence after which the stream begins, unless there is a `Last-Event-ID`. Without it the stream begins now.
    pub after: Option<String>,
    /// Kinds or types of events, separated by commas: `note,contact.updated`.
    pub types: Option<String>,
}

pub const OPERATIONS: &[Operation] = &[
    get("/events", "list_events", "List all changes in the workspace, in their order")
        .any_read()
        .query(FeedQuery::FIELDS)
        .read(read)
        .gives_feed("Event", timeline::schema),
    get("/events/stream", "stream_events", "Stream all changes as server-sent events")
        .any_read()
        .query(StreamQuery::FIELDS)
        .read(follow)
        .gives_live("Event", timeline::schema),
];

/// Most events that are read for one page, however few of them match.
const MAX_SCANNED: i64 = 1000;
/// How many more are read if those before were not enough.
const MORE: i64 = 250;

fn read(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let given = call.asked(FeedQuery::FIELDS)?;
    let wanted = Wanted::of(call.key.scopes, types(&given))?;
    let after = match given.named_text("after") {
        Some("latest") => end(&call.ctx, tx)?,
        _ => begin(call, tx, after(&given)?)?,
    };
    let limit = limit(&given);
    let found = scan(&call.ctx, tx, &wanted, after, limit)?;
    let json = found.events.into_iter().map(|event| event.json).collect::<Vec<_>>().join(&b","[..]);
    let position = Position::Feed { last: found.last };
    Ok(Reply::of(Content::Page(Page { json, limit, has_more: found.has_more, position })))
}

fn follow(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let given = call.asked(StreamQuery::FIELDS)?;
    Wanted::of(call.key.scopes, types(&given))?;
    let seen = match &call.last_event {
        Some(id) => Some(place(id).ok_or_else(|| invalid("Last-Event-ID", SEQUENCE))?),
        None => after(&given)?,
    };
    let after = match seen {
        Some(_) => begin(call, tx, seen)?,
        None => head(&call.ctx, tx)?,
    };
    Ok(Reply::of(Content::Live(Following { after, types: types(&given).map(str::to_owned) })))
}

const SEQUENCE: &str = "is not a sequence: a whole number as events and meta.last tell it";

fn after(given: &Changes) -> Result<Option<i64>, Error> {
    given.named_text("after").map(|text| place(text).ok_or_else(|| invalid("after", SEQUENCE))).transpose()
}

/// The position after which events are shown: the requested one, if the feed still has everything after it.
fn begin(call: &Call, tx: &mut dyn Tx, after: Option<i64>) -> Result<i64, Error> {
    const FIRST: &str = "SELECT place FROM events WHERE workspace_id = $1 AND place > $2 ORDER BY place LIMIT 1";
    let kept = call.feed_from;
    let Some(after) = after else { return Ok(kept) };
    let mut first = |after: i64| tx.one(FIRST, &[call.ctx.workspace.into(), after.into()], |row| row.int(0));
    if after >= kept || first(after)?.is_none_or(|first| first > kept) {
        return Ok(after);
    }
    // All events after the position just before the oldest one are available.
    let oldest = match first(kept)? {
        Some(first) => first - 1,
        None => end(&call.ctx, tx)?,
    };
    Err(Error::Gone { oldest })
}

/// The position of the last event.
fn end(ctx: &Ctx, tx: &mut dyn Tx) -> Result<i64, Error> {
    const END: &str = "SELECT place FROM events WHERE workspace_id = $1 ORDER BY place DESC LIMIT 1";
    Ok(tx.one(END, &[ctx.workspace.into()], |row| row.int(0))?.unwrap_or(0))
}

/// The position up to which the feed is final: the last one of the last commit in this snapshot.
fn head(ctx: &Ctx, tx: &mut dyn Tx) -> Result<i64, Error> {
    let (sql, workspace) = stamp(ctx.workspace);
    Ok(tx.one(sql, &[workspace.into()], |row| Ok(last_of(row.int(0)?)))?.unwrap_or(0))
}

/// The stamp of a workspace's last commit: a statement for `Store::point`.
pub fn stamp(workspace: Uuid) -> (&'static str, Uuid) {
    ("SELECT stamp FROM heads WHERE workspace_id = $1", workspace)
}

fn last_of(stamp: i64) -> i64 {
    stamp << 16 | 0xffff
}

/// An event of the feed.
pub struct Event {
    pub place: i64,
    /// The kind of record.
    pub record: String,
    /// Its type: `contact.updated`.
    pub kind: String,
    pub json: Vec<u8>,
    /// The only member who may see it, if it belongs to a private account.
    pub private_to: Option<Uuid>,
}

pub struct Looked {
    pub events: Vec<Event>,
    /// Everything up to this position was read.
    pub last: i64,
    pub has_more: bool,
}

/// The next matching events. If there are many others in between, it stops early, with fewer events than `limit` or
/// none, and sets `has_more`.
fn scan(ctx: &Ctx, tx: &mut dyn Tx, wanted: &Wanted, after: i64, limit: i64) -> Result<Looked, Error> {
    let mut found = Looked { events: Vec::new(), last: after, has_more: true };
    let (mut scanned, mut most) = (0, limit + 1);
    let viewer = ctx.member();
    while scanned < MAX_SCANNED {
        // The first event beyond the page only proves that there is more; `last` does not include it.
        let (mut rows, mut beyond) = (0, false);
        each(ctx, tx, found.last, most, &mut |place, record, kind, private_to, row| {
            rows += 1;
            let takes = wanted.takes(record, kind) && private_to.is_none_or(|owner| owner == viewer);
            beyond |= takes && found.events.len() as i64 == limit;
            if beyond {
                return Ok(());
            }
            found.last = place;
            if takes {
                let (record, kind) = (record.to_owned(), kind.to_owned());
                found.events.push(Event { place, record, kind, json: timeline::event(row)?.1, private_to });
            }
            Ok(())
        })?;
        if beyond || rows < most {
            found.has_more = beyond;
            return Ok(found);
        }
        (scanned, most) = (scanned + rows, MORE);
    }
    Ok(found)
}

/// Like `scan`, for clients that stay connected: if there is nothing more, `last` is the end of the snapshot.
pub fn catch_up(ctx: &Ctx, tx: &mut dyn Tx, wanted: &Wanted, after: i64, limit: i64) -> Result<Looked, Error> {
    let head = head(ctx, tx)?;
    let mut found = scan(ctx, tx, wanted, after, limit)?;
    if !found.has_more {
        found.last = found.last.max(head);
    }
    Ok(found)
}

/// The end of the feed, for clients that begin there.
pub fn now(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Looked, Error> {
    Ok(Looked { events: Vec::new(), last: head(ctx, tx)?, has_more: false })
}

/// The next events of all visible kinds, for the event stream, which filters them per client.
pub fn read_on(ctx: &Ctx, tx: &mut dyn Tx, after: i64, limit: i64) -> Result<Looked, Error> {
    let head = head(ctx, tx)?;
    let mut found = Looked { events: Vec::new(), last: after, has_more: false };
    let mut rows = 0;
    each(ctx, tx, after, limit, &mut |place, record, kind, private_to, row| {
        (rows, found.last) = (rows + 1, place);
        if is_kind(record) {
            let (record, kind) = (record.to_owned(), kind.to_owned());
            found.events.push(Event { place, record, kind, json: timeline::event(row)?.1, private_to });
        }
        Ok(())
    })?;
    found.has_more = rows == limit;
    if !found.has_more {
        found.last = found.last.max(head);
    }
    Ok(found)
}

type Take<'a> = dyn FnMut(i64, &str, &str, Option<Uuid>, &dyn Row) -> Result<(), store::Error> + 'a;

/// Calls `take` for the next events, in order: position, kind of record, type, the only member who may see it, row.
fn each(ctx: &Ctx, tx: &mut dyn Tx, after: i64, most: i64, take: &mut Take<'_>) -> Result<(), Error> {
    let private_to = if private::exist(ctx, tx)? { PRIVATE_TO } else { "NULL" };
    let next = format!(
        "SELECT e.place, e.type, e.at, e.actor_kind, e.actor_id, e.actor_name, e.record_type, e.record_id, e.changes, \
         {private_to} FROM events e WHERE e.workspace_id = $1 AND e.place > $2 ORDER BY e.place LIMIT $3"
    );
    tx.each(&next, &[ctx.workspace.into(), after.into(), most.into()], &mut |row| {
        let private_to = row.get(9)?.maybe(|id| id.id())?;
        take(row.int(0)?, row.get(6)?.text()?, row.get(1)?.text()?, private_to, row)
    })?;
    Ok(())
}
