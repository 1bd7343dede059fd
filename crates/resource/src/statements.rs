//! The SQL statements of a resource, built when the first one is needed.

use crate::columns::{column, columns, has_labels};
use crate::{Field, Kind};
use serde_json::Value as Json;
use store::Value;

pub struct Statements {
    /// A record as the API shows it, its version, and the stamp of the tags if it has labels.
    pub(crate) record: String,
    /// All fields and the version of one record.
    pub(crate) find: String,
    /// The same for many records, with their ids; the list of ids must be appended.
    pub(crate) all: String,
    pub(crate) insert: String,
    /// The content of each column of `insert`.
    pub(crate) columns: Vec<Column>,
    /// The position of each field among the parameters of `insert`.
    pub(crate) places: Vec<usize>,
    /// The positions of the shown fields.
    pub(crate) shown: Vec<usize>,
    /// The default of each field; `None` if a value is required.
    pub(crate) defaults: Vec<Option<Value>>,
}

/// Placeholder for the position of a value without a column until it is known.
const COUNT: usize = usize::MAX;

#[derive(Clone, Copy)]
pub(crate) enum Column {
    Workspace,
    Version,
    /// The field at this index of the table of fields.
    Field(usize),
    /// The same field, folded.
    Folded(usize),
    /// For tables that store the time of the last change without showing it.
    UpdatedAt,
}

impl Statements {
    pub fn of(table: &str, fields: &'static [Field]) -> Statements {
        let (mut names, mut columns) =
            (vec!["workspace_id".to_owned(), "version".to_owned()], vec![Column::Workspace, Column::Version]);
        let mut places = Vec::new();
        for (at, field) in fields.iter().enumerate() {
            if !field.is_column() {
                places.push(COUNT);
                continue;
            }
            if field.folded() {
                names.push(field.order_column());
                columns.push(Column::Folded(at));
            }
            places.push(columns.len());
            names.push(field.column().to_owned());
            columns.push(Column::Field(at));
        }
        if !fields.iter().any(|field| field.name == "updated_at") {
            names.push("updated_at".to_owned());
            columns.push(Column::UpdatedAt);
        }
        // A count or a member's own value has no column; its initial value follows the last parameter.
        places.iter_mut().filter(|place| **place == COUNT).for_each(|place| *place = columns.len());
        let params: Vec<String> = (1..=names.len()).map(|n| format!("${n}")).collect();
        let all: Vec<String> = fields.iter().map(column).collect();
        Statements {
            record: record_of(table, fields),
            find: format!(
                "SELECT {}, t.version FROM {table} t WHERE t.workspace_id = $1 AND t.id = $2",
                all.join(", ")
            ),
            all: format!(
                "SELECT {}, t.version, t.id FROM {table} t WHERE t.workspace_id = $1 AND t.id IN ",
                all.join(", ")
            ),
            insert: format!("INSERT INTO {table} ({}) VALUES ({})", names.join(", "), params.join(", ")),
            columns,
            shown: fields.iter().zip(&places).filter(|(field, _)| !field.hidden).map(|(_, at)| *at).collect(),
            places,
            defaults: fields.iter().map(default).collect(),
        }
    }
}

fn record_of(table: &str, fields: &'static [Field]) -> String {
    let columns = columns(fields);
    if has_labels(fields) {
        format!(
            "SELECT {columns}, t.version, h.tags_stamp FROM {table} t, heads h WHERE t.workspace_id = $1 AND t.id = $2 AND h.workspace_id = $1"
        )
    } else {
        format!("SELECT {columns}, t.version FROM {table} t WHERE t.workspace_id = $1 AND t.id = $2")
    }
}

/// The value of a field that the body does not contain; `None` if it is required.
pub(crate) fn default(field: &Field) -> Option<Value> {
    match (field.default, field.kind) {
        (Some(json), _) => field.check(field.name, &serde_json::from_str::<Json>(json).ok()?).ok(),
        _ if field.nullable => Some(Value::Null),
        (None, Kind::Texts | Kind::Items(_) | Kind::Labels | Kind::Ids) => Some("[]".into()),
        (None, Kind::Object) => Some("{}".into()),
        (None, Kind::Bool) => Some(false.into()),
        (None, Kind::Int) => Some(0.into()),
        (None, _) => None,
    }
}
