//! The collections that are imported and exported whole, and the one way their records are written: whoever writes one,
//! the API, an import or the demonstration, goes through `settled`.

use crate::operation::{Call, Reply, make, show};
use crate::scope::{
    COMPANIES_DELETE, COMPANIES_READ, COMPANIES_WRITE, CONTACTS_DELETE, CONTACTS_READ, CONTACTS_WRITE, Scope, Scopes,
};
use crate::tag::{self, KnownTags, TagScope};
use resource::custom::Definition;
use resource::{
    Changes, Ctx, Error, Field, Input, Resource, Saved, Shape, find, fold, invalid, text_key, tidy, update,
};
use serde_json::{Map, Value as Json};
use std::collections::HashMap;
use store::{Tx, Uuid};

resource::choices! {
    Collection { Contacts = "contacts", Companies = "companies" }
}

impl Collection {
    pub fn read(self) -> Scope {
        match self {
            Collection::Contacts => CONTACTS_READ,
            Collection::Companies => COMPANIES_READ,
        }
    }
    pub fn write(self) -> Scope {
        match self {
            Collection::Contacts => CONTACTS_WRITE,
            Collection::Companies => COMPANIES_WRITE,
        }
    }
    pub fn delete(self) -> Scope {
        match self {
            Collection::Contacts => CONTACTS_DELETE,
            Collection::Companies => COMPANIES_DELETE,
        }
    }
}

/// On whose behalf a record is written.
pub struct Settling<'a> {
    pub scopes: Scopes,
    /// The custom fields, where they are read already in this transaction.
    pub defined: Option<&'a [Definition]>,
    /// The tags that many records of this transaction wear.
    pub tags: Option<&'a KnownTags>,
    /// Only to see whether it could be: nothing is made for its sake.
    pub dry_run: bool,
}

impl Settling<'_> {
    pub fn by(call: &Call) -> Settling<'static> {
        Settling { scopes: call.key.scopes, defined: None, tags: None, dry_run: false }
    }
}

pub trait Collected: Resource {
    /// Members of a body that no record has.
    const SHORTCUTS: &'static [Field];
    const TAGS: TagScope;
    /// The tables whose rows name such a record, and go with it into another.
    const LINKS: &'static [&'static str];

    /// Members that mean something only together: an undo takes all of them back, or none.
    const TOGETHER: &'static [&'static [&'static str]];

    /// Makes a change, from `before` to `after`, one of the members that have its values in a record with these `values`.
    fn align(_values: &Map<String, Json>, _before: &mut Map<String, Json>, _after: &mut Map<String, Json>) {}

    /// What a merge decides by more than one member. `chosen` says of single members whose value it is to be.
    fn merged(
        _: &Ctx,
        _: &mut dyn Tx,
        _into: &Saved<Self>,
        _from: &[Saved<Self>],
        _chosen: &HashMap<&'static str, Uuid>,
        _changes: &mut Changes,
    ) -> Result<(), Error>
    where
        Self: Sized,
    {
        Ok(())
    }

    /// What holds for one of the records of a merge, when it is undone, by what happened to it since.
    fn parted(_: &Ctx, _: &mut dyn Tx, _: Uuid, _since: i64) -> Result<(), Error> {
        Ok(())
    }

    /// What a body can't settle alone, but for its tags.
    fn settle(
        ctx: &Ctx,
        tx: &mut dyn Tx,
        by: &Settling,
        changes: &mut Changes,
        saved: Option<&Saved<Self>>,
    ) -> Result<(), Error>
    where
        Self: Sized;

    /// What follows from changes that were just written.
    fn changed(_: &Ctx, _: &mut dyn Tx, _: Uuid, _: &Changes) -> Result<(), Error> {
        Ok(())
    }

    /// A body by itself.
    fn checked(body: &Map<String, Json>, creating: bool) -> Result<Changes, Error>
    where
        Self: Sized,
    {
        Changes::check(&Shape { record: Self::FIELDS, extra: Self::SHORTCUTS }, &Input(body), creating)
    }

    /// A checked body as it can be written: over `saved`, or as a new record.
    fn settled(
        ctx: &Ctx,
        tx: &mut dyn Tx,
        by: &Settling,
        mut changes: Changes,
        saved: Option<&Saved<Self>>,
    ) -> Result<Changes, Error>
    where
        Self: Sized,
    {
        Self::settle(ctx, tx, by, &mut changes, saved)?;
        match by.dry_run {
            // Tags that would have to be made are left as names, which differ from any stored.
            true if !tag::exist(ctx, tx, Self::TAGS, by.tags, &changes)? => {}
            _ => tag::settle(ctx, tx, Self::TAGS, by.tags, &mut changes, saved)?,
        }
        Ok(changes)
    }
}

/// `POST` of the collection.
pub fn create<R: Collected>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let changes = R::checked(&call.body, true)?;
    let changes = R::settled(&call.ctx, tx, &Settling::by(call), changes, None)?;
    let (id, reply) = make::<R>(&call.ctx, tx, &changes)?;
    Ok(reply.created(format!("/{}/{id}", R::ABOUT.table)))
}

/// `PUT` of one record.
pub fn change<R: Collected>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let changes = R::checked(&call.body, false)?;
    let saved = find::<R>(&call.ctx, tx, call.id(0, R::ABOUT.one)?)?;
    let changes = R::settled(&call.ctx, tx, &Settling::by(call), changes, Some(&saved))?;
    update(&call.ctx, tx, &saved, &changes)?;
    R::changed(&call.ctx, tx, saved.id, &changes)?;
    show::<R>(&call.ctx, tx, saved.id)
}

/// The record that a body means by this member, if there is one.
pub fn matched<R: Collected>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    member: &str,
    body: &Map<String, Json>,
) -> Result<Option<Saved<R>>, Error> {
    const CALLED: &str = "SELECT record FROM terms WHERE workspace_id = $1 AND field = $2 AND key = $3 LIMIT 10";
    const BY_NAME: &str = "SELECT id FROM companies WHERE workspace_id = $1 AND name_fold = $2 LIMIT 10";
    let one = R::ABOUT.one;
    let mut texts: Vec<&str> = body.get(member).and_then(Json::as_str).into_iter().collect();
    if let Some(Json::Array(items)) = body.get(&format!("{member}s")) {
        texts.extend(items.iter().filter_map(|item| item.get(member)?.as_str()));
    }
    let mut found: Vec<Uuid> = Vec::new();
    for text in texts {
        let text = tidy(member, text)?;
        if member == "id" {
            let id = Uuid::try_parse(&text).map_err(|_| invalid("id", "must be a uuid"))?;
            return match find::<R>(ctx, tx, id) {
                Err(Error::NotFound(_)) => Err(invalid("id", format!("no {one} has this id"))),
                found => found.map(Some),
            };
        }
        let field = R::FIELDS.iter().find(|field| field.filter_name() == Some(member));
        let ids = match field.and_then(|field| Some((field, field.term?))) {
            Some((field, term)) => {
                let params = [ctx.workspace.into(), term.into(), text_key(field, &text).into()];
                tx.rows(CALLED, &params, |row| row.id(0))?
            }
            None => tx.rows(BY_NAME, &[ctx.workspace.into(), fold(&text).into()], |row| row.id(0))?,
        };
        found.extend(ids.into_iter().filter(|id| !found.contains(id)).collect::<Vec<_>>());
    }
    match found[..] {
        [] => Ok(None),
        [id] => find::<R>(ctx, tx, id).map(Some),
        _ => Err(invalid(member, format!("{} records of the kind {one} have it; merge them first", found.len()))),
    }
}
