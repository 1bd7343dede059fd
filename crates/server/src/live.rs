//! Live feeds: one reader per workspace hands the events of this node's streams around, in the order of the commits.
//!
//! A stream first reads for itself what it has missed, then joins the ring of the latest events that all share. One that
//! is too slow for the ring is ended; its client comes back with the last id it has seen and catches up.

use crate::auth::Credential;
use crate::envelope::Chunks;
use crate::{App, clock};
use bytes::Bytes;
use crm::feed::{self, Event, Following};
use crm::key::Identity;
use crm::timeline::Wanted;
use futures_util::StreamExt;
use futures_util::stream::unfold;
use resource::{Actor, Ctx, Error};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};
use store::{Lane, Uuid};
use tokio::sync::{Notify, watch};

/// How often a reader looks for what others have written: commands, other nodes.
const LOOK: Duration = Duration::from_millis(250);
/// How long it waits when the database can't be read.
const REST: Duration = Duration::from_secs(1);
/// Events it reads at a time.
const BATCH: i64 = 200;
/// What the ring holds at most, whoever has not read it yet.
const RING_EVENTS: usize = 4096;
const RING_BYTES: usize = 4 * 1024 * 1024;
/// What is sent at a time, before the key is looked at again.
const CHUNK_EVENTS: usize = 100;
const CHUNK_BYTES: usize = 256 * 1024;
/// How often a comment is sent, so that nobody takes a quiet stream for a dead one.
const COMMENT: Duration = Duration::from_secs(15);

/// The workspaces somebody listens to.
#[derive(Default)]
pub struct Live(Mutex<HashMap<Uuid, Weak<Room>>>);

struct Room {
    ring: Mutex<Ring>,
    wake: Arc<Notify>,
    moved: watch::Sender<()>,
}

/// All events of the places after `from` up to `last`; none at first.
struct Ring {
    from: i64,
    last: i64,
    events: VecDeque<Arc<Event>>,
    bytes: usize,
}

impl Live {
    /// Something was written on this node.
    pub fn wake(&self, workspace: Uuid) {
        if let Some(room) = self.lock().get(&workspace).and_then(Weak::upgrade) {
            room.wake.notify_one();
        }
    }

