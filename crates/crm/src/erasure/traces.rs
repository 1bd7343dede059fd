//! Copies of an erased record's data in other places: imports, skipped mails, reasons of enrollments, stored answers and
//! the request log. These tables are read as a whole, because they have no index by record.

use super::Erasure;
use super::history::ERASED;
use crate::outreach::message::Message;
use crate::outreach::outbox;
use crate::tenant::stored_files;
use resource::{Ctx, Error, Resource, StoredRow, fold, place};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid};

const CHUNK: i64 = 200;

/// Forgets the content of a message that was sent, and would only be filed or looked for.
const FORGET_SENT: &str =
    "DELETE FROM sends WHERE workspace_id = $1 AND message_id = $2 AND state IN ('filing', 'unknown')";

/// Deletes the values that imports stored to undo their changes of the record.
pub(super) fn imports(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    const CHANGED: &str = "DELETE FROM import_changed WHERE workspace_id = $1 AND record = $2";
    for id in &erasure.ids {
        tx.execute(CHANGED, &[ctx.workspace.into(), (*id).into()])?;
    }
    Ok(false)
}

/// Removes the addresses from the errors of imports.
pub(super) fn import_errors(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    const ERRORS: &str = "SELECT import_id, place, number, reason, value FROM import_errors WHERE workspace_id = $1 \
         AND (import_id, place, number) > ($2, $3, $4) ORDER BY import_id, place, number LIMIT $5";
    const STRIKE: &str = "UPDATE import_errors SET value = NULL, reason = $1 \
         WHERE workspace_id = $2 AND import_id = $3 AND place = $4 AND number = $5";
    loop {
        let (import, place, number): (Uuid, i64, i64) = erasure.position()?;
        let params = [ctx.workspace.into(), import.into(), place.into(), number.into(), CHUNK.into()];
        let errors = tx.rows(ERRORS, &params, |row| {
            Ok(((row.id(0)?, row.int(1)?, row.int(2)?), row.text(3)?, row.maybe_text(4)?))
        })?;
        let Some(((import, place, number), ..)) = errors.last() else { return Ok(false) };
        erasure.reached((import, place, number));
        for ((import, place, number), reason, value) in errors {
            let is_quoted = erasure.has_address(&fold(&reason));
            if is_quoted || value.is_some_and(|value| erasure.has_address(&fold(&value))) {
                let reason = if is_quoted { "the record of this row was erased" } else { reason.as_str() };
                let key = [reason.into(), ctx.workspace.into(), import.into(), place.into(), number.into()];
                tx.execute(STRIKE, &key)?;
            }
        }
        if !tx.has_time() {
            return Ok(true);
        }
    }
}

/// Mails that were not stored stay listed, without the sender and the subject.
pub(super) fn skipped_mails(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    const MAILS: &str =
        "SELECT id, sender FROM unstored_mails WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3";
    const STRIKE: &str = "UPDATE unstored_mails SET sender = NULL, subject = NULL, version = version + 1 \
         WHERE workspace_id = $1 AND id = $2";
    loop {
        let params = [ctx.workspace.into(), erasure.position::<Uuid>()?.into(), CHUNK.into()];
        let mails = tx.rows(MAILS, &params, |row| Ok((row.id(0)?, row.maybe_text(1)?)))?;
        let Some((last, _)) = mails.last() else { return Ok(false) };
        erasure.reached(last);
        for (id, sender) in mails {
            if sender.is_some_and(|sender| erasure.has_address(&fold(&sender))) {
                tx.execute(STRIKE, &[ctx.workspace.into(), id.into()])?;
            }
        }
        if !tx.has_time() {
            return Ok(true);
        }
    }
}

/// The reason of an enrollment may name an address that its contact had while it was merged with the erased one.
pub(super) fn enrollment_reasons(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    const REASONS: &str = "SELECT id, reason FROM enrollments WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3";
    const STRIKE: &str =
        "UPDATE enrollments SET reason = $1, version = version + 1 WHERE workspace_id = $2 AND id = $3";
    loop {
        let params = [ctx.workspace.into(), erasure.position::<Uuid>()?.into(), CHUNK.into()];
        let enrollments = tx.rows(REASONS, &params, |row| Ok((row.id(0)?, row.maybe_text(1)?)))?;
        let Some((last, _)) = enrollments.last() else { return Ok(false) };
        erasure.reached(last);
        for (id, reason) in enrollments.into_iter().filter_map(|(id, reason)| Some((id, reason?))) {
            let words = reason.split(' ').map(|word| if erasure.has_address(&fold(word)) { ERASED } else { word });
            let struck = words.collect::<Vec<_>>().join(" ");
            if struck != reason {
                tx.execute(STRIKE, &[struck.into(), ctx.workspace.into(), id.into()])?;
            }
        }
        if !tx.has_time() {
            return Ok(true);
        }
    }
}

