//! Parameters of statements, and values borrowed from their rows.

use crate::Error;
use uuid::Uuid;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    Null,
    Bool(bool),
    /// Numbers, times in milliseconds, amounts in ten-thousandths.
    Int(i64),
    Text(String),
    Id(Uuid),
    Bytes(Vec<u8>),
}

/// A column of the current row, borrowed from the driver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ref<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Text(&'a str),
    Id(Uuid),
    Bytes(&'a [u8]),
}

pub trait Row {
    fn get(&self, column: usize) -> Result<Ref<'_>, Error>;
    /// The column's name in the statement; `None` if there is no such column or it has no name.
    fn name(&self, _: usize) -> Option<&str> {
        None
    }
}

impl Ref<'_> {
    pub fn is_null(&self) -> bool {
        matches!(self, Ref::Null)
    }
    pub fn bool(&self) -> Result<bool, Error> {
        match self {
            Ref::Bool(b) => Ok(*b),
            // SQLite has no boolean type.
            Ref::Int(n @ (0 | 1)) => Ok(*n == 1),
            other => other.unfit("a boolean"),
        }
    }
    pub fn int(&self) -> Result<i64, Error> {
        match self {
            Ref::Int(n) => Ok(*n),
            other => other.unfit("an integer"),
        }
    }
    pub fn id(&self) -> Result<Uuid, Error> {
        match self {
            Ref::Id(id) => Ok(*id),
            Ref::Bytes(bytes) => Uuid::from_slice(bytes).or_else(|_| self.unfit("an id")),
            other => other.unfit("an id"),
        }
    }
    fn unfit<T>(&self, wanted: &str) -> Result<T, Error> {
        let kind = match self {
            Ref::Null => "null",
            Ref::Bool(_) => "a boolean",
            Ref::Int(_) => "an integer",
            Ref::Text(_) => "text",
            Ref::Id(_) => "an id",
            Ref::Bytes(_) => "bytes",
        };
        Err(Error::unreadable(format!("expected {wanted}, found {kind}")))
    }
    pub fn to_value(&self) -> Value {
        match *self {
            Ref::Null => Value::Null,
            Ref::Bool(b) => Value::Bool(b),
            Ref::Int(n) => Value::Int(n),
            Ref::Text(text) => Value::Text(text.to_owned()),
            Ref::Id(id) => Value::Id(id),
            Ref::Bytes(bytes) => Value::Bytes(bytes.to_vec()),
        }
    }
}

impl<'a> Ref<'a> {
    pub fn text(&self) -> Result<&'a str, Error> {
        match self {
            Ref::Text(text) => Ok(text),
            other => other.unfit("text"),
        }
    }
    pub fn bytes(&self) -> Result<&'a [u8], Error> {
        match self {
            Ref::Bytes(bytes) => Ok(bytes),
            other => other.unfit("bytes"),
        }
    }
    /// `None` for null, else the result of `read`.
    pub fn maybe<T>(self, read: impl FnOnce(&Ref<'a>) -> Result<T, Error>) -> Result<Option<T>, Error> {
        if self.is_null() { Ok(None) } else { read(&self).map(Some) }
    }
}

impl dyn Row + '_ {
    pub fn bool(&self, column: usize) -> Result<bool, Error> {
        self.read(column, Ref::bool)
    }
    pub fn int(&self, column: usize) -> Result<i64, Error> {
        self.read(column, Ref::int)
    }
    pub fn id(&self, column: usize) -> Result<Uuid, Error> {
        self.read(column, Ref::id)
    }
    pub fn text(&self, column: usize) -> Result<String, Error> {
        self.read(column, |value| Ok(value.text()?.to_owned()))
    }
    pub fn maybe_int(&self, column: usize) -> Result<Option<i64>, Error> {
        self.read(column, |value| value.maybe(Ref::int))
    }
    pub fn maybe_id(&self, column: usize) -> Result<Option<Uuid>, Error> {
        self.read(column, |value| value.maybe(Ref::id))
    }
    pub fn maybe_text(&self, column: usize) -> Result<Option<String>, Error> {
        self.read(column, |value| value.maybe(|text| Ok(text.text()?.to_owned())))
    }
}

impl Value {
    pub fn as_ref(&self) -> Ref<'_> {
        match self {
            Value::Null => Ref::Null,
            Value::Bool(b) => Ref::Bool(*b),
            Value::Int(n) => Ref::Int(*n),
            Value::Text(text) => Ref::Text(text),
            Value::Id(id) => Ref::Id(*id),
            Value::Bytes(bytes) => Ref::Bytes(bytes),
        }
    }
}

/// A row that was copied from the driver.
impl Row for Vec<Value> {
    fn get(&self, column: usize) -> Result<Ref<'_>, Error> {
        let value = <[Value]>::get(self, column);
        value.map(Value::as_ref).ok_or_else(|| Error::Internal(format!("there is no column {column}")))
    }
}

impl From<Uuid> for Value {
    fn from(id: Uuid) -> Self {
        Value::Id(id)
    }
}
impl From<bool> for Value {
    fn from(b: bool) -> Self {
        Value::Bool(b)
    }
}
impl From<i64> for Value {
    fn from(n: i64) -> Self {
        Value::Int(n)
    }
}
impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::Text(text.to_owned())
    }
}
impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::Text(text)
    }
}
impl From<Vec<u8>> for Value {
    fn from(bytes: Vec<u8>) -> Self {
        Value::Bytes(bytes)
    }
}
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}
