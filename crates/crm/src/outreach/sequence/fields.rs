//! Custom fields of contacts that active sequences use. Neither the field nor an option in use can be deleted, since entry
//! conditions would then silently match nobody.

use super::start;
use crate::records::custom_field::{self, Entity, Given};
use resource::{Ctx, Error, invalid};
use store::Tx;

pub fn change(ctx: &Ctx, tx: &mut dyn Tx, entity: Entity, key: &str, given: &Given) -> Result<(), Error> {
    custom_field::change(ctx, tx, entity, key, given, check_use)
}

fn check_use(ctx: &Ctx, tx: &mut dyn Tx, entity: Entity, key: &str, renamed: &[(String, String)]) -> Result<(), Error> {
    for (from, _) in renamed.iter().filter(|_| entity == Entity::Contact) {
        if let Some((sequence, step)) = start::filtering(ctx, tx, key, from)? {
            let reason = format!(
                "the running sequence {sequence} filters by the option {from} (steps.{step}.entry_conditions); pause it and change it first"
            );
            return Err(invalid("options", reason));
        }
    }
    Ok(())
}

pub fn remove(ctx: &Ctx, tx: &mut dyn Tx, entity: Entity, key: &str) -> Result<(), Error> {
    if entity != Entity::Contact {
        return custom_field::remove(ctx, tx, entity, key);
    }
    let using = start::naming(ctx, tx, key)?;
    let before = start::lacking(ctx, tx, &using)?;
    custom_field::remove(ctx, tx, entity, key)?;
    let new = start::lacking(ctx, tx, &using)?.into_iter().find(|lack| !before.contains(lack));
    let Some((sequence, place, reason)) = new else { return Ok(()) };
    let used = match place.split_once(".entry_conditions") {
        Some((step, _)) => format!("{step}.entry_conditions filter by custom_data.{key}"),
        None => format!("{place}: {reason}"),
    };
    let reason = format!("the running sequence {sequence} uses the field ({used}); pause it and change it first");
    Err(invalid("key", reason))
}
