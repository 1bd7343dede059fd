//! Mails of an account's folder that were not stored, with the reasons.

use resource::{Index, Resource, Time};
use store::Uuid;

/// A mail that was seen and not stored.
#[derive(Resource)]
#[resource(table = "unstored_mails", one = "unstored_mail", indexes = INDEXES)]
pub struct UnstoredMail {
    #[field(read_only)]
    pub id: Uuid,
    #[field(read_only)]
    pub account_id: Uuid,
    /// Its number in the folder.
    #[field(read_only)]
    pub uid: i64,
    /// Why it was not stored.
    #[field(read_only)]
    pub reason: String,
    /// Who it is from, where it says.
    #[field(read_only)]
    pub sender: Option<String>,
    #[field(read_only)]
    pub subject: Option<String>,
    /// In bytes.
    #[field(read_only)]
    pub size: Option<i64>,
    #[field(read_only)]
    pub received_at: Option<Time>,
    #[field(read_only, filter, sort)]
    pub created_at: Time,
}

const INDEXES: &[Index] = &[
    Index { name: "unstored_mails_account_id", fields: &["account_id"] },
    Index { name: "unstored_mails_uid", fields: &["account_id", "uid"] },
];
