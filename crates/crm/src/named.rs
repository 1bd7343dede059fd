//! Records that a body names by their ids: they must be there, and an id that went into another is that other's.

use crate::member;
use resource::{Changes, Ctx, Error, Field, Problem, Resource, find};
use store::{Tx, Uuid, Value};

/// The `R` that a body names in this field.
pub fn record<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    changes: &mut Changes,
    fields: &'static [Field],
    name: &str,
) -> Result<Option<Problem>, Error> {
    let Some(Value::Id(id)) = changes.get(name) else { return Ok(None) };
    match find::<R>(ctx, tx, *id) {
        Ok(saved) => {
            changes.set(fields, name, saved.id);
            Ok(None)
        }
        Err(Error::NotFound(_)) => Ok(Some(missing(name, R::ABOUT.one))),
        Err(other) => Err(other),
    }
}

/// The member that a body names in this field.
pub fn member(ctx: &Ctx, tx: &mut dyn Tx, changes: &Changes, name: &str) -> Result<Option<Problem>, Error> {
    let Some(Value::Id(id)) = changes.get(name) else { return Ok(None) };
    let known = member::list(ctx, tx)?.iter().any(|member| member.user_id == *id);
    Ok((!known).then(|| missing(name, "member")))
}

/// The members that a body names in this list.
pub fn members(ctx: &Ctx, tx: &mut dyn Tx, changes: &Changes, name: &str) -> Result<Vec<Problem>, Error> {
    let Some(ids) = changes.text(name) else { return Ok(Vec::new()) };
    let ids: Vec<Uuid> = serde_json::from_str(ids).unwrap_or_default();
    let known = member::list(ctx, tx)?;
    let unknown = ids.iter().enumerate().filter(|(_, id)| !known.iter().any(|member| member.user_id == **id));
    Ok(unknown.map(|(at, _)| missing(&format!("{name}.{at}"), "member")).collect())
}

pub fn missing(field: &str, one: &str) -> Problem {
    Problem { field: field.into(), reason: format!("no {one} has this id") }
}
