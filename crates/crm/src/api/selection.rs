//! `fields=`: the members that an answer shows of each record. The records are read and rendered as a whole, and the
//! others are left out of the answer afterwards, so every list and every record takes it, whichever way it is read.

use crate::api::call::{Content, Reply};
use crate::api::operation::{Data, Operation};
use resource::{Error, Field, Link, Page, invalid, nearest};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value as Json;
use serde_json::value::RawValue;
use std::fmt;

/// The query parameter.
pub const NAME: &str = "fields";
/// Always shown, where there is one.
const ID: &str = "id";
/// Unknown names that one error lists.
const LISTED: usize = 5;

/// The members to show.
#[derive(Debug)]
pub struct Selection(Vec<String>);

/// Whether the operation takes `fields`: it shows records and changes nothing.
pub fn selects(operation: &Operation) -> bool {
    let reads = operation.method == "GET" || matches!(operation.answer.data, Data::List(..)) && !operation.writes();
    reads && operation.role.is_none() && !matches!(operation.answer.data, Data::File | Data::Live(..) | Data::Deleted)
}

/// The name of the schema of what the operation shows, and its members; `None` if it does not take `fields`.
pub fn members(operation: &Operation) -> Option<(&'static str, Vec<String>)> {
    if !selects(operation) {
        return None;
    }
    let of_record = |fields: &'static [Field], links: &'static [Link]| {
        let shown = fields.iter().filter(|field| !field.hidden).map(|field| field.name);
        shown.chain(links.iter().map(|link| link.name)).map(str::to_owned).collect()
    };
    let (name, names): (_, Vec<String>) = match operation.answer.data {
        Data::Record(about, fields) | Data::List(about, fields) | Data::Whole(about, fields) => {
            let (name, links) = operation.answer.shows.unwrap_or((about.name, about.links));
            (name, of_record(fields, links))
        }
        Data::Items(name, schema)
        | Data::Synced(name, schema)
        | Data::Feed(name, schema)
        | Data::Detail(_, name, schema)
        | Data::Object(name, schema)
        | Data::Objects(name, schema) => {
            let schema = schema();
            (name, schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect())
        }
        Data::File | Data::Live(..) | Data::Deleted => return None,
    };
    (!names.is_empty()).then_some((name, names))
}

impl Selection {
    /// Takes `fields` out of the parameters of a request; `None` if all members are shown.
    pub fn take(operation: &Operation, query: &mut Vec<(String, String)>) -> Result<Option<Selection>, Error> {
        if !selects(operation) || !query.iter().any(|(name, _)| name == NAME) {
            return Ok(None);
        }
        let Some((_, known)) = members(operation) else { return Ok(None) };
        let given: Vec<String> = query.extract_if(.., |pair| pair.0 == NAME).map(|(_, text)| text).collect();
        let mut names: Vec<String> =
            given.iter().flat_map(|text| text.split(',')).map(|it| it.trim().to_owned()).collect();
        let unknown: Vec<&str> =
            names.iter().map(String::as_str).filter(|name| !known.iter().any(|it| it == name)).collect();
        if !unknown.is_empty() {
            return Err(invalid(NAME, refusal(&unknown, &known)));
        }
        if let Data::Synced(_, schema) = operation.answer.data {
            let included = included(query);
            if let Some(name) = names.iter().find(|name| is_optional(&schema(), name) && !included.contains(name)) {
                return Err(invalid(NAME, format!("{name} is shown only with include={name}")));
            }
            // What a client includes it wants to see.
            names.extend(included);
        }
        names.push(ID.to_owned());
        // A name that is given thousands of times is compared once.
        names.sort_unstable();
        names.dedup();
        Ok(Some(Selection(names)))
    }

    /// Leaves the members that were not asked for out of the answer.
    pub fn apply(&self, reply: Reply) -> Result<Reply, Error> {
        let data = match reply.data {
            Content::Json(json) => Content::Json(self.of_one(&json)?),
            Content::Whole(json, length) => Content::Whole([b"[", &self.of_list(&json)?[..], b"]"].concat(), length),
            Content::Page(page) => {
                let json = self.of_list(&[b"[", &page.json[..], b"]"].concat())?;
                Content::Page(Page { json, ..page })
            }
            // A cached answer has its envelope.
            Content::Ready { body, .. } => {
                let whole: Whole = serde_json::from_slice(&body).map_err(unreadable)?;
                Content::Json(self.of_one(whole.data.get().as_bytes())?)
            }
            other => other,
        };
        Ok(Reply { data, ..reply })
    }

    fn of_one(&self, json: &[u8]) -> Result<Vec<u8>, Error> {
        // Not every object that may be missing is there.
        if json == b"null" {
            return Ok(json.to_vec());
        }
        let mut out = Vec::with_capacity(json.len());
        self.write(&serde_json::from_slice(json).map_err(unreadable)?, &mut out);
        Ok(out)
    }

