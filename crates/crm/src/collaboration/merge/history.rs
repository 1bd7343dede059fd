//! The changes that imports and merges made to one record, in order. Each stores the values that it found and left.
//! When one of them is undone, its change must also be removed from what later ones stored, so that undoing those does
//! not restore it.

use super::mend::{Then, Values, mend, mended};
use super::mergeable::refuses_messages;
use crate::records::collection::Collected;
use crate::records::merge_log::{save_undo_data, taken, undo_place, undo_rows};
use resource::{Ctx, Error, Field, Reverted, StoredRow, place, revert, snapshot, stored};
use serde_json::{Value as Json, json};
use store::{Tx, Uuid};

/// A change that is being undone: the values before and after it.
pub struct Undone<'a> {
    pub record: Uuid,
    /// The record's version when the change was made; `None` if it is unknown.
    pub version: Option<i64>,
    pub before: &'a Values,
    pub after: &'a Values,
}

/// The values that an import stored for one of its rows: before and after the change to the record.
pub fn members(changed: &str, record: Uuid) -> Result<(Values, Values), Error> {
    let members: Vec<(String, Json, Json)> = place("import_changed", "changes", &record).json(changed)?;
    Ok(members.into_iter().map(|(name, before, after)| ((name.clone(), before), (name, after))).unzip())
}

enum Keeper {
    Import { import: Uuid, place: i64 },
    Merge { merge: Uuid, kept: Json },
}

/// A change of the record that can still be undone.
struct Change {
    version: i64,
    at: i64,
    by: Keeper,
    before: Values,
    after: Values,
}

/// Changes by imports that are read at once.
const PAGE: i64 = 100;

/// Removes an undone change from the later changes of the record. `by` is the import or merge that is being undone: its
/// own later changes of the record are undone already.
pub fn remove_from_later<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, undone: &Undone, by: Uuid) -> Result<(), Error> {
    let Some(mut version) = undone.version else { return Ok(()) };
    let mut open: Vec<Vec<&'static Field>> = units::<R>();
    open.retain(|unit| unit.iter().any(|field| undone.before.contains_key(field.name)));
    let mut merges = merged_later(ctx, tx, undone.record, version, by)?;
    loop {
        let mut changes = imported_later(ctx, tx, undone.record, version, by)?;
        let is_last = changes.len() < PAGE as usize;
        let end = changes.last().map(|change| change.version).filter(|_| !is_last);
        let (now, rest) = merges.into_iter().partition(|merge| end.is_none_or(|end| merge.version <= end));
        merges = rest;
        changes.extend::<Vec<Change>>(now);
        changes.sort_by_key(|change| change.version);
        for mut change in changes {
            version = version.max(change.version);
            if take_out::<R>(ctx, tx, undone, &mut open, &mut change)? {
                write(ctx, tx, change)?;
            }
            if open.is_empty() {
                return Ok(());
            }
        }
        if is_last {
            return Ok(());
        }
    }
}

/// Groups of members that are reverted together or not at all.
fn units<R: Collected>() -> Vec<Vec<&'static Field>> {
    let together = |field: &Field| R::TOGETHER.iter().find(|group| group.contains(&field.name));
    let alone = R::FIELDS.iter().filter(|field| together(field).is_none()).map(|field| vec![field]);
    let group = |group: &&[&str]| R::FIELDS.iter().filter(|field| group.contains(&field.name)).collect();
    alone.chain(R::TOGETHER.iter().map(group)).collect()
}

fn imported_later(ctx: &Ctx, tx: &mut dyn Tx, record: Uuid, version: i64, by: Uuid) -> Result<Vec<Change>, Error> {
    const LATER: &str = "SELECT c.import_id, c.place, c.version, c.changes, i.created_at FROM import_changed c \
         JOIN imports i ON i.workspace_id = c.workspace_id AND i.id = c.import_id WHERE c.workspace_id = $1 AND c.record = $2 \
         AND c.version > $3 AND c.import_id <> $4 ORDER BY c.version LIMIT $5";
    let params = [ctx.workspace.into(), record.into(), version.into(), by.into(), PAGE.into()];
    let rows = tx.rows(LATER, &params, |row| Ok((row.id(0)?, row.int(1)?, row.int(2)?, row.text(3)?, row.int(4)?)))?;
    let change = |(import, place, version, changed, at): (Uuid, i64, i64, String, i64)| {
        let (before, after) = members(&changed, record)?;
        Ok(Change { version, at, by: Keeper::Import { import, place }, before, after })
    };
    rows.into_iter().map(change).collect()
}

