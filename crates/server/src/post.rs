//! Hands messages over: takes what is due in one transaction, gives it to the outside with none open, and records what
//! came of it in another. Each account has a few hands; sessions to its server are kept and used again. Nothing is taken
//! before a session stands ready for it, so that a node that dies leaves few outcomes unknown.

mod hand;

pub use hand::{check as check_account, form as account_form};
pub(crate) use hand::{imap_server, provider, trouble_of};

use crate::{App, clock, http};
use crm::account::{self, ConnectedAccount, Reach, Trouble};
use crm::outbox::{self, Handover, Lease, Outcome};
use futures_util::future::join_all;
use hand::Sessions;
use resource::{Actor, Ctx, Error, find};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use store::{Engine, Lane as Reading, Tx, Uuid};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch::Receiver;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// How often an idle runner looks for messages that nobody told it of.
const SWEEP: Duration = Duration::from_millis(400);
/// How often it looks for what is left of nodes that are gone, and for accounts that did not work.
const ROUNDS: u32 = 5;
/// As many sessions to one account's server are open at a time.
const LINES: usize = 8;
/// As many of its messages are on their way or not recorded yet, and of unknown outcome if the node dies: while what came
/// of some is recorded, others are under way.
const HANDS: usize = 2 * LINES;
/// As many outcomes are recorded in one transaction.
const TOGETHER: usize = 64;
/// The lease in the database is longer than the time that the hand gives itself.
const MARGIN: Duration = Duration::from_secs(5);

/// The outbox's runner, as the rest of the server knows it.
pub struct Post {
    node: String,
    wake: Notify,
    accounts: Mutex<HashMap<(Uuid, Uuid), Arc<Sender>>>,
    settling: UnboundedSender<Settling>,
    unsettled: Mutex<Option<UnboundedReceiver<Settling>>>,
    in_hand: AtomicUsize,
    /// Accounts that are being tried.
    checking: Mutex<HashSet<Uuid>>,
    /// How long handing one message over may take, all in all.
    time: Duration,
}

/// One account that sends from this node.
pub(crate) struct Sender {
    workspace: Uuid,
    account: Uuid,
    hands: Arc<Semaphore>,
    lines: Semaphore,
    /// So that one look at what is due follows another.
    taking: tokio::sync::Mutex<()>,
    sessions: Sessions,
}

struct Settling {
    handover: Handover,
    outcome: Outcome,
    /// The hand is free when the outcome is recorded.
    hand: OwnedSemaphorePermit,
    sender: Arc<Sender>,
}

impl Post {
    pub fn new(time: Duration) -> Post {
        let (settling, unsettled) = unbounded_channel();
        Post {
            node: Uuid::new_v4().simple().to_string(),
            wake: Notify::new(),
            accounts: Mutex::default(),
            settling,
            unsettled: Mutex::new(Some(unsettled)),
            in_hand: AtomicUsize::new(0),
            checking: Mutex::default(),
            time,
        }
    }

    /// Something may be due.
    pub fn wake(&self) {
        self.wake.notify_one();
    }

    pub fn node(&self) -> &str {
        &self.node
    }

    /// How long a message is leased to a node, in milliseconds.
    pub fn longest_lease(&self) -> i64 {
        (self.time + MARGIN).as_millis() as i64
    }

    /// A lease to take messages with, and what it is by this machine's clock. Made before the transaction that takes.
    fn lease(&self) -> (Lease, Instant) {
        let time = self.longest_lease();
        (Lease { node: self.node.clone(), time }, clock::instant() + self.time)
    }

    fn sender(&self, workspace: Uuid, account: Uuid) -> Arc<Sender> {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = || {
            Arc::new(Sender {
                workspace,
                account,
                hands: Arc::new(Semaphore::new(HANDS)),
                lines: Semaphore::new(LINES),
                taking: tokio::sync::Mutex::default(),
                sessions: Sessions::default(),
            })
        };
        accounts.entry((workspace, account)).or_insert_with(fresh).clone()
    }

