//! Reads stored data. Damaged data is the error `Corrupt` with table, column and row, never an empty value, because the
//! next write would store that value.

use crate::Error;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value as Json, error::Category};
use std::borrow::Cow;
use std::fmt::{Display, Formatter};
use std::marker::PhantomData;
use store::{Ref, Row, corrupt};
use uuid::Uuid;

/// The reason for a text that is not one of the expected words.
pub(crate) const UNKNOWN: &str = "is none of the values that are known";

/// The location of a stored value: table, column and row.
pub struct Place<'a> {
    table: Cow<'static, str>,
    column: Cow<'static, str>,
    id: &'a dyn Display,
}

/// Names the location of a value for the errors of reading it.
pub fn place<'a>(
    table: impl Into<Cow<'static, str>>,
    column: impl Into<Cow<'static, str>>,
    id: &'a dyn Display,
) -> Place<'a> {
    Place { table: table.into(), column: column.into(), id }
}

impl Place<'_> {
    /// The error that the value is damaged. The reason must not contain the value, because it is logged.
    pub fn corrupt(&self, reason: impl Into<String>) -> Error {
        corrupt(self.table.clone(), self.column.clone(), self.id, reason).into()
    }

    /// Adds the location to an error of a part of the value.
    pub fn complete(&self, error: Error) -> Error {
        error.at(&self.column).in_row(&self.table, self.id)
    }

    /// Reads JSON text.
    pub fn json<T: DeserializeOwned>(&self, text: &str) -> Result<T, Error> {
        serde_json::from_str(text).map_err(|error| self.corrupt(reason(&error)))
    }

    /// Reads JSON that was built from stored values, such as a rendered record.
    pub fn bytes<T: DeserializeOwned>(&self, json: &[u8]) -> Result<T, Error> {
        serde_json::from_slice(json).map_err(|error| self.corrupt(reason(&error)))
    }

    /// Reads a part of a JSON document.
    pub fn part<T: DeserializeOwned>(&self, json: &Json) -> Result<T, Error> {
        T::deserialize(json).map_err(|error| self.corrupt(reason(&error)))
    }

    /// Reads a member of a stored object: `place.member::<&str>(item, "email")`. A missing member reads as `null`.
    pub fn member<'a, T: Deserialize<'a>>(&self, item: &'a Map<String, Json>, name: &str) -> Result<T, Error> {
        let unfit = |error| self.corrupt(format!("{name} of an item {}", reason(&error)));
        T::deserialize(item.get(name).unwrap_or(&Json::Null)).map_err(unfit)
    }

    /// Reads an id that is stored as text.
    pub fn id(&self, text: &str) -> Result<Uuid, Error> {
        Uuid::try_parse(text).map_err(|_| self.corrupt("is not an id"))
    }

    /// Reads a text, such as one of a fixed set of words: `place.word(&text, Role::from_word)`.
    pub fn word<T>(&self, word: &str, from_word: impl FnOnce(&str) -> Option<T>) -> Result<T, Error> {
        from_word(word).ok_or_else(|| self.corrupt(UNKNOWN))
    }
}

/// Reads columns with structured values. The error names the column; the store adds the table and the row.
pub trait StoredRow {
    fn json<T: DeserializeOwned>(&self, column: usize) -> Result<T, store::Error>;
    fn maybe_json<T: DeserializeOwned>(&self, column: usize) -> Result<Option<T>, store::Error>;
    /// A text that must be parsed, such as one of a fixed set of words.
    fn word<T>(&self, column: usize, from_word: impl FnOnce(&str) -> Option<T>) -> Result<T, store::Error>;
}

impl StoredRow for dyn Row + '_ {
    fn json<T: DeserializeOwned>(&self, column: usize) -> Result<T, store::Error> {
        self.read(column, |value| json(*value))
    }
    fn maybe_json<T: DeserializeOwned>(&self, column: usize) -> Result<Option<T>, store::Error> {
        self.read(column, |value| value.maybe(|value| json(*value)))
    }
    fn word<T>(&self, column: usize, from_word: impl FnOnce(&str) -> Option<T>) -> Result<T, store::Error> {
        let unknown = || store::Error::unreadable(UNKNOWN);
        self.read(column, |value| from_word(value.text()?).ok_or_else(unknown))
    }
}

