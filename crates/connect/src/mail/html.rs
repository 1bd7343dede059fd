//! Strangers' HTML, safe to show and as text.

use std::collections::HashSet;

/// Without scripts, styles, forms and whatever loads by itself: remote pictures would tell the sender that and when a
/// mail was read, so only their descriptions stay.
pub fn safe(html: &str) -> String {
    ammonia::Builder::default()
        .rm_tags(["img"])
        .url_schemes(HashSet::from(["http", "https", "mailto", "tel"]))
        .link_rel(Some("noopener noreferrer nofollow"))
        .clean(html)
        .to_string()
}

/// As plain text, its links by their texts.
pub fn to_text(html: &str) -> String {
    let config = html2text::config::plain_no_decorate().no_link_wrapping().allow_width_overflow();
    config.string_from_read(html.as_bytes(), 10_000).unwrap_or_default().trim().to_owned()
}
