//! References in a body: the records must exist, and the id of a merged record is replaced by the surviving one.

use crate::tenant::member;
use resource::{Changes, Column, Ctx, Error, FieldType, Ids, Problem, Resource, find};
use store::{Tx, Uuid, Value};

/// Checks and resolves the reference to an `R` in this field.
pub fn record<R: Resource, T: FieldType>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    changes: &mut Changes,
    column: Column<T>,
) -> Result<Option<Problem>, Error> {
    let Some(Value::Id(id)) = changes.get(column) else { return Ok(None) };
    match find::<R>(ctx, tx, *id) {
        Ok(saved) => {
            changes.set_field(column.field, saved.id);
            Ok(None)
        }
        Err(Error::NotFound(_)) => Ok(Some(missing(column.name(), R::ABOUT.one))),
        Err(other) => Err(other),
    }
}

/// Checks the reference to a member in this field.
pub fn member<T: FieldType>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    changes: &Changes,
    column: Column<T>,
) -> Result<Option<Problem>, Error> {
    let Some(Value::Id(id)) = changes.get(column) else { return Ok(None) };
    let known = member::list(ctx, tx)?.iter().any(|member| member.user_id == *id);
    Ok((!known).then(|| missing(column.name(), "member")))
}

/// Checks the references to members in this list.
pub fn members(ctx: &Ctx, tx: &mut dyn Tx, changes: &Changes, column: Column<Ids>) -> Result<Vec<Problem>, Error> {
    let ids: Vec<Uuid> = changes.json(column)?;
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let known = member::list(ctx, tx)?;
    let unknown = ids.iter().enumerate().filter(|(_, id)| !known.iter().any(|member| member.user_id == **id));
    Ok(unknown.map(|(at, _)| missing(&format!("{}.{at}", column.name()), "member")).collect())
}

pub fn missing(field: &str, one: &str) -> Problem {
    Problem { field: field.into(), reason: format!("no {one} has this id") }
}
