//! Strangers' HTML, safe to show and as text.

use std::borrow::Cow;
use std::collections::HashSet;

/// What is looked at of one page. Elements in elements cost their square, so a page may not go deeper than people write.
const LONGEST: usize = 2 * 1024 * 1024;
const DEEPEST: usize = 400;

/// Without scripts, styles, forms and whatever loads by itself: remote pictures would tell the sender that and when a
/// mail was read, so none is shown.
pub fn safe(html: &str) -> String {
    ammonia::Builder::default()
        .rm_tags(["img"])
        .url_schemes(HashSet::from(["http", "https", "mailto", "tel"]))
        .link_rel(Some("noopener noreferrer nofollow"))
        .clean(&bounded(html))
        .to_string()
}

/// As plain text, its links by their texts.
pub fn to_text(html: &str) -> String {
    let config = html2text::config::plain_no_decorate().no_link_wrapping().allow_width_overflow();
    config.string_from_read(bounded(html).as_bytes(), 10_000).unwrap_or_default().trim().to_owned()
}

/// The page, cut where it is too long; its words alone if it is too deep.
fn bounded(html: &str) -> Cow<'_, str> {
    let html = &html[..html.floor_char_boundary(LONGEST)];
    if deep(html) { Cow::Owned(words(html)) } else { Cow::Borrowed(html) }
}

/// Whether elements stand in each other too deep, as a browser would read it, about.
fn deep(html: &str) -> bool {
    let mut open: Vec<&str> = Vec::new();
    for tag in html.split('<').skip(1) {
        let closing = tag.starts_with('/');
        let tag = tag.trim_start_matches('/');
        let name = tag.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
        if name.is_empty() || VOID.iter().any(|void| name.eq_ignore_ascii_case(void)) {
            continue;
        }
        if !closing {
            open.push(name);
        } else if let Some(at) = open.iter().rposition(|opened| opened.eq_ignore_ascii_case(name)) {
            open.truncate(at);
        }
        if open.len() > DEEPEST {
            return true;
        }
    }
    false
}

const VOID: &[&str] =
    &["br", "hr", "img", "input", "meta", "link", "col", "area", "base", "embed", "source", "track", "wbr"];

fn words(html: &str) -> String {
    let mut pieces = html.split('<');
    let first = pieces.next().unwrap_or_default();
    let rest = pieces.filter_map(|piece| piece.split_once('>')).map(|(_, text)| text);
    std::iter::once(first).chain(rest).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}
