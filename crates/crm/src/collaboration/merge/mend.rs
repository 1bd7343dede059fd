//! Adapts values that a merge or an import saved to the present: records that they reference may have been merged or
//! deleted, and users may have changed the record.

use super::links;
use crate::records::collection::Collected;
use crate::records::custom_field::{self, Entity};
use crate::records::erased_address;
use crate::records::merge_log::{TAG_MERGED, UNDO, undo_rows};
use resource::{
    Changes, Ctx, Error, Kind, MERGE, Resource, Reverted, Saved, StoredRow, custom, merged_pair, revert, snapshot,
    stored, survivor,
};
use serde_json::{Map, Value as Json};
use std::collections::HashMap;
use store::{Tx, Uuid};

/// The ids of the custom fields by key, to recognize a field that was deleted and created again with the same key.
pub fn custom_fields<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Json, Error> {
    let Some(entity) = Entity::from_word(R::ABOUT.one) else { return Ok(Json::Null) };
    let fields = custom_field::list(ctx, tx, entity)?;
    Ok(Json::Object(fields.into_iter().map(|field| (field.key, field.id.to_string().into())).collect()))
}

/// Stored values by member.
pub type Values = Map<String, Json>;

/// The time when values were saved, and the ids of the custom fields at that time, if known.
pub struct Then<'a> {
    pub fields: &'a Json,
    pub at: i64,
}

/// Adapts saved values: merged companies and tags are replaced by the surviving ones, renamed options by their new
/// values, and deleted ones are removed.
pub fn mend<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, then: &Then, values: &mut Map<String, Json>) -> Result<(), Error> {
    for field in R::FIELDS {
        let Some(Json::String(text)) = values.get(field.name) else { continue };
        let mended = match (field.kind, field.name) {
            (Kind::Id, "company_id") => {
                let id = Uuid::try_parse(text).map_err(|_| unreadable(field.name))?;
                existing_company(ctx, tx, id)?.map_or(Json::Null, |id| id.to_string().into())
            }
            (Kind::Labels, _) => {
                let ids: Vec<Uuid> = serde_json::from_str(text).map_err(|_| unreadable(field.name))?;
                let tags: Vec<String> = existing_tags(ctx, tx, ids)?.iter().map(Uuid::to_string).collect();
                Json::from(tags).to_string().into()
            }
            (Kind::Object, "custom_data") => mend_custom::<R>(ctx, tx, then, text)?.into(),
            _ => continue,
        };
        values.insert(field.name.to_owned(), mended);
    }
    Ok(())
}

/// The error for a damaged saved member; the caller adds its location.
fn unreadable(member: &str) -> Error {
    store::Error::unreadable(format!("{member} is no value of its field")).into()
}

/// The company with this id, or the one that it was merged into.
fn existing_company(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Option<Uuid>, Error> {
    const EXISTS: &str = "SELECT id FROM companies WHERE workspace_id = $1 AND id = $2";
    if let Some(id) = tx.one(EXISTS, &[ctx.workspace.into(), id.into()], |row| row.id(0))? {
        return Ok(Some(id));
    }
    let Some(now) = survivor(ctx, tx, id)? else { return Ok(None) };
    Ok(tx.one(EXISTS, &[ctx.workspace.into(), now.into()], |row| row.id(0))?)
}

/// The existing ones of these tags, or those that they were merged into, without duplicates.
fn existing_tags(ctx: &Ctx, tx: &mut dyn Tx, ids: Vec<Uuid>) -> Result<Vec<Uuid>, Error> {
    const EXISTS: &str = "SELECT 1 FROM tags WHERE workspace_id = $1 AND id = $2";
    const MERGED: &str = "SELECT payload, id FROM jobs WHERE workspace_id = $1 AND kind IN ($2, $3)";
    let (mut tags, mut merged): (Vec<Uuid>, Option<HashMap<Uuid, Uuid>>) = (Vec::new(), None);
    for mut id in ids {
        let found = loop {
            if tx.one(EXISTS, &[ctx.workspace.into(), id.into()], |_| Ok(()))?.is_some() {
                break Some(id);
            }
            let merged = match &mut merged {
                Some(merged) => merged,
                none => {
                    let params = [ctx.workspace.into(), TAG_MERGED.into(), MERGE.into()];
                    none.insert(tx.rows(MERGED, &params, |row| row.word(0, merged_pair))?.into_iter().collect())
                }
            };
            match merged.get(&id).copied() {
                Some(into) => id = into,
                None => break None,
            }
        };
        tags.extend(found.filter(|tag| !tags.contains(tag)));
    }
    Ok(tags)
}

/// Custom values without those of fields that were deleted, even if a field of the same key exists now.
fn mend_custom<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, then: &Then, text: &str) -> Result<String, Error> {
    let mut data: Map<String, Json> = serde_json::from_str(text).map_err(|_| unreadable("custom_data"))?;
    if !data.is_empty() {
        let (now, defined) = (custom_fields::<R>(ctx, tx)?, custom::definitions(ctx, tx, R::ABOUT.one)?);
        data.retain(|key, value| {
            let is_same = then.fields.get(key).is_none_or(|then| now.get(key) == Some(then));
            is_same && defined.iter().any(|definition| definition.key == *key && definition.is_of_type(value))
        });
        custom_field::rename_options::<R>(ctx, tx, then.at, &mut data)?;
    }
    Ok(Json::Object(data).to_string())
}