/// Removes the values from stored answers. The answers stay, so that a repeated request is not carried out again.
pub(super) fn idempotency(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    const ANSWERS: &str = "SELECT user_id, key, answer FROM idempotency WHERE workspace_id = $1 \
         AND (user_id, key) > ($2, $3) ORDER BY user_id, key LIMIT $4";
    const STRIKE: &str = "UPDATE idempotency SET answer = $1 WHERE workspace_id = $2 AND user_id = $3 AND key = $4";
    const FEW: i64 = 20;
    loop {
        let (user, key): (Uuid, String) = erasure.position()?;
        let params = [ctx.workspace.into(), user.into(), key.into(), FEW.into()];
        let answers = tx.rows(ANSWERS, &params, |row| Ok((row.id(0)?, row.text(1)?, row.get(2)?.bytes()?.to_vec())))?;
        let Some((user, key, _)) = answers.last() else { return Ok(false) };
        erasure.reached((user, key));
        for (user, key, answer) in answers {
            // A damaged answer is deleted after a day like all others.
            let Ok(mut json) = serde_json::from_slice::<Json>(&answer) else { continue };
            if !strike(erasure, &mut json) {
                continue;
            }
            let answer = json.to_string().into_bytes();
            tx.execute(STRIKE, &[answer.into(), ctx.workspace.into(), user.into(), key.into()])?;
        }
        if !tx.has_time() {
            return Ok(true);
        }
    }
}

/// Reduces objects about the erased record to their ids, and replaces its addresses elsewhere; true if there were any.
fn strike(erasure: &Erasure, json: &mut Json) -> bool {
    let id = |text: &str| Uuid::try_parse(text).ok();
    let names = |value: &Json| value.as_str().and_then(id).is_some_and(|id| erasure.ids.contains(&id));
    match json {
        Json::Object(members) => {
            let is_id = |name: &str| name == "id" || name.ends_with("_id");
            let before = members.len();
            // A file has no id of its contact, but an address that contains it.
            let is_below = |value: &Json| value.as_str().is_some_and(|text| erasure.has_id(&fold(text)));
            if members.iter().any(|(name, value)| (is_id(name) && names(value)) || (name == "url" && is_below(value))) {
                members.retain(|name, _| is_id(name) || name == "state");
            }
            let mut is_struck = members.len() < before;
            for value in members.values_mut() {
                is_struck |= strike(erasure, value);
            }
            is_struck
        }
        Json::Array(items) => {
            let mut is_struck = false;
            for item in items {
                is_struck |= strike(erasure, item);
            }
            is_struck
        }
        Json::String(text) if id(text).is_none() && erasure.has_address(&fold(text)) => {
            *text = ERASED.to_owned();
            true
        }
        _ => false,
    }
}

/// Deletes lines of the request log whose path names the record.
pub(super) fn requests(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    const LINES: &str = "SELECT id, path FROM requests WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3";
    const DELETE: &str = "DELETE FROM requests WHERE workspace_id = $1 AND id = $2";
    loop {
        let params = [ctx.workspace.into(), erasure.position::<Uuid>()?.into(), CHUNK.into()];
        let lines = tx.rows(LINES, &params, |row| Ok((row.id(0)?, row.text(1)?)))?;
        let Some((last, _)) = lines.last() else { return Ok(false) };
        erasure.reached(last);
        for (id, path) in lines {
            if erasure.has_id(&fold(&path)) {
                tx.execute(DELETE, &[ctx.workspace.into(), id.into()])?;
            }
        }
        if !tx.has_time() {
            return Ok(true);
        }
    }
}

