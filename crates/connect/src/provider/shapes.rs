//! What goes between Relata and a provider, as JSON. Members that are not there are `null` or left out; a provider may
//! send more than stands here.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What a token opens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Account {
    pub id: String,
    pub name: String,
    pub channel: Channel,
    /// Which searches work.
    #[serde(default)]
    pub api_types: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    Network,
    Chat,
}

/// Whom: one of the three ways to name somebody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum To {
    /// The provider's own id.
    ProfileId(String),
    /// The address of the profile.
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
    /// With AND, OR, NOT, quotes and parentheses.
    pub boolean_query: Option<String>,
    /// One of them, as the current title.
    pub job_titles: Vec<String>,
    pub companies: Vec<String>,
    pub location_ids: Vec<String>,
    pub years_experience: Years,
    pub page_size: u32,
    /// Where the last page ended.
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

/// By words and places, by the address of a search, or by the cursor of one.
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
    /// Made by whoever sends; the same id again is the same send.
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
    /// Of an inmail.
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

/// A send that has happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Done {
    /// The sender's.
    pub id: String,
    /// Whom it went to.
    pub profile_id: String,
    /// The provider's own id of what was sent, if it has one.
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
    /// There is nothing to accept any more: the two are connected already.
    Connected,
}

/// What has happened at the provider, oldest first. Following it needs the cursor of the last answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Events {
    pub events: Vec<Event>,
    pub cursor: String,
    /// There is more to be had at once.
    pub has_more: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// The same event has the same id, by whatever way it comes.
    pub id: String,
    pub at: Timestamp,
    pub from: Person,
    #[serde(flatten)]
    pub what: What,
}

/// Enough to know a contact by.
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
    /// A kind that this version does not know.
    #[serde(other)]
    Other,
}

/// Where a provider tells of events, and with which secret it signs.
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
