//! The collections that can be imported and exported as a whole. All writes of their records, by the API, an import or
//! the demo data, go through `normalized`.

use crate::api::call::{Call, Reply, make, show};
use crate::api::reaction::{Erases, Reacts};
use crate::api::scope::{
    COMPANIES_DELETE, COMPANIES_READ, COMPANIES_WRITE, CONTACTS_DELETE, CONTACTS_READ, CONTACTS_WRITE, Scope, Scopes,
};
use crate::records::erased_address;
use crate::records::tag::{self, KnownTags, Tagged};
use crate::tenant::member;
use resource::custom::Definition;
use resource::{
    Changes, Ctx, Error, Field, Input, Resource, Saved, Shape, find, fold, invalid, text_key, tidy, update,
};
use serde_json::{Map, Value as Json, json};
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

/// The context of a write of a record.
pub struct NormalizeOptions<'a> {
    pub scopes: Scopes,
    /// The custom fields, if they were already read in this transaction.
    pub defined: Option<&'a [Definition]>,
    /// Tags that many records of this transaction have.
    pub tags: Option<&'a KnownTags>,
    /// Only checks whether the write is possible, without creating tags.
    pub dry_run: bool,
}

impl NormalizeOptions<'_> {
    pub fn by(call: &Call) -> NormalizeOptions<'static> {
        NormalizeOptions { scopes: call.key.scopes, defined: None, tags: None, dry_run: false }
    }
}

pub trait Collected: Resource + Reacts + Erases + Tagged {
    /// Members that are only accepted in a body.
    const SHORTCUTS: &'static [Field];
    /// The tables that reference such a record, whose rows move when it is merged.
    const LINKS: &'static [&'static str];

    /// Members that depend on each other: an undo reverts all of them, or none.
    const TOGETHER: &'static [&'static [&'static str]];

    /// Moves a change from `before` to `after` to the members that hold these values in a record with these `values`.
    fn align(_values: &Map<String, Json>, _before: &mut Map<String, Json>, _after: &mut Map<String, Json>) {}

    /// Validates a body, except for its tags, against the database and completes it.
    fn normalize_fields(
        ctx: &Ctx,
        tx: &mut dyn Tx,
        by: &NormalizeOptions,
        changes: &mut Changes,
        saved: Option<&Saved<Self>>,
    ) -> Result<(), Error>
    where
        Self: Sized;

    /// Checks a body without the database.
    fn checked(body: &Map<String, Json>, creating: bool) -> Result<Changes, Error>
    where
        Self: Sized,
    {
        Changes::check(&Shape { record: Self::FIELDS, extra: Self::SHORTCUTS }, &Input(body), creating)
    }

    /// Validates and completes a checked body, as a change of `saved` or for a new record.
    fn normalized(
        ctx: &Ctx,
        tx: &mut dyn Tx,
        by: &NormalizeOptions,
        mut changes: Changes,
        saved: Option<&Saved<Self>>,
    ) -> Result<Changes, Error>
    where
        Self: Sized,
    {
        Self::normalize_fields(ctx, tx, by, &mut changes, saved)?;
        erased_address::refuse(ctx, tx, &changes, saved)?;
        match by.dry_run {
            // Tags that would have to be created stay names, which differ from all stored values.
            true if !tag::exist(ctx, tx, Self::TAGS, by.tags, &changes)? => {}
            _ => tag::normalize(ctx, tx, Self::TAGS, by.tags, &mut changes, saved)?,
        }
        Ok(changes)
    }
}

resource::choices! {
    Answer { True = "true", False = "false" }
}

/// The parameters of `DELETE` of one record.
#[derive(Resource)]
pub struct DeleteQuery {
    /// `true` erases the record and everything that belongs to it, instead of archiving it.
    pub erase: Option<Answer>,
}

pub fn erasure_schema() -> Json {
    json!({
        "type": "object",
        "description": "The erasure of a record. The record is gone at once; a job removes what belongs to it.",
        "required": ["id", "state"],
        "properties": {
            "id": { "type": "string", "format": "uuid" },
            "state": { "type": "string", "enum": ["erasing"] },
        },
    })
}

/// `DELETE` of one record with `erase=true`; `None` if the request does not ask for that.
pub fn erase<R: Collected>(call: &Call, tx: &mut dyn Tx) -> Result<Option<Reply>, Error> {
    if call.asked(DeleteQuery::FIELDS)?.text(DeleteQuery::ERASE) != Some(Answer::True.word()) {
        return Ok(None);
    }
    member::require_admin(call, tx, "only admins, and keys of admins, can erase records")?;
    let saved = find::<R>(&call.ctx, tx, call.id(0, R::ABOUT.one)?)?;
    R::erase(&call.ctx, tx, &saved)?;
    Ok(Some(Reply { status: 202, ..Reply::json(&json!({ "id": saved.id, "state": "erasing" })) }))
}

/// `POST` of the collection.
pub fn create<R: Collected>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let changes = R::checked(&call.body, true)?;
    let changes = R::normalized(&call.ctx, tx, &NormalizeOptions::by(call), changes, None)?;
    let (id, reply) = make::<R>(&call.ctx, tx, &changes)?;
    Ok(reply.created(format!("/{}/{id}", R::ABOUT.table)))
}

/// `PUT` of one record.
pub fn change<R: Collected>(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let changes = R::checked(&call.body, false)?;
    let saved = find::<R>(&call.ctx, tx, call.id(0, R::ABOUT.one)?)?;
    let changes = R::normalized(&call.ctx, tx, &NormalizeOptions::by(call), changes, Some(&saved))?;
    update(&call.ctx, tx, &saved, &changes)?;
    R::changed(&call.ctx, tx, &saved, &changes)?;
    show::<R>(&call.ctx, tx, saved.id)
}

/// The record that a body identifies by this member, if there is one.
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
