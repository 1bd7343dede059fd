//! What the rows of a collection say about the tables that are derived from them: terms, kept counts and the counts that
//! other records show. `relata check` compares the two.

use crate::list::counted_value;
use crate::save::terms;
use crate::{Ctx, Error, Field, Kind, Resource};
use std::collections::{BTreeMap, BTreeSet};
use store::{Row, Tx, Value};
use uuid::Uuid;

/// A term: its field, its key and its record.
pub type Term = (String, String, Uuid);

/// Terms of one field, in a form that needs no room: equal sets have equal sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    pub count: u64,
    sum: u64,
}

impl Sum {
    pub fn add(&mut self, key: &str, record: Uuid) {
        // FNV-1a, mixed so that sums of many tell sets apart.
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
    /// The terms of the fields in `wanted`, one by one.
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

    /// Adds what the rows of a collection say.
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
                Ok((row.id(0)?, fields.iter().enumerate().map(value).collect::<Result<Vec<_>, _>>()?))
            })?;
            for (id, values) in &rows {
                self.row::<R>(*id, &fields, values);
            }
            match rows.last() {
                Some((id, _)) if rows.len() == PAGE => after = *id,
                _ => return Ok(()),
            }
        }
    }

    fn row<R: Resource>(&mut self, id: Uuid, fields: &[&'static Field], values: &[Value]) {
        let both = || fields.iter().zip(values);
        let is_archived = both().any(|(field, value)| field.name == "archived_at" && *value != Value::Null);
        // Two fields may be found under one name.
        let found: BTreeSet<_> = both().flat_map(|(field, value)| terms(field, value)).collect();
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
    }
}

fn value(row: &dyn Row, column: usize, kind: Kind) -> Result<Value, store::Error> {
    Ok(match (kind, row.get(column)?) {
        (Kind::Bool, value) if !value.is_null() => value.bool()?.into(),
        (Kind::Id, value) if !value.is_null() => value.id()?.into(),
        (_, value) => value.to_value(),
    })
}
