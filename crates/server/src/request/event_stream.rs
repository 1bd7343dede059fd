//! Event streams: one reader per workspace reads new events in commit order and shares them with all streams of this node.
//!
//! A stream first reads the events that its client has missed, then follows the shared ring of the latest events. A stream
//! that is too slow for the ring is closed; its client reconnects with the last id it has seen and catches up.

use crate::request::auth::Credential;
use crate::request::envelope::Chunks;
use crate::request::received::too_many;
use crate::request::refused::Refused;
use crate::shares::Share;
use crate::{App, clock};
use bytes::Bytes;
use crm::api::call::Following;
use crm::api::feed::{self, Event};
use crm::api::key::Identity;
use crm::api::timeline::Wanted;
use futures_util::StreamExt;
use futures_util::stream::unfold;
use resource::{Actor, Ctx, Error};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};
use store::{Lane, Uuid};
use tokio::sync::{Notify, watch};

/// How often a reader looks for writes of other processes: commands and other nodes.
const SWEEP: Duration = Duration::from_millis(250);
/// How long a reader waits after a failed read.
const RETRY: Duration = Duration::from_secs(1);
/// Events per read.
const BATCH: i64 = 200;
/// The size of the ring. Older events are dropped even if a stream has not sent them yet.
const RING_EVENTS: usize = 4096;
const RING_BYTES: usize = 4 * 1024 * 1024;
/// The size of a chunk. The key is checked again before each chunk.
const CHUNK_EVENTS: usize = 100;
const CHUNK_BYTES: usize = 256 * 1024;
/// How often a comment is sent, so that proxies and clients don't close a quiet stream.
const COMMENT: Duration = Duration::from_secs(15);

/// The workspaces with open streams.
#[derive(Default)]
pub(crate) struct Streams(Mutex<HashMap<Uuid, Weak<Channel>>>);

struct Channel {
    ring: Mutex<Ring>,
    wake: Arc<Notify>,
    moved: watch::Sender<()>,
}

/// All events after position `from` up to `last`; empty at first.
struct Ring {
    from: i64,
    last: i64,
    events: VecDeque<Arc<Event>>,
    bytes: usize,
}

impl Streams {
    /// Makes the reader of a workspace read new events now, after a write on this node.
    pub(crate) fn wake(&self, workspace: Uuid) {
        if let Some(channel) = self.lock().get(&workspace).and_then(Weak::upgrade) {
            channel.wake.notify_one();
        }
    }