    /// The records of a JSON list, with commas between them.
    fn of_list(&self, json: &[u8]) -> Result<Vec<u8>, Error> {
        let records: Vec<Members> = serde_json::from_slice(json).map_err(unreadable)?;
        let mut out = Vec::with_capacity(json.len());
        for (at, record) in records.iter().enumerate() {
            out.extend_from_slice(if at == 0 { b"" } else { b"," });
            self.write(record, &mut out);
        }
        Ok(out)
    }

    fn write(&self, record: &Members, out: &mut Vec<u8>) {
        out.push(b'{');
        let shown = record.0.iter().filter(|(name, _)| self.0.contains(name));
        for (at, (name, value)) in shown.enumerate() {
            out.extend_from_slice(if at == 0 { b"\"" } else { b",\"" });
            // Only known names are selected, and none of them needs an escape.
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b"\":");
            out.extend_from_slice(value.get().as_bytes());
        }
        out.push(b'}');
    }
}

fn refusal(unknown: &[&str], known: &[String]) -> String {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let takes = known.join(", ");
    if unknown == [""] {
        return format!("names no member; it takes {takes}");
    }
    let short = |name: &&str| name.chars().take(60).collect::<String>();
    let listed = unknown.iter().take(LISTED).map(short).collect::<Vec<_>>().join(", ");
    let hint = match unknown {
        [name] => match (name.split_once('.'), nearest(name, &known)) {
            (Some((whole, _)), _) if known.contains(&whole) => format!(" (members are shown as a whole: {whole})"),
            (_, Some(near)) => format!(" (did you mean {near}?)"),
            (_, None) => String::new(),
        },
        _ => String::new(),
    };
    let is = if unknown.len() == 1 { "is not a member" } else { "are not members" };
    format!("{listed} {is} of what this operation shows{hint}; it takes {takes}")
}

/// The related records that the request includes.
fn included(query: &[(String, String)]) -> Vec<String> {
    let given = query.iter().filter(|(name, _)| name == "include");
    let names = given.flat_map(|(_, text)| text.split(',')).map(str::trim);
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn is_optional(schema: &Json, name: &str) -> bool {
    !schema["required"].as_array().is_some_and(|all| all.iter().any(|it| it == name))
}

fn unreadable(error: serde_json::Error) -> Error {
    store::Error::Internal(format!("an answer is not the JSON of records: {error}")).into()
}

#[derive(serde::Deserialize)]
struct Whole<'a> {
    #[serde(borrow)]
    data: &'a RawValue,
}

/// The members of an object in their order, with their values as they are written.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Vec<(String, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a record")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::with_capacity(32);
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Reader).map(Members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(names: &[&str], data: Content) -> String {
        let selection = Selection(names.iter().map(|name| (*name).to_owned()).collect());
        let reply = selection.apply(Reply::of(data)).expect("rendered JSON");
        String::from_utf8(reply.data.body().expect("a body").to_vec()).expect("UTF-8")
    }

    #[test]
    fn values_are_copied_as_they_are_written() {
        let record = br#"{"id":"1","amount":1.50,"name":"a\"}","tags":["x"],"note":null}"#;
        let json = || Content::Json(record.to_vec());
        assert_eq!(shown(&["id", "amount"], json()), r#"{"data":{"id":"1","amount":1.50}}"#);
        assert_eq!(shown(&["tags", "name", "note"], json()), r#"{"data":{"name":"a\"}","tags":["x"],"note":null}}"#);
        assert_eq!(shown(&["other"], json()), r#"{"data":{}}"#);
        assert_eq!(shown(&["id"], Content::Json(b"null".to_vec())), r#"{"data":null}"#);
        let body = [b"{\"data\":", &record[..], b"}"].concat().into();
        assert_eq!(shown(&["id"], Content::Ready { body, replayed: false }), r#"{"data":{"id":"1"}}"#);
        let list = [b"[", &record[..], b",", &record[..], b"]"].concat();
        assert!(shown(&["id"], Content::Whole(list, 2)).starts_with(r#"{"data":[{"id":"1"},{"id":"1"}],"#));
        assert!(shown(&["id"], Content::Whole(b"[]".to_vec(), 0)).starts_with(r#"{"data":[],"#));
    }

    #[test]
    fn an_unknown_member_is_answered_with_the_known_ones() {
        let known = ["id".to_owned(), "title".to_owned(), "company".to_owned()];
        for (unknown, words) in [
            (&["titel"][..], "titel is not a member of what this operation shows (did you mean title?); it takes id,"),
            (&["company.name"][..], "(members are shown as a whole: company)"),
            (&[""][..], "names no member; it takes id, title, company"),
            (&["foo", "bar"][..], "foo, bar are not members"),
        ] {
            let refusal = refusal(unknown, &known);
            assert!(refusal.contains(words), "{refusal}");
        }
        let long = "x".repeat(5000);
        assert!(refusal(&[long.as_str(); 50], &known).len() < 600);
    }
}
