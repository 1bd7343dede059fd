//! Saved views: named filters, sorts and columns of a collection, private or shared.

use super::role;
use crate::api::call::{Call, Reply, make, show};
use crate::api::operation::{Operation, delete, get, post, put};
use crate::api::scope::Role;
use resource::{
    Changes, Error, Field, Resource, Saved, Time, decoded, delete as remove_record, find, invalid, not_found, update,
};
use serde_json::{Map, Value as Json};
use store::{Tx, Uuid, Value};

resource::choices! {
    Viewed {
        Contacts = "contacts", Companies = "companies", Deals = "deals", Projects = "projects", Entries = "entries",
        Tasks = "tasks", Sequences = "sequences", Conversations = "conversations", Enrollments = "enrollments",
        Enrichment = "enrichment", Requests = "requests",
    }
}

/// A saved view of a collection.
#[derive(Resource)]
#[resource(table = "views", one = "view")]
pub struct View {
    #[field(read_only)]
    pub id: Uuid,
    #[field(required, max = 100)]
    pub name: String,
    #[field(required)]
    pub collection: Viewed,
    /// All members of the workspace see it.
    #[field(default = "false")]
    pub shared: bool,
    /// Free-form state of the dashboard.
    #[field(required)]
    pub state: Map<String, Json>,
    #[field(read_only)]
    pub owner_id: Uuid,
    #[field(read_only)]
    pub created_at: Time,
    #[field(read_only)]
    pub updated_at: Time,
}

#[derive(Resource)]
pub struct ViewQuery {
    pub collection: Option<Viewed>,
}

const VIEWS: &[Field] = ViewQuery::FIELDS;
/// Most views of one user.
const MOST: i64 = 500;
/// Most bytes of a state, as JSON.
const STATE: usize = 64 * 1024;

pub const OPERATIONS: &[Operation] = &[
    get("/views", "dashboard_views", "List one's views and shared ones")
        .whole_list::<View>()
        .role(Role::Member)
        .query(VIEWS)
        .read(list),
    post("/views", "dashboard_new_view", "Save a view")
        .gives::<View>(&[201])
        .role(Role::Member)
        .body::<View>("NewView", &[], true)
        .write(save),
    put("/views/{id}", "dashboard_change_view", "Change a view")
        .gives::<View>(&[200])
        .role(Role::Member)
        .body::<View>("ViewChange", &[], false)
        .write(change),
    delete("/views/{id}", "dashboard_remove_view", "Remove a view").role(Role::Member).write(remove),
];

/// Sorted by name.
fn list(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const LIST: &str = "SELECT id, name, collection, shared, state, owner_id, created_at, updated_at FROM views WHERE workspace_id = $1 AND (owner_id = $2 OR shared) \
         AND (collection = $3 OR $3 = '') ORDER BY name, id";
    let given = call.asked(VIEWS)?;
    let params: [Value; 3] =
        [call.ctx.workspace.into(), call.key.user.into(), given.named_text("collection").unwrap_or_default().into()];
    let views: Result<Vec<View>, Error> = tx.rows(LIST, &params, |row| Ok(decoded::<View>(row)))?.into_iter().collect();
    Ok(Reply::whole(views?.iter().map(shown).collect()))
}

fn shown(view: &View) -> Json {
    serde_json::json!({
        "id": view.id, "name": view.name, "collection": view.collection.word(), "shared": view.shared,
        "state": view.state, "owner_id": view.owner_id, "created_at": view.created_at.to_string(),
        "updated_at": view.updated_at.to_string(),
    })
}

fn check(changes: &Changes) -> Result<(), Error> {
    match changes.text(View::STATE).is_some_and(|state| state.len() > STATE) {
        true => Err(invalid("state", format!("must have at most {STATE} bytes"))),
        false => Ok(()),
    }
}

fn save(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const COUNT: &str = "SELECT count(*) FROM views WHERE workspace_id = $1 AND owner_id = $2";
    let mut changes = call.changes::<View>(&[], true)?;
    check(&changes)?;
    let own = tx.one(COUNT, &[call.ctx.workspace.into(), call.key.user.into()], |row| row.int(0))?.unwrap_or(0);
    if own >= MOST {
        return Err(invalid("name", format!("you have {MOST} views already; remove one first")));
    }
    changes.set(View::OWNER_ID, call.key.user);
    let (_, reply) = make::<View>(&call.ctx, tx, &changes)?;
    Ok(Reply { status: 201, ..reply })
}

/// The view in the path, if the user owns it, or if it is shared and the user is an admin. Private views of others
/// count as not found.
fn mine(call: &Call, tx: &mut dyn Tx) -> Result<Saved<View>, Error> {
    let view = find::<View>(&call.ctx, tx, call.id(0, "view")?)?;
    if view.record.owner_id == call.key.user {
        return Ok(view);
    }
    if !view.record.shared {
        return Err(not_found("view"));
    }
    super::require(role(call), Role::Admin)?;
    Ok(view)
}

fn change(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let changes = call.changes::<View>(&[], false)?;
    check(&changes)?;
    let view = mine(call, tx)?;
    update(&call.ctx, tx, &view, &changes)?;
    show::<View>(&call.ctx, tx, view.id)
}

fn remove(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let view = mine(call, tx)?;
    remove_record(&call.ctx, tx, &view)?;
    Ok(Reply::deleted())
}
