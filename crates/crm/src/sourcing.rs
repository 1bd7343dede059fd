//! Sourcing: people are looked for in the profile database, among the contacts and in a professional network, and taken
//! into projects. A profile is an object of the members below, wherever it is from.

pub mod add;
pub mod contacts;
pub mod filters;
pub mod known;
pub mod network;
pub mod search;

use crate::operation::{Either, Operation, get, post};
use crate::profile::SourcingProfile;
use crate::scope::{SOURCING_READ, SOURCING_WRITE};
use crate::workspace::Feature;
use add::{AddToProject, PROFILES};
use resource::{Error, Problem, Resource, record_schema};
use serde_json::{Map, Value as Json, json};

pub const OPERATIONS: &[Operation] = &[
    get("/sourcing/network/locations", "find_network_locations", "Resolve the name of a place to geo ids")
        .feature(Feature::Sourcing)
        .scope(SOURCING_READ)
        .query(network::LocationQuery::FIELDS)
        .outside(network::LOCATIONS)
        .gives_objects("NetworkLocation", network::location_schema),
    post("/sourcing/network/search", "search_network_people", "Search people through a connected account")
        .feature(Feature::Sourcing)
        .scope(SOURCING_READ)
        .members("NetworkPeopleSearch", network::PeopleSearch::FIELDS)
        .outside(network::PEOPLE)
        .gives_object("NetworkPeople", || found_schema(&[("cursor", json!({ "type": ["string", "null"] }))])),
    post("/sourcing/network/jobs", "search_network_jobs", "Search jobs through a connected account")
        .feature(Feature::Sourcing)
        .scope(SOURCING_READ)
        .members("NetworkJobSearch", network::JobSearch::FIELDS)
        .outside(network::JOBS)
        .gives_object("NetworkJobs", network::jobs_schema),
    post("/sourcing/search", "search_people", "Search people in the profile database, among contacts or in a network")
        .feature(Feature::Sourcing)
        .scope(SOURCING_READ)
        .members("SourcingSearch", search::SourcingSearch::FIELDS)
        .either(Either { is_outside: search::asks_network, read: search::seek, outside: search::NETWORK })
        .gives_object("People", || found_schema(&[])),
    post("/sourcing/contacts/search", "search_candidates", "Search contacts for candidates")
        .feature(Feature::Sourcing)
        .scope(SOURCING_READ)
        .members("CandidateSearch", contacts::CandidateSearch::FIELDS)
        .read(contacts::seek)
        .gives_object("Candidates", || found_schema(&[])),
    post("/sourcing/add-to-project", "add_profiles_to_project", "Take profiles into a project")
        .feature(Feature::Sourcing)
        .scope(SOURCING_WRITE)
        .body::<AddToProject>("AddToProject", PROFILES, true)
        .up_to(add::LARGEST)
        .prepare(add::prepare)
        .parts(&add::PARTS)
        .gives_object("AddedToProject", add::schema),
];

/// Somebody who was found.
pub type Profile = Map<String, Json>;

/// Counting ends here; there may be more.
pub const COUNTED: i64 = 10_000;
/// As many to a page, unless it says otherwise.
pub const PAGE: i64 = 25;

/// What a search has found.
#[derive(Clone, Default)]
pub struct Found {
    pub profiles: Vec<Profile>,
    /// Exact up to `COUNTED`.
    pub total_count: i64,
    /// What our own filters leave of it.
    pub filtered_count: i64,
    pub page: i64,
    pub has_more: bool,
    /// The filter without which something would be found.
    pub too_strict: Option<String>,
}

impl Found {
    /// As searches answer it; whoever has more to tell adds to it.
    pub fn shown(self) -> Map<String, Json> {
        let shown = json!({
            "filters_too_strict": self.filtered_count == 0,
            "profiles": self.profiles,
            "total_count": self.total_count,
            "filtered_count": self.filtered_count,
            "next_page": self.has_more.then_some(self.page + 1),
            "has_more": self.has_more,
            "too_strict_filter": self.too_strict,
        });
        shown.as_object().cloned().unwrap_or_default()
    }
}

/// The schema of `Found`, with these members besides.
pub fn found_schema(more: &[(&str, Json)]) -> Json {
    let whole = json!({ "type": "integer" });
    let mut properties = Map::from_iter([
        ("profiles".to_owned(), json!({ "type": "array", "items": profile_schema() })),
        (
            "total_count".to_owned(),
            json!({ "type": "integer", "description": "Exact up to 10000; 10000 if there are more." }),
        ),
        ("filtered_count".to_owned(), whole),
        ("next_page".to_owned(), json!({ "type": ["integer", "null"] })),
        ("has_more".to_owned(), json!({ "type": "boolean" })),
        ("filters_too_strict".to_owned(), json!({ "type": "boolean", "description": "Nothing fits all filters." })),
        (
            "too_strict_filter".to_owned(),
            json!({ "type": ["string", "null"], "description": "The filter without which something would be found." }),
        ),
    ]);
    properties.extend(more.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())));
    let required: Vec<&String> = properties.keys().collect();
    json!({ "type": "object", "required": required, "properties": properties })
}

pub fn profile_schema() -> Json {
    record_schema(SourcingProfile::FIELDS, &[])
}

/// One problem of a body that has several.
fn problem(field: impl Into<String>, reason: impl Into<String>) -> Problem {
    Problem { field: field.into(), reason: reason.into() }
}

fn settled(problems: Vec<Problem>) -> Result<(), Error> {
    if problems.is_empty() { Ok(()) } else { Err(Error::Invalid(problems)) }
}
