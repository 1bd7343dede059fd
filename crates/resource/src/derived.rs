//! Recomputes the tables that are derived from the rows of a collection: terms, stored totals, and the counts that
//! other records show. `relata check` compares the result with what is stored.

use crate::save::row_values;
use crate::terms::{counted_value, terms};
use crate::{Ctx, Error, Field, Kind, Resource};
use std::collections::{BTreeMap, BTreeSet};
use store::{Row, Tx, Value};
use uuid::Uuid;

/// A term: its field, its key and its record.
pub type Term = (String, String, Uuid);

/// A checksum of a set of terms in constant memory: equal sets have equal sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    pub count: u64,
    sum: u64,
}

impl Sum {
    pub fn add(&mut self, key: &str, record: Uuid) {
        // FNV-1a with a final mix, so that different sets rarely have equal sums.
        let bytes = key.bytes().chain([0]).chain(record.into_bytes());
        let hash =
            bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let mixed = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        self.count += 1;
        self.sum = self.sum.wrapping_add(mixed ^ (mixed >> 27));
    }
}

#[derive(Default)]
pub struct Derived {
    /// By field.
    pub sums: BTreeMap<String, Sum>,
    /// The individual terms of the fields in `wanted`.
    pub terms: BTreeSet<Term>,
    pub wanted: BTreeSet<String>,
    /// By collection, field, value, and whether archived.
    pub counters: BTreeMap<(String, String, String, bool), i64>,
    /// By record and name.
    pub counts: BTreeMap<(Uuid, String), i64>,
}

impl Derived {
    pub fn term(&mut self, field: &str, key: &str, record: Uuid) {
        self.sums.entry(field.to_owned()).or_default().add(key, record);
        if self.wanted.contains(field) {
            self.terms.insert((field.to_owned(), key.to_owned(), record));
        }
    }

    /// Adds the terms, totals and counts of all rows of a collection.
    pub fn add<R: Resource>(&mut self, ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
        const PAGE: usize = 1000;
        let is_read = |field: &&Field| {
            field.term.is_some() || field.counted || field.tallied.is_some() || field.name == "archived_at"
        };
        let fields: Vec<&'static Field> = R::FIELDS.iter().filter(is_read).collect();
        let columns: String = fields.iter().map(|field| format!(", t.{}", field.column())).collect();
        let (table, mut after) = (R::ABOUT.table, Uuid::nil());
        let sql = format!(
            "SELECT t.id{columns} FROM {table} t WHERE t.workspace_id = $1 AND t.id > $2 ORDER BY t.id LIMIT {PAGE}"
        );
        loop {
            let rows = tx.rows(&sql, &[ctx.workspace.into(), after.into()], |row| {
                let value = |(at, field): (usize, &&Field)| value(row, at + 1, field.kind);
                Ok((row.id(0)?, fields.iter().enumerate().map(value).collect::<Result<Vec<_>, _>>()))
            })?;
            for (id, values) in &rows {
                let derived =
                    values.as_ref().map_err(Clone::clone).and_then(|values| self.row::<R>(*id, &fields, values));
                derived.map_err(|error| error.in_row(table, id))?;
            }
            match rows.last() {
                Some((id, _)) if rows.len() == PAGE => after = *id,
                _ => return Ok(()),
            }
        }
    }

    fn row<R: Resource>(&mut self, id: Uuid, fields: &[&'static Field], values: &[Value]) -> Result<(), store::Error> {
        let both = || fields.iter().zip(values);
        let is_archived = both().any(|(field, value)| field.name == "archived_at" && *value != Value::Null);
        // Two fields may write the same term; it counts once.
        let mut found = BTreeSet::new();
        for (field, value) in both() {
            found.extend(terms(field, value)?);
        }
        for (field, key) in &found {
            self.term(field, key, id);
        }
        let collection = R::ABOUT.table.to_owned();
        let archived = R::ABOUT.archives && is_archived;
        *self.counters.entry((collection.clone(), String::new(), String::new(), archived)).or_default() += 1;
        for (field, value) in both() {
            if field.counted {
                let key = (collection.clone(), field.name.to_owned(), counted_value(value), archived);
                *self.counters.entry(key).or_default() += 1;
            }
            if let (Some(name), Value::Id(named), false) = (field.tallied, value, is_archived) {
                *self.counts.entry((*named, name.to_owned())).or_default() += 1;
            }
        }
        Ok(())
    }
}

fn value(row: &dyn Row, column: usize, kind: Kind) -> Result<Value, store::Error> {
    row.read(column, |value| {
        Ok(match kind {
            Kind::Bool if !value.is_null() => value.bool()?.into(),
            Kind::Id if !value.is_null() => value.id()?.into(),
            _ => value.to_value(),
        })
    })
}

/// The errors of rows that can't be read. Stops after the page in which it has found `most` of them.
pub fn damaged<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, most: usize) -> Result<Vec<Error>, Error> {
    const PAGE: usize = 1000;
    // Counts and members' own values are stored in other tables.
    let column = |field: &Field| if field.is_column() { format!("t.{}", field.column()) } else { "0".to_owned() };
    let columns: Vec<String> = R::FIELDS.iter().map(column).collect();
    let (table, mut after, mut found) = (R::ABOUT.table, Uuid::nil(), Vec::new());
    let sql = format!(
        "SELECT {}, t.id FROM {table} t WHERE t.workspace_id = $1 AND t.id > $2 ORDER BY t.id LIMIT {PAGE}",
        columns.join(", ")
    );
    let read = |row: &dyn Row| -> Result<(), Error> {
        let values = row_values::<R>(row)?;
        R::decode(&values)?;
        R::FIELDS.iter().zip(&values).try_for_each(|(field, value)| terms(field, value).map(drop))?;
        Ok(())
    };
    loop {
        let rows =
            tx.rows(&sql, &[ctx.workspace.into(), after.into()], |row| Ok((row.id(columns.len())?, read(row))))?;
        for (id, read) in &rows {
            after = *id;
            found.extend(read.clone().err().map(|error| error.in_row(table, id)));
        }
        if rows.len() < PAGE || found.len() >= most {
            return Ok(found);
        }
    }
}
