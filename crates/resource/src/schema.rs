//! The table of fields as JSON Schema, for the API document. The members that begin with `x-` describe forms and tables.

use crate::filter::operators;
use crate::{Control, Field, Format, Kind, Link, listed};
use serde_json::{Map, Value as Json, json};

/// The schema of a record in responses.
pub fn record_schema(fields: &'static [Field], links: &'static [Link]) -> Json {
    let shown: Vec<&Field> = fields.iter().filter(|field| !field.hidden).collect();
    let mut properties: Map<String, Json> =
        shown.iter().map(|field| (field.name.to_owned(), member(field, false))).collect();
    for (at, field) in listed(fields).into_iter().enumerate() {
        properties[field.name]["x-order"] = (at + 1).into();
        properties[field.name]["x-control"] = field.shown_control().map(Control::word).into();
    }
    let mut required: Vec<&str> = shown.iter().map(|field| field.name).collect();
    for link in links {
        let by = fields.iter().find(|field| field.name == link.by);
        let mut one = record_schema(link.fields, &[]);
        let schema = match by {
            Some(field) if field.kind == Kind::Ids => json!({ "type": "array", "items": one }),
            Some(field) if field.nullable => {
                one["type"] = json!(["object", "null"]);
                one
            }
            _ => one,
        };
        properties.insert(link.name.into(), schema);
        required.push(link.name);
    }
    json!({ "type": "object", "properties": properties, "required": required })
}

/// The schema of a body. Required members are required only on creation. It has no `default`: generated clients would send
/// it in a partial update, and so reset members that the caller did not name.
pub fn input_schema(record: &'static [Field], extra: &'static [Field], creating: bool) -> Json {
    let mut properties = Map::new();
    for field in record.iter().chain(extra).filter(|field| !field.hidden && !field.read_only) {
        properties.insert(field.name.into(), member(field, true));
    }
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    let required: Vec<&str> =
        record.iter().chain(extra).filter(|f| creating && f.required && !f.read_only).map(|f| f.name).collect();
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}

fn member(field: &Field, input: bool) -> Json {
    let mut schema = match field.kind {
        Kind::Text => {
            let mut schema = json!({ "type": "string" });
            if input && field.max != usize::MAX {
                schema["maxLength"] = field.max.into();
            }
            if input && field.required {
                schema["minLength"] = 1.into();
            }
            match field.format {
                Format::Email => schema["format"] = "idn-email".into(),
                Format::Url | Format::Profile => schema["format"] = "iri".into(),
                Format::Color => schema["pattern"] = "^#[0-9A-Fa-f]{6}$".into(),
                Format::Currency => schema["pattern"] = "^[A-Za-z]{3}$".into(),
                Format::Any | Format::Phone | Format::Host => {}
            }
            schema
        }
        Kind::Int => {
            let mut schema = json!({ "type": "integer" });
            if field.least != i64::MIN {
                schema["minimum"] = field.least.into();
            }
            if field.most != i64::MAX {
                schema["maximum"] = field.most.into();
            }
            schema
        }
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Id => json!({ "type": "string", "format": "uuid" }),
        Kind::Time => json!({ "type": "string", "format": "date-time" }),
        Kind::Date => json!({ "type": "string", "format": "date" }),
        // Amounts are below this. `exclusiveMaximum` would be wrong: a client that reads 999999999999999.9999 as a
        // double gets exactly this number.
        Kind::Amount => json!({ "type": "number", "minimum": 0, "maximum": 1_000_000_000_000_000_u64 }),
        Kind::Number => json!({ "type": "number" }),
        Kind::Choice(words) => json!({ "type": "string", "enum": words }),
        Kind::Texts | Kind::Labels => list(field, input, {
            let mut item = json!({ "type": "string" });
            if input && field.item_max != usize::MAX {
                item["maxLength"] = field.item_max.into();
            }
            item
        }),
        Kind::Ids => list(field, input, json!({ "type": "string", "format": "uuid" })),
        Kind::Items([]) => list(field, input, json!({ "type": "object", "additionalProperties": true })),
        Kind::Items(fields) => {
            list(field, input, if input { input_schema(fields, &[], true) } else { record_schema(fields, &[]) })
        }
        Kind::Object => json!({ "type": "object", "additionalProperties": true }),
        Kind::Part(fields) if input => input_schema(fields, &[], true),
        Kind::Part(fields) => record_schema(fields, &[]),
    };
    if field.nullable {
        let base = schema["type"].take();
        schema["type"] = json!([base, "null"]);
        if let Some(words) = schema.get_mut("enum").and_then(Json::as_array_mut) {
            words.push(Json::Null);
        }
    }
    let default = field.default.filter(|_| input);
    let said = match default {
        Some(default) if field.doc.is_empty() => format!("Default: `{default}`."),
        Some(default) => format!("{} Default: `{default}`.", field.doc),
        None => field.doc.to_owned(),
    };
    if !said.is_empty() {
        schema["description"] = said.into();
    }
    // In bodies only labels that the name does not give: most members are described by the record.
    if !input || field.label.is_some() {
        schema["x-label"] = field.shown_label().into();
    }
    if !field.synonyms.is_empty() {
        schema["x-synonyms"] = field.synonyms.split(' ').collect();
    }
    if !input {
        if field.read_only {
            schema["readOnly"] = true.into();
        }
        if field.sort {
            schema["x-sort"] = true.into();
        }
        if let Some(name) = field.filter_name() {
            schema["x-filter"] = name.into();
        }
    }
    schema
}

fn list(field: &Field, input: bool, item: Json) -> Json {
    let mut schema = json!({ "type": "array", "items": item });
    if input && field.max != usize::MAX {
        schema["maxItems"] = field.max.into();
    }
    schema
}

/// The filters of a list: name, operators and field.
pub fn filters_of(
    fields: &'static [Field],
) -> impl Iterator<Item = (&'static str, &'static [&'static str], &'static Field)> {
    fields.iter().filter_map(|field| Some((field.filter_name()?, operators(field), field)))
}

pub fn sorts_of(fields: &'static [Field]) -> Vec<&'static str> {
    fields.iter().filter(|field| field.sort).map(|field| field.name).collect()
}
