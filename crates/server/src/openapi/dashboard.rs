//! The document of the operations below `/dashboard`, for the dashboard's own client.

use super::{VERSION, describe, parameters, printed, refusal, shared_schemas};
use crate::request::sign_in::PREFIX;
use crm::api::operation::Operation;
use crm::dashboard::{self, open};
use serde_json::{Map, Value as Json, json};

/// The document as it is committed.
pub fn dashboard_document() -> String {
    let (mut paths, mut schemas) = (Map::new(), shared_schemas());
    // The dashboard's own errors have further codes.
    schemas["ErrorInfo"]["properties"]["code"] = json!({ "type": "string" });
    for operation in open::OPERATIONS.iter().chain(dashboard::all()) {
        let path = paths.entry(format!("{PREFIX}{}", operation.path)).or_insert_with(|| json!({}));
        path[operation.method.to_ascii_lowercase()] = described(operation, &mut schemas);
    }
    printed(&json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Relata dashboard",
            "version": VERSION,
            "description": "The operations of the dashboard besides the API. Programs use the API.",
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/" }],
        "security": [{ "session": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": { "session": { "type": "apiKey", "in": "cookie", "name": "relata_session" } },
            "parameters": parameters::shared(),
            "responses": { "Error": { "description": "An error", "content": refusal() } },
            "schemas": schemas,
        },
    }))
}

/// An operation with its role instead of a scope, without the headers that only clients with a key use, and with one
/// description for all errors.
fn described(operation: &Operation, schemas: &mut Map<String, Json>) -> Json {
    let mut whole = describe(operation, schemas);
    let Some(members) = whole.as_object_mut() else { return whole };
    members.remove("x-required-scope");
    match operation.role {
        Some(role) => members.insert("x-required-role".into(), role.word().into()),
        None => members.insert("security".into(), json!([])),
    };
    if operation.reauthenticates {
        members.insert("x-reauthenticates".into(), true.into());
    }
    members.insert("parameters".into(), parameters::without_headers(operation).into());
    // It would tell of scopes.
    members.remove("description");
    let mut responses = Map::new();
    for status in operation.answer.statuses {
        let content = &members["responses"][status.to_string()]["content"];
        responses.insert(status.to_string(), json!({ "description": "Success", "content": content }));
    }
    responses.insert("default".into(), json!({ "$ref": "#/components/responses/Error" }));
    members.insert("responses".into(), responses.into());
    whole
}
