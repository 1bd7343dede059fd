//! A question to a provider, and its limits.

use super::EnrichmentType;
use crate::records::contact::Contact;
use resource::Saved;
use serde_json::{Map, Value as Json};
use store::Uuid;

/// A question to a provider.
#[derive(Clone, Debug)]
pub struct Ask {
    pub workspace: Uuid,
    pub request_id: Uuid,
    pub provider_id: Uuid,
    pub provider: String,
    pub person: Person,
    /// The settings of the provider, decrypted.
    pub setup: String,
}

/// The known data of the person.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Person {
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub company: Option<String>,
    pub domain: Option<String>,
    pub network_profile: Option<String>,
    pub title: Option<String>,
    pub location: Option<String>,
    pub email: Option<String>,
}

/// Most addresses in a list of a contact.
pub const ADDRESSES: usize = 5;
/// Most attempts to ask a provider the same question.
pub const TRIES: i64 = 4;

pub fn has_room(contact: &Saved<Contact>, one: EnrichmentType) -> bool {
    addresses(contact, one).len() < ADDRESSES
}

/// The addresses of a type that the contact has.
pub fn addresses(contact: &Saved<Contact>, one: EnrichmentType) -> &[Map<String, Json>] {
    match one {
        EnrichmentType::Email => &contact.record.emails.0,
        EnrichmentType::Phone => &contact.record.phones.0,
    }
}
