//! Receives mail and events: reads the mailbox of each account by IMAP, and polls each provider in addition to its webhook.
//! A lease makes sure that one node at a time receives for an account.

mod provider;

pub(crate) use provider::{WEBHOOKS, provider_events, store_events};

use crate::accounts::Access;
use crate::mail_pool::Reading;
use crate::{App, accounts, clock};
use bytes::Bytes;
use connect::fault::Fault;
use connect::imap::{Content, Fetched, Session, Wake};
use connect::mail::{self, Kind};
use connect::server::{Invalid, Server};
use crm::api::effects::{Effect, Reach, Trouble};
use crm::outreach::account::{self, Channel, SyncFailure};
use crm::outreach::inbound::{self, Interrupted, Mail, Progress, ReceivedFile};
use futures_util::{StreamExt, TryStreamExt, stream};
use resource::{Actor, Ctx, Error, Time};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{Lane, Uuid};
use tokio::sync::watch::Receiver;

/// How often a node looks for accounts that no node receives for.
const SWEEP: Duration = Duration::from_millis(500);
/// The longest wait for new mail (IMAP IDLE) before the worker checks the folder again.
const IDLE: Duration = Duration::from_secs(10);
/// How often the lease of a mailbox is renewed.
const RENEW: Duration = Duration::from_secs(10);
/// If the lease could not be renewed for this long, another node may have taken it.
const UNRENEWED: Duration = Duration::from_secs(30);
/// A mailbox is behind if a mail has waited for this long, in milliseconds.
const BEHIND: i64 = 60_000;
/// How often the worker records that a mailbox is behind.
const BEHIND_NOTED: Duration = Duration::from_secs(10);
/// How long to wait before the next attempt when a failed one could not be recorded, in milliseconds.
const UNRECORDED_WAIT: i64 = 5_000;
/// How many failed attempts in a row change nothing about an account's status: to connect, and to read an open mailbox.
const CONNECT_TOLERANCE: i64 = 1;
const READ_TOLERANCE: i64 = 3;
/// A larger mail is stored without its content.
const LARGEST: u64 = 30 * 1024 * 1024;
/// Mails fetched and stored together.
const TOGETHER: usize = 8;
/// Mails of one mailbox parsed at the same time, so that it does not occupy all parser processes.
const AT_ONCE: usize = 2;
/// A mail is skipped after so many attempts in which this server crashed or the mail server did not deliver the mail.
const ATTEMPTS: i64 = 3;
/// The same for a mail that the mail server refuses to deliver, which takes ten minutes: the server may recover.
const REFUSED_ATTEMPTS: i64 = 8;
/// How long to wait before mails are asked for again that the mail server lists and did not deliver.
const UNDELIVERED_WAIT: Duration = Duration::from_secs(5);
/// Undelivered mails listed in one transaction.
const LISTED_TOGETHER: usize = 100;
/// The first and the longest wait after a mail server has announced news that don't exist.
const EMPTY_WAIT: Duration = Duration::from_millis(250);
const LONGEST_EMPTY_WAIT: Duration = Duration::from_secs(5);
const FOLDER: &str = "INBOX";

pub(crate) fn start(app: &Arc<App>, stopped: &Receiver<bool>) {
    tokio::spawn(run(app.clone(), stopped.clone()));
}

async fn run(app: Arc<App>, mut stopped: Receiver<bool>) {
    while !*stopped.borrow() {
        let node = app.outbox.node().to_owned();
        match app.store.bookkeep(move |tx| account::claim(tx, &node)).await {
            Ok((claimed, damaged)) => {
                for error in damaged {
                    tracing::error!(%error, "an account is put off for an hour: stored data can't be read");
                }
                for (workspace, account, channel) in claimed {
                    let (app, stopped) = (app.clone(), stopped.clone());
                    let following = Following {
                        app,
                        workspace,
                        account,
                        stopped,
                        behind_noted: None,
                        opened: false,
                        worked: false,
                        undelivered: HashMap::new(),
                    };
                    tokio::spawn(following.run(channel));
                }
            }
            Err(error) => log_failure!(error, "failed to claim accounts to receive for; retrying in 0.5 s"),
        }
        app.mail_pool.end_idle();
        tokio::select! {
            () = tokio::time::sleep(SWEEP) => {}
            _ = stopped.changed() => {}
        }
    }
}

