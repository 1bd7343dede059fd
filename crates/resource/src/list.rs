//! Lists. This code, not the planner of the database, decides how a page is found.
//!
//! If a filter has an index, a probe reads up to a thousand of its rows; if there are no more, these rows are fetched,
//! checked and sorted. Otherwise the index of the sort is scanned until the page is full. Totals come from stored
//! counts where possible; other totals are counted in the slow lane and cached until the collection, or another one
//! that the filter reads (`Field::reads`), changes.

mod statement;
mod totals;

use crate::columns::{columns, has_labels, shown};
use crate::conditions::Terms;
use crate::found::Found;
use crate::label_filters;
use crate::merged_filters::widen_all;
use crate::patterns;
use crate::prefix::prefix;
use crate::query::Cursor;
use crate::sql::{Sql, each_test};
use crate::texts;
use crate::{
    Cond, Ctx, Error, Field, Index, Kind, Labels, Link, Need, Op, Paging, Query, Rendered, Resource, Test, Time,
};
use std::cell::Cell;
use std::collections::HashMap;
use store::{Lane, Tx, Value};
use uuid::Uuid;

/// A page of rendered records and the data of its envelope.
pub struct Page {
    pub json: Vec<u8>,
    pub limit: i64,
    pub has_more: bool,
    pub position: Position,
}

pub enum Position {
    Offset {
        offset: i64,
        total: Option<i64>,
    },
    Cursor {
        next: Option<String>,
    },
    /// One run of a synchronization: all changes up to the checkpoint, which is a time.
    Synced {
        next: Option<String>,
        checkpoint: i64,
    },
    /// A page of the feed, which was read up to this position.
    Feed {
        last: i64,
    },
}

impl Page {
    /// The members of `meta`.
    pub fn meta(&self) -> String {
        let (limit, has_more) = (self.limit, self.has_more);
        match &self.position {
            Position::Offset { offset, total } => {
                let total = total.map_or("null".to_owned(), |total| total.to_string());
                format!("\"total\":{total},\"limit\":{limit},\"offset\":{offset},\"has_more\":{has_more}")
            }
            Position::Cursor { next } => {
                let next = next.as_ref().map_or("null".to_owned(), |next| format!("\"{next}\""));
                format!("\"limit\":{limit},\"has_more\":{has_more},\"next_cursor\":{next}")
            }
            Position::Synced { next, checkpoint } => {
                let next = next.as_ref().map_or("null".to_owned(), |next| format!("\"{next}\""));
                let checkpoint = Time(*checkpoint);
                format!(
                    "\"limit\":{limit},\"has_more\":{has_more},\"next_cursor\":{next},\"checkpoint\":\"{checkpoint}\""
                )
            }
            Position::Feed { last } => format!("\"limit\":{limit},\"has_more\":{has_more},\"last\":\"{last}\""),
        }
    }
}

/// A filter that matches at most this many rows is used as the only index.
const SMALL: i64 = 1000;
/// From this offset on, ids are skipped in the index before any row is read.
const DEEP: i64 = 1000;
/// Beyond this offset even an index scan runs in the slow lane.
const VERY_DEEP: i64 = 50_000;

pub fn list<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, query: &Query, base: &[Cond]) -> Result<Page, Error> {
    list_with::<R>(ctx, tx, query, base, R::ABOUT.links)
}

