//! The OpenAPI 3.1 document, built from the operations and the tables of fields that serve.

mod dashboard;

pub use dashboard::dashboard_document;

use crm::api::operation::{Data, Operation, Takes, Upload};
use crm::operations;
use crm::outreach::sequence::template::{is_variable, other_variables};
use crm::records::contact::Contact;
use resource::{About, Field, Kind, Resource, Sync, filters_of, input_schema, record_schema, sorts_of};
use serde_json::{Map, Value as Json, json};

/// The interface's version: an addition raises the middle number.
const VERSION: &str = "1.0.0";

/// The document as it is served and committed.
pub fn document() -> String {
    let (mut paths, mut schemas) = (Map::new(), shared_schemas());
    for operation in operations::all() {
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        let described = describe(operation, &mut schemas);
        if operation.method == "PUT" {
            let mut patch = described.clone();
            patch["operationId"] = format!("{}_patch", operation.name).into();
            path["patch"] = patch;
        }
        path[operation.method.to_ascii_lowercase()] = described;
    }
    for operation in operations::all() {
        add_permission(operation, &mut schemas);
    }
    add_variables(&mut schemas);
    printed(&json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Relata",
            "version": VERSION,
            "description": "Contacts, companies, deals, projects, candidates and outreach of one workspace.",
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/api/v1" }],
        "security": [{ "key": [] }],
        "x-template-variables": other_variables(),
        "paths": paths,
        "components": {
            "securitySchemes": { "key": { "type": "http", "scheme": "bearer", "description": "An API key: relata_…" } },
            "headers": shared_headers(),
            "responses": shared_responses(),
            "schemas": schemas,
        },
    }))
}

fn printed(document: &Json) -> String {
    let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
    text.push('\n');
    text
}

/// Adds the scope and the plan that reading the records of a list requires.
fn add_permission(operation: &Operation, schemas: &mut Map<String, Json>) {
    let (Data::List(about, _), Some(scope)) = (operation.answer.data, operation.scope) else { return };
    let name = operation.answer.shows.map_or(about.name, |(name, _)| name);
    if let Some(schema) = schemas.get_mut(name).filter(|schema| schema.get("x-scope").is_none()) {
        schema["x-scope"] = scope.name().into();
        schema["x-plan"] = operation.feature.plan().into();
    }
}

/// Marks the fields of a contact that templates can use, with the name that they have there.
fn add_variables(schemas: &mut Map<String, Json>) {
    let Some(contact) = schemas.get_mut(Contact::ABOUT.name) else { return };
    for field in Contact::FIELDS.iter().filter(|field| is_variable(field)) {
        contact["properties"][field.name]["x-template-variable"] = field.name.into();
    }
}

