//! Values that were kept aside, by a merge or an import, as they can stand now: what they name may have been merged or
//! removed since, and others may have changed the record.

use super::UNDO;
use crate::collection::Collected;
use crate::company::Company;
use crate::custom_field::{self, Entity};
use resource::{Changes, Ctx, Error, Kind, Resource, Reverted, Saved, custom, revert, survivor};
use serde_json::{Map, Value as Json};
use store::{Tx, Uuid};

/// The ids of the custom fields by key, so that a field of the same key that was made later is known as another.
pub fn custom_fields<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Json, Error> {
    let Some(entity) = Entity::from_word(R::ABOUT.one) else { return Ok(Json::Null) };
    let fields = custom_field::list(ctx, tx, entity)?;
    Ok(Json::Object(fields.into_iter().map(|field| (field.key, field.id.to_string().into())).collect()))
}

/// Makes stored values fit what there is now: companies and tags that went into others mean those; what was removed is
/// left out. `fields` are the ids of the custom fields then, where they are known.
pub fn mend<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    fields: &Json,
    values: &mut Map<String, Json>,
) -> Result<(), Error> {
    for field in R::FIELDS {
        let Some(Json::String(text)) = values.get(field.name) else { continue };
        let mended = match (field.kind, field.name) {
            (Kind::Id, "company_id") => match Uuid::try_parse(text) {
                Ok(id) => existing(ctx, tx, Company::ABOUT.table, id)?.map_or(Json::Null, |id| id.to_string().into()),
                Err(error) => return Err(unreadable(field.name, error)),
            },
            (Kind::Labels, _) => {
                let mut tags: Vec<String> = Vec::new();
                let ids: Vec<Uuid> = serde_json::from_str(text).map_err(|error| unreadable(field.name, error))?;
                for id in ids {
                    let tag = existing(ctx, tx, "tags", id)?.map(|id| id.to_string());
                    tags.extend(tag.filter(|tag| !tags.contains(tag)));
                }
                Json::from(tags).to_string().into()
            }
            (Kind::Object, "custom_data") => mend_custom::<R>(ctx, tx, fields, text)?.into(),
            _ => continue,
        };
        values.insert(field.name.to_owned(), mended);
    }
    Ok(())
}

fn unreadable(member: &str, error: impl std::fmt::Display) -> Error {
    store::Error::Corrupt(format!("{member} as it was kept for an undo: {error}")).into()
}

/// The record of this id, or the one that it went into.
fn existing(ctx: &Ctx, tx: &mut dyn Tx, table: &str, id: Uuid) -> Result<Option<Uuid>, Error> {
    let sql = format!("SELECT id FROM {table} WHERE workspace_id = $1 AND id = $2");
    if let Some(id) = tx.one(&sql, &[ctx.workspace.into(), id.into()], |row| row.id(0))? {
        return Ok(Some(id));
    }
    let Some(now) = survivor(ctx, tx, id)? else { return Ok(None) };
    Ok(tx.one(&sql, &[ctx.workspace.into(), now.into()], |row| row.id(0))?)
}

/// Custom values without those of fields that were deleted, or made anew under the same key.
fn mend_custom<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, fields: &Json, text: &str) -> Result<String, Error> {
    let mut data: Map<String, Json> = serde_json::from_str(text).map_err(|error| unreadable("custom_data", error))?;
    if !data.is_empty() {
        let (now, defined) = (custom_fields::<R>(ctx, tx)?, custom::definitions(ctx, tx, R::ABOUT.one)?);
        data.retain(|key, value| {
            let is_same = fields.get(key).is_none_or(|then| now.get(key) == Some(then));
            is_same && defined.iter().any(|definition| definition.key == *key && definition.is_of_type(value))
        });
    }
    Ok(Json::Object(data).to_string())
}

/// The changes that take back those from `before` to `after`, and whether nobody has changed any of it since.
pub fn reverted<R: Collected>(
    saved: &Saved<R>,
    before: &Map<String, Json>,
    after: &Map<String, Json>,
) -> Result<(Changes, bool), Error> {
    let (mut changes, mut changed) = (Changes::default(), Vec::new());
    for field in R::FIELDS {
        let (Some(before), Some(after)) = (before.get(field.name), after.get(field.name)) else { continue };
        match revert(field, before, after, saved.value(field.name))? {
            Reverted::To(value) => changes.set(R::FIELDS, field.name, value),
            Reverted::Changed(value) => {
                changes.set(R::FIELDS, field.name, value);
                changed.push(field.name);
            }
        }
    }
    for group in R::TOGETHER.iter().filter(|group| group.iter().any(|member| changed.contains(member))) {
        for member in *group {
            changes.take(member);
        }
    }
    Ok((changes, changed.is_empty()))
}

// ---- companies that merged-away contacts name ----

/// The term under which a merge holds them.
pub const HELD: &str = "merge.company";

/// The companies that the undo of a merge of contacts needs.
fn companies(kept: &Json) -> Vec<String> {
    let rows = kept["rows"].as_array().map_or(&[][..], Vec::as_slice).iter();
    let named = rows.map(|row| &row["values"]["company_id"]).chain([&kept["before"]["company_id"]]);
    let mut ids: Vec<String> = named.filter_map(|id| id.as_str().map(str::to_owned)).collect();
    ids.sort();
    ids.dedup();
    ids
}

/// Sees that no import takes them away as long as the merge can be undone.
pub fn hold_companies(ctx: &Ctx, tx: &mut dyn Tx, merge: Uuid, kept: &Json) -> Result<(), Error> {
    const HOLD: &str = "INSERT INTO terms (workspace_id, field, key, record) VALUES ($1, 'merge.company', $2, $3)";
    for id in companies(kept) {
        tx.execute(HOLD, &[ctx.workspace.into(), id.into(), merge.into()])?;
    }
    Ok(())
}

pub fn release_companies(ctx: &Ctx, tx: &mut dyn Tx, merge: Uuid, kept: &Json) -> Result<(), Error> {
    const RELEASE: &str =
        "DELETE FROM terms WHERE workspace_id = $1 AND field = 'merge.company' AND key = $2 AND record = $3";
    for id in companies(kept) {
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
