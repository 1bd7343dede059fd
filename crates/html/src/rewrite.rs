//! Rewrites HTML in a simple form that all parsers read alike: text, and tags with few, quoted attributes. `<` only
//! begins a tag. Comments, scripts and styles are removed. Linear in the size of any input.

use crate::{LONGEST, is_content_id, is_web_address};

/// Further attributes of a tag are dropped, because parsers compare all of them to find duplicates.
const MOST_ATTRIBUTES: usize = 50;
const LONGEST_NAME: usize = 100;
/// Larger spans of cells are ignored.
const MOST_SPANNED: u32 = 100;

/// Elements whose content is not markup. Their tags are removed, so that no parser changes its mode after them.
const RAW: &[&str] = &["iframe", "noembed", "noframes", "xmp", "plaintext", "script", "style"];
const WITHOUT_CONTENT: &[&str] = &["script", "style"];
/// The same, but character references are decoded in them.
const RAW_WITH_REFERENCES: &[&str] = &["title", "textarea"];
/// Tags that are removed; the content between them is kept.
const IGNORED: &[&str] = &["noscript"];
/// Elements that do not start a new line.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "big", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "q",
    "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr", "nobr",
];

/// What becomes of the addresses of images.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Images {
    Shown,
    /// They stay in `data-src`. Images with nothing to show are removed.
    Aside,
}

pub(crate) struct Rewritten {
    pub html: String,
    /// The number of start tags.
    pub tags: usize,
}

pub(crate) fn rewrite(html: &str, images: Images) -> Rewritten {
    let mut out = String::with_capacity(html.len() + html.len() / 8);
    let (mut tags, mut doctype) = (0, false);
    tokenize(html, &mut |token| {
        match token {
            Token::Text(text) => out.push_str(text),
            Token::Escaped(text) => escape(text, &mut out),
            Token::Doctype(text) if !doctype && text.len() < 500 => {
                doctype = true;
                out.push_str(text);
            }
            Token::Doctype(_) => {}
            Token::Start(tag) if images == Images::Aside && tag.is_image() && !tag.shows_something() => {}
            Token::Start(tag) => {
                tags += 1;
                start(&tag, images, &mut out);
            }
            Token::End(name) => {
                out.push_str("</");
                out.push_str(name);
                out.push('>');
            }
        }
        out.len() < LONGEST
    });
    Rewritten { html: out, tags }
}

/// Passes the address of each image to `take` until it returns false.
pub(crate) fn images(html: &str, take: &mut dyn FnMut(&str) -> bool) {
    tokenize(html, &mut |token| {
        let Token::Start(tag) = token else { return true };
        let address = ["data-src", "src"].into_iter().find_map(|name| tag.attribute(name));
        address.filter(|_| tag.is_image()).is_none_or(&mut *take)
    });
}

/// Only the text, with a line for each block.
pub(crate) fn words(html: &str) -> String {
    let mut out = String::with_capacity(html.len() / 2);
    let mut between = "";
    tokenize(html, &mut |token| {
        let name = match &token {
            Token::Text(text) | Token::Escaped(text) if text.trim().is_empty() => {
                between = if between.is_empty() { " " } else { between };
                return true;
            }
            Token::Text(text) | Token::Escaped(text) => {
                let spaced = between == " " && out.ends_with(char::is_whitespace);
                if !out.is_empty() && !spaced {
                    out.push_str(between);
                }
                between = "";
                match token {
                    Token::Text(_) => out.push_str(text),
                    _ => escape(text, &mut out),
                }
                return out.len() < LONGEST;
            }
            Token::Doctype(_) => return true,
            Token::Start(tag) => tag.name,
            Token::End(name) => name,
        };
        if !is_one_of(name, INLINE) {
            between = "<br>\n";
        } else if between.is_empty() {
            between = " ";
        }
        true
    });
    out.truncate(out.trim_end().len());
    out
}

