//! The SQL of each plan.

use super::{Machine, Plan};
use crate::prefix::{prefix, write_prefix};
use crate::query::Cursor;
use crate::sql::{Sql, text_of};
use crate::{Field, Kind, Op, Test, fold};
use store::{Dialect, Tx, Value};
use uuid::Uuid;

impl Machine<'_> {
    pub(super) fn statement(
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
            Plan::Small(_) | Plan::Found => {
                sql.push("WITH c (id) ").push(dialect.materialized()).push(" (");
                self.write_few(&mut sql, plan, dialect);
                sql.push(") SELECT ").push(select);
                match plan {
                    Plan::Found => self.write_found(&mut sql),
                    _ => self.write_by_ids(&mut sql, dialect),
                }
                self.write_conds(&mut sql, cursor);
                self.write_order(&mut sql);
            }
            Plan::Ids(tests) => {
                let (direction, after) = if self.query.sort[0].1 { (" DESC", " < ") } else { ("", " > ") };
                let mut ids = Sql::new("");
                self.write_ids(&mut ids, tests, dialect, " UNION ");
                sql.params = ids.params;
                sql.params.push(self.ctx.workspace.into());
                let workspace = format!("${}", sql.params.len());
                sql.push(&dialect.in_order(self.table, select, &ids.text, &workspace, direction));
                sql.apart = dialect.apart();
                if let Some(cursor) = cursor {
                    sql.push(" AND t.id").push(after).bind(cursor.id);
                }
                self.terms.write_all(&mut sql, self.conds);
                sql.push(" ORDER BY ").push(dialect.ordered_id()).push(direction);
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
            Plan::Along(..) | Plan::Walk(_) => {
                let index = match plan {
                    Plan::Along(index, _) => Some(*index),
                    Plan::Walk(index) => *index,
                    _ => None,
                };
                let hint = index.map_or(String::new(), |index| dialect.by_index(index));
                let (sort, descending) = self.query.sort[0];
                if sort.name == "created_at" {
                    self.walk_ids(&mut sql, select, &hint, None, cursor, descending);
                } else if let (Kind::Choice(words), None) = (sort.kind, sort.custom) {
                    self.walk_words(&mut sql, select, &hint, words, limit.saturating_add(offset), cursor);
                } else if !sort.nullable {
                    self.walk_values(&mut sql, select, &hint, cursor);
                } else if cursor.is_some_and(|cursor| cursor.values == [Value::Null]) {
                    self.walk_ids(&mut sql, select, "", Some(sort), cursor, descending);
                } else {
                    // Nulls come last in both directions, so they need a scan of their own.
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

    /// Joins the records that the text index found, whose ids are in `c`.
    pub(super) fn write_found(&self, sql: &mut Sql) {
        sql.push(&format!(" FROM c CROSS JOIN {} t WHERE t.workspace_id = ", self.table));
        sql.bind(self.ctx.workspace).push(" AND t.id = c.id");
    }

    /// Joins the few records whose ids are in `c`.
    pub(super) fn write_by_ids(&self, sql: &mut Sql, dialect: Dialect) {
        sql.params.push(self.ctx.workspace.into());
        let rows = dialect.by_ids(self.table, &format!("${}", sql.params.len()));
        sql.push(&rows);
        sql.apart = dialect.apart();
    }

    pub(super) fn write_from(&self, sql: &mut Sql, select: &str, hint: &str) {
        sql.push("SELECT ").push(select).push(&format!(" FROM {} t{hint} WHERE t.workspace_id = ", self.table));
        sql.bind(self.ctx.workspace);
    }

    /// Scans an index of the sort field, starting after the cursor.
    fn walk_values(&self, sql: &mut Sql, select: &str, hint: &str, cursor: Option<&Cursor>) {
        let (sort, descending) = self.query.sort[0];
        let (direction, after) = if descending { (" DESC", "<") } else { ("", ">") };
        let (column, id) = match sort.custom {
            // A custom field has no other index than its terms.
            Some(_) => {
                let from = format!(" FROM terms d CROSS JOIN {} t WHERE d.workspace_id = ", self.table);
                sql.push("SELECT ").push(select).push(&from).bind(self.ctx.workspace);
                sql.push(" AND d.field = ").bind(sort.term.unwrap_or_default());
                sql.push(" AND t.workspace_id = d.workspace_id AND t.id = d.record");
                ("d.key".to_owned(), "d.record")
            }
            None => {
                self.write_from(sql, select, hint);
                if sort.nullable {
                    sql.push(&format!(" AND t.{} IS NOT NULL", sort.order_column()));
                }
                (format!("t.{}", sort.order_column()), "t.id")
            }
        };
        if let Some(cursor) = cursor {
            sql.push(&format!(" AND ({column}, {id}) {after} ("))
                .bind(cursor.values[0].clone())
                .push(", ")
                .bind(cursor.id)
                .push(")");
        }
        self.terms.write_all(sql, self.conds);
        sql.push(&format!(" ORDER BY {column}{direction}, {id}{direction}"));
    }

    /// Scans one word after the other in their order, each in the order of ids, starting after the cursor. Rows without
    /// a word come last.
    fn walk_words(
        &self,
        sql: &mut Sql,
        select: &str,
        hint: &str,
        words: &[&'static str],
        reach: i64,
        cursor: Option<&Cursor>,
    ) {
        let (sort, descending) = self.query.sort[0];
        let mut walks: Vec<Option<usize>> = (0..words.len()).map(Some).collect();
        if descending {
            walks.reverse();
        }
        walks.extend(sort.nullable.then_some(None));
        let reached = cursor.map(|cursor| match cursor.values[..] {
            [Value::Int(place)] => Some(place as usize),
            _ => None,
        });
        let first = walks.iter().position(|walk| Some(*walk) == reached).unwrap_or(0);
        let (order, after) = if descending { (" ORDER BY t.id DESC", "<") } else { (" ORDER BY t.id", ">") };
        for (n, walk) in walks[first..].iter().enumerate() {
            sql.push(if n == 0 { "SELECT * FROM (" } else { " UNION ALL SELECT * FROM (" });
            match walk {
                Some(place) => {
                    self.write_from(sql, select, hint);
                    sql.push(&format!(" AND t.{} = ", sort.column())).bind(words[*place]);
                }
                None => {
                    self.write_from(sql, select, "");
                    sql.push(&format!(" AND t.{} IS NULL", sort.column()));
                }
            }
            if let Some(cursor) = cursor.filter(|_| n == 0) {
                sql.push(&format!(" AND t.id {after} ")).bind(cursor.id);
            }
            self.terms.write_all(sql, self.conds);
            sql.push(order).push(" LIMIT ").bind(reach).push(&format!(") w{n}"));
        }
    }

    /// Scans the ids, which is the order of creation; with `null`, only the rows where this field is null.
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
            sql.push(&format!(" AND {} IS NULL", self.order(field)));
        }
        if let Some(cursor) = cursor {
            sql.push(if descending { " AND t.id < " } else { " AND t.id > " }).bind(cursor.id);
        }
        self.terms.write_all(sql, self.conds);
        sql.push(if descending { " ORDER BY t.id DESC" } else { " ORDER BY t.id" });
    }

    fn order(&self, field: &Field) -> String {
        field.order(self.terms.dialect)
    }

    fn write_conds(&self, sql: &mut Sql, cursor: Option<&Cursor>) {
        self.terms.write_all(sql, self.conds);
        if let Some(cursor) = cursor {
            sql.push(" AND (");
            self.write_after(sql, cursor);
            sql.push(")");
        }
    }

    /// Matches the rows after the cursor in any order: greater in the first field, or equal there and greater in the
    /// next, and so on to the id.
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
            let column = self.order(field);
            sql.push(&format!("({column} {} ", if *descending { "<" } else { ">" })).bind(value.clone());
            sql.push(&if field.nullable { format!(" OR {column} IS NULL)") } else { ")".into() });
        }
        sql.push(if alternatives == 0 { "" } else { " OR " });
        self.write_equal(sql, cursor, self.query.sort.len());
        let descending = self.query.sort.last().is_some_and(|(_, descending)| *descending);
        sql.push(if descending { "t.id < " } else { "t.id > " }).bind(cursor.id);
    }

    fn write_equal(&self, sql: &mut Sql, cursor: &Cursor, depth: usize) {
        for (n, (field, _)) in self.query.sort[..depth].iter().enumerate() {
            sql.push(&self.order(field));
            match &cursor.values[n] {
                Value::Null => sql.push(" IS NULL AND "),
                value => sql.push(" = ").bind(value.clone()).push(" AND "),
            };
        }
    }

    fn write_order(&self, sql: &mut Sql) {
        sql.push(" ORDER BY ");
        for (field, descending) in &self.query.sort {
            let (column, direction) = (self.order(field), if *descending { " DESC" } else { "" });
            if field.nullable {
                sql.push(&format!("{column} IS NULL, "));
            }
            sql.push(&format!("{column}{direction}, "));
        }
        sql.push(if self.query.sort.last().is_some_and(|(_, descending)| *descending) { "t.id DESC" } else { "t.id" });
    }

    /// `SELECT id …`: the rows of a plan with few rows.
    pub(super) fn write_few(&self, sql: &mut Sql, plan: &Plan, dialect: Dialect) {
        match plan {
            Plan::Small(tests) => self.write_ids(sql, tests, dialect, " UNION "),
            _ => _ = self.terms.write_candidates(sql, " UNION "),
        }
    }

    /// `SELECT id …`: the rows that pass one test by its index, or several tests by a common one. `union` joins the
    /// parts: a probe may count a row twice, a page must not.
    pub(super) fn write_ids(&self, sql: &mut Sql, tests: &[Test], dialect: Dialect, union: &str) {
        let [test] = tests else {
            sql.push(&format!("SELECT t.id FROM {} t WHERE t.workspace_id = ", self.table)).bind(self.ctx.workspace);
            for test in tests {
                sql.push(" AND ");
                self.terms.test_column(sql, test);
            }
            return;
        };
        if let (Some(literal), Some(reached)) = (self.literal(test), self.texts) {
            sql.push(&dialect.texts(self.texts_table)).push(" AND x.workspace_id = ").bind(self.ctx.workspace);
            sql.push(" AND x.collection = ").bind(self.table).push(" AND ");
            sql.params.push(dialect.holding(&literal).into());
            let asks = dialect.asks(self.texts_table, sql.params.len());
            sql.push(&asks);
            // The text index does not contain the latest changes, so these rows are checked individually.
            sql.push(union).push(&format!("SELECT t.id FROM {} t WHERE t.workspace_id = ", self.table));
            sql.bind(self.ctx.workspace).push(" AND t.updated_at > ").bind(reached);
            return;
        }
        if let Some(own) = test.field.own {
            return self.terms.write_own(sql, own, test);
        }
        if let Some(through) = test.field.through {
            let select = format!("SELECT DISTINCT {}", through.record);
            return self.terms.write_through(sql, &select, through, &test.values);
        }
        let range = matches!(test.op, Op::Gt | Op::Gte | Op::Lt | Op::Lte);
        let in_columns = range || test.op == Op::NotNull || test.field.kind == Kind::Text && prefix(test).is_some();
        if test.field.custom.is_some() && range {
            let compare = match test.op {
                Op::Gt => " > ",
                Op::Gte => " >= ",
                Op::Lt => " < ",
                _ => " <= ",
            };
            self.write_terms(sql, "SELECT d.record", test.field);
            let key = self.terms.keys(test).pop().flatten().unwrap_or(Value::Null);
            sql.push(" AND d.key").push(compare).bind(key);
            return;
        }
        if test.field.term.is_some() && (test.field.custom.is_some() || !in_columns) {
            let mut keys: Vec<Value> = self.terms.keys(test).into_iter().flatten().collect();
            // A record with all of the values has the first one.
            if test.op == Op::Cs {
                keys.truncate(if self.terms.keys(test).iter().all(Option::is_some) { 1 } else { 0 });
            }
            let single = test.op == Op::NotNull && test.field.kind != Kind::Texts;
            let once = single || keys.len() == 1 && prefix(test).is_none();
            self.write_terms(sql, if once { "SELECT d.record" } else { "SELECT DISTINCT d.record" }, test.field);
            if test.op == Op::NotNull {
                return;
            }
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
                // Ids start with the time of creation, so a bound on that time is a bound on ids.
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

    /// `select` from the terms of this field.
    fn write_terms(&self, sql: &mut Sql, select: &str, field: &Field) {
        sql.push(select).push(" FROM terms d WHERE d.workspace_id = ").bind(self.ctx.workspace);
        sql.push(" AND d.field = ").bind(field.term.unwrap_or_default());
    }
}

/// The lowest id that a record created in this millisecond can have.
fn first_id(ms: i64) -> Uuid {
    let ms = ms.clamp(0, (1 << 48) - 1);
    Uuid::from_u128((ms as u128) << 80)
}
