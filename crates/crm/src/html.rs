//! HTML of strangers and of templates: made safe to show, and turned into text.

/// Without scripts, styles, forms and anything that acts by itself.
pub fn safe(html: &str) -> String {
    ammonia::Builder::default().link_rel(Some("noopener noreferrer nofollow")).clean(html).to_string()
}

/// As plain text, for the part that every mail has.
pub fn text(html: &str) -> String {
    let text = html2text::from_read(html.as_bytes(), 78).unwrap_or_else(|_| ammonia::clean_text(html));
    text.trim().to_owned()
}

/// A body is HTML when it begins with `<`.
pub fn is_html(body: &str) -> bool {
    body.trim_start().starts_with('<')
}
