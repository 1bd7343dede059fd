//! The contacts of a deal. The deal lists them in `contact_ids`; each link also has a row with an id of its own, which
//! follows that list.

use super::{Deal, found, save};
use crate::api::call::{Call, Content, Reply, asked};
use crate::records::contact::Contact;
use crate::records::merge_log::{Undone, note, take_notes, taken, unfinished};
use resource::{
    Changes, Cond, Ctx, Error, Field, Ids, Op, Resource, Saved, Test, Time, find, invalid, not_found, place, survivor,
};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid, Value};

/// The link between a deal and a contact.
#[derive(Resource)]
#[resource(table = "deal_contacts", one = "deal_contact")]
pub struct DealContact {
    #[field(read_only)]
    pub id: Uuid,
    #[field(read_only)]
    pub deal_id: Uuid,
    #[field(read_only)]
    pub contact_id: Uuid,
    #[field(read_only)]
    pub created_at: Time,
}

/// The contact to link.
#[derive(Resource)]
pub struct ContactChoice {
    #[field(required)]
    pub contact_id: Uuid,
}
pub const CONTACT_CHOICE: &[Field] = ContactChoice::FIELDS;

/// Most contacts of a deal.
const MOST: usize = 50;

pub fn list(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let query = asked::<Contact>(call, tx)?;
    let mut values: Vec<Value> = found(call, tx)?.record.contact_ids.0.into_iter().map(Value::Id).collect();
    if values.is_empty() {
        values.push(Uuid::nil().into());
    }
    let field = Contact::FIELDS.iter().find(|field| field.name == "id");
    let test = field.map(|field| Cond::Test(Test { field, op: Op::In, values }));
    Ok(Reply::of(Content::Page(resource::list::<Contact>(&call.ctx, tx, &query, test.as_slice())?)))
}

pub fn link(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let asked = call.members(CONTACT_CHOICE)?;
    let Some(Value::Id(contact)) = asked.named("contact_id") else { return Err(invalid("contact_id", "is required")) };
    let deal = current(call, tx)?;
    let contact = *named(&call.ctx, tx, &[*contact])?.first().ok_or_else(|| not_found("contact"))?;
    let mut ids = deal.record.contact_ids.0.clone();
    if !ids.contains(&contact) {
        if ids.len() >= MOST {
            return Err(invalid("contact_id", format!("a deal has at most {MOST} contacts; remove one first")));
        }
        ids.push(contact);
        let more = Map::from_iter([("contact_id".to_owned(), json!([null, contact]))]);
        save(&call.ctx, tx, &deal, naming(&ids), "contact_added", more)?;
    }
    const LINK: &str =
        "SELECT id, created_at FROM deal_contacts WHERE workspace_id = $1 AND deal_id = $2 AND contact_id = $3";
    let params = [call.ctx.workspace.into(), deal.id.into(), contact.into()];
    let link = tx.one(LINK, &params, |row| Ok((row.id(0)?, row.int(1)?)))?;
    let missing = || store::corrupt("deal_contacts", "contact_id", deal.id, format!("has no row of {contact}"));
    let (id, at) = link.ok_or_else(missing)?;
    let shown = json!({ "id": id, "deal_id": deal.id, "contact_id": contact, "created_at": Time(at).to_string() });
    Ok(Reply::json(&shown).created(format!("/deals/{}/contacts", deal.id)))
}

pub fn unlink(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let deal = current(call, tx)?;
    let contact = call.id(1, "contact")?;
    let contact = survivor(&call.ctx, tx, contact)?.unwrap_or(contact);
    let mut ids = deal.record.contact_ids.0.clone();
    if !ids.contains(&contact) {
        return Err(not_found("the contact of this deal"));
    }
    ids.retain(|id| *id != contact);
    let more = Map::from_iter([("contact_id".to_owned(), json!([contact, null]))]);
    save(&call.ctx, tx, &deal, naming(&ids), "contact_removed", more)?;
    Ok(Reply::deleted())
}

