//! The total of a list: stored, or counted and cached.

use super::{Machine, Plan};
use crate::sql::{Sql, each_test};
use crate::terms::counted_value;
use crate::{Cond, Error, Field, Kind, Op, Test};
use store::{Lane, Tx, Value};

impl Machine<'_> {
    /// A total that was counted when the collection had this `stamp`. Stored counts are written at the end of a commit,
    /// so during a write the stamp does not reflect the write's own changes; therefore writes do not use the cache.
    pub(super) fn cached_total(&self, tx: &dyn Tx, key: &str, stamp: i64) -> Option<i64> {
        if tx.stamp() == 0 { self.ctx.memory.total(key, stamp) } else { None }
    }

    pub(super) fn cache_total(&self, tx: &dyn Tx, key: String, stamp: i64, total: i64) {
        if tx.stamp() == 0 {
            self.ctx.memory.cache_total(key, stamp, total);
        }
    }

    /// The stamp of the last change of the collection or of another one that a condition reads.
    pub(super) fn changed_at(&self, tx: &mut dyn Tx) -> Result<i64, Error> {
        if let Some(stamp) = self.changed_at.get() {
            return Ok(stamp);
        }
        let mut collections: Vec<Value> = vec![self.table.into()];
        for cond in self.conds {
            each_test(cond, &mut |test| {
                for table in test.field.reads {
                    let table = Value::from(*table);
                    if !collections.contains(&table) {
                        collections.push(table);
                    }
                }
            });
        }
        let mut sql = Sql::new("SELECT max(stamp) FROM counters WHERE workspace_id = ");
        sql.bind(self.ctx.workspace).push(" AND collection IN ").bind_all(&collections).push(" AND field = ''");
        let stamp = tx.one(&sql.text, &sql.params, |row| row.maybe_int(0))?.flatten().unwrap_or(0);
        self.changed_at.set(Some(stamp));
        Ok(stamp)
    }

    /// The total, if a stored count has it: without filters, for one enumerated value with or without `archived_at`, or
    /// for the references to one record.
    pub(super) fn stored_total(&self, tx: &mut dyn Tx) -> Result<Option<i64>, Error> {
        if let [Cond::Test(Test { field: Field { tallied: Some(name), .. }, op: Op::Eq, values })] = self.conds
            && !self.archives
        {
            const REFERENCES: &str =
                "SELECT n FROM record_counts WHERE workspace_id = $1 AND record = $2 AND name = $3";
            let params = [self.ctx.workspace.into(), values[0].clone(), (*name).into()];
            return Ok(Some(tx.one(REFERENCES, &params, |row| row.int(0))?.unwrap_or(0)));
        }
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
        const STORED: &str = "SELECT archived, n FROM counters WHERE workspace_id = $1 AND collection = $2 AND field = $3 AND value = $4";
        let params = [self.ctx.workspace.into(), self.table.into(), field.into(), value.into()];
        let rows = tx.rows(STORED, &params, |row| Ok((row.bool(0)?, row.int(1)?)))?;
        Ok(Some(rows.into_iter().filter(|(is, _)| archived.is_none_or(|wanted| wanted == *is)).map(|(_, n)| n).sum()))
    }

    /// The test that can be counted in `terms` alone: it is the only condition, and its terms equal its values. Terms
    /// of a text are folded, but the test compares exact text.
    fn counted_by_terms(&self) -> Option<&Test> {
        let [Cond::Test(test)] = self.conds else { return None };
        let ranged =
            test.field.custom.is_some() && matches!(test.op, Op::Gt | Op::Gte | Op::Lt | Op::Lte | Op::NotNull);
        let looked_up = matches!(test.op, Op::Eq | Op::In | Op::Ov) || test.op == Op::Cs && test.values.len() == 1;
        (test.field.term.is_some() && test.field.kind != Kind::Text && (looked_up || ranged)).then_some(test)
    }

    /// Counted once, and cached until the collection changes.
    pub(super) fn count(&self, tx: &mut dyn Tx, plan: &Plan) -> Result<i64, Error> {
        let stamp = self.changed_at(tx)?;
        let mut sql = Sql::new("");
        let mut found = Sql::new("");
        let few = match plan {
            Plan::Small(tests) | Plan::Along(_, tests) | Plan::Ids(tests) => Some(&tests[..]),
            Plan::Found => None,
            // Reading values from the JSON of every record, or from another table, costs more than reading the records
            // that may match.
            _ => {
                let is_costly = |field: &Field| field.custom.is_some() || field.own.is_some();
                let costly = self.tests().find(|test| is_costly(test.field) && self.indexed(test));
                costly.map(std::slice::from_ref)
            }
        };
        if let Some(test) = self.counted_by_terms() {
            sql.push("SELECT count(*) FROM (");
            self.write_ids(&mut sql, std::slice::from_ref(test), tx.dialect(), " UNION ");
            sql.push(") d");
        } else if let Some(tests) = few {
            sql.push("WITH c (id) ").push(tx.dialect().materialized()).push(" (");
            self.write_ids(&mut sql, tests, tx.dialect(), " UNION ");
            sql.push(") SELECT count(*)");
            self.write_by_ids(&mut sql, tx.dialect());
            self.terms.write_all(&mut sql, self.conds);
        } else if self.terms.write_candidates(&mut found, " UNION ") {
            // Even many candidates are fewer than all rows.
            sql.push("WITH c (id) ").push(tx.dialect().materialized()).push(" (").push(&found.text);
            sql.params = found.params;
            sql.push(if self.query.count_to.is_some() {
                ") SELECT count(*) FROM (SELECT 1"
            } else {
                ") SELECT count(*)"
            });
            self.write_found(&mut sql);
            self.terms.write_all(&mut sql, self.conds);
            self.write_end(&mut sql);
        } else {
            sql.push(if self.query.count_to.is_some() { "SELECT count(*) FROM (" } else { "" });
            self.write_from(&mut sql, if self.query.count_to.is_some() { "1" } else { "count(*)" }, "");
            self.terms.write_all(&mut sql, self.conds);
            self.write_end(&mut sql);
        }
        let key = format!("{} {:?}", sql.text, sql.params);
        if let Some(total) = self.cached_total(tx, &key, stamp) {
            return Ok(total);
        }
        if tx.lane() == Lane::Fast && !plan.is_short() {
            return Err(Error::SlowLane);
        }
        let total = tx.one(&sql.text, &sql.params, |row| row.int(0))?.unwrap_or(0);
        self.cache_total(tx, key, stamp, total);
        Ok(total)
    }

    /// Ends a count that stops at `count_to`.
    fn write_end(&self, sql: &mut Sql) {
        if let Some(most) = self.query.count_to {
            sql.push(" LIMIT ").bind(most).push(") n");
        }
    }
}