    /// The channel of a workspace. The first stream starts its reader; the reader ends with the last stream.
    fn channel(&self, app: &Arc<App>, workspace: Uuid) -> Arc<Channel> {
        let mut channels = self.lock();
        if let Some(channel) = channels.get(&workspace).and_then(Weak::upgrade) {
            return channel;
        }
        channels.retain(|_, channel| channel.strong_count() > 0);
        let ring = Ring { from: i64::MAX, last: i64::MAX, events: VecDeque::new(), bytes: 0 };
        let channel = Arc::new(Channel { ring: Mutex::new(ring), wake: Arc::default(), moved: watch::Sender::new(()) });
        channels.insert(workspace, Arc::downgrade(&channel));
        tokio::spawn(read_on(app.clone(), workspace, Arc::downgrade(&channel)));
        channel
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Uuid, Weak<Channel>>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The reader of a workspace.
async fn read_on(app: Arc<App>, workspace: Uuid, channel: Weak<Channel>) {
    let ctx = Ctx { workspace, actor: Actor::system("feed"), memory: app.memory.clone() };
    let (mut seen, mut last) = (None, None);
    while let Some(here) = channel.upgrade() {
        let wait = match advance(&app, &ctx, &here, &mut seen, &mut last).await {
            Ok(true) => continue,
            Ok(false) => SWEEP,
            Err(error) => {
                log_failure!(error, %workspace, "failed to read the feed; retrying in 1 s");
                RETRY
            }
        };
        let wake = here.wake.clone();
        // The waiting reader must not keep the channel alive.
        drop(here);
        let _ = tokio::time::timeout(wait, wake.notified()).await;
    }
}

/// Reads the next events if there was a commit since the last read. Returns whether there are more.
async fn advance(
    app: &Arc<App>,
    ctx: &Ctx,
    channel: &Channel,
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
    channel.add(found);
    Ok(more)
}

/// The events in the ring after a position.
enum Next {
    Events(Vec<Arc<Event>>),
    Nothing,
    /// The ring does not have all of them any more, or not yet.
    Elsewhere,
}

impl Channel {
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
    channel: Arc<Channel>,
    ctx: Ctx,
    /// The key or session as it was sent, to check whether it is still valid.
    shown: Credential,
    identity: Arc<Identity>,
    types: Option<String>,
    wanted: Arc<Wanted>,
    after: i64,
    /// The last id that was sent to the client.
    sent: i64,
    joined: bool,
    commented: Instant,
    moved: watch::Receiver<()>,
    keys: watch::Receiver<u64>,
    stopped: watch::Receiver<bool>,
    _share: Share,
}

/// The body of a stream: all new events, until the key becomes invalid, the server stops or the client is too slow.
pub(crate) fn stream(
    app: &Arc<App>,
    ctx: Ctx,
    identity: Arc<Identity>,
    shown: Credential,
    following: &Following,
) -> Result<Chunks, Refused> {
    let share = app.streams.try_take(ctx.workspace);
    let share =
        share.ok_or_else(|| too_many("too many event streams are open; close some of them, or use GET /events"))?;
    let channel = app.event_stream.channel(app, ctx.workspace);
    let listener = Listener {
        app: app.clone(),
        moved: channel.moved.subscribe(),
        channel,
        ctx,
        shown,
        wanted: Arc::new(Wanted::of(identity.scopes, following.types.as_deref())?),
        // `changes` starts as changed, so that the stream checks the key once more before it sends.
        keys: app.keys.changes(),
        identity,
        types: following.types.clone(),
        after: following.after,
        sent: following.after,
        joined: false,
        commented: clock::instant(),
        stopped: app.stopped.clone(),
        _share: share,
    };
    // The headers are sent with the first bytes of the body, so these are sent at once.
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
            if *self.stopped.borrow() || !self.is_still_valid().await {
                return None;
            }
            let since = clock::instant() - self.commented;
            if since >= COMMENT {
                self.commented = clock::instant();
                return Some(self.comment());
            }
            match self.channel.next(self.after) {
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
                            tracing::warn!(%error, workspace = %self.ctx.workspace, "failed to catch up with the feed; the stream is closed and the client reconnects");
                            return None;
                        }
                    };
                    let here = found.last == self.after;
                    self.after = found.last;
                    if let Some(chunk) = self.chunk(found.events.iter()) {
                        return Some(chunk);
                    }
                    if here {
                        // The reader has not filled the ring yet.
                        self.wait(SWEEP).await;
                    }
                }
                Next::Nothing => {
                    self.joined = true;
                    self.wait(COMMENT - since).await;
                }
            }
        }
    }

    /// Waits for new events, a changed key, the end of the key or the server, but not longer than `most`.
    async fn wait(&mut self, most: Duration) {
        let left = self.identity.expires_at.map(|at| Duration::from_millis((at - clock::now_ms()).max(0) as u64));
        tokio::select! {
            _ = self.moved.changed() => {}
            _ = self.keys.changed() => self.keys.mark_changed(),
            _ = self.stopped.changed() => {}
            () = tokio::time::sleep(left.map_or(most, |left| left.min(most))) => {}
        }
    }

    /// Checks the key again after any key has changed, and applies its current scopes. Returns whether it is still valid.
    async fn is_still_valid(&mut self) -> bool {
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

    /// The events among these that the client wants and may see.
    fn chunk<'a>(&mut self, events: impl Iterator<Item = &'a Event>) -> Option<Bytes> {
        let mut chunk = Vec::new();
        let (wanted, viewer) = (self.wanted.clone(), self.identity.user);
        let is_seen = |event: &&Event| {
            wanted.takes(&event.record, &event.kind) && event.private_to.is_none_or(|owner| owner == viewer)
        };
        for Event { place, kind, json, .. } in events.filter(is_seen) {
            chunk.extend_from_slice(format!("id: {place}\nevent: {kind}\ndata: ").as_bytes());
            chunk.extend_from_slice(json);
            chunk.extend_from_slice(b"\n\n");
            self.sent = *place;
        }
        (!chunk.is_empty()).then(|| chunk.into())
    }

    /// A keep-alive. It contains the current position if the stream has skipped events since the last one sent, so that the
    /// client does not reconnect at an old position.
    fn comment(&mut self) -> Bytes {
        if self.sent == self.after {
            return Bytes::from_static(b": still here\n\n");
        }
        self.sent = self.after;
        format!(": still here\nid: {}\n\n", self.after).into()
    }
}
