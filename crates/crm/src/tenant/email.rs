//! Email addresses of users.

use resource::fold;

/// The key by which addresses are compared, ignoring case.
pub(crate) fn email_key(email: &str) -> String {
    fold(email)
}
