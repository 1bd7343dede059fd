//! Mails as they are sent: their bytes, their attachments, and test mails, for which no row of the outbox stands.

use crate::accounts::{Access, account_of, smtp_server, trouble_of};
use crate::{App, clock};
use connect::fault::{Fault, SendError};
use connect::files::Files;
use connect::mail::{Address, Attachment, Draft, Problem, compose};
use connect::smtp;
use crm::api::effects::TestMail;
use crm::outreach::account::ConnectedAccount;
use crm::outreach::attached::AttachedFile;
use crm::outreach::outbox::Content;
use resource::Error;
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use store::Uuid;
use tokio::sync::{Semaphore, SemaphorePermit};

/// Mails with attachments that are in memory at the same time, in kilobytes of attachments.
static ATTACHED: Semaphore = Semaphore::const_new(40_000);

/// The attachments of a mail, and the right to have them in memory.
pub(crate) struct Attachments {
    files: Vec<Attachment>,
    _permit: Option<SemaphorePermit<'static>>,
}

/// Why attachments can't be read.
pub(crate) enum Unread {
    /// The storage does not answer, or has failed.
    Later(String),
    /// There is no such file.
    Missing(String),
}

/// Reads the attachments of a mail. Waits while many others are in memory.
pub(crate) async fn attachments(storage: &Files, content: &Content) -> Result<Attachments, Unread> {
    let size: i64 = content.attachments.iter().map(|file| file.size.max(0)).sum();
    let permit = match u32::try_from(size / 1000 + 1).unwrap_or(u32::MAX).min(40_000) {
        _ if size == 0 => None,
        // The semaphore is never closed.
        kilobytes => ATTACHED.acquire_many(kilobytes).await.ok(),
    };
    let mut files = Vec::with_capacity(content.attachments.len());
    for AttachedFile { filename, content_type, size, blob, .. } in &content.attachments {
        match storage.part(blob, 0, size.unsigned_abs()).await {
            Ok(Some(bytes)) => files.push(Attachment {
                filename: filename.clone(),
                content_type: content_type.clone(),
                content_id: None,
                content: bytes.into(),
            }),
            Ok(None) => return Err(Unread::Missing(format!("attachments: the file {filename} was deleted"))),
            Err(error) => return Err(Unread::Later(format!("the file {filename} can't be read: {error}"))),
        }
    }
    Ok(Attachments { files, _permit: permit })
}

/// The mail of a message, with this date in milliseconds.
pub(crate) fn mail(
    from: &Address,
    recipient: &str,
    reference: &str,
    content: &Content,
    attached: &Attachments,
    date: i64,
) -> Result<Vec<u8>, Problem> {
    compose(&Draft {
        message_id: reference,
        date,
        from: from.clone(),
        to: vec![Address { name: content.to_name.clone(), address: recipient.to_owned() }],
        cc: content.cc.iter().map(Address::new).collect(),
        reply_to: content.reply_to.as_ref().map(Address::new),
        attachments: &attached.files,
        subject: content.subject.as_deref().unwrap_or_default(),
        text: &content.text,
        html: content.html.as_deref(),
        in_reply_to: content.references.last().map(String::as_str),
        references: content.references.iter().map(String::as_str).collect(),
        unsubscribe: content.unsubscribe.as_deref(),
        ..Draft::default()
    })
}

/// What an account's mails are from.
pub(crate) fn from_of(account: &ConnectedAccount) -> Address {
    Address { name: Some(account.name.clone()), address: account.address.clone().unwrap_or_default() }
}

/// The most time for a test mail.
const TEST: Duration = Duration::from_secs(25);

/// Sends a mail that no row of the outbox stands for. Returns the member of the request that is at fault, and why.
pub(crate) async fn send_test(app: &Arc<App>, test: &TestMail) -> Result<Option<(&'static str, String)>, Error> {
    let unreadable = |_| store::Error::Internal("the content of a test mail can't be read".into());
    let content = Content::deserialize(&test.content).map_err(unreadable)?;
    let Some((reach, account)) = account_of(app, test.workspace, test.account).await? else {
        return Ok(Some(("sender_id", "the account was removed".into())));
    };
    let Some(server) = smtp_server(&Access::of(app, test.workspace, test.account), &reach) else {
        return Ok(Some(("sender_id", "the account has no server for mail".into())));
    };
    let server = match server {
        Ok(server) => server,
        Err(wrong) => return Ok(Some(("sender_id", wrong.to_string()))),
    };
    let from = from_of(&account);
    let domain = from.address.rsplit_once('@').map_or("relata", |(_, domain)| domain);
    let work = async {
        let attached = match attachments(&app.files, &content).await {
            Ok(attached) => attached,
            Err(Unread::Missing(why) | Unread::Later(why)) => return Some(("attachments", why)),
        };
        let reference = format!("{}@{domain}", Uuid::new_v4());
        let message = match mail(&from, &test.to, &reference, &content, &attached, clock::now_ms()) {
            Ok(message) => message,
            Err(problem) => return Some(("step", problem.to_string())),
        };
        let sent = match smtp::Session::connect(&server).await {
            Ok(mut session) => {
                let sent = session.send(&from.address, &[&test.to], &message, &|| true).await;
                session.quit().await;
                sent
            }
            Err(fault) => Err(fault.into()),
        };
        match sent {
            Ok(_) => None,
            Err(SendError::NotSent(Fault::Recipient(why))) => Some(("to", why)),
            Err(SendError::NotSent(fault)) => Some(("sender_id", trouble_of(&fault).reason)),
            Err(SendError::Unknown(_)) => {
                Some(("sender_id", "the mail server did not confirm the mail; it may have arrived".into()))
            }
        }
    };
    let late = Some(("sender_id", "the mail server took too long; try again later".to_owned()));
    Ok(tokio::time::timeout(TEST, work).await.unwrap_or(late))
}
