//! The history of an erased record: events stay without their values, and merges without the data for an undo.

use super::related::drop_attachments;
use super::{Erasure, one};
use crate::outreach::message::Message;
use crate::records::merge_log::save_undo_data;
use resource::{Ctx, Error, Resource, event, forget_text};
use serde_json::{Map, Value as Json};
use store::{Tally, Tx, Uuid, Value};

const CHUNK: i64 = 200;
/// Merges are large, so that fewer are read at once.
const MERGES: i64 = 20;

/// Records that are only about the erased one. The events of others, such as deals, contain no more than its id.
const OWN: &[&str] =
    &["note", "conversation", "message", "enrollment", "enrichment_request", "entry", "cv", "file", "suppression"];

/// Removes the values from the events of records that belonged to the erased one.
pub(super) fn related_events(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    const EVENTS: &str = "SELECT s.place, e.record_type, e.record_id FROM event_subjects s \
         JOIN events e ON e.workspace_id = s.workspace_id AND e.place = s.place \
         WHERE s.workspace_id = $1 AND s.record_id = $2 ORDER BY s.place LIMIT $3";
    const DONE: &str = "DELETE FROM event_subjects WHERE workspace_id = $1 AND record_id = $2 AND place <= $3";
    for id in &erasure.ids {
        loop {
            let params = [ctx.workspace.into(), (*id).into(), CHUNK.into()];
            let events = tx.rows(EVENTS, &params, |row| Ok((row.int(0)?, row.text(1)?, row.id(2)?)))?;
            let mut last = None;
            for (place, kind, record) in events {
                if OWN.contains(&kind.as_str()) || (kind == "task" && !is_task(ctx, tx, record)?) {
                    strike(ctx, tx, place)?;
                }
                if kind == Message::ABOUT.one {
                    strike_message(ctx, tx, record, &erasure.ids)?;
                }
                last = Some(place);
                if !tx.has_time() {
                    break;
                }
            }
            let Some(last) = last else { break };
            tx.execute(DONE, &[ctx.workspace.into(), (*id).into(), last.into()])?;
            if !tx.has_time() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn is_task(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<bool, Error> {
    const TASK: &str = "SELECT 1 FROM tasks WHERE workspace_id = $1 AND id = $2";
    Ok(tx.one(TASK, &[ctx.workspace.into(), id.into()], |_| Ok(()))?.is_some())
}

fn strike(ctx: &Ctx, tx: &mut dyn Tx, place: i64) -> Result<(), Error> {
    const STRIKE: &str = "UPDATE events SET changes = '{}' WHERE workspace_id = $1 AND place = $2";
    Ok(tx.execute(STRIKE, &[ctx.workspace.into(), place.into()])?)
}

/// Removes the content of a message of the erased contact in the conversation of another one, where a merge that was
/// undone has left it.
fn strike_message(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, ids: &[Uuid]) -> Result<(), Error> {
    const CONTACT: &str = "SELECT contact_id FROM messages WHERE workspace_id = $1 AND id = $2 AND content <> $3";
    const STRIKE: &str = "UPDATE messages SET content = $1, html = NULL, subject = NULL, address = NULL, error = NULL, \
         attachments = '[]', cc = '[]', bcc = '[]', reply_to = NULL, reference = CASE WHEN direction = 'inbound' THEN NULL ELSE reference END, \
         contact_id = (SELECT c.contact_id FROM conversations c WHERE c.workspace_id = messages.workspace_id \
         AND c.id = messages.conversation_id), updated_at = $2, version = version + 1 WHERE workspace_id = $3 AND id = $4";
    let contact = tx.one(CONTACT, &[ctx.workspace.into(), id.into(), ERASED.into()], |row| row.id(0))?;
    if !contact.is_some_and(|contact| ids.contains(&contact)) {
        return Ok(());
    }
    drop_attachments(ctx, tx, id)?;
    let now = tx.stamp();
    tx.execute(STRIKE, &[ERASED.into(), now.into(), ctx.workspace.into(), id.into()])?;
    forget_text::<Message>(ctx, tx, id)?;
    tx.tally(Tally { collection: Message::ABOUT.table, field: "", value: String::new(), archived: false }, 0);
    event(ctx, tx, "message.erased", Message::ABOUT.one, id, &Map::new())
}

/// The content of a message that was erased.
pub(super) const ERASED: &str = "[erased]";

/// Removes the values from the events of the erased record itself.
pub(super) fn own_events(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    const OWN: &str = "SELECT place FROM events WHERE workspace_id = $1 AND record_id = $2 AND place > $3 \
         AND changes <> '{}' ORDER BY place LIMIT $4";
    let ids: Vec<Uuid> = erasure.ids.iter().chain(&erasure.suppressions).copied().collect();
    let (done, mut after): (usize, i64) = erasure.position()?;
    for (at, id) in ids.into_iter().enumerate().skip(done) {
        loop {
            let params = [ctx.workspace.into(), id.into(), after.into(), CHUNK.into()];
            let events = tx.rows(OWN, &params, |row| row.int(0))?;
            let Some(last) = events.last().copied() else { break };
            for place in events {
                strike(ctx, tx, place)?;
            }
            after = last;
            erasure.reached((at, after));
            if !tx.has_time() {
                return Ok(true);
            }
        }
        after = 0;
    }
    Ok(false)
}

/// Deletes the records of rows that the merges of the erased record moved.
pub(super) fn merge_links(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    for merge in &erasure.merges {
        while drop_links(ctx, tx, *merge)? {
            if !tx.has_time() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Deletes some of the records of a merge; true if there are more. They are chosen by the last one, because PostgreSQL
/// compares each of thousands with each of a list.
fn drop_links(ctx: &Ctx, tx: &mut dyn Tx, merge: Uuid) -> Result<bool, Error> {
    const LAST: &str = "SELECT collection, record, from_id FROM merge_links WHERE workspace_id = $1 AND merge_id = $2 \
         ORDER BY collection, record, from_id LIMIT 1 OFFSET $3";
    const DROP: &str = "DELETE FROM merge_links WHERE workspace_id = $1 AND merge_id = $2 \
         AND (collection, record, from_id) <= ($3, $4, $5)";
    const DROP_ALL: &str = "DELETE FROM merge_links WHERE workspace_id = $1 AND merge_id = $2";
    let (workspace, merge): (Value, Value) = (ctx.workspace.into(), merge.into());
    let params = [workspace.clone(), merge.clone(), (CHUNK - 1).into()];
    let last = tx.one(LAST, &params, |row| Ok((row.text(0)?, row.id(1)?, row.id(2)?)))?;
    match last {
        Some((collection, record, from)) => {
            tx.execute(DROP, &[workspace, merge, collection.into(), record.into(), from.into()])?;
            Ok(true)
        }
        None => {
            tx.execute(DROP_ALL, &[workspace, merge])?;
            Ok(false)
        }
    }
}

struct Undone {
    id: Uuid,
    into: Uuid,
    at: i64,
    undone_at: Option<i64>,
    kept: String,
}

/// Removes the values of the erased record from merges that were undone, and from the events of the other records since
/// the merge: they had these values meanwhile.
pub(super) fn merges(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    const UNDONE: &str = "SELECT id, into_id, created_at, undone_at, kept FROM merges WHERE workspace_id = $1 \
         AND collection = $2 AND id > $3 AND kept <> '{}' ORDER BY id LIMIT $4";
    let mut after: Uuid = erasure.position()?;
    loop {
        let params = [ctx.workspace.into(), erasure.collection.as_str().into(), after.into(), MERGES.into()];
        let merges = tx.rows(UNDONE, &params, |row| {
            let (id, undone_at) = (row.id(0)?, row.maybe_int(3)?);
            Ok(Undone { id, into: row.id(1)?, at: row.int(2)?, undone_at, kept: row.text(4)? })
        })?;
        let is_last = (merges.len() as i64) < MERGES;
        for merge in merges {
            after = merge.id;
            let names = |id: &Uuid| merge.into == *id || merge.kept.contains(&id.to_string());
            // A later merge of the other record stored the values of both.
            let is_within = |(id, from, to): &(Uuid, i64, i64)| names(id) && (*from..=*to).contains(&merge.at);
            if erasure.ids.iter().any(names) || erasure.merged_with.iter().any(is_within) {
                save_undo_data(ctx, tx, merge.id, &Json::Object(Map::new()))?;
                if !erasure.ids.contains(&merge.into) {
                    strike_merged(ctx, tx, erasure, &merge)?;
                    erasure.merged_with.push((merge.into, merge.at, merge.undone_at.unwrap_or(i64::MAX)));
                }
            }
            if !tx.has_time() {
                break;
            }
        }
        if is_last && tx.has_time() {
            return Ok(false);
        }
        erasure.reached(after);
        if !tx.has_time() {
            return Ok(true);
        }
    }
}

/// Removes the values from the events of the record that the erased one was merged into, until the undo.
fn strike_merged(ctx: &Ctx, tx: &mut dyn Tx, erasure: &Erasure, merge: &Undone) -> Result<(), Error> {
    const STRIKE: &str = "UPDATE events SET changes = '{}' WHERE workspace_id = $1 AND record_id = $2 \
         AND record_type = $3 AND place >= $4 AND place <= $5";
    let from = merge.at << 16;
    let to = merge.undone_at.map_or(i64::MAX, |at| at << 16 | 0xffff);
    let params: [Value; 5] = [ctx.workspace.into(), merge.into.into(), one(erasure).into(), from.into(), to.into()];
    Ok(tx.execute(STRIKE, &params)?)
}
