//! The outbox worker: takes due messages in one transaction, sends them with no transaction open, and records the outcomes
//! in another transaction. Sessions to mail servers are reused. A message is taken only when a session is ready for it, so
//! that a crash leaves few messages with an unknown outcome.

mod deliver;
mod filing;

use crate::accounts::Access;
use crate::{App, accounts, clock};
use crm::api::effects::Trouble;
use crm::outreach::account::{self, ConnectedAccount};
use crm::outreach::delivery::{self, Lease, Outcome};
use crm::outreach::outbox::{self, Handover};
use deliver::Sessions;
use futures_util::future::join_all;
use resource::{Actor, Ctx, Error, find};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use store::{Lane as Reading, Tx, Uuid};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch::Receiver;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// How often an idle worker looks for due messages without a wake-up.
const SWEEP: Duration = Duration::from_millis(400);
/// Every so many sweeps the worker looks for messages of crashed nodes and for failed accounts.
const RECOVER_EVERY: u32 = 5;
/// The most open sessions to one account's server.
const MAX_SESSIONS: usize = 8;
/// The most messages of one account that are being sent or wait for their outcome to be recorded. It is twice the number of
/// sessions, so that sending continues while outcomes are written. All of them are `unknown` if the node crashes.
const IN_FLIGHT: usize = 2 * MAX_SESSIONS;
/// The most outcomes recorded in one transaction.
const TOGETHER: usize = 64;
/// The lease in the database is this much longer than the deadline of a delivery.
const MARGIN: Duration = Duration::from_secs(5);

/// The shared state of the outbox worker.
pub(crate) struct Outbox {
    node: String,
    wake: Notify,
    accounts: Mutex<HashMap<(Uuid, Uuid), Arc<Sender>>>,
    outcomes: UnboundedSender<Delivered>,
    /// Taken by the task that records outcomes.
    unrecorded: Mutex<Option<UnboundedReceiver<Delivered>>>,
    in_flight: AtomicUsize,
    /// Accounts whose sent mails this node is filing.
    filing: AtomicUsize,
    /// Accounts whose connection is being tested.
    checking: Mutex<HashSet<Uuid>>,
    /// How long one delivery may take.
    time: Duration,
    /// When the worker started, by the database's clock.
    started: AtomicI64,
}

/// One account that sends from this node.
pub(crate) struct Sender {
    workspace: Uuid,
    account: Uuid,
    in_flight: Arc<Semaphore>,
    session_permits: Semaphore,
    /// Only one task at a time takes messages of the account.
    taking: tokio::sync::Mutex<()>,
    sessions: Sessions,
}

/// A delivery whose outcome is not recorded yet.
struct Delivered {
    handover: Handover,
    outcome: Outcome,
    /// Released when the outcome is recorded.
    permit: OwnedSemaphorePermit,
    sender: Arc<Sender>,
}

impl Outbox {
    pub(crate) fn new(time: Duration) -> Outbox {
        let (outcomes, unrecorded) = unbounded_channel();
        Outbox {
            node: Uuid::new_v4().simple().to_string(),
            wake: Notify::new(),
            accounts: Mutex::default(),
            outcomes,
            unrecorded: Mutex::new(Some(unrecorded)),
            in_flight: AtomicUsize::new(0),
            filing: AtomicUsize::new(0),
            checking: Mutex::default(),
            time,
            started: AtomicI64::new(i64::MAX),
        }
    }

    /// Makes the worker look for due messages now.
    pub(crate) fn wake(&self) {
        self.wake.notify_one();
    }

    pub(crate) fn node(&self) -> &str {
        &self.node
    }

    /// How long a message is leased to a node, in milliseconds.
    pub(crate) fn longest_lease(&self) -> i64 {
        (self.time + MARGIN).as_millis() as i64
    }

    /// A lease for the messages of one transaction, and the deadline of their deliveries by this machine's clock. The caller
    /// makes both before the transaction, so that the deadline is before the end of the lease.
    fn lease(&self) -> (Lease, Instant) {
        let (time, since) = (self.longest_lease(), self.started.load(Ordering::Acquire));
        (Lease { node: self.node.clone(), time, since }, clock::instant() + self.time)
    }

    fn sender(&self, workspace: Uuid, account: Uuid) -> Arc<Sender> {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = || {
            Arc::new(Sender {
                workspace,
                account,
                in_flight: Arc::new(Semaphore::new(IN_FLIGHT)),
                session_permits: Semaphore::new(MAX_SESSIONS),
                taking: tokio::sync::Mutex::default(),
                sessions: Sessions::default(),
            })
        };
        accounts.entry((workspace, account)).or_insert_with(fresh).clone()
    }

