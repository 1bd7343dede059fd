//! Who takes part in a deal. A deal names its contacts in `contact_ids`; each link has a row with an id of its own, which
//! follows that list.

use super::{Deal, found, save};
use crate::contact::Contact;
use crate::merge::{Undone, note, take_notes, taken, unfinished};
use crate::operation::{Call, Content, Reply, asked};
use resource::{
    Changes, Cond, Ctx, Error, Field, Ids, Op, Resource, Saved, Test, Time, find, invalid, not_found, survivor,
};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid, Value};

/// That a contact takes part in a deal.
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

/// As many take part in a deal.
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
    let Some(Value::Id(contact)) = asked.get("contact_id") else { return Err(invalid("contact_id", "is required")) };
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
    let (id, at) = link.ok_or_else(|| store::Error::Corrupt(format!("deal_contacts: {contact} has no row")))?;
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

/// The contacts in a body as they are called now; the same set in another order is no change.
pub fn settle(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    changes: &mut Changes,
    saved: Option<&Saved<Deal>>,
    problem: &mut dyn FnMut(&str, String),
) -> Result<(), Error> {
    let Some(sent) = changes.take("contact_ids") else { return Ok(()) };
    let sent = ids(&sent);
    let mut settled: Vec<Uuid> = Vec::with_capacity(sent.len());
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
        // A merged contact that is not replaced here yet is left to its merge, which notes what it replaces.
        let mut same: Vec<Uuid> = called.iter().filter(|(_, now)| *now == id).map(|(stored, _)| *stored).collect();
        if same.is_empty() {
            same.push(id);
        }
        settled.extend(same.into_iter().filter(|id| !settled.contains(id)).collect::<Vec<_>>());
    }
    if settled.len() != stored.len() || settled.iter().any(|id| !stored.contains(id)) {
        changes.set(Deal::FIELDS, "contact_ids", text(&settled));
    }
    Ok(())
}

/// Gives each contact that `changes` names a link, and takes those of the others away.
pub fn follow(ctx: &Ctx, tx: &mut dyn Tx, deal: Uuid, before: &[Uuid], changes: &Changes) -> Result<(), Error> {
    const LINK: &str = "INSERT INTO deal_contacts (workspace_id, id, deal_id, contact_id, created_at) \
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
    const UNLINK: &str = "DELETE FROM deal_contacts WHERE workspace_id = $1 AND deal_id = $2 AND contact_id = $3";
    let Some(after) = changes.get("contact_ids").map(ids) else { return Ok(()) };
    for contact in before.iter().filter(|contact| !after.contains(contact)) {
        tx.execute(UNLINK, &[ctx.workspace.into(), deal.into(), (*contact).into()])?;
    }
    for contact in after.iter().filter(|contact| !before.contains(contact)) {
        let (id, now) = (tx.id(), tx.stamp());
        tx.execute(LINK, &[ctx.workspace.into(), id.into(), deal.into(), (*contact).into(), now.into()])?;
    }
    Ok(())
}

const RENAME: &str =
    "UPDATE deal_contacts SET contact_id = $1 WHERE workspace_id = $2 AND deal_id = $3 AND contact_id = $4";

/// The deal that a call names, with its contacts as merges and their undos leave them.
fn current(call: &Call, tx: &mut dyn Tx) -> Result<Saved<Deal>, Error> {
    let id = found(call, tx)?.id;
    let undone = unfinished::<Contact>(&call.ctx, tx, None)?;
    catch_up(&call.ctx, tx, id, &undone)?;
    find(&call.ctx, tx, id)
}

/// Puts the contacts back that undone merges took out of a deal, the newest merge first. Then makes the deal name the
/// contacts that its merged ones are now, and notes the list before under each merge on the way.
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
        let before = before
            .ok_or_else(|| store::Error::Corrupt(format!("the merge {merge} kept no contacts of the deal {deal}")))?;
        let before: Vec<Uuid> = serde_json::from_str(before)
            .map_err(|error| store::Error::Corrupt(format!("the contacts of the deal {deal}: {error}")))?;
        list = part(ctx, tx, list, *into, &from, &before)?;
    }
    let Some(saved) = saved else { return Ok(()) };
    loop {
        let mut gone = Vec::new();
        for id in &list {
            gone.extend(taken(ctx, tx, *id)?.map(|(merge, into)| (*id, merge, into)));
        }
        // Merges are undone in the other order, so the oldest comes first.
        let Some((_, merge, into)) = gone.iter().min_by_key(|(_, merge, _)| *merge).copied() else { break };
        let from: Vec<Uuid> =
            gone.iter().filter(|(_, by, to)| *by == merge && *to == into).map(|(id, ..)| *id).collect();
        for id in from.iter().filter(|_| merge.is_some()) {
            note(ctx, tx, merge.unwrap_or_default(), "deal_contacts", deal, *id, Some(text(&list)))?;
        }
        list = joined(&list, &from, into);
    }
    let before = &saved.record.contact_ids.0;
    if list == *before {
        return Ok(());
    }
    // A link stays, under its id, where another contact comes in the place of one.
    let gone = before.iter().filter(|id| !list.contains(id));
    for (old, new) in gone.zip(list.iter().filter(|id| !before.contains(id))) {
        tx.execute(RENAME, &[(*new).into(), ctx.workspace.into(), deal.into(), (*old).into()])?;
    }
    save(ctx, tx, &saved, naming(&list), "updated", Map::new()).map(drop)
}

/// A list with one contact in the place of others that went into it.
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

/// A list with the contacts that a merge took out of it. If nobody has changed who takes part, it is as `before`;
/// otherwise they stand beside the survivor if that took part before, else in its place, if it still takes part.
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
        // Those that were merged again follow that merge later, under its note.
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
            // Somebody who knew them apart named both.
            None => {}
        }
    }
    list.extend(missing);
    Ok(list)
}

/// These contacts as they are called in a list of a deal: merges that stand may have replaced them there.
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

/// Those of these contacts that exist, each as it is called now.
fn named(ctx: &Ctx, tx: &mut dyn Tx, ids: &[Uuid]) -> Result<Vec<Uuid>, Error> {
    const EXISTS: &str = "SELECT id FROM contacts WHERE workspace_id = $1 AND id = $2";
    let look = |tx: &mut dyn Tx, id: Uuid| tx.one(EXISTS, &[ctx.workspace.into(), id.into()], |row| row.id(0));
    let mut named = Vec::with_capacity(ids.len());
    for id in ids {
        named.extend(match (look(tx, *id)?, survivor(ctx, tx, *id)?) {
            (None, Some(survivor)) => look(tx, survivor)?,
            (known, _) => known,
        });
    }
    Ok(named)
}

fn naming(ids: &[Uuid]) -> Changes {
    let mut changes = Changes::default();
    changes.set(Deal::FIELDS, "contact_ids", text(ids));
    changes
}

pub fn text(ids: &[Uuid]) -> String {
    Json::from(ids.iter().map(Uuid::to_string).collect::<Vec<_>>()).to_string()
}

fn ids(value: &Value) -> Vec<Uuid> {
    <Ids as resource::FieldType>::decode(value.as_ref()).map(|ids| ids.0).unwrap_or_default()
}
