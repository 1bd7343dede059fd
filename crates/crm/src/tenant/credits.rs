//! Credits: the balance of a workspace for sourcing and enrichment, kept by double entry. A movement debits one account
//! and credits another: `held` is the balance, `granted` the source, and `spent` the use. The three sum to zero, and
//! `held` is never negative. Writes of a workspace are serialized, so a balance that a write has read stays valid until
//! its end.

use crate::api::queue;
use resource::{Ctx, Error, StoredRow, event, invalid};
use serde_json::{Map, json};
use store::{Row, Tx, Uuid, Value};

resource::choices! {
    /// What the credits pay for.
    Kind { Sourcing = "sourcing", Enrichment = "enrichment" }
}

impl Kind {
    pub const ALL: [Kind; 2] = [Kind::Sourcing, Kind::Enrichment];
}

const HELD: &str = "held";
const GRANTED: &str = "granted";
const SPENT: &str = "spent";
/// The highest balance of a workspace.
const MOST: i64 = 1_000_000_000_000;
/// The initial balance of each kind.
const FIRST: i64 = 1000;

/// The job that refunds credits for an answer that may not have been delivered; its payload is the ledger entry.
pub const RETURN: &str = "credits.return";
/// The longest time to deliver an answer, in milliseconds. After a crash another node refunds the credits.
const ON_ITS_WAY: i64 = 60_000;

/// The result of spending.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spent {
    /// The wanted amount, or the whole balance if it was less.
    pub taken: i64,
    /// The balance afterwards.
    pub balance: i64,
    /// The ledger entry, for a refund; `None` if nothing was taken.
    pub entry: Option<Uuid>,
}

/// An entry of the ledger.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    pub id: Uuid,
    /// Consecutive, from 1, per kind.
    pub number: i64,
    pub debit: String,
    pub credit: String,
    pub amount: i64,
    /// The balance after it.
    pub balance: i64,
    /// The entry that it refunds.
    pub refunds: Option<Uuid>,
    /// The record that it was spent on.
    pub record: Option<Uuid>,
    pub reason: String,
    pub actor: String,
    pub created_at: i64,
}

/// The current balance.
pub fn balance(ctx: &Ctx, tx: &mut dyn Tx, kind: Kind) -> Result<i64, Error> {
    Ok(account(ctx, tx, kind, HELD)?.0)
}

/// Takes the wanted amount for a record, or the whole balance if it is less.
pub fn spend(ctx: &Ctx, tx: &mut dyn Tx, kind: Kind, wanted: i64, why: &str, of: Uuid) -> Result<Spent, Error> {
    let before = balance(ctx, tx, kind)?;
    let taken = wanted.clamp(0, before);
    if taken == 0 {
        return Ok(Spent { taken, balance: before, entry: None });
    }
    let moved = Move { kind, debit: SPENT, credit: HELD, amount: taken, refunds: None, record: Some(of), why };
    let (entry, balance) = moved.write(ctx, tx)?;
    emit_balance(ctx, tx, "credits.spent", kind, before, balance)?;
    Ok(Spent { taken, balance, entry: Some(entry) })
}

/// Refunds up to `amount` of an entry, without exceeding what has not been refunded yet; returns the refunded amount.
pub fn refund(ctx: &Ctx, tx: &mut dyn Tx, entry: Uuid, amount: i64, why: &str) -> Result<i64, Error> {
    const TAKEN: &str = "SELECT kind, amount, record_id FROM ledger WHERE workspace_id = $1 AND id = $2 AND debit = $3";
    const BACK: &str = "SELECT amount FROM ledger WHERE workspace_id = $1 AND refunds = $2";
    let (workspace, entry_id): (Value, Value) = (ctx.workspace.into(), entry.into());
    let decode = |row: &dyn Row| {
        let kind = row.word(0, Kind::from_word).map_err(|error| error.in_row("ledger", entry))?;
        Ok((kind, row.int(1)?, row.maybe_id(2)?))
    };
    let taken = tx.one(TAKEN, &[workspace.clone(), entry_id.clone(), SPENT.into()], decode)?;
    let missing = || store::Error::Internal(format!("the ledger has no spending {entry}"));
    let (kind, taken, record) = taken.ok_or_else(missing)?;
    let back: i64 = tx.rows(BACK, &[workspace, entry_id], |row| row.int(0))?.iter().sum();
    let amount = amount.clamp(0, taken - back);
    if amount > 0 {
        let before = balance(ctx, tx, kind)?;
        let moved = Move { kind, debit: HELD, credit: SPENT, amount, refunds: Some(entry), record, why };
        let (_, balance) = moved.write(ctx, tx)?;
        emit_balance(ctx, tx, "credits.refunded", kind, before, balance)?;
    }
    Ok(amount)
}

