//! `Idempotency-Key`: a request that is sent again is not carried out again. The answer is kept in the transaction of the
//! write, so there is one if and only if the write took place, on whichever node, whatever crashed.

use crate::job::skip_locked;
use crate::operation::{Call, Content, Reply};
use resource::Error;
use serde_json::Value as Json;
use store::{Tx, Value};

/// How long an answer is kept, in milliseconds.
const KEPT: i64 = 24 * 60 * 60 * 1000;
/// As many are forgotten in one go.
const FORGOTTEN: usize = 500;

/// What a request is known by when it comes again. It belongs to the owner of the key it came with.
pub struct Once {
    pub key: String,
    /// A hash of what was asked.
    pub fingerprint: Vec<u8>,
}

/// Carries out a write in the one transaction that it takes, unless that was done before.
pub fn once(
    call: &Call,
    tx: &mut dyn Tx,
    work: impl FnOnce(&mut dyn Tx) -> Result<Reply, Error>,
) -> Result<Reply, Error> {
    match (&call.once, before(call, tx)?) {
        (_, Some(reply)) => Ok(reply),
        (None, None) => work(tx),
        (Some(once), None) => {
            let reply = work(tx)?;
            let Some(body) = reply.data.body() else { return Ok(reply) };
            put(call, tx, once, &once.key, &reply, body.to_vec())?;
            Ok(Reply { data: Content::Ready { body, replayed: false }, ..reply })
        }
    }
}

/// The answer that the request at hand got when it was sent before; 409 if its key was used for another.
pub fn before(call: &Call, tx: &mut dyn Tx) -> Result<Option<Reply>, Error> {
    match &call.once {
        Some(once) => kept(call, tx, once, &once.key),
        None => Ok(None),
    }
}

/// Carries out one of the many parts of a request, each of which has a transaction of its own, unless that was done before;
/// gives what came of it. So a request that broke off half-way goes on from there, and of two at once each part is done
/// by one. When all parts are through, `once` keeps the answer as a whole.
pub fn part(
    call: &Call,
    tx: &mut dyn Tx,
    index: usize,
    work: impl FnOnce(&mut dyn Tx) -> Result<Json, Error>,
) -> Result<Json, Error> {
    let Some(once) = &call.once else { return work(tx) };
    // No key holds a space, so no key is that of a part.
    let key = format!("{} {index}", once.key);
    if let Some(Reply { data: Content::Ready { body, .. }, .. }) = kept(call, tx, once, &key)? {
        return Ok(serde_json::from_slice(&body).unwrap_or(Json::Null));
    }
    let result = work(tx)?;
    put(call, tx, once, &key, &Reply::json(&Json::Null), result.to_string().into_bytes())?;
    Ok(result)
}

fn kept(call: &Call, tx: &mut dyn Tx, once: &Once, key: &str) -> Result<Option<Reply>, Error> {
    const KEPT_SINCE: &str = "SELECT fingerprint, status, location, version, answer FROM idempotency \
         WHERE workspace_id = $1 AND user_id = $2 AND key = $3 AND created_at > $4";
    let since = tx.stamp() - KEPT;
    let params = [call.ctx.workspace.into(), call.key.user.into(), key.into(), since.into()];
    let found = tx.one(KEPT_SINCE, &params, |row| {
        let reply = Reply {
            status: u16::try_from(row.int(1)?).unwrap_or_default(),
            location: row.maybe_text(2)?,
            version: row.maybe_int(3)?,
            data: Content::Ready { body: row.get(4)?.bytes()?.to_vec().into(), replayed: true },
        };
        Ok((row.get(0)?.bytes()? == once.fingerprint, reply))
    })?;
    match found {
        None => Ok(None),
        Some((true, reply)) => Ok(Some(reply)),
        Some((false, _)) => {
            Err(Error::Idempotency("this Idempotency-Key was used for another request; take a new one"))
        }
    }
}

fn put(call: &Call, tx: &mut dyn Tx, once: &Once, key: &str, reply: &Reply, answer: Vec<u8>) -> Result<(), Error> {
    const PUT: &str = "INSERT INTO idempotency (workspace_id, user_id, key, fingerprint, status, location, version, answer, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (workspace_id, user_id, key) DO UPDATE SET \
         fingerprint = excluded.fingerprint, status = excluded.status, location = excluded.location, \
         version = excluded.version, answer = excluded.answer, created_at = excluded.created_at";
    let params: [Value; 9] = [
        call.ctx.workspace.into(),
        call.key.user.into(),
        key.into(),
        once.fingerprint.clone().into(),
        i64::from(reply.status).into(),
        reply.location.clone().into(),
        reply.version.into(),
        answer.into(),
        tx.stamp().into(),
    ];
    Ok(tx.execute(PUT, &params)?)
}

/// Forgets some answers that are a day old; true if there may be more.
pub fn forget(tx: &mut dyn Tx) -> Result<bool, Error> {
    let (clock, skip) = (tx.dialect().clock(), skip_locked(tx.dialect()));
    let sql = format!(
        "DELETE FROM idempotency WHERE (workspace_id, user_id, key) IN (SELECT workspace_id, user_id, key \
         FROM idempotency WHERE created_at <= {clock} - $1 ORDER BY created_at LIMIT {FORGOTTEN}{skip}) RETURNING key"
    );
    let gone = tx.rows(&sql, &[KEPT.into()], |_| Ok(()))?;
    Ok(gone.len() == FORGOTTEN)
}
