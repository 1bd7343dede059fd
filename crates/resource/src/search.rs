//! Search: all words must occur in the text or the labels of a record, ignoring accents and case.
//!
//! A word of three letters or more is found anywhere, also inside other words; a shorter one only at the beginning of a
//! word. In scripts without spaces every letter begins a word. Consecutive numbers that could be parts of a phone
//! number are also searched for without spaces.

use crate::fold::{digits, plain};
use crate::found::Found;
use crate::labels::merging;
use crate::memory::Memory;
use crate::need::{Labelled, Need, Word};
use crate::texts::{self, Text};
use crate::words::{LITERAL, parts_words};
use crate::{Ctx, Error, Field, FoundIn, Resource, invalid};
use std::sync::Arc;
use store::{Tx, Value};
use uuid::Uuid;

const WORDS: usize = 20;
const LONGEST: usize = 500;
/// Most records that are checked individually because they changed after the text index was written. If there are more,
/// older changes are not visible yet.
const TAIL: i64 = 2000;
/// Most labels that one word can match, the oldest first.
const LABELS: usize = 1000;

/// Parses `search`; `None` if it is empty. A search without letters and digits matches nothing.
pub fn search(name: &str, text: &str) -> Result<Option<Need>, Error> {
    let words = words(name, text)?;
    if text.trim().is_empty() {
        return Ok(None);
    }
    if words.is_empty() {
        return Ok(Some(Need::Any(Vec::new())));
    }
    let (mut needs, mut rest) = (Vec::new(), &words[..]);
    while let Some(word) = rest.first() {
        let run = rest.iter().take_while(|word| is_number(word)).count();
        let (numbers, after) = rest.split_at(run.max(1));
        rest = after;
        let each: Vec<Need> = numbers.iter().map(|word| Need::Word(Word::anywhere(word))).collect();
        let together: String = numbers.iter().map(|word| digits(word)).collect();
        if run > 0 && together != *word && together.len() >= LITERAL {
            let together = Word { labels: Labelled::Never, ..Word::anywhere(&together) };
            needs.push(Need::Any(vec![Need::Word(together), Need::All(each)]));
        } else {
            needs.extend(each);
        }
    }
    Ok(Some(Need::All(needs)))
}

/// Matches if every word of `text` occurs in the fields from `first` to `last`.
pub fn search_fields(fields: &'static [Field], first: &str, last: &str, text: &str) -> Result<Need, Error> {
    let Some((from, to)) = texts::between(fields, first, last) else { return Ok(Need::Any(Vec::new())) };
    let words = words(first, text)?;
    if words.is_empty() {
        return Ok(Need::Any(Vec::new()));
    }
    let word = |word: &String| {
        let (from, to) = (Some(from.clone()), to.clone());
        Need::Word(Word { literal: word.clone(), from, to, labels: Labelled::Never })
    };
    Ok(Need::All(words.iter().map(word).collect()))
}

/// The words of a search, in the form of the text index.
fn words(name: &str, text: &str) -> Result<Vec<String>, Error> {
    if text.contains('\0') {
        return Err(invalid(name, "must not hold the character NUL"));
    }
    if text.chars().count() > LONGEST {
        return Err(invalid(name, format!("must have at most {LONGEST} characters")));
    }
    let mut words: Vec<String> = Vec::new();
    for word in plain(text).split(parts_words) {
        let loose = |c: char| matches!(c, '\'' | '-' | '/' | ':' | '=' | '*' | '~' | '|' | '\\' | '^');
        let mut word = word.trim_start_matches(loose).trim_end_matches(|c| loose(c) || c == '.');
        if word.chars().count() < LITERAL {
            // A short word is only found where a word begins, which is at a letter or digit.
            word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
        }
        if word.contains(char::is_alphanumeric) {
            words.push(word.to_owned());
        }
    }
    if words.len() > WORDS {
        return Err(invalid(name, format!("has {} words; at most {WORDS} are taken", words.len())));
    }
    Ok(words)
}

/// Whether the word could be a part of a phone number.
fn is_number(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | '/'))
}

impl Need {
    fn each(&mut self, visit: &mut dyn FnMut(&mut Word)) {
        match self {
            Need::Word(word) => visit(word),
            Need::All(needs) | Need::Any(needs) => needs.iter_mut().for_each(|need| need.each(visit)),
            Need::Not(need) => need.each(visit),
        }
    }

    fn met_by(&self, text: &Text) -> bool {
        match self {
            Need::Word(word) => {
                word.found_in(&text.text) || word.labels().iter().any(|id| text.labels.contains(&id.to_string()))
            }
            Need::All(needs) => needs.iter().all(|need| need.met_by(text)),
            Need::Any(needs) => needs.iter().any(|need| need.met_by(text)),
            Need::Not(need) => !need.met_by(text),
        }
    }