    /// Accounts that have nothing on its way let their sessions go.
    fn tidy(&self) {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        accounts.retain(|_, sender| Arc::strong_count(sender) > 1 || !sender.sessions.are_stale());
    }

    /// As many more messages of the account can be handed over at once.
    fn room(&self, workspace: Uuid, account: Uuid) -> usize {
        let sender = self.sender(workspace, account);
        sender.hands.available_permits().min(sender.lines.available_permits())
    }
}

/// Hands over what was taken until this deadline; what comes of it is recorded by and by.
fn hand_over(app: &Arc<App>, handovers: Vec<Handover>, deadline: Instant) {
    for handover in handovers {
        let sender = app.post.sender(handover.workspace, handover.account_id);
        app.post.in_hand.fetch_add(1, Ordering::AcqRel);
        let app = app.clone();
        tokio::spawn(async move {
            // The semaphores are never closed.
            let Ok(hand) = sender.hands.clone().acquire_owned().await else { return };
            let Ok(line) = sender.lines.acquire().await else { return };
            let outcome = hand::hand_over(&sender.sessions, &handover, deadline).await;
            drop(line);
            let settling = Settling { handover, outcome, hand, sender };
            if app.post.settling.send(settling).is_err() {
                tracing::error!("nobody records what came of a message");
            }
        });
    }
}

pub fn start(app: &Arc<App>, stopped: &Receiver<bool>) {
    let unsettled = app.post.unsettled.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(unsettled) = unsettled {
        tokio::spawn(settle(app.clone(), unsettled));
    }
    tokio::spawn(run(app.clone(), stopped.clone()));
}