/// Why receiving for an account ended.
enum End {
    /// The account was removed, another node has the lease, or this node stops.
    Over,
    /// The account's address can't be used.
    Misconfigured(Invalid),
    Fault(Fault),
    Error(Error),
}

impl From<Fault> for End {
    fn from(fault: Fault) -> End {
        End::Fault(fault)
    }
}
impl From<Invalid> for End {
    fn from(wrong: Invalid) -> End {
        End::Misconfigured(wrong)
    }
}
impl From<Error> for End {
    fn from(error: Error) -> End {
        End::Error(error)
    }
}

struct Following {
    app: Arc<App>,
    workspace: Uuid,
    account: Uuid,
    stopped: Receiver<bool>,
    /// When the worker last recorded that the mailbox is behind.
    behind_noted: Option<Instant>,
    /// Whether the mailbox was opened.
    opened: bool,
    /// Whether the worker has recorded that receiving works.
    worked: bool,
    /// Mails that the mail server lists but did not deliver, with the number of attempts.
    undelivered: HashMap<u32, i64>,
}

/// The result of `sync_folder`.
struct Synced {
    /// The UID of the next mail.
    next: u32,
    /// How many mails were fetched.
    mails: usize,
}

impl Following {
    async fn run(mut self, channel: Channel) {
        let mut stopped = self.stopped.clone();
        let followed = tokio::select! {
            followed = self.follow(channel) => followed,
            _ = stopped.wait_for(|stopped| *stopped) => Ok(()),
        };
        let failed = match followed {
            Ok(()) | Err(End::Over) => None,
            Err(End::Misconfigured(wrong)) => Some((wrong.to_string().into(), 0)),
            Err(End::Fault(fault)) => {
                tracing::debug!(account = %self.account, %fault, "failed to receive for an account");
                Some((accounts::trouble_of(&fault), self.tolerance(channel, &fault)))
            }
            Err(End::Error(error)) => {
                log_failure!(error, account = %self.account, "failed to store received mail or events; retrying");
                let reason = "what arrives can't be read or stored; the server's log says why";
                Some((reason.into(), READ_TOLERANCE))
            }
        };
        let wait = match failed {
            Some((trouble, tolerated)) => self.failed(channel, &trouble, tolerated).await,
            None => 0,
        };
        let (workspace, account, node) = (self.workspace, self.account, self.app.outbox.node().to_owned());
        let released = self.app.store.bookkeep(move |tx| account::let_go(tx, workspace, account, &node, wait));
        if let Err(error) = released.await {
            tracing::debug!(%error, %account, "failed to release the lease of an account; it expires by itself");
        }
    }

    /// How often in a row a fault may happen before the account is in `error`.
    fn tolerance(&self, channel: Channel, fault: &Fault) -> i64 {
        match channel {
            Channel::Email if self.opened => READ_TOLERANCE,
            _ if !fault.may_pass() => 0,
            Channel::Email => CONNECT_TOLERANCE,
            // A provider that throttles polling may still accept messages, so polling alone never stops the account.
            Channel::Network | Channel::Chat => i64::MAX,
        }
    }

    /// Records a failed attempt. Returns how long to wait before the next, in milliseconds.
    async fn failed(&self, channel: Channel, trouble: &Trouble, tolerated: i64) -> i64 {
        let trouble = trouble.of(if channel == Channel::Email { "imap" } else { "url" });
        let (ctx, account, recorded) = (self.ctx(), self.account, trouble.clone());
        let record = move |tx: &mut dyn store::Tx| account::sync_failed(&ctx, tx, account, &recorded, tolerated);
        match self.app.store.write(self.workspace, record).await {
            Ok(SyncFailure { wait, status_changed }) => {
                if status_changed {
                    let (reason, seconds) = (trouble.words(), wait / 1000);
                    tracing::warn!(%account, reason, "an account can't receive and sends nothing; retrying in {seconds} s, then less often");
                }
                self.app.wrote(self.workspace);
                wait
            }
            Err(error) => {
                log_failure!(error, %account, "failed to record the status of an account; retrying in 5 s");
                UNRECORDED_WAIT
            }
        }
    }

