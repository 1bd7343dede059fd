//! The one error of rules and machine. The edge turns it into a status and logs the cause once.

use serde_json::Value as Json;

#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// The request can't be carried out as it stands; all problems that were found.
    Invalid(Vec<Problem>),
    NotFound(String),
    /// The key lacks this scope.
    Scope(&'static str),
    /// Whoever is signed in may not do this.
    Role(String),
    /// The operation needs a password that was given a few minutes ago.
    Reauthentication,
    /// Too many attempts; the next may be made after this time.
    Attempts {
        seconds: i64,
    },
    /// The workspace has not enough credits.
    Credits {
        kind: &'static str,
        available: i64,
        required: i64,
    },
    /// The workspace may not keep so many bytes of files.
    Quota {
        used: i64,
        limit: i64,
        /// `None` if it is known only that it is more than what is left.
        required: Option<i64>,
    },
    /// The place in the feed is no longer kept; this is the oldest that is.
    Gone {
        oldest: i64,
    },
    /// The request can't be told to be the one that its `Idempotency-Key` stands for.
    Idempotency(&'static str),
    /// The record is not at a version that the request was made for; `None` if it never could be.
    Precondition(Option<i64>),
    /// Work that grows with the table stands in the fast lane: run it again in the slow one.
    SlowLane,
    /// Something outside the database can't be reached.
    Unavailable(String),
    /// Somebody outside does not do what is asked of them now: why, for people, and after how many seconds they may.
    Outside {
        why: String,
        retry_after: Option<i64>,
    },
    Store(store::Error),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    pub field: String,
    pub reason: String,
}

/// As many problems are told in one answer.
pub const TOLD: usize = 1000;

pub fn invalid(field: impl Into<String>, reason: impl Into<String>) -> Error {
    Error::Invalid(vec![Problem { field: field.into(), reason: reason.into() }])
}

pub fn not_found(what: impl std::fmt::Display) -> Error {
    Error::NotFound(format!("{what} does not exist"))
}

impl Error {
    /// Nothing is wrong with what was asked for: in a moment it may work.
    pub fn is_passing(&self) -> bool {
        use store::Error::{TooSlow, Unavailable};
        matches!(self, Error::Unavailable(_) | Error::Store(Unavailable(_) | TooSlow))
    }

    /// Names the column that could not be read.
    pub fn at(self, column: &str) -> Error {
        match self {
            Error::Store(store::Error::Corrupt(why)) => store::Error::Corrupt(format!("{column}: {why}")).into(),
            other => other,
        }
    }

    /// Problems of a part, named as the whole knows it.
    pub fn within(self, part: &str) -> Error {
        match self {
            Error::Invalid(problems) => {
                let named = |p: Problem| Problem { field: format!("{part}.{}", p.field), reason: p.reason };
                Error::Invalid(problems.into_iter().map(named).collect())
            }
            other => other,
        }
    }

    /// The message a client reads: `field: reason; field: reason`.
    pub fn message(&self) -> String {
        match self {
            Error::Invalid(problems) => {
                let told = problems.iter().take(TOLD).map(|p| format!("{}: {}", p.field, p.reason));
                let more = problems.len().saturating_sub(TOLD);
                let more = (more > 0).then(|| format!("and {more} more problems"));
                told.chain(more).collect::<Vec<_>>().join("; ")
            }
            Error::NotFound(message) => message.clone(),
            Error::Scope(scope) => format!("requires the scope {scope}"),
            Error::Role(why) => why.clone(),
            Error::Attempts { seconds } => format!("too many attempts; try again in {}", seconds_of(*seconds)),
            Error::Reauthentication => {
                "this needs your password again: send it to POST /dashboard/session/reauthenticate, then repeat the request".into()
            }
            Error::Credits { kind, available, required } => {
                format!("{required} {kind} credits are needed and {available} are left")
            }
            Error::Quota { used, limit, required } => {
                let needs = match required {
                    Some(required) => format!("{required} more"),
                    None => format!("more than the {} that are left", (limit - used).max(0)),
                };
                format!(
                    "the workspace's files take {used} of the {limit} bytes that it may store, and this needs {needs}; \
                     delete files, or have the operator raise the limit (relata workspace set --storage-limit)"
                )
            }
            Error::Idempotency(why) => (*why).into(),
            Error::Gone { oldest } => {
                format!("the feed goes back to {oldest} and no further; list the records anew and go on from there")
            }
            Error::Precondition(Some(version)) => {
                format!("the record is at version {version} and not at one that If-Match names; read it again")
            }
            Error::Precondition(None) => "If-Match takes strong tags; one that begins with W/ fits no version".into(),
            Error::SlowLane => "the query needs the slow lane".into(),
            Error::Unavailable(why) | Error::Outside { why, .. } => why.clone(),
            Error::Store(error) => error.to_string(),
        }
    }

    pub fn details(&self) -> Option<Json> {
        match self {
            Error::Invalid(problems) => {
                let told = problems.iter().take(TOLD);
                Some(told.map(|p| serde_json::json!({ "field": p.field, "reason": p.reason })).collect())
            }
            Error::Credits { kind, available, required } => {
                Some(serde_json::json!({ "credit_type": kind, "available": available, "required": required }))
            }
            Error::Quota { used, limit, required } => {
                Some(serde_json::json!({ "used": used, "limit": limit, "required": required }))
            }
            Error::Attempts { seconds } => Some(serde_json::json!({ "retry_after": seconds })),
            Error::Gone { oldest } => Some(serde_json::json!({ "oldest": oldest.to_string() })),
            _ => None,
        }
    }
}

/// `1 second`, `30 seconds`.
pub fn seconds_of(seconds: i64) -> String {
    format!("{seconds} second{}", if seconds == 1 { "" } else { "s" })
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message())
    }
}
impl std::error::Error for Error {}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        Error::Store(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_tells_of_a_thousand_problems() {
        let problem = |n| Problem { field: format!("field_{n}"), reason: "is wrong".into() };
        let error = Error::Invalid((0..TOLD + 7).map(problem).collect());
        assert!(error.message().ends_with("field_999: is wrong; and 7 more problems"));
        assert_eq!(error.details().and_then(|details| details.as_array().map(Vec::len)), Some(TOLD));
        let error = Error::Invalid((0..TOLD).map(problem).collect());
        assert!(error.message().ends_with("field_999: is wrong"));
    }
}
