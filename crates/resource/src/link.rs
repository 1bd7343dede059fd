//! Links: the parts of referenced records that a record shows, such as the name of a company next to its id.

use crate::render::{columns, shown};
use crate::sql::Sql;
use crate::{Ctx, Error, Field, Labels, Rendered, Resource, survivor};
use std::collections::HashMap;
use store::Tx;
use uuid::Uuid;

#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// The member that contains the linked record.
    pub name: &'static str,
    /// The field with the id, or with a list of ids, of the linked record.
    pub by: &'static str,
    pub(crate) table: &'static str,
    /// The fields to show; the first one is the id.
    pub fields: &'static [Field],
}

impl Link {
    /// `R` may be a part of a resource: a struct of some of its fields, over the same table.
    pub const fn to<R: Resource>(name: &'static str, by: &'static str) -> Link {
        Link { name, by, table: R::ABOUT.table, fields: R::FIELDS }
    }

    /// The position of the referencing field among the shown fields.
    pub(crate) fn place(&self, fields: &'static [Field]) -> Option<(usize, &'static Field)> {
        shown(fields).enumerate().find(|(_, field)| field.name == self.by)
    }
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
    let labels = if crate::render::has_labels(link.fields) { Some(Labels::of(ctx, tx)?) } else { None };
    for some in ids.chunks(100) {
        let mut sql =
            Sql::new(&format!("SELECT {} FROM {} t WHERE t.workspace_id = ", columns(link.fields), link.table));
        sql.bind(ctx.workspace).push(&format!(" AND t.{key} IN "));
        sql.bind_all(&crate::sql::padded(some));
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
