//! The state of the sandbox, and the application of its rules.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;
use tokio::sync::watch;

use crate::clock;
use crate::grants::Grants;
use crate::mailbox::Mailboxes;
use crate::people::World;
use crate::script::{Action, Point, Rule, Script, Target, WrongAnswer};
use connect::provider::{Done, Event, Invitation, To, Webhook};

/// An accepted mail.
#[derive(Clone, Debug, Serialize)]
pub struct Received {
    pub at: jiff::Timestamp,
    /// The user who logged in to send it.
    pub user: Option<String>,
    pub from: String,
    pub to: Vec<String>,
    pub message_id: Option<String>,
    #[serde(skip)]
    pub content: Bytes,
}

/// A visit, an invitation or a message that the network or the chat accepted.
#[derive(Clone, Debug, Serialize)]
pub struct ProviderSend {
    pub at: jiff::Timestamp,
    /// network or chat
    pub channel: &'static str,
    /// visit, invitation, message or inmail
    pub kind: &'static str,
    pub id: String,
    pub to: To,
    pub text: Option<String>,
}

/// A question to an address finder.
#[derive(Clone, Debug, Serialize)]
pub struct Asked {
    pub at: jiff::Timestamp,
    /// The finder's name in the URL.
    pub finder: String,
    /// json, hunter or apollo
    pub kind: &'static str,
    pub name: String,
    /// The `Idempotency-Key`.
    pub key: String,
}

#[derive(Default)]
pub(crate) struct State {
    pub mailboxes: Mailboxes,
    pub received: Vec<Received>,
    pub counts: HashMap<String, u32>,
    /// Users who sent from an address. They also receive its mail.
    aliases: HashMap<String, BTreeSet<String>>,
    /// How often each rule was applied to each address.
    applied: HashMap<(usize, String), u32>,
    pub sends: Vec<ProviderSend>,
    pub asked: Vec<Asked>,
    /// By channel and id.
    pub done: BTreeMap<(&'static str, String), Done>,
    pub invitations: BTreeMap<String, Invitation>,
    pub connected: BTreeSet<String>,
    pub events: BTreeMap<&'static str, Vec<Event>>,
    pub webhooks: BTreeMap<&'static str, Webhook>,
    pub oauth: Grants,
    made: u64,
}

pub(crate) struct Shared {
    state: Mutex<State>,
    script: Mutex<Arc<Script>>,
    world: Mutex<Arc<World>>,
    /// Increases with every change of a mailbox.
    changed: watch::Sender<u64>,
    pub certificate: String,
    /// The start time, which makes ids unique across runs.
    started: i64,
}

/// The result of the rules at one point of a send.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    Pass,
    Hang,
    Drop,
    Refuse { code: u16, text: String, retry_after: Option<u32> },
    WrongAnswer(WrongAnswer),
}

