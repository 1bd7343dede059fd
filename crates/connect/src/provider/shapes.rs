//! The JSON that Relata and a provider exchange. Missing members are `null` or left out; a provider may send additional
//! members.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;

/// The account that a token belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Account {
    pub id: String,
    pub name: String,
    pub channel: Channel,
    /// The searches that the account can use.
    #[serde(default)]
    pub api_types: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    Network,
    Chat,
}

/// A recipient, identified in one of three ways.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum To {
    /// The provider's own id.
    ProfileId(String),
    /// The URL of the profile.
    Url(String),
    /// A telephone number, for chats.
    Phone(String),
}

impl To {
    pub fn pair(&self) -> (&'static str, &str) {
        match self {
            To::ProfileId(id) => ("profile_id", id),
            To::Url(url) => ("url", url),
            To::Phone(phone) => ("phone", phone),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PeopleSearch {
    /// classic, sales_navigator or recruiter
    pub api_type: Option<String>,
    /// Words that must all occur.
    pub keywords: Option<String>,
    /// A query with AND, OR, NOT, quotes and parentheses.
    pub boolean_query: Option<String>,
    /// Any of these as the current title.
    pub job_titles: Vec<String>,
    pub companies: Vec<String>,
    pub location_ids: Vec<String>,
    pub years_experience: Years,
    pub page_size: u32,
    /// The cursor of the previous page.
    pub cursor: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Years {
    pub min: Option<u32>,
    pub max: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct People {
    pub profiles: Vec<Profile>,
    pub total_count: u64,
    /// Null on the last page.
    pub cursor: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Profile {
    pub profile_id: String,
    pub first_name: String,
    pub last_name: String,
    pub headline: Option<String>,
    pub picture_url: Option<String>,
    pub location: Option<String>,
    pub network_url: Option<String>,
    pub summary: Option<String>,
    pub current_job: Option<CurrentJob>,
    pub experiences: Vec<Experience>,
    pub educations: Vec<Education>,
    pub skills: Vec<String>,
    pub total_years_experience: Option<u32>,
    pub open_to_work: Option<bool>,
    pub emails: Option<Vec<String>>,
    pub phones: Option<Vec<String>>,
    /// Whether the account is connected with this person, if the provider knows.
    pub connected: Option<bool>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CurrentJob {
    pub title: String,
    pub company_name: String,
}

/// Dates are `2024`, `2024-03` or `2024-03-01`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Experience {
    pub title: String,
    pub company_name: String,
    pub company_domain: Option<String>,
    pub start_date: Option<String>,
    pub end_date: Option<String>,
    pub description: Option<String>,
    pub is_current: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Education {
    pub educational_establishment: String,
    pub diploma: Option<String>,
    pub specialization: Option<String>,
    pub start_date: Option<String>,
    pub end_date: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    pub id: String,
    pub title: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Locations {
    pub locations: Vec<Location>,
}

/// A search by words and places, by the URL of a search, or by a cursor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct JobSearch {
    pub keywords: Option<String>,
    pub url: Option<String>,
    pub location_ids: Vec<String>,
    pub page_size: u32,
    pub cursor: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Jobs {
    pub jobs: Vec<Job>,
    pub total_count: u64,
    pub cursor: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Job {
    pub id: String,
    pub title: String,
    pub company: Employer,
    pub location: Option<String>,
    pub url: String,
    pub posted_at: Option<Timestamp>,
    pub reposted: bool,
    /// on_site, hybrid or remote
    pub workplace_type: Option<String>,
    pub easy_apply: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Employer {
    pub id: String,
    pub name: String,
    pub profile_url: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Visit {
    /// Chosen by the sender; a repeated id is the same send.
    pub id: String,
    pub to: To,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Invite {
    pub id: String,
    pub to: To,
    #[serde(default)]
    pub message: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outgoing {
    pub id: String,
    pub to: To,
    #[serde(default)]
    pub kind: MessageKind,
    /// The subject of an inmail.
    #[serde(default)]
    pub subject: Option<String>,
    pub text: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MessageKind {
    #[default]
    Message,
    Inmail,
}

/// A completed send.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Done {
    /// The id that the sender chose.
    pub id: String,
    /// The recipient.
    pub profile_id: String,
    /// The provider's id of the sent item, if it has one.
    #[serde(default)]
    pub message_id: Option<String>,
    pub at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Invitation {
    pub id: String,
    pub profile_id: String,
    pub state: InvitationState,
    pub at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InvitationState {
    Pending,
    Accepted,
    Declined,
    /// The two are connected already, so there is nothing to accept.
    Connected,
}

/// Events at the provider, oldest first. The cursor of this answer continues after them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Events {
    #[serde(deserialize_with = "readable")]
    pub events: Vec<Event>,
    pub cursor: String,
    /// More events are available now.
    pub has_more: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// An event has the same id whether it is polled or delivered by webhook.
    pub id: String,
    /// None if its time can't be read.
    #[serde(deserialize_with = "time")]
    pub at: Option<Timestamp>,
    pub from: Person,
    #[serde(flatten)]
    pub what: What,
}

fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    Ok(Json::deserialize(deserializer)?.as_str().and_then(|at| at.parse().ok()))
}

/// One event that can't be read must not hold up the others.
pub(super) fn readable<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Event>, D::Error> {
    let unreadable = || Event { id: String::new(), at: None, from: Person::default(), what: What::Unreadable };
    let events = Vec::<Json>::deserialize(deserializer)?;
    Ok(events.into_iter().map(|one| serde_json::from_value(one).unwrap_or_else(|_| unreadable())).collect())
}

/// The values that identify a contact.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Person {
    pub profile_id: String,
    pub network_url: Option<String>,
    pub phone: Option<String>,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum What {
    #[serde(rename = "message.received")]
    Message { message_id: String, text: String },
    #[serde(rename = "invitation.accepted")]
    Accepted { invitation_id: String },
    #[serde(rename = "invitation.declined")]
    Declined { invitation_id: String },
    #[serde(skip)]
    Unreadable,
    /// A kind that this version does not know.
    #[serde(other)]
    Other,
}

/// The URL that a provider delivers events to, and the secret that it signs them with.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Webhook {
    pub url: String,
    /// `whsec_` and base64.
    pub secret: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    pub error: Refused,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refused {
    pub code: String,
    pub message: String,
}
