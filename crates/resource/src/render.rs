//! Records as JSON, written directly from the row by the table of fields.

use crate::columns::{columns, has_labels, shown};
use crate::json_value::{write_names, write_value};
use crate::merged_ids::survivor;
use crate::sql::{Sql, padded};
use crate::stored::json;
use crate::{Ctx, Error, Field, Kind, Labels, Link, Own, Resource};
use std::collections::HashMap;
use store::{Ref, Row, Tx, Value};
use uuid::Uuid;

/// JSON of one or more records. Names of labels and linked records that are not cached leave gaps, which `fill` fills
/// after all rows are read.
#[derive(Default)]
pub struct Rendered {
    pub json: Vec<u8>,
    /// Only for a single record that was read by its id or just written.
    pub version: i64,
    gaps: Vec<(usize, Gap)>,
}

enum Gap {
    /// The names of these labels.
    Labels(Vec<Uuid>),
    /// The record with this id, or null.
    One(&'static Link, Uuid),
    /// The records with these ids.
    Many(&'static Link, Vec<Uuid>),
    /// The caller's own value for this record.
    Own(Own, Uuid),
}

/// One record by its id: a statement for `Store::point`. `render` handles its row.
pub fn record<R: Resource>(ctx: &Ctx, id: Uuid) -> (&'static str, [Value; 2]) {
    (&R::statements().record, [ctx.workspace.into(), id.into()])
}

/// Renders the row of `record`'s statement.
pub fn render<R: Resource>(ctx: &Ctx, row: &dyn Row) -> Result<Rendered, store::Error> {
    render_with::<R>(ctx, row, R::ABOUT.links)
}

/// Like `render`, with these links instead of the resource's own.
pub fn render_with<R: Resource>(ctx: &Ctx, row: &dyn Row, links: &'static [Link]) -> Result<Rendered, store::Error> {
    let columns = shown(R::FIELDS).count();
    let labels = match has_labels(R::FIELDS) {
        // Stamp 0 marks a read, and this function has no transaction to read names with; `fill` reads missing ones
        // later.
        true => Some(Labels::at(ctx, row.int(columns + 1)?, 0)),
        false => None,
    };
    let mut out = Rendered { json: Vec::with_capacity(1024), version: row.int(columns)?, gaps: Vec::new() };
    out.row(R::FIELDS, links, row, labels.as_ref())?;
    Ok(out)
}

impl Rendered {
    pub fn is_whole(&self) -> bool {
        self.gaps.is_empty()
    }

    /// Appends the record in the row; its columns are the shown fields, in their order.
    pub fn row(
        &mut self,
        fields: &'static [Field],
        links: &'static [Link],
        row: &dyn Row,
        labels: Option<&Labels>,
    ) -> Result<(), store::Error> {
        for (column, field) in shown(fields).enumerate() {
            self.json.extend_from_slice(if column == 0 { b"{\"" } else { b",\"" });
            self.json.extend_from_slice(field.name.as_bytes());
            self.json.extend_from_slice(b"\":");
            if let Some(own) = field.own {
                // The first column of every record is its id.
                self.gaps.push((self.json.len(), Gap::Own(own, row.id(0)?)));
                continue;
            }
            let written = row.get(column).and_then(|value| match (field.kind, value) {
                (_, Ref::Null) => {
                    self.json.extend_from_slice(b"null");
                    Ok(())
                }
                (Kind::Labels, _) => {
                    self.labels(json(value)?, labels);
                    Ok(())
                }
                (kind, value) => write_value(&mut self.json, kind, value),
            });
            written.map_err(|error| error.in_column(field.name))?;
        }
        for link in links {
            self.link(link, fields, row)?;
        }
        self.json.push(b'}');
        Ok(())
    }

    fn labels(&mut self, ids: Vec<Uuid>, labels: Option<&Labels>) {
        self.json.push(b'[');
        let names: Option<Vec<_>> = ids.iter().map(|id| labels.and_then(|labels| labels.get(*id))).collect();
        match names {
            Some(names) => write_names(&mut self.json, names.iter().flatten()),
            None => self.gaps.push((self.json.len(), Gap::Labels(ids))),
        }
        self.json.push(b']');
    }

    fn link(&mut self, link: &'static Link, fields: &'static [Field], row: &dyn Row) -> Result<(), store::Error> {
        let (column, field) =
            link.place(fields).ok_or_else(|| store::Error::Internal(format!("no field {} is shown", link.by)))?;
        self.json.extend_from_slice(b",\"");
        self.json.extend_from_slice(link.name.as_bytes());
        self.json.extend_from_slice(b"\":");
        match (field.kind, row.get(column)?) {
            (_, Ref::Null) => self.json.extend_from_slice(b"null"),
            (Kind::Ids, value) => {
                self.json.push(b'[');
                self.gaps.push((self.json.len(), Gap::Many(link, json(value)?)));
                self.json.push(b']');
            }
            (_, value) => self.gaps.push((self.json.len(), Gap::One(link, value.id()?))),
        }
        Ok(())
    }

    /// Fills the gaps from the same snapshot, with one read per table.
    pub fn fill(&mut self, ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
        if self.is_whole() {
            return Ok(());
        }
        let (mut label_ids, mut link_ids): (Vec<Uuid>, Vec<(&'static Link, Vec<Uuid>)>) = (Vec::new(), Vec::new());
        let mut own_ids: Vec<(Own, Vec<Uuid>)> = Vec::new();
        for (_, gap) in &self.gaps {
            let (link, ids) = match gap {
                Gap::Labels(ids) => {
                    label_ids.extend(ids);
                    continue;
                }
                Gap::One(link, id) => (link, std::slice::from_ref(id)),
                Gap::Many(link, ids) => (link, &ids[..]),
                Gap::Own(own, id) => {
                    match own_ids.iter_mut().find(|(known, _)| known == own) {
                        Some((_, all)) => all.push(*id),
                        None => own_ids.push((*own, vec![*id])),
                    }
                    continue;
                }
            };
            match link_ids.iter_mut().find(|(known, _)| known.name == link.name) {
                Some((_, all)) => all.extend(ids),
                None => link_ids.push((link, ids.to_vec())),
            }
        }
        let labels = if label_ids.is_empty() { None } else { Some(Labels::of(ctx, tx)?) };
        if let Some(labels) = &labels {
            labels.learn(ctx, tx, &label_ids)?;
        }
        let mut records = Vec::with_capacity(link_ids.len());
        for (link, ids) in &link_ids {
            records.push((link.name, linked(ctx, tx, link, ids)?));
        }
        let mut own_values = Vec::with_capacity(own_ids.len());
        for (own, ids) in &own_ids {
            own_values.push((*own, own_of(ctx, tx, own, ids)?));
        }
        let value = |own: &Own, id: &Uuid| {
            let (_, values) = own_values.iter().find(|(known, _)| known == own)?;
            values.get(id).copied()
        };
        let record = |link: &Link, id: &Uuid| {
            let (_, found) = records.iter().find(|(name, _)| *name == link.name)?;
            found.get(id)
        };
        let (mut whole, mut from) = (Vec::with_capacity(self.json.len() + 128 * self.gaps.len()), 0);
        for (at, gap) in self.gaps.drain(..) {
            whole.extend_from_slice(&self.json[from..at]);
            match gap {
                Gap::Labels(ids) => {
                    let name = |id: &Uuid| labels.as_ref()?.get(*id).flatten();
                    write_names(&mut whole, ids.iter().filter_map(name).collect::<Vec<_>>().iter());
                }
                Gap::Own(own, id) => {
                    let n = value(&own, &id).unwrap_or(0);
                    whole.extend_from_slice(n.to_string().as_bytes());
                }
                Gap::One(link, id) => whole.extend_from_slice(record(link, &id).map_or(b"null", Vec::as_slice)),
                Gap::Many(link, ids) => {
                    for (index, one) in ids.iter().filter_map(|id| record(link, id)).enumerate() {
                        whole.extend_from_slice(if index == 0 { b"" } else { b"," });
                        whole.extend_from_slice(one);
                    }
                }
            }
            from = at;
        }
        whole.extend_from_slice(&self.json[from..]);
        self.json = whole;
        Ok(())
    }
}

/// The caller's own values for these records; a record without one is not among them.
pub fn own_of(ctx: &Ctx, tx: &mut dyn Tx, own: &Own, ids: &[Uuid]) -> Result<HashMap<Uuid, i64>, Error> {
    let Own { table, member, record, value } = own;
    let mut found = HashMap::new();
    for some in ids.chunks(100) {
        let mut sql = Sql::new(&format!("SELECT {record}, {value} FROM {table} WHERE workspace_id = "));
        sql.bind(ctx.workspace).push(&format!(" AND {member} = ")).bind(ctx.member());
        sql.push(&format!(" AND {record} IN ")).bind_all(&padded(some));
        found.extend(tx.rows(&sql.text, &sql.params, |row| Ok((row.id(0)?, row.int(1)?)))?);
    }
    Ok(found)
}

/// The existing records with these ids, rendered. For a merged record it is the surviving one.
pub fn linked(ctx: &Ctx, tx: &mut dyn Tx, link: &Link, ids: &[Uuid]) -> Result<HashMap<Uuid, Vec<u8>>, Error> {
    let mut ids = ids.to_vec();
    ids.sort();
    ids.dedup();
    let mut found = present(ctx, tx, link, &ids)?;
    let mut went = HashMap::new();
    for id in ids.iter().filter(|id| !found.contains_key(*id)) {
        went.extend(survivor(ctx, tx, *id)?.map(|survivor| (*id, survivor)));
    }
    if !went.is_empty() {
        let survivors = present(ctx, tx, link, &went.values().copied().collect::<Vec<_>>())?;
        found.extend(went.into_iter().filter_map(|(id, survivor)| Some((id, survivors.get(&survivor)?.clone()))));
    }
    Ok(found)
}

fn present(ctx: &Ctx, tx: &mut dyn Tx, link: &Link, ids: &[Uuid]) -> Result<HashMap<Uuid, Vec<u8>>, Error> {
    let (mut found, key) = (HashMap::new(), link.fields.first().map_or("id", |field| field.name));
    let labels = if has_labels(link.fields) { Some(Labels::of(ctx, tx)?) } else { None };
    for some in ids.chunks(100) {
        let mut sql =
            Sql::new(&format!("SELECT {} FROM {} t WHERE t.workspace_id = ", columns(link.fields), link.table));
        sql.bind(ctx.workspace).push(&format!(" AND t.{key} IN "));
        sql.bind_all(&padded(some));
        let mut each = Vec::with_capacity(some.len());
        tx.each(&sql.text, &sql.params, &mut |row| {
            let mut one = Rendered::default();
            one.row(link.fields, &[], row, labels.as_ref())?;
            each.push((row.id(0)?, one));
            Ok(())
        })?;
        for (id, mut one) in each {
            one.fill(ctx, tx)?;
            found.insert(id, one.json);
        }
    }
    Ok(found)
}
