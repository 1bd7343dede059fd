//! Addresses of erased people and companies. Only a keyed hash of each is stored, with a random key of the workspace:
//! enough to refuse the address when somebody sends it again, and not enough to read it.

use crate::api::meta::keyed_hash;
use resource::{Changes, Ctx, Error, Problem, Saved, by_many_keys, digits, fold, place, profile_key};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use store::{Tx, Uuid, Value};

/// The kind of an address; each has a form of its own in which addresses are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Email,
    Phone,
    Profile,
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Email, Kind::Phone, Kind::Profile];

    /// The form in which addresses of this kind are compared; empty if the text is none.
    fn key(self, text: &str) -> String {
        match self {
            Kind::Email => fold(text.trim()),
            Kind::Phone => phone_key(text),
            Kind::Profile => profile_key(text),
        }
    }
}

/// The form in which phone numbers are compared: digits, international ones without `00` and without a national prefix
/// in parentheses. A number without its country code is another one, because the country is unknown.
pub fn phone_key(text: &str) -> String {
    let plain = digits(text);
    if !text.trim_start_matches([' ', '(']).starts_with('+') && !plain.starts_with("00") {
        return plain;
    }
    let international = digits(&text.replace("(0)", ""));
    international.strip_prefix("00").unwrap_or(&international).to_owned()
}

/// An address in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The path of the member that contains it.
    pub field: String,
    pub kind: Kind,
    pub key: String,
}

/// The members of contacts and companies that contain addresses; the first two are lists of objects.
const MEMBERS: [(&str, &str, Kind); 5] = [
    ("emails", "email", Kind::Email),
    ("phones", "phone", Kind::Phone),
    ("email", "", Kind::Email),
    ("phone", "", Kind::Phone),
    ("network_profile", "", Kind::Profile),
];

/// The addresses in the stored values of a record.
pub fn addresses<'a>(value: impl Fn(&str) -> Option<&'a str>) -> Result<Vec<Address>, Error> {
    let mut found: Vec<Address> = Vec::new();
    for (member, one, kind) in MEMBERS {
        let Some(text) = value(member) else { continue };
        let texts: Vec<(String, String)> = match one {
            "" => vec![(member.to_owned(), text.to_owned())],
            _ => {
                let unreadable = |_| store::Error::unreadable(format!("{member} is no list"));
                let items: Vec<Map<String, Json>> = serde_json::from_str(text).map_err(unreadable)?;
                let named = |(at, item): (usize, Map<String, Json>)| {
                    let text = item.get(one).and_then(Json::as_str)?;
                    Some((format!("{member}.{at}.{one}"), text.to_owned()))
                };
                items.into_iter().enumerate().filter_map(named).collect()
            }
        };
        let address = |(field, text): (String, String)| Address { field, kind, key: kind.key(&text) };
        found.extend(texts.into_iter().map(address).filter(|address| !address.key.is_empty()));
    }
    Ok(found)
}

/// The addresses of a record.
pub fn addresses_of<R>(saved: &Saved<R>) -> Result<Vec<Address>, Error>
where
    R: resource::Resource,
{
    addresses(|member| match saved.value(member) {
        Ok(Value::Text(text)) => Some(text),
        _ => None,
    })
    .map_err(|error| error.in_row(R::ABOUT.table, saved.id))
}

/// The hash function of a workspace.
pub struct Hasher(Vec<u8>);

