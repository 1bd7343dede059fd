//! The result of a search in the text index.

use crate::need::Need;
use uuid::Uuid;

/// A search, resolved as of the current snapshot.
pub(crate) struct Found {
    pub need: Need,
    pub table: &'static str,
    /// The table of the text index.
    pub texts: &'static str,
    /// The column of the found records with the id of the listed one, if these are not the same.
    pub record: Option<&'static str>,
    /// The term of the searched labels.
    pub term: &'static str,
    /// The text index covers changes up to this stamp.
    pub until: i64,
    /// The records that changed later and match.
    pub later: Vec<Uuid>,
}

impl Found {
    /// The alias of the found records; `t` are the listed ones.
    pub(crate) fn alias(&self) -> &'static str {
        if self.record.is_some() { "m" } else { "t" }
    }
}