    /// Records that receiving works, once.
    async fn worked(&mut self) -> Result<(), End> {
        if !self.worked {
            let (workspace, account) = (self.workspace, self.account);
            if self.app.store.bookkeep(move |tx| account::sync_worked(tx, workspace, account)).await? {
                tracing::info!(%account, "an account receives again");
            }
            self.worked = true;
        }
        Ok(())
    }

    async fn follow(&mut self, channel: Channel) -> Result<(), End> {
        let reach = accounts::reach(&self.app, self.workspace, self.account).await?.ok_or(End::Over)?;
        match channel {
            Channel::Email => self.follow_mailbox(&reach).await,
            Channel::Network | Channel::Chat => self.follow_provider(&reach).await,
        }
    }

    fn ctx(&self) -> Ctx {
        acting(&self.app, self.workspace)
    }

    /// Renews the lease. Ends receiving if another node has it.
    async fn renew(&self) -> Result<(), End> {
        let (workspace, account, node) = (self.workspace, self.account, self.app.outbox.node().to_owned());
        let ours = self.app.store.bookkeep(move |tx| account::renew(tx, workspace, account, &node)).await?;
        if ours { Ok(()) } else { Err(End::Over) }
    }

    // ---- mail ----

    async fn follow_mailbox(&mut self, reach: &Reach) -> Result<(), End> {
        let server =
            accounts::imap_server(&Access::of(&self.app, self.workspace, self.account), reach).ok_or(End::Over)??;
        // Fetching and parsing can take longer than a lease, so it is renewed meanwhile.
        let lease = keep_lease(self.app.clone(), self.workspace, self.account);
        tokio::select! {
            followed = self.follow_folder(&server) => followed,
            lost = lease => Err(lost),
        }
    }

    async fn follow_folder(&mut self, server: &Server) -> Result<(), End> {
        let mut session = Session::connect(server).await?;
        // How often in a row the mail server announced news and there was no new mail.
        let mut empty = 0_u32;
        loop {
            let synced = self.sync_folder(&mut session).await?;
            if let Some(attempts) = self.undelivered.values().max() {
                tokio::time::sleep(UNDELIVERED_WAIT * (1 << (attempts - 1))).await;
                continue;
            }
            self.worked().await?;
            empty = if synced.mails > 0 { 0 } else { empty + 1 };
            match session.wait(synced.next, IDLE).await? {
                Wake::Quiet => empty = 0,
                Wake::News => tokio::time::sleep(empty_wait(empty)).await,
            }
        }
    }

    /// Fetches the mails of the folder that the ledger does not list, and removes those from the ledger that the folder has
    /// lost.
    async fn sync_folder(&mut self, session: &mut Session) -> Result<Synced, End> {
        let folder = session.examine(FOLDER).await?;
        self.opened = true;
        let (ctx, account) = (self.ctx(), self.account);
        let progress = self.app.store.read(Lane::Fast, move |tx| inbound::progress(&ctx, tx, account)).await?;
        let mut progress = progress.ok_or(End::Over)?;
        if progress.validity != i64::from(folder.validity) {
            let (ctx, validity) = (self.ctx(), i64::from(folder.validity));
            self.app.store.write(self.workspace, move |tx| inbound::begin_anew(&ctx, tx, account, validity)).await?;
            progress = Progress { validity, next: 0, ..progress };
        }
        let from = u32::try_from(progress.next).unwrap_or(0).max(1);
        let (mut mails, mut undelivered) = (0, HashSet::new());
        if folder.next > from || progress.next == 0 {
            let uids = session.uids(from).await?;
            mails += self.fetch(session, &uids, &mut progress, &mut undelivered).await?;
        }
        let in_ledger = self.record_sync(folder.count.into()).await?;
        if in_ledger != i64::from(folder.count) {
            let there = session.uids(1).await?;
            let (ctx, uids) = (self.ctx(), there.iter().copied().map(i64::from).collect::<Vec<_>>());
            let missing = move |tx: &mut dyn store::Tx| inbound::still_there(&ctx, tx, account, &uids);
            let missing = self.app.store.write(self.workspace, missing).await?;
            let missing = missing.into_iter().filter_map(|uid| u32::try_from(uid).ok());
            let mut missing: Vec<u32> = missing.filter(|uid| !undelivered.contains(uid)).collect();
            missing.sort_unstable();
            mails += self.fetch(session, &missing, &mut progress, &mut undelivered).await?;
            self.list_undelivered(undelivered).await?;
            self.record_sync(there.len() as i64).await?;
        } else {
            // The ledger lists as many mails as the folder holds, so the undelivered ones have left the folder.
            self.undelivered.clear();
        }
        Ok(Synced { next: u32::try_from(progress.next).unwrap_or(0).max(folder.next), mails })
    }

