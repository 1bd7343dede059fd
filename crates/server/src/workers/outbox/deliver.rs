//! Delivers one message: over a reused session to a mail server, or by a request to a provider.

use super::{IN_FLIGHT, Sender};
use crate::accounts::{Access, account_of, provider, smtp_server, trouble_of};
use crate::{App, clock};
use connect::fault::{Fault, SendError};
use connect::files::Files;
use connect::guard::Guard;
use connect::mail::{Address, Attachment, Draft, Problem, compose};
use connect::provider::{InvitationState, Invite, MessageKind as ProviderKind, Outgoing, Provider, To, Visit};
use connect::server::Server;
use connect::smtp;
use crm::api::effects::{Reach, TestMail};
use crm::outreach::account::{Channel, ConnectedAccount};
use crm::outreach::attached::AttachedFile;
use crm::outreach::message::MessageKind;
use crm::outreach::outbox::{Content, Handover, Outcome};
use resource::Error;
use serde::Deserialize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use store::Uuid;
use tokio::sync::{Semaphore, SemaphorePermit};

/// An unused session is closed after this time.
const IDLE: Duration = Duration::from_secs(30);
const TOO_MANY_REQUESTS: u16 = 429;

/// Shared by the deliveries of one account: how to reach its server, and idle sessions.
#[derive(Default)]
pub(super) struct Sessions(Mutex<Shared>);

#[derive(Default)]
struct Shared {
    outlet: Option<Arc<Outlet>>,
    idle: Vec<(Instant, smtp::Session)>,
    /// How many sessions are being opened.
    opening: usize,
    used: Option<Instant>,
}

/// How to send messages of the account.
struct Outlet {
    reach: Reach,
    from: Address,
    way: Way,
}

#[derive(Clone)]
enum Way {
    Smtp(Server),
    Provider(Provider, Channel),
    /// The account can't be used, for this reason.
    None(String),
}

impl Outlet {
    fn of(access: &Access, reach: Reach, account: &ConnectedAccount) -> Outlet {
        let from = from_of(account);
        let way = match (smtp_server(access, &reach), provider(&access.guard, &reach)) {
            (Some(server), _) => server.map_or_else(|wrong| Way::None(wrong.to_string()), Way::Smtp),
            (_, Some(provider)) => provider.map_or_else(
                |wrong| Way::None(wrong.to_string()),
                |provider| Way::Provider(provider, account.provider),
            ),
            _ => Way::None("the account has no server".into()),
        };
        Outlet { reach, from, way }
    }
}

impl Sessions {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the account's current addresses and name. If they have changed, idle sessions are closed.
    pub(super) fn set_account(&self, access: &Access, reach: Reach, account: &ConnectedAccount) {
        let mut shared = self.lock();
        let same = shared
            .outlet
            .as_ref()
            .is_some_and(|known| known.reach == reach && known.from.name.as_deref() == Some(&*account.name));
        if !same {
            shared.idle.clear();
            shared.outlet = Some(Arc::new(Outlet::of(access, reach, account)));
        }
    }

    pub(super) fn are_stale(&self) -> bool {
        let mut shared = self.lock();
        let now = clock::instant();
        shared.idle.retain(|(since, _)| now - *since < IDLE);
        shared.used.is_none_or(|used| now - used > IDLE)
    }

    fn idle(&self) -> Option<smtp::Session> {
        let (mut shared, now) = (self.lock(), clock::instant());
        shared.used = Some(now);
        shared.idle.retain(|(since, _)| now - *since < IDLE);
        shared.idle.pop().map(|(_, session)| session)
    }

    /// How many sessions are idle.
    fn idle_count(&self) -> usize {
        let (mut shared, now) = (self.lock(), clock::instant());
        shared.idle.retain(|(since, _)| now - *since < IDLE);
        shared.idle.len()
    }

    fn keep(&self, session: smtp::Session) {
        if session.is_open() {
            self.lock().idle.push((clock::instant(), session));
        }
    }
}

/// How many messages can be sent at once without opening another session. At least one, even if no session can be opened:
/// its outcome then says what is wrong with the account.
pub(super) async fn ready(app: &Arc<App>, sender: &Arc<Sender>, most: usize) -> Result<usize, Error> {
    let sessions = &sender.sessions;
    if sessions.lock().outlet.is_none()
        && let Some((reach, account)) = account_of(app, sender.workspace, sender.account).await?
    {
        sessions.set_account(&Access::of(app, sender.workspace, sender.account), reach, &account);
    }
    let outlet = sessions.lock().outlet.clone();
    let Some(Way::Smtp(server)) = outlet.map(|outlet| outlet.way.clone()) else { return Ok(most) };
    if sessions.idle_count() == 0 {
        open(sender.clone(), server.clone()).await;
    }
    Ok(sessions.idle_count().clamp(1, most))
}