fn describe(operation: &Operation, schemas: &mut Map<String, Json>) -> Json {
    let mut parameters = path_parameters(operation.path);
    match operation.query {
        Takes::Nothing => {}
        Takes::List(about, fields) | Takes::Export(about, fields) => {
            let text = |name: &str, description: &str| json!({ "name": name, "in": "query", "description": description, "schema": { "type": "string" } });
            if let Takes::List(..) = operation.query {
                parameters.push(json!({ "name": "limit", "in": "query", "schema": { "type": "integer", "minimum": 1, "maximum": 100, "default": 50 } }));
                parameters.push(
                    json!({ "name": "offset", "in": "query", "schema": { "type": "integer", "minimum": 0, "default": 0 } }),
                );
                parameters.push(text("cursor", "Keyset paging: empty for the first page, then meta.next_cursor."));
                parameters.push(json!({ "name": "count", "in": "query", "schema": { "type": "string", "enum": ["exact", "none"], "default": "exact" } }));
            } else {
                parameters.push(json!({ "name": "format", "in": "query", "schema": { "type": "string", "enum": ["csv", "ndjson"], "default": "csv" } }));
            }
            parameters.push(text(
                "sort",
                &format!(
                    "Comma list, - for descending: {}. Default {}.",
                    sorts_of(fields).join(", "),
                    about.default_sort
                ),
            ));
            parameters.push(text("or", "Alternatives: (field.op.value,field.op.value)."));
            parameters.push(text("and", "All of: (field.op.value,field.op.value)."));
            if about.sync != Sync::None {
                parameters.push(json!({ "name": "updated_after", "in": "query", "schema": { "type": "string", "format": "date-time" } }));
            }
            if about.sync == Sync::Window {
                parameters.push(json!({ "name": "updated_before", "in": "query", "schema": { "type": "string", "format": "date-time" } }));
            }
            if about.created_bounds {
                parameters.push(text("created_after", "Inclusive: an RFC 3339 time or a date."));
                parameters.push(text("created_before", "Exclusive: an RFC 3339 time or a date."));
            }
            if fields.iter().any(|field| field.search) {
                parameters.push(text("search", "Words that must all occur, accents and case folded."));
            }
            for (name, operators, _) in filters_of(fields) {
                let mut filter = text(name, &format!("operator.value; operators: {}.", operators.join(", ")));
                filter["x-operators"] = json!(operators);
                parameters.push(filter);
            }
        }
        Takes::Members(fields) => {
            let schema = input_schema(&[], fields, false);
            for field in fields {
                parameters
                    .push(json!({ "name": field.name, "in": "query", "schema": schema["properties"][field.name] }));
            }
        }
    }
    parameters.extend(header_parameters(operation));
    let mut described = json!({
        "operationId": operation.name,
        "summary": operation.summary,
        "tags": [operation.path.split('/').nth(1).unwrap_or_default()],
        "x-required-scope": operation.scope.map_or(if operation.any_read { "any:read" } else { "any" }, |scope| scope.name()),
        "x-plan": operation.feature.plan(),
        "parameters": parameters,
        "responses": responses(operation, schemas),
    });
    if let Some(or) = operation.or {
        described["x-or-scope"] = or.name().into();
    }
    if let Some(also) = operation.also {
        described["x-also-required-scope"] = also.name().into();
    }
    if let Takes::List(about, _) | Takes::Export(about, _) = operation.query
        && about.custom
    {
        described["description"] = "The workspace's own fields are filtered and sorted by, too: \
             `custom_data.<key>=operator.value` with the operators of the field's type, `sort=custom_data.<key>`."
            .into();
    }
    let mut content = Map::new();
    if let Some(upload) = &operation.upload {
        schemas.insert(upload.name.into(), form_schema(upload));
        content.insert("multipart/form-data".into(), json!({ "schema": reference(upload.name) }));
    }
    if let Some(body) = &operation.body {
        schemas.insert(body.name.into(), input_schema(body.shape.record, body.shape.extra, body.creating));
        content.insert("application/json".into(), json!({ "schema": reference(body.name) }));
    }
    if !content.is_empty() {
        described["requestBody"] = json!({ "required": !operation.body_is_optional(), "content": content });
    }
    described
}

fn shows_version(operation: &Operation) -> bool {
    matches!(operation.answer.data, Data::Record(..) | Data::Detail(..))
}

fn takes_version(operation: &Operation) -> bool {
    operation.writes() && operations::addressed(operation.path).is_some()
}

/// Whether it changes a contact or a company, whose addresses may have been erased.
fn stores_addresses(operation: &Operation) -> bool {
    operation.method == "PUT" && matches!(operation.answer.data, Data::Record(about, _) if about.custom)
}

fn header_parameters(operation: &Operation) -> Vec<Json> {
    let text = |name: &str, description: &str| json!({ "name": name, "in": "header", "description": description, "schema": { "type": "string" } });
    let mut parameters = Vec::new();
    if let Data::Live(..) = operation.answer.data {
        parameters.push(text("Last-Event-ID", "The last id that the client has seen: the stream goes on after it."));
    }
    if operation.method == "GET" && shows_version(operation) {
        parameters.push(text(
            "If-None-Match",
            "ETags of what the client has, or *: 304 without a body if it has the latest.",
        ));
    }
    if operation.repeats() {
        let mut key = text(
            "Idempotency-Key",
            "Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer.",
        );
        key["schema"] = json!({ "type": "string", "pattern": "^[!-~]{1,255}$" });
        parameters.push(key);
    }
    if takes_version(operation) {
        let description =
            "ETags of the record that the path names, or *: 412, and nothing is changed, if it is at another version.";
        parameters.push(text("If-Match", description));
    }
    parameters
}

