//! Stored values as JSON.

use crate::stored::{List, Object, Text, UNKNOWN, json_text};
use crate::{Amount, Kind, Time};
use serde::de::DeserializeOwned;
use store::Ref;
use uuid::Uuid;

pub(crate) fn write_names<'a>(out: &mut Vec<u8>, names: impl Iterator<Item = &'a std::sync::Arc<str>>) {
    let mut written: Vec<&str> = Vec::new();
    for name in names {
        // A label and one that is being merged into it have the same name.
        if written.contains(&&**name) {
            continue;
        }
        if !written.is_empty() {
            out.push(b',');
        }
        write_text(out, name);
        written.push(name);
    }
}

/// A stored value of this kind as JSON.
pub fn write_value(out: &mut Vec<u8>, kind: Kind, value: Ref<'_>) -> Result<(), store::Error> {
    match kind {
        _ if value.is_null() => out.extend_from_slice(b"null"),
        Kind::Text | Kind::Date => write_text(out, value.text()?),
        Kind::Choice(words) => match value.text()? {
            word if words.contains(&word) => write_text(out, word),
            _ => return Err(store::Error::unreadable(UNKNOWN)),
        },
        Kind::Int => out.extend_from_slice(value.int()?.to_string().as_bytes()),
        Kind::Bool => out.extend_from_slice(if value.bool()? { b"true" } else { b"false" }),
        Kind::Id => {
            out.push(b'"');
            out.extend_from_slice(value.id()?.as_hyphenated().encode_lower(&mut Uuid::encode_buffer()).as_bytes());
            out.push(b'"');
        }
        Kind::Time => {
            out.push(b'"');
            Time::stored(value.int()?)?.write(out);
            out.push(b'"');
        }
        Kind::Amount => out.extend_from_slice(Amount::of_stored(value.int()?).to_string().as_bytes()),
        Kind::Texts | Kind::Labels | Kind::Ids => write_json::<List<Text>>(out, value.text()?)?,
        Kind::Items(_) => write_json::<List<Object>>(out, value.text()?)?,
        Kind::Object | Kind::Part(_) => write_json::<Object>(out, value.text()?)?,
        Kind::Number => write_json::<f64>(out, value.text()?)?,
    }
    Ok(())
}

/// Copies stored JSON after checking that it has this type, because a damaged value would make the whole response
/// invalid.
fn write_json<T: DeserializeOwned>(out: &mut Vec<u8>, text: &str) -> Result<(), store::Error> {
    json_text::<T>(text)?;
    out.extend_from_slice(text.as_bytes());
    Ok(())
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    // Writing to memory can't fail, and a string is always JSON.
    let _ = serde_json::to_writer(out, text);
}