/// Schedules a refund of an entry whose answer is being delivered. The caller cancels the job after delivery.
pub fn on_its_way(ctx: &Ctx, tx: &mut dyn Tx, entry: Uuid) -> Result<Uuid, Error> {
    queue::enqueue_in(ctx, tx, ON_ITS_WAY, RETURN, &entry.to_string())
}

/// Refunds the credits of an answer that was not delivered.
pub fn not_delivered(ctx: &Ctx, tx: &mut dyn Tx, entry: Uuid) -> Result<i64, Error> {
    refund(ctx, tx, entry, i64::MAX, "not delivered")
}

/// The step of the job `RETURN`.
pub(crate) fn give_back(ctx: &Ctx, tx: &mut dyn Tx, payload: &str) -> Result<bool, Error> {
    let entry = Uuid::parse_str(payload).map_err(|_| store::Error::unreadable("is not an id"))?;
    not_delivered(ctx, tx, entry)?;
    Ok(false)
}

/// Sets the balance to the operator's value; returns the previous one.
pub fn set(ctx: &Ctx, tx: &mut dyn Tx, kind: Kind, to: i64) -> Result<i64, Error> {
    if !(0..=MOST).contains(&to) {
        return Err(invalid(format!("{}-credits", kind.word()), format!("must be from 0 to {MOST}")));
    }
    let from = balance(ctx, tx, kind)?;
    let (debit, credit) = if to > from { (HELD, GRANTED) } else { (GRANTED, HELD) };
    if to != from {
        let amount = (to - from).abs();
        let why = "set by the operator";
        Move { kind, debit, credit, amount, refunds: None, record: None, why }.write(ctx, tx)?;
    }
    Ok(from)
}

/// Grants the credits of a new workspace. It has no head and thus no stamp yet, so the time is a parameter.
pub(crate) fn first(ctx: &Ctx, tx: &mut dyn Tx, now: i64) -> Result<(), Error> {
    for kind in Kind::ALL {
        let why = "first credits";
        let moved = Move { kind, debit: HELD, credit: GRANTED, amount: FIRST, refunds: None, record: None, why };
        moved.write_at(ctx, tx, now)?;
    }
    Ok(())
}

/// A page of the ledger, newest first, below the entry with this number.
pub fn entries(ctx: &Ctx, tx: &mut dyn Tx, kind: Kind, below: Option<i64>, limit: i64) -> Result<Vec<Entry>, Error> {
    const ENTRIES: &str = "SELECT id, number, debit, credit, amount, balance, refunds, record_id, reason, actor_name, created_at \
         FROM ledger WHERE workspace_id = $1 AND kind = $2 AND number < $3 ORDER BY number DESC LIMIT $4";
    let params = [ctx.workspace.into(), kind.word().into(), below.unwrap_or(i64::MAX).into(), limit.into()];
    let decode = |row: &dyn Row| {
        Ok(Entry {
            id: row.id(0)?,
            number: row.int(1)?,
            debit: row.text(2)?,
            credit: row.text(3)?,
            amount: row.int(4)?,
            balance: row.int(5)?,
            refunds: row.get(6)?.maybe(store::Ref::id)?,
            record: row.get(7)?.maybe(store::Ref::id)?,
            reason: row.text(8)?,
            actor: row.text(9)?,
            created_at: row.int(10)?,
        })
    };
    Ok(tx.rows(ENTRIES, &params, decode)?)
}