/// Opens more sessions in the background, since more messages are due than sessions are open. The number at most doubles
/// with each call.
pub(super) fn open_more(sender: &Arc<Sender>, most: usize) {
    let (outlet, busy) = (sender.sessions.lock().outlet.clone(), IN_FLIGHT - sender.in_flight.available_permits());
    let Some(Way::Smtp(server)) = outlet.map(|outlet| outlet.way.clone()) else { return };
    let opening = sender.sessions.lock().opening;
    for _ in opening..most.min(busy.max(1)) {
        tokio::spawn(open(sender.clone(), server.clone()));
    }
}

async fn open(sender: Arc<Sender>, server: Server) {
    sender.sessions.lock().opening += 1;
    let opened = smtp::Session::connect(&server).await;
    sender.sessions.lock().opening -= 1;
    if let Ok(session) = opened {
        sender.sessions.keep(session);
    }
}

/// Mails with attachments that are in memory at the same time, in kilobytes of attachments.
static ATTACHED: Semaphore = Semaphore::const_new(40_000);

/// The attachments of a mail, and the right to have them in memory.
pub(super) struct Attachments {
    files: Vec<Attachment>,
    _permit: Option<SemaphorePermit<'static>>,
}

/// Why attachments can't be read.
pub(super) enum Unread {
    /// The storage does not answer, or has failed.
    Later(String),
    /// There is no such file.
    Missing(String),
}

/// Reads the attachments of a mail. Waits while many others are in memory.
pub(super) async fn attachments(storage: &Files, content: &Content) -> Result<Attachments, Unread> {
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
                content: bytes.into(),
            }),
            Ok(None) => return Err(Unread::Missing(format!("attachments: the file {filename} was deleted"))),
            Err(error) => return Err(Unread::Later(format!("the file {filename} can't be read: {error}"))),
        }
    }
    Ok(Attachments { files, _permit: permit })
}

/// Delivers one message. It is not sent if the deadline passes before the command that commits it, such as SMTP's final dot.
pub(super) async fn deliver(storage: &Files, sessions: &Sessions, handover: &Handover, deadline: Instant) -> Outcome {
    // The account was removed, so nothing can be tried.
    let Some(outlet) = sessions.lock().outlet.clone() else { return Outcome::NotBegun };
    let attached = match tokio::time::timeout_at(deadline.into(), attachments(storage, &handover.content)).await {
        Ok(Ok(attached)) => attached,
        Ok(Err(Unread::Later(why))) => {
            tracing::warn!(message = %handover.message_id, why, "failed to read an attachment; the message is tried again later");
            return Outcome::Temporary("an attachment can't be read from storage now".into());
        }
        Ok(Err(Unread::Missing(why))) => return Outcome::Message(why),
        Err(_) => return Outcome::NotBegun,
    };
    let committed = AtomicBool::new(false);
    let may_commit = || {
        let may = clock::instant() < deadline;
        committed.fetch_or(may, Ordering::AcqRel);
        may
    };
    let work = async {
        match &outlet.way {
            Way::Smtp(server) => by_mail(sessions, server, &outlet.from, handover, &attached, &may_commit).await,
            Way::Provider(provider, channel) => {
                let quoted = outlet.reach.by_operator.url;
                by_provider(provider, *channel, handover, quoted, &may_commit).await
            }
            Way::None(why) => Outcome::Sender(why.as_str().into()),
        }
    };
    match tokio::time::timeout_at(deadline.into(), work).await {
        Ok(outcome) => outcome,
        Err(_) if committed.load(Ordering::Acquire) => Outcome::Unknown("the server did not answer in time".into()),
        Err(_) => Outcome::Unreached("the server took too long".into()),
    }
}

type MayCommit<'a> = &'a (dyn Fn() -> bool + Send + Sync);

