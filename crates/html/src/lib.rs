//! Untrusted HTML: sanitised for display, and converted to plain text.
//!
//! Parsers of HTML repair mis-nested markup, and some inputs make that cost the square of their size or build trees
//! that are hundreds of thousands of elements deep. So every input goes through three stages, each linear in its size:
//!
//! 1. `rewrite` tokenises it and writes it again in a simple form: no comments, scripts or styles, few attributes.
//! 2. `measure` builds the tree that the parser would build, without contents, and stops at a limit of depth and work.
//! 3. Only HTML within the limits goes to `ammonia` or `html2text`. Otherwise only the words remain.

mod mail_text;
mod measure;
mod rewrite;

use measure::Purpose;
use rewrite::{Rewritten, in_short_texts, rewrite, words};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many bytes of one input are read; the rest is ignored.
pub const LONGEST: usize = 2 * 1024 * 1024;

/// Inputs with fewer tags are within every limit, however they are nested.
const FEW_TAGS: usize = 200;

/// Text may have this many times the bytes of its HTML, and some more; otherwise only the words remain.
const GROWTH: usize = 20;
const FREE_BYTES: usize = 50_000;

/// Whether a body is HTML: it begins with `<`.
pub fn is_html(body: &str) -> bool {
    body.trim_start().starts_with('<')
}

/// Sanitised HTML of users of this installation: no scripts, styles, forms or other active content.
pub fn safe(html: &str) -> String {
    let mut sanitizer = ammonia::Builder::default();
    sanitizer.link_rel(Some("noopener noreferrer nofollow"));
    cleaned(&sanitizer, html)
}

/// Sanitised HTML of an incoming mail. Images are removed too: loading a remote one would tell the sender that the mail
/// was read.
pub fn safe_without_images(html: &str) -> String {
    let mut sanitizer = ammonia::Builder::default();
    sanitizer
        .rm_tags(["img"])
        .url_schemes(HashSet::from(["http", "https", "mailto", "tel"]))
        .link_rel(Some("noopener noreferrer nofollow"));
    cleaned(&sanitizer, html)
}

/// Plain text as a person would have typed it: for the text part of an outgoing mail.
pub fn mail_text(html: &str) -> String {
    converted(html, |html| {
        let config = html2text::config::with_decorator(mail_text::MailDecorator::default());
        let config = config.raw_mode(true).no_link_wrapping().allow_width_overflow();
        config.string_from_read(html.as_bytes(), 10_000).map(|text| mail_text::finished(&text))
    })
}

/// Plain text with the lines of the source, links by their texts: for an incoming mail.
pub fn plain_text(html: &str) -> String {
    converted(html, |html| {
        let config = html2text::config::plain_no_decorate().no_link_wrapping().allow_width_overflow();
        config.string_from_read(html.as_bytes(), 10_000)
    })
}

fn cleaned(sanitizer: &ammonia::Builder, html: &str) -> String {
    let clean = |html: &str| sanitizer.clean(html).to_string();
    let limited = || match within_limits(html, Purpose::Sanitise) {
        Some(simple) => clean(&simple),
        None => clean(&in_short_texts(&words(cut(html)))),
    };
    guarded(limited).unwrap_or_else(|| clean(&in_short_texts(&words(cut(html)))))
}

fn converted(html: &str, convert: impl Fn(&str) -> Result<String, html2text::Error>) -> String {
    let text = guarded(|| convert(&within_limits(html, Purpose::Convert)?).ok()).flatten();
    // Deep lists and quotes are indented on every line.
    let text = text.filter(|text| text.len() <= GROWTH * html.len() + FREE_BYTES);
    let text = text.unwrap_or_else(|| convert(&words(cut(html))).unwrap_or_default());
    text.trim().to_owned()
}

/// The rewritten HTML if it is within the limits.
fn within_limits(html: &str, purpose: Purpose) -> Option<String> {
    let Rewritten { html: simple, tags } = rewrite(cut(html));
    let is_small = tags <= FEW_TAGS && (purpose == Purpose::Convert || !measure::may_be_slow_to_escape(&simple));
    (is_small || measure::is_within_limits(&simple, purpose)).then_some(simple)
}

fn cut(html: &str) -> &str {
    &html[..html.floor_char_boundary(LONGEST)]
}

/// A panic in a parser must cost no more than the markup of one input.
fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok()
}
