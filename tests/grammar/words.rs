//! The meaning of a search without an index: each word is compared with each line of a contact's text.

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::canonical_combining_class;

use super::model::fold;
use crate::support::{Dice, member, strings, text};

/// Whether these words find a contact.
pub(super) fn finds(row: &Value, search: &str) -> bool {
    if search.trim().is_empty() {
        return true;
    }
    let (lines, words) = (lines(row), words(search));
    let occurs = |word: &String| lines.iter().any(|line| holds(line, word));
    let mut at = 0;
    while at < words.len() {
        let run = words[at..].iter().take_while(|word| is_number(word)).count();
        let group = &words[at..at + run.max(1)];
        let digits: String = group.concat().chars().filter(char::is_ascii_digit).collect();
        // Tags are compared with single words only.
        let together =
            run > 0 && digits.len() >= 3 && lines[..lines.len() - tags(row)].iter().any(|line| line.contains(&digits));
        if !together && !group.iter().all(occurs) {
            return false;
        }
        at += group.len();
    }
    !words.is_empty()
}

fn tags(row: &Value) -> usize {
    strings(&row["tags"]).len()
}

/// All searched lines, the tags last.
fn lines(row: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    let names = ["first_name", "last_name"].map(|name| plain(row[name].as_str().unwrap_or_default()));
    let together =
        |name: &String| name.chars().next().is_some_and(|c| no_spaces(c) || ('\u{1100}'..='\u{11ff}').contains(&c));
    if names.iter().all(together) {
        lines.extend([names.concat(), format!("{}{}", names[1], names[0])]);
    }
    lines.extend(names);
    for name in ["title", "current_company", "summary"] {
        lines.push(plain(row[name].as_str().unwrap_or_default()));
    }
    lines.extend(member(&row["emails"], "email").iter().map(|email| plain(email)));
    let digits = |phone: &String| phone.chars().filter(char::is_ascii_digit).collect();
    lines.extend(member(&row["phones"], "phone").iter().map(digits));
    lines.extend(strings(&row["skills"]).iter().map(|skill| plain(skill)));
    lines.extend(strings(&row["tags"]).iter().map(|tag| plain(tag)));
    lines
}

/// Without case and accents.
fn plain(text: &str) -> String {
    let bare = fold(text).nfd().filter(|c| canonical_combining_class(*c) == 0).collect::<String>();
    let bare: String = bare.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    // The dotted capital I has no simple lower case until its dot is removed.
    fold(&bare).replace('ß', "ss").replace('ı', "i").nfd().collect()
}

fn words(search: &str) -> Vec<String> {
    let inside = |c: char| c.is_alphanumeric() || "#$%&'*+-./:=@\\^_|~".contains(c);
    let mut words = Vec::new();
    for word in plain(search).split(|c| !inside(c)) {
        let loose = |c: char| "'-/:=*~|\\^".contains(c);
        let mut word = word.trim_start_matches(loose).trim_end_matches(|c| loose(c) || c == '.');
        while word.chars().count() < 3 && word.chars().next().is_some_and(|c| !c.is_alphanumeric()) {
            word = &word[1..];
        }
        if word.chars().any(char::is_alphanumeric) {
            words.push(word.to_owned());
        }
    }
    words
}

fn is_number(word: &str) -> bool {
    word.chars().any(|c| c.is_ascii_digit()) && word.chars().all(|c| c.is_ascii_digit() || "+-./".contains(c))
}

/// A word of one or two letters must be at the beginning of a word.
fn holds(line: &str, word: &str) -> bool {
    if word.chars().count() >= 3 {
        return line.contains(word);
    }
    line.match_indices(word).any(|(at, _)| {
        let first = line[at..].chars().next().unwrap_or(' ');
        match line[..at].chars().next_back() {
            None => true,
            Some(before) => !before.is_alphanumeric() || no_spaces(before) || no_spaces(first),
        }
    })
}

/// Scripts without spaces, as far as the people here use them.
fn no_spaces(c: char) -> bool {
    matches!(c, '日' | '本' | '語' | '田' | '中' | '花' | '子' | '\u{e00}'..='\u{e7f}')
}

/// Words of some person, of none, or parts of either.
pub(super) fn search(dice: &mut Dice, row: &Value, words: &[&str]) -> String {
    let mut parts = Vec::new();
    for _ in 0..*dice.pick(&[1, 1, 1, 2, 2, 3]) {
        let known = match dice.below(9) {
            0 => &row["first_name"],
            1 => &row["last_name"],
            2 => &row["title"],
            3 => &row["current_company"],
            4 => &row["summary"],
            5 => &row["emails"][0]["email"],
            6 => &row["phones"][0]["phone"],
            7 => &row["skills"][0],
            _ => &row["tags"][0],
        };
        let whole = match known {
            Value::String(_) if !dice.one_in(5) => text(known),
            _ => (*dice.pick(words)).to_owned(),
        };
        let letters: Vec<char> = whole.chars().collect();
        let from = if dice.one_in(2) { 0 } else { dice.below(letters.len() + 1) };
        let to = if dice.one_in(2) { letters.len() } else { from + dice.below(letters.len() - from + 1) };
        let part: String = letters[from..to].iter().collect();
        parts.push(match dice.below(4) {
            0 => part.to_uppercase(),
            1 => part.nfd().collect(),
            _ => part,
        });
    }
    parts.join(["  ", " ", ", "][dice.below(3)])
}
