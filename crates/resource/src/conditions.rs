//! Conditions as SQL.

use crate::found::Found;
use crate::labels::{called, detaching};
use crate::need::Word;
use crate::search::Source;
use crate::sql::{Sql, each_test, padded, text_key, text_of};
use crate::{Cond, Ctx, Error, Field, Kind, Need, Op, Own, Test, Through, fold};
use std::collections::HashMap;
use store::{Dialect, Tx, Value};
use uuid::Uuid;

/// Up to this many items of a list are tested individually.
const EACH: usize = 20;

/// Data of the current snapshot that is needed to write conditions as SQL.
pub(crate) struct Terms {
    workspace: Uuid,
    /// The member who asks, for values that each member has of their own.
    member: Uuid,
    pub dialect: Dialect,
    labels: HashMap<String, Uuid>,
    detaching: Vec<String>,
    /// The resolved search of the condition `Find`.
    pub found: Option<Found>,
}

impl Terms {
    pub(crate) fn of(ctx: &Ctx, tx: &mut dyn Tx, conds: &[Cond]) -> Result<Terms, Error> {
        let (mut names, mut null) = (Vec::new(), false);
        for cond in conds {
            each_test(cond, &mut |test| {
                if test.field.kind == Kind::Labels {
                    null |= matches!(test.op, Op::Null | Op::NotNull);
                    names.extend(test.values.iter().filter_map(text_of).map(str::to_owned));
                }
            });
        }
        let labels = called(ctx, tx, &names)?;
        let detaching = if null { detaching(ctx, tx)? } else { Vec::new() };
        let (workspace, member) = (ctx.workspace, ctx.member());
        Ok(Terms { workspace, member, dialect: tx.dialect(), labels, detaching, found: None })
    }

    /// The keys that a test looks up in `terms`; `None` for a value that no record can have.
    pub(crate) fn keys(&self, test: &Test) -> Vec<Option<Value>> {
        let key = |value: &Value| match test.field.kind {
            Kind::Labels => match value {
                Value::Id(id) => Some(Value::Text(id.to_string())),
                value => text_of(value).and_then(|name| self.labels.get(name)).map(|id| Value::Text(id.to_string())),
            },
            _ if test.field.through.is_some() => Some(value.clone()),
            Kind::Text | Kind::Choice(_) => text_of(value).map(|text| Value::Text(text_key(test.field, text))),
            _ => Some(key_of(value)),
        };
        test.values.iter().map(key).collect()
    }

    /// If a statement contains the conditions twice, the second one repeats the text, so that each parameter is bound
    /// once.
    pub(crate) fn write_all(&self, sql: &mut Sql, conds: &[Cond]) {
        if let Some(written) = sql.conds.take() {
            sql.push(&written);
            sql.conds = Some(written);
            return;
        }
        let start = sql.text.len();
        for cond in conds {
            sql.push(" AND ");
            self.write(sql, cond);
        }
        sql.conds = Some(sql.text[start..].to_owned());
    }

    pub(crate) fn write(&self, sql: &mut Sql, cond: &Cond) {
        match cond {
            Cond::All(conds) => self.join(sql, conds, " AND "),
            Cond::Any(conds) => self.join(sql, conds, " OR "),
            Cond::Not(cond) => {
                sql.push("NOT ");
                self.write(sql, cond);
            }
            Cond::Test(test) => {
                sql.push("(");
                self.test(sql, test);
                sql.push(")");
            }
            Cond::Find(_) => match &self.found {
                Some(found) => self.write_found(sql, found),
                None => sql.push("1 = 0").end(),
            },
        }
    }

    /// Matches by the text index, if it covers the record, otherwise by the result for later changes.
    fn write_found(&self, sql: &mut Sql, found: &Found) {
        let alias = found.alias();
        if let Some(record) = found.record {
            sql.push(&format!("EXISTS (SELECT 1 FROM {} {alias} WHERE {alias}.workspace_id = ", found.table));
            sql.bind(self.workspace).push(&format!(" AND {alias}.{record} = t.id AND "));
        }
        // The plus keeps planners from using an index for this bound.
        sql.push(&format!("(+{alias}.updated_at <= ")).bind(found.until).push(" AND ");
        self.write_need(sql, found, &found.need);
        if !found.later.is_empty() {
            sql.push(&format!(" OR {alias}.id IN ")).bind_all(&padded(&found.later));
        }
        sql.push(")");
        if found.record.is_some() {
            sql.push(self.dialect.apart()).push(")");
        }
    }

