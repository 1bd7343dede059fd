//! Data that is derived from the rows: terms, stored totals, and counts of records.

use super::{CHECKED, Checking};
use crate::collaboration::merge;
use crate::collaboration::note::Note;
use crate::outreach::conversation::Conversation;
use crate::outreach::enrollment::Enrollment;
use crate::outreach::message::Message;
use crate::outreach::sequence::Sequence;
use crate::outreach::suppression::Suppression;
use crate::pipelines::deal::Deal;
use crate::pipelines::entry::Entry;
use crate::pipelines::project::Project;
use crate::pipelines::task::Task;
use crate::records::company::Company;
use crate::records::contact::Contact;
use crate::records::tag::Tag;
use crate::sourcing::enrichment::EnrichmentRequest;
use resource::Error;
use resource::derived::{Derived, Sum};
use std::collections::{BTreeMap, BTreeSet};
use store::{Row, Tx, Uuid, Value};

impl Checking<'_> {
    /// Terms, stored totals and counts of records must match the rows.
    pub(super) fn derived(&mut self, tx: &mut dyn Tx) -> Result<(), Error> {
        // The terms of a damaged row are unknown, so nothing is compared or repaired until it is readable.
        if self.is_damaged(CHECKED) {
            return Ok(());
        }
        let expected = self.expected(tx, BTreeSet::new())?;
        let stands = self.terms(tx, None)?.sums;
        let fields: BTreeSet<String> = expected.sums.keys().chain(stands.keys()).cloned().collect();
        let is_wrong = |field: &String| {
            let none = Sum::default();
            expected.sums.get(field).unwrap_or(&none) != stands.get(field).unwrap_or(&none)
        };
        let wrong: BTreeSet<String> = fields.into_iter().filter(is_wrong).collect();
        if !wrong.is_empty() {
            self.compare_terms(tx, wrong)?;
        }
        self.counters(tx, &expected.counters)?;
        self.counts(tx, &expected.counts)
    }

    fn expected(&self, tx: &mut dyn Tx, wanted: BTreeSet<String>) -> Result<Derived, Error> {
        let (ctx, mut derived) = (self.ctx, Derived { wanted, ..Derived::default() });
        derived.add::<Contact>(ctx, tx)?;
        derived.add::<Company>(ctx, tx)?;
        derived.add::<Deal>(ctx, tx)?;
        derived.add::<Project>(ctx, tx)?;
        derived.add::<Entry>(ctx, tx)?;
        derived.add::<Task>(ctx, tx)?;
        derived.add::<Note>(ctx, tx)?;
        derived.add::<Tag>(ctx, tx)?;
        derived.add::<Sequence>(ctx, tx)?;
        derived.add::<Enrollment>(ctx, tx)?;
        derived.add::<Conversation>(ctx, tx)?;
        derived.add::<Message>(ctx, tx)?;
        derived.add::<Suppression>(ctx, tx)?;
        derived.add::<EnrichmentRequest>(ctx, tx)?;
        const BESIDE: [(&str, &str); 2] = [
            ("contact.project", "SELECT DISTINCT project_id, contact_id FROM pipeline_entries WHERE workspace_id = $1"),
            ("contact.sequence", "SELECT DISTINCT sequence_id, contact_id FROM enrollments WHERE workspace_id = $1"),
        ];
        for (field, sql) in BESIDE {
            for (key, record) in tx.rows(sql, &[self.workspace()], |row| Ok((row.id(0)?, row.id(1)?)))? {
                derived.term(field, &key.to_string(), record);
            }
        }
        const PLANNED: &str = "SELECT planned_step_id, count(*) FROM enrollments WHERE workspace_id = $1 \
             AND planned_step_id IS NOT NULL AND status IN ('active', 'paused') GROUP BY planned_step_id";
        for (step, n) in tx.rows(PLANNED, &[self.workspace()], |row| Ok((row.id(0)?, row.int(1)?)))? {
            derived.counts.insert((step, "step.planned".to_owned()), n);
        }
        Ok(derived)
    }

    /// The stored terms: all as sums, those of the fields in `only` individually.
    fn terms(&self, tx: &mut dyn Tx, only: Option<&BTreeSet<String>>) -> Result<Derived, Error> {
        const PAGE: usize = 5000;
        let sql = format!(
            "SELECT field, key, record FROM terms WHERE workspace_id = $1 AND (field, key, record) > ($2, $3, $4) \
             ORDER BY field, key, record LIMIT {PAGE}"
        );
        let mut derived = Derived { wanted: only.cloned().unwrap_or_default(), ..Derived::default() };
        let mut last = (String::new(), String::new(), Uuid::nil());
        loop {
            let params = [self.workspace(), last.0.as_str().into(), last.1.as_str().into(), last.2.into()];
            let rows = tx.rows(&sql, &params, |row| Ok((row.text(0)?, row.text(1)?, row.id(2)?)))?;
            // Terms of merges do not belong to records.
            for (field, key, record) in rows.iter().filter(|(field, ..)| field != merge::mend::HELD) {
                derived.term(field, key, *record);
            }
            let is_full = rows.len() == PAGE;
            match rows.into_iter().next_back() {
                Some(row) if is_full => last = row,
                _ => return Ok(derived),
            }
        }
    }

    fn compare_terms(&mut self, tx: &mut dyn Tx, wrong: BTreeSet<String>) -> Result<(), Error> {
        const ADD: &str = "INSERT INTO terms (workspace_id, field, key, record) VALUES ($1, $2, $3, $4)";
        const DROP: &str = "DELETE FROM terms WHERE workspace_id = $1 AND field = $2 AND key = $3 AND record = $4";
        let stands = self.terms(tx, Some(&wrong))?.terms;
        let expected = self.expected(tx, wrong)?.terms;
        for term in expected.symmetric_difference(&stands) {
            let (is_missing, (field, key, record)) = (expected.contains(term), term);
            let what = if is_missing { "is missing" } else { "belongs to no record" };
            let repair = if is_missing { "term added" } else { "term dropped" };
            self.fault("term", format!("{field} {key:?} of {record} {what}"), repair);
            if self.repair {
                let params = [self.workspace(), field.as_str().into(), key.as_str().into(), (*record).into()];
                tx.execute(if is_missing { ADD } else { DROP }, &params)?;
            }
        }
        Ok(())
    }

    fn counters(
        &mut self,
        tx: &mut dyn Tx,
        expected: &BTreeMap<(String, String, String, bool), i64>,
    ) -> Result<(), Error> {
        const COUNTERS: &str = "SELECT collection, field, value, archived, n FROM counters WHERE workspace_id = $1";
        const SET: &str = "INSERT INTO counters (workspace_id, collection, field, value, archived, n, stamp) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) \
             ON CONFLICT (workspace_id, collection, field, value, archived) DO UPDATE SET n = excluded.n, stamp = excluded.stamp";
        let read = |row: &dyn Row| Ok(((row.text(0)?, row.text(1)?, row.text(2)?, row.get(3)?.bool()?), row.int(4)?));
        let stands: BTreeMap<_, i64> = tx.rows(COUNTERS, &[self.workspace()], read)?.into_iter().collect();
        let checked: BTreeSet<&str> = CHECKED.iter().copied().collect();
        let keys: BTreeSet<_> =
            expected.keys().chain(stands.keys()).filter(|key| checked.contains(key.0.as_str())).collect();
        for key in keys {
            let (right, kept) = (expected.get(key).unwrap_or(&0), stands.get(key).unwrap_or(&0));
            if right == kept {
                continue;
            }
            let (collection, field, value, archived) = key;
            let which = if *archived { ", archived" } else { "" };
            let detail = format!("{collection} {field} {value}{which}: {kept} kept, {right} there");
            self.fault("counter", detail, format!("counter set: {right}"));
            if self.repair {
                let params: [Value; 7] = [
                    self.workspace(),
                    collection.as_str().into(),
                    field.as_str().into(),
                    value.as_str().into(),
                    (*archived).into(),
                    (*right).into(),
                    tx.stamp().into(),
                ];
                tx.execute(SET, &params)?;
            }
        }
        Ok(())
    }

    fn counts(&mut self, tx: &mut dyn Tx, expected: &BTreeMap<(Uuid, String), i64>) -> Result<(), Error> {
        const COUNTS: &str = "SELECT record, name, n FROM record_counts WHERE workspace_id = $1";
        const SET: &str = "INSERT INTO record_counts (workspace_id, record, name, n) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (workspace_id, record, name) DO UPDATE SET n = excluded.n";
        let names = ["contacts", "deals", "entries", "step.planned"];
        let rows = tx.rows(COUNTS, &[self.workspace()], |row| Ok(((row.id(0)?, row.text(1)?), row.int(2)?)))?;
        let stands: BTreeMap<(Uuid, String), i64> = rows.into_iter().collect();
        let keys: BTreeSet<_> =
            expected.keys().chain(stands.keys()).filter(|(_, name)| names.contains(&name.as_str())).collect();
        for key in keys {
            let (right, kept) = (expected.get(key).unwrap_or(&0), stands.get(key).unwrap_or(&0));
            if right != kept {
                let detail = format!("{} of {}: {kept} kept, {right} there", key.1, key.0);
                self.fault("count", detail, format!("count set: {right}"));
                if self.repair {
                    let params = [self.workspace(), key.0.into(), key.1.as_str().into(), (*right).into()];
                    tx.execute(SET, &params)?;
                }
            }
        }
        Ok(())
    }
}