fn form_schema(upload: &Upload) -> Json {
    let types = upload.only.map(|only| format!("{}. ", only.names)).unwrap_or_default();
    let mut schema = input_schema(&[], upload.members, true);
    schema["properties"]["file"] = json!({
        "type": "string",
        "format": "binary",
        "description": format!("{types}At most {} bytes.", upload.most),
    });
    let mut required = vec![json!("file")];
    required.extend(schema["required"].as_array().cloned().unwrap_or_default());
    schema["required"] = required.into();
    schema
}

fn responses(operation: &Operation, schemas: &mut Map<String, Json>) -> Json {
    let mut put_record = |about: &'static About, fields: &'static [Field]| {
        let (name, links) = operation.answer.shows.unwrap_or((about.name, about.links));
        let mut schema = record_schema(fields, links);
        schema["description"] = about.doc.into();
        schemas.insert(name.into(), schema);
        reference(name)
    };
    let (data, meta) = match operation.answer.data {
        Data::Record(about, fields) => (put_record(about, fields), None),
        Data::List(about, fields) => {
            let item = put_record(about, fields);
            let meta = json!({ "oneOf": [reference("OffsetMeta"), reference("CursorMeta")] });
            (json!({ "type": "array", "items": item }), Some(meta))
        }
        Data::Whole(about, fields) => {
            let item = put_record(about, fields);
            (json!({ "type": "array", "items": item }), Some(reference("OffsetMeta")))
        }
        Data::Items(name, schema) => {
            schemas.insert(name.into(), schema());
            (json!({ "type": "array", "items": reference(name) }), Some(reference("CursorMeta")))
        }
        Data::Synced(name, schema) => {
            schemas.insert(name.into(), schema());
            (json!({ "type": "array", "items": reference(name) }), Some(reference("SyncMeta")))
        }
        Data::Feed(name, schema) => {
            schemas.insert(name.into(), schema());
            (json!({ "type": "array", "items": reference(name) }), Some(reference("FeedMeta")))
        }
        Data::Live(name, schema) => {
            schemas.insert(name.into(), schema());
            (Json::Null, None)
        }
        Data::Deleted => (reference("Deleted"), None),
        Data::Object(name, schema) | Data::Detail(_, name, schema) => {
            schemas.insert(name.into(), schema());
            (reference(name), None)
        }
        Data::Objects(name, schema) => {
            schemas.insert(name.into(), schema());
            (json!({ "type": "array", "items": reference(name) }), Some(reference("OffsetMeta")))
        }
        Data::File => (Json::Null, None),
    };
    let mut body = json!({ "type": "object", "properties": { "data": &data }, "required": ["data"] });
    if let Some(meta) = meta {
        body["properties"]["meta"] = meta;
        body["required"] = json!(["data", "meta"]);
    }
    let mut responses = Map::new();
    for status in operation.answer.statuses {
        let mut headers = headers_of(operation);
        if *status == 201 {
            headers["Location"] = header("Location");
        }
        if shows_version(operation) {
            headers["ETag"] = header("ETag");
        }
        if operation.repeats() {
            headers["Idempotent-Replayed"] = header("Idempotent-Replayed");
        }
        let mut content = Map::new();
        if let Data::Live(name, _) = operation.answer.data {
            let description = format!("Server-sent events: `id` is the sequence, `event` the type, `data` a {name}.");
            let events = json!({ "schema": { "type": "string", "description": description } });
            content.insert("text/event-stream".into(), events);
            responses.insert(
                status.to_string(),
                json!({ "description": "Events as they happen", "headers": headers, "content": content }),
            );
            continue;
        }
        if !data.is_null() {
            content.insert("application/json".into(), json!({ "schema": body }));
        } else {
            headers["Content-Disposition"] = header("Content-Disposition");
        }
        let any: &[&str] = if data.is_null() && operation.files.is_empty() { &["*/*"] } else { operation.files };
        for media_type in any {
            content.insert((*media_type).into(), json!({ "schema": { "type": "string", "format": "binary" } }));
        }
        responses
            .insert(status.to_string(), json!({ "description": "Success", "headers": headers, "content": content }));
    }
    if let Some((name, schema)) = operation.accepted {
        schemas.insert(name.into(), schema());
        let body = json!({ "type": "object", "properties": { "data": reference(name) }, "required": ["data"] });
        let content = json!({ "application/json": { "schema": body } });
        let accepted =
            json!({ "description": "A job completes it", "headers": headers_of(operation), "content": content });
        responses.insert("202".into(), accepted);
    }
    if operation.method == "GET" && shows_version(operation) {
        let mut headers = rate_limit_headers();
        headers["ETag"] = header("ETag");
        responses.insert("304".into(), json!({ "description": "The client has it already", "headers": headers }));
    }
    let takes_body = operation.method != "GET";
    let is_feed = matches!(operation.answer.data, Data::Feed(..) | Data::Live(..));
    let by_query =
        matches!(operation.query, Takes::Members(fields) if fields.iter().any(|field| field.kind == Kind::Id));
    let names_one = operation.path.contains('{') || operation.method == "DELETE" || by_query;
    for (status, name, codes) in FAILURES {
        let applies = match *status {
            "402" => operation.pays,
            "404" => names_one,
            "409" => operation.repeats() || stores_addresses(operation),
            "410" => is_feed,
            "412" => takes_version(operation),
            "413" | "415" => takes_body,
            "429" => !operation.uncounted,
            _ => true,
        };
        if applies {
            let response = match operation.uncounted {
                true => json!({ "description": codes, "headers": headers_of(operation), "content": refusal() }),
                false => json!({ "$ref": format!("#/components/responses/{name}") }),
            };
            responses.insert((*status).into(), response);
        }
    }
    Json::Object(responses)
}

