//! Columns with their types, so that a misspelt field or a value of the wrong type does not compile. The derive emits one
//! for each field: `Contact::STATUS` is a `Column<Status>`.

use crate::field::{Choice, Field, FieldType};
use crate::field_type::{Day, Ids, Items, Part};
use crate::{Amount, Resource, Time};
use serde_json::{Map, Value as Json};
use std::marker::PhantomData;
use store::Value;
use uuid::Uuid;

/// A field of a resource whose values have the type `T`.
pub struct Column<T> {
    pub field: &'static Field,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Column<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Column<T> {}

impl<T: FieldType> Column<T> {
    pub const fn new(field: &'static Field) -> Self {
        Column { field, of: PhantomData }
    }
    pub const fn name(&self) -> &'static str {
        self.field.name
    }
}

/// A value that a column of type `T` takes.
pub trait Fits<T> {
    fn into_value(self) -> Value;
}

/// Each type with the types of the values that its columns take; a column that may be null takes them too, and options
/// of them.
macro_rules! fits {
    ($($of:ty: $($value:ty => $into:expr),*;)*) => {$($(
        impl Fits<$of> for $value {
            fn into_value(self) -> Value {
                let into: fn($value) -> Value = $into;
                into(self)
            }
        }
        impl Fits<Option<$of>> for $value {
            fn into_value(self) -> Value {
                Fits::<$of>::into_value(self)
            }
        }
        impl Fits<Option<$of>> for Option<$value> {
            fn into_value(self) -> Value {
                self.map_or(Value::Null, Fits::<$of>::into_value)
            }
        }
    )*)*};
}
fits! {
    String: String => Value::Text, &str => |text| Value::Text(text.to_owned()), &String => |text| Value::Text(text.clone());
    i64: i64 => Value::Int;
    bool: bool => Value::Bool;
    Uuid: Uuid => Value::Id;
    Time: Time => |time| Value::Int(time.0), i64 => Value::Int;
    Day: Day => |day| Value::Text(day.0), String => Value::Text;
    Amount: Amount => Value::from;
    Vec<String>: Json => text;
    Vec<Uuid>: Json => text;
    Ids: Json => text;
    Map<String, Json>: Json => text;
}

impl<T: Choice> Fits<T> for T {
    fn into_value(self) -> Value {
        Value::Text(self.stored().to_owned())
    }
}
impl<T: Choice> Fits<Option<T>> for T {
    fn into_value(self) -> Value {
        Value::Text(self.stored().to_owned())
    }
}
impl<T: Choice> Fits<Option<T>> for Option<T> {
    fn into_value(self) -> Value {
        self.map_or(Value::Null, Fits::<T>::into_value)
    }
}

fn text(json: Json) -> Value {
    Value::Text(json.to_string())
}

impl<T: Resource> Fits<Items<T>> for Json {
    fn into_value(self) -> Value {
        text(self)
    }
}
impl<T: Resource> Fits<Part<T>> for Json {
    fn into_value(self) -> Value {
        text(self)
    }
}
impl<T: Resource> Fits<Option<Part<T>>> for Json {
    fn into_value(self) -> Value {
        text(self)
    }
}
