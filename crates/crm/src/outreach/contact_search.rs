//! `POST /contacts/search`: finds contacts by their fields, their projects and their sequences.

use crate::api::call::{Call, Reply};
use crate::api::operation::{Operation, post};
use crate::api::scope::CONTACTS_READ;
use crate::api::search::{self, Asks, Direction};
use crate::outreach::{enrollment, sequence};
use crate::pipelines::{entry, project};
use crate::records::contact::Contact;
use resource::{Error, Field, Resource, Time};
use store::{Tx, Uuid, Value};

/// What contacts are searched by: all optional, all must hold.
#[derive(Resource)]
pub struct ContactSearch {
    /// Words as in `search=`.
    #[field(max = 500)]
    pub query: Option<String>,
    /// Words in the first or last name.
    #[field(max = 500)]
    pub name: Option<String>,
    /// Words in the title.
    #[field(max = 500)]
    pub title: Option<String>,
    /// Words in `current_company`.
    #[field(max = 500)]
    pub company: Option<String>,
    /// Words in the location.
    #[field(max = 500)]
    pub location: Option<String>,
    /// One of these.
    #[field(max = 100, item_max = 100)]
    pub contact_types: Option<Vec<String>>,
    /// All of these, by name.
    #[field(max = 100, item_max = 100)]
    pub tags: Option<Vec<String>>,
    /// Inclusive.
    pub created_after: Option<Time>,
    /// Exclusive.
    pub created_before: Option<Time>,
    /// Inclusive.
    pub last_contacted_after: Option<Time>,
    /// Exclusive.
    pub last_contacted_before: Option<Time>,
    /// Candidates in this project.
    pub project_id: Option<Uuid>,
    /// Those who are or were enrolled in this sequence.
    pub sequence_id: Option<Uuid>,
    /// As in `sort=`, one field.
    #[field(max = 200)]
    pub sort_by: Option<String>,
    pub sort_direction: Option<Direction>,
    /// The size of a page; 50 if not given.
    #[field(least = 1, most = 100)]
    pub limit: Option<i64>,
    #[field(least = 0)]
    pub offset: Option<i64>,
}

const CONTACT_SEARCH: &[Field] = ContactSearch::FIELDS;

pub const OPERATIONS: &[Operation] = &[post("/contacts/search", "search_contacts", "Search contacts")
    .scope(CONTACTS_READ)
    .members("ContactSearch", CONTACT_SEARCH)
    .read(seek)
    .gives_list::<Contact>()];

fn seek(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const ASKS: &[(&str, Asks)] = &[
        ("query", Asks::Parameter("search")),
        ("name", Asks::Text("first_name", "last_name")),
        ("title", Asks::Text("title", "title")),
        ("company", Asks::Text("current_company", "current_company")),
        ("location", Asks::Text("location", "location")),
        ("contact_types", Asks::Filter("contact_type", "in")),
        ("tags", Asks::Filter("tags", "cs")),
        ("created_after", Asks::Parameter("created_after")),
        ("created_before", Asks::Parameter("created_before")),
        ("last_contacted_after", Asks::Filter("last_contacted_at", "gte")),
        ("last_contacted_before", Asks::Filter("last_contacted_at", "lt")),
    ];
    let members = call.members(CONTACT_SEARCH)?;
    let mut base = Vec::new();
    if let Some(Value::Id(project)) = members.named("project_id") {
        project::check(&call.ctx, tx, "project_id", *project)?;
        base.push(entry::candidates(*project));
    }
    if let Some(Value::Id(sequence)) = members.named("sequence_id") {
        sequence::check(&call.ctx, tx, "sequence_id", *sequence)?;
        base.push(enrollment::enrolled(*sequence));
    }
    search::run::<Contact>(call, tx, &members, ASKS, &base)
}
