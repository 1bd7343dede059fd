//! The JSON in the column `state` of an enrollment.

use super::Enrollment;
use resource::{Changes, Error, Resource, Saved, place};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use store::Uuid;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct StoredState {
    /// The thread of each channel. Later steps use the same account and conversation.
    pub threads: BTreeMap<String, ThreadOf>,
    /// The latest reply, and the latest reply that a branch followed.
    pub replied_at: Option<i64>,
    pub replied_used: Option<i64>,
    /// When the contact accepted an invitation.
    pub accepted_at: Option<i64>,
    /// When an enrollment that is paused by an absence resumes.
    pub paused_until: Option<i64>,
    /// The rule that delayed the planned step last.
    pub held: Option<Hold>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThreadOf {
    pub account: Uuid,
    pub conversation: Option<Uuid>,
}

/// A rule that delays the planned step. It is stored as a list of three.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "(String, String, i64)", into = "(String, String, i64)")]
pub struct Hold {
    pub rule: String,
    pub reason: String,
    pub until: i64,
}

impl From<(String, String, i64)> for Hold {
    fn from((rule, reason, until): (String, String, i64)) -> Hold {
        Hold { rule, reason, until }
    }
}

impl From<Hold> for (String, String, i64) {
    fn from(hold: Hold) -> (String, String, i64) {
        (hold.rule, hold.reason, hold.until)
    }
}

impl StoredState {
    pub fn of(saved: &Saved<Enrollment>) -> Result<StoredState, Error> {
        StoredState::read(saved.id, &saved.record.state)
    }

    pub fn read(id: Uuid, stored: &Map<String, Json>) -> Result<StoredState, Error> {
        place(Enrollment::ABOUT.table, "state", &id).part(&Json::Object(stored.clone()))
    }

    pub fn write(&self, changes: &mut Changes) {
        changes.set(Enrollment::STATE, json!(self));
    }
}
