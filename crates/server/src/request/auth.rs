//! Identifies keys and sessions: checks their form, looks them up by hash, and caches them until a key or session changes.

use crate::clock::now_ms;
use crm::api::key::{self, Identity, well_formed};
use crm::api::meta::Secret;
use crm::tenant::session;
use hyper::header::{self, HeaderMap};
use papaya::HashMap;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use store::{Lane, Row, Store, Uuid};
use tokio::sync::watch;

pub(crate) struct Keys {
    secret: Secret,
    known: HashMap<Vec<u8>, Arc<Identity>>,
    /// Increases whenever the cache is cleared, so that a row read before is not cached after.
    epoch: AtomicU64,
    /// Notifies event streams that their identity may have changed.
    changed: watch::Sender<u64>,
    /// The last use of each session (true) or key (false).
    used: Mutex<BTreeMap<(bool, Uuid), i64>>,
}

/// The credential of a request.
#[derive(Clone, Debug)]
pub(crate) enum Credential {
    /// The header `Authorization`.
    Key(String),
    /// The session cookie of the dashboard.
    Session(String),
    None,
}

/// The name of the session's cookie. Browsers accept the prefix `__Host-` only with `Secure`, `Path=/` and no `Domain`, so
/// that no other host of the domain can set it.
pub(crate) fn cookie_name(https: bool) -> &'static str {
    if https { "__Host-relata_session" } else { "relata_session" }
}

impl Credential {
    /// A key if one is sent, else the cookie. If there is a cookie, another scheme than Bearer is ignored: it may be meant for a
    /// proxy.
    pub(crate) fn of(headers: &HeaderMap, cookie_name: &str) -> Credential {
        if headers.get_all(header::AUTHORIZATION).iter().count() > 1 {
            return Credential::None;
        }
        let authorization = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        match (authorization, cookie(headers, cookie_name)) {
            (Some(header), None) => Credential::Key(header.to_owned()),
            (Some(header), Some(_)) if bearer(header).is_some() => Credential::Key(header.to_owned()),
            (_, Some(token)) => Credential::Session(token.to_owned()),
            (None, None) => Credential::None,
        }
    }

    /// The session cookie only; keys are ignored.
    pub(crate) fn session(headers: &HeaderMap, cookie_name: &str) -> Credential {
        cookie(headers, cookie_name).map_or(Credential::None, |token| Credential::Session(token.to_owned()))
    }
}

/// Why no key was identified, and what to do.
pub(crate) fn refusal(headers: &HeaderMap) -> &'static str {
    let mut given = headers.get_all(header::AUTHORIZATION).iter();
    match (given.next(), given.next()) {
        (Some(_), Some(_)) => "Authorization is sent more than once; send it once",
        (None, _) if headers.contains_key("x-api-key") => {
            "X-API-Key is not read; send the key as Authorization: Bearer <key>"
        }
        (None, _) => "there is no API key; send Authorization: Bearer <key>",
        (Some(header), None) => match header.to_str().ok().and_then(bearer) {
            None => "Authorization must be Bearer, a space and the API key",
            Some(key) if !key.starts_with(key::PREFIX) => "this is no API key: one begins with relata_",
            Some(key) if !well_formed(key) => "the API key is incomplete or mistyped; copy it again",
            Some(_) => {
                "the API key is unknown, expired or revoked; create another with relata keys create, or in the dashboard"
            }
        },
    }
}

fn cookie<'a>(headers: &'a HeaderMap, cookie_name: &str) -> Option<&'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == cookie_name).map(|(_, token)| token)
}

/// The size of the cache. When it is full, it is cleared.
const KNOWN: usize = 100_000;

impl Keys {
    pub(crate) fn new(secret: Secret) -> Self {
        let (changed, _) = watch::channel(0);
        Keys { secret, known: HashMap::new(), epoch: AtomicU64::new(0), changed, used: Mutex::new(BTreeMap::new()) }
    }

    /// The owner of a valid key or session.
    pub(crate) async fn identify(
        &self,
        store: &Store,
        shown: &Credential,
    ) -> Result<Option<Arc<Identity>>, store::Error> {
        let (token, sessions) = match shown {
            Credential::Key(header) => (bearer(header).filter(|key| well_formed(key)), false),
            // Keys and session tokens have different forms, so one is never accepted as the other.
            Credential::Session(token) => (Some(token.as_str()).filter(|token| session::well_formed(token)), true),
            Credential::None => (None, false),
        };
        let Some(token) = token else { return Ok(None) };
        let hash = self.secret.hash(token);
        let known = self.known.pin().get(&hash).cloned();
        // A session is extended while it is used, so one that has expired in the cache is read again.
        let lasts = |identity: &Arc<Identity>| identity.expires_at.is_none_or(|at| at > now_ms());
        let found = match known.filter(|identity| !sessions || lasts(identity)) {
            Some(identity) => Some(identity),
            None => self.look_up(store, hash, sessions).await?,
        };
        Ok(found.filter(lasts))
    }

    async fn look_up(
        &self,
        store: &Store,
        hash: Vec<u8>,
        sessions: bool,
    ) -> Result<Option<Arc<Identity>>, store::Error> {
        let epoch = self.epoch.load(Ordering::Acquire);
        let sql = if sessions { session::IDENTIFY } else { key::IDENTIFY };
        let identity = move |row: &dyn Row| if sessions { session::identity(row) } else { key::identity(row) };
        let params = [hash.clone().into()];
        let found = match store.point(sql, &params, identity).await {
            // A slow database gets more time in the slow lane.
            Err(store::Error::TooSlow) => store.read(Lane::Slow, move |tx| tx.one(sql, &params, identity)).await?,
            found => found?,
        };
        let Some(identity) = found.map(Arc::new) else { return Ok(None) };
        let known = self.known.pin();
        if known.len() >= KNOWN {
            known.clear();
        }
        if self.epoch.load(Ordering::Acquire) == epoch {
            known.insert(hash.clone(), identity.clone());
            if self.epoch.load(Ordering::Acquire) != epoch {
                known.remove(&hash);
            }
        }
        Ok(Some(identity))
    }

    pub(crate) fn forget(&self) {
        self.epoch.fetch_add(1, Ordering::AcqRel);
        self.known.pin().clear();
        self.changed.send_modify(|changes| *changes += 1);
    }

    /// Changes of keys from now on. The receiver starts as changed.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        let mut changes = self.changed.subscribe();
        changes.mark_changed();
        changes
    }

    pub(crate) fn note_use(&self, identity: &Identity) {
        let now = now_ms();
        let mut used = self.used.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        used.insert((identity.role.is_some(), identity.key), now);
    }

    /// Writes the last use of keys and sessions, in the order of ids, so that two nodes can't deadlock.
    pub(crate) async fn write_used(&self, store: &Store) {
        let used = std::mem::take(&mut *self.used.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
        if used.is_empty() {
            return;
        }
        let written = store.bookkeep(move |tx| {
            for ((session, id), at) in &used {
                let (id, at) = (*id, *at);
                match session {
                    true => {
                        let (idle, noted) = (at + session::IDLE, at - session::NOTED);
                        let params = [at.into(), session::LONGEST.into(), idle.into(), id.into(), noted.into()];
                        tx.execute(session::USED, &params)?
                    }
                    false => tx.execute(key::USED, &[at.into(), id.into()])?,
                }
            }
            Ok::<_, store::Error>(())
        });
        if let Err(error) = written.await {
            tracing::warn!(%error, "failed to write the last use of keys and sessions; these values are lost");
        }
    }
}

fn bearer(header: &str) -> Option<&str> {
    let (scheme, key) = header.trim().split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}
