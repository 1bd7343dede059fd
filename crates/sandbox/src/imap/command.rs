//! Parses commands into atoms, quoted strings, literals and lists.

use std::collections::VecDeque;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Word {
    Text(Vec<u8>),
    List(Vec<Word>),
}

impl Word {
    pub(super) fn text(&self) -> String {
        match self {
            Word::Text(text) => String::from_utf8_lossy(text).into_owned(),
            Word::List(_) => String::new(),
        }
    }
}

pub(super) struct Words(VecDeque<Word>);

impl Words {
    pub(super) fn next_text(&mut self) -> String {
        self.0.pop_front().map(|word| word.text()).unwrap_or_default()
    }

    pub(super) fn all(self) -> Vec<Word> {
        self.0.into()
    }
}

/// The size of the literal at the end of a line, and whether the client waits for a continuation request.
pub(super) fn literal(line: &[u8]) -> Option<(usize, bool)> {
    let line = line.strip_suffix(b"\n")?;
    let line = line.strip_suffix(b"\r").unwrap_or(line).strip_suffix(b"}")?;
    let open = line.iter().rposition(|byte| *byte == b'{')?;
    let inside = std::str::from_utf8(&line[open + 1..]).ok()?;
    let (digits, waits) = inside.strip_suffix('+').map_or((inside, true), |digits| (digits, false));
    Some((digits.parse().ok()?, waits))
}

pub(super) fn words(line: &[u8]) -> Words {
    let mut at = 0;
    Words(list(line, &mut at).into())
}

/// Words up to the end or a closing parenthesis.
fn list(line: &[u8], at: &mut usize) -> Vec<Word> {
    let mut words = Vec::new();
    while let Some(byte) = line.get(*at).copied() {
        match byte {
            b' ' | b'\r' | b'\n' => *at += 1,
            b')' => {
                *at += 1;
                return words;
            }
            b'(' => {
                *at += 1;
                words.push(Word::List(list(line, at)));
            }
            b'"' => words.push(Word::Text(quoted(line, at))),
            b'{' => words.push(Word::Text(counted(line, at))),
            _ => words.push(Word::Text(atom(line, at))),
        }
    }
    words
}

fn quoted(line: &[u8], at: &mut usize) -> Vec<u8> {
    let mut text = Vec::new();
    *at += 1;
    while let Some(byte) = line.get(*at).copied() {
        *at += 1;
        match byte {
            b'"' => break,
            b'\\' => {
                text.extend(line.get(*at));
                *at += 1;
            }
            byte => text.push(byte),
        }
    }
    text
}

fn counted(line: &[u8], at: &mut usize) -> Vec<u8> {
    let end = line[*at..].iter().position(|byte| *byte == b'\n').map_or(line.len(), |end| *at + end + 1);
    let size = literal(&line[*at..end]).map_or(0, |(size, _)| size);
    let text = line.get(end..end + size).unwrap_or_default().to_vec();
    *at = end + size;
    text
}

/// An atom. Spaces and parentheses inside brackets belong to it: `BODY[HEADER.FIELDS (DATE)]<0.10>`.
fn atom(line: &[u8], at: &mut usize) -> Vec<u8> {
    let start = *at;
    let mut depth = 0;
    while let Some(byte) = line.get(*at) {
        match byte {
            b'[' => depth += 1,
            b']' => depth -= 1,
            b' ' | b'(' | b')' if depth <= 0 => break,
            b'\r' | b'\n' => break,
            _ => {}
        }
        *at += 1;
    }
    line[start..*at].to_vec()
}

/// The numbers of a set such as `1,3:5,9:*`. `*` means `last`.
pub(super) struct Set(Vec<std::ops::RangeInclusive<u32>>);

impl Set {
    pub(super) fn of(text: &str, last: u32) -> Set {
        let one = |text: &str| if text == "*" { Some(last) } else { text.parse().ok() };
        let range = |range: &str| {
            let (from, to) = range.split_once(':').unwrap_or((range, range));
            let (from, to) = (one(from)?, one(to)?);
            Some(from.min(to)..=from.max(to))
        };
        Set(text.split(',').filter_map(range).collect())
    }

    pub(super) fn holds(&self, number: u32) -> bool {
        self.0.iter().any(|range| range.contains(&number))
    }
}

/// Whether a folder's name matches a pattern with `*` and `%`. Both mean the same here, since there are no subfolders.
pub(super) fn contains(pattern: &str, name: &str) -> bool {
    match pattern.split_once(['*', '%']) {
        None => pattern.eq_ignore_ascii_case(name),
        Some((start, end)) => {
            let (start, end) = (start.to_lowercase(), end.trim_start_matches(['*', '%']).to_lowercase());
            let name = name.to_lowercase();
            name.len() >= start.len() + end.len() && name.starts_with(&start) && name.ends_with(&end)
        }
    }
}
