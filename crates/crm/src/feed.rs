//! The change feed: every change of every record of the workspace, in the order of the commits.
//!
//! An event's place is `stamp << 16 | n`. One commit of a workspace has one stamp, and the next can take a later one only
//! when the one before is visible to all: PostgreSQL holds the head's row until then, SQLite has one writer. So whoever
//! has seen a place has seen all before it, whatever is being written meanwhile.

use crate::operation::{Call, Content, Operation, Reply, get, limit};
use crate::timeline::{self, Wanted, is_kind, place, types};
use resource::{Changes, Ctx, Error, Page, Position, Resource, invalid};
use store::{Row, Tx, Uuid};

/// The parameters of the feed.
#[derive(Resource)]
pub struct FeedQuery {
    /// The sequence after which it goes on: `meta.last` of the page before. Left out, it begins with the oldest event that
    /// is kept; `latest` is where it ends now.
    pub after: Option<String>,
    /// Kinds or types of events, separated by commas: `note,contact.updated`.
    pub types: Option<String>,
    #[field(least = 1, most = 100)]
    pub limit: Option<i64>,
}

/// The parameters of the live feed.
#[derive(Resource)]
pub struct StreamQuery {
    /// The sequence after which it goes on, unless there is a `Last-Event-ID`. Left out, it begins now.
    pub after: Option<String>,
    /// Kinds or types of events, separated by commas: `note,contact.updated`.
    pub types: Option<String>,
}

pub const OPERATIONS: &[Operation] = &[
    get("/events", "list_events", "What changed in the workspace, in the order of the changes")
        .any_read()
        .query(FeedQuery::FIELDS)
        .read(read)
        .gives_feed("Event", timeline::schema),
    get("/events/stream", "stream_events", "The same, live, as server-sent events")
        .any_read()
        .query(StreamQuery::FIELDS)
        .read(follow)
        .gives_live("Event", timeline::schema),
];

/// Most events that are looked at for one page, whoever wants how few of them.
const LOOKED_AT: i64 = 1000;
/// How many more are looked at when those before were not enough.
const MORE: i64 = 250;

fn read(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let given = call.asked(FeedQuery::FIELDS)?;
    let wanted = Wanted::of(call.key.scopes, types(&given))?;
    let after = match given.text("after") {
        Some("latest") => end(&call.ctx, tx)?,
        _ => begin(call, tx, after(&given)?)?,
    };
    let limit = limit(&given);
    let found = look(&call.ctx, tx, &wanted, after, limit)?;
    let json = found.events.into_iter().map(|event| event.json).collect::<Vec<_>>().join(&b","[..]);
    let position = Position::Feed { last: found.last };
    Ok(Reply::of(Content::Page(Page { json, limit, has_more: found.has_more, position })))
}

/// Where somebody who follows the feed stands, and what he wants of it.
pub struct Following {
    pub after: i64,
    pub types: Option<String>,
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
    given.text("after").map(|text| place(text).ok_or_else(|| invalid("after", SEQUENCE))).transpose()
}

/// The place after which events are shown: the one that was asked for if the feed still has all that follows it.
fn begin(call: &Call, tx: &mut dyn Tx, after: Option<i64>) -> Result<i64, Error> {
    const FIRST: &str = "SELECT place FROM events WHERE workspace_id = $1 AND place > $2 ORDER BY place LIMIT 1";
    let kept = call.feed_from;
    let Some(after) = after else { return Ok(kept) };
    let mut first = |after: i64| tx.one(FIRST, &[call.ctx.workspace.into(), after.into()], |row| row.int(0));
    if after >= kept || first(after)?.is_none_or(|first| first > kept) {
        return Ok(after);
    }
    // From just before the oldest event that is kept all can be read, for as long as that one is.
    let oldest = match first(kept)? {
        Some(first) => first - 1,
        None => end(&call.ctx, tx)?,
    };
    Err(Error::Gone { oldest })
}

