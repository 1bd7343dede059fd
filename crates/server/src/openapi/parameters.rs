//! The parameters of operations: in the path, the query and the headers.

use super::{members_of, shows_version, takes_version};
use crm::api::operation::{Data, Operation, Takes};
use crm::api::selection;
use resource::{About, Field, Kind, Sync, filters_of, input_schema, sorts_of};
use serde_json::{Map, Value as Json, json};

pub(super) fn of(operation: &Operation) -> Vec<Json> {
    let mut parameters = without_headers(operation);
    parameters.extend(selection::members(operation).map(|(name, _)| shown_members(name)));
    parameters.extend(headers(operation));
    parameters
}

/// Which members of the records to show.
fn shown_members(name: &str) -> Json {
    let item = json!({ "$ref": format!("#/components/schemas/{}", members_of(name)) });
    json!({
        "name": selection::NAME,
        "in": "query",
        "description": "Members to show, separated by commas; `id` is always shown. Without it all members are shown.",
        "style": "form",
        "explode": false,
        "schema": { "type": "array", "items": item },
    })
}

pub(super) fn without_headers(operation: &Operation) -> Vec<Json> {
    let mut parameters = in_path(operation.path);
    match operation.query {
        Takes::Nothing => {}
        Takes::List(about, fields) => {
            parameters.extend(["limit", "offset", "cursor", "count"].map(reference));
            parameters.extend(conditions(about, fields));
        }
        Takes::Export(about, fields) => {
            parameters.push(reference("format"));
            parameters.extend(conditions(about, fields));
        }
        Takes::Members(fields) => parameters.extend(members(fields)),
    }
    parameters
}

/// Parameters that several operations have.
pub(super) fn shared() -> Map<String, Json> {
    let group = |words: &str| {
        let schema = json!({ "type": "array", "items": { "type": "string", "pattern": r"^\(.+\)$" } });
        json!({
            "in": "query",
            "description": format!("{words}: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`."),
            "schema": schema,
        })
    };
    let tags = r#"^(\*|(W/)?"[^"]*"(\s*,\s*(W/)?"[^"]*")*)$"#;
    let shared = json!({
        "limit": {
            "in": "query",
            "description": "The size of a page.",
            "schema": { "type": "integer", "minimum": 1, "maximum": 100, "default": 50 },
        },
        "offset": {
            "in": "query",
            "description": "How many records to skip.",
            "schema": { "type": "integer", "minimum": 0, "default": 0 },
        },
        "cursor": {
            "in": "query",
            "description": "Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`.",
            "schema": { "type": "string" },
        },
        "count": {
            "in": "query",
            "description": "`none` leaves out `meta.total`, which is faster.",
            "schema": { "type": "string", "enum": ["exact", "none"], "default": "exact" },
        },
        "format": {
            "in": "query",
            "description": "The format of the file.",
            "schema": { "type": "string", "enum": ["csv", "ndjson"], "default": "csv" },
        },
        "or": group("At least one of these must hold"),
        "and": group("All of these must hold"),
        "not.or": group("None of these may hold"),
        "not.and": group("Not all of these may hold"),
        "updated_after": {
            "in": "query",
            "description": "Only records that changed after this RFC 3339 time, in the order of their changes.",
            "schema": { "type": "string", "format": "date-time" },
        },
        "updated_before": {
            "in": "query",
            "description": "Only records that last changed until this RFC 3339 time.",
            "schema": { "type": "string", "format": "date-time" },
        },
        "created_after": {
            "in": "query",
            "description": "Only records of this time or later: an RFC 3339 time or a date.",
            "schema": { "type": "string" },
        },
        "created_before": {
            "in": "query",
            "description": "Only records of before this time: an RFC 3339 time or a date.",
            "schema": { "type": "string" },
        },
        "search": {
            "in": "query",
            "description": "Words that must all occur, whatever their accents and case.",
            "schema": { "type": "string" },
        },
        "Last-Event-ID": {
            "in": "header",
            "description": "The last id that the client has seen: the stream continues after it.",
            "schema": { "type": "string" },
        },
        "If-None-Match": {
            "in": "header",
            "description": "ETags of what the client has, or `*`: 304 without a body if it has the latest.",
            "schema": { "type": "string", "pattern": tags },
        },
        "If-Match": {
            "in": "header",
            "description": "ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version.",
            "schema": { "type": "string", "pattern": tags },
        },
        "Idempotency-Key": {
            "in": "header",
            "description": "Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer.",
            "schema": { "type": "string", "pattern": "^[!-~]{1,255}$" },
        },
    });
    let mut shared = shared.as_object().cloned().unwrap_or_default();
    for (name, parameter) in &mut shared {
        parameter["name"] = name.as_str().into();
    }
    shared
}

