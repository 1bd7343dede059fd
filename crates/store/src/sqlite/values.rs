//! Values, rows and errors of SQLite.

use crate::{Error, Ref, Row, Value};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{ErrorCode, ToSql};

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Value::Null => ValueRef::Null,
            Value::Bool(b) => ValueRef::Integer((*b).into()),
            Value::Int(n) => ValueRef::Integer(*n),
            Value::Text(text) if text.contains('\0') => {
                return Err(rusqlite::Error::ToSqlConversionFailure("text can't hold NUL".into()));
            }
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Id(id) => ValueRef::Blob(id.as_bytes()),
            Value::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

pub(super) struct SqliteRow<'a, 'b>(pub(super) &'a rusqlite::Row<'b>);

impl Row for SqliteRow<'_, '_> {
    fn get(&self, column: usize) -> Result<Ref<'_>, Error> {
        let utf8 = |text| std::str::from_utf8(text).map_err(|_| Error::unreadable("is not UTF-8"));
        Ok(match self.0.get_ref(column).map_err(err)? {
            ValueRef::Null => Ref::Null,
            ValueRef::Integer(n) => Ref::Int(n),
            ValueRef::Text(text) => Ref::Text(utf8(text)?),
            ValueRef::Blob(bytes) => Ref::Bytes(bytes),
            ValueRef::Real(_) => return Err(Error::unreadable("is a binary float")),
        })
    }
    fn name(&self, column: usize) -> Option<&str> {
        self.0.as_ref().column_name(column).ok()
    }
}

pub(super) fn err(error: rusqlite::Error) -> Error {
    // A value of the wrong type is a bug in the program, not a violated rule.
    if error.sqlite_error().is_some_and(|e| e.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_DATATYPE) {
        return Error::Internal(error.to_string());
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) => Error::TooSlow,
        Some(ErrorCode::ConstraintViolation) => Error::Conflict(error.to_string()),
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Error::damaged_database(error.to_string()),
        Some(
            ErrorCode::DiskFull
            | ErrorCode::SystemIoFailure
            | ErrorCode::OutOfMemory
            | ErrorCode::CannotOpen
            | ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseLocked
            | ErrorCode::ReadOnly
            | ErrorCode::FileLockingProtocolFailed,
        ) => Error::Unavailable(error.to_string()),
        _ => Error::Internal(error.to_string()),
    }
}
