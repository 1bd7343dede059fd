//! What the open deals of a stage come to, per currency: kept with every write of a deal, so that a board of any size is
//! one small look-up. Whole ten-thousandths, which may exceed 64 bits.

use super::Deal;
use resource::{Amount, Changes, Ctx, Error, Saved};
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
