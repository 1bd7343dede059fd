//! What the open deals of a stage come to, per currency: kept with every write of a deal, so that a board of any size is
//! one small look-up. Whole ten-thousandths, which may exceed 64 bits.

use super::Deal;
use resource::{Amount, Changes, Ctx, Error, Saved};
use std::collections::{BTreeMap, BTreeSet};
use store::{Row, Tx, Uuid, Value};

/// Of one stage and currency.
pub struct Sum {
    pub stage: Uuid,
    pub currency: String,
    pub deals: i64,
    pub amount: u128,
    pub expected: u128,
}

/// All of the workspace, by stage and currency.
pub fn sums(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<Sum>, Error> {
    const SUMS: &str = "SELECT stage_id, currency, n, amount, expected_amount FROM deal_sums WHERE workspace_id = $1 \
         ORDER BY stage_id, currency";
    Ok(tx.rows(SUMS, &[ctx.workspace.into()], decode)?)
}

fn decode(row: &dyn Row) -> Result<Sum, store::Error> {
    let whole = |column| {
        let text = row.text(column)?;
        text.parse().map_err(|_| store::Error::Corrupt(format!("deal_sums: {text} is no sum")))
    };
    Ok(Sum { stage: row.id(0)?, currency: row.text(1)?, deals: row.int(2)?, amount: whole(3)?, expected: whole(4)? })
}

/// What a deal adds to its stage.
#[derive(PartialEq)]
struct Part {
    stage: Uuid,
    currency: String,
    amount: u128,
    expected: u128,
}

impl Part {
    /// Nothing, unless it is open and not archived.
    fn of<'a>(value: impl Fn(&str) -> &'a Value) -> Option<Part> {
        let open = matches!(value("status"), Value::Text(status) if status == "open");
        if !open || *value("archived_at") != Value::Null {
            return None;
        }
        let (Value::Id(stage), Value::Text(currency)) = (value("stage_id"), value("currency")) else { return None };
        let amount = |name| if let Value::Int(stored) = value(name) { Amount::of_stored(*stored).0.into() } else { 0 };
        let (amount, expected) = (amount("amount"), amount("expected_amount"));
        Some(Part { stage: *stage, currency: currency.clone(), amount, expected })
    }
}

/// Moves the sums from what the deal was to what it becomes.
pub fn follow(ctx: &Ctx, tx: &mut dyn Tx, saved: Option<&Saved<Deal>>, changes: &Changes) -> Result<(), Error> {
    let before = saved.and_then(|saved| Part::of(|name| saved.value(name)));
    let after = Part::of(|name| match (changes.get(name), saved) {
        (Some(value), _) => value,
        (None, Some(saved)) => saved.value(name),
        (None, None) => &Value::Null,
    });
    if before == after {
        return Ok(());
    }
    // One writer per workspace: what is read here is still true when it is written.
    if let Some(part) = before {
        let sum = sum(ctx, tx, part.stage, &part.currency)?;
        let less = |sum: u128, part: u128| {
            sum.checked_sub(part).ok_or_else(|| store::Error::Corrupt("deal_sums: a sum is less than its deals".into()))
        };
        let (amount, expected) = (less(sum.amount, part.amount)?, less(sum.expected, part.expected)?);
        keep(ctx, tx, &Sum { deals: sum.deals - 1, amount, expected, ..sum })?;
    }
    if let Some(part) = after {
        let sum = sum(ctx, tx, part.stage, &part.currency)?;
        let (amount, expected) = (sum.amount + part.amount, sum.expected + part.expected);
        keep(ctx, tx, &Sum { deals: sum.deals + 1, amount, expected, ..sum })?;
    }
    Ok(())
}

