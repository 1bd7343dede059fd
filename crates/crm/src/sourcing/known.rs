//! Matches profiles with contacts: the contact of a profile, and whether it is a candidate in a project. A profile
//! matches the contact with its address in `network_profile`, else the one that it was added as, by its `profile_id`.

use super::found::Profile;
use resource::{Ctx, Error, profile_key};
use serde_json::Value as Json;
use std::collections::{HashMap, HashSet};
use store::{Row, Tx, Uuid, Value};

/// Sets `existing_contact_id` and `already_in_project` on each profile.
pub fn mark(ctx: &Ctx, tx: &mut dyn Tx, project: Option<Uuid>, profiles: &mut [Profile]) -> Result<(), Error> {
    let contacts = contacts_of(ctx, tx, profiles)?;
    let inside = match project {
        Some(project) => candidates(ctx, tx, project, &contacts.iter().flatten().copied().collect::<Vec<_>>())?,
        None => HashSet::new(),
    };
    for (profile, contact) in profiles.iter_mut().zip(contacts) {
        profile.insert("already_in_project".into(), contact.is_some_and(|id| inside.contains(&id)).into());
        profile.insert("existing_contact_id".into(), contact.map(|id| id.to_string()).into());
    }
    Ok(())
}

/// The contact of each profile, if there is one.
pub fn contacts_of(ctx: &Ctx, tx: &mut dyn Tx, profiles: &[Profile]) -> Result<Vec<Option<Uuid>>, Error> {
    let of_own = "SELECT id FROM contacts WHERE workspace_id = $1 AND id IN ";
    let of_urls = "SELECT t.key, t.record, c.archived_at FROM terms t \
         JOIN contacts c ON c.workspace_id = t.workspace_id AND c.id = t.record \
         WHERE t.workspace_id = $1 AND t.field = 'contact.profile' AND t.key IN ";
    let of_ids = "SELECT profile_id, contact_id FROM contact_profiles WHERE workspace_id = $1 AND profile_id IN ";
    // A profile from the workspace's own contacts has the id of the contact as `profile_id`.
    let ids: Vec<Value> = profiles.iter().filter_map(own).map(Value::from).collect();
    let own_ids: HashSet<Uuid> = looked_up(ctx, tx, of_own, &ids, |row| row.id(0))?.into_iter().collect();
    let keys: Vec<Value> =
        profiles.iter().filter_map(|it| text(it, "network_url")).map(profile_key).map(Value::from).collect();
    let mut by_url: HashMap<String, (bool, Uuid)> = HashMap::new();
    let read = |row: &dyn Row| Ok((row.text(0)?, row.id(1)?, row.maybe_int(2)?.is_some()));
    for (key, id, archived) in looked_up(ctx, tx, of_urls, &keys, read)? {
        // The oldest one that is not archived.
        let best = by_url.entry(key).or_insert((archived, id));
        *best = (*best).min((archived, id));
    }
    let keys: Vec<Value> = profiles.iter().filter_map(|it| text(it, "profile_id")).map(Value::from).collect();
    let by_id: HashMap<String, Uuid> =
        looked_up(ctx, tx, of_ids, &keys, |row| Ok((row.text(0)?, row.id(1)?)))?.into_iter().collect();
    let contact = |profile: &Profile| {
        let itself = own(profile).filter(|id| own_ids.contains(id));
        let of_url = || by_url.get(&profile_key(text(profile, "network_url")?)).map(|(_, id)| *id);
        itself.or_else(of_url).or_else(|| by_id.get(text(profile, "profile_id")?).copied())
    };
    Ok(profiles.iter().map(contact).collect())
}

/// The ones of these contacts that are candidates in the project.
pub fn candidates(ctx: &Ctx, tx: &mut dyn Tx, project: Uuid, contacts: &[Uuid]) -> Result<HashSet<Uuid>, Error> {
    let of_project =
        "SELECT record FROM terms WHERE workspace_id = $1 AND field = 'contact.project' AND key = $2 AND record IN ";
    let keys: Vec<Value> = contacts.iter().copied().map(Value::from).collect();
    let first = [ctx.workspace.into(), project.to_string().into()];
    Ok(some_by_some(tx, of_project, &first, &keys, |row| row.id(0))?.into_iter().collect())
}

/// Records which contact a profile was added as.
pub fn remember(ctx: &Ctx, tx: &mut dyn Tx, profile_id: &str, contact: Uuid) -> Result<(), Error> {
    const KNOWN: &str = "SELECT contact_id FROM contact_profiles WHERE workspace_id = $1 AND profile_id = $2";
    const NOTE: &str = "INSERT INTO contact_profiles (workspace_id, id, version, profile_id, contact_id, created_at, updated_at) \
         VALUES ($1, $2, 1, $3, $4, $5, $5)";
    const CHANGE: &str = "UPDATE contact_profiles SET contact_id = $1, updated_at = $2, version = version + 1 \
         WHERE workspace_id = $3 AND profile_id = $4";
    let now = tx.stamp();
    let key = [ctx.workspace.into(), profile_id.into()];
    match tx.one(KNOWN, &key, |row| row.id(0))? {
        Some(known) if known == contact => Ok(()),
        Some(_) => Ok(tx.execute(CHANGE, &[contact.into(), now.into(), ctx.workspace.into(), profile_id.into()])?),
        None => {
            let id = tx.id();
            let params = [ctx.workspace.into(), id.into(), profile_id.into(), contact.into(), now.into()];
            Ok(tx.execute(NOTE, &params)?)
        }
    }
}

/// A member that is a non-empty text.
pub fn text<'a>(profile: &'a Profile, name: &str) -> Option<&'a str> {
    profile.get(name).and_then(Json::as_str).filter(|text| !text.is_empty() && !text.contains('\0'))
}

fn own(profile: &Profile) -> Option<Uuid> {
    text(profile, "profile_id").filter(|id| id.len() == 36).and_then(|id| Uuid::try_parse(id).ok())
}

fn looked_up<T>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sql: &str,
    keys: &[Value],
    read: impl Fn(&dyn Row) -> Result<T, store::Error>,
) -> Result<Vec<T>, Error> {
    some_by_some(tx, sql, &[ctx.workspace.into()], keys, read)
}

/// Keys per statement; the keys are repeated to fill it, so that the SQL text never changes.
const AT_ONCE: usize = 64;

/// The rows of a statement that ends with `IN `, for all of these keys.
fn some_by_some<T>(
    tx: &mut dyn Tx,
    sql: &str,
    first: &[Value],
    keys: &[Value],
    read: impl Fn(&dyn Row) -> Result<T, store::Error>,
) -> Result<Vec<T>, Error> {
    let places: Vec<String> = (1..=AT_ONCE).map(|n| format!("${}", first.len() + n)).collect();
    let sql = format!("{sql}({})", places.join(", "));
    let mut found = Vec::new();
    for some in keys.chunks(AT_ONCE) {
        let last = some.iter().cycle().take(AT_ONCE).cloned();
        let params: Vec<Value> = first.iter().cloned().chain(last).collect();
        found.extend(tx.rows(&sql, &params, &read)?);
    }
    Ok(found)
}
