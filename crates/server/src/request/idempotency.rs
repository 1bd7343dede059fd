//! Requests with an `Idempotency-Key`: their fingerprint, and the keys in use on this node.

use crate::App;
use crate::request::received::Received;
use crate::request::spool;
use crate::request::turns::{Turn, Turns};
use crm::api::call::IdempotencyKey;
use crm::api::key::Identity;
use crm::api::operation::Operation;
use hyper::http::request::Parts;
use resource::{Error, invalid};
use sha2::{Digest, Sha256};
use std::time::Duration;
use store::Uuid;

/// How long a request waits for another with the same key.
const TURN_TIMEOUT: Duration = Duration::from_secs(5);

/// The key and the fingerprint of a `POST` that writes. Other requests ignore the header.
pub(crate) async fn asked(
    operation: &Operation,
    head: &Parts,
    received: &Received,
) -> Result<Option<IdempotencyKey>, Error> {
    let Some(key) = head.headers.get("idempotency-key").filter(|_| operation.repeats()) else { return Ok(None) };
    let visible = |key: &&str| (1..=255).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    let key = key.to_str().ok().filter(visible);
    let key = key.ok_or_else(|| invalid("Idempotency-Key", "must have 1 to 255 visible ASCII characters"))?;
    let mut hash = Sha256::new();
    let mut add = |part: &[u8]| {
        // Prefixed with its length, so that different requests never hash the same bytes.
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    };
    add(head.method.as_str().as_bytes());
    add(head.uri.path().as_bytes());
    add(head.uri.query().unwrap_or_default().as_bytes());
    add(serde_json::to_vec(&received.members).unwrap_or_default().as_slice());
    if let Some(file) = &received.file {
        add(file.filename.as_deref().unwrap_or_default().as_bytes());
        add(file.content_type.as_deref().unwrap_or_default().as_bytes());
        add(&spool::hash(file).await?);
    }
    // Stored as a hash, since clients make keys of names and addresses.
    let key = Sha256::digest(key).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Some(IdempotencyKey { key, fingerprint: hash.finalize().to_vec() }))
}

type Name = (Uuid, Uuid, String);

/// The keys of requests that run on this node.
#[derive(Default)]
pub(crate) struct Running(Turns<Name>);

impl Running {
    /// Waits until no other request with the same key runs on this node. It may be the same request, whose stored answer is
    /// then replayed. Across nodes the transactions make sure that only one request writes.
    pub(crate) async fn turn(&self, identity: &Identity, key: &IdempotencyKey) -> Result<Turn, Error> {
        let turn = self.0.take((identity.workspace, identity.user, key.key.clone()));
        let late = |_| Error::Idempotency("a request with this Idempotency-Key is still running; try again shortly");
        tokio::time::timeout(TURN_TIMEOUT, turn).await.map_err(late)
    }
}

/// Deletes expired answers, which are not replayed any more. Called once a minute.
pub(crate) async fn forget(app: &App) {
    loop {
        match app.store.bookkeep(crm::api::idempotency::forget).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                return tracing::warn!(%error, "failed to delete expired idempotency keys; retrying in a minute");
            }
        }
    }
}
