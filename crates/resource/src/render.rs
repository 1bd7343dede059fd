//! Records as JSON, written straight from the row by walking the table of fields.

use crate::{Ctx, Error, Field, Kind, Labels, Resource, Time};
use store::{Ref, Row, Tx, Value};
use uuid::Uuid;

/// JSON of one or more records. Where a label's name is not known yet there is a gap, to be
/// filled when the rows are through.
#[derive(Default)]
pub struct Rendered {
    pub json: Vec<u8>,
    gaps: Vec<(usize, Vec<Uuid>)>,
}

pub(crate) fn shown(fields: &'static [Field]) -> impl Iterator<Item = &'static Field> {
    fields.iter().filter(|field| !field.hidden)
}

/// The columns of a record as others see it: `t.id, t.first_name, …`.
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
        Some(name) => format!(
            "coalesce((SELECT k.n FROM record_counts k WHERE k.workspace_id = t.workspace_id AND k.record = t.id AND k.name = '{name}'), 0)"
        ),
        None => format!("t.{}", field.name),
    }
}

pub(crate) fn has_labels(fields: &[Field]) -> bool {
    fields.iter().any(|field| field.kind == Kind::Labels)
}

/// One record by its id: a statement for `Store::point` and what to do with its row. `None` where
/// a name is missing, and `find` must be used.
pub fn record<R: Resource>(ctx: &Ctx, id: Uuid) -> (String, [Value; 2]) {
    let (columns, table) = (columns(R::FIELDS), R::ABOUT.table);
    let sql = if has_labels(R::FIELDS) {
        format!(
            "SELECT {columns}, h.tags_stamp FROM {table} t, heads h WHERE t.workspace_id = $1 AND t.id = $2 AND h.workspace_id = $1"
        )
    } else {
        format!("SELECT {columns} FROM {table} t WHERE t.workspace_id = $1 AND t.id = $2")
    };
    (sql, [ctx.workspace.into(), id.into()])
}

/// The row of `record`'s statement.
pub fn render<R: Resource>(ctx: &Ctx, row: &dyn Row) -> Result<Rendered, store::Error> {
    let labels = match has_labels(R::FIELDS) {
        true => Some(Labels::at(ctx, row.int(shown(R::FIELDS).count())?)),
        false => None,
    };
    let mut out = Rendered { json: Vec::with_capacity(1024), gaps: Vec::new() };
    out.row(R::FIELDS, row, labels.as_ref())?;
    Ok(out)
}

impl Rendered {
    pub fn is_whole(&self) -> bool {
        self.gaps.is_empty()
    }

    /// Appends the row's record; its columns are the shown fields, in their order.
    pub fn row(
        &mut self,
        fields: &'static [Field],
        row: &dyn Row,
        labels: Option<&Labels>,
    ) -> Result<(), store::Error> {
        for (column, field) in shown(fields).enumerate() {
            self.json.extend_from_slice(if column == 0 { b"{\"" } else { b",\"" });
            self.json.extend_from_slice(field.name.as_bytes());
            self.json.extend_from_slice(b"\":");
            let value = row.get(column)?;
            match (field.kind, value) {
                (_, Ref::Null) => self.json.extend_from_slice(b"null"),
                (Kind::Labels, _) => self.labels(crate::field::json(value)?, labels),
                (kind, value) => write_value(&mut self.json, kind, value)?,
            }
        }
        self.json.push(b'}');
        Ok(())
    }

    fn labels(&mut self, ids: Vec<Uuid>, labels: Option<&Labels>) {
        self.json.push(b'[');
        let names: Option<Vec<_>> = ids.iter().map(|id| labels.and_then(|labels| labels.get(*id))).collect();
        match names {
            Some(names) => write_names(&mut self.json, names.iter().flatten()),
            None => self.gaps.push((self.json.len(), ids)),
        }
        self.json.push(b']');
    }

    /// Fills the gaps with names read from the same snapshot.
    pub fn fill(&mut self, ctx: &Ctx, tx: &mut dyn Tx, labels: Option<&Labels>) -> Result<(), Error> {
        let Some(labels) = labels.filter(|_| !self.gaps.is_empty()) else { return Ok(()) };
        let ids: Vec<Uuid> = self.gaps.iter().flat_map(|(_, ids)| ids.iter().copied()).collect();
        labels.learn(ctx, tx, &ids)?;
        let (mut whole, mut from) = (Vec::with_capacity(self.json.len() + 64 * self.gaps.len()), 0);
        for (at, ids) in self.gaps.drain(..) {
            whole.extend_from_slice(&self.json[from..at]);
            let names: Vec<_> = ids.iter().filter_map(|id| labels.get(*id).flatten()).collect();
            write_names(&mut whole, names.iter());
            from = at;
        }
        whole.extend_from_slice(&self.json[from..]);
        self.json = whole;
        Ok(())
    }
}

fn write_names<'a>(out: &mut Vec<u8>, names: impl Iterator<Item = &'a std::sync::Arc<str>>) {
    for (index, name) in names.enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write_text(out, name);
    }
}

pub(crate) fn write_value(out: &mut Vec<u8>, kind: Kind, value: Ref<'_>) -> Result<(), store::Error> {
    match kind {
        _ if value.is_null() => out.extend_from_slice(b"null"),
        Kind::Text | Kind::Date | Kind::Choice(_) => write_text(out, value.text()?),
        Kind::Int => out.extend_from_slice(value.int()?.to_string().as_bytes()),
        Kind::Bool => out.extend_from_slice(if value.bool()? { b"true" } else { b"false" }),
        Kind::Id => {
            out.push(b'"');
            out.extend_from_slice(value.id()?.as_hyphenated().encode_lower(&mut Uuid::encode_buffer()).as_bytes());
            out.push(b'"');
        }
        Kind::Time => {
            out.push(b'"');
            Time(value.int()?).write(out);
            out.push(b'"');
        }
        Kind::Number | Kind::Texts | Kind::Items(_) | Kind::Labels | Kind::Object => {
            out.extend_from_slice(value.text()?.as_bytes())
        }
    }
    Ok(())
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    // Writing to memory can't fail, and a string is always JSON.
    let _ = serde_json::to_writer(out, text);
}