/// Like `list`, with these links instead of the resource's own.
pub fn list_with<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    query: &Query,
    base: &[Cond],
    links: &'static [Link],
) -> Result<Page, Error> {
    // The client's conditions come first because they narrow more than `base`.
    let mut conds: Vec<Cond> = query.conds.iter().chain(base).cloned().collect();
    widen_all(ctx, tx, &mut conds)?;
    label_filters::widen(ctx, tx, &mut conds)?;
    let mut terms = Terms::of(ctx, tx, &conds)?;
    let mut needs = Vec::new();
    for cond in conds.extract_if(.., |cond| matches!(cond, Cond::Find(_))) {
        match cond {
            Cond::Find(Need::All(all)) => needs.extend(all),
            Cond::Find(need) => needs.push(need),
            _ => {}
        }
    }
    if !needs.is_empty() {
        let need = Need::All(needs);
        terms.found = Some(match R::ABOUT.found_in {
            Some(within) => Found { record: Some(within.record), ..(within.resolve)(ctx, tx, &need)? },
            None => Found::of::<R>(ctx, tx, &need)?,
        });
        conds.push(Cond::Find(need));
    }
    let machine = Machine {
        ctx,
        table: R::ABOUT.table,
        fields: R::FIELDS,
        links,
        indexes: R::ABOUT.indexes,
        archives: R::ABOUT.archives,
        texts: R::ABOUT.texts.then(|| texts::reached(ctx, tx, R::ABOUT.table)).transpose()?,
        texts_table: R::ABOUT.texts_table,
        query,
        conds: &conds,
        terms,
        changed_at: Cell::new(None),
    };
    machine.run(tx)
}

struct Machine<'a> {
    ctx: &'a Ctx,
    table: &'static str,
    fields: &'static [Field],
    links: &'static [Link],
    indexes: &'static [Index],
    archives: bool,
    /// The stamp up to which the text index is complete, if the collection has one.
    texts: Option<i64>,
    texts_table: &'static str,
    query: &'a Query,
    conds: &'a [Cond],
    terms: Terms,
    /// The stamp of the last change of the collection, once it was read.
    changed_at: Cell<Option<i64>>,
}