/// Reads stored JSON; the caller adds the column to the error.
pub(crate) fn json<T: DeserializeOwned>(value: Ref<'_>) -> Result<T, store::Error> {
    json_text(value.text()?)
}

pub(crate) fn json_text<T: DeserializeOwned>(text: &str) -> Result<T, store::Error> {
    serde_json::from_str(text).map_err(|error| store::Error::unreadable(reason(&error)))
}

/// Types that only check the form of JSON without building a value, so that checking JSON before copying it is cheap.
pub(crate) struct Text;
pub(crate) struct Object;
pub(crate) struct List<T>(PhantomData<T>);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        struct Seen;
        impl Visitor<'_> for Seen {
            type Value = Text;
            fn expecting(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
                f.write_str("a text")
            }
            fn visit_str<E>(self, _: &str) -> Result<Text, E> {
                Ok(Text)
            }
        }
        deserializer.deserialize_str(Seen)
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Object, D::Error> {
        struct Seen;
        impl<'de> Visitor<'de> for Seen {
            type Value = Object;
            fn expecting(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Object, A::Error> {
                while members.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Object)
            }
        }
        deserializer.deserialize_map(Seen)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<List<T>, D::Error> {
        struct Seen<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Seen<T> {
            type Value = List<T>;
            fn expecting(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<List<T>, A::Error> {
                while items.next_element::<T>()?.is_some() {}
                Ok(List(PhantomData))
            }
        }
        deserializer.deserialize_seq(Seen(PhantomData))
    }
}

/// Why JSON can't be read, without quoting it: serde's own message contains values.
fn reason(error: &serde_json::Error) -> String {
    let what = match error.classify() {
        Category::Data => "is JSON of another shape",
        Category::Io | Category::Syntax | Category::Eof => "is not valid JSON",
    };
    match error.line() {
        0 => what.to_owned(),
        line => format!("{what} (line {line}, column {})", error.column()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_quotes_no_data() {
        let place = place("contacts", "emails", &7);
        let wrong = place.json::<Vec<i64>>("[1, \"anna@example.com\"]").unwrap_err().to_string();
        let expected = "stored data is damaged: contacts.emails of 7: is JSON of another shape (line 1, column 22)";
        assert_eq!(wrong, expected);
        let cut = place.json::<Vec<i64>>("[1, 2").unwrap_err().to_string();
        assert_eq!(cut, "stored data is damaged: contacts.emails of 7: is not valid JSON (line 1, column 5)");
        let part = place.part::<i64>(&"anna".into()).unwrap_err().to_string();
        assert_eq!(part, "stored data is damaged: contacts.emails of 7: is JSON of another shape");
        let item = Map::from_iter([("email".to_owned(), Json::from(7))]);
        let member = place.member::<&str>(&item, "email").unwrap_err().to_string();
        assert_eq!(member, "stored data is damaged: contacts.emails of 7: email of an item is JSON of another shape");
        assert!(place.member::<&str>(&item, "type").is_err_and(|error| error.is_corrupt()));
        assert_eq!(place.member::<Option<String>>(&item, "type"), Ok(None));
        assert_eq!(place.member::<i64>(&item, "email"), Ok(7));
        let texts = [r#"["a", "\n"]"#, "[]", "[1]", "{}", "["].map(|text| json_text::<List<Text>>(text).is_ok());
        assert_eq!(texts, [true, true, false, false, false]);
        let objects = [r#"[{"a": [1]}]"#, "[]", "[[]]", "{}"].map(|text| json_text::<List<Object>>(text).is_ok());
        assert_eq!(objects, [true, true, false, false]);
    }
}
