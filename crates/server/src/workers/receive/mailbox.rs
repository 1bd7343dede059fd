//! Reads the mailbox of an account by IMAP, parses its mails in other processes and stores them.

use super::batches::{ATTEMPTS, Batch, attempts, batches, pass};
use super::{End, Following};
use crate::accounts::Access;
use crate::mail_pool::Reading;
use crate::{App, accounts, clock};
use bytes::Bytes;
use connect::fault::Fault;
use connect::imap::{Content, Fetched, Session, Wake};
use connect::mail::{self, Kind};
use connect::server::Server;
use crm::api::effects::{Effect, Reach};
use crm::outreach::account;
use crm::outreach::inbound::{self, Mail, Progress, ReceivedFile};
use futures_util::{StreamExt, TryStreamExt, stream};
use resource::{Error, Time};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use store::{Lane, Uuid};

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
/// A larger mail is stored without its content.
const LARGEST: u64 = 30 * 1024 * 1024;
/// Mails of one mailbox parsed at the same time, so that it does not occupy all parser processes.
const AT_ONCE: usize = 2;
/// How long to wait before mails are asked for again that the mail server lists and did not deliver.
const UNDELIVERED_WAIT: Duration = Duration::from_secs(5);
/// Undelivered mails listed in one transaction.
const LISTED_TOGETHER: usize = 100;
/// The first and the longest wait after a mail server has announced news that don't exist.
const EMPTY_WAIT: Duration = Duration::from_millis(250);
const LONGEST_EMPTY_WAIT: Duration = Duration::from_secs(5);
const FOLDER: &str = "INBOX";

/// The result of `sync_folder`.
struct Synced {
    /// The UID of the next mail.
    next: u32,
    /// How many mails were fetched.
    mails: usize,
}

impl Following {
    pub(super) async fn follow_mailbox(&mut self, reach: &Reach) -> Result<(), End> {
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
            self.compare(HashSet::new()).await?;
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
            let missing = self.compare(there.iter().copied().map(i64::from).collect()).await?;
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

    /// Removes mails from the ledger that are not among these, those in the folder. Returns the mails that the ledger lacks.
    /// Other writes go on meanwhile: a folder may have lost very many mails.
    async fn compare(&self, mut there: HashSet<i64>) -> Result<HashSet<i64>, End> {
        let (account, mut after) = (self.account, 0);
        loop {
            let ctx = self.ctx();
            let page = move |tx: &mut dyn store::Tx| inbound::listed_after(&ctx, tx, account, after);
            let page = self.app.store.read(Lane::Fast, page).await?;
            let is_last = page.len() < inbound::LISTED_TOGETHER;
            after = page.last().copied().unwrap_or(after);
            let gone: Arc<Vec<i64>> = Arc::new(page.into_iter().filter(|uid| !there.remove(uid)).collect());
            let mut done = 0;
            while done < gone.len() {
                let (ctx, some) = (self.ctx(), gone.clone());
                let forget = move |tx: &mut dyn store::Tx| inbound::forget(&ctx, tx, account, &some[done..]);
                done += self.app.store.write(self.workspace, forget).await?;
            }
            if is_last {
                return Ok(there);
            }
        }
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
        let (account, mails, mut done) = (self.account, Arc::new(mails), 0);
        loop {
            let (ctx, all, reached) = (self.ctx(), mails.clone(), progress.clone());
            let write = move |tx: &mut dyn store::Tx| {
                let done = done + inbound::receive(&ctx, tx, account, &all[done..])?;
                if done == all.len() {
                    inbound::advance(&ctx, tx, account, &reached)?;
                }
                Ok::<_, Error>(done)
            };
            match self.app.store.write(self.workspace, write).await {
                Ok(reached) => done = reached,
                Err(error) if error.is_transient() => return Err(error.into()),
                Err(error) => {
                    tracing::error!(%account, %error, "failed to store mails together; storing them one at a time");
                    return self.one_by_one(&mails[done..], progress).await;
                }
            }
            self.app.wrote(self.workspace);
            if done == mails.len() {
                return Ok(());
            }
        }
    }

    /// Stores mails in a transaction each. A mail that can't be stored is listed as skipped and does not block the others.
    async fn one_by_one(&self, mails: &[Mail], progress: Progress) -> Result<(), End> {
        let account = self.account;
        for mail in mails {
            let (ctx, one) = (self.ctx(), mail.clone());
            let receive = move |tx: &mut dyn store::Tx| inbound::receive(&ctx, tx, account, std::slice::from_ref(&one));
            if let Err(error) = self.app.store.write(self.workspace, receive).await {
                if error.is_transient() {
                    return Err(error.into());
                }
                tracing::error!(%account, %error, uid = mail.uid, "failed to store a mail; it is listed as skipped");
                let (ctx, one) = (self.ctx(), mail.clone());
                let listed = move |tx: &mut dyn store::Tx| inbound::give_up(&ctx, tx, account, &one);
                self.app.store.write(self.workspace, listed).await?;
            }
        }
        let ctx = self.ctx();
        let reached = move |tx: &mut dyn store::Tx| inbound::advance(&ctx, tx, account, &progress);
        self.app.store.write(self.workspace, reached).await?;
        self.app.wrote(self.workspace);
        Ok(())
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
            // This and `asks_removal` are set when it is made storable.
            quoted: None,
            html: read.html,
            files: Vec::new(),
            kind: kind(read.kind),
            from_list: read.from_list,
            left,
            unreadable,
            asks_removal: false,
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
        for mut attachment in attachments {
            let (ctx, size) = (self.ctx(), attachment.content.len() as i64);
            let begun =
                self.app.store.write(self.workspace, move |tx| crm::tenant::stored_files::begin(&ctx, tx, size)).await;
            let effect = match begun {
                // Over the storage quota: the mail is stored without this file, and lists it as left out.
                Err(Error::Quota { .. }) => None,
                begun => Some(begun?),
            };
            if let Some(Effect::Keep { blob, .. }) = &effect {
                let stored = self.app.files.put(blob, Bytes::from(std::mem::take(&mut attachment.content))).await;
                stored.map_err(|error| Error::Unavailable(error.to_string()))?;
            }
            let mail::Attachment { filename, content_type, content_id, .. } = attachment;
            kept.push(ReceivedFile { filename, content_type, content_id, size, effect });
        }
        Ok(kept)
    }
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

/// How long to wait after so many announcements in a row without new mail.
fn empty_wait(empty: u32) -> Duration {
    match empty {
        0 | 1 => Duration::ZERO,
        more => (EMPTY_WAIT * (1 << (more - 2).min(10))).min(LONGEST_EMPTY_WAIT),
    }
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
    fn announcements_without_mail_are_throttled() {
        let waits: Vec<u128> = (0..9).map(|empty| empty_wait(empty).as_millis()).collect();
        assert_eq!(waits, [0, 0, 250, 500, 1000, 2000, 4000, 5000, 5000]);
        assert_eq!(empty_wait(u32::MAX), LONGEST_EMPTY_WAIT);
    }
}
