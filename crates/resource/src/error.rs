//! The error type of rules and storage code. The HTTP layer turns it into a status and logs the cause once.

use serde_json::Value as Json;

#[derive(Clone, Debug, PartialEq)]
pub enum Error {
    /// The request is invalid, for all of these reasons.
    Invalid(Vec<Problem>),
    NotFound(String),
    /// The key lacks this scope.
    Scope(&'static str),
    /// The signed-in user may not do this.
    Role(String),
    /// The operation requires that the user has entered the password in the last minutes.
    Reauthentication,
    /// Too many attempts; the next one is allowed after this time.
    Attempts {
        seconds: i64,
    },
    /// The workspace has not enough credits.
    Credits {
        kind: &'static str,
        available: i64,
        required: i64,
    },
    /// The file would exceed the storage limit of the workspace.
    Quota {
        used: i64,
        limit: i64,
        /// `None` if the size is unknown, but larger than the remaining space.
        required: Option<i64>,
    },
    /// The position in the feed has expired; `oldest` is the oldest available one.
    Gone {
        oldest: i64,
    },
    /// The request does not match the first one with the same `Idempotency-Key`, or can't be compared with it.
    Idempotency(&'static str),
    /// These members have addresses of records that were erased.
    Erased(Vec<Problem>),
    /// The record is not at a version that `If-Match` names; `None` if the tag can match no version.
    Precondition(Option<i64>),
    /// A query whose cost grows with the table ran in the fast lane; run it again in the slow lane.
    SlowLane,
    /// Something other than the database is not available; a retry may work.
    Unavailable(String),
    /// An external service refuses for now: the reason, for users, and the seconds after which to retry.
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

impl Problem {
    /// The same problem of a member that contains this one.
    fn within(self, part: &str) -> Problem {
        Problem { field: format!("{part}.{}", self.field), reason: self.reason }
    }
}

/// Most problems that one response lists.
pub const MAX_PROBLEMS: usize = 1000;

pub fn invalid(field: impl Into<String>, reason: impl Into<String>) -> Error {
    Error::Invalid(vec![Problem { field: field.into(), reason: reason.into() }])
}

pub fn not_found(what: impl std::fmt::Display) -> Error {
    Error::NotFound(format!("{what} does not exist"))
}

impl Error {
    /// Whether the same request may succeed if it is retried.
    pub fn is_transient(&self) -> bool {
        use store::Error::{TooSlow, Unavailable};
        matches!(self, Error::Unavailable(_) | Error::Store(Unavailable(_) | TooSlow))
    }

    /// Whether stored data can't be read. Retries fail until an operator repairs it.
    pub fn is_corrupt(&self) -> bool {
        self.corrupt().is_some()
    }

    /// The stored data that can't be read.
    pub fn corrupt(&self) -> Option<&store::Corrupt> {
        match self {
            Error::Store(store::Error::Corrupt(corrupt)) => Some(corrupt),
            _ => None,
        }
    }

    /// Names the column that can't be read, unless the error names one already.
    pub fn at(self, column: &str) -> Error {
        match self {
            Error::Store(error) => error.in_column(column).into(),
            other => other,
        }
    }

    /// Names the row that can't be read, unless the error names one already.
    pub fn in_row(self, table: &str, id: impl std::fmt::Display) -> Error {
        match self {
            Error::Store(error) => error.in_row(table, id).into(),
            other => other,
        }
    }

    /// Prefixes the fields of the problems with the member that contains them.
    pub fn within(self, part: &str) -> Error {
        match self {
            Error::Invalid(problems) => Error::Invalid(problems.into_iter().map(|p| p.within(part)).collect()),
            Error::Erased(problems) => Error::Erased(problems.into_iter().map(|p| p.within(part)).collect()),
            other => other,
        }
    }

    /// The same problem of another member.
    pub fn renamed(self, member: &str) -> Error {
        match self {
            Error::Invalid(problems) => {
                Error::Invalid(problems.into_iter().map(|one| Problem { field: member.into(), ..one }).collect())
            }
            other => other,
        }
    }

    /// The message a client reads: `field: reason; field: reason`.
    pub fn message(&self) -> String {
        match self {
            Error::Invalid(problems) | Error::Erased(problems) => {
                let shown = problems.iter().take(MAX_PROBLEMS).map(|p| format!("{}: {}", p.field, p.reason));
                let more = problems.len().saturating_sub(MAX_PROBLEMS);
                let more = (more > 0).then(|| format!("and {more} more problems"));
                shown.chain(more).collect::<Vec<_>>().join("; ")
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
            Error::Invalid(problems) | Error::Erased(problems) => {
                let shown = problems.iter().take(MAX_PROBLEMS);
                Some(shown.map(|p| serde_json::json!({ "field": p.field, "reason": p.reason })).collect())
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
    fn a_response_lists_a_thousand_problems() {
        let problem = |n| Problem { field: format!("field_{n}"), reason: "is wrong".into() };
        let error = Error::Invalid((0..MAX_PROBLEMS + 7).map(problem).collect());
        assert!(error.message().ends_with("field_999: is wrong; and 7 more problems"));
        assert_eq!(error.details().and_then(|details| details.as_array().map(Vec::len)), Some(MAX_PROBLEMS));
        let error = Error::Invalid((0..MAX_PROBLEMS).map(problem).collect());
        assert!(error.message().ends_with("field_999: is wrong"));
    }
}