/// Which rows are read, and in which order.
enum Plan {
    /// The few rows that match this test, or these tests together by one index.
    Small(Vec<Test>),
    /// Like `Small`, in the order of this index, which is the requested one, so that a page reads only a part of the
    /// rows.
    Along(&'static str, Vec<Test>),
    /// Like `Small`, in the order of ids, which is the requested one, so that a page reads only a part of the rows.
    Ids(Vec<Test>),
    /// The few rows that the text index finds.
    Found,
    /// The rows with this term, in the order of ids.
    Term(Test),
    /// All rows, in the order of this index (`None`: the primary key, which is the order of creation).
    Walk(Option<&'static str>),
    /// All rows, sorted by the database because no index has this order.
    Sort,
}

impl Plan {
    /// Whether it reads few rows regardless of the size of the table.
    fn is_short(&self) -> bool {
        matches!(self, Plan::Small(_) | Plan::Along(..) | Plan::Ids(_) | Plan::Found)
    }
}

impl Machine<'_> {
    fn run(&self, tx: &mut dyn Tx) -> Result<Page, Error> {
        let stored = self.stored_total(tx)?;
        let (offset, cursor) = match &self.query.paging {
            Paging::Offset(offset) => (*offset, None),
            Paging::Cursor(cursor) => (0, cursor.as_ref()),
        };
        if let (Some(total), Paging::Offset(offset)) = (stored, &self.query.paging)
            && *offset >= total
        {
            return Ok(self.page(
                Rendered::default(),
                false,
                Position::Offset { offset: *offset, total: self.shown(Some(total)) },
            ));
        }
        let plan = self.plan(tx)?;
        self.check_lane(tx, &plan, offset)?;
        let (rendered, mut keys, counted) = self.fetch(tx, &plan, offset, cursor)?;
        let has_more = keys.len() as i64 > self.query.limit;
        keys.truncate(self.query.limit as usize);
        let position = match &self.query.paging {
            Paging::Cursor(_) => {
                let next = keys.pop().filter(|_| has_more).map(|last| last.write(&self.query.sort));
                Position::Cursor { next }
            }
            Paging::Offset(offset) => {
                let total = match (self.query.count, stored.or(counted)) {
                    (false, _) => None,
                    (true, Some(total)) => Some(total),
                    (true, None) if !has_more && (!keys.is_empty() || *offset == 0) => Some(offset + keys.len() as i64),
                    (true, None) => Some(self.count(tx, &plan)?),
                };
                Position::Offset { offset: *offset, total }
            }
        };
        Ok(self.page(rendered, has_more, position))
    }

    fn shown(&self, total: Option<i64>) -> Option<i64> {
        total.filter(|_| self.query.count)
    }

    fn page(&self, rendered: Rendered, has_more: bool, position: Position) -> Page {
        Page { json: rendered.json, limit: self.query.limit, has_more, position }
    }

    // ---- choosing ----

    fn plan(&self, tx: &mut dyn Tx) -> Result<Plan, Error> {
        let tests: Vec<&Test> = self.tests().collect();
        let (candidates, others): (Vec<&Test>, Vec<&Test>) = tests.iter().partition(|test| self.indexed(test));
        // If an index contains both the only filter and the order, its first rows are the page.
        if let ([Cond::Test(_)], [only]) = (self.conds, &candidates[..])
            && let Some(index) = self.ordered(&[*only])
        {
            return Ok(Plan::Walk(Some(index)));
        }
        let mut probe = Sql::new("");
        if self.terms.write_candidates(&mut probe, " UNION ALL ") && self.few(tx, probe)? {
            return Ok(Plan::Found);
        }
        let by_text = others.into_iter().filter(|test| self.literal(test).is_some());
        let single = candidates.iter().copied().chain(by_text).map(|test| vec![test.clone()]);
        for few in self.together(&tests).into_iter().chain(single) {
            let mut probe = Sql::new("");
            self.write_ids(&mut probe, &few, tx.dialect(), " UNION ALL ");
            if self.few(tx, probe)? {
                return Ok(match self.ordered(&few.iter().collect::<Vec<_>>()) {
                    Some(index) if tx.dialect().obeys() => Plan::Along(index, few),
                    _ if self.by_creation() => Plan::Ids(few),
                    _ => Plan::Small(few),
                });
            }
        }
        let [(sort, _)] = self.query.sort[..] else { return Ok(Plan::Sort) };
        let by_creation = self.by_creation();
        if let Some(index) = self.ordered(&tests) {
            return Ok(Plan::Walk(Some(index)));
        }
        let one_term = |test: &&&Test| {
            test.field.term.is_some() && test.values.len() == 1 && matches!(test.op, Op::Eq | Op::Cs | Op::Ov | Op::In)
        };
        if by_creation && let Some(test) = candidates.iter().find(one_term) {
            return Ok(Plan::Term((*test).clone()));
        }
        if sort.custom.is_some() {
            return Ok(Plan::Walk(None));
        }
        let wanted: &[&str] = if by_creation { &[] } else { &[sort.name] };
        Ok(match self.indexes.iter().find(|index| index.fields == wanted) {
            None if by_creation => Plan::Walk(None),
            Some(index) => Plan::Walk(Some(index.name)),
            None => Plan::Sort,
        })
    }

    /// Whether the requested order is that of creation, which is the order of ids.
    fn by_creation(&self) -> bool {
        matches!(self.query.sort[..], [(sort, _)] if sort.name == "created_at")
    }

    /// Whether a probe returns at most `SMALL` rows; cached until the collection changes.
    fn few(&self, tx: &mut dyn Tx, mut probe: Sql) -> Result<bool, Error> {
        probe.push(&format!(" LIMIT {}", SMALL + 1));
        let (key, stamp) = (format!("{} {:?}", probe.text, probe.params), self.changed_at(tx)?);
        if let Some(found) = self.cached_total(tx, &key, stamp) {
            return Ok(found <= SMALL);
        }
        let mut found = 0;
        tx.each(&probe.text, &probe.params, &mut |_| {
            found += 1;
            Ok(())
        })?;
        self.cache_total(tx, key, stamp, found);
        Ok(found <= SMALL)
    }

    /// The index that contains the rows that match these tests in the requested order.
    fn ordered(&self, tests: &[&Test]) -> Option<&'static str> {
        let [(sort, _)] = self.query.sort[..] else { return None };
        let fits = |index: &&Index| match index.fields {
            // Every index ends with the id, which has the order of creation.
            fields if sort.name == "created_at" => {
                !fields.is_empty() && fields.iter().all(|name| equal(tests, name).is_some())
            }
            [first @ .., last] => {
                *last == sort.name && !first.is_empty() && first.iter().all(|name| equal(tests, name).is_some())
            }
            [] => false,
        };
        self.indexes.iter().filter(fits).max_by_key(|index| index.fields.len()).map(|index| index.name)
    }

