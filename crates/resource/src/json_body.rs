//! A body of JSON.

use crate::{Error, invalid};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value as Json};
use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

/// Most values of a body. The time and memory that a body takes depend on them more than on its bytes.
const MOST_VALUES: usize = 500_000;
/// Most members of one object.
const MOST_MEMBERS: usize = 10_000;
/// Most characters of a name that an error repeats.
const LONGEST_NAME: usize = 60;

/// The object of a JSON body; an empty body is an empty object. A member that occurs twice in one object is refused,
/// since one of its values would be lost.
pub fn object(bytes: &[u8]) -> Result<Map<String, Json>, Error> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Map::new());
    }
    if bytes.starts_with("\u{feff}".as_bytes()) {
        return Err(invalid("body", "begins with a byte order mark: send UTF-8 without it"));
    }
    // Before the values are built, since a body can hold a million members.
    let mut parser = serde_json::Deserializer::from_slice(bytes);
    if let Err(e) = (Bounded { values: &Cell::new(MOST_VALUES) }).deserialize(&mut parser)
        && e.is_data()
    {
        return Err(invalid("body", e.to_string()));
    }
    match serde_json::from_slice(bytes) {
        Ok(Json::Object(object)) => Ok(object),
        Ok(_) => Err(invalid("body", "must be a JSON object")),
        Err(e) => Err(invalid("body", format!("is not valid JSON: {e}"))),
    }
}

/// Reads any value and fails if it has too many values, or one of its objects has a member twice or too many members.
#[derive(Clone, Copy)]
struct Bounded<'a> {
    /// How many more values there may be.
    values: &'a Cell<usize>,
}

impl Bounded<'_> {
    fn count<E: serde::de::Error>(self) -> Result<(), E> {
        let left = self.values.get().checked_sub(1);
        let left = left.ok_or_else(|| E::custom(format!("has more than {MOST_VALUES} values; send several bodies")))?;
        self.values.set(left);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Bounded<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Bounded<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut names: HashSet<String> = HashSet::new();
        while let Some(name) = map.next_key::<String>()? {
            if names.contains(&name) {
                let name: String = name.chars().take(LONGEST_NAME).collect();
                return Err(A::Error::custom(format!("has the member {name} twice in one object")));
            }
            if names.len() == MOST_MEMBERS {
                return Err(A::Error::custom(format!("has more than {MOST_MEMBERS} members in one object")));
            }
            names.insert(name);
            self.count()?;
            map.next_value_seed(self)?;
        }
        Ok(())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(self)?.is_some() {
            self.count()?;
        }
        Ok(())
    }
    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }
    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }
    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }
    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }
    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::object;

    #[test]
    fn a_member_that_occurs_twice_is_refused() {
        for body in [
            r#"{"name": "Ada", "name": "Grace"}"#,
            r#"{"name": "Ada", "n\u0061me": "Ada"}"#,
            r#"{"custom_data": {"seats": 1.50, "seats": 2}}"#,
            r#"{"steps": [{"type": "wait"}, {"wait": 1, "type": "email", "wait": 2}]}"#,
        ] {
            let refused = object(body.as_bytes()).expect_err(body).to_string();
            assert!(refused.contains("twice in one object"), "{body}: {refused}");
        }
    }

    #[test]
    fn an_object_with_too_many_members_is_refused() {
        let body = |count: usize| {
            let members: Vec<String> = (0..count).map(|number| format!("\"m{number}\": [{{}}]")).collect();
            format!("{{{}}}", members.join(","))
        };
        assert_eq!(object(body(10_000).as_bytes()).map(|object| object.len()).ok(), Some(10_000));
        let refused = object(body(10_001).as_bytes()).expect_err("too many").to_string();
        assert!(refused.contains("more than 10000 members"), "{refused}");
        let many = format!("{{\"a\": [{}0]}}", "{\"b\":0},".repeat(300_000));
        let refused = object(many.as_bytes()).expect_err("too many").to_string();
        assert!(refused.contains("more than 500000 values"), "{refused}");
        let broken = object(b"{\"a\": [1, }").expect_err("not JSON").to_string();
        assert!(broken.contains("is not valid JSON"), "{broken}");
    }

    #[test]
    fn equal_names_in_different_objects_are_not_repeats() {
        let body =
            r#"{"name": 1.25e3, "a": {"name": null, "b": [{"name": true}, {"name": ["name", "name"]}]}, "n": -7}"#;
        assert_eq!(object(body.as_bytes()).map(|object| object.len()).ok(), Some(3));
    }
}