/// The merges into this record that are not undone, oldest first, with their saved data.
fn active_merges(ctx: &Ctx, tx: &mut dyn Tx, record: Uuid) -> Result<Vec<(Uuid, i64, Json)>, Error> {
    const ACTIVE: &str = "SELECT id, created_at, kept FROM merges WHERE workspace_id = $1 AND into_id = $2 AND undone_at IS NULL ORDER BY id";
    let params = [ctx.workspace.into(), record.into()];
    Ok(tx.rows(ACTIVE, &params, |row| Ok((row.id(0)?, row.int(1)?, row.json(2)?)))?)
}

fn merged_later(ctx: &Ctx, tx: &mut dyn Tx, record: Uuid, version: i64, by: Uuid) -> Result<Vec<Change>, Error> {
    let mut changes = Vec::new();
    for (merge, at, kept) in active_merges(ctx, tx, record)? {
        // Merges by earlier versions of Relata stored none.
        let Some(found) = undo_place(&merge).part::<Option<i64>>(&kept["version"])? else { continue };
        // The merge happened after the change.
        if found >= version && merge != by {
            let (before, after) = (undo_place(&merge).part(&kept["before"])?, undo_place(&merge).part(&kept["after"])?);
            changes.push(Change { version: found + 1, at, by: Keeper::Merge { merge, kept }, before, after });
        }
    }
    Ok(changes)
}

fn write(ctx: &Ctx, tx: &mut dyn Tx, change: Change) -> Result<(), Error> {
    const IMPORT: &str =
        "UPDATE import_changed SET changes = $1 WHERE workspace_id = $2 AND import_id = $3 AND place = $4";
    match change.by {
        Keeper::Import { import, place } => {
            let member = |(name, before)| json!([name, before, change.after.get(name)]);
            let members: Vec<Json> = change.before.iter().map(member).collect();
            let params = [json!(members).to_string().into(), ctx.workspace.into(), import.into(), place.into()];
            Ok(tx.execute(IMPORT, &params)?)
        }
        Keeper::Merge { merge, mut kept } => {
            (kept["before"], kept["after"]) = (change.before.into(), change.after.into());
            save_undo_data(ctx, tx, merge, &kept)
        }
    }
}

/// Removes the undone change from the values that a later change found and, as far as they are the same, from those
/// that it left. Returns true if the later one has other values now. Members whose values the later one replaced are
/// removed from `open`.
fn take_out<R: Collected>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    undone: &Undone,
    open: &mut Vec<Vec<&'static Field>>,
    change: &mut Change,
) -> Result<bool, Error> {
    let fields = match &change.by {
        Keeper::Merge { kept, .. } => kept["custom_fields"].clone(),
        Keeper::Import { .. } => Json::Null,
    };
    let then = Then { fields: &fields, at: change.at };
    let (mut found, mut left) = mended::<R>(ctx, tx, &then, (&change.before, &change.after))?;
    let (mut is_changed, mut still_open) = (false, Vec::new());
    for unit in open.drain(..) {
        if !unit.iter().any(|field| found.contains_key(field.name)) {
            still_open.push(unit);
            continue;
        }
        if !revert_in::<R>(&unit, undone, &mut found)? {
            continue;
        }
        is_changed = true;
        let stays = revert_in::<R>(&unit, undone, &mut left)?;
        // The undo left members unchanged that the later change does not contain, because they belong to the same
        // group: the later change must revert them.
        let (mut before, mut after) = (undone.before.clone(), undone.after.clone());
        R::align(&found, &mut before, &mut after);
        for name in unit.iter().map(|field| field.name) {
            match (before.get(name), after.get(name)) {
                (Some(was), Some(became)) if !found.contains_key(name) => {
                    change.before.insert(name.into(), was.clone());
                    change.after.insert(name.into(), became.clone());
                }
                _ => {
                    found.get(name).map(|value| change.before.insert(name.into(), value.clone()));
                    left.get(name).map(|value| change.after.insert(name.into(), value.clone()));
                }
            }
        }
        if stays {
            still_open.push(unit);
        }
    }
    *open = still_open;
    Ok(is_changed)
}

