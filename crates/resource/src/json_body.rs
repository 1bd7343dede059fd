//! A body of JSON.

use crate::{Error, invalid};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value as Json};
use std::collections::HashSet;
use std::fmt;

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
    match serde_json::from_slice(bytes) {
        Ok(Json::Object(object)) => {
            let mut parser = serde_json::Deserializer::from_slice(bytes);
            NoRepeats.deserialize(&mut parser).map_err(|e| invalid("body", e.to_string()))?;
            Ok(object)
        }
        Ok(_) => Err(invalid("body", "must be a JSON object")),
        Err(e) => Err(invalid("body", format!("is not valid JSON: {e}"))),
    }
}

/// Reads any value and fails if one of its objects has a member twice.
struct NoRepeats;

impl<'de> DeserializeSeed<'de> for NoRepeats {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for NoRepeats {
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
            names.insert(name);
            map.next_value_seed(NoRepeats)?;
        }
        Ok(())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(NoRepeats)?.is_some() {}
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
    fn equal_names_in_different_objects_are_not_repeats() {
        let body =
            r#"{"name": 1.25e3, "a": {"name": null, "b": [{"name": true}, {"name": ["name", "name"]}]}, "n": -7}"#;
        assert_eq!(object(body.as_bytes()).map(|object| object.len()).ok(), Some(3));
    }
}