impl Shared {
    pub(crate) fn new(script: Script, certificate: String) -> Shared {
        Shared {
            state: Mutex::default(),
            world: Mutex::new(Arc::new(World::new(script.seed, script.people))),
            script: Mutex::new(Arc::new(script)),
            changed: watch::Sender::new(0),
            certificate,
            started: clock::now().as_millisecond(),
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn script(&self) -> Arc<Script> {
        self.script.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn world(&self) -> Arc<World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn play(&self, script: Script) {
        let before = self.script();
        if (before.seed, before.people) != (script.seed, script.people) {
            *self.world.lock().unwrap_or_else(PoisonError::into_inner) =
                Arc::new(World::new(script.seed, script.people));
        }
        *self.script.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(script);
        self.state().applied.clear();
    }

    pub(crate) fn reset(&self) {
        let mut state = self.state();
        let made = state.made;
        *state = State { made, ..State::default() };
        drop(state);
        self.notify_changed();
    }

    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    fn notify_changed(&self) {
        self.changed.send_modify(|changes| *changes += 1);
    }

    /// An id that is unique across all runs.
    pub(crate) fn name(&self) -> String {
        let mut state = self.state();
        state.made += 1;
        format!("{:x}.{}", self.started, state.made)
    }

    /// The first rule that applies to the target at this point, or after the send if `point` is `None`.
    pub(crate) fn rule(
        &self,
        point: Option<Point>,
        target: Target<'_>,
        wanted: impl Fn(&Action) -> bool,
    ) -> Option<Rule> {
        let script = self.script();
        for (at, rule) in script.rules.iter().enumerate() {
            if rule.point() != point || !wanted(&rule.action) || !rule.fits(target) {
                continue;
            }
            if let Some(most) = rule.times {
                let name = target.names.first().map(|name| name.to_lowercase()).unwrap_or_default();
                let mut state = self.state();
                let applied = state.applied.entry((at, name)).or_default();
                if *applied >= most {
                    continue;
                }
                *applied += 1;
            }
            return Some(rule.clone());
        }
        None
    }

    /// Applies the first rule for this point, after its delay.
    pub(crate) async fn apply_rule(&self, point: Point, target: Target<'_>) -> Outcome {
        let Some(rule) = self.rule(Some(point), target, |_| true) else { return Outcome::Pass };
        tokio::time::sleep(rule.after).await;
        match rule.action {
            Action::TimeOut { .. } => Outcome::Hang,
            Action::Disconnect { .. } => Outcome::Drop,
            Action::Reject { code, text } => Outcome::Refuse { code, text, retry_after: None },
            Action::WrongPassword => {
                let text = "5.7.8 Wrong user or password".to_owned();
                Outcome::Refuse { code: 535, text, retry_after: None }
            }
            Action::Error { status, text, retry_after } => Outcome::Refuse { code: status, text, retry_after },
            Action::WrongAnswer(wrong) => Outcome::WrongAnswer(wrong),
            _ => Outcome::Pass,
        }
    }

    /// Stores an accepted mail, in the mailboxes of its recipients and the Sent folder of its sender.
    pub(crate) fn accept(&self, mail: Received) {
        let now = mail.at.as_millisecond();
        let sent_copies = self.script().sent_copies;
        let mut state = self.state();
        if let Some(id) = &mail.message_id {
            *state.counts.entry(id.clone()).or_default() += 1;
        }
        if let Some(user) = mail.user.as_ref().filter(|user| !user.eq_ignore_ascii_case(&mail.from)) {
            state.aliases.entry(mail.from.to_lowercase()).or_default().insert(user.to_lowercase());
        }
        for to in &mail.to {
            state.deliver(to, &mail.content, now);
        }
        if sent_copies {
            let mut owners = BTreeSet::from([mail.from.to_lowercase()]);
            owners.extend(mail.user.as_ref().map(|user| user.to_lowercase()));
            for owner in owners.iter().filter(|owner| !owner.is_empty()) {
                if let Some(folder) = state.mailboxes.folder(owner, "Sent") {
                    folder.put(mail.content.clone(), vec!["\\Seen".to_owned()], now);
                }
            }
        }
        state.received.push(mail);
        drop(state);
        self.notify_changed();
    }

    /// Delivers a mail that the sandbox itself sends.
    pub(crate) fn deliver(&self, to: &str, content: Bytes) {
        self.state().deliver(to, &content, clock::now().as_millisecond());
        self.notify_changed();
    }

    pub(crate) fn put(&self, address: &str, folder: &str, content: Bytes) -> Option<u32> {
        let now = clock::now().as_millisecond();
        let uid = self.state().mailboxes.folder(address, folder)?.put(content, Vec::new(), now);
        self.notify_changed();
        Some(uid)
    }

    pub(crate) fn remove(&self, address: &str, folder: &str, uid: u32) -> bool {
        let removed = self.state().mailboxes.folder(address, folder).is_some_and(|folder| {
            let before = folder.mails.len();
            folder.mails.retain(|mail| mail.uid != uid);
            folder.mails.len() < before
        });
        self.notify_changed();
        removed
    }

    pub(crate) fn renumber(&self, address: &str, folder: &str) -> bool {
        let found = self.state().mailboxes.folder(address, folder).map(|folder| folder.renumber()).is_some();
        self.notify_changed();
        found
    }

    /// Changes mailboxes and wakes the IMAP connections in IDLE.
    pub(crate) fn with_mailboxes<T>(&self, change: impl FnOnce(&mut Mailboxes) -> T) -> T {
        let done = change(&mut self.state().mailboxes);
        self.notify_changed();
        done
    }
}

impl State {
    fn deliver(&mut self, to: &str, content: &Bytes, now: i64) {
        let to = to.to_lowercase();
        let mut owners = self.aliases.get(&to).cloned().unwrap_or_default();
        owners.insert(to);
        for owner in owners {
            if let Some(inbox) = self.mailboxes.folder(&owner, "INBOX") {
                inbox.put(content.clone(), Vec::new(), now);
            }
        }
    }
}

/// Runs the work after a delay, unless the sandbox has stopped by then.
pub(crate) fn later(shared: &Arc<Shared>, after: Duration, work: impl FnOnce(&Arc<Shared>) + Send + 'static) {
    if after.is_zero() {
        return work(shared);
    }
    let shared = Arc::downgrade(shared);
    tokio::spawn(async move {
        tokio::time::sleep(after).await;
        if let Some(shared) = shared.upgrade() {
            work(&shared);
        }
    });
}