    fn write_need(&self, sql: &mut Sql, found: &Found, need: &Need) {
        let (needs, word, none) = match need {
            Need::Word(word) => return self.write_word(sql, found, word),
            Need::All(needs) => (needs, " AND ", "1 = 1"),
            Need::Any(needs) => (needs, " OR ", "1 = 0"),
            Need::Not(need) => {
                sql.push("NOT (");
                self.write_need(sql, found, need);
                return sql.push(")").end();
            }
        };
        sql.push(if needs.is_empty() { none } else { "" });
        for (index, need) in needs.iter().enumerate() {
            sql.push(if index == 0 { "(" } else { word });
            self.write_need(sql, found, need);
        }
        sql.push(if needs.is_empty() { "" } else { ")" });
    }

    fn write_word(&self, sql: &mut Sql, found: &Found, word: &Word) {
        let (texts, alias) = (found.texts, found.alias());
        sql.push(&format!("(EXISTS (SELECT 1 FROM {texts} x WHERE x.workspace_id = ")).bind(self.workspace);
        sql.push(" AND x.collection = ").bind(found.table).push(&format!(" AND x.record = {alias}.id AND "));
        self.like(sql, "x.text", &word.pattern());
        sql.push(")");
        if !word.labels().is_empty() {
            sql.push(&format!(" OR {alias}.id IN ("));
            self.write_labelled(sql, found, word.labels());
            sql.push(")");
        }
        sql.push(")");
    }

    fn write_labelled(&self, sql: &mut Sql, found: &Found, labels: &[Uuid]) {
        let keys: Vec<Value> = labels.iter().map(|id| id.to_string().into()).collect();
        sql.push("SELECT d.record FROM terms d WHERE d.workspace_id = ").bind(self.workspace);
        sql.push(" AND d.field = ").bind(found.term).push(" AND d.key IN ").bind_all(&keys);
    }

    /// `SELECT id …`: all records that can match, by the index; false if the index can't help.
    pub(crate) fn write_candidates(&self, sql: &mut Sql, union: &str) -> bool {
        let Some((found, sources)) = self.found.as_ref().and_then(|found| Some((found, found.need.sources()?))) else {
            return false;
        };
        if found.record.is_some() {
            sql.push("WITH c (id) AS (");
        }
        self.write_sources(sql, found, &sources, union);
        if let Some(record) = found.record {
            // A probe may count a record twice, a page must not.
            let once = if union == " UNION " { "DISTINCT " } else { "" };
            sql.params.push(self.workspace.into());
            let rows = self.dialect.by_ids(found.table, &format!("${}", sql.params.len()));
            sql.push(&format!(") SELECT {once}t.{record}")).push(&rows);
        }
        true
    }

    /// `SELECT id …`: the records whose text can match, by the index.
    fn write_sources(&self, sql: &mut Sql, found: &Found, sources: &[Source], union: &str) {
        if sources.is_empty() {
            // Nothing can match.
            sql.push(&format!("SELECT x.record FROM {} x WHERE 1 = 0", found.texts));
        }
        for (index, source) in sources.iter().enumerate() {
            sql.push(if index == 0 { "" } else { union });
            match source {
                Source::Labels(labels) => self.write_labelled(sql, found, labels),
                Source::Texts(words) => {
                    sql.push(&self.dialect.texts(found.texts)).push(" AND x.workspace_id = ").bind(self.workspace);
                    sql.push(" AND x.collection = ").bind(found.table);
                    for asked in self.dialect.holding_all(words.iter().map(|word| (&*word.literal, word.pattern()))) {
                        sql.params.push(asked.into());
                        let n = sql.params.len();
                        sql.push(" AND ").push(&self.dialect.asks(found.texts, n));
                    }
                    if self.dialect.finds_more() {
                        for word in words {
                            sql.push(" AND ");
                            self.like(sql, "x.text", &word.pattern());
                        }
                    }
                }
            }
        }
        if !found.later.is_empty() {
            sql.push(union).push(&format!("SELECT t.id FROM {} t WHERE t.workspace_id = ", found.table));
            sql.bind(self.workspace).push(" AND t.id IN ").bind_all(&padded(&found.later));
        }
    }

