//! One message, handed to the outside: over a session to a mail server that is kept, or by a call to a provider.

use super::{HANDS, Sender};
use crate::{App, clock};
use connect::fault::{Fault, SendError};
use connect::guard::Guard;
use connect::mail::{Address, Draft, compose};
use connect::provider::{
    InvitationState, Invite, MessageKind as ProviderKind, Outgoing, Provider, To, Visit, is_token,
};
use connect::server::{Invalid, Server};
use connect::{imap, smtp};
use crm::account::{Channel, ConnectedAccount, Reach, Trouble};
use crm::message::MessageKind;
use crm::outbox::{Handover, Outcome};
use resource::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// So long is a session kept that nobody uses.
const KEPT: Duration = Duration::from_secs(30);

/// What an account's hands share: how it is reached, and sessions that wait for their next message.
#[derive(Default)]
pub struct Sessions(Mutex<Shared>);

#[derive(Default)]
struct Shared {
    outlet: Option<Arc<Outlet>>,
    idle: Vec<(Instant, smtp::Session)>,
    /// As many are being opened.
    opening: usize,
    used: Option<Instant>,
}

/// How messages of the account leave.
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
    fn of(guard: &Guard, reach: Reach, account: &ConnectedAccount) -> Outlet {
        let from = Address { name: Some(account.name.clone()), address: account.address.clone().unwrap_or_default() };
        let way = match (smtp_server(guard, &reach), provider(guard, &reach)) {
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

/// The guard of one address of an account: what the operator set on the command line is not restricted.
fn guard_of(guard: &Guard, by_operator: bool) -> Guard {
    if by_operator { Guard::operator() } else { guard.clone() }
}

fn smtp_server(guard: &Guard, reach: &Reach) -> Option<Result<Server, Invalid>> {
    Some(Server::smtp(reach.smtp.as_deref()?, &guard_of(guard, reach.by_operator.smtp)))
}

/// Where the account's mail arrives.
pub fn imap_server(guard: &Guard, reach: &Reach) -> Option<Result<Server, Invalid>> {
    Some(Server::imap(reach.imap.as_deref()?, &guard_of(guard, reach.by_operator.imap)))
}

/// The account's provider, of a network or chat.
pub fn provider(guard: &Guard, reach: &Reach) -> Option<Result<Provider, Invalid>> {
    let (url, token) = (reach.url.as_deref()?, reach.token.as_deref()?);
    Some(Provider::new(url, token, &guard_of(guard, reach.by_operator.url)))
}

impl Sessions {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The account as it is now; sessions to where it was before are let go.
    pub fn know(&self, guard: &Guard, reach: Reach, account: &ConnectedAccount) {
        let mut shared = self.lock();
        let same = shared
            .outlet
            .as_ref()
            .is_some_and(|known| known.reach == reach && known.from.name.as_deref() == Some(&*account.name));
        if !same {
            shared.idle.clear();
            shared.outlet = Some(Arc::new(Outlet::of(guard, reach, account)));
        }
    }

    pub fn are_stale(&self) -> bool {
        let mut shared = self.lock();
        let now = clock::instant();
        shared.idle.retain(|(since, _)| now - *since < KEPT);
        shared.used.is_none_or(|used| now - used > KEPT)
    }

    fn idle(&self) -> Option<smtp::Session> {
        let (mut shared, now) = (self.lock(), clock::instant());
        shared.used = Some(now);
        shared.idle.retain(|(since, _)| now - *since < KEPT);
        shared.idle.pop().map(|(_, session)| session)
    }

    /// As many sessions wait for a message.
    fn waiting(&self) -> usize {
        let (mut shared, now) = (self.lock(), clock::instant());
        shared.idle.retain(|(since, _)| now - *since < KEPT);
        shared.idle.len()
    }

    fn keep(&self, session: smtp::Session) {
        if session.is_open() {
            self.lock().idle.push((clock::instant(), session));
        }
    }
}

/// As many messages as can leave at once, when they are taken now: at least one, which then tells what is wrong.
pub async fn ready(app: &Arc<App>, sender: &Arc<Sender>, most: usize) -> Result<usize, Error> {
    let sessions = &sender.sessions;
    if sessions.lock().outlet.is_none()
        && let Some((reach, account)) = super::account_of(app, sender.workspace, sender.account).await?
    {
        sessions.know(&app.guard, reach, &account);
    }
    let outlet = sessions.lock().outlet.clone();
    let Some(Way::Smtp(server)) = outlet.map(|outlet| outlet.way.clone()) else { return Ok(most) };
    if sessions.waiting() == 0 {
        open(sender.clone(), server.clone()).await;
    }
    Ok(sessions.waiting().clamp(1, most))
}

/// Opens more sessions meanwhile, for there is more to do than those have hands: twice as many each time.
pub fn open_more(sender: &Arc<Sender>, most: usize) {
    let (outlet, busy) = (sender.sessions.lock().outlet.clone(), HANDS - sender.hands.available_permits());
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

/// Hands one message over, unless the deadline has passed before the command that commits it.
pub async fn hand_over(sessions: &Sessions, handover: &Handover, deadline: Instant) -> Outcome {
    // It was known before anything was taken.
    let Some(outlet) = sessions.lock().outlet.clone() else { return Outcome::NotBegun };
    let committed = AtomicBool::new(false);
    let may_commit = || {
        let may = clock::instant() < deadline;
        committed.fetch_or(may, Ordering::AcqRel);
        may
    };
    let work = async {
        match &outlet.way {
            Way::Smtp(server) => by_mail(sessions, server, &outlet.from, handover, &may_commit).await,
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
    may_commit: MayCommit<'_>,
) -> Outcome {
    let letter = &handover.letter;
    let draft = Draft {
        message_id: &handover.reference,
        date: clock::now_ms(),
        from: from.clone(),
        to: vec![Address { name: None, address: handover.recipient.clone() }],
        subject: letter.subject.as_deref().unwrap_or_default(),
        text: &letter.text,
        html: letter.html.as_deref(),
        in_reply_to: letter.references.last().map(String::as_str),
        references: letter.references.iter().map(String::as_str).collect(),
        unsubscribe: letter.unsubscribe.as_deref(),
        ..Draft::default()
    };
    let message = match compose(&draft) {
        Ok(message) => message,
        Err(problem) => return Outcome::Message(format!("{}: {}", problem.field, problem.reason)),
    };
    // A kept session may have been closed by the server meanwhile; a fresh one tells.
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
    let sent = session.send(&from.address, &[&handover.recipient], message, may_commit).await;
    sessions.keep(session);
    match sent {
        Ok(_) => Outcome::Sent,
        // A mail server that took the sign-in and the sender speaks of this message, as a bounce would.
        Err(SendError::NotSent(fault)) => outcome_of(fault, true),
        Err(SendError::Unknown(why)) => Outcome::Unknown(why),
    }
}

/// `quoted` says whether everybody may read the provider's words.
async fn by_provider(
    provider: &Provider,
    channel: Channel,
    handover: &Handover,
    quoted: bool,
    may_commit: MayCommit<'_>,
) -> Outcome {
    let (id, letter) = (handover.reference.clone(), &handover.letter);
    let to = match channel {
        Channel::Chat => To::Phone(handover.recipient.clone()),
        _ => To::Url(handover.recipient.clone()),
    };
    let message = |kind| Outgoing {
        id: id.clone(),
        to: to.clone(),
        kind,
        subject: letter.subject.clone(),
        text: letter.text.clone(),
    };
    let said = Some(letter.text.clone()).filter(|text| !text.is_empty());
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
        Err(SendError::NotSent(fault)) => outcome_of(fault, quoted),
        // A provider knows each message by its id, and takes it once.
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

/// What is wrong with an account: the kind for everybody, the server's words for admins.
pub fn trouble_of(fault: &Fault) -> Trouble {
    Trouble { reason: fault.general(), detail: Some(fault.to_string()) }
}

/// `quoted` says whether the words about this message may stand in it, where everybody reads them.
fn outcome_of(fault: Fault, quoted: bool) -> Outcome {
    let trouble = trouble_of(&fault);
    let told = |why: String| if quoted { why } else { trouble.reason.clone() };
    match fault {
        Fault::Refused => Outcome::NotBegun,
        Fault::Temporary { text, .. } => Outcome::Temporary(told(text)),
        Fault::Recipient(why) => Outcome::Recipient(told(why)),
        Fault::Sender(_) => Outcome::Sender(trouble),
        // A message waits until the account's address is mended or allowed.
        Fault::Unreached(_) | Fault::Forbidden { .. } => Outcome::Unreached(trouble),
    }
}

/// Whether a message of this Message-ID, or this id, is where sent ones are kept.
pub async fn was_sent(guard: &Guard, reach: &Reach, reference: &str) -> bool {
    if let Some(provider) = provider(guard, reach) {
        let Ok(provider) = provider else { return false };
        return matches!(provider.sent(reference).await, Ok(Some(_)));
    }
    let Some(Ok(server)) = imap_server(guard, reach) else { return false };
    let look = async {
        let mut session = imap::Session::connect(&server).await?;
        let folder = session.sent_folder().await?;
        let found = match folder {
            Some(folder) => {
                session.examine(&folder).await?;
                session.find(reference).await?.is_some()
            }
            None => false,
        };
        session.log_out().await;
        Ok::<_, Fault>(found)
    };
    look.await.unwrap_or(false)
}

/// Which part of an account is wrong, and why.
pub type Wrong = (&'static str, Trouble);

/// What is wrong with the addresses as they are written: they could not be, or are forbidden. Nothing is resolved or
/// connected to.
pub fn form(guard: &Guard, reach: &Reach) -> Vec<Wrong> {
    let mut all: Vec<Wrong> = Vec::new();
    let servers =
        [("smtp", "smtp.password", smtp_server(guard, reach)), ("imap", "imap.password", imap_server(guard, reach))];
    for (part, password, server) in servers {
        match server.map(|server| server.map(|server| server.check())) {
            Some(Err(wrong)) => all.push((if wrong.lacks_password { password } else { part }, wrong.reason.into())),
            Some(Ok(Err(forbidden))) => all.push((part, forbidden.to_string().into())),
            Some(Ok(Ok(()))) | None => {}
        }
    }
    if reach.token.as_deref().is_some_and(|token| !is_token(token)) {
        all.push(("token", "is empty or holds spaces or other letters than ASCII".into()));
    } else {
        match provider(guard, reach).map(|provider| provider.map(|provider| provider.check())) {
            Some(Err(wrong)) => all.push(("url", wrong.reason.into())),
            Some(Ok(Err(forbidden))) => all.push(("url", forbidden.to_string().into())),
            Some(Ok(Ok(()))) | None => {}
        }
    }
    all
}

/// Tries to log in everywhere that the account is; gives what does not work.
pub async fn check(guard: &Guard, reach: &Reach) -> Vec<Wrong> {
    let malformed = form(guard, reach);
    if !malformed.is_empty() {
        return malformed;
    }
    let sends = async {
        let Some(Ok(server)) = smtp_server(guard, reach) else { return None };
        smtp::check(&server).await.err()
    };
    let receives = async {
        let Some(Ok(server)) = imap_server(guard, reach) else { return None };
        imap::check(&server).await.err()
    };
    let asks = async {
        let Some(Ok(provider)) = provider(guard, reach) else { return None };
        provider.account().await.err()
    };
    let (sends, receives, asks) = tokio::join!(sends, receives, asks);
    // A provider that answers 401 is there, and does not know the token.
    let asked = if asks.as_ref().is_some_and(|fault| fault.code() == Some(401)) { "token" } else { "url" };
    let all = [("smtp", sends), ("imap", receives), (asked, asks)];
    all.into_iter().filter_map(|(part, fault)| Some((part, trouble_of(&fault?)))).collect()
}
