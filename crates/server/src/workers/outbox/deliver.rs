//! Delivers one message: over a reused session to a mail server, or by a request to a provider.

use super::{IN_FLIGHT, Sender};
use crate::accounts::{Access, account_of, provider, smtp_server, trouble_of};
use crate::outgoing_mail::{Attachments, Unread, attachments, from_of, mail};
use crate::{App, clock};
use connect::fault::{Fault, SendError};
use connect::files::Files;
use connect::mail::Address;
use connect::provider::{InvitationState, Invite, MessageKind as ProviderKind, Outgoing, Provider, To, Visit};
use connect::server::Server;
use connect::smtp;
use crm::api::effects::Reach;
use crm::outreach::account::{Channel, ConnectedAccount};
use crm::outreach::delivery::Outcome;
use crm::outreach::message::MessageKind;
use crm::outreach::outbox::Handover;
use resource::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

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