    fn join(&self, sql: &mut Sql, conds: &[Cond], word: &str) {
        for (index, cond) in conds.iter().enumerate() {
            sql.push(if index == 0 { "(" } else { word });
            self.write(sql, cond);
        }
        sql.push(")");
    }

    fn test(&self, sql: &mut Sql, test: &Test) {
        match test.field.kind {
            Kind::Texts | Kind::Labels | Kind::Ids | Kind::Items(_) => self.test_list(sql, test),
            _ => self.test_column(sql, test),
        }
    }

    /// `t.column op value`; ranges and `ilike` of text use the folded column.
    pub(crate) fn test_column(&self, sql: &mut Sql, test: &Test) {
        let field = test.field;
        let order = match field.own {
            Some(own) => self.own_value(sql, own),
            None => field.order(self.dialect),
        };
        // Custom fields other than text have only one form, the comparable one.
        let by_key = field.custom.is_some() && field.kind != Kind::Text;
        let exact = if by_key || field.own.is_some() { order.clone() } else { field.exact(self.dialect) };
        let ordered = |value: &Value| match value {
            Value::Text(text) if field.folded() || field.custom.is_some() => Value::Text(fold(text)),
            other if by_key => key_of(other),
            other => other.clone(),
        };
        let exactly = |value: &Value| if by_key { ordered(value) } else { value.clone() };
        let compare = match test.op {
            Op::Null => return sql.push(&exact).push(" IS NULL").end(),
            Op::NotNull => return sql.push(&exact).push(" IS NOT NULL").end(),
            Op::In => {
                let values: Vec<Value> = test.values.iter().map(exactly).collect();
                return sql.push(&exact).push(" IN ").bind_all(&values).end();
            }
            Op::Like | Op::Ilike => {
                let column = if test.op == Op::Like { &exact } else { &order };
                let pattern = test.values.first().and_then(text_of).unwrap_or_default();
                return self.like(sql, column, pattern);
            }
            Op::Eq => return sql.push(&exact).push(" = ").bind(exactly(&test.values[0])).end(),
            Op::Neq => return sql.push(&exact).push(" <> ").bind(exactly(&test.values[0])).end(),
            Op::Gt => " > ",
            Op::Gte => " >= ",
            Op::Lt => " < ",
            Op::Lte => " <= ",
            // Only lists support these; the grammar rejects them here.
            Op::Cs | Op::Ov => return sql.push("1 = 0").end(),
        };
        sql.push(&order).push(compare).bind(ordered(&test.values[0]));
    }

    /// The caller's own value for the record `t`.
    fn own_value(&self, sql: &mut Sql, own: Own) -> String {
        let Own { table, member, record, value } = own;
        sql.params.push(self.member.into());
        let n = sql.params.len();
        format!(
            "coalesce((SELECT x.{value} FROM {table} x WHERE x.workspace_id = t.workspace_id AND x.{member} = ${n} \
             AND x.{record} = t.id), 0)"
        )
    }

    /// `SELECT id …`: the records for which the caller's own value passes a test that 0 does not pass.
    pub(crate) fn write_own(&self, sql: &mut Sql, own: Own, test: &Test) {
        let Own { table, member, record, value } = own;
        sql.push(&format!("SELECT x.{record} FROM {table} x WHERE x.workspace_id = ")).bind(self.workspace);
        sql.push(&format!(" AND x.{member} = ")).bind(self.member).push(&format!(" AND x.{value}"));
        match test.op {
            Op::In => sql.push(" IN ").bind_all(&test.values).end(),
            Op::Gt => sql.push(" > ").bind(test.values[0].clone()).end(),
            Op::Gte => sql.push(" >= ").bind(test.values[0].clone()).end(),
            _ => sql.push(" = ").bind(test.values[0].clone()).end(),
        }
    }

    fn like(&self, sql: &mut Sql, column: &str, pattern: &str) {
        sql.params.push(Value::Text(self.dialect.pattern(pattern)));
        let n = sql.params.len();
        sql.push(&self.dialect.like(column, n));
    }

