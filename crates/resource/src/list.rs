//! The list machine: it, not the planner, decides how a page is found.
//!
//! A filter with an index is probed for up to a thousand rows; if it is that small, these rows are
//! fetched, checked and sorted. Otherwise the sort's index is walked until the page is full.
//! Totals are read from kept counts where those can serve, else counted in the slow lane and
//! remembered until the collection changes.

use crate::prefix::{prefix, write_prefix};
use crate::query::Cursor;
use crate::render::{columns, has_labels, shown};
use crate::sql::{Sql, Terms, look, text_of};
use crate::texts;
use crate::{Cond, Ctx, Error, Field, Index, Kind, Labels, Op, Paging, Query, Rendered, Resource, Test, fold};
use std::collections::HashMap;
use store::{Dialect, Lane, Tx, Value};
use uuid::Uuid;

/// A page of rendered records and what the envelope says of it.
pub struct Page {
    pub json: Vec<u8>,
    pub limit: i64,
    pub has_more: bool,
    pub position: Position,
}

pub enum Position {
    Offset { offset: i64, total: Option<i64> },
    Cursor { next: Option<String> },
}

/// A filter this small decides alone which rows are looked at.
const SMALL: usize = 1000;
/// From this offset on, ids are skipped in the index before any row is read.
const DEEP: i64 = 1000;
/// Beyond this offset even an index walk belongs in the slow lane.
const VERY_DEEP: i64 = 50_000;

pub fn list<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, query: &Query, base: &[Cond]) -> Result<Page, Error> {
    let conds: Vec<Cond> = base.iter().chain(&query.conds).cloned().collect();
    let terms = Terms::of(ctx, tx, &conds)?;
    let machine = Machine {
        ctx,
        table: R::ABOUT.table,
        fields: R::FIELDS,
        indexes: R::ABOUT.indexes,
        archives: R::ABOUT.archives,
        texts: R::ABOUT.texts.then(|| texts::reached(ctx, tx, R::ABOUT.table)).transpose()?,
        query,
        conds: &conds,
        terms,
    };
    machine.run(tx)
}

struct Machine<'a> {
    ctx: &'a Ctx,
    table: &'static str,
    fields: &'static [Field],
    indexes: &'static [Index],
    archives: bool,
    /// The stamp up to which the collection's texts are true, if it has them.
    texts: Option<i64>,
    query: &'a Query,
    conds: &'a [Cond],
    terms: Terms,
}

/// Which rows are looked at, and in which order.
enum Plan {
    /// The few that this test leaves.
    Small(Test),
    /// Those with this term, in order of their ids.
    Term(Test),
    /// All, along this index (`None`: the primary key, which is the order of creation).
    Walk(Option<&'static str>),
    /// All, sorted by hand: no index has this order.
    Sort,
}

impl Machine<'_> {
    fn run(&self, tx: &mut dyn Tx) -> Result<Page, Error> {
        let kept = self.kept(tx)?;
        let (offset, cursor) = match &self.query.paging {
            Paging::Offset(offset) => (*offset, None),
            Paging::Cursor(cursor) => (0, cursor.as_ref()),
        };
        if let (Some(total), Paging::Offset(offset)) = (kept, &self.query.paging)
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
                let total = match (self.query.count, kept.or(counted)) {
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
        let (candidates, others): (Vec<&Test>, Vec<&Test>) = self.tests().partition(|test| self.indexed(test));
        // Where an index has both the only filter and the order, its first rows are the page.
        if let ([Cond::Test(_)], [only]) = (self.conds, &candidates[..])
            && let Some(index) = self.ordered(only)
        {
            return Ok(Plan::Walk(Some(index)));
        }
        let by_text = others.into_iter().filter(|test| self.literal(test).is_some());
        for test in candidates.iter().copied().chain(by_text) {
            let mut probe = Sql::new("");
            self.write_ids(&mut probe, test, tx.dialect(), " UNION ALL ");
            probe.push(&format!(" LIMIT {}", SMALL + 1));
            let mut found = 0;
            tx.each(&probe.text, &probe.params, &mut |_| {
                found += 1;
                Ok(())
            })?;
            if found <= SMALL {
                return Ok(Plan::Small(test.clone()));
            }
        }
        let [(sort, _)] = self.query.sort[..] else { return Ok(Plan::Sort) };
        let by_creation = sort.name == "created_at";
        if let Some(index) = candidates.iter().find_map(|test| self.ordered(test)) {
            return Ok(Plan::Walk(Some(index)));
        }
        let one_term = |test: &&&Test| {
            test.field.term.is_some() && test.values.len() == 1 && matches!(test.op, Op::Eq | Op::Cs | Op::Ov | Op::In)
        };
        if by_creation && let Some(test) = candidates.iter().find(one_term) {
            return Ok(Plan::Term((*test).clone()));
        }
        if by_creation {
            return Ok(Plan::Walk(None));
        }
        Ok(match self.indexes.iter().find(|index| index.fields == [sort.name]) {
            Some(index) => Plan::Walk(Some(index.name)),
            None => Plan::Sort,
        })
    }

    /// The index that holds the rows equal in this test's field in the order asked for.
    fn ordered(&self, test: &Test) -> Option<&'static str> {
        let [(sort, _)] = self.query.sort[..] else { return None };
        if test.op != Op::Eq || !matches!(test.field.kind, Kind::Choice(_) | Kind::Bool | Kind::Id) {
            return None;
        }
        let wanted = [test.field.name, sort.name];
        // The id ends every index and is the order of creation.
        let wanted = &wanted[..if sort.name == "created_at" { 1 } else { 2 }];
        self.indexes.iter().find(|index| index.fields == wanted).map(|index| index.name)
    }

