//! `GET /me`: the key, its owner, its workspace, limits and credits.

use crate::api::call::{Call, Reply};
use crate::api::operation::{Operation, get};
use crate::api::scope::PLANS;
use crate::tenant::credits::{self, Kind};
use crate::tenant::{member, workspace};
use resource::{Error, Time};
use serde_json::{Value as Json, json};
use store::Tx;

pub const OPERATIONS: &[Operation] =
    &[get("/me", "get_me", "Show the key, its owner, the workspace, limits and credits")
        .read(me)
        .gives_object("Me", schema)];

fn me(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let workspace = workspace::find(tx, call.ctx.workspace)?;
    let member = member::list(&call.ctx, tx)?.into_iter().find(|member| member.user_id == call.key.user);
    Ok(Reply::json(&json!({
        "key": {
            "id": call.key.key,
            "name": &*call.key.name,
            "prefix": crate::api::key::PREFIX,
            "last4": call.key.last4,
            "scopes": call.key.scopes.names(),
            "expires_at": call.key.expires_at.map(|at| Time(at).to_string()),
        },
        "user": member.as_ref().map(member::shown),
        "workspace": workspace::shown(&workspace),
        "limits": {
            "requests_per_hour": call.rate.limit,
            "remaining": call.rate.remaining,
            "resets_at": Time(call.rate.reset * 1000).to_string(),
        },
        "credits": {
            "sourcing": credits::balance(&call.ctx, tx, Kind::Sourcing)?,
            "enrichment": credits::balance(&call.ctx, tx, Kind::Enrichment)?,
        },
    })))
}

fn object(members: &[(&str, Json)]) -> Json {
    let properties: serde_json::Map<String, Json> =
        members.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    let required: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

/// The members of a workspace that its members see.
pub fn workspace_schema() -> Json {
    let text = json!({ "type": "string" });
    object(&[
        ("id", json!({ "type": "string", "format": "uuid" })),
        ("name", text.clone()),
        ("slug", text.clone()),
        ("timezone", text.clone()),
        ("currency", text),
        ("plan", json!({ "type": "string", "enum": PLANS })),
        ("subscription", json!({ "type": "string", "enum": ["active", "none"] })),
    ])
}

fn schema() -> Json {
    let (text, whole, time, id) = (
        json!({ "type": "string" }),
        json!({ "type": "integer" }),
        json!({ "type": "string", "format": "date-time" }),
        json!({ "type": "string", "format": "uuid" }),
    );
    let user = json!({ "anyOf": [{ "$ref": "#/components/schemas/Member" }, { "type": "null" }] });
    object(&[
        (
            "key",
            object(&[
                ("id", id),
                ("name", text.clone()),
                ("prefix", text.clone()),
                ("last4", text.clone()),
                ("scopes", json!({ "type": "array", "items": { "type": "string", "enum": crate::api::scope::NAMES } })),
                ("expires_at", json!({ "type": ["string", "null"], "format": "date-time" })),
            ]),
        ),
        ("user", user),
        ("workspace", workspace_schema()),
        ("limits", object(&[("requests_per_hour", whole.clone()), ("remaining", whole.clone()), ("resets_at", time)])),
        ("credits", object(&[("sourcing", whole.clone()), ("enrichment", whole)])),
    ])
}