/// The place of the last event.
fn end(ctx: &Ctx, tx: &mut dyn Tx) -> Result<i64, Error> {
    const END: &str = "SELECT place FROM events WHERE workspace_id = $1 ORDER BY place DESC LIMIT 1";
    Ok(tx.one(END, &[ctx.workspace.into()], |row| row.int(0))?.unwrap_or(0))
}

/// The place before which nothing can be written any more: the last of the last commit in this snapshot.
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
}

pub struct Looked {
    pub events: Vec<Event>,
    /// All up to here was looked at.
    pub last: i64,
    pub has_more: bool,
}

/// The next events that somebody wants. If there are many others in between it stops short, with fewer than there is
/// room for or none, and has more.
fn look(ctx: &Ctx, tx: &mut dyn Tx, wanted: &Wanted, after: i64, limit: i64) -> Result<Looked, Error> {
    let mut found = Looked { events: Vec::new(), last: after, has_more: true };
    let (mut looked_at, mut most) = (0, limit + 1);
    while looked_at < LOOKED_AT {
        // The one beyond the page says that there is more, and is no part of what was looked at.
        let (mut rows, mut beyond) = (0, false);
        each(ctx, tx, found.last, most, &mut |place, record, kind, row| {
            rows += 1;
            let takes = wanted.takes(record, kind);
            beyond |= takes && found.events.len() as i64 == limit;
            if beyond {
                return Ok(());
            }
            found.last = place;
            if takes {
                let (record, kind) = (record.to_owned(), kind.to_owned());
                found.events.push(Event { place, record, kind, json: timeline::event(row)?.1 });
            }
            Ok(())
        })?;
        if beyond || rows < most {
            found.has_more = beyond;
            return Ok(found);
        }
        (looked_at, most) = (looked_at + rows, MORE);
    }
    Ok(found)
}

/// The same for one who stays: where nothing more is there, `last` is the end of the snapshot.
pub fn catch_up(ctx: &Ctx, tx: &mut dyn Tx, wanted: &Wanted, after: i64, limit: i64) -> Result<Looked, Error> {
    let head = head(ctx, tx)?;
    let mut found = look(ctx, tx, wanted, after, limit)?;
    if !found.has_more {
        found.last = found.last.max(head);
    }
    Ok(found)
}

/// The end of the feed, for one who begins there.
pub fn now(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Looked, Error> {
    Ok(Looked { events: Vec::new(), last: head(ctx, tx)?, has_more: false })
}

/// The next events of any kind that anybody is shown, for whoever hands them on.
pub fn read_on(ctx: &Ctx, tx: &mut dyn Tx, after: i64, limit: i64) -> Result<Looked, Error> {
    let head = head(ctx, tx)?;
    let mut found = Looked { events: Vec::new(), last: after, has_more: false };
    let mut rows = 0;
    each(ctx, tx, after, limit, &mut |place, record, kind, row| {
        (rows, found.last) = (rows + 1, place);
        if is_kind(record) {
            let (record, kind) = (record.to_owned(), kind.to_owned());
            found.events.push(Event { place, record, kind, json: timeline::event(row)?.1 });
        }
        Ok(())
    })?;
    found.has_more = rows == limit;
    if !found.has_more {
        found.last = found.last.max(head);
    }
    Ok(found)
}

type Take<'a> = dyn FnMut(i64, &str, &str, &dyn Row) -> Result<(), store::Error> + 'a;

/// Hands over the next events, in order: place, kind of record, type, row.
fn each(ctx: &Ctx, tx: &mut dyn Tx, after: i64, most: i64, take: &mut Take<'_>) -> Result<(), Error> {
    const NEXT: &str = "SELECT e.place, e.type, e.at, e.actor_kind, e.actor_id, e.actor_name, e.record_type, e.record_id, e.changes \
         FROM events e WHERE e.workspace_id = $1 AND e.place > $2 ORDER BY e.place LIMIT $3";
    tx.each(NEXT, &[ctx.workspace.into(), after.into(), most.into()], &mut |row| {
        take(row.int(0)?, row.get(6)?.text()?, row.get(1)?.text()?, row)
    })?;
    Ok(())
}
