//! The OpenAPI 3.1 document, built from the operations and the tables of fields that serve.

mod dashboard;
mod parameters;
mod tags;

pub use dashboard::dashboard_document;

use bytes::Bytes;
use crm::api::operation::{Data, Operation, Takes, Upload};
use crm::api::selection;
use crm::operations;
use crm::outreach::sequence::template::{is_variable, other_variables};
use crm::records::contact::Contact;
use resource::{About, Field, Kind, Resource, input_schema, record_schema};
use serde_json::{Map, Value as Json, json};
use sha2::{Digest, Sha256};

/// The interface's version: an addition raises the middle number.
const VERSION: &str = "1.0.0";

const ABOUT: &str = "\
Every request carries an API key: `Authorization: Bearer relata_…`. A key has scopes; each operation names the one that \
it requires.

Answers are `{\"data\": …}`, lists have `meta` beside it. Errors are `{\"error\": {\"code\", \"message\", \"details\"}}`; \
`details` names every problem of a body or a query at once.

Lists are filtered by `field=operator.value`, sorted by `sort=-created_at`, and paged by `offset` or, over large lists, \
by `cursor`. A filter can be given several times: all of them must hold. `fields=id,first_name` shows these members of \
each record and no others, even if its schema requires them.

A partial update changes the members that are sent and no others. `If-Match` with the record's `ETag` refuses to \
overwrite a change of somebody else. `Idempotency-Key` makes it safe to send a request again.

Each key may send a number of requests per hour; the headers `X-RateLimit-*` say how many are left, and `429` has \
`Retry-After`.";

/// The document as it is committed: in lines, for comparisons.
pub fn document() -> String {
    printed(&whole())
}

/// The hash of the document as it is served, without spaces, and its bytes.
pub(crate) fn served() -> (String, Bytes) {
    let text = whole().to_string();
    let hash = Sha256::digest(text.as_bytes()).iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    (hash, text.into())
}

fn whole() -> Json {
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
        if let Some((name, members)) = selection::members(operation) {
            schemas.insert(members_of(name), json!({ "type": "string", "enum": members }));
        }
    }
    add_variables(&mut schemas);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Relata",
            "version": VERSION,
            "summary": "Contacts, companies, deals, projects, candidates and outreach of one workspace.",
            "description": ABOUT,
            "contact": { "name": "Relata" },
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/api/v1" }],
        "security": [{ "key": [] }],
        "tags": tags::described(),
        "x-template-variables": other_variables(),
        "paths": paths,
        "components": {
            "securitySchemes": { "key": { "type": "http", "scheme": "bearer", "description": "An API key: relata_…" } },
            "parameters": parameters::shared(),
            "headers": shared_headers(),
            "responses": shared_responses(),
            "schemas": schemas,
        },
    })
}

fn printed(document: &Json) -> String {
    let mut text = serde_json::to_string_pretty(document).unwrap_or_default();
    text.push('\n');
    text
}

/// The schema of the names that `fields` takes where this schema is shown.
fn members_of(name: &str) -> String {
    format!("{name}Field")
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
    let mut described = json!({
        "operationId": operation.name,
        "summary": operation.summary,
        "description": description(operation),
        "tags": [operation.path.split('/').nth(1).unwrap_or_default()],
        "x-required-scope": operation.scope.map_or(if operation.any_read { "any:read" } else { "any" }, |scope| scope.name()),
        "x-plan": operation.feature.plan(),
        "parameters": parameters::of(operation),
        "responses": responses(operation, schemas),
    });
    if let Some(or) = operation.or {
        described["x-or-scope"] = or.name().into();
    }
    if let Some(also) = operation.also {
        described["x-also-required-scope"] = also.name().into();
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

/// Its permissions and costs in words.
fn description(operation: &Operation) -> String {
    let mut said = Vec::new();
    if let Takes::List(about, _) | Takes::Export(about, _) = operation.query
        && about.custom
    {
        said.push(
            "The workspace's own fields are filtered and sorted by, too: `custom_data.<key>=operator.value` with the \
             operators of the field's type, `sort=custom_data.<key>`."
                .to_owned(),
        );
    }
    said.push(match (operation.scope, operation.or, operation.also) {
        (Some(scope), Some(or), _) => format!("Required scope: `{}` or `{}`.", scope.name(), or.name()),
        (Some(scope), _, Some(also)) => format!("Required scopes: `{}` and `{}`.", scope.name(), also.name()),
        (Some(scope), ..) => format!("Required scope: `{}`.", scope.name()),
        (None, ..) if operation.any_read => "Required scope: any that reads.".to_owned(),
        (None, ..) => "Any key may call it.".to_owned(),
    });
    said.push(format!("Plan: {} or higher.", operation.feature.plan()));
    if operation.pays {
        said.push("It costs credits; `402` if too few are left.".to_owned());
    }
    if operation.uncounted {
        said.push("It does not count against the rate limit.".to_owned());
    }
    said.join(" ")
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
            (json!({ "type": "array", "items": item }), Some(reference("ListMeta")))
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

fn shared_schemas() -> Map<String, Json> {
    let whole = json!({ "type": "integer" });
    let schemas = json!({
        "Error": { "type": "object", "required": ["error"], "properties": { "error": reference("ErrorInfo") } },
        "ErrorInfo": {
            "type": "object",
            "required": ["code", "message"],
            "properties": {
                "code": { "type": "string", "enum": CODES },
                "message": { "type": "string", "description": "What is wrong, in words." },
                "details": {
                    "description": "Every problem of a validation_error, or the figures of another error.",
                    "oneOf": [{ "type": "array", "items": reference("Problem") }, reference("Figures")],
                },
            },
        },
        "Problem": {
            "type": "object",
            "required": ["field", "reason"],
            "properties": {
                "field": { "type": "string", "description": "The member or parameter, such as `emails[0].email`." },
                "reason": { "type": "string" },
            },
        },
        "Figures": {
            "type": "object",
            "description": "Which of them there are depends on the code.",
            "properties": {
                "credit_type": { "type": "string" },
                "available": whole,
                "required": whole,
                "used": whole,
                "limit": whole,
                "retry_after": { "type": "integer", "description": "Seconds." },
                "oldest": { "type": "string", "description": "The oldest sequence that the feed still has." },
            },
        },
        "ListMeta": {
            "type": "object",
            "description": "Paged by `offset` it has `total` and `offset`, paged by `cursor` it has `next_cursor`.",
            "additionalProperties": false,
            "required": ["limit", "has_more"],
            "properties": {
                "total": { "type": ["integer", "null"], "description": "How many records match; null with `count=none`." },
                "limit": whole,
                "offset": whole,
                "has_more": { "type": "boolean" },
                "next_cursor": { "type": ["string", "null"], "description": "The `cursor` of the next page; null after the last." },
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