    /// Closes the sessions of accounts that sent nothing for a while.
    fn close_idle(&self) {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        accounts.retain(|_, sender| Arc::strong_count(sender) > 1 || !sender.sessions.are_stale());
    }

    /// How many more messages of the account can be sent right now.
    fn capacity(&self, workspace: Uuid, account: Uuid) -> usize {
        let sender = self.sender(workspace, account);
        sender.in_flight.available_permits().min(sender.session_permits.available_permits())
    }
}

/// Sends the messages that were taken, each in its own task. The outcomes go to the task that records them.
fn deliver(app: &Arc<App>, handovers: Vec<Handover>, deadline: Instant) {
    for handover in handovers {
        let sender = app.outbox.sender(handover.workspace, handover.account_id);
        app.outbox.in_flight.fetch_add(1, Ordering::AcqRel);
        let app = app.clone();
        tokio::spawn(async move {
            // The semaphores are never closed.
            let Ok(permit) = sender.in_flight.clone().acquire_owned().await else { return };
            let Ok(session_permit) = sender.session_permits.acquire().await else { return };
            let outcome = deliver::deliver(&app.files, &sender.sessions, &handover, deadline).await;
            drop(session_permit);
            let message = handover.message_id;
            if app.outbox.outcomes.send(Delivered { handover, outcome, permit, sender }).is_err() {
                tracing::error!(%message, "failed to record the outcome of a message: the outbox worker has ended; the message becomes unknown when its lease ends");
            }
        });
    }
}

pub(crate) fn start(app: &Arc<App>, stopped: &Receiver<bool>) {
    let unrecorded = app.outbox.unrecorded.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(unrecorded) = unrecorded {
        tokio::spawn(record_outcomes(app.clone(), unrecorded));
    }
    tokio::spawn(run(app.clone(), stopped.clone()));
}

