//! Whether a reply clearly asks to get no more mails. The rules are conservative: a mail that is missed ends the sequence as
//! a reply anyway, but a mail that is misread suppresses somebody who wants to talk.

mod words;

use crate::outreach::quote::Reply;
use words::{AFTER, BEFORE, COURTESY, DEVICES, KEYWORDS, PATTERNS, POLITE};

/// The most characters and words of such a reply without its quoted part.
const LONGEST: usize = 600;
const MOST_WORDS: usize = 60;
/// No text in [`DEVICES`] is longer.
const LONGEST_DEVICE: usize = 20;
/// The most words that `*` stands for in a pattern.
const GAP: usize = 4;

/// Whether the text, without the mail that it quotes, asks to get no more mails. The subject counts if there is no text.
pub(super) fn asks_to_be_removed(subject: &str, text: &str) -> bool {
    let own = own_text(text);
    if own.trim().is_empty() {
        let subject = plain(subject);
        return is_keyword(subject.split(' ').filter(|word| !word.is_empty()).collect());
    }
    if own.chars().count() > LONGEST || own.split_whitespace().count() > MOST_WORDS {
        return false;
    }
    let sentences = sentences(&own);
    let first: Vec<&str> = own.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    // One word on its own, perhaps above a name.
    let is_short = first.len() <= 4 && own.split_whitespace().count() <= 12;
    let alone = |line: &&str| is_keyword(plain(line).split(' ').filter(|word| !word.is_empty()).collect());
    if is_short && !own.contains('?') && first.iter().take(2).any(alone) {
        return true;
    }
    sentences.iter().any(|sentence| sentence.asks())
}

/// A sentence in clauses, each a list of plain words.
struct Sentence {
    clauses: Vec<Vec<String>>,
    is_question: bool,
    /// The words of the next sentence may take back what this one says.
    next: Vec<String>,
}

impl Sentence {
    fn asks(&self) -> bool {
        let all: Vec<&str> = self.clauses.iter().flatten().map(String::as_str).collect();
        if self.is_question && !POLITE.iter().any(|polite| find(&pattern(polite), &all).is_some()) {
            return false;
        }
        // A condition, and words such as "but" after the request, make the request unclear.
        let has = |words: &[&str], among: &[&str]| words.iter().any(|word| among.contains(word));
        let mut before: Vec<&str> = Vec::new();
        for (n, clause) in self.clauses.iter().enumerate() {
            let clause: Vec<&str> = clause.iter().map(String::as_str).collect();
            for one in PATTERNS {
                let Some((start, end)) = find(&pattern(one), &clause) else { continue };
                let later = self.clauses[n + 1..].iter().flatten().chain(&self.next).map(String::as_str);
                let later: Vec<&str> = clause[end..].iter().copied().chain(later).collect();
                before.extend(&clause[..start]);
                let is_negated = has(words::NEGATIONS, &clause[start.saturating_sub(4)..start]);
                if !is_negated && !has(BEFORE, &before) && !has(AFTER, &later) {
                    return true;
                }
                before.truncate(before.len() - start);
            }
            before.extend(clause);
        }
        false
    }
}

/// A pattern as alternatives for each word. `*` stands for some words, `$` for the end of the clause.
fn pattern(text: &str) -> Vec<Vec<&str>> {
    text.split(' ').map(|word| word.split('|').collect()).collect()
}

/// Where a pattern begins and ends among words.
fn find(pattern: &[Vec<&str>], words: &[&str]) -> Option<(usize, usize)> {
    (0..words.len()).find_map(|start| matches(pattern, &words[start..]).map(|length| (start, start + length)))
}

/// How many words a pattern matches at the beginning.
fn matches(pattern: &[Vec<&str>], words: &[&str]) -> Option<usize> {
    let Some((first, rest)) = pattern.split_first() else { return Some(0) };
    match first[..] {
        ["*"] => (0..=GAP.min(words.len())).find_map(|skip| matches(rest, &words[skip..]).map(|length| skip + length)),
        _ => {
            let is_end = first.contains(&"$") && words.is_empty();
            let is_word = words.first().is_some_and(|word| first.contains(word));
            match (is_word, is_end) {
                (true, _) => matches(rest, &words[1..]).map(|length| length + 1),
                (false, true) => matches(rest, words),
                (false, false) => None,
            }
        }
    }
}

/// Whether the words are a request in one word, apart from courtesies.
fn is_keyword(mut words: Vec<&str>) -> bool {
    words.retain(|word| !COURTESY.contains(word));
    KEYWORDS.contains(&words.join(" ").as_str())
}

/// The text without the quoted mail and the signature.
fn own_text(text: &str) -> String {
    let mut own = String::new();
    for line in Reply::of(text).own.lines() {
        let trimmed = line.trim();
        let is_rule = trimmed.len() >= 5 && trimmed.chars().all(|c| c == '_' || c == '-' || c == '=');
        let is_device = || {
            let start: String = trimmed.chars().take(LONGEST_DEVICE).flat_map(char::to_lowercase).collect();
            DEVICES.iter().any(|device| start.starts_with(device))
        };
        if own.len() > 4 * LONGEST || trimmed.starts_with('>') || trimmed == "--" || is_rule || is_device() {
            break;
        }
        own.push_str(line);
        own.push('\n');
    }
    own
}

fn sentences(text: &str) -> Vec<Sentence> {
    let mut all: Vec<Sentence> = Vec::new();
    let joined = text.lines().map(str::trim).map(|line| if line.is_empty() { ".\n" } else { line });
    let joined = joined.collect::<Vec<_>>().join(" ");
    for part in joined.split_inclusive(['.', '!', '?', '\n']) {
        let clauses: Vec<Vec<String>> = part
            .split([',', ';', ':', '(', ')', '–', '—'])
            .map(|clause| plain(clause).split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect())
            .filter(|clause: &Vec<String>| !clause.is_empty())
            .collect();
        if clauses.is_empty() {
            continue;
        }
        if let Some(last) = all.last_mut() {
            last.next = clauses.iter().flatten().cloned().collect();
        }
        all.push(Sentence { clauses, is_question: part.ends_with('?'), next: Vec::new() });
    }
    all
}

/// Lower-case words without accents and punctuation; `e-mail` is one word.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars().flat_map(char::to_lowercase) {
        match letter {
            'à' | 'á' | 'â' | 'ä' | 'ã' | 'å' => out.push('a'),
            'è' | 'é' | 'ê' | 'ë' => out.push('e'),
            'ì' | 'í' | 'î' | 'ï' => out.push('i'),
            'ò' | 'ó' | 'ô' | 'ö' | 'õ' => out.push('o'),
            'ù' | 'ú' | 'û' | 'ü' => out.push('u'),
            'ç' => out.push('c'),
            'ñ' => out.push('n'),
            'ß' => out.push_str("ss"),
            // Combining accents.
            '\u{300}'..='\u{36f}' => {}
            _ if letter.is_alphanumeric() => out.push(letter),
            _ => out.push(' '),
        }
    }
    let words = format!(" {} ", out.split_whitespace().collect::<Vec<_>>().join(" "));
    let words = words.replace(" e mail", " email").replace(" don t ", " dont ").replace(" opt out ", " optout ");
    words.trim().to_owned()
}

#[cfg(test)]
mod tests;