/// Refusals: status, name and codes.
const FAILURES: &[(&str, &str, &str)] = &[
    ("400", "Invalid", "validation_error or malformed_request"),
    ("401", "Unauthorized", "invalid_api_key"),
    ("402", "InsufficientCredits", "insufficient_credits"),
    ("403", "Forbidden", "insufficient_scope, insufficient_role, billing_required or plan_upgrade_required"),
    ("404", "NotFound", "not_found"),
    ("405", "MethodNotAllowed", "method_not_allowed"),
    ("409", "Conflict", "idempotency_conflict or erased_address"),
    ("410", "Gone", "gone"),
    ("412", "PreconditionFailed", "precondition_failed"),
    ("413", "PayloadTooLarge", "payload_too_large or storage_quota_exceeded"),
    ("415", "UnsupportedMediaType", "unsupported_media_type"),
    ("429", "TooManyRequests", "rate_limit_exceeded"),
    ("500", "InternalError", "internal_error"),
    ("503", "Unavailable", "unavailable"),
];

fn shared_responses() -> Map<String, Json> {
    let response = |(_, name, codes): &(&str, &str, &str)| {
        ((*name).into(), json!({ "description": codes, "headers": rate_limit_headers(), "content": refusal() }))
    };
    FAILURES.iter().map(response).collect()
}

fn refusal() -> Json {
    json!({ "application/json": { "schema": reference("Error") } })
}

/// The headers of an operation's answers.
fn headers_of(operation: &Operation) -> Json {
    if operation.uncounted { json!({ "X-Request-Id": header("X-Request-Id") }) } else { rate_limit_headers() }
}

