//! References in a body: the records must exist, and the id of a merged record is replaced by the surviving one.

use crate::tenant::member;
use resource::{Changes, Ctx, Error, Field, Problem, Resource, find};
use store::{Tx, Uuid, Value};

/// Checks and resolves the reference to an `R` in this field.
pub fn record<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    changes: &mut Changes,
    fields: &'static [Field],
    name: &str,
) -> Result<Option<Problem>, Error> {
    let Some(Value::Id(id)) = changes.named(name) else { return Ok(None) };
    match find::<R>(ctx, tx, *id) {
        Ok(saved) => {
            changes.set_named(fields, name, saved.id);
            Ok(None)
        }
        Err(Error::NotFound(_)) => Ok(Some(missing(name, R::ABOUT.one))),
        Err(other) => Err(other),
    }
}

/// Checks the reference to a member in this field.
pub fn member(ctx: &Ctx, tx: &mut dyn Tx, changes: &Changes, name: &str) -> Result<Option<Problem>, Error> {
    let Some(Value::Id(id)) = changes.named(name) else { return Ok(None) };
    let known = member::list(ctx, tx)?.iter().any(|member| member.user_id == *id);
    Ok((!known).then(|| missing(name, "member")))
}

/// Checks the references to members in this list.
pub fn members(ctx: &Ctx, tx: &mut dyn Tx, changes: &Changes, name: &str) -> Result<Vec<Problem>, Error> {
    let ids: Vec<Uuid> = changes.named_json(name)?;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let known = member::list(ctx, tx)?;
    let unknown = ids.iter().enumerate().filter(|(_, id)| !known.iter().any(|member| member.user_id == **id));
    Ok(unknown.map(|(at, _)| missing(&format!("{name}.{at}"), "member")).collect())
}

pub fn missing(field: &str, one: &str) -> Problem {
    Problem { field: field.into(), reason: format!("no {one} has this id") }
}