impl Hasher {
    /// `None` if nothing was erased in this workspace.
    pub fn read(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Option<Hasher>, Error> {
        const KEY: &str = "SELECT erasure_key FROM workspaces WHERE id = $1";
        let key = tx.one(KEY, &[ctx.workspace.into()], |row| row.get(0)?.maybe(|key| Ok(key.bytes()?.to_vec())))?;
        Ok(key.flatten().map(Hasher))
    }

    fn make(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Hasher, Error> {
        const SET: &str = "UPDATE workspaces SET erasure_key = $1 WHERE id = $2";
        if let Some(hasher) = Hasher::read(ctx, tx)? {
            return Ok(hasher);
        }
        let key = rand::random::<[u8; 32]>().to_vec();
        tx.execute(SET, &[key.clone().into(), ctx.workspace.into()])?;
        Ok(Hasher(key))
    }

    /// Uses the key of hashes from a list; false if the workspace has another one.
    pub fn adopt(ctx: &Ctx, tx: &mut dyn Tx, key: Vec<u8>) -> Result<bool, Error> {
        const SET: &str = "UPDATE workspaces SET erasure_key = $1 WHERE id = $2";
        match Hasher::read(ctx, tx)? {
            Some(own) => Ok(own.0 == key),
            None => {
                tx.execute(SET, &[key.into(), ctx.workspace.into()])?;
                Ok(true)
            }
        }
    }

    fn hash(&self, kind: Kind, key: &str) -> Vec<u8> {
        let kind = match kind {
            Kind::Email => "email",
            Kind::Phone => "phone",
            Kind::Profile => "profile",
        };
        keyed_hash(&self.0, &format!("{kind} {key}"))
    }

    pub fn is_erased(&self, ctx: &Ctx, tx: &mut dyn Tx, kind: Kind, text: &str) -> Result<bool, Error> {
        const ERASED: &str = "SELECT 1 FROM erased_addresses WHERE workspace_id = $1 AND hash = $2";
        let hash = self.hash(kind, &kind.key(text));
        Ok(tx.one(ERASED, &[ctx.workspace.into(), hash.into()], |_| Ok(()))?.is_some())
    }

    /// Those of many addresses that were erased, read together.
    pub fn erased_among<'a>(
        &self,
        ctx: &Ctx,
        tx: &mut dyn Tx,
        kind: Kind,
        texts: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<&'a str>, Error> {
        let hashes = texts.into_iter().map(|text| (self.hash(kind, &kind.key(text)), text));
        let hashes: BTreeMap<Vec<u8>, &str> = hashes.collect();
        let mut erased = Vec::new();
        for (list, params) in by_many_keys(ctx, hashes.keys().cloned()) {
            let sql = format!("SELECT hash FROM erased_addresses WHERE workspace_id = $1 AND hash IN {list}");
            let found = tx.rows(&sql, &params, |row| Ok(row.get(0)?.bytes()?.to_vec()))?;
            erased.extend(found.iter().filter_map(|hash| hashes.get(hash).copied()));
        }
        Ok(erased)
    }
}

/// Whether this address was erased.
pub fn is_erased(ctx: &Ctx, tx: &mut dyn Tx, kind: Kind, text: &str) -> Result<bool, Error> {
    match Hasher::read(ctx, tx)? {
        Some(hasher) => hasher.is_erased(ctx, tx, kind, text),
        None => Ok(false),
    }
}

/// Stores the hash of an erased address, with the reason why nothing was sent to it; returns the hash.
pub fn remember(ctx: &Ctx, tx: &mut dyn Tx, address: &Address, suppression: Option<&str>) -> Result<Vec<u8>, Error> {
    let hash = Hasher::make(ctx, tx)?.hash(address.kind, &address.key);
    remember_hash(ctx, tx, &hash, suppression)?;
    Ok(hash)
}

/// The same with a hash that a list contains.
pub fn remember_hash(ctx: &Ctx, tx: &mut dyn Tx, hash: &[u8], suppression: Option<&str>) -> Result<(), Error> {
    const REMEMBER: &str = "INSERT INTO erased_addresses (workspace_id, hash, suppression, created_at) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (workspace_id, hash) DO UPDATE SET suppression = coalesce(excluded.suppression, erased_addresses.suppression)";
    let (suppression, now) = (suppression.map(str::to_owned), tx.stamp());
    Ok(tx.execute(REMEMBER, &[ctx.workspace.into(), hash.to_vec().into(), suppression.into(), now.into()])?)
}

/// An address that is allowed again.
#[derive(Default)]
pub struct Forgotten {
    /// The hashes under which it was stored; none if it was not erased.
    pub hashes: Vec<Vec<u8>>,
    /// The reason why nothing was sent to it.
    pub suppression: Option<String>,
}

/// Allows an address of any kind again.
pub fn forget(ctx: &Ctx, tx: &mut dyn Tx, text: &str) -> Result<Forgotten, Error> {
    const FORGET: &str =
        "DELETE FROM erased_addresses WHERE workspace_id = $1 AND hash = $2 RETURNING suppression, created_at";
    let mut found = Forgotten::default();
    let Some(hasher) = Hasher::read(ctx, tx)? else { return Ok(found) };
    for kind in Kind::ALL {
        let key = kind.key(text);
        if key.is_empty() || (kind == Kind::Phone && text.contains('@')) {
            continue;
        }
        let hash = hasher.hash(kind, &key);
        let params = [ctx.workspace.into(), hash.clone().into()];
        if let Some(suppression) = tx.one(FORGET, &params, |row| row.maybe_text(0))? {
            found.hashes.push(hash);
            found.suppression = found.suppression.or(suppression);
        }
    }
    Ok(found)
}

/// Allows an address again whose hash a list contains. A suppressed one stays erased: only its owner's address, which
/// the list does not contain, could be suppressed again.
pub fn forget_hash(ctx: &Ctx, tx: &mut dyn Tx, hash: &[u8]) -> Result<(), Error> {
    const FORGET: &str = "DELETE FROM erased_addresses WHERE workspace_id = $1 AND hash = $2 AND suppression IS NULL";
    Ok(tx.execute(FORGET, &[ctx.workspace.into(), hash.to_vec().into()])?)
}

/// Refuses new addresses that were erased. Addresses that the record has already are not checked.
pub fn refuse<R: resource::Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    changes: &Changes,
    saved: Option<&Saved<R>>,
) -> Result<(), Error> {
    let sent = addresses(|member| changes.named_text(member))?;
    if sent.is_empty() {
        return Ok(());
    }
    let known = saved.map_or(Ok(Vec::new()), addresses_of)?;
    let is_new = |one: &&Address| !known.iter().any(|other| (other.kind, &other.key) == (one.kind, &one.key));
    let new: Vec<&Address> = sent.iter().filter(is_new).collect();
    let problems = erased(ctx, tx, &new)?;
    if problems.is_empty() { Ok(()) } else { Err(Error::Erased(problems)) }
}

