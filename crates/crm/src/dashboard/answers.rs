//! The answers of the dashboard's operations that are not records of the API, as tables of fields for the document.

use crate::api::scope::{NAMES, Role};
use crate::outreach::account::ConnectedAccount;
use crate::records::collection::Collection;
use crate::records::cv;
use crate::tenant::credits::Kind;
use crate::tenant::me;
use crate::tenant::member::Member;
use resource::{Field, Items, Part, Resource, Time, record_schema};
use serde_json::{Value as Json, json};
use store::Uuid;

/// The schema of a table of fields.
pub fn schema_of<R: Resource>() -> Json {
    record_schema(R::FIELDS, R::ABOUT.links)
}

/// The schema of an object with the fields of several tables.
fn joined(tables: &[&'static [Field]]) -> Json {
    let mut whole = json!({ "type": "object", "properties": {}, "required": [] });
    for fields in tables {
        let schema = record_schema(fields, &[]);
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            whole["properties"][name] = member.clone();
        }
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        if let Some(all) = whole["required"].as_array_mut() {
            all.extend(required);
        }
    }
    whole
}

#[derive(Resource)]
pub struct DashboardState {
    pub setup_required: bool,
    pub version: String,
}

#[derive(Resource)]
pub struct SetupState {
    pub valid: bool,
}

#[derive(Resource)]
pub struct SignedOut {
    pub signed_out: bool,
}

resource::choices! {
    GuestKind { Invitation = "invitation", Reset = "reset" }
}

/// Who opened a link.
#[derive(Resource)]
pub struct Guest {
    pub email: String,
    pub workspace_name: String,
    pub first_name: String,
    pub last_name: String,
    pub kind: GuestKind,
    pub signed_in: bool,
}

#[derive(Resource)]
pub struct WorkspaceChoice {
    pub id: Uuid,
    pub name: String,
    pub role: Role,
}

/// The signed-in user, the workspace and the permissions.
#[derive(Resource)]
pub struct Session {
    pub user: Part<Member>,
    pub role: Role,
    pub features: Vec<String>,
    pub workspaces: Items<WorkspaceChoice>,
}

pub fn session_schema() -> Json {
    let mut schema = schema_of::<Session>();
    schema["properties"]["workspace"] = me::workspace_schema();
    schema["properties"]["scopes"] = json!({ "type": "array", "items": { "type": "string", "enum": NAMES } });
    if let Some(required) = schema["required"].as_array_mut() {
        required.extend(["workspace".into(), "scopes".into()]);
    }
    schema
}

#[derive(Resource)]
pub struct OpenSession {
    pub id: Uuid,
    /// The session of this request.
    pub current: bool,
    pub address: String,
    pub user_agent: String,
    pub created_at: Time,
    pub last_used_at: Time,
    pub expires_at: Time,
}

#[derive(Resource)]
pub struct Reauthenticated {
    pub authenticated_until: Time,
}

#[derive(Resource)]
pub struct PasswordChanged {
    pub changed: bool,
}

#[derive(Resource)]
pub struct ScopeGrant {
    pub scope: String,
    pub description: String,
}

#[derive(Resource)]
pub struct ScopeArea {
    pub name: String,
    pub scopes: Items<ScopeGrant>,
}

#[derive(Resource)]
pub struct ScopeBundle {
    pub name: String,
    pub description: String,
    pub scopes: Vec<String>,
}

/// The permissions that a key can have.
#[derive(Resource)]
pub struct ScopeList {
    pub areas: Items<ScopeArea>,
    pub bundles: Items<ScopeBundle>,
}

resource::choices! {
    KeyState { Active = "active", Expired = "expired", Revoked = "revoked" }
}

#[derive(Resource)]
pub struct KeyOwner {
    pub user_id: Uuid,
    pub email: String,
}

#[derive(Resource)]
pub struct ApiKey {
    pub id: Uuid,
    pub name: String,
    pub prefix: String,
    pub last4: String,
    pub scopes: Vec<String>,
    pub owner: Part<KeyOwner>,
    pub created_at: Time,
    pub expires_at: Option<Time>,
    pub last_used_at: Option<Time>,
    pub revoked_at: Option<Time>,
    pub state: KeyState,
    /// Valid for longer than the workspace now allows.
    pub exceeds_longest_life: bool,
}

#[derive(Resource)]
pub struct Secret {
    /// Not shown again.
    pub key: String,
}

pub fn created_key_schema() -> Json {
    joined(&[ApiKey::FIELDS, Secret::FIELDS])
}

#[derive(Resource)]
pub struct UsagePoint {
    pub at: Time,
    pub requests: i64,
    pub errors: i64,
}

#[derive(Resource)]
pub struct Usage {
    pub limit: i64,
    pub remaining: i64,
    pub resets_at: Time,
    /// Per hour.
    pub points: Items<UsagePoint>,
}

#[derive(Resource)]
pub struct RequestKey {
    pub id: Uuid,
    pub name: Option<String>,
    pub prefix: String,
    pub last4: Option<String>,
}

#[derive(Resource)]
pub struct RequestUser {
    pub user_id: Uuid,
    pub email: Option<String>,
    pub name: String,
}

#[derive(Resource)]
pub struct LoggedRequest {
    pub id: String,
    pub at: Time,
    pub method: String,
    pub path: String,
    pub query: String,
    pub operation: String,
    pub status: i64,
    pub size: Option<i64>,
    pub key: Part<RequestKey>,
    pub user: Part<RequestUser>,
}