/// Waits until no message is in flight, but not longer than `longest`.
pub(crate) async fn finish(app: &Arc<App>, longest: Duration) {
    let idle = async {
        while app.outbox.in_flight.load(Ordering::Acquire) > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    if tokio::time::timeout(longest, idle).await.is_err() {
        tracing::warn!(
            "stopping while messages are in flight; the outbox worker marks them as unknown and looks for them in the Sent folder"
        );
    }
}

async fn run(app: Arc<App>, mut stopped: Receiver<bool>) {
    // An embedded database has one node, so an earlier process left the messages that are in state `sending`.
    let mut alone = !app.store.dialect().is_shared();
    let mut round = 0_u32;
    while !*stopped.borrow() {
        if app.outbox.started.load(Ordering::Acquire) == i64::MAX
            && let Ok(started) = app.store.read(Reading::Fast, outbox::clock).await
        {
            app.outbox.started.store(started, Ordering::Release);
        }
        if round.is_multiple_of(RECOVER_EVERY) {
            alone = !recover(&app, alone).await && alone;
            filing::start_due(&app).await;
            app.outbox.close_idle();
        }
        round = round.wrapping_add(1);
        match app.store.read(Reading::Fast, outbox::due).await {
            Ok(due) => {
                for (workspace, account) in due {
                    let sender = app.outbox.sender(workspace, account);
                    tokio::spawn(send_due(app.clone(), sender, stopped.clone()));
                }
            }
            Err(error) => log_failure!(error, "failed to find due messages; retrying in 0.4 s"),
        }
        tokio::select! {
            () = tokio::time::sleep(SWEEP) => {}
            () = app.outbox.wake.notified() => {}
            _ = stopped.changed() => {}
        }
    }
}

/// Takes and sends due messages of one account until none is due or none more may be in flight.
async fn send_due(app: Arc<App>, sender: Arc<Sender>, stopped: Receiver<bool>) {
    // Another task takes messages of this account already, and continues until none is left.
    let Ok(_taking) = sender.taking.try_lock() else { return };
    let mut one_by_one = false;
    while !*stopped.borrow() {
        let (workspace, account) = (sender.workspace, sender.account);
        let free = app.outbox.capacity(workspace, account);
        if free == 0 {
            return;
        }
        let ready = match deliver::ready(&app, &sender, free).await {
            Ok(ready) => ready,
            Err(error) => {
                log_failure!(error, %account, "failed to read an account; its messages wait");
                if error.is_corrupt() {
                    put_off(&app, workspace, account, true).await;
                }
                return;
            }
        };
        let ready = if one_by_one { 1 } else { ready };
        let (lease, deadline) = app.outbox.lease();
        let (ctx, secret) = (acting(&app, workspace), app.secret.clone());
        let taken = app.store.write(workspace, move |tx| {
            let taken = delivery::take_due(&ctx, tx, account, ready, &lease)?;
            let reach = if taken.is_empty() { None } else { account::reach(&ctx, tx, &secret, account)? };
            let from = if taken.is_empty() { None } else { Some(find::<ConnectedAccount>(&ctx, tx, account)?.record) };
            Ok::<_, Error>((taken, reach, from))
        });
        match taken.await {
            Ok((taken, reach, from)) => {
                app.wrote(workspace);
                let all = taken.len() == ready;
                if let (Some(reach), Some(from)) = (reach, from) {
                    sender.sessions.set_account(&Access::of(&app, workspace, account), reach, &from);
                }
                deliver(&app, taken, deadline);
                if !all {
                    return;
                }
                deliver::open_more(&sender, free - ready);
            }
            // One message can't be read. Taken one at a time, the others are still sent.
            Err(error) if error.is_corrupt() && !one_by_one && ready > 1 => one_by_one = true,
            Err(error) if error.is_corrupt() => {
                tracing::error!(%error, %account, "a message is put off for an hour: stored data can't be read");
                const ACCOUNT: [&str; 2] = ["connected_accounts", "account_states"];
                let all = error.corrupt().is_some_and(|corrupt| ACCOUNT.contains(&&*corrupt.table));
                if !put_off(&app, workspace, account, all).await || all {
                    return;
                }
            }
            Err(error) => {
                tracing::warn!(%error, %account, "failed to take due messages; retrying in 0.4 s");
                return;
            }
        }
    }
}

/// Postpones the message that is due first, or all messages of the account, by an hour. Returns false if that failed.
async fn put_off(app: &Arc<App>, workspace: Uuid, account: Uuid, all: bool) -> bool {
    let ctx = acting(app, workspace);
    let put_off = app.store.write(workspace, move |tx| outbox::postpone_damaged(&ctx, tx, account, all)).await;
    if let Err(error) = &put_off {
        tracing::error!(%error, %account, "failed to postpone a damaged message; retrying with the next sweep");
    }
    put_off.is_ok()
}

fn acting(app: &Arc<App>, workspace: Uuid) -> Ctx {
    Ctx { workspace, actor: Actor::system("outbox"), memory: app.memory.clone() }
}

/// Records outcomes as deliveries end, many in one transaction.
async fn record_outcomes(app: Arc<App>, mut unrecorded: UnboundedReceiver<Delivered>) {
    let mut some = Vec::new();
    while unrecorded.recv_many(&mut some, TOGETHER).await > 0 {
        // Their sessions are free: taking the next messages may share a commit with the outcomes.
        send_more(&app, senders(&some));
        let mut by_workspace: HashMap<Uuid, Vec<Delivered>> = HashMap::new();
        for delivered in some.drain(..) {
            by_workspace.entry(delivered.handover.workspace).or_default().push(delivered);
        }
        join_all(by_workspace.into_iter().map(|(workspace, some)| record(&app, workspace, some))).await;
    }
}

async fn record(app: &Arc<App>, workspace: Uuid, some: Vec<Delivered>) {
    let outcomes: Vec<(Handover, Outcome)> =
        some.iter().map(|one| (one.handover.clone(), one.outcome.clone())).collect();
    if let Err(error) = write_outcomes(app, workspace, outcomes.clone()).await {
        tracing::error!(%error, %workspace, "failed to record the outcomes of messages together; recording them one at a time");
        // An outcome that can't be recorded must not block the others.
        join_all(outcomes.into_iter().map(|outcome| record_with_retries(app, workspace, outcome))).await;
    }
    app.wrote(workspace);
    let senders = senders(&some);
    for delivered in some {
        drop(delivered.permit);
        app.outbox.in_flight.fetch_sub(1, Ordering::AcqRel);
    }
    send_more(app, senders);
}

/// The senders of these deliveries, each once.
fn senders(some: &[Delivered]) -> Vec<Arc<Sender>> {
    let mut senders: Vec<Arc<Sender>> = Vec::new();
    for Delivered { sender, .. } in some {
        if !senders.iter().any(|known| Arc::ptr_eq(known, sender)) {
            senders.push(sender.clone());
        }
    }
    senders
}

fn send_more(app: &Arc<App>, senders: Vec<Arc<Sender>>) {
    for sender in senders {
        tokio::spawn(send_due(app.clone(), sender, app.stopped.clone()));
    }
}

async fn write_outcomes(app: &Arc<App>, workspace: Uuid, outcomes: Vec<(Handover, Outcome)>) -> Result<(), Error> {
    let ctx = acting(app, workspace);
    app.store.write(workspace, move |tx| delivery::record_outcomes(&ctx, tx, &outcomes)).await
}

/// Retries for almost two minutes, so that a short outage of the database does not lose an outcome.
async fn record_with_retries(app: &Arc<App>, workspace: Uuid, outcome: (Handover, Outcome)) {
    for wait in [0, 1, 2, 5, 10, 30, 60] {
        tokio::time::sleep(Duration::from_secs(wait)).await;
        match write_outcomes(app, workspace, vec![outcome.clone()]).await {
            Ok(()) => return,
            Err(error) => {
                tracing::error!(%error, message = %outcome.0.message_id, "failed to record the outcome of a message; retrying, or it becomes unknown when its lease ends");
                // A retry can't help with damaged data. When the lease has ended, `recover` finds the message.
                if error.is_corrupt() {
                    return;
                }
            }
        }
    }
}

/// Marks messages of crashed nodes as `unknown`, searches Sent folders for unknown messages, and tests accounts that failed.
/// Returns false if that failed.
async fn recover(app: &Arc<App>, alone: bool) -> bool {
    let recovered = async {
        let node = app.outbox.node.clone();
        let gone = move |tx: &mut dyn Tx| if alone { outbox::left_behind(tx, &node) } else { outbox::expired(tx) };
        for (workspace, message) in app.store.read(Reading::Fast, gone).await? {
            let ctx = acting(app, workspace);
            match app.store.write(workspace, move |tx| delivery::expire(&ctx, tx, message, alone)).await {
                Err(error) if error.is_corrupt() => {
                    tracing::error!(%error, %message, "failed to mark a message as unknown; retrying in an hour");
                    let ctx = acting(app, workspace);
                    app.store.write(workspace, move |tx| outbox::hold_damaged(&ctx, tx, message)).await?;
                }
                expired => expired?,
            }
            app.wrote(workspace);
        }
        let mut by_account: HashMap<(Uuid, Uuid), Vec<outbox::Sought>> = HashMap::new();
        for sought in app.store.bookkeep(outbox::sought).await? {
            by_account.entry((sought.workspace, sought.account_id)).or_default().push(sought);
        }
        for ((workspace, account), sought) in by_account {
            tokio::spawn(search_sent(app.clone(), workspace, account, sought));
        }
        for (workspace, account) in app.store.read(Reading::Fast, account::to_check).await? {
            if app.outbox.checking.lock().unwrap_or_else(PoisonError::into_inner).insert(account) {
                tokio::spawn(check(app.clone(), workspace, account));
            }
        }
        Ok::<_, Error>(())
    };
    let recovered = recovered.await;
    if let Err(error) = &recovered {
        log_failure!(error, "failed to recover messages of crashed nodes or to test accounts; retrying in 2 s");
    }
    recovered.is_ok()
}

/// Looks for messages with an unknown outcome in the Sent folder of their account, or asks the provider for them.
async fn search_sent(app: Arc<App>, workspace: Uuid, account: Uuid, sought: Vec<outbox::Sought>) {
    let Ok(Some(reach)) = accounts::reach(&app, workspace, account).await else { return };
    let references: Vec<&str> = sought.iter().map(|one| one.reference.as_str()).collect();
    let found = accounts::sent_among(&Access::of(&app, workspace, account), &reach, &references).await;
    for one in sought.iter().filter(|one| found.contains(&one.reference)) {
        let (ctx, message) = (acting(&app, workspace), one.message_id);
        if let Err(error) = app.store.write(workspace, move |tx| delivery::found(&ctx, tx, message)).await {
            log_failure!(error, %message, "failed to record that a message was sent; searching for it again later");
        }
        app.wrote(workspace);
    }
}

/// Tests the connection of an account that failed, and records the result.
async fn check(app: Arc<App>, workspace: Uuid, account: Uuid) {
    if let Ok(Some(reach)) = accounts::reach(&app, workspace, account).await {
        let trouble = Trouble::of_parts(&accounts::check_account(&Access::of(&app, workspace, account), &reach).await);
        let ctx = acting(&app, workspace);
        let noted = app.store.write(workspace, move |tx| match &trouble {
            Some(trouble) => account::note_health(&ctx, tx, account, Some(trouble)),
            None => account::note_login(&ctx, tx, account),
        });
        if let Err(error) = noted.await {
            log_failure!(error, %account, "failed to record the status of an account; the next test records it");
        }
        app.wrote(workspace);
        app.outbox.wake();
    }
    app.outbox.checking.lock().unwrap_or_else(PoisonError::into_inner).remove(&account);
}