/// Values before and after a change, adapted to the present.
pub fn mended<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    then: &Then,
    (before, after): (&Values, &Values),
) -> Result<(Values, Values), Error> {
    let (mut before, mut after) = (before.clone(), after.clone());
    mend::<R>(ctx, tx, then, &mut before)?;
    mend::<R>(ctx, tx, then, &mut after)?;
    Ok((before, after))
}

/// The changes that revert those from `before` to `after`, and whether nobody has changed any of the members since. If
/// the record returns to a company that was merged in the meantime, undoing that merge moves it along.
pub fn take_back<R: Collected>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: &Saved<R>,
    then: &Then,
    (before, after): (&Values, &Values),
) -> Result<(Changes, bool), Error> {
    let mut now = Map::new();
    for name in before.keys() {
        if !R::FIELDS.iter().any(|field| field.name == *name) {
            return Err(store::Error::unreadable("names a field that there is not").into());
        }
        now.insert(name.clone(), snapshot(saved.value(name)?));
    }
    let companies = (before.get("company_id"), after.get("company_id"));
    let (mut before, mut after) = mended::<R>(ctx, tx, then, (before, after))?;
    let mut status = Map::new();
    // Companies have no such field.
    if R::FIELDS.iter().any(|field| field.name == "global_status") {
        status.insert("global_status".to_owned(), snapshot(saved.value("global_status")?));
    }
    R::align(&status, &mut before, &mut after);
    // Values that jobs have yet to change are compared in the form that the jobs will write.
    let current = Then { fields: &Json::Null, at: tx.stamp() };
    mend::<R>(ctx, tx, &current, &mut now)?;
    let (mut changes, mut changed) = (Changes::default(), Vec::new());
    for field in R::FIELDS {
        let (Some(before), Some(after)) = (before.get(field.name), after.get(field.name)) else { continue };
        let stands = saved.value(field.name)?;
        let now = match now.get(field.name) {
            Some(mended) if *mended != snapshot(stands) => stored(field, mended)?,
            _ => stands.clone(),
        };
        match revert(field, before, after, &now)? {
            Reverted::To(value) => changes.set_field(field, value),
            Reverted::Changed(value) => {
                changes.set_field(field, value);
                changed.push(field.name);
            }
        }
    }
    for group in R::TOGETHER.iter().filter(|group| group.iter().any(|member| changed.contains(member))) {
        for member in *group {
            changes.take_named(member);
        }
    }
    // Another record with the same address may have been erased since.
    erased_address::strip_changes(ctx, tx, &mut changes, saved)?;
    if changes.named("company_id").is_some() {
        let id = |company: Option<&Json>| match company {
            Some(Json::String(id)) => Uuid::try_parse(id).map(Some).map_err(|_| unreadable("company_id")),
            _ => Ok(None),
        };
        links::leave_company(ctx, tx, saved.id, id(companies.1)?)?;
        links::return_to_company(ctx, tx, saved.id, id(companies.0)?)?;
    }
    Ok((changes, changed.is_empty()))
}

// ---- companies of merged contacts ----

/// The term under which a merge references them.
pub const HELD: &str = "merge.company";

/// The companies that the undo of a merge of contacts needs.
fn companies(merge: Uuid, kept: &Json) -> Result<Vec<String>, Error> {
    let rows = undo_rows(merge, kept)?.iter();
    let named = rows.map(|row| &row["values"]["company_id"]).chain([&kept["before"]["company_id"]]);
    let mut ids: Vec<String> = named.filter_map(|id| id.as_str().map(str::to_owned)).collect();
    ids.sort();
    ids.dedup();
    Ok(ids)
}

/// Keeps undos of imports from deleting these companies while the merge can be undone.
pub fn hold_companies(ctx: &Ctx, tx: &mut dyn Tx, merge: Uuid, kept: &Json) -> Result<(), Error> {
    const HOLD: &str = "INSERT INTO terms (workspace_id, field, key, record) VALUES ($1, 'merge.company', $2, $3)";
    for id in companies(merge, kept)? {
        tx.execute(HOLD, &[ctx.workspace.into(), id.into(), merge.into()])?;
    }
    Ok(())
}

pub fn release_companies(ctx: &Ctx, tx: &mut dyn Tx, merge: Uuid, kept: &Json) -> Result<(), Error> {
    const RELEASE: &str =
        "DELETE FROM terms WHERE workspace_id = $1 AND field = 'merge.company' AND key = $2 AND record = $3";
    for id in companies(merge, kept)? {
        tx.execute(RELEASE, &[ctx.workspace.into(), id.into(), merge.into()])?;
    }
    Ok(())
}

/// Whether a merge that can still be undone needs this company.
pub fn is_held(ctx: &Ctx, tx: &mut dyn Tx, company: Uuid) -> Result<bool, Error> {
    const HELD: &str = "SELECT 1 FROM terms t JOIN merges g ON g.workspace_id = t.workspace_id AND g.id = t.record \
         WHERE t.workspace_id = $1 AND t.field = 'merge.company' AND t.key = $2 AND g.created_at >= $3 LIMIT 1";
    let since = tx.stamp() - UNDO;
    Ok(tx.one(HELD, &[ctx.workspace.into(), company.to_string().into(), since.into()], |_| Ok(()))?.is_some())
}
