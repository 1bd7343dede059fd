//! Filters by labels while labels are being merged.

use crate::labels::{called, merging};
use crate::sql::{each_test, text_of};
use crate::{Cond, Ctx, Error, Kind, Op, Test};
use store::{Tx, Value};

/// Extends filters by a label to the labels that are being merged into it.
pub(crate) fn widen(ctx: &Ctx, tx: &mut dyn Tx, conds: &mut [Cond]) -> Result<(), Error> {
    let mut names = Vec::new();
    for cond in conds.iter() {
        each_test(cond, &mut |test| {
            if test.field.kind == Kind::Labels {
                names.extend(test.values.iter().filter_map(text_of).map(str::to_owned));
            }
        });
    }
    if names.is_empty() {
        return Ok(());
    }
    let merging = merging(ctx, tx)?;
    if merging.is_empty() {
        return Ok(());
    }
    let called = called(ctx, tx, &names)?;
    let others = |value: &Value| -> Vec<Value> {
        let into = text_of(value).and_then(|name| called.get(name));
        merging.iter().filter(|(_, to)| Some(*to) == into).map(|(from, _)| Value::Id(*from)).collect()
    };
    conds.iter_mut().for_each(|cond| widen_one(cond, &others));
    Ok(())
}

fn widen_one(cond: &mut Cond, others: &dyn Fn(&Value) -> Vec<Value>) {
    match cond {
        Cond::All(conds) | Cond::Any(conds) => conds.iter_mut().for_each(|cond| widen_one(cond, others)),
        Cond::Not(cond) => widen_one(cond, others),
        Cond::Test(test) if test.field.kind == Kind::Labels => {
            if test.op == Op::Cs && test.values.iter().any(|value| !others(value).is_empty()) {
                // A record has a label if it has the label itself or one that is being merged into it.
                let each = test.values.iter().map(|value| {
                    let values = std::iter::once(value.clone()).chain(others(value)).collect();
                    Cond::Test(Test { field: test.field, op: Op::Ov, values })
                });
                *cond = Cond::All(each.collect());
            } else if test.op != Op::Cs {
                let more: Vec<Value> = test.values.iter().flat_map(others).collect();
                test.values.extend(more);
            }
        }
        Cond::Test(_) | Cond::Find(_) => {}
    }
}
