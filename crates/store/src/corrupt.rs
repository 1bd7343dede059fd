//! Stored data that can't be read: its place and the reason. It never contains the data itself, which may be personal.

use crate::{Error, Ref, Row, Value};
use std::borrow::Cow;
use std::fmt::{Display, Formatter};

/// The place of a damaged value. A part that is not known is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Corrupt {
    pub table: Cow<'static, str>,
    pub column: Cow<'static, str>,
    /// The key of the row: usually the id of its record.
    pub id: String,
    pub reason: String,
}

impl Display for Corrupt {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        if self.table.is_empty() {
            return f.write_str(&self.reason);
        }
        f.write_str(&self.table)?;
        if !self.column.is_empty() {
            write!(f, ".{}", self.column)?;
        }
        if !self.id.is_empty() {
            write!(f, " of {}", self.id)?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// An unreadable value whose place the caller knows.
pub fn corrupt(
    table: impl Into<Cow<'static, str>>,
    column: impl Into<Cow<'static, str>>,
    id: impl Display,
    reason: impl Into<String>,
) -> Error {
    Error::Corrupt(Box::new(Corrupt {
        table: table.into(),
        column: column.into(),
        id: id.to_string(),
        reason: reason.into(),
    }))
}

impl Error {
    /// An unreadable value; the code that reads the row adds its place.
    pub fn unreadable(reason: impl Into<String>) -> Error {
        corrupt("", "", "", reason)
    }

    /// The engine reports that the database itself is damaged.
    pub(crate) fn damaged_database(reason: impl Into<String>) -> Error {
        corrupt("the database", "", "", reason)
    }

    /// Adds the column, unless it is known.
    pub fn in_column(self, column: &str) -> Error {
        self.completed(|corrupt| {
            if corrupt.table.is_empty() && corrupt.column.is_empty() {
                corrupt.column = column.to_owned().into();
            }
        })
    }

    /// Adds the table and the row, unless they are known.
    pub fn in_row(self, table: &str, id: impl Display) -> Error {
        self.completed(|corrupt| {
            if corrupt.table.is_empty() {
                corrupt.table = table.to_owned().into();
                corrupt.id = id.to_string();
            }
        })
    }

    /// Adds the table and the row's id, as far as the statement and the row show them.
    pub(crate) fn in_statement(self, sql: &str, params: &[Value], row: &dyn Row) -> Error {
        match &self {
            Error::Corrupt(_) => self.in_row(table_of(sql), identity(row, params)),
            _ => self,
        }
    }

    fn completed(mut self, complete: impl FnOnce(&mut Corrupt)) -> Error {
        if let Error::Corrupt(corrupt) = &mut self {
            complete(corrupt);
        }
        self
    }
}

/// The table that a statement reads, or writes: the first that it names outside of parentheses.
fn table_of(sql: &str) -> &str {
    let (mut depth, mut is_next) = (0_i32, false);
    for word in sql.split_ascii_whitespace() {
        let parentheses = |which: char| word.matches(which).count() as i32;
        if depth == 0 && is_next {
            return word.trim_end_matches([',', ';']);
        }
        is_next = depth == 0 && matches!(word, "FROM" | "UPDATE" | "INTO");
        depth += parentheses('(') - parentheses(')');
    }
    ""
}

/// The row's id: its column `id`, else its first id that is not the workspace's, else the last id among the parameters.
fn identity(row: &dyn Row, params: &[Value]) -> String {
    let mut first = None;
    for (at, name) in (0..).map_while(|at| Some((at, row.name(at)?))) {
        let Ok(id) = row.get(at).and_then(|value| value.id()) else { continue };
        if name == "id" {
            return id.to_string();
        }
        if name != "workspace_id" && first.is_none() {
            first = Some(id);
        }
    }
    let named = || params.iter().rev().find_map(|value| value.as_ref().id().ok());
    first.or_else(named).map(|id| id.to_string()).unwrap_or_default()
}

impl dyn Row + '_ {
    /// Reads a column; the error names it.
    pub fn read<'a, T>(&'a self, column: usize, read: impl FnOnce(&Ref<'a>) -> Result<T, Error>) -> Result<T, Error> {
        let value = self.get(column).and_then(|value| read(&value));
        value.map_err(|error| error.in_column(self.name(column).unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_tells_its_table() {
        assert_eq!(table_of("SELECT id FROM contacts t WHERE t.id = $1"), "contacts");
        let counted = "SELECT t.id, coalesce((SELECT k.n FROM record_counts k), 0) + 1 FROM companies t, heads h";
        assert_eq!(table_of(counted), "companies");
        assert_eq!(table_of("UPDATE merged_ids SET new_id = $1 RETURNING old_id"), "merged_ids");
        assert_eq!(table_of("DELETE FROM jobs WHERE id = $1 RETURNING id"), "jobs");
        assert_eq!(table_of("SELECT 1"), "");
    }

    #[test]
    fn an_error_names_table_column_and_row() {
        let error = Error::unreadable("is not valid JSON").in_column("state").in_row("enrollments", 7);
        assert_eq!(error.to_string(), "stored data is damaged: enrollments.state of 7: is not valid JSON");
        let again = error.clone().in_column("other").in_row("others", 8);
        assert_eq!(again, error);
        let whole = Error::damaged_database("it is malformed").in_column("state").in_row("enrollments", 7);
        assert_eq!(whole.to_string(), "stored data is damaged: the database: it is malformed");
    }
}
