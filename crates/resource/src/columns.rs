//! The columns of a record in SQL.

use crate::{Field, Kind};

/// The fields that the API shows.
pub(crate) fn shown(fields: &'static [Field]) -> impl Iterator<Item = &'static Field> {
    fields.iter().filter(|field| !field.hidden)
}

/// The columns of a record that the API shows: `t.id, t.first_name, …`.
pub fn columns(fields: &'static [Field]) -> String {
    let mut text = String::with_capacity(512);
    for field in shown(fields) {
        text.push_str(if text.is_empty() { "" } else { ", " });
        text.push_str(&column(field));
    }
    text
}

pub(crate) fn column(field: &Field) -> String {
    match field.count {
        // While a merge is being carried out, rows that still reference a merged id are counted under that id.
        Some(name) => format!(
            "coalesce((SELECT k.n FROM record_counts k WHERE k.workspace_id = t.workspace_id AND k.record = t.id AND k.name = '{name}'), 0) \
             + coalesce((SELECT CAST(sum(k.n) AS BIGINT) FROM merged_ids i CROSS JOIN record_counts k WHERE i.workspace_id = t.workspace_id AND i.new_id = t.id \
             AND k.workspace_id = i.workspace_id AND k.record = i.old_id AND k.name = '{name}'), 0)"
        ),
        // The values of the caller are filled in when the record is rendered.
        None if field.own.is_some() => "CAST(0 AS BIGINT)".to_owned(),
        None => format!("t.{}", field.column()),
    }
}

pub(crate) fn has_labels(fields: &[Field]) -> bool {
    fields.iter().any(|field| field.kind == Kind::Labels)
}