    /// Tests lists and addresses: equality is a lookup in `terms`, anything else a single scan of the field's terms.
    fn test_list(&self, sql: &mut Sql, test: &Test) {
        let keys = self.keys(test);
        match test.op {
            Op::Null | Op::NotNull => self.test_empty(sql, test),
            // Testing one key at a time is fastest. Very many tests would nest too deep: then the first key narrows the
            // records, and a count verifies that a record has all of them.
            Op::Cs if keys.len() <= EACH => {
                for (index, key) in keys.iter().enumerate() {
                    sql.push(if index == 0 { "" } else { " AND " });
                    self.has(sql, test.field, std::slice::from_ref(key));
                }
            }
            Op::Cs if keys.iter().all(Option::is_some) => {
                self.has(sql, test.field, &keys[..1]);
                sql.push(" AND (SELECT count(*) FROM terms x WHERE x.workspace_id = ").bind(self.workspace);
                sql.push(" AND x.field = ").bind(test.field.term.unwrap_or_default()).push(" AND x.key IN ");
                let keys: Vec<Value> = keys.into_iter().flatten().collect();
                sql.bind_all(&keys).push(&format!(" AND x.record = t.id) = {}", keys.len()));
            }
            Op::Cs => sql.push("1 = 0").end(),
            Op::Eq | Op::In | Op::Ov => self.has(sql, test.field, &keys),
            // The list is not empty and contains none of the keys.
            Op::Neq if test.field.kind == Kind::Ids => {
                sql.push(&format!("t.{} <> '[]' AND NOT ", test.field.name));
                self.has(sql, test.field, &keys);
            }
            Op::Neq | Op::Gt | Op::Gte | Op::Lt | Op::Lte => {
                let compare = match test.op {
                    Op::Neq => "<>",
                    Op::Gt => ">",
                    Op::Gte => ">=",
                    Op::Lt => "<",
                    _ => "<=",
                };
                self.records(sql, test.field);
                sql.push(&format!(" AND x.key {compare} ")).bind(test.values[0].clone()).push(")");
            }
            Op::Like | Op::Ilike => {
                self.records(sql, test.field);
                sql.push(" AND ");
                self.like(sql, "x.key", test.values.first().and_then(text_of).unwrap_or_default());
                sql.push(")");
            }
        }
    }

    fn has(&self, sql: &mut Sql, field: &Field, keys: &[Option<Value>]) {
        let keys: Vec<Value> = keys.iter().flatten().cloned().collect();
        if keys.is_empty() {
            sql.push("1 = 0");
            return;
        }
        if let Some(through) = field.through {
            self.write_through(sql, "EXISTS (SELECT 1", through, &keys);
            return sql.push(&format!(" AND {} = t.id)", through.record)).end();
        }
        sql.push("EXISTS (SELECT 1 FROM terms x WHERE x.workspace_id = ").bind(self.workspace);
        sql.push(" AND x.field = ").bind(field.term.unwrap_or_default()).push(" AND x.key IN ").bind_all(&keys);
        let apart = sql.apart;
        sql.push(" AND x.record = t.id").push(apart).push(")");
    }

    /// `select` from the rows of another table that hold one of these values.
    pub(crate) fn write_through(&self, sql: &mut Sql, select: &str, through: Through, values: &[Value]) {
        sql.push(&format!("{select} FROM {} WHERE x.workspace_id = ", through.from)).bind(self.workspace);
        sql.push(&format!(" AND {} IN ", through.value)).bind_all(values);
    }

    fn records(&self, sql: &mut Sql, field: &Field) {
        sql.push("t.id IN (SELECT x.record FROM terms x WHERE x.workspace_id = ").bind(self.workspace);
        sql.push(" AND x.field = ").bind(field.term.unwrap_or_default());
    }

    /// Deleted labels that a job has not removed yet count as removed.
    fn test_empty(&self, sql: &mut Sql, test: &Test) {
        if test.field.custom.is_some() {
            let empty = if test.op == Op::Null { " IS NULL" } else { " IS NOT NULL" };
            return sql.push(&test.field.exact(self.dialect)).push(empty).end();
        }
        let mut column = format!("t.{}", test.field.name);
        if test.field.kind == Kind::Labels && !self.detaching.is_empty() {
            for id in &self.detaching {
                column = format!("replace({column}, '\"{id}\"', '')");
            }
            column = format!("replace({column}, ',', '')");
        }
        sql.push(&column).push(if test.op == Op::Null { " = '[]'" } else { " <> '[]'" });
    }
}

/// The key of a value in `terms`.
fn key_of(value: &Value) -> Value {
    match value {
        Value::Bool(b) => b.to_string().into(),
        Value::Id(id) => id.to_string().into(),
        other => other.clone(),
    }
}
