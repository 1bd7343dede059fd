//! The Rust types of fields, and how each is read from its column.

use crate::stored::json;
use crate::{Error, Field, FieldType, Kind, Resource, Time};
use store::Ref;
use uuid::Uuid;

macro_rules! field_types {
    ($($type:ty, $kind:expr, $decode:expr;)*) => {$(
        impl FieldType for $type {
            const KIND: Kind = $kind;
            fn decode(value: Ref<'_>) -> Result<Self, Error> {
                let decode: fn(Ref<'_>) -> Result<Self, store::Error> = $decode;
                decode(value).map_err(Error::Store)
            }
        }
    )*};
}
field_types! {
    String, Kind::Text, |value| Ok(value.text()?.to_owned());
    i64, Kind::Int, |value| value.int();
    bool, Kind::Bool, |value| value.bool();
    Uuid, Kind::Id, |value| value.id();
    Time, Kind::Time, |value| value.int().map(Time);
    Vec<String>, Kind::Texts, |value| json(value);
    Vec<Uuid>, Kind::Labels, |value| json(value);
    Ids, Kind::Ids, |value| json(value).map(Ids);
    Day, Kind::Date, |value| Ok(Day(value.text()?.to_owned()));
    serde_json::Map<String, serde_json::Value>, Kind::Object, |value| json(value);
}

/// A list of ids.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ids(pub Vec<Uuid>);

/// A day, `YYYY-MM-DD`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(pub String);

/// A list of objects shaped like `T`.
pub struct Items<T>(pub Vec<serde_json::Map<String, serde_json::Value>>, std::marker::PhantomData<T>);

impl<T: Resource> FieldType for Items<T> {
    const KIND: Kind = Kind::Items(T::FIELDS);
    fn decode(value: Ref<'_>) -> Result<Self, Error> {
        let items: Vec<serde_json::Map<String, serde_json::Value>> = json(value)?;
        let lacks = |item: &serde_json::Map<_, _>, field: &Field| {
            field.required && item.get(field.name).is_none_or(serde_json::Value::is_null)
        };
        if items.iter().any(|item| T::FIELDS.iter().any(|field| lacks(item, field))) {
            return Err(store::Error::unreadable("an item lacks a member").into());
        }
        Ok(Items(items, std::marker::PhantomData))
    }
}

impl<T: FieldType> FieldType for Option<T> {
    const KIND: Kind = T::KIND;
    const NULLABLE: bool = true;
    fn decode(value: Ref<'_>) -> Result<Self, Error> {
        if value.is_null() { Ok(None) } else { T::decode(value).map(Some) }
    }
}

/// An object shaped like `T`.
pub struct Part<T>(pub serde_json::Map<String, serde_json::Value>, std::marker::PhantomData<T>);

impl<T: Resource> FieldType for Part<T> {
    const KIND: Kind = Kind::Part(T::FIELDS);
    fn decode(value: Ref<'_>) -> Result<Self, Error> {
        Ok(Part(json(value)?, std::marker::PhantomData))
    }
}

/// An enum whose variants are words that sort in the order of declaration: `choices! { Status { New = "new", Old =
/// "old" } }`.
#[macro_export]
macro_rules! choices {
    ($(#[$meta:meta])* $name:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($variant),* }

        impl $name {
            pub const WORDS: &'static [&'static str] = &[$($word),*];
            pub fn word(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some($name::$variant),)* _ => None }
            }
        }

        impl $crate::Choice for $name {
            fn stored(self) -> &'static str {
                self.word()
            }
        }

        impl $crate::FieldType for $name {
            const KIND: $crate::Kind = $crate::Kind::Choice(Self::WORDS);
            fn decode(value: ::store::Ref<'_>) -> Result<Self, $crate::Error> {
                let word = value.text()?;
                let unknown = || ::store::Error::unreadable(concat!("is no ", stringify!($name))).into();
                Self::from_word(word).ok_or_else(unknown)
            }
        }
    };
}
