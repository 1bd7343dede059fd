//! The sums of the open deals of a stage, per currency. Every write of a deal updates them, so that a board of any size
//! needs one small lookup. The unit is ten-thousandths; sums may exceed 64 bits.

use resource::{Amount, Changes, Ctx, Error, Resource, Saved, StoredRow};
use std::collections::{BTreeMap, BTreeSet};
use store::{Row, Tx, Uuid, Value};

/// The sums of one stage and currency.
pub struct Sum {
    pub stage: Uuid,
    pub currency: String,
    pub deals: i64,
    pub amount: u128,
    pub expected: u128,
}

const SUMS: &str = "SELECT stage_id, currency, n, amount, expected_amount FROM deal_sums WHERE workspace_id = $1 \
     ORDER BY stage_id, currency";

/// All sums of the workspace, by stage and currency.
pub fn sums(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<Sum>, Error> {
    Ok(tx.rows(SUMS, &[ctx.workspace.into()], decode)?)
}

fn decode(row: &dyn Row) -> Result<Sum, store::Error> {
    let whole = |column| row.word(column, |text| text.parse().ok());
    Ok(Sum { stage: row.id(0)?, currency: row.text(1)?, deals: row.int(2)?, amount: whole(3)?, expected: whole(4)? })
}

/// The share of a deal in the sums of its stage.
#[derive(PartialEq)]
struct Part {
    stage: Uuid,
    currency: String,
    amount: u128,
    expected: u128,
}

impl Part {
    /// `None` unless the deal is open and not archived.
    fn of<'a>(value: impl Fn(&str) -> Result<&'a Value, Error>) -> Result<Option<Part>, Error> {
        let open = matches!(value("status")?, Value::Text(status) if status == "open");
        if !open || *value("archived_at")? != Value::Null {
            return Ok(None);
        }
        let (Value::Id(stage), Value::Text(currency)) = (value("stage_id")?, value("currency")?) else {
            return Ok(None);
        };
        let amount = |name| {
            let value = value(name)?;
            Ok::<u128, Error>(if let Value::Int(stored) = value { Amount::of_stored(*stored).0.into() } else { 0 })
        };
        let (amount, expected) = (amount("amount")?, amount("expected_amount")?);
        Ok(Some(Part { stage: *stage, currency: currency.clone(), amount, expected }))
    }
}

/// Updates the sums for a change of a deal.
pub fn follow<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    saved: Option<&Saved<R>>,
    changes: &Changes,
) -> Result<(), Error> {
    let before = match saved {
        Some(saved) => Part::of(|name| saved.value(name))?,
        None => None,
    };
    let after = Part::of(|name| match (changes.named(name), saved) {
        (Some(value), _) => Ok(value),
        (None, Some(saved)) => saved.value(name),
        (None, None) => Ok(&Value::Null),
    })?;
    if before == after {
        return Ok(());
    }
    // A workspace has one writer at a time, so the values can't change between this read and the write.
    if let Some(part) = before {
        let (sum, stage) = (sum(ctx, tx, part.stage, &part.currency)?, part.stage);
        let less = |sum: u128, part: u128| {
            let less = || store::corrupt("deal_sums", "amount", stage, "is less than the sum of its deals");
            sum.checked_sub(part).ok_or_else(less)
        };
        let (amount, expected) = (less(sum.amount, part.amount)?, less(sum.expected, part.expected)?);
        write_sum(ctx, tx, &Sum { deals: sum.deals - 1, amount, expected, ..sum })?;
    }
    if let Some(part) = after {
        let sum = sum(ctx, tx, part.stage, &part.currency)?;
        let (amount, expected) = (sum.amount + part.amount, sum.expected + part.expected);
        write_sum(ctx, tx, &Sum { deals: sum.deals + 1, amount, expected, ..sum })?;
    }
    Ok(())
}

fn sum(ctx: &Ctx, tx: &mut dyn Tx, stage: Uuid, currency: &str) -> Result<Sum, Error> {
    const SUM: &str = "SELECT stage_id, currency, n, amount, expected_amount FROM deal_sums \
         WHERE workspace_id = $1 AND stage_id = $2 AND currency = $3";
    let found = tx.one(SUM, &[ctx.workspace.into(), stage.into(), currency.into()], decode)?;
    Ok(found.unwrap_or(Sum { stage, currency: currency.into(), deals: 0, amount: 0, expected: 0 }))
}

fn write_sum(ctx: &Ctx, tx: &mut dyn Tx, sum: &Sum) -> Result<(), Error> {
    const WRITE: &str = "INSERT INTO deal_sums (workspace_id, stage_id, currency, n, amount, expected_amount) \
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (workspace_id, stage_id, currency) \
         DO UPDATE SET n = excluded.n, amount = excluded.amount, expected_amount = excluded.expected_amount";
    const DROP: &str = "DELETE FROM deal_sums WHERE workspace_id = $1 AND stage_id = $2 AND currency = $3";
    let mut params: Vec<Value> = vec![ctx.workspace.into(), sum.stage.into(), sum.currency.as_str().into()];
    if sum.deals == 0 {
        return Ok(tx.execute(DROP, &params)?);
    }
    params.extend([sum.deals.into(), sum.amount.to_string().into(), sum.expected.to_string().into()]);
    Ok(tx.execute(WRITE, &params)?)
}

/// Compares the sums with the deals, and corrects them if `repair` is set; returns the differences.
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
                Part::of(|name| Ok(NAMES.iter().position(|one| *one == name).map_or(&Value::Null, |at| &values[at])))?;
            if let Some(part) = part {
                let none = Sum { stage: part.stage, currency: part.currency.clone(), deals: 0, amount: 0, expected: 0 };
                let sum = right.entry((part.stage, part.currency)).or_insert(none);
                (sum.deals, sum.amount, sum.expected) =
                    (sum.deals + 1, sum.amount + part.amount, sum.expected + part.expected);
            }
        }
    }
    // A sum that can't be read is wrong, too; it is computed again from the deals.
    let stored = tx.rows(SUMS, &[ctx.workspace.into()], |row| Ok(((row.id(0)?, row.text(1)?), decode(row).ok())))?;
    let stored: BTreeMap<(Uuid, String), Option<Sum>> = stored.into_iter().collect();
    let keys: BTreeSet<&(Uuid, String)> = right.keys().chain(stored.keys()).collect();
    let mut wrong = Vec::new();
    for key in keys {
        let all = |sum: Option<&Sum>| sum.map_or((0, 0, 0), |sum| (sum.deals, sum.amount, sum.expected));
        let is = stored.get(key).map_or(Some(all(None)), |sum| sum.as_ref().map(|sum| all(Some(sum))));
        let should = all(right.get(key));
        if is != Some(should) {
            let is = is.map_or("unreadable".to_owned(), |is| format!("{is:?}"));
            wrong.push(format!("stage {} {}: {is} kept, {should:?} there", key.0, key.1));
            if repair {
                let none = Sum { stage: key.0, currency: key.1.clone(), deals: 0, amount: 0, expected: 0 };
                write_sum(ctx, tx, right.get(key).unwrap_or(&none))?;
            }
        }
    }
    Ok(wrong)
}
