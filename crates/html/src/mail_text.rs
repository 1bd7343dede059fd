//! The text part of an outgoing mail, as a person would have typed it: one line for each paragraph, links behind their
//! words, lists with marks, and no marks for bold or italic words.

use html2text::render::TextDecorator;

/// Unicode's marks for annotated text stand around a link until all of it is known. They have no width.
const LINK: char = '\u{fff9}';
const TARGET: char = '\u{fffa}';
const END: char = '\u{fffb}';

/// Renders links with marks around them, which `finished` replaces.
#[derive(Clone, Debug, Default)]
pub(crate) struct MailDecorator {
    /// The targets of open links.
    open: Vec<String>,
}

fn plain() -> (String, ()) {
    (String::new(), ())
}

impl TextDecorator for MailDecorator {
    type Annotation = ();

    fn decorate_link_start(&mut self, url: &str) -> (String, ()) {
        self.open.push(url.trim().to_owned());
        (LINK.to_string(), ())
    }
    fn decorate_link_end(&mut self) -> String {
        let target = self.open.pop().unwrap_or_default();
        format!("{TARGET}{}{END}", target.replace(char::is_whitespace, "%20"))
    }
    fn decorate_em_start(&self) -> (String, ()) {
        plain()
    }
    fn decorate_em_end(&self) -> String {
        String::new()
    }
    fn decorate_strong_start(&self) -> (String, ()) {
        plain()
    }
    fn decorate_strong_end(&self) -> String {
        String::new()
    }
    fn decorate_strikeout_start(&self) -> (String, ()) {
        plain()
    }
    fn decorate_strikeout_end(&self) -> String {
        String::new()
    }
    fn decorate_code_start(&self) -> (String, ()) {
        plain()
    }
    fn decorate_code_end(&self) -> String {
        String::new()
    }
    fn decorate_preformat_first(&self) {}
    fn decorate_preformat_cont(&self) {}
    fn decorate_image(&mut self, _: &str, title: &str) -> (String, ()) {
        (title.to_owned(), ())
    }
    fn header_prefix(&self, _: usize) -> String {
        String::new()
    }
    fn quote_prefix(&self) -> String {
        "> ".to_owned()
    }
    fn unordered_item_prefix(&self) -> String {
        "- ".to_owned()
    }
    fn ordered_item_prefix(&self, number: i64) -> String {
        format!("{number}. ")
    }
    fn make_subblock_decorator(&self) -> MailDecorator {
        self.clone()
    }
    fn decorate_superscript_start(&self) -> (String, ()) {
        plain()
    }
    fn decorate_superscript_end(&self) -> String {
        String::new()
    }
}

/// Replaces the marks of links, and removes spaces at the ends of lines and blank lines that follow each other.
pub(crate) fn finished(text: &str) -> String {
    let linked = with_links(text);
    let mut out = String::with_capacity(linked.len());
    let mut blank = 0;
    for line in linked.lines().map(str::trim_end) {
        blank = if line.is_empty() { blank + 1 } else { 0 };
        if blank > 1 {
            continue;
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

fn with_links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find([LINK, TARGET, END]) {
        out.push_str(&rest[..at]);
        let from = &rest[at..];
        let mark = from.chars().next().unwrap_or(END);
        rest = &from[mark.len_utf8()..];
        // Other marks are from the mail itself, and mean nothing.
        if mark != LINK {
            continue;
        }
        let Some((words, after)) = rest.split_once(TARGET).filter(|(words, _)| !words.contains([LINK, END])) else {
            continue;
        };
        let Some((target, after)) = after.split_once(END).filter(|(target, _)| !target.contains([LINK, TARGET])) else {
            continue;
        };
        out.push_str(&link(words, target));
        rest = after;
    }
    out + rest
}

/// A link as text: its words, and its target if that says more.
fn link(words: &str, target: &str) -> String {
    let said = words.trim();
    let scheme = target.split_once(':').map_or("", |(scheme, _)| scheme).to_ascii_lowercase();
    let shown = match scheme.as_str() {
        "http" | "https" => target,
        "mailto" | "tel" => target[scheme.len() + 1..].split('?').next().unwrap_or_default(),
        // It can't be opened from a mail.
        _ => return words.to_owned(),
    };
    let bare = |address: &str| {
        let address = address.trim_start_matches("https://").trim_start_matches("http://");
        address.trim_start_matches("www.").trim_end_matches('/').to_lowercase()
    };
    match said {
        "" => shown.to_owned(),
        _ if bare(said) == bare(shown) => words.to_owned(),
        _ => format!("{words} ({shown})"),
    }
}