/// The headers of every answer that counts against the limit.
fn rate_limit_headers() -> Json {
    let all = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"];
    all.into_iter().map(|name| (name.to_owned(), header(name))).collect::<Map<_, _>>().into()
}

fn shared_headers() -> Json {
    let whole = |description: &str| json!({ "description": description, "schema": { "type": "integer" } });
    let text = |description: &str| json!({ "description": description, "schema": { "type": "string" } });
    json!({
        "X-RateLimit-Limit": whole("Requests per hour"),
        "X-RateLimit-Remaining": whole("Requests left in this window"),
        "X-RateLimit-Reset": whole("Unix time at which the window ends"),
        "X-Request-Id": text("Given by the client, or made for it"),
        "Location": text("The path of what was made"),
        "ETag": text("The record's version and a hash of what is shown of it"),
        "Idempotent-Replayed": { "description": "true: this is the first answer again", "schema": { "type": "string", "const": "true" } },
        "Content-Disposition": text("attachment, and the file's name"),
    })
}

fn header(name: &str) -> Json {
    json!({ "$ref": format!("#/components/headers/{name}") })
}

fn reference(name: &str) -> Json {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn path_parameters(path: &str) -> Vec<Json> {
    let places = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let schema = |name: &str| match name {
        "request_id" => json!({ "type": "string" }),
        _ => json!({ "type": "string", "format": "uuid" }),
    };
    places.map(|name| json!({ "name": name, "in": "path", "required": true, "schema": schema(name) })).collect()
}

fn shared_schemas() -> Map<String, Json> {
    let whole = json!({ "type": "integer" });
    let schemas = json!({
        "Error": {
            "type": "object",
            "required": ["error"],
            "properties": {
                "error": {
                    "type": "object",
                    "required": ["code", "message"],
                    "properties": {
                        "code": { "type": "string", "enum": CODES },
                        "message": { "type": "string" },
                        "details": { "description": "Each problem of a validation_error, or figures of another.", "type": ["array", "object"] },
                    },
                },
            },
        },
        "OffsetMeta": {
            "type": "object",
            "additionalProperties": false,
            "required": ["total", "limit", "offset", "has_more"],
            "properties": { "total": { "type": ["integer", "null"] }, "limit": whole, "offset": whole, "has_more": { "type": "boolean" } },
        },
        "CursorMeta": {
            "type": "object",
            "additionalProperties": false,
            "required": ["limit", "has_more", "next_cursor"],
            "properties": { "limit": whole, "has_more": { "type": "boolean" }, "next_cursor": { "type": ["string", "null"] } },
        },
        "FeedMeta": {
            "type": "object",
            "additionalProperties": false,
            "required": ["limit", "has_more", "last"],
            "properties": {
                "limit": whole,
                "has_more": { "type": "boolean" },
                "last": { "type": "string", "pattern": "^[0-9]+$", "description": "What to give as `after` next." },
            },
        },
        "SyncMeta": {
            "type": "object",
            "additionalProperties": false,
            "required": ["limit", "has_more", "next_cursor", "checkpoint"],
            "properties": {
                "limit": whole,
                "has_more": { "type": "boolean" },
                "next_cursor": { "type": ["string", "null"] },
                "checkpoint": { "type": "string", "format": "date-time", "description": "The next updated_after, once the last page is through." },
            },
        },
        "Deleted": { "type": "object", "required": ["deleted"], "properties": { "deleted": { "type": "boolean", "const": true } } },
    });
    schemas.as_object().cloned().unwrap_or_default()
}

const CODES: &[&str] = &[
    "validation_error",
    "malformed_request",
    "invalid_api_key",
    "insufficient_credits",
    "insufficient_scope",
    "insufficient_role",
    "billing_required",
    "plan_upgrade_required",
    "not_found",
    "method_not_allowed",
    "idempotency_conflict",
    "erased_address",
    "gone",
    "precondition_failed",
    "payload_too_large",
    "storage_quota_exceeded",
    "unsupported_media_type",
    "rate_limit_exceeded",
    "internal_error",
    "unavailable",
];