/// Reverts the change in these values of one group; true if any of them differs afterwards.
fn revert_in<R: Collected>(unit: &[&'static Field], undone: &Undone, values: &mut Values) -> Result<bool, Error> {
    let (mut before, mut after) = (undone.before.clone(), undone.after.clone());
    R::align(values, &mut before, &mut after);
    let mut reverted = Vec::new();
    for field in unit {
        let (Some(was), Some(became)) = (before.get(field.name), after.get(field.name)) else { continue };
        let Some(now) = values.get(field.name) else { continue };
        match revert(field, was, became, &stored(field, now)?)? {
            Reverted::Changed(_) if unit.len() > 1 => return Ok(false),
            Reverted::To(value) | Reverted::Changed(value) => reverted.push((field.name, snapshot(&value))),
        }
    }
    reverted.retain(|(name, value)| values.get(*name) != Some(value));
    let is_changed = !reverted.is_empty();
    values.extend(reverted.into_iter().map(|(name, value)| (name.to_owned(), value)));
    Ok(is_changed)
}

/// Reverts the change of an import in the row that a merge saved of the record, so that undoing the merge does not
/// restore it.
pub fn revert_row<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, undone: &Undone) -> Result<(), Error> {
    const KEPT: &str = "SELECT kept, created_at FROM merges WHERE workspace_id = $1 AND id = $2";
    let Some((Some(merge), _)) = taken(ctx, tx, undone.record)? else { return Ok(()) };
    let found = tx.one(KEPT, &[ctx.workspace.into(), merge.into()], |row| Ok((row.json(0)?, row.int(1)?)))?;
    let Some((mut kept, at)): Option<(Json, i64)> = found else { return Ok(()) };
    undo_rows(merge, &kept)?;
    let (fields, id) = (kept["custom_fields"].clone(), undone.record.to_string());
    let rows = kept["rows"].as_array_mut().into_iter().flatten();
    let Some(row) = rows.into_iter().find(|row| row["id"] == id.as_str()) else { return Ok(()) };
    let values = row["values"].as_object_mut();
    let values = values.ok_or_else(|| undo_place(&merge).corrupt("a row has no values"))?;
    let mut values_now = values.clone();
    mend::<R>(ctx, tx, &Then { fields: &fields, at }, &mut values_now)?;
    let mut is_changed = false;
    for unit in units::<R>() {
        if revert_in::<R>(&unit, undone, &mut values_now)? {
            is_changed = true;
            let names = unit.iter().map(|field| field.name);
            values.extend(names.filter_map(|name| Some((name.to_owned(), values_now.get(name)?.clone()))));
        }
    }
    if is_changed && turns_off(undone) && values.get("do_not_contact") == Some(&Json::Bool(false)) {
        let refused = refused(ctx, tx, undone.record, values.get("emails").unwrap_or(&Json::Null))?;
        values.insert("do_not_contact".into(), refused.into());
    }
    if is_changed { save_undo_data(ctx, tx, merge, &kept) } else { Ok(()) }
}

/// Whether reverting the change allows messages to the contact again.
pub fn turns_off(undone: &Undone) -> bool {
    let name = "do_not_contact";
    undone.before.get(name) == Some(&Json::Bool(false)) && undone.after.get(name) == Some(&Json::Bool(true))
}

/// Whether a contact that is part of this one by a merge has refused messages. Called if the contact has no
/// `do_not_contact` of its own. Also updates the saved data of each merge, so that its undo restores the right value.
pub fn refused(ctx: &Ctx, tx: &mut dyn Tx, record: Uuid, emails: &Json) -> Result<bool, Error> {
    let merges = active_merges(ctx, tx, record)?;
    let mut refused = false;
    let own = !merges.is_empty() && refuses_messages(ctx, tx, record, emails)?;
    for (merge, _, mut kept) in merges {
        let before = refused;
        refused = refused || own || part_refused(ctx, tx, merge, &kept)?;
        let is_kept = kept["after"].get("do_not_contact").is_some();
        if is_kept || before != refused {
            kept["before"]["do_not_contact"] = before.into();
            kept["after"]["do_not_contact"] = refused.into();
            save_undo_data(ctx, tx, merge, &kept)?;
        }
    }
    Ok(refused)
}

/// Whether a contact that this merge removed, or one that was merged into it before, has refused messages.
fn part_refused(ctx: &Ctx, tx: &mut dyn Tx, merge: Uuid, kept: &Json) -> Result<bool, Error> {
    for row in undo_rows(merge, kept)? {
        let id: Uuid = undo_place(&merge).part(&row["id"])?;
        let values = &row["values"];
        if values["do_not_contact"] == true || refuses_messages(ctx, tx, id, &values["emails"])? {
            return Ok(true);
        }
        for (merge, _, earlier) in active_merges(ctx, tx, id)? {
            if part_refused(ctx, tx, merge, &earlier)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