    /// Records that the folder was read. Returns how many of its mails the ledger lists.
    async fn record_sync(&self, in_folder: i64) -> Result<i64, End> {
        let (ctx, account) = (self.ctx(), self.account);
        let noted = move |tx: &mut dyn store::Tx| inbound::looked_at(&ctx, tx, account, Some(in_folder));
        let (in_ledger, caught_up) = self.app.store.write(self.workspace, noted).await?;
        if caught_up {
            tracing::info!(%account, "a mailbox is up to date again");
        }
        Ok(in_ledger)
    }

    /// Counts the attempts to fetch undelivered mails, and lists mails as skipped after the last attempt.
    async fn list_undelivered(&mut self, uids: HashSet<u32>) -> Result<(), End> {
        let before = std::mem::take(&mut self.undelivered);
        let attempts = |uid: &u32| before.get(uid).copied().unwrap_or(0) + 1;
        let (given_up, retried): (Vec<u32>, Vec<u32>) = uids.into_iter().partition(|uid| attempts(uid) >= ATTEMPTS);
        self.undelivered = retried.into_iter().map(|uid| (uid, attempts(&uid))).collect();
        let account = self.account;
        if !given_up.is_empty() {
            let mails = given_up.len();
            tracing::warn!(%account, mails, "a mail server lists mails that it does not deliver; they are skipped");
        }
        for some in given_up.chunks(LISTED_TOGETHER) {
            let (ctx, uids) = (self.ctx(), some.iter().copied().map(i64::from).collect::<Vec<_>>());
            let list = move |tx: &mut dyn store::Tx| inbound::list_undelivered(&ctx, tx, account, &uids);
            self.app.store.write(self.workspace, list).await?;
        }
        Ok(())
    }

    /// Fetches and stores mails. Returns how many, and adds mails to `undelivered` that the mail server did not deliver.
    async fn fetch(
        &mut self,
        session: &mut Session,
        uids: &[u32],
        progress: &mut Progress,
        undelivered: &mut HashSet<u32>,
    ) -> Result<usize, End> {
        let (mut done, mut stored) = (0, 0);
        for Batch { uids: some, attempt, by } in
            batches(uids, progress.interrupted.take().as_ref(), self.app.outbox.node())
        {
            if attempt > attempts(by) {
                pass(progress, some);
                self.skip(some[0], by, progress.clone()).await?;
            } else {
                let mut left = some;
                while !left.is_empty() {
                    self.begin_reading(left, attempt, uids.len() - done).await?;
                    let (fetched, covered) = match session.fetch(left, LARGEST).await {
                        Ok(fetched) => fetched,
                        Err(fault) => {
                            let is_lost = matches!(fault, Fault::Unreached(_));
                            self.note_undelivered(if is_lost { account::UNDELIVERED } else { account::REFUSED })
                                .await?;
                            return Err(fault.into());
                        }
                    };
                    pass(progress, &left[..covered]);
                    let there: HashSet<u32> = fetched.iter().map(|mail| mail.uid).collect();
                    undelivered.extend(left[..covered].iter().filter(|uid| !there.contains(uid)));
                    let reading = stream::iter(fetched.into_iter().map(|fetched| self.read(fetched)));
                    let mails = reading.buffered(AT_ONCE).try_collect().await?;
                    self.store(mails, progress.clone()).await?;
                    stored += there.len();
                    if !there.is_empty() {
                        self.worked().await?;
                    }
                    left = &left[covered..];
                }
            }
            done += some.len();
        }
        Ok(stored)
    }