/// Words with a comment after every few thousand bytes. The sanitiser removes comments, but the texts on both sides stay
/// apart, and no text is so long that writing it takes time in the square of its length (see `measure::escapes`).
pub(crate) fn in_short_texts(words: &str) -> String {
    const SHORT: usize = 4096;
    /// A character reference or a `<br>` that a cut could divide begins in this many bytes before it.
    const DIVISIBLE: usize = 40;
    let mut out = String::with_capacity(words.len() + words.len() / 256);
    let mut rest = words;
    while rest.len() > SHORT {
        let end = rest.floor_char_boundary(SHORT);
        let before = rest.floor_char_boundary(end - DIVISIBLE);
        let end = rest[before..end].rfind(['&', '<']).map_or(end, |at| before + at);
        out.push_str(&rest[..end]);
        out.push_str("<!---->");
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

enum Token<'a> {
    /// Source text with character references, without `<`.
    Text(&'a str),
    /// Text without character references.
    Escaped(&'a str),
    Doctype(&'a str),
    Start(Tag<'a>),
    End(&'a str),
}

struct Tag<'a> {
    name: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
    closes_itself: bool,
}

impl Tag<'_> {
    fn is_image(&self) -> bool {
        is_one_of(self.name, &["img", "image"])
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| *value)
    }

    /// Whether an image has an address or a text, and is not one that only counts who opens the mail.
    fn shows_something(&self) -> bool {
        let is_tiny = |value: &str| value.trim().trim_end_matches("px").parse().is_ok_and(|size: f32| size <= 2.0);
        let by_style = |declaration: &str| {
            let (name, value) = declaration.split_once(':').unwrap_or_default();
            let (name, value) = (name.trim().to_ascii_lowercase(), value.to_ascii_lowercase());
            let value = value.trim_end().trim_end_matches("!important").trim();
            match name.as_str() {
                "width" | "height" | "max-width" | "max-height" => is_tiny(value),
                "display" => value == "none",
                "visibility" => value == "hidden",
                _ => false,
            }
        };
        let is_pixel = ["width", "height"].into_iter().any(|name| self.attribute(name).is_some_and(is_tiny))
            || self.attribute("style").is_some_and(|style| style.split(';').any(by_style));
        let has_text = self.attribute("alt").is_some_and(|text| !text.trim().is_empty());
        !is_pixel && (has_text || self.attribute("src").is_some_and(|src| is_web_address(src) || is_content_id(src)))
    }
}

/// Passes each token to `take` until it returns false.
fn tokenize<'a>(html: &'a str, take: &mut dyn FnMut(Token<'a>) -> bool) {
    let mut rest = html;
    while !rest.is_empty() {
        let at = rest.find('<').unwrap_or(rest.len());
        if at > 0 && !take(Token::Text(&rest[..at])) {
            return;
        }
        rest = &rest[at..];
        let bytes = rest.as_bytes();
        rest = match (bytes.get(1), bytes.get(2)) {
            (None, None) if bytes.is_empty() => return,
            (Some(b'!'), _) if rest.starts_with("<!--") => after_comment(&rest[4..]),
            (Some(b'!' | b'?'), _) => {
                let (inside, after) = up_to_close(rest);
                if inside.get(2..9).is_some_and(|word| word.eq_ignore_ascii_case("doctype"))
                    && !take(Token::Doctype(inside))
                {
                    return;
                }
                after
            }
            (Some(b'/'), Some(letter)) if letter.is_ascii_alphabetic() => {
                let Some((tag, after)) = tag(&rest[2..]) else { return };
                if is_plain(tag.name) && !is_left_out(tag.name) && !take(Token::End(tag.name)) {
                    return;
                }
                after
            }
            (Some(b'/'), Some(_)) => up_to_close(rest).1,
            (Some(letter), _) if letter.is_ascii_alphabetic() => {
                let Some((tag, after)) = tag(&rest[1..]) else { return };
                let name = tag.name;
                let raw = is_one_of(name, RAW);
                let more = match is_plain(name) && !is_left_out(name) {
                    true => take(Token::Start(tag)),
                    false => true,
                };
                if !more {
                    return;
                }
                if raw || is_one_of(name, RAW_WITH_REFERENCES) {
                    let (content, after) = raw_content(after, name);
                    if !is_one_of(name, WITHOUT_CONTENT) && !text_of(content, raw, take) {
                        return;
                    }
                    after
                } else {
                    after
                }
            }
            _ => {
                if !take(Token::Escaped("<")) {
                    return;
                }
                &rest[1..]
            }
        };
    }
}

/// Emits content that is not markup; returns whether to continue.
fn text_of<'a>(content: &'a str, raw: bool, take: &mut dyn FnMut(Token<'a>) -> bool) -> bool {
    if raw {
        return content.is_empty() || take(Token::Escaped(content));
    }
    content.split_inclusive('<').all(|piece| match piece.strip_suffix('<') {
        Some(text) => (text.is_empty() || take(Token::Text(text))) && take(Token::Escaped("<")),
        None => take(Token::Text(piece)),
    })
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn is_left_out(name: &str) -> bool {
    is_one_of(name, RAW) || is_one_of(name, IGNORED)
}

/// Names that need no quoting anywhere. Sanitisers know no others.
fn is_plain(name: &str) -> bool {
    name.len() <= LONGEST_NAME
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.'))
}

/// The rest after a comment, given the text behind `<!--`.
fn after_comment(text: &str) -> &str {
    // `<!-->` and `<!--->` are complete comments.
    if let Some(after) = text.strip_prefix('>').or_else(|| text.strip_prefix("->")) {
        return after;
    }
    let mut from = 0;
    while let Some(at) = text[from..].find("--") {
        let after = &text[from + at + 2..];
        if let Some(after) = after.strip_prefix('>').or_else(|| after.strip_prefix("!>")) {
            return after;
        }
        from += at + 1;
    }
    ""
}

/// A declaration up to and including the next `>`, and the rest.
fn up_to_close(text: &str) -> (&str, &str) {
    text.split_at(text.find('>').map_or(text.len(), |at| at + 1))
}

/// The content of an element without markup, and the rest, which begins with its end tag.
fn raw_content<'a>(text: &'a str, name: &str) -> (&'a str, &'a str) {
    if name.eq_ignore_ascii_case("plaintext") {
        return (text, "");
    }
    let mut from = 0;
    while let Some(at) = text[from..].find("</") {
        let (at, after) = (from + at, &text[from + at + 2..]);
        let ends = after.get(..name.len()).is_some_and(|word| word.eq_ignore_ascii_case(name))
            && after[name.len()..].starts_with(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>');
        if ends {
            return text.split_at(at);
        }
        from = at + 2;
    }
    (text, "")
}

/// A tag from its name on, and the rest. `None` if the tag has no end.
fn tag(text: &str) -> Option<(Tag<'_>, &str)> {
    let is_space = |c: char| c.is_ascii_whitespace();
    let end = text.find(|c| is_space(c) || c == '/' || c == '>')?;
    let (name, mut rest) = text.split_at(end);
    let mut found = Tag { name, attributes: Vec::new(), closes_itself: false };
    loop {
        rest = rest.trim_start_matches(is_space);
        if let Some(after) = rest.strip_prefix('>') {
            return Some((found, after));
        }
        if let Some(after) = rest.strip_prefix('/') {
            found.closes_itself = after.starts_with('>');
            rest = after;
            continue;
        }
        // A name may begin with an equals sign.
        let first = rest.chars().next()?.len_utf8();
        let end = rest[first..].find(|c| is_space(c) || matches!(c, '/' | '>' | '='))? + first;
        let (name, after) = rest.split_at(end);
        rest = after.trim_start_matches(is_space);
        let mut value = "";
        if let Some(after) = rest.strip_prefix('=') {
            let after = after.trim_start_matches(is_space);
            let quote = after.chars().next()?;
            (value, rest) = match quote {
                '"' | '\'' => after[1..].split_once(quote)?,
                _ => after.split_at(after.find(|c| is_space(c) || c == '>')?),
            };
        }
        if found.attributes.len() < MOST_ATTRIBUTES && is_plain(name) {
            found.attributes.push((name, value));
        }
    }
}

fn start(tag: &Tag, images: Images, out: &mut String) {
    out.push('<');
    out.push_str(tag.name);
    // Parsers merge the attributes of further `<html>` and `<body>` tags into the first.
    let is_root = is_one_of(tag.name, &["html", "body"]);
    for (name, value) in tag.attributes.iter().filter(|_| !is_root) {
        if is_one_of(name, &["colspan", "rowspan"]) && !value.parse().is_ok_and(|n: u32| n <= MOST_SPANNED) {
            continue;
        }
        // A list counts from this number.
        if name.eq_ignore_ascii_case("start") && value.len() > 9 {
            continue;
        }
        let is_aside = images == Images::Aside && tag.is_image();
        // A `data-src` of the mail's own would come before ours.
        if is_aside && name.eq_ignore_ascii_case("data-src") {
            continue;
        }
        out.push(' ');
        out.push_str(if is_aside && name.eq_ignore_ascii_case("src") { "data-src" } else { name });
        out.push_str("=\"");
        for c in value.chars() {
            match c {
                '"' => out.push_str("&quot;"),
                '<' => out.push_str("&lt;"),
                c => out.push(c),
            }
        }
        out.push('"');
    }
    out.push_str(if tag.closes_itself { "/>" } else { ">" });
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            c => out.push(c),
        }
    }
}