const REASON: &str = "belongs to a record that was erased; an admin can allow it again with DELETE /erased-addresses or \
     relata contacts allow";

/// Refuses an email address that was erased, in this member of a body.
pub fn refuse_email(ctx: &Ctx, tx: &mut dyn Tx, member: &str, address: &str) -> Result<(), Error> {
    match is_erased(ctx, tx, Kind::Email, address)? {
        true => Err(Error::Erased(vec![Problem { field: member.into(), reason: REASON.into() }])),
        false => Ok(()),
    }
}

/// The problems of those addresses that were erased.
pub fn erased(ctx: &Ctx, tx: &mut dyn Tx, addresses: &[&Address]) -> Result<Vec<Problem>, Error> {
    let mut problems = Vec::new();
    if addresses.is_empty() {
        return Ok(problems);
    }
    let Some(hasher) = Hasher::read(ctx, tx)? else { return Ok(problems) };
    for address in addresses {
        if hasher.is_erased(ctx, tx, address.kind, &address.key)? {
            problems.push(Problem { field: address.field.clone(), reason: REASON.into() });
        }
    }
    Ok(problems)
}

/// The addresses in a row that a merge saved.
pub fn saved_addresses(merge: Uuid, values: &Json) -> Result<Vec<Address>, Error> {
    addresses(|member| values[member].as_str()).map_err(|error| place("merges", "kept", &merge).complete(error))
}

/// Removes erased addresses from values that an undo would restore, unless the record has them already.
pub fn strip<R: resource::Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    values: &mut Map<String, Json>,
    saved: Option<&Saved<R>>,
) -> Result<(), Error> {
    let Some(hasher) = Hasher::read(ctx, tx)? else { return Ok(()) };
    let known = saved.map_or(Ok(Vec::new()), addresses_of)?;
    for (member, one, kind) in MEMBERS {
        let Some(Json::String(text)) = values.get(member) else { continue };
        let mut is_refused = |text: &str| -> Result<bool, Error> {
            let key = kind.key(text);
            if key.is_empty() || known.iter().any(|other| (other.kind, &other.key) == (kind, &key)) {
                return Ok(false);
            }
            hasher.is_erased(ctx, tx, kind, text)
        };
        if one.is_empty() {
            if is_refused(text)? {
                values.insert(member.to_owned(), Json::Null);
            }
            continue;
        }
        let unreadable = |_| store::Error::unreadable(format!("{member} is no list"));
        let items: Vec<Map<String, Json>> = serde_json::from_str(text).map_err(unreadable)?;
        let (before, mut left) = (items.len(), Vec::new());
        for item in items {
            let is_erased = item.get(one).and_then(Json::as_str).map_or(Ok(false), &mut is_refused)?;
            if !is_erased {
                left.push(item);
            }
        }
        if left.len() == before {
            continue;
        }
        values.insert(member.to_owned(), Json::from(left).to_string().into());
    }
    Ok(())
}

/// The same for the changes of an undo.
pub fn strip_changes<R: resource::Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    changes: &mut Changes,
    saved: &Saved<R>,
) -> Result<(), Error> {
    let texts = MEMBERS.iter().filter_map(|(member, ..)| Some((*member, changes.named_text(member)?.to_owned())));
    let before: Vec<(&str, String)> = texts.collect();
    let mut values: Map<String, Json> =
        before.iter().map(|(member, text)| ((*member).to_owned(), text.as_str().into())).collect();
    strip(ctx, tx, &mut values, Some(saved))?;
    for (member, text) in before {
        match values.get(member) {
            Some(Json::String(left)) if *left == text => {}
            Some(Json::String(left)) => changes.set_named(R::FIELDS, member, left.as_str()),
            _ => changes.set_named(R::FIELDS, member, Value::Null),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_phone_number_have_one_key() {
        for text in ["+49 30 1234567", "0049301234567", "+49 (0)30 123-4567", "0049 (0) 30/1234567", "(+49) 30 1234567"]
        {
            assert_eq!(phone_key(text), "49301234567", "{text}");
        }
        // The country of a national number is unknown.
        assert_eq!(phone_key("030 1234567"), "0301234567");
        assert_eq!(phone_key(&phone_key("0049 30 1234567")), "49301234567");
    }
}