/// The mail of a message, with this date in milliseconds.
pub(super) fn mail(
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
pub(super) fn from_of(account: &ConnectedAccount) -> Address {
    Address { name: Some(account.name.clone()), address: account.address.clone().unwrap_or_default() }
}

async fn by_mail(
    sessions: &Sessions,
    server: &Server,
    from: &Address,
    handover: &Handover,
    attached: &Attachments,
    may_commit: MayCommit<'_>,
) -> Outcome {
    let Handover { recipient, reference, content, .. } = handover;
    let message = match mail(from, recipient, reference, content, attached, clock::now_ms()) {
        Ok(message) => message,
        Err(problem) => return Outcome::Message(format!("{}: {}", problem.field, problem.reason)),
    };
    // The server may have closed an idle session meanwhile, so an unreachable server is tried again with a new session.
    if let Some(session) = sessions.idle() {
        match send(sessions, session, from, handover, &message, may_commit).await {
            Outcome::Unreached(_) => {}
            outcome => return outcome,
        }
    }
    match smtp::Session::connect(server).await {
        Ok(session) => send(sessions, session, from, handover, &message, may_commit).await,
        Err(fault) => outcome_of(fault, false),
    }
}

async fn send(
    sessions: &Sessions,
    mut session: smtp::Session,
    from: &Address,
    handover: &Handover,
    message: &[u8],
    may_commit: MayCommit<'_>,
) -> Outcome {
    let content = &handover.content;
    let others = content.cc.iter().chain(&content.bcc).map(String::as_str);
    let to: Vec<&str> = std::iter::once(handover.recipient.as_str()).chain(others).collect();
    let sent = session.send(&from.address, &to, message, may_commit).await;
    sessions.keep(session);
    match sent {
        Ok(_) => Outcome::Sent,
        // After the sign-in the mail server's error is about this message, like a bounce, so the message may quote it.
        Err(SendError::NotSent(fault)) => outcome_of(fault, true),
        Err(SendError::Unknown(why)) => Outcome::Unknown(why),
    }
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
    let Some(server) = smtp_server(&app.guard, &reach) else {
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

/// `quoted` says whether all members may read the provider's error text.
async fn by_provider(
    provider: &Provider,
    channel: Channel,
    handover: &Handover,
    quoted: bool,
    may_commit: MayCommit<'_>,
) -> Outcome {
    let (id, content) = (handover.reference.clone(), &handover.content);
    let to = match channel {
        Channel::Chat => To::Phone(handover.recipient.clone()),
        _ => To::Url(handover.recipient.clone()),
    };
    let message = |kind| Outgoing {
        id: id.clone(),
        to: to.clone(),
        kind,
        subject: content.subject.clone(),
        text: content.text.clone(),
    };
    let said = Some(content.text.clone()).filter(|text| !text.is_empty());
    let done = match handover.kind {
        MessageKind::Visit => provider.visit(&Visit { id: id.clone(), to }, may_commit).await.map(|_| Outcome::Sent),
        MessageKind::Invite => {
            let invited = provider.invite(&Invite { id: id.clone(), to, message: said }, may_commit).await;
            invited.map(|invitation| match invitation.state {
                InvitationState::Accepted | InvitationState::Connected => Outcome::Accepted,
                InvitationState::Pending | InvitationState::Declined => Outcome::Sent,
            })
        }
        MessageKind::Inmail => {
            provider.message(&message(ProviderKind::Inmail), may_commit).await.map(|_| Outcome::Sent)
        }
        _ => provider.message(&message(ProviderKind::Message), may_commit).await.map(|_| Outcome::Sent),
    };
    match done {
        Ok(outcome) => outcome,
        // The provider limits the account, not this message.
        Err(SendError::NotSent(fault @ Fault::Temporary { .. })) if fault.code() == Some(TOO_MANY_REQUESTS) => {
            Outcome::Throttled(trouble_of(&fault))
        }
        Err(SendError::NotSent(fault)) => outcome_of(fault, quoted),
        // A provider accepts each id once, so asking for the id tells whether the message was sent.
        Err(SendError::Unknown(why)) => {
            let sent = provider.sent(&id).await;
            let why = if quoted { why } else { Fault::Unreached(why).general() };
            match sent {
                Ok(Some(_)) => Outcome::Sent,
                Ok(None) => Outcome::Temporary(why),
                Err(_) => Outcome::Unknown(why),
            }
        }
    }
}

/// `quoted` says whether the outcome may contain the server's error text, which all members can read.
fn outcome_of(fault: Fault, quoted: bool) -> Outcome {
    let trouble = trouble_of(&fault);
    let shown = |why: String| if quoted { why } else { trouble.reason.clone() };
    match fault {
        Fault::Refused => Outcome::NotBegun,
        Fault::Temporary { text, .. } => Outcome::Temporary(shown(text)),
        Fault::Recipient(why) => Outcome::Recipient(shown(why)),
        Fault::Message(why) => Outcome::Refused(shown(why)),
        Fault::Sender(_) | Fault::Token { .. } => Outcome::Sender(trouble),
        Fault::Throttled(_) => Outcome::Throttled(trouble),
        // The message waits until an admin corrects the account's address or the operator allows it.
        Fault::Unreached(_) | Fault::Forbidden { .. } => Outcome::Unreached(trouble),
    }
}
