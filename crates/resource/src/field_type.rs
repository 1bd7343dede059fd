//! The Rust types of fields, and how each is read from its column.

use crate::stored::json;
use crate::{Error, Field, FieldType, Kind, Resource, Time};
use serde_json::{Map, Value as Json};
use std::marker::PhantomData;
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
    Time, Kind::Time, |value| value.int().and_then(Time::stored);
    Vec<String>, Kind::Texts, |value| json(value);
    Vec<Uuid>, Kind::Labels, |value| json(value);
    Ids, Kind::Ids, |value| json(value).map(Ids);
    Day, Kind::Date, |value| Ok(Day(value.text()?.to_owned()));
    Map<String, Json>, Kind::Object, |value| json(value);
}

/// A list of ids.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ids(pub Vec<Uuid>);

/// A day, `YYYY-MM-DD`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(pub String);

/// A list of objects shaped like `T`: their members were checked when the row was read.
pub struct Items<T>(pub Vec<Map<String, Json>>, PhantomData<T>);

impl<T: Resource> FieldType for Items<T> {
    const KIND: Kind = Kind::Items(T::FIELDS);
    fn decode(value: Ref<'_>) -> Result<Self, Error> {
        let items: Vec<Map<String, Json>> = json(value)?;
        items.iter().try_for_each(|item| check_item(T::FIELDS, item))?;
        Ok(Items(items, PhantomData))
    }
}

/// A stored item must have the required members, and each member the kind of its field.
fn check_item(fields: &[Field], item: &Map<String, Json>) -> Result<(), store::Error> {
    for field in fields {
        match item.get(field.name) {
            None | Some(Json::Null) if !field.required => {}
            None | Some(Json::Null) => return Err(store::Error::unreadable("an item lacks a member")),
            Some(value) if is_of(field.kind, value) => {}
            Some(_) => return Err(store::Error::unreadable(format!("{} of an item is of another kind", field.name))),
        }
    }
    Ok(())
}

fn is_of(kind: Kind, value: &Json) -> bool {
    let is_list = |is: fn(&Json) -> bool| value.as_array().is_some_and(|items| items.iter().all(is));
    match kind {
        Kind::Text | Kind::Id | Kind::Time | Kind::Date => value.is_string(),
        Kind::Choice(words) => value.as_str().is_some_and(|word| words.contains(&word)),
        Kind::Int => value.is_i64(),
        Kind::Amount | Kind::Number => value.is_number() || value.is_string(),
        Kind::Bool => value.is_boolean(),
        Kind::Texts | Kind::Labels | Kind::Ids => is_list(Json::is_string),
        Kind::Object => value.is_object(),
        Kind::Part(fields) => value.as_object().is_some_and(|part| check_item(fields, part).is_ok()),
        Kind::Items(fields) => value.as_array().is_some_and(|items| {
            items.iter().all(|item| item.as_object().is_some_and(|item| check_item(fields, item).is_ok()))
        }),
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
pub struct Part<T>(pub Map<String, Json>, PhantomData<T>);

impl<T: Resource> FieldType for Part<T> {
    const KIND: Kind = Kind::Part(T::FIELDS);
    fn decode(value: Ref<'_>) -> Result<Self, Error> {
        let part: Map<String, Json> = json(value)?;
        check_item(T::FIELDS, &part)?;
        Ok(Part(part, PhantomData))
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
