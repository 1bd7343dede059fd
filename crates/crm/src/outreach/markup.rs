//! Conversion of untrusted HTML. It can take long, so that no transaction may be open.

/// The HTML of a message, sanitised for display.
pub fn safe(html: &str) -> String {
    assert_no_transaction();
    untrusted_html::safe(html)
}

/// The text part of a mail with this HTML.
pub fn mail_text(html: &str) -> String {
    assert_no_transaction();
    untrusted_html::mail_text(html)
}

/// Checked where tests run: other requests would wait for a computation inside a transaction.
pub fn assert_no_transaction() {
    debug_assert!(!store::in_transaction(), "HTML and templates never run inside a transaction");
}