    /// The tests that every row of the answer passes.
    fn tests(&self) -> impl Iterator<Item = &Test> {
        let mut tests = Vec::new();
        fn collect<'a>(cond: &'a Cond, tests: &mut Vec<&'a Test>) {
            match cond {
                Cond::All(conds) => conds.iter().for_each(|cond| collect(cond, tests)),
                Cond::Test(test) => tests.push(test),
                Cond::Any(_) | Cond::Not(_) => {}
            }
        }
        self.conds.iter().for_each(|cond| collect(cond, &mut tests));
        tests.into_iter()
    }

    /// Can an index give the rows that pass this test?
    fn indexed(&self, test: &Test) -> bool {
        let indexed = self.indexes.iter().any(|index| index.fields.first() == Some(&test.field.name));
        let equality = matches!(test.op, Op::Eq | Op::In);
        let range = matches!(test.op, Op::Gt | Op::Gte | Op::Lt | Op::Lte);
        match test.field.kind {
            Kind::Texts | Kind::Labels => matches!(test.op, Op::Cs | Op::Ov),
            Kind::Items(_) => equality || prefix(test).is_some(),
            Kind::Text if test.field.term.is_some() => equality || indexed && (range || prefix(test).is_some()),
            Kind::Text => indexed && (equality || range || prefix(test).is_some()),
            Kind::Time if test.field.name == "created_at" => range || test.op == Op::Eq,
            Kind::Int | Kind::Time => indexed && (equality || range || test.op == Op::NotNull),
            Kind::Choice(_) | Kind::Bool | Kind::Id => indexed && equality,
            Kind::Object => false,
        }
    }

    /// What the texts are asked for, where nothing better than them is.
    fn literal(&self, test: &Test) -> Option<String> {
        self.texts.filter(|_| !self.indexed(test)).and_then(|_| texts::literal(test))
    }

    /// What grows with the table leaves the fast lane.
    fn check_lane(&self, tx: &dyn Tx, plan: &Plan, offset: i64) -> Result<(), Error> {
        let mut scans = false;
        for cond in self.conds {
            scans |= !matches!(cond, Cond::Test(_));
            look(cond, &mut |test| {
                scans |= matches!(test.op, Op::Like | Op::Ilike | Op::Neq | Op::NotNull) && !self.indexed(test)
            });
        }
        let slow = match plan {
            Plan::Small(_) => false,
            Plan::Sort => true,
            Plan::Term(_) | Plan::Walk(_) => scans || offset > VERY_DEEP,
        };
        if slow && tx.lane() == Lane::Fast { Err(Error::SlowLane) } else { Ok(()) }
    }

    // ---- fetching ----

    /// The page's records, the position of each row, and the exact number of matches if it came for free.
    fn fetch(
        &self,
        tx: &mut dyn Tx,
        plan: &Plan,
        offset: i64,
        cursor: Option<&Cursor>,
    ) -> Result<(Rendered, Vec<Cursor>, Option<i64>), Error> {
        if offset >= DEEP && !matches!(plan, Plan::Small(_)) {
            return self.fetch_deep(tx, plan, offset);
        }
        let width = shown(self.fields).count();
        let by_cursor = matches!(self.query.paging, Paging::Cursor(_));
        let mut select = columns(self.fields);
        if by_cursor {
            for (field, _) in &self.query.sort {
                select.push_str(&format!(", t.{}", field.order_column()));
            }
        }
        let counting = matches!(plan, Plan::Small(_)) && !by_cursor;
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
                rendered.row(self.fields, row, labels.as_ref())?;
            }
            let mut values = Vec::new();
            if by_cursor {
                for n in 0..self.query.sort.len() {
                    values.push(row.get(width + n)?.to_value());
                }
            }
            if counting {
                counted = Some(row.int(width)?);
            }
            // Every record's first column is its id.
            keys.push(Cursor { values, id: row.id(0)? });
            Ok(())
        })?;
        rendered.fill(self.ctx, tx, labels.as_ref())?;
        Ok((rendered, keys, counted))
    }

    /// Ids first, along the index alone; then the page's rows by their ids.
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
                one.row(self.fields, row, labels.as_ref())?;
                by_id.insert(row.id(0)?, one);
                Ok(())
            })?;
        }
        let mut whole = Rendered::default();
        for (index, id) in wanted.iter().enumerate() {
            if let Some(mut one) = by_id.remove(id) {
                one.fill(self.ctx, tx, labels.as_ref())?;
                whole.json.extend_from_slice(if index == 0 { b"" } else { b"," });
                whole.json.extend_from_slice(&one.json);
            }
        }
        Ok((whole, ids.into_iter().map(|id| Cursor { values: vec![], id }).collect(), None))
    }

    fn statement(
        &self,
        tx: &dyn Tx,
        plan: &Plan,
        select: &str,
        limit: i64,
        offset: i64,
        cursor: Option<&Cursor>,
    ) -> Sql {
        let dialect = tx.dialect();
        let mut sql = Sql::new("");
        match plan {
            Plan::Small(test) => {
                sql.push("WITH c (id) ").push(dialect.materialized()).push(" (");
                self.write_ids(&mut sql, test, tx.dialect(), " UNION ");
                sql.push(") SELECT ")
                    .push(select)
                    .push(&format!(" FROM c CROSS JOIN {} t WHERE t.workspace_id = ", self.table));
                sql.bind(self.ctx.workspace).push(" AND t.id = c.id");
                self.write_conds(&mut sql, cursor);
                self.write_order(&mut sql);
            }
            Plan::Sort => {
                self.write_from(&mut sql, select, "");
                self.write_conds(&mut sql, cursor);
                self.write_order(&mut sql);
            }
            Plan::Term(test) => {
                let direction = if self.query.sort[0].1 { " DESC" } else { "" };
                sql.push("SELECT ")
                    .push(select)
                    .push(&format!(" FROM terms d CROSS JOIN {} t WHERE d.workspace_id = ", self.table));
                sql.bind(self.ctx.workspace).push(" AND d.field = ").bind(test.field.term.unwrap_or_default());
                sql.push(" AND d.key = ").bind(self.terms.keys(test).pop().flatten().unwrap_or(Value::Null));
                sql.push(" AND t.workspace_id = d.workspace_id AND t.id = d.record");
                if let Some(cursor) = cursor {
                    sql.push(if self.query.sort[0].1 { " AND d.record < " } else { " AND d.record > " })
                        .bind(cursor.id);
                }
                self.terms.write_all(&mut sql, self.conds);
                sql.push(" ORDER BY d.record").push(direction);
            }
            Plan::Walk(index) => {
                let hint = index.map_or(String::new(), |index| dialect.by_index(index));
                let (sort, descending) = self.query.sort[0];
                if sort.name == "created_at" {
                    self.walk_ids(&mut sql, select, &hint, None, cursor, descending);
                } else if !sort.nullable {
                    self.walk_values(&mut sql, select, &hint, cursor);
                } else if cursor.is_some_and(|cursor| cursor.values == [Value::Null]) {
                    self.walk_ids(&mut sql, select, "", Some(sort), cursor, descending);
                } else {
                    // Nulls come last in both directions, so they are a walk of their own.
                    let reach = limit.saturating_add(offset);
                    sql.push("SELECT * FROM (");
                    self.walk_values(&mut sql, select, &hint, cursor);
                    sql.push(" LIMIT ").bind(reach).push(") v UNION ALL SELECT * FROM (");
                    self.walk_ids(&mut sql, select, "", Some(sort), None, descending);
                    sql.push(" LIMIT ").bind(reach).push(") n");
                }
            }
        }
        sql.push(" LIMIT ").bind(limit).push(" OFFSET ").bind(offset);
        sql
    }

    fn write_from(&self, sql: &mut Sql, select: &str, hint: &str) {
        sql.push("SELECT ").push(select).push(&format!(" FROM {} t{hint} WHERE t.workspace_id = ", self.table));
        sql.bind(self.ctx.workspace);
    }

    /// Along an index of the sort field, from the cursor on.
    fn walk_values(&self, sql: &mut Sql, select: &str, hint: &str, cursor: Option<&Cursor>) {
        let (sort, descending) = self.query.sort[0];
        let (column, direction, after) =
            (sort.order_column(), if descending { " DESC" } else { "" }, if descending { "<" } else { ">" });
        self.write_from(sql, select, hint);
        if sort.nullable {
            sql.push(&format!(" AND t.{column} IS NOT NULL"));
        }
        if let Some(cursor) = cursor {
            sql.push(&format!(" AND (t.{column}, t.id) {after} ("))
                .bind(cursor.values[0].clone())
                .push(", ")
                .bind(cursor.id)
                .push(")");
        }
        self.terms.write_all(sql, self.conds);
        sql.push(&format!(" ORDER BY t.{column}{direction}, t.id{direction}"));
    }

    /// Along the ids, which is the order of creation; or those of the rows where `null` is null.
    fn walk_ids(
        &self,
        sql: &mut Sql,
        select: &str,
        hint: &str,
        null: Option<&Field>,
        cursor: Option<&Cursor>,
        descending: bool,
    ) {
        self.write_from(sql, select, hint);
        if let Some(field) = null {
            sql.push(&format!(" AND t.{} IS NULL", field.order_column()));
        }
        if let Some(cursor) = cursor {
            sql.push(if descending { " AND t.id < " } else { " AND t.id > " }).bind(cursor.id);
        }
        self.terms.write_all(sql, self.conds);
        sql.push(if descending { " ORDER BY t.id DESC" } else { " ORDER BY t.id" });
    }

    fn write_conds(&self, sql: &mut Sql, cursor: Option<&Cursor>) {
        self.terms.write_all(sql, self.conds);
        if let Some(cursor) = cursor {
            sql.push(" AND (");
            self.write_after(sql, cursor);
            sql.push(")");
        }
    }

    /// Rows that come after the cursor's in any order: by the first field, or equal there and by
    /// the next, and so on to the id.
    fn write_after(&self, sql: &mut Sql, cursor: &Cursor) {
        let mut alternatives = 0;
        for (depth, (field, descending)) in self.query.sort.iter().enumerate() {
            let value = &cursor.values[depth];
            if *value == Value::Null {
                continue;
            }
            sql.push(if alternatives == 0 { "" } else { " OR " });
            alternatives += 1;
            self.write_equal(sql, cursor, depth);
            let column = field.order_column();
            sql.push(&format!("(t.{column} {} ", if *descending { "<" } else { ">" })).bind(value.clone());
            sql.push(&if field.nullable { format!(" OR t.{column} IS NULL)") } else { ")".into() });
        }
        sql.push(if alternatives == 0 { "" } else { " OR " });
        self.write_equal(sql, cursor, self.query.sort.len());
        let descending = self.query.sort.last().is_some_and(|(_, descending)| *descending);
        sql.push(if descending { "t.id < " } else { "t.id > " }).bind(cursor.id);
    }

    fn write_equal(&self, sql: &mut Sql, cursor: &Cursor, depth: usize) {
        for (n, (field, _)) in self.query.sort[..depth].iter().enumerate() {
            sql.push(&format!("t.{}", field.order_column()));
            match &cursor.values[n] {
                Value::Null => sql.push(" IS NULL AND "),
                value => sql.push(" = ").bind(value.clone()).push(" AND "),
            };
        }
    }

    fn write_order(&self, sql: &mut Sql) {
        sql.push(" ORDER BY ");
        for (field, descending) in &self.query.sort {
            let (column, direction) = (field.order_column(), if *descending { " DESC" } else { "" });
            if field.nullable {
                sql.push(&format!("t.{column} IS NULL, "));
            }
            sql.push(&format!("t.{column}{direction}, "));
        }
        sql.push(if self.query.sort.last().is_some_and(|(_, descending)| *descending) { "t.id DESC" } else { "t.id" });
    }

    /// `SELECT id …`: the rows that pass one test, by its index.
    /// `union` joins the parts it may have: a probe stops early, a page must have each row once.
    fn write_ids(&self, sql: &mut Sql, test: &Test, dialect: Dialect, union: &str) {
        if let (Some(literal), Some(reached)) = (self.literal(test), self.texts) {
            sql.push("SELECT x.record FROM texts x WHERE x.workspace_id = ").bind(self.ctx.workspace);
            sql.push(" AND x.collection = ").bind(self.table).push(" AND ");
            sql.params.push(dialect.holding(&literal).into());
            let holds = dialect.holds(sql.params.len());
            sql.push(&holds);
            // What has changed since the texts were written is looked at one by one.
            sql.push(union).push(&format!("SELECT t.id FROM {} t WHERE t.workspace_id = ", self.table));
            sql.bind(self.ctx.workspace).push(" AND t.updated_at > ").bind(reached);
            return;
        }
        let by_term = test.field.term.is_some()
            && !matches!(test.op, Op::Gt | Op::Gte | Op::Lt | Op::Lte | Op::NotNull)
            && !(test.field.kind == Kind::Text && prefix(test).is_some());
        if by_term {
            let mut keys: Vec<Value> = self.terms.keys(test).into_iter().flatten().collect();
            // To have all of them, one must have the first.
            if test.op == Op::Cs {
                keys.truncate(if self.terms.keys(test).iter().all(Option::is_some) { 1 } else { 0 });
            }
            let once = keys.len() == 1 && prefix(test).is_none();
            sql.push(if once { "SELECT d.record" } else { "SELECT DISTINCT d.record" });
            sql.push(" FROM terms d WHERE d.workspace_id = ").bind(self.ctx.workspace);
            sql.push(" AND d.field = ").bind(test.field.term.unwrap_or_default());
            if let Some(start) = prefix(test) {
                sql.push(" AND ");
                write_prefix(sql, "d.key", &start);
            } else if keys.is_empty() {
                sql.push(" AND 1 = 0");
            } else {
                for (index, key) in keys.into_iter().enumerate() {
                    sql.push(if index == 0 { " AND d.key IN (" } else { ", " }).bind(key);
                }
                sql.push(")");
            }
            return;
        }
        sql.push(&format!("SELECT t.id FROM {} t WHERE t.workspace_id = ", self.table))
            .bind(self.ctx.workspace)
            .push(" AND ");
        let column = test.field.order_column();
        match (test.field.name, test.op, prefix(test)) {
            ("created_at", op, _) => {
                // Ids are minted from the moment of creation, so a bound on it is a bound on ids.
                let Some(Value::Int(ms)) = test.values.first() else { return sql.push("1 = 0").end() };
                let (compare, ms) = match op {
                    Op::Gt => (" >= ", ms.saturating_add(1)),
                    Op::Lte => (" < ", ms.saturating_add(1)),
                    Op::Lt => (" < ", *ms),
                    _ => (" >= ", *ms),
                };
                sql.push("t.id").push(compare).bind(first_id(ms));
                if op == Op::Eq {
                    sql.push(" AND t.id < ").bind(first_id(ms.saturating_add(1)));
                }
            }
            (_, _, Some(start)) => write_prefix(sql, &format!("t.{column}"), &start),
            (_, Op::Eq | Op::In, _) if test.field.folded() => {
                for (index, value) in test.values.iter().enumerate() {
                    sql.push(&if index == 0 { format!("t.{column} IN (") } else { ", ".into() });
                    sql.bind(fold(text_of(value).unwrap_or_default()));
                }
                sql.push(")");
            }
            _ => self.terms.test_column(sql, test),
        }
    }

    // ---- counting ----

    /// The total, where a kept count has it: no filter, or one enumerated value, with or without `archived_at`.
    fn kept(&self, tx: &mut dyn Tx) -> Result<Option<i64>, Error> {
        let (mut archived, mut choice) = (None, None);
        for cond in self.conds {
            match cond {
                Cond::Test(test)
                    if self.archives
                        && test.field.name == "archived_at"
                        && archived.is_none()
                        && test.op == Op::Null =>
                {
                    archived = Some(false)
                }
                Cond::Test(test)
                    if self.archives
                        && test.field.name == "archived_at"
                        && archived.is_none()
                        && test.op == Op::NotNull =>
                {
                    archived = Some(true)
                }
                Cond::Test(test) if test.field.counted && test.op == Op::Eq && choice.is_none() => choice = Some(test),
                _ => return Ok(None),
            }
        }
        let (field, value) =
            choice.map_or(("", String::new()), |test| (test.field.name, counted_value(&test.values[0])));
        const KEPT: &str = "SELECT archived, n FROM counters WHERE workspace_id = $1 AND collection = $2 AND field = $3 AND value = $4";
        let params = [self.ctx.workspace.into(), self.table.into(), field.into(), value.into()];
        let rows = tx.rows(KEPT, &params, |row| Ok((row.bool(0)?, row.int(1)?)))?;
        Ok(Some(rows.into_iter().filter(|(is, _)| archived.is_none_or(|wanted| wanted == *is)).map(|(_, n)| n).sum()))
    }

    /// Whether the terms alone tell how many pass: there is no other condition, and this one is about the terms
    /// themselves. Those of a text are folded, and it is compared as it stands.
    fn terms_tell(&self, test: &Test) -> bool {
        matches!(self.conds, [Cond::Test(_)]) && test.field.kind != Kind::Text
    }

    /// Counted once, and remembered until the collection changes.
    fn count(&self, tx: &mut dyn Tx, plan: &Plan) -> Result<i64, Error> {
        const MOVED: &str =
            "SELECT max(stamp) FROM counters WHERE workspace_id = $1 AND collection = $2 AND field = ''";
        let stamp = tx
            .one(MOVED, &[self.ctx.workspace.into(), self.table.into()], |row| row.maybe_int(0))?
            .flatten()
            .unwrap_or(0);
        let mut sql = Sql::new("");
        match plan {
            Plan::Small(test) => {
                sql.push("WITH c (id) ").push(tx.dialect().materialized()).push(" (");
                self.write_ids(&mut sql, test, tx.dialect(), " UNION ");
                sql.push(&format!(") SELECT count(*) FROM c CROSS JOIN {} t WHERE t.workspace_id = ", self.table));
                sql.bind(self.ctx.workspace).push(" AND t.id = c.id");
            }
            Plan::Term(test) if self.terms_tell(test) => {
                sql.push("SELECT count(*) FROM (");
                self.write_ids(&mut sql, test, tx.dialect(), " UNION ");
                sql.push(") d");
            }
            _ => self.write_from(&mut sql, "count(*)", ""),
        }
        if !matches!(plan, Plan::Term(test) if self.terms_tell(test)) {
            self.terms.write_all(&mut sql, self.conds);
        }
        let key = format!("{} {:?}", sql.text, sql.params);
        if let Some(total) = self.ctx.memory.total(&key, stamp) {
            return Ok(total);
        }
        if tx.lane() == Lane::Fast && !matches!(plan, Plan::Small(_)) {
            return Err(Error::SlowLane);
        }
        let total = tx.one(&sql.text, &sql.params, |row| row.int(0))?.unwrap_or(0);
        self.ctx.memory.keep_total(key, stamp, total);
        Ok(total)
    }
}

/// How a value is written in `counters`.
pub(crate) fn counted_value(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Bool(b) => b.to_string(),
        Value::Int(n) => (*n != 0).to_string(),
        _ => String::new(),
    }
}

/// The lowest id that a record made in this millisecond can have.
fn first_id(ms: i64) -> Uuid {
    let ms = ms.clamp(0, (1 << 48) - 1);
    Uuid::from_u128((ms as u128) << 80)
}