fn sum(ctx: &Ctx, tx: &mut dyn Tx, stage: Uuid, currency: &str) -> Result<Sum, Error> {
    const SUM: &str = "SELECT stage_id, currency, n, amount, expected_amount FROM deal_sums \
         WHERE workspace_id = $1 AND stage_id = $2 AND currency = $3";
    let found = tx.one(SUM, &[ctx.workspace.into(), stage.into(), currency.into()], decode)?;
    Ok(found.unwrap_or(Sum { stage, currency: currency.into(), deals: 0, amount: 0, expected: 0 }))
}

fn keep(ctx: &Ctx, tx: &mut dyn Tx, sum: &Sum) -> Result<(), Error> {
    const KEEP: &str = "INSERT INTO deal_sums (workspace_id, stage_id, currency, n, amount, expected_amount) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (workspace_id, stage_id, currency) \
         DO UPDATE SET n = excluded.n, amount = excluded.amount, expected_amount = excluded.expected_amount";
    const DROP: &str = "DELETE FROM deal_sums WHERE workspace_id = $1 AND stage_id = $2 AND currency = $3";
    let mut params: Vec<Value> = vec![ctx.workspace.into(), sum.stage.into(), sum.currency.as_str().into()];
    if sum.deals == 0 {
        return Ok(tx.execute(DROP, &params)?);
    }
    params.extend([sum.deals.into(), sum.amount.to_string().into(), sum.expected.to_string().into()]);
    Ok(tx.execute(KEEP, &params)?)
}

/// Compares the sums with the deals, and puts them right if asked to; gives what is wrong.
pub fn check(ctx: &Ctx, tx: &mut dyn Tx, repair: bool) -> Result<Vec<String>, Error> {
    const DEALS: &str = "SELECT stage_id, currency, amount, expected_amount, status, archived_at, id FROM deals \
         WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT 1000";
    let (mut right, mut after): (BTreeMap<(Uuid, String), Sum>, Uuid) = (BTreeMap::new(), Uuid::nil());
    loop {
        let rows = tx.rows(DEALS, &[ctx.workspace.into(), after.into()], |row| {
            let value = |column| Ok::<_, store::Error>(row.get(column)?.to_value());
            let values = [row.id(0)?.into(), value(1)?, value(2)?, value(3)?, value(4)?, value(5)?];
            Ok((values, row.id(6)?))
        })?;
        let Some((_, last)) = rows.last() else { break };
        after = *last;
        for (values, _) in &rows {
            const NAMES: [&str; 6] = ["stage_id", "currency", "amount", "expected_amount", "status", "archived_at"];
            let part =
                Part::of(|name| NAMES.iter().position(|one| *one == name).map_or(&Value::Null, |at| &values[at]));
            if let Some(part) = part {
                let none = Sum { stage: part.stage, currency: part.currency.clone(), deals: 0, amount: 0, expected: 0 };
                let sum = right.entry((part.stage, part.currency)).or_insert(none);
                (sum.deals, sum.amount, sum.expected) =
                    (sum.deals + 1, sum.amount + part.amount, sum.expected + part.expected);
            }
        }
    }
    let kept: BTreeMap<(Uuid, String), Sum> =
        sums(ctx, tx)?.into_iter().map(|sum| ((sum.stage, sum.currency.clone()), sum)).collect();
    let keys: BTreeSet<&(Uuid, String)> = right.keys().chain(kept.keys()).collect();
    let mut wrong = Vec::new();
    for key in keys {
        let all = |sum: Option<&Sum>| sum.map_or((0, 0, 0), |sum| (sum.deals, sum.amount, sum.expected));
        let (is, should) = (all(kept.get(key)), all(right.get(key)));
        if is != should {
            wrong.push(format!("stage {} {}: {is:?} kept, {should:?} there", key.0, key.1));
            if repair {
                let none = Sum { stage: key.0, currency: key.1.clone(), deals: 0, amount: 0, expected: 0 };
                keep(ctx, tx, right.get(key).unwrap_or(&none))?;
            }
        }
    }
    Ok(wrong)
}
