//! The statements of a resource and what they need to know of its fields: written once, when the first is used.

use crate::render::{column, columns, has_labels};
use crate::{Field, Kind, Resource};
use serde_json::Value as Json;
use store::Value;

pub struct Statements {
    /// A record as others see it, its version, and the stamp of its labels' names where it has labels.
    pub(crate) record: String,
    /// All its fields and its version.
    pub(crate) find: String,
    /// The same of many, and the id: up to their places.
    pub(crate) all: String,
    pub(crate) insert: String,
    /// What stands in each column of `insert`.
    pub(crate) columns: Vec<Column>,
    /// Where in `insert` each field stands.
    pub(crate) places: Vec<usize>,
    /// Where the shown ones do.
    pub(crate) shown: Vec<usize>,
    /// What a new record has in a field that was not given; `None` must be given.
    pub(crate) defaults: Vec<Option<Value>>,
}

/// Stands for the place of a counted field until that is known.
const COUNT: usize = usize::MAX;

#[derive(Clone, Copy)]
pub(crate) enum Column {
    Workspace,
    Version,
    /// The field at this place of the table of fields.
    Field(usize),
    /// The same, folded.
    Folded(usize),
    /// A table may keep the time of change without showing it.
    UpdatedAt,
}

impl Statements {
    pub fn of<R: Resource>() -> Statements {
        let table = R::ABOUT.table;
        let (mut names, mut columns) =
            (vec!["workspace_id".to_owned(), "version".to_owned()], vec![Column::Workspace, Column::Version]);
        let mut places = Vec::new();
        for (at, field) in R::FIELDS.iter().enumerate() {
            if field.count.is_some() {
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
        if !R::FIELDS.iter().any(|field| field.name == "updated_at") {
            names.push("updated_at".to_owned());
            columns.push(Column::UpdatedAt);
        }
        // What is counted has no column; its first count follows the last parameter.
        places.iter_mut().filter(|place| **place == COUNT).for_each(|place| *place = columns.len());
        let params: Vec<String> = (1..=names.len()).map(|n| format!("${n}")).collect();
        let all: Vec<String> = R::FIELDS.iter().map(column).collect();
        Statements {
            record: record_of(table, R::FIELDS),
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
            shown: R::FIELDS.iter().zip(&places).filter(|(field, _)| !field.hidden).map(|(_, at)| *at).collect(),
            places,
            defaults: R::FIELDS.iter().map(default).collect(),
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

/// What a record has in a field that was not given; `None` must be given.
pub(crate) fn default(field: &Field) -> Option<Value> {
    match (field.default, field.kind) {
        (Some(json), _) => field.check(field.name, &serde_json::from_str(json).unwrap_or(Json::Null)).ok(),
        _ if field.nullable => Some(Value::Null),
        (None, Kind::Texts | Kind::Items(_) | Kind::Labels | Kind::Ids) => Some("[]".into()),
        (None, Kind::Object) => Some("{}".into()),
        (None, Kind::Bool) => Some(false.into()),
        (None, Kind::Int) => Some(0.into()),
        (None, _) => None,
    }
}