    /// The tests on the leading fields of an index with several fields.
    fn together(&self, tests: &[&Test]) -> Option<Vec<Test>> {
        let leading = |index: &Index| index.fields.iter().map_while(|name| equal(tests, name)).cloned().collect();
        let most = self.indexes.iter().map(leading).max_by_key(Vec::len)?;
        (most.len() > 1).then_some(most)
    }

    /// The tests that every row of the result must pass.
    fn tests(&self) -> impl Iterator<Item = &Test> {
        let mut tests = Vec::new();
        fn collect<'a>(cond: &'a Cond, tests: &mut Vec<&'a Test>) {
            match cond {
                Cond::All(conds) => conds.iter().for_each(|cond| collect(cond, tests)),
                Cond::Test(test) => tests.push(test),
                Cond::Any(_) | Cond::Not(_) | Cond::Find(_) => {}
            }
        }
        self.conds.iter().for_each(|cond| collect(cond, &mut tests));
        tests.into_iter()
    }

    /// Whether an index can find the rows that pass this test.
    fn indexed(&self, test: &Test) -> bool {
        let indexed = self.indexes.iter().any(|index| index.fields.first() == Some(&test.field.name));
        let equality = matches!(test.op, Op::Eq | Op::In);
        let range = matches!(test.op, Op::Gt | Op::Gte | Op::Lt | Op::Lte);
        match test.field.kind {
            // Rows exist only for values other than 0.
            _ if test.field.own.is_some() => match test.op {
                Op::Eq | Op::In | Op::Gte => test.values.iter().all(|value| matches!(value, Value::Int(1..))),
                Op::Gt => matches!(test.values[..], [Value::Int(0..)]),
                _ => false,
            },
            Kind::Text | Kind::Number | Kind::Date | Kind::Choice(_) | Kind::Bool if test.field.custom.is_some() => {
                equality || range || test.op == Op::NotNull || prefix(test).is_some()
            }
            // The primary key.
            Kind::Id if test.field.name == "id" => equality,
            Kind::Id | Kind::Choice(_) if test.field.term.is_some() => equality,
            Kind::Ids => equality,
            Kind::Texts | Kind::Labels => matches!(test.op, Op::Cs | Op::Ov),
            Kind::Items(_) => equality || prefix(test).is_some(),
            Kind::Text if test.field.term.is_some() => equality || indexed && (range || prefix(test).is_some()),
            Kind::Text => indexed && (equality || range || prefix(test).is_some()),
            Kind::Time if test.field.name == "created_at" => range || test.op == Op::Eq,
            Kind::Int | Kind::Amount | Kind::Number | Kind::Time | Kind::Date => {
                indexed && (equality || range || test.op == Op::NotNull)
            }
            Kind::Choice(_) | Kind::Bool | Kind::Id => indexed && equality,
            Kind::Object | Kind::Part(_) => false,
        }
    }

    /// The text to look up in the text index, for tests that no other index can answer.
    fn literal(&self, test: &Test) -> Option<String> {
        self.texts.filter(|_| !self.indexed(test)).and_then(|_| patterns::literal(test))
    }

    /// Rejects queries in the fast lane whose cost grows with the table.
    fn check_lane(&self, tx: &dyn Tx, plan: &Plan, offset: i64) -> Result<(), Error> {
        let mut scans = false;
        for cond in self.conds {
            scans |= !matches!(cond, Cond::Test(_));
            each_test(cond, &mut |test| {
                scans |= matches!(test.op, Op::Like | Op::Ilike | Op::Neq | Op::NotNull) && !self.indexed(test)
            });
        }
        let slow = !plan.is_short() && (matches!(plan, Plan::Sort) || scans || offset > VERY_DEEP);
        if slow && tx.lane() == Lane::Fast { Err(Error::SlowLane) } else { Ok(()) }
    }

    // ---- fetching ----

    /// The records of the page, the cursor of each row, and the total if the statement computed it anyway.
    fn fetch(
        &self,
        tx: &mut dyn Tx,
        plan: &Plan,
        offset: i64,
        cursor: Option<&Cursor>,
    ) -> Result<(Rendered, Vec<Cursor>, Option<i64>), Error> {
        if offset >= DEEP && !plan.is_short() {
            return self.fetch_deep(tx, plan, offset);
        }
        let width = shown(self.fields).count();
        let by_cursor = matches!(self.query.paging, Paging::Cursor(_));
        let mut select = columns(self.fields);
        if by_cursor {
            for (field, _) in &self.query.sort {
                select.push_str(&format!(", {}", field.order(self.terms.dialect)));
            }
        }
        let counting = matches!(plan, Plan::Small(_) | Plan::Found) && !by_cursor;
        if counting {
            select.push_str(", count(*) OVER ()");
        }
        let sql = self.statement(tx, plan, &select, self.query.limit + 1, offset, cursor);
        let labels = if has_labels(self.fields) { Some(Labels::of(self.ctx, tx)?) } else { None };
        let (mut rendered, mut keys, mut counted) = (Rendered::default(), Vec::new(), None);
        rendered.json.reserve(1024 * self.query.limit as usize);
        tx.each(&sql.text, &sql.params, &mut |row| {
            if (keys.len() as i64) < self.query.limit {
                if !keys.is_empty() {
                    rendered.json.push(b',');
                }
                rendered.row(self.fields, self.links, row, labels.as_ref())?;
            }
            let mut values = Vec::new();
            if by_cursor {
                for (n, (field, _)) in self.query.sort.iter().enumerate() {
                    values.push(match row.get(width + n)? {
                        value if field.kind == Kind::Bool && field.custom.is_none() => value.bool()?.into(),
                        value => value.to_value(),
                    });
                }
            }
            if counting {
                counted = Some(row.int(width)?);
            }
            // The first column of every record is its id.
            keys.push(Cursor { values, id: row.id(0)? });
            Ok(())
        })?;
        rendered.fill(self.ctx, tx)?;
        Ok((rendered, keys, counted))
    }

    /// Reads the ids from the index alone, then the rows of the page by their ids.
    fn fetch_deep(
        &self,
        tx: &mut dyn Tx,
        plan: &Plan,
        offset: i64,
    ) -> Result<(Rendered, Vec<Cursor>, Option<i64>), Error> {
        let sql = self.statement(tx, plan, "t.id", self.query.limit + 1, offset, None);
        let ids = tx.rows(&sql.text, &sql.params, |row| row.id(0))?;
        let wanted = &ids[..ids.len().min(self.query.limit as usize)];
        let labels = if has_labels(self.fields) { Some(Labels::of(self.ctx, tx)?) } else { None };
        let mut by_id: HashMap<Uuid, Rendered> = HashMap::new();
        if !wanted.is_empty() {
            let mut sql =
                Sql::new(&format!("SELECT {} FROM {} t WHERE t.workspace_id = ", columns(self.fields), self.table));
            sql.bind(self.ctx.workspace).push(" AND t.id IN (");
            for (index, id) in wanted.iter().enumerate() {
                sql.push(if index == 0 { "" } else { ", " }).bind(*id);
            }
            sql.push(")");
            tx.each(&sql.text, &sql.params, &mut |row| {
                let mut one = Rendered::default();
                one.row(self.fields, self.links, row, labels.as_ref())?;
                by_id.insert(row.id(0)?, one);
                Ok(())
            })?;
        }
        let mut whole = Rendered::default();
        for (index, id) in wanted.iter().enumerate() {
            if let Some(mut one) = by_id.remove(id) {
                one.fill(self.ctx, tx)?;
                whole.json.extend_from_slice(if index == 0 { b"" } else { b"," });
                whole.json.extend_from_slice(&one.json);
            }
        }
        Ok((whole, ids.into_iter().map(|id| Cursor { values: vec![], id }).collect(), None))
    }
}

/// The test that compares this field with a single value of a kind without folding.
fn equal<'a>(tests: &[&'a Test], name: &str) -> Option<&'a Test> {
    let whole = |kind| matches!(kind, Kind::Choice(_) | Kind::Bool | Kind::Id);
    tests.iter().copied().find(|test| test.field.name == name && test.op == Op::Eq && whole(test.field.kind))
}