    /// Lists a mail as skipped after the last attempt to read it.
    async fn skip(&self, uid: u32, by: &str, progress: Progress) -> Result<(), End> {
        let account = self.account;
        if by == account::UNDELIVERED || by == account::REFUSED {
            let times = attempts(by);
            tracing::warn!(%account, uid, "a mail server failed {times} times to deliver this mail; it is skipped");
            let ctx = self.ctx();
            let list = move |tx: &mut dyn store::Tx| {
                inbound::list_undelivered(&ctx, tx, account, &[uid.into()])?;
                inbound::advance(&ctx, tx, account, &progress)
            };
            return Ok(self.app.store.write(self.workspace, list).await?);
        }
        tracing::error!(%account, uid, "the server crashed {ATTEMPTS} times while it read this mail; the mail is skipped");
        let mail = Mail { uid: uid.into(), unreadable: true, ..Mail::default() };
        self.store(vec![mail], progress).await
    }

    /// Records that the mail server failed during a fetch, so that the next attempt fetches these mails one at a time.
    async fn note_undelivered(&self, mark: &'static str) -> Result<(), End> {
        let (workspace, account, node) = (self.workspace, self.account, self.app.outbox.node().to_owned());
        let note = move |tx: &mut dyn store::Tx| account::note_undelivered(tx, workspace, account, &node, mark);
        Ok(self.app.store.bookkeep(note).await?)
    }

    /// Records the mails that are read next before they are fetched, so that a crash shows which mails caused it.
    async fn begin_reading(&mut self, uids: &[u32], attempt: i64, waiting: usize) -> Result<(), End> {
        let (workspace, account, node) = (self.workspace, self.account, self.app.outbox.node().to_owned());
        let of = |uid: Option<&u32>| uid.copied().map_or(0, i64::from);
        let uids = (of(uids.first()), of(uids.last()));
        let begin = move |tx: &mut dyn store::Tx| account::begin_reading(tx, workspace, account, &node, uids, attempt);
        let (since, now) = self.app.store.bookkeep(begin).await?.ok_or(End::Over)?;
        let noted = self.behind_noted.is_some_and(|at| clock::instant() - at < BEHIND_NOTED);
        if now - since > BEHIND && !noted {
            let ctx = self.ctx();
            let note = move |tx: &mut dyn store::Tx| inbound::note_behind(&ctx, tx, account, since, waiting as i64);
            if self.app.store.write(workspace, note).await? {
                tracing::warn!(%account, waiting, "a mailbox is behind");
            }
            self.app.wrote(workspace);
            self.behind_noted = Some(clock::instant());
        }
        Ok(())
    }

    async fn store(&self, mails: Vec<Mail>, progress: Progress) -> Result<(), End> {
        let (ctx, account, mails) = (self.ctx(), self.account, Arc::new(mails));
        let (all, reached) = (mails.clone(), progress.clone());
        let write = move |tx: &mut dyn store::Tx| {
            inbound::receive(&ctx, tx, account, &all)?;
            inbound::advance(&ctx, tx, account, &reached)
        };
        match self.app.store.write(self.workspace, write).await {
            Err(error) if error.is_transient() => return Err(error.into()),
            Err(error) => {
                tracing::error!(%account, %error, "failed to store mails together; storing them one at a time");
                self.one_by_one(&mails, progress).await?;
            }
            Ok(()) => {}
        }
        self.app.wrote(self.workspace);
        Ok(())
    }

    /// Stores mails in a transaction each. A mail that can't be stored is listed as skipped and does not block the others.
    async fn one_by_one(&self, mails: &Arc<Vec<Mail>>, progress: Progress) -> Result<(), End> {
        let account = self.account;
        for at in 0..mails.len() {
            let (ctx, some) = (self.ctx(), mails.clone());
            let one = move |tx: &mut dyn store::Tx| inbound::receive(&ctx, tx, account, &some[at..=at]);
            if let Err(error) = self.app.store.write(self.workspace, one).await {
                if error.is_transient() {
                    return Err(error.into());
                }
                tracing::error!(%account, %error, uid = mails[at].uid, "failed to store a mail; it is listed as skipped");
                let (ctx, some) = (self.ctx(), mails.clone());
                let listed = move |tx: &mut dyn store::Tx| inbound::give_up(&ctx, tx, account, &some[at]);
                self.app.store.write(self.workspace, listed).await?;
            }
        }
        let ctx = self.ctx();
        let reached = move |tx: &mut dyn store::Tx| inbound::advance(&ctx, tx, account, &progress);
        Ok(self.app.store.write(self.workspace, reached).await?)
    }