/// Removes the addresses from messages to others that had the erased one in copy. A message that was not sent yet is cancelled.
pub(super) fn copies(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    const MESSAGES: &str = "SELECT id, cc, bcc, reply_to FROM messages WHERE workspace_id = $1 AND id > $2 \
         AND (cc <> '[]' OR bcc <> '[]' OR reply_to IS NOT NULL) ORDER BY id LIMIT $3";
    const STRIKE: &str = "UPDATE messages SET cc = $1, bcc = $2, reply_to = $3, version = version + 1 WHERE workspace_id = $4 AND id = $5";
    const EVENTS: &str = "UPDATE events SET changes = '{}' WHERE workspace_id = $1 AND record_id = $2";
    loop {
        let params = [ctx.workspace.into(), erasure.position::<Uuid>()?.into(), CHUNK.into()];
        let messages = tx.rows(MESSAGES, &params, |row| {
            Ok((row.id(0)?, row.json::<Vec<String>>(1)?, row.json::<Vec<String>>(2)?, row.maybe_text(3)?))
        })?;
        let Some((last, ..)) = messages.last() else { return Ok(false) };
        erasure.reached(last);
        for (id, cc, bcc, reply_to) in messages {
            let is_erased = |address: &String| erasure.has_address(&fold(address));
            if !cc.iter().chain(&bcc).chain(&reply_to).any(is_erased) {
                continue;
            }
            let struck = |list: Vec<String>| {
                let list = list.into_iter().map(|one| if is_erased(&one) { ERASED.to_owned() } else { one });
                json!(list.collect::<Vec<_>>()).to_string()
            };
            outbox::cancel(ctx, tx, id, "a recipient in copy was erased")?;
            let reply_to = reply_to.filter(|address| !is_erased(address));
            tx.execute(
                STRIKE,
                &[struck(cc).into(), struck(bcc).into(), reply_to.into(), ctx.workspace.into(), id.into()],
            )?;
            tx.execute(EVENTS, &[ctx.workspace.into(), id.into()])?;
            tx.execute(FORGET_SENT, &[ctx.workspace.into(), id.into()])?;
        }
        if !tx.has_time() {
            return Ok(true);
        }
    }
}

/// Removes the addresses from the copies of drafts to others.
pub(super) fn drafts(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    const DRAFTS: &str =
        "SELECT id, members FROM message_drafts WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT $3";
    const STRIKE: &str = "UPDATE message_drafts SET members = $1 WHERE workspace_id = $2 AND id = $3";
    const FEW: i64 = 20;
    loop {
        let params = [ctx.workspace.into(), erasure.position::<Uuid>()?.into(), FEW.into()];
        let drafts = tx.rows(DRAFTS, &params, |row| Ok((row.id(0)?, row.json::<Map<String, Json>>(1)?)))?;
        let Some((last, _)) = drafts.last() else { return Ok(false) };
        erasure.reached(last);
        for (id, mut members) in drafts {
            let is_erased = |one: &Json| one.as_str().is_some_and(|address| erasure.has_address(&fold(address)));
            let mut is_struck = false;
            for name in ["cc", "bcc"] {
                if let Some(Json::Array(list)) = members.get_mut(name) {
                    let before = list.len();
                    list.retain(|one| !is_erased(one));
                    is_struck |= list.len() < before;
                }
            }
            if members.get("reply_to").is_some_and(is_erased) {
                members.remove("reply_to");
                is_struck = true;
            }
            if is_struck {
                let members = Json::Object(members).to_string();
                tx.execute(STRIKE, &[members.into(), ctx.workspace.into(), id.into()])?;
            }
        }
        if !tx.has_time() {
            return Ok(true);
        }
    }
}

/// Deletes files of the erased one that are attached to messages to others.
pub(super) fn attachments(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    const ATTACHED: &str = "SELECT message_id, id, size FROM attachments WHERE workspace_id = $1 AND blob = $2 ORDER BY message_id LIMIT $3";
    const DELETE: &str = "DELETE FROM attachments WHERE workspace_id = $1 AND message_id = $2 AND id = $3";
    const SHOWN: &str = "SELECT attachments FROM messages WHERE workspace_id = $1 AND id = $2";
    const STRIKE: &str =
        "UPDATE messages SET attachments = $1, version = version + 1 WHERE workspace_id = $2 AND id = $3";
    while let Some(blob) = erasure.files.last().cloned() {
        let params = [ctx.workspace.into(), blob.as_str().into(), CHUNK.into()];
        let attached = tx.rows(ATTACHED, &params, |row| Ok((row.id(0)?, row.id(1)?, row.int(2)?)))?;
        if attached.is_empty() {
            erasure.files.pop();
            continue;
        }
        for (message, id, size) in attached {
            // A message that was deleted meanwhile shows nothing any more.
            if let Some(shown) = tx.one(SHOWN, &[ctx.workspace.into(), message.into()], |row| row.text(0))? {
                let mut shown: Vec<Json> = place(Message::ABOUT.table, "attachments", &message).json(&shown)?;
                for one in shown.iter_mut().filter(|one| one["id"] == json!(id)) {
                    one["filename"] = ERASED.into();
                    one["left_out"] = "the person whose file it was has been erased".into();
                }
                let shown = Json::from(shown).to_string();
                tx.execute(STRIKE, &[shown.into(), ctx.workspace.into(), message.into()])?;
            }
            tx.execute(DELETE, &[ctx.workspace.into(), message.into(), id.into()])?;
            tx.execute(FORGET_SENT, &[ctx.workspace.into(), message.into()])?;
            outbox::cancel(ctx, tx, message, "an attached file was erased")?;
            stored_files::release(ctx, tx, &blob, size)?;
        }
        if !tx.has_time() {
            return Ok(true);
        }
    }
    Ok(false)
}