    /// The index lookups that together find all records that can match, and perhaps more; `None` if the index can't
    /// help.
    pub(crate) fn sources(&self) -> Option<Vec<Source<'_>>> {
        match self {
            Need::Word(word) if !word.indexed() => None,
            Need::Not(_) => None,
            Need::Word(word) if word.labels().is_empty() => Some(vec![Source::Texts(vec![word])]),
            Need::Word(word) => Some(vec![Source::Texts(vec![word]), Source::Labels(word.labels())]),
            Need::Any(needs) => {
                let sources: Option<Vec<_>> = needs.iter().map(Need::sources).collect();
                sources.map(|sources| sources.into_iter().flatten().collect())
            }
            Need::All(needs) => {
                // Words without labels must all occur in the text, so one lookup can require all of them.
                let alone = needs.iter().filter_map(|need| match need {
                    Need::Word(word) if word.indexed() && word.labels().is_empty() => Some(word),
                    _ => None,
                });
                let alone: Vec<&Word> = alone.collect();
                if alone.is_empty() { needs.iter().find_map(Need::sources) } else { Some(vec![Source::Texts(alone)]) }
            }
        }
    }
}

pub(crate) enum Source<'a> {
    /// Texts that contain all of these words.
    Texts(Vec<&'a Word>),
    /// Records with one of these labels.
    Labels(&'a [Uuid]),
}

impl Found {
    pub(crate) fn of<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, need: &Need) -> Result<Found, Error> {
        let mut need = need.clone();
        let label = R::FIELDS.iter().find(|field| field.kind == crate::Kind::Labels && field.search);
        if label.is_some() {
            let names = names(ctx, tx)?;
            need.each(&mut |word| {
                if matches!(word.labels, Labelled::Holding) {
                    let held = names.iter().filter(|(_, text)| word.found_in(text)).map(|(id, _)| *id);
                    word.labels = Labelled::By(held.take(LABELS).collect());
                }
            });
        }
        let mut until = texts::reached(ctx, tx, R::ABOUT.table)?;
        let mut tail = texts::tail::<R>(ctx, tx, until, TAIL)?;
        if tail.len() as i64 == TAIL {
            // The limit may have cut a commit in two; use only the changes after it.
            until = tail.last().map_or(until, |last| last.updated_at);
            tail.retain(|text| text.updated_at > until);
        }
        let later = tail.iter().filter(|text| need.met_by(text)).map(|text| text.id).collect();
        let term = label.and_then(|field| field.term).unwrap_or_default();
        Ok(Found { need, table: R::ABOUT.table, texts: R::ABOUT.texts_table, record: None, term, until, later })
    }
}

impl FoundIn {
    /// In the text of `R`, which references the record in this column. Both columns need an index.
    pub const fn of<R: Resource>(record: &'static str) -> FoundIn {
        FoundIn { record, resolve: Found::of::<R> }
    }
}

/// The texts of all labels for searches, the oldest first.
fn names(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Arc<Vec<(Uuid, String)>>, Error> {
    const MOVED: &str =
        "SELECT max(stamp) FROM counters WHERE workspace_id = $1 AND collection = 'tags' AND field = ''";
    const NAMES: &str = "SELECT id, name FROM tags WHERE workspace_id = $1 ORDER BY id";
    let workspace: [Value; 1] = [ctx.workspace.into()];
    let stamp = tx.one(MOVED, &workspace, |row| row.maybe_int(0))?.flatten().unwrap_or(0);
    let memory: &Memory = &ctx.memory;
    if tx.stamp() == 0
        && let Some(known) = memory.label_texts(ctx.workspace, stamp)
    {
        return Ok(known);
    }
    let mut read = tx.rows(NAMES, &workspace, |row| Ok((row.id(0)?, texts::of_label(&row.text(1)?))))?;
    for (from, into) in merging(ctx, tx)? {
        let name = read.iter().find(|(id, _)| *id == into).map(|(_, name)| name.clone());
        read.extend(name.map(|name| (from, name)));
    }
    let read = Arc::new(read);
    // Stored counts are written at the end of a commit, so during a write their stamp does not reflect its own changes.
    if tx.stamp() == 0 {
        memory.cache_label_texts(ctx.workspace, stamp, read.clone());
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::begins;

    fn split(text: &str) -> Vec<String> {
        words("search", text).expect("a search")
    }

    #[test]
    fn words_keep_inner_punctuation() {
        assert_eq!(split("Lee, Ann (CTO)"), ["lee", "ann", "cto"]);
        assert_eq!(split("C++ C# .NET node.js"), ["c++", "c#", ".net", "node.js"]);
        assert_eq!(split("ann@example.com O’Neil 'x' a. +3"), ["ann@example.com", "o'neil", "x", "a", "3"]);
        assert_eq!(split("-- ' \u{1f600} \u{10ffff} ()"), Vec::<String>::new());
        assert_eq!(split("山田、太郎\u{3000}ＡＢＣ"), ["山田", "太郎", "abc"]);
    }

    #[test]
    fn words_begin_after_separators_and_anywhere_without_spaces() {
        assert!(begins(' ', 'a') && begins('-', 'a') && begins('山', '田') && begins('田', 'a'));
        assert!(!begins('b', 'a') && !begins(' ', '-') && !begins('김', '민'));
    }
}
