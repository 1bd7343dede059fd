//! Filters by ids of merged records.

use crate::merged_ids::all_of;
use crate::sql::each_test;
use crate::{Cond, Ctx, Error, Field, Kind, Op, Test};
use store::{Tx, Value};

/// Extends conditions on ids to all aliases of these ids.
pub(crate) fn widen_all(ctx: &Ctx, tx: &mut dyn Tx, conds: &mut [Cond]) -> Result<(), Error> {
    const ANY: &str = "SELECT 1 FROM merged_ids WHERE workspace_id = $1 LIMIT 1";
    let mut names = false;
    conds.iter().for_each(|cond| each_test(cond, &mut |test| names |= is_name(test.field)));
    if !names || tx.one(ANY, &[ctx.workspace.into()], |_| Ok(()))?.is_none() {
        return Ok(());
    }
    conds.iter_mut().try_for_each(|cond| widen(ctx, tx, cond))
}

/// Whether the field references other records.
fn is_name(field: &Field) -> bool {
    matches!(field.kind, Kind::Id | Kind::Ids)
}

fn widen(ctx: &Ctx, tx: &mut dyn Tx, cond: &mut Cond) -> Result<(), Error> {
    match cond {
        Cond::All(conds) | Cond::Any(conds) => conds.iter_mut().try_for_each(|cond| widen(ctx, tx, cond)),
        Cond::Not(cond) => widen(ctx, tx, cond),
        Cond::Test(test) if is_name(test.field) && !test.values.is_empty() => {
            let mut values = Vec::new();
            for value in &test.values {
                match value {
                    Value::Id(id) => values.extend(all_of(ctx, tx, *id)?.into_iter().map(Value::Id)),
                    other => values.push(other.clone()),
                }
            }
            if values == test.values {
                return Ok(());
            }
            if test.op == Op::Neq && test.field.kind == Kind::Ids {
                test.values = values;
                return Ok(());
            }
            let among = Cond::Test(Test { field: test.field, op: Op::In, values });
            *cond = if test.op == Op::Neq { Cond::Not(Box::new(among)) } else { among };
            Ok(())
        }
        Cond::Test(_) | Cond::Find(_) => Ok(()),
    }
}