/// Resolves the contacts in a body to the surviving ones; the same contacts in another order are no change.
pub fn normalize(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    changes: &mut Changes,
    saved: Option<&Saved<Deal>>,
    problem: &mut dyn FnMut(&str, String),
) -> Result<(), Error> {
    let Some(sent) = changes.take(Deal::CONTACT_IDS) else { return Ok(()) };
    let sent = ids(&sent)?;
    let mut resolved: Vec<Uuid> = Vec::with_capacity(sent.len());
    let known = named(ctx, tx, &sent)?;
    if known.len() < sent.len() {
        for (index, id) in sent.iter().enumerate() {
            if named(ctx, tx, &[*id])?.is_empty() {
                problem(&format!("contact_ids.{index}"), "no contact has this id".into());
            }
        }
        return Ok(());
    }
    let stored = saved.map_or(&[][..], |saved| &saved.record.contact_ids.0);
    let mut called = Vec::with_capacity(stored.len());
    for id in stored {
        called.push((*id, survivor(ctx, tx, *id)?.unwrap_or(*id)));
    }
    for id in known {
        // Replacing a merged contact is left to the job of its merge, which records the replacement for an undo.
        let mut same: Vec<Uuid> = called.iter().filter(|(_, now)| *now == id).map(|(stored, _)| *stored).collect();
        if same.is_empty() {
            same.push(id);
        }
        resolved.extend(same.into_iter().filter(|id| !resolved.contains(id)).collect::<Vec<_>>());
    }
    if resolved.len() != stored.len() || resolved.iter().any(|id| !stored.contains(id)) {
        changes.set(Deal::CONTACT_IDS, json!(resolved));
    }
    Ok(())
}

/// Adds links for the new contacts in `changes` and removes those of the others.
pub fn follow(ctx: &Ctx, tx: &mut dyn Tx, deal: Uuid, before: &[Uuid], changes: &Changes) -> Result<(), Error> {
    /// Links per statement.
    const TOGETHER: usize = 32;
    const UNLINK: &str = "DELETE FROM deal_contacts WHERE workspace_id = $1 AND deal_id = $2 AND contact_id = $3";
    let Some(after) = changes.get(Deal::CONTACT_IDS) else { return Ok(()) };
    let after = ids(after)?;
    for contact in before.iter().filter(|contact| !after.contains(contact)) {
        tx.execute(UNLINK, &[ctx.workspace.into(), deal.into(), (*contact).into()])?;
    }
    let new: Vec<Uuid> = after.into_iter().filter(|contact| !before.contains(contact)).collect();
    for some in new.chunks(TOGETHER) {
        let mut sql =
            String::from("INSERT INTO deal_contacts (workspace_id, deal_id, created_at, id, contact_id) VALUES ");
        let mut params: Vec<Value> = vec![ctx.workspace.into(), deal.into(), tx.stamp().into()];
        for contact in some {
            params.extend([tx.id().into(), (*contact).into()]);
            let (comma, last) = (if params.len() > 5 { ", " } else { "" }, params.len());
            sql.push_str(&format!("{comma}($1, $2, $3, ${}, ${last})", last - 1));
        }
        tx.execute(&(sql + " ON CONFLICT DO NOTHING"), &params)?;
    }
    Ok(())
}

const RENAME: &str =
    "UPDATE deal_contacts SET contact_id = $1 WHERE workspace_id = $2 AND deal_id = $3 AND contact_id = $4";

/// The deal in the path, after applying all merges and undos to its contacts.
fn current(call: &Call, tx: &mut dyn Tx) -> Result<Saved<Deal>, Error> {
    let id = found(call, tx)?.id;
    let undone = unfinished::<Contact>(&call.ctx, tx, None)?;
    catch_up(&call.ctx, tx, id, &undone)?;
    find(&call.ctx, tx, id)
}

/// Restores the contacts that undone merges took out of a deal, the newest merge first. Then replaces merged contacts
/// by the surviving ones, and notes the previous list under each merge on the way.
pub fn catch_up(ctx: &Ctx, tx: &mut dyn Tx, deal: Uuid, undone: &[Undone]) -> Result<(), Error> {
    let saved = match find::<Deal>(ctx, tx, deal) {
        Err(Error::NotFound(_)) => None,
        saved => Some(saved?),
    };
    let mut list = saved.as_ref().map(|saved| saved.record.contact_ids.0.clone()).unwrap_or_default();
    for Undone { merge, into } in undone {
        let notes = take_notes(ctx, tx, *merge, "deal_contacts", deal)?;
        if notes.is_empty() {
            continue;
        }
        let from: Vec<Uuid> = notes.iter().map(|(from, _)| *from).collect();
        let before = notes.iter().find_map(|(_, kept)| kept.as_deref());
        let kept = place("merge_links", "kept", &deal);
        let before: Vec<Uuid> = kept.json(before.ok_or_else(|| kept.corrupt("is empty"))?)?;
        list = part(ctx, tx, list, *into, &from, &before)?;
    }
    let Some(saved) = saved else { return Ok(()) };
    loop {
        let mut gone = Vec::new();
        for id in &list {
            gone.extend(taken(ctx, tx, *id)?.map(|(merge, into)| (*id, merge, into)));
        }
        // Undos run in the opposite order, so the oldest merge comes first.
        let Some((_, merge, into)) = gone.iter().min_by_key(|(_, merge, _)| *merge).copied() else { break };
        let from: Vec<Uuid> =
            gone.iter().filter(|(_, by, to)| *by == merge && *to == into).map(|(id, ..)| *id).collect();
        if let Some(merge) = merge {
            for id in &from {
                note(ctx, tx, merge, "deal_contacts", deal, *id, Some(text(&list)))?;
            }
        }
        list = joined(&list, &from, into);
    }
    let before = &saved.record.contact_ids.0;
    if list == *before {
        return Ok(());
    }
    // Where another contact replaces one, the link keeps its id.
    let gone = before.iter().filter(|id| !list.contains(id));
    for (old, new) in gone.zip(list.iter().filter(|id| !before.contains(id))) {
        tx.execute(RENAME, &[(*new).into(), ctx.workspace.into(), deal.into(), (*old).into()])?;
    }
    save(ctx, tx, &saved, naming(&list), "updated", Map::new()).map(drop)
}