pub fn request_schema() -> Json {
    let mut schema = schema_of::<LoggedRequest>();
    schema["properties"]["time_ms"] = json!({ "type": "number", "minimum": 0 });
    if let Some(required) = schema["required"].as_array_mut() {
        required.push("time_ms".into());
    }
    schema
}

#[derive(Resource)]
pub struct SignIns {
    pub joined_at: Time,
    pub has_password: bool,
    pub last_seen_at: Option<Time>,
}

pub fn member_schema() -> Json {
    joined(&[Member::FIELDS, SignIns::FIELDS])
}

#[derive(Resource)]
pub struct Inviter {
    pub user_id: Option<Uuid>,
    pub email: Option<String>,
}

#[derive(Resource)]
pub struct Invitation {
    pub id: Uuid,
    pub email: String,
    pub role: Role,
    pub created_at: Time,
    pub expires_at: Time,
    pub invited_by: Part<Inviter>,
}

#[derive(Resource)]
pub struct InvitationLink {
    pub id: Uuid,
    pub email: String,
    pub role: Role,
    pub expires_at: Time,
    /// Not shown again.
    pub link: String,
}

#[derive(Resource)]
pub struct Credits {
    pub sourcing: i64,
    pub enrichment: i64,
}

#[derive(Resource)]
pub struct Storage {
    /// In bytes.
    pub used: i64,
    pub limit: Option<i64>,
}

#[derive(Resource)]
pub struct WorkspaceSettings {
    pub requests_per_hour: i64,
    pub longest_key_days: Option<i64>,
    /// Whether a reply that asks to be removed suppresses its sender.
    pub unsubscribe_by_reply: bool,
    /// False for the only workspace of an installation.
    pub removable: bool,
    /// From the smallest to the largest.
    pub plans: Vec<String>,
    pub credits: Part<Credits>,
    pub storage: Part<Storage>,
}

pub fn workspace_schema() -> Json {
    let (mut whole, more) = (me::workspace_schema(), schema_of::<WorkspaceSettings>());
    for (name, member) in more["properties"].as_object().into_iter().flatten() {
        whole["properties"][name] = member.clone();
    }
    if let Some(required) = whole["required"].as_array_mut() {
        required.extend(more["required"].as_array().cloned().unwrap_or_default());
    }
    whole
}

#[derive(Resource)]
pub struct CreditEntry {
    pub id: Uuid,
    pub kind: Kind,
    /// Negative if credits were spent.
    pub amount: i64,
    pub balance: i64,
    pub reason: String,
    pub actor: String,
    pub record_id: Option<Uuid>,
    /// The entry that it refunds.
    pub refunds: Option<Uuid>,
    pub created_at: Time,
}

#[derive(Resource)]
pub struct AccountDetails {
    /// Without its secrets, like `imap` and `url`.
    pub smtp: Option<String>,
    pub imap: Option<String>,
    pub url: Option<String>,
    pub sent_last_24_hours: i64,
    /// Most messages today.
    pub cap_today: Option<i64>,
    pub waits_until: Option<Time>,
    pub waits_for: Option<String>,
    /// Messages of which nobody knows whether they were sent.
    pub unknown_outcomes: i64,
    /// The provider whose OAuth tokens it signs in with.
    pub oauth_provider: Option<String>,
}

pub fn account_schema() -> Json {
    let mut schema = joined(&[ConnectedAccount::FIELDS, AccountDetails::FIELDS]);
    let words = "The words of the mail server or provider; only for admins.";
    schema["properties"]["status_detail"] = json!({ "type": ["string", "null"], "description": words });
    schema
}

#[derive(Resource)]
pub struct FieldProblem {
    pub field: String,
    pub reason: String,
}

#[derive(Resource)]
pub struct PreviewSender {
    pub id: Uuid,
    pub name: String,
}

#[derive(Resource)]
pub struct PreviewRule {
    pub rule: String,
    pub reason: String,
    pub at: Time,
}

#[derive(Resource)]
pub struct StepPreview {
    pub subject: Option<String>,
    pub text: Option<String>,
    pub html: Option<String>,
    /// It continues the thread of an earlier email.
    pub answers: bool,
    pub sender: Option<Part<PreviewSender>>,
    pub problems: Items<FieldProblem>,
    /// Why nothing would be sent.
    pub blocked: Option<String>,
    pub send_at: Option<Time>,
    pub timezone: Option<String>,
    pub rules: Items<PreviewRule>,
}

#[derive(Resource)]
pub struct CheckedSteps {
    pub problems: Items<FieldProblem>,
}

#[derive(Resource)]
pub struct MergedRecord {
    pub id: Uuid,
    /// Before the merge.
    pub name: String,
}

#[derive(Resource)]
pub struct MergeDetails {
    pub id: Uuid,
    pub collection: Collection,
    pub into: Uuid,
    pub from: Items<MergedRecord>,
    pub created_at: Time,
    pub is_undone: bool,
    pub undo_until: Time,
}

pub fn cv_schema() -> Json {
    json!({ "anyOf": [cv::schema(), { "type": "null" }] })
}

#[derive(Resource)]
pub struct JobKind {
    pub kind: String,
    pub waiting: i64,
    pub due_at: Time,
    pub attempts: i64,
    pub error: Option<String>,
}

#[derive(Resource)]
pub struct Database {
    pub database_bytes: Option<i64>,
}

#[derive(Resource)]
pub struct Node {
    pub id: String,
    pub version: String,
    pub started_at: Time,
    pub seen_at: Time,
}

#[derive(Resource)]
pub struct System {
    pub version: String,
    pub engine: String,
    pub jobs: Items<JobKind>,
    pub lag_ms: i64,
    pub storage: Part<Database>,
    pub nodes: Items<Node>,
}
