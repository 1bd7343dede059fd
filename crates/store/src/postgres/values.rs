//! Values and errors of PostgreSQL.

use crate::{Error, Ref, Row, Value};
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, private::BytesMut, to_sql_checked};
use uuid::Uuid;

pub(super) struct PgRow<'a>(pub(super) &'a tokio_postgres::Row);

impl Row for PgRow<'_> {
    fn get(&self, column: usize) -> Result<Ref<'_>, Error> {
        if column >= self.0.len() {
            return Err(Error::Internal(format!("there is no column {column}")));
        }
        self.0.try_get(column).map_err(|e| Error::unreadable(detail(&e)))
    }
    fn name(&self, column: usize) -> Option<&str> {
        self.0.columns().get(column).map(|column| column.name())
    }
}

impl<'a> FromSql<'a> for Ref<'a> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(match *ty {
            Type::BOOL => Ref::Bool(bool::from_sql(ty, raw)?),
            Type::INT8 => Ref::Int(i64::from_sql(ty, raw)?),
            Type::INT4 => Ref::Int(i32::from_sql(ty, raw)?.into()),
            Type::UUID => Ref::Id(Uuid::from_sql(ty, raw)?),
            Type::BYTEA => Ref::Bytes(raw),
            _ => Ref::Text(<&str>::from_sql(ty, raw)?),
        })
    }
    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Ref::Null)
    }
    fn accepts(ty: &Type) -> bool {
        matches!(*ty, Type::BOOL | Type::INT8 | Type::INT4 | Type::UUID | Type::BYTEA | Type::TEXT | Type::VARCHAR)
    }
}

/// Encodes a value as the type that the server declared for the parameter, so that the SQL needs no casts.
impl ToSql for Value {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Bool(b) => b.to_sql_checked(ty, out),
            Value::Int(n) if *ty == Type::INT4 => i32::try_from(*n)?.to_sql(ty, out),
            Value::Int(n) => n.to_sql_checked(ty, out),
            Value::Text(text) => text.to_sql_checked(ty, out),
            Value::Id(id) => id.to_sql_checked(ty, out),
            Value::Bytes(bytes) => bytes.to_sql_checked(ty, out),
        }
    }
    fn accepts(_: &Type) -> bool {
        true
    }
    to_sql_checked!();
}

/// The server's own message if there is one; the driver's summary leaves it out.
pub(super) fn detail(error: &tokio_postgres::Error) -> String {
    match error.as_db_error() {
        Some(db) => format!("{} ({})", db.message(), db.code().code()),
        None => match std::error::Error::source(error) {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        },
    }
}

pub(super) fn err(error: tokio_postgres::Error) -> Error {
    let why = detail(&error);
    let Some(code) = error.code().map(|state| state.code().to_owned()) else {
        let encoding = std::error::Error::source(&error).is_some_and(|s| s.is::<std::num::TryFromIntError>());
        let gone = error.is_closed() || std::error::Error::source(&error).is_some_and(|s| s.is::<std::io::Error>());
        return if gone && !encoding { Error::Unavailable(why) } else { Error::Internal(why) };
    };
    match code.as_str() {
        "57014" => Error::TooSlow,
        // The server is read-only after a failover, or ended an idle transaction.
        "25006" | "25P03" => Error::Unavailable(why),
        "XX001" | "XX002" => Error::damaged_database(why),
        _ => match &code[..2] {
            "23" => Error::Conflict(why),
            // Connection, rollback by the server, resources, operator intervention, I/O.
            "08" | "40" | "53" | "57" | "58" => Error::Unavailable(why),
            _ => Error::Internal(why),
        },
    }
}
