//! Puts copies of sent mails into Sent folders. Nothing waits for it, and a failure affects no message.

use super::acting;
use crate::App;
use crate::accounts::{Access, account_of, imap_server};
use crate::outgoing_mail::{self, Unread};
use connect::fault::Fault;
use connect::files::Files;
use connect::imap::Session;
use connect::mail::Address;
use connect::server::Server;
use crm::outreach::outbox::{self, Filed, SentCopy};
use resource::Error;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use store::{Lane, Tx, Uuid};

/// The most accounts at a time on one node.
const AT_ONCE: usize = 10;
/// Shorter than the lease of the account, so that no other node files the same mails meanwhile.
const LONGEST: Duration = Duration::from_secs(240);

const NO_FOLDER: &str =
    "the mailbox has no Sent folder; create one named Sent in a mail program, or set file_sent to never";

/// Files copies of accounts where some are due.
pub(super) async fn start_due(app: &Arc<App>) {
    let free = AT_ONCE.saturating_sub(app.outbox.filing.load(Ordering::Acquire)) as i64;
    if free == 0 {
        return;
    }
    let claimed = async {
        if app.store.read(Lane::Fast, outbox::is_filing_due).await? {
            return app.store.bookkeep(move |tx: &mut dyn Tx| outbox::claim_filing(tx, free)).await;
        }
        Ok::<_, Error>(Vec::new())
    };
    match claimed.await {
        Ok(claimed) => {
            for (workspace, account) in claimed {
                app.outbox.filing.fetch_add(1, Ordering::AcqRel);
                let app = app.clone();
                tokio::spawn(async move {
                    if let Err(error) = file(&app, workspace, account).await {
                        log_failure!(error, %account, "failed to file sent mails; retrying in 5 minutes");
                    }
                    app.outbox.filing.fetch_sub(1, Ordering::AcqRel);
                });
            }
        }
        Err(error) => log_failure!(error, "failed to find sent mails to file; retrying in 2 s"),
    }
}

async fn file(app: &Arc<App>, workspace: Uuid, account: Uuid) -> Result<(), Error> {
    let ctx = acting(app, workspace);
    let (copies, damaged) = app.store.write(workspace, move |tx| outbox::copies(&ctx, tx, account)).await?;
    for error in damaged {
        tracing::error!(%error, %account, "a sent mail is not filed for an hour: stored data can't be read");
    }
    let mut filed = Filed::default();
    if let Some((reach, record)) = account_of(app, workspace, account).await?
        && let Some(server) = imap_server(&Access::of(app, workspace, account), &reach)
        && !copies.is_empty()
    {
        let from = outgoing_mail::from_of(&record);
        let work = async {
            match server {
                Ok(server) => file_all(&app.files, &server, &from, &copies, &mut filed).await,
                Err(wrong) => Err(Fault::Sender(wrong.to_string())),
            }
        };
        let done = tokio::time::timeout(LONGEST, work).await;
        let done = done.unwrap_or_else(|_| Err(Fault::Unreached("the server took too long".into())));
        if let Err(fault) = done {
            tracing::warn!(%account, %fault, "failed to file sent mails; retrying later");
            filed.problem.get_or_insert_with(|| fault.general());
        }
    }
    let ctx = acting(app, workspace);
    app.store.write(workspace, move |tx| outbox::record_filed(&ctx, tx, account, &filed)).await?;
    app.wrote(workspace);
    Ok(())
}

/// Files copies in one session. First it searches for all of them: the server, or an earlier attempt, may have filed them.
async fn file_all(
    storage: &Files,
    server: &Server,
    from: &Address,
    copies: &[SentCopy],
    filed: &mut Filed,
) -> Result<(), Fault> {
    let mut session = Session::connect(server).await?;
    let Some(folder) = session.sent_folder().await? else {
        filed.problem = Some(NO_FOLDER.into());
        session.log_out().await;
        return Ok(());
    };
    session.examine(&folder).await?;
    let mut missing = Vec::new();
    for copy in copies {
        match session.find(&copy.reference).await? {
            Some(_) => filed.done.push(copy.message_id),
            None => missing.push(copy),
        }
    }
    session.close().await?;
    for copy in missing {
        let attached = match outgoing_mail::attachments(storage, &copy.content).await {
            Ok(attached) => Some(attached),
            Err(Unread::Missing(_)) => None,
            Err(Unread::Later(why)) => return Err(Fault::Unreached(why)),
        };
        let mail = attached.and_then(|attached| {
            outgoing_mail::mail(from, &copy.recipient, &copy.reference, &copy.content, &attached, copy.date).ok()
        });
        // The account may have a new name or address that can't be in a header, or an attachment was erased.
        let Some(mail) = mail else {
            filed.refused.push(copy.message_id);
            continue;
        };
        match session.append(&folder, &mail, copy.date).await {
            Ok(()) => filed.done.push(copy.message_id),
            Err(Fault::Message(why)) => {
                tracing::warn!(message = %copy.message_id, %why, "the mail server refused the copy of a sent mail");
                filed.refused.push(copy.message_id);
            }
            Err(fault) => return Err(fault),
        }
    }
    session.log_out().await;
    Ok(())
}