/// Verifies the ledger of the workspace by reading all entries; the error says what is wrong.
pub fn check(ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
    for kind in Kind::ALL {
        let wrong = |what: String| Err(store::corrupt("ledger", "", format!("{} credits", kind.word()), what).into());
        let (mut sums, mut below, mut later) = ([0_i64; 3], None, None);
        loop {
            let page = entries(ctx, tx, kind, below, 1000)?;
            let Some(last) = page.last() else { break };
            below = Some(last.number);
            for entry in &page {
                let place = |name: &str| [HELD, GRANTED, SPENT].iter().position(|account| *account == name);
                let (Some(debit), Some(credit)) = (place(&entry.debit), place(&entry.credit)) else {
                    return wrong(format!("entry {} names an unknown account", entry.number));
                };
                if entry.amount <= 0 || debit == credit || entry.balance < 0 {
                    return wrong(format!("entry {} moves nothing, or more than there is", entry.number));
                }
                sums[debit] += entry.amount;
                sums[credit] -= entry.amount;
                let before = entry.balance + if credit == 0 { entry.amount } else { -entry.amount };
                if later.is_some_and(|(number, balance)| (entry.number, entry.balance) != (number, balance)) {
                    return wrong(format!("entry {} does not lead to the one after it", entry.number));
                }
                later = Some((entry.number - 1, before));
            }
        }
        if later.is_some_and(|first| first != (0, 0)) {
            return wrong("the first entry does not begin with nothing".into());
        }
        for (account_name, sum) in [HELD, GRANTED, SPENT].into_iter().zip(sums) {
            let kept = account(ctx, tx, kind, account_name)?.0;
            if kept != sum {
                return wrong(format!("the account {account_name} has {kept}, its entries sum to {sum}"));
            }
        }
        if sums.iter().sum::<i64>() != 0 || sums[0] < 0 {
            return wrong(format!("the accounts sum to {}, {} is held", sums.iter().sum::<i64>(), sums[0]));
        }
    }
    Ok(())
}

struct Move<'a> {
    kind: Kind,
    debit: &'static str,
    credit: &'static str,
    amount: i64,
    refunds: Option<Uuid>,
    record: Option<Uuid>,
    why: &'a str,
}

impl Move<'_> {
    fn write(&self, ctx: &Ctx, tx: &mut dyn Tx) -> Result<(Uuid, i64), Error> {
        let now = tx.stamp();
        self.write_at(ctx, tx, now)
    }

    /// Returns the id of the entry and the balance after it.
    fn write_at(&self, ctx: &Ctx, tx: &mut dyn Tx, now: i64) -> Result<(Uuid, i64), Error> {
        const MOVE: &str = "INSERT INTO credit_accounts (workspace_id, kind, account, balance, entries) VALUES ($1, $2, $3, $4, 1) \
             ON CONFLICT (workspace_id, kind, account) \
             DO UPDATE SET balance = credit_accounts.balance + excluded.balance, entries = credit_accounts.entries + 1";
        const WRITE: &str = "INSERT INTO ledger (workspace_id, id, kind, number, debit, credit, amount, balance, refunds, record_id, \
             reason, actor_kind, actor_id, actor_name, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)";
        let (workspace, kind): (Value, Value) = (ctx.workspace.into(), self.kind.word().into());
        let (held, entries) = account(ctx, tx, self.kind, HELD)?;
        let balance = held + if self.debit == HELD { self.amount } else { -self.amount };
        for (account, by) in [(self.debit, self.amount), (self.credit, -self.amount)] {
            tx.execute(MOVE, &[workspace.clone(), kind.clone(), account.into(), by.into()])?;
        }
        let id = tx.id_at(now);
        let params = [
            workspace,
            id.into(),
            kind,
            (entries + 1).into(),
            self.debit.into(),
            self.credit.into(),
            self.amount.into(),
            balance.into(),
            self.refunds.map_or(Value::Null, Value::from),
            self.record.map_or(Value::Null, Value::from),
            self.why.into(),
            ctx.actor.kind.into(),
            ctx.actor.id.map_or(Value::Null, Value::from),
            (&*ctx.actor.name).into(),
            now.into(),
        ];
        tx.execute(WRITE, &params)?;
        Ok((id, balance))
    }
}

/// The balance of an account, and its number of entries.
fn account(ctx: &Ctx, tx: &mut dyn Tx, kind: Kind, name: &str) -> Result<(i64, i64), Error> {
    const ACCOUNT: &str =
        "SELECT balance, entries FROM credit_accounts WHERE workspace_id = $1 AND kind = $2 AND account = $3";
    let params = [ctx.workspace.into(), kind.word().into(), name.into()];
    Ok(tx.one(ACCOUNT, &params, |row| Ok((row.int(0)?, row.int(1)?)))?.unwrap_or((0, 0)))
}

fn emit_balance(ctx: &Ctx, tx: &mut dyn Tx, what: &str, kind: Kind, from: i64, to: i64) -> Result<(), Error> {
    let changes = Map::from_iter([(format!("{}_credits", kind.word()), json!([from, to]))]);
    event(ctx, tx, what, "workspace", ctx.workspace, &changes)
}