/// A list in which one contact replaces others that were merged into it.
fn joined(list: &[Uuid], from: &[Uuid], into: Uuid) -> Vec<Uuid> {
    let mut list = list.to_vec();
    if !list.contains(&into)
        && let Some(first) = list.iter_mut().find(|id| from.contains(id))
    {
        *first = into;
    }
    list.retain(|id| !from.contains(id));
    list
}

/// A list with the contacts that a merge took out of it. If nobody has changed the list since, it is `before`.
/// Otherwise they are appended, and the first one replaces the survivor if that was not in the list before. If the
/// survivor is no longer in the list, nothing is restored.
fn part(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    mut list: Vec<Uuid>,
    into: Uuid,
    from: &[Uuid],
    before: &[Uuid],
) -> Result<Vec<Uuid>, Error> {
    let Some(at) = list.iter().position(|id| *id == into) else { return Ok(list) };
    let mut back = Vec::with_capacity(from.len());
    for id in from {
        // Contacts that were merged again are replaced later, under the note of that merge.
        back.extend((!named(ctx, tx, &[*id])?.is_empty()).then_some(*id));
    }
    if within(ctx, tx, &joined(before, from, into), &list)? == list {
        let mut after = Vec::with_capacity(before.len());
        for id in before {
            let kept = if *id == into || from.contains(id) {
                (*id == into || back.contains(id)).then_some(*id)
            } else {
                within(ctx, tx, &[*id], &list)?.first().copied()
            };
            after.extend(kept.filter(|id| !after.contains(id)));
        }
        return Ok(after);
    }
    let mut missing = back.iter().copied().filter(|id| !list.contains(id)).collect::<Vec<_>>().into_iter();
    if !before.contains(&into) {
        match missing.next() {
            Some(first) => list[at] = first,
            None if back.is_empty() => drop(list.remove(at)),
            // Both were added after the merge on purpose.
            None => {}
        }
    }
    list.extend(missing);
    Ok(list)
}

/// The ids under which these contacts are in a deal's list, where merges may have replaced them.
fn within(ctx: &Ctx, tx: &mut dyn Tx, ids: &[Uuid], list: &[Uuid]) -> Result<Vec<Uuid>, Error> {
    let mut called = Vec::with_capacity(ids.len());
    for id in ids {
        let mut id = Some(*id);
        while let Some(gone) = id.filter(|id| !list.contains(id)) {
            id = taken(ctx, tx, gone)?.map(|(_, into)| into);
        }
        called.extend(id.filter(|id| !called.contains(id)));
    }
    Ok(called)
}

/// The existing ones of these contacts, or those that they were merged into.
fn named(ctx: &Ctx, tx: &mut dyn Tx, ids: &[Uuid]) -> Result<Vec<Uuid>, Error> {
    const EXISTS: &str = "SELECT id FROM contacts WHERE workspace_id = $1 AND id = $2";
    let existing = |tx: &mut dyn Tx, id: Uuid| tx.one(EXISTS, &[ctx.workspace.into(), id.into()], |row| row.id(0));
    let mut named = Vec::with_capacity(ids.len());
    for id in ids {
        named.extend(match (existing(tx, *id)?, survivor(ctx, tx, *id)?) {
            (None, Some(survivor)) => existing(tx, survivor)?,
            (known, _) => known,
        });
    }
    Ok(named)
}

fn naming(ids: &[Uuid]) -> Changes {
    let mut changes = Changes::default();
    changes.set(Deal::CONTACT_IDS, json!(ids));
    changes
}

pub fn text(ids: &[Uuid]) -> String {
    Json::from(ids.iter().map(Uuid::to_string).collect::<Vec<_>>()).to_string()
}

fn ids(value: &Value) -> Result<Vec<Uuid>, Error> {
    Ok(<Ids as resource::FieldType>::decode(value.as_ref())?.0)
}