fn reference(name: &str) -> Json {
    json!({ "$ref": format!("#/components/parameters/{name}") })
}

fn in_path(path: &str) -> Vec<Json> {
    let places = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let described = |name: &str| {
        let (schema, description) = match name {
            "request_id" => (json!({ "type": "string" }), "The id of the request."),
            "id" => (json!({ "type": "string", "format": "uuid" }), "The id of the record."),
            _ => (json!({ "type": "string", "format": "uuid" }), "The id of the related record."),
        };
        json!({ "name": name, "in": "path", "required": true, "description": description, "schema": schema })
    };
    places.map(described).collect()
}

/// The order of a list, and its filters.
fn conditions(about: &About, fields: &'static [Field]) -> Vec<Json> {
    let sorts = sorts_of(fields).join(", ");
    let mut parameters = vec![json!({
        "name": "sort",
        "in": "query",
        "description": format!("Fields separated by commas, each with `-` before it for descending: {sorts}. Default: `{}`.", about.default_sort),
        "schema": { "type": "string" },
        "example": about.default_sort,
    })];
    parameters.extend(["or", "and", "not.or", "not.and"].map(reference));
    if about.sync != Sync::None {
        parameters.push(reference("updated_after"));
    }
    if about.sync == Sync::Window {
        parameters.push(reference("updated_before"));
    }
    if about.created_bounds {
        parameters.extend(["created_after", "created_before"].map(reference));
    }
    if about.searches(fields) {
        parameters.push(reference("search"));
    }
    parameters.extend(filters_of(fields).map(|(name, operators, field)| {
        let values = match field.kind {
            Kind::Choice(words) => format!(" Values: {}.", words.join(", ")),
            _ => String::new(),
        };
        json!({
            "name": name,
            "in": "query",
            "description": format!("`operator.value`; operators: {}.{values} Given several times, all must hold.", operators.join(", ")),
            "schema": { "type": "array", "items": { "type": "string" } },
            "example": example(field),
            "x-operators": operators,
        })
    }));
    parameters
}

/// A filter that works as it is. A test sends it.
fn example(field: &Field) -> Json {
    match field.kind {
        Kind::Time | Kind::Date => json!(["gte.2026-01-01", "lt.2026-02-01"]),
        Kind::Int | Kind::Amount | Kind::Number => json!(["gte.1", "lt.100"]),
        Kind::Bool => json!(["eq.true"]),
        Kind::Choice(words) => json!([format!("in.({})", words.iter().take(2).copied().collect::<Vec<_>>().join(","))]),
        Kind::Texts | Kind::Labels => json!(["cs.{VIP}"]),
        Kind::Id | Kind::Ids => json!(["eq.01890a5d-ac96-774b-bcce-b302099a8057"]),
        _ => json!(["ilike.*ann*"]),
    }
}

/// Members of a query that is no list.
fn members(fields: &'static [Field]) -> impl Iterator<Item = Json> {
    let mut schema = input_schema(&[], fields, false);
    fields.iter().map(move |field| {
        let mut schema = schema["properties"][field.name].take();
        // A parameter that is not given is absent, never null.
        if let Some(kind) = schema["type"].as_array().and_then(|kinds| kinds.first().cloned()) {
            schema["type"] = kind;
        }
        if let Some(words) = schema.get_mut("enum").and_then(Json::as_array_mut) {
            words.retain(|word| !word.is_null());
        }
        let description = schema.as_object_mut().and_then(|members| members.remove("description"));
        let mut parameter = json!({ "name": field.name, "in": "query", "description": description, "schema": schema });
        if field.required {
            parameter["required"] = true.into();
        }
        parameter
    })
}

fn headers(operation: &Operation) -> Vec<Json> {
    let mut names = Vec::new();
    if let Data::Live(..) = operation.answer.data {
        names.push("Last-Event-ID");
    }
    if operation.method == "GET" && shows_version(operation) {
        names.push("If-None-Match");
    }
    if operation.repeats() {
        names.push("Idempotency-Key");
    }
    if takes_version(operation) {
        names.push("If-Match");
    }
    names.into_iter().map(reference).collect()
}
