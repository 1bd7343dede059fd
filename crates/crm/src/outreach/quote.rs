//! Separates what somebody wrote from the mail that they quote, in the plain text of a reply as common mail programs write
//! it.

mod words;

use words::{ATTRIBUTIONS, DIVIDERS, OTHER_HEADERS, SENDER_HEADERS};

/// The most characters of the lines that introduce a quotation.
const LONGEST_INTRODUCTION: usize = 400;
/// A mail program breaks such a line into this many lines at most.
const MOST_LINES: usize = 4;

/// The two parts of a reply. Each is a part of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply<'a> {
    /// What the sender wrote.
    pub own: &'a str,
    /// The quoted mail with the lines that introduce it. `None` if nothing is quoted, if the sender wrote between the quoted
    /// lines, and if there is nothing else.
    pub quoted: Option<&'a str>,
}

impl<'a> Reply<'a> {
    pub fn of(text: &'a str) -> Reply<'a> {
        let whole = Reply { own: text, quoted: None };
        let lines = Line::all(text);
        let Some((first, body)) = (0..lines.len()).find_map(|at| begins(&lines, at)) else { return whole };
        let is_marked = lines[body..].iter().find(|line| !line.text.is_empty()).is_some_and(Line::is_marked);
        let is_own = |line: &&Line| is_marked && !line.text.is_empty() && !line.is_marked();
        let reply = match lines[body..].iter().find(is_own) {
            None => Reply { own: text[..lines[first].at].trim_end(), quoted: Some(&text[lines[first].at..]) },
            // The answer is below the quoted mail.
            Some(end) if text[..lines[first].at].trim().is_empty() => {
                let (quoted, own) = text.split_at(end.at);
                Reply { own, quoted: Some(quoted.trim_end()) }
            }
            Some(_) => return whole,
        };
        let goes_on = Line::all(reply.own).iter().any(Line::is_marked);
        if reply.own.trim().is_empty() || goes_on { whole } else { reply }
    }
}

struct Line<'a> {
    /// Where it begins, in bytes.
    at: usize,
    text: &'a str,
}

impl Line<'_> {
    fn all(text: &str) -> Vec<Line<'_>> {
        let mut at = 0;
        let line = |line: &'_ str| {
            at += line.len();
            at - line.len()
        };
        let starts: Vec<usize> = text.split_inclusive('\n').map(line).collect();
        text.split_inclusive('\n').zip(starts).map(|(line, at)| Line { at, text: line.trim() }).collect()
    }

    /// Whether it has the mark of a quoted line.
    fn is_marked(&self) -> bool {
        self.text.starts_with('>')
    }
}

/// The line at which a quotation begins and the first line of the quoted mail, if one begins at this line.
fn begins(lines: &[Line<'_>], at: usize) -> Option<(usize, usize)> {
    let line = lines[at].text;
    if line.is_empty() {
        return None;
    }
    if lines[at].is_marked() {
        return Some((at, at));
    }
    if is_divider(line) {
        return Some((at, at + 1));
    }
    if is_rule(line) {
        let next = next_text(lines, at + 1)?;
        return has_headers(lines, next).then_some((at, next));
    }
    if has_headers(lines, at) {
        return Some((at, at + 1));
    }
    if let Some(last) = attribution(lines, at) {
        return Some((at, last + 1));
    }
    // Any line that ends with a colon introduces marked lines right below it.
    let next = next_text(lines, at + 1)?;
    let introduces = line.ends_with([':', '：']) && line.len() <= LONGEST_INTRODUCTION && lines[next].is_marked();
    introduces.then_some((at, next))
}

fn next_text(lines: &[Line<'_>], from: usize) -> Option<usize> {
    (from..lines.len()).find(|at| !lines[*at].text.is_empty())
}

/// `-----Original Message-----`
fn is_divider(line: &str) -> bool {
    let inner = line.trim_matches(['-', ' ', '*', '_', '—']);
    let is_framed = line.starts_with("--") && line.ends_with("--") && inner.len() <= LONGEST_INTRODUCTION;
    is_framed && {
        let inner = inner.to_lowercase();
        DIVIDERS.iter().any(|words| inner == *words) || is_attribution(&format!("{inner}:")).is_some()
    }
}

/// A line across the page.
fn is_rule(line: &str) -> bool {
    line.len() >= 5 && (line.chars().all(|letter| letter == '_') || line.chars().all(|letter| letter == '-'))
}

/// Whether the headers of a mail begin here: the sender and others within the next lines. Two, or one if the sender has an
/// address.
fn has_headers(lines: &[Line<'_>], at: usize) -> bool {
    let is_one_of = |line: &str, names: &[&str]| {
        let line = line.trim_start_matches('*');
        let Some((name, _)) = line.split_once([':', '：']) else { return false };
        name.len() <= 40 && names.contains(&name.trim_matches(['*', ' ', '\u{a0}']).to_lowercase().as_str())
    };
    let is_first = is_one_of(lines[at].text, SENDER_HEADERS) || is_one_of(lines[at].text, OTHER_HEADERS);
    if !is_first {
        return false;
    }
    let head: Vec<&str> = lines[at..].iter().map(|line| line.text).filter(|line| !line.is_empty()).take(6).collect();
    let count = |names: &[&str]| head.iter().filter(|line| is_one_of(line, names)).count();
    let needed = if head.iter().any(|line| line.contains('@') && is_one_of(line, SENDER_HEADERS)) { 1 } else { 2 };
    count(SENDER_HEADERS) >= 1 && count(OTHER_HEADERS) >= needed
}

/// The last line of an attribution that begins here: `On 5 January, Ada <ada@example.com> wrote:`
fn attribution(lines: &[Line<'_>], at: usize) -> Option<usize> {
    let mut joined = String::new();
    for (last, line) in lines.iter().enumerate().skip(at).take(MOST_LINES) {
        if line.text.is_empty() || line.is_marked() || joined.len() + line.text.len() > LONGEST_INTRODUCTION {
            return None;
        }
        joined.push_str(&line.text.to_lowercase());
        if let Some(found) = is_attribution(&joined) {
            // The answer may end right above it.
            let later =
                |next: usize| lines[next..=last].iter().map(|line| line.text.to_lowercase()).collect::<Vec<_>>();
            let is_later = (at + 1..=last)
                .filter_map(|next| is_attribution(&later(next).join(" ")))
                .any(|later| later == Attribution::WithBeginning || found == Attribution::WithoutBeginning);
            return (!is_later).then_some(last);
        }
        joined.push(' ');
    }
    None
}

#[derive(PartialEq)]
enum Attribution {
    /// It begins with words that begin attributions.
    WithBeginning,
    /// It may have begun later.
    WithoutBeginning,
}

/// Whether a text in lower case says who wrote and when.
fn is_attribution(text: &str) -> Option<Attribution> {
    let text = text.strip_suffix([':', '：'])?.trim_end();
    let is_certain = text.contains('@') || text.chars().any(|letter| letter.is_ascii_digit());
    let fits = |(begin, said): &&(&str, &str)| text.starts_with(begin) && text.contains(said);
    let mut found = ATTRIBUTIONS.iter().filter(fits).filter(|_| is_certain).peekable();
    found.peek()?;
    let has_beginning = found.any(|(begin, _)| !begin.is_empty());
    Some(if has_beginning { Attribution::WithBeginning } else { Attribution::WithoutBeginning })
}

#[cfg(test)]
mod tests;