/// Waits, for so long at most, until nothing is in hand any more.
pub async fn finish(app: &Arc<App>, longest: Duration) {
    let idle = async {
        while app.post.in_hand.load(Ordering::Acquire) > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    if tokio::time::timeout(longest, idle).await.is_err() {
        tracing::warn!("some messages were still being handed over; their outcomes will be looked for");
    }
}

async fn run(app: Arc<App>, mut stopped: Receiver<bool>) {
    // On an embedded database there is no other node: what is being handed over was so by one that is gone.
    let mut alone = app.store.engine() == Engine::Sqlite;
    let mut round = 0_u32;
    while !*stopped.borrow() {
        if round.is_multiple_of(ROUNDS) {
            look_after(&app, alone).await;
            alone = false;
            app.post.tidy();
        }
        round = round.wrapping_add(1);
        match app.store.read(Reading::Fast, outbox::due).await {
            Ok(due) => {
                for (workspace, account) in due {
                    let sender = app.post.sender(workspace, account);
                    tokio::spawn(take(app.clone(), sender, stopped.clone()));
                }
            }
            Err(error) => tracing::warn!(%error, "what is due can't be looked up"),
        }
        tokio::select! {
            () = tokio::time::sleep(SWEEP) => {}
            () = app.post.wake.notified() => {}
            _ = stopped.changed() => {}
        }
    }
}

/// Takes what is due of one account, as long as there is some and a hand is free.
async fn take(app: Arc<App>, sender: Arc<Sender>, stopped: Receiver<bool>) {
    // Another is at it already, and goes on until nothing is left.
    let Ok(_taking) = sender.taking.try_lock() else { return };
    while !*stopped.borrow() {
        let (workspace, account) = (sender.workspace, sender.account);
        let free = app.post.room(workspace, account);
        if free == 0 {
            return;
        }
        let ready = match hand::ready(&app, &sender, free).await {
            Ok(ready) => ready,
            Err(error) => {
                tracing::warn!(%error, %account, "an account can't be read");
                return;
            }
        };
        let (lease, deadline) = app.post.lease();
        let (ctx, secret) = (acting(&app, workspace), app.secret.clone());
        let taken = app.store.write(workspace, move |tx| {
            let taken = outbox::take_due(&ctx, tx, account, ready, &lease)?;
            let reach = if taken.is_empty() { None } else { account::reach(&ctx, tx, &secret, account)? };
            let from = if taken.is_empty() { None } else { Some(find::<ConnectedAccount>(&ctx, tx, account)?.record) };
            Ok::<_, Error>((taken, reach, from))
        });
        match taken.await {
            Ok((taken, reach, from)) => {
                app.wrote(workspace);
                let all = taken.len() == ready;
                if let (Some(reach), Some(from)) = (reach, from) {
                    sender.sessions.know(&app.guard, reach, &from);
                }
                hand_over(&app, taken, deadline);
                if !all {
                    return;
                }
                hand::open_more(&sender, free - ready);
            }
            Err(error) => {
                tracing::warn!(%error, %account, "messages can't be taken");
                return;
            }
        }
    }
}

fn acting(app: &Arc<App>, workspace: Uuid) -> Ctx {
    Ctx { workspace, actor: Actor::system("outbox"), memory: app.memory.clone() }
}

/// Records outcomes as they come, many in one transaction.
async fn settle(app: Arc<App>, mut unsettled: UnboundedReceiver<Settling>) {
    let mut some = Vec::new();
    while unsettled.recv_many(&mut some, TOGETHER).await > 0 {
        // Their lines are free: the next messages are taken meanwhile, if it can be by the same commit.
        take_more(&app, senders(&some));
        let mut by_workspace: HashMap<Uuid, Vec<Settling>> = HashMap::new();
        for settling in some.drain(..) {
            by_workspace.entry(settling.handover.workspace).or_default().push(settling);
        }
        join_all(by_workspace.into_iter().map(|(workspace, some)| record(&app, workspace, some))).await;
    }
}

async fn record(app: &Arc<App>, workspace: Uuid, some: Vec<Settling>) {
    let outcomes: Vec<(Handover, Outcome)> =
        some.iter().map(|one| (one.handover.clone(), one.outcome.clone())).collect();
    if let Err(error) = write_down(app, workspace, outcomes.clone()).await {
        tracing::error!(%error, "outcomes of messages can't be recorded together");
        // One that can't be recorded keeps no other from it.
        join_all(outcomes.into_iter().map(|outcome| insist(app, workspace, outcome))).await;
    }
    app.wrote(workspace);
    let senders = senders(&some);
    for settled in some {
        drop(settled.hand);
        app.post.in_hand.fetch_sub(1, Ordering::AcqRel);
    }
    take_more(app, senders);
}

/// Those whose messages these are.
fn senders(some: &[Settling]) -> Vec<Arc<Sender>> {
    let mut senders: Vec<Arc<Sender>> = Vec::new();
    for Settling { sender, .. } in some {
        if !senders.iter().any(|known| Arc::ptr_eq(known, sender)) {
            senders.push(sender.clone());
        }
    }
    senders
}

fn take_more(app: &Arc<App>, senders: Vec<Arc<Sender>>) {
    for sender in senders {
        tokio::spawn(take(app.clone(), sender, app.stopped.clone()));
    }
}

async fn write_down(app: &Arc<App>, workspace: Uuid, outcomes: Vec<(Handover, Outcome)>) -> Result<(), Error> {
    let ctx = acting(app, workspace);
    app.store.write(workspace, move |tx| outbox::settle_all(&ctx, tx, &outcomes)).await
}

/// What came of a message must not be forgotten because the database was away for a moment.
async fn insist(app: &Arc<App>, workspace: Uuid, outcome: (Handover, Outcome)) {
    for wait in [0, 1, 2, 5, 10, 30, 60] {
        tokio::time::sleep(Duration::from_secs(wait)).await;
        match write_down(app, workspace, vec![outcome.clone()]).await {
            Ok(()) => return,
            Err(error) => tracing::error!(%error, message = %outcome.0.message_id, "an outcome can't be recorded"),
        }
    }
}

/// What nobody else sees to: messages in the hands of a node that is gone, outcomes that can be looked up, and accounts
/// that did not work.
async fn look_after(app: &Arc<App>, alone: bool) {
    let looked = async {
        let node = app.post.node.clone();
        let gone = move |tx: &mut dyn Tx| if alone { outbox::left_behind(tx, &node) } else { outbox::expired(tx) };
        for (workspace, message) in app.store.read(Reading::Fast, gone).await? {
            let ctx = acting(app, workspace);
            app.store.write(workspace, move |tx| outbox::expire(&ctx, tx, message, alone)).await?;
            app.wrote(workspace);
        }
        for sought in app.store.bookkeep(outbox::sought).await? {
            tokio::spawn(seek(app.clone(), sought));
        }
        for (workspace, account) in app.store.read(Reading::Fast, account::to_check).await? {
            if app.post.checking.lock().unwrap_or_else(PoisonError::into_inner).insert(account) {
                tokio::spawn(check(app.clone(), workspace, account));
            }
        }
        Ok::<_, Error>(())
    };
    if let Err(error) = looked.await {
        tracing::warn!(%error, "the outbox can't be looked after");
    }
}

/// An account, and how it is reached.
async fn account_of(
    app: &Arc<App>,
    workspace: Uuid,
    account: Uuid,
) -> Result<Option<(Reach, ConnectedAccount)>, Error> {
    let (ctx, secret) = (acting(app, workspace), app.secret.clone());
    let work = move |tx: &mut dyn Tx| {
        let reach = account::reach(&ctx, tx, &secret, account)?;
        let record = find::<ConnectedAccount>(&ctx, tx, account)?.record;
        Ok::<_, Error>(reach.map(|reach| (reach, record)))
    };
    app.store.read(Reading::Fast, work).await
}

/// How an account is reached, read anew.
pub(crate) async fn reach(app: &Arc<App>, workspace: Uuid, account: Uuid) -> Result<Option<Reach>, Error> {
    let (ctx, secret) = (acting(app, workspace), app.secret.clone());
    http::read(app, move |tx| account::reach(&ctx, tx, &secret, account)).await
}

/// Looks for a message of unknown outcome where sent mail is kept.
async fn seek(app: Arc<App>, sought: outbox::Sought) {
    let found = match reach(&app, sought.workspace, sought.account_id).await {
        Ok(Some(reach)) => hand::was_sent(&app.guard, &reach, &sought.reference).await,
        _ => return,
    };
    if found {
        let (ctx, message) = (acting(&app, sought.workspace), sought.message_id);
        if let Err(error) = app.store.write(sought.workspace, move |tx| outbox::found(&ctx, tx, message)).await {
            tracing::warn!(%error, "a message that was found can't be recorded");
        }
        app.wrote(sought.workspace);
    }
}

/// Tries an account that did not work.
async fn check(app: Arc<App>, workspace: Uuid, account: Uuid) {
    if let Ok(Some(reach)) = reach(&app, workspace, account).await {
        let trouble = Trouble::of_parts(&hand::check(&app.guard, &reach).await);
        note_health(&app, workspace, account, trouble).await;
    }
    app.post.checking.lock().unwrap_or_else(PoisonError::into_inner).remove(&account);
}

pub(crate) async fn note_health(app: &Arc<App>, workspace: Uuid, account: Uuid, trouble: Option<Trouble>) {
    let ctx = acting(app, workspace);
    let noted = app.store.write(workspace, move |tx| account::note_health(&ctx, tx, account, trouble.as_ref()));
    if let Err(error) = noted.await {
        tracing::warn!(%error, "an account's health can't be noted");
    }
    app.wrote(workspace);
    app.post.wake();
}
