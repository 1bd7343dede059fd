//! `Idempotency-Key`: a repeated request is not carried out again. The answer is stored in the transaction of the
//! write, so it exists if and only if the write took place, on any node and after any crash.

use crate::api::call::{Call, Content, IdempotencyKey, Reply};
use resource::{Error, place};
use serde_json::Value as Json;
use store::{Tx, Value};

/// How long an answer is stored, in milliseconds.
const LIFETIME: i64 = 24 * 60 * 60 * 1000;
/// Answers that one unit deletes.
const CHUNK: usize = 500;

/// Carries out a write in its transaction, or returns the stored answer if it was carried out before.
pub fn replay_or_run(
    call: &Call,
    tx: &mut dyn Tx,
    work: impl FnOnce(&mut dyn Tx) -> Result<Reply, Error>,
) -> Result<Reply, Error> {
    match (&call.idempotency, before(call, tx)?) {
        (_, Some(reply)) => Ok(reply),
        (None, None) => work(tx),
        (Some(request), None) => {
            let reply = work(tx)?;
            let Some(body) = reply.data.body() else { return Ok(reply) };
            store_answer(call, tx, request, &request.key, &reply, body.to_vec())?;
            Ok(Reply { data: Content::Ready { body, replayed: false }, ..reply })
        }
    }
}

/// The stored answer of this request; 409 if its key was used for another request.
pub fn before(call: &Call, tx: &mut dyn Tx) -> Result<Option<Reply>, Error> {
    match &call.idempotency {
        Some(request) => stored_answer(call, tx, request, &request.key),
        None => Ok(None),
    }
}

/// Carries out one part of a request whose parts have a transaction each, or returns the stored result of that part. So
/// an interrupted request continues where it stopped, and of two concurrent requests each part is done once. After all
/// parts `replay_or_run` stores the answer as a whole.
pub fn part(
    call: &Call,
    tx: &mut dyn Tx,
    index: usize,
    work: impl FnOnce(&mut dyn Tx) -> Result<Json, Error>,
) -> Result<Json, Error> {
    let Some(request) = &call.idempotency else { return work(tx) };
    // A key can't contain a space, so this is not the key of any request.
    let key = format!("{} {index}", request.key);
    if let Some(Reply { data: Content::Ready { body, .. }, .. }) = stored_answer(call, tx, request, &key)? {
        return place("idempotency", "answer", &call.key.user).bytes(&body);
    }
    let result = work(tx)?;
    store_answer(call, tx, request, &key, &Reply::json(&Json::Null), result.to_string().into_bytes())?;
    Ok(result)
}

fn stored_answer(call: &Call, tx: &mut dyn Tx, request: &IdempotencyKey, key: &str) -> Result<Option<Reply>, Error> {
    const STORED: &str = "SELECT fingerprint, status, location, version, answer FROM idempotency \
         WHERE workspace_id = $1 AND user_id = $2 AND key = $3 AND created_at > $4";
    let since = tx.stamp() - LIFETIME;
    let params = [call.ctx.workspace.into(), call.key.user.into(), key.into(), since.into()];
    let found = tx.one(STORED, &params, |row| {
        let reply = Reply {
            status: row.read(1, |status| {
                let status = u16::try_from(status.int()?).ok().filter(|status| (100..600).contains(status));
                status.ok_or_else(|| store::Error::unreadable("is no status"))
            })?,
            location: row.maybe_text(2)?,
            version: row.maybe_int(3)?,
            data: Content::Ready { body: row.get(4)?.bytes()?.to_vec().into(), replayed: true },
        };
        Ok((row.get(0)?.bytes()? == request.fingerprint, reply))
    })?;
    match found {
        None => Ok(None),
        Some((true, reply)) => Ok(Some(reply)),
        Some((false, _)) => {
            Err(Error::Idempotency("this Idempotency-Key was used for another request; take a new one"))
        }
    }
}

fn store_answer(
    call: &Call,
    tx: &mut dyn Tx,
    request: &IdempotencyKey,
    key: &str,
    reply: &Reply,
    answer: Vec<u8>,
) -> Result<(), Error> {
    const PUT: &str = "INSERT INTO idempotency (workspace_id, user_id, key, fingerprint, status, location, version, answer, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (workspace_id, user_id, key) DO UPDATE SET \
         fingerprint = excluded.fingerprint, status = excluded.status, location = excluded.location, \
         version = excluded.version, answer = excluded.answer, created_at = excluded.created_at";
    let params: [Value; 9] = [
        call.ctx.workspace.into(),
        call.key.user.into(),
        key.into(),
        request.fingerprint.clone().into(),
        i64::from(reply.status).into(),
        reply.location.clone().into(),
        reply.version.into(),
        answer.into(),
        tx.stamp().into(),
    ];
    Ok(tx.execute(PUT, &params)?)
}

/// Deletes some answers that are older than a day; true if there may be more.
pub fn forget(tx: &mut dyn Tx) -> Result<bool, Error> {
    let (clock, skip) = (tx.dialect().clock(), tx.dialect().skip_locked());
    let sql = format!(
        "DELETE FROM idempotency WHERE (workspace_id, user_id, key) IN (SELECT workspace_id, user_id, key \
         FROM idempotency WHERE created_at <= {clock} - $1 ORDER BY created_at LIMIT {CHUNK}{skip}) RETURNING key"
    );
    let gone = tx.rows(&sql, &[LIFETIME.into()], |_| Ok(()))?;
    Ok(gone.len() == CHUNK)
}
