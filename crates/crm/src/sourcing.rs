//! People who are not contacts yet: searches, profiles, enrichment.

pub mod add;
pub mod contacts;
pub mod enrichment;
pub mod filters;
pub mod found;
pub mod gazetteer;
pub mod known;
pub mod network;
pub mod people;
pub mod profile;
pub mod search;
pub mod tokens;