    /// Parses a fetched mail. Stores its attachments if the mail itself will be stored.
    async fn read(&self, fetched: Fetched) -> Result<Mail, End> {
        let (size, received_at, uid) = (fetched.size as i64, fetched.received, i64::from(fetched.uid));
        let (bytes, left) = match fetched.content {
            Content::Whole(bytes) => (bytes, None),
            Content::TooLarge { headers } => {
                let left = format!(
                    "this mail of {} MB is larger than the {} MB that are stored; open it in the mailbox",
                    fetched.size / 1_000_000,
                    LARGEST / 1_000_000
                );
                (headers, Some(left))
            }
        };
        let (read, unreadable) = match self.app.mail_pool.read(&bytes).await? {
            Reading::Read(read) => (read, false),
            Reading::Unreadable(headers) => {
                tracing::warn!(account = %self.account, uid, "a mail can't be read; it is skipped as unreadable");
                (headers.unwrap_or_default(), true)
            }
        };
        let left = left.or(read.omitted);
        let mut answers = read.references;
        answers.extend(read.in_reply_to);
        // A notice, such as one of a delay, belongs to the mail that it is about.
        if let Kind::Notice { original_message_id: Some(id), .. } = &read.kind {
            answers.push(id.clone());
        }
        let mut mail = Mail {
            uid,
            size,
            received_at,
            message_id: read.message_id,
            answers,
            from: read.from.map(|from| from.address),
            subject: Some(read.subject).filter(|subject| !subject.is_empty()),
            date: read.date,
            text: read.text,
            // Set when it is made storable.
            quoted: None,
            html: read.html,
            files: Vec::new(),
            kind: kind(read.kind),
            from_list: read.from_list,
            left,
            unreadable,
        }
        .storable();
        if !read.attachments.is_empty() {
            let (ctx, account, asked) = (self.ctx(), self.account, Arc::new(mail));
            let question = asked.clone();
            let wanted = move |tx: &mut dyn store::Tx| inbound::is_wanted(&ctx, tx, account, &question);
            let wanted = self.app.store.read(Lane::Fast, wanted).await?;
            mail = Arc::unwrap_or_clone(asked);
            if wanted {
                mail.files = self.keep(read.attachments).await?;
            }
        }
        Ok(mail.storable())
    }

    async fn keep(&self, attachments: Vec<mail::Attachment>) -> Result<Vec<ReceivedFile>, End> {
        let mut kept = Vec::with_capacity(attachments.len());
        for attachment in attachments {
            let (ctx, size) = (self.ctx(), attachment.content.len() as i64);
            let begun =
                self.app.store.write(self.workspace, move |tx| crm::tenant::stored_files::begin(&ctx, tx, size)).await;
            let effect = match begun {
                // Over the storage quota: the mail is stored without this file, and lists it as left out.
                Err(Error::Quota { .. }) => None,
                begun => Some(begun?),
            };
            if let Some(Effect::Keep { blob, .. }) = &effect {
                let stored = self.app.files.put(blob, Bytes::from(attachment.content)).await;
                stored.map_err(|error| Error::Unavailable(error.to_string()))?;
            }
            let (filename, content_type) = (attachment.filename, attachment.content_type);
            kept.push(ReceivedFile { filename, content_type, size, effect });
        }
        Ok(kept)
    }

    // ---- network and chat ----
}

/// Renews the lease of an account until another node has it, or might have it.
async fn keep_lease(app: Arc<App>, workspace: Uuid, account: Uuid) -> End {
    let mut renewed = clock::instant();
    loop {
        tokio::time::sleep(RENEW).await;
        let node = app.outbox.node().to_owned();
        match app.store.bookkeep(move |tx| account::renew(tx, workspace, account, &node)).await {
            Ok(true) => renewed = clock::instant(),
            Ok(false) => return End::Over,
            Err(error) if clock::instant() - renewed > UNRENEWED => return End::Error(error),
            Err(error) => tracing::info!(%account, %error, "failed to renew the lease of an account; retrying in 10 s"),
        }
    }
}

/// How often a mail is tried that this node or the mail server failed to read before.
fn attempts(by: &str) -> i64 {
    if by == account::REFUSED { REFUSED_ATTEMPTS } else { ATTEMPTS }
}