    /// The room of a workspace; who opens it starts its reader, which goes when the last listener does.
    fn room(&self, app: &Arc<App>, workspace: Uuid) -> Arc<Room> {
        let mut rooms = self.lock();
        if let Some(room) = rooms.get(&workspace).and_then(Weak::upgrade) {
            return room;
        }
        rooms.retain(|_, room| room.strong_count() > 0);
        let ring = Ring { from: i64::MAX, last: i64::MAX, events: VecDeque::new(), bytes: 0 };
        let room = Arc::new(Room { ring: Mutex::new(ring), wake: Arc::default(), moved: watch::Sender::new(()) });
        rooms.insert(workspace, Arc::downgrade(&room));
        tokio::spawn(read_on(app.clone(), workspace, Arc::downgrade(&room)));
        room
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Uuid, Weak<Room>>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The one reader of a workspace.
async fn read_on(app: Arc<App>, workspace: Uuid, room: Weak<Room>) {
    let ctx = Ctx { workspace, actor: Actor::system("feed"), memory: app.memory.clone() };
    let (mut seen, mut last) = (None, None);
    while let Some(here) = room.upgrade() {
        let wait = match advance(&app, &ctx, &here, &mut seen, &mut last).await {
            Ok(true) => continue,
            Ok(false) => LOOK,
            Err(error) => {
                tracing::warn!(%error, %workspace, "the feed can't be read");
                REST
            }
        };
        let wake = here.wake.clone();
        // Whoever waits here must not keep the room open.
        drop(here);
        let _ = tokio::time::timeout(wait, wake.notified()).await;
    }
}

/// Reads on if anything was committed since; true if there is more.
async fn advance(
    app: &Arc<App>,
    ctx: &Ctx,
    room: &Room,
    seen: &mut Option<i64>,
    last: &mut Option<i64>,
) -> Result<bool, Error> {
    let (sql, workspace) = feed::stamp(ctx.workspace);
    let stamp = app.store.point(sql, &[workspace.into()], |row| row.int(0)).await?;
    if stamp == *seen {
        return Ok(false);
    }
    let (ctx, after) = (ctx.clone(), *last);
    let read = app.store.read(Lane::Fast, move |tx| match after {
        Some(after) => feed::read_on(&ctx, tx, after, BATCH),
        None => feed::now(&ctx, tx),
    });
    let found = read.await?;
    let more = found.has_more;
    *last = Some(found.last);
    if !more {
        *seen = stamp;
    }
    room.add(found);
    Ok(more)
}

/// What the ring has for one who has seen all up to a place.
enum Next {
    Events(Vec<Arc<Event>>),
    Nothing,
    /// Some of it is no longer there, or not yet.
    Elsewhere,
}

impl Room {
    fn add(&self, found: feed::Looked) {
        let mut ring = self.lock();
        if ring.from == i64::MAX {
            ring.from = found.last;
        }
        ring.last = found.last;
        for event in found.events {
            ring.bytes += event.json.len();
            ring.events.push_back(Arc::new(event));
        }
        while ring.events.len() > RING_EVENTS || ring.bytes > RING_BYTES {
            let Some(oldest) = ring.events.pop_front() else { break };
            ring.bytes -= oldest.json.len();
            ring.from = oldest.place;
        }
        drop(ring);
        self.moved.send_replace(());
    }

    fn next(&self, after: i64) -> Next {
        let ring = self.lock();
        if after < ring.from {
            return Next::Elsewhere;
        }
        let (first, mut bytes) = (ring.events.partition_point(|event| event.place <= after), 0);
        let events: Vec<_> = ring
            .events
            .range(first..)
            .take(CHUNK_EVENTS)
            .take_while(|event| {
                let fits = bytes < CHUNK_BYTES;
                bytes += event.json.len();
                fits
            })
            .cloned()
            .collect();
        if events.is_empty() { Next::Nothing } else { Next::Events(events) }
    }

    fn lock(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// One client's stream.
struct Listener {
    app: Arc<App>,
    room: Arc<Room>,
    ctx: Ctx,
    /// The key or session as it was sent, to see whether it still opens this.
    shown: Credential,
    identity: Arc<Identity>,
    types: Option<String>,
    wanted: Arc<Wanted>,
    after: i64,
    /// The place that the client knows of.
    told: i64,
    joined: bool,
    commented: Instant,
    moved: watch::Receiver<()>,
    keys: watch::Receiver<u64>,
    stopped: watch::Receiver<bool>,
}

/// The body of a stream: all that follows, until the key ends, the server stops or the client is too slow.
pub fn stream(
    app: &Arc<App>,
    ctx: Ctx,
    identity: Arc<Identity>,
    shown: Credential,
    following: &Following,
) -> Result<Chunks, Error> {
    let room = app.live.room(app, ctx.workspace);
    let listener = Listener {
        app: app.clone(),
        moved: room.moved.subscribe(),
        room,
        ctx,
        shown,
        wanted: Arc::new(Wanted::of(identity.scopes, following.types.as_deref())?),
        // Whether it is still what it was a moment ago is looked at first.
        keys: app.keys.changes(),
        identity,
        types: following.types.clone(),
        after: following.after,
        told: following.after,
        joined: false,
        commented: clock::instant(),
        stopped: app.stopped.clone(),
    };
    // Headers are sent with the first bytes, so there are some at once.
    let hello = Bytes::from_static(b"retry: 1000\n: the feed follows\n\n");
    let begun = futures_util::stream::once(async { Ok(hello) });
    let rest = unfold(listener, |mut listener| async move {
        let chunk = listener.next().await?;
        Some((Ok(chunk), listener))
    });
    Ok(begun.chain(rest).boxed())
}

impl Listener {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if *self.stopped.borrow() || !self.still_opens().await {
                return None;
            }
            let since = clock::instant() - self.commented;
            if since >= COMMENT {
                self.commented = clock::instant();
                return Some(self.comment());
            }
            match self.room.next(self.after) {
                Next::Events(events) => {
                    self.joined = true;
                    self.after = events.last().map_or(self.after, |event| event.place);
                    if let Some(chunk) = self.chunk(events.iter().map(|event| &**event)) {
                        return Some(chunk);
                    }
                }
                Next::Elsewhere if self.joined => return None,
                Next::Elsewhere => {
                    let found = match self.catch_up().await {
                        Ok(found) => found,
                        Err(error) => {
                            tracing::warn!(%error, "a live feed ended");
                            return None;
                        }
                    };
                    let here = found.last == self.after;
                    self.after = found.last;
                    if let Some(chunk) = self.chunk(found.events.iter()) {
                        return Some(chunk);
                    }
                    if here {
                        // The room's reader is about to begin.
                        self.wait(LOOK).await;
                    }
                }
                Next::Nothing => {
                    self.joined = true;
                    self.wait(COMMENT - since).await;
                }
            }
        }
    }

    /// Until something moved, or so long, or the key's end.
    async fn wait(&mut self, most: Duration) {
        let left = self.identity.expires_at.map(|at| Duration::from_millis((at - clock::now_ms()).max(0) as u64));
        tokio::select! {
            _ = self.moved.changed() => {}
            _ = self.keys.changed() => self.keys.mark_changed(),
            _ = self.stopped.changed() => {}
            () = tokio::time::sleep(left.map_or(most, |left| left.min(most))) => {}
        }
    }

    /// Looks again at a key when any has changed; what it may see then is what the stream shows.
    async fn still_opens(&mut self) -> bool {
        if self.keys.has_changed().unwrap_or(false) {
            self.keys.mark_unchanged();
            let found = self.app.keys.identify(&self.app.store, &self.shown).await;
            let Ok(Some(identity)) = found else { return false };
            if identity.workspace != self.ctx.workspace {
                return false;
            }
            match Wanted::of(identity.scopes, self.types.as_deref()) {
                Ok(wanted) if identity.scopes.require_any_read().is_ok() => self.wanted = Arc::new(wanted),
                _ => return false,
            }
            self.identity = identity;
        }
        self.identity.active && self.identity.expires_at.is_none_or(|at| at > clock::now_ms())
    }

    async fn catch_up(&self) -> Result<feed::Looked, Error> {
        let (ctx, wanted, after) = (self.ctx.clone(), self.wanted.clone(), self.after);
        self.app.store.read(Lane::Fast, move |tx| feed::catch_up(&ctx, tx, &wanted, after, BATCH)).await
    }

    /// What of these the client wants and may see.
    fn chunk<'a>(&mut self, events: impl Iterator<Item = &'a Event>) -> Option<Bytes> {
        let mut chunk = Vec::new();
        for Event { place, kind, json, .. } in events.filter(|event| self.wanted.takes(&event.record, &event.kind)) {
            chunk.extend_from_slice(format!("id: {place}\nevent: {kind}\ndata: ").as_bytes());
            chunk.extend_from_slice(json);
            chunk.extend_from_slice(b"\n\n");
            self.told = *place;
        }
        (!chunk.is_empty()).then(|| chunk.into())
    }

    /// Where others' events have moved the place on, the client is told, so that it does not come back to an old one.
    fn comment(&mut self) -> Bytes {
        if self.told == self.after {
            return Bytes::from_static(b": still here\n\n");
        }
        self.told = self.after;
        format!(": still here\nid: {}\n\n", self.after).into()
    }
}
