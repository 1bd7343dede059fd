//! Sourcing: searches for people in the profile database, among contacts and in a professional network, and adding them
//! to projects.

use crate::api::operation::{Either, Operation, get, post};
use crate::api::scope::{Feature, SOURCING_READ, SOURCING_WRITE};
use crate::sourcing::profile::found_schema;
use crate::sourcing::{add, contacts, network, search};
use add::{AddToProject, PROFILES};
use resource::Resource;
use serde_json::json;

pub const OPERATIONS: &[Operation] = &[
    get("/sourcing/network/locations", "find_network_locations", "Resolve the name of a place to geo ids")
        .feature(Feature::Sourcing)
        .scope(SOURCING_READ)
        .query(network::LocationQuery::FIELDS)
        .effect(network::LOCATIONS)
        .gives_objects("NetworkLocation", network::location_schema),
    post("/sourcing/network/search", "search_network_people", "Search people through a connected account")
        .feature(Feature::Sourcing)
        .scope(SOURCING_READ)
        .members("NetworkPeopleSearch", network::PeopleSearch::FIELDS)
        .effect(network::PEOPLE)
        .gives_object("NetworkPeople", || found_schema(&[("cursor", json!({ "type": ["string", "null"] }))])),
    post("/sourcing/network/jobs", "search_network_jobs", "Search jobs through a connected account")
        .feature(Feature::Sourcing)
        .scope(SOURCING_READ)
        .members("NetworkJobSearch", network::JobSearch::FIELDS)
        .effect(network::JOBS)
        .gives_object("NetworkJobs", network::jobs_schema),
    post("/sourcing/search", "search_people", "Search people in the profile database, among contacts or in a network")
        .feature(Feature::Sourcing)
        .scope(SOURCING_READ)
        .members("SourcingSearch", search::SourcingSearch::FIELDS)
        .either(Either { uses_effect: search::asks_network, read: search::seek, effect: search::NETWORK })
        .gives_object("People", || found_schema(&[])),
    post("/sourcing/contacts/search", "search_candidates", "Search contacts for candidates")
        .feature(Feature::Sourcing)
        .scope(SOURCING_READ)
        .members("CandidateSearch", contacts::CandidateSearch::FIELDS)
        .read(contacts::seek)
        .gives_object("Candidates", || found_schema(&[])),
    post("/sourcing/add-to-project", "add_profiles_to_project", "Add profiles to a project")
        .feature(Feature::Sourcing)
        .scope(SOURCING_WRITE)
        .body::<AddToProject>("AddToProject", PROFILES, true)
        .up_to(add::LARGEST)
        .prepare(add::prepare)
        .parts(&add::PARTS)
        .gives_object("AddedToProject", add::schema),
];