/// Mails that are fetched and read together.
struct Batch<'a> {
    uids: &'a [u32],
    /// The number of this attempt.
    attempt: i64,
    /// The node that was reading them before, or [`account::UNDELIVERED`].
    by: &'a str,
}

/// Mails that a node was reading when it crashed, or that the mail server failed to deliver, are read one at a time, so that
/// the next failure identifies the mail. A node that finds its own mark has not crashed, so the attempt does not count.
fn batches<'a>(uids: &'a [u32], interrupted: Option<&'a Interrupted>, node: &str) -> Vec<Batch<'a>> {
    let suspect = |uid: u32| interrupted.filter(|mark| (mark.from..=mark.to).contains(&uid.into()));
    let mut batches = Vec::new();
    for group in uids.chunk_by(|one, next| suspect(*one).is_some() == suspect(*next).is_some()) {
        match suspect(group[0]) {
            Some(mark) => {
                let attempt = mark.attempt + i64::from(mark.node != node);
                batches.extend(group.chunks(1).map(|uids| Batch { uids, attempt, by: &mark.node }));
            }
            None => batches.extend(group.chunks(TOGETHER).map(|uids| Batch { uids, attempt: 1, by: "" })),
        }
    }
    batches
}

/// Records that these mails were read.
fn pass(progress: &mut Progress, uids: &[u32]) {
    progress.next = progress.next.max(uids.last().map_or(0, |uid| i64::from(*uid) + 1));
}

/// How long to wait after so many announcements in a row without new mail.
fn empty_wait(empty: u32) -> Duration {
    match empty {
        0 | 1 => Duration::ZERO,
        more => (EMPTY_WAIT * (1 << (more - 2).min(10))).min(LONGEST_EMPTY_WAIT),
    }
}

pub(crate) fn acting(app: &Arc<App>, workspace: Uuid) -> Ctx {
    Ctx { workspace, actor: Actor::system("inbox"), memory: app.memory.clone() }
}

fn kind(kind: Kind) -> inbound::Kind {
    let day = |date: Option<_>| date.and_then(|date: jiff::civil::Date| Time::parse(&date.to_string())).map(|at| at.0);
    match kind {
        Kind::Human => inbound::Kind::Human,
        Kind::AutoReply { .. } => inbound::Kind::AutoReply,
        Kind::OutOfOffice { until } => inbound::Kind::OutOfOffice { until: day(until) },
        Kind::Bounce(bounce) => {
            let words = [bounce.status, bounce.diagnostic];
            let why = words.into_iter().flatten().collect::<Vec<_>>().join(" ");
            inbound::Kind::Bounce {
                hard: bounce.hard,
                sender_fault: bounce.sender_fault,
                recipients: bounce.recipients,
                original: bounce.original_message_id,
                why: if why.is_empty() { "the mail came back".into() } else { why },
            }
        }
        Kind::Complaint(complaint) => {
            inbound::Kind::Complaint { recipients: complaint.recipients, original: complaint.original_message_id }
        }
        Kind::Notice { .. } => inbound::Kind::Notice,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mails_that_crashed_a_node_are_read_alone() {
        let uids: Vec<u32> = (1..=20).collect();
        assert_eq!(batches(&uids, None, "me").iter().map(|some| some.uids.len()).collect::<Vec<_>>(), [8, 8, 4]);
        let mark = |node: &str| Interrupted { from: 9, to: 11, attempt: 1, node: node.to_owned() };
        let dead = mark("dead");
        let batches_of = |mark| batches(&uids, Some(mark), "me");
        let shape: Vec<(u32, usize, i64)> =
            batches_of(&dead).iter().map(|some| (some.uids[0], some.uids.len(), some.attempt)).collect();
        assert_eq!(shape, [(1, 8, 1), (9, 1, 2), (10, 1, 2), (11, 1, 2), (12, 8, 1), (20, 1, 1)]);
        let own = mark("me");
        assert!(batches_of(&own).iter().all(|some| some.attempt == 1), "an error is not a crash");
    }

    #[test]
    fn announcements_without_mail_are_throttled() {
        let waits: Vec<u128> = (0..9).map(|empty| empty_wait(empty).as_millis()).collect();
        assert_eq!(waits, [0, 0, 250, 500, 1000, 2000, 4000, 5000, 5000]);
        assert_eq!(empty_wait(u32::MAX), LONGEST_EMPTY_WAIT);
    }
}
