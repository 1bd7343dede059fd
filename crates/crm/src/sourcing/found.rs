//! The result of a search for people, from any source.

use resource::{Error, Problem};
use serde_json::{Map, Value as Json, json};

/// A person in a search result.
pub type Profile = Map<String, Json>;

/// Counting stops here; there may be more.
pub const COUNTED: i64 = 10_000;
/// The default page size.
pub const PAGE: i64 = 25;

/// A page of results.
#[derive(Clone, Default)]
pub struct Found {
    pub profiles: Vec<Profile>,
    /// Exact up to `COUNTED`.
    pub total_count: i64,
    /// The number that remains after our own filters.
    pub filtered_count: i64,
    pub page: i64,
    pub has_more: bool,
    /// The filter without which there would be a result.
    pub too_strict: Option<String>,
}

impl Found {
    /// The JSON of a response; callers may add members.
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

/// One of several problems of a body.
pub(super) fn problem(field: impl Into<String>, reason: impl Into<String>) -> Problem {
    Problem { field: field.into(), reason: reason.into() }
}

pub(super) fn reject_if_any(problems: Vec<Problem>) -> Result<(), Error> {
    if problems.is_empty() { Ok(()) } else { Err(Error::Invalid(problems)) }
}
