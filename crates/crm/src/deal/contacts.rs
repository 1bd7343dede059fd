//! Who takes part in a deal. A deal names its contacts in `contact_ids`; each link has a row with an id of its own, which
//! follows that list.

use super::{Deal, found, save};
use crate::contact::Contact;
use crate::merge::{note, taken};
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
    let deal = found(call, tx)?;
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
    let deal = found(call, tx)?;
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
    for id in known {
        if !settled.contains(&id) {
            settled.push(id);
        }
    }
    let stored = saved.map_or(&[][..], |saved| &saved.record.contact_ids.0);
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

/// Makes a deal name the contacts that its merged ones are now, and notes the list before under each merge on the way.
pub fn follow_merges(ctx: &Ctx, tx: &mut dyn Tx, deal: Uuid) -> Result<(), Error> {
    let deal = find::<Deal>(ctx, tx, deal)?;
    let mut list = deal.record.contact_ids.0.clone();
    loop {
        let mut gone = Vec::new();
        for id in &list {
            gone.extend(taken(ctx, tx, *id)?.map(|(merge, into)| (*id, merge, into)));
        }
        let Some((_, merge, into)) = gone.first().copied() else { break };
        let from: Vec<Uuid> =
            gone.iter().filter(|(_, by, to)| *by == merge && *to == into).map(|(id, ..)| *id).collect();
        for id in from.iter().filter(|_| merge.is_some()) {
            note(ctx, tx, merge.unwrap_or_default(), "deal_contacts", deal.id, *id, Some(text(&list)))?;
        }
        if let (false, Some(first)) = (list.contains(&into), from.first()) {
            // The link stays, under its id.
            tx.execute(RENAME, &[into.into(), ctx.workspace.into(), deal.id.into(), (*first).into()])?;
        }
        list = joined(&list, &from, into);
    }
    save(ctx, tx, &deal, naming(&list), "updated", Map::new()).map(drop)
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

/// Puts contacts back that a merge took out of a deal. If nobody has changed who takes part, it is as `before`; otherwise
/// they stand beside the survivor if that took part before, else in its place, if it still takes part.
pub fn part(ctx: &Ctx, tx: &mut dyn Tx, deal: Uuid, into: Uuid, from: &[Uuid], before: &str) -> Result<(), Error> {
    let deal = match find::<Deal>(ctx, tx, deal) {
        Err(Error::NotFound(_)) => return Ok(()),
        found => found?,
    };
    let before: Vec<Uuid> = serde_json::from_str(before)
        .map_err(|error| store::Error::Corrupt(format!("the contacts of the deal {}: {error}", deal.id)))?;
    let current = &deal.record.contact_ids.0;
    let now = survivor(ctx, tx, into)?.unwrap_or(into);
    let Some(at) = current.iter().position(|id| *id == now) else { return Ok(()) };
    let is_unchanged = named(ctx, tx, &joined(&before, from, into))? == *current;
    let mut after = if is_unchanged { named(ctx, tx, &before)? } else { current.clone() };
    if !is_unchanged {
        let back = named(ctx, tx, from)?;
        if let (false, Some(first)) = (before.contains(&into), back.first()) {
            after[at] = *first;
        }
        let rest: Vec<Uuid> = back.into_iter().filter(|id| !after.contains(id)).collect();
        after.extend(rest);
    }
    if let (false, Some(first)) = (after.contains(&now), after.iter().find(|id| !current.contains(id))) {
        tx.execute(RENAME, &[(*first).into(), ctx.workspace.into(), deal.id.into(), now.into()])?;
    }
    save(ctx, tx, &deal, naming(&after), "updated", Map::new())?;
    // Those may have been merged again meanwhile.
    follow_merges(ctx, tx, deal.id)
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
