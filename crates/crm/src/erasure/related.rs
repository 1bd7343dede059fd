//! Records that reference an erased one: those that are only about it are deleted, the others lose the reference.

use super::{Erasure, column, of_collection};
use crate::collaboration::merge;
use crate::collaboration::note::Note;
use crate::outreach::conversation::{Conversation, snooze};
use crate::outreach::message::Message;
use crate::pipelines::deal::{self, Deal};
use crate::pipelines::project::Project;
use crate::pipelines::task::Task;
use crate::records::collection::Collection;
use crate::records::company::Company;
use crate::records::contact::Contact;
use crate::sourcing::enrichment::EnrichmentRequest;
use crate::tenant::stored_files;
use resource::{Changes, Column, Ctx, Error, Resource, find, update};
use serde_json::{Map, json};
use store::{Tx, Uuid, Value};

/// Rows that are read at once.
const CHUNK: i64 = 50;

/// Rows that an undone merge has not moved back yet belong to other records.
pub(super) fn finish_undos(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    match erasure.is_of(Collection::Contacts) {
        true => merge::finish_undos::<Contact>(ctx, tx),
        false => merge::finish_undos::<Company>(ctx, tx),
    }
}

/// Applies a function to the next rows that a statement finds for the erased ids; true if there may be more.
fn each(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    ids: &[Uuid],
    sql: &str,
    mut apply: impl FnMut(&Ctx, &mut dyn Tx, Uuid) -> Result<(), Error>,
) -> Result<bool, Error> {
    for id in ids {
        loop {
            let rows = tx.rows(sql, &[ctx.workspace.into(), (*id).into(), CHUNK.into()], |row| row.id(0))?;
            if rows.is_empty() {
                break;
            }
            for row in rows {
                apply(ctx, tx, row)?;
                if !tx.has_time() {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

pub(super) fn notes(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    let sql = format!("SELECT id FROM notes WHERE workspace_id = $1 AND {} = $2 LIMIT $3", column(erasure));
    each(ctx, tx, &erasure.ids, &sql, |ctx, tx, note| {
        let note = find::<Note>(ctx, tx, note)?;
        resource::erase(ctx, tx, &note, "deleted")
    })
}

/// A task about several records keeps the others.
pub(super) fn tasks(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    let column = column(erasure);
    let sql = format!("SELECT id FROM tasks WHERE workspace_id = $1 AND {column} = $2 LIMIT $3");
    each(ctx, tx, &erasure.ids, &sql, |ctx, tx, task| {
        let task = find::<Task>(ctx, tx, task)?;
        let mut others = 0;
        for name in ["contact_id", "company_id", "deal_id", "project_id"] {
            others += usize::from(name != column && *task.value(name)? != Value::Null);
        }
        if others == 0 {
            return resource::erase(ctx, tx, &task, "deleted");
        }
        let mut changes = Changes::default();
        changes.set_named(Task::FIELDS, column, Value::Null);
        update(ctx, tx, &task, &changes).map(drop)
    })
}

/// Takes an erased contact out of its deals.
pub(super) fn deals(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    const DEALS: &str = "SELECT deal_id FROM deal_contacts WHERE workspace_id = $1 AND contact_id = $2 LIMIT $3";
    const STALE: &str = "DELETE FROM deal_contacts WHERE workspace_id = $1 AND deal_id = $2 AND contact_id = $3";
    if !erasure.is_of(Collection::Contacts) {
        return Ok(false);
    }
    let ids = &erasure.ids;
    each(ctx, tx, ids, DEALS, |ctx, tx, deal| {
        let deal = find::<Deal>(ctx, tx, deal)?;
        let mut left = deal.record.contact_ids.0.clone();
        left.retain(|id| !ids.contains(id));
        let mut changes = Changes::default();
        changes.set(Deal::CONTACT_IDS, json!(left));
        deal::save(ctx, tx, &deal, changes, "updated", Map::new())?;
        for id in ids {
            tx.execute(STALE, &[ctx.workspace.into(), deal.id.into(), (*id).into()])?;
        }
        Ok(())
    })
}

/// Removes the reference to an erased company from contacts, deals and projects.
pub(super) fn company_links(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    of_collection(
        erasure,
        || Ok(false),
        || {
            for field in ["contact.company", "deal.company", "project.client_company"] {
                if company_link(ctx, tx, &erasure.ids, field)? {
                    return Ok(true);
                }
            }
            Ok(false)
        },
    )
}

fn company_link(ctx: &Ctx, tx: &mut dyn Tx, ids: &[Uuid], field: &str) -> Result<bool, Error> {
    const NAMING: &str = "SELECT record FROM terms WHERE workspace_id = $1 AND field = $2 AND key = $3 LIMIT $4";
    const STALE: &str = "DELETE FROM terms WHERE workspace_id = $1 AND field = $2 AND key = $3 AND record = $4";
    for id in ids {
        let key: Value = id.to_string().into();
        loop {
            let params = [ctx.workspace.into(), field.into(), key.clone(), CHUNK.into()];
            let rows = tx.rows(NAMING, &params, |row| row.id(0))?;
            if rows.is_empty() {
                break;
            }
            for row in rows {
                match field {
                    "contact.company" => empty::<Contact>(ctx, tx, row, Contact::COMPANY_ID)?,
                    "deal.company" => {
                        let deal = find::<Deal>(ctx, tx, row)?;
                        let mut changes = Changes::default();
                        changes.clear(Deal::COMPANY_ID);
                        deal::save(ctx, tx, &deal, changes, "updated", Map::new())?;
                    }
                    _ => empty::<Project>(ctx, tx, row, Project::CLIENT_COMPANY_ID)?,
                }
                // A stale term would be found again and again.
                tx.execute(STALE, &[ctx.workspace.into(), field.into(), key.clone(), row.into()])?;
                if !tx.has_time() {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

fn empty<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, column: Column<Option<Uuid>>) -> Result<(), Error> {
    let saved = match find::<R>(ctx, tx, id) {
        Err(Error::NotFound(_)) => return Ok(()),
        found => found?,
    };
    let mut changes = Changes::default();
    changes.clear(column);
    update(ctx, tx, &saved, &changes).map(drop)
}

pub(super) fn enrichment(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    const REQUESTS: &str = "SELECT id FROM enrichment_requests WHERE workspace_id = $1 AND contact_id = $2 LIMIT $3";
    const DUE: &str = "DELETE FROM enrichment_due WHERE workspace_id = $1 AND request_id = $2";
    each(ctx, tx, &erasure.ids, REQUESTS, |ctx, tx, request| {
        let request = find::<EnrichmentRequest>(ctx, tx, request)?;
        tx.execute(DUE, &[ctx.workspace.into(), request.id.into()])?;
        resource::erase(ctx, tx, &request, "deleted")
    })
}

/// Deletes the conversations with an erased contact, message by message.
pub(super) fn conversations(ctx: &Ctx, tx: &mut dyn Tx, erasure: &mut Erasure) -> Result<bool, Error> {
    const CONVERSATIONS: &str = "SELECT id FROM conversations WHERE workspace_id = $1 AND contact_id = $2 LIMIT $3";
    const MESSAGES: &str = "SELECT id FROM messages WHERE workspace_id = $1 AND conversation_id = $2 LIMIT $3";
    each(ctx, tx, &erasure.ids, CONVERSATIONS, |ctx, tx, conversation| {
        let more = each(ctx, tx, &[conversation], MESSAGES, |ctx, tx, message| {
            drop_attachments(ctx, tx, message)?;
            let message = find::<Message>(ctx, tx, message)?;
            resource::erase(ctx, tx, &message, "deleted")
        })?;
        // The next step continues with the same conversation.
        if more {
            return Ok(());
        }
        let conversation = find::<Conversation>(ctx, tx, conversation)?;
        snooze::withdraw(ctx, tx, &conversation)?;
        resource::erase(ctx, tx, &conversation, "deleted")
    })
}

pub(super) fn drop_attachments(ctx: &Ctx, tx: &mut dyn Tx, message: Uuid) -> Result<(), Error> {
    const SENDS: &str = "DELETE FROM sends WHERE workspace_id = $1 AND message_id = $2";
    const FILES: &str = "DELETE FROM attachments WHERE workspace_id = $1 AND message_id = $2 RETURNING blob, size";
    let key = [ctx.workspace.into(), message.into()];
    tx.execute(SENDS, &key)?;
    for (blob, size) in tx.rows(FILES, &key, |row| Ok((row.text(0)?, row.int(1)?)))? {
        stored_files::release(ctx, tx, &blob, size)?;
    }
    Ok(())
}
