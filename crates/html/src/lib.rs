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
use rewrite::{Images, Rewritten, images, in_short_texts, rewrite, words};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many bytes of one input are read; the rest is ignored.
pub const LONGEST: usize = 2 * 1024 * 1024;

/// Inputs with fewer tags are within every limit, however they are nested.
const FEW_TAGS: usize = 200;

/// Text may have this many times the bytes of its HTML, and some more; otherwise only the words remain.
const GROWTH: usize = 20;
const FREE_BYTES: usize = 50_000;

/// The attribute with the address of an image that is not loaded.
const IMAGE_ADDRESS: &str = "data-src";
const LONGEST_ADDRESS: usize = 2_000;
/// Most images of one mail that can be loaded.
pub const MOST_IMAGES: usize = 60;

/// How a mail may look. None of these loads anything or moves a part of the mail over others.
const STYLES: [&str; 30] = [
    "background-color",
    "border",
    "border-bottom",
    "border-collapse",
    "border-color",
    "border-left",
    "border-radius",
    "border-right",
    "border-spacing",
    "border-style",
    "border-top",
    "border-width",
    "color",
    "font-family",
    "font-size",
    "font-style",
    "font-weight",
    "line-height",
    "max-width",
    "padding",
    "padding-bottom",
    "padding-left",
    "padding-right",
    "padding-top",
    "text-align",
    "text-decoration",
    "text-transform",
    "vertical-align",
    "white-space",
    "width",
];
const LONGEST_STYLE: usize = 1_000;

/// Whether a body is HTML: it begins with `<`.
pub fn is_html(body: &str) -> bool {
    body.trim_start().starts_with('<')
}

/// Sanitised HTML of users of this installation: no scripts, styles, forms or other active content.
pub fn safe(html: &str) -> String {
    let mut sanitizer = ammonia::Builder::default();
    sanitizer.link_rel(Some("noopener noreferrer nofollow"));
    cleaned(&sanitizer, html, Images::Shown)
}

/// Sanitised HTML of an incoming mail with its colours, fonts and spaces. It loads nothing: the address of an image is in
/// `data-src` instead of `src`, because loading it would tell the sender that the mail was read. An image that came with the
/// mail has `cid:` and its Content-ID there.
pub fn safe_mail(html: &str) -> String {
    let mut sanitizer = ammonia::Builder::default();
    for (tag, attributes) in [
        ("font", &["color", "face", "size"][..]),
        ("table", &["bgcolor", "border", "cellpadding", "cellspacing", "width"]),
        ("tr", &["bgcolor", "valign"]),
        ("td", &["bgcolor", "valign", "width"]),
        ("th", &["bgcolor", "valign", "width"]),
    ] {
        sanitizer.add_tags([tag]).add_tag_attributes(tag, attributes);
    }
    sanitizer
        .add_generic_attributes(["style"])
        .filter_style_properties(HashSet::from(STYLES))
        .rm_tag_attributes("img", ["src"])
        .add_tag_attributes("img", [IMAGE_ADDRESS])
        .attribute_filter(|element, attribute, value| match (element, attribute) {
            ("img", IMAGE_ADDRESS) => (is_web_address(value) || is_content_id(value)).then(|| value.into()),
            (_, "style") => (value.len() <= LONGEST_STYLE).then(|| value.into()),
            _ => Some(value.into()),
        })
        .url_schemes(HashSet::from(["http", "https", "mailto", "tel"]))
        .link_rel(Some("noopener noreferrer nofollow"));
    cleaned(&sanitizer, html, Images::Aside)
}

/// The addresses of the images in sanitised HTML, without repetitions.
pub fn image_addresses(html: &str) -> Vec<String> {
    let mut found = Vec::new();
    images(cut(html), &mut |address| {
        let address = unescaped(address);
        if is_web_address(&address) && !found.contains(&address) {
            found.push(address);
        }
        found.len() < MOST_IMAGES
    });
    found
}

fn is_web_address(text: &str) -> bool {
    let scheme = ["http://", "https://"].into_iter().any(|scheme| starts_with(text, scheme));
    scheme && text.len() <= LONGEST_ADDRESS && !text.contains(|c: char| c.is_control() || c.is_whitespace())
}

/// Whether an address names an image that came with the mail.
fn is_content_id(text: &str) -> bool {
    starts_with(text, "cid:") && text.len() <= LONGEST_ADDRESS && !text.contains(char::is_control)
}

fn starts_with(text: &str, scheme: &str) -> bool {
    text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
}

/// An attribute as the sanitiser has written it.
fn unescaped(value: &str) -> String {
    let mut text = value.to_owned();
    for (reference, letter) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&nbsp;", "\u{a0}"), ("&amp;", "&")] {
        text = text.replace(reference, letter);
    }
    text
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

fn cleaned(sanitizer: &ammonia::Builder, html: &str, images: Images) -> String {
    let clean = |html: &str| sanitizer.clean(html).to_string();
    let limited = || match within_limits(html, Purpose::Sanitise, images) {
        Some(simple) => clean(&simple),
        None => clean(&in_short_texts(&words(cut(html)))),
    };
    guarded(limited).unwrap_or_else(|| clean(&in_short_texts(&words(cut(html)))))
}

fn converted(html: &str, convert: impl Fn(&str) -> Result<String, html2text::Error>) -> String {
    let text = guarded(|| convert(&within_limits(html, Purpose::Convert, Images::Shown)?).ok()).flatten();
    // Deep lists and quotes are indented on every line.
    let text = text.filter(|text| text.len() <= GROWTH * html.len() + FREE_BYTES);
    let text = text.unwrap_or_else(|| convert(&words(cut(html))).unwrap_or_default());
    text.trim().to_owned()
}

/// The rewritten HTML if it is within the limits.
fn within_limits(html: &str, purpose: Purpose, images: Images) -> Option<String> {
    let Rewritten { html: simple, tags } = rewrite(cut(html), images);
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
